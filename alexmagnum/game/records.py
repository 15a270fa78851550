"""The tables of the game file, and their rows as typed records.

Open this to see what a column holds; ``docs/game-file.md`` describes the tables for people who read
the file with another tool.  A record is made when its row is read
(:meth:`alexmagnum.game.file.GameFile.select`).  Most tables are made from the record of their rows
(:data:`_STORED`), each field being a column: its annotation has what SQL says of the column and,
after two dashes, a comment, which SQLite keeps and shows to whoever asks for the schema.  The other
tables, the indexes and the views stand in ``schema.sql``.  Columns that hold JSON stay text here
and are read where they are used, so that ``verify`` can name the row of a damaged text.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, get_args, get_type_hints

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
    every other field is a column of the first table.  The column ``json`` is read as JSON;
    ``keys`` is what SQL says of the whole table, behind its columns."""

    __slots__ = ()
    SOURCE: ClassVar[str]
    JSON: ClassVar[str]
    KEYS: ClassVar[str]
    COLUMNS: ClassVar[Mapping[str, str]]

    def __init_subclass__(
        cls, source: str = "", json: str = "", keys: str = "", **columns: str
    ) -> None:
        if source:  # ``slots`` makes the class anew, without these words
            cls.SOURCE, cls.JSON, cls.KEYS, cls.COLUMNS = source, json, keys, columns

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
    def table(cls) -> str:
        """Return the name of the table that the rows are in."""
        return cls.SOURCE.partition(" ")[0]

    @classmethod
    @cache
    def select(cls) -> str:
        """Return the statement that reads all records of the kind."""
        names = (field.name for field in fields(cls))  # type: ignore[arg-type]
        columns = ", ".join(cls.COLUMNS.get(name, f"{cls.table()}.{name}") for name in names)
        return f"SELECT {columns} FROM {cls.SOURCE}"

    @classmethod
    def create(cls) -> str:
        """Return the statement that makes the table, if each of its columns is a field."""
        plain, annotated = get_type_hints(cls), get_type_hints(cls, include_extras=True)
        columns = []
        for name in (name for name in plain if name.islower() and name not in cls.COLUMNS):
            kinds = get_args(plain[name]) or (plain[name],)
            column = [name, "INTEGER" if int in kinds else "TEXT"]
            column += ["NOT NULL"] if NoneType not in kinds else []
            words = getattr(annotated[name], "__metadata__", ())
            notes = [word for word in words if word.startswith("--")]
            column += [word for word in words if word not in notes]
            columns.append("\n    ".join(["", *notes, " ".join(column)]))
        columns += [f"\n    {cls.KEYS}"] if cls.KEYS else []
        return f"CREATE TABLE {cls.table()} ({','.join(columns)}\n)"


def read_texts(text: str) -> tuple[str, ...]:
    """Return the texts of a column that holds a list in JSON."""
    return tuple(json.loads(text))


Key = Annotated[int, "PRIMARY KEY"]
Phase = Annotated[int, "REFERENCES phases(id)"]
Outcome = Annotated[int, "REFERENCES outcomes(id)"]
Power = Annotated[str, "REFERENCES powers(id)"]
MaybeText = Annotated[str, "DEFAULT ''"]


@dataclass(frozen=True, slots=True)
class GameRow(Record, source="games", keys="CHECK (id = 1)"):
    """The game itself; ``head`` is as it was when the row was read."""

    id: Key
    name: str
    map: str
    map_source: str
    map_digest: str
    map_text: Annotated[str, "-- the game plays on this copy"]
    created: str
    head: Annotated[
        int | None, "REFERENCES phases(id)", "-- the open phase; its parents are the game's line"
    ]
    secret: Annotated[str, "-- where reply codes and the chance of bots come from"]


@dataclass(frozen=True, slots=True)
class SettingRow(Record, source="settings"):
    """A house rule or a switch that is set."""

    name: Annotated[str, "PRIMARY KEY"]
    value: str


@dataclass(frozen=True, slots=True)
class PhaseRow(Record, source="phases"):
    """A phase."""

    id: Key
    parent: Annotated[
        int | None, "REFERENCES outcomes(id)", "-- the outcome that led here; NULL: the first"
    ]
    name: Annotated[str, "-- 318-autumn"]
    kind: Annotated[str, "-- picks, deployment, movement, retreats, winter, over"]
    year: int
    season: str
    opened: str
    deadline: MaybeText
    seconds_left: Annotated[int | None, "-- while the clock is stopped; NULL: it runs"]

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

    id: Key
    phase: Phase
    version: int
    passed: Annotated[int, "-- 1: nobody had anything to decide"]
    processed: str
    rules: Annotated[str, "-- the switches in force, JSON"]
    amends: Annotated[int | None, "REFERENCES outcomes(id)", "-- the outcome that it replaced"]
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

    phase: Annotated[Phase, "PRIMARY KEY"]
    data: Annotated[str, "-- a turn file, JSON"]
    digest: str
    name: str
    rules: str | None


