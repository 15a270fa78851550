"""Orders that lead out of a part of a map, or into it.

Their lines end at the edge, at a gate: a tag with the name of the place outside.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alexmagnum.draw.atlas import Atlas, ProvinceDrawing
from alexmagnum.draw.base_map import BaseMap
from alexmagnum.draw.fonts import width
from alexmagnum.draw.lens import Lens
from alexmagnum.draw.order_drawing import DrawnOrder
from alexmagnum.draw.paths import distance, path_data
from alexmagnum.draw.scene import Box, Layer, Point, Shape, Text
from alexmagnum.draw.symbols import RADIUS
from alexmagnum.draw.unit_places import find_slot
from alexmagnum.position import Position, Unit

_SIZE = 16.0
_HEIGHT = 22.0
_POINT = 9.0  # the length of the point of a tag
_EDGE = 3.0  # from a tag to the edge of the sheet
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
    """The orders that touch a part of a map, and the units they are about.

    On a whole map it is everything, and there are no gates.
    """

    orders: tuple[DrawnOrder, ...]
    position: Position
    atlas: Atlas
    gates: tuple[Gate, ...] = ()

    @property
    def outside(self) -> frozenset[str]:
        """The provinces that have gates."""
        return frozenset(gate.province for gate in self.gates)


def find_excerpt(
    base: BaseMap, position: Position, orders: Iterable[DrawnOrder], lang: str
) -> Excerpt:
    """Return the orders and units of a phase that a map shows."""
    beyond = base.atlas.beyond
    if not beyond:
        return Excerpt(tuple(orders), position, base.atlas)
    seen = tuple(order for order in orders if _leads_inside(order, beyond))
    used = {unit for order in seen for unit in (order.unit, *order.fleets, order.aim) if unit}
    shown = _keep_units(position, used.union(_units_inside(position, beyond)))
    places = dict.fromkeys(p for order in seen for p in _places(order) if p in beyond)
    gates = _place_gates(places, base, shown, lang)
    grounds = {gate.province: _gate_ground(gate) for gate in gates}
    atlas = replace(base.atlas, grounds={**base.atlas.grounds, **grounds})
    return Excerpt(seen, shown, atlas, gates)


def _units_inside(position: Position, beyond: Mapping[str, Point]) -> Iterator[Unit]:
    """Yield the units on the sheet, those that have to retreat as well."""
    for unit in (*position.units, *(fate.unit for fate in position.dislodged)):
        if unit.province not in beyond:
            yield unit


def _keep_units(position: Position, kept: Collection[Unit]) -> Position:
    """Return a position with no other units than these."""
    units = tuple(unit for unit in position.units if unit in kept)
    dislodged = tuple(fate for fate in position.dislodged if fate.unit in kept)
    return replace(position, units=units, dislodged=dislodged)


def _leads_inside(order: DrawnOrder, beyond: Mapping[str, Point]) -> bool:
    """Return whether an order begins or ends on the sheet, or helps a unit there."""
    about = (order.unit, order.goal, order.aim)
    return any(unit is not None and unit.province not in beyond for unit in about)


def _places(order: DrawnOrder) -> Iterator[str]:
    """Yield the provinces that the drawing of an order needs."""
    for unit in (order.unit, order.goal, order.aim, *order.fleets):
        if unit is not None:
            yield unit.province
    yield from order.course
    yield from filter(None, (order.over, order.stop))


def _gate_ground(gate: Gate) -> ProvinceDrawing:
    """Return a province outside as its gate alone."""
    return ProvinceDrawing(gate.province, (), gate.box, (gate.at,))


# -- where gates stand -----------------------------------------------------------------------------


def _place_gates(
    places: Iterable[str], base: BaseMap, position: Position, lang: str
) -> tuple[Gate, ...]:
    """Return a gate for each of some provinces, where it hides least."""
    taken = [(box, _OVER_NAME) for label in base.names for box in label.boxes]
    for unit in position.units:
        if unit.province not in base.atlas.beyond:
            x, y = find_slot(base.atlas.grounds[unit.province], unit)
            taken.append((Box(x, y, x, y).grown(RADIUS), _OVER_UNIT))
    found: list[Gate] = []
    for province in places:
        name = position.board.provinces[province].name(lang)
        at = base.atlas.beyond[province]
        options = list(_gate_options(province, name, at, base.atlas.box))
        gate = min(options, key=lambda gate: _gate_cost(gate, at, taken, found))
        found.append(gate)
    return tuple(found)


def _gate_options(province: str, name: str, at: Point, sheet: Box) -> Iterator[Gate]:
    """Yield gates along the edges of the sheet that face a place outside."""
    wide = width(name, _SIZE, "semibold") + 12.0
    room = sheet.grown(-_EDGE)
    half = wide / 2, _HEIGHT / 2
    x = min(max(at[0], room.left + half[0]), room.right - half[0])
    y = min(max(at[1], room.top + half[1]), room.bottom - half[1])
    across = -1.0 if at[0] < sheet.left else 1.0 if at[0] > sheet.right else 0.0
    down = -1.0 if at[1] < sheet.top else 1.0 if at[1] > sheet.bottom else 0.0
    if not across and not down:  # on the sheet, where too little of it is visible for a unit
        across, down = _nearest_edge(at, sheet)
    for slide in _SLIDES:
        if across:
            left = room.left if across < 0 else room.right - wide - _POINT
            yield _make_gate(province, name, (left, y + slide), (across, 0.0), wide, room)
        for row in (0, 1) if down else ():
            inset = row * (_HEIGHT + _POINT + _EDGE)
            top = room.top + inset if down < 0 else room.bottom - _HEIGHT - _POINT - inset
            yield _make_gate(province, name, (x + slide, top), (0.0, down), wide, room)


def _nearest_edge(at: Point, sheet: Box) -> Point:
    """Return the direction to the edge that is nearest to a point on the sheet."""
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
        top = min(max(corner[1] - _HEIGHT / 2, room.top), room.bottom - _HEIGHT)
        box = Box(corner[0], top, corner[0] + wide + _POINT, top + _HEIGHT)
        at = (box.right if outward[0] < 0 else box.left), box.middle[1]
    else:
        left = min(max(corner[0] - wide / 2, room.left), room.right - wide)
        box = Box(left, corner[1], left + wide, corner[1] + _HEIGHT + _POINT)
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
        x -= gate.outward[0] * _POINT / 2
        y -= gate.outward[1] * _POINT / 2
        items.append(Text(gate.name, (x, y + _SIZE * 0.34), _SIZE, "gate-name"))
    return (Layer("gates", tuple(items)),) if items else ()


def move_gates(gates: Iterable[Gate], lens: Lens) -> Iterator[Gate]:
    """Yield the gates within a window, as they stand in its frame."""
    for gate in gates:
        if lens.window.holds(gate.at):
            x, y = lens(gate.at)
            dx, dy = x - gate.at[0], y - gate.at[1]
            box = gate.box
            moved = Box(box.left + dx, box.top + dy, box.right + dx, box.bottom + dy)
            yield replace(gate, at=(x, y), box=moved)


def _tag_path(gate: Gate) -> str:
    """Return the outline of a tag: a box with a point on its outer side."""
    box, (dx, dy) = gate.box, gate.outward
    left = box.left + (_POINT if dx < 0 else 0.0)
    right = box.right - (_POINT if dx > 0 else 0.0)
    top = box.top + (_POINT if dy < 0 else 0.0)
    bottom = box.bottom - (_POINT if dy > 0 else 0.0)
    x, y = (left + right) / 2, (top + bottom) / 2
    up = [(x - 9, top), (x, box.top), (x + 9, top)] if dy < 0 else []
    down = [(x + 9, bottom), (x, box.bottom), (x - 9, bottom)] if dy > 0 else []
    east = [(box.right, y)] if dx > 0 else []
    west = [(box.left, y)] if dx < 0 else []
    corners = [(left, top), *up, (right, top), *east, (right, bottom), *down, (left, bottom), *west]
    return path_data([corners], closed=True)
