"""Tests whether all powers win equally often, and each power's own part in the answer."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import stats

from alexmagnum.lab.intervals import Numbers, adjust_for_many

FEW = 5.0
"""Expected victories of a power below which the chi-square distribution is too rough."""

SHUFFLES = 20_000
"""Shuffled samples that then take its place."""


@dataclass(frozen=True, slots=True)
class EqualityTest:
    """The test against equal shares of the victories.

    Attributes:
        statistic: the sum of squared distances from par, in units of their variance under equality.
        freedom: its degrees of freedom.
        p_value: the chance of a sample at least as uneven if all powers were equal.
        shuffled: whether that chance was counted in shuffled samples.
        powers: the same chance for each power alone, adjusted for there being several.
    """

    statistic: float
    freedom: int
    p_value: float
    shuffled: bool
    powers: tuple[float, ...]


def check_equality(shares: Numbers) -> EqualityTest | None:
    """Test shares of victories, a row a game and a column a power; None if nothing can be tested.

    If all powers were equal, the shares of each game might as well have gone to them in any other
    order.  With whole victories alone this is Pearson's chi-square test; shared ones need no other.
    """
    powers = shares.shape[1] if shares.size else 0
    if powers < 2:
        return None
    variance = float(shares.var(axis=1).sum())
    if variance <= 1e-12:
        return None
    sums = shares.sum(axis=0)
    off = sums - sums.mean()
    statistic = float(np.square(off).sum()) * (powers - 1) / (powers * variance)
    few = float(sums.mean()) < FEW
    p_value = (
        _shuffled_chance(shares, float(np.square(off).sum()))
        if few
        else float(stats.chi2.sf(statistic, powers - 1))
    )
    alone = [float(2 * stats.norm.sf(abs(float(d)) / sqrt(variance))) for d in off]
    return EqualityTest(statistic, powers - 1, p_value, few, tuple(adjust_for_many(alone)))


def _shuffled_chance(shares: Numbers, observed: float) -> float:
    """Return how often shares shuffled within each game are at least as uneven as these."""
    rng = np.random.default_rng(1)
    powers = shares.shape[1]
    sums = np.zeros((SHUFFLES, powers))
    for game in shares:
        sums += rng.permuted(np.broadcast_to(game, (SHUFFLES, powers)), axis=1)
    uneven = np.square(sums - sums.mean(axis=1, keepdims=True)).sum(axis=1)
    return float((1 + np.count_nonzero(uneven >= observed - 1e-9)) / (1 + SHUFFLES))


def estimate_spread(shares: Numbers) -> float:
    """Return how far the powers' chances are from equal: their standard deviation, as a share.

    Chance alone makes shares differ in any sample; that much is taken off.
    """
    games = len(shares)
    if games < 2:
        return 0.0
    chance = float(shares.var(axis=0, ddof=1).mean()) / games
    return sqrt(max(0.0, float(shares.mean(axis=0).var()) - chance))
