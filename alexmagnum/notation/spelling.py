"""How far one spelling is from another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache


class Spellings:
    """A set of texts among which the near ones to another are found fast."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_length: dict[int, list[tuple[str, int]]] = {}
        self._pairs = {text: _pairs(text) for text in texts}
        for text in self._pairs:
            self._by_length.setdefault(len(text), []).append((text, _letters(text)))
        # A line is looked at more than once before it is known to be prose.
        self._known = lru_cache(maxsize=1024)(lambda text: tuple(self._near(text)))

    def near(self, text: str) -> tuple[tuple[int, str], ...]:
        """The texts within the slips that a word of this length may have, and how many."""
        return self._known(text)

    def _near(self, text: str) -> Iterator[tuple[int, str]]:
        most, letters = slips(len(text)), _letters(text)
        for length in range(len(text) - most, len(text) + most + 1) if most else ():
            for other, its in self._by_length.get(length, ()):
                # A slip changes two letters of the set at most; this spares most comparisons.
                if (letters ^ its).bit_count() <= 2 * most:
                    off = distance(text, other, most)
                    if off <= most:
                        yield off, other

    def alike(self, text: str) -> list[str]:
        """The texts that share many pairs of letters with this one, the most alike first."""
        wanted = _pairs(text)
        scored = [
            (-2 * len(wanted & pairs) / (len(wanted) + len(pairs)), other)
            for other, pairs in self._pairs.items()
        ]
        return [other for score, other in sorted(scored) if score <= -_ALIKE]


_ALIKE = 0.4


def slips(length: int) -> int:
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
    return min(row[-1], most + 1)


def _letters(text: str) -> int:
    """The letters of a text as a set of bits."""
    letters = 0
    for letter in text:
        letters |= 1 << (ord(letter) & 63)
    return letters


def _pairs(text: str) -> frozenset[str]:
    """The pairs of letters that stand together, with the edges of the text."""
    padded = f" {text} "
    return frozenset(padded[i : i + 2] for i in range(len(padded) - 1))
