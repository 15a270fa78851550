"""Running cases: adjudicating them and comparing the outcome with the expected one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from alexmagnum.board.map_file import known_maps, load_board
from alexmagnum.board.model import INDEPENDENT, Board, near
from alexmagnum.campaign import eliminated, ending, newly_eliminated, owners_after, retreat_position
from alexmagnum.cases.files import Case, CaseRun, Difference, Turn
from alexmagnum.errors import AlexMagnumError, NotationError
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.judge.outcome import ILLEGAL, Picks
from alexmagnum.notation import read_order
from alexmagnum.notation.names import find_power
from alexmagnum.orders import Order
from alexmagnum.position import Dislodged, Position, Unit

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


# The results of cases as a JUnit file, which build servers and editors read.


def junit_report(runs: Sequence[CaseRun], faults: Mapping[str, str]) -> str:
    """Return the results as XML: a suite for each file, a test for each case.

    ``faults``: by path, why a file could not be used; each is an error in a suite of its own.
    """
    top = Element("testsuites")
    for path in dict.fromkeys(run.case.source for run in runs):
        of_file = [run for run in runs if run.case.source == path]
        suite = _suite(top, path, len(of_file), failures=sum(not run.passed for run in of_file))
        for run in of_file:
            test = _test(suite, path, f"{run.case.id} {run.case.title}".strip())
            if not run.passed:
                differences = list(map(str, run.differences))
                failure = SubElement(test, "failure", message=_clean(differences[0]))
                failure.text = _clean("\n".join(differences))
    for path, why in faults.items():
        test = _test(_suite(top, path, 1, errors=1), path, path)
        SubElement(test, "error", message=_clean(why))
    indent(top, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(top, encoding="unicode") + "\n"


def _suite(top: Element, path: str, tests: int, failures: int = 0, errors: int = 0) -> Element:
    counts = {"tests": tests, "failures": failures, "errors": errors}
    return SubElement(
        top, "testsuite", {"name": _clean(path)} | {key: str(n) for key, n in counts.items()}
    )


def _test(suite: Element, path: str, name: str) -> Element:
    return SubElement(suite, "testcase", classname=_clean(path), name=_clean(name))


def _clean(text: str) -> str:
    """Return a text without the characters that XML does not allow."""
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)


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
        results = self.outcome.results
        judged = {
            power: iter([entry.result for entry in results if entry.power == power])
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
    before = resolve_turn(turn.previous.turn).outcome
    return Resolution(retreat_position(before), turn.orders)


# Comparing an outcome with the expected one, key by key of ``expect``.
#
# Units are compared as texts, with their number only if the file gives one: ``F EGE`` is any
# fleet of that power there, ``F EGE#2`` the one in place 2.


NO_PICKS = Picks({}, (), ())


def differences(expect: Mapping[str, Any], resolution: Resolution) -> Iterator[Difference]:
    """Yield all differences from what is expected; only the keys that are there are checked."""
    for key, expected in expect.items():
        yield from CHECKS[key](key, expected, resolution)


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
        found = _find_line(text, lines, position)
        if found is None:
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
    """Return units as texts, each as the file writes it if it expects that unit.

    A unit of a sea that the file does not expect shows its number.
    """
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
    """Return a dislodged unit in the words of the entry that expects it, where they are right.

    If several attackers dislodge it, ``by`` may be any of them.
    """
    board, unit, by = outcome.position.board, dislodged.unit, dislodged.by
    if entry is None:
        (text,), (attacker,) = _write_units([unit], (), board), _write_units([by], (), board)
        return {"power": unit.power, "unit": text, "by": attacker, "retreats": dislodged.retreats}
    written: dict[str, Any] = {"power": unit.power, "unit": entry["unit"]}
    if "by" in entry:
        attackers = [by, *outcome.attackers(unit)]
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
        got = numbers.get(find_power(resolution.position.board, name))
        if got != want:
            yield Difference(f"{key} {name}", str(want), str(got))


def _check_owners(key: str, expected: Any, resolution: Resolution) -> Iterator[Difference]:
    """Check centres by power; powers that are not named are not checked.

    The centres named for the independents are those without an owner; there may be others.
    """
    owners = owners_after(resolution.outcome)
    for power, centres in _texts_by_power(resolution.position.board, expected).items():
        if power == INDEPENDENT:
            got = Counter(centre for centre in centres if centre not in owners)
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
    """Check a list of powers.

    A power without orders need not be listed as void, nor a power as eliminated that had nothing
    before the phase either, as in most small cases.
    """
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


CHECKS: Mapping[str, Callable[[str, Any, Resolution], Iterable[Difference]]] = {
    "results": _check_results,
    "units_after": _check_units,
    "dislodged": _check_dislodged,
    "disbanded": _check_lost,
    "destroyed": _check_lost,
    "auto_disbanded": _check_lost,
    "adjust": _check_numbers,
    "nobility": _check_numbers,
    "owners_after": _check_owners,
    "centers": _check_owners,
    "awards": _check_awards,
    "contested": _check_contested,
    "void": _check_powers,
    "winners": _check_powers,
    "eliminated": _check_powers,
}
"""The check of each key of ``expect``."""


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
