"""What goes out: drafts first, each sent once.

A letter is a row of the table ``outgoing`` and, while it is a draft, a file in ``drafts``.  The
file is what counts: it may be read and changed until it is sent.

    draft --> sending --> sent
      |  ^        |
      |  +--------+------> uncertain        dropped

``sending`` is in the game file before a server can have taken a mail.  A row found so, with nobody
at work, was interrupted: it becomes ``uncertain``, and the game master decides.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from email.message import EmailMessage
from functools import cached_property
from pathlib import Path

from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.file import Row, to_json
from alexmagnum.game.state import Game
from alexmagnum.mail.letters.composition import (
    Letter,
    as_draft,
    draft_form,
    is_draft,
    parsed,
    plain_form,
    read_draft,
    text_of,
)
from alexmagnum.mail.letters.envelope import addressed

DRAFTS = "drafts"
DRAFT, SENDING, SENT, UNCERTAIN, DROPPED = "draft", "sending", "sent", "uncertain", "dropped"

_FILE = re.compile(r"\d{4,}-[a-z]+-\w+\.eml")
"""The names of drafts; other files in the folder are not ours."""

_TORN = re.compile(rf"\.{_FILE.pattern}\.\w+")
"""What is left of a draft where a program was killed while it wrote it."""

_HEAD = 100_000
"""Bytes of a mail in which its plain text stands: the files come after it."""


@dataclass(frozen=True, slots=True)
class Mailing:
    """A letter that goes out, without what is in it.  ``problem`` is what went wrong last, or why
    it was dropped."""

    id: int
    key: str
    kind: str
    power: str
    phase: str
    address: str
    message_id: str
    state: str
    created: str
    sent: str
    attempts: int
    problem: GameError | None
    answers: int | None

    @property
    def file(self) -> str:
        """The name of its draft."""
        return f"{self.id:04}-{self.kind}-{self.power}.eml"


_COLUMNS = (
    "id, key, kind, power, phase, address, message_id, state, created, sent, attempts, error, "
    "answers"
)


def _mailing(row: Row) -> Mailing:
    error = row.pop("error")
    return Mailing(**row, problem=_problem(error))


def _number(path: Path) -> str:
    """The number in the name of a draft."""
    return path.name.partition("-")[0]


def _problem(kept: str) -> GameError | None:
    if not kept:
        return None
    data = json.loads(kept)
    return GameError(data.pop("code"), **data)


def kept_problem(problem: GameError | None) -> str:
    return to_json({"code": problem.code, **problem.data}) if problem else ""


class Outbox:
    """The letters of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.file = game.file
        self.folder = game.file.folder
        self._texts: dict[str, str] = {}

    # -- drafts ----------------------------------------------------------------------------------

    def draft(
        self,
        kind: str,
        key: str,
        power: str,
        letter: Letter,
        *,
        answers: int | None = None,
        phase: str = "",
    ) -> int:
        """Make a letter to the player of a power: its number.  One with that key is left as it is.

        ``phase``: whose code it carries (the open one's, if none is named).  It may be part of a
        greater transaction: its file is written last, and overwritten if its number comes again.

        Raises:
            GameError: ``no-mail-address``, ``no-address``, ``mail-field``, ``cannot-write``.
        """
        with self.file.writing("draft"):
            known = self.by_key(key)
            if known is not None:
                return known.id
            ready = addressed(self.game, letter, power, phase or self._open(), key, answers)
            data = as_draft(ready)
            number = self.file.insert(
                "outgoing",
                key=key,
                kind=kind,
                power=power,
                phase=phase or self._open(),
                address=ready.to,
                message_id=ready.message_id,
                raw=data,
                state=DRAFT,
                created=self.game.stamp(),
                sent="",
                attempts=0,
                error="",
                answers=answers,
            )
            self.write(self.find(number), data)
            self._texts[ready.message_id] = plain_form(letter.text)
            return number

    def renew(self, key: str, letter: Letter) -> bool:
        """Compose a draft anew; not if it has gone, or was changed by hand: was it done?"""
        with self.file.writing("draft"):
            known = self.by_key(key)
            if known is None or known.state != DRAFT or self.read(known) != self.raw(known):
                return False
            ready = addressed(self.game, letter, known.power, known.phase, key, known.answers)
            data = as_draft(replace(ready, message_id=known.message_id))
            self.file.update("outgoing", known.id, raw=data, created=self.game.stamp())
            self.write(known, data)
            self._texts.pop(known.message_id, None)
            return True

    def _open(self) -> str:
        return str(self.game.head().name)

    def by_key(self, key: str) -> Mailing | None:
        """The letter with a key."""
        row = self.file.row(f"SELECT {_COLUMNS} FROM outgoing WHERE key = ?", key)
        return _mailing(row) if row else None

    # -- what there is ---------------------------------------------------------------------------

    def listed(self, states: Collection[str] = ()) -> tuple[Mailing, ...]:
        """The letters, or those in some states, oldest first."""
        rows = self.file.rows(f"SELECT {_COLUMNS} FROM outgoing ORDER BY id")
        return tuple(_mailing(row) for row in rows if not states or row["state"] in states)

    def find(self, number: int) -> Mailing:
        """A letter by its number.

        Raises:
            GameError: ``no-letter``.
        """
        row = self.file.row(f"SELECT {_COLUMNS} FROM outgoing WHERE id = ?", number)
        if row is None:
            raise GameError("no-letter", number=str(number))
        return _mailing(row)

    def message(self, number: int) -> EmailMessage:
        """A letter as it was sent, or as its draft now stands.

        Raises:
            GameError: ``no-letter``, ``draft-unreadable``.
        """
        mailing = self.find(number)
        data = self.read(mailing) if mailing.state == DRAFT else None
        return read_draft(self.raw(mailing) if data is None else data)

    def sent_texts(self, power: str, count: int = 5) -> tuple[str, ...]:
        """The plain texts of the last letters to a power, what its player may quote: the last
        ones of all, and the last ones but for receipts, which are many."""
        last = "SELECT id, message_id FROM outgoing WHERE power = ?1 AND state != ?2"
        rows = self.file.rows(
            f"""SELECT id, message_id FROM ({last} ORDER BY id DESC LIMIT ?3) UNION
                SELECT id, message_id FROM
                    ({last} AND kind != 'receipt' ORDER BY id DESC LIMIT ?3)
                ORDER BY id DESC""",
            *(power, DROPPED, count),
        )
        return tuple(self._text(row["id"], row["message_id"]) for row in rows)

    def _text(self, number: int, name: str) -> str:
        """The plain text of a letter; it is asked for again with every mail that comes."""
        if name not in self._texts:
            row = self.file.row(
                f"SELECT substr(raw, 1, {_HEAD}) AS head FROM outgoing WHERE id = ?", number
            )
            assert row is not None, "letters are never deleted"
            self._texts[name] = text_of(parsed(row["head"]))
        return self._texts[name]

    # -- files -----------------------------------------------------------------------------------

    def path(self, mailing: Mailing) -> Path:
        """Where a letter's draft is."""
        return self.folder / DRAFTS / mailing.file

    def write(self, mailing: Mailing, data: bytes) -> None:
        """Write a draft; what lies there under its number was never finished."""
        path = self.path(mailing)
        for left in self._written[_number(path)] - {path}:
            left.unlink(missing_ok=True)
        write_whole(path, data, private=True)
        self._written[_number(path)] = {path}

    @cached_property
    def _written(self) -> defaultdict[str, set[Path]]:
        """The drafts in the folder by the number in their names."""
        found = defaultdict(set)
        for path in (self.folder / DRAFTS).glob("*.eml"):
            found[_number(path)].add(path)
        return found

    def read(self, mailing: Mailing) -> bytes | None:
        """A draft as it now stands; None if somebody took it away."""
        try:
            return self.path(mailing).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise GameError("draft-unreadable", why=error.strerror or "") from None

    def raw(self, mailing: Mailing) -> bytes:
        row = self.file.row("SELECT raw FROM outgoing WHERE id = ?", mailing.id)
        assert row is not None, "letters are never deleted"
        return bytes(row["raw"])

    def tidy(self) -> None:
        """Take away the files of letters that are no drafts any more, or never were.

        Drafts are written while the game file is held, so that none is taken from under a pen.
        """
        if self._left_over():
            with self.file.writing("outbox"):
                for path in self._left_over():
                    with suppress(OSError):
                        path.unlink(missing_ok=True)

    def _left_over(self) -> list[Path]:
        waiting = {mailing.file for mailing in self.listed((DRAFT, SENDING))}
        return [
            path
            for path in (self.folder / DRAFTS).glob("*.eml*")
            if _TORN.fullmatch(path.name)
            or (_FILE.fullmatch(path.name) and path.name not in waiting)
        ]

    # -- by hand ---------------------------------------------------------------------------------

    def drop(self, number: int, reason: str = "") -> Mailing:
        """Give a letter up that has not gone.

        Raises:
            GameError: ``no-letter``, ``letter-is-<state>``.
        """
        with self.game.act("mail-drop", reason=reason) as note:
            mailing = self.in_state(number, DRAFT, UNCERTAIN)
            note.power = mailing.power
            note.detail |= {"letter": number, "kind": mailing.kind}
            self._set_aside(mailing, None)
        self.tidy()
        return self.find(number)

    def mark_sent(self, number: int, reason: str = "") -> Mailing:
        """Take a letter for sent: the game master knows it, or has done it himself.

        Raises:
            GameError: ``no-letter``, ``letter-is-<state>``.
        """
        with self.game.act("mail-mark-sent", reason=reason) as note:
            mailing = self.in_state(number, DRAFT, UNCERTAIN)
            note.power = mailing.power
            note.detail |= {"letter": number, "kind": mailing.kind}
            data = self.read(mailing)
            kept = {} if data is None else {"raw": data}
            stamp = self.game.stamp()
            self.file.update("outgoing", number, state=SENT, sent=stamp, error="", **kept)
        self.tidy()
        return self.find(number)

    def put_back(self, number: int, reason: str = "") -> Mailing:
        """Make a letter a draft again that has gone, may have, or was dropped.

        Raises:
            GameError: ``no-letter``, ``letter-is-<state>``.
        """
        with self.game.act("mail-again", reason=reason) as note:
            mailing = self.in_state(number, SENT, UNCERTAIN, DROPPED)
            note.power = mailing.power
            note.detail |= {"letter": number, "kind": mailing.kind, "was": mailing.state}
            self._restore(mailing)
        return self.find(number)

    def in_state(self, number: int, *states: str) -> Mailing:
        mailing = self.find(number)
        if mailing.state not in states:
            raise GameError(f"letter-is-{mailing.state}", number=str(number))
        return mailing

    def _set_aside(self, mailing: Mailing, why: GameError | None) -> None:
        """Drop a letter, and keep what was made of it."""
        data = self.read(mailing) if mailing.state == DRAFT else None
        kept = {} if data is None else {"raw": data}
        self.file.update("outgoing", mailing.id, state=DROPPED, error=kept_problem(why), **kept)

    def _restore(self, mailing: Mailing) -> None:
        """Make a draft of a letter, as it was when it went or was dropped."""
        raw = self.raw(mailing)
        data = raw if is_draft(raw) else draft_form(parsed(raw))
        self.file.update("outgoing", mailing.id, state=DRAFT, sent="", error="", raw=data)
        self.write(mailing, data)

    # -- by what happens in the game -------------------------------------------------------------

    def withdraw(self, mailings: Collection[Mailing], code: str) -> None:
        """Drop drafts that have been overtaken by events."""
        if mailings:
            with self.file.writing("outbox"):
                for mailing in mailings:
                    if self.find(mailing.id).state == DRAFT:
                        self._set_aside(mailing, GameError(code))
            self.tidy()

    def bring_back(self, mailings: Collection[Mailing]) -> None:
        """Make drafts again of letters that were withdrawn."""
        if mailings:
            with self.file.writing("outbox"):
                for mailing in mailings:
                    self._restore(mailing)
