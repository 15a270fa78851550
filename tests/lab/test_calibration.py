"""Rank correlations with people's games, and the ratings of bots."""

from __future__ import annotations

import numpy as np
import polars
import pytest
from numpy.typing import NDArray
from scipy import stats

from alexmagnum.board import load_board
from alexmagnum.lab.balance import POOLED, calibrate, load_human_rates, rate_bots
from tests.lab.simulated_results import draw_shares, draw_winners, make_results

POWERS = tuple(load_board("standard").powers)


def _shares(chances: list[float], games: int = 1500) -> NDArray[np.float64]:
    return draw_shares(games, chances, 1)


def test_sources_name_where_they_are_from_and_add_up() -> None:
    sources = load_human_rates("standard")

    assert sources[0].source == POOLED
    assert len(sources) > 2
    for source in sources:
        assert set(source.wins or source.ranks) == set(POWERS)
        assert sum(source.wins.values()) in (0, source.decided)
        assert source.decided <= source.games
        assert source.source == POOLED or (source.where and source.title)
    assert load_human_rates("alexmagnum") == ()


def test_correlations_are_those_of_scipy() -> None:
    shares = _shares([1, 2, 3, 4, 5, 6, 7])

    for found in calibrate("s", "victories", "standard", POWERS, shares):
        wins, ranks = found.source.wins, found.source.ranks
        people = [wins[power] if wins else -ranks[power] for power in POWERS]
        means = shares.mean(axis=0)
        assert found.spearman.value == pytest.approx(stats.spearmanr(means, people).statistic)
        assert found.kendall.value == pytest.approx(stats.kendalltau(means, people).statistic)


def test_a_lab_that_ranks_as_people_do_agrees_with_them() -> None:
    pooled = load_human_rates("standard")[0]
    found = next(
        calibrate(
            "s", "victories", "standard", POWERS, _shares([float(pooled.wins[p]) for p in POWERS])
        )
    )

    assert found.spearman.value > 0.9
    assert found.chance < 0.01
    assert found.spearman.low is not None
    assert found.spearman.low > 0


def test_a_ranking_of_nothing_is_not_compared() -> None:
    assert list(calibrate("s", "victories", "standard", POWERS, np.zeros((5, 7)))) == []


def test_the_chance_of_agreement_is_counted_over_all_orders() -> None:
    """The opposite of people's order: every ranking agrees at least as well."""
    ranks = next(s.ranks for s in load_human_rates("standard") if s.ranks)
    shares = np.array([[ranks[p] for p in POWERS]] * 3) / 28
    opposite = [c for c in calibrate("s", "x", "standard", POWERS, shares) if c.source.ranks]
    assert opposite[0].spearman.value == pytest.approx(-1)
    assert opposite[0].chance == 1.0


def test_the_bot_that_wins_is_rated_higher() -> None:
    games = 60
    bots = [["search" if i == game % 6 else "dumb" for i in range(6)] for game in range(games)]
    winners = [(game % 6,) if game % 3 else ((game + 1) % 6,) for game in range(games)]
    seats = make_results(winners, bots=bots)["seats"]

    best, other = rate_bots("alexmagnum", seats)

    assert (best.bot, other.bot) == ("search", "dumb")
    assert best.mean - best.deviation > other.mean + other.deviation
    assert best.games == other.games == games


def test_games_of_one_bot_against_itself_rate_nobody() -> None:
    seats = make_results(draw_winners(10, [1] * 6, 1))["seats"]

    assert list(rate_bots("alexmagnum", seats)) == []
    assert list(rate_bots("alexmagnum", polars.DataFrame(schema=seats.schema))) == []
