"""Cities with two places."""

from __future__ import annotations

from random import Random

from tests.scenarios.model import Scenario
from tests.scenarios.rivers import add_express, choose_direction
from tests.scenarios.special_draft import POWERS, SpecialDraft


def draw_city(rng: Random) -> Scenario:
    """Draw a city with two places, one power's units in it, and friends and foes at its gates."""
    draft = SpecialDraft(rng, POWERS[: rng.randint(2, 3)], {"major_city_capacity": 2})
    cities = [p.id for p in draft.board.provinces.values() if p.major]
    town = rng.choice(cities)
    owner = rng.choice(draft.powers)
    for _ in range(rng.choice([0, 1, 1, 2, 2, 2])):
        unit = draft.put(town, power=owner)
        roll = rng.randrange(100)
        if unit is not None and roll < 35:
            draft.plan(unit, draft.way_in(unit, rng.choice(draft.ways(unit))))
        elif unit is not None and roll < 65:
            draft.plan(unit, None)
    power = rng.choice(draft.powers)
    for _ in range(rng.randint(2, 4)):
        there = draft.at(town)
        at = rng.choice(there) if there and draft.chance(55) else None
        draft.send(town, rng.choice([1, 1, 2, 2, 3]), at, power if draft.chance(60) else "")
    if draft.chance(30):
        add_army_retreat(draft, town)
    if town == "BAB" and draft.chance(60):
        add_express(draft, choose_direction(draft, draft.courses[1]))
    return draft.finish()


def add_army_retreat(draft: SpecialDraft, town: str) -> None:
    """Add a unit beside a city is attacked, so that it may have to retreat there."""
    unit = draft.put(draft.rng.choice(draft.map.beside(town)))
    if unit is not None:
        draft.plan(unit, None)
        others = [p for p in draft.powers if p != unit.power]
        draft.send(unit.province, 2, None, draft.rng.choice(others))
