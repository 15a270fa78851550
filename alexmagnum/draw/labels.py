"""Where the names stand: each clear of units, cities and other names, in any language.

The map's own places for names are kept where they do; else another place in the province is
looked for, then a smaller letter, then the province's id, which players write anyway.  The name
of a sea follows the sea's shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, radians, sin

from alexmagnum.board.model import Board, Province
from alexmagnum.draw.atlas import Atlas, Ground, Spot
from alexmagnum.draw.fonts import Face, width
from alexmagnum.draw.grid import CELL, Grid
from alexmagnum.draw.scene import Box, Point, Text

SMALLEST = 14.5
"""The smallest letter: still read in the picture of a mail, which is two thirds of the sheet."""

SEAT = 15.0
"""Half the room that a unit wants around it."""

_CITY = 10.0
_SPACING = 0.6  # between the letters of a sea's name
_BENDS = (0.0, 0.06, -0.06, 0.12, -0.12, 0.2, -0.2)  # height of the arc to its length


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
        self.standing = {
            ground.id: [_square(slot, SEAT) for slot in ground.slots]
            + ([_square(ground.city, _CITY)] if ground.city else [])
            for ground in atlas.grounds.values()
        }
        self.obstacles = [(box, id_) for id_, boxes in self.standing.items() for box in boxes]
        self.placed: list[Box] = []

    def all(self) -> tuple[Label, ...]:
        grounds = sorted(self.atlas.grounds.values(), key=lambda g: (_size(g), g.id))
        found = {ground.id: self._label(ground) for ground in grounds}
        return tuple(found[id_] for id_ in self.atlas.grounds)

    def _label(self, ground: Ground) -> Label:
        """The best of the candidates; the first without a fault ends the search."""
        near = [o for o, _ in self.obstacles if o.meets(ground.box.grown(60))]
        near += [box for box in self.placed if box.meets(ground.box.grown(60))]
        best: tuple[float, Label] | None = None
        for dear, candidate in self._candidates(ground):
            if best is not None and dear >= best[0]:
                continue
            label = replace(candidate, boxes=_boxes(candidate))
            cost = dear + self._faults(label, near)
            if best is None or cost < best[0]:
                best = cost, label
            if cost <= dear and dear == 0.0:
                break
        assert best is not None  # there is always the id at the map's own place
        self.placed += best[1].boxes
        return best[1]

    def _candidates(self, ground: Ground) -> Iterator[tuple[float, Label]]:
        """Labels from the best to the last resort, each with what it costs by itself."""
        province = self.board.provinces[ground.id]
        spot = ground.name or Spot(ground.box.middle, (), 17.0)
        for dear, lines, size in self._settings(province, spot):
            label = Label(
                ground.id, lines, spot.at, max(size, SMALLEST), province.is_sea, spot.angle
            )
            bends = _BENDS if province.is_sea and len(lines) == 1 else (0.0,)
            for bend in bends:
                for far, at in _around(spot.at, ground.box):
                    yield dear + far + (0.0 if bend else 0.5), replace(label, at=at, bend=bend)

    def _settings(
        self, province: Province, spot: Spot
    ) -> Iterator[tuple[float, tuple[str, ...], float]]:
        """The ways to write a name: as the map has it, on one line, on two, smaller, by its id."""
        name = province.name(self.lang)
        own = spot.lines if " ".join(spot.lines) == name or _first(self.board) == self.lang else ()
        ways = list(dict.fromkeys(filter(None, (own, (name,), _halved(name)))))
        for i, lines in enumerate(ways):
            yield 6.0 * i, lines, spot.size
        if spot.size > SMALLEST:
            for i, lines in enumerate(ways):
                yield 25.0 + 6.0 * i, lines, SMALLEST
        yield 60.0, (province.id,), max(spot.size * 0.85, SMALLEST)
        yield 70.0, (province.id,), SMALLEST

    def _faults(self, label: Label, near: Sequence[Box]) -> float:
        """What is wrong with a place: units, cities and names covered, borders crossed."""
        cost = 0.0
        for box in label.boxes:
            cost += sum(40.0 + _overlap(box, other) for other in near if other.meets(box))
            cost += self._strays(box, label)
            if not (self.atlas.box.left + 4 < box.left and box.right < self.atlas.box.right - 4):
                cost += 500.0
        return cost

    def _strays(self, box: Box, label: Label) -> float:
        """How much of a box lies in other provinces; names of coasts may reach into the sea."""
        cost = 0.0
        for owner in self.grid.owners(box.grown(-CELL / 2)):
            if owner == label.province:
                continue
            elsewhere = self.board.provinces.get(owner)
            water = elsewhere is None or elsewhere.is_sea
            cost += 1.5 if water and not label.sea else 12.0
        return cost


def _first(board: Board) -> str:
    """The language of the map's own lettering."""
    return next(iter(board.names))


def _square(at: Point, half: float) -> Box:
    return Box(at[0] - half, at[1] - half, at[0] + half, at[1] + half)


def _size(ground: Ground) -> float:
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
    step = max(5.0, min(box.width, box.height) / 10)
    found = []
    for i in range(-7, 8):
        for k in range(-7, 8):
            point = at[0] + i * step, at[1] + k * step
            if (i or k) and box.holds(point):
                found.append((4.0 + 0.5 * (i * i + k * k) ** 0.5, point))
    yield from sorted(found)
