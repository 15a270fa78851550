"""The board: provinces, borders by kind, rivers, portages, powers, and the rules' switches.

A *province* is any sector that has a name, land or sea.  A *location* is where a unit can
stand and is written as the notation writes it: ``"MEN"``, or ``"STP/SC"`` where a province has
more than one coast.  A province with ``capacity`` 3 offers three *places*, ``"EGE#1"`` to
``"EGE#3"`` (R8).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx

    from alexmagnum.board.tables import BoardTables

Names = Mapping[str, str]
"""Language code to name; a map gives at least one language."""


def name_in(names: Names, lang: str) -> str:
    """The name in a language, else in the first that the map gives."""
    return names.get(lang) or next(iter(names.values()))


LAND, SEA, ISLAND = "land", "sea", "island"
ARMY, FLEET, BOTH = "army", "fleet", "both"
INDEPENDENT = "NEU"
"""The id under which independent garrisons are listed (R27): units without a power."""


@dataclass(frozen=True, slots=True)
class Province:
    """A named sector.  ``coasts`` is empty unless it has two or more separate ones.

    ``centre`` is ``""`` (none), ``"start"`` (may be picked in the Cyprus year), ``"fixed"``
    (somebody's from the start), ``"neutral"`` (nobody's at first, not garrisoned) or
    ``"independent"`` (garrisoned, R27).
    """

    id: str
    names: Names
    aliases: tuple[str, ...] = ()
    terrain: str = LAND
    coastal: bool = False
    coasts: tuple[str, ...] = ()
    rivers: tuple[str, ...] = ()
    centre: str = ""
    major: bool = False
    area: str = ""
    capacity: int = 1
    attested: bool = True
    region: str = ""

    def name(self, lang: str) -> str:
        """The name in ``lang``, else in the map's first language."""
        return name_in(self.names, lang)

    @property
    def is_sea(self) -> bool:
        return self.terrain == SEA

    def with_capacity(self, capacity: int) -> Province:
        """The same province with another number of places."""
        return replace(self, capacity=capacity)


@dataclass(frozen=True, slots=True)
class Power:
    """A power; ``homes`` are the building centres it has from the start, ``units`` its first
    units in notation (``"A MUN"``)."""

    id: str
    names: Names
    aliases: tuple[str, ...] = ()
    color: str = ""
    homes: tuple[str, ...] = ()
    units: tuple[str, ...] = ()

    def name(self, lang: str) -> str:
        """The name in ``lang``, else in the map's first language."""
        return name_in(self.names, lang)


@dataclass(frozen=True, slots=True)
class Border:
    """Two locations that touch, and what may cross: ``army``, ``fleet`` or ``both``."""

    a: str
    b: str
    kind: str


@dataclass(frozen=True, slots=True)
class River:
    """A navigable river: the provinces of its course, mouth first (R18)."""

    id: str
    names: Names
    course: tuple[str, ...]
    aliases: tuple[str, ...] = ()

    def name(self, lang: str) -> str:
        return name_in(self.names, lang)

    @property
    def mouth(self) -> str:
        return self.course[0]


@dataclass(frozen=True, slots=True)
class Portage:
    """A haul of fleets over land between the seas of two ``ends`` (R23), and the provinces
    from which an army raids it (R24)."""

    id: str
    names: Names
    over: str
    ends: tuple[tuple[str, ...], tuple[str, ...]]
    raiders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Strait:
    """Land that faces land across narrow water; the border itself is among the borders."""

    between: tuple[str, str]
    over: str
    kind: str


