"""Prospects of powers after a movement phase: which centres they will hold, and where units stand.

Open this for how bots weigh an outcome of the batch judge without playing on.  All figures are
whole numbers, so that every Python and both builds find the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from alexmagnum.board.model import Board
from alexmagnum.bots.map_weights import MapWeights, Row, sum_worths, weigh_map
from alexmagnum.bots.outlook import Outlook
from alexmagnum.position import Unit

CENTRE: Final = 1000
"""The worth of a centre that is safe."""

# How likely a power holds a centre in the end, in thousandths, by the difference between its
# strength there and that of its strongest rival, from -2 to 2.  After spring, what autumn brings:
_SPRING_KEPT: Final = [700, 850, 970, 990, 1000]
_SPRING_EMPTY: Final = [400, 550, 800, 900, 950]
_SPRING_LOST: Final = [50, 150, 350, 600, 700]
_SPRING_TAKEN: Final = [450, 700, 920, 960, 980]
_SPRING_OPEN: Final = [50, 120, 300, 650, 750]
_SPRING_FOREIGN: Final = [20, 60, 180, 520, 650]
# and after autumn, what the next year brings:
_AUTUMN_KEPT: Final = [750, 880, 970, 990, 1000]
_AUTUMN_EMPTY: Final = [600, 750, 900, 950, 980]
_AUTUMN_OPEN: Final = [30, 60, 150, 350, 450]
_AUTUMN_FOREIGN: Final = [10, 30, 100, 280, 350]

_PLACE: Final = 250
"""The worth of the best place for a unit."""
_DISLODGED: Final = -700
_GENERAL_DISLODGED: Final = -1500
_RIVAL_DISLODGED: Final = 150
_RIVAL_CENTRE: Final = 120
"""The worth of keeping a rival from a centre."""
_LEADER: Final = 20
"""What a centre is worth more for each centre that its owner has."""

_NOBODY: Final = -1
_UNKNOWN: Final = -1
_EDGE: Final = 2


class BoardReach:
    """The centres in reach of each place of a board, by the numbers of the batch judge.

    ``army``, ``fleet``: by place, the centres that an army or a fleet there can move to;
    ``centre_at``: the centre at a place, -1 if there is none; ``army_node``, ``fleet_node``: the
    nodes of :class:`~alexmagnum.bots.map_weights.MapWeights`.
    """

    def __init__(self, weights: MapWeights) -> None:
        tables = weights.tables
        centre_of = {province: c for c, province in enumerate(weights.centres)}
        self.army: list[list[int]] = []
        self.fleet: list[list[int]] = []
        self.centre_at: list[int] = []
        self.army_node: list[int] = []
        self.fleet_node: list[int] = []
        for location, province in enumerate(tables.province_of):
            fleet = weights.n + location
            for _ in range(tables.capacity[province]):
                self.centre_at.append(centre_of.get(province, _NOBODY))
                self.army_node.append(province)
                self.fleet_node.append(fleet)
                for node, listed in ((province, self.army), (fleet, self.fleet)):
                    ahead = {weights.province_of[to] for to in weights.ways[node]} - {province}
                    listed.append(sorted(centre_of[to] for to in ahead if to in centre_of))


@lru_cache(maxsize=8)
def find_reach(board: Board) -> BoardReach:
    """Return the centres in reach on a board; those of the last boards are kept, for all bots."""
    return BoardReach(weigh_map(board))


class Prospects:
    """What outcomes of a position's movement phase are worth to each power.

    ``in_spring``: whether autumn, which decides who owns a centre, is still to come.
    ``number_of``: the numbers of the powers.
    """

    def __init__(self, outlook: Outlook, units: Sequence[Unit], in_spring: bool) -> None:
        position, weights = outlook.position, outlook.weights
        powers = list(position.board.powers)
        self.number_of: dict[str, int] = {power: p for p, power in enumerate(powers)}
        self._outlook = outlook
        self._reach: BoardReach = find_reach(position.board)
        self._powers: list[str] = powers
        self._columns: int = len(powers) + 1
        self._centres: int = len(weights.centres)
        self._power_of: list[int] = [self.number_of.get(unit.power, len(powers)) for unit in units]
        self._strength: list[int] = [outlook.strength(unit) for unit in units]
        self._is_fleet: list[bool] = [unit.kind == "F" for unit in units]
        self._is_general: list[bool] = [unit.kind == "G" for unit in units]
        self._moves: list[bool] = [position.takes_orders(unit) for unit in units]
        self._owner: list[int] = [
            self.number_of.get(position.owners.get(centre, ""), _NOBODY)
            for centre in position.board.centres
        ]
        self._size: list[int] = [self._owner.count(p) for p in range(len(powers))]
        self._worth_at: list[list[int]] = [[_UNKNOWN] * len(weights.ways) for _ in powers]
        self._best: list[int] = [0] * len(powers)
        self._is_autumn: bool = not in_spring
        # of the season that follows
        self._seasonal: Sequence[Row] = weights.spring if self._is_autumn else weights.autumn
        if self._is_autumn:
            self._kept, self._empty, self._lost = _AUTUMN_KEPT, _AUTUMN_EMPTY, _AUTUMN_FOREIGN
            self._taken, self._open, self._foreign = _AUTUMN_KEPT, _AUTUMN_OPEN, _AUTUMN_FOREIGN
        else:
            self._kept, self._empty, self._lost = _SPRING_KEPT, _SPRING_EMPTY, _SPRING_LOST
            self._taken, self._open, self._foreign = _SPRING_TAKEN, _SPRING_OPEN, _SPRING_FOREIGN

    def measure(self, places: list[int], power: int) -> int:
        """Return what it is worth to a power that the units stand where they do then.

        ``places``: by unit, its place as the batch judge numbers it, or why it is gone.
        """
        columns, reach = self._columns, self._reach
        strength: list[int] = [0] * (columns * self._centres)
        holders: list[int] = [_NOBODY] * self._centres
        total = 0
        for u in range(len(self._power_of)):
            p, at = self._power_of[u], places[u]
            if at < 0:
                total += self._measure_loss(u, p == power)
                continue
            here = reach.centre_at[at]
            if here >= 0:
                holders[here] = p
                strength[here * columns + p] += self._strength[u]
            if self._moves[u]:
                for c in reach.fleet[at] if self._is_fleet[u] else reach.army[at]:
                    strength[c * columns + p] += self._strength[u]
            if p == power:
                node = reach.fleet_node[at] if self._is_fleet[u] else reach.army_node[at]
                worth = self._worth_at[p][node]
                total += worth if worth != _UNKNOWN else self._find_worth(p, node)
        for c in range(self._centres):
            total += self._measure_centre(power, c, strength, holders[c])
        return total

    def _measure_loss(self, u: int, is_own: bool) -> int:
        """Return what it is worth that a unit is dislodged or destroyed."""
        if not is_own:
            return _RIVAL_DISLODGED
        return _GENERAL_DISLODGED if self._is_general[u] else _DISLODGED

    def _measure_centre(self, power: int, c: int, strength: list[int], holder: int) -> int:
        """Return what a centre is worth to a power, as likely as it will hold it.

        ``strength``: by centre and power, what it can bring there; ``holder``: whose unit stands
        there.
        """
        start, rival = c * self._columns, 0
        for p in range(self._columns):
            if p != power and strength[start + p] > rival:
                rival = strength[start + p]
        mine, owner = strength[start + power], self._owner[c]
        if self._is_autumn and 0 <= holder < self._columns - 1:
            owner = holder
        if owner == power:
            if holder == _NOBODY and rival == 0:
                return CENTRE
            row = self._kept if holder == power else self._lost
            row = self._empty if holder == _NOBODY else row
            return _look_up(row, mine - rival)
        if mine == 0:
            return -_RIVAL_CENTRE if owner >= 0 else 0
        row = self._taken if holder == power else self._foreign
        row = self._open if holder == _NOBODY else row
        chance = _look_up(row, mine - rival)
        if owner < 0:
            return chance
        more = _LEADER * self._size[owner] + _RIVAL_CENTRE
        return chance + more * chance // CENTRE - _RIVAL_CENTRE

    def _find_worth(self, p: int, node: int) -> int:
        """Return what it is worth to a power to have a unit on a node, and keep it."""
        values = self._outlook.centre_values(self._powers[p])
        best = self._best[p]
        if not best:
            best = self._best[p] = max([sum_worths(row, values) for row in self._seasonal]) or 1
        worth = _PLACE * sum_worths(self._seasonal[node], values) // best
        self._worth_at[p][node] = worth
        return worth


def _look_up(row: list[int], difference: int) -> int:
    """Return the entry of a row for a difference of strengths."""
    return row[max(-_EDGE, min(_EDGE, difference)) + _EDGE]
