"""The kinds of order.

An order names units and places as the notation does, so that it can be read in a debugger.  A
unit is ``"A MEN"``, ``"F STP/SC"`` or ``"F EGE#2"`` (kind and location, as
:attr:`alexmagnum.position.Position.names` gives it), a destination ``"TEB"``, ``"STP/SC"`` or
``"EGE#2"``.  Orders are values; the judge tells whether an order is legal.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hold:
    """``A MEN H``"""

    unit: str


@dataclass(frozen=True, slots=True)
class Move:
    """``A MEN - TEB``; with ``via_convoy`` also ``A TIR - CIP via convoy``.

    ``to`` names a fleet (``"EGE#2"``) to attack it (R11), and the province alone to enter it.
    """

    unit: str
    to: str
    via_convoy: bool = False


@dataclass(frozen=True, slots=True)
class Support:
    """``A TEB S A MEN`` (``to`` is None: to hold) or ``A TEB S A MEN - ALE``."""

    unit: str
    supported: str
    to: str | None = None


@dataclass(frozen=True, slots=True)
class Convoy:
    """``F EGI C A ALE - CRE``"""

    unit: str
    army: str
    to: str


@dataclass(frozen=True, slots=True)
class Retreat:
    """``A MEN - TEB`` in a retreat phase."""

    unit: str
    to: str


@dataclass(frozen=True, slots=True)
class Disband:
    """``Disband A MEN``: a dislodged unit gives up."""

    unit: str


@dataclass(frozen=True, slots=True)
class Build:
    """``Build A MEN``, ``Build F STP/NC``, ``Build G MEN``; in the deployment (R31) as well."""

    unit: str


@dataclass(frozen=True, slots=True)
class Remove:
    """``Remove F TIR``: a unit taken off the board in winter."""

    unit: str


@dataclass(frozen=True, slots=True)
class Waive:
    """``Waive``: a build not used."""


@dataclass(frozen=True, slots=True)
class Pick:
    """``Pick ALE`` (Cyprus year, R30)."""

    centre: str


MovementOrder = Hold | Move | Support | Convoy
RetreatOrder = Retreat | Disband
WinterOrder = Build | Remove | Waive
Order = MovementOrder | RetreatOrder | WinterOrder | Pick
