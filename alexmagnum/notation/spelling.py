"""Finding names that are spelt like a misspelt one.

The distance is that of RapidFuzz, "optimal string alignment": letters changed, added, dropped, or
swapped with the next one.  RapidFuzz is imported with the first misspelt name, since that takes
longer than reading a whole turn; whoever writes canonical orders never needs it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_ALIKE = 0.4
"""The share of pairs of letters from which on two texts are alike."""


class Spellings:
    """A set of texts in which those near to another text are found fast."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_length: dict[int, list[str]] = {}
        self._pairs = {text: _pairs(text) for text in texts}
        for text in self._pairs:
            self._by_length.setdefault(len(text), []).append(text)
        # A line is read several times before it is known to be prose.
        self._cached_near = lru_cache(maxsize=1024)(self._find_near)

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
    from rapidfuzz.distance import OSA

    return OSA.distance(a, b, score_cutoff=most)


def _pairs(text: str) -> frozenset[str]:
    """Return the pairs of neighbouring letters of a text, with its edges."""
    padded = f" {text} "
    return frozenset(padded[i : i + 2] for i in range(len(padded) - 1))
