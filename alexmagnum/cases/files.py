"""Reading turn and case files, YAML or JSON, with every fault named by file and key.

The schema is that of the DATC case files, extended; ``docs/cases.md`` describes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from alexmagnum.board import load_board
from alexmagnum.board.load import read_json, read_text
from alexmagnum.board.model import INDEPENDENT, Board, split_location
from alexmagnum.board.switches import switch_faults
from alexmagnum.cases.model import Case, Turn
from alexmagnum.errors import BadFile, BadPosition, Fault
from alexmagnum.notation.text import fold
from alexmagnum.position import (
    AUTUMN,
    DEPLOYMENT,
    KINDS,
    PICKS,
    SPRING,
    WINTER,
    Dislodged,
    Phase,
    Position,
    Unit,
)

SUFFIXES = (".yaml", ".yml", ".json")

PHASES = {
    "spring_moves": (SPRING, False),
    "autumn_moves": (AUTUMN, False),
    "retreats": (SPRING, True),
    "winter_adjustments": (WINTER, False),
    "picks": (PICKS, False),
    "deployment": (DEPLOYMENT, False),
}

FILE_KEYS = {"section", "title", "datc_version", "map", "rules", "cases", "note", "source"}
TURN_KEYS = {
    *("phase", "year", "map", "rules", "units", "orders", "centers", "homes", "nobility"),
    *("previous", "dislodged", "last_turn", "title", "id", "note"),
}
CASE_KEYS = TURN_KEYS | {"since", "expect", "clause", "choice", "alternative", "source"}
EXPECT_KEYS = {
    *("results", "dislodged", "units_after", "disbanded", "adjust", "auto_disbanded"),
    *("destroyed", "owners_after", "nobility", "awards", "contested", "void", "centers"),
    *("winners", "eliminated"),
}


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML in which only ``true`` and ``false`` are booleans: ``NO`` can be a power's id."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """A mapping in which no key stands twice: the second would silently win."""
        seen = set()
        for key_node, _ in node.value:
            key = key_node.value
            if isinstance(key, str) and key in seen:
                mark = key_node.start_mark
                raise yaml.constructor.ConstructorError(None, None, f"'{key}' twice", mark)
            if isinstance(key, str):
                seen.add(key)
        return dict(super().construct_mapping(node, deep))


_Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in _Loader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("true|false"), list("tf"))


def read_file(path: Path) -> Any:
    """The data of a YAML file, or of a JSON file by its ending.

    Raises:
        BadFile: it cannot be read, or is neither.
    """
    if path.suffix.lower() == ".json":
        return read_json(path)
    text = read_text(path)
    try:
        return yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        detail = str(getattr(error, "problem", "") or "").strip()
        raise BadFile(str(path), "file-not-yaml", where=where, detail=detail) from None
    except (RecursionError, ValueError):
        # Nested thousands deep, or a number or date that cannot be.
        raise BadFile(str(path), "value-cannot-be") from None


def find_case_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The case files named, and those below the folders named, in a fixed order.

    A file in a folder that holds no cases (a map, a turn) is passed over.
    """
    for path in paths:
        if path.is_dir():
            found = sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES)
            yield from (p for p in found if _has_cases(p))
        else:
            yield path


def _has_cases(path: Path) -> bool:
    data = read_file(path)
    return isinstance(data, dict) and ("cases" in data or "expect" in data)


def read_cases(path: Path) -> tuple[Case, ...]:
    """All cases of a file.

    Raises:
        BadFile: with the case and the key at fault.
    """
    data = read_file(path)
    if isinstance(data, dict) and "cases" not in data and "expect" in data:
        data = {"cases": [data]}
    top = _Reader(str(path), "", data)
    top.mapping(FILE_KEYS)
    listed = top.get("cases", list, [])
    if not listed:
        raise BadFile(str(path), "no-cases")
    return tuple(_case(str(path), i, case, data) for i, case in enumerate(listed))


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
        only = _Reader(str(path), "cases[0]", data["cases"][0])
        only.mapping(CASE_KEYS)
        data = {**{k: data[k] for k in ("map", "rules") if k in data}, **only.data}
    reader = _Reader(str(path), "", data)
    reader.mapping(CASE_KEYS)
    return _turn(reader, {"map": map_id} if map_id else {})


