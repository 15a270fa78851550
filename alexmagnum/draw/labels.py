"""Place the names of provinces so that each is clear of units, cities and other names.

A name keeps the place that the map's file gives it if that is free.  Otherwise another place in
the province is tried, then smaller letters, then the province's id, which players write anyway.
The name of a sea follows the shape of the sea.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, hypot, inf, radians, sin
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Atlas, NamePlace, ProvinceDrawing
from alexmagnum.draw.fonts import Face, width
from alexmagnum.draw.grid import CELL, Grid, SquareCounts
from alexmagnum.draw.paths import distance
from alexmagnum.draw.scene import Box, Point, Text, square

_DEAREST = 130.0
"""The cost above which a part of a map shows no name: little of the province is visible."""

CLEARLY = 7.0
"""The distance by which a fleet should be nearer to the name of its sea than to another."""

_UNIT_HALF = 15.0
"""Half the side of the room that a unit needs."""

_COVERED = 70.0
"""The cost of a unit, a city or a name under a name."""

_OFF_SHEET = 500.0
"""The cost of a part of a name that is not on the sheet."""

_CITY = 10.0
_OVERHANG = 0.62  # half a curve by the length of its text, which must not run over the end
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
    """Return the labels of the impassable sectors that the map's file gives a name and a place.

    A label that does not fit on the sheet, at the edge of a part of a map, is left out.
    """
    found, sheet = [], atlas.box
    for feature in atlas.of("impassable"):
        spot = feature.label
        if spot:
            name = feature.names.get(lang, feature.name)
            sea = feature.look == "sea"
            label = Label("", (name,), spot.at, spot.size, sea, spot.angle, wild=True)
            boxes = tuple(piece.box_at(spot.at) for piece in _pieces(label))
            if all(
                sheet.holds((b.left, b.top)) and sheet.holds((b.right, b.bottom)) for b in boxes
            ):
                found.append(replace(label, boxes=boxes))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class LabelPlacing:
    """The map on which names are placed, and their language."""

    board: Board
    atlas: Atlas
    grid: Grid
    lang: str


def place_labels(placing: LabelPlacing) -> tuple[Label, ...]:
    """Return a label for every province, in the map's order; small provinces choose first.

    A part of a map has none for provinces of which too little is visible.
    """
    grounds = placing.atlas.grounds
    slots = [at for ground in grounds.values() for at in (*ground.slots, *ground.coasts.values())]
    work = _Placement(placing, [square(slot, _UNIT_HALF) for slot in slots])
    work.fleets = [
        (ground.id, slot)
        for ground in grounds.values()
        if placing.board.provinces[ground.id].is_sea
        for slot in ground.slots
    ]
    most = _DEAREST if placing.atlas.is_part else inf
    seen = [ground for ground in grounds.values() if ground.id not in placing.atlas.beyond]
    for ground in sorted(seen, key=_size_key):
        work.place(ground, most=most)
    work.replace_doubtful_seas(lambda ground: work.place(ground, reach=20.0, most=most))
    return tuple(work.found[id_] for id_ in grounds if id_ in work.found)


def clear_labels(
    labels: Sequence[Label],
    placing: LabelPlacing,
    taken: Sequence[Box],
    fleets: Iterable[tuple[str, Point]] = (),
    hidden: Sequence[Box] = (),
) -> tuple[Label, ...]:
    """Return labels of which none stands on a box that is taken.

    A label that does is set in another place, as the id of its province if need be.  One that has
    no free place at all is left out.  ``fleets`` are those at sea, with the seas they are in;
    ``hidden`` is what panels hide of the map: names stand in the part of a province that is left.
    """
    taken = [*taken, *hidden]
    moved = {label.province for label in labels if any(box.meets_any(taken) for box in label.boxes)}
    work = _Placement(placing, taken)
    work.found = {label.province: label for label in labels if label.province not in moved}
    work.fleets, work.far_cost = list(fleets), _COVERED
    for ground in sorted((placing.atlas.grounds[id_] for id_ in moved), key=_size_key):
        work.place_clear(ground)
    work.replace_doubtful_seas(work.place_clear)
    for id_ in moved & work.found.keys():
        room = placing.atlas.grounds[id_].box
        is_astray = placing.grid.owner_at(work.found[id_].at) != id_
        if is_astray and room.meets_any(hidden):
            work.found.pop(id_)
    return tuple(work.found[label.province] for label in labels if label.province in work.found)


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
        yield Text(line, at, label.size, look, label.angle, curve, label.province)


def _arc(label: Label, line: str, at: Point) -> str:
    """Return the curve under a line: a parabola through the label's middle."""
    half = _width(line, label) * _OVERHANG
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
            off = middle + 2 * label.bend * along * along / (long * _OVERHANG)
            found.append(
                _Piece(
                    across=along * c,
                    fall=off * s,
                    rise=along * s,
                    down=off * c,
                    half=wide / 2,
                    above=high * 0.45,
                    below=high * 0.46,
                )
            )
    return tuple(found)


