"""What reading a text comes to: its lines, and what each was taken for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from alexmagnum.errors import NotationError
from alexmagnum.orders import Order

ACCEPT, REFUSE = "accept", "refuse"


@dataclass(frozen=True, slots=True)
class NotationSettings:
    """How lenient reading is: ``fuzzy`` is ``"accept"`` (a misspelt name is read as the one
    clearly nearest, with a notice) or ``"refuse"`` (it is unreadable, with suggestions)."""

    fuzzy: str = ACCEPT


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about an order that counts which its writer should know: a code and its data."""

    code: str
    data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or a part of one, as written, and what it was taken for.

    Exactly one of these holds: it is an ``order``, an ``error``, or ``prose`` (a greeting, a
    heading, an empty line).  ``replaced`` tells that a later order for the same unit counts,
    ``rest`` that the line orders all units that have no order of their own.
    """

    number: int
    text: str
    power: str | None = None
    order: Order | None = None
    error: NotationError | None = None
    notices: tuple[Notice, ...] = ()
    prose: bool = False
    replaced: bool = False
    rest: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as read, line by line."""

    lines: tuple[Line, ...]

    @property
    def orders(self) -> Mapping[str, tuple[Order, ...]]:
        """The orders that count, by power, in the order written."""
        orders: dict[str, tuple[Order, ...]] = {}
        for line in self.lines:
            if line.order is not None and line.power is not None and not line.replaced:
                orders[line.power] = (*orders.get(line.power, ()), line.order)
        return orders
