"""Legality: what an order could do on this board with these units, whatever else is ordered."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, NewType

from alexmagnum.board.geography import split_location
from alexmagnum.board.tables import (
    NO_PLACE,
    NO_PROVINCE,
    NO_UNIT,
    BoardTables,
    LocationNo,
    ProvinceNo,
    UnitNo,
)
from alexmagnum.orders import Convoy, Move, Support
from alexmagnum.position import Unit
from alexmagnum.units import UnitTables

# Convoys: which shores fleets join, and which fleets could be needed to carry an army.
#
# Open this file for what a fleet at sea is good for. Routes are never listed: everything here is
# a search over the seas that have a fleet. All functions take and return numbers of the board's
# tables.


Links = dict[ProvinceNo, list[ProvinceNo]]
"""By sea or shore, those beside it over which an army could be carried on."""


def can_cross(
    board: BoardTables, seas: set[ProvinceNo], start: ProvinceNo, end: ProvinceNo
) -> bool:
    """Tell whether an army can get from one land province to another over fleets in these seas."""
    n = board.n
    shore = board.shore
    for sea in board.port[start]:  # mostly one fleet between the shores is enough
        if sea in seas and shore[sea * n + end]:
            return True
    todo = [sea for sea in board.port[start] if sea in seas]
    seen = set(todo)
    while todo:
        sea = todo.pop()
        if shore[sea * n + end]:
            return True
        for other in board.sea_next[sea]:
            if other in seas and other not in seen:
                seen.add(other)
                todo.append(other)
    return False


def find_useful_seas(
    board: BoardTables, seas: Collection[ProvinceNo], start: ProvinceNo, end: ProvinceNo
) -> set[ProvinceNo]:
    """Return the seas whose fleets could be needed to carry an army from ``start`` to ``end``.

    A fleet could be needed if a route over ``seas`` that needs each of its fleets passes its sea;
    any other convoy order is void (DATC 6.F.12, 6.G.7, 6.G.19).  Such a route has no short cut:
    its seas touch only the next, and each shore touches only one of them.
    """
    useful = {sea for sea in board.port[start] if sea in seas and board.shore[sea * board.n + end]}
    links = _link(board, set(seas) - useful, start, end)
    left = _PATIENCE
    for sea in links:
        if sea not in useful:
            route, left = _find_route(links, sea, start, end, left)
            useful.update(route)
    return useful - {start, end}


def _link(board: BoardTables, seas: set[ProvinceNo], start: ProvinceNo, end: ProvinceNo) -> Links:
    """Return the seas and both shores with their neighbours, without what only short cuts use:
    ``seas`` has none that touch both shores (each is a route alone and on no other one), and two
    that touch the same shore are not linked, since no route passes both."""
    links: Links = {start: [], end: []}
    for sea in seas:
        links[sea] = [other for other in board.sea_next[sea] if other in seas]
    for shore in (start, end):
        near = [sea for sea in board.port[shore] if sea in seas]
        links[shore] = near
        for sea in near:
            links[sea] = [*(other for other in links[sea] if other not in near), shore]
    return links


_PATIENCE: Final = 40_000
"""Looks at seas, for one army, after which routes without a short cut are taken to exist.

