"""docs/lab.md lists every key, column and ruling that there is."""

from __future__ import annotations

import re
from pathlib import Path

from alexmagnum.lab.game import RULINGS, TABLES
from alexmagnum.lab.plan import DEFAULTS, PAIRED_KEYS, PLAN_KEYS
from tests.commands import ROOT
from tests.lab.plans import make_plan

PAGE = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")


def _rows(heading: str) -> dict[str, str]:
    """Return the rows of the first table below a heading: first cell and the others."""
    lines = PAGE.partition(heading)[2].splitlines()
    table = [line for line in lines[: _end_of_table(lines)] if line.startswith("| ")]
    return {line.split("|")[1].strip(): line for line in table[2:]}


def _end_of_table(lines: list[str]) -> int:
    first = next(i for i, line in enumerate(lines) if line.startswith("| "))
    return next(i for i in range(first, len(lines)) if not lines[i].startswith("|"))


def test_every_key_of_a_plan_is_explained() -> None:
    rows = {name.strip("`") for name in _rows("## Plans")}

    assert rows == {*DEFAULTS, *PAIRED_KEYS}
    assert set(PLAN_KEYS) - rows == {"turn_seconds", "series"}
    assert "`turn_seconds`" in PAGE


def test_every_column_of_every_table_is_explained() -> None:
    rows = {name.strip("`"): line for name, line in _rows("## Results").items()}

    assert rows.keys() == TABLES.keys()
    for table, columns in TABLES.items():
        missing = [c for c in columns if f"`{c}`" not in rows[table]]
        assert [c for c in missing if c not in ("series", "game", "map")] == []


def test_every_ruling_that_is_counted_is_explained() -> None:
    rows = _rows("### How often a ruling decided something")

    assert {r for cell in rows for r in re.findall(r"R\d+a?", cell)} == set(RULINGS)


def test_the_example_of_a_plan_can_be_read(tmp_path: Path) -> None:
    example = PAGE.partition("each fault with its place.\n")[2].partition("Each table")[0]
    plan = make_plan(re.sub(r"^    ", "", example, flags=re.MULTILINE), tmp_path)

    assert [series.base for series in plan.series] == ["", "default", ""]
