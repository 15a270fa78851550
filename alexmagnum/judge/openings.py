"""The places that a movement phase leaves open to dislodged units (R17, R22)."""

from __future__ import annotations

from collections.abc import Sequence

from alexmagnum.board.numbers import NO_PROVINCE, LegNo, LocationNo, ProvinceNo, UnitNo
from alexmagnum.judge import cities, rivers, seas
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.sheet import FOR_PLACE, MOVE
from alexmagnum.judge.trilean import YES


class Openings:
    """The retreats that one decided movement phase leaves open.

    ``after``: by unit, the province where it stands then, or none; ``held``: by province, how many
    units hold it then; ``barred``: the provinces that somebody was kept out of.
    """

    __slots__ = ("after", "barred", "board", "held", "movement")

    def __init__(self, movement: Movement, after: list[ProvinceNo]) -> None:
        self.movement = movement
        self.board = movement.sheet.board
        self.after = after
        held: list[int] = [0] * self.board.n
        for province in after:
            if province >= 0:
                held[province] += 1
        self.held: list[int] = held
        self.barred: set[ProvinceNo] = set()
        self._bar_bounces()
        if self.board.crowded:
            self._bar_closed_provinces()

    def list_retreats(self, u: UnitNo, attackers: Sequence[UnitNo]) -> tuple[str, ...]:
        """Return every location open to a unit that these attackers dislodged."""
        board, units = self.board, self.movement.sheet.units
        closed = {self._origin(attacker) for attacker in attackers}
        neighbours: Sequence[LocationNo] = (
            board.army_to[units.province[u]] if units.army[u] else board.fleet_to[units.location[u]]
        )
        open_to: list[str] = []
        for location in neighbours:
            province = board.province_of[location]
            if (
                self.held[province] < board.capacity[province]
                and province not in closed
                and province not in self.barred
                and self._is_shared_with_own(u, province)
            ):
                open_to.append(board.location_names[location])
        open_to.sort()
        return tuple(open_to)

    def _origin(self, attacker: UnitNo) -> ProvinceNo:
        """Return the province that is closed because the attacker came from it.

        It is none if the attacker came by convoy (DATC 4.A.5, 6.H.11).  An express came from the
        territory before its destination (R22).
        """
        movement = self.movement
        if movement.by_convoy[attacker]:
            return NO_PROVINCE
        course = movement.expresses.get(attacker)
        return course.path[-2] if course else movement.province[attacker]

    def _is_shared_with_own(self, u: UnitNo, province: ProvinceNo) -> bool:
        """Tell whether all units in a city of two places after the moves are of its power (R26)."""
        if self.board.capacity[province] == 1 or self.board.is_sea[province]:
            return True
        power = self.movement.power
        return all(power[v] == power[u] for v, at in enumerate(self.after) if at == province)

    def _bar_bounces(self) -> None:
        """Bar every province that a unit failed to enter, if its attempt had an effect there."""
        movement = self.movement
        sheet, moved = movement.sheet, movement.moved
        legs: list[LegNo] = [u for u in sheet.moving if not moved[u]]
        if movement.expresses:
            legs += sheet.legs[len(sheet.numbers) :]
        for leg in legs:
            # A unit that lost a head-to-head battle had no effect there.
            if self._failed_at(leg) and movement.loses_head_to_head(leg) != YES:
                self.barred.add(self.board.province_at[movement.leg_place[leg]])

    def _failed_at(self, leg: LegNo) -> bool:
        """Tell whether a unit tried this leg and failed; seas and cities have their own rules."""
        movement = self.movement
        u = movement.mover[leg]
        if movement.action[u] != MOVE or movement.passage[leg] != YES or movement.moved[u]:
            return False
        if leg == u:
            return movement.goal[u] == FOR_PLACE
        return rivers.got_no_farther(movement, leg)

    def _bar_closed_provinces(self) -> None:
        """Bar seas and cities of several places that are full or closed (R17, R26)."""
        for province in self.board.index.values():
            if self.board.capacity[province] > 1:
                rule = seas if self.board.is_sea[province] else cities
                self.barred.discard(province)
                if rule.is_closed(self.movement, province):
                    self.barred.add(province)
