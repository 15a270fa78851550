"""The fast reader for movement orders that are in canonical notation already.

Case files, benchmarks and programs write thousands of such lines; a split and a few look-ups read
them.  Any other line is left to the tolerant reader, so that the two can only agree.
"""

from __future__ import annotations

from collections.abc import Mapping

from alexmagnum.board.geography import Province
from alexmagnum.board.numbers import NO_UNIT, LocationNo, UnitNo
from alexmagnum.frozen import FrozenDict
from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from alexmagnum.position import Position, Unit


class CanonicalReader:
    """A reader of canonical movement orders for one position."""

    __slots__ = ("locations", "named", "provinces", "units")

    def __init__(self, position: Position) -> None:
        self.named: dict[str, UnitNo] = position.tables.by_name
        self.units: tuple[Unit, ...] = position.tables.units
        self.provinces: Mapping[str, Province] = position.board.provinces
        self.locations: FrozenDict[str, LocationNo] = position.board.tables.location

    def read(self, line: str, power: str | None) -> Order | None:
        """Return the order of a canonical line; None if the line is not canonical."""
        words = line.split(" ")
        if len(words) < 3:
            return None
        unit = f"{words[0]} {words[1]}"
        u = self.named.get(unit, NO_UNIT)
        if u < 0 or (power is not None and self.units[u].power != power):
            return None
        verb = words[2]
        if verb == "-":
            return self._move(unit, words)
        if verb == "H":
            return Hold(unit) if len(words) == 3 else None
        return self._help(unit, verb, words)

    def _move(self, unit: str, words: list[str]) -> Order | None:
        count = len(words)
        if count == 4 and self._is_destination(words[3]):
            return Move(unit, words[3])
        if count == 6 and self._is_destination(words[3]) and words[4:] == ["via", "convoy"]:
            return Move(unit, words[3], via_convoy=True)
        return None

    def _help(self, unit: str, verb: str, words: list[str]) -> Order | None:
        """Return a support or convoy; None if the line is neither."""
        count = len(words)
        if count not in (5, 7):
            return None
        other = f"{words[3]} {words[4]}"
        if other not in self.named:
            return None
        if count == 5:
            return Support(unit, other) if verb == "S" else None
        if words[5] != "-" or not self._is_destination(words[6]):
            return None
        if verb == "S":
            return Support(unit, other, words[6])
        return Convoy(unit, other, words[6]) if verb == "C" else None

    def _is_destination(self, place: str) -> bool:
        """Return whether a place is a location, or that of a fleet that can be attacked (R11)."""
        if place in self.locations:
            return True
        return "#" in place and any(
            unit.place == place and self.provinces[unit.province].is_sea for unit in self.units
        )
