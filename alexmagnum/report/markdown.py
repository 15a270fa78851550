"""Text that is safe in Markdown, whatever marks of Markdown or HTML it contains."""

from __future__ import annotations

import re

_MARKED = re.compile(r"([\\`*_\[\]|~])")
_AT_START = re.compile(r"^(\s*)([#+=>-]|\d+(?=[.)]))", re.MULTILINE)


def escape_markdown(text: str) -> str:
    """Return a text in which nothing counts as a mark of Markdown or a tag of HTML."""
    safe = _MARKED.sub(r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))
    return _AT_START.sub(_escape_start, safe)


def _escape_start(match: re.Match[str]) -> str:
    """Escape the beginning of a line.

    A number keeps its digits: it is the dot after them that would start a list.
    """
    blank, mark = match.groups()
    return f"{blank}{mark}\\" if mark.isdigit() else f"{blank}\\{mark}"


def escape_cell(text: str) -> str:
    """Return a text for a cell of a table: no list starts there, so figures keep their points.

    >>> escape_cell("22.5 %"), escape_cell("a|b")
    ('22.5 %', 'a\\\\|b')
    """
    return escape_markdown(f"x{text}")[1:]


def fence_text(text: str) -> str:
    """Return a text between fences that are longer than any in it."""
    longest = max(map(len, re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}yaml\n{text.rstrip()}\n{fence}"
