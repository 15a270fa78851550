"""Crowded parts of a turn drawn larger beside the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from alexmagnum.board.model import Board
from alexmagnum.draw.arrows import line_length
from alexmagnum.draw.atlas import Atlas, ProvinceDrawing
from alexmagnum.draw.base_map import city_sign
from alexmagnum.draw.fonts import width
from alexmagnum.draw.grid import Grid
from alexmagnum.draw.order_drawing import DrawnOrder
from alexmagnum.draw.order_layer import Lens, SheetLayout
from alexmagnum.draw.order_marks import OrderMarks
from alexmagnum.draw.paths import distance, rectangle_path
from alexmagnum.draw.position_picture import Sheet
from alexmagnum.draw.scene import Box, Layer, Point, Shape, Text
from alexmagnum.draw.symbols import RADIUS
from alexmagnum.position import Unit

SCALES = (2.6, 2.4, 2.2, 2.0)
"""How much larger an inset is, the best first."""

ROW_SCALE = 2.2
"""How much larger are those for which there is room only below the map."""

SHORT = 27.0
"""An arrow shorter than that is hard to read."""

PUSHED = 9.0
"""A symbol that stands so far from its place had not room enough."""

_MARGIN = 34.0  # around the units that crowd each other
_GAP = 18.0
_FEW = 2  # so many things that crowd each other are worth an inset
_NAME_SIZE = 21.0
_NUMBERS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")
_TAG = 20.0  # the height of an inset's number
_COVERED = 50.0  # the cost of a name upon a symbol, a centre or another name: none is set so


@dataclass(frozen=True, slots=True)
class InsetPlace:
    """A window of the map and the frame in which it is drawn larger, with its number."""

    lens: Lens
    number: str


def place_insets(
    stage: SheetLayout, deeds: Sequence[DrawnOrder], laid: OrderMarks, sheet: Sheet
) -> tuple[InsetPlace, ...]:
    """The insets that a turn needs, where there is room for them on the sheet; none if no
    symbols push each other aside and no arrows are too short to be read."""
    windows = _windows(stage, deeds, laid)
    frames = [_free(window, sheet) for window in windows]
    if None in frames:
        windows = _stretched(windows, stage.atlas.box)
        frames = list(_row(windows, sheet))
    lenses = [Lens(w, f) for w, f in zip(windows, frames, strict=True) if f is not None]
    return tuple(InsetPlace(lens, number) for lens, number in zip(lenses, _NUMBERS, strict=False))


# -- which parts of the map ------------------------------------------------------------------------


def _windows(stage: SheetLayout, deeds: Sequence[DrawnOrder], laid: OrderMarks) -> list[Box]:
    """Boxes around what is crowded, from left to right; those that meet are one."""
    found: list[tuple[Box, float]] = []
    for crowd in _crowds(stage, deeds, laid):
        box, count = crowd
        while met := [other for other in found if other[0].meets(box)]:
            found = [other for other in found if other not in met]
            for more, by in met:
                box, count = _union(box, more), count + by
        found.append((box, count))
    return sorted(
        (_within(box, stage.atlas.box) for box, count in found if count >= _FEW),
        key=lambda box: (box.left, box.top),
    )


def _crowds(
    stage: SheetLayout, deeds: Sequence[DrawnOrder], laid: OrderMarks
) -> Iterator[tuple[Box, float]]:
    """A box around every symbol that was pushed aside (two push each other) and around every
    arrow without room, with what that counts: enough by itself if a support hides the arrow."""
    helped = {deed.aim for deed in deeds if deed.goal is not None}
    for unit, at in sorted(stage.seats.items()):
        if distance(at, stage.natural[unit]) > PUSHED:
            yield Box(*at, *at).grown(_MARGIN), 0.5
    for deed in deeds:
        line = laid.lines.get(deed.unit)
        if line is not None and deed.goal is not None and line_length(line) < SHORT:
            (x1, y1), (x2, y2) = stage.seats[deed.unit], stage.end(deed.goal).at
            box = Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)).grown(_MARGIN)
            yield box, _FEW if deed.unit in helped else 1.0


def _union(a: Box, b: Box) -> Box:
    return Box(
        min(a.left, b.left), min(a.top, b.top), max(a.right, b.right), max(a.bottom, b.bottom)
    )


def _within(box: Box, sheet: Box) -> Box:
    """The box moved so that it lies on the sheet."""
    dx = max(sheet.left - box.left, 0.0) - max(box.right - sheet.right, 0.0)
    dy = max(sheet.top - box.top, 0.0) - max(box.bottom - sheet.bottom, 0.0)
    return Box(box.left + dx, box.top + dy, box.right + dx, box.bottom + dy)


# -- where they stand ------------------------------------------------------------------------------


def _free(window: Box, sheet: Sheet) -> Box | None:
    """A free place on the map, as large as there is."""
    for scale in SCALES:
        wide, high = window.width * scale, window.height * scale
        box = sheet.room.find_place(wide, high, window.middle)
        if box is not None:
            sheet.room.take(box)
            return box
    return None


def _stretched(windows: Sequence[Box], sheet: Box) -> list[Box]:
    """The windows of one height, and so wide that they fill a row of the sheet together."""
    merged = list(windows)
    while True:
        high = max(w.height for w in merged)
        total = (sheet.width - _GAP * (len(merged) - 1)) / ROW_SCALE
        more = (total - sum(w.width for w in merged)) / len(merged)
        found = [_grown(w, max(more, 0.0), high - w.height, sheet) for w in merged]
        met = next(((a, b) for i, a in enumerate(found) for b in found[:i] if a.meets(b)), None)
        if met is None:
            return found
        a, b = (merged[found.index(box)] for box in met)
        merged = sorted([w for w in merged if w not in (a, b)] + [_union(a, b)], key=_left)


def _left(box: Box) -> tuple[float, float]:
    return box.left, box.top


def _grown(box: Box, wide: float, high: float, sheet: Box) -> Box:
    grown = Box(
        box.left - wide / 2, box.top - high / 2, box.right + wide / 2, box.bottom + high / 2
    )
    return _within(grown, sheet)


def _row(windows: Sequence[Box], sheet: Sheet) -> Iterator[Box]:
    """Frames side by side below the map; smaller if they are too many."""
    room = sheet.base.atlas.box.width - _GAP * (len(windows) - 1)
    scale = min(ROW_SCALE, room / sum(w.width for w in windows))
    row = sheet.row(max(w.height for w in windows) * scale)
    left = row.left
    for window in windows:
        right = left + window.width * scale
        yield Box(left, row.top, right, row.top + window.height * scale)
        left = right + _GAP


# -- what is in them -------------------------------------------------------------------------------


def draw_windows(seen: Iterable[InsetPlace], stage: SheetLayout) -> Layer:
    """The outlines of the windows on the map, each with the number of its inset in a corner
    where it covers least."""
    items: list[Shape | Text] = []
    for view in seen:
        window = view.lens.window
        items.append(Shape(rectangle_path(window), "window-halo"))
        items.append(Shape(rectangle_path(window), "window"))
        corners = list(_corners(window, _tag_width(view.number)))
        items += _tag(view.number, min(corners, key=lambda box: stage.covered(box.grown(3.0))))
    return Layer("windows", tuple(items))


def _corners(window: Box, wide: float) -> Iterator[Box]:
    """The places for a number at the corners of a window: inside it, then above and below it."""
    for x in (window.left, window.right - wide):
        for y in (window.top, window.bottom - _TAG, window.top - _TAG, window.bottom):
            yield Box(x, y, x + wide, y + _TAG)


def draw_frame(view: InsetPlace) -> Layer:
    """The number of an inset in its corner."""
    box = next(_corners(view.lens.frame, _tag_width(view.number)))
    return Layer("frame", tuple(_tag(view.number, box)))


def _tag_width(number: str) -> float:
    return 14.0 + 6.0 * len(number)


def _tag(number: str, box: Box) -> Iterator[Shape | Text]:
    yield Shape(rectangle_path(box), "tag")
    yield Text(number, (box.middle[0], box.top + 15.5), 17.0, "tag-number")


def draw_cities(board: Board, atlas: Atlas, lens: Lens) -> Layer:
    """The centres within a window."""
    shapes: list[Shape] = []
    for place in atlas.grounds.values():
        province = board.provinces[place.id]
        if province.centre and place.city and lens.window.grown(6).holds(place.city):
            shapes += city_sign(lens(place.city), province.centre, major=province.major)
    return Layer("cities", tuple(shapes))


@dataclass(frozen=True, slots=True)
class InsetName:
    """A name in an inset, and the room it takes."""

    text: Text
    box: Box


class InsetNames:
    """The names of an inset, laid anew: whole, and clear of symbols and centres."""

    def __init__(self, board: Board, atlas: Atlas, grid: Grid, lens: Lens, lang: str) -> None:
        self.board, self.atlas, self.grid, self.lens, self.lang = board, atlas, grid, lens, lang
        self.taken: list[Box] = []

    def lay(self, seats: Mapping[Unit, Point]) -> tuple[InsetName, ...]:
        frame, window = self.lens.frame, self.lens.window
        self.taken = [Box(frame.left, frame.top, frame.left + 40.0, frame.top + 22.0)]
        self.taken += [_square(at, RADIUS + 2.0) for at in seats.values() if frame.holds(at)]
        shown = [g for g in self.atlas.grounds.values() if g.box.meets(window)]
        self.taken += [_square(self.lens(g.city), 10.0) for g in shown if g.city]
        shown.sort(key=lambda g: (g.box.width * g.box.height, g.id))
        found = []
        for place in shown:
            name = self._name(place)
            if name is not None:
                found.append(name)
                self.taken.append(name.box)
        return tuple(found)

    def _name(self, place: ProvinceDrawing) -> InsetName | None:
        """The name of a province in the best place for it within the window, if there is one."""
        province = self.board.provinces[place.id]
        said = province.name(self.lang)
        best: tuple[float, Point, float] | None = None
        for size in (_NAME_SIZE, 17.0):
            wide = width(said, size, "italic" if province.is_sea else "semibold") + 4.0
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
        wide = width(said, size, "italic" if province.is_sea else "semibold") + 4.0
        text = Text(said, (at[0], at[1] + size * 0.32), size, look)
        return InsetName(text, _label_box(at, wide, size))

    def _places(self, place: ProvinceDrawing) -> Iterator[Point]:
        """Points to try: the map's own, and a grid over what is seen of the province."""
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
        """What is wrong with a place for a name: covered symbols, strange ground, distance."""
        box = _label_box(at, wide, size)
        frame = self.lens.frame.grown(-4.0)
        if box.left < frame.left or box.right > frame.right:
            return 1000.0
        if box.top < frame.top or box.bottom > frame.bottom:
            return 1000.0
        cost = sum(_COVERED for other in self.taken if other.meets(box))
        middle = self.lens(place.name.at if place.name else place.box.middle)
        cost += distance(at, middle) * 0.03
        k, (x, y) = self.lens.scale, at
        for share in (-0.5, -0.25, 0.0, 0.25, 0.5):
            there = (
                self.lens.window.left + (x + wide * share - self.lens.frame.left) / k,
                self.lens.window.top + (y - self.lens.frame.top) / k,
            )
            owner = self.grid.owner_at(there)
            if owner != place.id:
                cost += 8.0 if owner and not self.board.provinces[owner].is_sea else 3.0
        return cost


def _label_box(at: Point, wide: float, size: float) -> Box:
    return Box(at[0] - wide / 2, at[1] - size * 0.45, at[0] + wide / 2, at[1] + size * 0.42)


def _square(at: Point, half: float) -> Box:
    return Box(*at, *at).grown(half)
