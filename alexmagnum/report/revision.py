"""What a corrected report says otherwise than the one before it."""

from __future__ import annotations

from collections.abc import Iterable

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.game.comparing import NOTHING_OPEN
from alexmagnum.game.values import Change
from alexmagnum.notation import order_in
from alexmagnum.report.blocks import power_name
from alexmagnum.report.document import Cell, Column, Table
from alexmagnum.report.words import Words


def changes_table(changes: Iterable[Change], board: Board, words: Words) -> Table:
    """A row to a difference: what it is about, what the version before said, what this one says."""
    columns = (
        Column("subject", words.say("column-subject")),
        Column("before", words.say("column-before")),
        Column("now", words.say("column-now")),
    )
    return Table(columns, tuple(_row(change, board, words) for change in changes))


def _row(change: Change, board: Board, words: Words) -> tuple[Cell, ...]:
    subject = words.say(f"change-{change.what}", subject=_named(change.subject, board, words))
    return (
        Cell(subject, {"what": change.what, "subject": change.subject}),
        Cell(_said(change.what, change.before, board, words), change.before),
        Cell(_said(change.what, change.after, board, words), change.after),
    )


def _said(what: str, text: str, board: Board, words: Words) -> str:
    """What one version says: a result in words, a power by its name, the retreats open."""
    if what == "dislodged":
        return _ways(text, words)
    if not text:
        return words.say("nothing")
    return words.say(f"result-{text}") if what == "result" else _named(text, board, words)


def _ways(text: str, words: Words) -> str:
    """Whether a unit is dislodged, and where it may go."""
    if not text:
        return words.say("stays-put")
    if text == NOTHING_OPEN:
        return words.say("no-way-out")
    return words.say("ways-out", retreats=text)


def _named(text: str, board: Board, words: Words) -> str:
    """A power by its name, also before its order; a centre with its name."""
    power, blank, order = text.partition(" ")
    if power in board.powers or power == INDEPENDENT:
        return power_name(board, power, words) + blank + order_in(order, words.lang)
    if text in board.provinces:
        return f"{text} {board.provinces[text].name(words.lang)}"
    return order_in(text, words.lang)
