"""Which of the special situations occur in a solved scenario: to show that profiles draw them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.oracle.ground import place_of, province
from tests.oracle.legality import EXPRESS, HAUL, March, Sheet, rule
from tests.oracle.solve import Solution, solve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.scenarios import Scenario


def situations(scenario: Scenario) -> set[str]:
    """Return the names of all situations in which a scenario ends up, each once."""
    sheet = rule(scenario.position, scenario.orders)
    solution = solve(scenario.position, scenario.orders)
    words = _words(sheet, solution)
    found = {name for m in sheet.marches.values() for name in _of_move(sheet, m, words)}
    found |= set(_of_losses(sheet, solution))
    found |= {
        f"{sheet.marches[unit].way} in a paradox"
        for unit in solution.broken
        if not sheet.marches[unit].by_convoy
    }
    return found


def _words(sheet: Sheet, solution: Solution) -> dict[tuple[str, int], str]:
    """Return the result of each unit's order, by its place."""
    units = ((sheet.find(getattr(order, "unit", "")), w) for _, order, w in solution.results)
    return {place_of(unit): word for unit, word in units if unit is not None}


def _of_move(sheet: Sheet, march: March, words: dict[tuple[str, int], str]) -> Iterator[str]:
    word = words[place_of(march.unit)]
    if march.inside:
        yield f"attack from inside {word}"
    elif march.way in (EXPRESS, HAUL):
        yield f"{march.way} {word}"
        yield from _of_river(sheet, march, word)
        if _closes_circle(sheet, march):
            yield f"circle over the portage {word}"
    elif sheet.ground.room[march.target] > 1:
        ground = "city" if sheet.ground.is_city(march.target) else "sea"
        full = len(sheet.units_in(march.target)) == sheet.ground.room[march.target]
        yield f"{'plain entry' if march.place is None else 'attack'} into {ground} {word}"
        if march.place is None and full:
            yield f"plain entry into full {ground} {word}"
        if full and _is_met(sheet, march):
            yield f"head-to-head into full {ground} {word}"


def _is_met(sheet: Sheet, march: March) -> bool:
    """Tell whether the unit that a move goes for goes for its place in turn."""
    return any(
        place_of(other.unit) == march.place and other.place == place_of(march.unit)
        for other in sheet.marches.values()
    )


def _closes_circle(sheet: Sheet, march: March) -> bool:
    """Tell whether a unit on the land of a haul goes for the place of the hauled fleet."""
    portage = sheet.ground.hauled_over(march.unit.province, march.target)
    return portage is not None and any(
        place_of(march.unit) == sheet.marches[unit].place
        for unit in sheet.units_in(portage.over)
        if unit in sheet.marches
    )


def _of_river(sheet: Sheet, march: March, word: str) -> Iterator[str]:
    """Yield the situations of an express that meets others on its river."""
    for other in sheet.marches.values() if march.way == EXPRESS else ():
        shared = set(march.path) & set(other.path)
        if other is march or other.stream is None or march.stream is None:
            continue
        if other.stream == march.stream and other.unit.province in march.path:
            yield f"express behind another unit {word}"
        elif other.stream[0] == march.stream[0] and other.stream != march.stream and shared:
            kind = "an express" if other.way == EXPRESS else "a move"
            yield f"express against {kind} {word}"


def _of_losses(sheet: Sheet, solution: Solution) -> Iterator[str]:
    standing = Counter(unit.province for unit in solution.units)
    ground = sheet.ground
    for fate in solution.dislodged:
        unit = fate.unit
        origins = {sheet.marches[a].last_from for a in solution.attackers[unit]}
        if len(solution.attackers[unit]) > 1:
            yield "dislodged by several"
        for way in ground.sail[unit.location] if unit.kind == "F" else ():
            if way in ground.seas and ground.room[way] > 1 and way not in origins:
                room = standing[way] < ground.room[way]
                if way not in fate.retreats:
                    yield "sea closed with room left" if room else "sea closed as full"
                elif standing[way]:
                    yield "retreat to a shared sea"
        if ground.is_city(unit.province):
            inside = any(a in solution.units for a in solution.attackers[unit])
            yield "dislodged from a city by " + ("one who stays outside" if inside else "entry")
        if any(province(a.province) == unit.province for a in solution.attackers[unit]):
            yield "dislodged from inside"
