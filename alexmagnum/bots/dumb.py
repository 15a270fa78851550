"""The bot *dumb*: greedy for near centres, with supports, in every kind of phase."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from alexmagnum import orders as order_types
from alexmagnum.board.geography import Province, split_location
from alexmagnum.bots.outlook import SCALE, MapWeights, Outlook, weigh_map
from alexmagnum.judge.other_phases import count_adjustments, list_building_rooms, list_legal_picks
from alexmagnum.position import Position
from alexmagnum.units import UnitTables

# The moves of the bot *dumb*: every unit goes for the best place, others support it there.
#
# The scheme is David Norman's DumbBot, widened to several fleets in a sea, rivers, the portage,
# generals and garrisons. There are no convoys.


STEADY: Final = 5.0
"""A unit takes the next best of two places with a chance of a half if they are equally good, and
never where the next is worse by one part in so many: with a lower number plans differ more."""

_GAP_BITS: Final = 10  # chances are compared in whole numbers: the gap between two places,
_DRAWN_BITS: Final = 20  # and what is drawn

# Percentages of a place's value:
_CROWD: Final = 15  # for each strength beyond the strongest rival's
_GENERAL_RISK: Final = 30  # lost by a general for each strength by which rivals prevail

_NOBODY: Final = -1


class _Goal:
    """Where a unit of the power goes (``to``, "" to stay), with the strength of it and its supports
    so far, and the ``threat`` of rivals there."""

    __slots__ = ("strength", "threat", "to", "unit", "value")

    def __init__(self, unit: int, to: str, strength: int, threat: int, value: int) -> None:
        self.unit: int = unit
        self.to: str = to
        self.strength: int = strength
        self.threat: int = threat
        self.value: int = value

    def needs_support(self) -> bool:
        """Tell whether rivals can still keep the unit out, or drive it from its place."""
        if not self.to:
            return self.threat > 1 and self.strength < self.threat
        return self.strength <= self.threat


class MovementPlan:
    """The orders of one power for a movement phase, while they are chosen."""

    def __init__(
        self, outlook: Outlook, power: str, rng: Random, steadiness: float = STEADY
    ) -> None:
        self._outlook: Outlook = outlook
        self._weights: MapWeights = outlook.weights
        self._units: UnitTables = outlook.units
        self._power: int = outlook.units.board.power[power]
        self._rng = rng
        self._steadiness: int = round(10.0 * steadiness)
        mine = [u for u in self._units.numbers if self._units.power[u] == self._power]
        self._mine: list[int] = list(mine)
        self._orders: dict[int, order_types.MovementOrder] = {}
        self._goals: dict[int, list[_Goal]] = {}
        self._hopeless: set[int] = set()

    def list_orders(self) -> list[order_types.MovementOrder]:
        """Return an order for each unit of the power."""
        waiting = list(self._mine)
        self._rng.shuffle(waiting)
        self._order_all(waiting)
        self._use_idle_units()
        self._order_again_where_hopeless()
        self._use_idle_units()
        self._attack_from_inside()
        return [self._orders[u] for u in self._mine]

    def _order_all(self, waiting: list[int]) -> None:
        """Order units, the last of the list first; before each, the one that is in its way."""
        deferred: set[int] = set()
        while waiting:
            u = waiting.pop()
            if u in self._orders:
                continue
            blocker = self._order(u, deferred)
            if blocker != _NOBODY:
                deferred.add(u)
                waiting.append(u)
                waiting.append(blocker)

    # -- where to go -------------------------------------------------------------------------------

    def _order(self, u: int, deferred: set[int]) -> int:
        """Order a unit; or return the unit of the power that has to be ordered before it."""
        ranked = self._rank_nodes(u)
        while ranked:
            value, node = ranked.pop(self._draw(ranked))
            province = self._weights.province_of[node]
            if province == self._units.province[u]:
                self._stay(u, value)
                return _NOBODY
            if u not in deferred:
                blocker = self._find_blocker(province, deferred)
                if blocker != _NOBODY:
                    return blocker
            if self._go(u, node, province, value):
                return _NOBODY
        self._stay(u, 0)
        return _NOBODY

    def _rank_nodes(self, u: int) -> list[tuple[int, int]]:
        """Return the values of the nodes that a unit may go for with the nodes, the best first."""
        node = self._outlook.nodes[u]
        ranked = [(self._value(u, node), node)]
        for to in self._outlook.ways[u]:
            value = self._value(u, to)
            if value >= 0:
                ranked.append((value, to))
        ranked.sort(reverse=True)
        return ranked

    def _draw(self, ranked: list[tuple[int, int]]) -> int:
        """Return the number of the place that a unit takes: mostly the best, sometimes a later."""
        chosen = 0
        while chosen + 1 < len(ranked):
            best, following = ranked[chosen][0], ranked[chosen + 1][0]
            chance = 10 << _GAP_BITS  # a half, less the more the next one is worse
            if best > 0:
                chance -= self._steadiness * (((best - following) << _GAP_BITS) // best)
            if chance <= 0:
                return chosen
            drawn: int = self._rng.getrandbits(_DRAWN_BITS)
            if drawn * 20 >= chance << (_DRAWN_BITS - _GAP_BITS):
                return chosen
            chosen += 1
        return chosen

    def _value(self, u: int, node: int) -> int:
        """Return what a place is worth as the destination of a unit, or -1 if it cannot get there;
        garrisons always hold (R27), so what is near must be stronger."""
        outlook = self._outlook
        province = self._weights.province_of[node]
        own = outlook.reach[province * outlook.parties + self._power]
        threat = self._find_threat(province)
        if self._find_garrison(province) >= own or province in self._hopeless:
            return _NOBODY
        value = outlook.worth(node, self._power) * (100 + _CROWD * max(-3, min(3, own - threat)))
        strength = self._units.base_strength[u]
        if strength > 1 and threat > strength:
            value = value * max(10, 100 - _GENERAL_RISK * (threat - strength)) // 100
        return value

    def _find_threat(self, province: int) -> int:
        """Return the strength that rivals can bring to a place: nobody hinders where a sea has room
        for all who could come, else one support decides (R10)."""
        if not self._has_room(province):
            return self._outlook.rival_strength(province, self._power)
        units, outlook = self._units, self._outlook
        room = units.board.capacity[province] - len(units.units_in[province])
        first = province * outlook.parties
        for party in range(outlook.parties):
            if party != self._power:
                room -= outlook.reach[first + party]
        for u in units.units_in[province]:
            if units.power[u] != self._power:
                room += 1
        return 0 if room > 0 else 1

    def _has_room(self, province: int) -> bool:
        """Tell whether a sea has a place that nobody holds (R9)."""
        capacity: int = self._units.board.capacity[province]
        return capacity > 1 and len(self._units.units_in[province]) < capacity

    def _find_garrison(self, province: int) -> int:
        """Return the strength of units in a province that neither obey nor give way, if any."""
        units, outlook = self._units, self._outlook
        strength = 0
        for u in units.units_in[province]:
            if not outlook.takes_orders(units.power[u]):
                strength = max(strength, units.base_strength[u])
        return strength

    def _find_blocker(self, province: int, deferred: set[int]) -> int:
        """Return a unit of the power that fills a province and has no order yet."""
        units = self._units
        there = units.units_in[province]
        capacity: int = units.board.capacity[province]
        if len(there) < capacity:
            return _NOBODY
        mine, found = 0, _NOBODY
        for u in there:
            if units.power[u] == self._power:
                mine += 1
                if found == _NOBODY and u not in self._orders and u not in deferred:
                    found = u
        return found if mine >= capacity else _NOBODY

    def _go(self, u: int, node: int, province: int, value: int) -> bool:
        """Move a unit to a place or support a unit there; return whether that makes sense."""
        goals = self._goals.setdefault(province, [])
        capacity: int = self._units.board.capacity[province]
        if len(goals) >= capacity:
            return self._support_one_of(u, province, goals)
        moving = [goal for goal in goals if goal.to]
        if moving and moving[0].needs_support():
            return self._support_one_of(u, province, moving)
        if not (to := self._write_destination(u, node, province)):
            return False
        self._orders[u] = order_types.Move(self._outlook.names[u], to)
        goals.append(_Goal(u, to, self._units.base_strength[u], self._find_threat(province), value))
        return True

    def _write_destination(self, u: int, node: int, province: int) -> str:
        """Return how an order writes a destination; "" if it is full of the power's own units."""
        tables = self._units.board
        if self._units.army[u]:
            return tables.ids[province]
        if tables.capacity[province] == 1 or self._has_room(province):
            return tables.location_names[node - self._weights.n]
        return self._name_rival(province) or tables.ids[province]  # no open place (R11, R12)

    def _name_rival(self, sea: int) -> str:
        """Return the place of the fleet of the largest rival in a sea, "" if there is none."""
        units, outlook = self._units, self._outlook
        most, found = -1, ""
        for u in units.units_in[sea]:
            power = units.power[u]
            if power not in (self._power, units.board.independents):
                size = outlook.sizes[outlook.powers[power]]
                if size > most:
                    most, found = size, units.units[u].place
        return found

    def _stay(self, u: int, value: int) -> None:
        self._orders[u] = order_types.Hold(self._outlook.names[u])
        province = self._units.province[u]
        goal = _Goal(u, "", self._units.base_strength[u], self._find_threat(province), value)
        self._goals.setdefault(province, []).append(goal)

    def _order_again_where_hopeless(self) -> None:
        """Send units elsewhere that attack a garrison without the supports that it takes."""
        waiting: list[int] = []
        for province, goals in self._goals.items():
            if goals and goals[0].to and goals[0].strength <= self._find_garrison(province):
                waiting.append(goals[0].unit)
                self._hopeless.add(province)
        for province in self._hopeless:
            del self._goals[province]
        for u in waiting:
            del self._orders[u]
        self._order_all(waiting)

    # -- supports ----------------------------------------------------------------------------------

    def _support_one_of(self, u: int, province: int, goals: list[_Goal]) -> bool:
        """Support the goal that needs it most; return whether one needs it."""
        if not self._can_support_into(u, province):
            return False
        if (best := _find_neediest(goals, u, None)) is None:
            return False
        self._support(u, best)
        return True

    def _support(self, u: int, goal: _Goal) -> None:
        goal.strength += 1
        names = self._outlook.names
        self._orders[u] = order_types.Support(names[u], names[goal.unit], goal.to or None)

    def _can_support_into(self, u: int, province: int) -> bool:
        """Tell whether a unit reaches a province across a border, or is a fleet in it (R14)."""
        units, tables = self._units, self._units.board
        if units.army[u]:
            return bool(tables.army_next[units.province[u] * tables.n + province])
        if units.province[u] == province:
            return bool(tables.is_sea[province]) and tables.capacity[province] > 1
        return bool(tables.fleet_reach[units.location[u] * tables.n + province])

    def _use_idle_units(self) -> None:
        """Let units that hold support what needs it most."""
        for u in self._mine:
            if not isinstance(self._orders[u], order_types.Hold):
                continue
            best: _Goal | None = None
            for province, goals in self._goals.items():
                if self._can_support_into(u, province):
                    best = _find_neediest(goals, u, best)
            if best is not None:
                self._support(u, best)

    def _attack_from_inside(self) -> None:
        """Let fleets that would hold attack a rival in the same sea, and others support them: each
        keeps its place and its strength (R11a)."""
        units = self._units
        for u in self._mine:
            province = units.province[u]
            if not units.board.is_sea[province] or not isinstance(
                self._orders[u], order_types.Hold
            ):
                continue
            to = self._name_rival(province)
            for goal in self._goals.get(province, ()):
                if to and goal.unit == u and goal.strength == 1:
                    self._orders[u] = order_types.Move(self._outlook.names[u], to)
                    goal.to, goal.threat = to, 1
                    self._use_idle_units()


