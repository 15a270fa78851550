"""The orders of a phase collected for drawing, and their lines bent clear of units and names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import pairwise
from math import ceil, sqrt
from typing import Any

from alexmagnum import orders
from alexmagnum.board.geography import split_location
from alexmagnum.board.tables import BoardTables
from alexmagnum.draw.scene import Box, Point, distance, point_toward
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge import outcome as outcomes
from alexmagnum.judge.explanation import format_reason
from alexmagnum.judge.legality import find_unit
from alexmagnum.notation import order_in, write_order
from alexmagnum.position import PICKS, Position, Unit
from alexmagnum.units import names_of

# Collect the orders of a phase for drawing: who goes where, and by which way.
#
# Nothing here knows the sheet: places are provinces and their numbers.


VOID = frozenset({outcomes.ILLEGAL, outcomes.INVALID})
"""The results of orders that have no effect."""

LOST = "lost"
"""The look of a loss without an order."""

_REPELLED = frozenset({"holds", "beleaguered", "own-attack"})
"""The reasons of units that held against an attack."""


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """An order, or the loss of a unit without one, ready to be drawn.

    Attributes:
        look: the kind: ``move``, ``support``, ``convoy``, ``hold``, ``retreat``, ``disband``,
            ``build``, ``remove`` or ``lost``.
        result: the result, "" if the picture does not show results.
        goal: the unit as it would stand at its destination, with number 0 for anywhere in a sea.
        aim: the unit that it supports or convoys.
        fleets: the fleets that carry it.
        uncarried: whether no fleet is ordered to carry it, if it needs one and shows no result.
        course: the territories of an express.
        over: the province that it is hauled over.
        stop: the territory where it was stopped.
        attacked: whether it held and stood although it was attacked.
    """

    unit: Unit
    name: str
    look: str
    result: str
    title: str
    order: str = ""
    goal: Unit | None = None
    aim: Unit | None = None
    fleets: tuple[Unit, ...] = ()
    uncarried: bool = False
    course: tuple[str, ...] = ()
    over: str = ""
    stop: str = ""
    attacked: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    """A pick of a centre by a power, with its result."""

    power: str
    centre: str
    result: str
    title: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """An order to be drawn, with its unit; without a reason its result is not shown."""

    power: str
    order: orders.Order
    unit: Unit
    result: str
    reason: outcomes.Reason | None


def collect_orders(
    outcome: outcomes.Outcome, sentences: Sentences, orders_of: Collection[str] | None = None
) -> tuple[DrawnOrder, ...]:
    """Return the orders of a phase, sorted so that their listing does not matter; ``orders_of``
    limits them to some powers' orders as they were written."""
    found = _OrderCollector(outcome, sentences, orders_of).collect()
    return tuple(sorted(found, key=lambda drawn: (drawn.unit, drawn.look, drawn.order)))


def find_goal(
    position: Position, unit: Unit, to: str, arrivals: Iterable[Unit] = ()
) -> Unit | None:
    """Return a unit as it would stand at a destination, as far as the position alone tells.

    None if there is no such place.  A sea that is full gives the number 0; ``arrivals`` take
    places too.
    """
    province, coast, number = split_location(to)
    if province not in position.board.provinces:
        return None
    number = number or _open_place(position, unit, province, arrivals)
    return replace(unit, province=province, coast=coast, number=number)


def _open_place(position: Position, unit: Unit, province: str, arrivals: Iterable[Unit]) -> int:
    """Return the number of the place that a move goes for if it names none: in a sea the lowest
    empty one, 0 if none is (R9); in a city of two that of the unit attacked (R26)."""
    if (room := position.board.provinces[province].capacity) == 1:
        return 1
    there = {u.number: u for u in position.units if u.province == province}
    foreign = [n for n, u in sorted(there.items()) if u.power != unit.power]
    if foreign and not position.board.provinces[province].is_sea:
        return foreign[0]
    won = {u.number for u in arrivals if u.province == province}
    free = [n for n in range(1, room + 1) if n not in there and n not in won]
    return free[0] if free else 0


