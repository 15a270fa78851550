"""How often each ruling decided something in a game, read off the results and their reasons.

docs/lab.md says what is counted for each ruling.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.judge.outcome import (
    GIVEN,
    ILLEGAL,
    INVALID,
    STOPPED,
    SUCCEEDS,
    OrderOutcome,
    Outcome,
    Reason,
)
from alexmagnum.judge.results import MovementOutcome, explain_orders
from alexmagnum.lab.move_kinds import MoveKinds
from alexmagnum.orders import Build, Convoy, Move, Retreat, Support
from alexmagnum.play.random_game import PlayedPhase
from alexmagnum.position import Position, Unit

RULINGS = (
    *("R1", "R2", "R3", "R8", "R9", "R10", "R11", "R11a", "R12", "R13", "R15", "R16", "R17"),
    *("R18", "R19", "R21", "R21a", "R22a", "R23", "R24", "R25", "R26", "R27", "R28"),
    *("R30", "R32", "R33", "R34", "R35"),
)
"""The rulings that are counted, each in every game."""

_BY_REASON: Mapping[str, str] = {
    "enters-past": "R10",
    "crowded-out": "R10",
    "dislodges-beside": "R11a",
    "held-off-beside": "R11a",
    "target-left": "R11a",
    "no-room": "R12",
    "no-room-exchange": "R15",
    "rides": "R18",
    "way-occupied": "R19",
    "way-contested": "R19",
    "way-outmatched": "R19",
    "way-ahead": "R21",
    "way-oncoming": "R21a",
    "way-contested-opposite": "R21a",
    "way-outmatched-opposite": "R21a",
    "paradox-way": "R22a",
    "hauled": "R23",
    "not-hauled": "R23",
    "caught": "R24",
    "enters-city": "R26",
    "dislodges-stays": "R26",
    "city-held": "R26",
    "city-full": "R26",
    "pick-contested": "R30",
}
"""The ruling that a reason comes from, where it is one alone."""

_FIGHTS = frozenset({"dislodges", "dislodges-beside", "outmatches", "enters-past", "holds"})
"""The reasons of a unit that prevailed, with its strength and that of its strongest rival."""


class RulingTally:
    """Counts of one game by ruling; :meth:`add` takes its phases in order."""

    def __init__(self, board: Board, kinds: MoveKinds) -> None:
        self.times: Counter[str] = Counter()
        self._board = board
        self._seas = {p.id for p in board.provinces.values() if p.is_sea and p.capacity > 1}
        self._places = {p.id for p in board.provinces.values() if p.capacity > 1}
        self._kinds = kinds
        self._general = board.rules.general_strength - 1

    def add(self, played: PlayedPhase) -> None:
        """Count a phase."""
        outcome, times = played.outcome, self.times
        kind = outcome.position.phase.kind
        if kind == "movement":
            self._add_movement(outcome)
        elif kind == "retreats":
            times["R17"] += sum(
                entry.result == SUCCEEDS
                and isinstance(entry.order, Retreat)
                and entry.order.to in self._seas
                for entry in outcome.results
            )
        elif kind == "winter":
            self._add_winter(outcome)
        elif kind == "picks":
            times["R30"] += sum(reason.code == "pick-contested" for reason in outcome.reasons)
        self._add_nobility(outcome)
        ending = played.ending if played.after is None else None
        if ending is not None and ending.winners:
            times["R33" if ending.by_centres else "R34"] += 1

    # -- movement --------------------------------------------------------------------------------

    def _add_movement(self, outcome: Outcome) -> None:
        position = outcome.position
        fleets = Counter(u.province for u in position.units if u.province in self._seas)
        entries: dict[str, set[str]] = {}
        results = outcome.results
        wanted = self._list_special(position, results)
        for number, reason in zip(wanted, _explain(outcome, wanted), strict=True):
            entry = results[number]
            if isinstance(entry.order, Move):
                self._add_move(entry, reason, fleets, entries)
            elif reason.code == "holds":
                self._add_general(entry.unit, reason)
        if self._seas:
            self._add_seas(outcome, fleets, entries)
        self.times["R27"] += sum(unit.power == INDEPENDENT for unit in outcome.destroyed)

    def _list_special(self, position: Position, results: Sequence[OrderOutcome]) -> list[int]:
        """Return the numbers of the orders of which a special rule may have decided something.

        Only of these the reasons are worked out, which takes longer than all the rest here.
        """
        places = self._places | {u.province for u in position.units if u.power == INDEPENDENT}
        numbers = []
        for number, (_, order, unit, result) in enumerate(results):
            if unit is None or result in (ILLEGAL, INVALID):
                continue
            if isinstance(order, Move):
                kind, goal = self._kinds.find(order)
                if goal in places or unit.kind == "G" or kind in ("express", "haul"):
                    numbers.append(number)
            elif unit.kind == "G":
                numbers.append(number)
        return numbers

    def _add_move(
        self,
        entry: OrderOutcome,
        reason: Reason,
        fleets: Mapping[str, int],
        entries: dict[str, set[str]],
    ) -> None:
        """Count one move; ``entries`` collects the powers with plain entries, by sea."""
        code, times, order = reason.code, self.times, entry.order
        if not isinstance(order, Move):
            return
        ruling = _BY_REASON.get(code)
        if ruling is not None:
            times[ruling] += 1
        elif entry.result == STOPPED:
            times["R19"] += 1
        if entry.result == SUCCEEDS and code in _FIGHTS:
            self._add_general(entry.unit, reason)
        if code == "held-off" and any(unit.power == INDEPENDENT for unit in reason.units):
            times["R27"] += 1
        sea, _, number = order.to.partition("#")
        if sea in self._seas:
            if not number:
                entries.setdefault(sea, set()).add(entry.power)
                times["R9"] += entry.result == SUCCEEDS and bool(fleets.get(sea))
            elif ruling != "R11a":
                times["R11"] += 1

    def _add_general(self, unit: Unit | None, reason: Reason) -> None:
        """Count a general that prevailed, and would not have with the strength of another unit."""
        if unit is not None and unit.kind == "G" and reason.against >= 0:
            without = reason.strength - self._general
            is_short = (
                without < reason.against if reason.code == "holds" else without <= reason.against
            )
            self.times["R1"] += is_short and self._general > 0

    def _add_seas(
        self, outcome: Outcome, fleets: Mapping[str, int], entries: Mapping[str, set[str]]
    ) -> None:
        """Count seas that several fleets share, and what they do there."""
        times = self.times
        shared = Counter(u.province for u in outcome.units if u.province in self._seas)
        times["R8"] += sum(count > 1 for count in shared.values())
        for entry in outcome.results:
            unit = entry.unit
            if unit is None or unit.province not in fleets:
                continue
            if isinstance(entry.order, Support) and entry.result == GIVEN:
                times["R13"] += bool(entries.get(unit.province, set()) - {entry.power})
            elif isinstance(entry.order, Convoy) and entry.result == "available":
                times["R16"] += fleets[unit.province] > 1

    # -- winter and nobility ---------------------------------------------------------------------

    def _add_winter(self, outcome: Outcome) -> None:
        times, position, board = self.times, outcome.position, self._board
        times["R32"] += len(outcome.removed)
        units = Counter(unit.power for unit in outcome.units)
        centres = Counter(position.owners.values())
        times["R25"] += sum(units[power] > centres[power] > 0 for power in board.powers)
        for entry in outcome.results:
            if isinstance(entry.order, Build) and entry.result == SUCCEEDS and entry.unit:
                province = entry.unit.province
                homes = (*board.powers[entry.power].homes, *position.homes.get(entry.power, ()))
                times["R28"] += board.provinces[province].major and province not in homes

    def _add_nobility(self, outcome: Outcome) -> None:
        """Count the points of nobility that were lost, and the powers that went into revolt."""
        for power, points in outcome.nobility.items():
            lost = outcome.position.points_of(power) - points
            if lost > 0:
                self.times["R2"] += lost
                self.times["R3"] += not points


def _explain(outcome: Outcome, numbers: list[int]) -> list[Reason]:
    """Return the reasons of some orders of a movement phase."""
    assert isinstance(outcome, MovementOutcome)
    return explain_orders(outcome, numbers)
