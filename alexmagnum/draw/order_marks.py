"""The orders of a phase as marks: each deed with its lines and signs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from alexmagnum.draw import strokes
from alexmagnum.draw.arrows import (
    End,
    Line,
    at_length,
    bent,
    clear_of,
    length,
    nearest,
    piece,
    smooth,
)
from alexmagnum.draw.order_drawing import VOID, Deed
from alexmagnum.draw.order_layer import GAP, Stage
from alexmagnum.draw.paths import distance, path
from alexmagnum.draw.scene import Mark, Point, Shape, Text
from alexmagnum.draw.strokes import BURST
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
class Drawn:
    """The marks of a phase, those under the units and those over them."""

    under: tuple[Mark, ...]
    over: tuple[Mark, ...]
    lines: Mapping[Unit, Line]


def drawn(deeds: Iterable[Deed], stage: Stage) -> Drawn:
    """All deeds on a stage.  The shortest moves are laid first: they have the least choice."""
    return _Drawing(tuple(deeds), stage).all()


class _Drawing:
    """Deeds being laid on a stage; ``lines`` are those of the moves, by unit."""

    def __init__(self, deeds: tuple[Deed, ...], stage: Stage) -> None:
        self.deeds, self.stage = deeds, stage
        self.moves = {deed.unit: deed for deed in deeds if deed.look in _MOVES}
        self.carried = {deed.unit: deed.result for deed in deeds if deed.look == "convoy"}
        self.lines: dict[Unit, Line] = {}
        self.sides: dict[Unit, int] = {}

    def all(self) -> Drawn:
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
        return Drawn((*holds, *convoys, *moves, *supports), tuple(over), self.lines)

    def _reach(self, deed: Deed) -> tuple[bool, float, Unit]:
        assert deed.goal is not None, "a move leads somewhere"
        special = bool(deed.fleets or deed.course or deed.over)
        far = distance(self.stage.seats[deed.unit], self.stage.end(deed.goal).at)
        return not special, round(far, 1), deed.unit

    # -- moves -----------------------------------------------------------------------------------

    def _move(self, deed: Deed) -> Mark:
        if deed.result in VOID:
            line = self._straight(deed, self._end(deed))
            shapes = list(strokes.void(line))
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

    def _end(self, deed: Deed) -> End:
        """Where the arrow's tip is; a bounce leaves room for its burst."""
        assert deed.goal is not None, "a move leads somewhere"
        end = self.stage.end(deed.goal)
        if deed.result in _GOOD or deed.result in VOID:
            return end
        return replace(end, gap=end.gap + (BURST * 1.4 if end.key else BURST))

    def _straight(self, deed: Deed, end: End) -> Line:
        """An arrow's line; of two units that change places both keep to the same side."""
        start, field = self.stage.start(deed.unit), self.stage.field
        other = self._met(deed)
        if other is None:
            return bent(start, end, field)[0]
        side = self.sides.get(other)
        if side is None:
            left, right = (bent(start, end, field, side=side) for side in (1, -1))
            side = 1 if left[1] <= right[1] else -1
        self.sides[deed.unit] = side
        return bent(start, end, field, side=side)[0]

    def _met(self, deed: Deed) -> Unit | None:
        """The unit that comes the opposite way, if there is one."""
        assert deed.goal is not None, "a move leads somewhere"
        key = self.stage.end(deed.goal).key
        other = self.moves.get(key) if isinstance(key, Unit) else None
        if other is None or other.goal is None or other.goal.place != deed.unit.place:
            return None
        return other.unit

    def _step(self, deed: Deed) -> tuple[Line, list[Shape]]:
        line = self._straight(deed, self._end(deed))
        return line, self._arrow(deed, line)

    def _arrow(self, deed: Deed, line: Line, look: str = "") -> list[Shape]:
        """An arrow that ends as the deed did: with a burst where it bounced."""
        good = deed.result in _GOOD
        shapes = list(strokes.arrow(line, good=good, look=look))
        if deed.result == DESTROYED:
            shapes += strokes.cross(at_length(line, length(line) / 2)[0], 7.0)
        elif not good:
            shapes.append(strokes.burst(self._bounce(deed, line)))
        return shapes

    def _bounce(self, deed: Deed, line: Line) -> Point:
        """The middle of a burst: the place that nobody got, else before the unit there."""
        assert deed.goal is not None, "a move leads somewhere"
        end = self.stage.end(deed.goal)
        if not end.key and distance(end.at, line[-1]) < 2 * BURST + 4:
            return end.at
        (x, y), (dx, dy) = at_length(line, length(line))
        return x + dx * BURST * 0.7, y + dy * BURST * 0.7

    def _express(self, deed: Deed) -> tuple[Line, list[Shape]]:
        """An arrow along the river; where it was stopped a burst, and dots for the rest."""
        start, end = self.stage.start(deed.unit), self._end(deed)
        river = self.stage.river(deed.course)
        line = _along(start, river, end)
        if deed.result in _GOOD:
            return line, self._arrow(deed, line)
        stop = deed.stop or deed.course[1]
        mark = self.stage.end(replace(deed.unit, province=stop, coast="", number=1))
        return line, self._halted(deed, line, nearest(line, mark.at))

    def _halted(self, deed: Deed, line: Line, along: float) -> list[Shape]:
        """A line that got no farther than so far along it."""
        long = length(line)
        if along > long - 2 * BURST:
            return self._arrow(deed, line)
        gone = piece(line, 0.0, max(along, 16.0))
        rest = piece(line, max(along, 16.0) + 2 * BURST, long)
        (x, y), (dx, dy) = at_length(gone, length(gone))
        return [
            Shape(path([rest]), "casing thin"),
            Shape(path([rest]), "nothing"),
            *strokes.arrow(gone, good=False),
            strokes.burst((x + dx * BURST, y + dy * BURST)),
        ]

    def _haul(self, deed: Deed) -> tuple[Line, list[Shape]]:
        """An arrow with rollers along the way over land."""
        start, end = self.stage.start(deed.unit), self._end(deed)
        way = self.stage.portage(deed.over)
        if distance(way[-1], start.at) < distance(way[0], start.at):
            way = way[::-1]
        line = _trimmed(smooth((start.at, *way, end.at)), start, end)
        return line, self._arrow(deed, line, "rollers")

    def _voyage(self, deed: Deed) -> tuple[Line, list[Shape]]:
        """An arrow past the fleets that carry the army, on the sides that cost least."""
        start, end = self.stage.start(deed.unit), self._end(deed)
        fleets = [self.stage.seats[fleet] for fleet in deed.fleets]
        sides = product((1, -1), repeat=len(fleets)) if len(fleets) < 5 else ((1,), (-1,))
        lines = [
            _trimmed(smooth(_past(start.at, fleets, end.at, side)), start, end) for side in sides
        ]
        own = (start.key, end.key)
        line = min(lines, key=lambda line: self.stage.field.cost(line, own) + length(line) * 0.2)
        sunk = [fleet for fleet in deed.fleets if self.carried.get(fleet) == DISRUPTED]
        if deed.result in _GOOD or not sunk:
            return line, self._arrow(deed, line)
        return line, self._halted(deed, line, nearest(line, self.stage.seats[sunk[0]]) - BURST)

    # -- supports and convoys --------------------------------------------------------------------

    def _support(self, deed: Deed) -> Mark:
        assert deed.aim is not None, "a support has somebody to support"
        shapes: list[Shape] = []
        start = self.stage.start(deed.unit)
        if deed.goal is None:
            at = self.stage.seats[deed.aim]
            end = End(at, RADIUS + GAP + 3.5, deed.aim)
            line, _ = bent(start, end, self.stage.field)
            sign = list(strokes.shield(at, RADIUS + GAP, line[-1]))
        else:
            helped = self._helped(deed)
            if helped is None:
                helped, _ = bent(
                    self.stage.start(deed.aim), self.stage.end(deed.goal), self.stage.field
                )
                shapes += _wish(helped)
            line = self._joined(start, helped, deed.aim)
            sign = [strokes.knob(line[-1])]
        if deed.result in VOID:
            shapes += strokes.void(line)
        else:
            shapes += [*strokes.dashes(line, cut=deed.result == CUT), *sign]
        self.stage.field.lay(line, deed.aim, headed=False)
        return _mark(deed, shapes, deed.goal or deed.aim)

    def _helped(self, deed: Deed) -> Line | None:
        """The line of the move that is supported or convoyed, if there is such a move."""
        assert deed.aim is not None, "it is about a unit"
        assert deed.goal is not None, "it is about a move"
        move = self.moves.get(deed.aim)
        if move is None or move.goal is None or move.goal.province != deed.goal.province:
            return None
        return self.lines[deed.aim]

    def _joined(self, start: End, helped: Line, aim: Unit) -> Line:
        """The line from a unit to the one that it helps, joining it where it costs least."""
        long = length(helped)
        found = []
        for i, share in enumerate(_JOINS):
            at, _ = at_length(helped, long * share)
            end = End(at, 0.0, ("line", aim))
            line, cost = bent(start, end, self.stage.field, free=(aim,) if i else ())
            found.append((cost + i * 3.0 + length(line) * 0.06, i, line))
        return min(found)[2]

    def _convoy(self, deed: Deed) -> Mark:
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
            shapes += _wish(_trimmed(smooth(way), army, end))
        if deed.result in VOID:
            line, _ = bent(
                self.stage.start(deed.unit),
                End(self.stage.seats[deed.aim], RADIUS + GAP, deed.aim),
                self.stage.field,
            )
            return _mark(deed, list(strokes.void(line)), deed.goal)
        if helped is not None:
            near, _ = at_length(helped, nearest(helped, at))
            if distance(near, at) > RADIUS + 12:
                line = self._joined(self.stage.start(deed.unit), helped, deed.aim)
                shapes += [*strokes.dashes(line), strokes.knob(line[-1])]
        shapes += strokes.waves(at)
        if deed.result == DISRUPTED:
            shapes += strokes.cross((at[0], at[1] + 19.0), 5.0)
        return _mark(deed, shapes, deed.goal)

    # -- signs on units --------------------------------------------------------------------------

    def _hold(self, deed: Deed) -> Mark:
        return _mark(deed, list(strokes.ground_bar(self.stage.seats[deed.unit])), deed.unit)

    def _sign(self, deed: Deed) -> Mark:
        """A cross on what goes, a plus on what comes."""
        x, y = self.stage.seats[deed.unit]
        if deed.look != "build":
            shapes = list(strokes.cross((x, y), 10.0))
        elif deed.result in _GOOD:
            shapes = list(strokes.plus((x + 11.0, y - 11.0)))
        else:
            shapes = list(strokes.cross((x, y), 7.0, "small"))
        return _mark(deed, shapes, deed.unit)


_SIGNS = frozenset({"disband", "remove", "build", "lost"})


def _mark(deed: Deed, shapes: Iterable[Shape | Text], about: Unit | None) -> Mark:
    to = about.province if about is not None else ""
    return Mark(deed.name, deed.unit.power, deed.look, deed.result, tuple(shapes), deed.title, to)


def _wish(line: Line) -> Iterator[Shape]:
    """A move that is helped but not shown."""
    data = path([line])
    yield Shape(data, "casing thin")
    yield Shape(data, "nothing")


def _along(start: End, river: Line, end: End) -> Line:
    """The way along a river between two places beside it."""
    first, last = nearest(river, start.at), nearest(river, end.at)
    way = piece(river, min(first, last), max(first, last))
    if first > last:
        way = way[::-1]
    return _trimmed(smooth((start.at, *way, end.at)), start, end)


def _trimmed(line: Line, start: End, end: End) -> Line:
    """A line from middle to middle without the parts on the units at its ends."""
    line = clear_of(line, start.at, start.gap)
    return clear_of(line[::-1], end.at, end.gap)[::-1]


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
