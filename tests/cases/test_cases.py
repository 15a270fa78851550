"""The case files: those of the project, by rulings and by where bugs came from, and of the DATC."""

from __future__ import annotations

import pytest

from alexmagnum.board import load_board
from alexmagnum.cases.files import clause_coverage, run_case
from tests.case_library import cases_in
from tests.each import check_each


@pytest.mark.parametrize("folder", ["cases", "datc"])
def test_every_case_comes_out_as_expected(folder: str) -> None:
    cases = {case.id: case for case in cases_in(folder)}

    def check(name: str) -> None:
        assert list(map(str, run_case(cases[name]).differences)) == []

    assert len(cases) == len(cases_in(folder)), "an id is there twice"
    check_each([(name,) for name in cases], check)


def test_the_files_of_the_datc_hold_all_its_cases() -> None:
    """DATC 3.2 has 176; one more is from 3.3."""
    assert len(cases_in("datc")) == 177


def test_every_ruling_has_its_cases() -> None:
    counts = clause_coverage(cases_in("cases"))

    assert [ruling for ruling in load_board("alexmagnum").rulings if counts[ruling] < 2] == []
