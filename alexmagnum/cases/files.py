"""Turn and case files: read from YAML or JSON, run, and compared with what they expect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from alexmagnum.board.map_file import known_maps, load_board, locate_map
from alexmagnum.board.model import INDEPENDENT, Board, near, switch_faults
from alexmagnum.campaign import eliminated, ending, newly_eliminated, owners_after, retreat_position
from alexmagnum.cases.schema import PHASES, MappingReader, read_file
from alexmagnum.errors import AlexMagnumError, BadFile, NotationError
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.judge.outcome import ILLEGAL, RESULTS, Picks
from alexmagnum.notation import read_order
from alexmagnum.notation.names import find_power
from alexmagnum.orders import Order
from alexmagnum.position import AUTUMN, DEPLOYMENT, PICKS, Dislodged, Phase, Position, Unit

# Checking the shape of an expectation: the values that each key of ``expect`` may have.


def check_expectation(expect: MappingReader, board: Board) -> None:
    """Check an expectation key by key: its shape, and that powers, centres and results exist."""
    expect.mapping(EXPECTED)
    for key in expect.data:
        EXPECTED[key].shape(expect, board, key)


def checks_nothing(expect: Mapping[str, Any]) -> bool:
    """Tell whether an expectation can never fail: it is empty, or names no order and no power."""
    return all(
        value is None or (EXPECTED[key].named_only and not any(_list_named(value)))
        for key, value in expect.items()
    )


def _list_named(value: Any) -> list[Any]:
    """Return what a key names: the entries of a list, or the values by power."""
    if not isinstance(value, dict):
        return list(value)
    return [entry is not None and entry != [] for entry in value.values()]


def _require_units(expect: MappingReader, board: Board, key: str) -> None:
    """Check a list of units with their powers; dislodged units have their attackers as well."""
    for i, entry in enumerate(expect.get(key, list, [])):
        inner = MappingReader(expect.path, expect.at(f"{key}[{i}]"), entry)
        inner.mapping({"power", "unit", "by", "retreats"})
        inner.require("power", "unit", *(["by"] if "by" in entry else []))
        inner.known_power(board, "power", entry["power"])
        inner.texts("retreats")


def _require_results(expect: MappingReader, board: Board, key: str) -> None:
    """Check results by power, or in one list for all powers."""
    if isinstance(expect.data[key], list):
        _require_result_list(expect, key)
        return
    by_power = MappingReader(expect.path, expect.at(key), expect.get(key, dict, {}))
    for name in by_power.data:
        expect.known_power(board, f"{key}.{name}", str(name))
        _require_result_list(by_power, name)


def _require_result_list(expect: MappingReader, key: str) -> None:
    for i, entry in enumerate(expect.get(key, list, [])):
        inner = MappingReader(expect.path, expect.at(f"{key}[{i}]"), entry)
        inner.mapping({"order", "result"})
        inner.require("order", "result")
        if entry["result"] not in RESULTS:
            raise inner.unknown("result", entry["result"], RESULTS)


def _require_powers(expect: MappingReader, board: Board, key: str) -> None:
    for name in expect.texts(key):
        expect.known_power(board, key, name)


def _require_owners(expect: MappingReader, board: Board, key: str) -> None:
    for power, centres in expect.by_power(board, key).items():
        _require_centres(expect, board, f"{key}.{power}", centres)


def _require_awards(expect: MappingReader, board: Board, key: str) -> None:
    awards = MappingReader(expect.path, expect.at(key), expect.get(key, dict, {}))
    for name in awards.data:
        awards.known_power(board, str(name), str(name))
        awards.require(name)
        _require_centres(awards, board, str(name), [awards.data[name]])


def _require_contested(expect: MappingReader, board: Board, key: str) -> None:
    _require_centres(expect, board, key, expect.texts(key))


def _require_centres(expect: MappingReader, board: Board, key: str, centres: Iterable[str]) -> None:
    for centre in centres:
        if centre not in board.centres:
            raise expect.unknown(key, centre, board.centres)


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

    Raises:
        BadFile: with the case and the key at fault.
        BadPosition: a position cannot stand, or a switch cannot be set so.
        BadMap: a map that it names cannot be used.
    """
    holds = ("cases", "expect")
    for path in paths:
        in_folder = path.is_dir()
        files = sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES)
        for file in files if in_folder else [path]:
            try:
                data = read_file(file)
                if not in_folder or (isinstance(data, dict) and not data.keys().isdisjoint(holds)):
                    yield from parse_cases(str(file), data)
            except AlexMagnumError as error:
                if on_fault is None:
                    raise
                on_fault(str(file), error)


