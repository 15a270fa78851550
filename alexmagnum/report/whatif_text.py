"""The changes that flip an order in words, and what all answers of ``whatif`` searches share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.explanation import format_chain
from alexmagnum.position import Position
from alexmagnum.report.names import phase_name
from alexmagnum.report.turn_report import TITLE
from alexmagnum.report.wrapping import wrap_lines
from alexmagnum.whatif.flip_text import format_change, format_result, write_in_language
from alexmagnum.whatif.flips import Flip, Flips


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
    yield StyledLine(f"{name}: {format_result(flips.outcome, unit, sentences)}", flips.result)
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
            yield StyledLine("    " + format_change(change, flips.position, sentences))
        line = format_result(flip.outcome, flips.unit, sentences)
        yield StyledLine(f"      {line}", flip.result)
        yield from (
            StyledLine(f"        {x}") for x in format_chain(flip.outcome, flips.unit, sentences)
        )
    if len(found) > most:
        yield StyledLine("  " + sentences.format("flip-more", count=len(found) - most))
    if not whole:
        yield StyledLine("  " + sentences.format("flip-stopped"))
