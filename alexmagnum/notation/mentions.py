"""Sentences that name a unit or a place without being orders, and what they name.

Open this file when a sentence that was meant as an order is passed over in silence, or when a
greeting is quoted as if it had been meant as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.notation.doubts import skip_correction
from alexmagnum.notation.lexicon import lexicon, match
from alexmagnum.notation.map_names import map_names
from alexmagnum.notation.province_names import Match, province_names
from alexmagnum.notation.tokens import Token, tokens

_LONGEST = 600
"""The most characters of a sentence that are looked at."""

_SENTENCE_END = re.compile(
    r"(?<=[.!?…])(?<!\b[^\W\d_]\.)(?<!\b[^\W\d_]{2}\.)\s+(?=[^\W\d_a-zà-ÿ]|[«\"“(])"
)
"""Between two sentences: not behind a short word with a dot, as in ``v. Tri``."""

_SHORTEST_UNIT_WORD = 4
"""Letters of a word for a unit that says by itself that a sentence is about units."""

_SHORTEST_GUESS = 5
"""Letters of a word that is read as the beginning of a name or as a misspelt name."""


_EVERYDAY_WORDS = frozenset({
    "aria", "avanti", "black", "both", "channel", "dura", "fasi", "foci", "irish", "leone",
    "manica", "media", "nero", "north", "port", "pura", "rage", "rosso", "tiro",
})  # fmt: skip
"""Names of provinces that are words as well: they have to begin with a capital."""


class Named(NamedTuple):
    """A place that a sentence names: its province, and the kind of unit named with it or ""."""

    province: str
    kind: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence that names units or places: its text, the places, and the verbs in it.

    ``verbs`` are keys of the section ``[stems]`` of the word tables, such as ``build``.
    """

    text: str
    places: tuple[Named, ...]
    verbs: frozenset[str]


def split_sentences(paragraph: str) -> Iterator[str]:
    """Return the sentences of a paragraph, on one line each.

    >>> list(split_sentences("Ciao! Scelgo Babilonia. Bruno"))
    ['Ciao!', 'Scelgo Babilonia.', 'Bruno']
    """
    for sentence in _SENTENCE_END.split(" ".join(paragraph.split())):
        if sentence.strip():
            yield sentence.strip()


def find_mention(sentence: str, board: Board) -> Mention | None:
    """Return what a sentence names; None if it names no unit and no place, and corrects nothing."""
    source = sentence[:_LONGEST]
    line = tokens(source)
    verbs = frozenset(_find_verbs(line))
    kinds = dict(_find_unit_words(line, source))
    found = list(_find_places(line, source, board))
    if not found and (verbs or kinds):
        found = list(_guess_places(line, source, board))
    if found:
        return Mention(sentence, _add_kinds(found, kinds), verbs)
    says_unit = any(len(line[at].text) >= _SHORTEST_UNIT_WORD for at in kinds)
    is_general = set(kinds.values()) == {"G"} and not verbs  # "in general"
    says_something = (says_unit and not is_general) or skip_correction(line, lexicon()) > 0
    return Mention(sentence, (), verbs) if says_something else None


def _find_verbs(line: tuple[Token, ...]) -> Iterator[str]:
    """Yield the meanings of the verbs in a line, in any form."""
    stems = lexicon().stems
    for token in line:
        for stem, meaning in stems.items():
            if token.text.startswith(stem):
                yield meaning


def _find_unit_words(line: tuple[Token, ...], source: str) -> Iterator[tuple[int, str]]:
    """Yield the words for units by the number of their token; a letter has to be a capital."""
    units = lexicon().units
    for at, token in enumerate(line):
        kind, end = match(units, line, at)
        is_capital = source[token.start : token.end].isupper()
        begins_sentence = at == 0 or line[at - 1].text in (".", ":")
        is_article = begins_sentence and lexicon().is_in("articles", token.text)
        if end > at and (len(token.text) > 2 or (is_capital and not is_article)):
            yield at, kind


def _find_places(line: tuple[Token, ...], source: str, board: Board) -> Iterator[tuple[int, str]]:
    """Yield the provinces that a line names by their whole name, with the number of the token.

    An id has to be in capitals, since many are words as well (``per``, ``con``).
    """
    names = province_names(board, lexicon())
    at = 0
    while at < len(line):
        found = names.match(line, at) if line[at].kind == "word" else None
        if found and _is_written_as_name(line, at, found, source):
            yield at, found.province
            at = found.end
        else:
            at += 1


def _is_written_as_name(line: tuple[Token, ...], at: int, found: Match, source: str) -> bool:
    """Return whether a name is long enough to be one, or in capitals like an id."""
    written = source[line[at].start : line[found.end - 1].end]
    if written.islower() and written in _EVERYDAY_WORDS:
        return False
    return len(written) > 3 or written.isupper()


def _guess_places(line: tuple[Token, ...], source: str, board: Board) -> Iterator[tuple[int, str]]:
    """Yield the provinces whose names words with a capital letter begin or are near to."""
    names, powers = province_names(board, lexicon()), map_names(board, lexicon())
    for at, token in enumerate(line):
        is_capital = source[token.start : token.start + 1].isupper()
        is_known = powers.power(token.text) or match(lexicon().units, line, at)[1] > at
        if len(token.text) < _SHORTEST_GUESS or not is_capital or is_known or _is_verb(token):
            continue
        found = names.guess(line, at)
        if found:
            yield at, found


def _is_verb(token: Token) -> bool:
    """Return whether a word is a verb of the notation in some form."""
    return any(token.text.startswith(stem) for stem in lexicon().stems)


def _add_kinds(found: list[tuple[int, str]], kinds: dict[int, str]) -> tuple[Named, ...]:
    """Give each place the kind of unit that is named before it, or behind where none is before."""
    named = []
    for at, province in found:
        before = [word for word in kinds if word < at]
        behind = [word for word in kinds if word > at]
        word = before[-1] if before else behind[0] if behind else None
        named.append(Named(province, "" if word is None else kinds[word]))
    return tuple(named)
