"""The special rules that are not played yet: refused by name, never misjudged.

What is listed here is what the resolver does not know: moves where fleets share a sea (R8 to R16),
the river express (R18 to R22a), the Sinai portage (R23, R24), major cities with two places (R26),
the Cyprus year (R30, R31) and revolts (R3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from alexmagnum.board.model import Board, split_location
from alexmagnum.errors import NotBuilt
from alexmagnum.judge.legality import Legality
from alexmagnum.orders import Convoy, Move, Order, Support
from alexmagnum.position import Position, Unit

SPECIAL_PHASES = {"picks": "R30", "deployment": "R31"}


def refuse_unbuilt(position: Position, orders: Mapping[str, Sequence[Order]]) -> None:
    """Raise :class:`NotBuilt` if this phase needs a special rule that is not played yet."""
    phase = position.phase.kind
    if phase in SPECIAL_PHASES:
        raise NotBuilt(SPECIAL_PHASES[phase], phase)
    board = position.board
    rules = board.rules
    if rules.major_city_capacity != 1:
        raise NotBuilt("R26", "major_city_capacity")
    if rules.nobility:
        for power, points in position.nobility.items():
            if points <= 0:
                raise NotBuilt("R3", power)
    if phase == "movement" and (rules.sea_capacity != 1 or board.rivers or board.portages):
        _refuse_moves(position, orders)


def _refuse_moves(position: Position, orders: Mapping[str, Sequence[Order]]) -> None:
    fleets = dict.fromkeys(position.board.provinces, 0)
    for unit in position.units:
        fleets[unit.province] += 1
        if fleets[unit.province] > 1:
            raise NotBuilt("R8", unit.province)
    for unit, order in _fleet_moves(position, orders):
        text = f"{unit} - {order.to}"
        province = split_location(order.to or "")[0]
        if not _adjacent(position.board, unit.province, province):
            _refuse_long_move(position.board, unit, province, text)
        elif isinstance(order, Move) and position.board.provinces[province].capacity > 1:
            fleets[province] += 1
            if fleets[province] > 1:
                raise NotBuilt("R9", text)


def _fleet_moves(
    position: Position, orders: Mapping[str, Sequence[Order]]
) -> Iterator[tuple[Unit, Move | Support]]:
    """The moves that fleets are given by their own power, and the supports of such moves."""
    tables = position.tables
    legality = Legality(position.board.tables, tables)
    for power, listed in orders.items():
        for order in listed:
            if isinstance(order, (Move, Support, Convoy)) and "#" in (order.to or ""):
                raise NotBuilt("R11", f"{order.unit} ... {order.to}")
            if not isinstance(order, (Move, Support)) or order.to is None:
                continue
            moved = order.unit if isinstance(order, Move) else order.supported
            u = legality.find(moved)
            if u < 0 or tables.army[u] or legality.destination(order.to) < 0:
                continue
            if isinstance(order, Support) or tables.units[u].power == power:
                yield tables.units[u], order


def _adjacent(board: Board, here: str, there: str) -> bool:
    """Could a fleet move there in a plain move, or does it stand there already?"""
    tables = board.tables
    a, b = tables.index[here], tables.index[there]
    return a == b or bool(tables.fleet_reach[a * tables.n + b])


def _refuse_long_move(board: Board, unit: Unit, to: str, text: str) -> None:
    """Refuse a ride on a river, and a haul to the far end of a portage."""
    if set(board.provinces[unit.province].rivers) & set(board.provinces[to].rivers):
        raise NotBuilt("R18", text)
    for portage in board.portages:
        for near, far in (portage.ends, portage.ends[::-1]):
            if unit.province in (*near, portage.over) and to in far:
                raise NotBuilt("R23", text)
