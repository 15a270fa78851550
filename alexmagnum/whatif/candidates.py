"""Which orders are sensible: what others are held capable of when one asks how safe one is.

Of all legal orders those are left out which

- help a unit of the power that asks;
- help a unit to do what it is not ordered, where its order is given;
- say a second time what another one says (a support that names a coast or a fleet where the
  province alone helps it to any);
- move an army by convoy, over seas or where it could as well walk, where no fleet may be ordered
  to carry it there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from alexmagnum.board.geography import split_location
from alexmagnum.judge.legality import BY_CONVOY, Legality
from alexmagnum.judge.options import all_legal_orders
from alexmagnum.orders import Convoy, Move, MovementOrder, Order, Support
from alexmagnum.position import Position, Unit

Given = Mapping[Unit, MovementOrder]
"""The order that a unit is given, for those that have one."""


def movement_orders(position: Position) -> dict[Unit, tuple[MovementOrder, ...]]:
    """Every legal order of every unit before a movement phase."""
    return {
        unit: tuple(order for order in orders if isinstance(order, MovementOrder))
        for unit, orders in all_legal_orders(position).items()
    }


def given_orders(position: Position, orders: Mapping[str, Sequence[Order]]) -> Given:
    """The last order of each unit by its own power: the one that counts.

    Orders for no unit, or for another power's, give none.
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
    """Do two orders of a unit say the same?  That an army goes by convoy need not be said where it
    cannot walk."""
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
    """By unit number of the position's tables, what each unit might be ordered.

    Units of the powers ``against`` have all their sensible orders, hold first; the others the
    order given, or none.  None of the powers ``against`` is the one ``asking``.
    """
    legal = movement_orders(position)
    varied = {unit for unit in position.units if unit.power in against}
    sense = _Sense(position, given, asking, varied)
    rows: list[tuple[MovementOrder, ...]] = []
    for unit in position.tables.units:
        if unit in varied:
            rows.append(tuple(o for o in legal[unit] if sense.has(o)))
        else:
            rows.append((given[unit],) if unit in given else ())
    carried = sense.carried(rows)
    return tuple(
        tuple(o for o in row if not sense.needs_convoy(o) or sense.journey(o) in carried)
        if unit in varied
        else row
        for unit, row in zip(position.tables.units, rows, strict=True)
    )


class _Sense:
    """What makes sense in one position, the rest of the orders being given."""

    def __init__(
        self, position: Position, given: Given, asking: str, varied: Collection[Unit]
    ) -> None:
        self.position = position
        self.given = given
        self.asking = asking
        self.varied = varied
        self.legality = Legality(position.board.tables, position.tables)

    def has(self, order: MovementOrder) -> bool:
        if isinstance(order, Support):
            plain = order.to is None or order.to == province_named(order.to)
            return plain and self._fits(order.supported, order.to)
        if isinstance(order, Convoy):
            return self._fits(order.army, order.to)
        return True

    def _fits(self, helped: str, to: str | None) -> bool:
        """May a unit be ordered what another one would help it to?"""
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
        """Else the unit holds, and may be supported to."""
        u = self.legality.find_unit(order.unit)
        takes_orders = self.position.takes_orders(self.position.tables.units[u])
        return takes_orders and not self.legality.check_move(u, order)[0]

    def needs_convoy(self, order: MovementOrder) -> bool:
        """Is it a move that has to be carried?"""
        if not isinstance(order, Move):
            return False
        fault, _, way = self.legality.check_move(self.legality.find_unit(order.unit), order)
        return not fault and way == BY_CONVOY

    def journey(self, order: MovementOrder) -> tuple[str, str]:
        """From where a move leads, and to where."""
        assert isinstance(order, Move), "only moves lead anywhere"
        return self.position.names[order.unit].province, province_named(order.to)

    def carried(self, rows: Sequence[Sequence[MovementOrder]]) -> set[tuple[str, str]]:
        """All journeys for which some fleet may be ordered to carry an army."""
        convoys = [order for row in rows for order in row if isinstance(order, Convoy)]
        armies = [self.legality.find_unit(order.army) for order in convoys]
        return {
            (self.position.tables.units[u].province, province_named(order.to))
            for u, order in zip(armies, convoys, strict=True)
            if u >= 0
        }


def province_named(text: str) -> str:
    """The province that a destination names, its coast or place aside."""
    return split_location(text.partition("#")[0])[0]
