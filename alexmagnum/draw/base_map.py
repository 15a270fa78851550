"""The base map: seas, land, relief, rivers, borders, cities and names.

It is made once for a board and a language; only the tints of the owners change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import hypot
from zlib import crc32

from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Atlas, Ring
from alexmagnum.draw.crop import Crop, cut_atlas
from alexmagnum.draw.grid import Grid
from alexmagnum.draw.labels import (
    Label,
    LabelPlacing,
    label_impassable,
    label_texts,
)
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.draw.name_store import place_names
from alexmagnum.draw.palette import assign_liveries, mix_colors
from alexmagnum.draw.paths import circle_path, cut_rings, path_data, simplify
from alexmagnum.draw.scene import Box, Layer, Point, Shape, Text

PARCHMENT = ("#f4e8c9", "#efe0bb", "#f2e4c2", "#ecdbb2", "#f6edd4")
WATER = ("#a3c3d3", "#cbe1e6", "#84abc4", "#abd2c8", "#e1edef")
"""The tints of the seas: neighbours have different ones, which differ in lightness, too."""

WILD = {
    "desert": "#dccda6",
    "steppe": "#d2caa4",
    "mountain": "#cbbd9b",
    "highland": "#d1c4a2",
    "hills": "#cdc39f",
    "plain": "#d3cba8",
}
"""The colours of impassable sectors, by texture."""

TINT = 0.42
"""The share of the owner's colour in the tint of a centre; the rest is parchment."""

_GLOW = ((20.0, "glow far"), (12.0, "glow"), (5.0, "glow near"))
"""Bands of lighter water along the coast, which give it depth."""

_AREAS = frozenset({"impassable", "islets", "lake", "area"})
"""The kinds of features that are areas."""


@dataclass(frozen=True, slots=True)
class BaseMap:
    """The part of a map's pictures that is the same in all of them, in one language.

    Attributes:
        shades: the colours of the provinces that nobody owns.
        coast: the layer over the seas.
        below: the layers under the land.
        above: the layers over the land.
        names: the labels of the provinces; empty in the part that all languages share.
        lettering: the layer of the names, over everything else.
        lang: the language of the names.
    """

    atlas: Atlas
    grid: Grid
    outlines: tuple[tuple[str, str], ...]
    shades: Mapping[str, str]
    coast: Layer
    below: tuple[Layer, ...]
    above: tuple[Layer, ...]
    names: tuple[Label, ...]
    lettering: Layer
    lang: str = ""


def make_base_map(board: Board, lang: str, crop: Crop | None = None) -> BaseMap:
    """Return the base map of a board or a part of it, made when it is first needed.

    Switches of the rules change nothing on it, so boards of one map share it.
    """
    return _with_names(_MapKey(board), lang, crop)


