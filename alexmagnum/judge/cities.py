"""Major cities with two places, for units of one power: a house rule, off by default (R26).

``u`` is a move into a city throughout; its *target* is the foreign unit that it attacks.  A city
never has more than two places (the switch allows 1 or 2), so beside the target stands one other
unit at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from alexmagnum.judge import rivers
from alexmagnum.judge.room import as_strong, swaps_with
from alexmagnum.judge.sheet import AHEAD, BEHIND, FOR_CITY
from alexmagnum.judge.trilean import NO, UNKNOWN, YES, both, count, either, negation, weigh

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
    known = both(arrives, negation(_blocked_ahead(movement, u)))
    target = target_of(movement, u)
    if target < 0:
        return both(known, finds_room(movement, u))
    known = both(known, beside_gone(movement, u))
    if known == NO:
        return NO
    enters = both(finds_room(movement, u), _first_of_its_attackers(movement, u))
    return both(known, weigh(_target_leaves(movement, u), enters, movement.dislodges(u)))


def judge_attack(movement: Movement, u: int) -> int:
    """Does a move into a city dislodge its target, whether or not it gets in itself?"""
    target = target_of(movement, u)
    arrives = movement.arrives(u)
    if target < 0 or arrives == NO:
        return NO
    low, high = movement.prevention(u, rivals(movement, u))
    meets = movement.head_to_head(u, target)
    beats = weigh(
        meets,
        movement.overpowers(u, target, low, high, defends=True),
        movement.overpowers(u, target, low, high, defends=False),
    )
    return both(arrives, weigh(_target_leaves(movement, u), NO, beats))


def target_of(movement: Movement, u: int) -> int:
    """The unit that a move into a city attacks; -1 where no foreign unit stood."""
    place = movement.to_place[u]
    return movement.occupant[place] if place >= 0 else -1


def _target_leaves(movement: Movement, u: int) -> int:
    """Does the target go?  Not if it beats ``u`` head-to-head: nobody swaps places."""
    target = target_of(movement, u)
    return both(negation(movement.head_to_head(u, target)), movement.leaves(target))


def beside(movement: Movement, u: int) -> int:
    """The other foreign unit that stands beside the target; -1 for none."""
    standing = movement.sheet.units.standing[movement.sheet.to[u]]
    return next((v for v in standing if v != target_of(movement, u)), -1)


def beside_gone(movement: Movement, u: int) -> int:
    """Is the unit beside the target out of the way?"""
    other = beside(movement, u)
    if other < 0:
        return YES
    return either(movement.leaves(other), movement.is_overcome(other))


def finds_room(movement: Movement, u: int) -> int:
    """Plain entry: room beside those of its own power, and no foreign unit as strong."""
    low, high = movement.prevention(u, foreign_rivals(movement, u))
    least, most = movement.strength(u, -1)
    if most <= low:
        return NO
    few, many = as_strong(movement, u, companions(movement, u))
    fewest, most_places = open_places(movement, u)
    if few >= most_places:
        return NO
    return YES if least > high and many < fewest else UNKNOWN


def _first_of_its_attackers(movement: Movement, u: int) -> int:
    """Where the unit beside the target is dislodged, its place is for who dislodged it: then none
    that went for the same target may be as strong."""
    other = beside(movement, u)
    if other < 0:
        return YES
    same = [(v, movement.arrives(v)) for v in _of_same_target(movement, u)]
    few, many = as_strong(movement, u, same)
    first = NO if few else YES if not many else UNKNOWN
    return weigh(movement.leaves(other), YES, first)


def companions(movement: Movement, u: int) -> list[tuple[int, int]]:
    """The others of its power that go for the city, or pass it by express, and whether each comes
    so far; those on the same way along a river are no rivals (R21)."""
    return [
        (other, movement.arrives(leg))
        for leg in contest(movement, u)
        if (other := movement.mover[leg]) != u
        and movement.power[other] == movement.power[u]
        and movement.relation.get((u, other)) not in (AHEAD, BEHIND)
    ]


def open_places(movement: Movement, u: int) -> tuple[int, int]:
    """How many places of the city (least, most) are empty, left or lost; that of a unit of its
    own power which is ordered to where it comes from is none (R15)."""
    return count(
        _vacated(movement, u, other)
        for place in movement.sheet.board.places_of[movement.sheet.to[u]]
        if (other := movement.occupant[place]) < 0
        or movement.power[other] != movement.power[u]
        or not swaps_with(movement, u, other)
    )


def _vacated(movement: Movement, u: int, other: int) -> int:
    if other < 0:
        return YES
    lost = NO if movement.power[other] == movement.power[u] else movement.is_overcome(other)
    return either(movement.leaves(other), lost)


# -- who keeps whom out -------------------------------------------------------------------------


def contest(movement: Movement, u: int) -> list[int]:
    """The legs that lead into the city, whatever they name."""
    return movement.contest[movement.sheet.board.first_place[movement.sheet.to[u]]]


def foreign_rivals(movement: Movement, u: int) -> list[int]:
    """Units of other powers, and their expresses that pass, keep ``u`` out by strength alone."""
    power = movement.power
    return [leg for leg in contest(movement, u) if power[movement.mover[leg]] != power[u]]


def rivals(movement: Movement, u: int) -> list[int]:
    """Those, and who of its own power attacks the same target."""
    return foreign_rivals(movement, u) + _of_same_target(movement, u)


def _of_same_target(movement: Movement, u: int) -> list[int]:
    return [
        leg
        for leg in contest(movement, u)
        if leg == movement.mover[leg] != u
        and movement.power[leg] == movement.power[u]
        and movement.to_place[leg] == movement.to_place[u]
    ]


def _blocked_ahead(movement: Movement, u: int) -> int:
    if u not in movement.expresses:
        return NO
    return rivers.blocked_ahead(movement, u, contest(movement, u))


def closed(movement: Movement, city: int) -> bool:
    """Was anybody kept out of a city by a rival (R17, R26)?  Asked when all is decided."""
    legs = movement.contest[movement.sheet.board.first_place[city]]
    return any(
        movement.goal[leg] == FOR_CITY
        and not movement.moved[leg]
        and movement.passage[leg] == YES
        and movement.loses_head_to_head(leg) != YES
        and not _foreign_unit_remains(movement, leg, city)
        for leg in legs
        if leg < len(movement.kind)
    )


def _foreign_unit_remains(movement: Movement, u: int, city: int) -> bool:
    return any(
        movement.power[other] != movement.power[u]
        and movement.leaves(other) == NO
        and movement.is_overcome(other) == NO
        for other in movement.sheet.units.standing[city]
    )
