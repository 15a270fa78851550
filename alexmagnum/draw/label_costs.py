"""The room of a name at a place, and the cost of that place."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache, reduce
from itertools import accumulate, pairwise
from math import ceil, cos, hypot, radians, sin
from operator import or_
from typing import NamedTuple, Self

from alexmagnum.draw.atlas import Atlas, Ring
from alexmagnum.draw.scene import Box, Face, Point, width

# The sheet as a grid of small squares, which tells provinces and free space.


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
        above, below = self.sums_of_rows(squares.top, squares.bottom)
        left, right = squares.left, squares.right
        return below[right] - below[left] - above[right] + above[left]

    def sums_of_rows(self, top: int, bottom: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return by column how many squares to the left are counted above two rows."""
        return self._sums[top], self._sums[bottom]


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
        self._provinces = self.counts(atlas.grounds)
        self._busy = self.rows_of(atlas.grounds)
        self._rings = {ground.id: ground.rings for ground in atlas.grounds.values()}
        self._edges: dict[str, Mapping[int, Sequence[Edge]]] = {}

    def counts(self, owners: Iterable[str]) -> SquareCounts:
        """Return the counts of the squares that belong to some provinces."""
        letters = {self._letters[id_] for id_ in owners if id_ in self._letters}
        return SquareCounts(self._owners, letters)

    def rows_of(self, owners: Container[str]) -> Sequence[int]:
        """Return the squares of some provinces, row by row; bit 0 is the first column."""
        bits = {ord(letter): "01"[id_ in owners] for id_, letter in self._letters.items()}
        bits[0] = "0"
        return [int(row.translate(bits)[::-1], 2) for row in self._owners]

    def bare_corners(
        self,
        lefts: Iterable[float],
        tops: Iterable[float],
        width: float,
        height: float,
        busy: Sequence[int] | None = None,
    ) -> Iterator[tuple[int, float, float]]:
        """Yield boxes in which no square is a province's: each by its upper left corner.

        ``lefts`` and ``tops`` are the distances from the left and the top that are tried; ``busy``
        are the rows of the squares to keep clear if some provinces may be covered.  Before the
        corner comes the count of the provinces' squares that the box hides.
        """
        rows = self._busy if busy is None else busy
        columns: dict[int, dict[int, float]] = {}
        for x in lefts:
            left, right = _find_range(x, x + width, self.columns)
            columns.setdefault(right - left, {})[left] = x
        firsts = {wide: sum(1 << left for left in starts) for wide, starts in columns.items()}
        for y in tops:
            top, bottom = _find_range(y, y + height, self.rows)
            taken = reduce(or_, rows[top:bottom], 0)
            above, below = self._provinces.sums_of_rows(top, bottom)
            for wide, starts in columns.items():
                for left in _find_gaps(taken, wide, firsts[wide]):
                    right = left + wide
                    hidden = below[right] - below[left] - above[right] + above[left]
                    yield hidden, starts[left], y

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
        return not self._provinces.within(self.squares(box))

    def count_owned(self, squares: Squares, owner: str) -> int:
        """Return how many of some squares belong to a province."""
        letter, (left, top, right, bottom) = self._letters.get(owner), squares
        if letter is None:
            return 0
        return sum([row.count(letter, left, right) for row in self._owners[top:bottom]])


def _find_gaps(taken: int, wide: int, starts: int) -> Iterator[int]:
    """Yield the columns of some from which so many squares are free in a row of squares.

    ``taken`` and ``starts`` have a bit for each column; bit 0 is the first.
    """
    reach = 1
    while reach < wide:
        step = min(reach, wide - reach)
        taken |= taken >> step
        reach += step
    free = starts & ~taken
    while free:
        lowest = free & -free
        yield lowest.bit_length() - 1
        free ^= lowest


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
        self._busy: Sequence[int] | None = None

    def take(self, box: Box) -> None:
        """Reserve a box."""
        self._taken.append(box)

    def over(self, quiet: Container[str], provinces: Iterable[str]) -> Self:
        """Return the same space and the quiet ones among some provinces."""
        found = copy(self)
        found._busy = self._grid.rows_of({id_ for id_ in provinces if id_ not in quiet})
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
        sheet, margin = self._sheet, self._margin
        lefts = [x - margin for x in _steps(sheet.left, sheet.right - width)]
        tops = [y - margin for y in _steps(sheet.top, sheet.bottom - height)]
        wide, high = width + 2 * margin, height + 2 * margin
        x, y = near[0] - wide / 2, near[1] - high / 2
        corners = self._grid.bare_corners(lefts, tops, wide, high, self._busy)
        for _, _, left, top in sorted(
            (n, (a - x) ** 2 + (b - y) ** 2, a, b) for n, a, b in corners
        ):
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


