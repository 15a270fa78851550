"""The drawing of a map: from its file of shapes, or without one from its borders alone.

``docs/maps.md`` describes the file; it is projected (Mercator) to drawing units.
"""

from __future__ import annotations

from cmath import rect
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise, product
from math import acos, degrees, hypot, isfinite, log, pi, radians, sqrt, tan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alexmagnum.board.geography import BOTH, Province, River, split_location
from alexmagnum.board.map_check import Shape, read_shapes
from alexmagnum.board.map_file import read_json
from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import (
    Atlas,
    Feature,
    NamePlace,
    PlacedNames,
    ProvinceDrawing,
    Ring,
    bounding_box,
)
from alexmagnum.draw.layout import ASPECT, Edge, Layout, find_bearings, lay_out, make_edge
from alexmagnum.draw.scene import SHEET, Point, distance, mean_point
from alexmagnum.errors import BadMap, Fault

if TYPE_CHECKING:
    import networkx as nx


# The outlines of the provinces of a map without shapes, and of what lies between them.
#
# Every province becomes a cell around its point in a planar layout, and cells touch where their
# provinces border. A ridge separates cells that touch without a border. Each connected piece of a
# map has a frame of its own: 2 * ASPECT by 2 about 0, and a margin around it.


MARGIN = 0.14
"""The room that the outer cells have beyond their points, as a part of the frame."""

FEWEST = 4
"""The fewest provinces that are laid out; fewer divide their frame among themselves."""

_RIDGE = 0.2  # half the width of a ridge, as a part of the way between the two points
_STEPS = 8  # straight pieces in the curve of a border
_ARC = 24  # straight pieces in half the outline of a piece of few provinces

