"""The numbers that stand for things in the judge's tables, each kind with a type of its own.

The judge works on integers, because they are fast.  The types keep the kinds apart: a type
checker refuses a place where a province is due.  They cost nothing when the program runs: tables
are cast to them once, and hand typed numbers out.

A province is also the location of the province as a whole, and a unit's number is also the
number of the last leg of its move.  So both are subtypes.
"""

from __future__ import annotations

from typing import Final, NewType

LocationNo = NewType("LocationNo", int)
"""A province as a whole, or one of its separate coasts."""

ProvinceNo = NewType("ProvinceNo", LocationNo)
"""A province, in the map's order."""

PlaceNo = NewType("PlaceNo", int)
"""Room for one unit; a province has as many places as its capacity (R8)."""

PowerNo = NewType("PowerNo", int)
"""A power, in the map's order; the independents come last."""

LegNo = NewType("LegNo", int)
"""A step of a move into one province; an express makes several (R19)."""

UnitNo = NewType("UnitNo", LegNo)
"""A unit of a position, by province and place; also the last leg of its move."""

# None of a kind.  All are negative, so that inner loops can ask for the sign.
NO_PROVINCE: Final = ProvinceNo(LocationNo(-1))
OFF_THE_BOARD: Final = ProvinceNo(LocationNo(-2))
NO_PLACE: Final = PlaceNo(-1)
NO_POWER: Final = PowerNo(-1)
NO_UNIT: Final = UnitNo(LegNo(-1))
