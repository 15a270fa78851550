"""Paths on a board, for drawing orders that are mostly possible."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from alexmagnum.board import load_board

if TYPE_CHECKING:
    from alexmagnum.board.model import Board
    from alexmagnum.position import Unit


class BoardPaths:
    """The paths of one board: which provinces units can reach from where."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.walk: dict[str, set[str]] = {}
        self.sail: dict[str, set[str]] = {}
        for border in board.borders:
            for a, b in ((border.a, border.b), (border.b, border.a)):
                if border.kind != "fleet":
                    self.walk.setdefault(a.split("/")[0], set()).add(b.split("/")[0])
                if border.kind != "army":
                    self.sail.setdefault(a, set()).add(b)
        provinces = board.provinces.values()
        self.seas = [p.id for p in provinces if p.is_sea]
        self.lands = sorted(self.walk)
        self.ports = sorted(
            {b.split("/")[0] for sea in self.seas for b in self.sail[sea]} - set(self.seas)
        )

    def shores(self, sea: str) -> list[str]:
        """Return the land provinces beside a sea."""
        return sorted({b.split("/")[0] for b in self.sail[sea]} - set(self.seas))

    def beside(self, province: str) -> list[str]:
        """Return the provinces that touch one, whoever may cross."""
        near = set(self.walk.get(province, ()))
        for location in self.locations(province):
            near |= {b.split("/")[0] for b in self.sail.get(location, ())}
        return sorted(near)

    def locations(self, province: str) -> list[str]:
        """Return where a fleet can stand in a province."""
        coasts = self.board.provinces[province].coasts
        places = [f"{province}/{c}" for c in coasts] or [province]
        return [place for place in places if place in self.sail]

    def ways(self, unit: Unit) -> list[str]:
        """Return the locations a unit can move to without a convoy."""
        table = self.sail if unit.kind == "F" else self.walk
        return sorted(table.get(unit.location, ()))


@lru_cache
def load_paths(board_id: str) -> BoardPaths:
    """Return the paths on a board of the package."""
    return BoardPaths(load_board(board_id))
