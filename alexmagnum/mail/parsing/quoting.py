"""Detection of quotations: which lines of a letter are somebody's earlier mail.

There are three independent nets: quotation marks and quoted elements, the lines that mail programs
write above a quotation, and texts that were sent to the writer (:mod:`.repeated_text`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from alexmagnum.mail.parsing.quoted_lines import Line
from alexmagnum.mail.parsing.vocabulary import Vocabulary, fold_phrase

_LABEL = re.compile(r"[\W_]*([^\W\d_][^:]{0,24}?)[\s*]*:(?!//)")
_RULE = re.compile(r"[-_*=~#\u2013\u2014\s]{5,}")
_NUMBER = re.compile(r"\d+")
_FINAL_COLON = re.compile(r":[\s*>]*$")
_DASHES = "-_*=\u2013\u2014"
_WRAP_COLUMNS = range(65, 82)
"""Columns at which mail programs wrap lines."""

_MAX_ATTRIBUTION = 400
_MAX_SEPARATOR = 160
_MAX_ATTRIBUTION_LINES = 4
_MAX_FIELD_LINES = 24
_MAX_UNLABELLED = 3
"""Lines without a label in one header field."""


class Quotation(NamedTuple):
    """The result for one letter: ``own`` tells for each line whether it is the writer's own.

    ``cut``: a line that looks like the head of a quotation, and below which everything was dropped
    although nothing is marked; ``forwarded``: something is forwarded; ``wrapped_ends``: ends of
    quoted lines that were wrapped.
    """

    own: list[bool]
    cut: str = ""
    forwarded: bool = False
    wrapped_ends: str = ""


def find_quotation(lines: list[Line], words: Vocabulary, *, wrapped: bool = True) -> Quotation:
    """Find the quotations in a letter; ``wrapped``: long lines were wrapped, as in plain text."""
    finder = _QuotationFinder(lines, words)
    at = 0
    while at < len(lines):
        if finder.own[at]:
            at = finder.drop_quotation_at(at)
        at += 1
    wrapped_ends = finder.drop_wrapped_ends() if wrapped else ""
    return Quotation(finder.own, finder.cut, finder.forwarded, wrapped_ends)


class _QuotationFinder:
    """Finds the heads of quotations in one letter, and drops what they stand above."""

    def __init__(self, lines: list[Line], words: Vocabulary) -> None:
        self.lines = lines
        self.words = words
        self.own = [line.depth == 0 for line in lines]
        self.folded = [fold_phrase(line.text) if not line.depth else "" for line in lines]
        self.next_text_from = _index_next_text(lines)
        self.cut = ""
        self.forwarded = False
        self._final_verb = _compile_any(words.get("attribution", "verbs_last"), r"\b({})\W*$")
        self._inner_verb = _compile_any(words.get("attribution", "verbs_inside"), r"\b({})\b")

    def drop_quotation_at(self, at: int) -> int:
        """Drop the quotation whose head begins or ends at a line, if there is one.

        Return the last line that was looked at.
        """
        if self._is_separator(at):
            self.forwarded |= self._is_forward_separator(at)
            end, _ = self._find_header_block(self._find_next_text(at))
            return self._drop_header_block(at, max(end, at))
        end, fields = self._find_header_block(at)
        if "from" in fields and ("sent" in fields or len(fields) >= 3):
            return self._drop_header_block(self._include_rule_above(at), end)
        start = self._find_attribution(at)
        if start < 0:
            return at
        if not self._has_quotes_below(at) and self._find_next_text(at) < len(self.lines):
            self.cut = self.cut or " ".join(line.text for line in self.lines[start : at + 1])
        return self._drop_below(start, at)

    def _drop_header_block(self, start: int, end: int) -> int:
        """Drop a block of header fields and the quotation below it.

        Programs that write such a block seldom mark the lines below it, and marked lines may be a
        quotation within the quotation. So marks are believed only if the writer cannot have
        answered above the block.
        """
        above = zip(self.own[:start], self.lines, strict=False)
        if not any(is_own and line.text.strip() for is_own, line in above):
            return self._drop_below(start, end)
        self.own[start:] = [False] * (len(self.own) - start)
        return len(self.own) - 1

    def _drop_below(self, start: int, end: int) -> int:
        """Drop a head and, unless the lines below it are marked, everything below it."""
        stop = end + 1 if self._has_quotes_below(end) else len(self.own)
        self.own[start:stop] = [False] * (stop - start)
        return stop - 1

    # -- what stands above a quotation ---------------------------------------------------------

    def _is_separator(self, at: int) -> bool:
        """Recognize ``-----Messaggio originale-----`` and ``Begin forwarded message:``."""
        text = self.folded[at]
        if text.endswith(":") and text.strip(" :*_") in self.words.get("separators", "with_colon"):
            return True
        bare = text.strip(" >|")
        if len(bare) > _MAX_SEPARATOR or not (bare[:1] and bare[0] in _DASHES):
            return False
        inner = bare.strip(f"{_DASHES} .:")
        is_closed = bare.rstrip(" .:")[-1] in _DASHES
        return any(
            inner.startswith(phrase) and (is_closed or inner == phrase)
            for phrase in self.words.get("separators", "dashed")
        )

    def _is_forward_separator(self, at: int) -> bool:
        phrases = self.words.get("separators", "forwarded")
        return any(phrase in self.folded[at] for phrase in phrases)

    def _find_header_block(self, at: int) -> tuple[int, set[str]]:
        """Return the last line of a block ``Da: ... Inviato: ... A: ... Oggetto: ...`` that begins
        at a line, and the keys of its fields. A field may continue on lines without a label."""
        fields: set[str] = set()
        end, unlabelled = at - 1, 0
        for i in range(at, min(at + _MAX_FIELD_LINES, len(self.lines))):
            field = self._find_field(i)
            if field:
                fields.add(field)
                end, unlabelled = i, 0
            elif not fields or not self.folded[i] or unlabelled == _MAX_UNLABELLED:
                break
            else:
                unlabelled += 1
        return end, fields

    def _find_field(self, at: int) -> str:
        """Return the key of the header field that a line begins with; "" if it is none."""
        match = _LABEL.match(self.folded[at])
        if match is None:
            return ""
        label = match[1].strip()
        for key in self.words.keys("headers"):
            if label in self.words.get("headers", key):
                return key
        return ""

    def _include_rule_above(self, at: int) -> int:
        """Return the line of the rule above a header block; the block's own if there is none."""
        above = at - 1
        while above >= 0 and not self.folded[above] and not self.lines[above].depth:
            above -= 1
        if above >= 0 and len(self.folded[above]) >= 5 and _RULE.fullmatch(self.folded[above]):
            return above
        return at

    # -- attributions --------------------------------------------------------------------------

    def _find_attribution(self, at: int) -> int:
        """Return the first line of an attribution that ends at a line; -1 if none does.

        If no marked line follows, it must name a time or an address, so that a player who only
        tells what another wrote is not cut off. Without a colon it must have both in full.
        """
        if not _FINAL_COLON.search(self.folded[at]):
            return at if self._is_attribution_without_colon(self.folded[at]) else -1
        has_quotes = self._has_quotes_below(at)
        text, first = "", -1
        for start in range(at, max(at - _MAX_ATTRIBUTION_LINES, -1), -1):
            if not self.folded[start] or self.lines[start].depth:
                break
            text = f"{self.folded[start]} {text}".strip()
            if len(text) > _MAX_ATTRIBUTION:
                break
            if not self._is_attribution(text, has_quotes):
                continue
            if self._has_first_word(text):
                return start
            first = start if first < 0 else first
        return first

    def _is_attribution_without_colon(self, text: str) -> bool:
        is_dated = self._final_verb.search(text) and len(_NUMBER.findall(text)) >= 4
        return bool(is_dated) and self._has_first_word(text)

    def _is_attribution(self, text: str, has_quotes: bool) -> bool:
        bare = text.rstrip(" :*>")
        numbers, has_address = len(_NUMBER.findall(text)), "@" in text
        if has_address and numbers >= 4:
            return True  # a time and an address are enough in any language
        if self._has_verb(bare):
            return has_quotes or has_address or numbers >= 2
        return has_quotes and (numbers >= 4 or (has_address and numbers > 0))

    def _has_verb(self, text: str) -> bool:
        if self._final_verb.search(text) or self._inner_verb.search(text):
            return True
        names_last = self.words.get("attribution", "names_last")
        return any(text.startswith(f"{phrase} ") for phrase in names_last)

    def _has_first_word(self, text: str) -> bool:
        first = text.partition(" ")[0].rstrip(",.")
        return first in self.words.get("attribution", "starts")

    # -- lines around --------------------------------------------------------------------------

    def _find_next_text(self, at: int) -> int:
        """Return the next line that is not blank; the number of lines if there is none."""
        return self.next_text_from[at + 1] if at < len(self.lines) else at + 1

    def _has_quotes_below(self, at: int) -> bool:
        below = self._find_next_text(at)
        return below < len(self.lines) and self.lines[below].depth > 0

    def drop_wrapped_ends(self) -> str:
        """Drop the ends of quoted lines that a program wrapped without marking them.

        Such a line stands between two quoted lines, and its first word had no room on the upper
        one. Return the lines that were dropped.
        """
        dropped = []
        for i in range(1, len(self.own) - 1):
            line, before, after = self.lines[i], self.lines[i - 1], self.lines[i + 1]
            if not (self.own[i] and line.text.strip() and before.depth and after.depth):
                continue
            width = len(before.text) + 2 * before.depth
            first_word = line.text.split()[0]
            if width < _WRAP_COLUMNS.stop and width + 1 + len(first_word) in _WRAP_COLUMNS:
                self.own[i] = False
                dropped.append(line.text)
        return " / ".join(dropped)


def _index_next_text(lines: list[Line]) -> list[int]:
    """Return for each line the first one from there that is not blank; else the end."""
    index = [len(lines)] * (len(lines) + 1)
    for at in range(len(lines) - 1, -1, -1):
        index[at] = at if lines[at].text.strip() else index[at + 1]
    return index


def _compile_any(phrases: frozenset[str], pattern: str) -> re.Pattern[str]:
    choices = "|".join(sorted(map(re.escape, phrases), key=len, reverse=True))
    return re.compile(pattern.format(choices or "(?!)"))
