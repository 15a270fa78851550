"""The judge: what the orders of a phase come to, as a pure function of position and orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alexmagnum.judge.knots import untie
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.outcome import OrderOutcome, Outcome, Reason
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.judge.retreats import resolve_retreats
from alexmagnum.judge.sheet import Sheet
from alexmagnum.judge.unbuilt import refuse_unbuilt
from alexmagnum.judge.winter import resolve_winter
from alexmagnum.orders import Order
from alexmagnum.position import Position

__all__ = ["OrderOutcome", "Outcome", "Reason", "adjudicate"]


def adjudicate(position: Position, orders: Mapping[str, Sequence[Order]]) -> Outcome:
    """Resolve the phase of ``position``: movement, retreats or winter.

    ``orders`` maps a power's id to its orders in the order written; units without one hold (in
    retreats: are lost; in winter: builds are waived, removals follow civil disorder).  Orders
    that cannot be are no error: their result says so.

    Raises:
        NotBuilt: the position or an order needs a special rule that is not played yet.
    """
    refuse_unbuilt(position, orders)
    kind = position.phase.kind
    if kind == "retreats":
        return resolve_retreats(position, orders)
    if kind == "winter":
        return resolve_winter(position, orders)
    movement = Movement(Sheet(position, orders))
    untie(movement)
    return MovementOutcome(position, movement)
