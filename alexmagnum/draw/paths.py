"""Path data of SVG, and the plane geometry that drawing needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import hypot, sqrt
from statistics import fmean

from alexmagnum.draw.scene import Box, Point


def path_data(lines: Iterable[Sequence[Point]], *, closed: bool = False) -> str:
    """Return lines as path data in tenths of a unit, each point relative to the one before.

    Points that coincide at this precision are left out, and so is every sign that is not needed to
    tell two numbers apart: outlines are most of a picture.

    >>> path_data([[(0, 0), (10, 0), (10, 0.04), (10, 5.25), (9.5, 6)]])
    'M0 0l10 0 0 5.2-.5.8'
    """
    return "".join(_line_data(line, closed) for line in lines)


def _line_data(points: Sequence[Point], closed: bool) -> str:
    """Return one line as path data."""
    grid = [(round(x * 10), round(y * 10)) for x, y in points]
    if closed and len(grid) > 1 and grid[0] == grid[-1]:
        grid.pop()
    steps = [(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(grid)]
    rest = _join_tenths([n for step in steps if any(step) for n in step])
    return f"M{_join_tenths(grid[0])}" + (f"l{rest}" if rest else "") + ("z" if closed else "")


def _join_tenths(numbers: Iterable[int]) -> str:
    """Return tenths as decimals in a row; a sign or a second point begins the next number."""
    parts: list[str] = []
    has_point = False
    for number in numbers:
        text = _format_tenths(number)
        needs_no_blank = not parts or text[0] == "-" or (text[0] == "." and has_point)
        parts.append(text if needs_no_blank else " " + text)
        has_point = "." in text
    return "".join(parts)


@cache
def _format_tenths(tenths: int) -> str:
    """Return tenths as a decimal without needless digits.

    >>> [_format_tenths(tenths) for tenths in (0, 7, -7, 30, -125)]
    ['0', '.7', '-.7', '3', '-12.5']
    """
    sign = "-" if tenths < 0 else ""
    whole, part = divmod(abs(tenths), 10)
    return f"{sign}{whole or ''}.{part}" if part else f"{sign}{whole}"


def circle_path(at: Point, radius: float) -> str:
    """Return a circle as path data."""
    x, y, r, d = at[0] - radius, at[1], f"{radius:.1f}", f"{2 * radius:.1f}"
    return f"M{x:.1f},{y:.1f}a{r},{r} 0 1 0 {d},0a{r},{r} 0 1 0 -{d},0z"


def rectangle_path(box: Box) -> str:
    """Return a box as path data."""
    return f"M{box.left:.1f},{box.top:.1f}h{box.width:.1f}v{box.height:.1f}h-{box.width:.1f}z"


def mean_point(points: Sequence[Point]) -> Point:
    """Return the middle of some points."""
    return fmean(x for x, _ in points), fmean(y for _, y in points)


def distance(a: Point, b: Point) -> float:
    """Return the distance between two points, to the last bit as a script in a page gets it."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return sqrt(dx * dx + dy * dy)


def point_toward(a: Point, b: Point, length: float) -> Point:
    """Return the point at a distance from ``a`` towards ``b``; ``a`` itself if they coincide."""
    whole = distance(a, b)
    if not whole:
        return a
    t = length / whole
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def simplify(points: Sequence[Point], slack: float) -> tuple[Point, ...]:
    """Return a line without the points that lie within ``slack`` of it (Douglas and Peucker)."""
    if len(points) < 3:
        return tuple(points)
    kept = {0, len(points) - 1}
    spans = [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        far, at = slack, 0
        for i in range(first + 1, last):
            off = _distance_from_segment(points[i], points[first], points[last])
            if off > far:
                far, at = off, i
        if at:
            kept.add(at)
            spans += [(first, at), (at, last)]
    return tuple(points[i] for i in sorted(kept))


def _distance_from_segment(p: Point, a: Point, b: Point) -> float:
    """Return the distance of a point from the segment between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square if square else 0.0
    t = min(max(t, 0.0), 1.0)
    return hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def cut_rings(rings: Iterable[Sequence[Point]], box: Box) -> tuple[tuple[Point, ...], ...]:
    """Return the outlines of areas cut around a box, without those that leave no points."""
    return tuple(part for ring in rings if (part := cut_ring(ring, box)))


def cut_ring(ring: Sequence[Point], box: Box) -> tuple[Point, ...]:
    """Return the outline of an area, cut around a box; inside the box the area stays the same.

    Every side that meets the box stays whole, so that it is drawn as before to the last pixel.  The
    cuts lie outside the box.  A ring that has nothing of the box inside leaves no points.

    >>> cut_ring([(0, 0), (90, 0), (90, 2), (0, 2)], Box(80, -9, 95, 9))
    ((0, 0), (90, 0), (90, 2), (0, 2))
    >>> cut_ring([(0, 0), (70, 0), (90, 0), (90, 2), (70, 2), (0, 2)], Box(80, -9, 95, 9))
    ((70, 0), (90, 0), (90, 2), (70, 2))
    """
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    if box.left <= left and right <= box.right and box.top <= top and bottom <= box.bottom:
        return tuple(ring)
    if right < box.left or box.right < left or bottom < box.top or box.bottom < top:
        return ()
    room = _room_of_sides(ring, box)
    cut = list(ring)
    for axis, edge, inward in (
        (0, room.left, 1),
        (0, room.right, -1),
        (1, room.top, 1),
        (1, room.bottom, -1),
    ):
        cut = list(_half_of_ring(cut, axis, edge, inward))
    return tuple(cut)


def _room_of_sides(ring: Sequence[Point], box: Box) -> Box:
    """Return the smallest box around a box and all sides of a ring that may meet it."""
    left, top, right, bottom = box.left, box.top, box.right, box.bottom
    for (x1, y1), (x2, y2) in pairwise((*ring, ring[0])):
        if (
            max(x1, x2) >= box.left
            and min(x1, x2) <= box.right
            and max(y1, y2) >= box.top
            and min(y1, y2) <= box.bottom
        ):
            left, right = min(left, x1, x2), max(right, x1, x2)
            top, bottom = min(top, y1, y2), max(bottom, y1, y2)
    return Box(left, top, right, bottom)


def _half_of_ring(ring: Sequence[Point], axis: int, edge: float, inward: int) -> Iterator[Point]:
    """Yield the part of a ring on one side of a line along an axis (Sutherland and Hodgman)."""
    for a, b in pairwise((*ring[-1:], *ring)):
        before, after = (a[axis] - edge) * inward, (b[axis] - edge) * inward
        if before * after < 0:
            t = before / (before - after)
            yield a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
        if after >= 0:
            yield b
