"""Orders tried by brute force: every one that can be written about a position, legal or not."""

from collections.abc import Iterator

from alexmagnum.orders import Convoy, Hold, Move, MovementOrder, Support
from alexmagnum.position import Position


def conceivable(position: Position) -> Iterator[MovementOrder]:
    """Return every movement order that can be written about the units and places of a position."""
    for name in position.names:
        yield from conceivable_of(position, name)


def conceivable_of(position: Position, name: str) -> Iterator[MovementOrder]:
    """Return the conceivable orders of one unit."""
    board = position.board
    numbers = range(1, 1 + max(p.capacity for p in board.provinces.values()))
    several = [p.id for p in board.provinces.values() if p.capacity > 1]
    goals = [*board.tables.location_names, *(f"{p}#{n}" for p in several for n in numbers)]
    yield Hold(name)
    yield from (Move(name, to, via) for to in goals for via in (False, True))
    for other in position.names:
        yield Support(name, other)
        yield from (Support(name, other, to) for to in goals)
        yield from (Convoy(name, other, to) for to in goals)
