"""The Cyprus year: five periods of secret picks (R30), then the deployment (R31)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
    counting = _find_counting_picks(position, orders)
    pickers = _find_pickers(position, counting)
    results, reasons = [], []
    for power, listed in orders.items():
        last = _find_last_pick(listed)
        for number, order in enumerate(listed):
            result, reason = _judge_pick(position, power, order, number == last, pickers)
            results.append(OrderOutcome(power, order, None, result))
            reasons.append(reason)
    return PhaseOutcome(
        position,
        tuple(results),
        tuple(reasons),
        position.units,
        nobility=nobility_after(position, ()),
        picks=_award(position.board, pickers),
    )


def list_legal_picks(position: Position, power: str, picks: Iterable[Pick]) -> tuple[Pick, ...]:
    """Return the picks that are not void, so that each succeeds if nobody else wants it."""
    if power not in position.board.powers:
        return ()
    return tuple(pick for pick in picks if not _pick_fault(position, power, pick))


def _find_counting_picks(
    position: Position, orders: Mapping[str, Sequence[Order]]
) -> dict[str, Pick]:
    """Return the pick of each power that counts: the last it wrote, void or not."""
    counting: dict[str, Pick] = {}
    for power in position.board.powers:
        picks = [order for order in orders.get(power, ()) if isinstance(order, Pick)]
        if picks:
            counting[power] = picks[-1]
    return counting


def _find_last_pick(listed: Sequence[Order]) -> int:
    """Return the number of the last pick in a list of orders, or -1 if there is none."""
    return max((i for i, order in enumerate(listed) if isinstance(order, Pick)), default=-1)


def _find_pickers(position: Position, counting: Mapping[str, Pick]) -> dict[str, tuple[str, ...]]:
    """Return by centre the powers that validly name it, in the map's order.

    A void pick contests nothing.
    """
    pickers: dict[str, tuple[str, ...]] = {}
    for power, pick in counting.items():
        if not _pick_fault(position, power, pick):
            pickers[pick.centre] = (*pickers.get(pick.centre, ()), power)
    return pickers


def _award(board: Board, pickers: Mapping[str, tuple[str, ...]]) -> Picks:
    """Give each centre to the power that alone names it."""
    valid = {power for powers in pickers.values() for power in powers}
    return Picks(
        awards={powers[0]: centre for centre, powers in pickers.items() if len(powers) == 1},
        contested=tuple(c for c in board.centres if len(pickers.get(c, ())) > 1),
        void=tuple(power for power in board.powers if power not in valid),
    )


def _judge_pick(
    position: Position,
    power: str,
    order: Order,
    counts: bool,
    pickers: Mapping[str, tuple[str, ...]],
) -> tuple[str, Reason]:
    """Return the result and the reason of one order of a period of picks.

    ``counts``: it is the last pick of its power.
    """
    if not isinstance(order, Pick):
        return ILLEGAL, Reason("wrong-phase")
    if power not in position.board.powers:
        return ILLEGAL, Reason("garrison-holds")
    if not counts:
        return ILLEGAL, Reason(REPLACED)
    fault = _pick_fault(position, power, order)
    if fault:
        return ILLEGAL, Reason(fault)
    others = tuple(other for other in pickers[order.centre] if other != power)
    if others:
        return FAILS, Reason("pick-contested", powers=others)
    return SUCCEEDS, Reason("pick-awarded")


def _pick_fault(position: Position, power: str, pick: Pick) -> str:
    """Return why a pick is void (R30), or "" if it is not."""
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
    """Return the area to which a power's picks are bound: that of a centre it starts with, if any.

    So Candragrupta, which starts with Lahore, picks in India alone; the others pick anywhere.
    """
    areas = (board.provinces[home].area for home in board.powers[power].homes)
    return next(filter(None, areas), "")


# -- deployment (R31) ---------------------------------------------------------------------------


Placed = tuple[Unit | None, str, Reason]
"""The outcome of one order of the deployment: the unit placed, the result, and why."""


def resolve_deployment(position: Position, orders: Mapping[str, Sequence[Order]]) -> PhaseOutcome:
    """Place the first units (R31); what is not ordered is not placed."""
    results: list[OrderOutcome] = []
    reasons: list[Reason] = []
    units = list(position.units)
    room = count_adjustments(position)
    for power, listed in orders.items():
        deployment = _Deployment(position, power, listed, room.get(power, 0))
        placed = deployment.make_general([deployment.carry_out(order) for order in listed])
        for order, (unit, result, reason) in zip(listed, placed, strict=True):
            results.append(OrderOutcome(power, order, unit, result))
            reasons.append(reason)
        units += [unit for unit, _, _ in placed if unit is not None]
    return PhaseOutcome(
        position,
        tuple(results),
        tuple(reasons),
        tuple(units),
        nobility=nobility_after(position, ()),
    )


def list_legal_placements(
    position: Position, power: str, orders: Iterable[Order]
) -> tuple[Order, ...]:
    """Return the orders of the deployment that succeed if the power gives each of them alone."""
    room = count_adjustments(position).get(power, 0)
    alone = ((order, _Deployment(position, power, [order], room)) for order in orders)
    return tuple(order for order, one in alone if one.carry_out(order)[1] == SUCCEEDS)


class _Deployment:
    """One power's deployment.

    ``room``: how many units it may place; ``placed``: what it has placed so far; ``left``: by
    centre, how many of the legal orders for it are still to be taken, since the last one counts.
    """

    def __init__(self, position: Position, power: str, listed: Sequence[Order], room: int) -> None:
        self.position = position
        self.power = power
        self.room = room
        self.placed: list[Unit] = []
        builds = (order for order in listed if isinstance(order, Build))
        self.left = Counter(_centre_of(order) for order in builds if not self._fault(order))

    def carry_out(self, order: Order) -> Placed:
        """Carry out the next order of the list; return its outcome."""
        if self.position.in_revolt(self.power):
            return None, ILLEGAL, Reason("in-revolt")
        if isinstance(order, Build):
            return self._place(order)
        if isinstance(order, Waive):
            return None, SUCCEEDS, Reason("waived")
        return None, ILLEGAL, Reason("wrong-phase")

    def _place(self, order: Build) -> Placed:
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
        """Return why a unit cannot be placed, whatever else is ordered, or "" if it can."""
        position, centre = self.position, _centre_of(order)
        if position.owners.get(centre) != self.power:
            return "build-not-owned"
        if any(unit.province == centre for unit in position.units):
            return "build-occupied"
        return placement_fault(position.board, order.unit[:1], order.unit[2:])

    def _has_general(self) -> bool:
        units = (*self.position.units, *self.placed)
        return any(unit.kind == "G" and unit.power == self.power for unit in units)

    def make_general(self, placed: Sequence[Placed]) -> Sequence[Placed]:
        """Make the first army placed the general, if no general was ordered."""
        if not self.position.board.rules.nobility or self._has_general():
            return placed
        for i, (unit, result, _) in enumerate(placed):
            if unit is not None and unit.kind == "A":
                general = replace(unit, kind="G"), result, Reason("deploys-general")
                return [*placed[:i], general, *placed[i + 1 :]]
        return placed


def _centre_of(order: Build) -> str:
    """Return the province in which a unit is to be placed."""
    return split_location(order.unit[2:])[0]
