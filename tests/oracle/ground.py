"""The board as the oracle sees it: where units can walk, sail and be carried."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from alexmagnum.board import split_location

if TYPE_CHECKING:
    from collections.abc import Iterable

    from alexmagnum.board.geography import Portage
    from alexmagnum.board.model import Board
    from alexmagnum.position import Unit


Place: TypeAlias = "tuple[str, int]"
"""One of the places of a province (R8): ``("EGE", 2)``."""

Stream: TypeAlias = "tuple[str, bool]"
"""A river and a direction on it: upstream or not (R21)."""


def province(location: str) -> str:
    """Return the province of a location or place, such as ``"STP/SC"`` or ``"EGE#2"``."""
    return split_location(location)[0]


def number_in(location: str) -> int:
    """Return the number that a destination gives, 0 for none: ``"EGE#2"`` gives 2."""
    return split_location(location)[2]


def place_of(unit: Unit) -> Place:
    """Return the place in which a unit stands."""
    return unit.province, unit.number


class Ground:
    """Borders by who may cross them.

    ``walk``: province to provinces, for armies; ``sail``: location to locations, for fleets;
    ``seas``: the provinces from which a fleet can convoy; ``room``: how many places a province
    has (R8, R26); ``courses``: the rivers, each mouth first (R18).
    """

    def __init__(self, board: Board) -> None:
        self.walk: dict[str, set[str]] = defaultdict(set)
        self.sail: dict[str, set[str]] = defaultdict(set)
        self.seas = {p.id for p in board.provinces.values() if p.terrain == "sea"}
        self.room = {p.id: p.capacity for p in board.provinces.values()}
        self.courses = {river.id: river.course for river in board.rivers}
        self.portages = board.portages
        for border in board.borders:
            for a, b in ((border.a, border.b), (border.b, border.a)):
                if border.kind in ("army", "both"):
                    self.walk[province(a)].add(province(b))
                if border.kind in ("fleet", "both"):
                    self.sail[a].add(b)

    def reaches(self, unit: Unit) -> set[str]:
        """Return the provinces that a unit can enter without help, whatever the coast."""
        if unit.kind == "F":
            return {province(b) for b in self.sail[unit.location]}
        return self.walk[unit.province]

    def landings(self, unit: Unit, to: str) -> list[str]:
        """Return the locations of a province, coast or place that a unit can enter unaided."""
        to = to.partition("#")[0]
        if unit.kind != "F":
            return [province(to)] if province(to) in self.walk[unit.province] else []
        return sorted(
            b for b in self.sail[unit.location] if b == to or ("/" not in to and province(b) == to)
        )

    def is_city(self, place: str) -> bool:
        """Tell whether it is a city with room for two (R26)."""
        return place not in self.seas and self.room[place] > 1

    def stream(self, start: str, end: str) -> Stream | None:
        """Return the river of both, and whether it goes upstream from start to end (R18)."""
        for river, course in self.courses.items():
            if start in course and end in course and start != end:
                return river, course.index(start) < course.index(end)
        return None

    def course(self, start: str, end: str) -> tuple[str, ...]:
        """Return the territories entered on the way along a river; none if no river joins both."""
        if (stream := self.stream(start, end)) is None:
            return ()
        course = self.courses[stream[0]]
        a, b = course.index(start), course.index(end)
        return course[a + 1 : b + 1] if a < b else course[b:a][::-1]

    def hauled_over(self, start: str, end: str) -> Portage | None:
        """Return the portage that joins two provinces (R23), if there is one: it leads from the
        seas of one end, or from the land between, to the sea of the other end, and back."""
        for portage in self.portages:
            near, far = ((*portage.ends[0], portage.over), portage.ends[1])
            if (start in near and end in far) or (start in far and end in near):
                return portage
        return None

    def carries(self, seas: Iterable[str], start: str, end: str) -> bool:
        """Tell whether fleets in these seas make a chain from one land province to another."""
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
        """Tell whether ``sea`` is on a route over ``seas`` that needs all of its fleets."""
        return sea in _useful(self, frozenset(seas) & self.seas, start, end)

    def _touch(self, sea: str, other: str) -> bool:
        return any(province(b) == other for b in self.sail[sea])


@lru_cache(maxsize=20_000)
def _useful(ground: Ground, seas: frozenset[str], start: str, end: str) -> frozenset[str]:
    """Return the union of all smallest sets of seas that carry an army from start to end."""
    routes: list[frozenset[str]] = []
    for size in range(1, len(seas) + 1):
        for some in map(frozenset, combinations(sorted(seas), size)):
            if not any(route <= some for route in routes) and ground.carries(some, start, end):
                routes.append(some)
    return frozenset().union(*routes)


@lru_cache
def ground_of(board: Board) -> Ground:
    """Return the ground of a board, made once."""
    return Ground(board)
