"""What a player asks for on lines of their own: commands, and press for the other players."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.i18n.date_parser import parse_month
from alexmagnum.mail.parsing.recipients import Readers, read_readers
from alexmagnum.mail.parsing.vocabulary import Vocabulary, plain, vocabulary
from alexmagnum.notation.lexicon import lexicon
from alexmagnum.notation.province_names import province_names
from alexmagnum.notation.spelling import distance

_LONGEST = 100
"""Characters of a line that is a command; a longer one is a sentence."""

_WORD = re.compile(r"\w+'?")
"""A word of a heading; ``all'`` is another than ``all``."""

_MOST_WORDS = 6
"""Words of a command."""

_FIRST_WORDS = 3
"""Words of a heading among which the one for press is: ``LETTER OF PRESS TO TOL``."""

UNREAD, STRAY_END = "unread", "stray-end"
"""The kinds of lines that look like a command, or like the end of press, and are none."""

_WITH_DATES = "absence"
_WITH_POWERS = ("draw", "concede", "no-concede")
_WITH_PHASE = "history"
_HEADING = "orders"


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its ``kind``, as in the tables' ``[commands]``; its ``argument`` (the dates of
    an absence or the phase of a history as written, the ids of powers with blanks between);
    ``unknown``, names among them that are no power's; and its line as written.

    A line that was meant as one and is none is ``UNREAD`` or ``STRAY_END``, with itself as its
    argument.
    """

    kind: str
    argument: str
    line: str
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PressPiece:
    """A letter for other players.

    ``readers``: ids of powers; ``to_all``, ``to_master``: also everybody, the game master;
    ``unknown``: names that are nobody's: a piece that has any is not to be sent; ``closed``:
    its end was written, else it goes on to the end of the mail; ``line``: its heading.
    """

    readers: tuple[str, ...]
    to_all: bool
    to_master: bool
    anonymous: bool
    text: str
    line: str
    unknown: tuple[str, ...] = ()
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Requests:
    """A mail's text with its commands and press taken out, line by line, and these."""

    orders_text: str
    commands: tuple[Command, ...] = ()
    press: tuple[PressPiece, ...] = ()


def read_requests(text: str, board: Board, words: Vocabulary | None = None) -> Requests:
    """Read the requests in a text; whatever is none stays, on the line where it stood.

    A command counts only where it is all there is on a line.  What stands in press is neither
    a command nor an order, closed or not.
    """
    reader = _Reader(text.split("\n"), board, words or vocabulary())
    return reader.read()


@lru_cache(maxsize=8)
def _kinds(words: Vocabulary) -> dict[str, str]:
    """The kind of command that each phrase is."""
    return {
        phrase: kind for kind in words.keys("commands") for phrase in words.of("commands", kind)
    }


class _Opening(NamedTuple):
    """A line that may begin press: its ``heading``, what of the press follows on it, and to whom
    it is; ``sure``: the word for press stands in its place, and is spelt right."""

    heading: str
    rest: str
    readers: Readers
    sure: bool

    @property
    def known(self) -> bool:
        """Does it name anybody there is?"""
        return bool(self.readers.powers or self.readers.everybody or self.readers.master)


