"""A player that decides by chance, for every phase of the calendar."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from alexmagnum import orders as kinds
from alexmagnum.board.geography import split_location
from alexmagnum.judge import other_phases
from alexmagnum.judge.checking import list_reachable
from alexmagnum.position import Position, Unit

# Questions about a position that a player answers by looking at the map.


class MapQueries:
    """The map under a position, with answers in a fixed order; ``units``: all on the board."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.units = position.tables.units
        self._tables = position.board.tables

    def units_in(self, province: str) -> list[Unit]:
        """Return the units in a province."""
        return [self.units[u] for u in self.position.tables.units_in[self._tables.index[province]]]

    def destinations(self, unit: Unit) -> list[str]:
        """Return every destination of a unit without a convoy, as the notation writes it.

        Fleets go up and down rivers (R18) and over portages (R23), and may name a fleet in
        the sea that they go to or stand in (R11, R11a).
        """
        tables = self._tables
        ways = list(list_reachable(self.position, unit))
        if unit.kind != "F":
            return ways
        for way in [*ways, unit.province]:
            if way in tables.index and tables.is_sea[tables.index[way]]:
                ways += [u.place for u in self.units_in(way) if u.power != unit.power]
        return ways

    def ride_destinations(self, unit: Unit) -> list[str]:
        """Return where a fleet gets by river or portage, without the provinces that it touches."""
        tables = self._tables
        if unit.kind != "F":
            return []
        here = tables.index[unit.province]
        touched = set(tables.fleet_to[tables.location[unit.location]])
        longer = [to for table in (tables.course, tables.haul) for frm, to in table if frm == here]
        return [tables.ids[to] for to in longer if to not in touched]

    def supportable_provinces(self, unit: Unit) -> set[str]:
        """Return the provinces into which a unit can support: neighbours and its own sea (R14)."""
        tables = self._tables
        beside = tables.fleet_to if unit.kind == "F" else tables.army_to
        reached = {
            tables.ids[tables.province_of[to]] for to in beside[tables.location[unit.location]]
        }
        if self.position.board.provinces[unit.province].capacity > 1:
            reached.add(unit.province)
        return reached

    def convoy_routes(self, army: Unit, fleets: Sequence[Unit]) -> dict[str, list[Unit]]:
        """Return where some fleets could bring an army, each with a shortest chain of fleets."""
        tables = self._tables
        afloat: dict[int, Unit] = {}
        for fleet in fleets:
            afloat.setdefault(tables.index[fleet.province], fleet)
        start = tables.index[army.province]
        chains = {sea: [afloat[sea]] for sea in tables.port[start] if sea in afloat}
        queue = deque(chains)
        routes: dict[str, list[Unit]] = {}
        while queue:
            sea = queue.popleft()
            for land in tables.near[sea]:
                if land != start and tables.shore[sea * tables.n + land]:
                    routes.setdefault(tables.ids[land], chains[sea])
            for further in tables.sea_next[sea]:
                if further in afloat and further not in chains:
                    chains[further] = [*chains[sea], afloat[further]]
                    queue.append(further)
        return routes

    def shores(self, fleet: Unit) -> list[str]:
        """Return the land around the sea of a fleet; nothing for other units."""
        tables = self._tables
        sea = tables.index[fleet.province]
        return [tables.ids[p] for p in range(tables.n) if tables.shore[sea * tables.n + p]]


# The moves of the random player: convoys first, then attacks, then supports for them.


CONVOYS: Final = 0.25
ATTACKS: Final = 0.45
SUPPORTS: Final = 0.85
MOVES: Final = 0.8
"""The chance that a unit does each of these if it can, in the sequence in which they are tried."""
ODD: Final = 0.03
"""The chance that an order makes no sense, or is about another power's unit."""
FORGETS: Final = 0.02
"""The chance that a unit gets no order."""
NEARNESS: Final = (80, 32, 13, 5, 2)
"""The worth of a province by its distance from the nearest centre of another power."""


def movement_orders(position: Position, power: str, rng: Random) -> list[kinds.Order]:
    """Return an order for nearly every unit of a power."""
    return list(_MovePlan(position, power, rng).orders())


