"""The room of a name at a place, and the cost of that place.

Thousands of places are tried for the names of a map, so the loops here work on plain numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import cos, hypot, radians, sin
from typing import NamedTuple

from alexmagnum.draw.fonts import Face, width
from alexmagnum.draw.grid import CELL, Grid, SquareCounts
from alexmagnum.draw.scene import Box, Point

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
