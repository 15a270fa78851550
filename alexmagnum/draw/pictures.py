"""Pictures of turns: the units where they were ordered, their orders and the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import product

from alexmagnum.board.model import Board
from alexmagnum.draw import atlas as atlases
from alexmagnum.draw import base_map, order_marks
from alexmagnum.draw import positions as drawing
from alexmagnum.draw import scene as scenes
from alexmagnum.draw.labels import Label, LabelPlacing, clear_labels
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.draw.order_marks import OrderMarks, draw_orders, light, list_used_signs
from alexmagnum.draw.orders import DrawnOrder, collect_flags, collect_orders, line_length
from alexmagnum.draw.positions import MapPage, UnitLayout, draw_position, find_excerpt, list_tokens
from alexmagnum.draw.scene import Box, Layer, Point, Shape, Text, decimal, render_svg, square, width
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.judge.outcome import SUCCEEDS, Outcome
from alexmagnum.position import Position, Unit

# Choose the part of a map to draw: a power's front, some provinces, a region.


NARROWEST = 640.0
"""The least width of a part in drawing units: as wide as a telephone, letters can be read."""

_ENLARGED = 2.2  # the magnification of a part, if the picture is wide enough for it

_TELEPHONE, _LARGER = 800.0, 1.25
"""The greatest width of a part on a telephone, and how much it is enlarged if that is enough."""

_AROUND = 34.0  # around the places that have to be seen, in the map's drawing units
_LEAST = 240.0  # the least width of a window
_SHAPE = 0.56, 1.5  # the least and the greatest height of a window for its width
_WHOLE = 0.8  # a window with more than this share of the map's width and height is the whole

_WIDE = 760.0  # a front that is wider than this leaves out neighbours in which nobody stands


def find_front(
    positions: Iterable[Position], power: str, width: float = 0.0
) -> base_map.Crop | None:
    """Return the part of the map with a power's units and their neighbours.

    ``width`` is the greatest that it may have in drawing units; without it the part fits a
    telephone, and has no insets: it is drawn large enough.
    ``positions`` are those of one phase, such as before and after it.  A power without units has
    its centres shown; if it has none either, or if its front is most of the map, the answer is
    None: the whole map.
    """
    known = tuple(positions)
    board, atlas = known[0].board, load_atlas(known[0].board)
    if not (held := _find_home(known, power)):
        return None
    near = base_map.list_neighbours(board)
    standing = {u.province for p in known for u in p.units}
    around = {n for province in held for n in near[province]} - held.keys()
    points = [point for listed in held.values() for point in listed]
    box = _window_around([*points, *_nearest_places(around, points, atlas)], atlas)
    if box.width > _WIDE or box.height > _WIDE:
        box = _window_around([*points, *_nearest_places(around & standing, points, atlas)], atlas)
    if width:
        return _make_crop(box, atlas, width)
    crop = _make_crop(box, atlas, min(box.width * _LARGER, _TELEPHONE))
    return crop and replace(crop, insets=False)


def find_surroundings(board: Board, provinces: Iterable[str], width: float) -> base_map.Crop | None:
    """Return the part with whole provinces and the places next to them; None for the whole map."""
    atlas, near, wanted = load_atlas(board), base_map.list_neighbours(board), tuple(provinces)
    points = list(_outer_corners(wanted, atlas))
    around = {n for province in wanted for n in near[province]} - {*wanted}
    return _make_crop(
        _window_around([*points, *_nearest_places(around, points, atlas)], atlas), atlas, width
    )


def find_extent(board: Board, provinces: Iterable[str], width: float) -> base_map.Crop | None:
    """Return the part of the map with some provinces, whole; None for the whole map."""
    atlas = load_atlas(board)
    return _make_crop(_window_around(_outer_corners(provinces, atlas), atlas), atlas, width)


def _find_home(positions: Iterable[Position], power: str) -> Mapping[str, tuple[Point, ...]]:
    """Return the places of a power's units by province; those of its centres if it has none."""
    units: dict[str, tuple[Point, ...]] = {}
    centres: dict[str, tuple[Point, ...]] = {}
    for position in positions:
        atlas = load_atlas(position.board)
        for unit in (*position.units, *(d.unit for d in position.dislodged)):
            if unit.power == power:
                ground = atlas.grounds[unit.province]
                slot = ground.slots[min(unit.number, len(ground.slots)) - 1]
                units[unit.province] = (*units.get(unit.province, ()), slot)
        for centre in (*position.centres_of(power), *position.homes.get(power, ())):
            centres[centre] = atlas.grounds[centre].slots[:1]
    return units or centres


