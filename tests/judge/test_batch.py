"""``adjudicate_many``: many order sets of one position come out as one by one."""

import builtins
import gc
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import alexmagnum as am
from alexmagnum.judge.batch import HAS_TO_RETREAT, IS_DESTROYED
from alexmagnum.judge.outcome import RESULT_NAMES
from alexmagnum.judge.results import MovementOutcome
from tests.scenarios import SETTINGS, Scenario, scenarios
from tests.sizes import drawn

OrderSet = dict[str, list[am.Order]]

_MANY: Any = am.adjudicate_many  # the same for calls whose types are wrong, or a parameter chooses


def _vary(scenario: Scenario, rng: Random) -> list[OrderSet]:
    """Return order sets that differ in some orders from those of the scenario, and repeat."""
    base: OrderSet = {power: list(orders) for power, orders in scenario.orders.items()}
    sets = [base]
    for _ in range(6):
        changed = {power: list(orders) for power, orders in rng.choice(sets).items()}
        for _ in range(rng.randint(1, 3)):
            unit = rng.choice(scenario.position.units)
            legal = am.legal_orders(scenario.position, unit)
            if (own := changed.setdefault(unit.power, [])) and rng.random() < 0.3:
                own.pop(rng.randrange(len(own)))
            elif legal:
                own.append(rng.choice(legal))
        sets.append(changed)
    return [*sets, base, {}]


def _describe(outcome: am.Outcome) -> tuple[object, ...]:
    """Return everything that an outcome says."""
    return (
        outcome.results,
        outcome.reasons,
        outcome.units,
        outcome.dislodged,
        outcome.destroyed,
        outcome.nobility,
        [outcome.fates(unit) for unit in outcome.position.units],
    )


def _read_places(arrays: am.OutcomeArrays, column: int) -> dict[am.Unit, str]:
    """Return where each unit stands after one set; "" if it has to retreat or is destroyed."""
    return {
        unit: arrays.place_names[place] if place >= 0 else ""
        for unit, place in zip(arrays.units, arrays.places[:, column], strict=True)
    }


def _write_place(position: am.Position, unit: am.Unit) -> str:
    several = position.board.provinces[unit.province].capacity > 1
    return f"{unit.location}#{unit.number}" if several else unit.location


@drawn(18, 750, SETTINGS)
@given(scenarios(), st.randoms(use_true_random=False))
def test_many_sets_come_out_as_one_by_one(scenario: Scenario, rng: Random) -> None:
    position = scenario.position
    sets = _vary(scenario, rng)
    rng.shuffle(sets)
    alone = [am.adjudicate(position, orders) for orders in sets]

    together = am.adjudicate_many(position, sets)
    arrays = am.adjudicate_many(position, sets, as_arrays=True)

    assert together == tuple(alone)
    assert [_describe(outcome) for outcome in together] == [_describe(out) for out in alone]
    assert arrays.results.shape == arrays.places.shape == (len(position.units), len(sets))
    for column, outcome in enumerate(alone):
        results = [RESULT_NAMES[code] for code in arrays.results[:, column]]
        assert results == [outcome.result_of(unit) for unit in arrays.units]
        standing = {_write_place(position, unit) for unit in outcome.units}
        assert {place for place in _read_places(arrays, column).values() if place} == standing
        for unit, code in zip(arrays.units, arrays.places[:, column], strict=True):
            assert (code == IS_DESTROYED) == (unit in outcome.destroyed)
            assert (code == HAS_TO_RETREAT) == any(d.unit == unit for d in outcome.dislodged)


@pytest.mark.parametrize("as_arrays", [False, True])
@pytest.mark.parametrize("enabled", [False, True])
def test_the_garbage_collector_is_left_as_it_was(as_arrays: bool, enabled: bool) -> None:
    was_enabled = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        _MANY(_first(), [{}], as_arrays=as_arrays)
        assert gc.isenabled() == enabled
        with pytest.raises(am.BadOrders):
            _MANY(_first(), [{"Nobody": []}], as_arrays=as_arrays)
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()


@drawn(3, 100, SETTINGS)
@given(scenarios(), st.randoms(use_true_random=False))
def test_judging_leaves_no_cycles_to_collect(scenario: Scenario, rng: Random) -> None:
    sets = _vary(scenario, rng)
    gc.collect(1)
    gc.freeze()  # what was there before is not looked through
    gc.disable()
    try:
        am.adjudicate_many(scenario.position, sets, as_arrays=True)
        for outcome in am.adjudicate_many(scenario.position, sets):
            _describe(outcome)
        del outcome
        assert gc.collect() == 0
    finally:
        gc.enable()
        gc.unfreeze()


@pytest.mark.parametrize("power", [None, 3, ("Austria",)])
@pytest.mark.parametrize("as_arrays", [False, True])
def test_a_power_that_is_no_text_is_refused(power: Any, as_arrays: bool) -> None:
    sets: list[Any] = [{"Austria": [am.Hold("A VIE")]}, {power: [am.Hold("A VIE")]}]

    with pytest.raises(am.BadOrders) as caught:
        _MANY(_first(), sets, as_arrays=as_arrays)

    assert [fault.code for fault in caught.value.faults] == ["orders-of-nobody"]


