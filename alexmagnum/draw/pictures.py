"""Pictures of turns: the units where they were ordered, their orders and the results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import RADIUS, SIZE, Atlas, bounding_box, unit_token
from alexmagnum.draw.base_map import (
    BaseMap,
    Crop,
    Sign,
    count_scores,
    draw_ground_near,
    list_neighbours,
    make_base_map,
)
from alexmagnum.draw.insets import (
    Excerpt,
    InsetNames,
    InsetPlace,
    draw_cities,
    draw_frame,
    draw_gates,
    draw_windows,
    find_excerpt,
    move_gates,
    place_insets,
    place_tags,
)
from alexmagnum.draw.labels import Label, LabelPlacing, clear_labels
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.draw.order_marks import (
    OrderMarks,
    arrow,
    banner,
    burst,
    cross,
    dashes,
    double_bar,
    draw_orders,
    frame_cross,
    ground_bar,
    pennon,
    place_number,
    plus,
    strike,
    strokes,
    tether,
    void_line,
    waves,
)
from alexmagnum.draw.orders import LOST, VOID, DrawnOrder, Flag, collect_flags, collect_orders
from alexmagnum.draw.positions import MapPage, UnitLayout, draw_position
from alexmagnum.draw.scene import (
    NOBODY,
    Box,
    Inset,
    Item,
    Layer,
    Livery,
    Mark,
    Point,
    Scene,
    Shape,
    Text,
    Token,
    assign_liveries,
    circle_path,
    decimal,
    distance,
    render_svg,
    square,
)
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.judge.outcome import FAILS, ILLEGAL, STOPPED, Outcome
from alexmagnum.position import DEPLOYMENT, Position, Unit
from alexmagnum.units import names_of

# Choose the part of a map to draw: a power's front, some provinces, a region.


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
    near = list_neighbours(board)
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
    atlas, near, wanted = load_atlas(board), list_neighbours(board), tuple(provinces)
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


def _nearest_places(
    provinces: Collection[str], points: Collection[Point], atlas: Atlas
) -> Iterator[Point]:
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


# Several pictures of one map side by side, with what differs between them lit.


_GAP = 24.0
_COLUMNS = 2
_HALO = 21.0  # the radius of the light around a unit


def light_up(scene: Scene, units: Collection[str]) -> Scene:
    """Return a picture in which some units have a light around them and other orders are dim."""
    insets = tuple(replace(i, layers=_light_layers(i.layers, units)) for i in scene.insets)
    return replace(scene, layers=_light_layers(scene.layers, units), insets=insets)


def light(at: Point, radius: float) -> Shape:
    """Return the light around a unit."""
    return Shape(circle_path(at, radius), "light")


def _light_layers(layers: Sequence[Layer], units: Collection[str]) -> tuple[Layer, ...]:
    """Return layers with lights below the orders and dim orders of other units."""
    lights = tuple(
        light(item.at, _HALO)
        for layer in layers
        for item in layer.items
        if isinstance(item, Token) and item.unit in units
    )
    found: list[Layer] = []
    for layer in layers:
        if layer.key == "orders":
            found.append(Layer("lights", lights))
        items = tuple(
            replace(item, look=f"{item.look} dim")
            if isinstance(item, Mark) and item.unit not in units
            else item
            for item in layer.items
        )
        found.append(replace(layer, items=items))
    return tuple(found)


def render_side_by_side(scenes: Sequence[Scene], *, embed_fonts: bool = True) -> str:
    """Return pictures in rows of two as one SVG; each has its own title."""
    columns = min(_COLUMNS, len(scenes))
    wide = max(scene.box.width for scene in scenes)
    parts: list[str] = []
    top = 0.0
    for first in range(0, len(scenes), columns):
        row = scenes[first : first + columns]
        for k, scene in enumerate(row):
            drawn = render_svg(
                scene, prefix=f"p{first + k}-", embed_fonts=embed_fonts and not parts
            )
            at = f'x="{decimal(k * (wide + _GAP))}" y="{decimal(top)}"'
            size = f'width="{decimal(scene.box.width)}" height="{decimal(scene.box.height)}"'
            parts.append(drawn.replace("<svg ", f"<svg {at} {size} ", 1))
        top += max(scene.box.height for scene in row) + _GAP
    whole = f"0 0 {decimal(columns * (wide + _GAP) - _GAP)} {decimal(top - _GAP)}"
    paper = '<rect width="100%" height="100%" fill="#eadfc0"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{whole}">'
    return f"{head}\n{paper}\n{''.join(parts)}</svg>\n"


# The rows of the legend for orders and results: those of the marks that a picture uses.


_Drawing = Callable[[Point], Sequence[Item]]


def list_used_signs(
    items: Iterable[Item], sentences: Sentences, *, results: bool, lit: bool = False
) -> tuple[Sign, ...]:
    """Return a row for each kind of mark among some items, in the legend's order.

    ``results`` says whether the picture shows results; a full arrow means only a move otherwise.
    ``lit``: units that differ from another picture have a light around them.
    """
    used = {key for item in items for key in _find_keys(item)}
    if not results and "success" in used:
        used = used - {"success"} | {"move"}
    if lit:
        used |= {"lit"}
    return tuple(
        Sign(draw, sentences.format(f"sign-{key}"))
        for key, draw in _DRAWINGS.items()
        if key in used
    )


def _find_keys(item: Item) -> Iterator[str]:
    """Yield the kinds of marks that an item shows."""
    if isinstance(item, Token):
        if item.state == "dislodged":
            yield "dislodged"
        if item.number:
            yield "fleet-number"
    elif isinstance(item, Mark):
        for shape in item.shapes:
            if isinstance(shape, Shape):
                yield from _find_shape_keys(item, shape.look)


def _find_shape_keys(mark: Mark, look: str) -> Iterator[str]:
    """Yield the kinds of marks that a shape of an order stands for."""
    if look == "cross":
        yield _CROSSES.get(mark.look, "caught")
    elif look == "burst":
        yield "stopped" if mark.result == STOPPED else "failure"
    elif look == "cross small" or (look == "nothing" and mark.result in VOID):
        yield "void"
    elif look == "nothing":
        yield "stopped" if mark.look == "move" else "unordered"
    elif look == "line dashed" and mark.look == "support":
        yield "support"
    elif look in _LOOKS:
        yield _LOOKS[look]


_CROSSES: Mapping[str, str] = {
    LOST: "destroyed",
    "disband": "removed",
    "remove": "removed",
    "convoy": "disrupted",
    "pick": "contested",
}
"""The meaning of a red cross, by the kind of order."""

_LOOKS: Mapping[str, str] = {
    "head": "success",
    "slash": "cut",
    "wave": "convoy",
    "line rollers": "haul",
    "line wide rollers": "haul",
    "line bar": "hold",
    "line bar stood": "stood",
    "place": "number",
    "plus-disc": "built",
    "cloth": "picked",
    "tether": "tether",
}
"""The kinds of marks by the look of a shape that only they have."""


def _line(at: Point) -> tuple[Point, Point]:
    return (at[0] - 15.0, at[1]), (at[0] + 13.0, at[1])


def _draw_failure(at: Point) -> Sequence[Item]:
    start, (x, y) = _line(at)
    return *arrow((start, (x - 7.0, y)), good=False), burst((x, y))


def _draw_stopped(at: Point) -> Sequence[Item]:
    """Return a burst with the rest of a way that was not made."""
    x, y = at
    return *strokes(f"M{x - 1:.1f},{y:.1f}h16", "casing thin", "nothing"), burst((x - 8.0, y))


def _draw_lost(at: Point) -> Sequence[Item]:
    return Token("", "A", NOBODY, "", at, 19.0), *frame_cross(at, 0.68)


_DRAWINGS: Mapping[str, _Drawing] = {
    "move": lambda at: tuple(arrow(_line(at), good=True)),
    "success": lambda at: tuple(arrow(_line(at), good=True)),
    "failure": _draw_failure,
    "support": lambda at: tuple(dashes(_line(at))),
    "cut": lambda at: tuple(dashes(_line(at), cut=True)),
    "convoy": lambda at: tuple(waves((at[0], at[1] - 19.0))),
    "disrupted": lambda at: (*waves((at[0], at[1] - 19.0)), *cross(at, 5.0)),
    "hold": lambda at: tuple(ground_bar((at[0], at[1] - 16.0))),
    "stood": lambda at: tuple(double_bar((at[0], at[1] - 19.0))),
    "haul": lambda at: tuple(arrow(_line(at), good=True, look="rollers")),
    "stopped": _draw_stopped,
    "caught": lambda at: (*arrow(_line(at), good=False), *cross((at[0] - 4.0, at[1]), 6.0)),
    "unordered": lambda at: tuple(
        strokes(f"M{at[0] - 15:.1f},{at[1]:.1f}h28", "casing thin", "nothing")
    ),
    "void": lambda at: tuple(void_line(_line(at))),
    "dislodged": lambda at: (Token("", "A", NOBODY, "", at, 19.0, state="dislodged"),),
    "destroyed": _draw_lost,
    "fleet-number": lambda at: (Token("", "F", NOBODY, "", at, 19.0, number=2),),
    "number": lambda at: tuple(place_number(at, 2)),
    "tether": lambda at: tuple(tether((at[0] - 13.0, at[1]), (at[0] + 11.0, at[1]))),
    "built": lambda at: tuple(plus(at)),
    "removed": _draw_lost,
    "picked": lambda at: tuple(pennon(at)),
    "contested": lambda at: (*pennon(at), *strike((at[0] - 11.0, at[1] + 26.0))),
    "lit": lambda at: (light(at, 10.0), Token("", "A", NOBODY, "", at, 15.0)),
}
"""The drawing of the row of each kind of mark, in the legend's order."""


