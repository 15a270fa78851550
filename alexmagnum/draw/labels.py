"""Places for the names of provinces and for fleets at sea, clear of units and other names."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain
from math import cos, hypot, inf, radians, sin
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.draw import atlas as atlases
from alexmagnum.draw.scene import Box, Face, Point, Text, distance, square, width

# Place the names of provinces so that each is clear of units, cities and other names.
#
# A name keeps the place that the map's file gives it if that is free. Otherwise another place in
# the province is tried, then smaller letters, then the province's id, which players write anyway.
# The name of a sea follows the shape of the sea.


_DEAREST = 130.0  # a part of a map that costs more shows no name: little of it is visible

_MOST_LOOKS = 3_000_000  # comparisons, then names get no more choice: Alex Magnum needs 50,000
_HALF = 15.0  # half the side of the room that a unit needs
_REACH = 20.0  # the distance outside the box around a sea at which its name may still stand

_CITY = 10.0
COVERED = 70.0
"""The cost of a unit, a city or a name under a name."""

OFF_SHEET = 500.0
"""The cost of a part of a name that is not on the sheet."""

CLEARLY = 7.0
"""The distance by which a fleet should be nearer to the name of its sea than to another."""

OVERHANG = 0.62
"""Half a curve divided by the length of its text, which must not run over the end."""

_SPACING = 0.6  # between the letters of a sea's name

_BENDS = (0.06, -0.06, 0.0, 0.12, -0.12, 0.2, -0.2)  # height to length; a gentle arc is best


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


def label_impassable(atlas: atlases.Atlas, lang: str) -> tuple[Label, ...]:
    """Return the labels of the impassable sectors that the map's file gives a name and a place,
    without those that do not fit on the sheet, at the edge of a part of a map."""
    found, sheet = [], atlas.box
    for feature in atlas.of("impassable"):
        if spot := feature.label:
            lines = (feature.names.get(lang, feature.name),)
            setting = Lettering(lines, spot.size, feature.look == "sea", spot.angle)
            label = _make_label("", setting, spot.at)
            if all(map(sheet.encloses, label.boxes)):
                found.append(replace(label, wild=True))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class LabelPlacing:
    """The map on which names are placed, and their language."""

    board: Board
    atlas: atlases.Atlas
    grid: atlases.Grid
    lang: str


def place_labels(placing: LabelPlacing) -> tuple[Label, ...]:
    """Return a label for every province, in the map's order; small provinces choose first. A part
    of a map has none for provinces of which too little is visible."""
    grounds = placing.atlas.grounds
    slots = [at for ground in grounds.values() for at in (*ground.slots, *ground.coasts.values())]
    work = _Placement(placing, [square(slot, _HALF) for slot in slots])
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
    work.replace_doubtful_seas(lambda ground: work.place(ground, reach=_REACH, most=most))
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
    work.fleets, work.far_cost = list(fleets), COVERED
    for ground in sorted((placing.atlas.grounds[id_] for id_ in moved), key=_size_key):
        work.place_clear(ground)
    work.replace_doubtful_seas(work.place_clear)
    for id_ in moved & work.found.keys():
        is_astray = placing.grid.owner_at(work.found[id_].at) != id_
        if is_astray and placing.atlas.grounds[id_].box.meets_any(hidden):
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
    half = line_width(line, label.size, sea=label.sea) * OVERHANG
    rise = label.bend * half * 2
    c, s = cos(radians(label.angle)), sin(radians(label.angle))
    (x1, y1), (x2, y2), (x3, y3) = (
        (at[0] + dx * c - dy * s, at[1] + dx * s + dy * c)
        for dx, dy in ((-half, rise), (0.0, -rise), (half, rise))
    )
    return f"M{x1:.1f},{y1:.1f}Q{x2:.1f},{y2:.1f} {x3:.1f},{y3:.1f}"


class _Placement:
    """Places names one after the other.

    Attributes:
        found: the labels placed so far, by province.
        fleets: the places of fleets at sea, with their seas.
        far_cost: the cost of a fleet that is not nearest to the name of its sea.
    """

    def __init__(self, placing: LabelPlacing, taken: Sequence[Box]) -> None:
        self.placing, self.board = placing, placing.board
        self.atlas, self.grid = placing.atlas, placing.grid
        self.sheet = self.atlas.box.grown(-4.0)
        land = frozenset(p.id for p in self.board.provinces.values() if not p.is_sea)
        self._sheet_edges = edges_of(self.sheet)
        self._land = _land_counts(self.grid, land)
        self.obstacles = [*taken]
        for label in label_impassable(self.atlas, placing.lang):
            self.obstacles += label.boxes
        self.obstacles += [
            square(ground.city, _CITY) for ground in self.atlas.grounds.values() if ground.city
        ]
        self.found: dict[str, Label] = {}
        self.fleets: list[tuple[str, Point]] = []
        self.far_cost = 5.0
        self.smallest = self.atlas.least_letter
        self._looks = 0

    def place(
        self, ground: atlases.ProvinceDrawing, reach: float = 0.0, most: float = inf
    ) -> Label | None:
        """Place a label where it costs least, at most ``reach`` outside the province's box.

        Nothing is placed if every place costs ``most``.  Candidates become more and more
        expensive, so the search ends soon.
        """
        taken, limits = self._near(ground), tuple(self._limits(ground.id))
        about = ground.id, self.board.provinces[ground.id].is_sea
        spot = ground.name or atlases.NamePlace(ground.box.middle, (), 17.0)
        count = 3 if most < inf or self.atlas.is_part else 5
        around = list(_points_around(spot.at, ground.box.grown(reach), count))
        least, best = most, None
        for base, name in _list_settings(self.placing, ground.id, spot):
            if base >= least:
                continue
            pieces = cut_into_pieces(name)
            sheet = self._room_on_sheet(name)
            for far, at in around:
                if base + far >= least or (self._looks > _MOST_LOOKS and least < inf):
                    break
                self._looks += len(taken)
                if least <= OFF_SHEET and not sheet.holds(at):
                    continue
                faults = self._count_cost(about, pieces, at, taken, least - base - far)
                if limits and base + far + faults < least:
                    faults += cost_of_distances(_at(pieces, at), limits, self.far_cost)
                if base + far + faults < least:
                    least = base + far + faults
                    best = _make_label(ground.id, name, at)
        if best is not None:
            self.found[ground.id] = best
        return best

    def _room_on_sheet(self, name: Lettering) -> Box:
        """Return where the middle of a label can be so that all of it is on the sheet."""
        left, top, right, bottom = find_extent(name)
        sheet = self.sheet
        return Box(
            sheet.left - left, sheet.top - top, sheet.right - right, sheet.bottom - bottom
        ).grown(0.01)  # places on the edges are measured exactly

    def place_clear(self, ground: atlases.ProvinceDrawing) -> None:
        """Place a label on nothing that is taken, as the id of its province if need be."""
        if self.place(ground, reach=36.0, most=COVERED) is None:
            self.place_small(ground)

    def place_small(self, ground: atlases.ProvinceDrawing) -> None:
        """Place a name in the smallest letters where it is clear of everything, or the id; nothing
        if there is no such place in the province."""
        near = self._near(ground)
        province = self.board.provinces[ground.id]
        about = ground.id, province.is_sea
        name = province.name(self.placing.lang)
        spot = ground.name.at if ground.name else ground.box.middle
        limits = tuple(self._limits(ground.id))
        inside = list(self.grid.list_middles(ground.id, ground.box))
        inside = inside[:: 1 + len(inside) // 200]
        for lines in filter(None, (_split_name(name), (name,), (ground.id,))):
            if self._looks > _MOST_LOOKS:
                return
            self._looks += len(near) * len(inside)
            setting = Lettering(lines, self.smallest, province.is_sea)
            pieces = cut_into_pieces(setting)
            short = lines == (ground.id,)
            free: list[tuple[float, Point]] = []
            for at in inside:
                if not is_free((room := _at(pieces, at)), near):
                    continue
                cost = distance(at, spot) * 0.2
                cost += cost_of_distances(room, limits, self.far_cost)
                if not short:
                    cost += sum(self._count_abroad(about, edges) for edges in room)
                free.append((cost, at))
            if free and (short or min(free)[0] < COVERED):
                _, at = min(free)
                self.found[ground.id] = _make_label(ground.id, setting, at)
                return

    def _near(self, ground: atlases.ProvinceDrawing) -> list[Edges]:
        """Return what a province's label must not stand on: obstacles and other labels."""
        placed = (box for label in self.found.values() for box in label.boxes)
        room = ground.box.grown(90)
        return [edges_of(o) for o in (*self.obstacles, *placed) if o.meets(room)]

    def _count_cost(
        self,
        ground: tuple[str, bool],
        pieces: Iterable[Edges],
        at: Point,
        taken: Sequence[Edges],
        limit: float,
    ) -> float:
        """Return the cost of a place on the ground (a province, and whether it is a sea): units,
        cities and names covered, borders crossed.  Counting stops at the ``limit``."""
        west, north, east, south = self._sheet_edges
        x, y = at
        cost = 0.0
        for piece in pieces:
            left, top, right, bottom = x + piece[0], y + piece[1], x + piece[2], y + piece[3]
            if left < west or right > east or top < north or bottom > south:
                cost += OFF_SHEET
            covered = 0.0
            for x1, y1, x2, y2 in taken:
                if left < x2 and x1 < right and top < y2 and y1 < bottom:
                    common = (min(right, x2) - max(left, x1)) * (min(bottom, y2) - max(top, y1))
                    covered += COVERED + common / (atlases.CELL * atlases.CELL)
                    if cost + covered >= limit:
                        break
            cost += covered
            if cost < limit:
                cost += self._count_abroad(ground, (left, top, right, bottom))
            if cost >= limit:
                break
        return cost

    def _count_abroad(self, ground: tuple[str, bool], edges: Edges) -> float:
        """Return the cost of the squares of a box that lie outside the label's own province."""
        grid = self.grid
        province, sea = ground
        if sea:
            squares = grid.squares_within(*edges)
            return 12.0 * (squares.area - grid.count_owned(squares, province))
        half = atlases.CELL / 2
        left, top, right, bottom = edges
        squares = grid.squares_within(left + half, top + half, right - half, bottom - half)
        own = grid.count_owned(squares, province)
        land = self._land.within(squares) - own
        return 12.0 * land + 2.0 * (squares.area - own - land)  # it may reach into the sea

    # -- which sea a fleet is in -----------------------------------------------------------------

    def _limits(self, sea: str) -> Iterator[tuple[Point, float, bool]]:
        """Yield fleets, each with a distance: own fleets (True) must be nearer to a sea's name than
        to other names, those of other seas (False) farther than from theirs."""
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

    def replace_doubtful_seas(self, place: Callable[[atlases.ProvinceDrawing], object]) -> None:
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


