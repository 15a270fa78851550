"""All special rules at once, around the Nile and the Sinai or in the Aegean.

The switches of the rules vary too.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from alexmagnum.board.model import INDEPENDENT
from tests.scenarios.model import Scenario
from tests.scenarios.portage import (
    add_haul,
    add_raider,
    add_sinai_conflicts,
    add_sinai_paradox,
    add_sinai_unit,
)
from tests.scenarios.rivers import (
    add_express,
    add_river_conflicts,
    add_river_paradox,
    choose_direction,
)
from tests.scenarios.seas import add_convoy, add_sea_entrants, fill_sea
from tests.scenarios.special_draft import MOST, POWERS, SpecialDraft


def draw_medley(rng: Random) -> Scenario:
    """Draw all special rules at once, around the Nile and the Sinai or in the Aegean."""
    rules: dict[str, int | str] = {"sea_capacity": rng.choice([1, 2, 2, 3, 3, 3, 4])}
    if rng.randrange(4) == 3:
        rules |= {"general_strength": rng.randint(1, 3), "general_support": rng.randint(0, 2)}
    if rng.randrange(5) == 4:
        rules["major_city_capacity"] = 2
    if rng.randrange(4) == 3:
        rules["express"] = "attack"
    draft = SpecialDraft(rng, POWERS[: rng.randint(2, 4)], rules)
    if draft.chance(30):
        waters = rng.choice(["EGE", "ICA", "LIB", "PAN"])
        garrison = draft.put({"EGE": "SPA", "LIB": "CIR"}.get(waters, "CIR"), "A", INDEPENDENT)
        fill_sea(draft, waters, draft.chance(60))
        add_sea_entrants(draft, waters)
        add_convoy(draft, rng.choice(draft.map.shores(waters)))
        if garrison is not None:
            draft.plan(garrison, None)
            draft.send(garrison.province, rng.randint(1, 2))
        return draft.finish()
    nile = draft.courses[0]
    parts: list[Callable[[], None]] = [
        lambda: add_express(draft, nile),
        lambda: add_express(draft, choose_direction(draft, nile)),
        lambda: add_river_conflicts(draft, nile, 1),
        lambda: add_sinai_unit(draft),
        lambda: add_haul(draft),
        lambda: add_haul(draft),
        lambda: add_river_paradox(draft, choose_direction(draft, nile)),
        lambda: add_sinai_paradox(draft),
        lambda: add_raider(draft),
        lambda: add_sinai_conflicts(draft),
        lambda: add_convoy(draft, rng.choice(["FOC", "SIS", "ISR", "ALE"])),
        lambda: add_sea_entrants(draft, rng.choice(["EGI", "FEN", "SUE"])),
        lambda: fill_sea(draft, rng.choice(["EGI", "FEN", "SUE"]), False),
    ]
    while len(draft.units) < rng.randint(6, MOST):
        rng.choice(parts)()
    return draft.finish()
