"""Trying joint order sets of one position: the cases of a question, and how each of them ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from random import Random
from typing import NamedTuple

from alexmagnum.judge import resolve_movement
from alexmagnum.judge.editable_sheet import EditableSheet
from alexmagnum.judge.partial_results import PartialResults
from alexmagnum.judge.read_log import LoggedResolver, ReadKeys, to_mask
from alexmagnum.judge.resolver import Resolver
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.orders import MovementOrder, Order
from alexmagnum.position import Position
from alexmagnum.whatif.influence import Influence, Question, Reach

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
        return self._cases(question, self.everything, self.size)

    def _cases(self, question: Question, open_: list[Sequence[int]], weight: int) -> Iterator[Case]:
        reach = self.influence.reach(open_, question)
        for u in reach.found:
            choices = open_[u]
            if len(choices) < 2 or len(groups := reach.groups(u)) < 2:
                continue
            for group in groups:
                open_[u] = group.orders
                share = weight // len(choices) * len(group.orders)
                yield from self._cases(question, open_, share)
            open_[u] = choices
            return
        yield _case(reach, weight)


def _case(reach: Reach, weight: int) -> Case:
    """Return the case of units that have one group of orders each."""
    decided = {u: groups[0] for u in reach.found if (groups := reach.groups(u))}
    chosen = {u: group.orders[0] for u, group in decided.items()}
    return Case(chosen, tuple(u for u, group in decided.items() if not group.idle), weight)
