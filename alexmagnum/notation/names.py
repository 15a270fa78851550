"""Finding provinces, powers, coasts and rivers by any of their names, misspelt ones too."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from alexmagnum.board.geography import Province
from alexmagnum.board.model import INDEPENDENT, Board, Power
from alexmagnum.errors import Ambiguous, NotationError, Unreadable
from alexmagnum.i18n.sentences import Sentences, fold
from alexmagnum.notation.words import (
    DASH,
    Lexicon,
    Phrases,
    Token,
    lexicon,
    match,
    phrase,
    skip_correction,
    tokens,
    words,
)

# Finding names that are spelt like a misspelt one.
#
# The distance is that of RapidFuzz, "optimal string alignment": letters changed, added, dropped,
# or swapped with the next one. RapidFuzz is imported with the first misspelt name, since that
# takes longer than reading a whole turn; whoever writes canonical orders never needs it.


_ALIKE = 0.4  # the share of pairs of letters from which on two texts are alike


class Spellings:
    """A set of texts in which those near to another text are found fast."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_length: dict[int, list[str]] = {}
        self._pairs: dict[str, frozenset[str]] = {}
        self.texts = sorted(set(texts))
        for text in self.texts:
            self._by_length.setdefault(len(text), []).append(text)
        # A line is read several times before it is known to be prose.
        self._cached_near = lru_cache(maxsize=1024)(self._find_near)
        self._cached_alike = lru_cache(maxsize=1024)(self._find_alike)

    def near(self, text: str) -> tuple[tuple[int, str], ...]:
        """Return the texts within the slips that a text may have, each with its distance."""
        return self._cached_near(text)

    def _find_near(self, text: str) -> tuple[tuple[int, str], ...]:
        most = slips(len(text))
        if not most:
            return ()
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract_iter

        lengths = range(len(text) - most, len(text) + most + 1)
        candidates = [other for length in lengths for other in self._by_length.get(length, ())]
        found = extract_iter(text, candidates, scorer=OSA.distance, score_cutoff=most)
        return tuple((int(off), other) for other, off, _ in found)

    def alike(self, text: str) -> tuple[str, ...]:
        """Return the texts that share many pairs of letters with a text, the most alike first."""
        return self._cached_alike(text)

    def _find_alike(self, text: str) -> tuple[str, ...]:
        wanted = _pairs(text)
        self._pairs = self._pairs or {other: _pairs(other) for other in self.texts}
        scored = [
            (-2 * len(wanted & pairs) / (len(wanted) + len(pairs)), other)
            for other, pairs in self._pairs.items()
        ]
        return tuple(other for score, other in sorted(scored) if score <= -_ALIKE)


def slips(length: int) -> int:
    """Return how many slips a word of a length may have and still be read."""
    if length < 4:
        return 0
    return 1 if length < 6 else 2 if length < 12 else 3


def distance(a: str, b: str, most: int) -> int:
    """Return how many letters to change, add, drop or swap to get from one text to another.

    Any distance above ``most`` is returned as ``most + 1``.

    >>> distance("allessandria", "alessandria", 2), distance("mefni", "menfi", 2)
    (1, 1)
    """
    from rapidfuzz.distance import OSA

    return OSA.distance(a, b, score_cutoff=most)


def _list_beginning(texts: list[str], start: str) -> list[str]:
    """Return the texts of a sorted list that begin with a start."""
    return texts[bisect_left(texts, start) : bisect_left(texts, f"{start}\U0010ffff")]


def _pairs(text: str) -> frozenset[str]:
    """Return the pairs of neighbouring letters of a text, with its edges."""
    padded = f" {text} "
    return frozenset(padded[i : i + 2] for i in range(len(padded) - 1))


# Finding the province that a text names: by id, name, alias or beginning, or by a near spelling.
#
# A name that is spelt right always wins, so that a misspelling can never turn one valid province
# into another.


_MOST_WORDS = 7  # the most words of a line that are tried as one name
_SHORTEST_PREFIX = 4  # letters below which the beginning of a name needs a dot behind it

_SHORTEST_LIKELY = 3
"""Letters of a beginning that needs no dot where only one of the likely provinces begins so."""

