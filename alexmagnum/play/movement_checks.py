"""Checks of moves: borders, convoys, rivers, the portage, losses and retreats.

Each check takes a played phase and yields what is wrong, in a few words for a developer.
"""

from __future__ import annotations

from collections.abc import Iterator

from alexmagnum.board.geography import split_location
from alexmagnum.board.model import INDEPENDENT
from alexmagnum.board.numbers import ProvinceNo
from alexmagnum.judge.convoys import can_cross
from alexmagnum.judge.outcome import (
    AVAILABLE,
    DESTROYED,
    ILLEGAL,
    INVALID,
    STOPPED,
    SUCCEEDS,
    Outcome,
)
from alexmagnum.orders import Convoy, Move, Retreat
from alexmagnum.play.random_game import PlayedPhase
from alexmagnum.play.unit_checks import find_destinations
from alexmagnum.position import Dislodged, Unit


def check_moves(played: PlayedPhase) -> Iterator[str]:
    """Check that every move that was made had a way, and that nothing barred it."""
    if played.position.phase.kind == "movement":
        moves = _MoveChecker(played)
        for entry in played.outcome.results:
            if entry.unit is not None and isinstance(entry.order, Move):
                for fault in moves.faults(entry.unit, entry.order, entry.result):
                    yield f"{entry.power} {entry.order.unit} - {entry.order.to}: {fault}"


class _MoveChecker:
    """The map of one phase and the units that stayed, to check its moves against."""

    def __init__(self, played: PlayedPhase) -> None:
        self.outcome = played.outcome
        self.board = played.position.board
        self.tables = self.board.tables
        self.ends = find_destinations(played.outcome)
        gone = {*self.outcome.destroyed, *(d.unit for d in self.outcome.dislodged)}
        self.remaining = {
            self.tables.index[unit.province]
            for unit in played.position.units
            if unit not in gone and unit not in self.ends
        }

    def faults(self, unit: Unit, order: Move, result: str) -> Iterator[str]:
        """Yield what is wrong with one move and its result."""
        here, to = self.tables.index[unit.province], self._province(order.to)
        if result == DESTROYED:
            if unit.kind != "F" or not self._is_raided(unit, here, to):
                yield "destroyed, and no haul was raided (R24)"
        elif result == STOPPED:
            yield from self._check_stop(unit, here, to)
        elif result == SUCCEEDS:
            yield from self._check_success(unit, here, to)

    def _check_success(self, unit: Unit, here: ProvinceNo, to: ProvinceNo) -> Iterator[str]:
        """Check that a move that succeeded had a way."""
        touches = self._touches(unit, here, to)
        if unit.kind != "F":
            if not touches and not self._is_carried(unit, to):
                yield "no border and no convoy"
        elif here == to:
            if not self.board.provinces[unit.province].is_sea:
                yield "a move to where it stands"
        elif not touches:
            yield from self._check_ride(unit, here, to)

    def _province(self, to: str) -> ProvinceNo:
        return self.tables.index[split_location(to)[0]]

    def _touches(self, unit: Unit, here: ProvinceNo, to: ProvinceNo) -> bool:
        """Return whether a border joins two provinces for a unit."""
        tables = self.tables
        if unit.kind != "F":
            return to in tables.army_to[here]
        beside = tables.fleet_to[tables.location[unit.location]]
        return to in {tables.province_of[location] for location in beside}

    def _is_carried(self, army: Unit, to: ProvinceNo) -> bool:
        """Return whether fleets that were not dislodged carried the army all the way (R16)."""
        seas = {
            self.tables.index[entry.unit.province]
            for entry in self.outcome.results
            if entry.unit
            and isinstance(entry.order, Convoy)
            and entry.result == AVAILABLE
            and split_location(entry.order.army[2:])[0] == army.province
            and self._province(entry.order.to) == to
        }
        return can_cross(self.tables, seas, self.tables.index[army.province], to)

    def _check_stop(self, unit: Unit, here: ProvinceNo, to: ProvinceNo) -> Iterator[str]:
        """Check that a move that stopped is an express, stopped on its way (R19)."""
        course = self.tables.course.get((here, to))
        if unit.kind != "F" or course is None:
            yield "stopped, and no express"
        elif self.tables.index[self.ends[unit]] not in course.path[:-1]:
            yield f"stopped in {self.ends[unit]}, off its way (R19)"
        else:
            yield from self._find_barriers(unit, here, self.tables.index[self.ends[unit]])

    def _check_ride(self, unit: Unit, here: ProvinceNo, to: ProvinceNo) -> Iterator[str]:
        """Check that an express passed no unit that stayed (R19), and a haul free land (R23)."""
        over = self.tables.haul.get((here, to))
        if (here, to) in self.tables.course:
            yield from self._find_barriers(unit, here, to)
        elif over is None:
            yield "no border, river or portage"
        elif over != here and over in self.remaining:
            yield "hauled over land that was not free (R23)"
        elif self._is_raided(unit, here, to):
            yield "hauled past a raider (R24)"

    def _find_barriers(self, unit: Unit, here: ProvinceNo, end: ProvinceNo) -> Iterator[str]:
        """Yield the provinces on the way of an express in which a unit stayed."""
        for province in self.tables.course[here, end].path:
            crowd = self.board.provinces[self.tables.ids[province]].capacity > 1
            if province in self.remaining and not (crowd and province == end):
                yield f"went through {self.tables.ids[province]}, where somebody stayed (R19)"

    def _is_raided(self, fleet: Unit, here: ProvinceNo, to: ProvinceNo) -> bool:
        """Return whether a foreign army beside the haul was ordered onto it (R24)."""
        over = self.tables.haul.get((here, to))
        return over is not None and any(
            entry.unit is not None
            and isinstance(entry.order, Move)
            and entry.result not in (ILLEGAL, INVALID)
            and entry.unit.kind != "F"
            and entry.unit.power not in (fleet.power, INDEPENDENT)
            and self._province(entry.order.to) == over
            and self.tables.index[entry.unit.province] in self.tables.raiders[over]
            for entry in self.outcome.results
        )


