"""Bend the lines of orders so that they avoid units, names and each other.

A line is a sequence of points close enough to be drawn as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from math import ceil, sqrt

from alexmagnum.draw.paths import distance, point_toward
from alexmagnum.draw.scene import Box, Point

Line = tuple[Point, ...]

STEP = 7.0
"""The greatest distance between two points of a bent line."""

SHORTEST = 32.0
"""The length that a line should have at the least: its head, and as much again."""

_SHORT = 2.5
"""The cost of each unit of length that a line is too short."""

_CELL = 24.0
_BENDS = (0.0, 0.08, -0.08, 0.16, -0.16, 0.26, -0.26, 0.38, -0.38, 0.54, -0.54, 0.75, -0.75)
"""The swings of a line, in parts of its length; positive ones are to the left of its way."""

_WIDE = (1.0, -1.0, 1.4, -1.4)
"""More bends, for neighbours so close that a straight line has no room."""

_SKEWS = (0.5, 0.28, 0.72)
"""The places along a line where it may swing out most."""

_DISC, _NAME, _LINE, _HEAD, _CITY, _OUTSIDE = 60.0, 4.0, 5.0, 24.0, 5.0, 200.0
"""The cost of a point on a unit, on a name, near another line, on a line's head, on the sign of a
centre, and off the sheet."""

_BURST = 25.0
"""The cost of a point on a burst."""

LENGTHS = {
    "step": STEP,
    "cell": _CELL,
    "bends": _BENDS,
    "wide": _WIDE,
    "skews": _SKEWS,
    "disc": _DISC,
    "name": _NAME,
    "line": _LINE,
    "head": _HEAD,
    "city": _CITY,
    "outside": _OUTSIDE,
    "dear_burst": _BURST,
    "shortest": SHORTEST,
    "short": _SHORT,
}
"""All of these, for pages that draw lines by themselves."""


@dataclass(frozen=True, slots=True)
class End:
    """An end of a line: a point and the gap to it.

    ``key`` is the unit at the point, if any; ``burst`` the radius of a burst in the gap.
    """

    at: Point
    gap: float = 0.0
    key: object = None
    burst: float = 0.0


@dataclass(slots=True)
class Obstacles:
    """The obstacles that lines avoid; every line that is laid is an obstacle to the next."""

    sheet: Box
    _cells: dict[tuple[float, float], list[tuple[float, object, Box, Point, float]]] = field(
        default_factory=dict
    )

    def disc(self, key: object, at: Point, radius: float) -> None:
        """Add the symbol of a unit."""
        self._enter(_DISC, key, at, radius)

    def name(self, box: Box) -> None:
        """Add a name."""
        self._add_obstacle((_NAME, None, box, box.middle, 0.0), box)

    def city(self, at: Point) -> None:
        """Add the sign of a centre."""
        self._enter(_CITY, None, at, 8.0)

    def lay(self, line: Line, key: object, *, headed: bool = True) -> None:
        """Add a line with a head at its end; it is no obstacle to lines of the same key."""
        for point in line[1:-1]:
            self._enter(_LINE, ("line", key), point, 5.0)
        if headed:
            self._enter(_HEAD, ("line", key), line[-1], 9.0)

    def burst(self, at: Point, radius: float, key: object) -> None:
        """Add the burst of a bounce; it is no obstacle to lines of the same key."""
        self._enter(_BURST, key, at, radius + 2.0)

    def _enter(self, dear: float, key: object, at: Point, radius: float) -> None:
        """Add a round obstacle."""
        box = Box(at[0], at[1], at[0], at[1]).grown(radius)
        self._add_obstacle((dear, key, box, at, radius), box)

    def _add_obstacle(self, entry: tuple[float, object, Box, Point, float], box: Box) -> None:
        """Add an obstacle to every cell that its box touches."""
        for cell in self._over(box):
            self._cells.setdefault(cell, []).append(entry)

    def _over(self, box: Box) -> Iterator[tuple[int, int]]:
        """Yield the cells that a box touches."""
        for column in range(int(box.left // _CELL), int(box.right // _CELL) + 1):
            for row in range(int(box.top // _CELL), int(box.bottom // _CELL) + 1):
                yield column, row

    def within(self, box: Box) -> int:
        """Return how many obstacles other than lines reach into a box."""
        entries = {entry for cell in self._over(box) for entry in self._cells.get(cell, ())}
        drawn = (_LINE, _HEAD, _BURST)
        return sum(entry[2].meets(box) for entry in entries if entry[0] not in drawn)

    def cost(self, line: Line, free: Iterable[object] = (), limit: float = 1e9) -> float:
        """Return the cost of a line; obstacles with a key in ``free`` do not count.

        Adding stops when the cost exceeds ``limit``.
        """
        own = frozenset(free)
        cells, sheet = self._cells, self.sheet
        total = 0.0
        for x, y in line:
            if not (sheet.left <= x <= sheet.right and sheet.top <= y <= sheet.bottom):
                total += _OUTSIDE
            for dear, key, box, (cx, cy), radius in cells.get((x // _CELL, y // _CELL), ()):
                if radius:
                    met = (x - cx) ** 2 + (y - cy) ** 2 < radius * radius
                else:
                    met = box.left <= x <= box.right and box.top <= y <= box.bottom
                if met and (key is None or key not in own):
                    total += dear
            if total > limit:
                break
        return total


def bend_line(
    start: End,
    end: End,
    around: Obstacles,
    *,
    free: Iterable[object] = (),
    side: int = 0,
) -> tuple[Line, float]:
    """Return the line between two ends that costs least, and its cost.

    ``side`` is 1 for a line that must swing out to the left of its way, -1 for one to the right:
    then it cannot coincide with a line of the opposite way that keeps to the same side.
    """
    own = (start.key, end.key, *free)
    straight = distance(start.at, end.at)
    bends = _BENDS if straight > start.gap + end.gap + SHORTEST else (*_BENDS, *_WIDE)
    best: Line = (start.at, end.at)
    least = 1e9
    for bend in bends:
        if side and bend * side < 0.15:
            continue
        swing = abs(bend) * (straight * 0.3 + 6.0)
        if swing >= least:
            break
        for skew in _SKEWS if bend else (0.5,):
            line = _arc(start, end, bend, skew)
            dear = swing * (1.0 if skew == 0.5 else 1.15) + _shortness_cost(line)
            if dear < least:
                weighed = (*line, *line[-3:], *_burst_points(line, end))  # the head counts twice
                dear += around.cost(weighed, own, least - dear)
            if dear < least:
                best, least = line, dear
    return best, least


def _burst_points(line: Line, end: End) -> Iterator[Point]:
    """Yield points all over the burst at the end of a line, if it has one."""
    if not end.burst:
        return
    (x, y), r = burst_middle(line, end), end.burst
    for across, down in ((0.0, 0.0), (r, 0.0), (-r, 0.0), (0.0, r), (0.0, -r)):
        yield x + across, y + down


def burst_middle(line: Line, end: End) -> Point:
    """Return the middle of a burst: the empty place, else a point before the unit there."""
    if not end.key and distance(end.at, line[-1]) < end.gap + 2.0:
        return end.at
    (x, y), (dx, dy) = point_along(line, line_length(line))
    return x + dx * end.burst * 0.7, y + dy * end.burst * 0.7


def _shortness_cost(line: Line) -> float:
    """Return the cost of a line that is too short to be seen."""
    if distance(line[0], line[-1]) > SHORTEST + 1.0:
        return 0.0
    return max(0.0, SHORTEST - line_length(line)) * _SHORT


def _arc(start: End, end: End, bend: float, skew: float) -> Line:
    """Return a parabola between two ends that leaves and reaches them along its tangents."""
    (x1, y1), (dx, dy) = start.at, (end.at[0] - start.at[0], end.at[1] - start.at[1])
    middle = x1 + dx * skew + dy * bend, y1 + dy * skew - dx * bend
    return parabola(
        point_toward(start.at, middle, start.gap), middle, point_toward(end.at, middle, end.gap)
    )


def parabola(a: Point, middle: Point, b: Point) -> Line:
    """Return the points of a quadratic curve, at most ``STEP`` apart."""
    n = max(4, ceil((distance(a, middle) + distance(middle, b)) / STEP))
    return tuple(
        [
            (p * a[0] + q * middle[0] + r * b[0], p * a[1] + q * middle[1] + r * b[1])
            for p, q, r in _parabola_weights(n)
        ]
    )


@cache
def _parabola_weights(n: int) -> tuple[tuple[float, float, float], ...]:
    """Return the weights of start, middle and end in the points of a curve of ``n`` pieces."""
    parts = [i / n for i in range(n + 1)]
    return tuple(((1 - t) * (1 - t), 2 * (1 - t) * t, t * t) for t in parts)


def smooth_line(points: Sequence[Point]) -> Line:
    """Return a line through some points without a kink (Catmull and Rom)."""
    if len(points) < 3:
        return tuple(points)
    padded = [points[0], *points, points[-1]]
    found: list[Point] = []
    for i in range(len(points) - 1):
        found += _span(*padded[i : i + 4])
    return (*found, points[-1])


def _span(a: Point, b: Point, c: Point, d: Point) -> Iterator[Point]:
    """Yield the points of a smooth line from ``b`` to ``c``."""
    n = max(3, ceil(distance(b, c) / STEP))
    for i in range(n):
        t = i / n
        weights = (
            (-t + 2 * t**2 - t**3) / 2,
            (2 - 5 * t**2 + 3 * t**3) / 2,
            (t + 4 * t**2 - 3 * t**3) / 2,
            (t**3 - t**2) / 2,
        )
        pairs = list(zip(weights, (a, b, c, d), strict=True))
        yield sum(w * p[0] for w, p in pairs), sum(w * p[1] for w, p in pairs)


def line_length(line: Line) -> float:
    """Return the length of a line."""
    total = 0.0
    for a, b in pairwise(line):
        total += distance(a, b)  # sum() adds otherwise from Python 3.12 on
    return total


def point_along(line: Line, along: float) -> tuple[Point, Point]:
    """Return the point at a distance along a line, and the direction there (a unit vector)."""
    left = max(along, 0.0)
    ahead = (1.0, 0.0)
    for a, b in pairwise(line):
        step = distance(a, b)
        if not step:
            continue
        ahead = (b[0] - a[0]) / step, (b[1] - a[1]) / step
        if left <= step:
            return (a[0] + ahead[0] * left, a[1] + ahead[1] * left), ahead
        left -= step
    return line[-1], ahead


def cut_piece(line: Line, first: float, last: float) -> Line:
    """Return the part of a line between two distances from its start, at least two points."""
    inner = []
    gone = 0.0
    for a, b in pairwise(line):
        gone += distance(a, b)
        if first < gone < last:
            inner.append(b)
    return point_along(line, first)[0], *inner, point_along(line, max(last, first))[0]


def trim_start(line: Line, at: Point, gap: float) -> Line:
    """Return a line without the part up to where it finally leaves a circle."""
    out = next(
        (i for i in range(len(line) - 1, -1, -1) if distance(line[i], at) < gap),
        -1,
    )
    if out < 0:
        return line
    if out == len(line) - 1:
        return line[-2:]
    inside, outside = line[out], line[out + 1]
    near, far = distance(inside, at), distance(outside, at)
    t = (gap - near) / (far - near) if far > near else 1.0
    edge = inside[0] + (outside[0] - inside[0]) * t, inside[1] + (outside[1] - inside[1]) * t
    return edge, *line[out + 1 :]


def nearest_length(line: Line, to: Point) -> float:
    """Return the distance along a line to the point that is nearest to another point."""
    best, at, gone = 1e18, 0.0, 0.0
    for a, b in pairwise(line):
        dx, dy = b[0] - a[0], b[1] - a[1]
        square = dx * dx + dy * dy
        t = ((to[0] - a[0]) * dx + (to[1] - a[1]) * dy) / square if square else 0.0
        t = min(max(t, 0.0), 1.0)
        off = distance(to, (a[0] + t * dx, a[1] + t * dy))
        if off < best:
            best, at = off, gone + t * sqrt(square)
        gone += sqrt(square)
    return at
