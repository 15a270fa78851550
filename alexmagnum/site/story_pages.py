"""The story of the game by power and by province: who held Babylon?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from alexmagnum.position import Position, Unit
from alexmagnum.report.document import Fact
from alexmagnum.report.game_story import Holding, list_holdings
from alexmagnum.report.names import name_player, year_name
from alexmagnum.site.events import Event, is_of_power, is_of_province, list_events
from alexmagnum.site.figures import count_units
from alexmagnum.site.first_page import PhaseLink, Year, tabulate_powers
from alexmagnum.site.page_frame import (
    POWERS,
    PROVINCES,
    Link,
    LinkedCell,
    LinkedColumn,
    LinkedTable,
    PageFrame,
    power_path,
    province_path,
)
from alexmagnum.site.phase_pages import ReportedPhase

Told = Sequence[tuple[ReportedPhase, Sequence[Event]]]
"""The phases of a game with what happened in them."""


def tell_story(frame: PageFrame, phases: Sequence[ReportedPhase]) -> Told:
    """Return the phases with their events."""
    return [(shown, tuple(list_events(shown.phase.outcome, frame.sentences))) for shown in phases]


def render_power_list(frame: PageFrame) -> str:
    """Return the page that leads to the powers."""
    title = frame.sentences.format("site-powers")
    return frame.render(
        "list.html.j2", POWERS, title, tables=[("standings", tabulate_powers(frame))]
    )


def render_power_page(frame: PageFrame, told: Told, power: str) -> tuple[str, str]:
    """Return the name and the text of a power's page: its figures, centres and story."""
    position, words = frame.game.position, frame.sentences
    facts = [
        Fact("centres", words.format("column-centres"), str(len(position.centres_of(power))), None),
        Fact("units", words.format("column-units"), str(count_units(position, power)), None),
    ]
    if frame.game.board.rules.nobility:
        points = str(position.points_of(power))
        facts.append(Fact("nobility", words.format("column-nobility"), points, None))
    for player in frame.game.newest.content.players:
        if player.power == power:
            name = name_player(player, words)
            facts.insert(0, Fact("player", words.format("site-player"), name, None))
    centres = [Link(province_path(c), frame.province(c)) for c in position.centres_of(power)]
    path = power_path(power)
    page = frame.render(
        "story.html.j2",
        path,
        frame.power(power),
        power=power,
        parent=Link(POWERS, words.format("site-powers")),
        facts=facts,
        centres=centres,
        tables=[],
        years=list(_tell_years(frame, told, lambda event: is_of_power(event, power))),
    )
    return path, page


def _tell_years(frame: PageFrame, told: Told, belongs: Callable[[Event], bool]) -> Iterator[Year]:
    """Yield the years in which something happened, each with its phases and their events."""

    def year_of(entry: tuple[ReportedPhase, Sequence[Event]]) -> str:
        phase = entry[0].phase.outcome.position.phase
        return year_name(phase, frame.game.board, frame.sentences)

    for name, group in groupby(told, year_of):
        phases = []
        for shown, events in group:
            lines = tuple(event.tell(frame.sentences) for event in events if belongs(event))
            if lines:
                phases.append(PhaseLink(shown.path, shown.report.phase, lines))
        if phases:
            yield Year(name, tuple(phases))


# -- provinces ------------------------------------------------------------------------------------


def render_province_list(frame: PageFrame) -> str:
    """Return the page with the owners of all centres, which leads to every province."""
    words, board = frame.sentences, frame.game.board
    held = list_holdings(board, frame.game.outcomes)
    rows = [
        (
            LinkedCell(frame.province(centre), province_path(centre)),
            _owner_cell(frame, frame.game.position.owners.get(centre, "")),
            LinkedCell(
                ", ".join(_format_holding(frame, h) for h in held.get(centre, ()))
                or words.format("nobody")
            ),
        )
        for centre in sorted(board.centres, key=frame.province)
    ]
    columns = (
        LinkedColumn(words.format("column-centre")),
        LinkedColumn(words.format("column-now")),
        LinkedColumn(words.format("final-owners")),
    )
    others = sorted((p for p in board.provinces if p not in board.centres), key=frame.province)
    tables = [
        ("centres", LinkedTable(words.format("final-holders"), columns, tuple(rows))),
        (
            "others",
            LinkedTable(
                words.format("site-other-provinces"),
                (LinkedColumn(words.format("site-province")),),
                tuple((LinkedCell(frame.province(p), province_path(p)),) for p in others),
            ),
        ),
    ]
    return frame.render("list.html.j2", PROVINCES, words.format("site-provinces"), tables=tables)


