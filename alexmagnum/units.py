"""Units as values: what stands where, what is dislodged, and what units are called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from alexmagnum.compiler_hints import mypyc_attr
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
