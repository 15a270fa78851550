"""The drawing of a map before anything stands on it, as values in drawing units.

An :class:`Atlas` holds the outlines of the provinces, rivers, cities and the places of names and
units; :mod:`~alexmagnum.draw.map_shapes` makes one.  A :class:`Grid` tells which province a point
is in, and :class:`FreeSpace` where a panel has room.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from math import ceil, cos, pi, sin
from typing import NamedTuple, Self

from alexmagnum.draw.scene import NOBODY, SHEET, Box, Point

SMALLEST = 14.5
"""The smallest letter: legible in a picture in a mail, which is two thirds of the sheet."""

Ring = tuple[Point, ...]
"""The outline of an area, or the course of a line, as its points."""


@dataclass(frozen=True, slots=True)
class NamePlace:
    """The place of a province's name: its middle, lines, size of letters and angle (degrees)."""

    at: Point
    lines: tuple[str, ...]
    size: float
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class ProvinceDrawing:
    """A province on the sheet.

    Attributes:
        box: the smallest box around its rings.
        slots: the places for units; a sea has one for each number.
        coasts: the places for fleets, by coast, in a province with several coasts.
        city: the place of its supply centre.
    """

    id: str
    rings: tuple[Ring, ...]
    box: Box
    slots: tuple[Point, ...]
    name: NamePlace | None = None
    city: Point | None = None
    coasts: Mapping[str, Point] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Feature:
    """Something on the map besides provinces, such as a river or a mountain.

    Attributes:
        kind: the kind of feature, as in the file of shapes.
        look: its texture or symbol.
        lines: its rings, courses or single points.
        name: its name; the first language of the map's file, if there are several.
        names: its name by language, if it is lettered on the map.
        label: the place of the lettering.
        boxes: the bounding box of each of the lines.
    """

    kind: str
    look: str
    lines: tuple[Ring, ...]
    name: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    label: NamePlace | None = None
    boxes: tuple[Box, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "boxes", tuple(map(bounding_box, self.lines)))

    def lines_near(self, box: Box) -> tuple[Ring, ...]:
        """Return the lines whose bounding boxes meet a box."""
        lines = zip(self.lines, self.boxes, strict=True)
        return tuple(line for line, around in lines if around.meets(box))


@dataclass(frozen=True, slots=True)
class PlacedNames:
    """The places of all names of a map in one language, which its file keeps.

    Attributes:
        digest: that of the map for which they were placed.
        names: the place of each province's name, and the height of its arc to its length.
        fleets: the places of fleets in the seas where they are others than the map's.
    """

    digest: str
    names: Mapping[str, tuple[NamePlace, float]]
    fleets: Mapping[str, tuple[Point, ...]]


@dataclass(frozen=True, slots=True)
class Atlas:
    """A map without units and owners, ready to be drawn.

    Attributes:
        links: the borders to be drawn as lines, with their kind; only schematic maps have any.
        flat: True for a map whose coordinates are not degrees on the globe.
        width: the width of the sheet; a part of a map may have a narrower one.
        beyond: where the provinces lie that a part of a map leaves out, in its coordinates.
        least_letter: the size of the smallest letters of a name.
        placed: the names that the map's file keeps, by language.
    """

    height: float
    grounds: Mapping[str, ProvinceDrawing]
    features: tuple[Feature, ...] = ()
    links: tuple[tuple[Point, Point, str], ...] = ()
    flat: bool = False
    width: float = SHEET
    beyond: Mapping[str, Point] = field(default_factory=dict)
    least_letter: float = SMALLEST
    placed: Mapping[str, PlacedNames] = field(default_factory=dict)

    @property
    def box(self) -> Box:
        """The whole sheet."""
        return Box(0.0, 0.0, self.width, self.height)

    @property
    def is_part(self) -> bool:
        """Tell whether this is a part of a map, which has other provinces around it."""
        return bool(self.beyond)

    def of(self, *kinds: str) -> Iterator[Feature]:
        """Yield the features of some kinds, in the file's order."""
        return (feature for feature in self.features if feature.kind in kinds)

    def cut(self, box: Box) -> Atlas:
        """Return the part that meets a box: whole provinces, other features line by line."""
        grounds = {id_: g for id_, g in self.grounds.items() if g.box.meets(box)}
        features = [
            replace(feature, lines=lines)
            for feature in self.features
            if (lines := feature.lines_near(box))
        ]
        return replace(self, grounds=grounds, features=tuple(features))


