"""The folder of a game and the header of its file, looked at before SQLite opens anything.

Open this to see how a new game's folder is made, and how a file that is foreign, newer or cut off
is refused without being touched.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from alexmagnum.errors import GameError
from alexmagnum.game.migrations import VERSION
from alexmagnum.game.schema import APPLICATION_ID

FILE, HOLDER = "game.db", "game.holder"
FOLDERS = ("drafts", "reports")

DAMAGE = (sqlite3.Error, UnicodeError)
"""Errors of SQLite with a file that may be damaged: its very messages may be no text."""

_MAGIC = b"SQLite format 3\x00"
_HEADER_SIZE, _VERSION_AT, _APPLICATION_AT = 100, 60, 68
"""The header of an SQLite file: its length, and where the two numbers of ours stand in it."""


def check_free(folder: Path) -> None:
    """Refuse a folder that holds a game, or a file that is not ours.

    Raises:
        GameError: game-exists.
    """
    path = folder / FILE
    if not path.exists():
        return
    try:
        if not check_header(path):
            return
    except GameError as error:
        if error.code == "no-game":
            return
    raise GameError("game-exists", path=str(folder))


def make_folders(folder: Path) -> None:
    """Make the folder of a game, the folders in it, and an empty file.

    Only their owner may read them, on systems that have such rights.

    Raises:
        GameError: no-folder.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        for each in (folder, *(folder / name for name in FOLDERS)):
            each.mkdir(mode=0o700, exist_ok=True)
        os.close(os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise GameError("no-folder", path=str(folder), why=error.strerror or "") from None


def check_header(path: Path) -> int:
    """Return the version in a file's header.

    It is 0 for a game that is just being made, or whose first transaction is still in the
    write-ahead log.

    Raises:
        GameError: no-game, game-foreign, game-newer, game-damaged.
    """
    try:
        with path.open("rb") as stream:
            header = stream.read(_HEADER_SIZE)
    except OSError as error:
        raise GameError("game-damaged", path=str(path), why=error.strerror or "") from None
    if not header:
        raise GameError("no-game", path=str(path.parent))
    if len(header) < _HEADER_SIZE or not header.startswith(_MAGIC):
        raise GameError("game-foreign", path=str(path))
    if _read_number(header, _APPLICATION_AT) != APPLICATION_ID:
        raise GameError("game-foreign", path=str(path))
    version = _read_number(header, _VERSION_AT)
    if version > VERSION:
        raise GameError("game-newer", path=str(path), version=str(version), known=str(VERSION))
    return version


def _read_number(header: bytes, at: int) -> int:
    return int.from_bytes(header[at : at + 4], "big")


def read_holder(folder: Path) -> str:
    """Return which command holds the file, "?" if it left no word."""
    try:
        return (folder / HOLDER).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return "?"
