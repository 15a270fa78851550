"""Orders that stand only in what was taken out of a letter: never counted, always told."""

from __future__ import annotations

from alexmagnum.mail.parsing.lines import plain_lines
from alexmagnum.notation import read_orders
from alexmagnum.orders import Order
from alexmagnum.position import Position


def orders_left_out(removed: str, position: Position, power: str) -> tuple[Order, ...]:
    """The orders of a power in what was taken for quotation or signature.

    ``>`` is also a sign for a move, and some people write below a signature: where a letter has
    no orders of its own, perhaps these were meant.
    """
    text = "\n".join(line.text for line in plain_lines(removed))
    return read_orders(text, position, power).orders.get(power, ())
