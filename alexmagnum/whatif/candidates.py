"""The opposing orders that a safety search considers, and units that matter to an order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from alexmagnum.board.tables import ProvinceNo, UnitNo
from alexmagnum.judge.legality import Legality
from alexmagnum.judge.options import legal_orders_of_units
from alexmagnum.orders import Convoy, Hold, Move, MovementOrder, Order, Support
from alexmagnum.position import Position, Unit
from alexmagnum.whatif.search import NOWHERE, Act, Touches, Trials

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
    legal, tables = movement_orders(position), position.tables
    legality = Legality(position.board.tables, tables)
    rows: list[list[tuple[MovementOrder, Act]]] = []
    for u, unit in zip(tables.numbers, tables.units, strict=True):
        own = (given[unit],) if unit in given else ()
        listed = legal[unit] if unit.power in against else own
        takes = position.takes_orders(unit)
        rows.append([(o, Act(u, o if takes else None, legality)) for o in listed])

    def is_sensible(order: MovementOrder, act: Act) -> bool:
        """Tell whether a unit may be ordered to do what the order helps it to do, if it helps."""
        if act.helps == NOWHERE:
            return True
        if isinstance(order, Support) and set(order.to or "") & {"/", "#"}:
            return False  # naming the province alone helps to any coast and at any fleet of it
        power = tables.units[act.helps].power
        if power == asking or power in against:
            return power != asking
        moves = [helped.enters[-1] for _, helped in rows[act.helps] if helped.enters]
        return moves == [act.to] if moves else act.to == NOWHERE

    varied = [u for u in tables.numbers if tables.units[u].power in against]
    for u in varied:
        rows[u] = [(order, act) for order, act in rows[u] if is_sensible(order, act)]
    acts = [act for row in rows for _, act in row]
    journeys = {(tables.province[act.helps], act.to) for act in acts if act.convoys}
    for u in varied:
        rows[u] = [
            (order, act)
            for order, act in rows[u]
            if not act.carried or (tables.province[u], act.enters[-1]) in journeys
        ]
    return tuple(tuple(order for order, _ in row) for row in rows)


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
        rows: list[tuple[MovementOrder, ...]] = []
        for unit in self.units.units:
            order = given.get(unit)
            if order is None and position.takes_orders(unit):
                order = Hold(position.name(unit))
            rows.append(() if order is None else (order,))
        trials = Trials(position, rows)
        self.touches = Touches(trials)
        self.keys = trials.keys
        self.acts = trials.acts
        self.convoyed = {act.helps for row in trials.acts for act in row if act.convoys}
        chosen = {u: 0 for u, row in enumerate(rows) if row}
        self.read = trials.read_result(chosen, asked)[1]
        self.legality = Legality(self.board, self.units)
        self.goals = {p for p in range(self.board.n) if self._is_read(self.keys.all_entries(p))}
        self.goals |= {  # the lands where an army catches a fleet of which the haul was read (R24)
            over
            for (start, end), over in self.board.haul.items()
            if self._is_read([*self.units.units_in[start], *self.keys.all_entries(end)])
        }
        counted = [u for u in self.units.numbers if self._is_read((self.keys.help + u,))]
        self.helped = {at for u in counted for at in (self.units.province[u], self._find_goal(u))}
        moving = [u for u in self.units.numbers if self.acts[u] and self.acts[u][0].enters]
        ways = [(u, self._find_goal(u)) for u in moving if self.units.army[u]]
        self.ferried = [(u, to) for u, to in ways if self._is_read((u,)) or to in self.goals]

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
        ways = [act.enters[-1] for act in self.acts[u] if act.enters]
        return ways[0] if ways else self.units.province[u]

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

    def _may_convoy(self, u: UnitNo) -> bool:
        """Tell whether a fleet can be ordered to convoy an army of which the way was read."""
        if self.units.army[u] or not self.board.is_sea[self.units.province[u]]:
            return False
        for army, to in self.ferried:
            order = Convoy(self.names[u], self.names[army], self.board.ids[to])
            if not self.legality.check_convoy(u, order)[0]:
                return True
        return False
