"""The base map: seas, land, borders, names and legend; and parts cut out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, hypot, radians, sin
from typing import NamedTuple
from zlib import crc32

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.draw import atlas as atlases
from alexmagnum.draw import scene as scenes
from alexmagnum.draw.atlas import Atlas, Feature, Grid, Lens, NamePlace, ProvinceDrawing, Ring
from alexmagnum.draw.labels import Label, LabelPlacing, label_impassable, label_texts, place_names
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.draw.scene import Box, Item, Layer, Point, Shape, Text, path_data, width
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import Position

# Cut a part out of a map, as a map of its own: names, units and arrows are placed for it.
#
# A :class:`Crop` says which part and how large; :func:`cut_atlas` makes the drawing of it.
# :mod:`~alexmagnum.draw.pictures` chooses a part for a player or some provinces.


LEAST_LETTER = 19.0
"""The smallest letter of a name: legible where the part is as wide as a telephone."""

_LETTERS = (21.0, 28.0)  # least and greatest size of a name, before it has to be made smaller

_AROUND = 26.0  # drawn around the sheet, so that no border of a shape shows at its edge

_ROOM = atlases.RADIUS + 4.0  # that a unit's symbol keeps from borders and the edge of the sheet

_CLOSED = frozenset({"impassable", "islets", "lake"})  # the kinds of features that are areas


@dataclass(frozen=True, slots=True)
class Crop:
    """A part of a map: the window of the map that is drawn, and the width it is drawn in.

    ``insets``: crowded places are drawn again, larger.  ``steady``: legend and scoreboard stand in
    the same place on every picture, however many rows the legend has.  ``legend``: there is one.
    """

    window: Box
    width: float
    insets: bool = True
    steady: bool = False
    legend: bool = True

    @property
    def lens(self) -> Lens:
        """The way from the map to the sheet of the part."""
        height = self.window.height * self.width / self.window.width
        return Lens(self.window, Box(0.0, 0.0, self.width, height))


def cut_atlas(atlas: Atlas, crop: Crop) -> tuple[Atlas, Grid]:
    """Return a part of a map as an atlas of its own, with its grid.

    A unit whose place would lie outside the sheet stands in the part of its province that is
    visible.  Provinces without room for one are in ``beyond``; what is visible of them is drawn.
    """
    lens = crop.lens
    area = crop.window.grown(_AROUND / lens.scale)
    near = atlas.cut(area)
    grounds = {}
    for ground in near.grounds.values():
        if rings := tuple(map(lens.line, _cut_closed(ground.rings, area))):
            grounds[ground.id] = _move_ground(ground, rings, lens)
    part = Atlas(
        lens.frame.height,
        grounds,
        tuple(_move_feature(feature, lens, area) for feature in near.features),
        tuple((lens(a), lens(b), kind) for a, b, kind in atlas.links),
        atlas.flat,
        crop.width,
        {id_: lens(scenes.mean_point(ground.slots)) for id_, ground in atlas.grounds.items()},
        LEAST_LETTER,
    )
    grid = Grid(part)
    fitted = {id_: _fit_ground(ground, grid, part.box) for id_, ground in grounds.items()}
    beyond = {id_: at for id_, at in part.beyond.items() if fitted.get(id_) is None}
    whole = {id_: fitted[id_] or ground for id_, ground in grounds.items()}
    return replace(part, grounds=whole, beyond=beyond), grid


def _cut_closed(rings: Iterable[Ring], area: Box) -> Iterator[Ring]:
    """Yield the parts of some rings around a box, each ending where it begins."""
    for part in scenes.cut_rings(rings, area):
        yield part if part[0] == part[-1] else (*part, part[0])


def _move_ground(ground: ProvinceDrawing, rings: tuple[Ring, ...], lens: Lens) -> ProvinceDrawing:
    if (name := ground.name) is not None:
        least, most = _LETTERS
        size = min(max(name.size * lens.scale**0.5, least), most)
        name = replace(name, at=lens(name.at), size=size)
    return ProvinceDrawing(
        ground.id,
        rings,
        _overlap(atlases.bounding_box(point for ring in rings for point in ring), lens.frame),
        lens.line(ground.slots),
        name,
        lens(ground.city) if ground.city else None,
        {coast: lens(at) for coast, at in ground.coasts.items()},
    )


def _overlap(a: Box, b: Box) -> Box:
    """Return the common part of two boxes, with no negative width or height."""
    left, top = max(a.left, b.left), max(a.top, b.top)
    return Box(left, top, max(min(a.right, b.right), left), max(min(a.bottom, b.bottom), top))


def _move_feature(feature: Feature, lens: Lens, area: Box) -> Feature:
    lines: Iterable[Ring] = feature.lines
    if feature.kind in _CLOSED:
        lines = _cut_closed(feature.lines, area)
    label = feature.label and replace(feature.label, at=lens(feature.label.at))
    return replace(feature, lines=tuple(map(lens.line, lines)), label=label)


# -- places on the sheet ---------------------------------------------------------------------------


def _fit_ground(ground: ProvinceDrawing, grid: Grid, sheet: Box) -> ProvinceDrawing | None:
    """Return a province with its units and its name on the sheet; None if they have no room."""
    inner = sheet.grown(-_ROOM)
    slots_fit = all(map(inner.holds, (*ground.slots, *ground.coasts.values())))
    if slots_fit and (ground.name is None or inner.holds(ground.name.at)):
        return ground
    if not (free := list(_free_points(ground, grid, inner))):
        return ground if slots_fit else None
    slots: list[Point] = [slot for slot in ground.slots if inner.holds(slot)]
    for slot in ground.slots[len(slots) :]:
        slots.append(_choose_place(slot, free, slots))
    coasts = {
        coast: at if inner.holds(at) else _choose_place(at, free, ())
        for coast, at in ground.coasts.items()
    }
    if not all(map(inner.holds, ground.slots)):
        ground = replace(ground, slots=tuple(slots))
    return replace(ground, coasts=coasts, name=_fit_name(ground, free, inner))


def _free_points(ground: ProvinceDrawing, grid: Grid, inner: Box) -> Iterator[Point]:
    """Yield the points of a province at which a unit's symbol has room on the sheet."""
    for x, y in grid.list_middles(ground.id, inner):
        around = ((x - 12, y), (x + 12, y), (x, y - 12), (x, y + 12))
        if all(grid.owner_at(point) == ground.id for point in around):
            yield x, y


