"""The symbols of units, placed so that none covers another."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from math import cos, pi, sin
from typing import TypeVar

from alexmagnum.draw.palette import Livery
from alexmagnum.draw.paths import distance
from alexmagnum.draw.scene import Box, Point, Token
from alexmagnum.position import Unit

SIZE = 28.0
"""The height of a unit's symbol in drawing units."""

RADIUS = 14.0
"""The radius of the circle around a symbol that lines avoid."""

APART = 29.0
"""The least distance between the middles of two symbols."""

_Key = TypeVar("_Key", bound=Hashable)


def unit_token(
    unit: Unit,
    name: str,
    livery: Livery,
    at: Point,
    *,
    state: str = "",
    about: tuple[str, str, str] | None = None,
) -> Token:
    """Return the symbol of a unit; ``about`` are the title, the order and the result."""
    number = unit.number if "#" in name else 0
    title, order, result = about or (name, "", "")
    return Token(
        name, unit.kind, unit.power, livery.letter, at, SIZE, number, state, title, order, result
    )


def push_apart(
    places: Mapping[_Key, Point], least: float = APART, sheet: Box | None = None
) -> dict[_Key, Point]:
    """Push places apart that are too close to each other.

    The result does not depend on the order of the keys as long as no two places coincide.
    """
    found = dict(places)
    near = [
        pair for pair in combinations(found, 2) if _are_close(found[pair[0]], found[pair[1]], least)
    ]
    for _ in range(40):
        pushes: dict[_Key, list[Point]] = {}
        for a, b in near:
            gap = distance(found[a], found[b])
            if gap >= least - 0.05:
                continue
            dx, dy = found[b][0] - found[a][0], found[b][1] - found[a][1]
            ux, uy = (dx / gap, dy / gap) if gap else (1.0, 0.0)
            half = (least - gap) * 0.5
            pushes.setdefault(a, []).append((-ux * half, -uy * half))
            pushes.setdefault(b, []).append((ux * half, uy * half))
        if not pushes:
            break
        for key, steps in pushes.items():
            x = found[key][0] + sum(dx for dx, _ in steps)
            y = found[key][1] + sum(dy for _, dy in steps)
            found[key] = _move_onto((x, y), sheet)
    return found


def _are_close(a: Point, b: Point, least: float) -> bool:
    """Return whether two places may push each other."""
    return abs(a[0] - b[0]) < 2 * least and abs(a[1] - b[1]) < 2 * least


def _move_onto(at: Point, sheet: Box | None) -> Point:
    """Return a place moved so that its symbol lies on the sheet."""
    if sheet is None:
        return at
    return (
        min(max(at[0], sheet.left + RADIUS), sheet.right - RADIUS),
        min(max(at[1], sheet.top + RADIUS), sheet.bottom - RADIUS),
    )


def find_place_beside(
    at: Point, taken: Sequence[Point], slots: Sequence[Point], names: Sequence[Box]
) -> Point:
    """Return the best place for a symbol next to another.

    It avoids other symbols, names and the slots of units to which the unit may retreat.
    """

    def cost(place: Point) -> float:
        crowd = sum(max(0.0, APART - distance(place, other)) for other in taken)
        box = Box(*place, *place).grown(RADIUS - 2)
        crowd += sum(max(0.0, APART + 8.0 - distance(place, slot)) for slot in slots if slot != at)
        return crowd * 2 + 15.0 * sum(box.meets(name) for name in names)

    turns = [0.25 * pi + k * pi / 6 for k in range(12)]
    around = [(at[0] + APART * cos(t), at[1] + APART * sin(t)) for t in turns]
    return min(around, key=cost)
