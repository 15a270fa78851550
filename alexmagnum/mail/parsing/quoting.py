"""Which lines of a letter are somebody's earlier mail.

Three nets, each independent of the others: quotation marks and quoted elements, the lines that
programs write above a quotation, and texts that were sent to the writer (:mod:`.repeats`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from alexmagnum.mail.parsing.lines import Line
from alexmagnum.mail.parsing.vocabulary import Vocabulary, plain

_LABEL = re.compile(r"[\W_]*([^\W\d_][^:]{0,24}?)[\s*]*:(?!//)")
_RULE = re.compile(r"[-_*=~#\u2013\u2014\s]{5,}")
_NUMBER = re.compile(r"\d+")
_DASHES = "-_*=\u2013\u2014"
_WRAPPED = range(65, 82)
"""Characters at which programs break lines."""

_LONGEST_ATTRIBUTION = 400
_LONGEST_SEPARATOR = 160
_MOST_LINES = 4


class Quotation(NamedTuple):
    """Which lines are the writer's own; whether any stands below a line that only looks like the
    head of a quotation (``cut``: that line); whether something is forwarded; what was left of
    quoted lines that were broken."""

    own: list[bool]
    cut: str = ""
    forwarded: bool = False
    orphans: str = ""


def unquoted(lines: list[Line], words: Vocabulary, *, broken: bool = True) -> Quotation:
    """Which lines are the writer's own; ``broken``: long ones were broken, as in plain text."""
    reader = _Quotes(lines, words)
    own = [line.depth == 0 for line in lines]
    at = 0
    while at < len(lines):
        if own[at]:
            at = reader.heads(own, at)
        at += 1
    orphans = reader.orphans(own) if broken else ""
    return Quotation(own, reader.cut, reader.forwarded, orphans)


