"""The report of one adjudicated phase: everything worded, nothing laid out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.judge.checking import reachable
from alexmagnum.judge.explanation import explain
from alexmagnum.judge.outcome import (
    ILLEGAL,
    REPLACED,
    Fate,
    OrderOutcome,
    Outcome,
    Reason,
)
from alexmagnum.notation import Line, order_in, write_order
from alexmagnum.orders import Move, Order, Pick
from alexmagnum.position import DEPLOYMENT, Phase, Position, Unit, names_of
from alexmagnum.report.blocks import Block, blocks, power_name, publishes_awards_alone
from alexmagnum.report.words import Words

TITLE = "title"
"""What a title is marked as; an order's line is marked as its result."""


@dataclass(frozen=True, slots=True)
class ReportLine:
    """An order with its fate; ``result`` is the word of the case files, for marking it.

    ``order`` is canonical, ``said`` the same in the reader's language; ``unit`` is what the order
    is about as pictures name it: a unit, or the centre of a pick; "" if there is none.
    """

    order: str
    said: str
    result: str
    why: str
    chain: tuple[str, ...] = ()
    unit: str = ""


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
    blocks: tuple[Block, ...]
    mistakes: tuple[Mistake, ...]
    notices: tuple[Mistake, ...]
    words: Words


def turn_report(
    outcome: Outcome,
    lines: Sequence[Line],
    words: Words,
    *,
    chains: bool = False,
    for_writer: bool = False,
) -> TurnReport:
    """The report of an outcome; ``lines`` are the orders as they were read.

    ``chains`` adds to every order the chain of causes behind its result; ``for_writer``: it is
    for whoever wrote all the orders, so that none is kept from him (R30).
    """
    position = outcome.position
    board = position.board
    secret = publishes_awards_alone(outcome) and not for_writer
    return TurnReport(
        board.name(words.lang),
        phase_name(position.phase, board, words),
        () if secret else tuple(_sections(outcome, words, chains)),
        blocks(outcome, words),
        () if secret else tuple(wrong_orders(outcome, lines, words)),
        () if secret else tuple(notices(lines, board, words)),
        words,
    )


def _unmarked(line: str, what: str) -> str:
    return line


def render_text(report: TurnReport, mark: Callable[[str, str], str] = _unmarked) -> str:
    """The report as plain text.

    ``mark`` is given every line of an order with the word for its result, and every title with
    ``TITLE``; what it makes of the line stands in the text.
    """
    template = _templates().get_template("turn.txt.j2")
    return template.render(report=report, say=report.words.say, mark=mark, title=TITLE)


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
    season = " ".join(filter(None, (words.say(phase.season), year_name(phase, board, words))))
    if phase.kind == DEPLOYMENT:
        return season  # the only phase of its season
    return f"{season}, {words.say(f'{phase.kind}-phase', period=phase.period)}"


def year_name(phase: Phase, board: Board, words: Words) -> str:
    """The year of a phase in words: ``318 BC``; "" if it has none."""
    if not phase.year:
        return ""
    return words.say("before-christ", year=phase.year) if board.years_bc else str(phase.year)


def _sections(outcome: Outcome, words: Words, chains: bool) -> Iterator[PowerSection]:
    position = outcome.position
    names = names_of(outcome.units)
    for power in (*position.board.powers, INDEPENDENT):
        lines = tuple(order_lines(outcome, power, words, chains=chains))
        after = [unit for unit in outcome.units if unit.power == power]
        if lines or after:
            name = power_name(position.board, power, words)
            yield PowerSection(name, lines, ", ".join(names[unit] for unit in after))


