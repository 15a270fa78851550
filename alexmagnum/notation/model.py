"""The values that reading a text returns: its lines, and what each line was read as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from alexmagnum.errors import NotationError
from alexmagnum.orders import Order

ACCEPT, REFUSE = "accept", "refuse"


@dataclass(frozen=True, slots=True)
class NotationSettings:
    """The leniency of reading.

    With ``fuzzy`` set to ``"accept"`` a misspelt name is read as the one clearly nearest, with a
    notice; with ``"refuse"`` it is unreadable, with suggestions.
    """

    fuzzy: str = ACCEPT


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the writer of a valid order should know: a code and the data of its sentence."""

    code: str
    data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text, or a part of one, as written and as read.

    It is exactly one of these: an ``order``, an ``error``, or ``prose`` (a greeting, a heading, an
    empty line).  ``replaced`` is set if a later order for the same unit counts instead, ``rest`` if
    the line orders all units that have no order of their own.  ``bare`` marks an order that is only
    the name of a centre, which a signature may be too; ``signed`` prose that is one, or a closing.
    ``corrects`` marks an order that takes back the one before it (``anzi no, F TIR``).
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
    bare: bool = False
    signed: bool = False
    corrects: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that was read, line by line."""

    lines: tuple[Line, ...]

    @property
    def orders(self) -> Mapping[str, tuple[Order, ...]]:
        """The orders that count, by power, in the sequence in which they are written."""
        orders: dict[str, tuple[Order, ...]] = {}
        for line in self.lines:
            if line.order is not None and line.power is not None and not line.replaced:
                orders[line.power] = (*orders.get(line.power, ()), line.order)
        return orders