def _list_settings(
    placing: LabelPlacing, id_: str, spot: atlases.NamePlace
) -> Iterator[tuple[float, Lettering]]:
    """Yield the ways to set a name, each with its cost: as the map has it, on one line, on two,
    smaller, curved or straight, and at last the id of the province."""
    province = placing.board.provinces[id_]
    name = province.name(placing.lang)
    own = (
        spot.lines
        if " ".join(spot.lines) == name or next(iter(placing.board.names)) == placing.lang
        else ()
    )
    ways = list(dict.fromkeys(filter(None, (own, (name,), _split_name(name)))))
    sizes = [max(spot.size * share, placing.atlas.least_letter) for share in (1.2, 1.0, 0.85, 0.7)]
    costs = [
        (12.0 * k + 5.0 * i, lines, size)
        for k, size in enumerate(dict.fromkeys(sizes))
        for i, lines in enumerate(ways)
    ]
    costs += [(60.0 + 5.0 * k, (id_,), size) for k, size in enumerate(sizes[2:])]
    for base, lines, size in costs:
        plain = Lettering(lines, size, province.is_sea, spot.angle)
        if province.is_sea and len(lines) == 1:
            for bend in _BENDS:
                yield base + (10.0 * abs(bend) if bend else 0.8), plain._replace(bend=bend)
        else:
            yield base, plain