def _choose_place(slot: Point, free: Sequence[Point], taken: Sequence[Point]) -> Point:
    """Return the free place that is nearest to a slot and not too near to those taken."""

    def cost(point: Point) -> tuple[float, float]:
        crowd = sum(
            max(0.0, atlases.APART + 6.0 - scenes.distance(point, other)) for other in taken
        )
        return crowd, scenes.distance(point, slot)

    return min(free, key=cost)


def _fit_name(ground: ProvinceDrawing, free: Sequence[Point], inner: Box) -> NamePlace | None:
    """Return the place of a province's name, moved into its visible part if it lies outside."""
    if ground.name is None or inner.holds(ground.name.at):
        return ground.name
    middle = scenes.mean_point(free)
    return replace(
        ground.name, at=min(free, key=lambda point: scenes.distance(point, middle)), angle=0.0
    )


# The base map: seas, land, relief, rivers, borders, cities and names.
#
# It is made once for a board and a language; only the tints of the owners change.


PARCHMENT = ("#f4e8c9", "#efe0bb", "#f2e4c2", "#ecdbb2", "#f6edd4")
WATER = ("#a3c3d3", "#cbe1e6", "#84abc4", "#b4cbe4", "#e1edef")
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

_AREAS = frozenset({"impassable", "islets", "lake", "area"})  # the kinds of features that are areas


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

    @property
    def lens(self) -> Lens:
        """The way from the map to itself, for a sheet that shows it as it is."""
        return Lens(self.atlas.box, self.atlas.box)

    @property
    def name_boxes(self) -> list[Box]:
        """The room of all names."""
        return [box for label in self.names for box in label.boxes]


