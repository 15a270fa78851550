"""The outcome of a movement phase, read off the decisions of the resolver."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType

from alexmagnum.judge import reasons, rivers
from alexmagnum.judge.legality import ILLEGAL_CODES, INVALID_CODES
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.numbering import numbered
from alexmagnum.judge.openings import Openings
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
    def _attackers(self) -> Mapping[int, tuple[int, ...]]:
        """By number of a dislodged unit: who dislodged it, those from outside first."""
        movement = self.movement
        goal = movement.goal
        attackers: dict[int, tuple[int, ...]] = {}
        for u, place in enumerate(movement.to_place):
            beats = movement.dislodges(u) if goal[u] == FOR_CITY else movement.moved[u]
            if beats == YES and place >= 0:
                target = movement.occupant[place]
                if target >= 0 and movement.leaves(target) != YES:
                    attackers[target] = (*attackers.get(target, ()), u)
        for target, who in attackers.items():
            if len(who) > 1:
                attackers[target] = tuple(sorted(who, key=lambda u: goal[u] == FROM_INSIDE))
        return attackers

    @cached_property
    def attacker(self) -> list[int]:
        """By unit number: who dislodged it (one of them), -1 for none."""
        attacker = [-1] * len(self.movement.kind)
        for target, who in self._attackers.items():
            attacker[target] = who[0]
        return attacker

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
        sheet = movement.sheet
        if fault or sheet.orders[u] is not order:
            return ILLEGAL
        void = sheet.void[u]
        if void:
            if void in ILLEGAL_CODES:
                return ILLEGAL
            return INVALID if void in INVALID_CODES else FAILS
        does = movement.kind[u]
        if does == MOVE:
            if movement.moved[u]:
                return SUCCEEDS
            stopped = u in movement.expresses and rivers.stopped_in(movement, u) >= 0
            return STOPPED if stopped else FAILS
        if does == SUPPORT:
            return GIVEN if movement.given[u] else CUT
        if does == CAUGHT:
            return DESTROYED
        dislodged = u in self._attackers
        if does == CONVOY:
            lost = dislodged or movement.broken[u]
            return DISRUPTED if lost else AVAILABLE
        return DISLODGED if dislodged else STANDS

    def result_of(self, u: int) -> str:
        """What the order of a unit came to, or the unit, if it had none: the first of its fates,
        by its number in the tables."""
        order = self.movement.sheet.orders[u]
        if order is not None:
            return self._result(order, u, "")
        return DISLODGED if u in self._attackers else STANDS

    def is_lost(self, u: int) -> bool:
        """Was a unit dislodged, or destroyed at once?  By its number in the tables."""
        return u in self._attackers or self.movement.kind[u] == CAUGHT

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
        fates = (Fate(unit, order, self.result_of(u), reason),)
        if dislodged is None or reason == dislodged:
            return fates
        return (*fates, Fate(unit, order, DISLODGED, dislodged))

    def attackers(self, unit: Unit) -> tuple[Unit, ...]:
        """Everybody who dislodged a unit: several may, in a sea (R11a)."""
        units = self.movement.sheet.units.units
        return tuple(units[who] for who in self._attackers.get(units.index(unit), ()))

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
        board = self.movement.sheet.board
        stay: list[Unit] = []
        gone: list[tuple[int, Unit]] = []
        for u, unit in enumerate(self.movement.sheet.units.units):
            location = self._gone_to(u)
            if location >= 0:
                gone.append((u, _at(unit, board.location_names[location])))
            elif not self.is_lost(u):
                stay.append(unit)
        if board.crowded:
            gone = numbered(self.movement, stay, gone)
        return (*stay, *(unit for _, unit in gone))

    def province_after(self, u: int) -> int:
        """The province where a unit stands after the moves, all by their numbers in the tables; -1
        if it is lost."""
        location = self._gone_to(u)
        if location >= 0:
            return self.movement.sheet.board.province_of[location]
        return -1 if self.is_lost(u) else self.movement.sheet.units.province[u]

    def _gone_to(self, u: int) -> int:
        """The location that a unit has left its own for; -1 if it has not."""
        movement = self.movement
        if movement.moved[u] == YES and movement.goal[u] != FROM_INSIDE:
            return movement.sheet.to_location[u]
        return rivers.stopped_in(movement, u)

    @cached_property
    def dislodged(self) -> tuple[Dislodged, ...]:
        """The units that have to retreat: not garrisons (R27), nor units in revolt (R3)."""
        if not self._attackers:
            return ()
        units = self.movement.sheet.units.units
        openings = Openings(self.movement, self.units)
        return tuple(
            Dislodged(units[u], units[who[0]], openings.ways(u, who))
            for u, who in sorted(self._attackers.items())
            if self.position.takes_orders(units[u])
        )

    @cached_property
    def destroyed(self) -> tuple[Unit, ...]:
        """Units gone without a retreat: garrisons (R27), units in revolt (R3), fleets caught on
        the haul (R24)."""
        movement, units = self.movement, self.movement.sheet.units.units
        return tuple(
            unit
            for u, unit in enumerate(units)
            if movement.kind[u] == CAUGHT
            or (u in self._attackers and not self.position.takes_orders(unit))
        )

    @cached_property
    def nobility(self) -> Mapping[str, int]:
        """Points after the phase: a general with no retreat open is lost at once (R2)."""
        lost = tuple(d.unit for d in self.dislodged if not d.retreats)
        return nobility_after(self.position, lost)


def _at(unit: Unit, location: str) -> Unit:
    """The unit at another location, in the first place there."""
    province, _, coast = location.partition("/")
    return Unit(unit.power, unit.kind, province, coast)
