"""The table of what a corrected report changes in the version before it."""

from __future__ import annotations

from collections.abc import Iterable

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.game.differences import NOTHING_OPEN
from alexmagnum.game.values import Change
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import order_in
from alexmagnum.report.document import Cell, Column, Table
from alexmagnum.report.names import power_name


def tabulate_changes(changes: Iterable[Change], board: Board, sentences: Sentences) -> Table:
    """Return a table of changes: their subjects, the values before and now."""
    columns = (
        Column("subject", sentences.format("column-subject")),
        Column("before", sentences.format("column-before")),
        Column("now", sentences.format("column-now")),
    )
    return Table(columns, tuple(_row(change, board, sentences) for change in changes))


def _row(change: Change, board: Board, sentences: Sentences) -> tuple[Cell, ...]:
    """Return the row of a change."""
    subject = sentences.format(
        f"change-{change.what}", subject=_format_name(change.subject, board, sentences)
    )
    return (
        Cell(subject, {"what": change.what, "subject": change.subject}),
        Cell(_format_value(change.what, change.before, board, sentences), change.before),
        Cell(_format_value(change.what, change.after, board, sentences), change.after),
    )


def _format_value(what: str, text: str, board: Board, sentences: Sentences) -> str:
    """Return a value in words: a result, a power's name, the open retreats."""
    if what == "dislodged":
        return _format_retreats(text, sentences)
    if not text:
        return sentences.format("nothing")
    if what == "result":
        return sentences.format(f"result-{text}")
    return _format_name(text, board, sentences)


def _format_retreats(text: str, sentences: Sentences) -> str:
    """Return whether a unit is dislodged and where it may retreat."""
    if not text:
        return sentences.format("stays-put")
    if text == NOTHING_OPEN:
        return sentences.format("no-way-out")
    return sentences.format("ways-out", retreats=text)


def _format_name(text: str, board: Board, sentences: Sentences) -> str:
    """Return the name of a power, alone or before an order, or of a province."""
    power, blank, order = text.partition(" ")
    if power in board.powers or power == INDEPENDENT:
        return power_name(board, power, sentences) + blank + order_in(order, sentences.lang)
    if text in board.provinces:
        return f"{text} {board.provinces[text].name(sentences.lang)}"
    return order_in(text, sentences.lang)