def _nearest_places(
    provinces: Collection[str], points: Collection[Point], atlas: atlases.Atlas
) -> Iterator[Point]:
    for province in sorted(provinces):
        slots = atlas.grounds[province].slots
        yield min(slots, key=lambda slot: min(scenes.distance(slot, point) for point in points))


def _outer_corners(provinces: Iterable[str], atlas: atlases.Atlas) -> Iterator[Point]:
    """Yield the upper left and the lower right corner of some provinces."""
    for province in provinces:
        box = atlas.grounds[province].box
        yield box.left, box.top
        yield box.right, box.bottom


def _window_around(points: Iterable[Point], atlas: atlases.Atlas) -> Box:
    box = atlases.bounding_box(points).grown(_AROUND)
    wide = max(box.width, _LEAST, box.height / _SHAPE[1])
    high = max(box.height, wide * _SHAPE[0])
    (x, y), sheet = box.middle, atlas.box
    wide, high = min(wide, sheet.width), min(high, sheet.height)
    left = min(max(x - wide / 2, sheet.left), sheet.right - wide)
    top = min(max(y - high / 2, sheet.top), sheet.bottom - high)
    return Box(left, top, left + wide, top + high)


def _make_crop(window: Box, atlas: atlases.Atlas, width: float) -> base_map.Crop | None:
    """Return a part of a map; ``width`` is the greatest that it may have in drawing units."""
    sheet = atlas.box
    if window.width > _WHOLE * sheet.width and window.height > _WHOLE * sheet.height:
        return None
    rounded = Box(
        *(round(edge, 1) for edge in (window.left, window.top, window.right, window.bottom))
    )
    return base_map.Crop(rounded, max(NARROWEST, min(width, round(_ENLARGED * window.width))))


# Several pictures of one map side by side, with what differs between them lit.


_APART = 24.0
_COLUMNS = 2
_HALO = 21.0  # the radius of the light around a unit


def light_up(scene: scenes.Scene, units: Collection[str]) -> scenes.Scene:
    """Return a picture in which some units have a light around them and other orders are dim."""
    insets = tuple(replace(i, layers=_light_layers(i.layers, units)) for i in scene.insets)
    return replace(scene, layers=_light_layers(scene.layers, units), insets=insets)


def _light_layers(layers: Sequence[Layer], units: Collection[str]) -> tuple[Layer, ...]:
    """Return layers with lights below the orders and dim orders of other units."""
    lights = tuple(
        light(item.at, _HALO)
        for layer in layers
        for item in layer.items
        if isinstance(item, scenes.Token) and item.unit in units
    )
    found: list[Layer] = []
    for layer in layers:
        if layer.key == "orders":
            found.append(Layer("lights", lights))
        items = tuple(
            replace(item, look=f"{item.look} dim")
            if isinstance(item, scenes.Mark) and item.unit not in units
            else item
            for item in layer.items
        )
        found.append(replace(layer, items=items))
    return tuple(found)


def render_side_by_side(pictures: Sequence[scenes.Scene], *, embed_fonts: bool = True) -> str:
    """Return pictures in rows of two as one SVG; each has its own title."""
    columns = min(_COLUMNS, len(pictures))
    wide = max(scene.box.width for scene in pictures)
    parts: list[str] = []
    top = 0.0
    for first in range(0, len(pictures), columns):
        row = pictures[first : first + columns]
        for k, scene in enumerate(row):
            drawn = render_svg(
                scene, prefix=f"p{first + k}-", embed_fonts=embed_fonts and not parts
            )
            at = f'x="{decimal(k * (wide + _APART))}" y="{decimal(top)}"'
            size = f'width="{decimal(scene.box.width)}" height="{decimal(scene.box.height)}"'
            parts.append(drawn.replace("<svg ", f"<svg {at} {size} ", 1))
        top += max(scene.box.height for scene in row) + _APART
    whole = f"0 0 {decimal(columns * (wide + _APART) - _APART)} {decimal(top - _APART)}"
    paper = '<rect width="100%" height="100%" fill="#eadfc0"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{whole}">'
    return f"{head}\n{paper}\n{''.join(parts)}</svg>\n"


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