def make_base_map(board: Board, lang: str, crop: Crop | None = None) -> BaseMap:
    """Return the base map of a board or a part of it, made when it is first needed.

    Switches of the rules change nothing on it, so boards of one map share it.
    """
    return _with_names(_MapKey(board), lang, crop)


class _MapKey:
    """A board as a key: equal for the same map and, if it has no shapes, the same places (R8)."""

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
    base = _without_names(key, crop)
    names, atlas = place_names(LabelPlacing(key.board, base.atlas, base.grid, lang))
    return replace(
        base,
        atlas=atlas,
        above=(*base.above, replace(letter(label_impassable(base.atlas, lang)), key="wild-names")),
        names=names,
        lettering=letter(names),
        lang=lang,
    )


def letter(names: Iterable[Label]) -> Layer:
    """Return the layer of the names."""
    return Layer("names", tuple(text for label in names for text in label_texts(label)))


@lru_cache(maxsize=8)
def _without_names(key: _MapKey, crop: Crop | None) -> BaseMap:
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
            Layer(
                "cities",
                (*_coast_codes(atlas), *draw_cities(board, atlas, Lens(atlas.box, atlas.box))),
            ),
        ),
        names=(),
        lettering=Layer("names", ()),
    )


# -- the ground ---------------------------------------------------------------------------------


def list_neighbours(board: Board) -> Mapping[str, set[str]]:
    """Return the provinces that border on each province."""
    found: dict[str, set[str]] = {id_: set() for id_ in board.provinces}
    for border in board.borders:
        a, b = board.province_of(border.a).id, board.province_of(border.b).id
        found[a].add(b)
        found[b].add(a)
    return found


def _shades(board: Board) -> Mapping[str, str]:
    """Return a shade for every province, different from its neighbours' where possible."""
    touching = list_neighbours(board)
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
    board: Board, base: BaseMap, owners: Mapping[str, str]
) -> tuple[Layer, Layer, Layer]:
    """Return the layers of the seas, the coasts and the land in its owners' tints."""
    seas, land = _provinces(board, base, base.atlas, owners)
    return Layer("seas", seas), base.coast, Layer("land", land)


def draw_ground_near(
    board: Board, base: BaseMap, owners: Mapping[str, str], window: Box
) -> tuple[Shape, ...]:
    """Return the shapes of the map around a window, without centres and names.

    The rest of the map is left out and areas are cut: what is clipped takes as long as a PNG as if
    it were seen.
    """
    area = window.grown(_GLOW[0][0])
    near = _cut_areas(base.atlas.cut(area), area)
    outlines = {f"#{g.id}": path_data(g.rings, closed=True) for g in near.grounds.values()}
    seas, land = _provinces(board, base, near, owners)
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
    grounds = {
        ground.id: replace(ground, rings=rings)
        for ground in atlas.grounds.values()
        if (rings := scenes.cut_rings(ground.rings, area))
    }
    features = [
        replace(feature, lines=scenes.cut_rings(feature.lines, area))
        if feature.kind in _AREAS
        else feature
        for feature in atlas.features
    ]
    seen = tuple(feature for feature in features if feature.lines)
    return replace(atlas, grounds=grounds, features=seen)


def _provinces(
    board: Board, base: BaseMap, atlas: Atlas, owners: Mapping[str, str]
) -> tuple[tuple[Shape, ...], tuple[Shape, ...]]:
    seas: list[Shape] = []
    land: list[Shape] = []
    patterns: list[Shape] = []
    marks = scenes.assign_liveries(board)
    for id_ in atlas.grounds:
        province = board.provinces[id_]
        shade = base.shades[id_]
        if owner := owners.get(id_):
            shade = scenes.mix_colors(marks[owner].color, shade, TINT)
            patterns.append(Shape(f"#{id_}", "tint", fill=f"#tint-{owner}"))
        shape = Shape(f"#{id_}", "province", id_, f"{province.name(base.lang)} ({id_})", fill=shade)
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
    return scenes.simplify(ring, 1.5)


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
            if seen := scenes.cut_rings(bed, area) if area else bed:
                yield Shape(path_data(seen, closed=True), "river")


