"""The kinds of order.

An order names units and places as the notation does, so that it can be read in a debugger.  A
unit is ``"A MEN"``, ``"F STP/SC"`` or ``"F EGE#2"`` (kind and location, as
:attr:`alexmagnum.position.Position.names` gives it), a destination ``"TEB"``, ``"STP/SC"`` or
``"EGE#2"``.  Orders are values; the judge tells whether an order is legal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from alexmagnum.builds import mypyc_attr
from alexmagnum.values import Value, seal


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Hold(Value):
    """``A MEN H``"""

    unit: Final[str]

    def __init__(self, unit: str) -> None:
        self.unit = unit

    def content(self) -> tuple[str]:
        return (self.unit,)


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Move(Value):
    """``A MEN - TEB``; with ``via_convoy`` also ``A TIR - CIP via convoy``.

    ``to`` names a fleet (``"EGE#2"``) to attack it (R11), and the province alone to enter it.
    """

    unit: Final[str]
    to: Final[str]
    via_convoy: Final[bool]

    def __init__(self, unit: str, to: str, via_convoy: bool = False) -> None:
        self.unit = unit
        self.to = to
        self.via_convoy = via_convoy

    def content(self) -> tuple[str, str, bool]:
        return self.unit, self.to, self.via_convoy


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Support(Value):
    """``A TEB S A MEN`` (``to`` is None: to hold) or ``A TEB S A MEN - ALE``."""

    unit: Final[str]
    supported: Final[str]
    to: Final[str | None]

    def __init__(self, unit: str, supported: str, to: str | None = None) -> None:
        self.unit = unit
        self.supported = supported
        self.to = to

    def content(self) -> tuple[str, str, str | None]:
        return self.unit, self.supported, self.to


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Convoy(Value):
    """``F EGI C A ALE - CRE``"""

    unit: Final[str]
    army: Final[str]
    to: Final[str]

    def __init__(self, unit: str, army: str, to: str) -> None:
        self.unit = unit
        self.army = army
        self.to = to

    def content(self) -> tuple[str, str, str]:
        return self.unit, self.army, self.to


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Retreat(Value):
    """``A MEN - TEB`` in a retreat phase."""

    unit: Final[str]
    to: Final[str]

    def __init__(self, unit: str, to: str) -> None:
        self.unit = unit
        self.to = to

    def content(self) -> tuple[str, str]:
        return self.unit, self.to


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Disband(Value):
    """``Disband A MEN``: a dislodged unit gives up."""

    unit: Final[str]

    def __init__(self, unit: str) -> None:
        self.unit = unit

    def content(self) -> tuple[str]:
        return (self.unit,)


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Build(Value):
    """``Build A MEN``, ``Build F STP/NC``, ``Build G MEN``; in the deployment (R31) as well."""

    unit: Final[str]

    def __init__(self, unit: str) -> None:
        self.unit = unit

    def content(self) -> tuple[str]:
        return (self.unit,)


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Remove(Value):
    """``Remove F TIR``: a unit taken off the board in winter."""

    unit: Final[str]

    def __init__(self, unit: str) -> None:
        self.unit = unit

    def content(self) -> tuple[str]:
        return (self.unit,)


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Waive(Value):
    """``Waive``: a build not used."""

    def content(self) -> tuple[()]:
        return ()


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Pick(Value):
    """``Pick ALE`` (Cyprus year, R30)."""

    centre: Final[str]

    def __init__(self, centre: str) -> None:
        self.centre = centre

    def content(self) -> tuple[str]:
        return (self.centre,)


seal(Hold, Move, Support, Convoy, Retreat, Disband, Build, Remove, Waive, Pick)

MovementOrder = Hold | Move | Support | Convoy
RetreatOrder = Retreat | Disband
WinterOrder = Build | Remove | Waive
Order = MovementOrder | RetreatOrder | WinterOrder | Pick
