"""Which orders can be given: every legal order of a unit or a power, in every kind of phase.

The judge's own legality is asked about each conceivable order, so that nothing is offered that
it would call illegal.  What an order needs of others (a convoy, the move that a support is for)
may be missing: that is for the player to arrange.

Each meaning is offered once, in the form in which the notation writes it: the coast only where
there is a choice, ``via convoy`` only where the army could also walk.  Left out, though the
judge takes them, are orders that can do nothing, whatever else is ordered:

- supports of a move, and convoys, of units that take no orders (garrisons, R27; revolts, R3);
- supports of an attack on the supporting fleet itself (they count only if it stays undislodged);
- supports that name a coast which the fleet cannot reach;
- numbers that no unit bears (R8) and, in a city of two places, those that make no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from alexmagnum.board.model import Board
from alexmagnum.judge.legality import BY_CONVOY, Legality
from alexmagnum.judge.outcome import SUCCEEDS
from alexmagnum.judge.phases import RESOLVERS
from alexmagnum.judge.winter import adjustments
from alexmagnum.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Pick,
    Remove,
    Retreat,
    Support,
    Waive,
)
from alexmagnum.position import KINDS, Position, Unit


def legal_orders(position: Position, unit: Unit) -> tuple[Order, ...]:
    """Every order that a unit can be given in the open phase; none if it takes no orders in it.

    In winter that is its removal, where one is due; builds are the power's.  The order of the
    result depends on the map alone.

    Raises:
        ValueError: the position has no such unit.
    """
    if unit not in position.orderable:
        raise ValueError(str(unit))
    if position.phase.kind == "movement":
        return tuple(_Movement(position).orders(unit))
    name = position.name(unit)
    return tuple(
        order
        for order in legal_orders_of(position, unit.power)
        if isinstance(order, (Retreat, Disband, Remove)) and order.unit == name
    )


def legal_orders_of(position: Position, power: str) -> tuple[Order, ...]:
    """Every order that a power can give in the open phase, unit by unit.

    Each is legal by itself: how many builds, removals and units of a deployment are due, and how
    many fit into a city, is :func:`~alexmagnum.judge.winter.adjustments`' and
    :func:`~alexmagnum.judge.winter.building_rooms`' to say.
    """
    kind = position.phase.kind
    if kind == "movement":
        options = _Movement(position)
        return tuple(o for unit in options.units_of(power) for o in options.orders(unit))
    resolve = RESOLVERS[kind]
    return tuple(
        order
        for order in _CONCEIVABLE[kind](position, power)
        if resolve(position, {power: [order]}).results[0].result == SUCCEEDS
    )


class _Movement:
    """The options of one movement phase; units are numbered as in the tables."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.board = position.board.tables
        self.units = position.tables
        self.legality = Legality(self.board, self.units)
        self.names = [position.name(unit) for unit in self.units.units]
        self.known_goals: dict[int, tuple[str, ...]] = {}

    def units_of(self, power: str) -> list[Unit]:
        return [unit for unit in self.units.units if unit.power == power]

    def orders(self, unit: Unit) -> Iterator[MovementOrder]:
        u = self.units.units.index(unit)
        if not self._takes_orders(u):
            return
        yield Hold(self.names[u])
        yield from self.moves(u)
        yield from self.supports(u)
        yield from self.convoys(u)

    def _takes_orders(self, u: int) -> bool:
        """Neither a garrison (R27) nor in revolt (R3)?"""
        power = self.units.units[u].power
        return power in self.position.board.powers and not self.position.in_revolt(power)

    # -- moves ------------------------------------------------------------------------------------

    def moves(self, u: int) -> Iterator[Move]:
        """Across borders, by convoy, along rivers (R18), over a portage (R23), and at units that
        are named (R11, R11a, R26)."""
        for to in range(len(self.board.location_names)):
            for via_convoy in self._ways(u, to):
                name = self.board.location_names[to]
                yield Move(self.names[u], name, via_convoy)
                for place in self._named_in(self.board.province_of[to], u):
                    yield Move(self.names[u], place, via_convoy)
        here = self.units.province[u]
        if self.board.is_sea[here]:
            for place in self._named_in(here, u):
                yield Move(self.names[u], place)

    def _ways(self, u: int, to: int) -> list[bool]:
        """Whether a move to a location can be made plainly (False) and has to be said to be by
        convoy (True)."""
        name = self.board.location_names[to]
        fault, lands, way = self.legality.move(u, Move(self.names[u], name))
        if fault or lands != to:  # a coast that is implied, or means nothing, is not named
            return []
        fault = self.legality.move(u, Move(self.names[u], name, via_convoy=True))[0]
        return [False] if fault or way == BY_CONVOY else [False, True]

    def _named_in(self, province: int, u: int) -> list[str]:
        """The places of a province that a move of a unit can name: every other fleet's of a sea;
        in a city each foreign unit's where there are two."""
        board, units = self.board, self.units
        if board.capacity[province] == 1:
            return []
        others = [v for v in units.standing[province] if v != u]
        if not board.is_sea[province]:
            others = [v for v in others if units.power[v] != units.power[u]]
            others = others if len(others) > 1 else []
        return [units.units[v].place for v in others]

    # -- supports and convoys ---------------------------------------------------------------------

    def supports(self, u: int) -> Iterator[Support]:
        for v in range(len(self.units.units)):
            hold = Support(self.names[u], self.names[v])
            if not self.legality.support(u, hold)[0]:
                yield hold
            for to in self._goals(v) if self._takes_orders(v) else ():
                order = Support(hold.unit, hold.supported, to)
                if to != self.units.units[u].place and not self.legality.support(u, order)[0]:
                    yield order

    def _goals(self, u: int) -> tuple[str, ...]:
        """What a support of the move of a unit can name: the province alone, which helps it to
        any coast and at any fleet of it (R14), or just one of them where there are several."""
        if u not in self.known_goals:
            board = self.board
            goals: dict[str, None] = {}
            for to in dict.fromkeys(move.to for move in self.moves(u)):
                province = board.province_of[self.legality.destination(to)]
                goals[board.ids[province]] = None
                coasts = [c for c in board.coasts_of[province] if self._ways(u, c)]
                if "#" in to or len(coasts) > 1:
                    goals[to] = None
            self.known_goals[u] = tuple(goals)
        return self.known_goals[u]

    def convoys(self, u: int) -> Iterator[Convoy]:
        if self.units.army[u] or not self.board.is_sea[self.units.province[u]]:
            return
        for army in range(len(self.units.units)):
            if self.units.army[army] and self._takes_orders(army):
                for to in self.board.ids:
                    order = Convoy(self.names[u], self.names[army], to)
                    if not self.legality.convoy(u, order)[0]:
                        yield order


