"""The picks of the Cyprus year (R30): a centre with many near it, near one's own."""

from __future__ import annotations

from random import Random

from alexmagnum.judge.checking import GOOD, check_orders
from alexmagnum.judge.winter import measure_distances
from alexmagnum.orders import Order, Pick
from alexmagnum.position import Position

_FAR = 4
"""Steps beyond which a centre is no neighbour."""


def pick_centre(position: Position, power: str, rng: Random) -> list[Order]:
    """Pick a centre with many near it, near the power's own, and far from the others' (R30)."""
    board = position.board
    own = position.centres_of(power)
    others = [c for c in board.centres if position.owners.get(c) not in (None, power)]
    near_own = measure_distances(board, own) if own else dict.fromkeys(board.provinces, 0)
    near_others = measure_distances(board, others) if others else {}
    ranked = []
    for centre in board.centres:
        if not _is_good(position, power, Pick(centre)):
            continue
        around = measure_distances(board, [centre])
        neighbours = sum(0.5 ** around[c] for c in board.centres if around[c] <= _FAR)
        worth = neighbours * 0.6 ** near_own[centre]
        worth *= 1.5 if board.provinces[centre].major else 1.0
        if near_others:
            worth *= 1.0 - 0.5 ** near_others[centre]
        ranked.append((worth * (1 + rng.random()), centre))
    return [Pick(max(ranked)[1])] if ranked else []


def _is_good(position: Position, power: str, order: Order) -> bool:
    (checked,) = check_orders(position, {power: [order]})
    return checked.verdict == GOOD
