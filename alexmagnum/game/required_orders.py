"""What each power must send in a phase, and what of it is still missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import SUCCEEDS
from alexmagnum.judge.victory import list_fallen
from alexmagnum.judge.winter import count_adjustments, list_building_rooms
from alexmagnum.orders import Build, Order, Pick, Remove, Retreat, Waive
from alexmagnum.position import PICKS, Position

Orders = Mapping[str, Sequence[Order]]


def find_active_powers(position: Position) -> tuple[str, ...]:
    """The powers that order anything: neither in revolt (R3) nor eliminated (R35)."""
    out = list_fallen(position) if position.phase.season != PICKS else ()
    return tuple(
        power
        for power in position.board.powers
        if power not in out and not position.in_revolt(power)
    )


def find_required_orders(position: Position) -> dict[str, tuple[str, ...]]:
    """What each power must send: unit names (movement, and retreats with a way open), ``Build``
    or ``Remove`` as often as due (winter), ``Pick``, or the centres to place units in
    (deployment).  Powers that owe nothing are not in it."""
    owed = {
        power: _OWED[position.phase.kind](position, power) for power in find_active_powers(position)
    }
    return {power: things for power, things in owed.items() if things}


def _movement(position: Position, power: str) -> tuple[str, ...]:
    return tuple(position.name(unit) for unit in position.units_of(power))


def _retreats(position: Position, power: str) -> tuple[str, ...]:
    return tuple(
        position.name(d.unit) for d in position.dislodged if d.unit.power == power and d.retreats
    )


def _winter(position: Position, power: str) -> tuple[str, ...]:
    """Builds as far as there is room for them; removals."""
    count = count_adjustments(position).get(power, 0)
    if count < 0:
        return ("Remove",) * -count
    return ("Build",) * min(count, len(list_building_rooms(position, power)))


def _pick(position: Position, power: str) -> tuple[str, ...]:
    """A pick, as long as there is anything left that it may be."""
    for centre in position.board.centres:
        if centre in position.owners:
            continue
        outcome = adjudicate(position, {power: [Pick(centre)]})
        if outcome.results[0].result == SUCCEEDS:
            return ("Pick",)
    return ()


def _deployment(position: Position, power: str) -> tuple[str, ...]:
    """The centres in which nothing stands yet; no more of them than there are units for."""
    taken = {unit.province for unit in position.units}
    free = [centre for centre in position.centres_of(power) if centre not in taken]
    return tuple(free[: max(count_adjustments(position).get(power, 0), 0)])


_OWED: Mapping[str, Callable[[Position, str], tuple[str, ...]]] = {
    "movement": _movement,
    "retreats": _retreats,
    "winter": _winter,
    "picks": _pick,
    "deployment": _deployment,
}


# -- missing --------------------------------------------------------------------------------------


def find_missing_orders(position: Position, orders: Orders) -> dict[str, tuple[str, ...]]:
    """What of the things due has no order; powers that miss nothing are not in it."""
    lacking = {
        power: _lacking(position, power, things, orders.get(power, ()))
        for power, things in find_required_orders(position).items()
    }
    return {power: things for power, things in lacking.items() if things}


def count_given_orders(
    position: Position, power: str, things: Sequence[str], orders: Sequence[Order]
) -> int:
    """How many of the things due have an order."""
    if position.phase.kind == "deployment":
        return min(_successes(position, power, orders), len(things))
    return len(things) - len(_lacking(position, power, things, orders))


def _lacking(
    position: Position, power: str, things: Sequence[str], orders: Sequence[Order]
) -> tuple[str, ...]:
    kind = position.phase.kind
    if kind in ("movement", "retreats"):
        ordered = {getattr(order, "unit", "") for order in orders}
        return tuple(thing for thing in things if thing not in ordered)
    if kind == "winter":
        return tuple(things[_successes(position, power, orders) :])
    wanted = Pick if kind == "picks" else (Build, Waive)
    return () if any(isinstance(order, wanted) for order in orders) else tuple(things)


def _successes(position: Position, power: str, orders: Sequence[Order]) -> int:
    """How many of a power's own orders are carried out, whatever the others do."""
    outcome = adjudicate(position, {power: orders})
    counting = (Build, Remove, Waive)
    return sum(
        entry.result == SUCCEEDS and isinstance(entry.order, counting) for entry in outcome.results
    )


# -- nothing to decide ----------------------------------------------------------------------------


def find_automatic_orders(
    position: Position, settings: Mapping[str, str], orders: Orders
) -> dict[str, tuple[Order, ...]]:
    """The retreats that a house rule adds: of units without an order, to the only way open."""
    if position.phase.kind != "retreats" or settings["single_retreat"] != "auto":
        return {}
    added: dict[str, tuple[Order, ...]] = {}
    lacking = find_missing_orders(position, orders)
    for dislodged in position.dislodged:
        power, name = dislodged.unit.power, position.name(dislodged.unit)
        if name in lacking.get(power, ()) and len(dislodged.retreats) == 1:
            added[power] = (*added.get(power, ()), Retreat(name, dislodged.retreats[0]))
    return added


def join_orders(orders: Orders, added: Orders) -> dict[str, tuple[Order, ...]]:
    """Orders with those added to them."""
    return {
        power: (*orders.get(power, ()), *added.get(power, ()))
        for power in dict.fromkeys((*orders, *added))
    }


def find_missing_after_house_rules(
    position: Position, settings: Mapping[str, str], orders: Orders
) -> dict[str, tuple[str, ...]]:
    """What is still missing, once the house rules have added what they add."""
    return find_missing_orders(
        position, join_orders(orders, find_automatic_orders(position, settings, orders))
    )


def is_idle(position: Position, settings: Mapping[str, str]) -> bool:
    """Is there nothing to decide, so that the phase is passed over?  A movement phase never is."""
    if position.phase.kind == "movement":
        return False
    return not find_missing_after_house_rules(position, settings, {})
