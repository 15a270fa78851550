"""Finding flips: the smallest changes of orders that give one order another result."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

from alexmagnum.board.tables import UnitNo
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.explanation import Step, format_chain, format_reason, list_steps
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.notation import order_in, write_order
from alexmagnum.notation.names import power_name
from alexmagnum.orders import Hold, Move, MovementOrder, Order
from alexmagnum.position import Position, Unit
from alexmagnum.whatif import search as change_search

# Finding flips: the smallest changes of orders that give one order another result.
#
# A *flip* changes the order of one unit, or the orders of two units where neither change alone is
# enough. Only changes that can influence the order in question are tried
# (:mod:`alexmagnum.whatif.search`), so that the search is fast enough to miss none.


_SINGLES = 0.1  # the part of a search that changes of one unit take

CURRENT = 0
"""The number of the order that a unit has now, among all orders that it might be given."""


@dataclass(frozen=True, slots=True)
class Change:
    """Another order for a unit; any of ``orders`` does the same for the order in question."""

    unit: Unit
    orders: tuple[MovementOrder, ...]


@dataclass(frozen=True, slots=True)
class Flip:
    """Changes that together give the order of the unit ``asked`` another ``result``.

    ``outcome`` is that of the phase with the first order of each change; it holds the reasons.
    """

    asked: Unit
    changes: tuple[Change, ...]
    result: str
    outcome: MovementOutcome


class Flips:
    """A search for what would flip the order of one unit, given the orders of all.

    - ``order``: the order in question: hold if the unit was given none, None if it takes no orders;
    - ``outcome``: the outcome of the phase as ordered, and ``result`` that of the order;
    - ``tried``: how many order sets were tried so far; ``judged``: how many of them were judged.
      Each of the others has the result of one of these, because it differs from that in nothing
      that was read when that was judged.

    ``watch`` is called with the part of the search that is done, from 0 to 1.

    Raises:
        ValueError: the phase is not one of movement, or has no such unit.
    """

    def __init__(
        self,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        unit: Unit,
        watch: Callable[[float], None] | None = None,
    ) -> None:
        if position.phase.kind != "movement" or unit not in position.units:
            raise ValueError(str(unit))
        self.position = position
        self.unit = unit
        given = change_search.given_orders(position, orders)
        legal = change_search.movement_orders(position)
        rows: list[tuple[MovementOrder, ...]] = []
        for other in position.tables.units:
            if position.takes_orders(other):
                now = given.get(other, Hold(position.name(other)))
                rows.append((now, *(o for o in legal.get(other, ()) if o != now)))
            else:
                rows.append((given[other],) if other in given else ())
        self.trials = change_search.Trials(position, rows)
        self.asked: UnitNo = position.tables.number_of(unit)
        self.order = next(iter(rows[self.asked]), None)
        self.question = change_search.Question(units=(self.asked,))
        self.ordered: list[Sequence[int]] = [(CURRENT,) if row else () for row in rows]
        self.given: change_search.Chosen = {u: CURRENT for u, row in enumerate(rows) if row}
        self.outcome = self.trials.outcome(self.given)
        self.result = self.outcome.result_by_number(self.asked)
        self.tried = 0
        self.judged = 0
        self.watch = watch
        self.touches = change_search.Touches(self.trials)
        self._read = self.trials.read_result(self.given, self.asked)[1]
        self._read_alone: dict[tuple[int, int], int] = {}
        self._alone: dict[int, set[int]] = {}

    def search(
        self, powers: Collection[str], *, wanted: Collection[str] = (), most: int = 2
    ) -> Iterator[Flip]:
        """Yield the smallest flips by units of these powers: by one unit, then by two.

        The unit in question keeps its order.  With ``wanted``, only flips to one of these results
        are given; with ``most`` at 1, only those by one unit.
        """
        units = [
            u
            for u, unit in enumerate(self.trials.units)
            if unit.power in powers and u != self.asked and len(self.trials.orders[u]) > 1
        ]
        pairs = self._flips_by_two(units) if most > 1 else ()
        found = chain(self._flips_by_one(units, most), pairs)
        return (flip for flip in found if not wanted or flip.result in wanted)

    # -- one unit --------------------------------------------------------------------------------

    def _flips_by_one(self, units: Sequence[int], most: int) -> Iterator[Flip]:
        for done, u in enumerate(units):
            if self.watch is not None:
                self.watch((_SINGLES if most > 1 else 1) * done / len(units))
            yield from _merge_similar(self._flips_of(u), 0)

    def _flips_of(self, u: int) -> Iterator[Flip]:
        self.tried += len(self.trials.orders[u]) - 1
        if not self.touches.of_orders(u, self.all_orders(u)) & self._read:
            return
        for group in _changes(self.reach({u: self.all_orders(u)}).groups(u)):
            result, read = self.judge(self.given, {u: group.orders[0]})
            self._read_alone[u, group.orders[0]] = read
            if result != self.result:
                self._alone.setdefault(u, set()).update(group.orders)
                yield self.flip({u: group}, result)

    # -- two units -------------------------------------------------------------------------------

    def _flips_by_two(self, units: Sequence[int]) -> Iterator[Flip]:
        weak = [_WeakChanges(self, u) for u in units]
        pairs = [_Pair(self, first, second) for first, second in combinations(weak, 2)]
        meeting = [pair for pair in pairs if pair.may_meet]
        work = sum(pair.size for pair in meeting)
        self.tried += sum(pair.size for pair in pairs) - work
        done = 0
        for pair in meeting:
            if self.watch is not None:
                self.watch(_SINGLES + (1 - _SINGLES) * done / work)
            yield from _merge_similar(_merge_similar(pair.flips(), 1), 0)
            self.tried += pair.size
            done += pair.size

    def read_with(self, u: int, i: int) -> int:
        """Return the mask of all that the judgement reads if one unit's order alone is changed."""
        if not self.touches.of_change(u, CURRENT, i) & self._read:
            return self._read
        if (known := self._read_alone.get((u, i))) is None:
            known = self._read_alone[u, i] = self.judge(self.given, {u: i})[1]
        return known

    def weak_orders(self, u: int) -> list[int]:
        """Return the orders of a unit, but for its present one, that are no flip by themselves."""
        alone = self._alone.get(u, ())
        return [i for i in self.all_orders(u) if i != CURRENT and i not in alone]

    def all_orders(self, u: int) -> Sequence[int]:
        """Return the numbers of all orders of a unit."""
        return range(len(self.trials.orders[u]))

    def reach(self, opened: Mapping[int, Sequence[int]]) -> change_search.Reach:
        """Return what can influence the answer if some units may choose among orders."""
        open_ = list(self.ordered)
        for u, orders in opened.items():
            open_[u] = orders
        return change_search.Reach(self.trials, open_, self.question)

    def judge(self, given: change_search.Chosen, changed: Mapping[int, int]) -> tuple[str, int]:
        """Judge an order set; return the result of the order in question, and what was read."""
        self.judged += 1
        return self.trials.read_result({**given, **changed}, self.asked)

    def flip(self, groups: Mapping[int, change_search.Group], result: str) -> Flip:
        """Return a flip: the groups of orders that make it, and the result."""
        changed = {u: group.orders[0] for u, group in groups.items()}
        changes = tuple(
            Change(self.trials.units[u], tuple(self.trials.orders[u][i] for i in group.orders))
            for u, group in groups.items()
        )
        return Flip(self.unit, changes, result, self.trials.outcome({**self.given, **changed}))


