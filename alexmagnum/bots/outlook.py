"""A position as bots see it: who can reach what, and the worth of each place to a power."""

from __future__ import annotations

from typing import Final

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.bots.map_weights import MapWeights, Row, sum_worths
from alexmagnum.position import AUTUMN, MOVEMENT, Position, Unit
from alexmagnum.unit_tables import UnitTables

_LEAST_SIZE: Final = 16
_SPRING_ATTACK: Final = 7
_SPRING_DEFENCE: Final = 3
_AUTUMN_ATTACK: Final = 6
_AUTUMN_DEFENCE: Final = 4
"""The shares of attack and defence in the value of a centre."""

_UNKNOWN: Final = -1


class Outlook:
    """One position as all its bots see it.

    Powers are numbered as in the tables of the board; the number of the independents comes last.
    ``reach[province * parties + power]``: the strength with which a power can move to a province or
    stands there; ``nodes``, ``ways``: by number of a unit of the position's tables, its node and
    the nodes that it can reach; ``names``: by number, its canonical name; ``sizes``: by power, how
    much a centre of it is worth, "" for centres without an owner.
    """

    def __init__(self, position: Position, weights: MapWeights) -> None:
        self.position = position
        self.weights = weights
        units = position.tables
        self.units: UnitTables = units
        self.names: list[str] = units.list_names()
        self.powers: tuple[str, ...] = tuple(position.board.powers)
        self.parties: int = len(self.powers) + 1
        self.revolting: list[bool] = [position.in_revolt(power) for power in self.powers]
        is_spring = position.phase.season in MOVEMENT and position.phase.season != AUTUMN
        self.is_spring: bool = is_spring
        self.seasonal: tuple[Row, ...] = weights.spring if is_spring else weights.autumn
        self.nodes: list[int] = [
            units.province[u] if units.army[u] else weights.n + units.location[u]
            for u in units.numbers
        ]
        self.ways: list[tuple[int, ...]] = [self._find_ways(u) for u in units.numbers]
        self.reach: list[int] = [0] * (weights.n * self.parties)
        self._strongest: list[int] = [0] * weights.n
        self._second: list[int] = [0] * weights.n
        self._leader: list[int] = [_UNKNOWN] * weights.n
        for u in units.numbers:
            self._add_reach(u)
        self._rank_reach()
        self._value_centres()

    # -- who can reach what ------------------------------------------------------------------------

    def _find_ways(self, u: int) -> tuple[int, ...]:
        """Return the nodes that a unit can reach, as far as units in its way can be seen.

        A unit that stands on a river stops who comes along (R19), one on a portage the haul (R23),
        and armies beside it raid the hauled fleet (R24).
        """
        units, weights = self.units, self.weights
        if not self.takes_orders(units.power[u]):
            return ()
        node = self.nodes[u]
        ways = weights.ways[node]
        closings = weights.closings[node]
        if not closings:
            return ways
        return tuple([to for to in ways if to not in closings or self._is_open(u, node, to)])

    def _is_open(self, u: int, node: int, to: int) -> bool:
        """Tell whether nobody is in the way of a ride, nor can raid it."""
        units, weights = self.units, self.weights
        for province in weights.closings[node][to]:
            if units.units_in[province]:
                return False
        if to in weights.raiders[node]:
            for province in weights.raiders[node][to]:
                for other in units.units_in[province]:
                    rival = units.power[other]
                    if units.army[other] and rival != units.power[u] and self.takes_orders(rival):
                        return False
        return True

    def takes_orders(self, power: int) -> bool:
        """Tell whether units are neither garrisons (R27) nor in revolt (R3)."""
        return power != self.units.board.independents and not self.revolting[power]

    def _add_reach(self, u: int) -> None:
        """Add the strength of a unit where it stands, and once to each province it can reach."""
        units, weights, reach, parties = self.units, self.weights, self.reach, self.parties
        power, strength = units.power[u], units.base_strength[u]
        here = units.province[u]
        reach[here * parties + power] += strength
        added: list[int] = [here]
        for to in self.ways[u]:
            province = weights.province_of[to]
            if province not in added:
                added.append(province)
                reach[province * parties + power] += strength

    def _rank_reach(self) -> None:
        """Find the two strongest parties at each province."""
        reach, parties = self.reach, self.parties
        for province in range(self.weights.n):
            strongest, second, leader = 0, 0, _UNKNOWN
            for party in range(parties):
                strength = reach[province * parties + party]
                if strength > strongest:
                    strongest, second, leader = strength, strongest, party
                elif strength > second:
                    second = strength
            self._strongest[province] = strongest
            self._second[province] = second
            self._leader[province] = leader

    def strength(self, unit: Unit) -> int:
        """Return the strength of a unit by itself (R1, R3)."""
        if unit.kind == "G" and not self.position.in_revolt(unit.power):
            return self.position.board.rules.general_strength
        return 1

    def rival_strength(self, province: int, power: int) -> int:
        """Return the strength of the strongest rival of a power, by number, at a province."""
        if self._leader[province] == power:
            return self._second[province]
        return self._strongest[province]

    def threat(self, province: int, power: str) -> int:
        """Return the strength of the strongest rival of a power at a province."""
        return self.rival_strength(province, self.units.board.power[power])

    def own_reach(self, province: int, power: str) -> int:
        """Return the strength with which a power itself can be at a province."""
        return self.reach[province * self.parties + self.units.board.power[power]]

    def find_rival(self, province: int, power: str) -> tuple[str, int]:
        """Return the strongest rival of a power at a province and its strength, or "" and 0."""
        rival, most = "", 0
        for party, name in enumerate((*self.powers, INDEPENDENT)):
            strength = self.reach[province * self.parties + party]
            if name != power and strength and (strength, name) > (most, rival):
                rival, most = name, strength
        return rival, most

    # -- what places are worth ---------------------------------------------------------------------

    def _value_centres(self) -> None:
        """Value each centre for who does not own it, and for its owner.

        A foreign centre is worth the size of its owner, an own one that of the largest rival who
        can reach it.
        """
        position, weights = self.position, self.weights
        count = dict.fromkeys((*self.powers, ""), 0)
        owners = [position.owners.get(centre, "") for centre in position.board.centres]
        for owner in owners:
            count[owner] += 1
        self.sizes: dict[str, int] = {
            power: c * c + 4 * c + _LEAST_SIZE for power, c in count.items()
        }
        attack = _SPRING_ATTACK if self.is_spring else _AUTUMN_ATTACK
        defence = _SPRING_DEFENCE if self.is_spring else _AUTUMN_DEFENCE
        by_number = [self.sizes[power] for power in self.powers]
        self._foreign: Row = tuple([attack * self.sizes[owner] for owner in owners])
        self._own: list[list[tuple[int, int]]] = [[] for _ in self.powers]
        for centre, owner in enumerate(owners):
            if owner:
                power = self.units.board.power[owner]
                at = weights.centres[centre] * self.parties
                most = 0
                for rival, size in enumerate(by_number):
                    if rival != power and size > most and self.reach[at + rival]:
                        most = size
                self._own[power].append((centre, defence * most))
        self._shared: list[int] = [_UNKNOWN] * len(weights.ways)
        self._worths: list[list[int]] = [[] for _ in self.powers]

    def centre_values(self, power: str) -> tuple[int, ...]:
        """Return what each centre is worth to a power, in the order of ``board.centres``."""
        values = list(self._foreign)
        for centre, value in self._own[self.units.board.power[power]]:
            values[centre] = value
        return tuple(values)

    def find_aim(self, node: int, power: str) -> str:
        """Return the centre that a unit on a node is of most use for; "" if there is none."""
        best, aim = 0, ""
        values = self.centre_values(power)
        for c, centre in enumerate(self.position.board.centres):
            share = self.seasonal[node][c] * values[c]
            if share > best:
                best, aim = share, centre
        return aim

    def value(self, node: int, power: str) -> int:
        """Return what it is worth to a power to have a unit on a node."""
        return self.worth(node, self.units.board.power[power])

    def worth(self, node: int, power: int) -> int:
        """Return what it is worth to a power, by number, to have a unit on a node."""
        known = self._worths[power]
        if not known:
            known = self._worths[power] = [_UNKNOWN] * len(self.weights.ways)
        total = known[node]
        if total < 0:
            row, foreign = self.seasonal[node], self._foreign
            total = self._find_shared(node, row)
            for centre, value in self._own[power]:
                total += row[centre] * (value - foreign[centre])
            known[node] = total
        return total

    def _find_shared(self, node: int, row: Row) -> int:
        """Return the worth of a node to a power without centres."""
        total = self._shared[node]
        if total < 0:
            total = self._shared[node] = sum_worths(row, self._foreign)
        return total
