"""The signs of orders as shapes, the orders and picks of a phase as marks, and their legend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import atan2, cos, hypot, pi, sin
from typing import Any

from alexmagnum.draw import orders as drawn
from alexmagnum.draw import scene
from alexmagnum.draw.atlas import RADIUS, bounding_box
from alexmagnum.draw.base_map import Drawing, Sign
from alexmagnum.draw.positions import GAP, PLACE, UnitLayout
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge import outcome
from alexmagnum.position import Unit

# The signs of orders as shapes: arrows, dashes, bursts, crosses.


HEAD, _HALF, _NOTCH = 14.0, 6.6, 10.5
"""The length of a head, half its width, and the distance of its notch from the tip."""

HAULS = 9.0
"""The distance of the ways of fleets that are hauled over the same portage."""

BURST = 8.0
"""The radius of the burst where an attack bounces."""

EMPTY_PLACE = 6.4
"""The radius of the number of an empty place."""

BURST_AROUND = 13.0
"""The radius of a burst around the number of an empty place."""


def strokes(data: str, *looks: str) -> Iterator[scene.Shape]:
    """Yield one path in several looks, drawn one upon the other."""
    for look in looks:
        yield scene.Shape(data, look)


def arrow(line: drawn.Line, *, good: bool, look: str = "") -> Iterator[scene.Shape]:
    """Yield an arrow, full if the move succeeded, hollow if it failed."""
    long = drawn.line_length(line)
    head = min(HEAD, long * 0.8)
    shaft = scene.path_data([drawn.cut_piece(line, 0.0, long - head * 0.7)])
    tip = scene.path_data([_head(line, long, head)], closed=True)
    more = f" {look}" if look else ""
    yield scene.Shape(shaft, f"casing{more}")
    yield scene.Shape(tip, "casing point")
    yield scene.Shape(shaft, f"rail{more}" if good else f"rail wide{more}")
    yield scene.Shape(shaft, f"line{more}" if good else f"line wide{more}")
    if good:
        yield scene.Shape(tip, "head")
    else:
        yield scene.Shape(shaft, f"core{more}")
        yield scene.Shape(tip, "head rim")
        yield scene.Shape(tip, "head open")


def _head(line: drawn.Line, long: float, head: float) -> list[scene.Point]:
    """Return tip, barb, notch and barb, turned like the last part of the line."""
    tip = line[-1]
    (bx, by), _ = drawn.point_along(line, long - head)
    angle = atan2(tip[1] - by, tip[0] - bx)
    c, s, k = cos(angle), sin(angle), head / HEAD
    corners = ((0.0, 0.0), (-HEAD, -_HALF), (-_NOTCH, 0.0), (-HEAD, _HALF))
    return [(tip[0] + k * (x * c - y * s), tip[1] + k * (x * s + y * c)) for x, y in corners]


def dashes(line: drawn.Line, *, cut: bool = False) -> Iterator[scene.Shape]:
    """Yield the dashed line of a support; if it was cut, with a gap and slashes across."""
    long = drawn.line_length(line)
    parts = [line]
    if cut and long > 20:
        parts = [
            drawn.cut_piece(line, 0.0, long / 2 - 5),
            drawn.cut_piece(line, long / 2 + 5, long),
        ]
    yield from strokes(scene.path_data(parts), "casing thin", "rail dashed", "line dashed")
    if cut:
        yield from slashes(line)


def slashes(line: drawn.Line) -> Iterator[scene.Shape]:
    """Yield two strokes across the middle of a line."""
    (x, y), (dx, dy) = drawn.point_along(line, drawn.line_length(line) / 2)
    across = [
        [
            (x + dx * k + (dx * 0.4 - dy) * 6.5, y + dy * k + (dy * 0.4 + dx) * 6.5),
            (x + dx * k - (dx * 0.4 - dy) * 6.5, y + dy * k - (dy * 0.4 + dx) * 6.5),
        ]
        for k in (-2.4, 2.4)
    ]
    yield from strokes(scene.path_data(across), "casing thin", "slash")


def dotted_line(line: drawn.Line) -> Iterator[scene.Shape]:
    """Yield a way that was not ordered or not made."""
    yield from strokes(scene.path_data([line]), "casing thin", "nothing")


def attempt(line: drawn.Line) -> Iterator[scene.Shape]:
    """Yield the way of an army over the sea that no fleet is ordered to carry."""
    long = drawn.line_length(line)
    tip = scene.path_data([_head(line, long, min(HEAD, long * 0.8))], closed=True)
    yield from dotted_line(line)
    yield from strokes(tip, "head rim", "head open")


def void_line(line: drawn.Line) -> Iterator[scene.Shape]:
    """Yield the thin dotted line of an order without effect, with a cross on it."""
    yield from dotted_line(line)
    (middle, _) = drawn.point_along(line, drawn.line_length(line) / 2)
    yield from cross(middle, 3.6, "small")


def cross(at: scene.Point, half: float, look: str = "") -> Iterator[scene.Shape]:
    """Yield two crossed strokes."""
    (x, y), h = at, half
    data = scene.path_data([[(x - h, y - h), (x + h, y + h)], [(x - h, y + h), (x + h, y - h)]])
    yield scene.Shape(data, f"cross under {look}".strip())
    yield scene.Shape(data, f"cross {look}".strip())


def head_box(line: drawn.Line) -> scene.Box:
    """Return the room of the head at the end of an arrow, with its light edge."""
    long = drawn.line_length(line)
    return bounding_box(_head(line, long, min(HEAD, long * 0.8))).grown(2.0)


def place_number(at: scene.Point, number: int) -> Iterator[scene.Shape | scene.Text]:
    """Yield the number of an empty place in a sea, like that of a fleet that stands there."""
    yield scene.Shape(scene.circle_path(at, EMPTY_PLACE), "place")
    yield scene.Text(str(number), (at[0], at[1] + 3.8), 11.5, "place-number")


def tether(at: scene.Point, place: scene.Point) -> Iterator[scene.Shape]:
    """Yield a thin line from a unit to the place in its province for which it has no room."""
    yield from strokes(scene.path_data([[at, place]]), "casing thin", "tether")
    yield scene.Shape(scene.circle_path(place, 2.6), "tether-end")


def frame_cross(at: scene.Point, scale: float = 1.0) -> Iterator[scene.Shape]:
    """Yield a red cross around a unit that leaves its letter free: four strokes at the corners."""
    x, y = at
    inner, outer = 8.6 * scale, 17.0 * scale
    data = scene.path_data(
        [
            [(x + a * inner, y + b * inner), (x + a * outer, y + b * outer)]
            for a in (-1, 1)
            for b in (-1, 1)
        ]
    )
    yield from strokes(data, "cross under", "cross")


def burst(at: scene.Point, radius: float = BURST) -> scene.Shape:
    """Return a star of nine rays, where an attack bounces."""
    rays = [(i * pi / 9, radius if i % 2 == 0 else radius * 0.5) for i in range(18)]
    points = [(at[0] + r * sin(turn), at[1] - r * cos(turn)) for turn, r in rays]
    return scene.Shape(scene.path_data([points], closed=True), "burst")


def knob(at: scene.Point) -> scene.Shape:
    """Return the dot at which a support joins the arrow that it supports."""
    return scene.Shape(scene.circle_path(at, 3.4), "knob")


def shield(at: scene.Point, radius: float, toward: scene.Point) -> Iterator[scene.Shape]:
    """Yield an arc around a unit, on the side from which it is supported to hold."""
    turns = [atan2(toward[1] - at[1], toward[0] - at[0]) + (k - 4) * 0.17 for k in range(9)]
    data = scene.path_data([[(at[0] + radius * cos(t), at[1] + radius * sin(t)) for t in turns]])
    yield from strokes(data, "rail", "line")


def strike(at: scene.Point) -> Iterator[scene.Shape]:
    """Yield a stroke through the cloth of a flag, for a pick that got nothing."""
    x, y = at
    data = scene.path_data([[(x - 3.5, y - 13.0), (x + 26.0, y - 39.0)]])
    yield from strokes(data, "cross under", "cross")


def waves(at: scene.Point) -> Iterator[scene.Shape]:
    """Yield two rows of waves under a fleet that convoys."""
    x, y = at
    data = "".join(
        f"M{x - 15:.1f},{y + down:.1f}q3.7,-4.4 7.5,0t7.5,0 7.5,0 7.5,0" for down in (17.0, 21.5)
    )
    yield from strokes(data, "casing thin", "wave rim", "wave")


def ground_bar(at: scene.Point, *, stood: bool = False) -> Iterator[scene.Shape]:
    """Yield a bar under a unit that holds, two if it stood although it was attacked."""
    x, y = at[0], at[1] + 17.5
    bars = [[(x - 9, y - 3), (x - 9, y), (x + 9, y), (x + 9, y - 3)]]
    if stood:
        bars.append([(x - 9, y + 7), (x + 9, y + 7)])
    yield from strokes(scene.path_data(bars), "rail bar", "line bar stood" if stood else "line bar")


def plus(at: scene.Point) -> Iterator[scene.Shape]:
    """Yield a plus on a green disc, for a unit that is built."""
    x, y = at
    yield scene.Shape(scene.circle_path(at, 6.4), "plus-disc")
    yield scene.Shape(
        scene.path_data([[(x - 3.6, y), (x + 3.6, y)], [(x, y - 3.6), (x, y + 3.6)]]), "plus"
    )


def light(at: scene.Point, radius: float) -> scene.Shape:
    """Return the light around a unit."""
    return scene.Shape(scene.circle_path(at, radius), "light")


def banner(at: scene.Point) -> Iterator[scene.Shape]:
    """Yield a flag whose pole stands on a point."""
    x, y = at
    pole = scene.path_data([[(x, y), (x, y - 34)]])
    cloth = scene.path_data(
        [[(x, y - 34), (x + 25, y - 34), (x + 19.5, y - 26), (x + 25, y - 18), (x, y - 18)]],
        closed=True,
    )
    yield scene.Shape(pole, "casing thin")
    yield scene.Shape(cloth, "casing point")
    yield scene.Shape(pole, "pole")
    yield scene.Shape(cloth, "cloth")


def pennon(at: scene.Point) -> Iterator[scene.Shape]:
    """Yield the cloth of a flag alone, small enough for a row of the legend."""
    x, y = at
    corners = [(x - 12, y - 7), (x + 12, y - 7), (x + 7, y), (x + 12, y + 7), (x - 12, y + 7)]
    yield scene.Shape(scene.path_data([corners], closed=True), "cloth")


# Draw the orders of a phase as marks: lines and signs.


_GOOD = frozenset({outcome.SUCCEEDS, outcome.GIVEN, outcome.AVAILABLE, outcome.STANDS, ""})
_MOVES = ("move", "retreat")
_JOINS = (0.5, 0.62, 0.38, 0.72)
"""The places where a support may join the line that it supports, the best first."""

SIGN_LENGTHS: Mapping[str, Any] = {
    "point": HEAD,
    "half": _HALF,
    "notch": _NOTCH,
    "burst": BURST,
    "joins": _JOINS,
    "hauls": HAULS,
}
"""The lengths of a head and of a burst, and these places, for pages that draw by themselves."""


@dataclass(frozen=True, slots=True)
class OrderMarks:
    """The marks of a phase, under and over the units, and the lines of the moves by unit.

    ``signs`` is the room of heads, bursts and numbers, on which no name may stand.
    """

    under: tuple[scene.Mark, ...]
    over: tuple[scene.Mark, ...]
    lines: Mapping[Unit, drawn.Line]
    signs: tuple[scene.Box, ...] = ()


def draw_orders(orders: Iterable[drawn.DrawnOrder], layout: UnitLayout) -> OrderMarks:
    """Draw orders on a layout; the shortest moves come first, because they have least choice."""
    return _OrderPainter(tuple(orders), layout).draw_all()


class _OrderPainter:
    """Draws orders one after the other; ``lines`` are those of the moves drawn so far."""

    def __init__(self, orders: tuple[drawn.DrawnOrder, ...], layout: UnitLayout) -> None:
        self.orders, self.layout = orders, layout
        self.moves = {order.unit: order for order in orders if order.look in _MOVES}
        self.carried = {order.unit: order.result for order in orders if order.look == "convoy"}
        self.lines: dict[Unit, drawn.Line] = {}
        self.sides: dict[Unit, int] = {}
        self.signs: list[scene.Box] = []

    def draw_all(self) -> OrderMarks:
        """Return the marks of all orders."""
        moves = [self._move(order) for order in sorted(self.moves.values(), key=self._reach)]
        supports, convoys, holds = (
            [draw(order) for order in self.orders if order.look == look]
            for look, draw in (
                ("support", self._support),
                ("convoy", self._convoy),
                ("hold", self._hold),
            )
        )
        over = [self._sign(order) for order in self.orders if order.look in _SIGNS]
        under = (*self._tethers(), *holds, *convoys, *moves, *supports)
        return OrderMarks(under, tuple(over), self.lines, tuple(self.signs))

    def _tethers(self) -> Iterator[scene.Mark]:
        """Yield a line to its province from each unit that had no room in it."""
        for unit, place in self.layout.tethers.items():
            shapes = tether(self.layout.seats[unit], place)
            yield scene.Mark("", unit.power, "tether", "", tuple(shapes), to=unit.province)

    def _reach(self, order: drawn.DrawnOrder) -> tuple[bool, int, float, Unit]:
        """Return the key that draws last what covers others least: special ways come first, the
        longer the rest of a way that was not gone; then short moves."""
        assert order.goal is not None, "a move leads somewhere"
        special = bool(order.fleets or order.course or order.over)
        left = len(order.course) - order.course.index(order.stop) if order.stop else 0
        far = scene.distance(self.layout.seats[order.unit], self.layout.end(order.goal).at)
        return not special, -left, round(far, 1), order.unit

    # -- moves -----------------------------------------------------------------------------------

    def _move(self, order: drawn.DrawnOrder) -> scene.Mark:
        if order.result in drawn.VOID:
            line = self._straight(order, self._end(order))
            shapes: list[scene.Shape | scene.Text] = list(void_line(line))
        elif order.course:
            line, shapes = self._express(order)
        elif order.over:
            line, shapes = self._haul(order)
        elif order.fleets:
            line, shapes = self._voyage(order)
        else:
            line = self._straight(order, self._end(order))
            shapes = list(attempt(line)) if order.uncarried else self._arrow(order, line)
        self.lines[order.unit] = line
        self.layout.field.lay(line, order.unit)
        return _make_mark(order, shapes, order.goal)

    def _end(self, order: drawn.DrawnOrder) -> drawn.End:
        """Return the end of an arrow; a bounce leaves room for its burst."""
        assert order.goal is not None, "a move leads somewhere"
        end = self.layout.end(order.goal)
        number = self._number(order)
        if order.result in _GOOD or order.result in drawn.VOID or order.result == outcome.DESTROYED:
            return replace(end, gap=PLACE) if number and not end.key else end
        if end.key:
            return replace(end, gap=end.gap + BURST * 1.4, burst=BURST)
        radius = BURST_AROUND if number else BURST
        return replace(end, gap=radius + 1.0, burst=radius)

    def _straight(self, order: drawn.DrawnOrder, end: drawn.End) -> drawn.Line:
        """Return the line of an arrow; two units that change places keep to the same side."""
        start, field = self.layout.start(order.unit), self.layout.field
        if (other := self._find_oncoming(order)) is None:
            return drawn.bend_line(start, end, field)[0]
        if (side := self.sides.get(other)) is None:
            left, right = (drawn.bend_line(start, end, field, side=side) for side in (1, -1))
            side = 1 if left[1] <= right[1] else -1
        self.sides[order.unit] = side
        return drawn.bend_line(start, end, field, side=side)[0]

    def _find_oncoming(self, order: drawn.DrawnOrder) -> Unit | None:
        """Return the unit that moves the opposite way, if there is one."""
        assert order.goal is not None, "a move leads somewhere"
        key = self.layout.end(order.goal).key
        other = self.moves.get(key) if isinstance(key, Unit) else None
        if other is None or other.goal is None or other.goal.place != order.unit.place:
            return None
        return other.unit

    def _arrow(
        self, order: drawn.DrawnOrder, line: drawn.Line, look: str = ""
    ) -> list[scene.Shape | scene.Text]:
        """Return an arrow that ends as its order did: with a burst if it bounced."""
        assert order.goal is not None, "a move leads somewhere"
        good = order.result in _GOOD
        shapes: list[scene.Shape | scene.Text] = self._head_and_shaft(line, good=good, look=look)
        end = self._end(order)
        if order.result == outcome.DESTROYED:
            shapes += cross(drawn.point_along(line, drawn.line_length(line) / 2)[0], 7.0)
        elif not good:
            shapes.append(self._burst(drawn.burst_middle(line, end), end.burst, end.key or end.at))
        if (number := self._number(order)) and not end.key:
            shapes += place_number(end.at, number)
            self.signs.append(scene.square(end.at, EMPTY_PLACE + 1.0))
        return shapes

    def _number(self, order: drawn.DrawnOrder) -> int:
        """Return the number of the place that a move went for; orders alone do not tell it."""
        shown = order.goal is not None and order.result and order.result not in drawn.VOID
        return self.layout.numbers(order.goal) if shown and order.goal is not None else 0

    def _head_and_shaft(
        self, line: drawn.Line, *, good: bool, look: str = ""
    ) -> list[scene.Shape | scene.Text]:
        """Return an arrow without what is at its end, and note the room of its head."""
        self.signs.append(head_box(line))
        return list(arrow(line, good=good, look=look))

    def _burst(self, at: scene.Point, radius: float, key: object) -> scene.Shape:
        self.signs.append(scene.square(at, radius + 1.0))
        self.layout.field.burst(at, radius, key)
        return burst(at, radius)

    def _express(
        self, order: drawn.DrawnOrder
    ) -> tuple[drawn.Line, list[scene.Shape | scene.Text]]:
        """Return an arrow along the river, with a burst where it stopped and dots for the rest."""
        start, end = self.layout.start(order.unit), self._end(order)
        line = _follow_river(start, self.layout.river(order.course), end)
        if order.result in _GOOD:
            return line, self._arrow(order, line)
        stop = order.stop or order.course[1]
        mark = self.layout.end(replace(order.unit, province=stop, coast="", number=1))
        return line, self._stopped_arrow(order, line, drawn.nearest_length(line, mark.at))

    def _stopped_arrow(
        self, order: drawn.DrawnOrder, line: drawn.Line, along: float
    ) -> list[scene.Shape | scene.Text]:
        long = drawn.line_length(line)
        if along > long - 2 * BURST:
            return self._arrow(order, line)
        gone = drawn.cut_piece(line, 0.0, max(along, 16.0))
        (x, y), (dx, dy) = drawn.point_along(gone, drawn.line_length(gone))
        return [
            *dotted_line(drawn.cut_piece(line, max(along, 16.0) + 2 * BURST, long)),
            *self._head_and_shaft(gone, good=False),
            self._burst((x + dx * BURST, y + dy * BURST), BURST, None),
        ]

    def _haul(self, order: drawn.DrawnOrder) -> tuple[drawn.Line, list[scene.Shape | scene.Text]]:
        """Return an arrow over a portage; fleets that share one go side by side to its end."""
        start, end = self.layout.start(order.unit), self._end(order)
        way = self.layout.portage(order.over)
        off, down = self._lane(order, way)
        if scene.distance(way[-1], start.at) < scene.distance(way[0], start.at):
            way = way[::-1]
        line = _follow(start, [*((x + off, y + down) for x, y in way[:-1]), way[-1]], end)
        return line, self._arrow(order, line, "rollers")

    def _lane(self, order: drawn.DrawnOrder, way: drawn.Line) -> scene.Point:
        """Return how far a haul goes beside its portage, so that none crosses another."""
        across, down = way[0][1] - way[-1][1], way[-1][0] - way[0][0]
        beside = sorted(
            (round((x + u) * across + (y + v) * down, 1), unit)
            for unit, move in self.moves.items()
            if move.over == order.over and move.goal is not None
            for (x, y), (u, v) in ((self.layout.seats[unit], self.layout.end(move.goal).at),)
        )
        lane = [unit for _, unit in beside].index(order.unit) - (len(beside) - 1) / 2
        apart = lane * HAULS / (hypot(across, down) or 1.0)
        return across * apart, down * apart

    def _voyage(self, order: drawn.DrawnOrder) -> tuple[drawn.Line, list[scene.Shape | scene.Text]]:
        """Return an arrow past the fleets that carry an army, on the sides that cost least."""
        start, end = self.layout.start(order.unit), self._end(order)
        fleets = [self.layout.seats[fleet] for fleet in order.fleets]
        sides = product((1, -1), repeat=len(fleets)) if len(fleets) < 5 else ((1,), (-1,))
        lines = [
            _trim(drawn.smooth_line(_waypoints(start.at, fleets, end.at, side)), start, end)
            for side in sides
        ]
        own = (start.key, end.key)
        line = min(
            lines,
            key=lambda line: self.layout.field.cost(line, own) + drawn.line_length(line) * 0.2,
        )
        sunk = [fleet for fleet in order.fleets if self.carried.get(fleet) == outcome.DISRUPTED]
        if order.result in _GOOD or not sunk:
            return line, self._arrow(order, line)
        return line, self._stopped_arrow(
            order, line, drawn.nearest_length(line, self.layout.seats[sunk[0]]) - BURST
        )

    # -- supports and convoys --------------------------------------------------------------------

    def _support(self, order: drawn.DrawnOrder) -> scene.Mark:
        """Draw a support: a shield at a unit that holds, else a line to the move."""
        assert order.aim is not None, "a support has somebody to support"
        shapes: list[scene.Shape] = []
        start = self.layout.start(order.unit)
        if order.goal is None:
            at = self.layout.seats[order.aim]
            end = drawn.End(at, RADIUS + GAP + 3.5, order.aim)
            line, _ = drawn.bend_line(start, end, self.layout.field)
            sign = list(shield(at, RADIUS + GAP, line[-1]))
        else:
            if (helped := self._helped_line(order)) is None:
                helped, _ = drawn.bend_line(
                    self.layout.start(order.aim), self.layout.end(order.goal), self.layout.field
                )
                shapes += dotted_line(helped)
            line = self._join(start, helped, order.aim)
            sign = [knob(line[-1])]
        if order.result in drawn.VOID:
            shapes += void_line(line)
        else:
            shapes += [*dashes(line, cut=order.result == outcome.CUT), *sign]
        self.layout.field.lay(line, order.aim, headed=False)
        return _make_mark(order, shapes, order.goal or order.aim)

    def _helped_line(self, order: drawn.DrawnOrder) -> drawn.Line | None:
        """Return the line of the move that is supported or convoyed, if it was ordered."""
        assert order.aim is not None, "it is about a unit"
        assert order.goal is not None, "it is about a move"
        move = self.moves.get(order.aim)
        if move is None or move.goal is None or move.goal.province != order.goal.province:
            return None
        return self.lines[order.aim]

    def _join(self, start: drawn.End, helped: drawn.Line, aim: Unit) -> drawn.Line:
        long = drawn.line_length(helped)
        found = []
        for i, share in enumerate(_JOINS):
            at, _ = drawn.point_along(helped, long * share)
            end = drawn.End(at)
            line, cost = drawn.bend_line(start, end, self.layout.field, free=(aim,) if i else ())
            found.append((cost + i * 3.0 + drawn.line_length(line) * 0.06, i, line))
        return min(found)[2]

    def _convoy(self, order: drawn.DrawnOrder) -> scene.Mark:
        """Draw waves under a fleet, and a line to the army's line if that passes elsewhere."""
        assert order.aim is not None, "a convoy is about a unit"
        assert order.goal is not None, "a convoy is about a move"
        at = self.layout.seats[order.unit]
        helped = self._helped_line(order)
        shapes: list[scene.Shape] = []
        if helped is None:
            army = self.layout.start(order.aim)
            end = self.layout.end(order.goal)
            way = _waypoints(army.at, [at], end.at, (1,))
            shapes += dotted_line(_trim(drawn.smooth_line(way), army, end))
        if order.result in drawn.VOID:
            line, _ = drawn.bend_line(
                self.layout.start(order.unit),
                drawn.End(self.layout.seats[order.aim], RADIUS + GAP, order.aim),
                self.layout.field,
            )
            return _make_mark(order, list(void_line(line)), order.goal)
        if helped is not None:
            near, _ = drawn.point_along(helped, drawn.nearest_length(helped, at))
            if scene.distance(near, at) > RADIUS + 12:
                line = self._join(self.layout.start(order.unit), helped, order.aim)
                shapes += [*dashes(line), knob(line[-1])]
        shapes += waves(at)
        if order.result == outcome.DISRUPTED:
            shapes += cross((at[0], at[1] + 19.0), 5.0)
        return _make_mark(order, shapes, order.goal)

    # -- signs on units --------------------------------------------------------------------------

    def _hold(self, order: drawn.DrawnOrder) -> scene.Mark:
        bars = ground_bar(self.layout.seats[order.unit], stood=order.attacked)
        return _make_mark(order, bars, order.unit)

    def _sign(self, order: drawn.DrawnOrder) -> scene.Mark:
        """Draw a cross on a unit that leaves the board, a plus on one that comes."""
        x, y = self.layout.seats[order.unit]
        if order.look != "build":
            shapes = list(frame_cross((x, y)))
        elif order.result in _GOOD:
            shapes = list(plus((x + 11.0, y - 11.0)))
        else:
            shapes = list(cross((x, y), 7.0, "small"))
        return _make_mark(order, shapes, order.unit)


