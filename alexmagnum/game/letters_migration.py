"""Letters of a game file of version 5 or before, brought into the tables of version 6.

Until then a letter said what it was about in one text, such as ``report:1+2:TOL:ab12cd34:1``, and
held its files as base64.  Nothing but the migration opens this.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from alexmagnum.game.attachments import store_mail

_OCCASIONS: Mapping[str, str] = {
    "report": "report",
    "taken": "retraction",
    "phase": "opening",
    "deadline": "deadline",
    "reminder": "reminder",
    "press": "press",
    "answer": "answer",
    "receipt": "receipt",
    "note": "warning",
}
"""The occasion of a letter by the first word of its key, or by its kind."""

_COPIED = "id, power, phase, address, message_id, state, created, sent, attempts, error"


@dataclass(frozen=True, slots=True)
class _About:
    """The subject of a letter, as columns have it."""

    occasion: str
    outcomes: tuple[int, ...] = ()
    opened: int | None = None
    act: int | None = None
    day: str = ""
    answers: int | None = None
    seal: str = ""
    press: int | None = None
    times: int = 0


def copy_letters(connection: sqlite3.Connection) -> None:
    """Copy every row of ``outgoing`` to ``letters``; the files in it are kept once."""
    known = _known_rows(connection)
    seen: set[tuple[object, ...]] = set()
    for (number,) in connection.execute("SELECT id FROM outgoing ORDER BY id").fetchall():
        row = connection.execute(
            f"SELECT key, kind, raw, answers, {_COPIED} FROM outgoing WHERE id = ?", [number]
        ).fetchone()
        key, kind, raw, answers, *copied = row
        about = _known_only(_read_key(key, kind, answers), known)
        whose = _group_key(about.occasion, *copied[1:4])
        while (about, *whose) in seen:
            about = replace(about, times=about.times + 1)
        seen.add((about, *whose))
        _insert(connection, about, copied)
        store_mail(connection, number, bytes(raw), ())


def _group_key(occasion: str, power: str, phase: str, address: str) -> tuple[str, ...]:
    """Return what letters must share to be counted as letters about the same thing."""
    if occasion in ("press", "answer", "receipt"):
        return (power,)
    return (power, phase) if occasion == "warning" else (power, address)


def _insert(connection: sqlite3.Connection, about: _About, copied: Sequence[object]) -> None:
    connection.execute(
        f"""INSERT INTO letters ({_COPIED}, occasion, opened, act, day, answers, seal, press, times,
                source, size, sha256)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, x'', 0, '')""",
        [
            *copied,
            about.occasion,
            about.opened,
            about.act,
            about.day,
            about.answers,
            about.seal,
            about.press,
            about.times,
        ],
    )
    for outcome in about.outcomes:
        connection.execute("INSERT INTO letter_outcomes VALUES (?, ?)", [copied[0], outcome])


def _known_rows(connection: sqlite3.Connection) -> Mapping[str, frozenset[int]]:
    """Return the ids of the rows that a letter may refer to, by table."""
    tables = ("outcomes", "phases", "journal", "messages", "press")
    return {
        table: frozenset(number for (number,) in connection.execute(f"SELECT id FROM {table}"))
        for table in tables
    }


def _known_only(about: _About, known: Mapping[str, frozenset[int]]) -> _About:
    """Leave out references to rows that do not exist: a key was a text that nothing checked."""
    return replace(
        about,
        outcomes=tuple(one for one in about.outcomes if one in known["outcomes"]),
        opened=about.opened if about.opened in known["phases"] else None,
        act=about.act if about.act in known["journal"] else None,
        answers=about.answers if about.answers in known["messages"] else None,
        press=about.press if about.press in known["press"] else None,
    )


def _read_key(key: str, kind: str, answers: int | None) -> _About:
    """Read the key of a letter; of one that cannot be read, the kind alone counts."""
    word, *parts = key.split(":")
    occasion = _OCCASIONS.get(word) or _OCCASIONS.get(kind, "warning")
    try:
        return _read_parts(occasion, parts, answers)
    except (ValueError, IndexError):
        return _About(occasion)


def _read_parts(occasion: str, parts: Sequence[str], answers: int | None) -> _About:
    match occasion:
        case "report" | "retraction":
            outcomes = tuple(sorted({int(one) for one in parts[0].split("+")}))
            return _About(occasion, outcomes, times=int(parts[3]) if len(parts) > 3 else 0)
        case "opening":
            return _About(occasion, opened=int(parts[0]))
        case "deadline":
            return _About(occasion, act=int(parts[0]))
        case "reminder":
            return _About(occasion, opened=int(parts[0]), day=parts[3])
        case "press":
            return _About(occasion, press=int(parts[0]))
        case "answer":
            return _About(occasion, answers=answers)
        case "receipt":
            return _About(occasion, seal=parts[1])
        case _:
            return _About(occasion)