def _check_expect(expect: _Reader, board: Board) -> None:
    """Check the shape of an expectation, key by key, and that its powers exist."""
    for key in expect.data:
        if key in ("dislodged", "disbanded", "destroyed"):
            for i, entry in enumerate(expect.get(key, list, [])):
                inner = _Reader(expect.path, expect.at(f"{key}[{i}]"), entry)
                inner.mapping({"power", "unit", "by", "retreats"})
                for name in ("power", "unit", *(["by"] if key == "dislodged" else [])):
                    if not isinstance(entry.get(name), str):
                        raise inner.bad(name, "wrong-type", wanted="str", got="nothing")
                inner.known_power(board, "power", entry["power"])
                inner.texts("retreats")
        elif key == "results" and isinstance(expect.data[key], list):
            for i, entry in enumerate(expect.data[key]):
                _Reader(expect.path, expect.at(f"{key}[{i}]"), entry).result()
        elif key == "results":
            for name in expect.get(key, dict, {}):
                inner = _Reader(expect.path, expect.at(key), expect.data[key])
                expect.known_power(board, f"{key}.{name}", str(name))
                for i, entry in enumerate(inner.get(name, list, [])):
                    _Reader(expect.path, inner.at(f"{name}[{i}]"), entry).result()
        elif key in ("units_after", "auto_disbanded", "owners_after", "centers"):
            expect.by_power(board, key)
        elif key in ("adjust", "nobility"):
            expect.numbers(board, key)


def _case(path: str, index: int, data: Any, defaults: Mapping[str, Any]) -> Case:
    name = str(data["id"]) if isinstance(data, dict) and "id" in data else f"cases[{index}]"
    reader = _Reader(path, name, data)
    reader.mapping(CASE_KEYS)
    expect = _Reader(path, f"{name}.expect", reader.get("expect", dict, {}))
    expect.mapping(EXPECT_KEYS)
    _check_expect(expect, _board(reader, defaults))
    clause = data.get("clause", ())
    return Case(
        name,
        str(data.get("title", "")),
        _turn(reader, defaults),
        {key: value for key, value in expect.data.items() if value is not None},
        tuple(map(str, clause)) if isinstance(clause, list) else (str(clause),) if clause else (),
        path,
    )


def _turn(reader: _Reader, defaults: Mapping[str, Any]) -> Turn:
    board = _board(reader, defaults)
    orders = reader.by_power(board, "orders")
    previous = reader.data.get("previous")
    if previous is not None:
        if reader.phase_name() != "retreats":
            raise reader.bad("phase", "previous-without-retreats")
        inner = _Reader(reader.path, reader.at("previous"), previous)
        inner.mapping(CASE_KEYS)
        outer = _inherited(reader, defaults)
        if inner.phase_name() not in ("spring_moves", "autumn_moves"):
            raise inner.bad("phase", "previous-no-movement")
        before = Case(inner.where, "", _turn(inner, outer), inner.get("expect", dict, {}))
        return Turn(None, orders, before)
    return Turn(_position(reader, board), orders)