def place_insets(
    stage: UnitLayout,
    orders: Sequence[DrawnOrder],
    laid: OrderMarks,
    page: MapPage,
    gone: Collection[Unit] = (),
) -> Mapping[str, atlases.Lens]:
    """Return the insets of a turn by number; ``gone`` are the units that lose their place.

    What is crowded, and arrows too short to read, need one.  A short arrow that dislodges a unit
    gets one if there is room.
    """
    battles = tuple(_battles(stage, orders, laid, gone))
    crowds = [*_crowds(stage, laid, battles), *_shared_portages(stage, orders)]
    needed = _hold_hauls(_windows(crowds, stage.atlas.box), stage, orders, laid)
    wished = _decisive_windows(battles, stage.atlas.box, needed)
    every = sorted([*needed, *wished], key=_left_to_right_key)
    if not (lenses := _lenses_beside_legend(every, page) or _lenses_beside_legend(needed, page)):
        lenses = _lenses_on_map(needed, wished, stage, laid, page)
    if needed and not any(lens.window in needed for lens in lenses):
        lenses = _lenses_in_rows(needed, page)
    for lens in lenses:
        page.room.take(lens.frame)
    return dict(zip(_NUMBERS, lenses, strict=False))


# -- which parts of the map ------------------------------------------------------------------------


def _windows(crowds: Iterable[tuple[Box, float]], sheet: Box) -> list[Box]:
    """Return boxes around crowded places, from left to right; boxes that meet are merged."""
    found: list[tuple[Box, float]] = []
    for crowd in sorted(crowds, key=lambda crowd: -crowd[1]):
        box, count = crowd
        for more, by in [other for other in found if other[0].meets(box)]:
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


def _hold_hauls(
    windows: Sequence[Box], stage: UnitLayout, orders: Iterable[DrawnOrder], laid: OrderMarks
) -> list[Box]:
    """Return windows grown so that one that shows a portage holds the heads of the hauls."""
    grown = list(windows)
    for order in orders:
        if not order.over or order.unit not in laid.lines:
            continue
        way, head = stage.portage(order.over), square(laid.lines[order.unit][-1], atlases.RADIUS)
        for i, box in enumerate(grown):
            others, larger = [*grown[:i], *grown[i + 1 :]], _union(box, head)
            if all(map(box.holds, way)) and not larger.meets_any(others):
                grown[i] = larger
    return grown


def _crowds(
    stage: UnitLayout, laid: OrderMarks, battles: Iterable[_Battle]
) -> Iterator[tuple[Box, float]]:
    """Yield a box around things that are hard to tell apart, each with a weight.

    These are symbols, heads and bursts close to each other, and arrows too short to be seen.  A
    short arrow of a battle is worth an inset by itself.
    """
    things = [square(at, atlases.RADIUS) for _, at in sorted(stage.seats.items())]
    things += laid.signs
    things.sort(key=_left_to_right_key)
    for i, one in enumerate(things):
        near = one.grown(CLOSE)
        for other in things[:i]:
            if near.meets(other):
                yield _union(one, other).grown(_MARGIN), 0.4
    for battle in battles:
        if battle.length < (LONG if battle.supported else SHORT):
            yield battle.box, _FEW if battle.supported or battle.result != SUCCEEDS else 1.0


def _shared_portages(
    stage: UnitLayout, orders: Iterable[DrawnOrder]
) -> Iterator[tuple[Box, float]]:
    """Yield a box around a portage over which several fleets are hauled, with a weight."""
    for province, count in Counter(order.over for order in orders if order.over).items():
        if count > 1:
            yield atlases.bounding_box(stage.portage(province)).grown(_MARGIN), _FEW


def _decisive_windows(battles: Iterable[_Battle], sheet: Box, others: Sequence[Box]) -> list[Box]:
    """Return boxes around short arrows that dislodge a unit, the shortest first; where a battle
    with its supports would meet another box, its arrow alone is shown."""
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
    """A move on the sheet: its result, the length of its arrow, whether it ``decides`` (dislodges a
    unit), and the room of its units, with supports (``box``) and without."""

    result: str
    length: float
    supported: bool
    decides: bool
    box: Box
    ends: Box


