"""A board as plain data, which a page takes along, and the board of such data.

Unlike a map file it is checked already, and has every field as the judge reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from alexmagnum.board.geography import Border, Coast, Portage, Province, River, Strait
from alexmagnum.board.model import Board, Power, Rules
from alexmagnum.position_text import own_switches

_KINDS: Mapping[str, type] = {
    "provinces": Province,
    "powers": Power,
    "borders": Border,
    "rivers": River,
    "portages": Portage,
    "straits": Strait,
    "coasts": Coast,
}
"""By field of the board, the kind of the values that it lists."""

_BY_ID = ("provinces", "powers")


def write_board(board: Board) -> dict[str, Any]:
    """Return a board as data of JSON.

    ``own_switches`` in it: the switches that this map of the package has by itself, empty for any
    other map; texts of positions name those that differ.
    """
    data: dict[str, Any] = {"own_switches": dict(own_switches(board))}
    for name in (field.name for field in fields(Board)):
        value = getattr(board, name)
        if name in _KINDS:
            listed = value.values() if isinstance(value, Mapping) else value
            data[name] = [_write_value(entry) for entry in listed]
        else:
            data[name] = _write_value(value) if name == "rules" else _write_part(value)
    data["geometry"] = ""  # the path of a file on the machine where the page was made
    return data


def _write_value(value: Any) -> list[Any]:
    """Return the content of a value, field by field."""
    return [_write_part(getattr(value, field.name)) for field in fields(value)]


def _write_part(part: Any) -> Any:
    if isinstance(part, tuple):
        return [_write_part(entry) for entry in part]
    return dict(part) if isinstance(part, Mapping) else part


def read_board(data: Mapping[str, Any]) -> Board:
    """Return the board of data that :func:`write_board` made.

    Raises:
        KeyError, TypeError: the data is of another kind.
    """
    parts: dict[str, Any] = {}
    for field in fields(Board):
        value = data[field.name]
        if field.name in _KINDS:
            kind = _KINDS[field.name]
            values = [kind(*_read_parts(entry)) for entry in value]
            parts[field.name] = _list_values(field.name, values)
        elif field.name == "rules":
            parts[field.name] = Rules(*value)
        else:
            parts[field.name] = _read_part(value)
    return Board(**parts)


def _list_values(name: str, values: list[Any]) -> Any:
    if name in _BY_ID:
        return {value.id: value for value in values}
    return {value.code: value for value in values} if name == "coasts" else tuple(values)


def _read_parts(entry: list[Any]) -> list[Any]:
    return [_read_part(part) for part in entry]


def _read_part(part: Any) -> Any:
    if isinstance(part, list):
        return tuple([_read_part(entry) for entry in part])
    return part
