"""Compare plans side by side, in lines of a width."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import centres_change
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.reason_text import format_reason
from alexmagnum.notation import order_in
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.turn_report import TITLE, leave_unmarked
from alexmagnum.report.whatif_report import describe_assumptions
from alexmagnum.report.wrapping import wrap_lines
from alexmagnum.whatif.plans import Comparison, Row, Side

NARROWEST = 18
"""The least width of a plan, even on a narrower terminal."""


class Piece(NamedTuple):
    """A line of a cell and its mark: a result, a title, or "" for none."""

    text: str
    mark: str = ""


Mark = Callable[[str, str], str]


class _Columns:
    """Lays out rows: a label in front, then a column for each plan."""

    def __init__(
        self, comparison: Comparison, sentences: Sentences, width: int, mark: Mark
    ) -> None:
        self.comparison = comparison
        self.sentences = sentences
        self.mark = mark
        self.board = comparison.position.board
        labels = [row.unit for row in comparison.rows]
        labels += [self.power(p) for p in (*self.board.powers, INDEPENDENT)]
        self.label = min(max(map(len, labels), default=8), 14)
        count = len(comparison.outcomes)
        room = (width - self.label) // count - 2
        self.column = max(room, NARROWEST)

    def power(self, power: str) -> str:
        """Return the name of a power."""
        return power_name(self.board, power, self.sentences)

    def row(self, label: str, cells: Sequence[Sequence[Piece]]) -> Iterator[str]:
        """Yield the lines of a row, as many as its longest cell needs."""
        heads = textwrap.wrap(label, self.label) or [""]
        columns = [self._wrap(cell) for cell in cells]
        for i in range(max(len(heads), *map(len, columns))):
            line = (heads[i] if i < len(heads) else "").ljust(self.label)
            for cell in columns:
                text, mark = cell[i] if i < len(cell) else Piece("")
                blanks = " " * (self.column - len(text))
                line += "  " + (self.mark(text, mark) if mark and text else text) + blanks
            yield line.rstrip()

    def _wrap(self, cell: Sequence[Piece]) -> list[Piece]:
        """Return a cell in lines of the column's width."""
        pieces: list[Piece] = []
        for text, mark in cell:
            inner = "  " if text.startswith("  ") else ""
            lines = wrap_lines(text, self.column, inner + "  ")
            pieces += [Piece(line, mark) for line in lines]
        return pieces

    def paragraph(self, text: str) -> list[str]:
        """Return running text, as wide as all columns together."""
        return wrap_lines(text, self.label + len(self.comparison.outcomes) * (self.column + 2))

    def title(self, code: str) -> Iterator[str]:
        """Yield an empty line and a title."""
        yield ""
        yield self.mark(self.sentences.format(code), TITLE)


def format_plans(
    comparison: Comparison, sentences: Sentences, *, width: int = 80, mark: Mark = leave_unmarked
) -> Iterator[str]:
    """Yield the lines of a comparison.

    They show the orders that differ, with their results; equal orders with different results;
    dislodged units, centres that change hands, units after the phase and assumptions.  ``width`` is
    that of the terminal; ``mark`` gets every piece with its result.
    """
    columns = _Columns(comparison, sentences, width, mark)
    position = comparison.position
    phase = phase_name(position.phase, position.board, sentences)
    yield mark(f"{position.board.name(sentences.lang)} — {phase}", TITLE)
    names = [[Piece(name, TITLE)] for name in comparison.outcomes]
    yield from columns.row("", names)
    differences = comparison.differences
    for code, other in (("title-plan-orders", True), ("title-plan-ends", False)):
        rows = [row for row in differences if row.differs_in_order is other]
        if rows:
            yield from columns.title(code)
            yield from _order_rows(columns, rows)
    yield ""
    if not differences:
        yield sentences.format("whatif-all-alike")
    else:
        yield sentences.format("whatif-alike", count=len(comparison.rows) - len(differences))
    yield from _loss_lines(columns)
    yield from _centre_lines(columns)
    yield from _unit_lines(columns)
    yield from _assumption_lines(columns)


