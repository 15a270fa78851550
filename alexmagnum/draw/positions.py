"""Places of units on a sheet and of gates at its edge, and pictures of positions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from math import cos, pi, sin

from alexmagnum.draw import atlas as atlases
from alexmagnum.draw import base_map
from alexmagnum.draw import scene as scenes
from alexmagnum.draw.atlas import APART, DISC, RADIUS, Atlas, FreeSpace, Grid, Lens, ProvinceDrawing
from alexmagnum.draw.base_map import BaseMap, Crop, Sign, make_base_map
from alexmagnum.draw.labels import Label
from alexmagnum.draw.orders import LOST, STEP, VOID, DrawnOrder, End, Line, Obstacles
from alexmagnum.draw.scene import Box, Layer, Point, Shape, Text, Token, distance, simplify, width
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import DESTROYED, SUCCEEDS
from alexmagnum.position import DEPLOYMENT, Position, Unit
from alexmagnum.units import names_of

_BESIDE = APART + 2.0  # the distance of a dislodged unit, which is tilted, from that in its place


# The places of units on the sheet: each in its own province, none on another.
#
# A unit starts from the place that the map's file gives it. From there symbols push each other
# aside, and a unit that moves keeps so far from its goal that the arrow between them can be seen.


Wish = tuple[Unit, Unit | Point, float]
"""A unit, another unit or a point, and the distance that they should keep."""

_ROUNDS = 40
_LAST = 15  # the rounds at the end in which symbols no longer keep their distance from goals


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
        free = [
            (not self.may_stand(unit, at), distance(at, self._found[unit]), at, unit)
            for unit in pair
            for at in self.other_places(unit)
            if all(
                distance(at, other) >= self.least
                for standing, other in self._found.items()
                if standing != unit
            )
        ]
        if free:
            *_, at, unit = min(free)
            self._found[unit] = at

    def _neighbours(self) -> Iterator[tuple[Unit, Unit]]:
        reach = self.least * 3
        for (a, (x, y)), (b, (u, v)) in combinations(self._found.items(), 2):
            if abs(x - u) < reach and abs(y - v) < reach:
                yield a, b

    def _push(self, a: Unit, b: Unit | Point, least: float, share: float) -> None:
        """Add the steps by which two units, or a unit and a point, go apart."""
        at, other = self._found[a], self._found[b] if isinstance(b, Unit) else b
        if (gap := distance(at, other)) >= least - 0.05:
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


# The layout that orders are drawn on: places of units, ends of moves, obstacles to lines.


GAP = 3.0
"""The gap between a symbol and a line that leads to it."""

ARROW = 34.0
"""The length that an arrow should have at the least."""

PLACE = 10.0
"""The radius of the room that the number of an empty place in a sea needs."""

BURST_ROOM = 11.0
"""The room that the burst of a bounce needs between the arrow's head and the unit."""

_CLEAR = 44.0  # the distance from all units at which open water counts as free


