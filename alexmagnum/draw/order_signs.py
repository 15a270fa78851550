"""The signs of orders as shapes: arrows, dashes, bursts, crosses."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, cos, pi, sin

from alexmagnum.draw.arrows import Line, cut_piece, line_length, point_along
from alexmagnum.draw.atlas import bounding_box
from alexmagnum.draw.paths import circle_path, path_data
from alexmagnum.draw.scene import Box, Point, Shape, Text

HEAD, _HALF, _NOTCH = 14.0, 6.6, 10.5
"""The length of a head, half its width, and the distance of its notch from the tip."""

BURST = 8.0
"""The radius of the burst where an attack bounces."""

PLACE = 6.4
"""The radius of the number of an empty place."""

BURST_AROUND = 13.0
"""The radius of a burst around the number of an empty place."""

LENGTHS = {"point": HEAD, "half": _HALF, "notch": _NOTCH, "burst": BURST}
"""The lengths of a head and of a burst, for pages that draw arrows by themselves."""


def arrow(line: Line, *, good: bool, look: str = "") -> Iterator[Shape]:
    """Yield an arrow, full if the move succeeded, hollow if it failed."""
    long = line_length(line)
    head = min(HEAD, long * 0.8)
    shaft = path_data([cut_piece(line, 0.0, long - head * 0.7)])
    tip = path_data([_head(line, long, head)], closed=True)
    more = f" {look}" if look else ""
    yield Shape(shaft, f"casing{more}")
    yield Shape(tip, "casing point")
    yield Shape(shaft, f"rail{more}" if good else f"rail wide{more}")
    yield Shape(shaft, f"line{more}" if good else f"line wide{more}")
    if good:
        yield Shape(tip, "head")
    else:
        yield Shape(shaft, f"core{more}")
        yield Shape(tip, "head rim")
        yield Shape(tip, "head open")


def _head(line: Line, long: float, head: float) -> list[Point]:
    """Return tip, barb, notch and barb, turned like the last part of the line."""
    tip = line[-1]
    (bx, by), _ = point_along(line, long - head)
    angle = atan2(tip[1] - by, tip[0] - bx)
    c, s, k = cos(angle), sin(angle), head / HEAD
    corners = ((0.0, 0.0), (-HEAD, -_HALF), (-_NOTCH, 0.0), (-HEAD, _HALF))
    return [(tip[0] + k * (x * c - y * s), tip[1] + k * (x * s + y * c)) for x, y in corners]


def dashes(line: Line, *, cut: bool = False) -> Iterator[Shape]:
    """Yield the dashed line of a support; if it was cut, with a gap and slashes across."""
    long = line_length(line)
    parts = [line]
    if cut and long > 20:
        parts = [cut_piece(line, 0.0, long / 2 - 5), cut_piece(line, long / 2 + 5, long)]
    data = path_data(parts)
    yield Shape(data, "casing thin")
    yield Shape(data, "rail dashed")
    yield Shape(data, "line dashed")
    if cut:
        yield from slashes(line)


def slashes(line: Line) -> Iterator[Shape]:
    """Yield two strokes across the middle of a line."""
    long = line_length(line)
    (x, y), (dx, dy) = point_along(line, long / 2)
    strokes = [
        [
            (x + dx * k + (dx * 0.4 - dy) * 6.5, y + dy * k + (dy * 0.4 + dx) * 6.5),
            (x + dx * k - (dx * 0.4 - dy) * 6.5, y + dy * k - (dy * 0.4 + dx) * 6.5),
        ]
        for k in (-2.4, 2.4)
    ]
    data = path_data(strokes)
    yield Shape(data, "casing thin")
    yield Shape(data, "slash")


def void_line(line: Line) -> Iterator[Shape]:
    """Yield the thin dotted line of an order without effect, with a cross on it."""
    data = path_data([line])
    yield Shape(data, "casing thin")
    yield Shape(data, "nothing")
    (middle, _) = point_along(line, line_length(line) / 2)
    yield from cross(middle, 3.6, "small")


def cross(at: Point, half: float, look: str = "") -> Iterator[Shape]:
    """Yield two crossed strokes."""
    (x, y), h = at, half
    data = path_data([[(x - h, y - h), (x + h, y + h)], [(x - h, y + h), (x + h, y - h)]])
    yield Shape(data, f"cross under {look}".strip())
    yield Shape(data, f"cross {look}".strip())


def head_box(line: Line) -> Box:
    """Return the room of the head at the end of an arrow, with its light edge."""
    long = line_length(line)
    return bounding_box(_head(line, long, min(HEAD, long * 0.8))).grown(2.0)


def place_number(at: Point, number: int) -> Iterator[Shape | Text]:
    """Yield the number of an empty place in a sea, like that of a fleet that stands there."""
    yield Shape(circle_path(at, PLACE), "place")
    yield Text(str(number), (at[0], at[1] + 3.8), 11.5, "place-number")


def tether(at: Point, place: Point) -> Iterator[Shape]:
    """Yield a thin line from a unit to the place in its province for which it has no room."""
    data = path_data([[at, place]])
    yield Shape(data, "casing thin")
    yield Shape(data, "tether")
    yield Shape(circle_path(place, 2.6), "tether-end")


def frame_cross(at: Point, scale: float = 1.0) -> Iterator[Shape]:
    """Yield a red cross around a unit that leaves its letter free: four strokes at the corners."""
    x, y = at
    inner, outer = 8.6 * scale, 17.0 * scale
    data = path_data(
        [
            [(x + a * inner, y + b * inner), (x + a * outer, y + b * outer)]
            for a in (-1, 1)
            for b in (-1, 1)
        ]
    )
    yield Shape(data, "cross under")
    yield Shape(data, "cross")


def burst(at: Point, radius: float = BURST) -> Shape:
    """Return a star of nine rays, where an attack bounces."""
    rays = [(i * pi / 9, radius if i % 2 == 0 else radius * 0.5) for i in range(18)]
    points = [(at[0] + r * sin(turn), at[1] - r * cos(turn)) for turn, r in rays]
    return Shape(path_data([points], closed=True), "burst")


def knob(at: Point) -> Shape:
    """Return the dot at which a support joins the arrow that it supports."""
    return Shape(circle_path(at, 3.4), "knob")


def shield(at: Point, radius: float, toward: Point) -> Iterator[Shape]:
    """Yield an arc around a unit, on the side from which it is supported to hold."""
    middle = atan2(toward[1] - at[1], toward[0] - at[0])
    turns = [middle + (k - 4) * 0.17 for k in range(9)]
    data = path_data([[(at[0] + radius * cos(t), at[1] + radius * sin(t)) for t in turns]])
    yield Shape(data, "rail")
    yield Shape(data, "line")


def strike(at: Point) -> Iterator[Shape]:
    """Yield a stroke through the cloth of a flag, for a pick that got nothing."""
    x, y = at
    data = path_data([[(x - 3.5, y - 13.0), (x + 26.0, y - 39.0)]])
    yield Shape(data, "cross under")
    yield Shape(data, "cross")


def waves(at: Point) -> Iterator[Shape]:
    """Yield two rows of waves under a fleet that convoys."""
    x, y = at
    data = "".join(
        f"M{x - 15:.1f},{y + down:.1f}q3.7,-4.4 7.5,0t7.5,0 7.5,0 7.5,0" for down in (17.0, 21.5)
    )
    yield Shape(data, "casing thin")
    yield Shape(data, "wave rim")
    yield Shape(data, "wave")


def ground_bar(at: Point) -> Iterator[Shape]:
    """Yield a bar under a unit that holds."""
    x, y = at[0], at[1] + 17.5
    data = path_data([[(x - 9, y - 3), (x - 9, y), (x + 9, y), (x + 9, y - 3)]])
    yield Shape(data, "rail bar")
    yield Shape(data, "line bar")


def double_bar(at: Point) -> Iterator[Shape]:
    """Yield two bars under a unit that holds and stood although it was attacked."""
    x, y = at[0], at[1] + 17.5
    upper = [(x - 9, y - 3), (x - 9, y), (x + 9, y), (x + 9, y - 3)]
    data = path_data([upper, [(x - 9, y + 7), (x + 9, y + 7)]])
    yield Shape(data, "rail bar")
    yield Shape(data, "line bar stood")


def plus(at: Point) -> Iterator[Shape]:
    """Yield a plus on a green disc, for a unit that is built."""
    x, y = at
    yield Shape(circle_path(at, 6.4), "plus-disc")
    yield Shape(path_data([[(x - 3.6, y), (x + 3.6, y)], [(x, y - 3.6), (x, y + 3.6)]]), "plus")


def banner(at: Point) -> Iterator[Shape]:
    """Yield a flag whose pole stands on a point."""
    x, y = at
    pole = path_data([[(x, y), (x, y - 34)]])
    cloth = path_data(
        [[(x, y - 34), (x + 25, y - 34), (x + 19.5, y - 26), (x + 25, y - 18), (x, y - 18)]],
        closed=True,
    )
    yield Shape(pole, "casing thin")
    yield Shape(cloth, "casing point")
    yield Shape(pole, "pole")
    yield Shape(cloth, "cloth")


def pennon(at: Point) -> Iterator[Shape]:
    """Yield the cloth of a flag alone, small enough for a row of the legend."""
    x, y = at
    corners = [(x - 12, y - 7), (x + 12, y - 7), (x + 7, y), (x + 12, y + 7), (x - 12, y + 7)]
    yield Shape(path_data([corners], closed=True), "cloth")
