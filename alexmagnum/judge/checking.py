"""The check of orders before anybody else's orders are known, with warnings of likely slips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from alexmagnum.board.geography import split_location
from alexmagnum.board.tables import NO_UNIT, BoardTables, ProvinceNo, UnitNo
from alexmagnum.judge import adjudicate
from alexmagnum.judge.legality import INVALID_CODES, NO_CONVOY
from alexmagnum.judge.outcome import FAILS, ILLEGAL, OrderOutcome, Outcome, Reason
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
from alexmagnum.orders import Move, Order, Retreat, Support
from alexmagnum.position import Position, Unit

# -- warnings of orders that are legal but probably not meant --------------------------------------
#
# They rest on one power's own orders and on the position that everybody sees, on nothing else.


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
    elif sheet.to_place[there] == sheet.units.place[u] and not (
        sheet.by_convoy[u] or sheet.by_convoy[there]  # by sea they do not meet
    ):
        yield Reason("warn-own-swap", by)


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


# -- the check: from the power's own orders and the public position, so that it betrays nothing ----


GOOD, IMPOSSIBLE, DOUBTFUL = "good", "impossible", "doubtful"


class Check(NamedTuple):
    """The check of one order.

    ``verdict``: ``good``, ``impossible`` (the order counts for nothing) or ``doubtful`` (it
    depends on an order of its own power that says otherwise).  ``warnings``: what is legal but
    probably not meant; ``suggestions``: orders that may have been meant instead.
    """

    power: str
    order: Order
    unit: Unit | None
    verdict: str
    reason: Reason | None = None
    warnings: tuple[Reason, ...] = ()
    suggestions: tuple[Order, ...] = ()


def check_orders(position: Position, orders: Mapping[str, Sequence[Order]]) -> tuple[Check, ...]:
    """Check every power's orders by themselves, in the order of the list."""
    checks: list[Check] = []
    for power, listed in orders.items():
        if position.phase.kind == "movement":
            checks += _check_movement(position, power, listed)
        else:
            checks += _check_other_phase(position, power, listed)
    return tuple(checks)


def list_possible_orders(position: Position, power: str, listed: Sequence[Order]) -> list[Order]:
    """Return the orders of one power that :func:`check_orders` does not call impossible.

    It is for programs that give orders by the thousand: it looks for no warnings.
    """
    if position.phase.kind != "movement":
        outcome = adjudicate(position, {power: listed})
        return [entry.order for entry in outcome.results if entry.result != ILLEGAL]
    sheet = Sheet(position, {power: listed})
    return [
        order
        for _, order, u, fault in sheet.entries
        if u >= 0 and _judge_fault(sheet, power, fault or sheet.fault[u], u) != IMPOSSIBLE
    ]


def list_reachable(position: Position, unit: Unit) -> tuple[str, ...]:
    """Return the locations to which a unit could move by itself.

    It could move across a border, along a river (R18) or over a portage (R23); a unit in revolt
    cannot move (R3).
    """
    if position.in_revolt(unit.power):
        return ()
    tables = position.board.tables
    here = tables.location[unit.location]
    if unit.kind != "F":
        return tuple(tables.location_names[to] for to in tables.army_to[here])
    near = [tables.location_names[to] for to in tables.fleet_to[here]]
    return tuple(dict.fromkeys([*near, *_list_rides(tables).get(unit.province, ())]))


@lru_cache(maxsize=8)
def _list_rides(tables: BoardTables) -> dict[str, list[str]]:
    """Return by province where a fleet in it gets along a river or over a portage."""
    rides: dict[str, list[str]] = {}
    for start, to in (*tables.course, *tables.haul):
        rides.setdefault(tables.ids[start], []).append(tables.ids[to])
    return rides


def _check_other_phase(position: Position, power: str, listed: Sequence[Order]) -> Iterator[Check]:
    outcome = adjudicate(position, {power: listed})
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        verdict = IMPOSSIBLE if entry.result == ILLEGAL else GOOD
        warnings: tuple[Reason, ...] = ()
        if entry.result == FAILS and isinstance(entry.order, Retreat):
            warnings = tuple(_warn_of_retreats(outcome, entry))
        yield Check(power, entry.order, entry.unit, verdict, reason, warnings)


def _warn_of_retreats(outcome: Outcome, failed: OrderOutcome) -> Iterator[Reason]:
    """Warn of other units of its power that retreat to the same province as one that fails."""
    to = _retreat_goal(failed)
    rivals = [
        entry.unit
        for entry in outcome.results
        if entry.unit and entry.unit != failed.unit and to and _retreat_goal(entry) == to
    ]
    if rivals:
        yield Reason("warn-own-retreat", tuple(sorted(rivals)))


def _retreat_goal(entry: OrderOutcome) -> str:
    """Return the province to which a unit retreats, "" if it does not try to."""
    if entry.result == ILLEGAL or not isinstance(entry.order, Retreat):
        return ""
    return split_location(entry.order.to)[0]


def _check_movement(position: Position, power: str, listed: Sequence[Order]) -> Iterator[Check]:
    sheet = Sheet(position, {power: listed})
    units = sheet.units.units
    for _, order, u, listing_fault in sheet.entries:
        if u < 0:
            yield Check(power, order, None, IMPOSSIBLE, Reason(listing_fault))
            continue
        fault, partner = listing_fault or sheet.fault[u], sheet.partner[u]
        verdict = _judge_fault(sheet, power, fault, u)
        reason = Reason(fault, (units[partner],) if partner >= 0 else ()) if fault else None
        check = Check(power, order, units[u], verdict, reason)
        if verdict == GOOD:
            warnings, suggestions = list_warnings(position, sheet, u), list_named_forms(sheet, u)
            check = check._replace(warnings=warnings, suggestions=suggestions)
        yield check


def _judge_fault(sheet: Sheet, power: str, fault: str, u: UnitNo) -> str:
    """Return the verdict on a unit's order with a fault, or without one.

    Another power may give the order on which it depends; its own power's orders are known.
    """
    partner = sheet.partner[u]
    own = partner >= 0 and sheet.units.units[partner].power == power
    if not fault or fault == NO_CONVOY or (fault in INVALID_CODES and not own):
        return GOOD
    return DOUBTFUL if fault in INVALID_CODES else IMPOSSIBLE
