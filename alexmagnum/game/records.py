"""The rows of the game file as typed records, one class for each kind of row.

A record is made when its row is read (:meth:`alexmagnum.game.file.GameFile.select`): the names of
its fields are the names of columns, and ``SOURCE`` says which tables they come from.  Columns that
hold JSON stay text here and are read where they are used, so that ``verify`` can name the row of a
damaged text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self

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
    def select(cls) -> str:
        """Return the statement that reads all records of the kind."""
        table = cls.SOURCE.partition(" ")[0]
        names = (field.name for field in fields(cls))  # type: ignore[arg-type]
        columns = ", ".join(cls.COLUMNS.get(name, f"{table}.{name}") for name in names)
        return f"SELECT {columns} FROM {cls.SOURCE}"


def read_texts(text: str) -> tuple[str, ...]:
    """Return the texts of a column that holds a list in JSON."""
    return tuple(json.loads(text))


@dataclass(frozen=True, slots=True)
class GameRow(Record, source="games"):
    """The game itself, without what changes: the open phase is read as a phase."""

    name: str
    map_source: str
    map_digest: str
    map_text: str
    created: str
    secret: str


@dataclass(frozen=True, slots=True)
class PhaseRow(Record, source="phases"):
    """A phase.  ``parent`` is the outcome that led to it; ``seconds_left`` is the time that was
    left when the clock was stopped, None while it runs."""

    id: int
    parent: int | None
    name: str
    kind: str
    year: int
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
    """A phase that was resolved, in one version.  ``id`` is the outcome's, ``phase`` the number of
    the phase, ``parent`` the outcome that led to it; ``rules`` are the switches in force (JSON)."""

    id: int
    phase: int
    name: str
    kind: str
    year: int
    parent: int | None
    version: int
    passed: int
    opened: str
    deadline: str
    processed: str
    rules: str
    amends: int | None
    digest: str


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
    name: str
    data: str
    digest: str
    rules: str | None


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
    fresh: str
    salt: str
    digest: str

    @property
    def orders(self) -> tuple[str, ...]:
        """Return the orders that count from then on."""
        return read_texts(self.effective)


@dataclass(frozen=True, slots=True)
class SubmissionCheckRow(
    SubmissionRow,
    source="submissions JOIN phases ON phases.id = submissions.phase "
    "LEFT JOIN mail ON mail.id = submissions.mail",
    name="phases.name",
    text="mail.text",
    sender="mail.power",
):
    """A submission with its phase and its mail, for ``verify``; ``text`` is None without a mail."""

    name: str
    text: str | None
    sender: str | None


@dataclass(frozen=True, slots=True)
class MailRow(Record, source="mail"):
    """A mail with orders, as it came; or the orders of a bot, as it gave them."""

    id: int
    source: str
    text: str
    received: str


@dataclass(frozen=True, slots=True)
class OrderRow(Record, source="orders"):
    """A line of a submission, as it was understood."""

    submission: int
    text: str
    canonical: str
    verdict: str
    code: str
    data: str
    ahead: str


@dataclass(frozen=True, slots=True)
class SealRow(
    Record,
    source="seals JOIN outcomes ON outcomes.id = seals.outcome "
    "JOIN phases ON phases.id = outcomes.phase",
    name="phases.name",
):
    """The orders of a power that an outcome was resolved with; ``added`` by house rules."""

    name: str
    power: str
    salt: str
    digest: str
    orders: str
    added: str

    @property
    def counted(self) -> tuple[str, ...]:
        """Return every order that counted, those of house rules included."""
        return (*read_texts(self.orders), *read_texts(self.added))


@dataclass(frozen=True, slots=True)
class ResultRow(Record, source="resolved"):
    """An order, or a unit without one, with its result and the sentences that explain it."""

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
class UnitResultRow(
    ResultRow,
    source="resolved JOIN outcomes ON outcomes.id = resolved.outcome "
    "JOIN phases ON phases.id = outcomes.phase",
    name="phases.name",
    version="outcomes.version",
    processed="outcomes.processed",
):
    """A result with the outcome and the phase that it belongs to, for the history of a unit."""

    id: int
    outcome: int
    name: str
    version: int
    processed: str


@dataclass(frozen=True, slots=True)
class UndoRow(Record, source="undo_log"):
    """A processing or an amendment: the open phase before it (``source``) and after it
    (``target``), and the switches that it changed (JSON)."""

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

    place: str
    text: str


@dataclass(frozen=True, slots=True)
class VoteRow(Record, source="votes", json="powers"):
    """A power's vote in a phase; ``powers`` are those that share a draw, or the winner."""

    power: str
    vote: str
    powers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EndingRow(Record, source="endings", json="powers"):
    """An end that the game master declared; ``powers`` are those that win or share it."""

    phase: int
    kind: str
    powers: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class CodeRow(Record, source="codes"):
    """The code that a power's mails carry in a phase."""

    power: str
    phase: str
    code: str


@dataclass(frozen=True, slots=True)
class LetterRow(
    Record,
    source="letters",
    json="grounds",
    outcomes="""(SELECT ifnull(group_concat(outcome), '') FROM letter_outcomes
                WHERE letter = letters.id)""",
):
    """A letter without its text; ``outcomes`` has commas, ``error`` is JSON."""

    id: int
    occasion: str
    power: str
    standby: int | None
    phase: str
    address: str
    opened: int | None
    act: int | None
    day: str
    answers: int | None
    seal: str
    press: int | None
    times: int
    message_id: str
    state: str
    created: str
    sent: str
    attempts: int
    error: str
    size: int
    grounds: Mapping[str, str] = field(hash=False)
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
class SettingRow(Record, source="settings"):
    """A house rule or a switch that is set."""

    name: str
    value: str


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
    detail: Mapping[str, Any]
