"""The pages of a site: phases, first page, charts and press, and the whole game as one page."""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from markupsafe import Markup

from alexmagnum.board.model import INDEPENDENT, Board, list_examples
from alexmagnum.draw.canvas import SharedGround, combine_scenes
from alexmagnum.errors import GameError
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import Outcome
from alexmagnum.orders import Order
from alexmagnum.position import DEPLOYMENT, PICKS, Phase, Position
from alexmagnum.report import document
from alexmagnum.report.context import PhaseContext, View, filter_context, find_unit_changes
from alexmagnum.report.formats import MapPictures, draw_page_scenes
from alexmagnum.report.phase_report import PhaseSections, compose_phase_report
from alexmagnum.report.sheet import make_fragment
from alexmagnum.report.words import format_end
from alexmagnum.site import frame as page_frame
from alexmagnum.units import names_of

CHUNK = 40
"""The phases whose orders are in one file of the search: the files of earlier ones stay as they
are."""

NEWS = ("end", "awards", "gains", "dislodged", "lost", "eliminated")
"""The sections with the news of a phase, most important first."""


@dataclass(frozen=True, slots=True)
class ReportedPhase:
    """A phase with its report in words."""

    phase: page_frame.PublishedPhase
    report: document.PhaseReport

    @property
    def name(self) -> str:
        """The name of the phase on the command line."""
        return self.phase.name

    @property
    def moment(self) -> Phase:
        """The phase itself."""
        return self.phase.outcome.position.phase

    @property
    def processed(self) -> str:
        """When the phase was processed (UTC)."""
        return self.phase.processed.replace("+00:00", "Z")

    @property
    def path(self) -> str:
        """Where its page lies."""
        return f"phases/{self.name}.html"


def compose_reports(frame: page_frame.PageFrame) -> tuple[ReportedPhase, ...]:
    """Return all phases of a game with their reports."""
    return tuple(
        ReportedPhase(phase, compose_phase_report(phase.view, frame.sentences))
        for phase in frame.game.phases
    )


def render_phase_page(
    frame: page_frame.PageFrame, phases: Sequence[ReportedPhase], index: int
) -> tuple[str, str]:
    """Return the name and the text of a phase's page."""
    shown = phases[index]
    return shown.path, frame.render(
        "phase.html.j2",
        shown.path,
        shown.report.phase,
        report=shown.report,
        page_map=frame.pictures,
        earlier=phases[index - 1] if index else None,
        later=phases[index + 1] if index + 1 < len(phases) else None,
        sandbox=link_sandbox(frame, shown.phase.outcome),
    )


def link_sandbox(frame: page_frame.PageFrame, outcome: Outcome) -> str:
    """Return the link that opens a phase in the sandbox, with the orders that the audience sees."""
    orders: dict[str, list[Order]] = {}
    for entry in outcome.results:
        if entry.power in outcome.position.board.powers:
            orders.setdefault(entry.power, []).append(entry.order)
    return link_position(frame, outcome.position, orders)


def link_position(
    frame: page_frame.PageFrame,
    position: Position,
    orders: Mapping[str, Sequence[Order]] | None = None,
) -> str:
    """Return the link that opens a position in the sandbox.

    It is empty without a sandbox, and for picks, which have no board to try them on.
    """
    if not frame.sandbox or position.phase.season == PICKS:
        return ""
    return f"{frame.sandbox}#{make_fragment(position, orders)}"


# -- maps -----------------------------------------------------------------------------------------


def map_path(name: str) -> str:
    """Return where the map of a phase lies."""
    return f"maps/{name}.js"


def map_source(frame: page_frame.PageFrame, phase: page_frame.PublishedPhase, program: str) -> str:
    """Return a digest of all that the map of a phase shows, and of the ``program`` that draws."""
    outcome = phase.outcome
    shown = (
        program,
        frame.sentences.lang,
        outcome.position.board.digest,
        outcome.position.to_text(),
        [
            (entry.power, repr(entry.order), str(entry.unit), entry.result)
            for entry in outcome.results
        ],
        [repr(reason) for reason in outcome.reasons],
        sorted(map(repr, outcome.units)),
        repr(outcome.dislodged),
        repr(outcome.destroyed),
        repr(outcome.picks),
    )
    return sha256(repr(shown).encode()).hexdigest()[:32]


