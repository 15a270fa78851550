"""Units: what stands where, what units are called, and their integer tables for the judge."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from alexmagnum.board.model import INDEPENDENT, Board, Rules
from alexmagnum.board.tables import (
    BoardTables,
    LocationNo,
    PlaceNo,
    Post,
    PowerNo,
    ProvinceNo,
    UnitNo,
)
from alexmagnum.builds import mypyc_attr
from alexmagnum.values import Value, seal

KINDS: Final = ("A", "F", "G")
"""Army, fleet, general's army (R1)."""


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Unit(Value):
    """One unit: its power, its kind, and where it stands.

    ``number``: the place it holds in its province, from 1 (R8); ``coast``: set only for a fleet in
    a province with several coasts.
    """

    power: Final[str]
    kind: Final[str]
    province: Final[str]
    coast: Final[str]
    number: Final[int]

    def __init__(
        self, power: str, kind: str, province: str, coast: str = "", number: int = 1
    ) -> None:
        self.power = power
        self.kind = kind
        self.province = province
        self.coast = coast
        self.number = number

    def content(self) -> tuple[str, str, str, str, int]:
        return self.power, self.kind, self.province, self.coast, self.number

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Unit):
            return NotImplemented
        return self.content() < other.content()

    def __le__(self, other: object) -> bool:
        if not isinstance(other, Unit):
            return NotImplemented
        return self.content() <= other.content()

    @property
    def location(self) -> str:
        return f"{self.province}/{self.coast}" if self.coast else self.province

    @property
    def place(self) -> str:
        """The place that only this unit holds: ``EGE#2``."""
        return f"{self.province}#{self.number}"

    def takes_orders(self, revolts: bool) -> bool:
        """Tell whether it is no garrison (R27), and its power not one that ``revolts`` (R3)."""
        return self.power != INDEPENDENT and not revolts

    def __str__(self) -> str:
        return f"{self.kind} {self.location}"


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Dislodged(Value):
    """One unit that has to retreat, the unit that dislodged it, and the locations open to it.

    ``by`` stands where it came from.
    """

    unit: Final[Unit]
    by: Final[Unit]
    retreats: Final[tuple[str, ...]]

    def __init__(self, unit: Unit, by: Unit, retreats: Iterable[str]) -> None:
        self.unit = unit
        self.by = by
        self.retreats = list_texts(retreats)

    def content(self) -> tuple[Unit, Unit, tuple[str, ...]]:
        return self.unit, self.by, self.retreats


seal(Unit)
seal(Dislodged, converts=True)


def list_texts(given: Any) -> Any:
    """Return what is listed in any way as a tuple.

    A text, or what cannot be listed, stays as it is: the checks of positions name it as a fault.
    """
    if isinstance(given, (tuple, str)) or not isinstance(given, Iterable):
        return given
    return tuple(given)


def names_of(units: Iterable[Unit]) -> dict[Unit, str]:
    """Return the canonical names of units.

    A unit shows its number if it is not alone in its province.  It also shows a number above 1,
    because it keeps that number when the others leave (R8).
    """
    listed = tuple(units)
    crowded = find_crowded(listed)
    return {unit: name_unit(unit, crowded) for unit in listed}


def find_crowded(units: Iterable[Unit]) -> frozenset[str]:
    """Return the provinces in which several of these units stand."""
    seen: set[str] = set()
    crowded: set[str] = set()
    for unit in units:
        (crowded if unit.province in seen else seen).add(unit.province)
    return frozenset(crowded)


def name_unit(unit: Unit, crowded: frozenset[str]) -> str:
    """Return the canonical name of a unit; several stand in the ``crowded`` provinces."""
    numbered = unit.number > 1 or unit.province in crowded
    return f"{unit.kind} {unit.place if numbered else unit.location}"


# The units of a position as integer tables, for the judge.


