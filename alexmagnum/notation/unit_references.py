"""Deciding which unit a text means, once its kind and province are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from alexmagnum.errors import Ambiguous, Impossible
from alexmagnum.notation.model import Notice
from alexmagnum.position import Position, Unit


class UnitText(NamedTuple):
    """A unit as it is written: any part but the province may be missing.

    ``number`` is its place in a sea (0: none is given), ``owner`` the power named with it.
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
    """Return the one unit that a text means, and notices of what had to be assumed.

    ``power`` gives the order: of several fleets in a sea its own is meant.

    Raises:
        Impossible: no unit is there.
        Ambiguous: several units are meant.
    """
    fits = _units_in(position, text.province)
    if not fits:
        near = (*_possible_build(position, text, power), *_other_units(position, text, power))
        raise Impossible("no-unit-there", text.fragment, near)
    # A number that no unit bears is left out, with a notice (R8).
    fits = _narrow(fits, lambda unit: text.number in (0, unit.number))
    owned = [unit for unit in fits if text.owner in ("", unit.power)]
    if not owned and position.board.provinces[text.province].capacity > 1:
        raise Impossible("no-unit-there", text.fragment, _other_units(position, text, power))
    fits = owned or fits
    if len(fits) > 1:
        fits = _narrow(fits, lambda unit: unit.power == power)
    if len(fits) > 1:
        fits = _narrow(fits, lambda unit: unit.kind == text.kind)
    if len(fits) > 1:
        names = tuple(position.name(unit) for unit in fits)
        raise Ambiguous("several-units", text.fragment, names, choices=", ".join(names))
    return fits[0], tuple(_notices(position, text, fits[0]))


def _narrow(units: list[Unit], is_meant: Callable[[Unit], bool]) -> list[Unit]:
    """Return the units that pass a test, or all of them if none does."""
    return [unit for unit in units if is_meant(unit)] or units


def _notices(position: Position, text: UnitText, unit: Unit) -> list[Notice]:
    """Return a notice for each part of the text that is wrong about the unit."""
    data = {"text": text.fragment, "unit": position.name(unit), "province": unit.province}
    several = position.board.provinces[unit.province].capacity > 1
    wrong = {
        "wrong-letter": text.kind not in ("", unit.kind),
        "no-such-number" if several else "one-place": text.number not in (0, unit.number),
        "wrong-owner": text.owner not in ("", unit.power),
    }
    return [Notice(code, data) for code, is_wrong in wrong.items() if is_wrong]


def _units_in(position: Position, province: str) -> list[Unit]:
    """Return the units in a province that take orders in this phase, or else all units in it."""
    for units in (position.orderable, position.units):
        fits = [unit for unit in units if unit.province == province]
        if fits:
            return fits
    return []


def _possible_build(position: Position, text: UnitText, power: str | None) -> tuple[str, ...]:
    """Return the build that the power could have meant, if there is one."""
    is_own = power is not None and position.owners.get(text.province) == power
    if position.phase.kind == "winter" and is_own and text.kind:
        return (f"Build {text.kind} {text.province}",)
    return ()


def _other_units(position: Position, text: UnitText, power: str | None) -> tuple[str, ...]:
    """Return up to three units that the power could have meant, neighbours of the place first."""
    tables = position.board.tables
    neighbours = {tables.ids[p] for p in tables.near[tables.index[text.province]]}
    mine = [unit for unit in position.orderable if power in (None, unit.power)]
    mine.sort(key=lambda unit: unit.province not in neighbours)
    return tuple(position.name(unit) for unit in mine)[:3]


def unit_name(position: Position, unit: Unit, text: UnitText) -> str:
    """Return the unit's canonical name, but with the coast as it was written, right or wrong.

    Whether a wrong coast matters is for the judge (DATC 6.B.10, 6.B.11).
    """
    if text.coast and unit.kind == "F" and text.coast != unit.coast:
        return f"{unit.kind} {unit.province}/{text.coast}"
    return position.name(unit)
