"""The letters of a game in its file: what each is about, its state, what is in it.

Open this for a query on outgoing mail.  ``letters`` has a row for every letter; what the letter is
about stands in columns, so that the same letter is drafted only once and any SQL tool shows why it
was written.  The files that go with it are in :mod:`alexmagnum.game.attachments`.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from alexmagnum.errors import GameError
from alexmagnum.game.attachments import (
    EnclosedFile,
    load_files,
    load_source,
    put_together,
    store_mail,
    store_mails,
)
from alexmagnum.game.file import GameFile, to_json
from alexmagnum.game.records import JournalRow, LetterRow

RESTORE, LAST_LETTER = "restore", "last_letter"
"""The act in the journal by which a copy was restored, and the key in its detail under which the
highest number stands that a letter had by then: no later letter gets such a number again."""

DRAFT, SENDING, SENT, UNCERTAIN, DROPPED = "draft", "sending", "sent", "uncertain", "dropped"

REPORT, RETRACTION, OPENING = "report", "retraction", "opening"
DEADLINE, REMINDER, PRESS = "deadline", "reminder", "press"
ANSWER, RECEIPT, WARNING = "answer", "receipt", "warning"
WELCOME, LETTER, INVITATION = "welcome", "letter", "invitation"
ENDING, REOPENING = "ending", "reopening"

KINDS: Final[Mapping[str, str]] = {
    REPORT: "report",
    RETRACTION: "phase",
    OPENING: "phase",
    DEADLINE: "deadline",
    REMINDER: "reminder",
    PRESS: "press",
    ANSWER: "receipt",
    RECEIPT: "receipt",
    WARNING: "note",
    WELCOME: "welcome",
    LETTER: "letter",
    INVITATION: "invitation",
    ENDING: "ending",
    REOPENING: "ending",
}
"""The kind of a letter, as commands and settings name it, by its occasion."""

_TO_AN_ADDRESS = frozenset(
    {
        REPORT,
        RETRACTION,
        OPENING,
        DEADLINE,
        REMINDER,
        WELCOME,
        LETTER,
        INVITATION,
        ENDING,
        REOPENING,
    }
)
"""Occasions for which every address gets a letter: a player who takes over a power too."""


@dataclass(frozen=True, slots=True)
class LetterKey:
    """The subject and the receiver of a letter: each key has one letter at most.

    ``occasion`` decides which of the others count; ``times`` is how many letters about the same
    the player had before.  ``power`` is "" for a letter to somebody who plays none: ``standby`` is
    then their number on the standby list.
    """

    occasion: str
    power: str
    address: str = ""
    outcomes: tuple[int, ...] = ()
    opened: int | None = None
    act: int | None = None
    day: str = ""
    answers: int | None = None
    seal: str = ""
    press: int | None = None
    phase: str = ""
    times: int = 0
    standby: int | None = None

    @property
    def kind(self) -> str:
        """The kind of the letter, as commands and settings name it."""
        return KINDS[self.occasion]

    @property
    def reader(self) -> str:
        """The power, or another name for who gets it: ``standby2``."""
        return self.power or f"standby{self.standby or ''}"

    def __str__(self) -> str:
        about = (self.opened, self.act, self.day, self.answers, self.seal, self.press, self.phase)
        outcomes = "+".join(map(str, self.outcomes))
        whose = (self.power, self.standby, self.address)
        said = (self.occasion, outcomes, *about, *whose, self.times or "")
        return ":".join(str(word) for word in said if word not in ("", None))


@dataclass(frozen=True, slots=True)
class Grounds:
    """The grounds of a letter; None for what it does not depend on.

    ``phase`` is the phase that has to be open, ``orders`` the seal of the orders in force ("" for
    none), ``waiting`` a message that has to wait, ``deadline`` the deadline ("" for none).
    """

    phase: str | None = None
    orders: str | None = None
    waiting: int | None = None
    deadline: str | None = None


@dataclass(frozen=True, slots=True)
class NewLetter:
    """A letter that is about to be stored: what it is about, its fields and its mail.

    ``phase`` is the phase whose code it carries.  ``files`` are put in when it is sent.
    """

    key: LetterKey
    phase: str
    address: str
    message_id: str
    created: str
    mail: bytes
    files: Sequence[EnclosedFile] = ()
    grounds: Grounds = Grounds()


@dataclass(frozen=True, slots=True)
class Mailing:
    """A letter of the outbox, without its text.

    ``phase`` is the phase whose code it carries.  ``problem`` is what went wrong last, or why the
    letter was dropped.  ``grounds`` is what it rests on, ``size`` its bytes with the files in it.
    """

    id: int
    key: LetterKey
    phase: str
    address: str
    message_id: str
    state: str
    created: str
    sent: str
    attempts: int
    problem: GameError | None
    grounds: Grounds = Grounds()
    size: int = 0

    @property
    def kind(self) -> str:
        """The kind of the letter, as commands and settings name it."""
        return self.key.kind

    @property
    def power(self) -> str:
        """The power whose player gets it, "" if it goes to somebody who plays none."""
        return self.key.power

    @property
    def reader(self) -> str:
        """The power, or another name for who gets it: ``standby2``."""
        return self.key.reader

    @property
    def answers(self) -> int | None:
        """The message that it answers."""
        return self.key.answers

    @property
    def file(self) -> str:
        """The name of its draft."""
        return f"{self.id:04}-{self.kind}-{self.reader}.eml"


def _mailing(row: LetterRow) -> Mailing:
    key = LetterKey(
        row.occasion,
        row.power,
        address=row.address if row.occasion in _TO_AN_ADDRESS else "",
        outcomes=tuple(sorted(map(int, filter(None, row.outcomes.split(","))))),
        opened=row.opened,
        act=row.act,
        day=row.day,
        answers=row.answers,
        seal=row.seal,
        press=row.press,
        phase=row.phase if row.occasion == WARNING else "",
        times=row.times,
        standby=row.standby,
    )
    return Mailing(
        row.id,
        key,
        phase=row.phase,
        address=row.address,
        message_id=row.message_id,
        state=row.state,
        created=row.created,
        sent=row.sent,
        attempts=row.attempts,
        problem=_problem(row.error),
        grounds=Grounds(row.needs_phase, row.needs_orders, row.needs_waiting, row.needs_deadline),
        size=row.size,
    )


def _problem(kept: str) -> GameError | None:
    if not kept:
        return None
    data = json.loads(kept)
    return GameError(data.pop("code"), **data)


def _kept_problem(problem: GameError | None) -> str:
    return to_json({"code": problem.code, **problem.data}) if problem else ""


def _grounds_columns(grounds: Grounds) -> dict[str, object]:
    """Return what a letter rests on as the columns of its row."""
    return {
        "needs_phase": grounds.phase,
        "needs_orders": grounds.orders,
        "needs_waiting": grounds.waiting,
        "needs_deadline": grounds.deadline,
    }


class OutboxStore:
    """The letters of a game file.  Whoever changes one has a transaction open."""

    def __init__(self, file: GameFile) -> None:
        self._file = file

    # -- letters ---------------------------------------------------------------------------------

    def add(self, letters: Sequence[NewLetter]) -> tuple[Mailing, ...]:
        """Add letters as drafts and return them."""
        added = tuple(map(self._add, letters))
        new = zip(added, letters, strict=True)
        store_mails(
            self._file.connection, {mailing.id: (one.mail, one.files) for mailing, one in new}
        )
        return added

    def _add(self, letter: NewLetter) -> Mailing:
        """Add a draft without its mail."""
        key, grounds = letter.key, letter.grounds
        number = self._file.insert(
            "letters",
            id=self._next_number(),
            occasion=key.occasion,
            power=key.power,
            standby=key.standby,
            phase=letter.phase,
            address=letter.address,
            opened=key.opened,
            act=key.act,
            day=key.day,
            answers=key.answers,
            seal=key.seal,
            press=key.press,
            times=key.times,
            message_id=letter.message_id,
            state=DRAFT,
            created=letter.created,
            **_grounds_columns(grounds),
            **{"source": b"", "size": 0, "sha256": ""},
        )
        self._file.insert_all(
            "letter_outcomes", ({"letter": number, "outcome": one} for one in key.outcomes)
        )
        return Mailing(
            number,
            key,
            phase=letter.phase,
            address=letter.address,
            message_id=letter.message_id,
            state=DRAFT,
            created=letter.created,
            sent="",
            attempts=0,
            problem=None,
            grounds=grounds,
            size=len(letter.mail),
        )

    def _next_number(self) -> int | None:
        """Return the number of the next letter; None where the file counts on by itself.

        After a restore the numbers of letters that only the replaced file had are left out.
        """
        used = self.last_before_restores()
        if not used:
            return None
        last = self._file.row("SELECT COALESCE(MAX(id), 0) AS number FROM letters")
        return 1 + max(int(last["number"]) if last else 0, used)

    def last_before_restores(self) -> int:
        """Return the highest number that a letter had in a file that a restore replaced, else 0."""
        restores = self._file.select(JournalRow, "WHERE action = ?", RESTORE)
        return max((int(json.loads(row.detail).get(LAST_LETTER, 0)) for row in restores), default=0)

    def find(self, number: int) -> Mailing:
        """Return a letter by its number.

        Raises:
            GameError: ``no-letter``.
        """
        row = self._file.find(LetterRow, "WHERE id = ?", number)
        if row is None:
            raise GameError("no-letter", number=str(number))
        return _mailing(row)

    def find_several(self, numbers: Collection[int]) -> tuple[Mailing, ...]:
        """Return the letters with some numbers, oldest first, in one query."""
        rest = "WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
        rows = self._file.select(LetterRow, rest, json.dumps(list(numbers)))
        return tuple(map(_mailing, rows))

    def find_by_key(self, key: LetterKey) -> Mailing | None:
        """Return the letter with a key, None if it was never drafted."""
        return self.find_by_keys((key,)).get(key)

    def find_by_keys(self, keys: Collection[LetterKey]) -> Mapping[LetterKey, Mailing]:
        """Return the letters with some keys; keys of letters never drafted are left out."""
        found: dict[LetterKey, Mailing] = {}
        for occasion in dict.fromkeys(key.occasion for key in keys):
            powers = sorted({key.power for key in keys if key.occasion == occasion})
            marks = ", ".join("?" * len(powers))
            rest = f"WHERE occasion = ? AND power IN ({marks}) ORDER BY id"
            for mailing in map(_mailing, self._file.select(LetterRow, rest, occasion, *powers)):
                found.setdefault(mailing.key, mailing)
        return {key: found[key] for key in keys if key in found}

    def find_all(self, states: Collection[str] = ()) -> tuple[Mailing, ...]:
        """Return the letters, or those in some states, oldest first."""
        marks = ", ".join("?" * len(states))
        where = f"WHERE state IN ({marks})" if states else ""
        return tuple(map(_mailing, self._file.select(LetterRow, f"{where} ORDER BY id", *states)))

    def set_state(
        self,
        number: int,
        state: str,
        *,
        problem: GameError | None = None,
        sent: str | None = None,
        attempts: int | None = None,
    ) -> None:
        """Set the state of a letter, and what went wrong; ``sent`` and ``attempts`` if given."""
        given = {"sent": sent, "attempts": attempts}
        more = {name: value for name, value in given.items() if value is not None}
        self._file.update("letters", number, state=state, error=_kept_problem(problem), **more)

    def set_grounds(self, number: int, grounds: Grounds) -> None:
        """Set what a draft rests on."""
        self._file.update("letters", number, **_grounds_columns(grounds))

    def set_phase(self, number: int, phase: str) -> None:
        """Set the phase whose code a draft carries."""
        self._file.update("letters", number, phase=phase)

    def set_created(self, number: int, created: str) -> None:
        """Set when a draft was composed."""
        self._file.update("letters", number, created=created)

    # -- what is in them -------------------------------------------------------------------------

    def set_mail(
        self, number: int, mail: bytes, files: Sequence[EnclosedFile] | None = None
    ) -> None:
        """Store the mail of a letter; the files that stand in it are stored once for all letters.

        ``files`` are those that are put in when it is sent; None leaves these as they are.
        """
        waiting = self.files(number, waiting=True) if files is None else files
        store_mail(self._file.connection, number, mail, waiting)

    def mail(self, number: int) -> bytes:
        """Return a letter byte for byte: as it was sent, or its draft as it was composed."""
        return put_together(self.source(number), self.files(number))

    def source(self, number: int) -> bytes:
        """Return a letter without the files in it."""
        return load_source(self._file.connection, number)

    def files(self, number: int, *, waiting: bool = False) -> tuple[EnclosedFile, ...]:
        """Return the files of a letter; ``waiting``: only those put in when it is sent."""
        return load_files(self._file.connection, number, waiting=waiting)

    def digests(self, numbers: Collection[int]) -> Mapping[int, str]:
        """Return the digests of some letters as :meth:`mail` gives them, by number."""
        rows = self._file.connection.execute(
            "SELECT id, sha256 FROM letters WHERE id IN (SELECT value FROM json_each(?))",
            [json.dumps(list(numbers))],
        )
        return {int(number): str(digest) for number, digest in rows}

    def is_intact(self, number: int) -> bool:
        """Return whether a letter is still byte for byte what its digest says."""
        row = self._file.row("SELECT sha256 FROM letters WHERE id = ?", number)
        try:
            return row is not None and sha256(self.mail(number)).hexdigest() == row["sha256"]
        except zlib.error:
            return False

    # -- questions -------------------------------------------------------------------------------

    def recent(self, power: str, count: int) -> tuple[Mailing, ...]:
        """Return the last letters to a power, the last first.

        Receipts are many, so the last letters of other kinds are always included.
        """
        last = "SELECT id FROM letters WHERE power = ?1 AND state != ?2"
        rows = self._file.select(
            LetterRow,
            f"""WHERE id IN (
                    SELECT id FROM ({last} ORDER BY id DESC LIMIT ?3) UNION
                    SELECT id FROM ({last} AND occasion NOT IN ('answer', 'receipt')
                                    ORDER BY id DESC LIMIT ?3))
                ORDER BY id DESC""",
            power,
            DROPPED,
            count,
        )
        return tuple(map(_mailing, rows))

    def phases_referred_to(self, power: str, message_ids: Collection[str]) -> tuple[str, ...]:
        """Return the phases of the letters to a power that have some Message-IDs."""
        marks = ", ".join("?" * len(message_ids))
        rows = self._file.rows(
            f"SELECT phase FROM letters WHERE power = ? AND message_id IN ({marks}) ORDER BY id",
            power,
            *message_ids,
        )
        return tuple(row["phase"] for row in rows)

    def is_referred_to(self, message_ids: Collection[str]) -> bool:
        """Return whether some Message-IDs are those of letters of the game."""
        marks = ", ".join("?" * len(message_ids))
        sql = f"SELECT 1 FROM letters WHERE message_id IN ({marks}) LIMIT 1"
        return self._file.row(sql, *message_ids) is not None
