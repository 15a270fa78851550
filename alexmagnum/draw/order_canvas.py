"""The numbers and texts from which a page draws orders by itself.

Open this file for what the order sheet's script ``order_arrows.js`` knows of a position.  That
script draws the same marks as :mod:`alexmagnum.draw.order_marks`, from the same lengths.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from alexmagnum.board.geography import split_location
from alexmagnum.draw import arrows, order_marks, order_signs
from alexmagnum.draw.base_map import make_base_map
from alexmagnum.draw.lens import Lens
from alexmagnum.draw.order_drawing import DrawnOrder, find_goal
from alexmagnum.draw.order_layer import GAP, SheetLayout
from alexmagnum.draw.scene import Point
from alexmagnum.draw.symbols import RADIUS
from alexmagnum.judge.legality import find_unit
from alexmagnum.orders import Build, Convoy, Move, Order, Pick, Retreat, Support
from alexmagnum.position import Position, Unit, names_of

LENGTHS: Mapping[str, Any] = {
    "radius": RADIUS,
    "gap": GAP,
    **arrows.LENGTHS,
    **order_signs.LENGTHS,
    **order_marks.LENGTHS,
}
"""The lengths and costs by which orders are drawn, so that the script needs none of its own."""


def lay_out_canvas(
    position: Position, power: str, orders: Iterable[Order], lang: str
) -> Mapping[str, Any]:
    """Return everything around which a power's orders are drawn, ready for JSON.

    ``units``: every symbol on the map, with its middle; ``ends``: where each destination is, and
    the symbol that stands there; ``new``: the middles of units to be built, by location;
    ``rivers``, ``courses``, ``portages``, ``hauls``, ``seas``: the ways beyond a border;
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
        names = [box for label in base.names for box in label.boxes]
        self.lens = Lens(base.atlas.box, base.atlas.box)
        self.base, self.atlas = base, base.atlas
        self.layout = SheetLayout(position, base, self.lens, names)
        self.units = tuple(self.layout.seats)

    def lay_out(self) -> Mapping[str, Any]:
        """Return the whole canvas, without other parts that are empty than the units."""
        field = self.layout.field.sheet
        parts: dict[str, Any] = {
            "lengths": LENGTHS,
            "sheet": [field.left, field.top, field.right, field.bottom],
            "units": list(self._list_units()),
            "names": [
                tenths
                for box in self.layout.names
                for tenths in map(_tenths, (box.left, box.top, box.right, box.bottom))
            ],
            "cities": [
                tenths
                for ground in self.atlas.grounds.values()
                if ground.city
                for tenths in map(_tenths, self.lens(ground.city))
            ],
            "ends": self._find_ends(),
            "new": self._place_new_units(),
            "seas": self._list_seas(),
            "flags": self._place_flags(),
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
            goal = find_goal(self.position, unit, to)
            if goal is None:
                continue
            end = self.layout.end(goal)
            entry = [*_rounded(end.at)]
            if end.key is not None:
                entry.append(self.units.index(end.key))
            if unit.power == self.power or to not in ends:
                ends[to] = entry
            elif ends[to] != entry:
                ends[f"{unit.power} {to}"] = entry
        return ends

    def _list_destinations(self) -> Iterable[tuple[Unit, str]]:
        """Yield every destination with the unit that goes there, own units first."""
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
                unit = find_unit(standing, name)
                if unit is not None:
                    helped.append((unit, order.to))
            elif isinstance(order, Build):
                location = order.unit[2:]
                province, coast, _ = split_location(location)
                yield Unit(self.power, order.unit[:1], province, coast), location
        yield from sorted(helped, key=lambda entry: entry[0].power != self.power)

    # -- ways beyond a border --------------------------------------------------------------------

    def _list_ways(self) -> Mapping[str, Any]:
        """Return the expresses and hauls that the orders contain, with the lines they follow."""
        tables = self.position.board.tables
        courses: dict[str, Any] = {}
        hauls: dict[str, str] = {}
        rivers: dict[str, Any] = {}
        portages: dict[str, Any] = {}
        for unit, to in dict.fromkeys(self._list_destinations()):
            if unit.kind != "F":
                continue
            start, end = tables.index[unit.province], tables.index[split_location(to)[0]]
            key = f"{unit.province} {tables.ids[end]}"
            if tables.fleet_reach[tables.location[unit.location] * tables.n + end]:
                continue
            if (start, end) in tables.course:
                course = tables.course[start, end]
                path = [tables.ids[province] for province in course.path]
                courses[key] = [course.river, path]
                line = self.layout.river((unit.province, *path))
                rivers[str(course.river)] = [_rounded(point) for point in line]
            elif (start, end) in tables.haul:
                over = hauls[key] = tables.ids[tables.haul[start, end]]
                portages[over] = [_rounded(point) for point in self.layout.portage(over)]
        return {"courses": courses, "hauls": hauls, "rivers": rivers, "portages": portages}

    def _list_seas(self) -> Mapping[str, Any]:
        """Return the seas whose fleets can convoy: the next seas of them, and their shores."""
        tables = self.position.board.tables
        standing = self.position.orderable
        fleets = (find_unit(standing, o.unit) for o in self.orders if isinstance(o, Convoy))
        seas = sorted({tables.index[fleet.province] for fleet in fleets if fleet})
        return {
            tables.ids[sea]: [
                [tables.ids[other] for other in tables.sea_next[sea] if other in seas],
                [
                    tables.ids[land]
                    for land in range(tables.n)
                    if tables.shore[sea * tables.n + land]
                ],
            ]
            for sea in seas
        }

    def _place_new_units(self) -> Mapping[str, Any]:
        """Return the middle of the symbol of a unit that is built, by location."""
        places: dict[str, Any] = {}
        for order in self.orders:
            if isinstance(order, Build) and order.unit[2:] not in places:
                province, coast, _ = split_location(order.unit[2:])
                new = Unit(self.power, order.unit[:1], province, coast)
                built = DrawnOrder(new, order.unit, "build", "", "")
                layout = SheetLayout(self.position, self.base, self.lens, (), [built])
                places[order.unit[2:]] = _rounded(layout.seats[new])
        return places

    def _place_flags(self) -> Mapping[str, Any]:
        """Return where the flag of a pick stands, by centre."""
        from alexmagnum.draw.turn_picture import place_flag

        return {
            order.centre: _rounded(place_flag(order.centre, self.layout))
            for order in self.orders
            if isinstance(order, Pick)
        }


def _rounded(point: Point) -> list[float]:
    """Return a point in tenths of a drawing unit, as pictures are written."""
    return [round(point[0], 1), round(point[1], 1)]


def _tenths(length: float) -> float:
    """Return a length in tenths of a drawing unit."""
    return round(length, 1)
