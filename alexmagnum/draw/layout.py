"""The drawing of a map without shapes: nothing crosses, and all provinces have room."""

from __future__ import annotations

from bisect import bisect_left
from cmath import phase, rect
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise, product
from math import acos, copysign, cos, hypot, inf, pi, sin, sqrt
from typing import Any

import networkx as nx
from networkx.algorithms.planar_drawing import triangulate_embedding

from alexmagnum.board.geography import BOTH, Names, Province, River, split_location
from alexmagnum.board.map_check import Shape
from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Atlas, Feature, NamePlace, ProvinceDrawing, Ring, bounding_box
from alexmagnum.draw.scene import SHEET, Point, distance, mean_point
from alexmagnum.files import show_progress

# Find out which borders of a map fit into the plane, and how they lie about each province.


Face = tuple[str, ...]
Edge = tuple[str, str]
"""The two ends of an edge in alphabetical order."""

_MOST_CROSSING = 50  # edges left out one by one; a map with more is not read off its picture


def embed(
    graph: nx.Graph[str], spare: Container[Edge]
) -> tuple[dict[str, list[str]], Face, tuple[Edge, ...]]:
    """Embed a graph of four nodes or more; the same graph always gets the same embedding.

    The first value lists the neighbours of each node in the order in which they lie about it,
    among them those that were joined only to fill up a face with triangles.  The second is the
    outer face, with as many nodes as possible: at each of them the list begins and ends there.
    The third are the edges without which nothing crosses, those in ``spare`` the first of them.
    """
    crossing = _find_crossing(graph, spare)
    rest = graph.copy()
    rest.remove_edges_from(crossing)
    _join_outside(rest)
    embedding: Any = nx.check_planarity(rest)[1]
    filled, _ = triangulate_embedding(embedding, fully_triangulate=True)
    around = {}
    for node in graph:
        near = list(filled.neighbors_cw_order(node))
        start = near.index(_OUTSIDE) if _OUTSIDE in near else 0
        around[node] = near[start + 1 :] + near[:start] if _OUTSIDE in near else near
    outer = tuple(filled.neighbors_cw_order(_OUTSIDE))
    return around, outer if around[outer[0]][0] == outer[-1] else outer[::-1], crossing


def make_edge(a: str, b: str) -> Edge:
    """Return the edge between two nodes."""
    return (a, b) if a < b else (b, a)


def _find_crossing(graph: nx.Graph[str], spare: Container[Edge]) -> tuple[Edge, ...]:
    """Return edges without which a graph is planar; none of them can be put back.

    The edges are tried in the order of :func:`_order_edges`, as many at once as fit: planarity is
    tested a few times for each edge that is left out.  After very many, all that wait are left out.
    """
    waiting = _order_edges(graph, spare)
    kept: nx.Graph[str] = nx.create_empty_copy(graph)
    crossing: list[Edge] = []
    while waiting and len(crossing) < _MOST_CROSSING:
        fitting = _count_fitting(kept, waiting)
        kept.add_edges_from(waiting[:fitting])
        crossing += waiting[fitting : fitting + 1]
        waiting = waiting[fitting + 1 :]
    return (*crossing, *waiting)


def _order_edges(graph: nx.Graph[str], spare: Container[Edge]) -> list[Edge]:
    """Return the edges, those first that surely lie beside each other: neighbours on a map mostly
    have two neighbours in common, and these have others."""
    near: dict[str, set[str]] = {node: set(graph[node]) for node in graph}

    def doubt(edge: Edge) -> tuple[bool, int, int, Edge]:
        a, b = edge
        squares = sum(len(near[other] & near[b]) for other in near[a] if other != b)
        return edge in spare, -len(near[a] & near[b]), -squares, edge

    return sorted((make_edge(a, b) for a, b in graph.edges), key=doubt)


def _count_fitting(kept: nx.Graph[str], waiting: Sequence[Edge]) -> int:
    """Return how many edges from the first on can be added to a planar graph."""
    fitting, step = 0, 4 if kept.number_of_edges() else len(waiting)
    while fitting < len(waiting):
        count = min(fitting + step, len(waiting))
        if not _is_planar_with(kept, waiting[:count]):
            tried = range(count)
            break
        fitting, step = count, 2 * step
    else:
        return fitting
    return (
        bisect_left(
            tried, True, lo=fitting + 1, key=lambda many: not _is_planar_with(kept, waiting[:many])
        )
        - 1
    )


def _is_planar_with(kept: nx.Graph[str], more: Sequence[Edge]) -> bool:
    graph: Any = kept.copy()
    graph.add_edges_from(more)
    return bool(nx.is_planar(graph))