def _first() -> am.Position:
    return am.first_position(am.load_board("standard"))


def test_sets_and_orders_may_be_any_iterables() -> None:
    position = _first()
    move = am.Move("A VIE", "TYR")

    def generate() -> Iterator[dict[str, Any]]:
        yield {
            "Austria": (order for order in [move]),
            "Italy": (order for order in [am.Hold("A VEN")]),
        }
        yield {"Austria": {move}}

    outcomes = am.adjudicate_many(position, generate())
    arrays = am.adjudicate_many(position, generate(), as_arrays=True)

    assert [outcome.result_of(move) for outcome in outcomes] == ["succeeds", "succeeds"]
    assert (arrays.places[:, 0] == arrays.places[:, 1]).all()
    assert "TYR" in _read_places(arrays, 0).values()


@pytest.mark.parametrize("as_arrays", [False, True])
def test_an_iterator_beside_a_list_with_a_new_order_is_read_once(as_arrays: bool) -> None:
    """Austria's orders are known by then; the new one has the whole set checked."""
    position = _first()
    sets: list[Any] = [
        {"Austria": [am.Hold("A VIE")]},
        {"Austria": [am.Move("A VIE", "TYR")], "Italy": iter([am.Move("A VEN", "TYR")])},
    ]

    outcomes = _MANY(position, sets, as_arrays=as_arrays)

    if as_arrays:
        venice = outcomes.units.index(position.names["A VEN"])
        assert RESULT_NAMES[outcomes.results[venice, 1]] == "fails"
    else:
        assert [entry.result for entry in outcomes[1].results] == ["fails", "fails"]


def test_the_next_position_is_found_without_judging_again() -> None:
    """Where no unit has to retreat, nothing but results and units is needed."""
    position = _first()
    orders = {"Austria": [am.Move("A VIE", "GAL")]}

    (outcome,) = am.adjudicate_many(position, [orders])

    assert am.next_position(outcome) == am.next_position(am.adjudicate(position, orders))
    assert outcome._decided is None  # type: ignore[attr-defined]
    assert outcome.reasons
    assert outcome._decided is not None  # type: ignore[attr-defined]


def test_no_sets_are_no_outcomes() -> None:
    arrays = am.adjudicate_many(_first(), [], as_arrays=True)
    assert am.adjudicate_many(_first(), []) == ()
    assert arrays.results.shape == arrays.places.shape == (22, 0)


@pytest.mark.parametrize("as_arrays", [False, True])
@pytest.mark.parametrize(
    ("orders", "where", "code"),
    [
        ({"Austira": []}, "order_sets[1].orders.Austira", "orders-of-nobody"),
        ({"Austria": [am.Move("A VIE", "Tyr")]}, "order_sets[1].orders.Austria[0].to", None),
        ({"Austria": ["A VIE H"]}, "order_sets[1].orders.Austria[0]", "order-is-text"),
        ({"Austria": "A VIE H"}, "order_sets[1].orders.Austria", "orders-not-listed"),
        (["A VIE H"], "order_sets[1].orders", "orders-not-by-power"),
    ],
)
def test_a_bad_set_is_named(orders: Any, where: str, code: str | None, as_arrays: bool) -> None:
    good = {"Austria": [am.Hold("A VIE")]}

    with pytest.raises(am.BadOrders) as caught:
        am.adjudicate_many(_first(), [good, orders], as_arrays=as_arrays)  # type: ignore[call-overload]

    assert [fault.where for fault in caught.value.faults] == [where]
    assert caught.value.faults[0].code == (code or "order-unknown-province")
    assert "order_sets[1]" in am.load_sentences("en").error(caught.value)


@pytest.mark.parametrize("sets", [{"Austria": []}, "orders", 3])
def test_one_set_in_place_of_many_is_refused(sets: Any) -> None:
    with pytest.raises(am.BadOrders) as caught:
        am.adjudicate_many(_first(), sets)
    assert caught.value.faults[0].code == "order-sets-not-listed"


def test_other_phases_have_outcomes_and_no_arrays() -> None:
    position = am.Position.from_text("standard 1901-winter Austria:AVIE:VIE,BUD")
    build = am.Build("A BUD")

    outcomes = am.adjudicate_many(position, [{"Austria": [build]}, {}])

    assert outcomes == (am.adjudicate(position, {"Austria": [build]}), am.adjudicate(position, {}))
    with pytest.raises(am.AlexMagnumError, match="arrays-phase"):
        am.adjudicate_many(position, [{}], as_arrays=True)


