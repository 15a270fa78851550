"""Insets: crowded parts of a turn, drawn larger beside the map."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import RADIUS, Atlas, Lens, ProvinceDrawing, bounding_box
from alexmagnum.draw.base_map import BaseMap, city_sign
from alexmagnum.draw.grid import FreeSpace, Grid
from alexmagnum.draw.order_marks import OrderMarks
from alexmagnum.draw.orders import DrawnOrder, line_length
from alexmagnum.draw.positions import MapPage, UnitLayout, find_slot
from alexmagnum.draw.scene import (
    Box,
    Layer,
    Point,
    Shape,
    Text,
    distance,
    path_data,
    rectangle_path,
    square,
    width,
)
from alexmagnum.judge.outcome import SUCCEEDS
from alexmagnum.position import Position, Unit

# Insets: crowded parts of a turn, drawn larger beside the map.


SCALES = (2.8, 2.4, 2.0, 1.7)
"""The magnifications of an inset, the best first."""

CLEARLY_LARGER = 2.0
"""The magnification for which an inset rather stands on empty ground than larger on provinces."""

ROW_SCALE = 2.2
"""The magnification of insets below the map, where they stand if the map has no room."""

SHORT = 34.0
"""The length below which an arrow is hard to read."""

LONG = 62.0
"""The length below which the arrow of a supported attack is worth an inset by itself."""

DECISIVE = 200.0
"""The length below which an arrow that dislodges a unit is worth an inset by itself."""

CLOSE = 13.0
"""The gap below which two things are hard to tell apart."""

_MARGIN = 30.0  # around the units that crowd each other
_GAP = 18.0
_FEW = 2.0  # the least weight of what is crowded that is worth an inset
_WIDEST = 220.0  # windows are not merged beyond this width and height
_LARGEST_BATTLE = 340.0  # the width and height of a battle that an inset shows with all supports
_LARGEST = 0.34  # the largest part of the sheet's width that an inset takes
_MOST = 4  # the most insets of a picture
_NAME_SIZE = 21.0
_NUMBERS = ("I", "II", "III", "IV", "V")
_TAG = 20.0  # the height of an inset's number
_COVERED = 50.0  # the cost of a name upon a symbol, a centre or another name, which is too much


@dataclass(frozen=True, slots=True)
class InsetPlace:
    """The place of an inset: the window of the map, the frame for it, and its number."""

    lens: Lens
    number: str


def place_insets(
    stage: UnitLayout,
    orders: Sequence[DrawnOrder],
    laid: OrderMarks,
    page: MapPage,
    gone: Collection[Unit] = (),
) -> tuple[InsetPlace, ...]:
    """Return the places of the insets of a turn; ``gone`` are the units that lose their place.

    What is crowded, and arrows too short to read, need one.  A short arrow that dislodges a unit
    gets one if there is room.
    """
    battles = tuple(_battles(stage, orders, laid, gone))
    needed = _windows(_crowds(stage, laid, battles), stage.atlas.box)
    wished = _decisive_windows(battles, stage.atlas.box, needed)
    every = sorted([*needed, *wished], key=_left_to_right_key)
    lenses = _lenses_beside_legend(every, page) or _lenses_beside_legend(needed, page)
    if not lenses:
        lenses = _lenses_on_map(needed, wished, stage, laid, page)
    if needed and not any(lens.window in needed for lens in lenses):
        lenses = _lenses_in_rows(needed, page)
    for lens in lenses:
        page.room.take(lens.frame)
    return tuple(InsetPlace(lens, number) for lens, number in zip(lenses, _NUMBERS, strict=False))


# -- which parts of the map ------------------------------------------------------------------------


def _windows(crowds: Iterable[tuple[Box, float]], sheet: Box) -> list[Box]:
    """Return boxes around crowded places, from left to right; boxes that meet are merged."""
    found: list[tuple[Box, float]] = []
    for crowd in sorted(crowds, key=lambda crowd: -crowd[1]):
        box, count = crowd
        met = [other for other in found if other[0].meets(box)]
        for more, by in met:
            both = _union(box, more)
            if max(both.width, both.height) <= _WIDEST and _area(both) < _area(box) + _area(more):
                found.remove((more, by))
                box, count = both, count + by
        found.append((box, count))
    worth = [(box, count) for box, count in found if count >= _FEW]
    worth.sort(key=lambda crowd: (-crowd[1], crowd[0].left, crowd[0].top))
    kept: list[Box] = []
    for box, _ in worth:
        if len(kept) < _MOST and not box.grown(-_MARGIN / 2).meets_any(kept):
            kept.append(_move_onto(box, sheet))
    return sorted(kept, key=_left_to_right_key)


def _crowds(
    stage: UnitLayout, laid: OrderMarks, battles: Iterable[_Battle]
) -> Iterator[tuple[Box, float]]:
    """Yield a box around things that are hard to tell apart, each with a weight.

    These are symbols, heads and bursts close to each other, and arrows too short to be seen.  A
    short arrow of a battle is worth an inset by itself.
    """
    things = [square(at, RADIUS) for _, at in sorted(stage.seats.items())]
    things += laid.signs
    things.sort(key=_left_to_right_key)
    for i, one in enumerate(things):
        near = one.grown(CLOSE)
        for other in things[:i]:
            if near.meets(other):
                yield _union(one, other).grown(_MARGIN), 0.4
    for battle in battles:
        if battle.length < (LONG if battle.supported else SHORT):
            fought = battle.supported or battle.result != SUCCEEDS
            yield battle.box, _FEW if fought else 1.0


def _decisive_windows(battles: Iterable[_Battle], sheet: Box, others: Sequence[Box]) -> list[Box]:
    """Return boxes around short arrows that dislodge a unit, the shortest first.

    The reader of a turn looks for these.  None meets another or one of the ``others``; where a
    battle with its supports would, its arrow alone is shown.
    """
    found: list[Box] = []
    decisive = [battle for battle in battles if battle.decides and battle.length < DECISIVE]
    for battle in sorted(decisive, key=lambda battle: battle.length):
        before = [*others, *found]
        boxes = [_move_onto(box, sheet) for box in (battle.box, battle.ends)]
        clear = [box for box in boxes if not box.grown(-_MARGIN / 2).meets_any(before)]
        if clear and len(before) < _MOST:
            found.append(clear[0])
    return found


@dataclass(frozen=True, slots=True)
class _Battle:
    """A move on the sheet: its result, the length of its arrow, and the room of its units.

    ``decides`` says whether it dislodges a unit; ``box`` has its supports too, ``ends`` has not.
    """

    result: str
    length: float
    supported: bool
    decides: bool
    box: Box
    ends: Box


def _battles(
    stage: UnitLayout,
    orders: Sequence[DrawnOrder],
    laid: OrderMarks,
    gone: Collection[Unit],
) -> Iterator[_Battle]:
    """Yield the moves whose arrows are drawn.

    In the box of a move are the units nearby that support it, and in that of one that dislodges a
    unit all others too, unless it would be very large.
    """
    lost = {unit.place for unit in gone}
    helpers: dict[Unit | None, list[Unit]] = {}
    for order in orders:
        if order.goal is not None and order.look == "support":
            helpers.setdefault(order.aim, []).append(order.unit)
    for order in orders:
        line = laid.lines.get(order.unit)
        if line is None or order.goal is None:
            continue
        decides = order.result == SUCCEEDS and order.goal.place in lost
        helping = [stage.seats[unit] for unit in helpers.get(order.unit, ())]
        start, end = stage.seats[order.unit], stage.end(order.goal).at
        box = bounding_box([start, end, *helping]).grown(_MARGIN)
        if not decides or max(box.width, box.height) > _LARGEST_BATTLE:
            near = [at for at in helping if distance(at, start) < 2 * LONG]
            box = bounding_box([start, end, *near]).grown(_MARGIN)
        ends = bounding_box([start, end]).grown(0.6 * _MARGIN)
        yield _Battle(order.result, line_length(line), bool(helping), decides, box, ends)


def _area(box: Box) -> float:
    return box.width * box.height


def _union(a: Box, b: Box) -> Box:
    return Box(
        min(a.left, b.left), min(a.top, b.top), max(a.right, b.right), max(a.bottom, b.bottom)
    )


def _move_onto(box: Box, sheet: Box) -> Box:
    dx = max(sheet.left - box.left, 0.0) - max(box.right - sheet.right, 0.0)
    dy = max(sheet.top - box.top, 0.0) - max(box.bottom - sheet.bottom, 0.0)
    return box.moved(dx, dy)


# -- where they stand ------------------------------------------------------------------------------


def _lenses_beside_legend(windows: Sequence[Box], page: MapPage) -> list[Lens]:
    """Return insets between a legend and a scoreboard that stand below the map.

    There are none if these stand on the map, or if the windows could not be large enough.
    """
    row = page.row_of_legend
    if row is None or not windows:
        return []
    row = Box(row.left + _GAP, row.top, row.right - _GAP, row.bottom)
    high = max(window.height for window in windows)
    wide = sum(window.width for window in windows)
    by_width = (row.width - _GAP * (len(windows) - 1)) / wide
    scale = min(SCALES[0], by_width)
    if scale < SCALES[-1]:
        return []
    page.make_room_down_to(row.top + high * scale)
    left = row.left + (by_width - scale) * wide / 2
    return list(_stand_side_by_side(windows, left, row.top, scale))


def _stand_side_by_side(
    windows: Iterable[Box], left: float, top: float, scale: float
) -> Iterator[Lens]:
    """Yield insets of one scale, from a place to the right."""
    for window in windows:
        frame = Box(left, top, left + window.width * scale, top + window.height * scale)
        yield Lens(window, frame)
        left = frame.right + _GAP


def _lenses_on_map(
    needed: Sequence[Box],
    wished: Sequence[Box],
    stage: UnitLayout,
    laid: OrderMarks,
    page: MapPage,
) -> list[Lens]:
    """Return insets in free places of the map, from left to right by their windows.

    The largest window chooses first.  An inset stands on empty ground if it is clearly larger than
    its window there.  Else one that is needed may hide provinces where nothing stands and nothing
    happens, as little of them as possible and at first not their centres.
    """
    if not needed and not wished:
        return []
    grounds = stage.atlas.grounds
    quiet = _quiet_provinces(stage, laid, page)
    busy = [*(window.grown(8.0) for window in (*needed, *wished)), *laid.signs]
    centres = [square(g.city, 14.0) for g in grounds.values() if g.city]
    empty, over = page.room.without(busy), page.room.over(quiet, grounds)
    hiding = [over.without(spared) for spared in ([*busy, *centres], busy)]
    found: list[Lens] = []
    for window in (*sorted(needed, key=_area, reverse=True), *wished):
        rooms = [empty, *hiding] if window in needed else [empty]
        frame = _find_frame(window, rooms, stage.atlas.box)
        if frame is not None:
            found.append(Lens(window, frame))
            for room in (empty, *hiding):
                room.take(frame)
    return sorted(found, key=lambda lens: _left_to_right_key(lens.window))


def _quiet_provinces(stage: UnitLayout, laid: OrderMarks, page: MapPage) -> frozenset[str]:
    """Return the provinces that nobody owns, where nothing stands and no order leads."""
    busy = {unit.province for unit in stage.seats} | set(page.position.owners)
    busy |= {stage.grid.owner_at(point) for line in laid.lines.values() for point in line}
    busy |= {mark.to for mark in laid.under}
    return frozenset(id_ for id_ in stage.atlas.grounds if id_ not in busy)


def _find_frame(window: Box, rooms: Sequence[FreeSpace], sheet: Box) -> Box | None:
    """Return the best free place for a window on the map, None if there is none.

    ``rooms`` are the empty ground and then those that hide more and more.
    """
    empty, *hiding = rooms
    least = CLEARLY_LARGER if hiding else SCALES[-1]
    tries = [(scale, [empty]) for scale in SCALES if scale >= least]
    tries += [(scale, hiding) for scale in SCALES]
    for scale, there in tries:
        wide, high = window.width * scale, window.height * scale
        if max(wide, high) > _LARGEST * sheet.width and scale > SCALES[-1]:
            continue
        for room in there:
            box = room.find_place(wide, high, window.middle)
            if box is not None:
                return box
    return None


def _fit_in_a_row(windows: Sequence[Box], sheet: Box) -> bool:
    """Return whether windows can stand side by side below the map, each clearly magnified."""
    wide = sum(window.width for window in windows) * SCALES[-1]
    return wide + _GAP * (len(windows) - 1) <= sheet.width


def _stretch(windows: Sequence[Box], sheet: Box) -> list[Box]:
    """Return windows of equal height that together fill a row of the sheet."""
    merged = list(windows)
    while True:
        high = max(w.height for w in merged)
        total = (sheet.width - _GAP * (len(merged) - 1)) / ROW_SCALE
        more = (total - sum(w.width for w in merged)) / len(merged)
        found = [_grow(w, max(more, 0.0), high - w.height, sheet) for w in merged]
        met = next(((a, b) for i, a in enumerate(found) for b in found[:i] if a.meets(b)), None)
        if met is None:
            return found
        a, b = (merged[found.index(box)] for box in met)
        merged = sorted(
            [w for w in merged if w not in (a, b)] + [_union(a, b)], key=_left_to_right_key
        )


def _left_to_right_key(box: Box) -> tuple[float, float]:
    return box.left, box.top


def _grow(box: Box, wide: float, high: float, sheet: Box) -> Box:
    grown = Box(
        box.left - wide / 2, box.top - high / 2, box.right + wide / 2, box.bottom + high / 2
    )
    return _move_onto(grown, sheet)


def _lenses_below(windows: Sequence[Box], page: MapPage) -> Iterator[Lens]:
    """Return insets side by side below the map, smaller if there are too many."""
    room = page.base.atlas.box.width - _GAP * (len(windows) - 1)
    scale = min(ROW_SCALE, room / sum(w.width for w in windows))
    row = page.row(max(w.height for w in windows) * scale)
    return _stand_side_by_side(windows, row.left, row.top, scale)


def _lenses_in_rows(windows: Sequence[Box], page: MapPage) -> list[Lens]:
    """Return insets below the map: in one row that they fill, or in as many as they need."""
    box = page.base.atlas.box
    if _fit_in_a_row(windows, box):
        windows = _stretch(windows, box)
    rows: list[list[Box]] = [[]]
    for window in windows:
        if rows[-1] and not _fit_in_a_row([*rows[-1], window], box):
            rows.append([])
        rows[-1].append(window)
    return [lens for row in rows for lens in _lenses_below(row, page)]


# -- what is in them -------------------------------------------------------------------------------


def place_tags(
    seen: Sequence[InsetPlace], stage: UnitLayout, above: Iterable[Box]
) -> tuple[Box, ...]:
    """Return the room of each window's number: the corner where it is seen and covers least.

    What is ``above``, such as the legend, would hide it, and so would units.
    """
    sheet = stage.atlas.box.grown(-4.0)
    hiding = [*above, *(view.lens.frame for view in seen)]
    hiding += [square(at, RADIUS) for at in stage.seats.values()]

    def cost(tag: Box) -> tuple[bool, int]:
        hidden = tag.meets_any(hiding) or not sheet.encloses(tag)
        return hidden, stage.covered(tag.grown(3.0))

    windows = ((view.lens.window, _tag_width(view.number)) for view in seen)
    return tuple(min(_corners(window, wide), key=cost) for window, wide in windows)


def draw_windows(seen: Iterable[InsetPlace], tags: Iterable[Box]) -> Layer:
    """Return the outlines of the windows on the map, each with the number of its inset."""
    items: list[Shape | Text] = []
    for view, tag in zip(seen, tags, strict=True):
        outline = rectangle_path(view.lens.window)
        items += (Shape(outline, "window-halo"), Shape(outline, "window"))
        items += _number_tag(view.number, tag)
    return Layer("windows", tuple(items))


def _corners(window: Box, wide: float) -> Iterator[Box]:
    """Yield the places for a number at the corners of a window: inside, then above and below."""
    for x in (window.left, window.right - wide):
        for y in (window.top, window.bottom - _TAG, window.top - _TAG, window.bottom):
            yield Box(x, y, x + wide, y + _TAG)


def draw_frame(view: InsetPlace) -> Layer:
    """Return the number of an inset in its corner."""
    box = next(_corners(view.lens.frame, _tag_width(view.number)))
    return Layer("frame", tuple(_number_tag(view.number, box)))


def _tag_width(number: str) -> float:
    return 14.0 + 6.0 * len(number)


def _number_tag(number: str, box: Box) -> Iterator[Shape | Text]:
    yield Shape(rectangle_path(box), "tag")
    yield Text(number, (box.middle[0], box.top + 15.5), 17.0, "tag-number")


def draw_cities(board: Board, atlas: Atlas, lens: Lens) -> Layer:
    """Return the supply centres within a window."""
    shapes: list[Shape] = []
    for place in atlas.grounds.values():
        province = board.provinces[place.id]
        if province.centre and place.city and lens.window.grown(6).holds(place.city):
            shapes += city_sign(lens(place.city), province.centre, major=province.major)
    return Layer("cities", tuple(shapes))


class InsetNames:
    """Places the names of an inset: whole, and clear of symbols and centres."""

    def __init__(self, board: Board, atlas: Atlas, grid: Grid, lens: Lens, lang: str) -> None:
        self.board, self.atlas, self.grid, self.lens, self.lang = board, atlas, grid, lens, lang
        self.taken: list[Box] = []

    def place_all(self, seats: Mapping[Unit, Point], signs: Iterable[Box] = ()) -> tuple[Text, ...]:
        """Return the names of the provinces in the window; small provinces choose first.

        None stands on a unit, a centre or one of the ``signs``.
        """
        frame, window = self.lens.frame, self.lens.window
        self.taken = [Box(frame.left, frame.top, frame.left + 40.0, frame.top + 22.0)]
        self.taken += [square(at, RADIUS + 2.0) for at in seats.values() if frame.holds(at)]
        self.taken += signs
        visible = [g for g in self.atlas.grounds.values() if g.box.meets(window)]
        self.taken += [square(self.lens(g.city), 10.0) for g in visible if g.city]
        visible.sort(key=lambda g: (g.box.width * g.box.height, g.id))
        return tuple(filter(None, map(self._place_name, visible)))

    def _place_name(self, place: ProvinceDrawing) -> Text | None:
        province = self.board.provinces[place.id]
        name = province.name(self.lang)
        best: tuple[float, Point, float] | None = None
        for size in (_NAME_SIZE, 17.0):
            wide = width(name, size, "italic" if province.is_sea else "semibold") + 4.0
            for at in self._places(place):
                cost = self._cost(place, at, wide, size) + (_NAME_SIZE - size) * 2
                if best is None or cost < best[0]:
                    best = cost, at, size
            if best is not None and best[0] < 10.0:
                break
        if best is None or best[0] >= _COVERED:
            return None
        _, at, size = best
        look = "name sea-name" if province.is_sea else "name"
        wide = width(name, size, "italic" if province.is_sea else "semibold") + 4.0
        self.taken.append(_label_box(at, wide, size))
        return Text(name, (at[0], at[1] + size * 0.32), size, look, province=place.id)

    def _places(self, place: ProvinceDrawing) -> Iterator[Point]:
        """Yield places to try: the map's own, then a grid over the visible part of the province."""
        seen = self.lens.window
        middle = place.name.at if place.name else place.box.middle
        if seen.holds(middle):
            yield self.lens(middle)
        left, right = max(place.box.left, seen.left), min(place.box.right, seen.right)
        top, bottom = max(place.box.top, seen.top), min(place.box.bottom, seen.bottom)
        for i in range(1, 10):
            for k in range(1, 10):
                at = left + (right - left) * i / 10, top + (bottom - top) * k / 10
                if self.grid.owner_at(at) == place.id:
                    yield self.lens(at)

    def _cost(self, place: ProvinceDrawing, at: Point, wide: float, size: float) -> float:
        """Return the cost of a place for a name: covered symbols, foreign ground, distance."""
        box = _label_box(at, wide, size)
        frame = self.lens.frame.grown(-4.0)
        if not frame.encloses(box):
            return 1000.0
        cost = sum(_COVERED for other in self.taken if other.meets(box))
        middle = self.lens(place.name.at if place.name else place.box.middle)
        cost += distance(at, middle) * 0.03
        for share in (-0.5, -0.25, 0.0, 0.25, 0.5):
            owner = self.grid.owner_at(self.lens.inverse((at[0] + wide * share, at[1])))
            if owner != place.id:
                cost += 8.0 if owner and not self.board.provinces[owner].is_sea else 3.0
        return cost


