"""Sheets of checked rows and single results: the same as those of a whole phase judged anew."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.judge import resolve_movement
from alexmagnum.judge.movement import Resolver
from alexmagnum.judge.results import is_lost, province_after, result_by_number
from alexmagnum.judge.sheet import Sheet
from alexmagnum.position import Position
from alexmagnum.whatif.partial_results import LoggedResolver, PartialResults, ReadKeys
from alexmagnum.whatif.search import Trials
from tests.scenarios import CHANCE, SETTINGS, Scenario, scenarios, seeded
from tests.sizes import drawn
from tests.whatif.test_touches import all_orders

ENTRIES = {"entry_faults", "entry_unit", "has_bad_entry", "listed"}
NOT_COMPARED = {"board", "numbers", "orders", "units", *ENTRIES}
KIND: Any = Sheet
TABLES = set(getattr(KIND, "__slots__", ()) or KIND.__mypyc_attrs__) - NOT_COMPARED


def compare_results(position: Position, sheet: Sheet, whole: Sheet) -> None:
    """Compare every single result, each judged alone, with that of the whole phase."""
    outcome = resolve_movement(position, position_orders(position, whole))
    tables = position.tables
    keys = ReadKeys(position.board.tables, tables)
    for u in tables.numbers:
        logged = LoggedResolver(sheet, keys)
        for results in (PartialResults(Resolver(sheet)), PartialResults(logged, logged.read)):
            assert results.result(u) == result_by_number(outcome, u)
        assert PartialResults(Resolver(sheet)).is_lost(u) == is_lost(outcome, u)
    after = [province_after(outcome, u) for u in tables.numbers]
    for province in {*tables.province, *after} - {-1}:
        for power in set(tables.power):
            there = zip(after, tables.power, strict=True)
            foreign = any(at == province and other != power for at, other in there)
            assert PartialResults(Resolver(sheet)).is_entered(province, power) == foreign


def position_orders(position: Position, sheet: Sheet) -> dict[str, list[Any]]:
    """Return the orders that count on a sheet, by power."""
    listed: dict[str, list[Any]] = {}
    for unit, order in zip(position.tables.units, sheet.orders, strict=True):
        if order is not None:
            listed.setdefault(unit.power, []).append(order)
    return listed


@drawn(150, 2000, SETTINGS)
@given(scenarios(chance=CHANCE), st.randoms(use_true_random=False))
def test_a_sheet_of_rows_is_that_of_its_orders_and_has_their_results(
    scenario: Scenario, rng: Random
) -> None:
    trials, chosen = all_orders(scenario, rng)
    check_rows(trials, dict(rng.sample(sorted(chosen.items()), rng.randint(0, len(chosen)))))


def check_rows(trials: Trials, chosen: dict[int, int]) -> None:
    position = trials.position
    sheet = trials.lay_out(dict(sorted(chosen.items())))
    whole = Sheet(position, position_orders(position, sheet))
    for name in TABLES:
        assert getattr(sheet, name) == getattr(whole, name)
    compare_results(position, trials.lay_out(chosen), whole)


def test_an_express_that_a_paradox_breaks_does_not_count_for_others() -> None:
    """Found by drawn positions: the army in LAH was said to fail against an express that its own
    success makes a paradox."""
    scenario = seeded("river", 6, 66)
    sheet = Sheet(scenario.position, scenario.orders)

    compare_results(scenario.position, sheet, sheet)
