"""Whole pictures: a turn, the units where they stood when they were ordered and what they did."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from alexmagnum.draw import order_signs
from alexmagnum.draw.atlas import bounding_box
from alexmagnum.draw.base_map import draw_ground_near, make_base_map
from alexmagnum.draw.insets import (
    InsetNames,
    InsetPlace,
    draw_cities,
    draw_frame,
    draw_windows,
    place_insets,
)
from alexmagnum.draw.legend import Sign, count_scores
from alexmagnum.draw.order_drawing import LOST, DrawnOrder, Flag, collect_flags, collect_orders
from alexmagnum.draw.order_layer import Lens, SheetLayout
from alexmagnum.draw.order_marks import OrderMarks, draw_orders
from alexmagnum.draw.palette import NOBODY, Livery, assign_liveries
from alexmagnum.draw.position_picture import Sheet
from alexmagnum.draw.scene import Box, Inset, Layer, Mark, Point, Scene, Shape, Text, Token
from alexmagnum.draw.symbols import SIZE, unit_token
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
) -> Scene:
    """The units where they were ordered, their orders, and what came of them.

    ``orders_of``: only these powers' orders, as they were written: nothing in the picture
    depends on what others ordered, or on what came out.
    """
    position = outcome.position
    base = make_base_map(position.board, sentences.lang)
    signs = list_order_signs(position.phase.kind, sentences, told=orders_of is None)
    sheet = Sheet(base, position, sentences, title, subtitle, signs)
    telling = collect_orders(outcome, sentences, orders_of)
    names = [box for label in base.names for box in label.boxes]
    lens = Lens(base.atlas.box, base.atlas.box)
    stage = SheetLayout(position, base.atlas, lens, names, _built(telling))
    gone = _gone(outcome, orders_of)
    laid = draw_orders(telling, stage)
    lines, *above = draw_order_layers(telling, laid, stage, position, gone)
    picked = draw_picks_layer(collect_flags(outcome, sentences, orders_of), position, stage)
    seen = place_insets(stage, telling, laid, sheet)
    return sheet.scene(
        (*above, *picked),
        count_scores(position),
        [_inset(view, telling, stage, position, gone, sheet) for view in seen],
        below_names=(draw_windows(seen, stage), lines),
    )


def _inset(
    view: InsetPlace,
    telling: Sequence[DrawnOrder],
    whole: SheetLayout,
    position: Position,
    gone: frozenset[Unit],
    sheet: Sheet,
) -> Inset:
    """A window of the map with all that happens in it, drawn larger."""
    lens, atlas, board = view.lens, whole.atlas, position.board
    more = _built(telling)
    placing = InsetNames(board, atlas, sheet.base.grid, lens, sheet.sentences.lang)
    names = placing.lay(SheetLayout(position, atlas, lens, (), more).seats)
    stage = SheetLayout(position, atlas, lens, [name.box for name in names], more)
    inside = [deed for deed in telling if _touches(deed, stage)]
    lines, units, signs = draw_order_layers(
        inside, draw_orders(inside, stage), stage, position, gone
    )
    shown = [
        item
        for item in units.items
        if isinstance(item, Token) and lens.frame.grown(SIZE / 2).holds(item.at)
    ]
    return Inset(
        lens.window,
        lens.frame,
        draw_ground_near(board, sheet.base, position.owners, sheet.sentences.lang, lens.window),
        (
            draw_cities(board, atlas, lens),
            lines,
            Layer("names", tuple(name.text for name in names)),
            Layer("units", tuple(shown)),
            signs,
            draw_frame(view),
        ),
    )


def _touches(deed: DrawnOrder, stage: SheetLayout) -> bool:
    """Does an order begin or lead into the frame, or across it?"""
    frame = stage.lens.frame.grown(SIZE / 2)
    points = [stage.seats[deed.unit]]
    points += [stage.end(deed.goal).at] if deed.goal is not None else []
    points += [stage.seats[unit] for unit in (deed.aim, *deed.fleets) if unit in stage.seats]
    return bounding_box(points).meets(frame)


def _built(telling: Sequence[DrawnOrder]) -> list[Unit]:
    return [deed.unit for deed in telling if deed.look == "build"]


def _gone(outcome: Outcome, orders_of: Collection[str] | None) -> frozenset[Unit]:
    """The units that the phase drives out of their places."""
    position = outcome.position
    if position.phase.retreats:
        return frozenset(d.unit for d in position.dislodged)
    if orders_of is not None:
        return frozenset()
    return frozenset([*(d.unit for d in outcome.dislodged), *outcome.destroyed])


def draw_order_layers(
    telling: Sequence[DrawnOrder],
    found: OrderMarks,
    stage: SheetLayout,
    position: Position,
    gone: frozenset[Unit],
) -> tuple[Layer, Layer, Layer]:
    """The lines, the units upon them, and the signs upon those."""
    units = tuple(_tokens(telling, stage, position, gone))
    return Layer("orders", found.under), Layer("units", units), Layer("signs", found.over)


def _tokens(
    telling: Sequence[DrawnOrder], stage: SheetLayout, position: Position, gone: frozenset[Unit]
) -> Iterator[Token]:
    marks = assign_liveries(position.board)
    names = {**names_of(position.units), **names_of(position.orderable)}
    told = {deed.unit: deed for deed in sorted(telling, key=lambda deed: deed.look != LOST)}
    ghosts = position.phase.kind != DEPLOYMENT
    for unit, at in stage.seats.items():
        deed = told.get(unit)
        name = names.get(unit, str(unit))
        state = "dislodged" if unit in gone else ""
        if deed is not None and deed.look == "build" and ghosts:
            state = "ghost"
        about = (deed.title, deed.order, deed.result) if deed is not None else None
        yield unit_token(unit, name, marks[unit.power], at, state=state, told=about)


# -- picks ----------------------------------------------------------------------------------------


def draw_picks_layer(
    picked: Sequence[Flag], position: Position, stage: SheetLayout
) -> tuple[Layer, ...]:
    """A flag on every centre for each power that picked it."""
    if not picked:
        return ()
    marks = assign_liveries(position.board)
    by_centre: dict[str, list[Flag]] = {}
    for flag in picked:
        by_centre.setdefault(flag.centre, []).append(flag)
    items: list[Mark] = []
    for centre, rivals in by_centre.items():
        ground = stage.atlas.grounds[centre]
        x, y = _clear(stage.lens(ground.city or ground.slots[0]), _FLAG * len(rivals), stage)
        for i, flag in enumerate(rivals):
            items.append(_flag_mark(flag, (x + i * _FLAG, y), marks[flag.power]))
    return (Layer("picks", tuple(items)),)


def _clear(centre: Point, wide: float, stage: SheetLayout) -> Point:
    """Where the first pole of some flags stands: at their centre, or beside it where the cloth
    would hide less of names and symbols."""
    x, y = centre[0] - (wide - _FLAG) / 2, centre[1]
    near = [(x + dx, y + dy) for dy in (0.0, 14.0, 28.0, -14.0) for dx in (0.0, -_FLAG, 12.0)]
    return min(
        near, key=lambda at: stage.covered(Box(at[0], at[1] - 33.0, at[0] + wide, at[1] - 12.0))
    )


def _flag_mark(flag: Flag, at: Point, livery: Livery) -> Mark:
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


# -- legend ---------------------------------------------------------------------------------------


def list_order_signs(kind: str, sentences: Sentences, *, told: bool) -> tuple[Sign, ...]:
    """The signs of orders in a phase of a kind, with those of results if these are told."""
    if kind == "picks":
        return tuple(_pick_signs(sentences, told=told))
    if kind not in ("movement", "retreats"):
        return tuple(_adjustment_signs(kind, sentences))
    good = Sign(
        lambda at: tuple(order_signs.arrow(_dash(at), good=True)), sentences.format("sign-success")
    )
    if not told:
        return (replace(good, meaning=sentences.format("sign-move")), _support_sign(sentences))
    return (
        good,
        Sign(_bounced, sentences.format("sign-failure")),
        _support_sign(sentences),
        Sign(
            lambda at: (Token("", "A", NOBODY, "", at, 19.0, state="dislodged"),),
            sentences.format("sign-dislodged"),
        ),
        Sign(lambda at: tuple(order_signs.void_line(_dash(at))), sentences.format("sign-void")),
    )


def _pick_signs(sentences: Sentences, *, told: bool) -> Iterator[Sign]:
    """A flag for a pick, and one for a centre that several named (R30)."""
    yield Sign(lambda at: tuple(order_signs.pennon(at)), sentences.format("sign-picked"))
    if told:
        struck = order_signs.strike
        yield Sign(
            lambda at: (*order_signs.pennon(at), *struck((at[0] - 11.0, at[1] + 26.0))),
            sentences.format("sign-contested"),
        )


def _adjustment_signs(kind: str, sentences: Sentences) -> Iterator[Sign]:
    """Units built or placed, and in winter those removed (R31, R32)."""
    yield Sign(lambda at: tuple(order_signs.plus(at)), sentences.format("sign-built"))
    if kind != DEPLOYMENT:
        yield Sign(lambda at: tuple(order_signs.cross(at, 7.0)), sentences.format("sign-removed"))


def _support_sign(sentences: Sentences) -> Sign:
    return Sign(lambda at: tuple(order_signs.dashes(_dash(at))), sentences.format("sign-support"))


def _bounced(at: Point) -> Sequence[Shape]:
    (start, (x, y)) = _dash(at)
    return *order_signs.arrow((start, (x - 7.0, y)), good=False), order_signs.burst((x, y))


def _dash(at: Point) -> tuple[Point, Point]:
    return (at[0] - 15.0, at[1]), (at[0] + 13.0, at[1])
