"""The bot *blend*: it improves *dumb*'s plans against what the others may order.

Open this for how *blend* decides in a movement phase.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from zlib import crc32

from alexmagnum.bots.dumb import DumbBot
from alexmagnum.bots.order_sets import draw_order_set, draw_order_sets, list_active_powers
from alexmagnum.bots.rehearsal import Improvement, Rehearsal
from alexmagnum.orders import Order
from alexmagnum.position import Position


class BlendBot:
    """A bot that looks one movement phase ahead; in all others it plays as *dumb*.

    ``sets``: how many plans of its own it begins with; ``replies``: how many sets of all others'
    orders it tries them against.  What it knows of the last position is kept.
    """

    name = "blend"

    def __init__(self, sets: int = 24, replies: int = 2) -> None:
        self._sets, self._replies = sets, replies
        self._dumb = DumbBot()
        self._rehearsal: Rehearsal | None = None

    def orders(self, position: Position, power: str, rng: Random) -> Sequence[Order]:
        """Return a power's orders; see :class:`~alexmagnum.bots.bot.Bot`."""
        if position.phase.kind != "movement" or power not in list_active_powers(position):
            return self._dumb.orders(position, power, rng)
        rehearsal = self._rehearse(position)
        drawn = draw_order_sets(rehearsal.outlook, power, rng, self._sets)
        improvement = Improvement(rehearsal, power, drawn)
        return improvement.improve(max(drawn, key=improvement.rate), rng)

    def _rehearse(self, position: Position) -> Rehearsal:
        """Return the replies that all powers see in a position; they depend on it alone."""
        outlook = self._dumb.look_at(position)
        known = self._rehearsal
        if known is None or known.outlook is not outlook:
            known = self._rehearsal = Rehearsal(outlook)
            rng = Random(crc32(position.to_text().encode()))
            powers = list_active_powers(position)
            known.replies = [
                {power: draw_order_set(outlook, power, rng) for power in powers}
                for _ in range(self._replies)
            ]
        return known
