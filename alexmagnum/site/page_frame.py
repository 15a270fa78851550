"""The frame that all pages of a site have in common: templates, names of files, menu, words.

Open this to add a page to the menu, or to change where a page lies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from alexmagnum.draw.palette import Livery, assign_liveries
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import DEPLOYMENT, Phase
from alexmagnum.report.document_templates import load_document_templates
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.phase_context import GM
from alexmagnum.site.published_game import EVERYTHING, PublishedGame

INDEX, REPLAY, CHARTS, POWERS, PROVINCES, PRESS, SEARCH, RULES, FEED = (
    "index.html",
    "replay.html",
    "charts.html",
    "powers/index.html",
    "provinces/index.html",
    "press.html",
    "search.html",
    "rules.html",
    "feed.xml",
)
"""Where the pages lie."""

FOOT = ("house", "players", "seals", "check", "turn")
"""The sections at the foot of a page."""

MENU = (
    (INDEX, "site-now"),
    (REPLAY, "site-replay"),
    (CHARTS, "site-charts"),
    (POWERS, "site-powers"),
    (PROVINCES, "site-provinces"),
    (PRESS, "site-press"),
    (SEARCH, "site-search"),
    (RULES, "site-rules"),
)
"""The pages of the menu, each with the sentence that names it."""


class Link(NamedTuple):
    """A link to a page of the site."""

    path: str
    label: str


class LinkedCell(NamedTuple):
    """A cell of a table: its text, the page behind it, the power whose sign it has, its shade."""

    text: str
    href: str = ""
    power: str = ""
    shade: float = 0.0


class LinkedColumn(NamedTuple):
    """The heading of a column; ``number`` if it holds figures."""

    label: str
    number: bool = False


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """A table with links; the first cell of a row is its heading."""

    title: str
    columns: tuple[LinkedColumn, ...]
    rows: tuple[tuple[LinkedCell, ...], ...]


def phase_path(name: str) -> str:
    """Return where the page of a phase lies."""
    return f"phases/{name}.html"


def power_path(power: str) -> str:
    """Return where the page of a power lies."""
    return f"powers/{power}.html"


def province_path(province: str) -> str:
    """Return where the page of a province lies."""
    return f"provinces/{province}.html"


def short_phase_name(phase: Phase, sentences: Sentences) -> str:
    """Return a phase in words without its year: ``Spring, retreats``."""
    season = sentences.format(phase.season)
    if phase.kind in ("movement", "winter", DEPLOYMENT):
        return season
    return f"{season}, {sentences.format(f'{phase.kind}-phase', period=phase.period)}"


class _Reader(NamedTuple):
    """The parts of a report that its sections ask for, on a page that has no report."""

    liveries: Mapping[str, Livery]
    recipient: str | None


@dataclass(frozen=True, slots=True)
class PageFrame:
    """What every page of one site needs: the game, the language, whether there are maps.

    ``sandbox`` is the page on which positions can be tried; "" if there is none.
    """

    game: PublishedGame
    sentences: Sentences
    pictures: bool
    sandbox: str = ""

    def render(self, template: str, path: str, title: str, **data: Any) -> str:
        """Return a page that lies at ``path``."""
        liveries = assign_liveries(self.game.board)
        text = (
            load_document_templates("alexmagnum.site")
            .get_template(template)
            .render(
                lang=self.sentences.lang,
                sentence=self.sentences.format,
                game=self.game.name,
                title=title,
                root="../" * path.count("/"),
                current=path,
                nav=self._menu(),
                public=self.game.audience is None,
                audience=self.audience_note(),
                liveries=liveries,
                foot=data.pop("foot", FOOT),
                report=data.pop("report", None) or _Reader(liveries, self.game.audience),
                page_map=data.pop("page_map", None),
                **data,
            )
        )
        return "\n".join(line for line in text.splitlines() if line.strip()) + "\n"

    def _menu(self) -> Sequence[Link]:
        links = [Link(path, self.sentences.format(code)) for path, code in MENU]
        if self.sandbox:
            links.append(Link(self.sandbox, self.sentences.format("site-sandbox")))
        return links

    def audience_note(self) -> str:
        """Return for whom a site is that not everybody may see; "" for everybody's."""
        audience = self.game.audience
        if audience is None:
            return ""
        if audience in (GM, EVERYTHING):
            return self.sentences.format(f"site-for-{audience}")
        return self.sentences.format("site-for-power", power=self.power(audience))

    def phase(self, phase: Phase) -> str:
        """Return the name of a phase."""
        return phase_name(phase, self.game.board, self.sentences)

    def power(self, power: str) -> str:
        """Return the name of a power."""
        return power_name(self.game.board, power, self.sentences)

    def province(self, province: str) -> str:
        """Return the name of a province."""
        return self.game.board.provinces[province].name(self.sentences.lang)


def shade_of(count: int, most: int) -> float:
    """Return how dark the cell of a count is, from 0 to 1."""
    return round(count / most, 2) if most else 0.0


Files = Mapping[str, str]
"""The contents of files by name."""
