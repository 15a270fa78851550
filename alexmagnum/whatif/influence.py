"""Finding the orders that can influence a question: the pruning that makes what-if fast and exact.

Every unit has one or several orders that it might be given.  A question asks for the fate of units
and for the units in provinces.  From there the search follows everything on which the answer can
depend, whatever the others choose.  What it never reaches cannot matter, and orders of a unit that
differ in nothing reached are interchangeable.  The search may keep an order that makes no
difference, but never drops one that does.

Two things are followed:

- the *scene* of a province: the units that enter it, and whether the units in it leave (R10 to R12,
  R20);
- the *siege* of a unit that stays: the attacks on it, which may dislodge it, cut its support or
  disrupt its convoy (R13, R16).  Where it would go instead does not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from alexmagnum.board.numbers import LocationNo, UnitNo
from alexmagnum.judge.legality import BY_CONVOY, EXPRESS, HAULED, Memory, Way
from alexmagnum.orders import Convoy, Move, Order, Support
from alexmagnum.position import Position

NOWHERE = -1


class Act(NamedTuple):
    """The effect of a legal order, in numbers of the tables; :data:`IDLE` has none.

    - ``enters``: the provinces that a move tries to enter, one after another (empty: no move);
    - ``over``: the land over which it is hauled;
    - ``carried``: whether it certainly goes by convoy;
    - ``names``: the unit that it names as the one attacked (R11);
    - ``helps``: the unit that is supported or convoyed;
    - ``to``: the province to which this unit is helped (NOWHERE: it is helped to hold);
    - ``convoys``: whether the order is a convoy.
    """

    enters: tuple[int, ...] = ()
    over: int = NOWHERE
    carried: bool = False
    names: int = NOWHERE
    helps: int = NOWHERE
    to: int = NOWHERE
    convoys: bool = False


IDLE = Act()

Open = Sequence[Sequence[int]]
"""The orders that each unit may still be given, as numbers in the list of its orders."""


class Question(NamedTuple):
    """A question about units and provinces, in numbers of the tables.

    It asks for the fate of ``units``, and whether units foreign to ``power`` stand in ``provinces``
    after the phase.
    """

    units: tuple[int, ...] = ()
    provinces: tuple[int, ...] = ()
    power: int = NOWHERE


class Group(NamedTuple):
    """Orders of a unit that are alike for a question; ``idle``: none of them matters."""

    orders: tuple[int, ...]
    idle: bool


SCENE: Final = 0
SIEGE: Final = 1
STRENGTH: Final = 2
WAY: Final = 3
CUT: Final = 4

Step = tuple[int, int, int]
"""A step of the search: its kind, the unit or province to follow, and the number of an order.

