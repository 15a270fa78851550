"""Sentences about the end of a game: for the terminal, for letters and for the final report."""

from __future__ import annotations

from alexmagnum.game.values import GameEnd
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import Position
from alexmagnum.report.names import power_name


def format_end(end: GameEnd, position: Position, sentences: Sentences) -> str:
    """Return how a game ended, with who won; ``position`` is the one at the end."""
    board = position.board
    names = [power_name(board, power, sentences) for power in end.winners]
    if not names:
        code = f"end-{end.kind}" if end.is_declared else "end-nobody"
    else:
        shared = "-shared" if len(names) > 1 and end.kind == "nobility" else ""
        alone = "-alone" if len(names) == 1 and end.kind == "draw" else ""
        code = f"end-{end.kind}{shared}{alone}"
    best = end.winners[0] if end.winners else ""
    return sentences.format(
        code,
        powers=_join(names, sentences),
        points=position.points_of(best) if best and position.board.rules.nobility else 0,
        count=len(position.centres_of(best)) if best else 0,
    )


def _join(names: list[str], sentences: Sentences) -> str:
    """Return names as they are listed in a sentence: ``A, B and C``."""
    if len(names) < 2:
        return "".join(names)
    return sentences.format("list-and", first=", ".join(names[:-1]), last=names[-1])
