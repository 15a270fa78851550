"""The pages of the phases: report, map, and the orders that the search finds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from markupsafe import Markup

from alexmagnum.board.model import Board
from alexmagnum.draw.combined_scene import combine_scenes
from alexmagnum.draw.shared_ground import SharedGround
from alexmagnum.judge.outcome import Outcome
from alexmagnum.orders import Order
from alexmagnum.position import DEPLOYMENT, PICKS, Position, names_of
from alexmagnum.report.document import Items, Orders, PhaseReport, Table
from alexmagnum.report.game_story import find_unit_changes
from alexmagnum.report.map_pictures import LABELS, draw_page_scenes
from alexmagnum.report.phase_report import compose_phase_report
from alexmagnum.report.position_link import make_fragment
from alexmagnum.site.page_frame import PageFrame, phase_path
from alexmagnum.site.published_game import PublishedPhase

CHUNK = 40
"""The phases whose orders are in one file of the search: the files of earlier ones stay as they
are."""

NEWS = ("end", "awards", "gains", "dislodged", "lost", "eliminated")
"""The sections with the news of a phase, most important first."""


@dataclass(frozen=True, slots=True)
class ReportedPhase:
    """A phase with its report in words."""

    phase: PublishedPhase
    report: PhaseReport

    @property
    def name(self) -> str:
        """The name of the phase on the command line."""
        return self.phase.name

    @property
    def path(self) -> str:
        """Where its page lies."""
        return phase_path(self.name)


class Neighbour(NamedTuple):
    """The phase before or after another."""

    code: str
    name: str


def compose_reports(frame: PageFrame) -> tuple[ReportedPhase, ...]:
    """Return all phases of a game with their reports."""
    return tuple(
        ReportedPhase(phase, compose_phase_report(phase.view, frame.sentences))
        for phase in frame.game.phases
    )


def render_phase_page(
    frame: PageFrame, phases: Sequence[ReportedPhase], index: int
) -> tuple[str, str]:
    """Return the name and the text of a phase's page."""
    shown = phases[index]
    page = frame.render(
        "phase.html.j2",
        shown.path,
        shown.report.phase,
        report=shown.report,
        page_map=frame.pictures,
        labels=name_views(frame),
        drawing=placeholder(frame),
        earlier=_neighbour(phases, index - 1),
        later=_neighbour(phases, index + 1),
        sandbox=link_sandbox(frame, shown.phase.outcome),
    )
    return shown.path, page


def name_views(frame: PageFrame) -> Mapping[str, str]:
    """Return the names of the two pictures of a map."""
    return {view: frame.sentences.format(LABELS[view]) for view in ("orders", "after")}


def placeholder(frame: PageFrame) -> Markup:
    """Return what stands in place of a map until its script has drawn it."""
    text = frame.sentences.format("site-map-missing")
    return Markup('<p class="missing-map">{}</p>').format(text)


def _neighbour(phases: Sequence[ReportedPhase], index: int) -> Neighbour | None:
    if not 0 <= index < len(phases):
        return None
    return Neighbour(phases[index].name, phases[index].report.phase)


def link_sandbox(frame: PageFrame, outcome: Outcome) -> str:
    """Return the link that opens a phase in the sandbox, with the orders that the audience sees.

    It is empty without a sandbox, and for picks, which have no board to try them on.
    """
    position = outcome.position
    if not frame.sandbox or position.phase.season == PICKS:
        return ""
    orders: dict[str, list[Order]] = {}
    for entry in outcome.results:
        if entry.power in position.board.powers:
            orders.setdefault(entry.power, []).append(entry.order)
    return f"{frame.sandbox}#{make_fragment(position, orders)}"


def link_position(frame: PageFrame, position: Position) -> str:
    """Return the link that opens a position in the sandbox; "" where that makes no sense."""
    if not frame.sandbox or position.phase.season == PICKS:
        return ""
    return f"{frame.sandbox}#{make_fragment(position)}"


# -- maps -----------------------------------------------------------------------------------------


def map_path(name: str) -> str:
    """Return where the map of a phase lies."""
    return f"maps/{name}.js"


def map_source(frame: PageFrame, phase: PublishedPhase, program: str) -> str:
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


def draw_map(frame: PageFrame, phase: PublishedPhase, ground: SharedGround) -> str:
    """Return the file with the map of a phase: a script that adds it to the maps of the page."""
    entry = json.dumps(lay_map(frame, phase, ground), ensure_ascii=False)
    return f"siteMaps[{json.dumps(phase.name)}] = {entry};\n"


def lay_map(frame: PageFrame, phase: PublishedPhase, ground: SharedGround) -> Mapping[str, object]:
    """Return the map of a phase for the script that lays it on the ground."""
    scenes = draw_page_scenes(phase.outcome, frame.sentences)
    overlay = ground.lay(combine_scenes(scenes))
    return {"shared": overlay.shared, "svg": overlay.svg}


def write_ground(ground: SharedGround) -> str:
    """Return the file with the ground that all maps share."""
    return f"const siteGroundText = {json.dumps(ground.svg, ensure_ascii=False)};\n"


# -- replay ---------------------------------------------------------------------------------------


class Frame(NamedTuple):
    """A moment of the replay: a phase, its page, and its news in a line."""

    code: str
    name: str
    path: str
    summary: str


def render_replay(frame: PageFrame, phases: Sequence[ReportedPhase], path: str) -> str:
    """Return the page on which a slider replays the game."""
    frames = [
        Frame(shown.name, shown.report.phase, shown.path, summarize(frame, shown))
        for shown in phases
    ]
    return frame.render(
        "replay.html.j2",
        path,
        frame.sentences.format("site-replay"),
        frames=frames,
        labels=name_views(frame),
        drawing=placeholder(frame),
        pictures=frame.pictures,
    )


def summarize(frame: PageFrame, shown: ReportedPhase) -> str:
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
    if isinstance(body, Items):
        return len(body.items)
    return len(body.rows) if isinstance(body, Table) else 0


def list_news(frame: PageFrame, shown: ReportedPhase) -> list[str]:
    """Return the news of a phase as lines."""
    lines: list[str] = []
    for section in shown.report.sections:
        if section.key in NEWS:
            if isinstance(section.body, Items):
                lines += [f"{section.title}: {item}" for item in section.body.items]
            elif isinstance(section.body, Table):
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
    frame: PageFrame, outcome: Outcome
) -> Iterator[tuple[str, Mapping[str, Sequence[str]]]]:
    """Yield what became of units in a winter or a deployment, with their names by power.

    Units that civil disorder removed are left out: the report lists them as lost.
    """
    changes = find_unit_changes(outcome)
    removed = [unit for unit in changes.removed if unit not in outcome.removed]
    names = names_of((*outcome.position.units, *outcome.units))
    deployed = outcome.position.phase.season == DEPLOYMENT
    for code, units in (
        ("site-deployed" if deployed else "site-built", changes.built),
        ("site-removed", removed),
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
                    if isinstance(section.body, Orders)
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
    """Return a value as JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
