"""Running cases: adjudicate, and say what came out otherwise than the file expects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from alexmagnum.board.model import Board
from alexmagnum.campaign import owners_after, retreat_position
from alexmagnum.cases.model import Case, CaseRun, Difference, Turn
from alexmagnum.cases.reading import find_power
from alexmagnum.errors import AlexMagnumError, NotationError
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.judge.outcome import ILLEGAL
from alexmagnum.notation import read_order
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit


class Resolution:
    """A turn adjudicated: the outcome, and what each line of the file came to.

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
        return adjudicate(self.position, self.orders)

    def results(self) -> dict[str, list[tuple[str, str]]]:
        """By power, every line as written with its result; a line refused is illegal."""
        judged = {power: iter(_of(self.outcome, power)) for power in self.written}
        return {
            power: [
                (line, ILLEGAL if (power, i) in self.refused else next(judged[power]))
                for i, line in enumerate(lines)
            ]
            for power, lines in self.written.items()
        }


def _of(outcome: Outcome, power: str) -> list[str]:
    return [entry.result for entry in outcome.results if entry.power == power]


def resolve_turn(turn: Turn) -> Resolution:
    """Adjudicate a turn; a retreat turn with a movement phase before it plays that first."""
    if turn.position is not None:
        return Resolution(turn.position, turn.orders)
    assert turn.previous is not None, "a turn has a position or a previous phase"
    before = resolve_turn(turn.previous.turn).outcome
    return Resolution(retreat_position(before), turn.orders)


def run_case(case: Case) -> CaseRun:
    """Run a case, and the phase before it against its own expectation if it has one."""
    found: list[Difference] = []
    try:
        if case.turn.previous is not None:
            before = run_case(case.turn.previous)
            found += [
                Difference(f"previous {d.what}", d.expected, d.got) for d in before.differences
            ]
        found += _differences(case.expect, resolve_turn(case.turn))
    except AlexMagnumError as error:
        found.append(Difference("adjudication", "an outcome", str(error)))
    return CaseRun(case, tuple(found))


def _differences(expect: Mapping[str, Any], resolution: Resolution) -> Iterator[Difference]:
    checks: Mapping[str, Callable[[Any, Resolution], Iterable[Difference]]] = {
        "results": _check_results,
        "units_after": _check_units,
        "dislodged": _check_dislodged,
        "disbanded": _check_lost("disbanded", lambda o: o.disbanded),
        "destroyed": _check_lost("destroyed", lambda o: o.destroyed),
        "auto_disbanded": _check_removed,
        "adjust": _check_numbers("adjust", lambda o: o.adjust),
        "nobility": _check_numbers("nobility", lambda o: o.nobility),
        "owners_after": _check_owners,
    }
    for key, expected in expect.items():
        if key in checks:
            yield from checks[key](expected, resolution)
        else:
            yield Difference(key, str(expected), "a phase that is not played yet")


def _check_results(expected: Any, resolution: Resolution) -> Iterator[Difference]:
    """Each expected order is matched to a line by its text or its meaning, in order of listing;
    entries that name no power are matched to the lines of all."""
    board = resolution.position.board
    results = resolution.results()
    if isinstance(expected, list):
        expected = {"": expected}
    for name, entries in expected.items():
        powers = [find_power(board, name)] if name else list(results)
        left = [line for power in powers for line in results.get(power, ())]
        for entry in entries or ():
            text, want = str(entry["order"]), str(entry["result"])
            found = _matching(text, left, resolution.position)
            if found is None:
                yield Difference(f"{name}: {text}", want, "no such order")
                continue
            left.remove(found)
            if found[1] != want:
                yield Difference(f"{name}: {text}", want, found[1])


def _matching(
    text: str, lines: Sequence[tuple[str, str]], position: Position
) -> tuple[str, str] | None:
    """The line that an expected order means: the same text, else the same order."""
    for meaning in (_folded, lambda line: _order(line, position)):
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


def _folded(text: str) -> str | None:
    return " ".join(text.casefold().split())


