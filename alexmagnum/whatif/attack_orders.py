"""Joint orders that a clever enemy could give against one unit or one centre.

Where a question has too many cases to try all, orders drawn by chance hardly ever include such a
plan, so plans are made on purpose.  For every unit that could attack a target there is a plan in
which it does so with all available help, while the units left over attack the other targets; and
one for every unit in the way, in which it stays with all available support.  The worst of these
plans is possible, but need not be the worst of all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from alexmagnum.whatif.influence import NOWHERE, Question
from alexmagnum.whatif.trials import Chosen, Trials

Plan = dict[int, int]
"""The number of the order of each unit, by unit number; orders are added while it is made."""


def plan_attacks(trials: Trials, question: Question) -> Iterator[Chosen]:
    """Yield joint orders against the units and provinces of a question, each once."""
    seen: set[frozenset[tuple[int, int]]] = set()
    for plan in _Planner(trials, question).plans():
        key = frozenset(plan.items())
        if key not in seen:
            seen.add(key)
            yield plan


class _Planner:
    """Makes plans against the targets of one question.

    ``given`` has the orders of units that have no choice.  ``targets`` are the provinces that
    matter: the centres in question, the places of the units in question and of units that help
    them, and the provinces that the units in question enter or are hauled over.
    """

    def __init__(self, trials: Trials, question: Question) -> None:
        self.influence = trials.influence
        self.province = trials.position.tables.province
        self.orders = trials.orders
        self.given: Plan = {u: 0 for u, row in enumerate(trials.orders) if len(row) == 1}
        self.targets = tuple(dict.fromkeys(self._targets(question)))

    def _targets(self, question: Question) -> Iterator[int]:
        """Yield the targets of a question, some of them several times."""
        subjects = self._subjects(question)
        yield from question.provinces
        yield from (self.province[u] for u in subjects)
        for u in subjects:
            if u in self.given:
                yield from self._passed_provinces(u)
        for u in self.given:
            if self.influence.acts[u][0].helps in subjects:
                yield self.province[u]

    def _subjects(self, question: Question) -> Collection[int]:
        """Return the units in question, and the units without a choice in the provinces of it."""
        provinces = set(question.provinces)
        there = (u for u in self.given if self.province[u] in provinces)
        return dict.fromkeys([*question.units, *there])

    def _passed_provinces(self, u: int) -> Iterator[int]:
        """Yield the provinces that a unit without a choice enters or is hauled over."""
        act = self.influence.acts[u][0]
        yield from act.enters
        if act.over != NOWHERE:
            yield act.over

    def plans(self) -> Iterator[Plan]:
        """Yield all plans, some of them several times."""
        for target in self.targets:
            others = [province for province in self.targets if province != target]
            yield from self._attacks(target, others)
            yield {**dict(reversed(self.influence.entries[target])), **self.given}
            yield from self._defences(target, others)

    def _attacks(self, target: int, others: Sequence[int]) -> Iterator[Plan]:
        """Yield two plans for each attack on a target.

        In one, units help it before others attack elsewhere; in the other, after that.
        """
        for u, i in self.influence.entries[target]:
            plan = {**self.given, u: i}
            self._help(plan, u, target, i)
            self._divert(plan, others)
            yield plan
            plan = {**self.given, u: i}
            self._divert(plan, others)
            self._help(plan, u, target, i)
            yield plan

    def _defences(self, target: int, others: Sequence[int]) -> Iterator[Plan]:
        """Yield a plan for each unit in a target: it stays, with help.

        A unit that has no orders to choose from may have help as well.
        """
        for u, province in enumerate(self.province):
            if province == target:
                plan = dict(self.given)
                if self.orders[u]:
                    plan.setdefault(u, 0)
                self._help(plan, u, NOWHERE)
                self._divert(plan, others)
                yield plan

    def _help(self, plan: Plan, u: int, to: int, i: int | None = None) -> None:
        """Let all free units help a unit to go somewhere, or to hold."""
        if i is not None and self.influence.acts[u][i].carried:
            self._add(plan, self.influence.help_for.get((u, to, True), ()))
        self._add(plan, self.influence.help_for.get((u, to, False), ()))

    def _divert(self, plan: Plan, targets: Sequence[int]) -> None:
        """Let one free unit attack each target, with the help of all other free units."""
        for target in targets:
            for u, i in self.influence.entries[target]:
                if u not in plan and not self.influence.acts[u][i].carried:
                    plan[u] = i
                    self._help(plan, u, target)
                    break

    @staticmethod
    def _add(plan: Plan, orders: Sequence[tuple[int, int]]) -> None:
        for u, i in orders:
            plan.setdefault(u, i)