class _OrderCollector:
    def __init__(
        self, outcome: outcomes.Outcome, sentences: Sentences, orders_of: Collection[str] | None
    ) -> None:
        self.outcome, self.sentences = outcome, sentences
        self.position: Position = outcome.position
        self.board = self.position.board
        self.hides_results = orders_of is not None
        self.standing = self.position.orderable
        self.names = names_of(self.standing)
        self.entries = tuple(self._entries(orders_of))

    def collect(self) -> Iterator[DrawnOrder]:
        """Yield the orders and, if results are shown, what befell units without an order."""
        for entry in self.entries:
            if (drawn := self._draw_entry(entry)) is not None:
                yield drawn
        if not self.hides_results:
            yield from self._losses()
            yield from self._defenders()

    # -- which orders count ----------------------------------------------------------------------

    def _entries(self, orders_of: Collection[str] | None) -> Iterator[_Entry]:
        """Yield the orders to be drawn; of several for one unit, the last."""
        last: dict[tuple[str, bool, Unit], _Entry] = {}
        for entry, reason in zip(self.outcome.results, self.outcome.reasons, strict=True):
            if orders_of is not None and entry.power not in orders_of:
                continue
            unit = self._unit_of(entry.power, entry.order, entry.unit)
            if unit is None or (reason.code == outcomes.REPLACED and not self.hides_results):
                continue
            key = (entry.power, isinstance(entry.order, orders.Build), unit)
            if key in last and last[key].result == outcomes.SUCCEEDS:
                continue  # the same build or removal again, which comes too late
            if self.hides_results:
                last[key] = _Entry(entry.power, entry.order, unit, "", None)
            else:
                last[key] = _Entry(entry.power, entry.order, unit, entry.result, reason)
        yield from last.values()

    def _unit_of(self, power: str, order: orders.Order, taken: Unit | None) -> Unit | None:
        """Return the power's own unit that an order is for; for a build, the new unit."""
        match order:
            case orders.Build(name):
                province, coast, _ = split_location(name[2:])
                if province not in self.board.provinces:
                    return None
                plain = Unit(power, name[:1], province, coast if name[:1] == "F" else "")
                return plain if self.hides_results or taken is None else taken
            case orders.Hold(name) | orders.Move(name) | orders.Support(name) | orders.Convoy(name):
                unit = find_unit(self.standing, name)
            case orders.Retreat(name) | orders.Disband(name) | orders.Remove(name):
                unit = find_unit([u for u in self.standing if u.power == power], name)
            case _:
                return None
        return unit if unit is not None and unit.power == power else None

    # -- one order -------------------------------------------------------------------------------

    def _draw_entry(self, entry: _Entry) -> DrawnOrder | None:
        """Return an order ready to be drawn, None if it leads to no place."""
        look = type(entry.order).__name__.lower()
        name = self.names.get(entry.unit, str(entry.unit))
        drawn = DrawnOrder(
            entry.unit, name, look, entry.result, self._title(entry), write_order(entry.order)
        )
        match entry.order:
            case orders.Move(_, to) | orders.Retreat(_, to):
                goal = self._goal(entry.unit, to, entry)
                return None if goal is None else self._with_way(replace(drawn, goal=goal), entry)
            case orders.Support(_, other, to) | orders.Convoy(_, other, to):
                aim = find_unit(self.standing, other)
                goal = self._goal(aim, to, self._by_unit.get(aim)) if aim and to else None
                if aim is None or (to and goal is None):
                    return None
                return replace(drawn, aim=aim, goal=goal)
            case orders.Build():
                return replace(drawn, name=f"{entry.unit}", goal=entry.unit)
            case orders.Hold():
                repelled = entry.reason is not None and entry.reason.code in _REPELLED
                return replace(drawn, attacked=repelled)
            case _:
                return drawn

    def _title(self, entry: _Entry) -> str:
        """Return an order in words, with the reasons for its result."""
        text = order_in(write_order(entry.order), self.sentences.lang)
        if entry.reason is None:
            return text
        whys = [entry.reason]
        if self.position.phase.kind == "movement":
            whys += [fate.reason for fate in self.outcome.fates(entry.unit)[1:]]
        why = "; ".join(format_reason(reason, self.position, self.sentences) for reason in whys)
        return f"{text}: {why}"

    @cached_property
    def _by_unit(self) -> Mapping[Unit, _Entry]:
        return {entry.unit: entry for entry in self.entries}

    # -- where a move leads ----------------------------------------------------------------------

    def _goal(self, unit: Unit, to: str, entry: _Entry | None) -> Unit | None:
        """Return a unit as it would stand at its destination; None if there is no such place."""
        arrived = self._arrivals.get(unit)
        if entry is not None and entry.result == outcomes.SUCCEEDS and arrived is not None:
            return arrived
        return find_goal(self.position, unit, to, self._arrivals.values())

    @cached_property
    def _arrivals(self) -> Mapping[Unit, Unit]:
        if self.hides_results:
            return {}
        movers: dict[tuple[str, str, str], list[_Entry]] = defaultdict(list)
        gone: set[Unit] = set()
        for entry in self.entries:
            if entry.result in (outcomes.SUCCEEDS, outcomes.STOPPED) and isinstance(
                entry.order, (orders.Move, orders.Retreat)
            ):
                assert entry.reason is not None, "the result is told with its reason"
                to = entry.reason.stop or split_location(entry.order.to)[0]
                if to != entry.unit.province:  # an attack from inside keeps its place (R11a)
                    movers[entry.unit.power, entry.unit.kind, to].append(entry)
                    gone.add(entry.unit)
        stay = set(self.position.units) - gone
        found: dict[Unit, Unit] = {}
        for (power, kind, to), entries in movers.items():
            new = [
                u for u in self.outcome.units if (u.power, u.kind, u.province) == (power, kind, to)
            ]
            found |= _match_arrivals(entries, sorted(u for u in new if u not in stay))
        return found

    # -- by which way ----------------------------------------------------------------------------

    def _with_way(self, drawn: DrawnOrder, entry: _Entry) -> DrawnOrder:
        """Return a move with the fleets that carry it, its river, or the province it crosses."""
        if not isinstance(entry.order, orders.Move) or entry.result == outcomes.ILLEGAL:
            return drawn
        assert drawn.goal is not None, "a move leads somewhere"
        tables = self.board.tables
        here, to = tables.index[drawn.unit.province], tables.index[drawn.goal.province]
        if drawn.unit.kind != "F":
            fleets = self._carriers(entry, drawn.goal.province)
            afloat = (
                not fleets and not entry.result and needs_fleets(tables, entry.unit, entry.order)
            )
            return replace(drawn, fleets=fleets, uncarried=afloat)
        if tables.fleet_reach[tables.location[drawn.unit.location] * tables.n + to]:
            return drawn
        if (here, to) in tables.course:
            path = tuple(tables.ids[p] for p in tables.course[here, to].path)
            stop = entry.reason.stop if entry.reason else ""
            return replace(drawn, course=(drawn.unit.province, *path), stop=stop)
        if (here, to) in tables.haul:
            return replace(drawn, over=tables.ids[tables.haul[here, to]])
        return drawn

    def _carriers(self, army: _Entry, to: str) -> tuple[Unit, ...]:
        """Return the fleets that carry an army, in the order of its way; none if it walks."""
        assert isinstance(army.order, orders.Move), "only moves are carried"
        tables = self.board.tables
        convoys = [
            entry
            for entry in self.entries
            if isinstance(entry.order, orders.Convoy)
            and entry.result not in VOID
            and find_unit(self.standing, entry.order.army) == army.unit
            and split_location(entry.order.to)[0] == to
        ]
        start, end = tables.index[army.unit.province], tables.index[to]
        own = any(entry.power == army.power for entry in convoys)
        if not (own or needs_fleets(tables, army.unit, army.order)):
            return ()
        whole = [entry for entry in convoys if entry.result in (outcomes.AVAILABLE, "")]
        return self._crossing(whole, start, end) or self._crossing(convoys, start, end)

    def _crossing(self, carriers: list[_Entry], start: int, end: int) -> tuple[Unit, ...]:
        """Return the shortest way over the seas of some fleets."""
        tables = self.board.tables
        fleets: dict[int, Unit] = {}
        for entry in sorted(carriers, key=lambda e: e.unit, reverse=True):
            fleets[tables.index[entry.unit.province]] = entry.unit
        ways: list[tuple[int, ...]] = [(sea,) for sea in tables.port[start] if sea in fleets]
        seen = {way[0] for way in ways}
        for way in ways:
            if tables.shore[way[-1] * tables.n + end]:
                return tuple(fleets[sea] for sea in way)
            further = [s for s in tables.sea_next[way[-1]] if s in fleets and s not in seen]
            seen.update(further)
            ways += [(*way, sea) for sea in further]
        return ()

    # -- what befell without an order ------------------------------------------------------------

    def _losses(self) -> Iterator[DrawnOrder]:
        """Yield the units that were lost without an order to disband or remove them."""
        outcome = self.outcome
        ordered = {
            e.unit for e in self.entries if isinstance(e.order, (orders.Disband, orders.Remove))
        }
        for units, result in (
            (outcome.destroyed, "destroyed"),
            (outcome.disbanded, "disbanded"),
            (outcome.removed, "removed"),
        ):
            for unit in units:
                if unit not in ordered:
                    yield self._draw_fate(unit, LOST, result, outcome.fates(unit)[-1].reason)

    def _defenders(self) -> Iterator[DrawnOrder]:
        """Yield the units without an order that stood although they were attacked."""
        if self.position.phase.kind == "movement":
            for unit in self.position.units:
                fate = self.outcome.fates(unit)[0]
                if fate.order is None and fate.reason.code in _REPELLED:
                    drawn = self._draw_fate(unit, "hold", fate.result, fate.reason)
                    yield replace(drawn, attacked=True)

    def _draw_fate(self, unit: Unit, look: str, result: str, reason: outcomes.Reason) -> DrawnOrder:
        name = self.names.get(unit, str(unit))
        title = f"{name}: {format_reason(reason, self.position, self.sentences)}"
        return DrawnOrder(unit, name, look, result, title)


