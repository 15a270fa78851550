"""Trying joint order sets of one position: the cases of a question, and how each of them ends."""

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
"""The number of the order that each unit is given, by unit number."""


class Case(NamedTuple):
    """Joint order sets that all have the same answer to a question.

    ``chosen`` has the orders of the units that can matter, while the others might as well hold;
    ``active`` are the units among them whose orders do matter; ``weight`` is the number of sets.
    """

    chosen: Chosen
    active: tuple[int, ...]
    weight: int


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
    def everything(self) -> list[tuple[int, ...]]:
        """The numbers of all orders of all units."""
        return [tuple(range(len(row))) for row in self.orders]

    @property
    def size(self) -> int:
        """The number of joint order sets."""
        return prod(len(row) or 1 for row in self.orders)

    def outcome(self, chosen: Chosen) -> MovementOutcome:
        """Adjudicate the orders chosen; all other units hold."""
        orders: dict[str, list[MovementOrder]] = {}
        for u, i in chosen.items():
            orders.setdefault(self.units[u].power, []).append(self.orders[u][i])
        return self.judge(orders)

    def judge(self, orders: Mapping[str, Sequence[Order]]) -> MovementOutcome:
        """Adjudicate any orders."""
        return resolve_movement(self.position, orders, self.influence.legality)

    def draw(self, rng: Random) -> Chosen:
        """Draw a joint order set by chance, each as likely as any other."""
        random = rng.random
        return {u: int(random() * len(row)) for u, row in enumerate(self.orders) if row}

    def case(self, question: Question, chosen: Chosen) -> Case:
        """Return one joint order set as a case of a question."""
        open_ = [(chosen[u],) if u in chosen else () for u in range(len(self.orders))]
        return _case(self.influence.groups(open_, question), 1)

    def cases(self, question: Question) -> Iterator[Case]:
        """Yield cases that together hold every joint order set, as few as the influence allows.

        Their weights add up to :attr:`size`.
        """
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
    """Return the case of units that have one group of orders each."""
    decided = {u: found[0] for u, found in groups.items() if found}
    chosen = {u: group.orders[0] for u, group in decided.items()}
    return Case(chosen, tuple(u for u, group in decided.items() if not group.idle), weight)