Words = tuple[str, ...]
Line = tuple[Token, ...]
Span = tuple[Words, int]
ListProvinces = Callable[[], frozenset[str]]
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
        # Sets of names are bits of a number here: a map may have thousands of names, and a text
        # thousands of words that may begin some of them.
        self._by_length: dict[int, int] = {}
        self._by_province: dict[str, int] = {}
        self._by_word: list[dict[str, list[int]]] = [{} for _ in range(_MOST_WORDS)]
        for number, (spelt, owner) in enumerate(self.names.items()):
            self._by_length[len(spelt)] = self._by_length.get(len(spelt), 0) | 1 << number
            self._by_province[owner] = self._by_province.get(owner, 0) | 1 << number
            for by_word, word in zip(self._by_word, spelt, strict=False):
                by_word.setdefault(word, []).append(number)
        self._sorted_words = [sorted(by_word) for by_word in self._by_word]
        self._cached_with_word = lru_cache(maxsize=4096)(self._find_with_word)
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

    def find(
        self, line: Line, at: int, source: str, list_likely: ListProvinces = frozenset
    ) -> Match:
        """Find the province named at a token: exactly, by a beginning, or by the nearest name.

        ``list_likely`` lists the provinces that make sense there.  They decide only where the text
        could not be read otherwise: which of several provinces a beginning means.

        Raises:
            Ambiguous: several provinces fit equally well.
            Unreadable: none fits.
        """
        found = self.find_exact(line, at)
        if found:
            return found
        while at < len(line) - 1 and line[at].text in self.articles and line[at + 1].kind == "word":
            at += 1
        spans = self._list_spans(line, at)
        if not spans:
            before = source[: line[at - 1].end] if at else source
            raise Unreadable("place-missing", before.strip())
        fits, end = self._find_by_prefix(spans, line, at)
        is_guess = len(fits) != 1
        if is_guess:
            near, near_end = self._find_nearest(spans)
            fits, end = (near, near_end) if near else (fits, end)
        if len(fits) != 1:
            begun, begun_end = self._find_by_prefix(spans, line, at, _SHORTEST_LIKELY)
            likely = list_likely() if begun else frozenset[str]()
            meant = [province for province in begun if province in likely]
            longest = max(len(token.text) for token in line[at : max(begun_end, at + 1)])
            if len(meant) == 1 and longest >= _SHORTEST_LIKELY:  # not "S." in "F. Rossi S."
                return Match(meant[0], begun_end)
            if len(begun) > 1 and not fits:
                fits, end = meant or begun, begun_end
        fragment = source[line[at].start : line[end - 1].end]
        if len(fits) != 1:
            raise self.refuse(fragment, fits or self._suggest(fragment), several=bool(fits))
        return Match(fits[0], end, fragment if is_guess else "")

    def find_beginning(self, line: Line, at: int, likely: frozenset[str]) -> Match | None:
        """Return the one likely province whose name a token begins, but is not."""
        spans = self._list_spans(line, at)
        if not spans or self.match(line, at):
            return None
        fits, end = self._find_by_prefix(spans, line, at)
        meant = [province for province in fits if province in likely]
        return Match(meant[0], end) if len(meant) == 1 else None

    def _list_spans(self, line: Line, at: int) -> list[Span]:
        """Return the runs of words that may begin a name or be misspelt, the longest first.

        None ends with an article, which may be the verb behind the name: ``Vene in Tri``.
        """
        spans = _spans(line, at)
        return [span for span in spans if span[0][-1] not in self.articles] or spans

    def refuse(self, fragment: str, meant: Sequence[str], *, several: bool) -> NotationError:
        """Return the refusal of a name that is none, or that of ``several`` provinces."""
        found = [self.board.provinces[province] for province in meant]
        labels = {_label(p): {lang: _label(p, lang) for lang in p.names} for p in found}
        error: NotationError = Unreadable("unknown-place", fragment, tuple(labels))
        if several:
            error = Ambiguous("several-places", fragment, tuple(labels), choices=", ".join(labels))
        error.labels = labels
        return error

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

    def _suggest(self, text: str) -> tuple[str, ...]:
        """Return up to three provinces with a name that begins with a text or is like it."""
        spelt = " ".join(words(text))
        begin = _list_beginning(self._spellings.texts, spelt) if spelt else []
        provinces = dict.fromkeys(self._texts[n] for n in (*begin, *self._spellings.alike(spelt)))
        return tuple(provinces)[:3]

    def label(self, province: str) -> str:
        """Return a province as a suggestion has it: its id and first name."""
        return _label(self.board.provinces[province])

    def _find_by_prefix(
        self, spans: list[Span], line: Line, at: int, shortest: int = _SHORTEST_PREFIX
    ) -> tuple[list[str], int]:
        """Return the provinces with a name that the longest fitting run begins, and its end.

        A run of fewer letters than ``shortest`` needs a dot, to show that something is left out
        (``Pu.``).
        """
        for spelt, end in spans:
            dotted = any(token.text == "." for token in line[at : end + 1])
            if dotted or max(map(len, spelt)) >= shortest:
                names = self._names_beginning(spelt, 1 if dotted else shortest)
                if names:
                    return sorted(p for p, its in self._by_province.items() if its & names), end
        return [], spans[-1][1]

    def _names_beginning(self, spelt: Words, least: int) -> int:
        """Return the names whose words begin with the words spelt, each of ``least`` letters."""
        names, bare = -1, self._without_articles(spelt) or spelt
        for place, part in enumerate(bare):
            names &= self._cached_with_word(place, part, len(part) < least)
        # "Aless" is Alessandria before it is Alessandria d'Aria.
        return names & self._by_length.get(len(bare), 0) or names

    def _find_with_word(self, place: int, part: str, is_whole: bool) -> int:
        """Return the names whose word at a place is a part, or, if it is not whole, begins so."""
        names = 0
        for word in [part] if is_whole else _list_beginning(self._sorted_words[place], part):
            for number in self._by_word[place].get(word, ()):
                names |= 1 << number
        return names

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
    """Return the id of the province that a text names, misspelt or not."""
    return province_names(board, lexicon()).find(tokens(text), 0, text).province