def _make_label(province: str, name: Lettering, at: Point) -> Label:
    boxes = tuple(Box(*edges) for edges in _at(cut_into_pieces(name), at))
    return Label(province, name.lines, at, name.size, name.sea, name.angle, name.bend, boxes)


def _size_key(ground: atlases.ProvinceDrawing) -> tuple[float, str]:
    return ground.box.width * ground.box.height, ground.id


@lru_cache(maxsize=16)
def _land_counts(grid: atlases.Grid, land: frozenset[str]) -> atlases.SquareCounts:
    return grid.counts(land)


def _split_name(name: str) -> tuple[str, ...]:
    """Return a name on two lines as equal as its words allow; nothing for a single word."""
    words = name.split()
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return min(cuts, key=lambda cut: max(map(len, cut)), default=())


def _points_around(at: Point, box: Box, count: int = 5) -> Iterable[tuple[float, Point]]:
    """Yield a point and ``count`` to each side inside a box, each with its distance's cost."""
    yield 0.0, at
    step = max(5.0, min(box.width, box.height) / 8) * 5 / count  # fewer lie further apart
    found = []
    for i in range(-count, count + 1):
        for k in range(-count, count + 1):
            point = at[0] + i * step, at[1] + k * step
            if (i or k) and box.holds(point):
                found.append((4.0 + 3.0 / count * (i * i + k * k) ** 0.5, point))
    yield from sorted(found)


