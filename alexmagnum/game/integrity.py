"""Checks of a game file: what SQLite finds, the checksum, and rows that contradict each other.

Open this for what ``check --integrity`` checks, and for how an error is recognised as damage.
"""

from __future__ import annotations

import sqlite3
import struct
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.game.checksum import is_as_left
from alexmagnum.game.consistency import UNREADABLE
from alexmagnum.game.folder import DAMAGE, FILE, check_header
from alexmagnum.game.state import Game
from alexmagnum.game.values import Finding
from alexmagnum.game.verify import check_consistency

SYMPTOMS = (
    *UNREADABLE,
    sqlite3.Error,
    zlib.error,
    struct.error,
    ArithmeticError,
    RecursionError,
    MemoryError,
)
"""Errors that a damaged file may lead to anywhere.  Where the file is sound they are mistakes of
the program."""

_TOLD = 20
"""The highest number of SQLite's faults that are listed."""


def find_faults(folder: Path) -> Iterator[Finding]:
    """Yield what is wrong with a game file as a file: its header, its pages, its references, and
    whether it was changed since the last command.

    The file need not be one that can be opened.
    """
    path = folder / FILE
    try:
        check_header(path)
        # A file that waits for its log is opened as always; SQLite brings it up to date.
        with closing(sqlite3.connect(path)) as db:
            db.text_factory = bytes
            for (fault,) in db.execute(f"PRAGMA integrity_check({_TOLD})"):
                if fault != b"ok":
                    yield _fault(fault.decode("utf-8", "replace"))
            for row in db.execute("PRAGMA foreign_key_check").fetchmany(_TOLD):
                yield _fault(f"{row[0].decode('utf-8', 'replace')} {row[1]}")
    except GameError as error:
        yield Finding("", "file", error.code, dict(error.data))
        return
    except DAMAGE as error:
        yield _fault(str(error))
        return
    if not is_as_left(folder):
        yield Finding("", "file", "verify-changed", {"file": FILE})


def _fault(why: str) -> Finding:
    return Finding("", "file", "verify-file", {"why": " ".join(why.split())[:100]})


def find_inconsistencies(game: Game) -> Iterator[Finding]:
    """Yield where rows of the file contradict each other, and what cannot be read."""
    try:
        yield from check_consistency(game)
    except GameError as error:
        yield Finding("", "file", error.code, dict(error.data))
    except AlexMagnumError as error:
        yield _fault(str(error))
    except SYMPTOMS as error:
        yield _fault(f"{type(error).__name__}: {error}")


def diagnose(folder: Path) -> GameError | None:
    """Return the damage of a game file as an error, None if it is sound."""
    fault = next(find_faults(folder), None)
    if fault is None:
        return None
    if fault.code.startswith(("game-", "no-")):
        return GameError(fault.code, **fault.data)
    why = fault.data.get("why", "changed")
    return GameError("game-damaged", path=str(folder / FILE), why=why)