class _MapKey:
    """A board as a key: boards of the same map are equal, whatever their rules.

    The drawing of a map without shapes has as many slots as its rules give places (R8).
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        places = () if board.geometry else tuple(p.capacity for p in board.provinces.values())
        self._key = (board.id, board.geometry, tuple(board.provinces), board.borders, places)

    def __hash__(self) -> int:
        return hash(self._key[:2])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _MapKey) and self._key == other._key


@lru_cache(maxsize=16)
def _with_names(key: _MapKey, lang: str, crop: Crop | None) -> BaseMap:
    """Return the base map with its names in a language."""
    base = _without_names(key, crop)
    names, atlas = place_names(LabelPlacing(key.board, base.atlas, base.grid, lang))
    lettering = letter(names)
    wild = letter(label_impassable(base.atlas, lang))
    return replace(
        base,
        atlas=atlas,
        above=(*base.above, replace(wild, key="wild-names")),
        names=names,
        lettering=lettering,
        lang=lang,
    )


def letter(names: Iterable[Label]) -> Layer:
    """Return the layer of the names."""
    return Layer("names", tuple(text for label in names for text in label_texts(label)))


@lru_cache(maxsize=8)
def _without_names(key: _MapKey, crop: Crop | None) -> BaseMap:
    """Return the base map that all languages share."""
    board = key.board
    whole = load_atlas(board)
    atlas, grid = cut_atlas(whole, crop) if crop else (whole, Grid(whole))
    return BaseMap(
        atlas,
        grid,
        outlines=tuple((g.id, path_data(g.rings, closed=True)) for g in atlas.grounds.values()),
        shades=_shades(board),
        coast=Layer("coast", tuple(_depth(board, atlas))),
        below=(Layer("wild", tuple(_wild(atlas))),),
        above=(
            Layer("water", tuple(_inland_water(atlas))),
            Layer("borders", tuple(_borders(board, atlas))),
            Layer("cities", (*_coast_codes(atlas), *_cities(board, atlas))),
        ),
        names=(),
        lettering=Layer("names", ()),
    )


# -- the ground ---------------------------------------------------------------------------------


def _shades(board: Board) -> Mapping[str, str]:
    """Return a shade for every province, different from its neighbours' where possible."""
    touching: dict[str, set[str]] = {id_: set() for id_ in board.provinces}
    for border in board.borders:
        a, b = board.province_of(border.a).id, board.province_of(border.b).id
        touching[a].add(b)
        touching[b].add(a)
    chosen: dict[str, int] = {}
    for id_ in sorted(touching, key=lambda i: (-len(touching[i]), i)):
        sea = board.provinces[id_].is_sea
        used = [
            chosen[near]
            for near in touching[id_]
            if near in chosen and board.provinces[near].is_sea == sea
        ]
        start = 0 if sea else crc32(id_.encode())
        order = [(start + k) % len(PARCHMENT) for k in range(len(PARCHMENT))]
        chosen[id_] = min(order, key=used.count)
    return {
        id_: (WATER if board.provinces[id_].is_sea else PARCHMENT)[shade]
        for id_, shade in chosen.items()
    }


def draw_provinces(
    board: Board, base: BaseMap, owners: Mapping[str, str], lang: str
) -> tuple[Layer, Layer, Layer]:
    """Return the layers of the seas, the coasts and the land in its owners' tints."""
    seas, land = _provinces(board, base.atlas, base.shades, owners, lang)
    return Layer("seas", seas), base.coast, Layer("land", land)


def draw_ground_near(
    board: Board, base: BaseMap, owners: Mapping[str, str], lang: str, window: Box
) -> tuple[Shape, ...]:
    """Return the shapes of the map around a window, without centres and names.

    The rest of the map is left out and areas are cut: what is clipped takes as long as a PNG as if
    it were seen.
    """
    area = window.grown(_GLOW[0][0])
    near = _cut_areas(base.atlas.cut(area), area)
    outlines = {f"#{g.id}": path_data(g.rings, closed=True) for g in near.grounds.values()}
    seas, land = _provinces(board, near, base.shades, owners, lang)
    shapes = (
        *seas,
        *_depth(board, near),
        *_wild(near),
        *land,
        *_inland_water(near, area),
        *_borders(board, near),
    )
    return tuple(replace(shape, d=outlines.get(shape.d, shape.d)) for shape in shapes)


def _cut_areas(atlas: Atlas, area: Box) -> Atlas:
    """Return an atlas in which the provinces and all other areas are cut around a box."""
    grounds = {
        ground.id: replace(ground, rings=rings)
        for ground in atlas.grounds.values()
        if (rings := cut_rings(ground.rings, area))
    }
    features = [
        replace(feature, lines=cut_rings(feature.lines, area))
        if feature.kind in _AREAS
        else feature
        for feature in atlas.features
    ]
    seen = tuple(feature for feature in features if feature.lines)
    return replace(atlas, grounds=grounds, features=seen)


