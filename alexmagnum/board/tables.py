"""The board as integer tables, which the judge's inner loops read instead of names and graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple, NewType, cast

from alexmagnum.board.geography import ARMY, FLEET, Border, Portage, Province, River, split_location
from alexmagnum.builds import mypyc_attr
from alexmagnum.frozen import freeze
from alexmagnum.values import Value, seal

# The numbers that stand for things in the judge's tables, each kind with a type of its own, so that
# a type checker refuses a place where a province is due. Tables are cast to the types once.
#
# A province is also the location of the province as a whole, and a unit's number is also the
# number of the last leg of its move. So both are subtypes.


LocationNo = NewType("LocationNo", int)
"""A province as a whole, or one of its separate coasts."""

ProvinceNo = NewType("ProvinceNo", LocationNo)
"""A province, in the map's order."""

PlaceNo = NewType("PlaceNo", int)
"""Room for one unit; a province has as many places as its capacity (R8)."""

PowerNo = NewType("PowerNo", int)
"""A power, in the map's order; the independents come last."""

LegNo = NewType("LegNo", int)
"""A step of a move into one province; an express makes several (R19)."""

UnitNo = NewType("UnitNo", LegNo)
"""A unit of a position, by province and place; also the last leg of its move."""

# None of a kind.  All are negative, so that inner loops can ask for the sign.
NO_PROVINCE: Final = ProvinceNo(LocationNo(-1))
OFF_THE_BOARD: Final = ProvinceNo(LocationNo(-2))
NO_PLACE: Final = PlaceNo(-1)
NO_POWER: Final = PowerNo(-1)
NO_UNIT: Final = UnitNo(LegNo(-1))


# Provinces are numbered in the map's order. A *location* number is the province's own for the
# province as a whole, and a further number for each separate coast. Tables of yes and no are
# ``bytes``: ``army_next[a * n + b]`` is 1 if an army can walk from ``a`` to ``b``.


class Course(NamedTuple):
    """A way along a river: which river, upstream (1) or downstream (-1), the provinces entered."""

    river: int
    direction: int
    path: tuple[ProvinceNo, ...]


Standing = tuple[str, str, str, int]
"""The kind, province, coast and number of a unit."""


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Post(Value):
    """Where and what a unit is, for one way in which units can stand.

    ``name``: its name if it is alone in its province; ``numbered``: its name if it is not;
    ``army``, ``general``: 1 or 0 (a general is an army as well).
    """

    place: Final[PlaceNo]
    location: Final[LocationNo]
    province: Final[ProvinceNo]
    army: Final[int]
    general: Final[int]
    name: Final[str]
    numbered: Final[str]

    def __init__(
        self,
        place: PlaceNo,
        location: LocationNo,
        province: ProvinceNo,
        army: int,
        general: int,
        name: str,
        numbered: str,
    ) -> None:
        self.place = place
        self.location = location
        self.province = province
        self.army = army
        self.general = general
        self.name = name
        self.numbered = numbered

    def content(self) -> tuple[PlaceNo, LocationNo, ProvinceNo, int, int, str, str]:
        return (
            self.place,
            self.location,
            self.province,
            self.army,
            self.general,
            self.name,
            self.numbered,
        )


seal(Post)


