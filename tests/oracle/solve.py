"""The whole movement phase: Szykman rule, results in the words of the case files, retreats."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from alexmagnum.orders import Convoy, Move, Order, Support
from alexmagnum.position import Dislodged, Position, Unit
from tests.oracle.decisions import Definitions
from tests.oracle.ground import province
from tests.oracle.knots import Paradox, World, resolve
from tests.oracle.legality import Sheet, rule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Solution:
    """What becomes of a position.

    ``results``: (power, order, word), in order of listing; ``dislodged``: units that have to
    retreat; ``destroyed``: garrisons that fell (R27); ``units``: all units after the moves
    without those; ``stranded``: armies whose convoy hung in a paradox.
    """

    results: tuple[tuple[str, Order, str], ...]
    dislodged: tuple[Dislodged, ...]
    destroyed: tuple[Unit, ...]
    units: tuple[Unit, ...]
    stranded: frozenset[Unit]


def solve(position: Position, orders: Mapping[str, Sequence[Order]]) -> Solution:
    """Resolve a movement phase, straight from the definitions."""
    sheet = rule(position, orders)
    rules = position.board.rules
    stranded: frozenset[Unit] = frozenset()
    becalmed: frozenset[Unit] = frozenset()  # fleets that hang in the paradox themselves
    while True:
        definitions = Definitions(sheet, rules, stranded)
        try:
            world = resolve(definitions)
            break
        except Paradox as paradox:
            stranded |= {unit for question, unit in paradox.knot if question == "path"}
            becalmed |= {unit for question, unit in paradox.knot if question == "dislodged"}
    return _report(sheet, definitions, world, orders, becalmed)


def _report(
    sheet: Sheet,
    definitions: Definitions,
    world: World,
    orders: Mapping[str, Sequence[Order]],
    becalmed: frozenset[Unit],
) -> Solution:
    answer = world.__getitem__
    lost = {u for u in sheet.units if definitions.is_dislodged(u, answer)}

    def word(unit: Unit, order: Order) -> str:
        match order:
            case Move():
                return "succeeds" if world["succeeds", unit] else "fails"
            case Support():
                return "cut" if world["cut", unit] else "given"
            case Convoy():
                return "disrupted" if unit in lost or unit in becalmed else "available"
        return "dislodged" if unit in lost else "stands"

    results = []
    for power, listed in orders.items():
        for number, order in enumerate(listed):
            tag = sheet.tags[power, number]
            unit = sheet.find(order.unit) if hasattr(order, "unit") else None
            results.append((power, order, tag or (word(unit, order) if unit else "illegal")))
    after = tuple(_moved(u, sheet, world) for u in sheet.units if u not in lost)
    closed = {u.province for u in after} | _standoffs(definitions, world)
    return Solution(
        tuple(results),
        tuple(_dislodged(u, definitions, world, closed) for u in lost if u.power != "NEU"),
        tuple(u for u in lost if u.power == "NEU"),
        after,
        definitions.stranded,
    )


def _moved(unit: Unit, sheet: Sheet, world: World) -> Unit:
    if not world.get(("succeeds", unit)):
        return unit
    place, _, coast = sheet.marches[unit].to.partition("/")
    return replace(unit, province=place, coast=coast)


def _standoffs(definitions: Definitions, world: World) -> set[str]:
    """Provinces that some failed move kept others out of; those left empty are closed."""
    return {
        target
        for target, marches in definitions.into.items()
        if any(
            not world["succeeds", m.unit] and definitions.prevent(m, world.__getitem__) > 0
            for m in marches
        )
    }


def _dislodged(unit: Unit, definitions: Definitions, world: World, closed: set[str]) -> Dislodged:
    winners = [m for m in definitions.into[unit.province] if world["succeeds", m.unit]]
    assert len(winners) == 1, "one unit to a province"
    winner, ground = winners[0], definitions.sheet.ground
    barred = closed if winner.by_convoy else closed | {winner.unit.province}
    ways = ground.sail[unit.location] if unit.kind == "F" else ground.walk[unit.province]
    open_ = tuple(sorted(way for way in ways if province(way) not in barred))
    return Dislodged(unit, winner.unit, open_)
