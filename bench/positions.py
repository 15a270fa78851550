"""The positions to measure on: standard games played at random from a seed.

The random player prefers what people prefer (centres and occupied places), supports its attacks
with most of its other units, and convoys where its fleets allow; so nearly every position has
contested places, supports that count and supports that are cut.

``python -m bench.positions`` plays the games again and writes ``positions.json.gz``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from alexmagnum.orders import Convoy, Hold, Move, MovementOrder, Support
from bench.lines import read, write

if TYPE_CHECKING:
    from alexmagnum.board.model import Board, Power

FILE = Path(__file__).with_name("positions.json.gz")
"""Compressed to a sixth, because its lines resemble each other."""
FEWEST, MOST = 22, 34
"""The least and the largest number of units in a position."""
YEARS = range(1903, 1910)
"""The years from which positions are taken; games end with the last of them."""

Lines = Mapping[str, tuple[str, ...]]
"""Order lines by power."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A movement phase with an order for every unit, as canonical lines by power."""

    lines: Lines

    @property
    def units(self) -> dict[str, str]:
        """Return the power of each unit, by canonical unit name."""
        return {_unit(line): power for power, lines in self.lines.items() for line in lines}

    @property
    def orders(self) -> dict[str, tuple[MovementOrder, ...]]:
        """Return the lines as order values, by power."""
        return {power: tuple(map(read, lines)) for power, lines in self.lines.items()}


@dataclass(frozen=True, slots=True)
class PhaseResult:
    """The result of a phase: powers of the units in place, and dislodged units with retreats."""

    units: Mapping[str, str]
    dislodged: Mapping[str, tuple[str, Sequence[str]]] = field(default_factory=dict)


Resolve = Callable[[Sample], PhaseResult]


def load(count: int | None = None) -> list[Sample]:
    """Return the stored positions, or the first ``count`` of them."""
    stored = json.loads(gzip.decompress(FILE.read_bytes()))[:count]
    return [Sample({power: tuple(lines) for power, lines in s.items()}) for s in stored]


def save(samples: Iterable[Sample], path: Path = FILE) -> None:
    """Write positions to a file, one to a line; the same positions make the same file."""
    rows = (json.dumps(dict(s.lines), separators=(",", ":")) for s in samples)
    text = "[\n" + ",\n".join(rows) + "\n]\n"
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def generate(board: Board, resolve: Resolve, seed: int, count: int) -> list[Sample]:
    """Return ``count`` positions from random games; the same for the same arguments."""
    rng, samples = random.Random(seed), list[Sample]()
    while len(samples) < count:
        samples += play(board, resolve, rng)
    return samples[:count]


def play(board: Board, resolve: Resolve, rng: random.Random) -> Iterator[Sample]:
    """Play one game and yield its movement phases with enough units."""
    units = {unit: power.id for power in board.powers.values() for unit in power.units}
    owners = {centre: power.id for power in board.powers.values() for centre in power.homes}
    for year in range(1901, YEARS.stop):
        for _season in ("spring", "autumn"):
            orders = RandomPlayer(board, units, owners, rng).orders()
            sample = Sample(_by_power(units, orders))
            if year in YEARS and FEWEST <= len(units) <= MOST:
                yield sample
            units = _retreat_at_random(resolve(sample), rng)
        owners |= {p: units[u] for u in units if board.provinces[p := _province(u)].centre}
        units = _adjust_at_random(board, units, owners, rng)


