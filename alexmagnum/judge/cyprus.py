"""The Cyprus year: five periods of secret picks (R30), then the deployment (R31)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from alexmagnum.board.model import Board, split_location
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
from alexmagnum.judge.winter import adjustments, standing_fault
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


def resolve_deployment(position: Position, orders: Mapping[str, Sequence[Order]]) -> PhaseOutcome:
    """Place the first units (R31); what is not ordered is not placed."""
    results: list[OrderOutcome] = []
    reasons: list[Reason] = []
    units = list(position.units)
    room = adjustments(position)
    for power, listed in orders.items():
        desk = _Placing(position, power, listed, room.get(power, 0))
        results += desk.results()
        reasons += desk.reasons
        units += desk.placed.values()
    return PhaseOutcome(
        position,
        tuple(results),
        tuple(reasons),
        tuple(units),
        nobility=nobility_after(position, ()),
    )


class _Placing:
    """One power's deployment: ``reasons`` and ``placed`` go by the order's number in its list."""

    def __init__(self, position: Position, power: str, listed: Sequence[Order], room: int) -> None:
        self.position = position
        self.power = power
        self.listed = listed
        self.room = room
        self.placed: dict[int, Unit] = {}
        faults = [self._fault(order) for order in listed]
        last = self._last_legal(faults)
        self.reasons: list[Reason] = []
        for i, fault in enumerate(faults):
            self.reasons.append(self._place(i, fault or self._replaced(i, last)))
        self._crown()

    def results(self) -> list[OrderOutcome]:
        """The result of every order, as listed."""
        return [
            OrderOutcome(self.power, order, self.placed.get(i), _RESULTS.get(reason.code, ILLEGAL))
            for i, (order, reason) in enumerate(zip(self.listed, self.reasons, strict=True))
        ]

    def _fault(self, order: Order) -> str:
        """Why an order can be carried out for no centre, whatever else is ordered."""
        position = self.position
        if position.in_revolt(self.power):
            return "in-revolt"
        if isinstance(order, Waive):
            return "waived"
        if not isinstance(order, Build):
            return "wrong-phase"
        kind, at = order.unit[:1], order.unit[2:]
        province = split_location(at)[0]
        if position.owners.get(province) != self.power:
            return "build-not-owned"
        if any(unit.province == province for unit in position.units):
            return "build-occupied"
        return standing_fault(position.board, kind, at)

    def _last_legal(self, faults: Sequence[str]) -> Mapping[str, int]:
        """By centre, the number of the last legal order for it."""
        return {
            split_location(order.unit[2:])[0]: i
            for i, order in enumerate(self.listed)
            if isinstance(order, Build) and not faults[i]
        }

    def _replaced(self, i: int, last: Mapping[str, int]) -> str:
        order = self.listed[i]
        assert isinstance(order, Build), "an order without a fault is a build"
        return "" if last[split_location(order.unit[2:])[0]] == i else REPLACED

    def _place(self, i: int, fault: str) -> Reason:
        """Carry out an order if it has no fault and is not too much."""
        if fault:
            return Reason(fault)
        order = self.listed[i]
        assert isinstance(order, Build), "an order without a fault is a build"
        kind, at = order.unit[:1], order.unit[2:]
        if len(self.placed) >= self.room:
            return Reason("deploy-too-many")
        if kind == "G" and self._has_general():
            return Reason("second-general")
        province, coast, _ = split_location(at)
        self.placed[i] = Unit(self.power, kind, province, coast if kind == "F" else "")
        return Reason("deploys")

    def _has_general(self) -> bool:
        units = (*self.position.units, *self.placed.values())
        return any(unit.kind == "G" and unit.power == self.power for unit in units)

    def _crown(self) -> None:
        """Without a general among them, the first of the armies placed is the general."""
        if not self.position.board.rules.nobility or self._has_general():
            return
        for i, unit in self.placed.items():
            if unit.kind == "A":
                self.placed[i] = replace(unit, kind="G")
                self.reasons[i] = Reason("deploys-general")
                return


_RESULTS = {"deploys": SUCCEEDS, "deploys-general": SUCCEEDS, "waived": SUCCEEDS}
_RESULTS["coast-needed"] = FAILS
"""The results that the reasons of a deployment stand for; all others are illegal."""
