"""Retreat phases (R17) and winters (R25, R28, R32), solved slowly and straight from the rules.

The words are those of the case files.  Nothing here is shared with the judge but orders and
positions.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import networkx as nx

from alexmagnum.judge import adjudicate
from alexmagnum.orders import Build, Disband, Order, Remove, Retreat, Waive
from alexmagnum.position import Dislodged, Position, Unit
from tests.oracle.ground import province
from tests.oracle.legality import find
from tests.scenarios.between_moves import PhaseScenario

SUCCEEDS, FAILS, ILLEGAL = "succeeds", "fails", "illegal"


@dataclass(frozen=True)
class Ending:
    """What becomes of a retreat phase or a winter: a word for each order as listed (``results``),
    the ``units`` on the board afterwards, those ``lost`` without being ordered to go, and builds
    due by power, removals if negative (``adjust``)."""

    results: tuple[str, ...]
    units: frozenset[Unit]
    lost: frozenset[Unit]
    nobility: Mapping[str, int]
    adjust: Mapping[str, int]


def list_unlike(scenario: PhaseScenario) -> list[str]:
    """Return in what judge and oracle differ; empty if they agree in everything."""
    position, orders = scenario.position, scenario.orders
    ours = (
        solve_winter(position, orders) if _is_winter(position) else solve_retreats(position, orders)
    )
    outcome = adjudicate(position, orders)
    theirs = Ending(
        tuple(entry.result for entry in outcome.results),
        frozenset(outcome.units),
        frozenset(outcome.removed if _is_winter(position) else outcome.disbanded),
        dict(outcome.nobility),
        {power: due for power, due in outcome.adjust.items() if due},
    )
    return [
        f"{name}: judge {getattr(theirs, name)}, oracle {getattr(ours, name)}"
        for name in ("results", "units", "lost", "nobility", "adjust")
        if getattr(theirs, name) != getattr(ours, name)
    ]


def _is_winter(position: Position) -> bool:
    return position.phase.season == "winter"


def _points(position: Position, lost: Sequence[Unit] = ()) -> dict[str, int]:
    """Return the nobility of every power after these units are lost (R2)."""
    if not (start := position.board.rules.nobility):
        return {}
    fallen = Counter(unit.power for unit in lost if unit.kind == "G")
    return {
        power: max(0, position.nobility.get(power, start) - fallen[power])
        for power in position.board.powers
    }


def _revolts(position: Position, power: str) -> bool:
    """Tell whether a power is without a point (R3)."""
    return _points(position).get(power, 1) == 0


# -- retreats ------------------------------------------------------------------------------------


def solve_retreats(position: Position, orders: Mapping[str, Sequence[Order]]) -> Ending:
    """Resolve a retreat phase: the last order for a unit counts; too many for a place all fail."""
    listed = [(power, order) for power in orders for order in orders[power]]
    about = [_find_fallen(position, power, order) for power, order in listed]
    goals = {}
    for number, (power, order) in enumerate(listed):
        entry = about[number]
        if entry is None or _revolts(position, power) or entry in about[number + 1 :]:
            continue
        if isinstance(order, Retreat) and (to := _find_way(position, entry, order.to)):
            goals[entry.unit] = to
    arrived = {unit: to for unit, to in goals.items() if _has_room(position, to, goals)}
    words = []
    for number, (power, order) in enumerate(listed):
        entry = about[number]
        if entry is None or _revolts(position, power) or entry in about[number + 1 :]:
            words.append(ILLEGAL)
        elif isinstance(order, Disband):
            words.append(SUCCEEDS)
        elif entry.unit not in goals:
            words.append(ILLEGAL)
        else:
            words.append(SUCCEEDS if entry.unit in arrived else FAILS)
    lost = [d for d in position.dislodged if d.unit not in arrived]
    return Ending(
        tuple(words),
        frozenset((*position.units, *_settle(position, arrived))),
        frozenset(entry.unit for entry in lost),
        # Who had no way out was lost, and paid for, when it was dislodged.
        _points(position, [entry.unit for entry in lost if entry.retreats]),
        {},
    )


def _find_fallen(position: Position, power: str, order: Order) -> Dislodged | None:
    """Return the dislodged unit of its power that a retreat or a disbanding is for."""
    if not isinstance(order, (Retreat, Disband)):
        return None
    theirs = [entry for entry in position.dislodged if entry.unit.power == power]
    unit = find([entry.unit for entry in theirs], order.unit)
    return next((entry for entry in theirs if entry.unit == unit), None)


def _find_way(position: Position, entry: Dislodged, to: str) -> str:
    """Return the open location that is meant and has room as things stand; "" if there is none."""
    fitting = [way for way in entry.retreats if way == to]
    if not fitting and ("/" not in to or entry.unit.kind != "F"):
        fitting = [way for way in entry.retreats if province(way) == province(to)]
    if len(fitting) != 1:
        return ""
    where = province(fitting[0])
    there = [unit for unit in position.units if unit.province == where]
    ground = position.board.provinces[where]
    foreign = any(unit.power != entry.unit.power for unit in there)
    if len(there) >= ground.capacity or (foreign and ground.terrain != "sea"):
        return ""
    return fitting[0]


def _has_room(position: Position, to: str, goals: Mapping[Unit, str]) -> bool:
    """Tell whether all who stand in a province, or go there, find a place together."""
    where = province(to)
    powers = [unit.power for unit in position.units if unit.province == where]
    powers += [unit.power for unit, way in goals.items() if province(way) == where]
    ground = position.board.provinces[where]
    return len(powers) <= ground.capacity and (ground.terrain == "sea" or len(set(powers)) == 1)


def _settle(position: Position, arrived: Mapping[Unit, str]) -> list[Unit]:
    """Return the units where they retreated to, with the lowest numbers left, by power id (R8)."""
    taken = {(unit.province, unit.number) for unit in position.units}
    settled = []
    for unit in sorted(arrived, key=lambda u: (u.power, u.province, u.number)):
        where, _, coast = arrived[unit].partition("/")
        number = 1
        while (where, number) in taken:
            number += 1
        taken.add((where, number))
        settled.append(replace(unit, province=where, coast=coast, number=number))
    return settled


# -- winter --------------------------------------------------------------------------------------


def solve_winter(position: Position, orders: Mapping[str, Sequence[Order]]) -> Ending:
    """Resolve a winter: each power's first legal orders count, and civil disorder does the rest."""
    words: list[str] = []
    units, disorder = set(position.units), set[Unit]()
    due = {power: _count_due(position, power) for power in position.board.powers}
    left = dict(due)
    for power, listed in orders.items():
        for order in listed:
            word, new, gone = _carry_out(position, power, order, units, left[power])
            words.append(word)
            if word == SUCCEEDS:
                left[power] += 1 if isinstance(order, Remove) else -1
            units = (units | new) - gone
    for power, count in left.items():
        for _ in range(-count):
            last = _farthest(position, power, units)
            units.discard(last)
            disorder.add(last)
    return Ending(
        tuple(words),
        frozenset(units),
        frozenset(disorder),
        _points(position),
        {power: count for power, count in due.items() if count},
    )


