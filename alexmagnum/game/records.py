"""The rows of the game file as typed records.

``schema.sql`` has the tables, with a word on each column that needs one; ``docs/game-file.md``
describes them for people who read the file with another tool.  A record is made when its row is
read (:meth:`alexmagnum.game.file.GameFile.select`).  Columns that hold JSON stay text here, unless
their record says otherwise, and are read where they are used, so that ``verify`` can name the row
of a damaged text.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    import sqlite3

    from sqlite_utils import Database

APPLICATION_ID = 0x414C584D
"""``ALXM``, the mark in the header that distinguishes a game from any other SQLite file."""

VERSION = 15
"""The version of the file.  Those before it were never released, and are refused."""

OVER = "over"
"""The kind of the row behind the last phase, which holds the position at the end of the game."""


class Record:
    """A row.  ``source`` is what follows ``FROM``; ``columns`` has fields of another name or table;
    every other field is a column of the first table.  The column ``json`` is read as JSON."""

    __slots__ = ()
    SOURCE: ClassVar[str]
    JSON: ClassVar[str]
    COLUMNS: ClassVar[Mapping[str, str]]

    def __init_subclass__(cls, source: str = "", json: str = "", **columns: str) -> None:
        if source:  # ``slots`` makes the class anew, without these words
            cls.SOURCE, cls.JSON, cls.COLUMNS = source, json, columns

    @classmethod
    def read(cls, row: tuple[Any, ...]) -> Self:
        """Return the record of a row that :meth:`select` asks for."""
        record = cls(*row)
        if cls.JSON:
            value = json.loads(getattr(record, cls.JSON))
            value = tuple(value) if isinstance(value, list) else value
            return replace(record, **{cls.JSON: value})  # type: ignore[type-var]
        return record

    @classmethod
    @cache
    def select(cls) -> str:
        """Return the statement that reads all records of the kind."""
        names = (field.name for field in fields(cls))  # type: ignore[arg-type]
        table = cls.SOURCE.partition(" ")[0]
        columns = ", ".join(cls.COLUMNS.get(name, f"{table}.{name}") for name in names)
        return f"SELECT {columns} FROM {cls.SOURCE}"


def read_texts(text: str) -> tuple[str, ...]:
    """Return the texts of a column that holds a list in JSON."""
    return tuple(json.loads(text))


@dataclass(frozen=True, slots=True)
class GameRow(Record, source="games"):
    """The game itself; ``head`` is as it was when the row was read."""

    id: int
    name: str
    map: str
    map_source: str
    map_digest: str
    map_text: str
    created: str
    head: int | None
    secret: str


@dataclass(frozen=True, slots=True)
class PhaseRow(Record, source="phases"):
    """A phase."""

    id: int
    parent: int | None
    name: str
    kind: str
    year: int
    season: str
    opened: str
    deadline: str
    seconds_left: int | None

    @property
    def is_over(self) -> bool:
        """Return whether this row stands behind the last phase of the game."""
        return self.kind == OVER


@dataclass(frozen=True, slots=True)
class OutcomeRow(
    Record,
    source="outcomes JOIN phases ON phases.id = outcomes.phase",
    name="phases.name",
    kind="phases.kind",
    year="phases.year",
    parent="phases.parent",
    opened="phases.opened",
    deadline="phases.deadline",
):
    """A phase that was resolved, in one version; ``parent`` is the outcome that led to it."""

    id: int
    phase: int
    version: int
    passed: int
    processed: str
    rules: str
    amends: int | None
    digest: str
    name: str
    kind: str
    year: int
    parent: int | None
    opened: str
    deadline: str


@dataclass(frozen=True, slots=True)
class PositionRow(
    Record,
    source="positions JOIN phases ON phases.id = positions.phase",
    name="phases.name",
    rules="(SELECT rules FROM outcomes WHERE outcomes.phase = positions.phase LIMIT 1)",
):
    """A stored position with the name of its phase; ``rules`` are switches under which the phase
    was resolved, None for a phase that was not."""

    phase: int
    data: str
    digest: str
    name: str
    rules: str | None


@dataclass(frozen=True, slots=True)
class MailRow(Record, source="mail"):
    """A mail with orders, as it came; or the orders of a bot, as it gave them."""

    id: int
    phase: int
    power: str
    source: str
    received: str
    text: str


@dataclass(frozen=True, slots=True)
class SubmissionRow(Record, source="submissions"):
    """The orders that count since a mail, sealed."""

    id: int
    phase: int
    power: str
    number: int
    kind: str
    mail: int | None
    received: str
    effective: str
    missing: str
    replaces: int
    salt: str
    digest: str
    fresh: str

    @property
    def orders(self) -> tuple[str, ...]:
        """Return the orders that count from then on."""
        return read_texts(self.effective)


@dataclass(frozen=True, slots=True)
class OrderRow(Record, source="orders"):
    """A line of a submission, as it was understood."""

    id: int
    submission: int
    text: str
    canonical: str
    verdict: str
    code: str
    data: str
    ahead: str


@dataclass(frozen=True, slots=True)
class ResultRow(Record, source="resolved"):
    """An order, or a unit without one, with its result and the sentences that explain it."""

    id: int
    outcome: int
    power: str
    unit: str
    canonical: str
    result: str
    code: str
    strength: int
    against: int
    sentence_it: str
    sentence_en: str


@dataclass(frozen=True, slots=True)
class SealRow(
    Record,
    source="seals JOIN outcomes ON outcomes.id = seals.outcome "
    "JOIN phases ON phases.id = outcomes.phase",
    name="phases.name",
):
    """The orders of a power that an outcome was resolved with."""

    outcome: int
    power: str
    salt: str
    digest: str
    orders: str
    added: str
    name: str

    @property
    def counted(self) -> tuple[str, ...]:
        """Return every order that counted, those of house rules included."""
        return (*read_texts(self.orders), *read_texts(self.added))


@dataclass(frozen=True, slots=True)
class UndoRow(Record, source="undo_log"):
    """A processing or an amendment: the open phase before it (``source``) and after it
    (``target``), and the switches that it changed."""

    id: int
    action: str
    state: str
    source: int
    target: int
    rules_before: str
    rules_after: str


@dataclass(frozen=True, slots=True)
class TextRow(Record, source="texts"):
    """Words of the game master for the report of a phase."""

    id: int
    phase: str
    place: str
    text: str
    written: str


@dataclass(frozen=True, slots=True)
class VoteRow(Record, source="votes", json="powers"):
    """A power's vote in a phase."""

    phase: str
    power: str
    vote: str
    powers: tuple[str, ...]
    at: str