def _find_neediest(goals: list[_Goal], u: int, best: _Goal | None) -> _Goal | None:
    """Return the goal that most needs support of those of other units, and one found so far."""
    for goal in goals:
        if goal.unit == u or not goal.needs_support():
            continue
        if best is None or (goal.value, goal.unit) > (best.value, best.unit):
            best = goal
    return best


# The picks of the Cyprus year (R30): what each power wants, and how it avoids the others' wishes.
#
# Whoever picks what another picks gets nothing. So each power mixes its picks, as in an
# equilibrium of fictitious play (Brown 1951): again and again each power picks what is worth most
# to it after the picks of the others so far, and how often it picked a centre is the chance with
# which it does.


_ROUNDS: Final = 30

_NEAR: Final = 1 << 15  # worth of a centre where the power has one; a fifth goes with each step
_REMOTE: Final = 1 << 8  # a far centre's worth; half of what is missing is missing with each step
_MAJOR: Final = 3
_PLAIN: Final = 2


class PickDraft:
    """One period of picks as all its bots see it: how often each power picks each centre.

    ``picks``: by power, the centres that it may pick; ``counts``: how often it picks each of them.
    """

    def __init__(self, position: Position, weights: MapWeights) -> None:
        self.position = position
        board = position.board
        number = {centre: c for c, centre in enumerate(board.centres)}
        self.picks: dict[str, list[str]] = {}
        open_to: list[list[int]] = []
        worths: list[list[int]] = []
        for power in board.powers:
            legal = [
                p.centre
                for p in list_legal_picks(position, power, map(order_types.Pick, board.centres))
            ]
            self.picks[power] = legal
            open_to.append([number[centre] for centre in legal])
            worths.append(_list_worths(position, weights, power, open_to[-1]))
        counts = _mix_picks(open_to, worths, len(board.centres))
        self.counts: dict[str, list[int]] = dict(zip(board.powers, counts, strict=True))

    def pick(self, power: str, rng: Random) -> list[order_types.Order]:
        """Return the pick of a power; nothing if there is none."""
        legal = self.picks[power]
        return [order_types.Pick(rng.choices(legal, self.counts[power])[0])] if legal else []