def draw_map(
    frame: page_frame.PageFrame, phase: page_frame.PublishedPhase, ground: SharedGround
) -> str:
    """Return the file with the map of a phase: a script that adds it to the maps of the page."""
    entry = json.dumps(lay_map(frame, phase, ground), ensure_ascii=False)
    return f"siteMaps[{json.dumps(phase.name)}] = {entry};\n"


def lay_map(
    frame: page_frame.PageFrame, phase: page_frame.PublishedPhase, ground: SharedGround
) -> Mapping[str, object]:
    """Return the map of a phase for the script that lays it on the ground."""
    overlay = ground.lay(combine_scenes(draw_page_scenes(phase.outcome, frame.sentences)))
    return {"shared": overlay.shared, "svg": overlay.svg}


# -- replay ---------------------------------------------------------------------------------------


def render_replay(frame: page_frame.PageFrame, phases: Sequence[ReportedPhase], path: str) -> str:
    """Return the page on which a slider replays the game."""
    return frame.render(
        "replay.html.j2",
        path,
        frame.sentences.format("site-replay"),
        frames=[_article(frame, shown, shown.path) for shown in phases],
        pictures=frame.pictures,
    )


def summarize(frame: page_frame.PageFrame, shown: ReportedPhase) -> str:
    """Return the news of a phase in a line: how many centres were taken, units built..."""
    parts = [
        f"{section.title}: {_count(section.body)}"
        for section in shown.report.sections
        if section.key in NEWS and _count(section.body)
    ]
    parts += [
        f"{title}: {sum(map(len, units.values()))}"
        for title, units in _list_adjustments(frame, shown.phase.outcome)
    ]
    return " · ".join(parts) or frame.sentences.format("site-no-news")


def _count(body: object) -> int:
    if isinstance(body, document.Items):
        return len(body.items)
    return len(body.rows) if isinstance(body, document.Table) else 0


def list_news(frame: page_frame.PageFrame, shown: ReportedPhase) -> list[str]:
    """Return the news of a phase as lines."""
    lines: list[str] = []
    for section in shown.report.sections:
        if section.key in NEWS:
            if isinstance(section.body, document.Items):
                lines += [f"{section.title}: {item}" for item in section.body.items]
            elif isinstance(section.body, document.Table):
                lines += [
                    f"{section.title}: {' · '.join(cell.text for cell in row)}"
                    for row in section.body.rows
                ]
    for title, units in _list_adjustments(frame, shown.phase.outcome):
        lines += [
            f"{title}: {', '.join(names)} ({frame.power(power)})" for power, names in units.items()
        ]
    return lines


def _list_adjustments(
    frame: page_frame.PageFrame, outcome: Outcome
) -> Iterator[tuple[str, Mapping[str, Sequence[str]]]]:
    """Yield what became of units in a winter or a deployment, with names by power; those that civil
    disorder removed are left out, as the report lists them as lost."""
    changes = find_unit_changes(outcome)
    names = names_of((*outcome.position.units, *outcome.units))
    deployed = outcome.position.phase.season == DEPLOYMENT
    for code, units in (
        ("site-deployed" if deployed else "site-built", changes.built),
        ("site-removed", [unit for unit in changes.removed if unit not in outcome.removed]),
    ):
        by_power: dict[str, list[str]] = {}
        for unit in units:
            by_power.setdefault(unit.power, []).append(names.get(unit, str(unit)))
        if by_power:
            yield frame.sentences.format(code), by_power


# -- search ---------------------------------------------------------------------------------------


