"""The numbers that units get in a province of several places (R8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from alexmagnum.board.numbers import UnitNo
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.sheet import FOR_CITY
from alexmagnum.judge.trilean import YES
from alexmagnum.position import Unit


def number_units(
    movement: Movement, stay: Sequence[Unit], moved: Sequence[tuple[UnitNo, Unit]]
) -> list[tuple[UnitNo, Unit]]:
    """Return the moved units in their places, each with its unit number.

    A unit that won the place it named takes that number.  Then the others take the lowest free
    numbers, by power and origin.
    """
    board, origin = movement.sheet.board, movement.sheet.units.units
    taken = {(unit.province, unit.number) for unit in stay}
    numbers = {u: _won_number(movement, u) for u, _ in moved}
    taken |= {(unit.province, numbers[u]) for u, unit in moved}
    for u, unit in sorted(moved, key=lambda pair: _seniority(origin[pair[0]])):
        if not numbers[u]:
            places = range(1, board.capacity[board.index[unit.province]] + 1)
            numbers[u] = next(n for n in places if (unit.province, n) not in taken)
            taken.add((unit.province, numbers[u]))
    return [(u, replace(unit, number=numbers[u])) for u, unit in moved]


def _won_number(movement: Movement, u: UnitNo) -> int:
    """Return the number of the place that a move won by naming it; 0 if it won none."""
    place = movement.to_place[u]
    if not movement.moved[u] or place < 0:
        return 0
    if movement.goal[u] == FOR_CITY and movement.dislodges(u) != YES:
        return 0
    return place - movement.sheet.board.first_place[movement.sheet.to[u]] + 1


def _seniority(unit: Unit) -> tuple[str, str, int]:
    """Return the sort key for the first number: by power, then by where the unit came from."""
    return unit.power, unit.province, unit.number
