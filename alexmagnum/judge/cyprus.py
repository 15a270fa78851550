"""The Cyprus year: five periods of secret picks (R30), then the deployment (R31)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from alexmagnum.board.geography import split_location
from alexmagnum.board.model import Board
from alexmagnum.judge.outcome import (
    FAILS,
    ILLEGAL,
    REPLACED,
    SUCCEEDS,
    OrderOutcome,
    PhaseOutcome,
    Picks,
    Reason,
    nobility_after,
)
from alexmagnum.judge.winter import count_adjustments, placement_fault
from alexmagnum.orders import Build, Order, Pick, Waive
from alexmagnum.position import Position, Unit

PICKABLE = "start"
"""The kind of centre that may be picked (R30)."""


# -- picks (R30) --------------------------------------------------------------------------------


def resolve_picks(position: Position, orders: Mapping[str, Sequence[Order]]) -> PhaseOutcome:
    """Resolve one period of picks (R30): a centre goes to the power that alone names it."""
    named = _named(position, orders)
    rivals = _rivals(position, named)
    results, reasons = [], []
    for power, listed in orders.items():
        for order in listed:
            result, reason = _judge_pick(position, power, order, named.get(power), rivals)
            results.append(OrderOutcome(power, order, None, result))
            reasons.append(reason)
    return PhaseOutcome(
        position,
        tuple(results),
        tuple(reasons),
        position.units,
        nobility=nobility_after(position, ()),
        picks=_picks(position.board, rivals),
    )


def _named(position: Position, orders: Mapping[str, Sequence[Order]]) -> dict[str, Pick]:
    """The pick of each power that counts: the last it wrote, void or not."""
    named: dict[str, Pick] = {}
    for power in position.board.powers:
        for order in orders.get(power, ()):
            if isinstance(order, Pick):
                named[power] = order
    return named


def _rivals(position: Position, named: Mapping[str, Pick]) -> dict[str, tuple[str, ...]]:
    """By centre, the powers that validly name it, in the map's order; a void pick contests
    nothing."""
    rivals: dict[str, tuple[str, ...]] = {}
    for power, pick in named.items():
        if not _pick_fault(position, power, pick):
            rivals[pick.centre] = (*rivals.get(pick.centre, ()), power)
    return rivals


def _picks(board: Board, rivals: Mapping[str, tuple[str, ...]]) -> Picks:
    """Who gets what, and who gets nothing for want of a valid pick."""
    valid = {power for powers in rivals.values() for power in powers}
    return Picks(
        awards={powers[0]: centre for centre, powers in rivals.items() if len(powers) == 1},
        contested=tuple(c for c in board.centres if len(rivals.get(c, ())) > 1),
        void=tuple(power for power in board.powers if power not in valid),
    )


def _judge_pick(
    position: Position,
    power: str,
    order: Order,
    counts: Pick | None,
    rivals: Mapping[str, tuple[str, ...]],
) -> tuple[str, Reason]:
    """Result and reason of one order of a period of picks."""
    if not isinstance(order, Pick):
        return ILLEGAL, Reason("wrong-phase")
    if power not in position.board.powers:
        return ILLEGAL, Reason("garrison-holds")
    if order is not counts:
        return ILLEGAL, Reason(REPLACED)
    fault = _pick_fault(position, power, order)
    if fault:
        return ILLEGAL, Reason(fault)
    others = tuple(other for other in rivals[order.centre] if other != power)
    if others:
        return FAILS, Reason("pick-contested", powers=others)
    return SUCCEEDS, Reason("pick-awarded")


def _pick_fault(position: Position, power: str, pick: Pick) -> str:
    """Why a pick is void (R30), or "" if it is not."""
    province = position.board.provinces.get(pick.centre)
    if position.in_revolt(power):
        return "in-revolt"
    if province is None or province.centre != PICKABLE:
        return "pick-not-pickable"
    if province.id in position.owners:
        return "pick-owned"
    area = _own_area(position.board, power)
    return "pick-outside" if area and province.area != area else ""


def _own_area(board: Board, power: str) -> str:
    """The area to which a power's picks are bound: that of a centre it starts with, if any.

    So Candragrupta, who starts with Lahore, picks in India alone; the others pick anywhere.
    """
    areas = (board.provinces[home].area for home in board.powers[power].homes)
    return next(filter(None, areas), "")


# -- deployment (R31) ---------------------------------------------------------------------------


Taken = tuple[Unit | None, str, Reason]
"""What an order of the deployment comes to: the unit placed, the result, and why."""


def resolve_deployment(position: Position, orders: Mapping[str, Sequence[Order]]) -> PhaseOutcome:
    """Place the first units (R31); what is not ordered is not placed."""
    results: list[OrderOutcome] = []
    reasons: list[Reason] = []
    units = list(position.units)
    room = count_adjustments(position)
    for power, listed in orders.items():
        desk = _Placing(position, power, listed, room.get(power, 0))
        taken = desk.crowned([desk.take(order) for order in listed])
        for order, (unit, result, reason) in zip(listed, taken, strict=True):
            results.append(OrderOutcome(power, order, unit, result))
            reasons.append(reason)
        units += [unit for unit, _, _ in taken if unit is not None]
    return PhaseOutcome(
        position,
        tuple(results),
        tuple(reasons),
        tuple(units),
        nobility=nobility_after(position, ()),
    )


class _Placing:
    """One power's deployment: what it may still place, and where.

    ``left`` tells how many of the legal orders for a centre are still to be taken: the last of
    them counts.
    """

    def __init__(self, position: Position, power: str, listed: Sequence[Order], room: int) -> None:
        self.position = position
        self.power = power
        self.room = room
        self.placed: list[Unit] = []
        builds = (order for order in listed if isinstance(order, Build))
        self.left = Counter(_centre(order) for order in builds if not self._fault(order))

    def take(self, order: Order) -> Taken:
        """Carry out the next order of the list."""
        if self.position.in_revolt(self.power):
            return None, ILLEGAL, Reason("in-revolt")
        if isinstance(order, Build):
            return self._place(order)
        if isinstance(order, Waive):
            return None, SUCCEEDS, Reason("waived")
        return None, ILLEGAL, Reason("wrong-phase")

    def _place(self, order: Build) -> Taken:
        fault = self._fault(order)
        if fault:
            return None, FAILS if fault == "coast-needed" else ILLEGAL, Reason(fault)
        kind, at = order.unit[:1], order.unit[2:]
        province, coast, _ = split_location(at)
        self.left[province] -= 1
        if self.left[province]:
            return None, ILLEGAL, Reason(REPLACED)
        if len(self.placed) >= self.room:
            return None, ILLEGAL, Reason("deploy-too-many")
        if kind == "G" and self._has_general():
            return None, ILLEGAL, Reason("second-general")
        unit = Unit(self.power, kind, province, coast if kind == "F" else "")
        self.placed.append(unit)
        return unit, SUCCEEDS, Reason("deploys")

    def _fault(self, order: Build) -> str:
        """Why a unit cannot be placed, whatever else is ordered, or "" if it can."""
        position, centre = self.position, _centre(order)
        if position.owners.get(centre) != self.power:
            return "build-not-owned"
        if any(unit.province == centre for unit in position.units):
            return "build-occupied"
        return placement_fault(position.board, order.unit[:1], order.unit[2:])

    def _has_general(self) -> bool:
        units = (*self.position.units, *self.placed)
        return any(unit.kind == "G" and unit.power == self.power for unit in units)

    def crowned(self, taken: Sequence[Taken]) -> Sequence[Taken]:
        """The same, the first of the armies placed being the general if none was ordered."""
        if not self.position.board.rules.nobility or self._has_general():
            return taken
        for i, (unit, result, _) in enumerate(taken):
            if unit is not None and unit.kind == "A":
                general = replace(unit, kind="G"), result, Reason("deploys-general")
                return [*taken[:i], general, *taken[i + 1 :]]
        return taken


def _centre(order: Build) -> str:
    """The province in which a unit is to be placed."""
    return split_location(order.unit[2:])[0]
