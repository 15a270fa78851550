"""Useful fleets straight from the definition, one search for each fleet: slow, to compare with."""

from __future__ import annotations

from collections.abc import Iterator

from alexmagnum.board.tables import BoardTables, ProvinceNo


def find_useful_seas_slowly(
    board: BoardTables, seas: set[ProvinceNo], start: ProvinceNo, end: ProvinceNo
) -> set[ProvinceNo]:
    """Return the seas that are on a route without a short cut."""
    return {sea for sea in seas if _Route(board, seas, sea, start, end).can_grow(sea, start)}


class _Route:
    """A route without a short cut, grown from one of its seas to one shore and then the other."""

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

    def can_grow(self, tip: ProvinceNo, goal: ProvinceNo) -> bool:
        """Grow this arm from ``tip`` to the shore ``goal``, then the other arm, if possible."""
        if self._touches(tip, goal):
            return goal == self.end or self.can_grow(self.sea, self.end)
        for sea in self._extensions(tip, goal):
            self.passed.append(sea)
            if self.can_grow(sea, goal):
                return True
            self.passed.pop()
        return False

    def _extensions(self, tip: ProvinceNo, goal: ProvinceNo) -> Iterator[ProvinceNo]:
        """Yield the seas behind ``tip`` that leave the route without a short cut."""
        for sea in self.board.sea_next[tip]:
            neighbours = self.board.sea_next[sea]
            if (
                sea in self.seas
                and sea not in self.passed
                and not self._touches(sea, self.start if goal == self.end else self.end)
                and not any(passed in neighbours for passed in self.passed if passed != tip)
            ):
                yield sea

    def _touches(self, sea: ProvinceNo, land: ProvinceNo) -> bool:
        return bool(self.board.shore[sea * self.board.n + land])
