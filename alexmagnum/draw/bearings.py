"""Find directions in the names on a map (*North Sea*, *south coast*), to turn it upright."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from alexmagnum.board.geography import Names, split_location
from alexmagnum.board.model import Board

Bearing = tuple[str, str, complex]
"""Two provinces, and the direction from the first to the second: east is 1, north is -i."""

_WORDS = {
    **dict.fromkeys(("north", "northern", "nord", "settentrionale"), -1j),
    **dict.fromkeys(("south", "southern", "sud", "meridionale"), 1j),
    **dict.fromkeys(("east", "eastern", "est", "orientale"), 1 + 0j),
    **dict.fromkeys(("west", "western", "ovest", "occidentale"), -1 + 0j),
}


def find_bearings(board: Board) -> Iterator[Bearing]:
    """Yield the directions that the names of provinces and coasts imply."""
    ways = {p.id: way for p in board.provinces.values() if (way := _direction(p.names))}
    for a, b in combinations(ways, 2):
        yield a, b, ways[b] - ways[a]
    for border in board.borders:
        for here, there in ((border.a, border.b), (border.b, border.a)):
            province, coast, _ = split_location(here)
            if coast:
                yield province, split_location(there)[0], _direction(board.coasts[coast].names)


def _direction(names: Names) -> complex:
    """Return the direction that a name implies, 0 if none."""
    words = {word for name in names.values() for word in name.casefold().split()}
    return sum({_WORDS[word] for word in words & _WORDS.keys()}, 0j)
