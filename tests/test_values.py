"""Every kind of value is equal by content, hashable, and copied whole; none can be changed."""

import copy
import operator
import pickle
from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from typing import Any

import pytest

from alexmagnum import orders as order_types
from alexmagnum.board import load_board
from alexmagnum.campaign import Ending
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import OrderOutcome, Picks
from alexmagnum.position import Dislodged, Phase, Position, Unit
from alexmagnum.values import Value

VIENNA, ROME = Unit("Austria", "A", "VIE"), Unit("Italy", "F", "NAP", number=1)
BOARD = load_board("standard")
WINTER = Position(BOARD, Phase(1901, "winter"), [VIENNA, ROME], {"VIE": "Austria"})
MADE: tuple[tuple[Any, Any], ...] = (
    (order_types.Hold("A VIE"), order_types.Hold("A BUD")),
    (order_types.Move("A VIE", "TYR"), order_types.Move("A VIE", "TYR", via_convoy=True)),
    (order_types.Support("A VIE", "A TYR"), order_types.Support("A VIE", "A TYR", "BOH")),
    (order_types.Convoy("F ION", "A TUN", "NAP"), order_types.Convoy("F ION", "A TUN", "APU")),
    (order_types.Retreat("A VIE", "TYR"), order_types.Retreat("A VIE", "BOH")),
    (order_types.Disband("A VIE"), order_types.Disband("A BUD")),
    (order_types.Build("A VIE"), order_types.Build("A BUD")),
    (order_types.Remove("A VIE"), order_types.Remove("A BUD")),
    (order_types.Waive(), order_types.Disband("A BUD")),
    (order_types.Pick("VIE"), order_types.Pick("BUD")),
    (Phase(1901, "spring"), Phase(1901, "spring", retreats=True)),
    (VIENNA, ROME),
    (BOARD.tables.posts["A", "VIE", "", 1], BOARD.tables.posts["A", "ROM", "", 1]),
    (Dislodged(VIENNA, ROME, ("BOH",)), Dislodged(VIENNA, ROME, ())),
    (
        OrderOutcome("Austria", order_types.Hold("A VIE"), VIENNA, "given"),
        OrderOutcome("Austria", order_types.Hold("A VIE"), None, "illegal"),
    ),
    (Picks({"Austria": "VIE"}, ("BUD",), ()), Picks({}, ("BUD",), ())),
    (Ending(("Austria",), by_centres=True), Ending(("Italy",), by_centres=True)),
    (WINTER, replace(WINTER, owners={})),
    (adjudicate(WINTER, {}), adjudicate(WINTER, {"Austria": [order_types.Build("A VIE")]})),
)
"""Of each kind a value, and one that is not equal to it."""


def _kinds(base: type[Value] = Value) -> Iterator[type[Value]]:
    for kind in base.__subclasses__():
        if kind.__name__[0] != "_":
            yield kind
        yield from _kinds(kind)


def test_every_kind_of_value_is_tried_here() -> None:
    assert {kind.__name__ for kind in _kinds()} == {type(value).__name__ for value, _ in MADE}


@pytest.mark.parametrize(("value", "other"), MADE, ids=lambda value: type(value).__name__)
def test_values_are_equal_by_content_and_survive_pickle_and_copies(value: Any, other: Any) -> None:
    copies = [
        type(value)(*value.content()),
        replace(value),
        copy.copy(value),
        copy.deepcopy(value),
        *(pickle.loads(pickle.dumps(value, protocol)) for protocol in range(2, 6)),
    ]
    assert all(each == value and hash(each) == hash(value) for each in copies)
    assert {value, *copies} == {value}
    assert all(repr(each) == repr(value) for each in copies)
    assert value != other
    assert value != value.content()


@pytest.mark.parametrize("value", [value for value, _ in MADE], ids=lambda v: type(v).__name__)
def test_nothing_in_a_value_can_be_set_or_deleted_or_added(value: Any) -> None:
    before = repr(value)
    for name in (*(field.name for field in fields(value)), "something", "_derived"):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)
        with pytest.raises(AttributeError):
            delattr(value, name)
    assert repr(value) == before
    assert not hasattr(value, "__dict__")


def test_orders_of_one_content_differ_by_their_kind() -> None:
    orders = [
        order_types.Hold("A VIE"),
        order_types.Disband("A VIE"),
        order_types.Build("A VIE"),
        order_types.Remove("A VIE"),
    ]
    assert len(set(orders)) == len(orders)
    assert order_types.Move("A VIE", "TYR") != order_types.Retreat("A VIE", "TYR")


def test_values_can_be_matched_and_written_as_dictionaries() -> None:
    match order_types.Move("A VIE", "TYR", via_convoy=True):
        case order_types.Move(unit, to, via_convoy):
            assert (unit, to, via_convoy) == ("A VIE", "TYR", True)
    assert asdict(Dislodged(VIENNA, VIENNA, ("BOH",)))["unit"] == {
        "power": "Austria",
        "kind": "A",
        "province": "VIE",
        "coast": "",
        "number": 1,
    }
    assert order_types.Move(unit="A VIE", to="TYR") == order_types.Move("A VIE", "TYR", False)


def test_units_are_sorted_by_power_kind_and_place() -> None:
    units = [Unit("Italy", "A", "ROM"), Unit("Austria", "F", "TRI"), Unit("Austria", "A", "VIE")]
    assert sorted(units) == units[::-1]
    assert max(units) == units[0]
    assert units[2] < units[1] <= units[0] > units[1] >= units[2] <= VIENNA >= units[2]
    assert not units[0] <= units[1]
    for refused in (operator.lt, operator.le, operator.gt, operator.ge):
        with pytest.raises(TypeError):
            refused(units[0], "A ROM")


def test_lists_and_other_mappings_are_taken_for_tuples_and_frozen() -> None:
    units, homes = [VIENNA], {"Austria": ["VIE"], "Italy": []}
    position = Position(WINTER.board, Phase(1901, "spring"), (unit for unit in units), homes=homes)
    assert position.units == (VIENNA,)
    assert position.homes == {"Austria": ("VIE",)}
    lost: Any = ["BOH"]
    assert Dislodged(VIENNA, ROME, lost).retreats == ("BOH",)
