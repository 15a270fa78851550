"""One movement phase from its orders to its outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from alexmagnum.judge.knots import decide_everything
from alexmagnum.judge.legality import Legality
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.resolver import Resolver
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
    return _resolve_sheet(position, lay_out_orders(position, orders))


def resolve_movement(
    position: Position, orders: Mapping[str, Sequence[Order]], legality: Legality | None = None
) -> MovementOutcome:
    """Resolve a movement phase as :func:`alexmagnum.judge.adjudicate` does.

    ``legality``: that of the position, kept by a caller that tries many orders on it
    (:class:`~alexmagnum.judge.legality.Memory`).
    """
    return _resolve_sheet(position, Sheet(position, orders, legality))


def decide_movement(position: Position, orders: Mapping[str, Sequence[Order]]) -> Movement:
    """Decide the orders of a movement phase, which are sound."""
    return _decide_sheet(Sheet(position, orders))


def _resolve_sheet(position: Position, sheet: Sheet) -> MovementOutcome:
    """Resolve a movement phase whose orders are laid out."""
    return MovementOutcome(position, _decide_sheet(sheet))


def _decide_sheet(sheet: Sheet) -> Movement:
    resolver = Resolver(sheet)
    decide_everything(resolver)
    return resolver
