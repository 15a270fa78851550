"""The check of orders before anybody else's orders are known, with warnings of likely slips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from alexmagnum.board.geography import split_location
from alexmagnum.board.tables import NO_UNIT, BoardTables, UnitNo
from alexmagnum.judge import adjudicate
from alexmagnum.judge import movement as moves
from alexmagnum.judge.decisions import NO, YES
from alexmagnum.judge.legality import INVALID_CODES, NO_CONVOY, Legality
from alexmagnum.judge.other_phases import DEPLOYS_GENERAL, DEPLOYS_GENERAL_FOR_FLEET
from alexmagnum.judge.outcome import FAILS, ILLEGAL, OrderOutcome, Outcome, Reason
from alexmagnum.judge.sheet import FOR_ROOM, FROM_INSIDE, MOVE, STUCK, SUPPORT, Sheet
from alexmagnum.orders import Convoy, Move, Order, Retreat, Support
from alexmagnum.position import Position, Unit

# -- warnings of orders that are legal but probably not meant --------------------------------------
#
# They rest on one power's own orders and on the position that everybody sees, on nothing else: the
# judge is asked about these orders alone.


def expect_own_moves(position: Position, power: str, listed: Sequence[Order]) -> moves.Resolver:
    """Return the orders of one power as the judge sees them if all moves of the power succeed.

    All other units hold.  An army without a fleet of its own power may be carried by others.
    """
    movement = moves.Resolver(position, {power: listed})
    for u in movement.moving:
        movement.moved[u] = YES
        if movement.action[u] == STUCK:
            movement.action[u] = MOVE
    movement.passage = [YES] * len(movement.passage)
    return movement


def list_warnings(position: Position, movement: moves.Resolver, u: UnitNo) -> tuple[Reason, ...]:
    """Return the warnings about a good order, from what one power can expect."""
    if movement.fault[u] == NO_CONVOY:
        return (Reason("warn-no-convoy", place=movement.board.ids[movement.to[u]]),)
    if movement.action[u] == MOVE:
        return tuple(_warn_of_move(position, movement, u))
    return tuple(_warn_of_support(movement, u)) if movement.action[u] == SUPPORT else ()


def list_named_forms(movement: moves.Resolver, u: UnitNo) -> tuple[Order, ...]:
    """Return the attacks on single fleets that a plain entry into a full sea could have been (R12).

    A fleet of its own power that comes the other way is left out.
    """
    order = movement.orders[u]
    if not isinstance(order, Move) or not _enters_full_sea(movement, u):
        return ()
    return tuple(
        Move(order.unit, movement.units.units[other].place)
        for other in movement.units.units_in[movement.to[u]]
        if not moves.would_exchange(movement, u, other)
    )


def list_convoys(position: Position, movement: moves.Resolver, u: UnitNo) -> tuple[Order, ...]:
    """Return the convoys that fleets of its own power could give an army which none carries."""
    order = movement.orders[u]
    if movement.fault[u] != NO_CONVOY or not isinstance(order, Move):
        return ()
    legality = Legality(movement.board, movement.units)
    convoys = [
        Convoy(position.name(movement.units.units[v]), order.unit, split_location(order.to)[0])
        for v in movement.numbers
        if movement.power[v] == movement.power[u] and v not in movement.carriers[u]
    ]
    return tuple(c for c in convoys if not legality.check_convoy(legality.find_unit(c.unit), c)[0])


# -- moves ---------------------------------------------------------------------------------------


def _warn_of_move(position: Position, movement: moves.Resolver, u: UnitNo) -> Iterator[Reason]:
    order = movement.orders[u]
    place = movement.board.ids[movement.to[u]]
    enters = movement.goal[u] == FOR_ROOM
    if _enters_full_sea(movement, u):
        yield Reason("warn-full-sea", place=place)
    if enters and isinstance(order, Move) and "#" in order.to:
        yield Reason("warn-no-such-number", place=place)
    if u in movement.expresses:
        yield from _warn_of_express(movement, u)
    if u in movement.hauls:
        yield from _warn_of_haul(position, movement, u)
    yield from (_warn_of_room if enters else _warn_of_own_units)(movement, u)


def _enters_full_sea(movement: moves.Resolver, u: UnitNo) -> bool:
    """Tell whether this is a plain entry into a full sea in which its own power makes no room."""
    if movement.goal[u] != FOR_ROOM:
        return False
    to = movement.to[u]
    full = len(movement.units.units_in[to]) == movement.board.capacity[to]
    return full and moves.count_open_sea_places(movement, u)[1] == 0


def _warn_of_room(movement: moves.Resolver, u: UnitNo) -> Iterator[Reason]:
    """Warn that more fleets of a power enter a sea than it has places open to them (R10)."""
    rivals = moves.other_entrants(movement, u)
    room = moves.count_open_sea_places(movement, u)[1]
    if room > 0 and moves.fits_in(movement, u, rivals, (room, room)) == NO:
        units = tuple(movement.units.units[other] for other, _ in rivals)
        yield Reason("warn-own-room", units, place=movement.board.ids[movement.to[u]], room=room)


def _warn_of_own_units(movement: moves.Resolver, u: UnitNo) -> Iterator[Reason]:
    """Warn of units of its own power that keep a move out: rivals, or the unit at its goal."""
    place, units = movement.to_place[u], movement.units
    rivals = tuple(
        units.units[movement.mover[leg]]
        for leg in (movement.contenders[place] if place >= 0 else ())
        if leg == movement.mover[leg] != u
        and not moves.go_same_way(movement, u, movement.mover[leg])
    )
    if rivals and movement.goal[u] != FROM_INSIDE:
        yield Reason("warn-own-rival", rivals)
    there = units.occupant[place] if place >= 0 else NO_UNIT
    if there in (NO_UNIT, u) or not moves.spares(units, u, there):
        return
    if movement.action[there] != MOVE:
        yield Reason("warn-own-stays", (units.units[there],))
    elif movement.head_to_head(u, there) == YES:
        yield Reason("warn-own-swap", (units.units[there],))


def _warn_of_express(movement: moves.Resolver, u: UnitNo) -> Iterator[Reason]:
    """Warn of units on the way that stay, and of own ones that move into it (R19 to R21a)."""
    way = movement.expresses[u].path[:-1]
    standing = [other for province in way for other in movement.units.units_in[province]]
    barring = [v for v in standing if v != u and moves.lets_past(movement, u, v) != YES]
    if blocking := tuple(movement.units.units[v] for v in barring if movement.leaves(v) != YES):
        yield Reason("warn-way-occupied", blocking)
    hindering = tuple(
        movement.units.units[v]
        for v in movement.moving
        if v != u and movement.fault[v] != NO_CONVOY and (v in barring or _hinders(movement, u, v))
    )
    if hindering:
        yield Reason("warn-way-own", hindering)
    staying = tuple(
        movement.units.units[v]
        for v in movement.units.units_in[movement.to[u]]
        if movement.railway and movement.power[v] != movement.power[u]
    )
    if staying:
        yield Reason("warn-express-attack", staying)


def _hinders(movement: moves.Resolver, u: UnitNo, other: UnitNo) -> bool:
    """Tell whether the move of another unit into the way of an express gets in its way."""
    way = movement.expresses[u].path
    for province in way:
        for leg in movement.contenders[movement.board.first_place[province]]:
            if movement.mover[leg] == other and not moves.passes_by(movement, u, leg):
                if moves.bars_from_ahead(movement, u, leg) == YES:
                    return True
                as_strong = bool(moves.list_as_strong(movement, u, [(other, YES)]))
                if province != way[-1] and as_strong and not moves.go_same_way(movement, u, other):
                    return True
    return False


def _warn_of_haul(position: Position, movement: moves.Resolver, u: UnitNo) -> Iterator[Reason]:
    """Warn of units that can block a haul (R23), and of armies that can catch it (R24)."""
    over, units = movement.hauls[u], movement.units
    blocking = tuple(
        units.units[v] for v in units.units_in[over] if moves.clears_haul(movement, u, v) != YES
    )
    if blocking:
        yield Reason("warn-haul-occupied", blocking, place=movement.board.ids[over])
    raiders = sorted(
        (v for v in movement.numbers if movement.can_catch(v, u)), key=units.province.__getitem__
    )
    ordered = tuple(units.units[v] for v in raiders if position.takes_orders(units.units[v]))
    if ordered:
        yield Reason("warn-haul-raiders", ordered)


# -- supports ------------------------------------------------------------------------------------


def _warn_of_support(movement: moves.Resolver, u: UnitNo) -> Iterator[Reason]:
    """Warn that a support which names a sea alone may help a move that was not meant (R14)."""
    order, to = movement.orders[u], movement.to[u]
    if not isinstance(order, Support) or order.to is None or movement.board.capacity[to] == 1:
        return
    numbers = {movement.units.units[other].place for other in movement.units.units_in[to]}
    if order.to in numbers:
        return
    partner = movement.partner[u]
    by, place = (movement.units.units[partner],), movement.board.ids[to]
    if "#" in order.to:
        yield Reason("warn-support-no-number", by, place=place)
    elif numbers and movement.units.power[partner] != movement.units.power[u]:
        yield Reason("warn-support-of-sea", by, place=place)


# -- the check: from the power's own orders and the public position, so that it betrays nothing ----


GOOD, IMPOSSIBLE, DOUBTFUL = "good", "impossible", "doubtful"


class Check(NamedTuple):
    """The check of one order.

    ``verdict``: ``good``, ``impossible`` (the order counts for nothing) or ``doubtful`` (it
    depends on an order of its own power that says otherwise).  ``warnings``: what is legal but
    probably not meant; ``suggestions``: orders that may have been meant instead, or that it needs.
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
        elif reason.code in (DEPLOYS_GENERAL, DEPLOYS_GENERAL_FOR_FLEET):
            warnings = (reason,)
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
    movement = expect_own_moves(position, power, listed)
    units = movement.units.units
    for _, order, u, listing_fault in movement.entries:
        if u < 0:
            yield Check(power, order, None, IMPOSSIBLE, Reason(listing_fault))
            continue
        fault, partner = listing_fault or movement.fault[u], movement.partner[u]
        verdict = _judge_fault(movement, power, fault, u)
        reason = Reason(fault, (units[partner],) if partner >= 0 else ()) if fault else None
        check = Check(power, order, units[u], verdict, reason)
        if verdict == GOOD:
            check = check._replace(
                warnings=list_warnings(position, movement, u),
                suggestions=list_named_forms(movement, u) + list_convoys(position, movement, u),
            )
        yield check


def _judge_fault(sheet: Sheet, power: str, fault: str, u: UnitNo) -> str:
    """Return the verdict on a unit's order with a fault, or without one: its own power's orders are
    known, and another power may give the order on which it depends."""
    partner = sheet.partner[u]
    own = partner >= 0 and sheet.units.units[partner].power == power
    if not fault or fault == NO_CONVOY or (fault in INVALID_CODES and not own):
        return GOOD
    return DOUBTFUL if fault in INVALID_CODES else IMPOSSIBLE
