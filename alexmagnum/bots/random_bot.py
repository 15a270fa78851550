"""The bot *random*: it decides by chance, but never orders what is impossible."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from alexmagnum.bots.random_player import DECISIONS
from alexmagnum.judge.checking import list_possible_orders
from alexmagnum.orders import Order
from alexmagnum.position import Position


class RandomBot:
    """The random player of whole games, without the impossible orders that it gives on purpose."""

    name = "random"

    def orders(self, position: Position, power: str, rng: Random) -> Sequence[Order]:
        """Return a power's orders; see :class:`~alexmagnum.bots.bot.Bot`."""
        if position.in_revolt(power):
            return []
        listed = list(DECISIONS[position.phase.kind](position, power, rng))
        return list_possible_orders(position, power, listed)
