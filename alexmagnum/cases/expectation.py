"""Checking the shape of an expectation: the values that each key of ``expect`` may have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from alexmagnum.board.model import Board
from alexmagnum.cases.schema_reader import Reader
from alexmagnum.judge.outcome import RESULTS


def check_expectation(expect: Reader, board: Board) -> None:
    """Check an expectation key by key: its shape, and that powers, centres and results exist.

    Raises:
        BadFile: with the key at fault.
    """
    expect.mapping(SHAPES)
    for key in expect.data:
        SHAPES[key](expect, board, key)


def checks_nothing(expect: Mapping[str, Any]) -> bool:
    """Tell whether an expectation can never fail: it is empty, or names no order and no power."""
    return all(
        value is None or (key in NAMED_ONLY and not any(_list_named(value)))
        for key, value in expect.items()
    )


def _list_named(value: Any) -> list[Any]:
    """Return what a key names: the entries of a list, or the values by power."""
    if not isinstance(value, dict):
        return list(value)
    return [entry is not None and entry != [] for entry in value.values()]


def _check_units(expect: Reader, board: Board, key: str) -> None:
    """Check a list of units with their powers; dislodged units have their attackers as well."""
    for i, entry in enumerate(expect.get(key, list, [])):
        inner = Reader(expect.path, expect.at(f"{key}[{i}]"), entry)
        inner.mapping({"power", "unit", "by", "retreats"})
        inner.require("power", "unit", *(["by"] if "by" in entry else []))
        inner.known_power(board, "power", entry["power"])
        inner.texts("retreats")


def _check_all_results(expect: Reader, board: Board, key: str) -> None:
    """Check results by power, or in one list for all powers."""
    if isinstance(expect.data[key], list):
        _check_results(expect, key)
        return
    by_power = Reader(expect.path, expect.at(key), expect.get(key, dict, {}))
    for name in by_power.data:
        expect.known_power(board, f"{key}.{name}", str(name))
        _check_results(by_power, name)


def _check_results(expect: Reader, key: str) -> None:
    """Check a list of orders with their results."""
    for i, entry in enumerate(expect.get(key, list, [])):
        inner = Reader(expect.path, expect.at(f"{key}[{i}]"), entry)
        inner.mapping({"order", "result"})
        inner.require("order", "result")
        if entry["result"] not in RESULTS:
            raise inner.unknown("result", entry["result"], RESULTS)


def _check_texts(expect: Reader, board: Board, key: str) -> None:
    expect.by_power(board, key)


def _check_numbers(expect: Reader, board: Board, key: str) -> None:
    expect.numbers(board, key)


def _check_powers(expect: Reader, board: Board, key: str) -> None:
    for name in expect.texts(key):
        expect.known_power(board, key, name)


def _check_owners(expect: Reader, board: Board, key: str) -> None:
    for power, centres in expect.by_power(board, key).items():
        _check_centres(expect, board, f"{key}.{power}", centres)


def _check_contested(expect: Reader, board: Board, key: str) -> None:
    _check_centres(expect, board, key, expect.texts(key))


def _check_awards(expect: Reader, board: Board, key: str) -> None:
    """Check one centre for each of some powers."""
    awards = Reader(expect.path, expect.at(key), expect.get(key, dict, {}))
    for name in awards.data:
        awards.known_power(board, str(name), str(name))
        awards.require(name)
        _check_centres(awards, board, str(name), [awards.data[name]])


def _check_centres(expect: Reader, board: Board, key: str, centres: Iterable[str]) -> None:
    """Check that centres exist."""
    for centre in centres:
        if centre not in board.centres:
            raise expect.unknown(key, centre, board.centres)


NAMED_ONLY = frozenset({"results", "adjust", "nobility", "owners_after", "centers"})
"""The keys that check only the orders or powers that they name; all others check everything."""

SHAPES: Mapping[str, Callable[[Reader, Board, str], None]] = {
    "results": _check_all_results,
    "dislodged": _check_units,
    "disbanded": _check_units,
    "destroyed": _check_units,
    "units_after": _check_texts,
    "auto_disbanded": _check_texts,
    "owners_after": _check_owners,
    "centers": _check_owners,
    "adjust": _check_numbers,
    "nobility": _check_numbers,
    "void": _check_powers,
    "winners": _check_powers,
    "eliminated": _check_powers,
    "awards": _check_awards,
    "contested": _check_contested,
}
"""The check of each key of ``expect``."""
