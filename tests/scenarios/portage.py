"""Hauls over the Sinai, raiders, and convoys beside."""

from __future__ import annotations

from random import Random

from tests.scenarios.model import Scenario
from tests.scenarios.muster import POWERS, Back, Go, Muster, haul
from tests.scenarios.seas import land_at


def portage(rng: Random) -> Scenario:
    """Hauls both ways, with somebody on the Sinai, raiders, and convoys beside."""
    muster = Muster(rng, POWERS[: rng.randint(2, 3)], {"sea_capacity": rng.choice([3, 3, 2, 1])})
    if muster.chance(20):
        tangle_sinai(muster)
    elif muster.chance(60):
        sinai(muster)
    for _ in range(rng.randint(1, 3)):
        tow(muster)
    if muster.chance(20):
        raid(muster)
    for _ in range(rng.randint(1, 3)):
        trouble_sinai(muster)
    return muster.finish()


def sinai(muster: Muster) -> None:
    """A unit on the Sinai: it stays, leaves, is attacked, or is hauled itself."""
    rng = muster.rng
    unit = muster.put("SIS")
    roll = rng.randrange(100)
    if unit is None or roll < 15:
        return
    if roll < 45:
        muster.plan(unit, muster.way_in(unit, rng.choice(muster.ways(unit))))
    elif roll < 60 and unit.kind == "F":
        muster.plan(unit, haul(muster, "SUE"))
    else:
        muster.plan(unit, None)
        muster.send("SIS", rng.choice([1, 2, 2]))


def tow(muster: Muster) -> None:
    """A fleet that is hauled, perhaps with supports."""
    rng = muster.rng
    start = rng.choice(["EGI", "FEN", "SUE", "SUE"])
    to = rng.choice(["EGI", "FEN", "SIS"]) if start == "SUE" else "SUE"
    if muster.room(to) > len(muster.at(to)) and to != "SIS" and muster.chance(45):
        fleet = muster.put(to, "F")
        if fleet is not None and muster.chance(40):
            muster.plan(fleet, Go(start) if muster.chance(60) else None)
    hauled = muster.put(start, "F")
    if hauled is not None:
        muster.plan(hauled, haul(muster, to))
        muster.back(hauled, to, rng.choice([0, 0, 1, 2]))


def tangle_sinai(muster: Muster) -> None:
    """A fleet hauled against one whose support decides whether the Sinai is left."""
    keeper, holder = muster.put("SUE", "F"), muster.put("SIM")
    leaver = muster.put("SIS", "A")
    hauled = muster.put(muster.rng.choice(["EGI", "FEN"]), "F")
    if keeper is not None and leaver is not None and hauled is not None:
        muster.plan(holder, None)
        muster.plan(leaver, Go("SIM"))
        muster.plan(keeper, Back(leaver))
        muster.plan(hauled, Go("SUE", keeper if muster.room("SUE") > 1 else None))


def raid(muster: Muster) -> None:
    """An army ordered to the Sinai, from where it matters or from where it does not."""
    start = muster.rng.choice(["FOC", "SIM", "ISR", "NOC"])
    army = muster.put(start, "A")
    if army is not None:
        muster.plan(army, Go("SIS"))


def trouble_sinai(muster: Muster) -> None:
    """Others who want the same places, and convoys that need the same fleets."""
    rng = muster.rng
    roll = rng.randrange(100)
    if roll < 35:
        waters = rng.choice(["EGI", "FEN", "SUE", "SUE", "ROS"])
        there = muster.at(waters)
        muster.send(
            waters, rng.randint(1, 2), rng.choice(there) if there and muster.chance(55) else None
        )
    elif roll < 50:
        hauled = [u for u, p in muster.plans.items() if isinstance(p, Go) and u.kind == "F"]
        power = rng.choice(hauled).power if hauled and muster.chance(80) else ""
        muster.send("SIS", rng.randint(1, 2), None, power)
    elif roll < 85:
        land_at(muster, rng.choice(["SIS", "ISR", "FOC", "SIM", "TRO", "ALE", "CIP"]))
    else:
        muster.put(rng.choice(["SIS", "SIM", "ISR", "FOC", "TRO", "ROS", "NOC"]))
