"""Pictures as values (scenes), with colours and letters, and writing them as SVG, PNG or PDF."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from io import BytesIO
from itertools import chain, groupby, pairwise
from math import hypot, sqrt
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.errors import BadPicture

if TYPE_CHECKING:
    from jinja2 import Environment
    from typst import Fonts


# The description of a picture: what is drawn and where, in no particular file format.
#
# Lengths are drawing units: the sheet of a map is :data:`SHEET` of them wide. The looks are the
# classes that the template's style sheet knows.


Point = tuple[float, float]
"""Across and down from the upper left corner, in drawing units."""

SHEET = 2400.0
"""The width of the map in drawing units."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """The width of the box."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The height of the box."""
        return self.bottom - self.top

    @property
    def middle(self) -> Point:
        """The middle of the box."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def grown(self, by: float) -> Box:
        """Return the box with more room on every side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def moved(self, across: float, down: float) -> Box:
        """Return the box in another place."""
        return Box(self.left + across, self.top + down, self.right + across, self.bottom + down)

    def meets(self, other: Box) -> bool:
        """Return whether two boxes overlap."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def meets_any(self, others: Iterable[Box]) -> bool:
        """Return whether the box overlaps at least one of several."""
        left, top, right, bottom = self.left, self.top, self.right, self.bottom
        for other in others:
            across = left < other.right and other.left < right
            if across and top < other.bottom and other.top < bottom:
                return True
        return False

    def encloses(self, other: Box) -> bool:
        """Return whether all of another box is in the box."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )

    def holds(self, point: Point) -> bool:
        """Return whether a point is in the box."""
        return self.left <= point[0] <= self.right and self.top <= point[1] <= self.bottom

    def nearest(self, point: Point) -> Point:
        """Return the point of the box that is nearest to a point."""
        x, y = point
        return min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)


def square(middle: Point, half: float) -> Box:
    """Return the square around a point; ``half`` is half its side."""
    return Box(*middle, *middle).grown(half)


@dataclass(frozen=True, slots=True)
class Shape:
    """A path.  ``d`` is path data, or ``#id`` for a shape among the scene's ``outlines``.

    ``province`` says whose outline it is, where that is of interest; ``fill`` a colour or
    a pattern's ``#id`` where the look does not say it; ``width`` likewise that of the line.
    """

    d: str
    look: str
    province: str = ""
    title: str = ""
    fill: str = ""
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text, its middle (or start) at a point of the baseline.

    ``angle`` turns it about that point (degrees, clockwise); ``curve`` is path data that the
    baseline follows instead, the text's middle at the middle of the path.  ``province`` is the
    province whose name it is.
    """

    text: str
    at: Point
    size: float
    look: str
    angle: float = 0.0
    curve: str = ""
    province: str = ""


@dataclass(frozen=True, slots=True)
class Token:
    """A unit's symbol.

    ``unit`` is its canonical name; ``letter`` that of its power, ``number`` its place in a sea
    (0: not shown); ``size`` the symbol's height; ``state`` is ``""``, ``"dislodged"`` or
    ``"ghost"``; ``order`` and ``result`` are what is told of it on touch.
    """

    unit: str
    kind: str
    power: str
    letter: str
    at: Point
    size: float
    number: int = 0
    state: str = ""
    title: str = ""
    order: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """The drawing of one order: arrows, lines and signs that belong together.

    ``look`` is the kind of order (``move``, ``support``, ``convoy``...), ``to`` the province
    that it is about, where there is one.
    """

    unit: str
    power: str
    look: str
    result: str
    shapes: tuple[Shape | Text, ...]
    title: str = ""
    to: str = ""


Item = Shape | Text | Token | Mark


@dataclass(frozen=True, slots=True)
class Layer:
    """Items drawn one after the other; ``key`` names the layer, ``view`` the picture to which it
    belongs where several are in one."""

    key: str
    items: tuple[Item, ...]
    view: str = ""


@dataclass(frozen=True, slots=True)
class Inset:
    """A part of the map drawn larger: ``window`` is what it shows, ``frame`` where it stands.

    ``ground`` is drawn in the map's own coordinates and enlarged; ``layers`` are in those of the
    sheet, so that symbols and letters keep their size.  ``view`` is as in a layer.
    """

    window: Box
    frame: Box
    ground: tuple[Shape, ...]
    layers: tuple[Layer, ...]
    view: str = ""

    @property
    def scale(self) -> float:
        """The magnification of the inset."""
        return self.frame.width / self.window.width


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture.

    ``box`` is all that is seen, the frame included; ``outlines`` are the provinces' path data by
    id, written once and used often; ``liveries`` how the powers look; ``title`` and
    ``description`` are for those who cannot see it.  One that is not ``opaque`` is without paper
    and lies over another.
    """

    box: Box
    title: str
    description: str
    outlines: tuple[tuple[str, str], ...]
    layers: tuple[Layer, ...]
    liveries: tuple[Livery, ...] = ()
    insets: tuple[Inset, ...] = field(default=())
    opaque: bool = True