@dataclass(frozen=True, slots=True)
class MailRow(Record, source="mail"):
    """A mail with orders, as it came; or the orders of a bot, as it gave them."""

    id: Key
    phase: Phase
    power: Power
    source: str
    received: str
    text: str


@dataclass(frozen=True, slots=True)
class SubmissionRow(Record, source="submissions"):
    """The orders that count since a mail, sealed."""

    id: Key
    phase: Phase
    power: Power
    number: Annotated[int, "-- counts the submissions of the power for the phase"]
    kind: Annotated[str, "-- mail, ahead (sent before), amend, clear"]
    mail: Annotated[int | None, "REFERENCES mail(id)"]
    received: str
    effective: Annotated[str, "-- the orders that count from now on, JSON"]
    missing: Annotated[str, "-- JSON"]
    replaces: int
    salt: str
    digest: str
    fresh: Annotated[MaybeText, "-- phase, all: it replaced everything sent before"]

    @property
    def orders(self) -> tuple[str, ...]:
        """Return the orders that count from then on."""
        return read_texts(self.effective)


@dataclass(frozen=True, slots=True)
class OrderRow(Record, source="orders"):
    """A line of a submission, as it was understood."""

    id: Key
    submission: Annotated[int, "REFERENCES submissions(id)"]
    text: str
    canonical: str
    verdict: str
    code: str
    data: Annotated[str, "-- JSON"]
    ahead: str


@dataclass(frozen=True, slots=True)
class ResultRow(Record, source="resolved"):
    """An order, or a unit without one, with its result and the sentences that explain it."""

    id: Key
    outcome: Outcome
    power: str
    unit: str
    canonical: Annotated[str, "-- the order; '' for a unit that had none"]
    result: str
    code: str
    strength: Annotated[int, "-- -1: nothing was compared"]
    against: int
    sentence_it: str
    sentence_en: str


@dataclass(frozen=True, slots=True)
class SealRow(
    Record,
    source="seals JOIN outcomes ON outcomes.id = seals.outcome "
    "JOIN phases ON phases.id = outcomes.phase",
    keys="PRIMARY KEY (outcome, power)",
    name="phases.name",
):
    """The orders of a power that an outcome was resolved with."""

    outcome: Outcome
    power: Power
    salt: Annotated[str, "-- '' for a power that sent nothing"]
    digest: str
    orders: Annotated[str, "-- the sealed orders, JSON"]
    added: Annotated[str, "-- orders that a house rule added, JSON"]
    name: str

    @property
    def counted(self) -> tuple[str, ...]:
        """Return every order that counted, those of house rules included."""
        return (*read_texts(self.orders), *read_texts(self.added))


@dataclass(frozen=True, slots=True)
class UndoRow(Record, source="undo_log"):
    """A processing or an amendment: the open phase before it (``source``) and after it
    (``target``), and the switches that it changed."""

    id: Key
    action: Annotated[str, "-- process, amend"]
    state: Annotated[str, "-- done, undone, dropped"]
    source: Phase
    target: Phase
    rules_before: Annotated[str, "-- the switches that changed, JSON"]
    rules_after: str


@dataclass(frozen=True, slots=True)
class TextRow(Record, source="texts"):
    """Words of the game master for the report of a phase."""

    id: Key
    phase: str
    place: Annotated[str, "-- before, after"]
    text: str
    written: str


@dataclass(frozen=True, slots=True)
class VoteRow(Record, source="votes", json="powers", keys="PRIMARY KEY (phase, power, vote)"):
    """A power's vote in a phase."""

    phase: str
    power: Power
    vote: Annotated[str, "-- wait, ready, draw, concede"]
    powers: Annotated[tuple[str, ...], "-- JSON; who shares the draw, or wins"]
    at: str


@dataclass(frozen=True, slots=True)
class EndingRow(Record, source="endings", json="powers"):
    """An end that the game master declared."""

    phase: Annotated[Phase, "PRIMARY KEY", "-- the row behind the last phase"]
    kind: Annotated[str, "-- draw, concede, solo, abandon"]
    powers: Annotated[tuple[str, ...], "-- those that win or share it, JSON"]
    reason: str