def needs_fleets(tables: BoardTables, unit: Unit, move: orders.Move) -> bool:
    """Tell whether a move is that of an army which only fleets can carry there."""
    start, end = tables.index[unit.province], tables.index[split_location(move.to)[0]]
    return unit.kind != "F" and (move.via_convoy or not tables.army_next[start * tables.n + end])


def _match_arrivals(entries: list[_Entry], new: list[Unit]) -> dict[Unit, Unit]:
    """Match movers with the new units: those that named a place have it, the rest in order."""
    found: dict[Unit, Unit] = {}
    left = list(new)
    plain = []
    for entry in sorted(entries, key=lambda e: (e.unit.province, e.unit.number)):
        assert isinstance(entry.order, (orders.Move, orders.Retreat)), "only those arrive"
        number = split_location(entry.order.to)[2]
        named = [u for u in left if number and u.number == number]
        if named and entry.result == outcomes.SUCCEEDS:
            found[entry.unit] = named[0]
            left.remove(named[0])
        else:
            plain.append(entry.unit)
    return found | dict(zip(plain, left, strict=False))


def collect_flags(
    outcome: outcomes.Outcome, sentences: Sentences, orders_of: Collection[str] | None = None
) -> tuple[Flag, ...]:
    """Return the picks of a period by centre, or the awards alone if picks are secret (R30)."""
    position = outcome.position
    if outcome.picks is None:
        return ()
    found: dict[str, Flag] = {}
    secret = position.phase.season == PICKS and position.board.rules.publish_picks == "own"
    if orders_of is None and secret:
        for power, centre in outcome.picks.awards.items():
            title = order_in(write_order(orders.Pick(centre)), sentences.lang)
            found[power] = Flag(power, centre, outcomes.SUCCEEDS, title)
    else:
        for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
            order = entry.order
            if not (
                (orders_of is None or entry.power in orders_of)
                and isinstance(order, orders.Pick)
                and order.centre in position.board.provinces
            ):
                continue
            title, result = order_in(write_order(order), sentences.lang), ""
            if orders_of is None:
                result = entry.result
                title += f": {format_reason(reason, position, sentences)}"
            if orders_of is not None or reason.code != outcomes.REPLACED:
                found[entry.power] = Flag(entry.power, order.centre, result, title)
    return tuple(sorted(found.values(), key=lambda flag: (flag.centre, flag.power)))


