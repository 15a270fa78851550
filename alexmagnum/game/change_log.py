"""The change log: what every transaction put into the game file, kept outside it.

Open this for how a file that was lost or damaged is built again.  The logs of a game lie in the
folder ``changes``.  Each begins with all rows of the file and goes on with the rows that later
transactions changed, one line for each: a checksum, and the rows as packed JSON.  A line is on the
disk before SQLite stores the transaction, so a log never lacks one.  It may have one too many,
which was not stored because the command was killed in between; SQLite could as well have stored it.
"""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from alexmagnum.files import PRIVATE
from alexmagnum.game.records import LOG_TABLE, VERSION

FOLDER = "changes"

KEPT = 3
"""The number of logs that stay; an older one is needed only if a later one is damaged."""

_NAME = re.compile(r"(\d{4,})-[0-9a-f]{8}\.log")
_END = b"end"
"""The line behind which nothing may be added to a log: the file was changed without it."""

_SLACK = 1_000_000
"""The bytes that a log may have, on top of three times its first line, before the next begins."""

_BYTES = "base64"
"""The key under which JSON has bytes: ``{"base64": "..."}``."""

_Tables = dict[str, dict[str, Any]]

_EVENTS = (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD"))


class ChangeLog:
    """The log of an open game file.

    Triggers on the connection note the rows that a transaction changes.  The file says which log it
    is in step with, and how long that is.  If the log is gone, or has another length, a new one
    begins: a copy was put in the place of the file, or a command was killed.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self._folder = folder / FOLDER
        self._db = connection
        self._tables: tuple[str, ...] = ()

    def watch(self) -> None:
        """Have SQLite note changed rows; call it before the first transaction."""
        if self._tables:
            return
        self._db.execute("CREATE TEMP TABLE changed (name TEXT, row INTEGER)")
        rows = self._db.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")
        names = [name for (name,) in rows if name != LOG_TABLE and not name.startswith("sqlite_")]
        for name in names:
            for event, row in _EVENTS:
                self._db.execute(
                    f"""CREATE TEMP TRIGGER {name}_{event} AFTER {event} ON main.{name}
                        BEGIN INSERT INTO changed VALUES ('{name}', {row}.rowid); END"""
                )
        self._tables = tuple(names)

    def append(self, *, waits: bool, prunes: bool) -> tuple[Path, int] | None:
        """Add a line with the rows that the open transaction changed.

        Return the log and its length without the line, None if no row was changed.  ``waits``:
        until the line is on the disk; ``prunes``: remove old logs if a new one begins.
        """
        changed: dict[str, list[int]] = {}
        for name, row in self._db.execute("SELECT DISTINCT name, row FROM changed"):
            changed.setdefault(name, []).append(row)
        if not changed:
            return None
        self._db.execute("DELETE FROM changed")
        path, size, first = self._find()
        begins = not size
        rows = self._read_all_rows() if begins else self._read_rows(changed)
        record = {"version": VERSION, "whole": begins, "tables": rows}
        packed = base64.b64encode(zlib.compress(json.dumps(record, default=pack).encode(), 1))
        line = b"%08x %s\n" % (zlib.crc32(packed), packed)
        self._folder.mkdir(mode=0o700, exist_ok=True)
        try:
            with path.open("ab") as stream:
                path.chmod(PRIVATE)
                stream.write(line)
                stream.flush()
                if waits:
                    os.fsync(stream.fileno())
        except OSError:
            cut_log(path, size)
            raise
        self._db.execute(
            f"""INSERT INTO {LOG_TABLE} (id, name, size, first) VALUES (1, ?1, ?2, ?3)
                ON CONFLICT (id) DO UPDATE SET name = ?1, size = ?2, first = ?3""",
            [path.name, size + len(line), first or len(line)],
        )
        if begins and prunes:
            prune_logs(self._folder.parent)
        return path, size

    def _find(self) -> tuple[Path, int, int]:
        """Return the log that the next line goes to, its length, and that of its first line."""
        row = self._db.execute(f"SELECT name, size, first FROM {LOG_TABLE}").fetchone()
        if row:
            name, size, first = row
            path = self._folder / name
            is_in_step = path.is_file() and path.stat().st_size == size
            if is_in_step and size < _SLACK + 3 * first:
                return path, size, first
        last = next(iter(list_logs(self._folder.parent)), None)
        number = int(last.name.partition("-")[0]) + 1 if last else 1
        return self._folder / f"{number:04}-{secrets.token_hex(4)}.log", 0, 0

    def _read_rows(self, changed: Mapping[str, list[int]]) -> _Tables:
        """Return the rows that were changed, by table; of one that is gone only its number."""
        where = "WHERE rowid IN (SELECT value FROM json_each(?))"
        return {
            name: {"changed": rows, **self._read_table(name, where, json.dumps(rows))}
            for name, rows in changed.items()
        }

    def _read_all_rows(self) -> _Tables:
        return {name: {"changed": [], **self._read_table(name)} for name in self._tables}

    def _read_table(self, name: str, where: str = "", *values: str) -> dict[str, Any]:
        cursor = self._db.execute(f"SELECT rowid AS rowid, * FROM {name} {where}", values)
        return {"columns": [column[0] for column in cursor.description], "rows": cursor.fetchall()}


def cut_log(path: Path, size: int) -> None:
    """Take the last line off a log, because its transaction was not stored."""
    with suppress(OSError):  # then its length shows it to the next command
        os.truncate(path, size)


def list_logs(folder: Path) -> tuple[Path, ...]:
    """Return the logs in a game's folder, the newest first."""
    found = (path for path in (folder / FOLDER).glob("*.log") if _NAME.fullmatch(path.name))
    return tuple(sorted(found, key=lambda path: -int(path.name.partition("-")[0])))


def prune_logs(folder: Path) -> None:
    """Remove logs that later ones replace."""
    for path in list_logs(folder)[KEPT:]:
        path.unlink(missing_ok=True)


def end_log(folder: Path) -> None:
    """End the newest log, because the file was changed without it; the next act begins another."""
    for path in list_logs(folder)[:1]:
        with path.open("ab") as stream:
            stream.write(_END + b"\n")


# Building a file again.


def read_log(path: Path) -> tuple[list[dict[str, Any]], bool]:
    """Return the records of a log up to the first that is damaged, and whether there is none.

    A line that was not finished belongs to a transaction that was not stored, and is no damage.
    """
    *lines, _ = path.read_bytes().split(b"\n")
    records = []
    for line in lines:
        checksum, _, packed = line.partition(b" ")
        if line == _END:
            continue
        if checksum != b"%08x" % zlib.crc32(packed):
            return records, False
        try:
            records.append(json.loads(zlib.decompress(base64.b64decode(packed)), object_hook=_read))
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
            marks = ", ".join("?" * len(table["columns"]))
            columns = ", ".join(f'"{column}"' for column in table["columns"])
            db.executemany(f"DELETE FROM {name} WHERE rowid = ?", ([k] for k in table["changed"]))
            db.executemany(f"INSERT INTO {name} ({columns}) VALUES ({marks})", table["rows"])
    db.execute("COMMIT")


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
