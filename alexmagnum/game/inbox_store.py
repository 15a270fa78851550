"""The messages that came in, as the game file keeps them, and the codes of replies."""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from alexmagnum.errors import GameError
from alexmagnum.game.file import GameFile, Row, to_json
from alexmagnum.game.game import Game
from alexmagnum.game.records import CodeRow, Passage, Record
from alexmagnum.i18n.sentences import fold

# The messages that came in, as the game file keeps them.
#
# A message is kept byte for byte and never changed; what was decided about it stands beside it.


NEW, TAKEN, WAITING, REJECTED, ASIDE = "new", "taken", "waiting", "rejected", "aside"

BOUNCED = "aside-bounce"
"""Why a notice is left aside which says that a letter came back."""


class Why(NamedTuple):
    """A reason for what was decided about a message: the code of its sentence, and its data."""

    code: str
    data: Mapping[str, str]

    @classmethod
    def of(cls, code: str, **data: str) -> Why:
        """Make a reason of a code and its data."""
        return cls(code, data)


@dataclass(frozen=True, slots=True)
class Message(Record, source="messages", json="why"):
    """A message in the inbox.

    ``state`` is new, taken, waiting, rejected or aside, and ``why`` gives the reasons.  ``power``
    is the power whose player wrote it, "" if unknown; ``phase`` is the phase it was taken for or,
    while it waits, the phase that it may be about.
    """

    id: int
    key: str
    origin: str
    received: str
    fetched: str
    sender: str
    subject: str
    state: str
    why: tuple[Why, ...]
    power: str
    phase: str
    mail: int | None

    @classmethod
    def read(cls, row: tuple[Any, ...]) -> Message:
        message = super(Message, cls).read(row)
        return replace(message, why=tuple(Why(*pair) for pair in message.why))

    def is_from(self, addresses: Iterable[str]) -> bool:
        """Return whether its sender has one of some addresses."""
        senders = self.sender.casefold().split(", ")
        return any(address.casefold() in senders for address in addresses)


class InboxStore:
    """The messages of a game file.  Whoever changes one has a transaction open."""

    def __init__(self, file: GameFile) -> None:
        self._file = file

    def add(self, *, why: Collection[Why] = (), **row: object) -> int:
        """Add a new message, with doubts about it if there are any, and return its number.

        ``row`` has all columns but those of what was decided about it.
        """
        row |= {"state": NEW, "why": _to_text(why), "power": "", "phase": "", "mail": None}
        return self._file.insert("messages", **row)

    def find_all(self, *states: str) -> tuple[Message, ...]:
        """Return the messages, or those in some states, in the order in which they came."""
        where = f"WHERE state IN ({', '.join('?' * len(states))})" if states else ""
        return self._file.select(Message, f"{where} ORDER BY received, id", *states)

    def find(self, number: int) -> Message:
        """Return a message by its number.

        Raises:
            GameError: ``no-message``.
        """
        found = self._file.find(Message, "WHERE id = ?", number)
        if found is None:
            raise GameError("no-message", number=str(number))
        return found

    def find_by_key(self, key: str) -> Message | None:
        """Return the message with a key, None if it is not here."""
        return self._file.find(Message, "WHERE key = ?", key)

    def raw(self, number: int) -> bytes:
        """Return a message byte for byte."""
        row = self._file.row("SELECT raw FROM messages WHERE id = ?", number)
        assert row is not None, "messages are never deleted"
        return bytes(row["raw"])

    def find_last_received(self, origin: str) -> str:
        """Return when the last message came whose origin begins so, "" if there is none."""
        sql = "SELECT MAX(received) AS at FROM messages WHERE substr(origin, 1, ?) = ?"
        return _read_time(self._file.row(sql, len(origin), origin))

    def count_taken(self, power: str, after: str, until: str) -> int:
        """Return how many mails of a power were taken that came in a span of time."""
        return self._file.count(
            """SELECT COUNT(*) FROM messages
               WHERE state = ? AND power = ? AND received > ? AND received <= ?""",
            TAKEN,
            power,
            after,
            until,
        )

    def update(self, number: int, why: Collection[Why] | None = None, **changes: object) -> None:
        """Change what was decided about a message: any of ``state``, ``power``, ``why``, the
        ``phase`` that it was taken for or may be about, and the number of its orders (``mail``)."""
        if why is not None:
            changes["why"] = _to_text(why)
        self._file.update("messages", number, **changes)

    def find_last_mail(self) -> int:
        """Return the number of the last mail with orders, 0 if there is none."""
        return self._file.count("SELECT MAX(id) FROM mail")

    def find_last_submitted(self, phase: int, power: str) -> str:
        """Return when the last mail came that set or withdrew a power's orders, "" if none did."""
        sql = """SELECT MAX(received) AS at FROM submissions
                 WHERE phase = ? AND power = ? AND kind IN ('mail', 'clear')"""
        return _read_time(self._file.row(sql, phase, power))

    # -- what is said to the game master -----------------------------------------------------------

    def add_passage(
        self, message: int, power: str, parts: Collection[tuple[str, str]], *, urgent: bool
    ) -> None:
        """Add what a mail says to the game master."""
        self._file.insert(
            "passages",
            message=message,
            power=power,
            urgent=int(urgent),
            parts=to_json(list(parts)),
            letter=None,
        )

    def find_passages(self, *, closed: bool = False) -> tuple[Passage, ...]:
        """Return what waits for the game master, with ``closed`` also what is done; urgent things
        come first, then the oldest."""
        where = "" if closed else "WHERE done = ''"
        return self._file.select(
            Passage, f"{where} ORDER BY done != '', urgent DESC, received, message"
        )

    def find_passage(self, message: int) -> Passage | None:
        """Return what a mail says to the game master, None if nothing."""
        return self._file.find(Passage, "WHERE message = ?", message)

    def close_passages(self, messages: Collection[int], at: str) -> None:
        """Note that what some mails say was answered or put away."""
        for number in messages:
            self._file.update("passages", number, done=at)

    def note_told(self, messages: Collection[int], letter: int | None) -> None:
        """Note the letter by which the game master was told what some mails say."""
        for number in messages:
            self._file.update("passages", number, letter=letter)

    def find_last_told(self) -> str:
        """Return when the last letter with such words was written, "" if there is none."""
        sql = """SELECT MAX(created) AS at FROM gm_letters
                 WHERE id IN (SELECT letter FROM passages)"""
        return _read_time(self._file.row(sql))