_SIGNS = frozenset({"disband", "remove", "build", "lost"})


def _make_mark(
    order: drawn.DrawnOrder, shapes: Iterable[scene.Shape | scene.Text], about: Unit | None
) -> scene.Mark:
    to = about.province if about is not None else ""
    return scene.Mark(
        order.name, order.unit.power, order.look, order.result, tuple(shapes), order.title, to
    )


def _follow_river(start: drawn.End, river: drawn.Line, end: drawn.End) -> drawn.Line:
    first, last = drawn.nearest_length(river, start.at), drawn.nearest_length(river, end.at)
    way = drawn.cut_piece(river, min(first, last), max(first, last))
    return _follow(start, way[::-1] if first > last else way, end)


def _follow(start: drawn.End, way: Sequence[scene.Point], end: drawn.End) -> drawn.Line:
    """Return a line that leads straight to a way and away from it, and bends only near it."""
    near, far = (
        scene.point_toward(at, other.at, min(HEAD, scene.distance(at, other.at) / 2))
        for at, other in ((way[0], start), (way[-1], end))
    )
    bent = drawn.smooth_line((near, *way, far))
    line = (*drawn.parabola(start.at, near, near), *bent[1:-1], *drawn.parabola(far, far, end.at))
    return _trim(line, start, end)


