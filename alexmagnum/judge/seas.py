"""Seas with several places: plain entry into open places, and attacks from inside (R8 to R17).

Cities of two places (R26) share what is said here about rivals for room.
"""

from __future__ import annotations

from collections.abc import Iterable

from alexmagnum.board.numbers import PlaceNo, ProvinceNo, UnitNo
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.sheet import CAUGHT, FROM_INSIDE, MOVE
from alexmagnum.judge.trilean import (
    NO,
    UNKNOWN,
    YES,
    Answer,
    both,
    choose,
    count,
    either,
    negation,
)


def judge_entry(movement: Movement, u: UnitNo) -> Answer:
    """Judge a plain entry: it succeeds if fewer rivals are as strong than places are open (R10)."""
    arrives = movement.arrives(u)
    if arrives == NO:
        return NO
    few, many = count_as_strong(movement, u, other_entrants(movement, u))
    least, most = count_open_places(movement, u)
    if few >= most:
        return NO
    return arrives if many < least else UNKNOWN


def other_entrants(movement: Movement, u: UnitNo) -> list[tuple[UnitNo, Answer]]:
    """Return the other plain entrants of the sea that ``u`` enters, and whether each arrives."""
    entrants = movement.sheet.entrants[movement.sheet.to[u]]
    return [(other, movement.arrives(other)) for other in entrants if other != u]


def count_as_strong(
    movement: Movement, u: UnitNo, rivals: Iterable[tuple[UnitNo, Answer]], more: int = 0
) -> tuple[int, int]:
    """Return how many rivals, at least and at most, are as strong as ``u``.

    ``rivals``: pairs (unit, whether it counts).  With ``more`` they have to be stronger by that
    much.
    """
    low, high = movement.strength(u)
    few = many = 0
    for rival, counts in rivals:
        if counts != NO:
            least, most = movement.strength(rival)
            few += counts == YES and least >= high + more
            many += most >= low + more
    return few, many


def count_open_places(movement: Movement, u: UnitNo) -> tuple[int, int]:
    """Return how many places, at least and at most, are open to a plain entrant (R9, R15)."""
    return count(
        is_open(movement, place)
        for place in movement.sheet.board.places_of[movement.sheet.to[u]]
        if not would_exchange(movement, u, movement.occupant[place])
    )


def would_exchange(movement: Movement, u: UnitNo, other: UnitNo) -> bool:
    """Tell whether ``other`` is ordered to the province that ``u`` comes from.

    Then ``u`` cannot use its place (R15).
    """
    return (
        other >= 0
        and movement.action[other] in (MOVE, CAUGHT)
        and movement.sheet.to[other] == movement.province[u]
    )


def is_open(movement: Movement, place: PlaceNo) -> Answer:
    """Tell whether a place is open to plain entrants: vacant, and named by nobody (R9)."""
    return both(is_vacated(movement, place), negation(is_named(movement, place)))


def is_vacated(movement: Movement, place: PlaceNo) -> Answer:
    """Tell whether a place is empty, left by its fleet, or won from inside its sea."""
    occupant = movement.occupant[place]
    if occupant < 0:
        return YES
    known = movement.leaves(occupant)
    for u in movement.attackers[place]:
        if movement.goal[u] == FROM_INSIDE and known != YES:
            known = either(known, overpowers_from_inside(movement, u, occupant))
    return known


def is_named(movement: Movement, place: PlaceNo) -> Answer:
    """Tell whether a move from outside names the place; a haul that fails names nothing."""
    known = NO
    for u in movement.attackers[place]:
        if movement.goal[u] != FROM_INSIDE:
            known = either(known, movement.arrives(u) if u in movement.hauls else YES)
    return known


def judge_attack_from_inside(movement: Movement, u: UnitNo) -> Answer:
    """Judge whether a fleet dislodges another fleet of its sea (R11a); it contests with nobody."""
    target = movement.occupant[movement.to_place[u]]
    return choose(movement.leaves(target), NO, overpowers_from_inside(movement, u, target))


def overpowers_from_inside(movement: Movement, u: UnitNo, target: UnitNo) -> Answer:
    """Tell whether an attack from inside dislodges its target if that stays."""
    # Two that attack each other are head-to-head; nobody inside is hauled, so that is certain.
    mutual = movement.head_to_head(u, target) == YES
    return movement.overpowers(u, target, 0, 0, defends=mutual)


def is_closed(movement: Movement, sea: ProvinceNo) -> bool:
    """Tell whether equals kept anybody out of a sea, which closes it to retreats (R17).

    Ask when everything is decided.
    """
    for u in movement.sheet.entrants.get(sea, ()):
        if not movement.moved[u] and movement.passage[u] == YES:
            stronger = count_as_strong(movement, u, other_entrants(movement, u), more=1)[0]
            if stronger < count_open_places(movement, u)[0]:
                return True
    return any(_stays_empty(movement, place) for place in movement.sheet.board.places_of[sea])


def _stays_empty(movement: Movement, place: PlaceNo) -> bool:
    """Tell whether a place that its fleet left or lost was fought for and won by no unit."""
    occupant = movement.occupant[place]
    if occupant < 0 or movement.is_gone(occupant) != YES:
        return False
    # A move that lost a head-to-head battle counts nowhere.
    fighting = [
        u
        for u in movement.attackers[place]
        if movement.goal[u] != FROM_INSIDE
        and movement.arrives(u) == YES
        and movement.loses_head_to_head(u) != YES
    ]
    return bool(fighting) and not any(movement.moved[u] for u in fighting)