class _Reader:
    """Goes through the lines of one text."""

    def __init__(self, lines: Sequence[str], board: Board, words: Vocabulary) -> None:
        self.lines = lines
        self.board = board
        self.words = words
        self.kinds = _kinds(words)
        self.commands: list[Command] = []
        self.press: list[PressPiece] = []

    def read(self) -> Requests:
        rest = [""] * len(self.lines)
        at = 0
        while at < len(self.lines):
            behind = self._press(at)
            if behind == at:
                command = self._command(at)
                if command and not self._is_heading(command, at):
                    self.commands.append(command)
                else:
                    rest[at] = self.lines[at]
                behind = at + 1
            at = behind
        return Requests("\n".join(rest).rstrip(), tuple(self.commands), tuple(self.press))

    # -- press ---------------------------------------------------------------------------------

    def _press(self, at: int) -> int:
        """Take the press that begins at a line; the line behind it, or the same if none does."""
        begun = self._begins(self.lines[at])
        if begun is None:
            return at
        end, closed = self._end(at)
        apart = begun.known or _is_set_apart(self.lines[at])
        if not closed and not (begun.sure and apart):
            return at  # a sentence that begins like press
        readers = begun.readers
        body = [*filter(None, (begun.rest,)), *self.lines[at + 1 : end]]
        self.press.append(
            PressPiece(
                readers.powers,
                readers.everybody,
                readers.master,
                readers.anonymous,
                "\n".join(line.rstrip() for line in body).strip("\n"),
                begun.heading,
                readers.unknown,
                closed,
            )
        )
        return end + closed

    def _begins(self, line: str) -> _Opening | None:
        """A line as the beginning of press, if it may be one."""
        head, _, rest = line.partition(":")
        spelt = _WORD.findall(plain(head)) if len(head) <= _LONGEST else []
        begin = self.words.of("press", "begin")
        manners = self.words.of("press", "anonymous") | self.words.of("press", "signed")
        for i, word in enumerate(spelt[:_FIRST_WORDS]):
            if not _is_nearly(word, begin, 1):
                continue
            names = [*spelt[:i], *spelt[i + 1 :]]
            sure = word in begin and bool(names) and manners.issuperset(spelt[:i])
            readers = read_readers(names, self.board, self.words)
            return _Opening(head.strip(), rest.strip(), readers, sure)
        return None

    def _end(self, at: int) -> tuple[int, bool]:
        """The line that ends press, or the next that begins some, or the end of the text; and
        whether it is the first of these."""
        return self._ends[at + 1]

    @cached_property
    def _ends(self) -> list[tuple[int, bool]]:
        """For each line where press that goes on there ends, as above: looked up once for all."""
        ends = [(len(self.lines), False)] * (len(self.lines) + 1)
        for i in range(len(self.lines) - 1, -1, -1):
            begun = self._begins(self.lines[i])
            if self._is_end(self.lines[i]):
                ends[i] = i, True
            elif begun and begun.sure and begun.known:
                ends[i] = i, False
            else:
                ends[i] = ends[i + 1]
        return ends

    def _is_end(self, line: str) -> bool:
        """A slip in it must not send all that follows to the other players."""
        said = " ".join(re.findall(r"\w+", plain(line[:_LONGEST])))
        return _is_nearly(said, self.words.of("press", "end"), 2)

    # -- commands ------------------------------------------------------------------------------

    def _command(self, at: int) -> Command | None:
        """The command that a line is by itself, if it is one."""
        line = self.lines[at].strip()
        said = self._bare(line)
        if not said or len(said) > _LONGEST:
            return None
        if self._is_end(line):
            return Command(STRAY_END, line, line)
        typed = said.split(" ")
        for length in range(min(len(typed), _MOST_WORDS), 0, -1):
            phrase, rest = " ".join(typed[:length]), " ".join(typed[length:])
            kind = self.kinds.get(phrase, "")
            if kind and not rest:
                return Command(kind, "", line)
            command = self._with_argument(kind, rest, line) if kind else None
            if command:
                return command
        return Command(UNREAD, line, line) if self._is_attempt(line, typed) else None

    def _is_attempt(self, line: str, typed: Sequence[str]) -> bool:
        """Is a line written as a command is, and begins as one does, or nearly is one?"""
        if not line.isupper() or len(typed) > _MOST_WORDS:
            return False
        if len(typed) == 1:
            return _is_nearly(typed[0], self.kinds, 1) and not self._is_place(typed[0])
        begins = (self.kinds.get(" ".join(typed[:i]).strip(","), "") for i in range(1, len(typed)))
        return any(kind not in ("", _HEADING) for kind in begins)

    def _is_place(self, word: str) -> bool:
        return (word,) in province_names(self.board, lexicon()).names

    def _bare(self, line: str) -> str:
        """A line without bullets, emphasis, stops at its end and a please."""
        said = plain(line).strip(" *_.,:;!?#-\u2022\u00b7\"'\u00ab\u00bb\u201c\u201d[]()<")
        said = re.sub(r": ", " ", said)
        for polite in self.words.of("courtesy", "words"):
            said = said.removesuffix(f" {polite}").removeprefix(f"{polite} ").strip(" ,")
        return said

    def _is_heading(self, command: Command, at: int) -> bool:
        """``Ordini`` above lines of text is what people write above their orders."""
        line = command.line
        if command.kind != _HEADING or " " in self._bare(line) or "?" in line:
            return False
        if line.endswith(":"):
            return True
        below = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        return bool(below.strip()) and not self._command(at + 1)

    def _with_argument(self, kind: str, rest: str, line: str) -> Command | None:
        if kind == _WITH_DATES and self._is_dates(rest):
            return Command(kind, rest, line)
        if kind == _WITH_PHASE and re.search(r"\d", rest) and len(rest.split()) <= 4:
            return Command(kind, rest, line)
        if kind in _WITH_POWERS:
            readers = read_readers(_WORD.findall(rest), self.board, self.words)
            if readers.powers:
                return Command(kind, " ".join(readers.powers), line, readers.unknown)
            if line.isupper():
                return Command(kind, "", line, readers.unknown)
        return None

    def _is_dates(self, rest: str) -> bool:
        """Does a figure come first, but for words such as ``dal``, ``Monday`` and ``Dec``?"""
        for word in re.findall(r"\w+", rest):
            if word[0].isdigit():
                return True
            if not (word in self.words.of("dates", "links") or parse_month(word)):
                return False
        return False


def _is_nearly(said: str, phrases: Collection[str], most: int) -> bool:
    """Is something one of the phrases, but for some slips in one that is long enough for them?"""
    if said in phrases or len(said) < 4 * most:
        return said in phrases
    near = (phrase for phrase in phrases if abs(len(phrase) - len(said)) <= most)
    return any(distance(said, phrase, most) <= most for phrase in near)


def _is_set_apart(line: str) -> bool:
    """Is a line written as a command is: in capitals, or with a colon at its end?"""
    return line.isupper() or line.rstrip().endswith(":")
