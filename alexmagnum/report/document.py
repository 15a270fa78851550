"""Reports as documents: blocks of words and figures without a layout, and the chart of centres."""

import re
import textwrap
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from markupsafe import Markup

from alexmagnum.draw.scene import Livery, luminance, mix_colors
from alexmagnum.i18n.sentences import Sentences, load_tables
from alexmagnum.report.results import ReportLine
from alexmagnum.report.words import Mention


class Fact(NamedTuple):
    """A line of the report's head; programs read ``value`` instead of the text."""

    key: str
    label: str
    text: str
    value: object


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs as somebody wrote them."""

    paragraphs: tuple[str, ...]


class Quotation(NamedTuple):
    """The words of a player, below a heading with the writer and the readers."""

    heading: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quotations:
    """Texts of players, which are marked so that they cannot look like the report's own."""

    quotations: tuple[Quotation, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list of short texts."""

    items: tuple[str, ...]


class Column(NamedTuple):
    """A column: ``key`` for programs, ``label`` for people; ``number`` if it holds figures."""

    key: str
    label: str
    number: bool = False


FIGURES = frozenset({"centres", "units", "upkeep", "nobility"})
"""The columns of reports that hold figures."""


def name_columns(sentences: Sentences, *keys: str) -> tuple[Column, ...]:
    """Return columns by their keys, each with the sentence that names it."""
    return tuple(Column(key, sentences.format(f"column-{key}"), key in FIGURES) for key in keys)


class Cell(NamedTuple):
    """A cell of a table; programs read ``value`` or, if that is None, the text."""

    text: str
    value: object = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of a row is the row's heading."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class OrderGroup:
    """The orders of a power with their results, and the units it has ``after`` the phase.

    ``bot`` is the name of the bot that gave the orders, and ``mark`` says so in words; both are ""
    if a person did.
    """

    power: str
    name: str
    lines: tuple[ReportLine, ...]
    after: tuple[str, ...]
    bot: str = ""
    mark: str = ""

    @property
    def heading(self) -> str:
        """The name of the power, with the mark of a bot."""
        return f"{self.name} – {self.mark}" if self.mark else self.name


@dataclass(frozen=True, slots=True)
class Orders:
    """The orders of all powers; ``after`` is the label of the units each has after the phase."""

    groups: tuple[OrderGroup, ...]
    after: str


@dataclass(frozen=True, slots=True)
class Code:
    """A text for copying."""

    text: str


Body = Prose | Quotations | Items | Table | Orders | Code


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a report; programs know it by its ``key``.

    A page shows the title alone of a ``folded`` section until its reader opens it.  If there is a
    ``pointer``, people read it in place of the body, which programs still get.  ``mentions`` say
    what each item or row of the body is about; they are empty if pages do not point at them.
    """

    key: str
    title: str
    body: Body
    note: str = ""
    folded: bool = False
    pointer: str = ""
    mentions: tuple[Mention, ...] = ()

    @property
    def shown(self) -> Body:
        """The body that people read."""
        return Prose((self.pointer,)) if self.pointer else self.body


class Moment(NamedTuple):
    """A moment at which centres were counted.

    Attributes:
        time: years since the beginning of the first year.
        label: the moment in words.
        year: the year that ended then, "" for none.
    """

    time: float
    label: str
    year: str = ""


class Curve(NamedTuple):
    """The number of a power's centres at each moment, and its colour ``#RRGGBB``."""

    power: str
    name: str
    color: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Curves:
    """The centres of all powers over the years; ``goal`` is the number that wins the game."""

    moments: tuple[Moment, ...]
    curves: tuple[Curve, ...]
    goal: int


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """The report of a phase for one reader.

    Attributes:
        title: the name of the map.
        phase: the phase in words.
        code: the name of the phase on the command line.
        recipient: the id of a power, ``"gm"``, or None for everybody.
        curves: the chart of a page; None if there is nothing to compare yet.
        liveries: how pages show the powers.
    """

    title: str
    game: str
    phase: str
    code: str
    version: int
    lang: str
    recipient: str | None
    facts: tuple[Fact, ...]
    sections: tuple[Section, ...] = field(default=())
    curves: Curves | None = None
    liveries: Mapping[str, Livery] = field(default_factory=dict)


# Text that is safe in Markdown, whatever marks of Markdown or HTML it contains.


_MARKED = re.compile(r"([\\`*_\[\]|~])")
_AT_START = re.compile(r"^(\s*)([#+=>-]|\d+(?=[.)]))", re.MULTILINE)


def escape_markdown(text: str) -> str:
    """Return a text in which nothing counts as a mark of Markdown or a tag of HTML."""
    safe = _MARKED.sub(r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))
    return _AT_START.sub(_escape_start, safe)


