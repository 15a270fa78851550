"""Detection of lines that repeat, word for word, what was sent to the writer.

This net needs no marks: even if a mail program quotes without them, or writers answer between the
lines of an unmarked quotation, an old order does not count.

Text that stood in quotation marks in a sent mail is the player's own. They may use it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from alexmagnum.mail.parsing.quoted_lines import Line
from alexmagnum.notation.tokens import tokens

_GRAM = 5
"""Words in a row that have to agree before a repetition is looked at."""

_MIN_PROSE = 7
"""Words of prose that a repetition needs. Orders alone may be sent again on purpose, copied from a
receipt."""

_MAX_PLACES = 40
_MAX_CACHED_LINE = 200
"""Characters of a line whose words are cached; longer lines seldom come again."""

_QUOTATION_MARKS = re.compile(r"([“«”»])")
_CANONICAL = re.compile(r"[AFGHSC]|[A-Z]{3}|\d|Build|Remove|Disband|Pick|Waive|via|convoy")


class _Run(NamedTuple):
    """A stretch of words of the letter, and where in the sent text it begins."""

    start: int
    end: int
    start_in_sent: int


class _Words(NamedTuple):
    """The folded words of some lines: of each its line, and whether it may be part of an order in
    canonical form."""

    words: tuple[str, ...]
    lines: tuple[int, ...]
    canonical: tuple[bool, ...]


class _SentText(NamedTuple):
    """A text that was sent: its words, whether each stands in quotation marks, the places of each
    ``_GRAM`` words in a row, and its lines."""

    words: tuple[str, ...]
    cited: tuple[bool, ...]
    places: Mapping[tuple[str, ...], Sequence[int]]
    lines: frozenset[tuple[str, ...]]


def find_repeated_lines(
    lines: Sequence[Line], own: Sequence[bool], sent: Sequence[str]
) -> list[bool]:
    """Tell for each line whether it is the writer's own and repeats one of the sent texts."""
    repeated = [False] * len(lines)
    letter = _split_words(
        [line.text if keep else "" for line, keep in zip(lines, own, strict=True)]
    )
    for text in sent if letter.words else ():
        source = _prepare(text)
        runs = [run for run in _find_runs(letter.words, source) if not _is_cited(run, source)]
        if not any(_count_prose(letter, run, source) >= _MIN_PROSE for run in runs):
            continue
        covered = [False] * len(letter.words)
        for run in runs:
            covered[run.start : run.end] = [True] * (run.end - run.start)
        for line in _choose_lines(letter, covered, source.lines):
            repeated[line] = True
    return repeated


def _choose_lines(
    letter: _Words, covered: Sequence[bool], sent_lines: frozenset[tuple[str, ...]]
) -> Iterator[int]:
    """Yield the lines to remove.

    These are lines that runs cover wholly, or that equal a line that was sent. A line with only an
    order is removed only just below another removed line.
    """
    spans: dict[int, list[int]] = {}
    for i, line in enumerate(letter.lines):
        spans.setdefault(line, []).append(i)
    is_above_removed = False
    for line, span in spans.items():
        is_repeated = all(covered[i] for i in span) or (
            tuple(letter.words[i] for i in span) in sent_lines
        )
        is_order = all(letter.canonical[i] for i in span)
        is_above_removed = is_repeated and (not is_order or is_above_removed)
        if is_above_removed:
            yield line


def fold_words(text: str) -> tuple[str, ...]:
    """Return the folded words and numbers of a line, for comparison with another."""
    return tuple(word for word, _ in _split_line(text))


def _split_line(text: str) -> Sequence[tuple[str, bool]]:
    """Return the folded words and numbers of a line, each with whether it may be part of an order
    in canonical form."""
    return _split_cached(text) if len(text) < _MAX_CACHED_LINE else _split_uncached(text)


@lru_cache(maxsize=10_000)
def _split_cached(text: str) -> Sequence[tuple[str, bool]]:
    """Split a line into words, with a cache, since quotations repeat the same lines."""
    return _split_uncached(text)


def _split_uncached(text: str) -> Sequence[tuple[str, bool]]:
    return tuple(
        (token.text, bool(_CANONICAL.fullmatch(text[token.start : token.end])))
        for token in tokens(text)
        if token.kind in ("word", "number")
    )


def _split_words(texts: Sequence[str]) -> _Words:
    found = [
        (word, i, canonical)
        for i, text in enumerate(texts)
        if text
        for word, canonical in _split_line(text)
    ]
    if not found:
        return _Words((), (), ())
    words, lines, canonical = zip(*found, strict=True)
    return _Words(words, lines, canonical)


@lru_cache(maxsize=256)
def _prepare(text: str) -> _SentText:
    """Prepare a sent text once, because many letters are compared with it."""
    found = _split_words(text.split("\n"))
    places: dict[tuple[str, ...], list[int]] = {}
    for i in range(len(found.words) - _GRAM + 1):
        starts = places.setdefault(found.words[i : i + _GRAM], [])
        if len(starts) < _MAX_PLACES:
            starts.append(i)
    lines: dict[int, list[str]] = {}
    for word, at in zip(found.words, found.lines, strict=True):
        lines.setdefault(at, []).append(word)
    cited = tuple(_find_cited_words(text))
    return _SentText(found.words, cited, places, frozenset(map(tuple, lines.values())))


def _find_cited_words(text: str) -> Iterator[bool]:
    """Tell for each word whether it stands in quotation marks; a blank line ends them."""
    is_inside = False
    for line in text.split("\n"):
        is_inside = is_inside and bool(line.strip())
        for piece in _QUOTATION_MARKS.split(line):
            if _QUOTATION_MARKS.fullmatch(piece):
                is_inside = piece in "“«"
            else:
                yield from [is_inside] * len(_split_line(piece))


def _find_runs(letter: Sequence[str], source: _SentText) -> list[_Run]:
    """Return the longest stretches of the letter that stand in the sent text, left to right."""
    runs, at = [], 0
    while at <= len(letter) - _GRAM:
        starts = source.places.get(tuple(letter[at : at + _GRAM]), ())
        found = ((_count_common(letter, at, source.words, start), start) for start in starts)
        length, start = max(found, default=(0, 0))
        if length:
            runs.append(_Run(at, at + length, start))
        at += length or 1
    return runs


def _count_common(one: Sequence[str], at: int, other: Sequence[str], start: int) -> int:
    """Return how many words of both agree from two places on."""
    length = 0
    while (
        at + length < len(one)
        and start + length < len(other)
        and one[at + length] == other[start + length]
    ):
        length += 1
    return length


def _is_cited(run: _Run, source: _SentText) -> bool:
    return all(source.cited[run.start_in_sent : run.start_in_sent + run.end - run.start])


def _count_prose(letter: _Words, run: _Run, source: _SentText) -> int:
    """Count the words of a run that are neither part of orders nor the player's own."""
    offset = run.start_in_sent - run.start
    return sum(
        not (letter.canonical[i] or source.cited[i + offset]) for i in range(run.start, run.end)
    )