def _count_due(position: Position, power: str) -> int:
    """Return how many units a power may build; how many it has to remove, if negative (R25)."""
    if _revolts(position, power):
        return 0
    board = position.board
    upkeep = {True: board.rules.major_city_upkeep, False: 1}
    kept = sum(upkeep[board.provinces[c].major] for c, p in position.owners.items() if p == power)
    return kept - sum(unit.power == power for unit in position.units)


def _carry_out(
    position: Position, power: str, order: Order, units: set[Unit], due: int
) -> tuple[str, set[Unit], set[Unit]]:
    """Return the word for an order, and the units that it builds and removes."""
    if _revolts(position, power):
        return ILLEGAL, set(), set()
    if isinstance(order, Waive):
        return (SUCCEEDS if due > 0 else ILLEGAL), set(), set()
    if isinstance(order, Remove):
        unit = find([u for u in sorted(units) if u.power == power], order.unit)
        if unit is None or due >= 0:
            return ILLEGAL, set(), set()
        return SUCCEEDS, set(), {unit}
    if isinstance(order, Build) and due > 0:
        return _build(position, power, order, units)
    return ILLEGAL, set(), set()


def _build(
    position: Position, power: str, order: Build, units: set[Unit]
) -> tuple[str, set[Unit], set[Unit]]:
    board = position.board
    kind, _, location = order.unit.partition(" ")
    where, _, coast = location.partition("/")
    ground = board.provinces[where]
    theirs = (*board.powers[power].homes, *position.homes.get(power, ()))
    there = [unit for unit in (*units, *position.units) if unit.province == where]
    taken = {unit.number for unit in there}
    allowed = (
        position.owners.get(where) == power
        and (ground.major or where in theirs)
        and len(taken) < ground.capacity
        and all(unit.power == power for unit in there)
    )
    if kind == "G":
        generals = [u for u in units if u.power == power and u.kind == "G"]
        allowed = allowed and bool(board.rules.nobility) and not generals
    if kind == "F":
        allowed = allowed and (ground.coastal or bool(ground.rivers))
        if allowed and ground.coasts and not coast:
            return FAILS, set(), set()  # DATC 6.B.14: the coast has to be said
        allowed = allowed and (coast in ground.coasts or not coast)
    if not allowed:
        return ILLEGAL, set(), set()
    unit = Unit(power, kind, where, coast if kind == "F" else "", min({1, 2} - taken))
    return SUCCEEDS, {unit}, set()


def _farthest(position: Position, power: str, units: set[Unit]) -> Unit:
    """Return the next unit of a power that civil disorder takes (R32)."""
    board = position.board
    graph: nx.Graph[str] = nx.Graph((province(b.a), province(b.b)) for b in board.borders)
    centres = [centre for centre, owner in position.owners.items() if owner == power]

    def far(unit: Unit) -> float:
        if not centres:
            return 0
        reached = nx.single_source_shortest_path_length(graph, unit.province)
        return min((reached[c] for c in centres if c in reached), default=len(board.provinces))

    own = [unit for unit in units if unit.power == power]
    pool = [unit for unit in own if unit.kind != "G"] or own
    most = max(map(far, pool))
    pool = [unit for unit in pool if far(unit) == most]
    pool = [unit for unit in pool if unit.kind == "F"] or pool
    return min(pool, key=lambda u: (board.provinces[u.province].names["en"], u.number))
