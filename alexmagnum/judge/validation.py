"""Refuse what the judge cannot work with: a position or orders that are not of the map.

An order that breaks a rule of the game is not refused: the judge adjudicates it, and its result
says so.  An order that names no province of the map is not even that, like a text in place of an
order: a player's text cannot become one, so the program that made it is at fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from alexmagnum import orders as order_types
from alexmagnum.board.model import INDEPENDENT, list_examples, near
from alexmagnum.board.tables import BoardTables
from alexmagnum.errors import BadOrders, BadPosition, Fault
from alexmagnum.judge.movement import Resolver
from alexmagnum.position import Dislodged, Phase, Position, Unit

# -- positions -------------------------------------------------------------------------------------


def refuse_bad_position(position: Any) -> None:
    """Check that the phase, the units and the owners are of the map.

    Raises:
        BadPosition: with every fault of the position.
    """
    if not isinstance(position, Position):
        fault = Fault("position", "not-of-type", _name_type(position, "Position"))
        raise BadPosition("bad-position", "position", (fault,))
    if not position.fits_board:
        faults = tuple(_find_type_faults(position)) or position.problems()
        raise BadPosition("bad-position", str(position.phase), faults)


def _find_type_faults(position: Position) -> Iterator[Fault]:
    """Yield the parts of a position that are of another type than they must be."""
    yield from _check_type(position.phase, "phase", Phase)
    units: tuple[Any, ...] = position.units
    for i, unit in enumerate(units):
        yield from _find_unit_faults(unit, f"units[{i}]")
    dislodged: tuple[Any, ...] = position.dislodged
    for i, entry in enumerate(dislodged):
        if not isinstance(entry, Dislodged):
            yield from _check_type(entry, f"dislodged[{i}]", Dislodged)
            continue
        yield from _find_unit_faults(entry.unit, f"dislodged[{i}].unit")
        yield from _find_unit_faults(entry.by, f"dislodged[{i}].by")
        yield from _check_texts(entry.retreats, f"dislodged[{i}].retreats")
    homes: Mapping[str, Any] = position.homes
    for power, centres in homes.items():
        yield from _check_texts(centres, f"homes.{power}")
    owners: Mapping[str, Any] = position.owners
    for centre, owner in owners.items():
        yield from _check_type(owner, f"owners.{centre}", str)
    nobility: Mapping[str, Any] = position.nobility
    for power, points in nobility.items():
        yield from _check_type(points, f"nobility.{power}", int)


def _find_unit_faults(unit: Any, where: str) -> Iterator[Fault]:
    """Yield why a value is no unit, or which of its parts are no texts and numbers."""
    if not isinstance(unit, Unit):
        yield from _check_type(unit, where, Unit)
        return
    for name in ("power", "kind", "province", "coast"):
        yield from _check_type(getattr(unit, name), f"{where}.{name}", str)
    yield from _check_type(unit.number, f"{where}.number", int)


def _check_texts(value: Any, where: str) -> Iterator[Fault]:
    """Yield why a value is no tuple of texts."""
    if not isinstance(value, tuple):
        yield from _check_type(value, where, tuple)
        return
    for i, entry in enumerate(value):
        yield from _check_type(entry, f"{where}[{i}]", str)


def _check_type(value: Any, where: str, wanted: type) -> Iterator[Fault]:
    """Yield the fault of a value that is not of the type wanted; true and false are no numbers."""
    if not isinstance(value, wanted) or isinstance(value, bool):
        yield Fault(where, "not-of-type", _name_type(value, wanted.__name__))


def _name_type(value: object, wanted: str) -> dict[str, str]:
    return {"value": _shorten(value), "wanted": wanted}


def _shorten(value: object) -> str:
    return repr(value)[:80]


# -- orders ----------------------------------------------------------------------------------------

_NAMES: Mapping[type, tuple[str, ...]] = {
    order_types.Hold: ("unit",),
    order_types.Move: ("unit", "to"),
    order_types.Support: ("unit", "supported", "to"),
    order_types.Convoy: ("unit", "army", "to"),
    order_types.Retreat: ("unit", "to"),
    order_types.Disband: ("unit",),
    order_types.Build: ("unit",),
    order_types.Remove: ("unit",),
    order_types.Waive: (),
    order_types.Pick: ("centre",),
}
"""By kind of order, its fields that name a unit or a place."""


def list_orders(position: Position, orders: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the orders by power as lists or tuples; orders of any other iterable are listed.

    Raises:
        BadOrders: with every fault: an unknown power or province, a text in place of an order...
    """
    listed = _list_by_power(position, orders)
    _check_listed(position, orders, listed)
    return listed


