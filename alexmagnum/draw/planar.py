"""Lay out a graph in the plane without crossings, its points spread evenly.

The points of the outer face stand on a rounded frame, every other one in the middle of its
neighbours; whatever weight each neighbour has in that, nothing crosses (W. T. Tutte, *How to draw
a graph*, 1963).  The weights are chosen so that the faces become about equally large: an edge
between large faces pulls harder.
"""

from __future__ import annotations

from cmath import phase
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import copysign, cos, pi, sin
from statistics import fmean
from typing import TYPE_CHECKING, Any

from alexmagnum.draw.bearings import Bearing

if TYPE_CHECKING:
    import networkx as nx

ASPECT = 1.5
"""The width of the frame divided by its height."""

_ROUNDS = 60
_SWEEPS = 40  # in each round, until the points hardly move
_ROUNDNESS = 0.7  # of the frame; 1: an ellipse, 0: a rectangle

Face = tuple[str, ...]
Edge = tuple[str, str]
"""The two ends of an edge in alphabetical order."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Points as complex numbers, in a frame of 2 * ASPECT by 2 about 0.

    ``around`` lists the neighbours of each point in the order in which they lie about it, among
    them those that were joined only to fill up a face; at a point of the outer face, ``outer``,
    the list begins and ends there.  ``crossing`` are the edges without which nothing crosses.
    """

    at: Mapping[str, complex]
    around: Mapping[str, Face]
    outer: Face
    crossing: tuple[Edge, ...]


def lay_out(
    graph: nx.Graph[str], spare: Container[Edge] = (), bearings: Sequence[Bearing] = ()
) -> Layout:
    """Lay out a graph of four nodes or more; the same graph always gets the same layout.

    If edges cross, those in ``spare`` are the first to be left out.  The layout is rotated and
    mirrored to fit the ``bearings`` best.
    """
    from networkx.algorithms.planar_drawing import triangulate_embedding

    embedding, crossing = _planar_part(graph, spare)
    filled, outer = triangulate_embedding(embedding, fully_triangulate=False)
    around = {node: tuple(filled.neighbors_cw_order(node)) for node in graph}
    for before, node in zip((outer[-1], *outer[:-1]), outer, strict=True):
        start = around[node].index(before)
        around[node] = (*around[node][start:], *around[node][:start])
    rim = _frame(len(outer))
    at = _relax(around, dict(zip(outer, rim, strict=True)), 1)
    rim = _frame(len(outer), *_find_rotation(at, bearings))
    at = _relax(around, dict(zip(outer, rim, strict=True)), _ROUNDS)
    return Layout(at, around, tuple(outer), crossing)


def make_edge(a: str, b: str) -> Edge:
    """Return the edge between two nodes."""
    return (a, b) if a < b else (b, a)


def _planar_part(graph: nx.Graph[str], spare: Container[Edge]) -> tuple[Any, tuple[Edge, ...]]:
    """Return a planar embedding of a graph and the edges left out of it."""
    import networkx as nx

    rest: nx.Graph[str] = graph.copy()
    crossing: list[Edge] = []
    while not nx.is_planar(rest):
        _, proof = nx.check_planarity(rest, counterexample=True)
        at_fault = [make_edge(*ends) for ends in proof.edges]
        crossing.append(
            min(at_fault, key=lambda e: (not _is_planar_without(e, rest), e not in spare, e))
        )
        rest.remove_edge(*crossing[-1])
    return nx.check_planarity(rest)[1], tuple(crossing)


def _is_planar_without(left_out: Edge, graph: nx.Graph[str]) -> bool:
    """Return whether leaving out one edge is enough."""
    import networkx as nx

    return bool(nx.is_planar(nx.restricted_view(graph, [], [left_out])))


def _find_rotation(at: Mapping[str, complex], bearings: Sequence[Bearing]) -> tuple[float, bool]:
    """Return the angle to rotate a layout by, and whether to mirror it before."""
    ways = [(at[b] - at[a], way) for a, b, way in bearings]
    upright = sum((way * z.conjugate() for z, way in ways), 0j)
    turned_over = sum((way * z for z, way in ways), 0j)
    over = abs(turned_over) > abs(upright)
    return phase(turned_over if over else upright), over


def _frame(count: int, turn: float = 0.0, over: bool = False) -> list[complex]:
    """Return points on a rounded frame."""
    angles = [(-1 if over else 1) * 2 * pi * i / count + turn for i in range(count)]
    return [complex(ASPECT * _round_off(cos(a)), _round_off(sin(a))) for a in angles]


def _round_off(x: float) -> float:
    """Return a coordinate between that of an ellipse and that of a rectangle."""
    return copysign(abs(x) ** _ROUNDNESS, x)


def _relax(
    around: Mapping[str, Face], rim: Mapping[str, complex], rounds: int
) -> dict[str, complex]:
    """Return the places of all nodes for given places on the rim.

    The edges get new weights in each round.
    """
    at = {**dict.fromkeys(around, 0j), **rim}
    weight = {make_edge(a, b): 1.0 for a, near in around.items() for b in near}
    faces = _triangles(around, rim)
    for turn in range(rounds):
        pulls = [
            (node, [(other, weight[make_edge(node, other)]) for other in near])
            for node, near in around.items()
            if node not in rim
        ]
        for _ in range(_SWEEPS if turn else 5 * _SWEEPS):
            for node, pulling in pulls:
                whole = sum(pull for _, pull in pulling)
                at[node] = sum(at[other] * pull for other, pull in pulling) / whole
        _adjust_weights(weight, faces, at)
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


def _adjust_weights(
    weight: dict[Edge, float], faces: Sequence[Face], at: Mapping[str, complex]
) -> None:
    """Let the edges of large faces pull harder, and the others less."""
    areas = {face: _area(*(at[node] for node in face)) for face in faces}
    usual = fmean(areas.values())
    beside: dict[Edge, list[float]] = {}
    for face, area in areas.items():
        for a, b in combinations(face, 2):
            beside.setdefault(make_edge(a, b), []).append(area / usual)
    for border, shares in beside.items():
        weight[border] *= min(max(fmean(shares), 0.25), 4.0) ** 0.5


def _area(a: complex, b: complex, c: complex) -> float:
    """Return the area of a triangle."""
    return abs((b - a).real * (c - a).imag - (b - a).imag * (c - a).real) / 2
