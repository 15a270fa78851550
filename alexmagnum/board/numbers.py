"""The numbers that stand for things in the judge's tables, each kind with a type of its own.

The judge works on integers, because they are fast.  The types keep the kinds apart: a checker
refuses a place where a province is due.  They cost nothing when the program runs, because tables
are filled with plain integers and hand the types out.

A province is also the location of the province as a whole, and a unit's number is also the
number of the last leg of its move.  So both are subtypes.
"""

from __future__ import annotations

LocationNo = int
"""A province as a whole, or one of its separate coasts."""

ProvinceNo = LocationNo
"""A province, in the map's order."""

PlaceNo = int
"""Room for one unit; a province has as many places as its capacity (R8)."""

PowerNo = int
"""A power, in the map's order; the independents come last."""

LegNo = int
"""A step of a move into one province; an express makes several (R19)."""

UnitNo = LegNo
"""A unit of a position, by province and place; also the last leg of its move."""

NO_PROVINCE = -1
NO_PLACE = -1
NO_POWER = -1
NO_UNIT = -1
