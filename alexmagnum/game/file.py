"""The SQLite file of a game: opening it, transactions, rows in and out of it, and its checksum.

Open this for what is true of every act: it is one transaction, in the file whole or not at all, and
errors of SQLite are put in words that a person can use.  WAL lets readers go on while a command
writes; ``synchronous = FULL`` makes a commit survive a power cut.

Rows are read as records (:mod:`alexmagnum.game.records`) and written by sqlite-utils, which is
loaded when the first row is written: commands that only look do not wait for it.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import socket
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from stat import S_IMODE, S_ISREG
from typing import TYPE_CHECKING, Any, TypeVar

from alexmagnum.errors import GameError
from alexmagnum.files import PART, PRIVATE, open_own, read_own, write_whole
from alexmagnum.game import records
from alexmagnum.game.change_log import ChangeLog, is_behind, list_logs

if TYPE_CHECKING:
    from sqlite_utils import Database
    from sqlite_utils.db import Table

# The folder of a game and the header of its file, looked at before SQLite opens anything.

FILE, HOLDER, READ = "game.db", "game.holder", "mailbox.read"
FOLDERS = ("drafts", "reports")
SHEETS = "sheets"
_BESIDE = ("-wal", "-shm")

GAMES = "games.json"
"""The file with the games that a folder has had, by their names, with a mark by which a copy is
known; a game that is gone is missed."""

BACKUPS, ASIDE = "backups", "aside"
"""The folder with copies, and what begins the names of those in it that keep replaced files."""

OUTBOX = "outbox"
"""The folder in which letters lie that another mail program sends."""

DAMAGE = (sqlite3.Error, UnicodeError)
"""Errors of SQLite with a file that may be damaged: its very messages may be no text."""

_MAGIC = b"SQLite format 3\x00"
_HEADER_SIZE, _VERSION_AT, _APPLICATION_AT = 100, 60, 68
"""The header of an SQLite file: its length, and where the two numbers of ours stand in it."""


def check_header(path: Path) -> None:
    """Check the header of a file.

    Raises:
        GameError: no-game, game-foreign, game-newer, game-damaged; game-unreadable, if its
            rights keep this user out.
    """
    try:
        with open_own(path) as stream:
            header = stream.read(_HEADER_SIZE)
    except OSError as error:
        code = "game-unreadable" if isinstance(error, PermissionError) else "game-damaged"
        raise GameError(code, path=str(path), why=error.strerror or "") from None
    if not header:
        raise _describe_absence(path.parent)
    if len(header) < _HEADER_SIZE or not header.startswith(_MAGIC):
        raise GameError("game-foreign", path=str(path))
    if _read_number(header, _APPLICATION_AT) != records.APPLICATION_ID:
        raise GameError("game-foreign", path=str(path))
    check_version(_read_number(header, _VERSION_AT), path)


def _describe_absence(folder: Path) -> GameError:
    code = "game-missing" if _has_remains(folder) else "no-game"
    return GameError(code, path=str(folder), name=folder.resolve().name)


def is_game_folder(folder: Path) -> bool:
    """Tell whether a folder has a game, or what remains of one that lost its file."""
    return (folder / FILE).is_file() or _has_remains(folder)


def _has_remains(folder: Path) -> bool:
    return (folder / SUM).is_file() or bool(list_logs(folder))


def is_open_to_others(folder: Path) -> bool:
    """Tell whether other users of this computer may look into a folder."""
    return os.name == "posix" and bool(folder.stat().st_mode & 0o077)


def check_version(version: int, path: Path) -> None:
    """Refuse a file of another version.

    Raises:
        GameError: game-newer; game-foreign for those before the first that was released.
    """
    if version > records.VERSION:
        raise GameError(
            "game-newer", path=str(path), version=str(version), known=str(records.VERSION)
        )
    if version != records.VERSION:
        raise GameError("game-foreign", path=str(path))


def _read_number(header: bytes, at: int) -> int:
    return int.from_bytes(header[at : at + 4], "big")


# Who holds what: a command that has to wait says for which other one.


def read_holder(folder: Path, name: str = HOLDER) -> str:
    """Return which command holds the file or a lock, "?" if it left no word."""
    try:
        return read_own(folder / name).decode()
    except (OSError, UnicodeDecodeError):
        return "?"


def _sign(holder: Path, command: str) -> None:
    with suppress(OSError), open_own(holder, "wb") as stream:
        stream.write(f"{command}, pid {os.getpid()}, {socket.gethostname()}".encode())


@contextmanager
def hold_lock(
    folder: Path, command: str, wait: float = 0.0, busy: str = "mail-busy"
) -> Iterator[None]:
    """Keep other commands of that name out of a game's folder; wait some seconds for one to end.

    Sending mail, fetching it or writing a site may take minutes, and the game file is free
    meanwhile.  The lock is the operating system's, on an empty file beside the game file: a process
    that is killed releases it.

    Raises:
        GameError: ``busy`` (``holder``) if the other does not end in time, ``cannot-write``.
    """
    from filelock import FileLock, Timeout  # commands that only look hold none

    path, holder = folder / f"{command}.lock", f"{command}.holder"
    lock = FileLock(path, mode=PRIVATE)
    try:
        lock.acquire(timeout=wait)
    except Timeout:
        raise GameError(busy, holder=read_holder(folder, holder)) from None
    except OSError as error:
        raise GameError("cannot-write", path=str(path), why=error.strerror or "") from None
    try:
        with suppress(OSError):
            path.touch()  # its time tells when the command last ran
        _sign(folder / holder, command)
        yield
    finally:
        with suppress(OSError):
            (folder / holder).unlink()
        lock.release()


# The checksum of a game file, by which a change is noticed that no command made.
#
# SQLite notices torn pages, but not a flipped bit in a name or an order. The last command that
# wrote leaves the checksum of the file beside it: inside the file it would have to be worked out
# from every row after each act.


SUM = "game.sum"

_COUNTER_AT, _COUNTER_END = 24, 28
_PIECE = 1 << 20
_DOUBTED = "doubted"  # for a checksum: the file had changed before the last command wrote


def compare_checksum(folder: Path) -> bool | None:
    """Return whether a file is as the last command left it, None if nothing is known about that.

    The checksum counts while the change counter in the file's header is the one that was noted, and
    no write-ahead log waits: otherwise a command wrote since, and was killed before it noted one.
    """
    try:
        counter, noted = read_own(folder / SUM).decode("ascii").split()
        if noted == _DOUBTED:
            return False
        if _read_counter(folder) != counter:
            return None
        is_same = _compute_checksum(folder) == noted
        return is_same if _read_counter(folder) == counter else None
    except (OSError, ValueError):
        return None


def note_checksum(folder: Path, *, doubted: bool = False) -> None:
    """Note the checksum of a file; it counts if no connection is open."""
    with suppress(OSError, GameError):
        counter = _read_counter(folder)
        noted = _DOUBTED if doubted else _compute_checksum(folder)
        if counter and _read_counter(folder) == counter:
            write_whole(folder / SUM, f"{counter} {noted}\n", private=True)


def _compute_checksum(folder: Path) -> str:
    crc = 0
    with open_own(folder / FILE) as stream:
        while piece := stream.read(_PIECE):
            crc = zlib.crc32(piece, crc)
    return f"{crc:08x}"


def _read_counter(folder: Path) -> str:
    """Return the change counter in the header, "" while a write-ahead log has the last word."""
    if (log := folder / f"{FILE}-wal").exists() and log.stat().st_size:
        return ""
    with open_own(folder / FILE) as stream:
        header = stream.read(_COUNTER_END)
    return str(int.from_bytes(header[_COUNTER_AT:], "big"))


# The open file.


WAIT = 10.0
"""The seconds that a command waits for another to release the file."""

SYNCHRONOUS = "FULL"
"""An act is on the disk before its command says that it is done; tests of the suite do not wait."""

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_BY_HAND = "no such ", "Could not decode", "unsupported file format"
_UNWRITABLE = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
    }
)
"""Errors that concern the disk or the folder, not the contents of the file."""

_FULL = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_SHMOPEN,
        sqlite3.SQLITE_IOERR_SHMSIZE,
        sqlite3.SQLITE_IOERR_WRITE,
    }
)
"""Errors of a disk on which there is no room."""

_Rec = TypeVar("_Rec", bound=records.Record)

Row = dict[str, Any]


class GameFile:
    """The open SQLite file of a game."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self.connection = connection
        self.on_rollback: Callable[[], None] = lambda: None
        """Called when changes are taken back: values known by the number of a row are void then."""
        self.doubted = False
        """True if the file was not as the last command left it when it was opened."""
        self._log: ChangeLog | None = None
        self._opened: object = None
        self._last: Row | None = None  # the last act in the journal then
        self._writes = False
        self.has_written = False

    @cached_property
    def db(self) -> Database:
        """The file as sqlite-utils shows it."""
        return records.show_tables(self.connection)

    @classmethod
    def build(cls, folder: Path) -> GameFile:
        """Return the file of a new game, which is only in memory until it is :meth:`moved <move>`.

        Raises:
            GameError: game-exists; game-missing, if there was one.
        """
        if (folder / FILE).exists():
            raise GameError("game-exists", path=str(folder))
        if _has_remains(folder):
            raise _describe_absence(folder)
        file = cls(folder, sqlite3.connect(":memory:", isolation_level=None))
        file.connection.execute(f"PRAGMA application_id = {records.APPLICATION_ID}")
        file._configure()
        records.create_tables(file.db)
        return file

    def move(self) -> GameFile:
        """Put a file that was built in memory into its folder, whole, and return it as it opens.

        Only its owner may read the folder, on systems that have such rights.

        Raises:
            GameError: no-folder, cannot-write; game-exists, if another command was quicker;
                act-unwritten, if it is there and has no log yet.
        """
        new = self.folder / f".{FILE}-{secrets.token_hex(8)}{PART}"
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            for each in (self.folder, *(self.folder / name for name in FOLDERS)):
                each.mkdir(mode=0o700, exist_ok=True)
            if {path.name for path in self.folder.iterdir()} <= {*FOLDERS}:
                self.folder.chmod(0o700)  # one that was there, but empty
            write_whole(new, self.connection.serialize(), private=True)
            try:
                _move_unless_there(new, self.folder / FILE)
            finally:
                new.unlink(missing_ok=True)
        except FileExistsError:
            raise GameError("game-exists", path=str(self.folder)) from None
        except OSError as error:
            raise GameError("no-folder", path=str(self.folder), why=error.strerror or "") from None
        self.connection.close()
        try:
            file = GameFile.open(self.folder)
            file.begin_log()
        except GameError as error:  # the disk is full by now
            why = f"{self.path}: {error.data.get('why', error.code)}"
            raise GameError("act-unwritten", why=why) from None
        return file

    @classmethod
    def open(cls, folder: Path, wait: float = WAIT) -> GameFile:
        """Open the file of a folder.

        Raises:
            GameError: no-game; game-missing, if there was one; game-behind, if it was a later one.
        """
        if not (path := folder / FILE).exists():
            raise _describe_absence(folder)
        if not path.is_file():
            raise GameError("game-foreign", path=str(path))
        check_header(path)
        doubted, opened = compare_checksum(folder) is False, _identify(folder)
        _share_rights(path)
        file = cls(folder, connect(folder, wait))
        file.doubted, file._opened = doubted, opened
        file._log = ChangeLog(folder, file.connection)
        try:
            with file.guarded():
                file._check_again()
                file._configure()
                file._last = file.row("SELECT * FROM journal ORDER BY id DESC LIMIT 1")
        except BaseException:
            file.close()
            raise
        return file

    def _check_again(self) -> None:
        """Check the header again, now with what the write-ahead log adds to it."""
        check_version(self._read_pragma("user_version"), self.folder / FILE)
        if self._read_pragma("application_id") != records.APPLICATION_ID:
            raise GameError("game-foreign", path=self.path)
        if is_behind(self.connection, self.folder):
            raise GameError("game-behind", path=self.path)

    def _configure(self) -> None:
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        self.connection.execute("PRAGMA foreign_keys = ON")

    def _read_pragma(self, name: str) -> int:
        return int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])

    def back_up(self, path: Path) -> None:
        """Write a copy of the file into an empty one, as it was before the open transaction.

        The copy has no write-ahead log, so that it is one file.

        Raises:
            GameError: game-damaged, if SQLite finds the file damaged.
            OSError: the disk is full.
        """
        if self.connection.execute("PRAGMA locking_mode").fetchone()[0] == "exclusive":
            # No other connection gets in, and SQLite would wait for this one for ever.
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self.path)
        with (
            closing(connect(self.folder, WAIT)) as source,
            closing(sqlite3.connect(path, isolation_level=None)) as copy,
        ):
            copy.execute("PRAGMA synchronous = OFF")  # the caller waits for the disk, once
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            self.check_pages(copy)

    def check_pages(self, copy: sqlite3.Connection | None = None) -> None:
        """Raise GameError ``game-damaged`` if a page of the file, or of a copy, is damaged."""
        with self.guarded():
            found = (copy or self.connection).execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise GameError("game-damaged", path=self.path, why=str(found))

    @property
    def path(self) -> str:
        """Return the path of the file, for messages."""
        return str(self.folder / FILE)

    def close(self) -> None:
        """Close the file, and note the checksum of what was written."""
        self.connection.close()
        if self.has_written:
            note_checksum(self.folder, doubted=self.doubted)

    # -- transactions ----------------------------------------------------------------------------

    @contextmanager
    def writing(self, command: str) -> Iterator[None]:
        """Open a transaction: all that is done in it is in the file afterwards, or nothing.

        Inside another transaction it is a part of that one, which can fail on its own.
        """
        with self.guarded():
            try:
                with self.db.atomic() if self._writes else self._transaction(command):
                    yield
            except BaseException:
                self.on_rollback()
                raise

    @contextmanager
    def _transaction(self, command: str) -> Iterator[None]:
        if self._log is not None:
            self._log.watch()
        self.connection.execute("BEGIN IMMEDIATE")
        self._writes = True
        try:
            last = self._last and self.row("SELECT * FROM journal WHERE id = ?", self._last["id"])
            is_same = _identify(self.folder) == self._opened and last == self._last
            if self._log is not None and not is_same:
                raise GameError("game-replaced", path=self.path)  # by a restore
            _sign(self.folder / HOLDER, command)  # for a command that has to wait
            yield
            self._append_to_log()
            # Let SQLite count the change in the file's header, by writing there what is there.
            self.connection.execute(f"PRAGMA user_version = {self._read_pragma('user_version')}")
            self.connection.execute("COMMIT")
            self.has_written = True
        except BaseException as error:
            if self._log is not None and isinstance(error, Exception):  # else it may be stored
                self._log.take_back()
            self.connection.rollback()
            raise
        finally:
            self._writes = False
            with suppress(OSError):
                (self.folder / HOLDER).unlink()

    def _append_to_log(self) -> None:
        """Keep what the open transaction changed outside the file, which may be in memory only."""
        try:
            if self._log is not None:
                self._log.append(waits=SYNCHRONOUS == "FULL")
        except OSError as error:
            path = str(error.filename or self.path)
            raise GameError("cannot-write", path=path, why=error.strerror or "") from None

    def begin_log(self) -> None:
        """Let a new change log begin, with everything that is in the file now."""
        with self.writing("log"):
            self.change(f"DELETE FROM {records.LOG_TABLE}")
            self.change("UPDATE games SET id = id")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Open a view of the file that no other command changes."""
        with self.guarded():
            if self.connection.in_transaction:
                yield
                return
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                self.connection.rollback()

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Raise errors of SQLite that concern the file as errors for people."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            if (translated := translate(error, self.folder)) is None:
                raise
            raise translated from None

    # -- reading rows ----------------------------------------------------------------------------

    def select(self, kind: type[_Rec], rest: str = "", *values: object) -> tuple[_Rec, ...]:
        """Return the records of a kind; ``rest`` follows ``FROM`` (``WHERE phase = ?``)."""
        with self.guarded():
            return tuple(map(kind.read, self.connection.execute(f"{kind.select()} {rest}", values)))

    def find(self, kind: type[_Rec], rest: str = "", *values: object) -> _Rec | None:
        """Return the first record of a kind, None if there is none."""
        return next(iter(self.select(kind, rest, *values)), None)

    def count(self, sql: str, *values: object) -> int:
        """Return the number that a query has in its first row and column, 0 if it is empty."""
        return int(self.text(sql, *values) or 0)

    def text(self, sql: str, *values: object) -> str:
        """Return the text that a query has in its first row and column, "" if it is empty."""
        row = self.connection.execute(sql, values).fetchone()
        return str(row[0] or "") if row else ""

    def rows(self, sql: str, *values: object) -> list[Row]:
        """Return the rows of a query as mappings."""
        cursor = self.connection.execute(sql, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def row(self, sql: str, *values: object) -> Row | None:
        """Return the first row of a query, None if there is none."""
        return next(iter(self.rows(sql, *values)), None)

    # -- changing rows ---------------------------------------------------------------------------

    def insert(self, table: str, **row: object) -> int:
        """Add a row, and return its id."""
        return int(self._table(table).insert(row).last_rowid or 0)

    def insert_all(self, table: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Add rows that have the same columns."""
        self._table(table).insert_all(map(dict, rows))

    def update(self, table: str, key: int, **changes: object) -> None:
        """Change columns of the row with an id."""
        self._table(table).update(key, changes)

    def upsert(self, table: str, key: str, **row: object) -> None:
        """Add a row, or change the one with the same value in the column ``key``."""
        self._table(table).upsert(row, pk=key)

    def delete(self, table: str, where: str, *values: object) -> None:
        """Remove rows of a table."""
        self._table(table).delete_where(where, values)

    def change(self, sql: str, *values: object) -> sqlite3.Cursor:
        """Run a statement that changes many rows, or copies them."""
        return self.connection.execute(sql, values)

    def _table(self, name: str) -> Table:
        """Return a table, which sqlite-utils would create if it were missing."""
        if not (table := self.db.table(name)).exists():
            raise sqlite3.OperationalError(f"no such table: {name}")
        return table


