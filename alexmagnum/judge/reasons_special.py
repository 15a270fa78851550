"""The reasons that belong to the special rules: seas, rivers, the portage and cities."""

from __future__ import annotations

from collections.abc import Sequence

from alexmagnum.board.numbers import NO_UNIT, LegNo, ProvinceNo, UnitNo
from alexmagnum.judge import cities, rivers, seas
from alexmagnum.judge.outcome import Reason
from alexmagnum.judge.sheet import AHEAD, ONCOMING, OPPOSITE
from alexmagnum.judge.strengths import Strengths
from alexmagnum.judge.trilean import YES

_UNHINDERED = ("unopposed", "enters", "enters-city")
"""The reasons of a move that met nobody."""


def add_way(strengths: Strengths, u: UnitNo, reason: Reason) -> Reason:
    """Add to the reason of an express where it was stopped (R19).

    If an express or a haul met nobody, its way is the whole reason (R18, R23).
    """
    movement, ids = strengths.movement, strengths.board.ids
    if movement.moved[u] and reason.code in _UNHINDERED:
        if u in movement.expresses:
            return Reason("rides")
        if u in movement.hauls:
            return Reason("hauled", place=ids[movement.hauls[u]])
    if u in movement.expresses and not movement.moved[u] and not movement.broken[u]:
        stop = rivers.find_stop(movement, u)
        return reason._replace(stop=ids[stop]) if stop >= 0 else reason
    return reason


# -- seas (R8 to R17) ----------------------------------------------------------------------------


def explain_entry(strengths: Strengths, u: UnitNo) -> Reason:
    """Return why a plain entry succeeded, or found no room (R9, R10, R12, R15)."""
    movement = strengths.movement
    room = seas.count_open_places(movement, u)[0]
    others = [other for other, arrives in seas.other_entrants(movement, u) if arrives == YES]
    own = strengths.total(u)
    if movement.moved[u]:
        rival = strengths.find_strongest(others)
        if rival < 0:
            return Reason("enters", room=room)
        by, against = strengths.units_of(rival), strengths.total(rival)
        return Reason("enters-past", by, own, against, strengths.given_supports(u), room=room)
    if room:
        as_strong = [v for v in others if strengths.total(v) >= own]
        return strengths.explain_crowding(u, as_strong, room)
    standing = strengths.units_of(*_list_standing(strengths, u))
    return _explain_exchange(strengths, u) or Reason("no-room", standing, room=0)


def _explain_exchange(strengths: Strengths, u: UnitNo) -> Reason | None:
    """Return the units whose places ``u`` cannot use: they go to where it comes from (R15)."""
    standing = _list_standing(strengths, u)
    swapping = [v for v in standing if seas.would_exchange(strengths.movement, u, v)]
    by = strengths.units_of(*swapping)
    return Reason("no-room-exchange", by, causes=by, room=0) if by else None


def _list_standing(strengths: Strengths, u: UnitNo) -> tuple[UnitNo, ...]:
    """Return the units that stand where ``u`` goes."""
    sheet = strengths.movement.sheet
    return sheet.units.units_in[sheet.to[u]]


def explain_attack_from_inside(strengths: Strengths, u: UnitNo) -> Reason:
    """Return why a fleet did or did not dislodge another fleet of its sea (R11a)."""
    movement = strengths.movement
    target = movement.occupant[movement.to_place[u]]
    by = strengths.units_of(target)
    if movement.leaves(target) == YES:
        return Reason("target-left", by, causes=by)
    if movement.power[target] == movement.power[u]:
        return Reason("own-unit", by, causes=by)
    attack, against = strengths.attack(u, target), strengths.defence(u, target)
    if movement.moved[u]:
        return Reason("dislodges-beside", by, attack, against, strengths.given_supports(u))
    return strengths.explain_failure(u, target, "held-off-beside", attack, against)


# -- rivers (R18 to R22a) ------------------------------------------------------------------------


def explain_stretch(strengths: Strengths, u: UnitNo) -> Reason:
    """Return why an express ended before its destination (R19 to R22a)."""
    movement = strengths.movement
    if movement.broken[u]:
        return Reason("paradox-way")
    passed = rivers.count_passed(movement, u)
    leg = movement.sheet.legs[movement.first_leg[u] + passed]
    province = movement.expresses[u].path[passed]
    reason = _explain_obstacle(strengths, u, province) or explain_ahead(strengths, u, leg)
    if reason is None:
        rival = strengths.find_strongest(strengths.find_rivals(u, leg))
        reason = explain_contested(strengths, u, rival)
    return reason._replace(place=strengths.board.ids[province])


