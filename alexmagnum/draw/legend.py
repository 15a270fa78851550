"""The panels beside the map: the title with the legend, the scoreboard, the compass rose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.draw.atlas import Atlas, bounding_box
from alexmagnum.draw.base_map import city_sign, draw_link
from alexmagnum.draw.fonts import Face, width
from alexmagnum.draw.palette import assign_liveries
from alexmagnum.draw.paths import circle_path, path_data, rectangle_path
from alexmagnum.draw.scene import Box, Item, Layer, Point, Shape, Text, Token
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import Position

ROW = 24.0
"""The height of a row of the legend."""

HEAD = 104.0
"""The height of the title above the legend."""

_EDGE = 18.0
_LETTER = 16.0
_COLUMN = 200.0
_NUMBERS = 74.0  # a column of figures on the scoreboard
_NAMES = 160.0
_LEAST = 13.0  # the smallest letter
_FACES: Mapping[str, tuple[Face, float]] = {
    "title": ("semibold", 2.5),
    "subtitle": ("italic", 0.0),
    "key": ("regular", 0.0),
    "row": ("semibold", 0.0),
}
"""The font face of a look, and the space between its letters."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A row of the legend: a sign, drawn around a point, and its meaning."""

    draw: Callable[[Point], Sequence[Item]]
    meaning: str


def list_map_signs(board: Board, atlas: Atlas, sentences: Sentences) -> tuple[Sign, ...]:
    """Return the signs of the base map that are on the sheet: a part of a map may lack some."""
    sheet = atlas.box
    centres = [
        board.provinces[ground.id]
        for ground in atlas.grounds.values()
        if ground.city and sheet.holds(ground.city)
    ]
    kinds = {province.centre for province in centres if not province.major}
    features = {
        feature.kind
        for feature in atlas.features
        if any(bounding_box(line).meets(sheet) for line in feature.lines)
    }
    lord = next((p for p in board.powers.values() if p.homes), None)
    area = sentences.format("sign-area", power=lord.name(sentences.lang)) if lord else ""
    rows: list[tuple[bool, Callable[[Point], Sequence[Item]], str]] = [
        (any(p.major for p in centres), _city("start", major=True), "sign-major"),
        (bool(kinds & {"start", "neutral"}), _city("start"), "sign-start"),
        ("fixed" in kinds, _city("fixed"), "sign-fixed"),
        ("independent" in kinds, _city("independent"), "sign-independent"),
        ("area" in features and bool(area), _stroke("M{x},{y}h26", "area"), area),
        ("river" in features, _stroke("M{x},{y}q6,-7 12,-1t12,-1", "river-sign"), "sign-river"),
        ("portage" in features, _stroke("M{x},{y}h26", "portage"), "sign-portage"),
        ("crossing" in features, _stroke("M{x},{y}h26", "crossing"), "sign-crossing"),
        (bool(atlas.links), _link, "sign-link"),
        ("shore" in features, _two_shores, "sign-shore"),
        ("impassable" in features, _wild, "sign-wild"),
    ]
    return tuple(
        Sign(draw, area if key == area else sentences.format(key))
        for used, draw, key in rows
        if used
    )


def list_unit_signs(tokens: Iterable[Token], sentences: Sentences) -> tuple[Sign, ...]:
    """Return the symbols of the kinds of units among those of a picture."""
    kinds = [
        ("A", "", "sign-army"),
        ("F", "", "sign-fleet"),
        ("G", "", "sign-general"),
        ("A", INDEPENDENT, "sign-garrison"),
    ]
    drawn = {(t.kind, t.power if t.power == INDEPENDENT else "") for t in tokens if t.unit}
    return tuple(
        Sign(_token(kind, power), sentences.format(key))
        for kind, power, key in kinds
        if (kind, power) in drawn
    )


def _city(centre: str, *, major: bool = False) -> Callable[[Point], Sequence[Item]]:
    return lambda at: tuple(city_sign(at, centre, major=major))


def _stroke(d: str, look: str) -> Callable[[Point], Sequence[Item]]:
    return lambda at: (Shape(d.format(x=f"{at[0] - 13:.1f}", y=f"{at[1]:.1f}"), look),)


def _link(at: Point) -> Sequence[Item]:
    return tuple(draw_link((at[0] - 11, at[1]), (at[0] + 11, at[1]), "both"))


def _two_shores(at: Point) -> Sequence[Item]:
    d = f"M{at[0] - 13:.1f},{at[1]:.1f}h"
    return Shape(f"{d}12", "shore line-1"), Shape(f"{d}26", "shore line-2")


def _wild(at: Point) -> Sequence[Item]:
    d = f"M{at[0] - 13:.1f},{at[1] - 7:.1f}h26v14h-26z"
    return Shape(d, "wild swatch"), Shape(d, "hatched", fill="#hatch")


def _token(kind: str, power: str) -> Callable[[Point], Sequence[Item]]:
    return lambda at: (Token("", kind, power, "", at, 19.0),)


def legend_size(count: int) -> tuple[float, float]:
    """Return the width and the height of the title with a legend of some signs."""
    return 2 * _COLUMN + _EDGE, HEAD + (count + 1) // 2 * ROW + 10