_Judged = list[tuple[int, int, str]]
"""Judged order sets that differ in the order of one unit alone: what that order touches, what the
judgement read, and the result."""


def _find_known(judged: _Judged, touched: int) -> str:
    """Return the result with an order that touches this; "" if it may differ from those judged."""
    for before, read, result in judged:
        if not (before | touched) & read:
            return result
    return ""


class _Pair:
    """Two units whose orders are changed together, neither of which is enough alone."""

    def __init__(self, flips: Flips, first: _WeakChanges, second: _WeakChanges) -> None:
        self.search = flips
        self.first = first
        self.second = second
        self.size = len(first.orders) * len(second.orders)
        # A change that touches nothing that is read beside the other one cannot matter.
        self.may_meet = bool(first.touched & second.read and second.touched & first.read)
        self._beside: dict[int, _Judged] = {}
        self.given: change_search.Chosen = flips.given

    def flips(self) -> Iterator[Flip]:
        """Yield the flips, one for each two groups of orders that do the same."""
        search, u, other = self.search, self.first.unit, self.second.unit
        all_orders = search.all_orders(other)
        both = search.reach({u: search.all_orders(u), other: all_orders})
        if u not in both.found or other not in both.found:
            return
        if len(both.groups(u)) < 2 or len(both.groups(other)) < 2:
            return
        # Orders of units that are not reached cannot matter, so they are not laid out.
        self.given = {v: CURRENT for v in both.found if v in search.given}
        for group in self.first.list_weak(both.groups(u)):
            if self.second.touched & search.read_with(u, group.orders[0]):
                reach = search.reach({u: group.orders, other: all_orders})
                groups = reach.groups(other) if other in reach.found else ()
                yield from self._flips_beside(group, self.second.list_weak(groups))

    def _flips_beside(
        self, group: change_search.Group, groups: Iterable[change_search.Group]
    ) -> Iterator[Flip]:
        """Yield the flips with one change of the first unit."""
        search, u, other = self.search, self.first.unit, self.second.unit
        i = group.orders[0]
        read, touched = search.read_with(u, i), self.first.touched_by(i)
        judged: _Judged = []
        for more in groups:
            j = more.orders[0]
            if self.second.touched_by(j) & read and touched & search.read_with(other, j):
                result = self._find_result(i, j, judged)
                if result != search.result:
                    yield search.flip({u: group, other: more}, result)

    def _find_result(self, i: int, j: int, judged: _Judged) -> str:
        """Return the result with both changes; ``judged``: others beside the same first one."""
        search, u, other = self.search, self.first.unit, self.second.unit
        masks = search.touches.masks
        beside = self._beside.setdefault(j, [])
        result = _find_known(judged, masks[other][j]) or _find_known(beside, masks[u][i])
        if not result:
            result, read = search.judge(self.given, {u: i, other: j})
            judged.append((masks[other][j], read, result))
            beside.append((masks[u][i], read, result))
        return result


