"""Hypothetical play: what orders would come to, what would have to change, how safe it is.

Everything here is pure: no files, no clock, nothing printed.
"""

from __future__ import annotations

from alexmagnum.whatif.flips import Change, Flip, Flips
from alexmagnum.whatif.found import Found, Search, find_position, with_end
from alexmagnum.whatif.plans import Comparison, Row, Side, compare
from alexmagnum.whatif.safety import Answer, Survey, Verdict

__all__ = [
    "Answer",
    "Change",
    "Comparison",
    "Flip",
    "Flips",
    "Found",
    "Row",
    "Search",
    "Side",
    "Survey",
    "Verdict",
    "compare",
    "find_position",
    "with_end",
]