class _Placement:
    """Places names one after the other.

    Attributes:
        found: the labels placed so far, by province.
        fleets: the places of fleets at sea, with their seas.
        far_cost: the cost of a fleet that is not nearest to the name of its sea.
    """

    def __init__(self, placing: LabelPlacing, taken: Sequence[Box]) -> None:
        self.board, self.atlas = placing.board, placing.atlas
        self.grid, self.lang = placing.grid, placing.lang
        land = {p.id for p in self.board.provinces.values() if not p.is_sea}
        self.land = _land_counts(self.grid, frozenset(land))
        self.obstacles = [*taken]
        for label in label_impassable(self.atlas, self.lang):
            self.obstacles += label.boxes
        self.obstacles += [
            square(ground.city, _CITY) for ground in self.atlas.grounds.values() if ground.city
        ]
        self.found: dict[str, Label] = {}
        self.fleets: list[tuple[str, Point]] = []
        self.far_cost = 5.0
        self.smallest = self.atlas.least_letter
        self.sheet = self.atlas.box.grown(-4.0)

    def place(self, ground: ProvinceDrawing, reach: float = 0.0, most: float = inf) -> Label | None:
        """Place a label where it costs least, at most ``reach`` outside the province's box.

        Nothing is placed if every place costs ``most``.  Candidates become more and more
        expensive, so the search ends soon.
        """
        near = self._near(ground)
        limits = tuple(self._limits(ground.id))
        spot = ground.name or NamePlace(ground.box.middle, (), 17.0)
        count = 3 if most < inf or self.atlas.is_part else 5
        around = list(_points_around(spot.at, ground.box.grown(reach), count))
        least, best = most, None
        for base, plain in self._settings(ground.id, spot):
            if base >= least:
                continue
            pieces = _pieces(plain)
            room = self._room_on_sheet(pieces)
            for far, at in around:
                if base + far >= least:
                    break
                if least <= _OFF_SHEET and not room.holds(at):
                    continue
                faults = self._faults(plain, pieces, at, near, least - base - far)
                if limits and base + far + faults < least:
                    faults += _cost_of_distances(pieces, at, limits, self.far_cost)
                if base + far + faults < least:
                    least = base + far + faults
                    boxes = tuple(piece.box_at(at) for piece in pieces)
                    best = replace(plain, at=at, boxes=boxes)
        if best is not None:
            self.found[ground.id] = best
        return best

    def _room_on_sheet(self, pieces: Sequence[_Piece]) -> Box:
        """Return where the middle of a label can be so that all of it is on the sheet.

        The edges are a little outside: places on them are measured exactly.
        """
        boxes = [piece.box_at((0.0, 0.0)) for piece in pieces]
        return Box(
            self.sheet.left - min(box.left for box in boxes),
            self.sheet.top - min(box.top for box in boxes),
            self.sheet.right - max(box.right for box in boxes),
            self.sheet.bottom - max(box.bottom for box in boxes),
        ).grown(0.01)

    def place_clear(self, ground: ProvinceDrawing) -> None:
        """Place a label on nothing that is taken, as the id of its province if need be."""
        if self.place(ground, reach=36.0, most=_COVERED) is None:
            self.place_small(ground)

    def place_small(self, ground: ProvinceDrawing) -> None:
        """Place a name in the smallest letters where it is clear of everything, or the id.

        Nothing is placed if there is no such place in the province.
        """
        near = self._near(ground)
        province = self.board.provinces[ground.id]
        name = province.name(self.lang)
        spot = ground.name.at if ground.name else ground.box.middle
        limits = tuple(self._limits(ground.id))
        inside = list(self.grid.list_middles(ground.id, ground.box))
        inside = inside[:: 1 + len(inside) // 200]
        for lines in filter(None, (_split_name(name), (name,), (ground.id,))):
            plain = Label(ground.id, lines, spot, self.smallest, province.is_sea)
            pieces = _pieces(plain)
            short = lines == (ground.id,)
            free: list[tuple[float, Point]] = []
            for at in inside:
                room = [piece.box_at(at) for piece in pieces]
                if any(box.meets_any(near) for box in room):
                    continue
                cost = distance(at, spot) * 0.2
                cost += _cost_of_distances(pieces, at, limits, self.far_cost)
                if not short:
                    cost += sum(self._cost_abroad(box, plain) for box in room)
                free.append((cost, at))
            if free and (short or min(free)[0] < _COVERED):
                _, at = min(free)
                boxes = tuple(piece.box_at(at) for piece in pieces)
                self.found[ground.id] = replace(plain, at=at, boxes=boxes)
                return

    def _near(self, ground: ProvinceDrawing) -> list[Box]:
        """Return what a province's label must not stand on: obstacles and other labels."""
        placed = (box for label in self.found.values() for box in label.boxes)
        room = ground.box.grown(90)
        return [o for o in (*self.obstacles, *placed) if o.meets(room)]

    # -- which sea a fleet is in -----------------------------------------------------------------

    def _limits(self, sea: str) -> Iterator[tuple[Point, float, bool]]:
        """Yield fleets, each with a distance: a sea's name must be nearer, or farther if False.

        Its own fleets must be nearer to it than to other names, others farther than from theirs.
        """
        if not self.board.provinces[sea].is_sea:
            return
        room = self.atlas.grounds[sea].box.grown(120.0)
        others = {
            id_: label.boxes
            for id_, label in self.found.items()
            if id_ != sea and label.sea and label.boxes
        }
        for id_, at in self.fleets:
            if not room.holds(at):
                continue
            if id_ != sea:
                if id_ in others:
                    yield at, distance_from_boxes(at, others[id_]), False
            elif others:
                yield at, min(distance_from_boxes(at, boxes) for boxes in others.values()), True

    def replace_doubtful_seas(self, place: Callable[[ProvinceDrawing], object]) -> None:
        """Place the names of doubtful seas again; a second time if that moved any of them."""
        for _ in range(2):
            before = dict(self.found)
            for id_ in self.list_doubtful_seas():
                self.found.pop(id_, None)
                place(self.atlas.grounds[id_])
            if self.found == before:
                break

    def list_doubtful_seas(self) -> list[str]:
        """Return the seas whose names are not the nearest to all their fleets, and the others'."""
        boxes = {id_: label.boxes for id_, label in self.found.items() if label.sea}
        found: list[str] = []
        if not boxes:
            return []
        for id_, at in self.fleets:
            nearest = min(boxes, key=lambda sea: distance_from_boxes(at, boxes[sea]))
            if nearest != id_ and id_ not in self.atlas.beyond:
                found += [nearest, id_]
        return list(dict.fromkeys(found))

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
        boxes = [piece.box_at(at) for piece in pieces]
        cost = sum(_OFF_SHEET for box in boxes if not self.sheet.encloses(box))
        for box in boxes:
            if cost >= limit:
                break
            cost = _add_cost_of_covering(cost, box, near, limit)
            if cost < limit:
                cost += self._cost_abroad(box, label)
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
        return 12.0 * land + 2.0 * (abroad - land)


def _first(board: Board) -> str:
    """Return the language of the map's own lettering."""
    return next(iter(board.names))


def _size_key(ground: ProvinceDrawing) -> tuple[float, str]:
    """Return the key that sorts provinces by the area of the box around them."""
    return ground.box.width * ground.box.height, ground.id


@lru_cache(maxsize=16)
def _land_counts(grid: Grid, land: frozenset[str]) -> SquareCounts:
    """Return the counts of the squares of land, made once for a map."""
    return grid.counts(land)


def distance_from_boxes(at: Point, boxes: Iterable[Box]) -> float:
    """Return the distance of a point from the nearest of some boxes."""
    x, y = at
    return min(
        hypot(max(box.left - x, 0.0, x - box.right), max(box.top - y, 0.0, y - box.bottom))
        for box in boxes
    )


def _cost_of_distances(
    pieces: Sequence[_Piece],
    at: Point,
    limits: Iterable[tuple[Point, float, bool]],
    dear: float,
) -> float:
    """Return the cost of a sea's name that is too far from its fleets, or too near to others."""
    boxes = [piece.box_at(at) for piece in pieces]
    cost = 0.0
    for fleet, limit, own in limits:
        far = distance_from_boxes(fleet, boxes)
        wrong = far - limit + CLEARLY if own else limit + CLEARLY - far
        if wrong > 0:
            cost += dear * (1.0 + wrong / 50.0)
    return cost


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
            covered += _COVERED + _overlap(box, other)
            if cost + covered >= limit:
                break
    return cost + covered


def _overlap(a: Box, b: Box) -> float:
    """Return the common area of two boxes, in squares of the grid."""
    wide = min(a.right, b.right) - max(a.left, b.left)
    high = min(a.bottom, b.bottom) - max(a.top, b.top)
    return max(wide, 0.0) * max(high, 0.0) / (CELL * CELL)


def _points_around(at: Point, box: Box, count: int = 5) -> Iterable[tuple[float, Point]]:
    """Yield a point and others around it inside a box, each with the cost of its distance.

    There are ``count`` of them to each side; fewer lie further from each other.
    """
    yield 0.0, at
    step = max(5.0, min(box.width, box.height) / 8) * 5 / count
    found = []
    for i in range(-count, count + 1):
        for k in range(-count, count + 1):
            point = at[0] + i * step, at[1] + k * step
            if (i or k) and box.holds(point):
                found.append((4.0 + 3.0 / count * (i * i + k * k) ** 0.5, point))
    yield from sorted(found)
