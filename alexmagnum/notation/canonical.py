"""The fast way in: lines that are in canonical notation already.

Case files, benchmarks and programs write thousands of them; they are read with a split and a
few look-ups.  Whatever is not exactly canonical goes to the tolerant reader, so that the two can
only agree.
"""

from __future__ import annotations

from collections.abc import Mapping

from alexmagnum.board.geography import Province
from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from alexmagnum.position import Position, Unit


class CanonicalReader:
    """Reads canonical movement orders for one position."""

    __slots__ = ("locations", "named", "provinces", "units")

    def __init__(self, position: Position) -> None:
        self.named: Mapping[str, int] = position.tables.named
        self.units: tuple[Unit, ...] = position.tables.units
        self.provinces: Mapping[str, Province] = position.board.provinces
        self.locations: Mapping[str, int] = position.board.tables.location

    def read(self, line: str, power: str | None) -> Order | None:
        """The order of a canonical line, or None if the line is not one."""
        words = line.split(" ")
        count = len(words)
        if count < 3:
            return None
        unit = f"{words[0]} {words[1]}"
        u = self.named.get(unit, -1)
        if u < 0 or (power is not None and self.units[u].power != power):
            return None
        verb = words[2]
        if verb == "-":
            return self._move(unit, words, count)
        if verb == "H":
            return Hold(unit) if count == 3 else None
        if count < 5:
            return None
        other = f"{words[3]} {words[4]}"
        if other not in self.named:
            return None
        if count == 5:
            return Support(unit, other) if verb == "S" else None
        if count != 7 or words[5] != "-" or not self._is_goal(words[6]):
            return None
        if verb == "S":
            return Support(unit, other, words[6])
        return Convoy(unit, other, words[6]) if verb == "C" else None

    def _move(self, unit: str, words: list[str], count: int) -> Order | None:
        if count == 4 and self._is_goal(words[3]):
            return Move(unit, words[3])
        if count == 6 and self._is_goal(words[3]) and words[4:] == ["via", "convoy"]:
            return Move(unit, words[3], via_convoy=True)
        return None

    def _is_goal(self, place: str) -> bool:
        """Is it a location, or the place of a fleet that can be attacked (R11)?"""
        if place in self.locations:
            return True
        return "#" in place and any(
            unit.place == place and self.provinces[unit.province].is_sea for unit in self.units
        )
