"""The winter: builds, removals, and the civil disorder rule for removals not ordered (R32)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from alexmagnum.board.geography import split_location
from alexmagnum.board.model import Board
from alexmagnum.judge.legality import find_unit
from alexmagnum.judge.outcome import (
    FAILS,
    ILLEGAL,
    SUCCEEDS,
    OrderOutcome,
    PhaseOutcome,
    Reason,
    nobility_after,
)
from alexmagnum.orders import Build, Order, Remove, Waive
from alexmagnum.position import KINDS, Position, Unit


def resolve_winter(position: Position, orders: Mapping[str, Sequence[Order]]) -> PhaseOutcome:
    """Build and remove (DATC 6.I, 6.J); a power's first legal orders count (4.D.4, 4.D.6)."""
    results: list[OrderOutcome] = []
    reasons: list[Reason] = []
    built: list[Unit] = []
    gone: list[Unit] = []
    removed: list[Unit] = []
    adjust = count_adjustments(position)
    for power in dict.fromkeys([*orders, *position.board.powers]):
        winter = _Adjustment(position, power, adjust.get(power, 0))
        for order in orders.get(power, ()):
            unit, result, reason = winter.carry_out(order)
            results.append(OrderOutcome(power, order, unit, result))
            reasons.append(reason)
        built += winter.built
        gone += winter.removed
        removed += winter.list_civil_disorder()
    left = [unit for unit in position.units if unit not in gone and unit not in removed]
    return PhaseOutcome(
        position,
        tuple(results),
        tuple(reasons),
        units=(*left, *built),
        adjust=adjust,
        removed=tuple(removed),
        nobility=nobility_after(position, ()),
    )


def count_adjustments(position: Position) -> Mapping[str, int]:
    """Return the builds due by power, removals if negative, as if every place were free.

    A major city counts for ``major_city_upkeep`` units (R25).  A power in revolt neither builds
    nor removes (R3).
    """
    board = position.board
    due = dict.fromkeys(board.powers, 0)
    for centre, power in position.owners.items():
        major = board.provinces[centre].major
        due[power] += board.rules.major_city_upkeep if major else 1
    for unit in position.units:
        if unit.power in due:
            due[unit.power] -= 1
    return {power: 0 if position.in_revolt(power) else count for power, count in due.items()}


def list_legal_adjustments(
    position: Position, power: str, orders: Iterable[Order]
) -> tuple[Order, ...]:
    """Return the winter orders that succeed if the power gives each of them alone."""
    winter = _Adjustment(position, power, count_adjustments(position).get(power, 0))
    return tuple(order for order in orders if winter.judge(order)[1] == SUCCEEDS)


def list_building_places(position: Position, power: str) -> tuple[str, ...]:
    """Return the centres where a power may build now (R28).

    It owns them, they are building centres or major cities, and they have a free place.
    """
    board = position.board
    if power not in board.powers or position.in_revolt(power):
        return ()
    homes = {*board.powers[power].homes, *position.homes.get(power, ())}
    return tuple(
        centre
        for centre in position.centres_of(power)
        if (centre in homes or board.provinces[centre].major)
        and find_free_place(position, centre, power)
    )


def find_free_place(position: Position, centre: str, power: str, built: Sequence[Unit] = ()) -> int:
    """Return the lowest free place of a centre for one more unit of a power, 0 if there is none.

    ``built``: units that were built this winter, beyond those of the position.  A city with two
    places is open while only the power's own units are in it (R26).
    """
    there = [unit for unit in (*position.units, *built) if unit.province == centre]
    if any(unit.power != power for unit in there):
        return 0
    taken = {unit.number for unit in there}
    capacity = position.board.provinces[centre].capacity
    return next((n for n in range(1, capacity + 1) if n not in taken), 0)


def list_building_rooms(position: Position, power: str) -> tuple[str, ...]:
    """Return the building places of a power now, each as often as it has room.

    A city with two free places comes twice (R26).
    """
    rooms: list[str] = []
    for centre in list_building_places(position, power):
        built: list[Unit] = []
        while number := find_free_place(position, centre, power, built):
            built.append(Unit(power, "A", centre, number=number))
            rooms.append(centre)
    return tuple(rooms)


