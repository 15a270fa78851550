"""Expresses on the rivers, and who stands or goes in their way."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.scenarios.model import Scenario
from tests.scenarios.muster import POWERS, Back, Go, Muster
from tests.scenarios.seas import land_at


def river(rng: Random) -> Scenario:
    """Expresses, and who stands or goes in their way."""
    muster = Muster(rng, POWERS[: rng.randint(2, 3)])
    course = rng.choice(muster.courses)
    way = either_way(muster, course)
    if muster.chance(40):
        tangle_river(muster, way)
    else:
        for _ in range(rng.choice([1, 1, 2])):
            launch(muster, way)
        if muster.chance(35):
            launch(muster, way[::-1])
    trouble_river(muster, way, rng.randint(1, 3))
    if muster.chance(25):
        land_at(muster, course[0])
    if muster.chance(40) and muster.units:
        target = rng.choice(muster.units)
        muster.send(target.province, rng.randint(1, 2))
    return muster.finish()


def either_way(muster: Muster, course: Sequence[str]) -> Sequence[str]:
    """A course in one of its directions."""
    return course if muster.chance(50) else course[::-1]


def launch(muster: Muster, course: Sequence[str]) -> None:
    """A fleet on an express up the course, perhaps with supports."""
    rng = muster.rng
    start = rng.choice([0, rng.randrange(len(course) - 2)])
    fleet = muster.put(course[start], "F")
    if fleet is not None:
        goal = rng.randrange(start + 2, len(course))
        to = course[goal]
        if muster.chance(70):
            muster.clear |= set(course[start + 1 : goal])
        muster.plan(fleet, muster.way_in(fleet, to))
        muster.back(fleet, to, rng.choice([0, 1, 1, 2]))


def trouble_river(muster: Muster, course: Sequence[str], times: int) -> None:
    """Units on a river that stay, go the same way or the other, and some from beside it."""
    rng = muster.rng
    for _ in range(times):
        at = rng.randrange(len(course))
        roll = rng.randrange(100)
        if roll < 40:
            muster.send(course[at], rng.choice([1, 1, 2, 2, 3]))
            continue
        unit = muster.put(course[at])
        if unit is None or roll < 55:
            continue
        step = at + rng.choice([-1, 1])
        if roll < 62 and unit.kind != "F":
            muster.plan(unit, None)
        elif roll < 90 and 0 <= step < len(course) and course[step] in muster.ways(unit):
            muster.plan(unit, muster.way_in(unit, course[step]))
            muster.back(unit, course[step], rng.choice([0, 0, 1, 2]))
        else:
            away = [w for w in muster.ways(unit) if w not in course]
            if away:
                muster.plan(unit, muster.way_in(unit, rng.choice(away)))


def tangle_river(muster: Muster, course: Sequence[str]) -> None:
    """An express that attacks, where it ends, somebody whose support decides about its way."""
    rng = muster.rng
    start = rng.randrange(len(course) - 2)
    path = course[start + 1 : rng.randrange(start + 3, len(course) + 1)]
    fleet = muster.put(course[start], "F")
    others = [p for p in muster.powers if fleet is None or p != fleet.power]
    keeper = muster.put(path[-1], power=rng.choice(others))
    if keeper is None or fleet is None:
        return
    muster.plan(fleet, Go(path[-1]))
    muster.clear |= set(path)
    near = [p for p in muster.ways(keeper) if p not in path and not muster.at(p)]
    if near and muster.chance(40):  # the keeper helps away who stands in the way
        obstacle = muster.put(path[-2])
        goals = [p for p in near if obstacle and p in muster.ways(obstacle)]
        if obstacle is not None and goals:
            to = rng.choice(goals)
            muster.plan(muster.put(to), None)
            muster.plan(obstacle, muster.way_in(obstacle, to))
            muster.plan(keeper, Back(obstacle))
            return
    rival = muster.beside(path[-2], without=course[start])
    if rival is not None and rival != keeper:
        muster.plan(rival, muster.way_in(rival, path[-2]))
        muster.plan(keeper, Back(rival))
        muster.back(fleet, path[-1], rng.choice([0, 1, 1, 1, 1, 2]))