def localize_labels(text: str, board: Board, lang: str) -> str:
    """Return a text in which each place with its name has the name in a language."""
    if "(" in text:
        for province in board.provinces.values():
            for stored in province.names:
                text = text.replace(_label(province, stored), _label(province, lang))
    return text


def _label(province: Province, lang: str = "") -> str:
    """Return the id of a province with its name in a language; in none, with its first name."""
    return f"{province.id} ({province.name(lang)})"


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
    return (
        line[at].text == DASH
        and 0 < at < len(line) - 1
        and line[at - 1].end == line[at].start
        and line[at].end == line[at + 1].start
    )


# The powers by any name: id, alias, abbreviation, with an article, misspelt.


_SHORTEST_BEGINNING = 2  # letters of the shortest beginning of a name that names a power by itself

_LONGEST_ABBREVIATION = 4
"""Letters of an abbreviation that leaves letters out (``PTL``); longer ones are misspelt names."""

_WORD = re.compile(r"[^\s'\u2019]+")

_MORE_ARTICLES = frozenset({"il", "lo", "l", "the", "i", "gli", "le", "la"})


class PowerNames:
    """The names of a board's powers in all its languages."""

    def __init__(self, board: Board) -> None:
        self.exact: dict[str, str] = {}
        self._proper: dict[str, str] = {}
        for power in board.powers.values():
            for name in _list_names(power):
                self.exact.setdefault(name, power.id)
            for name in _list_proper_names(power):
                self._proper.setdefault(name, power.id)
        self.exact |= {_fold_name(power): power for power in board.powers}
        articles = lexicon().phrases["articles"]
        self._articles = {phrase[0] for phrase in articles if len(phrase) == 1} | _MORE_ARTICLES
        self._spellings = Spellings(self._proper)

    def find(self, text: str, *, fuzzy: bool = True) -> tuple[str, ...]:
        """Return the powers that a text may name: one if it is clear, () if none.

        In turn: an id, a name or an alias; the beginning of a name; a name with letters left out
        (``PTL``); with ``fuzzy``, the nearest spelling.
        """
        name = self._strip_articles(text)
        if name in self.exact:
            return (self.exact[name],)
        if not name:
            return ()
        found = self._find_beginning(name) or self._find_abbreviated(name)
        return found or (self._find_near(name) if fuzzy else ())

    def find_beginning(self, word: str) -> str:
        """Return the one power with a name that a folded word of three letters or more begins."""
        found = self._find_beginning(word) if len(word) > _SHORTEST_BEGINNING else ()
        return found[0] if len(found) == 1 else ""

    def _strip_articles(self, text: str) -> str:
        """Return the folded words of a text without articles and prepositions before them."""
        spelt = _WORD.findall(fold(text))
        while len(spelt) > 1 and spelt[0] in self._articles and " ".join(spelt) not in self.exact:
            spelt.pop(0)
        return " ".join(spelt)

    def _find_beginning(self, name: str) -> tuple[str, ...]:
        if len(name) < _SHORTEST_BEGINNING:
            return ()
        return _unique(self._proper[full] for full in _list_beginning(self._spellings.texts, name))

    def _find_abbreviated(self, name: str) -> tuple[str, ...]:
        if not 2 < len(name) <= _LONGEST_ABBREVIATION:
            return ()
        return _unique(p for full, p in self._proper.items() if _abbreviates(name, full))

    def _find_near(self, name: str) -> tuple[str, ...]:
        near = self._spellings.near(name)
        least = min((off for off, _ in near), default=0)
        return _unique(self._proper[full] for off, full in near if off == least)


