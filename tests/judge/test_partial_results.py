"""Edited sheets and single results: the same as those of a whole phase judged anew."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board.numbers import UnitNo
from alexmagnum.judge import resolve_movement
from alexmagnum.judge.editable_sheet import EditableSheet
from alexmagnum.judge.legality import Memory
from alexmagnum.judge.partial_results import PartialResults
from alexmagnum.judge.read_log import LoggedResolver, ReadKeys
from alexmagnum.judge.resolver import Resolver
from alexmagnum.judge.results import MovementOutcome, is_lost, province_after, result_by_number
from alexmagnum.judge.sheet import Sheet
from alexmagnum.orders import MovementOrder
from alexmagnum.position import Position
from alexmagnum.whatif.candidates import movement_orders
from tests.scenarios import SETTINGS, Scenario, scenarios, seeded
from tests.sizes import drawn

CHANGES = 8
"""The number of orders that are replaced, one after another."""

ENTRIES = {"entry_faults", "entry_unit", "has_bad_entry", "listed"}
NOT_COMPARED = {"board", "numbers", "orders", "partner", "units", *ENTRIES}
BY_LEG = {"contenders", "first_leg", "leg_place", "legs", "mover"}
"""Tables that number the legs of expresses, in the sequence of the expresses."""

UNORDERED = {"convoying", "moving", "supporting"}
LISTS = {"attackers", "carriers", "contenders", "supporters"}


class Edited:
    """A scenario whose orders are replaced one by one, with the same orders listed by power."""

    def __init__(self, scenario: Scenario) -> None:
        self.position: Position = scenario.position
        self.tables = self.position.tables
        self.memory = Memory(self.position.board.tables, self.tables)
        self.sheet = EditableSheet(self.position, scenario.orders, self.memory)
        self.legal = movement_orders(self.position)
        self.units: list[UnitNo] = [
            u
            for u, unit in zip(self.tables.numbers, self.tables.units, strict=True)
            if self.position.takes_orders(unit)
        ]

    def replace(self, rng: Random) -> None:
        u = rng.choice(self.units)
        self.sheet.replace_order(u, rng.choice([None, *self.legal[self.tables.units[u]]]))

    @property
    def orders(self) -> dict[str, list[MovementOrder]]:
        listed: dict[str, list[MovementOrder]] = {}
        for unit, order in zip(self.tables.units, self.sheet.orders, strict=True):
            if isinstance(order, MovementOrder):
                listed.setdefault(unit.power, []).append(order)
        return listed


def tables_of(sheet: Sheet) -> dict[str, Any]:
    """Return the tables of a sheet, without the sequence within lists."""
    found: dict[str, Any] = {}
    kind: Any = Sheet
    attributes = getattr(kind, "__slots__", ()) or kind.__mypyc_attrs__  # compiled
    for name in sorted(set(attributes) - NOT_COMPARED - (BY_LEG if sheet.expresses else set())):
        table = getattr(sheet, name)
        if name in UNORDERED:
            table = sorted(table)
        elif name in LISTS:
            table = [sorted(row) for row in table]
        elif name == "entrants":
            table = {sea: sorted(units) for sea, units in table.items() if units}
        elif name == "raider":
            table = set(table)
        found[name] = list(table) if isinstance(table, tuple) else table
    return found


def compare_results(edited: Edited, outcome: MovementOutcome) -> None:
    """Compare every single result, each judged alone, with that of the whole phase."""
    keys = ReadKeys(edited.position.board.tables, edited.tables)
    for u in edited.tables.numbers:
        for resolver in (Resolver(edited.sheet), LoggedResolver(edited.sheet, keys)):
            read = resolver.read if isinstance(resolver, LoggedResolver) else None
            assert PartialResults(resolver, read).result(u) == result_by_number(outcome, u)
        assert PartialResults(Resolver(edited.sheet)).is_lost(u) == is_lost(outcome, u)
    after = [province_after(outcome, u) for u in edited.tables.numbers]
    for province in {*edited.tables.province, *after} - {-1}:
        for power in set(edited.tables.power):
            there = zip(after, edited.tables.power, strict=True)
            foreign = any(at == province and other != power for at, other in there)
            results = PartialResults(Resolver(edited.sheet))
            assert results.is_entered(province, power) == foreign


@drawn(40, 500, SETTINGS)
@given(scenarios(), st.randoms(use_true_random=False))
def test_an_edited_sheet_is_that_of_its_orders_and_has_their_results(
    scenario: Scenario, rng: Random
) -> None:
    edited = Edited(scenario)
    if not edited.units:
        return
    for _ in range(CHANGES):
        edited.replace(rng)
        orders = edited.orders
        assert tables_of(edited.sheet) == tables_of(Sheet(edited.position, orders, edited.memory))
        compare_results(edited, resolve_movement(edited.position, orders, edited.memory))


def test_an_express_that_a_paradox_breaks_does_not_count_for_others() -> None:
    """Found by drawn positions: the army in LAH was said to fail against an express that its own
    success makes a paradox."""
    scenario = seeded("river", 6, 66)
    outcome = resolve_movement(scenario.position, scenario.orders)

    compare_results(Edited(scenario), outcome)
