"""The opposing orders that a safety search considers, and units that matter to an order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

from alexmagnum.board.geography import split_location
from alexmagnum.board.tables import ProvinceNo, UnitNo
from alexmagnum.judge.legality import BY_CONVOY, Legality
from alexmagnum.judge.options import legal_orders_of_units
from alexmagnum.orders import Convoy, Hold, Move, MovementOrder, Order, Support
from alexmagnum.position import Position, Unit
from alexmagnum.whatif.search import Touches, Trials

# Choosing the opposing orders that a safety search considers.
#
# These are all legal orders without those that
#
# - help a unit of the power that asks;
# - help a unit whose order is given to do something else;
# - repeat what another order says (a support that names a coast or a fleet, where naming the
#   province alone helps to any of them);
# - move an army by convoy where no fleet may be ordered to carry it.


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


# The units of which a single one can change the result of an order, found before their orders
# are.
#
# Open this file for why a page answers in seconds what would flip an order: listing all legal
# orders of all units takes longer than trying those of the few units near the order.


def find_nearby_units(position: Position, given: Given, asked: Unit) -> frozenset[Unit]:
    """Return the units of which one alone can change the result of a unit's order.

    ``given``: the orders of all.  Any other unit may get any legal order without changing the
    result; some of those returned may, too.
    """
    search = _Nearby(position, given, position.tables.number_of(asked))
    return frozenset(
        unit
        for u, unit in zip(position.tables.numbers, position.tables.units, strict=True)
        if position.takes_orders(unit) and search.is_near(u)
    )


class _Nearby:
    """What was read when the orders as given were judged, and where that can be touched.

    ``read``: the keys of what was read (:mod:`alexmagnum.whatif.partial_results`); ``goals``: the
    provinces in which an entry or a raid touches it; ``helped``: those in which a support does;
    ``convoyed``: the units that a fleet is ordered to convoy; ``ferried``: the armies whose way a
    convoy changes.
    """

    def __init__(self, position: Position, given: Given, asked: UnitNo) -> None:
        self.board = position.board.tables
        self.units = position.tables
        self.names = [position.name(unit) for unit in self.units.units]
        self.orders: list[MovementOrder | None] = []
        rows: list[tuple[MovementOrder, ...]] = []
        for unit in self.units.units:
            order = given.get(unit)
            if order is None and position.takes_orders(unit):
                order = Hold(position.name(unit))
            self.orders.append(order)
            rows.append(() if order is None else (order,))
        trials = Trials(position, rows)
        self.touches = Touches(trials)
        self.keys = trials.keys
        acts = chain.from_iterable(trials.acts)
        self.convoyed = {act.helps for act in acts if act.convoys}
        chosen = {u: 0 for u, row in enumerate(rows) if row}
        self.read = trials.read_result(chosen, asked)[1]
        self.legality = Legality(self.board, self.units)
        self.goals = {p for p in range(self.board.n) if self._is_read(self.keys.all_entries(p))}
        self.goals |= self._find_raided_lands()
        self.helped = self._find_helped_provinces()
        self.ferried = self._find_ferried_armies()

    def is_near(self, u: UnitNo) -> bool:
        """Tell whether another order of a unit can touch what was read."""
        keys, masks = self.keys, self.touches.masks[u]
        if self._is_read((u, keys.help + u)) or (masks and masks[0] & self.read):
            return True
        if u in self.convoyed:
            return True  # it may go by their convoy, however far
        reached = self._find_reached(u)
        if reached & self.goals or (reached | {self.units.province[u]}) & self.helped:
            return True
        return self._may_convoy(u)

    def _is_read(self, keys: list[int] | tuple[int, ...]) -> bool:
        return any(self.read >> key & 1 for key in keys)

    def _find_goal(self, u: UnitNo) -> ProvinceNo:
        """Return where a unit is ordered to go; where it stands, if it is not ordered to move."""
        order = self.orders[u]
        if isinstance(order, Move):
            location = self.legality.find_location(order.to)
            if location >= 0:
                return self.board.province_of[location]
        return self.units.province[u]

    def _find_reached(self, u: UnitNo) -> set[ProvinceNo]:
        """Return the provinces that a unit can enter by itself, or pass on a river or portage."""
        board, here = self.board, self.units.province[u]
        if self.units.army[u]:
            return {board.province_of[to] for to in board.army_to[here]}
        found = {board.province_of[to] for to in board.fleet_to[self.units.location[u]]}
        if board.is_sea[here]:
            found.add(here)  # against another fleet in it (R11)
        for (start, to), course in board.course.items():
            if start == here:
                found.update((to, *course.path))
        found.update(to for start, to in board.haul if start == here)
        return found

    def _find_raided_lands(self) -> set[ProvinceNo]:
        """Return the lands where an army catches a fleet of which the haul was read (R24)."""
        keys, units_in = self.keys, self.units.units_in
        return {
            over
            for (start, end), over in self.board.haul.items()
            if self._is_read([*units_in[start], *keys.all_entries(end)])
        }

    def _find_helped_provinces(self) -> set[ProvinceNo]:
        """Return where the units stand and go for which supports were counted."""
        helped: set[ProvinceNo] = set()
        for u in self.units.numbers:
            if self._is_read((self.keys.help + u,)):
                helped.update((self.units.province[u], self._find_goal(u)))
        return helped

    def _find_ferried_armies(self) -> list[tuple[UnitNo, ProvinceNo]]:
        """Return the moving armies of which the way was read, and where they go."""
        found: list[tuple[UnitNo, ProvinceNo]] = []
        for u in self.units.numbers:
            to = self._find_goal(u)
            moves = self.units.army[u] and to != self.units.province[u]
            if moves and (self._is_read((u,)) or to in self.goals):
                found.append((u, to))
        return found

    def _may_convoy(self, u: UnitNo) -> bool:
        """Tell whether a fleet can be ordered to convoy an army of which the way was read."""
        if self.units.army[u] or not self.board.is_sea[self.units.province[u]]:
            return False
        for army, to in self.ferried:
            order = Convoy(self.names[u], self.names[army], self.board.ids[to])
            if not self.legality.check_convoy(u, order)[0]:
                return True
        return False
