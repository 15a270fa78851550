"""The bots *search* and *blend*, which improve plans of *dumb* against what others may order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final
from zlib import crc32

from alexmagnum.bots.dumb import DumbBot, MovementPlan
from alexmagnum.bots.outlook import CENTRE, Prospects
from alexmagnum.bots.rehearsal import (
    Improvement,
    OrderSet,
    Rehearsal,
    Replies,
    draw_order_sets,
    list_active_powers,
    match_regrets,
)
from alexmagnum.campaign import ending, next_position
from alexmagnum.judge import adjudicate
from alexmagnum.judge.batch import Batch
from alexmagnum.orders import Order
from alexmagnum.position import Position

# The bot *search*: it plays its best order sets on against what the others may order.
#
# Open this for how *search* decides in a movement phase. Order sets of every power are drawn from
# *dumb*'s plans, and regret matching over the batch judge says which of them the others will
# rather give. Against these, the bot improves its own as *blend* does; then the best are played
# on.


_WIN: Final = 60 * CENTRE
_LOSS: Final = -10 * CENTRE
"""The worth of a game that ends."""


class SearchBot:
    """A bot that looks a year ahead in movement phases; in all others it plays as *dumb*.

    ``sets``: how many order sets of each power are drawn; ``replies``: how many sets of all others'
    orders the own ones are tried against; ``tries``: how many of its own are played on, and
    ``years``: how far.
    """

    name = "search"

    def __init__(self, sets: int = 16, replies: int = 4, tries: int = 3, years: int = 1) -> None:
        self._sets, self._replies, self._tries, self._years = sets, replies, tries, years
        self._dumb = DumbBot()
        self._rollout = DumbBot()

    def orders(self, position: Position, power: str, rng: Random) -> Sequence[Order]:
        """Return a power's orders; see :class:`~alexmagnum.bots.Bot`."""
        powers = list_active_powers(position)
        if position.phase.kind != "movement" or power not in powers:
            return self._dumb.orders(position, power, rng)
        outlook = self._dumb.look_at(position)
        rehearsal = Rehearsal(outlook)
        drawn = {p: draw_order_sets(outlook, p, rng, self._sets) for p in powers}
        rehearsal.replies = self._draw_replies(rehearsal, drawn, rng)
        own = self._list_candidates(rehearsal, power, drawn[power], rng)
        return own[0] if len(own) == 1 else self._choose(rehearsal, power, own, rng)

    def _draw_replies(
        self, rehearsal: Rehearsal, drawn: Mapping[str, Sequence[OrderSet]], rng: Random
    ) -> Replies:
        """Return sets of all powers' orders: half as *dumb* gives them, half by regret matching."""
        shares = match_regrets(rehearsal, drawn, rng)
        return [
            {
                power: rng.choices(listed, shares[power] if i % 2 else None)[0]
                for power, listed in drawn.items()
            }
            for i in range(self._replies)
        ]

    def _list_candidates(
        self, rehearsal: Rehearsal, power: str, drawn: Sequence[OrderSet], rng: Random
    ) -> list[OrderSet]:
        """Return different order sets, each improved from a drawn one, the best first."""
        improvement = Improvement(rehearsal, power, drawn)
        starts = sorted(drawn, key=improvement.rate, reverse=True)[: self._tries]
        improved = dict.fromkeys(improvement.improve(start, rng) for start in starts)
        return sorted(improved, key=improvement.rate, reverse=True)

    def _choose(
        self, rehearsal: Rehearsal, power: str, own: Sequence[OrderSet], rng: Random
    ) -> OrderSet:
        """Return the order set that does best when it is played on."""
        totals = [0] * len(own)
        for reply in rehearsal.replies:
            seed = rng.getrandbits(32)  # the same chances for every set
            for i, orders in enumerate(own):
                joint = {**reply, power: orders}
                totals[i] += self._play_on(rehearsal.outlook.position, power, joint, seed)
        return own[max(range(len(own)), key=totals.__getitem__)]

    def _play_on(
        self, position: Position, power: str, orders: Mapping[str, Sequence[Order]], seed: int
    ) -> int:
        """Return what some orders are worth to a power after a year of *dumb* for everybody."""
        rng = Random(seed)
        year = position.phase.year
        while True:
            outcome = adjudicate(position, orders)
            following = next_position(outcome)
            if following is None:
                end = ending(outcome)
                return _WIN if end is not None and power in end.winners else _LOSS
            position = following
            years = abs(position.phase.year - year)
            if years >= self._years and position.phase.kind == "movement":
                return self._measure(position, power)
            orders = {
                p: self._rollout.orders(position, p, rng)
                for p in position.board.powers
                if not position.in_revolt(p)
            }

    def _measure(self, position: Position, power: str) -> int:
        """Return what a position in spring is worth to a power."""
        batch = Batch(position)
        outlook = self._rollout.look_at(position)
        prospects = Prospects(outlook, batch.units, in_spring=False)
        return prospects.measure(batch.places, prospects.number_of[power])


# The bot *blend*: it improves *dumb*'s plans against what the others may order.
#
# Open this for how *blend* decides in a movement phase.


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
        """Return a power's orders; see :class:`~alexmagnum.bots.Bot`."""
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
                {p: tuple(MovementPlan(outlook, p, rng).list_orders()) for p in powers}
                for _ in range(self._replies)
            ]
        return known