def _taper(line: Ring, thin: float, wide: float) -> Sequence[Point]:
    """Return a course, source first, as an area that widens towards the mouth."""
    course = scenes.simplify(line, 0.3)
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
        yield Shape(scenes.circle_path(at, 5.0), f"link-end {kind}")


def draw_cities(board: Board, atlas: Atlas, lens: Lens, around: float = 0.0) -> Iterator[Shape]:
    """Yield the signs of the supply centres within a window and somewhat ``around`` it."""
    room = lens.window.grown(around)
    for ground in atlas.grounds.values():
        province = board.provinces[ground.id]
        if province.centre and ground.city and room.holds(ground.city):
            yield from city_sign(lens(ground.city), province.centre, major=province.major)


def city_sign(at: Point, centre: str, *, major: bool) -> Iterator[Shape]:
    """Yield the sign of a supply centre: a star for a major city, a ring for others; white for the
    independents, violet for a centre that belongs to one power."""
    if major:
        yield Shape(star_path(at, 12.5), "star")
        return
    if (look := centre if centre in ("independent", "fixed") else "start") == "independent":
        yield Shape(scenes.circle_path(at, 6.2), "centre outer")
    yield Shape(scenes.circle_path(at, 6.2 if look == "independent" else 5.6), f"centre {look}")


_RAYS = ((0.0, -1.0), (0.247, -0.34), (0.951, -0.309), (0.399, 0.13), (0.588, 0.809), (0.0, 0.42))
"""The right half of a star of five points with an outer radius of 1, from the top down."""


def star_path(at: Point, radius: float) -> str:
    """Return a star of five points as path data."""
    half = [(at[0] + x * radius, at[1] + y * radius) for x, y in _RAYS]
    return path_data([[*half, *[(2 * at[0] - x, y) for x, y in reversed(half[1:-1])]]], closed=True)


# The panels beside the map: the title with the legend, the scoreboard, the compass rose.


ROW = 24.0
"""The height of a row of the legend."""

_TITLE, _SUBTITLE = 80.0, 24.0  # the heights of the title above the legend, and of a line below it

_EDGE = 18.0
_LETTER = 16.0
_COLUMN = 200.0
_NUMBERS = 74.0  # a column of figures on the scoreboard
_NAMES = 160.0
_LEAST = 13.0  # the smallest letter
_FACES: Mapping[str, tuple[scenes.Face, float]] = {
    "title": ("semibold", 2.5),
    "subtitle": ("italic", 0.0),
    "key": ("regular", 0.0),
    "row": ("semibold", 0.0),
}
"""The font face of a look, and the space between its letters."""

Drawing = Callable[[Point], Sequence[Item]]
"""A sign drawn around a point."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A row of the legend: a sign and its meaning."""

    draw: Drawing
    meaning: str


def list_map_signs(board: Board, atlas: Atlas, sentences: Sentences) -> tuple[Sign, ...]:
    """Return the signs of the base map that are on the sheet: a part of a map may lack some."""
    sheet = atlas.box
    centres = [
        board.provinces[ground.id]
        for ground in atlas.grounds.values()
        if ground.city and sheet.holds(ground.city)
    ]
    kinds = {province.centre for province in centres if not province.major}
    features = {
        feature.kind
        for feature in atlas.features
        if any(atlases.bounding_box(line).meets(sheet) for line in feature.lines)
    }
    lord = next((p for p in board.powers.values() if p.homes), None)
    area = sentences.format("sign-area", power=lord.name(sentences.lang)) if lord else ""
    rows: list[tuple[bool, Drawing, str]] = [
        (any(p.major for p in centres), _city("start", major=True), "sign-major"),
        (bool(kinds & {"start", "neutral"}), _city("start"), "sign-start"),
        ("fixed" in kinds, _city("fixed"), "sign-fixed"),
        ("independent" in kinds, _city("independent"), "sign-independent"),
        ("area" in features and bool(area), _stroke("M{x},{y}h26", "area"), area),
        ("river" in features, _stroke("M{x},{y}q6,-7 12,-1t12,-1", "river-sign"), "sign-river"),
        ("portage" in features, _stroke("M{x},{y}h26", "portage"), "sign-portage"),
        ("crossing" in features, _stroke("M{x},{y}h26", "crossing"), "sign-crossing"),
        (bool(atlas.links), _link, "sign-link"),
        ("shore" in features, _two_shores, "sign-shore"),
        ("impassable" in features, _draw_wild_swatch, "sign-wild"),
    ]
    return tuple(
        Sign(draw, area if key == area else sentences.format(key))
        for used, draw, key in rows
        if used
    )