# Draw a turn: the units where they were ordered, their orders and the results.


_FLAG = 28.0  # the room of a flag, across


def draw_turn(
    outcome: Outcome,
    sentences: Sentences,
    *,
    title: str,
    subtitle: str = "",
    orders_of: Collection[str] | None = None,
    crop: Crop | None = None,
    lit: Collection[str] = (),
) -> Scene:
    """Return the picture of a turn, or of a part of the map in it.

    ``orders_of`` limits it to the orders of some powers as they were written: then nothing in the
    picture depends on other powers' orders or on the results.  ``lit`` are the units that differ
    from another picture: they have a light around them, and the other orders are dim.
    """
    base = make_base_map(outcome.position.board, sentences.lang, crop)
    every = collect_orders(outcome, sentences, orders_of)
    part = find_excerpt(base, outcome.position, every, sentences.lang)
    orders, position = part.orders, part.position
    gates = [gate.box for gate in part.gates]
    names = [*base.name_boxes, *gates]
    ground = replace(base, atlas=part.atlas)
    outside = {gate.province for gate in part.gates}
    stage = UnitLayout(position, ground, base.lens, names, orders, outside)
    gone = _leaving_units(outcome, orders_of)
    laid = draw_orders(orders, stage)
    lines, *above = draw_order_layers(orders, laid, stage, position, gone)
    picked = draw_picks_layer(collect_flags(outcome, sentences, orders_of), position, stage)
    drawn = [item for layer in (lines, *above, *picked) for item in layer.items]
    signs = list_used_signs(drawn, sentences, results=orders_of is None, lit=bool(lit))
    tokens = [item for item in drawn if isinstance(item, Token)]
    steady = crop is not None and crop.steady
    page = MapPage(base, position, sentences, title, subtitle, tokens, signs, steady=steady)
    seen = () if crop and not crop.insets else place_insets(stage, orders, laid, page, gone)
    tags = place_tags(seen, stage, [page.legend_box, page.score_box, *gates])
    scene = page.scene(
        (*draw_gates(part.gates), *above, *picked),
        count_scores(position),
        [_inset(view, part, stage, gone, page) for view in seen],
        below_names=(draw_windows(seen, tags), lines),
        names=_clear_names(base, stage, [*laid.signs, *gates, *tags], seen),
    )
    return light_up(scene, lit) if lit else scene


