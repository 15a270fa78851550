"""Bots for the lab that contest Chandragupta's picks, as the rules advise the other powers to do.

The bots of alexmagnum leave India to Chandragupta, because they want centres near their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from alexmagnum.bots import Bot, load_bot
from alexmagnum.judge.other_phases import list_legal_picks
from alexmagnum.orders import Order, Pick
from alexmagnum.position import Position

AREA = "india"
"""The area in which Chandragupta has to pick."""
ONE_IN = 5
"""Each other power names a centre of the area once in so many picks."""


class ContestedPicks:
    """Plays as another bot, but for the picks."""

    def __init__(self, name: str) -> None:
        self.name = f"{name} with contested picks"
        self._bot: Bot = load_bot(name)

    def orders(self, position: Position, power: str, rng: Random) -> Sequence[Order]:
        """Return a power's orders; see :class:`alexmagnum.bots.Bot`.

        Chandragupta picks any open centre of India, each as likely as the others. So does every
        other power, once in ``ONE_IN`` picks.
        """
        board = position.board
        is_bound = any(board.provinces[home].area == AREA for home in board.powers[power].homes)
        if position.phase.kind == "picks" and (is_bound or rng.randrange(ONE_IN) == 0):
            centres = [c for c in board.centres if board.provinces[c].area == AREA]
            legal = list_legal_picks(position, power, map(Pick, centres))
            if legal:
                return [rng.choice(legal)]
        return self._bot.orders(position, power, rng)


def dumb() -> ContestedPicks:
    """Return *dumb* with contested picks."""
    return ContestedPicks("dumb")


def blend() -> ContestedPicks:
    """Return *blend* with contested picks."""
    return ContestedPicks("blend")
