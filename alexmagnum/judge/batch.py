"""Many order sets of one position: their outcomes as numbers, without an object for each order.

Open this file for how a :class:`Batch` avoids work.  Each order gets a *row*, a number, when it is
first seen.  The units of a set fall into *groups* that cannot affect each other, because they
have no province in common; a group that had the same rows in an earlier set is not judged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from alexmagnum.board.numbers import LocationNo, UnitNo
from alexmagnum.errors import AlexMagnumError, BadOrders, Fault
from alexmagnum.judge.knots import decide_everything
from alexmagnum.judge.legality import Memory
from alexmagnum.judge.numbering import number_units
from alexmagnum.judge.outcome import (
    AVAILABLE,
    CUT,
    DESTROYED,
    DISLODGED,
    DISRUPTED,
    FAILS,
    GIVEN,
    ILLEGAL,
    INVALID,
    STANDS,
    STOPPED,
    SUCCEEDS,
)
from alexmagnum.judge.resolver import Resolver
from alexmagnum.judge.results import MovementOutcome, find_destination, is_lost, result_by_number
from alexmagnum.judge.sheet import CAUGHT, CONVOY, Sheet
from alexmagnum.judge.validation import list_orders
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit

RESULT_NAMES: Final = (
    STANDS,
    DISLODGED,
    SUCCEEDS,
    FAILS,
    STOPPED,
    DESTROYED,
    GIVEN,
    CUT,
    AVAILABLE,
    DISRUPTED,
    ILLEGAL,
    INVALID,
)
"""The results by their code in arrays: 0 is ``stands``, 11 is ``invalid``."""

HAS_TO_RETREAT: Final = -1
"""The place of a unit that was dislodged and has to retreat, or has nowhere to go."""
IS_DESTROYED: Final = -2
"""The place of a unit that is gone without a retreat: a garrison (R27), a caught fleet (R24)..."""

_RESULT_CODE: Final[dict[str, int]] = {name: code for code, name in enumerate(RESULT_NAMES)}
_MOST_KNOWN: Final = 200_000
"""So many orders or groups are kept; then the memory begins anew."""


def list_set(position: Position, number: int, orders: Any) -> dict[str, Any]:
    """Return the orders of one set by power, as lists or tuples.

    Raises:
        BadOrders: with every fault of the set, and its number.
    """
    try:
        return list_orders(position, orders)
    except BadOrders as error:
        faults = tuple(
            Fault(f"order_sets[{number}].{fault.where}", fault.code, fault.data)
            for fault in error.faults
        )
        raise BadOrders(error.name, faults) from None


class Batch:
    """A movement phase of which many order sets are judged, one after another.

    ``units``: the units in their sequence; ``results``, ``places``: by unit, the codes of the last
    set that was judged (:class:`~alexmagnum.judge.order_sets.OutcomeArrays` explains them);
    ``place_names``: place by its code.

    By row (an order of a unit, or no order): ``_row_unit``, ``_row_order``, and ``_row_reach``:
    the provinces that matter to the order, one bit for each.  By group of the last set:
    ``_members``, its units; ``_reach``, the provinces that matter to them.
    """

    __slots__ = (
        "_first_place",
        "_group_of",
        "_known",
        "_legality",
        "_members",
        "_no_orders",
        "_outcomes",
        "_position",
        "_reach",
        "_row_by_value",
        "_row_order",
        "_row_reach",
        "_row_unit",
        "_rows",
        "_start",
        "place_names",
        "places",
        "results",
        "units",
    )

    def __init__(self, position: Position) -> None:
        if position.phase.kind != "movement":
            raise AlexMagnumError("arrays-phase", phase=str(position.phase))
        self._position = position
        self.units: tuple[Unit, ...] = position.tables.units
        self.place_names: tuple[str, ...] = ()
        self._first_place: list[int] = []
        self._name_places()
        self._start: list[int] = [
            self._first_place[location] + unit.number - 1
            for location, unit in zip(position.tables.location, self.units, strict=True)
        ]
        self._forget()

    def _forget(self) -> None:
        """Begin with an empty memory."""
        tables = self._position.tables
        numbers = list(tables.numbers)
        self._legality = Memory(self._position.board.tables, tables)
        # By power and identity of an order, with the order itself, so that its identity stays its
        # own.  The second dictionary finds an order that was made anew.
        self._known: dict[Any, dict[int, tuple[int, Order]]] = {}
        self._row_by_value: dict[tuple[str, Order], int] = {}
        self._row_unit: list[UnitNo] = list(numbers)
        self._row_order: list[Order | None] = [None] * len(numbers)
        self._row_reach: list[int] = [1 << province for province in tables.province]
        self._no_orders: list[int] = list(range(len(numbers)))
        self._outcomes: dict[tuple[int, ...], tuple[list[int], list[int]]] = {}
        self._rows: list[int] = [-1] * len(numbers)
        self._group_of: list[int] = [-1] * len(numbers)
        self._members: dict[int, list[UnitNo]] = {}
        self._reach: dict[int, int] = {}
        self.results: list[int] = [0] * len(numbers)
        self.places: list[int] = list(self._start)

    def _name_places(self) -> None:
        """Number the places of every location."""
        board = self._position.board.tables
        names: list[str] = []
        for location, name in enumerate(board.location_names):
            self._first_place.append(len(names))
            capacity = board.capacity[board.province_of[location]]
            names += [name] if capacity == 1 else [f"{name}#{i + 1}" for i in range(capacity)]
        self.place_names = tuple(names)

    def judge(self, orders: Any, number: int = 0) -> None:
        """Judge one set; afterwards ``results`` and ``places`` are its outcome.

        ``number``: that of the set, for errors.

        Raises:
            BadOrders: with every fault of the set.
        """
        if len(self._row_order) > _MOST_KNOWN or len(self._outcomes) > _MOST_KNOWN:
            self._forget()
        rows = self._find_rows(orders, number)
        before = self._rows
        changed = [u for u, row in enumerate(rows) if row != before[u]]
        if changed:
            self._rows = rows
            self._judge_groups(self._regroup(changed))

    # -- rows ------------------------------------------------------------------------------------

    def _find_rows(self, orders: Any, number: int) -> list[int]:
        """Return the row of each unit; the last order of its own power counts."""
        rows = list(self._no_orders)
        if type(orders) is not dict and not isinstance(orders, Mapping):
            list_set(self._position, number, orders)
        row_unit = self._row_unit
        listed: Mapping[Any, Any] = orders
        for power in orders:
            entries = listed[power]
            known = self._known.get(power)
            if known is None or (type(entries) is not tuple and type(entries) is not list):
                listed = list_set(self._position, number, listed)
                entries = listed[power]
                known = self._known.setdefault(power, {})
            for order in entries:
                found = known.get(id(order))
                if found is None:
                    found = self._add_order(power, order, number, listed)
                row = found[0]
                if row >= 0:
                    rows[row_unit[row]] = row
        return rows

    def _add_order(
        self, power: Any, order: Any, number: int, orders: Mapping[Any, Any]
    ) -> tuple[int, Order]:
        """Return the row of an order object that was not seen yet, -1 if it counts for nothing."""
        list_set(self._position, number, orders)
        row = self._row_by_value.get((power, order))
        if row is None:
            row = self._row_by_value[power, order] = self._add_row(power, order)
        known = self._known[power]
        if len(known) > _MOST_KNOWN:
            known.clear()
        known[id(order)] = row, order
        return row, order

    def _add_row(self, power: str, order: Order) -> int:
        """Add the row of an order; return its number, or -1 if the order counts for nothing."""
        sheet = Sheet(self._position, {power: [order]}, self._legality)
        _, _, u, fault = sheet.entries[0]
        if fault:
            return -1
        province = sheet.units.province
        reach = 1 << province[u]
        if sheet.to[u] >= 0 and sheet.action[u] != CONVOY:
            reach |= 1 << sheet.to[u]
        if sheet.partner[u] >= 0:
            reach |= 1 << province[sheet.partner[u]]
        if u in sheet.hauls:
            reach |= 1 << sheet.hauls[u]
        if u in sheet.expresses:
            for passed in sheet.expresses[u].path:
                reach |= 1 << passed
        self._row_unit.append(u)
        self._row_order.append(order)
        self._row_reach.append(reach)
        return len(self._row_order) - 1

    # -- groups ----------------------------------------------------------------------------------

    def _regroup(self, changed: Sequence[int]) -> list[list[UnitNo]]:
        """Take the groups of changed units apart; return the new groups of all units concerned."""
        rows, row_reach = self._rows, self._row_reach
        loose: list[tuple[int, list[UnitNo]]] = []
        touched = 0
        for group in {self._group_of[u] for u in changed}:
            members = self._members.pop(group) if group >= 0 else self._numbers_of(changed)
            self._reach.pop(group, 0)
            for u in members:
                reach = row_reach[rows[u]]
                touched |= reach
                loose.append((reach, [u]))
        for group in [group for group, reach in self._reach.items() if reach & touched]:
            loose.append((self._reach.pop(group), self._members.pop(group)))
        joined = _join(loose)
        for reach, units in joined:
            units.sort()
            group = units[0]
            self._reach[group], self._members[group] = reach, units
            for u in units:
                self._group_of[u] = group
        return [units for _, units in joined]

    def _numbers_of(self, changed: Sequence[int]) -> list[UnitNo]:
        """Return the changed units that are in no group yet."""
        return [u for u in self._position.tables.numbers if self._group_of[u] < 0 and u in changed]

    def _judge_groups(self, groups: Iterable[list[UnitNo]]) -> None:
        """Enter the outcome of each group, as it was in an earlier set or judged now."""
        rows = self._rows
        new: list[tuple[tuple[int, ...], list[UnitNo]]] = []
        for units in groups:
            key = tuple([rows[u] for u in units])
            outcome = self._outcomes.get(key)
            if outcome is None:
                new.append((key, units))
            else:
                self._enter(units, outcome)
        if not new:
            return
        together = [u for _, units in new for u in units]
        results, places = self._judge_units(together)
        start = 0
        for key, units in new:
            end = start + len(units)
            outcome = results[start:end], places[start:end]
            self._outcomes[key] = outcome
            self._enter(units, outcome)
            start = end

    def _enter(self, units: Iterable[UnitNo], outcome: tuple[list[int], list[int]]) -> None:
        for u, result, place in zip(units, *outcome, strict=True):
            self.results[u] = result
            self.places[u] = place

    def _judge_units(self, units: Sequence[UnitNo]) -> tuple[list[int], list[int]]:
        """Judge the orders of some groups, while all others hold; return results and places."""
        orders: dict[str, list[Order]] = {}
        for u in units:
            order = self._row_order[self._rows[u]]
            if order is not None:
                orders.setdefault(self.units[u].power, []).append(order)
        resolver = Resolver(Sheet(self._position, orders, self._legality))
        decide_everything(resolver)
        outcome = MovementOutcome(self._position, resolver)
        results = [_RESULT_CODE[result_by_number(outcome, u)] for u in units]
        destinations = [find_destination(outcome, u) for u in units]
        numbers = self._find_numbers(outcome, resolver, units, destinations)
        places = [
            self._first_place[location] + numbers.get(u, 1) - 1
            if location >= 0
            else self._find_remaining(outcome, resolver, u)
            for u, location in zip(units, destinations, strict=True)
        ]
        return results, places

    def _find_remaining(self, outcome: MovementOutcome, resolver: Resolver, u: UnitNo) -> int:
        """Return the place of a unit that has not moved, or what became of it."""
        if not is_lost(outcome, u):
            return self._start[u]
        is_destroyed = resolver.action[u] == CAUGHT or not self._position.takes_orders(
            self.units[u]
        )
        return IS_DESTROYED if is_destroyed else HAS_TO_RETREAT

    def _find_numbers(
        self,
        outcome: MovementOutcome,
        resolver: Resolver,
        units: Sequence[UnitNo],
        destinations: Sequence[LocationNo],
    ) -> dict[UnitNo, int]:
        """Return the numbers of units that moved into provinces of several places (R8)."""
        board = self._position.board.tables
        gone: list[tuple[UnitNo, Unit]] = []
        if board.crowded:
            for u, location in zip(units, destinations, strict=True):
                if location >= 0 and board.capacity[board.province_of[location]] > 1:
                    to = board.ids[board.province_of[location]]
                    gone.append((u, Unit(self.units[u].power, self.units[u].kind, to)))
        if not gone:
            return {}
        stay = [
            self.units[u]
            for u, location in zip(units, destinations, strict=True)
            if location < 0 and not is_lost(outcome, u)
        ]
        return {u: unit.number for u, unit in number_units(resolver, stay, gone)}


def _join(loose: Iterable[tuple[int, list[UnitNo]]]) -> list[tuple[int, list[UnitNo]]]:
    """Join units, each with the provinces that matter to it, that have a province in common."""
    joined: list[tuple[int, list[UnitNo]]] = []
    for reach, units in loose:
        near = [other for other in joined if other[0] & reach]
        if near:
            joined = [other for other in joined if not other[0] & reach]
            all_reach, all_units = reach, list(units)
            for other_reach, others in near:
                all_reach |= other_reach
                all_units += others
            joined.append((all_reach, all_units))
        else:
            joined.append((reach, units))
    return joined
