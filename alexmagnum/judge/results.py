"""The outcome of a movement phase, read off the decisions of the resolver."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.judge import cities, reasons, rivers, seas
from alexmagnum.judge.legality import ILLEGAL_CODES, INVALID_CODES
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.outcome import (
    AVAILABLE,
    CUT,
    DESTROYED,
    DISLODGED,
    DISRUPTED,
    FAILS,
    GIVEN,
    ILLEGAL,
    INVALID,
    STANDS,
    STOPPED,
    SUCCEEDS,
    Fate,
    OrderOutcome,
    Reason,
    nobility_after,
)
from alexmagnum.judge.sheet import (
    CAUGHT,
    CONVOY,
    FOR_CITY,
    FOR_PLACE,
    FROM_INSIDE,
    MOVE,
    SUPPORT,
)
from alexmagnum.judge.trilean import YES
from alexmagnum.orders import Order
from alexmagnum.position import Dislodged, Position, Unit


class MovementOutcome:
    """What a movement phase comes to; everything is worked out when first asked for.

    See :class:`alexmagnum.judge.outcome.Outcome` for what the parts hold.
    """

    disbanded: tuple[Unit, ...] = ()
    removed: tuple[Unit, ...] = ()
    picks: None = None
    adjust: Mapping[str, int] = MappingProxyType({})

    def __init__(self, position: Position, movement: Movement) -> None:
        self.position = position
        self.movement = movement

    def __eq__(self, other: object) -> bool:
        """Outcomes are equal if the same came of the same position."""
        if not isinstance(other, MovementOutcome):
            return NotImplemented
        return (self.position, self.results, self.units, self.dislodged) == (
            *(other.position, other.results, other.units, other.dislodged),
        )

    # Equal by content that is worked out late, so it cannot be a key.
    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def _attackers(self) -> list[tuple[int, ...]]:
        """By unit number: who dislodged it, those from outside first."""
        movement = self.movement
        attackers: list[tuple[int, ...]] = [()] * len(movement.kind)
        for u, moved in enumerate(movement.moved):
            place = movement.to_place[u]
            beats = movement.overcomes(u) if movement.goal[u] == FOR_CITY else moved
            if beats == YES and place >= 0:
                target = movement.occupant[place]
                if target >= 0 and movement.leaves(target) != YES:
                    attackers[target] += (u,)
        if self._is_crowded:
            goal = movement.goal
            return [tuple(sorted(who, key=lambda u: goal[u] == FROM_INSIDE)) for who in attackers]
        return attackers

    @cached_property
    def attacker(self) -> list[int]:
        """By unit number: who dislodged it (one of them), -1 for none."""
        return [who[0] if who else -1 for who in self._attackers]

    @cached_property
    def results(self) -> tuple[OrderOutcome, ...]:
        units = self.movement.sheet.units.units
        result = self._result
        return tuple(
            OrderOutcome(power, order, units[u] if u >= 0 else None, result(order, u, fault))
            for power, order, u, fault in self.movement.sheet.entries
        )

    def _result(self, order: Order, u: int, fault: str) -> str:
        movement = self.movement
        if fault or movement.sheet.orders[u] is not order:
            return ILLEGAL
        void = movement.sheet.void[u]
        if void:
            if void in ILLEGAL_CODES:
                return ILLEGAL
            return INVALID if void in INVALID_CODES else FAILS
        does = movement.kind[u]
        if does == CAUGHT:
            return DESTROYED
        if does == MOVE:
            if movement.moved[u]:
                return SUCCEEDS
            return STOPPED if self._stops_at(u) >= 0 else FAILS
        if does == SUPPORT:
            return GIVEN if movement.given[u] else CUT
        dislodged = self.attacker[u] >= 0
        if does == CONVOY:
            lost = dislodged or movement.broken[u]
            return DISRUPTED if lost else AVAILABLE
        return DISLODGED if dislodged else STANDS

    def fates(self, unit: Unit) -> tuple[Fate, ...]:
        """What became of a unit's order (or of the unit, if it had none), and why; then who
        dislodged it, where that is not said yet.

        Raises:
            KeyError: the position has no such unit.
        """
        sheet = self.movement.sheet
        if unit not in sheet.units.units:
            raise KeyError(unit)
        u = sheet.units.units.index(unit)
        order = sheet.orders[u]
        reason = self._why.of(u)
        dislodged = self._why.dislodgement(u)
        result = STANDS if dislodged is None else DISLODGED
        if order is not None:
            result = self._result(order, u, "")
        fates = (Fate(unit, order, result, reason),)
        if dislodged is None or reason == dislodged:
            return fates
        return (*fates, Fate(unit, order, DISLODGED, dislodged))

    def attackers(self, unit: Unit) -> tuple[Unit, ...]:
        """Everybody who dislodged a unit: several may, in a sea (R11a)."""
        units = self.movement.sheet.units.units
        return tuple(units[who] for who in self._attackers[units.index(unit)])

    @cached_property
    def _why(self) -> reasons.Why:
        return reasons.Why(self.movement, self.attacker)

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Why each order came out as it did, in the order of ``results``."""
        return tuple(
            self._why.listed(order, u, fault) for _, order, u, fault in self.movement.sheet.entries
        )

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The units on the board after the moves, without the dislodged."""
        movement = self.movement
        names = movement.sheet.board.location_names
        to_location = movement.sheet.to_location
        attackers = self._attackers
        stay: list[Unit] = []
        moved: list[tuple[int, Unit]] = []
        for u, unit in enumerate(movement.sheet.units.units):
            if movement.moved[u] == YES and movement.goal[u] != FROM_INSIDE:
                moved.append((u, _at(unit, names[to_location[u]])))
            elif u in movement.rides and self._stops_at(u) >= 0:
                moved.append((u, _at(unit, names[self._stops_at(u)])))
            elif not attackers[u] and movement.kind[u] != CAUGHT:
                stay.append(unit)
        if self._is_crowded:
            moved = self._numbered(stay, moved)
        return (*stay, *(unit for _, unit in moved))

    def _stops_at(self, u: int) -> int:
        """The territory where an express that advanced was stopped; -1 for all other units."""
        movement = self.movement
        if u not in movement.rides or movement.moved[u]:
            return -1
        passed = rivers.passed(movement, u)
        return movement.rides[u].path[passed - 1] if passed else -1

    def _numbered(self, stay: list[Unit], moved: list[tuple[int, Unit]]) -> list[tuple[int, Unit]]:
        """The moved units with their numbers (R8): that of the place that a unit won by naming
        it, then the lowest that are left, by power and place of origin."""
        movement = self.movement
        origin = movement.sheet.units.units
        taken = {(unit.province, unit.number) for unit in stay}
        numbers = {u: self._won_number(u) for u, _ in moved}
        taken |= {(unit.province, numbers[u]) for u, unit in moved}
        for u, unit in sorted(moved, key=lambda pair: _seniority(origin[pair[0]])):
            if not numbers[u]:
                capacity = self.position.board.provinces[unit.province].capacity
                numbers[u] = next(
                    n for n in range(1, capacity + 1) if (unit.province, n) not in taken
                )
                taken.add((unit.province, numbers[u]))
        return [(u, replace(unit, number=numbers[u])) for u, unit in moved]

    def _won_number(self, u: int) -> int:
        """The number of the place that a move won by naming it; 0 if it named none (R8)."""
        movement = self.movement
        if not movement.moved[u] or movement.sheet.board.capacity[movement.sheet.to[u]] == 1:
            return 1
        place = movement.to_place[u]
        if place < 0 or (movement.goal[u] == FOR_CITY and movement.overcomes(u) != YES):
            return 0
        return movement.sheet.units.units[movement.occupant[place]].number

    @cached_property
    def dislodged(self) -> tuple[Dislodged, ...]:
        """The units that have to retreat: not garrisons (R27), nor units in revolt (R3)."""
        units = self.movement.sheet.units.units
        return tuple(
            Dislodged(units[u], units[who[0]], self._retreats(u, who))
            for u, who in enumerate(self._attackers)
            if who and not self._has_no_retreat(units[u])
        )

    @cached_property
    def destroyed(self) -> tuple[Unit, ...]:
        """Units gone without a retreat: garrisons (R27), units in revolt (R3), fleets caught on
        the haul (R24)."""
        movement, units = self.movement, self.movement.sheet.units.units
        return tuple(
            unit
            for u, unit in enumerate(units)
            if movement.kind[u] == CAUGHT or (self._attackers[u] and self._has_no_retreat(unit))
        )

    def _has_no_retreat(self, unit: Unit) -> bool:
        return unit.power == INDEPENDENT or self.position.in_revolt(unit.power)

    @cached_property
    def nobility(self) -> Mapping[str, int]:
        """Points after the phase: a general with no retreat open is lost at once (R2)."""
        lost = tuple(d.unit for d in self.dislodged if not d.retreats)
        return nobility_after(self.position, lost)

    def _retreats(self, u: int, attackers: tuple[int, ...]) -> tuple[str, ...]:
        """Every location open to a dislodged unit (R17)."""
        movement, board = self.movement, self.movement.sheet.board
        units = movement.sheet.units
        closed = {self._came_from(attacker) for attacker in attackers}
        barred = self._barred
        beside = (
            board.army_to[units.province[u]] if units.army[u] else board.fleet_to[units.location[u]]
        )
        return tuple(
            sorted(
                board.location_names[location]
                for location in beside
                if board.province_of[location] not in closed
                and not barred[board.province_of[location]]
                and self._is_shared_with_own(u, board.province_of[location])
            )
        )

    def _came_from(self, attacker: int) -> int:
        """The province that is closed because the attacker came from it; -1 if it came by convoy
        (DATC 4.A.5, 6.H.11).  An express came from the last territory before (R22)."""
        movement = self.movement
        if movement.by_convoy[attacker]:
            return -1
        ride = movement.rides.get(attacker)
        return ride.path[-2] if ride else movement.province[attacker]

    def _is_shared_with_own(self, u: int, province: int) -> bool:
        """Are the units that stand after the moves in a city of two places its own (R26)?"""
        board = self.movement.sheet.board
        if board.capacity[province] == 1 or board.is_sea[province]:
            return True
        power = self.movement.sheet.units.units[u].power
        return all(v.power == power for v in self.units if v.province == board.ids[province])

    @cached_property
    def _barred(self) -> list[bool]:
        """By province: is it full after the moves, or was anybody kept out of it?"""
        movement, board = self.movement, self.movement.sheet.board
        free = list(board.capacity)
        for unit in self.units:
            free[board.index[unit.province]] -= 1
        barred = [room <= 0 for room in free]
        for leg, u in enumerate(movement.mover):
            if movement.kind[u] == MOVE and movement.goal[u] == FOR_PLACE and movement.passage[leg]:
                place = movement.leg_place[leg]
                failed = not movement.moved[u] and (leg == u or rivers.stalls(movement, leg))
                # One that lost a head-to-head battle had no effect there.
                if failed and movement.beaten(leg) != YES:
                    barred[board.province_at[place]] = True
        if self._is_crowded:
            self._bar_crowded(barred)
        return barred

    @property
    def _is_crowded(self) -> bool:
        """Has the board provinces of several places?"""
        board = self.movement.sheet.board
        return board.places > board.n

    def _bar_crowded(self, barred: list[bool]) -> None:
        """Seas and cities of several places have their own reasons to be closed (R17, R26)."""
        movement, board = self.movement, self.movement.sheet.board
        for province, capacity in enumerate(board.capacity):
            if capacity > 1:
                closed = seas.closed if board.is_sea[province] else cities.closed
                full = len([u for u in self.units if u.province == board.ids[province]]) >= capacity
                barred[province] = full or closed(movement, province)


def _at(unit: Unit, location: str) -> Unit:
    """The unit at another location, in the first place there."""
    province, _, coast = location.partition("/")
    return Unit(unit.power, unit.kind, province, coast)


def _seniority(unit: Unit) -> tuple[str, str, int]:
    """Who gets the first number: by power, then where it came from (R8)."""
    return unit.power, unit.province, unit.number
