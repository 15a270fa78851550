"""Draw a map without shapes from its borders alone.

Every province becomes a cell around its point in a planar layout, and cells touch where their
provinces border.  A ridge separates cells that touch without a border; a border whose cells cannot
touch is drawn as a line.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING

from alexmagnum.board.geography import BOTH, Province, split_location
from alexmagnum.board.geometry import Shape
from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Atlas, Feature, NamePlace, ProvinceDrawing, Ring, bounding_box
from alexmagnum.draw.bearings import find_bearings
from alexmagnum.draw.planar import ASPECT, Edge, Layout, lay_out, make_edge
from alexmagnum.draw.scene import SHEET, Point

if TYPE_CHECKING:
    import networkx as nx

PORTAGE = "portage"

_MARGIN = 0.14  # the room that the outer cells have beyond their points, as a part of the frame
_RIDGE = 0.2  # half the width of a ridge, as a part of the way between the two points
_STEPS = 8  # straight pieces in the curve of a border
_SEAT = 36.0  # from one unit of a sea to the next, in drawing units


@lru_cache(maxsize=8)
def schematic_atlas(board: Board) -> Atlas:
    """Return the drawing of a board; the same board always looks the same."""
    kinds = _kinds(board)
    straits = [make_edge(*strait.between) for strait in board.straits]
    plan = lay_out(_graph(board, kinds), straits, tuple(find_bearings(board)))
    cells = {id_: tuple(_cell(id_, plan, kinds)) for id_ in board.provinces}
    sheet = _Sheet(len(cells))
    rings = {id_: sheet.ring(cell) for id_, cell in cells.items()}
    grounds = {
        p.id: _ground(p, rings[p.id], _coasts(p, rings, board)) for p in board.provinces.values()
    }
    links = [(grounds[a].slots[0], grounds[b].slots[0], kinds[a, b]) for a, b in plan.crossing]
    ridges = tuple(
        Feature("impassable", "mountain", (sheet.ring(ridge),))
        for ridge in _ridges(cells, plan, kinds)
    )
    return Atlas(sheet.height, grounds, ridges, tuple(links), flat=True)


# -- the borders -----------------------------------------------------------------------------------


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


def _graph(board: Board, kinds: Iterable[Edge]) -> nx.Graph[str]:
    """Return provinces and borders; a board of fewer than four gets islets, never drawn."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(board.provinces)
    graph.add_nodes_from(f"islet {i}" for i in range(4 - len(board.provinces)))
    graph.add_edges_from(kinds)
    return graph


# -- the cells -------------------------------------------------------------------------------------


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
    """Return the point on the edge of the map that lies beyond another."""
    return point * (1 + _MARGIN)


def _cell(id_: str, plan: Layout, borders: Container[Edge]) -> Iterator[complex]:
    """Yield the outline of a province: its borders, one after the other."""
    for other, first, last in _sides(id_, plan):
        apart = make_edge(id_, other) not in borders
        bend = _between(id_, other, plan, 0.5 - _RIDGE if apart else 0.5)
        yield from _curve(first, bend, last)
    if id_ in plan.outer:
        before, *_, after = (_edge_point(_between(id_, other, plan)) for other in plan.around[id_])
        yield from _curve(after, _edge_point(plan.at[id_]), before)


def _ridges(
    cells: Collection[str], plan: Layout, borders: Container[Edge]
) -> Iterator[list[complex]]:
    """Yield the ridge between each two cells that touch without a border."""
    for id_ in cells:
        for other, first, last in _sides(id_, plan):
            if id_ < other and other in cells and (id_, other) not in borders:
                near, far = (_between(id_, other, plan, 0.5 + x) for x in (-_RIDGE, _RIDGE))
                yield [*_curve(first, near, last), *_curve(last, far, first)]


def _curve(first: complex, bend: complex, last: complex) -> Iterator[complex]:
    """Yield the points of a curve that leaves towards ``bend`` and arrives from there."""
    for i in range(_STEPS + 1):
        t = i / _STEPS
        yield first * (1 - t) ** 2 + bend * 2 * t * (1 - t) + last * t**2


# -- the sheet -------------------------------------------------------------------------------------


class _Sheet:
    """Converts the frame of a layout to drawing units."""

    def __init__(self, cells: int) -> None:
        self._scale = SHEET / (2 * ASPECT * (1 + _MARGIN)) * min(1.0, (cells / 30) ** 0.5)
        self.height = 2 * (1 + _MARGIN) * self._scale

    def ring(self, outline: Iterable[complex]) -> Ring:
        """Return a closed line in drawing units."""
        points = [
            (SHEET / 2 + z.real * self._scale, self.height / 2 + z.imag * self._scale)
            for z in outline
        ]
        return (*points, points[0])


def _ground(province: Province, ring: Ring, coasts: Mapping[str, Point]) -> ProvinceDrawing:
    """Return a province with its name above the units and a centre's sign before them."""
    x, y = _middle(ring)
    row = y + 12
    first = x - (province.capacity - 1) * _SEAT / 2
    slots = tuple((first + i * _SEAT, row) for i in range(province.capacity))
    signs = ((first - 30, row), (slots[-1][0] + 30, row), (x, row + 30), (x, y - 40))
    city = next((sign for sign in signs if _sign_fits(sign, ring)), signs[0])
    name = NamePlace((x, y - 20), (), 20.0)
    sign = city if province.centre else None
    return ProvinceDrawing(province.id, (ring,), bounding_box(ring), slots, name, sign, coasts)


def _sign_fits(sign: Point, ring: Ring) -> bool:
    """Return whether a centre's sign at a point lies inside an outline."""
    cell = Shape("", "province", (ring,))
    x, y = sign
    return all(cell.holds((x + dx, y + dy)) for dx, dy in ((9, 9), (9, -9), (-9, 9), (-9, -9)))


def _coasts(province: Province, rings: Mapping[str, Ring], board: Board) -> Mapping[str, Point]:
    """Return the place of fleets on each coast: towards the provinces that they reach."""
    x, y = _middle(rings[province.id])
    found = {}
    for coast in province.coasts:
        reached = [
            _middle(rings[split_location(there)[0]])
            for border in board.borders
            for here, there in ((border.a, border.b), (border.b, border.a))
            if here == f"{province.id}/{coast}"
        ]
        if reached:
            u, v = fmean(x for x, _ in reached), fmean(y for _, y in reached)
            found[coast] = x + (u - x) * 0.3, y + (v - y) * 0.3
    return found


def _middle(ring: Ring) -> Point:
    """Return the centre of gravity of an area."""
    whole = x = y = 0.0
    for (x1, y1), (x2, y2) in pairwise(ring):
        part = x1 * y2 - x2 * y1
        whole += part
        x += (x1 + x2) * part
        y += (y1 + y2) * part
    return x / (3 * whole), y / (3 * whole)