def _battles(
    stage: UnitLayout, orders: Sequence[DrawnOrder], laid: OrderMarks, gone: Collection[Unit]
) -> Iterator[_Battle]:
    """Yield the moves with arrows; the box of one has the units nearby that support it, and of one
    that dislodges a unit all others too, unless it would be very large."""
    lost = {unit.place for unit in gone}
    helpers: dict[Unit | None, list[Unit]] = {}
    for order in orders:
        if order.goal is not None and order.look == "support":
            helpers.setdefault(order.aim, []).append(order.unit)
    for order in orders:
        if (line := laid.lines.get(order.unit)) is None or order.goal is None:
            continue
        decides = order.result == SUCCEEDS and order.goal.place in lost
        helping = [stage.seats[unit] for unit in helpers.get(order.unit, ())]
        start, end = stage.seats[order.unit], stage.end(order.goal).at
        box = atlases.bounding_box([start, end, *helping]).grown(_MARGIN)
        if not decides or max(box.width, box.height) > _LARGEST_BATTLE:
            near = [at for at in helping if scenes.distance(at, start) < 2 * LONG]
            box = atlases.bounding_box([start, end, *near]).grown(_MARGIN)
        ends = atlases.bounding_box([start, end]).grown(0.6 * _MARGIN)
        yield _Battle(order.result, line_length(line), bool(helping), decides, box, ends)


def _area(box: Box) -> float:
    return box.width * box.height


def _union(a: Box, b: Box) -> Box:
    return Box(
        min(a.left, b.left), min(a.top, b.top), max(a.right, b.right), max(a.bottom, b.bottom)
    )


def _move_onto(box: Box, sheet: Box) -> Box:
    dx = max(sheet.left - box.left, 0.0) - max(box.right - sheet.right, 0.0)
    return box.moved(dx, max(sheet.top - box.top, 0.0) - max(box.bottom - sheet.bottom, 0.0))


# -- where they stand ------------------------------------------------------------------------------


def _lenses_beside_legend(windows: Sequence[Box], page: MapPage) -> list[atlases.Lens]:
    """Return insets between a legend and a scoreboard below the map; none if they have no room."""
    if (row := page.row_of_legend) is None or not windows:
        return []
    row = Box(row.left + _GAP, row.top, row.right - _GAP, row.bottom)
    high = max(window.height for window in windows)
    wide = sum(window.width for window in windows)
    by_width = (row.width - _GAP * (len(windows) - 1)) / wide
    if (scale := min(SCALES[0], by_width)) < SCALES[-1]:
        return []
    page.make_room_down_to(row.top + high * scale)
    left = row.left + (by_width - scale) * wide / 2
    return list(_stand_side_by_side(windows, left, row.top, scale))


def _stand_side_by_side(
    windows: Iterable[Box], left: float, top: float, scale: float
) -> Iterator[atlases.Lens]:
    """Yield insets of one scale, from a place to the right."""
    for window in windows:
        frame = Box(left, top, left + window.width * scale, top + window.height * scale)
        yield atlases.Lens(window, frame)
        left = frame.right + _GAP


def _lenses_on_map(
    needed: Sequence[Box], wished: Sequence[Box], stage: UnitLayout, laid: OrderMarks, page: MapPage
) -> list[atlases.Lens]:
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
    found: list[atlases.Lens] = []
    for window in (*sorted(needed, key=_area, reverse=True), *wished):
        rooms = [empty, *hiding] if window in needed else [empty]
        if (frame := _find_frame(window, rooms, stage.atlas.box)) is not None:
            found.append(atlases.Lens(window, frame))
            for room in (empty, *hiding):
                room.take(frame)
    return sorted(found, key=lambda lens: _left_to_right_key(lens.window))


def _quiet_provinces(stage: UnitLayout, laid: OrderMarks, page: MapPage) -> frozenset[str]:
    """Return the provinces that nobody owns, where nothing stands and no order leads."""
    busy = {unit.province for unit in stage.seats} | set(page.position.owners)
    busy |= {stage.grid.owner_at(point) for line in laid.lines.values() for point in line}
    busy |= {mark.to for mark in laid.under}
    return frozenset(id_ for id_ in stage.atlas.grounds if id_ not in busy)


