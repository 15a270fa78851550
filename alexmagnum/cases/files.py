"""Turn and case files: turns, cases and what they expect, read from YAML or JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from alexmagnum.board import load_board
from alexmagnum.board.model import Board, switch_faults
from alexmagnum.cases.schema import PHASES, MappingReader, parse_yaml, read_file
from alexmagnum.errors import AlexMagnumError, BadFile
from alexmagnum.judge.outcome import RESULTS
from alexmagnum.position import AUTUMN, DEPLOYMENT, PICKS, Phase, Position

# Checking the shape of an expectation: the values that each key of ``expect`` may have.


def check_expectation(expect: MappingReader, board: Board) -> None:
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


def _check_units(expect: MappingReader, board: Board, key: str) -> None:
    """Check a list of units with their powers; dislodged units have their attackers as well."""
    for i, entry in enumerate(expect.get(key, list, [])):
        inner = MappingReader(expect.path, expect.at(f"{key}[{i}]"), entry)
        inner.mapping({"power", "unit", "by", "retreats"})
        inner.require("power", "unit", *(["by"] if "by" in entry else []))
        inner.known_power(board, "power", entry["power"])
        inner.texts("retreats")


def _check_all_results(expect: MappingReader, board: Board, key: str) -> None:
    """Check results by power, or in one list for all powers."""
    if isinstance(expect.data[key], list):
        _check_results(expect, key)
        return
    by_power = MappingReader(expect.path, expect.at(key), expect.get(key, dict, {}))
    for name in by_power.data:
        expect.known_power(board, f"{key}.{name}", str(name))
        _check_results(by_power, name)


def _check_results(expect: MappingReader, key: str) -> None:
    for i, entry in enumerate(expect.get(key, list, [])):
        inner = MappingReader(expect.path, expect.at(f"{key}[{i}]"), entry)
        inner.mapping({"order", "result"})
        inner.require("order", "result")
        if entry["result"] not in RESULTS:
            raise inner.unknown("result", entry["result"], RESULTS)


def _check_powers(expect: MappingReader, board: Board, key: str) -> None:
    for name in expect.texts(key):
        expect.known_power(board, key, name)


def _check_owners(expect: MappingReader, board: Board, key: str) -> None:
    for power, centres in expect.by_power(board, key).items():
        _check_centres(expect, board, f"{key}.{power}", centres)


def _check_awards(expect: MappingReader, board: Board, key: str) -> None:
    awards = MappingReader(expect.path, expect.at(key), expect.get(key, dict, {}))
    for name in awards.data:
        awards.known_power(board, str(name), str(name))
        awards.require(name)
        _check_centres(awards, board, str(name), [awards.data[name]])


def _check_centres(expect: MappingReader, board: Board, key: str, centres: Iterable[str]) -> None:
    for centre in centres:
        if centre not in board.centres:
            raise expect.unknown(key, centre, board.centres)


NAMED_ONLY = frozenset({"results", "adjust", "nobility", "owners_after", "centers"})
"""The keys that check only the orders or powers that they name; all others check everything."""

SHAPES: Mapping[str, Callable[[MappingReader, Board, str], object]] = {
    "results": _check_all_results,
    "dislodged": _check_units,
    "disbanded": _check_units,
    "destroyed": _check_units,
    "units_after": MappingReader.by_power,
    "auto_disbanded": MappingReader.by_power,
    "owners_after": _check_owners,
    "centers": _check_owners,
    "adjust": MappingReader.numbers,
    "nobility": MappingReader.numbers,
    "void": _check_powers,
    "winners": _check_powers,
    "eliminated": _check_powers,
    "awards": _check_awards,
    "contested": lambda expect, board, key: _check_centres(expect, board, key, expect.texts(key)),
}
"""The check of each key of ``expect``."""


# Turns and cases as they are read from files, and the result of running a case.


@dataclass(frozen=True, slots=True)
class Turn:
    """A position and the orders for it as written, by power id.

    A retreat phase may have the movement phase before it, ``previous``, instead of a position: then
    ``position`` is None, and the outcome of ``previous`` is the position.
    """

    position: Position | None
    orders: Mapping[str, tuple[str, ...]]
    previous: Case | None = None

    @property
    def board(self) -> Board:
        """The board on which the turn is played."""
        if self.position is not None:
            return self.position.board
        assert self.previous is not None, "a turn has a position or a previous phase"
        return self.previous.turn.board


@dataclass(frozen=True, slots=True)
class Case:
    """A turn with an ``id``, the rulings it pins, and the outcome it expects.

    ``expect`` has the keys of the file; what has no key is not checked.
    """

    id: str
    title: str
    turn: Turn
    expect: Mapping[str, Any]
    clauses: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference from the expected outcome; ``what`` names the key of ``expect``."""

    what: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected}, got {self.got}"


@dataclass(frozen=True, slots=True)
class CaseRun:
    """A case that was run, with all differences from the expected outcome."""

    case: Case
    differences: tuple[Difference, ...] = field(default=())

    @property
    def passed(self) -> bool:
        """True if there is no difference."""
        return not self.differences


# Reading turn and case files in YAML or JSON.
#
# The format is that of the DATC case files, extended; ``docs/cases.md`` describes it.


SUFFIXES = (".yaml", ".yml", ".json")

