"""Finding the province that a text names: by id, name, alias or beginning, or by a near spelling.

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

_MOST_WORDS = 7
"""The most words of a line that are tried as one name."""

_SHORTEST_PREFIX = 4
"""Letters below which the beginning of a name needs a dot behind it."""

Words = tuple[str, ...]
Line = tuple[Token, ...]
Span = tuple[Words, int]
"""The folded words of a run of tokens, and the number of the token behind it."""


class Match(NamedTuple):
    """A province found in a line, and the number of the token behind its name.

    ``guessed_from`` is the misspelt name; "" if it is spelt right.
    """

    province: str
    end: int
    guessed_from: str = ""


class ProvinceNames:
    """The names of a board's provinces in all its languages."""

    def __init__(self, board: Board, vocabulary: Lexicon) -> None:
        self.board = board
        self.articles = {phrase[0] for phrase in vocabulary.phrases["articles"] if len(phrase) == 1}
        self.names: dict[Words, str] = {}
        for province in board.provinces.values():
            for name in (*province.aliases, *province.names.values(), province.id):
                spelt = words(name)
                self.names[spelt] = province.id
                self.names.setdefault(self._without_articles(spelt), province.id)
        self.names.pop((), None)
        self._by_letter: dict[str, list[Words]] = {}
        for spelt in self.names:
            self._by_letter.setdefault(spelt[0][0], []).append(spelt)
        self._texts = {" ".join(spelt): province for spelt, province in self.names.items()}
        self._spellings = Spellings(self._texts)

    def _without_articles(self, spelt: Iterable[str]) -> Words:
        return tuple(word for word in spelt if word not in self.articles)

    def match(self, line: Line, at: int) -> Match | None:
        """Return the longest name, spelt right, that begins with the token at a number."""
        for spelt, end in _spans(line, at):
            province = self.names.get(spelt)
            if not province and spelt[0] not in self.articles and spelt[-1] not in self.articles:
                province = self.names.get(self._without_articles(spelt))
            if province:
                return Match(province, end)
        return None

    def find_exact(self, line: Line, at: int) -> Match | None:
        """Return the longest name, spelt right, at a token or behind the articles there."""
        found = self.match(line, at)
        while not found and at < len(line) and line[at].text in self.articles:
            at += 1
            found = self.match(line, at)
        return found

    def find(self, line: Line, at: int, source: str) -> Match:
        """Find the province named at a token: exactly, by a beginning, or by the nearest name.

        Raises:
            Ambiguous: several provinces fit equally well.
            Unreadable: none fits.
        """
        found = self.find_exact(line, at)
        if found:
            return found
        while at < len(line) - 1 and line[at].text in self.articles and line[at + 1].kind == "word":
            at += 1
        spans = _spans(line, at)
        if not spans:
            before = source[: line[at - 1].end] if at else source
            raise Unreadable("place-missing", before.strip())
        fits, end = self._find_by_prefix(spans, line, at)
        is_guess = len(fits) != 1
        if is_guess:
            near, near_end = self._find_nearest(spans)
            fits, end = (near, near_end) if near else (fits, end)
        fragment = source[line[at].start : line[end - 1].end]
        if len(fits) != 1:
            raise self._refusal(fits, fragment)
        return Match(fits[0], end, fragment if is_guess else "")

    def _refusal(self, fits: list[str], fragment: str) -> Ambiguous | Unreadable:
        """Return the refusal of a name that fits several provinces or none."""
        if not fits:
            return Unreadable("unknown-place", fragment, self.suggestions(fragment))
        labels = tuple(self.label(province) for province in fits)
        return Ambiguous("several-places", fragment, labels, choices=", ".join(labels))

    def is_like_name(self, line: Line, at: int) -> bool:
        """Return whether a token begins a name or something near one."""
        spans = _spans(line, at)
        return bool(
            spans and (self._find_by_prefix(spans, line, at)[0] or self._find_nearest(spans)[0])
        )

    def guess(self, line: Line, at: int) -> str:
        """Return the one province whose name a token begins or is near to; "" if there is none."""
        spans = _spans(line, at)
        fits = self._find_by_prefix(spans, line, at)[0] or self._find_nearest(spans)[0]
        return fits[0] if len(fits) == 1 else ""

    def suggestions(self, text: str) -> tuple[str, ...]:
        """Return up to three provinces with a name that begins with a text or is like it."""
        spelt = " ".join(words(text))
        begin = sorted(name for name in self._texts if spelt and name.startswith(spelt))
        provinces = dict.fromkeys(self._texts[n] for n in (*begin, *self._spellings.alike(spelt)))
        return tuple(self.label(province) for province in provinces)[:3]

    def label(self, province: str) -> str:
        """Return a province as a suggestion shows it: its id and first name."""
        return f"{province} ({next(iter(self.board.provinces[province].names.values()))})"

    def _find_by_prefix(self, spans: list[Span], line: Line, at: int) -> tuple[list[str], int]:
        """Return the provinces with a name that the longest fitting run begins, and its end.

        A run of fewer than four letters needs a dot, to show that something is left out (``Pug.``).
        """
        for spelt, end in spans:
            dotted = any(token.text == "." for token in line[at : end + 1])
            if dotted or max(map(len, spelt)) >= _SHORTEST_PREFIX:
                names = self._names_beginning(spelt, 1 if dotted else _SHORTEST_PREFIX)
                if names:
                    return sorted({self.names[name] for name in names}), end
        return [], spans[-1][1]

    def _names_beginning(self, spelt: Words, least: int) -> list[Words]:
        """Return the names whose words begin with the words spelt, each of ``least`` letters."""
        bare = self._without_articles(spelt) or spelt
        same_letter = self._by_letter.get(bare[0][0], ())
        names = [name for name in same_letter if _begins_with(name, bare, least)]
        # "Aless" is Alessandria before it is Alessandria d'Aria.
        return [name for name in names if len(name) == len(bare)] or names

    def _find_nearest(self, spans: list[Span]) -> tuple[list[str], int]:
        """Return the provinces with the names nearest to a run, if any is near, and its end."""
        near = [
            (off, -len(spelt), self._texts[name], end)
            for spelt, end in spans
            for off, name in self._spellings.near(" ".join(self._without_articles(spelt) or spelt))
        ]
        if not near:
            return [], 0
        least, _, _, end = min(near)
        return sorted({province for off, _, province, _ in near if off == least}), end