def _escape_start(match: re.Match[str]) -> str:
    """Escape the beginning of a line; a number keeps its digits, as only its dot starts a list."""
    blank, mark = match.groups()
    return f"{blank}{mark}\\" if mark.isdigit() else f"{blank}\\{mark}"


def escape_cell(text: str) -> str:
    """Return a text for a cell of a table: no list starts there, so figures keep their points.

    >>> escape_cell("22.5 %"), escape_cell("a|b")
    ('22.5 %', 'a\\\\|b')
    """
    return escape_markdown(f"x{text}")[1:]


def fence_text(text: str) -> str:
    """Return a text between fences that are longer than any in it."""
    fence = "`" * (max(map(len, re.findall(r"`{3,}", text)), default=2) + 1)
    return f"{fence}yaml\n{text.rstrip()}\n{fence}"


# Wrap running text; names of units and figures are never broken at the end of a line.


WIDTH = 78
"""The width of running text in the text format."""

_UNIT = re.compile(r"\b([AFG]) (?=[A-Z]{2})")
_STRENGTHS = re.compile(r"(\(\d+) (\w+) (?=\d+\b)")
_PERCENT = re.compile(r"(?<=\d) (?=%)")


def join_names_and_figures(text: str) -> str:
    """Return a text with no-break spaces inside the names of units (``A MEN``), in strengths in
    brackets (``(2 against 1)``) and before ``%``."""
    joined = _UNIT.sub("\\1\N{NO-BREAK SPACE}", text)
    joined = _STRENGTHS.sub("\\1\N{NO-BREAK SPACE}\\2\N{NO-BREAK SPACE}", joined)
    return _PERCENT.sub("\N{NO-BREAK SPACE}", joined)


