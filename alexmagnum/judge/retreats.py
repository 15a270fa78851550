"""The retreat phase: dislodged units go where the map and the last turn leave a way open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

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

    Units that retreat to one province are all lost if there are not places for all of them
    (R17), or if a city is wanted by several powers (R26); so is a unit without a legal order,
    and every unit of a power in revolt (R3).
    """
    phase = _Retreats(position, orders)
    goals = phase.goals()
    full = _overfull(position, goals)
    safe = {unit: to for unit, to in goals.items() if split_location(to)[0] not in full}
    disbanded = tuple(d.unit for d in position.dislodged if d.unit not in safe)
    # A general with no way open was lost, and charged for, when it was dislodged (R2).
    lost = tuple(d.unit for d in position.dislodged if d.unit in disbanded and d.retreats)
    results, reasons = phase.results(goals, full)
    return PhaseOutcome(
        position,
        results,
        reasons,
        units=(*position.units, *_arrive(position, safe)),
        disbanded=disbanded,
        nobility=nobility_after(position, lost),
    )


class _Retreats:
    """The orders of a retreat phase, matched to the dislodged units."""

    def __init__(self, position: Position, orders: Mapping[str, Sequence[Order]]) -> None:
        self.position = position
        self.orders = orders
        self.counts: dict[Unit, Order] = {}
        for power, listed in orders.items():
            for order in listed:
                dislodged = self.find(power, order)
                if dislodged:
                    self.counts[dislodged.unit] = order

    def find(self, power: str, order: Order) -> Dislodged | None:
        """The power's dislodged unit that an order is for, None if there is not just one."""
        if not isinstance(order, (Retreat, Disband)):
            return None
        theirs = {d.unit: d for d in self.position.dislodged if d.unit.power == power}
        unit = find_unit(theirs, order.unit)
        return theirs[unit] if unit else None

    def goals(self) -> dict[Unit, str]:
        """Where each unit with a legal retreat order goes."""
        goals = {}
        for dislodged in self.position.dislodged:
            order = self.counts.get(dislodged.unit)
            if self.position.in_revolt(dislodged.unit.power):
                continue
            if isinstance(order, Retreat):
                to = open_retreat(dislodged, order.to)
                if to and not self.is_full(dislodged.unit, to):
                    goals[dislodged.unit] = to
        return goals

    def is_full(self, unit: Unit, to: str) -> bool:
        """Do those who stand there leave a unit no place, whoever else retreats?"""
        province = self.position.board.province_of(to)
        there = [other for other in self.position.units if other.province == province.id]
        foreign = not province.is_sea and any(other.power != unit.power for other in there)
        return foreign or len(there) >= province.capacity

    def results(
        self, goals: Mapping[Unit, str], full: frozenset[str]
    ) -> tuple[tuple[OrderOutcome, ...], tuple[Reason, ...]]:
        """Result and reason of every order, as listed."""
        results, reasons = [], []
        for power, listed in self.orders.items():
            for order in listed:
                dislodged = self.find(power, order)
                result, reason = self._judge(order, dislodged, goals, full)
                unit = dislodged.unit if dislodged else None
                results.append(OrderOutcome(power, order, unit, result))
                reasons.append(reason)
        return tuple(results), tuple(reasons)

    def _judge(
        self,
        order: Order,
        dislodged: Dislodged | None,
        goals: Mapping[Unit, str],
        full: frozenset[str],
    ) -> tuple[str, Reason]:
        if not isinstance(order, (Retreat, Disband)):
            return ILLEGAL, Reason("wrong-phase")
        if dislodged is None:
            return ILLEGAL, Reason("not-dislodged")
        unit = dislodged.unit
        if self.position.in_revolt(unit.power):
            return ILLEGAL, Reason("in-revolt")
        if self.counts[unit] is not order:
            return ILLEGAL, Reason(REPLACED)
        if isinstance(order, Disband):
            return SUCCEEDS, Reason("disbands")
        if unit not in goals:
            if open_retreat(dislodged, order.to):
                return ILLEGAL, Reason("retreat-full")
            return ILLEGAL, Reason("retreat-closed", (dislodged.by,))
        province = split_location(goals[unit])[0]
        if province in full:
            others = (u for u, to in goals.items() if split_location(to)[0] == province)
            return FAILS, Reason("retreat-clash", tuple(u for u in others if u != unit))
        return SUCCEEDS, Reason("retreats")


def open_retreat(dislodged: Dislodged, to: str) -> str:
    """The open location that a retreat order means, or "" if there is none.

    A coast may be left out where one is open, and means nothing for an army.
    """
    if to in dislodged.retreats:
        return to
    province, coast, _ = split_location(to)
    if coast and dislodged.unit.kind == "F":
        return ""
    meant = [way for way in dislodged.retreats if split_location(way)[0] == province]
    return meant[0] if len(meant) == 1 else ""


def _overfull(position: Position, goals: Mapping[Unit, str]) -> frozenset[str]:
    """The provinces that not all who retreat there can have: more units than places (R17), or
    units of several powers in one city (R26)."""
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


def _arrive(position: Position, safe: Mapping[Unit, str]) -> list[Unit]:
    """The retreated units in their new places: the lowest free numbers, by power id (R8)."""
    taken = {(unit.province, unit.number) for unit in position.units}
    arrived = []
    for unit in sorted(safe, key=lambda u: (u.power, u.province, u.number)):
        province, coast, _ = split_location(safe[unit])
        capacity = position.board.provinces[province].capacity
        number = next(n for n in range(1, capacity + 1) if (province, n) not in taken)
        taken.add((province, number))
        arrived.append(Unit(unit.power, unit.kind, province, coast, number))
    return arrived
