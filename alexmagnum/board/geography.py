"""The geography of a map: provinces, borders, coasts, rivers, portages and straits.

A *province* is any sector that has a name, land or sea.  A *location* is where a unit can
stand.  It is written as in the notation: ``"MEN"``, or ``"STP/SC"`` where a province has
several coasts.  A province with ``capacity`` 3 has three *places*, ``"EGE#1"`` to ``"EGE#3"`` (R8).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from alexmagnum.frozen import freeze

Names = Mapping[str, str]
"""Language code to name; a map gives at least one language."""


class Named:
    """A part of a map, or a map, with its names in several languages."""

    __slots__ = ()
    names: Names

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", freeze(self.names))

    def name(self, lang: str) -> str:
        """Return the name in ``lang``, else in the map's first language."""
        return self.names.get(lang) or next(iter(self.names.values()))


LAND, SEA, ISLAND = "land", "sea", "island"
ARMY, FLEET, BOTH = "army", "fleet", "both"


@dataclass(frozen=True, slots=True)
class Province(Named):
    """A named sector, on land or at sea.

    ``coasts``: its separate coasts, none unless it has two or more.  ``centre`` is ``""`` (no
    centre), ``"start"`` (may be picked in the Cyprus year), ``"fixed"`` (has an owner from the
    start), ``"neutral"`` (has no owner at first, nor a garrison) or ``"independent"``
    (garrisoned, R27).
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

    @property
    def is_sea(self) -> bool:
        return self.terrain == SEA

    def with_capacity(self, capacity: int) -> Province:
        """Return the province with another number of places."""
        return replace(self, capacity=capacity)


@dataclass(frozen=True, slots=True)
class Border:
    """Two locations that touch, and what may cross: ``army``, ``fleet`` or ``both``."""

    a: str
    b: str
    kind: str


@dataclass(frozen=True, slots=True)
class River(Named):
    """A navigable river: the provinces of its course, mouth first (R18)."""

    id: str
    names: Names
    course: tuple[str, ...]
    aliases: tuple[str, ...] = ()

    @property
    def mouth(self) -> str:
        return self.course[0]


@dataclass(frozen=True, slots=True)
class Portage(Named):
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
class Coast(Named):
    """A coast code (``SC``) with its names (``south coast``) and other spellings."""

    code: str
    names: Names
    aliases: tuple[str, ...] = ()


def split_location(text: str) -> tuple[str, str, int]:
    """Split a location or place into (province, coast, number): ``"EGE#2"`` is ``("EGE", "", 2)``.

    Without a proper number the text stays whole, so that ``"EGE#x"`` is the name of no province.

    >>> split_location("STP/SC"), split_location("MEN")
    (('STP', 'SC', 0), ('MEN', '', 0))
    """
    province, sign, number = text.partition("#")
    if sign and not (number.isascii() and number.isdigit()):
        return text, "", 0
    province, _, coast = province.partition("/")
    return province, coast, int(number or 0)