class _MovePlan:
    """The moves of one power while they are planned: orders so far, ``goals`` of the moves among
    them, and units that are supported to hold."""

    def __init__(self, position: Position, power: str, rng: Random) -> None:
        self.position = position
        self.power = power
        self.rng = rng
        self.map = MapQueries(position)
        self.mine = sorted(position.units_of(power))
        self.plan: dict[Unit, kinds.MovementOrder] = {}
        self.goals: set[str] = set()
        self.held: set[str] = set()
        wanted = [c for c in position.board.centres if position.owners.get(c) != power]
        self.distance = other_phases.measure_distances(position.board, wanted)

    def orders(self) -> Iterator[kinds.MovementOrder]:
        """Yield an order for each unit; a few units are forgotten."""
        todo = list(self.mine)
        self.rng.shuffle(todo)
        for step, chance in (
            (self._order_at_random, ODD),
            (self._convoy, CONVOYS),
            (self._attack, ATTACKS),
            (self._support, SUPPORTS),
            (self._attack_if_free, MOVES),
        ):
            for unit in todo:
                if unit not in self.plan and self.rng.random() < chance:
                    step(unit)
        for unit in self.mine:
            if self.rng.random() >= FORGETS:
                yield self.plan.get(unit) or kinds.Hold(self.name(unit))

    def name(self, unit: Unit) -> str:
        """Return the canonical name of a unit."""
        return self.position.name(unit)

    # -- moves --------------------------------------------------------------------------------

    def _attack(self, unit: Unit) -> None:
        """Move a unit by land, by sea, on a river or over a portage, or attack a fleet with it."""
        if goals := self.map.destinations(unit):
            self._move(unit, self._choose(goals, self.map.ride_destinations(unit)))

    def _attack_if_free(self, unit: Unit) -> None:
        """Move a unit without an order, unless it is supported to hold."""
        if self.name(unit) not in self.held:
            self._attack(unit)

    def _move(self, unit: Unit, to: str, via_convoy: bool = False) -> None:
        self.plan[unit] = kinds.Move(self.name(unit), to, via_convoy)
        self.goals.add(to)

    def _choose(self, goals: Sequence[str], rides: Sequence[str] = ()) -> str:
        """Choose one of several destinations, the better ones more often."""
        return self.rng.choices(goals, [self._worth(goal, rides) for goal in goals])[0]

    def _worth(self, goal: str, rides: Sequence[str]) -> int:
        """Return the worth of a destination: the nearer to a centre of another power, the more.

        What only this game has (attacks on a numbered fleet, rides) is tried twice as often.
        Worths are whole numbers, so that every machine draws alike.
        """
        province = split_location(goal)[0]
        distance = self.distance[province]
        worth = 3 + (NEARNESS[distance] if distance < len(NEARNESS) else 0)
        if any(unit.power != self.power for unit in self.map.units_in(province)):
            worth += 20
        if "#" in goal or goal in rides:
            worth *= 2
        if self._is_blocked(goal, province):
            worth //= 10
        return worth + 1

    def _is_blocked(self, goal: str, province: str) -> bool:
        """Return whether the power's own units will probably keep a move out."""
        room = self.position.board.provinces[province].capacity
        there = self.map.units_in(province)
        is_full = len(there) >= room and any(unit.power == self.power for unit in there)
        return (is_full and "#" not in goal) or (goal in self.goals and room == 1)

    def _convoy(self, army: Unit) -> None:
        """Move an army over the power's own fleets that have no order yet."""
        if army.kind == "F":
            return
        idle = [u for u in self.mine if u.kind == "F" and u not in self.plan]
        if not (routes := self.map.convoy_routes(army, idle)):
            return
        to = self._choose(sorted(routes))
        self._move(army, to, via_convoy=self.rng.random() < 0.5)
        for fleet in routes[to]:
            self.plan[fleet] = kinds.Convoy(self.name(fleet), self.name(army), to)

    # -- supports ------------------------------------------------------------------------------

    def _support(self, unit: Unit) -> None:
        """Support a move of the power that the unit can reach, or one of its units that stays."""
        reach = self.map.supportable_provinces(unit)
        options: list[tuple[kinds.Support, int]] = []
        for other in self.mine:
            planned = self.plan.get(other)
            if other == unit:
                continue
            if isinstance(planned, kinds.Move):
                if split_location(planned.to)[0] in reach:
                    options.append((self._support_for(unit, other, planned), 4))
            elif other.province in reach:
                options.append((kinds.Support(self.name(unit), self.name(other)), 1))
        if options:
            order, _ = self.rng.choices(options, [weight for _, weight in options])[0]
            self.plan[unit] = order
            if order.to is None:
                self.held.add(order.supported)

    def _support_for(self, unit: Unit, other: Unit, order: kinds.Move) -> kinds.Support:
        """Return a support that fits a move; the number of a fleet may be left out (R14)."""
        to = order.to
        if "#" in to and self.rng.random() < 0.2 and other.province != split_location(to)[0]:
            to = split_location(to)[0]
        return kinds.Support(self.name(unit), self.name(other), to)

    # -- random orders ------------------------------------------------------------------------

    def _order_at_random(self, unit: Unit) -> None:
        """Give a unit an order that makes little sense, as people do now and then."""
        options = (self._support_foreign_unit, self._convoy_any_army, self._move_anywhere)
        self.plan[unit] = self.rng.choice(options)(unit)

    def _support_foreign_unit(self, unit: Unit) -> kinds.MovementOrder:
        """Return a support of another power's unit, to hold or for a move that it may make."""
        reach = self.map.supportable_provinces(unit)
        others = [u for u in self.map.units if u.power != self.power]
        moves = [
            kinds.Support(self.name(unit), self.name(other), goal)
            for other in others
            for goal in self.map.destinations(other)
            if split_location(goal)[0] in reach and other.power in self.position.board.powers
        ]
        holds = [
            kinds.Support(self.name(unit), self.name(u)) for u in others if u.province in reach
        ]
        options = [*moves, *holds]
        return self.rng.choice(options) if options else kinds.Hold(self.name(unit))

    def _convoy_any_army(self, unit: Unit) -> kinds.MovementOrder:
        """Return a convoy for any army beside the sea that the unit is in."""
        coasts, powers = self.map.shores(unit), self.position.board.powers
        near = (other for coast in coasts for other in self.map.units_in(coast))
        armies = [other for other in near if other.kind != "F" and other.power in powers]
        if not armies or not coasts:
            return self._move_anywhere(unit)
        army = self.rng.choice(armies)
        return kinds.Convoy(self.name(unit), self.name(army), self.rng.choice(coasts))

    def _move_anywhere(self, unit: Unit) -> kinds.MovementOrder:
        """Return a move to any province, possible or not."""
        to = self.rng.choice(list(self.position.board.provinces))
        return (
            kinds.Move(self.name(unit), to) if to != unit.province else kinds.Hold(self.name(unit))
        )


