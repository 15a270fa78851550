"""A place in a line of tokens that moves from left to right."""

from __future__ import annotations

from alexmagnum.notation.lexicon import Phrases, match
from alexmagnum.notation.tokens import tokens


class Cursor:
    """The tokens of a line and how far they are read."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.line = tokens(source)
        self.at = 0

    def more(self) -> bool:
        return self.at < len(self.line)

    def text(self) -> str:
        """The folded token here; "" at the end."""
        return self.line[self.at].text if self.more() else ""

    def is_word(self, at: int) -> bool:
        return at < len(self.line) and self.line[at].kind == "word"

    def is_number(self) -> bool:
        return self.more() and self.line[self.at].kind == "number"

    def is_sign(self) -> bool:
        """Does a move sign stand here?"""
        return self.more() and self.line[self.at].kind in ("dash", "arrow")

    def sees(self, phrases: Phrases) -> str:
        """What the longest phrase that stands here means; "" if none does."""
        return match(phrases, self.line, self.at)[0]

    def take(self, phrases: Phrases) -> str:
        """The same, passing over it."""
        meaning, self.at = match(phrases, self.line, self.at)
        return meaning

    def take_any(self, *texts: str) -> bool:
        """Pass over tokens of these texts; were there any?"""
        start = self.at
        while self.more() and self.text() in texts:
            self.at += 1
        return self.at > start

    def fragment(self, start: int) -> str:
        """The source from a token up to what is read."""
        if start >= len(self.line):
            return self.source.strip()
        return self.source[self.line[start].start : self.line[max(start, self.at - 1)].end]
