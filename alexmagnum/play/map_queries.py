"""Where the units of a position could go: what a player looks up on the map."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from alexmagnum.judge.checking import list_reachable
from alexmagnum.position import Position, Unit


class MapQueries:
    """The map under a position, asked from the point of view of its units.

    All answers are lists in a fixed order.  ``units`` are all units on the board.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.units = position.tables.units
        self._tables = position.board.tables

    def standing(self, province: str) -> list[Unit]:
        """Who stands in a province."""
        tables = self._tables
        return [self.units[u] for u in self.position.tables.units_in[tables.index[province]]]

    def goals(self, unit: Unit) -> list[str]:
        """Every destination of a unit without a convoy, as the notation writes it.

        Fleets go up and down rivers (R18) and over portages (R23), and may name a fleet in
        the sea that they go to or stand in (R11, R11a).
        """
        tables = self._tables
        ways = list(list_reachable(self.position, unit))
        if unit.kind != "F":
            return ways
        for way in [*ways, unit.province]:
            if way in tables.index and tables.is_sea[tables.index[way]]:
                ways += [u.place for u in self.standing(way) if u.power != unit.power]
        return ways

    def rides(self, unit: Unit) -> list[str]:
        """Where a fleet gets by river or portage beyond the provinces that it touches."""
        tables = self._tables
        if unit.kind != "F":
            return []
        here = tables.index[unit.province]
        touched = set(tables.fleet_to[tables.location[unit.location]])
        longer = [to for table in (tables.course, tables.haul) for frm, to in table if frm == here]
        return [tables.ids[to] for to in longer if to not in touched]

    def reach(self, unit: Unit) -> set[str]:
        """The provinces that a unit can give support to: across a border, or its own sea (R14)."""
        tables = self._tables
        beside = tables.fleet_to if unit.kind == "F" else tables.army_to
        reached = {
            tables.ids[tables.province_of[to]] for to in beside[tables.location[unit.location]]
        }
        if self.position.board.provinces[unit.province].capacity > 1:
            reached.add(unit.province)
        return reached

    def crossings(self, army: Unit, fleets: Sequence[Unit]) -> dict[str, list[Unit]]:
        """The coasts that an army could be brought to by some fleets, each with a shortest chain
        of them."""
        tables = self._tables
        afloat: dict[int, Unit] = {}
        for fleet in fleets:
            afloat.setdefault(tables.index[fleet.province], fleet)
        start = tables.index[army.province]
        chains = {sea: [afloat[sea]] for sea in tables.port[start] if sea in afloat}
        queue = deque(chains)
        routes: dict[str, list[Unit]] = {}
        while queue:
            sea = queue.popleft()
            for land in tables.near[sea]:
                if land != start and tables.shore[sea * tables.n + land]:
                    routes.setdefault(tables.ids[land], chains[sea])
            for further in tables.sea_next[sea]:
                if further in afloat and further not in chains:
                    chains[further] = [*chains[sea], afloat[further]]
                    queue.append(further)
        return routes

    def shores(self, fleet: Unit) -> list[str]:
        """The land beside the sea in which a fleet is; nothing for other units."""
        tables = self._tables
        sea = tables.index[fleet.province]
        return [tables.ids[p] for p in range(tables.n) if tables.shore[sea * tables.n + p]]

    def boarding(self, fleet: Unit) -> list[Unit]:
        """The armies of any power that a fleet could take on board, garrisons aside."""
        powers = self.position.board.powers
        return [
            unit
            for shore in self.shores(fleet)
            for unit in self.standing(shore)
            if unit.kind != "F" and unit.power in powers
        ]
