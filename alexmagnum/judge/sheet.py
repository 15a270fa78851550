"""The order sheet: every order checked once and laid out in integer tables for the resolver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.board.tables import BoardTables, Course
from alexmagnum.judge.convoys import joined
from alexmagnum.judge.legality import (
    BY_CONVOY,
    COAST_MISMATCH,
    CONVOY_MISMATCH,
    EXPRESS,
    GARRISON,
    IN_REVOLT,
    NO_CONVOY,
    NO_UNIT,
    NOT_YOURS,
    SUPPORT_MISMATCH,
    SUPPORT_MOVER,
    SUPPORT_PLACE,
    WRONG_PHASE,
    Legality,
)
from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from alexmagnum.position import Position, UnitTables

HOLD, MOVE, SUPPORT, CONVOY, STUCK, CAUGHT = range(6)
"""What a unit does once its order is checked; STUCK: its move has no convoy; CAUGHT: it is hauled
into the arms of a raider (R24)."""

FOR_PLACE, FOR_ROOM, FROM_INSIDE, FOR_CITY = range(4)
"""What a move goes for: one place, by the standard rules (R11); any open place of a sea (R9); a
fleet of its own sea (R11a); a city of two places (R26)."""

AHEAD, BEHIND, ONCOMING, OPPOSITE = range(1, 5)
"""What another unit is to an express on its river: ahead of it or behind it on the same way
(R21); coming towards it by one step, or by express (R21a)."""

NOBODY: list[int] = []
"""The empty list that tables share until something is added."""


class Sheet:
    """The orders of a movement phase, by unit number.

    ``kind``: what the unit does; ``to``: province it moves to (or -1); ``to_location``: the
    same with the coast; ``goal``: what its move goes for; ``to_place``: the place that it
    names (-1: none); ``by_convoy``: 1 if it moves by convoy; ``aim``: unit that it supports or
    convoys; ``against``: place that its support is directed against (-1: none, R13);
    ``void``: why its order counts for nothing, or "".

    A move is made in *legs*, one to a province that it enters: leg ``u`` is the last one of unit
    ``u``, and an express has further legs before it (R19).  ``mover``: by leg, its unit;
    ``leg_place``: by leg, the place it leads to; ``first_leg``: by unit; ``first_to``: the place
    of its first leg; ``last_from``: the place that its last leg starts from.  In the standard
    game all moves are of one leg.

    ``movers``: by place, the units that attack it; ``contest``: by place, the legs that try to
    enter it; ``entrants``: by province, the units that enter where there is room;
    ``backers``: by unit, the supports that match what it does; ``carriers``: by convoyed unit,
    the fleets with the matching order; ``expresses``, ``hauls``: these fleets with their ways and
    with the land they are hauled over; ``raider``: by caught fleet, an army that caught
    it; ``relation``: what a second unit is to a first on its river; ``entries``: every order
    as listed, with its unit (-1: none) and fault ("": none yet).
    """

    __slots__ = (
        "against",
        "aim",
        "backers",
        "board",
        "by_convoy",
        "carriers",
        "contest",
        "entrants",
        "entries",
        "expresses",
        "first_leg",
        "first_to",
        "goal",
        "hauls",
        "kind",
        "last_from",
        "leg_place",
        "mover",
        "movers",
        "orders",
        "raider",
        "relation",
        "to",
        "to_location",
        "to_place",
        "units",
        "void",
    )

    def __init__(
        self,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        legality: Legality | None = None,
    ) -> None:
        self.board: BoardTables = position.board.tables
        self.units: UnitTables = position.tables
        n = len(self.units.units)
        self.kind: list[int] = [HOLD] * n
        self.to: list[int] = [-1] * n
        self.to_location: list[int] = [-1] * n
        self.to_place: list[int] = [-1] * n
        self.goal: list[int] = [FOR_PLACE] * n
        self.by_convoy: list[int] = [0] * n
        self.aim: list[int] = [-1] * n
        self.against: list[int] = [-1] * n
        self.void: list[str] = [""] * n
        self.orders: list[Order | None] = [None] * n
        self.movers: list[list[int]] = [NOBODY] * self.board.places
        self.contest: list[list[int]] = self.movers
        self.entrants: dict[int, list[int]] = {}
        self.backers: list[list[int]] = [NOBODY] * n
        self.carriers: list[list[int]] = [NOBODY] * n
        self.mover: list[int] = list(range(n))
        self.first_leg: list[int] = self.mover
        self.leg_place: list[int] = self.to_place
        self.first_to: list[int] = self.to_place
        self.last_from: list[int] = self.units.place
        self.expresses: dict[int, Course] = {}
        self.hauls: dict[int, int] = {}
        self.raider: dict[int, int] = {}
        self.relation: dict[tuple[int, int], int] = {}
        self.entries: list[tuple[str, Order, int, str]] = []
        legality = legality or Legality(self.board, self.units)
        self._take(position, orders, legality)
        self._check(legality)
        self._match(legality)

    def _take(
        self, position: Position, orders: Mapping[str, Sequence[Order]], legality: Legality
    ) -> None:
        """Give every unit the last order that its own power wrote for it."""
        units = self.units.units
        nobility = position.board.rules.nobility
        for power, listed in orders.items():
            revolt = nobility and position.in_revolt(power)
            for order in listed:
                fault = ""
                u = -1
                if isinstance(order, (Move, Support, Hold, Convoy)):
                    u = legality.find(order.unit)
                    if u < 0:
                        fault = NO_UNIT
                    elif units[u].power != power:
                        fault = NOT_YOURS
                    elif power == INDEPENDENT:
                        fault = GARRISON
                    elif revolt:
                        fault = IN_REVOLT
                    else:
                        self.orders[u] = order
                else:
                    fault = WRONG_PHASE
                self.entries.append((power, order, u, fault))

    def _check(self, legality: Legality) -> None:
        """Lay out the legal orders; the others leave their fault and a unit that holds."""
        void = self.void
        for u, order in enumerate(self.orders):
            if isinstance(order, Move):
                void[u], location, way = legality.move(u, order)
                if not void[u]:
                    self._lay(u, MOVE, location)
                    if way:
                        self._lay_way(u, way)
            elif isinstance(order, Support):
                void[u], self.aim[u], location = legality.support(u, order)
                if not void[u]:
                    self._lay(u, SUPPORT, location)
            elif isinstance(order, Convoy):
                void[u], self.aim[u], location = legality.convoy(u, order)
                if not void[u]:
                    self._lay(u, CONVOY, location)

    def _lay(self, u: int, does: int, location: int) -> None:
        self.kind[u] = does
        if location >= 0:
            self.to_location[u] = location
            self.to[u] = self.board.province_of[location]

    def _lay_way(self, u: int, way: int) -> None:
        """A move that is more than a step across a border."""
        here, to = self.units.province[u], self.to[u]
        if way == BY_CONVOY:
            self.by_convoy[u] = 1
        elif way == EXPRESS:
            self.expresses[u] = self.board.course[here, to]
        else:
            self.hauls[u] = self.board.haul[here, to]

    # -- validity: whether the order that another depends on is there --------------------------

    def _match(self, legality: Legality) -> None:
        kind, void = self.kind, self.void
        self._match_convoys()
        for u, carriers in enumerate(self.carriers):
            if carriers or self.by_convoy[u]:
                self._embark(u, carriers)
        for u in self.hauls:
            self._catch(u)
        for u, to in enumerate(self.to):
            if to >= 0 and kind[u] in (MOVE, CAUGHT, STUCK):
                self._set_off(u, to, legality)
        if self.expresses:
            self._lay_legs()
        if self.expresses or any(self.goal):
            self._lay_contest()
        for u, does in enumerate(kind):
            if does == SUPPORT:
                void[u] = self._match_support(u, legality)

    def _match_convoys(self) -> None:
        """Give every army that moves the fleets that carry it there."""
        kind, to, carriers = self.kind, self.to, self.carriers
        for u, does in enumerate(kind):
            if does == CONVOY:
                army = self.aim[u]
                if kind[army] != MOVE or to[army] != to[u]:
                    self.void[u] = CONVOY_MISMATCH
                elif carriers[army]:
                    carriers[army].append(u)
                else:
                    carriers[army] = [u]

    def _embark(self, u: int, carriers: list[int]) -> None:
        """A neighbour goes by convoy only if its own side shows the intent (DATC 4.A.3).

        Then it never falls back on the land route (6.G.8).
        """
        units = self.units
        if not self.by_convoy[u]:
            if not any(units.power[fleet] == units.power[u] for fleet in carriers):
                return
            self.by_convoy[u] = 1
        seas = {units.province[fleet] for fleet in carriers}
        if not joined(self.board, seas, units.province[u], self.to[u]):
            self.kind[u] = STUCK
            self.void[u] = NO_CONVOY

    def _catch(self, u: int) -> None:
        """A hauled fleet is caught by any foreign army that is ordered at the haul from beside it,
        whatever comes of that army's move (R24)."""
        over, units = self.hauls[u], self.units
        for raider, does in enumerate(self.kind):
            if (
                does == MOVE
                and self.to[raider] == over
                and units.army[raider]
                and units.power[raider] != units.power[u]
                and units.province[raider] in self.board.raiders[over]
            ):
                self.kind[u] = CAUGHT
                self.raider[u] = raider
                return

    def _set_off(self, u: int, to: int, legality: Legality) -> None:
        """Enter a move for what it goes for."""
        place = self.board.first_place[to]
        if self.board.capacity[to] > 1:
            self.goal[u], place = self._goal_of(u, legality)
            if self.goal[u] == FOR_ROOM and self.kind[u] == MOVE:
                self.entrants.setdefault(to, []).append(u)
        self.to_place[u] = place
        if place >= 0 and self.kind[u] == MOVE:
            if self.movers[place]:
                self.movers[place].append(u)
            else:
                self.movers[place] = [u]

    def _goal_of(self, u: int, legality: Legality) -> tuple[int, int]:
        """What a move into a province of several places goes for, and the place that it names:
        that of a unit (R11), or -1 for any that is open (R9)."""
        order, to = self.orders[u], self.to[u]
        assert isinstance(order, Move), "only moves set off"
        target = legality.named(order.to)
        if not self.board.is_sea[to]:
            return FOR_CITY, self._city_target(u, to, target)
        if target < 0:
            return FOR_ROOM, -1
        inside = to == self.units.province[u]
        return FROM_INSIDE if inside else FOR_PLACE, self.units.place[target]

    def _city_target(self, u: int, city: int, named: int) -> int:
        """The place that a move into a city attacks: the named unit's, else the lower one with a
        general last; -1 where no foreign unit stands (R26)."""
        units = self.units
        foreign = [v for v in units.standing[city] if units.power[v] != units.power[u]]
        if named in foreign:
            return units.place[named]
        foreign.sort(key=lambda v: (units.units[v].kind == "G", units.place[v]))
        return units.place[foreign[0]] if foreign else -1

    def _match_support(self, u: int, legality: Legality) -> str:
        aim = self.aim[u]
        to = self.to[u]
        does = self.kind[aim]
        moving = does in (MOVE, STUCK, CAUGHT)
        if to < 0:
            if moving:
                return SUPPORT_MOVER
        elif not moving or self.to[aim] != to:
            return SUPPORT_MISMATCH
        elif self._names_other_coast(u, aim):
            return COAST_MISMATCH
        elif self.board.crowded and self._names_other_place(u, aim, legality):
            return SUPPORT_PLACE
        else:
            self.against[u] = self.to_place[aim]
        if self.backers[aim]:
            self.backers[aim].append(u)
        else:
            self.backers[aim] = [u]
        return ""

    def _names_other_coast(self, u: int, aim: int) -> bool:
        """A coast that a support names has to agree with the fleet's move (DATC 6.B.9)."""
        named = self.to_location[u]
        return named >= self.board.n and named != self.to_location[aim] and not self.units.army[aim]

    def _names_other_place(self, u: int, aim: int, legality: Legality) -> bool:
        """A fleet that a support names has to be the one that the move names (R14)."""
        if self.board.capacity[self.to[u]] == 1:
            return False
        order = self.orders[u]
        assert isinstance(order, Support), "only supports are matched"
        named = legality.named(order.to or "")
        if named < 0 or (self.goal[aim] == FOR_CITY and self.to_place[aim] < 0):
            return False
        return self.units.place[named] != self.to_place[aim]

    # -- ways of several legs, and what meets on them --------------------------------------------

    def _lay_legs(self) -> None:
        """Number the legs of the expresses, and find out who is what to whom on a river."""
        first = self.board.first_place
        n = len(self.kind)
        self.mover = list(range(n))
        self.first_leg = list(range(n))
        self.leg_place = list(self.to_place)
        self.first_to = list(self.to_place)
        self.last_from = list(self.units.place)
        for u, course in self.expresses.items():
            passed = [first[province] for province in course.path[:-1]]
            self.first_leg[u] = len(self.mover)
            self.first_to[u] = passed[0]
            self.last_from[u] = passed[-1]
            self.mover += [u] * len(passed)
            self.leg_place += passed
        for u, course in self.expresses.items():
            for other in range(n):
                if other != u:
                    self._relate(u, course, other)

    def _relate(self, u: int, course: Course, other: int) -> None:
        if self.kind[other] != MOVE or self.by_convoy[other]:
            return
        start = self.units.province[other]
        theirs = self.board.course.get((start, self.to[other]))
        if theirs is None or theirs.river != course.river:
            return
        if theirs.direction != course.direction:
            self.relation[u, other] = OPPOSITE if other in self.expresses else ONCOMING
        elif start in course.path:
            self.relation[u, other] = AHEAD
            self.relation[other, u] = BEHIND

    def _lay_contest(self) -> None:
        """Who tries to enter a place: attackers from outside, and expresses on their way."""
        goal, first = self.goal, self.board.first_place
        self.contest = [
            [u for u in movers if goal[u] == FOR_PLACE] if movers else NOBODY
            for movers in self.movers
        ]
        more = [(leg, self.leg_place[leg]) for leg in range(len(goal), len(self.mover))]
        more += [
            (u, first[self.to[u]])
            for u, what in enumerate(goal)
            if what == FOR_CITY and self.kind[u] == MOVE
        ]
        for leg, place in more:
            if self.contest[place]:
                self.contest[place].append(leg)
            else:
                self.contest[place] = [leg]

    def next_leg(self, leg: int) -> int:
        """The leg of an express after a leg that is not its last."""
        after = leg + 1
        u = self.mover[leg]
        return after if after < len(self.mover) and self.mover[after] == u else u
