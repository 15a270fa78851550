"""The report of one adjudicated phase: everything worded, nothing laid out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.checking import list_reachable
from alexmagnum.judge.explanation import explain
from alexmagnum.judge.outcome import (
    ILLEGAL,
    REPLACED,
    Fate,
    OrderOutcome,
    Outcome,
    Reason,
)
from alexmagnum.judge.reason_text import format_reason
from alexmagnum.notation import Line, order_in, write_order
from alexmagnum.orders import Move, Order, Pick
from alexmagnum.position import Position, Unit, names_of
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.outcome_blocks import Block, describe_outcome, publishes_awards_alone

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
    sentences: Sentences


def compose_turn_report(
    outcome: Outcome,
    lines: Sequence[Line],
    sentences: Sentences,
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
        board.name(sentences.lang),
        phase_name(position.phase, board, sentences),
        () if secret else tuple(_sections(outcome, sentences, chains)),
        describe_outcome(outcome, sentences),
        () if secret else tuple(list_wrong_orders(outcome, lines, sentences)),
        () if secret else tuple(list_notices(lines, board, sentences)),
        sentences,
    )


def _unmarked(line: str, what: str) -> str:
    return line


def render_turn_report(report: TurnReport, mark: Callable[[str, str], str] = _unmarked) -> str:
    """The report as plain text.

    ``mark`` is given every line of an order with the word for its result, and every title with
    ``TITLE``; what it makes of the line stands in the text.
    """
    template = _templates().get_template("turn.txt.j2")
    return template.render(report=report, sentence=report.sentences.format, mark=mark, title=TITLE)


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("alexmagnum.report"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # plain text, never a page
    )


def _sections(outcome: Outcome, sentences: Sentences, chains: bool) -> Iterator[PowerSection]:
    position = outcome.position
    names = names_of(outcome.units)
    for power in (*position.board.powers, INDEPENDENT):
        lines = tuple(format_order_lines(outcome, power, sentences, chains=chains))
        after = [unit for unit in outcome.units if unit.power == power]
        if lines or after:
            name = power_name(position.board, power, sentences)
            yield PowerSection(name, lines, ", ".join(names[unit] for unit in after))


def format_order_lines(
    outcome: Outcome, power: str, sentences: Sentences, *, chains: bool = False
) -> Iterator[ReportLine]:
    """What became of a power's orders, and of its units that had none."""
    ordered: set[Unit] = set()
    position = outcome.position
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.power == power:
            if entry.unit is not None:
                ordered.add(entry.unit)
            text = write_order(entry.order)
            chain = format_chain(outcome, entry.unit, sentences) if chains and entry.unit else ()
            said = order_in(text, sentences.lang)
            about = position.name(entry.unit) if entry.unit else text.partition(" ")[2]
            why = format_reason(reason, position, sentences)
            yield ReportLine(text, said, entry.result, why, chain, about)
    if outcome.picks is not None and power in outcome.picks.void and not _wrote(outcome, power):
        none = sentences.format("no-order")
        yield ReportLine(none, none, ILLEGAL, sentences.format("pick-missing"))
    if position.phase.kind not in ("movement", "retreats"):
        return  # nothing is asked for unit by unit
    for unit in position.orderable:
        if unit.power == power and unit not in ordered:
            fate = outcome.fates(unit)[0]
            text = name = position.name(unit)
            if power != INDEPENDENT:
                text += f" {sentences.format('no-order')}"
            elif fate.reason.code == "unattacked":
                continue  # a garrison that nobody came near is no news
            chain = format_chain(outcome, unit, sentences) if chains else ()
            why = format_reason(fate.reason, position, sentences)
            yield ReportLine(text, text, fate.result, why, chain, name)


def _wrote(outcome: Outcome, power: str) -> bool:
    return any(isinstance(e.order, Pick) and e.power == power for e in outcome.results)


def format_chain(outcome: Outcome, unit: Unit, sentences: Sentences) -> tuple[str, ...]:
    """The causes below a unit's fate, indented by depth."""
    lines = []
    for step in explain(outcome, unit)[1:]:
        why = format_reason(step.fate.reason, outcome.position, sentences)
        lines.append("  " * max(step.depth - 1, 0) + f"{_told(step.fate, sentences)}: {why}")
    return tuple(lines)


def _told(fate: Fate, sentences: Sentences) -> str:
    """An order, or the unit that had none."""
    if fate.order is None:
        return f"{fate.unit} {sentences.format('no-order')}"
    return order_in(write_order(fate.order), sentences.lang)


def list_mistakes(lines: Iterable[Line], board: Board, sentences: Sentences) -> Iterator[Mistake]:
    """The lines that could not be read as an order, each with what might have been meant."""
    for line in lines:
        if line.error is not None:
            close = ", ".join(order_in(near, sentences.lang) for near in line.error.suggestions)
            said = "choices" in line.error.data
            hint = sentences.format("suggestion", suggestions=close) if close and not said else ""
            name = power_name(board, line.power or "", sentences)
            yield Mistake(name, line.text.strip(), sentences.error(line.error), hint)


def list_wrong_orders(
    outcome: Outcome, lines: Iterable[Line], sentences: Sentences
) -> Iterator[Mistake]:
    """The :func:`mistakes`, then the orders that could be read but never be, each with what could
    be."""
    position = outcome.position
    yield from list_mistakes(lines, position.board, sentences)
    for entry, reason in list_void_orders(outcome):
        name = power_name(position.board, entry.power, sentences)
        hint = list_possible_moves(position, entry.order, entry.unit, sentences)
        said = order_in(write_order(entry.order), sentences.lang)
        yield Mistake(name, said, format_reason(reason, position, sentences), hint)


def list_void_orders(outcome: Outcome) -> Iterator[tuple[OrderOutcome, Reason]]:
    """The orders that could never be, with why; not those that others took the place of."""
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.result == ILLEGAL and reason.code != REPLACED:
            yield entry, reason


def list_possible_moves(
    position: Position, order: Order, unit: Unit | None, sentences: Sentences
) -> str:
    """Where the unit of an impossible move could go instead; "" for other orders."""
    if unit is None or not isinstance(order, Move):
        return ""
    places = ", ".join(list_reachable(position, unit))
    return sentences.format("could-move", places=places) if places else ""


def list_notices(lines: Iterable[Line], board: Board, sentences: Sentences) -> Iterator[Mistake]:
    """The lines that were read with a guess, each with what was guessed."""
    for line in lines:
        for notice in line.notices:
            name = power_name(board, line.power or "", sentences)
            yield Mistake(name, line.text.strip(), sentences.format(notice.code, **notice.data))