def _label_box(at: Point, wide: float, size: float) -> Box:
    return Box(at[0] - wide / 2, at[1] - size * 0.45, at[0] + wide / 2, at[1] + size * 0.42)


# Orders that lead out of a part of a map, or into it.
#
# Their lines end at the edge, at a gate: a tag with the name of the place outside.


_SIZE = 16.0
_HEIGHT = 22.0
_POINT = 9.0  # the length of the point of a tag
_EDGE = 3.0  # from a tag to the edge of the sheet
_OVER_NAME, _OVER_UNIT = 30.0, 400.0  # the costs of hiding a name and a unit
_SLIDES = tuple(k * step for k in range(14) for step in (16.0, -16.0))


@dataclass(frozen=True, slots=True)
class Gate:
    """The place at the edge of a part of a map that stands for a province outside.

    Attributes:
        at: where lines begin and end.
        box: the room of the tag.
        outward: the direction out of the sheet.
    """

    province: str
    name: str
    at: Point
    box: Box
    outward: Point


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The orders that touch a part of a map, and the units they are about.

    On a whole map it is everything, and there are no gates.
    """

    orders: tuple[DrawnOrder, ...]
    position: Position
    atlas: Atlas
    gates: tuple[Gate, ...] = ()


def find_excerpt(
    base: BaseMap, position: Position, orders: Iterable[DrawnOrder], lang: str
) -> Excerpt:
    """Return the orders and units of a phase that a map shows."""
    beyond = base.atlas.beyond
    if not beyond:
        return Excerpt(tuple(orders), position, base.atlas)
    seen = tuple(
        order
        for order in orders
        if any(u and u.province not in beyond for u in (order.unit, order.goal, order.aim))
    )
    used = {unit for order in seen for unit in (order.unit, *order.fleets, order.aim) if unit}
    shown = replace(
        position,
        units=tuple(u for u in position.units if u in used or u.province not in beyond),
        dislodged=tuple(
            d for d in position.dislodged if d.unit in used or d.unit.province not in beyond
        ),
    )
    places = dict.fromkeys(p for order in seen for p in _places(order) if p in beyond)
    gates = _place_gates(places, base, shown, lang)
    grounds = {g.province: ProvinceDrawing(g.province, (), g.box, (g.at,)) for g in gates}
    atlas = replace(base.atlas, grounds={**base.atlas.grounds, **grounds})
    return Excerpt(seen, shown, atlas, gates)


def _places(order: DrawnOrder) -> Iterator[str]:
    """Yield the provinces that the drawing of an order needs."""
    for unit in (order.unit, order.goal, order.aim, *order.fleets):
        if unit is not None:
            yield unit.province
    yield from order.course
    yield from filter(None, (order.over, order.stop))


# -- where gates stand -----------------------------------------------------------------------------


def _place_gates(
    places: Iterable[str], base: BaseMap, position: Position, lang: str
) -> tuple[Gate, ...]:
    taken = [(box, _OVER_NAME) for label in base.names for box in label.boxes]
    for unit in position.units:
        if unit.province not in base.atlas.beyond:
            x, y = find_slot(base.atlas.grounds[unit.province], unit)
            taken.append((Box(x, y, x, y).grown(RADIUS), _OVER_UNIT))
    found: list[Gate] = []
    for province in places:
        name = position.board.provinces[province].name(lang)
        at = base.atlas.beyond[province]
        options = list(_gate_options(province, name, at, base.atlas.box))
        found.append(min(options, key=lambda gate: _gate_cost(gate, at, taken, found)))
    return tuple(found)


def _gate_options(province: str, name: str, at: Point, sheet: Box) -> Iterator[Gate]:
    """Yield gates along the edges of the sheet that face a place outside."""
    wide = width(name, _SIZE, "semibold") + 12.0
    room = sheet.grown(-_EDGE)
    half = wide / 2, _HEIGHT / 2
    x = min(max(at[0], room.left + half[0]), room.right - half[0])
    y = min(max(at[1], room.top + half[1]), room.bottom - half[1])
    across = -1.0 if at[0] < sheet.left else 1.0 if at[0] > sheet.right else 0.0
    down = -1.0 if at[1] < sheet.top else 1.0 if at[1] > sheet.bottom else 0.0
    if not across and not down:  # on the sheet, where too little of it is visible for a unit
        across, down = _nearest_edge(at, sheet)
    for slide in _SLIDES:
        if across:
            left = room.left if across < 0 else room.right - wide - _POINT
            yield _make_gate(province, name, (left, y + slide), (across, 0.0), wide, room)
        for row in (0, 1) if down else ():
            inset = row * (_HEIGHT + _POINT + _EDGE)
            top = room.top + inset if down < 0 else room.bottom - _HEIGHT - _POINT - inset
            yield _make_gate(province, name, (x + slide, top), (0.0, down), wide, room)


def _nearest_edge(at: Point, sheet: Box) -> Point:
    edges = [
        (at[0] - sheet.left, (-1.0, 0.0)),
        (sheet.right - at[0], (1.0, 0.0)),
        (at[1] - sheet.top, (0.0, -1.0)),
        (sheet.bottom - at[1], (0.0, 1.0)),
    ]
    return min(edges)[1]


def _make_gate(
    province: str, name: str, corner: Point, outward: Point, wide: float, room: Box
) -> Gate:
    """Return a gate whose tag is at a place along an edge, moved onto the sheet."""
    if outward[0]:
        top = min(max(corner[1] - _HEIGHT / 2, room.top), room.bottom - _HEIGHT)
        box = Box(corner[0], top, corner[0] + wide + _POINT, top + _HEIGHT)
        at = (box.right if outward[0] < 0 else box.left), box.middle[1]
    else:
        left = min(max(corner[0] - wide / 2, room.left), room.right - wide)
        box = Box(left, corner[1], left + wide, corner[1] + _HEIGHT + _POINT)
        at = box.middle[0], (box.bottom if outward[1] < 0 else box.top)
    return Gate(province, name, at, box, outward)


def _gate_cost(
    gate: Gate, at: Point, taken: Sequence[tuple[Box, float]], others: Sequence[Gate]
) -> float:
    """Return the cost of a gate: what it hides, other gates, how far it is from its province."""
    hidden = sum(cost for box, cost in taken if box.meets(gate.box))
    crowd = sum(other.box.grown(2.0).meets(gate.box) for other in others)
    return hidden + 4 * _OVER_UNIT * crowd + distance(gate.at, at) * 0.5


# -- how they look ---------------------------------------------------------------------------------


def draw_gates(gates: Iterable[Gate]) -> tuple[Layer, ...]:
    """Return the layer of the tags, each with a point that leads out of the sheet."""
    items: list[Shape | Text] = []
    for gate in gates:
        items.append(Shape(_tag_path(gate), "gate"))
        x, y = gate.box.middle
        x -= gate.outward[0] * _POINT / 2
        y -= gate.outward[1] * _POINT / 2
        items.append(Text(gate.name, (x, y + _SIZE * 0.34), _SIZE, "gate-name"))
    return (Layer("gates", tuple(items)),) if items else ()


def move_gates(gates: Iterable[Gate], lens: Lens) -> Iterator[Gate]:
    """Yield the gates within a window, as they stand in its frame."""
    for gate in gates:
        if lens.window.holds(gate.at):
            x, y = lens(gate.at)
            dx, dy = x - gate.at[0], y - gate.at[1]
            yield replace(gate, at=(x, y), box=gate.box.moved(dx, dy))


def _tag_path(gate: Gate) -> str:
    """Return the outline of a tag: a box with a point on its outer side."""
    box, (dx, dy) = gate.box, gate.outward
    left = box.left + (_POINT if dx < 0 else 0.0)
    right = box.right - (_POINT if dx > 0 else 0.0)
    top = box.top + (_POINT if dy < 0 else 0.0)
    bottom = box.bottom - (_POINT if dy > 0 else 0.0)
    x, y = (left + right) / 2, (top + bottom) / 2
    up = [(x - 9, top), (x, box.top), (x + 9, top)] if dy < 0 else []
    down = [(x + 9, bottom), (x, box.bottom), (x - 9, bottom)] if dy > 0 else []
    east = [(box.right, y)] if dx > 0 else []
    west = [(box.left, y)] if dx < 0 else []
    corners = [(left, top), *up, (right, top), *east, (right, bottom), *down, (left, bottom), *west]
    return path_data([corners], closed=True)
