"""The protocol of a player by program."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

from alexmagnum.orders import Order
from alexmagnum.position import Position


class Bot(Protocol):
    """A player by program; one instance may play any power of any game.

    ``name`` is what commands and plans call it.
    """

    @property
    def name(self) -> str: ...

    def orders(self, position: Position, power: str, rng: Random) -> Sequence[Order]:
        """Return the orders of a power for the open phase, of whatever kind it is.

        They depend on the position, the power and the random numbers alone: the same generator
        gives the same orders.  None of them is illegal.  A power in revolt orders nothing (R3).
        """