# The letters of the drawings: EB Garamond, cut to the Latin letters, in three faces.
#
# The files are shipped, so that a picture is the same on every machine; ``tools/build_fonts.py``
# cuts them. ``metrics.json`` has the widths of all letters, so that text can be measured without
# a library for fonts.


Face = Literal["regular", "semibold", "italic"]

FAMILY = "EB Garamond"
FACES: Mapping[Face, tuple[int, str]] = {
    "regular": (400, "normal"),
    "semibold": (600, "normal"),
    "italic": (500, "italic"),
}
"""Weight and style by face, as style sheets name them."""

_HERE = Path(__file__).parent / "fonts"


@dataclass(frozen=True, slots=True)
class Metrics:
    """The measures of a face in thousandths of the size: its heights above and below the base line,
    the height of its capitals, and the widths of its letters."""

    ascent: int
    descent: int
    capital: int
    widths: Mapping[str, int]


@cache
def metrics(face: Face = "regular") -> Metrics:
    """Return the measures of a face, read once."""
    return Metrics(**json.loads((_HERE / "metrics.json").read_text(encoding="utf-8"))[face])


def width(text: str, size: float, face: Face = "regular") -> float:
    """Return the width of a line of text in the units of ``size``, without kerning.

    A letter that the fonts do not have counts as wide as ``M``.

    >>> width("Menfi", 20) < width("Menfi", 20, "semibold") < width("Nilo occidentale", 20)
    True
    """
    widths = metrics(face).widths
    wide = widths["M"]
    return sum(widths.get(letter, wide) for letter in text) * size / 1000


def font_files() -> list[Path]:
    """Return the fonts as TrueType files."""
    return [_HERE / f"{face}.ttf" for face in FACES]


@cache
def font_faces_css(faces: tuple[Face, ...] = tuple(FACES)) -> str:
    """Rules ``@font-face`` with the fonts inside them, for a page or a picture that stands alone:
    some 40,000 characters a face."""
    rules = []
    for face in faces:
        weight, style = FACES[face]
        data = b64encode((_HERE / f"{face}.woff2").read_bytes()).decode("ascii")
        rules.append(
            f'@font-face{{font-family:"{FAMILY}";font-weight:{weight};font-style:{style};'
            f'src:url(data:font/woff2;base64,{data})format("woff2")}}'
        )
    return "\n".join(rules)


# Turn an SVG into a PNG or a PDF.
#
# Only the fonts of the package are used, so that a picture is the same on every machine.


MAIL, PRINT = 1600, 4800
"""Widths in pixels for a mail and for paper."""

WIDEST = 12_000
"""The largest width in pixels; such a picture takes half a gigabyte of memory."""

TELEPHONE = 1120
"""The width in pixels of a picture in the page of a letter, read at 360 to 640 points."""

_FEW_COLOURS = 2400  # pictures up to this width in pixels get a palette; larger ones are for print
_COMPRESSION = 7  # a fifth of the time of the highest level; the file is a fortieth larger

_PAGE = b"""
#set document(title: sys.inputs.title, date: none)
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg", width: 420mm, alt: sys.inputs.title)
"""


def render_png(svg_text: str, width: int = MAIL, colours: int = 256) -> bytes:
    """Return a picture as a PNG that is ``width`` pixels wide.

    A picture that is not for print has at most so many ``colours``, so that it is small.  The same
    text gives the same bytes.

    Raises:
        BadPicture: ``picture-width``.
    """
    if not 0 < width <= WIDEST:
        raise BadPicture("picture-width", width=str(width), most=str(WIDEST))
    picture = render_layer(svg_text, width, background="white")
    return _with_palette(picture, colours) if width <= _FEW_COLOURS else picture


def render_layer(svg_text: str, width: int, background: str | None = None) -> bytes:
    """Return a picture as a PNG of all colours, transparent where nothing is drawn."""
    from resvg_py import svg_to_bytes

    return svg_to_bytes(
        svg_string=svg_text,
        width=width,
        skip_system_fonts=True,
        font_files=[str(path) for path in font_files()],
        background=background,
        font_family=FAMILY,
        serif_family=FAMILY,
    )


