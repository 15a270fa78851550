"""Finding names that are spelt like a misspelt one.

The distance is Damerau's in the variant of "optimal string alignment": letters changed, added,
dropped, or swapped with the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

_ALIKE = 0.4
"""The share of pairs of letters from which on two texts are alike."""


class Spellings:
    """A set of texts in which those near to another text are found fast."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_length: dict[int, list[tuple[str, int]]] = {}
        self._pairs = {text: _pairs(text) for text in texts}
        for text in self._pairs:
            self._by_length.setdefault(len(text), []).append((text, _letters(text)))
        # A line is read several times before it is known to be prose.
        self._cached_near = lru_cache(maxsize=1024)(lambda text: tuple(self._find_near(text)))

    def near(self, text: str) -> tuple[tuple[int, str], ...]:
        """Return the texts within the slips that a text may have, each with its distance."""
        return self._cached_near(text)

    def _find_near(self, text: str) -> Iterator[tuple[int, str]]:
        most, letters = slips(len(text)), _letters(text)
        for length in range(len(text) - most, len(text) + most + 1) if most else ():
            for other, its_letters in self._by_length.get(length, ()):
                # A slip changes two letters of the set at most; this spares most comparisons.
                if (letters ^ its_letters).bit_count() <= 2 * most:
                    off = distance(text, other, most)
                    if off <= most:
                        yield off, other

    def alike(self, text: str) -> list[str]:
        """Return the texts that share many pairs of letters with a text, the most alike first."""
        wanted = _pairs(text)
        scored = [
            (-2 * len(wanted & pairs) / (len(wanted) + len(pairs)), other)
            for other, pairs in self._pairs.items()
        ]
        return [other for score, other in sorted(scored) if score <= -_ALIKE]


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
    return min(row[-1], most + 1)


def _letters(text: str) -> int:
    """Return the letters of a text as a set of bits."""
    letters = 0
    for letter in text:
        letters |= 1 << (ord(letter) & 63)
    return letters


def _pairs(text: str) -> frozenset[str]:
    """Return the pairs of neighbouring letters of a text, with its edges."""
    padded = f" {text} "
    return frozenset(padded[i : i + 2] for i in range(len(padded) - 1))