def bounding_box(points: Iterable[Point]) -> Box:
    """Return the smallest box that holds the points."""
    xs, ys = zip(*points, strict=True)
    return Box(min(xs), min(ys), max(xs), max(ys))


# The symbols of units, placed so that none covers another.


SIZE = 28.0
"""The height of a unit's symbol in drawing units."""

RADIUS = 14.0
"""The radius of the circle around a symbol that lines avoid."""

WHOLE = 17.0
"""The radius of the circle around a symbol that holds all of it."""

DISC = 11.0
"""The radius of the disc in the middle of a symbol, which lies on no border."""

APART = 36.0
"""The least distance between the middles of two symbols: no two cover each other, from any side."""

# The way from the map to a frame that shows a part of it larger.


@dataclass(frozen=True, slots=True)
class Lens:
    """The way from the map's coordinates into a frame that shows a window of the map larger."""

    window: Box
    frame: Box

    @property
    def scale(self) -> float:
        """The magnification of the window."""
        return self.frame.width / self.window.width

    def __call__(self, point: Point) -> Point:
        """Return a point of the map in the frame."""
        k = self.scale
        return (
            self.frame.left + (point[0] - self.window.left) * k,
            self.frame.top + (point[1] - self.window.top) * k,
        )

    def inverse(self, point: Point) -> Point:
        """Return the point of the map that a point of the frame shows."""
        k = self.scale
        return (
            self.window.left + (point[0] - self.frame.left) / k,
            self.window.top + (point[1] - self.frame.top) / k,
        )

    def line(self, points: Iterable[Point]) -> tuple[Point, ...]:
        """Return a line of the map in the frame."""
        return tuple(map(self, points))

    def box(self, box: Box) -> Box:
        """Return a box of the map in the frame."""
        return Box(*self((box.left, box.top)), *self((box.right, box.bottom)))


# The sheet as a grid of small squares, which tells provinces and free space.


CELL = 8.0
"""The side of a square in drawing units."""

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

    def left_of(self, top: int, bottom: int) -> list[int]:
        """Return for each column how many squares of some rows are counted to the left of it."""
        pairs = zip(self._sums[top], self._sums[bottom], strict=True)
        return [below - above for above, below in pairs]


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
            if (inside := around.count(letter) if letter else 0) in (0, len(around)):
                return inside > 0
        return _is_inside(self._edges_of(province).get(row, ()), point)

    def has_room(self, province: str, point: Point, radius: float) -> bool:
        """Return whether a disc about a point lies in a province."""
        x, y = point
        around = ((x + dx * radius, y + dy * radius) for dx, dy in (_DISC if radius else ()))
        return self.holds(province, point) and all(self.holds(province, at) for at in around)

    def _edges_of(self, province: str) -> Mapping[int, Sequence[Edge]]:
        """Return the edges of a province's outlines by the rows that they touch."""
        if (found := self._edges.get(province)) is None:
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


_DISC = tuple(
    (far * cos(k * pi / 8), far * sin(k * pi / 8)) for k in range(16) for far in (1.0, 0.5)[k % 2 :]
)
"""Points all over a disc of the radius 1: coasts have thin parts."""


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
            band = _find_range(top, top + high, grid.rows)
            busy, hidden = self._busy.left_of(*band), grid.provinces.left_of(*band)
            for (first, last), left in spans.items():
                if busy[first] == busy[last]:
                    far = (left - x) ** 2 + (top - y) ** 2
                    corners.append((hidden[last] - hidden[first], far, left, top))
        for _, _, left, top in sorted(corners):
            if not (box := Box(left, top, left + wide, top + high)).meets_any(self._taken):
                return box.grown(-margin)
        return None


def _steps(first: float, last: float) -> list[float]:
    """Return places two squares apart, from the first to the last, both included."""
    if last < first:
        return []
    return [first + k * 2 * CELL for k in range(int((last - first) // (2 * CELL)) + 1)] + [last]
