"""What a page draws from by itself, and the drawings that several pictures share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from alexmagnum.board.geography import split_location
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.board.tables import BoardTables, ProvinceNo
from alexmagnum.draw import scene as drawn
from alexmagnum.draw.atlas import APART, RADIUS, SIZE
from alexmagnum.draw.base_map import TINT, make_base_map
from alexmagnum.draw.order_marks import SIGN_LENGTHS, place_flag
from alexmagnum.draw.orders import ROUTE_LENGTHS, DrawnOrder, find_goal, needs_fleets
from alexmagnum.draw.positions import GAP, UnitLayout, draw_position, round_point
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.legality import find_unit
from alexmagnum.notation import write_order
from alexmagnum.orders import Build, Convoy, Move, Order, Pick, Retreat, Support
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.units import names_of

# What the order sheet's script ``order_arrows.js`` knows of a position. It draws the same marks as
# :mod:`alexmagnum.draw.order_marks`, from the same lengths.


LENGTHS: Mapping[str, Any] = {"radius": RADIUS, "gap": GAP, **ROUTE_LENGTHS, **SIGN_LENGTHS}
"""The lengths and costs by which orders are drawn, so that the script needs none of its own."""


def lay_out_canvas(
    position: Position, power: str, orders: Iterable[Order], lang: str
) -> Mapping[str, Any]:
    """Return everything around which a power's orders are drawn, ready for JSON.

    ``units``: every symbol on the map, with its middle; ``ends``: where each destination is, and
    the symbol that stands there; ``new``: the middles of units to be built, by location;
    ``rivers``, ``courses``, ``portages``, ``hauls``, ``seas``: the ways beyond a border;
    ``carried``: the moves for which an army needs fleets;
    ``names``, ``cities``, ``sheet``: what lines avoid; ``flags``: the pole of a pick, by centre.
    """
    return _CanvasMaker(position, power, tuple(orders), lang).lay_out()


class _CanvasMaker:
    """Collects what the orders of one power are drawn around."""

    def __init__(
        self, position: Position, power: str, orders: tuple[Order, ...], lang: str
    ) -> None:
        self.position, self.power, self.orders = position, power, orders
        base = make_base_map(position.board, lang)
        self.base, self.tables = base, position.board.tables
        self.layout = UnitLayout(position, base, base.lens, base.name_boxes)
        self.units = tuple(self.layout.seats)

    def lay_out(self) -> Mapping[str, Any]:
        """Return the whole canvas, without other parts that are empty than the units."""
        parts: dict[str, Any] = {
            **_lay_out_ground(self.layout),
            "units": list(self._list_units()),
            "ends": self._find_ends(),
            "new": self._place_new_units(),
            "seas": _list_seas(self.tables, self._list_convoy_seas()),
            "carried": list(self._list_carried_moves()),
            "flags": _place_flags(
                (o.centre for o in self.orders if isinstance(o, Pick)), self.layout
            ),
            **self._list_ways(),
        }
        return {name: part for name, part in parts.items() if part or name == "units"}

    def _list_units(self) -> Iterable[Any]:
        """Yield the units: name, power, province, middle, and 1 if they are dislodged."""
        dislodged = {entry.unit for entry in self.position.dislodged}
        names = {**names_of(self.position.units), **names_of(dislodged)}
        for unit in self.units:
            x, y = self.layout.seats[unit]
            standing = unit in dislodged
            yield [names[unit], unit.power, unit.province, x, y, *([1] if standing else [])]

    # -- destinations ----------------------------------------------------------------------------

    def _find_ends(self) -> Mapping[str, Any]:
        """Return the ends of all arrows by destination, and by power where that matters (R26)."""
        ends: dict[str, Any] = {}
        for unit, to in dict.fromkeys(self._list_destinations()):
            if (goal := find_goal(self.position, unit, to)) is None:
                continue
            end = self.layout.end(goal)
            entry = [*round_point(end.at)]
            if end.key is not None:
                entry.append(self.units.index(end.key))
            if unit.power == self.power or to not in ends:
                ends[to] = entry
            elif ends[to] != entry:
                ends[f"{unit.power} {to}"] = entry
        return ends

    def _list_destinations(self) -> Iterable[tuple[Unit, str]]:
        helped: list[tuple[Unit, str]] = []
        standing = self.position.orderable
        own = [unit for unit in standing if unit.power == self.power]
        for order in self.orders:
            if isinstance(order, (Move, Retreat)):
                unit = find_unit(own if isinstance(order, Retreat) else standing, order.unit)
                if unit is not None:
                    yield unit, order.to
            elif isinstance(order, (Support, Convoy)) and order.to:
                name = order.supported if isinstance(order, Support) else order.army
                if (unit := find_unit(standing, name)) is not None:
                    helped.append((unit, order.to))
            elif isinstance(order, Build):
                location = order.unit[2:]
                province, coast, _ = split_location(location)
                yield Unit(self.power, order.unit[:1], province, coast), location
        yield from sorted(helped, key=lambda entry: entry[0].power != self.power)

    # -- ways beyond a border --------------------------------------------------------------------

    def _list_ways(self) -> Mapping[str, Any]:
        """Return the expresses and hauls that the orders contain, with the lines they follow."""
        tables = self.tables
        ways: list[tuple[ProvinceNo, ProvinceNo]] = []
        for unit, to in dict.fromkeys(self._list_destinations()):
            start, end = tables.index[unit.province], tables.index[split_location(to)[0]]
            reached = tables.fleet_reach[tables.location[unit.location] * tables.n + end]
            if unit.kind == "F" and not reached:
                ways.append((start, end))
        return _list_ways(ways, self.layout)

    def _list_carried_moves(self) -> Iterator[str]:
        for order in self.orders:
            if isinstance(order, Move):
                unit = find_unit(self.position.orderable, order.unit)
                if unit is not None and needs_fleets(self.tables, unit, order):
                    yield write_order(order)

    def _list_convoy_seas(self) -> list[int]:
        standing = self.position.orderable
        fleets = (find_unit(standing, o.unit) for o in self.orders if isinstance(o, Convoy))
        return sorted({self.tables.index[fleet.province] for fleet in fleets if fleet})

    def _place_new_units(self) -> Mapping[str, Any]:
        """Return the middle of the symbol of a unit that is built, by location."""
        places: dict[str, Any] = {}
        for order in self.orders:
            if isinstance(order, Build) and order.unit[2:] not in places:
                province, coast, _ = split_location(order.unit[2:])
                new = Unit(self.power, order.unit[:1], province, coast)
                built = DrawnOrder(new, order.unit, "build", "", "")
                layout = UnitLayout(self.position, self.base, self.base.lens, (), [built])
                places[order.unit[2:]] = round_point(layout.seats[new])
        return places


# What the scripts of a table (``table_map.js``) know of a map: how orders of any position on it are
# drawn. The canvas of an order sheet is that of one position and one power's orders.


def lay_out_board(board: Board, lang: str) -> Mapping[str, Any]:
    """Return everything around which orders on a map are drawn, ready for JSON.

    ``rivers``, ``courses``, ``portages``, ``hauls``, ``seas``: the ways beyond a border;
    ``names``, ``cities``, ``sheet``: what lines avoid; ``flags``: the pole of a pick, by centre.
    Units and their places are in :func:`lay_out_pieces`.
    """
    base = make_base_map(board, lang)
    layout = UnitLayout(Position(board, Phase(1, "spring"), ()), base, base.lens, base.name_boxes)
    tables = board.tables
    seas = [sea for sea in range(tables.n) if tables.sea_next[sea] or _shores(tables, sea)]
    return {
        **_lay_out_ground(layout),
        "seas": _list_seas(tables, seas),
        "flags": _place_flags(
            (p.id for p in board.provinces.values() if p.centre == "start"), layout
        ),
        **_list_ways(
            [way for way in (*tables.course, *tables.haul) if not _is_neighbour(tables, *way)],
            layout,
        ),
    }


def _lay_out_ground(layout: UnitLayout) -> dict[str, Any]:
    """Return what is the same in every position of a map: lengths, sheet, names and cities."""
    sheet = layout.field.sheet
    boxes = ((b.left, b.top, b.right, b.bottom) for b in layout.names)
    cities = (layout.lens(g.city) for g in layout.atlas.grounds.values() if g.city)
    return {
        "lengths": LENGTHS,
        "sheet": [sheet.left, sheet.top, sheet.right, sheet.bottom],
        "names": [round(value, 1) for box in boxes for value in box],
        "cities": [value for point in cities for value in round_point(point)],
    }


def _list_seas(tables: BoardTables, seas: Collection[int]) -> Mapping[str, Any]:
    """Return some seas: the next of them to each, and the provinces at its shores."""
    return {
        tables.ids[sea]: [
            [tables.ids[other] for other in tables.sea_next[sea] if other in seas],
            _shores(tables, sea),
        ]
        for sea in seas
    }


def _shores(tables: BoardTables, sea: int) -> list[str]:
    """Return the provinces at which a fleet in a sea can land an army."""
    return [tables.ids[land] for land in range(tables.n) if tables.shore[sea * tables.n + land]]


def _list_ways(
    ways: Iterable[tuple[ProvinceNo, ProvinceNo]], layout: UnitLayout
) -> Mapping[str, Any]:
    """Return the expresses and hauls among some ways, with the lines that they follow."""
    tables = layout.board.tables
    courses: dict[str, Any] = {}
    hauls: dict[str, str] = {}
    ways_on: dict[str, tuple[str, ...]] = {}
    portages: dict[str, Any] = {}
    for start, end in ways:
        key = f"{tables.ids[start]} {tables.ids[end]}"
        if (start, end) in tables.course:
            course = tables.course[start, end]
            path = [tables.ids[province] for province in course.path]
            courses[key] = [course.river, path]
            ways_on[str(course.river)] = (tables.ids[start], *path)
        elif (start, end) in tables.haul:
            over = hauls[key] = tables.ids[tables.haul[start, end]]
            portages[over] = layout.portage(over)
    rivers = {river: layout.river(way) for river, way in ways_on.items()}
    return {"courses": courses, "hauls": hauls, "rivers": rivers, "portages": portages}


def _is_neighbour(tables: BoardTables, start: int, end: int) -> bool:
    """Return whether a fleet goes from one province to another across a border."""
    starts = (at for name, at in tables.location.items() if name.split("/")[0] == tables.ids[start])
    return any(tables.fleet_reach[at * tables.n + end] for at in starts)


def _place_flags(centres: Iterable[str], layout: UnitLayout) -> Mapping[str, Any]:
    return {centre: round_point(place_flag(centre, layout)) for centre in centres}


# What ``templates/position_drawing.js`` of the reports knows of a map: it draws units, dislodged
# units and the tints of owned centres, as :mod:`alexmagnum.draw.positions` does.


_IN_POWERS_COLORS = drawn.Livery("", "{color}", "{ink}", "", "{letter}")
"""A livery that stands for any: the page fills in the colours and the letter of a power."""


def lay_out_pieces(board: Board, lang: str) -> Mapping[str, Any]:
    """Return everything from which positions on a board are drawn, ready for JSON.

    ``slots``: the places of units by province; ``coasts``: those of fleets by location; ``shades``:
    the colour of each land province that nobody owns; ``tint``: the share of the owner's colour;
    ``names``, ``liveries``: of the powers, a livery as colour, ink and letter; ``symbols``: the
    symbol by kind of unit, ``N`` for a garrison, and by state, with ``{color}``, ``{ink}`` and
    ``{letter}`` to be filled in; ``size``, ``apart``: the height of a symbol, and the least
    distance of two.
    """
    base = make_base_map(board, lang)
    grounds = base.atlas.grounds.values()
    return {
        "slots": {ground.id: [round_point(slot) for slot in ground.slots] for ground in grounds},
        "coasts": {
            f"{ground.id}/{coast}": round_point(at)
            for ground in grounds
            for coast, at in ground.coasts.items()
        },
        "shades": {
            province: shade
            for province, shade in base.shades.items()
            if not board.provinces[province].is_sea
        },
        "tint": TINT,
        "independent": INDEPENDENT,
        "names": {power.id: power.name(lang) for power in board.powers.values()},
        "liveries": {
            power: [livery.color, livery.ink, livery.letter]
            for power, livery in drawn.assign_liveries(board).items()
            if power != drawn.NOBODY
        },
        "symbols": {
            state: {kind: drawn.render_symbol(kind, _IN_POWERS_COLORS, state) for kind in "AFGN"}
            for state in ("", "dislodged", "ghost")
        },
        "size": SIZE,
        "apart": APART,
    }


# Combine several pictures of one map, so that a page can show one or the other.
#
# What they share is drawn once; the rest carries the name of its picture.


def combine_scenes(scenes: Mapping[str, drawn.Scene]) -> drawn.Scene:
    """Return one scene of several by name; size, title and other single values are the first's."""
    first = next(iter(scenes.values()))
    return replace(
        first,
        box=replace(first.box, bottom=max(scene.box.bottom for scene in scenes.values())),
        description=" ".join(dict.fromkeys(scene.description for scene in scenes.values())),
        layers=tuple(_layers(scenes)),
        insets=tuple(replace(i, view=v) for v, scene in scenes.items() for i in scene.insets),
    )


