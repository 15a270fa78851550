"""The messages that came in, as the game file keeps them.

Open this for a query on incoming mail.  A message is kept byte for byte and never changed; what
was decided about it stands beside it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from alexmagnum.errors import GameError
from alexmagnum.game.file import GameFile, Row, to_json

NEW, TAKEN, WAITING, REJECTED, ASIDE = "new", "taken", "waiting", "rejected", "aside"


class Why(NamedTuple):
    """A reason for what was decided about a message: the code of its sentence, and its data."""

    code: str
    data: Mapping[str, str]

    @classmethod
    def of(cls, code: str, **data: str) -> Why:
        """Make a reason of a code and its data."""
        return cls(code, data)


@dataclass(frozen=True, slots=True)
class Message:
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

    def is_from(self, addresses: Iterable[str]) -> bool:
        """Return whether its sender has one of some addresses."""
        senders = self.sender.casefold().split(", ")
        return any(address.casefold() in senders for address in addresses)


_COLUMNS = "id, key, origin, received, fetched, sender, subject, state, why, power, phase, mail"


def _message(row: Row) -> Message:
    why = tuple(Why(code, data) for code, data in json.loads(row.pop("why")))
    return Message(**row, why=why)


def _to_text(why: Collection[Why]) -> str:
    """Return reasons as they are stored."""
    return to_json([[reason.code, dict(reason.data)] for reason in why])


class InboxStore:
    """The messages of a game file.  Whoever changes one has a transaction open."""

    def __init__(self, file: GameFile) -> None:
        self._file = file

    def add(
        self,
        key: str,
        raw: bytes,
        *,
        origin: str,
        received: str,
        fetched: str,
        sender: str,
        subject: str,
        why: Collection[Why] = (),
    ) -> int:
        """Add a new message, with doubts about it if there are any, and return its number."""
        return self._file.insert(
            "messages",
            key=key,
            raw=raw,
            origin=origin,
            received=received,
            fetched=fetched,
            sender=sender,
            subject=subject,
            state=NEW,
            why=_to_text(why),
            power="",
            phase="",
            mail=None,
        )

    def find_all(self, states: Collection[str] = ()) -> tuple[Message, ...]:
        """Return the messages, or those in some states, in the order in which they came."""
        marks = ", ".join("?" * len(states))
        where = f"WHERE state IN ({marks})" if states else ""
        rows = self._file.rows(
            f"SELECT {_COLUMNS} FROM messages {where} ORDER BY received, id", *states
        )
        return tuple(map(_message, rows))

    def find(self, number: int) -> Message:
        """Return a message by its number.

        Raises:
            GameError: ``no-message``.
        """
        row = self._file.row(f"SELECT {_COLUMNS} FROM messages WHERE id = ?", number)
        if row is None:
            raise GameError("no-message", number=str(number))
        return _message(row)

    def find_by_key(self, key: str) -> Message | None:
        """Return the message with a key, None if it is not here."""
        row = self._file.row(f"SELECT {_COLUMNS} FROM messages WHERE key = ?", key)
        return _message(row) if row else None

    def raw(self, number: int) -> bytes:
        """Return a message byte for byte."""
        row = self._file.row("SELECT raw FROM messages WHERE id = ?", number)
        assert row is not None, "messages are never deleted"
        return bytes(row["raw"])

    def has_key(self, key: str) -> bool:
        """Return whether a message with that key is here."""
        return self._file.row("SELECT 1 FROM messages WHERE key = ?", key) is not None

    def key_of(self, number: int | None) -> str:
        """Return the key of a message, "" if there is no such message."""
        if number is None:
            return ""
        row = self._file.row("SELECT key FROM messages WHERE id = ?", number)
        return str(row["key"]) if row else ""

    def last_received(self, origin: str) -> str:
        """Return when the last message came whose origin begins so, "" if there is none."""
        row = self._file.row(
            "SELECT MAX(received) AS at FROM messages WHERE substr(origin, 1, ?) = ?",
            len(origin),
            origin,
        )
        return str(row["at"]) if row and row["at"] else ""

    def count_taken(self, power: str, after: str, until: str) -> int:
        """Return how many mails of a power were taken that came in a span of time."""
        row = self._file.row(
            """SELECT COUNT(*) AS n FROM messages
               WHERE state = ? AND power = ? AND received > ? AND received <= ?""",
            TAKEN,
            power,
            after,
            until,
        )
        return int(row["n"]) if row else 0

    def set_verdict(self, number: int, state: str, power: str, why: Collection[Why]) -> None:
        """Set what was decided about a message."""
        self._file.update("messages", number, state=state, power=power, why=_to_text(why))

    def set_state(self, number: int, state: str) -> None:
        """Set the state of a message."""
        self._file.update("messages", number, state=state)

    def set_phase(self, number: int, phase: str) -> None:
        """Set the phase that a message which waits may be about."""
        self._file.update("messages", number, phase=phase)

    def set_orders(self, number: int, phase: str, mail: int | None) -> None:
        """Set the phase that a message was taken for, and its orders if there are any."""
        self._file.update("messages", number, phase=phase, mail=mail)

    # -- orders ----------------------------------------------------------------------------------

    def last_mail(self) -> int:
        """Return the number of the last mail with orders, 0 if there is none."""
        row = self._file.row("SELECT MAX(id) AS id FROM mail")
        return int(row["id"] or 0) if row else 0

    def last_submitted(self, phase: int, power: str, kinds: Collection[str]) -> str:
        """Return when the last mail came that a power's orders rest on, "" if there is none."""
        marks = ", ".join("?" * len(kinds))
        row = self._file.row(
            f"""SELECT MAX(received) AS at FROM submissions
                WHERE phase = ? AND power = ? AND kind IN ({marks})""",
            phase,
            power,
            *kinds,
        )
        return str(row["at"]) if row and row["at"] else ""