def _list_worths(
    position: Position, weights: MapWeights, power: str, centres: list[int]
) -> list[int]:
    """Return what centres are worth to a power: more near its own, and far from the others'."""
    board = position.board
    owners = [position.owners.get(centre, "") for centre in board.centres]
    own = [c for c, owner in enumerate(owners) if owner == power]
    others = [c for c, owner in enumerate(owners) if owner and owner != power]
    worths: list[int] = []
    for c in centres:
        distances = weights.distances[c]
        worth = _MAJOR if board.provinces[board.centres[c]].major else _PLAIN
        if own:
            steps = min([distances[other] for other in own])
            worth = worth * _NEAR * 4**steps // 5**steps
        if others:
            steps = min([distances[other] for other in others])
            worth *= _REMOTE - (_REMOTE >> steps)
        worths.append(worth)
    return worths


def _mix_picks(open_to: list[list[int]], worths: list[list[int]], centres: int) -> list[list[int]]:
    """Return how often each power picks each centre that is open to it; all pick at once in each
    round, so that the sequence of the powers favours none."""
    powers = len(open_to)
    counts = [[0] * len(listed) for listed in open_to]
    free = [[0] * centres for _ in open_to]  # by power and centre: the rounds without that pick
    for _ in range(_ROUNDS):
        chosen = [_find_best(power, open_to[power], worths[power], free) for power in range(powers)]
        for power in range(powers):
            row, best = free[power], chosen[power]
            for c in range(centres):
                row[c] += 1
            if best >= 0:
                counts[power][best] += 1
                row[open_to[power][best]] -= 1
    return counts


