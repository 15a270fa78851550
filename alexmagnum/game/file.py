"""The game file: opening it without harm, transactions, and who holds it.

WAL lets readers go on while somebody writes; ``synchronous = FULL`` makes a commit survive a
power cut, which costs a game of 22 years less than a second.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from alexmagnum.errors import GameError
from alexmagnum.game.migrations import VERSION, migrate
from alexmagnum.game.schema import APPLICATION_ID

FILE, HOLDER = "game.db", "game.holder"
FOLDERS = ("drafts", "reports")

WAIT = 10.0
"""Seconds for which a command waits for another to let the file go."""

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_NO_WAY = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
    }
)
"""What SQLite says of a disk or a folder, not of what is in the file."""

_MAGIC = b"SQLite format 3\x00"

Row = dict[str, Any]


class GameFile:
    """The SQLite file of a game."""

    def __init__(self, folder: Path, db: Database) -> None:
        self.folder = folder
        self.db = db
        self._writes = False

    @classmethod
    def create(cls, folder: Path, wait: float = WAIT) -> GameFile:
        """Make the folder with an empty file in it; :meth:`begin` gives it its tables.

        Nothing is ever taken away: a file whose making was interrupted, or is going on, is used
        as it is.

        Raises:
            GameError: game-exists, no-folder, cannot-write, game-busy.
        """
        _check_free(folder)
        _make_folders(folder)
        file = cls(folder, _connect(folder, wait))
        try:
            file._patiently(file._mark, wait)
            file._patiently(file._ready, wait)
        except BaseException:
            file.close()
            raise
        return file

    def _mark(self) -> None:
        """Call the file ours, still without a log: the mark goes straight into the header."""
        if self._pragma("application_id") != APPLICATION_ID:
            self.db.execute(f"PRAGMA application_id = {APPLICATION_ID}")

    def _patiently(self, step: Callable[[], None], wait: float) -> None:
        """Try a step for so many seconds: where two begin at once, SQLite itself does not wait."""
        end = time.monotonic() + wait
        while True:
            try:
                with self.guarded():
                    return step()
            except GameError as error:
                if error.code != "game-busy" or time.monotonic() > end:
                    raise
            time.sleep(0.01)

    @contextmanager
    def begin(self, version: int = VERSION) -> Iterator[None]:
        """The transaction that makes an empty file a game: until it is done there is none.

        With another ``version`` the tables are as they were in it, until :meth:`catch_up`.

        Raises:
            GameError: game-exists, if another command was quicker; game-busy.
        """
        with self.writing("new"):
            if self._pragma("user_version"):
                raise GameError("game-exists", path=str(self.folder))
            migrate(self.db, version)
            yield
            self.catch_up()

    def catch_up(self) -> None:
        """Bring the tables up to date, in the transaction that is open."""
        if self._pragma("user_version") < VERSION:
            migrate(self.db)

    @classmethod
    def open(cls, folder: Path, wait: float = WAIT) -> GameFile:
        """Open the file of a folder, and bring it up to date.

        Raises:
            GameError: no-game, game-foreign, game-damaged, game-newer, game-busy, cannot-write.
        """
        path = folder / FILE
        if not path.is_file():
            raise GameError("no-game", path=str(folder))
        _check_header(path)
        file = cls(folder, _connect(folder, wait))
        try:
            with file.guarded():
                file._check_versions()
                file._ready()
                file._update()
        except BaseException:
            file.close()
            raise
        return file

    def _check_versions(self) -> None:
        """The same as in the header, once what waits in the write-ahead log is known."""
        version = self._pragma("user_version")
        if not version:
            raise GameError("no-game", path=str(self.folder))
        if version > VERSION:
            raise GameError("game-newer", path=self.path, version=str(version), known=str(VERSION))
        if self._pragma("application_id") != APPLICATION_ID:
            raise GameError("game-foreign", path=self.path)

    def _ready(self) -> None:
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = FULL")
        self.db.execute("PRAGMA foreign_keys = ON")

    def _update(self) -> None:
        """Bring a file of an older version up to date; another command may be quicker."""
        if self._pragma("user_version") < VERSION:
            with self.writing("migrate"):
                self.catch_up()
            # Letters held their files many times over.  Where another command reads, it stays so.
            with suppress(sqlite3.OperationalError):
                self.db.execute("VACUUM")

    def _pragma(self, name: str) -> int:
        return int(self.db.execute(f"PRAGMA {name}").fetchone()[0])

    @property
    def path(self) -> str:
        return str(self.folder / FILE)

    def close(self) -> None:
        self.db.close()

    # -- transactions ----------------------------------------------------------------------------

    @contextmanager
    def writing(self, command: str) -> Iterator[None]:
        """One transaction: all of it is in the file afterwards, or nothing.

        Inside another it is a part of that, which can fail by itself.

        Raises:
            GameError: game-busy, if another command keeps the file for too long; cannot-write.
        """
        if self._writes:
            with self._part():
                yield
            return
        with self.guarded():
            self.db.conn.execute("BEGIN IMMEDIATE")
            self._writes = True
            try:
                self._sign(command)
                yield
                self.db.conn.execute("COMMIT")
            except BaseException:
                self.db.conn.rollback()
                raise
            finally:
                self._writes = False
                with suppress(OSError):
                    (self.folder / HOLDER).unlink()

    @contextmanager
    def _part(self) -> Iterator[None]:
        """Part of the transaction that is open: what it did is undone if it fails."""
        with self.guarded():
            self.db.conn.execute("SAVEPOINT part")
            try:
                yield
            except BaseException:
                if self.db.conn.in_transaction:  # a full disk has ended it
                    self.db.conn.execute("ROLLBACK TO part")
                    self.db.conn.execute("RELEASE part")
                raise
            self.db.conn.execute("RELEASE part")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A view of the file that no other command changes."""
        with self.guarded():
            if self.db.conn.in_transaction:
                yield
                return
            self.db.conn.execute("BEGIN")
            try:
                yield
            finally:
                self.db.conn.rollback()

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Turn what SQLite says of the file into what a person can use.

        Raises:
            GameError: game-busy, cannot-write, game-damaged; mistakes of ours stay what they are.
        """
        try:
            yield
        except sqlite3.DatabaseError as error:
            told = _told(error, self.folder)
            if told is None:
                raise
            raise told from None

    def _sign(self, command: str) -> None:
        """Leave word of who holds the file, for a command that has to wait."""
        word = f"{command}, pid {os.getpid()}, {socket.gethostname()}"
        with suppress(OSError):
            (self.folder / HOLDER).write_text(word, encoding="utf-8")

    def holder(self) -> str:
        """Who holds the file, as far as he left word."""
        return _holder(self.folder)

    # -- rows ------------------------------------------------------------------------------------

    def rows(self, sql: str, *values: object) -> list[Row]:
        """The rows of a query, as mappings."""
        cursor = self.db.conn.execute(sql, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def pairs(self, sql: str) -> dict[str, str]:
        """The rows of a query of two columns, as one mapping."""
        return dict(self.db.conn.execute(sql).fetchall())

    def row(self, sql: str, *values: object) -> Row | None:
        """The first row of a query, None if there is none."""
        return next(iter(self.rows(sql, *values)), None)

    def insert(self, table: str, **row: object) -> int:
        """Add a row: its id."""
        names = ", ".join(row)
        marks = ", ".join("?" * len(row))
        cursor = self.db.execute(
            f"INSERT INTO {table} ({names}) VALUES ({marks})", list(row.values())
        )
        return int(cursor.lastrowid or 0)

    def insert_all(self, table: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Add rows, all with the same columns."""
        listed = list(rows)
        if listed:
            names = ", ".join(listed[0])
            marks = ", ".join("?" * len(listed[0]))
            self.db.conn.executemany(
                f"INSERT INTO {table} ({names}) VALUES ({marks})",
                [tuple(row.values()) for row in listed],
            )

    def update(self, table: str, key: int, **changes: object) -> None:
        """Change columns of the row with an id."""
        names = ", ".join(f"{name} = ?" for name in changes)
        self.db.execute(f"UPDATE {table} SET {names} WHERE id = ?", [*changes.values(), key])