def draw_legend(box: Box, title: str, subtitle: str, signs: Sequence[Sign]) -> Layer:
    """Draw the title and the legend in a box, in two columns."""
    x = (box.left + box.right) / 2
    room = box.width - 2 * _EDGE
    items: list[Item] = [*_panel(box)]
    items += [
        _fit(title.upper(), (x, box.top + 50), 40.0, "title", room),
        _fit(subtitle, (x, box.top + 80), 23.0, "subtitle", room),
        Shape(f"M{box.left + 30:.1f},{box.top + 92:.1f}H{box.right - 30:.1f}", "rule"),
    ]
    half = (len(signs) + 1) // 2
    for i, sign in enumerate(signs):
        left = box.left + _EDGE + 14 + (i // half) * _COLUMN
        y = box.top + HEAD + 12 + (i % half) * ROW
        items += sign.draw((left, y))
        items.append(_fit(sign.meaning, (left + 24, y + 5), _LETTER, "key", _COLUMN - 44))
    return Layer("legend", tuple(items))


@dataclass(frozen=True, slots=True)
class Score:
    """A row of the scoreboard: a power with its centres, units and nobility.

    ``nobility`` is None on a board without nobility.
    """

    power: str
    centres: int
    units: int
    nobility: int | None


def count_scores(position: Position) -> tuple[Score, ...]:
    """Return the rows of a position; units that have yet to retreat count."""
    nobility = position.board.rules.nobility
    units = (*position.units, *(d.unit for d in position.dislodged))
    return tuple(
        Score(
            power,
            len(position.centres_of(power)),
            sum(unit.power == power for unit in units),
            position.points_of(power) if nobility else None,
        )
        for power in position.board.powers
    )


def scoreboard_size(board: Board) -> tuple[float, float]:
    """Return the width and the height of the scoreboard."""
    figures = 3 if board.rules.nobility else 2
    return _NAMES + figures * _NUMBERS + 2 * _EDGE, 50 + len(board.powers) * 30.0


def draw_scoreboard(box: Box, rows: Sequence[Score], board: Board, sentences: Sentences) -> Layer:
    """Draw the powers with their figures, the most centres first."""
    marks = assign_liveries(board)
    items: list[Item] = [*_panel(box)]
    heads = [
        sentences.format("column-centres"),
        sentences.format("column-units"),
        sentences.format("column-nobility"),
    ]
    right = box.left + _EDGE + _NAMES + _NUMBERS / 2
    figures = 3 if rows and rows[0].nobility is not None else 2
    room = _NAMES - 34 + _NUMBERS / 4  # a figure does not fill its column
    for k, head in enumerate(heads[:figures]):
        items.append(Text(head, (right + k * _NUMBERS, box.top + 29), 16.0, "column"))
    ranked = sorted(rows, key=lambda row: (-row.centres, -row.units))
    for i, row in enumerate(ranked):
        y = box.top + 58 + i * 30.0
        at = box.left + _EDGE + 12, y - 6
        items += [
            Shape(circle_path(at, 12), "badge", fill=marks[row.power].color),
            Text(
                marks[row.power].letter,
                (at[0], at[1] + 5),
                15.0,
                f"badge-letter {_ink(marks[row.power].ink)}",
            ),
            _fit(board.powers[row.power].name(sentences.lang), (at[0] + 22, y), 20.0, "row", room),
        ]
        for k, figure in enumerate((row.centres, row.units, row.nobility)[:figures]):
            items.append(Text(str(figure), (right + k * _NUMBERS, y), 20.0, "figure"))
    return Layer("scoreboard", tuple(items))


ROSE = 120.0
"""The width and the height of the compass rose."""


def draw_compass(box: Box) -> Layer:
    """Draw a compass rose; north is up everywhere on a Mercator map."""
    x, y = box.middle
    items: list[Item] = [
        Shape(circle_path((x, y + 6), radius), "rose ring") for radius in (33.0, 38.0)
    ]
    for k in range(8):
        long = 30.0 if k % 2 else 48.0
        turned = radians(45.0 * k)
        for side, look in ((1.0, "rose"), (-1.0, "rose pale")):
            points = [(0.0, -long), (side * 6.0, -9.0), (0.0, 0.0)]
            ray = [
                (x + a * cos(turned) - b * sin(turned), y + 6 + a * sin(turned) + b * cos(turned))
                for a, b in points
            ]
            items.append(Shape(path_data([ray], closed=True), look))
    return Layer("compass", (*items, Text("N", (x, y - 46), 17.0, "north")))


def _ink(color: str) -> str:
    return "light" if color == "#FFFFFF" else "dark"


def _panel(box: Box) -> Iterator[Shape]:
    yield Shape(rectangle_path(box), "panel")
    yield Shape(rectangle_path(box.grown(-6)), "panel-line")


def _fit(text: str, at: Point, size: float, look: str, room: float) -> Text:
    """Return a line as large as the room allows, cut short if it would be too small to read."""
    face, spacing = _FACES[look]
    wide = width(text, 1.0, face)
    fits = (room - len(text) * spacing) / wide if wide else size
    if fits >= _LEAST:
        return Text(text, at, min(size, fits), look)
    return Text(_shorten(text, room, face, spacing), at, _LEAST, look)


def _shorten(text: str, room: float, face: Face, spacing: float) -> str:
    """Return as much of a text in the smallest letters as there is room for."""
    for end in range(len(text), 0, -1):
        short = text[:end].rstrip() + "…"
        if width(short, _LEAST, face) + len(short) * spacing <= room:
            return short
    return "…"