def parse_cases(path: str, data: Any) -> tuple[Case, ...]:
    """Return all cases in the data of a file; faults name it by ``path``."""
    if isinstance(data, dict) and "cases" not in data and "expect" in data:
        data = {"cases": [data]}
    top = MappingReader(path, "", data)
    top.mapping(FILE_KEYS)
    if not (listed := top.get("cases", list, [])):
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
    defaults = {"map": map_id, "chosen": map_id} if map_id else {}
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
    """Return the phase before retreats; owners, homes, nobility and year default to the case's."""
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
    """Return a case's map and switches over its file's, and the map that the user has chosen."""
    switches = {**(defaults.get("rules") or {}), **reader.get("rules", dict, {})}
    name = str(reader.data.get("map") or defaults.get("map") or "standard")
    return {"map": name, "chosen": defaults.get("chosen"), "rules": switches}


def _board(reader: MappingReader, defaults: Mapping[str, Any]) -> Board:
    inherited = _merge_defaults(reader, defaults)
    name, folder = inherited["map"], Path(reader.path).parent
    source = name if name == inherited["chosen"] else str(locate_map(name, folder))
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


# Counting the cases of each ruling; a map file lists the rulings of its rules under ``rulings``.


@dataclass(frozen=True, slots=True)
class UnknownClause:
    """A clause of a case that is no ruling of any map, so that it was probably mistyped.

    ``near``: the ruling that was probably meant, or an empty text.
    """

    case: Case
    clause: str
    near: str


def clause_coverage(cases: Iterable[Case]) -> dict[str, int]:
    """Count cases by clause: every ruling of their maps, also those without any, then the others.

    A case without a clause whose id is of DATC counts for its section there.
    """
    rulings: dict[str, int] = {}
    counts: Counter[str] = Counter()
    for case in cases:
        rulings |= dict.fromkeys(case.turn.board.rulings, 0)
        counts.update(case.clauses)
        if not case.clauses and re.match(r"6\.[A-J]\.\d+", case.id):
            counts[f"DATC {case.id[:3]}"] += 1
    others = sorted(clause for clause in counts if clause not in rulings)
    return {clause: counts[clause] for clause in (*rulings, *others)}


def unknown_clauses(cases: Sequence[Case]) -> tuple[UnknownClause, ...]:
    """Find the clauses that are neither a section of DATC nor a ruling of a map.

    The maps are those of the cases and those of the package.  A case on a map that lists no
    rulings may name its clauses freely; only its sections of DATC are checked.
    """
    boards = [*(case.turn.board for case in cases), *map(load_board, known_maps())]
    rulings = [*dict.fromkeys(ruling for board in boards for ruling in board.rulings)]
    return tuple(
        UnknownClause(case, clause, near(clause, case.turn.board.rulings))
        for case in cases
        for clause in case.clauses
        if case.turn.board.rulings or clause.startswith("DATC")
        if clause not in rulings and not re.fullmatch(r"DATC 6\.[A-J](\.\d+)?", clause)
    )


# Adjudicating a turn as written: its outcome, and the result of each line.


class Resolution:
    """An adjudicated turn: the outcome, and the result of each line of the file.

    ``refused`` holds the lines that are no orders, by (power, number in its list).
    """

    def __init__(self, position: Position, orders: Mapping[str, Sequence[str]]) -> None:
        self.position = position
        self.written = orders
        self.refused: dict[tuple[str, int], NotationError] = {}
        self.orders: dict[str, list[Order]] = {power: [] for power in orders}
        for power, lines in orders.items():
            for i, line in enumerate(lines):
                try:
                    self.orders[power].append(read_order(line, position, power))
                except NotationError as error:
                    self.refused[power, i] = error

    @cached_property
    def outcome(self) -> Outcome:
        """The outcome of the phase."""
        return adjudicate(self.position, self.orders)

    def results(self) -> dict[str, list[tuple[str, str]]]:
        """Return every line as written with its result, by power; a refused line is illegal."""
        judged = {
            power: iter([entry.result for entry in self.outcome.results if entry.power == power])
            for power in self.written
        }
        return {
            power: [
                (line, ILLEGAL if (power, i) in self.refused else next(judged[power]))
                for i, line in enumerate(lines)
            ]
            for power, lines in self.written.items()
        }


