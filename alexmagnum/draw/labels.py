"""Where the names stand: each clear of units, cities and other names, in any language.

The map's own places for names are kept where they do; else another place in the province is
looked for, then a smaller letter, then the province's id, which players write anyway.  The name
of a sea follows the sea's shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, inf, radians, sin

from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Atlas, NamePlace, ProvinceDrawing
from alexmagnum.draw.fonts import Face, width
from alexmagnum.draw.grid import CELL, Grid
from alexmagnum.draw.scene import Box, Point, Text

SMALLEST = 14.5
"""The smallest letter: still read in the picture of a mail, which is two thirds of the sheet."""

SEAT = 15.0
"""Half the room that a unit wants around it."""

_CITY = 10.0
_SPACING = 0.6  # between the letters of a sea's name
_BENDS = (0.06, -0.06, 0.0, 0.12, -0.12, 0.2, -0.2)  # height of the arc to its length


@dataclass(frozen=True, slots=True)
class Label:
    """A name in its place: ``lines`` as they are set, ``boxes`` the room they take.

    ``bend`` is the height of the arc over its length, upwards if positive; 0 is straight.
    """

    province: str
    lines: tuple[str, ...]
    at: Point
    size: float
    sea: bool
    angle: float = 0.0
    bend: float = 0.0
    boxes: tuple[Box, ...] = ()


def labels(board: Board, atlas: Atlas, grid: Grid, lang: str) -> tuple[Label, ...]:
    """A label for every province: the tightest are placed first."""
    return _Placing(board, atlas, grid, lang).all()


def texts(label: Label) -> Iterator[Text]:
    """The lines of a label as they are drawn."""
    look = "name sea-name" if label.sea else "name"
    x, y = label.at
    for i, line in enumerate(label.lines):
        down = (i - (len(label.lines) - 1) / 2 + 0.32) * label.size
        turned = radians(label.angle)
        at = (x - down * sin(turned), y + down * cos(turned))
        curve = _arc(label, line, at) if label.bend else ""
        yield Text(line, at, label.size, look, label.angle, curve)


def _arc(label: Label, line: str, at: Point) -> str:
    """The curve under a line: a parabola through the label's middle."""
    half = _width(line, label) * 0.62  # longer than the text, which must not run over the end
    rise = label.bend * half * 2
    (x1, y1), (x2, y2), (x3, y3) = (
        _turned(at, label.angle, dx, dy) for dx, dy in ((-half, rise), (0.0, -rise), (half, rise))
    )
    return f"M{x1:.1f},{y1:.1f}Q{x2:.1f},{y2:.1f} {x3:.1f},{y3:.1f}"


def _turned(at: Point, angle: float, dx: float, dy: float) -> Point:
    """A point given along and across a line turned about ``at``."""
    c, s = cos(radians(angle)), sin(radians(angle))
    return at[0] + dx * c - dy * s, at[1] + dx * s + dy * c


def _width(line: str, label: Label) -> float:
    face: Face = "italic" if label.sea else "semibold"
    return width(line, label.size, face) + (len(line) * _SPACING if label.sea else 0.0)


def _boxes(label: Label) -> tuple[Box, ...]:
    """The room that a label takes: one box to a straight line, several where it is turned."""
    found: list[Box] = []
    for i, line in enumerate(label.lines):
        middle = (i - (len(label.lines) - 1) / 2) * label.size
        long = _width(line, label)
        pieces = 1 if not (label.angle or label.bend) else max(2, round(long / label.size))
        part = long / pieces
        for k in range(pieces):
            along = -long / 2 + (k + 0.5) * part
            lift = label.bend * long * (1 - (2 * along / long) ** 2) - label.bend * long / 2
            x, y = _turned(label.at, label.angle, along, middle - lift)
            wide = (
                abs(cos(radians(label.angle))) * part + abs(sin(radians(label.angle))) * label.size
            )
            high = (
                abs(sin(radians(label.angle))) * part + abs(cos(radians(label.angle))) * label.size
            )
            found.append(Box(x - wide / 2, y - high * 0.45, x + wide / 2, y + high * 0.42))
    return tuple(found)


