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

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from alexmagnum.board.model import Board
from alexmagnum.board.tables import BoardTables
from alexmagnum.judge import adjudicate
from alexmagnum.judge.legality import BY_CONVOY, Legality
from alexmagnum.judge.outcome import SUCCEEDS
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
        options = _Movement(position)
        return tuple(options.orders(options.units.units.index(unit)))
    return _by_unit(position, [unit.power])[unit]


def all_legal_orders(position: Position) -> dict[Unit, tuple[Order, ...]]:
    """For every unit what :func:`legal_orders` says, worked out together: much faster.

    The units come in an order that depends on the map alone, like the orders of each.
    """
    if position.phase.kind == "movement":
        options = _Movement(position)
        return {unit: tuple(options.orders(u)) for u, unit in enumerate(options.units.units)}
    return _by_unit(position, position.board.powers)


def legal_orders_of(position: Position, power: str) -> tuple[Order, ...]:
    """Every order that a power can give in the open phase, unit by unit.

    Each is legal by itself: how many builds, removals and units of a deployment are due, and how
    many fit into a city, is :func:`~alexmagnum.judge.winter.adjustments`' and
    :func:`~alexmagnum.judge.winter.building_rooms`' to say.
    """
    kind = position.phase.kind
    if kind == "movement":
        options = _Movement(position)
        return tuple(o for u in options.units_of(power) for o in options.orders(u))
    return tuple(
        order
        for order in _CONCEIVABLE[kind](position, power)
        if adjudicate(position, {power: [order]}).results[0].result == SUCCEEDS
    )


def _by_unit(position: Position, powers: Iterable[str]) -> dict[Unit, tuple[Order, ...]]:
    """The orders of each unit in a phase without moves, as far as these powers give them."""
    found: dict[str, list[Order]] = {position.name(unit): [] for unit in position.orderable}
    for power in powers:
        for order in legal_orders_of(position, power):
            if isinstance(order, (Retreat, Disband, Remove)):
                found[order.unit].append(order)
    return {unit: tuple(found[position.name(unit)]) for unit in sorted(position.orderable)}


