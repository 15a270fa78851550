"""The judge agrees with the slow solver about retreat phases and winters."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from tests.oracle.between_moves import list_unlike, solve_retreats, solve_winter
from tests.scenarios.between_moves import PhaseScenario, draw_retreats, draw_winter
from tests.sizes import sampled, sized

DRAWS = {"retreats": draw_retreats, "winter": draw_winter}
Draw = Callable[[Random], PhaseScenario]


@sampled
@pytest.mark.parametrize("phase", DRAWS)
def test_judge_agrees_with_oracle(phase: str) -> None:
    """10,000 positions in all in ``make proof``."""
    for seed in range(sized(80, 3_000)):
        assert list_unlike(DRAWS[phase](Random(seed))) == [], seed


@pytest.mark.parametrize("phase", DRAWS)
def test_drawn_positions_are_sound(phase: str) -> None:
    for seed in range(100):
        assert DRAWS[phase](Random(seed)).position.problems() == ()


@pytest.mark.proof
def test_retreats_are_worth_comparing() -> None:
    drawn = [draw_retreats(Random(seed)) for seed in range(150)]
    solved = [solve_retreats(s.position, s.orders) for s in drawn]
    words = Counter(word for ending in solved for word in ending.results)
    assert min(words[word] for word in ("succeeds", "fails", "illegal")) >= 25, words
    assert sum(any(u.number > 1 for u in ending.units) for ending in solved) >= 8


@pytest.mark.proof
def test_winters_are_worth_comparing() -> None:
    drawn = [draw_winter(Random(seed)) for seed in range(300)]
    solved = [solve_winter(s.position, s.orders) for s in drawn]
    words = Counter(word for ending in solved for word in ending.results)
    assert words["succeeds"] >= 200, words
    assert words["illegal"] >= 200, words
    assert sum(bool(ending.lost) for ending in solved) >= 100
    assert words["fails"] >= 1
