"""Sentences of a mail that name a unit or a place and were not taken as orders.

Such a sentence is quoted in the receipt with what to write instead, so that nothing a player meant
is dropped in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from alexmagnum.board.model import Board
from alexmagnum.game.order_proposals import find_example, propose_orders
from alexmagnum.game.values import PROSE, UNTAKEN, Understood
from alexmagnum.notation.mentions import Mention, find_mention, split_sentences
from alexmagnum.notation.table_rows import BAR
from alexmagnum.position import PICKS, Position

Numbered = tuple[int, Understood]
"""A line as understood, with its number in the mail."""

HEADING = "heading"
"""The code of a line that announces a section of the mail, or signs it: it is never quoted."""

_MOST_PROPOSALS = 50
"""The most sentences of a mail for which orders are proposed; the others are only quoted."""

BETWEEN_ORDERS = "; "

_SENTENCE_ENDS = (".", "!", "?", "…", ":")


def quote_untaken(
    lines: Iterable[Numbered], board: Board, power: str, find_position: Callable[[str], Position]
) -> Iterator[Numbered]:
    """Return the lines of a mail; sentences that name something get the verdict ``untaken``.

    Lines of prose that follow each other are read as one text, since a sentence may be broken over
    several lines.  ``find_position`` returns the position for the kind of a later phase, or "".
    """
    quoted = 0
    for paragraph in _group_paragraphs(lines):
        number, first = paragraph[0]
        text = _join_lines(paragraph)
        is_prose = first.verdict == PROSE and first.code != HEADING
        mentions = _list_mentions(text, board) if is_prose else []
        if not mentions:
            yield from ((at, _unmark_heading(line)) for at, line in paragraph)
            continue
        position = find_position(first.ahead)
        said = " ".join(mention.text for mention in mentions)
        rest = text if len(said) < len(text) else ""
        if rest:
            yield number, first._replace(text=rest)
        for mention in mentions:
            quoted += 1
            code, orders = "untaken-alone", ""
            if quoted <= _MOST_PROPOSALS:
                code, orders = _describe_proposals(position, power, mention)
            data = {"orders": orders}
            yield number, Understood(mention.text, "", UNTAKEN, code, data, first.ahead)


def find_proposals(position: Position, power: str, text: str) -> str:
    """Return the orders that a sentence may have meant, in canonical notation; "" if none."""
    mention = find_mention(text, position.board)
    return BETWEEN_ORDERS.join(propose_orders(position, power, mention)) if mention else ""


def names_something(text: str, board: Board) -> bool:
    """Return whether a sentence of a text names a unit or a place."""
    return bool(_list_mentions(text, board))


def _list_mentions(text: str, board: Board) -> list[Mention]:
    if text.lstrip().startswith(">"):
        return []  # quoted
    found = (find_mention(sentence, board) for sentence in split_sentences(text))
    return [mention for mention in found if mention and (mention.places or BAR not in text)]


def _describe_proposals(position: Position, power: str, mention: Mention) -> tuple[str, str]:
    """Return the code of what to say of a sentence, and the orders proposed in it."""
    proposed = propose_orders(position, power, mention)
    if proposed:
        is_choice = len(proposed) > 1 and position.phase.season == PICKS
        return "untaken-choose" if is_choice else "untaken-write", BETWEEN_ORDERS.join(proposed)
    example = find_example(position, power)
    return ("untaken-example", example) if example else ("untaken-alone", "")


def _unmark_heading(line: Understood) -> Understood:
    return line._replace(code="") if line.code == HEADING else line


def _join_lines(paragraph: Sequence[Numbered]) -> str:
    """Return the lines as one text; pieces of one line were parted at a comma or a full stop."""
    text = ""
    for (before, last), (number, line) in pairwise([(0, paragraph[0][1]), *paragraph]):
        if number == before and last.text in line.text:
            text = text.removesuffix(last.text) + line.text  # the whole sentence of its beginning
            continue
        is_comma = number == before and not last.text.endswith(_SENTENCE_ENDS)
        text += ("" if not text else ", " if is_comma else " ") + line.text
    return text


def _group_paragraphs(lines: Iterable[Numbered]) -> Iterator[Sequence[Numbered]]:
    """Return the lines in groups: lines of prose that follow each other, and each other line."""
    group: list[Numbered] = []
    for number, line in lines:
        last = group[-1] if group else None
        goes_on = last is not None and number - last[0] <= 1 and last[1].ahead == line.ahead
        goes_on = goes_on and HEADING not in (line.code, group[0][1].code)
        if group and not (goes_on and line.verdict == PROSE and group[0][1].verdict == PROSE):
            yield group
            group = []
        group.append((number, line))
    if group:
        yield group
