"""Plans side by side in words, as lines of a width."""

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
from alexmagnum.report.turn_report import TITLE
from alexmagnum.report.whatif_report import describe_assumptions
from alexmagnum.report.wrapping import wrap_lines
from alexmagnum.whatif.plans import Comparison, Row, Side

NARROWEST = 18
"""Columns that a plan has at least, however narrow the terminal is."""


class Piece(NamedTuple):
    """A line of a cell, and what it is marked as: a result, a title, or nothing ("")."""

    text: str
    what: str = ""


Mark = Callable[[str, str], str]


class _Sheet:
    """Lines of a width: a label in front, then a column for each plan."""

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
        return power_name(self.board, power, self.sentences)

    def row(self, label: str, cells: Sequence[Sequence[Piece]]) -> Iterator[str]:
        """A row, in as many lines as its longest cell needs."""
        heads = textwrap.wrap(label, self.label) or [""]
        columns = [self._folded(cell) for cell in cells]
        for i in range(max(len(heads), *map(len, columns))):
            line = (heads[i] if i < len(heads) else "").ljust(self.label)
            for cell in columns:
                text, what = cell[i] if i < len(cell) else Piece("")
                blanks = " " * (self.column - len(text))
                line += "  " + (self.mark(text, what) if what and text else text) + blanks
            yield line.rstrip()

    def _folded(self, cell: Sequence[Piece]) -> list[Piece]:
        pieces: list[Piece] = []
        for text, what in cell:
            inner = "  " if text.startswith("  ") else ""
            lines = wrap_lines(text, self.column, inner + "  ")
            pieces += [Piece(line, what) for line in lines]
        return pieces

    def paragraph(self, text: str) -> list[str]:
        """Running text, as wide as the columns are together."""
        return wrap_lines(text, self.label + len(self.comparison.outcomes) * (self.column + 2))

    def title(self, code: str) -> Iterator[str]:
        yield ""
        yield self.mark(self.sentences.format(code), TITLE)


def _unmarked(line: str, what: str) -> str:
    return line


def format_plans(
    comparison: Comparison, sentences: Sentences, *, width: int = 80, mark: Mark = _unmarked
) -> Iterator[str]:
    """The lines of a comparison: the orders that differ, with what each comes to; the same orders
    with another end; who is dislodged, which centres change hands, which units are left.

    ``width``: columns of the terminal; ``mark`` is given every piece that has a result with it.
    """
    sheet = _Sheet(comparison, sentences, width, mark)
    position = comparison.position
    phase = phase_name(position.phase, position.board, sentences)
    yield mark(f"{position.board.name(sentences.lang)} — {phase}", TITLE)
    names = [[Piece(name, TITLE)] for name in comparison.outcomes]
    yield from sheet.row("", names)
    differences = comparison.differences
    for code, other in (("title-plan-orders", True), ("title-plan-ends", False)):
        rows = [row for row in differences if row.differs_in_order is other]
        if rows:
            yield from sheet.title(code)
            yield from _rows(sheet, rows)
    yield ""
    if not differences:
        yield sentences.format("whatif-all-alike")
    else:
        yield sentences.format("whatif-alike", count=len(comparison.rows) - len(differences))
    yield from _lost(sheet)
    yield from _centres(sheet)
    yield from _units(sheet)
    yield from _assumed(sheet)


def _rows(sheet: _Sheet, rows: Sequence[Row]) -> Iterator[str]:
    power = ""
    for row in rows:
        if row.power != power:
            power = row.power
            yield sheet.power(power)
        label = row.unit or sheet.sentences.format("whatif-pick")
        yield from sheet.row(label, [list(_side(sheet, side)) for side in row.sides])


def _side(sheet: _Sheet, side: Side) -> Iterator[Piece]:
    sentences, position = sheet.sentences, sheet.comparison.position
    if not side.results:
        yield Piece("–")
        return
    text = order_in(side.order, sentences.lang) if side.order else sentences.format("no-order")
    yield Piece(text)
    for result, reason in zip(side.results, side.reasons, strict=True):
        yield Piece("  " + format_reason(reason, position, sentences), result)


def _lost(sheet: _Sheet) -> Iterator[str]:
    comparison, sentences = sheet.comparison, sheet.sentences
    name = comparison.position.name
    cells = [
        [
            Piece(sentences.format("whatif-gone", unit=name(unit), power=sheet.power(unit.power)))
            for unit in comparison.dislodged(plan)
        ]
        for plan in comparison.outcomes
    ]
    if any(cells):
        yield from sheet.title("title-plan-lost")
        yield from sheet.row(
            "", [cell or [Piece(sentences.format("whatif-none"))] for cell in cells]
        )


def _centres(sheet: _Sheet) -> Iterator[str]:
    """Each centre that changes hands in some plan, with whose it was and whose it is then."""
    comparison, sentences = sheet.comparison, sheet.sentences
    changed = [comparison.centres(plan) for plan in comparison.outcomes]
    rows = [centre for centre in sheet.board.centres if any(centre in c for c in changed)]
    if not rows:
        return
    settled = all(
        centres_change(outcome) or outcome.picks is not None
        for outcome in comparison.outcomes.values()
    )
    yield from sheet.title("title-plan-owners" if settled else "title-plan-standing")
    for centre in rows:
        cells = [
            [Piece(sheet.power(c[centre]) if centre in c else sentences.format("whatif-unchanged"))]
            for c in changed
        ]
        owner = comparison.position.owners.get(centre, "")
        label = f"{centre} ({owner})" if owner else centre
        yield from sheet.row(label, cells)


def _units(sheet: _Sheet) -> Iterator[str]:
    """The units of each power that are not the same in all plans; the others are counted."""
    comparison = sheet.comparison
    yield from sheet.title("title-plan-units")
    alike = []
    for power in sheet.board.powers:
        lists = [comparison.units(plan, power) for plan in comparison.outcomes]
        if len(set(lists)) == 1:
            alike.append(f"{sheet.power(power)} {len(lists[0])}")
            continue
        shared = set.intersection(*map(set, lists))
        cells = [_counted(units, shared) for units in lists]
        yield from sheet.row(sheet.power(power), cells)
    if alike:
        text = sheet.sentences.format("whatif-alike-units", powers=", ".join(alike))
        yield from sheet.paragraph(text)


def _assumed(sheet: _Sheet) -> Iterator[str]:
    """What is assumed in all plans, then what in which."""
    lists = {
        n: list(describe_assumptions(o, sheet.sentences))
        for n, o in sheet.comparison.outcomes.items()
    }
    shared = [line for line in next(iter(lists.values())) if all(line in x for x in lists.values())]
    lines = [f"{name}: {line}" for name, x in lists.items() for line in x if line not in shared]
    if shared or lines:
        yield from sheet.title("title-assumed")
        for line in (*lines, *shared):
            yield from sheet.paragraph(line)


def _counted(units: Sequence[str], shared: set[str]) -> list[Piece]:
    """How many units there are, and which of them not in every plan."""
    own = ", ".join(unit for unit in units if unit not in shared)
    return [Piece(f"{len(units)}: … {own}" if own else f"{len(units)}: …")]
