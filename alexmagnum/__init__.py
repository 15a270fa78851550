"""Adjudicator for Alex Magnum, a Diplomacy variant, and for the standard game.

    >>> import alexmagnum
    >>> board = alexmagnum.load_board("standard")
    >>> position = alexmagnum.Position(
    ...     board,
    ...     alexmagnum.parse_phase("1901-spring"),
    ...     (alexmagnum.Unit("Austria", "A", "VIE"), alexmagnum.Unit("Italy", "A", "VEN")),
    ... )
    >>> orders = {
    ...     "Austria": [alexmagnum.read_order("A Vienna - Tyrolia", position)],
    ...     "Italy": [alexmagnum.read_order("A Ven-Tyr", position)],
    ... }
    >>> [entry.result for entry in alexmagnum.adjudicate(position, orders).results]
    ['fails', 'fails']

Everything named here is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alexmagnum.board import load_board as load_board
    from alexmagnum.board.model import Board as Board
    from alexmagnum.campaign import ending as ending
    from alexmagnum.campaign import first_position as first_position
    from alexmagnum.campaign import next_position as next_position
    from alexmagnum.campaign import owners_after as owners_after
    from alexmagnum.judge import adjudicate as adjudicate
    from alexmagnum.judge.explanation import explain as explain
    from alexmagnum.judge.outcome import Outcome as Outcome
    from alexmagnum.notation import read_order as read_order
    from alexmagnum.notation import read_orders as read_orders
    from alexmagnum.notation import write_order as write_order
    from alexmagnum.position import Phase as Phase
    from alexmagnum.position import Position as Position
    from alexmagnum.position import Unit as Unit
    from alexmagnum.position import parse_phase as parse_phase

__version__ = "0.1.0"

_HOME = {
    "load_board": "board",
    "Board": "board.model",
    "ending": "campaign",
    "first_position": "campaign",
    "next_position": "campaign",
    "owners_after": "campaign",
    "adjudicate": "judge",
    "explain": "judge.explanation",
    "Outcome": "judge.outcome",
    "read_order": "notation",
    "read_orders": "notation",
    "write_order": "notation",
    "Phase": "position",
    "Position": "position",
    "Unit": "position",
    "parse_phase": "position",
}

__all__ = [  # noqa: PLE0604 - strings all, from the table above
    "__version__",
    *_HOME,
]


def __getattr__(name: str) -> object:
    """Import a public name from its room on first use, so that the command starts fast."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