FILE_KEYS = frozenset(
    "$schema section title datc_version map rules cases note source".split()  # noqa: SIM905
)
"""The keys that a case file may have beside those of its cases."""

TURN_KEYS = frozenset(
    """
    $schema id title note map rules phase year period last_turn units orders centers homes
    nobility previous dislodged
    """.split()  # noqa: SIM905
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
    """
    holds = ("cases", "expect")
    for path in paths:
        in_folder = path.is_dir()
        files = sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES)
        for file in files if in_folder else [path]:
            try:
                data = read_file(file)
                if not in_folder or (isinstance(data, dict) and not data.keys().isdisjoint(holds)):
                    yield from _cases(str(file), data)
            except AlexMagnumError as error:
                if on_fault is None:
                    raise
                on_fault(str(file), error)


def read_cases(path: Path) -> tuple[Case, ...]:
    """Return all cases of a file.

    Raises:
        BadFile: with the case and the key at fault.
        BadPosition: a position cannot stand, or a switch cannot be set so.
        BadMap: a map that it names cannot be used.
    """
    return _cases(str(path), read_file(path))


def parse_cases(text: str, source: str) -> tuple[Case, ...]:
    """Return all cases of a text in YAML or JSON; faults name ``source`` as the file."""
    return _cases(source, parse_yaml(text, source))


def _cases(path: str, data: Any) -> tuple[Case, ...]:
    if isinstance(data, dict) and "cases" not in data and "expect" in data:
        data = {"cases": [data]}
    top = MappingReader(path, "", data)
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
    """Return the turn of a file; if it holds a case, the expectation is ignored."""
    return turn_of(read_file(path), str(path), map_id)


def turn_of(data: Any, path: str, map_id: str | None = None) -> Turn:
    """Return the turn in the data of a turn file; faults name ``path`` as the file."""
    if isinstance(data, dict) and isinstance(data.get("cases"), list):
        if len(data["cases"]) != 1:
            raise BadFile(path, "several-cases", count=str(len(data["cases"])))
        only = MappingReader(path, "cases[0]", data["cases"][0])
        only.mapping(CASE_KEYS)
        data = {**{k: data[k] for k in ("map", "rules") if k in data}, **only.data}
    reader = MappingReader(path, "", data)
    reader.mapping(CASE_KEYS)
    defaults = {"map": map_id} if map_id else {}
    return _turn(reader, defaults, _board(reader, defaults))


def _case(path: str, index: int, data: Any, defaults: Mapping[str, Any]) -> Case:
    name = str(data["id"]) if isinstance(data, dict) and "id" in data else f"cases[{index}]"
    reader = MappingReader(path, name, data)
    reader.mapping(CASE_KEYS)
    expect = MappingReader(path, f"{name}.expect", reader.get("expect", dict, {}))
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


def _turn(reader: MappingReader, defaults: Mapping[str, Any], board: Board) -> Turn:
    orders = reader.by_power(board, "orders")
    if reader.data.get("previous") is None:
        return Turn(reader.position(board, _phase(reader, board)), orders)
    if not PHASES[reader.phase_name()][1]:
        raise reader.bad("phase", "previous-without-retreats")
    return Turn(None, orders, _previous(reader, defaults))


def _previous(reader: MappingReader, defaults: Mapping[str, Any]) -> Case:
    """Return the movement phase before a retreat phase.

    Owners, homes, nobility and year are those of the case, unless this phase has its own.
    """
    data = reader.data["previous"]
    inner = MappingReader(reader.path, reader.at("previous"), data)
    inner.mapping(CASE_KEYS)
    if inner.phase_name() not in ("spring_moves", "autumn_moves"):
        raise inner.bad("phase", "previous-no-movement")
    shared = ("centers", "homes", "nobility", "year", "last_turn")
    inner.data = {**{key: reader.data[key] for key in shared if key in reader.data}, **data}
    outer = _merge_defaults(reader, defaults)
    board = _board(inner, outer)
    expect = MappingReader(reader.path, inner.at("expect"), inner.get("expect", dict, {}))
    check_expectation(expect, board)
    return Case(inner.where, "", _turn(inner, outer, board), _read_expectation(expect))


def _read_expectation(expect: MappingReader) -> dict[str, Any]:
    """Return an expectation without its empty keys, which are not checked."""
    return {key: value for key, value in expect.data.items() if value is not None}


def _merge_defaults(reader: MappingReader, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the map and switches of a case: its own over those of its file."""
    switches = {**(defaults.get("rules") or {}), **reader.get("rules", dict, {})}
    return {"map": str(reader.data.get("map") or defaults.get("map") or ""), "rules": switches}


def _board(reader: MappingReader, defaults: Mapping[str, Any]) -> Board:
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


def _year(reader: MappingReader, board: Board) -> int:
    rules = board.rules
    default = 0
    if reader.flag("last_turn"):
        default = rules.last_year or rules.first_year
    elif reader.phase_name() in (PICKS, DEPLOYMENT):
        default = rules.first_year
    return int(reader.get("year", int, default)) or default


def _phase(reader: MappingReader, board: Board) -> Phase:
    season, retreats = PHASES[reader.phase_name()]
    if retreats and reader.flag("last_turn"):
        season = AUTUMN
    period = {PICKS: 1, DEPLOYMENT: board.rules.picks + 1}.get(season, 0)
    return Phase(_year(reader, board), season, retreats, reader.get("period", int, period))
