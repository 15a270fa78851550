"""Data from which an order sheet's script warns of orders as the check of orders does.

The script ``order_warnings.js`` applies :mod:`alexmagnum.judge.checking` and
:mod:`alexmagnum.judge.warnings` to the orders of one power, which are legal each by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.legality import (
    COAST_MISMATCH,
    CONVOY_MISMATCH,
    SUPPORT_MISMATCH,
    SUPPORT_MOVER,
    SUPPORT_PLACE,
    Legality,
)
from alexmagnum.notation import write_order
from alexmagnum.orders import Move, Order
from alexmagnum.position import Position

DOUBTS = (SUPPORT_MOVER, SUPPORT_MISMATCH, COAST_MISMATCH, SUPPORT_PLACE, CONVOY_MISMATCH)
"""Why an order may count for nothing, as far as its own power's other orders tell."""

WARNINGS = (
    "warn-full-sea",
    "warn-way-occupied",
    "warn-way-own",
    "warn-haul-occupied",
    "warn-haul-raiders",
    "warn-own-rival",
    "warn-own-room",
    "warn-own-stays",
    "warn-own-swap",
    "warn-own-retreat",
    "warn-support-of-sea",
)
"""The warnings that legal orders of a sheet can have."""

_BLANKS = ("by", "units", "place", "room")


def list_warning_facts(
    position: Position, power: str, orders: Iterable[Order], sentences: Sentences
) -> Mapping[str, Any]:
    """Return the facts on which warnings of a power's orders rest, ready for JSON.

    ``units``: who stands where, in the order in which warnings list them; ``capacity``: provinces
    of several places; ``ways``: moves that are more than a step across a border (1 by convoy, 2 by
    express, 3 hauled); ``landings``: the coast that a move leads to without naming it.
    """
    if position.phase.kind not in ("movement", "retreats"):
        return {}
    crowded = [p for p in position.board.provinces.values() if p.capacity > 1]
    blanks = {blank: "{" + blank + "}" for blank in _BLANKS}
    facts: dict[str, Any] = {
        "units": [
            [position.name(unit), unit.power, unit.province, unit.number]
            for unit in position.tables.units
        ],
        "capacity": {p.id: p.capacity for p in crowded},
        "water": [p.id for p in crowded if p.is_sea],
        "strength": _list_strengths(position, power),
        "rivers": [list(river.course) for river in position.board.rivers],
        "raiders": _list_raiders(position, power),
        "reasons": {code: sentences.format(code, **blanks) for code in (*DOUBTS, *WARNINGS)},
    }
    if position.phase.kind == "movement":
        facts |= _describe_moves(position, orders)
    return {name: fact for name, fact in facts.items() if fact}


def _list_strengths(position: Position, power: str) -> Mapping[str, int]:
    """Return the base strength of each kind of unit that a power has (R1, R3)."""
    tables = position.tables
    strengths = zip(tables.units, tables.base_strength, strict=True)
    return {unit.kind: strength for unit, strength in strengths if unit.power == power}


def _list_raiders(position: Position, power: str) -> Mapping[str, list[str]]:
    """Return the armies of others that may catch a fleet, by the land it is hauled over (R24)."""
    armies = [
        unit
        for unit in position.tables.units
        if unit.kind != "F" and unit.power != power and position.takes_orders(unit)
    ]
    tables = position.board.tables
    return {
        tables.ids[over]: [
            position.name(army) for army in armies if tables.index[army.province] in beside
        ]
        for over, beside in tables.raiders.items()
    }


def _describe_moves(position: Position, orders: Iterable[Order]) -> Mapping[str, Any]:
    """Return how each move goes, and the coast it leads to, where its text does not say it."""
    tables = position.board.tables
    legality = Legality(tables, position.tables)
    ways: dict[str, int] = {}
    landings: dict[str, str] = {}
    for order in orders:
        if not isinstance(order, Move):
            continue
        _, location, way = legality.check_move(legality.find_unit(order.unit), order)
        if way:
            ways[write_order(order)] = way
        if tables.location_names[location] != order.to.partition("#")[0]:
            landings[write_order(order)] = tables.location_names[location]
    return {"ways": ways, "landings": landings}