@lru_cache(maxsize=8)
def power_names(board: Board) -> PowerNames:
    """Return the names of a board's powers, built once: boards never change."""
    return PowerNames(board)


def find_power(board: Board, name: str) -> str:
    """Return the id of a power by id, name, alias or a clear abbreviation; "" if none.

    Case and accents do not matter.  A misspelt name is none: files are not guessed at.
    """
    found = list_powers(board, name)
    return found[0] if len(found) == 1 else ""


def list_powers(board: Board, name: str) -> tuple[str, ...]:
    """Return the powers that a name may mean."""
    if fold(name.strip()) == fold(INDEPENDENT):
        return (INDEPENDENT,)
    return power_names(board).find(name, fuzzy=False)


def _fold_name(name: str) -> str:
    return " ".join(_WORD.findall(fold(name)))


def _list_names(power: Power) -> list[str]:
    return [_fold_name(name) for name in (*power.aliases, *power.names.values(), power.id)]


def _list_proper_names(power: Power) -> list[str]:
    """Return the names that may be shortened or misspelt, folded.

    They are the id, the names, and the aliases with a capital; colours and adjectives have none.
    """
    aliases = (name for name in power.aliases if len(name) > 2 and name[0].isupper())
    return [_fold_name(name) for name in (power.id, *power.names.values(), *aliases)]


def _abbreviates(short: str, full: str) -> bool:
    """Return whether a name has all letters of an abbreviation in turn, the first one first.

    >>> _abbreviates("ptl", "ptolemy"), _abbreviates("tly", "ptolemy")
    (True, False)
    """
    letters: Iterator[str] = iter(full)
    return full[:1] == short[:1] and all(letter in letters for letter in short)


def _unique(powers: Iterator[str]) -> tuple[str, ...]:
    return tuple(sorted(dict.fromkeys(powers)))


def power_name(board: Board, power: str, sentences: Sentences) -> str:
    """Return a power's name; the independents have one, and an unknown id stands for itself."""
    if power == INDEPENDENT:
        return sentences.format("independents")
    return board.powers[power].name(sentences.lang) if power in board.powers else power


# The names on a map other than provinces: powers, coasts, rivers and portages.


_INFLECTED = 5  # letters from which on the last one may differ: ``tedesco``, ``tedesca``


class MapNames:
    """The names that a map gives to powers, coasts, rivers and portages, with those of a lexicon.

    ``coasts`` leads to the code of a coast.  ``ways`` leads to the id of a river or portage, by its
    whole name or by a word that is in the names of no other.
    """

    def __init__(self, board: Board, vocabulary: Lexicon) -> None:
        self._powers = _power_names(board)
        self._abbreviations = power_names(board)
        self._places = province_names(board, vocabulary).names
        self.coasts: Phrases = {**vocabulary.coasts, **_coast_names(board)}
        self.ways: Phrases = _way_names(board)
        self._ends = dict(_way_ends(board))

    def leads(self, way: str, start: str, end: str) -> bool:
        """Return whether a river or portage can take a fleet from one province to another."""
        at = [i for p in (start, end) for i, group in enumerate(self._ends[way]) if p in group]
        return len(set(at)) == 2

    def nearest_way(self, word: str) -> tuple[str, str]:
        """Return the river or portage whose name is nearest to a misspelt word, and that name.

        Both are "" if no name is near, or the names of several are equally near.  There are few
        of them, so that even a name of four letters may have lost one (``Nlo``).
        """
        near = []
        for spelt, way in self.ways.items():
            name = " ".join(spelt)
            off = distance(word, name, slips(len(name)))
            if off <= slips(len(name)):
                near.append((off, way, name))
        least = min(near, default=None)
        if least is None or any(off == least[0] and way != least[1] for off, way, _ in near):
            return "", ""
        return least[1], least[2].title()

    def power(self, word: str) -> str:
        """Return the power of a folded id, name or alias, in any gender; "" if there is none.

        Three letters or more of a name are enough, if no other power and no province is called so.
        """
        power = self._powers.get(word) or self._powers.get(_stem(word), "")
        if power or (word,) in self._places:
            return power
        return self._abbreviations.find_beginning(word)


