"""The names on a map other than provinces: powers, coasts, rivers and portages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from alexmagnum.board.model import Board
from alexmagnum.notation.lexicon import Lexicon, Phrases, phrase
from alexmagnum.notation.power_names import power_names
from alexmagnum.notation.province_names import province_names
from alexmagnum.notation.spelling import distance, slips
from alexmagnum.notation.tokens import words

_INFLECTED = 5
"""Letters from which on the last letter of a name may differ: ``tedesco``, ``tedesca``."""


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
    """Return the power of each folded name and of each stem of a name."""
    powers: dict[str, str] = {}
    for power in board.powers.values():
        for name in (*power.aliases, *power.names.values(), power.id):
            spelt = " ".join(words(name))
            powers[spelt] = power.id
            powers.setdefault(_stem(spelt), power.id)
    return powers


def _coast_names(board: Board) -> Phrases:
    """Return the code of each name that the map gives to a coast."""
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
    """Yield rivers and portages, each with all its names."""
    for river in board.rivers:
        yield river.id, (river.id, *river.names.values(), *river.aliases)
    for portage in board.portages:
        yield portage.id, (portage.id, *portage.names.values())


def _stem(word: str) -> str:
    """Return a long word without its last letter, marked so that no word is like it."""
    return f"{word[:-1]}*" if len(word) >= _INFLECTED else word
