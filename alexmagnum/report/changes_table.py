"""What a corrected report says otherwise than the one before it."""

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
    """A row to a difference: what it is about, what the version before said, what this one says."""
    columns = (
        Column("subject", sentences.format("column-subject")),
        Column("before", sentences.format("column-before")),
        Column("now", sentences.format("column-now")),
    )
    return Table(columns, tuple(_row(change, board, sentences) for change in changes))


def _row(change: Change, board: Board, sentences: Sentences) -> tuple[Cell, ...]:
    subject = sentences.format(
        f"change-{change.what}", subject=_named(change.subject, board, sentences)
    )
    return (
        Cell(subject, {"what": change.what, "subject": change.subject}),
        Cell(_said(change.what, change.before, board, sentences), change.before),
        Cell(_said(change.what, change.after, board, sentences), change.after),
    )


def _said(what: str, text: str, board: Board, sentences: Sentences) -> str:
    """What one version says: a result in words, a power by its name, the retreats open."""
    if what == "dislodged":
        return _ways(text, sentences)
    if not text:
        return sentences.format("nothing")
    return (
        sentences.format(f"result-{text}") if what == "result" else _named(text, board, sentences)
    )


def _ways(text: str, sentences: Sentences) -> str:
    """Whether a unit is dislodged, and where it may go."""
    if not text:
        return sentences.format("stays-put")
    if text == NOTHING_OPEN:
        return sentences.format("no-way-out")
    return sentences.format("ways-out", retreats=text)


def _named(text: str, board: Board, sentences: Sentences) -> str:
    """A power by its name, also before its order; a centre with its name."""
    power, blank, order = text.partition(" ")
    if power in board.powers or power == INDEPENDENT:
        return power_name(board, power, sentences) + blank + order_in(order, sentences.lang)
    if text in board.provinces:
        return f"{text} {board.provinces[text].name(sentences.lang)}"
    return order_in(text, sentences.lang)
