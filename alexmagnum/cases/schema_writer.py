"""Writing turn files: the mirror of :mod:`alexmagnum.cases.case_files`.

The same position always gives the same bytes, however its units happen to be listed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from alexmagnum.board.load import known_maps, load_board
from alexmagnum.board.model import INDEPENDENT, Board, Rules
from alexmagnum.cases.schema_reader import PHASES, Reader
from alexmagnum.errors import BadFile
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.position import Dislodged, Phase, Position, Unit

_NAMES = {season: name for name, season in PHASES.items()}


def position_data(position: Position) -> dict[str, Any]:
    """Return a position as the data of a turn file, without map, rules and orders."""
    phase = position.phase
    data: dict[str, Any] = {"phase": _NAMES[phase.season, phase.retreats]}
    if phase.year:
        data["year"] = phase.year
    if phase.period:
        data["period"] = phase.period
    data["units"] = _units(position)
    data["centers"] = _centers(position)
    homes = {power: list(centres) for power, centres in position.homes.items()}
    if homes:
        data["homes"] = _in_sequence(homes, position.board)
    if position.nobility:
        data["nobility"] = _in_sequence(position.nobility, position.board)
    if phase.retreats:
        data["dislodged"] = [
            _dislodged(entry) for entry in sorted(position.dislodged, key=_dislodged_sort_key)
        ]
    return data


def _in_sequence(by_power: Mapping[str, Any], board: Board) -> dict[str, Any]:
    """Return values by power in the map's sequence of powers."""
    return {power: by_power[power] for power in board.powers if power in by_power}


def read_position(data: Mapping[str, Any], board: Board, source: str = "") -> Position:
    """Return the position of such data: the mirror of :func:`position_data`.

    Raises:
        BadFile: with the key at fault; ``source`` is named as the file.
        BadPosition: the position cannot stand.
    """
    reader = Reader(source, "", dict(data))
    season, retreats = PHASES[reader.phase_name()]
    units = tuple(reader.units(board, "units"))
    position = Position(
        board,
        Phase(reader.get("year", int, 0), season, retreats, reader.get("period", int, 0)),
        units,
        reader.owners(board),
        reader.by_power(board, "homes"),
        reader.numbers(board, "nobility"),
        tuple(reader.dislodged(board, units)),
    )
    reader.refuse(position.problems())
    return position


def canonical(position: Position) -> Position:
    """Return the same position with everything listed in the sequence in which it is written."""
    return read_position(position_data(position), position.board)


def turn_text(
    position: Position,
    orders: Mapping[str, Sequence[Order | str]] | None = None,
    *,
    map_name: str = "",
) -> str:
    """Return a position, with orders by power if given, as the YAML text of a turn file.

    ``map_name`` is the id or path of the map; by default it is the id of the board.  Switches are
    listed if they differ from those of the map.
    """
    board = position.board
    top: dict[str, Any] = {"map": map_name or board.id}
    switches = _switches(board, map_name or board.id)
    if switches:
        top["rules"] = switches
    top |= position_data(position)
    if orders is not None:
        top["orders"] = {power: [_text(o) for o in listed] for power, listed in orders.items()}
    return "".join(_lines(top))


def _switches(board: Board, map_name: str) -> dict[str, Any]:
    """Return the switches that are set differently from the map's own."""
    own, now = asdict(_own_rules(map_name)), asdict(board.rules)
    return {name: value for name, value in now.items() if value != own[name]}


@cache
def _own_rules(map_name: str) -> Rules:
    """Return the rules of a map that comes with the package.

    For any other map these are the rules of the standard game, so that every switch that differs
    from them is listed.
    """
    try:
        return load_board(map_name).rules if map_name in known_maps() else Rules()
    except BadFile:
        return Rules()


def _text(order: Order | str) -> str:
    return order if isinstance(order, str) else write_order(order)


# -- parts of a position --------------------------------------------------------------------------


def _units(position: Position) -> dict[str, list[str]]:
    listed = {
        power: sorted((u for u in position.units if u.power == power), key=_sort_key)
        for power in (*position.board.powers, INDEPENDENT)
    }
    return {power: [unit_text(u) for u in units] for power, units in listed.items() if units}


def unit_text(unit: Unit) -> str:
    """Return a unit as a turn file lists it: with its number unless that is 1 (R8)."""
    return str(unit) + (f"#{unit.number}" if unit.number > 1 else "")


def _sort_key(unit: Unit) -> tuple[str, int, str]:
    return unit.province, unit.number, unit.kind


def _dislodged_sort_key(dislodged: Dislodged) -> tuple[str, str, int]:
    unit = dislodged.unit
    return unit.power, unit.province, unit.number


def _centers(position: Position) -> dict[str, list[str]]:
    listed = {power: list(position.centres_of(power)) for power in position.board.powers}
    return {power: centres for power, centres in listed.items() if centres}


def _dislodged(entry: Dislodged) -> dict[str, Any]:
    by = {"by_power": entry.by.power} if entry.by.power else {}
    return {
        "power": entry.unit.power,
        "unit": unit_text(entry.unit),
        "by": unit_text(entry.by),
        **by,
        "retreats": list(entry.retreats),
    }


# -- YAML ------------------------------------------------------------------------------------------


def _lines(data: Mapping[str, Any]) -> Iterable[str]:
    """Yield YAML in the style of the case files: one line per power, texts quoted as in JSON."""
    for key, value in data.items():
        if isinstance(value, dict) and value and key != "rules":
            yield f"{key}:\n"
            for name, inner in value.items():
                yield from _entry(name, inner, long=key == "orders")
        elif isinstance(value, list) and value:
            yield f"{key}:\n"
            yield from (f"  - {_flow(entry)}\n" for entry in value)
        else:
            yield f"{key}: {_flow(value)}\n"


def _entry(name: str, value: Any, *, long: bool) -> Iterable[str]:
    if long and value:
        yield f"  {_flow(name)}:\n"
        yield from (f"    - {_flow(line)}\n" for line in value)
    else:
        yield f"  {_flow(name)}: {_flow(value)}\n"


def _flow(value: Any) -> str:
    """Return a value on one line; a text is plain if YAML cannot take it for anything else."""
    if isinstance(value, str):
        return value if _is_plain(value) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flow(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    return json.dumps(value)


_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def _is_plain(text: str) -> bool:
    """Return whether a text needs no quotes in YAML: ``F EGE#2``, ``A MEN - TEB``."""
    plain = all(c.isascii() and (c.isalnum() or c in " -/_.#") for c in text)
    comment = " #" in text or text.endswith(" ") or "  " in text
    return plain and not comment and text[:1].isalpha() and text.lower() not in _WORDS
