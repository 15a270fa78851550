"""Every legal order of a unit or of a power, in every kind of phase.

Every conceivable order is put to the judge's own legality, so that nothing is offered that the
judge would call illegal.  What an order needs of others (a convoy, the move that a support is
for) may be missing: the player has to arrange that.

Each meaning is offered once, in the form in which the notation writes it: the coast only where
there is a choice, ``via convoy`` only where the army could also walk.  The judge accepts some
orders that can do nothing, whatever else is ordered.  These are left out:

- supports of a move, and convoys, of units that take no orders (garrisons, R27; revolts, R3);
- supports of an attack on the supporting fleet itself (they count only if it stays undislodged);
- supports that name a coast which the fleet cannot reach;
- numbers that no unit bears (R8) and, in a city of two places, those that make no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from alexmagnum import orders as kinds
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.board.tables import BoardTables, LocationNo, ProvinceNo, UnitNo
from alexmagnum.judge import other_phases
from alexmagnum.judge.legality import BY_CONVOY, Legality
from alexmagnum.position import Position, Unit
from alexmagnum.units import KINDS


def legal_orders(position: Position, unit: Unit) -> tuple[kinds.Order, ...]:
    """Return every order that a unit can be given in the open phase; none if it takes no orders.

    In winter that is its removal, where one is due; builds belong to the power.  The order of the
    result depends on the map alone.

    Raises:
        ValueError: the position has no such unit.
    """
    if unit not in position.orderable:
        raise ValueError(f"there is no such unit to order in this position: {unit}")
    if position.phase.kind == "movement":
        return tuple(_Movement(position).orders(position.tables.number_of(unit)))
    return _by_unit(position, [unit.power])[unit]


def all_legal_orders(position: Position) -> dict[Unit, tuple[kinds.Order, ...]]:
    """Return :func:`legal_orders` of every unit, worked out together, which is much faster.

    The units come in an order that depends on the map alone, like the orders of each.
    """
    if position.phase.kind == "movement":
        options, tables = _Movement(position), position.tables
        return {tables.units[u]: tuple(options.orders(u)) for u in tables.numbers}
    return _by_unit(position, position.board.powers)


def legal_orders_of(position: Position, power: str) -> tuple[kinds.Order, ...]:
    """Return every order that a power can give in the open phase, unit by unit.

    Each is legal by itself.  How many builds, removals and units of a deployment are due is told
    by :func:`~alexmagnum.judge.other_phases.count_adjustments`, and how many fit into a city by
    :func:`~alexmagnum.judge.other_phases.list_building_rooms`.

    Raises:
        ValueError: the map has no such power.
    """
    if power not in position.board.powers and power != INDEPENDENT:
        raise ValueError(f"there is no such power on this map: {power}")
    kind = position.phase.kind
    if kind == "movement":
        options = _Movement(position)
        return tuple(order for u in options.units_of(power) for order in options.orders(u))
    return _OTHER_PHASES[kind](position, power)


def put_fitting_first(
    orders: Sequence[kinds.Order], given: Iterable[kinds.Order]
) -> tuple[kinds.Order, ...]:
    """Return orders, of each unit those first that help what another one is given to do."""
    goals = {
        order.unit: order.to.partition("/")[0] if isinstance(order, kinds.Move) else ""
        for order in given
        if isinstance(order, kinds.MovementOrder)
    }

    def fits(order: kinds.Order) -> bool:
        if not isinstance(order, kinds.Support | kinds.Convoy):
            return False
        helped = order.supported if isinstance(order, kinds.Support) else order.army
        return goals.get(helped) == (order.to or "").partition("/")[0]

    ranks: dict[str, int] = {}  # of the units, in which order they are listed
    for order in orders:
        ranks.setdefault(getattr(order, "unit", ""), len(ranks))
    return tuple(sorted(orders, key=lambda o: (ranks[getattr(o, "unit", "")], not fits(o))))


def _by_unit(position: Position, powers: Iterable[str]) -> dict[Unit, tuple[kinds.Order, ...]]:
    """Return the orders of each unit that these powers can give in a phase without moves."""
    found: dict[str, list[kinds.Order]] = {position.name(unit): [] for unit in position.orderable}
    for power in powers:
        for order in legal_orders_of(position, power):
            if isinstance(order, (kinds.Retreat, kinds.Disband, kinds.Remove)):
                found[order.unit].append(order)
    return {unit: tuple(found[position.name(unit)]) for unit in sorted(position.orderable)}


class _Movement:
    """The options of one movement phase; units are numbered as in the tables.  The judge is asked
    only about orders for what a unit may reach, which are mostly legal."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.board = position.board.tables
        self.units = position.tables
        self.legality = Legality(self.board, self.units)
        self.names = [position.name(unit) for unit in self.units.units]
        self.armies = [u for u in self.units.numbers if self.units.army[u]]
        seas = {province for province in self.units.province if self.board.is_sea[province]}
        self.shores = _find_shores(self.board, seas)
        self.known_goals: dict[UnitNo, dict[ProvinceNo, list[str]]] = {}

    def units_of(self, power: str) -> list[UnitNo]:
        """Return the numbers of a power's units."""
        return [u for u in self.units.numbers if self.units.units[u].power == power]

    def orders(self, u: UnitNo) -> Iterator[kinds.MovementOrder]:
        """Yield every legal order of a unit."""
        if not self.units.takes_orders(u):
            return
        yield kinds.Hold(self.names[u])
        yield from self.moves(u)
        yield from self.supports(u)
        yield from self.convoys(u)

    # -- moves -----------------------------------------------------------------------------------

    def moves(self, u: UnitNo) -> Iterator[kinds.Move]:
        """Yield the legal moves, also by convoy, along rivers (R18) and over a portage (R23).

        A move may also name the unit that it attacks (R11, R11a, R26).
        """
        for to in self._list_reachable(u):
            for via_convoy in self._list_ways(u, to):
                yield kinds.Move(self.names[u], self.board.location_names[to], via_convoy)
                for place in self._list_targets(self.board.province_of[to], u):
                    yield kinds.Move(self.names[u], place, via_convoy)
        here = self.units.province[u]
        if self.board.is_sea[here]:
            for place in self._list_targets(here, u):
                yield kinds.Move(self.names[u], place)

    def _list_reachable(self, u: UnitNo) -> list[LocationNo]:
        """Return the locations that a unit might move to, and perhaps some that it cannot."""
        board, here = self.board, self.units.province[u]
        if self.units.army[u]:
            by_sea = (self.shores.get(sea, ()) for sea in board.port[here])
            return sorted({*board.army_to[here], *chain.from_iterable(by_sea)})
        coasts = board.fleet_to[self.units.location[u]]
        far = (to for start, to in (*board.course, *board.haul) if start == here)
        return sorted({*coasts, *(board.province_of[coast] for coast in coasts), *far})

    def _list_ways(self, u: UnitNo, to: LocationNo) -> list[bool]:
        """Return whether a move can be written without (False) and with ``via convoy`` (True)."""
        name = self.board.location_names[to]
        fault, lands, way = self.legality.check_move(u, kinds.Move(self.names[u], name))
        if fault or lands != to:  # a coast that is implied, or means nothing, is not named
            return []
        fault = self.legality.check_move(u, kinds.Move(self.names[u], name, via_convoy=True))[0]
        return [False] if fault or way == BY_CONVOY else [False, True]

    def _list_targets(self, province: ProvinceNo, u: UnitNo) -> list[str]:
        """Return the places of a province that a move of a unit can name: in a sea those of all
        other fleets, in a city those of the foreign units, if there are two."""
        board, units = self.board, self.units
        if board.capacity[province] == 1:
            return []
        others = [v for v in units.units_in[province] if v != u]
        if not board.is_sea[province]:
            others = [v for v in others if units.power[v] != units.power[u]]
            others = others if len(others) > 1 else []
        return [units.units[v].place for v in others]

    # -- supports and convoys --------------------------------------------------------------------

    def supports(self, u: UnitNo) -> Iterator[kinds.Support]:
        """Yield the legal supports of a unit."""
        name, place = self.names[u], self.units.units[u].place
        reachable = self._list_supportable(u)
        for v, supported in zip(self.units.numbers, self.names, strict=True):
            hold = kinds.Support(name, supported)
            if self.units.province[v] in reachable and not self.legality.check_support(u, hold)[0]:
                yield hold
            goals = self._list_goals(v) if self.units.takes_orders(v) else {}
            for to in chain.from_iterable(goals[p] for p in goals if p in reachable):
                order = kinds.Support(name, supported, to)
                if to != place and not self.legality.check_support(u, order)[0]:
                    yield order

    def _list_supportable(self, u: UnitNo) -> set[ProvinceNo]:
        """Return the provinces that a unit might support into: its own may be a sea (R14)."""
        board, here = self.board, self.units.province[u]
        if self.units.army[u]:
            return {here, *board.army_to[here]}
        return {here, *(board.province_of[to] for to in board.fleet_to[self.units.location[u]])}

    def _list_goals(self, u: UnitNo) -> dict[ProvinceNo, list[str]]:
        """Return by province what a support of the move of a unit can name: the province alone, for
        any coast and any fleet of it (R14), and each of these where there are several."""
        if u not in self.known_goals:
            board = self.board
            goals: dict[ProvinceNo, list[str]] = {}
            for to in dict.fromkeys(move.to for move in self.moves(u)):
                province = board.province_of[self.legality.find_location(to)]
                texts = goals.setdefault(province, [board.ids[province]])
                coasts = [c for c in board.coasts_of[province] if self._list_ways(u, c)]
                if "#" in to or len(coasts) > 1:
                    texts.append(to)
            self.known_goals[u] = goals
        return self.known_goals[u]

    def convoys(self, u: UnitNo) -> Iterator[kinds.Convoy]:
        """Yield the legal convoys of a unit."""
        here = self.units.province[u]
        if self.units.army[u] or not self.board.is_sea[here]:
            return
        shores = self.shores[here]
        for army in self.armies:
            if self.units.province[army] in shores and self.units.takes_orders(army):
                for to in shores:
                    order = kinds.Convoy(self.names[u], self.names[army], self.board.ids[to])
                    if not self.legality.check_convoy(u, order)[0]:
                        yield order


