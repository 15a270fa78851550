"""Wrap running text; the name of a unit is never broken at the end of a line."""

from __future__ import annotations

import re
import textwrap

WIDTH = 78
"""The width of running text in the text format."""

_UNIT = re.compile(r"\b([AFG]) (?=[A-Z]{2})")


def join_unit_names(text: str) -> str:
    """Return a text with a no-break space inside the names of units (``A MEN``)."""
    return _UNIT.sub("\\1\N{NO-BREAK SPACE}", text)


def wrap_text(text: str, first: str = "", rest: str = "", width: int = WIDTH) -> str:
    """Return a text in lines of a width; each of its own lines is wrapped by itself.

    ``first`` and ``rest`` are the indents of the first line and of all others.
    """
    lines = [
        textwrap.fill(
            _loosen(join_unit_names(line), width - len(rest)),
            width,
            initial_indent=first if i == 0 else rest,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for i, line in enumerate(text.splitlines())
    ]
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def _loosen(line: str, room: int) -> str:
    """Return a line that may break within words joined by no-break spaces that fit no line."""
    words = line.split(" ")
    return " ".join(
        word.replace("\N{NO-BREAK SPACE}", " ") if len(word) > room else word for word in words
    )


def wrap_lines(text: str, width: int, indent: str = "  ") -> list[str]:
    """Return a text as a list of lines of a width, all but the first indented."""
    return wrap_text(text, "", indent, width).splitlines()
