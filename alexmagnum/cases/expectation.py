"""The shape of an expectation: what each key of ``expect`` may hold."""

from __future__ import annotations

from alexmagnum.board.model import Board
from alexmagnum.cases.reading import Reader

EXPECT_KEYS = {
    *("results", "dislodged", "units_after", "disbanded", "adjust", "auto_disbanded"),
    *("destroyed", "owners_after", "nobility", "awards", "contested", "void", "centers"),
    *("winners", "eliminated"),
}


def check_expectation(expect: Reader, board: Board) -> None:
    """Check an expectation key by key, and that its powers exist.

    Raises:
        BadFile: with the key at fault.
    """
    expect.mapping(EXPECT_KEYS)
    for key, value in expect.data.items():
        if key in ("dislodged", "disbanded", "destroyed"):
            _check_units(expect, board, key)
        elif key == "results" and isinstance(value, list):
            _check_results(expect, key)
        elif key == "results":
            by_power = Reader(expect.path, expect.at(key), expect.get(key, dict, {}))
            for name in by_power.data:
                expect.known_power(board, f"{key}.{name}", str(name))
                _check_results(by_power, name)
        elif key in ("units_after", "auto_disbanded", "owners_after", "centers"):
            expect.by_power(board, key)
        elif key in ("adjust", "nobility"):
            expect.numbers(board, key)


def _check_units(expect: Reader, board: Board, key: str) -> None:
    """A list of units with their powers; the dislodged with their attackers too."""
    for i, entry in enumerate(expect.get(key, list, [])):
        inner = Reader(expect.path, expect.at(f"{key}[{i}]"), entry)
        inner.mapping({"power", "unit", "by", "retreats"})
        inner.require("power", "unit", *(["by"] if key == "dislodged" else []))
        inner.known_power(board, "power", entry["power"])
        inner.texts("retreats")


def _check_results(expect: Reader, key: str) -> None:
    """A list of orders with their results."""
    for i, entry in enumerate(expect.get(key, list, [])):
        inner = Reader(expect.path, expect.at(f"{key}[{i}]"), entry)
        inner.mapping({"order", "result"})
        inner.require("order", "result")
