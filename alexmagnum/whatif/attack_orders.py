"""The worst that others can plan: joint orders made to go against one unit or one centre.

Where a question has too many cases to look at all, chance hardly ever meets the plan that a
clever enemy would make.  So such plans are made on purpose.  Every unit that could attack what
matters does so in one of them, with all the help that there is, while units left over attack
what else matters; and every unit that stands in the way stays there with all the support that
there is.  None of them is certain to be the worst, but what the worst of them does is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alexmagnum.whatif.influence import NOWHERE, Question
from alexmagnum.whatif.trials import Chosen, Trials

Plan = dict[int, int]
"""By unit number, the number of the order that it is given; it is added to as it is made."""


def plan_attacks(trials: Trials, question: Question) -> Iterator[Chosen]:
    """Joint orders of the units that may choose, made against what is asked about; each once."""
    seen: set[frozenset[tuple[int, int]]] = set()
    for plan in _Planner(trials, question).plans():
        key = frozenset(plan.items())
        if key not in seen:
            seen.add(key)
            yield plan


class _Planner:
    """``given``: the orders of units that have no choice; ``targets``: the provinces that matter:
    where the units asked about stand, where they go and are hauled over, the centres asked about,
    and where those stand whose orders help there."""

    def __init__(self, trials: Trials, question: Question) -> None:
        self.influence = trials.influence
        self.province = trials.position.tables.province
        self.orders = trials.orders
        self.given: Plan = {u: 0 for u, row in enumerate(trials.orders) if len(row) == 1}
        self.targets = tuple(dict.fromkeys(self._targets(question)))

    def _targets(self, question: Question) -> Iterator[int]:
        here = set(question.provinces)
        standing = (u for u, province in enumerate(self.province) if province in here)
        subjects = dict.fromkeys([*question.units, *(u for u in standing if u in self.given)])
        yield from question.provinces
        yield from (self.province[u] for u in subjects)
        for u in subjects:
            if u in self.given:
                act = self.influence.acts[u][0]
                yield from act.enters
                if act.over != NOWHERE:
                    yield act.over
        for u in self.given:
            if self.influence.acts[u][0].helps in subjects:
                yield self.province[u]

    def plans(self) -> Iterator[Plan]:
        for target in self.targets:
            others = [province for province in self.targets if province != target]
            yield from self._attacks(target, others)
            yield {**dict(reversed(self.influence.entries[target])), **self.given}
            yield from self._defences(target, others)

    def _attacks(self, target: int, others: Sequence[int]) -> Iterator[Plan]:
        """Each attack, helped before units are diverted to attack elsewhere, and after that."""
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
        """Each unit that stands there stays, with help; what has no orders to choose from may have
        help too."""
        for u, province in enumerate(self.province):
            if province == target:
                plan = dict(self.given)
                if self.orders[u]:
                    plan.setdefault(u, 0)
                self._help(plan, u, NOWHERE)
                self._divert(plan, others)
                yield plan

    def _help(self, plan: Plan, u: int, to: int, i: int | None = None) -> None:
        """Let all that are free help a unit to go somewhere, or to hold."""
        if i is not None and self.influence.acts[u][i].carried:
            self._add(plan, self.influence.help_for.get((u, to, True), ()))
        self._add(plan, self.influence.help_for.get((u, to, False), ()))

    def _divert(self, plan: Plan, targets: Sequence[int]) -> None:
        """Let one unit that is free attack each of some provinces, with the help of all others
        that are."""
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
