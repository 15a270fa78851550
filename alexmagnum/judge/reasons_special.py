"""The reasons that belong to the special rules: seas, rivers, the portage and cities."""

from __future__ import annotations

from alexmagnum.judge import cities, portage, rivers, seas
from alexmagnum.judge.figures import Figures
from alexmagnum.judge.outcome import Reason
from alexmagnum.judge.room import swaps_with
from alexmagnum.judge.sheet import AHEAD, ONCOMING, OPPOSITE
from alexmagnum.judge.trilean import YES

UNHINDERED = ("unopposed", "enters", "enters-city")
"""The reasons of a move that met nobody."""


def by_its_way(figures: Figures, u: int, reason: Reason) -> Reason:
    """What is said of an express or a haul besides: where it was stopped (R19); if it met nobody,
    its way is all there is to say (R18, R23)."""
    movement, ids = figures.movement, figures.board.ids
    if movement.moved[u] and reason.code in UNHINDERED:
        if u in movement.expresses:
            return Reason("rides")
        if u in movement.hauls:
            return Reason("hauled", place=ids[movement.hauls[u]])
    if u in movement.expresses and not movement.moved[u] and not movement.broken[u]:
        stop = rivers.stopped_in(movement, u)
        return reason._replace(stop=ids[stop]) if stop >= 0 else reason
    return reason


# -- seas (R8 to R17) ---------------------------------------------------------------------------


def entry(figures: Figures, u: int) -> Reason:
    """Why a plain entry succeeded, or found no room (R9, R10, R12, R15)."""
    movement = figures.movement
    room = seas.open_places(movement, u)[0]
    others = [other for other, arrives in seas.others(movement, u) if arrives == YES]
    own = figures.total(u)
    if movement.moved[u]:
        rival = figures.strongest(others)
        if rival < 0:
            return Reason("enters", room=room)
        past, against = figures.named(rival), figures.total(rival)
        return Reason("enters-past", past, own, against, figures.backing(u), room=room)
    if not room:
        return _no_room(figures, u)
    return figures.crowded_out(u, [v for v in others if figures.total(v) >= own], room)


def _no_room(figures: Figures, u: int) -> Reason:
    movement = figures.movement
    standing = movement.sheet.units.standing[movement.sheet.to[u]]
    swapping = figures.named(*(v for v in standing if swaps_with(movement, u, v)))
    if swapping:
        return Reason("no-room-exchange", swapping, causes=swapping, room=0)
    return Reason("no-room", figures.named(*standing), room=0)


def attack_from_inside(figures: Figures, u: int) -> Reason:
    """Why a fleet did or did not dislodge another one of its sea (R11a)."""
    movement = figures.movement
    target = movement.occupant[movement.to_place[u]]
    by = figures.named(target)
    if movement.leaves(target) == YES:
        return Reason("target-left", by, causes=by)
    if movement.power[target] == movement.power[u]:
        return Reason("own-unit", by, causes=by)
    attack, against = figures.attack(u, target), figures.defence(u, target)
    if movement.moved[u]:
        return Reason("dislodges-beside", by, attack, against, figures.backing(u))
    return figures.kept_out_by(u, target, "held-off-beside", attack, against)


# -- rivers (R18 to R22a) -----------------------------------------------------------------------


def stretch(figures: Figures, u: int) -> Reason:
    """Why an express did not come to its destination (R19 to R22a)."""
    movement = figures.movement
    if movement.broken[u]:
        return Reason("paradox-way")
    passed = rivers.passed(movement, u)
    leg = movement.first_leg[u] + passed
    province = movement.expresses[u].path[passed]
    reason = _in_the_way(figures, u, province) or ahead(figures, u, leg)
    if reason is None:
        reason = contested(figures, u, figures.strongest(figures.rivals(u, leg)))
    return reason._replace(place=figures.board.ids[province])


def _in_the_way(figures: Figures, u: int, province: int) -> Reason | None:
    """A unit that stood in a territory and bars it to an express, if there is one."""
    movement = figures.movement
    for other in movement.sheet.units.standing[province]:
        by = figures.named(other)
        if movement.relation.get((u, other)) in (ONCOMING, OPPOSITE):
            return Reason("way-oncoming", by, causes=by)
        if movement.leaves(other) != YES:
            return Reason("way-occupied", by, causes=by)
    return None


