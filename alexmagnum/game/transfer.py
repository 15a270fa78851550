"""Export of a whole game as one JSON file, and import: the rows are the same, byte for byte."""

from __future__ import annotations

import base64
import json
import sqlite3
from pathlib import Path
from typing import Any

from alexmagnum.board.load import read_json
from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.files import write_whole
from alexmagnum.game import consistency
from alexmagnum.game.file import GameFile
from alexmagnum.game.migrations import VERSION
from alexmagnum.game.schema import TABLES
from alexmagnum.game.state import Entropy, Game, Now
from alexmagnum.game.verify import SENTENCE, verify_game

FORMAT = "alexmagnum-game"
_BYTES = "base64"
"""The key under which an export has bytes, which JSON has not: ``{"base64": "..."}``."""

_CONTENTS = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    OverflowError,
    AssertionError,
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    sqlite3.DataError,
)
"""Errors that rows lead to which are not those of a game.  A :class:`GameError` is a ValueError
too."""


def export_game(file: GameFile, path: Path) -> None:
    """Write every table; the file is there whole or as it was, and only its owner can read it.

    Raises:
        GameError: cannot-write.
    """
    with file.reading():
        tables = {name: file.rows(f"SELECT * FROM {name} ORDER BY rowid") for name in TABLES}
    data = {"format": FORMAT, "version": VERSION, "tables": tables}
    text = json.dumps(data, ensure_ascii=False, indent=1, default=_pack)
    write_whole(path, text + "\n", private=True)


def _pack(value: object) -> dict[str, str]:
    """Return the bytes of a column for JSON."""
    assert isinstance(value, bytes), "columns hold texts, numbers and bytes"
    return {_BYTES: base64.b64encode(value).decode("ascii")}


def _unpack(value: object) -> object:
    """Return the value of a column from JSON.

    Raises:
        ValueError: bytes that are not written as an export writes them.
    """
    if isinstance(value, dict):
        ((name, text),) = value.items()
        if name != _BYTES:
            raise ValueError("no bytes")
        return base64.b64decode(text, validate=True)
    return value


def import_game(path: Path, folder: Path, now: Now, entropy: Entropy, actor: str) -> Game:
    """Return the game of an export, made in a new folder; it must verify.

    Raises:
        GameError: not-an-export, export-differs, game-newer, game-exists, game-busy,
            cannot-write.
        BadFile: it cannot be read.
    """
    data = _read_export(path)
    file = GameFile.create(folder)
    try:
        with file.begin(data["version"]):
            _fill(file, data["tables"])
            file.catch_up()
            return _verify_import(file, path, now, entropy, actor)
    except BaseException as error:
        file.close()
        if _is_of_contents(error):
            # Also where rows refer to none, which is found at the end of the transaction.
            raise GameError("not-an-export", path=str(path)) from None
        raise


def _is_of_contents(error: BaseException) -> bool:
    """Return whether the export itself is at fault, and nothing around it."""
    if isinstance(error, GameError):
        return error.code == "game-damaged"
    return isinstance(error, (AlexMagnumError, *_CONTENTS))


def _verify_import(file: GameFile, path: Path, now: Now, entropy: Entropy, actor: str) -> Game:
    """Return the game of the imported rows, after it was verified.

    Sentences may differ, because another version of the program words them differently.
    """
    game = Game(file, now, entropy, actor)
    if any(consistency.find_circles(game)):
        raise ValueError("a phase that leads to itself")
    game.position(game.head().id)
    found = [finding for finding in verify_game(game) if finding.code != SENTENCE]
    if found:
        first = found[0]
        data = {"count": str(len(found)), "phase": first.phase or "—", "what": first.what}
        raise GameError("export-differs", path=str(path), **data)
    return game


def _read_export(path: Path) -> dict[str, Any]:
    data = read_json(path)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise GameError("not-an-export", path=str(path))
    version = data.get("version")
    if type(version) is not int or version < 1 or not isinstance(data.get("tables"), dict):
        raise GameError("not-an-export", path=str(path))
    if version > VERSION:
        raise GameError("game-newer", path=str(path), version=str(version), known=str(VERSION))
    return data


def _fill(file: GameFile, tables: dict[str, Any]) -> None:
    """Put the rows in their tables, which are those of the version that wrote the export.

    References go both ways, so SQLite checks them at the end.
    """
    file.connection.execute("PRAGMA defer_foreign_keys = ON")
    for name in file.db.table_names():
        if name.startswith("_"):
            continue  # the record of migrations is written by the migrations
        columns = {row["name"] for row in file.rows(f"PRAGMA table_info({name})")}
        for row in tables.get(name, []):
            if not columns.issuperset(row):
                raise ValueError("columns that the table has not")
            file.insert(name, **{column: _unpack(value) for column, value in row.items()})
    if not file.rows(
        """SELECT 1 FROM games JOIN phases ON phases.id = games.head
           JOIN positions ON positions.phase = phases.id"""
    ):
        raise ValueError("no game among the rows")
