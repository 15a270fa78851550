"""Text in lines that are not too long."""

from __future__ import annotations

import re
import textwrap

WIDTH = 78
"""Columns of running text in the text format; orders take what they need."""

_UNIT = re.compile(r"\b([AFG]) (?=[A-Z]{2})")


def join_unit_names(text: str) -> str:
    """A text in which the names of units (``A MEN``) are not broken at the end of a line."""
    return _UNIT.sub("\\1\N{NO-BREAK SPACE}", text)


def wrap_text(text: str, first: str = "", rest: str = "", width: int = WIDTH) -> str:
    """A text in lines of a width, each of its own lines wrapped by itself.

    A unit's name (``A MEN``) stays on one line.
    """
    lines = [
        textwrap.fill(
            join_unit_names(line),
            width,
            initial_indent=first if i == 0 else rest,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for i, line in enumerate(text.splitlines())
    ]
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def wrap_lines(text: str, width: int, indent: str = "  ") -> list[str]:
    """A text in lines of a width, those behind the first set in."""
    return wrap_text(text, "", indent, width).splitlines()