def write_search(board: Board, phases: Sequence[ReportedPhase]) -> Iterator[tuple[str, str]]:
    """Yield the files of the search, each with its path: names in every language, then orders."""
    names = {
        "places": {place.id: _all_names(place.names) for place in board.provinces.values()},
        "powers": {power.id: _all_names(power.names) for power in board.powers.values()},
    }
    yield "search/names.js", f"const siteNames = {_compact(names)};\n"
    for number, start in enumerate(range(0, len(phases), CHUNK), 1):
        rows = [
            [
                shown.name,
                shown.report.phase,
                [
                    [group.power, group.name, [[line.text, line.why] for line in group.lines]]
                    for section in shown.report.sections
                    if isinstance(section.body, document.Orders)
                    for group in section.body.groups
                    if group.lines
                ],
            ]
            for shown in phases[start : start + CHUNK]
        ]
        yield f"search/{number}.js", f"siteOrders.push({_compact(rows)});\n"


def _all_names(names: Mapping[str, str]) -> str:
    return " ".join(dict.fromkeys(names.values()))


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# The first page: the map now, what is due and when, the standings, every phase.


class PhaseLink(NamedTuple):
    """A phase in a list: its page, its name, what is to be said of it."""

    path: str
    name: str
    lines: tuple[str, ...] = ()


class Year(NamedTuple):
    """A year with its phases."""

    name: str
    phases: tuple[PhaseLink, ...]


def render_first_page(frame: page_frame.PageFrame, phases: Sequence[ReportedPhase]) -> str:
    """Return the first page of a site."""
    game = frame.game
    view = game.opened or _last_position(frame)
    report = compose_phase_report(view, frame.sentences)
    sections = [s for s in report.sections if game.opened and s.key in ("due", "house-changed")]
    if game.end is not None:
        sections = [_end_section(frame)]
    heading = report.phase if game.opened else frame.sentences.format("site-over")
    latest = None
    if phases:
        last = phases[-1]
        latest = PhaseLink(last.path, last.report.phase, tuple(list_news(frame, last)))
    return frame.render(
        "index.html.j2",
        page_frame.INDEX,
        heading,
        report=report,
        heading=heading,
        sandbox=link_position(frame, game.position) if game.opened else "",
        page_map=MapPictures().page(view, frame.sentences) if frame.pictures else None,
        facts=[fact for fact in report.facts if game.opened and fact.key != "recipient"]
        or _last_facts(frame, phases),
        sections=sections,
        curves=page_frame.plot_centres(game, frame.sentences),
        latest=latest,
        years=list_years(frame, phases),
        foot=[s for s in report.sections if s.key == "players"],
    )


def _last_position(frame: page_frame.PageFrame) -> View:
    content = frame.game.newest.content
    context = PhaseContext(
        game=frame.game.name,
        position=frame.game.position,
        players=content.players,
        centre_counts=content.centre_counts,
    )
    return filter_context(context, None)


def _last_facts(
    frame: page_frame.PageFrame, phases: Sequence[ReportedPhase]
) -> list[document.Fact]:
    if not phases:
        return []
    words = frame.sentences
    text = words.format("final-from-to", first=phases[0].report.phase, last=phases[-1].report.phase)
    return [document.Fact("played", words.format("final-played"), text, None)]


def _end_section(frame: page_frame.PageFrame) -> document.Section:
    end = frame.game.end
    assert end is not None, "the game is over"
    lines = [format_end(end, frame.game.position, frame.sentences)]
    if end.reason:
        lines.append(frame.sentences.format("final-reason", reason=end.reason))
    return document.Section(
        "end", frame.sentences.format("section-end"), document.Prose(tuple(lines))
    )


def list_years(frame: page_frame.PageFrame, phases: Sequence[ReportedPhase]) -> list[Year]:
    """Return the years with links to their phases, newest first."""
    years = []
    for name, group in groupby(phases, lambda shown: frame.year(shown.moment)):
        links = (
            PhaseLink(shown.path, page_frame.short_phase_name(shown.moment, frame.sentences))
            for shown in group
        )
        years.append(Year(name, tuple(links)))
    return years[::-1]


# The other pages of a site: charts, press, search, rules, and the feed.


NEWEST = 20
"""The entries of the feed."""


