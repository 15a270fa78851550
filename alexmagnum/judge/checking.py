"""What can be said of orders before anybody else's are known.

Judged from one's own orders and the public position alone, so that a check leaks nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from alexmagnum.judge import adjudicate
from alexmagnum.judge.legality import INVALID_CODES, NO_CONVOY
from alexmagnum.judge.outcome import ILLEGAL, REPLACED, Reason
from alexmagnum.judge.sheet import Sheet
from alexmagnum.judge.warnings import named_forms, warnings_of
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit

GOOD, IMPOSSIBLE, DOUBTFUL = "good", "impossible", "doubtful"


class Check(NamedTuple):
    """One order checked: ``good``, ``impossible`` (it will count for nothing) or ``doubtful`` (it
    depends on an order of one's own that says otherwise).

    ``warnings`` say what is legal but probably not meant, ``suggestions`` are orders that may
    have been meant instead.
    """

    power: str
    order: Order
    unit: Unit | None
    verdict: str
    reason: Reason | None = None
    warnings: tuple[Reason, ...] = ()
    suggestions: tuple[Order, ...] = ()


def check_orders(position: Position, orders: Mapping[str, Sequence[Order]]) -> tuple[Check, ...]:
    """Check every power's orders by themselves, in order of listing."""
    checks: list[Check] = []
    for power, listed in orders.items():
        checks += _check(position, power, listed)
    return tuple(checks)


def list_reachable(position: Position, unit: Unit) -> tuple[str, ...]:
    """Where a unit could move by itself, as locations: across a border, along a river (R18) or
    over a portage (R23); nowhere if its power is in revolt (R3)."""
    if position.in_revolt(unit.power):
        return ()
    tables = position.board.tables
    here = tables.location[unit.location]
    if unit.kind != "F":
        return tuple(tables.location_names[to] for to in tables.army_to[here])
    beside = [tables.location_names[to] for to in tables.fleet_to[here]]
    ways = (*tables.course, *tables.haul)
    far = [tables.ids[to] for start, to in ways if start == tables.index[unit.province]]
    return tuple(dict.fromkeys([*beside, *far]))


def _check(position: Position, power: str, listed: Sequence[Order]) -> Iterator[Check]:
    if position.phase.kind == "movement":
        yield from _check_movement(position, power, listed)
        return
    outcome = adjudicate(position, {power: listed})
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        verdict = IMPOSSIBLE if entry.result == ILLEGAL else GOOD
        yield Check(power, entry.order, entry.unit, verdict, reason)


def _check_movement(position: Position, power: str, listed: Sequence[Order]) -> Iterator[Check]:
    sheet = Sheet(position, {power: listed})
    for _, order, u, fault in sheet.entries:
        unit = sheet.units.units[u] if u >= 0 else None
        replaced = not fault and sheet.orders[u] is not order
        void = fault or (REPLACED if replaced else sheet.fault[u])
        aim = sheet.partner[u] if u >= 0 else -1
        reason = Reason(void, (sheet.units.units[aim],) if aim >= 0 else ()) if void else None
        verdict = _verdict(sheet, power, void, aim)
        warned = verdict == GOOD
        yield Check(
            *(power, order, unit, verdict, reason),
            warnings=warnings_of(position, sheet, u) if warned else (),
            suggestions=named_forms(sheet, u) if warned else (),
        )


def _verdict(sheet: Sheet, power: str, void: str, aim: int) -> str:
    """What a fault means while the others' orders are unknown."""
    if not void:
        return GOOD
    if void not in INVALID_CODES:
        return IMPOSSIBLE
    # Another power may give the order that this one depends on; one's own orders are known.
    own = aim >= 0 and sheet.units.units[aim].power == power
    if void == NO_CONVOY or not own:
        return GOOD
    return DOUBTFUL
