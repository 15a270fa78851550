"""A slow, obviously right second judge for the movement phase of small positions.

It shares no resolving code with :mod:`alexmagnum.judge`: :mod:`.ground` reads borders, rivers and
portages of the board, :mod:`.legality` decides what each order is worth before anything moves,
:mod:`.decisions` writes down the definitions of DATC chapter 5 and of the special rules (several
places to a sea or city, expresses, hauls), :mod:`.trees` and :mod:`.knots` search for the
resolutions that agree with them, :mod:`.retreats` says what is open to the dislodged, and
:mod:`.solve` puts the results into words.  :mod:`.situations` tells which special rules a scenario
brings into play.

``python -m tests.oracle --positions 20000 --seed 1`` compares it with the judge.
"""

from tests.known_switches import refuse_unknown_switches
from tests.oracle.solve import Solution, solve

__all__ = ["Solution", "solve"]

KNOWN_SWITCHES = (
    "express",
    "general_strength",
    "general_support",
    "major_city_capacity",
    "major_city_upkeep",
    "nobility",
    "sea_capacity",
)
"""Switches whose rules the oracle solves."""

OF_NO_MATTER = ("first_year", "last_year", "picks", "publish_picks", "victory_centres")
"""Switches of the calendar and of the end of a game, which no single phase depends on."""

refuse_unknown_switches(__name__, (*KNOWN_SWITCHES, *OF_NO_MATTER))
