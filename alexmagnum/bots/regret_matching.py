"""Regret matching over the order sets of all powers, with the batch judge.

Each power gives the order sets more often that it regrets not having given (Hart and Mas-Colell
2000); the shares come close to an equilibrium that no power gains much by leaving.  All figures
are whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from random import Random
from typing import Final

from alexmagnum.bots.order_sets import OrderSet
from alexmagnum.bots.rehearsal import Rehearsal

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
