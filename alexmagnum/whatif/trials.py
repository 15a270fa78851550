"""Trying joint order sets of one position: the cases of a question, and how each of them ends."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from alexmagnum.judge import resolve_movement
from alexmagnum.judge.editable_sheet import EditableSheet
from alexmagnum.judge.partial_results import PartialResults
from alexmagnum.judge.read_log import LoggedResolver, ReadKeys, to_mask
from alexmagnum.judge.resolver import Resolver
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.orders import MovementOrder, Order
from alexmagnum.position import Position
from alexmagnum.whatif.influence import NOWHERE, Group, Influence, Open, Question, Reach

if TYPE_CHECKING:
    from random import Random

Chosen = Mapping[int, int]
"""The number of the order that each unit is given, by unit number."""


EVERYTHING = -1
"""The mask of all keys: a judgement that decided the whole phase may have read anything."""


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

    def count_active(self, group: Group, units: Collection[int]) -> int:
        """Return how many of these units have orders that may matter in the case with a group."""
        count = sum(1 for u in self.active if u in units)
        return count if group.idle or self.unit not in units else count + 1


NO_ORDER = Group((), idle=True)
"""The only group of a family of one case."""


class TrialSheet:
    """A joint order set that is changed a few orders at a time, and asked for single results.

    Only what the changed orders concern is laid out anew, and only what a result rests on is
    judged; the results are those of :meth:`Trials.outcome`.
    """

    def __init__(self, trials: Trials, chosen: Chosen) -> None:
        self.orders = trials.orders
        self.takes_orders = [trials.position.takes_orders(unit) for unit in trials.units]
        self.sheet = EditableSheet(
            trials.position, trials.group_by_power(chosen), trials.influence.legality
        )
        self.chosen: dict[int, int] = dict(chosen)

    def choose(self, chosen: Chosen) -> None:
        """Give every unit the order chosen; all other units hold."""
        for u in [u for u in self.chosen if u not in chosen]:
            self.sheet.replace_order(self.sheet.numbers[u], None)
            del self.chosen[u]
        for u, i in chosen.items():
            self.change(u, i)

    def change(self, u: int, i: int) -> None:
        """Give one unit another of its orders; one that takes none, as in a revolt, holds."""
        if self.chosen.get(u) != i:
            if self.takes_orders[u]:
                self.sheet.replace_order(self.sheet.numbers[u], self.orders[u][i])
            self.chosen[u] = i

    def results(self) -> PartialResults:
        """Return the results of the orders as they are now; ask before the next change."""
        return PartialResults(Resolver(self.sheet))

    def read_result(self, u: int, keys: ReadKeys) -> tuple[str, int]:
        """Return the result of a unit's order, and the mask of all that the judgement read."""
        resolver = LoggedResolver(self.sheet, keys)
        unit, partner = self.sheet.numbers[u], self.sheet.partner[u]
        resolver.read.update((unit, partner) if partner >= 0 else (unit,))
        results = PartialResults(resolver, resolver.read)
        result = results.result(unit)
        return result, EVERYTHING if results.whole else to_mask(resolver.read)