@dataclass(frozen=True, slots=True)
class CodeRow(Record, source="codes"):
    """The code that a power's mails carry in a phase."""

    power: str
    phase: str
    code: str


@dataclass(frozen=True, slots=True)
class GmLetterRow(Record, source="gm_letters"):
    """A letter to the game master without its text; ``situation`` is a digest."""

    id: int
    day: str
    situation: str
    created: str
    address: str
    state: str
    sent: str


@dataclass(frozen=True, slots=True)
class Passage(
    Record,
    source="passages JOIN messages ON messages.id = passages.message",
    json="parts",
    sender="messages.sender",
    received="messages.received",
    phase="messages.phase",
):
    """Words of a player in a mail that are meant for the game master, with their mail."""

    message: int
    power: str
    urgent: int
    parts: tuple[tuple[str, str], ...]
    letter: int | None
    done: str
    sender: str
    received: str
    phase: str


@dataclass(frozen=True, slots=True)
class Entry(Record, source="journal", json="detail"):
    """An act in the journal: when, who, what, why."""

    id: int
    at: str
    actor: str
    action: str
    phase: str
    power: str
    reason: str
    players: str
    detail: Mapping[str, Any]


CHANGED, TAKEN_OVER = "changed", "taken-over"
"""Mark acts in the journal that changed a player, or gave a power of a running game to another."""

_SCHEMA = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")

TABLES = tuple(re.findall(r"^CREATE TABLE (\w+)", _SCHEMA, re.MULTILINE))
"""Every table, in the order in which an export lists them."""

LOG_TABLE = "change_log"
"""The table that says which change log the file is in step with; an export does not have it."""


def create_tables(db: Database) -> None:
    """Create the tables and views of an empty file, in the transaction that is open."""
    # ``executescript`` would end the transaction.
    for statement in _SCHEMA.split(";\n"):
        db.execute(statement)
    db.execute(f"CREATE TABLE {LOG_TABLE} (name TEXT NOT NULL, size INTEGER NOT NULL)")
    db.execute(f"PRAGMA user_version = {VERSION}")


_NEEDLESS = ("numpy", "pandas")
"""Modules that sqlite-utils loads where they are installed.  No game needs them, and NumPy alone
takes longer than the command ``status``."""


def show_tables(connection: sqlite3.Connection) -> Database:
    """Return a connection as sqlite-utils shows it; the library is loaded when something writes."""
    hidden = [name for name in _NEEDLESS if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]  # the import system finds no module
    try:
        from sqlite_utils import Database

        return Database(connection)
    finally:
        for name in hidden:
            del sys.modules[name]
