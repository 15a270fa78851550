"""What the judge cannot work with is refused at the call, with every fault, and can be said."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import alexmagnum
from alexmagnum.builds import COMPILED
from alexmagnum.position import SEASONS
from tests.case_library import read_yaml
from tests.sizes import drawn

BOARD = alexmagnum.load_board("standard")
VIENNA, VENICE = alexmagnum.Unit("Austria", "A", "VIE"), alexmagnum.Unit("Italy", "A", "VEN")
POSITION = alexmagnum.Position(BOARD, alexmagnum.Phase(1901, "spring"), (VIENNA, VENICE))
TO_TYROLIA: list[alexmagnum.Order] = [alexmagnum.Move("A VIE", "TYR")]

KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        alexmagnum.Hold,
        alexmagnum.Move,
        alexmagnum.Support,
        alexmagnum.Convoy,
        alexmagnum.Disband,
        alexmagnum.Build,
        alexmagnum.Pick,
    )
}


REFUSED = read_yaml(Path(__file__).with_name("refused.yaml"))


def _make_position(row: Mapping[str, Any]) -> alexmagnum.Position:
    """Return the position of a row, with parts of another type as they stand there."""
    change = {key: row[key] for key in row.keys() - {"is", "code"}}
    for key, make in (("units", alexmagnum.Unit), ("dislodged", _make_dislodged)):
        made = [make(*part) if isinstance(part, list) else part for part in change.get(key, ())]
        change |= {key: tuple(made)} if key in change else {}
    if isinstance(change.get("phase"), list):
        change["phase"] = alexmagnum.Phase(*change["phase"])
    return replace(POSITION, **change)


def _make_dislodged(
    unit: Sequence[Any], by: Sequence[Any], ways: Sequence[str]
) -> alexmagnum.Dislodged:
    return alexmagnum.Dislodged(alexmagnum.Unit(*unit), alexmagnum.Unit(*by), ways)


def _make_orders(data: Any) -> Any:
    """Return what a row gives as orders: orders are mappings of their kind to its values."""
    if isinstance(data, list):
        return [_make_orders(part) for part in data]
    if not isinstance(data, dict):
        return VIENNA if data == "VIENNA" else data
    for key, values in data.items():
        if key in KINDS:
            return KINDS[key](*_make_orders(values))
    return {key: _make_orders(part) for key, part in data.items()}


def _check_sentences(error: alexmagnum.BadPosition | alexmagnum.BadOrders) -> None:
    assert error.faults
    for lang in ("en", "it"):
        assert len(alexmagnum.load_sentences(lang).error(error).splitlines()) == 1 + len(
            error.faults
        )


def _make_or_refuse(make: Callable[[], Any]) -> Any:
    """Return a value; None if it refuses a part of another type at once, as compiled ones do."""
    try:
        return make()
    except TypeError:
        if alexmagnum.__build__ != COMPILED:
            raise
        return None


@pytest.mark.parametrize("row", REFUSED["positions"], ids=lambda row: row["is"])
def test_a_position_that_is_not_of_the_map_is_refused(row: Mapping[str, Any]) -> None:
    if (position := _make_or_refuse(lambda: _make_position(row))) is None:
        assert row["code"] == "not-of-type"
        return
    with pytest.raises(alexmagnum.BadPosition) as caught:
        alexmagnum.adjudicate(position, {})
    assert row["code"] in {fault.code for fault in caught.value.faults}
    _check_sentences(caught.value)


@pytest.mark.parametrize("row", REFUSED["orders"], ids=lambda row: row["is"])
def test_what_is_no_order_is_refused(row: Mapping[str, Any]) -> None:
    if (orders := _make_or_refuse(lambda: _make_orders(row["orders"]))) is None:
        assert row["code"] == "order-names-no-text"
        return
    with pytest.raises(alexmagnum.BadOrders) as caught:
        alexmagnum.adjudicate(POSITION, orders)
    assert [(fault.where, fault.code) for fault in caught.value.faults] == [
        (row["at"], row["code"])
    ]
    _check_sentences(caught.value)


def test_all_faults_are_named_at_once() -> None:
    orders: Any = {"Austira": ["A VIE H"], "Italy": ["A VEN H", 7]}
    with pytest.raises(alexmagnum.BadOrders) as caught:
        alexmagnum.adjudicate(POSITION, orders)
    assert [fault.code for fault in caught.value.faults] == [
        "orders-of-nobody",
        "order-is-text",
        "order-is-text",
        "not-an-order",
    ]
    assert "Did you mean Austria?" in alexmagnum.load_sentences("en").error(caught.value)


def test_any_sequence_of_orders_will_do() -> None:
    def generated() -> Iterator[alexmagnum.Order]:
        yield from TO_TYROLIA

    outcomes = [
        alexmagnum.adjudicate(POSITION, {"Austria": orders})
        for orders in (TO_TYROLIA, tuple(TO_TYROLIA), generated(), dict.fromkeys(TO_TYROLIA).keys())
    ]

    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert outcomes[0].results[0].result == "succeeds"


def test_an_order_against_the_rules_is_no_error() -> None:
    orders: list[alexmagnum.Order] = [
        alexmagnum.Move("A VIE", "LON"),
        alexmagnum.Hold("F PAR"),
        alexmagnum.Move("A VIE", "STP/WC"),
    ]
    outcome = alexmagnum.adjudicate(
        POSITION, {"Austria": [*orders, alexmagnum.Waive(), alexmagnum.Pick("VIE")], "NEU": []}
    )
    assert {entry.result for entry in outcome.results} == {"illegal"}


def test_an_unknown_province_comes_with_the_one_that_was_meant() -> None:
    with pytest.raises(alexmagnum.BadOrders) as caught:
        alexmagnum.adjudicate(POSITION, {"Austria": [alexmagnum.Move("A VIE", "Tyr")]})
    assert "no province Tyr. Did you mean TYR?" in alexmagnum.load_sentences("en").error(
        caught.value
    )


@pytest.mark.parametrize("value", [None, BOARD, "standard 1901-spring"])
def test_what_is_no_position_is_refused(value: Any) -> None:
    with pytest.raises(alexmagnum.BadPosition) as caught:
        alexmagnum.adjudicate(value, {})

    _check_sentences(caught.value)


JUNK = st.sampled_from(
    [None, True, -1, 7, "", "VIE", "A VIE", "XYZ", "VIE#9", "#", "A ", ("VIE",), VIENNA, BOARD]
)


def _draw_position(data: st.DataObject) -> alexmagnum.Position:
    """Return a position with junk in some parts."""
    parts: Any = [data.draw(JUNK | st.just(part)) for part in ("Italy", "A", "VEN", "", 1)]
    unit = alexmagnum.Unit(*parts)
    changes: dict[str, Any] = {
        "phase": alexmagnum.Phase(1901, cast("Any", data.draw(st.sampled_from(SEASONS) | JUNK))),
        "units": (VIENNA, unit, data.draw(JUNK | st.just(alexmagnum.Unit("Italy", "A", "ROM")))),
        "owners": {"VIE": data.draw(JUNK)},
        "homes": {"Italy": data.draw(JUNK | st.tuples(JUNK))},
        "nobility": {"Italy": data.draw(JUNK)},
        "dislodged": (data.draw(JUNK | st.just(alexmagnum.Dislodged(unit, VIENNA, ("TYR",)))),),
    }
    chosen = data.draw(st.sets(st.sampled_from(sorted(changes)), max_size=2))
    return replace(POSITION, **{name: changes[name] for name in chosen})


def _draw_order(data: st.DataObject) -> alexmagnum.Order:
    """Return an order with junk in it."""
    kind: Any = data.draw(st.sampled_from([*KINDS.values()]))
    order: alexmagnum.Order = kind(*(data.draw(JUNK) for _ in kind.__match_args__))
    return order


@drawn(90, 1200)
@given(st.data())
def test_junk_anywhere_is_adjudicated_or_refused(data: st.DataObject) -> None:
    """No other error comes out, whatever is in a position or an order."""
    try:
        position, order = _draw_position(data), _draw_order(data)
    except TypeError:
        return  # a value that cannot be hashed, or that the compiled build refuses at once
    orders: Any = data.draw(st.lists(JUNK | st.just(order), max_size=2))
    try:
        alexmagnum.adjudicate(position, {"Austria": orders})
    except (alexmagnum.BadPosition, alexmagnum.BadOrders) as error:
        _check_sentences(error)


@pytest.mark.parametrize("ask", [POSITION.units_of, POSITION.centres_of])
def test_a_word_that_names_no_power_is_refused_with_the_one_meant(
    ask: Callable[[str], tuple[object, ...]],
) -> None:
    """A power that has nothing is no such word."""
    with pytest.raises(alexmagnum.AlexMagnumError) as refused:
        ask("Austira")
    assert alexmagnum.load_sentences("en").error(refused.value).endswith("Did you mean Austria?")
    assert ask("Turkey") == ask("NEU") == ()