# The room of a name at a place, in plain numbers: thousands of places are tried.


Edges = tuple[float, float, float, float]
"""The left, top, right and bottom edge of a box."""


class Lettering(NamedTuple):
    """The setting of a name: its lines, size of letters, slant, angle and bend."""

    lines: tuple[str, ...]
    size: float
    sea: bool
    angle: float = 0.0
    bend: float = 0.0


def line_width(line: str, size: float, *, sea: bool) -> float:
    """Return the length of a line of a label in drawing units."""
    face: Face = "italic" if sea else "semibold"
    return width(line, size, face) + (len(line) * _SPACING if sea else 0.0)


@lru_cache(maxsize=4096)
def cut_into_pieces(name: Lettering) -> tuple[Edges, ...]:
    """Return the room of a label that stands at (0, 0): one piece for a straight line, several
    where it is turned."""
    c, s = cos(radians(name.angle)), sin(radians(name.angle))
    found: list[Edges] = []
    for i, line in enumerate(name.lines):
        middle = (i - (len(name.lines) - 1) / 2) * name.size
        long = line_width(line, name.size, sea=name.sea)
        pieces = 1 if not (name.angle or name.bend) else max(2, round(long / name.size))
        part = long / pieces
        wide = abs(c) * part + abs(s) * name.size
        high = abs(s) * part + abs(c) * name.size
        for k in range(pieces):
            along = -long / 2 + (k + 0.5) * part
            off = middle + 2 * name.bend * along * along / (long * OVERHANG)
            x, y = along * c - off * s, along * s + off * c
            found.append((x - wide / 2, y - high * 0.45, x + wide / 2, y + high * 0.46))
    return tuple(found)


