"""Warnings of the order check: orders that are legal but probably not meant.

They rest on one power's own orders and on the position that everybody sees, on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

from alexmagnum.board.numbers import NO_UNIT, ProvinceNo, UnitNo
from alexmagnum.judge.outcome import Reason
from alexmagnum.judge.sheet import (
    AHEAD,
    BEHIND,
    CAUGHT,
    FOR_PLACE,
    FOR_ROOM,
    MOVE,
    ONCOMING,
    OPPOSITE,
    STUCK,
    SUPPORT,
    Sheet,
)
from alexmagnum.orders import Move, Order, Support
from alexmagnum.position import Position, Unit


def list_warnings(position: Position, sheet: Sheet, u: UnitNo) -> tuple[Reason, ...]:
    """Return the warnings about a good order; the sheet has the orders of its power alone."""
    if sheet.action[u] in (MOVE, CAUGHT):
        return tuple(_warn_of_move(position, sheet, u))
    return tuple(_warn_of_support(sheet, u)) if sheet.action[u] == SUPPORT else ()


def list_named_forms(sheet: Sheet, u: UnitNo) -> tuple[Order, ...]:
    """Return the attacks on single fleets that a plain entry into a full sea could have been (R12).

    A fleet of its own power that comes the other way is left out.
    """
    order = sheet.orders[u]
    if not isinstance(order, Move) or not _enters_full_sea(sheet, u):
        return ()
    return tuple(
        Move(order.unit, sheet.units.units[other].place)
        for other in sheet.units.units_in[sheet.to[u]]
        if not (_is_ordered_out(sheet, other) and sheet.to[other] == sheet.units.province[u])
    )


# -- moves ---------------------------------------------------------------------------------------


def _warn_of_move(position: Position, sheet: Sheet, u: UnitNo) -> Iterator[Reason]:
    order = sheet.orders[u]
    place = sheet.board.ids[sheet.to[u]]
    if _enters_full_sea(sheet, u):
        yield Reason("warn-full-sea", place=place)
    if sheet.goal[u] == FOR_ROOM and isinstance(order, Move) and "#" in order.to:
        yield Reason("warn-no-such-number", place=place)
    if u in sheet.expresses:
        yield from _warn_of_express(sheet, u)
    if u in sheet.hauls:
        yield from _warn_of_haul(position, sheet, u)
    if sheet.goal[u] == FOR_ROOM:
        yield from _warn_of_room(sheet, u)
    else:
        yield from _warn_of_own_units(sheet, u)


def _warn_of_own_units(sheet: Sheet, u: UnitNo) -> Iterator[Reason]:
    """Warn of units of its own power that keep a move out: rivals, or the unit at its goal."""
    place = sheet.to_place[u]
    rivals = tuple(
        sheet.units.units[other]
        for other in (sheet.attackers[place] if place >= 0 else ())
        if other != u and sheet.relation.get((u, other)) not in (AHEAD, BEHIND)
    )
    if rivals:
        yield Reason("warn-own-rival", rivals)
    there = sheet.units.occupant[place] if place >= 0 else NO_UNIT
    if there in (NO_UNIT, u) or sheet.units.power[there] != sheet.units.power[u]:
        return
    by = (sheet.units.units[there],)
    if not _is_ordered_out(sheet, there) and sheet.action[there] != MOVE:
        yield Reason("warn-own-stays", by)
    elif sheet.to_place[there] == sheet.units.place[u] and not _avoid(sheet, u, there):
        yield Reason("warn-own-swap", by)


def _avoid(sheet: Sheet, u: UnitNo, other: UnitNo) -> bool:
    """Tell whether one of two units that change places goes by sea, so that they do not meet."""
    return bool(sheet.by_convoy[u] or sheet.by_convoy[other])


def _warn_of_room(sheet: Sheet, u: UnitNo) -> Iterator[Reason]:
    """Warn that more fleets of a power enter a sea than it has places open to them (R9)."""
    rivals = [other for other in sheet.entrants.get(sheet.to[u], ()) if other != u]
    room = sum(
        not any(sheet.goal[v] == FOR_PLACE for v in sheet.attackers[place])
        and (sheet.units.occupant[place] < 0 or _is_ordered_out(sheet, sheet.units.occupant[place]))
        for place in sheet.board.places_of[sheet.to[u]]
    )
    if 0 < room <= len(rivals):
        units = tuple(sheet.units.units[other] for other in rivals)
        yield Reason("warn-own-room", units, place=sheet.board.ids[sheet.to[u]], room=room)


def _warn_of_express(sheet: Sheet, u: UnitNo) -> Iterator[Reason]:
    """Warn of units on the way (R19), and of its own power's that move into it (R21, R21a)."""
    blocking = _list_staying(sheet, u, *sheet.expresses[u].path[:-1])
    if blocking:
        yield Reason("warn-way-occupied", blocking)
    hindering = tuple(
        sheet.units.units[other]
        for other in sheet.moving
        if sheet.action[other] == MOVE and _hinders(sheet, u, other)
    )
    if hindering:
        yield Reason("warn-way-own", hindering)


