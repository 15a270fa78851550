"""Descriptions of provinces, and the table of a map's switches, as plain data.

``alexmagnum map show`` puts them into words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from alexmagnum.board.geography import ARMY, FLEET, split_location
from alexmagnum.board.model import SWITCHES, Rules

if TYPE_CHECKING:
    from alexmagnum.board.geography import Names, Portage, Province
    from alexmagnum.board.model import Board


@dataclass(frozen=True, slots=True)
class OnRiver:
    """A province's place on a river: ``place`` counts from 1 at the mouth, of ``length``.

    ``downstream`` is the next province towards the mouth, ``upstream`` the next inland; empty
    at the ends of the course.
    """

    river: str
    names: Names
    place: int
    length: int
    downstream: str
    upstream: str


@dataclass(frozen=True, slots=True)
class OnPortage:
    """A province's part in a portage: ``role`` is ``"over"``, ``"end"`` or ``"raider"``.

    ``reaches``: the provinces to which a fleet may be hauled from here (none for raiders).
    """

    portage: str
    names: Names
    role: str
    reaches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OnStrait:
    """A strait of a province: the province across it, the sea between, and for which units."""

    to: str
    over: str
    kind: str


@dataclass(frozen=True, slots=True)
class Description:
    """The description of one province.  Neighbours are location ids in the map's order.

    ``armies``: the provinces to which an army walks; ``fleets``: by location (a coast if there
    are several), the locations to which a fleet sails in a plain move; ``seas``: the seas beside
    it, whose fleets convoy armies (for a sea: the seas that carry on a convoy); ``shores``: for a
    sea, the provinces from and to which it convoys; ``home_of``: the power whose start centre it
    is.
    """

    province: Province
    armies: tuple[str, ...]
    fleets: Mapping[str, tuple[str, ...]]
    seas: tuple[str, ...]
    shores: tuple[str, ...]
    home_of: str
    rivers: tuple[OnRiver, ...]
    portages: tuple[OnPortage, ...]
    straits: tuple[OnStrait, ...]


@dataclass(frozen=True, slots=True)
class SwitchRow:
    """One switch: its name, its value on this map, its ruling, its value in the standard game."""

    switch: str
    value: int | str
    ruling: str
    standard: int | str


def describe(board: Board, province: str) -> Description:
    """Describe a province of the board, given its id.

    >>> from alexmagnum.board import load_board
    >>> describe(load_board("standard"), "BUL").fleets["BUL/SC"]
    ('AEG', 'CON', 'GRE')

    Raises:
        KeyError: the board has no such province.
    """
    found = board.provinces[province]
    neighbours = _list_neighbours(board, province)
    return Description(
        province=found,
        armies=_sort_locations(board, _borders_of(board, province, but=FLEET)),
        fleets=_list_sails(board, found),
        seas=tuple(p for p in neighbours if board.provinces[p].is_sea),
        shores=tuple(p for p in neighbours if found.is_sea and not board.provinces[p].is_sea),
        home_of=next((p.id for p in board.powers.values() if province in p.homes), ""),
        rivers=tuple(_find_rivers(board, province)),
        portages=tuple(_find_portages(board, province)),
        straits=tuple(_find_straits(board, province)),
    )


def rules_table(board: Board) -> list[SwitchRow]:
    """Return the switches of a map in their usual order."""
    now, standard = asdict(board.rules), asdict(Rules())
    return [SwitchRow(name, now[name], SWITCHES[name].ruling, standard[name]) for name in now]


def _borders_of(board: Board, location: str, but: str) -> Iterator[str]:
    """Yield the other ends of a location's borders, leaving out borders of kind ``but``."""
    for border in board.borders:
        if border.kind != but:
            if border.a == location:
                yield border.b
            elif border.b == location:
                yield border.a


def _sort_locations(board: Board, locations: Iterator[str]) -> tuple[str, ...]:
    place = {province: i for i, province in enumerate(board.provinces)}
    return tuple(sorted(set(locations), key=lambda text: (place[text.partition("/")[0]], text)))


def _list_sails(board: Board, province: Province) -> dict[str, tuple[str, ...]]:
    locations = [f"{province.id}/{coast}" for coast in province.coasts] or [province.id]
    found = {at: _sort_locations(board, _borders_of(board, at, but=ARMY)) for at in locations}
    return {at: to for at, to in found.items() if to}


def _list_neighbours(board: Board, province: str) -> tuple[str, ...]:
    ends = ((split_location(b.a)[0], split_location(b.b)[0]) for b in board.borders)
    return _sort_locations(
        board, (b if a == province else a for a, b in ends if province in (a, b))
    )


def _find_rivers(board: Board, province: str) -> Iterator[OnRiver]:
    for river in board.rivers:
        if province in river.course:
            i, n = river.course.index(province), len(river.course)
            up = river.course[i + 1] if i + 1 < n else ""
            yield OnRiver(river.id, river.names, i + 1, n, river.course[i - 1] if i else "", up)


def _find_portages(board: Board, province: str) -> Iterator[OnPortage]:
    for portage in board.portages:
        reaches = _list_hauls(board, portage, province)
        if province == portage.over:
            yield OnPortage(portage.id, portage.names, "over", reaches)
        elif any(province in end for end in portage.ends):
            yield OnPortage(portage.id, portage.names, "end", reaches)
        elif province in portage.raiders:
            yield OnPortage(portage.id, portage.names, "raider")


def _list_hauls(board: Board, portage: Portage, province: str) -> tuple[str, ...]:
    """Return where a fleet can be hauled from a province, if it cannot sail there anyway (R23)."""
    one, two = portage.ends
    sailing = set(_borders_of(board, portage.over, but=ARMY))
    if province == portage.over:
        return tuple(end for end in (*one, *two) if end not in sailing)
    over = () if province in sailing else (portage.over,)
    if province in one:
        return (*over, *two)
    return (*over, *one) if province in two else ()


def _find_straits(board: Board, province: str) -> Iterator[OnStrait]:
    for strait in board.straits:
        if province in strait.between:
            a, b = strait.between
            yield OnStrait(b if province == a else a, strait.over, strait.kind)
