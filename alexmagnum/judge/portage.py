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
            known = both(known, gone(movement, other))
    return known


def gone(movement: Movement, u: int) -> int:
    """Does a unit leave the land of a haul, or fall to a move that is no haul itself?"""
    known = movement.leaves(u)
    for attacker in movement.movers[movement.place[u]]:
        if known != YES and attacker not in movement.hauls:
            known = either(known, movement.dislodges(attacker))
    return known
