"""Draw a map without shapes from its borders alone.

Every province becomes a cell, and cells touch where their provinces border.  Borders whose cells
cannot touch are drawn as lines; rivers, straits and portages run over the cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import hypot, sqrt
from typing import TYPE_CHECKING

from alexmagnum.board.geography import BOTH, Province, River, Strait, split_location
from alexmagnum.board.geometry import Shape
from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Atlas, Feature, NamePlace, ProvinceDrawing, Ring, bounding_box
from alexmagnum.draw.bearings import find_bearings
from alexmagnum.draw.cells import FEWEST, MARGIN, Cells, cut_cells, divide_frame
from alexmagnum.draw.layout import ASPECT
from alexmagnum.draw.layout_store import find_layouts
from alexmagnum.draw.paths import mean_point
from alexmagnum.draw.planar import Edge, make_edge
from alexmagnum.draw.scene import SHEET, Point

if TYPE_CHECKING:
    import networkx as nx

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
    pieces = [cut_cells(layout, kinds) for layout in find_layouts(large, straits, bearings)]
    pieces += [divide_frame(graph) for graph in graphs[len(large) :]]
    sheet = _Sheet(pieces)
    drawn = _DrawnCells(board, sheet.outlines, sheet.sides)
    grounds = {p.id: drawn.ground(p) for p in board.provinces.values()}
    ridges = tuple(Feature("impassable", "mountain", (ridge,)) for ridge in sheet.ridges)
    crossing = [pair for piece in pieces for pair in piece.crossing]
    features = (
        *ridges,
        *(Feature("river", "", (drawn.river(river),), river.id) for river in board.rivers),
        *drawn.crossings(),
        *drawn.portages(),
        *(shore for p in board.provinces.values() for shore in drawn.shores(p)),
    )
    links = [(*drawn.shortest_way(a, b), kinds[a, b]) for a, b in crossing if (a, b) not in straits]
    return Atlas(sheet.height, grounds, features, tuple(links), flat=True)


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
    rank = {id_: i for i, id_ in enumerate(board.provinces)}
    found = sorted(
        (sorted(piece, key=rank.__getitem__) for piece in nx.connected_components(graph)),
        key=lambda piece: (-len(piece), rank[piece[0]]),
    )
    return [_part(graph, piece) for piece in found]


def _part(graph: nx.Graph[str], nodes: Sequence[str]) -> nx.Graph[str]:
    """Return some nodes of a graph, in their order, with the edges between them.

    The edges keep the order of the graph: that of a subgraph's edges changes from process to
    process, and the layout with it.
    """
    import networkx as nx

    part: nx.Graph[str] = nx.Graph()
    part.add_nodes_from(nodes)
    part.add_edges_from((a, b) for a, b in graph.edges if a in part and b in part)
    return part


# -- the sheet -------------------------------------------------------------------------------------


class _Sheet:
    """The cells of all pieces in drawing units, the pieces in rows side by side."""

    def __init__(self, pieces: Sequence[Cells]) -> None:
        sizes = [max(len(piece.outlines), 2) ** 0.5 * (1 + MARGIN) for piece in pieces]
        middles, width, height = _pack(sizes)
        count = sum(len(piece.outlines) for piece in pieces)
        scale = SHEET / width * min(1.0, (count / 30) ** 0.5)
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
    """Return a line of a frame in drawing units."""
    return tuple((z.real * by + at.real, z.imag * by + at.imag) for z in points)


def _ring(points: Iterable[complex], by: float, at: complex) -> Ring:
    """Return a closed line of a frame in drawing units."""
    line = _line(points, by, at)
    return (*line, line[0])


# -- what stands and runs on the cells -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _DrawnCells:
    """The outlines of all provinces in drawing units, and the lines along which they touch."""

    board: Board
    outlines: Mapping[str, Ring]
    sides: Mapping[tuple[str, str], Ring]

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
        """Return the provinces that fleets on a coast reach, and that touch its province."""
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
        course = (*reversed(river.course), *self._seas_at(river.mouth)[:1])
        gates = [self._gate(a, b) for a, b in pairwise(course)]
        points = [_roomiest(self.outlines[course[0]])]
        for id_, entered, left in zip(course[1:], gates, gates[1:], strict=False):
            points += _bend_aside(entered, _roomiest(self.outlines[id_]), left)
        return (*points, gates[-1])

    def _seas_at(self, province: str) -> list[str]:
        """Return the seas that a province touches."""
        return [
            other
            for id_, other in self.sides
            if id_ == province and self.board.provinces[other].is_sea
        ]

    def _gate(self, a: str, b: str) -> Point:
        """Return the middle of the line along which two provinces touch, or of the way there."""
        if (a, b) in self.sides:
            return _middle_of(self.sides[a, b])
        (x, y), (u, v) = self.shortest_way(a, b)
        return (x + u) / 2, (y + v) / 2

    def crossings(self) -> Iterator[Feature]:
        """Yield the lines over the straits."""
        for strait in self.board.straits:
            line = self._crossing(strait)
            if line is not None:
                yield Feature("crossing", strait.kind, (line,))

    def _crossing(self, strait: Strait) -> Ring | None:
        """Return the line from shore to shore over a strait."""
        a, b = strait.between
        if (a, b) in self.sides:
            return _across(self.sides[a, b])
        if (a, strait.over) in self.sides and (b, strait.over) in self.sides:
            return _nearest(self.sides[a, strait.over], self.sides[b, strait.over])
        return self.shortest_way(a, b)

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
    """Return the points of two lines that are nearest to each other."""
    return min(
        ((p, q) for p in one for q in other),
        key=lambda pair: hypot(pair[0][0] - pair[1][0], pair[0][1] - pair[1][1]),
    )


def _middle_of(line: Ring) -> Point:
    """Return the middle of a line of an odd number of points, or of one with two."""
    if len(line) == 2:
        (x, y), (u, v) = line
        return (x + u) / 2, (y + v) / 2
    return line[len(line) // 2]


def _half_towards(line: Ring, near: Sequence[Point], far: Sequence[Point]) -> Ring:
    """Return the half of a line that is nearer to some points, and farther from others."""
    middle = len(line) // 2

    def off(end: Point) -> float:
        (x, y), (u, v) = (mean_point(points) if points else end for points in (near, far))
        return hypot(end[0] - x, end[1] - y) - hypot(end[0] - u, end[1] - v)

    return line[: middle + 1] if off(line[0]) < off(line[-1]) else line[middle:]


def _across(line: Ring) -> tuple[Point, Point]:
    """Return a short line across the middle of another."""
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
    """Return the centre of gravity of an area."""
    whole = x = y = 0.0
    for (x1, y1), (x2, y2) in pairwise(ring):
        part = x1 * y2 - x2 * y1
        whole += part
        x += (x1 + x2) * part
        y += (y1 + y2) * part
    return x / (3 * whole), y / (3 * whole)
