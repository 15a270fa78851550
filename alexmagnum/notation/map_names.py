"""What else a map names: its powers, the coasts of provinces, rivers and portages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from alexmagnum.board.model import Board
from alexmagnum.notation.lexicon import Lexicon, Phrases, phrase
from alexmagnum.notation.spelling import distance, slips
from alexmagnum.notation.tokens import words

_INFLECTED = 5
"""Letters from which on a last letter may differ: ``tedesco``, ``tedesca``."""


class MapNames:
    """The names that a map gives to anything but provinces, with the words of a lexicon.

    ``coasts``: to the code of a coast; ``ways``: rivers and portages, by whole name or a word
    that only one of them has in its names, to their id.
    """

    def __init__(self, board: Board, vocabulary: Lexicon) -> None:
        self._powers: dict[str, str] = {}
        for power in board.powers.values():
            for name in (*power.aliases, *power.names.values(), power.id):
                spelt = " ".join(words(name))
                self._powers[spelt] = power.id
                self._powers.setdefault(_stem(spelt), power.id)
        mapped = {
            phrase(name): coast.code
            for coast in board.coasts.values()
            for name in (*coast.aliases, *coast.names.values(), coast.code)
        }
        self.coasts: Phrases = {**vocabulary.coasts, **mapped}
        self._groups = dict(_joined(board))
        named = {words(text): way for way, texts in _ways(board) for text in texts}
        owners: dict[str, set[str]] = {}
        for spelling, way in named.items():
            for word in spelling:
                owners.setdefault(word, set()).add(way)
        single = [(word, *its) for word, its in owners.items() if len(word) > 3 and len(its) == 1]
        self.ways: Phrases = {**{(word,): way for word, way in single}, **named}

    def leads(self, way: str, start: str, end: str) -> bool:
        """Can a move from one province to another be one along a river or over a portage?"""
        at = [i for p in (start, end) for i, g in enumerate(self._groups[way]) if p in g]
        return len(set(at)) == 2

    def nearest_way(self, word: str) -> tuple[str, str]:
        """The river or portage with a name like a misspelt word, and that name; ("", "") if
        none is near, or several equally.

        There are few of them, so that a name of four letters may have lost one (``Nlo``).
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
        """The power of an id, name or alias, folded, in any gender; "" if there is none."""
        return self._powers.get(word) or self._powers.get(_stem(word), "")


@lru_cache(maxsize=8)
def map_names(board: Board, vocabulary: Lexicon) -> MapNames:
    """The names of a board, made once; boards and lexicons never change."""
    return MapNames(board, vocabulary)


def _joined(board: Board) -> Iterable[tuple[str, tuple[tuple[str, ...], ...]]]:
    """Rivers and portages by the groups of provinces between which a fleet goes on them."""
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
    """A word without its last letter, in a form that no word has."""
    return f"{word[:-1]}*" if len(word) >= _INFLECTED else word
