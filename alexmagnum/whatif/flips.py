"""What would flip this: the smallest changes of orders that give one order another result.

A *flip* changes the orders of one unit, or of two of which neither change alone would do.
Only changes that can influence the order asked about are tried
(:mod:`alexmagnum.whatif.influence`), so that none is missed for want of time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

from alexmagnum.judge.explanation import Step, explain
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.orders import Hold, Move, MovementOrder, Order
from alexmagnum.position import Position, Unit
from alexmagnum.whatif.candidates import given_orders, movement_orders
from alexmagnum.whatif.influence import Group, Question
from alexmagnum.whatif.trials import Trials

CURRENT = 0
"""The number of the order that a unit has now, among all that it might be given."""


@dataclass(frozen=True, slots=True)
class Change:
    """Another order for a unit; ``orders`` all do the same for what was asked."""

    unit: Unit
    orders: tuple[MovementOrder, ...]


@dataclass(frozen=True, slots=True)
class Flip:
    """Changes that together give the order of the unit ``asked`` about another ``result``.

    ``outcome``: what the phase comes to with the first order of each change, for the reasons.
    """

    asked: Unit
    changes: tuple[Change, ...]
    result: str
    outcome: MovementOutcome


class Flips:
    """The question what would flip the order of one unit, the others' orders being as given.

    ``order``: the order asked about, to hold if the unit was given none; None if it takes no
    orders.  ``outcome``: what the phase comes to as ordered; ``result``: that of the order;
    ``tried``: how many order sets were judged so far; ``watch`` is told so on the way.

    Raises:
        ValueError: the phase is not one of movement, or has no such unit.
    """

    def __init__(
        self,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        unit: Unit,
        watch: Callable[[int], None] | None = None,
    ) -> None:
        if position.phase.kind != "movement" or unit not in position.units:
            raise ValueError(str(unit))
        self.position = position
        self.unit = unit
        given = given_orders(position, orders)
        legal = movement_orders(position)
        rows: list[tuple[MovementOrder, ...]] = []
        for other in position.tables.units:
            if position.takes_orders(other):
                now = given.get(other, Hold(position.name(other)))
                rows.append((now, *(o for o in legal[other] if o != now)))
            else:
                rows.append((given[other],) if other in given else ())
        self.trials = Trials(position, rows)
        self.asked = position.tables.number_of(unit)
        self.order = next(iter(rows[self.asked]), None)
        self.question = Question(units=(self.asked,))
        self.ordered: list[tuple[int, ...]] = [(CURRENT,) if row else () for row in rows]
        self.outcome = self.trials.outcome(self._chosen({}))
        self.result = self.outcome.result_of(self.asked)
        self.tried = 0
        self.watch = watch
        self._alone: dict[int, set[int]] = {}

    def search(
        self, powers: Collection[str], *, wanted: Collection[str] = (), most: int = 2
    ) -> Iterator[Flip]:
        """Every smallest flip by units of these powers: by one unit first, then, if ``most`` is 2,
        by two.  With ``wanted``, only those to one of these results.

        The unit asked about keeps its order.
        """
        units = [
            u
            for u, unit in enumerate(self.trials.units)
            if unit.power in powers and u != self.asked and len(self.trials.orders[u]) > 1
        ]
        found = chain(self._by_one(units), self._by_two(units) if most > 1 else ())
        return (flip for flip in found if not wanted or flip.result in wanted)

    def _by_one(self, units: Iterable[int]) -> Iterator[Flip]:
        for u in units:
            yield from _together(self._of_one(u), 0)

    def _of_one(self, u: int) -> Iterator[Flip]:
        groups = self._groups({u: self._all(u)})
        for group in _changes(groups.get(u, ())):
            flip = self._try({u: group}, groups)
            if flip is not None:
                self._alone.setdefault(u, set()).update(group.orders)
                yield flip

    def _by_two(self, units: Iterable[int]) -> Iterator[Flip]:
        for u, other in combinations(units, 2):
            if self.watch is not None:
                self.watch(self.tried)
            yield from _together(_together(self._of_two(u, other), 1), 0)

    def _of_two(self, u: int, other: int) -> Iterator[Flip]:
        both = self._groups({u: self._all(u), other: self._all(other)})
        if len(both.get(u, ())) < 2 or len(both.get(other, ())) < 2:
            return
        for group in self._fresh(u, both[u]):
            groups = self._groups({u: group.orders, other: self._all(other)})
            for second in self._fresh(other, groups.get(other, ())):
                flip = self._try({u: group, other: second}, groups)
                if flip is not None:
                    yield flip

    def _fresh(self, u: int, groups: Iterable[Group]) -> Iterator[Group]:
        """The changes of a unit's order that are no flip by themselves.

        Orders that do the same beside another unit's change need not do the same without it.
        """
        alone = self._alone.get(u, ())
        for group in _changes(groups):
            orders = tuple(i for i in group.orders if i not in alone)
            if orders:
                yield group._replace(orders=orders)

    def _all(self, u: int) -> tuple[int, ...]:
        return tuple(range(len(self.trials.orders[u])))

    def _groups(self, opened: Mapping[int, tuple[int, ...]]) -> dict[int, tuple[Group, ...]]:
        """The orders that can influence the answer, if these units may be ordered so."""
        open_ = list(self.ordered)
        for u, orders in opened.items():
            open_[u] = orders
        return self.trials.influence.groups(open_, self.question)

    def _try(self, groups: Mapping[int, Group], near: Iterable[int]) -> Flip | None:
        """The flip that changes make, if they make one; only units ``near`` are judged first."""
        changed = {u: group.orders[0] for u, group in groups.items()}
        chosen = {u: changed.get(u, CURRENT) for u in near if self.ordered[u]}
        self.tried += 1
        result = self.trials.outcome(chosen).result_of(self.asked)
        if result == self.result:
            return None
        changes = tuple(
            Change(self.trials.units[u], tuple(self.trials.orders[u][i] for i in group.orders))
            for u, group in groups.items()
        )
        return Flip(self.unit, changes, result, self.trials.outcome(self._chosen(changed)))

    def _chosen(self, changed: Mapping[int, int]) -> dict[int, int]:
        return {u: changed.get(u, CURRENT) for u, row in enumerate(self.ordered) if row}


def _changes(groups: Iterable[Group]) -> Iterator[Group]:
    """The groups that do otherwise than the order that a unit has now."""
    return (group for group in groups if CURRENT not in group.orders)


def _together(flips: Iterable[Flip], which: int) -> Iterable[Flip]:
    """Flips of the same units that differ in one change alone, and not in the causes, as one."""
    found: dict[object, Flip] = {}
    for flip in flips:
        change = flip.changes[which]
        others = flip.changes[:which] + flip.changes[which + 1 :]
        alike = others, _causes(flip, change)
        if alike in found:
            found[alike] = _joined(found[alike], flip, which)
        else:
            found[alike] = flip
    return found.values()


def _joined(flip: Flip, other: Flip, which: int) -> Flip:
    """Two flips that differ in the orders of one change, as one; to hold is the simplest order."""
    if isinstance(other.changes[which].orders[0], Hold):
        flip, other = other, flip
    change = flip.changes[which]
    orders = change.orders + other.changes[which].orders
    changes = (*flip.changes[:which], Change(change.unit, orders), *flip.changes[which + 1 :])
    return replace(flip, changes=changes)


def _causes(flip: Flip, change: Change) -> object:
    """Why a flip comes about: the chain of causes, without what rests on the changed order
    alone; and that order too, if it is a move that is among the causes.

    Supports that differ in the coast or the place that they name have the same causes, and so
    have all orders by which a unit matters for staying where it is.
    """
    causes: list[Step] = []
    moves, below = False, 0
    for step in explain(flip.outcome, flip.asked):
        if below and step.depth >= below:
            continue
        below = step.depth + 1 if step.fate.unit == change.unit else 0
        if below:
            moves = isinstance(step.fate.order, Move)
        else:
            causes.append(step)
    return tuple(causes), change.orders[0] if moves else None
