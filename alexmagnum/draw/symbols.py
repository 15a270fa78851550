"""The symbols of units, placed so that none covers another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi, sin

from alexmagnum.draw.palette import Livery
from alexmagnum.draw.paths import distance
from alexmagnum.draw.scene import Box, Point, Token, square
from alexmagnum.position import Unit

SIZE = 28.0
"""The height of a unit's symbol in drawing units."""

RADIUS = 14.0
"""The radius of the circle around a symbol that lines avoid."""

APART = 36.0
"""The least distance between the middles of two symbols: no two cover each other, from any side."""

_BESIDE = APART + 2.0
"""The distance of a dislodged unit, whose symbol is tilted, from the unit in its place."""


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


def find_place_beside(
    at: Point,
    taken: Sequence[Point],
    slots: Sequence[Point],
    names: Sequence[Box],
    is_own: Callable[[Point], bool],
) -> Point:
    """Return the best place for a symbol next to another.

    It avoids other symbols, names and the slots of units to which the unit may retreat, and stays
    in its own province if that has room.
    """

    def cost(place: Point) -> float:
        crowd = sum(max(0.0, _BESIDE - distance(place, other)) for other in taken)
        box = square(place, RADIUS - 2)
        crowd += sum(max(0.0, APART + 8.0 - distance(place, slot)) for slot in slots if slot != at)
        crowd += sum(7.5 for name in names if box.meets(name))
        return crowd * 2 + (0.0 if is_own(place) else 90.0)

    turns = [0.25 * pi + k * pi / 6 for k in range(12)]
    around = [
        (at[0] + far * cos(t), at[1] + far * sin(t))
        for far in (_BESIDE, _BESIDE * 1.3, _BESIDE * 1.7)
        for t in turns
    ]
    return min(around, key=cost)
