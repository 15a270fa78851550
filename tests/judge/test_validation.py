"""What the judge cannot work with is refused at the call, with every fault, and can be said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from alexmagnum import (
    BadOrders,
    BadPosition,
    Dislodged,
    Hold,
    Move,
    Order,
    Phase,
    Position,
    Unit,
    adjudicate,
    load_board,
    load_sentences,
)

BOARD = load_board("standard")
VIENNA, VENICE = Unit("Austria", "A", "VIE"), Unit("Italy", "A", "VEN")
POSITION = Position(BOARD, Phase(1901, "spring"), (VIENNA, VENICE))
TO_TYROLIA: list[Order] = [Move("A VIE", "TYR")]


def _units(*units: Unit) -> Position:
    return replace(POSITION, units=units)


POSITIONS = {
    "province": (_units(Unit("Austria", "A", "XYZ")), "unknown-province"),
    "power": (_units(Unit("Atlantis", "A", "VIE")), "unknown-power"),
    "coast": (_units(Unit("Russia", "F", "STP", "WC")), "unknown-coast"),
    "two-in-a-place": (_units(VIENNA, Unit("Italy", "A", "VIE")), "place-taken"),
    "twice": (_units(VIENNA, VIENNA), "place-taken"),
    "number": (_units(Unit("Italy", "F", "ION", number=2)), "no-such-place"),
    "owner": (replace(POSITION, owners={"VIE": "Atlantis"}), "unknown-power"),
    "centre": (replace(POSITION, owners={"XYZ": "Italy"}), "not-a-centre"),
    "home": (replace(POSITION, homes={"Italy": ("XYZ",)}), "not-a-centre"),
    "nobility": (replace(POSITION, nobility={"Atlantis": 1}), "unknown-power"),
    "dislodged": (
        replace(
            POSITION,
            phase=Phase(1901, "spring", retreats=True),
            dislodged=(Dislodged(Unit("Italy", "A", "XYZ"), VIENNA, ()),),
        ),
        "unknown-province",
    ),
    "retreat": (
        replace(
            POSITION,
            phase=Phase(1901, "spring", retreats=True),
            dislodged=(Dislodged(Unit("Italy", "A", "TRI"), VIENNA, ("XYZ",)),),
        ),
        "retreat-out-of-reach",
    ),
}

ORDERS: dict[str, tuple[Any, str, str]] = {
    "text": ({"Austria": ["A VIE - TYR"]}, "orders.Austria[0]", "order-is-text"),
    "one-text": ({"Austria": "A VIE - TYR"}, "orders.Austria", "orders-not-listed"),
    "one-order": ({"Austria": Hold("A VIE")}, "orders.Austria", "orders-not-listed"),
    "nothing": ({"Austria": None}, "orders.Austria", "orders-not-listed"),
    "unit": ({"Austria": [Hold("A VIE"), VIENNA]}, "orders.Austria[1]", "not-an-order"),
    "power": ({"Austira": [Hold("A VIE")]}, "orders.Austira", "orders-of-nobody"),
    "not-by-power": ([Hold("A VIE")], "orders", "orders-not-by-power"),
}


def _check_sentences(error: BadPosition | BadOrders) -> None:
    for lang in ("en", "it"):
        assert len(load_sentences(lang).error(error).splitlines()) == 1 + len(error.faults)


@pytest.mark.parametrize("name", POSITIONS)
def test_a_position_that_is_not_of_the_map_is_refused(name: str) -> None:
    position, code = POSITIONS[name]
    with pytest.raises(BadPosition) as caught:
        adjudicate(position, {})

    assert code in {fault.code for fault in caught.value.faults}
    _check_sentences(caught.value)


@pytest.mark.parametrize("name", ORDERS)
def test_what_is_no_order_is_refused(name: str) -> None:
    orders, where, code = ORDERS[name]
    with pytest.raises(BadOrders) as caught:
        adjudicate(POSITION, orders)

    assert [(fault.where, fault.code) for fault in caught.value.faults] == [(where, code)]
    _check_sentences(caught.value)


def test_all_faults_are_named_at_once() -> None:
    orders: Any = {"Austira": ["A VIE H"], "Italy": ["A VEN H", 7]}
    with pytest.raises(BadOrders) as caught:
        adjudicate(POSITION, orders)

    assert [fault.code for fault in caught.value.faults] == [
        "orders-of-nobody",
        "order-is-text",
        "order-is-text",
        "not-an-order",
    ]
    assert "Did you mean Austria?" in load_sentences("en").error(caught.value)


def test_any_sequence_of_orders_will_do() -> None:
    def generated() -> Iterator[Order]:
        yield from TO_TYROLIA

    outcomes = [
        adjudicate(POSITION, {"Austria": orders})
        for orders in (TO_TYROLIA, tuple(TO_TYROLIA), generated(), dict.fromkeys(TO_TYROLIA).keys())
    ]

    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert outcomes[0].results[0].result == "succeeds"


def test_an_order_against_the_rules_is_no_error() -> None:
    outcome = adjudicate(POSITION, {"Austria": [Move("A VIE", "LON"), Hold("F XYZ")], "NEU": []})

    assert {entry.result for entry in outcome.results} == {"illegal"}
