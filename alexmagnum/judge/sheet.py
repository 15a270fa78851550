"""The order sheet: every order of a phase checked once and laid out in integer tables.

Open this file for what an order means (what each unit does, what its move goes for), for how
orders are matched (supports and convoys with moves), and for which units meet on a river.  An
order is checked when its :class:`Row` is made; a :class:`Sheet` is built from rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NewType, TypeAlias, cast

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.board.tables import (
    NO_PLACE,
    NO_POWER,
    NO_PROVINCE,
    NO_UNIT,
    BoardTables,
    Course,
    LegNo,
    LocationNo,
    PlaceNo,
    PowerNo,
    ProvinceNo,
    UnitNo,
)
from alexmagnum.builds import mypyc_attr
from alexmagnum.judge import legality as legal
from alexmagnum.judge.outcome import REPLACED
from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from alexmagnum.position import Position
from alexmagnum.units import UnitTables

Action = NewType("Action", int)
"""The order of a unit once it is checked."""

HOLD: Final = Action(0)
MOVE: Final = Action(1)
SUPPORT: Final = Action(2)
CONVOY: Final = Action(3)
STUCK: Final = Action(4)  # its move has no convoy
CAUGHT: Final = Action(5)  # an army catches it if it is hauled (R24)

Goal = NewType("Goal", int)
"""The aim of a move."""

FOR_PLACE: Final = Goal(0)  # one place, by the standard rules (R11)
FOR_ROOM: Final = Goal(1)  # any open place of a sea (R9)
FROM_INSIDE: Final = Goal(2)  # a fleet of its own sea (R11a)
FOR_CITY: Final = Goal(3)  # a city of two places (R26)

Relation = NewType("Relation", int)
"""The relation of another unit to an express on its river."""

AHEAD: Final = Relation(1)  # ahead of it on the same way (R21)
BEHIND: Final = Relation(2)  # behind it on the same way (R21)
ONCOMING: Final = Relation(3)  # coming towards it by one step (R21a)
OPPOSITE: Final = Relation(4)  # coming towards it by express (R21a)

_NOBODY: list[UnitNo] = []
_NO_LEGS: list[LegNo] = []
"""The empty lists that rows of tables share; a row that gets an entry becomes a list of its own."""

CheckedOrder: TypeAlias = tuple[str, Action, LocationNo, UnitNo, legal.Way]
"""The ``fault``, ``action``, ``location``, ``partner`` and ``way`` of a :class:`Row`."""


def check_order(u: UnitNo, order: Order | None, legality: legal.Legality) -> CheckedOrder:
    """Check an order of a unit."""
    if isinstance(order, Move):
        fault, location, way = legality.check_move(u, order)
        return fault, HOLD if fault else MOVE, location, NO_UNIT, way
    if isinstance(order, Support):
        fault, partner, location = legality.check_support(u, order)
        return fault, HOLD if fault else SUPPORT, location, partner, legal.ON_FOOT
    if isinstance(order, Convoy):
        fault, partner, location = legality.check_convoy(u, order)
        return fault, HOLD if fault else CONVOY, location, partner, legal.ON_FOOT
    return "", HOLD, NO_PROVINCE, NO_UNIT, legal.ON_FOOT


def find_named_unit(order: Order | None, legality: legal.Legality) -> UnitNo:
    """Return the unit that the destination of a move or support names by its place (R11)."""
    if isinstance(order, (Move, Support)) and order.to is not None:
        return legality.find_target(order.to)
    return NO_UNIT


@mypyc_attr(acyclic=True)
class Row:
    """A checked order, kept for several sheets.

    ``fault``: why the order counts for nothing (then the unit holds), or ""; ``action``: what the
    unit does; ``location``: where the order leads to; ``partner``: the unit that it supports or
    convoys; ``way``: the way of a move; ``target``: the unit that its destination names by its
    place (R11); ``checked``: all but the last together.
    """

    __slots__ = (
        "action",
        "checked",
        "fault",
        "location",
        "order",
        "partner",
        "target",
        "unit",
        "way",
    )

    def __init__(self, u: UnitNo, order: Order | None, legality: legal.Legality) -> None:
        self.unit = u
        self.order = order
        self.checked: CheckedOrder = check_order(u, order, legality)
        self.fault, self.action, self.location, self.partner, self.way = self.checked
        self.target: UnitNo = find_named_unit(order, legality)


def find_power(units: UnitTables, power: str) -> tuple[PowerNo, str]:
    """Return the number of a power, or none, and why its orders count for nothing, or ""."""
    if power == INDEPENDENT:
        return units.board.independents, "garrison-holds"
    barred = "in-revolt" if power in units.revolting else ""
    return units.board.power.get(power, NO_POWER), barred


def find_listing_fault(order: Order, is_own: bool, u: UnitNo, barred: str) -> str:
    """Return why an order is not listed for the unit that it names, or "".

    ``barred``: why the power's orders count for nothing; ``is_own``: whether the unit is its own.
    """
    if not isinstance(order, (Move, Support, Hold, Convoy)):
        return "wrong-phase"
    if u < 0:
        return legal.NO_SUCH_UNIT
    return barred if is_own else "not-yours"


class Sheet:
    """The orders of one movement phase as tables.

    Orders, by unit: ``action``: what the unit does; ``to``: the province that it moves to,
    supports into or convoys to; ``to_location``: the same with the coast; ``partner``: the unit
    that it supports or convoys; ``by_convoy``: 1 if it moves by convoy; ``orders``: the order
    that counts; ``fault``: why that order counts for nothing, or ""; ``target``: the unit that its
    destination names.  ``moving``, ``supporting``, ``convoying``: the units with such a legal
    order.

    Moves, by unit: ``goal``: what the move goes for; ``to_place``: the place that it names;
    ``expresses``, ``hauls``: fleets with their course, and with the land they are hauled over;
    ``raider``: by fleet that is caught if it is hauled, an army that catches it; ``railway``:
    whether there are expresses, and they attack nobody (``express: railway``, R18).

    Matches: ``supporters``: by unit, the supports that match what it does; ``carriers``: by army,
    the fleets with the matching convoy order; ``support_target``: by supporter, the place that
    its support is directed against (R13).

    A move is made in *legs*, one to a province that it enters: leg ``u`` is the last leg of unit
    ``u``, and an express has further legs before it (R19).  In the standard game all moves are of
    one leg.  ``legs``: the numbers of all legs; ``mover``: by leg, its unit; ``leg_place``: by
    leg, the place it leads to; ``first_leg``: by unit; ``first_to``: the place of its first leg;
    ``last_from``: the place that its last leg starts from.

    Meetings: ``attackers``: by place, the units that attack it; ``contenders``: by place, the
    legs that try to enter it; ``entrants``: by sea, the plain entrants; ``relation``: what a
    second unit is to a first on its river.

    Entries are the orders as listed, none if the sheet was built from rows: ``listed``: each power
    with its orders; ``entry_unit``: by entry, its unit or none; ``entry_faults``: by the number of
    an entry, the fault of the listing, if it has one (an order that a later one replaces has one).
    ``has_bad_entry``: whether an order is illegal, or listed for what is no power.  ``numbers``:
    the numbers of all units.
    """

    __slots__ = (
        "action",
        "attackers",
        "board",
        "by_convoy",
        "carriers",
        "contenders",
        "convoying",
        "entrants",
        "entry_faults",
        "entry_unit",
        "expresses",
        "fault",
        "first_leg",
        "first_to",
        "goal",
        "has_bad_entry",
        "hauls",
        "last_from",
        "leg_place",
        "legs",
        "listed",
        "mover",
        "moving",
        "numbers",
        "orders",
        "partner",
        "raider",
        "railway",
        "relation",
        "support_target",
        "supporters",
        "supporting",
        "target",
        "to",
        "to_location",
        "to_place",
        "units",
    )

    def __init__(
        self,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        rows: list[Row] | None = None,
    ) -> None:
        """Lay out orders, or in their place ``rows``: orders of several units that were checked."""
        self.board: BoardTables = position.board.tables
        self.units: UnitTables = position.tables
        self.numbers: tuple[UnitNo, ...] = self.units.numbers
        n = len(self.numbers)
        self.action: list[Action] = [HOLD] * n
        self.to: list[ProvinceNo] = [NO_PROVINCE] * n
        self.to_location: list[LocationNo] = [NO_PROVINCE] * n
        self.to_place: list[PlaceNo] = [NO_PLACE] * n
        self.goal: list[Goal] = [FOR_PLACE] * n
        self.by_convoy: list[int] = [0] * n
        self.partner: list[UnitNo] = [NO_UNIT] * n
        self.target: list[UnitNo] = [NO_UNIT] * n
        self.support_target: list[PlaceNo] = [NO_PLACE] * n
        self.fault: list[str] = [""] * n
        self.orders: list[Order | None] = [None] * n
        self.attackers: list[list[UnitNo]] = [_NOBODY] * self.board.places
        self.contenders: list[list[LegNo]] = cast("list[list[LegNo]]", self.attackers)
        self.entrants: dict[ProvinceNo, list[UnitNo]] = {}
        self.supporters: list[list[UnitNo]] = [_NOBODY] * n
        self.carriers: list[list[UnitNo]] = [_NOBODY] * n
        self.legs: tuple[LegNo, ...] = self.numbers
        self.mover: tuple[UnitNo, ...] = self.numbers
        self.first_leg: tuple[LegNo, ...] = self.numbers
        self.leg_place: list[PlaceNo] = self.to_place
        self.first_to: list[PlaceNo] = self.to_place
        self.last_from: tuple[PlaceNo, ...] = self.units.place
        self.expresses: dict[UnitNo, Course] = {}
        self.hauls: dict[UnitNo, ProvinceNo] = {}
        self.raider: dict[UnitNo, UnitNo] = {}
        self.relation: dict[tuple[UnitNo, UnitNo], Relation] = {}
        self.listed: list[tuple[str, tuple[Order, ...]]] = []
        self.entry_unit: list[UnitNo] = []
        self.entry_faults: dict[int, str] = {}
        self.has_bad_entry: bool = False
        self.moving: list[UnitNo] = []
        self.supporting: list[UnitNo] = []
        self.convoying: list[UnitNo] = []
        if rows is None:
            self._check_orders(orders)
        else:
            for row in rows:
                self.orders[row.unit] = row.order
                self._enter(row.unit, row.checked)
                self.target[row.unit] = row.target
        self._match_convoys()
        self.railway: bool = bool(self.expresses) and position.board.rules.express == "railway"
        for u in self.moving:
            self._set_goal(u)
        if self.expresses or any(self.goal):
            self._list_contenders()
        for u in self.supporting:
            self.fault[u] = self._match_support(u)

    @property
    def entries(self) -> list[tuple[str, Order, UnitNo, str]]:
        """The power, order, unit and fault of every order as listed."""
        entries: list[tuple[str, Order, UnitNo, str]] = []
        for power, listed in self.listed:
            for order in listed:
                i = len(entries)
                entries.append((power, order, self.entry_unit[i], self.entry_faults.get(i, "")))
        return entries

    def next_leg(self, leg: LegNo) -> LegNo:
        """Return the leg of an express after a leg that is not its last."""
        u = self.mover[leg]
        if leg + 1 < len(self.mover) and self.mover[leg + 1] == u:
            return self.legs[leg + 1]
        return u

    def list_way(self, u: UnitNo) -> tuple[LegNo, ...]:
        """Return the legs of an express but its last."""
        first = self.first_leg[u]
        return self.legs[first : first + len(self.expresses[u].path) - 1]

    def leads_to(self, leg: LegNo) -> ProvinceNo:
        """Return the province that a leg enters."""
        u = self.mover[leg]
        return self.to[u] if leg == u else self.board.province_at[self.leg_place[leg]]

    # -- what each unit is ordered to do ---------------------------------------------------------

    def _check_orders(self, orders: Mapping[str, Sequence[Order]]) -> None:
        """Give every unit the last order that its own power wrote for it."""
        legality = legal.Legality(self.board, self.units)
        entry_unit, order_of = self.entry_unit, self.orders
        unit_places, occupant = self.board.unit_places, self.units.occupant
        power_of, crowded = self.units.power, self.board.crowded
        by_power: dict[str, Sequence[Order]] = orders if isinstance(orders, dict) else dict(orders)
        for power, given in by_power.items():
            number, barred = find_power(self.units, power)
            if number < 0:
                self.has_bad_entry = True
            listed = tuple(given)  # whoever gave a list may change it before results are read
            self.listed.append((power, listed))
            for order in listed:
                u = NO_UNIT
                if isinstance(order, (Move, Support, Hold, Convoy)):
                    place = unit_places.get(order.unit, NO_PLACE)  # most names are plain
                    u = occupant[place] if place >= 0 else legality.find_unit(order.unit)
                if u < 0 or barred or power_of[u] != number:
                    is_own = u >= 0 and power_of[u] == number
                    self._mark_entry(len(entry_unit), find_listing_fault(order, is_own, u, barred))
                else:
                    if order_of[u] is not None:
                        self._mark_replaced(u)
                    order_of[u] = order
                entry_unit.append(u)
        for u in self.numbers:
            entered = order_of[u]
            if entered is not None and not isinstance(entered, Hold):
                self._enter(u, check_order(u, entered, legality))
                if crowded:
                    self.target[u] = find_named_unit(entered, legality)

    def _mark_entry(self, number: int, fault: str) -> None:
        self.entry_faults[number] = fault
        self.has_bad_entry = True

    def _mark_replaced(self, u: UnitNo) -> None:
        """Mark the order that counted so far for a unit as replaced."""
        i = len(self.entry_unit) - 1
        while self.entry_unit[i] != u or i in self.entry_faults:
            i -= 1
        self._mark_entry(i, REPLACED)

    def _enter(self, u: UnitNo, checked: CheckedOrder) -> None:
        """Enter a checked order; a unit whose order has a fault holds."""
        fault, action, location, partner, way = checked
        self.partner[u] = partner
        if action == HOLD:
            if fault:
                self.fault[u] = fault
                self.has_bad_entry = True
        else:
            self.action[u] = action
            if location >= 0:
                self.to_location[u] = location
                self.to[u] = self.board.province_of[location]
            if action == MOVE:
                self.moving.append(u)
                if way:
                    self._enter_way(u, way)
            elif action == SUPPORT:
                self.supporting.append(u)
            else:
                self.convoying.append(u)

    def _enter_way(self, u: UnitNo, way: legal.Way) -> None:
        """Enter the way of a move that is more than a step across a border."""
        here, to = self.units.province[u], self.to[u]
        if way == legal.BY_CONVOY:
            self.by_convoy[u] = 1
        elif way == legal.EXPRESS:
            self.expresses[u] = self.board.course[here, to]
        else:
            self.hauls[u] = self.board.haul[here, to]

    # -- convoys and hauls -----------------------------------------------------------------------

    def _match_convoys(self) -> None:
        """Give every army that moves the fleets that carry it there, and every haul its raider."""
        action, to, carriers = self.action, self.to, self.carriers
        for u in self.convoying:
            army = self.partner[u]
            if action[army] != MOVE or to[army] != to[u]:
                self.fault[u] = legal.CONVOY_MISMATCH
            else:
                carriers[army] = [*carriers[army], u]
        for u in self.moving:
            if carriers[u] or self.by_convoy[u]:
                self._embark(u, carriers[u])
        for u in self.hauls:
            self._catch(u)

    def _embark(self, u: UnitNo, fleets: list[UnitNo]) -> None:
        """Send an army by convoy, or leave it stuck if its fleets do not join the shores.  It goes
        so to a neighbouring province only if its own power shows the intent (DATC 4.A.3), and then
        never falls back on the land route (6.G.8)."""
        units = self.units
        if not self.by_convoy[u]:
            if not any(units.power[fleet] == units.power[u] for fleet in fleets):
                return
            self.by_convoy[u] = 1
        seas = {units.province[fleet] for fleet in fleets}
        if not legal.can_cross(self.board, seas, units.province[u], self.to[u]):
            self.action[u] = STUCK
            self.fault[u] = legal.NO_CONVOY

    def _catch(self, u: UnitNo) -> None:
        """Let an army that is ordered at the land of a haul catch the fleet, if it is hauled; it
        does not matter what comes of that army's move (R24)."""
        for raider in self.moving:
            ordered = self.action[raider] == MOVE and self.to[raider] == self.hauls[u]
            if ordered and self.can_catch(raider, u):
                self.action[u] = CAUGHT
                self.raider[u] = raider
                return

    def can_catch(self, raider: UnitNo, u: UnitNo) -> bool:
        """Tell whether a unit is a foreign army beside the land of a haul, which it might catch."""
        units = self.units
        return (
            bool(units.army[raider])
            and units.power[raider] != units.power[u]
            and units.province[raider] in self.board.raiders[self.hauls[u]]
        )

    # -- what each move goes for -----------------------------------------------------------------

    def _set_goal(self, u: UnitNo) -> None:
        """Enter a move for what it goes for."""
        board, to = self.board, self.to[u]
        place = board.first_place[to]
        if board.capacity[to] > 1:
            self.goal[u], place = self._find_goal(u)
            if self.goal[u] == FOR_ROOM and self.action[u] == MOVE:
                self.entrants.setdefault(to, []).append(u)
        self.to_place[u] = place
        if self.railway and u in self.expresses:  # it attacks nobody (R19a)
            return
        if place >= 0 and self.action[u] == MOVE:
            attackers = self.attackers[place]
            if attackers:
                attackers.append(u)
            else:
                self.attackers[place] = [u]

    def _find_goal(self, u: UnitNo) -> tuple[Goal, PlaceNo]:
        """Return what a move into a province of several places goes for, and the place it names:
        that of a unit (R11), or none if it goes for any that is open (R9)."""
        to, target = self.to[u], self.target[u]
        if not self.board.is_sea[to]:
            return FOR_CITY, self._find_city_target(u, to, target)
        if target < 0:
            return FOR_ROOM, NO_PLACE
        inside = to == self.units.province[u]
        return FROM_INSIDE if inside else FOR_PLACE, self.units.place[target]

    def _find_city_target(self, u: UnitNo, city: ProvinceNo, named: UnitNo) -> PlaceNo:
        """Return the place that a move into a city attacks, if a foreign unit stands there (R26):
        the named unit's, else the lower one, a general's last."""
        units = self.units
        foreign = [v for v in units.units_in[city] if units.power[v] != units.power[u]]
        if named in foreign:
            return units.place[named]
        foreign.sort(key=lambda v: (units.units[v].kind == "G", units.place[v]))
        return units.place[foreign[0]] if foreign else NO_PLACE

    # -- supports --------------------------------------------------------------------------------

    def _match_support(self, u: UnitNo) -> str:
        """Count a support for what its partner does; return its fault if they do not match."""
        partner = self.partner[u]
        to = self.to[u]
        moving = self.action[partner] in (MOVE, STUCK, CAUGHT)
        if to < 0:
            if moving:
                return legal.SUPPORT_MOVER
        elif not moving or self.to[partner] != to:
            return legal.SUPPORT_MISMATCH
        elif self._names_other_coast(u, partner):
            return legal.COAST_MISMATCH
        elif self.board.crowded and self._names_other_place(u, partner):
            return legal.SUPPORT_PLACE
        else:
            self.support_target[u] = self.to_place[partner]
        supporters = self.supporters[partner]
        if supporters:
            supporters.append(u)
        else:
            self.supporters[partner] = [u]
        return ""

    def _names_other_coast(self, u: UnitNo, partner: UnitNo) -> bool:
        """Tell whether a support names a coast that is not the fleet's own (DATC 6.B.9)."""
        named = self.to_location[u]
        return (
            named >= self.board.n
            and named != self.to_location[partner]
            and not self.units.army[partner]
        )

    def _names_other_place(self, u: UnitNo, partner: UnitNo) -> bool:
        """Tell whether a support names a fleet other than the one that the move names (R14)."""
        if self.board.capacity[self.to[u]] == 1:
            return False
        named = self.target[u]
        if named < 0 or (self.goal[partner] == FOR_CITY and self.to_place[partner] < 0):
            return False
        return self.units.place[named] != self.to_place[partner]

    # -- ways of several legs, and what meets on them --------------------------------------------

    def _number_legs(self) -> None:
        """Number the legs of the expresses, and note how units on a river meet."""
        first = self.board.first_place
        mover = list(self.numbers)
        first_leg: list[LegNo] = list(self.numbers)
        last_from = list(self.units.place)
        self.leg_place = list(self.to_place)
        self.first_to = list(self.to_place)
        for u, course in self.expresses.items():
            passed = [first[province] for province in course.path[:-1]]
            first_leg[u] = LegNo(len(mover))
            self.first_to[u] = passed[0]
            last_from[u] = passed[-1]
            mover += [u] * len(passed)
            self.leg_place += passed
        self.mover = tuple(mover)
        self.first_leg = tuple(first_leg)
        self.last_from = tuple(last_from)
        self.legs = cast("tuple[LegNo, ...]", tuple(range(len(mover))))
        self._relate_on_rivers()

    def _relate_on_rivers(self) -> None:
        """Note what others are to an express that stand on its way, or enter what it enters."""
        on_river: dict[ProvinceNo, list[UnitNo]] = {}
        for u in self.moving:
            for province in self._list_on_river(u):
                on_river.setdefault(province, []).append(u)
        for u, course in self.expresses.items():
            for province in course.path:
                for other in on_river.get(province, _NOBODY):
                    if other != u and (u, other) not in self.relation:
                        self._relate(u, course, other)

    def _list_on_river(self, u: UnitNo) -> tuple[ProvinceNo, ...]:
        """Return the provinces from which and through which a unit moves along a river."""
        start = self.units.province[u]
        course = self.board.course.get((start, self.to[u]))
        if course is None or self.action[u] != MOVE or self.by_convoy[u]:
            return ()
        return (start, *course.path)

    def _relate(self, u: UnitNo, course: Course, other: UnitNo) -> None:
        """Note what another unit is to an express, if it moves along the same river."""
        start = self.units.province[other]
        theirs = self.board.course[start, self.to[other]]
        if theirs.river != course.river:
            return
        if theirs.direction != course.direction:
            self.relation[u, other] = OPPOSITE if other in self.expresses else ONCOMING
        elif start in course.path:
            self.relation[u, other] = AHEAD
            self.relation[other, u] = BEHIND

    def _list_contenders(self) -> None:
        """List who tries to enter a place: attackers from outside, and expresses on their way."""
        if self.expresses:
            self._number_legs()
        goal, first = self.goal, self.board.first_place
        contenders: list[list[LegNo]] = [_NO_LEGS] * len(self.attackers)
        for u in self.moving:
            if goal[u] == FOR_PLACE and self.action[u] == MOVE:
                _add_leg(contenders, self.to_place[u], u)
        for leg in self.legs[len(goal) :]:
            _add_leg(contenders, self.leg_place[leg], leg)
        for u in self.moving:
            if goal[u] == FOR_CITY and self.action[u] == MOVE:
                _add_leg(contenders, first[self.to[u]], u)
        self.contenders = contenders


def _add_leg(rows: list[list[LegNo]], number: int, leg: LegNo) -> None:
    """Add a leg to a row of a table; the first one begins a list of its own."""
    row = rows[number]
    if row:
        row.append(leg)
    else:
        rows[number] = [leg]
