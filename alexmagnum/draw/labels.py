"""Place the names of provinces so that each is clear of units, cities and other names.

A name keeps the place that the map's file gives it if that is free.  Otherwise another place in
the province is tried, then smaller letters, then the province's id, which players write anyway.
The name of a sea follows the shape of the sea.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, inf, radians, sin
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Atlas, NamePlace, ProvinceDrawing
from alexmagnum.draw.fonts import Face, width
from alexmagnum.draw.grid import CELL, Grid
from alexmagnum.draw.scene import Box, Point, Text

_DEAREST = 130.0
"""The cost above which a part of a map shows no name: little of the province is visible."""

_UNIT_HALF = 15.0
"""Half the side of the room that a unit needs."""

_CITY = 10.0
_SPACING = 0.6  # between the letters of a sea's name
_BENDS = (0.06, -0.06, 0.0, 0.12, -0.12, 0.2, -0.2)  # height of the arc to its length


@dataclass(frozen=True, slots=True)
class Label:
    """A name in its place on the map.

    Attributes:
        lines: the lines of text.
        at: the middle of the label.
        angle: degrees, clockwise.
        bend: the height of the arc divided by its length; positive bends up, 0 is straight.
        boxes: the room the label takes.
        wild: True for the name of an impassable sector, which has no province.
    """

    province: str
    lines: tuple[str, ...]
    at: Point
    size: float
    sea: bool
    angle: float = 0.0
    bend: float = 0.0
    boxes: tuple[Box, ...] = ()
    wild: bool = False


def label_impassable(atlas: Atlas, lang: str) -> tuple[Label, ...]:
    """Return the labels of the impassable sectors that the map's file gives a name and a place."""
    found = []
    for feature in atlas.of("impassable"):
        spot = feature.label
        if spot:
            name = feature.names.get(lang, feature.name)
            sea = feature.look == "sea"
            label = Label("", (name,), spot.at, spot.size, sea, spot.angle, wild=True)
            boxes = tuple(piece.box_at(spot.at) for piece in _pieces(label))
            found.append(replace(label, boxes=boxes))
    return tuple(found)


def place_labels(board: Board, atlas: Atlas, grid: Grid, lang: str) -> tuple[Label, ...]:
    """Return a label for every province, in the map's order."""
    return _Placement(board, atlas, grid, lang).place_all()


def label_texts(label: Label) -> Iterator[Text]:
    """Yield the lines of a label as they are drawn."""
    look = "name sea-name" if label.sea else "name"
    if label.wild:
        look += " wild-name"
    x, y = label.at
    for i, line in enumerate(label.lines):
        down = (i - (len(label.lines) - 1) / 2 + 0.32) * label.size
        turned = radians(label.angle)
        at = (x - down * sin(turned), y + down * cos(turned))
        curve = _arc(label, line, at) if label.bend else ""
        yield Text(line, at, label.size, look, label.angle, curve)


def _arc(label: Label, line: str, at: Point) -> str:
    """Return the curve under a line: a parabola through the label's middle."""
    half = _width(line, label) * 0.62  # longer than the text, which must not run over the end
    rise = label.bend * half * 2
    (x1, y1), (x2, y2), (x3, y3) = (
        _turn(at, label.angle, dx, dy) for dx, dy in ((-half, rise), (0.0, -rise), (half, rise))
    )
    return f"M{x1:.1f},{y1:.1f}Q{x2:.1f},{y2:.1f} {x3:.1f},{y3:.1f}"


def _turn(at: Point, angle: float, dx: float, dy: float) -> Point:
    """Return the point at ``dx`` along and ``dy`` across a line that is turned about ``at``."""
    c, s = cos(radians(angle)), sin(radians(angle))
    return at[0] + dx * c - dy * s, at[1] + dx * s + dy * c


def _width(line: str, label: Label) -> float:
    """Return the length of a line of a label in drawing units."""
    face: Face = "italic" if label.sea else "semibold"
    return width(line, label.size, face) + (len(line) * _SPACING if label.sea else 0.0)


class _Piece(NamedTuple):
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

    def box_at(self, at: Point) -> Box:
        """Return the room the piece takes when the label stands at a point."""
        x, y = at[0] + self.across - self.fall, at[1] + self.rise + self.down
        return Box(x - self.half, y - self.above, x + self.half, y + self.below)


