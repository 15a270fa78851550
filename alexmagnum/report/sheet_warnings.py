"""What an order sheet's script needs to warn of orders as the check of orders does.

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
    board, tables = position.board, position.board.tables
    facts: dict[str, Any] = {
        "units": [
            [position.name(unit), unit.power, unit.province, unit.number]
            for unit in position.tables.units
        ],
        "capacity": {p.id: p.capacity for p in board.provinces.values() if p.capacity > 1},
        "water": [p.id for p in board.provinces.values() if p.capacity > 1 and p.is_sea],
        "strength": {
            unit.kind: strength
            for unit, strength in zip(
                position.tables.units, position.tables.base_strength, strict=True
            )
            if unit.power == power
        },
        "rivers": [list(river.course) for river in board.rivers],
        "raiders": {
            tables.ids[over]: [
                position.name(unit)
                for unit in position.tables.units
                if tables.index[unit.province] in raiders
                and unit.kind != "F"
                and unit.power != power
                and position.takes_orders(unit)
            ]
            for over, raiders in tables.raiders.items()
        },
        "reasons": {
            code: sentences.format(code, **{blank: "{" + blank + "}" for blank in _BLANKS})
            for code in (*DOUBTS, *WARNINGS)
        },
    }
    if position.phase.kind == "movement":
        facts |= _describe_moves(position, orders)
    return {name: fact for name, fact in facts.items() if fact}


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
