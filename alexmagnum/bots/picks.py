"""The picks of the Cyprus year (R30): a centre with many near it, near one's own."""

from __future__ import annotations

from random import Random

from alexmagnum.bots.map_weights import MapWeights
from alexmagnum.judge.cyprus import list_legal_picks
from alexmagnum.judge.winter import measure_distances
from alexmagnum.orders import Order, Pick
from alexmagnum.position import Position


def pick_centre(position: Position, power: str, rng: Random, weights: MapWeights) -> list[Order]:
    """Pick a centre with many near it, near the power's own, and far from the others' (R30)."""
    board = position.board
    own = position.centres_of(power)
    others = [c for c in board.centres if position.owners.get(c) not in (None, power)]
    near_own = measure_distances(board, own) if own else dict.fromkeys(board.provinces, 0)
    near_others = measure_distances(board, others) if others else {}
    ranked = []
    for pick in list_legal_picks(position, power, map(Pick, board.centres)):
        centre = pick.centre
        worth = weights.neighbours[centre] * 0.6 ** near_own[centre]
        worth *= 1.5 if board.provinces[centre].major else 1.0
        if near_others:
            worth *= 1.0 - 0.5 ** near_others[centre]
        ranked.append((worth * (1 + rng.random()), centre))
    return [Pick(max(ranked)[1])] if ranked else []
