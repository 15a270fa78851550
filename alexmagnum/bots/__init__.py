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

from collections.abc import Callable, Mapping

from alexmagnum.bots.blend import BlendBot
from alexmagnum.bots.bot import Bot
from alexmagnum.bots.dumb import DumbBot
from alexmagnum.bots.random_bot import RandomBot
from alexmagnum.bots.search import SearchBot
from alexmagnum.errors import AlexMagnumError

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
