"""The test against equal shares, against Pearson's and by simulation; sizes of samples."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from alexmagnum.lab.statistics import (
    check_equality,
    estimate_spread,
    games_for_difference,
    games_for_margin,
    smallest_difference,
)
from tests.lab.simulated_results import draw_shares
from tests.sizes import sampled, sized


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
