"""The fast reader for movement orders that are in canonical notation already.

Case files, benchmarks and programs write thousands of such lines; a split and a few look-ups read
them.  Any other line is left to the tolerant reader, so that the two can only agree.
"""

from __future__ import annotations

from typing import Final

from alexmagnum.board.numbers import (
    NO_PROVINCE,
    NO_UNIT,
    LocationNo,
    UnitNo,
)
from alexmagnum.board.tables import BoardTables
from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from alexmagnum.position import Position
from alexmagnum.unit_tables import UnitTables

_VIA_CONVOY: Final = " via convoy"


class CanonicalReader:
    """A reader of canonical movement orders for one position.

    The names in the orders are texts of the board's tables, not of the lines, so that a thousand
    orders share them.
    """

    __slots__ = ("board", "locations", "named", "names", "tables")

    def __init__(self, position: Position) -> None:
        self.tables: UnitTables = position.tables
        self.board: BoardTables = position.board.tables
        self.locations: dict[str, LocationNo] = self.board.location
        self.named: dict[str, UnitNo] = self.tables.by_name
        self.names: list[str] = self.tables.list_names()

    def read(self, line: str, power: str | None) -> Order | None:
        """Return the order of a canonical line; None if the line is not canonical."""
        end = line.find(" ", 2)
        if end < 0:
            return None
        u = self.named.get(line[:end], NO_UNIT)
        if u < 0 or (power is not None and self.tables.units[u].power != power):
            return None
        verb = line[end : end + 3]
        if verb == " - ":
            return self._move(self.names[u], line[end + 3 :])
        if verb == " H":
            return Hold(self.names[u])
        if verb in (" S ", " C "):
            return self._help(self.names[u], verb, line[end + 3 :])
        return None

    def _move(self, unit: str, to: str) -> Order | None:
        known = self._find_destination(to)
        if known:
            return Move(unit, known)
        if to.endswith(_VIA_CONVOY):
            known = self._find_destination(to[: -len(_VIA_CONVOY)])
            if known:
                return Move(unit, known, via_convoy=True)
        return None

    def _help(self, unit: str, verb: str, rest: str) -> Order | None:
        """Return a support or convoy; None if the line is neither."""
        end = rest.find(" - ")
        u = self.named.get(rest if end < 0 else rest[:end], NO_UNIT)
        if u < 0:
            return None
        other = self.names[u]
        if end < 0:
            return Support(unit, other) if verb == " S " else None
        to = self._find_destination(rest[end + 3 :])
        if not to:
            return None
        if verb == " S ":
            return Support(unit, other, to)
        return Convoy(unit, other, to)

    def _find_destination(self, text: str) -> str:
        """Return a location, or the place of a fleet that can be attacked (R11); "" if neither."""
        location = self.locations.get(text, NO_PROVINCE)
        if location >= 0:
            return self.board.location_names[location]
        if "#" in text:
            for unit in self.tables.units:
                if unit.place == text and self.board.is_sea[self.board.index[unit.province]]:
                    return text
        return ""