def _identify(folder: Path) -> object:
    """Return by what a file differs from one that took its place, or was put into it, by a restore;
    None if there is none."""
    try:
        found = (folder / FILE).stat()
    except OSError:
        return None
    kept = sorted(path.name for path in folder.glob(f"{BACKUPS}/{ASIDE}-*"))
    return found.st_dev, found.st_ino, kept


def to_json(value: object) -> str:
    """Return a value as it is stored in a column: the same value is always the same text."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode()  # names of files may be no text


def _move_unless_there(new: Path, path: Path) -> None:
    """Move a file to where none may be yet; on a disk without hard links a moment is unguarded."""
    try:
        os.link(new, path)
    except FileExistsError:
        raise
    except OSError:  # exFAT, some shares
        if path.exists():
            raise FileExistsError(path) from None
        new.replace(path)


def connect(folder: Path, wait: float) -> sqlite3.Connection:
    """Open a connection that begins no transactions of its own.

    A full disk has no room for the file by which connections share the write-ahead log: there the
    connection keeps all others out.
    """
    try:
        connection = sqlite3.connect(folder / FILE, timeout=wait, isolation_level=None)
        try:
            connection.execute("PRAGMA user_version")
        except sqlite3.DatabaseError as error:
            if not is_disk_full(error):
                return connection
            connection.close()
            connection = sqlite3.connect(folder / FILE, timeout=wait, isolation_level=None)
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    except sqlite3.OperationalError as error:
        raise translate(error, folder) or error from None
    return connection


def _share_rights(path: Path) -> None:
    """Give SQLite's own files beside a game its rights, if they are ours.

    They were made with those that the game had when it was read.
    """
    rights = S_IMODE(path.stat().st_mode)
    for beside in (path.with_name(f"{FILE}{end}") for end in _BESIDE):
        with suppress(OSError):
            if S_ISREG(mode := beside.lstat().st_mode) and S_IMODE(mode) != rights:
                beside.chmod(rights)


def is_disk_full(error: BaseException) -> bool:
    """Tell whether an error says that nothing more can be written; then no file is damaged."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return code in _FULL or getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)


def is_busy(error: BaseException) -> bool:
    """Tell whether an error says that another connection keeps this one out."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF in _BUSY


def translate(error: Exception, folder: Path) -> GameError | None:
    """Return an error of SQLite as one for people, None if it does not concern the file."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    path, why = str(folder / FILE), " ".join(str(error).split())[:100]
    if is_busy(error):
        return GameError("game-busy", holder=read_holder(folder))
    if code in _UNWRITABLE:  # SQLite gives its own files beside a game the rights that it had
        files = [folder / f"{FILE}{end}" for end in ("", *_BESIDE)]
        locked = [str(each) for each in files if each.exists() and not os.access(each, os.W_OK)]
        return GameError("cannot-write", path=", ".join(locked) or path, why=why)
    if code in _DAMAGED or str(error).startswith(_BY_HAND):
        return GameError("game-damaged", path=path, why=why)
    return None
