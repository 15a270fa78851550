"""The closing seal: a digest over the whole game, written in the journal when the game ends.

``verify`` works it out again.  It covers all that the game was: the map, the switches of the rules,
phases, positions, orders, mails, results, seals, votes, press, and the journal so far.  What
comes later, such as mails that arrive after the end, is not in it; nor is what goes on
changing: players' addresses, settings about mail, and outgoing letters, which have digests of their
own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from alexmagnum.game.file import to_json
from alexmagnum.game.records import JournalRow
from alexmagnum.game.settings import RULES
from alexmagnum.game.state import Game, Note
from alexmagnum.game.values import Finding

_WHOLE = (
    "powers",
    "phases",
    "outcomes",
    "positions",
    "units",
    "centres",
    "nobility",
    "submissions",
    "orders",
    "resolved",
    "seals",
    "undo_log",
    "votes",
    "endings",
)
"""Tables in which nothing changes while the game is over."""

_GAME = "id, name, map, map_source, map_digest, map_text, created, head"
"""The columns of the game itself: those that games sealed by earlier versions have too."""

_GROWING = {
    "journal": "*",
    "mail": "*",
    "messages": "id, key, raw, origin, received, fetched, sender, subject",
    "press": "id, phase, sender, readers, manner, text, message, written",
}
"""Tables to which rows may be added after the end, with their columns that never change."""

_HEAD_ACTS = ("process", "amend", "amend-settings", "undo", "redo", "end")
"""The acts that decide which phase is open."""

_KEY = "closing_seal"


def seal_if_over(game: Game, note: Note) -> None:
    """Add the closing seal to the journal entry of the act that ended the game, if one did."""
    if game.head().is_over:
        marks = {table: _last_id(game, table) for table in _GROWING}
        note.detail[_KEY] = {"digest": _digest_game(game, marks), "rows": marks}


def read_closing_seal(game: Game) -> str:
    """Return the digest of the closing seal, "" if the game goes on or was never sealed."""
    return str(_read_seal(game).get("digest", ""))


def check_closing_seal(game: Game) -> Iterator[Finding]:
    """Find a game whose contents are no longer those that were sealed at its end."""
    try:
        sealed = _read_seal(game)
        if sealed and sealed["digest"] != _digest_game(game, sealed["rows"]):
            yield Finding("", "journal", "verify-closing-seal", {"digest": str(sealed["digest"])})
    except (ValueError, TypeError, KeyError, AttributeError):
        yield Finding("", "journal", "verify-closing-seal", {"digest": "?"})


def _read_seal(game: Game) -> Mapping[str, Any]:
    """Return the closing seal of a game that is over, as the journal has it; else nothing."""
    if not game.head().is_over:
        return {}
    marks = ", ".join("?" * len(_HEAD_ACTS))
    last = game.file.find(
        JournalRow, f"WHERE action IN ({marks}) ORDER BY id DESC LIMIT 1", *_HEAD_ACTS
    )
    # A game that an earlier version of the program ended has none.
    return json.loads(last.detail).get(_KEY, {}) if last else {}


def _last_id(game: Game, table: str) -> int:
    return game.file.count(f"SELECT MAX(id) FROM {table}")


def _digest_game(game: Game, marks: Mapping[str, int]) -> str:
    """Return the digest of the rows of the game, of growing tables up to some numbers."""
    whole = sha256()
    queries: dict[str, tuple[str, tuple[object, ...]]] = {
        table: (f"SELECT * FROM {table} ORDER BY rowid", ()) for table in _WHOLE
    }
    queries["games"] = (f"SELECT {_GAME} FROM games", ())
    queries["settings"] = (
        "SELECT * FROM settings WHERE name LIKE ? ORDER BY name",
        (f"{RULES}%",),
    )
    for table, columns in _GROWING.items():
        sql = f"SELECT {columns} FROM {table} WHERE id <= ? ORDER BY id"
        queries[table] = (sql, (marks[table],))
    for table in sorted(queries):
        sql, values = queries[table]
        whole.update(f"{table}\n".encode())
        for row in game.file.rows(sql, *values):
            whole.update(f"{_write_row(row)}\n".encode())
    return whole.hexdigest()


def _write_row(row: Mapping[str, object]) -> str:
    """Return a row as text; bytes are given by their digest."""
    return to_json(
        {
            name: sha256(value).hexdigest() if isinstance(value, bytes) else value
            for name, value in row.items()
        }
    )
