"""The places of units on the sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from alexmagnum.draw.atlas import Atlas, ProvinceDrawing
from alexmagnum.draw.scene import Point
from alexmagnum.position import Unit


def find_unit_places(units: Iterable[Unit], atlas: Atlas, size: float) -> Mapping[Unit, Point]:
    """Return the middle of each unit's symbol; ``size`` is the width of the symbols.

    A fleet in a sea has the slot of its number (R8).  Units that share a single slot, such as two
    in a major city (R26), stand side by side.
    """
    found: dict[Unit, Point] = {}
    by_province: dict[str, list[Unit]] = {}
    for unit in units:
        by_province.setdefault(unit.province, []).append(unit)
    for province, standing in by_province.items():
        ground = atlas.grounds[province]
        shared = len(ground.slots) < max(unit.number for unit in standing)
        for i, unit in enumerate(sorted(standing)):
            x, y = find_slot(ground, unit)
            if shared:
                x += (i - (len(standing) - 1) / 2) * size * 1.04
            found[unit] = x, y
    return found


def find_slot(ground: ProvinceDrawing, unit: Unit) -> Point:
    """Return the place that the map has for a unit."""
    if unit.coast in ground.coasts:
        return ground.coasts[unit.coast]
    return ground.slots[unit.number - 1 if unit.number <= len(ground.slots) else 0]