def _clear_names(
    base: BaseMap, stage: UnitLayout, signs: Iterable[Box], insets: Iterable[InsetPlace]
) -> tuple[Label, ...]:
    board = stage.board
    symbols = [square(at, RADIUS + 1.0) for at in stage.seats.values()]
    fleets = [
        (unit.province, at)
        for unit, at in stage.seats.items()
        if board.provinces[unit.province].is_sea
    ]
    placing = LabelPlacing(board, base.atlas, base.grid, base.lang)
    frames = [inset.lens.frame for inset in insets]
    return clear_labels(base.names, placing, [*signs, *symbols], fleets, frames)


def _inset(
    view: InsetPlace,
    part: Excerpt,
    whole: UnitLayout,
    gone: frozenset[Unit],
    page: MapPage,
) -> Inset:
    """Return an inset: a window of the map with everything that happens in it, drawn larger."""
    orders, position = part.orders, part.position
    lens, atlas, board = view.lens, whole.atlas, position.board
    ground = replace(page.base, atlas=atlas)
    gates = tuple(move_gates(part.gates, lens))
    tags = [gate.box for gate in gates]
    inside = [order for order in orders if _touches(order, whole, lens.window)]
    stage = UnitLayout(position, ground, lens, tags, inside, whole.gates)
    laid = draw_orders(inside, stage)
    placing = InsetNames(board, page.base.atlas, page.base.grid, lens, page.sentences.lang)
    names = Layer("names", placing.place_all(stage.seats, (*laid.signs, *tags)))
    lines, units, signs = draw_order_layers(inside, laid, stage, position, gone)
    visible = [
        item
        for item in units.items
        if isinstance(item, Token) and lens.frame.grown(SIZE / 2).holds(item.at)
    ]
    return Inset(
        lens.window,
        lens.frame,
        draw_ground_near(board, page.base, position.owners, page.sentences.lang, lens.window),
        (
            draw_cities(board, page.base.atlas, lens),
            lines,
            names,
            *draw_gates(gates),
            Layer("units", tuple(visible)),
            signs,
            draw_frame(view),
        ),
    )


