"""Putting a copy of the game file in its place, without losing anything and without sending twice.

The file that was there is kept aside whole.  Where it can still be read, the restored game learns
from it which letters have gone since the copy was made, and gets the messages that came since.
Letters of which nobody knows become ``uncertain``: the game master decides about them.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from alexmagnum.errors import GameError
from alexmagnum.files import PRIVATE, write_whole
from alexmagnum.game.backups import FOLDER, Copy, list_copies, read_copy
from alexmagnum.game.checksum import SUM
from alexmagnum.game.file import WAIT, GameFile
from alexmagnum.game.folder import DAMAGE, FILE, read_holder
from alexmagnum.game.inbox_store import InboxStore
from alexmagnum.game.outbox_store import (
    DRAFT,
    LAST_LETTER,
    RESTORE,
    SENDING,
    SENT,
    UNCERTAIN,
    Mailing,
    OutboxStore,
)
from alexmagnum.game.records import JournalRow
from alexmagnum.game.state import Entropy, Game, Now
from alexmagnum.i18n.sentences import LANGUAGES

ASIDE = "aside"
"""The beginning of the names of the folders in which replaced files are kept."""

CHECKED = "restore-checked"
"""The act in the journal: the game master has looked at the letters after a restore."""

_FILES = (FILE, f"{FILE}-wal", f"{FILE}-shm", SUM)

_LETTER_FOLDERS = ("drafts", "outbox")
_LETTER_FILE = re.compile(r"(\d{4,})-[a-z]+-\w+\.eml")
"""Where letters lie as files, and how such a file is named: its number comes first."""

_GONE = (SENT, SENDING, UNCERTAIN)


@dataclass(frozen=True, slots=True)
class LetterSince:
    """A letter that went out, or may have, after the copy was made, and that the copy lacks."""

    occasion: str
    power: str
    phase: str
    address: str
    sent: str
    answers: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True)
class Salvage:
    """The contents of the replaced file that could still be read.

    ``complete``: all of its letters could be read.  ``states`` are those of its letters by
    Message-ID, with when they were sent, ``last_letter`` is the number of its last one.  ``acts``
    are the entries of its journal after the copy.
    """

    complete: bool = False
    last_letter: int = 0
    states: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    letters: tuple[LetterSince, ...] = ()
    messages: tuple[Mapping[str, object], ...] = ()
    codes: tuple[Mapping[str, object], ...] = ()
    acts: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    """A restored copy: where the file lies that it replaced, and what was learnt from that.

    ``sent`` and ``uncertain`` count the letters whose state was corrected, ``messages`` those
    taken over.  ``held``: no letter goes by itself until the game master has looked.  ``is_over``:
    the game is over in the copy.
    """

    copy: Copy
    aside: Path
    salvage: Salvage
    sent: int
    uncertain: int
    messages: int
    held: bool
    is_over: bool


def restore_copy(
    folder: Path, number: int, now: Now, entropy: Entropy, actor: str, reason: str = ""
) -> Restored:
    """Put a copy in the place of the game file, which is kept aside.

    The restored file is made ready beside the other one, so that whatever is interrupted, both are
    there.

    Raises:
        GameError: no-backup, backup-damaged; game-busy; cannot-write.
    """
    copy, data = read_copy(folder, number)
    try:
        aside = _set_aside(folder, now)
        with tempfile.TemporaryDirectory(prefix=".restore-", dir=folder) as name:
            ready = Path(name)
            write_whole(ready / FILE, data, private=True)
            salvage = _salvage(aside, ready / FILE)
            last = max(salvage.last_letter, _find_last_letter_file(folder))
            salvage = replace(salvage, last_letter=last)
            restored = _make_ready(ready, copy, aside, salvage, (now, entropy, actor, reason))
            _swap(folder, ready)
    except OSError as error:
        raise GameError("cannot-write", path=str(folder), why=error.strerror or "") from None
    return restored


@contextmanager
def _hold(folder: Path) -> Iterator[None]:
    """Keep other commands from writing; a file that SQLite cannot open keeps nobody out.

    Raises:
        GameError: game-busy.
    """
    if not (folder / FILE).is_file():
        yield
        return
    with closing(sqlite3.connect(folder / FILE, timeout=WAIT, isolation_level=None)) as db:
        try:
            db.execute("BEGIN IMMEDIATE")
        except DAMAGE as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise GameError("game-busy", holder=read_holder(folder)) from None
        yield


def _set_aside(folder: Path, now: Now) -> Path:
    """Copy the file with its logs into a folder of its own, as they are, and return the folder."""
    with _hold(folder):
        aside = _make_aside_folder(folder / FOLDER, f"{ASIDE}-{now():%Y%m%dT%H%M%SZ}")
        for name in _FILES:
            if (folder / name).is_file():
                shutil.copy2(folder / name, aside / name)
                (aside / name).chmod(PRIVATE)
    return aside


def _make_aside_folder(backups: Path, word: str) -> Path:
    for place in count(1):
        path = backups / (word if place == 1 else f"{word}-{place}")
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)
            return path
    raise AssertionError("numbers have no end")


def _find_last_letter_file(folder: Path) -> int:
    """Return the highest number among the letters that lie in the game's folder as files."""
    paths = (path for name in _LETTER_FOLDERS for path in (folder / name).glob("*.eml"))
    matches = (_LETTER_FILE.fullmatch(path.name) for path in paths)
    return max((int(match[1]) for match in matches if match), default=0)