class Trials:
    """A position before a movement phase, with the orders that each unit might be given.

    ``orders``: by unit number of the position's tables; a unit without any holds.
    """

    def __init__(self, position: Position, orders: Sequence[Sequence[MovementOrder]]) -> None:
        assert position.phase.kind == "movement", "only movement phases can be tried"
        self.position = position
        self.orders = orders
        self.units = position.tables.units
        self.influence = Influence(position, orders)

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
        return self.judge(self.group_by_power(chosen))

    def group_by_power(self, chosen: Chosen) -> dict[str, list[MovementOrder]]:
        """Return the orders chosen by power, as the judge takes them."""
        orders: dict[str, list[MovementOrder]] = {}
        for u, i in chosen.items():
            orders.setdefault(self.units[u].power, []).append(self.orders[u][i])
        return orders

    def judge(self, orders: Mapping[str, Sequence[Order]]) -> MovementOutcome:
        """Adjudicate any orders."""
        return resolve_movement(self.position, orders, self.influence.legality)

    def draw(self, rng: Random) -> Chosen:
        """Draw a joint order set by chance, each as likely as any other."""
        random = rng.random
        return {u: int(random() * len(row)) for u, row in enumerate(self.orders) if row}

    def case(self, question: Question, chosen: Chosen) -> Case:
        """Return one joint order set as a case of a question."""
        open_: list[Sequence[int]] = [
            (chosen[u],) if u in chosen else () for u in range(len(self.orders))
        ]
        return _case(self.influence.reach(open_, question), 1)

    def cases(self, question: Question) -> Iterator[Case]:
        """Yield cases that together hold every joint order set, as few as the influence allows.

        Their weights add up to :attr:`size`.
        """
        for family in self.families(question):
            for group, weight in zip(family.groups, family.weights, strict=True):
                yield self.case_of(question, family, group, weight)

    def case_of(self, question: Question, family: Family, group: Group, weight: int) -> Case:
        """Return the case of a family in which its unit has an order of a group.

        Units outside the family's orders may still decide what matters: an attack on a support that
        is cut counts only because of that support.
        """
        open_ = list(family.allowed)
        if family.unit != NOWHERE:
            open_[family.unit] = group.orders
        return _case(self.influence.reach(open_, question), weight)

    def families(self, question: Question) -> Iterator[Family]:
        """Yield the cases in families, which are found without a search for each case.

        Where a single unit has orders that are not alike, it is the only one whatever its order
        is: with fewer orders that might be given, fewer can matter.
        """
        open_ = self.everything
        weight = self.size
        branches: list[_Branch] = []
        while True:
            reach = self.influence.reach(open_, question)
            units = _list_deciding_units(reach, open_)
            if len(units) > 1:
                u = units[0]
                branches.append(_Branch(u, open_[u], reach.groups(u), weight))
            else:
                yield _family(reach, open_, units[0] if units else NOWHERE, weight)
                while branches and branches[-1].is_done:
                    branch = branches.pop()
                    open_[branch.unit] = branch.choices
                if not branches:
                    return
            weight = branches[-1].take_group(open_)


class _Branch:
    """A unit whose groups of orders are searched one after another, for all cases."""

    def __init__(
        self, unit: int, choices: Sequence[int], groups: Sequence[Group], weight: int
    ) -> None:
        self.unit = unit
        self.choices = choices
        self.groups = groups
        self.taken: int = 0
        self.share = weight // len(choices)

    @property
    def is_done(self) -> bool:
        """True if all groups were taken."""
        return self.taken == len(self.groups)

    def take_group(self, open_: list[Sequence[int]]) -> int:
        """Leave the unit the orders of the next group; return how many sets have one of them."""
        orders = self.groups[self.taken].orders
        self.taken += 1
        open_[self.unit] = orders
        return self.share * len(orders)


def _list_deciding_units(reach: Reach, open_: Open) -> list[int]:
    """Return the nearest two units that have orders which are not alike; fewer if there are not."""
    found: list[int] = []
    for u in reach.found:
        if len(open_[u]) > 1 and len(reach.groups(u)) > 1:
            found.append(u)
            if len(found) > 1:
                break
    return found


def _family(reach: Reach, open_: Open, unit: int, weight: int) -> Family:
    """Return the cases in which one unit (or none) has several groups of orders."""
    chosen: dict[int, int] = {}
    active: list[int] = []
    for u in reach.found:
        groups = reach.groups(u)
        if groups and u != unit:
            chosen[u] = groups[0].orders[0]
            if not groups[0].idle:
                active.append(u)
    if unit == NOWHERE:
        return Family(tuple(open_), chosen, tuple(active), unit, (NO_ORDER,), (weight,))
    groups = reach.groups(unit)
    share = weight // sum(len(group.orders) for group in groups)
    weights = tuple(share * len(group.orders) for group in groups)
    return Family(tuple(open_), chosen, tuple(active), unit, groups, weights)


def _case(reach: Reach, weight: int) -> Case:
    """Return the case of units that have one group of orders each."""
    decided = {u: groups[0] for u in reach.found if (groups := reach.groups(u))}
    chosen = {u: group.orders[0] for u, group in decided.items()}
    return Case(chosen, tuple(u for u, group in decided.items() if not group.idle), weight)
