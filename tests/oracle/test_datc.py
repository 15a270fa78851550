"""The oracle by itself gets every movement case of the DATC right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from alexmagnum.board import load_board
from tests.case_library import read_yaml
from tests.oracle.solve import solve
from tests.oracle.text import read_case, write_order

FILES = sorted((Path(__file__).parents[1] / "datc").glob("6*.yaml"))
ALSO_RIGHT = {("6.B.11", "illegal"): "fails"}  # either fits, says the note to the case


def movement_cases() -> list[dict[str, Any]]:
    """Return all movement phases of the case files, those before a retreat phase included."""
    cases = [c for f in FILES for c in read_yaml(f)["cases"]]
    phases = [c | c.get("previous", {}) for c in cases]
    return [c for c in phases if c["phase"] == "spring_moves"]


CASES = movement_cases()


def test_all_movement_cases_are_there() -> None:
    """Sections 6.A to 6.G but for one build case, and what goes before the retreats of 6.H."""
    assert len(CASES) == 12 + 18 + 9 + 35 + 15 + 30 + 20 + 18


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_oracle_agrees_with_datc(case: dict[str, Any]) -> None:
    """Order results, dislodged units with their retreats, and the position after the moves."""
    position, orders = read_case(load_board("standard"), case)
    solution, expect = solve(position, orders), case["expect"]
    expected = [
        (power, r["order"], r["result"]) for power, rs in expect["results"].items() for r in rs
    ]
    results = [
        (power, write_order(order), ALSO_RIGHT.get((case["id"], word), word))
        for power, order, word in solution.results
    ]
    assert results == expected
    assert {(d.unit.power, str(d.unit), str(d.by), d.retreats) for d in solution.dislodged} == {
        (d["power"], d["unit"], d["by"], tuple(d["retreats"])) for d in expect["dislodged"]
    }
    assert {(u.power, str(u)) for u in solution.units} == {
        (power, unit) for power, units in expect["units_after"].items() for unit in units
    }
