"""The map itself, without what stands on it: seas, land, relief, rivers, borders, cities, names.

All of it is worked out once for a board and a language; only the owners' tints change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import hypot
from zlib import crc32

from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Atlas, Ring
from alexmagnum.draw.grid import Grid
from alexmagnum.draw.labels import Label, label_texts, place_labels
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.draw.palette import assign_liveries, mix_colors
from alexmagnum.draw.paths import path, simplified
from alexmagnum.draw.scene import Box, Layer, Point, Shape

PARCHMENT = ("#f4e8c9", "#efe0bb", "#f2e4c2", "#ecdbb2", "#f6edd4")
WATER = ("#b3cdd6", "#abc7d1", "#b8d0d8", "#a6c3ce", "#afcad4")
WILD = {
    "desert": "#dccda6",
    "steppe": "#d2caa4",
    "mountain": "#cbbd9b",
    "highland": "#d1c4a2",
    "hills": "#cdc39f",
    "plain": "#d3cba8",
}
"""The ground of the unnamed sectors, by texture."""

TINT = 0.42
"""How much of an owner's colour his centres show; the rest is parchment."""

_GLOW = ((20.0, "glow far"), (12.0, "glow"), (5.0, "glow near"))
"""Bands of lighter water along the coast, which give it depth."""


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


def make_base_map(board: Board, lang: str) -> BaseMap:
    """Return the base map of a board, made when it is first needed.

    Switches of the rules change nothing on it, so boards of one map share it.
    """
    return _with_names(_MapKey(board), lang)


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
def _with_names(key: _MapKey, lang: str) -> BaseMap:
    """Return the base map with its names in a language."""
    base = _without_names(key)
    names = place_labels(key.board, base.atlas, base.grid, lang)
    lettering = Layer("names", tuple(text for label in names for text in label_texts(label)))
    return replace(base, names=names, lettering=lettering)


@lru_cache(maxsize=8)
def _without_names(key: _MapKey) -> BaseMap:
    """Return the base map that all languages share."""
    board = key.board
    atlas = load_atlas(board)
    return BaseMap(
        atlas,
        Grid(atlas),
        outlines=tuple((g.id, path(g.rings, closed=True)) for g in atlas.grounds.values()),
        shades=_shades(board),
        coast=Layer("coast", tuple(_depth(board, atlas))),
        below=(Layer("wild", tuple(_wild(atlas))),),
        above=(
            Layer("water", tuple(_inland_water(atlas))),
            Layer("borders", tuple(_borders(board, atlas))),
            Layer("cities", tuple(_cities(board, atlas))),
        ),
        names=(),
        lettering=Layer("names", ()),
    )


# -- the ground ---------------------------------------------------------------------------------


def _shades(board: Board) -> Mapping[str, str]:
    """A shade for every province that differs from its neighbours' where that can be."""
    touching: dict[str, set[str]] = {id_: set() for id_ in board.provinces}
    for border in board.borders:
        a, b = board.province_of(border.a).id, board.province_of(border.b).id
        touching[a].add(b)
        touching[b].add(a)
    chosen: dict[str, int] = {}
    for id_ in sorted(touching, key=lambda i: (-len(touching[i]), i)):
        used = [chosen[near] for near in touching[id_] if near in chosen]
        start = crc32(id_.encode())
        order = [(start + k) % len(PARCHMENT) for k in range(len(PARCHMENT))]
        chosen[id_] = min(order, key=used.count)
    return {
        id_: (WATER if board.provinces[id_].is_sea else PARCHMENT)[shade]
        for id_, shade in chosen.items()
    }


def provinces_layers(
    board: Board, plate: BaseMap, owners: Mapping[str, str], lang: str
) -> tuple[Layer, Layer, Layer]:
    """The seas, the water along the coasts, and the land with its owners' tints."""
    seas, land = _provinces(board, plate.atlas, plate.shades, owners, lang)
    return Layer("seas", seas), plate.coast, Layer("land", land)


def ground_near(
    board: Board, plate: BaseMap, owners: Mapping[str, str], lang: str, window: Box
) -> tuple[Shape, ...]:
    """The map about a window, without centres and names; what lies elsewhere is left out, for
    an inset that drew the whole map again would take as long as the map itself."""
    near = plate.atlas.cut(window.grown(_GLOW[0][0]))
    seas, land = _provinces(board, near, plate.shades, owners, lang)
    return (
        *seas,
        *_depth(board, near),
        *_wild(near),
        *land,
        *_inland_water(near),
        *_borders(board, near),
    )


