"""Bots as the players of a whole game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from alexmagnum.bots.bot import Bot
from alexmagnum.bots.random_player import random_orders
from alexmagnum.orders import Order
from alexmagnum.play.random_game import GiveOrders
from alexmagnum.position import Position


def let_bots_play(bots: Mapping[str, Bot]) -> GiveOrders:
    """Return how bots order for their powers; the random player does for all others."""
    if not bots:
        return random_orders

    def give_orders(position: Position, rng: Random) -> Mapping[str, Sequence[Order]]:
        others = [power for power in position.board.powers if power not in bots]
        given = random_orders(position, rng) if others else dict[str, Sequence[Order]]()
        return {
            power: bots[power].orders(position, power, rng) if power in bots else given[power]
            for power in position.board.powers
            if power in bots or power in given
        }

    return give_orders
