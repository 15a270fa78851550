"""The retreat phase: dislodged units go where the map and the last turn leave a way open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from alexmagnum.board.geography import split_location
from alexmagnum.judge.legality import find_unit
from alexmagnum.judge.outcome import (
    FAILS,
    ILLEGAL,
    REPLACED,
    SUCCEEDS,
    OrderOutcome,
    PhaseOutcome,
    Reason,
    nobility_after,
)
from alexmagnum.orders import Disband, Order, Retreat
from alexmagnum.position import Dislodged, Position, Unit


def resolve_retreats(position: Position, orders: Mapping[str, Sequence[Order]]) -> PhaseOutcome:
    """Retreat or lose every dislodged unit (DATC 6.H).

    Units that retreat to one province are all lost if it has no places for all of them (R17), or
    if a city is wanted by several powers (R26).  Also lost are units without a legal order, and
    every unit of a power in revolt (R3).
    """
    phase = _Retreats(position, orders)
    disbanded = tuple(d.unit for d in position.dislodged if d.unit not in phase.safe)
    # A general with no way open was lost, and charged for, when it was dislodged (R2).
    lost = tuple(d.unit for d in position.dislodged if d.unit in disbanded and d.retreats)
    results, reasons = phase.list_results()
    return PhaseOutcome(
        position,
        results,
        reasons,
        units=(*position.units, *_place_units(position, phase.safe)),
        disbanded=disbanded,
        nobility=nobility_after(position, lost),
    )


def list_legal_retreats(
    position: Position, power: str, orders: Iterable[Order]
) -> tuple[Order, ...]:
    """Return the retreats and disbands that succeed if the power gives each of them alone."""
    alone = ((order, _Retreats(position, {power: [order]})) for order in orders)
    return tuple(order for order, one in alone if one.list_results()[0][0].result == SUCCEEDS)


def find_open_retreat(dislodged: Dislodged, to: str) -> str:
    """Return the open location that a retreat order means, or "" if there is none.

    The coast may be left out if only one is open; for an army it means nothing.
    """
    if to in dislodged.retreats:
        return to
    province, coast, _ = split_location(to)
    if coast and dislodged.unit.kind == "F":
        return ""
    fitting = [way for way in dislodged.retreats if split_location(way)[0] == province]
    return fitting[0] if len(fitting) == 1 else ""


class _Retreats:
    """The orders of one retreat phase, matched to the dislodged units.

    ``counts``: by unit, the order that counts; ``number``: by unit, which of its power's orders
    that is; ``goals``: where each unit with a legal retreat order goes; ``full``: provinces that
    cannot take all who retreat there; ``safe``: the goals that are reached.
    """

    def __init__(self, position: Position, orders: Mapping[str, Sequence[Order]]) -> None:
        self.position = position
        self.orders = orders
        self.counts: dict[Unit, Order] = {}
        self.number: dict[Unit, int] = {}
        for power, listed in orders.items():
            for number, order in enumerate(listed):
                dislodged = self._find_dislodged(power, order)
                if dislodged:
                    self.counts[dislodged.unit] = order
                    self.number[dislodged.unit] = number
        self.goals: Mapping[Unit, str] = dict(self._list_goals())
        self.full = _find_overfull(position, self.goals)
        self.safe: Mapping[Unit, str] = {
            unit: to for unit, to in self.goals.items() if split_location(to)[0] not in self.full
        }

    def _find_dislodged(self, power: str, order: Order) -> Dislodged | None:
        """Return the power's dislodged unit that an order is for; None if there is not just one."""
        if not isinstance(order, (Retreat, Disband)):
            return None
        theirs = {d.unit: d for d in self.position.dislodged if d.unit.power == power}
        unit = find_unit(theirs, order.unit)
        return theirs[unit] if unit else None

    def _list_goals(self) -> Iterator[tuple[Unit, str]]:
        """Yield each unit that has a legal retreat order, and where it goes."""
        for dislodged in self.position.dislodged:
            order = self.counts.get(dislodged.unit)
            if isinstance(order, Retreat) and not self.position.in_revolt(dislodged.unit.power):
                to = find_open_retreat(dislodged, order.to)
                if to and not self._is_full(dislodged.unit, to):
                    yield dislodged.unit, to

    def _is_full(self, unit: Unit, to: str) -> bool:
        """Tell whether the units that stand there leave no place, whoever else retreats."""
        province = self.position.board.province_of(to)
        there = [other for other in self.position.units if other.province == province.id]
        foreign = not province.is_sea and any(other.power != unit.power for other in there)
        return foreign or len(there) >= province.capacity

    # -- results ---------------------------------------------------------------------------------

    def list_results(self) -> tuple[tuple[OrderOutcome, ...], tuple[Reason, ...]]:
        """Return the result and the reason of every order, as listed."""
        results, reasons = [], []
        for power, listed in self.orders.items():
            for number, order in enumerate(listed):
                dislodged = self._find_dislodged(power, order)
                result, reason = self._judge(order, number, dislodged)
                unit = dislodged.unit if dislodged else None
                results.append(OrderOutcome(power, order, unit, result))
                reasons.append(reason)
        return tuple(results), tuple(reasons)

    def _judge(self, order: Order, number: int, dislodged: Dislodged | None) -> tuple[str, Reason]:
        """Return the result and the reason of one order; ``dislodged`` is what it is for."""
        if not isinstance(order, (Retreat, Disband)):
            return ILLEGAL, Reason("wrong-phase")
        if dislodged is None:
            return ILLEGAL, Reason("not-dislodged")
        if self.position.in_revolt(dislodged.unit.power):
            return ILLEGAL, Reason("in-revolt")
        if self.number[dislodged.unit] != number:
            return ILLEGAL, Reason(REPLACED)
        if isinstance(order, Disband):
            return SUCCEEDS, Reason("disbands")
        return self._judge_retreat(order, dislodged)

    def _judge_retreat(self, order: Retreat, dislodged: Dislodged) -> tuple[str, Reason]:
        """Return the result and the reason of the retreat that counts for a unit."""
        unit = dislodged.unit
        if unit not in self.goals:
            if find_open_retreat(dislodged, order.to):
                return ILLEGAL, Reason("retreat-full")
            return ILLEGAL, Reason("retreat-closed", (dislodged.by,))
        province = split_location(self.goals[unit])[0]
        if province in self.full:
            others = (u for u, to in self.goals.items() if split_location(to)[0] == province)
            return FAILS, Reason("retreat-clash", tuple(u for u in others if u != unit))
        return SUCCEEDS, Reason("retreats")


