"""Which unit a text means, once its kind and province are read."""

from __future__ import annotations

from typing import NamedTuple

from alexmagnum.errors import Ambiguous, Impossible
from alexmagnum.notation.model import Notice
from alexmagnum.position import Position, Unit


class UnitText(NamedTuple):
    """A unit as written: any part but the province may be missing.

    ``number`` is its place in a sea (0: none), ``owner`` the power named with it.
    """

    kind: str
    province: str
    coast: str = ""
    number: int = 0
    owner: str = ""
    fragment: str = ""


def find_unit(
    position: Position, text: UnitText, power: str | None
) -> tuple[Unit, tuple[Notice, ...]]:
    """The one unit that a text means, and what had to be assumed for it.

    ``power`` is whose order it is: of several fleets in a sea its own is meant.

    Raises:
        Impossible: no unit is there.
        Ambiguous: several are meant.
    """
    fits = _standing(position, text)
    if not fits:
        raise Impossible("no-unit-there", text.fragment, _others(position, power))
    for wanted in (
        [u for u in fits if u.number == text.number] if text.number else fits,
        [u for u in fits if u.power == text.owner] if text.owner else fits,
    ):
        fits = [unit for unit in fits if unit in wanted]
        if not fits:
            raise Impossible("no-unit-there", text.fragment, _others(position, power))
    for better in ([u for u in fits if u.kind == text.kind], [u for u in fits if u.power == power]):
        if len(fits) > 1 and better:
            fits = better
    if len(fits) > 1:
        names = tuple(position.name(unit) for unit in fits)
        raise Ambiguous("several-units", text.fragment, names, choices=", ".join(names))
    unit = fits[0]
    if text.kind and text.kind != unit.kind:
        notice = Notice("wrong-letter", {"text": text.fragment, "unit": position.name(unit)})
        return unit, (notice,)
    return unit, ()


def _standing(position: Position, text: UnitText) -> list[Unit]:
    """The units in a province that take orders now, else any on the board."""
    for units in (position.orderable, position.units):
        fits = [unit for unit in units if unit.province == text.province]
        if fits:
            return fits
    return []


def _others(position: Position, power: str | None) -> tuple[str, ...]:
    """The first units that the power could have meant."""
    return tuple(position.name(u) for u in position.orderable if power in (None, u.power))[:3]


def unit_name(position: Position, unit: Unit, text: UnitText) -> str:
    """The unit's canonical name, but with the coast as it was written, right or wrong.

    Whether a wrong coast matters is for the judge (DATC 6.B.10, 6.B.11).
    """
    if text.coast and unit.kind == "F" and text.coast != unit.coast:
        return f"{unit.kind} {unit.province}/{text.coast}"
    return position.name(unit)
