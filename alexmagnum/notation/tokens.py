"""Splitting a line into folded tokens, without case and accents and with one kind of dash."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from alexmagnum.i18n.folding import fold

DASH, ARROW = "-", ">"

_TOKEN = re.compile(
    r"(?P<arrow>[-=‐-―−]{0,9}[>→➔➜➝⇒⟶\uf0e0]+)"
    r"|(?P<dash>[-‐-―−\x96\x97]+)"  # the last two: Windows dashes in mail that says ISO-8859-1
    r"|(?P<word>(?:[^\W\d_][\u0300-\u036f]*)+)"
    r"|(?P<number>\d{1,4})"
    r"|(?P<sign>[()/#:.,;+])"
)

_LONG = 200
"""Characters from which on the tokens of a line are not cached."""


class Token(NamedTuple):
    """A folded word, number or sign; ``start`` and ``end`` are its place in the line."""

    text: str
    kind: str
    start: int
    end: int


def tokens(line: str) -> tuple[Token, ...]:
    """Return the tokens of a line, leaving out what is no word, number or known sign."""
    return _cached_tokens(line) if len(line) < _LONG else _tokens(line)


@lru_cache(maxsize=1024)
def _cached_tokens(line: str) -> tuple[Token, ...]:
    """Return the tokens of a line; a line is read several times before it is clear what it is."""
    return _tokens(line)


def _tokens(line: str) -> tuple[Token, ...]:
    found = []
    for match in _TOKEN.finditer(line):
        kind = match.lastgroup or ""
        text = {"arrow": ARROW, "dash": DASH}.get(kind) or fold(match[0])
        found.append(Token(text, kind, match.start(), match.end()))
    return tuple(found)


def words(text: str) -> tuple[str, ...]:
    """Return the folded words of a name: ``Coele-Syria`` is ``("coele", "syria")``."""
    return tuple(token.text for token in tokens(text) if token.kind == "word")
