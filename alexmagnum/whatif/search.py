"""Joint order sets: which orders can influence a question, and how each set ends.

Also which orders a question considers, and the units that matter to an order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Final, NamedTuple

from alexmagnum.board.tables import NO_PROVINCE, NO_UNIT, ProvinceNo, UnitNo
from alexmagnum.builds import mypyc_attr
from alexmagnum.judge import movement, resolve_movement
from alexmagnum.judge.decisions import NO, exceeds
from alexmagnum.judge.legality import BY_CONVOY, EXPRESS, HAULED, Legality
from alexmagnum.judge.options import all_legal_orders
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.judge.sheet import CONVOY, MOVE, SUPPORT, Row
from alexmagnum.orders import Move, MovementOrder, Order, Support
from alexmagnum.position import Position, Unit
from alexmagnum.whatif.partial_results import PartialResolver, ReadKeys, to_mask

if TYPE_CHECKING:
    from random import Random

# Finding the orders that can influence a question: the pruning that makes what-if fast and exact.
#
# Every unit has one or several orders that it might be given. A question asks for the fate of
# units and for the units in provinces. From there the search follows everything on which the
# answer can depend, whatever the others choose. What it never reaches cannot matter, and orders
# of a unit that differ in nothing reached are interchangeable. The search may keep an order that
# makes no difference, but never drops one that does.
#
# Two things are followed:
#
# - the *scene* of a province: the units that enter it, and whether the units in it leave (R10 to
#   R12, R20);
# - the *siege* of a unit that stays: the attacks on it, which may dislodge it, cut its support or
#   disrupt its convoy (R13, R16).  Where it would go instead does not matter.


NOWHERE: Final = -1


@mypyc_attr(acyclic=True)
class Act(Row):
    """A checked order, and what it does if it is legal.

    - ``enters``: the provinces that a move tries to enter, one after another (empty: no move);
    - ``over``: the land over which it is hauled;
    - ``helps``: the unit that is supported or convoyed;
    - ``to``: the province to which this unit is helped (NOWHERE: it is helped to hold);
    - ``convoys``, ``carried``: whether the order is a convoy, or a move that needs one.
    """

    __slots__ = ("carried", "convoys", "enters", "helps", "over", "to")

    def __init__(self, u: UnitNo, order: Order | None, legality: Legality) -> None:
        super().__init__(u, order, legality)
        board, here = legality.board, legality.units.province[u]
        at = self.location
        to = board.province_of[at] if at >= 0 else NO_PROVINCE
        helps = self.action in (SUPPORT, CONVOY)
        enters: tuple[ProvinceNo, ...] = ()
        if self.action == MOVE:
            enters = board.course[here, to].path if self.way == EXPRESS else (to,)
        self.enters = enters
        self.over = board.haul[here, to] if self.way == HAULED else NO_PROVINCE
        self.helps = self.partner if helps else NO_UNIT
        self.to = to if helps else NO_PROVINCE
        self.convoys = self.action == CONVOY
        self.carried = self.way == BY_CONVOY


Open = Sequence[Sequence[int]]
"""The orders that each unit may still be given, as numbers in the list of its orders."""


class Question(NamedTuple):
    """A question about units and provinces, in numbers of the tables.

    It asks for the fate of ``units``, whether units foreign to ``power`` stand in ``provinces``
    after the phase, and whether units of its own stand in ``wanted``.
    """

    units: tuple[int, ...] = ()
    provinces: tuple[ProvinceNo, ...] = ()
    power: int = NOWHERE
    wanted: tuple[ProvinceNo, ...] = ()


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


class Reach:
    """Everything on which the answer to one question can depend.

    - ``open``: the orders that each unit might be given, as numbers in the list of its orders;
    - ``told_apart``: the units all of whose moves matter;
    - ``counted``: by unit, the single orders that matter;
    - ``found``: the units in the sequence in which the search reached them;
    - ``steps``: all steps, taken and still to take, nearest first; ``known`` has them as well.
    """

    def __init__(self, trials: Trials, open_: Open, question: Question) -> None:
        self.trials = trials
        self.units = trials.position.tables
        self.tables = trials.position.board.tables
        self.acts = trials.acts
        self.open = open_
        self.told_apart: set[int] = set()
        self.counted: dict[int, set[int]] = {}
        self.found: dict[int, None] = {}
        self.steps: list[Step] = []
        self.known: set[Step] = set()
        self._entries: dict[int, list[tuple[int, int]]] = {}
        self._attacks: dict[int, list[tuple[int, int]]] = {}
        self._supports: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for u in question.units:
            self._add_step(SIEGE, u)
            for i in self.open[u]:
                self._count(u, i)
                self._follow_asked(u, i)
        for province in question.provinces:
            if self._may_be_foreign(province, question.power):
                self._add_step(SCENE, province)
        for province in question.wanted:
            self._add_step(SCENE, province)
        for kind, what, i in self.steps:  # more are added on the way
            if kind == SCENE:
                self._scene(what)
            elif kind == SIEGE:
                self._siege(what)
            elif kind == STRENGTH:
                self._add_step(WAY, what, i)
                self._follow_helpers(what, self.acts[what][i].enters[-1])
            elif kind == WAY:
                self._way(what, i)
            else:
                self._follow_cut(what, self.acts[what][i].to)

    def _may_be_foreign(self, province: int, power: int) -> bool:
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
        for other, i in self._open_entries(province):
            self._count(other, i)
            self._add_step(STRENGTH, other, i)

    def _open_entries(self, province: int) -> list[tuple[int, int]]:
        if (found := self._entries.get(province)) is None:
            open_ = self.open
            found = [(u, i) for u, i in self.trials.entries[province] if i in open_[u]]
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
        """Return whether a unit that stays certainly keeps a move out; a hauled fleet may be caught
        on its way, so that it leaves in any case (R24)."""
        to = act.enters[0]
        standing = self.units.units_in[to]
        several = len(act.enters) > 1 or self.tables.capacity[to] > 1
        if several or act.over != NOWHERE or not standing:
            return False
        target = standing[0]
        if any(self.acts[target][i].enters for i in self.open[target]):
            return False
        return not self._can_overpower(u, act, target, self.units.base_strength[target])

    def _can_overpower(self, u: int, act: Act, target: int, hold: int) -> bool:
        """Return whether a move can be stronger than a target that stays, with this strength."""
        units = self.units
        if movement.spares(units, u, target):
            return False
        helpers = {helper for helper, _ in self._open_supports(u, act.enters[-1])}
        most = units.base_strength[u] + sum([units.support_strength[h] for h in helpers])
        return exceeds(most, most, hold, hold) != NO

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
        if (found := self._supports.get((u, to))) is None:
            found = [
                (helper, i)
                for helper, i in self.trials.help_for.get((u, to, False), ())
                if i in self.open[helper] and not self._is_cut(helper, to)
            ]
            self._supports[u, to] = found
        return found

    def _open_convoys(self, u: int, to: int) -> list[tuple[int, int]]:
        """Return the open convoys of a unit to a province."""
        convoys = self.trials.help_for.get((u, to, True), ())
        return [(fleet, i) for fleet, i in convoys if i in self.open[fleet]]

    def _follow_helpers(self, u: int, to: int) -> None:
        for helper, i in self._open_supports(u, to):
            self._count(helper, i)
            self._add_step(CUT, helper, i)

    def _attackers(self, u: int) -> list[tuple[int, int]]:
        """Return the open orders that attack a unit's place: in a sea, those that name it (R11)."""
        if (found := self._attacks.get(u)) is None:
            province, acts = self.units.province[u], self.acts
            at_sea = self.tables.is_sea[province] and self.tables.capacity[province] > 1
            found = [
                (attacker, i)
                for attacker, i in self._open_entries(province)
                if attacker != u and not (at_sea and acts[attacker][i].target != u)
            ]
            self._attacks[u] = found
        return found

    def _follow_cut(self, u: int, to: int) -> None:
        """Follow what may cut a support."""
        for attacker, i in self._attackers(u):
            ways = self._list_cuts(u, to, attacker)
            if ways != {movement.NO_CUT}:
                self._count(attacker, i)
                self._add_step(WAY, attacker, i)
                if movement.BY_DISLODGING in ways:
                    self._add_step(SIEGE, u)

    def _can_be_cut(self, u: int, to: int) -> bool:
        return any(self._list_cuts(u, to, by) != {movement.NO_CUT} for by, _ in self._attackers(u))

    def _list_cuts(self, u: int, to: int, attacker: int) -> set[movement.Cut]:
        """Return how an attacker may cut the support of a unit to a province."""
        ways = {movement.find_cut(self.units, attacker, u, is_target=False)}
        if self.units.province[attacker] == to:  # the support's target, or beside that in a sea
            ways.add(movement.find_cut(self.units, attacker, u, is_target=True))
        return ways

    def _is_cut(self, u: int, to: int) -> bool:
        """Return whether a support to a province is cut, whatever else happens."""
        if self.tables.capacity[self.units.province[u]] > 1:
            return False
        for attacker, i in self._attackers(u):
            if (
                len(self.open[attacker]) == 1
                and self._list_cuts(u, to, attacker) == {movement.BY_ARRIVING}
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
        """Follow whether a unit is dislodged if it stays."""
        province = self.units.province[u]
        if self._is_safe(u):
            return
        if self.tables.capacity[province] > 1 and not self.tables.is_sea[province]:
            self._add_step(SCENE, province)  # in a city with several units all counts (R26)
            return
        self._follow_helpers(u, NOWHERE)
        for attacker, i in self._attackers(u):
            self._count(attacker, i)
            self._add_step(STRENGTH, attacker, i)

    def _is_safe(self, u: int) -> bool:
        """Return whether no attack is strong enough to dislodge a unit with its certain help."""
        least = self._least_hold_strength(u)
        return not any(
            self._can_overpower(attacker, self.acts[attacker][i], u, least)
            for attacker, i in self._attackers(u)
        )

    def _least_hold_strength(self, u: int) -> int:
        """Return the hold strength that a unit certainly has."""
        base = self.units.base_strength[u]
        if not all(movement.holds_with_supports(self.acts[u][i].action) for i in self.open[u]):
            return base
        for helper, i in self._open_supports(u, NOWHERE):
            if len(self.open[helper]) == 1 and not self._can_be_cut(helper, NOWHERE):
                self._count(helper, i)  # it is relied on
                base += self.units.support_strength[helper]
        return base

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
        return (Group(tuple(rest), idle=True), *alone) if rest else tuple(alone)

    def list_deciding_units(self) -> list[int]:
        """Return the nearest two units that have orders which are not alike, or all fewer."""
        found: list[int] = []
        for u in self.found:
            if len(self.open[u]) > 1 and len(self.groups(u)) > 1:
                found.append(u)
                if len(found) > 1:
                    break
        return found

    def as_family(self, unit: int, weight: int) -> Family:
        """Return the cases in which one unit (or none) has several groups of orders."""
        first = {u: groups[0] for u in self.found if u != unit and (groups := self.groups(u))}
        chosen = {u: group.orders[0] for u, group in first.items()}
        active = tuple([u for u, group in first.items() if not group.idle])
        groups = (NO_ORDER,) if unit == NOWHERE else self.groups(unit)
        share = weight // (sum([len(group.orders) for group in groups]) or 1)
        weights = tuple([share * (len(group.orders) or 1) for group in groups])
        return Family(tuple(self.open), chosen, active, unit, groups, weights)

    def as_case(self, weight: int) -> Case:
        """Return the case of units that have one group of orders each."""
        family = self.as_family(NOWHERE, weight)
        return Case(family.chosen, family.active, weight)


# What a change of orders touches, as keys of the log of what a judgement read.
#
# If the judgement of an order set read nothing that a change touches, the judgement with the change
# reads the same and comes to the same result (:mod:`alexmagnum.whatif.partial_results`). What an
# order touches is found from the order alone, whatever the other units do.


class Touches:
    """The keys that the orders of one position touch, as masks.

    ``masks``: by unit, the mask of each of its orders.  A change touches what the order before and
    the order after touch.
    """

    def __init__(self, trials: Trials) -> None:
        self.tables = trials.position.board.tables
        self.units = trials.position.tables
        self.keys = trials.keys
        self.masks: list[list[int]] = [
            [to_mask(self._list_keys(act)) for act in acts] for acts in trials.acts
        ]

    def of_change(self, u: int, before: int, after: int) -> int:
        """Return what it touches to give a unit another of its orders."""
        return self.masks[u][before] | self.masks[u][after]

    def of_orders(self, u: int, orders: Sequence[int]) -> int:
        """Return what some orders of a unit touch together."""
        mask = 0
        for i in orders:
            mask |= self.masks[u][i]
        return mask

    def _list_keys(self, act: Act) -> list[int]:
        keys = self.keys
        if act.enters:
            own = [act.unit, keys.help + act.unit, *self._list_entry_keys(act)]
            return own + self._list_raid_keys(act.enters[-1]) if self.units.army[act.unit] else own
        if act.convoys:  # without it the army may be stuck, or walk
            return [act.helps, *keys.all_entries(act.to), *self._list_raid_keys(act.to)]
        return [keys.help + act.helps] if act.helps != NOWHERE else []

    def _list_entry_keys(self, act: Act) -> list[int]:
        """Return the keys of the places that a move goes for."""
        keys, to = self.keys, act.enters[-1]
        found = [key for province in act.enters[:-1] for key in keys.all_entries(province)]
        if self.tables.is_sea[to] and act.target != NOWHERE:
            return [*found, keys.attacks + self.units.place[act.target]]
        if self.tables.is_sea[to] and self.tables.capacity[to] > 1:
            return [*found, keys.entries + to]
        return found + keys.all_entries(to)

    def _list_raid_keys(self, to: int) -> list[int]:
        """Return the keys of fleets that an army ordered to a land catches on a haul (R24)."""
        found: list[int] = []
        for (start, end), over in self.tables.haul.items():
            if over == to:
                found += [*self.units.units_in[start], *self.keys.all_entries(end)]
        return found


# Trying joint order sets of one position: the cases of a question, and how each of them ends.


Chosen = Mapping[int, int]
"""The number of the order that each unit is given, by unit number."""


class Case(NamedTuple):
    """Joint order sets that all have the same answer to a question.

    ``chosen`` has the orders of the units that can matter, while the others might as well hold;
    ``active`` are the units among them whose orders do matter; ``weight`` is the number of sets.
    """

    chosen: Chosen
    active: tuple[int, ...]
    weight: int


class Family(NamedTuple):
    """Cases that differ in the order of one unit alone.

    ``unit`` has the first order of one of the ``groups`` in each (NOWHERE: there is one case).
    ``chosen`` has the orders of the others that can matter, and ``active`` are the units among them
    whose orders matter in some case.  ``weights`` has the number of sets of each case.
    ``allowed``: the orders that each unit might be given in the sets of the family.
    """

    allowed: tuple[Sequence[int], ...]
    chosen: Chosen
    active: tuple[int, ...]
    unit: int
    groups: tuple[Group, ...]
    weights: tuple[int, ...]

    def choose(self, group: Group) -> Chosen:
        """Return the orders of the case in which its unit has an order of a group."""
        return {**self.chosen, self.unit: group.orders[0]} if group.orders else self.chosen

    def count_active(self, group: Group, units: Collection[int]) -> int:
        """Return how many of these units have orders that may matter in the case with a group."""
        count = sum(1 for u in self.active if u in units)
        return count if group.idle or self.unit not in units else count + 1


NO_ORDER = Group((), idle=True)
"""The only group of a family of one case."""


class Trials:
    """A position before a movement phase, with the orders that each unit might be given.

    ``orders``: by unit number of the position's tables; a unit without any holds.  ``acts``: the
    same once checked; a unit that takes no orders, as in a revolt, holds whatever they say.
    ``entries``: by province, the orders that enter it; ``help_for``: the supports (or convoys, if
    the last is true) of a unit to a province.  Orders are pairs (unit, number in its list).
    """

    def __init__(self, position: Position, orders: Sequence[Sequence[MovementOrder]]) -> None:
        assert position.phase.kind == "movement", "only movement phases can be tried"
        self.position = position
        self.orders = orders
        self.units = position.tables.units
        legality = Legality(position.board.tables, position.tables)
        self.acts = [
            [Act(u, order if position.takes_orders(unit) else None, legality) for order in listed]
            for u, unit, listed in zip(position.tables.numbers, self.units, orders, strict=True)
        ]
        self.keys = ReadKeys(position.board.tables, position.tables)
        self.entries: list[list[tuple[int, int]]] = [[] for _ in range(position.board.tables.n)]
        self.help_for: dict[tuple[int, int, bool], list[tuple[int, int]]] = {}
        for u, acts in enumerate(self.acts):
            for i, act in enumerate(acts):
                for province in act.enters:
                    self.entries[province].append((u, i))
                if act.helps != NOWHERE:
                    self.help_for.setdefault((act.helps, act.to, act.convoys), []).append((u, i))

    @property
    def everything(self) -> list[Sequence[int]]:
        """The numbers of all orders of all units."""
        return [range(len(row)) for row in self.orders]

    @property
    def size(self) -> int:
        """The number of joint order sets."""
        return prod(len(row) or 1 for row in self.orders)

    def outcome(self, chosen: Chosen) -> MovementOutcome:
        """Adjudicate the orders chosen; all other units hold."""
        orders: dict[str, list[MovementOrder]] = {}
        for u, i in chosen.items():
            orders.setdefault(self.units[u].power, []).append(self.orders[u][i])
        return resolve_movement(self.position, orders)

    def results(self, chosen: Chosen) -> PartialResolver:
        """Return the results of the orders chosen, of which only those asked for are judged."""
        rows: list[Row] = [self.acts[u][i] for u, i in chosen.items()]
        return PartialResolver(self.position, rows, self.keys)

    def read_result(self, chosen: Chosen, u: UnitNo) -> tuple[str, int]:
        """Return the result of a unit's order, and the mask of all that the judgement read."""
        results = self.results(chosen)
        return results.result(u), results.read_mask()

    def draw(self, rng: Random) -> Chosen:
        """Draw a joint order set by chance, each as likely as any other."""
        random = rng.random
        return {u: int(random() * len(row)) for u, row in enumerate(self.orders) if row}

    def case(self, question: Question, chosen: Chosen) -> Case:
        """Return one joint order set as a case of a question."""
        open_: list[Sequence[int]] = [
            (chosen[u],) if u in chosen else () for u in range(len(self.orders))
        ]
        return Reach(self, open_, question).as_case(1)

    def case_of(self, question: Question, family: Family, group: Group, weight: int) -> Case:
        """Return the case of a family in which its unit has an order of a group.

        Units outside the family's orders may still decide what matters: an attack on a support that
        is cut counts only because of that support.
        """
        open_ = list(family.allowed)
        if family.unit != NOWHERE:
            open_[family.unit] = group.orders
        return Reach(self, open_, question).as_case(weight)

    def families(self, question: Question, open_: Open = ()) -> Iterator[Family]:
        """Yield cases that together hold every joint order set, as few as the influence allows.

        With ``open_`` these are only the sets of orders that it leaves to each unit.  Their weights
        add up to the number of sets.  They come in families, which are found without a
        search for each case: where a single unit has orders that are not alike, it is the only one
        whatever its order is, since with fewer orders that might be given, fewer can matter.
        """
        rows = list(open_) or self.everything
        yield from self._families(question, rows, prod([len(row) or 1 for row in rows]))

    def _families(
        self, question: Question, open_: list[Sequence[int]], weight: int
    ) -> Iterator[Family]:
        reach = Reach(self, open_, question)
        units = reach.list_deciding_units()
        if len(units) < 2:
            yield reach.as_family(units[0] if units else NOWHERE, weight)
            return
        u = units[0]
        orders = open_[u]
        for group in reach.groups(u):
            open_[u] = group.orders
            yield from self._families(question, open_, weight // len(orders) * len(group.orders))
        open_[u] = orders


# Choosing the opposing orders that a safety search considers.
#
# These are all legal orders without those that
#
# - help a unit of the other side: of the power that asks, or of its rivals;
# - help a unit whose order is given to do something else;
# - repeat what another order says (a support that names a coast or a fleet, where naming the
#   province alone helps to any of them);
# - move an army by convoy where no fleet may be ordered to carry it.


Given = Mapping[Unit, MovementOrder]
"""The order of each unit that is given one."""


@lru_cache(maxsize=1)
def movement_orders(position: Position) -> Mapping[Unit, tuple[MovementOrder, ...]]:
    """Return all legal orders of every unit in a movement phase: a page asks again and again."""
    return {
        unit: tuple(order for order in orders if isinstance(order, MovementOrder))
        for unit, orders in all_legal_orders(position).items()
    }


def given_orders(position: Position, orders: Mapping[str, Sequence[Order]]) -> Given:
    """Return the order of each unit that counts: the last one that its own power gives.

    Orders for no unit, or for another power's unit, are left out.
    """
    legality = Legality(position.board.tables, position.tables)
    given: dict[Unit, MovementOrder] = {}
    for power, listed in orders.items():
        for order in listed:
            if isinstance(order, MovementOrder):
                u = legality.find_unit(order.unit)
                if u >= 0 and position.tables.units[u].power == power:
                    given[position.tables.units[u]] = order
    return given


def same_order(position: Position, order: MovementOrder, other: MovementOrder | None) -> bool:
    """Return whether orders say the same: an army that cannot walk goes by convoy in any case."""
    if not (isinstance(order, Move) and isinstance(other, Move)):
        return order == other
    legality = Legality(position.board.tables, position.tables)
    u = legality.find_unit(order.unit)
    one, two = legality.check_move(u, order), legality.check_move(u, other)
    return order == other or (
        not one[0]
        and one == two
        and legality.find_target(order.to) == legality.find_target(other.to)
    )


def sensible_orders(
    position: Position, given: Given, asking: str, against: Collection[str], *, both: bool = False
) -> tuple[tuple[MovementOrder, ...], ...]:
    """Return the orders that each unit might get, by unit number of the position's tables.

    Units of the powers ``against`` have all their sensible orders, hold first, and with ``both`` so
    have those of the power ``asking``, which is not among these; other units have the order given,
    or none.
    """
    choosing = {*against, asking} if both else {*against}
    legal, tables = movement_orders(position), position.tables
    legality = Legality(position.board.tables, tables)
    rows: list[list[tuple[MovementOrder, Act]]] = []
    for u, unit in zip(tables.numbers, tables.units, strict=True):
        own = (given[unit],) if unit in given else ()
        listed = legal[unit] if unit.power in choosing else own
        takes = position.takes_orders(unit)
        rows.append([(o, Act(u, o if takes else None, legality)) for o in listed])

    def is_sensible(u: UnitNo, order: MovementOrder, act: Act) -> bool:
        """Tell whether a unit may be ordered to do what the order helps it to do, if it helps."""
        if act.helps == NOWHERE:
            return True
        if isinstance(order, Support) and set(order.to or "") & {"/", "#"}:
            return False  # naming the province alone helps to any coast and at any fleet of it
        power = tables.units[act.helps].power
        if power == asking or power in against:
            return (power == asking) == (tables.units[u].power == asking)
        moves = [helped.enters[-1] for _, helped in rows[act.helps] if helped.enters]
        return moves == [act.to] if moves else act.to == NOWHERE

    varied = [u for u in tables.numbers if tables.units[u].power in choosing]
    for u in varied:
        rows[u] = [(order, act) for order, act in rows[u] if is_sensible(u, order, act)]
    acts = [act for row in rows for _, act in row]
    journeys = {(tables.province[act.helps], act.to) for act in acts if act.convoys}
    for u in varied:
        rows[u] = [
            (order, act)
            for order, act in rows[u]
            if not act.carried or (tables.province[u], act.enters[-1]) in journeys
        ]
    return tuple(tuple(order for order, _ in row) for row in rows)
