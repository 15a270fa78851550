"""Required orders: what each power must send in a phase, and what of it is still missing.

Open this to see why a phase waits, or why it is passed over.  The judge is imported in winter
and in the Cyprus year alone, where counting needs it: ``status`` answers without it otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from alexmagnum.orders import Build, Order, Pick, Remove, Retreat, Waive
from alexmagnum.position import PICKS, Position, list_fallen

Orders = Mapping[str, Sequence[Order]]


def find_active_powers(position: Position) -> tuple[str, ...]:
    """Return the powers that give orders: neither in revolt (R3) nor eliminated (R35)."""
    out = list_fallen(position) if position.phase.season != PICKS else ()
    return tuple(
        power
        for power in position.board.powers
        if power not in out and not position.in_revolt(power)
    )


def find_required_orders(position: Position) -> dict[str, tuple[str, ...]]:
    """Return what each power must send; powers that need send nothing are left out.

    These are names of units (movement, and retreats that are possible), ``Build`` or ``Remove`` as
    often as needed (winter), ``Pick``, or the centres to place units in (deployment).
    """
    required = {
        power: _FINDERS[position.phase.kind](position, power)
        for power in find_active_powers(position)
    }
    return {power: things for power, things in required.items() if things}


def _find_moves(position: Position, power: str) -> tuple[str, ...]:
    return tuple(position.name(unit) for unit in position.units_of(power))


def _find_retreats(position: Position, power: str) -> tuple[str, ...]:
    return tuple(
        position.name(d.unit) for d in position.dislodged if d.unit.power == power and d.retreats
    )


def _find_adjustments(position: Position, power: str) -> tuple[str, ...]:
    """Return removals, or builds as many as there is room for."""
    from alexmagnum.judge.winter import count_adjustments, list_building_rooms

    count = count_adjustments(position).get(power, 0)
    if count < 0:
        return ("Remove",) * -count
    return ("Build",) * min(count, len(list_building_rooms(position, power)))


def _find_pick(position: Position, power: str) -> tuple[str, ...]:
    """Return a pick, if there is still a centre that the power may pick."""
    return ("Pick",) if find_possible_pick(position, power) else ()


def find_possible_pick(position: Position, power: str) -> str:
    """Return the first centre, in the map's order, that a power may still pick, "" if none."""
    from alexmagnum.judge import adjudicate
    from alexmagnum.judge.outcome import SUCCEEDS

    for centre in position.board.centres:
        if centre in position.owners:
            continue
        outcome = adjudicate(position, {power: [Pick(centre)]})
        if outcome.results[0].result == SUCCEEDS:
            return centre
    return ""


def _find_empty_centres(position: Position, power: str) -> tuple[str, ...]:
    """Return the centres without a unit, no more of them than there are units for."""
    from alexmagnum.judge.winter import count_adjustments

    taken = {unit.province for unit in position.units}
    free = [centre for centre in position.centres_of(power) if centre not in taken]
    return tuple(free[: max(count_adjustments(position).get(power, 0), 0)])


_FINDERS: Mapping[str, Callable[[Position, str], tuple[str, ...]]] = {
    "movement": _find_moves,
    "retreats": _find_retreats,
    "winter": _find_adjustments,
    "picks": _find_pick,
    "deployment": _find_empty_centres,
}


# -- missing --------------------------------------------------------------------------------------


def find_missing_orders(position: Position, orders: Orders) -> dict[str, tuple[str, ...]]:
    """Return what each power must send and has not sent; powers that miss nothing are left out."""
    lacking = {
        power: _find_missing_things(position, power, things, orders.get(power, ()))
        for power, things in find_required_orders(position).items()
    }
    return {power: things for power, things in lacking.items() if things}


def count_given_orders(
    position: Position, power: str, things: Sequence[str], orders: Sequence[Order]
) -> int:
    """Return how many of the things that a power must send have an order."""
    if position.phase.kind == "deployment":
        return min(_count_successes(position, power, orders), len(things))
    return len(things) - len(_find_missing_things(position, power, things, orders))


def _find_missing_things(
    position: Position, power: str, things: Sequence[str], orders: Sequence[Order]
) -> tuple[str, ...]:
    kind = position.phase.kind
    if kind in ("movement", "retreats"):
        ordered = {getattr(order, "unit", "") for order in orders}
        return tuple(thing for thing in things if thing not in ordered)
    if kind == "winter":
        return tuple(things[_count_successes(position, power, orders) :])
    wanted = Pick if kind == "picks" else (Build, Waive)
    return () if any(isinstance(order, wanted) for order in orders) else tuple(things)


def _count_successes(position: Position, power: str, orders: Sequence[Order]) -> int:
    """Return how many of a power's own orders are carried out if nobody else orders anything."""
    from alexmagnum.judge import adjudicate
    from alexmagnum.judge.outcome import SUCCEEDS

    outcome = adjudicate(position, {power: orders})
    counting = (Build, Remove, Waive)
    return sum(
        entry.result == SUCCEEDS and isinstance(entry.order, counting) for entry in outcome.results
    )


# -- nothing to decide ----------------------------------------------------------------------------


def find_automatic_orders(
    position: Position, settings: Mapping[str, str], orders: Orders
) -> dict[str, tuple[Order, ...]]:
    """Return the retreats that a house rule adds: units without an order take the only way open."""
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
    """Return orders by power with others added to them."""
    return {
        power: (*orders.get(power, ()), *added.get(power, ()))
        for power in dict.fromkeys((*orders, *added))
    }


def find_missing_after_house_rules(
    position: Position, settings: Mapping[str, str], orders: Orders
) -> dict[str, tuple[str, ...]]:
    """Return what is still missing after the house rules added their orders."""
    return find_missing_orders(
        position, join_orders(orders, find_automatic_orders(position, settings, orders))
    )


def is_idle(position: Position, settings: Mapping[str, str]) -> bool:
    """Return whether nobody has anything to decide, so that the phase is passed over.

    A movement phase is never passed over.
    """
    if position.phase.kind == "movement":
        return False
    return not find_missing_after_house_rules(position, settings, {})
