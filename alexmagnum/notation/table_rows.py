"""Rows of tables in which players write their orders: one order to a row, in several columns.

Mail programs make such a row a line with bars: ``A MEN | TEB``.  Open this file when an order in a
table is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

BAR = "|"
"""The sign between two columns."""

_RULE = re.compile(r"[-:=+_ ]*")
"""A cell of the line that some programs draw below the titles of the columns."""


def split_cells(line: str) -> list[str]:
    """Return the cells of a row that have text.

    >>> split_cells("| A MEN | - | TEB |  |")
    ['A MEN', '-', 'TEB']
    """
    return [cell.strip() for cell in line.split(BAR) if cell.strip()]


def is_rule(line: str) -> bool:
    """Return whether a line only separates the rows of a table: ``|---|:--|``."""
    return BAR in line and all(_RULE.fullmatch(cell) for cell in split_cells(line))


def list_readings(line: str, phase: str) -> Iterator[str]:
    """Return a row as orders that it may mean in a kind of phase, the likeliest first.

    The columns may be unit and order, unit and destination (with or without the kind of the unit in
    a column of its own), or order and unit.  One column more, before or behind, may say anything.

    >>> list(list_readings("A MEN | TEB", "movement"))
    ['A MEN TEB', 'A MEN - TEB', 'TEB A MEN']
    """
    cells = split_cells(line)
    yield " ".join(cells)
    if phase == "picks":
        return  # "Period 2 | Thebes" is no pick of another period
    for columns in (cells, cells[1:], cells[:-1]):
        if len(columns) < 2:
            return
        if columns is not cells:
            yield " ".join(columns)
        if phase in ("movement", "retreats"):
            yield f"{' '.join(columns[:-1])} - {columns[-1]}"
        yield " ".join([columns[-1], *columns[:-1]])
