"""The board: geography, powers and the switches of the rules, checked and ready to play on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from alexmagnum.board import geography
from alexmagnum.board.tables import BoardTables
from alexmagnum.errors import BadMap, Fault
from alexmagnum.frozen import freeze

if TYPE_CHECKING:
    import networkx as nx


# The switches of the rules: the values that each may have, and the ruling it belongs to.


@dataclass(frozen=True, slots=True)
class Switch:
    """One field of :class:`~alexmagnum.board.model.Rules`: its ruling and its allowed values.

    A number lies between ``low`` and ``high``, both included; with ``words`` it is one of them.
    """

    ruling: str
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()

    def allows(self, value: object) -> bool:
        """Tell whether the switch can be set to ``value``."""
        if self.words:
            return isinstance(value, str) and value in self.words
        return type(value) is int and self.low <= value <= self.high

    @property
    def allowed(self) -> str:
        """The allowed values as a text for a message: ``1-9`` or ``all, own``."""
        return ", ".join(self.words) or f"{self.low}-{self.high}"


SWITCHES: Mapping[str, Switch] = {
    "first_year": Switch("§7", 1, 9999),
    "last_year": Switch("R34", 0, 9999),
    "picks": Switch("R30", 0, 8),
    "publish_picks": Switch("R30", words=("all", "own")),
    "sea_capacity": Switch("R8", 1, 9),
    "general_strength": Switch("R1", 1, 9),
    "general_support": Switch("R1", 0, 9),
    "nobility": Switch("R2", 0, 99),
    "major_city_upkeep": Switch("R25", 1, 9),
    "major_city_capacity": Switch("R26", 1, 2),
    "express": Switch("R18", words=("railway", "attack")),
    "victory_centres": Switch("R33", 1, 999),
}
"""Every switch, in the order of :class:`~alexmagnum.board.model.Rules`."""


def switch_faults(values: Mapping[Any, Any], where: str = "rules") -> Iterator[Fault]:
    """Yield the faults of switches that a map, a case or a game master sets."""
    for name, value in values.items():
        switch = SWITCHES.get(name) if isinstance(name, str) else None
        shown = show(name).strip('"')
        here = f"{where}.{shown}"
        if switch is None:
            yield Fault(here, "unknown-rule", {"rule": shown, "near": near(name, SWITCHES)})
        elif not switch.allows(value):
            data = {"rule": name, "value": show(value), "allowed": switch.allowed}
            yield Fault(here, "bad-rule-value", data)


def near(word: object, known: Mapping[str, Any] | tuple[str, ...] | list[str]) -> str:
    """Return the known word that was probably meant, or an empty text."""
    from difflib import get_close_matches

    lower = {name.casefold(): name for name in known}
    found = get_close_matches(str(word)[:200].casefold(), lower, n=1, cutoff=0.6)
    return lower[found[0]] if found else ""


def show(value: object) -> str:
    """Return a short text of a JSON value for a message; it is always printable."""
    if isinstance(value, list | dict):
        return ("[]" if isinstance(value, list) else "{}") if not value else type(value).__name__
    text = str(value).lower() if isinstance(value, bool) or value is None else str(value)
    text = "".join(c if c.isprintable() else "?" for c in text[:40])
    return f'"{text}"' if isinstance(value, str) else text


INDEPENDENT = "NEU"
"""The id under which independent garrisons are listed (R27): units without a power."""


@dataclass(frozen=True, slots=True)
class Power(geography.Named):
    """A power; ``homes`` are the building centres it has from the start, ``units`` its first
    units in notation (``"A MUN"``)."""

    id: str
    names: geography.Names
    aliases: tuple[str, ...] = ()
    color: str = ""
    homes: tuple[str, ...] = ()
    units: tuple[str, ...] = ()


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
    express: str = "attack"  # R18
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


def places(province: geography.Province, rules: Rules) -> int:
    """Return how many units a province has room for under these rules (R8, R26)."""
    if province.is_sea:
        return rules.sea_capacity
    return rules.major_city_capacity if province.major else 1


@dataclass(frozen=True, repr=False)
class Board(geography.Named):
    """One map with its rules, checked and ready to play on.

    Make one with :func:`alexmagnum.load_board`; a board made by hand is not checked.  Two boards
    are equal if their maps and rules are.  ``rulings``: the names of the rulings
    in its rules, which cases test; ``geometry``: the path of the file of shapes, empty if the map
    has none; ``years_bc``: whether years count down.
    """

    id: str
    names: geography.Names
    provinces: Mapping[str, geography.Province]
    powers: Mapping[str, Power]
    borders: tuple[geography.Border, ...]
    rules: Rules = field(default_factory=Rules)
    rivers: tuple[geography.River, ...] = ()
    portages: tuple[geography.Portage, ...] = ()
    straits: tuple[geography.Strait, ...] = ()
    impassable: tuple[str, ...] = ()
    coasts: Mapping[str, geography.Coast] = field(default_factory=dict)
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

    def with_rules(self, switches: Mapping[str, Any]) -> Board:
        """Return the map with changed switches; the board itself if nothing changes.

        Raises:
            BadMap: there is no such switch, or it cannot be set so; with every fault.
        """
        if faults := tuple(switch_faults(switches)):
            raise BadMap("bad-map", self.id, faults)
        if (rules := self.rules.changed(switches)) == self.rules:
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

    def province_of(self, location: str) -> geography.Province:
        """Return the province of a location or place such as ``STP/SC`` or ``EGE#2``."""
        return self.provinces[geography.split_location(location)[0]]


