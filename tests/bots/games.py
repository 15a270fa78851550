"""Games between bots, each a function of its seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from alexmagnum.board import Board
from alexmagnum.bots import Bot
from alexmagnum.campaign import owners_after
from alexmagnum.judge import Outcome
from alexmagnum.orders import Order
from alexmagnum.play import play_game
from alexmagnum.position import Position


def play_bots(
    board: Board, bots: Mapping[str, Bot], seed: int, years: int = 30
) -> Iterator[Outcome]:
    """Yield the outcome of each phase of a game, until it is over or so many years are played."""

    def give_orders(position: Position, rng: Random) -> dict[str, Sequence[Order]]:
        return {power: bots[power].orders(position, power, rng) for power in board.powers}

    for played in play_game(board, seed, years=years, give_orders=give_orders):
        yield played.outcome


def count_centres(board: Board, bots: Mapping[str, Bot], seed: int, years: int) -> Counter[str]:
    """Return the centres that each power has when the game ends."""
    *_, last = play_bots(board, bots, seed, years)
    return Counter(owners_after(last).values())
