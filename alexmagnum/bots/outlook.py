"""A position as bots see it: who can reach what, and what each place is worth to a power."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from alexmagnum.board.geography import split_location
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.board.tables import BoardTables
from alexmagnum.judge.other_phases import measure_distances
from alexmagnum.orders import Build, Convoy, Move, Order, Pick, Retreat, Support
from alexmagnum.position import AUTUMN, MOVEMENT, Position, Unit
from alexmagnum.units import UnitTables

# The weight of each centre for a unit that stands somewhere, worked out once for a map.
#
# Open this for how far a bot looks. A unit stands on a *node*: an army on the node of its
# province, a fleet on the node of its location. Two nodes are neighbours if a unit can go from
# one to the other in a turn without a convoy: over a border, along a river (R18) or over a
# portage (R23).
#
# All weights and worths are whole numbers, so that every machine and every Python finds the same.


Row = tuple[int, ...]

SCALE: Final = 1 << 18
"""The factor by which weights are kept as whole numbers."""

_SHARE: Final = 5  # a node passes its proximity on divided by this at each step

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
        self.distances: list[list[int]] = []
        for centre in board.centres:
            distance = measure_distances(board, [centre])
            self.distances.append([distance[other] for other in board.centres])
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
        """Return how near each node is to a centre, for each number of steps looked at."""
        near = [int(province == centre) for province in self.province_of]
        found = [near]  # after so many steps in units of 1 / ``_SHARE`` to that power
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


# A position as bots see it: who can reach what, and the worth of each place to a power.


_LEAST_SIZE: Final = 16
_SPRING_ATTACK: Final = 7
_SPRING_DEFENCE: Final = 3
_AUTUMN_ATTACK: Final = 6
_AUTUMN_DEFENCE: Final = 4
"""The shares of attack and defence in the value of a centre."""

_UNKNOWN: Final = -1


class Outlook:
    """One position as all its bots see it.

    Powers are numbered as in the tables of the board; the number of the independents comes last.
    ``reach[province * parties + power]``: the strength with which a power can move to a province or
    stands there; ``nodes``, ``ways``: by number of a unit of the position's tables, its node and
    the nodes that it can reach; ``names``: by number, its canonical name; ``sizes``: by power, how
    much a centre of it is worth, "" for centres without an owner.
    """

    def __init__(self, position: Position, weights: MapWeights) -> None:
        self.position = position
        self.weights = weights
        units = position.tables
        self.units: UnitTables = units
        self.names: list[str] = units.list_names()
        self.powers: tuple[str, ...] = tuple(position.board.powers)
        self.parties: int = len(self.powers) + 1
        self.revolting: list[bool] = [position.in_revolt(power) for power in self.powers]
        is_spring = position.phase.season in MOVEMENT and position.phase.season != AUTUMN
        self.is_spring: bool = is_spring
        self.seasonal: tuple[Row, ...] = weights.spring if is_spring else weights.autumn
        self.nodes: list[int] = [
            units.province[u] if units.army[u] else weights.n + units.location[u]
            for u in units.numbers
        ]
        self.ways: list[tuple[int, ...]] = [self._find_ways(u) for u in units.numbers]
        self.reach: list[int] = [0] * (weights.n * self.parties)
        self._strongest: list[int] = [0] * weights.n
        self._second: list[int] = [0] * weights.n
        self._leader: list[int] = [_UNKNOWN] * weights.n
        for u in units.numbers:
            self._add_reach(u)
        self._rank_reach()
        self._value_centres()

    # -- who can reach what ------------------------------------------------------------------------

    def _find_ways(self, u: int) -> tuple[int, ...]:
        """Return the nodes a unit can reach.  Visible units block it on a river (R19), on a portage
        (R23), and beside that, where armies raid the hauled fleet (R24)."""
        units, weights = self.units, self.weights
        if not self.takes_orders(units.power[u]):
            return ()
        node = self.nodes[u]
        ways = weights.ways[node]
        closings = weights.closings[node]
        if not closings:
            return ways
        return tuple([to for to in ways if to not in closings or self._is_open(u, node, to)])

    def _is_open(self, u: int, node: int, to: int) -> bool:
        """Tell whether nobody is in the way of a ride, nor can raid it."""
        units, weights = self.units, self.weights
        for province in weights.closings[node][to]:
            if units.units_in[province]:
                return False
        if to in weights.raiders[node]:
            for province in weights.raiders[node][to]:
                for other in units.units_in[province]:
                    rival = units.power[other]
                    if units.army[other] and rival != units.power[u] and self.takes_orders(rival):
                        return False
        return True

    def takes_orders(self, power: int) -> bool:
        """Tell whether units are neither garrisons (R27) nor in revolt (R3)."""
        return power != self.units.board.independents and not self.revolting[power]

    def _add_reach(self, u: int) -> None:
        """Add the strength of a unit where it stands, and once to each province it can reach."""
        units, weights, reach, parties = self.units, self.weights, self.reach, self.parties
        power, strength = units.power[u], units.base_strength[u]
        here = units.province[u]
        reach[here * parties + power] += strength
        added: list[int] = [here]
        for to in self.ways[u]:
            province = weights.province_of[to]
            if province not in added:
                added.append(province)
                reach[province * parties + power] += strength

    def _rank_reach(self) -> None:
        """Find the two strongest parties at each province."""
        reach, parties = self.reach, self.parties
        for province in range(self.weights.n):
            strongest, second, leader = 0, 0, _UNKNOWN
            for party in range(parties):
                strength = reach[province * parties + party]
                if strength > strongest:
                    strongest, second, leader = strength, strongest, party
                elif strength > second:
                    second = strength
            self._strongest[province] = strongest
            self._second[province] = second
            self._leader[province] = leader

    def strength(self, unit: Unit) -> int:
        """Return the strength of a unit by itself (R1, R3)."""
        if unit.kind == "G" and not self.position.in_revolt(unit.power):
            return self.position.board.rules.general_strength
        return 1

    def rival_strength(self, province: int, power: int) -> int:
        """Return the strength of the strongest rival of a power, by number, at a province."""
        if self._leader[province] == power:
            return self._second[province]
        return self._strongest[province]

    def threat(self, province: int, power: str) -> int:
        """Return the strength of the strongest rival of a power at a province."""
        return self.rival_strength(province, self.units.board.power[power])

    def find_rival(self, province: int, power: str) -> tuple[str, int]:
        """Return the strongest rival of a power at a province and its strength, or "" and 0."""
        rival, most = "", 0
        for party, name in enumerate((*self.powers, INDEPENDENT)):
            strength = self.reach[province * self.parties + party]
            if name != power and strength and (strength, name) > (most, rival):
                rival, most = name, strength
        return rival, most

    # -- what places are worth ---------------------------------------------------------------------

    def _value_centres(self) -> None:
        """Value each centre: a foreign one at the size of its owner, an own one at that of the
        largest rival who can reach it."""
        position, weights = self.position, self.weights
        count = dict.fromkeys((*self.powers, ""), 0)
        owners = [position.owners.get(centre, "") for centre in position.board.centres]
        for owner in owners:
            count[owner] += 1
        self.sizes: dict[str, int] = {
            power: c * c + 4 * c + _LEAST_SIZE for power, c in count.items()
        }
        attack = _SPRING_ATTACK if self.is_spring else _AUTUMN_ATTACK
        defence = _SPRING_DEFENCE if self.is_spring else _AUTUMN_DEFENCE
        by_number = [self.sizes[power] for power in self.powers]
        self._foreign: Row = tuple([attack * self.sizes[owner] for owner in owners])
        self._own: list[list[tuple[int, int]]] = [[] for _ in self.powers]
        for centre, owner in enumerate(owners):
            if owner:
                power = self.units.board.power[owner]
                at = weights.centres[centre] * self.parties
                most = 0
                for rival, size in enumerate(by_number):
                    if rival != power and size > most and self.reach[at + rival]:
                        most = size
                self._own[power].append((centre, defence * most))
        self._shared: list[int] = [_UNKNOWN] * len(weights.ways)
        self._worths: list[list[int]] = [[] for _ in self.powers]

    def centre_values(self, power: str) -> tuple[int, ...]:
        """Return what each centre is worth to a power, in the order of ``board.centres``."""
        values = list(self._foreign)
        for centre, value in self._own[self.units.board.power[power]]:
            values[centre] = value
        return tuple(values)

    def find_aim(self, node: int, power: str) -> str:
        """Return the centre that a unit on a node is of most use for; "" if there is none."""
        best, aim = 0, ""
        values = self.centre_values(power)
        for c, centre in enumerate(self.position.board.centres):
            share = self.seasonal[node][c] * values[c]
            if share > best:
                best, aim = share, centre
        return aim

    def value(self, node: int, power: str) -> int:
        """Return what it is worth to a power to have a unit on a node."""
        return self.worth(node, self.units.board.power[power])

    def worth(self, node: int, power: int) -> int:
        """Return what it is worth to a power, by number, to have a unit on a node."""
        known = self._worths[power]
        if not known:
            known = self._worths[power] = [_UNKNOWN] * len(self.weights.ways)
        total = known[node]
        if total < 0:
            row, foreign = self.seasonal[node], self._foreign
            total = self._shared[node]  # to a power without centres
            if total < 0:
                total = self._shared[node] = sum_worths(row, foreign)
            for centre, value in self._own[power]:
                total += row[centre] * (value - foreign[centre])
            known[node] = total
        return total


# Prospects of powers after a movement phase: which centres they will hold, and where units stand.
#
# Open this for how bots weigh an outcome of the batch judge without playing on. All figures are
# whole numbers, so that every Python and both builds find the same.


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

_PLACE: Final = 250  # the worth of the best place for a unit
_DISLODGED: Final = -700
_GENERAL_DISLODGED: Final = -1500
_RIVAL_DISLODGED: Final = 150
_RIVAL_CENTRE: Final = 120  # the worth of keeping a rival from a centre
_LEADER: Final = 20  # what a centre is worth more for each centre that its owner has

_NOBODY: Final = -1
_EDGE: Final = 2


class BoardReach:
    """The centres in reach of each place of a board, by the numbers of the batch judge.

    ``army``, ``fleet``: by place, the centres that an army or a fleet there can move to;
    ``centre_at``: the centre at a place, -1 if there is none; ``army_node``, ``fleet_node``: the
    nodes of :class:`~alexmagnum.bots.outlook.MapWeights`.
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
                lost = _GENERAL_DISLODGED if self._is_general[u] else _DISLODGED
                total += lost if p == power else _RIVAL_DISLODGED
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

    def _measure_centre(self, power: int, c: int, strength: list[int], holder: int) -> int:
        """Return what a centre is worth to a power, as likely as it will hold it; ``strength``: by
        centre and power, what it can bring there; ``holder``: whose unit stands there."""
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
    return row[max(-_EDGE, min(_EDGE, difference)) + _EDGE]


