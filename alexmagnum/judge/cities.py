"""Major cities with two places, for units of one power: a house rule, off by default (R26).

``u`` is a move into a city throughout; its *target* is the foreign unit that it attacks.  A city
never has more than two places (the switch allows 1 or 2), so at most one other unit stands
beside the target.
"""

from __future__ import annotations

from alexmagnum.board.numbers import NO_UNIT, LegNo, ProvinceNo, UnitNo
from alexmagnum.judge import rivers
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.seas import count_as_strong, would_exchange
from alexmagnum.judge.sheet import AHEAD, BEHIND, FOR_CITY
from alexmagnum.judge.trilean import (
    NO,
    UNKNOWN,
    YES,
    Answer,
    both,
    choose,
    count,
    negation,
)


def judge_entry(movement: Movement, u: UnitNo) -> Answer:
    """Judge whether a unit gets into a city.

    Units of other powers keep it out as in the standard game.  The rest depends on whether the
    unit that it attacks, if any, stays.
    """
    arrives = movement.arrives(u)
    if arrives == NO:
        return NO
    target = find_target(movement, u)
    if target < 0:
        return both(arrives, _finds_room(movement, u))
    known = both(arrives, is_neighbour_gone(movement, u))
    if known == NO:
        return NO
    enters = both(_finds_room(movement, u), _is_strongest_attacker(movement, u))
    return both(known, choose(_target_leaves(movement, u), enters, movement.dislodges(u)))


def judge_attack(movement: Movement, u: UnitNo) -> Answer:
    """Judge whether a move into a city dislodges its target, whether or not it gets in itself."""
    target = find_target(movement, u)
    arrives = movement.arrives(u)
    if target < 0 or arrives == NO:
        return NO
    beats = overpowers_target(movement, u, target)
    return both(arrives, choose(_target_leaves(movement, u), NO, beats))


def overpowers_target(movement: Movement, u: UnitNo, target: UnitNo) -> Answer:
    """Tell whether a move into a city that arrives dislodges its target if that stays."""
    if target < 0:
        return NO
    low, high = movement.prevention(u, list_rivals(movement, u))
    beats = movement.wins_battle(u, target, low, high)
    return both(beats, negation(rivers.is_kept_behind(movement, u)))


# -- the units that stand in the city ------------------------------------------------------------


def find_target(movement: Movement, u: UnitNo) -> UnitNo:
    """Return the foreign unit that a move into a city attacks, if there is one."""
    place = movement.to_place[u]
    return movement.occupant[place] if place >= 0 else NO_UNIT


def _target_leaves(movement: Movement, u: UnitNo) -> Answer:
    """Tell whether the target goes; it stays if it beats ``u`` head-to-head."""
    target = find_target(movement, u)
    return both(negation(movement.head_to_head(u, target)), movement.leaves(target))


def find_neighbour(movement: Movement, u: UnitNo) -> UnitNo:
    """Return the other foreign unit, which stands beside the target, if there is one."""
    target = find_target(movement, u)
    for other in movement.sheet.units.units_in[movement.sheet.to[u]]:
        if other != target:
            return other
    return NO_UNIT


def is_neighbour_gone(movement: Movement, u: UnitNo) -> Answer:
    """Tell whether no unit beside the target is in the way."""
    other = find_neighbour(movement, u)
    if other < 0:
        return YES
    return movement.is_gone(other)


# -- room for a plain entry ----------------------------------------------------------------------


def _finds_room(movement: Movement, u: UnitNo) -> Answer:
    """Tell whether there is room beside units of its own power, and no foreign unit as strong."""
    low, high = movement.prevention(u, list_foreign_rivals(movement, u))
    least, most = movement.strength(u)
    if most <= low:
        return NO
    few, many = count_as_strong(movement, u, list_companions(movement, u))
    fewest, most_places = count_open_places(movement, u)
    if few >= most_places:
        return NO
    fits = YES if least > high and many < fewest else UNKNOWN
    return both(fits, negation(rivers.is_kept_behind(movement, u)))