def resolve_turn(turn: Turn) -> Resolution:
    """Adjudicate a turn, after the movement phase before it if the turn has one."""
    if turn.position is not None:
        return Resolution(turn.position, turn.orders)
    assert turn.previous is not None, "a turn has a position or a previous phase"
    return Resolution(retreat_position(resolve_turn(turn.previous.turn).outcome), turn.orders)


# Comparing an outcome with the expected one, key by key of ``expect``.
#
# Units are compared as texts, with their number only if the file gives one: ``F EGE`` is any
# fleet of that power there, ``F EGE#2`` the one in place 2.


NO_PICKS = Picks({}, (), ())


def differences(expect: Mapping[str, Any], resolution: Resolution) -> Iterator[Difference]:
    """Yield all differences from what is expected; only the keys that are there are checked."""
    for key, expected in expect.items():
        yield from EXPECTED[key].check(key, expected, resolution)


# -- orders ---------------------------------------------------------------------------------------


def _check_results(key: str, expected: Any, resolution: Resolution) -> Iterator[Difference]:
    """Check results; entries in a plain list are matched to the orders of all powers."""
    results = resolution.results()
    if isinstance(expected, list):
        expected = {"": expected}
    for name, entries in expected.items():
        powers = [find_power(resolution.position.board, name)] if name else list(results)
        lines = [line for power in powers for line in results.get(power, ())]
        yield from _compare_results(name, entries or (), lines, resolution.position)


def _compare_results(
    name: str,
    entries: Iterable[Mapping[str, Any]],
    lines: list[tuple[str, str]],
    position: Position,
) -> Iterator[Difference]:
    """Match each entry to a line by its text or its meaning, and compare their results."""
    for entry in entries:
        text, want = str(entry["order"]), str(entry["result"])
        what = f"{name}: {text}" if name else text
        if (found := _find_line(text, lines, position)) is None:
            yield Difference(what, want, "no such order")
            continue
        lines.remove(found)
        if found[1] != want:
            yield Difference(what, want, found[1])


def _find_line(
    text: str, lines: Sequence[tuple[str, str]], position: Position
) -> tuple[str, str] | None:
    """Return the line of an expected order: one with the same text, or else the same order."""
    meanings: Sequence[Callable[[str], object]] = (
        lambda line: line.casefold().split(),
        lambda line: _order(line, position),
    )
    for meaning in meanings:
        wanted = meaning(text)
        for line in lines:
            if wanted is not None and meaning(line[0]) == wanted:
                return line
    return None


def _order(text: str, position: Position) -> Order | None:
    try:
        return read_order(text, position)
    except NotationError:
        return None


# -- units ----------------------------------------------------------------------------------------


def _write_units(units: Iterable[Unit], wanted: Iterable[str], board: Board) -> Counter[str]:
    """Return units as the file writes them; those it does not expect show their number in a sea."""
    left, texts, others = Counter(wanted), Counter[str](), []
    for unit in units:
        numbered = _full_name(unit)
        if left[numbered]:
            left[numbered] -= 1
            texts[numbered] += 1
        else:
            others.append(unit)
    for unit in others:
        text = str(unit)
        if left[text]:
            left[text] -= 1
        elif board.provinces[unit.province].capacity > 1:
            text = _full_name(unit)
        texts[text] += 1
    return texts


def _full_name(unit: Unit) -> str:
    return f"{unit.kind} {unit.place}"


def _compare(what: str, expected: Counter[str], got: Counter[str]) -> Iterator[Difference]:
    if expected != got:
        missing, extra = expected - got, got - expected
        yield Difference(
            what,
            ", ".join(sorted(missing.elements())) or "nothing else",
            ", ".join(sorted(extra.elements())) or "nothing else",
        )


