"""The SQLite file of a game: opening it, transactions, and rows in and out of it.

Open this for what is true of every act: one transaction that is in the file whole or not at all,
and errors of SQLite in words that a person can use.  WAL lets readers go on while a command writes;
``synchronous = FULL`` makes a commit survive a power cut, at a cost of less than a second for a
game of 22 years.

Rows are read as records (:mod:`alexmagnum.game.records`).  Inserting and updating is ours and not
that of sqlite-utils, which asks SQLite for the table's columns each time: 6 statements for an
insert and 11 for an update, ten times as slow.  Only what changes tables loads it: loading it takes
longer than most commands do.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from alexmagnum.errors import GameError
from alexmagnum.game.checksum import is_as_left, note_checksum
from alexmagnum.game.folder import (
    FILE,
    HOLDER,
    check_free,
    check_header,
    make_folders,
    read_holder,
)
from alexmagnum.game.migrations import VERSION, migrate, read_version
from alexmagnum.game.records import Record, list_columns
from alexmagnum.game.schema import APPLICATION_ID
from alexmagnum.game.tables import show_tables

if TYPE_CHECKING:
    from sqlite_utils import Database

WAIT = 10.0
"""The seconds that a command waits for another to release the file."""

SYNCHRONOUS = "FULL"
"""An act is on the disk before its command says that it is done; tests of the suite do not wait."""

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
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

_Rec = TypeVar("_Rec", bound=Record)

Row = dict[str, Any]


class GameFile:
    """The open SQLite file of a game.

    Records that were read in a transaction are remembered until their table changes, whoever
    changes it, so that no command reads the same rows twice.  Therefore tables that are read as
    records are changed through the methods of this class alone; what other commands change is
    noticed when the next transaction begins.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self.connection = connection
        self.rollbacks = 0
        """The number of changes taken back: values known by the number of a row are void then."""
        self.doubted = False
        """True if the file was not as the last command left it when it was opened."""
        self._writes = False
        self._has_written = False
        self._savepoints = 0
        self._answers: dict[tuple[object, ...], tuple[Record, ...]] = {}
        self._data_version = 0

    @property
    def db(self) -> Database:
        """The file as sqlite-utils shows it, for changes of its tables and a look at them."""
        return show_tables(self.connection)

    @classmethod
    def create(cls, folder: Path, wait: float = WAIT) -> GameFile:
        """Make a folder with an empty file, to which :meth:`begin` gives its tables.

        A file whose making was interrupted, or is going on, is used as it is.

        Raises:
            GameError: game-exists, no-folder, cannot-write, game-busy.
        """
        check_free(folder)
        make_folders(folder)
        file = cls(folder, _connect(folder, wait))
        try:
            file._retry_while_busy(file._mark_as_game, wait)
            file._retry_while_busy(file._configure, wait)
        except BaseException:
            file.close()
            raise
        return file

    def _mark_as_game(self) -> None:
        """Write our mark into the header, while there is no write-ahead log to hold it back."""
        self.connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        if self._read_pragma("application_id") != APPLICATION_ID:
            self.connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")

    def _retry_while_busy(self, step: Callable[[], None], wait: float) -> None:
        """Run a step again for some seconds: SQLite does not wait where two commands begin."""
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
        """Open the transaction that makes an empty file a game.

        With an older ``version`` the tables are those of that version until :meth:`catch_up`.

        Raises:
            GameError: game-exists, if another command was quicker; game-busy.
        """
        with self.writing("new"):
            if read_version(self.connection):
                raise GameError("game-exists", path=str(self.folder))
            migrate(self.connection, version)
            yield
            self.catch_up()

    def catch_up(self) -> None:
        """Bring the tables up to date, in the transaction that is open."""
        if read_version(self.connection) < VERSION:
            migrate(self.connection)

    @classmethod
    def open(cls, folder: Path, wait: float = WAIT) -> GameFile:
        """Open the file of a folder, and bring it up to date.

        Raises:
            GameError: no-game, game-foreign, game-damaged, game-newer, game-busy, cannot-write.
        """
        path = folder / FILE
        if not path.is_file():
            raise GameError("no-game", path=str(folder))
        check_header(path)
        doubted = not is_as_left(folder)
        file = cls(folder, _connect(folder, wait))
        file.doubted = doubted
        try:
            with file.guarded():
                file._check_versions()
                file._configure()
                file._update()
        except BaseException:
            file.close()
            raise
        return file

    def _check_versions(self) -> None:
        """Check the header again, now with what the write-ahead log adds to it."""
        version = read_version(self.connection)
        if not version:
            raise GameError("no-game", path=str(self.folder))
        if version > VERSION:
            raise GameError("game-newer", path=self.path, version=str(version), known=str(VERSION))
        if self._read_pragma("application_id") != APPLICATION_ID:
            raise GameError("game-foreign", path=self.path)

    def _configure(self) -> None:
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        self.connection.execute("PRAGMA foreign_keys = ON")

    def _update(self) -> None:
        """Bring a file of an older version up to date; another command may be quicker."""
        if read_version(self.connection) < VERSION:
            with self.writing("migrate"):
                self.catch_up()
            # Letters held their files many times over.  Where another command reads, it stays so.
            with suppress(sqlite3.OperationalError):
                self.connection.execute("VACUUM")

    def _read_pragma(self, name: str) -> int:
        return int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])

    def back_up(self, path: Path) -> None:
        """Write a copy of the file into an empty one, as it was before the open transaction.

        The copy has no write-ahead log, so that it is one file.

        Raises:
            GameError: game-damaged, if SQLite finds the file damaged.
        """
        with (
            closing(_connect(self.folder, WAIT)) as source,
            closing(sqlite3.connect(path, isolation_level=None)) as copy,
        ):
            copy.execute("PRAGMA synchronous = OFF")  # the caller waits for the disk, once
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            found = str(copy.execute("PRAGMA quick_check(1)").fetchone()[0])
        if found != "ok":
            raise GameError("game-damaged", path=self.path, why=found)

    @property
    def path(self) -> str:
        """Return the path of the file, for messages."""
        return str(self.folder / FILE)

    def close(self) -> None:
        """Close the file, and note the checksum of what was written."""
        self.connection.close()
        if self._has_written:
            note_checksum(self.folder, doubted=self.doubted)

    # -- transactions ----------------------------------------------------------------------------

    @contextmanager
    def writing(self, command: str) -> Iterator[None]:
        """Open a transaction: all that is done in it is in the file afterwards, or nothing.

        Inside another transaction it is a part of that one, which can fail on its own.

        Raises:
            GameError: game-busy, if another command holds the file for too long; cannot-write.
        """
        if self._writes:
            with self._writing_part():
                yield
            return
        with self.guarded():
            self.connection.execute("BEGIN IMMEDIATE")
            self._writes = True
            try:
                self._forget_if_changed()
                self._sign(command)
                yield
                self._count_change()
                self.connection.execute("COMMIT")
                self._has_written = True
            except BaseException:
                self.connection.rollback()
                self._forget_all()
                raise
            finally:
                self._writes = False
                with suppress(OSError):
                    (self.folder / HOLDER).unlink()

    def _count_change(self) -> None:
        """Let SQLite count the change in the file's header, by writing there what is there."""
        self.connection.execute(f"PRAGMA user_version = {self._read_pragma('user_version')}")

    @contextmanager
    def _writing_part(self) -> Iterator[None]:
        """Open a part of the current transaction, which is taken back alone if it fails."""
        with self.guarded():
            try:
                with self._savepoint():
                    yield
            except BaseException:
                self._forget_all()
                raise

    @contextmanager
    def _savepoint(self) -> Iterator[None]:
        """Take back what is done in the block if it fails, and nothing else."""
        name = f"part_{self._savepoints}"
        self._savepoints += 1
        self.connection.execute(f"SAVEPOINT {name}")
        try:
            yield
        except BaseException:
            if self.connection.in_transaction:  # SQLite may have taken back all
                self.connection.execute(f"ROLLBACK TO {name}")
                self.connection.execute(f"RELEASE {name}")
            raise
        self.connection.execute(f"RELEASE {name}")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Open a view of the file that no other command changes."""
        with self.guarded():
            if self.connection.in_transaction:
                yield
                return
            self.connection.execute("BEGIN")
            try:
                self._forget_if_changed()
                yield
            finally:
                self.connection.rollback()

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Raise errors of SQLite that concern the file as errors for people.

        Raises:
            GameError: game-busy, cannot-write, game-damaged; our own mistakes stay what they are.
        """
        try:
            yield
        except sqlite3.DatabaseError as error:
            translated = _translate(error, self.folder)
            if translated is None:
                raise
            raise translated from None

    def _sign(self, command: str) -> None:
        """Write down who holds the file, for a command that has to wait."""
        word = f"{command}, pid {os.getpid()}, {socket.gethostname()}"
        with suppress(OSError):
            (self.folder / HOLDER).write_text(word, encoding="utf-8")

    # -- reading rows ----------------------------------------------------------------------------

    def select(self, kind: type[_Rec], rest: str = "", *values: object) -> tuple[_Rec, ...]:
        """Return the records of a kind; ``rest`` follows ``FROM`` (``WHERE phase = ?``)."""
        sql = f"SELECT {list_columns(kind)} FROM {kind.SOURCE} {rest}"
        return self.query(kind, sql, *values)

    def find(self, kind: type[_Rec], rest: str = "", *values: object) -> _Rec | None:
        """Return the first record of a kind, None if there is none."""
        return next(iter(self.select(kind, rest, *values)), None)

    def query(self, kind: type[_Rec], sql: str, *values: object) -> tuple[_Rec, ...]:
        """Return the records of a whole statement, whose columns are those of the kind."""
        if not self.connection.in_transaction:
            with self.reading():
                return self.query(kind, sql, *values)
        key = (sql, *values)
        if key not in self._answers:
            self._answers[key] = self._read_records(kind, sql, values)
        return cast("tuple[_Rec, ...]", self._answers[key])

    def _read_records(
        self, kind: type[_Rec], sql: str, values: tuple[object, ...]
    ) -> tuple[_Rec, ...]:
        return tuple(kind(*row) for row in self.connection.execute(sql, values))

    def count(self, sql: str, *values: object) -> int:
        """Return the number that a query has in its first row and column, 0 if it is empty."""
        row = self.connection.execute(sql, values).fetchone()
        return int(row[0] or 0) if row else 0

    def rows(self, sql: str, *values: object) -> list[Row]:
        """Return the rows of a query as mappings, for tables of any version."""
        cursor = self.connection.execute(sql, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def row(self, sql: str, *values: object) -> Row | None:
        """Return the first row of a query, None if there is none."""
        return next(iter(self.rows(sql, *values)), None)

    # -- changing rows ---------------------------------------------------------------------------

    def insert(self, table: str, **row: object) -> int:
        """Add a row, and return its id."""
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        cursor = self.change(
            table, f"INSERT INTO {table} ({names}) VALUES ({marks})", *row.values()
        )
        return int(cursor.lastrowid or 0)

    def insert_all(self, table: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Add rows that all have the same columns."""
        listed = list(rows)
        if listed:
            self._forget(table)
            names, marks = ", ".join(listed[0]), ", ".join("?" * len(listed[0]))
            self.connection.executemany(
                f"INSERT INTO {table} ({names}) VALUES ({marks})",
                [tuple(row.values()) for row in listed],
            )

    def update(self, table: str, key: int, **changes: object) -> None:
        """Change columns of the row with an id."""
        names = ", ".join(f"{name} = ?" for name in changes)
        self.change(table, f"UPDATE {table} SET {names} WHERE id = ?", *changes.values(), key)

    def upsert(self, table: str, key: str, **row: object) -> None:
        """Add a row, or change the one with the same value in the column ``key``."""
        self._forget(table)
        changes = ", ".join(f"{name} = excluded.{name}" for name in row if name != key)
        self.connection.execute(
            f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))}) "
            f"ON CONFLICT ({key}) DO UPDATE SET {changes}",
            tuple(row.values()),
        )

    def delete(self, table: str, where: str, *values: object) -> None:
        """Remove rows of a table."""
        self._forget(table)
        self.connection.execute(f"DELETE FROM {table} WHERE {where}", values)

    def change(self, table: str, sql: str, *values: object) -> sqlite3.Cursor:
        """Run a statement that changes one table."""
        self._forget(table)
        return self.connection.execute(sql, values)

    # -- what is remembered ----------------------------------------------------------------------

    def _forget(self, table: str) -> None:
        """Forget the answers of queries in which a table is named."""
        for key in [key for key in self._answers if table in str(key[0])]:
            del self._answers[key]

    def _forget_all(self) -> None:
        """Forget everything, because rows were taken back."""
        self.rollbacks += 1
        self._answers.clear()

    def _forget_if_changed(self) -> None:
        """Forget everything if another connection changed the file since the last transaction."""
        version = self._read_pragma("data_version")
        if version != self._data_version:
            self._data_version = version
            self._answers.clear()


def to_json(value: object) -> str:
    """Return a value as it is stored in a column: the same value is always the same text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _connect(folder: Path, wait: float) -> sqlite3.Connection:
    """Open a connection that begins no transactions of its own.

    Raises:
        GameError: cannot-write.
    """
    try:
        return sqlite3.connect(folder / FILE, timeout=wait, isolation_level=None)
    except sqlite3.OperationalError as error:
        raise _translate(error, folder) or error from None


def _translate(error: sqlite3.Error, folder: Path) -> GameError | None:
    """Return an error of SQLite as one for people, None if it does not concern the file."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    path, why = str(folder / FILE), " ".join(str(error).split())[:100]
    if code in _BUSY:
        return GameError("game-busy", holder=read_holder(folder))
    if code in _UNWRITABLE:
        return GameError("cannot-write", path=path, why=why)
    if code in _DAMAGED or str(error).startswith("no such "):  # tables, columns taken away
        return GameError("game-damaged", path=path, why=why)
    return None
