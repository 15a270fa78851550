"""The numbers that units get in a province of several places (R8)."""

from __future__ import annotations

from collections.abc import Container, Sequence

from alexmagnum.board.numbers import NO_PLACE, LocationNo, PlaceNo, ProvinceNo, UnitNo
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.sheet import CAUGHT, FOR_CITY
from alexmagnum.judge.trilean import YES


def number_units(
    movement: Movement,
    units: Sequence[UnitNo],
    destinations: Sequence[LocationNo],
    dislodged: Container[UnitNo],
) -> dict[UnitNo, int]:
    """Return the numbers of units that moved into provinces of several places.

    ``destinations``: where each of the ``units`` moved to, or none.  A unit that won the place it
    named takes that number.  Then the others take the lowest free numbers, by power and origin.
    """
    board, action = movement.sheet.board, movement.action
    numbers: dict[UnitNo, int] = {}
    taken: set[PlaceNo] = set()
    waiting: list[tuple[str, str, int, UnitNo, ProvinceNo]] = []
    for u, location in zip(units, destinations):  # noqa: B905
        if location < 0:
            if u not in dislodged and action[u] != CAUGHT:
                taken.add(movement.place[u])
            continue
        province = board.province_of[location]
        if board.capacity[province] == 1:
            continue
        place = _find_place_won(movement, u)
        if place >= 0:
            taken.add(place)
            numbers[u] = place - board.first_place[province] + 1
        else:
            unit = movement.sheet.units.units[u]
            waiting.append((unit.power, unit.province, unit.number, u, province))
    waiting.sort()
    for _, _, _, u, province in waiting:
        free = [place for place in board.places_of[province] if place not in taken]
        taken.add(free[0])
        numbers[u] = free[0] - board.first_place[province] + 1
    return numbers


def _find_place_won(movement: Movement, u: UnitNo) -> PlaceNo:
    """Return the place that a move won by naming it; none if it won none."""
    place = movement.to_place[u]
    if not movement.moved[u] or place < 0:
        return NO_PLACE
    if movement.goal[u] == FOR_CITY and movement.dislodges(u) != YES:
        return NO_PLACE
    return place
