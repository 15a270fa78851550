"""The board: geography, powers and the switches of the rules, checked and ready to play on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from alexmagnum.board.geography import (
    Border,
    Coast,
    Names,
    Portage,
    Province,
    River,
    Strait,
    name_in,
    split_location,
)
from alexmagnum.board.switches import switch_faults
from alexmagnum.board.tables import BoardTables
from alexmagnum.errors import BadMap
from alexmagnum.frozen import freeze

if TYPE_CHECKING:
    import networkx as nx

INDEPENDENT = "NEU"
"""The id under which independent garrisons are listed (R27): units without a power."""


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", freeze(self.names))

    def name(self, lang: str) -> str:
        """Return the name in ``lang``, else in the map's first language."""
        return name_in(self.names, lang)


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
        """Return these rules with some switches changed.

        Raises:
            KeyError: there is no such switch.
        """
        known = {f.name for f in fields(self)}
        for name in switches:
            if name not in known:
                raise KeyError(name)
        return replace(self, **switches)


def places(province: Province, rules: Rules) -> int:
    """Return how many units a province has room for under these rules (R8, R26)."""
    if province.is_sea:
        return rules.sea_capacity
    return rules.major_city_capacity if province.major else 1


@dataclass(frozen=True, repr=False)
class Board:
    """One map with its rules, checked and ready to play on.

    Make one with :func:`alexmagnum.load_board`; a board made by hand is not checked.  Two boards
    are equal if their maps and rules are.  ``rulings``: the names of the rulings
    in its rules, which cases test; ``geometry``: the path of the file of shapes, empty if the map
    has none; ``years_bc``: whether years count down.
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
    rulings: tuple[str, ...] = ()
    geometry: str = ""
    years_bc: bool = False

    def __post_init__(self) -> None:
        for name in ("names", "provinces", "powers", "coasts"):
            object.__setattr__(self, name, freeze(getattr(self, name)))

    def __repr__(self) -> str:
        return f"Board({self.id!r})"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Board) or hash(self) != hash(other):
            return False
        return self.geometry == other.geometry and self.digest == other.digest

    def __hash__(self) -> int:
        return hash((self.id, self.rules))

    def __copy__(self) -> Board:
        return self

    def __deepcopy__(self, memo: object) -> Board:
        return self

    @cached_property
    def digest(self) -> str:
        """A text that is the same for boards with the same map and rules, and for no others."""
        content = repr(
            [getattr(self, field.name) for field in fields(self) if field.name != "geometry"]
        )
        return hashlib.sha256(content.encode()).hexdigest()

    def name(self, lang: str) -> str:
        return name_in(self.names, lang)

    def with_rules(self, switches: Mapping[str, Any]) -> Board:
        """Return the map with changed switches; the board itself if nothing changes.

        Raises:
            BadMap: there is no such switch, or it cannot be set so; with every fault.
        """
        faults = tuple(switch_faults(switches))
        if faults:
            raise BadMap("bad-map", self.id, faults)
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
        provinces = tuple(self.provinces.values())
        return BoardTables(provinces, self.borders, self.rivers, self.portages, self.powers)

    @cached_property
    def army_graph(self) -> nx.Graph[str]:
        """The graph on which armies walk; its nodes are ids of provinces."""
        from alexmagnum.board.graphs import build_army_graph

        return build_army_graph(self.provinces.values(), self.borders)

    @cached_property
    def fleet_graph(self) -> nx.Graph[str]:
        """The graph on which fleets sail; its nodes are locations, one for each coast."""
        from alexmagnum.board.graphs import build_fleet_graph

        return build_fleet_graph(self.provinces.values(), self.borders)

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """The ids of all supply centres, in the map's order."""
        return tuple(p.id for p in self.provinces.values() if p.centre)

    def province_of(self, location: str) -> Province:
        """Return the province of a location or place such as ``STP/SC`` or ``EGE#2``."""
        return self.provinces[split_location(location)[0]]
