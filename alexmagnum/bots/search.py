"""The bots *search* and *blend*, which improve plans of *dumb* against what others may order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from random import Random
from typing import Final
from zlib import crc32

from alexmagnum.board.geography import split_location
from alexmagnum.bots.dumb import STEADY, DumbBot, MovementPlan
from alexmagnum.bots.outlook import CENTRE, Outlook, Prospects
from alexmagnum.campaign import ending, next_position
from alexmagnum.judge import adjudicate
from alexmagnum.judge.batch import Batch
from alexmagnum.orders import Move, MovementOrder, Order, Support
from alexmagnum.position import AUTUMN, Position

# Order sets of a power for a movement phase, drawn from the plans of *dumb*.


OrderSet = tuple[MovementOrder, ...]

_STEADINESS: Final = (STEADY, 2.0, 0.7)  # of the plans that order sets are drawn from, in turn


def draw_order_sets(outlook: Outlook, power: str, rng: Random, count: int) -> list[OrderSet]:
    """Return different order sets of a power, at most ``count``; some are steadier than others."""
    drawn = [
        tuple(MovementPlan(outlook, power, rng, _STEADINESS[i % 3]).list_orders())
        for i in range(count)
    ]
    return list(dict.fromkeys(drawn))


def list_active_powers(position: Position) -> list[str]:
    """Return the powers that have units and are not in revolt."""
    return [
        power
        for power in position.board.powers
        if position.units_of(power) and not position.in_revolt(power)
    ]


# Trying order sets of a power against orders that the other powers may give.
#
# Open this for how *blend* finds its orders: it begins with plans of *dumb*, and changes the
# order of one unit after the other as long as that helps.


Replies = list[dict[str, OrderSet]]

_CLEARLY: Final = 400
"""The rating by which an order set is so far behind another that no more replies are tried."""


class Rehearsal:
    """A position, and replies: some sets of orders that all powers may give there."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.batch = Batch(outlook.position)
        in_spring = outlook.position.phase.season != AUTUMN
        self.prospects = Prospects(outlook, self.batch.units, in_spring)
        self.replies: Replies = []

    def rate(
        self, power: str, orders: Sequence[MovementOrder], reply: Mapping[str, OrderSet]
    ) -> int:
        """Return how good the prospects of a power are with some orders against a reply."""
        joint: dict[str, Sequence[Order]] = {**reply}
        joint[power] = orders
        self.batch.judge(joint)
        return self.prospects.measure(self.batch.places, self.prospects.number_of[power])


class Improvement:
    """The search of a power for better orders, by changing the order of one unit at a time.

    ``drawn``: order sets, whose orders are tried for their units.
    """

    def __init__(self, rehearsal: Rehearsal, power: str, drawn: Sequence[OrderSet]) -> None:
        self._rehearsal = rehearsal
        self._power = power
        self._drawn = drawn
        self._replies: Replies = rehearsal.replies
        self._ratings: dict[OrderSet, list[int]] = {}
        self._names: list[str] = [order.unit for order in drawn[0]]
        self._provinces: list[str] = [
            rehearsal.outlook.position.names[name].province for name in self._names
        ]

    def rate(self, orders: OrderSet) -> int:
        """Return the rating of an order set against all replies."""
        return self._rate_unless_worse(orders, None)[-1]

    def improve(self, best: OrderSet, rng: Random) -> OrderSet:
        """Return an order set that no change of a unit's order was found to better."""
        ratings = self._rate_unless_worse(best, None)
        turns = list(range(len(best)))
        rng.shuffle(turns)
        for i in turns:
            for order in self._list_others(i, best):
                trial = (*best[:i], order, *best[i + 1 :])
                found = self._rate_unless_worse(trial, ratings)
                if len(found) == len(ratings) and found[-1] > ratings[-1]:
                    best, ratings = trial, found
        return best

    def _rate_unless_worse(self, orders: OrderSet, better: list[int] | None) -> list[int]:
        """Return the sums of an order set's ratings, reply by reply; they are kept."""
        sums = self._ratings.get(orders)
        if sums is not None and (better is not None or len(sums) == len(self._replies)):
            return sums
        sums = []
        total = 0
        for reply in self._replies:
            total += self._rehearsal.rate(self._power, orders, reply)
            sums.append(total)
            if better is not None and total < better[len(sums) - 1] - _CLEARLY:
                break  # the other order set is clearly ahead
        self._ratings[orders] = sums
        return sums

    def _list_others(self, i: int, orders: OrderSet) -> list[MovementOrder]:
        """Return other orders for a unit: drawn ones, and supports of what the others do."""
        found: dict[MovementOrder, None] = {drawn[i]: None for drawn in self._drawn}
        for j in range(len(orders)):
            if j != i and self._can_support(i, j, orders[j]):
                order = orders[j]
                to = order.to if isinstance(order, Move) else None
                found[Support(self._names[i], self._names[j], to)] = None
        found.pop(orders[i], None)
        return list(found)

    def _can_support(self, i: int, j: int, order: MovementOrder) -> bool:
        """Tell whether a unit can support another one in what that one does (R14)."""
        outlook = self._rehearsal.outlook
        tables = outlook.weights.tables
        unit = outlook.position.names[self._names[i]]
        to = split_location(order.to)[0] if isinstance(order, Move) else self._provinces[j]
        province = tables.index[to]
        if unit.kind == "F":
            return bool(tables.fleet_reach[tables.location[unit.location] * tables.n + province])
        return bool(tables.army_next[tables.index[unit.province] * tables.n + province])


