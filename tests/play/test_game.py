"""The random player plays whole games, sensibly, and the same ones from the same seed."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from alexmagnum.board import load_board
from alexmagnum.bots.random_player import random_orders
from alexmagnum.campaign import first_position
from alexmagnum.judge.outcome import ILLEGAL, INVALID
from alexmagnum.play import PlayedPhase, count_phase, count_years, play_game
from alexmagnum.position import Phase, Position, Unit
from tests.each import cells
from tests.play.soak import KINDS, run_game

BOARD = load_board("alexmagnum")


GAMES = [
    pytest.param(12 + n, 60 if n == 0 else 30, marks=pytest.mark.proof if n else ())
    for n in range(10)
]
"""Seeds, and how many phases a game has at the least: some are won by centres early."""


@pytest.mark.parametrize(("seed", "least"), GAMES)
@pytest.mark.parametrize("kind", range(len(KINDS)), ids=[str(kind) for kind in KINDS])
def test_a_whole_game_keeps_every_invariant(kind: int, seed: int, least: int) -> None:
    """Every phase is checked, written as a turn file, and read back to the same."""
    result = run_game(seed, kind)

    assert result.fault == ""
    assert result.phases > least
    assert result.ending in ("centres", "nobility", "left")


def test_the_same_seed_is_the_same_game() -> None:
    one, same, other = (
        [count_phase(played) for played in play_game(BOARD, seed, years=4)] for seed in (5, 5, 6)
    )

    assert one == same
    assert one != other


def test_a_game_goes_from_the_first_picks_to_its_end() -> None:
    game = list(play_game(BOARD, 1))
    phases = [str(played.position.phase) for played in game]

    assert phases[:7] == ["323-1", "323-2", "323-3", "323-4", "323-5", "323-6", "322-spring"]
    assert game[-1].after is None
    assert game[-1].ending is not None
    assert all(played.ending is None for played in game[:-1])


def test_years_limit_a_game() -> None:
    game = list(play_game(BOARD, 1, years=2))

    assert str(game[-1].position.phase) == "322-winter"
    assert [year.year for year in count_years(game)] == [323, 322]


def test_a_map_without_a_last_year_is_left_after_twenty() -> None:
    """Seed 0: nobody gets eighteen centres before."""
    *_, last = play_game(load_board("standard"), 0)

    assert str(last.position.phase) == "1920-winter"
    assert last.ending is None


def _games(count: int) -> list[PlayedPhase]:
    return [played for seed in range(count) for played in play_game(BOARD, seed)]


def test_orders_are_nearly_all_legal() -> None:
    results = Counter(e.result for played in _games(3) for e in played.outcome.results)

    assert results[ILLEGAL] + results[INVALID] < 0.08 * results.total()


def test_every_special_rule_occurs() -> None:
    """A few games come to the reasons that only this variant has, and to the old ones."""
    game = _games(16)
    codes = {reason.code for played in game for reason in played.outcome.reasons}

    assert codes >= set(
        cells("""
pick-awarded|pick-contested|deploys|deploys-general|enters|enters-past|crowded-out
dislodges-beside|target-left|rides|way-occupied|way-contested|way-oncoming|hauled|not-hauled
carries|given|cut|dislodges|bounces|loses-head-to-head|follows|retreats|disbands|builds
removes|waived
""")
    )
    assert any(played.outcome.destroyed for played in game)
    assert any(played.outcome.removed for played in game)


def test_a_power_in_revolt_orders_nothing() -> None:
    """R3"""
    units = (Unit("TOL", "A", "MEN"), Unit("SEL", "A", "BAB"))
    position = Position(BOARD, Phase(318, "spring"), units, nobility={"TOL": 0})

    for seed in range(5):
        assert set(random_orders(position, Random(seed))) <= {"SEL"}


def test_a_decision_changes_no_position_and_draws_from_one_generator_alone() -> None:
    position = first_position(BOARD)
    rng = Random(3)
    first, second = random_orders(position, rng), random_orders(position, rng)

    assert first == random_orders(first_position(BOARD), Random(3))
    assert first != second
    assert position == first_position(BOARD)


def test_figures_count_the_results_of_a_phase() -> None:
    played = next(play_game(BOARD, 7))
    counted = count_phase(played)

    assert counted["phase"] == "323-1"
    assert counted["awarded"] == len(played.outcome.picks.awards if played.outcome.picks else ())
    assert counted["moved"] == counted["dislodged"] == counted["built"] == 0