class _WeakChanges:
    """The changes of one unit's order that are no flip by themselves, and what they rest on."""

    def __init__(self, flips: Flips, unit: int) -> None:
        self.flips = flips
        self.unit = unit
        self.orders = flips.weak_orders(unit)
        self.touched = flips.touches.of_orders(unit, [CURRENT, *self.orders])
        self.read = 0  # all that is read while one of them is made
        for i in self.orders:
            self.read |= flips.read_with(unit, i)

    def touched_by(self, i: int) -> int:
        """Return what it touches to give the unit another order."""
        return self.flips.touches.of_change(self.unit, CURRENT, i)

    def list_weak(self, groups: Iterable[change_search.Group]) -> Iterator[change_search.Group]:
        """Yield groups of changes without the orders that are a flip by themselves.

        Orders that do the same together with another unit's change may differ without it.
        """
        weak = set(self.orders)
        for group in _changes(groups):
            if orders := tuple(i for i in group.orders if i in weak):
                yield group._replace(orders=orders)


def _changes(groups: Iterable[change_search.Group]) -> Iterator[change_search.Group]:
    """Yield the groups without the order that a unit has now."""
    return (group for group in groups if CURRENT not in group.orders)


def _merge_similar(flips: Iterable[Flip], which: int) -> Iterable[Flip]:
    """Merge flips of the same units that differ in one change alone, and not in their causes."""
    found: dict[object, Flip] = {}
    for flip in flips:
        others = flip.changes[:which] + flip.changes[which + 1 :]
        alike = others, _causes(flip, flip.changes[which])
        if alike in found:
            found[alike] = _merge(found[alike], flip, which)
        else:
            found[alike] = flip
    return found.values()


def _merge(flip: Flip, other: Flip, which: int) -> Flip:
    """Merge two flips that differ in the orders of one change; hold comes first among orders."""
    if isinstance(other.changes[which].orders[0], Hold):
        flip, other = other, flip
    change = flip.changes[which]
    orders = change.orders + other.changes[which].orders
    changes = (*flip.changes[:which], Change(change.unit, orders), *flip.changes[which + 1 :])
    return replace(flip, changes=changes)


def _causes(flip: Flip, change: Change) -> object:
    """Return the chain of causes of a flip, without what rests on the changed order alone.

    If the changed order is a move among the causes, it is part of them.  Supports that differ in
    the coast or place that they name have the same causes, and so have all orders that leave a
    unit where it is.
    """
    causes: list[Step] = []
    moves, below = False, 0
    for step in list_steps(flip.outcome, flip.asked):
        if below and step.depth >= below:
            continue
        below = step.depth + 1 if step.fate.unit == change.unit else 0
        if below:
            moves = isinstance(step.fate.order, Move)
        else:
            causes.append(step)
    return tuple(causes), change.orders[0] if moves else None


# The changes that flip an order, in words and as data for programs and pages.


SAME_SHOWN = 3
"""The number of orders that do the same and are named with a change."""


def format_change(change: Change, position: Position, sentences: Sentences) -> str:
    first, *others = (write_in_language(order, sentences) for order in change.orders)
    text = f"{power_name(position.board, change.unit.power, sentences)}: {first}"
    if not others:
        return text
    shown = "; ".join(others[:SAME_SHOWN])
    if len(others) > SAME_SHOWN:
        more = len(others) - SAME_SHOWN
        return f"{text} {sentences.format('flip-same-many', orders=shown, count=more)}"
    return f"{text} {sentences.format('flip-same', orders=shown)}"


def format_result(outcome: MovementOutcome, unit: Unit, sentences: Sentences) -> str:
    return format_reason(outcome.fates(unit)[0].reason, outcome.position, sentences)


def write_in_language(order: Order, sentences: Sentences) -> str:
    return order_in(write_order(order), sentences.lang)


def flips_as_data(
    flips: Flips, found: Iterable[Flip], sentences: Sentences
) -> list[dict[str, object]]:
    """Flips for a program."""
    return [
        {
            "changes": [
                {"power": c.unit.power, "orders": [write_order(o) for o in c.orders]}
                for c in flip.changes
            ],
            "result": flip.result,
            "why": format_result(flip.outcome, flips.unit, sentences),
            "chain": list(format_chain(flip.outcome, flips.unit, sentences)),
        }
        for flip in found
    ]
