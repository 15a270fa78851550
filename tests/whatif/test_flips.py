"""What would flip an order: every flip is one, and on small positions none is missed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given

from alexmagnum.board import load_board
from alexmagnum.judge import adjudicate
from alexmagnum.judge.explanation import explain
from alexmagnum.notation import write_order
from alexmagnum.orders import MovementOrder
from alexmagnum.position import Unit
from alexmagnum.whatif.flips import Flip, Flips
from alexmagnum.whatif.search import movement_orders
from tests.scenarios import CHANCE, Scenario, exhaustively, mostly_small, scenarios
from tests.sizes import sized
from tests.units import read_lines, read_unit
from tests.whatif.test_safety import read_standard

FEW = sized(1500, 4000)
"""Up to so many pairs of changes are tried by brute force."""

Changed = frozenset[tuple[Unit, MovementOrder]]


class BruteForce:
    """All changes of one or two orders, each adjudicated in full."""

    def __init__(self, flips: Flips) -> None:
        self.flips = flips
        self.position = flips.position
        self.units = flips.trials.units
        self.current = {
            unit: row[0] for unit, row in zip(self.units, flips.trials.orders, strict=True) if row
        }
        self.legal = movement_orders(self.position)

    def result(self, changed: Mapping[Unit, MovementOrder]) -> str:
        orders: dict[str, list[MovementOrder]] = {}
        for unit, order in {**self.current, **changed}.items():
            orders.setdefault(unit.power, []).append(order)
        return adjudicate(self.position, orders).fates(self.flips.unit)[0].result

    def others(self, unit: Unit) -> list[MovementOrder]:
        return [o for o in self.legal[unit] if o != self.current[unit]]

    def one(self, powers: set[str]) -> dict[Changed, str]:
        found = {}
        for unit in self._units(powers):
            for order in self.others(unit):
                result = self.result({unit: order})
                if result != self.flips.result:
                    found[frozenset({(unit, order)})] = result
        return found

    def two(self, powers: set[str], alone: dict[Changed, str]) -> dict[Changed, str]:
        found = {}
        for unit, other in combinations(self._units(powers), 2):
            for pair in product(self.others(unit), self.others(other)):
                changed = dict(zip((unit, other), pair, strict=True))
                if any(frozenset({change}) in alone for change in changed.items()):
                    continue
                result = self.result(changed)
                if result != self.flips.result:
                    found[frozenset(changed.items())] = result
        return found

    def _units(self, powers: set[str]) -> list[Unit]:
        return [
            u
            for u in self.units
            if u.power in powers and u != self.flips.unit and u in self.current
        ]

    def pairs(self, powers: set[str]) -> int:
        sizes = [len(self.others(unit)) for unit in self._units(powers)]
        return sum(a * b for a, b in combinations(sizes, 2))


def spread(found: list[Flip]) -> dict[Changed, str]:
    """Return the flips with all equivalent orders written out."""
    return {
        frozenset(zip((c.unit for c in flip.changes), orders, strict=True)): flip.result
        for flip in found
        for orders in product(*(change.orders for change in flip.changes))
    }


def draw_question(scenario: Scenario, rng: Random) -> tuple[Flips, set[str]] | None:
    """Draw a unit with an order, and the powers that may change theirs."""
    position = scenario.position
    units = [u for u in position.tables.units if u.power in position.board.powers]
    if not units:
        return None
    unit = rng.choice(units)
    flips = Flips(position, scenario.orders, unit)
    if rng.random() < 0.2:
        return flips, {unit.power}
    return flips, set(position.board.powers) - {unit.power}


@exhaustively
@given(scenarios(chance=CHANCE), CHANCE)
def test_the_flips_are_all_there_are(scenario: Scenario, rng: Random) -> None:
    """Expect the smallest flips: two units only where neither change is enough alone."""
    drawn = draw_question(scenario, rng)
    if drawn is None:
        return
    flips, powers = drawn
    force = BruteForce(flips)
    if force.pairs(powers) > mostly_small(FEW, rng):
        assert spread(list(flips.search(powers, most=1))) == force.one(powers)
        return
    alone = force.one(powers)
    assert spread(list(flips.search(powers))) == {**alone, **force.two(powers, alone)}


@exhaustively
@given(scenarios(chance=CHANCE), CHANCE)
def test_the_outcome_of_a_flip_is_its_result_with_a_reason(scenario: Scenario, rng: Random) -> None:
    drawn = draw_question(scenario, rng)
    if drawn is None:
        return
    flips, powers = drawn
    for flip in flips.search(powers, most=1):
        chain = explain(flip.outcome, flips.unit)
        assert chain[0].fate.result == flip.result


def lines(found: Iterator[Flip]) -> set[tuple[str, ...]]:
    return {tuple(write_order(c.orders[0]) for c in flip.changes) for flip in found}


def ask(unit: str, lines: str, **more: Any) -> Flips:
    """Return the search for what would flip the order of a unit, in lines on the standard map."""
    return Flips(*read_standard(lines, **more), read_unit(unit))


def test_a_cut_and_a_defence_flip_an_attack() -> None:
    flips = ask(
        "Austria A VIE",
        "Austria A VIE - GAL; Austria A BUD S A VIE - GAL; Italy A GAL H; Italy A SER H",
    )

    assert flips.result == "succeeds"
    found = lines(flips.search(["Italy"], most=1))
    assert ("A SER - BUD",) in found
    assert all("BUD" in change for (change,) in found)


def test_ones_own_support_makes_a_failed_attack_succeed() -> None:
    flips = ask("Austria A VIE", "Austria A VIE - GAL; Austria A BUD H; Italy A GAL H")

    assert lines(flips.search(["Austria"], wanted=["succeeds"])) == {("A BUD S A VIE - GAL",)}


def test_two_changes_are_needed_where_one_does_not_do() -> None:
    flips = ask("Austria A VIE", "Austria A VIE H; Italy A TYR H; Italy A BOH H")

    assert lines(flips.search(["Italy"])) == {
        ("A BOH - VIE", "A TYR S A BOH - VIE"),
        ("A BOH S A TYR - VIE", "A TYR - VIE"),
    }


def test_beside_another_change_more_orders_come_to_the_same() -> None:
    """Found by drawn positions: with F ISR gone to SIS, all that F SIS can do does; but its support
    would do alone."""
    position, orders = read_lines(
        "TOL F NUB - MEN; TOL F NOC S F NUB - MEN; SEL F SIS - FEN; TOL F ISR - FEN;"
        "LIS F CIP - FEN; TOL F ISS - FEN",
        load_board("alexmagnum").with_rules({"sea_capacity": 2}),
    )
    flips = Flips(position, orders, read_unit("LIS F CIP"))
    others = {"TOL", "SEL"}
    force = BruteForce(flips)
    alone = force.one(others)

    assert spread(list(flips.search(others))) == {**alone, **force.two(others, alone)}


def test_a_unit_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="A BUD"):
        ask("Austria A BUD", "Austria A VIE H")
