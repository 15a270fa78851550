"""The mail of a game in its file: messages that came in, letters that go out, codes of replies.

Open this for a query on mail.
"""

from __future__ import annotations

import base64
import hmac
import json
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any, NamedTuple, Self

from alexmagnum.errors import GameError
from alexmagnum.files import MOST_BYTES, inflate
from alexmagnum.game.file import GameFile, to_json
from alexmagnum.game.game import Game
from alexmagnum.game.records import CodeRow, Entry, Passage, Record
from alexmagnum.game.settings import HOLD, lower_ascii
from alexmagnum.i18n.dates import extend, parse_iso, parse_span
from alexmagnum.i18n.sentences import fold

# The messages that came in, as the game file keeps them.
#
# A message is kept byte for byte and never changed; what was decided about it stands beside it. Of
# what comes without a code only the beginning is kept, of strangers for a while.


NEW, TAKEN, WAITING, REJECTED, ASIDE = "new", "taken", "waiting", "rejected", "aside"

STANDBY_REASONS = frozenset({"waits-standby", "waits-invited"})
"""Reasons to wait of a mail from the standby list."""

COMMANDS = "aside-commands"
"""Why a mail with commands of the game master is left aside: the next tick does them."""

BEGUN, ANSWERED = "aside-commands-begun", "aside-commands-done"
"""Why such a mail stays aside: its commands were begun, or they are done and answered."""

SETTLED = "aside-settled"
"""Why a mail that could be for several games is left aside: the player has said for which it is."""

SEVERAL_GAMES, GAME_UNREAD, SAME_ID = "waits-several-games", "waits-game-unread", "waits-same-id"
"""Why a mail waits: it could be for several games, or for one that could not be opened; another
mail has its Message-ID."""

ORDERS_ELSEWHERE, ORDERS_PARTLY = "waits-orders-elsewhere", "waits-orders-partly"
"""A mail that may be for several games has lines that may be orders in another: all, or some."""

LASTING = frozenset({
    BEGUN, ANSWERED, SETTLED, SEVERAL_GAMES, GAME_UNREAD, SAME_ID, ORDERS_ELSEWHERE, ORDERS_PARTLY
})  # fmt: skip
"""Reasons that a restored game keeps: nothing in it would give them again."""