Line = tuple[complex, ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a connected piece of a map, in its own frame.

    Attributes:
        outlines: the closed outline of each province.
        sides: by province and neighbour, the line along which the first touches the second.
        ridges: the outlines of the ridges.
    """

    outlines: Mapping[str, Line]
    sides: Mapping[tuple[str, str], Line]
    ridges: Sequence[Line] = ()


def cut_cells(plan: Layout, borders: Container[Edge]) -> Cells:
    """Return the cells of a layout."""
    curves: dict[tuple[str, str], Line] = {}
    ridges = []
    for id_ in plan.at:
        for other, first, last in _sides(id_, plan):
            apart = make_edge(id_, other) not in borders
            bend = _between(id_, other, plan, 0.5 - _RIDGE if apart else 0.5)
            curves[id_, other] = tuple(_curve(first, bend, last))
            if apart and id_ < other:
                far = _between(id_, other, plan, 0.5 + _RIDGE)
                ridges.append((*curves[id_, other], *_curve(last, far, first)))
    outlines = {}
    for id_, near in plan.around.items():
        outline = [point for other in near for point in curves[id_, other]]
        if id_ in plan.outer:
            after, before = (_edge_point(_between(id_, x, plan)) for x in (near[-1], near[0]))
            outline += _curve(after, _edge_point(plan.at[id_]), before)
        outlines[id_] = tuple(outline)
    sides = {pair: curve for pair, curve in curves.items() if make_edge(*pair) in borders}
    return Cells(outlines, sides, ridges)


def _sides(id_: str, plan: Layout) -> Iterator[tuple[str, complex, complex]]:
    """Yield the neighbours of a province in order, each with the corners before and after it."""
    near = plan.around[id_]
    for before, other, after in zip(
        (near[-1], *near[:-1]), near, (*near[1:], near[0]), strict=True
    ):
        rim = _edge_point(_between(id_, other, plan))
        first = rim if id_ in plan.outer and other == near[0] else _corner(id_, before, other, plan)
        last = rim if id_ in plan.outer and other == near[-1] else _corner(id_, other, after, plan)
        yield other, first, last


def _corner(a: str, b: str, c: str, plan: Layout) -> complex:
    return sum(plan.at[node] for node in sorted((a, b, c))) / 3


def _between(a: str, b: str, plan: Layout, part: float = 0.5) -> complex:
    """Return a point on the way between the points of two provinces."""
    return plan.at[a] * (1 - part) + plan.at[b] * part


def _edge_point(point: complex) -> complex:
    """Return the point on the edge of the piece that lies beyond another."""
    return point * (1 + MARGIN)


def _curve(first: complex, bend: complex, last: complex) -> Iterator[complex]:
    """Yield the points of a curve that leaves towards ``bend`` and arrives from there."""
    for i in range(_STEPS + 1):
        t = i / _STEPS
        yield first * (1 - t) ** 2 + bend * 2 * t * (1 - t) + last * t**2


# -- pieces of few provinces -----------------------------------------------------------------------


def divide_frame(graph: nx.Graph[str]) -> Cells:
    """Return the cells of a connected piece of three provinces or fewer.

    Three that all touch each other are sectors about the middle; others stand side by side.
    """
    row = sorted(graph, key=lambda node: (len(graph[node]) == 2, node))
    if graph.number_of_edges() == 3:
        return _sectors(row)
    if len(row) == 3:
        row = [row[0], row[2], row[1]]  # the one that touches both stands between them
    return _strips(row)


def _strips(row: Sequence[str]) -> Cells:
    """Return provinces that stand side by side, from left to right."""
    cuts = [-1 + 2 * i / len(row) for i in range(len(row) + 1)]
    outlines, sides = {}, {}
    for id_, left, right in zip(row, cuts, cuts[1:], strict=False):
        first, last = acos(left), acos(right)
        outlines[id_] = (*_arc(-first, -last), *_arc(last, first))
    for (a, b), cut in zip(pairwise(row), cuts[1:], strict=False):
        line = (_oval(-acos(cut)), _oval(acos(cut)))
        sides[a, b], sides[b, a] = line, line
    return Cells(outlines, sides)


def _sectors(row: Sequence[str]) -> Cells:
    turns = [-pi / 2 + 2 * pi * i / len(row) for i in range(len(row) + 1)]
    outlines, sides = {}, {}
    for i, id_ in enumerate(row):
        outlines[id_] = (0j, *_arc(turns[i], turns[i + 1]))
        line = (0j, _oval(turns[i]))
        sides[id_, row[i - 1]], sides[row[i - 1], id_] = line, line
    return Cells(outlines, sides)


def _arc(first: float, last: float) -> Iterator[complex]:
    """Yield points of the edge of a piece from one angle to another."""
    for i in range(_ARC + 1):
        yield _oval(first + (last - first) * i / _ARC)


def _oval(angle: float) -> complex:
    """Return the point of the edge of a piece at an angle."""
    way = rect(1 + MARGIN, angle)
    return complex(way.real * ASPECT, way.imag)


# Draw a map without shapes from its borders alone.
#
# Every province becomes a cell, and cells touch where their provinces border. Borders whose cells
# cannot touch are drawn as lines; rivers, straits and portages run over the cells.


PORTAGE = "portage"

_SEAT = 36.0  # from one unit of a sea to the next, in drawing units
_UNIT_ROOM = 17.0  # half the room that a unit needs, in drawing units
_GAP = 0.1  # between two pieces of a map, as a part of a frame
_ASIDE = 56.0  # how far a river is bent aside, so that it passes beside the units


@lru_cache(maxsize=8)
def schematic_atlas(board: Board) -> Atlas:
    """Return the drawing of a board; the same board always looks the same."""
    kinds = _kinds(board)
    straits = [make_edge(*strait.between) for strait in board.straits]
    bearings = tuple(find_bearings(board))
    graphs = _pieces(board, kinds)
    large = [graph for graph in graphs if len(graph) >= FEWEST]
    layouts = lay_out(large, straits, bearings)
    pieces = [cut_cells(layout, kinds) for layout in layouts]
    drawn = _DrawnCells(board, [*pieces, *map(divide_frame, graphs[len(large) :])])
    grounds = {p.id: drawn.ground(p) for p in board.provinces.values()}
    features = (
        *(Feature("impassable", "mountain", (ridge,)) for ridge in drawn.ridges),
        *(Feature("river", "", (drawn.river(river),), river.id) for river in board.rivers),
        *drawn.crossings(),
        *drawn.portages(),
        *(shore for p in board.provinces.values() for shore in drawn.shores(p)),
    )
    crossing = [pair for layout in layouts for pair in layout.crossing if pair not in straits]
    links = tuple((*drawn.shortest_way(a, b), kinds[a, b]) for a, b in crossing)
    return Atlas(drawn.height, grounds, features, links, flat=True)


def _kinds(board: Board) -> Mapping[Edge, str]:
    """Return what crosses between two provinces: armies, fleets, both, or a portage."""
    found: dict[Edge, str] = {}
    for border in board.borders:
        pair = make_edge(board.province_of(border.a).id, board.province_of(border.b).id)
        found[pair] = border.kind if found.get(pair, border.kind) == border.kind else BOTH
    for portage in board.portages:
        for sea in (sea for end in portage.ends for sea in end):
            found.setdefault(make_edge(portage.over, sea), PORTAGE)
    return found


def _pieces(board: Board, kinds: Iterable[Edge]) -> list[nx.Graph[str]]:
    """Return the provinces and borders of each connected piece of a board, the largest first."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(board.provinces)
    graph.add_edges_from(kinds)
    found = []
    for piece in nx.connected_components(graph):
        part: nx.Graph[str] = nx.Graph()
        part.add_nodes_from(id_ for id_ in board.provinces if id_ in piece)
        # In the order of the graph: that of a subgraph's edges changes from process to process.
        part.add_edges_from((a, b) for a, b in graph.edges if a in piece)
        found.append(part)
    return sorted(found, key=len, reverse=True)


# -- the sheet -------------------------------------------------------------------------------------


def _pack(sizes: Sequence[float]) -> tuple[list[complex], float, float]:
    """Return the middles of frames about the middle of all, and the width and height of all.

    Each frame is 2 * ASPECT by 2 of its size; they fill rows from left to right.
    """
    room = (sum(4 * ASPECT * size * size for size in sizes) * ASPECT) ** 0.5
    room = max(room, 2 * ASPECT * sizes[0])
    gap = _GAP * sizes[0]
    rows: list[list[float]] = []
    left = 0.0
    for size in sizes:
        if not rows or left + 2 * ASPECT * size > room * 1.2:
            rows.append([])
            left = 0.0
        rows[-1].append(size)
        left += 2 * ASPECT * size + gap
    widths = [sum(2 * ASPECT * size + gap for size in row) - gap for row in rows]
    height = sum(2 * row[0] + gap for row in rows) - gap
    middles, top = [], -height / 2
    for row, width in zip(rows, widths, strict=True):
        x = -width / 2
        for size in row:
            middles.append(complex(x + ASPECT * size, top + row[0]))
            x += 2 * ASPECT * size + gap
        top += 2 * row[0] + gap
    return middles, max(widths), height


def _line(points: Iterable[complex], by: float, at: complex) -> Ring:
    return tuple((z.real * by + at.real, z.imag * by + at.imag) for z in points)


def _ring(points: Iterable[complex], by: float, at: complex) -> Ring:
    """Return a closed line of a frame in drawing units."""
    line = _line(points, by, at)
    return (*line, line[0])


# -- what stands and runs on the cells -------------------------------------------------------------


class _DrawnCells:
    """The cells of all pieces in drawing units, the pieces in rows side by side."""

    def __init__(self, board: Board, pieces: Sequence[Cells]) -> None:
        self.board = board
        sizes = [max(len(piece.outlines), 2) ** 0.5 * (1 + MARGIN) for piece in pieces]
        middles, width, height = _pack(sizes)
        scale = SHEET / width * min(1.0, (len(board.provinces) / 30) ** 0.5)
        self.height = height * scale
        self.outlines: dict[str, Ring] = {}
        self.sides: dict[tuple[str, str], Ring] = {}
        self.ridges: list[Ring] = []
        for piece, size, middle in zip(pieces, sizes, middles, strict=True):
            by = scale * size / (1 + MARGIN)
            at = complex(SHEET / 2, self.height / 2) + middle * scale
            for id_, outline in piece.outlines.items():
                self.outlines[id_] = _ring(outline, by, at)
            for pair, side in piece.sides.items():
                self.sides[pair] = _line(side, by, at)
            self.ridges += [_ring(ridge, by, at) for ridge in piece.ridges]

    def ground(self, province: Province) -> ProvinceDrawing:
        """Return a province with its name above the units and a centre's sign before them."""
        ring = self.outlines[province.id]
        x, y = _roomiest(ring)
        row = y + 12 if _room((x, y + 12), ring) > _UNIT_ROOM else y
        first = x - (province.capacity - 1) * _SEAT / 2
        slots = tuple((first + i * _SEAT, row) for i in range(province.capacity))
        signs = ((first - 30, row), (slots[-1][0] + 30, row), (x, row + 30), (x, y - 40))
        city = next((sign for sign in signs if _sign_fits(sign, ring)), signs[0])
        name = NamePlace((x, y - 20), (), 20.0)
        sign = city if province.centre else None
        box = bounding_box(ring)
        coasts = {coast: at for coast, _, at in self._coasts(province)}
        return ProvinceDrawing(province.id, (ring,), box, slots, name, sign, coasts)

    # -- coasts

    def _coasts(self, province: Province) -> Iterator[tuple[str, tuple[Ring, ...], Point]]:
        """Yield each separate coast, its shore, and the place of fleets near it.

        The side beside a sea that two coasts reach is divided between them.
        """
        x, y = _roomiest(self.outlines[province.id])
        touched = {coast: self._touched_from(province.id, coast) for coast in province.coasts}
        for coast, here in touched.items():
            others = {id_ for other in touched if other != coast for id_ in touched[other]}
            own, halves = self._shore(province.id, here, others)
            if own or halves:
                u, v = mean_point([_middle_of(line) for line in own or halves])
                yield coast, (*own, *halves), (x + (u - x) * 0.6, y + (v - y) * 0.6)

    def _shore(
        self, province: str, here: Sequence[str], others: set[str]
    ) -> tuple[list[Ring], list[Ring]]:
        """Return the sides of one coast alone, and its halves of those that it shares.

        ``here`` are the provinces that this coast reaches, ``others`` those that others reach.
        """
        sides = {id_: self.sides[province, id_] for id_ in {*here, *others}}
        near = [_middle_of(sides[id_]) for id_ in here if id_ not in others]
        far = [_middle_of(sides[id_]) for id_ in others.difference(here)]
        seas = [id_ for id_ in here if self.board.provinces[id_].is_sea] or here
        own = [sides[id_] for id_ in seas if id_ not in others]
        return own, [_half_towards(sides[id_], near, far) for id_ in seas if id_ in others]

    def _touched_from(self, province: str, coast: str) -> list[str]:
        reached = [
            split_location(there)[0]
            for border in self.board.borders
            for here, there in ((border.a, border.b), (border.b, border.a))
            if here == f"{province}/{coast}"
        ]
        return [other for other in reached if (province, other) in self.sides]

    def shores(self, province: Province) -> Iterator[Feature]:
        """Yield the shore of each separate coast, named by its code."""
        for coast, shore, _ in self._coasts(province):
            yield Feature("shore", province.id, shore, coast)

    # -- rivers, straits, portages

    def river(self, river: River) -> Ring:
        """Return the course of a river from its source to its mouth in a sea."""
        seas = [b for a, b in self.sides if a == river.mouth and self.board.provinces[b].is_sea]
        course = (*reversed(river.course), *seas[:1])
        gates = [self._gate(a, b) for a, b in pairwise(course)]
        points = [_roomiest(self.outlines[course[0]])]
        for id_, entered, left in zip(course[1:], gates, gates[1:], strict=False):
            points += _bend_aside(entered, _roomiest(self.outlines[id_]), left)
        return (*points, gates[-1])

    def _gate(self, a: str, b: str) -> Point:
        """Return the middle of the line along which two provinces touch, or of the way there."""
        if (a, b) in self.sides:
            return _middle_of(self.sides[a, b])
        (x, y), (u, v) = self.shortest_way(a, b)
        return (x + u) / 2, (y + v) / 2

    def crossings(self) -> Iterator[Feature]:
        """Yield the lines over the straits."""
        for strait in self.board.straits:
            a, b = strait.between
            if (a, b) in self.sides:
                line = _across(self.sides[a, b])
            elif (a, strait.over) in self.sides and (b, strait.over) in self.sides:
                line = _nearest(self.sides[a, strait.over], self.sides[b, strait.over])
            else:
                line = self.shortest_way(a, b)
            yield Feature("crossing", strait.kind, (line,))

    def portages(self) -> Iterator[Feature]:
        """Yield the lines on which fleets are hauled, from sea to sea over land."""
        for portage in self.board.portages:
            ends = [
                next((sea for sea in end if (portage.over, sea) in self.sides), None)
                for end in portage.ends
            ]
            if None not in ends:
                first, last = (_middle_of(self.sides[portage.over, sea]) for sea in ends if sea)
                middle = _roomiest(self.outlines[portage.over])
                yield Feature("portage", "", ((*_bend_aside(first, middle, last), last),))

    def shortest_way(self, a: str, b: str) -> tuple[Point, Point]:
        """Return the two points where the outlines of two provinces are nearest to each other."""
        return _nearest(self.outlines[a], self.outlines[b])


def _nearest(one: Ring, other: Ring) -> tuple[Point, Point]:
    return min(product(one, other), key=lambda pair: distance(*pair))


def _middle_of(line: Ring) -> Point:
    """Return the middle of a line of an odd number of points, or of one with two."""
    if len(line) == 2:
        (x, y), (u, v) = line
        return (x + u) / 2, (y + v) / 2
    return line[len(line) // 2]


def _half_towards(line: Ring, near: Sequence[Point], far: Sequence[Point]) -> Ring:
    middle = len(line) // 2

    def off(end: Point) -> float:
        ours, theirs = (mean_point(points) if points else end for points in (near, far))
        return distance(end, ours) - distance(end, theirs)

    return line[: middle + 1] if off(line[0]) < off(line[-1]) else line[middle:]


def _across(line: Ring) -> tuple[Point, Point]:
    x, y = _middle_of(line)
    dx, dy = line[-1][0] - line[0][0], line[-1][1] - line[0][1]
    long = hypot(dx, dy) or 1.0
    return (x - dy / long * 16, y + dx / long * 16), (x + dy / long * 16, y - dx / long * 16)


def _bend_aside(first: Point, middle: Point, last: Point) -> list[Point]:
    """Return a curve between two points that passes beside a third, without its last point."""
    dx, dy = last[0] - first[0], last[1] - first[1]
    long = hypot(dx, dy) or 1.0
    nx_, ny = -dy / long, dx / long
    if (nx_, ny) < (0.0, 0.0) if abs(nx_) > abs(ny) else ny < 0:
        nx_, ny = -nx_, -ny  # to the right of the units or below them, away from name and centre
    u, v = middle[0] + nx_ * _ASIDE, middle[1] + 12 + ny * _ASIDE
    found = []
    for i in range(8):
        t = i / 8
        found.append(
            (
                first[0] * (1 - t) ** 2 + u * 2 * t * (1 - t) + last[0] * t * t,
                first[1] * (1 - t) ** 2 + v * 2 * t * (1 - t) + last[1] * t * t,
            )
        )
    return found


def _sign_fits(sign: Point, ring: Ring) -> bool:
    """Return whether a centre's sign at a point lies inside an outline."""
    cell = Shape("", "province", (ring,))
    x, y = sign
    return all(cell.holds((x + dx, y + dy)) for dx, dy in ((9, 9), (9, -9), (-9, 9), (-9, -9)))


@lru_cache(maxsize=1024)
def _roomiest(ring: Ring) -> Point:
    """Return the point of an area with the most room about it, more to the sides than above.

    It is the centre of gravity, unless another point has clearly more room.
    """
    cell = Shape("", "province", (ring,))
    box = bounding_box(ring)
    middle = _centre_of_gravity(ring)
    best, most = middle, _room(middle, ring) * 1.15 if cell.holds(middle) else -1.0
    for i in range(1, 10):
        for k in range(1, 10):
            at = box.left + box.width * i / 10, box.top + box.height * k / 10
            if _room(at, ring) > most and cell.holds(at):
                best, most = at, _room(at, ring)
    return best


def _room(at: Point, ring: Ring) -> float:
    """Return how far the outline is from a point; distances to the sides count less."""
    x, y = at
    return sqrt(min((a - x) * (a - x) / 2.5 + (b - y) * (b - y) for a, b in ring))


def _centre_of_gravity(ring: Ring) -> Point:
    whole = x = y = 0.0
    for (x1, y1), (x2, y2) in pairwise(ring):
        part = x1 * y2 - x2 * y1
        whole += part
        x += (x1 + x2) * part
        y += (y1 + y2) * part
    return x / (3 * whole), y / (3 * whole)


LARGEST = 200.0
"""The largest size of a name's letters, in drawing units."""

COURSES = ("river", "arm", "channel", "crossing", "portage")
"""The kinds of features that lead from one point to another."""


def load_atlas(board: Board) -> Atlas:
    """Return the drawing of a board; a file of shapes is read once in a process.

    Raises:
        BadFile: the file of shapes cannot be read.
        BadMap: the file holds no shapes that can be drawn, or a province has none
            (``map check`` says more).
    """
    if board.geometry and Path(board.geometry).is_file():
        atlas = _read_file(board.geometry)
        missing = [id_ for id_ in board.provinces if id_ not in atlas.grounds]
        if missing:
            faults = tuple(
                Fault(f"provinces.{id_}", "shape-missing", {"province": id_}) for id_ in missing
            )
            raise BadMap("bad-shapes", board.geometry, faults)
        return atlas
    return schematic_atlas(board)


@cache
def _read_file(path: str) -> Atlas:
    raw = read_json(Path(path))
    _, faults = read_shapes(raw)
    if faults:
        raise BadMap("bad-shapes", path, faults)
    assert isinstance(raw, dict), "GeoJSON, or there are faults"
    return read_atlas(raw, path)


def read_atlas(raw: Mapping[str, Any], path: str = "") -> Atlas:
    """Return the atlas of a GeoJSON value in which ``read_shapes`` found no faults.

    Raises:
        BadMap: a value used for drawing alone is not a point, line or number as it should be.
    """
    with _drawing_fault(path, "shapes.bbox"):
        project = Projection.of(raw)
    grounds: dict[str, ProvinceDrawing] = {}
    features: list[Feature] = []
    for i, item in enumerate(raw["features"]):
        with _drawing_fault(path, f"shapes[{i}]"):
            properties = item["properties"]
            lines = tuple(project.ring(line) for line in _lines(item["geometry"]))
            if properties["kind"] == "province":
                grounds[item["id"]] = _ground(item["id"], properties, lines, project)
            else:
                features.append(_feature(properties, lines, project))
                if features[-1].kind in COURSES and min(map(len, lines)) < 2:
                    raise ValueError(item)
    with _drawing_fault(path, "names"):
        placed = {str(lang): _placed_names(kept) for lang, kept in raw.get("names", {}).items()}
        if any(kept.names.keys() != grounds.keys() for kept in placed.values()):
            raise ValueError(placed)
    return Atlas(project.height, grounds, tuple(features), flat=project.flat, placed=placed)


def _placed_names(kept: Mapping[str, Any]) -> PlacedNames:
    """Return the names of a language, as ``tools/place_names.py`` writes them."""
    names = {
        id_: (NamePlace((float(x), float(y)), tuple(map(str, lines)), size, angle), bend)
        for id_, ((x, y), lines, size, angle, bend) in kept["names"].items()
    }
    if not all(0 < at.size <= LARGEST and isfinite(at.angle + bend) for at, bend in names.values()):
        raise ValueError(names)
    fleets = {id_: tuple((float(x), float(y)) for x, y in at) for id_, at in kept["fleets"].items()}
    return PlacedNames(kept["digest"], names, fleets)


@contextmanager
def _drawing_fault(path: str, where: str) -> Iterator[None]:
    """Turn any error while reading a value into a fault of the file at that place."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        raise BadMap("bad-shapes", path, (Fault(where, "bad-drawing"),)) from None


def _feature(
    properties: Mapping[str, Any], lines: tuple[Ring, ...], project: Projection
) -> Feature:
    look = str(properties.get("texture") or properties.get("symbol") or "")
    if properties["kind"] == "impassable" and properties.get("terrain") == "sea":
        look = "sea"
    kind = str(properties["kind"]) if properties.get("main", True) else "arm"
    name = properties.get("name", "")
    names = {str(lang): str(text) for lang, text in name.items()} if isinstance(name, dict) else {}
    first = next(iter(names.values()), "") if names else str(name)
    label = _name_place(properties, (first,), project) if first else None
    return Feature(kind, look, lines, first, names, label)


def _ground(
    id_: str, properties: Mapping[str, Any], rings: tuple[Ring, ...], project: Projection
) -> ProvinceDrawing:
    city = properties.get("city")
    lines = tuple(map(str, properties.get("label_lines") or [properties.get("name", id_)]))
    name = _name_place(properties, lines, project)
    slots = tuple(project(slot) for slot in properties.get("units", ()))
    box = bounding_box(point for ring in rings for point in ring)
    coasts = {code: project(at) for code, at in properties.get("coasts", {}).items()}
    return ProvinceDrawing(
        id_, rings, box, slots or (box.middle,), name, project(city) if city else None, coasts
    )


def _name_place(
    properties: Mapping[str, Any], lines: tuple[str, ...], project: Projection
) -> NamePlace | None:
    """Return the place that the file gives to a name, None if it gives none.

    Raises:
        ValueError: the size or the angle of its letters is none.
    """
    label = properties.get("label")
    if not label:
        return None
    angle, size = float(properties.get("label_angle", 0.0)), properties.get("label_size", 17)
    if not (isfinite(angle) and 0 < size <= LARGEST):
        raise ValueError(properties)
    return NamePlace(project(label), lines, float(size), angle)


def _lines(geometry: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the rings, courses or points of a geometry as lists of points."""
    coordinates = geometry["coordinates"]
    match geometry["type"]:
        case "Polygon" | "MultiLineString":
            yield from coordinates
        case "MultiPolygon":
            yield from (ring for piece in coordinates for ring in piece)
        case "Point":
            yield [coordinates]
        case "MultiPoint":
            yield from ([point] for point in coordinates)
        case _:
            yield coordinates


@dataclass(frozen=True, slots=True)
class Projection:
    """The way from a file's coordinates to drawing units: Mercator for degrees.

    ``scale`` is the drawing units of a degree of longitude.  A file whose numbers cannot be
    degrees counts as flat; its second coordinate points up.
    """

    west: float
    north: float
    south: float
    scale: float
    flat: bool = False

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Projection:
        """Return the projection that fits the file's ``bbox``, or else its provinces, into the
        sheet's width.

        Raises:
            ValueError: the ``bbox`` is empty or upside down.
        """
        west, south, east, north = raw.get("bbox") or _bounds(raw)
        flat = not (-180 <= west < east <= 180 and -80 <= south < north <= 80)
        if not (west < east and south < north):
            raise ValueError(raw)
        return cls(west, north, south, SHEET / (east - west), flat)

    @property
    def height(self) -> float:
        """The height of the map in drawing units."""
        return (self._northing(self.north) - self._northing(self.south)) * self.scale

    def __call__(self, point: Any) -> Point:
        """Return a point of the file in drawing units."""
        x, y = point[0], point[1]
        return (x - self.west) * self.scale, (
            self._northing(self.north) - self._northing(y)
        ) * self.scale

    def ring(self, points: Iterable[Any]) -> Ring:
        """Return the points of a line of the file in drawing units."""
        return tuple(self(point) for point in points)

    def _northing(self, y: float) -> float:
        """Return how far north a latitude lies, in degrees of longitude at the equator."""
        if self.flat:
            return y
        return degrees(log(tan(radians(45 + y / 2))))


def _bounds(raw: Mapping[str, Any]) -> tuple[float, float, float, float]:
    """Return the west, south, east and north edge of a file's features."""
    points = [
        point for item in raw["features"] for line in _lines(item["geometry"]) for point in line
    ]
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    return min(xs), min(ys), max(xs), max(ys)
