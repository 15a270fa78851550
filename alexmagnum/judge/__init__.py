"""The judge: what the orders of a phase come to, as a pure function of position and orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alexmagnum.judge.knots import untie
from alexmagnum.judge.legality import Legality
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.outcome import OrderOutcome, Outcome, Reason
from alexmagnum.judge.phases import RESOLVERS
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.judge.sheet import Sheet
from alexmagnum.orders import Order
from alexmagnum.position import Position

__all__ = ["OrderOutcome", "Outcome", "Reason", "adjudicate", "resolve_movement"]


def adjudicate(position: Position, orders: Mapping[str, Sequence[Order]]) -> Outcome:
    """Resolve the phase of ``position``: movement, retreats, winter, picks or deployment.

    ``orders`` maps a power's id to its orders in the order written; units without one hold (in
    retreats: are lost; in winter: builds are waived, removals follow civil disorder).  Orders
    that cannot be are no error: their result says so.
    """
    resolve = RESOLVERS.get(position.phase.kind)
    if resolve is not None:
        return resolve(position, orders)
    return resolve_movement(position, orders)


def resolve_movement(
    position: Position, orders: Mapping[str, Sequence[Order]], legality: Legality | None = None
) -> MovementOutcome:
    """What :func:`adjudicate` makes of a movement phase.

    ``legality``: that of the position, kept by who tries many orders on it
    (:class:`~alexmagnum.judge.legality.Memory`).
    """
    movement = Movement(Sheet(position, orders, legality))
    untie(movement)
    return MovementOutcome(position, movement)