class _Quotes:
    """Finds the lines above quotations, and ends of quoted lines that lost their mark."""

    def __init__(self, lines: list[Line], words: Vocabulary) -> None:
        self.lines = lines
        self.words = words
        self.plain = [plain(line.text) if not line.depth else "" for line in lines]
        self.written_from = _written_from(lines)
        self.cut = ""
        self.forwarded = False
        verbs = words.of("attribution", "verbs_last")
        inside = words.of("attribution", "verbs_inside")
        self._last = _any_of(verbs, r"\b({})\W*$")
        self._inside = _any_of(inside, r"\b({})\b")

    def heads(self, own: list[bool], at: int) -> int:
        """If the head of a quotation begins or ends at a line, mark what is not the writer's.

        The last line that was looked at comes back.
        """
        if self._separates(at):
            self.forwarded |= self._is_forward(at)
            end, _ = self._header_block(self._next(at))
            return self._drop_block(own, at, max(end, at))
        end, labels = self._header_block(at)
        if "from" in labels and ("sent" in labels or len(labels) >= 3):
            return self._drop_block(own, self._ruled(at), end)
        start = self._attribution(at)
        if start < 0:
            return at
        if not self._before_quotes(at) and self._next(at) < len(self.lines):
            self.cut = self.cut or " ".join(line.text for line in self.lines[start : at + 1])
        return self._drop(own, start, at)

    def _drop_block(self, own: list[bool], start: int, end: int) -> int:
        """Drop a block of fields and what it stands above.

        Programs that write one seldom mark the lines below, and what is marked there may be a
        quotation within the quotation.  Marks are believed only where the writer cannot have
        answered above.
        """
        answered = any(
            keep and line.text.strip() for keep, line in zip(own[:start], self.lines, strict=False)
        )
        if not answered:
            return self._drop(own, start, end)
        own[start:] = [False] * (len(own) - start)
        return len(own) - 1

    def _drop(self, own: list[bool], start: int, end: int) -> int:
        """Drop a head and, unless the lines below it are marked, everything below it."""
        stop = end + 1 if self._before_quotes(end) else len(own)
        own[start:stop] = [False] * (stop - start)
        return stop - 1

    # -- what stands above a quotation ---------------------------------------------------------

    def _separates(self, at: int) -> bool:
        """``-----Messaggio originale-----``, or ``Begin forwarded message:``."""
        text = self.plain[at]
        if text.endswith(":") and text.strip(" :*_") in self.words.of("separators", "alone"):
            return True
        bare = text.strip(" >|")
        inner = bare.strip(f"{_DASHES} .:")
        if len(bare) > _LONGEST_SEPARATOR or not (bare[:1] and bare[0] in _DASHES):
            return False
        closed = bare.rstrip(" .:")[-1] in _DASHES
        return any(
            inner.startswith(phrase) and (closed or inner == phrase)
            for phrase in self.words.of("separators", "dashed")
        )

    def _is_forward(self, at: int) -> bool:
        phrases = self.words.of("separators", "forwarded")
        return any(phrase in self.plain[at] for phrase in phrases)

    def _header_block(self, at: int) -> tuple[int, set[str]]:
        """The last line of a block ``Da: ... Inviato: ... A: ... Oggetto: ...`` that begins at a
        line, and which fields it has.  A field may go on for some lines without a label."""
        found: set[str] = set()
        end, gap = at - 1, 0
        for i in range(at, min(at + 24, len(self.lines))):
            label = self._label(i)
            if label:
                found.add(label)
                end, gap = i, 0
            elif not found or not self.plain[i] or gap == 3:
                break
            else:
                gap += 1
        return end, found

    def _label(self, at: int) -> str:
        match = _LABEL.match(self.plain[at])
        if match is None:
            return ""
        spelt = match[1].strip()
        for key in self.words.keys("headers"):
            if spelt in self.words.of("headers", key):
                return key
        return ""

    def _ruled(self, at: int) -> int:
        """Where a block begins with the rule that may stand above it."""
        above = at - 1
        while above >= 0 and not self.plain[above] and not self.lines[above].depth:
            above -= 1
        if above >= 0 and len(self.plain[above]) >= 5 and _RULE.fullmatch(self.plain[above]):
            return above
        return at

    # -- attributions --------------------------------------------------------------------------

    def _attribution(self, at: int) -> int:
        """Where an attribution that ends at a line begins; -1 if none does.

        One that no quoted line follows has to say when or where from, so that what a player
        tells of another's words is none; without a colon, both at length.
        """
        quoted = self._before_quotes(at)
        if not re.search(r":[\s*>]*$", self.plain[at]):
            dated = self._last.search(self.plain[at]) and len(_NUMBER.findall(self.plain[at])) >= 4
            return at if dated and self._starts(self.plain[at]) else -1
        joined, found = "", -1
        for start in range(at, max(at - _MOST_LINES, -1), -1):
            if not self.plain[start] or self.lines[start].depth:
                break
            joined = f"{self.plain[start]} {joined}".strip()
            if len(joined) > _LONGEST_ATTRIBUTION:
                break
            sure = self._is_attribution(joined, quoted)
            if sure and self._starts(joined):
                return start
            if sure and found < 0:
                found = start
        return found

    def _is_attribution(self, text: str, quoted: bool) -> bool:
        bare = text.rstrip(" :*>")
        numbers, address = _NUMBER.findall(text), "@" in text
        if address and len(numbers) >= 4:
            return True  # when, and who: in whatever language
        told = bool(self._last.search(bare) or self._inside.search(bare) or self._named(bare))
        if quoted:
            return told or (address and bool(numbers)) or len(numbers) >= 4
        return told and (address or len(numbers) >= 2)

    def _starts(self, text: str) -> bool:
        first = text.partition(" ")[0].rstrip(",.")
        return first in self.words.of("attribution", "starts")

    def _named(self, text: str) -> bool:
        return any(text.startswith(f"{v} ") for v in self.words.of("attribution", "names_last"))

    # -- lines around --------------------------------------------------------------------------

    def _next(self, at: int) -> int:
        """The next line that is not blank; the end if there is none."""
        return self.written_from[at + 1] if at < len(self.lines) else at + 1

    def _before_quotes(self, at: int) -> bool:
        below = self._next(at)
        return below < len(self.lines) and self.lines[below].depth > 0

    def orphans(self, own: list[bool]) -> str:
        """Drop what a program broke off from a quoted line and left without a mark: what stands
        between two quoted lines of which the upper one had no room for it.  It comes back."""
        found = []
        for i in range(1, len(own) - 1):
            line, before, after = self.lines[i], self.lines[i - 1], self.lines[i + 1]
            if not (own[i] and line.text.strip() and before.depth and after.depth):
                continue
            full = len(before.text) + 2 * before.depth
            if full < _WRAPPED.stop and full + 1 + len(line.text.split()[0]) in _WRAPPED:
                own[i] = False
                found.append(line.text)
        return " / ".join(found)


def _written_from(lines: list[Line]) -> list[int]:
    """For each line the first one from it on that is not blank; the end if there is none."""
    found = [len(lines)] * (len(lines) + 1)
    for at in range(len(lines) - 1, -1, -1):
        found[at] = at if lines[at].text.strip() else found[at + 1]
    return found


def _any_of(phrases: frozenset[str], pattern: str) -> re.Pattern[str]:
    choices = "|".join(sorted(map(re.escape, phrases), key=len, reverse=True))
    return re.compile(pattern.format(choices or "(?!)"))