def order_lines(
    outcome: Outcome, power: str, words: Words, *, chains: bool = False
) -> Iterator[ReportLine]:
    """What became of a power's orders, and of its units that had none."""
    ordered: set[Unit] = set()
    position = outcome.position
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.power == power:
            if entry.unit is not None:
                ordered.add(entry.unit)
            text = write_order(entry.order)
            chain = chain_lines(outcome, entry.unit, words) if chains and entry.unit else ()
            said = order_in(text, words.lang)
            about = position.name(entry.unit) if entry.unit else text.partition(" ")[2]
            why = words.reason(reason, position)
            yield ReportLine(text, said, entry.result, why, chain, about)
    if outcome.picks is not None and power in outcome.picks.void and not _wrote(outcome, power):
        none = words.say("no-order")
        yield ReportLine(none, none, ILLEGAL, words.say("pick-missing"))
    if position.phase.kind not in ("movement", "retreats"):
        return  # nothing is asked for unit by unit
    for unit in position.orderable:
        if unit.power == power and unit not in ordered:
            fate = outcome.fates(unit)[0]
            text = name = position.name(unit)
            if power != INDEPENDENT:
                text += f" {words.say('no-order')}"
            elif fate.reason.code == "unattacked":
                continue  # a garrison that nobody came near is no news
            chain = chain_lines(outcome, unit, words) if chains else ()
            why = words.reason(fate.reason, position)
            yield ReportLine(text, text, fate.result, why, chain, name)


def _wrote(outcome: Outcome, power: str) -> bool:
    return any(isinstance(e.order, Pick) and e.power == power for e in outcome.results)


def chain_lines(outcome: Outcome, unit: Unit, words: Words) -> tuple[str, ...]:
    """The causes below a unit's fate, indented by depth."""
    return tuple(
        "  " * max(step.depth - 1, 0)
        + f"{_told(step.fate, words)}: {words.reason(step.fate.reason, outcome.position)}"
        for step in explain(outcome, unit)[1:]
    )


def _told(fate: Fate, words: Words) -> str:
    """An order, or the unit that had none."""
    if fate.order is None:
        return f"{fate.unit} {words.say('no-order')}"
    return order_in(write_order(fate.order), words.lang)


def mistakes(lines: Iterable[Line], board: Board, words: Words) -> Iterator[Mistake]:
    """The lines that could not be read as an order, each with what might have been meant."""
    for line in lines:
        if line.error is not None:
            close = ", ".join(order_in(near, words.lang) for near in line.error.suggestions)
            said = "choices" in line.error.data
            hint = words.say("suggestion", suggestions=close) if close and not said else ""
            name = power_name(board, line.power or "", words)
            yield Mistake(name, line.text.strip(), words.error(line.error), hint)


def wrong_orders(outcome: Outcome, lines: Iterable[Line], words: Words) -> Iterator[Mistake]:
    """The :func:`mistakes`, then the orders that could be read but never be, each with what could
    be."""
    position = outcome.position
    yield from mistakes(lines, position.board, words)
    for entry, reason in void_orders(outcome):
        name = power_name(position.board, entry.power, words)
        hint = possible_moves(position, entry.order, entry.unit, words)
        said = order_in(write_order(entry.order), words.lang)
        yield Mistake(name, said, words.reason(reason, position), hint)


def void_orders(outcome: Outcome) -> Iterator[tuple[OrderOutcome, Reason]]:
    """The orders that could never be, with why; not those that others took the place of."""
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.result == ILLEGAL and reason.code != REPLACED:
            yield entry, reason


def possible_moves(position: Position, order: Order, unit: Unit | None, words: Words) -> str:
    """Where the unit of an impossible move could go instead; "" for other orders."""
    if unit is None or not isinstance(order, Move):
        return ""
    places = ", ".join(reachable(position, unit))
    return words.say("could-move", places=places) if places else ""


def notices(lines: Iterable[Line], board: Board, words: Words) -> Iterator[Mistake]:
    """The lines that were read with a guess, each with what was guessed."""
    for line in lines:
        for notice in line.notices:
            name = power_name(board, line.power or "", words)
            yield Mistake(name, line.text.strip(), words.say(notice.code, **notice.data))