@lru_cache(maxsize=4096)
def find_extent(name: Lettering) -> Edges:
    """Return the edges of the box around the whole room of a label that stands at (0, 0)."""
    lefts, tops, rights, bottoms = zip(*cut_into_pieces(name), strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _at(pieces: Iterable[Edges], at: Point) -> list[Edges]:
    """Return the pieces of a label's room when the label stands at a point."""
    x, y = at
    return [(x + left, y + top, x + right, y + bottom) for left, top, right, bottom in pieces]


def edges_of(box: Box) -> Edges:
    """Return the edges of a box."""
    return box.left, box.top, box.right, box.bottom


def is_free(room: Iterable[Edges], taken: Sequence[Edges]) -> bool:
    """Return whether no part of a room overlaps a box that is taken."""
    for left, top, right, bottom in room:
        for x1, y1, x2, y2 in taken:
            if left < x2 and x1 < right and top < y2 and y1 < bottom:
                return False
    return True


def distance_from_boxes(at: Point, boxes: Iterable[Box]) -> float:
    """Return the distance of a point from the nearest of some boxes."""
    return distance_from_room(at, map(edges_of, boxes))


def distance_from_room(at: Point, room: Iterable[Edges]) -> float:
    """Return the distance of a point from the nearest part of a room."""
    x, y = at
    nearest = inf
    for left, top, right, bottom in room:
        across = left - x if x < left else x - right if x > right else 0.0
        down = top - y if y < top else y - bottom if y > bottom else 0.0
        nearest = min(nearest, hypot(across, down))
    return nearest


def cost_of_distances(
    room: Sequence[Edges], limits: Iterable[tuple[Point, float, bool]], dear: float
) -> float:
    """Return the cost of a sea's name that is too far from its fleets, or too near to others."""
    cost = 0.0
    for fleet, limit, own in limits:
        far = distance_from_room(fleet, room)
        if (wrong := far - limit + CLEARLY if own else limit + CLEARLY - far) > 0:
            cost += dear * (1.0 + wrong / 50.0)
    return cost


# Choose the places of fleets at sea so that each tells its sea.
#
# The map's file gives the places. One that lies nearer to the name of another sea, outside its
# own sea or on a name moves to the nearest place that is better.


FARTHEST = 160.0
"""The greatest distance that a place is moved."""


def move_fleet_places(
    board: Board, atlas: atlases.Atlas, grid: atlases.Grid, labels: Sequence[Label]
) -> atlases.Atlas:
    """Return an atlas in which the fleets of every sea stand nearest to the name of that sea."""
    names = {label.province: label.boxes for label in labels if label.sea and label.boxes}
    taken = [box for label in labels for box in label.boxes]
    islets = [box for feature in atlas.of("islets") for box in feature.boxes]
    grounds = dict(atlas.grounds)
    for id_, ground in atlas.grounds.items():
        if board.provinces[id_].is_sea and id_ in names:
            work = _Places(ground, grid, names, taken, islets, grounds)
            grounds[id_] = replace(ground, slots=work.choose())
    return replace(atlas, grounds=grounds)


class _Places:
    def __init__(
        self,
        ground: atlases.ProvinceDrawing,
        grid: atlases.Grid,
        names: Mapping[str, tuple[Box, ...]],
        taken: Sequence[Box],
        islets: Sequence[Box],
        grounds: Mapping[str, atlases.ProvinceDrawing],
    ) -> None:
        self.ground, self.grid = ground, grid
        near = ground.box.grown(150.0)
        self.own = names[ground.id]
        self.others = [box for id_, boxes in names.items() if id_ != ground.id for box in boxes]
        self.taken = [box for box in taken if box.meets(near)]
        self.islets = [box for box in islets if box.meets(near)]
        self.foreign = [
            slot
            for other in grounds.values()
            if other.id != ground.id
            for slot in other.slots
            if near.holds(slot)
        ]

    def choose(self) -> tuple[Point, ...]:
        """Return the places; those that are good as they are stay."""
        good = [self.fault(slot) == 0 for slot in self.ground.slots]
        chosen = [slot if ok else None for slot, ok in zip(self.ground.slots, good, strict=True)]
        inside = list(self.grid.list_middles(self.ground.id, self.ground.box))
        for i, slot in enumerate(self.ground.slots):
            if chosen[i] is None:
                fixed = [place for place in chosen if place is not None]
                near = [at for at in inside if distance(at, slot) < FARTHEST]
                chosen[i] = min([slot, *near], key=partial(self.cost, slot=slot, fixed=fixed))
        return tuple(place for place in chosen if place is not None)

    def fault(self, at: Point) -> float:
        """Return how much nearer a place is to another sea's name, or more if it has no room."""
        if not self.grid.has_room(self.ground.id, at, atlases.DISC):
            return 500.0
        if not self.others:
            return 0.0
        own, other = distance_from_boxes(at, self.own), distance_from_boxes(at, self.others)
        return max(0.0, own + CLEARLY - other)

    def cost(self, at: Point, slot: Point, fixed: Sequence[Point]) -> float:
        """Return the cost of a place instead of another."""
        fault = self.fault(at)
        room = square(at, _HALF)
        crowd = _count_crowd(at, fixed, atlases.APART + 14.0)
        crowd += _count_crowd(at, self.foreign, atlases.APART + 6.0)
        squares = self.grid.squares(room)
        return (
            (60.0 + fault if fault else 0.0)
            + 5.0 * crowd
            + 3.0 * (squares.area - self.grid.count_owned(squares, self.ground.id))
            + 90.0 * sum(box.meets(room) for box in self.taken)
            + 10.0 * sum(box.meets(room) for box in self.islets)
            + 0.3 * distance(at, slot)
        )


def _count_crowd(at: Point, others: Sequence[Point], apart: float) -> float:
    """Return by how much some places are nearer to a point than they should be, together."""
    x, y = at
    near = [place for place in others if abs(place[0] - x) < apart and abs(place[1] - y) < apart]
    return sum(max(0.0, apart - distance(at, place)) for place in near)


# Names that the map's file of shapes keeps, for the map as it was when they were placed.


def place_names(placing: LabelPlacing) -> tuple[tuple[Label, ...], atlases.Atlas]:
    """Return the names of a map, and its atlas with the places of fleets that fit them.

    Those that the map's file keeps are placed now if they are of another map.
    """
    atlas, provinces = placing.atlas, placing.board.provinces
    kept = None if atlas.is_part else atlas.placed.get(placing.lang)
    if kept is None or kept.digest != digest_map(placing):
        names = place_labels(placing)
        return names, move_fleet_places(placing.board, atlas, placing.grid, names)
    names = tuple(
        _make_label(id_, Lettering(at.lines, at.size, provinces[id_].is_sea, at.angle, bend), at.at)
        for id_, (at, bend) in kept.names.items()
    )
    grounds = {
        id_: replace(ground, slots=kept.fleets.get(id_, ground.slots))
        for id_, ground in atlas.grounds.items()
    }
    return names, replace(atlas, grounds=grounds)


def digest_map(placing: LabelPlacing) -> str:
    """Return a digest of all in a map that the places of its names and fleets depend on.

    Places on the sheet are rounded, because the last bits of a projection differ between systems.
    """
    board, atlas, lang = placing.board, placing.atlas, placing.lang
    provinces = [(p.id, p.is_sea, p.name(lang)) for p in board.provinces.values()]
    lettered = [
        (feature.look, feature.names.get(lang, feature.name), _round_name(feature.label))
        for feature in atlas.of("impassable")
    ]
    grounds = [
        (
            g.id,
            [len(ring) for ring in g.rings],
            _round_name(g.name),
            *(_hundredths([at]) for at in (*g.slots, *g.coasts.values(), *filter(None, [g.city]))),
        )
        for g in atlas.grounds.values()
    ]
    sheet = atlas.width, round(atlas.height), atlas.least_letter, next(iter(board.names), "")
    digest = hashlib.sha256(repr((lang, provinces, lettered, grounds, sheet)).encode())
    rings = chain.from_iterable(ground.rings for ground in atlas.grounds.values())
    digest.update(array("i", _hundredths(chain.from_iterable(rings))).tobytes())
    return digest.hexdigest()[:32]


def _round_name(name: atlases.NamePlace | None) -> tuple[object, ...]:
    """Return what a name's place says, the place in hundredths."""
    return (_hundredths([name.at]), name.lines, name.size, name.angle) if name else ()


def _hundredths(points: Iterable[Point]) -> list[int]:
    return [round(value * 100) for value in chain.from_iterable(points)]
