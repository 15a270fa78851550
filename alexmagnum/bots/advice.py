"""The reasons for orders: the centre that each is for, and the rival who may hinder it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from alexmagnum.board.geography import split_location
from alexmagnum.bots.map_weights import weigh_map
from alexmagnum.bots.outlook import Outlook
from alexmagnum.orders import Build, Convoy, Move, Order, Pick, Retreat, Support
from alexmagnum.position import Position


class Advice(NamedTuple):
    """An order with its reason.

    ``aim``: the centre that the order is for, "" if there is none; ``owner``: the power that owns
    it, "" if nobody does; ``rival``, ``strength``: the strongest rival who can be where the order
    leads to, and with which strength ("" and 0 if nobody can).
    """

    order: Order
    aim: str = ""
    owner: str = ""
    rival: str = ""
    strength: int = 0


def give_reasons(position: Position, power: str, orders: Iterable[Order]) -> list[Advice]:
    """Return orders of a power with the reasons that *dumb* sees for them."""
    outlook = Outlook(position, weigh_map(position.board))
    return [_give_reason(outlook, power, order) for order in orders]


def _give_reason(outlook: Outlook, power: str, order: Order) -> Advice:
    position = outlook.position
    for kind, location in _find_goal(position, order):
        province = outlook.weights.tables.index[split_location(location)[0]]
        aim = split_location(location)[0] if isinstance(order, Pick) else ""
        aim = aim or outlook.find_aim(outlook.weights.node(kind, location), power)
        rival, strength = outlook.find_rival(province, power)
        return Advice(order, aim, position.owners.get(aim, ""), rival, strength)
    return Advice(order)


def _find_goal(position: Position, order: Order) -> Iterator[tuple[str, str]]:
    """Yield the kind of unit and the location that an order is about; nothing for a waiver."""
    if isinstance(order, Build):
        kind, location = order.unit.split()
        yield kind, location
    elif isinstance(order, Pick):
        yield "A", order.centre
    elif name := getattr(order, "unit", ""):
        acting = order.supported if isinstance(order, Support) else name
        acting = order.army if isinstance(order, Convoy) else acting
        unit = position.names[acting]
        to = order.to if isinstance(order, Move | Retreat | Support | Convoy) else None
        province, coast, _ = split_location(to or unit.location)
        yield unit.kind, _choose_location(position, unit.kind, province, coast)


def _choose_location(position: Position, kind: str, province: str, coast: str) -> str:
    """Return a location where a unit of a kind can stand in a province."""
    coasts = position.board.provinces[province].coasts
    if kind != "F" or not coasts:
        return province
    return f"{province}/{coast or coasts[0]}"