# The room of a name at a place, and the cost of that place.
#
# Thousands of places are tried for the names of a map, so the loops here work on plain numbers.


COVERED = 70.0
"""The cost of a unit, a city or a name under a name."""

OFF_SHEET = 500.0
"""The cost of a part of a name that is not on the sheet."""

CLEARLY = 7.0
"""The distance by which a fleet should be nearer to the name of its sea than to another."""

OVERHANG = 0.62
"""Half a curve divided by the length of its text, which must not run over the end."""

_SPACING = 0.6  # between the letters of a sea's name

Edges = tuple[float, float, float, float]
"""The left, top, right and bottom edge of a box."""


class Lettering(NamedTuple):
    """The setting of a name: its lines, size of letters, slant, angle and bend."""

    lines: tuple[str, ...]
    size: float
    sea: bool
    angle: float = 0.0
    bend: float = 0.0


class Piece(NamedTuple):
    """A part of a label's room, as distances from the label's middle.

    The middle of the piece is at ``x + across - fall, y + rise + down``: four numbers, so that
    places are compared with the same rounding wherever the label stands.
    """

    across: float
    fall: float
    rise: float
    down: float
    half: float
    above: float
    below: float

    def edges_at(self, at: Point) -> Edges:
        """Return the edges of the room the piece takes when the label stands at a point."""
        x, y = at[0] + self.across - self.fall, at[1] + self.rise + self.down
        return x - self.half, y - self.above, x + self.half, y + self.below

    def box_at(self, at: Point) -> Box:
        """Return the room the piece takes when the label stands at a point."""
        return Box(*self.edges_at(at))


def line_width(line: str, size: float, *, sea: bool) -> float:
    """Return the length of a line of a label in drawing units."""
    face: Face = "italic" if sea else "semibold"
    return width(line, size, face) + (len(line) * _SPACING if sea else 0.0)


@lru_cache(maxsize=4096)
def cut_into_pieces(name: Lettering) -> tuple[Piece, ...]:
    """Return the room of a label: one piece for a straight line, several where it is turned."""
    c, s = cos(radians(name.angle)), sin(radians(name.angle))
    found: list[Piece] = []
    for i, line in enumerate(name.lines):
        middle = (i - (len(name.lines) - 1) / 2) * name.size
        long = line_width(line, name.size, sea=name.sea)
        pieces = 1 if not (name.angle or name.bend) else max(2, round(long / name.size))
        part = long / pieces
        wide = abs(c) * part + abs(s) * name.size
        high = abs(s) * part + abs(c) * name.size
        for k in range(pieces):
            along = -long / 2 + (k + 0.5) * part
            off = middle + 2 * name.bend * along * along / (long * OVERHANG)
            found.append(
                Piece(
                    across=along * c,
                    fall=off * s,
                    rise=along * s,
                    down=off * c,
                    half=wide / 2,
                    above=high * 0.45,
                    below=high * 0.46,
                )
            )
    return tuple(found)


