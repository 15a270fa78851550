"""Fleets that share a sea, and convoys over seas that are shared."""

from __future__ import annotations

from random import Random

from alexmagnum.position import Unit
from tests.scenarios.model import Scenario
from tests.scenarios.muster import POWERS, Carry, Go, Muster


def sea(rng: Random) -> Scenario:
    """Fleets that share a sea, and others who want to get in."""
    muster = Muster(rng, POWERS[: rng.randint(2, 4)], {"sea_capacity": rng.choice([3, 3, 3, 2, 4])})
    waters = rng.choice(muster.map.seas)
    fill_sea(muster, waters)
    near = [p for p in muster.map.beside(waters) if p in muster.map.seas]
    if near and muster.chance(40):
        fill_sea(muster, rng.choice(near), muster.chance(30))
    if muster.chance(25):
        gang_up(muster, waters)
    storm_sea(muster, waters)
    if muster.chance(50):
        rout(muster, waters)
    return muster.finish()


def fill_sea(muster: Muster, waters: str, wanting: bool = True) -> None:
    """Fleets in a sea: every place taken, or some; part of them leave or fight each other."""
    rng, room = muster.rng, muster.room(waters)
    size = room if muster.chance(55) and wanting else rng.randint(1, room)
    fleets = [f for f in (muster.put(waters, "F") for _ in range(size)) if f]
    for fleet in fleets:
        others = [f for f in fleets if f != fleet]
        roll = rng.randrange(100)
        if roll < 22:
            muster.plan(fleet, Go(rng.choice(muster.ways(fleet))))
        elif roll < 45 and others:
            muster.plan(fleet, Go(waters, rng.choice(others)))
            muster.back(fleet, waters, rng.choice([0, 1, 1, 2]))
        elif roll < 60:
            muster.plan(fleet, None)
        # the others stay idle: they help, convoy, or do as they like in the end


def gang_up(muster: Muster, waters: str) -> None:
    """A fleet attacked from inside and from outside, each time by more than it has."""
    rng = muster.rng
    there = [u for u in muster.at(waters) if u in muster.idle]
    if len(there) < 2:
        return
    target, other = rng.sample(there, 2)
    if muster.chance(60):
        muster.plan(target, None)
    muster.plan(other, Go(waters, target))
    muster.back(other, waters, rng.choice([1, 1, 2]))
    muster.send(waters, rng.choice([1, 2, 2]), target)


def storm_sea(muster: Muster, waters: str) -> None:
    """Entrants from outside: plain and at fleets, of various strengths, and exchanges."""
    rng = muster.rng
    for _ in range(rng.randint(2, 4)):
        there = muster.at(waters)
        leaving = [u for u in there if isinstance(muster.plans.get(u), Go)]
        if leaving and muster.chance(25):
            exchange(muster, rng.choice(leaving))
        at = rng.choice(there) if there and muster.chance(45) else None
        muster.send(waters, rng.choice([1, 1, 1, 2, 2, 3]), at)


def exchange(muster: Muster, fleet: Unit) -> None:
    """A unit where the fleet goes, that wants to get into its sea."""
    plan = muster.plans[fleet]
    if not isinstance(plan, Go) or plan.to == fleet.province:
        return
    unit = muster.put(plan.to, "F")
    if unit is not None:
        muster.plan(unit, Go(fleet.province, fleet if muster.chance(35) else None))


def rout(muster: Muster, waters: str) -> None:
    """A unit beside a sea is attacked, so that it may have to retreat there."""
    unit = muster.put(muster.rng.choice(muster.map.beside(waters)), "F")
    if unit is not None:
        muster.plan(unit, None)
        others = [p for p in muster.powers if p != unit.power]
        at = unit if muster.room(unit.province) > 1 else None
        muster.send(unit.province, 2, at, muster.rng.choice(others))


def land_at(muster: Muster, port: str) -> None:
    """A convoy whose army lands in a province."""
    rng = muster.rng
    seas = [s for s in muster.map.seas if port in muster.map.shores(s)]
    if not seas:
        return
    waters = rng.choice(seas)
    starts = [p for p in muster.map.shores(waters) if p != port and not muster.at(p)]
    army = muster.put(rng.choice(starts), "A") if starts else None
    if army is None:
        return
    muster.plan(army, Go(port, via=muster.chance(30)))
    for _ in range(rng.choice([1, 1, 1, 2])):
        fleet = muster.put(waters, "F", army.power if muster.chance(60) else "")
        if fleet is not None:
            muster.plan(fleet, Carry(army))
            if muster.chance(50):
                muster.send(waters, rng.choice([1, 2, 2]), fleet)