@dataclass(frozen=True, slots=True)
class Coast:
    """A coast code (``SC``) with its names (``south coast``) and other spellings."""

    code: str
    names: Names
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rules:
    """The switches of the rules; the defaults are those of the standard game.

    A map file's ``rules`` changes them, then a case's or a turn's ``rules``.
    """

    first_year: int = 1901
    last_year: int = 0  # R34; 0: no last year
    picks: int = 0  # R30; 0: no Cyprus year
    publish_picks: str = "all"  # R30
    sea_capacity: int = 1  # R8
    general_strength: int = 2  # R1
    general_support: int = 1  # R1
    nobility: int = 0  # R2; 0: the map has no nobility
    major_city_upkeep: int = 1  # R25
    major_city_capacity: int = 1  # R26
    victory_centres: int = 18  # R33

    def changed(self, switches: Mapping[str, Any]) -> Rules:
        """These rules with some switches set otherwise; unknown names raise ``KeyError``."""
        known = {f.name for f in fields(self)}
        for name in switches:
            if name not in known:
                raise KeyError(name)
        return replace(self, **switches)


def places(province: Province, rules: Rules) -> int:
    """How many units the province has room for under these rules (R8, R26)."""
    if province.is_sea:
        return rules.sea_capacity
    return rules.major_city_capacity if province.major else 1


@dataclass(frozen=True, repr=False)
class Board:
    """A map with its rules, checked and ready to play on.

    Make one with :func:`alexmagnum.load_board`; a board made by hand is not checked.  Boards
    are compared by identity: load a map once and share it.  ``geometry`` is the path of the
    file of shapes, empty where the map has none; ``years_bc``: years count down, as the map's own
    first and last year tell.
    """

    id: str
    names: Names
    provinces: Mapping[str, Province]
    powers: Mapping[str, Power]
    borders: tuple[Border, ...]
    rules: Rules = field(default_factory=Rules)
    rivers: tuple[River, ...] = ()
    portages: tuple[Portage, ...] = ()
    straits: tuple[Strait, ...] = ()
    impassable: tuple[str, ...] = ()
    coasts: Mapping[str, Coast] = field(default_factory=dict)
    geometry: str = ""
    years_bc: bool = False

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"Board({self.id!r})"

    def __eq__(self, other: object) -> bool:
        return self is other

    def name(self, lang: str) -> str:
        return name_in(self.names, lang)

    def with_rules(self, switches: Mapping[str, Any]) -> Board:
        """The same map under changed switches; the board itself where nothing changes."""
        rules = self.rules.changed(switches)
        if rules == self.rules:
            return self
        provinces = {
            p.id: p if places(p, rules) == p.capacity else p.with_capacity(places(p, rules))
            for p in self.provinces.values()
        }
        return replace(self, rules=rules, provinces=provinces)

    @cached_property
    def tables(self) -> BoardTables:
        """The board as integer tables, for the judge."""
        from alexmagnum.board.tables import BoardTables

        return BoardTables(self)

    @cached_property
    def army_graph(self) -> nx.Graph[str]:
        """Where armies walk: nodes are province ids."""
        from alexmagnum.board.graphs import army_graph

        return army_graph(self)

    @cached_property
    def fleet_graph(self) -> nx.Graph[str]:
        """Where fleets sail: nodes are locations, a coast for a province that has several."""
        from alexmagnum.board.graphs import fleet_graph

        return fleet_graph(self)

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """The ids of all supply centres, in the map's order."""
        return tuple(p.id for p in self.provinces.values() if p.centre)

    def province_of(self, location: str) -> Province:
        """The province of a location or place: ``STP/SC`` and ``EGE#2`` lead to theirs."""
        return self.provinces[split_location(location)[0]]


def split_location(text: str) -> tuple[str, str, int]:
    """A location or place as (province, coast, number): ``"EGE#2"`` is ``("EGE", "", 2)``.

    What is no number makes no place: ``"EGE#x"`` is the name of no province.

    >>> split_location("STP/SC"), split_location("MEN")
    (('STP', 'SC', 0), ('MEN', '', 0))
    """
    province, sign, number = text.partition("#")
    if sign and not (number.isascii() and number.isdigit()):
        return text, "", 0
    province, _, coast = province.partition("/")
    return province, coast, int(number or 0)
