"""A letter as lines, each with how deep in quotation it stands."""

from __future__ import annotations

import re
from typing import NamedTuple

SIGNATURE = "-- "
"""The line above a signature; the blank is part of it."""

_PREFIX = re.compile(r" {0,3}((?:(?:>|&gt;) ?)+)")

_MARK = re.compile(r">|&gt;")


class Line(NamedTuple):
    """A line without its quotation marks: how many there were, and whether its program has
    marked it as a signature."""

    text: str
    depth: int = 0
    signature: bool = False


def plain_lines(text: str) -> list[Line]:
    """The lines of a plain text, their depth taken from the ``>`` before them.

    >>> plain_lines("A MEN H\\n> > A TEB H")
    [Line(text='A MEN H', depth=0, signature=False), Line(text='A TEB H', depth=2, signature=False)]
    """
    lines = []
    for raw in text.split("\n"):
        marks = _PREFIX.match(raw)
        start = marks.end() if marks else 0
        depth = len(_MARK.findall(marks[1])) if marks else 0
        text = raw[start:]
        lines.append(Line(text if text == SIGNATURE else text.rstrip(), depth))
    return lines


def written(lines: list[Line], kept: list[bool]) -> str:
    """The lines that are kept as one text, with one blank line wherever something is left out
    or blank."""
    texts: list[str] = []
    for line, keep in zip(lines, kept, strict=True):
        text = line.text if keep else ""
        if text.strip() or (texts and texts[-1]):
            texts.append(text if text.strip() else "")
    return "\n".join(texts).rstrip()


def left_out(lines: list[Line], kept: list[bool]) -> str:
    """The other lines, marked as they came."""
    gone = [line for line, keep in zip(lines, kept, strict=True) if not keep]
    return "\n".join("> " * line.depth + line.text for line in gone).strip("\n")