def _with_palette(png: bytes, colours: int) -> bytes:
    """Return a PNG with a few colours: not dithered, which would speckle flat tints, and by an
    octree, which keeps the strong colours of small symbols."""
    from PIL import Image

    picture = Image.open(BytesIO(png)).convert("RGB")
    few = picture.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    written = BytesIO()
    few.save(written, "PNG", compress_level=_COMPRESSION)
    return written.getvalue()


def render_pdf(svg_text: str) -> bytes:
    """Return a picture as a PDF of one page, as wide as A3, made of lines and letters.

    Its title is the picture's.  The same text gives the same bytes.

    Raises:
        BadPicture: ``pdf-unavailable``; typst is not installed (the extra ``alexmagnum[pdf]``).
    """
    try:
        import typst
    except ModuleNotFoundError:
        raise BadPicture("pdf-unavailable") from None

    title = re.search("<title[^>]*>(.*?)</title>", svg_text)
    inputs = {"svg": svg_text, "title": unescape(title[1]) if title else ""}
    page = typst.Compiler(_PAGE, font_paths=_fonts(), sys_inputs=inputs).compile(format="pdf")
    assert isinstance(page, bytes)
    return page


@cache
def _fonts() -> Fonts:
    from typst import Fonts

    folder = str(font_files()[0].parent)
    return Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[folder])


# Colours, patterns and letters that distinguish the powers, in colour and in black and white.


SPARE = ("#E1C328", "#0C4DE0", "#D9240B", "#262626", "#1DBF7D", "#903C98", "#FFFFFF", "#B0713A")
"""Colours for powers that have none on the map."""

NOBODY = ""

PATTERNS = ("dots", "rising", "falling", "cross", "level", "upright", "rings", "grid")
"""The pattern of each power, so that tints differ in black and white too."""


@dataclass(frozen=True, slots=True)
class Livery:
    """The looks of a power: its colour, the colour of ink upon it, its pattern and its letter."""

    power: str
    color: str
    ink: str
    pattern: str
    letter: str


def assign_liveries(board: Board) -> Mapping[str, Livery]:
    """Return the liveries by id: of every power, the independents, and nobody (in the legend)."""
    letters = assign_letters(board)
    found = {
        power.id: Livery(
            power.id,
            color := power.color or SPARE[i % len(SPARE)],
            choose_ink(color),
            PATTERNS[i % len(PATTERNS)],
            letters[power.id],
        )
        for i, power in enumerate(board.powers.values())
    }
    return {
        **found,
        INDEPENDENT: Livery(INDEPENDENT, "#FFFDF5", "#000000", "", ""),
        NOBODY: Livery(NOBODY, "#8A7A5C", "#FFFFFF", "", ""),
    }


def assign_letters(board: Board) -> Mapping[str, str]:
    """Return a letter for each power: the first of its id that no power before it has."""
    taken: dict[str, str] = {}
    for power in board.powers:
        free = (c for c in power.upper() if c.isalnum() and c not in taken.values())
        taken[power] = next(free, power[:1].upper())
    return taken


def choose_ink(color: str) -> str:
    """Return black or white, whichever contrasts more with a colour (by WCAG's luminance)."""
    light = luminance(color)
    return "#FFFFFF" if 1.05 / (light + 0.05) > (light + 0.05) / 0.05 else "#000000"


def luminance(color: str) -> float:
    """Return the luminance of a colour ``#RRGGBB``, from 0 to 1 (WCAG 2)."""
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def mix_colors(color: str, ground: str, share: float) -> str:
    """Return a mixture of two colours as ``#RRGGBB``; ``share`` is the part of the first."""
    parts = [
        round(int(color[i : i + 2], 16) * share + int(ground[i : i + 2], 16) * (1 - share))
        for i in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02x}" for part in parts)


# Write a scene as SVG, with a template.


LARGE = 120
"""The length from which path data is written once and referred to: a reference is shorter,
but takes the program that shows it a little longer."""