def render_charts(frame: page_frame.PageFrame) -> str:
    """Return the page of the charts: centres, units, nobility, and the fights between powers."""
    game, words = frame.game, frame.sentences
    charts: list[tuple[str, str, document.Curves]] = []
    if (centres := page_frame.plot_centres(game, words)) is not None:
        charts.append(("chart", words.format("chart-title"), centres))
    if (units := page_frame.plot_years(game, page_frame.count_units, words)) is not None:
        charts.append(("units", words.format("site-units-years"), units))
    if game.board.rules.nobility:
        nobility = page_frame.plot_years(
            game, lambda position, power: position.points_of(power), words
        )
        if nobility is not None:
            charts.append(("nobility", words.format("site-nobility-years"), nobility))
    return frame.render(
        "charts.html.j2",
        page_frame.CHARTS,
        words.format("site-charts"),
        charts=charts,
        dealings=list(_list_dealings(frame, page_frame.count_dealings(game))),
    )


def _list_dealings(
    frame: page_frame.PageFrame, dealings: page_frame.Dealings
) -> Iterator[tuple[str, str, page_frame.Pairs, Mapping[str, str]]]:
    """Yield what the powers did to each other, if anything: the sentences of its title and note,
    the figures, and the names of the powers that suffered it."""
    board = frame.game.board
    for pairs, title, note in (
        (dealings.attacks, "site-attacks", "site-attacks-note"),
        (dealings.dislodged, "site-dislodged", "site-dislodged-note"),
        (dealings.centres, "site-taken", "site-taken-note"),
        (dealings.supports, "site-supports", "site-supports-note"),
    ):
        if pairs:
            independent = any(other == INDEPENDENT for _, other in pairs)
            others = (*board.powers, INDEPENDENT) if independent else board.powers
            yield title, note, pairs, {other: frame.power(other) for other in others}


# -- press ----------------------------------------------------------------------------------------


def render_press(frame: page_frame.PageFrame, phases: Sequence[ReportedPhase]) -> str:
    """Return the page with the press and the game master's words, newest first."""
    told = ("commentary", "notes", "press")
    written = [
        (shown, [section for section in shown.report.sections if section.key in told])
        for shown in reversed(phases)
    ]
    return frame.render(
        "press.html.j2",
        page_frame.PRESS,
        frame.sentences.format("site-press"),
        phases=[(shown, sections) for shown, sections in written if sections],
    )


# -- search ---------------------------------------------------------------------------------------


def render_search(frame: page_frame.PageFrame, indexes: Sequence[str]) -> str:
    """Return the page that searches the orders; ``indexes`` are the files with them."""
    return frame.render(
        "search.html.j2",
        page_frame.SEARCH,
        frame.sentences.format("site-search"),
        powers=[(power, frame.power(power)) for power in frame.game.board.powers],
        indexes=indexes,
        examples=list_examples(frame.game.board),
    )


# -- rules ----------------------------------------------------------------------------------------


def render_rules(
    frame: page_frame.PageFrame, texts: Sequence[page_frame.RuleText]
) -> Iterator[tuple[str, str]]:
    """Yield the players' page for the rules and the texts that it leads to, with their names."""
    words, view = frame.sentences, frame.game.newest
    of_phase = PhaseSections(view, words)
    sections = (of_phase.house_rules(), of_phase.players())
    links = [page_frame.Link(frame.lessons, words.format("site-lessons"))] if frame.lessons else []
    links += [page_frame.Link(text.path, text.title) for text in texts]
    title = words.format("site-rules")
    yield (
        page_frame.RULES,
        frame.render(
            "rules.html.j2",
            page_frame.RULES,
            title,
            others=links,
            sections=[
                replace(section, folded=False) for section in sections if section is not None
            ],
            text="",
        ),
    )
    back = [page_frame.Link(page_frame.RULES, title)]
    for text in texts:
        page = frame.render(
            "rules.html.j2",
            text.path,
            text.title,
            others=back + [link for link in links if link.path != text.path],
            sections=[],
            text=Markup(text.html),
        )
        yield text.path, page


# -- feed -----------------------------------------------------------------------------------------