def _pieces(label: Label) -> tuple[_Piece, ...]:
    """Return the room of a label: one piece for a straight line, several where it is turned."""
    c, s = cos(radians(label.angle)), sin(radians(label.angle))
    found: list[_Piece] = []
    for i, line in enumerate(label.lines):
        middle = (i - (len(label.lines) - 1) / 2) * label.size
        long = _width(line, label)
        pieces = 1 if not (label.angle or label.bend) else max(2, round(long / label.size))
        part = long / pieces
        wide = abs(c) * part + abs(s) * label.size
        high = abs(s) * part + abs(c) * label.size
        for k in range(pieces):
            along = -long / 2 + (k + 0.5) * part
            lift = label.bend * long * (1 - (2 * along / long) ** 2) - label.bend * long / 2
            off = middle - lift
            found.append(
                _Piece(
                    across=along * c,
                    fall=off * s,
                    rise=along * s,
                    down=off * c,
                    half=wide / 2,
                    above=high * 0.45,
                    below=high * 0.42,
                )
            )
    return tuple(found)


class _Placement:
    """Places the names of a map in one language, one after the other."""

    def __init__(self, board: Board, atlas: Atlas, grid: Grid, lang: str) -> None:
        self.board, self.atlas, self.grid, self.lang = board, atlas, grid, lang
        self.land = grid.counts({p.id for p in board.provinces.values() if not p.is_sea})
        self.obstacles = [box for ground in atlas.grounds.values() for box in _occupied(ground)]
        wild = label_impassable(atlas, lang)
        self.obstacles += [box for label in wild for box in label.boxes]
        self.placed: list[Box] = []
        self.smallest = atlas.least_letter

    def place_all(self) -> tuple[Label, ...]:
        """Return the labels in the map's order; small provinces choose first.

        A part of a map has none for provinces of which too little is visible.
        """
        beyond = self.atlas.beyond
        grounds = [ground for ground in self.atlas.grounds.values() if ground.id not in beyond]
        grounds.sort(key=lambda g: (_size(g), g.id))
        found = {ground.id: self._place(ground) for ground in grounds}
        return tuple(label for id_ in self.atlas.grounds if (label := found.get(id_)))

    def _place(self, ground: ProvinceDrawing) -> Label | None:
        """Return the cheapest candidate and take its room.

        Candidates become more and more expensive, so the search ends soon.
        """
        near = [o for o in (*self.obstacles, *self.placed) if o.meets(ground.box.grown(60))]
        spot = ground.name or NamePlace(ground.box.middle, (), 17.0)
        around = list(_points_around(spot.at, ground.box, 3 if self.atlas.is_part else 5))
        least = _DEAREST if self.atlas.is_part else inf
        best = Label(ground.id, (ground.id,), spot.at, self.smallest, sea=False)
        for base, plain in self._settings(ground.id, spot):
            pieces = _pieces(plain)
            for far, at in around:
                if base + far >= least:
                    break
                faults = self._faults(plain, pieces, at, near, least - base - far)
                if base + far + faults < least:
                    least = base + far + faults
                    boxes = tuple(piece.box_at(at) for piece in pieces)
                    best = replace(plain, at=at, boxes=boxes)
        if least == _DEAREST:
            return None
        self.placed += best.boxes
        return best

    def _settings(self, id_: str, spot: NamePlace) -> Iterator[tuple[float, Label]]:
        """Yield the ways to set a name, each with its cost.

        They are: as the map has it, on one line, on two, smaller, curved or straight, and at last
        the id of the province.
        """
        province = self.board.provinces[id_]
        name = province.name(self.lang)
        own = spot.lines if " ".join(spot.lines) == name or _first(self.board) == self.lang else ()
        ways = list(dict.fromkeys(filter(None, (own, (name,), _split_name(name)))))
        sizes = [max(spot.size * share, self.smallest) for share in (1.2, 1.0, 0.85, 0.7)]
        costs = [
            (12.0 * k + 5.0 * i, lines, size)
            for k, size in enumerate(dict.fromkeys(sizes))
            for i, lines in enumerate(ways)
        ]
        costs += [(60.0 + 5.0 * k, (id_,), size) for k, size in enumerate(sizes[2:])]
        for base, lines, size in costs:
            plain = Label(id_, lines, spot.at, size, province.is_sea, spot.angle)
            if province.is_sea and len(lines) == 1:
                for bend in _BENDS:
                    dear = 10.0 * abs(bend) if bend else 0.8  # a gentle curve is best
                    yield base + dear, replace(plain, bend=bend)
            else:
                yield base, plain

    def _faults(
        self,
        label: Label,
        pieces: Sequence[_Piece],
        at: Point,
        near: Sequence[Box],
        limit: float,
    ) -> float:
        """Return the cost of a place: units, cities and names covered, borders crossed.

        Counting stops at the ``limit``: such a place is not taken anyway.
        """
        cost = 0.0
        sheet = self.atlas.box.grown(-4)
        for piece in pieces:
            box = piece.box_at(at)
            cost = _add_cost_of_covering(cost, box, near, limit)
            if cost >= limit:
                break
            cost += self._cost_abroad(box, label)
            if not (sheet.left < box.left and box.right < sheet.right):
                cost += 500.0
            if self.atlas.is_part and not (sheet.top < box.top and box.bottom < sheet.bottom):
                cost += 500.0
            if cost >= limit:
                break
        return cost

    def _cost_abroad(self, box: Box, label: Label) -> float:
        """Return the cost of the squares of a box that lie outside the label's own province.

        Names on land may reach into the sea at a lower cost.
        """
        squares = self.grid.squares(box if label.sea else box.grown(-CELL / 2))
        abroad = squares.area - self.grid.count_owned(squares, label.province)
        if label.sea:
            return 12.0 * abroad
        own = squares.area - abroad
        land = self.land.within(squares) - own
        return 12.0 * land + 1.5 * (abroad - land)