def _owner_cell(frame: PageFrame, owner: str) -> LinkedCell:
    if not owner:
        return LinkedCell(frame.sentences.format("nobody"))
    is_power = owner in frame.game.board.powers
    return LinkedCell(frame.power(owner), power_path(owner) if is_power else "", owner)


def _format_holding(frame: PageFrame, holding: Holding) -> str:
    code = "final-held" if holding.until else "final-holds"
    name = frame.power(holding.power)
    return frame.sentences.format(code, power=name, since=holding.since, until=holding.until)


def render_province_page(frame: PageFrame, told: Told, province: str) -> tuple[str, str]:
    """Return the name and the text of a province's page: owners, units, story."""
    words, board = frame.sentences, frame.game.board
    tables = []
    held = list_holdings(board, frame.game.outcomes).get(province, ())
    if held:
        columns = (
            LinkedColumn(words.format("column-power")),
            LinkedColumn(words.format("site-since")),
            LinkedColumn(words.format("site-until")),
        )
        rows = tuple(
            (
                _owner_cell(frame, h.power),
                LinkedCell(str(h.since)),
                LinkedCell(str(h.until) if h.until else words.format("site-today")),
            )
            for h in held
        )
        tables.append(("holders", LinkedTable(words.format("final-owners"), columns, rows)))
    stays = tuple(_list_stays(frame, told, province))
    if stays:
        columns = (
            LinkedColumn(words.format("column-units")),
            LinkedColumn(words.format("site-since")),
            LinkedColumn(words.format("site-until")),
        )
        tables.append(("stays", LinkedTable(words.format("site-stays"), columns, stays)))
    owner = frame.game.position.owners.get(province, "")
    facts = [Fact("id", words.format("site-id"), province, None)]
    if province in board.centres:
        text = frame.power(owner) if owner else words.format("nobody")
        facts.append(Fact("owner", words.format("site-owner"), text, None))
    path = province_path(province)
    page = frame.render(
        "story.html.j2",
        path,
        frame.province(province),
        power="",
        parent=Link(PROVINCES, words.format("site-provinces")),
        facts=facts,
        centres=[],
        tables=tables,
        years=list(_tell_years(frame, told, lambda event: is_of_province(event, province))),
    )
    return path, page


def _list_stays(
    frame: PageFrame, told: Told, province: str
) -> Iterator[tuple[LinkedCell, LinkedCell, LinkedCell]]:
    """Yield the units that stood in a province, each with the phases from and until it did."""

    def find_units(position: Position) -> set[tuple[str, str, int]]:
        return {_likeness(unit) for unit in position.units if unit.province == province}

    open_stays: dict[tuple[str, str, int], ReportedPhase] = {}
    last: ReportedPhase | None = None
    for shown, _ in told:
        here = find_units(shown.phase.outcome.position)
        for unit in [unit for unit in open_stays if unit not in here]:
            yield _stay(frame, province, unit, open_stays.pop(unit), last)
        for unit in sorted(here - open_stays.keys()):
            open_stays[unit] = shown
        last = shown
    now = find_units(frame.game.position)
    for unit, since in open_stays.items():
        yield _stay(frame, province, unit, since, None if unit in now else last)


def _likeness(unit: Unit) -> tuple[str, str, int]:
    """Return what tells a unit from another that follows it in the same place."""
    return unit.power, unit.kind, unit.number


def _stay(
    frame: PageFrame,
    province: str,
    unit: tuple[str, str, int],
    since: ReportedPhase,
    until: ReportedPhase | None,
) -> tuple[LinkedCell, LinkedCell, LinkedCell]:
    power, kind, number = unit
    has_places = frame.game.board.provinces[province].capacity > 1
    name = f"{kind}#{number}" if number and has_places else kind
    today = LinkedCell(frame.sentences.format("site-today"))
    return (
        LinkedCell(f"{name} ({frame.power(power)})", power=power),
        LinkedCell(since.report.phase, since.path),
        LinkedCell(until.report.phase, until.path) if until else today,
    )
