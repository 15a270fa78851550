"""The sheet as a grid of small squares, which tells provinces and free space."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import accumulate, pairwise
from math import ceil
from typing import NamedTuple, Self

from alexmagnum.draw.atlas import Atlas, Ring
from alexmagnum.draw.scene import Box, Point

CELL = 8.0
"""The side of a square in drawing units."""

NOBODY = ""

Edge = tuple[Point, Point]
"""An edge of an outline."""


class Squares(NamedTuple):
    """A rectangle of squares: the first column and row, and those after the last."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def area(self) -> int:
        """The number of squares."""
        return (self.right - self.left) * (self.bottom - self.top)


class SquareCounts:
    """Counts the squares of some provinces in any rectangle, from sums made once.

    ``rows`` have a letter for each square; those with one of ``letters`` are counted.
    """

    def __init__(self, rows: Sequence[str], letters: Container[str]) -> None:
        self._sums = [[0] * (len(rows[0]) + 1)]
        """By row and column, how many squares above and to the left are counted."""
        for row in rows:
            counted = accumulate((letter in letters for letter in row), initial=0)
            pairs = zip(self._sums[-1], counted, strict=True)
            self._sums.append([above + here for above, here in pairs])

    def within(self, squares: Squares) -> int:
        """Return how many squares of a rectangle are counted."""
        left, top, right, bottom = squares
        above, below = self._sums[top], self._sums[bottom]
        return below[right] - below[left] - above[right] + above[left]