@lru_cache(maxsize=8)
def map_names(board: Board, vocabulary: Lexicon) -> MapNames:
    """Return the names of a board, built once: boards and lexicons never change."""
    return MapNames(board, vocabulary)


def _power_names(board: Board) -> dict[str, str]:
    powers: dict[str, str] = {}
    for power in board.powers.values():
        for name in (*power.aliases, *power.names.values(), power.id):
            spelt = " ".join(words(name))
            powers[spelt] = power.id
            powers.setdefault(_stem(spelt), power.id)
    return powers


def _coast_names(board: Board) -> Phrases:
    return {
        phrase(name): coast.code
        for coast in board.coasts.values()
        for name in (*coast.aliases, *coast.names.values(), coast.code)
    }


def _way_names(board: Board) -> Phrases:
    """Return the river or portage of each name, and of each long word that only one of them has."""
    named: Mapping[tuple[str, ...], str] = {
        words(text): way for way, texts in _ways(board) for text in texts
    }
    owners: dict[str, set[str]] = {}
    for spelling, way in named.items():
        for word in spelling:
            owners.setdefault(word, set()).add(way)
    single = [(word, *its) for word, its in owners.items() if len(word) > 3 and len(its) == 1]
    return {**{(word,): way for word, way in single}, **named}


def _way_ends(board: Board) -> Iterable[tuple[str, tuple[tuple[str, ...], ...]]]:
    """Yield rivers and portages, each with the groups of provinces that it joins."""
    for river in board.rivers:
        yield river.id, tuple((province,) for province in river.course)
    for portage in board.portages:
        yield portage.id, (*portage.ends, (portage.over,))


def _ways(board: Board) -> Iterable[tuple[str, tuple[str, ...]]]:
    for river in board.rivers:
        yield river.id, (river.id, *river.names.values(), *river.aliases)
    for portage in board.portages:
        yield portage.id, (portage.id, *portage.names.values())


def _stem(word: str) -> str:
    """Return a long word without its last letter, marked so that no word is like it."""
    return f"{word[:-1]}*" if len(word) >= _INFLECTED else word


# Sentences that name a unit or a place without being orders, and what they name.


_LONGEST = 600  # the most characters of a sentence that are looked at

_SENTENCE_END = re.compile(
    r"(?<=[.!?…])(?<!\b[^\W\d_]\.)(?<!\b[^\W\d_]{2}\.)\s+(?=[^\W\d_a-zà-ÿ]|[«\"“(\[])"
)
"""Between two sentences: not behind a short word with a dot, as in ``v. Tri``."""

_SHORTEST_UNIT_WORD = 4  # letters of a word that says by itself that units are meant

_SHORTEST_GUESS = 5  # letters of a word that is read as a misspelt name or the beginning of one

_EVERYDAY_WORDS = frozenset({
    "aria", "avanti", "black", "both", "channel", "dura", "fasi", "foci", "irish", "leone",
    "manica", "media", "nero", "north", "port", "pura", "rage", "rosso", "tiro",
})  # fmt: skip
"""Names of provinces that are words as well: they have to begin with a capital."""

