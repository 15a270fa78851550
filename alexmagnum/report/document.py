"""The report of a phase as a document: in words, in one language, without a layout.

Every format is written from this document alone, so what it lacks is in no format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from alexmagnum.draw.palette import Livery
from alexmagnum.report.mentions import Mention
from alexmagnum.report.turn_report import ReportLine


class Fact(NamedTuple):
    """A line of the report's head; programs read ``value`` instead of the text."""

    key: str
    label: str
    text: str
    value: object


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs as somebody wrote them."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list of short texts."""

    items: tuple[str, ...]


class Column(NamedTuple):
    """A column: ``key`` for programs, ``label`` for people; ``number`` if it holds figures."""

    key: str
    label: str
    number: bool = False


class Cell(NamedTuple):
    """A cell of a table; programs read ``value`` or, if that is None, the text."""

    text: str
    value: object = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of a row is the row's heading."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class OrderGroup:
    """The orders of a power with their results, and the units it has ``after`` the phase.

    ``bot`` is the name of the bot that gave the orders, and ``mark`` says so in words; both are ""
    if a person did.
    """

    power: str
    name: str
    lines: tuple[ReportLine, ...]
    after: tuple[str, ...]
    bot: str = ""
    mark: str = ""

    @property
    def heading(self) -> str:
        """The name of the power, with the mark of a bot."""
        return f"{self.name} – {self.mark}" if self.mark else self.name


@dataclass(frozen=True, slots=True)
class Orders:
    """The orders of all powers; ``after`` is the label of the units each has after the phase."""

    groups: tuple[OrderGroup, ...]
    after: str


@dataclass(frozen=True, slots=True)
class Code:
    """A text for copying."""

    text: str


Body = Prose | Items | Table | Orders | Code


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a report; programs know it by its ``key``.

    A page shows the title alone of a ``folded`` section until its reader opens it.  If there is a
    ``pointer``, people read it in place of the body, which programs still get.  ``mentions`` say
    what each item or row of the body is about; they are empty if pages do not point at them.
    """

    key: str
    title: str
    body: Body
    note: str = ""
    folded: bool = False
    pointer: str = ""
    mentions: tuple[Mention, ...] = ()

    @property
    def shown(self) -> Body:
        """The body that people read."""
        return Prose((self.pointer,)) if self.pointer else self.body


class Moment(NamedTuple):
    """A moment at which centres were counted.

    Attributes:
        time: years since the beginning of the first year.
        label: the moment in words.
        year: the year that ended then, "" for none.
    """

    time: float
    label: str
    year: str = ""


class Curve(NamedTuple):
    """The number of a power's centres at each moment, and its colour ``#RRGGBB``."""

    power: str
    name: str
    color: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Curves:
    """The centres of all powers over the years; ``goal`` is the number that wins the game."""

    moments: tuple[Moment, ...]
    curves: tuple[Curve, ...]
    goal: int


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """The report of a phase for one reader.

    Attributes:
        title: the name of the map.
        phase: the phase in words.
        code: the name of the phase on the command line.
        recipient: the id of a power, ``"gm"``, or None for everybody.
        curves: the chart of a page; None if there is nothing to compare yet.
        liveries: how pages show the powers.
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
