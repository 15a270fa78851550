"""Fleets that share a sea, and convoys over seas that are shared."""

from __future__ import annotations

from random import Random

from alexmagnum.position import Unit
from tests.scenarios.model import Scenario
from tests.scenarios.special_draft import POWERS, Carry, Go, SpecialDraft


def draw_sea(rng: Random) -> Scenario:
    """Draw fleets that share a sea, and others who want to get in."""
    draft = SpecialDraft(
        rng, POWERS[: rng.randint(2, 4)], {"sea_capacity": rng.choice([3, 3, 3, 2, 4])}
    )
    waters = rng.choice(draft.map.seas)
    fill_sea(draft, waters)
    near = near_seas(draft, waters)
    if near and draft.chance(40):
        fill_sea(draft, rng.choice(near), draft.chance(30))
    if draft.chance(25):
        add_double_attack(draft, waters)
    add_sea_entrants(draft, waters)
    if draft.chance(50):
        add_retreat(draft, waters)
    return draft.finish()


def draw_battle(rng: Random) -> Scenario:
    """Draw fleets of full seas that attack each other head-to-head, and units that may retreat."""
    draft = SpecialDraft(rng, POWERS[: rng.randint(2, 4)], {"sea_capacity": rng.choice([3, 2, 2])})
    waters = rng.choice([s for s in draft.map.seas if near_seas(draft, s)])
    others = rng.choice(near_seas(draft, waters))
    add_battle(draft, waters, others)
    if draft.chance(40):
        add_battle(draft, waters, others)
    for sea in (waters, others):
        while draft.chance(80) and draft.put(sea, "F"):
            pass
    if draft.chance(50):
        there = draft.at(waters)
        draft.send(waters, rng.choice([1, 1, 2]), rng.choice(there) if draft.chance(60) else None)
    add_retreat(draft, rng.choice([waters, others]))
    return draft.finish()


def near_seas(draft: SpecialDraft, waters: str) -> list[str]:
    """Return the seas that touch a sea."""
    return [p for p in draft.map.beside(waters) if p in draft.map.seas]


def add_battle(draft: SpecialDraft, waters: str, others: str) -> None:
    """Add two fleets of neighbouring seas that attack each other, one of them with supports."""
    first, second = draft.put(waters, "F"), draft.put(others, "F")
    if first is None or second is None:
        return
    draft.plan(first, Go(others, second))
    draft.plan(second, Go(waters, first if draft.chance(85) else None))
    draft.back(first, others, draft.rng.choice([0, 1, 2, 2]))
    draft.back(second, waters, draft.rng.choice([0, 0, 1, 2]))


def fill_sea(draft: SpecialDraft, waters: str, wanting: bool = True) -> None:
    """Add fleets in a sea: every place taken, or some; part of them leave or fight each other."""
    rng, room = draft.rng, draft.room(waters)
    size = room if draft.chance(55) and wanting else rng.randint(1, room)
    fleets = [f for f in (draft.put(waters, "F") for _ in range(size)) if f]
    for fleet in fleets:
        others = [f for f in fleets if f != fleet]
        roll = rng.randrange(100)
        if roll < 22:
            draft.plan(fleet, Go(rng.choice(draft.ways(fleet))))
        elif roll < 45 and others:
            draft.plan(fleet, Go(waters, rng.choice(others)))
            draft.back(fleet, waters, rng.choice([0, 1, 1, 2]))
        elif roll < 60:
            draft.plan(fleet, None)
        # the others stay idle: they help, convoy, or do as they like in the end


def add_double_attack(draft: SpecialDraft, waters: str) -> None:
    """Add a fleet attacked from inside and from outside, each time by more than it has."""
    rng = draft.rng
    there = [u for u in draft.at(waters) if u in draft.idle]
    if len(there) < 2:
        return
    target, other = rng.sample(there, 2)
    if draft.chance(60):
        draft.plan(target, None)
    draft.plan(other, Go(waters, target))
    draft.back(other, waters, rng.choice([1, 1, 2]))
    draft.send(waters, rng.choice([1, 2, 2]), target)


def add_sea_entrants(draft: SpecialDraft, waters: str) -> None:
    """Add entrants from outside: plain and at fleets, of various strengths, and exchanges."""
    rng = draft.rng
    for _ in range(rng.randint(2, 4)):
        there = draft.at(waters)
        leaving = [u for u in there if isinstance(draft.plans.get(u), Go)]
        if leaving and draft.chance(25):
            add_exchange(draft, rng.choice(leaving))
        at = rng.choice(there) if there and draft.chance(45) else None
        draft.send(waters, rng.choice([1, 1, 1, 2, 2, 3]), at)


def add_exchange(draft: SpecialDraft, fleet: Unit) -> None:
    """Add a unit where the fleet goes, that wants to get into its sea."""
    plan = draft.plans[fleet]
    if not isinstance(plan, Go) or plan.to == fleet.province:
        return
    unit = draft.put(plan.to, "F")
    if unit is not None:
        draft.plan(unit, Go(fleet.province, fleet if draft.chance(35) else None))


def add_retreat(draft: SpecialDraft, waters: str) -> None:
    """Add a unit beside a sea is attacked, so that it may have to retreat there."""
    unit = draft.put(draft.rng.choice(draft.map.beside(waters)), "F")
    if unit is not None:
        draft.plan(unit, None)
        others = [p for p in draft.powers if p != unit.power]
        at = unit if draft.room(unit.province) > 1 else None
        draft.send(unit.province, 2, at, draft.rng.choice(others))


def add_convoy(draft: SpecialDraft, port: str) -> None:
    """Add a convoy whose army lands in a province."""
    rng = draft.rng
    seas = [s for s in draft.map.seas if port in draft.map.shores(s)]
    if not seas:
        return
    waters = rng.choice(seas)
    starts = [p for p in draft.map.shores(waters) if p != port and not draft.at(p)]
    army = draft.put(rng.choice(starts), "A") if starts else None
    if army is None:
        return
    draft.plan(army, Go(port, via=draft.chance(30)))
    for _ in range(rng.choice([1, 1, 1, 2])):
        fleet = draft.put(waters, "F", army.power if draft.chance(60) else "")
        if fleet is not None:
            draft.plan(fleet, Carry(army))
            if draft.chance(50):
                draft.send(waters, rng.choice([1, 2, 2]), fleet)