def contested(figures: Figures, u: int, rival: int) -> Reason:
    """A unit that wanted the territory where an express was stopped, as strong or stronger."""
    own, against = figures.total(u), figures.total(rival)
    if figures.movement.relation.get((u, rival)) == OPPOSITE:
        code = "way-outmatched-opposite" if against > own else "way-contested-opposite"
    else:
        code = "way-outmatched" if against > own else "way-contested"
    place = figures.board.ids[figures.movement.sheet.to[u]]
    return figures.kept_out_by(u, rival, code, own, against)._replace(place=place)


def ahead(figures: Figures, u: int, leg: int) -> Reason | None:
    """A unit ahead on the same way that ends where this leg leads (R21), if there is one."""
    movement = figures.movement
    for other in movement.contest[movement.leg_place[leg]] if u in movement.expresses else ():
        unit = movement.mover[other]
        if movement.relation.get((u, unit)) == AHEAD and rivers.ends(movement, other) == YES:
            by = figures.named(unit)
            place = figures.board.province_at[movement.leg_place[leg]]
            return Reason("way-ahead", by, causes=by, place=figures.board.ids[place])
    return None


# -- the portage (R23, R24) ---------------------------------------------------------------------


def haul(figures: Figures, u: int) -> Reason:
    """Why a fleet was not hauled (R23, R22a)."""
    movement = figures.movement
    if movement.broken[u]:
        return Reason("paradox-way")
    over = movement.hauls[u]
    standing = movement.sheet.units.standing[over]
    by = figures.named(
        *(v for v in standing if v != u and portage.gone(movement, v) != YES),
    )
    return Reason("not-hauled", by, causes=by, place=figures.board.ids[over])


def caught(figures: Figures, u: int) -> Reason:
    """Who caught a hauled fleet (R24)."""
    movement = figures.movement
    raider = figures.named(movement.sheet.raider[u])
    over = figures.board.ids[movement.hauls[u]]
    return Reason("caught", raider, causes=raider, place=over)


# -- major cities with two places (R26) ---------------------------------------------------------


def city(figures: Figures, u: int) -> Reason | None:
    """Why a move into a city of two places got in or not; None if it is an attack like any."""
    movement = figures.movement
    target = cities.target_of(movement, u)
    room = cities.open_places(movement, u)[0]
    if movement.dislodges(u) == YES:
        if movement.moved[u]:
            return None
        other = figures.named(target, cities.beside(movement, u))
        return Reason("dislodges-stays", other, causes=other[1:])
    if movement.moved[u]:
        return Reason("enters-city", room=room)
    in_front = ahead_in_city(figures, u)
    if in_front is not None:
        return in_front
    if target >= 0 and movement.leaves(target) != YES:
        return None
    if target >= 0 and cities.beside_gone(movement, u) != YES:
        held = figures.named(cities.beside(movement, u))
        return Reason("city-held", held, causes=held)
    return _crowded_out_of_city(figures, u, room)


def ahead_in_city(figures: Figures, u: int) -> Reason | None:
    """A unit ahead of an express that ends in the city (R21), if there is one."""
    movement = figures.movement
    for leg in cities.contest(movement, u):
        unit = movement.mover[leg]
        if movement.relation.get((u, unit)) == AHEAD and rivers.ends(movement, leg) == YES:
            by = figures.named(unit)
            return Reason("way-ahead", by, causes=by, place=figures.board.ids[movement.sheet.to[u]])
    return None


def _crowded_out_of_city(figures: Figures, u: int, room: int) -> Reason:
    """Who was as strong, where ``u`` attacks nobody: a foreign unit, or too many of its own."""
    movement = figures.movement
    own = figures.total(u)
    foreign = figures.strongest(figures.preventing(u, cities.foreign_rivals(movement, u)))
    if foreign >= 0 and figures.total(foreign) >= own:
        return figures.bounced_with(u, foreign)
    companions = (v for v, arrives in cities.companions(movement, u) if arrives == YES)
    as_strong = [v for v in companions if figures.total(v) >= own]
    if room and as_strong:
        return figures.crowded_out(u, as_strong, room)
    standing = movement.sheet.units.standing[movement.sheet.to[u]]
    swapping = figures.named(*(v for v in standing if swaps_with(movement, u, v)))
    if swapping:
        return Reason("no-room-exchange", swapping, causes=swapping, room=0)
    return Reason("city-full", figures.named(*standing), causes=figures.named(*standing), room=0)