def _swap(folder: Path, ready: Path) -> None:
    """Put the restored file in the place of the one that was set aside.

    Its logs go first: they would be taken for those of the restored file.
    """
    for name in _FILES:
        if name != FILE:
            (folder / name).unlink(missing_ok=True)
    (ready / FILE).chmod(PRIVATE)
    for name in (FILE, SUM):
        (ready / name).replace(folder / name)


# -- the restored file -----------------------------------------------------------------------------


def _make_ready(
    ready: Path, copy: Copy, aside: Path, salvage: Salvage, around: tuple[Now, Entropy, str, str]
) -> Restored:
    """Bring a copy up to date, and write into it what the other file knows."""
    now, entropy, actor, reason = around
    file = GameFile.open(ready)
    try:
        game = Game(file, now, entropy, actor)
        with game.act(RESTORE, reason=reason) as note:
            sent, uncertain = _correct_letters(game, salvage)
            messages = _add_messages(game, salvage.messages)
            _add_codes(game, salvage.codes)
            held, is_over = not salvage.complete, game.head().is_over
            note.detail |= {
                "copy": copy.path.name,
                "aside": f"{FOLDER}/{aside.name}",
                "complete": salvage.complete,
                LAST_LETTER: salvage.last_letter,
                "letters": [_letter_data(letter) for letter in salvage.letters],
                "messages": messages,
                "acts": len(salvage.acts),
            }
    finally:
        file.close()
    return Restored(copy, aside, salvage, sent, uncertain, messages, held, is_over)


def _correct_letters(game: Game, salvage: Salvage) -> tuple[int, int]:
    """Set the state of drafts that have gone since; return how many went, and how many may have.

    Where the other file could not be read, every draft may have gone.
    """
    store, sent, uncertain = OutboxStore(game.file), 0, 0
    for mailing in store.find_all((DRAFT, SENDING)):
        state, at = salvage.states.get(mailing.message_id, ("", ""))
        if state == SENT:
            store.set_state(mailing.id, SENT, sent=at)
            sent += 1
        elif state in _GONE or not (state or salvage.complete):
            problem = GameError("letter-restored")
            store.set_state(mailing.id, UNCERTAIN, problem=problem)
            uncertain += 1
    return sent, uncertain


def _add_messages(game: Game, messages: Sequence[Mapping[str, object]]) -> int:
    """Store the messages that came since the copy as new ones, and return their number."""
    store, added = InboxStore(game.file), 0
    for message in messages:
        key, raw = str(message["key"]), message["raw"]
        if isinstance(raw, bytes) and not store.has_key(key):
            store.add(
                key,
                raw,
                origin=str(message["origin"]),
                received=str(message["received"]),
                fetched=str(message["fetched"]),
                sender=str(message["sender"]),
                subject=str(message["subject"]),
            )
            added += 1
    return added