class _Movement:
    """The options of one movement phase; units are numbered as in the tables.

    The judge is asked only about orders for what a unit may reach, so that few are asked about
    in vain.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.board = position.board.tables
        self.units = position.tables
        self.legality = Legality(self.board, self.units)
        self.names = [position.name(unit) for unit in self.units.units]
        self.armies = [u for u, army in enumerate(self.units.army) if army]
        self.shores = _shores(self.board, {p for p in self.units.province if self.board.is_sea[p]})
        self.known_goals: dict[int, dict[int, list[str]]] = {}

    def units_of(self, power: str) -> list[int]:
        return [u for u, unit in enumerate(self.units.units) if unit.power == power]

    def orders(self, u: int) -> Iterator[MovementOrder]:
        if not self._takes_orders(u):
            return
        yield Hold(self.names[u])
        yield from self.moves(u)
        yield from self.supports(u)
        yield from self.convoys(u)

    def _takes_orders(self, u: int) -> bool:
        return self.position.takes_orders(self.units.units[u])

    # -- moves ------------------------------------------------------------------------------------

    def moves(self, u: int) -> Iterator[Move]:
        """Across borders, by convoy, along rivers (R18), over a portage (R23), and at units that
        are named (R11, R11a, R26)."""
        for to in self._within_reach(u):
            for via_convoy in self._ways(u, to):
                name = self.board.location_names[to]
                yield Move(self.names[u], name, via_convoy)
                for place in self._named_in(self.board.province_of[to], u):
                    yield Move(self.names[u], place, via_convoy)
        here = self.units.province[u]
        if self.board.is_sea[here]:
            for place in self._named_in(here, u):
                yield Move(self.names[u], place)

    def _within_reach(self, u: int) -> list[int]:
        """The locations that a unit might move to, and perhaps some that it cannot."""
        board, here = self.board, self.units.province[u]
        if self.units.army[u]:
            by_sea = (self.shores.get(sea, ()) for sea in board.port[here])
            return sorted({*board.army_to[here], *chain.from_iterable(by_sea)})
        coasts = board.fleet_to[self.units.location[u]]
        far = (to for start, to in (*board.course, *board.haul) if start == here)
        return sorted({*coasts, *(board.province_of[coast] for coast in coasts), *far})

    def _ways(self, u: int, to: int) -> list[bool]:
        """Whether a move to a location can be made plainly (False) and has to be said to be by
        convoy (True)."""
        name = self.board.location_names[to]
        fault, lands, way = self.legality.check_move(u, Move(self.names[u], name))
        if fault or lands != to:  # a coast that is implied, or means nothing, is not named
            return []
        fault = self.legality.check_move(u, Move(self.names[u], name, via_convoy=True))[0]
        return [False] if fault or way == BY_CONVOY else [False, True]

    def _named_in(self, province: int, u: int) -> list[str]:
        """The places of a province that a move of a unit can name: every other fleet's of a sea;
        in a city each foreign unit's where there are two."""
        board, units = self.board, self.units
        if board.capacity[province] == 1:
            return []
        others = [v for v in units.units_in[province] if v != u]
        if not board.is_sea[province]:
            others = [v for v in others if units.power[v] != units.power[u]]
            others = others if len(others) > 1 else []
        return [units.units[v].place for v in others]

    # -- supports and convoys ---------------------------------------------------------------------

    def supports(self, u: int) -> Iterator[Support]:
        name, place, beside = self.names[u], self.units.units[u].place, self._beside(u)
        for v, supported in enumerate(self.names):
            hold = Support(name, supported)
            if self.units.province[v] in beside and not self.legality.check_support(u, hold)[0]:
                yield hold
            goals = self._goals(v) if self._takes_orders(v) else {}
            for to in chain.from_iterable(goals[p] for p in goals if p in beside):
                order = Support(name, supported, to)
                if to != place and not self.legality.check_support(u, order)[0]:
                    yield order

    def _beside(self, u: int) -> set[int]:
        """The provinces that a unit might support into: its own too, which may be a sea (R14)."""
        board, here = self.board, self.units.province[u]
        if self.units.army[u]:
            return {here, *board.army_to[here]}
        return {here, *(board.province_of[to] for to in board.fleet_to[self.units.location[u]])}

    def _goals(self, u: int) -> dict[int, list[str]]:
        """What a support of the move of a unit can name, by province: the province alone, which
        helps it to any coast and at any fleet of it (R14), or just one of them where there are
        several."""
        if u not in self.known_goals:
            board = self.board
            goals: dict[int, list[str]] = {}
            for to in dict.fromkeys(move.to for move in self.moves(u)):
                province = board.province_of[self.legality.find_location(to)]
                named = goals.setdefault(province, [board.ids[province]])
                coasts = [c for c in board.coasts_of[province] if self._ways(u, c)]
                if "#" in to or len(coasts) > 1:
                    named.append(to)
            self.known_goals[u] = goals
        return self.known_goals[u]

    def convoys(self, u: int) -> Iterator[Convoy]:
        here = self.units.province[u]
        if self.units.army[u] or not self.board.is_sea[here]:
            return
        shores = self.shores[here]
        for army in self.armies:
            if self.units.province[army] in shores and self._takes_orders(army):
                for to in shores:
                    order = Convoy(self.names[u], self.names[army], self.board.ids[to])
                    if not self.legality.check_convoy(u, order)[0]:
                        yield order


def _shores(board: BoardTables, seas: set[int]) -> dict[int, tuple[int, ...]]:
    """For each of these seas the land to which they join it, directly or through others."""
    found: dict[int, tuple[int, ...]] = {}
    for sea in seas:
        if sea not in found:
            group = {sea}
            todo = [sea]
            while todo:
                beside = seas.intersection(board.sea_next[todo.pop()]) - group
                group |= beside
                todo += beside
            land = {to for one in group for to in board.near[one] if not board.is_sea[to]}
            found |= dict.fromkeys(group, tuple(sorted(land)))
    return found


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