# Regret matching over the order sets of all powers, with the batch judge.
#
# Each power gives the order sets more often that it regrets not having given (Hart and Mas-Colell
# 2000); the shares come close to an equilibrium that no power gains much by leaving. All figures
# are whole numbers.


_ROUNDS: Final = 12
_ONE: Final = 1 << 16  # a share of 1


def match_regrets(
    rehearsal: Rehearsal, order_sets: Mapping[str, Sequence[OrderSet]], rng: Random
) -> dict[str, list[int]]:
    """Return how often each power gives each of its order sets, as shares of one number."""
    regrets = {power: [0] * len(listed) for power, listed in order_sets.items()}
    sums = {power: [0] * len(listed) for power, listed in order_sets.items()}
    for _ in range(_ROUNDS):
        mixed = {power: _mix(listed) for power, listed in regrets.items()}
        joint = {p: rng.choices(order_sets[p], shares)[0] for p, shares in mixed.items()}
        for power, shares in mixed.items():
            values = [rehearsal.rate(power, orders, joint) for orders in order_sets[power]]
            mean = sum(map(mul, shares, values)) // sum(shares)
            for i, value in enumerate(values):
                regrets[power][i] += value - mean
                sums[power][i] += shares[i]
    return sums


def _mix(regrets: Sequence[int]) -> list[int]:
    """Return shares in proportion to the regrets; equal ones if nothing is regretted."""
    positive = [max(regret, 0) for regret in regrets]
    if (total := sum(positive)) == 0:
        return [_ONE // len(regrets)] * len(regrets)
    return [_ONE * regret // total for regret in positive]


# The bot *search*: it plays its best order sets on against what the others may order.
#
# Open this for how *search* decides in a movement phase. Order sets of every power are drawn from
# *dumb*'s plans, and regret matching over the batch judge says which of them the others will
# rather give. Against these, the bot improves its own as *blend* does; then the best are played
# on.


_WIN: Final = 60 * CENTRE  # the worth of a game that is won
_LOSS: Final = -10 * CENTRE  # and of one that is lost


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
            if (following := next_position(outcome)) is None:
                end = ending(outcome)
                return _WIN if end is not None and power in end.winners else _LOSS
            position = following
            if abs(position.phase.year - year) >= self._years and position.phase.kind == "movement":
                return self._measure(position, power)
            orders = {
                p: self._rollout.orders(position, p, rng)
                for p in position.board.powers
                if not position.in_revolt(p)
            }

    def _measure(self, position: Position, power: str) -> int:
        """Return what a position in spring is worth to a power."""
        batch = Batch(position)
        prospects = Prospects(self._rollout.look_at(position), batch.units, in_spring=False)
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
