"""A cursor over the tokens of one line: looking at tokens, passing over them, and going back."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from alexmagnum.notation.lexicon import Phrases, match
from alexmagnum.notation.tokens import tokens

CursorT = TypeVar("CursorT", bound="Cursor")
Params = ParamSpec("Params")
Result = TypeVar("Result")
Parse = Callable[Concatenate[CursorT, Params], Result]


class Cursor:
    """The tokens of a line and the number of the next one to read, ``at``."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.line = tokens(source)
        self.at = 0

    def has_more(self) -> bool:
        """Return whether any token is left to read."""
        return self.at < len(self.line)

    def text(self) -> str:
        """Return the folded text of the next token; "" at the end of the line."""
        return self.line[self.at].text if self.at < len(self.line) else ""

    def is_word(self, at: int) -> bool:
        """Return whether the token at a number is a word."""
        return at < len(self.line) and self.line[at].kind == "word"

    def is_number(self) -> bool:
        """Return whether the next token is a number."""
        return self.at < len(self.line) and self.line[self.at].kind == "number"

    def is_sign(self) -> bool:
        """Return whether the next token is a move sign."""
        return self.at < len(self.line) and self.line[self.at].kind in ("dash", "arrow")

    def look_for(self, phrases: Phrases) -> str:
        """Return the meaning of the longest phrase that comes next; "" if none does."""
        return match(phrases, self.line, self.at)[0]

    def take(self, phrases: Phrases) -> str:
        """Pass over the longest phrase that comes next and return its meaning; "" if none does."""
        meaning, self.at = match(phrases, self.line, self.at)
        return meaning

    def skip_signs(self, at: int) -> int:
        """Return the number of the first token, from one on, that is a word or a number."""
        while at < len(self.line) and self.line[at].kind not in ("word", "number"):
            at += 1
        return at

    def take_any(self, *texts: str) -> bool:
        """Pass over all next tokens with one of these texts; return whether there were any."""
        start = self.at
        while self.at < len(self.line) and self.line[self.at].text in texts:
            self.at += 1
        return self.at > start

    def take_signs(self) -> bool:
        """Pass over move signs; return whether there were any."""
        start = self.at
        while self.is_sign():
            self.at += 1
        return self.at > start

    def fragment(self, start: int) -> str:
        """Return the source from the token number ``start`` up to the last token read."""
        if start >= len(self.line):
            return self.source.strip()
        return self.source[self.line[start].start : self.line[max(start, self.at - 1)].end]


def backtrack(parse: Parse[CursorT, Params, Result]) -> Parse[CursorT, Params, Result]:
    """Decorate a method that reads an optional part of a line.

    When the method returns nothing (a false value), the cursor goes back to where it was.
    """

    @wraps(parse)
    def parse_or_go_back(self: CursorT, /, *args: Params.args, **options: Params.kwargs) -> Result:
        start = self.at
        result = parse(self, *args, **options)
        if not result:
            self.at = start
        return result

    return parse_or_go_back


def look_ahead(parse: Parse[CursorT, Params, Result]) -> Parse[CursorT, Params, Result]:
    """Decorate a method that only looks at what follows: the cursor always goes back."""

    @wraps(parse)
    def parse_and_go_back(self: CursorT, /, *args: Params.args, **options: Params.kwargs) -> Result:
        start = self.at
        result = parse(self, *args, **options)
        self.at = start
        return result

    return parse_and_go_back
