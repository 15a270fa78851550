"""Hypothetical play: compare plans, find what would flip an order, and how safe orders are.

Everything here is pure: no files, no clock, nothing printed.  Every name is imported when it is
first used, since a report needs only the position finder.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alexmagnum.builds import make_importer, read_public_names

if TYPE_CHECKING:
    from alexmagnum.whatif.flips import Change as Change
    from alexmagnum.whatif.flips import Flip as Flip
    from alexmagnum.whatif.flips import Flips as Flips
    from alexmagnum.whatif.plans import Comparison as Comparison
    from alexmagnum.whatif.plans import FoundPosition as FoundPosition
    from alexmagnum.whatif.plans import PositionSearch as PositionSearch
    from alexmagnum.whatif.plans import Row as Row
    from alexmagnum.whatif.plans import Side as Side
    from alexmagnum.whatif.plans import add_end_line as add_end_line
    from alexmagnum.whatif.plans import compare as compare
    from alexmagnum.whatif.plans import find_position as find_position
    from alexmagnum.whatif.safety import Answer as Answer
    from alexmagnum.whatif.safety import Survey as Survey
    from alexmagnum.whatif.safety import Verdict as Verdict

_HOME = read_public_names(Path(__file__))

__all__ = [*_HOME]  # noqa: PLE0604 - all are strings, from the table above

__getattr__ = make_importer(__name__, _HOME)
