"""The page for players tells the truth: its tables and its Python are run."""

from __future__ import annotations

import doctest
import re
from dataclasses import replace
from pathlib import Path

import pytest

from alexmagnum.notation import write_order
from alexmagnum.position import Phase
from tests.notation.tables import EGYPT, check_read, codes, line, position, read, retreating

PAGE = Path(__file__).parents[2] / "docs" / "notation.md"
SECTIONS = {
    "In a movement phase:": EGYPT,
    "In a retreat phase:": retreating("alexmagnum", "TOL: A MEN", "SEL: A TEB"),
    "In winter,": replace(EGYPT, phase=Phase(318, "winter")),
    "In the five periods": position("alexmagnum", "", "picks"),
}


def _rows(after: str) -> list[list[str]]:
    """Return the cells of the first table after a text, without its header."""
    text = PAGE.read_text(encoding="utf-8").partition(after)[2]
    table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert table, after
    rows = [row.strip("|").split("|") for row in table[0].splitlines()[2:]]
    return [[cell.strip() for cell in row] for row in rows]


def _code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_shape_on_the_page_is_its_canonical_order(section: str) -> None:
    where = SECTIONS[section]
    for _, canonical, english, italian in _rows(section):
        texts = _code(canonical + english + italian)
        check_read({texts[0]: "|".join(texts)}, where, "TOL")
        assert [text for text in texts if codes(text, where, "TOL")] == []


@pytest.mark.parametrize(
    "cells", _rows("the order counts, and the reply has a notice:"), ids=lambda cells: cells[0]
)
def test_every_notice_on_the_page(cells: list[str]) -> None:
    written, meant, notice = (_code(cell)[0] for cell in cells)
    order = read(written, EGYPT, "TOL")

    assert order is not None
    assert write_order(order) == meant
    assert notice in codes(written, EGYPT, "TOL")


@pytest.mark.parametrize("cells", _rows("## The three refusals"), ids=lambda cells: cells[0])
def test_every_refusal_on_the_page(cells: list[str]) -> None:
    error = line(_code(cells[0])[0], EGYPT, "TOL").error

    assert error is not None
    assert (error.kind, error.code, error.fragment) == (
        cells[1],
        _code(cells[2])[0],
        _code(cells[3])[0],
    )


def test_the_python_on_the_page_runs() -> None:
    block = PAGE.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    test = doctest.DocTestParser().get_doctest(block, {"position": EGYPT}, "page", str(PAGE), 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)

    assert runner.summarize(verbose=False) == doctest.TestResults(0, 6)


def test_every_file_of_the_room_is_on_the_page() -> None:
    listed = set(_code("".join(row[0] for row in _rows("## Where to find the code"))))
    room = PAGE.parents[1] / "alexmagnum" / "notation"

    assert {path.name for path in room.glob("*.py")} - {"__init__.py"} == listed - {"words/"}
