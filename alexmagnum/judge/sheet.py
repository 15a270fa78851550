"""The order sheet: every order checked once and laid out in integer tables for the resolver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.board.tables import BoardTables
from alexmagnum.judge.convoys import joined
from alexmagnum.judge.legality import (
    COAST_MISMATCH,
    CONVOY_MISMATCH,
    GARRISON,
    NO_CONVOY,
    NO_UNIT,
    NOT_YOURS,
    SUPPORT_MISMATCH,
    SUPPORT_MOVER,
    WRONG_PHASE,
    Legality,
)
from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from alexmagnum.position import Position, UnitTables

HOLD, MOVE, SUPPORT, CONVOY, STUCK = range(5)
"""What a unit does once its order is checked; STUCK: its move has no convoy."""

NOBODY: list[int] = []
"""The empty list that tables share until something is added."""


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
        legality = Legality(self.board, self.units)
        self._take(orders, legality)
        self._check(legality)
        self._match()

    def _take(self, orders: Mapping[str, Sequence[Order]], legality: Legality) -> None:
        """Give every unit the last order that its own power wrote for it."""
        units = self.units.units
        for power, listed in orders.items():
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
                void[u], location, self.by_convoy[u] = legality.move(u, order)
                if not void[u]:
                    self._lay(u, MOVE, location)
            elif isinstance(order, Support):
                void[u], self.aim[u], location = legality.support(u, order)
                if not void[u]:
                    self._lay(u, SUPPORT, location)
                    self.against[u] = self.to[u]
            elif isinstance(order, Convoy):
                void[u], self.aim[u], location = legality.convoy(u, order)
                if not void[u]:
                    self._lay(u, CONVOY, location)

    def _lay(self, u: int, does: int, location: int) -> None:
        self.kind[u] = does
        if location >= 0:
            self.to_location[u] = location
            self.to[u] = self.board.province_of[location]

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
