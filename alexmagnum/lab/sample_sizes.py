"""Sizes of samples: how many games an answer takes, and what a sample of some size can show."""

from __future__ import annotations

from math import ceil, sqrt

from scipy import stats

from alexmagnum.lab.intervals import Z

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
