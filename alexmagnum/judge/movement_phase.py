"""One movement phase from its orders to its outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from alexmagnum.judge.knots import decide_everything
from alexmagnum.judge.movement import Resolver
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.judge.sheet import Sheet
from alexmagnum.judge.validation import lay_out_orders
from alexmagnum.orders import Order
from alexmagnum.position import Position


def adjudicate_movement(position: Position, orders: Mapping[Any, Any]) -> MovementOutcome:
    """Resolve a movement phase of a sound position.

    Raises:
        BadOrders: as :func:`alexmagnum.judge.adjudicate`.
    """
    return MovementOutcome(position, decide_sheet(lay_out_orders(position, orders)))


def resolve_movement(position: Position, orders: Mapping[str, Sequence[Order]]) -> MovementOutcome:
    """Resolve a movement phase as :func:`alexmagnum.judge.adjudicate` does."""
    return MovementOutcome(position, decide_sheet(Sheet(position, orders)))


def decide_movement(position: Position, orders: Mapping[str, Sequence[Order]]) -> Resolver:
    """Decide the orders of a movement phase, which are sound."""
    return decide_sheet(Sheet(position, orders))


def decide_sheet(sheet: Sheet) -> Resolver:
    """Decide the orders of a movement phase that are laid out."""
    resolver = Resolver(sheet)
    decide_everything(resolver)
    return resolver
