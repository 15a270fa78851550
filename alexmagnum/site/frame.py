"""Parts that all pages of a site share: the game as an audience sees it, frame, styles, rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.campaign import owners_after, position_after
from alexmagnum.draw.scene import assign_liveries, font_faces_css
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import GameEnd, PhaseRecord
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import ILLEGAL, Outcome
from alexmagnum.notation.names import power_name
from alexmagnum.orders import Move, Support
from alexmagnum.position import DEPLOYMENT, PICKS, Phase, Position
from alexmagnum.report import context as report_context
from alexmagnum.report.document import Curves, Moment
from alexmagnum.report.formats import load_document_templates
from alexmagnum.report.words import phase_name, year_name

if TYPE_CHECKING:
    from markdown_it.token import Token


EVERYTHING = "everything"
"""The audience that sees a game without its secrets, once it is over."""


@dataclass(frozen=True, slots=True)
class PublishedPhase:
    """A processed phase: what the audience sees of it, and when it was processed (ISO, UTC)."""

    name: str
    processed: str
    view: report_context.View

    @property
    def outcome(self) -> Outcome:
        """The outcome as the audience sees it."""
        assert self.view.content.outcome is not None, "the phase was processed"
        return self.view.content.outcome


@dataclass(frozen=True, slots=True)
class PublishedGame:
    """A game as one audience sees it.

    Attributes:
        key: the same for all sites of the game, and for no other game.
        audience: a power, ``gm``, :data:`EVERYTHING`, or None for everybody.
        position: the position now, or at the end.
        opened: what the audience sees of the open phase; None if the game is over.
        end: how the game ended, None if it goes on.
    """

    key: str
    name: str
    audience: str | None
    position: Position
    phases: tuple[PublishedPhase, ...]
    opened: report_context.View | None
    end: GameEnd | None

    @property
    def board(self) -> Board:
        """The map of the game."""
        return self.position.board

    @property
    def outcomes(self) -> Iterator[Outcome]:
        """The outcomes of the phases, oldest first."""
        return (phase.outcome for phase in self.phases)

    @property
    def newest(self) -> report_context.View:
        """The latest view: of the open phase, or of the last one if the game is over."""
        return self.opened or self.phases[-1].view


def gather_game(desk: Desk, audience: str | None) -> PublishedGame:
    """Gather what an audience may see of a game: a power, ``gm``, :data:`EVERYTHING` or everybody.

    Orders that wait are not opened, for nobody.

    Raises:
        GameError: ``site-before-the-end``: :data:`EVERYTHING` of a game that goes on;
            ``site-empty``: the game was ended before its first phase was processed.
    """
    with desk.reading():
        end = desk.status().end
        if audience == EVERYTHING and end is None:
            raise GameError("site-before-the-end")
        if not has_pages(desk):
            raise GameError("site-empty")
        begun = next((record.opened for record in desk.phases()), "")
        return PublishedGame(
            key=f"{desk.board.id} {desk.name} {begun}",
            name=desk.name,
            audience=audience,
            position=desk.position,
            phases=tuple(
                PublishedPhase(one.name, one.processed, _view_past(desk, one.name, audience))
                for one in processed_records(desk)
            ),
            opened=gather_newest(desk, audience) if desk.phase is not None else None,
            end=end,
        )


def has_pages(desk: Desk) -> bool:
    """Return whether there is anything to publish: a phase is open, or one was processed."""
    return desk.phase is not None or bool(processed_records(desk))


def gather_newest(desk: Desk, audience: str | None) -> report_context.View:
    """Return what an audience sees of the open phase, or of the last one if the game is over."""
    if desk.phase is not None:
        return _view(report_context.gather_open_phase(desk), audience)
    return _view_past(desk, processed_records(desk)[-1].name, audience)


def processed_records(desk: Desk) -> list[PhaseRecord]:
    """Return the processed phases, oldest first."""
    return [record for record in desk.phases() if record.state == "processed"]


def _view_past(desk: Desk, name: str, audience: str | None) -> report_context.View:
    return _view(report_context.gather_past_phase(desk, name), audience)


def _view(context: report_context.PhaseContext, audience: str | None) -> report_context.View:
    if audience == EVERYTHING:
        return report_context.disclose_context(context)
    return report_context.filter_context(context, audience)


# The frame that all pages of a site have in common: templates, names of files, menu, words.


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


@dataclass(frozen=True, slots=True)
class PageFrame:
    """What every page of one site needs: the game, the language, whether there are maps.

    ``sandbox`` is the page on which positions can be tried, ``lessons`` that for newcomers; "" if
    there is none.
    """

    game: PublishedGame
    sentences: Sentences
    pictures: bool
    sandbox: str = ""
    lessons: str = ""

    def render(self, template: str, path: str, title: str, **data: Any) -> str:
        """Return a page that lies at ``path``."""
        liveries = assign_liveries(self.game.board)
        menu = [*MENU, (self.sandbox, "site-sandbox")] if self.sandbox else MENU
        common = {
            "lang": self.sentences.lang,
            "sentence": self.sentences.format,
            "frame": self,
            "game": self.game.name,
            "title": title,
            "root": "../" * path.count("/"),
            "current": path,
            "nav": [Link(page, self.sentences.format(code)) for page, code in menu],
            "public": self.game.audience is None,
            "audience": self._name_audience(),
            "liveries": liveries,
            "foot": FOOT,
            "power_path": power_path,
            "province_path": province_path,
            "count_units": count_units,
            # what sections ask of a report, on a page that has none
            "report": {"liveries": liveries, "recipient": self.game.audience},
            "page_map": None,
        }
        page = load_document_templates("alexmagnum.site").get_template(template)
        text = page.render({**common, **data})
        return "\n".join(line for line in text.splitlines() if line.strip()) + "\n"

    def _name_audience(self) -> str:
        """Return for whom a site is that not everybody may see; "" for everybody's."""
        if (audience := self.game.audience) is None:
            return ""
        if audience in (report_context.GM, EVERYTHING):
            return self.sentences.format(f"site-for-{audience}")
        return self.sentences.format("site-for-power", power=self.power(audience))

    def phase(self, phase: Phase) -> str:
        """Return the name of a phase."""
        return phase_name(phase, self.game.board, self.sentences)

    def year(self, phase: Phase) -> str:
        """Return the name of a phase's year."""
        return year_name(phase, self.game.board, self.sentences)

    def power(self, power: str) -> str:
        """Return the name of a power."""
        return power_name(self.game.board, power, self.sentences)

    def province(self, province: str) -> str:
        """Return the name of a province."""
        return self.game.board.provinces[province].name(self.sentences.lang)


