"""Estimates with their intervals, and the test of equality."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from alexmagnum.lab.balance_figures import (
    Estimate,
    adjust_for_many,
    check_equality,
    estimate_mean,
    estimate_ratio,
    estimate_share,
    estimate_spread,
    games_for_difference,
    games_for_margin,
    smallest_difference,
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


def test_whole_victories_are_tested_as_by_pearson() -> None:
    shares = draw_shares(300, [3, 2, 2, 2, 2, 1], 1)
    known = stats.chisquare(shares.sum(axis=0))

    found = check_equality(shares)

    assert found is not None
    assert not found.shuffled
    assert found.statistic == pytest.approx(known.statistic)
    assert found.p_value == pytest.approx(known.pvalue)


def test_the_first_figures_of_300_random_games_prove_nothing() -> None:
    """22.7 % against a par of 16.7 % is not much in 300 games: chi-square 10.04."""
    counts = [68, 54, 50, 43, 43, 42]
    found = check_equality(np.repeat(np.eye(6), counts, axis=0))

    assert found is not None
    assert found.statistic == pytest.approx(10.04)
    assert found.p_value > 0.05


def test_few_games_are_tested_by_shuffling() -> None:
    found = check_equality(np.eye(6)[[0] * 6])

    assert found is not None
    assert found.shuffled
    assert found.p_value == pytest.approx(1 / 6**5, abs=0.001)


@pytest.mark.parametrize("shares", [np.zeros((5, 6)), np.full((5, 6), 1 / 6), np.zeros((0, 6))])
def test_games_without_a_difference_cannot_be_tested(shares: NDArray[np.float64]) -> None:
    assert check_equality(shares) is None


@sampled
@pytest.mark.parametrize("shared", [0.0, 0.5])
def test_fair_games_seem_unfair_once_in_twenty_samples(shared: float) -> None:
    samples = sized(400, 4000)
    alarms = 0
    for seed in range(samples):
        found = check_equality(draw_shares(120, [1] * 6, seed, shared))
        assert found is not None
        alarms += found.p_value < 0.05

    assert 0.025 < alarms / samples < 0.08


def test_a_power_that_is_too_strong_is_found_alone() -> None:
    found = check_equality(draw_shares(900, [2, 1, 1, 1, 1, 1], 5))

    assert found is not None
    assert found.p_value < 0.001
    assert [p < 0.05 for p in found.powers].index(True) == 0
    assert min(found.powers) == found.powers[0]


def test_the_spread_takes_off_what_chance_adds() -> None:
    fair = [estimate_spread(draw_shares(200, [1] * 6, seed)) for seed in range(40)]
    unfair = [estimate_spread(draw_shares(200, [4, 2, 2, 2, 1, 1], seed)) for seed in range(40)]
    true = np.std(np.array([4, 2, 2, 2, 1, 1]) / 12)

    assert np.mean(fair) < 0.02
    assert np.mean(unfair) == pytest.approx(true, abs=0.01)


def test_a_point_at_a_sixth_takes_5336_games() -> None:
    assert games_for_margin(1 / 6 * 5 / 6, 0.01) == 5336


def test_a_difference_is_found_in_four_of_five_samples_of_the_size_for_it() -> None:
    chances = [0.3, 0.2, 0.125, 0.125, 0.125, 0.125]
    variance = 0.3 + 0.2 - 0.1**2
    games = games_for_difference(variance, 0.1)
    assert games is not None

    found = 0
    for seed in range(300):
        shares = draw_shares(games, chances, seed)
        found += stats.ttest_1samp(shares[:, 0] - shares[:, 1], 0).pvalue < 0.05

    assert 0.73 < found / 300 < 0.87
    assert smallest_difference(variance, games) == pytest.approx(0.1, rel=0.01)
    assert games_for_difference(variance, 0.0) is None
