"""A position as bots see it: who can reach what, and the worth of each place to a power."""

from __future__ import annotations

from functools import cached_property
from operator import mul

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.bots.map_weights import MapWeights, Row
from alexmagnum.position import AUTUMN, MOVEMENT, Position, Unit

_UNOWNED_SIZE = 16.0
_SPRING_SHARES = 700.0, 300.0
_AUTUMN_SHARES = 600.0, 400.0
"""The shares of attack and defence in the value of a centre."""


class Outlook:
    """One position as all its bots see it.

    ``reach``: by province, the strength with which each power can move there or stands there;
    ``nodes``: the node of each orderable unit.
    """

    def __init__(self, position: Position, weights: MapWeights) -> None:
        self.position = position
        self.weights = weights
        self.nodes = {
            unit: weights.node(unit.kind, unit.location)
            for unit in (*position.units, *(d.unit for d in position.dislodged))
        }
        self.reach: list[dict[str, int]] = [{} for _ in range(weights.n)]
        for unit in position.units:
            self._add_reach(unit)
        sizes = dict.fromkeys((*position.board.powers, ""), 0)
        for centre in position.board.centres:
            sizes[position.owners.get(centre, "")] += 1
        self.sizes = {power: c * c + 4.0 * c + _UNOWNED_SIZE for power, c in sizes.items()}
        self._values: dict[str, tuple[float, ...]] = {}

    def _add_reach(self, unit: Unit) -> None:
        weights, node = self.weights, self.nodes[unit]
        strength = self.strength(unit)
        provinces = {weights.province_of[node]}
        if self.position.takes_orders(unit):
            provinces.update(weights.province_of[to] for to in weights.ways[node])
        for province in provinces:
            at = self.reach[province]
            at[unit.power] = at.get(unit.power, 0) + strength

    def strength(self, unit: Unit) -> int:
        """Return the strength of a unit by itself (R1, R3)."""
        if unit.kind == "G" and not self.position.in_revolt(unit.power):
            return self.position.board.rules.general_strength
        return 1

    @cached_property
    def seasonal(self) -> tuple[Row, ...]:
        """The weights of the centres by node, in the open season."""
        is_spring = self.position.phase.season in MOVEMENT and self.position.phase.season != AUTUMN
        return self.weights.spring if is_spring else self.weights.autumn

    def threat(self, province: int, power: str) -> int:
        """Return the strength of the strongest rival of a power at a province."""
        return self.find_rival(province, power)[1]

    def own_reach(self, province: int, power: str) -> int:
        """Return the strength with which a power itself can be at a province."""
        return self.reach[province].get(power, 0)

    def centre_values(self, power: str) -> tuple[float, ...]:
        """Return what each centre is worth to a power, in the order of ``board.centres``.

        A foreign centre is worth the size of its owner, an own one that of the largest rival who
        can reach it.
        """
        known = self._values.get(power)
        if known is None:
            known = self._values[power] = tuple(self._list_values(power))
        return known

    def _list_values(self, power: str) -> list[float]:
        owners = self.position.owners
        spring = self.seasonal is self.weights.spring
        attack, defence = _SPRING_SHARES if spring else _AUTUMN_SHARES
        values = []
        for centre, province in zip(self.position.board.centres, self.weights.centres, strict=True):
            owner = owners.get(centre, "")
            if owner == power:
                rivals = (p for p in self.reach[province] if p not in (power, INDEPENDENT))
                values.append(defence * max((self.sizes[p] for p in rivals), default=0.0))
            else:
                values.append(attack * self.sizes[owner])
        return values

    def find_aim(self, node: int, power: str) -> str:
        """Return the centre that a unit on a node is of most use for; "" if there is none."""
        shares = list(map(mul, self.seasonal[node], self.centre_values(power)))
        best = max(range(len(shares)), key=shares.__getitem__, default=-1)
        return self.position.board.centres[best] if best >= 0 and shares[best] > 0 else ""

    def find_rival(self, province: int, power: str) -> tuple[str, int]:
        """Return the strongest rival of a power at a province and its strength, or "" and 0."""
        rivals = [(s, p) for p, s in self.reach[province].items() if p != power]
        strength, rival = max(rivals, default=(0, ""))
        return rival, strength

    def value(self, node: int, power: str) -> float:
        """Return what it is worth to a power to have a unit on a node."""
        total: float = sum(map(mul, self.seasonal[node], self.centre_values(power)))
        return total
