"""Sentences for the game master about bots whose orders went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from alexmagnum.board.model import Board
from alexmagnum.game.values import PowerStatus
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.report.names import power_name


def describe_bot_faults(
    powers: Iterable[PowerStatus], board: Board, sentences: Sentences
) -> Iterator[str]:
    """Yield what went wrong with the orders of bots, and what can be done."""
    for power in powers:
        if power.bot_fault:
            yield sentences.format(
                f"desk-{power.bot_fault}",
                power=power_name(board, power.power, sentences),
                id=power.power,
                bot=power.bot,
                why=power.bot_error,
            )
