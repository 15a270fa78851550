"""Which unit a name means, in every phase."""

from __future__ import annotations

from collections.abc import Iterable

from alexmagnum.board.geography import split_location
from alexmagnum.position import Unit


def meant(units: Iterable[Unit], name: str) -> Unit | None:
    """The one of some units that a name such as ``F EGE#2`` means; None if none or several fit.

    A number decides (R8).  Without one the only unit there is meant, whatever letter or coast
    was written (DATC 6.B.10); of two in one city the letter tells which (R26).
    """
    province, _, number = split_location(name[2:] if name[1:2] == " " else name)
    there = [unit for unit in units if unit.province == province and number in (0, unit.number)]
    if len(there) > 1:
        there = [unit for unit in there if unit.kind == name[:1]]
    return there[0] if len(there) == 1 else None