# The reasons for orders: the centre that each is for, and the rival who may hinder it.


class Advice(NamedTuple):
    """An order with its reason.

    ``aim``: the centre that the order is for, "" if there is none; ``owner``: the power that owns
    it, "" if nobody does; ``rival``, ``strength``: the strongest rival who can be where the order
    leads to, and with which strength ("" and 0 if nobody can).
    """

    order: Order
    aim: str = ""
    owner: str = ""
    rival: str = ""
    strength: int = 0


def give_reasons(position: Position, power: str, orders: Iterable[Order]) -> list[Advice]:
    """Return orders of a power with the reasons that *dumb* sees for them."""
    outlook = Outlook(position, weigh_map(position.board))
    return [_give_reason(outlook, power, order) for order in orders]


def _give_reason(outlook: Outlook, power: str, order: Order) -> Advice:
    position = outlook.position
    for kind, location in _find_goal(position, order):
        province = outlook.weights.tables.index[split_location(location)[0]]
        aim = split_location(location)[0] if isinstance(order, Pick) else ""
        aim = aim or outlook.find_aim(outlook.weights.node(kind, location), power)
        rival, strength = outlook.find_rival(province, power)
        return Advice(order, aim, position.owners.get(aim, ""), rival, strength)
    return Advice(order)


def _find_goal(position: Position, order: Order) -> Iterator[tuple[str, str]]:
    """Yield the kind of unit and the location that an order is about; nothing for a waiver."""
    if isinstance(order, Build):
        kind, location = order.unit.split()
        yield kind, location
    elif isinstance(order, Pick):
        yield "A", order.centre
    elif name := getattr(order, "unit", ""):
        acting = order.supported if isinstance(order, Support) else name
        acting = order.army if isinstance(order, Convoy) else acting
        unit = position.names[acting]
        to = order.to if isinstance(order, Move | Retreat | Support | Convoy) else None
        province, coast, _ = split_location(to or unit.location)
        coasts = position.board.provinces[province].coasts
        has_coast = unit.kind == "F" and coasts
        yield unit.kind, f"{province}/{coast or coasts[0]}" if has_coast else province
