"""The weight of each centre for a unit that stands somewhere, worked out once for a map.

Open this for how far a bot looks.  A unit stands on a *node*: an army on the node of its province,
a fleet on the node of its location.  Two nodes are neighbours if a unit can go from one to the
other in a turn without a convoy: over a border, along a river (R18) or over a portage (R23).

All weights and worths are whole numbers, so that every machine and every Python finds the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from alexmagnum.board.model import Board
from alexmagnum.board.tables import BoardTables
from alexmagnum.judge.winter import measure_distances

Row = tuple[int, ...]

SCALE: Final = 1 << 18
"""The factor by which weights are kept as whole numbers."""

_SHARE: Final = 5
"""A node passes its proximity on divided by this at each step."""

_SPRING: Final = (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1)
_AUTUMN: Final = (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1)
"""The weight of a proximity by the number of steps: in spring a centre is taken with the second
move, in autumn with the first."""


class MapWeights:
    """The nodes of a board, the ways between them, and what each centre weighs on each node.

    ``ways[node]``: the nodes that a unit can reach from a node in a turn; ``province_of[node]``;
    ``closings[node]``: by nodes reached along a river or over a portage, the provinces that have to
    be empty on the way; ``raiders[node]``: in the same way, the provinces whose armies can raid the
    fleet (R24); ``spring[node]``, ``autumn[node]``: the weight of each centre, in the order of
    ``board.centres``; ``distances[centre]``: how many steps over any border it is to each centre.
    """

    def __init__(self, board: Board) -> None:
        tables = board.tables
        self.board = board
        self.tables: BoardTables = tables
        self.n: int = tables.n
        self.province_of: tuple[int, ...] = (*range(tables.n), *tables.province_of)
        self.closings: list[dict[int, tuple[int, ...]]] = [{} for _ in self.province_of]
        self.raiders: list[dict[int, frozenset[int]]] = [{} for _ in self.province_of]
        self.ways: tuple[tuple[int, ...], ...] = self._list_ways()
        self.centres: tuple[int, ...] = tuple([tables.index[centre] for centre in board.centres])
        self.distances: list[list[int]] = [
            _list_distances(board, centre) for centre in board.centres
        ]
        near = [self._measure_proximity(centre) for centre in self.centres]
        self.spring: tuple[Row, ...] = _weigh(near, _SPRING, len(self.ways))
        self.autumn: tuple[Row, ...] = _weigh(near, _AUTUMN, len(self.ways))

    def node(self, kind: str, location: str) -> int:
        """Return the node of a unit of a kind at a location such as ``STP/SC``."""
        number = self.tables.location[location]
        return self.n + number if kind == "F" else self.tables.province_of[number]

    def _list_ways(self) -> tuple[tuple[int, ...], ...]:
        """Return the nodes that can be reached from each node: armies' first, then fleets'."""
        tables, n = self.tables, self.n
        ways: list[list[int]] = [list(near) for near in tables.army_to]
        ways += [[n + to for to in near] for near in tables.fleet_to]
        # A river's territory has one coast, so that its location has the province's number.
        for (start, to), course in tables.course.items():
            if n + to not in ways[n + start]:
                ways[n + start].append(n + to)
                self.closings[n + start][n + to] = course.path[:-1]
        for (start, to), over in tables.haul.items():
            ways[n + start].append(n + to)
            self.closings[n + start][n + to] = () if over in (start, to) else (over,)
            self.raiders[n + start][n + to] = frozenset(tables.raiders[over])
        return tuple([tuple(reached) for reached in ways])

    def _measure_proximity(self, centre: int) -> list[list[int]]:
        """Return how near each node is to a centre, for each number of steps looked at.

        After so many steps it is written in units of 1 / ``_SHARE`` to that power.
        """
        near = [int(province == centre) for province in self.province_of]
        found = [near]
        for _ in _SPRING[1:]:
            before = near
            near = [
                before[node] + sum([before[to] for to in ways])
                for node, ways in enumerate(self.ways)
            ]
            found.append(near)
        return found


def sum_worths(weights: Row, worths: Row) -> int:
    """Return the sum of the centres' worths, each times its weight."""
    total = 0
    for weight, worth in zip(weights, worths):  # noqa: B905 - compiled, only a plain zip is a loop
        total += weight * worth
    return total


@lru_cache(maxsize=8)
def weigh_map(board: Board) -> MapWeights:
    """Return the weights of a board; those of the last boards are kept, for all bots."""
    return MapWeights(board)


def _list_distances(board: Board, centre: str) -> list[int]:
    """Return the distance from a centre to each centre of the board."""
    distance = measure_distances(board, [centre])
    return [distance[other] for other in board.centres]


def _weigh(near: Sequence[Sequence[Sequence[int]]], weights: Row, nodes: int) -> tuple[Row, ...]:
    """Return the weight of each centre for each of so many nodes."""
    last = len(weights) - 1
    unit = _SHARE**last
    parts = [weight * _SHARE ** (last - i) * SCALE for i, weight in enumerate(weights)]
    rows = [
        tuple(
            [
                sum([part * at[node] for part, at in zip(parts, steps, strict=True)]) // unit
                for steps in near
            ]
        )
        for node in range(nodes)
    ]
    return tuple(rows)