def _find_best(power: int, listed: list[int], worths: list[int], free: list[list[int]]) -> int:
    """Return the number of the pick that is worth most after the others' picks, or -1."""
    best, most = -1, -1
    for i in range(len(listed)):
        c, worth = listed[i], worths[i]
        for other in range(len(free)):
            if other != power:
                worth *= free[other][c] + 1  # how often it left the centre to others
        if worth > most:
            best, most = i, worth
    return best


# The bot *dumb*: greedy for near centres, with supports, in every kind of phase.


_DEFENCE: Final = 10 * SCALE  # of a new unit, for each strength that rivals can bring to its place


class DumbBot:
    """DumbBot's scheme for every kind of phase; fast enough for thousands of games.

    Its figures for the last position asked about are kept.
    """

    name = "dumb"

    def __init__(self) -> None:
        self._outlook: Outlook | None = None
        self._draft: PickDraft | None = None

    def orders(self, position: Position, power: str, rng: Random) -> Sequence[order_types.Order]:
        """Return a power's orders; see :class:`~alexmagnum.bots.Bot`."""
        if position.in_revolt(power):
            return []
        if (kind := position.phase.kind) == "picks":
            if self._draft is None or self._draft.position is not position:
                self._draft = PickDraft(position, weigh_map(position.board))
            return self._draft.pick(power, rng)
        outlook = self.look_at(position)
        if kind == "movement":
            return MovementPlan(outlook, power, rng).list_orders()
        if kind == "retreats":
            return retreat(outlook, power)
        if kind == "deployment":
            return deploy(outlook, power)
        return adjust(outlook, power)

    def look_at(self, position: Position) -> Outlook:
        """Return what all powers see in a position; the last one is kept."""
        known = self._outlook
        if known is None or known.position is not position:
            known = self._outlook = Outlook(position, weigh_map(position.board))
        return known


