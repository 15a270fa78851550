"""Every ruling has a source, every sentence of the original a ruling, and both have cases."""

import re
from pathlib import Path

from alexmagnum.board import load_board
from tests.case_library import cases_in

PAGE = (Path(__file__).parents[1] / "docs" / "rules-sources.md").read_text(encoding="utf-8")
RULINGS = load_board("alexmagnum").rulings
RULING = re.compile(r"R\d+a?\b")


def rows(columns: int) -> list[list[str]]:
    """Return the cells of the rows of the table with so many columns, without its head."""
    lines = (line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| "))
    return [cells for cells in lines if len(cells) == columns][2:]


SENTENCES, OURS = rows(5), rows(2)


def test_sentences_are_numbered_and_each_has_a_ruling() -> None:
    assert [number for number, *_ in SENTENCES] == [str(n + 1) for n in range(len(SENTENCES))]
    for number, _, rulings, how, _ in SENTENCES:
        assert set(RULING.findall(rulings)) <= set(RULINGS), number
        assert RULING.search(rulings), number
        assert how in ("stated", "implied", "ours"), number


def test_every_ruling_has_one_kind_of_source() -> None:
    said = {ruling for _, _, rulings, *_ in SENTENCES for ruling in RULING.findall(rulings)}
    ours = [ruling for ruling, _ in OURS]
    assert said.isdisjoint(ours)
    assert said | set(ours) == set(RULINGS)


def test_cases_pin_each_sentence() -> None:
    clauses = {case.id: set(case.clauses) for case in cases_in("cases")}
    for number, _, rulings, _, cases in SENTENCES:
        named = re.findall(r"`([^`]+)`", cases)
        assert named, number
        for case in named:
            assert clauses[case] & set(RULING.findall(rulings)), (number, case)