def _explain_obstacle(strengths: Strengths, u: UnitNo, province: ProvinceNo) -> Reason | None:
    """Return the unit that stood in a territory and barred it to an express, if there is one."""
    movement = strengths.movement
    for other in movement.sheet.units.units_in[province]:
        by = strengths.units_of(other)
        if movement.relation.get((u, other)) in (ONCOMING, OPPOSITE):
            return Reason("way-oncoming", by, causes=by)
        if movement.leaves(other) != YES:
            return Reason("way-occupied", by, causes=by)
    return None


def explain_contested(
    strengths: Strengths, u: UnitNo, rival: UnitNo, target: UnitNo = NO_UNIT
) -> Reason:
    """Return the unit, as strong or stronger, that wanted the territory before an express.

    Against a ``target`` that stays there, supports of its own power do not count.
    """
    own, against = strengths.attack(u, target), strengths.total(rival)
    if strengths.movement.relation.get((u, rival)) == OPPOSITE:
        code = "way-outmatched-opposite" if against > own else "way-contested-opposite"
    else:
        code = "way-outmatched" if against > own else "way-contested"
    place = strengths.board.ids[strengths.movement.sheet.to[u]]
    return strengths.explain_failure(u, rival, code, own, against)._replace(place=place)


def explain_ahead(strengths: Strengths, u: UnitNo, leg: LegNo) -> Reason | None:
    """Return the unit ahead of an express that ends where this leg leads, if any (R21)."""
    movement = strengths.movement
    place = movement.leg_place[leg]
    if u not in movement.expresses:
        return None
    province = strengths.board.province_at[place]
    return _find_ahead(strengths, u, movement.contenders[place], province)


def _find_ahead(
    strengths: Strengths, u: UnitNo, contenders: Sequence[LegNo], province: ProvinceNo
) -> Reason | None:
    movement = strengths.movement
    for leg in contenders:
        unit = movement.mover[leg]
        if movement.relation.get((u, unit)) == AHEAD and rivers.ends_at(movement, leg) == YES:
            by = strengths.units_of(unit)
            return Reason("way-ahead", by, causes=by, place=strengths.board.ids[province])
    return None


# -- the portage (R23, R24) ----------------------------------------------------------------------


def explain_haul(strengths: Strengths, u: UnitNo) -> Reason:
    """Return why a fleet was not hauled (R23, R22a)."""
    movement = strengths.movement
    if movement.broken[u]:
        return Reason("paradox-way")
    over = movement.hauls[u]
    standing = movement.sheet.units.units_in[over]
    remaining = [v for v in standing if v != u and movement.is_gone(v) != YES]
    by = strengths.units_of(*remaining)
    return Reason("not-hauled", by, causes=by, place=strengths.board.ids[over])


def explain_caught(strengths: Strengths, u: UnitNo) -> Reason:
    """Return the army that caught a hauled fleet (R24)."""
    movement = strengths.movement
    raider = strengths.units_of(movement.sheet.raider[u])
    over = strengths.board.ids[movement.hauls[u]]
    return Reason("caught", raider, causes=raider, place=over)


# -- major cities with two places (R26) ----------------------------------------------------------


def explain_city(strengths: Strengths, u: UnitNo) -> Reason | None:
    """Return why a move into a city of two places got in or not; None if it is a plain attack."""
    movement = strengths.movement
    target = cities.find_target(movement, u)
    if movement.dislodges(u) == YES:
        if movement.moved[u]:
            return None
        other = strengths.units_of(target, cities.find_neighbour(movement, u))
        return Reason("dislodges-stays", other, causes=other[1:])
    room = cities.count_open_places(movement, u)[0]
    if movement.moved[u]:
        return Reason("enters-city", room=room)
    contenders, city = cities.list_contenders(movement, u), movement.sheet.to[u]
    in_front = _find_ahead(strengths, u, contenders, city)
    if in_front is not None:
        return in_front
    if target >= 0 and movement.leaves(target) != YES:
        return None
    if target >= 0 and cities.is_neighbour_gone(movement, u) != YES:
        held = strengths.units_of(cities.find_neighbour(movement, u))
        return Reason("city-held", held, causes=held)
    return _explain_crowded_city(strengths, u, room)


def _explain_crowded_city(strengths: Strengths, u: UnitNo, room: int) -> Reason:
    """Return who was as strong as ``u``: a foreign unit, or too many of its own power."""
    movement = strengths.movement
    own = strengths.total(u)
    foreign = strengths.find_preventing(u, cities.list_foreign_rivals(movement, u))
    rival = strengths.find_strongest(foreign)
    if rival >= 0 and strengths.total(rival) >= own:
        return strengths.explain_bounce(u, rival)
    companions = (v for v, arrives in cities.list_companions(movement, u) if arrives == YES)
    as_strong = [v for v in companions if strengths.total(v) >= own]
    if room and as_strong:
        return strengths.explain_crowding(u, as_strong, room)
    standing = strengths.units_of(*_list_standing(strengths, u))
    full = Reason("city-full", standing, causes=standing, room=0)
    return _explain_exchange(strengths, u) or full
