"""Reading turn and case files, YAML or JSON.

The schema is that of the DATC case files, extended; ``docs/cases.md`` describes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.board.switches import switch_faults
from alexmagnum.cases.expectation import check_expectation
from alexmagnum.cases.model import Case, Turn
from alexmagnum.cases.reading import PHASES, Reader, read_file
from alexmagnum.errors import BadFile
from alexmagnum.position import Phase, Position

SUFFIXES = (".yaml", ".yml", ".json")

FILE_KEYS = {"section", "title", "datc_version", "map", "rules", "cases", "note", "source"}
TURN_KEYS = {
    *("phase", "year", "map", "rules", "units", "orders", "centers", "homes", "nobility"),
    *("previous", "dislodged", "last_turn", "title", "id", "note"),
}
CASE_KEYS = TURN_KEYS | {"since", "expect", "clause", "choice", "alternative", "source"}


def read_case_files(paths: Iterable[Path]) -> Iterator[Case]:
    """The cases of the files named, and of those below the folders named, in a fixed order.

    A file in a folder that holds no cases (a map, a turn) is passed over.

    Raises:
        BadFile, BadPosition, BadMap: as for :func:`read_cases`.
    """
    for path in paths:
        if not path.is_dir():
            yield from read_cases(path)
            continue
        for found in sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES):
            data = read_file(found)
            if isinstance(data, dict) and ("cases" in data or "expect" in data):
                yield from _cases(str(found), data)


def read_cases(path: Path) -> tuple[Case, ...]:
    """All cases of a file.

    Raises:
        BadFile: with the case and the key at fault.
        BadPosition: a position cannot stand, or a switch cannot be set so.
        BadMap: a map that it names cannot be used.
    """
    return _cases(str(path), read_file(path))


def _cases(path: str, data: Any) -> tuple[Case, ...]:
    if isinstance(data, dict) and "cases" not in data and "expect" in data:
        data = {"cases": [data]}
    top = Reader(path, "", data)
    top.mapping(FILE_KEYS)
    listed = top.get("cases", list, [])
    if not listed:
        raise BadFile(path, "no-cases")
    return tuple(_case(path, i, case, data) for i, case in enumerate(listed))


def read_turn(path: Path, map_id: str | None = None) -> Turn:
    """The turn of a file (a case without ``expect``, or a case, whose expectation is left aside).

    Raises:
        BadFile: with the key at fault.
        BadPosition: the position cannot stand, or a switch cannot be set so.
        BadMap: the map that it names cannot be used.
    """
    data = read_file(path)
    if isinstance(data, dict) and isinstance(data.get("cases"), list):
        if len(data["cases"]) != 1:
            raise BadFile(str(path), "several-cases", count=str(len(data["cases"])))
        only = Reader(str(path), "cases[0]", data["cases"][0])
        only.mapping(CASE_KEYS)
        data = {**{k: data[k] for k in ("map", "rules") if k in data}, **only.data}
    reader = Reader(str(path), "", data)
    reader.mapping(CASE_KEYS)
    defaults = {"map": map_id} if map_id else {}
    return _turn(reader, defaults, _board(reader, defaults))


def _case(path: str, index: int, data: Any, defaults: Mapping[str, Any]) -> Case:
    name = str(data["id"]) if isinstance(data, dict) and "id" in data else f"cases[{index}]"
    reader = Reader(path, name, data)
    reader.mapping(CASE_KEYS)
    expect = Reader(path, f"{name}.expect", reader.get("expect", dict, {}))
    board = _board(reader, defaults)
    check_expectation(expect, board)
    clause = data.get("clause", ())
    return Case(
        name,
        str(data.get("title", "")),
        _turn(reader, defaults, board),
        {key: value for key, value in expect.data.items() if value is not None},
        tuple(map(str, clause)) if isinstance(clause, list) else (str(clause),) if clause else (),
        path,
    )


def _turn(reader: Reader, defaults: Mapping[str, Any], board: Board) -> Turn:
    orders = reader.by_power(board, "orders")
    previous = reader.data.get("previous")
    if previous is not None:
        if reader.phase_name() != "retreats":
            raise reader.bad("phase", "previous-without-retreats")
        inner = Reader(reader.path, reader.at("previous"), previous)
        inner.mapping(CASE_KEYS)
        outer = _inherited(reader, defaults)
        if inner.phase_name() not in ("spring_moves", "autumn_moves"):
            raise inner.bad("phase", "previous-no-movement")
        before = Case(
            inner.where,
            "",
            _turn(inner, outer, _board(inner, outer)),
            inner.get("expect", dict, {}),
        )
        return Turn(None, orders, before)
    return Turn(_position(reader, board), orders)


def _inherited(reader: Reader, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The map and switches of a case, over those of its file."""
    switches = {**(defaults.get("rules") or {}), **reader.get("rules", dict, {})}
    return {"map": reader.data.get("map") or defaults.get("map"), "rules": switches}


def _board(reader: Reader, defaults: Mapping[str, Any]) -> Board:
    inherited = _inherited(reader, defaults)
    name = str(inherited["map"] or "standard")
    # A map file may stand beside the case file that names it.
    beside = Path(reader.path).parent / name
    source = str(beside) if beside.is_file() else name
    reader.refuse(switch_faults(inherited["rules"]))
    return _load(source).with_rules(inherited["rules"])


@cache
def _load(source: str) -> Board:
    """Boards are immutable and dear: a file of a thousand cases shares them."""
    return load_board(source)


def _position(reader: Reader, board: Board) -> Position:
    season, retreats = PHASES[reader.phase_name()]
    year = reader.get("year", int, 0)
    units = tuple(reader.units(board, "units"))
    owners = reader.owners(board)
    position = Position(
        board,
        Phase(year, season, retreats),
        units,
        owners,
        reader.by_power(board, "homes"),
        reader.numbers(board, "nobility"),
        tuple(reader.dislodged(board)) if retreats else (),
    )
    reader.refuse(position.problems())
    return position
