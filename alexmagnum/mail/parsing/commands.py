"""Commands that players write on lines of their own, such as ``STATUS`` or ``ABSENCE 24/12-6/1``.

:func:`read_requests` splits the text of a mail into commands, press and the rest, which are orders.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from alexmagnum.board.model import Board
from alexmagnum.game.fresh_start import ALL, read_fresh_start
from alexmagnum.i18n.date_parser import parse_month
from alexmagnum.mail.parsing.press_pieces import MAX_HEADING, WORD, PressFinder, PressPiece
from alexmagnum.mail.parsing.recipients import read_recipients
from alexmagnum.mail.parsing.vocabulary import (
    Vocabulary,
    fold_phrase,
    is_near_phrase,
    load_vocabulary,
)
from alexmagnum.notation.lexicon import lexicon
from alexmagnum.notation.province_names import province_names

_MAX_WORDS = 6
"""Words of a command."""

UNREADABLE, STRAY_END = "unread", "stray-end"
"""The kinds of lines that look like a command, or like the end of press, but are not."""

_WITH_DATES = "absence"
_WITH_POWERS = ("draw", "concede", "no-concede")
_WITH_PHASE = "history"
_HEADING = "orders"
_CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class Command:
    """A command in a mail.

    ``kind`` is a key of the tables' section ``[commands]``. ``argument`` is the dates of an absence
    or the phase of a history as written, ids of powers with blanks between them, or ``all``
    where orders for later phases are withdrawn too. ``unknown`` are
    names among the powers that mean none. ``line`` is the line as written.

    A line that looks like a command but is none has the kind ``UNREADABLE`` or ``STRAY_END``, and
    the line as its argument.
    """

    kind: str
    argument: str
    line: str
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Requests:
    """The commands and the press in a mail, and the text that is left without them."""

    orders_text: str
    commands: tuple[Command, ...] = ()
    press: tuple[PressPiece, ...] = ()


def read_requests(text: str, board: Board, words: Vocabulary | None = None) -> Requests:
    """Take commands and press out of a text; all other lines keep their places.

    A command counts only if it is alone on its line. Lines of press are neither commands nor
    orders, even if the end of the press is missing.
    """
    words = words or load_vocabulary()
    lines = text.split("\n")
    press_finder = PressFinder(lines, board, words)
    reader = _CommandReader(lines, board, words, press_finder)
    commands, press, rest = [], [], [""] * len(lines)
    at = 0
    while at < len(lines):
        found = press_finder.find_piece(at)
        if found:
            piece, at = found
            press.append(piece)
            continue
        command = reader.read(at)
        if command and not reader.is_heading_of_orders(command, at):
            commands.append(command)
        else:
            rest[at] = lines[at]
        at += 1
    return Requests("\n".join(rest).rstrip(), tuple(commands), tuple(press))


@lru_cache(maxsize=8)
def _kinds_by_phrase(words: Vocabulary) -> dict[str, str]:
    return {
        phrase: kind for kind in words.keys("commands") for phrase in words.get("commands", kind)
    }


class _CommandReader:
    """Reads the lines of one text as commands."""

    def __init__(
        self, lines: Sequence[str], board: Board, words: Vocabulary, press_finder: PressFinder
    ) -> None:
        self.lines = lines
        self.board = board
        self.words = words
        self.press_finder = press_finder
        self.kinds = _kinds_by_phrase(words)

    def read(self, at: int) -> Command | None:
        """Return the command on a line, if the line is one."""
        line = self.lines[at].strip()
        phrase = self._strip(line)
        if not phrase or len(phrase) > MAX_HEADING:
            return None
        if self.press_finder.is_end(line):
            return Command(STRAY_END, line, line)
        start = read_fresh_start(line, self.board) or read_fresh_start(phrase, self.board)
        if start is not None:
            scope = start.scope if start.scope == ALL else ""
            return Command(_CLEAR, scope, line) if start.cancels and not start.rest else None
        typed = phrase.split(" ")
        for length in range(min(len(typed), _MAX_WORDS), 0, -1):
            kind = self.kinds.get(" ".join(typed[:length]), "")
            if not kind:
                continue
            if length == len(typed):
                return Command(kind, "", line)
            command = self._read_argument(kind, " ".join(typed[length:]), line)
            if command:
                return command
        return Command(UNREADABLE, line, line) if self._is_attempt(line, typed) else None

    def is_heading_of_orders(self, command: Command, at: int) -> bool:
        """Tell whether a command is a heading above orders: many people write ``Ordini`` there."""
        line = command.line
        if command.kind != _HEADING or " " in self._strip(line) or "?" in line:
            return False
        if line.endswith(":"):
            return True
        below = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        return bool(below.strip()) and not self.read(at + 1)

    def _is_attempt(self, line: str, typed: Sequence[str]) -> bool:
        """Tell whether a line in capitals begins with a command, or is nearly one."""
        if not line.isupper() or len(typed) > _MAX_WORDS:
            return False
        if len(typed) == 1:
            return is_near_phrase(typed[0], self.kinds, 1) and not self._is_place(typed[0])
        kinds = (self.kinds.get(" ".join(typed[:i]).strip(","), "") for i in range(1, len(typed)))
        return any(kind not in ("", _HEADING) for kind in kinds)

    def _is_place(self, word: str) -> bool:
        return (word,) in province_names(self.board, lexicon()).names

    def _strip(self, line: str) -> str:
        """Return a folded line without bullets, emphasis, final stops and "please"."""
        phrase = fold_phrase(line).strip(" *_.,:;!?#-\u2022\u00b7\"'\u00ab\u00bb\u201c\u201d[]()<")
        phrase = re.sub(r": ", " ", phrase)
        for polite in self.words.get("courtesy", "words"):
            phrase = phrase.removesuffix(f" {polite}").removeprefix(f"{polite} ").strip(" ,")
        return phrase

    def _read_argument(self, kind: str, rest: str, line: str) -> Command | None:
        """Return a command with what follows it on its line; None if it takes no such argument."""
        if kind == _WITH_DATES and self._has_dates(rest):
            return Command(kind, rest, line)
        if kind == _WITH_PHASE and re.search(r"\d", rest) and len(rest.split()) <= 4:
            return Command(kind, rest, line)
        if kind in _WITH_POWERS:
            recipients = read_recipients(WORD.findall(rest), self.board, self.words)
            if recipients.powers or line.isupper():
                return Command(kind, " ".join(recipients.powers), line, recipients.unknown)
        return None

    def _has_dates(self, rest: str) -> bool:
        """Tell whether a figure comes first, but for words such as ``dal``, ``Monday``, ``Dec``."""
        for word in re.findall(r"\w+", rest):
            if word[0].isdigit():
                return True
            if not (word in self.words.get("dates", "links") or parse_month(word)):
                return False
        return False
