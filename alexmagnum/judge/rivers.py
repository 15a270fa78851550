"""The river express: how far a fleet comes on its way up or down a river (R18 to R22)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alexmagnum.judge.sheet import AHEAD, ONCOMING, OPPOSITE
from alexmagnum.judge.trilean import NO, UNKNOWN, YES, both, either, negation

if TYPE_CHECKING:
    from alexmagnum.judge.movement import Movement


def judge_express(movement: Movement, leg: int) -> int:
    """Does an express pass the territory before this leg (R19)?

    It does if nobody remains there and it is stronger than everybody else who tries to enter;
    a unit ahead of it that ends there keeps it out whatever the strengths (R21).
    """
    u = movement.mover[leg]
    before = last_passed(movement, leg)
    known = both(movement.arrives(before), _vacant(movement, u, before))
    if known == NO:
        return NO
    contest = movement.contest[movement.leg_place[before]]
    low, high = movement.prevention(u, contest)
    least, most = movement.strength(u, -1)
    if most <= low:
        return NO
    known = both(known, negation(blocked_ahead(movement, u, contest)))
    return both(known, YES if least > high else UNKNOWN)


def blocked_ahead(movement: Movement, u: int, contest: list[int]) -> int:
    """Does a unit ahead of an express end in a territory, so that it cannot enter (R21)?

    ``contest``: the legs that lead there.
    """
    known = NO
    for leg in contest:
        if movement.relation.get((u, movement.mover[leg])) == AHEAD:
            known = either(known, ends(movement, leg))
    return known


def last_passed(movement: Movement, leg: int) -> int:
    """The leg of an express that comes before this one."""
    u = movement.mover[leg]
    if leg != u:
        return leg - 1
    return movement.first_leg[u] + len(movement.expresses[u].path) - 2


def _vacant(movement: Movement, u: int, leg: int) -> int:
    """Does everybody leave the territory of this leg?  Who comes towards ``u`` is not got past,
    wherever that unit ends (R21a)."""
    province = movement.expresses[u].path[leg - movement.first_leg[u]]
    known = YES
    for other in movement.sheet.units.standing[province]:
        if movement.relation.get((u, other)) in (ONCOMING, OPPOSITE):
            return NO
        known = both(known, movement.leaves(other))
    return known


def ends(movement: Movement, leg: int) -> int:
    """Does a unit on a river come to its end where this leg leads?"""
    u = movement.mover[leg]
    if leg == u:
        return movement.move(u)
    after = movement.sheet.next_leg(leg)
    further = movement.move(u) if after == u else movement.arrives(movement.sheet.next_leg(after))
    return both(movement.arrives(after), negation(further))


def passed(movement: Movement, u: int) -> int:
    """How many territories before its destination an express passed, when all is decided."""
    first = movement.first_leg[u]
    legs = [*range(first + 1, first + len(movement.expresses[u].path) - 1), u]
    return sum(movement.passage[leg] == YES for leg in legs)


def stopped_in(movement: Movement, u: int) -> int:
    """The territory where an express that advanced was stopped; -1 for all other units."""
    if u not in movement.expresses or movement.moved[u]:
        return -1
    count = passed(movement, u)
    return movement.expresses[u].path[count - 1] if count else -1


def got_no_farther(movement: Movement, leg: int) -> bool:
    """Was an express stopped at the territory of a leg before its last (R22)?"""
    return movement.passage[movement.sheet.next_leg(leg)] != YES