def _is_strongest_attacker(movement: Movement, u: UnitNo) -> Answer:
    """Tell whether none that goes for the same target is as strong.

    This is asked if the unit beside the target is dislodged: its place is for its dislodger.
    """
    other = find_neighbour(movement, u)
    if other < 0:
        return YES
    same = [(v, movement.arrives(v)) for v in _list_allied_attackers(movement, u)]
    few, many = count_as_strong(movement, u, same)
    first = NO if few else YES if not many else UNKNOWN
    return choose(movement.leaves(other), YES, first)


def list_companions(movement: Movement, u: UnitNo) -> list[tuple[UnitNo, Answer]]:
    """Return the others of its power that go for the city or pass it, and whether each arrives.

    Units on the same way along a river are no rivals (R21).
    """
    return [
        (other, movement.arrives(leg))
        for leg in list_contenders(movement, u)
        if (other := movement.mover[leg]) != u
        and movement.power[other] == movement.power[u]
        and movement.relation.get((u, other)) not in (AHEAD, BEHIND)
    ]


def count_open_places(movement: Movement, u: UnitNo) -> tuple[int, int]:
    """Return how many places of the city, at least and at most, are empty, left or lost.

    The place of a unit of its own power that is ordered to where ``u`` comes from is not open
    (R15).
    """
    return count(
        _is_vacated(movement, u, other)
        for place in movement.sheet.board.places_of[movement.sheet.to[u]]
        if (other := movement.occupant[place]) < 0
        or movement.power[other] != movement.power[u]
        or not would_exchange(movement, u, other)
    )


def _is_vacated(movement: Movement, u: UnitNo, other: UnitNo) -> Answer:
    if other < 0:
        return YES
    own = movement.power[other] == movement.power[u]
    return movement.leaves(other) if own else movement.is_gone(other)


# -- rivals --------------------------------------------------------------------------------------


def list_contenders(movement: Movement, u: UnitNo) -> list[LegNo]:
    """Return the legs that lead into the city, whatever they name."""
    return movement.contenders[movement.sheet.board.first_place[movement.sheet.to[u]]]


def list_rivals(movement: Movement, u: UnitNo) -> list[LegNo]:
    """Return the legs of foreign rivals, and of its own power's attacks on the same target."""
    return [*list_foreign_rivals(movement, u), *_list_allied_attackers(movement, u)]


def list_foreign_rivals(movement: Movement, u: UnitNo) -> list[LegNo]:
    """Return the legs of other powers into the city, which keep ``u`` out by strength alone."""
    power = movement.power
    return [leg for leg in list_contenders(movement, u) if power[movement.mover[leg]] != power[u]]


def _list_allied_attackers(movement: Movement, u: UnitNo) -> list[UnitNo]:
    """Return the other units of its power that attack the same target."""
    return [
        other
        for leg in list_contenders(movement, u)
        if leg == (other := movement.mover[leg]) != u
        and movement.power[other] == movement.power[u]
        and movement.to_place[other] == movement.to_place[u]
    ]


# -- when everything is decided ------------------------------------------------------------------


def is_closed(movement: Movement, city: ProvinceNo) -> bool:
    """Tell whether a rival kept anybody out of a city, which closes it to retreats (R17, R26)."""
    return any(
        leg == (u := movement.mover[leg])
        and movement.goal[u] == FOR_CITY
        and not movement.moved[u]
        and movement.passage[u] == YES
        and movement.loses_head_to_head(u) != YES
        and not _foreign_unit_remains(movement, u, city)
        for leg in movement.contenders[movement.sheet.board.first_place[city]]
    )


def _foreign_unit_remains(movement: Movement, u: UnitNo, city: ProvinceNo) -> bool:
    return any(
        movement.power[other] != movement.power[u] and movement.is_gone(other) == NO
        for other in movement.sheet.units.units_in[city]
    )