# A player that decides by chance, for every phase of the calendar.
#
# The player sees the position and its own orders only, so that it cannot cheat. It plays well
# enough for things to happen: it goes for centres, supports its own attacks, and forgets or
# miswrites an order now and then. Everything is drawn from one generator and nothing depends on
# the order of a set: the same generator gives the same orders.


GIVES_UP: Final = 0.06
"""The chance that a unit that could retreat is disbanded, or that a build is waived."""
_STRAYS: Final = 6  # the steps by which a pick may seem nearer to the power's centres than it is
_STEP: Final = 1 << 40  # the length of a step: strays are whole numbers below some of these

Decide = Callable[[Position, str, Random], Sequence[kinds.Order]]


def random_orders(position: Position, rng: Random) -> dict[str, list[kinds.Order]]:
    """Return orders for every power that has any to give, in the map's sequence of powers.

    Nearly all are legal; powers in revolt order nothing (R3).
    """
    decide = DECISIONS[position.phase.kind]
    orders = {}
    for power in position.board.powers:
        if not position.in_revolt(power):
            orders[power] = list(decide(position, power, rng))
    return {power: listed for power, listed in orders.items() if listed}


# -- the Cyprus year ----------------------------------------------------------------------------


def pick_centres(position: Position, power: str, rng: Random) -> list[kinds.Order]:
    """Pick one centre, most often one near those that the power has (R30)."""
    if rng.random() < FORGETS:
        return []
    centres = list(position.board.centres)
    if rng.random() < FORGETS:
        return [kinds.Pick(rng.choice(centres))]  # any centre: the pick may be void
    distance = other_phases.measure_distances(position.board, position.centres_of(power))
    strays = [_STRAYS * int(rng.random() * _STEP) for _ in centres]  # in whole numbers
    ranked = sorted(
        [(distance[c] * _STEP + stray, c) for c, stray in zip(centres, strays, strict=True)]
    )
    centres = [centre for _, centre in ranked]
    return list(other_phases.list_legal_picks(position, power, map(kinds.Pick, centres))[:1])


