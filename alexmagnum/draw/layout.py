"""Lay out the provinces of a map without shapes: nothing crosses, and all have room."""

from __future__ import annotations

from bisect import bisect_left
from cmath import phase
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import copysign, cos, inf, pi, sin, sqrt
from typing import TYPE_CHECKING, Any

from alexmagnum.board.geography import Names, split_location
from alexmagnum.board.model import Board
from alexmagnum.files import show_progress

if TYPE_CHECKING:
    import networkx as nx


# Find out which borders of a map fit into the plane, and how they lie about each province.


Face = tuple[str, ...]
Edge = tuple[str, str]
"""The two ends of an edge in alphabetical order."""


_MOST_CROSSING = 250
"""The edges left out one by one; a map with more of them is no longer read off its picture."""


def embed(
    graph: nx.Graph[str], spare: Container[Edge]
) -> tuple[dict[str, list[str]], Face, tuple[Edge, ...]]:
    """Embed a graph of four nodes or more; the same graph always gets the same embedding.

    The first value lists the neighbours of each node in the order in which they lie about it,
    among them those that were joined only to fill up a face with triangles.  The second is the
    outer face, with as many nodes as possible: at each of them the list begins and ends there.
    The third are the edges without which nothing crosses, those in ``spare`` the first of them.
    """
    from networkx import check_planarity
    from networkx.algorithms.planar_drawing import triangulate_embedding

    crossing = _find_crossing(graph, spare)
    rest = graph.copy()
    rest.remove_edges_from(crossing)
    _join_outside(rest)
    embedding: Any = check_planarity(rest)[1]
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
    import networkx as nx

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
    """Return the edges, those first that surely lie beside each other.

    Neighbours on a map mostly have two neighbours in common, and these have others: an edge to a
    place far away has none.
    """
    near: dict[str, set[str]] = {node: set(graph[node]) for node in graph}

    def doubt(edge: Edge) -> tuple[bool, int, int, Edge]:
        a, b = edge
        triangles = len(near[a] & near[b])
        squares = sum(len(near[other] & near[b]) for other in near[a] if other != b)
        return edge in spare, -triangles, -squares, edge

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
    import networkx as nx

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
    import networkx as nx

    pieces = sorted(map(sorted, nx.connected_components(graph)))
    for piece in pieces:
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
    """Return the nodes that may lie at the outer face besides those that are there.

    They are the ends of edges that belong to one triangle at most; those near the face come first.
    """
    import networkx as nx

    far = nx.single_source_shortest_path_length(graph, _OUTSIDE)
    found = {
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
_LETTERS = 0.8
"""Names are wider than high, so a triangle is well formed if it is somewhat wider than high."""

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
            cost = self._cost_of_star(self._seen(place), sides, least)
            if cost < least:
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
        area = _twice_area(a, b, c) * self._sense
        if area <= 0.0:
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