def placement_fault(board: Board, kind: str, at: str) -> str:
    """Return why a new unit of a kind cannot stand at a location, or "" if it can."""
    province, coast, _ = split_location(at)
    place = board.provinces[province]
    if kind not in KINDS:
        return "build-what"
    if kind == "G" and not board.rules.nobility:
        return "no-generals"
    if kind != "F":
        return ""
    if not (place.coastal or place.rivers):
        return "build-fleet-inland"
    if coast not in (place.coasts or ("",)):
        return "build-coast" if coast else "coast-needed"
    return ""


class _Adjustment:
    """One power's winter.

    ``due``: how many units it may still build, or must still remove if negative; ``built``,
    ``removed``: what it has built and removed so far.
    """

    def __init__(self, position: Position, power: str, due: int) -> None:
        self.position = position
        self.power = power
        self.due = due
        self.places = list_building_places(position, power)
        self.built: list[Unit] = []
        self.removed: list[Unit] = []

    def carry_out(self, order: Order) -> tuple[Unit | None, str, Reason]:
        """Carry out one order; return the unit it is about, its result, and why."""
        unit, result, reason = self.judge(order)
        if result == SUCCEEDS:
            self.due += 1 if isinstance(order, Remove) else -1
            if unit is not None:
                (self.removed if isinstance(order, Remove) else self.built).append(unit)
        return unit, result, reason

    def judge(self, order: Order) -> tuple[Unit | None, str, Reason]:
        """Return the same for one more order, without carrying it out."""
        if self.position.in_revolt(self.power):
            return None, ILLEGAL, Reason("in-revolt")
        if isinstance(order, Build):
            return self._judge_build(order)
        if isinstance(order, Remove):
            return self._judge_removal(order)
        if isinstance(order, Waive):
            if self.due <= 0:
                return None, ILLEGAL, Reason("no-build-due")
            return None, SUCCEEDS, Reason("waived")
        return None, ILLEGAL, Reason("wrong-phase")

    def _judge_build(self, order: Build) -> tuple[Unit | None, str, Reason]:
        kind, at = order.unit[:1], order.unit[2:]
        province, coast, _ = split_location(at)
        fault = self._build_fault(kind, province, at)
        if fault:
            return None, FAILS if fault == "coast-needed" else ILLEGAL, Reason(fault)
        number = find_free_place(self.position, province, self.power, self.built)
        unit = Unit(self.power, kind, province, coast if kind == "F" else "", number)
        return unit, SUCCEEDS, Reason("builds")

    def _build_fault(self, kind: str, province: str, at: str) -> str:
        """Return why a build is impossible, or "" if it is possible."""
        if self.due <= 0:
            return "no-build-due"
        if self.position.owners.get(province) != self.power:
            return "build-not-owned"
        if not find_free_place(self.position, province, self.power, self.built):
            return "build-occupied"
        if province not in self.places:
            return "build-not-home"
        fault = placement_fault(self.position.board, kind, at)
        if not fault and kind == "G" and any(u.kind == "G" for u in self._own_units()):
            return "second-general"
        return fault

    def _own_units(self) -> Iterable[Unit]:
        mine = (u for u in self.position.units if u.power == self.power)
        return (*(u for u in mine if u not in self.removed), *self.built)

    def _judge_removal(self, order: Remove) -> tuple[Unit | None, str, Reason]:
        unit = find_unit(self._own_units(), order.unit)
        if unit is None:
            return None, ILLEGAL, Reason("no-unit")
        if self.due >= 0:
            return unit, ILLEGAL, Reason("no-removal-due")
        return unit, SUCCEEDS, Reason("removes")

    def list_civil_disorder(self) -> list[Unit]:
        """Return the units that civil disorder removes (DATC 4.D.8, R32).

        The farthest go first, then fleets before armies, then by English name; the general goes
        last of all.
        """
        if self.due >= 0:
            return []
        position = self.position
        distance = measure_distances(position.board, position.centres_of(self.power))
        name = {p.id: p.name("en") for p in position.board.provinces.values()}

        def sort_key(unit: Unit) -> tuple[bool, int, bool, str, int]:
            far = distance[unit.province]
            return unit.kind == "G", -far, unit.kind != "F", name[unit.province], unit.number

        return sorted(self._own_units(), key=sort_key)[: -self.due]


def measure_distances(board: Board, centres: Iterable[str]) -> dict[str, int]:
    """Return how many steps each province is away from the nearest of these centres.

    A step may cross any border, whoever else may cross it.  Without a centre all distances are 0;
    a province out of reach counts as farthest.
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