def _provinces(
    board: Board,
    atlas: Atlas,
    shades: Mapping[str, str],
    owners: Mapping[str, str],
    lang: str,
) -> tuple[tuple[Shape, ...], tuple[Shape, ...]]:
    """Return the seas, and the land with the patterns of its owners."""
    seas: list[Shape] = []
    land: list[Shape] = []
    patterns: list[Shape] = []
    marks = assign_liveries(board)
    for id_ in atlas.grounds:
        province = board.provinces[id_]
        shade = shades[id_]
        owner = owners.get(id_)
        if owner:
            shade = mix_colors(marks[owner].color, shade, TINT)
            patterns.append(Shape(f"#{id_}", "tint", fill=f"#tint-{owner}"))
        title = f"{province.name(lang)} ({id_})"
        shape = Shape(f"#{id_}", "province", id_, title, fill=shade)
        (seas if province.is_sea else land).append(shape)
    return tuple(seas), (*land, *patterns)


def _depth(board: Board, atlas: Atlas) -> Iterator[Shape]:
    """Yield the bands of light water, then the borders between the seas."""
    rings = [
        _simplify_outline(ring)
        for ground in atlas.grounds.values()
        if not board.provinces[ground.id].is_sea and board.provinces[ground.id].coastal
        for ring in ground.rings
    ]
    rings += [_simplify_outline(ring) for f in atlas.of("islets") for ring in f.lines]
    data = path_data(rings, closed=True)
    for wide, look in _GLOW:
        yield Shape(data, look, width=wide)
    for ground in atlas.grounds.values():
        if board.provinces[ground.id].is_sea:
            yield Shape(f"#{ground.id}", "sea-border")


@lru_cache(maxsize=2048)
def _simplify_outline(ring: Ring) -> tuple[Point, ...]:
    """Return an outline for the light water along it; every inset of a picture draws it again."""
    return simplify(ring, 1.5)


def _wild(atlas: Atlas) -> Iterator[Shape]:
    """Yield the impassable sectors, hatched, and the relief."""
    for feature in atlas.of("impassable"):
        data = path_data(feature.lines, closed=True)
        if feature.look == "sea":
            yield Shape(data, "wild-sea")
            yield Shape(data, "hatched", fill="#hatch-sea")
        else:
            yield Shape(data, "wild", fill=WILD.get(feature.look, WILD["plain"]))
            yield Shape(data, "hatched", fill="#hatch")
    for feature in atlas.of("relief"):
        for ((x, y),) in sorted(feature.lines, key=lambda line: line[0][1]):
            yield Shape(_symbol(feature.look, x, y), f"relief {feature.look}")


def _symbol(look: str, x: float, y: float) -> str:
    """Return a small drawing of a mountain, a hill, a dune or a tuft of grass."""
    size = 7.5 + crc32(f"{x:.0f} {y:.0f}".encode()) % 5
    at = f"M{x:.1f},{y:.1f}"
    match look:
        case "mountain":
            wide, high = f"{size:.1f}", f"{size * 1.35:.1f}"
            return f"M{x - size:.1f},{y + size * 0.6:.1f}l{wide},-{high} {wide},{high}z"
        case "hill":
            return f"{at}q6,-11 12,0"
        case "dune":
            return f"{at}q5,-5 10,0m-4,4q4,-4 8,0"
        case _:
            return f"{at}l-2,-5m3,5v-6m1,6l2,-5"


def _inland_water(atlas: Atlas, area: Box | None = None) -> Iterator[Shape]:
    """Yield islets, lakes and rivers; rivers are cut around a box, if there is one."""
    for feature in atlas.of("islets"):
        yield Shape(path_data(feature.lines, closed=True), "islets")
    for feature in atlas.of("lake"):
        yield Shape(path_data(feature.lines, closed=True), "lake")
    for feature in atlas.of("arm", "river"):
        most = 5.0 if feature.kind == "river" else 3.0
        for line in feature.lines:
            bed = (_taper(line, 1.0, most),)
            if seen := cut_rings(bed, area) if area else bed:
                yield Shape(path_data(seen, closed=True), "river")