They are numbers because most steps are reached several times, and numbers are fast to compare.
"""


class Influence:
    """The effects of all orders that might be given in one movement phase.

    ``orders`` has the orders that each unit might be given, by unit number of the position's
    tables; a unit without any holds.
    """

    def __init__(self, position: Position, orders: Sequence[Sequence[Order]]) -> None:
        self.tables = position.board.tables
        self.units = position.tables
        self.legality = Memory(self.tables, self.units)
        self.acts = [
            [self._act(u, order) if position.takes_orders(unit) else IDLE for order in row]
            for u, unit, row in zip(self.units.numbers, self.units.units, orders, strict=True)
        ]
        self.entries: list[list[tuple[int, int]]] = [[] for _ in range(self.tables.n)]
        self.help_for: dict[tuple[int, int, bool], list[tuple[int, int]]] = {}
        for u, acts in enumerate(self.acts):
            for i, act in enumerate(acts):
                for province in act.enters:
                    self.entries[province].append((u, i))
                if act.helps != NOWHERE:
                    what = act.helps, act.to, act.convoys
                    self.help_for.setdefault(what, []).append((u, i))

    def _act(self, u: UnitNo, order: Order) -> Act:
        if isinstance(order, Move):
            fault, location, way = self.legality.check_move(u, order)
            named = self.legality.find_target(order.to)
            return IDLE if fault else self._move(u, location, way)._replace(names=named)
        if isinstance(order, Support):
            fault, aim, location = self.legality.check_support(u, order)
            to = NOWHERE if location < 0 else self.tables.province_of[location]
            return IDLE if fault else Act(helps=aim, to=to)
        if isinstance(order, Convoy):
            fault, aim, to = self.legality.check_convoy(u, order)
            return IDLE if fault else Act(helps=aim, to=to, convoys=True)
        return IDLE

    def _move(self, u: UnitNo, location: LocationNo, way: Way) -> Act:
        here, to = self.units.province[u], self.tables.province_of[location]
        if way == EXPRESS:
            return Act(self.tables.course[here, to].path)
        if way == HAULED:
            return Act((to,), over=self.tables.haul[here, to])
        return Act((to,), carried=way == BY_CONVOY)

    def reach(self, open_: Open, question: Question) -> Reach:
        """Return everything on which the answer can depend."""
        reach = Reach(self, open_)
        reach.follow(question)
        return reach

    def groups(
        self, open_: Open, question: Question, units: Collection[int] | None = None
    ) -> dict[int, tuple[Group, ...]]:
        """Return the units that can influence the answer, nearest first, with groups of orders.

        ``units``: those for which alone the answer is wanted.
        """
        reach = self.reach(open_, question)
        return {u: reach.groups(u) for u in reach.found if units is None or u in units}


class Reach:
    """A search for everything on which the answer to one question can depend.

    - ``told_apart``: the units all of whose moves matter;
    - ``counted``: by unit, the single orders that matter;
    - ``found``: the units in the sequence in which the search reached them;
    - ``steps``: all steps, taken and still to take, nearest first; ``known`` has them as well.
    """

    def __init__(self, influence: Influence, open_: Open) -> None:
        self.influence = influence
        self.units = influence.units
        self.tables = influence.tables
        self.acts = influence.acts
        self.open = open_
        self.told_apart: set[int] = set()
        self.counted: dict[int, set[int]] = {}
        self.found: dict[int, None] = {}
        self.steps: list[Step] = []
        self.known: set[Step] = set()
        self._entries: dict[int, list[tuple[int, int]]] = {}
        self._attacks: dict[int, list[tuple[int, int]]] = {}
        self._supports: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def follow(self, question: Question) -> None:
        """Follow a question until nothing new is reached."""
        for u in question.units:
            self._add_step(SIEGE, u)
            for i in self.open[u]:
                self._count(u, i)
                self._follow_asked(u, i)
        for province in question.provinces:
            if self._may_be_foreign(province, question.power):
                self._add_step(SCENE, province)
        for kind, what, i in self.steps:  # more are added on the way
            self._take_step(kind, what, i)

    def _take_step(self, kind: int, what: int, i: int) -> None:
        if kind == SCENE:
            self._scene(what)
        elif kind == SIEGE:
            self._siege(what)
        elif kind == STRENGTH:
            self._strength(what, i)
        elif kind == WAY:
            self._way(what, i)
        else:
            self._follow_cut(what, self.acts[what][i])

    def _may_be_foreign(self, province: int, power: int) -> bool:
        """Return whether a unit of another power stands in a province or may go there."""
        there = [*self.units.units_in[province], *(u for u, _ in self._open_entries(province))]
        return any(self.units.power[u] != power for u in there)

    def _add_step(self, kind: int, what: int, i: int = NOWHERE) -> None:
        """Add a step, once: the search may reach it again and again, also in cycles."""
        entry = kind, what, i
        if entry not in self.known:
            self.known.add(entry)
            self.steps.append(entry)

    def _follow_asked(self, u: int, i: int) -> None:
        """Follow an order in question, which may be void without another order."""
        act = self.acts[u][i]
        if act.enters:
            self._success(u, i)
            self._add_step(WAY, u, i)
        elif act.convoys:
            self._tell_apart(act.helps)
            # A fleet counts as having lost its convoy if the army's way is in a paradox (R22a).
            for move in self.open[act.helps]:
                self._success(act.helps, move)
        elif act.helps != NOWHERE:
            self._tell_apart(act.helps)
            self._add_step(CUT, u, i)

    def _open_acts(self, u: int) -> Iterator[Act]:
        return (self.acts[u][i] for i in self.open[u])

    def _tell_apart(self, u: int) -> None:
        self.told_apart.add(u)
        self.found.setdefault(u)

    def _count(self, u: int, i: int) -> None:
        self.counted.setdefault(u, set()).add(i)
        self.found.setdefault(u)

    # -- scenes and moves ------------------------------------------------------------------------

    def _scene(self, province: int) -> None:
        """Follow who leaves a province, who is helped to stay in it, and who enters it."""
        for u in self.units.units_in[province]:
            self._tell_apart(u)
            self._follow_helpers(u, NOWHERE)
            for i in self.open[u]:
                self._success(u, i)
        self._entrants(province)

    def _entrants(self, province: int) -> None:
        for u, i in self._open_entries(province):
            self._count(u, i)
            self._add_step(STRENGTH, u, i)

    def _open_entries(self, province: int) -> list[tuple[int, int]]:
        found = self._entries.get(province)
        if found is None:
            open_ = self.open
            found = [(u, i) for u, i in self.influence.entries[province] if i in open_[u]]
            self._entries[province] = found
        return found

    def _success(self, u: int, i: int) -> None:
        """Follow everything on which the success of an order depends, if it is a move."""
        act = self.acts[u][i]
        if act.enters and not self._is_doomed(u, act):
            for province in act.enters:
                self._add_step(SCENE, province)
            self._add_step(STRENGTH, u, i)

    def _is_doomed(self, u: int, act: Act) -> bool:
        """Return whether a unit that stays certainly keeps a move out.

        A hauled fleet may be caught on its way, so that it leaves in any case (R24).
        """
        to = act.enters[0]
        standing = self.units.units_in[to]
        several = len(act.enters) > 1 or self.tables.capacity[to] > 1
        if several or act.over != NOWHERE or not standing:
            return False
        target = standing[0]
        if any(other.enters for other in self._open_acts(target)):
            return False
        same = self.units.power[target] == self.units.power[u]
        return same or self._greatest_strength(u, act) <= self.units.base_strength[target]

    def _greatest_strength(self, u: int, act: Act) -> int:
        """Return the greatest strength that a move can have."""
        units = self.units
        helpers = {helper for helper, _ in self._open_supports(u, act.enters[-1])}
        return units.base_strength[u] + sum(units.support_strength[helper] for helper in helpers)

    def _strength(self, u: int, i: int) -> None:
        self._add_step(WAY, u, i)
        self._follow_helpers(u, self.acts[u][i].enters[-1])

    def _way(self, u: int, i: int) -> None:
        """Follow whether a move gets far enough to attack: its convoy, river or haul."""
        act = self.acts[u][i]
        if len(act.enters) > 1:
            for province in act.enters:
                self._add_step(SCENE, province)
            self._follow_helpers(u, act.enters[-1])
        if act.over != NOWHERE:
            self._add_step(SCENE, act.over)
        for fleet, convoy in self._open_convoys(u, act.enters[-1]):
            self._count(fleet, convoy)
            self._add_step(SIEGE, fleet)

    # -- help, and what breaks it ----------------------------------------------------------------

    def _open_supports(self, u: int, to: int) -> list[tuple[int, int]]:
        """Return the open supports for what a unit does; without those that are certainly cut."""
        found = self._supports.get((u, to))
        if found is None:
            found = [
                (helper, i)
                for helper, i in self.influence.help_for.get((u, to, False), ())
                if i in self.open[helper] and not self._is_cut(helper, to)
            ]
            self._supports[u, to] = found
        return found

    def _open_convoys(self, u: int, to: int) -> list[tuple[int, int]]:
        """Return the open convoys of a unit to a province."""
        convoys = self.influence.help_for.get((u, to, True), ())
        return [(fleet, i) for fleet, i in convoys if i in self.open[fleet]]

    def _follow_helpers(self, u: int, to: int) -> None:
        for helper, i in self._open_supports(u, to):
            self._count(helper, i)
            self._add_step(CUT, helper, i)

    def _attackers(self, u: int) -> list[tuple[int, int]]:
        """Return the open orders that attack a unit's place: in a sea, those that name it (R11)."""
        found = self._attacks.get(u)
        if found is None:
            province, acts = self.units.province[u], self.acts
            at_sea = self.tables.is_sea[province] and self.tables.capacity[province] > 1
            found = [
                (attacker, i)
                for attacker, i in self._open_entries(province)
                if attacker != u and not (at_sea and acts[attacker][i].names != u)
            ]
            self._attacks[u] = found
        return found

    def _follow_cut(self, u: int, support: Act) -> None:
        """Follow what cuts a support: any foreign attack that arrives.

        An attack from the province against which the support is directed cuts it only if it
        dislodges the supporter (R13).
        """
        for attacker, i in self._attackers(u):
            if self.units.power[attacker] != self.units.power[u]:
                self._count(attacker, i)
                self._add_step(WAY, attacker, i)
                if self.units.province[attacker] == support.to:
                    self._add_step(SIEGE, u)

    def _is_cut(self, u: int, to: int) -> bool:
        """Return whether a support to a province is cut, whatever else happens."""
        if self.tables.capacity[self.units.province[u]] > 1:
            return False
        for attacker, i in self._attackers(u):
            if (
                len(self.open[attacker]) == 1
                and self.units.power[attacker] != self.units.power[u]
                and self.units.province[attacker] != to
                and self._arrives(attacker, self.acts[attacker][i])
            ):
                self._count(attacker, i)  # it is relied on
                return True
        return False

    def _arrives(self, u: int, act: Act) -> bool:
        """Return whether a move crosses one border only, so that it certainly arrives."""
        far = act.carried or act.over != NOWHERE or len(act.enters) > 1
        return not far and not self._open_convoys(u, act.enters[-1])

    def _siege(self, u: int) -> None:
        """Follow whether a unit is dislodged if it stays.

        In a city with several units (R26) the whole scene counts.
        """
        province = self.units.province[u]
        if self._is_safe(u):
            return
        if self.tables.capacity[province] > 1 and not self.tables.is_sea[province]:
            self._add_step(SCENE, province)
            return
        self._follow_helpers(u, NOWHERE)
        for attacker, i in self._attackers(u):
            self._count(attacker, i)
            self._add_step(STRENGTH, attacker, i)

    def _is_safe(self, u: int) -> bool:
        """Return whether no attack is strong enough to dislodge a unit with its certain help."""
        units = self.units
        least = self._least_hold_strength(u)
        return all(
            units.power[attacker] == units.power[u]
            or self._greatest_strength(attacker, self.acts[attacker][i]) <= least
            for attacker, i in self._attackers(u)
        )

    def _least_hold_strength(self, u: int) -> int:
        """Return the hold strength that a unit certainly has."""
        base = self.units.base_strength[u]
        if any(act.enters for act in self._open_acts(u)):
            return base
        for helper, i in self._open_supports(u, NOWHERE):
            if len(self.open[helper]) == 1 and not self._is_attacked(helper):
                self._count(helper, i)  # it is relied on
                base += self.units.support_strength[helper]
        return base

    def _is_attacked(self, u: int) -> bool:
        """Return whether another power may attack a unit."""
        power = self.units.power
        return any(power[attacker] != power[u] for attacker, _ in self._attackers(u))

    # -- groups of orders ------------------------------------------------------------------------

    def groups(self, u: int) -> tuple[Group, ...]:
        """Return the open orders of a unit in groups of orders that are alike."""
        row = self.open[u]
        if len(row) == 1:
            counts = row[0] in self.counted.get(u, ())
            counts = counts or (u in self.told_apart and bool(self.acts[u][row[0]].enters))
            return (Group((row[0],), idle=not counts),)
        counted = self.counted.get(u, set())
        apart = u in self.told_apart
        alone: list[Group] = []
        rest: list[int] = []
        for i in self.open[u]:
            if i in counted or (apart and self.acts[u][i].enters):
                alone.append(Group((i,), idle=False))
            else:
                rest.append(i)
        # A unit in a scene matters by staying, too.
        return (*alone, Group(tuple(rest), idle=True)) if rest else tuple(alone)
