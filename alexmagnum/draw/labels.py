"""Place the names of provinces so that each is clear of units, cities and other names.

A name keeps the place that the map's file gives it if that is free.  Otherwise another place in
the province is tried, then smaller letters, then the province's id, which players write anyway.
The name of a sea follows the shape of the sea.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, inf, radians, sin

from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Atlas, NamePlace, ProvinceDrawing
from alexmagnum.draw.grid import Grid, SquareCounts
from alexmagnum.draw.label_costs import (
    COVERED,
    OFF_SHEET,
    OVERHANG,
    Edges,
    Lettering,
    Piece,
    PlaceCosts,
    Surroundings,
    cost_of_distances,
    cut_into_pieces,
    distance_from_boxes,
    edges_of,
    find_extent,
    is_free,
    line_width,
)
from alexmagnum.draw.paths import distance
from alexmagnum.draw.scene import Box, Point, Text, square

_DEAREST = 130.0
"""The cost above which a part of a map shows no name: little of the province is visible."""

_UNIT_HALF = 15.0
"""Half the side of the room that a unit needs."""

_REACH = 20.0
"""The distance outside the box around a sea at which its name may still stand."""

_CITY = 10.0
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
            boxes = tuple(piece.box_at(spot.at) for piece in _pieces_of(label))
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
    work.replace_doubtful_seas(lambda ground: work.place(ground, reach=_REACH, most=most))
    return tuple(work.found[id_] for id_ in grounds if id_ in work.found)


def can_place_at(label: Label, placing: LabelPlacing) -> Label | None:
    """Return a label with the room it takes; None if no name is ever set so, or placed there."""
    ground = placing.atlas.grounds[label.province]
    spot = ground.name or NamePlace(ground.box.middle, (), 17.0)
    name = Lettering(label.lines, label.size, label.sea, label.angle, label.bend)
    at = label.at
    if at != spot.at and not (
        isinstance(at[0], float) and isinstance(at[1], float) and ground.box.grown(_REACH).holds(at)
    ):
        return None
    settings = (setting for _, setting in _list_settings(placing, ground.id, spot))
    return _make_label(ground.id, name, at) if name in settings else None


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
    half = line_width(line, label.size, sea=label.sea) * OVERHANG
    rise = label.bend * half * 2
    (x1, y1), (x2, y2), (x3, y3) = (
        _turn(at, label.angle, dx, dy) for dx, dy in ((-half, rise), (0.0, -rise), (half, rise))
    )
    return f"M{x1:.1f},{y1:.1f}Q{x2:.1f},{y2:.1f} {x3:.1f},{y3:.1f}"


def _turn(at: Point, angle: float, dx: float, dy: float) -> Point:
    """Return the point at ``dx`` along and ``dy`` across a line that is turned about ``at``."""
    c, s = cos(radians(angle)), sin(radians(angle))
    return at[0] + dx * c - dy * s, at[1] + dx * s + dy * c


def _pieces_of(label: Label) -> tuple[Piece, ...]:
    """Return the room of a label."""
    return cut_into_pieces(Lettering(label.lines, label.size, label.sea, label.angle, label.bend))


class _Placement:
    """Places names one after the other.

    Attributes:
        found: the labels placed so far, by province.
        fleets: the places of fleets at sea, with their seas.
        far_cost: the cost of a fleet that is not nearest to the name of its sea.
    """

    def __init__(self, placing: LabelPlacing, taken: Sequence[Box]) -> None:
        self.placing, self.board, self.atlas = placing, placing.board, placing.atlas
        self.grid, self.lang = placing.grid, placing.lang
        self.sheet = self.atlas.box.grown(-4.0)
        land = frozenset(p.id for p in self.board.provinces.values() if not p.is_sea)
        self.costs = PlaceCosts(self.grid, _land_counts(self.grid, land), self.sheet)
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
        self._answers: dict[tuple[object, ...], Label | None] = {}
        """The places that were found: one that is asked for again, with nothing changed around."""

    def place(self, ground: ProvinceDrawing, reach: float = 0.0, most: float = inf) -> Label | None:
        """Place a label where it costs least, at most ``reach`` outside the province's box.

        Nothing is placed if every place costs ``most``.  Candidates become more and more
        expensive, so the search ends soon.
        """
        near, limits = tuple(self._near(ground)), tuple(self._limits(ground.id))
        question = ground.id, reach, most, near, limits
        if question not in self._answers:
            self._answers[question] = self._find_place(ground, reach, most, near, limits)
        best = self._answers[question]
        if best is not None:
            self.found[ground.id] = best
        return best

    def _find_place(
        self,
        ground: ProvinceDrawing,
        reach: float,
        most: float,
        taken: Sequence[Edges],
        limits: Sequence[tuple[Point, float, bool]],
    ) -> Label | None:
        """Return the label of a province where it costs least; None if every place costs ``most``.

        ``taken`` and ``limits`` are the boxes and the fleets around.
        """
        near = Surroundings(taken)
        about = ground.id, self.board.provinces[ground.id].is_sea
        spot = ground.name or NamePlace(ground.box.middle, (), 17.0)
        count = 3 if most < inf or self.atlas.is_part else 5
        around = list(_points_around(spot.at, ground.box.grown(reach), count))
        least, best = most, None
        for base, name in _list_settings(self.placing, ground.id, spot):
            if base >= least:
                continue
            pieces = cut_into_pieces(name)
            sheet = self._room_on_sheet(name)
            near.widen(find_extent(name))
            for far, at in around:
                if base + far >= least:
                    break
                if least <= OFF_SHEET and not sheet.holds(at):
                    continue
                faults = self.costs.count(about, pieces, at, near.find_near(at), least - base - far)
                if limits and base + far + faults < least:
                    room = [piece.edges_at(at) for piece in pieces]
                    faults += cost_of_distances(room, limits, self.far_cost)
                if base + far + faults < least:
                    least = base + far + faults
                    best = _make_label(ground.id, name, at)
        return best

    def _room_on_sheet(self, name: Lettering) -> Box:
        """Return where the middle of a label can be so that all of it is on the sheet.

        The edges are a little outside: places on them are measured exactly.
        """
        left, top, right, bottom = find_extent(name)
        sheet = self.sheet
        return Box(
            sheet.left - left, sheet.top - top, sheet.right - right, sheet.bottom - bottom
        ).grown(0.01)

    def place_clear(self, ground: ProvinceDrawing) -> None:
        """Place a label on nothing that is taken, as the id of its province if need be."""
        if self.place(ground, reach=36.0, most=COVERED) is None:
            self.place_small(ground)

    def place_small(self, ground: ProvinceDrawing) -> None:
        """Place a name in the smallest letters where it is clear of everything, or the id.

        Nothing is placed if there is no such place in the province.
        """
        near = self._near(ground)
        province = self.board.provinces[ground.id]
        about = ground.id, province.is_sea
        name = province.name(self.lang)
        spot = ground.name.at if ground.name else ground.box.middle
        limits = tuple(self._limits(ground.id))
        inside = list(self.grid.list_middles(ground.id, ground.box))
        inside = inside[:: 1 + len(inside) // 200]
        for lines in filter(None, (_split_name(name), (name,), (ground.id,))):
            setting = Lettering(lines, self.smallest, province.is_sea)
            pieces = cut_into_pieces(setting)
            short = lines == (ground.id,)
            free: list[tuple[float, Point]] = []
            for at in inside:
                room = [piece.edges_at(at) for piece in pieces]
                if not is_free(room, near):
                    continue
                cost = distance(at, spot) * 0.2
                cost += cost_of_distances(room, limits, self.far_cost)
                if not short:
                    cost += sum(self.costs.count_abroad(about, edges) for edges in room)
                free.append((cost, at))
            if free and (short or min(free)[0] < COVERED):
                _, at = min(free)
                self.found[ground.id] = _make_label(ground.id, setting, at)
                return

    def _near(self, ground: ProvinceDrawing) -> list[Edges]:
        """Return what a province's label must not stand on: obstacles and other labels."""
        placed = (box for label in self.found.values() for box in label.boxes)
        room = ground.box.grown(90)
        return [edges_of(o) for o in (*self.obstacles, *placed) if o.meets(room)]

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


def _list_settings(
    placing: LabelPlacing, id_: str, spot: NamePlace
) -> Iterator[tuple[float, Lettering]]:
    """Yield the ways to set a name, each with its cost.

    They are: as the map has it, on one line, on two, smaller, curved or straight, and at last
    the id of the province.
    """
    province = placing.board.provinces[id_]
    name = province.name(placing.lang)
    own = (
        spot.lines if " ".join(spot.lines) == name or _first(placing.board) == placing.lang else ()
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
                dear = 10.0 * abs(bend) if bend else 0.8  # a gentle curve is best
                yield base + dear, plain._replace(bend=bend)
        else:
            yield base, plain


def _make_label(province: str, name: Lettering, at: Point) -> Label:
    """Return the label of a province at a place."""
    boxes = tuple(piece.box_at(at) for piece in cut_into_pieces(name))
    return Label(province, name.lines, at, name.size, name.sea, name.angle, name.bend, boxes)


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


def _split_name(name: str) -> tuple[str, ...]:
    """Return a name on two lines as equal as its words allow; nothing for a single word."""
    words = name.split()
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return min(cuts, key=lambda cut: max(map(len, cut)), default=())


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