In theory the search could take for ever; the boards of this package need fewer than 1,500.
"""


def _find_route(
    links: Links, sea: ProvinceNo, start: ProvinceNo, end: ProvinceNo, left: int
) -> tuple[list[ProvinceNo], int]:
    """Return a route without a short cut past ``sea`` (empty if none, the sea alone if patience
    ends), and the patience left of ``left``.  A way grows from the sea towards ``start`` while it
    can get there and leaves one from the sea to ``end`` that does not touch it."""
    shut = _surround(links, [end]) | {sea}
    grown = [[sea]]
    while grown:
        way = grown.pop()
        closed = shut | _surround(links, way[:-1])
        for tip in links[way[-1]]:
            if tip in closed:
                continue
            left -= len(links)
            if left < 0:
                return [sea], left
            longer = [*way, tip]
            rest = _find_way(links, sea, end, _surround(links, longer[1:]) - {sea})
            if rest and tip == start:
                return [*longer, *rest], left
            if rest and _find_way(links, tip, start, (closed | _surround(links, way)) - {tip}):
                grown.append(longer)
    return [], left


def _surround(links: Links, seas: list[ProvinceNo]) -> set[ProvinceNo]:
    """Return these seas and all that touch them."""
    around = set(seas)
    for sea in seas:
        around.update(links[sea])
    return around


def _find_way(
    links: Links, start: ProvinceNo, end: ProvinceNo, closed: set[ProvinceNo]
) -> list[ProvinceNo]:
    """Return a shortest way that enters no closed sea, without its start; empty if none."""
    came_from = {start: start}
    todo = [start]
    for sea in todo:  # it grows meanwhile
        if sea == end:
            break
        for other in links[sea]:
            if other not in came_from and other not in closed:
                came_from[other] = sea
                todo.append(other)
    way: list[ProvinceNo] = []
    sea = end
    while sea in came_from and sea != start:
        way.append(sea)
        sea = came_from[sea]
    return way


# Legality: what an order could do on this board with these units, whatever else is ordered.
#
# Open this file for why an order is refused, and for which unit or place a name means.
#
# As in DATC, an order is *illegal* if nothing else on the board could make it possible. The unit
# then holds, and may be supported to hold. An order is *invalid* if it lacks the order that it
# depends on: :mod:`alexmagnum.judge.sheet` finds that. A unit whose move is invalid tried to move
# all the same, so it cannot be supported to hold.


# Why an order counts for nothing, where several files ask: codes that name sentences.
NO_SUCH_UNIT: Final = "no-unit"
OTHER_COAST: Final = "other-coast"
NO_CONVOY: Final = "no-convoy"
SUPPORT_MISMATCH: Final = "support-mismatch"
SUPPORT_MOVER: Final = "support-mover"
SUPPORT_PLACE: Final = "support-place"
CONVOY_MISMATCH: Final = "convoy-mismatch"
COAST_MISMATCH: Final = "coast-mismatch"

INVALID_CODES: Final = frozenset(
    (NO_CONVOY, CONVOY_MISMATCH, COAST_MISMATCH, SUPPORT_MISMATCH, SUPPORT_MOVER, SUPPORT_PLACE)
)

Way = NewType("Way", int)
"""The way a move goes."""

ON_FOOT: Final = Way(0)  # a step across a border at most
BY_CONVOY: Final = Way(1)  # over fleets (DATC 4.A)
EXPRESS: Final = Way(2)  # up or down a river (R18)
HAULED: Final = Way(3)  # over land between two seas (R23)

Checked = tuple[str, UnitNo, LocationNo]
"""A support or convoy that was checked: (fault, its partner, location it helps the partner to)."""


def find_unit(units: Iterable[Unit], name: str) -> Unit | None:
    """Return the unit that a name such as ``F EGE#2`` means; None if none or several fit.

    A number decides (R8).  Without a number the only unit there is meant, whatever letter or
    coast was written (DATC 6.B.10).  Of two units in one city the letter tells which (R26).
    """
    province, _, number = split_location(name[2:] if name[1:2] == " " else name)
    there = [unit for unit in units if unit.province == province and number in (0, unit.number)]
    if len(there) > 1:
        there = [unit for unit in there if unit.kind == name[:1]]
    return there[0] if len(there) == 1 else None


class Legality:
    """The answers for the units of one position; all answers are numbers of the tables.

    Every check returns a fault (a code, "" if the order is legal) and what a legal order means.
    """

    __slots__ = ("_useful_seas", "board", "fleets_at_sea", "units")

    def __init__(self, board: BoardTables, units: UnitTables) -> None:
        self.board = board
        self.units = units
        self.fleets_at_sea: set[ProvinceNo] | None = None
        self._useful_seas: dict[tuple[ProvinceNo, ProvinceNo], set[ProvinceNo]] = {}

    # -- names -----------------------------------------------------------------------------------

    def find_unit(self, name: str) -> UnitNo:
        """Return the unit that a name means; none if none or several fit."""
        place = self.board.unit_places.get(name, NO_PLACE)  # most names can mean one place alone
        if place >= 0:
            return self.units.occupant[place]
        u = self.units.by_name.get(name, NO_UNIT)
        if u >= 0:
            return u
        unit = find_unit(self.units.units, name)
        return NO_UNIT if unit is None else self.units.number_of(unit)

    def find_location(self, text: str) -> LocationNo:
        """Return the location that a text names, ignoring a superfluous coast or place number."""
        location = self.board.location.get(text, NO_PROVINCE)  # most texts are plain
        if location >= 0:
            return location
        name = text.partition("#")[0]
        location = self.board.location.get(name, NO_PROVINCE)
        if location >= 0:
            return location
        return self.board.location.get(name.partition("/")[0], NO_PROVINCE)

    def find_target(self, text: str) -> UnitNo:
        """Return the unit that a destination names by its place (R11); none if it names none."""
        if "#" not in text:
            return NO_UNIT
        place, _, number = text.partition("#")
        province = self.board.index.get(place, NO_PROVINCE)
        if not number or province < 0:
            return NO_UNIT
        for u in self.units.units_in[province]:
            if self.units.units[u].place == text:
                return u
        return NO_UNIT

    # -- moves -----------------------------------------------------------------------------------

    def check_move(self, u: UnitNo, order: Move) -> tuple[str, LocationNo, Way]:
        """Check a move; return its fault, the location it goes to, and how it goes."""
        board, units = self.board, self.units
        location = board.location.get(order.to, NO_PROVINCE)
        if location < 0:
            location = self.find_location(order.to)
            if location < 0:
                return "not-adjacent", NO_PROVINCE, ON_FOOT
        to = board.province_of[location]
        if to == units.province[u]:
            return self._check_attack_inside(u, order)
        if units.army[u]:
            return self._check_march(u, to, order.via_convoy)
        if order.via_convoy:
            return "fleet-carried", NO_PROVINCE, ON_FOOT
        landing = self._find_landing(u, location)
        if landing >= 0:
            return "", landing, ON_FOOT
        if way := self._find_long_way(units.province[u], to):
            return "", to, way
        return self._landing_fault(u, order, to), NO_PROVINCE, ON_FOOT

    def _check_attack_inside(self, u: UnitNo, order: Move) -> tuple[str, LocationNo, Way]:
        """Check a move at a fleet of the sea that the unit itself stands in (R11a)."""
        here = self.units.province[u]
        if not self.board.is_sea[here] or self.find_target(order.to) in (NO_UNIT, u):
            return "same-province", NO_PROVINCE, ON_FOOT
        return "", here, ON_FOOT

    def _check_march(
        self, u: UnitNo, to: ProvinceNo, via_convoy: bool
    ) -> tuple[str, LocationNo, Way]:
        """Check an army's move: on foot, or over fleets that might carry it."""
        board = self.board
        here = self.units.province[u]
        if board.army_next[here * board.n + to] and not via_convoy:
            return "", to, ON_FOOT
        if not board.holds_armies[to]:
            return "army-at-sea", NO_PROVINCE, ON_FOOT
        if not self._can_be_convoyed(here, to):
            fault = "no-route" if board.port[here] and board.port[to] else "not-adjacent"
            return fault, NO_PROVINCE, ON_FOOT
        return "", to, BY_CONVOY

    def _find_long_way(self, here: ProvinceNo, to: ProvinceNo) -> Way:
        """Return how a fleet gets to a province that it does not touch; ON_FOOT if it cannot."""
        if (here, to) in self.board.course:
            return EXPRESS
        return HAULED if (here, to) in self.board.haul else ON_FOOT

    def _find_landing(self, u: UnitNo, location: LocationNo) -> LocationNo:
        """Return where a fleet lands; the one coast it can reach is assumed (DATC 6.B.2)."""
        board = self.board
        here = self.units.location[u] * len(board.location_names)
        if board.fleet_next[here + location]:
            return location
        coasts = board.coasts_of[location] if location < board.n else ()
        reached = [coast for coast in coasts if board.fleet_next[here + coast]]
        return reached[0] if len(reached) == 1 else NO_PROVINCE

    def _landing_fault(self, u: UnitNo, order: Move, to: ProvinceNo) -> str:
        """Return why a fleet cannot land there."""
        board, units = self.board, self.units
        if not board.fleet_reach[units.location[u] * board.n + to]:
            written = board.location.get(order.unit[2:], NO_PROVINCE)
            if written >= board.n and board.fleet_reach[written * board.n + to]:
                return OTHER_COAST
            return "not-adjacent"
        return "wrong-coast" if "/" in order.to else "coast-needed"

    # -- supports --------------------------------------------------------------------------------

    def check_support(self, u: UnitNo, order: Support) -> Checked:
        """Check a support; its location is None if it supports its partner in place."""
        board, units = self.board, self.units
        if (partner := self.find_unit(order.supported)) < 0:
            return NO_SUCH_UNIT, NO_UNIT, NO_PROVINCE
        if partner == u:
            return "self-support", partner, NO_PROVINCE
        location: LocationNo = NO_PROVINCE
        province = units.province[partner]
        if order.to is not None:
            if (location := self.find_location(order.to)) < 0:
                return "support-reach", partner, NO_PROVINCE
            province = board.province_of[location]
            if province == units.province[partner]:
                possible = self._could_attack_inside(partner, order.to)
            else:
                possible = self._could_move(partner, province, u)
            if not possible:
                return "support-impossible", partner, NO_PROVINCE
        return "" if self._reaches(u, province) else "support-reach", partner, location

    def _could_attack_inside(self, u: UnitNo, to: str) -> bool:
        """Tell whether there is another fleet in its own sea that a unit could attack (R11a)."""
        here = self.units.province[u]
        others = len(self.units.units_in[here]) > 1
        return bool(self.board.is_sea[here]) and others and self.find_target(to) != u

    def _could_move(self, u: UnitNo, to: ProvinceNo, supporter: UnitNo) -> bool:
        """Tell whether a supported unit could get there; its supporter convoys nobody (6.D.31)."""
        here, board = self.units.province[u], self.board
        if self._reaches(u, to):
            return True
        if not self.units.army[u]:
            return bool(self._find_long_way(here, to))
        return bool(board.holds_armies[to]) and self._can_be_convoyed(here, to, supporter)

    def _reaches(self, u: UnitNo, province: ProvinceNo) -> bool:
        """Tell whether a unit could move there if it were free to, which is what support asks;
        where a province has several places, its units reach the other places (R14)."""
        board, units = self.board, self.units
        if province == units.province[u]:
            return board.capacity[province] > 1
        if units.army[u]:
            return bool(board.army_next[units.province[u] * board.n + province])
        return bool(board.fleet_reach[units.location[u] * board.n + province])

    # -- convoys ---------------------------------------------------------------------------------

    def check_convoy(self, u: UnitNo, order: Convoy) -> Checked:
        """Check the convoy of a fleet."""
        units = self.units
        if units.army[u] or not self.board.is_sea[units.province[u]]:
            return "convoy-fleet", NO_UNIT, NO_PROVINCE
        if (partner := self.find_unit(order.army)) < 0:
            return NO_SUCH_UNIT, NO_UNIT, NO_PROVINCE
        if not units.army[partner]:
            return "convoy-army", partner, NO_PROVINCE
        if (location := self.find_location(order.to)) < 0:
            return "convoy-land", partner, NO_PROVINCE
        end = self.board.province_of[location]
        fault = self._route_fault(units.province[u], units.province[partner], end)
        return fault, partner, NO_PROVINCE if fault else end

    def _route_fault(self, sea: ProvinceNo, start: ProvinceNo, end: ProvinceNo) -> str:
        """Return why a fleet in a sea cannot help an army from one shore to another, or ""."""
        board = self.board
        if not board.holds_armies[end]:
            return "convoy-land"
        if start == end:
            return "same-province"
        row = sea * board.n
        if board.shore[row + start] and board.shore[row + end]:
            return ""
        if (useful := self._useful_seas.get((start, end))) is None:
            useful = find_useful_seas(board, self._seas_with_fleets(), start, end)
            self._useful_seas[start, end] = self._useful_seas[end, start] = useful
        return "" if sea in useful else "off-route"

    def _can_be_convoyed(
        self, start: ProvinceNo, end: ProvinceNo, without: UnitNo = NO_UNIT
    ) -> bool:
        """Tell whether the fleets at sea, except the unit ``without``, join two shores."""
        seas = self._seas_with_fleets()
        if without >= 0:
            sea = self.units.province[without]
            if sea in seas and len(self.units.units_in[sea]) == 1:
                seas = seas - {sea}
        return can_cross(self.board, seas, start, end)

    def _seas_with_fleets(self) -> set[ProvinceNo]:
        if self.fleets_at_sea is None:
            self.fleets_at_sea = {p for p in self.units.province if self.board.is_sea[p]}
        return self.fleets_at_sea