def list_unit_signs(tokens: Iterable[scenes.Token], sentences: Sentences) -> tuple[Sign, ...]:
    """Return the symbols of the kinds of units among those of a picture."""
    kinds = [
        ("A", "", "sign-army"),
        ("F", "", "sign-fleet"),
        ("G", "", "sign-general"),
        ("A", INDEPENDENT, "sign-garrison"),
    ]
    drawn = {(t.kind, t.power if t.power == INDEPENDENT else "") for t in tokens if t.unit}
    return tuple(
        Sign(_token(kind, power), sentences.format(key))
        for kind, power, key in kinds
        if (kind, power) in drawn
    )


def _city(centre: str, *, major: bool = False) -> Drawing:
    return lambda at: tuple(city_sign(at, centre, major=major))


def _stroke(d: str, look: str) -> Drawing:
    return lambda at: (Shape(d.format(x=f"{at[0] - 13:.1f}", y=f"{at[1]:.1f}"), look),)


def _link(at: Point) -> Sequence[Item]:
    return tuple(draw_link((at[0] - 11, at[1]), (at[0] + 11, at[1]), "both"))


def _two_shores(at: Point) -> Sequence[Item]:
    d = f"M{at[0] - 13:.1f},{at[1]:.1f}h"
    return Shape(f"{d}12", "shore line-1"), Shape(f"{d}26", "shore line-2")


def _draw_wild_swatch(at: Point) -> Sequence[Item]:
    d = f"M{at[0] - 13:.1f},{at[1] - 7:.1f}h26v14h-26z"
    return Shape(d, "wild swatch"), Shape(d, "hatched", fill="#hatch")


def _token(kind: str, power: str) -> Drawing:
    return lambda at: (scenes.Token("", kind, power, "", at, 19.0),)


def _measure_head(subtitle: str) -> float:
    return _TITLE + _SUBTITLE if subtitle else _TITLE


def legend_size(subtitle: str, count: int) -> tuple[float, float]:
    """Return the width and the height of the titles with a legend of some signs."""
    return 2 * _COLUMN + _EDGE, _measure_head(subtitle) + (count + 1) // 2 * ROW + 10