# Examples that sentences give: orders, powers and a year, all derived from the map that is played.


def list_examples(board: Board, reader: str = "", lang: str = "") -> dict[str, str]:
    """Return the examples for a sentence, by the name of their field.

    Orders are of centres of the power that reads them, if it has any on the map; powers are others
    than the reader, by id, or in the language ``lang`` where an id is a name in another one.
    Nothing depends on a position: an example tells nobody anything.

    >>> from alexmagnum.board.map_file import load_board
    >>> examples = list_examples(load_board("standard"), "Germany")
    >>> examples["example_army"], examples["example_to"], examples["example_fleet"]
    ('A BER', 'KIE', 'F BER')
    >>> examples["example_powers"], examples["example_year"]
    ('Austria, England', '1901')
    >>> list_examples(load_board("standard"), "Germany", "it")["example_powers"]
    'Austria, Inghilterra'
    """
    homes = list(_list_homes(board, reader))
    army, to = _find_march(board, homes)
    coastal = (p for p in map(board.provinces.__getitem__, homes) if p.coastal and not p.is_sea)
    shore = next(coastal, None)
    fleet = f"A {army}" if shore is None else "/".join([f"F {shore.id}", *shore.coasts[:1]])
    others = [
        power.name(lang) if lang and id_ in power.names.values() else id_
        for id_, power in board.powers.items()
        if id_ != reader or len(board.powers) == 1
    ]
    year, to_play = board.rules.first_year, -1 if board.years_bc else 1
    return {
        "example_army": f"A {army}",
        "example_to": to,
        "example_fleet": fleet,
        "example_power": others[0],
        "example_other": others[1] if len(others) > 1 else others[0],
        "example_powers": ", ".join(others[:2]),
        "example_powers_typed": ",".join(others[:2]),
        "example_year": str(year + to_play if board.rules.picks else year),
    }


def _list_homes(board: Board, reader: str) -> Iterator[str]:
    """Yield land provinces, those that an example should be of first."""
    own = board.powers.get(reader)
    powers: list[Power] = [own] if own else []
    for power in (*powers, *board.powers.values()):
        yield from (geography.split_location(unit.partition(" ")[2])[0] for unit in power.units)
        yield from power.homes
    yield from board.centres
    yield from (province.id for province in board.provinces.values() if not province.is_sea)


def _find_march(board: Board, homes: list[str]) -> tuple[str, str]:
    graph = board.army_graph
    for id_ in homes:
        near = list(graph.neighbors(id_)) if id_ in graph else []
        if near:
            return id_, min(near, key=list(board.provinces).index)
    first = homes[0] if homes else next(iter(board.provinces))
    return first, first
