"""The river express: how far a fleet comes on its way up or down a river (R18 to R22)."""

from __future__ import annotations

from alexmagnum.board.numbers import NO_PROVINCE, LegNo, ProvinceNo, UnitNo
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.sheet import AHEAD, ONCOMING, OPPOSITE
from alexmagnum.judge.trilean import NO, UNKNOWN, YES, Answer, both, either, negation


def judge_express(movement: Movement, leg: LegNo) -> Answer:
    """Judge whether an express passes the territory before this leg (R19).

    It passes if nobody remains there and it is stronger than everybody else who tries to enter.
    A unit ahead of it that ends there keeps it out whatever the strengths (R21).
    """
    u = movement.mover[leg]
    before = _previous_leg(movement, leg)
    known = both(movement.arrives(before), _is_vacated(movement, u, before))
    if known == NO:
        return NO
    contenders = movement.contenders[movement.leg_place[before]]
    low, high = movement.prevention(u, contenders)
    least, most = movement.strength(u)
    if most <= low:
        return NO
    known = both(known, negation(is_blocked_ahead(movement, u, contenders)))
    return both(known, YES if least > high else UNKNOWN)


def is_blocked_ahead(movement: Movement, u: UnitNo, contenders: list[LegNo]) -> Answer:
    """Tell whether a unit ahead of an express ends in a territory and so keeps it out (R21).

    ``contenders``: the legs that lead there.
    """
    known = NO
    for leg in contenders:
        if movement.relation.get((u, movement.mover[leg])) == AHEAD:
            known = either(known, ends_at(movement, leg))
    return known


def is_kept_behind(movement: Movement, u: UnitNo) -> Answer:
    """Tell whether a unit ahead of an express ends at its destination, so that it stops before."""
    if u not in movement.expresses:
        return NO
    sheet = movement.sheet
    destination = sheet.board.first_place[sheet.to[u]]
    return is_blocked_ahead(movement, u, movement.contenders[destination])


def ends_at(movement: Movement, leg: LegNo) -> Answer:
    """Tell whether a unit on a river ends where this leg leads."""
    u = movement.mover[leg]
    if leg == u:
        return movement.moves(u)
    after = movement.sheet.next_leg(leg)
    further = movement.moves(u) if after == u else movement.arrives(movement.sheet.next_leg(after))
    return both(movement.arrives(after), negation(further))


def count_passed(movement: Movement, u: UnitNo) -> int:
    """Return how many territories before its destination an express passed.

    Ask when everything is decided.
    """
    first = movement.first_leg[u]
    legs = [*range(first + 1, first + len(movement.expresses[u].path) - 1), u]
    return sum(movement.passage[leg] == YES for leg in legs)


def find_stop(movement: Movement, u: UnitNo) -> ProvinceNo:
    """Return the territory where an express that advanced was stopped; none for other units."""
    if u not in movement.expresses or movement.moved[u]:
        return NO_PROVINCE
    passed = count_passed(movement, u)
    return movement.expresses[u].path[passed - 1] if passed else NO_PROVINCE


def got_no_farther(movement: Movement, leg: LegNo) -> bool:
    """Tell whether an express was stopped at the territory of a leg before its last (R22)."""
    return movement.passage[movement.sheet.next_leg(leg)] != YES


def _previous_leg(movement: Movement, leg: LegNo) -> LegNo:
    """Return the leg of an express that comes before this one."""
    u = movement.mover[leg]
    if leg != u:
        return movement.sheet.legs[leg - 1]
    return movement.sheet.legs[movement.first_leg[u] + len(movement.expresses[u].path) - 2]


def _is_vacated(movement: Movement, u: UnitNo, leg: LegNo) -> Answer:
    """Tell whether everybody leaves the territory of a leg.

    Nobody gets past a unit that comes towards it, wherever that unit ends (R21a).
    """
    province = movement.expresses[u].path[leg - movement.first_leg[u]]
    known = YES
    for other in movement.sheet.units.units_in[province]:
        if movement.relation.get((u, other)) in (ONCOMING, OPPOSITE):
            return NO
        known = both(known, movement.leaves(other))
    return known
