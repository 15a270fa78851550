"""Convoys as reachability over the seas that have a fleet; routes are never listed.

All functions take and return numbers of the board's tables.
"""

from __future__ import annotations

from alexmagnum.board.numbers import ProvinceNo
from alexmagnum.board.tables import BoardTables


def can_cross(
    board: BoardTables, seas: set[ProvinceNo], start: ProvinceNo, end: ProvinceNo
) -> bool:
    """Tell whether an army can get from one land province to another over fleets in these seas."""
    n = board.n
    shore = board.shore
    todo = [sea for sea in board.port[start] if sea in seas]
    seen = set(todo)
    while todo:
        sea = todo.pop()
        if shore[sea * n + end]:
            return True
        for other in board.sea_next[sea]:
            if other in seas and other not in seen:
                seen.add(other)
                todo.append(other)
    return False


def is_useful(
    board: BoardTables, seas: set[ProvinceNo], sea: ProvinceNo, start: ProvinceNo, end: ProvinceNo
) -> bool:
    """Tell whether a fleet in ``sea`` could be needed to carry an army from ``start`` to ``end``.

    It could if a route over ``seas`` that needs each of its fleets passes there; any other
    convoy order is void (DATC 6.F.12, 6.G.7, 6.G.19).  Such a route has no short cut: its seas
    touch only the next, and each shore touches only one of them.
    """
    return _Route(board, seas, sea, start, end).can_grow(sea, start)


_PATIENCE = 2000
"""Steps after which a route without a short cut is taken to exist.

In theory the search could take for ever; on real boards it ends after some dozens of steps.
"""


class _Route:
    """A route without a short cut, grown from one of its seas to one shore and then the other."""

    __slots__ = ("board", "end", "passed", "sea", "seas", "start", "steps")

    def __init__(
        self,
        board: BoardTables,
        seas: set[ProvinceNo],
        sea: ProvinceNo,
        start: ProvinceNo,
        end: ProvinceNo,
    ) -> None:
        self.board = board
        self.seas = seas
        self.sea = sea
        self.start = start
        self.end = end
        self.passed = [sea]
        self.steps = 0

    def can_grow(self, tip: ProvinceNo, goal: ProvinceNo) -> bool:
        """Grow this arm from ``tip`` to the shore ``goal``, then the other arm, if possible."""
        if self._touches(tip, goal):
            return goal == self.end or self.can_grow(self.sea, self.end)
        for sea in self.board.sea_next[tip]:
            if self._can_extend(sea, tip, goal):
                self.steps += 1
                if self.steps > _PATIENCE:
                    return True
                self.passed.append(sea)
                if self.can_grow(sea, goal):
                    return True
                self.passed.pop()
        return False

    def _can_extend(self, sea: ProvinceNo, tip: ProvinceNo, goal: ProvinceNo) -> bool:
        """Tell whether a sea behind ``tip`` leaves the route without a short cut."""
        if sea not in self.seas or sea in self.passed:
            return False
        if self._touches(sea, self.start if goal == self.end else self.end):
            return False
        neighbours = self.board.sea_next[sea]
        return not any(passed in neighbours for passed in self.passed if passed != tip)

    def _touches(self, sea: ProvinceNo, land: ProvinceNo) -> bool:
        return bool(self.board.shore[sea * self.board.n + land])