class RandomPlayer:
    """A player that gives every unit of every power an order.

    ``units``: canonical name to power; ``owners``: centre to power.
    """

    def __init__(
        self, board: Board, units: Mapping[str, str], owners: Mapping[str, str], rng: random.Random
    ) -> None:
        self.board, self.units, self.owners, self.rng = board, units, owners, rng
        self.unit_at = {_province(unit): unit for unit in units}
        self.plan: dict[str, MovementOrder] = {}

    def orders(self) -> dict[str, MovementOrder]:
        """Return an order for every unit: convoys first, then attacks, then supports for them."""
        todo = sorted(self.units)
        self.rng.shuffle(todo)
        for step, chance in ((self._convoy, 0.4), (self._attack, 0.5), (self._support, 0.85)):
            for unit in todo:
                if unit not in self.plan and self.rng.random() < chance:
                    step(unit)
        return {unit: self.plan.get(unit) or Hold(unit) for unit in self.units}

    def _goals(self, unit: str) -> list[str]:
        kind, location = unit.split()
        graph = self.board.army_graph if kind == "A" else self.board.fleet_graph
        return sorted(graph[location])

    def _appeal(self, power: str, location: str) -> float:
        place = location.partition("/")[0]
        there = self.units.get(self.unit_at.get(place, ""))
        if there == power:
            return 0.3
        wanted = self.board.provinces[place].centre and self.owners.get(place) != power
        return 1 + 3 * bool(wanted) + 2 * bool(there)

    def _choose(self, power: str, goals: Sequence[str]) -> str:
        return self.rng.choices(goals, [self._appeal(power, goal) for goal in goals])[0]

    def _attack(self, unit: str) -> None:
        goals = self._goals(unit)
        if goals:
            self.plan[unit] = Move(unit, self._choose(self.units[unit], goals))

    def _convoy(self, army: str) -> None:
        routes = self._routes(army) if army.startswith("A") else {}
        if not routes:
            return
        to = self._choose(self.units[army], sorted(routes))
        self.plan[army] = Move(army, to, via_convoy=True)
        self.plan |= {fleet: Convoy(fleet, army, to) for fleet in routes[to]}

    def _routes(self, army: str) -> dict[str, list[str]]:
        """Return the coasts that free fleets can convoy the army to, with the fleets of each."""
        start, power = _province(army), self.units[army]
        routes: dict[str, list[str]] = {}
        queue = deque((sea, [fleet]) for sea, fleet in self._free_fleets(start, power))
        seen = {sea for sea, _ in queue}
        while queue:
            sea, chain = queue.popleft()
            for coast in sorted(self.board.fleet_graph[sea]):
                place = coast.partition("/")[0]
                if not _is_sea(self.board, place) and place != start:
                    routes.setdefault(place, chain)
            for further, fleet in self._free_fleets(sea, power):
                if further not in seen:
                    seen.add(further)
                    queue.append((further, [*chain, fleet]))
        near = set(self.board.army_graph[start])
        return {place: chain for place, chain in routes.items() if place not in near}

    def _free_fleets(self, place: str, power: str) -> list[tuple[str, str]]:
        """Return the seas beside a province that hold a fleet of the power without an order."""
        coasts = [f"{place}/{c}" for c in self.board.provinces[place].coasts] or [place]
        graph = self.board.fleet_graph
        beside = {sea for c in coasts for sea in graph.adj.get(c, ()) if _is_sea(self.board, sea)}
        fleets = [(sea, self.unit_at.get(sea, "")) for sea in sorted(beside)]
        return [(s, f) for s, f in fleets if self.units.get(f) == power and f not in self.plan]

    def _support(self, unit: str) -> None:
        """Support an attack that the unit can reach, or a unit beside it that stays."""
        power, reach = self.units[unit], {g.partition("/")[0] for g in self._goals(unit)}
        options: list[tuple[Support, float]] = []
        for other in sorted(self.units):
            order, own = self.plan.get(other), self.units[other] == power
            if other == unit:
                continue
            if isinstance(order, Move):
                if order.to.partition("/")[0] in reach:
                    options.append((Support(unit, other, order.to), 4 if own else 0.1))
            elif _province(other) in reach:
                options.append((Support(unit, other), 1 if own else 0.05))
        if options:
            self.plan[unit] = self.rng.choices(*zip(*options, strict=True))[0]


def _unit(line: str) -> str:
    return " ".join(line.split(maxsplit=2)[:2])


def _province(unit: str) -> str:
    return unit[2:].partition("/")[0]


def _is_sea(board: Board, location: str) -> bool:
    return board.province_of(location).is_sea


def _by_power(units: Mapping[str, str], orders: Mapping[str, MovementOrder]) -> Lines:
    lines: dict[str, tuple[str, ...]] = {}
    for unit in sorted(units):
        lines[units[unit]] = (*lines.get(units[unit], ()), write(orders[unit]))
    return dict(sorted(lines.items()))


def _retreat_at_random(result: PhaseResult, rng: random.Random) -> dict[str, str]:
    """Return the units after random retreats; two units that retreat to one place are lost."""
    going: dict[str, list[tuple[str, str]]] = {}
    for unit, (power, retreats) in sorted(result.dislodged.items()):
        if retreats:
            to = rng.choice(sorted(retreats))
            going.setdefault(to.partition("/")[0], []).append((f"{unit[0]} {to}", power))
    arrived = dict(units[0] for units in going.values() if len(units) == 1)
    return dict(sorted((dict(result.units) | arrived).items()))


def _adjust_at_random(
    board: Board, units: dict[str, str], owners: Mapping[str, str], rng: random.Random
) -> dict[str, str]:
    """Return the units after a winter of random builds and removals."""
    units = dict(units)
    for power in board.powers.values():
        own_units = sorted(unit for unit in units if units[unit] == power.id)
        spare = sum(owner == power.id for owner in owners.values()) - len(own_units)
        for unit in rng.sample(own_units, max(0, -spare)):
            del units[unit]
        free = _free_homes(power, units, owners)
        for home in rng.sample(free, max(0, min(spare, len(free)))):
            units[_choose_build(board, home, rng)] = power.id
    return dict(sorted(units.items()))


def _free_homes(power: Power, units: Iterable[str], owners: Mapping[str, str]) -> list[str]:
    """Return the home centres that the power owns and where no unit is."""
    taken = {_province(unit) for unit in units}
    return [home for home in power.homes if owners.get(home) == power.id and home not in taken]


def _choose_build(board: Board, home: str, rng: random.Random) -> str:
    province = board.provinces[home]
    if not province.coastal or rng.random() < 0.5:
        return f"A {home}"
    return f"F {home}/{rng.choice(province.coasts)}" if province.coasts else f"F {home}"


def main() -> None:
    """Play the games again and write the file of positions."""
    from bench.engines import AlexMagnum

    parser = argparse.ArgumentParser(prog="python -m bench.positions", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1, help="default %(default)s")
    parser.add_argument("--count", type=int, default=1500, help="default %(default)s")
    args = parser.parse_args()
    engine = AlexMagnum()
    samples = generate(engine.board, engine.resolve, args.seed, args.count)
    save(samples)
    print(f"{len(samples)} positions written to {FILE}")


if __name__ == "__main__":
    main()
