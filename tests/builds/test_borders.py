"""What a program may pass to the library, and when values go, does not depend on the build."""

from __future__ import annotations

import copy
import pickle
import sys
from collections import UserDict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from types import MappingProxyType
from typing import Any

import pytest

import alexmagnum as am
from alexmagnum.board import load_board
from alexmagnum.notation import read_canonical
from alexmagnum.orders import Move
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.units import names_of
from alexmagnum.whatif.flips import Flips

BOARD = am.load_board("standard")
SPRING = am.parse_phase("1901-spring")
UNITS = (
    am.Unit("Austria", "A", "VIE"),
    am.Unit("Italy", "A", "VEN"),
    am.Unit("Italy", "F", "ION"),
)
OWNERS = {"VIE": "Austria", "VEN": "Italy"}
POSITION = am.Position(BOARD, SPRING, UNITS, OWNERS, {"Italy": ("TRI",)})
ORDERS = {"Austria": (am.Move("A VIE", "TYR"),), "Italy": (am.Move("A VEN", "TYR"),)}

LISTED: dict[str, Callable[[Iterable[Any]], Any]] = {
    "list": list,
    "generator": lambda values: (value for value in values),
    "keys": lambda values: dict.fromkeys(values).keys(),
    "deque": deque,
}
MAPPED: dict[str, Callable[[Any], Any]] = {
    "proxy": MappingProxyType,
    "user-dict": UserDict,
}


@pytest.mark.parametrize("kind", LISTED)
def test_the_parts_of_a_position_and_orders_may_be_listed_in_any_way(kind: str) -> None:
    listed = LISTED[kind]
    lost = am.Dislodged(UNITS[0], UNITS[1], ("TYR",))
    retreats = am.parse_phase("1901-spring-retreats")

    position = am.Position(BOARD, SPRING, listed(UNITS), OWNERS, {"Italy": listed(["TRI"])})
    assert position == POSITION
    assert position.homes == {"Italy": ("TRI",)}
    assert am.Position(BOARD, SPRING, UNITS, OWNERS, {"Italy": listed([])}).homes == {}
    assert am.Position(BOARD, retreats, (), dislodged=listed([lost])).dislodged == (lost,)
    assert am.Dislodged(UNITS[0], UNITS[1], listed(["TYR"])) == lost
    assert names_of(listed(UNITS)) == names_of(UNITS)
    orders = {power: listed(own) for power, own in ORDERS.items()}
    assert am.adjudicate(POSITION, orders) == am.adjudicate(POSITION, ORDERS)


@pytest.mark.parametrize("kind", MAPPED)
def test_the_parts_of_a_position_and_orders_may_be_any_mapping(kind: str) -> None:
    mapped = MAPPED[kind]
    position = am.Position(BOARD, SPRING, UNITS, mapped(OWNERS), mapped({"Italy": ("TRI",)}))

    assert position == POSITION
    assert am.adjudicate(position, mapped(ORDERS)) == am.adjudicate(POSITION, ORDERS)
    assert am.check_orders(position, mapped(ORDERS)) == am.check_orders(POSITION, ORDERS)
    lines = mapped({"Austria": ["A VIE - TYR"]})
    assert read_canonical(lines, position) == {"Austria": ORDERS["Austria"]}


def test_a_list_that_yields_other_orders_than_it_holds_is_taken_as_it_yields() -> None:
    class Filtered(list[am.Move]):
        def __iter__(self) -> Iterator[am.Move]:
            return (order for order in super().__iter__() if order.to == "TYR")

    moves = Filtered([am.Move("A VIE", "BOH"), am.Move("A VIE", "TYR")])
    orders = {"Austria": moves, "Italy": ORDERS["Italy"]}

    assert am.adjudicate(POSITION, orders) == am.adjudicate(POSITION, ORDERS)


@pytest.mark.parametrize("kind", ["list", "deque"])
def test_sequences_of_orders_are_taken_by_checks_and_searches(kind: str) -> None:
    orders = {power: LISTED[kind](own) for power, own in ORDERS.items()}

    assert am.check_orders(POSITION, orders) == am.check_orders(POSITION, ORDERS)
    flips, same = (
        [(f.changes, f.result) for f in Flips(POSITION, given, UNITS[0]).search(["Italy"])]
        for given in (orders, ORDERS)
    )
    assert flips == same
    assert flips


@pytest.mark.parametrize(
    "value",
    [*UNITS, SPRING, POSITION, *ORDERS["Italy"], am.Waive(), am.adjudicate(POSITION, ORDERS)],
    ids=lambda value: type(value).__name__,
)
def test_values_can_be_copied_pickled_and_shown(value: object) -> None:
    for same in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert same == value
        assert type(same) is type(value)
    assert type(value).__name__ in repr(value)


def test_classes_have_the_docstrings_of_their_sources() -> None:
    for name in ("Unit", "Position", "Move", "Picks", "Outcome"):
        kind = getattr(am, name)
        module = kind.__module__.split(".", 1)[1].replace(".", "/")
        source = (Path(am.__file__).parent / f"{module}.py").read_text(encoding="utf-8")
        assert kind.__doc__.splitlines()[0] in source
        assert len(kind.__doc__) > 10


def test_threads_judge_at_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda _: am.adjudicate(POSITION, ORDERS), range(50)))

    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert outcomes[0].results == am.adjudicate(POSITION, ORDERS).results


def test_threads_that_share_a_position_find_all_its_units() -> None:
    lands = [province.id for province in BOARD.provinces.values() if not province.is_sea]
    units = [am.Unit("Austria", "A", land) for land in lands]
    shared, found = [am.Position(BOARD, SPRING, units)], set[int]()
    is_over = Event()

    def look() -> None:
        while not is_over.is_set():
            found.add(len(shared[0].tables.by_name))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as pool:
            looks = [pool.submit(look) for _ in range(2)]
            for _ in range(1500):
                shared[0] = am.Position(BOARD, SPRING, units)
                found.add(len(shared[0].tables.by_name))
            is_over.set()
    finally:
        sys.setswitchinterval(interval)

    for done in looks:
        done.result()
    assert found == {len(units)}


def _lie_deep(depth: int) -> object:
    """Return lists within lists, each with values that nothing else holds."""
    board, deep = load_board("standard"), list[object]()
    for number in range(depth):
        unit = Unit(f"power {number}", "A", "VIE")
        position = Position(board, Phase(number, "spring"), (unit,))
        assert position.tables.units == (unit,)
        deep = [deep, unit, position, Move(f"A VIE {number}", "TYR")]
    return deep


def test_values_that_lie_deep_in_containers_are_freed_without_harm() -> None:
    for _ in range(50):
        deep = _lie_deep(300)
        del deep
    made = [Unit(f"power {number}", "A", "VIE") for number in range(10_000)]

    assert [unit.power for unit in made] == [f"power {number}" for number in range(10_000)]