def _find_frame(window: Box, rooms: Sequence[atlases.FreeSpace], sheet: Box) -> Box | None:
    """Return the best free place for a window on the map, None if there is none."""
    empty, *hiding = rooms  # the empty ground, then those that hide more and more
    least = CLEARLY_LARGER if hiding else SCALES[-1]
    tries = [(scale, [empty]) for scale in SCALES if scale >= least]
    tries += [(scale, hiding) for scale in SCALES]
    for scale, there in tries:
        wide, high = window.width * scale, window.height * scale
        if max(wide, high) > _LARGEST * sheet.width and scale > SCALES[-1]:
            continue
        for room in there:
            if (box := room.find_place(wide, high, window.middle)) is not None:
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


def _lenses_below(windows: Sequence[Box], page: MapPage) -> Iterator[atlases.Lens]:
    """Return insets side by side below the map, smaller if there are too many."""
    room = page.base.atlas.box.width - _GAP * (len(windows) - 1)
    scale = min(ROW_SCALE, room / sum(w.width for w in windows))
    row = page.row(max(w.height for w in windows) * scale)
    return _stand_side_by_side(windows, row.left, row.top, scale)


def _lenses_in_rows(windows: Sequence[Box], page: MapPage) -> list[atlases.Lens]:
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
    seen: Mapping[str, atlases.Lens], stage: UnitLayout, above: Iterable[Box]
) -> tuple[Box, ...]:
    """Return the room of each window's number: the corner where it is seen and covers least.

    What is ``above``, such as the legend, would hide it, and so would units.
    """
    sheet = stage.atlas.box.grown(-4.0)
    hiding = [*above, *(lens.frame for lens in seen.values())]
    hiding += [square(at, atlases.RADIUS) for at in stage.seats.values()]

    def cost(tag: Box) -> tuple[bool, int]:
        return tag.meets_any(hiding) or not sheet.encloses(tag), stage.field.within(tag.grown(3.0))

    return tuple(min(_corners(lens.window, number), key=cost) for number, lens in seen.items())


def draw_windows(seen: Mapping[str, atlases.Lens], tags: Iterable[Box]) -> Layer:
    """Return the outlines of the windows on the map, each with the number of its inset."""
    items: list[Shape | Text] = []
    for (number, lens), tag in zip(seen.items(), tags, strict=True):
        outline = scenes.rectangle_path(lens.window)
        items += (Shape(outline, "window-halo"), Shape(outline, "window"))
        items += _number_tag(number, tag)
    return Layer("windows", tuple(items))


def _corners(window: Box, number: str) -> Iterator[Box]:
    """Yield the places for a number at the corners of a window: inside, then above and below."""
    wide = 14.0 + 6.0 * len(number)
    for pair in ((window.top, window.bottom - _TAG), (window.top - _TAG, window.bottom)):
        for x, y in product((window.left, window.right - wide), pair):
            yield Box(x, y, x + wide, y + _TAG)


def _number_tag(number: str, box: Box) -> Iterator[Shape | Text]:
    yield Shape(scenes.rectangle_path(box), "tag")
    yield Text(number, (box.middle[0], box.top + 15.5), 17.0, "tag-number")


