"""Lay out the provinces of a map without shapes: nothing crosses, and all have room."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from cmath import phase
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from math import copysign, cos, inf, isfinite, pi, sin, sqrt
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from alexmagnum.board.geography import Names, split_location
from alexmagnum.board.model import Board
from alexmagnum.errors import GameError
from alexmagnum.files import (
    ShowPart,
    results_folder,
    show_progress,
    write_whole,
)

if TYPE_CHECKING:
    import networkx as nx


# Find out which borders of a map fit into the plane, and how they lie about each province.


Face = tuple[str, ...]
Edge = tuple[str, str]
"""The two ends of an edge in alphabetical order."""


_MOST_CROSSING = 250
"""The edges left out one by one; a map with more of them is no longer read off its picture."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """A graph in the plane, its inner faces filled up with triangles.

    ``around`` lists the neighbours of each node in the order in which they lie about it, among
    them those that were joined only to fill up a face; at a node of the outer face, ``outer``,
    the list begins and ends there.  ``crossing`` are the edges without which nothing crosses.
    """

    around: Mapping[str, Face]
    outer: Face
    crossing: tuple[Edge, ...]


def embed(
    graph: nx.Graph[str], spare: Container[Edge] = (), show: ShowPart | None = None
) -> Embedding:
    """Embed a graph of four nodes or more; the same graph always gets the same embedding.

    If edges cross, those in ``spare`` are the first to be left out.  All pieces of the graph lie at
    the outer face, with as many nodes as possible.  ``show`` hears what part of the work is done.
    """
    from networkx import check_planarity
    from networkx.algorithms.planar_drawing import triangulate_embedding

    tell = show or (lambda part: None)
    crossing = _find_crossing(graph, spare, lambda part: tell(0.6 * part))
    rest = graph.copy()
    rest.remove_edges_from(crossing)
    _join_outside(rest, lambda part: tell(0.6 + 0.4 * part))
    embedding: Any = check_planarity(rest)[1]
    filled, _ = triangulate_embedding(embedding, fully_triangulate=True)
    around = {}
    for node in graph:
        near = tuple(filled.neighbors_cw_order(node))
        start = near.index(_OUTSIDE) if _OUTSIDE in near else 0
        around[node] = near[start + 1 :] + near[:start] if _OUTSIDE in near else near
    outer = tuple(filled.neighbors_cw_order(_OUTSIDE))
    if around[outer[0]][0] != outer[-1]:
        outer = outer[::-1]
    return Embedding(around, outer, crossing)


def make_edge(a: str, b: str) -> Edge:
    """Return the edge between two nodes."""
    return (a, b) if a < b else (b, a)


def _find_crossing(
    graph: nx.Graph[str], spare: Container[Edge], show: ShowPart
) -> tuple[Edge, ...]:
    """Return edges without which a graph is planar; none of them can be put back.

    The edges are tried in the order of :func:`_order_edges`, as many at once as fit: planarity is
    tested a few times for each edge that is left out.  After very many, all that wait are left out.
    """
    import networkx as nx

    waiting = _order_edges(graph, spare)
    kept: nx.Graph[str] = nx.create_empty_copy(graph)
    crossing: list[Edge] = []
    total = len(waiting)
    while waiting and len(crossing) < _MOST_CROSSING:
        fitting = _count_fitting(kept, waiting)
        kept.add_edges_from(waiting[:fitting])
        crossing += waiting[fitting : fitting + 1]
        waiting = waiting[fitting + 1 :]
        show(1 - len(waiting) / max(total, 1))
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


def _join_outside(graph: nx.Graph[str], show: ShowPart) -> None:
    """Add a node outside to a planar graph, and join it to as many nodes as possible.

    A planar graph may have many embeddings: the edges to the node outside choose one with much at
    its outer face, which is the face about that node.
    """
    import networkx as nx

    pieces = sorted(map(sorted, nx.connected_components(graph)))
    for piece in pieces:
        planar = nx.check_planarity(graph.subgraph(piece))[1]
        graph.add_edges_from((_OUTSIDE, node) for node in _largest_face(planar))
    tries = _list_open_ends(graph)[:_MOST_TRIES]
    for i, node in enumerate(tries, 1):
        graph.add_edge(_OUTSIDE, node)
        if not nx.is_planar(graph):
            graph.remove_edge(_OUTSIDE, node)
        show(i / len(tries))
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
# crosses, whatever the strength of the springs (W. T. Tutte, *How to draw a graph*, 1963).


Springs = dict[str, dict[str, float]]
"""The strength of the springs of each loose point, by the loose point at the other end."""


def find_rest(
    around: Mapping[str, Face], held: Mapping[str, complex], strength: Mapping[Edge, float]
) -> dict[str, complex]:
    """Return the places of all points; every loose one is joined to a held one by some way.

    The points are taken out one after the other, the one with the fewest springs first: springs
    between its neighbours take the place of its own (a star becomes a mesh).  Then they are put
    back in the opposite order.  On a planar graph few springs arise, so this is exact and fast.
    """
    springs, hold, pull = _hang_up(around, held, strength)
    taken_out: list[tuple[str, dict[str, float], complex, float]] = []
    while springs:
        point = min(springs, key=lambda p: len(springs[p]))
        own, whole = springs.pop(point), hold[point]
        whole += sum(own.values())
        taken_out.append((point, own, pull[point], whole))
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
    for point, own, pulled, whole in reversed(taken_out):
        at[point] = (pulled + sum(at[other] * force for other, force in own.items())) / whole
    return at


def _hang_up(
    around: Mapping[str, Face], held: Mapping[str, complex], strength: Mapping[Edge, float]
) -> tuple[Springs, dict[str, float], dict[str, complex]]:
    """Return the springs between loose points, and what all those to held points do together.

    The latter are two numbers for each loose point: their strength, and strength times place.
    """
    springs: Springs = {}
    hold, pull = dict.fromkeys(around, 0.0), dict.fromkeys(around, 0j)
    for point, near in around.items():
        if point not in held:
            springs[point] = {}
            for other in near:
                force = strength[(point, other) if point < other else (other, point)]
                if other in held:
                    hold[point] += force
                    pull[point] += force * held[other]
                else:
                    springs[point][other] = force
    return springs, hold, pull


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


# A mesh of triangles whose points move to give every one of them room.
#
# A point moves if the triangles about it become better formed and more equal in size, and never
# so far that one of them turns over: so nothing crosses that did not cross before. An edge that
# joins no neighbours, but only fills up a face, gives way to the other diagonal where that is
# better.


_LETTERS = 0.8
"""Names are wider than high, so a triangle is well formed if it is somewhat wider than high."""

_TRIES = tuple(complex(x, y) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)))
_EVEN = 4 * sqrt(3)
_SIZE = 0.7  # how much the size of a triangle counts beside its form


class Mesh:
    """Points with the neighbours about each, in order; see the module."""

    def __init__(
        self,
        at: Mapping[str, complex],
        around: Mapping[str, Face],
        outer: Face,
        borders: Container[Edge],
    ) -> None:
        self.at = {node: at[node] for node in sorted(at)}
        self._around = {node: list(around[node]) for node in self.at}
        self._outer = frozenset(outer)
        self._borders = borders
        faces = [face for node in self.at for face in self._faces_of(node)]
        areas = [twice_area(*(self._seen(at[x]) for x in face)) for face in faces]
        self._sense = 1.0 if sum(areas) > 0 else -1.0
        self._usual = abs(sum(areas)) / len(areas)
        step = 0.5 * sqrt(self._usual)
        self._steps = dict.fromkeys(self.at, step)

    def list_around(self) -> dict[str, Face]:
        """Return the neighbours of each point in order, as in an embedding."""
        return {node: tuple(near) for node, near in self._around.items()}

    def improve(self, on_rim: Callable[[complex], complex]) -> None:
        """Move every point once, if that is better, and turn edges that only fill up faces.

        ``on_rim`` returns the place on the frame that is nearest to a place: points of the outer
        face stay there.
        """
        for node in self.at:
            self._move(node, on_rim if node in self._outer else None)
        for node in self.at:
            for other in tuple(self._around[node]):
                if node < other and make_edge(node, other) not in self._borders:
                    self._flip(node, other)

    # -- moving points ---------------------------------------------------------------------------

    def _move(self, node: str, on_rim: Callable[[complex], complex] | None) -> None:
        """Move a point to the best of some places around it, if one is better than its own."""
        ring = [self._seen(self.at[other]) for other in self._around[node]]
        sides = list(pairwise(ring if node in self._outer else (*ring, ring[0])))
        here = best = self.at[node]
        own = least = self._cost_of_star(self._seen(here), sides, inf)
        step = self._steps[node]
        for way in _TRIES:
            place = here + way * step
            if on_rim:
                place = on_rim(place)
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
        u, v = b - a, c - a
        area = (u.real * v.imag - u.imag * v.real) * self._sense
        if area <= 0.0:
            return inf
        w = c - b
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

    def _faces_of(self, node: str) -> Iterator[Face]:
        near = self._around[node]
        for a, b in pairwise(near if node in self._outer else (*near, near[0])):
            yield node, a, b

    # -- turning edges ---------------------------------------------------------------------------

    def _flip(self, a: str, b: str) -> None:
        """Turn the edge between two points into the other diagonal, if that is better."""
        beside = self._beside(a, b)
        if beside is None:
            return
        c, d = beside
        p, q, r, s = (self._seen(self.at[x]) for x in (a, b, c, d))
        if d in self._around[c] or min(self._spare_degree(x) for x in (a, b)) < 1:
            return
        old = self._cost(p, q, r) + self._cost(q, p, s)
        if self._cost(r, s, q) + self._cost(s, r, p) < old:
            self._around[a].remove(b)
            self._around[b].remove(a)
            self._insert(c, d, a, b)
            self._insert(d, c, a, b)

    def _spare_degree(self, node: str) -> int:
        """Return how many neighbours a point has beyond those that it must have."""
        return len(self._around[node]) - (2 if node in self._outer else 3)

    def _beside(self, a: str, b: str) -> tuple[str, str] | None:
        """Return the points after and before the second about the first; None at the rim."""
        near = self._around[a]
        i = near.index(b)
        if a in self._outer and i in (0, len(near) - 1):
            return None
        return near[(i + 1) % len(near)], near[i - 1]

    def _insert(self, node: str, new: str, a: str, b: str) -> None:
        """Put a new neighbour between two that follow each other about a point."""
        near = self._around[node]
        i, k = sorted((near.index(a), near.index(b)))
        near.insert(k if k == i + 1 else len(near), new)


def twice_area(a: complex, b: complex, c: complex) -> float:
    """Return twice the area of a triangle, negative if it turns the other way round."""
    u, v = b - a, c - a
    return u.real * v.imag - u.imag * v.real


# Lay out the provinces of a map without shapes: nothing crosses, and all have room.
#
# The points of the outer face stand on a rounded frame. Springs bring the others to places where
# nothing crosses, the springs between large faces growing stronger until the faces are about
# equally large. Then each point moves by itself to where the triangles about it are large and
# well formed.


ASPECT = 1.5
"""The width of the frame divided by its height."""

_ROUNDS = 25
_ROUNDNESS = 0.7  # of the frame; 1: an ellipse, 0: a rectangle
_SWEEPS = 40


@dataclass(frozen=True, slots=True)
class Layout:
    """Points as complex numbers, in a frame of 2 * ASPECT by 2 about 0.

    ``around``, ``outer`` and ``crossing`` are those of an
    :class:`~alexmagnum.draw.layout.Embedding`.
    """

    at: Mapping[str, complex]
    around: Mapping[str, Face]
    outer: Face
    crossing: tuple[Edge, ...]


def lay_out(
    graph: nx.Graph[str],
    spare: Container[Edge] = (),
    bearings: Sequence[Bearing] = (),
    show: ShowPart | None = None,
) -> Layout:
    """Lay out a graph of four nodes or more; the same graph always gets the same layout.

    If edges cross, those in ``spare`` are the first to be left out.  The layout is rotated and
    mirrored to fit the ``bearings`` best; those of other points do not count.
    """
    tell = show or (lambda part: None)
    plane = embed(graph, spare, lambda part: tell(0.4 * part))
    count = len(plane.outer)
    at = find_rest(plane.around, _hold(plane, _frame(count)), _even_springs(plane))
    rim = _hold(plane, _frame(count, *_find_rotation(at, bearings)))
    at = _spread(plane, rim, lambda part: tell(0.4 + 0.2 * part))
    borders = {make_edge(a, b) for a, b in graph.edges}
    mesh = Mesh(at, plane.around, plane.outer, borders)
    for sweep in range(_SWEEPS):
        mesh.improve(_on_frame)
        tell(0.6 + 0.4 * (sweep + 1) / _SWEEPS)
    return Layout(mesh.at, mesh.list_around(), plane.outer, plane.crossing)


# -- the frame -------------------------------------------------------------------------------------


def _hold(plane: Embedding, places: Sequence[complex]) -> dict[str, complex]:
    return dict(zip(plane.outer, places, strict=True))


def _frame(count: int, turn: float = 0.0, over: bool = False) -> list[complex]:
    sense = -1 if over else 1
    return [_frame_point(sense * 2 * pi * i / count + turn) for i in range(count)]


def _frame_point(angle: float) -> complex:
    return complex(ASPECT * _round_off(cos(angle)), _round_off(sin(angle)))


def _round_off(x: float) -> float:
    """Return a coordinate between that of an ellipse and that of a rectangle."""
    return copysign(abs(x) ** _ROUNDNESS, x)


def _on_frame(place: complex) -> complex:
    x, y = place.real / ASPECT, place.imag
    power = 1 / _ROUNDNESS
    return _frame_point(phase(complex(copysign(abs(x) ** power, x), copysign(abs(y) ** power, y))))


def _find_rotation(at: Mapping[str, complex], bearings: Sequence[Bearing]) -> tuple[float, bool]:
    """Return the angle to rotate a layout by, and whether to mirror it before."""
    ways = [(at[b] - at[a], way) for a, b, way in bearings if a in at and b in at]
    upright = sum((way * z.conjugate() for z, way in ways), 0j)
    turned_over = sum((way * z for z, way in ways), 0j)
    over = abs(turned_over) > abs(upright)
    return phase(turned_over if over else upright), over


# -- the springs -----------------------------------------------------------------------------------


def _even_springs(plane: Embedding) -> dict[Edge, float]:
    """Return springs that are all equally strong."""
    return {make_edge(a, b): 1.0 for a, near in plane.around.items() for b in near}


def _spread(plane: Embedding, rim: Mapping[str, complex], show: ShowPart) -> dict[str, complex]:
    """Return places at which the faces are about equally large."""
    strength = _even_springs(plane)
    faces = _triangles(plane.around, rim)
    at = find_rest(plane.around, rim, strength)
    for turn in range(_ROUNDS):
        _adjust_springs(strength, faces, at)
        at = find_rest(plane.around, rim, strength)
        show((turn + 1) / _ROUNDS)
    return at


def _triangles(around: Mapping[str, Face], rim: Container[str]) -> list[Face]:
    """Return the inner faces, each once."""
    return sorted(
        {
            tuple(sorted((node, a, b)))
            for node, near in around.items()
            for a, b in pairwise(near if node in rim else (*near, near[0]))
        }
    )


def _adjust_springs(
    strength: dict[Edge, float], faces: Sequence[Face], at: Mapping[str, complex]
) -> None:
    """Let the springs beside large faces pull harder, and the others less."""
    areas = {face: abs(twice_area(*(at[node] for node in face))) / 2 for face in faces}
    usual = fmean(areas.values())
    beside: dict[Edge, list[float]] = {}
    for face, area in areas.items():
        for edge in combinations(face, 2):
            beside.setdefault(edge, []).append(area / usual)
    for edge, shares in beside.items():
        strength[edge] *= min(max(fmean(shares), 0.25), 4.0) ** 0.5


# Keep the layout of a map without shapes, so that it is made only once.
#
# It is kept in the game's folder. The file may be deleted at any time, and is never trusted: a
# layout that does not fit the map, or in which cells would lie upon each other, is made anew.


VERSION = 1
"""Counts up when the same map would get another layout."""


def find_layouts(
    graphs: Sequence[nx.Graph[str]], spare: Sequence[Edge], bearings: Sequence[Bearing]
) -> list[Layout]:
    """Return the layouts of the pieces of a map: those that are kept, or else new ones.

    New ones are kept where the command lets them be kept (:mod:`alexmagnum.files`).
    """
    key = _make_key(graphs, spare, bearings)
    folder = results_folder()
    path = folder / f"map-layout-{key[:16]}.json" if folder and folder.is_dir() else None
    kept = _read(_read_kept(path), key, graphs)
    if kept is not None:
        return kept
    made = list(_lay_out_all(graphs, spare, bearings))
    if made and path:
        with suppress(GameError):  # a full disk only means no file
            write_whole(path, _write(key, made))
    return made


def _read_kept(path: Path | None) -> bytes | None:
    with suppress(OSError):
        return path.read_bytes() if path else None
    return None


def _lay_out_all(
    graphs: Sequence[nx.Graph[str]], spare: Sequence[Edge], bearings: Sequence[Bearing]
) -> Iterator[Layout]:
    """Yield a new layout of each piece of a map, and show the progress of all."""
    whole = sum(map(len, graphs))
    done = 0
    for graph in graphs:
        show = partial(_show_part_of_piece, done / whole, len(graph) / whole)
        yield lay_out(graph, spare, bearings, show)
        done += len(graph)


def _show_part_of_piece(before: float, share: float, part: float) -> None:
    show_progress(before + share * part)


def _make_key(
    graphs: Sequence[nx.Graph[str]], spare: Sequence[Edge], bearings: Sequence[Bearing]
) -> str:
    edges = [sorted(make_edge(a, b) for a, b in graph.edges) for graph in graphs]
    content = repr((VERSION, [list(graph) for graph in graphs], edges, sorted(spare), bearings))
    return hashlib.sha256(content.encode()).hexdigest()


def _write(key: str, layouts: Sequence[Layout]) -> str:
    pieces = [
        {
            "at": {node: [z.real, z.imag] for node, z in layout.at.items()},
            "around": {node: list(near) for node, near in layout.around.items()},
            "outer": list(layout.outer),
            "crossing": [list(edge) for edge in layout.crossing],
        }
        for layout in layouts
    ]
    return json.dumps({"about": "may be deleted", "key": key, "pieces": pieces})


def _read(content: bytes | None, key: str, graphs: Sequence[nx.Graph[str]]) -> list[Layout] | None:
    """Return the layouts that a file holds; None if there are none that fit the map."""
    if content is None:
        return None
    try:
        raw = json.loads(content.decode("utf-8"))
        if raw["key"] != key:
            return None
        layouts = [_read_layout(piece) for piece in raw["pieces"]]
        pairs = zip(layouts, graphs, strict=True)
        return layouts if all(is_sound(layout, graph) for layout, graph in pairs) else None
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
        return None


def _read_layout(raw: Any) -> Layout:
    return Layout(
        {str(node): complex(float(x), float(y)) for node, (x, y) in raw["at"].items()},
        {str(node): tuple(map(str, near)) for node, near in raw["around"].items()},
        tuple(map(str, raw["outer"])),
        tuple(make_edge(str(a), str(b)) for a, b in raw["crossing"]),
    )


def is_sound(layout: Layout, graph: nx.Graph[str]) -> bool:
    """Return whether a layout is one of a graph, its triangles all turning the same way."""
    nodes = set(graph)
    return (
        nodes == set(layout.at) == set(layout.around)
        and set(layout.outer) <= nodes
        and all(isfinite(abs(z)) and abs(z) < 2 for z in layout.at.values())
        and all(a in layout.around[b] for a, near in layout.around.items() for b in near)
        and _draws_every_edge(layout, graph)
        and _turns_one_way(layout)
    )


def _draws_every_edge(layout: Layout, graph: nx.Graph[str]) -> bool:
    """Return whether each edge of a graph is either drawn or said to cross others."""
    edges = {make_edge(a, b) for a, b in graph.edges}
    drawn = {make_edge(a, b) for a, near in layout.around.items() for b in near}
    crossing = set(layout.crossing)
    return not crossing & drawn and crossing < edges and edges - crossing <= drawn


def _turns_one_way(layout: Layout) -> bool:
    turns = [
        twice_area(layout.at[node], layout.at[a], layout.at[b])
        for node, near in layout.around.items()
        for a, b in pairwise(near if node in layout.outer else (*near, near[0]))
    ]
    return min(turns) > 0 or max(turns) < 0