def _hinders(sheet: Sheet, u: UnitNo, other: UnitNo) -> bool:
    """Tell whether the move of another unit gets in the way of an express, without supports."""
    path = sheet.expresses[u].path
    relation = sheet.relation.get((u, other))
    if relation == AHEAD:
        return sheet.to[other] in path
    if relation in (ONCOMING, OPPOSITE):
        return sheet.units.province[other] in path[:-1]
    as_strong = sheet.units.base_strength[other] >= sheet.units.base_strength[u]
    return other != u and sheet.to[other] in path[:-1] and as_strong


def _warn_of_haul(position: Position, sheet: Sheet, u: UnitNo) -> Iterator[Reason]:
    """Warn of units that can block a haul (R23), and of armies that can catch it (R24)."""
    over, units = sheet.hauls[u], sheet.units
    blocking = _list_staying(sheet, u, over)
    if blocking:
        yield Reason("warn-haul-occupied", blocking, place=sheet.board.ids[over])
    raiders = tuple(
        units.units[other]
        for province in sorted(sheet.board.raiders[over])
        for other in units.units_in[province]
        if units.army[other] and units.power[other] != units.power[u]
    )
    ordered = tuple(raider for raider in raiders if position.takes_orders(raider))
    if ordered:
        yield Reason("warn-haul-raiders", ordered)


def _enters_full_sea(sheet: Sheet, u: UnitNo) -> bool:
    """Tell whether this is a plain entry into a full sea in which its own power makes no room."""
    if sheet.goal[u] != FOR_ROOM:
        return False
    standing = sheet.units.units_in[sheet.to[u]]
    full = len(standing) == sheet.board.capacity[sheet.to[u]]
    return full and not any(_makes_room(sheet, u, other) for other in standing)


def _makes_room(sheet: Sheet, u: UnitNo, other: UnitNo) -> bool:
    """Tell whether a fleet is ordered out of the sea and leaves a place that ``u`` can use.

    It cannot use the place if the fleet goes to where ``u`` comes from (R15), or if another unit
    of its power names the place (R9).
    """
    named = sheet.attackers[sheet.units.place[other]]
    swapping = sheet.to[other] == sheet.units.province[u]
    return _is_ordered_out(sheet, other) and not swapping and not named


def _list_staying(sheet: Sheet, u: UnitNo, *provinces: ProvinceNo) -> tuple[Unit, ...]:
    """Return the other units in some provinces that this power does not order away."""
    return tuple(
        sheet.units.units[other]
        for province in provinces
        for other in sheet.units.units_in[province]
        if other != u and not _is_ordered_out(sheet, other)
    )


def _is_ordered_out(sheet: Sheet, u: UnitNo) -> bool:
    """Tell whether an order on this sheet sends a unit out of its province."""
    return sheet.action[u] in (MOVE, STUCK, CAUGHT) and sheet.to[u] != sheet.units.province[u]


# -- supports ------------------------------------------------------------------------------------


def _warn_of_support(sheet: Sheet, u: UnitNo) -> Iterator[Reason]:
    """Warn that a support which names a sea alone may help a move that was not meant (R14)."""
    order, to = sheet.orders[u], sheet.to[u]
    if not isinstance(order, Support) or order.to is None or sheet.board.capacity[to] == 1:
        return
    numbers = {sheet.units.units[other].place for other in sheet.units.units_in[to]}
    if order.to in numbers:
        return
    partner = sheet.partner[u]
    by, place = (sheet.units.units[partner],), sheet.board.ids[to]
    if "#" in order.to:
        yield Reason("warn-support-no-number", by, place=place)
    elif numbers and sheet.units.power[partner] != sheet.units.power[u]:
        yield Reason("warn-support-of-sea", by, place=place)
