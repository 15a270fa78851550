"""Names that mean a unit although they are not its canonical one."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from alexmagnum.orders import Convoy, MovementOrder, Support
from alexmagnum.position import Position, Unit
from alexmagnum.units import KINDS
from tests.scenarios.model import Scenario

VARIED_PERCENT = 4
"""Of a hundred orders, how many name a unit otherwise than by its canonical name."""


def vary_names(scenario: Scenario, rng: Random) -> Scenario:
    """Return the same scenario, with a unit named otherwise now and then.

    Its name may lack its number or coast, or have a needless number or another letter.
    """
    position = scenario.position
    orders = {p: [_vary_name(o, position, rng) for o in os] for p, os in scenario.orders.items()}
    return Scenario(position, orders)


def _vary_name(order: MovementOrder, position: Position, rng: Random) -> MovementOrder:
    if rng.randrange(100) < 100 - VARIED_PERCENT:  # what hypothesis shrinks to
        return order
    match order:
        case Support(unit, supported, to) if rng.randrange(2):
            return Support(unit, _other_name(supported, position, rng), to)
        case Convoy(unit, army, to) if rng.randrange(2):
            return Convoy(unit, _other_name(army, position, rng), to)
    return replace(order, unit=_other_name(order.unit, position, rng))


def _other_name(name: str, position: Position, rng: Random) -> str:
    """Return another name of the unit with this one; the same, if no unit has it."""
    unit = position.names.get(name)
    return (
        name if unit is None else rng.choice([n for n in list_names(position, unit) if n != name])
    )


def list_names(position: Position, unit: Unit) -> list[str]:
    """Return every name that means this unit and no other.

    A number suffices (R8), and so does the province where the unit is alone (DATC 6.B.10);
    where it is not, the letter, if it is the only one of its kind there (R26).
    """
    mates = [u for u in position.units if u.province == unit.province and u != unit]
    letters = [unit.kind] if mates else KINDS
    if any(mate.kind == unit.kind for mate in mates):
        letters = []
    plain = [f"{letter} {at}" for letter in letters for at in {unit.location: 0, unit.province: 0}]
    return [*plain, *(f"{letter} {unit.place}" for letter in KINDS)]
