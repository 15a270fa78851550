"""What the judge cannot work with is refused at the call, with every fault, and can be said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum import (
    AlexMagnumError,
    BadOrders,
    BadPosition,
    Build,
    Convoy,
    Disband,
    Dislodged,
    Hold,
    Move,
    Order,
    Phase,
    Pick,
    Position,
    Support,
    Unit,
    Waive,
    __build__,
    adjudicate,
    load_board,
    load_sentences,
)
from alexmagnum.builds import COMPILED
from alexmagnum.position import SEASONS
from tests.sizes import drawn

BOARD = load_board("standard")
VIENNA, VENICE = Unit("Austria", "A", "VIE"), Unit("Italy", "A", "VEN")
POSITION = Position(BOARD, Phase(1901, "spring"), (VIENNA, VENICE))
TO_TYROLIA: list[Order] = [Move("A VIE", "TYR")]


def _units(*units: Unit) -> Position:
    return replace(POSITION, units=units)


POSITIONS: dict[str, tuple[Callable[[], Position], str]] = {
    "province": (lambda: _units(Unit("Austria", "A", "XYZ")), "unknown-province"),
    "power": (lambda: _units(Unit("Atlantis", "A", "VIE")), "unknown-power"),
    "coast": (lambda: _units(Unit("Russia", "F", "STP", "WC")), "unknown-coast"),
    "two-in-a-place": (lambda: _units(VIENNA, Unit("Italy", "A", "VIE")), "place-taken"),
    "twice": (lambda: _units(VIENNA, VIENNA), "place-taken"),
    "number": (lambda: _units(Unit("Italy", "F", "ION", number=2)), "no-such-place"),
    "kind": (lambda: _units(Unit("Austria", "X", "VIE")), "unknown-kind"),
    "afloat": (lambda: _units(Unit("Italy", "A", "ION")), "army-afloat"),
    "inland": (lambda: _units(Unit("Austria", "F", "BOH")), "fleet-inland"),
    "coast-unsaid": (lambda: _units(Unit("Russia", "F", "STP")), "coast-unsaid"),
    "season": (lambda: replace(POSITION, phase=Phase(1901, "summer")), "unknown-season"),
    "text-as-phase": (lambda: replace(POSITION, phase=cast("Any", "1901-spring")), "not-of-type"),
    "text-as-unit": (lambda: _units(cast("Any", "A VIE")), "not-of-type"),
    "text-as-number": (
        lambda: _units(Unit("Italy", "A", "VEN", number=cast("Any", "1"))),
        "not-of-type",
    ),
    "text-as-homes": (
        lambda: replace(POSITION, homes={"Italy": cast("Any", "VEN")}),
        "not-of-type",
    ),
    "text-as-points": (
        lambda: replace(POSITION, nobility={"Italy": cast("Any", "1")}),
        "not-of-type",
    ),
    "truth-as-points": (lambda: replace(POSITION, nobility={"Italy": True}), "not-of-type"),
    "text-as-dislodged": (
        lambda: replace(POSITION, dislodged=(cast("Any", "A VIE"),)),
        "not-of-type",
    ),
    "owner": (lambda: replace(POSITION, owners={"VIE": "Atlantis"}), "unknown-power"),
    "centre": (lambda: replace(POSITION, owners={"XYZ": "Italy"}), "not-a-centre"),
    "home": (lambda: replace(POSITION, homes={"Italy": ("XYZ",)}), "not-a-centre"),
    "nobility": (lambda: replace(POSITION, nobility={"Atlantis": 1}), "unknown-power"),
    "dislodged": (
        lambda: replace(
            POSITION,
            phase=Phase(1901, "spring", retreats=True),
            dislodged=(Dislodged(Unit("Italy", "A", "XYZ"), VIENNA, ()),),
        ),
        "unknown-province",
    ),
    "retreat": (
        lambda: replace(
            POSITION,
            phase=Phase(1901, "spring", retreats=True),
            dislodged=(Dislodged(Unit("Italy", "A", "TRI"), VIENNA, ("XYZ",)),),
        ),
        "retreat-out-of-reach",
    ),
}

UNKNOWN = "order-unknown-province"

ORDERS: dict[str, tuple[Callable[[], Any], str, str]] = {
    "text": (lambda: {"Austria": ["A VIE - TYR"]}, "orders.Austria[0]", "order-is-text"),
    "one-text": (lambda: {"Austria": "A VIE - TYR"}, "orders.Austria", "orders-not-listed"),
    "one-order": (lambda: {"Austria": Hold("A VIE")}, "orders.Austria", "orders-not-listed"),
    "nothing": (lambda: {"Austria": None}, "orders.Austria", "orders-not-listed"),
    "unit": (lambda: {"Austria": [Hold("A VIE"), VIENNA]}, "orders.Austria[1]", "not-an-order"),
    "power": (lambda: {"Austira": [Hold("A VIE")]}, "orders.Austira", "orders-of-nobody"),
    "place": (lambda: {"Austria": [Move("A VIE", "XYZ")]}, "orders.Austria[0].to", UNKNOWN),
    "name-of-a-place": (
        lambda: {"Austria": [Move("A VIE", "Tyr")]},
        "orders.Austria[0].to",
        UNKNOWN,
    ),
    "number-alone": (lambda: {"Austria": [Move("A VIE", "#1")]}, "orders.Austria[0].to", UNKNOWN),
    "ordered-unit": (lambda: {"Austria": [Hold("A XYZ")]}, "orders.Austria[0].unit", UNKNOWN),
    "supported": (
        lambda: {"Austria": [Support("A VIE", "A X")]},
        "orders.Austria[0].supported",
        UNKNOWN,
    ),
    "support-to": (
        lambda: {"Italy": [Support("A VEN", "A VIE", "X")]},
        "orders.Italy[0].to",
        UNKNOWN,
    ),
    "convoyed": (
        lambda: {"Italy": [Convoy("F ION", "A X", "TUN")]},
        "orders.Italy[0].army",
        UNKNOWN,
    ),
    "build": (lambda: {"Italy": [Build("A X")]}, "orders.Italy[0].unit", UNKNOWN),
    "pick": (lambda: {"Italy": [Pick("X")]}, "orders.Italy[0].centre", UNKNOWN),
    "empty-name": (lambda: {"Italy": [Disband("")]}, "orders.Italy[0].unit", UNKNOWN),
    "unit-for-its-name": (
        lambda: {"Austria": [Hold(cast("Any", VIENNA))]},
        "orders.Austria[0].unit",
        "order-names-no-text",
    ),
    "no-place": (
        lambda: {"Austria": [Move("A VIE", cast("Any", None))]},
        "orders.Austria[0].to",
        "order-names-no-text",
    ),
    "list-for-a-place": (
        lambda: {"Austria": [Move("A VIE", cast("Any", ["TYR"]))]},
        "orders.Austria[0].to",
        "order-names-no-text",
    ),
    "not-by-power": (lambda: [Hold("A VIE")], "orders", "orders-not-by-power"),
}


def _check_sentences(error: BadPosition | BadOrders) -> None:
    assert error.faults
    for lang in ("en", "it"):
        assert len(load_sentences(lang).error(error).splitlines()) == 1 + len(error.faults)


def _make_or_refuse(make: Callable[[], Any]) -> Any:
    """Return a value; None if it refuses a part of another type at once, as compiled ones do."""
    try:
        return make()
    except TypeError:
        if __build__ != COMPILED:
            raise
        return None


@pytest.mark.parametrize("name", POSITIONS)
def test_a_position_that_is_not_of_the_map_is_refused(name: str) -> None:
    make, code = POSITIONS[name]
    position = _make_or_refuse(make)
    if position is None:
        assert code == "not-of-type"
        return
    with pytest.raises(BadPosition) as caught:
        adjudicate(position, {})

    assert code in {fault.code for fault in caught.value.faults}
    _check_sentences(caught.value)


@pytest.mark.parametrize("name", ORDERS)
def test_what_is_no_order_is_refused(name: str) -> None:
    make, where, code = ORDERS[name]
    orders = _make_or_refuse(make)
    if orders is None:
        assert code == "order-names-no-text"
        return
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
    orders: list[Order] = [Move("A VIE", "LON"), Hold("F PAR"), Move("A VIE", "STP/WC")]
    outcome = adjudicate(POSITION, {"Austria": [*orders, Waive(), Pick("VIE")], "NEU": []})

    assert {entry.result for entry in outcome.results} == {"illegal"}


def test_an_unknown_province_comes_with_the_one_that_was_meant() -> None:
    with pytest.raises(BadOrders) as caught:
        adjudicate(POSITION, {"Austria": [Move("A VIE", "Tyr")]})

    assert "no province Tyr. Did you mean TYR?" in load_sentences("en").error(caught.value)


@pytest.mark.parametrize("value", [None, BOARD, "standard 1901-spring"])
def test_what_is_no_position_is_refused(value: Any) -> None:
    with pytest.raises(BadPosition) as caught:
        adjudicate(value, {})

    _check_sentences(caught.value)


JUNK = st.sampled_from(
    [None, True, -1, 7, "", "VIE", "A VIE", "XYZ", "VIE#9", "#", "A ", ("VIE",), VIENNA, BOARD]
)


def _draw_position(data: st.DataObject) -> Position:
    """Return a position with junk in some parts."""
    parts: Any = [data.draw(JUNK | st.just(part)) for part in ("Italy", "A", "VEN", "", 1)]
    unit = Unit(*parts)
    changes: dict[str, Any] = {
        "phase": Phase(1901, cast("Any", data.draw(st.sampled_from(SEASONS) | JUNK))),
        "units": (VIENNA, unit, data.draw(JUNK | st.just(Unit("Italy", "A", "ROM")))),
        "owners": {"VIE": data.draw(JUNK)},
        "homes": {"Italy": data.draw(JUNK | st.tuples(JUNK))},
        "nobility": {"Italy": data.draw(JUNK)},
        "dislodged": (data.draw(JUNK | st.just(Dislodged(unit, VIENNA, ("TYR",)))),),
    }
    chosen = data.draw(st.sets(st.sampled_from(sorted(changes)), max_size=2))
    return replace(POSITION, **{name: changes[name] for name in chosen})


def _draw_order(data: st.DataObject) -> Order:
    """Return an order with junk in it."""
    kind: Any = data.draw(st.sampled_from([Hold, Move, Support, Convoy, Disband, Build, Pick]))
    order: Order = kind(*(data.draw(JUNK) for _ in kind.__match_args__))
    return order


@drawn(200, 5_000)
@given(st.data())
def test_junk_anywhere_is_adjudicated_or_refused(data: st.DataObject) -> None:
    """No other error comes out, whatever is in a position or an order."""
    try:
        position, order = _draw_position(data), _draw_order(data)
    except TypeError:
        return  # a value that cannot be hashed, or that the compiled build refuses at once
    orders: Any = data.draw(st.lists(JUNK | st.just(order), max_size=2))
    try:
        adjudicate(position, {"Austria": orders})
    except (BadPosition, BadOrders) as error:
        _check_sentences(error)


@pytest.mark.parametrize("ask", [POSITION.units_of, POSITION.centres_of])
def test_a_word_that_names_no_power_is_refused_with_the_one_meant(
    ask: Callable[[str], tuple[object, ...]],
) -> None:
    """A power that has nothing is no such word."""
    with pytest.raises(AlexMagnumError) as refused:
        ask("Austira")

    assert load_sentences("en").error(refused.value).endswith("Did you mean Austria?")
    assert ask("Turkey") == ask("NEU") == ()
