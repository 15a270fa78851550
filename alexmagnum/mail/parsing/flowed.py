"""Lines that their program broke and marked as broken: ``format=flowed`` (RFC 3676)."""

from __future__ import annotations

import re

from alexmagnum.mail.parsing.lines import SIGNATURE

_QUOTES = re.compile(r">*")


def unflow(text: str, *, delsp: bool) -> str:
    """The text with its lines as they were typed.

    A line that ends in a blank goes on in the next one of the same quoting depth; with ``delsp``
    that blank is no part of the text.

    >>> unflow("A MEN \\n- TEB\\n> old \\n> line\\nnew", delsp=False)
    'A MEN - TEB\\n> old line\\nnew'
    """
    lines: list[str] = []
    depth_before, flows = -1, False
    for raw in text.split("\n"):
        depth, line = _unstuffed(raw)
        signature = line == SIGNATURE
        if flows and depth == depth_before and not signature:
            lines[-1] += line
        else:
            lines.append(f"{'>' * depth} {line}" if depth else line)
        flows = line.endswith(" ") and not signature
        if flows and delsp:
            lines[-1] = lines[-1][:-1]
        depth_before = depth
    return "\n".join(lines)


def _unstuffed(raw: str) -> tuple[int, str]:
    """The quoting depth of a line and what follows, without the blank that guards it."""
    depth = len(_QUOTES.match(raw)[0])  # type: ignore[index]  # it matches everything
    line = raw[depth:]
    return depth, line.removeprefix(" ")
