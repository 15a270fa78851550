"""All DATC cases: positions, dislodgements, open retreats, and every order's result."""

from __future__ import annotations

from pathlib import Path

import pytest

from alexmagnum.cases.case_files import read_cases
from alexmagnum.cases.model import Case
from alexmagnum.cases.runner import run_case

FOLDER = Path(__file__).parents[1] / "datc"
CASES = [case for path in sorted(FOLDER.glob("*.yaml")) for case in read_cases(path)]


def test_the_files_hold_all_cases() -> None:
    """DATC 3.2 has 176; one more is from 3.3."""
    assert len(CASES) == 177


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_datc(case: Case) -> None:
    assert list(map(str, run_case(case).differences)) == []
