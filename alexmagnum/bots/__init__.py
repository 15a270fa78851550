"""Players by program: from a position to the orders of a power.

>>> from random import Random
>>> from alexmagnum.board import load_board
>>> from alexmagnum.bots import load_bot
>>> from alexmagnum.campaign import first_position
>>> position = first_position(load_board("standard"))
>>> len(load_bot("dumb").orders(position, "Italy", Random(1)))
3
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Protocol

from alexmagnum.bots.dumb import DumbBot
from alexmagnum.bots.random_player import DECISIONS
from alexmagnum.bots.search import BlendBot, SearchBot
from alexmagnum.errors import AlexMagnumError
from alexmagnum.judge.checking import list_possible_orders
from alexmagnum.orders import Order
from alexmagnum.position import Position


class Bot(Protocol):
    """A bot, which may play any power of any game; ``name`` is what commands and plans call it."""

    @property
    def name(self) -> str: ...

    def orders(self, position: Position, power: str, rng: Random) -> Sequence[Order]:
        """Return the orders of a power for the open phase, of whatever kind it is.

        They depend on the position, the power and the random numbers alone: the same generator
        gives the same orders.  None of them is illegal.  A power in revolt orders nothing (R3).
        """


class RandomBot:
    """The random player of whole games, without the impossible orders that it gives on purpose."""

    name = "random"

    def orders(self, position: Position, power: str, rng: Random) -> Sequence[Order]:
        """Return a power's orders; see :class:`Bot`."""
        if position.in_revolt(power):
            return []
        listed = list(DECISIONS[position.phase.kind](position, power, rng))
        return list_possible_orders(position, power, listed)


BOTS: Mapping[str, Callable[[], Bot]] = {
    "random": RandomBot,
    "dumb": DumbBot,
    "blend": BlendBot,
    "search": SearchBot,
}
"""The bots by name, the weakest first."""


def load_bot(name: str) -> Bot:
    """Return a new bot.

    Raises:
        AlexMagnumError: no-such-bot, with the names that there are.
    """
    if name not in BOTS:
        raise AlexMagnumError("no-such-bot", name=name, known=", ".join(BOTS))
    return BOTS[name]()


__all__ = ["BOTS", "BlendBot", "Bot", "DumbBot", "RandomBot", "SearchBot", "load_bot"]
