"""The haul of a fleet over land between two seas (R23).

The armies that can catch a hauled fleet (R24) are found by :mod:`alexmagnum.judge.sheet`.
"""

from __future__ import annotations

from alexmagnum.board.numbers import UnitNo
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.trilean import NO, YES, Answer, both, either


def judge_haul(movement: Movement, u: UnitNo) -> Answer:
    """Judge whether every other unit leaves the land of a haul or falls, whoever enters it."""
    known = YES
    for other in movement.sheet.units.units_in[movement.hauls[u]]:
        if other != u and known != NO:
            known = both(known, makes_way(movement, other))
    return known


def makes_way(movement: Movement, u: UnitNo) -> Answer:
    """Tell whether a unit leaves the land of a haul, or falls to a move that is no haul itself."""
    known = movement.leaves(u)
    for attacker in movement.attackers[movement.place[u]]:
        if known != YES and attacker not in movement.hauls:
            known = either(known, movement.dislodges(attacker))
    return known