def _order_rows(columns: _Columns, rows: Sequence[Row]) -> Iterator[str]:
    """Yield rows of orders below the names of their powers."""
    power = ""
    for row in rows:
        if row.power != power:
            power = row.power
            yield columns.power(power)
        label = row.unit or columns.sentences.format("whatif-pick")
        yield from columns.row(label, [list(_order_cell(columns, side)) for side in row.sides])


def _order_cell(columns: _Columns, side: Side) -> Iterator[Piece]:
    """Yield an order in one of the plans with its results."""
    sentences, position = columns.sentences, columns.comparison.position
    if not side.results:
        yield Piece("–")
        return
    text = order_in(side.order, sentences.lang) if side.order else sentences.format("no-order")
    yield Piece(text)
    for result, reason in zip(side.results, side.reasons, strict=True):
        yield Piece("  " + format_reason(reason, position, sentences), result)


def _loss_lines(columns: _Columns) -> Iterator[str]:
    """Yield the units that each plan dislodges."""
    comparison, sentences = columns.comparison, columns.sentences
    name = comparison.position.name
    cells = [
        [
            Piece(sentences.format("whatif-gone", unit=name(unit), power=columns.power(unit.power)))
            for unit in comparison.dislodged(plan)
        ]
        for plan in comparison.outcomes
    ]
    if any(cells):
        yield from columns.title("title-plan-lost")
        yield from columns.row(
            "", [cell or [Piece(sentences.format("whatif-none"))] for cell in cells]
        )


def _centre_lines(columns: _Columns) -> Iterator[str]:
    """Yield each centre that changes hands in some plan, with its owner before and after."""
    comparison, sentences = columns.comparison, columns.sentences
    changed = [comparison.centres(plan) for plan in comparison.outcomes]
    rows = [centre for centre in columns.board.centres if any(centre in c for c in changed)]
    if not rows:
        return
    settled = all(
        centres_change(outcome) or outcome.picks is not None
        for outcome in comparison.outcomes.values()
    )
    yield from columns.title("title-plan-owners" if settled else "title-plan-standing")
    unchanged = sentences.format("whatif-unchanged")
    for centre in rows:
        cells = [
            [Piece(columns.power(owners[centre]) if centre in owners else unchanged)]
            for owners in changed
        ]
        owner = comparison.position.owners.get(centre, "")
        label = f"{centre} ({owner})" if owner else centre
        yield from columns.row(label, cells)


def _unit_lines(columns: _Columns) -> Iterator[str]:
    """Yield the units of each power that differ between plans; the others are counted."""
    comparison = columns.comparison
    yield from columns.title("title-plan-units")
    alike = []
    for power in columns.board.powers:
        lists = [comparison.units(plan, power) for plan in comparison.outcomes]
        if len(set(lists)) == 1:
            alike.append(f"{columns.power(power)} {len(lists[0])}")
            continue
        shared = set.intersection(*map(set, lists))
        cells = [_count_units(units, shared) for units in lists]
        yield from columns.row(columns.power(power), cells)
    if alike:
        text = columns.sentences.format("whatif-alike-units", powers=", ".join(alike))
        yield from columns.paragraph(text)


def _assumption_lines(columns: _Columns) -> Iterator[str]:
    """Yield the assumptions of single plans, then those of all plans."""
    lists = {
        n: list(describe_assumptions(o, columns.sentences))
        for n, o in columns.comparison.outcomes.items()
    }
    shared = [line for line in next(iter(lists.values())) if all(line in x for x in lists.values())]
    lines = [f"{name}: {line}" for name, x in lists.items() for line in x if line not in shared]
    if shared or lines:
        yield from columns.title("title-assumed")
        for line in (*lines, *shared):
            yield from columns.paragraph(line)


def _count_units(units: Sequence[str], shared: set[str]) -> list[Piece]:
    """Return the number of units and those that are not in every plan."""
    own = ", ".join(unit for unit in units if unit not in shared)
    return [Piece(f"{len(units)}: … {own}" if own else f"{len(units)}: …")]
