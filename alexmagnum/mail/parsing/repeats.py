"""Which lines of a letter repeat, word for word, what was sent to its writer.

This is the net that needs no mark: a program that quotes without any, or a writer who answers
between the lines of an unmarked quotation, cannot make an old order count.

What stands in quotation marks in what was sent are the player's own words: he may use them again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from alexmagnum.mail.parsing.lines import Line
from alexmagnum.notation.tokens import tokens

_GRAM = 5
"""Words in a row that have to agree before a repetition is looked at."""

_PROSE = 7
"""Words that are no part of canonical orders which a repetition needs: orders alone may be sent
again on purpose, with their list copied from a receipt."""

_MOST_PLACES = 40
_LONG = 200
"""Characters of a line that is not kept for the next letter."""

_MARKS = re.compile(r"([“«”»])")
_CANONICAL = re.compile(r"[AFGHSC]|[A-Z]{3}|\d|Build|Remove|Disband|Pick|Waive|via|convoy")


class _Run(NamedTuple):
    """A stretch of words of the letter that is found in something that was sent, from ``at`` on."""

    start: int
    end: int
    at: int


class _Words(NamedTuple):
    """The folded words of some lines, and of each word its line and whether it can be part of
    an order in canonical form."""

    words: tuple[str, ...]
    lines: tuple[int, ...]
    canonical: tuple[bool, ...]


class _Source(NamedTuple):
    """Something that was sent: its words, of each whether it stands in quotation marks, where
    each few of them in a row stand, its lines."""

    words: tuple[str, ...]
    cited: tuple[bool, ...]
    places: Mapping[tuple[str, ...], Sequence[int]]
    whole: frozenset[tuple[str, ...]]


def repeated(lines: Sequence[Line], own: Sequence[bool], sent: Sequence[str]) -> list[bool]:
    """Which of the writer's own lines belong to a block that repeats something sent."""
    gone = [False] * len(lines)
    texts = [line.text if keep else "" for line, keep in zip(lines, own, strict=True)]
    letter = _words(texts)
    for text in sent if letter.words else ():
        source = _source(text)
        runs = [run for run in _runs(letter.words, source) if not _is_cited(run, source)]
        if not any(_prose(letter, run, source) >= _PROSE for run in runs):
            continue
        covered = [False] * len(letter.words)
        for run in runs:
            covered[run.start : run.end] = [True] * (run.end - run.start)
        _mark(gone, letter, covered, source.whole)
    return gone


def _mark(
    gone: list[bool], letter: _Words, covered: Sequence[bool], known: frozenset[tuple[str, ...]]
) -> None:
    """Mark the lines that are wholly covered, or that are by themselves a line that was sent and
    more than an order; and orders that stand just below such a line."""
    spans: dict[int, list[int]] = {}
    for i, line in enumerate(letter.lines):
        spans.setdefault(line, []).append(i)
    above = False
    for line, span in spans.items():
        said = tuple(letter.words[i] for i in span)
        whole = all(covered[i] for i in span)
        order = all(letter.canonical[i] for i in span)
        above = (whole and (not order or above)) or (said in known and (not order or above))
        gone[line] |= above


def spelt(text: str) -> tuple[str, ...]:
    """The folded words and numbers of a line, by which it is compared."""
    return tuple(word for word, _ in _line_words(text))


def _line_words(text: str) -> Sequence[tuple[str, bool]]:
    """The folded words and numbers of a line, each with whether it can be part of an order in
    canonical form."""
    return _kept_words(text) if len(text) < _LONG else _found_words(text)


@lru_cache(maxsize=10_000)
def _kept_words(text: str) -> Sequence[tuple[str, bool]]:
    """The same; what was sent, and is quoted, is the same lines over and over."""
    return _found_words(text)


def _found_words(text: str) -> Sequence[tuple[str, bool]]:
    return tuple(
        (token.text, bool(_CANONICAL.fullmatch(text[token.start : token.end])))
        for token in tokens(text)
        if token.kind in ("word", "number")
    )


def _words(texts: Sequence[str]) -> _Words:
    found = [
        (word, i, canonical)
        for i, text in enumerate(texts)
        if text
        for word, canonical in _line_words(text)
    ]
    if not found:
        return _Words((), (), ())
    words, lines, canonical = zip(*found, strict=True)
    return _Words(words, lines, canonical)


@lru_cache(maxsize=256)
def _source(text: str) -> _Source:
    """A text that was sent, made ready once: many letters are compared with it."""
    found = _words(text.split("\n"))
    places: dict[tuple[str, ...], list[int]] = {}
    for i in range(len(found.words) - _GRAM + 1):
        starts = places.setdefault(found.words[i : i + _GRAM], [])
        if len(starts) < _MOST_PLACES:
            starts.append(i)
    lines: dict[int, list[str]] = {}
    for word, at in zip(found.words, found.lines, strict=True):
        lines.setdefault(at, []).append(word)
    cited = tuple(_cited(text))
    return _Source(found.words, cited, places, frozenset(map(tuple, lines.values())))


def _cited(text: str) -> Iterator[bool]:
    """Of each word whether it stands in quotation marks; an empty line ends them."""
    inside = False
    for line in text.split("\n"):
        inside = inside and bool(line.strip())
        for piece in _MARKS.split(line):
            if _MARKS.fullmatch(piece):
                inside = piece in "“«"
            else:
                yield from [inside] * len(_line_words(piece))


def _runs(letter: Sequence[str], source: _Source) -> list[_Run]:
    """The longest stretches of the letter that stand in the source, from left to right."""
    runs, at = [], 0
    while at <= len(letter) - _GRAM:
        starts = source.places.get(tuple(letter[at : at + _GRAM]), ())
        found = ((_common(letter, at, source.words, i), i) for i in starts)
        length, start = max(found, default=(0, 0))
        if length:
            runs.append(_Run(at, at + length, start))
        at += length or 1
    return runs


def _common(one: Sequence[str], at: int, other: Sequence[str], start: int) -> int:
    """How many words agree from there on."""
    length = 0
    while (
        at + length < len(one)
        and start + length < len(other)
        and one[at + length] == other[start + length]
    ):
        length += 1
    return length


def _is_cited(run: _Run, source: _Source) -> bool:
    return all(source.cited[run.at : run.at + run.end - run.start])


def _prose(letter: _Words, run: _Run, source: _Source) -> int:
    """The words of a run that are neither part of canonical orders nor the player's own."""
    behind = run.at - run.start
    return sum(
        not (letter.canonical[i] or source.cited[i + behind]) for i in range(run.start, run.end)
    )
