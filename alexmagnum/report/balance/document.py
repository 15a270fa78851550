"""A balance report as a document: words, tables and plots in one language, without a layout.

The page and the Markdown text are made from this document alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from alexmagnum.report.document import Items, Prose, Table


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of a page, which Markdown leaves out, with its title and caption.

    Attributes:
        svg: the picture as an SVG element without a title.
        description: the contents of the picture in words, for people who do not see it.
        caption: the text below the picture.
        legend: pairs of a style class and its meaning.
        wide: the picture takes the whole width of the page.
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
    """A table under a line of text; the page shows it when the reader opens that line."""

    title: str
    table: Table


Block = Prose | Items | Table | Figure | Folded


@dataclass(frozen=True, slots=True)
class BalanceSection:
    """A section of the report; ``level`` is the level of its heading, 2 or 3."""

    key: str
    title: str
    blocks: tuple[Block, ...]
    level: int = 2


@dataclass(frozen=True, slots=True)
class BalanceReport:
    """A whole report.

    Attributes:
        facts: the labels and values at the head of the report.
        colors: by the name of a colour variable of the page, its colour in the light and in the
            dark appearance.
        outlines: the shapes of provinces, of which all maps of the page are made.
    """

    title: str
    subtitle: str
    lang: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[BalanceSection, ...]
    colors: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    outlines: tuple[str, ...] = ()
