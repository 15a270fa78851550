"""The board as the oracle sees it: who can walk, sail and be carried where."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from alexmagnum.board.model import Board
    from alexmagnum.position import Unit


def province(location: str) -> str:
    """The province of a location: ``"STP/SC"`` is in ``"STP"``."""
    return location.partition("/")[0]


class Ground:
    """Borders by who may cross them.

    ``walk``: province to provinces, for armies; ``sail``: location to locations, for fleets;
    ``seas``: the provinces from which a fleet can convoy.
    """

    def __init__(self, board: Board) -> None:
        self.walk: dict[str, set[str]] = defaultdict(set)
        self.sail: dict[str, set[str]] = defaultdict(set)
        self.seas = {p.id for p in board.provinces.values() if p.terrain == "sea"}
        for border in board.borders:
            for a, b in ((border.a, border.b), (border.b, border.a)):
                if border.kind in ("army", "both"):
                    self.walk[province(a)].add(province(b))
                if border.kind in ("fleet", "both"):
                    self.sail[a].add(b)

    def reaches(self, unit: Unit) -> set[str]:
        """The provinces that a unit can enter without help, whatever the coast."""
        if unit.kind == "F":
            return {province(b) for b in self.sail[unit.location]}
        return self.walk[unit.province]

    def landings(self, unit: Unit, to: str) -> list[str]:
        """The locations of ``to`` (a province or one coast) that a unit can enter unaided."""
        if unit.kind != "F":
            return [province(to)] if province(to) in self.walk[unit.province] else []
        return sorted(
            b for b in self.sail[unit.location] if b == to or ("/" not in to and province(b) == to)
        )

    def carries(self, seas: Iterable[str], start: str, end: str) -> bool:
        """Whether fleets in these seas make a chain from one land province to another."""
        if start == end or start in self.seas or end in self.seas:
            return False
        afloat = set(seas) & self.seas
        reached, edge = set[str](), [s for s in afloat if self._touch(s, start)]
        while edge:
            sea = edge.pop()
            reached.add(sea)
            edge += [s for s in afloat - reached if self._touch(s, sea)]
        return any(self._touch(s, end) for s in reached)

    def is_useful(self, sea: str, seas: Iterable[str], start: str, end: str) -> bool:
        """Whether ``sea`` is on some route over ``seas`` of which no fleet could be left out."""
        return sea in _useful(self, frozenset(seas) & self.seas, start, end)

    def _touch(self, sea: str, other: str) -> bool:
        return any(province(b) == other for b in self.sail[sea])


@lru_cache(maxsize=20_000)
def _useful(ground: Ground, seas: frozenset[str], start: str, end: str) -> frozenset[str]:
    """The union of all smallest sets of seas that carry an army from start to end."""
    routes: list[frozenset[str]] = []
    for size in range(1, len(seas) + 1):
        for some in map(frozenset, combinations(sorted(seas), size)):
            if not any(route <= some for route in routes) and ground.carries(some, start, end):
                routes.append(some)
    return frozenset().union(*routes)


@lru_cache
def ground_of(board: Board) -> Ground:
    """The ground of a board, laid once."""
    return Ground(board)
