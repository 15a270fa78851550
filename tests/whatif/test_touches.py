"""The principle of the searches: a change that touches nothing read leaves the answer as it was."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given

import alexmagnum
from alexmagnum.builds import COMPILED
from alexmagnum.judge.results import result_by_number
from alexmagnum.judge.sheet import Sheet
from alexmagnum.whatif.candidates import given_orders, movement_orders
from alexmagnum.whatif.partial_results import LoggedResolver, PartialResults, ReadKeys
from alexmagnum.whatif.search import EVERYTHING, Touches, Trials
from tests.scenarios import CHANCE, PROFILES, SETTINGS, Scenario, scenarios, seeded
from tests.sizes import drawn, sized

SETS = 4
"""How many sets with other orders are judged for each unit."""


def all_orders(scenario: Scenario, rng: Random) -> tuple[Trials, dict[int, int]]:
    """Return all legal orders of every unit, and the orders of the scenario or some by chance."""
    position = scenario.position
    legal = movement_orders(position)
    units = position.tables.units
    rows = [legal[unit] if position.takes_orders(unit) else () for unit in units]
    given_ = given_orders(position, scenario.orders) if rng.random() < 0.5 else {}
    chosen = {}
    for u, row in enumerate(rows):
        if row:
            order = given_.get(units[u])
            chosen[u] = row.index(order) if order in row else rng.randrange(len(row))
    return Trials(position, rows), chosen


def changes_without_effect(
    trials: Trials, chosen: dict[int, int], touches: Touches, asked: int, read: int
) -> list[tuple[int, int]]:
    """Return all other orders of other units that touch nothing that was read."""
    return [
        (u, i)
        for u, now in chosen.items()
        for i in range(len(trials.orders[u]))
        if u != asked and not touches.of_change(u, now, i) & read
    ]


def check_changes(scenario: Scenario, rng: Random) -> Iterator[int]:
    """Judge sets with changes that touch nothing read; yield how many such changes there are."""
    trials, chosen = all_orders(scenario, rng)
    touches = Touches(trials.influence)
    for asked in trials.position.tables.numbers:
        result, read = trials.read_result(chosen, asked, touches.keys)
        free = changes_without_effect(trials, chosen, touches, asked, read)
        yield len(free)
        for _ in range(SETS if free else 0):
            changed = dict(rng.choice(free) for _ in range(rng.randint(1, 4)))
            outcome = trials.outcome({**chosen, **changed})
            assert result_by_number(outcome, asked) == result


@drawn(60, 1000, SETTINGS)
@given(scenarios(chance=CHANCE), CHANCE)
def test_a_change_that_touches_nothing_read_leaves_the_result(
    scenario: Scenario, rng: Random
) -> None:
    list(check_changes(scenario, rng))


def test_most_changes_touch_nothing_that_was_read() -> None:
    """Else the test above would prove nothing."""
    for profile in PROFILES:
        found = [n for k in range(6) for n in check_changes(seeded(profile, 2, k), Random(k))]
        assert sum(found) > 10 * len(found)


# -- the log has everything that is read -----------------------------------------------------------


class ReadList(list[Any]):
    """A list that notes which of its entries are read."""

    def __init__(self, entries: Any, seen: set[int]) -> None:
        super().__init__(entries)
        self.seen = seen

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, int):
            self.seen.add(i)
        return super().__getitem__(i)


@pytest.mark.skipif(alexmagnum.__build__ == COMPILED, reason="compiled code reads past such lists")
def test_what_is_read_of_the_tables_is_in_the_log() -> None:
    """The rows, supports and attacks that the judge really looks up, by lists that tell of it."""
    looked_up = 0
    for profile in PROFILES:
        for number in range(sized(10, 100)):
            trials, chosen = all_orders(seeded(profile, 3, number), Random(number))
            looked_up += check_log(trials.lay_out(chosen), Touches(trials.influence).keys)
    assert looked_up > 1000


def check_log(sheet: Sheet, keys: ReadKeys) -> int:
    """Compare the log of each unit's result with the entries really read; return how many."""
    count = 0
    for asked in sheet.numbers:
        resolver = LoggedResolver(sheet, keys)
        rows, help_, attacks = set[int](), set[int](), set[int]()
        for name, seen in {
            "action": rows,
            "to_place": rows,
            "by_convoy": rows,
            "goal": rows,
            "supporters": help_,
            "attackers": attacks,
            "contenders": attacks,
        }.items():
            setattr(resolver, name, ReadList(getattr(resolver, name), seen))
        resolver.read.add(asked)
        results = PartialResults(resolver, resolver.read)
        results.result(asked)
        if not results.whole:
            assert {keys.row(u) for u in rows if u >= 0} <= resolver.read
            assert {keys.help_for(u) for u in help_} <= resolver.read
            assert {keys.attack_on(place) for place in attacks} <= resolver.read
            count += len(rows) + len(help_) + len(attacks)
    return count


def test_a_judgement_of_the_whole_phase_reads_everything() -> None:
    scenario = seeded("river", 6, 66)  # an express in a paradox
    trials, _ = all_orders(scenario, Random(0))
    given_ = given_orders(scenario.position, scenario.orders)
    units = scenario.position.tables.units
    chosen = {
        u: trials.orders[u].index(given_[unit]) for u, unit in enumerate(units) if unit in given_
    }

    keys = Touches(trials.influence).keys
    asked = trials.position.tables.numbers[2]
    assert trials.read_result(chosen, asked, keys) == ("succeeds", EVERYTHING)