# -- the other phases ---------------------------------------------------------------------------


def _retreats(position: Position, power: str) -> Iterator[Order]:
    for dislodged in sorted(position.dislodged, key=lambda d: d.unit):
        if dislodged.unit.power == power:
            name = position.name(dislodged.unit)
            yield from (Retreat(name, to) for to in dislodged.retreats)
            yield Disband(name)


def _winter(position: Position, power: str) -> Iterator[Order]:
    yield from (Remove(position.name(unit)) for unit in sorted(position.units_of(power)))
    yield from _deployment(position, power)


def _deployment(position: Position, power: str) -> Iterator[Order]:
    for centre in position.centres_of(power):
        yield from _builds(position.board, centre)
    if adjustments(position).get(power, 0) > 0:
        yield Waive()


def _builds(board: Board, centre: str) -> Iterator[Build]:
    for kind in KINDS:
        coasts = board.provinces[centre].coasts if kind == "F" else ()
        yield from (Build(f"{kind} {at}") for at in [f"{centre}/{c}" for c in coasts] or [centre])


def _picks(position: Position, power: str) -> Iterator[Order]:
    return (Pick(centre) for centre in position.board.centres)


_CONCEIVABLE: Mapping[str, Callable[[Position, str], Iterator[Order]]] = {
    "retreats": _retreats,
    "winter": _winter,
    "deployment": _deployment,
    "picks": _picks,
}
"""By kind of phase, the orders that a power might think of."""