def draw_legend(box: Box, title: str, subtitle: str, signs: Sequence[Sign]) -> Layer:
    """Draw the titles and the legend in a box, in two columns."""
    x = (box.left + box.right) / 2
    top = box.top + _measure_head(subtitle)
    room = box.width - 2 * _EDGE
    items: list[Item] = [*_panel(box)]
    items.append(_fit(title.upper(), (x, box.top + 50), 40.0, "title", room))
    if subtitle:
        items.append(_fit(subtitle, (x, box.top + 80), 23.0, "subtitle", room))
    items.append(Shape(f"M{box.left + 30:.1f},{top - 12:.1f}H{box.right - 30:.1f}", "rule"))
    half = (len(signs) + 1) // 2
    for i, sign in enumerate(signs):
        left = box.left + _EDGE + 14 + (i // half) * _COLUMN
        y = top + 12 + (i % half) * ROW
        items += sign.draw((left, y))
        items.append(_fit(sign.meaning, (left + 24, y + 5), _LETTER, "key", _COLUMN - 44))
    return Layer("legend", tuple(items))


class Score(NamedTuple):
    """A power's row on the scoreboard; ``nobility`` is None on a board without nobility."""

    power: str
    centres: int
    units: int
    nobility: int | None


def count_scores(position: Position) -> tuple[Score, ...]:
    """Return the rows of a position; units that have yet to retreat count."""
    nobility = position.board.rules.nobility
    units = (*position.units, *(d.unit for d in position.dislodged))
    return tuple(
        Score(
            power,
            len(position.centres_of(power)),
            sum(unit.power == power for unit in units),
            position.points_of(power) if nobility else None,
        )
        for power in position.board.powers
    )


def scoreboard_size(board: Board) -> tuple[float, float]:
    """Return the width and the height of the scoreboard."""
    figures = 3 if board.rules.nobility else 2
    return _NAMES + figures * _NUMBERS + 2 * _EDGE, 50 + len(board.powers) * 30.0


def draw_scoreboard(box: Box, rows: Sequence[Score], board: Board, sentences: Sentences) -> Layer:
    """Draw the powers with their figures, the most centres first."""
    marks = scenes.assign_liveries(board)
    items: list[Item] = [*_panel(box)]
    heads = [sentences.format(f"column-{what}") for what in ("centres", "units", "nobility")]
    right = box.left + _EDGE + _NAMES + _NUMBERS / 2
    figures = 3 if rows and rows[0].nobility is not None else 2
    room = _NAMES - 34 + _NUMBERS / 4  # a figure does not fill its column
    for k, head in enumerate(heads[:figures]):
        items.append(Text(head, (right + k * _NUMBERS, box.top + 29), 16.0, "column"))
    for i, row in enumerate(sorted(rows, key=lambda row: (-row.centres, -row.units))):
        y = box.top + 58 + i * 30.0
        at = box.left + _EDGE + 12, y - 6
        livery = marks[row.power]
        ink = "light" if livery.ink == "#FFFFFF" else "dark"
        items += [
            Shape(scenes.circle_path(at, 12), "badge", fill=livery.color),
            Text(livery.letter, (at[0], at[1] + 5), 15.0, f"badge-letter {ink}"),
            _fit(board.powers[row.power].name(sentences.lang), (at[0] + 22, y), 20.0, "row", room),
        ]
        for k, figure in enumerate((row.centres, row.units, row.nobility)[:figures]):
            items.append(Text(str(figure), (right + k * _NUMBERS, y), 20.0, "figure"))
    return Layer("scoreboard", tuple(items))


ROSE = 120.0
"""The width and the height of the compass rose."""


def draw_compass(box: Box) -> Layer:
    """Draw a compass rose; north is up everywhere on a Mercator map."""
    x, y = box.middle
    items: list[Item] = [
        Shape(scenes.circle_path((x, y + 6), radius), "rose ring") for radius in (33.0, 38.0)
    ]
    for k in range(8):
        long = 30.0 if k % 2 else 48.0
        turned = radians(45.0 * k)
        for side, look in ((1.0, "rose"), (-1.0, "rose pale")):
            ray = [
                (x + a * cos(turned) - b * sin(turned), y + 6 + a * sin(turned) + b * cos(turned))
                for a, b in [(0.0, -long), (side * 6.0, -9.0), (0.0, 0.0)]
            ]
            items.append(Shape(path_data([ray], closed=True), look))
    return Layer("compass", (*items, Text("N", (x, y - 46), 17.0, "north")))


def _panel(box: Box) -> Iterator[Shape]:
    yield Shape(scenes.rectangle_path(box), "panel")
    yield Shape(scenes.rectangle_path(box.grown(-6)), "panel-line")


def _fit(text: str, at: Point, size: float, look: str, room: float) -> Text:
    """Return a line as large as the room allows, cut short if it would be too small to read."""
    face, spacing = _FACES[look]
    wide = width(text, 1.0, face)
    if (fits := (room - len(text) * spacing) / wide if wide else size) >= _LEAST:
        return Text(text, at, min(size, fits), look)
    return Text(_shorten(text, room, face, spacing), at, _LEAST, look)


def _shorten(text: str, room: float, face: scenes.Face, spacing: float) -> str:
    for end in range(len(text), 0, -1):
        if width((short := text[:end].rstrip() + "…"), _LEAST, face) + len(short) * spacing <= room:
            return short
    return "…"