@lru_cache(maxsize=4096)
def find_extent(name: Lettering) -> Edges:
    """Return the edges of the box around the whole room of a label that stands at (0, 0)."""
    edges = [piece.edges_at((0.0, 0.0)) for piece in cut_into_pieces(name)]
    lefts, tops, rights, bottoms = zip(*edges, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


class Surroundings:
    """The boxes that are taken in a part of a map, found for a label's place.

    Many ways to set a name are tried at the same few places: what is near each is found once.
    """

    def __init__(self, taken: Sequence[Edges]) -> None:
        self.taken = taken
        self._reach: Edges = (0.0, 0.0, 0.0, 0.0)
        self._near: dict[Point, Sequence[Edges]] = {}

    def widen(self, extent: Edges) -> None:
        """Look so far around every place that a label with this extent is inside."""
        left, top, right, bottom = self._reach
        west, north, east, south = extent
        if west < left or north < top or east > right or south > bottom:
            self._reach = min(west, left), min(north, top), max(east, right), max(south, bottom)
            self._near.clear()

    def find_near(self, at: Point) -> Sequence[Edges]:
        """Return the boxes that a label at a place may cover."""
        near = self._near.get(at)
        if near is None:
            x, y = at
            left, top, right, bottom = self._reach
            west, north, east, south = x + left - 1, y + top - 1, x + right + 1, y + bottom + 1
            near = self._near[at] = [
                edges
                for edges in self.taken
                if west < edges[2] and edges[0] < east and north < edges[3] and edges[1] < south
            ]
        return near


def edges_of(box: Box) -> Edges:
    """Return the edges of a box."""
    return box.left, box.top, box.right, box.bottom


def is_free(room: Iterable[Edges], taken: Sequence[Edges]) -> bool:
    """Return whether no part of a room overlaps a box that is taken."""
    for left, top, right, bottom in room:
        for x1, y1, x2, y2 in taken:
            if left < x2 and x1 < right and top < y2 and y1 < bottom:
                return False
    return True


class PlaceCosts:
    """Counts the costs of places on one sheet.

    Attributes:
        sheet: the edges within which names stand.
        land: the counts of the squares of land.
    """

    def __init__(self, grid: Grid, land: SquareCounts, sheet: Box) -> None:
        self.grid, self.land, self.sheet = grid, land, edges_of(sheet)

    def count(
        self,
        ground: tuple[str, bool],
        pieces: Iterable[Piece],
        at: Point,
        taken: Sequence[Edges],
        limit: float,
    ) -> float:
        """Return the cost of a place: units, cities and names covered, borders crossed.

        ``ground`` is the province, and whether it is a sea.  Counting stops at the ``limit``: such
        a place is not taken anyway.
        """
        west, north, east, south = self.sheet
        x, y = at
        cost = 0.0
        for across, fall, rise, down, half, above, below in pieces:
            left, top = x + across - fall - half, y + rise + down - above
            right, bottom = x + across - fall + half, y + rise + down + below
            if left < west or right > east or top < north or bottom > south:
                cost += OFF_SHEET
            covered = 0.0
            for x1, y1, x2, y2 in taken:
                if left < x2 and x1 < right and top < y2 and y1 < bottom:
                    common = (min(right, x2) - max(left, x1)) * (min(bottom, y2) - max(top, y1))
                    covered += COVERED + common / (CELL * CELL)
                    if cost + covered >= limit:
                        break
            cost += covered
            if cost < limit:
                cost += self.count_abroad(ground, (left, top, right, bottom))
            if cost >= limit:
                break
        return cost

    def count_abroad(self, ground: tuple[str, bool], edges: Edges) -> float:
        """Return the cost of the squares of a box that lie outside the label's own province.

        Names on land may reach into the sea at a lower cost.
        """
        grid = self.grid
        province, sea = ground
        if sea:
            squares = grid.squares_within(*edges)
            return 12.0 * (squares.area - grid.count_owned(squares, province))
        half = CELL / 2
        left, top, right, bottom = edges
        squares = grid.squares_within(left + half, top + half, right - half, bottom - half)
        own = grid.count_owned(squares, province)
        land = self.land.within(squares) - own
        return 12.0 * land + 2.0 * (squares.area - own - land)


def distance_from_boxes(at: Point, boxes: Iterable[Box]) -> float:
    """Return the distance of a point from the nearest of some boxes."""
    return distance_from_room(at, [edges_of(box) for box in boxes])


def distance_from_room(at: Point, room: Iterable[Edges]) -> float:
    """Return the distance of a point from the nearest part of a room."""
    x, y = at
    nearest = float("inf")
    for left, top, right, bottom in room:
        across = left - x if x < left else x - right if x > right else 0.0
        down = top - y if y < top else y - bottom if y > bottom else 0.0
        nearest = min(nearest, hypot(across, down))
    return nearest


def cost_of_distances(
    room: Sequence[Edges], limits: Iterable[tuple[Point, float, bool]], dear: float
) -> float:
    """Return the cost of a sea's name that is too far from its fleets, or too near to others."""
    cost = 0.0
    for fleet, limit, own in limits:
        far = distance_from_room(fleet, room)
        wrong = far - limit + CLEARLY if own else limit + CLEARLY - far
        if wrong > 0:
            cost += dear * (1.0 + wrong / 50.0)
    return cost
