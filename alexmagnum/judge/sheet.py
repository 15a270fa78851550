"""The order sheet: every order checked once and laid out in integer tables for the resolver.

Two faults are told apart, as in DATC: an order is *illegal* if nothing else on the board could
make it possible (the unit then holds, and may be supported to hold); it is *invalid* if it
lacks the order that it depends on (a unit whose move is invalid tries to move all the same, so
it cannot be supported to hold).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.board.tables import BoardTables
from alexmagnum.judge.convoys import joined, useful
from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from alexmagnum.position import Position, UnitTables

HOLD, MOVE, SUPPORT, CONVOY, STUCK = range(5)
"""What a unit does once its order is checked; STUCK: its move has no convoy."""

NOBODY: list[int] = []
"""The empty list that tables share until something is added."""

# Why an order is void; the codes name sentences in the catalogues.
NO_UNIT = "no-unit"
NOT_YOURS = "not-yours"
WRONG_PHASE = "wrong-phase"
REPLACED = "replaced"
SAME_PROVINCE = "same-province"
NOT_ADJACENT = "not-adjacent"
ARMY_AT_SEA = "army-at-sea"
NO_ROUTE = "no-route"
FLEET_CARRIED = "fleet-carried"
COAST_NEEDED = "coast-needed"
WRONG_COAST = "wrong-coast"
OTHER_COAST = "other-coast"
SELF_SUPPORT = "self-support"
SUPPORT_REACH = "support-reach"
SUPPORT_IMPOSSIBLE = "support-impossible"
CONVOY_FLEET = "convoy-fleet"
CONVOY_ARMY = "convoy-army"
CONVOY_LAND = "convoy-land"
OFF_ROUTE = "off-route"
NO_CONVOY = "no-convoy"
SUPPORT_MISMATCH = "support-mismatch"
SUPPORT_MOVER = "support-mover"
CONVOY_MISMATCH = "convoy-mismatch"
COAST_MISMATCH = "coast-mismatch"

ILLEGAL_CODES = frozenset(
    {
        NO_UNIT,
        NOT_YOURS,
        WRONG_PHASE,
        REPLACED,
        SAME_PROVINCE,
        NOT_ADJACENT,
        ARMY_AT_SEA,
        NO_ROUTE,
        FLEET_CARRIED,
        COAST_NEEDED,
        WRONG_COAST,
        SELF_SUPPORT,
        SUPPORT_REACH,
        SUPPORT_IMPOSSIBLE,
        CONVOY_FLEET,
        CONVOY_ARMY,
        CONVOY_LAND,
        OFF_ROUTE,
    }
)
INVALID_CODES = frozenset(
    {NO_CONVOY, SUPPORT_MISMATCH, SUPPORT_MOVER, CONVOY_MISMATCH, COAST_MISMATCH}
)


class Sheet:
    """The orders of a movement phase, by unit number.

    ``kind``: what the unit does; ``to``: province it moves to (or -1); ``to_location``: the
    same with the coast; ``to_place``: the place it goes for; ``by_convoy``: 1 if it moves by
    convoy; ``aim``: unit that it supports or convoys; ``against``: province that its support
    is directed against (-1: none); ``void``: why its order counts for nothing, or "".

    ``movers``: by place, the units that go for it; ``backers``: by unit, the supports that
    match what it does; ``carriers``: by convoyed unit, the fleets with the matching order;
    ``entries``: every order as listed, with its unit (-1: none) and fault ("": none yet).
    """

    __slots__ = (
        "against",
        "aim",
        "backers",
        "board",
        "by_convoy",
        "carriers",
        "entries",
        "fleets_at_sea",
        "kind",
        "movers",
        "orders",
        "to",
        "to_location",
        "to_place",
        "units",
        "void",
    )

    def __init__(self, position: Position, orders: Mapping[str, Sequence[Order]]) -> None:
        self.board: BoardTables = position.board.tables
        self.units: UnitTables = position.tables
        n = len(self.units.units)
        self.kind: list[int] = [HOLD] * n
        self.to: list[int] = [-1] * n
        self.to_location: list[int] = [-1] * n
        self.to_place: list[int] = [-1] * n
        self.by_convoy: list[int] = [0] * n
        self.aim: list[int] = [-1] * n
        self.against: list[int] = [-1] * n
        self.void: list[str] = [""] * n
        self.orders: list[Order | None] = [None] * n
        self.movers: list[list[int]] = [NOBODY] * self.board.places
        self.backers: list[list[int]] = [NOBODY] * n
        self.carriers: list[list[int]] = [NOBODY] * n
        self.entries: list[tuple[str, Order, int, str]] = []
        self.fleets_at_sea: set[int] | None = None
        self._take(position, orders)
        self._check()
        self._match()

    def _take(self, position: Position, orders: Mapping[str, Sequence[Order]]) -> None:
        """Give every unit the last order that its own power wrote for it."""
        named, units = self.units.named, self.units.units
        for power, listed in orders.items():
            for order in listed:
                fault = ""
                u = -1
                if isinstance(order, (Move, Support, Hold, Convoy)):
                    u = named.get(order.unit, -1)
                    if u < 0:
                        u = self.find(order.unit)
                    if u < 0:
                        fault = NO_UNIT
                    elif units[u].power != power or power == INDEPENDENT:
                        fault = NOT_YOURS
                    else:
                        self.orders[u] = order
                else:
                    fault = WRONG_PHASE
                self.entries.append((power, order, u, fault))

    def find(self, name: str) -> int:
        """The unit that a name means: a wrong letter or coast does not matter (DATC 6.B.10).

        A place number that is missing does not matter either where one unit stands there.
        """
        u = self.units.named.get(name, -1)
        if u >= 0:
            return u
        location = name[2:] if name[1:2] == " " else name
        place, _, number = location.partition("#")
        province = self.board.index.get(place.partition("/")[0], -1)
        if province < 0:
            return -1
        standing = self.units.standing[province]
        if number:
            for u in standing:
                if self.units.units[u].place == location:
                    return u
            return -1
        return standing[0] if len(standing) == 1 else -1

    # -- legality: what is possible on this board with these units --------------------------

    def _check(self) -> None:
        void = self.void
        for u, order in enumerate(self.orders):
            if isinstance(order, Move):
                void[u] = self._check_move(u, order)
            elif isinstance(order, Support):
                void[u] = self._check_support(u, order)
            elif isinstance(order, Convoy):
                void[u] = self._check_convoy(u, order)

    def _check_move(self, u: int, order: Move) -> str:
        board, units = self.board, self.units
        location = board.location.get(order.to, -1)
        if location < 0:
            location = self.destination(order.to)
            if location < 0:
                return NOT_ADJACENT
        to = board.province_of[location]
        here = units.province[u]
        if to == here:
            return SAME_PROVINCE
        if units.army[u]:
            if not board.army_next[here * board.n + to] or order.via_convoy:
                if not board.holds_armies[to]:
                    return ARMY_AT_SEA
                if not self._can_be_convoyed(here, to):
                    return NO_ROUTE if board.port[here] and board.port[to] else NOT_ADJACENT
                self.by_convoy[u] = 1
            location = to
        else:
            if order.via_convoy:
                return FLEET_CARRIED
            location = self._landing(u, location)
            if location < 0:
                fault = self._no_landing(u, order, to)
                if fault:
                    return fault
        self.kind[u] = MOVE
        self.to[u] = to
        self.to_location[u] = location
        return ""

    def destination(self, text: str) -> int:
        """The location number of a destination with a superfluous coast or a place number."""
        name = text.partition("#")[0]
        location = self.board.location.get(name, -1)
        return location if location >= 0 else self.board.location.get(name.partition("/")[0], -1)

    def _landing(self, u: int, location: int) -> int:
        """Where a fleet lands: the one coast it can reach is assumed (DATC 6.B.2); else -1."""
        board = self.board
        here = self.units.location[u] * len(board.location_names)
        if board.fleet_next[here + location]:
            return location
        reached = [coast for coast in _coasts(board, location) if board.fleet_next[here + coast]]
        return reached[0] if len(reached) == 1 else -1

    def _no_landing(self, u: int, order: Move, to: int) -> str:
        """Why a fleet cannot move there."""
        board, units = self.board, self.units
        if not board.fleet_reach[units.location[u] * board.n + to]:
            written = board.location.get(order.unit[2:], -1)
            if written >= board.n and board.fleet_reach[written * board.n + to]:
                return OTHER_COAST
            return NOT_ADJACENT
        return WRONG_COAST if "/" in order.to else COAST_NEEDED

    def _can_be_convoyed(self, start: int, end: int, without: int = -1) -> bool:
        """Do the fleets at sea join two shores, but for the one in the sea ``without``?"""
        seas = self._seas_with_fleets()
        return joined(self.board, seas - {without} if without in seas else seas, start, end)

    def _seas_with_fleets(self) -> set[int]:
        if self.fleets_at_sea is None:
            self.fleets_at_sea = {p for p in self.units.province if self.board.is_sea[p]}
        return self.fleets_at_sea

    def _reaches(self, u: int, province: int) -> bool:
        """Could this unit move there if it were free to (which is what support asks)?"""
        board, units = self.board, self.units
        if units.army[u]:
            return bool(board.army_next[units.province[u] * board.n + province])
        return bool(board.fleet_reach[units.location[u] * board.n + province])

    def _check_support(self, u: int, order: Support) -> str:
        units = self.units
        aim = units.named.get(order.supported, -1)
        if aim < 0:
            aim = self.find(order.supported)
            if aim < 0:
                return NO_UNIT
        if aim == u:
            return SELF_SUPPORT
        if order.to is None:
            province = units.province[aim]
        else:
            location = self.board.location.get(order.to, -1)
            if location < 0:
                location = self.destination(order.to)
                if location < 0:
                    return SUPPORT_REACH
            province = self.board.province_of[location]
            if not self._could_move(aim, province, units.province[u]):
                return SUPPORT_IMPOSSIBLE
            self.to[u] = province
            self.to_location[u] = location
            self.against[u] = province
        if not self._reaches(u, province):
            return SUPPORT_REACH
        self.kind[u] = SUPPORT
        self.aim[u] = aim
        return ""

    def _could_move(self, u: int, to: int, backer: int) -> bool:
        """Could the supported unit get there?  A fleet that supports convoys nobody (6.D.31)."""
        if self._reaches(u, to):
            return True
        here, board = self.units.province[u], self.board
        return (
            here != to
            and bool(self.units.army[u] and board.holds_armies[to])
            and self._can_be_convoyed(here, to, backer)
        )

    def _check_convoy(self, u: int, order: Convoy) -> str:
        board, units = self.board, self.units
        sea = units.province[u]
        if units.army[u] or not board.is_sea[sea]:
            return CONVOY_FLEET
        aim = self.find(order.army)
        if aim < 0:
            return NO_UNIT
        if not units.army[aim]:
            return CONVOY_ARMY
        location = self.destination(order.to)
        if location < 0 or not board.holds_armies[board.province_of[location]]:
            return CONVOY_LAND
        start, end = units.province[aim], board.province_of[location]
        if start == end:
            return SAME_PROVINCE
        board_row = sea * board.n
        if not (board.shore[board_row + start] and board.shore[board_row + end]) and not useful(
            board, self._seas_with_fleets(), sea, start, end
        ):
            return OFF_ROUTE
        self.kind[u] = CONVOY
        self.aim[u] = aim
        self.to[u] = end
        return ""

    # -- validity: whether the order that another depends on is there --------------------------

    def _match(self) -> None:
        kind, to, void = self.kind, self.to, self.void
        for u, does in enumerate(kind):
            if does == CONVOY:
                army = self.aim[u]
                if kind[army] != MOVE or to[army] != to[u]:
                    void[u] = CONVOY_MISMATCH
                elif self.carriers[army]:
                    self.carriers[army].append(u)
                else:
                    self.carriers[army] = [u]
        for u, does in enumerate(kind):
            if does == MOVE:
                self._set_off(u)
        for u, does in enumerate(kind):
            if does == SUPPORT:
                void[u] = self._match_support(u)

    def _set_off(self, u: int) -> None:
        """Enter a move for the place it goes for, unless it lacks its convoy."""
        carriers = self.carriers[u]
        if carriers or self.by_convoy[u]:
            self._embark(u, carriers)
            if self.kind[u] == STUCK:
                return
        place = self.board.first_place[self.to[u]]
        self.to_place[u] = place
        if self.movers[place]:
            self.movers[place].append(u)
        else:
            self.movers[place] = [u]

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

    def _match_support(self, u: int) -> str:
        aim = self.aim[u]
        to = self.to[u]
        does = self.kind[aim]
        if to < 0:
            if does in (MOVE, STUCK):
                return SUPPORT_MOVER
        elif does not in (MOVE, STUCK) or self.to[aim] != to:
            return SUPPORT_MISMATCH
        elif self._names_other_coast(u, aim):
            return COAST_MISMATCH
        if self.backers[aim]:
            self.backers[aim].append(u)
        else:
            self.backers[aim] = [u]
        return ""

    def _names_other_coast(self, u: int, aim: int) -> bool:
        """A coast that a support names has to agree with the fleet's move (DATC 6.B.9)."""
        named = self.to_location[u]
        return named >= self.board.n and named != self.to_location[aim] and not self.units.army[aim]


def _coasts(board: BoardTables, location: int) -> tuple[int, ...]:
    return board.coasts_of[location] if location < board.n else ()
