"""The project's own case files: rulings by their numbers, and bugs by where they came from."""

from __future__ import annotations

import pytest

from alexmagnum.board import load_board
from alexmagnum.cases.files import Case
from alexmagnum.cases.runner import clause_coverage, run_case
from tests.case_library import cases_in

CASES = cases_in("cases")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: Case) -> None:
    assert list(map(str, run_case(case).differences)) == []


def test_ids_are_unique() -> None:
    ids = [case.id for case in CASES]

    assert len(ids) == len(set(ids))


def test_every_ruling_has_its_cases() -> None:
    counts = clause_coverage(CASES)

    assert [ruling for ruling in load_board("alexmagnum").rulings if counts[ruling] < 2] == []