class UnitLayout:
    """The layout of a map or a window of it: everything that orders are drawn around.

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
        self.position, self.board = position, position.board
        self.atlas, self.grid, self.lens = base.atlas, base.grid, lens
        corners = (((box.left, box.top), (box.right, box.bottom)) for box in names)
        self.names = [Box(*round_point(first), *round_point(last)) for first, last in corners]
        self.gates = gates
        orders = tuple(orders)
        self._there = {unit.place: unit for unit in sorted(position.units)}
        self._sheet = lens.box(self.atlas.box).grown(-RADIUS)
        self._view = lens.frame.grown(-atlases.WHOLE)
        new = [order.unit for order in orders if order.look == "build"]
        self._open: dict[str, Point] = {}
        self.natural = {
            unit: self._view.nearest(at) if self._is_seen(unit, at) else at
            for unit, at in place_units(position, base, lens, names, new).items()
        }
        self._cramped = {
            unit
            for unit, at in self.natural.items()
            if not _is_in(unit.province, self.grid, lens, DISC, at)
        }
        wishes = tuple(self._wishes(orders))
        outside = {unit: at for unit, at in self.natural.items() if unit.province in gates}
        inside = {unit: at for unit, at in self.natural.items() if unit not in outside}
        seats = Settling(inside, APART, self._may_stand, wishes, self._places_for).settle()
        self.seats = {unit: round_point(at) for unit, at in (seats | outside).items()}
        self.tethers = {
            unit: lens(find_slot(self.atlas.grounds[unit.province], unit))
            for unit, at in seats.items()
            if not _is_in(unit.province, self.grid, lens, 0.0, at)
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
        """Return whether a unit's symbol may stand at a point: whole in the frame if it is seen
        there, on the sheet, and on no border unless its province has no room for it.
        """
        seen = self._is_seen(unit, self.natural[unit])
        return (self._view if seen else self._sheet).holds(at) and _is_in(
            unit.province, self.grid, self.lens, 0.0 if unit in self._cramped else DISC, at
        )

    def _is_seen(self, unit: Unit, at: Point) -> bool:
        return self.lens.frame.holds(at) and unit.province not in self.gates

    def _places_for(self, unit: Unit) -> Iterator[Point]:
        """Yield places in a unit's province where its symbol lies on the sheet."""
        ground = self.atlas.grounds[unit.province]
        for place in self.grid.list_middles(ground.id, ground.box):
            if self._sheet.holds(at := self.lens(place)):
                yield at

    def _wishes(self, orders: Iterable[DrawnOrder]) -> Iterator[Wish]:
        """Yield how far each moving unit should be from its goal, so that its arrow is seen."""
        for order in orders:
            goal = order.goal
            if order.look not in ("move", "retreat") or goal is None:
                continue
            if order.course or order.over or order.fleets or not order.result:
                continue  # without a result nobody moves, as on a map of the position
            if {order.unit.province, goal.province} & {*self.gates}:
                continue
            failed = order.result not in (SUCCEEDS, *VOID)
            if (there := self._there.get(goal.place)) is not None and there != order.unit:
                yield order.unit, there, 2 * RADIUS + GAP + ARROW + (BURST_ROOM if failed else 0.0)
            elif there is None:
                yield order.unit, self.lens(self._slot(goal)), RADIUS + PLACE + ARROW

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
        near = [at for at in map(self.lens.inverse, self.natural.values()) if room.holds(at)]

        def cost(place: Point) -> float:
            crowd = sum(max(0.0, clear - distance(place, unit)) for unit in near)
            squares = self.grid.squares(scenes.square(place, BURST_ROOM))
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
                return tuple(map(round_point, self.lens.line(simplify(feature.lines[0], STEP / 2))))
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


def place_units(
    position: Position, base: BaseMap, lens: Lens, names: Sequence[Box], more: Iterable[Unit] = ()
) -> Mapping[Unit, Point]:
    """Return the middle of every symbol: units, dislodged units, and ``more`` to be built; in its
    province, unless that has no room for the symbol of a dislodged unit."""
    atlas, grid = base.atlas, base.grid
    standing = sorted({*position.units, *more})
    found = {
        unit: lens(_move_into(at, unit.province, base, DISC / lens.scale))
        for unit, at in find_unit_places(standing, atlas, atlases.SIZE / lens.scale).items()
    }
    for unit in sorted(d.unit for d in position.dislodged):
        at = lens(find_slot(atlas.grounds[unit.province], unit))
        found[unit] = _find_place_beside(
            at,
            [*found.values()],
            [lens(place) for g in atlas.grounds.values() for place in g.slots],
            names,
            [partial(_is_in, unit.province, grid, lens, radius) for radius in (0.0, DISC)],
        )
    return found


