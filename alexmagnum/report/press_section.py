"""The press of a report: messages that players wrote to each other."""

from __future__ import annotations

from collections.abc import Sequence

from alexmagnum.board.model import Board
from alexmagnum.game.press import ALL, MASTER
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.report.document import Prose, Section
from alexmagnum.report.names import power_name
from alexmagnum.report.views import View


def press_section(view: View, sentences: Sentences) -> Section | None:
    """Return the press that the reader may see, oldest first, each below its heading."""
    board = view.content.position.board
    paragraphs: list[str] = []
    for piece in view.content.press:
        paragraphs.append(format_press_heading(piece.sender, piece.readers, board, sentences))
        paragraphs += filter(None, (part.strip() for part in piece.text.split("\n\n")))
    if not paragraphs:
        return None
    return Section("press", sentences.format("section-press"), Prose(tuple(paragraphs)))


def format_press_heading(
    sender: str, readers: Sequence[str], board: Board, sentences: Sentences
) -> str:
    """Return a heading: ``Ptolemy to Seleucus, Lysimachus:``; an empty sender is anonymous."""
    name = power_name(board, sender, sentences) if sender else sentences.format("press-somebody")
    return sentences.format(
        "press-from", sender=name, readers=format_readers(readers, board, sentences)
    )


def format_readers(readers: Sequence[str], board: Board, sentences: Sentences) -> str:
    """Return the names of the readers of a message."""
    return ", ".join(
        sentences.format("press-to-" + reader)
        if reader in (ALL, MASTER)
        else power_name(board, reader, sentences)
        for reader in readers
    )
