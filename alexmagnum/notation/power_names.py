"""The powers by any name: id, alias, abbreviation, with an article, misspelt.

Open this file when the name of a power is refused, or read as another power's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from alexmagnum.board.model import INDEPENDENT, Board, Power
from alexmagnum.i18n.folding import fold
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation.lexicon import lexicon
from alexmagnum.notation.spelling import Spellings

_SHORTEST_BEGINNING = 2
"""Letters of the shortest beginning of a name that names a power by itself."""

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
        return _unique(power for full, power in self._proper.items() if full.startswith(name))

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
    """Return a name without case and accents, with one blank between words."""
    return " ".join(_WORD.findall(fold(name)))


def _list_names(power: Power) -> list[str]:
    """Return all names of a power, folded."""
    names = (*power.aliases, *power.names.values(), power.id)
    return [_fold_name(name) for name in names]


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