def test_without_numpy_arrays_are_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def refuse(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "numpy":
            raise ModuleNotFoundError(name)
        return load(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(am.AlexMagnumError) as caught:
        am.adjudicate_many(_first(), [{}], as_arrays=True)

    assert "alexmagnum[arrays]" in am.load_sentences("en").error(caught.value)
    assert "alexmagnum[arrays]" in am.load_sentences("it").error(caught.value)


def test_an_impossible_position_is_refused_as_alone() -> None:
    position = am.Position(
        am.load_board("standard"), am.parse_phase("1901-spring"), (am.Unit("Italy", "A", "XYZ"),)
    )

    with pytest.raises(am.BadPosition):
        am.adjudicate_many(position, [])


def test_orders_that_no_longer_exist_are_not_mixed_up() -> None:
    """Order objects that are made for each set and die with it may share an identity."""
    position = _first()
    goals = ["TYR", "GAL", "BOH", "BUD", "TRI"] * 40

    arrays = am.adjudicate_many(
        position, ({"Austria": [am.Move("A VIE", goal)]} for goal in goals), as_arrays=True
    )

    vienna = arrays.units.index(position.names["A VIE"])
    wanted = [goal if goal not in ("BUD", "TRI") else "VIE" for goal in goals]
    assert [arrays.place_names[place] for place in arrays.places[vienna]] == wanted


def test_outcomes_are_of_the_same_kind_as_alone() -> None:
    assert all(isinstance(out, MovementOutcome) for out in am.adjudicate_many(_first(), [{}, {}]))


@drawn(3, 60, SETTINGS)
@given(scenarios(), st.randoms(use_true_random=False))
def test_sets_with_little_in_common_come_out_as_alone(scenario: Scenario, rng: Random) -> None:
    """More of them than it takes until groups are left alone, and tried again; then variations."""
    position = scenario.position
    legal = {unit: am.legal_orders(position, unit) for unit in position.units}
    sets: list[OrderSet] = []
    for _ in range(300):
        chosen: OrderSet = {}
        for unit, orders in legal.items():
            if orders and unit.power in position.board.powers:
                chosen.setdefault(unit.power, []).append(rng.choice(orders))
        sets.append(chosen)
    sets[100:100] = _vary(scenario, rng)
    sets += _vary(scenario, rng)

    outcomes = am.adjudicate_many(position, sets)

    assert outcomes == tuple(am.adjudicate(position, orders) for orders in sets)


def test_orders_that_do_not_count_come_out_as_alone() -> None:
    """The same order twice, replaced orders, another power's unit, a unit that is not there."""
    position = _first()
    hold, move = am.Hold("A VIE"), am.Move("A VIE", "TYR")
    sets: list[dict[str, list[am.Order]]] = [
        {"Austria": [move]},
        {"Austria": [move, move]},
        {"Austria": [move, hold]},
        {"Austria": [hold, am.Move("A VIE", "TYR")], "Italy": [move]},
        {"Italy": [am.Hold("A TUN"), am.Hold("A VEN")], "Austria": []},
    ]

    outcomes = am.adjudicate_many(position, sets)

    alone = [am.adjudicate(position, orders) for orders in sets]
    assert [_describe(outcome) for outcome in outcomes] == [_describe(out) for out in alone]


@pytest.mark.proof
def test_outcomes_that_are_kept_keep_results_and_units_alone() -> None:
    """Each is an object that Python's search for garbage looks at, with two tuples."""
    position = _first()
    sets = [{"Austria": [am.Move("A VIE", goal)]} for goal in ("TYR", "GAL", "BOH")] * 40
    am.adjudicate_many(position, sets[:3])  # what is kept of the board and the position
    gc.collect()
    before = len(gc.get_objects())

    outcomes = am.adjudicate_many(position, sets)

    gc.collect()
    assert len(gc.get_objects()) - before < 4 * len(outcomes)


def test_a_ring_that_closes_between_groups_is_judged_as_one() -> None:
    ring = ("RUH", "BEL", "BUR", "MUN", "KIE")
    units = [am.Unit("Germany", "A", province) for province in ring]
    position = am.Position(am.load_board("standard"), am.Phase(1901, "spring"), units)
    rng = Random(1)
    sets: list[dict[str, list[am.Order]]] = [
        {
            "Germany": [
                am.Move(f"A {here}", rng.choice([after, after, *ring]))
                for here, after in zip(ring, ring[1:] + ring[:1], strict=True)
            ]
        }
        for _ in range(200)
    ]

    arrays = am.adjudicate_many(position, sets, as_arrays=True)

    for column, orders in enumerate(sets):
        outcome = am.adjudicate(position, orders)
        results = [RESULT_NAMES[code] for code in arrays.results[:, column]]
        assert results == [outcome.result_of(unit) for unit in arrays.units]


def test_arrays_of_a_board_without_units_have_a_column_for_each_set() -> None:
    empty = am.Position(am.load_board("standard"), am.parse_phase("1901-spring"), ())

    arrays = am.adjudicate_many(empty, [{}, {}], as_arrays=True)

    assert arrays.results.shape == arrays.places.shape == (0, 2)
