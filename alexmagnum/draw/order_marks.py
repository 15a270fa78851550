"""The orders of a phase as marks: each deed with its lines and signs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from alexmagnum.draw import order_signs
from alexmagnum.draw.arrows import (
    End,
    Line,
    bend_line,
    cut_piece,
    line_length,
    nearest_length,
    point_along,
    smooth_line,
    trim_start,
)
from alexmagnum.draw.order_drawing import VOID, DrawnOrder
from alexmagnum.draw.order_layer import GAP, SheetLayout
from alexmagnum.draw.order_signs import BURST
from alexmagnum.draw.paths import distance, path_data
from alexmagnum.draw.scene import Mark, Point, Shape, Text
from alexmagnum.draw.symbols import RADIUS
from alexmagnum.judge.outcome import (
    AVAILABLE,
    CUT,
    DESTROYED,
    DISRUPTED,
    GIVEN,
    STANDS,
    SUCCEEDS,
)
from alexmagnum.position import Unit

_GOOD = frozenset({SUCCEEDS, GIVEN, AVAILABLE, STANDS, ""})
_MOVES = ("move", "retreat")
_JOINS = (0.5, 0.62, 0.38, 0.72)
"""Where a support may join the line that it supports, the best first."""


@dataclass(frozen=True, slots=True)
class OrderMarks:
    """The marks of a phase, those under the units and those over them."""

    under: tuple[Mark, ...]
    over: tuple[Mark, ...]
    lines: Mapping[Unit, Line]


def draw_orders(deeds: Iterable[DrawnOrder], stage: SheetLayout) -> OrderMarks:
    """All deeds on a stage.  The shortest moves are laid first: they have the least choice."""
    return _Drawing(tuple(deeds), stage).all()


class _Drawing:
    """Deeds being laid on a stage; ``lines`` are those of the moves, by unit."""

    def __init__(self, deeds: tuple[DrawnOrder, ...], stage: SheetLayout) -> None:
        self.deeds, self.stage = deeds, stage
        self.moves = {deed.unit: deed for deed in deeds if deed.look in _MOVES}
        self.carried = {deed.unit: deed.result for deed in deeds if deed.look == "convoy"}
        self.lines: dict[Unit, Line] = {}
        self.sides: dict[Unit, int] = {}

    def all(self) -> OrderMarks:
        moves = [self._move(deed) for deed in sorted(self.moves.values(), key=self._reach)]
        supports, convoys, holds = (
            [draw(deed) for deed in self.deeds if deed.look == look]
            for look, draw in (
                ("support", self._support),
                ("convoy", self._convoy),
                ("hold", self._hold),
            )
        )
        over = [self._sign(deed) for deed in self.deeds if deed.look in _SIGNS]
        return OrderMarks((*holds, *convoys, *moves, *supports), tuple(over), self.lines)

    def _reach(self, deed: DrawnOrder) -> tuple[bool, float, Unit]:
        assert deed.goal is not None, "a move leads somewhere"
        special = bool(deed.fleets or deed.course or deed.over)
        far = distance(self.stage.seats[deed.unit], self.stage.end(deed.goal).at)
        return not special, round(far, 1), deed.unit

    # -- moves -----------------------------------------------------------------------------------

    def _move(self, deed: DrawnOrder) -> Mark:
        if deed.result in VOID:
            line = self._straight(deed, self._end(deed))
            shapes = list(order_signs.void_line(line))
        elif deed.course:
            line, shapes = self._express(deed)
        elif deed.over:
            line, shapes = self._haul(deed)
        elif deed.fleets:
            line, shapes = self._voyage(deed)
        else:
            line, shapes = self._step(deed)
        self.lines[deed.unit] = line
        self.stage.field.lay(line, deed.unit)
        return _mark(deed, shapes, deed.goal)

    def _end(self, deed: DrawnOrder) -> End:
        """Where the arrow's tip is; a bounce leaves room for its burst."""
        assert deed.goal is not None, "a move leads somewhere"
        end = self.stage.end(deed.goal)
        if deed.result in _GOOD or deed.result in VOID:
            return end
        return replace(end, gap=end.gap + (BURST * 1.4 if end.key else BURST))

    def _straight(self, deed: DrawnOrder, end: End) -> Line:
        """An arrow's line; of two units that change places both keep to the same side."""
        start, field = self.stage.start(deed.unit), self.stage.field
        other = self._met(deed)
        if other is None:
            return bend_line(start, end, field)[0]
        side = self.sides.get(other)
        if side is None:
            left, right = (bend_line(start, end, field, side=side) for side in (1, -1))
            side = 1 if left[1] <= right[1] else -1
        self.sides[deed.unit] = side
        return bend_line(start, end, field, side=side)[0]

    def _met(self, deed: DrawnOrder) -> Unit | None:
        """The unit that comes the opposite way, if there is one."""
        assert deed.goal is not None, "a move leads somewhere"
        key = self.stage.end(deed.goal).key
        other = self.moves.get(key) if isinstance(key, Unit) else None
        if other is None or other.goal is None or other.goal.place != deed.unit.place:
            return None
        return other.unit

    def _step(self, deed: DrawnOrder) -> tuple[Line, list[Shape]]:
        line = self._straight(deed, self._end(deed))
        return line, self._arrow(deed, line)

    def _arrow(self, deed: DrawnOrder, line: Line, look: str = "") -> list[Shape]:
        """An arrow that ends as the deed did: with a burst where it bounced."""
        good = deed.result in _GOOD
        shapes = list(order_signs.arrow(line, good=good, look=look))
        if deed.result == DESTROYED:
            shapes += order_signs.cross(point_along(line, line_length(line) / 2)[0], 7.0)
        elif not good:
            shapes.append(order_signs.burst(self._bounce(deed, line)))
        return shapes

    def _bounce(self, deed: DrawnOrder, line: Line) -> Point:
        """The middle of a burst: the place that nobody got, else before the unit there."""
        assert deed.goal is not None, "a move leads somewhere"
        end = self.stage.end(deed.goal)
        if not end.key and distance(end.at, line[-1]) < 2 * BURST + 4:
            return end.at
        (x, y), (dx, dy) = point_along(line, line_length(line))
        return x + dx * BURST * 0.7, y + dy * BURST * 0.7

    def _express(self, deed: DrawnOrder) -> tuple[Line, list[Shape]]:
        """An arrow along the river; where it was stopped a burst, and dots for the rest."""
        start, end = self.stage.start(deed.unit), self._end(deed)
        river = self.stage.river(deed.course)
        line = _along(start, river, end)
        if deed.result in _GOOD:
            return line, self._arrow(deed, line)
        stop = deed.stop or deed.course[1]
        mark = self.stage.end(replace(deed.unit, province=stop, coast="", number=1))
        return line, self._halted(deed, line, nearest_length(line, mark.at))

    def _halted(self, deed: DrawnOrder, line: Line, along: float) -> list[Shape]:
        """A line that got no farther than so far along it."""
        long = line_length(line)
        if along > long - 2 * BURST:
            return self._arrow(deed, line)
        gone = cut_piece(line, 0.0, max(along, 16.0))
        rest = cut_piece(line, max(along, 16.0) + 2 * BURST, long)
        (x, y), (dx, dy) = point_along(gone, line_length(gone))
        return [
            Shape(path_data([rest]), "casing thin"),
            Shape(path_data([rest]), "nothing"),
            *order_signs.arrow(gone, good=False),
            order_signs.burst((x + dx * BURST, y + dy * BURST)),
        ]

    def _haul(self, deed: DrawnOrder) -> tuple[Line, list[Shape]]:
        """An arrow with rollers along the way over land."""
        start, end = self.stage.start(deed.unit), self._end(deed)
        way = self.stage.portage(deed.over)
        if distance(way[-1], start.at) < distance(way[0], start.at):
            way = way[::-1]
        line = _trimmed(smooth_line((start.at, *way, end.at)), start, end)
        return line, self._arrow(deed, line, "rollers")

    def _voyage(self, deed: DrawnOrder) -> tuple[Line, list[Shape]]:
        """An arrow past the fleets that carry the army, on the sides that cost least."""
        start, end = self.stage.start(deed.unit), self._end(deed)
        fleets = [self.stage.seats[fleet] for fleet in deed.fleets]
        sides = product((1, -1), repeat=len(fleets)) if len(fleets) < 5 else ((1,), (-1,))
        lines = [
            _trimmed(smooth_line(_past(start.at, fleets, end.at, side)), start, end)
            for side in sides
        ]
        own = (start.key, end.key)
        line = min(
            lines, key=lambda line: self.stage.field.cost(line, own) + line_length(line) * 0.2
        )
        sunk = [fleet for fleet in deed.fleets if self.carried.get(fleet) == DISRUPTED]
        if deed.result in _GOOD or not sunk:
            return line, self._arrow(deed, line)
        return line, self._halted(
            deed, line, nearest_length(line, self.stage.seats[sunk[0]]) - BURST
        )

    # -- supports and convoys --------------------------------------------------------------------

    def _support(self, deed: DrawnOrder) -> Mark:
        assert deed.aim is not None, "a support has somebody to support"
        shapes: list[Shape] = []
        start = self.stage.start(deed.unit)
        if deed.goal is None:
            at = self.stage.seats[deed.aim]
            end = End(at, RADIUS + GAP + 3.5, deed.aim)
            line, _ = bend_line(start, end, self.stage.field)
            sign = list(order_signs.shield(at, RADIUS + GAP, line[-1]))
        else:
            helped = self._helped(deed)
            if helped is None:
                helped, _ = bend_line(
                    self.stage.start(deed.aim), self.stage.end(deed.goal), self.stage.field
                )
                shapes += _wish(helped)
            line = self._joined(start, helped, deed.aim)
            sign = [order_signs.knob(line[-1])]
        if deed.result in VOID:
            shapes += order_signs.void_line(line)
        else:
            shapes += [*order_signs.dashes(line, cut=deed.result == CUT), *sign]
        self.stage.field.lay(line, deed.aim, headed=False)
        return _mark(deed, shapes, deed.goal or deed.aim)

    def _helped(self, deed: DrawnOrder) -> Line | None:
        """The line of the move that is supported or convoyed, if there is such a move."""
        assert deed.aim is not None, "it is about a unit"
        assert deed.goal is not None, "it is about a move"
        move = self.moves.get(deed.aim)
        if move is None or move.goal is None or move.goal.province != deed.goal.province:
            return None
        return self.lines[deed.aim]

    def _joined(self, start: End, helped: Line, aim: Unit) -> Line:
        """The line from a unit to the one that it helps, joining it where it costs least."""
        long = line_length(helped)
        found = []
        for i, share in enumerate(_JOINS):
            at, _ = point_along(helped, long * share)
            end = End(at, 0.0, ("line", aim))
            line, cost = bend_line(start, end, self.stage.field, free=(aim,) if i else ())
            found.append((cost + i * 3.0 + line_length(line) * 0.06, i, line))
        return min(found)[2]

    def _convoy(self, deed: DrawnOrder) -> Mark:
        """Waves under a fleet, and a line to the army's where that passes elsewhere."""
        assert deed.aim is not None, "a convoy is about a unit"
        assert deed.goal is not None, "a convoy is about a move"
        at = self.stage.seats[deed.unit]
        helped = self._helped(deed)
        shapes: list[Shape] = []
        if helped is None:
            army = self.stage.start(deed.aim)
            end = self.stage.end(deed.goal)
            way = _past(army.at, [at], end.at, (1,))
            shapes += _wish(_trimmed(smooth_line(way), army, end))
        if deed.result in VOID:
            line, _ = bend_line(
                self.stage.start(deed.unit),
                End(self.stage.seats[deed.aim], RADIUS + GAP, deed.aim),
                self.stage.field,
            )
            return _mark(deed, list(order_signs.void_line(line)), deed.goal)
        if helped is not None:
            near, _ = point_along(helped, nearest_length(helped, at))
            if distance(near, at) > RADIUS + 12:
                line = self._joined(self.stage.start(deed.unit), helped, deed.aim)
                shapes += [*order_signs.dashes(line), order_signs.knob(line[-1])]
        shapes += order_signs.waves(at)
        if deed.result == DISRUPTED:
            shapes += order_signs.cross((at[0], at[1] + 19.0), 5.0)
        return _mark(deed, shapes, deed.goal)

    # -- signs on units --------------------------------------------------------------------------

    def _hold(self, deed: DrawnOrder) -> Mark:
        return _mark(deed, list(order_signs.ground_bar(self.stage.seats[deed.unit])), deed.unit)

    def _sign(self, deed: DrawnOrder) -> Mark:
        """A cross on what goes, a plus on what comes."""
        x, y = self.stage.seats[deed.unit]
        if deed.look != "build":
            shapes = list(order_signs.cross((x, y), 10.0))
        elif deed.result in _GOOD:
            shapes = list(order_signs.plus((x + 11.0, y - 11.0)))
        else:
            shapes = list(order_signs.cross((x, y), 7.0, "small"))
        return _mark(deed, shapes, deed.unit)


