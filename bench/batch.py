"""The rate of ``adjudicate_many`` beside ``adjudicate`` on order sets that differ in some orders.

The positions are those of :mod:`bench.whatif`: Alex Magnum, 45 units.  Three kinds of sets are
drawn from the legal orders of the units: *what if* changes the orders of one or two units of the
set that was given; *sampling* draws all orders of one power anew and one order of every other;
*all anew* draws an order for every unit of every power, so that few sets have much in common.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from random import Random
from time import process_time
from typing import Any

from alexmagnum.judge import adjudicate
from alexmagnum.judge.options import legal_orders
from alexmagnum.judge.order_sets import adjudicate_many
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit
from bench.whatif import Played, positions

OrderSet = dict[str, tuple[Order, ...]]
SETS = 4_000


class Draws:
    """Order sets of one position, drawn from a seed; orders are shared, as searches share them."""

    def __init__(self, played: Played) -> None:
        self.position = played.position
        self.rng = Random(1)
        units = [unit for unit in played.position.units if unit.power in played.orders]
        self.legal: dict[Unit, list[Order]] = {
            unit: list(legal_orders(played.position, unit)) for unit in units
        }
        given = {
            order.unit: order for orders in played.orders.values() for order in orders
        }  # fmt: skip
        self.base: dict[Unit, Order] = {
            unit: given.get(played.position.name(unit), self.legal[unit][0]) for unit in units
        }

    def what_if(self) -> OrderSet:
        return self._change(self.rng.sample(list(self.base), self.rng.randint(1, 2)))

    def sampling(self) -> OrderSet:
        powers = sorted({unit.power for unit in self.base})
        chosen = self.rng.choice(powers)
        changed = [unit for unit in self.base if unit.power == chosen]
        for power in powers:
            if power != chosen:
                changed.append(self.rng.choice([u for u in self.base if u.power == power]))
        return self._change(changed)

    def all_anew(self) -> OrderSet:
        return self._change(list(self.base))

    def _change(self, units: Sequence[Unit]) -> OrderSet:
        """Return the given orders with new ones for some units."""
        chosen = dict(self.base)
        for unit in units:
            chosen[unit] = self.rng.choice(self.legal[unit])
        by_power: dict[str, list[Order]] = {}
        for unit, order in chosen.items():
            by_power.setdefault(unit.power, []).append(order)
        return {power: tuple(orders) for power, orders in by_power.items()}


Judge = Callable[[Position, Sequence[OrderSet]], object]

KINDS: Mapping[str, Callable[[Draws], OrderSet]] = {
    "what if: one or two units": Draws.what_if,
    "sampling: a power, a unit of each other": Draws.sampling,
    "all anew": Draws.all_anew,
}
JUDGES: Mapping[str, Judge] = {
    "adjudicate, results and units": lambda position, sets: [
        (outcome.results, outcome.units)
        for outcome in (adjudicate(position, orders) for orders in sets)
    ],
    "adjudicate_many": lambda position, sets: [
        (outcome.results, outcome.units) for outcome in adjudicate_many(position, sets)
    ],
    "adjudicate_many, as arrays": lambda position, sets: adjudicate_many(
        position, sets, as_arrays=True
    ),
}


def measure(*, quick: bool) -> list[dict[str, Any]]:
    """Return the sets a second of processor time, by kind of sets and judge."""
    size = SETS // 8 if quick else SETS
    draws = [Draws(played) for played in positions()][: 1 if quick else None]
    rows = []
    for kind, draw in KINDS.items():
        tasks = [(drawn.position, [draw(drawn) for _ in range(size)]) for drawn in draws]
        for name, judge in JUDGES.items():
            rates = [size / _time(judge, position, sets) for position, sets in tasks]
            rows.append(
                {"sets": kind, "judge": name, "per_second": round(statistics.median(rates))}
            )
    return rows


def _time(judge: Judge, position: Position, sets: Sequence[OrderSet]) -> float:
    start = process_time()
    judge(position, sets)
    return process_time() - start


def table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the lines of a table of the rows."""
    heading = f"{'order sets of 45 units':<42}{'judge':<32}{'per second':>11}"
    return [heading] + [f"{r['sets']:<42}{r['judge']:<32}{r['per_second']:>11}" for r in rows]
