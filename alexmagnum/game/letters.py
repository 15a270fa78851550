"""The letters of a game in its file, with the files that go with them.

Open this for a query on outgoing mail.  ``letters`` has a row for every letter; what the letter is
about stands in columns, so that the same letter is drafted only once and any SQL tool shows why it
was written.  Its mail is stored in pieces: letters of one phase share maps and sheets.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from alexmagnum.errors import GameError
from alexmagnum.game.file import GameFile, to_json
from alexmagnum.game.records import Entry, GmLetterRow, LetterRow

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

_TO_AN_ADDRESS = frozenset(KINDS) - {ANSWER, PRESS, RECEIPT, WARNING}
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


Grounds = Mapping[str, str]
"""What a letter rests on, by name, as it was when the letter was composed; see
:class:`alexmagnum.mail.outbox.Circumstances`."""


_KEY_COLUMNS = (
    "occasion",
    "power",
    "standby",
    "opened",
    "act",
    "day",
    "answers",
    "seal",
    "press",
    "times",
)
"""The fields of a key that stand in columns as they are, for every occasion."""


@dataclass(frozen=True, slots=True)
class Mailing(LetterRow):
    """A letter of the outbox, without its text.

    ``phase`` is the phase whose code it carries, ``grounds`` what it rests on, ``size`` its bytes
    with the files in it.
    """

    @property
    def key(self) -> LetterKey:
        return LetterKey(
            **{name: getattr(self, name) for name in _KEY_COLUMNS},
            address=self.address if self.occasion in _TO_AN_ADDRESS else "",
            outcomes=tuple(sorted(map(int, filter(None, self.outcomes.split(","))))),
            phase=self.phase if self.occasion == WARNING else "",
        )

    @property
    def kind(self) -> str:
        return self.key.kind

    @property
    def reader(self) -> str:
        return self.key.reader

    @property
    def problem(self) -> GameError | None:
        """What went wrong last, or why the letter was dropped."""
        data = json.loads(self.error or "{}")
        return GameError(data.pop("code"), **data) if data else None

    @property
    def file(self) -> str:
        """The name of its draft."""
        return f"{self.id:04}-{self.kind}-{self.reader}.eml"


_CUT = re.compile(
    rb"(?P<head>(?<=\n)--=_\d+_[0-9a-f]{32}(?:--)?\r?\n(?:[^\r\n]+\r?\n)*(?:\r?\n)?)"
    rb"|(?=<(?:style|script|svg|defs)\b)|(?=<g class=3D\"layer\")|(?<=</defs>)|(?<=</style>)"
)
"""Where a mail is cut: around the heads of its parts, and in order sheets, which are pages in
quoted-printable, where fonts, layers of the map and choices begin and end."""

_LEAST = 256
"""The least number of bytes of a piece of a page; smaller ones stay with the piece before."""


def _split_mail(mail: bytes) -> Iterator[bytes]:
    """Cut a mail so that equal files and equal large parts of order sheets are equal pieces."""
    at = 0
    for cut in _CUT.finditer(mail):
        if cut["head"] is not None:
            yield mail[at : cut.start()]
            yield cut["head"]
            at = cut.end()
        elif cut.start() - at >= _LEAST:
            yield mail[at : cut.start()]
            at = cut.start()
    yield mail[at:]


class OutboxStore:
    """The letters of a game file.  Whoever changes one has a transaction open."""

    def __init__(self, file: GameFile) -> None:
        self.file = file

    # -- letters ---------------------------------------------------------------------------------

    def add(
        self,
        key: LetterKey,
        mail: bytes,
        files: bytes = b"",
        *,
        phase: str,
        address: str,
        message_id: str,
        created: str,
        grounds: Grounds | None = None,
    ) -> int:
        """Add a letter as a draft and return its number.

        ``phase`` is the phase whose code it carries, ``files`` a mail with the files that are put
        in when it is sent.  After a restore the numbers of letters that only the replaced file had
        are left out.
        """
        used = self.last_before_restores()
        last = self.file.count("SELECT MAX(id) FROM letters") if used else 0
        number = self.file.insert(
            "letters",
            id=1 + max(last, used) if used else None,
            **{name: getattr(key, name) for name in _KEY_COLUMNS},
            phase=phase,
            address=address,
            message_id=message_id,
            state=DRAFT,
            created=created,
            grounds=to_json(dict(grounds or {})),
            size=0,
            sha256="",
        )
        self.file.insert_all(
            "letter_outcomes", ({"letter": number, "outcome": one} for one in key.outcomes)
        )
        self.set_mail(number, mail, files)
        return number

    def last_before_restores(self) -> int:
        """Return the highest number that a letter had in a file that a restore replaced, else 0."""
        restores = self.file.select(Entry, "WHERE action = ?", RESTORE)
        return max((int(row.detail.get(LAST_LETTER, 0)) for row in restores), default=0)

    def find(self, number: int) -> Mailing:
        """Return a letter by its number.

        Raises:
            GameError: ``no-letter``.
        """
        mailing = self.file.find(Mailing, "WHERE id = ?", number)
        if mailing is None:
            raise GameError("no-letter", number=str(number))
        return mailing

    def find_several(self, numbers: Collection[int]) -> tuple[Mailing, ...]:
        """Return the letters with some numbers, oldest first, in one query."""
        rest = "WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
        return self.file.select(Mailing, rest, json.dumps(list(numbers)))

    def by_key(self, key: LetterKey) -> Mailing | None:
        """Return the letter with a key, None if it was never drafted."""
        return self.by_keys((key,)).get(key)

    def by_keys(self, keys: Collection[LetterKey]) -> Mapping[LetterKey, Mailing]:
        """Return the letters with some keys; keys of letters never drafted are left out."""
        found: dict[LetterKey, Mailing] = {}
        for occasion in dict.fromkeys(key.occasion for key in keys):
            powers = sorted({key.power for key in keys if key.occasion == occasion})
            marks = ", ".join("?" * len(powers))
            rest = f"WHERE occasion = ? AND power IN ({marks}) ORDER BY id"
            for mailing in self.file.select(Mailing, rest, occasion, *powers):
                found.setdefault(mailing.key, mailing)
        return {key: found[key] for key in keys if key in found}

    def list_letters(self, states: Collection[str] = ()) -> tuple[Mailing, ...]:
        """Return the letters, or those in some states, oldest first."""
        marks = ", ".join("?" * len(states))
        where = f"WHERE state IN ({marks})" if states else ""
        return self.file.select(Mailing, f"{where} ORDER BY id", *states)

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
        error = to_json({"code": problem.code, **problem.data}) if problem else ""
        self.file.update("letters", number, state=state, error=error, **more)

    def set_grounds(self, number: int, grounds: Grounds, **more: str) -> None:
        """Set what a draft rests on; ``created`` and ``phase`` if given."""
        self.file.update("letters", number, grounds=to_json(dict(grounds)), **more)

    # -- what is in them -------------------------------------------------------------------------

    def set_mail(self, number: int, mail: bytes, files: bytes | None = None) -> None:
        """Store the mail of a letter in pieces, each of which is stored once for all letters.

        ``files`` is a mail with the files that are put in when it is sent; None leaves them as they
        are.
        """
        digest = sha256(mail).hexdigest()
        self.file.change(
            "UPDATE letters SET size = ?, sha256 = ? WHERE id = ?", len(mail), digest, number
        )
        self._store_pieces(number, mail, waiting=False)
        if files is not None:
            self._store_pieces(number, files, waiting=True)

    def _store_pieces(self, number: int, mail: bytes, *, waiting: bool) -> None:
        connection = self.file.connection
        cut = [piece for piece in _split_mail(mail) if piece]
        places = [sha256(piece).hexdigest() for piece in cut]
        known = connection.execute(
            "SELECT sha256 FROM pieces WHERE sha256 IN (SELECT value FROM json_each(?))",
            [json.dumps(places)],
        )
        stored = {digest for (digest,) in known}
        new = {one: piece for one, piece in zip(places, cut, strict=True) if one not in stored}
        connection.executemany(
            "INSERT INTO pieces (sha256, data) VALUES (?, ?)",
            [(digest, zlib.compress(piece, 9)) for digest, piece in new.items()],
        )
        connection.execute(
            "DELETE FROM letter_pieces WHERE letter = ? AND waiting = ?", [number, waiting]
        )
        connection.executemany(
            """INSERT INTO letter_pieces (letter, waiting, place, piece)
               SELECT ?, ?, ?, id FROM pieces WHERE sha256 = ?""",
            [(number, waiting, place, one) for place, one in enumerate(places)],
        )

    def mail(self, number: int) -> bytes:
        """Return a letter byte for byte: as it was sent, or its draft as it was composed."""
        return b"".join(self._load_pieces(number))

    def head(self, number: int, size: int) -> bytes:
        """Return so many bytes, or some more, from the beginning of a letter."""
        head = b""
        for piece in self._load_pieces(number):
            head += piece
            if len(head) >= size:
                break
        return head

    def files(self, number: int) -> bytes:
        """Return a mail with the files that are put into a letter when it is sent."""
        return b"".join(self._load_pieces(number, waiting=True))

    def _load_pieces(self, number: int, *, waiting: bool = False) -> Iterator[bytes]:
        rows = self.file.connection.execute(
            """SELECT data FROM letter_pieces JOIN pieces ON pieces.id = piece
               WHERE letter = ? AND waiting = ? ORDER BY place""",
            [number, waiting],
        )
        return (zlib.decompress(data) for (data,) in rows)

    def is_intact(self, mailing: Mailing) -> bool:
        """Return whether a letter is still byte for byte what its digest says."""
        try:
            return sha256(self.mail(mailing.id)).hexdigest() == mailing.sha256
        except zlib.error:
            return False

    # -- questions -------------------------------------------------------------------------------

    def recent(self, power: str, count: int) -> tuple[Mailing, ...]:
        """Return the last letters to a power, the last first.

        Receipts are many, so the last letters of other kinds are always included.
        """
        last = "SELECT id FROM letters WHERE power = ?1 AND state != ?2"
        return self.file.select(
            Mailing,
            f"""WHERE id IN (
                    SELECT id FROM ({last} ORDER BY id DESC LIMIT ?3) UNION
                    SELECT id FROM ({last} AND occasion NOT IN ('answer', 'receipt')
                                    ORDER BY id DESC LIMIT ?3))
                ORDER BY id DESC""",
            power,
            DROPPED,
            count,
        )

    def phases_referred_to(self, power: str, message_ids: Collection[str]) -> tuple[str, ...]:
        """Return the phases of the letters to a power that have some Message-IDs."""
        marks = ", ".join("?" * len(message_ids))
        rows = self.file.rows(
            f"SELECT phase FROM letters WHERE power = ? AND message_id IN ({marks}) ORDER BY id",
            power,
            *message_ids,
        )
        return tuple(row["phase"] for row in rows)

    def is_referred_to(self, message_ids: Collection[str]) -> bool:
        """Return whether some Message-IDs are those of letters of the game."""
        marks = ", ".join("?" * len(message_ids))
        sql = f"SELECT 1 FROM letters WHERE message_id IN ({marks}) LIMIT 1"
        return self.file.row(sql, *message_ids) is not None


class GmLetterStore:
    """The letters to the game master that were sent, or may have been: a situation has one a day.

    Whoever changes one has a transaction open.
    """

    def __init__(self, file: GameFile) -> None:
        self.file = file

    def list_letters(self) -> tuple[GmLetterRow, ...]:
        """Return the letters, oldest first."""
        return self.file.select(GmLetterRow, "ORDER BY id")

    def add(self, day: str, situation: str, created: str, address: str, mail: bytes) -> int:
        """Add a letter that is being sent, and return its number."""
        return self.file.insert(
            "gm_letters",
            day=day,
            situation=situation,
            created=created,
            address=address,
            mail=mail,
            state=SENDING,
        )

    def mail(self, number: int) -> bytes:
        """Return a letter byte for byte."""
        row = self.file.row("SELECT mail FROM gm_letters WHERE id = ?", number)
        assert row is not None, "letters that were sent are never deleted"
        return bytes(row["mail"])


# Letters that go out by themselves.


AUTOMATIC_SETTINGS: Mapping[str, str] = {
    "report": "reports",
    "ending": "reports",
    "phase": "announcements",
    "welcome": "reports",
    "letter": "announcements",
    "invitation": "announcements",
    "deadline": "announcements",
    "reminder": "reminders",
}
"""The setting that lets letters of a kind be sent automatically; ``receipts`` for other kinds."""


def find_automatic(store: OutboxStore, settings: Mapping[str, str]) -> tuple[int, ...]:
    """Return the numbers of the drafts that the settings let be sent automatically.

    So are the game master's own answers to what players said, whatever the settings say.
    Letters that the other side has refused for good are not among them.
    """
    return tuple(
        mailing.id
        for mailing in store.list_letters((DRAFT,))
        if (
            settings[AUTOMATIC_SETTINGS.get(mailing.kind, "receipts")] == "send"
            or (mailing.occasion == LETTER and mailing.answers is not None)
        )
        and (mailing.problem is None or mailing.problem.code != "mail-refused")
    )