_SIGNS = frozenset({"disband", "remove", "build", "lost"})


def _mark(deed: DrawnOrder, shapes: Iterable[Shape | Text], about: Unit | None) -> Mark:
    to = about.province if about is not None else ""
    return Mark(deed.name, deed.unit.power, deed.look, deed.result, tuple(shapes), deed.title, to)


def _wish(line: Line) -> Iterator[Shape]:
    """A move that is helped but not shown."""
    data = path_data([line])
    yield Shape(data, "casing thin")
    yield Shape(data, "nothing")


def _along(start: End, river: Line, end: End) -> Line:
    """The way along a river between two places beside it."""
    first, last = nearest_length(river, start.at), nearest_length(river, end.at)
    way = cut_piece(river, min(first, last), max(first, last))
    if first > last:
        way = way[::-1]
    return _trimmed(smooth_line((start.at, *way, end.at)), start, end)


def _trimmed(line: Line, start: End, end: End) -> Line:
    """A line from middle to middle without the parts on the units at its ends."""
    line = trim_start(line, start.at, start.gap)
    return trim_start(line[::-1], end.at, end.gap)[::-1]


def _past(start: Point, fleets: list[Point], end: Point, sides: Iterable[int]) -> list[Point]:
    """Waypoints beside some fleets, on one side or the other."""
    stations = [start, *fleets, end]
    found = [start]
    for i, (at, side) in enumerate(zip(fleets, sides, strict=False), 1):
        (x1, y1), (x2, y2) = stations[i - 1], stations[i + 1]
        long = distance(stations[i - 1], stations[i + 1]) or 1.0
        off = (RADIUS + 7.0) * side / long
        found.append((at[0] + (y2 - y1) * off, at[1] - (x2 - x1) * off))
    return [*found, end]
