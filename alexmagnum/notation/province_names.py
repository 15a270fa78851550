"""Finding the province that a text names: by id, name, alias or prefix, or nearly so.

A name that is spelt right always wins, so that a misspelling can never turn one valid province
into another.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.errors import Ambiguous, Unreadable
from alexmagnum.notation.lexicon import Lexicon, lexicon
from alexmagnum.notation.spelling import Spellings
from alexmagnum.notation.tokens import DASH, Token, tokens, words

_LONGEST = 7
_PREFIX = 4

Line = tuple[Token, ...]
Span = tuple[tuple[str, ...], int]
"""The folded words of a run of tokens, and the token behind it."""


class Found(NamedTuple):
    """A province, the token behind its name, and the spelling it was guessed from, if it was."""

    province: str
    end: int
    guessed_from: str = ""


class ProvinceNames:
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
        self._by_letter: dict[str, list[tuple[str, ...]]] = {}
        for spelt in self.names:
            self._by_letter.setdefault(spelt[0][0], []).append(spelt)
        self._texts = {" ".join(spelt): province for spelt, province in self.names.items()}
        self._spellings = Spellings(self._texts)

    def _bare(self, spelt: Iterable[str]) -> tuple[str, ...]:
        return tuple(word for word in spelt if word not in self.skip)

    def exact(self, line: Line, at: int) -> Found | None:
        """The longest name that stands at a token; articles before it are passed over."""
        found = self.here(line, at)
        while not found and at < len(line) and line[at].text in self.skip:
            at += 1
            found = self.here(line, at)
        return found

    def here(self, line: Line, at: int) -> Found | None:
        """The longest name that begins with just this token."""
        for spelt, end in self._spans(line, at):
            province = self.names.get(spelt)
            if not province and spelt[0] not in self.skip and spelt[-1] not in self.skip:
                province = self.names.get(self._bare(spelt))
            if province:
                return Found(province, end)
        return None

    def find(self, line: Line, at: int, source: str) -> Found:
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
            before = source[: line[at - 1].end] if at else source
            raise Unreadable("place-missing", before.strip())
        fits, end = self._by_prefix(spans, line, at)
        guessed = len(fits) != 1
        if guessed:
            near, end_near = self._nearest(spans)
            fits, end = (near, end_near) if near else (fits, end)
        fragment = _fragment(source, line, at, end)
        if not fits:
            raise Unreadable("unknown-place", fragment, self.suggestions(fragment))
        if len(fits) > 1:
            labels = tuple(self.label(province) for province in fits)
            raise Ambiguous("several-places", fragment, labels, choices=", ".join(labels))
        return Found(fits[0], end, fragment if guessed else "")

    def nearly(self, line: Line, at: int) -> bool:
        """Does a token begin a name, or something near one?"""
        spans = self._spans(line, at)
        return bool(spans and (self._by_prefix(spans, line, at)[0] or self._nearest(spans)[0]))

    def suggestions(self, text: str) -> tuple[str, ...]:
        """Up to three provinces with a name that begins so, or is like this."""
        spelt = " ".join(words(text))
        begin = sorted(name for name in self._texts if spelt and name.startswith(spelt))
        provinces = dict.fromkeys(self._texts[n] for n in (*begin, *self._spellings.alike(spelt)))
        return tuple(self.label(province) for province in provinces)[:3]

    def label(self, province: str) -> str:
        """A province as a suggestion: its id and first name."""
        return f"{province} ({next(iter(self.board.provinces[province].names.values()))})"

    def _spans(self, line: Line, at: int) -> list[Span]:
        """Runs of words from a token on, the longest first; a dash or dot inside is passed over.

        A run goes past a dash only without blanks around it (``Coele-Syria``).
        """
        spans: list[Span] = []
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

    def _by_prefix(self, spans: list[Span], line: Line, at: int) -> tuple[list[str], int]:
        """The provinces with a name that the longest fitting run begins, and its end.

        Below four letters a dot has to show that something was left out (``Pug.``).
        """
        for spelt, end in spans:
            dotted = any(token.text == "." for token in line[at : end + 1])
            if max(map(len, spelt)) < _PREFIX and not dotted:
                continue
            bare = self._bare(spelt) or spelt
            least = 1 if dotted else _PREFIX
            same_letter = self._by_letter.get(bare[0][0], ())
            fits = [name for name in same_letter if _starts(name, bare, least)]
            # "Aless" is Alessandria before it is Alessandria d'Aria.
            fits = [name for name in fits if len(name) == len(bare)] or fits
            if fits:
                return sorted({self.names[name] for name in fits}), end
        return [], spans[-1][1]

    def _nearest(self, spans: list[Span]) -> tuple[list[str], int]:
        """The provinces whose names are nearest to what was written, if any is near at all."""
        near = [
            (off, -len(spelt), self._texts[name], end)
            for spelt, end in spans
            for off, name in self._spellings.near(" ".join(self._bare(spelt) or spelt))
        ]
        if not near:
            return [], 0
        least, _, _, end = min(near)
        return sorted({province for off, _, province, _ in near if off == least}), end


@lru_cache(maxsize=8)
def province_names(board: Board, vocabulary: Lexicon) -> ProvinceNames:
    """The names of a board's provinces, made once; boards and lexicons never change."""
    return ProvinceNames(board, vocabulary)


def find_province(text: str, board: Board) -> str:
    """The id of the province that a text names, misspelt or not.

    Raises:
        Ambiguous, Unreadable: it names several, or none.
    """
    return province_names(board, lexicon()).find(tokens(text), 0, text).province


def _joins(line: Line, at: int) -> bool:
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


def _fragment(source: str, line: Line, start: int, end: int) -> str:
    return source[line[start].start : line[end - 1].end]