# -- the outer face --------------------------------------------------------------------------------

_OUTSIDE = "\0"  # a node that is no province
_MOST_TRIES = 120


def _join_outside(graph: nx.Graph[str]) -> None:
    """Add a node outside to a planar graph, and join it to as many nodes as possible.

    A planar graph may have many embeddings: the edges to the node outside choose one with much at
    its outer face, which is the face about that node.
    """
    for piece in sorted(map(sorted, nx.connected_components(graph))):
        planar = nx.check_planarity(graph.subgraph(piece))[1]
        graph.add_edges_from((_OUTSIDE, node) for node in _largest_face(planar))
    for node in _list_open_ends(graph)[:_MOST_TRIES]:
        graph.add_edge(_OUTSIDE, node)
        if not nx.is_planar(graph):
            graph.remove_edge(_OUTSIDE, node)
    embedding: Any = nx.check_planarity(graph)[1]
    for node in list(embedding[_OUTSIDE]):
        graph.add_edges_from((_OUTSIDE, x) for x in embedding.traverse_face(_OUTSIDE, node)[1:])


def _list_open_ends(graph: nx.Graph[str]) -> list[str]:
    """Return the nodes that may lie at the outer face besides those that are there."""
    far = nx.single_source_shortest_path_length(graph, _OUTSIDE)
    found = {  # ends of edges that belong to one triangle at most
        end
        for a, b in graph.edges
        if _OUTSIDE not in (a, b) and len({*graph[a]} & {*graph[b]} - {_OUTSIDE}) < 2
        for end in (a, b)
    }
    return sorted(found - {*graph[_OUTSIDE]}, key=lambda node: (far[node], node))


def _largest_face(planar: Any) -> list[str]:
    """Return the nodes of the face of an embedding with the longest way around."""
    seen: set[tuple[str, str]] = set()
    faces = [
        planar.traverse_face(a, b, mark_half_edges=seen)
        for a, b in sorted(planar.edges)
        if (a, b) not in seen
    ]
    return max(faces, key=len, default=list(planar))


# Where points come to rest that are joined by springs, some of them held fast.
#
# With the points of the outer face of a planar graph held fast on a convex frame, nothing
# crosses (W. T. Tutte, *How to draw a graph*, 1963).


def find_rest(
    around: Mapping[str, Sequence[str]], held: Mapping[str, complex]
) -> dict[str, complex]:
    """Return the places of all points; every loose one is joined to a held one by some way.

    The points are taken out one after the other, the one with the fewest springs first: springs
    between its neighbours take the place of its own (a star becomes a mesh).  Then they are put
    back in the opposite order.  On a planar graph few springs arise, so this is exact and fast.
    """
    loose = {point: near for point, near in around.items() if point not in held}
    springs = {p: {other: 1.0 for other in near if other in loose} for p, near in loose.items()}
    hold = {p: float(sum(other in held for other in near)) for p, near in loose.items()}
    pull = {p: sum((held[x] for x in near if x in held), 0j) for p, near in loose.items()}
    taken_out: list[tuple[str, dict[str, float], float]] = []
    while springs:
        point = min(springs, key=lambda p: len(springs[p]))
        own = springs.pop(point)
        whole = hold[point] + sum(own.values())
        taken_out.append((point, own, whole))
        for a, force in own.items():
            share = force / whole
            others = springs[a]
            del others[point]
            hold[a] += hold[point] * share
            pull[a] += pull[point] * share
            for b, other in own.items():
                if a != b:
                    others[b] = others.get(b, 0.0) + share * other
    at = dict(held)
    for point, own, whole in reversed(taken_out):
        at[point] = (pull[point] + sum(at[x] * force for x, force in own.items())) / whole
    return at


# Find directions in the names on a map (*North Sea*, *south coast*), to turn it upright.


Bearing = tuple[str, str, complex]
"""Two provinces, and the direction from the first to the second: east is 1, north is -i."""

_WORDS = {
    **dict.fromkeys(("north", "northern", "nord", "settentrionale"), -1j),
    **dict.fromkeys(("south", "southern", "sud", "meridionale"), 1j),
    **dict.fromkeys(("east", "eastern", "est", "orientale"), 1 + 0j),
    **dict.fromkeys(("west", "western", "ovest", "occidentale"), -1 + 0j),
}


