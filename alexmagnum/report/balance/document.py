"""A balance report as a document: in words, tables and plots, in one language, without a layout.

The page and the Markdown text are written from this document alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from alexmagnum.report.document import Items, Prose, Table


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of a page: its ``svg`` without title; Markdown shows nothing of it.

    ``description`` says in words what it shows, to people who do not see it; ``caption`` stands
    below it for all; ``legend`` has the name of a look and its meaning.
    """

    key: str
    title: str
    description: str
    caption: str
    svg: str
    legend: tuple[tuple[str, str], ...] = ()
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Folded:
    """A table that a page shows when its reader opens it."""

    title: str
    table: Table


Block = Prose | Items | Table | Figure | Folded


@dataclass(frozen=True, slots=True)
class BalanceSection:
    """A section; ``level`` is that of its heading, 2 or 3."""

    key: str
    title: str
    blocks: tuple[Block, ...]
    level: int = 2


@dataclass(frozen=True, slots=True)
class BalanceReport:
    """A whole report.

    ``colors`` are the names of the page's colour variables, each with a colour for the light and
    one for the dark appearance; ``outlines`` are the shapes that its maps are made of.
    """

    title: str
    subtitle: str
    lang: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[BalanceSection, ...]
    colors: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    outlines: tuple[str, ...] = ()