def wrap_text(text: str, first: str = "", rest: str = "", width: int = WIDTH) -> str:
    """Return a text in lines of a width, each of its own lines wrapped by itself; ``first`` and
    ``rest`` are the indents of the first line and of all others."""
    lines = [
        textwrap.fill(
            _loosen(join_names_and_figures(line), width - len(rest)),
            width,
            initial_indent=first if i == 0 else rest,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for i, line in enumerate(text.splitlines())
    ]
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def quote_lines(text: str, mark: str = "| ") -> str:
    """Return a text with a mark before each line, so that none looks like a line around it.

    >>> print(quote_lines("hello\\n\\nRESULTS"))
    | hello
    |
    | RESULTS
    """
    return "\n".join(f"{mark}{line}".rstrip() for line in text.splitlines())


def _loosen(line: str, room: int) -> str:
    """Return a line that may break within words joined by no-break spaces that fit no line."""
    return " ".join(
        join_names_and_figures(word.replace("\N{NO-BREAK SPACE}", " "))
        if len(word) > room
        else word
        for word in line.split(" ")
    )


def wrap_lines(text: str, width: int, indent: str = "  ") -> list[str]:
    """Return a text as a list of lines of a width, all but the first indented."""
    return wrap_text(text, "", indent, width).splitlines()


# The scripts of pages: files of the templates, joined, with the digest that lets them run.


class Script(NamedTuple):
    """The script of a page; the page's security policy names its ``digest``, so no other runs."""

    text: Markup
    digest: str


@cache
def load_page_parts() -> Mapping[str, Mapping[str, list[str]]]:
    """Return what ``pages.toml`` lists: by part of a page, its ``files`` and ``sentences``."""
    (parts,) = load_tables([files("alexmagnum.report") / "templates" / "pages.toml"])
    return parts


@cache
def load_script(*names: str) -> Script:
    """Return files of the templates as one script, in this order; a part stands for its files.

    ``panzoom.js`` is for every page with a map; its first lines say how to use it.
    """
    folder, parts = files("alexmagnum.report") / "templates", load_page_parts()["files"]
    listed = [file for name in names for file in parts.get(name, [name])]
    text = "\n".join((folder / name).read_text(encoding="utf-8") for name in listed)
    # Without indentation and comments the order sheet, which goes out with every report, is smaller
    # by a twentieth.
    lines = (line.strip() for line in text.splitlines())
    text = "\n".join(line for line in lines if line and not line.startswith("//"))
    digest = b64encode(sha256(text.encode()).digest()).decode("ascii")
    return Script(Markup(text), f"sha256-{digest}")


# The line chart of centres over the years, as coordinates for the page to draw.


CHART_WIDTH, CHART_HEIGHT = 420.0, 290.0
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
class ChartLine:
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
    lines: tuple[ChartLine, ...]
    goal: float | None
    width: float = CHART_WIDTH
    height: float = CHART_HEIGHT
    left: float = LEFT
    right: float = RIGHT
    bottom: float = BOTTOM


def draw_chart(curves: Curves) -> Chart:
    """Return the chart of curves with at least two moments."""
    highest = max(count for curve in curves.curves for count in curve.counts)
    near = curves.goal and highest >= curves.goal * 2 / 3
    top = max(highest, curves.goal if near else 0) + 1
    counts = range(0, top + 1, _find_step(top, 6))
    return Chart(
        tuple(AxisMark(_height(count, top), str(count)) for count in counts),
        tuple(_years(curves)),
        tuple(_lines(curves, top)),
        _height(curves.goal, top) if near else None,
    )


def _height(count: float, top: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * count / top


def _distance(time: float, times: Sequence[float]) -> float:
    first, last = times[0], times[-1]
    return LEFT + (RIGHT - LEFT) * (time - first) / (last - first)


def _find_step(length: int, most: int) -> int:
    """Return the step of an axis that has at most so many marks."""
    return next(step for step in (1, 2, 5, 10, 20, 50, 100, 200) if length / step <= most)


def _years(curves: Curves) -> Iterator[AxisMark]:
    times = [moment.time for moment in curves.moments]
    ends = [m for m in curves.moments if m.year and m.time > times[0]]
    for moment in ends[:: -_find_step(len(ends), 8)][::-1]:
        yield AxisMark(_distance(moment.time, times), moment.year)


def _lines(curves: Curves, top: int) -> Iterator[ChartLine]:
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
        yield ChartLine(
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
        while len(groups) > 1 and (
            _first_place(groups[-1], heights)
            < _first_place(groups[-2], heights) + len(groups[-2]) * NAME_GAP
        ):
            groups[-2:] = [groups[-2] + groups[-1]]
    placed = dict.fromkeys(order, 0.0)
    for group in groups:
        for rank, i in enumerate(group):
            placed[i] = _first_place(group, heights) + rank * NAME_GAP
    return [placed[i] for i in range(len(heights))]


def _first_place(group: Sequence[int], heights: Sequence[float]) -> float:
    length = (len(group) - 1) * NAME_GAP
    middle = sum(heights[i] for i in group) / len(group)
    return max(TOP, min(middle - length / 2, BOTTOM - length))


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
