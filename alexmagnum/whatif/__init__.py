"""Hypothetical play: the position out of a mail, and plans tried out on it.

Everything here is pure: no files, no clock, nothing printed.
"""

from __future__ import annotations

from alexmagnum.whatif.found import Found, Search, find_position, with_end
from alexmagnum.whatif.plans import Comparison, Row, Side, compare

__all__ = [
    "Comparison",
    "Found",
    "Row",
    "Search",
    "Side",
    "compare",
    "find_position",
    "with_end",
]