def find_bearings(board: Board) -> Iterator[Bearing]:
    """Yield the directions that the names of provinces and coasts imply."""
    ways = {p.id: way for p in board.provinces.values() if (way := _direction(p.names))}
    for a, b in combinations(ways, 2):
        yield a, b, ways[b] - ways[a]
    for border in board.borders:
        for here, there in ((border.a, border.b), (border.b, border.a)):
            province, coast, _ = split_location(here)
            if coast:
                yield province, split_location(there)[0], _direction(board.coasts[coast].names)


def _direction(names: Names) -> complex:
    words = {word for name in names.values() for word in name.casefold().split()}
    return sum({_WORDS[word] for word in words & _WORDS.keys()}, 0j)


# Lay out the provinces: a mesh of triangles whose points move to give every one of them room.
#
# The points of the outer face stand on a rounded frame, and springs bring the others to places
# where nothing crosses. Then each point moves if the triangles about it become better formed and
# more equal in size, and never so far that one of them turns over: so nothing crosses that did
# not cross before. An edge that joins no neighbours, but only fills up a face, gives way to the
# other diagonal where that is better.


ASPECT = 1.5
"""The width of the frame divided by its height."""

_ROUNDNESS = 0.7  # of the frame; 1: an ellipse, 0: a rectangle
_SWEEPS = 60
_LETTERS = 0.8  # names are wider than high, and so is a triangle that is well formed

_TRIES = tuple(complex(x, y) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)))
_EVEN = 4 * sqrt(3)
_SIZE = 0.7  # how much the size of a triangle counts beside its form


def lay_out(
    graphs: Sequence[nx.Graph[str]], spare: Container[Edge], bearings: Sequence[Bearing]
) -> list[Layout]:
    """Lay out graphs of four nodes or more; the same graph always gets the same layout.

    If edges cross, those in ``spare`` are the first to be left out.  A layout is rotated and
    mirrored to fit the ``bearings`` best; those of other points do not count.
    """
    layouts = [Layout(graph, spare, bearings) for graph in graphs]
    for sweep in range(_SWEEPS if layouts else 0):
        for layout in layouts:
            layout.improve()
        show_progress((sweep + 1) / _SWEEPS)
    return layouts