@dataclass(frozen=True, slots=True)
class CodeRow(Record, source="codes", keys="PRIMARY KEY (power, phase)"):
    """The code that a power's mails carry in a phase."""

    power: Power
    phase: str
    code: Annotated[str, "UNIQUE"]


@dataclass(frozen=True, slots=True)
class LetterRow(
    Record,
    source="letters",
    json="grounds",
    keys="CHECK (power = '' OR standby IS NULL)",
    outcomes="""(SELECT ifnull(group_concat(outcome), '') FROM letter_outcomes
                WHERE letter = letters.id)""",
):
    """A letter without its text; ``outcomes`` has commas."""

    id: Key
    occasion: Annotated[str, "-- report, retraction, opening, welcome, letter, ..."]
    power: Annotated[str, "-- '' for a letter to somebody who plays no power"]
    standby: Annotated[
        int | None, "REFERENCES standby(id)", "-- a letter to somebody on the standby list"
    ]
    phase: Annotated[str, "-- its name; the letter carries the code of this phase"]
    address: str
    opened: Annotated[
        int | None,
        "REFERENCES phases(id)",
        "-- opening, reminder, welcome: the phase that was open",
    ]
    act: Annotated[
        int | None,
        "REFERENCES journal(id)",
        "-- the act that it tells of: deadline, welcome, letter",
    ]
    day: Annotated[MaybeText, "-- reminder: the day on which it was due"]
    answers: Annotated[int | None, "REFERENCES messages(id)", "-- answer: the message"]
    seal: Annotated[MaybeText, "-- receipt: the digest that seals the orders"]
    press: Annotated[int | None, "REFERENCES press(id)"]
    times: Annotated[int, "DEFAULT 0", "-- letters about the same that the player had before"]
    message_id: str
    state: Annotated[str, "CHECK (state IN ('draft', 'sending', 'sent', 'uncertain', 'dropped'))"]
    created: str
    sent: Annotated[MaybeText, "-- '' until then"]
    attempts: Annotated[int, "DEFAULT 0"]
    error: Annotated[MaybeText, "-- JSON"]
    size: Annotated[int, "-- bytes of the mail with the files in it"]
    sha256: Annotated[str, "-- of these bytes"]
    grounds: Annotated[
        Mapping[str, str],
        "DEFAULT '{}'",
        "-- JSON; what a draft rests on: the open phase, the seal of the orders, a message that",
        "-- waits, the deadline, the people and words that it shows",
    ] = field(hash=False)
    outcomes: str


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

    message: Annotated[int, "PRIMARY KEY", "REFERENCES messages(id)"]
    power: Power
    urgent: Annotated[int, "-- 1: its words ask to be read soon"]
    parts: Annotated[tuple[tuple[str, str], ...], "-- JSON; the kind of each part, and its words"]
    letter: Annotated[
        int | None, "REFERENCES gm_letters(id)", "-- the letter to the game master that has it"
    ]
    done: Annotated[MaybeText, "-- when it was answered or put away; '' before"]
    sender: str
    received: str
    phase: str


@dataclass(frozen=True, slots=True)
class Entry(Record, source="journal", json="detail"):
    """An act in the journal: when, who, what, why."""

    id: Key
    at: str
    actor: str
    action: str
    phase: str
    power: str
    reason: str
    players: Annotated[MaybeText, "-- changed, taken-over (a power was, after the start)"]
    detail: Annotated[Mapping[str, Any], "-- JSON"]


_STORED: tuple[type[Record], ...] = (
    GameRow,
    SettingRow,
    PhaseRow,
    OutcomeRow,
    PositionRow,
    MailRow,
    SubmissionRow,
    OrderRow,
    ResultRow,
    SealRow,
    UndoRow,
    TextRow,
    VoteRow,
    EndingRow,
    CodeRow,
    LetterRow,
    Passage,
    Entry,
)
"""The records that have every column of their table, which is made from them."""

_SCHEMA = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")
"""The statements that make all other tables, the indexes and the views."""

TABLES = (
    *(kind.table() for kind in _STORED),
    *re.findall(r"^CREATE TABLE (\w+)", _SCHEMA, re.MULTILINE),
)
"""Every table, in the order in which an export lists them."""

LOG_TABLE = "change_log"
"""The table that says which change log the file is in step with; an export does not have it."""


def create_tables(db: Database) -> None:
    """Create the tables and views of an empty file, in the transaction that is open."""
    # ``executescript`` would end the transaction.
    for statement in (*(kind.create() for kind in _STORED), *_SCHEMA.split(";\n")):
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
