"""The places of units on the sheet: each in its own province, none on another.

A unit starts from the place that the map's file gives it.  From there symbols push each other
aside, and a unit that moves keeps so far from its goal that the arrow between them can be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from alexmagnum.draw.atlas import Atlas, ProvinceDrawing
from alexmagnum.draw.paths import distance
from alexmagnum.draw.scene import Point
from alexmagnum.position import Unit

Wish = tuple[Unit, Unit | Point, float]
"""A unit, another unit or a point, and the distance that they should keep."""

_ROUNDS = 40
_LAST = 15
"""The rounds at the end in which symbols no longer keep their distance from goals."""


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


@dataclass(slots=True)
class Settling:
    """Units that push each other aside, each within its own province.

    Attributes:
        least: the least distance of two symbols.
        may_stand: whether a unit may stand at a point.
        wishes: pairs that go further apart where there is room, to leave space for an arrow.
        other_places: the places in a unit's province that are tried if pushing does not help.
    """

    places: Mapping[Unit, Point]
    least: float
    may_stand: Callable[[Unit, Point], bool]
    wishes: Sequence[Wish] = ()
    other_places: Callable[[Unit], Iterable[Point]] = lambda _: ()
    _found: dict[Unit, Point] = field(default_factory=dict)
    _pushes: dict[Unit, list[Point]] = field(default_factory=dict)

    def settle(self) -> dict[Unit, Point]:
        """Return the places at last; they do not depend on the order of the units."""
        self._found = {unit: self.places[unit] for unit in sorted(self.places)}
        near = list(self._neighbours())
        for turn in range(_ROUNDS + _LAST):
            self._pushes = {}
            for a, b in near:
                self._push(a, b, self.least, 0.5)
            for unit, other, apart in self.wishes if turn < _ROUNDS else ():
                self._push(unit, other, apart, 0.2)
            if not self._pushes:
                break
            for unit in sorted(self._pushes):
                self._step(unit, self._pushes[unit])
        for a, b in near:
            if distance(self._found[a], self._found[b]) < self.least - 1.0:
                self._separate(a, b)
        return self._found

    def _separate(self, *pair: Unit) -> None:
        """Move one of two units that could not push each other aside to a free place."""
        best: tuple[float, Point, Unit] | None = None
        for unit in pair:
            rest = [at for other, at in self._found.items() if other != unit]
            for at in self.other_places(unit):
                far = distance(at, self._found[unit])
                if best is not None and far >= best[0]:
                    continue
                if all(distance(at, other) >= self.least for other in rest):
                    best = far, at, unit
        if best is not None:
            self._found[best[2]] = best[1]

    def _neighbours(self) -> Iterator[tuple[Unit, Unit]]:
        """Yield the pairs of units that may push each other."""
        reach = self.least * 3
        for (a, (x, y)), (b, (u, v)) in combinations(self._found.items(), 2):
            if abs(x - u) < reach and abs(y - v) < reach:
                yield a, b

    def _push(self, a: Unit, b: Unit | Point, least: float, share: float) -> None:
        """Add the steps by which two units, or a unit and a point, go apart."""
        at, other = self._found[a], self._found[b] if isinstance(b, Unit) else b
        gap = distance(at, other)
        if gap >= least - 0.05:
            return
        ux, uy = ((other[0] - at[0]) / gap, (other[1] - at[1]) / gap) if gap else (1.0, 0.0)
        step = (least - gap) * share
        self._pushes.setdefault(a, []).append((-ux * step, -uy * step))
        if isinstance(b, Unit):
            self._pushes.setdefault(b, []).append((ux * step, uy * step))

    def _step(self, unit: Unit, steps: Sequence[Point]) -> None:
        """Move a unit as far as it may stand; at an edge it slides along it."""
        x, y = self._found[unit]
        dx, dy = sum(step[0] for step in steps), sum(step[1] for step in steps)
        if not self.may_stand(unit, (x, y)):
            self._found[unit] = x + dx, y + dy
            return
        turns = ((1.0, 0.0), (0.7, 0.7), (0.7, -0.7), (0.0, 0.9), (0.0, -0.9), (0.4, 0.0))
        for along, across in turns:
            at = x + dx * along - dy * across, y + dy * along + dx * across
            if self.may_stand(unit, at):
                self._found[unit] = at
                return
