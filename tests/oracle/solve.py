"""The whole movement phase: paradoxes, results in the words of the case files, retreats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.orders import Convoy, Move, Order, Support
from alexmagnum.position import Dislodged, Position, Unit
from tests.oracle.decisions import Decision, Definitions, Question
from tests.oracle.ground import Place, place_of
from tests.oracle.knots import Paradox, World, resolve
from tests.oracle.legality import EXPRESS, March, Sheet, rule
from tests.oracle.retreats import Refuge

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Solution:
    """What becomes of a position.

    ``results``: (power, order, word), in order of listing; ``dislodged``: units that have to
    retreat, each with the first of its attackers; ``attackers``: all of them; ``destroyed``:
    garrisons that fell (R27), hauled fleets that were caught (R24), units in revolt (R3), who
    have attackers as well if somebody dislodged them; ``units``: all units after the moves
    without those; ``broken``: units whose way hung in a paradox (R22a); ``nobility``: the points
    of every power, one less where a general had no retreat (R2).
    """

    results: tuple[tuple[str, Order, str], ...]
    dislodged: tuple[Dislodged, ...]
    destroyed: tuple[Unit, ...]
    units: tuple[Unit, ...]
    broken: frozenset[Unit]
    attackers: Mapping[Unit, frozenset[Unit]]
    nobility: Mapping[str, int]


def solve(position: Position, orders: Mapping[str, Sequence[Order]]) -> Solution:
    """Resolve a movement phase, straight from the definitions."""
    sheet = rule(position, orders)
    definitions, world, becalmed = settle(position, sheet)
    return _Report(position, sheet, definitions, world, becalmed).solution(orders)


def settle(position: Position, sheet: Sheet) -> tuple[Definitions, World, frozenset[Unit]]:
    """Return the definitions and the world that agree, after every paradox is broken (R22a), and
    the convoying fleets that are part of a paradox."""
    broken: frozenset[Unit] = frozenset()
    becalmed: frozenset[Unit] = frozenset()
    while True:
        definitions = Definitions(sheet, position.board.rules, broken)
        try:
            return definitions, resolve(definitions), becalmed
        except Paradox as paradox:
            waiting = {
                unit for question, unit, _ in paradox.knot if question in ("passes", "halts")
            }
            more = waiting or _list_expresses_beside(paradox.knot, sheet) - broken
            assert more, "without an express beside it a knot always has an answer"
            broken |= more
            becalmed |= {unit for question, unit, _ in paradox.knot if question == "dislodged"}


def _list_expresses_beside(knot: frozenset[Decision], sheet: Sheet) -> frozenset[Unit]:
    """Return the expresses that would pass or reach a province for which a unit of a knot goes.
    Only these can leave a knot without passages without an answer: whether they count in a
    territory rests on a unit of their own that stands there (R19, R22a)."""
    movers = {unit for question, unit, _ in knot if question in ("succeeds", "beats")}
    wanted = {sheet.marches[unit].target for unit in movers}
    return frozenset(
        march.unit
        for march in sheet.marches.values()
        if march.way == EXPRESS and wanted.intersection(march.path)
    )


class _Report:
    """A solved phase, put into words and units."""

    def __init__(
        self,
        position: Position,
        sheet: Sheet,
        definitions: Definitions,
        world: World,
        becalmed: frozenset[Unit],
    ) -> None:
        self.position = position
        self.sheet, self.definitions = sheet, definitions
        self.world, self.becalmed = world, becalmed
        answer = world.__getitem__
        self.lost = {u for u in sheet.units if definitions.is_dislodged(u, answer)}

    def solution(self, orders: Mapping[str, Sequence[Order]]) -> Solution:
        sheet = self.sheet
        results = []
        for power, listed in orders.items():
            for number, order in enumerate(listed):
                unit = sheet.find(order.unit) if hasattr(order, "unit") else None
                word = sheet.tags[power, number] or (self._word(unit, order) if unit else "illegal")
                results.append((power, order, word))
        caught = {m.unit for m in sheet.marches.values() if self._is_caught(m)}
        gone = {u for u in self.lost if u.power == INDEPENDENT or u.power in sheet.defeated}
        after = self._units_after(caught)
        refuge = Refuge(self.definitions, self.world, after)
        attackers = {u: refuge.attackers(u) for u in self.lost}
        dislodged = tuple(
            Dislodged(u, by[0].unit, refuge.ways(u)) for u, by in attackers.items() if u not in gone
        )
        return Solution(
            tuple(results),
            dislodged,
            tuple(sorted(gone | caught)),
            after,
            self.definitions.broken,
            {u: frozenset(m.unit for m in by) for u, by in attackers.items()},
            self._nobility(dislodged),
        )

    def _nobility(self, dislodged: Sequence[Dislodged]) -> dict[str, int]:
        board, points = self.position.board, self.position.nobility
        if not board.rules.nobility:
            return {}
        fallen = [d.unit.power for d in dislodged if d.unit.kind == "G" and not d.retreats]
        return {
            power: max(0, points.get(power, board.rules.nobility) - fallen.count(power))
            for power in board.powers
        }

    def _word(self, unit: Unit, order: Order) -> str:
        match order:
            case Move():
                return self._fate(self.sheet.marches[unit])
            case Support():
                return "cut" if self.world["cut", unit, ""] else "given"
            case Convoy():
                return "disrupted" if unit in self.lost or unit in self.becalmed else "available"
        return "dislodged" if unit in self.lost else "stands"

    def _fate(self, march: March) -> str:
        if self._is_caught(march):
            return "destroyed"
        if self.world["succeeds", march.unit, ""]:
            return "succeeds"
        return "stopped" if self.definitions.leaves(march.unit, self.world.__getitem__) else "fails"

    def _is_caught(self, march: March) -> bool:
        """Tell whether a fleet is hauled and cannot defend itself (R24)."""
        return march.chased and self.world["passes", march.unit, ""]

    def _units_after(self, caught: set[Unit]) -> tuple[Unit, ...]:
        """Return all units where they stand after the moves, with their numbers (R8)."""
        stay, winners, entrants = [], [], []
        for unit in self.sheet.units:
            end = self._end(unit)
            if unit in self.lost or unit in caught:
                continue
            if end is None:
                stay.append(unit)
            elif (won := self._place_won(unit)) is not None:
                winners.append(replace(end, number=won[1]))
            else:
                entrants.append((unit.power, unit.province, unit.number, end))
        taken = {place_of(u) for u in (*stay, *winners)}
        for *_, end in sorted(entrants):
            place = next(p for p in self.definitions.places(end.province) if p not in taken)
            taken.add(place)
            winners.append(replace(end, number=place[1]))
        return (*stay, *winners)

    def _end(self, unit: Unit) -> Unit | None:
        """Return the unit where its move ends; None if it stays in its place."""
        if (march := self.sheet.marches.get(unit)) is None or march.inside:
            return None
        if self.world["succeeds", unit, ""]:
            place, _, coast = march.to.partition("/")
            return replace(unit, province=place, coast=coast)
        answer = self.world.__getitem__
        for territory in march.path[:-1]:
            if self.definitions.ends_in(march, territory, answer):
                return replace(unit, province=territory, coast="")
        return None

    def _place_won(self, unit: Unit) -> Place | None:
        """Return the place that its move named and won, whose number it takes."""
        march = self.sheet.marches[unit]
        if self.definitions.attacks_nobody(march):
            return None
        question: Question = "beats" if self.definitions.fights_in_city(march) else "succeeds"
        return march.place if self.world[question, unit, ""] else None
