"""Wrap running text; names of units and figures are never broken at the end of a line."""

from __future__ import annotations

import re
import textwrap

WIDTH = 78
"""The width of running text in the text format."""

_UNIT = re.compile(r"\b([AFG]) (?=[A-Z]{2})")
_STRENGTHS = re.compile(r"(\(\d+) (\w+) (?=\d+\b)")
_PERCENT = re.compile(r"(?<=\d) (?=%)")


def join_names_and_figures(text: str) -> str:
    """Return a text with no-break spaces inside the names of units and figures.

    That is within ``A MEN``, within strengths in brackets (``(2 against 1)``) and before ``%``.
    """
    joined = _UNIT.sub("\\1\N{NO-BREAK SPACE}", text)
    joined = _STRENGTHS.sub("\\1\N{NO-BREAK SPACE}\\2\N{NO-BREAK SPACE}", joined)
    return _PERCENT.sub("\N{NO-BREAK SPACE}", joined)


def wrap_text(text: str, first: str = "", rest: str = "", width: int = WIDTH) -> str:
    """Return a text in lines of a width; each of its own lines is wrapped by itself.

    ``first`` and ``rest`` are the indents of the first line and of all others.
    """
    lines = [
        textwrap.fill(
            _loosen(join_names_and_figures(line), width - len(rest)),
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
        join_names_and_figures(word.replace("\N{NO-BREAK SPACE}", " "))
        if len(word) > room
        else word
        for word in words
    )


def wrap_lines(text: str, width: int, indent: str = "  ") -> list[str]:
    """Return a text as a list of lines of a width, all but the first indented."""
    return wrap_text(text, "", indent, width).splitlines()