class Grid:
    """Knows the province of each square, by its middle; ``NOBODY`` outside all provinces."""

    def __init__(self, atlas: Atlas) -> None:
        self.columns = ceil(atlas.box.width / CELL)
        self.rows = ceil(atlas.box.height / CELL)
        self._letters = {id_: chr(i + 1) for i, id_ in enumerate(atlas.grounds)}
        """A letter for each province: letters are counted faster than names."""
        self._names = (NOBODY, *atlas.grounds)
        rows = [["\0"] * self.columns for _ in range(self.rows)]
        for ground in atlas.grounds.values():
            letter = self._letters[ground.id]
            for row, first, last in _spans(ground.rings, self.rows, self.columns):
                rows[row][first:last] = letter * (last - first)
        self._owners = ["".join(row) for row in rows]
        """By row, the letter of the province of each square."""
        self.provinces = self.counts(atlas.grounds)
        self._rings = {ground.id: ground.rings for ground in atlas.grounds.values()}
        self._edges: dict[str, Mapping[int, Sequence[Edge]]] = {}

    def counts(self, owners: Iterable[str]) -> SquareCounts:
        """Return the counts of the squares that belong to some provinces."""
        letters = {self._letters[id_] for id_ in owners if id_ in self._letters}
        return SquareCounts(self._owners, letters)

    def owner_at(self, point: Point) -> str:
        """Return the province at a point of the sheet."""
        row, column = int(point[1] // CELL), int(point[0] // CELL)
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return self._names[ord(self._owners[row][column])]
        return NOBODY

    def holds(self, province: str, point: Point) -> bool:
        """Return whether a point lies in a province, exact to its outline."""
        row, column = int(point[1] // CELL), int(point[0] // CELL)
        if 0 < row < self.rows - 1 and 0 < column < self.columns - 1:
            letter = self._letters.get(province, "")
            lines = self._owners[row - 1 : row + 2]
            around = "".join([line[column - 1 : column + 2] for line in lines])
            inside = around.count(letter) if letter else 0
            if inside in (0, len(around)):
                return inside > 0
        return _is_inside(self._edges_of(province).get(row, ()), point)

    def _edges_of(self, province: str) -> Mapping[int, Sequence[Edge]]:
        """Return the edges of a province's outlines by the rows that they touch."""
        found = self._edges.get(province)
        if found is None:
            by_row: dict[int, list[Edge]] = {}
            for edge in _edges(self._rings.get(province, ())):
                low, high = sorted((edge[0][1], edge[1][1]))
                for row in range(int(low // CELL), int(high // CELL) + 1):
                    by_row.setdefault(row, []).append(edge)
            found = self._edges[province] = by_row
        return found

    def list_middles(self, owner: str, box: Box) -> Iterator[Point]:
        """Yield the middles of the squares of a province within a box, row by row."""
        left, top, right, bottom = self.squares(box)
        letter = self._letters.get(owner, "")
        for row in range(top, bottom):
            line = self._owners[row]
            column = line.find(letter, left, right) if letter else -1
            while column >= 0:
                middle = (column + 0.5) * CELL, (row + 0.5) * CELL
                if box.holds(middle):
                    yield middle
                column = line.find(letter, column + 1, right)

    def squares(self, box: Box) -> Squares:
        """Return the squares that a box touches."""
        return self.squares_within(box.left, box.top, box.right, box.bottom)

    def squares_within(self, left: float, top: float, right: float, bottom: float) -> Squares:
        """Return the squares that a box with these edges touches."""
        first, last = _find_range(left, right, self.columns)
        above, below = _find_range(top, bottom, self.rows)
        return Squares(
            first, above, last if last > first else first, below if below > above else above
        )

    def is_bare(self, box: Box) -> bool:
        """Return whether no square that a box touches is a province's."""
        return not self.provinces.within(self.squares(box))

    def count_owned(self, squares: Squares, owner: str) -> int:
        """Return how many of some squares belong to a province."""
        letter, (left, top, right, bottom) = self._letters.get(owner), squares
        if letter is None:
            return 0
        return sum([row.count(letter, left, right) for row in self._owners[top:bottom]])


def _find_range(first: float, last: float, count: int) -> tuple[int, int]:
    """Return the first row or column that an interval touches, and the one after the last."""
    start, end = int(first / CELL), ceil(last / CELL)
    return (
        0 if start < 0 else start if start < count else count,
        0 if end < 0 else end if end < count else count,
    )


def _spans(rings: Sequence[Ring], rows: int, columns: int) -> Iterator[tuple[int, int, int]]:
    """Yield the row, the first column and the column after the last of each run inside."""
    crossings: dict[int, list[float]] = {}
    for (x1, y1), (x2, y2) in _edges(rings):
        low, high = sorted((y1, y2))
        for row in range(max(ceil(low / CELL - 0.5), 0), min(ceil(high / CELL - 0.5), rows)):
            y = (row + 0.5) * CELL
            crossings.setdefault(row, []).append(x1 + (y - y1) * (x2 - x1) / (y2 - y1))
    for row, xs in crossings.items():
        xs.sort()
        for left, right in zip(xs[::2], xs[1::2], strict=True):
            first = max(ceil(left / CELL - 0.5), 0)
            last = min(ceil(right / CELL - 0.5), columns)
            if first < last:
                yield row, first, last


def _is_inside(edges: Iterable[Edge], point: Point) -> bool:
    """Return whether a ray from a point crosses the edges an odd number of times."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in edges:
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


def _edges(rings: Iterable[Ring]) -> Iterator[Edge]:
    for ring in rings:
        yield from pairwise(ring)


class FreeSpace:
    """The free space of a sheet: outside provinces and everything placed before."""

    def __init__(self, atlas: Atlas, grid: Grid, margin: float = 12.0) -> None:
        self._grid = grid
        self._sheet = atlas.box.grown(-margin)
        self._margin = margin
        self._taken: list[Box] = []
        self._busy = grid.provinces

    def take(self, box: Box) -> None:
        """Reserve a box."""
        self._taken.append(box)

    def over(self, quiet: Container[str], provinces: Iterable[str]) -> Self:
        """Return the same space and the quiet ones among some provinces."""
        found = copy(self)
        found._busy = self._grid.counts(id_ for id_ in provinces if id_ not in quiet)
        return found

    def without(self, spared: Iterable[Box]) -> Self:
        """Return the same space except for some boxes."""
        found = copy(self)
        found._taken = [*self._taken, *spared]
        return found

    def find_place(self, width: float, height: float, near: Point) -> Box | None:
        """Return the free box of a size that is nearest to a point; None if there is none.

        A box that hides less of provinces comes before nearer ones.  :meth:`take` reserves it.
        """
        sheet, margin, grid = self._sheet, self._margin, self._grid
        wide, high = width + 2 * margin, height + 2 * margin
        x, y = near[0] - wide / 2, near[1] - high / 2
        lefts = [left - margin for left in _steps(sheet.left, sheet.right - width)]
        spans = {_find_range(left, left + wide, grid.columns): left for left in lefts}
        corners = []
        for top in (step - margin for step in _steps(sheet.top, sheet.bottom - height)):
            above, below = _find_range(top, top + high, grid.rows)
            for (first, last), left in spans.items():
                squares = Squares(first, above, last, below)
                if not self._busy.within(squares):
                    far = (left - x) ** 2 + (top - y) ** 2
                    corners.append((grid.provinces.within(squares), far, left, top))
        for _, _, left, top in sorted(corners):
            box = Box(left, top, left + wide, top + high)
            if not box.meets_any(self._taken):
                return box.grown(-margin)
        return None


def _steps(first: float, last: float) -> list[float]:
    """Return places two squares apart, from the first to the last, both included."""
    if last < first:
        return []
    count = int((last - first) // (2 * CELL))
    return [first + k * 2 * CELL for k in range(count + 1)] + [last]
