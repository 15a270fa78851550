"""Choose the part of a map to draw: a power's front, some provinces, a region."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Atlas, bounding_box
from alexmagnum.draw.crop import Crop
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.draw.paths import distance
from alexmagnum.draw.scene import Box, Point
from alexmagnum.position import Position

NARROWEST = 640.0
"""The least width of a part in drawing units: as wide as a telephone, letters can be read."""

_ENLARGED = 2.2
"""The magnification of a part, if the picture is wide enough for it."""

_TELEPHONE, _LARGER = 800.0, 1.25
"""The greatest width of a part on a telephone, and how much it is enlarged if that is enough."""

_MARGIN = 34.0  # around the places that have to be seen, in the map's drawing units
_LEAST = 240.0  # the least width of a window
_SHAPE = 0.56, 1.5  # the least and the greatest height of a window for its width
_WHOLE = 0.8
"""A window that takes more than this share of the map's width and height is the whole map."""

_WIDE = 760.0
"""A front that is wider than this leaves out neighbours in which nobody stands."""


def find_front(positions: Iterable[Position], power: str, width: float = 0.0) -> Crop | None:
    """Return the part of the map with a power's units and their neighbours.

    ``width`` is the greatest that it may have in drawing units; without it the part fits a
    telephone, and has no insets: it is drawn large enough.
    ``positions`` are those of one phase, such as before and after it.  A power without units has
    its centres shown; if it has none either, or if its front is most of the map, the answer is
    None: the whole map.
    """
    known = tuple(positions)
    board, atlas = known[0].board, load_atlas(known[0].board)
    held = _find_home(known, power)
    if not held:
        return None
    near = _list_neighbours(board)
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


def find_surroundings(board: Board, provinces: Iterable[str], width: float) -> Crop | None:
    """Return the part of the map with some provinces, whole, and the places next to them.

    None stands for the whole map.
    """
    atlas, near, wanted = load_atlas(board), _list_neighbours(board), tuple(provinces)
    points = list(_corners(wanted, atlas))
    around = {n for province in wanted for n in near[province]} - {*wanted}
    return _make_crop(
        _window_around([*points, *_nearest_places(around, points, atlas)], atlas), atlas, width
    )


def find_extent(board: Board, provinces: Iterable[str], width: float) -> Crop | None:
    """Return the part of the map with some provinces, whole; None for the whole map."""
    atlas = load_atlas(board)
    return _make_crop(_window_around(_corners(provinces, atlas), atlas), atlas, width)


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


def _list_neighbours(board: Board) -> Mapping[str, set[str]]:
    """Return the provinces that border on each province."""
    found: dict[str, set[str]] = {id_: set() for id_ in board.provinces}
    for border in board.borders:
        a, b = board.province_of(border.a).id, board.province_of(border.b).id
        found[a].add(b)
        found[b].add(a)
    return found


def _nearest_places(
    provinces: Collection[str], points: Collection[Point], atlas: Atlas
) -> Iterator[Point]:
    """Yield for each province the place for a unit that is nearest to some points."""
    for province in sorted(provinces):
        slots = atlas.grounds[province].slots
        yield min(slots, key=lambda slot: min(distance(slot, point) for point in points))


def _corners(provinces: Iterable[str], atlas: Atlas) -> Iterator[Point]:
    """Yield the upper left and the lower right corner of some provinces."""
    for province in provinces:
        box = atlas.grounds[province].box
        yield box.left, box.top
        yield box.right, box.bottom


def _window_around(points: Iterable[Point], atlas: Atlas) -> Box:
    """Return a window with some points, of a shape that fits a page."""
    box = bounding_box(points).grown(_MARGIN)
    wide = max(box.width, _LEAST, box.height / _SHAPE[1])
    high = max(box.height, wide * _SHAPE[0])
    (x, y), sheet = box.middle, atlas.box
    wide, high = min(wide, sheet.width), min(high, sheet.height)
    left = min(max(x - wide / 2, sheet.left), sheet.right - wide)
    top = min(max(y - high / 2, sheet.top), sheet.bottom - high)
    return Box(left, top, left + wide, top + high)


def _make_crop(window: Box, atlas: Atlas, width: float) -> Crop | None:
    """Return a part of a map; ``width`` is the greatest that it may have in drawing units."""
    sheet = atlas.box
    if window.width > _WHOLE * sheet.width and window.height > _WHOLE * sheet.height:
        return None
    rounded = Box(
        *(round(edge, 1) for edge in (window.left, window.top, window.right, window.bottom))
    )
    return Crop(rounded, max(NARROWEST, min(width, round(_ENLARGED * window.width))))
