"""The moves of the random player: convoys first, then attacks, then supports for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from alexmagnum.board.geography import split_location
from alexmagnum.bots.map_queries import MapQueries
from alexmagnum.judge.winter import measure_distances
from alexmagnum.orders import Convoy, Hold, Move, MovementOrder, Order, Support
from alexmagnum.position import Position, Unit

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


def movement_orders(position: Position, power: str, rng: Random) -> list[Order]:
    """Return an order for nearly every unit of a power."""
    return list(_MovePlan(position, power, rng).orders())


class _MovePlan:
    """The moves of one power while they are planned.

    ``plan`` has the orders so far, ``goals`` the destinations of moves among them, ``held`` the
    units that are supported to hold.
    """

    def __init__(self, position: Position, power: str, rng: Random) -> None:
        self.position = position
        self.power = power
        self.rng = rng
        self.map = MapQueries(position)
        self.mine = sorted(position.units_of(power))
        self.plan: dict[Unit, MovementOrder] = {}
        self.goals: set[str] = set()
        self.held: set[str] = set()
        wanted = [c for c in position.board.centres if position.owners.get(c) != power]
        self.distance = measure_distances(position.board, wanted)

    def orders(self) -> Iterator[MovementOrder]:
        """Yield an order for each unit; a few units are forgotten."""
        todo = list(self.mine)
        self.rng.shuffle(todo)
        steps = (
            (self._order_at_random, ODD),
            (self._convoy, CONVOYS),
            (self._attack, ATTACKS),
            (self._support, SUPPORTS),
            (self._attack_if_free, MOVES),
        )
        for step, chance in steps:
            for unit in todo:
                if unit not in self.plan and self.rng.random() < chance:
                    step(unit)
        for unit in self.mine:
            if self.rng.random() >= FORGETS:
                yield self.plan.get(unit) or Hold(self.name(unit))

    def name(self, unit: Unit) -> str:
        """Return the canonical name of a unit."""
        return self.position.name(unit)

    # -- moves --------------------------------------------------------------------------------

    def _attack(self, unit: Unit) -> None:
        """Move a unit by land, by sea, on a river or over a portage, or attack a fleet with it."""
        goals = self.map.destinations(unit)
        if goals:
            self._move(unit, self._choose(goals, self.map.ride_destinations(unit)))

    def _attack_if_free(self, unit: Unit) -> None:
        """Move a unit without an order, unless it is supported to hold."""
        if self.name(unit) not in self.held:
            self._attack(unit)

    def _move(self, unit: Unit, to: str, via_convoy: bool = False) -> None:
        self.plan[unit] = Move(self.name(unit), to, via_convoy)
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
        routes = self.map.convoy_routes(army, idle)
        if not routes:
            return
        to = self._choose(sorted(routes))
        self._move(army, to, via_convoy=self.rng.random() < 0.5)
        for fleet in routes[to]:
            self.plan[fleet] = Convoy(self.name(fleet), self.name(army), to)

    # -- supports ------------------------------------------------------------------------------

    def _support(self, unit: Unit) -> None:
        """Support a move of the power that the unit can reach, or one of its units that stays."""
        reach = self.map.supportable_provinces(unit)
        options: list[tuple[Support, int]] = []
        for other in self.mine:
            planned = self.plan.get(other)
            if other == unit:
                continue
            if isinstance(planned, Move):
                if split_location(planned.to)[0] in reach:
                    options.append((self._support_for(unit, other, planned), 4))
            elif other.province in reach:
                options.append((Support(self.name(unit), self.name(other)), 1))
        if options:
            order, _ = self.rng.choices(options, [weight for _, weight in options])[0]
            self.plan[unit] = order
            if order.to is None:
                self.held.add(order.supported)

    def _support_for(self, unit: Unit, other: Unit, order: Move) -> Support:
        """Return a support that fits a move; the number of a fleet may be left out (R14)."""
        to = order.to
        if "#" in to and self.rng.random() < 0.2 and other.province != split_location(to)[0]:
            to = split_location(to)[0]
        return Support(self.name(unit), self.name(other), to)

    # -- random orders ------------------------------------------------------------------------

    def _order_at_random(self, unit: Unit) -> None:
        """Give a unit an order that makes little sense, as people do now and then."""
        options = (self._support_foreign_unit, self._convoy_any_army, self._move_anywhere)
        self.plan[unit] = self.rng.choice(options)(unit)

    def _support_foreign_unit(self, unit: Unit) -> MovementOrder:
        """Return a support of another power's unit, to hold or for a move that it may make."""
        reach = self.map.supportable_provinces(unit)
        others = [u for u in self.map.units if u.power != self.power]
        moves = [
            Support(self.name(unit), self.name(other), goal)
            for other in others
            for goal in self.map.destinations(other)
            if split_location(goal)[0] in reach and other.power in self.position.board.powers
        ]
        holds = [Support(self.name(unit), self.name(u)) for u in others if u.province in reach]
        options = [*moves, *holds]
        return self.rng.choice(options) if options else Hold(self.name(unit))

    def _convoy_any_army(self, unit: Unit) -> MovementOrder:
        """Return a convoy for any army beside the sea that the unit is in."""
        armies = self.map.convoyable_armies(unit)
        coasts = self.map.shores(unit)
        if not armies or not coasts:
            return self._move_anywhere(unit)
        army = self.rng.choice(armies)
        return Convoy(self.name(unit), self.name(army), self.rng.choice(coasts))

    def _move_anywhere(self, unit: Unit) -> MovementOrder:
        """Return a move to any province, possible or not."""
        to = self.rng.choice(list(self.position.board.provinces))
        return Move(self.name(unit), to) if to != unit.province else Hold(self.name(unit))