def deploy(position: Position, power: str, rng: Random) -> list[kinds.Order]:
    """Place a unit in most of the power's centres, one of them perhaps the general (R31)."""
    centres = list(position.centres_of(power))
    rng.shuffle(centres)
    placed: list[kinds.Order] = []
    has_general = rng.random() < 0.3  # then the first army becomes the general
    for centre in centres:
        if rng.random() < FORGETS:
            continue
        letters = "AF" if has_general or not position.board.rules.nobility else "GAF"
        order = _new_unit(position, centre, letters, rng)
        has_general = has_general or order.unit[0] == "G"
        placed.append(order)
    return placed


def _new_unit(position: Position, centre: str, letters: str, rng: Random) -> kinds.Build:
    """Return a unit to be placed in a centre, of any of the kinds that can stand there."""
    province = position.board.provinces[centre]
    if not (province.coastal or province.rivers):
        letters = letters.replace("F", "")
    kind = rng.choice(letters)
    if kind == "F" and province.coasts:
        return kinds.Build(f"F {centre}/{rng.choice(province.coasts)}")
    return kinds.Build(f"{kind} {centre}")


# -- retreats and winter ------------------------------------------------------------------------


def retreat(position: Position, power: str, rng: Random) -> list[kinds.Order]:
    """Retreat with every dislodged unit to a province that is open to it, or disband it."""
    orders: list[kinds.Order] = []
    for dislodged in position.dislodged:
        if dislodged.unit.power != power or rng.random() < FORGETS:
            continue
        name = position.name(dislodged.unit)
        if not dislodged.retreats or rng.random() < GIVES_UP:
            orders.append(kinds.Disband(name))
        else:
            orders.append(kinds.Retreat(name, rng.choice(dislodged.retreats)))
    return orders


def adjust(position: Position, power: str, rng: Random) -> list[kinds.Order]:
    """Build where there is room, and remove units if there are too many (R32)."""
    if (due := other_phases.count_adjustments(position)[power]) == 0:
        return []
    units = sorted(position.units_of(power))
    if due < 0:  # seldom the general; now and then too few
        rng.shuffle(units)
        units.sort(key=lambda unit: unit.kind == "G" and rng.random() > FORGETS)
        return [kinds.Remove(position.name(u)) for u in units[:-due] if rng.random() >= FORGETS]
    places = list(other_phases.list_building_rooms(position, power))
    rng.shuffle(places)
    orders: list[kinds.Order] = []
    has_general = any(unit.kind == "G" for unit in units)
    generals = bool(position.board.rules.nobility) and not has_general  # most often first (R28)
    for centre in places[:due]:
        if rng.random() < GIVES_UP:
            orders.append(kinds.Waive())
            continue
        order = _new_unit(position, centre, "GGGAF" if generals else "AF", rng)
        generals = generals and order.unit[0] != "G"
        orders.append(order)
    return orders


DECISIONS: dict[str, Decide] = {
    "picks": pick_centres,
    "deployment": deploy,
    "movement": movement_orders,
    "retreats": retreat,
    "winter": adjust,
}
"""The function that decides each kind of phase."""
