"""The line chart of centres over the years, as coordinates for the page to draw.

Lengths are in units of the chart, which are CSS pixels if it is :data:`WIDTH` pixels wide, as on a
telephone.  Lines differ in colour and dashes, and each has the name of its power at its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alexmagnum.draw.palette import luminance, mix_colors
from alexmagnum.report.document import Curves

WIDTH, HEIGHT = 420.0, 290.0
LEFT, RIGHT, TOP, BOTTOM = 26.0, 300.0, 14.0, 262.0
"""The sides of the field with the lines; the names are to the right of it."""

LINE_GAP = 1.5
"""The distance between lines that would otherwise cover each other."""

NAME_GAP = 16.0
"""The least distance between two names."""

DASHES = ("", "9 4", "3 3", "12 3 3 3", "6 2 1 2", "15 5", "1 4", "9 2 2 2 2 2")
"""The dashes of each power; the first is a line without gaps."""

PAPER, NIGHT = "#FFFDF8", "#1B1916"
"""The background of the page in its light and in its dark appearance."""

CONTRAST = 3.2
"""The contrast of a line with the background (WCAG requires 3)."""


@dataclass(frozen=True, slots=True)
class Line:
    """The line of a power.

    Attributes:
        points: the points in the notation of SVG.
        end: the last point.
        name_at: the height of the name at the end.
        light: the colour in the light appearance of the page.
        dark: the colour in its dark appearance.
    """

    power: str
    name: str
    count: int
    points: str
    end: tuple[float, float]
    name_at: float
    dash: str
    light: str
    dark: str


@dataclass(frozen=True, slots=True)
class AxisMark:
    """A mark on an axis: its distance across or down, and its text."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart ready to be drawn.

    Attributes:
        goal: the height of the line of victory; None while every power is far from it.
        left: with ``right`` and ``bottom`` the sides of the field with the lines.
    """

    counts: tuple[AxisMark, ...]
    years: tuple[AxisMark, ...]
    lines: tuple[Line, ...]
    goal: float | None
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    right: float = RIGHT
    bottom: float = BOTTOM


def draw_chart(curves: Curves) -> Chart:
    """Return the chart of curves with at least two moments."""
    highest = max(count for curve in curves.curves for count in curve.counts)
    near = curves.goal and highest >= curves.goal * 2 / 3
    top = max(highest, curves.goal if near else 0) + 1
    return Chart(
        tuple(AxisMark(_height(count, top), str(count)) for count in _steps(top)),
        tuple(_years(curves)),
        tuple(_lines(curves, top)),
        _height(curves.goal, top) if near else None,
    )


def _height(count: float, top: float) -> float:
    """Return the distance of a number of centres from the upper edge."""
    return BOTTOM - (BOTTOM - TOP) * count / top


def _distance(time: float, times: Sequence[float]) -> float:
    """Return the distance of a moment from the left edge."""
    first, last = times[0], times[-1]
    return LEFT + (RIGHT - LEFT) * (time - first) / (last - first)


def _steps(top: int) -> range:
    """Return round figures from 0 up, seven at most."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200) if top / step <= 6)
    return range(0, top + 1, step)


def _years(curves: Curves) -> Iterator[AxisMark]:
    """Yield at most eight ends of years: every one, every second, every fifth..."""
    times = [moment.time for moment in curves.moments]
    ends = [m for m in curves.moments if m.year and m.time > times[0]]
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200) if len(ends) / step <= 8)
    for moment in ends[::-1][::step][::-1]:
        yield AxisMark(_distance(moment.time, times), moment.year)


def _lines(curves: Curves, top: int) -> Iterator[Line]:
    """Yield the line of each power; lines that would cover each other run side by side."""
    times = [moment.time for moment in curves.moments]
    middle = (len(curves.curves) - 1) / 2
    ends = [
        _height(curve.counts[-1], top) + (i - middle) * LINE_GAP
        for i, curve in enumerate(curves.curves)
    ]
    for i, (curve, name_at) in enumerate(zip(curves.curves, spread_names(ends), strict=True)):
        points = [
            (_distance(time, times), _height(count, top) + (i - middle) * LINE_GAP)
            for time, count in zip(times, curve.counts, strict=True)
        ]
        yield Line(
            curve.power,
            curve.name,
            curve.counts[-1],
            " ".join(f"{x:.1f},{y:.1f}" for x, y in points),
            points[-1],
            name_at,
            DASHES[i % len(DASHES)],
            make_legible(curve.color, PAPER),
            make_legible(curve.color, NIGHT),
        )


def spread_names(heights: Sequence[float]) -> list[float]:
    """Return places for names near some heights, :data:`NAME_GAP` apart and inside the chart.

    >>> spread_names([100.0, 100.0, 30.0])
    [92.0, 108.0, 30.0]
    """
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    groups: list[list[int]] = []
    for i in order:
        groups.append([i])
        while len(groups) > 1 and _overlap(groups[-2], groups[-1], heights):
            groups[-2:] = [groups[-2] + groups[-1]]
    placed = dict.fromkeys(order, 0.0)
    for group in groups:
        for rank, i in enumerate(group):
            placed[i] = _first_place(group, heights) + rank * NAME_GAP
    return [placed[i] for i in range(len(heights))]


def _overlap(upper: Sequence[int], lower: Sequence[int], heights: Sequence[float]) -> bool:
    """Return whether a group of names begins before the group above it ends."""
    return _first_place(lower, heights) < _next_place(upper, heights)


def _first_place(group: Sequence[int], heights: Sequence[float]) -> float:
    """Return the place of a group's first name, so that the group is centred on its heights."""
    length = (len(group) - 1) * NAME_GAP
    middle = sum(heights[i] for i in group) / len(group)
    return max(TOP, min(middle - length / 2, BOTTOM - length))


def _next_place(group: Sequence[int], heights: Sequence[float]) -> float:
    """Return the first free place after a group."""
    return _first_place(group, heights) + len(group) * NAME_GAP


def make_legible(color: str, ground: str) -> str:
    """Return a colour, or the nearest shade of it with enough contrast to the background.

    >>> make_legible("#262626", "#FFFDF8"), make_legible("#262626", "#1B1916")
    ('#262626', '#727272')
    """
    extreme = "#000000" if luminance(ground) > 0.18 else "#FFFFFF"
    shades = (mix_colors(color, extreme, 1 - twentieth / 20) for twentieth in range(21))
    return next(shade for shade in shades if contrast(shade, ground) >= CONTRAST)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)