def _find_place_beside(
    at: Point,
    taken: Sequence[Point],
    slots: Sequence[Point],
    names: Sequence[Box],
    tests: Sequence[Callable[[Point], bool]],
) -> Point:
    """Return the best place for a symbol next to another: off other symbols, names and slots for
    retreats, and in its own province off its borders, as the ``tests`` say."""

    def cost(place: Point) -> float:
        crowd = sum(max(0.0, _BESIDE - distance(place, other)) for other in taken)
        box = scenes.square(place, RADIUS - 2)
        crowd += sum(max(0.0, APART + 8.0 - distance(place, slot)) for slot in slots if slot != at)
        crowd += sum(7.5 for name in names if box.meets(name))
        return crowd * 2 + sum(60.0 for is_good in tests if not is_good(place))

    turns = [0.25 * pi + k * pi / 6 for k in range(12)]
    around = [
        (at[0] + far * cos(t), at[1] + far * sin(t))
        for far in (_BESIDE, _BESIDE * 1.3, _BESIDE * 1.7)
        for t in turns
    ]
    return min(around, key=cost)


def _is_in(province: str, grid: Grid, lens: Lens, radius: float, at: Point) -> bool:
    """Return whether a disc of a frame lies in a province; of the radius 0 it is a point."""
    return grid.has_room(province, lens.inverse(at), radius / lens.scale)


def _move_into(at: Point, province: str, base: BaseMap, radius: float) -> Point:
    """Return the nearest point with room for a disc in the province, else the nearest in it."""
    grid = base.grid
    if province in base.atlas.beyond or grid.has_room(province, at, radius):
        return at
    inside = list(grid.list_middles(province, base.atlas.grounds[province].box))
    roomy = [place for place in inside if grid.has_room(province, place, radius)]
    if not roomy and grid.holds(province, at):
        return at
    return min(roomy or inside, key=lambda place: (distance(place, at), place), default=at)


# Orders that lead out of a part of a map, or into it.
#
# Their lines end at the edge, at a gate: a tag with the name of the place outside.


_GATE_LETTERS = 16.0
_GATE_HEIGHT = 22.0
_GATE_POINT = 9.0  # the length of the point of a tag
_GATE_EDGE = 3.0  # from a tag to the edge of the sheet
_OVER_NAME, _OVER_UNIT = 30.0, 400.0  # the costs of hiding a name and a unit
_SLIDES = tuple(k * step for k in range(14) for step in (16.0, -16.0))


