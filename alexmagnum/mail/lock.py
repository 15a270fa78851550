"""A lock, so that only one command at a time sends or fetches mail of a game.

Sending may take minutes, and the game file is free meanwhile.  The lock is SQLite's own, on an
empty file beside it: every system has it, and a process that is killed releases it.
"""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from alexmagnum.errors import GameError


@contextmanager
def hold_lock(folder: Path, command: str, wait: float = 0.0) -> Iterator[None]:
    """Keep other commands of that name out of a game's folder; wait some seconds for one to end.

    Raises:
        GameError: ``mail-busy`` (``holder``), ``cannot-write``.
    """
    path, holder = folder / f"{command}.lock", folder / f"{command}.holder"
    try:
        lock = sqlite3.connect(path, timeout=wait, isolation_level=None)
    except sqlite3.OperationalError as error:
        raise GameError("cannot-write", path=str(path), why=str(error)) from None
    try:
        _take(lock, holder)
        with suppress(OSError):
            word = f"{command}, pid {os.getpid()}, {socket.gethostname()}"
            holder.write_text(word, encoding="utf-8")
        try:
            yield
        finally:
            with suppress(OSError):
                holder.unlink()
    finally:
        lock.close()


def _take(lock: sqlite3.Connection, holder: Path) -> None:
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY:
            raise GameError("cannot-write", path=str(holder), why=str(error)) from None
        try:
            word = holder.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            word = "?"
        raise GameError("mail-busy", holder=word) from None
