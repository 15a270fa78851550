"""The changes that flip an order in words, and what all answers of ``whatif`` searches share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.reason_text import format_reason
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.notation import order_in, write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.turn_report import TITLE, format_chain
from alexmagnum.report.wrapping import wrap_lines
from alexmagnum.whatif.flips import Change, Flip, Flips

SAME_SHOWN = 3
"""The number of orders that do the same and are named with a change."""


class StyledLine(NamedTuple):
    """A line and what it is marked as: a result, ``TITLE``, or "".

    ``parts`` end the line, with a separator between them: the orders of an answer, or the shares of
    several.  :func:`wrap_styled_line` keeps them together, or gives each a line of its own.
    """

    line: str
    mark: str = ""
    parts: tuple[str, ...] = ()
    separator: str = "; "


def wrap_styled_line(line: StyledLine, width: int) -> list[str]:
    """Return a line as lines of a width, all but the first indented further.

    Parts that do not fit beside the text stand below it: all in one line, or else one on each line.
    """
    lead = len(line.line) - len(line.line.lstrip())
    indent = " " * (lead and lead + 4)
    if not line.parts:
        return wrap_lines(line.line, width, indent) or [""]
    whole = line.separator.join(line.parts)
    beside = f"{line.line} {whole}"
    if len(beside) <= width:
        return wrap_lines(beside, width, indent)
    above = wrap_lines(line.line.rstrip(), width, indent)
    if len(above[-1]) + 1 + len(whole) <= width and len(above) > 1:
        return [*above[:-1], *wrap_lines(f"{above[-1]} {whole}", width, indent)]
    below = " " * (lead + 4)
    if len(below) + len(whole) <= width:
        return [*above, *wrap_lines(below + whole, width)]
    if max(map(len, line.parts)) + len(below) > width:
        below = " " * (lead + 2)
    return above + [x for part in line.parts for x in wrap_lines(below + part, width, below + "  ")]


def format_title(position: Position, sentences: Sentences) -> StyledLine:
    board = position.board
    return StyledLine(
        f"{board.name(sentences.lang)} — {phase_name(position.phase, board, sentences)}", TITLE
    )


# -- flips ----------------------------------------------------------------------------------------


def format_question(flips: Flips, sentences: Sentences) -> Iterator[StyledLine]:
    """Yield the order in question, with its present result and the reasons."""
    yield format_title(flips.position, sentences)
    unit = flips.unit
    name = (
        flips.position.name(unit)
        if flips.order is None
        else write_in_language(flips.order, sentences)
    )
    yield StyledLine(f"{name}: {_reason(flips.outcome, unit, sentences)}", flips.result)
    yield from (StyledLine(f"  {line}") for line in format_chain(flips.outcome, unit, sentences))


def format_flips(
    flips: Flips, found: Sequence[Flip], title: str, sentences: Sentences, *, most: int, whole: bool
) -> Iterator[StyledLine]:
    """Flips below a title (its code), ``most`` of them, those of one unit first; ``whole``: all
    were looked for."""
    yield StyledLine("")
    yield StyledLine(sentences.format(title), TITLE)
    if whole and not found:
        yield StyledLine("  " + sentences.format("flip-none"))
    count = 0
    for flip in found[:most]:
        if len(flip.changes) != count:
            count = len(flip.changes)
            yield StyledLine("  " + sentences.format("flip-one" if count == 1 else "flip-two"))
        for change in flip.changes:
            yield StyledLine("    " + _change(change, flips.position, sentences))
        line = _reason(flip.outcome, flips.unit, sentences)
        yield StyledLine(f"      {line}", flip.result)
        yield from (
            StyledLine(f"        {x}") for x in format_chain(flip.outcome, flips.unit, sentences)
        )
    if len(found) > most:
        yield StyledLine("  " + sentences.format("flip-more", count=len(found) - most))
    if not whole:
        yield StyledLine("  " + sentences.format("flip-stopped"))


def _change(change: Change, position: Position, sentences: Sentences) -> str:
    first, *others = (write_in_language(order, sentences) for order in change.orders)
    text = f"{power_name(position.board, change.unit.power, sentences)}: {first}"
    if not others:
        return text
    shown = "; ".join(others[:SAME_SHOWN])
    if len(others) > SAME_SHOWN:
        more = len(others) - SAME_SHOWN
        return f"{text} {sentences.format('flip-same-many', orders=shown, count=more)}"
    return f"{text} {sentences.format('flip-same', orders=shown)}"


def _reason(outcome: MovementOutcome, unit: Unit, sentences: Sentences) -> str:
    fate = outcome.fates(unit)[0]
    return format_reason(fate.reason, outcome.position, sentences)


def write_in_language(order: Order, sentences: Sentences) -> str:
    return order_in(write_order(order), sentences.lang)


# -- for machines ---------------------------------------------------------------------------------


def flips_as_data(
    flips: Flips, found: Iterable[Flip], sentences: Sentences
) -> list[dict[str, object]]:
    """Flips for a program."""
    return [
        {
            "changes": [
                {"power": c.unit.power, "orders": [write_order(o) for o in c.orders]}
                for c in flip.changes
            ],
            "result": flip.result,
            "why": _reason(flip.outcome, flips.unit, sentences),
            "chain": list(format_chain(flip.outcome, flips.unit, sentences)),
        }
        for flip in found
    ]
