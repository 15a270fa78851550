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
    fits = _standing(position, text.province)
    if not fits:
        near = (*_built(position, text, power), *_others(position, text.province, power))
        raise Impossible("no-unit-there", text.fragment, near)
    # A number that nobody bears is left out, with a notice (R8).
    fits = [u for u in fits if text.number in (0, u.number)] or fits
    owned = [u for u in fits if text.owner in ("", u.power)]
    if not owned and position.board.provinces[text.province].capacity > 1:
        raise Impossible("no-unit-there", text.fragment, _others(position, text.province, power))
    fits = owned or fits
    if len(fits) > 1:
        fits = [u for u in fits if u.power == power] or fits
    if len(fits) > 1:
        fits = [u for u in fits if u.kind == text.kind] or fits
    if len(fits) > 1:
        names = tuple(position.name(unit) for unit in fits)
        raise Ambiguous("several-units", text.fragment, names, choices=", ".join(names))
    return fits[0], tuple(_notices(position, text, fits[0]))


def _notices(position: Position, text: UnitText, unit: Unit) -> list[Notice]:
    """What the text says of the unit that is not so."""
    data = {"text": text.fragment, "unit": position.name(unit), "province": unit.province}
    several = position.board.provinces[unit.province].capacity > 1
    wrong = {
        "wrong-letter": text.kind not in ("", unit.kind),
        "no-such-number" if several else "one-place": text.number not in (0, unit.number),
        "wrong-owner": text.owner not in ("", unit.power),
    }
    return [Notice(code, data) for code, found in wrong.items() if found]


def _standing(position: Position, province: str) -> list[Unit]:
    """The units in a province that take orders now, else any on the board."""
    for units in (position.orderable, position.units):
        fits = [unit for unit in units if unit.province == province]
        if fits:
            return fits
    return []


def _built(position: Position, text: UnitText, power: str | None) -> tuple[str, ...]:
    """The build that the power could have meant."""
    own = power is not None and position.owners.get(text.province) == power
    winter = position.phase.kind == "winter"
    return (f"Build {text.kind} {text.province}",) if winter and own and text.kind else ()


def _others(position: Position, province: str, power: str | None) -> tuple[str, ...]:
    """The units that the power could have meant: up to three, those beside the place first."""
    tables = position.board.tables
    beside = {tables.ids[p] for p in tables.near[tables.index[province]]}
    mine = [unit for unit in position.orderable if power in (None, unit.power)]
    mine.sort(key=lambda unit: unit.province not in beside)
    return tuple(position.name(unit) for unit in mine)[:3]


def unit_name(position: Position, unit: Unit, text: UnitText) -> str:
    """The unit's canonical name, but with the coast as it was written, right or wrong.

    Whether a wrong coast matters is for the judge (DATC 6.B.10, 6.B.11).
    """
    if text.coast and unit.kind == "F" and text.coast != unit.coast:
        return f"{unit.kind} {unit.province}/{text.coast}"
    return position.name(unit)