def _add_codes(game: Game, codes: Sequence[Mapping[str, object]]) -> None:
    """Take over the reply codes of later phases: letters that have gone carry them."""
    powers = game.base.powers
    for row in codes:
        if row["power"] in powers:
            values = (row["power"], row["phase"], row["code"])
            sql = "INSERT OR IGNORE INTO codes (power, phase, code) VALUES (?, ?, ?)"
            game.file.change("codes", sql, *values)


def _letter_data(letter: LetterSince) -> dict[str, str]:
    return {name: getattr(letter, name) for name in LetterSince.__slots__}


# -- what the other file still tells ---------------------------------------------------------------


def _salvage(folder: Path, copy: Path) -> Salvage:
    """Read what can be read of a file that may be damaged; the file itself is not touched."""
    if not (folder / FILE).is_file():
        return Salvage()
    with tempfile.TemporaryDirectory(prefix=".salvage-", dir=copy.parent) as name:
        try:
            for path in (folder / FILE, folder / f"{FILE}-wal"):
                if path.is_file():
                    shutil.copyfile(path, Path(name) / path.name)
            with (
                closing(sqlite3.connect(Path(name) / FILE)) as old,
                closing(sqlite3.connect(copy)) as new,
            ):
                return _compare(old, new)
        except (OSError, *DAMAGE):
            return Salvage()


def _compare(old: sqlite3.Connection, new: sqlite3.Connection) -> Salvage:
    """Return what an old file has that a new one lacks."""
    old.text_factory = new.text_factory = lambda raw: raw.decode("utf-8", "replace")
    keys = _read_column(new, "SELECT key FROM messages")
    last = int(new.execute("SELECT MAX(id) FROM journal").fetchone()[0] or 0)
    letters, complete = _read_rows(
        old,
        """SELECT id, message_id, occasion, power, phase, address, state, sent, created, day,
                  (SELECT key FROM messages WHERE messages.id = letters.answers) AS answers
           FROM letters ORDER BY id""",
    )
    columns = "key, raw, origin, received, fetched, sender, subject"
    messages, _ = _read_rows(old, f"SELECT {columns} FROM messages ORDER BY id")
    codes, _ = _read_rows(old, "SELECT power, phase, code FROM codes")
    acts, _ = _read_rows(old, f"SELECT at, action, phase, power FROM journal WHERE id > {last}")
    before = _read_earlier_restores(old, last)
    numbers = (row["id"] for row in letters if isinstance(row["id"], int))
    return Salvage(
        complete=complete and before.complete and _is_sound(old),
        last_letter=max(before.last_letter, *numbers, 0),
        states={str(row["message_id"]): (str(row["state"]), str(row["sent"])) for row in letters},
        letters=(
            *before.letters,
            *_select_since(letters, _read_column(new, "SELECT message_id FROM letters")),
        ),
        messages=tuple(row for row in messages if row["key"] not in keys),
        codes=tuple(codes),
        acts=tuple({name: str(text) for name, text in row.items()} for row in acts),
    )


def _read_earlier_restores(old: sqlite3.Connection, last: int) -> Salvage:
    """Return what restores behind an entry of the journal had learnt, and nobody has looked at."""
    sql = f"""SELECT detail FROM journal WHERE action = '{RESTORE}' AND id > {last}
              AND id > (SELECT COALESCE(MAX(id), 0) FROM journal WHERE action = '{CHECKED}')"""
    rows, complete = _read_rows(old, sql)
    letters, numbers = list[LetterSince](), [0]
    try:
        for row in rows:
            detail = json.loads(str(row["detail"]))
            complete = complete and bool(detail["complete"])
            letters += [LetterSince(**letter) for letter in detail["letters"]]
            numbers.append(int(detail.get(LAST_LETTER, 0)))
    except (ValueError, KeyError, TypeError):
        complete = False  # the file is damaged here
    return Salvage(complete=complete, last_letter=max(numbers), letters=tuple(letters))


def _read_column(db: sqlite3.Connection, sql: str) -> set[str]:
    """Return the values of a query for one column."""
    return {str(row[0]) for row in db.execute(sql)}


