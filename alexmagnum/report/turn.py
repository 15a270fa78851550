"""The report of one adjudicated phase: everything worded, nothing laid out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.campaign import owners_after
from alexmagnum.judge.checking import reachable
from alexmagnum.judge.explanation import explain
from alexmagnum.judge.outcome import ILLEGAL, REPLACED, Fate, Outcome
from alexmagnum.notation import Line, write_order
from alexmagnum.orders import Move, Order
from alexmagnum.position import AUTUMN, Phase, Position, Unit, names_of
from alexmagnum.report.words import Words


@dataclass(frozen=True, slots=True)
class ReportLine:
    """An order with its fate; ``result`` is the word of the case files, for marking it."""

    order: str
    result: str
    why: str
    chain: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PowerSection:
    """What one power ordered, and what it has left."""

    power: str
    lines: tuple[ReportLine, ...]
    after: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """A line that is not an order that counts, or one that was read with a guess."""

    power: str
    text: str
    why: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class TurnReport:
    """All that the text of a phase's report says."""

    title: str
    phase: str
    powers: tuple[PowerSection, ...]
    dislodged: tuple[str, ...]
    lost: tuple[str, ...]
    adjust: tuple[str, ...]
    centres: tuple[str, ...]
    mistakes: tuple[Mistake, ...]
    notices: tuple[Mistake, ...]
    words: Words


def turn_report(
    outcome: Outcome, lines: Sequence[Line], words: Words, *, chains: bool = False
) -> TurnReport:
    """The report of an outcome; ``lines`` are the orders as they were read.

    ``chains`` adds to every order the chain of causes behind its result.
    """
    position = outcome.position
    board = position.board
    return TurnReport(
        board.name(words.lang),
        phase_name(position.phase, board, words),
        tuple(_sections(outcome, words, chains)),
        tuple(_dislodged(outcome, words)),
        tuple(_lost(outcome, words)),
        tuple(_adjust(outcome, words)),
        tuple(_centres(outcome, words)),
        (*mistakes(lines, board, words), *_void(outcome, words)),
        tuple(notices(lines, board, words)),
        words,
    )


def render_text(report: TurnReport) -> str:
    """The report as plain text."""
    return _templates().get_template("turn.txt.j2").render(report=report, say=report.words.say)


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("alexmagnum.report"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # plain text, never a page
    )


def phase_name(phase: Phase, board: Board, words: Words) -> str:
    """A phase in words: ``Spring 318 BC, movement``."""
    rules = board.rules
    year = str(phase.year) if phase.year else ""
    if year and 0 < rules.last_year < rules.first_year:
        year = words.say("before-christ", year=year)
    season = " ".join(filter(None, (words.say(phase.season), year)))
    kind = f"{phase.kind}-phase"
    return f"{season}, {words.say(kind)}" if kind in words.sentences else season


def power_name(board: Board, power: str, words: Words) -> str:
    """A power's name in the reader's language; the independents are no power but have one."""
    if power == INDEPENDENT:
        return words.say("independents")
    return board.powers[power].name(words.lang) if power in board.powers else power


def _sections(outcome: Outcome, words: Words, chains: bool) -> Iterator[PowerSection]:
    position = outcome.position
    names = names_of(outcome.units)
    for power in (*position.board.powers, INDEPENDENT):
        lines = tuple(_lines(outcome, power, words, chains))
        after = [unit for unit in outcome.units if unit.power == power]
        if lines or after:
            name = power_name(position.board, power, words)
            yield PowerSection(name, lines, ", ".join(names[unit] for unit in after))


def _lines(outcome: Outcome, power: str, words: Words, chains: bool) -> Iterator[ReportLine]:
    ordered: set[Unit] = set()
    position = outcome.position
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.power == power:
            if entry.unit is not None:
                ordered.add(entry.unit)
            text = write_order(entry.order)
            chain = _chain(outcome, entry.unit, words) if chains and entry.unit else ()
            yield ReportLine(text, entry.result, words.reason(reason), chain)
    for unit in (*position.orderable, *outcome.removed):
        if unit.power == power and unit not in ordered and position.phase.kind != "winter":
            fate = outcome.fates(unit)[0]
            text = position.name(unit)
            if power != INDEPENDENT:
                text += f" {words.say('no-order')}"
            elif fate.reason.code == "unattacked":
                continue  # a garrison that nobody came near is no news
            chain = _chain(outcome, unit, words) if chains else ()
            yield ReportLine(text, fate.result, words.reason(fate.reason), chain)