def _trim(line: drawn.Line, start: drawn.End, end: drawn.End) -> drawn.Line:
    """Return a line without the parts that lie on the units at its ends."""
    line = drawn.trim_start(line, start.at, start.gap)
    return drawn.trim_start(line[::-1], end.at, end.gap)[::-1]


def _waypoints(
    start: scene.Point, fleets: list[scene.Point], end: scene.Point, sides: Iterable[int]
) -> list[scene.Point]:
    stations = [start, *fleets, end]
    found = [start]
    for i, (at, side) in enumerate(zip(fleets, sides, strict=False), 1):
        (x1, y1), (x2, y2) = stations[i - 1], stations[i + 1]
        off = (RADIUS + 7.0) * side / (scene.distance(stations[i - 1], stations[i + 1]) or 1.0)
        found.append((at[0] + (y2 - y1) * off, at[1] - (x2 - x1) * off))
    return [*found, end]


# Flags on the centres that powers pick.


_FLAG = 28.0  # the room of a flag, across


def draw_picks_layer(picked: Sequence[drawn.Flag], stage: UnitLayout) -> tuple[scene.Layer, ...]:
    """Return a flag on every centre for each power that picked it."""
    if not picked:
        return ()
    liveries = scene.assign_liveries(stage.board)
    by_centre: dict[str, list[drawn.Flag]] = {}
    for flag in picked:
        by_centre.setdefault(flag.centre, []).append(flag)
    items: list[scene.Mark] = []
    for centre, rivals in by_centre.items():
        if stage.atlas.grounds.get(centre) is None or centre in stage.atlas.beyond:
            continue  # outside a part of the map
        x, y = place_flag(centre, stage, len(rivals))
        for i, flag in enumerate(rivals):
            items.append(_flag_mark(flag, (x + i * _FLAG, y), liveries[flag.power]))
    return (scene.Layer("picks", tuple(items)),)


