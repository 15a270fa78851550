"""A line chart of the centres over the years: where everything stands, for the page to draw.

Lengths are the chart's own units, which are CSS pixels where it is as wide as :data:`WIDTH`: as on
a telephone.  Colour is one of three things that tell the lines apart: each has its dashes, and
its power's name at its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alexmagnum.draw.palette import luminance, mix_colors
from alexmagnum.report.document import Curves

WIDTH, HEIGHT = 420.0, 290.0
LEFT, RIGHT, TOP, BOTTOM = 26.0, 300.0, 14.0, 262.0
"""The sides of the field with the lines; the names stand right of it."""

LINE_GAP = 1.5
"""How far apart lines run that would cover each other."""

NAME_GAP = 16.0
"""How far apart names stand at least."""

DASHES = ("", "9 4", "3 3", "12 3 3 3", "6 2 1 2", "15 5", "1 4", "9 2 2 2 2 2")
"""One to each power; the first is a line without gaps."""

PAPER, NIGHT = "#FFFDF8", "#1B1916"
"""What the page is printed on, in the light and in the dark appearance."""

CONTRAST = 3.2
"""What graphics need to stand out (WCAG asks for 3)."""


@dataclass(frozen=True, slots=True)
class Line:
    """A power's line: ``points`` as SVG has them, ``end`` the last; ``name_at`` how far down its
    name stands; ``light`` and ``dark`` its colour in the two appearances."""

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
class Tick:
    """A mark on an axis: how far across or down, and what stands there."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything to be drawn; ``goal`` is how far down victory lies, None if it is out of sight.

    The sides are those of the field with the lines.
    """

    counts: tuple[Tick, ...]
    years: tuple[Tick, ...]
    lines: tuple[Line, ...]
    goal: float | None
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    right: float = RIGHT
    bottom: float = BOTTOM


def draw_chart(curves: Curves) -> Chart:
    """The chart of at least two moments."""
    highest = max(count for curve in curves.curves for count in curve.counts)
    near = curves.goal and highest >= curves.goal * 2 / 3
    top = max(highest, curves.goal if near else 0) + 1
    return Chart(
        tuple(Tick(_down(count, top), str(count)) for count in _steps(top)),
        tuple(_years(curves)),
        tuple(_lines(curves, top)),
        _down(curves.goal, top) if near else None,
    )


def _down(count: float, top: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * count / top


def _across(time: float, times: Sequence[float]) -> float:
    first, last = times[0], times[-1]
    return LEFT + (RIGHT - LEFT) * (time - first) / (last - first)


def _steps(top: int) -> range:
    """Round figures from 0, six at most."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200) if top / step <= 6)
    return range(0, top + 1, step)


def _years(curves: Curves) -> Iterator[Tick]:
    """The ends of the years, eight at most: every one, every other, every fifth..."""
    times = [moment.time for moment in curves.moments]
    ends = [m for m in curves.moments if m.year and m.time > times[0]]
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200) if len(ends) / step <= 8)
    for moment in ends[::-1][::step][::-1]:
        yield Tick(_across(moment.time, times), moment.year)


def _lines(curves: Curves, top: int) -> Iterator[Line]:
    times = [moment.time for moment in curves.moments]
    middle = (len(curves.curves) - 1) / 2
    ends = [
        _down(curve.counts[-1], top) + (i - middle) * LINE_GAP
        for i, curve in enumerate(curves.curves)
    ]
    for i, (curve, name_at) in enumerate(zip(curves.curves, spread(ends), strict=True)):
        points = [
            (_across(time, times), _down(count, top) + (i - middle) * LINE_GAP)
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
            legible(curve.color, PAPER),
            legible(curve.color, NIGHT),
        )


def spread(heights: Sequence[float]) -> list[float]:
    """Places for names near their heights, :data:`NAME_GAP` apart and within the chart.

    >>> spread([100.0, 100.0, 30.0])
    [92.0, 108.0, 30.0]
    """
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    groups: list[list[int]] = []
    for i in order:
        groups.append([i])
        while len(groups) > 1 and _first(groups[-1], heights) < _last(groups[-2], heights):
            groups[-2:] = [groups[-2] + groups[-1]]
    placed = dict.fromkeys(order, 0.0)
    for group in groups:
        for rank, i in enumerate(group):
            placed[i] = _first(group, heights) + rank * NAME_GAP
    return [placed[i] for i in range(len(heights))]


def _first(group: Sequence[int], heights: Sequence[float]) -> float:
    """Where the first name of a group stands, the group's middle being that of its heights."""
    length = (len(group) - 1) * NAME_GAP
    middle = sum(heights[i] for i in group) / len(group)
    return max(TOP, min(middle - length / 2, BOTTOM - length))


def _last(group: Sequence[int], heights: Sequence[float]) -> float:
    """Where the name after a group may stand."""
    return _first(group, heights) + len(group) * NAME_GAP


def legible(color: str, ground: str) -> str:
    """A colour, or the nearest shade of it that stands out from the ground.

    >>> legible("#262626", "#FFFDF8"), legible("#262626", "#1B1916")
    ('#262626', '#727272')
    """
    extreme = "#000000" if luminance(ground) > 0.18 else "#FFFFFF"
    shades = (mix_colors(color, extreme, 1 - twentieth / 20) for twentieth in range(21))
    return next(shade for shade in shades if contrast(shade, ground) >= CONTRAST)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21 (WCAG 2)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)
