"""Order sets of a power tried against orders of the others, for *search* and *blend*."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from random import Random
from typing import Final

from alexmagnum.board.geography import split_location
from alexmagnum.bots.dumb import STEADY, MovementPlan
from alexmagnum.bots.outlook import Outlook, Prospects
from alexmagnum.judge.batch import Batch
from alexmagnum.orders import Move, MovementOrder, Order, Support
from alexmagnum.position import AUTUMN, Position

# Order sets of a power for a movement phase, drawn from the plans of *dumb*.


OrderSet = tuple[MovementOrder, ...]

_STEADINESS: Final = (STEADY, 2.0, 0.7)
"""The steadiness of the plans that order sets are drawn from, in turn."""


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
        """Return the sums of an order set's ratings, reply by reply; they are kept.

        The sums end early if an order set with ``better`` ones is clearly ahead.
        """
        sums = self._ratings.get(orders)
        if sums is not None and (better is not None or len(sums) == len(self._replies)):
            return sums
        sums = []
        total = 0
        for reply in self._replies:
            total += self._rehearsal.rate(self._power, orders, reply)
            sums.append(total)
            if better is not None and total < better[len(sums) - 1] - _CLEARLY:
                break
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
_ONE: Final = 1 << 16
"""A share of 1."""


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
    total = sum(positive)
    if total == 0:
        return [_ONE // len(regrets)] * len(regrets)
    return [_ONE * regret // total for regret in positive]
