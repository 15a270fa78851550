"""Units and positions from texts, for tests that need a few."""

from collections.abc import Mapping
from typing import Any

from alexmagnum.board import load_board
from alexmagnum.board.geography import split_location
from alexmagnum.board.model import Board
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome
from alexmagnum.notation import read_canonical
from alexmagnum.orders import Order
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


def read_lines(
    lines: str, board: Board | None = None, **more: Any
) -> tuple[Position, Mapping[str, tuple[Order, ...]]]:
    """Return the position and the orders of lines such as ``TOL F FOC - TEB; SEL A MEN``: each is a
    unit with its order; the second has none."""
    words = [line.split() for line in lines.split(";") if line.strip()]
    position = place_units(*(" ".join(each[:3]) for each in words), board=board, **more)
    orders: dict[str, list[str]] = {}
    for power, *order in words:
        if len(order) > 2:
            orders.setdefault(power, []).append(" ".join(order))
    return position, read_canonical(orders, position)


def judge_lines(lines: str, board: Board | None = None, **more: Any) -> Outcome:
    """Return the outcome of units with their orders, as :func:`read_lines` reads them."""
    return adjudicate(*read_lines(lines, board, **more))
