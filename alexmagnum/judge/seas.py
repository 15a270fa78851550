"""Seas with several places: plain entry into open places, and attacks from inside (R8 to R17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alexmagnum.judge.room import as_strong, swaps_with
from alexmagnum.judge.sheet import FROM_INSIDE
from alexmagnum.judge.trilean import NO, UNKNOWN, YES, both, count, either, negation, weigh

if TYPE_CHECKING:
    from alexmagnum.judge.movement import Movement


def judge_entry(movement: Movement, u: int) -> int:
    """Does a plain entry succeed?

    It does if fewer of the other entrants are at least as strong as there are open places (R10).
    """
    arrives = movement.arrives(u)
    if arrives == NO:
        return NO
    few, many = as_strong(movement, u, others(movement, u))
    least, most = open_places(movement, u)
    if few >= most:
        return NO
    return arrives if many < least else UNKNOWN


def others(movement: Movement, u: int) -> list[tuple[int, int]]:
    """The other plain entrants of the sea that ``u`` enters, and whether each arrives."""
    entrants = movement.sheet.entrants[movement.sheet.to[u]]
    return [(other, movement.arrives(other)) for other in entrants if other != u]


def open_places(movement: Movement, u: int) -> tuple[int, int]:
    """How many places (least, most) are open to a plain entrant (R9, R15)."""
    return count(
        is_open(movement, place)
        for place in movement.sheet.board.places_of[movement.sheet.to[u]]
        if not swaps_with(movement, u, movement.occupant[place])
    )


def is_open(movement: Movement, place: int) -> int:
    """Is a place free for plain entrants: vacated or empty, and named by nobody (R9)?"""
    return both(vacated(movement, place), negation(is_named(movement, place)))


def vacated(movement: Movement, place: int) -> int:
    """Is a place empty, or left by its fleet, or does that fall to one of its own sea?"""
    occupant = movement.occupant[place]
    if occupant < 0:
        return YES
    known = movement.leaves(occupant)
    for u in movement.movers[place]:
        if movement.goal[u] == FROM_INSIDE and known != YES:
            known = either(known, movement.move(u))
    return known


def is_named(movement: Movement, place: int) -> int:
    """Does any move from outside name the place?  A fleet that cannot be hauled names nothing."""
    known = NO
    for u in movement.movers[place]:
        if movement.goal[u] != FROM_INSIDE:
            known = either(known, movement.arrives(u) if u in movement.hauls else YES)
    return known


def judge_attack_from_inside(movement: Movement, u: int) -> int:
    """Does a fleet dislodge another one of its sea (R11a)?  It contests the place with nobody."""
    target = movement.occupant[movement.to_place[u]]
    # Two that attack each other are head-to-head; nobody inside is hauled, so that is certain.
    mutual = movement.head_to_head(u, target) == YES
    beats = movement.overpowers(u, target, 0, 0, defends=mutual)
    return weigh(movement.leaves(target), NO, beats)


def closed(movement: Movement, sea: int) -> bool:
    """Was anybody kept out of a sea by equals, so that it is closed to retreats (R17)?

    Asked when all is decided.
    """
    for u in movement.sheet.entrants.get(sea, ()):
        if not movement.moved[u] and movement.passage[u] == YES:
            stronger = as_strong(movement, u, others(movement, u), more=1)[0]
            if stronger < open_places(movement, u)[0]:
                return True
    return any(_named_in_vain(movement, place) for place in movement.sheet.board.places_of[sea])


def _named_in_vain(movement: Movement, place: int) -> bool:
    """Was a place named from outside, left or lost by its fleet, and won by nobody?"""
    occupant = movement.occupant[place]
    outside = [u for u in movement.movers[place] if movement.goal[u] != FROM_INSIDE]
    if occupant < 0 or is_named(movement, place) == NO or any(movement.moved[u] for u in outside):
        return False
    return YES in (movement.leaves(occupant), movement.is_overcome(occupant))
