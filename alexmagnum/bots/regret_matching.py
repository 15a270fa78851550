"""Regret matching over the order sets of all powers, with the batch judge.

Each power gives the order sets more often that it regrets not having given (Hart and Mas-Colell
2000); the shares come close to an equilibrium that no power gains much by leaving.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from random import Random

from alexmagnum.board.geography import split_location
from alexmagnum.bots.outlook import Outlook
from alexmagnum.judge.batch import Batch
from alexmagnum.orders import Order
from alexmagnum.position import AUTUMN

OrderSet = tuple[Order, ...]

_ROUNDS = 12
_CAPTURE = {True: 4.0, False: 1.5}
"""The worth of standing in a foreign centre in autumn, and in spring; the best place counts 1."""
_DISLODGED, _RIVAL_DISLODGED = -1.0, 0.3


def match_regrets(
    outlook: Outlook, order_sets: Mapping[str, Sequence[OrderSet]], rng: Random
) -> dict[str, list[float]]:
    """Return how often each power gives each of its order sets; the shares of a power sum to 1."""
    batch = Batch(outlook.position)
    worth = _Worth(outlook, batch, list(order_sets))
    regrets = {power: [0.0] * len(listed) for power, listed in order_sets.items()}
    sums = {power: [0.0] * len(listed) for power, listed in order_sets.items()}
    for _ in range(_ROUNDS):
        mixed = {power: _mix(listed) for power, listed in regrets.items()}
        joint = {p: rng.choices(order_sets[p], shares)[0] for p, shares in mixed.items()}
        for power, shares in mixed.items():
            values = []
            for orders in order_sets[power]:
                batch.judge({**joint, power: orders})
                values.append(worth.measure(power))
            mean = sum(map(mul, shares, values))
            for i, value in enumerate(values):
                regrets[power][i] += value - mean
                sums[power][i] += shares[i] / _ROUNDS
    return sums


def _mix(regrets: Sequence[float]) -> list[float]:
    """Return shares in proportion to the regrets; equal ones if nothing is regretted."""
    positive = [max(regret, 0.0) for regret in regrets]
    total = sum(positive)
    if total <= 0.0:
        return [1.0 / len(regrets)] * len(regrets)
    return [regret / total for regret in positive]


class _Worth:
    """The worth of a batch's last outcome to each power: its places, captures and losses."""

    def __init__(self, outlook: Outlook, batch: Batch, powers: Sequence[str]) -> None:
        position, weights = outlook.position, outlook.weights
        tables = weights.tables
        is_autumn = position.phase.season == AUTUMN
        self._batch = batch
        self._capture = _CAPTURE[is_autumn]
        places = [split_location(name) for name in batch.place_names]
        self._province_at = [tables.index[province] for province, _, _ in places]
        locations = [tables.location[f"{p}/{c}" if c else p] for p, c, _ in places]
        self._owner = {tables.index[c]: p for c, p in position.owners.items()}
        self._is_centre = bytearray(weights.n)
        for centre in weights.centres:
            self._is_centre[centre] = 1
        self._units_of = {
            power: [u for u, unit in enumerate(batch.units) if unit.power == power]
            for power in powers
        }
        self._is_fleet = [unit.kind == "F" for unit in batch.units]
        self._worth_at: dict[str, tuple[list[float], list[float]]] = {}
        seasonal = weights.spring if is_autumn else weights.autumn  # of the season that follows
        for power in powers:
            values = outlook.centre_values(power)
            worth = [sum(map(mul, row, values)) for row in seasonal]
            best = max(worth) or 1.0
            self._worth_at[power] = (
                [worth[province] / best for province in self._province_at],
                [worth[weights.n + location] / best for location in locations],
            )

    def measure(self, power: str) -> float:
        """Return the worth of the last outcome to a power."""
        places = self._batch.places
        worth_at = self._worth_at[power]
        total = 0.0
        for u in self._units_of[power]:
            at = places[u]
            if at < 0:
                total += _DISLODGED
                continue
            total += worth_at[self._is_fleet[u]][at]
            province = self._province_at[at]
            if self._is_centre[province] and self._owner.get(province) != power:
                total += self._capture
        for other, units in self._units_of.items():
            if other != power:
                total += sum(self._measure_rival(places[u], power) for u in units)
        return total

    def _measure_rival(self, at: int, power: str) -> float:
        """Return what it is worth to a power that a rival's unit came to a place."""
        if at < 0:
            return _RIVAL_DISLODGED
        return -self._capture if self._owner.get(self._province_at[at]) == power else 0.0