class InsetNames:
    """Places the names of an inset: whole, and clear of symbols and centres."""

    def __init__(self, board: Board, base: base_map.BaseMap, lens: atlases.Lens) -> None:
        self.board, self.atlas, self.grid, self.lens = board, base.atlas, base.grid, lens
        self.lang = base.lang
        self.taken: list[Box] = []

    def place_all(self, seats: Mapping[Unit, Point], signs: Iterable[Box] = ()) -> tuple[Text, ...]:
        """Return the names of the provinces in the window, none on a unit, a centre or one of the
        ``signs``; small provinces choose first."""
        frame, window = self.lens.frame, self.lens.window
        self.taken = [square(at, atlases.RADIUS + 2.0) for at in seats.values() if frame.holds(at)]
        self.taken += signs
        visible = [g for g in self.atlas.grounds.values() if g.box.meets(window)]
        self.taken += [square(self.lens(g.city), 10.0) for g in visible if g.city]
        visible.sort(key=lambda g: (g.box.width * g.box.height, g.id))
        return tuple(filter(None, map(self._place_name, visible)))

    def _place_name(self, place: atlases.ProvinceDrawing) -> Text | None:
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

    def _places(self, place: atlases.ProvinceDrawing) -> Iterator[Point]:
        """Yield places to try: the map's own, then a grid over the visible part of the province."""
        seen = self.lens.window
        if seen.holds(middle := place.name.at if place.name else place.box.middle):
            yield self.lens(middle)
        left, right = max(place.box.left, seen.left), min(place.box.right, seen.right)
        top, bottom = max(place.box.top, seen.top), min(place.box.bottom, seen.bottom)
        for i in range(1, 10):
            for k in range(1, 10):
                at = left + (right - left) * i / 10, top + (bottom - top) * k / 10
                if self.grid.owner_at(at) == place.id:
                    yield self.lens(at)

    def _cost(self, place: atlases.ProvinceDrawing, at: Point, wide: float, size: float) -> float:
        """Return the cost of a place for a name: covered symbols, foreign ground, distance."""
        box = _label_box(at, wide, size)
        if not self.lens.frame.grown(-4.0).encloses(box):
            return 1000.0
        cost = sum(_COVERED for other in self.taken if other.meets(box))
        named = place.name.at if place.name else place.box.middle
        cost += scenes.distance(at, self.lens(named)) * 0.03
        for share in (-0.5, -0.25, 0.0, 0.25, 0.5):
            owner = self.grid.owner_at(self.lens.inverse((at[0] + wide * share, at[1])))
            if owner != place.id:
                cost += 8.0 if owner and not self.board.provinces[owner].is_sea else 3.0
        return cost


def _label_box(at: Point, wide: float, size: float) -> Box:
    return Box(at[0] - wide / 2, at[1] - size * 0.45, at[0] + wide / 2, at[1] + size * 0.42)


# Draw a turn: the units where they were ordered, their orders and the results.


def draw_turn(
    outcome: Outcome,
    sentences: Sentences,
    *,
    title: str,
    subtitle: str = "",
    orders_of: Collection[str] | None = None,
    crop: base_map.Crop | None = None,
    lit: Collection[str] = (),
) -> scenes.Scene:
    """Return the picture of a turn, or of a part of the map in it.

    ``orders_of`` limits it to the orders of some powers as they were written: then nothing in the
    picture depends on other powers' orders or on the results.  ``lit`` are the units that differ
    from another picture: they have a light around them, and the other orders are dim.
    """
    base = base_map.make_base_map(outcome.position.board, sentences.lang, crop)
    part = find_excerpt(base, outcome.position, collect_orders(outcome, sentences, orders_of))
    orders, position = part.orders, part.position
    gates = [gate.box for gate in part.gates]
    ground = replace(base, atlas=part.atlas)
    outside = {gate.province for gate in part.gates}
    stage = UnitLayout(position, ground, base.lens, [*base.name_boxes, *gates], orders, outside)
    gone = _leaving_units(outcome, orders_of)
    laid = draw_orders(orders, stage)
    lines, *above = draw_order_layers(orders, laid, stage, gone)
    picked = order_marks.draw_picks_layer(collect_flags(outcome, sentences, orders_of), stage)
    drawn = [item for layer in (lines, *above, *picked) for item in layer.items]
    signs = list_used_signs(drawn, sentences, results=orders_of is None, lit=bool(lit))
    tokens = [item for item in drawn if isinstance(item, scenes.Token)]
    page = MapPage(base, position, sentences, title, subtitle, tokens, signs, crop=crop)
    seen = {} if crop and not crop.insets else place_insets(stage, orders, laid, page, gone)
    tags = place_tags(seen, stage, [page.legend_box, page.score_box, *gates])
    scene = page.scene(
        (*drawing.draw_gates(part.gates), *above, *picked),
        [_inset(*numbered, part, stage, gone, page) for numbered in seen.items()],
        below_names=(draw_windows(seen, tags), lines),
        names=_clear_names(base, stage, [*laid.signs, *gates, *tags], seen.values()),
    )
    return light_up(scene, lit) if lit else scene