BOUNCED, BOUNCED_PERHAPS = "aside-bounce", "aside-bounce-unsure"
"""Why a notice is left aside which says that a letter came back, or that some mail did: it names no
letter of the game."""


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
        senders = self.sender.split(", ")
        return any(lower_ascii(address) in senders for address in addresses)


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
        if (found := self._file.find(Message, "WHERE id = ?", number)) is None:
            raise GameError("no-message", number=str(number))
        return found

    def find_by_key(self, key: str) -> Message | None:
        """Return the message with a key, None if it is not here."""
        return self._file.find(Message, "WHERE key = ?", key)

    def find_last(self, start: str, column: str = "origin") -> str:
        """Return the last origin that begins so, or the last value of another column of the
        messages with such an origin; "" if there is none."""
        sql = f"SELECT MAX({column}) FROM messages WHERE substr(origin, 1, ?) = ?"
        return self._file.text(sql, len(start), start)

    def raw(self, number: int) -> bytes:
        """Return a message byte for byte."""
        row = self._file.row("SELECT raw FROM messages WHERE id = ?", number)
        assert row is not None, "messages are never deleted"
        return bytes(row["raw"])

    def size_of_unproven(self) -> int:
        """Return the bytes of all messages that were not taken as a player's."""
        sql = "SELECT SUM(length(raw)) FROM messages WHERE power = '' OR state != ?"
        return self._file.count(sql, TAKEN)

    def count_taken(self, power: str, begin: str, end: str, press: str) -> int:
        """Return how many mails of a power were taken that came between two instants.

        One with pieces of press in the state ``press`` counts once for each.
        """
        sql = """SELECT COUNT(*) FROM messages
                 LEFT JOIN press ON press.message = messages.id AND press.state = ?
                 WHERE messages.state = ? AND power = ? AND received > ? AND received <= ?"""
        return self._file.count(sql, press, TAKEN, power, begin, end)

    def size_of_mail(self, power: str) -> int:
        """Return the bytes of all messages of a power."""
        return self._file.count("SELECT SUM(length(raw)) FROM messages WHERE power = ?", power)

    def find_old_strangers(self, until: str) -> tuple[int, ...]:
        """Return some old messages of strangers of which more is kept than a digest."""
        sql = """SELECT id FROM messages
                 WHERE state = ? AND power = '' AND received < ? AND length(raw) > 100 LIMIT 100"""
        return tuple(row["id"] for row in self._file.rows(sql, ASIDE, until))

    def reject(self, game: Game, numbers: Sequence[int], reason: str = "") -> None:
        """Reject messages that wait; no player hears of it."""
        with game.act("mail-reject", reason=reason) as note:
            for number in numbers:
                self.find_undecided(number)
                self.update(number, state=REJECTED)
            self.close_passages(filter(self.find_passage, numbers), game.stamp())
            note.detail["messages"] = list(numbers)

    def find_undecided(self, number: int) -> Message:
        """Return a message that was not taken.

        Raises:
            GameError: ``no-message``, ``message-taken``.
        """
        if (row := self.find(number)).state == TAKEN:
            raise GameError("message-taken", number=str(number))
        return row

    def update(self, number: int, why: Collection[Why] | None = None, **changes: object) -> None:
        """Change what was decided about a message: any of ``state``, ``power``, ``why``, the
        ``phase`` that it was taken for or may be about, and the number of its orders (``mail``)."""
        if why is not None:
            changes["why"] = _to_text(why)
        self._file.update("messages", number, **changes)

    def find_last_mail(self) -> int:
        """Return the number of the last mail with orders, 0 if there is none."""
        return self._file.count("SELECT MAX(id) FROM mail")

    def find_last_number(self) -> int:
        """Return the number of the last message, 0 if there is none."""
        return self._file.count("SELECT MAX(id) FROM messages")

    def has_good_orders(self, mail: int) -> bool:
        """Tell whether a mail had an order that counted when it came."""
        sql = """SELECT COUNT(*) FROM orders JOIN submissions ON submission = submissions.id
                 WHERE mail = ? AND verdict IN ('good', 'doubtful')"""
        return self._file.count(sql, mail) > 0

    def find_last_submitted(self, phase: int, power: str) -> str:
        """Return when the last mail came that set or withdrew a power's orders, "" if none did."""
        sql = """SELECT MAX(received) FROM submissions
                 WHERE phase = ? AND power = ? AND kind IN ('mail', 'clear')"""
        return self._file.text(sql, phase, power)

    def find_overtaking(self, phase: int, row: Message, power: str) -> Why | None:
        """Return that orders of a power in a phase came which were sent after a message, else
        None."""
        last = self.find_last_submitted(phase, power)
        return Why.of("waits-overtaken", at=last) if last > row.received else None

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

    def move_passage(self, message: int, power: str) -> None:
        """Note whose player said what a mail says; the game master is told anew."""
        self._file.update("passages", message, power=power, letter=None)

    def close_passages(self, messages: Iterable[int], at: str) -> None:
        """Note that what some mails say was answered or put away."""
        for number in messages:
            self._file.update("passages", number, done=at)

    def note_told(self, messages: Collection[int], letter: int | None) -> None:
        """Note the letter by which the game master was told what some mails say."""
        for number in messages:
            self._file.update("passages", number, letter=letter)

    def find_last_told(self) -> str:
        """Return when the last letter with such words was written, "" if there is none."""
        sql = "SELECT MAX(created) FROM gm_letters WHERE id IN (SELECT letter FROM passages)"
        return self._file.text(sql)


def _to_text(why: Collection[Why]) -> str:
    return to_json([[reason.code, dict(reason.data)] for reason in why])


# The letters, with the files that go with them.
#
# ``letters`` has a row for every letter; what the letter is about stands in columns, so that the
# same letter is drafted only once and any SQL tool shows why it was written. Its mail is stored in
# pieces: letters of one phase share maps and sheets.


RESTORE, LAST_LETTER = "restore", "last_letter"
"""The act in the journal by which a copy was restored, and the key in its detail under which the
highest number stands that a letter had by then: no later letter gets such a number again."""

