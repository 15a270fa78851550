"""Draw a turn: the units where they were ordered, their orders and the results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from alexmagnum.draw import order_signs
from alexmagnum.draw.atlas import bounding_box
from alexmagnum.draw.base_map import BaseMap, draw_ground_near, make_base_map
from alexmagnum.draw.crop import Crop
from alexmagnum.draw.gates import Excerpt, draw_gates, find_excerpt, move_gates
from alexmagnum.draw.insets import (
    InsetNames,
    InsetPlace,
    draw_cities,
    draw_frame,
    draw_windows,
    place_insets,
    place_tags,
)
from alexmagnum.draw.labels import Label, LabelPlacing, clear_labels
from alexmagnum.draw.legend import count_scores
from alexmagnum.draw.lens import Lens
from alexmagnum.draw.order_drawing import LOST, DrawnOrder, Flag, collect_flags, collect_orders
from alexmagnum.draw.order_layer import SheetLayout
from alexmagnum.draw.order_legend import list_used_signs
from alexmagnum.draw.order_marks import OrderMarks, draw_orders
from alexmagnum.draw.palette import Livery, assign_liveries
from alexmagnum.draw.position_picture import Sheet
from alexmagnum.draw.scene import Box, Inset, Layer, Mark, Point, Scene, Shape, Text, Token, square
from alexmagnum.draw.side_by_side import light_up
from alexmagnum.draw.symbols import RADIUS, SIZE, unit_token
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import FAILS, ILLEGAL, Outcome
from alexmagnum.position import DEPLOYMENT, Position, Unit, names_of

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
    names = [box for label in base.names for box in label.boxes]
    gates = [gate.box for gate in part.gates]
    names += gates
    lens = Lens(base.atlas.box, base.atlas.box)
    ground = replace(base, atlas=part.atlas)
    stage = SheetLayout(position, ground, lens, names, orders, part.outside)
    gone = _leaving_units(outcome, orders_of)
    laid = draw_orders(orders, stage)
    lines, *above = draw_order_layers(orders, laid, stage, position, gone)
    picked = draw_picks_layer(collect_flags(outcome, sentences, orders_of), position, stage)
    drawn = [item for layer in (lines, *above, *picked) for item in layer.items]
    signs = list_used_signs(drawn, sentences, results=orders_of is None, lit=bool(lit))
    tokens = [item for item in drawn if isinstance(item, Token)]
    steady = crop is not None and crop.steady
    sheet = Sheet(base, position, sentences, title, subtitle, tokens, signs, steady=steady)
    seen = () if crop and not crop.insets else place_insets(stage, orders, laid, sheet, gone)
    tags = place_tags(seen, stage, [sheet.legend_box, sheet.score_box, *gates])
    scene = sheet.scene(
        (*draw_gates(part.gates), *above, *picked),
        count_scores(position),
        [_inset(view, part, stage, gone, sheet) for view in seen],
        below_names=(draw_windows(seen, tags), lines),
        names=_clear_names(base, stage, [*laid.signs, *gates, *tags], seen),
    )
    return light_up(scene, lit) if lit else scene


def _clear_names(
    base: BaseMap, stage: SheetLayout, signs: Iterable[Box], insets: Iterable[InsetPlace]
) -> tuple[Label, ...]:
    """Return the names of the map: those on symbols, heads and insets in another place."""
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
    whole: SheetLayout,
    gone: frozenset[Unit],
    sheet: Sheet,
) -> Inset:
    """Return an inset: a window of the map with everything that happens in it, drawn larger."""
    orders, position = part.orders, part.position
    lens, atlas, board = view.lens, whole.atlas, position.board
    ground = replace(sheet.base, atlas=atlas)
    gates = tuple(move_gates(part.gates, lens))
    tags = [gate.box for gate in gates]
    inside = [order for order in orders if _touches(order, whole, lens.window)]
    stage = SheetLayout(position, ground, lens, tags, inside, whole.gates)
    laid = draw_orders(inside, stage)
    placing = InsetNames(board, sheet.base.atlas, sheet.base.grid, lens, sheet.sentences.lang)
    names = placing.place_all(stage.seats, (*laid.signs, *tags))
    lines, units, signs = draw_order_layers(inside, laid, stage, position, gone)
    visible = [
        item
        for item in units.items
        if isinstance(item, Token) and lens.frame.grown(SIZE / 2).holds(item.at)
    ]
    return Inset(
        lens.window,
        lens.frame,
        draw_ground_near(board, sheet.base, position.owners, sheet.sentences.lang, lens.window),
        (
            draw_cities(board, sheet.base.atlas, lens),
            lines,
            Layer("names", tuple(name.text for name in names)),
            *draw_gates(gates),
            Layer("units", tuple(visible)),
            signs,
            draw_frame(view),
        ),
    )


def _touches(order: DrawnOrder, stage: SheetLayout, window: Box) -> bool:
    """Return whether an order begins in a window of the map, leads into it or across it."""
    points = [stage.seats[order.unit]]
    points += [stage.end(order.goal).at] if order.goal is not None else []
    points += [stage.seats[unit] for unit in (order.aim, *order.fleets) if unit in stage.seats]
    return bounding_box(points).meets(window.grown(SIZE / 2))


def _leaving_units(outcome: Outcome, orders_of: Collection[str] | None) -> frozenset[Unit]:
    """Return the units that are dislodged or destroyed."""
    position = outcome.position
    if position.phase.retreats:
        return frozenset(d.unit for d in position.dislodged)
    if orders_of is not None:
        return frozenset()
    return frozenset([*(d.unit for d in outcome.dislodged), *outcome.destroyed])


def draw_order_layers(
    orders: Sequence[DrawnOrder],
    marks: OrderMarks,
    stage: SheetLayout,
    position: Position,
    gone: frozenset[Unit],
) -> tuple[Layer, Layer, Layer]:
    """Return the layers of the lines, of the units over them and of the signs over the units."""
    units = tuple(_tokens(orders, stage, position, gone))
    return Layer("orders", marks.under), Layer("units", units), Layer("signs", marks.over)


def _tokens(
    orders: Sequence[DrawnOrder], stage: SheetLayout, position: Position, gone: frozenset[Unit]
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
    picked: Sequence[Flag], position: Position, stage: SheetLayout
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


def place_flag(centre: str, stage: SheetLayout, rivals: int = 1) -> Point:
    """Return the place of the pole of a pick, the first one if several powers picked a centre."""
    ground = stage.atlas.grounds[centre]
    return _place_flags(stage.lens(ground.city or ground.slots[0]), _FLAG * rivals, stage)


def _place_flags(centre: Point, wide: float, stage: SheetLayout) -> Point:
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
        *order_signs.banner(at),
        Text(livery.letter, (at[0] + 10.0, at[1] - 21.0), 14.0, f"badge-letter {ink}"),
    ]
    if flag.result == FAILS:
        shapes += order_signs.strike(at)
    elif flag.result == ILLEGAL:
        shapes += order_signs.cross((at[0] + 11.0, at[1] - 26.0), 8.0, "small")
    return Mark("", flag.power, "pick", flag.result, tuple(shapes), flag.title, flag.centre)
