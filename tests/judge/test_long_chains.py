"""Phases of hundreds of units that rest on each other: right, and without a deep stack."""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from alexmagnum.judge import adjudicate
from bench.growth import FAMILIES, Task, column, crowded_seas, rings_of_three, river

UNITS = 300
ON_RIVERS = 120
"""The tables of a longer river take a second to make."""


@contextmanager
def _little_stack(frames: int = 700) -> Iterator[None]:
    """Leave room for so many calls, as in an interpreter with a small stack."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _count_results(task: Task) -> Counter[str]:
    with _little_stack():
        outcome = adjudicate(task.position(), task.orders)
        _ = outcome.reasons, outcome.units, outcome.dislodged
        return Counter(entry.result for entry in outcome.results)


@pytest.mark.parametrize("family", FAMILIES.values())
def test_three_hundred_units_need_no_deep_stack(family: Callable[[int], Task]) -> None:
    size = ON_RIVERS if family is river else UNITS

    results = _count_results(family(size))

    assert results.total() >= size - 3
    assert not results["illegal"]


@pytest.mark.parametrize("family", [column, rings_of_three, river])
def test_units_behind_each_other_all_follow(family: Callable[[int], Task]) -> None:
    size = ON_RIVERS if family is river else UNITS

    assert _count_results(family(size)) == {"succeeds": size}


def test_all_of_a_column_stay_if_its_head_bounces() -> None:
    task = column(UNITS)
    last = task.units[-1]
    moves = [order for order in task.orders[last.power] if order.unit != str(last)]  # type: ignore[union-attr]

    results = _count_results(task._replace(orders={**task.orders, last.power: moves}))

    assert results == {"fails": UNITS - 1}


def test_crowded_seas_follow_each_other_into_the_empty_last_one() -> None:
    assert _count_results(crowded_seas(UNITS)) == {"succeeds": UNITS}