def _find_shores(
    board: BoardTables, seas: set[ProvinceNo]
) -> dict[ProvinceNo, tuple[ProvinceNo, ...]]:
    """Return by sea the land to which these seas join it, directly or through others."""
    shores: dict[ProvinceNo, tuple[ProvinceNo, ...]] = {}
    for sea in seas:
        if sea not in shores:
            group = {sea}
            todo = [sea]
            while todo:
                beside = seas.intersection(board.sea_next[todo.pop()]) - group
                group |= beside
                todo += beside
            land = {to for one in group for to in board.near[one] if not board.is_sea[to]}
            shores |= dict.fromkeys(group, tuple(sorted(land)))
    return shores


# -- the other phases ----------------------------------------------------------------------------


def _list_retreats(position: Position, power: str) -> tuple[kinds.Order, ...]:
    orders: list[kinds.Order] = []
    for dislodged in sorted(position.dislodged, key=lambda d: d.unit):
        if dislodged.unit.power == power:
            name = position.name(dislodged.unit)
            orders += [kinds.Retreat(name, to) for to in dislodged.retreats]
            orders.append(kinds.Disband(name))
    return other_phases.list_legal_retreats(position, power, orders)


def _list_adjustments(position: Position, power: str) -> tuple[kinds.Order, ...]:
    removals = (kinds.Remove(position.name(unit)) for unit in sorted(position.units_of(power)))
    orders = chain(removals, _conceive_placements(position, power))
    return other_phases.list_legal_adjustments(position, power, orders)


