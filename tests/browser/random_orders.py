"""Random orders of one power that often belong together, for comparing pages with the judge."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.orders import Build, Convoy, Move, Order, Pick, Support, Waive
from alexmagnum.play import play_game
from alexmagnum.position import Position

BOARDS = ("alexmagnum", "standard")


def random_positions(count: int, seed: int, *, kinds: str) -> Iterator[Position]:
    """Yield positions of random games on both maps, of some kinds of phase, far apart."""
    games = [_positions(load_board(name), seed, kinds) for name in BOARDS]
    for number in range(count):
        yield next(games[number % len(games)])


def _positions(board: Board, seed: int, kinds: str) -> Iterator[Position]:
    while True:
        wanted = (p.position for p in play_game(board, seed) if p.position.phase.kind in kinds)
        yield from islice(wanted, 7, None, 5)
        seed += 1


def random_orders(position: Position, power: str, rng: Random) -> list[Order]:
    """Return at most one legal order for each unit; many supports and convoys match a move."""
    by_unit: dict[str, list[Order]] = {}
    for order in legal_orders_of(position, power):
        if not isinstance(order, (Build, Waive)):
            key = "pick" if isinstance(order, Pick) else order.unit
            by_unit.setdefault(key, []).append(order)
    chosen = {unit: _choose(orders, rng) for unit, orders in by_unit.items() if rng.random() < 0.9}
    moves = {(o.unit, o.to) for o in chosen.values() if isinstance(o, Move)}
    for unit, orders in by_unit.items():
        matching = [o for o in orders if _helped(o) in moves]
        if unit in chosen and matching and rng.random() < 0.5:
            chosen[unit] = rng.choice(matching)
    return list(chosen.values())


def _choose(orders: list[Order], rng: Random) -> Order:
    moves = [order for order in orders if isinstance(order, Move)]
    return rng.choice(moves if moves and rng.random() < 0.5 else orders)


def _helped(order: Order) -> tuple[str, str | None] | None:
    if isinstance(order, Support):
        return order.supported, order.to
    return (order.army, order.to) if isinstance(order, Convoy) else None