def _touches(order: DrawnOrder, stage: UnitLayout, window: Box) -> bool:
    """Return whether an order begins in a window of the map, leads into it or across it."""
    points = [stage.seats[order.unit]]
    points += [stage.end(order.goal).at] if order.goal is not None else []
    points += [stage.seats[unit] for unit in (order.aim, *order.fleets) if unit in stage.seats]
    return bounding_box(points).meets(window.grown(SIZE / 2))


def _leaving_units(outcome: Outcome, orders_of: Collection[str] | None) -> frozenset[Unit]:
    position = outcome.position
    if position.phase.retreats:
        return frozenset(d.unit for d in position.dislodged)
    if orders_of is not None:
        return frozenset()
    return frozenset([*(d.unit for d in outcome.dislodged), *outcome.destroyed])


def draw_order_layers(
    orders: Sequence[DrawnOrder],
    marks: OrderMarks,
    stage: UnitLayout,
    position: Position,
    gone: frozenset[Unit],
) -> tuple[Layer, Layer, Layer]:
    """Return the layers of the lines, of the units over them and of the signs over the units."""
    units = tuple(_tokens(orders, stage, position, gone))
    return Layer("orders", marks.under), Layer("units", units), Layer("signs", marks.over)


def _tokens(
    orders: Sequence[DrawnOrder], stage: UnitLayout, position: Position, gone: frozenset[Unit]
) -> Iterator[Token]:
    """Yield the symbols of the units, with their orders for those who touch them."""
    liveries = assign_liveries(position.board)
    names = {**names_of(position.units), **names_of(position.orderable)}
    by_unit = {order.unit: order for order in sorted(orders, key=lambda order: order.look != LOST)}
    ghosts = position.phase.kind != DEPLOYMENT
    for unit, at in stage.seats.items():
        if unit.province in stage.gates:
            continue
        order = by_unit.get(unit)
        name = names.get(unit, str(unit))
        state = "dislodged" if unit in gone else ""
        if order is not None and order.look == "build" and ghosts:
            state = "ghost"
        about = (order.title, order.order, order.result) if order is not None else None
        yield unit_token(unit, name, liveries[unit.power], at, state=state, about=about)


# -- picks ----------------------------------------------------------------------------------------


