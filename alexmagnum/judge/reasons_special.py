"""The reasons that belong to the special rules: seas, rivers, the portage and cities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alexmagnum.judge import cities, portage, rivers, seas
from alexmagnum.judge.outcome import Reason
from alexmagnum.judge.sheet import AGAINST, AHEAD, ONCOMING
from alexmagnum.judge.trilean import YES

if TYPE_CHECKING:
    from alexmagnum.judge.reasons import Why


UNHINDERED = ("unopposed", "enters")
"""The reasons of a move that met nobody."""


def by_its_way(why: Why, u: int, reason: Reason) -> Reason:
    """Of an express or a haul that met nobody, the way is what there is to say (R18, R23)."""
    movement = why.movement
    if reason.code in UNHINDERED and u in movement.rides:
        return Reason("rides")
    if reason.code in UNHINDERED and u in movement.hauls:
        return Reason("hauled", places=(movement.sheet.board.ids[movement.hauls[u]],))
    return reason


# -- seas (R8 to R17) ---------------------------------------------------------------------------


def entry(why: Why, u: int) -> Reason:
    """Why a plain entry succeeded, or found no room (R9, R10, R12, R15)."""
    movement = why.movement
    room = seas.open_places(movement, u)[0]
    others = [other for other, arrives in seas.others(movement, u) if arrives == YES]
    rival = why.strongest(others)
    own = why.total(u)
    if movement.moved[u]:
        if rival < 0:
            return Reason("enters", room=room)
        past = why.only(rival)
        return Reason("enters-past", past, own, why.total(rival), why.backing(u), room=room)
    if not room:
        return _no_room(why, u)
    as_strong = [other for other in others if why.total(other) >= own]
    by = tuple(why.units[other] for other in as_strong)
    return Reason("crowded-out", by, own, why.total(rival), by, room=room)


def _no_room(why: Why, u: int) -> Reason:
    movement = why.movement
    standing = movement.sheet.units.standing[movement.sheet.to[u]]
    swapping = tuple(why.units[v] for v in standing if seas.exchanges(movement, u, v))
    if swapping:
        return Reason("no-room-exchange", swapping, causes=swapping, room=0)
    return Reason("no-room", tuple(why.units[v] for v in standing), room=0)


def attack_from_inside(why: Why, u: int) -> Reason:
    """Why a fleet did or did not dislodge another one of its sea (R11a)."""
    movement = why.movement
    target = movement.occupant[movement.to_place[u]]
    by = why.only(target)
    if movement.leaves(target) == YES:
        return Reason("target-left", by, causes=by)
    if movement.power[target] == movement.power[u]:
        return Reason("own-unit", by, causes=by)
    attack, against = why.attack(u, target), why.defence(u, target)
    if movement.moved[u]:
        return Reason("dislodges-beside", by, attack, against, why.backing(u))
    return Reason("held-off", by, attack, against, (*by, *why.backing(target)))


# -- rivers (R18 to R22a) -----------------------------------------------------------------------


def at_stop(why: Why, u: int, reason: Reason) -> Reason:
    """The reason of a failed move, with the place where the river express ended that made it."""
    return reason._replace(stop=_stop(why, u)) if u in why.movement.rides else reason


def _stop(why: Why, u: int) -> str:
    movement = why.movement
    passed = rivers.passed(movement, u)
    province = movement.rides[u].path[passed - 1] if passed else movement.province[u]
    return movement.sheet.board.ids[province]


def stretch(why: Why, u: int) -> Reason:
    """Why an express did not come to its destination (R19 to R22a)."""
    movement = why.movement
    if movement.broken[u]:
        return Reason("paradox-way")
    passed = rivers.passed(movement, u)
    province = movement.rides[u].path[passed]
    reason = _barred(why, u, province, movement.first_leg[u] + passed)
    return at_stop(why, u, reason._replace(places=(movement.sheet.board.ids[province],)))


def _barred(why: Why, u: int, province: int, leg: int) -> Reason:
    """What kept an express out of a territory on its way."""
    movement = why.movement
    for other in movement.sheet.units.standing[province]:
        by = why.only(other)
        if movement.relation.get((u, other)) in (ONCOMING, AGAINST):
            return Reason("way-oncoming", by, causes=by)
        if movement.leaves(other) != YES:
            return Reason("way-occupied", by, causes=by)
    reason = ahead(why, u, leg)
    if reason is not None:
        return reason
    rival = why.strongest(why.rivals(u, leg))
    own, against = why.total(u), why.total(rival)
    opposite = movement.relation.get((u, rival)) == AGAINST
    code = ("way-contested", "way-outmatched")[against > own] + ("-opposite" if opposite else "")
    causes = (*why.only(rival), *why.backing(rival))
    return Reason(code, why.only(rival), own, against, causes)


def ahead(why: Why, u: int, leg: int) -> Reason | None:
    """A unit ahead on the same way that ends where this leg leads (R21), if there is one."""
    movement = why.movement
    if u not in movement.rides:
        return None
    for other in movement.contest[movement.leg_place[leg]]:
        unit = movement.mover[other]
        if movement.relation.get((u, unit)) == AHEAD and rivers.ends(movement, other) == YES:
            board = movement.sheet.board
            place = board.ids[board.province_at[movement.leg_place[leg]]]
            by = why.only(unit)
            return at_stop(why, u, Reason("way-ahead", by, causes=by, places=(place,)))
    return None


# -- the portage (R23, R24) ---------------------------------------------------------------------


def haul(why: Why, u: int) -> Reason:
    """Why a fleet was not hauled (R23, R22a)."""
    movement = why.movement
    if movement.broken[u]:
        return Reason("paradox-way")
    over = movement.hauls[u]
    staying = [
        other
        for other in movement.sheet.units.standing[over]
        if other != u and portage.gone(movement, other) != YES
    ]
    by = tuple(why.units[other] for other in staying)
    return Reason("not-hauled", by, causes=by, places=(movement.sheet.board.ids[over],))


def caught(why: Why, u: int) -> Reason:
    """Who caught a hauled fleet (R24)."""
    movement = why.movement
    raider = why.only(movement.sheet.raider[u])
    over = movement.sheet.board.ids[movement.hauls[u]]
    return Reason("caught", raider, causes=raider, places=(over,))


# -- major cities with two places (R26) ---------------------------------------------------------


def city(why: Why, u: int) -> Reason:
    """Why a move into a city of two places got in or not."""
    movement = why.movement
    place = movement.to_place[u]
    target = movement.occupant[place] if place >= 0 else -1
    beats = target >= 0 and movement.overcomes(u) == YES
    if beats and not movement.moved[u]:
        standing = movement.sheet.units.standing[movement.sheet.to[u]]
        left = tuple(why.units[v] for v in standing if v != target)
        return at_stop(
            why, u, Reason("dislodges-stays", (why.units[target], *left), causes=why.only(target))
        )
    if beats or (target >= 0 and movement.leaves(target) != YES):
        return why.got_in(u) if movement.moved[u] else why.kept_out(u)
    room = cities.open_places(movement, u)[0]
    if movement.moved[u]:
        return Reason("enters", room=room)
    return at_stop(why, u, _no_way_in(why, u, room))


def _no_way_in(why: Why, u: int, room: int) -> Reason:
    """What keeps a unit out of a city in which it attacks nobody."""
    movement = why.movement
    own = why.total(u)
    in_front = ahead(why, u, u)
    if in_front is not None:
        return in_front
    foreign = why.strongest(
        [
            movement.mover[leg]
            for leg in movement.contest[movement.sheet.board.first_place[movement.sheet.to[u]]]
            if movement.power[movement.mover[leg]] != movement.power[u]
            and movement.hinders(u, leg) == YES
        ]
    )
    if foreign >= 0 and why.total(foreign) >= own:
        return why.stopped("bounces", u, foreign, own, why.total(foreign))
    as_strong = [v for v, wants in cities.companions(movement, u) if wants and why.total(v) >= own]
    if not room or not as_strong:
        return Reason("no-room", room=room)
    by = tuple(why.units[v] for v in as_strong)
    return Reason("crowded-out", by, own, max(map(why.total, as_strong)), by, room=room)