def place_flag(centre: str, stage: UnitLayout, rivals: int = 1) -> scene.Point:
    """Return the place of the pole of a pick, the first of several of one centre: at the centre, or
    beside it if the cloth would hide less of names and symbols there."""
    ground, wide = stage.atlas.grounds[centre], _FLAG * rivals
    x, y = stage.lens(ground.city or ground.slots[0])
    x -= (wide - _FLAG) / 2
    near = [(x + dx, y + dy) for dy in (0.0, 14.0, 28.0, -14.0) for dx in (0.0, -_FLAG, 12.0)]
    cloths = {at: scene.Box(at[0], at[1] - 33.0, at[0] + wide, at[1] - 12.0) for at in near}
    return min(near, key=lambda at: stage.field.within(cloths[at]))


def _flag_mark(flag: drawn.Flag, at: scene.Point, livery: scene.Livery) -> scene.Mark:
    """Return the flag of a pick, crossed out if the pick got nothing."""
    ink = "light" if livery.ink == "#FFFFFF" else "dark"
    shapes: list[scene.Shape | scene.Text] = [
        *banner(at),
        scene.Text(livery.letter, (at[0] + 10.0, at[1] - 21.0), 14.0, f"badge-letter {ink}"),
    ]
    if flag.result == outcome.FAILS:
        shapes += strike(at)
    elif flag.result == outcome.ILLEGAL:
        shapes += cross((at[0] + 11.0, at[1] - 26.0), 8.0, "small")
    return scene.Mark("", flag.power, "pick", flag.result, tuple(shapes), flag.title, flag.centre)


