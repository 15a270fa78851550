"""What can be said of orders before anybody else's are known.

Judged from one's own orders and the public position alone, so that a check leaks nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from alexmagnum.errors import NotBuilt
from alexmagnum.judge.legality import INVALID_CODES, NO_CONVOY
from alexmagnum.judge.outcome import ILLEGAL, REPLACED, Reason
from alexmagnum.judge.retreats import resolve_retreats
from alexmagnum.judge.sheet import Sheet
from alexmagnum.judge.unbuilt import refuse_unbuilt
from alexmagnum.judge.winter import resolve_winter
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit

GOOD, IMPOSSIBLE, DOUBTFUL, UNBUILT = "good", "impossible", "doubtful", "not-built"


class Check(NamedTuple):
    """One order checked: ``good``, ``impossible`` (it will count for nothing), ``doubtful`` (it
    depends on an order of one's own that says otherwise) or ``not-built`` (see NotBuilt)."""

    power: str
    order: Order
    unit: Unit | None
    verdict: str
    reason: Reason | None = None
    ruling: str = ""


def check_orders(position: Position, orders: Mapping[str, Sequence[Order]]) -> tuple[Check, ...]:
    """Check every power's orders by themselves, in order of listing."""
    checks: list[Check] = []
    for power, listed in orders.items():
        checks += _check(position, power, listed)
    return tuple(checks)


def reachable(position: Position, unit: Unit) -> tuple[str, ...]:
    """Where a unit could move across a border, as locations; convoys and rides aside."""
    tables = position.board.tables
    beside = tables.fleet_to if unit.kind == "F" else tables.army_to
    return tuple(tables.location_names[to] for to in beside[tables.location[unit.location]])


def _check(position: Position, power: str, listed: Sequence[Order]) -> Iterator[Check]:
    if position.phase.kind == "movement":
        yield from _check_movement(position, power, listed)
        return
    resolve = resolve_retreats if position.phase.kind == "retreats" else resolve_winter
    outcome = resolve(position, {power: listed})
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        verdict = IMPOSSIBLE if entry.result == ILLEGAL else GOOD
        yield Check(power, entry.order, entry.unit, verdict, reason)


def _check_movement(position: Position, power: str, listed: Sequence[Order]) -> Iterator[Check]:
    sheet = Sheet(position, {power: listed})
    for _, order, u, fault in sheet.entries:
        unit = sheet.units.units[u] if u >= 0 else None
        try:
            refuse_unbuilt(position, {power: [order]})
        except NotBuilt as refusal:
            yield Check(power, order, unit, UNBUILT, ruling=refusal.ruling)
            continue
        replaced = not fault and sheet.orders[u] is not order
        void = fault or (REPLACED if replaced else sheet.void[u])
        aim = sheet.aim[u] if u >= 0 else -1
        reason = Reason(void, (sheet.units.units[aim],) if aim >= 0 else ()) if void else None
        yield Check(power, order, unit, _verdict(sheet, power, void, aim), reason)


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
