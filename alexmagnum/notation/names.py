"""What else a map names: its powers, the coasts of provinces, rivers and portages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from alexmagnum.board.model import Board
from alexmagnum.notation.lexicon import Lexicon, Phrases, phrase
from alexmagnum.notation.text import words

_INFLECTED = 5
"""Letters from which on a last letter may differ: ``tedesco``, ``tedesca``."""


class MapNames:
    """The names that a map gives to anything but provinces, with the words of a lexicon.

    ``coasts``: to the code of a coast; ``ways``: rivers and portages, by whole name or one
    word of it, to their id.
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
        self.ways: Phrases = {
            spelt: way
            for way, names in _ways(board)
            for name in names
            for spelt in (*((word,) for word in words(name) if len(word) > 3), words(name))
        }

    def power(self, word: str) -> str:
        """The power of an id, name or alias, folded, in any gender; "" if there is none."""
        return self._powers.get(word) or self._powers.get(_stem(word), "")


@lru_cache(maxsize=8)
def map_names(board: Board, vocabulary: Lexicon) -> MapNames:
    """The names of a board, made once; boards and lexicons never change."""
    return MapNames(board, vocabulary)


def _ways(board: Board) -> Iterable[tuple[str, tuple[str, ...]]]:
    for river in board.rivers:
        yield river.id, (river.id, *river.names.values(), *river.aliases)
    for portage in board.portages:
        yield portage.id, (portage.id, *portage.names.values())


def _stem(word: str) -> str:
    """A word without its last letter, in a form that no word has."""
    return f"{word[:-1]}*" if len(word) >= _INFLECTED else word