def _chain(outcome: Outcome, unit: Unit, words: Words) -> tuple[str, ...]:
    """The causes below a unit's fate, indented by depth."""
    return tuple(
        "  " * max(step.depth - 1, 0)
        + f"{_told(step.fate, words)}: {words.reason(step.fate.reason)}"
        for step in explain(outcome, unit)[1:]
    )


def _told(fate: Fate, words: Words) -> str:
    """An order, or the unit that had none."""
    if fate.order is None:
        return f"{fate.unit} {words.say('no-order')}"
    return write_order(fate.order)


def _dislodged(outcome: Outcome, words: Words) -> Iterator[str]:
    for dislodged in outcome.dislodged:
        who = power_name(outcome.position.board, dislodged.unit.power, words)
        code = "open-retreats" if dislodged.retreats else "no-retreats"
        yield words.say(
            code,
            unit=f"{dislodged.unit} ({who})",
            by=dislodged.by,
            retreats=", ".join(dislodged.retreats),
        )


def _lost(outcome: Outcome, words: Words) -> Iterator[str]:
    board = outcome.position.board
    for code, units in (
        ("garrison-lost", outcome.destroyed),
        ("disbanded", outcome.disbanded),
        ("removed", outcome.removed),
    ):
        for unit in units:
            yield words.say(code, unit=f"{unit} ({power_name(board, unit.power, words)})")


def _adjust(outcome: Outcome, words: Words) -> Iterator[str]:
    for power, due in outcome.adjust.items():
        if due:
            code = "builds-due" if due > 0 else "removals-due"
            name = power_name(outcome.position.board, power, words)
            yield f"{name}: {words.say(code, count=abs(due))}"


def _centres(outcome: Outcome, words: Words) -> Iterator[str]:
    """Who owns what after an autumn, once its retreats are over (R29)."""
    position = outcome.position
    if position.phase.season != AUTUMN or any(d.retreats for d in outcome.dislodged):
        return
    owners = owners_after(outcome)
    for power in position.board.powers:
        owned = [centre for centre in position.board.centres if owners.get(centre) == power]
        if owned:
            name = power_name(position.board, power, words)
            yield f"{name}: {len(owned)} ({', '.join(owned)})"


def mistakes(lines: Iterable[Line], board: Board, words: Words) -> Iterator[Mistake]:
    """The lines that could not be read as an order, each with what might have been meant."""
    for line in lines:
        if line.error is not None:
            close = ", ".join(line.error.suggestions)
            said = "choices" in line.error.data
            hint = words.say("suggestion", suggestions=close) if close and not said else ""
            name = power_name(board, line.power or "", words)
            yield Mistake(name, line.text.strip(), words.error(line.error), hint)


def _void(outcome: Outcome, words: Words) -> Iterator[Mistake]:
    """The orders that could be read but never be, each with what could be."""
    board = outcome.position.board
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.result == ILLEGAL and reason.code != REPLACED:
            name = power_name(board, entry.power, words)
            hint = possible_moves(outcome.position, entry.order, entry.unit, words)
            yield Mistake(name, write_order(entry.order), words.reason(reason), hint)


def possible_moves(position: Position, order: Order, unit: Unit | None, words: Words) -> str:
    """Where the unit of an impossible move could go instead; "" for other orders."""
    if unit is None or not isinstance(order, Move):
        return ""
    return words.say("could-move", places=", ".join(reachable(position, unit)))


def notices(lines: Iterable[Line], board: Board, words: Words) -> Iterator[Mistake]:
    """The lines that were read with a guess, each with what was guessed."""
    for line in lines:
        for notice in line.notices:
            name = power_name(board, line.power or "", words)
            yield Mistake(name, line.text.strip(), words.say(notice.code, **notice.data))
