"""The winter: builds, removals, and the civil disorder rule for removals not ordered (R32)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from alexmagnum.board.model import Board, split_location
from alexmagnum.judge.outcome import FAILS, ILLEGAL, SUCCEEDS, OrderOutcome, PhaseOutcome, Reason
from alexmagnum.orders import Build, Order, Remove, Waive
from alexmagnum.position import KINDS, Position, Unit


def resolve_winter(position: Position, orders: Mapping[str, Sequence[Order]]) -> PhaseOutcome:
    """Build and remove (DATC 6.I, 6.J); the first legal orders of a power count (4.D.4, 4.D.6)."""
    results: list[OrderOutcome] = []
    reasons: list[Reason] = []
    built: list[Unit] = []
    gone: list[Unit] = []
    removed: list[Unit] = []
    adjust = adjustments(position)
    for power in dict.fromkeys([*orders, *position.board.powers]):
        desk = _Desk(position, power, adjust.get(power, 0))
        for order in orders.get(power, ()):
            unit, result, reason = desk.take(order)
            results.append(OrderOutcome(power, order, unit, result))
            reasons.append(reason)
        built += desk.built
        gone += desk.removed
        removed += desk.civil_disorder()
    left = [unit for unit in position.units if unit not in gone and unit not in removed]
    return PhaseOutcome(
        position,
        tuple(results),
        tuple(reasons),
        units=(*left, *built),
        adjust=adjust,
        removed=tuple(removed),
        nobility=dict(position.nobility),
    )


def adjustments(position: Position) -> Mapping[str, int]:
    """Builds due by power, removals if negative, as if every building place were free.

    A major city counts for ``major_city_upkeep`` units (R25).
    """
    board = position.board
    due = dict.fromkeys(board.powers, 0)
    for centre, power in position.owners.items():
        major = board.provinces[centre].major
        due[power] += board.rules.major_city_upkeep if major else 1
    for unit in position.units:
        if unit.power in due:
            due[unit.power] -= 1
    return due


def building_places(position: Position, power: str) -> tuple[str, ...]:
    """The centres where a power may build now: its own, of the building kind, and vacant (R28)."""
    board = position.board
    if power not in board.powers:
        return ()
    homes = {*board.powers[power].homes, *position.homes.get(power, ())}
    taken = {unit.province for unit in position.units}
    return tuple(
        centre
        for centre in position.centres_of(power)
        if (centre in homes or board.provinces[centre].major) and centre not in taken
    )


class _Desk:
    """One power's winter: what it may still build or must still remove."""

    def __init__(self, position: Position, power: str, due: int) -> None:
        self.position = position
        self.power = power
        self.due = due
        self.places = list(building_places(position, power))
        self.built: list[Unit] = []
        self.removed: list[Unit] = []

    def take(self, order: Order) -> tuple[Unit | None, str, Reason]:
        """Carry out one order: the unit it is about, its result, and why."""
        if isinstance(order, Build):
            return self._build(order)
        if isinstance(order, Remove):
            return self._remove(order)
        if isinstance(order, Waive):
            if self.due <= 0:
                return None, ILLEGAL, Reason("no-build-due")
            self.due -= 1
            return None, SUCCEEDS, Reason("waived")
        return None, ILLEGAL, Reason("wrong-phase")

    def _build(self, order: Build) -> tuple[Unit | None, str, Reason]:
        kind, at = order.unit[:1], order.unit[2:]
        province, coast, _ = split_location(at)
        fault = self._build_fault(kind, province, coast)
        if fault:
            return None, FAILS if fault == "coast-needed" else ILLEGAL, Reason(fault)
        unit = Unit(self.power, kind, province, coast if kind == "F" else "")
        self.due -= 1
        self.places.remove(province)
        self.built.append(unit)
        return unit, SUCCEEDS, Reason("builds")

    def _build_fault(self, kind: str, province: str, coast: str) -> str:
        """Why a build cannot be, or "" if it can."""
        board = self.position.board
        if self.due <= 0:
            return "no-build-due"
        if kind not in KINDS:
            return "build-what"
        if province not in self.places:
            return self._place_fault(province)
        place = board.provinces[province]
        if kind == "F":
            if not (place.coastal or place.rivers):
                return "build-fleet-inland"
            if coast not in (place.coasts or ("",)):
                return "build-coast" if coast else "coast-needed"
        if kind == "G":
            if not board.rules.nobility:
                return "no-generals"
            if any(u.kind == "G" and u.power == self.power for u in self._mine()):
                return "second-general"
        return ""

    def _place_fault(self, province: str) -> str:
        position = self.position
        if position.owners.get(province) != self.power:
            return "build-not-owned"
        if any(unit.province == province for unit in (*position.units, *self.built)):
            return "build-occupied"
        return "build-not-home"

    def _mine(self) -> Iterable[Unit]:
        mine = (u for u in self.position.units if u.power == self.power)
        return (*(u for u in mine if u not in self.removed), *self.built)

    def _remove(self, order: Remove) -> tuple[Unit | None, str, Reason]:
        province, _, number = split_location(order.unit[2:])
        found = [
            unit
            for unit in self._mine()
            if unit.province == province and number in (0, unit.number)
        ]
        if len(found) != 1:
            return None, ILLEGAL, Reason("no-unit")
        if self.due >= 0:
            return found[0], ILLEGAL, Reason("no-removal-due")
        self.due += 1
        self.removed.append(found[0])
        return found[0], SUCCEEDS, Reason("removes")

    def civil_disorder(self) -> list[Unit]:
        """The removals still due: farthest first, fleets before armies, by English name; the
        general last of all (DATC 4.D.8, R32)."""
        if self.due >= 0:
            return []
        position = self.position
        distance = distances(position.board, position.centres_of(self.power))
        name = {p.id: p.name("en") for p in position.board.provinces.values()}

        def turn(unit: Unit) -> tuple[bool, int, bool, str, int]:
            far = distance[unit.province]
            return unit.kind == "G", -far, unit.kind != "F", name[unit.province], unit.number

        return sorted(self._mine(), key=turn)[: -self.due]


def distances(board: Board, centres: Iterable[str]) -> dict[str, int]:
    """Steps over any border, whoever may cross it, from each province to the nearest centre.

    Without a centre all distances are 0; a province out of reach counts as farthest.
    """
    tables = board.tables
    start = [tables.index[centre] for centre in centres]
    far = 0 if not start else tables.n
    distance = [far] * tables.n
    for province in start:
        distance[province] = 0
    ring = start
    while ring:
        step = distance[ring[0]] + 1
        ring = list({q for p in ring for q in tables.near[p] if distance[q] > step})
        for province in ring:
            distance[province] = step
    return dict(zip(tables.ids, distance, strict=True))