def _select_since(
    letters: Sequence[Mapping[str, object]], known: Collection[str]
) -> tuple[LetterSince, ...]:
    """Return the letters that have gone and whose Message-ID is not known yet."""
    return tuple(
        LetterSince(
            occasion=str(row["occasion"]),
            power=str(row["power"]),
            phase=str(row["phase"]),
            address=str(row["address"]),
            sent=str(row["sent"] or row["created"]),
            answers=str(row["answers"] or ""),
            day=str(row["day"] or ""),
        )
        for row in letters
        if row["message_id"] not in known and row["state"] in _GONE
    )


def _is_sound(db: sqlite3.Connection) -> bool:
    """Tell whether SQLite finds nothing wrong with a file: then all of its letters are read."""
    try:
        found = db.execute("PRAGMA integrity_check(1)").fetchone()
    except DAMAGE:
        return False
    return bool(found and found[0] == "ok")


def _read_rows(db: sqlite3.Connection, sql: str) -> tuple[list[dict[str, object]], bool]:
    """Return the rows until SQLite finds damage, and whether these are all."""
    rows: list[dict[str, object]] = []
    try:
        cursor = db.execute(sql)
        names = [column[0] for column in cursor.description]
        rows.extend(dict(zip(names, row, strict=True)) for row in cursor)
    except DAMAGE:
        return rows, False
    return rows, True


# -- afterwards ------------------------------------------------------------------------------------


def is_mail_held(game: Game) -> bool:
    """Return whether letters wait for the game master's look after a restore.

    That is so where the replaced file could not tell which letters had gone.
    """
    return any(not json.loads(row.detail)["complete"] for row in _find_restores(game))


def _find_restores(game: Game) -> tuple[JournalRow, ...]:
    """Return the restores since the game master last looked at the letters."""
    looked = "SELECT COALESCE(MAX(id), 0) FROM journal WHERE action = ?"
    return game.file.select(
        JournalRow, f"WHERE action = ? AND id > ({looked}) ORDER BY id", RESTORE, CHECKED
    )


def release_mail(game: Game, reason: str = "") -> bool:
    """Let letters go by themselves again, after the game master has looked at them; return whether
    any were held."""
    held = is_mail_held(game)
    if held:
        with game.act(CHECKED, reason=reason):
            pass
    return held


def find_drafts_sent_before(game: Game) -> tuple[tuple[Mailing, str], ...]:
    """Return the drafts written since a restore that went out before it, with when they went.

    They are recognised by what they are about: a letter of the same kind, about the same phase, to
    the same player.
    """
    rows = _find_restores(game)
    gone = [LetterSince(**letter) for row in rows for letter in json.loads(row.detail)["letters"]]
    if not gone:
        return ()
    found: list[tuple[Mailing, str]] = []
    for mailing in OutboxStore(game.file).find_all():
        match = next((one for one in gone if _is_same(game, mailing, one)), None)
        if match is None or mailing.created < rows[0].at:
            continue
        gone.remove(match)
        if mailing.state == DRAFT and not mailing.attempts and mailing.problem is None:
            found.append((mailing, match.sent))
    return tuple(found)


def _is_same(game: Game, mailing: Mailing, gone: LetterSince) -> bool:
    key = mailing.key
    answers = ""
    if key.answers is not None:
        row = game.file.row("SELECT key FROM messages WHERE id = ?", key.answers)
        answers = str(row["key"]) if row else ""
    about = (key.occasion, mailing.power, mailing.phase, mailing.address, answers, key.day)
    return about == (
        gone.occasion,
        gone.power,
        gone.phase,
        gone.address,
        gone.answers,
        gone.day,
    )


def find_language(folder: Path) -> str:
    """Return the language of a game whose file may be damaged, "" if nothing tells it."""
    whole = (copy.path for copy in list_copies(folder) if copy.is_whole)
    for path in (folder / FILE, *whole):
        place = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        with suppress(*DAMAGE), closing(sqlite3.connect(place, uri=True)) as db:
            row = db.execute("SELECT value FROM settings WHERE name = 'lang'").fetchone()
            if row and row[0] in LANGUAGES:
                return str(row[0])
    return ""
