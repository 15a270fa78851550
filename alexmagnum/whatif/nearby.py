"""The units of which a single one can change the result of an order, found before their orders are.

Open this file for why a page answers in seconds what would flip an order: listing all legal orders
of all units takes longer than trying those of the few units near the order.
"""

from __future__ import annotations

from alexmagnum.board.numbers import ProvinceNo, UnitNo
from alexmagnum.orders import Convoy, Hold, Move, MovementOrder
from alexmagnum.position import Position, Unit
from alexmagnum.whatif.candidates import Given
from alexmagnum.whatif.touches import Touches
from alexmagnum.whatif.trials import Trials, TrialSheet


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

    ``read``: the keys of what was read (:mod:`alexmagnum.judge.read_log`); ``goals``: the provinces
    in which an entry or a raid touches it; ``helped``: those in which a support does;
    ``ferried``: the armies whose way a convoy changes.
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
        self.touches = Touches(trials.influence)
        self.keys = self.touches.keys
        sheet = TrialSheet(trials, {u: 0 for u, row in enumerate(rows) if row})
        self.ferries = sheet.sheet.ferries
        self.read = sheet.read_result(asked, self.keys)[1]
        self.legality = trials.influence.legality
        self.goals = {p for p in range(self.board.n) if self._is_read(self.keys.all_entries(p))}
        self.goals |= self._find_raided_lands()
        self.helped = self._find_helped_provinces()
        self.ferried = self._find_ferried_armies()

    def is_near(self, u: UnitNo) -> bool:
        """Tell whether another order of a unit can touch what was read."""
        keys, masks = self.keys, self.touches.masks[u]
        if self._is_read((keys.row(u), keys.help_for(u))) or (masks and masks[0] & self.read):
            return True
        if self.ferries[u]:
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
            if self._is_read((self.keys.help_for(u),)):
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