DRAFT, SENDING, SENT, UNCERTAIN, DROPPED = "draft", "sending", "sent", "uncertain", "dropped"


class Occasion(StrEnum):
    """Why a letter is written.

    ``kind`` is how commands and settings name such letters, ``setting`` the setting by which they
    are sent automatically, and ``grounds`` what they rest on: the open phase, the orders in force,
    the deadline, what the reader still owes, what becomes of late powers, the people and words
    that reports show.  An answer rests on what it tells.
    """

    kind: str
    setting: str
    grounds: tuple[str, ...]

    REPORT = "report", "report", "reports", "phase deadline shown owed"
    RETRACTION = "retraction", "phase", "announcements", "phase deadline shown owed"
    OPENING = "opening", "phase", "announcements", "phase deadline rules shown owed"
    DEADLINE = "deadline", "deadline", "announcements", "phase deadline owed"
    REMINDER = "reminder", "reminder", "reminders", "phase orders deadline late"
    LATE = "late", "late", "reminders", "phase orders deadline late"
    WAITING = "waiting", "waiting", "reminders", "phase deadline late"
    WELCOME = "welcome", "welcome", "reports", "phase orders deadline rules shown"
    INVITATION = "invitation", "invitation", "announcements", "phase deadline shown"
    ENDING = "ending", "ending", "reports", "shown"
    REOPENING = "reopening", "ending", "reports", "deadline owed"
    LETTER = "letter", "letter", "announcements", ""
    PRESS = "press", "press", "receipts", ""
    ANSWER = "answer", "receipt", "receipts", ""
    RECEIPT = "receipt", "receipt", "receipts", "phase orders deadline"
    WARNING = "warning", "note", "receipts", "phase"

    def __new__(cls, word: str, kind: str = "", setting: str = "", grounds: str = "") -> Self:
        self = str.__new__(cls, word)
        self._value_, self.kind, self.setting = word, kind, setting
        self.grounds = tuple(grounds.split())
        return self


FOLLOWING = frozenset(Occasion) - {
    Occasion.LETTER,
    Occasion.PRESS,
    Occasion.ANSWER,
    Occasion.RECEIPT,
    Occasion.WARNING,
}
"""Occasions of letters that can be composed at any time of the game as it stands."""

PASSING_WORDS_ON = frozenset({Occasion.LETTER, Occasion.PRESS})
"""Occasions of letters with words that nobody but their reader and writer may drop."""

_TO_AN_ADDRESS = FOLLOWING | {Occasion.LETTER}
"""Occasions for which every address gets a letter: a player who takes over a power too."""


@dataclass(frozen=True, slots=True)
class LetterKey:
    """The subject and the receiver of a letter: each key has one letter at most.

    ``occasion`` decides which of the others count; ``times`` is how many letters about the same
    the player had before.  ``power`` is "" for a letter to somebody who plays none: ``standby`` is
    then their number on the standby list.
    """

    occasion: Occasion
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
        return self.occasion.kind

    @property
    def reader(self) -> str:
        """The power, or another name for who gets it: ``standby2``."""
        return self.power or f"standby{self.standby or ''}"

    def __str__(self) -> str:
        about = (self.opened, self.act, self.day, self.answers, self.seal, self.press, self.phase)
        whose = (self.power, self.standby, self.address)
        said = (self.occasion, "+".join(map(str, self.outcomes)), *about, *whose, self.times or "")
        return ":".join(str(word) for word in said if word not in ("", None))


Grounds = Mapping[str, str]
"""What a letter rests on, by name, as it was when the letter was composed; see
:class:`alexmagnum.mail.outbox.Circumstances`."""

_KEY_COLUMNS = ("power", "standby", "opened", "act", "day", "answers", "seal", "press", "times")
"""The fields of a key that stand in columns as they are, for every occasion."""


