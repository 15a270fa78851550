"""The oracle by itself gets every movement phase of the case files right."""

from __future__ import annotations

from functools import cached_property
from types import SimpleNamespace
from typing import Any

import pytest

from alexmagnum.cases.files import Case, Resolution, differences
from tests.case_library import cases_in
from tests.each import check_each
from tests.oracle.solve import solve

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
