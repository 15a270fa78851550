"""Entering where there is room: what seas (R9, R10) and cities of two places (R26) share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alexmagnum.judge.sheet import CAUGHT, MOVE
from alexmagnum.judge.trilean import NO, YES

if TYPE_CHECKING:
    from alexmagnum.judge.movement import Movement


def as_strong(
    movement: Movement, u: int, rivals: list[tuple[int, int]], more: int = 0
) -> tuple[int, int]:
    """How many rivals (least, most) have the strength of ``u`` and ``more`` at least; each comes
    with whether it counts."""
    low, high = movement.strength(u, -1)
    few = many = 0
    for rival, counts in rivals:
        if counts != NO:
            least, most = movement.strength(rival, -1)
            few += counts == YES and least >= high + more
            many += most >= low + more
    return few, many


def swaps_with(movement: Movement, u: int, other: int) -> bool:
    """Is ``other`` ordered to the very province that ``u`` comes from, so that its place is none
    for ``u`` (R15)?"""
    return (
        other >= 0
        and movement.kind[other] in (MOVE, CAUGHT)
        and movement.sheet.to[other] == movement.province[u]
    )
