"""Finding the province that a text names: by id, name, alias or prefix, or nearly so.

A name that is spelt right always wins, so that a misspelling can never turn one valid province
into another.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.errors import Ambiguous, Unreadable
from alexmagnum.notation.lexicon import Lexicon, lexicon
from alexmagnum.notation.text import DASH, Token, tokens, words

_LONGEST = 7
_PREFIX = 4


class Found(NamedTuple):
    """A province, the token behind its name, and the spelling it was guessed from, if it was."""

    province: str
    end: int
    guessed_from: str = ""


class Places:
    """The names of a board's provinces in all its languages."""

    def __init__(self, board: Board, vocabulary: Lexicon) -> None:
        self.board = board
        self.skip = {phrase[0] for phrase in vocabulary.phrases["articles"] if len(phrase) == 1}
        self.names: dict[tuple[str, ...], str] = {}
        for province in board.provinces.values():
            for name in (*province.aliases, *province.names.values(), province.id):
                spelt = words(name)
                self.names[spelt] = province.id
                self.names.setdefault(self._bare(spelt), province.id)
        self.names.pop((), None)

    def _bare(self, spelt: Iterable[str]) -> tuple[str, ...]:
        return tuple(word for word in spelt if word not in self.skip)

    def exact(self, line: tuple[Token, ...], at: int) -> Found | None:
        """The longest name that stands at a token; articles before it are passed over."""
        while at < len(line):
            spans = self._spans(line, at)
            for spelt, end in spans:
                province = self.names.get(spelt)
                if not province and spelt[-1] not in self.skip:
                    province = self.names.get(self._bare(spelt))
                if province:
                    return Found(province, end)
            if line[at].text not in self.skip:
                return None
            at += 1
        return None

    def find(self, line: tuple[Token, ...], at: int, source: str) -> Found:
        """The province named at a token: exactly, by a prefix, or by the clearly nearest name.

        Raises:
            Ambiguous: several provinces fit equally well.
            Unreadable: none does.
        """
        found = self.exact(line, at)
        if found:
            return found
        while at < len(line) - 1 and line[at].text in self.skip and line[at + 1].kind == "word":
            at += 1
        spans = self._spans(line, at)
        if not spans:
            fragment = source[line[at].start :] if at < len(line) else source
            raise Unreadable("place-missing", fragment.strip() or source.strip())
        found = self._by_prefix(spans, line, at, source) or self._nearest(spans, line, at, source)
        if found:
            return found
        fragment = _fragment(source, line, at, at + 1)
        raise Unreadable("unknown-place", fragment, self.suggestions(fragment))

    def suggestions(self, text: str) -> tuple[str, ...]:
        """Up to three provinces with a name like this."""
        labels = {" ".join(spelt): province for spelt, province in self.names.items()}
        close = get_close_matches(" ".join(words(text)), labels, 6, 0.6)
        provinces = dict.fromkeys(labels[name] for name in close)
        return tuple(self.label(province) for province in provinces)[:3]

    def label(self, province: str) -> str:
        """A province as a suggestion: its id and first name."""
        return f"{province} ({next(iter(self.board.provinces[province].names.values()))})"

    def _spans(self, line: tuple[Token, ...], at: int) -> list[tuple[tuple[str, ...], int]]:
        """Runs of words from a token on, the longest first; a dash or dot inside is passed over.

        A run goes past a dash only without blanks around it (``Coele-Syria``).
        """
        spans: list[tuple[tuple[str, ...], int]] = []
        spelt: tuple[str, ...] = ()
        while at < len(line) and len(spelt) < _LONGEST:
            token = line[at]
            if token.kind == "word":
                spelt = (*spelt, token.text)
                spans.append((spelt, at + 1))
            elif not spelt or not (token.text == "." or _joins(line, at)):
                break
            at += 1
        return spans[::-1]

    def _by_prefix(
        self,
        spans: list[tuple[tuple[str, ...], int]],
        line: tuple[Token, ...],
        at: int,
        source: str,
    ) -> Found | None:
        for spelt, end in spans:
            dotted = [i for i in range(at, min(end + 1, len(line))) if line[i].text == "."]
            if max(map(len, spelt)) < _PREFIX and not dotted:
                continue
            bare = self._bare(spelt) or spelt
            fits = {
                province
                for name, province in self.names.items()
                if _starts(name, bare, 1 if dotted else _PREFIX)
            }
            if len(fits) == 1:
                return Found(fits.pop(), end)
            if fits:
                labels = tuple(self.label(province) for province in sorted(fits))
                fragment = _fragment(source, line, at, end)
                raise Ambiguous("several-places", fragment, labels, choices=", ".join(labels))
        return None

    def _nearest(
        self,
        spans: list[tuple[tuple[str, ...], int]],
        line: tuple[Token, ...],
        at: int,
        source: str,
    ) -> Found | None:
        """The one name clearly nearest to what was written, if any is near at all."""
        best: list[tuple[int, int, str, int]] = []
        for spelt, end in spans:
            text = " ".join(self._bare(spelt) or spelt)
            allowed = _allowed(len(text))
            for name, province in self.names.items():
                off = distance(text, " ".join(name), allowed)
                if off <= allowed:
                    best.append((off, -len(text), province, end))
        if not best:
            return None
        best.sort()
        off, _, province, end = best[0]
        rivals = {other for o, _, other, _ in best if o <= off and other != province}
        fragment = _fragment(source, line, at, end)
        if rivals:
            labels = tuple(self.label(other) for other in (province, *sorted(rivals)))
            raise Ambiguous("several-places", fragment, labels, choices=", ".join(labels))
        return Found(province, end, fragment)


@lru_cache(maxsize=8)
def places(board: Board, vocabulary: Lexicon) -> Places:
    """The places of a board, made once; boards and lexicons never change."""
    return Places(board, vocabulary)


def find_province(text: str, board: Board) -> str:
    """The id of the province that a text names, misspelt or not.

    Raises:
        Ambiguous, Unreadable: it names several, or none.
    """
    return places(board, lexicon()).find(tokens(text), 0, text).province


def _joins(line: tuple[Token, ...], at: int) -> bool:
    """Is this a dash inside a hyphenated name?"""
    return (
        line[at].text == DASH
        and 0 < at < len(line) - 1
        and line[at - 1].end == line[at].start
        and line[at].end == line[at + 1].start
    )


def _starts(name: tuple[str, ...], spelt: tuple[str, ...], least: int) -> bool:
    """Is each word spelt the beginning of the name's, no shorter than ``least``?"""
    return len(spelt) <= len(name) and all(
        whole == part or (len(part) >= least and whole.startswith(part))
        for whole, part in zip(name, spelt, strict=False)
    )


def _allowed(length: int) -> int:
    """How many slips a word of a length may have and still be read."""
    if length < 4:
        return 0
    return 1 if length < 6 else 2 if length < 12 else 3


def distance(a: str, b: str, most: int) -> int:
    """Letters to change, add, drop or swap with the next to get from one to the other.

    Anything above ``most`` comes out as ``most + 1``.

    >>> distance("allessandria", "alessandria", 2), distance("mefni", "menfi", 2)
    (1, 1)
    """
    if abs(len(a) - len(b)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row, before = before, [i], row
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most and min(before) > most:  # a swap looks two rows back
            return most + 1
    return row[-1]


def _fragment(source: str, line: tuple[Token, ...], start: int, end: int) -> str:
    return source[line[start].start : line[end - 1].end]
