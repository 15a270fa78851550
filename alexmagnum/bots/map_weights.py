"""The weight of each centre for a unit that stands somewhere, worked out once for a map.

Open this for how far a bot looks.  A unit stands on a *node*: an army on the node of its province,
a fleet on the node of its location.  Two nodes are neighbours if a unit can go from one to the
other in a turn without a convoy: over a border, along a river (R18) or over a portage (R23).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alexmagnum.board.model import Board
from alexmagnum.board.tables import BoardTables
from alexmagnum.judge.winter import measure_distances

Row = tuple[float, ...]

_SHARE = 5.0
"""A node passes its proximity on divided by this at each step."""

_FAR = 4
"""Steps beyond which a centre is no neighbour."""

_SPRING: Row = (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1)
_AUTUMN: Row = (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1)
"""The weight of a proximity by the number of steps: in spring a centre is taken with the second
move, in autumn with the first."""


class MapWeights:
    """The nodes of a board, the ways between them, and what each centre weighs on each node.

    ``ways[node]``: the nodes that a unit can reach from a node in a turn; ``province_of[node]``;
    ``spring[node]``, ``autumn[node]``: the weight of each centre, in the order of
    ``board.centres``; ``neighbours[centre]``: the number of centres near a centre, the nearer ones
    counting more.
    """

    def __init__(self, board: Board) -> None:
        tables = board.tables
        self.board = board
        self.tables = tables
        self.n = tables.n
        self.province_of = (*range(tables.n), *tables.province_of)
        self.ways = tuple(_list_ways(tables))
        self.centres = tuple(tables.index[centre] for centre in board.centres)
        near = [self._measure_proximity(centre) for centre in self.centres]
        self.spring = _weigh(near, _SPRING)
        self.autumn = _weigh(near, _AUTUMN)
        self.neighbours = {centre: self._count_neighbours(centre) for centre in board.centres}

    def node(self, kind: str, location: str) -> int:
        """Return the node of a unit of a kind at a location such as ``STP/SC``."""
        number = self.tables.location[location]
        return self.n + number if kind == "F" else self.tables.province_of[number]

    def _count_neighbours(self, centre: str) -> float:
        """Return how many centres are near a centre; each step to one halves what it counts."""
        around = measure_distances(self.board, [centre])
        return sum(0.5 ** around[c] for c in self.board.centres if around[c] <= _FAR)

    def _measure_proximity(self, centre: int) -> list[list[float]]:
        """Return how near each node is to a centre, for each number of steps looked at."""
        near = [float(province == centre) for province in self.province_of]
        found = [near]
        for _ in _SPRING[1:]:
            near = [
                (near[node] + sum(near[to] for to in ways)) / _SHARE
                for node, ways in enumerate(self.ways)
            ]
            found.append(near)
        return found


def _list_ways(tables: BoardTables) -> Iterator[tuple[int, ...]]:
    """Yield the nodes that can be reached from each node: armies' first, then fleets'."""
    n = tables.n
    yield from tables.army_to
    further: dict[int, list[int]] = {}
    for start, to in (*tables.course, *tables.haul):
        further.setdefault(start, []).append(to)
    for location, near in enumerate(tables.fleet_to):
        # A river's territory has one coast, so that its location has the province's number.
        rides = further.get(location, []) if location < n else []
        yield tuple(n + to for to in dict.fromkeys([*near, *rides]))


def _weigh(near: Sequence[Sequence[Sequence[float]]], weights: Row) -> tuple[Row, ...]:
    """Return the weight of each centre for each node."""
    rows = [
        [
            sum(weight * at[node] for weight, at in zip(weights, steps, strict=True))
            for node in range(len(steps[0]))
        ]
        for steps in near
    ]
    return tuple(zip(*rows, strict=True))