def to_json(value: object) -> str:
    """A value as it is kept in a column: the same value is always the same text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _connect(folder: Path, wait: float) -> Database:
    """A connection without transactions of its own.

    Raises:
        GameError: cannot-write.
    """
    try:
        return Database(sqlite3.connect(folder / FILE, timeout=wait, isolation_level=None))
    except sqlite3.OperationalError as error:
        raise _told(error, folder) or error from None


def _told(error: sqlite3.Error, folder: Path) -> GameError | None:
    """What SQLite says, as an error for people; None if it is no matter of the file."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    path = str(folder / FILE)
    if code in _BUSY:
        return GameError("game-busy", holder=_holder(folder))
    if code in _NO_WAY:
        return GameError("cannot-write", path=path, why=str(error))
    if code in _DAMAGED or str(error).startswith("no such "):  # tables, columns taken away
        return GameError("game-damaged", path=path, why=str(error))
    return None


def _holder(folder: Path) -> str:
    try:
        return (folder / HOLDER).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return "?"


def _check_free(folder: Path) -> None:
    """Refuse a folder in which there is a game, or a file of somebody else's.

    Raises:
        GameError: game-exists.
    """
    path = folder / FILE
    if not path.exists():
        return
    try:
        if not _check_header(path):
            return
    except GameError as error:
        if error.code == "no-game":
            return
    raise GameError("game-exists", path=str(folder))


def _make_folders(folder: Path) -> None:
    """The folder of a game and those in it, for nobody else to look into (where there are
    permissions), and the file, still empty.

    Raises:
        GameError: no-folder.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        for made in (folder, *(folder / name for name in FOLDERS)):
            made.mkdir(mode=0o700, exist_ok=True)
        os.close(os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise GameError("no-folder", path=str(folder), why=error.strerror or "") from None


def _check_header(path: Path) -> int:
    """Look at the file's own header first: nothing is touched in what is not ours.

    Returns: the version in it; 0 for a game that is being made, or waits in the log.
    """
    try:
        with path.open("rb") as stream:
            header = stream.read(100)
    except OSError as error:
        raise GameError("game-damaged", path=str(path), why=error.strerror or "") from None
    if not header:
        raise GameError("no-game", path=str(path.parent))
    if len(header) < 100 or not header.startswith(_MAGIC):
        raise GameError("game-foreign", path=str(path))
    version, application = (int.from_bytes(header[at : at + 4], "big") for at in (60, 68))
    if application != APPLICATION_ID:
        raise GameError("game-foreign", path=str(path))
    if version > VERSION:
        raise GameError("game-newer", path=str(path), version=str(version), known=str(VERSION))
    return version