# The figures of a game over its years: units, nobility, and the fights between powers.


Count = Callable[[Position, str], int]


def count_units(position: Position, power: str) -> int:
    """Return the number of a power's units, those that may still retreat included."""
    standing = (*position.units, *(d.unit for d in position.dislodged))
    return sum(unit.power == power for unit in standing)


def plot_centres(game: PublishedGame, sentences: Sentences) -> Curves | None:
    """Return the curves of the centres, None while there is nothing to compare."""
    content = game.newest.content
    return report_context.plot_centre_counts(content.centre_counts, content.position, sentences)


def plot_years(game: PublishedGame, count: Count, sentences: Sentences) -> Curves | None:
    """Return the curves of a figure at the end of every year; None with fewer than two years."""
    board = game.board
    played = (o for o in game.outcomes if o.position.phase.season != PICKS)
    last = {outcome.position.phase.year: outcome for outcome in played}
    if len(ends := [position_after(outcome) for outcome in last.values()]) < 2:
        return None
    first = ends[0].phase.year
    moments = tuple(
        Moment(
            abs(position.phase.year - first) + 1.0,
            year_name(position.phase, board, sentences),
            str(position.phase.year),
        )
        for position in ends
    )
    values = {p: tuple(count(position, p) for position in ends) for p in board.powers}
    return Curves(moments, report_context.list_curves(board, sentences, values), 0)


# -- fights between powers ------------------------------------------------------------------------

Pairs = Counter[tuple[str, str]]
"""The number of times that the first power did something to the second."""


@dataclass(slots=True)
class Dealings:
    """The acts of powers on each other: attacks, dislodgements, centres taken, supports given."""

    attacks: Pairs = field(default_factory=Counter)
    dislodged: Pairs = field(default_factory=Counter)
    centres: Pairs = field(default_factory=Counter)
    supports: Pairs = field(default_factory=Counter)


def count_dealings(game: PublishedGame) -> Dealings:
    """Count what the powers of a game did to each other."""
    dealings = Dealings()
    for outcome in game.outcomes:
        if outcome.position.phase.kind == "movement":
            _count_orders(outcome, dealings)
        if not outcome.position.phase.retreats:
            for dislodged in outcome.dislodged:
                dealings.dislodged[dislodged.by.power, dislodged.unit.power] += 1
            for unit in (unit for unit in outcome.destroyed if unit.power == INDEPENDENT):
                winner = next((u.power for u in outcome.units if u.province == unit.province), "")
                dealings.dislodged[winner, INDEPENDENT] += 1
        before, now = outcome.position.owners, owners_after(outcome)
        for centre, owner in now.items():
            if (loser := before.get(centre, "")) and loser != owner:
                dealings.centres[owner, loser] += 1
    return dealings


def _count_orders(outcome: Outcome, dealings: Dealings) -> None:
    position = outcome.position
    for entry in outcome.results:
        if entry.result == ILLEGAL:
            continue
        if isinstance(entry.order, Move):
            for other in _attacked(position, entry.order.to):
                if other != entry.power:
                    dealings.attacks[entry.power, other] += 1
        elif isinstance(entry.order, Support):
            helped = position.names.get(entry.order.supported)
            if helped is not None and helped.power != entry.power:
                dealings.supports[entry.power, helped.power] += 1


def _attacked(position: Position, goal: str) -> Iterator[str]:
    location, _, number = goal.partition("#")
    if (province := position.board.province_of(location)).capacity > 1 and not number:
        return
    for unit in position.units:
        if unit.province == province.id and (not number or str(unit.number) == number):
            yield unit.power