class Layout:
    """A connected piece of a map in the plane.

    Attributes:
        at: the points as complex numbers, in a frame of 2 * ASPECT by 2 about 0.
        around: the neighbours of each point in order, as in :func:`embed`.
        outer: the outer face.
        crossing: the edges that are left out.
    """

    def __init__(
        self, graph: nx.Graph[str], spare: Container[Edge], bearings: Sequence[Bearing]
    ) -> None:
        around, self.outer, self.crossing = embed(graph, spare)
        self._borders = {make_edge(a, b) for a, b in graph.edges}
        at = find_rest(around, self._hold(0.0))
        ways = [(at[b] - at[a], way) for a, b, way in bearings if a in at and b in at]
        upright = sum((way * z.conjugate() for z, way in ways), 0j)
        turned_over = sum((way * z for z, way in ways), 0j)
        over = abs(turned_over) > abs(upright)
        at = find_rest(
            around, self._hold(phase(turned_over if over else upright), -1 if over else 1)
        )
        self.at = {node: at[node] for node in sorted(at)}
        self.around = {node: around[node] for node in self.at}
        areas = [
            _twice_area(*(self._seen(at[x]) for x in (node, *side)))
            for node in self.at
            for side in self._sides(node)
        ]
        self._sense = 1.0 if sum(areas) > 0 else -1.0
        self._usual = abs(sum(areas)) / len(areas)
        self._steps = dict.fromkeys(self.at, 0.5 * sqrt(self._usual))

    def _hold(self, turn: float, sense: int = 1) -> dict[str, complex]:
        """Return the places of the outer face on the frame, from an angle on."""
        step = sense * 2 * pi / len(self.outer)
        return {node: _frame_point(i * step + turn) for i, node in enumerate(self.outer)}

    def _sides(self, node: str) -> Iterator[tuple[str, str]]:
        """Yield the sides of the triangles about a point that lie opposite to it."""
        near = self.around[node]
        return pairwise(near if node in self.outer else (*near, near[0]))

    def improve(self) -> None:
        """Move every point once, if that is better, and turn edges that only fill up faces."""
        for node in self.at:
            self._move(node)
        for node in self.at:
            for other in tuple(self.around[node]):
                if node < other and make_edge(node, other) not in self._borders:
                    self._flip(node, other)

    # -- moving points ---------------------------------------------------------------------------

    def _move(self, node: str) -> None:
        """Move a point to the best of some places around it, if one is better than its own."""
        sides = [(self._seen(self.at[a]), self._seen(self.at[b])) for a, b in self._sides(node)]
        here = best = self.at[node]
        own = least = self._cost_of_star(self._seen(here), sides, inf)
        step = self._steps[node]
        for way in _TRIES:
            place = here + way * step
            if node in self.outer:  # points of the outer face stay on the frame
                place = _on_frame(place)
            if (cost := self._cost_of_star(self._seen(place), sides, least)) < least:
                least, best = cost, place
        self._steps[node] = step * (1.2 if least < own else 0.6)
        self.at[node] = best

    def _cost_of_star(
        self, middle: complex, sides: Sequence[tuple[complex, complex]], limit: float
    ) -> float:
        """Return the cost of the triangles about a point; counting stops at the limit."""
        cost = 0.0
        for a, b in sides:
            cost += self._cost(middle, a, b)
            if cost >= limit:
                return inf
        return cost

    def _cost(self, a: complex, b: complex, c: complex) -> float:
        """Return how ill formed a triangle is, and how far from the usual size."""
        if (area := _twice_area(a, b, c) * self._sense) <= 0.0:
            return inf
        u, v, w = b - a, c - a, c - b
        edges = (
            u.real * u.real + u.imag * u.imag + v.real * v.real + v.imag * v.imag
            + w.real * w.real + w.imag * w.imag
        )  # fmt: skip
        size = area / self._usual
        return edges / area / _EVEN * 2 + _SIZE * (size + 1 / size)

    @staticmethod
    def _seen(place: complex) -> complex:
        """Return a place in the measure in which well formed triangles have equal sides."""
        return complex(place.real * _LETTERS, place.imag)

    # -- turning edges ---------------------------------------------------------------------------

    def _flip(self, a: str, b: str) -> None:
        """Turn the edge between two points into the other diagonal, if that is better."""
        near = self.around[a]
        i = near.index(b)
        if a in self.outer and i in (0, len(near) - 1):
            return
        c, d = near[(i + 1) % len(near)], near[i - 1]
        spare = min(len(self.around[x]) - (2 if x in self.outer else 3) for x in (a, b))
        if d in self.around[c] or spare < 1:
            return
        p, q, r, s = (self._seen(self.at[x]) for x in (a, b, c, d))
        if self._cost(r, s, q) + self._cost(s, r, p) < self._cost(p, q, r) + self._cost(q, p, s):
            self.around[a].remove(b)
            self.around[b].remove(a)
            self._insert(c, d, a, b)
            self._insert(d, c, a, b)

    def _insert(self, node: str, new: str, a: str, b: str) -> None:
        """Put a new neighbour between two that follow each other about a point."""
        near = self.around[node]
        i, k = sorted((near.index(a), near.index(b)))
        near.insert(k if k == i + 1 else len(near), new)


def _twice_area(a: complex, b: complex, c: complex) -> float:
    """Return twice the area of a triangle, negative if it turns the other way round."""
    u, v = b - a, c - a
    return u.real * v.imag - u.imag * v.real


def _frame_point(angle: float) -> complex:
    return complex(ASPECT * _power(cos(angle), _ROUNDNESS), _power(sin(angle), _ROUNDNESS))


def _on_frame(place: complex) -> complex:
    """Return the place on the frame that is nearest to another."""
    x, y = place.real / ASPECT, place.imag
    return _frame_point(phase(complex(_power(x, 1 / _ROUNDNESS), _power(y, 1 / _ROUNDNESS))))


def _power(x: float, exponent: float) -> float:
    """Return a power of a coordinate, with its sign."""
    return copysign(abs(x) ** exponent, x)


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
    """Return the cells of a connected piece of three provinces or fewer: sectors about the middle
    if all three touch each other, else side by side."""
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
    graphs = _pieces(board, kinds)
    large = [graph for graph in graphs if len(graph) >= FEWEST]
    layouts = lay_out(large, straits, tuple(find_bearings(board)))
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
    """Return the middles of frames, 2 * ASPECT by 2 of their size in rows from left to right, about
    the middle of all; and the width and height of all."""
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
        coasts = {coast: at for coast, _, at in self._coasts(province)}
        return ProvinceDrawing(province.id, (ring,), bounding_box(ring), slots, name, sign, coasts)

    # -- coasts

    def _coasts(self, province: Province) -> Iterator[tuple[str, tuple[Ring, ...], Point]]:
        """Yield each separate coast, its shore, and the place of fleets near it; the side beside a
        sea that two coasts reach is divided between them."""
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
        """Return the sides of one coast alone, and its halves of those it shares: ``here`` are the
        provinces that it reaches, ``others`` those that other coasts reach."""
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
    """Return an area's centre of gravity, or a point with clearly more room, above all sideways."""
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