def _provinces(
    board: Board,
    atlas: Atlas,
    shades: Mapping[str, str],
    owners: Mapping[str, str],
    lang: str,
) -> tuple[tuple[Shape, ...], tuple[Shape, ...]]:
    """The seas, and the land under its owners' patterns."""
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
    """The bands of light water, and the borders between the seas over them."""
    rings = [
        simplified(ring, 1.5)
        for ground in atlas.grounds.values()
        if not board.provinces[ground.id].is_sea and board.provinces[ground.id].coastal
        for ring in ground.rings
    ]
    rings += [simplified(ring, 1.5) for f in atlas.of("islets") for ring in f.lines]
    data = path(rings, closed=True)
    for wide, look in _GLOW:
        yield Shape(data, look, width=wide)
    for ground in atlas.grounds.values():
        if board.provinces[ground.id].is_sea:
            yield Shape(f"#{ground.id}", "sea-border")


def _wild(atlas: Atlas) -> Iterator[Shape]:
    """The unnamed sectors: nobody crosses them, so they are hatched."""
    for feature in atlas.of("impassable"):
        data = path(feature.lines, closed=True)
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
    """A little drawing of a mountain, a hill, a dune or a tuft of grass."""
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


def _inland_water(atlas: Atlas) -> Iterator[Shape]:
    for feature in atlas.of("islets"):
        yield Shape(path(feature.lines, closed=True), "islets")
    for feature in atlas.of("lake"):
        yield Shape(path(feature.lines, closed=True), "lake")
    for feature in atlas.of("arm", "river"):
        most = 5.0 if feature.kind == "river" else 3.0
        for line in feature.lines:
            bed = path([_taper(line, 1.0, most)], closed=True)
            yield Shape(bed, "river")


def _taper(line: Ring, thin: float, wide: float) -> Sequence[Point]:
    """A course, source first, as an area that widens down to its mouth."""
    course = simplified(line, 0.3)
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
    for (x1, y1), (x2, y2), kind in atlas.links:
        yield Shape(f"M{x1:.1f},{y1:.1f}L{x2:.1f},{y2:.1f}", f"link {kind}")
    for ground in atlas.grounds.values():
        if not board.provinces[ground.id].is_sea:
            yield Shape(f"#{ground.id}", "border")
    for feature in atlas.of("channel"):
        yield Shape(path(feature.lines), "channel-bank")
        yield Shape(path(feature.lines), "channel")
    for feature in atlas.of("crossing", "portage"):
        yield Shape(path(feature.lines), feature.kind)
    for feature in atlas.of("area"):
        data = path(feature.lines, closed=True)
        yield Shape(data, "area wide")
        yield Shape(data, "area")


def _cities(board: Board, atlas: Atlas) -> Iterator[Shape]:
    for ground in atlas.grounds.values():
        province = board.provinces[ground.id]
        if province.centre and ground.city:
            yield from city(ground.city, province.centre, major=province.major)


def city(at: Point, centre: str, *, major: bool) -> Iterator[Shape]:
    """The sign of a centre: a star for a major city, a ring for all others, white for those
    of the independents, violet for a power's own."""
    if major:
        yield Shape(star(at, 12.5), "star")
        return
    look = centre if centre in ("independent", "fixed") else "start"
    if look == "independent":
        yield Shape(disc(at, 6.2), "centre outer")
    yield Shape(disc(at, 6.2 if look == "independent" else 5.6), f"centre {look}")


def disc(at: Point, radius: float) -> str:
    """A circle as path data."""
    x, y = at
    half = f"a{radius:.1f},{radius:.1f} 0 1 0"
    return f"M{x - radius:.1f},{y:.1f}{half} {2 * radius:.1f},0{half} -{2 * radius:.1f},0z"


_RAYS = ((0.0, -1.0), (0.247, -0.34), (0.951, -0.309), (0.399, 0.13), (0.588, 0.809), (0.0, 0.42))
"""The right half of a star of five points with an outer radius of 1, from the top down."""


def star(at: Point, radius: float) -> str:
    """A star of five points as path data."""
    half = [(at[0] + x * radius, at[1] + y * radius) for x, y in _RAYS]
    other = [(2 * at[0] - x, y) for x, y in reversed(half[1:-1])]
    return path([[*half, *other]], closed=True)
