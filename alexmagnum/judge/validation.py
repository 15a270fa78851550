"""Refuse what the judge cannot work with: a position that is not of the map, texts as orders.

An order that breaks a rule of the game is not refused: the judge adjudicates it, and its result
says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from alexmagnum.board.examples import list_examples
from alexmagnum.board.model import INDEPENDENT
from alexmagnum.board.switches import near
from alexmagnum.errors import BadOrders, BadPosition, Fault
from alexmagnum.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Pick,
    Remove,
    Retreat,
    Support,
    Waive,
)
from alexmagnum.position import Position, Unit

_KINDS = frozenset(
    {Hold, Move, Support, Convoy, Retreat, Disband, Build, Remove, Waive, Pick},
)


def refuse_bad_position(position: Position) -> None:
    """Check that units and owners are of the map, and that no two units hold one place.

    Raises:
        BadPosition: with every fault of the position.
    """
    if not _has_places(position, position.units) or not _has_owners(position):
        raise BadPosition("bad-position", str(position.phase), position.problems())
    if position.dislodged:
        dislodged = [entry.unit for entry in position.dislodged]
        known = position.board.tables.location
        if not _has_places(position, dislodged) or any(
            entry.by.location not in known or not all(way in known for way in entry.retreats)
            for entry in position.dislodged
        ):
            raise BadPosition("bad-position", str(position.phase), position.problems())


def _has_places(position: Position, units: Sequence[Unit]) -> bool:
    """Tell whether each unit is of a known power and has a place of its own."""
    board = position.board
    powers, provinces, locations = board.powers, board.provinces, board.tables.location
    for unit in units:
        if unit.power not in powers and unit.power != INDEPENDENT:
            return False
        province = provinces.get(unit.province)
        if province is None or not 1 <= unit.number <= province.capacity:
            return False
        if unit.coast and unit.location not in locations:
            return False
    return len({(unit.province, unit.number) for unit in units}) == len(units)


def _has_owners(position: Position) -> bool:
    """Tell whether owners, nobility and homes are of the map's provinces and powers."""
    provinces, powers = position.board.provinces.keys(), position.board.powers.keys()
    return (
        position.owners.keys() <= provinces
        and powers >= set(position.owners.values())
        and position.homes.keys() <= powers
        and position.nobility.keys() <= powers
        and all(provinces >= set(homes) for homes in position.homes.values())
    )


def list_orders(position: Position, orders: Mapping[str, Iterable[Order]]) -> dict[str, Any]:
    """Return the orders by power as lists or tuples; orders of any other iterable are listed.

    Raises:
        BadOrders: with every fault: an unknown power, a text in place of an order...
    """
    if not isinstance(orders, Mapping):
        data = {"value": type(orders).__name__, **list_examples(position.board)}
        fault = Fault("orders", "orders-not-by-power", data)
        raise BadOrders(str(position.phase), (fault,))
    listed: dict[str, Any] = {}
    is_good = True
    for power, given in orders.items():
        entries = given if isinstance(given, (list, tuple)) else _list_entries(given)
        listed[power] = entries
        if entries is None or (power not in position.board.powers and power != INDEPENDENT):
            is_good = False
            continue
        for entry in entries:
            if type(entry) not in _KINDS and not isinstance(entry, Order):
                is_good = False
    if not is_good:
        raise BadOrders(str(position.phase), tuple(_find_faults(position, orders, listed)))
    return listed


def _list_entries(given: Any) -> tuple[Any, ...] | None:
    """Return the orders of an iterable; None for a text, a single order or anything else."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        return None
    return tuple(given)


def _find_faults(
    position: Position, orders: Mapping[Any, Any], listed: Mapping[Any, Any]
) -> Iterator[Fault]:
    """Yield what is wrong with the orders, power by power."""
    powers = position.board.powers
    for power, entries in listed.items():
        where = f"orders.{power}"
        if power not in powers and power != INDEPENDENT:
            yield Fault(
                where, "orders-of-nobody", {"power": str(power), "near": near(power, powers)}
            )
        if entries is None:
            value = repr(orders[power])[:80]
            yield Fault(where, "orders-not-listed", {"power": str(power), "value": value})
            continue
        for number, entry in enumerate(entries):
            if type(entry) in _KINDS or isinstance(entry, Order):
                continue
            code = "order-is-text" if isinstance(entry, str) else "not-an-order"
            yield Fault(f"{where}[{number}]", code, {"value": repr(entry)[:80]})