def _layers(scenes: Mapping[str, drawn.Scene]) -> Iterator[drawn.Layer]:
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


# The ground of a map apart from what changes: many pictures of a map share one drawing of it.
#
# Seas, coasts, relief and borders are most of a picture, and the same in every phase of a game.


PREFIX = "map-"
"""The prefix of every id of the ground and of the drawings over it."""

_FIXED = ("frame", "seas", "coast", "wild", "water", "borders", "cities", "compass")
"""The layers that no unit, order or owner changes."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """A picture without the ground: its SVG, in which the layers ``shared`` are empty."""

    svg: str
    shared: tuple[str, ...]


class SharedGround:
    """The ground of a map, and the pictures over it.

    Attributes:
        svg: the ground alone, with the outlines of the provinces, as SVG text.
    """

    def __init__(self, position: Position, sentences: Sentences) -> None:
        bare = Position(position.board, position.phase, ())
        scene = draw_position(bare, sentences, title=position.board.name(sentences.lang))
        self._layers: Mapping[str, drawn.Layer] = {
            layer.key: layer for layer in scene.layers if layer.key in _FIXED and layer.items
        }
        ground = replace(scene, layers=tuple(self._layers.values()), insets=())
        self._shapes = drawn.number_repeated(ground)
        self.svg = drawn.render_svg(ground, prefix=PREFIX, embed_fonts=False)

    def lay(self, scene: drawn.Scene) -> Overlay:
        """Return a picture of the same map without what the ground has of it."""
        shared = {layer.key for layer in scene.layers if self._has(layer)}
        layers = tuple(
            replace(layer, items=()) if layer.key in shared else layer for layer in scene.layers
        )
        rest = replace(scene, layers=layers, outlines=())
        svg = drawn.render_svg(rest, prefix=PREFIX, embed_fonts=False, known=self._shapes)
        return Overlay(svg, tuple(key for key in self._layers if key in shared))

    def _has(self, layer: drawn.Layer) -> bool:
        return not layer.view and self._layers.get(layer.key) == layer
