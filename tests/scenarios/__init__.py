"""Small positions with orders that meddle with each other, from a seed or from hypothesis.

A *scenario* is a position before a movement phase with the orders of every power.  Every draw
goes through one :class:`random.Random`, so that a scenario is a function of its seed, and
hypothesis can draw (and shrink) it choice by choice.  A *profile* is what scenarios are full of:
:mod:`.plain` has those of the standard game, :mod:`.special` those of Alex Magnum, on its board.
"""

from collections.abc import Callable, Mapping
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.known_switches import refuse_unknown_switches
from tests.scenarios import special
from tests.scenarios.model import Orders, Scenario, vary_names
from tests.scenarios.plain import draw_circular, draw_convoy, draw_mixed, draw_strength
from tests.sizes import drawn, is_proof

__all__ = [
    "CHANCE",
    "PLAIN",
    "PROFILES",
    "SETTINGS",
    "Orders",
    "Scenario",
    "fully",
    "lowered",
    "scenarios",
    "seeded",
    "thoroughly",
]

KNOWN_SWITCHES = (
    "express",
    "general_strength",
    "general_support",
    "major_city_capacity",
    "major_city_upkeep",
    "nobility",
    "sea_capacity",
)
"""Switches whose rules scenarios try: by their boards, or set for a profile."""

OF_NO_MATTER = ("first_year", "last_year", "picks", "publish_picks", "victory_centres")
"""Switches of the calendar and of the end of a game, which no single phase depends on."""

refuse_unknown_switches(__name__, (*KNOWN_SWITCHES, *OF_NO_MATTER))

Profile = Callable[[Random], Scenario]

PLAIN: Mapping[str, Profile] = {
    "mixed": draw_mixed,
    "convoy": draw_convoy,
    "circular": draw_circular,
    "strength": draw_strength,
}
"""Profiles of the standard game's movement rules, with generals and garrisons."""

PROFILES: Mapping[str, Profile] = {
    **PLAIN,
    "sea": special.draw_sea,
    "battle": special.draw_battle,
    "river": special.draw_river,
    "portage": special.draw_portage,
    "circle": special.draw_circle,
    "city": special.draw_city,
    "medley": special.draw_medley,
}
"""All profiles; the special ones play on the board of Alex Magnum."""


def draw_scenario(profile: str, rng: Random) -> Scenario:
    """Draw a scenario of a profile; how units are named is drawn last."""
    return vary_names(PROFILES[profile](rng), rng)


def seeded(profile: str, seed: int, number: int) -> Scenario:
    """Return the ``number``-th scenario of a seed; always the same one."""
    return draw_scenario(profile, Random(f"{profile}-{seed}-{number}"))


def scenarios(
    *profiles: str, chance: st.SearchStrategy[Random] | None = None
) -> st.SearchStrategy[Scenario]:
    """Return a strategy that draws scenarios of these profiles (all, if none is named)."""
    chosen = st.sampled_from(list(profiles or PROFILES))
    return st.builds(
        draw_scenario, chosen, st.randoms(use_true_random=False) if chance is None else chance
    )


CHANCE = st.randoms(use_true_random=is_proof())
"""Chance for tests of thousands of scenarios: in ``make proof`` it is one number, which is drawn in
a third of the time; what fails there is not made smaller."""


SETTINGS = settings(
    deadline=None,
    derandomize=True,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.large_base_example,
    ],
)
"""Settings for tests on scenarios, which are large: always the same draws."""

thoroughly = drawn(18, 300, SETTINGS)
"""Draws many scenarios."""

fully = drawn(15, 750, SETTINGS)
"""Draws ten times as many scenarios in ``make proof``, by :data:`CHANCE`; tests that try all order
sets of one try few of most of them (:func:`lowered`)."""


def lowered(bound: int, rng: Random) -> int:
    """Return a bound of how much a test tries: in ``make proof`` nine of ten are a twentieth."""
    return bound // 20 if is_proof() and rng.random() < 0.9 else bound
