"""The units near an order are all of which one alone can flip it."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from hypothesis import given

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.whatif.candidates import find_nearby_units, given_orders
from alexmagnum.whatif.flips import Flip, Flips
from tests.scenarios import CHANCE, Scenario, exhaustively, scenarios
from tools.pictures import sample_turn


def as_values(flips: Iterable[Flip]) -> list[object]:
    return [(flip.changes, flip.result) for flip in flips]


@exhaustively
@given(scenarios(chance=CHANCE), CHANCE)
def test_the_units_near_an_order_have_all_flips_by_one(scenario: Scenario, rng: Random) -> None:
    position, orders = scenario.position, scenario.orders
    unit = rng.choice(position.units)
    near = find_nearby_units(position, given_orders(position, orders), unit)
    powers = [*position.board.powers, INDEPENDENT]

    everybody = Flips(position, orders, unit).search(powers, most=1)
    some = Flips(position, orders, unit, varied=near).search(powers, most=1)
    assert as_values(some) == as_values(everybody)


def test_few_units_of_a_turn_are_near_an_order() -> None:
    position, orders = sample_turn()
    given_ = given_orders(position, orders)
    units = [unit for unit in position.units if unit.power in position.board.powers]
    near = [len(find_nearby_units(position, given_, unit)) for unit in units]
    assert sum(near) < 0.5 * len(units) * len(units)
