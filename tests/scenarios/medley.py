"""All of it at once, around the Nile and the Sinai or in the Aegean, under varied rules."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from alexmagnum.board.model import INDEPENDENT
from tests.scenarios.model import Scenario
from tests.scenarios.muster import MOST, POWERS, Muster
from tests.scenarios.portage import raid, sinai, tangle_sinai, tow, trouble_sinai
from tests.scenarios.rivers import either_way, launch, tangle_river, trouble_river
from tests.scenarios.seas import fill_sea, land_at, storm_sea


def medley(rng: Random) -> Scenario:
    """All of it at once, around the Nile and the Sinai or in the Aegean, under varied rules."""
    rules = {"sea_capacity": rng.choice([1, 2, 2, 3, 3, 3, 4])}
    if rng.randrange(4) == 3:
        rules |= {"general_strength": rng.randint(1, 3), "general_support": rng.randint(0, 2)}
    if rng.randrange(5) == 4:
        rules["major_city_capacity"] = 2
    muster = Muster(rng, POWERS[: rng.randint(2, 4)], rules)
    if muster.chance(30):
        waters = rng.choice(["EGE", "ICA", "LIB", "PAN"])
        garrison = muster.put({"EGE": "SPA", "LIB": "CIR"}.get(waters, "CIR"), "A", INDEPENDENT)
        fill_sea(muster, waters, muster.chance(60))
        storm_sea(muster, waters)
        land_at(muster, rng.choice(muster.map.shores(waters)))
        if garrison is not None:
            muster.plan(garrison, None)
            muster.send(garrison.province, rng.randint(1, 2))
        return muster.finish()
    nile = muster.courses[0]
    parts: list[Callable[[], None]] = [
        lambda: launch(muster, nile),
        lambda: launch(muster, either_way(muster, nile)),
        lambda: trouble_river(muster, nile, 1),
        lambda: sinai(muster),
        lambda: tow(muster),
        lambda: tow(muster),
        lambda: tangle_river(muster, either_way(muster, nile)),
        lambda: tangle_sinai(muster),
        lambda: raid(muster),
        lambda: trouble_sinai(muster),
        lambda: land_at(muster, rng.choice(["FOC", "SIS", "ISR", "ALE"])),
        lambda: storm_sea(muster, rng.choice(["EGI", "FEN", "SUE"])),
        lambda: fill_sea(muster, rng.choice(["EGI", "FEN", "SUE"]), False),
    ]
    while len(muster.units) < rng.randint(6, MOST):
        rng.choice(parts)()
    return muster.finish()
