"""Judge and oracle agree: in every order's result, every dislodgement and retreat, every unit.

On a difference the message is a case ready to be pasted into a case file.
"""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.oracle.__main__ import BLOCK, compare_block
from tests.oracle.compare import difference
from tests.oracle.solve import solve
from tests.strategies import PROFILES, Scenario, scenarios, seeded, thoroughly

SEED = 1
POSITIONS = {"mixed": 2000, "convoy": 3000, "circular": 1500, "strength": 1500}
BLOCKS = [(p, start) for p, number in POSITIONS.items() for start in range(0, number, BLOCK)]


@pytest.mark.parametrize(("profile", "start"), BLOCKS)
def test_judge_agrees_with_oracle(profile: str, start: int) -> None:
    """A block of scenarios of a fixed seed."""
    found = compare_block(profile, SEED, start, start + BLOCK)
    assert not found, "\n\n".join(d.case(f"{profile}-{SEED}-{n}") for n, d in found)


@thoroughly
@given(scenarios())
def test_judge_agrees_with_oracle_where_hypothesis_looks(scenario: Scenario) -> None:
    """The same on scenarios that hypothesis draws, and shrinks."""
    found = difference(scenario)
    assert found is None, found.case("hypothesis")


@pytest.mark.parametrize("profile", PROFILES)
def test_a_seed_always_draws_the_same(profile: str) -> None:
    """A difference found once can be found again."""
    once, again = seeded(profile, 5, 7), seeded(profile, 5, 7)
    assert (once.position.units, once.orders) == (again.position.units, again.orders)


def test_scenarios_are_worth_comparing() -> None:
    """Supports are cut, units dislodged, rings close and convoys hang in paradoxes in them."""
    drawn = {p: [seeded(p, SEED, n) for n in range(400)] for p in PROFILES}
    solved = {p: [solve(s.position, s.orders) for s in drawn[p]] for p in drawn}
    for profile, solutions in solved.items():
        words = [word for s in solutions for _, _, word in s.results]
        assert words.count("cut") >= 5, profile
        assert words.count("succeeds") >= 100, profile
        assert sum(bool(s.dislodged or s.destroyed) for s in solutions) >= 20, profile
    assert sum(bool(s.broken) for s in solved["convoy"]) >= 10
    assert sum(bool(s.destroyed) for s in solved["strength"]) >= 5
