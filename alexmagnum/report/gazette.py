"""Press in a report: what players wrote to each other."""

from __future__ import annotations

from collections.abc import Sequence

from alexmagnum.board.model import Board
from alexmagnum.game.letters import ALL, MASTER
from alexmagnum.report.blocks import power_name
from alexmagnum.report.document import Prose, Section
from alexmagnum.report.views import View
from alexmagnum.report.words import Words


def press(view: View, words: Words) -> Section | None:
    """The pieces that the reader may read, oldest first, each below who wrote it to whom."""
    board = view.shown.position.board
    paragraphs: list[str] = []
    for piece in view.shown.press:
        paragraphs.append(press_head(piece.sender, piece.readers, board, words))
        paragraphs += filter(None, (part.strip() for part in piece.text.split("\n\n")))
    if not paragraphs:
        return None
    return Section("press", words.say("season-press"), Prose(tuple(paragraphs)))


def press_head(sender: str, readers: Sequence[str], board: Board, words: Words) -> str:
    """Who writes to whom: ``Ptolemy to Seleucus, Lysimachus:``; ``sender`` "" for nobody named."""
    name = power_name(board, sender, words) if sender else words.say("press-somebody")
    return words.say("press-from", sender=name, readers=reader_names(readers, board, words))


def reader_names(readers: Sequence[str], board: Board, words: Words) -> str:
    """To whom a piece is, by name."""
    return ", ".join(
        words.say("press-to-" + reader)
        if reader in (ALL, MASTER)
        else power_name(board, reader, words)
        for reader in readers
    )
