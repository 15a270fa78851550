"""Major cities with two places, for units of one power: a house rule, off by default (R26)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alexmagnum.judge.seas import as_strong, exchanges
from alexmagnum.judge.sheet import AHEAD, BEHIND, FOR_CITY
from alexmagnum.judge.trilean import NO, UNKNOWN, YES, both, either

if TYPE_CHECKING:
    from alexmagnum.judge.movement import Movement


def judge_entry(movement: Movement, u: int) -> int:
    """Does a unit get into a city?

    Units of other powers keep it out as in the standard game; what else it takes depends on
    whether the unit that it attacks, if any, stays.
    """
    arrives = movement.arrives(u)
    if arrives == NO:
        return NO
    target = _target(movement, u)
    if target < 0:
        return both(arrives, _finds_room(movement, u))
    beside = _beside_gone(movement, movement.sheet.to[u], target)
    if beside == NO:
        return NO
    stays = both(judge_attack(movement, u), beside)
    room = both(_finds_room(movement, u), _alone_with_target(movement, u, target))
    goes = both(room, beside)
    leaves = NO if movement.meets(u, target) == YES else movement.leaves(target)
    known = (stays, goes, stays if stays == goes else UNKNOWN)[leaves]
    return both(arrives, known)


def judge_attack(movement: Movement, u: int) -> int:
    """Does a move into a city dislodge the unit that it attacks, whether or not it gets in?"""
    target = _target(movement, u)
    arrives = movement.arrives(u)
    if target < 0 or arrives == NO:
        return NO
    low, high = movement.prevention(u, rivals(movement, u, same_target=True))
    meets = movement.meets(u, target)
    leaves = movement.leaves(target) if meets == NO else NO
    if leaves == YES:
        return NO
    known = movement.compare(u, target, low, high, defends=meets == YES)
    if meets == UNKNOWN and known != movement.compare(u, target, low, high, defends=True):
        known = UNKNOWN
    return both(both(arrives, known), YES if leaves == NO else UNKNOWN)


def _target(movement: Movement, u: int) -> int:
    place = movement.to_place[u]
    return movement.occupant[place] if place >= 0 else -1


def _beside_gone(movement: Movement, city: int, target: int) -> int:
    """Is the other unit that stands beside the target out of the way?"""
    known = YES
    for other in movement.sheet.units.standing[city]:
        if other != target:
            known = both(known, either(movement.leaves(other), movement.overcome(other)))
    return known


def _finds_room(movement: Movement, u: int) -> int:
    """Plain entry: room beside those of its own power, and nobody else's unit as strong."""
    low, high = movement.prevention(u, rivals(movement, u, same_target=False))
    least, most = movement.strength(u, -1)
    if most <= low:
        return NO
    few, many = as_strong(movement, u, companions(movement, u))
    fewest, most_places = open_places(movement, u)
    if few >= most_places:
        return NO
    return YES if least > high and many < fewest else UNKNOWN


def _alone_with_target(movement: Movement, u: int, target: int) -> int:
    """Where the unit beside the target is dislodged, its place is for who dislodged it: then none
    that went for the same target may be as strong."""
    beside = YES
    for other in movement.sheet.units.standing[movement.sheet.to[u]]:
        if other != target:
            beside = movement.leaves(other)
    if beside == YES:
        return YES
    same = [
        (leg, movement.arrives(leg))
        for leg in rivals(movement, u, same_target=True)
        if leg == movement.mover[leg] != u and _share_target(movement, u, leg)
    ]
    few, many = as_strong(movement, u, same)
    alone = NO if few else YES if not many else UNKNOWN
    return alone if beside == NO else either(alone, UNKNOWN)


def companions(movement: Movement, u: int) -> list[tuple[int, int]]:
    """The others of its power that go for the city, or pass it by express, and whether each comes
    so far; those on the same way along a river are no rivals (R21)."""
    contest = movement.contest[movement.sheet.board.first_place[movement.sheet.to[u]]]
    return [
        (other, movement.arrives(leg))
        for leg in contest
        if (other := movement.mover[leg]) != u
        and movement.power[other] == movement.power[u]
        and movement.relation.get((u, other)) not in (AHEAD, BEHIND)
    ]


def open_places(movement: Movement, u: int) -> tuple[int, int]:
    """How many places of the city (least, most) are empty, left or lost; that of a unit of its
    own power which is ordered to where it comes from is none (R15)."""
    city = movement.sheet.to[u]
    first = movement.sheet.board.first_place[city]
    states = []
    for place in range(first, first + movement.sheet.board.capacity[city]):
        other = movement.occupant[place]
        if other < 0:
            states.append(YES)
        elif movement.power[other] != movement.power[u]:
            states.append(either(movement.leaves(other), movement.overcome(other)))
        elif not exchanges(movement, u, other):
            states.append(movement.leaves(other))
    return states.count(YES), len(states) - states.count(NO)


def rivals(movement: Movement, u: int, *, same_target: bool) -> list[int]:
    """Who keeps ``u`` out of a city by strength alone: units of other powers, those of its own
    that attack the same unit, and who is ahead of it on a river (R21)."""
    contest = movement.contest[movement.sheet.board.first_place[movement.sheet.to[u]]]
    return [
        leg
        for leg in contest
        if movement.power[movement.mover[leg]] != movement.power[u]
        or movement.relation.get((u, movement.mover[leg])) == AHEAD
        or (same_target and leg == movement.mover[leg] and _share_target(movement, u, leg))
    ]


def _share_target(movement: Movement, u: int, other: int) -> bool:
    return movement.to_place[other] == movement.to_place[u]


def closed(movement: Movement, city: int) -> bool:
    """Was anybody kept out of a city by a rival (R17, R26)?  Asked when all is decided."""
    contest = movement.contest[movement.sheet.board.first_place[city]]
    return any(
        movement.goal[leg] == FOR_CITY
        and not movement.moved[leg]
        and movement.passage[leg] == YES
        and movement.beaten(leg) != YES
        and not _foreign_unit_remains(movement, leg, city)
        for leg in contest
        if leg < len(movement.kind)
    )


def _foreign_unit_remains(movement: Movement, u: int, city: int) -> bool:
    return any(
        movement.power[other] != movement.power[u]
        and movement.leaves(other) == NO
        and movement.overcome(other) == NO
        for other in movement.sheet.units.standing[city]
    )