def _named(units: Iterable[Unit], texts: Iterable[str]) -> Counter[str]:
    """Units as texts, with the number only where the file gives one for such a unit."""
    numbered = {text for text in texts if "#" in text}
    return Counter(
        numbered_name if (numbered_name := f"{u.kind} {u.place}") in numbered else str(u)
        for u in units
    )


def _compare(what: str, expected: Counter[str], got: Counter[str]) -> Iterator[Difference]:
    if expected != got:
        missing, extra = expected - got, got - expected
        yield Difference(
            what,
            ", ".join(sorted(missing.elements())) or "nothing else",
            ", ".join(sorted(extra.elements())) or "nothing else",
        )


def _check_units(expected: Any, resolution: Resolution) -> Iterator[Difference]:
    board = resolution.position.board
    by_power = _texts_by_power(board, expected)
    units = resolution.outcome.units
    for power in dict.fromkeys([*by_power, *(u.power for u in units)]):
        texts = by_power.get(power, [])
        got = _named((u for u in units if u.power == power), texts)
        yield from _compare(f"units_after {power}", Counter(texts), got)


def _texts_by_power(board: Board, expected: Mapping[str, Any]) -> dict[str, list[str]]:
    return {find_power(board, name) or name: list(texts or ()) for name, texts in expected.items()}


def _check_dislodged(expected: Any, resolution: Resolution) -> Iterator[Difference]:
    board = resolution.position.board
    want = Counter(
        f"{find_power(board, d['power'])} {d['unit']} by {d['by']}"
        + (f" open to {', '.join(sorted(d['retreats'])) or 'nowhere'}" if "retreats" in d else "")
        for d in expected
    )
    shown = {f"{find_power(board, d['power'])} {d['unit']}": "retreats" in d for d in expected}
    got = Counter(
        f"{d.unit.power} {d.unit} by {d.by}"
        + (
            f" open to {', '.join(sorted(d.retreats)) or 'nowhere'}"
            if shown.get(f"{d.unit.power} {d.unit}", True)
            else ""
        )
        for d in resolution.outcome.dislodged
    )
    yield from _compare("dislodged", want, got)


def _check_lost(
    key: str, lost: Callable[[Outcome], Iterable[Unit]]
) -> Callable[[Any, Resolution], Iterator[Difference]]:
    """A check of a list of ``{power, unit}``."""

    def check(expected: Any, resolution: Resolution) -> Iterator[Difference]:
        board = resolution.position.board
        want = Counter(f"{find_power(board, entry['power'])} {entry['unit']}" for entry in expected)
        got = Counter(f"{unit.power} {unit}" for unit in lost(resolution.outcome))
        yield from _compare(key, want, got)

    return check


def _check_removed(expected: Any, resolution: Resolution) -> Iterator[Difference]:
    by_power = _texts_by_power(resolution.position.board, expected)
    want = Counter(f"{power} {text}" for power, texts in by_power.items() for text in texts)
    got = Counter(f"{unit.power} {unit}" for unit in resolution.outcome.removed)
    yield from _compare("auto_disbanded", want, got)


def _check_numbers(
    key: str, numbers: Callable[[Outcome], Mapping[str, int]]
) -> Callable[[Any, Resolution], Iterator[Difference]]:
    """A check of numbers by power; powers that are not named are not checked."""

    def check(expected: Any, resolution: Resolution) -> Iterator[Difference]:
        for name, want in expected.items():
            got = numbers(resolution.outcome).get(find_power(resolution.position.board, name))
            if got != want:
                yield Difference(f"{key} {name}", str(want), str(got))

    return check


def _check_owners(expected: Any, resolution: Resolution) -> Iterator[Difference]:
    owners = owners_after(resolution.outcome)
    for power, centres in _texts_by_power(resolution.position.board, expected).items():
        got = Counter(centre for centre, owner in owners.items() if owner == power)
        yield from _compare(f"owners_after {power}", Counter(centres), got)
