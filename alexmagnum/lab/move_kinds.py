"""The kinds of moves on a board: by land or sea, along a river, over a portage."""

from __future__ import annotations

from alexmagnum.board.model import Board
from alexmagnum.orders import Move

Kind = tuple[str, str]
"""The kind of a move, and the province that it goes to."""


class MoveKinds:
    """The kinds of moves on one board; those that were asked for are kept.

    ``move``; ``move by convoy``, if the order says so; ``attack``: on a fleet that it names (R11);
    ``express``: along a river, further than to a neighbour (R18); ``haul``: over a portage (R23).
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._known: dict[tuple[str, str, bool], Kind] = {}

    def find(self, order: Move) -> Kind:
        """Return the kind of a move and its province."""
        key = order.unit, order.to, order.via_convoy
        kind = self._known.get(key)
        if kind is None:
            kind = self._known[key] = self._work_out(order)
        return kind

    def _work_out(self, order: Move) -> Kind:
        tables = self._board.tables
        start = self._board.province_of(order.unit[2:])
        goal = self._board.province_of(order.to)
        ends = tables.index[start.id], tables.index[goal.id]
        if order.unit[0] == "F" and ends in tables.haul:
            return "haul", goal.id
        if order.unit[0] == "F" and ends in tables.course and len(tables.course[ends].path) > 1:
            return "express", goal.id
        if "#" in order.to:
            return "attack", goal.id
        return "move by convoy" if order.via_convoy else "move", goal.id
