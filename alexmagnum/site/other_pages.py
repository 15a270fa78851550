"""The other pages of a site: charts, press, search, rules, and the feed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from markupsafe import Markup

from alexmagnum.board.examples import list_examples
from alexmagnum.board.model import INDEPENDENT
from alexmagnum.report.document import Curves, Prose, Section
from alexmagnum.report.game_sections import list_house_rules, players_section
from alexmagnum.site.figures import (
    Dealings,
    Pairs,
    count_dealings,
    count_units,
    plot_centres,
    plot_years,
)
from alexmagnum.site.page_frame import (
    CHARTS,
    FEED,
    INDEX,
    PRESS,
    RULES,
    SEARCH,
    Link,
    LinkedCell,
    LinkedColumn,
    LinkedTable,
    PageFrame,
    power_path,
    shade_of,
)
from alexmagnum.site.phase_pages import ReportedPhase, list_news
from alexmagnum.site.rule_texts import RuleText

NEWEST = 20
"""The entries of the feed."""


def render_charts(frame: PageFrame) -> str:
    """Return the page of the charts: centres, units, nobility, and the fights between powers."""
    game, words = frame.game, frame.sentences
    charts: list[tuple[str, str, Curves]] = []
    centres = plot_centres(game, words)
    if centres is not None:
        charts.append(("chart", words.format("chart-title"), centres))
    units = plot_years(game, count_units, words)
    if units is not None:
        charts.append(("units", words.format("site-units-years"), units))
    if game.board.rules.nobility:
        nobility = plot_years(game, lambda position, power: position.points_of(power), words)
        if nobility is not None:
            charts.append(("nobility", words.format("site-nobility-years"), nobility))
    return frame.render(
        "charts.html.j2",
        CHARTS,
        words.format("site-charts"),
        charts=charts,
        dealings=list(_tabulate_dealings(frame, count_dealings(game))),
    )


def _tabulate_dealings(
    frame: PageFrame, dealings: Dealings
) -> Iterator[tuple[str, str, LinkedTable]]:
    """Yield the tables of what the powers did to each other, those that hold anything.

    Each has the key of its section before it, and a note.
    """
    for pairs, title, note in (
        (dealings.attacks, "site-attacks", "site-attacks-note"),
        (dealings.dislodged, "site-dislodged", "site-dislodged-note"),
        (dealings.centres, "site-taken", "site-taken-note"),
        (dealings.supports, "site-supports", "site-supports-note"),
    ):
        if pairs:
            yield title, frame.sentences.format(note), _tabulate_pairs(frame, title, pairs)


def _tabulate_pairs(frame: PageFrame, title: str, pairs: Pairs) -> LinkedTable:
    """Return a table with the doers in its rows and the others in its columns."""
    powers = tuple(frame.game.board.powers)
    others = (*powers, INDEPENDENT) if any(o == INDEPENDENT for _, o in pairs) else powers
    most = max(pairs.values())
    columns = (
        LinkedColumn(frame.sentences.format("column-power")),
        *(LinkedColumn(frame.power(other), number=True) for other in others),
    )
    rows = tuple(
        (
            LinkedCell(frame.power(power), power_path(power), power),
            *(
                LinkedCell(
                    "–" if power == other else str(pairs[power, other]),
                    shade=shade_of(pairs[power, other], most),
                )
                for other in others
            ),
        )
        for power in powers
    )
    return LinkedTable(frame.sentences.format(title), columns, rows)


# -- press ----------------------------------------------------------------------------------------


class PressPhase(NamedTuple):
    """The texts of a phase: the game master's words and the press."""

    path: str
    name: str
    sections: tuple[Section, ...]


_WRITTEN = ("commentary", "notes", "press")


def render_press(frame: PageFrame, phases: Sequence[ReportedPhase]) -> str:
    """Return the page with the press and the game master's words, newest first."""
    written = []
    for shown in reversed(phases):
        sections = tuple(
            section
            for section in shown.report.sections
            if section.key in _WRITTEN and isinstance(section.body, Prose)
        )
        if sections:
            written.append(PressPhase(shown.path, shown.report.phase, sections))
    return frame.render(
        "press.html.j2", PRESS, frame.sentences.format("site-press"), phases=written
    )


# -- search ---------------------------------------------------------------------------------------


def render_search(frame: PageFrame, indexes: Sequence[str]) -> str:
    """Return the page that searches the orders; ``indexes`` are the files with them."""
    powers = [(power, frame.power(power)) for power in frame.game.board.powers]
    return frame.render(
        "search.html.j2",
        SEARCH,
        frame.sentences.format("site-search"),
        powers=powers,
        indexes=indexes,
        examples=list_examples(frame.game.board),
    )


# -- rules ----------------------------------------------------------------------------------------


def render_rules(frame: PageFrame, texts: Sequence[RuleText]) -> Iterator[tuple[str, str]]:
    """Yield the players' page for the rules and the texts that it leads to, with their names."""
    words, view = frame.sentences, frame.game.newest
    sections = (list_house_rules(view, words), players_section(view, words))
    links = [Link(text.path, text.title) for text in texts]
    title = words.format("site-rules")
    yield (
        RULES,
        frame.render(
            "rules.html.j2",
            RULES,
            title,
            others=links,
            sections=[
                replace(section, folded=False) for section in sections if section is not None
            ],
            text="",
        ),
    )
    back = [Link(RULES, title)]
    for text in texts:
        others = back + [link for link in links if link.path != text.path]
        page = frame.render(
            "rules.html.j2",
            text.path,
            text.title,
            others=others,
            sections=[],
            text=Markup(text.html),
        )
        yield text.path, page


# -- feed -----------------------------------------------------------------------------------------


class FeedEntry(NamedTuple):
    """A phase in the feed."""

    title: str
    id: str
    updated: str
    path: str
    content: str


def render_feed(frame: PageFrame, phases: Sequence[ReportedPhase], address: str) -> str:
    """Return the Atom feed of the newest phases.

    Its links start with the ``address`` of the site; they are relative if it has none.
    A phase that was corrected is a new entry: readers of feeds show it again.
    """
    key = f"{frame.game.key} {frame.game.audience or ''} {frame.sentences.lang}"
    entries = [_feed_entry(frame, shown, key) for shown in reversed(phases[-NEWEST:])]
    updated = max((entry.updated for entry in entries), default="1970-01-01T00:00:00Z")
    title = frame.sentences.format("site-feed")
    feed_id = str(uuid5(NAMESPACE_URL, key))
    return frame.render(
        "feed.xml.j2",
        FEED,
        title,
        entries=entries,
        updated=updated,
        id=feed_id,
        address=_end_with_slash(address),
    )


def _end_with_slash(address: str) -> str:
    """Return an address to which the names of files can be added; "" for none."""
    folder = address.removesuffix(INDEX).rstrip("/")
    return f"{folder}/" if folder else ""


def _feed_entry(frame: PageFrame, shown: ReportedPhase, key: str) -> FeedEntry:
    version = shown.phase.view.content.version
    news = Markup("").join(Markup("<li>{}</li>").format(line) for line in list_news(frame, shown))
    return FeedEntry(
        title=shown.report.phase,
        id=str(uuid5(NAMESPACE_URL, f"{key} {shown.name} {version}")),
        updated=shown.phase.processed.replace("+00:00", "Z"),
        path=shown.path,
        content=str(
            Markup("<ul>{}</ul>").format(news)
            if news
            else Markup("<p>{}</p>").format(frame.sentences.format("site-no-news"))
        ),
    )
