"""The plots and the map of a balance report: SVG for a page, by matplotlib."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import alexmagnum.draw.scene
from alexmagnum.board.model import Board
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.draw.scene import SPARE, assign_liveries, path_data, simplify
from alexmagnum.lab.balance_figures import BalanceFigures, ProvinceFigures
from alexmagnum.report import document
from alexmagnum.report.balance_tables import BalanceWords

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Text stays text, and colours are variables of the page, so plots follow its dark appearance.
# Lengths are those of :mod:`alexmagnum.report.document`: a plot is 420 units wide, as on a
# telephone.


INK, SOFT, LINE, MARK, BAND = "#010101", "#020202", "#030303", "#040404", "#050505"
"""Stand-ins for the colours of the page, which :func:`_use_variable` replaces."""

_STAND_INS = {"ink": INK, "soft": SOFT, "line": LINE, "mark": MARK, "band": BAND}
_VARIABLES = {color: name for name, color in _STAND_INS.items()}

_AXIS, _LEADER = document.LEFT + 8, 14.0
"""The left side of the field with the lines, and the length of a line to its name."""

_ROW = 24.0  # the height of a row of intervals
_STYLE = Path(__file__).with_name("templates") / "balance.mplstyle"  # the style sheet of all plots


@dataclass(frozen=True, slots=True)
class Range:
    """A row of intervals: a name, a value with its interval, and the name of its colour."""

    name: str
    value: float
    low: float
    high: float
    color: str


@dataclass(frozen=True, slots=True)
class Path2D:
    """A line over the years with its band, and the name of its colour."""

    name: str
    color: str
    years: tuple[float, ...]
    values: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    last: str


@dataclass(frozen=True, slots=True)
class Stack:
    """One part of stacked columns: the number of games by year."""

    name: str
    counts: Mapping[int, int]


def plot_ranges(key: str, ranges: Sequence[Range], par: float, unit: Callable[[float], str]) -> str:
    """Return a plot with a point and an interval in each row; a line marks par."""
    height = 34 + _ROW * len(ranges)

    def draw(axes: Axes) -> None:
        highest = max(*(row.high for row in ranges), par)
        lowest = min(*(row.low for row in ranges), par)
        axes.set_xlim(min(0.0, lowest), highest * 1.04 if highest > 0 else 1.0)
        axes.set_ylim(len(ranges) - 0.5, -0.5)
        axes.grid(axis="x", linewidth=1)
        axes.axvline(par, color=MARK, linewidth=1.2, dashes=(1, 3))
        for y, row in enumerate(ranges):
            color = _stand_in(row.color)
            axes.plot([row.low, row.high], [y, y], color=color, linewidth=2.4)
            axes.plot([row.value], [y], "o", color=color, markersize=7)
        axes.set_yticks(range(len(ranges)), [row.name for row in ranges])
        axes.tick_params(axis="y", length=0, labelcolor=INK, pad=8)
        for label in axes.get_yticklabels():
            label.set_verticalalignment("center_baseline")
        axes.tick_params(axis="x", length=0)
        axes.xaxis.set_major_formatter(lambda value, _: unit(value))
        axes.locator_params(axis="x", nbins=6)
        axes.spines["bottom"].set_visible(False)

    widest = max(alexmagnum.draw.scene.width(row.name, 14) for row in ranges)
    return _plot(key, draw, height, (widest + 14, 6, document.CHART_WIDTH - 14, height - 26))


def plot_paths(key: str, paths: Sequence[Path2D], unit: Callable[[float], str]) -> str:
    """Return a plot of lines with bands over the years; each line has its name at its end."""
    widest = max(alexmagnum.draw.scene.width(f"{path.name} {path.last}", 14) for path in paths)
    right = document.CHART_WIDTH - widest - _LEADER - 8

    def draw(axes: Axes) -> None:
        axes.set_ylim(0, max(max(path.high) for path in paths) * 1.02)
        first = min(path.years[0] for path in paths)
        axes.set_xlim(first, max(first + 1, *(path.years[-1] for path in paths)))
        axes.grid(axis="y", linewidth=1)
        for i, path in enumerate(paths):
            color, dash = _stand_in(path.color), _dashes(document.DASHES[i % len(document.DASHES)])
            axes.fill_between(path.years, path.low, path.high, color=color, alpha=0.13, linewidth=0)
            axes.plot(path.years, path.values, color=color, linewidth=2.2, dashes=dash)
        _name_ends(axes, paths, _LEADER / (right - _AXIS))
        axes.yaxis.set_major_formatter(lambda value, _: unit(value))
        axes.tick_params(length=0)
        axes.locator_params(axis="x", integer=True, nbins=8)

    return _plot(key, draw, document.CHART_HEIGHT, (_AXIS, document.TOP, right, document.BOTTOM))


def _name_ends(axes: Axes, paths: Sequence[Path2D], leader: float) -> None:
    """Write the names of the lines at their ends, moved apart where they would overlap."""
    low, high = axes.get_ylim()
    ends = [
        document.BOTTOM - (path.values[-1] - low) / (high - low) * (document.BOTTOM - document.TOP)
        for path in paths
    ]
    left, right = axes.get_xlim()
    for path, at in zip(paths, document.spread_names(ends), strict=True):
        y = low + (document.BOTTOM - at) / (document.BOTTOM - document.TOP) * (high - low)
        end = (path.years[-1], path.values[-1])
        color = _stand_in(path.color)
        axes.plot(*end, "o", color=color, markersize=5, clip_on=False)
        name_x = right + (right - left) * leader  # a part of the field's width
        axes.plot([end[0], name_x], [end[1], y], color=color, linewidth=1, clip_on=False)
        axes.annotate(
            f"{path.name} {path.last}",
            (name_x, y),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            annotation_clip=False,
        )


def plot_stacks(key: str, stacks: Sequence[Stack]) -> str:
    """Return a plot with a column of games for each last year; its parts are five ways to end."""
    looks = ((MARK, 1.0), (SOFT, 0.75), (SOFT, 0.35), (LINE, 1.0), (INK, 0.9))
    years = sorted({year for stack in stacks for year in stack.counts})

    def draw(axes: Axes) -> None:
        floor = dict.fromkeys(years, 0)
        for stack, (color, alpha) in zip(stacks, looks, strict=True):
            if not stack.counts:
                continue
            axes.bar(
                years,
                [stack.counts.get(year, 0) for year in years],
                bottom=[floor[year] for year in years],
                color=color,
                alpha=alpha,
                width=0.82,
                label=stack.name,
            )
            floor = {year: floor[year] + stack.counts.get(year, 0) for year in years}
        axes.set_xlim(years[0] - 0.7, years[-1] + 0.7)
        axes.set_ylim(0, max(floor.values()) * 1.05)
        axes.grid(axis="y", linewidth=1)
        axes.tick_params(length=0)
        axes.locator_params(axis="x", integer=True, nbins=9)
        axes.locator_params(axis="y", integer=True, nbins=6)
        axes.legend(
            loc="lower left",
            bbox_to_anchor=(-0.02, 1.0),
            ncols=min(sum(bool(stack.counts) for stack in stacks), 3),
            frameon=False,
            handlelength=1,
            handletextpad=0.5,
            columnspacing=1.2,
            borderpad=0,
        )

    return _plot(key, draw, 240, (document.LEFT + 12, 30, document.CHART_WIDTH - 10, 214))


# -- from a drawing to SVG ----------------------------------------------------------------------


def _plot(
    key: str, draw: Callable[[Axes], None], height: float, inside: tuple[float, float, float, float]
) -> str:
    """Return an SVG element with the drawing of ``draw`` in a field (its left, top, right and
    bottom); ``key`` makes its ids different from those of other plots."""
    import matplotlib
    from matplotlib.figure import Figure

    _register_fonts()
    no_metadata = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    with matplotlib.rc_context({"svg.hashsalt": key}, _STYLE):
        figure = Figure(figsize=(document.CHART_WIDTH / 72, height / 72), dpi=72)
        left, top, right, bottom = inside
        axes = figure.add_axes(
            (
                left / document.CHART_WIDTH,
                1 - bottom / height,
                (right - left) / document.CHART_WIDTH,
                (bottom - top) / height,
            )
        )
        axes.set_facecolor("none")
        draw(axes)
        out = StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata=no_metadata)
    return _clean(out.getvalue(), height)


@cache
def _register_fonts() -> None:
    from matplotlib.font_manager import fontManager

    for path in sorted((Path(alexmagnum.draw.scene.__file__).parent / "fonts").glob("*.ttf")):
        fontManager.addfont(path)


def _stand_in(name: str) -> str:
    """Return a colour that stands for a variable such as ``p2-5`` while matplotlib draws.

    >>> _stand_in("p2-5"), _stand_in("ink")
    ('#0b0205', '#010101')
    """
    if name in _STAND_INS:
        return _STAND_INS[name]
    board, power = name.removeprefix("p").split("-")
    return f"#0b{int(board):02x}{int(power):02x}"


def _dashes(pattern: str) -> tuple[float, ...] | tuple[None, None]:
    """Return a pattern of dashes as matplotlib writes it.

    >>> _dashes("9 4"), _dashes("")
    ((9.0, 4.0), (None, None))
    """
    return tuple(float(part) for part in pattern.split()) if pattern else (None, None)


_NEEDLESS = re.compile(
    r"""<metadata>.*?</metadata>|<style.*?</style>|<clipPath.*?</clipPath>|<!--.*?-->
    |<g\ id="[^"]*"/>|\ clip-path="[^"]*"|\ transform="rotate\(-0[^"]*"|(?<=<g)\ id="[^"]*"
    |(?<=\d\.\d)\d+""",
    re.DOTALL | re.VERBOSE,
)
"""The parts of a plot that a page does not need: metadata, styles, clips, ids, extra digits."""


def _clean(svg: str, height: float) -> str:
    body = _NEEDLESS.sub("", svg[svg.index("<defs>") :])
    body = re.sub(r"#0[0-9a-f]{5}", _use_variable, body)
    text = "\n".join(filter(None, map(str.strip, body.splitlines())))
    return f'<svg viewBox="0 0 {document.CHART_WIDTH:.0f} {height:.0f}">\n{text}'


def _use_variable(color: re.Match[str]) -> str:
    if color[0] in _VARIABLES:
        return f"var(--{_VARIABLES[color[0]]})"
    if color[0].startswith("#0b"):
        return f"var(--p{int(color[0][3:5], 16)}-{int(color[0][5:], 16)})"
    return color[0]


# The map of a balance report: the shade of a province shows how often units entered it.


SHADES = 5
"""The number of shades for provinces that units entered; all other provinces are hatched."""

_SLACK = 1.2  # the largest distance of an outline from that of a large map, in units of the drawing

_WIDTH = 1200.0


def draw_outlines(board: Board, ground: str) -> str:
    """Return the outlines of the provinces, which all pictures of this map in the page share; the
    id of an outline in the page begins with ``ground``."""
    atlas = load_atlas(board)
    scale = _WIDTH / atlas.box.width
    return "\n".join(
        f'<path id="{ground}-{escape(province.id)}" d="{path_data(rings, closed=True)}"/>'
        for province in atlas.grounds.values()
        for rings in (
            [
                [(x * scale, y * scale) for x, y in simplify(ring, _SLACK)]
                for ring in province.rings
            ],
        )
    )


def draw_use(
    board: Board,
    ground: str,
    provinces: Sequence[ProvinceFigures],
    series: str,
    words: BalanceWords,
) -> str:
    """Return the map as an SVG element without a title; provinces have titles with figures."""
    atlas = load_atlas(board)
    scale = _WIDTH / atlas.box.width
    used = {province.province: province for province in provinces}
    limits = shade_limits([province.entries for province in provinces])
    parts = []
    for id_ in atlas.grounds:
        if (figures := used.get(id_)) is None:
            continue
        title = words.say(
            "province-use",
            province=words.province(series, figures.province),
            entries=words.numerals.number(figures.entries, 2),
            battles=words.numerals.number(figures.battles, 2),
        )
        look = "sea " if board.provinces[id_].is_sea else ""
        parts.append(
            f'<use class="{look}u{shade_of_use(figures.entries, limits)}" '
            f'href="#{ground}-{escape(id_)}"><title>{escape(title)}</title></use>'
        )
    height = atlas.box.height * scale
    return (
        f'<svg class="use" viewBox="0 0 {_WIDTH:.0f} {height:.0f}">\n' + "\n".join(parts) + "</svg>"
    )


def shade_limits(entries: Sequence[float]) -> tuple[float, ...]:
    """Return the highest figure of each shade but the last; all have equally many provinces.

    >>> shade_limits([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    (2, 4, 6, 8)
    """
    if not (some := sorted(figure for figure in entries if figure > 0)):
        return ()
    return tuple(some[max(0, len(some) * k // SHADES - 1)] for k in range(1, SHADES))


def shade_of_use(entries: float, limits: Sequence[float]) -> int:
    """Return the shade of a figure: 0 if no unit entered, else 1 to 5.

    >>> [shade_of_use(n, (2, 4, 6, 8)) for n in (0, 2, 3, 9)]
    [0, 1, 2, 5]
    """
    return 0 if entries <= 0 else 1 + sum(entries > limit for limit in limits)


def list_shades(
    provinces: Sequence[ProvinceFigures], words: BalanceWords
) -> Iterator[tuple[int, str]]:
    """Yield the number of each shade on the map with its range of figures, for the legend."""
    entries = [province.entries for province in provinces]
    limits = shade_limits(entries)
    if any(figure <= 0 for figure in entries):
        yield 0, words.say("never")
    for shade in range(1, SHADES + 1):
        if inside := [figure for figure in entries if shade_of_use(figure, limits) == shade]:
            low, high = (
                words.numerals.number(end, 2 if end < 1 else 1)
                for end in (min(inside), max(inside))
            )
            yield shade, low if low == high else f"{low}–{high}"


# The colours of powers in a balance report, as variables of the page.


def list_colors(
    figures: BalanceFigures, boards: Mapping[str, Board]
) -> Mapping[str, tuple[str, str]]:
    """Return by variable the colour of a power on light pages and that on dark pages: those of the
    maps, darker or lighter if they are too near to that of the page."""
    colors: dict[str, tuple[str, str]] = {}
    for n, series in enumerate(figures.series):
        board = boards.get(series.name)
        liveries = assign_liveries(board) if board is not None else {}
        for i, power in enumerate(series.powers):
            livery = liveries.get(power.power)
            color = livery.color if livery is not None else SPARE[i % len(SPARE)]
            colors[color_name(n, i)] = (
                document.make_legible(color, document.PAPER),
                document.make_legible(color, document.NIGHT),
            )
    return colors


def color_name(series: int, power: int) -> str:
    """Return the name of the variable with the colour of a power."""
    return f"p{series}-{power}"