# The rows of the legend for orders and results: those of the marks that a picture uses.


def list_used_signs(
    items: Iterable[scene.Item], sentences: Sentences, *, results: bool, lit: bool = False
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


def _find_keys(item: scene.Item) -> Iterator[str]:
    """Yield the kinds of marks that an item shows."""
    if isinstance(item, scene.Token):
        if item.state == "dislodged":
            yield "dislodged"
        if item.number:
            yield "fleet-number"
    elif isinstance(item, scene.Mark):
        for shape in item.shapes:
            if isinstance(shape, scene.Shape):
                yield from _find_shape_keys(item, shape.look)


def _find_shape_keys(mark: scene.Mark, look: str) -> Iterator[str]:
    """Yield the kinds of marks that a shape of an order stands for."""
    if look == "cross":
        yield _CROSSES.get(mark.look, "caught")
    elif look == "burst":
        yield "stopped" if mark.result == outcome.STOPPED else "failure"
    elif look == "cross small" or (look == "nothing" and mark.result in drawn.VOID):
        yield "void"
    elif look == "nothing" and mark.look != "move":
        yield "unordered"
    elif look == "nothing":
        yield "stopped" if mark.result else "attempt"
    elif look == "line dashed" and mark.look == "support":
        yield "support"
    elif look in _LOOKS:
        yield _LOOKS[look]


_CROSSES: Mapping[str, str] = {
    drawn.LOST: "destroyed",
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


def _line(at: scene.Point) -> tuple[scene.Point, scene.Point]:
    return (at[0] - 15.0, at[1]), (at[0] + 13.0, at[1])


def _draw_failure(at: scene.Point) -> Sequence[scene.Item]:
    start, (x, y) = _line(at)
    return *arrow((start, (x - 7.0, y)), good=False), burst((x, y))


def _draw_stopped(at: scene.Point) -> Sequence[scene.Item]:
    """Return a burst with the rest of a way that was not made."""
    x, y = at
    return *strokes(f"M{x - 1:.1f},{y:.1f}h16", "casing thin", "nothing"), burst((x - 8.0, y))


def _draw_lost(at: scene.Point) -> Sequence[scene.Item]:
    return scene.Token("", "A", scene.NOBODY, "", at, 19.0), *frame_cross(at, 0.68)


_DRAWINGS: Mapping[str, Drawing] = {
    "move": lambda at: tuple(arrow(_line(at), good=True)),
    "success": lambda at: tuple(arrow(_line(at), good=True)),
    "failure": _draw_failure,
    "support": lambda at: tuple(dashes(_line(at))),
    "cut": lambda at: tuple(dashes(_line(at), cut=True)),
    "convoy": lambda at: tuple(waves((at[0], at[1] - 19.0))),
    "disrupted": lambda at: (*waves((at[0], at[1] - 19.0)), *cross(at, 5.0)),
    "hold": lambda at: tuple(ground_bar((at[0], at[1] - 16.0))),
    "stood": lambda at: tuple(ground_bar((at[0], at[1] - 19.0), stood=True)),
    "haul": lambda at: tuple(arrow(_line(at), good=True, look="rollers")),
    "stopped": _draw_stopped,
    "caught": lambda at: (*arrow(_line(at), good=False), *cross((at[0] - 4.0, at[1]), 6.0)),
    "unordered": lambda at: tuple(
        strokes(f"M{at[0] - 15:.1f},{at[1]:.1f}h28", "casing thin", "nothing")
    ),
    "attempt": lambda at: tuple(attempt(_line(at))),
    "void": lambda at: tuple(void_line(_line(at))),
    "dislodged": lambda at: (scene.Token("", "A", scene.NOBODY, "", at, 19.0, state="dislodged"),),
    "destroyed": _draw_lost,
    "fleet-number": lambda at: (scene.Token("", "F", scene.NOBODY, "", at, 19.0, number=2),),
    "number": lambda at: tuple(place_number(at, 2)),
    "tether": lambda at: tuple(tether((at[0] - 13.0, at[1]), (at[0] + 11.0, at[1]))),
    "built": lambda at: tuple(plus(at)),
    "removed": _draw_lost,
    "picked": lambda at: tuple(pennon(at)),
    "contested": lambda at: (*pennon(at), *strike((at[0] - 11.0, at[1] + 26.0))),
    "lit": lambda at: (light(at, 10.0), scene.Token("", "A", scene.NOBODY, "", at, 15.0)),
}
"""The drawing of the row of each kind of mark, in the legend's order."""