@mypyc_attr(acyclic=True)
class UnitTables:
    """The units of one position as integer tables, sorted so that listing order cannot matter.

    ``board``: the tables of the board; ``revolting``: the powers in revolt (R3).

    By unit: ``units``: the unit; ``posts``: its post; ``numbers``: its number, to walk through;
    ``province``, ``location``, ``place``: where it stands, as numbers of the board's tables;
    ``power``: the number of its power; ``army``: 1 for armies and generals; ``base_strength``
    (R1, R3); ``support_strength``: what its support counts (R1).

    The other way: ``by_name``: unit by canonical name; ``units_in``: units by province;
    ``occupant``: unit by place, or none.

    ``stand_apart``: whether no two stand in one place, as in every sound position.
    """

    def __init__(self, board: Board, listed: tuple[Unit, ...], revolting: Collection[str]) -> None:
        """Lay units out in whatever order they are ``listed``.

        Raises:
            KeyError: a unit cannot stand where it does.
        """
        tables = board.tables
        self.board: BoardTables = tables
        self.revolting = tuple(revolting)
        at: list[int] = [-1] * tables.places
        posts, power_of = _find_posts(tables, listed)
        for i, post in enumerate(posts):
            at[post.place] = i
        in_order = [i for i in at if i >= 0]
        n = len(posts)
        self.stand_apart: bool = len(in_order) == n
        if not self.stand_apart:  # no sound position
            in_order = sorted(range(n), key=lambda i: (posts[i].place, listed[i]))
        posts = [posts[i] for i in in_order]
        self.units: tuple[Unit, ...] = tuple([listed[i] for i in in_order])
        self.posts: tuple[Post, ...] = tuple(posts)
        self.place: tuple[PlaceNo, ...] = tuple([post.place for post in posts])
        self.location: tuple[LocationNo, ...] = tuple([post.location for post in posts])
        self.province: tuple[ProvinceNo, ...] = tuple([post.province for post in posts])
        self.army = bytes([post.army for post in posts])
        self.power: tuple[PowerNo, ...] = tuple([power_of[i] for i in in_order])
        if n <= tables.places:  # the same for all positions with so many units
            numbers, ones = tables.counted[n], tables.ones[n]
        else:
            numbers, ones = tuple(range(n)), (1,) * n
        self.numbers = cast("tuple[UnitNo, ...]", numbers)
        self.base_strength: tuple[int, ...] = ones
        self.support_strength: tuple[int, ...] = ones
        if 1 in [post.general for post in posts]:
            self._strengthen_generals(board.rules, revolting)
        for u, post in enumerate(posts):
            at[post.place] = u
        self.occupant = cast("tuple[UnitNo, ...]", tuple(at))
        self._by_name: dict[str, UnitNo] = {}
        self._units_in: tuple[tuple[UnitNo, ...], ...] = ()

    def takes_orders(self, u: UnitNo) -> bool:
        """Tell whether a unit is neither a garrison (R27) nor in revolt (R3)."""
        unit = self.units[u]
        return unit.takes_orders(unit.power in self.revolting)

    def _strengthen_generals(self, rules: Rules, revolting: Collection[str]) -> None:
        """Enter what generals count by themselves, unless in revolt, and in support (R1, R3)."""
        base, support = list(self.base_strength), list(self.support_strength)
        for u, unit in enumerate(self.units):
            if unit.kind == "G":
                support[u] = rules.general_support
                if unit.power not in revolting:
                    base[u] = rules.general_strength
        self.base_strength, self.support_strength = tuple(base), tuple(support)

    @property
    def by_name(self) -> dict[str, UnitNo]:
        """The units by canonical name."""
        if not self._by_name:
            # Set when it is complete: several threads may judge one position.
            self._by_name = dict(zip(self.list_names(), self.numbers, strict=True))
        return self._by_name

    def list_names(self) -> list[str]:
        """Return the canonical name of every unit."""
        names = [post.name for post in self.posts]
        if self.board.crowded and len(set(self.province)) < len(names):
            for u, post in zip(self.numbers, self.posts, strict=True):
                if len(self.units_in[post.province]) > 1:
                    names[u] = post.numbered
        return names

    @property
    def units_in(self) -> tuple[tuple[UnitNo, ...], ...]:
        """The units by province."""
        if not self._units_in:
            units_in: list[tuple[UnitNo, ...]] = [()] * self.board.n
            for u, province in zip(self.numbers, self.province, strict=True):
                units_in[province] += (u,)
            self._units_in = tuple(units_in)
        return self._units_in

    def number_of(self, unit: Unit) -> UnitNo:
        """Return the number of a unit of the position.

        Raises:
            ValueError: the position has no such unit.
        """
        try:
            return self.numbers[self.units.index(unit)]
        except ValueError:
            raise ValueError(f"there is no such unit in this position: {unit}") from None


def find_post(board: BoardTables, unit: Unit) -> Post:
    """Return the post of a unit."""
    return board.posts[unit.kind, unit.province, unit.coast, unit.number]


def _find_posts(board: BoardTables, units: Sequence[Unit]) -> tuple[list[Post], list[PowerNo]]:
    armies, fleets = board.first_posts["A"], board.first_posts["F"]
    posts: list[Post] = []
    power_of: list[PowerNo] = []
    name, power = "", board.independents
    for unit in units:
        if unit.number != 1 or unit.coast:
            posts.append(find_post(board, unit))
        elif unit.kind == "A":
            posts.append(armies[unit.province])
        elif unit.kind == "F":
            posts.append(fleets[unit.province])
        else:
            posts.append(find_post(board, unit))
        if unit.power != name:  # units of one power mostly follow each other
            name = unit.power
            power = board.power.get(name, board.independents)
        power_of.append(power)
    return posts, power_of
