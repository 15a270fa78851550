"""The moves of the bot *dumb*: every unit goes for the best place, others support it there.

The scheme is David Norman's DumbBot, widened to several fleets in a sea, rivers, the portage,
generals and garrisons.  There are no convoys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from alexmagnum.bots.outlook import Outlook
from alexmagnum.orders import Hold, Move, MovementOrder, Support
from alexmagnum.position import Unit

_NEXT_BEST = 0.5
"""The chance that a unit takes the next best place of two that are equally good."""
STEADY = 5.0
"""The chance falls to nothing where the next place is worse by one part in so many: with a lower
number plans differ more."""

_CROWD = 0.15
"""The part of a place's value that each strength beyond the strongest rival's is worth."""
_GENERAL_RISK = 0.3
"""The part of a place's value that a general loses for each strength by which rivals prevail."""


@dataclass(slots=True)
class _Goal:
    """A place for which units of the power go, or where one stays.

    ``unit`` moves to ``to`` (None: stays); ``strength`` is its own and that of its supports so far,
    ``threat`` the strength that rivals can bring.
    """

    unit: Unit
    to: str | None
    strength: int
    threat: int
    value: float


class MovementPlan:
    """The orders of one power for a movement phase, while they are chosen.

    ``goals``: by province, the places that units go for or stay at; ``here``: the power's units by
    province.
    """

    def __init__(
        self, outlook: Outlook, power: str, rng: Random, steadiness: float = STEADY
    ) -> None:
        self.steadiness = steadiness
        self.outlook = outlook
        self.weights = outlook.weights
        self.position = outlook.position
        self.power = power
        self.rng = rng
        self.mine = sorted(self.position.units_of(power))
        self.orders: dict[Unit, MovementOrder] = {}
        self.goals: dict[int, list[_Goal]] = {}
        self.here: dict[int, list[Unit]] = {}
        for unit in self.mine:
            self.here.setdefault(self._province(unit), []).append(unit)

    def list_orders(self) -> list[MovementOrder]:
        """Return an order for each unit of the power."""
        waiting = list(self.mine)
        self.rng.shuffle(waiting)
        waiting.reverse()
        deferred: set[Unit] = set()
        while waiting:
            unit = waiting.pop()
            if unit in self.orders:
                continue
            blocker = self._order(unit, deferred)
            if blocker is not None:
                deferred.add(unit)
                waiting += [unit, blocker]
        self._use_idle_units()
        return [self.orders[unit] for unit in self.mine]

    # -- where to go -------------------------------------------------------------------------------

    def _order(self, unit: Unit, deferred: set[Unit]) -> Unit | None:
        """Order a unit; or return the unit of its own that has to be ordered before it."""
        for value, node in self._choose(unit):
            province = self.weights.province_of[node]
            if province == self._province(unit):
                self._stay(unit, value)
                return None
            blocker = self._find_blocker(province, deferred)
            if blocker is not None and unit not in deferred:
                return blocker
            if self._go(unit, node, province, value):
                return None
        self._stay(unit, 0.0)
        return None

    def _choose(self, unit: Unit) -> Iterator[tuple[float, int]]:
        """Yield the nodes that a unit may go for with their values, the chosen one first."""
        node = self.outlook.nodes[unit]
        ranked = [(self._value(unit, to), to) for to in (node, *self.weights.ways[node])]
        ranked.sort(reverse=True)
        while ranked:
            chosen = 0
            while chosen + 1 < len(ranked) and self.rng.random() < self._chance(
                ranked[chosen][0], ranked[chosen + 1][0]
            ):
                chosen += 1
            yield ranked.pop(chosen)

    def _chance(self, best: float, following: float) -> float:
        """Return the chance that the next best place is taken."""
        if best <= 0:
            return _NEXT_BEST
        return _NEXT_BEST * max(0.0, 1.0 - self.steadiness * (best - following) / best)

    def _value(self, unit: Unit, node: int) -> float:
        """Return what a place is worth as the destination of a unit."""
        province = self.weights.province_of[node]
        value = self.outlook.value(node, self.power)
        own, threat = self.outlook.own_reach(province, self.power), self._threat(province)
        value *= 1.0 + _CROWD * max(-3, min(3, own - threat))
        if unit.kind == "G" and threat > self.outlook.strength(unit):
            value *= max(0.1, 1.0 - _GENERAL_RISK * (threat - self.outlook.strength(unit)))
        return value

    def _threat(self, province: int) -> int:
        """Return the strength that rivals can bring to a place; nothing where there is room."""
        if self._has_room(province):
            return 0
        return self.outlook.threat(province, self.power)

    def _has_room(self, province: int) -> bool:
        """Tell whether a sea has a place that nobody holds (R9)."""
        capacity = self.weights.tables.capacity[province]
        return capacity > 1 and len(self.position.tables.units_in[province]) < capacity

    def _find_blocker(self, province: int, deferred: set[Unit]) -> Unit | None:
        """Return a unit of the power that fills a province and has no order yet."""
        units = self.here.get(province, [])
        if len(units) < self.weights.tables.capacity[province]:
            return None
        return next((u for u in units if u not in self.orders and u not in deferred), None)

    def _go(self, unit: Unit, node: int, province: int, value: float) -> bool:
        """Move a unit to a place or support a unit there; return whether that makes sense."""
        goals = self.goals.setdefault(province, [])
        moving = [goal for goal in goals if goal.to is not None]
        if len(goals) >= self.weights.tables.capacity[province]:
            return self._support_one_of(unit, province, goals)
        if moving and _needs_support(moving[0]):
            return self._support_one_of(unit, province, moving)
        to = self._destination(unit, node, province)
        if to is None:
            return False
        self.orders[unit] = Move(self.position.name(unit), to)
        strength = self.outlook.strength(unit)
        goals.append(_Goal(unit, to, strength, self._threat(province), value))
        return True

    def _destination(self, unit: Unit, node: int, province: int) -> str | None:
        """Return how an order writes a destination; None if it is full of the power's own units.

        In a sea without an open place the attack names a fleet (R11, R12).
        """
        tables = self.weights.tables
        if unit.kind != "F":
            return tables.ids[province]
        if tables.capacity[province] == 1 or self._has_room(province):
            return tables.location_names[node - self.weights.n]
        units = self.position.tables
        foreign = [units.units[u] for u in units.units_in[province]]
        foreign = [other for other in foreign if other.power != self.power]
        if not foreign:
            return tables.ids[province]
        return max(foreign, key=lambda other: (self.outlook.sizes.get(other.power, 0), other)).place

    def _stay(self, unit: Unit, value: float) -> None:
        self.orders[unit] = Hold(self.position.name(unit))
        province = self._province(unit)
        goal = _Goal(unit, None, self.outlook.strength(unit), self._threat(province), value)
        self.goals.setdefault(province, []).append(goal)

    # -- supports ----------------------------------------------------------------------------------

    def _support_one_of(self, unit: Unit, province: int, goals: list[_Goal]) -> bool:
        """Support the goal that needs it most; return whether one needs it."""
        if not self._can_support_into(unit, province):
            return False
        in_need = [goal for goal in goals if goal.unit is not unit and _needs_support(goal)]
        if not in_need:
            return False
        self._support(unit, max(in_need, key=lambda goal: (goal.value, goal.unit)))
        return True

    def _support(self, unit: Unit, goal: _Goal) -> None:
        goal.strength += 1
        name = self.position.name(goal.unit)
        self.orders[unit] = Support(self.position.name(unit), name, goal.to)

    def _can_support_into(self, unit: Unit, province: int) -> bool:
        """Tell whether a unit reaches a province across a border (R14)."""
        tables = self.weights.tables
        location = tables.location[unit.location]
        if unit.kind == "F":
            return bool(tables.fleet_reach[location * tables.n + province])
        return bool(tables.army_next[self._province(unit) * tables.n + province])

    def _use_idle_units(self) -> None:
        """Let units that hold support what needs it most."""
        for unit in self.mine:
            if not isinstance(self.orders[unit], Hold):
                continue
            in_reach = [
                goal
                for province, goals in self.goals.items()
                if self._can_support_into(unit, province)
                for goal in goals
                if goal.unit is not unit and _needs_support(goal)
            ]
            if in_reach:
                self._support(unit, max(in_reach, key=lambda goal: (goal.value, goal.unit)))

    def _province(self, unit: Unit) -> int:
        return self.weights.tables.index[unit.province]


def _needs_support(goal: _Goal) -> bool:
    """Tell whether rivals can still keep a unit out of its goal, or drive it from its place."""
    if goal.to is None:
        return goal.threat > 1 and goal.strength < goal.threat
    return goal.strength <= goal.threat