# The styles and scripts of the pages, as they lie in the templates of reports and of the site.


_STYLES = (("report", "panzoom.css"), ("report", "page.css"), ("site", "site.css"))

_MAP_SCRIPTS = (("report", "panzoom.js"), ("report", "map_news.js"))

_SCRIPTS = {
    "site.js": (("site", "site.js"),),
    "map-page.js": (*_MAP_SCRIPTS, ("site", "map-page.js"), ("report", "page.js")),
    "replay.js": (*_MAP_SCRIPTS, ("site", "replay.js")),
    "search.js": (("site", "search.js"),),
}
"""The files of each script, by room and name."""

_VIEWS = "".join(
    f'.maps:has(#show-{view}:not(:checked)) [data-view="{view}"] {{ display: none; }}\n'
    for view in ("orders", "after")
)


def list_assets() -> Iterator[tuple[str, str]]:
    """Yield the styles and the scripts that the pages share, each with its name."""
    yield "assets/style.css", read_styles()
    for name, parts in _SCRIPTS.items():
        yield f"assets/{name}", "\n".join(read_template(*part) for part in parts)


@cache
def read_styles() -> str:
    """Return the style sheet of all pages, fonts included."""
    return "\n".join([font_faces_css(), *(read_template(*path) for path in _STYLES), _VIEWS])


@cache
def read_template(room: str, name: str) -> str:
    """Return a file of the templates of a room."""
    path = files(f"alexmagnum.{room}") / "templates" / name
    return path.read_text(encoding="utf-8").strip("\n") + "\n"


# The players' pages of the documents as parts of a site: how to write orders, mail, the rules.


_HERE = Path(__file__).resolve().parent
_FOLDERS = (_HERE / "texts", _HERE.parents[1] / "docs")
"""Where the documents are: in the installed package, or in a checkout."""

_LONE_LINK = re.compile(r"(?:(?<=\.)\s|^)\[[^\]]*\]\(([\w.-]+\.md)\)\.", re.MULTILINE)


class RuleText(NamedTuple):
    """A document for players: where its page lies, its title, its text as HTML."""

    path: str
    title: str
    html: str


def load_rule_texts(board: Board, lang: str, lessons: str = "") -> tuple[RuleText, ...]:
    """Return the documents that fit a map, in a language, with links to the page of the lessons.

    The rules and the players' sheet are those of Alex Magnum; other maps get how to play by mail.
    """
    general = ("players-mail",)
    names = ("players", *general, "rules") if board.id == "alexmagnum" else general
    return tuple(_load(name, names, lang, lessons) for name in names)


@cache
def _load(name: str, names: tuple[str, ...], lang: str, lessons: str) -> RuleText:
    from markdown_it import MarkdownIt

    sources = {other: _read(other, lang) for other in names}
    titles = {other: text.partition("\n")[0].lstrip("# ") for other, text in sources.items()}
    pages = {
        _name_file(other, lang): Link(f"text-{other}.html", title)
        for other, title in titles.items()
    }
    if lessons:
        pages["learn.md"] = Link(lessons, lessons)
    source = _LONE_LINK.sub(lambda link: link[0] if link[1] in pages else "", sources[name])
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(source)
    for heading, inline in pairwise(tokens):
        if heading.type == "heading_open":
            words = re.sub(r"[^\w\s-]", "", inline.content.lower()).strip()
            heading.attrSet("id", re.sub(r"\s", "-", words))
    for token in tokens:
        if token.children:
            token.children = list(_adapt_links(token.children, pages))
    html = str(reader.renderer.render(tokens, reader.options, {}))
    for plain, accessible in (
        ("<table>", '<div class="wide" tabindex="0"><table>'),
        ("</table>", "</table></div>"),
        ("<th></th>", "<td></td>"),
        ("<pre>", '<pre tabindex="0">'),
    ):
        html = html.replace(plain, accessible)
    return RuleText(f"text-{name}.html", titles[name], html)


def _name_file(name: str, lang: str) -> str:
    return f"{name}.md" if lang == "en" else f"{name}.{lang}.md"


def _read(name: str, lang: str) -> str:
    path = next(path for folder in _FOLDERS if (path := folder / _name_file(name, lang)).exists())
    return path.read_text(encoding="utf-8")


def _adapt_links(tokens: list[Token], pages: Mapping[str, Link]) -> Iterator[Token]:
    """Yield the parts of a line without pictures; links lead to pages of the site, or nowhere."""
    kept = True
    for token in tokens:
        if token.type == "image":
            continue
        if token.type == "link_open":
            target, _, part = str(token.attrGet("href")).partition("#")
            kept = target in pages or not target
            page = pages.get(target, Link("", ""))
            token.attrSet("href", page.path + (f"#{part}" if part else ""))
        if token.type in ("link_open", "link_close") and not kept:
            kept = token.type == "link_close"
            continue
        if token.content in pages:  # a link that shows the name of a file
            token.content = pages[token.content].label
        yield token
