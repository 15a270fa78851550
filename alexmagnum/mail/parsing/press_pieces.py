"""Press in a mail: pieces of text that a player writes for other players, with their headings.

:mod:`.commands` takes them out of a mail; :mod:`alexmagnum.mail.press` delivers them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.mail.parsing.recipients import Recipients, read_recipients
from alexmagnum.mail.parsing.vocabulary import Vocabulary, fold_phrase, is_near_phrase

MAX_HEADING = 100
"""Characters of a heading or a command; a longer line is a sentence."""

WORD = re.compile(r"\w+'?")
"""A word of a heading; ``all'`` is not the word ``all``."""

_MAX_WORDS_BEFORE = 3
"""The word for press is one of the first few: ``LETTER OF PRESS TO TOL``."""


@dataclass(frozen=True, slots=True)
class PressPiece:
    """A text for other players.

    ``readers``: ids of powers; ``to_all``, ``to_master``: it also goes to everybody, to the game
    master; ``unknown``: names that mean nobody, because of which it is not sent; ``closed``: its
    end is written, else it runs to the end of the mail; ``line``: its heading.
    """

    readers: tuple[str, ...]
    to_all: bool
    to_master: bool
    anonymous: bool
    text: str
    line: str
    unknown: tuple[str, ...] = ()
    closed: bool = True


class _Heading(NamedTuple):
    """A line that may begin press: its ``heading``, the text after it, and its recipients.

    ``certain``: the word for press is spelt right and stands in its place.
    """

    heading: str
    rest: str
    recipients: Recipients
    certain: bool


class PressFinder:
    """Finds the pieces of press in the lines of one text."""

    def __init__(self, lines: Sequence[str], board: Board, words: Vocabulary) -> None:
        self.lines = lines
        self.board = board
        self.words = words

    def find_piece(self, at: int) -> tuple[PressPiece, int] | None:
        """Return the piece that begins at a line, and the line after it; None if none begins."""
        heading = self._find_heading(self.lines[at])
        if heading is None:
            return None
        end, closed = self._ends[at + 1]
        is_marked = heading.recipients.is_known or _looks_like_heading(self.lines[at])
        if not closed and not (heading.certain and is_marked):
            return None  # a sentence that begins like press
        body = [*filter(None, (heading.rest,)), *self.lines[at + 1 : end]]
        piece = PressPiece(
            readers=heading.recipients.powers,
            to_all=heading.recipients.everybody,
            to_master=heading.recipients.master,
            anonymous=heading.recipients.anonymous,
            text="\n".join(line.rstrip() for line in body).strip("\n"),
            line=heading.heading,
            unknown=heading.recipients.unknown,
            closed=closed,
        )
        return piece, end + closed

    def is_end(self, line: str) -> bool:
        """Tell whether a line ends press.

        Slips in it are forgiven, so that the lines after it do not reach the other players.
        """
        phrase = " ".join(re.findall(r"\w+", fold_phrase(line[:MAX_HEADING])))
        return is_near_phrase(phrase, self.words.get("press", "end"), 2)

    def _find_heading(self, line: str) -> _Heading | None:
        """Return the heading in a line, if it may be one."""
        head, _, rest = line.partition(":")
        typed = WORD.findall(fold_phrase(head)) if len(head) <= MAX_HEADING else []
        press_words = self.words.get("press", "begin")
        manners = self.words.get("press", "anonymous") | self.words.get("press", "signed")
        for i, word in enumerate(typed[:_MAX_WORDS_BEFORE]):
            if not is_near_phrase(word, press_words, 1):
                continue
            names = [*typed[:i], *typed[i + 1 :]]
            certain = word in press_words and bool(names) and manners.issuperset(typed[:i])
            recipients = read_recipients(names, self.board, self.words)
            return _Heading(head.strip(), rest.strip(), recipients, certain)
        return None

    @cached_property
    def _ends(self) -> list[tuple[int, bool]]:
        """For each line, where a piece that contains it ends, and whether its end is written.

        A piece ends at a line that says so, before the next heading, or with the text. All ends
        are found in one pass, because a text may have thousands of headings.
        """
        ends = [(len(self.lines), False)] * (len(self.lines) + 1)
        for i in range(len(self.lines) - 1, -1, -1):
            heading = self._find_heading(self.lines[i])
            if self.is_end(self.lines[i]):
                ends[i] = i, True
            elif heading and heading.certain and heading.recipients.is_known:
                ends[i] = i, False
            else:
                ends[i] = ends[i + 1]
        return ends


def _looks_like_heading(line: str) -> bool:
    """Tell whether a line is in capitals or ends with a colon."""
    return line.isupper() or line.rstrip().endswith(":")
