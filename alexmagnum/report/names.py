"""Names of powers, phases and years in the reader's language."""

from __future__ import annotations

from alexmagnum.board.model import Board
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation.power_names import power_name
from alexmagnum.position import DEPLOYMENT, Phase

__all__ = ["phase_name", "power_name", "year_name"]


def phase_name(phase: Phase, board: Board, sentences: Sentences) -> str:
    """Return a phase in words: ``Spring 318 BC, movement``."""
    words = (sentences.format(phase.season), year_name(phase, board, sentences))
    season = " ".join(word for word in words if word)
    if phase.kind == DEPLOYMENT:
        return season  # the only phase of its season
    return f"{season}, {sentences.format(f'{phase.kind}-phase', period=phase.period)}"


def year_name(phase: Phase, board: Board, sentences: Sentences) -> str:
    """Return the year of a phase in words: ``318 BC``; "" if it has none."""
    if not phase.year:
        return ""
    return sentences.format("before-christ", year=phase.year) if board.years_bc else str(phase.year)
