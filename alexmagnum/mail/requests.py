"""What a player asks for on lines of their own: commands, and press for the other players."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from alexmagnum.board.model import Board
from alexmagnum.mail.readers import Readers, read_readers
from alexmagnum.mail.vocabulary import Vocabulary, plain, vocabulary
from alexmagnum.notation.spelling import distance

_LONGEST = 100
"""Characters of a line that is a command; a longer one is a sentence."""

_WORD = re.compile(r"\w+'?")
"""A word of a heading; ``all'`` is another than ``all``."""

_MOST_WORDS = 6
"""Words of a command."""

_WITH_DATES = "absence"
_WITH_POWERS = ("draw", "concede", "no-concede")
_WITH_PHASE = "history"
_HEADING = "orders"


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its ``kind``, as in the tables' ``[commands]``; its ``argument`` (the dates of
    an absence or the phase of a history as written, the ids of powers with blanks between);
    ``unknown``, names among them that are no power's; and its line as written."""

    kind: str
    argument: str
    line: str
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PressPiece:
    """A letter for other players.

    ``readers``: ids of powers; ``to_all``, ``to_master``: also everybody, the game master;
    ``unknown``: names that are nobody's: a piece that has any is not to be sent; ``closed``:
    its end was written, else it goes on to the end of the mail; ``line``: its first line.
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
                if command:
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
        readers, head = begun
        end, closed = self._end(at)
        known = readers.powers or readers.everybody or readers.master
        if not known and not closed and not _is_set_apart(self.lines[at]):
            return at  # a sentence that begins like press
        body = [head, *self.lines[at + 1 : end]] if head else list(self.lines[at + 1 : end])
        self.press.append(
            PressPiece(
                readers.powers,
                readers.everybody,
                readers.master,
                readers.anonymous,
                "\n".join(line.rstrip() for line in body).strip("\n"),
                self.lines[at].strip(),
                readers.unknown,
                closed,
            )
        )
        return end + closed

    def _begins(self, line: str) -> tuple[Readers, str] | None:
        """Who a line that begins press is to, and what of the press follows on it."""
        head, _, rest = line.partition(":")
        first, *names = _WORD.findall(plain(head)) or [""]
        if first in self.words.of("press", "anonymous") and names:
            first, names = names[0], [first, *names[1:]]
        if first not in self.words.of("press", "begin") or len(head) > _LONGEST or not names:
            return None
        return read_readers(names, self.board, self.words), rest.strip()

    def _end(self, at: int) -> tuple[int, bool]:
        """The line that ends press, or the next that begins some, or the end of the text; and
        whether it is the first of these."""
        for i in range(at + 1, len(self.lines)):
            if self._is_end(self.lines[i]):
                return i, True
            begun = self._begins(self.lines[i])
            if begun and (begun[0].powers or begun[0].everybody or begun[0].master):
                return i, False
        return len(self.lines), False

    def _is_end(self, line: str) -> bool:
        """A slip in it must not send all that follows to the other players."""
        said = " ".join(re.findall(r"\w+", plain(line[:_LONGEST])))
        return bool(said) and any(
            said == phrase or (len(said) > 7 and distance(said, phrase, 2) <= 2)
            for phrase in self.words.of("press", "end")
        )

    # -- commands ------------------------------------------------------------------------------

    def _command(self, at: int) -> Command | None:
        """The command that a line is, if it is one."""
        line = self.lines[at].strip()
        said = self._bare(line)
        if not said or len(said) > _LONGEST:
            return None
        typed = said.split(" ")
        for length in range(min(len(typed), _MOST_WORDS), 0, -1):
            phrase, rest = " ".join(typed[:length]), " ".join(typed[length:])
            kind = self.kinds.get(phrase, "")
            if kind and not rest:
                return None if self._is_heading(kind, phrase, at) else Command(kind, "", line)
            command = self._with_argument(kind, rest, line) if kind else None
            if command:
                return command
        return None

    def _bare(self, line: str) -> str:
        """A line without bullets, emphasis, a last stop and a please."""
        said = plain(line).strip(" *_.!?#-\u2022\u00b7\"'[]()<")
        for polite in self.words.of("courtesy", "words"):
            said = said.removesuffix(f" {polite}").removeprefix(f"{polite} ").strip(" ,")
        return said

    def _is_heading(self, kind: str, phrase: str, at: int) -> bool:
        """``Ordini`` above lines of text is what people write above their orders."""
        if kind != _HEADING or " " in phrase or "?" in self.lines[at]:
            return False
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
        """Does a figure come first, but for words such as ``dal`` and ``Monday``?"""
        for word in re.findall(r"\w+", rest):
            if word[0].isdigit():
                return True
            if word not in self.words.of("dates", "links"):
                return False
        return False


def _is_set_apart(line: str) -> bool:
    """Is a line written as a command is: in capitals, or with a colon at its end?"""
    return line.isupper() or line.rstrip().endswith(":")
