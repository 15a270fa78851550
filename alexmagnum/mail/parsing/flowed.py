"""Joining of lines in mail with ``format=flowed`` (RFC 3676), which programs break and mark."""

from __future__ import annotations

import re

from alexmagnum.mail.parsing.quoted_lines import SIGNATURE

_QUOTES = re.compile(r">*")


def unflow(text: str, *, delsp: bool) -> str:
    """Join the lines that the mail program broke.

    A line that ends in a blank continues in the next one of the same quoting depth; with ``delsp``
    that blank is no part of the text.

    >>> unflow("A MEN \\n- TEB\\n> old \\n> line\\nnew", delsp=False)
    'A MEN - TEB\\n> old line\\nnew'
    """
    lines: list[str] = []
    depth_before, continues = -1, False
    for raw in text.split("\n"):
        depth, line = _split_quotes(raw)
        is_signature = line == SIGNATURE
        if continues and depth == depth_before and not is_signature:
            lines[-1] += line
        else:
            lines.append(f"{'>' * depth} {line}" if depth else line)
        continues = line.endswith(" ") and not is_signature
        if continues and delsp:
            lines[-1] = lines[-1][:-1]
        depth_before = depth
    return "\n".join(lines)


def _split_quotes(raw: str) -> tuple[int, str]:
    """Return the quoting depth of a line and its text, without the blank that protects it."""
    depth = len(_QUOTES.match(raw)[0])  # type: ignore[index]  # it matches everything
    line = raw[depth:]
    return depth, line.removeprefix(" ")
