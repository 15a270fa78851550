"""The board as integer tables: what the judge's inner loops read instead of names and graphs.

Provinces are numbered in the map's order.  A *location* number is the province's own for the
province as a whole, and a further one for each separate coast.  Tables of yes and no are
``bytes``: ``army_next[a * n + b]`` tells whether an army walks from ``a`` to ``b``.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from alexmagnum.board.model import ARMY, FLEET

if TYPE_CHECKING:
    from alexmagnum.board.model import Board


class Course(NamedTuple):
    """A way along a river: which, upstream (1) or downstream (-1), and the provinces entered."""

    river: int
    direction: int
    path: tuple[int, ...]


class BoardTables:
    """All tables of a board; immutable by convention.

    Every province has as many *places* as its capacity, numbered through the board from
    ``first_place[province]`` (``places_of``: all of them; ``province_at``: the other way); a unit
    stands in a place and a move goes for one (R8).  ``crowded``: has any province several?

    ``n``: number of provinces; ``index``: province id to number; ``location``: location text to
    location number; ``location_names``: the other way; ``province_of``: location number to
    province number; ``coasts_of``: province number to its coast locations (empty for most).
    """

    __slots__ = (
        "army_next",
        "army_to",
        "capacity",
        "coasts_of",
        "course",
        "crowded",
        "first_place",
        "fleet_next",
        "fleet_reach",
        "fleet_to",
        "haul",
        "holds_armies",
        "ids",
        "index",
        "is_sea",
        "location",
        "location_names",
        "n",
        "near",
        "places",
        "places_of",
        "port",
        "province_at",
        "province_of",
        "raiders",
        "sea_next",
        "shore",
    )

    def __init__(self, board: Board) -> None:
        provinces = list(board.provinces.values())
        n = len(provinces)
        self.n: int = n
        self.ids: tuple[str, ...] = tuple(p.id for p in provinces)
        self.index: dict[str, int] = {p.id: i for i, p in enumerate(provinces)}
        self.is_sea: bytes = bytes(p.is_sea for p in provinces)
        self.holds_armies: bytes = bytes(not p.is_sea for p in provinces)
        self.capacity: bytes = bytes(p.capacity for p in provinces)

        self.first_place: tuple[int, ...] = tuple(accumulate(self.capacity, initial=0))[:-1]
        self.places: int = sum(self.capacity)
        self.places_of: tuple[range, ...] = tuple(
            range(first, first + room)
            for first, room in zip(self.first_place, self.capacity, strict=True)
        )
        self.crowded: bool = self.places > self.n
        self.province_at: tuple[int, ...] = tuple(
            i for i, room in enumerate(self.capacity) for _ in range(room)
        )
        self._number_locations(board)
        self._lay_borders(board)
        self._lay_rivers(board)
        self._lay_portages(board)

    def _number_locations(self, board: Board) -> None:
        names = list(self.ids)
        province_of = list(range(self.n))
        coasts_of: list[tuple[int, ...]] = []
        for i, province in enumerate(board.provinces.values()):
            first = len(names)
            names += [f"{province.id}/{coast}" for coast in province.coasts]
            province_of += [i] * len(province.coasts)
            coasts_of.append(tuple(range(first, len(names))))
        self.location_names: tuple[str, ...] = tuple(names)
        self.location: dict[str, int] = {name: i for i, name in enumerate(names)}
        self.province_of: tuple[int, ...] = tuple(province_of)
        self.coasts_of: tuple[tuple[int, ...], ...] = tuple(coasts_of)

    def _lay_borders(self, board: Board) -> None:
        n = self.n
        army: list[set[int]] = [set() for _ in range(n)]
        fleet: list[set[int]] = [set() for _ in self.location_names]
        for border in board.borders:
            a, b = self.location[border.a], self.location[border.b]
            if border.kind != FLEET:
                pa, pb = self.province_of[a], self.province_of[b]
                army[pa].add(pb)
                army[pb].add(pa)
            if border.kind != ARMY:
                fleet[a].add(b)
                fleet[b].add(a)
        self.army_to: tuple[tuple[int, ...], ...] = tuple(tuple(sorted(s)) for s in army)
        self.fleet_to: tuple[tuple[int, ...], ...] = tuple(tuple(sorted(s)) for s in fleet)
        self.army_next: bytes = _matrix(self.army_to, n)
        self.fleet_next: bytes = _matrix(self.fleet_to, len(self.location_names))
        reach = [{self.province_of[b] for b in to} for to in fleet]
        self.fleet_reach: bytes = _matrix(reach, n)
        near = [set(to) for to in army]
        for location, provinces in enumerate(reach):
            near[self.province_of[location]] |= provinces
        self.near: tuple[tuple[int, ...], ...] = tuple(tuple(sorted(s)) for s in near)
        """Provinces beside a province, whoever may cross (civil disorder counts these)."""
        sea = self.is_sea
        self.sea_next: tuple[tuple[int, ...], ...] = tuple(
            tuple(q for q in near[p] if sea[q]) if sea[p] else () for p in range(n)
        )
        self.shore: bytes = _matrix(
            [{q for q in near[p] if sea[p] and not sea[q]} for p in range(n)], n
        )
        """``shore[sea * n + land]``: a fleet in the sea can take an army on board there."""
        self.port: tuple[tuple[int, ...], ...] = tuple(
            tuple(q for q in near[p] if sea[q]) if not sea[p] else () for p in range(n)
        )
        """Land province to the seas on whose fleets an army can embark."""

    def _lay_rivers(self, board: Board) -> None:
        course: dict[tuple[int, int], Course] = {}
        for number, river in enumerate(board.rivers):
            along = [self.index[province] for province in river.course]
            for i, start in enumerate(along):
                for j in range(len(along)):
                    if j > i:
                        course[start, along[j]] = Course(number, 1, tuple(along[i + 1 : j + 1]))
                    elif j < i:
                        path = tuple(reversed(along[j:i]))
                        course[start, along[j]] = Course(number, -1, path)
        self.course: dict[tuple[int, int], Course] = course
        """The way from one territory of a river to another (R18)."""

    def _lay_portages(self, board: Board) -> None:
        haul: dict[tuple[int, int], int] = {}
        raiders: dict[int, frozenset[int]] = {}
        for portage in board.portages:
            over = self.index[portage.over]
            near, far = ([self.index[sea] for sea in end] for end in portage.ends)
            for a in (*near, over):
                for b in far:
                    if not self.fleet_reach[a * self.n + b]:
                        haul[a, b] = haul[b, a] = over
            raiders[over] = frozenset(self.index[province] for province in portage.raiders)
        self.haul: dict[tuple[int, int], int] = haul
        """From and to, for a fleet that is hauled: the land it is hauled over (R23)."""
        self.raiders: dict[int, frozenset[int]] = raiders
        """Land that fleets are hauled over to the provinces whose armies raid it (R24)."""


def _matrix(rows: tuple[tuple[int, ...], ...] | list[set[int]], width: int) -> bytes:
    flat = bytearray(len(rows) * width)
    for i, row in enumerate(rows):
        for j in row:
            flat[i * width + j] = 1
    return bytes(flat)
