"""Search for orders in the removed parts of a mail; they never count, the receipt lists them."""

from __future__ import annotations

from alexmagnum.mail.parsing.quoted_lines import split_lines
from alexmagnum.notation import read_orders
from alexmagnum.orders import Order
from alexmagnum.position import Position


def find_removed_orders(removed: str, position: Position, power: str) -> tuple[Order, ...]:
    """Return the orders of a power in text that was taken for quotation or signature.

    ``>`` may also stand for a move, and some people write below their signature. If a mail has no
    other orders, the player may have meant these.
    """
    text = "\n".join(line.text for line in split_lines(removed))
    return read_orders(text, position, power).orders.get(power, ())
