"""Comparing plans for the same position: how their orders and results differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import centres_change, owners_after
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome, Reason
from alexmagnum.notation import write_order
from alexmagnum.orders import Order, Pick, Remove
from alexmagnum.position import Position, Unit, names_of

Orders = Mapping[str, Sequence[Order]]


@dataclass(frozen=True, slots=True)
class Side:
    """The order of one plan for a unit, and its results.

    ``order`` is canonical, "" if there is none.  ``results`` are the words of the case files; there
    are two if the order had a result and the unit was dislodged as well.  ``reasons`` has one for
    each.  Both are empty if the plan has no such build or removal at all.
    """

    order: str
    results: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A unit of a power, a build, a removal or a pick, with the side of each plan."""

    power: str
    unit: str
    sides: tuple[Side, ...]

    @property
    def differs_in_order(self) -> bool:
        """True if the plans differ in the order."""
        return len({side.order for side in self.sides}) > 1

    @property
    def differs(self) -> bool:
        """True if the plans differ in the order or in its results."""
        return self.differs_in_order or len({side.results for side in self.sides}) > 1


@dataclass(frozen=True)
class Comparison:
    """Plans by name over one position, each with its outcome."""

    position: Position
    outcomes: Mapping[str, Outcome]

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """A row for everything that takes an order, power by power."""
        powers = (*self.position.board.powers, INDEPENDENT)
        return tuple(row for power in powers for row in self._rows(power))

    @property
    def differences(self) -> tuple[Row, ...]:
        """The rows in which the plans differ: first those with other orders, then other results."""
        found = [row for row in self.rows if row.differs]
        return tuple(sorted(found, key=lambda row: not row.differs_in_order))

    def dislodged(self, plan: str) -> tuple[Unit, ...]:
        """Return the units of all powers that are dislodged or lost after a plan."""
        outcome = self.outcomes[plan]
        lost = (*outcome.destroyed, *outcome.disbanded, *outcome.removed)
        return (*(dislodged.unit for dislodged in outcome.dislodged), *lost)

    def units(self, plan: str, power: str) -> tuple[str, ...]:
        """Return the names of a power's units on the board after a plan."""
        outcome = self.outcomes[plan]
        names = names_of(outcome.units)
        return tuple(sorted(names[unit] for unit in outcome.units if unit.power == power))

    def centres(self, plan: str) -> Mapping[str, str]:
        """Return the centres that change hands after a plan, and their new power.

        After an autumn and a pick these are the owners (R29, R30).  In other movement and retreat
        phases the power that stands in a centre counts, which will own it if nothing moves.
        """
        outcome, before = self.outcomes[plan], self.position.owners
        now = dict(owners_after(outcome))
        if not centres_change(outcome) and self.position.phase.kind in ("movement", "retreats"):
            board = self.position.board
            standing = {u.province: u.power for u in outcome.units if u.power != INDEPENDENT}
            now |= {p: power for p, power in standing.items() if board.provinces[p].centre}
        return {centre: power for centre, power in now.items() if before.get(centre) != power}

    # -- rows --------------------------------------------------------------------------------------

    def _rows(self, power: str) -> Iterator[Row]:
        if self.position.phase.kind in ("movement", "retreats"):
            for unit in self.position.units_of(power):
                sides = tuple(_fate(outcome, unit) for outcome in self.outcomes.values())
                yield Row(power, self.position.name(unit), sides)
            return
        listed = [dict(_list_rows(outcome, power)) for outcome in self.outcomes.values()]
        for key in dict.fromkeys(key for sides in listed for key in sides):
            sides = tuple(found.get(key, Side("")) for found in listed)
            yield Row(power, key, sides)


def compare(position: Position, plans: Mapping[str, Orders]) -> Comparison:
    """Adjudicate plans for the same position; each maps a power's id to its orders.

    >>> from alexmagnum import Phase, Unit, load_board, read_order
    >>> vienna = Unit("Austria", "A", "VIE")
    >>> position = Position(load_board("standard"), Phase(1901, "spring"), (vienna,))
    >>> plans = {
    ...     name: {"Austria": [read_order(text, position)]}
    ...     for name, text in {"A": "A VIE - TYR", "B": "A VIE - BUD"}.items()
    ... }
    >>> [[side.order for side in row.sides] for row in compare(position, plans).differences]
    [['A VIE - TYR', 'A VIE - BUD']]
    """
    outcomes = {name: adjudicate(position, orders) for name, orders in plans.items()}
    return Comparison(position, outcomes)


def _fate(outcome: Outcome, unit: Unit) -> Side:
    fates = outcome.fates(unit)
    order = fates[0].order
    return Side(
        write_order(order) if order is not None else "",
        tuple(fate.result for fate in fates),
        tuple(fate.reason for fate in fates),
    )


def _list_rows(outcome: Outcome, power: str) -> Iterator[tuple[str, Side]]:
    """Yield the rows of a power in a phase of builds or picks, each with its key.

    A pick is one row; so is each build, with a number if it is given again; a removal goes by its
    unit, whether or not it was ordered.
    """
    seen: Counter[str] = Counter()
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.power != power:
            continue
        text = write_order(entry.order)
        about = text
        if isinstance(entry.order, Remove) and entry.unit is not None:
            about = outcome.position.name(entry.unit)
        seen[about] += 1
        key = about + (f" ({seen[about]})" if seen[about] > 1 else "")
        if isinstance(entry.order, Pick):
            key = ""
        yield key, Side(text, (entry.result,), (reason,))
    for unit in outcome.removed:
        if unit.power == power:
            name = outcome.position.name(unit)
            yield name, Side("", ("removed",), (Reason("civil-disorder"),))