def _first(board: Board) -> str:
    """Return the language of the map's own lettering."""
    return next(iter(board.names))


def _occupied(ground: ProvinceDrawing) -> Iterator[Box]:
    """Yield the room that units and the city of a province need."""
    places = (*ground.slots, *ground.coasts.values())
    yield from (_square(place, _UNIT_HALF) for place in places)
    if ground.city:
        yield _square(ground.city, _CITY)


def _square(at: Point, half: float) -> Box:
    """Return the square around a point."""
    return Box(at[0] - half, at[1] - half, at[0] + half, at[1] + half)


def _size(ground: ProvinceDrawing) -> float:
    """Return the area of the box around a province."""
    return ground.box.width * ground.box.height


def _split_name(name: str) -> tuple[str, ...]:
    """Return a name on two lines as equal as its words allow; nothing for a single word."""
    words = name.split()
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return min(cuts, key=lambda cut: max(map(len, cut)), default=())


def _add_cost_of_covering(cost: float, box: Box, others: Iterable[Box], limit: float) -> float:
    """Return a cost with that of the boxes that a box covers; counting stops at the limit."""
    left, top, right, bottom = box.left, box.top, box.right, box.bottom
    covered = 0.0
    for other in others:  # Box.meets, written out: this is the inner loop of the placing
        if left < other.right and other.left < right and top < other.bottom and other.top < bottom:
            covered += 70.0 + _overlap(box, other)
            if cost + covered >= limit:
                break
    return cost + covered


def _overlap(a: Box, b: Box) -> float:
    """Return the common area of two boxes, in squares of the grid."""
    wide = min(a.right, b.right) - max(a.left, b.left)
    high = min(a.bottom, b.bottom) - max(a.top, b.top)
    return max(wide, 0.0) * max(high, 0.0) / (CELL * CELL)


def _points_around(at: Point, box: Box, steps: int) -> Iterable[tuple[float, Point]]:
    """Yield a point and others around it inside a box, each with the cost of its distance."""
    yield 0.0, at
    step = max(5.0, min(box.width, box.height) * 0.625 / steps)
    found = []
    for i in range(-steps, steps + 1):
        for k in range(-steps, steps + 1):
            point = at[0] + i * step, at[1] + k * step
            if (i or k) and box.holds(point):
                found.append((4.0 + 0.6 * (i * i + k * k) ** 0.5, point))
    yield from sorted(found)
