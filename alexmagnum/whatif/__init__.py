"""Hypothetical play: compare plans, find what would flip an order, and how safe orders are.

Everything here is pure: no files, no clock, nothing printed.  Every name is imported when it is
first used, since a report needs only the position finder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alexmagnum.whatif.flips import Change as Change
    from alexmagnum.whatif.flips import Flip as Flip
    from alexmagnum.whatif.flips import Flips as Flips
    from alexmagnum.whatif.plans import Comparison as Comparison
    from alexmagnum.whatif.plans import Row as Row
    from alexmagnum.whatif.plans import Side as Side
    from alexmagnum.whatif.plans import compare as compare
    from alexmagnum.whatif.position_finder import FoundPosition as FoundPosition
    from alexmagnum.whatif.position_finder import PositionSearch as PositionSearch
    from alexmagnum.whatif.position_finder import add_end_line as add_end_line
    from alexmagnum.whatif.position_finder import find_position as find_position
    from alexmagnum.whatif.safety import Answer as Answer
    from alexmagnum.whatif.safety import Survey as Survey
    from alexmagnum.whatif.safety import Verdict as Verdict

_HOME = {
    **dict.fromkeys(("Change", "Flip", "Flips"), "flips"),
    **dict.fromkeys(
        ("FoundPosition", "PositionSearch", "find_position", "add_end_line"), "position_finder"
    ),
    **dict.fromkeys(("Comparison", "Row", "Side", "compare"), "plans"),
    **dict.fromkeys(("Answer", "Survey", "Verdict"), "safety"),
}

__all__ = [*_HOME]  # noqa: PLE0604 - all are strings, from the table above


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
