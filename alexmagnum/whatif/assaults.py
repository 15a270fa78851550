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


def assaults(trials: Trials, question: Question) -> Iterator[Chosen]:
    """Joint orders of the units that may choose, made against what is asked about; each once."""
    seen: set[frozenset[tuple[int, int]]] = set()
    for plan in _Planner(trials, question).plans():
        key = frozenset(plan.items())
        if key not in seen:
            seen.add(key)
            yield plan


class _Planner:
    """``targets``: the provinces that matter: where the units asked about stand and where they go,
    the centres asked about, and where those stand whose orders help them there."""

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
                yield from self.influence.acts[u][0].enters
        for u in self.given:
            if self.influence.acts[u][0].helps in subjects:
                yield self.province[u]

    def plans(self) -> Iterator[Plan]:
        for target in self.targets:
            attacks = [(u, i) for u, i in self.influence.entries[target] if self._chooses(u)]
            others = [province for province in self.targets if province != target]
            for u, i in attacks:
                for helped_first in (True, False):
                    plan = {**self.given, u: i}
                    for step in (True, False):
                        if step == helped_first:
                            self._help(plan, u, target, i)
                        else:
                            self._divert(plan, others)
                    yield plan
            yield {**dict(reversed(attacks)), **self.given}
            for u, province in enumerate(self.province):
                if province == target and self._chooses(u):
                    plan = {**self.given, u: 0}
                    self._help(plan, u, NOWHERE)
                    self._divert(plan, others)
                    yield plan

    def _chooses(self, u: int) -> bool:
        return len(self.orders[u]) > 1

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