def render_svg(
    scene: Scene,
    *,
    prefix: str = "",
    embed_fonts: bool = True,
    known: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return a picture as SVG text that ends with a line end.

    ``prefix`` precedes every id, so that several pictures fit one page.  ``embed_fonts`` puts the
    fonts into the file; a page that already has them does not need that.  ``known`` are ids by
    path data of shapes that the page already holds.  The same scene gives the same text.
    """
    fonts = font_faces_css() if embed_fonts else ""
    repeated = {} if known else number_repeated(scene)
    text = (
        _environment()
        .get_template("map.svg.j2")
        .render(
            scene=scene, prefix=prefix, fonts=fonts, repeated=repeated, shared={**repeated, **known}
        )
    )
    return "\n".join(line for line in text.splitlines() if line.strip()) + "\n"


def render_symbol(kind: str, livery: Livery, state: str = "") -> str:
    """Return the symbol of a unit as SVG elements around the origin.

    They refer to the parts that every picture defines.  ``state`` is as in a token.
    """
    symbols = _environment().get_template("symbols.svg.j2").module
    drawn = symbols.symbol("", kind, livery.color, livery.ink, livery.letter, 0, state)  # type: ignore[attr-defined]
    return str(drawn)


def number_repeated(scene: Scene) -> dict[str, str]:
    """Return an id for the path data of each large shape that the scene draws more than once.

    A coast has several bands of light water, an impassable sector its colour and its hatching: the
    file holds their outline once.
    """
    items = chain(
        chain.from_iterable(layer.items for layer in scene.layers),
        chain.from_iterable(inset.ground for inset in scene.insets),
    )
    counts = Counter(item.d for item in items if isinstance(item, Shape) and len(item.d) >= LARGE)
    repeated = (d for d, count in counts.items() if count > 1)
    return {d: f"shape-{number}" for number, d in enumerate(repeated, 1)}


def group_runs(items: Sequence[Item]) -> list[tuple[str, tuple[Item, ...]]]:
    """Return items in runs: of shapes that differ in nothing but their path, with their look.

    The look of a single item or of other items is empty: each of them is drawn by itself.
    """
    runs = [(look, tuple(run)) for look, run in groupby(items, _plain_look)]
    return [(look if len(run) > 1 else "", run) for look, run in runs]


def _plain_look(item: Item) -> str:
    """Return the look of a relief symbol; empty for all else."""
    return item.look if isinstance(item, Shape) and item.look.startswith("relief ") else ""


@cache
def _environment() -> Environment:
    from alexmagnum.files import make_environment

    return make_environment(
        "alexmagnum.draw", n=decimal, kind=kind, viewbox=viewbox, runs=group_runs
    )


def decimal(value: float) -> str:
    """Return a length with one decimal at most.

    >>> decimal(12.0), decimal(-0.04), decimal(3.26)
    ('12', '0', '3.3')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def kind(item: Item) -> str:
    """Return the kind of an item for the template: ``shape``, ``text``, ``token``, ``mark``."""
    return type(item).__name__.lower()


def viewbox(box: Box) -> str:
    """Return a box as the ``viewBox`` of an SVG."""
    return " ".join(map(decimal, (box.left, box.top, box.width, box.height)))


# Path data of SVG, and the plane geometry that drawing needs.


def path_data(lines: Iterable[Sequence[Point]], *, closed: bool = False) -> str:
    """Return lines as path data in tenths of a unit, each point relative to the one before.

    Points that coincide at this precision are left out, and so is every sign that is not needed to
    tell two numbers apart: outlines are most of a picture.

    >>> path_data([[(0, 0), (10, 0), (10, 0.04), (10, 5.25), (9.5, 6)]])
    'M0 0l10 0 0 5.2-.5.8'
    """
    return "".join(_line_data(line, closed) for line in lines)


def _line_data(points: Sequence[Point], closed: bool) -> str:
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
    if not (whole := distance(a, b)):
        return a
    t = length / whole
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


_MOST_DIVIDED = 50  # the most times that the parts of a line are divided, where it bends most


def simplify(points: Sequence[Point], slack: float) -> tuple[Point, ...]:
    """Return a line without the points that lie within ``slack`` of it (Douglas and Peucker).

    A part that was divided very often is halved: else lines that go to and fro would take long.
    """
    if len(points) < 3:
        return tuple(points)
    kept = {0, len(points) - 1}
    spans = [(0, len(points) - 1, _MOST_DIVIDED)]
    while spans:
        first, last, left = spans.pop()
        far, at = slack, 0
        for i in range(first + 1, last):
            if (off := _distance_from_segment(points[i], points[first], points[last])) > far:
                far, at = off, i
        if at:
            at = at if left > 0 else (first + last) // 2
            kept.add(at)
            spans += [(first, at, left - 1), (at, last, left - 1)]
    return tuple(points[i] for i in sorted(kept))


def _distance_from_segment(p: Point, a: Point, b: Point) -> float:
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
