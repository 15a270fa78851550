"""Units and positions from texts, for tests that need a few."""

from __future__ import annotations

from typing import Any

from alexmagnum.board import load_board
from alexmagnum.board.geography import split_location
from alexmagnum.board.model import Board
from alexmagnum.position import Position, Unit, parse_phase


def read_unit(text: str) -> Unit:
    """Return a unit from a text such as ``TOL G ALE``, ``SEL F EGE#2`` or ``Russia F STP/NC``."""
    power, kind, place = text.split()
    province, coast, number = split_location(place)
    return Unit(power, kind, province, coast, number or 1)


def place_units(
    *units: str, board: Board | None = None, phase: str = "318-spring", **more: Any
) -> Position:
    """Return a position with units written ``TOL A MEN``; its other parts are given by name."""
    return Position(
        board or load_board("alexmagnum"), parse_phase(phase), map(read_unit, units), **more
    )
