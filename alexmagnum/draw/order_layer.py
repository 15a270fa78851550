"""The layout that orders are drawn on: places of units, ends of moves, obstacles to lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from alexmagnum.board.model import Board
from alexmagnum.draw.arrows import STEP, End, Line, Obstacles
from alexmagnum.draw.atlas import Atlas
from alexmagnum.draw.paths import distance, simplify
from alexmagnum.draw.scene import Box, Point
from alexmagnum.draw.symbols import RADIUS, SIZE, find_place_beside, push_apart
from alexmagnum.draw.unit_places import find_slot, find_unit_places
from alexmagnum.position import Position, Unit

GAP = 3.0
"""The gap between a symbol and a line that leads to it."""


@dataclass(frozen=True, slots=True)
class Lens:
    """The way from the map's coordinates into a frame that shows a window of the map larger."""

    window: Box
    frame: Box

    @property
    def scale(self) -> float:
        """The magnification of the window."""
        return self.frame.width / self.window.width

    def __call__(self, point: Point) -> Point:
        """Return a point of the map in the frame."""
        k = self.scale
        return (
            self.frame.left + (point[0] - self.window.left) * k,
            self.frame.top + (point[1] - self.window.top) * k,
        )

    def line(self, points: Iterable[Point]) -> Line:
        """Return a line of the map in the frame."""
        return tuple(map(self, points))

    def box(self, box: Box) -> Box:
        """Return a box of the map in the frame."""
        return Box(*self((box.left, box.top)), *self((box.right, box.bottom)))


class SheetLayout:
    """The layout of a sheet or a window of it: everything that orders are drawn around.

    Attributes:
        seats: the middles of the symbols, also of units to be built.
        natural: these middles before symbols pushed each other aside.
        names: the room of the names.
        field: the obstacles to lines.
        gates: the places at the edge of a part of a map where lines leave it, by province.
    """

    def __init__(
        self,
        position: Position,
        atlas: Atlas,
        lens: Lens,
        names: Sequence[Box],
        more: Iterable[Unit] = (),
        gates: Collection[str] = (),
    ) -> None:
        self.board: Board = position.board
        self.atlas, self.lens, self.gates = atlas, lens, gates
        self.names = [_round_box(box) for box in names]
        self.natural = place_units(position, atlas, lens, names, more)
        outside = {unit: at for unit, at in self.natural.items() if unit.province in gates}
        inside = {unit: at for unit, at in self.natural.items() if unit not in outside}
        seats = push_apart(inside, sheet=lens.box(atlas.box)) | outside
        self.seats = {unit: round_point(at) for unit, at in seats.items()}
        self._there = {unit.place: unit for unit in sorted(position.units)}
        self.field = Obstacles(lens.box(atlas.box).grown(-9.0))
        for unit, at in self.seats.items():
            if unit in outside:
                continue
            self.field.disc(unit, at, RADIUS + GAP - 0.5)
        for box in self.names:
            self.field.name(box)
        for ground in atlas.grounds.values():
            if ground.city:
                self.field.city(round_point(lens(ground.city)))

    def covered(self, box: Box) -> int:
        """Return how many units, names and signs of centres a box would cover."""
        return self.field.within(box)

    def start(self, unit: Unit) -> End:
        """Return the beginning of a line that leads away from a unit."""
        if unit.province in self.gates:
            return End(self.seats[unit], GAP, unit)
        return End(self.seats[unit], RADIUS + 1.0, unit)

    def end(self, goal: Unit) -> End:
        """Return the end of a line that leads to a place: at the unit there, else in its middle."""
        there = self._there.get(goal.place)
        at = round_point(self.lens(self._slot(goal)))
        if there is None and goal.number:  # in a city of two places the other unit may be there
            fellows = (u for u in self._there.values() if u.province == goal.province)
            there = next((u for u in fellows if distance(self.seats[u], at) < RADIUS), None)
        if there is not None:
            gap = GAP if there.province in self.gates else RADIUS + GAP
            return End(self.seats[there], gap, there)
        return End(at, 3.0)

    def _slot(self, goal: Unit) -> Point:
        """Return the place of a goal; without a number, the middle of the province's slots."""
        ground = self.atlas.grounds[goal.province]
        if goal.number:
            return find_slot(ground, goal)
        xs, ys = zip(*ground.slots, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)

    def river(self, course: Sequence[str]) -> Line:
        """Return the course of the river through some territories, or a line through them."""
        river = next(r for r in self.board.rivers if {course[0], course[-1]} <= {*r.course})
        for feature in self.atlas.of("river"):
            if feature.name in river.names.values():
                course_line = self.lens.line(simplify(feature.lines[0], STEP / 2))
                return tuple(map(round_point, course_line))
        return tuple(round_point(self.lens(self.atlas.grounds[p].slots[0])) for p in course)

    def portage(self, over: str) -> Line:
        """Return the portage over a province, or the province's middle if it is not drawn."""
        ground = self.atlas.grounds[over]
        for feature in self.atlas.of("portage"):
            for line in feature.lines:
                if any(ground.box.holds(point) for point in line):
                    return tuple(map(round_point, self.lens.line(line)))
        return (round_point(self.lens(ground.slots[0])),)


def round_point(point: Point) -> Point:
    """Return a point in tenths of a unit, as pictures are written.

    Whoever draws from what is written, such as the script of a page, then draws the same lines.
    """
    return round(point[0], 1), round(point[1], 1)


def _round_box(box: Box) -> Box:
    """Return a box with corners in tenths of a unit."""
    return Box(*round_point((box.left, box.top)), *round_point((box.right, box.bottom)))


def place_units(
    position: Position,
    atlas: Atlas,
    lens: Lens,
    names: Sequence[Box],
    more: Iterable[Unit] = (),
) -> Mapping[Unit, Point]:
    """Return the middle of every symbol: units, dislodged units, and ``more`` to be built."""
    standing = sorted({*position.units, *more})
    found = {
        unit: lens(at) for unit, at in find_unit_places(standing, atlas, SIZE / lens.scale).items()
    }
    for unit in sorted(d.unit for d in position.dislodged):
        at = lens(find_slot(atlas.grounds[unit.province], unit))
        near = [lens(place) for g in atlas.grounds.values() for place in g.slots]
        found[unit] = find_place_beside(at, [*found.values()], near, names)
    return found
