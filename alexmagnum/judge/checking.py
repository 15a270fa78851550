"""The check of orders before anybody else's orders are known.

Orders are judged from their own power's orders and the public position alone, so that a check
betrays nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from alexmagnum.board.geography import split_location
from alexmagnum.board.numbers import NO_UNIT, UnitNo
from alexmagnum.board.tables import BoardTables
from alexmagnum.judge import adjudicate
from alexmagnum.judge.legality import INVALID_CODES, NO_CONVOY
from alexmagnum.judge.outcome import FAILS, ILLEGAL, OrderOutcome, Outcome, Reason
from alexmagnum.judge.sheet import Sheet
from alexmagnum.judge.warnings import list_named_forms, list_warnings
from alexmagnum.orders import Order, Retreat
from alexmagnum.position import Position, Unit

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
    """Check a power's orders in a phase in which it needs nothing of the others."""
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
    """Check a power's orders in a movement phase."""
    sheet = Sheet(position, {power: listed})
    for _, order, u, fault in sheet.entries:
        if u < 0:
            yield Check(power, order, None, IMPOSSIBLE, Reason(fault))
        else:
            yield _check_order(position, sheet, power, order, u, fault)


def _check_order(
    position: Position, sheet: Sheet, power: str, order: Order, u: UnitNo, fault: str
) -> Check:
    """Check an order that names a unit of the position."""
    fault = fault or sheet.fault[u]
    units, partner = sheet.units.units, sheet.partner[u]
    verdict = _judge_fault(sheet, power, fault, u)
    if verdict == GOOD:
        return Check(
            power,
            order,
            units[u],
            verdict,
            _reason(sheet, fault, partner),
            warnings=list_warnings(position, sheet, u),
            suggestions=list_named_forms(sheet, u),
        )
    return Check(power, order, units[u], verdict, _reason(sheet, fault, partner))


def _reason(sheet: Sheet, fault: str, partner: UnitNo) -> Reason | None:
    if not fault:
        return None
    return Reason(fault, () if partner == NO_UNIT else (sheet.units.units[partner],))


def _judge_fault(sheet: Sheet, power: str, fault: str, u: UnitNo) -> str:
    """Return the verdict on the order of a unit with a fault, or without one."""
    if _is_good(sheet, power, fault, sheet.partner[u]):
        return GOOD
    return DOUBTFUL if fault in INVALID_CODES else IMPOSSIBLE


def _is_good(sheet: Sheet, power: str, fault: str, partner: UnitNo) -> bool:
    """Tell whether an order can count for all that its own power knows.

    Another power may give the order on which it depends; its own power's orders are known.
    """
    if not fault:
        return True
    own = partner >= 0 and sheet.units.units[partner].power == power
    return fault == NO_CONVOY or (fault in INVALID_CODES and not own)