# Bend the lines of orders so that they avoid units, names and each other.
#
# A line is a sequence of points close enough to be drawn as it is.


Line = tuple[Point, ...]

STEP = 7.0
"""The greatest distance between two points of a bent line."""

SHORTEST = 32.0
"""The length that a line should have at the least: its head, and as much again."""

_SHORT = 2.5  # the cost of each unit of length that a line is too short

_CELL = 24.0
_BENDS = (0.0, 0.08, -0.08, 0.16, -0.16, 0.26, -0.26, 0.38, -0.38, 0.54, -0.54, 0.75, -0.75)
"""The swings of a line, in parts of its length; positive ones are to the left of its way."""

_WIDE = (1.0, -1.0, 1.4, -1.4)  # more bends, for neighbours too close for a straight line

_SKEWS = (0.5, 0.28, 0.72)  # the places along a line where it may swing out most

_DISC, _NAME, _LINE, _HEAD, _CITY, _OUTSIDE = 60.0, 4.0, 5.0, 24.0, 5.0, 200.0
"""The cost of a point on a unit, on a name, near another line, on a line's head, on the sign of a
centre, and off the sheet."""

_BURST = 25.0  # the cost of a point on a burst

ROUTE_LENGTHS: Mapping[str, Any] = {
    "step": STEP,
    "cell": _CELL,
    "bends": _BENDS,
    "wide": _WIDE,
    "skews": _SKEWS,
    "disc": _DISC,
    "name": _NAME,
    "line": _LINE,
    "head": _HEAD,
    "city": _CITY,
    "outside": _OUTSIDE,
    "dear_burst": _BURST,
    "shortest": SHORTEST,
    "short": _SHORT,
}
"""All of these, for pages that draw lines by themselves."""