def _taper(line: Ring, thin: float, wide: float) -> Sequence[Point]:
    """Return a course, source first, as an area that widens towards the mouth."""
    course = simplify(line, 0.3)
    left, right = [], []
    for i, (x, y) in enumerate(course):
        (x1, y1), (x2, y2) = course[max(i - 1, 0)], course[min(i + 1, len(course) - 1)]
        long = hypot(x2 - x1, y2 - y1) or 1.0
        half = (thin + (wide - thin) * i / (len(course) - 1)) / 2
        dx, dy = (y1 - y2) / long * half, (x2 - x1) / long * half
        left.append((x + dx, y + dy))
        right.append((x - dx, y - dy))
    return [*left, *reversed(right)]


def _borders(board: Board, atlas: Atlas) -> Iterator[Shape]:
    """Yield borders, channels, straits, portages and the areas of powers."""
    for ground in atlas.grounds.values():
        if not board.provinces[ground.id].is_sea:
            yield Shape(f"#{ground.id}", "border")
    yield from _shores(atlas)
    for first, last, kind in atlas.links:
        yield from draw_link(first, last, kind)
    for feature in atlas.of("channel"):
        yield Shape(path_data(feature.lines), "channel-bank")
        yield Shape(path_data(feature.lines), "channel")
    for feature in atlas.of("crossing", "portage"):
        yield Shape(path_data(feature.lines), feature.kind)
    for feature in atlas.of("area"):
        data = path_data(feature.lines, closed=True)
        yield Shape(data, "area wide")
        yield Shape(data, "area")


def _shores(atlas: Atlas) -> Iterator[Shape]:
    """Yield the shores of provinces with several coasts: each coast of one has another line."""
    seen: dict[str, int] = {}
    for feature in atlas.of("shore"):
        seen[feature.look] = seen.get(feature.look, 0) + 1
        data = path_data(feature.lines)
        yield Shape(data, "shore wide")
        yield Shape(data, f"shore line-{min(seen[feature.look], 3)}", title=feature.name)


def _coast_codes(atlas: Atlas) -> Iterator[Text]:
    """Yield the code of each separate coast at the place of its fleets, who hide it."""
    for ground in atlas.grounds.values():
        for code, (x, y) in ground.coasts.items():
            yield Text(code, (x, y + 5), 16.5, "coast-code")


def draw_link(first: Point, last: Point, kind: str) -> Iterator[Shape]:
    """Yield a border between provinces that lie apart: a line with a knob at each end."""
    (x1, y1), (x2, y2) = first, last
    data = f"M{x1:.1f},{y1:.1f}L{x2:.1f},{y2:.1f}"
    yield Shape(data, "link wide")
    yield Shape(data, f"link {kind}")
    for at in (first, last):
        yield Shape(circle_path(at, 5.0), f"link-end {kind}")


def _cities(board: Board, atlas: Atlas) -> Iterator[Shape]:
    """Yield the sign of every supply centre."""
    for ground in atlas.grounds.values():
        province = board.provinces[ground.id]
        if province.centre and ground.city and atlas.box.holds(ground.city):
            yield from city_sign(ground.city, province.centre, major=province.major)


def city_sign(at: Point, centre: str, *, major: bool) -> Iterator[Shape]:
    """Yield the sign of a supply centre.

    It is a star for a major city and a ring for others: white for the independents, violet for a
    centre that belongs to one power.
    """
    if major:
        yield Shape(star_path(at, 12.5), "star")
        return
    look = centre if centre in ("independent", "fixed") else "start"
    if look == "independent":
        yield Shape(circle_path(at, 6.2), "centre outer")
    yield Shape(circle_path(at, 6.2 if look == "independent" else 5.6), f"centre {look}")


_RAYS = ((0.0, -1.0), (0.247, -0.34), (0.951, -0.309), (0.399, 0.13), (0.588, 0.809), (0.0, 0.42))
"""The right half of a star of five points with an outer radius of 1, from the top down."""


def star_path(at: Point, radius: float) -> str:
    """Return a star of five points as path data."""
    half = [(at[0] + x * radius, at[1] + y * radius) for x, y in _RAYS]
    other = [(2 * at[0] - x, y) for x, y in reversed(half[1:-1])]
    return path_data([[*half, *other]], closed=True)