def _check_units(key: str, expected: Any, resolution: Resolution) -> Iterator[Difference]:
    """Check every unit on the board, also those of powers that the file does not name."""
    board, units = resolution.position.board, resolution.outcome.units
    by_power = _texts_by_power(board, expected)
    for power in dict.fromkeys([*by_power, *(u.power for u in units)]):
        texts = by_power.get(power, [])
        got = _write_units((u for u in units if u.power == power), texts, board)
        yield from _compare(f"{key} {power}", Counter(texts), got)


def _texts_by_power(board: Board, expected: Mapping[str, Any]) -> dict[str, list[str]]:
    return {find_power(board, name) or name: list(texts or ()) for name, texts in expected.items()}


def _check_dislodged(key: str, expected: Any, resolution: Resolution) -> Iterator[Difference]:
    """Check every dislodged unit; ``by`` and ``retreats`` only if the file has them."""
    outcome = resolution.outcome
    left = [
        {**entry, "power": find_power(outcome.position.board, entry["power"])} for entry in expected
    ]
    wanted = Counter(map(_dislodged_text, left))
    found: dict[Unit, Mapping[str, Any]] = {}
    for name in (_full_name, str):  # an entry with a number comes before one without
        for dislodged in outcome.dislodged:
            unit = dislodged.unit
            entry = next(
                (e for e in left if (e["power"], e["unit"]) == (unit.power, name(unit))), None
            )
            if unit not in found and entry is not None:
                left.remove(entry)
                found[unit] = entry
    got = Counter(
        _dislodged_text(_as_written(found.get(d.unit), d, outcome)) for d in outcome.dislodged
    )
    yield from _compare(key, wanted, got)


def _as_written(
    entry: Mapping[str, Any] | None, dislodged: Dislodged, outcome: Outcome
) -> Mapping[str, Any]:
    """Return a dislodged unit in the words of the entry that expects it, where they are right."""
    board, unit, by = outcome.position.board, dislodged.unit, dislodged.by
    if entry is None:
        (text,), (attacker,) = _write_units([unit], (), board), _write_units([by], (), board)
        return {"power": unit.power, "unit": text, "by": attacker, "retreats": dislodged.retreats}
    written: dict[str, Any] = {"power": unit.power, "unit": entry["unit"]}
    if "by" in entry:
        attackers = [by, *outcome.attackers(unit)]  # the entry may name any of them
        texts = [next(iter(_write_units([a], [entry["by"]], board))) for a in attackers]
        written["by"] = entry["by"] if entry["by"] in texts else texts[0]
    if "retreats" in entry:
        written["retreats"] = dislodged.retreats
    return written


def _dislodged_text(entry: Mapping[str, Any]) -> str:
    text = f"{entry['power']} {entry['unit']}"
    if "by" in entry:
        text += f" by {entry['by']}"
    if "retreats" in entry:
        text += f" open to {', '.join(sorted(entry['retreats'])) or 'nowhere'}"
    return text


def _check_lost(key: str, expected: Any, resolution: Resolution) -> Iterator[Difference]:
    """Check the units that are no more, which ``expected`` lists with or by their powers."""
    board, outcome = resolution.position.board, resolution.outcome
    if key == "auto_disbanded":
        by_power = _texts_by_power(board, expected)
        pairs = [(power, text) for power, texts in by_power.items() for text in texts]
    else:
        pairs = [(find_power(board, entry["power"]), entry["unit"]) for entry in expected]
    lost = outcome.removed if key == "auto_disbanded" else getattr(outcome, key)
    got: Counter[str] = Counter()
    for power in dict.fromkeys(unit.power for unit in lost):
        wanted = [text for owner, text in pairs if owner == power]
        texts = _write_units((unit for unit in lost if unit.power == power), wanted, board)
        got.update({f"{power} {text}": count for text, count in texts.items()})
    yield from _compare(key, Counter(f"{power} {text}" for power, text in pairs), got)


# -- figures, centres and powers ------------------------------------------------------------------


def _check_numbers(key: str, expected: Any, resolution: Resolution) -> Iterator[Difference]:
    """Check numbers by power; powers that are not named are not checked."""
    numbers: Mapping[str, int] = getattr(resolution.outcome, key)
    for name, want in expected.items():
        if (got := numbers.get(find_power(resolution.position.board, name))) != want:
            yield Difference(f"{key} {name}", str(want), str(got))


