"""Reading turn and case files in YAML or JSON.

The format is that of the DATC case files, extended; ``docs/cases.md`` describes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.board.switches import switch_faults
from alexmagnum.cases.expectation import check_expectation, checks_nothing
from alexmagnum.cases.model import Case, Turn
from alexmagnum.cases.schema_reader import PHASES, Reader, read_file
from alexmagnum.errors import AlexMagnumError, BadFile
from alexmagnum.position import AUTUMN, DEPLOYMENT, PICKS, Phase, Position

SUFFIXES = (".yaml", ".yml", ".json")

FILE_KEYS = frozenset(
    {
        "$schema",
        "section",
        "title",
        "datc_version",
        "map",
        "rules",
        "cases",
        "note",
        "source",
    }
)
"""The keys that a case file may have beside those of its cases."""

TURN_KEYS = frozenset(
    {
        "$schema",
        "id",
        "title",
        "note",
        "map",
        "rules",
        "phase",
        "year",
        "period",
        "last_turn",
        "units",
        "orders",
        "centers",
        "homes",
        "nobility",
        "previous",
        "dislodged",
    }
)
"""The keys that a turn may have."""

CASE_KEYS = TURN_KEYS | {"since", "expect", "clause", "choice", "alternative", "source"}
"""The keys that a case may have."""


def read_case_files(
    paths: Iterable[Path], on_fault: Callable[[str, AlexMagnumError], None] | None = None
) -> Iterator[Case]:
    """Yield the cases of files and of all files below folders, in a fixed sequence.

    Files in a folder that hold no cases (maps, turns) are passed over.  ``on_fault`` gets the path
    and the error of each file that cannot be used; without it the first one is raised.

    Raises:
        BadFile, BadPosition, BadMap: as for :func:`read_cases`.
    """
    for path in paths:
        in_folder = path.is_dir()
        files = sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES)
        for file in files if in_folder else [path]:
            try:
                yield from _read_cases_of(file, in_folder=in_folder)
            except AlexMagnumError as error:
                if on_fault is None:
                    raise
                on_fault(str(file), error)


def _read_cases_of(path: Path, *, in_folder: bool) -> tuple[Case, ...]:
    """Return the cases of a file; a file found in a folder may hold none."""
    data = read_file(path)
    if in_folder and not (isinstance(data, dict) and ("cases" in data or "expect" in data)):
        return ()
    return _cases(str(path), data)


def read_cases(path: Path) -> tuple[Case, ...]:
    """Return all cases of a file.

    Raises:
        BadFile: with the case and the key at fault.
        BadPosition: a position cannot stand, or a switch cannot be set so.
        BadMap: a map that it names cannot be used.
    """
    return _cases(str(path), read_file(path))


def parse_cases(text: str, source: str) -> tuple[Case, ...]:
    """Return all cases of a text in YAML or JSON; faults name ``source`` as the file.

    Raises:
        BadFile, BadPosition, BadMap: as for :func:`read_cases`.
    """
    from alexmagnum.cases.yaml_reader import parse_yaml  # few commands read YAML

    return _cases(source, parse_yaml(text, source))


def _cases(path: str, data: Any) -> tuple[Case, ...]:
    if isinstance(data, dict) and "cases" not in data and "expect" in data:
        data = {"cases": [data]}
    top = Reader(path, "", data)
    top.mapping(FILE_KEYS)
    listed = top.get("cases", list, [])
    if not listed:
        raise BadFile(path, "no-cases")
    cases = tuple(_case(path, i, case, data) for i, case in enumerate(listed))
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise BadFile(path, "case-twice", where=case.id)
        seen.add(case.id)
    return cases


def read_turn(path: Path, map_id: str | None = None) -> Turn:
    """Return the turn of a file; if it holds a case, the expectation is ignored.

    Raises:
        BadFile: with the key at fault.
        BadPosition: the position cannot stand, or a switch cannot be set so.
        BadMap: the map that it names cannot be used.
    """
    return turn_of(read_file(path), str(path), map_id)


def turn_of(data: Any, path: str, map_id: str | None = None) -> Turn:
    """Return the turn in the data of a turn file; faults name ``path`` as the file.

    Raises:
        BadFile, BadPosition, BadMap: as for :func:`read_turn`.
    """
    if isinstance(data, dict) and isinstance(data.get("cases"), list):
        if len(data["cases"]) != 1:
            raise BadFile(path, "several-cases", count=str(len(data["cases"])))
        only = Reader(path, "cases[0]", data["cases"][0])
        only.mapping(CASE_KEYS)
        data = {**{k: data[k] for k in ("map", "rules") if k in data}, **only.data}
    reader = Reader(path, "", data)
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
    if checks_nothing(expect.data):
        raise BadFile(path, "no-expectation", where=expect.where)
    clause = data.get("clause", ())
    return Case(
        name,
        str(data.get("title", "")),
        _turn(reader, defaults, board),
        _read_expectation(expect),
        tuple(map(str, clause)) if isinstance(clause, list) else (str(clause),) if clause else (),
        path,
    )


def _turn(reader: Reader, defaults: Mapping[str, Any], board: Board) -> Turn:
    orders = reader.by_power(board, "orders")
    if reader.data.get("previous") is None:
        return Turn(_position(reader, board), orders)
    if not PHASES[reader.phase_name()][1]:
        raise reader.bad("phase", "previous-without-retreats")
    return Turn(None, orders, _previous(reader, defaults))


def _previous(reader: Reader, defaults: Mapping[str, Any]) -> Case:
    """Return the movement phase before a retreat phase.

    Owners, homes, nobility and year are those of the case, unless this phase has its own.
    """
    data = reader.data["previous"]
    inner = Reader(reader.path, reader.at("previous"), data)
    inner.mapping(CASE_KEYS)
    if inner.phase_name() not in ("spring_moves", "autumn_moves"):
        raise inner.bad("phase", "previous-no-movement")
    shared = ("centers", "homes", "nobility", "year", "last_turn")
    inner.data = {**{key: reader.data[key] for key in shared if key in reader.data}, **data}
    outer = _merge_defaults(reader, defaults)
    board = _board(inner, outer)
    expect = Reader(reader.path, inner.at("expect"), inner.get("expect", dict, {}))
    check_expectation(expect, board)
    return Case(inner.where, "", _turn(inner, outer, board), _read_expectation(expect))


def _read_expectation(expect: Reader) -> dict[str, Any]:
    """Return an expectation without its empty keys, which are not checked."""
    return {key: value for key, value in expect.data.items() if value is not None}


class _MapAndRules(TypedDict):
    """The map of a case by id or path, "" for the standard map, and its switches."""

    map: str
    rules: Mapping[str, object]


def _merge_defaults(reader: Reader, defaults: Mapping[str, Any]) -> _MapAndRules:
    """Return the map and switches of a case: its own over those of its file."""
    switches = {**(defaults.get("rules") or {}), **reader.get("rules", dict, {})}
    return {"map": str(reader.data.get("map") or defaults.get("map") or ""), "rules": switches}


def _board(reader: Reader, defaults: Mapping[str, Any]) -> Board:
    inherited = _merge_defaults(reader, defaults)
    name = inherited["map"] or "standard"
    # A map file may stand beside the case file that names it.
    beside = Path(reader.path).parent / name
    source = str(beside) if beside.is_file() else name
    reader.refuse(switch_faults(inherited["rules"]))
    board = _load(source).with_rules(inherited["rules"])
    if reader.flag("last_turn"):
        # The last turn is in the last year (R34), so that the last year is this one.
        return board.with_rules({"last_year": _year(reader, board)})
    return board


@cache
def _load(source: str) -> Board:
    """Load a board once, so that a file of a thousand cases shares it."""
    return load_board(source)


def _year(reader: Reader, board: Board) -> int:
    """Return the year of a turn; 0 if it has none."""
    rules = board.rules
    default = 0
    if reader.flag("last_turn"):
        default = rules.last_year or rules.first_year
    elif reader.phase_name() in (PICKS, DEPLOYMENT):
        default = rules.first_year
    return int(reader.get("year", int, default)) or default


def _phase(reader: Reader, board: Board) -> Phase:
    season, retreats = PHASES[reader.phase_name()]
    if retreats and reader.flag("last_turn"):
        season = AUTUMN
    period = {PICKS: 1, DEPLOYMENT: board.rules.picks + 1}.get(season, 0)
    return Phase(_year(reader, board), season, retreats, reader.get("period", int, period))


def _position(reader: Reader, board: Board) -> Position:
    phase = _phase(reader, board)
    units = tuple(reader.units(board, "units"))
    owners = reader.owners(board)
    position = Position(
        board,
        phase,
        units,
        owners,
        reader.by_power(board, "homes"),
        reader.numbers(board, "nobility"),
        tuple(reader.dislodged(board, units)) if phase.retreats else (),
    )
    reader.refuse(position.problems())
    return position