@dataclass(frozen=True, slots=True)
class Mailing(
    Record,
    source="letters",
    json="grounds",
    outcomes="""(SELECT ifnull(group_concat(outcome), '') FROM letter_outcomes
                WHERE letter = letters.id)""",
):
    """A letter of the outbox, without its text.

    ``phase`` is the phase whose code it carries, ``grounds`` what it rests on, ``size`` its bytes
    with the files in it; ``outcomes`` has commas.
    """

    id: int
    occasion: str
    power: str
    standby: int | None
    phase: str
    address: str
    opened: int | None
    act: int | None
    day: str
    answers: int | None
    seal: str
    press: int | None
    times: int
    message_id: str
    state: str
    created: str
    sent: str
    attempts: int
    error: str
    size: int
    sha256: str
    grounds: Mapping[str, str] = field(hash=False)
    outcomes: str

    @property
    def key(self) -> LetterKey:
        return LetterKey(
            Occasion(self.occasion),
            **{name: getattr(self, name) for name in _KEY_COLUMNS},
            address=self.address if self.occasion in _TO_AN_ADDRESS else "",
            outcomes=tuple(sorted(map(int, filter(None, self.outcomes.split(","))))),
            phase=self.phase if self.occasion == Occasion.WARNING else "",
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

_LEAST = 256  # bytes of a piece of a page; smaller ones stay with the piece before


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
        grounds: Grounds | None = None,
        **row: str,
    ) -> int:
        """Add a letter as a draft and return its number.

        ``files`` is a mail with the files that are put in when it is sent.  ``row`` has the columns
        ``phase``, ``address``, ``message_id`` and ``created``.  After a restore the numbers of
        letters that only the replaced file had are left out.
        """
        used = self.last_before_restores()
        last = self.file.count("SELECT MAX(id) FROM letters") if used else 0
        number = self.file.insert(
            "letters",
            id=1 + max(last, used) if used else None,
            occasion=key.occasion,
            **{name: getattr(key, name) for name in _KEY_COLUMNS},
            **row,
            state=DRAFT,
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
        if (mailing := self.file.find(Mailing, "WHERE id = ?", number)) is None:
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
            rest = f"WHERE occasion = ? AND power IN ({','.join('?' * len(powers))}) ORDER BY id"
            for mailing in self.file.select(Mailing, rest, occasion, *powers):
                found.setdefault(mailing.key, mailing)
        return {key: found[key] for key in keys if key in found}

    def list_letters(self, states: Collection[str] = ()) -> tuple[Mailing, ...]:
        """Return the letters, or those in some states, oldest first."""
        where = f"WHERE state IN ({','.join('?' * len(states))})" if states else ""
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
        are.  A mail of more than 32 MiB, which could not be read back, changes nothing.
        """
        if len(mail) > MOST_BYTES:
            return
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
        left = MOST_BYTES
        for (data,) in rows:
            piece = inflate(data, left)
            left -= len(piece)
            yield piece

    def is_intact(self, mailing: Mailing) -> bool:
        """Return whether a letter is still byte for byte what its digest says."""
        try:
            return sha256(self.mail(mailing.id)).hexdigest() == mailing.sha256
        except zlib.error:
            return False

    # -- questions -------------------------------------------------------------------------------

    def recent(self, power: str, count: int) -> tuple[Mailing, ...]:
        """Return the last letters to a power, so many receipts, so much press and so many others,
        the last first; drafts only if there are no more that went."""
        last = """SELECT id, ROW_NUMBER() OVER (
                    PARTITION BY occasion = 'press', occasion IN ('answer', 'receipt')
                    ORDER BY state = 'draft', id DESC
                  ) AS place FROM letters WHERE power = ? AND state != ?"""
        rest = f"WHERE id IN (SELECT id FROM ({last}) WHERE place <= ?) ORDER BY id DESC"
        return self.file.select(Mailing, rest, power, DROPPED, count)

    def find_letters_with(self, message_ids: Collection[str]) -> tuple[Mailing, ...]:
        """Return the letters that have some Message-IDs, oldest first."""
        rest = "WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id"
        return self.file.select(Mailing, rest, json.dumps(list(message_ids)))


FOR_GOOD = frozenset({"mail-refused", "mail-came-back"})
"""Problems of letters that are not sent again automatically."""


def find_automatic(
    store: OutboxStore, settings: Mapping[str, str], now: datetime | None = None
) -> tuple[int, ...]:
    """Return the numbers of the drafts that the settings let be sent automatically by ``now``, or
    at any time.

    The game master's own answers to what players said are among them, whatever the settings say;
    letters that the other side has refused for good are not.
    """
    automatic = []
    for mailing in store.list_letters((DRAFT,)):
        is_answer = mailing.occasion == Occasion.LETTER and mailing.answers is not None
        at = find_time_to_go(mailing, settings)
        is_due = is_answer or (
            at is not None and (now is None or at <= max(now, parse_iso(mailing.created)))
        )
        if is_due and (mailing.problem is None or mailing.problem.code not in FOR_GOOD):
            automatic.append(mailing.id)
    return tuple(automatic)


def find_time_to_go(mailing: Mailing, settings: Mapping[str, str]) -> datetime | None:
    """Return when the settings let a draft go, None if never: one that is held, after the last
    look of the game master."""
    setting, created = settings[mailing.key.occasion.setting], parse_iso(mailing.created)
    if setting.startswith(HOLD):
        return extend(created, parse_span(setting.removeprefix(HOLD)), settings["timezone"])
    return created if setting == "send" else None


# Reply codes: the secret code of a power in a phase, by which its answers are recognised.
#
# Every mail that goes out carries the code in its subject and in its reply address, so that a
# plain reply brings it back. It follows from the secret of the game: a game restored from any copy
# gives the codes that its players have already.


_BYTES = 5  # bytes in a code: forty bits, eight letters

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
    if not (known := game.known.codes.get(phase) or _read_codes(game, phase)).keys() >= set(powers):
        with game.file.writing("code"):
            known = _read_codes(game, phase)  # another command may have been quicker
            rows = game.file.rows(
                """SELECT power, COUNT(*) || MAX(since) AS begun FROM players
                   GROUP BY power HAVING COUNT(*) > 1"""
            )
            newcomers = {row["power"]: row["begun"] for row in rows}
            for power in powers:
                begun = newcomers.get(power, "")  # who played it before knows its codes
                known[power] = known.get(power) or _make_code(game, power, phase, begun)
    return known


def _read_codes(game: Game, phase: str) -> dict[str, str]:
    rows = game.file.select(CodeRow, "WHERE phase = ?", phase)
    game.known.codes[phase] = {row.power: row.code for row in rows}
    return game.known.codes[phase]


def _make_code(game: Game, power: str, phase: str, begun: str) -> str:
    times = 0
    while True:
        about = f"{game.name}\n{phase}\n{power}\n{begun}{times}\n".encode()
        drawn = hmac.digest(bytes.fromhex(game.info.secret), about, "sha256")[:_BYTES]
        code = base64.b32encode(drawn).translate(_READABLE).decode("ascii")
        sql = (
            "INSERT INTO codes (power, phase, code) VALUES (?, ?, ?) ON CONFLICT (code) DO NOTHING"
        )
        if game.file.change(sql, power, phase, code).rowcount:
            return code
        times += 1


def find_code(game: Game, code: str) -> CodeRow | None:
    """Return a code with its power and phase, None if there is no such code."""
    return game.file.find(CodeRow, "WHERE code = ?", code.casefold())


def is_code(text: str) -> bool:
    """Tell whether a text has the form of a code."""
    return _TOKEN.fullmatch(text) is not None


def find_codes(game: Game, texts: Iterable[str]) -> tuple[CodeRow, ...]:
    """Return the game's codes in some texts (a subject, addresses), each once."""
    tokens = dict.fromkeys(token for text in texts for token in _TOKEN.findall(text.casefold()))
    found = (find_code(game, token) for token in tokens)
    return tuple(dict.fromkeys(code for code in found if code))


def hide_codes(game: Game, text: str) -> str:
    """Return a text with stars in place of the game's codes, for people other than its writer."""

    def hide(found: re.Match[str]) -> str:
        return "*" * len(found[0]) if find_code(game, found[0]) else found[0]

    return re.sub(_TOKEN.pattern, hide, text, flags=re.IGNORECASE)


# -- codes in subjects and addresses --------------------------------------------------------------


def game_slug(game: Game) -> str:
    """Return the game's name as it stands in subjects and addresses: ``perdicca``."""
    return re.sub(r"[^a-z0-9]+", "-", fold(game.name)).strip("-")[:24].strip("-") or "game"


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
