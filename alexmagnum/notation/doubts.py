"""Telling orders that their writer doubts, or takes back, from orders that are meant.

Open this file when a question, a condition or a joke is taken for an order, or a correction is not
taken as one.
"""

from __future__ import annotations

from collections.abc import Sequence

from alexmagnum.notation.lexicon import Lexicon, match
from alexmagnum.notation.tokens import Token, tokens

_POLITE = ("polite", "fillers")
"""The groups of phrases that begin like a condition and are none: ``se non ti dispiace``."""


def is_question(sentence: str) -> bool:
    """Return whether a sentence asks something, at its end or before."""
    return "?" in sentence


def is_unmeant(line: Sequence[Token], words: Lexicon) -> bool:
    """Return whether a sentence says that it is a joke, or that nothing is decided."""
    return any(match(words.phrases["unmeant"], line, i)[1] > i for i in range(len(line)))


def is_condition(rest: str, words: Lexicon) -> bool:
    """Return whether what stands behind an order makes it a condition or an alternative.

    ``unless SEL moves`` and ``o SIW`` do; ``se possibile`` and ``ma non A SIW`` do not.
    """
    line, at = tokens(rest), 0
    while at < len(line) and line[at].kind != "word":
        at += 1
    _, end = match(words.phrases["conditions"], line, at)
    if end == at:
        return False
    return all(match(words.phrases[group], line, end - 1)[1] <= end for group in _POLITE)


def skip_correction(line: Sequence[Token], words: Lexicon, start: int = 0) -> int:
    """Return the token behind the words that take back what stands before them.

    ``anzi no``, ``scusate, volevo dire`` and ``no wait`` are such words; without any, the token
    itself is returned.
    """
    at, is_correction = start, False
    while at < len(line):
        _, end = match(words.phrases["corrections"], line, at)
        is_correction = is_correction or end > at
        end = max(end, match(words.phrases["correction_links"], line, at)[1])
        is_sign = at > start and line[at].text in (",", ":", ".", "!")
        if end == at and not is_sign:
            break
        at = max(end, at + 1)
    return at if is_correction else start
