"""The moves of the random player: convoys first, then attacks, then what helps them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from alexmagnum.board.geography import split_location
from alexmagnum.judge.winter import measure_distances
from alexmagnum.orders import Convoy, Hold, Move, MovementOrder, Order, Support
from alexmagnum.play.map_queries import MapQueries
from alexmagnum.position import Position, Unit

CONVOYS, ATTACKS, SUPPORTS, MOVES = 0.25, 0.45, 0.85, 0.8
"""How often a unit that could does so, in the order in which it is asked."""
ODD = 0.03
"""How often an order is none that makes sense, or is about another power's unit."""
FORGETS = 0.02
"""How often a unit gets no order."""
NEARNESS = (80, 32, 13, 5, 2)
"""What a province is worth by its distance from the nearest centre of others."""


def movement_orders(position: Position, power: str, rng: Random) -> list[Order]:
    """An order for nearly every unit of a power."""
    return list(_Campaign(position, power, rng).orders())


class _Campaign:
    """One power's moves as they are being planned; ``plan`` has the order of each unit so far."""

    def __init__(self, position: Position, power: str, rng: Random) -> None:
        self.position = position
        self.power = power
        self.rng = rng
        self.ground = MapQueries(position)
        self.mine = sorted(position.units_of(power))
        self.plan: dict[Unit, MovementOrder] = {}
        self.goals: set[str] = set()
        self.held: set[str] = set()
        wanted = [c for c in position.board.centres if position.owners.get(c) != power]
        self.distance = measure_distances(position.board, wanted)

    def orders(self) -> Iterator[MovementOrder]:
        """The whole plan, unit by unit; a few units are forgotten."""
        todo = list(self.mine)
        self.rng.shuffle(todo)
        steps = (
            (self._odd, ODD),
            (self._cross, CONVOYS),
            (self._attack, ATTACKS),
            (self._support, SUPPORTS),
            (self._use, MOVES),
        )
        for step, chance in steps:
            for unit in todo:
                if unit not in self.plan and self.rng.random() < chance:
                    step(unit)
        for unit in self.mine:
            if self.rng.random() >= FORGETS:
                yield self.plan.get(unit) or Hold(self.name(unit))

    def name(self, unit: Unit) -> str:
        return self.position.name(unit)

    # -- going somewhere ------------------------------------------------------------------------

    def _attack(self, unit: Unit) -> None:
        """A move by land, by sea, up a river, over a portage, or at a fleet beside it."""
        goals = self.ground.goals(unit)
        if goals:
            self._go(unit, self._choose(goals, self.ground.rides(unit)))

    def _use(self, unit: Unit) -> None:
        """A move for a unit that nothing else was found for, unless it is supported to hold."""
        if self.name(unit) not in self.held:
            self._attack(unit)

    def _go(self, unit: Unit, to: str, via_convoy: bool = False) -> None:
        self.plan[unit] = Move(self.name(unit), to, via_convoy)
        self.goals.add(to)

    def _choose(self, goals: Sequence[str], rides: Sequence[str] = ()) -> str:
        """One of several destinations, the better ones more often."""
        return self.rng.choices(goals, [self._appeal(goal, rides) for goal in goals])[0]

    def _appeal(self, goal: str, rides: Sequence[str]) -> int:
        """How much a destination is worth: the nearer to a centre of others, the more.

        Whatever only this game has (attacks on a numbered fleet, rides) is tried twice as often.
        Whole numbers, so that every machine draws alike.
        """
        province = split_location(goal)[0]
        distance = self.distance[province]
        appeal = 3 + (NEARNESS[distance] if distance < len(NEARNESS) else 0)
        there = self.ground.standing(province)
        if any(unit.power != self.power for unit in there):
            appeal += 20
        if "#" in goal or goal in rides:
            appeal *= 2
        room = self.position.board.provinces[province].capacity
        full = len(there) >= room and any(unit.power == self.power for unit in there)
        if (full and "#" not in goal) or (goal in self.goals and room == 1):
            appeal //= 10
        return appeal + 1

    def _cross(self, army: Unit) -> None:
        """A move over the power's own fleets that have nothing else to do."""
        if army.kind == "F":
            return
        idle = [u for u in self.mine if u.kind == "F" and u not in self.plan]
        routes = self.ground.crossings(army, idle)
        if not routes:
            return
        to = self._choose(sorted(routes))
        self._go(army, to, via_convoy=self.rng.random() < 0.5)
        for fleet in routes[to]:
            self.plan[fleet] = Convoy(self.name(fleet), self.name(army), to)

    # -- helping --------------------------------------------------------------------------------

    def _support(self, unit: Unit) -> None:
        """Help a move of one's own that the unit can reach, else one's own unit that stays."""
        reach = self.ground.reach(unit)
        options: list[tuple[Support, int]] = []
        for other in self.mine:
            planned = self.plan.get(other)
            if other == unit:
                continue
            if isinstance(planned, Move):
                if split_location(planned.to)[0] in reach:
                    options.append((self._supporting(unit, other, planned), 4))
            elif other.province in reach:
                options.append((Support(self.name(unit), self.name(other)), 1))
        if options:
            order, _ = self.rng.choices(options, [weight for _, weight in options])[0]
            self.plan[unit] = order
            if order.to is None:
                self.held.add(order.supported)

    def _supporting(self, unit: Unit, other: Unit, order: Move) -> Support:
        """A support that fits a move; the number of a fleet may be left out (R14)."""
        to = order.to
        if "#" in to and self.rng.random() < 0.2 and other.province != split_location(to)[0]:
            to = split_location(to)[0]
        return Support(self.name(unit), self.name(other), to)

    # -- the odd order --------------------------------------------------------------------------

    def _odd(self, unit: Unit) -> None:
        """Something that a person might write all the same."""
        options = (self._help_another, self._carry_another, self._stray)
        self.plan[unit] = self.rng.choice(options)(unit)

    def _help_another(self, unit: Unit) -> MovementOrder:
        """Support of another power's unit, to hold or for a move that it may make."""
        reach = self.ground.reach(unit)
        others = [u for u in self.ground.units if u.power != self.power]
        moves = [
            Support(self.name(unit), self.name(other), goal)
            for other in others
            for goal in self.ground.goals(other)
            if split_location(goal)[0] in reach and other.power in self.position.board.powers
        ]
        holds = [Support(self.name(unit), self.name(u)) for u in others if u.province in reach]
        options = [*moves, *holds]
        return self.rng.choice(options) if options else Hold(self.name(unit))

    def _carry_another(self, unit: Unit) -> MovementOrder:
        """A convoy for any army beside the sea that the unit is in."""
        armies = self.ground.boarding(unit)
        coasts = self.ground.shores(unit)
        if not armies or not coasts:
            return self._stray(unit)
        army = self.rng.choice(armies)
        return Convoy(self.name(unit), self.name(army), self.rng.choice(coasts))

    def _stray(self, unit: Unit) -> MovementOrder:
        """A move to any place at all, possible or not."""
        to = self.rng.choice(list(self.position.board.provinces))
        return Move(self.name(unit), to) if to != unit.province else Hold(self.name(unit))