class BoardTables:
    """All tables of one board, which cannot be changed once they are made.

    Provinces: ``n``: how many; ``index``: number by id; ``ids``: id by number; ``is_sea``,
    ``holds_armies``: 1 or 0.

    Places (R8): ``capacity``: how many a province has; ``places``: how many there are on the
    board; ``first_place``, ``places_of``: the places of a province; ``province_at``: the province
    of a place; ``crowded``: whether any province has several; ``posts``: the post of a unit by how
    it stands, for every way in which a unit can; ``first_posts``: by kind and province, for units
    without a coast in the first place.

    Locations: ``location``: number by text; ``location_names``: text by number; ``province_of``:
    the province of a location; ``location_parts``: the ids of its province and coast;
    ``coasts_of``: the separate coasts of a province, mostly none;
    ``names``: how orders write places and the units there: ``VIE``, ``EGE#2``, ``F STP/SC``;
    ``unit_places``: the place that the name of a unit means, if it can mean one alone.

    Borders: ``army_next``, ``fleet_next``: matrices of provinces and of locations;
    ``fleet_reach``: a matrix of locations by provinces; ``army_to``, ``fleet_to``: the same as
    lists; ``near``: the provinces beside a province, whoever may cross (civil disorder counts
    these).

    Convoys: ``sea_next``: the seas beside a sea; ``shore[sea * n + land]``: 1 if a fleet in that
    sea can take an army on board there; ``port``: the seas beside a land province.

    Special ways: ``course``: the way from one territory of a river to another (R18); ``haul``: for
    a hauled fleet, from where and to where, the land that it crosses (R23); ``raiders``: the
    provinces whose armies raid such land (R24).

    Powers: ``power``: number by id; ``independents``: the number that stands for no power.

    Shared by positions: ``counted``, ``ones``: by count, so many numbers from 0, so many ones.

    Dictionaries cannot be changed, whatever their annotation says: the compiler makes look-ups in
    what is annotated as a dictionary, and slow calls of methods for anything else.
    """

    def __init__(
        self,
        provinces: Sequence[Province],
        borders: Iterable[Border],
        rivers: Iterable[River],
        portages: Iterable[Portage],
        powers: Iterable[str],
    ) -> None:
        self.n: int = len(provinces)
        self.ids: tuple[str, ...] = tuple(p.id for p in provinces)
        self.index: dict[str, ProvinceNo] = freeze(
            cast("dict[str, ProvinceNo]", {p: i for i, p in enumerate(self.ids)})
        )
        self.is_sea: bytes = bytes(p.is_sea for p in provinces)
        self.holds_armies: bytes = bytes(not p.is_sea for p in provinces)
        self._number_places(provinces)
        self._number_locations(provinces)
        # A plain dictionary: a look-up in a subclass takes twice the time.
        self.posts: dict[Standing, Post] = dict(self._list_posts(provinces))
        self.first_posts: dict[str, dict[str, Post]] = self._list_first_posts()
        self.names: frozenset[str] = frozenset(self._list_names())
        self.unit_places: dict[str, PlaceNo] = freeze(dict(self._list_unit_places()))
        counts, numbers = range(self.places + 1), tuple(range(self.places))
        self.counted: tuple[tuple[int, ...], ...] = tuple([numbers[:count] for count in counts])
        self.ones: tuple[tuple[int, ...], ...] = tuple([(1,) * count for count in counts])
        self._join_by_borders(borders)
        self._join_shores()
        courses: dict[tuple[ProvinceNo, ProvinceNo], Course] = {}
        for number, river in enumerate(rivers):
            _add_courses(courses, number, [self.index[province] for province in river.course])
        self.course: dict[tuple[ProvinceNo, ProvinceNo], Course] = freeze(courses)
        self.power: dict[str, PowerNo] = freeze(
            cast("dict[str, PowerNo]", {power: i for i, power in enumerate(powers)})
        )
        self.independents = PowerNo(len(self.power))
        hauls: dict[tuple[ProvinceNo, ProvinceNo], ProvinceNo] = {}
        raiders: dict[ProvinceNo, frozenset[ProvinceNo]] = {}
        for portage in portages:
            self._add_hauls(hauls, portage)
            over = self.index[portage.over]
            raiders[over] = frozenset(self.index[province] for province in portage.raiders)
        self.haul: dict[tuple[ProvinceNo, ProvinceNo], ProvinceNo] = freeze(hauls)
        self.raiders: dict[ProvinceNo, frozenset[ProvinceNo]] = freeze(raiders)

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, name):
            raise AttributeError(f"the tables of a board cannot be changed: {name}")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"the tables of a board cannot be changed: {name}")

    def _number_places(self, provinces: Sequence[Province]) -> None:
        self.capacity: bytes = bytes(p.capacity for p in provinces)
        self.places: int = sum(self.capacity)
        first_place = tuple(accumulate(self.capacity, initial=0))[:-1]
        self.first_place = cast("tuple[PlaceNo, ...]", first_place)
        self.places_of = cast(
            "tuple[Sequence[PlaceNo], ...]",
            tuple(range(a, a + room) for a, room in zip(first_place, self.capacity, strict=True)),
        )
        self.crowded: bool = self.places > self.n
        self.province_at: tuple[ProvinceNo, ...] = tuple(
            province for province in self.index.values() for _ in range(self.capacity[province])
        )

    def _number_locations(self, provinces: Sequence[Province]) -> None:
        names = list(self.ids)
        province_of = list(self.index.values())
        coasts_of: list[tuple[int, ...]] = []
        for province in provinces:
            first = len(names)
            names += [f"{province.id}/{coast}" for coast in province.coasts]
            province_of += [self.index[province.id]] * len(province.coasts)
            coasts_of.append(tuple(range(first, len(names))))
        self.location_names: tuple[str, ...] = tuple(names)
        self.location_parts: tuple[tuple[str, str, int], ...] = tuple(map(split_location, names))
        self.location: dict[str, LocationNo] = freeze(
            cast("dict[str, LocationNo]", {name: i for i, name in enumerate(names)})
        )
        self.province_of: tuple[ProvinceNo, ...] = tuple(province_of)
        self.coasts_of = cast("tuple[tuple[LocationNo, ...], ...]", tuple(coasts_of))

    def _list_posts(self, provinces: Sequence[Province]) -> Iterator[tuple[Standing, Post]]:
        """Yield the ways in which a unit can stand, each with its post."""
        for province in provinces:
            floats = province.is_sea or province.coastal or bool(province.rivers)
            for kind in "F" if province.is_sea else "AGF" if floats else "AG":
                coasts = province.coasts if kind == "F" else ("", *province.coasts)
                for coast in coasts or ("",):
                    yield from self._list_posts_at(province.id, kind, coast)

    def _list_posts_at(
        self, province: str, kind: str, coast: str
    ) -> Iterator[tuple[Standing, Post]]:
        """Yield the posts of a kind of unit at a location, one for each place."""
        number, army, general = self.index[province], int(kind != "F"), int(kind == "G")
        location = f"{province}/{coast}" if coast else province
        for nth, place in enumerate(self.places_of[number], 1):
            numbered = f"{kind} {province}#{nth}"
            # A unit keeps a number above 1 when it is left alone (R8).
            name = f"{kind} {location}" if nth == 1 else numbered
            yield (
                (kind, province, coast, nth),
                Post(place, self.location[location], number, army, general, name, numbered),
            )

    def _list_first_posts(self) -> dict[str, dict[str, Post]]:
        first: dict[str, dict[str, Post]] = {"A": {}, "F": {}, "G": {}}
        for (kind, province, coast, number), post in self.posts.items():
            if not coast and number == 1:
                first[kind][province] = post
        return freeze({kind: freeze(posts) for kind, posts in first.items()})

    def _list_unit_places(self) -> Iterator[tuple[str, PlaceNo]]:
        """Yield the names of units that can mean one place alone, whatever stands there, with it:
        by a number (R8), or in a province of one place."""
        for location, name in enumerate(self.location_names):
            province = self.province_of[location]
            if self.capacity[province] == 1:
                for kind in "AFG":
                    yield f"{kind} {name}", self.first_place[province]
        for province_id, places in zip(self.ids, self.places_of, strict=True):
            for number, place in enumerate(places, 1):
                for kind in "AFG":
                    yield f"{kind} {province_id}#{number}", place

    def _list_names(self) -> Iterator[str]:
        numbered = [
            f"{province}#{number}"
            for province, capacity in zip(self.ids, self.capacity, strict=True)
            for number in range(1, capacity + 1)
        ]
        for place in (*self.location_names, *numbered):
            yield from (place, f"A {place}", f"F {place}", f"G {place}")

    def _join_by_borders(self, borders: Iterable[Border]) -> None:
        army: list[set[ProvinceNo]] = [set() for _ in self.ids]
        fleet: list[set[LocationNo]] = [set() for _ in self.location_names]
        for border in borders:
            ends = self.location[border.a], self.location[border.b]
            for a, b in (ends, ends[::-1]):
                if border.kind != FLEET:
                    army[self.province_of[a]].add(self.province_of[b])
                if border.kind != ARMY:
                    fleet[a].add(b)
        self.army_to: tuple[tuple[ProvinceNo, ...], ...] = tuple(tuple(sorted(s)) for s in army)
        self.fleet_to: tuple[tuple[LocationNo, ...], ...] = tuple(tuple(sorted(s)) for s in fleet)
        reach = [{self.province_of[b] for b in to} for to in fleet]
        self.army_next: bytes = _matrix(army, self.n)
        self.fleet_next: bytes = _matrix(fleet, len(self.location_names))
        self.fleet_reach: bytes = _matrix(reach, self.n)
        near = [set(to) for to in army]
        for location, provinces in enumerate(reach):
            near[self.province_of[location]] |= provinces
        self.near: tuple[tuple[ProvinceNo, ...], ...] = tuple(tuple(sorted(s)) for s in near)

    def _join_shores(self) -> None:
        sea, near = self.is_sea, self.near
        seas_near = [tuple(q for q in beside if sea[q]) for beside in near]
        self.sea_next: tuple[tuple[ProvinceNo, ...], ...] = tuple(
            seas if sea[p] else () for p, seas in enumerate(seas_near)
        )
        self.port: tuple[tuple[ProvinceNo, ...], ...] = tuple(
            () if sea[p] else seas for p, seas in enumerate(seas_near)
        )
        self.shore: bytes = _matrix(
            [{q for q in near[p] if sea[p] and not sea[q]} for p in range(self.n)], self.n
        )

    def _add_hauls(
        self, hauls: dict[tuple[ProvinceNo, ProvinceNo], ProvinceNo], portage: Portage
    ) -> None:
        over = self.index[portage.over]
        near, far = ([self.index[sea] for sea in end] for end in portage.ends)
        for a in (*near, over):
            for b in far:
                if not self.fleet_reach[a * self.n + b]:
                    hauls[a, b] = hauls[b, a] = over


def _add_courses(
    courses: dict[tuple[ProvinceNo, ProvinceNo], Course],
    river: int,
    territories: Sequence[ProvinceNo],
) -> None:
    """Add the ways between any two territories of a river, which are listed mouth first."""
    for i, start in enumerate(territories):
        for j, end in enumerate(territories):
            if j > i:
                courses[start, end] = Course(river, 1, tuple(territories[i + 1 : j + 1]))
            elif j < i:
                courses[start, end] = Course(river, -1, tuple(reversed(territories[j:i])))


def _matrix(rows: Sequence[Iterable[int]], width: int) -> bytes:
    """Return a table of yes and no with a 1 for every number in a row."""
    flat = bytearray(len(rows) * width)
    for i, row in enumerate(rows):
        for j in row:
            flat[i * width + j] = 1
    return bytes(flat)
