"""Games between bots, each a function of its seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random

from alexmagnum.board import Board
from alexmagnum.bots import Bot
from alexmagnum.campaign import first_position, next_position, owners_after
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.position import Position


def play_bots(
    board: Board, bots: Mapping[str, Bot], seed: int, years: int = 30
) -> Iterator[Outcome]:
    """Yield the outcome of each phase of a game, until it is over or so many years are played."""
    rng = Random(seed)
    position: Position | None = first_position(board)
    while position is not None:
        if abs(position.phase.year - board.rules.first_year) >= years:
            return
        orders = {power: bots[power].orders(position, power, rng) for power in board.powers}
        outcome = adjudicate(position, orders)
        yield outcome
        position = next_position(outcome)


def count_centres(board: Board, bots: Mapping[str, Bot], seed: int, years: int) -> Counter[str]:
    """Return the centres that each power has when the game ends."""
    *_, last = play_bots(board, bots, seed, years)
    return Counter(owners_after(last).values())
