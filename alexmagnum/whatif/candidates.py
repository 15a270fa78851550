"""Choosing the opposing orders that a safety search considers.

These are all legal orders without those that

- help a unit of the power that asks;
- help a unit whose order is given to do something else;
- repeat what another order says (a support that names a coast or a fleet, where naming the province
  alone helps to any of them);
- move an army by convoy where no fleet may be ordered to carry it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from alexmagnum.board.geography import split_location
from alexmagnum.judge.legality import BY_CONVOY, Legality
from alexmagnum.judge.options import legal_orders_of_units
from alexmagnum.orders import Convoy, Move, MovementOrder, Order, Support
from alexmagnum.position import Position, Unit

Given = Mapping[Unit, MovementOrder]
"""The order of each unit that is given one."""


def movement_orders(
    position: Position, units: Iterable[Unit] | None = None
) -> dict[Unit, tuple[MovementOrder, ...]]:
    """Return all legal orders of every unit in a movement phase, or of these ``units``."""
    wanted = position.tables.units if units is None else units
    return {
        unit: tuple(order for order in orders if isinstance(order, MovementOrder))
        for unit, orders in legal_orders_of_units(position, wanted).items()
    }


def given_orders(position: Position, orders: Mapping[str, Sequence[Order]]) -> Given:
    """Return the order of each unit that counts: the last one that its own power gives.

    Orders for no unit, or for another power's unit, are left out.
    """
    legality = Legality(position.board.tables, position.tables)
    given: dict[Unit, MovementOrder] = {}
    for power, listed in orders.items():
        for order in listed:
            if isinstance(order, MovementOrder):
                u = legality.find_unit(order.unit)
                if u >= 0 and position.tables.units[u].power == power:
                    given[position.tables.units[u]] = order
    return given


def same_order(position: Position, order: MovementOrder, other: MovementOrder | None) -> bool:
    """Return whether two orders of a unit say the same.

    An army that cannot walk goes by convoy, whether or not its order says so.
    """
    if not (isinstance(order, Move) and isinstance(other, Move)):
        return order == other
    legality = Legality(position.board.tables, position.tables)
    u = legality.find_unit(order.unit)
    one, two = legality.check_move(u, order), legality.check_move(u, other)
    legal_alike = (
        not one[0]
        and one == two
        and legality.find_target(order.to) == legality.find_target(other.to)
    )
    return order == other or legal_alike


def sensible_orders(
    position: Position, given: Given, asking: str, against: Collection[str]
) -> tuple[tuple[MovementOrder, ...], ...]:
    """Return the orders that each unit might get, by unit number of the position's tables.

    Units of the powers ``against`` have all their sensible orders, hold first; other units have the
    order given, or none.  The power ``asking`` is not among the powers ``against``.
    """
    legal = movement_orders(position)
    varied = {unit for unit in position.units if unit.power in against}
    sense = _Sense(position, given, asking, varied)
    rows: list[tuple[MovementOrder, ...]] = []
    for unit in position.tables.units:
        if unit in varied:
            rows.append(tuple(order for order in legal[unit] if sense.is_sensible(order)))
        else:
            rows.append((given[unit],) if unit in given else ())
    journeys = sense.convoyed_journeys(rows)
    return tuple(
        sense.without_lost_armies(row, journeys) if unit in varied else row
        for unit, row in zip(position.tables.units, rows, strict=True)
    )


class _Sense:
    """Tells sensible orders in one position, with the orders of the other units given."""

    def __init__(
        self, position: Position, given: Given, asking: str, varied: Collection[Unit]
    ) -> None:
        self.position = position
        self.given = given
        self.asking = asking
        self.varied = varied
        self.legality = Legality(position.board.tables, position.tables)

    def is_sensible(self, order: MovementOrder) -> bool:
        """Return whether the help that an order gives can be used; True for other orders."""
        if isinstance(order, Support):
            plain = order.to is None or order.to == province_named(order.to)
            return plain and self._can_use_help(order.supported, order.to)
        if isinstance(order, Convoy):
            return self._can_use_help(order.army, order.to)
        return True

    def _can_use_help(self, helped: str, to: str | None) -> bool:
        """Return whether a unit may be ordered what another unit would help it to do."""
        unit = self.position.names[helped]
        if unit.power == self.asking:
            return False
        if unit in self.varied:
            return True
        order = self.given.get(unit)
        if isinstance(order, Move) and self._is_legal(order):
            return to is not None and province_named(order.to) == province_named(to)
        return to is None

    def _is_legal(self, order: Move) -> bool:
        """Return whether a move is legal; otherwise its unit holds and can be supported to hold."""
        u = self.legality.find_unit(order.unit)
        takes_orders = self.position.takes_orders(self.position.tables.units[u])
        return takes_orders and not self.legality.check_move(u, order)[0]

    def needs_convoy(self, order: MovementOrder) -> bool:
        """Return whether an order is a move that needs a convoy."""
        if not isinstance(order, Move):
            return False
        fault, _, way = self.legality.check_move(self.legality.find_unit(order.unit), order)
        return not fault and way == BY_CONVOY

    def journey(self, order: MovementOrder) -> tuple[str, str]:
        """Return the provinces from which and to which a move leads."""
        assert isinstance(order, Move), "only moves lead anywhere"
        return self.position.names[order.unit].province, province_named(order.to)

    def without_lost_armies(
        self, orders: Iterable[MovementOrder], journeys: Collection[tuple[str, str]]
    ) -> tuple[MovementOrder, ...]:
        """Return the orders without moves by convoy for which there is no convoy."""
        return tuple(
            order
            for order in orders
            if not self.needs_convoy(order) or self.journey(order) in journeys
        )

    def convoyed_journeys(self, rows: Sequence[Sequence[MovementOrder]]) -> set[tuple[str, str]]:
        """Return all journeys for which a fleet may be ordered to carry an army."""
        convoys = [order for row in rows for order in row if isinstance(order, Convoy)]
        armies = [self.legality.find_unit(order.army) for order in convoys]
        return {
            (self.position.tables.units[u].province, province_named(order.to))
            for u, order in zip(armies, convoys, strict=True)
            if u >= 0
        }


def province_named(text: str) -> str:
    """Return the province of a destination, without its coast or number."""
    return split_location(text.partition("#")[0])[0]
