"""All DATC cases: positions, dislodgements, open retreats, and every order's result."""

from __future__ import annotations

import pytest

from alexmagnum.cases.files import Case
from alexmagnum.cases.runner import run_case
from tests.case_library import cases_in

CASES = cases_in("datc")


def test_the_files_hold_all_cases() -> None:
    """DATC 3.2 has 176; one more is from 3.3."""
    assert len(CASES) == 177


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_datc(case: Case) -> None:
    assert list(map(str, run_case(case).differences)) == []
