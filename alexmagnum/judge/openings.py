"""Where dislodged units may retreat to: what a movement phase leaves open (R17, R22)."""

from __future__ import annotations

from collections.abc import Sequence

from alexmagnum.judge import cities, rivers, seas
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.sheet import FOR_PLACE, MOVE
from alexmagnum.judge.trilean import YES
from alexmagnum.position import Unit


class Openings:
    """The ways out of a decided movement phase; ``after`` are the units on the board then.

    ``room``: by province, places left; ``barred``: is it full, or was anybody kept out of it?
    """

    def __init__(self, movement: Movement, after: Sequence[Unit]) -> None:
        self.movement = movement
        self.board = movement.sheet.board
        self.after = after
        self.room = list(self.board.capacity)
        for unit in after:
            self.room[self.board.index[unit.province]] -= 1
        self.barred = [places <= 0 for places in self.room]
        self._bar_bounces()
        if self.board.crowded:
            self._bar_closed()

    def ways(self, u: int, attackers: Sequence[int]) -> tuple[str, ...]:
        """Every location open to a unit that these dislodged."""
        board, units = self.board, self.movement.sheet.units
        closed = {self._came_from(attacker) for attacker in attackers}
        beside = (
            board.army_to[units.province[u]] if units.army[u] else board.fleet_to[units.location[u]]
        )
        return tuple(
            sorted(
                board.location_names[location]
                for location in beside
                if board.province_of[location] not in closed
                and not self.barred[board.province_of[location]]
                and self._is_shared_with_own(u, board.province_of[location])
            )
        )

    def _came_from(self, attacker: int) -> int:
        """The province that is closed because the attacker came from it; -1 if it came by convoy
        (DATC 4.A.5, 6.H.11).  An express came from the last territory before (R22)."""
        movement = self.movement
        if movement.by_convoy[attacker]:
            return -1
        ride = movement.expresses.get(attacker)
        return ride.path[-2] if ride else movement.province[attacker]

    def _is_shared_with_own(self, u: int, province: int) -> bool:
        """Are the units that stand in a city of two places after the moves its own (R26)?"""
        if self.board.capacity[province] == 1 or self.board.is_sea[province]:
            return True
        power = self.movement.sheet.units.units[u].power
        city = self.board.ids[province]
        return all(unit.power == power for unit in self.after if unit.province == city)

    def _bar_bounces(self) -> None:
        """A province that somebody failed to enter is closed, if that had an effect there."""
        movement = self.movement
        for leg, u in enumerate(movement.mover):
            tried = movement.kind[u] == MOVE and movement.passage[leg] == YES
            if not tried or movement.moved[u]:
                continue
            if (
                movement.goal[u] != FOR_PLACE
                if leg == u
                else not rivers.got_no_farther(movement, leg)
            ):
                continue
            # One that lost a head-to-head battle had no effect there.
            if movement.loses_head_to_head(leg) != YES:
                self.barred[self.board.province_at[movement.leg_place[leg]]] = True

    def _bar_closed(self) -> None:
        """Seas and cities of several places have their own reasons to be closed (R17, R26)."""
        for province, places in enumerate(self.board.capacity):
            if places > 1:
                closed = seas.closed if self.board.is_sea[province] else cities.closed
                full = self.room[province] <= 0
                self.barred[province] = full or closed(self.movement, province)
