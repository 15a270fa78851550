"""Legality: what an order could do on this board with these units, whatever else is ordered.

Two faults are told apart, as in DATC.  An order is *illegal* if nothing else on the board could
make it possible (the unit then holds, and may be supported to hold); that is found here.  It is
*invalid* if it lacks the order that it depends on, which :mod:`alexmagnum.judge.sheet` finds (a
unit whose move is invalid tried to move all the same, so it cannot be supported to hold).
"""

from __future__ import annotations

from alexmagnum.board.tables import BoardTables
from alexmagnum.judge.convoys import joined, useful
from alexmagnum.judge.unit_names import meant
from alexmagnum.orders import Convoy, Move, Order, Support
from alexmagnum.position import UnitTables

# Why an order is void; the codes name sentences in the catalogues.
NO_UNIT = "no-unit"
GARRISON = "garrison-holds"
NOT_YOURS = "not-yours"
WRONG_PHASE = "wrong-phase"
IN_REVOLT = "in-revolt"
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
SUPPORT_PLACE = "support-place"
CONVOY_MISMATCH = "convoy-mismatch"
COAST_MISMATCH = "coast-mismatch"

ILLEGAL_CODES = frozenset(
    {
        NO_UNIT,
        GARRISON,
        NOT_YOURS,
        WRONG_PHASE,
        IN_REVOLT,
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
    {
        *(NO_CONVOY, CONVOY_MISMATCH, COAST_MISMATCH),
        *(SUPPORT_MISMATCH, SUPPORT_MOVER, SUPPORT_PLACE),
    }
)


ON_FOOT, BY_CONVOY, EXPRESS, HAULED = range(4)
"""The ways of a move: a step at most, over fleets (DATC 4.A), up or down a river (R18), or over
land between two seas (R23)."""


class Legality:
    """Answers for the units of one position; all answers are numbers of the tables.

    Every check returns a fault (a code, "" if the order is legal) and what a legal order means.
    """

    __slots__ = ("board", "fleets_at_sea", "units")

    def __init__(self, board: BoardTables, units: UnitTables) -> None:
        self.board = board
        self.units = units
        self.fleets_at_sea: set[int] | None = None

    def find(self, name: str) -> int:
        """The unit that a name means, -1 if none or several fit; most names are canonical."""
        u = self.units.named.get(name, -1)
        if u < 0:
            unit = meant(self.units.units, name)
            u = -1 if unit is None else self.units.units.index(unit)
        return u

    def destination(self, text: str) -> int:
        """The location that a text names, a superfluous coast or place number aside; or -1."""
        location = self.board.location.get(text, -1)
        if location >= 0:
            return location
        name = text.partition("#")[0]
        location = self.board.location.get(name, -1)
        return location if location >= 0 else self.board.location.get(name.partition("/")[0], -1)

    def named(self, text: str) -> int:
        """The unit that a destination names by its place (R11); -1 if it names none."""
        place, _, number = text.partition("#")
        province = self.board.index.get(place, -1)
        if not number or province < 0:
            return -1
        for u in self.units.standing[province]:
            if self.units.units[u].place == text:
                return u
        return -1

    def move(self, u: int, order: Move) -> tuple[str, int, int]:
        """(fault, location it goes to, its way)."""
        board, units = self.board, self.units
        location = self.destination(order.to)
        if location < 0:
            return NOT_ADJACENT, -1, ON_FOOT
        to = board.province_of[location]
        if to == units.province[u]:
            return self._attack_inside(u, order)
        if units.army[u]:
            return self._march(u, to, order.via_convoy)
        if order.via_convoy:
            return FLEET_CARRIED, -1, ON_FOOT
        landing = self._landing(u, location)
        if landing >= 0:
            return "", landing, ON_FOOT
        way = self._long_way(units.province[u], to)
        return ("", to, way) if way else (self._no_landing(u, order, to), -1, ON_FOOT)

    def _attack_inside(self, u: int, order: Move) -> tuple[str, int, int]:
        """A move at a fleet of the sea that the unit itself stands in (R11a)."""
        here = self.units.province[u]
        target = self.named(order.to)
        if not self.board.is_sea[here] or target in (-1, u):
            return SAME_PROVINCE, -1, ON_FOOT
        return "", here, ON_FOOT

    def _long_way(self, here: int, to: int) -> int:
        """How a fleet gets to a province that it does not touch: EXPRESS, HAULED, or 0 if not."""
        if (here, to) in self.board.course:
            return EXPRESS
        return HAULED if (here, to) in self.board.haul else 0

    def _march(self, u: int, to: int, via_convoy: bool) -> tuple[str, int, int]:
        """An army's move: on foot, or over fleets that might carry it."""
        board = self.board
        here = self.units.province[u]
        if board.army_next[here * board.n + to] and not via_convoy:
            return "", to, ON_FOOT
        if not board.holds_armies[to]:
            return ARMY_AT_SEA, -1, ON_FOOT
        if not self._can_be_convoyed(here, to):
            fault = NO_ROUTE if board.port[here] and board.port[to] else NOT_ADJACENT
            return fault, -1, ON_FOOT
        return "", to, BY_CONVOY

    def _landing(self, u: int, location: int) -> int:
        """Where a fleet lands: the one coast it can reach is assumed (DATC 6.B.2); else -1."""
        board = self.board
        here = self.units.location[u] * len(board.location_names)
        if board.fleet_next[here + location]:
            return location
        coasts = board.coasts_of[location] if location < board.n else ()
        reached = [coast for coast in coasts if board.fleet_next[here + coast]]
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

    def support(self, u: int, order: Support) -> tuple[str, int, int]:
        """(fault, supported unit, location it is supported to; -1: where it stands)."""
        board, units = self.board, self.units
        aim = self.find(order.supported)
        if aim < 0:
            return NO_UNIT, -1, -1
        if aim == u:
            return SELF_SUPPORT, aim, -1
        location = -1
        province = units.province[aim]
        if order.to is not None:
            location = self.destination(order.to)
            if location < 0:
                return SUPPORT_REACH, aim, -1
            province = board.province_of[location]
            if province == units.province[aim]:
                possible = self._could_attack_inside(aim, order.to)
            else:
                possible = self._could_move(aim, province, u)
            if not possible:
                return SUPPORT_IMPOSSIBLE, aim, -1
        return "" if self._reaches(u, province) else SUPPORT_REACH, aim, location

    def convoy(self, u: int, order: Convoy) -> tuple[str, int, int]:
        """(fault, convoyed army, province it is brought to)."""
        board, units = self.board, self.units
        sea = units.province[u]
        if units.army[u] or not board.is_sea[sea]:
            return CONVOY_FLEET, -1, -1
        aim = self.find(order.army)
        if aim < 0:
            return NO_UNIT, -1, -1
        if not units.army[aim]:
            return CONVOY_ARMY, aim, -1
        location = self.destination(order.to)
        if location < 0 or not board.holds_armies[board.province_of[location]]:
            return CONVOY_LAND, aim, -1
        start, end = units.province[aim], board.province_of[location]
        if start == end:
            return SAME_PROVINCE, aim, -1
        row = sea * board.n
        direct = board.shore[row + start] and board.shore[row + end]
        if direct or useful(board, self._seas_with_fleets(), sea, start, end):
            return "", aim, end
        return OFF_ROUTE, aim, -1

    def _could_attack_inside(self, u: int, to: str) -> bool:
        """Is there another fleet in its own sea that a unit could attack (R11a)?"""
        here = self.units.province[u]
        others = len(self.units.standing[here]) > 1
        return bool(self.board.is_sea[here]) and others and self.named(to) != u

    def _could_move(self, u: int, to: int, backer: int) -> bool:
        """Could the supported unit get there?  A fleet that supports convoys nobody (6.D.31)."""
        here, board = self.units.province[u], self.board
        if self._reaches(u, to):
            return True
        if not self.units.army[u]:
            return bool(self._long_way(here, to))
        return bool(board.holds_armies[to]) and self._can_be_convoyed(here, to, backer)

    def _reaches(self, u: int, province: int) -> bool:
        """Could this unit move there if it were free to (which is what support asks)?

        Where a province has several places, its units reach the others (R14).
        """
        board, units = self.board, self.units
        if province == units.province[u]:
            return board.capacity[province] > 1
        if units.army[u]:
            return bool(board.army_next[units.province[u] * board.n + province])
        return bool(board.fleet_reach[units.location[u] * board.n + province])

    def _can_be_convoyed(self, start: int, end: int, without: int = -1) -> bool:
        """Do the fleets at sea, but for the unit ``without``, join two shores?"""
        seas = self._seas_with_fleets()
        if without >= 0:
            sea = self.units.province[without]
            if sea in seas and len(self.units.standing[sea]) == 1:
                seas = seas - {sea}
        return joined(self.board, seas, start, end)

    def _seas_with_fleets(self) -> set[int]:
        if self.fleets_at_sea is None:
            self.fleets_at_sea = {p for p in self.units.province if self.board.is_sea[p]}
        return self.fleets_at_sea


class Memory(Legality):
    """The same for who judges the same orders of one position again and again: each order, and
    each name, is looked at once."""

    __slots__ = ("_names", "_orders")

    def __init__(self, board: BoardTables, units: UnitTables) -> None:
        super().__init__(board, units)
        self._orders: dict[int, tuple[Order, tuple[str, int, int]]] = {}
        self._names: dict[str, int] = {}

    def __reduce__(self) -> tuple[type[Memory], tuple[BoardTables, UnitTables]]:
        # What is remembered goes by where orders lie in this process.
        return Memory, (self.board, self.units)

    def named(self, text: str) -> int:
        u = self._names.get(text)
        if u is None:
            u = self._names[text] = super().named(text)
        return u

    def move(self, u: int, order: Move) -> tuple[str, int, int]:
        known = self._orders.get(id(order))
        return known[1] if known else self._remember(order, super().move(u, order))

    def support(self, u: int, order: Support) -> tuple[str, int, int]:
        known = self._orders.get(id(order))
        return known[1] if known else self._remember(order, super().support(u, order))

    def convoy(self, u: int, order: Convoy) -> tuple[str, int, int]:
        known = self._orders.get(id(order))
        return known[1] if known else self._remember(order, super().convoy(u, order))

    def _remember(self, order: Order, found: tuple[str, int, int]) -> tuple[str, int, int]:
        self._orders[id(order)] = order, found  # with the order, so that it stays where it is
        return found
