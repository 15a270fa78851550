"""What is legal but probably not meant: warnings of the order check.

They rest on one power's own orders and on the position that everybody sees, on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

from alexmagnum.judge.outcome import Reason
from alexmagnum.judge.sheet import CAUGHT, FOR_ROOM, MOVE, STUCK, SUPPORT, Sheet
from alexmagnum.orders import Move, Order, Support
from alexmagnum.position import Unit


def warnings_of(sheet: Sheet, u: int) -> tuple[Reason, ...]:
    """The warnings about a good order, on a sheet that has its power's orders alone."""
    if sheet.kind[u] in (MOVE, CAUGHT):
        return tuple(_about_move(sheet, u))
    return tuple(_about_support(sheet, u)) if sheet.kind[u] == SUPPORT else ()


def named_forms(sheet: Sheet, u: int) -> tuple[Order, ...]:
    """The attacks that a plain entry into a full sea could have been, one on each fleet (R12)."""
    order = sheet.orders[u]
    if not isinstance(order, Move) or not _enters_full_sea(sheet, u):
        return ()
    standing = sheet.units.standing[sheet.to[u]]
    return tuple(Move(order.unit, sheet.units.units[other].place) for other in standing)


def _about_move(sheet: Sheet, u: int) -> Iterator[Reason]:
    order = sheet.orders[u]
    place = (sheet.board.ids[sheet.to[u]],)
    if _enters_full_sea(sheet, u):
        yield Reason("warn-full-sea", places=place)
    if sheet.goal[u] == FOR_ROOM and isinstance(order, Move) and "#" in order.to:
        yield Reason("warn-no-such-number", places=place)
    if u in sheet.rides:
        inside = sheet.rides[u].path[:-1]
        blocking = _staying(sheet, u, *inside)
        if blocking:
            yield Reason("warn-way-occupied", blocking)
    if u in sheet.hauls:
        yield from _about_haul(sheet, u)


def _about_haul(sheet: Sheet, u: int) -> Iterator[Reason]:
    """A haul can be blocked by who stands in the way (R23) and caught from beside it (R24)."""
    over, units = sheet.hauls[u], sheet.units
    blocking = _staying(sheet, u, over)
    if blocking:
        yield Reason("warn-haul-occupied", blocking, places=(sheet.board.ids[over],))
    raiders = tuple(
        units.units[other]
        for province in sorted(sheet.board.raiders[over])
        for other in units.standing[province]
        if _could_raid(sheet, u, other)
    )
    if raiders:
        yield Reason("warn-haul-raiders", raiders)


def _could_raid(sheet: Sheet, u: int, other: int) -> bool:
    units = sheet.units
    independent = units.power[other] == units.independent
    return bool(units.army[other]) and not independent and units.power[other] != units.power[u]


def _about_support(sheet: Sheet, u: int) -> Iterator[Reason]:
    """A support that names a sea alone may help a move that was not meant (R14)."""
    order, aim, to = sheet.orders[u], sheet.aim[u], sheet.to[u]
    if not isinstance(order, Support) or to < 0 or sheet.board.capacity[to] == 1:
        return
    place, by = (sheet.board.ids[to],), (sheet.units.units[aim],)
    numbers = {sheet.units.units[other].place for other in sheet.units.standing[to]}
    if "#" in (order.to or "") and order.to not in numbers:
        yield Reason("warn-support-no-number", by, places=place)
    elif order.to not in numbers and numbers and sheet.units.power[aim] != sheet.units.power[u]:
        yield Reason("warn-support-of-sea", by, places=place)


def _enters_full_sea(sheet: Sheet, u: int) -> bool:
    """Is this a plain entry into a sea from which no fleet of its own power makes room?"""
    if sheet.goal[u] != FOR_ROOM:
        return False
    sea = sheet.to[u]
    standing = sheet.units.standing[sea]
    making_room = any(
        _goes(sheet, other) and sheet.to[other] != sheet.units.province[u] for other in standing
    )
    return len(standing) == sheet.board.capacity[sea] and not making_room


def _staying(sheet: Sheet, u: int, *provinces: int) -> tuple[Unit, ...]:
    """The units in some provinces that are not ordered away by the power itself."""
    return tuple(
        sheet.units.units[other]
        for province in provinces
        for other in sheet.units.standing[province]
        if other != u and not _goes(sheet, other)
    )


def _goes(sheet: Sheet, u: int) -> bool:
    """Is a unit ordered out of its province, as far as this sheet knows?"""
    return sheet.kind[u] in (MOVE, STUCK, CAUGHT) and sheet.to[u] != sheet.units.province[u]
