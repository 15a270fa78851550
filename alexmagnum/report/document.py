"""A report as a document: worded, in one language, and laid out by nobody yet.

Every format is written from this alone, so that what is not in it can be in no format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from alexmagnum.draw.palette import Livery
from alexmagnum.report.turn_report import ReportLine


class Fact(NamedTuple):
    """One line of the head: ``value`` is what machines read instead of the text."""

    key: str
    label: str
    text: str
    value: object


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs, as somebody wrote them."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list of short texts."""

    items: tuple[str, ...]


class Column(NamedTuple):
    """A column: ``key`` for machines, ``label`` for people; ``number`` if figures stand in it."""

    key: str
    label: str
    number: bool = False


class Cell(NamedTuple):
    """What stands in a table; ``value`` is what machines read, None if they read the text."""

    text: str
    value: object = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; the first cell is the row's heading."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class OrderGroup:
    """One power's orders with what became of them, and the units it has ``after``."""

    power: str
    name: str
    lines: tuple[ReportLine, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Orders:
    """The orders of the powers; ``after`` is the label of the units that each has left."""

    groups: tuple[OrderGroup, ...]
    after: str


@dataclass(frozen=True, slots=True)
class Code:
    """A text to be copied as it stands."""

    text: str


Body = Prose | Items | Table | Orders | Code


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report: ``key`` for machines, a title, perhaps a note below it, a body."""

    key: str
    title: str
    body: Body
    note: str = ""


class Moment(NamedTuple):
    """When something was counted: ``time`` in years since the first year began; ``label`` for
    people; ``year`` if one was just over, else ""."""

    time: float
    label: str
    year: str = ""


class Curve(NamedTuple):
    """A power's centres at each moment, and its colour ``#RRGGBB``."""

    power: str
    name: str
    color: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Curves:
    """The centres of the powers over the years; with ``goal`` of them the game is won."""

    moments: tuple[Moment, ...]
    curves: tuple[Curve, ...]
    goal: int


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """The report of a phase for one reader.

    ``recipient`` is a power's id, ``"gm"``, or None for everybody; ``phase`` is the phase in
    words, ``code`` its name on the command line.  For pages alone: the ``curves``, None if there
    is nothing to compare yet, and the powers' ``liveries``.
    """

    title: str
    game: str
    phase: str
    code: str
    version: int
    lang: str
    recipient: str | None
    facts: tuple[Fact, ...]
    sections: tuple[Section, ...] = field(default=())
    curves: Curves | None = None
    liveries: Mapping[str, Livery] = field(default_factory=dict)
