"""The change log: what every transaction put into the game file, kept outside it.

Open this for how a file that was lost or damaged is built again.  The logs of a game lie in the
folder ``changes``.  Each begins with all rows of the file and goes on with the rows that later
transactions changed, one line for each: a checksum, and the rows as packed JSON.  A line is on the
disk before SQLite stores the transaction, so a log never lacks one.  It may have one too many,
which was not stored because the command was killed in between; SQLite could as well have stored it.
"""

import base64
import json
import os
import secrets
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import reduce
from itertools import product
from pathlib import Path
from typing import Any

from alexmagnum.files import MOST_OF_GAME, PRIVATE, inflate, open_own, read_own
from alexmagnum.game.records import LOG_TABLE, VERSION

FOLDER = "changes"

KEPT = 3
"""The number of logs that stay; an older one is needed only if a later one is damaged."""

GROWTH = 16_384
"""The bytes that a log may have for each page of the file, before another begins."""

_BYTES = "base64"  # the key under which JSON has bytes: ``{"base64": "..."}``
_NOTED = f"SELECT name, size FROM {LOG_TABLE}"  # which log the file is in step with

_EVENTS = (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD"))

_LARGE = {"messages": "raw"}
"""Columns that an update of their table leaves out of the log, if it does not change them."""


class ChangeLog:
    """The log of an open game file.

    Triggers on the connection note the rows that a transaction changes.  The file says which log it
    is in step with, and how long that is.  A new log begins if it names none, if the log has grown
    far beyond the file, and if it is not the newest or has another length: a command was killed, or
    another file took the place of this one.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self._folder = folder / FOLDER
        self._db = connection
        self._tables: tuple[str, ...] = ()
        self._written: tuple[Path, int] | None = None

    def watch(self) -> None:
        """Have SQLite note changed rows; call it before each transaction."""
        self._written = None
        if self._tables:
            return
        self._db.execute("CREATE TEMP TABLE changed (name TEXT, row INTEGER, kept INTEGER)")
        rows = self._db.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")
        names = [name for (name,) in rows if name != LOG_TABLE and not name.startswith("sqlite_")]
        for name, (event, row) in product(names, _EVENTS):
            large = _LARGE.get(name) if event == "UPDATE" else None
            kept = f"NEW.{large} IS OLD.{large}" if large else "0"
            self._db.execute(
                f"""CREATE TEMP TRIGGER {name}_{event} AFTER {event} ON main.{name}
                    BEGIN INSERT INTO changed VALUES ('{name}', {row}.rowid, {kept}); END"""
            )
        self._tables = tuple(names)

    def append(self, *, waits: bool) -> None:
        """Add a line with the rows that the open transaction changed; ``waits``: until it is on the
        disk."""
        changed: dict[str, list[int]] = {}
        updated: dict[str, list[int]] = {}
        sql = "SELECT name, row, MIN(kept) FROM changed GROUP BY name, row"
        for name, row, kept in self._db.execute(sql):
            (updated if kept else changed).setdefault(name, []).append(row)
        if not (changed or updated):
            return
        self._db.execute("DELETE FROM changed")
        path, size = self._find()
        tables = {
            name: self._read_table(name, changed.get(name, ()) if size else None)
            for name in (changed if size else self._tables)
        }
        record: dict[str, Any] = {"version": VERSION, "whole": not size}
        if size:
            found = {name: self._read_table(name, rows) for name, rows in updated.items()}
            record["updated"] = {name: _leave_out(found[name], _LARGE[name]) for name in found}
        record["tables"] = tables  # the last: its rows are written one by one
        packed = [*_compress(_write_json(record))]
        checksum = reduce(lambda checksum, piece: zlib.crc32(piece, checksum), packed, 0)
        line = [b"%08x " % checksum, *packed, b"\n"]
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._written = path, size
        with open_own(path, "ab") as stream:
            path.chmod(PRIVATE)
            stream.writelines(line)
            stream.flush()
            if waits:
                os.fsync(stream.fileno())
        self._db.execute(f"DELETE FROM {LOG_TABLE}")
        values = [path.name, size + sum(map(len, line))]
        self._db.execute(f"INSERT INTO {LOG_TABLE} (name, size) VALUES (?, ?)", values)
        if not size:
            prune_logs(self._folder.parent)

    def take_back(self) -> None:
        """Remove what was written for a transaction that failed: half a line on a full disk."""
        if self._written is not None:
            path, size = self._written
            with suppress(OSError):
                if size:
                    os.truncate(path, size)
                else:
                    path.unlink()

    def _find(self) -> tuple[Path, int]:
        """Return the log that the next line goes to, and its length: 0 if it begins."""
        if (last := next(iter(list_logs(self._folder.parent)), None)) is not None:
            (pages,) = self._db.execute("PRAGMA page_count").fetchone()
            size = last.stat().st_size
            if size < pages * GROWTH and self._db.execute(_NOTED).fetchone() == (last.name, size):
                return last, size
        number = read_number(last) + 1 if last else 1
        return self._folder / f"{number:04}-{secrets.token_hex(4)}.log", 0

    def _read_table(self, name: str, changed: Collection[int] | None) -> dict[str, Any]:
        """Return rows of a table that were changed, by default all; of one that is gone there is
        only the number."""
        where = "" if changed is None else "WHERE rowid IN (SELECT value FROM json_each(?))"
        values = [] if changed is None else [json.dumps(changed)]
        cursor = self._db.execute(f"SELECT rowid AS rowid, * FROM {name} {where}", values)
        columns = [column[0] for column in cursor.description]
        return {"columns": columns, "changed": changed or (), "rows": cursor}


def _write_json(record: dict[str, Any]) -> Iterator[str]:
    """Yield the JSON of a record row by row: all rows of a long game together take much memory."""
    yield json.dumps(record | {"tables": {}}, default=pack)[: -len("}}")]
    for number, (name, table) in enumerate(record["tables"].items()):
        yield f"{', ' * bool(number)}{json.dumps(name)}: "
        yield json.dumps(table | {"rows": []}, default=pack)[: -len("]}")]
        for at, row in enumerate(table["rows"]):
            yield f"{', ' * bool(at)}{json.dumps(row, default=pack)}"
        yield "]}"
    yield "}}"


def _compress(pieces: Iterable[str]) -> Iterator[bytes]:
    """Yield the pieces of a text compressed and in Base64."""
    packer, rest = zlib.compressobj(1), b""
    for piece in pieces:
        rest += packer.compress(piece.encode())
        whole = len(rest) // 3 * 3
        yield base64.b64encode(rest[:whole])
        rest = rest[whole:]
    yield base64.b64encode(rest + packer.flush())


def _leave_out(table: dict[str, Any], column: str) -> dict[str, Any]:
    at = table["columns"].index(column)
    columns, *rows = ((*row[:at], *row[at + 1 :]) for row in (table["columns"], *table["rows"]))
    return {"columns": columns, "rows": rows}


def list_logs(folder: Path) -> tuple[Path, ...]:
    """Return the logs in a game's folder, the newest first."""
    found = (folder / FOLDER).glob("*-*.log")
    numbered = (path for path in found if path.name.partition("-")[0].isdecimal())
    return tuple(sorted(numbered, key=read_number, reverse=True))


def read_number(log: Path) -> int:
    """Return the number of a log: later ones have higher ones."""
    return int(log.name.partition("-")[0])


def is_behind(db: sqlite3.Connection, folder: Path) -> bool:
    """Return whether the logs in a game's folder have more than its file: a disk lost what SQLite
    had stored, or an older file took its place.

    Of a transaction that was not stored one line is left, after which another log begins.
    """
    noted = db.execute(_NOTED).fetchone()
    name, size = noted or ("", 0)
    for log in list_logs(folder) if noted else ():
        if log.name == name or read_number(log) > read_number(Path(name)):
            # A log that another command has just removed, or only root may read, says nothing.
            with suppress(OSError), log.open("rb") as stream:
                stream.seek(size if log.name == name else 0)
                if stream.read().count(b"\n") > 1:
                    return bool(db.execute(_NOTED).fetchone() == noted)  # else a command writes now
    return False


def prune_logs(folder: Path) -> None:
    """Remove logs that later ones replace."""
    for path in list_logs(folder)[KEPT:]:
        path.unlink(missing_ok=True)


# Building a file again.


def read_log(path: Path) -> tuple[list[dict[str, Any]], bool]:
    """Return the records of a log up to the first that is damaged, and whether there is none.

    A line that was not finished belongs to a transaction that was not stored, and is no damage.
    """
    *lines, _ = read_own(path).split(b"\n")
    records = list[dict[str, Any]]()
    for line in lines:
        checksum, _, packed = line.partition(b" ")
        if checksum != b"%08x" % zlib.crc32(packed):
            return records, False
        try:
            plain = inflate(base64.b64decode(packed), MOST_OF_GAME)
            records.append(json.loads(plain, object_hook=_read))
        except (ValueError, zlib.error):
            return records, False
    return records, True


def _read(value: dict[str, Any]) -> object:
    return unpack(value) if value.keys() == {_BYTES} else value


def apply_records(db: sqlite3.Connection, records: Iterable[dict[str, Any]]) -> None:
    """Put the rows of a log into tables that are empty, in one transaction."""
    db.execute("PRAGMA foreign_keys = OFF")  # rows refer to others that come later
    db.execute("BEGIN")
    for record in records:
        for name, table in record["tables"].items():
            db.executemany(f"DELETE FROM {name} WHERE rowid = ?", ([k] for k in table["changed"]))
            insert_rows(db, name, table["columns"], table["rows"])
        for name, table in record.get("updated", {}).items():
            values = ", ".join(f'"{column}" = ?' for column in table["columns"])
            sql = f"UPDATE {name} SET {values} WHERE rowid = ?"
            db.executemany(sql, ([*row, row[0]] for row in table["rows"]))  # the first is its rowid
    db.execute("COMMIT")


def insert_rows(db: sqlite3.Connection, table: str, names: list[str], rows: Iterable[Any]) -> None:
    """Add rows to a table as they are, their ``rowid`` among the columns."""
    columns, marks = ", ".join(f'"{name}"' for name in names), ", ".join("?" * len(names))
    db.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)


def pack(value: object) -> dict[str, str]:
    """Return bytes as JSON has them."""
    assert isinstance(value, bytes), "columns hold texts, numbers and bytes"
    return {_BYTES: base64.b64encode(value).decode("ascii")}


def unpack(value: object) -> object:
    """Return a value of JSON as a column has it.

    Raises:
        ValueError: it is a list, or an object that is no bytes.
    """
    if isinstance(value, (dict, list)):
        ((name, text),) = value.items()  # type: ignore[union-attr]  # a list is refused
        if name != _BYTES:
            raise ValueError("no bytes")
        return base64.b64decode(text, validate=True)
    return value
