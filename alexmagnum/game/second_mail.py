"""The orders that count after a later mail, earlier ones included.

Orders for units are combined unit by unit, and the later one counts.  Builds, removals and first
units are combined as far as there is room; where there is none, the oldest give way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from alexmagnum.judge.checking import IMPOSSIBLE, check_orders
from alexmagnum.orders import Build, Order, Pick, Waive
from alexmagnum.position import DEPLOYMENT, WINTER, Position


def find_subject(order: Order) -> str:
    """Return what an order is about: the unit, on whichever coast, or "" for a pick."""
    return "" if isinstance(order, (Waive, Pick)) else order.unit.partition("/")[0]


def combine_orders(
    position: Position, power: str, before: Sequence[Order], sent: Sequence[Order]
) -> list[Order]:
    """Return the orders that count after a mail with some orders; ``before`` counted so far."""
    if position.phase.kind in (WINTER, DEPLOYMENT):
        return _fill_places(position, power, before, sent)
    return _combine_by_unit(position, power, before, sent)


def _combine_by_unit(
    position: Position, power: str, before: Sequence[Order], sent: Sequence[Order]
) -> list[Order]:
    """Return orders unit by unit: the later counts, unless it is impossible and the earlier is
    not."""
    earlier = {find_subject(order): order for order in before}
    void = _find_impossible(position, power, sent)
    contested = [order for order in sent if id(order) in void and find_subject(order) in earlier]
    if contested:
        bad = _find_impossible(position, power, before)
        lost = {id(order) for order in contested if id(earlier[find_subject(order)]) not in bad}
        sent = [order for order in sent if id(order) not in lost]
    subjects = {find_subject(order) for order in sent}
    return [*(order for order in before if find_subject(order) not in subjects), *sent]


def _fill_places(
    position: Position, power: str, before: Sequence[Order], sent: Sequence[Order]
) -> list[Order]:
    """Return the adjustments of a mail, and the earlier ones for which it leaves room.

    The oldest give way.  The same build sent again is one build.  In the deployment the later unit
    for a centre counts.
    """
    kept = _subtract(before, sent)
    if position.phase.kind == DEPLOYMENT:
        void = _find_impossible(position, power, sent)
        placed = {_find_centre(order) for order in sent if id(order) not in void}
        kept = [order for order in kept if _find_centre(order) not in placed]
    surplus = _find_impossible(position, power, [*sent, *kept[::-1]])
    return [*(order for order in kept if id(order) not in surplus), *sent]


def _subtract(before: Sequence[Order], sent: Sequence[Order]) -> list[Order]:
    """Return the earlier orders without those sent again, one for one."""
    again = Counter(sent)
    kept: list[Order] = []
    for order in before:
        if again[order] > 0:
            again[order] -= 1
        else:
            kept.append(order)
    return kept


def _find_centre(order: Order) -> str:
    """Return the centre in which a unit is to be placed, "" for a waived one."""
    return order.unit[2:].partition("/")[0] if isinstance(order, Build) else ""


def _find_impossible(position: Position, power: str, orders: Sequence[Order]) -> set[int]:
    """Return the impossible ones of some orders, by identity."""
    checks = check_orders(position, {power: orders})
    return {id(check.order) for check in checks if check.verdict == IMPOSSIBLE}
