"""Lay out the provinces of a map without shapes: nothing crosses, and all have room.

The points of the outer face stand on a rounded frame.  Springs bring the others to places where
nothing crosses, the springs between large faces growing stronger until the faces are about equally
large.  Then each point moves by itself to where the triangles about it are large and well formed.
"""

from __future__ import annotations

from cmath import phase
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import copysign, cos, pi, sin
from statistics import fmean
from typing import TYPE_CHECKING

from alexmagnum.draw.bearings import Bearing
from alexmagnum.draw.mesh import Mesh, twice_area
from alexmagnum.draw.planar import Edge, Embedding, Face, embed, make_edge
from alexmagnum.draw.springs import find_rest
from alexmagnum.slow_work import ShowPart

if TYPE_CHECKING:
    import networkx as nx

ASPECT = 1.5
"""The width of the frame divided by its height."""

_ROUNDS = 25
_ROUNDNESS = 0.7  # of the frame; 1: an ellipse, 0: a rectangle
_SWEEPS = 40


@dataclass(frozen=True, slots=True)
class Layout:
    """Points as complex numbers, in a frame of 2 * ASPECT by 2 about 0.

    ``around``, ``outer`` and ``crossing`` are those of an
    :class:`~alexmagnum.draw.planar.Embedding`.
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
    """Return the places of the points of the outer face."""
    return dict(zip(plane.outer, places, strict=True))


def _frame(count: int, turn: float = 0.0, over: bool = False) -> list[complex]:
    """Return points on a rounded frame."""
    sense = -1 if over else 1
    return [_frame_point(sense * 2 * pi * i / count + turn) for i in range(count)]


def _frame_point(angle: float) -> complex:
    """Return the point of the frame for an angle."""
    return complex(ASPECT * _round_off(cos(angle)), _round_off(sin(angle)))


def _round_off(x: float) -> float:
    """Return a coordinate between that of an ellipse and that of a rectangle."""
    return copysign(abs(x) ** _ROUNDNESS, x)


def _on_frame(place: complex) -> complex:
    """Return the point of the frame near a place."""
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
