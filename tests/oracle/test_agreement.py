"""Judge and oracle agree: in every order's result, every dislodgement and retreat, every unit.

On a difference the message is a case ready to be pasted into a case file.
"""

from collections import Counter
from dataclasses import make_dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import yaml
from hypothesis import given

import tests.oracle
import tests.scenarios
from alexmagnum.board.model import Rules
from alexmagnum.cases.files import Case, Resolution, differences
from tests.case_library import cases_in
from tests.each import check_each
from tests.known_switches import refuse_unknown_switches
from tests.oracle.__main__ import BLOCK, compare_block
from tests.oracle.compare import difference
from tests.oracle.legality import find
from tests.oracle.situations import situations
from tests.oracle.solve import solve
from tests.scenarios import PLAIN, PROFILES, Scenario, scenarios, seeded, thoroughly
from tests.sizes import one_in, sized

SEED = 1
POSITIONS = {
    "mixed": 3000,
    "convoy": 3000,
    "circular": 2000,
    "strength": 2000,
    "sea": 2000,
    "river": 2000,
    "portage": 2000,
    "city": 2000,
    "medley": 2000,
}
"""How many positions of each profile the proof compares."""

BLOCKS = [
    pytest.param(profile, start, marks=pytest.mark.proof if start else ())
    for profile, number in POSITIONS.items()
    for start in range(0, number, BLOCK)
]
"""Each profile by blocks of its positions; all but the first are left to the proof."""

OFTEN = yaml.safe_load(Path(__file__).with_name("often.yaml").read_text("utf-8"))
"""How often a situation comes up at least in the first 500 scenarios of a profile."""


@pytest.mark.parametrize(("profile", "start"), BLOCKS)
def test_judge_agrees_with_oracle(profile: str, start: int) -> None:
    """Compare them on a block of scenarios with a fixed seed."""
    found = compare_block(profile, SEED, start, start + sized(BLOCK // 3, BLOCK))
    assert not found, "\n\n".join(d.case(f"{profile}-{SEED}-{n}") for n, d in found)


@thoroughly
@given(scenarios())
def test_judge_agrees_with_oracle_where_hypothesis_looks(scenario: Scenario) -> None:
    """Compare them on scenarios that Hypothesis draws and shrinks."""
    found = difference(scenario)
    assert found is None, found.case("hypothesis")


@pytest.mark.parametrize("profile", PROFILES)
def test_a_seed_always_draws_the_same(profile: str) -> None:
    """Check that a difference found once can be found again."""
    once, again = seeded(profile, 5, 7), seeded(profile, 5, 7)
    assert (once.position.units, once.orders) == (again.position.units, again.orders)


@pytest.mark.proof
def test_scenarios_are_worth_comparing() -> None:
    """Supports are cut, units dislodged, rings close and convoys hang in paradoxes in them."""
    drawn = {p: [seeded(p, SEED, n) for n in range(200)] for p in PROFILES}
    solved = {p: [solve(s.position, s.orders) for s in drawn[p]] for p in drawn}
    for profile, solutions in solved.items():
        words = [word for s in solutions for _, _, word in s.results]
        assert words.count("cut") >= 2, profile
        assert words.count("succeeds") >= 50, profile
        assert sum(bool(s.dislodged or s.destroyed) for s in solutions) >= 10, profile
    assert sum(bool(s.broken) for s in solved["convoy"]) >= 5
    assert sum(bool(s.destroyed) for s in solved["strength"]) >= 2
    assert all(s.position.board.id != "standard" for p in drawn.keys() - PLAIN for s in drawn[p])


@pytest.mark.parametrize("profile", PROFILES)
def test_units_go_by_other_names_too(profile: str) -> None:
    """Now and then a name is not the canonical one; it still means a unit of that power."""
    drawn = [seeded(profile, SEED, n) for n in range(100)]
    loose = [
        (find(scenario.position.units, order.unit), power)
        for scenario in drawn
        for power, listed in scenario.orders.items()
        for order in listed
        if order.unit not in scenario.position.names
    ]
    assert len(loose) >= 5
    assert all(unit is not None and unit.power == power for unit, power in loose)


@pytest.mark.proof
@pytest.mark.parametrize("profile", one_in(6, OFTEN))
def test_special_situations_come_up(profile: str) -> None:
    """Check that every special rule of movement decides something in many scenarios."""
    drawn = [seeded(profile, SEED, n) for n in range(500)]
    assert not any(scenario.position.problems() for scenario in drawn)
    counts = Counter(name for scenario in drawn for name in situations(scenario))
    short = {name: counts[name] for name, least in OFTEN[profile].items() if counts[name] < least}
    assert not short, counts


@pytest.mark.parametrize("room", [tests.oracle, tests.scenarios])
def test_a_switch_of_the_rules_that_a_room_does_not_know_is_refused(room: ModuleType) -> None:
    newer = make_dataclass("newer", [("river_toll", int, 0)], bases=(Rules,), frozen=True)
    known = (*room.KNOWN_SWITCHES, *room.OF_NO_MATTER)

    refuse_unknown_switches(room.__name__, known)
    with pytest.raises(AssertionError, match="river_toll"):
        refuse_unknown_switches(room.__name__, known, newer)


# The oracle by itself gets every movement phase of the case files right.


COMPARED = ("results", "units_after", "dislodged", "destroyed", "nobility")
"""The parts of an expectation that a movement phase by itself decides."""

NOT_SOLVED = {
    "R27-always-holds": "garrisons are never ordered",
    "R24-void-order": "a unit has one order",
    "REVIEW-3": "a unit has one order",
}
"""Cases with orders that the oracle cannot be given, and why."""

ALSO_RIGHT = {"6.B.11": ["France: F SPA/SC - LYO: expected fails, got illegal"]}
"""Differences that are none: either fits, says the note to the case."""

NUMBERS = {"datc": 12 + 18 + 9 + 35 + 15 + 30 + 20 + 18, "cases": 470}
"""How many movement phases there are at least: of the DATC all of sections 6.A to 6.G but for one
build case, and what goes before the retreats of 6.H."""


class ByOracle(Resolution):
    """A turn that the oracle resolves."""

    @cached_property
    def outcome(self) -> Any:
        """The solution in the shape of an outcome."""
        found = solve(self.position, self.orders)
        return SimpleNamespace(
            position=self.position,
            results=[SimpleNamespace(power=p, order=o, result=r) for p, o, r in found.results],
            dislodged=found.dislodged,
            destroyed=found.destroyed,
            units=found.units,
            nobility=found.nobility,
            attackers=lambda unit: found.attackers.get(unit, ()),
        )


def _movement_phases(folder: str) -> dict[str, Case]:
    """Return all movement phases by case, those before a retreat phase included."""
    phases = {case.id: case.turn.previous or case for case in cases_in(folder)}
    return {
        name: phase
        for name, phase in phases.items()
        if phase.turn.position is not None and phase.turn.position.phase.kind == "movement"
    }


@pytest.mark.parametrize("folder", NUMBERS)
def test_the_oracle_agrees_with_the_case_files(folder: str) -> None:
    phases = _movement_phases(folder)

    def check(name: str) -> None:
        case = phases[name]
        position = case.turn.position
        assert position is not None
        assert not position.problems()
        expected = {key: value for key, value in case.expect.items() if key in COMPARED}
        found = differences(expected, ByOracle(position, case.turn.orders))
        assert list(map(str, found)) == ALSO_RIGHT.get(name, [])

    assert len(phases) >= NUMBERS[folder]
    check_each([(name,) for name in phases if name not in NOT_SOLVED], check)
