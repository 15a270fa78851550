"""The haul of a fleet over land between two seas (R23); its raiders (R24) are in the sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alexmagnum.judge.trilean import NO, YES, both, either

if TYPE_CHECKING:
    from alexmagnum.judge.movement import Movement


def judge_haul(movement: Movement, u: int) -> int:
    """Is the land free that a fleet is hauled over: does every other unit there go or fall?

    Whoever enters it does not matter.
    """
    known = YES
    for other in movement.sheet.units.standing[movement.hauls[u]]:
        if other != u and known != NO:
            gone = movement.leaves(other)
            known = both(known, gone if gone == YES else either(gone, movement.overcome(other)))
    return known