@lru_cache(maxsize=8)
def province_names(board: Board, vocabulary: Lexicon) -> ProvinceNames:
    """Return the names of a board's provinces, built once: boards and lexicons never change."""
    return ProvinceNames(board, vocabulary)


def find_province(text: str, board: Board) -> str:
    """Return the id of the province that a text names, misspelt or not.

    Raises:
        Ambiguous, Unreadable: it names several, or none.
    """
    return province_names(board, lexicon()).find(tokens(text), 0, text).province


def _spans(line: Line, at: int) -> list[Span]:
    """Return the runs of words from a token on, the longest first.

    A run passes over dots, and over a dash only without blanks around it (``Coele-Syria``).
    """
    spans: list[Span] = []
    spelt: Words = ()
    while at < len(line) and len(spelt) < _MOST_WORDS:
        token = line[at]
        if token.kind == "word":
            spelt = (*spelt, token.text)
            spans.append((spelt, at + 1))
        elif not spelt or not (token.text == "." or _is_hyphen(line, at)):
            break
        at += 1
    return spans[::-1]


def _is_hyphen(line: Line, at: int) -> bool:
    """Return whether a token is a dash inside a hyphenated name."""
    return (
        line[at].text == DASH
        and 0 < at < len(line) - 1
        and line[at - 1].end == line[at].start
        and line[at].end == line[at + 1].start
    )


def _begins_with(name: Words, spelt: Words, least: int) -> bool:
    """Return whether each word spelt is a word of the name or begins it with enough letters."""
    return len(spelt) <= len(name) and all(
        whole == part or (len(part) >= least and whole.startswith(part))
        for whole, part in zip(name, spelt, strict=False)
    )
