"""Many joint order sets of one position tried: which cases a question has, and how each ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from random import Random
from typing import NamedTuple

from alexmagnum.judge import resolve_movement
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.orders import MovementOrder, Order
from alexmagnum.position import Position
from alexmagnum.whatif.influence import Group, Influence, Question

Chosen = Mapping[int, int]
"""By unit number, the number of the order that it is given."""


class Case(NamedTuple):
    """Joint order sets that all come to the same for a question.

    ``chosen``: the orders of the units that can matter in it, while the others may as well hold;
    ``active``: those of them whose orders do matter; ``weight``: how many sets there are.
    """

    chosen: Chosen
    active: tuple[int, ...]
    weight: int


class Trials:
    """A position before a movement phase, with the orders that each unit might be given.

    ``orders``: by unit number of the position's tables; a unit without any holds.
    """

    def __init__(self, position: Position, orders: Sequence[Sequence[MovementOrder]]) -> None:
        assert position.phase.kind == "movement", "only units that move are tried"
        self.position = position
        self.orders = orders
        self.units = position.tables.units
        self.influence = Influence(position, orders)

    @property
    def everything(self) -> list[tuple[int, ...]]:
        """All orders of all units, as numbers."""
        return [tuple(range(len(row))) for row in self.orders]

    @property
    def size(self) -> int:
        """How many joint order sets there are."""
        return prod(len(row) or 1 for row in self.orders)

    def outcome(self, chosen: Chosen) -> MovementOutcome:
        """What the judge makes of the orders chosen; all other units hold."""
        orders: dict[str, list[MovementOrder]] = {}
        for u, i in chosen.items():
            orders.setdefault(self.units[u].power, []).append(self.orders[u][i])
        return self.judged(orders)

    def judged(self, orders: Mapping[str, Sequence[Order]]) -> MovementOutcome:
        """What the judge makes of any orders."""
        return resolve_movement(self.position, orders, self.influence.legality)

    def drawn(self, rng: Random) -> Chosen:
        """A joint order set drawn by chance, each as likely as any other."""
        random = rng.random
        return {u: int(random() * len(row)) for u, row in enumerate(self.orders) if row}

    def case(self, question: Question, chosen: Chosen) -> Case:
        """One joint order set as a case: which of its orders matter for a question."""
        open_ = [(chosen[u],) if u in chosen else () for u in range(len(self.orders))]
        return _case(self.influence.groups(open_, question), 1)

    def cases(self, question: Question) -> Iterator[Case]:
        """Every joint order set, in as few cases as the influence can tell; the weights add up
        to :attr:`size`."""
        return self._cases(question, self.everything, self.size)

    def _cases(
        self, question: Question, open_: list[tuple[int, ...]], weight: int
    ) -> Iterator[Case]:
        groups = self.influence.groups(open_, question)
        undecided = next((u for u, found in groups.items() if len(found) > 1), None)
        if undecided is None:
            yield _case(groups, weight)
            return
        choices = open_[undecided]
        for group in groups[undecided]:
            open_[undecided] = group.orders
            share = weight // len(choices) * len(group.orders)
            yield from self._cases(question, open_, share)
        open_[undecided] = choices


def _case(groups: Mapping[int, Sequence[Group]], weight: int) -> Case:
    """The case of units that have one group of orders each."""
    decided = {u: found[0] for u, found in groups.items() if found}
    chosen = {u: group.orders[0] for u, group in decided.items()}
    return Case(chosen, tuple(u for u, group in decided.items() if not group.idle), weight)
