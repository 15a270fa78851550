"""Many order sets of one position: their outcomes as numbers, without an object for each order.

Open this file for how a :class:`Batch` avoids work.  Each order is checked and becomes a *row* when
it is first seen.  The units of a set fall into *groups* that cannot affect each other, because they
have no province in common; a group that had the same rows in an earlier set is not judged again.
Where sets turn out to have little in common, groups are left alone for a while.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Final

from alexmagnum.board.tables import NO_PROVINCE, NO_UNIT, LegNo, ProvinceNo, UnitNo
from alexmagnum.builds import mypyc_attr
from alexmagnum.errors import AlexMagnumError, BadOrders, Fault
from alexmagnum.judge.knots import decide_everything
from alexmagnum.judge.legality import EXPRESS, HAULED, Legality
from alexmagnum.judge.movement import Resolver, is_caught
from alexmagnum.judge.outcome import RESULT_NAMES, OrderOutcome
from alexmagnum.judge.results import MovementOutcome, number_units, resolve_movement
from alexmagnum.judge.sheet import CONVOY, Row, find_listing_fault, find_power
from alexmagnum.judge.validation import list_orders
from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from alexmagnum.position import Position, Unit

HAS_TO_RETREAT: Final = -1
"""The place of a unit that was dislodged and has to retreat, or has nowhere to go."""
IS_DESTROYED: Final = -2
"""The place of a unit that is gone without a retreat: a garrison (R27), a caught fleet (R24)..."""

_RESULT_CODE: Final[dict[str, int]] = {name: code for code, name in enumerate(RESULT_NAMES)}
_IN_NO_GROUP: Final[UnitNo] = NO_UNIT  # the group of a unit before the first set
_TAKEN_APART: Final = UnitNo(LegNo(-2))  # the group of a unit while groups are joined anew
_MOST_KNOWN: Final = 200_000  # so many orders or groups are kept; then the memory begins anew
_FIRST_NEW: Final = 32
"""After so many sets in a row, each with most units in groups that were not known, sets are judged
whole."""
_MOST_NEW: Final = 256  # after so many judged sets, these included, groups are tried again
_NO_OUTCOMES: list[OrderOutcome | None] = []  # rows share it until one gets an entry


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


@mypyc_attr(acyclic=True)
class _GroupedRow(Row):
    """A row of a set, with the power that gave the order, the ``provinces`` that matter to it, and
    by the code of a result the outcome that was once made for it (``outcomes``)."""

    __slots__ = ("outcomes", "power", "provinces")

    def __init__(self, u: UnitNo, power: str, order: Order | None, legality: Legality) -> None:
        super().__init__(u, order, legality)
        self.power = power
        self.outcomes: list[OrderOutcome | None] = _NO_OUTCOMES
        self.provinces: tuple[ProvinceNo, ...] = self._list_provinces(legality) if u >= 0 else ()

    def _list_provinces(self, legality: Legality) -> tuple[ProvinceNo, ...]:
        board, province = legality.board, legality.units.province
        here = province[self.unit]
        if self.fault:
            return (here,)
        near = [here]
        if self.partner >= 0:
            near.append(province[self.partner])
        if self.location >= 0 and self.action != CONVOY:
            to = board.province_of[self.location]
            near.append(to)
            if self.way == EXPRESS:
                near += board.course[here, to].path
            elif self.way == HAULED:
                near.append(board.haul[here, to])
        return tuple(near)


class Batch:
    """A movement phase of which many order sets are judged, one after another.

    ``units``: the units in their sequence; ``results``, ``places``: by unit, the codes of the last
    set that was judged (:class:`~alexmagnum.judge.order_sets.OutcomeArrays` explains them);
    ``place_names``: place by its code.

    ``_no_orders``: by unit, its row without an order; ``_void``: the row of all orders that count
    for nothing; ``_orders``: the orders of the last set, as lists or tuples; ``_listed``: their
    rows, as listed; ``_all_count``: whether none of them is replaced or counts for nothing;
    ``_last``: by unit, its row in the last set, or ``_void`` if that set was judged whole;
    ``_new_sets``: see ``_FIRST_NEW``.  A group has the number of one of its
    units: ``_group_of``: by unit, its group in the last set; ``_group_at``: by province, the group
    to which it matters; ``_members``, ``_claims``: by group, its units and its provinces.
    """

    __slots__ = (
        "_all_count",
        "_arrived",
        "_claims",
        "_first_place",
        "_group_at",
        "_group_of",
        "_known",
        "_last",
        "_legality",
        "_listed",
        "_members",
        "_new_sets",
        "_no_orders",
        "_orders",
        "_outcomes",
        "_position",
        "_row_by_value",
        "_seen",
        "_start",
        "_void",
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
        self._arrived: list[dict[int, Unit]] = [{} for _ in self.units]
        self._start: list[int] = [
            self._first_place[location] + unit.number - 1
            for location, unit in zip(position.tables.location, self.units, strict=True)
        ]
        self._forget()

    def _forget(self) -> None:
        """Begin with an empty memory."""
        tables = self._position.tables
        numbers = list(tables.numbers)
        legality = self._legality = Legality(self._position.board.tables, tables)
        # By power and identity of an order; the list keeps the orders, so that their identities
        # stay their own.  The second dictionary finds an order that was made anew.
        self._known: dict[Any, dict[int, _GroupedRow]] = {}
        self._seen: list[Order] = []
        self._row_by_value: dict[tuple[str, Order], _GroupedRow] = {}
        self._void = _GroupedRow(NO_UNIT, "", None, legality)
        self._orders: Mapping[Any, Any] = {}
        self._listed: list[_GroupedRow] = []
        self._all_count: bool = True
        self._no_orders: list[_GroupedRow] = [_GroupedRow(u, "", None, legality) for u in numbers]
        # By the rows of a group, the result and the place of each unit, one after the other.
        self._outcomes: dict[tuple[_GroupedRow, ...], tuple[int, ...]] = {}
        self._new_sets: int = 0
        self._last: list[_GroupedRow] = [self._void] * len(numbers)
        self._group_of: list[UnitNo] = [_IN_NO_GROUP] * len(numbers)
        self._group_at: list[UnitNo] = [NO_UNIT] * len(self._position.board.tables.ids)
        self._members: list[list[UnitNo]] = [[] for _ in numbers]
        self._claims: list[list[ProvinceNo]] = [[] for _ in numbers]
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
        if len(self._row_by_value) > _MOST_KNOWN or len(self._outcomes) > _MOST_KNOWN:
            self._forget()
        rows = self._find_rows(orders, number)
        before = self._last
        changed = [u for u in self._position.tables.numbers if rows[u] is not before[u]]
        if not changed:
            return
        self._last = rows
        if self._new_sets < _FIRST_NEW or 2 * len(changed) <= len(rows):
            judged = self._judge_groups(self._regroup(changed))
            self._new_sets = self._new_sets + 1 if 2 * judged > len(rows) else 0
        else:
            self._judge_whole()
            self._new_sets = (self._new_sets + 1) % _MOST_NEW

    def resolve(self, orders: Any, number: int = 0) -> MovementOutcome:
        """Return the outcome of one set, as :func:`alexmagnum.adjudicate` does.

        ``number``: that of the set, for errors.

        Raises:
            BadOrders: with every fault of the set.
        """
        self.judge(orders, number)
        if not self._all_count:
            return resolve_movement(self._position, self._orders)
        results: list[OrderOutcome] = []
        for row in self._listed:
            code = self.results[row.unit]
            result = row.outcomes[code] if row.outcomes else None
            results.append(result if result is not None else self._add_result(row, code))
        dislodged = None if HAS_TO_RETREAT in self.places else ()
        return MovementOutcome(self._position, None, tuple(results), self._list_units(), dislodged)

    def _add_result(self, row: _GroupedRow, code: int) -> OrderOutcome:
        """Return the outcome of an order that did not have this result before."""
        if not row.outcomes:
            row.outcomes = [None] * len(RESULT_NAMES)
        order = row.order
        assert order is not None, "the rows of listed orders have orders"
        made = OrderOutcome(row.power, order, self.units[row.unit], RESULT_NAMES[code])
        row.outcomes[code] = made
        return made

    def _list_units(self) -> tuple[Unit, ...]:
        """Return the units on the board after the last set, those that have moved last."""
        start, arrived = self._start, self._arrived
        stay: list[Unit] = []
        gone: list[Unit] = []
        for u, place in enumerate(self.places):
            if place == start[u]:
                stay.append(self.units[u])
            elif place >= 0:
                unit = arrived[u].get(place)
                gone.append(unit if unit is not None else self._add_unit(u, place))
        stay += gone
        return tuple(stay)

    def _add_unit(self, u: int, place: int) -> Unit:
        """Return a unit at a place where it did not arrive before."""
        location = bisect_right(self._first_place, place) - 1
        part = self._position.board.tables.location_parts[location]
        unit, number = self.units[u], place - self._first_place[location] + 1
        made = Unit(unit.power, unit.kind, part[0], part[1], number)
        self._arrived[u][place] = made
        return made

    # -- rows ------------------------------------------------------------------------------------

    def _find_rows(self, orders: Any, number: int) -> list[_GroupedRow]:
        """Return the row of each unit; the last order of its own power counts."""
        rows = list(self._no_orders)
        entered: list[_GroupedRow] = []
        self._all_count = True
        is_checked = False
        if type(orders) is not dict and not isinstance(orders, Mapping):
            list_set(self._position, number, orders)  # refuses them
        listed: Mapping[Any, Any] = orders
        for power in orders:
            entries = listed[power]
            known = self._known.get(power)
            if known is None or (type(entries) is not tuple and type(entries) is not list):
                listed = list_set(self._position, number, listed)
                is_checked = True
                entries = listed[power]
                known = self._known.setdefault(power, {})
            given: tuple[Any, ...] = tuple(entries)
            for order in given:
                if (row := known.get(id(order))) is None:
                    if not is_checked:
                        listed = list_set(self._position, number, listed)
                        is_checked = True
                    row = self._add_order(power, order)
                entered.append(row)
                u = row.unit
                if u < 0 or rows[u] is not self._no_orders[u]:
                    self._all_count = False
                if u >= 0:
                    rows[u] = row
        self._orders, self._listed = listed, entered
        return rows

    def _add_order(self, power: str, order: Order) -> _GroupedRow:
        """Return the row of an order object that was not seen yet."""
        if (row := self._row_by_value.get((power, order))) is None:
            row = self._row_by_value[power, order] = self._make_row(power, order)
        if len(self._seen) > _MOST_KNOWN:
            self._seen.clear()
            for known in self._known.values():
                known.clear()
        self._seen.append(order)
        self._known[power][id(order)] = row
        return row

    def _make_row(self, power: str, order: Order) -> _GroupedRow:
        """Return the row of an order that was not seen yet."""
        legality = self._legality
        number, barred = find_power(legality.units, power)
        u = NO_UNIT
        if isinstance(order, (Move, Support, Hold, Convoy)):
            u = legality.find_unit(order.unit)
        fault = find_listing_fault(order, u >= 0 and legality.units.power[u] == number, u, barred)
        return self._void if fault else _GroupedRow(u, power, order, legality)

    # -- groups ----------------------------------------------------------------------------------

    def _regroup(self, changed: Sequence[UnitNo]) -> list[list[UnitNo]]:
        """Take the groups of changed units apart; return the new groups of all units concerned."""
        last = self._last
        group_of, group_at = self._group_of, self._group_at
        all_members, all_claims = self._members, self._claims
        loose: list[UnitNo] = []
        for u in changed:
            group = group_of[u]
            if group >= 0:
                loose += self._take_apart(group)
            elif group == _IN_NO_GROUP:
                loose.append(u)
        for u in loose:
            group_of[u] = u
            all_members[u] = [u]
            claims: list[ProvinceNo] = []
            all_claims[u] = claims
            group = u
            for province in last[u].provinces:
                other = group_at[province]
                if other < 0:
                    group_at[province] = group
                    claims.append(province)
                elif other != group:
                    group = self._join(other, group)
                    claims = all_claims[group]
        groups = [all_members[group] for group in {group_of[u] for u in loose}]
        for members in groups:
            if len(members) > 1:
                members.sort()
        return groups

    def _take_apart(self, group: UnitNo) -> list[UnitNo]:
        """Forget a group; return its units."""
        for province in self._claims[group]:
            self._group_at[province] = NO_UNIT
        for u in self._members[group]:
            self._group_of[u] = _TAKEN_APART
        return self._members[group]

    def _join(self, group: UnitNo, other: UnitNo) -> UnitNo:
        """Join the smaller of two groups to the larger; return the larger."""
        group_of, group_at = self._group_of, self._group_at
        members, joining = self._members[group], self._members[other]
        if len(members) < len(joining):
            group, other = other, group
            members, joining = joining, members
        for u in joining:
            group_of[u] = group
        claims = self._claims[other]
        for province in claims:
            group_at[province] = group
        members += joining
        self._claims[group] += claims
        return group

    def _judge_groups(self, groups: list[list[UnitNo]]) -> int:
        """Enter the outcome of each group, as it was in an earlier set or judged now; return how
        many units were judged now."""
        rows = self._last
        new: list[tuple[tuple[_GroupedRow, ...], list[UnitNo]]] = []
        for units in groups:
            key = tuple([rows[u] for u in units])
            if (outcome := self._outcomes.get(key)) is None:
                new.append((key, units))
            else:
                self._enter(units, outcome)
        if not new:
            return 0
        together = [u for _, units in new for u in units]
        found = self._judge_units(together)
        start = 0
        for key, units in new:
            end = start + 2 * len(units)
            outcome = tuple(found[start:end])
            self._outcomes[key] = outcome
            self._enter(units, outcome)
            start = end
        return len(together)

    def _judge_whole(self) -> None:
        """Judge all units without a look at groups; to the next set all orders are new."""
        units = list(self._position.tables.numbers)
        self._enter(units, tuple(self._judge_units(units)))
        self._last = [self._void] * len(units)

    def _enter(self, units: list[UnitNo], outcome: tuple[int, ...]) -> None:
        results, places = self.results, self.places
        i = 0
        for u in units:
            results[u] = outcome[i]
            places[u] = outcome[i + 1]
            i += 2

    def _judge_units(self, units: list[UnitNo]) -> list[int]:
        """Judge the orders of some groups, while all others hold; return the result and the place
        of each unit, one after the other."""
        rows: list[Row] = [self._last[u] for u in units]
        movement = decide_everything(Resolver(self._position, {}, rows))
        outcome = MovementOutcome(self._position, movement)
        destinations = outcome.list_destinations()
        numbers = number_units(movement, units, destinations)
        first_place = self._first_place
        found: list[int] = []
        for u in units:
            found.append(_RESULT_CODE[outcome.result_by_number(u)])
            location = destinations[u]
            if location >= 0:
                number = numbers.get(u, 1) if numbers else 1
                found.append(first_place[location] + number - 1)
            elif location == NO_PROVINCE:
                found.append(self._start[u])
            elif is_caught(movement, u) or not self._position.takes_orders(self.units[u]):
                found.append(IS_DESTROYED)
            else:
                found.append(HAS_TO_RETREAT)
        return found
