"""The layout that orders are drawn on: places of units, ends of moves, obstacles to lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from alexmagnum.board.model import Board
from alexmagnum.draw.arrows import STEP, End, Line, Obstacles
from alexmagnum.draw.atlas import ProvinceDrawing
from alexmagnum.draw.base_map import BaseMap
from alexmagnum.draw.grid import Grid
from alexmagnum.draw.lens import Lens
from alexmagnum.draw.order_drawing import VOID, DrawnOrder
from alexmagnum.draw.paths import distance, simplify
from alexmagnum.draw.scene import Box, Point, square
from alexmagnum.draw.symbols import APART, RADIUS, SIZE, find_place_beside
from alexmagnum.draw.unit_places import Settling, Wish, find_slot, find_unit_places
from alexmagnum.judge.outcome import SUCCEEDS
from alexmagnum.position import Position, Unit

GAP = 3.0
"""The gap between a symbol and a line that leads to it."""

ARROW = 34.0
"""The length that an arrow should have at the least."""

PLACE = 10.0
"""The radius of the room that the number of an empty place in a sea needs."""

BURST_ROOM = 11.0
"""The room that the burst of a bounce needs between the arrow's head and the unit."""

_CLEAR = 44.0
"""The distance from all units at which open water counts as free."""


class SheetLayout:
    """The layout of a sheet or a window of it: everything that orders are drawn around.

    Attributes:
        seats: the middles of the symbols, also of units to be built.
        natural: these middles before symbols pushed each other aside.
        tethers: the place in its province of each unit that stands beside it for want of room.
        names: the room of the names.
        field: the obstacles to lines.
        gates: the places at the edge of a part of a map where lines leave it, by province.
    """

    def __init__(
        self,
        position: Position,
        base: BaseMap,
        lens: Lens,
        names: Sequence[Box] = (),
        orders: Iterable[DrawnOrder] = (),
        gates: Collection[str] = (),
    ) -> None:
        self.board: Board = position.board
        self.atlas, self.grid, self.lens = base.atlas, base.grid, lens
        self.names, self.gates = [_round_box(box) for box in names], gates
        orders = tuple(orders)
        self._there = {unit.place: unit for unit in sorted(position.units)}
        self._sheet = lens.box(self.atlas.box).grown(-RADIUS)
        new = [order.unit for order in orders if order.look == "build"]
        self._open: dict[str, Point] = {}
        self.natural = place_units(position, base, lens, names, new)
        wishes = tuple(self._wishes(orders))
        outside = {unit: at for unit, at in self.natural.items() if unit.province in gates}
        inside = {unit: at for unit, at in self.natural.items() if unit not in outside}
        seats = Settling(inside, APART, self._may_stand, wishes, self._places_for).settle()
        self.seats = {unit: round_point(at) for unit, at in (seats | outside).items()}
        self.tethers = {
            unit: lens(find_slot(self.atlas.grounds[unit.province], unit))
            for unit, at in seats.items()
            if not _is_in(unit.province, self.grid, lens, at)
        }
        self.field = self._list_obstacles()

    def _list_obstacles(self) -> Obstacles:
        """Return the units on the sheet, names and signs of cities, which lines keep off."""
        field = Obstacles(self.lens.box(self.atlas.box).grown(-9.0))
        for unit, at in self.seats.items():
            if unit.province not in self.gates:
                field.disc(unit, at, RADIUS + GAP - 0.5)
        for box in self.names:
            field.name(box)
        for ground in self.atlas.grounds.values():
            if ground.city:
                field.city(round_point(self.lens(ground.city)))
        return field

    def _may_stand(self, unit: Unit, at: Point) -> bool:
        """Return whether a unit's symbol may stand at a point: in its province, on the sheet."""
        return self._sheet.holds(at) and _is_in(unit.province, self.grid, self.lens, at)

    def _places_for(self, unit: Unit) -> Iterator[Point]:
        """Yield places in a unit's province where its symbol lies on the sheet."""
        ground = self.atlas.grounds[unit.province]
        for place in self.grid.list_middles(ground.id, ground.box):
            at = self.lens(place)
            if self._sheet.holds(at):
                yield at

    def _wishes(self, orders: Iterable[DrawnOrder]) -> Iterator[Wish]:
        """Yield how far each moving unit should be from its goal, so that its arrow is seen.

        Orders without results move nobody: they are also drawn on a map of the position.
        """
        for order in orders:
            goal = order.goal
            if order.look not in ("move", "retreat") or goal is None:
                continue
            if order.course or order.over or order.fleets or not order.result:
                continue
            if {order.unit.province, goal.province} & {*self.gates}:
                continue
            failed = order.result not in (SUCCEEDS, *VOID)
            there = self._there.get(goal.place)
            if there is not None and there != order.unit:
                burst = BURST_ROOM if failed else 0.0
                yield order.unit, there, 2 * RADIUS + GAP + ARROW + burst
            elif there is None:
                yield order.unit, self.lens(self._slot(goal)), RADIUS + PLACE + ARROW

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
        there = self._there.get(goal.place) if goal.number else None
        at = round_point(self.lens(self._slot(goal)))
        if there is None and goal.number:  # in a city of two places the other unit may be there
            fellows = (u for u in self._there.values() if u.province == goal.province)
            there = next((u for u in fellows if distance(self.seats[u], at) < RADIUS), None)
        if there is not None:
            gap = GAP if there.province in self.gates else RADIUS + GAP
            return End(self.seats[there], gap, there)
        return End(at, 3.0)

    def numbers(self, goal: Unit) -> int:
        """Return the number to be shown at an empty place: 0 where a province has one place."""
        room = self.board.provinces[goal.province]
        shown = room.is_sea and room.capacity > 1 and goal.province not in self.gates
        return goal.number if shown else 0

    def _slot(self, goal: Unit) -> Point:
        """Return the place of a goal; without a number, open water in the sea."""
        ground = self.atlas.grounds[goal.province]
        if goal.number:
            return find_slot(ground, goal)
        if goal.province not in self._open:
            self._open[goal.province] = self._find_open_water(ground)
        return self._open[goal.province]

    def _find_open_water(self, ground: ProvinceDrawing) -> Point:
        """Return the point in a sea that is far from units and near the middle of its slots."""
        xs, ys = zip(*ground.slots, strict=True)
        middle = sum(xs) / len(xs), sum(ys) / len(ys)
        clear = _CLEAR / self.lens.scale
        room = ground.box.grown(clear)
        units = map(self.lens.inverse, self.natural.values())
        near = [at for at in units if room.holds(at)]

        def cost(place: Point) -> float:
            crowd = sum(max(0.0, clear - distance(place, unit)) for unit in near)
            squares = self.grid.squares(square(place, BURST_ROOM))
            abroad = squares.area - self.grid.count_owned(squares, ground.id)
            return crowd * 2 + abroad * 2 + distance(place, middle) * 0.3

        inside = list(self.grid.list_middles(ground.id, ground.box))
        some = inside[:: 1 + len(inside) // 100]
        return min(some, key=lambda place: (cost(place), place), default=middle)

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
    base: BaseMap,
    lens: Lens,
    names: Sequence[Box],
    more: Iterable[Unit] = (),
) -> Mapping[Unit, Point]:
    """Return the middle of every symbol: units, dislodged units, and ``more`` to be built.

    Each is in its province, unless that has no room for the symbol of a dislodged unit.
    """
    atlas, grid = base.atlas, base.grid
    standing = sorted({*position.units, *more})
    found = {
        unit: lens(_move_into(at, unit.province, base))
        for unit, at in find_unit_places(standing, atlas, SIZE / lens.scale).items()
    }
    for unit in sorted(d.unit for d in position.dislodged):
        at = lens(find_slot(atlas.grounds[unit.province], unit))
        near = [lens(place) for g in atlas.grounds.values() for place in g.slots]
        found[unit] = find_place_beside(
            at,
            [*found.values()],
            near,
            names,
            partial(_is_in, unit.province, grid, lens),
        )
    return found


def _is_in(province: str, grid: Grid, lens: Lens, at: Point) -> bool:
    """Return whether a point of the sheet or of a window of it lies in a province."""
    return grid.holds(province, lens.inverse(at))


def _move_into(at: Point, province: str, base: BaseMap) -> Point:
    """Return a point, or the nearest one in the province if it lies outside."""
    if province in base.atlas.beyond or base.grid.holds(province, at):
        return at
    inside = base.grid.list_middles(province, base.atlas.grounds[province].box)
    return min(inside, key=lambda place: (distance(place, at), place), default=at)
