"""The report of an adjudicated turn file, in words, and its layout as plain text.

``adjudicate``, ``check`` and ``whatif`` print it.  The report of a phase of a game is in
:mod:`alexmagnum.report.phase_report`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.checking import list_reachable
from alexmagnum.judge.explanation import format_chain
from alexmagnum.judge.outcome import (
    ILLEGAL,
    REPLACED,
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

if TYPE_CHECKING:
    from jinja2 import Environment

TITLE = "title"
"""The mark of a title; the mark of an order's line is its result."""


@dataclass(frozen=True, slots=True)
class ReportLine:
    """An order with its result.

    Attributes:
        order: the order in canonical notation.
        text: the order in the reader's language.
        result: the result in the vocabulary of the case files.
        why: the result and its reason in words.
        chain: the causes behind the result, indented.
        unit: the unit, or the centre of a pick, by its name in pictures; "" for none.
    """

    order: str
    text: str
    result: str
    why: str
    chain: tuple[str, ...] = ()
    unit: str = ""


@dataclass(frozen=True, slots=True)
class PowerSection:
    """The orders of a power and, in ``after``, the units it has after the phase."""

    power: str
    lines: tuple[ReportLine, ...]
    after: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """A line that does not count as an order, or one that was read with a guess."""

    power: str
    text: str
    why: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class TurnReport:
    """The report of a turn in words, not laid out yet."""

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
    """Compose the report of an outcome.

    ``lines`` are the orders as they were read.  ``chains`` adds to every order the chain of causes
    behind its result.  ``for_writer`` marks a report for the person who wrote all the orders, who
    may therefore see all of them (R30).
    """
    position = outcome.position
    board = position.board
    secret = publishes_awards_alone(outcome) and not for_writer
    return TurnReport(
        title=board.name(sentences.lang),
        phase=phase_name(position.phase, board, sentences),
        powers=() if secret else tuple(_power_sections(outcome, sentences, chains)),
        blocks=describe_outcome(outcome, sentences),
        mistakes=() if secret else tuple(list_wrong_orders(outcome, lines, sentences)),
        notices=() if secret else tuple(list_notices(lines, board, sentences)),
        sentences=sentences,
    )


def leave_unmarked(line: str, mark: str) -> str:
    """Return a line as it is, whatever its mark."""
    return line


def render_turn_report(report: TurnReport, mark: Callable[[str, str], str] = leave_unmarked) -> str:
    """Return a report as plain text.

    ``mark`` gets every line of an order with its result, and every title with ``TITLE``; the text
    contains what it returns.
    """
    template = _templates().get_template("turn_report.txt.j2")
    return template.render(report=report, sentence=report.sentences.format, mark=mark, title=TITLE)


@cache
def _templates() -> Environment:
    """Return the templates of plain text."""
    from alexmagnum.templates import make_environment  # loads Jinja

    return make_environment("alexmagnum.report", escape=False)  # plain text, never a page


def _power_sections(outcome: Outcome, sentences: Sentences, chains: bool) -> Iterator[PowerSection]:
    """Yield the section of each power that had orders or has units, the independents last."""
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
    """Yield the orders of a power with their results, then its units without orders."""
    ordered: set[Unit] = set()
    position = outcome.position
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.power == power:
            if entry.unit is not None:
                ordered.add(entry.unit)
            order = write_order(entry.order)
            yield ReportLine(
                order,
                order_in(order, sentences.lang),
                entry.result,
                format_reason(reason, position, sentences),
                format_chain(outcome, entry.unit, sentences) if chains and entry.unit else (),
                position.name(entry.unit) if entry.unit else order.partition(" ")[2],
            )
    if (
        outcome.picks is not None
        and power in outcome.picks.void
        and not _has_picked(outcome, power)
    ):
        none = sentences.format("no-order")
        yield ReportLine(none, none, ILLEGAL, sentences.format("pick-missing"))
    if position.phase.kind in ("movement", "retreats"):
        yield from _unordered_lines(outcome, power, ordered, sentences, chains=chains)


def _unordered_lines(
    outcome: Outcome,
    power: str,
    ordered: Collection[Unit],
    sentences: Sentences,
    *,
    chains: bool,
) -> Iterator[ReportLine]:
    """Yield the units of a power that had no order; garrisons only if somebody attacked them."""
    position = outcome.position
    for unit in position.orderable:
        if unit.power == power and unit not in ordered:
            fate = outcome.fates(unit)[0]
            text = name = position.name(unit)
            if power != INDEPENDENT:
                text += f" {sentences.format('no-order')}"
            elif fate.reason.code == "unattacked":
                continue
            chain = format_chain(outcome, unit, sentences) if chains else ()
            why = format_reason(fate.reason, position, sentences)
            yield ReportLine(text, text, fate.result, why, chain, name)


def _has_picked(outcome: Outcome, power: str) -> bool:
    """Return whether a power sent a pick, valid or not."""
    return any(isinstance(e.order, Pick) and e.power == power for e in outcome.results)


def list_mistakes(lines: Iterable[Line], board: Board, sentences: Sentences) -> Iterator[Mistake]:
    """Yield the lines that could not be read as an order, each with suggestions."""
    for line in lines:
        if line.error is not None:
            close = ", ".join(order_in(near, sentences.lang) for near in line.error.suggestions)
            has_choices = "choices" in line.error.data  # the error names them itself
            hint = ""
            if close and not has_choices:
                hint = sentences.format("suggestion", suggestions=close)
            name = power_name(board, line.power or "", sentences)
            yield Mistake(name, line.text.strip(), sentences.error(line.error), hint)


def list_wrong_orders(
    outcome: Outcome, lines: Iterable[Line], sentences: Sentences
) -> Iterator[Mistake]:
    """Yield the unreadable lines, then the illegal orders, each with what could be ordered."""
    position = outcome.position
    yield from list_mistakes(lines, position.board, sentences)
    for entry, reason in list_void_orders(outcome):
        name = power_name(position.board, entry.power, sentences)
        hint = list_possible_moves(position, entry.order, entry.unit, sentences)
        text = order_in(write_order(entry.order), sentences.lang)
        yield Mistake(name, text, format_reason(reason, position, sentences), hint)


def list_void_orders(outcome: Outcome) -> Iterator[tuple[OrderOutcome, Reason]]:
    """Yield the illegal orders with their reasons, without those that a later order replaced."""
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.result == ILLEGAL and reason.code != REPLACED:
            yield entry, reason


def list_possible_moves(
    position: Position, order: Order, unit: Unit | None, sentences: Sentences
) -> str:
    """Return the places where the unit of an illegal move could go; "" for other orders."""
    if unit is None or not isinstance(order, Move):
        return ""
    places = ", ".join(list_reachable(position, unit))
    return sentences.format("could-move", places=places) if places else ""


def list_notices(lines: Iterable[Line], board: Board, sentences: Sentences) -> Iterator[Mistake]:
    """Yield the lines that were read with a guess, each with the guess."""
    for line in lines:
        for notice in line.notices:
            name = power_name(board, line.power or "", sentences)
            yield Mistake(name, line.text.strip(), sentences.format(notice.code, **notice.data))