class _Placing:
    """The places of all names of a map in one language."""

    def __init__(self, board: Board, atlas: Atlas, grid: Grid, lang: str) -> None:
        self.board, self.atlas, self.grid, self.lang = board, atlas, grid, lang
        self.obstacles = [box for ground in atlas.grounds.values() for box in _standing(ground)]
        self.placed: list[Box] = []

    def all(self) -> tuple[Label, ...]:
        grounds = sorted(self.atlas.grounds.values(), key=lambda g: (_size(g), g.id))
        found = {ground.id: self._label(ground) for ground in grounds}
        return tuple(found[id_] for id_ in self.atlas.grounds)

    def _label(self, ground: ProvinceDrawing) -> Label:
        """The cheapest of the candidates; they come dearer and dearer, so the search ends soon."""
        near = [o for o in (*self.obstacles, *self.placed) if o.meets(ground.box.grown(60))]
        spot = ground.name or NamePlace(ground.box.middle, (), 17.0)
        around = list(_around(spot.at, ground.box))
        least, best = inf, Label(ground.id, (ground.id,), spot.at, SMALLEST, sea=False)
        for base, plain in self._settings(ground.id, spot):
            for far, at in around:
                if base + far >= least:
                    break
                moved = replace(plain, at=at)
                label = replace(moved, boxes=_boxes(moved))
                cost = base + far + self._faults(label, near, least - base - far)
                if cost < least:
                    least, best = cost, label
        self.placed += best.boxes
        return best

    def _settings(self, id_: str, spot: NamePlace) -> Iterator[tuple[float, Label]]:
        """The ways to set a name, each with its cost: as the map has it, on one line, on two,
        smaller, curved or straight, at last by the province's id."""
        province = self.board.provinces[id_]
        name = province.name(self.lang)
        own = spot.lines if " ".join(spot.lines) == name or _first(self.board) == self.lang else ()
        ways = list(dict.fromkeys(filter(None, (own, (name,), _halved(name)))))
        sizes = [max(spot.size * share, SMALLEST) for share in (1.2, 1.0, 0.85, 0.7)]
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

    def _faults(self, label: Label, near: Sequence[Box], limit: float) -> float:
        """What is wrong with a place: units, cities and names covered, borders crossed.

        What comes to more than the ``limit`` is not counted to the end.
        """
        cost = 0.0
        for box in label.boxes:
            if cost >= limit:
                break
            cost += sum(70.0 + _overlap(box, other) for other in near if other.meets(box))
            cost += self._strays(box, label)
            if not (self.atlas.box.left + 4 < box.left and box.right < self.atlas.box.right - 4):
                cost += 500.0
        return cost

    def _strays(self, box: Box, label: Label) -> float:
        """How much of a box lies in other provinces; names of coasts may reach into the sea."""
        cost = 0.0
        for owner in self.grid.owners(box if label.sea else box.grown(-CELL / 2)):
            if owner == label.province:
                continue
            elsewhere = self.board.provinces.get(owner)
            water = elsewhere is None or elsewhere.is_sea
            cost += 1.5 if water and not label.sea else 12.0
        return cost


def _first(board: Board) -> str:
    """The language of the map's own lettering."""
    return next(iter(board.names))


def _standing(ground: ProvinceDrawing) -> Iterator[Box]:
    """The room that units and the city want."""
    yield from (_square(slot, SEAT) for slot in ground.slots)
    if ground.city:
        yield _square(ground.city, _CITY)


def _square(at: Point, half: float) -> Box:
    return Box(at[0] - half, at[1] - half, at[0] + half, at[1] + half)


def _size(ground: ProvinceDrawing) -> float:
    return ground.box.width * ground.box.height


def _halved(name: str) -> tuple[str, ...]:
    """A name on two lines as equal as its words allow; none for a single word."""
    words = name.split()
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return min(cuts, key=lambda cut: max(map(len, cut)), default=())


def _overlap(a: Box, b: Box) -> float:
    """The common area, in squares of the grid."""
    wide = min(a.right, b.right) - max(a.left, b.left)
    high = min(a.bottom, b.bottom) - max(a.top, b.top)
    return max(wide, 0.0) * max(high, 0.0) / (CELL * CELL)


def _around(at: Point, box: Box) -> Iterable[tuple[float, Point]]:
    """A point and others around it as far as the box reaches, with what the distance costs."""
    yield 0.0, at
    step = max(5.0, min(box.width, box.height) / 8)
    found = []
    for i in range(-5, 6):
        for k in range(-5, 6):
            point = at[0] + i * step, at[1] + k * step
            if (i or k) and box.holds(point):
                found.append((4.0 + 0.6 * (i * i + k * k) ** 0.5, point))
    yield from sorted(found)
