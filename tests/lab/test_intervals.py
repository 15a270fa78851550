"""Estimates and their intervals, against scipy's own and against figures worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from alexmagnum.lab.statistics import (
    Estimate,
    adjust_for_many,
    estimate_mean,
    estimate_ratio,
    estimate_share,
    wilson_interval,
)
from tests.lab.simulated_results import draw_shares
from tests.sizes import sampled, sized


def test_a_share_of_whole_victories_has_the_interval_of_wilson() -> None:
    won = [1.0] * 37 + [0.0] * 163
    found = estimate_share(won)
    known = stats.binomtest(37, 200).proportion_ci(method="wilson")

    assert found.value == 37 / 200
    assert (found.low, found.high) == pytest.approx((known.low, known.high))


@pytest.mark.parametrize(("won", "bound"), [([0.0] * 50, 0.0), ([1.0] * 50, 1.0)])
def test_a_share_of_nothing_or_all_has_an_interval_to_one_side(
    won: list[float], bound: float
) -> None:
    found = estimate_share(won)

    assert bound in (found.low, found.high)
    assert found.low != found.high


def test_shared_victories_are_known_better_than_whole_ones_of_the_same_share() -> None:
    halves = estimate_share([0.5, 0.5, 0.5, 0.0] * 25)
    wholes = estimate_share([1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0] * 12 + [1.0, 0.0, 0.0, 0.0])

    assert halves.low is not None
    assert wholes.low is not None
    assert halves.high is not None
    assert wholes.high is not None
    assert halves.value == pytest.approx(0.375)
    assert halves.high - halves.low < wholes.high - wholes.low


def test_seats_of_one_bot_that_win_together_count_as_one_observation() -> None:
    """Three seats that win all or nothing tell as much as one seat."""
    together = estimate_share([3.0, 0.0] * 50, seats=[3] * 100)
    alone = estimate_share([1.0, 0.0] * 50)

    assert together.value == alone.value
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high))


def test_a_mean_has_the_interval_of_student() -> None:
    values = [3.0, 5.0, 4.0, 8.0, 6.0]
    known = stats.ttest_1samp(values, 0).confidence_interval(0.95)

    found = estimate_mean(values)

    assert (found.low, found.high) == pytest.approx((known.low, known.high))


def test_a_mean_of_one_game_has_no_interval() -> None:
    assert estimate_mean([7.0]) == Estimate(7.0, None, None, 1)


def test_a_ratio_counts_games_and_not_orders() -> None:
    """The same ratio in every game is known exactly, however many orders there are."""
    steady = estimate_ratio([5.0, 10.0, 15.0], [10.0, 20.0, 30.0])
    varying = estimate_ratio([10.0, 10.0, 0.0, 20.0], [20.0, 20.0, 20.0, 20.0])

    assert (steady.low, steady.value, steady.high) == (0.5, 0.5, 0.5)
    assert varying.low is not None
    assert varying.low < 0.3


def test_orders_that_always_succeed_have_an_interval_to_one_side() -> None:
    """Three of four games have such orders: that is what is known of them."""
    found = estimate_ratio([2, 1, 4, 0], [2, 1, 4, 0])

    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx(wilson_interval(1, 3)[0])


def test_adjusted_chances_are_those_of_holm() -> None:
    """0.01 · 3, 0.02 · 2 = 0.04, then 0.03 · 1, which may not be lower than the one before."""
    assert adjust_for_many([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])


@sampled
@pytest.mark.parametrize("shared", [0.0, 0.4])
def test_the_interval_of_fair_games_contains_par_about_19_times_in_20(shared: float) -> None:
    samples = sized(400, 4000)
    inside = 0
    for seed in range(samples):
        won = draw_shares(120, [1] * 6, seed, shared)[:, 0]
        inside += not estimate_share(won).excludes(1 / 6)

    assert 0.925 < inside / samples < 0.975


def test_an_interval_shrinks_with_the_root_of_the_games() -> None:
    small, large = (estimate_share(np.tile([1.0, 0, 0, 0, 0, 0], n)) for n in (50, 200))

    assert small.high is not None
    assert large.high is not None
    assert (small.high - small.value) / (large.high - large.value) == pytest.approx(2, rel=0.1)