def _list_placements(position: Position, power: str) -> tuple[kinds.Order, ...]:
    return other_phases.list_legal_placements(
        position, power, _conceive_placements(position, power)
    )


def _list_picks(position: Position, power: str) -> tuple[kinds.Order, ...]:
    return other_phases.list_legal_picks(position, power, map(kinds.Pick, position.board.centres))


def _conceive_placements(position: Position, power: str) -> Iterator[kinds.Order]:
    """Yield every unit that a power might think of placing in its centres, and the waiver."""
    for centre in position.centres_of(power):
        yield from _conceive_builds(position.board, centre)
    if other_phases.count_adjustments(position).get(power, 0) > 0:
        yield kinds.Waive()


def _conceive_builds(board: Board, centre: str) -> Iterator[kinds.Build]:
    for kind in KINDS:
        coasts = board.provinces[centre].coasts if kind == "F" else ()
        yield from (
            kinds.Build(f"{kind} {at}") for at in [f"{centre}/{c}" for c in coasts] or [centre]
        )


_OTHER_PHASES: Mapping[str, Callable[[Position, str], tuple[kinds.Order, ...]]] = {
    "retreats": _list_retreats,
    "winter": _list_adjustments,
    "deployment": _list_placements,
    "picks": _list_picks,
}
"""By kind of phase, the legal orders of a power; all kinds but ``movement``."""