def _find_overfull(position: Position, goals: Mapping[Unit, str]) -> frozenset[str]:
    """Return the provinces that cannot take all units that retreat there.

    They have fewer places than units (R17), or are cities wanted by several powers (R26).
    """
    there: dict[str, list[str]] = defaultdict(list)
    for unit, to in goals.items():
        there[split_location(to)[0]].append(unit.power)
    for unit in position.units:
        if unit.province in there:
            there[unit.province].append(unit.power)
    full = set()
    for province, powers in there.items():
        at = position.board.provinces[province]
        mixed = not at.is_sea and len(set(powers)) > 1
        if mixed or len(powers) > at.capacity:
            full.add(province)
    return frozenset(full)


def _place_units(position: Position, safe: Mapping[Unit, str]) -> list[Unit]:
    """Return the retreated units in their new places: the lowest free numbers, by power id (R8)."""
    taken = {(unit.province, unit.number) for unit in position.units}
    arrived = []
    for unit in sorted(safe, key=lambda u: (u.power, u.province, u.number)):
        province, coast, _ = split_location(safe[unit])
        capacity = position.board.provinces[province].capacity
        number = next(n for n in range(1, capacity + 1) if (province, n) not in taken)
        taken.add((province, number))
        arrived.append(Unit(unit.power, unit.kind, province, coast, number))
    return arrived
