"""Units that rest on each other, by hundreds or in circles: right, and without a deep stack."""

from __future__ import annotations

import inspect
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from alexmagnum.board import load_board
from alexmagnum.board.map_file import maps_folder
from alexmagnum.judge import adjudicate
from alexmagnum.notation import read_canonical
from alexmagnum.position import Phase, Position, Unit
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


CITIES = ("ILL", "EPI", "MAC")
"""Three provinces that touch each other, which cities of the shipped map do not (R26)."""


def test_attacks_that_chase_each_other_round_three_cities_end(tmp_path: Path) -> None:
    """Whether an attack beats its target can rest on itself; nobody is stronger, so all fail."""
    raw = json.loads((maps_folder() / "alexmagnum.json").read_text(encoding="utf-8"))
    raw["rules"]["major_city_capacity"] = 2
    for province in raw["provinces"]:
        if province["id"] in CITIES:
            province |= {"centre": "start", "major": True}
    (tmp_path / "three.json").write_text(
        json.dumps({k: v for k, v in raw.items() if k != "geometry"}), encoding="utf-8"
    )
    board = load_board(str(tmp_path / "three.json"))
    powers = dict(zip(CITIES, ("TOL", "SEL", "LIS"), strict=True))
    units = tuple(Unit(p, "A", city, number=n) for city, p in powers.items() for n in (1, 2))
    position = Position(board, Phase(318, "spring"), units)
    orders = {
        "TOL": ["A ILL#1 - EPI#2", "A ILL#2 - MAC#2"],
        "SEL": ["A EPI#1 - MAC#1", "A EPI#2 - ILL#1"],
        "LIS": ["A MAC#1 - EPI#1", "A MAC#2 - ILL#2"],
    }
    outcome = adjudicate(position, read_canonical(orders, position))

    assert {entry.result for entry in outcome.results} == {"fails"}
    assert set(outcome.units) == set(units)