# -- new units, retreats and winter ---------------------------------------------------------------


def deploy(outlook: Outlook, power: str) -> list[order_types.Order]:
    """Place a unit in every free centre of the power, a general in the best (R31)."""
    position = outlook.position
    occupied = {unit.province for unit in position.units}
    free = [centre for centre in position.centres_of(power) if centre not in occupied]
    return _place_units(outlook, power, free, count_adjustments(position)[power])


def retreat(outlook: Outlook, power: str) -> list[order_types.Order]:
    """Retreat with each unit to the best place open to it, each to another one."""
    position = outlook.position
    orders: list[order_types.Order] = []
    taken: set[str] = set()
    dislodged = [d for d in position.dislodged if d.unit.power == power]
    for lost in sorted(dislodged, key=lambda d: (d.unit.kind != "G", len(d.retreats), d.unit)):
        name = position.name(lost.unit)
        if not (ways := [to for to in lost.retreats if split_location(to)[0] not in taken]):
            orders.append(order_types.Disband(name))
            continue
        node = outlook.weights.node
        best = max(ways, key=lambda to: (outlook.value(node(lost.unit.kind, to), power), to))
        taken.add(split_location(best)[0])
        orders.append(order_types.Retreat(name, best))
    return orders


def adjust(outlook: Outlook, power: str) -> list[order_types.Order]:
    """Build where new units are worth most, remove those that are worth least (R32)."""
    position = outlook.position
    if (due := count_adjustments(position)[power]) < 0:
        units = sorted(
            position.units_of(power),
            key=lambda u: (
                u.kind == "G",
                outlook.value(outlook.weights.node(u.kind, u.location), power),
                u,
            ),
        )
        return [order_types.Remove(position.name(unit)) for unit in units[:-due]]
    builds = _place_units(outlook, power, list_building_rooms(position, power), due)
    return [*builds, *(order_types.Waive() for _ in range(due - len(builds)))]


def _place_units(
    outlook: Outlook, power: str, rooms: Iterable[str], most: int
) -> list[order_types.Order]:
    """Return builds in the best of some centres; the first is a general if the power has none."""
    position = outlook.position
    has_general = any(unit.kind == "G" for unit in position.units if unit.power == power)
    kinds = "G" if position.board.rules.nobility and not has_general else "AF"
    left = list(rooms)
    builds: list[order_types.Order] = []
    while left and len(builds) < most:
        _, text, centre = max(
            (_value_new_unit(outlook, power, text), text, centre)
            for centre in left
            for text in _list_new_units(position.board.provinces[centre], kinds)
        )
        builds.append(order_types.Build(text))
        left.remove(centre)
        kinds = "AF"
    return builds


def _list_new_units(province: Province, kinds: str) -> list[str]:
    """Return the units that can be placed in a centre; only a general if one is wanted."""
    if "G" in kinds:
        return [f"G {province.id}"]
    texts = [f"A {province.id}"]
    if province.coastal or province.rivers:
        texts += [f"F {province.id}/{coast}" for coast in province.coasts] or [f"F {province.id}"]
    return texts


def _value_new_unit(outlook: Outlook, power: str, text: str) -> int:
    """Return what it is worth to place a unit, more where rivals are near."""
    kind, location = text.split()
    weights = outlook.weights
    node = weights.node(kind, location)
    defence = _DEFENCE * outlook.threat(weights.province_of[node], power)
    return outlook.value(node, power) + defence
