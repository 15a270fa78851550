"""The counts of one game, phase by phase: orders, provinces, contacts and years."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.judge.outcome import FAILS, ILLEGAL, INVALID, STOPPED, SUCCEEDS, WANTED, Outcome
from alexmagnum.lab.move_kinds import MoveKinds
from alexmagnum.notation import write_order
from alexmagnum.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Pick,
    Remove,
    Retreat,
    Support,
    Waive,
)
from alexmagnum.play.random_game import PlayedPhase
from alexmagnum.play.statistics import YearFigures, count_years
from alexmagnum.position import Position, Unit

_KINDS: Mapping[type, str] = {
    Hold: "hold",
    Convoy: "convoy",
    Retreat: "retreat",
    Disband: "disband",
    Build: "build",
    Remove: "remove",
    Waive: "waive",
    Pick: "pick",
}
"""The kinds of order by class; moves and supports are of several kinds."""

_FAILURES = (FAILS, STOPPED)


class GameTally:
    """The counts of one game; :meth:`add` takes its phases in order.

    Attributes:
        given: the number of orders by power and kind.
        successful: the number of successful orders by power and kind.
        entries: the number of entries by province.
        battles: the number of battles by province.
        openings: by power, the orders of its first movement phase as a text.
        starts: by power, its centres in that phase.
        contacts: by power, the year of its first contact.
        phases: the number of phases.
    """

    def __init__(self, board: Board, kinds: MoveKinds) -> None:
        self.given: Counter[tuple[str, str]] = Counter()
        self.successful: Counter[tuple[str, str]] = Counter()
        self.entries: Counter[str] = Counter()
        self.battles: Counter[str] = Counter()
        self.openings: dict[str, str] = {}
        self.starts: dict[str, list[str]] = {}
        self.contacts: dict[str, int] = {}
        self.phases = 0
        self._board = board
        self._ends: dict[int, PlayedPhase] = {}
        self._years: tuple[YearFigures, ...] = ()
        self._kinds = kinds

    def add(self, played: PlayedPhase) -> None:
        """Count a phase."""
        outcome = played.outcome
        phase = outcome.position.phase
        self.phases += 1
        self._ends[phase.year] = played
        if phase.kind == "movement":
            if not self.starts:
                self.openings = _write_openings(played.orders)
                self.starts = _list_centres(outcome.position)
            self._add_movement(outcome)
        else:
            self._add_others(outcome)
        if len(self.contacts) < len(self._board.powers):
            self._find_contacts(outcome.units, phase.year)

    def years(self) -> tuple[YearFigures, ...]:
        """Return the figures of the years that were played; call this when the game is over."""
        if len(self._years) < len(self._ends):
            self._years = count_years(self._ends.values())
        return self._years

    # -- orders and provinces --------------------------------------------------------------------

    def _add_movement(self, outcome: Outcome) -> None:
        """Count the orders of a movement phase, and where units entered and fought."""
        standing = _list_powers(outcome.position.units)
        movers: dict[str, set[str]] = {}
        failed: list[tuple[str, str]] = []
        given, successful = self.given, self.successful
        for power, order, unit, result in outcome.results:
            if isinstance(order, Move) and unit is not None:
                kind, goal = self._kinds.find(order)
                if result not in (ILLEGAL, INVALID):
                    movers.setdefault(goal, set()).add(power)
                if result == SUCCEEDS:
                    self.entries[goal] += 1
                elif result in _FAILURES:
                    failed.append((power, goal))
            else:
                kind = name_kind(order)
            given[power, kind] += 1
            successful[power, kind] += result in WANTED
        fought = {
            goal
            for power, goal in failed
            if movers[goal] - {power} or standing.get(goal, set()) - {power}
        }
        fought |= {dislodged.unit.province for dislodged in outcome.dislodged}
        fought |= {unit.province for unit in outcome.destroyed}
        self.battles.update(fought)

    def _add_others(self, outcome: Outcome) -> None:
        """Count the orders of any other phase."""
        for power, order, _, result in outcome.results:
            kind = name_kind(order)
            self.given[power, kind] += 1
            self.successful[power, kind] += result in WANTED
            if isinstance(order, Retreat) and result == SUCCEEDS:
                self.entries[self._board.province_of(order.to).id] += 1

    # -- contacts --------------------------------------------------------------------------------

    def _find_contacts(self, units: Sequence[Unit], year: int) -> None:
        """Note the powers of which a unit stands next to another power's for the first time."""
        tables = self._board.tables
        by_province: dict[int, set[str]] = {}
        for unit in units:
            if unit.power != INDEPENDENT:
                by_province.setdefault(tables.index[unit.province], set()).add(unit.power)
        for province, powers in by_province.items():
            near = set(powers)
            for other in tables.near[province]:
                near |= by_province.get(other, set())
            if len(near) > 1:
                for power in powers:
                    self.contacts.setdefault(power, year)


def name_kind(order: Order) -> str:
    """Return the kind of an order, by which the table of orders counts."""
    if isinstance(order, Support):
        return "support hold" if order.to is None else "support move"
    return _KINDS.get(type(order), "move")


def _list_powers(units: Sequence[Unit]) -> dict[str, set[str]]:
    """Return by province the powers that stand there."""
    standing: dict[str, set[str]] = {}
    for unit in units:
        standing.setdefault(unit.province, set()).add(unit.power)
    return standing


def _write_openings(orders: Mapping[str, Sequence[Order]]) -> dict[str, str]:
    """Return the orders of each power as one text, in the alphabet's order."""
    return {power: ", ".join(sorted(map(write_order, o))) for power, o in orders.items()}


def _list_centres(position: Position) -> dict[str, list[str]]:
    """Return by power its centres, in the alphabet's order."""
    return {power: sorted(position.centres_of(power)) for power in position.board.powers}


def find_elimination(years: Sequence[YearFigures], power: str) -> int | None:
    """Return the year at the end of which a power had neither centre nor unit; None if it had.

    >>> find_elimination([YearFigures(1901, {"X": 0}, {"X": 0}, {})], "X")
    1901
    """
    for figures in years:
        if not figures.centres[power] and not figures.units[power]:
            return figures.year
    return None
