"""A mesh of triangles whose points move to give every one of them room.

A point moves if the triangles about it become better formed and more equal in size, and never so
far that one of them turns over: so nothing crosses that did not cross before.  An edge that joins
no neighbours, but only fills up a face, gives way to the other diagonal where that is better.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf, sqrt

from alexmagnum.draw.planar import Edge, Face, make_edge

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
        """Yield the triangles about a point."""
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
