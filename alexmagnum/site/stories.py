"""The story of a game by power and by province: who held Babylon?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import newly_eliminated, owners_after
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import SUCCEEDS, Outcome
from alexmagnum.notation.names import power_name
from alexmagnum.orders import Move
from alexmagnum.position import DEPLOYMENT, PICKS, Position, Unit
from alexmagnum.report.context import find_unit_changes, list_holdings
from alexmagnum.report.document import Column, Fact, name_columns
from alexmagnum.report.final_report import format_holding
from alexmagnum.report.words import name_player
from alexmagnum.site.frame import (
    POWERS,
    PROVINCES,
    Link,
    LinkedCell,
    LinkedTable,
    PageFrame,
    count_units,
    power_path,
    province_path,
)
from alexmagnum.site.pages import PhaseLink, ReportedPhase, Year, tabulate_powers
from alexmagnum.units import names_of


class Event(NamedTuple):
    """One thing that happened.

    Attributes:
        code: what happened; the sentence is ``event-<code>``.
        powers: the powers that it concerns.
        places: the provinces that it concerns.
        data: what the sentence names.
    """

    code: str
    powers: tuple[str, ...]
    places: tuple[str, ...]
    data: Mapping[str, object]

    def tell(self, sentences: Sentences) -> str:
        """Return the event in words."""
        return sentences.format(f"event-{self.code}", **self.data)


def list_events(outcome: Outcome, sentences: Sentences) -> Iterator[Event]:
    """Yield what happened in a phase: centres, units and nobility, then the moves."""
    tell = _Teller(outcome, sentences)
    for events in (tell.gains, tell.dislodgements, tell.unit_changes, tell.nobility):
        yield from events()
    if outcome.position.phase.season != PICKS:
        for power in newly_eliminated(outcome):
            name = power_name(outcome.position.board, power, sentences)
            yield Event("out", (power,), (), {"power": name})
    yield from tell.moves()


class _Teller:
    """Finds the events of one phase."""

    def __init__(self, outcome: Outcome, sentences: Sentences) -> None:
        self.outcome = outcome
        self.position = outcome.position
        self.board = outcome.position.board
        self.sentences = sentences
        after = names_of(outcome.units)
        before = {**names_of(self.position.units), **names_of(self.position.orderable)}
        self._names = {**after, **before}

    def gains(self) -> Iterator[Event]:
        before, now = self.position.owners, owners_after(self.outcome)
        for centre in self.board.centres:
            old, new = before.get(centre, ""), now.get(centre, "")
            if old == new or not new:
                continue
            data = {"power": self._power(new), "place": self._place(centre)}
            if not old:
                yield Event("takes", (new,), (centre,), data)
            else:
                from_old = {**data, "other": self._power(old)}
                yield Event("takes-from", (new, old), (centre,), from_old)

    def dislodgements(self) -> Iterator[Event]:
        """Yield the units that were dislodged, except in the retreats that follow."""
        if self.position.phase.retreats:
            return
        for dislodged in self.outcome.dislodged:
            unit, by = dislodged.unit, dislodged.by
            data = {**self._named(unit), "by": self._unit(by), "other": self._power(by.power)}
            yield Event("dislodged", (unit.power, by.power), (unit.province,), data)

    def unit_changes(self) -> Iterator[Event]:
        changes = find_unit_changes(self.outcome)
        deployed = self.position.phase.season == DEPLOYMENT
        for code, units in (
            ("deploys" if deployed else "builds", changes.built),
            ("removes", changes.removed),
            ("loses", changes.lost),
        ):
            for unit in units:
                yield Event(code, (unit.power,), (unit.province,), self._named(unit))

    def nobility(self) -> Iterator[Event]:
        for power, points in self.outcome.nobility.items():
            before = self.position.nobility.get(power, self.board.rules.nobility)
            if points < before:
                data = {"power": self._power(power), "points": points}
                yield Event("nobility" if points else "revolt", (power,), (), data)

    def moves(self) -> Iterator[Event]:
        for entry in self.outcome.results:
            if not isinstance(entry.order, Move) or entry.unit is None:
                continue
            goal = self.board.province_of(entry.order.to.partition("#")[0]).id
            data = {**self._named(entry.unit), "place": self._place(goal)}
            if entry.result == SUCCEEDS:
                yield Event("arrives", (entry.power,), (goal, entry.unit.province), data)
            elif entry.result in ("fails", "stopped", "destroyed"):
                yield Event("repelled", (entry.power,), (goal,), data)

    def _named(self, unit: Unit) -> dict[str, object]:
        return {"unit": self._unit(unit), "power": self._power(unit.power)}

    def _unit(self, unit: Unit) -> str:
        return self._names.get(unit, str(unit))

    def _power(self, power: str) -> str:
        return power_name(self.board, power, self.sentences)

    def _place(self, province: str) -> str:
        return self.board.provinces[province].name(self.sentences.lang)


# The story of the game by power and by province: who held Babylon?


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

    def is_told(event: Event) -> bool:
        return power in event.powers and event.code not in ("arrives", "repelled")

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
        years=list(_tell_years(frame, told, is_told)),
    )
    return path, page


def _tell_years(frame: PageFrame, told: Told, belongs: Callable[[Event], bool]) -> Iterator[Year]:
    """Yield the years in which something happened, each with its phases and their events."""
    for name, group in groupby(told, lambda entry: frame.year(entry[0].moment)):
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
                ", ".join(
                    format_holding(h, frame.power(h.power), words) for h in held.get(centre, ())
                )
                or words.format("nobody")
            ),
        )
        for centre in sorted(board.centres, key=frame.province)
    ]
    columns = (
        *name_columns(words, "centre", "now"),
        Column("owners", words.format("final-owners")),
    )
    others = sorted((p for p in board.provinces if p not in board.centres), key=frame.province)
    tables = [
        ("centres", LinkedTable(words.format("final-holders"), columns, tuple(rows))),
        (
            "others",
            LinkedTable(
                words.format("site-other-provinces"),
                (Column("province", words.format("site-province")),),
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


def render_province_page(frame: PageFrame, told: Told, province: str) -> tuple[str, str]:
    """Return the name and the text of a province's page: owners, units, story."""
    words, board = frame.sentences, frame.game.board
    tables = []
    span = (
        Column("since", words.format("site-since")),
        Column("until", words.format("site-until")),
    )
    held = list_holdings(board, frame.game.outcomes).get(province, ())
    if held:
        columns = (*name_columns(words, "power"), *span)
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
        columns = (Column("unit", words.format("column-units")), *span)
        tables.append(("stays", LinkedTable(words.format("site-stays"), columns, stays)))
    owner = frame.game.position.owners.get(province, "")
    facts = [Fact("id", words.format("site-id"), province, None)]
    if province in board.centres:
        text = frame.power(owner) if owner else words.format("nobody")
        facts.append(Fact("owner", words.format("site-owner"), text, None))

    def is_told(event: Event) -> bool:
        is_garrison_lost = event.code == "loses" and event.powers == (INDEPENDENT,)
        return province in event.places and not is_garrison_lost

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
        years=list(_tell_years(frame, told, is_told)),
    )
    return path, page


def _list_stays(
    frame: PageFrame, told: Told, province: str
) -> Iterator[tuple[LinkedCell, LinkedCell, LinkedCell]]:
    def find_units(position: Position) -> set[tuple[str, str, int]]:
        there = (unit for unit in position.units if unit.province == province)
        return {(unit.power, unit.kind, unit.number) for unit in there}

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