def _clear_names(
    base: base_map.BaseMap, stage: UnitLayout, signs: Iterable[Box], insets: Iterable[atlases.Lens]
) -> tuple[Label, ...]:
    board = stage.board
    symbols = [square(at, atlases.RADIUS + 1.0) for at in stage.seats.values()]
    fleets = [
        (unit.province, at)
        for unit, at in stage.seats.items()
        if board.provinces[unit.province].is_sea
    ]
    placing = LabelPlacing(board, base.atlas, base.grid, base.lang)
    frames = [lens.frame for lens in insets]
    return clear_labels(base.names, placing, [*signs, *symbols], fleets, frames)


def _inset(
    number: str,
    lens: atlases.Lens,
    part: drawing.Excerpt,
    whole: UnitLayout,
    gone: frozenset[Unit],
    page: MapPage,
) -> scenes.Inset:
    """Return an inset: a window of the map with everything that happens in it, drawn larger."""
    orders, position = part.orders, part.position
    board, ground = position.board, replace(page.base, atlas=whole.atlas)
    gates = tuple(drawing.move_gates(part.gates, lens))
    tags = [gate.box for gate in gates]
    inside = [order for order in orders if _touches(order, whole, lens.window)]
    stage = UnitLayout(position, ground, lens, tags, inside, whole.gates)
    laid = draw_orders(inside, stage)
    symbols = [square(at, atlases.RADIUS) for at in stage.seats.values()]
    corner = min(list(_corners(lens.frame, number))[:4], key=lambda box: box.meets_any(symbols))
    placing = InsetNames(board, page.base, lens)
    names = Layer("names", placing.place_all(stage.seats, (*laid.signs, *tags, corner)))
    lines, units, signs = draw_order_layers(inside, laid, stage, gone)
    visible = [
        item
        for item in units.items
        if isinstance(item, scenes.Token) and lens.frame.grown(0.1 - atlases.WHOLE).holds(item.at)
    ]
    return scenes.Inset(
        lens.window,
        lens.frame,
        base_map.draw_ground_near(board, page.base, position.owners, lens.window),
        (
            Layer("cities", tuple(base_map.draw_cities(board, page.base.atlas, lens, 6.0))),
            lines,
            names,
            *drawing.draw_gates(gates),
            Layer("units", tuple(visible)),
            signs,
            Layer("frame", tuple(_number_tag(number, corner))),
        ),
    )


def _touches(order: DrawnOrder, stage: UnitLayout, window: Box) -> bool:
    """Return whether an order begins in a window of the map, leads into it or across it."""
    points = [stage.seats[order.unit]]
    points += [stage.end(order.goal).at] if order.goal is not None else []
    points += [stage.seats[unit] for unit in (order.aim, *order.fleets) if unit in stage.seats]
    return atlases.bounding_box(points).meets(window.grown(atlases.SIZE / 2))


def _leaving_units(outcome: Outcome, orders_of: Collection[str] | None) -> frozenset[Unit]:
    if (position := outcome.position).phase.retreats:
        return frozenset(d.unit for d in position.dislodged)
    if orders_of is not None:
        return frozenset()
    return frozenset([*(d.unit for d in outcome.dislodged), *outcome.destroyed])


def draw_order_layers(
    orders: Sequence[DrawnOrder], marks: OrderMarks, stage: UnitLayout, gone: frozenset[Unit]
) -> tuple[Layer, Layer, Layer]:
    """Return the layers of the lines, of the units over them and of the signs over the units."""
    units = tuple(list_tokens(stage, gone, orders))
    return Layer("orders", marks.under), Layer("units", units), Layer("signs", marks.over)


# Draw positions and outcomes for notebooks, with a title of their own.


def draw_for_notebook(value: Position | Outcome) -> str | None:
    """Return the SVG of a position or an outcome, None if the position is impossible; its ids
    differ from those of other pictures, so that several fit one notebook."""
    sentences = load_sentences("en")
    if (position := value if isinstance(value, Position) else value.position).problems():
        return None
    title, subtitle = position.board.name("en"), str(position.phase)
    if isinstance(value, Position):
        scene = draw_position(value, sentences, title=title, subtitle=subtitle)
    else:
        scene = draw_turn(value, sentences, title=title, subtitle=subtitle)
    return render_svg(scene, prefix=f"am{sha256(repr(scene).encode()).hexdigest()[:8]}-")
