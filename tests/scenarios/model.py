"""The type of a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alexmagnum.orders import MovementOrder
from alexmagnum.position import Position

Orders = Mapping[str, Sequence[MovementOrder]]


@dataclass(frozen=True)
class Scenario:
    """A position before a movement phase with the orders of every power."""

    position: Position
    orders: Orders
