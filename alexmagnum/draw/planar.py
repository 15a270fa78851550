"""Find out which borders of a map fit into the plane, and how they lie about each province."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alexmagnum.slow_work import ShowPart

if TYPE_CHECKING:
    import networkx as nx

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
    """Return whether a graph stays planar when some edges are added."""
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
