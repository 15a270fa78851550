"""Convoys as reachability over the seas that have a fleet; routes are never listed.

All functions take and give numbers of the board's tables.
"""

from __future__ import annotations

from alexmagnum.board.tables import BoardTables


def joined(board: BoardTables, seas: set[int], start: int, end: int) -> bool:
    """Can an army get from land province ``start`` to ``end`` over fleets in just these seas?"""
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


def useful(board: BoardTables, seas: set[int], sea: int, start: int, end: int) -> bool:
    """Could a fleet in ``sea`` be needed to carry an army from ``start`` to ``end``?

    It could if some route over ``seas`` that can do without none of its fleets passes there; any
    other convoy order is void (DATC 6.F.12, 6.G.7, 6.G.19).  Such a route has no short cut: its
    seas touch only the next, and each shore touches only one of them.
    """
    return _Route(board, seas, sea, start, end).grow(sea, start)


_PATIENCE = 2000
"""Steps after which a route without a short cut is taken to exist.

In theory the search could take for ever; on real boards it ends after some dozens of steps.
"""


class _Route:
    """A route without a short cut, grown from one of its seas to one shore and then the other."""

    __slots__ = ("board", "end", "passed", "sea", "seas", "start", "steps")

    def __init__(self, board: BoardTables, seas: set[int], sea: int, start: int, end: int) -> None:
        self.board = board
        self.seas = seas
        self.sea = sea
        self.start = start
        self.end = end
        self.passed = [sea]
        self.steps = 0

    def grow(self, tip: int, goal: int) -> bool:
        """Can this arm be grown from ``tip`` to the shore ``goal``, and then the other arm?"""
        if self.touches(tip, goal):
            return goal == self.end or self.grow(self.sea, self.end)
        for sea in self.board.sea_next[tip]:
            if self.fits(sea, tip, goal):
                self.steps += 1
                if self.steps > _PATIENCE:
                    return True
                self.passed.append(sea)
                if self.grow(sea, goal):
                    return True
                self.passed.pop()
        return False

    def fits(self, sea: int, tip: int, goal: int) -> bool:
        """Would a sea behind ``tip`` leave the route without a short cut?"""
        if sea not in self.seas or sea in self.passed:
            return False
        if self.touches(sea, self.start if goal == self.end else self.end):
            return False
        beside = self.board.sea_next[sea]
        return not any(passed in beside for passed in self.passed if passed != tip)

    def touches(self, sea: int, land: int) -> bool:
        return bool(self.board.shore[sea * self.board.n + land])
