"""The outcome of a movement phase, read off the decisions of the resolver."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.judge import reasons
from alexmagnum.judge.legality import ILLEGAL_CODES, INVALID_CODES
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.outcome import (
    AVAILABLE,
    CUT,
    DISLODGED,
    DISRUPTED,
    FAILS,
    GIVEN,
    ILLEGAL,
    INVALID,
    STANDS,
    SUCCEEDS,
    Fate,
    OrderOutcome,
    Reason,
    nobility_after,
)
from alexmagnum.judge.sheet import CONVOY, MOVE, SUPPORT
from alexmagnum.orders import Order
from alexmagnum.position import Dislodged, Position, Unit


class MovementOutcome:
    """What a movement phase comes to; everything is worked out when first asked for.

    See :class:`alexmagnum.judge.outcome.Outcome` for what the parts hold.
    """

    disbanded: tuple[Unit, ...] = ()
    removed: tuple[Unit, ...] = ()
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
    def attacker(self) -> list[int]:
        """By unit number: who dislodged it, -1 for none."""
        movement = self.movement
        attacker = [-1] * len(movement.kind)
        for u, success in enumerate(movement.moved):
            if success == 1:
                target = movement.occupant[movement.to_place[u]]
                if target >= 0 and movement.moved[target] != 1:
                    attacker[target] = u
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
        if fault or movement.sheet.orders[u] is not order:
            return ILLEGAL
        void = movement.sheet.void[u]
        if void:
            if void in ILLEGAL_CODES:
                return ILLEGAL
            return INVALID if void in INVALID_CODES else FAILS
        does = movement.kind[u]
        if does == MOVE:
            return SUCCEEDS if movement.moved[u] else FAILS
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
        movement, sheet = self.movement, self.movement.sheet
        after = []
        for u, unit in enumerate(sheet.units.units):
            if movement.moved[u] == 1:
                after.append(self._moved(unit, sheet.to_location[u]))
            elif self.attacker[u] < 0:
                after.append(unit)
        return tuple(after)

    def _moved(self, unit: Unit, location: int) -> Unit:
        name = self.movement.sheet.board.location_names[location]
        province, _, coast = name.partition("/")
        return Unit(unit.power, unit.kind, province, coast)

    @cached_property
    def dislodged(self) -> tuple[Dislodged, ...]:
        """The units that have to retreat, garrisons (R27) not among them."""
        units = self.movement.sheet.units.units
        return tuple(
            Dislodged(units[u], units[attacker], self._retreats(u, attacker))
            for u, attacker in enumerate(self.attacker)
            if attacker >= 0 and units[u].power != INDEPENDENT
        )

    @cached_property
    def destroyed(self) -> tuple[Unit, ...]:
        """Garrisons that were dislodged (R27)."""
        units = self.movement.sheet.units.units
        return tuple(
            units[u]
            for u, attacker in enumerate(self.attacker)
            if attacker >= 0 and units[u].power == INDEPENDENT
        )

    @cached_property
    def nobility(self) -> Mapping[str, int]:
        """Points after the phase: a general with no retreat open is lost at once (R2)."""
        lost = tuple(d.unit for d in self.dislodged if not d.retreats)
        return nobility_after(self.position, lost)

    def _retreats(self, u: int, attacker: int) -> tuple[str, ...]:
        """Every location open to a dislodged unit."""
        movement, board = self.movement, self.movement.sheet.board
        units = movement.sheet.units
        # The attacker's province is open only if it came by convoy (DATC 4.A.5, 6.H.11).
        closed = -1 if movement.by_convoy[attacker] else movement.province[attacker]
        beside = (
            board.army_to[units.province[u]] if units.army[u] else board.fleet_to[units.location[u]]
        )
        return tuple(
            sorted(
                board.location_names[location]
                for location in beside
                if board.province_of[location] != closed
                and not self._barred[board.province_of[location]]
            )
        )

    @cached_property
    def _barred(self) -> list[bool]:
        """By province: is it full after the moves, or kept empty by a bounce?"""
        movement, board = self.movement, self.movement.sheet.board
        free = list(board.capacity)
        bounced = [False] * board.n
        for u, success in enumerate(movement.moved):
            if success == 1:
                free[movement.sheet.to[u]] -= 1
            elif self.attacker[u] < 0:
                free[movement.province[u]] -= 1
            if movement.kind[u] == MOVE and not success and movement.passage[u]:
                # One that lost a head-to-head battle had no effect there.
                bounced[movement.sheet.to[u]] |= movement.beaten(u) != 1
        return [room <= 0 or bounced[p] for p, room in enumerate(free)]
