"""Estimates with their intervals, tests of equality, and the sizes of samples that answer.

A game is the unit of every interval: what the powers of one game won, or what several seats of one
bot won in it, is never counted as several observations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

LEVEL = 0.95
"""The level of every interval."""

Z = float(stats.norm.ppf(1 - (1 - LEVEL) / 2))
"""How many standard errors an interval reaches to each side in a large sample: 1.96."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval of :data:`LEVEL`.

    ``low`` and ``high`` are None if the sample says nothing about how far off the value may be: a
    mean of one game.
    """

    value: float
    low: float | None
    high: float | None
    games: int

    def cut(self, most: float = inf) -> Estimate:
        """Return the estimate with its interval cut at 0 and at ``most``."""
        if self.low is None or self.high is None:
            return self
        return replace(self, low=max(0.0, self.low), high=min(most, self.high))

    def excludes(self, value: float) -> bool:
        """Tell whether a value lies outside the interval; without an interval none does."""
        return self.low is not None and self.high is not None and not self.low <= value <= self.high


def estimate_share(won: Sequence[float] | Numbers, seats: Sequence[int] | None = None) -> Estimate:
    """Return the share of what can be won that was won, by Wilson's interval.

    Each game gives one number from 0 to its ``seats`` (1, unless said).  Several seats of a bot, or
    a half of a shared victory, make the games differ less or more than whole victories would; so
    the interval is that of as many whole victories as have the same variance (design effect).
    """
    parts = np.asarray(won, dtype=float)
    places = np.ones(len(parts)) if seats is None else np.asarray(seats, dtype=float)
    games, total = len(parts), float(places.sum())
    if not games or not total:
        return Estimate(0.0, None, None, games)
    share = float(parts.sum()) / total
    low, high = wilson_interval(share, total / _design_effect(parts, places, share))
    return Estimate(share, low, high, games)


def _design_effect(parts: Numbers, places: Numbers, share: float) -> float:
    """Return the variance of a share, in that of as many whole victories one by one.

    Shares that never vary in the sample say nothing about their variance; they count as victories.
    """
    plain = share * (1 - share) * float(places.sum())
    clustered = float(np.square(parts - share * places).sum())
    return clustered / plain if plain > 0 and clustered > 1e-12 else 1.0


def wilson_interval(share: float, size: float) -> tuple[float, float]:
    """Return Wilson's interval of a share in a sample, whose size need not be a whole number.

    >>> low, high = wilson_interval(0.5, 10)
    >>> round(low, 4), round(high, 4)
    (0.2366, 0.7634)
    """
    wide = Z * Z / size
    middle = (share + wide / 2) / (1 + wide)
    half = Z * sqrt(share * (1 - share) / size + wide / (4 * size)) / (1 + wide)
    low = 0.0 if share <= 0 else max(0.0, middle - half)
    high = 1.0 if share >= 1 else min(1.0, middle + half)
    return low, high


def estimate_mean(values: Sequence[float] | Numbers) -> Estimate:
    """Return a mean with Student's interval; a single value has none.

    Where no value is below 0, neither is the interval.
    """
    sample = np.asarray(values, dtype=float)
    games = len(sample)
    if not games:
        return Estimate(0.0, None, None, 0)
    deviation = float(sample.std(ddof=1)) if games > 1 else None
    found = estimate_from_moments(float(sample.mean()), deviation, games)
    return found.cut() if float(sample.min()) >= 0 else found


def estimate_from_moments(mean: float, deviation: float | None, games: int) -> Estimate:
    """Return a mean with Student's interval, from the standard deviation of a sample."""
    if games < 2 or deviation is None:
        return Estimate(mean, None, None, games)
    half = float(stats.t.ppf(1 - (1 - LEVEL) / 2, games - 1)) * deviation / sqrt(games)
    return Estimate(mean, mean - half, mean + half, games)


def estimate_ratio(parts: Sequence[float] | Numbers, wholes: Sequence[float] | Numbers) -> Estimate:
    """Return the ratio of two sums over games, such as successful orders to orders given.

    The interval is that of a ratio of means: games vary, the orders of one game do not count alone.
    Where all orders were successful, or none, games do not vary: it is then Wilson's, by games.
    """
    above, below = np.asarray(parts, dtype=float), np.asarray(wholes, dtype=float)
    games, total = len(above), float(below.sum())
    if not total:
        return Estimate(0.0, None, None, games)
    ratio = float(above.sum()) / total
    if games < 2:
        return Estimate(ratio, None, None, games)
    if ratio in (0, 1):
        return Estimate(ratio, *wilson_interval(ratio, int((below > 0).sum())), games)
    rest = above - ratio * below
    error = sqrt(float(np.square(rest).sum()) * games / (games - 1)) / total
    half = float(stats.t.ppf(1 - (1 - LEVEL) / 2, games - 1)) * error
    return Estimate(ratio, max(0.0, ratio - half), min(1.0, ratio + half), games)


def estimate_from_draws(value: float, draws: Any, games: int) -> Estimate:
    """Return a figure with the interval of its bootstrap: the middle 95 % of ``draws``."""
    low, high = np.quantile(np.asarray(draws), [(1 - LEVEL) / 2, 1 - (1 - LEVEL) / 2])
    return Estimate(value, float(low), float(high), games)


def chance_of_mean(values: Numbers, expected: float = 0.0) -> float:
    """Return the p-value of Student's test for an expected mean.

    Values that never vary have no standard error: it is then the p-value of the sign test.
    """
    if not len(values) or np.allclose(values, expected, rtol=0, atol=1e-9):
        return 1.0
    if np.ptp(values) < 1e-9:
        return float(stats.binomtest(len(values), len(values)).pvalue)
    return float(stats.ttest_1samp(values, expected).pvalue)


def adjust_for_many(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for being several, by Holm's method.

    The chance that any of those below 0.05 is a false alarm is then below 0.05.

    >>> adjust_for_many([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, p_values[i] * (len(p_values) - rank)))
        adjusted[i] = highest
    return adjusted


# Tests whether all powers win equally often, and each power's own part in the answer.


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


# Sizes of samples: how many games an answer takes, and what a sample of some size can show.


POWER = 0.8
"""The chance with which a difference of the stated size is to be found."""

_REACH = Z + float(stats.norm.ppf(POWER))
"""How many standard errors a difference must be for that: 2.80."""


def games_for_margin(variance: float, margin: float) -> int:
    """Return the games after which an interval reaches ``margin`` to each side.

    >>> games_for_margin(1 / 6 * 5 / 6, 0.01)
    5336
    """
    return ceil(Z * Z * variance / (margin * margin))


def games_for_difference(variance: float, difference: float) -> int | None:
    """Return the games that show a difference with a chance of 80 %; None if there is none.

    ``variance`` is that of the difference in one game.
    """
    if abs(difference) < 1e-9:
        return None
    return ceil(_REACH * _REACH * variance / (difference * difference))


def smallest_difference(variance: float, games: int) -> float:
    """Return the difference that a sample shows with a chance of 80 %."""
    return _REACH * sqrt(variance / games) if games else 1.0
