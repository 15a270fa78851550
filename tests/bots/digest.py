"""Digests of the orders that bots give in whole games: on every machine and Python the same.

    python -m tests.bots.digest            # prints them
    python -m tests.bots.digest --record   # writes digests.json, after a change that was meant

Thousands of games of the balance lab rest on it that nothing else decides than the seed.  So a
change of *random* or *dumb* that changes a digest makes older figures incomparable.
"""

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from alexmagnum.board import Board, load_board
from alexmagnum.bots import Bot, load_bot
from alexmagnum.campaign import owners_after
from alexmagnum.judge import Outcome
from alexmagnum.orders import Order
from alexmagnum.play import play_game
from alexmagnum.position import Position

RECORDED = Path(__file__).with_name("digests.json")
MAPS = ("alexmagnum", "standard")
GAMES = {"random": 2, "dumb": 2, "blend": 1, "search": 1}
YEARS = {"random": 12, "dumb": 12, "blend": 3, "search": 2}
"""The games and the years of each by bot: what takes longer is played less."""


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


def read_digests() -> dict[str, str]:
    """Return the recorded digests by map and bot."""
    digests: dict[str, str] = json.loads(RECORDED.read_text("utf-8"))
    return digests


def digest_games(map_name: str, name: str) -> str:
    """Return the digest of some games between bots of one kind."""
    board = load_board(map_name)
    text = hashlib.sha256()
    for seed in range(GAMES[name]):
        bots = dict.fromkeys(board.powers, load_bot(name))
        for outcome in play_bots(board, bots, seed, YEARS[name]):
            orders = [(entry.power, entry.order) for entry in outcome.results]
            text.update(repr((str(outcome.position.phase), orders)).encode())
    return text.hexdigest()


def list_digests() -> dict[str, str]:
    """Return the digests by map and bot."""
    return {f"{board} {name}": digest_games(board, name) for board in MAPS for name in YEARS}


def main() -> None:
    """Print the digests, or record them."""
    parser = argparse.ArgumentParser(prog="python -m tests.bots.digest")
    parser.add_argument("--record", action="store_true", help="write digests.json")
    text = json.dumps(list_digests(), indent=2) + "\n"
    if parser.parse_args().record:
        RECORDED.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