def _to_text(why: Collection[Why]) -> str:
    return to_json([[reason.code, dict(reason.data)] for reason in why])


def _read_time(row: Row | None) -> str:
    return str(row["at"] or "") if row else ""


# Reply codes: the secret code of a power in a phase, by which its answers are recognised.
#
# Every mail that goes out carries the code in its subject and in its reply address, so that a
# plain reply brings it back.


_BYTES = 5
"""Random bytes in a code: forty bits, eight letters."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_READABLE = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", _ALPHABET.encode())
"""Translates base 32 to letters that nobody mistakes for each other."""

_TOKEN = re.compile(rf"(?<![0-9a-z])[{_ALPHABET}]{{8}}(?![0-9a-z])")
_SUBJECT_TAG = re.compile(rf" \([^()\s]+-[{_ALPHABET}]{{8}}\)\s*$")


def find_or_make_code(game: Game, power: str, phase: str) -> str:
    """Return the code of a power in a phase; it is made the first time somebody asks."""
    return find_or_make_codes(game, [power], phase)[power]


def find_or_make_codes(game: Game, powers: Collection[str], phase: str) -> Mapping[str, str]:
    """Return the codes of some powers in a phase; those that are missing are made."""
    known = game.known.codes
    if any((power, phase) not in known for power in powers):
        _read_codes(game, phase)
    if any((power, phase) not in known for power in powers):
        with game.file.writing("code"):
            _read_codes(game, phase)  # another command may have been quicker
            for power in powers:
                if (power, phase) not in known:
                    known[power, phase] = _make_code(game, power, phase)
    return {power: known[power, phase] for power in powers}


def _read_codes(game: Game, phase: str) -> None:
    rows = game.file.select(CodeRow, "WHERE phase = ?", phase)
    game.known.codes.update({(row.power, row.phase): row.code for row in rows})


def _make_code(game: Game, power: str, phase: str) -> str:
    while True:
        code = base64.b32encode(game.entropy(_BYTES)).translate(_READABLE).decode("ascii")
        added = game.file.change(
            "INSERT INTO codes (power, phase, code) VALUES (?, ?, ?) ON CONFLICT (code) DO NOTHING",
            power,
            phase,
            code,
        )
        if added.rowcount:
            return code


def find_code(game: Game, code: str) -> CodeRow | None:
    """Return a code with its power and phase, None if there is no such code."""
    return game.file.find(CodeRow, "WHERE code = ?", code.casefold())


def list_codes(game: Game) -> frozenset[str]:
    """Return all codes of a game; no two games have one in common, unless one is a copy."""
    return frozenset(row.code for row in game.file.select(CodeRow))


def is_code(text: str) -> bool:
    """Tell whether a text has the form of a code."""
    return _TOKEN.fullmatch(text) is not None


def find_codes(game: Game, texts: Iterable[str]) -> tuple[CodeRow, ...]:
    """Return the game's codes in some texts (a subject, addresses), each once."""
    tokens = dict.fromkeys(token for text in texts for token in _TOKEN.findall(text.casefold()))
    found = (find_code(game, token) for token in tokens)
    return tuple(dict.fromkeys(code for code in found if code))


# -- codes in subjects and addresses --------------------------------------------------------------


def game_slug(game: Game) -> str:
    """Return the game's name as it stands in subjects and addresses: ``perdicca``."""
    plain = re.sub(r"[^a-z0-9]+", "-", fold(game.name)).strip("-")
    return plain[:24].strip("-") or "game"


def subject_prefix(game: Game) -> str:
    """Return the beginning of the subject of every mail of the game: ``[AM-perdicca]``."""
    return f"[AM-{game_slug(game)}]"


def subject_tag(game: Game, power: str, phase: str) -> str:
    """Return the end of the subject of a power's mail: ``(TOL-7h2k9mqx)``."""
    return f"({power}-{find_or_make_code(game, power, phase)})"


def remove_subject_tag(subject: str) -> str:
    """Return a subject without the code at its end.

    >>> remove_subject_tag("[AM-perdicca] Orders (TOL-7h2k9mqx)")
    '[AM-perdicca] Orders'
    """
    return _SUBJECT_TAG.sub("", subject)


def reply_address(game: Game, power: str, phase: str) -> str:
    """Return the reply address, with the code after a ``+``; "" if the game has no address."""
    user, at, host = game.settings["mail_address"].partition("@")
    return f"{user}+{game_slug(game)}-{find_or_make_code(game, power, phase)}@{host}" if at else ""
