"""The haul of a fleet over land between two seas (R23).

The armies that can catch a hauled fleet (R24) are found by :mod:`alexmagnum.judge.sheet`.
"""

from __future__ import annotations

from alexmagnum.board.numbers import UnitNo
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.trilean import NO, YES, Answer, both


def judge_haul(movement: Movement, u: UnitNo) -> Answer:
    """Judge whether every other unit leaves the land of a haul, or would fall if it stayed."""
    known = YES
    for other in movement.sheet.units.units_in[movement.hauls[u]]:
        if other != u and known != NO:
            known = both(known, movement.is_gone(other))
    return known
