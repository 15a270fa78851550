"""Questions about a position that a player answers by looking at the map."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from alexmagnum.judge.checking import list_reachable
from alexmagnum.position import Position, Unit


class MapQueries:
    """The map under one position; ``units`` are all units on the board.

    All answers are in a fixed order.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.units = position.tables.units
        self._tables = position.board.tables

    def units_in(self, province: str) -> list[Unit]:
        """Return the units in a province."""
        tables = self._tables
        return [self.units[u] for u in self.position.tables.units_in[tables.index[province]]]

    def destinations(self, unit: Unit) -> list[str]:
        """Return every destination of a unit without a convoy, as the notation writes it.

        Fleets go up and down rivers (R18) and over portages (R23), and may name a fleet in
        the sea that they go to or stand in (R11, R11a).
        """
        tables = self._tables
        ways = list(list_reachable(self.position, unit))
        if unit.kind != "F":
            return ways
        for way in [*ways, unit.province]:
            if way in tables.index and tables.is_sea[tables.index[way]]:
                ways += [u.place for u in self.units_in(way) if u.power != unit.power]
        return ways

    def ride_destinations(self, unit: Unit) -> list[str]:
        """Return where a fleet gets by river or portage, without the provinces that it touches."""
        tables = self._tables
        if unit.kind != "F":
            return []
        here = tables.index[unit.province]
        touched = set(tables.fleet_to[tables.location[unit.location]])
        longer = [to for table in (tables.course, tables.haul) for frm, to in table if frm == here]
        return [tables.ids[to] for to in longer if to not in touched]

    def supportable_provinces(self, unit: Unit) -> set[str]:
        """Return the provinces into which a unit can support: neighbours and its own sea (R14)."""
        tables = self._tables
        beside = tables.fleet_to if unit.kind == "F" else tables.army_to
        reached = {
            tables.ids[tables.province_of[to]] for to in beside[tables.location[unit.location]]
        }
        if self.position.board.provinces[unit.province].capacity > 1:
            reached.add(unit.province)
        return reached

    def convoy_routes(self, army: Unit, fleets: Sequence[Unit]) -> dict[str, list[Unit]]:
        """Return the provinces to which some fleets could bring an army.

        Each comes with a shortest chain of fleets to it.
        """
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
        """Return the land around the sea of a fleet; nothing for other units."""
        tables = self._tables
        sea = tables.index[fleet.province]
        return [tables.ids[p] for p in range(tables.n) if tables.shore[sea * tables.n + p]]

    def convoyable_armies(self, fleet: Unit) -> list[Unit]:
        """Return the armies of all powers that a fleet could convoy, without garrisons."""
        powers = self.position.board.powers
        return [
            unit
            for shore in self.shores(fleet)
            for unit in self.units_in(shore)
            if unit.kind != "F" and unit.power in powers
        ]