def draw_picks_layer(
    picked: Sequence[Flag], position: Position, stage: UnitLayout
) -> tuple[Layer, ...]:
    """Return a flag on every centre for each power that picked it."""
    if not picked:
        return ()
    liveries = assign_liveries(position.board)
    by_centre: dict[str, list[Flag]] = {}
    for flag in picked:
        by_centre.setdefault(flag.centre, []).append(flag)
    items: list[Mark] = []
    for centre, rivals in by_centre.items():
        ground = stage.atlas.grounds.get(centre)
        if ground is None or centre in stage.atlas.beyond:
            continue  # outside a part of the map
        x, y = place_flag(centre, stage, len(rivals))
        for i, flag in enumerate(rivals):
            items.append(_flag_mark(flag, (x + i * _FLAG, y), liveries[flag.power]))
    return (Layer("picks", tuple(items)),)


def place_flag(centre: str, stage: UnitLayout, rivals: int = 1) -> Point:
    """Return the place of the pole of a pick, the first one if several powers picked a centre."""
    ground = stage.atlas.grounds[centre]
    return _place_flags(stage.lens(ground.city or ground.slots[0]), _FLAG * rivals, stage)


def _place_flags(centre: Point, wide: float, stage: UnitLayout) -> Point:
    """Return the place of the first pole of some flags.

    It is at their centre, or beside it if the cloth would hide less of names and symbols there.
    """
    x, y = centre[0] - (wide - _FLAG) / 2, centre[1]
    near = [(x + dx, y + dy) for dy in (0.0, 14.0, 28.0, -14.0) for dx in (0.0, -_FLAG, 12.0)]
    return min(
        near, key=lambda at: stage.covered(Box(at[0], at[1] - 33.0, at[0] + wide, at[1] - 12.0))
    )


def _flag_mark(flag: Flag, at: Point, livery: Livery) -> Mark:
    """Return the flag of a pick, crossed out if the pick got nothing."""
    ink = "light" if livery.ink == "#FFFFFF" else "dark"
    shapes: list[Shape | Text] = [
        *banner(at),
        Text(livery.letter, (at[0] + 10.0, at[1] - 21.0), 14.0, f"badge-letter {ink}"),
    ]
    if flag.result == FAILS:
        shapes += strike(at)
    elif flag.result == ILLEGAL:
        shapes += cross((at[0] + 11.0, at[1] - 26.0), 8.0, "small")
    return Mark("", flag.power, "pick", flag.result, tuple(shapes), flag.title, flag.centre)


# Combine several pictures of one map, so that a page can show one or the other.
#
# What they share is drawn once; the rest carries the name of its picture.


def combine_scenes(scenes: Mapping[str, Scene]) -> Scene:
    """Return one scene of several by name; size, title and other single values are the first's."""
    first = next(iter(scenes.values()))
    bottom = max(scene.box.bottom for scene in scenes.values())
    return replace(
        first,
        box=replace(first.box, bottom=bottom),
        description=" ".join(dict.fromkeys(scene.description for scene in scenes.values())),
        layers=tuple(_layers(scenes)),
        insets=tuple(replace(i, view=v) for v, scene in scenes.items() for i in scene.insets),
    )


def _layers(scenes: Mapping[str, Scene]) -> Iterator[Layer]:
    """Yield each layer once if it is the same in all scenes, else one for each scene."""
    by_key = [{layer.key: layer for layer in scene.layers} for scene in scenes.values()]
    for key in dict.fromkeys(key for layers in by_key for key in layers):
        found = [layers.get(key) for layers in by_key]
        if found.count(found[0]) == len(found) and found[0] is not None:
            yield found[0]
            continue
        for view, layer in zip(scenes, found, strict=True):
            if layer is not None:
                yield replace(layer, view=view)


# Draw positions and outcomes for notebooks, with a title of their own.


def draw_for_notebook(value: Position | Outcome) -> str | None:
    """Return the SVG of a position or an outcome; None if the position is impossible.

    The ids in it differ from those of other pictures, so that several fit one notebook.
    """
    sentences = load_sentences("en")
    position = value if isinstance(value, Position) else value.position
    if position.problems():
        return None
    title, subtitle = position.board.name("en"), str(position.phase)
    if isinstance(value, Position):
        scene = draw_position(value, sentences, title=title, subtitle=subtitle)
    else:
        scene = draw_turn(value, sentences, title=title, subtitle=subtitle)
    prefix = sha256(repr(scene).encode()).hexdigest()[:8]
    return render_svg(scene, prefix=f"am{prefix}-")
