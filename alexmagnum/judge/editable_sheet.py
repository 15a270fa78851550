"""An order sheet on which the orders of single units are replaced.

Open this file for how searches try thousands of order sets that differ in a few orders: only what
rests on the replaced order is laid out anew.  What orders mean is said in
:mod:`alexmagnum.judge.sheet`, once for both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alexmagnum.board.numbers import NO_PLACE, NO_PROVINCE, NO_UNIT, LegNo, PlaceNo, UnitNo
from alexmagnum.judge.legality import BY_CONVOY, CONVOY_MISMATCH, Legality
from alexmagnum.judge.sheet import (
    CAUGHT,
    CONVOY,
    FOR_CITY,
    FOR_PLACE,
    HOLD,
    MOVE,
    STUCK,
    SUPPORT,
    Sheet,
)
from alexmagnum.orders import Move, Order
from alexmagnum.position import Position


class EditableSheet(Sheet):
    """The orders of one movement phase as tables, in which orders can be replaced.

    After each replacement the tables are those of a new sheet with the same orders; only the
    sequence within lists may differ, on which no result depends.  The entries stay as they were.

    ``helpers``: by unit, the units with a legal order to support it; ``ferries``: by army, the
    fleets with a legal order to convoy it.  Both are listed whether or not their orders match what
    the unit does.
    """

    __slots__ = ("ferries", "helpers", "legality")

    def __init__(
        self, position: Position, orders: Mapping[str, Sequence[Order]], legality: Legality
    ) -> None:
        super().__init__(position, orders, legality)
        self.legality = legality
        self.helpers: list[list[UnitNo]] = [[] for _ in self.numbers]
        self.ferries: list[list[UnitNo]] = [[] for _ in self.numbers]
        for u in self.supporting:
            self.helpers[self.partner[u]].append(u)
        for u in self.convoying:
            self.ferries[self.partner[u]].append(u)
        self._list_contenders()

    def replace_order(self, u: UnitNo, order: Order | None) -> None:
        """Give a unit that takes orders another order of its own; None lets it hold."""
        if order is self.orders[u]:
            return
        on_river = u in self.expresses
        partners = [self.partner[u]] if self.partner[u] >= 0 else []
        movers = self._find_movers(u)
        places: set[PlaceNo] = set()
        for v in movers:
            self._withdraw(v, places)
        self._forget_order(u)
        self.orders[u] = order
        if order is not None:
            self._check_order(u, order, self.legality)
            self._list_order(u, partners)
        self._match_moves(u, movers, partners, places)
        if on_river or u in self.expresses:
            self._number_legs_again()
        else:
            if self.expresses:
                self._update_legs([v for v in {u, *movers} if v not in self.expresses])
            for place in places:
                self._list_contenders_at(place)
        for v in {u, *movers, *partners}:
            self._match_supports_of(v)

    # -- the order itself ------------------------------------------------------------------------

    def _is_moving(self, u: UnitNo) -> bool:
        return self.action[u] in (MOVE, STUCK, CAUGHT)

    def _find_movers(self, u: UnitNo) -> list[UnitNo]:
        """Return the moving units whose moves may change with the order that a unit has now."""
        movers = [u] if self._is_moving(u) else []
        if self.action[u] == CONVOY and self._is_moving(self.partner[u]):
            movers.append(self.partner[u])
        if self.hauls and movers:
            goals = [self.to[v] for v in movers]
            movers += [v for v, over in self.hauls.items() if over in goals and v != u]
        return movers

    def _forget_order(self, u: UnitNo) -> None:
        """Make a unit hold that has been withdrawn from where it moves."""
        partner = self.partner[u]
        if self._is_moving(u):
            self.moving.remove(u)
            self.expresses.pop(u, None)
            self.hauls.pop(u, None)
        elif self.action[u] == SUPPORT:
            self.supporting.remove(u)
            self.helpers[partner].remove(u)
        elif self.action[u] == CONVOY:
            self.convoying.remove(u)
            self.ferries[partner].remove(u)
        self.action[u] = HOLD
        self.fault[u] = ""
        self.to[u] = NO_PROVINCE
        self.to_location[u] = NO_PROVINCE
        self.to_place[u] = NO_PLACE
        self.goal[u] = FOR_PLACE
        self.by_convoy[u] = 0
        self.partner[u] = NO_UNIT
        self.support_target[u] = NO_PLACE

    def _list_order(self, u: UnitNo, partners: list[UnitNo]) -> None:
        """List a support or convoy with its partner."""
        partner = self.partner[u]
        if self.action[u] == SUPPORT:
            self.helpers[partner].append(u)
            partners.append(partner)
        elif self.action[u] == CONVOY:
            self.ferries[partner].append(u)
            partners.append(partner)

    # -- moves that rest on it -------------------------------------------------------------------

    def _withdraw(self, u: UnitNo, places: set[PlaceNo]) -> None:
        """Take a move out of the lists of its destination; add the places there to ``places``."""
        place, to = self.to_place[u], self.to[u]
        if place >= 0:
            self.attackers[place] = [v for v in self.attackers[place] if v != u]
        if to in self.entrants:
            self.entrants[to] = [v for v in self.entrants[to] if v != u]
        self.raider.pop(u, None)
        places.update(self.board.places_of[to])

    def _match_moves(
        self,
        u: UnitNo,
        movers: list[UnitNo],
        partners: Sequence[UnitNo],
        places: set[PlaceNo],
    ) -> None:
        """Enter the moves that rest on the new order of a unit, or on the one before."""
        for v in self._find_movers(u):
            if v not in movers:
                self._withdraw(v, places)
                movers.append(v)
        if not self._is_moving(u) and u in movers:
            movers.remove(u)
        for v in {u, *movers, *partners}:
            if v in movers or not self._is_moving(v):
                self._match_ferries(v)
        for v in movers:
            if v in self.hauls:
                self._catch(v)
        for v in movers:
            self._set_goal(v, self.legality)
            places.update(self.board.places_of[self.to[v]])

    def _match_ferries(self, u: UnitNo) -> None:
        """Find the fleets that carry a unit, if it moves, and whether they join the shores."""
        moving = self._is_moving(u)
        carriers: list[UnitNo] = []
        for fleet in self.ferries[u]:
            if moving and self.to[fleet] == self.to[u]:
                self.fault[fleet] = ""
                carriers.append(fleet)
            else:
                self.fault[fleet] = CONVOY_MISMATCH
        self.carriers[u] = carriers
        if moving:
            order = self.orders[u]
            assert isinstance(order, Move), "only moves move"
            way = self.legality.check_move(u, order)[2]
            self.action[u] = MOVE
            self.fault[u] = ""
            self.by_convoy[u] = int(way == BY_CONVOY)
            if carriers or self.by_convoy[u]:
                self._embark(u, carriers)

    def _match_supports_of(self, u: UnitNo) -> None:
        """Count the supports that match what a unit does."""
        self.supporters[u] = []
        for helper in self.helpers[u]:  # mostly none
            self.support_target[helper] = NO_PLACE
            self.fault[helper] = self._match_support(helper, self.legality)

    # -- rivers, and who tries to enter a place --------------------------------------------------

    def _number_legs_again(self) -> None:
        """Number all legs anew, since an express begins or ends."""
        self.relation = {}
        self.mover = self.numbers
        self.first_leg = self.numbers
        self.legs = self.numbers
        self.leg_place = self.to_place
        self.first_to = self.to_place
        self.last_from = self.units.place
        if self.expresses:
            self._number_legs()
        self._list_contenders()

    def _update_legs(self, changed: Sequence[UnitNo]) -> None:
        """Enter changed moves, none of them an express, into the tables of legs."""
        for u in changed:
            self.leg_place[u] = self.to_place[u]
            self.first_to[u] = self.to_place[u]
            for pair in [pair for pair in self.relation if u in pair]:
                del self.relation[pair]
            self._relate_to_expresses(u)

    def _relate_to_expresses(self, u: UnitNo) -> None:
        """Note what a unit is to each express that it meets on a river."""
        provinces = set(self._list_on_river(u))
        for express, way in self.expresses.items():
            if not provinces.isdisjoint(way.path):
                self._relate(express, way, u)

    def _list_contenders_at(self, place: PlaceNo) -> None:
        """List who tries to enter one place."""
        board, goal = self.board, self.goal
        legs: list[LegNo] = [u for u in self.attackers[place] if goal[u] == FOR_PLACE]
        legs += [leg for leg in self.legs[len(goal) :] if self.leg_place[leg] == place]
        province = board.province_at[place]
        if board.capacity[province] > 1 and board.first_place[province] == place:
            legs += [
                u
                for u in self.moving
                if goal[u] == FOR_CITY and self.to[u] == province and self.action[u] == MOVE
            ]
        self.contenders[place] = legs
