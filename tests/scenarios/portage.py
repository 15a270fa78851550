"""Hauls over the Sinai, raiders, and convoys beside."""

from __future__ import annotations

from random import Random

from tests.scenarios.model import Scenario
from tests.scenarios.seas import add_convoy
from tests.scenarios.special_draft import POWERS, Back, Go, SpecialDraft, plan_haul


def draw_portage(rng: Random) -> Scenario:
    """Draw hauls both ways, with somebody on the Sinai, raiders, and convoys beside."""
    draft = SpecialDraft(
        rng, POWERS[: rng.randint(2, 3)], {"sea_capacity": rng.choice([3, 3, 2, 1])}
    )
    if draft.chance(20):
        add_sinai_paradox(draft)
    elif draft.chance(60):
        add_sinai_unit(draft)
    for _ in range(rng.randint(1, 3)):
        add_haul(draft)
    if draft.chance(20):
        add_raider(draft)
    for _ in range(rng.randint(1, 3)):
        add_sinai_conflicts(draft)
    return draft.finish()


def draw_circle(rng: Random) -> Scenario:
    """Draw units that move in a circle over the Sinai, and others who want the same places."""
    draft = SpecialDraft(rng, POWERS[: rng.randint(2, 3)], {"sea_capacity": rng.choice([3, 2, 2])})
    hauled = draft.put("SUE", "F")
    sea = rng.choice(["EGI", "FEN"])
    if draft.chance(50):  # the unit on the Sinai takes the place of the hauled fleet
        leaver = draft.put("SIS", "F")
        draft.plan(leaver, Go("SUE", hauled))
        draft.plan(hauled, Go(sea))
    else:  # three fleets, each hauled or moving to the place of the next
        leaver, last = draft.put("SIS", "F"), draft.put(sea, "F")
        draft.plan(hauled, Go(sea, last))
        draft.plan(last, Go("SIS"))
        draft.plan(leaver, Go("SUE", hauled))
    for fleet, to in ((hauled, sea), (leaver, "SUE")):
        if fleet is not None:
            draft.back(fleet, to, rng.choice([0, 0, 1]))
    for _ in range(rng.randint(1, 3)):
        add_circle_rival(draft, sea)
    if draft.chance(40):
        add_sinai_conflicts(draft)
    return draft.finish()


def add_circle_rival(draft: SpecialDraft, sea: str) -> None:
    """Add a unit that wants a place of the circle, or is hauled beside it."""
    rng = draft.rng
    roll = rng.randrange(100)
    if roll < 30:
        draft.send("SIS", rng.choice([1, 1, 2]))
    elif roll < 40:
        helpers = [u for u, p in draft.plans.items() if isinstance(p, Back)]
        if helpers:
            helper = rng.choice(helpers)
            draft.send(helper.province, 1, helper)
    elif roll < 60:
        fleet = draft.put("SUE", "F")
        draft.plan(fleet, Go("SIS") if draft.chance(70) else plan_haul(draft, sea))
    elif roll < 80:
        there = draft.at("SUE")
        fleet = draft.put(rng.choice(["EGI", "FEN"]), "F")
        draft.plan(fleet, Go("SUE", rng.choice(there) if there else None))
    else:
        there = draft.at(sea)
        draft.send(sea, rng.randint(1, 2), rng.choice(there) if there else None)


def add_sinai_unit(draft: SpecialDraft) -> None:
    """Add a unit on the Sinai: it stays, leaves, is attacked, or is hauled itself."""
    rng = draft.rng
    unit = draft.put("SIS")
    roll = rng.randrange(100)
    if unit is None or roll < 15:
        return
    if roll < 45:
        draft.plan(unit, draft.way_in(unit, rng.choice(draft.ways(unit))))
    elif roll < 60 and unit.kind == "F":
        draft.plan(unit, plan_haul(draft, "SUE"))
    else:
        draft.plan(unit, None)
        draft.send("SIS", rng.choice([1, 2, 2]))


def add_haul(draft: SpecialDraft) -> None:
    """Add a fleet that is hauled, perhaps with supports."""
    rng = draft.rng
    start = rng.choice(["EGI", "FEN", "SUE", "SUE"])
    to = rng.choice(["EGI", "FEN", "SIS"]) if start == "SUE" else "SUE"
    if draft.room(to) > len(draft.at(to)) and to != "SIS" and draft.chance(45):
        fleet = draft.put(to, "F")
        if fleet is not None and draft.chance(40):
            draft.plan(fleet, Go(start) if draft.chance(60) else None)
    hauled = draft.put(start, "F")
    if hauled is not None:
        draft.plan(hauled, plan_haul(draft, to))
        draft.back(hauled, to, rng.choice([0, 0, 1, 2]))


def add_sinai_paradox(draft: SpecialDraft) -> None:
    """Add a fleet hauled against one whose support decides whether the Sinai is left."""
    keeper, holder = draft.put("SUE", "F"), draft.put("SIM")
    leaver = draft.put("SIS", "A")
    hauled = draft.put(draft.rng.choice(["EGI", "FEN"]), "F")
    if keeper is not None and leaver is not None and hauled is not None:
        draft.plan(holder, None)
        draft.plan(leaver, Go("SIM"))
        draft.plan(keeper, Back(leaver))
        draft.plan(hauled, Go("SUE", keeper if draft.room("SUE") > 1 else None))


def add_raider(draft: SpecialDraft) -> None:
    """Add an army ordered to the Sinai, from where it matters or from where it does not."""
    start = draft.rng.choice(["FOC", "SIM", "ISR", "NOC"])
    army = draft.put(start, "A")
    if army is not None:
        draft.plan(army, Go("SIS"))


def add_sinai_conflicts(draft: SpecialDraft) -> None:
    """Add others who want the same places, and convoys that need the same fleets."""
    rng = draft.rng
    roll = rng.randrange(100)
    if roll < 35:
        waters = rng.choice(["EGI", "FEN", "SUE", "SUE", "ROS"])
        there = draft.at(waters)
        draft.send(
            waters, rng.randint(1, 2), rng.choice(there) if there and draft.chance(55) else None
        )
    elif roll < 50:
        hauled = [u for u, p in draft.plans.items() if isinstance(p, Go) and u.kind == "F"]
        power = rng.choice(hauled).power if hauled and draft.chance(80) else ""
        draft.send("SIS", rng.randint(1, 2), None, power)
    elif roll < 85:
        add_convoy(draft, rng.choice(["SIS", "ISR", "FOC", "SIM", "TRO", "ALE", "CIP"]))
    else:
        draft.put(rng.choice(["SIS", "SIM", "ISR", "FOC", "TRO", "ROS", "NOC"]))