def _check_owners(key: str, expected: Any, resolution: Resolution) -> Iterator[Difference]:
    """Check centres by power; powers that are not named are not checked."""
    owners = owners_after(resolution.outcome)
    for power, centres in _texts_by_power(resolution.position.board, expected).items():
        if power == INDEPENDENT:
            got = Counter(centre for centre in centres if centre not in owners)  # there may be more
        else:
            got = Counter(centre for centre, owner in owners.items() if owner == power)
        yield from _compare(f"{key} {power}", Counter(centres), got)


def _check_awards(key: str, expected: Any, resolution: Resolution) -> Iterator[Difference]:
    """Check that a period of picks has these awards and no others (R30)."""
    board = resolution.position.board
    picks = resolution.outcome.picks or NO_PICKS
    want = Counter(f"{find_power(board, name)} {centre}" for name, centre in expected.items())
    got = Counter(f"{power} {centre}" for power, centre in picks.awards.items())
    yield from _compare(key, want, got)


def _check_contested(key: str, expected: Any, resolution: Resolution) -> Iterator[Difference]:
    picks = resolution.outcome.picks or NO_PICKS
    yield from _compare(key, Counter(expected), Counter(picks.contested))


def _check_powers(key: str, expected: Any, resolution: Resolution) -> Iterator[Difference]:
    """Check a list of powers: a power without orders need not be listed as void, nor one that had
    nothing before the phase as eliminated."""
    outcome, board = resolution.outcome, resolution.position.board
    optional: Iterable[str] = ()
    if key == "void":
        powers = (outcome.picks or NO_PICKS).void
        optional = board.powers.keys() - resolution.written.keys()
    elif key == "eliminated":
        powers = eliminated(outcome)
        optional = set(powers).difference(newly_eliminated(outcome))
    else:
        end = ending(outcome)
        powers = end.winners if end else ()
    want = Counter(find_power(board, name) for name in expected)
    free = set(optional) - set(want)
    yield from _compare(key, want, Counter(power for power in powers if power not in free))


class ExpectationKey(NamedTuple):
    """A key of ``expect``: the check of its shape in a file, and that of an outcome against it.

    ``named_only``: it checks only the orders or powers that it names; others check everything.
    """

    shape: Callable[[MappingReader, Board, str], object]
    check: Callable[[str, Any, Resolution], Iterable[Difference]]
    named_only: bool = False


EXPECTED: Mapping[str, ExpectationKey] = {
    "results": ExpectationKey(_require_results, _check_results, named_only=True),
    "dislodged": ExpectationKey(_require_units, _check_dislodged),
    "disbanded": ExpectationKey(_require_units, _check_lost),
    "destroyed": ExpectationKey(_require_units, _check_lost),
    "units_after": ExpectationKey(MappingReader.by_power, _check_units),
    "auto_disbanded": ExpectationKey(MappingReader.by_power, _check_lost),
    "owners_after": ExpectationKey(_require_owners, _check_owners, named_only=True),
    "centers": ExpectationKey(_require_owners, _check_owners, named_only=True),
    "adjust": ExpectationKey(MappingReader.numbers, _check_numbers, named_only=True),
    "nobility": ExpectationKey(MappingReader.numbers, _check_numbers, named_only=True),
    "void": ExpectationKey(_require_powers, _check_powers),
    "winners": ExpectationKey(_require_powers, _check_powers),
    "eliminated": ExpectationKey(_require_powers, _check_powers),
    "awards": ExpectationKey(_require_awards, _check_awards),
    "contested": ExpectationKey(_require_contested, _check_contested),
}
"""The keys of ``expect``."""


def run_case(case: Case) -> CaseRun:
    """Run a case, and the phase before it if it has one, and compare with what they expect."""
    found: list[Difference] = []
    try:
        if case.turn.previous is not None:
            before = run_case(case.turn.previous)
            found += [
                Difference(f"previous {d.what}", d.expected, d.got) for d in before.differences
            ]
        found += differences(case.expect, resolve_turn(case.turn))
    except AlexMagnumError as error:
        found.append(Difference("adjudication", "an outcome", str(error)))
    return CaseRun(case, tuple(found))
