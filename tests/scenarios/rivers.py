"""Expresses on the rivers, and who stands or goes in their way."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.scenarios.model import Scenario
from tests.scenarios.seas import add_convoy
from tests.scenarios.special_draft import POWERS, Back, Go, SpecialDraft


def draw_river(rng: Random) -> Scenario:
    """Draw expresses, and who stands or goes in their way."""
    rules: dict[str, int | str] = {"express": rng.choice(["railway", "railway", "attack"])}
    draft = SpecialDraft(rng, POWERS[: rng.randint(2, 3)], rules)
    course = rng.choice(draft.courses)
    way = choose_direction(draft, course)
    if draft.chance(40):
        add_river_paradox(draft, way)
    else:
        for _ in range(rng.choice([1, 1, 2])):
            add_express(draft, way)
        if draft.chance(35):
            add_express(draft, way[::-1])
    add_river_conflicts(draft, way, rng.randint(1, 3))
    if draft.chance(25):
        add_convoy(draft, course[0])
    if draft.chance(40) and draft.units:
        target = rng.choice(draft.units)
        draft.send(target.province, rng.randint(1, 2))
    return draft.finish()


def choose_direction(draft: SpecialDraft, course: Sequence[str]) -> Sequence[str]:
    """Return a course in one of its directions."""
    return course if draft.chance(50) else course[::-1]


def add_express(draft: SpecialDraft, course: Sequence[str]) -> None:
    """Add a fleet on an express up the course, perhaps with supports."""
    rng = draft.rng
    start = rng.choice([0, rng.randrange(len(course) - 2)])
    fleet = draft.put(course[start], "F")
    if fleet is not None:
        goal = rng.randrange(start + 2, len(course))
        to = course[goal]
        if draft.chance(70):
            draft.clear |= set(course[start + 1 : goal])
        draft.plan(fleet, draft.way_in(fleet, to))
        draft.back(fleet, to, rng.choice([0, 1, 1, 2]))


def add_river_conflicts(draft: SpecialDraft, course: Sequence[str], times: int) -> None:
    """Add units on a river that stay, go the same way or the other, and some from beside it."""
    rng = draft.rng
    for _ in range(times):
        at = rng.randrange(len(course))
        roll = rng.randrange(100)
        if roll < 40:
            draft.send(course[at], rng.choice([1, 1, 2, 2, 3]))
            continue
        unit = draft.put(course[at])
        if unit is None or roll < 55:
            continue
        step = at + rng.choice([-1, 1])
        if roll < 62 and unit.kind != "F":
            draft.plan(unit, None)
        elif roll < 90 and 0 <= step < len(course) and course[step] in draft.ways(unit):
            draft.plan(unit, draft.way_in(unit, course[step]))
            draft.back(unit, course[step], rng.choice([0, 0, 1, 2]))
        else:
            away = [w for w in draft.ways(unit) if w not in course]
            if away:
                draft.plan(unit, draft.way_in(unit, rng.choice(away)))


def add_river_paradox(draft: SpecialDraft, course: Sequence[str]) -> None:
    """Add an express that attacks, where it ends, somebody whose support decides about its way."""
    rng = draft.rng
    start = rng.randrange(len(course) - 2)
    path = course[start + 1 : rng.randrange(start + 3, len(course) + 1)]
    fleet = draft.put(course[start], "F")
    others = [p for p in draft.powers if fleet is None or p != fleet.power]
    keeper = draft.put(path[-1], power=rng.choice(others))
    if keeper is None or fleet is None:
        return
    draft.plan(fleet, Go(path[-1]))
    draft.clear |= set(path)
    near = [p for p in draft.ways(keeper) if p not in path and not draft.at(p)]
    if near and draft.chance(40):  # the keeper helps away who stands in the way
        obstacle = draft.put(path[-2])
        goals = [p for p in near if obstacle and p in draft.ways(obstacle)]
        if obstacle is not None and goals:
            to = rng.choice(goals)
            draft.plan(draft.put(to), None)
            draft.plan(obstacle, draft.way_in(obstacle, to))
            draft.plan(keeper, Back(obstacle))
            return
    rival = draft.beside(path[-2], without=course[start])
    if rival is not None and rival != keeper:
        draft.plan(rival, draft.way_in(rival, path[-2]))
        draft.plan(keeper, Back(rival))
        draft.back(fleet, path[-1], rng.choice([0, 1, 1, 1, 1, 2]))
