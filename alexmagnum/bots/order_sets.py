"""Order sets of a power for a movement phase, drawn from the plans of *dumb*."""

from __future__ import annotations

from random import Random
from typing import Final

from alexmagnum.bots.movement_plan import STEADY, MovementPlan
from alexmagnum.bots.outlook import Outlook
from alexmagnum.orders import MovementOrder
from alexmagnum.position import Position

OrderSet = tuple[MovementOrder, ...]

_STEADINESS: Final = (STEADY, 2.0, 0.7)
"""The steadiness of the plans that order sets are drawn from, in turn."""


def draw_order_set(outlook: Outlook, power: str, rng: Random) -> OrderSet:
    """Return orders as *dumb* gives them."""
    return tuple(MovementPlan(outlook, power, rng).list_orders())


def draw_order_sets(outlook: Outlook, power: str, rng: Random, count: int) -> list[OrderSet]:
    """Return different order sets of a power, at most ``count``; some are steadier than others."""
    drawn = [
        tuple(MovementPlan(outlook, power, rng, _STEADINESS[i % 3]).list_orders())
        for i in range(count)
    ]
    return list(dict.fromkeys(drawn))


def list_active_powers(position: Position) -> list[str]:
    """Return the powers that have units and are not in revolt."""
    return [
        power
        for power in position.board.powers
        if position.units_of(power) and not position.in_revolt(power)
    ]