def lay_out_orders(position: Position, orders: Mapping[Any, Any]) -> Resolver:
    """Return the orders of a movement phase laid out, with nothing decided.

    The resolver looks up every name of a legal order, so names are checked one by one only if an
    order is illegal.

    Raises:
        BadOrders: as :func:`list_orders`.
    """
    listed = _list_by_power(position, orders)
    try:
        resolver = Resolver(position, listed)
    except (AttributeError, TypeError):  # orders not listed, or a name that is no text
        _check_listed(position, orders, listed)
        raise
    if resolver.has_bad_entry:
        _check_listed(position, orders, listed)
    return resolver


def _list_by_power(position: Position, orders: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the orders by power as lists or tuples, None where they cannot be listed.

    Raises:
        BadOrders: the orders are not given by power.
    """
    if type(orders) is not dict and not isinstance(orders, Mapping):
        data = {"value": type(orders).__name__, **list_examples(position.board)}
        raise BadOrders(str(position.phase), (Fault("orders", "orders-not-by-power", data),))
    listed: dict[Any, Any] = {}
    by_power: dict[Any, Any] = orders if isinstance(orders, dict) else dict(orders)
    for power, given in by_power.items():
        is_listed = type(given) is list or type(given) is tuple  # a subclass may list others
        listed[power] = given if is_listed else _list_entries(given)
    return listed


def _are_powers(listed: Mapping[Any, Any], position: Position) -> bool:
    """Tell whether all keys are powers of the map, or the independents."""
    powers = position.board.tables.power
    return all(power in powers or power == INDEPENDENT for power in listed)


def _check_listed(position: Position, orders: Mapping[Any, Any], listed: Mapping[Any, Any]) -> None:
    """Check the powers and all names in their orders.

    Raises:
        BadOrders: with every fault.
    """
    tables = position.board.tables
    for entries in listed.values():
        if entries is None or not _name_known_places(entries, tables):
            break
    else:
        if _are_powers(listed, position):
            return
    if faults := tuple(_find_faults(position, orders, listed)):
        raise BadOrders(str(position.phase), faults)


def _list_entries(given: Any) -> tuple[Any, ...] | None:
    """Return the orders of an iterable; None for a text, a single order or anything else."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        return None
    return tuple(given)


def _name_known_places(entries: Iterable[Any], tables: BoardTables) -> bool:
    """Tell whether all entries are orders, and every name in them is one of the map."""
    known = tables.names
    try:
        for entry in entries:
            if isinstance(entry, order_types.Move):  # most orders are moves and supports
                is_good = entry.unit in known and entry.to in known
            elif isinstance(entry, order_types.Support):
                to = entry.supported if entry.to is None else entry.to
                is_good = entry.unit in known and entry.supported in known and to in known
            else:
                is_good = known.issuperset([getattr(entry, name) for name in _NAMES[type(entry)]])
            if not is_good:
                return False
    except (KeyError, TypeError):
        return False  # no order, or a name that is not even a text
    return True


def _find_faults(
    position: Position, orders: Mapping[Any, Any], listed: Mapping[Any, Any]
) -> Iterator[Fault]:
    """Yield what is wrong with the orders, power by power."""
    powers = position.board.powers
    for power, entries in listed.items():
        where = f"orders.{power}"
        if power not in powers and power != INDEPENDENT:
            yield Fault(
                where, "orders-of-nobody", {"power": str(power), "near": near(str(power), powers)}
            )
        if entries is None:
            value = _shorten(orders[power])
            yield Fault(where, "orders-not-listed", {"power": str(power), "value": value})
            continue
        for number, entry in enumerate(entries):
            yield from _find_order_faults(entry, position.board.tables, f"{where}[{number}]")


def _find_order_faults(entry: Any, tables: BoardTables, where: str) -> Iterator[Fault]:
    """Yield why an entry is no order of this map."""
    if (kind := next((kind for kind in _NAMES if isinstance(entry, kind)), None)) is None:
        code = "order-is-text" if isinstance(entry, str) else "not-an-order"
        yield Fault(where, code, {"value": _shorten(entry)})
        return
    for name in _NAMES[kind]:
        text, here = getattr(entry, name), f"{where}.{name}"
        if text is None and kind is order_types.Support and name == "to":
            continue
        if not isinstance(text, str):
            yield Fault(here, "order-names-no-text", {"value": _shorten(text)})
        elif (province := _find_province(text)) not in tables.index:
            data = {"province": province, "near": near(province, tables.index)}
            yield Fault(here, "order-unknown-province", data)


def _find_province(name: str) -> str:
    """Return the province in the name of a unit or a place, whatever coast or number follows."""
    place = name[2:] if name[1:2] == " " else name
    return place.partition("#")[0].partition("/")[0]