def check_losses(played: PlayedPhase) -> Iterator[str]:
    """Check that only some units are lost without a retreat.

    These are garrisons (R27), units in revolt (R3) and raided hauls (R24).
    """
    position, outcome = played.position, played.outcome
    caught = {entry.unit for entry in outcome.results if entry.result == DESTROYED}
    for unit in outcome.destroyed:
        if unit.power != INDEPENDENT and not position.in_revolt(unit.power) and unit not in caught:
            yield f"{unit.power} {unit.kind} {unit.place} destroyed for no reason"
    for dislodged in outcome.dislodged:
        if dislodged.unit.power == INDEPENDENT:
            yield f"the garrison of {dislodged.unit.province} is to retreat (R27)"


def check_retreats(played: PlayedPhase) -> Iterator[str]:
    """Check that retreats are open to free provinces from which no attacker came (R17).

    Retreats that were made must lead to one that was open.
    """
    outcome = played.outcome
    for dislodged in outcome.dislodged:
        for fault in _check_open_retreats(outcome, dislodged):
            yield f"{dislodged.unit.power} {dislodged.unit.kind} {dislodged.unit.place}: {fault}"
    open_before = {d.unit: d.retreats for d in played.position.dislodged}
    for entry in outcome.results:
        if isinstance(entry.order, Retreat) and entry.result == SUCCEEDS and entry.unit:
            provinces = {split_location(way)[0] for way in open_before[entry.unit]}
            if split_location(entry.order.to)[0] not in provinces:
                yield f"{entry.power} {entry.order.unit} retreated to {entry.order.to}, not open"


def _check_open_retreats(outcome: Outcome, dislodged: Dislodged) -> Iterator[str]:
    """Check the retreats that are open to a dislodged unit."""
    attackers = outcome.attackers(dislodged.unit)
    if not attackers or dislodged.by not in attackers:
        yield "dislodged by nobody"
    closed = {by.province for by in attackers if _came_by_land(outcome, by)}
    for way in dislodged.retreats:
        if outcome.position.board.province_of(way).id in closed:
            yield f"may retreat to {way}, where an attacker came from (R17)"
        yield from _check_room(outcome, dislodged.unit.power, way)


def _check_room(outcome: Outcome, power: str, way: str) -> Iterator[str]:
    """Check that there is room for a retreating unit of a power."""
    province = outcome.position.board.province_of(way)
    there = [unit for unit in outcome.units if unit.province == province.id]
    if len(there) >= province.capacity:
        yield f"may retreat to {way}, which is full (R17)"
    if not province.is_sea and any(unit.power != power for unit in there):
        yield f"may retreat to {way}, where another power stands (R26)"


def _came_by_land(outcome: Outcome, attacker: Unit) -> bool:
    """Return whether an attacker crossed a border.

    Convoys, expresses and hauls close nothing where they began.
    """
    tables = outcome.position.board.tables
    here = tables.index[attacker.province]
    for entry in outcome.results:
        if entry.unit == attacker and isinstance(entry.order, Move):
            to = tables.index[split_location(entry.order.to)[0]]
            convoyed = entry.order.via_convoy or any(
                isinstance(other.order, Convoy) and other.order.army[2:] == attacker.location
                for other in outcome.results
            )
            course = tables.course.get((here, to))
            if (here, to) in tables.haul:
                return True
            return not convoyed and (course is None or len(course.path) == 1)
    return False
