"""Cities with two places."""

from __future__ import annotations

from random import Random

from tests.scenarios.model import Scenario
from tests.scenarios.muster import POWERS, Muster
from tests.scenarios.rivers import either_way, launch


def city(rng: Random) -> Scenario:
    """A city with two places, one power's units in it, and friends and foes at its gates."""
    muster = Muster(rng, POWERS[: rng.randint(2, 3)], {"major_city_capacity": 2})
    cities = [p.id for p in muster.board.provinces.values() if p.major]
    town = rng.choice(cities)
    owner = rng.choice(muster.powers)
    for _ in range(rng.choice([0, 1, 1, 2, 2, 2])):
        unit = muster.put(town, power=owner)
        roll = rng.randrange(100)
        if unit is not None and roll < 35:
            muster.plan(unit, muster.way_in(unit, rng.choice(muster.ways(unit))))
        elif unit is not None and roll < 65:
            muster.plan(unit, None)
    power = rng.choice(muster.powers)
    for _ in range(rng.randint(2, 4)):
        there = muster.at(town)
        at = rng.choice(there) if there and muster.chance(55) else None
        muster.send(town, rng.choice([1, 1, 2, 2, 3]), at, power if muster.chance(60) else "")
    if muster.chance(30):
        rout_army(muster, town)
    if town == "BAB" and muster.chance(60):
        launch(muster, either_way(muster, muster.courses[1]))
    return muster.finish()


def rout_army(muster: Muster, town: str) -> None:
    """A unit beside a city is attacked, so that it may have to retreat there."""
    unit = muster.put(muster.rng.choice(muster.map.beside(town)))
    if unit is not None:
        muster.plan(unit, None)
        others = [p for p in muster.powers if p != unit.power]
        muster.send(unit.province, 2, None, muster.rng.choice(others))
