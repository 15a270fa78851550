"""What is legal but probably not meant: warnings of the order check.

They rest on one power's own orders and on the position that everybody sees, on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

from alexmagnum.board.numbers import ProvinceNo, UnitNo
from alexmagnum.judge.outcome import Reason
from alexmagnum.judge.sheet import (
    AHEAD,
    CAUGHT,
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


def warnings_of(position: Position, sheet: Sheet, u: UnitNo) -> tuple[Reason, ...]:
    """The warnings about a good order, on a sheet that has its power's orders alone."""
    if sheet.action[u] in (MOVE, CAUGHT):
        return tuple(_about_move(position, sheet, u))
    return tuple(_about_support(sheet, u)) if sheet.action[u] == SUPPORT else ()


def named_forms(sheet: Sheet, u: UnitNo) -> tuple[Order, ...]:
    """The attacks that a plain entry into a full sea could have been, one on each fleet but one's
    own that comes the other way (R12)."""
    order = sheet.orders[u]
    if not isinstance(order, Move) or not _enters_full_sea(sheet, u):
        return ()
    return tuple(
        Move(order.unit, sheet.units.units[other].place)
        for other in sheet.units.units_in[sheet.to[u]]
        if sheet.to[other] != sheet.units.province[u]
    )


def _about_move(position: Position, sheet: Sheet, u: UnitNo) -> Iterator[Reason]:
    order = sheet.orders[u]
    place = sheet.board.ids[sheet.to[u]]
    if _enters_full_sea(sheet, u):
        yield Reason("warn-full-sea", place=place)
    if sheet.goal[u] == FOR_ROOM and isinstance(order, Move) and "#" in order.to:
        yield Reason("warn-no-such-number", place=place)
    if u in sheet.expresses:
        yield from _about_express(sheet, u)
    if u in sheet.hauls:
        yield from _about_haul(position, sheet, u)


def _about_express(sheet: Sheet, u: UnitNo) -> Iterator[Reason]:
    """Units on the way bar it (R19), and so does one's own that moves into it (R21, R21a)."""
    blocking = _staying(sheet, u, *sheet.expresses[u].path[:-1])
    if blocking:
        yield Reason("warn-way-occupied", blocking)
    meddling = tuple(
        sheet.units.units[other]
        for other in sheet.numbers
        if sheet.action[other] == MOVE and _meddles(sheet, u, other)
    )
    if meddling:
        yield Reason("warn-way-own", meddling)


def _meddles(sheet: Sheet, u: UnitNo, other: UnitNo) -> bool:
    """Does the move of another unit get into the way of an express, supports aside?"""
    way = sheet.expresses[u].path
    relation = sheet.relation.get((u, other))
    if relation == AHEAD:
        return sheet.to[other] in way
    if relation in (ONCOMING, OPPOSITE):
        return sheet.units.province[other] in way[:-1]
    as_strong = sheet.units.base_strength[other] >= sheet.units.base_strength[u]
    return other != u and sheet.to[other] in way[:-1] and as_strong


def _about_haul(position: Position, sheet: Sheet, u: UnitNo) -> Iterator[Reason]:
    """A haul can be blocked by who stands in the way (R23) and caught from beside it (R24)."""
    over, units = sheet.hauls[u], sheet.units
    blocking = _staying(sheet, u, over)
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


def _about_support(sheet: Sheet, u: UnitNo) -> Iterator[Reason]:
    """A support that names a sea alone may help a move that was not meant (R14)."""
    order, aim, to = sheet.orders[u], sheet.partner[u], sheet.to[u]
    if not isinstance(order, Support) or to < 0 or sheet.board.capacity[to] == 1:
        return
    place, by = sheet.board.ids[to], (sheet.units.units[aim],)
    numbers = {sheet.units.units[other].place for other in sheet.units.units_in[to]}
    if "#" in (order.to or "") and order.to not in numbers:
        yield Reason("warn-support-no-number", by, place=place)
    elif order.to not in numbers and numbers and sheet.units.power[aim] != sheet.units.power[u]:
        yield Reason("warn-support-of-sea", by, place=place)


def _enters_full_sea(sheet: Sheet, u: UnitNo) -> bool:
    """Is this a plain entry into a sea in which its own power makes no room that is open to it?"""
    if sheet.goal[u] != FOR_ROOM:
        return False
    standing = sheet.units.units_in[sheet.to[u]]
    full = len(standing) == sheet.board.capacity[sheet.to[u]]
    return full and not any(_makes_room(sheet, u, other) for other in standing)


def _makes_room(sheet: Sheet, u: UnitNo, other: UnitNo) -> bool:
    """Is a fleet ordered out of the sea, but not to where ``u`` comes from (R15), while no other
    of its power names its place (R9)?"""
    named = sheet.attackers[sheet.units.place[other]]
    swapping = sheet.to[other] == sheet.units.province[u]
    return _goes(sheet, other) and not swapping and not named


def _staying(sheet: Sheet, u: UnitNo, *provinces: ProvinceNo) -> tuple[Unit, ...]:
    """The units in some provinces that are not ordered away by the power itself."""
    return tuple(
        sheet.units.units[other]
        for province in provinces
        for other in sheet.units.units_in[province]
        if other != u and not _goes(sheet, other)
    )


def _goes(sheet: Sheet, u: UnitNo) -> bool:
    """Is a unit ordered out of its province, as far as this sheet knows?"""
    return sheet.action[u] in (MOVE, STUCK, CAUGHT) and sheet.to[u] != sheet.units.province[u]