@dataclass(frozen=True, slots=True)
class Gate:
    """The place at the edge of a part of a map that stands for a province outside.

    Attributes:
        at: where lines begin and end.
        box: the room of the tag.
        outward: the direction out of the sheet.
    """

    province: str
    name: str
    at: Point
    box: Box
    outward: Point


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The orders that touch a part of a map, and the units they are about; of a whole map
    everything, and no gates."""

    orders: tuple[DrawnOrder, ...]
    position: Position
    atlas: Atlas
    gates: tuple[Gate, ...] = ()


def find_excerpt(base: BaseMap, position: Position, orders: Iterable[DrawnOrder]) -> Excerpt:
    """Return the orders and units of a phase that a map shows."""
    if not (beyond := base.atlas.beyond):
        return Excerpt(tuple(orders), position, base.atlas)
    seen = tuple(
        order
        for order in orders
        if any(u and u.province not in beyond for u in (order.unit, order.goal, order.aim))
    )
    used = {unit for order in seen for unit in (order.unit, *order.fleets, order.aim) if unit}
    shown = _leave_out(position, beyond, used)
    places = dict.fromkeys(p for order in seen for p in _list_places(order) if p in beyond)
    gates = _place_gates(places, base, shown)
    grounds = {g.province: ProvinceDrawing(g.province, (), g.box, (g.at,)) for g in gates}
    atlas = replace(base.atlas, grounds={**base.atlas.grounds, **grounds})
    return Excerpt(seen, shown, atlas, gates)


def _list_places(order: DrawnOrder) -> Iterator[str]:
    """Yield the provinces that the drawing of an order needs."""
    for unit in (order.unit, order.goal, order.aim, *order.fleets):
        if unit is not None:
            yield unit.province
    yield from order.course
    yield from filter(None, (order.over, order.stop))


# -- where gates stand -----------------------------------------------------------------------------


def _place_gates(places: Iterable[str], base: BaseMap, position: Position) -> tuple[Gate, ...]:
    taken = [(box, _OVER_NAME) for box in base.name_boxes]
    for unit in position.units:
        if unit.province not in base.atlas.beyond:
            x, y = find_slot(base.atlas.grounds[unit.province], unit)
            taken.append((Box(x, y, x, y).grown(RADIUS), _OVER_UNIT))
    found: list[Gate] = []
    for province in places:
        name = position.board.provinces[province].name(base.lang)
        at = base.atlas.beyond[province]
        options = list(_gate_options(province, name, at, base.atlas.box))
        found.append(min(options, key=lambda gate: _gate_cost(gate, at, taken, found)))
    return tuple(found)


def _gate_options(province: str, name: str, at: Point, sheet: Box) -> Iterator[Gate]:
    """Yield gates along the edges of the sheet that face a place outside."""
    wide = width(name, _GATE_LETTERS, "semibold") + 12.0
    room = sheet.grown(-_GATE_EDGE)
    half = wide / 2, _GATE_HEIGHT / 2
    x = min(max(at[0], room.left + half[0]), room.right - half[0])
    y = min(max(at[1], room.top + half[1]), room.bottom - half[1])
    across = -1.0 if at[0] < sheet.left else 1.0 if at[0] > sheet.right else 0.0
    down = -1.0 if at[1] < sheet.top else 1.0 if at[1] > sheet.bottom else 0.0
    if not across and not down:  # on the sheet, where too little of it is visible for a unit
        across, down = _nearest_edge(at, sheet)
    for slide in _SLIDES:
        if across:
            left = room.left if across < 0 else room.right - wide - _GATE_POINT
            yield _make_gate(province, name, (left, y + slide), (across, 0.0), wide, room)
        for row in (0, 1) if down else ():
            inset = row * (_GATE_HEIGHT + _GATE_POINT + _GATE_EDGE)
            top = room.top + inset if down < 0 else room.bottom - _GATE_HEIGHT - _GATE_POINT - inset
            yield _make_gate(province, name, (x + slide, top), (0.0, down), wide, room)


def _nearest_edge(at: Point, sheet: Box) -> Point:
    edges = [
        (at[0] - sheet.left, (-1.0, 0.0)),
        (sheet.right - at[0], (1.0, 0.0)),
        (at[1] - sheet.top, (0.0, -1.0)),
        (sheet.bottom - at[1], (0.0, 1.0)),
    ]
    return min(edges)[1]


def _make_gate(
    province: str, name: str, corner: Point, outward: Point, wide: float, room: Box
) -> Gate:
    """Return a gate whose tag is at a place along an edge, moved onto the sheet."""
    if outward[0]:
        top = min(max(corner[1] - _GATE_HEIGHT / 2, room.top), room.bottom - _GATE_HEIGHT)
        box = Box(corner[0], top, corner[0] + wide + _GATE_POINT, top + _GATE_HEIGHT)
        at = (box.right if outward[0] < 0 else box.left), box.middle[1]
    else:
        left = min(max(corner[0] - wide / 2, room.left), room.right - wide)
        box = Box(left, corner[1], left + wide, corner[1] + _GATE_HEIGHT + _GATE_POINT)
        at = box.middle[0], (box.bottom if outward[1] < 0 else box.top)
    return Gate(province, name, at, box, outward)


def _gate_cost(
    gate: Gate, at: Point, taken: Sequence[tuple[Box, float]], others: Sequence[Gate]
) -> float:
    """Return the cost of a gate: what it hides, other gates, how far it is from its province."""
    hidden = sum(cost for box, cost in taken if box.meets(gate.box))
    crowd = sum(other.box.grown(2.0).meets(gate.box) for other in others)
    return hidden + 4 * _OVER_UNIT * crowd + distance(gate.at, at) * 0.5


# -- how they look ---------------------------------------------------------------------------------


def draw_gates(gates: Iterable[Gate]) -> tuple[Layer, ...]:
    """Return the layer of the tags, each with a point that leads out of the sheet."""
    items: list[Shape | Text] = []
    for gate in gates:
        items.append(Shape(_tag_path(gate), "gate"))
        x, y = gate.box.middle
        x -= gate.outward[0] * _GATE_POINT / 2
        y -= gate.outward[1] * _GATE_POINT / 2
        items.append(Text(gate.name, (x, y + _GATE_LETTERS * 0.34), _GATE_LETTERS, "gate-name"))
    return (Layer("gates", tuple(items)),) if items else ()


def move_gates(gates: Iterable[Gate], lens: Lens) -> Iterator[Gate]:
    """Yield the gates within a window, as they stand in its frame."""
    for gate in gates:
        if lens.window.holds(gate.at):
            x, y = lens(gate.at)
            dx, dy = x - gate.at[0], y - gate.at[1]
            yield replace(gate, at=(x, y), box=gate.box.moved(dx, dy))


def _tag_path(gate: Gate) -> str:
    """Return the outline of a tag: a box with a point on its outer side."""
    box, (dx, dy) = gate.box, gate.outward
    left = box.left + (_GATE_POINT if dx < 0 else 0.0)
    right = box.right - (_GATE_POINT if dx > 0 else 0.0)
    top = box.top + (_GATE_POINT if dy < 0 else 0.0)
    bottom = box.bottom - (_GATE_POINT if dy > 0 else 0.0)
    x, y = (left + right) / 2, (top + bottom) / 2
    up = [(x - 9, top), (x, box.top), (x + 9, top)] if dy < 0 else []
    down = [(x + 9, bottom), (x, box.bottom), (x - 9, bottom)] if dy > 0 else []
    east = [(box.right, y)] if dx > 0 else []
    west = [(box.left, y)] if dx < 0 else []
    corners = [(left, top), *up, (right, top), *east, (right, bottom), *down, (left, bottom), *west]
    return scenes.path_data([corners], closed=True)


# The symbols of units.


def list_tokens(
    layout: UnitLayout, gone: Container[Unit], orders: Collection[DrawnOrder] = ()
) -> Iterator[Token]:
    """Yield the symbols of the units, with their orders for those who touch them.

    ``gone`` are the units that lose their place; those that are destroyed lie under a cross.
    """
    position, liveries = layout.position, scenes.assign_liveries(layout.board)
    names = {**names_of(position.units), **names_of(d.unit for d in position.dislodged)}
    by_unit = {order.unit: order for order in sorted(orders, key=lambda order: order.look != LOST)}
    destroyed = {order.unit for order in orders if order.result == DESTROYED}
    ghosts = position.phase.kind != DEPLOYMENT
    for unit, at in layout.seats.items():
        if unit.province in layout.gates:
            continue
        name = names.get(unit, str(unit))
        number = unit.number if "#" in name else 0
        state = "dislodged" if unit in gone and unit not in destroyed else ""
        about = name, "", ""
        if (order := by_unit.get(unit)) is not None:
            about = order.title, order.order, order.result
            if order.look == "build" and ghosts:
                state = "ghost"
        letter_of_power = liveries[unit.power].letter
        yield Token(
            name, unit.kind, unit.power, letter_of_power, at, atlases.SIZE, number, state, *about
        )


# Draw a position on the map, and the page that every picture is drawn on.


FRAME = 40.0
"""The width of the frame around the map."""

_NARROW_FRAME = 12.0  # around a part of a map, which may be read on a telephone

_USUAL_SIGNS = 20  # units, orders and results: more than most turns have in the legend


def draw_position(
    position: Position,
    sentences: Sentences,
    *,
    title: str,
    subtitle: str = "",
    crop: Crop | None = None,
) -> scenes.Scene:
    """Return the picture of a position: units, provinces in their owners' tints, scoreboard.

    Dislodged units stand beside the place that they lost.  ``crop`` is the part of the map that is
    drawn; without it the whole map is.
    """
    base = make_base_map(position.board, sentences.lang, crop)
    position = _leave_out(position, base.atlas.beyond)
    layout = UnitLayout(position, base, base.lens, base.name_boxes)
    tokens = tuple(list_tokens(layout, {d.unit for d in position.dislodged}))
    page = MapPage(base, position, sentences, title, subtitle, tokens, crop=crop)
    return page.scene((Layer("units", tokens),))


def _leave_out(position: Position, beyond: Container[str], but: Container[Unit] = ()) -> Position:
    """Return a position without the units outside a part of the map, except for some of them."""

    def is_shown(unit: Unit) -> bool:
        return unit.province not in beyond or unit in but

    return replace(
        position,
        units=tuple(filter(is_shown, position.units)),
        dislodged=tuple(d for d in position.dislodged if is_shown(d.unit)),
    )


class MapPage:
    """The page that a picture is drawn on: the map and everything else except units and orders.

    ``room`` is the space that title, legend and scoreboard leave free.  The legend has a row for
    each kind of unit among the ``tokens`` and one for each of the ``signs``; in a ``crop`` that is
    steady it has room for the rows of most turns, so that it stands in the same place in all.
    """

    def __init__(
        self,
        base: BaseMap,
        position: Position,
        sentences: Sentences,
        title: str,
        subtitle: str,
        tokens: Sequence[Token] = (),
        signs: Sequence[Sign] = (),
        *,
        crop: Crop | None = None,
    ) -> None:
        self.base, self.position, self.sentences = base, position, sentences
        self.title, self.subtitle = title, subtitle
        board = position.board
        of_map = base_map.list_map_signs(board, base.atlas, sentences)
        self._signs = (*of_map, *base_map.list_unit_signs(tokens, sentences), *signs)
        rows = max(len(self._signs), len(of_map) + _USUAL_SIGNS if crop and crop.steady else 0)
        self.room = FreeSpace(base.atlas, base.grid)
        sheet = base.atlas.box
        self._bottom = sheet.bottom
        self._frame = _NARROW_FRAME if base.atlas.is_part else FRAME
        self.legend_box = self.score_box = Box(0.0, 0.0, 0.0, 0.0)
        self._has_legend = crop is None or crop.legend
        if self._has_legend:
            room = self._reserve(*base_map.legend_size(subtitle, rows), (sheet.left, sheet.bottom))
            _, height = base_map.legend_size(subtitle, len(self._signs))
            self.legend_box = replace(room, bottom=room.top + height)
        if not base.atlas.is_part:
            self.score_box = self._reserve(
                *base_map.scoreboard_size(board), (sheet.right, sheet.top)
            )

    def scene(
        self,
        layers: Sequence[Layer],
        insets: Sequence[scenes.Inset] = (),
        below_names: Sequence[Layer] = (),
        names: Sequence[Label] | None = None,
    ) -> scenes.Scene:
        """Return the whole picture, with layers over the map or between the map and its names.

        ``names`` are the labels of the map if they differ from those of the empty map.
        """
        board, base, sentences = self.position.board, self.base, self.sentences
        sheet = base.atlas.box
        rows = base_map.count_scores(self.position)
        score = (base_map.draw_scoreboard(self.score_box, rows, board, sentences),)
        legend = base_map.draw_legend(self.legend_box, self.title, self.subtitle, self._signs)
        seas, coast, land = base_map.draw_provinces(board, base, self.position.owners)
        whole = Box(sheet.left, sheet.top, sheet.right, self._bottom).grown(self._frame)
        return scenes.Scene(
            whole,
            sentences.format("map-of", title=self.title, subtitle=self.subtitle).strip(),
            " ".join(_descriptions(self.position, sentences)),
            base.outlines,
            (
                Layer("frame", tuple(_frame(sheet))),
                seas,
                coast,
                *base.below,
                land,
                *base.above,
                *below_names,
                base.lettering if names is None else base_map.letter(names),
                *layers,
                *self._edge(whole),
                *((legend,) if self._has_legend else ()),
                *(() if base.atlas.is_part else score),
                *self._compass(),
            ),
            tuple(scenes.assign_liveries(board).values()),
            tuple(insets),
        )

    def _edge(self, whole: Box) -> Iterable[Layer]:
        """Yield the paper around a part of a map, which hides what reaches out of the sheet."""
        if self.base.atlas.is_part:
            sheet = self.base.atlas.box
            data = scenes.rectangle_path(whole) + scenes.rectangle_path(sheet)
            lines = (Shape(scenes.rectangle_path(sheet), "frame-line thick"),)
            yield Layer("edge", (Shape(data, "margin around"), *lines))

    def _compass(self) -> Iterable[Layer]:
        """Yield a compass rose if the map is of the earth and has room for it."""
        sheet, atlas = self.base.atlas.box, self.base.atlas
        box = (
            None
            if atlas.flat or atlas.is_part
            else self.room.find_place(base_map.ROSE, base_map.ROSE, (sheet.middle[0], sheet.bottom))
        )
        if box is not None:
            yield base_map.draw_compass(box)

    @property
    def row_of_legend(self) -> Box | None:
        """The space between legend and scoreboard if both stand below the map, else None."""
        legend, score = self.legend_box, self.score_box
        if self.base.atlas.is_part or min(legend.top, score.top) < self.base.atlas.box.bottom:
            return None
        return Box(legend.right, legend.top, score.left, max(legend.bottom, score.bottom))

    def make_room_down_to(self, bottom: float) -> None:
        """Let the paper below the map reach at least so far."""
        self._bottom = max(self._bottom, bottom)

    def row(self, height: float) -> Box:
        """Return a free row below the map, as wide as the map."""
        sheet = self.base.atlas.box
        top = self._bottom + FRAME
        self._bottom = top + height
        return Box(sheet.left, top, sheet.right, self._bottom)

    def _reserve(self, width: float, height: float, near: tuple[float, float]) -> Box:
        """Reserve a free place on the map near a point, else one in a band below the map."""
        if (box := self.room.find_place(width, height, near)) is None:
            left = 0.0 if near[0] == 0.0 else near[0] - width
            if self.base.atlas.is_part:
                left = (self.base.atlas.width - width) / 2
            box = Box(left, self.base.atlas.height + self._frame * 0.6, left + width, 0.0)
            box = Box(box.left, box.top, box.right, box.top + height)
            self._bottom = max(self._bottom, box.bottom)
        self.room.take(box)
        return box


def _frame(sheet: Box) -> Iterable[Shape]:
    """Yield the paper under the map and the lines around it."""
    for out, look in ((0.0, "paper"), (12.0, "frame-line"), (19.0, "frame-line thick")):
        yield Shape(scenes.rectangle_path(sheet.grown(out)), look)


def _descriptions(position: Position, sentences: Sentences) -> Iterable[str]:
    """Yield a sentence with the units of each power, for people who cannot see the map."""
    names = names_of(position.units)
    for power in position.board.powers.values():
        if units := ", ".join(names[unit] for unit in position.units if unit.power == power.id):
            yield sentences.format("map-units", power=power.name(sentences.lang), units=units)