def render_feed(frame: page_frame.PageFrame, phases: Sequence[ReportedPhase], address: str) -> str:
    """Return the Atom feed of the newest phases.

    Its links start with the ``address`` of the site; they are relative if it has none.
    A phase that was corrected is a new entry: readers of feeds show it again.
    """
    key = f"{frame.game.key} {frame.game.audience or ''} {frame.sentences.lang}"
    newest = phases[: -NEWEST - 1 : -1]
    folder = address.removesuffix(page_frame.INDEX).rstrip("/")
    return frame.render(
        "feed.xml.j2",
        page_frame.FEED,
        frame.sentences.format("site-feed"),
        entries=[
            (
                shown,
                uuid5(NAMESPACE_URL, f"{key} {shown.name} {shown.phase.view.content.version}"),
                list_news(frame, shown),
            )
            for shown in newest
        ],
        updated=max((shown.processed for shown in newest), default="1970-01-01T00:00:00Z"),
        id=str(uuid5(NAMESPACE_URL, key)),
        address=f"{folder}/" if folder else "",  # names of files can be added to it
    )


# One phase, or a short game, as a single page that holds everything it shows.


LARGEST = 5_000_000
"""Bytes of the largest page that is written: a larger one could not be mailed."""

_SCRIPTS = (
    ("report", "panzoom.js"),
    ("report", "map_news.js"),
    ("site", "site.js"),
    ("site", "single.js"),
    ("site", "replay.js"),
)


class Article(NamedTuple):
    """A phase of the replay: its name, its page, its news in a line, its sections if shown."""

    code: str
    name: str
    path: str
    summary: str
    sections: tuple[document.Section, ...]


def render_single_page(
    game: page_frame.PublishedGame, sentences: Sentences, phase: str = "", *, pictures: bool = True
) -> str:
    """Return a page with all phases of a game, or with the processed ``phase``.

    Raises:
        GameError: ``site-single-empty``; ``site-single-large``: the page would
            have more than :data:`LARGEST` bytes.
    """
    frame = page_frame.PageFrame(game, sentences, pictures)
    if not (phases := compose_reports(frame)):
        raise GameError("site-single-empty")
    shown = [one for one in phases if phase in ("", one.name)]
    maps: Mapping[str, object] = {}
    ground = None
    if pictures:
        ground = SharedGround(shown[0].phase.outcome.position, sentences)
        maps = {one.name: lay_map(frame, one.phase, ground) for one in shown}
    last = shown[-1]
    page = frame.render(
        "single.html.j2",
        "",
        last.report.phase if len(shown) == 1 else sentences.format("site-replay"),
        board=game.board.name(sentences.lang),
        style=Markup(page_frame.read_styles()),
        script=_script(),
        frames=[
            _article(frame, one, f"#{one.name}", _list_own_sections(one, one is phases[-1]))
            for one in shown
        ],
        curves=page_frame.plot_centres(game, sentences) if not phase else None,
        pictures=pictures,
        ground=_as_json(ground.svg if ground else ""),
        maps=_as_json(maps),
        foot=[section for section in last.report.sections if section.key in page_frame.FOOT],
    )
    if (size := len(page.encode())) > LARGEST:
        raise GameError("site-single-large", count=str(len(shown)), size=str(size // 1000))
    return page


def _article(
    frame: page_frame.PageFrame,
    one: ReportedPhase,
    path: str,
    sections: tuple[document.Section, ...] = (),
) -> Article:
    return Article(one.name, one.report.phase, path, summarize(frame, one), sections)


def _list_own_sections(one: ReportedPhase, is_newest: bool) -> tuple[document.Section, ...]:
    """Return a phase's sections under own names, without what was due after an earlier phase."""
    return tuple(
        replace(section, key=f"{section.key}-{one.name}")
        for section in one.report.sections
        if section.key not in page_frame.FOOT and (is_newest or section.key != "due")
    )


def _as_json(value: object) -> Markup:
    return Markup(json.dumps(value, ensure_ascii=False).replace("<", "\\u003c"))


def _script() -> document.Script:
    lines = "\n".join(page_frame.read_template(*part) for part in _SCRIPTS).splitlines()
    text = "\n".join(line for line in lines if line.strip())
    digest = b64encode(sha256(text.encode()).digest()).decode("ascii")
    return document.Script(Markup(text), f"sha256-{digest}")
