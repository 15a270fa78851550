"""The outlines of the provinces of a map without shapes, and of what lies between them.

Every province becomes a cell around its point in a planar layout, and cells touch where their
provinces border.  A ridge separates cells that touch without a border.  Each connected piece of a
map has a frame of its own: 2 * ASPECT by 2 about 0, and a margin around it.
"""

from __future__ import annotations

from cmath import rect
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import acos, pi
from typing import TYPE_CHECKING

from alexmagnum.draw.layout import ASPECT, Layout
from alexmagnum.draw.planar import Edge, make_edge

if TYPE_CHECKING:
    import networkx as nx

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
        crossing: the borders whose cells cannot touch.
    """

    outlines: Mapping[str, Line]
    sides: Mapping[tuple[str, str], Line]
    ridges: tuple[Line, ...] = ()
    crossing: tuple[Edge, ...] = ()


def cut_cells(plan: Layout, borders: Container[Edge]) -> Cells:
    """Return the cells of a layout."""
    sides = {
        (id_, other): tuple(_curve(first, _bend(id_, other, plan, borders), last))
        for id_ in plan.at
        for other, first, last in _sides(id_, plan)
        if make_edge(id_, other) in borders
    }
    outlines = {id_: tuple(_outline(id_, plan, borders)) for id_ in plan.at}
    return Cells(outlines, sides, tuple(_ridges(plan.at, plan, borders)), plan.crossing)


# -- the cells of a layout -------------------------------------------------------------------------


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
    """Return the corner where three cells meet."""
    return sum(plan.at[node] for node in sorted((a, b, c))) / 3


def _between(a: str, b: str, plan: Layout, part: float = 0.5) -> complex:
    """Return a point on the way between the points of two provinces."""
    return plan.at[a] * (1 - part) + plan.at[b] * part


def _edge_point(point: complex) -> complex:
    """Return the point on the edge of the piece that lies beyond another."""
    return point * (1 + MARGIN)


def _bend(id_: str, other: str, plan: Layout, borders: Container[Edge]) -> complex:
    """Return the point towards which the side of a cell bends."""
    apart = make_edge(id_, other) not in borders
    return _between(id_, other, plan, 0.5 - _RIDGE if apart else 0.5)


def _outline(id_: str, plan: Layout, borders: Container[Edge]) -> Iterator[complex]:
    """Yield the outline of a province: its sides, one after the other."""
    for other, first, last in _sides(id_, plan):
        yield from _curve(first, _bend(id_, other, plan, borders), last)
    if id_ in plan.outer:
        before, *_, after = (_edge_point(_between(id_, other, plan)) for other in plan.around[id_])
        yield from _curve(after, _edge_point(plan.at[id_]), before)


def _ridges(cells: Collection[str], plan: Layout, borders: Container[Edge]) -> Iterator[Line]:
    """Yield the ridge between each two cells that touch without a border."""
    for id_ in cells:
        for other, first, last in _sides(id_, plan):
            if id_ < other and (id_, other) not in borders:
                near, far = (_between(id_, other, plan, 0.5 + x) for x in (-_RIDGE, _RIDGE))
                yield (*_curve(first, near, last), *_curve(last, far, first))


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
    """Return provinces that meet in the middle."""
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
