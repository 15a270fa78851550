"""All of it at once, around the Nile and the Sinai or in the Aegean, under varied rules."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from alexmagnum.board.model import INDEPENDENT
from tests.scenarios.model import Scenario
from tests.scenarios.portage import raid, sinai, tangle_sinai, tow, trouble_sinai
from tests.scenarios.rivers import either_way, launch, tangle_river, trouble_river
from tests.scenarios.seas import fill_sea, land_at, storm_sea
from tests.scenarios.special_draft import MOST, POWERS, SpecialDraft


def medley(rng: Random) -> Scenario:
    """All of it at once, around the Nile and the Sinai or in the Aegean, under varied rules."""
    rules = {"sea_capacity": rng.choice([1, 2, 2, 3, 3, 3, 4])}
    if rng.randrange(4) == 3:
        rules |= {"general_strength": rng.randint(1, 3), "general_support": rng.randint(0, 2)}
    if rng.randrange(5) == 4:
        rules["major_city_capacity"] = 2
    draft = SpecialDraft(rng, POWERS[: rng.randint(2, 4)], rules)
    if draft.chance(30):
        waters = rng.choice(["EGE", "ICA", "LIB", "PAN"])
        garrison = draft.put({"EGE": "SPA", "LIB": "CIR"}.get(waters, "CIR"), "A", INDEPENDENT)
        fill_sea(draft, waters, draft.chance(60))
        storm_sea(draft, waters)
        land_at(draft, rng.choice(draft.map.shores(waters)))
        if garrison is not None:
            draft.plan(garrison, None)
            draft.send(garrison.province, rng.randint(1, 2))
        return draft.finish()
    nile = draft.courses[0]
    parts: list[Callable[[], None]] = [
        lambda: launch(draft, nile),
        lambda: launch(draft, either_way(draft, nile)),
        lambda: trouble_river(draft, nile, 1),
        lambda: sinai(draft),
        lambda: tow(draft),
        lambda: tow(draft),
        lambda: tangle_river(draft, either_way(draft, nile)),
        lambda: tangle_sinai(draft),
        lambda: raid(draft),
        lambda: trouble_sinai(draft),
        lambda: land_at(draft, rng.choice(["FOC", "SIS", "ISR", "ALE"])),
        lambda: storm_sea(draft, rng.choice(["EGI", "FEN", "SUE"])),
        lambda: fill_sea(draft, rng.choice(["EGI", "FEN", "SUE"]), False),
    ]
    while len(draft.units) < rng.randint(6, MOST):
        rng.choice(parts)()
    return draft.finish()