@dataclass(frozen=True, slots=True)
class End:
    """An end of a line: a point and the gap to it; ``key`` is the unit at the point, if any, and
    ``burst`` the radius of a burst in the gap."""

    at: Point
    gap: float = 0.0
    key: object = None
    burst: float = 0.0


@dataclass(slots=True)
class Obstacles:
    """The obstacles that lines avoid; every line that is laid is an obstacle to the next."""

    sheet: Box
    _cells: dict[tuple[float, float], list[tuple[float, object, Box, Point, float]]] = field(
        default_factory=dict
    )

    def disc(self, key: object, at: Point, radius: float) -> None:
        """Add the symbol of a unit."""
        self._enter(_DISC, key, at, radius)

    def name(self, box: Box) -> None:
        """Add a name."""
        self._add_obstacle((_NAME, None, box, box.middle, 0.0), box)

    def city(self, at: Point) -> None:
        """Add the sign of a centre."""
        self._enter(_CITY, None, at, 8.0)

    def lay(self, line: Line, key: object, *, headed: bool = True) -> None:
        """Add a line with a head at its end; it is no obstacle to lines of the same key."""
        for point in line[1:-1]:
            self._enter(_LINE, ("line", key), point, 5.0)
        if headed:
            self._enter(_HEAD, ("line", key), line[-1], 9.0)

    def burst(self, at: Point, radius: float, key: object) -> None:
        """Add the burst of a bounce; it is no obstacle to lines of the same key."""
        self._enter(_BURST, key, at, radius + 2.0)

    def _enter(self, dear: float, key: object, at: Point, radius: float) -> None:
        """Add a round obstacle."""
        box = Box(at[0], at[1], at[0], at[1]).grown(radius)
        self._add_obstacle((dear, key, box, at, radius), box)

    def _add_obstacle(self, entry: tuple[float, object, Box, Point, float], box: Box) -> None:
        for cell in self._over(box):
            self._cells.setdefault(cell, []).append(entry)

    def _over(self, box: Box) -> Iterator[tuple[int, int]]:
        for column in range(int(box.left // _CELL), int(box.right // _CELL) + 1):
            for row in range(int(box.top // _CELL), int(box.bottom // _CELL) + 1):
                yield column, row

    def within(self, box: Box) -> int:
        """Return how many obstacles other than lines reach into a box."""
        entries = {entry for cell in self._over(box) for entry in self._cells.get(cell, ())}
        drawn = (_LINE, _HEAD, _BURST)
        return sum(entry[2].meets(box) for entry in entries if entry[0] not in drawn)

    def cost(self, line: Line, free: Iterable[object] = (), limit: float = 1e9) -> float:
        """Return the cost of a line until it exceeds ``limit``; keys in ``free`` cost nothing."""
        own = frozenset(free)
        cells, sheet = self._cells, self.sheet
        total = 0.0
        for x, y in line:
            if not (sheet.left <= x <= sheet.right and sheet.top <= y <= sheet.bottom):
                total += _OUTSIDE
            for dear, key, box, (cx, cy), radius in cells.get((x // _CELL, y // _CELL), ()):
                if radius:
                    met = (x - cx) ** 2 + (y - cy) ** 2 < radius * radius
                else:
                    met = box.left <= x <= box.right and box.top <= y <= box.bottom
                if met and (key is None or key not in own):
                    total += dear
            if total > limit:
                break
        return total


def bend_line(
    start: End, end: End, around: Obstacles, *, free: Iterable[object] = (), side: int = 0
) -> tuple[Line, float]:
    """Return the line between two ends that costs least, and its cost.

    ``side`` is 1 for a line that must swing out to the left of its way, -1 for one to the right:
    then it cannot coincide with a line of the opposite way that keeps to the same side.
    """
    own = (start.key, end.key, *free)
    straight = distance(start.at, end.at)
    best: Line = (start.at, end.at)
    least = 1e9
    for bend in _BENDS if straight > start.gap + end.gap + SHORTEST else (*_BENDS, *_WIDE):
        if side and bend * side < 0.15:
            continue
        if (swing := abs(bend) * (straight * 0.3 + 6.0)) >= least:
            break
        for skew in _SKEWS if bend else (0.5,):
            line = _arc(start, end, bend, skew)
            if (dear := swing * (1.0 if skew == 0.5 else 1.15) + _shortness_cost(line)) < least:
                weighed = (*line, *line[-3:], *_burst_points(line, end))  # the head counts twice
                dear += around.cost(weighed, own, least - dear)
            if dear < least:
                best, least = line, dear
    return best, least


def _burst_points(line: Line, end: End) -> Iterator[Point]:
    if not end.burst:
        return
    (x, y), r = burst_middle(line, end), end.burst
    for across, down in ((0.0, 0.0), (r, 0.0), (-r, 0.0), (0.0, r), (0.0, -r)):
        yield x + across, y + down


def burst_middle(line: Line, end: End) -> Point:
    """Return the middle of a burst: the empty place, else a point before the unit there."""
    if not end.key and distance(end.at, line[-1]) < end.gap + 2.0:
        return end.at
    (x, y), (dx, dy) = point_along(line, line_length(line))
    return x + dx * end.burst * 0.7, y + dy * end.burst * 0.7


def _shortness_cost(line: Line) -> float:
    if distance(line[0], line[-1]) > SHORTEST + 1.0:
        return 0.0
    return max(0.0, SHORTEST - line_length(line)) * _SHORT


def _arc(start: End, end: End, bend: float, skew: float) -> Line:
    """Return a parabola between two ends that leaves and reaches them along its tangents."""
    (x1, y1), (dx, dy) = start.at, (end.at[0] - start.at[0], end.at[1] - start.at[1])
    middle = x1 + dx * skew + dy * bend, y1 + dy * skew - dx * bend
    return parabola(
        point_toward(start.at, middle, start.gap), middle, point_toward(end.at, middle, end.gap)
    )


def parabola(a: Point, middle: Point, b: Point) -> Line:
    """Return the points of a quadratic curve, at most ``STEP`` apart."""
    n = max(4, ceil((distance(a, middle) + distance(middle, b)) / STEP))
    return tuple(
        [
            (p * a[0] + q * middle[0] + r * b[0], p * a[1] + q * middle[1] + r * b[1])
            for p, q, r in _parabola_weights(n)
        ]
    )


@cache
def _parabola_weights(n: int) -> tuple[tuple[float, float, float], ...]:
    """Return the weights of start, middle and end in the points of a curve of ``n`` pieces."""
    return tuple(((1 - t) * (1 - t), 2 * (1 - t) * t, t * t) for t in [i / n for i in range(n + 1)])


def smooth_line(points: Sequence[Point]) -> Line:
    """Return a line through some points without a kink (Catmull and Rom)."""
    if len(points) < 3:
        return tuple(points)
    padded = [points[0], *points, points[-1]]
    found: list[Point] = []
    for i in range(len(points) - 1):
        found += _span(*padded[i : i + 4])
    return (*found, points[-1])


def _span(a: Point, b: Point, c: Point, d: Point) -> Iterator[Point]:
    n = max(3, ceil(distance(b, c) / STEP))
    for i in range(n):
        t = i / n
        weights = (
            (-t + 2 * t**2 - t**3) / 2,
            (2 - 5 * t**2 + 3 * t**3) / 2,
            (t + 4 * t**2 - 3 * t**3) / 2,
            (t**3 - t**2) / 2,
        )
        pairs = list(zip(weights, (a, b, c, d), strict=True))
        yield sum(w * p[0] for w, p in pairs), sum(w * p[1] for w, p in pairs)


def line_length(line: Line) -> float:
    """Return the length of a line."""
    total = 0.0
    for a, b in pairwise(line):
        total += distance(a, b)  # sum() adds otherwise from Python 3.12 on
    return total


def point_along(line: Line, along: float) -> tuple[Point, Point]:
    """Return the point at a distance along a line, and the direction there (a unit vector)."""
    left = max(along, 0.0)
    ahead = (1.0, 0.0)
    for a, b in pairwise(line):
        if not (step := distance(a, b)):
            continue
        ahead = (b[0] - a[0]) / step, (b[1] - a[1]) / step
        if left <= step:
            return (a[0] + ahead[0] * left, a[1] + ahead[1] * left), ahead
        left -= step
    return line[-1], ahead


def cut_piece(line: Line, first: float, last: float) -> Line:
    """Return the part of a line between two distances from its start, at least two points."""
    inner = []
    gone = 0.0
    for a, b in pairwise(line):
        gone += distance(a, b)
        if first < gone < last:
            inner.append(b)
    return point_along(line, first)[0], *inner, point_along(line, max(last, first))[0]


def trim_start(line: Line, at: Point, gap: float) -> Line:
    """Return a line without the part up to where it finally leaves a circle."""
    out = next((i for i in range(len(line) - 1, -1, -1) if distance(line[i], at) < gap), -1)
    if out < 0:
        return line
    if out == len(line) - 1:
        return line[-2:]
    inside, outside = line[out], line[out + 1]
    near, far = distance(inside, at), distance(outside, at)
    t = (gap - near) / (far - near) if far > near else 1.0
    edge = inside[0] + (outside[0] - inside[0]) * t, inside[1] + (outside[1] - inside[1]) * t
    return edge, *line[out + 1 :]


def nearest_length(line: Line, to: Point) -> float:
    """Return the distance along a line to the point that is nearest to another point."""
    best, at, gone = 1e18, 0.0, 0.0
    for a, b in pairwise(line):
        dx, dy = b[0] - a[0], b[1] - a[1]
        square = dx * dx + dy * dy
        t = ((to[0] - a[0]) * dx + (to[1] - a[1]) * dy) / square if square else 0.0
        t = min(max(t, 0.0), 1.0)
        if (off := distance(to, (a[0] + t * dx, a[1] + t * dy))) < best:
            best, at = off, gone + t * sqrt(square)
        gone += sqrt(square)
    return at
