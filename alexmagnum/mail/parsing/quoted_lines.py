"""The lines of a mail, each with its depth of quotation."""

from __future__ import annotations

import re
from typing import NamedTuple

SIGNATURE = "-- "
"""The line above a signature; the blank is part of it."""

_PREFIX = re.compile(r" {0,3}((?:(?:>|&gt;) ?)+)")

_MARK = re.compile(r">|&gt;")


class Line(NamedTuple):
    """A line of text; ``depth`` is the number of quotation marks that were taken off it.

    ``signature``: the writer's mail program marked it as part of a signature.
    """

    text: str
    depth: int = 0
    signature: bool = False


def split_lines(text: str) -> list[Line]:
    """Return the lines of a plain text; the ``>`` before a line give its depth.

    >>> split_lines("A MEN H\\n> > A TEB H")
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


def join_lines(lines: list[Line], own: list[bool]) -> str:
    """Return the writer's ``own`` lines as one text; one blank line stands for what lay between."""
    texts: list[str] = []
    for line, keep in zip(lines, own, strict=True):
        text = line.text if keep else ""
        if text.strip() or (texts and texts[-1]):
            texts.append(text if text.strip() else "")
    return "\n".join(texts).rstrip()


def join_removed_lines(lines: list[Line], own: list[bool]) -> str:
    """Return all other lines as one text, with ``>`` as deep as they were quoted."""
    removed = [line for line, keep in zip(lines, own, strict=True) if not keep]
    return "\n".join("> " * line.depth + line.text for line in removed).strip("\n")