_CHANCE_NAMES = frozenset({
    "aria", "arm", "ate", "avanti", "bit", "black", "bot", "both", "cap", "car", "che", "col",
    "com", "con", "cos", "dai", "dura", "east", "get", "ill", "mac", "mal", "man", "med", "min",
    "mon", "nero", "north", "pal", "pan", "per", "port", "pura", "rage", "rosso", "sir", "sud",
    "sue", "tap", "tax", "tra", "war", "west",
})  # fmt: skip
"""Words that are names or ids of provinces by chance: in small letters they hardly mean them."""

_SHORT_SENTENCE = 3  # words with a verb that may be about all units: "I hold"

_ADJUSTMENTS = frozenset({"build", "remove", "disband", "retreat", "waive"})
"""Verbs that are an order by themselves where there is one thing to do."""


class Named(NamedTuple):
    """A place that a sentence names: its province, and the kind of unit named with it or ""."""

    province: str
    kind: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence that names units or places: its text, the places, and the verbs in it.

    ``verbs`` are keys of the section ``[stems]`` of the word tables, such as ``build``.  ``kinds``
    are those of the units named, with a place or without.  ``before`` is how many places stand
    before the verb of a support or convoy; ``helped``: it is a passive (``appoggiata da``).
    """

    text: str
    places: tuple[Named, ...]
    verbs: frozenset[str]
    kinds: frozenset[str] = frozenset()
    before: int = 0
    helped: bool = False


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
    found_verbs = list(_find_verbs(line, source))
    verbs = frozenset(verb for _, verb in found_verbs)
    kinds = dict(_find_unit_words(line, source))
    at_verbs = frozenset(at for at, _ in found_verbs)
    found = list(_find_places(line, source, board, at_verbs)) or _find_ids_alone(line, board)
    if not found and (verbs or kinds):
        found = list(_guess_places(line, source, board))
    units = frozenset(kinds.values())
    if found:
        helping = [at for at, verb in found_verbs if verb in ("support", "convoy")]
        passive = [at for at in range(len(line)) if lexicon().end_of("helped_by", line, at) > at]
        first = min([*helping, *passive], default=0)
        before = sum(at < first for at, _ in found)
        return Mention(sentence, _add_kinds(found, kinds), verbs, units, before, bool(passive))
    says_unit = any(len(line[at].text) >= _SHORTEST_UNIT_WORD for at in kinds)
    is_general = units == {"G"} and not verbs  # "in general"
    says_something = (says_unit and not is_general) or _orders_all_to_hold(line)
    says_something = says_something or skip_correction(line, lexicon()) > 0
    return Mention(sentence, (), verbs, units) if says_something else None


def may_order(sentence: str, board: Board, phase: str) -> bool:
    """Return whether a sentence may be an order in a kind of phase, in whatever words and letters.

    Whatever names a place may be one, unless it is about what happened there, and so may what says
    that units hold, or elsewhere has a verb that needs no place.  Many that are none may be: this
    is for what has to be kept from others.
    """
    source, words = sentence[:_LONGEST], lexicon()
    line, names = tokens(source), province_names(board, words)
    verbs = {verb for _, verb in _find_verbs(line, source)}
    said = [at for at in range(len(line)) if not _is_by_chance(line, at, source)]
    places = {found.province for at in said if (found := names.match(line, at))}
    if phase == "movement":
        asks = "?" in source and words.end_of("inquiries", line, 0) > 0
        asks = asks or any(words.is_in("reports", token.text) for token in line)
        is_short = sum(token.kind == "word" for token in line) <= _SHORT_SENTENCE
        holds = _orders_all_to_hold(line) or (is_short and any(_find_holds(line)))
        holds = holds or any(words.end_of("standing", line, at) > at for at in range(len(line)))
        near = _guess_places(line, source, board, is_capital=False) if "move" in verbs else ()
        is_near = any(_is_led_to(line, at) for at, _ in near)
        return holds or is_near or len(places) > (asks and not verbs)
    phrases = {**words.verbs[phase], **(words.commands["waive"] if phase == "winter" else {})}
    verbs |= {match(phrases, line, at)[0] for at in said if len(line[at].text) > 1}
    return bool(places) or not verbs.isdisjoint(_ADJUSTMENTS)


def _is_by_chance(line: tuple[Token, ...], at: int, source: str) -> bool:
    """Return whether a word is no name of a place as it is written: ``get``, ``Tra due giorni``.

    It is one by itself, and at the end of a sentence behind a word that leads to it.
    """
    if line[at].text not in _CHANCE_NAMES:
        return False
    behind = (token.text for token in line[at + 1 :] if token.kind == "word")
    if all(lexicon().is_in("fillers", word) for word in behind):
        return not _is_led_to(line, at)
    return source[line[at].start].islower() or at == 0


def _is_led_to(line: tuple[Token, ...], at: int) -> bool:
    """Return whether a word stands first, or behind one that leads to a place: ``to``, ``hit``."""
    return at == 0 or lexicon().is_in("articles", line[at - 1].text) or _is_verb(line[at - 1])


def _find_verbs(line: tuple[Token, ...], source: str) -> Iterator[tuple[int, str]]:
    stems = lexicon().stems
    for at, token in enumerate(line):
        for stem, meaning in stems.items():
            if token.text.startswith(stem):
                yield at, meaning
        if source[token.start : token.end] == "H":
            yield at, "hold"


def _orders_all_to_hold(line: tuple[Token, ...]) -> bool:
    """Return whether a verb stands beside words for all units: ``hold everything``."""
    holds = _find_holds(line)
    for at in range(len(line)):
        end = max(lexicon().end_of(group, line, at) for group in ("rest", "rest_units"))
        behind = end + 2 if line[end : end + 1] and line[end].kind == "word" else end + 1
        if end > at and any((*holds[max(at - 1, 0) : at], *holds[end:behind])):
            return True
    return False


def _find_holds(line: tuple[Token, ...]) -> list[bool]:
    """Return for each word whether it says that units hold."""
    verbs, end_of = lexicon().verbs["movement"], lexicon().end_of
    at_all = range(len(line))
    return [match(verbs, line, i)[0] == "hold" or end_of("keeping", line, i) > i for i in at_all]


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


def _find_places(
    line: tuple[Token, ...], source: str, board: Board, verbs: frozenset[int]
) -> Iterator[tuple[int, str]]:
    """Yield the provinces that a line names by their whole name, with the number of the token.

    An id has to be in capitals, since many are words as well (``per``, ``con``); one is enough
    behind a unit, and within a line that has a verb of orders.
    """
    names = province_names(board, lexicon())
    at = 0
    while at < len(line):
        found = names.match(line, at) if line[at].kind == "word" else None
        if found and _is_written_as_name(line, at, found, source, verbs):
            yield at, found.province
            at = found.end
        else:
            at += 1


def _find_ids_alone(line: tuple[Token, ...], board: Board) -> list[tuple[int, str]]:
    """Return the provinces of a line of several ids and nothing else: ``bur mun``."""
    names = province_names(board, lexicon())
    said = [at for at, token in enumerate(line) if token.kind == "word"]
    found = [(at, names.match(line, at)) for at in said]
    named = [(at, match.province) for at, match in found if match]
    return named if len(named) == len(said) > 1 else []


def _is_written_as_name(
    line: tuple[Token, ...], at: int, found: Match, source: str, verbs: frozenset[int]
) -> bool:
    """Return whether a name is long enough to be one, or an id as it may be written there."""
    written = source[line[at].start : line[found.end - 1].end]
    if written.islower() and written in _EVERYDAY_WORDS:
        return False
    is_behind_unit = at > 0 and match(lexicon().units, line, at - 1)[1] == at
    is_behind_unit = is_behind_unit and source[line[at - 1].start].isupper()
    is_near_verb = at > 0 or not verbs.isdisjoint((found.end, found.end + 1))
    may_be_id = (is_behind_unit or bool(verbs and is_near_verb)) and written[0].isupper()
    return len(written) > 3 or written.isupper() or may_be_id


def _guess_places(
    line: tuple[Token, ...], source: str, board: Board, *, is_capital: bool = True
) -> Iterator[tuple[int, str]]:
    """Yield the provinces whose names words begin or are near to, by default with a capital."""
    names, powers = province_names(board, lexicon()), map_names(board, lexicon())
    for at, token in enumerate(line):
        is_written_so = not is_capital or source[token.start : token.start + 1].isupper()
        is_known = powers.power(token.text) or match(lexicon().units, line, at)[1] > at
        if len(token.text) < _SHORTEST_GUESS or not is_written_so or is_known or _is_verb(token):
            continue
        found = names.guess(line, at)
        if found:
            yield at, found


def _is_verb(token: Token) -> bool:
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