def _inherited(reader: _Reader, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The map and switches of a case, over those of its file."""
    switches = {**(defaults.get("rules") or {}), **reader.get("rules", dict, {})}
    return {"map": reader.data.get("map") or defaults.get("map"), "rules": switches}


def _board(reader: _Reader, defaults: Mapping[str, Any]) -> Board:
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


def _position(reader: _Reader, board: Board) -> Position:
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


class _Reader:
    """A mapping of a file, with its place in it for messages."""

    def __init__(self, path: str, where: str, data: Any) -> None:
        self.path = path
        self.where = where
        self.data: dict[str, Any] = data

    def at(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def bad(self, key: str, code: str, **data: str) -> BadFile:
        return BadFile(self.path, code, where=self.at(key), **data)

    def unknown(self, key: str, word: str, known: Iterable[str]) -> BadFile:
        """A word that is none of those known, with the nearest of them."""
        near = get_close_matches(word, sorted(known), 1)
        hint = near[0] if near else ", ".join(sorted(known))
        return self.bad(key, "unknown-word", word=word, hint=hint)

    def refuse(self, faults: Iterable[Fault]) -> None:
        """Raise what is wrong with the position, all of it at once."""
        named = tuple(replace(fault, where=self.at(fault.where)) for fault in faults)
        if named:
            raise BadPosition("bad-position", self.path, named)

    def mapping(self, known: Iterable[str]) -> None:
        """Check that this is a mapping with known keys only."""
        if not isinstance(self.data, dict):
            raise BadFile(self.path, "not-a-mapping", where=self.where or "file")
        for key in self.data:
            if key not in known:
                raise self.unknown(str(key), str(key), known)

    def get(self, key: str, kind: type, default: Any) -> Any:
        """A value of the kind wanted."""
        value = self.data.get(key)
        if value is None:
            return default
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.bad(key, "wrong-type", wanted=kind.__name__, got=type(value).__name__)
        return value

    def phase_name(self) -> str:
        phase = str(self.data.get("phase", "spring_moves"))
        if phase not in PHASES:
            raise self.unknown("phase", phase, PHASES)
        return phase

    def by_power(self, board: Board, key: str) -> dict[str, tuple[str, ...]]:
        """Lists of texts by power; powers may be given by name."""
        listed: dict[str, tuple[str, ...]] = {}
        for name, texts in self.get(key, dict, {}).items():
            power = self.known_power(board, f"{key}.{name}", str(name))
            if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
                raise self.bad(f"{key}.{name}", "not-a-list")
            listed[power] = (*listed.get(power, ()), *texts)
        return listed

    def numbers(self, board: Board, key: str) -> dict[str, int]:
        """Numbers by power."""
        numbers = {}
        for name, value in self.get(key, dict, {}).items():
            power = self.known_power(board, f"{key}.{name}", str(name))
            if not isinstance(value, int) or isinstance(value, bool):
                raise self.bad(f"{key}.{name}", "not-a-number")
            numbers[power] = value
        return numbers

    def owners(self, board: Board) -> dict[str, str]:
        """Centre to owner, out of the lists by power."""
        owners: dict[str, str] = {}
        for power, centres in self.by_power(board, "centers").items():
            for centre in centres:
                other = owners.setdefault(centre, power)
                if other != power:
                    data = {"province": centre, "power": power, "other": other}
                    self.refuse([Fault(f"centers.{power}", "two-owners", data)])
        return owners

    def known_power(self, board: Board, key: str, name: str) -> str:
        """The id of a power that a key names."""
        power = find_power(board, name)
        if not power:
            raise self.unknown(key, name, [*board.powers, INDEPENDENT])
        return power

    def texts(self, key: str) -> list[str]:
        """A list of texts."""
        texts = self.get(key, list, [])
        if not all(isinstance(text, str) for text in texts):
            raise self.bad(key, "not-a-list")
        return list(texts)

    def result(self) -> None:
        """Check an entry of ``results``."""
        self.mapping({"order", "result"})
        for key in ("order", "result"):
            if not isinstance(self.data.get(key), str):
                raise self.bad(key, "wrong-type", wanted="str", got="nothing")

    def units(self, board: Board, key: str) -> Iterator[Unit]:
        """Units by power; fleets of a sea without a number get the lowest free ones in order."""
        listed = [
            (power, self.unit(board, f"{key}.{power}", power, text))
            for power, texts in self.by_power(board, key).items()
            for text in texts
        ]
        taken = {(unit.province, unit.number) for _, unit in listed if unit.number}
        for _, unit in listed:
            if unit.number:
                yield unit
                continue
            capacity = board.provinces[unit.province].capacity
            free = (n for n in range(1, capacity + 1) if (unit.province, n) not in taken)
            # A unit too many keeps a number that is taken: Position.problems names it.
            number = next(free, 1)
            taken.add((unit.province, number))
            yield Unit(unit.power, unit.kind, unit.province, unit.coast, number)

    def unit(self, board: Board, key: str, power: str, text: str) -> Unit:
        """A unit as written, ``F STP/SC`` or ``F EGE#2``; number 0 where none is given."""
        kind, _, at = text.strip().partition(" ")
        try:
            province, coast, number = split_location(at.strip().upper())
        except ValueError:
            raise self.bad(key, "not-a-unit", unit=text, hint="") from None
        if kind.upper() not in KINDS or province not in board.provinces:
            near = get_close_matches(province, board.provinces, 1)
            raise self.bad(key, "not-a-unit", unit=text, hint=near[0] if near else "")
        return Unit(power, kind.upper(), province, coast, number)

    def dislodged(self, board: Board) -> Iterator[Dislodged]:
        """The dislodged units of a turn file in a retreat phase."""
        for i, entry in enumerate(self.get("dislodged", list, [])):
            key = f"dislodged[{i}]"
            inner = _Reader(self.path, self.at(key), entry)
            inner.mapping({"power", "unit", "by", "retreats"})
            power = inner.known_power(board, "power", str(entry.get("power", "")))
            unit = inner.unit(board, "unit", power, str(entry.get("unit", "")))
            by = inner.unit(board, "by", "", str(entry.get("by", "")))
            retreats = inner.texts("retreats")
            for way in retreats:
                if way not in board.tables.location:
                    raise inner.unknown("retreats", str(way), board.tables.location)
            numbered = Unit(power, unit.kind, unit.province, unit.coast, unit.number or 1)
            yield Dislodged(numbered, by, tuple(retreats))


def find_power(board: Board, name: str) -> str:
    """The id of a power by id, name or alias, whatever the case and accents; "" if none."""
    wanted = fold(name.strip())
    if wanted == fold(INDEPENDENT):
        return INDEPENDENT
    for power in board.powers.values():
        if wanted in map(fold, (power.id, *power.names.values(), *power.aliases)):
            return power.id
    return ""
