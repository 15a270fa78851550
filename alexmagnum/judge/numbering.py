"""The numbers that units get in a province of several places (R8)."""

from __future__ import annotations

from alexmagnum.board.numbers import NO_PLACE, NO_PROVINCE, LocationNo, PlaceNo, ProvinceNo, UnitNo
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.sheet import FOR_CITY
from alexmagnum.judge.trilean import YES


def number_units(
    movement: Movement,
    units: list[UnitNo],
    destinations: list[LocationNo],
) -> dict[UnitNo, int]:
    """Return the numbers of units that moved into provinces of several places.

    ``destinations``: by unit, as of :meth:`alexmagnum.judge.results.MovementOutcome`.  A unit that
    won the place it named takes that number.  Then the others take the lowest free numbers, by
    power and origin.
    """
    board = movement.sheet.board
    numbers: dict[UnitNo, int] = {}
    taken: set[PlaceNo] = set()
    waiting: list[tuple[str, str, int, UnitNo, ProvinceNo]] = []
    for u in units:
        location = destinations[u]
        if location < 0:
            if location == NO_PROVINCE:
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
