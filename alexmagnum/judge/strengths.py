"""The strengths of a decided movement phase, as its reasons state them.

Open this file for which figures a reason compares, which rivals it names and which supports it
rests on.  All of them come from the resolver, so that results and reasons agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alexmagnum.board.numbers import NO_UNIT, LegNo, UnitNo
from alexmagnum.judge import cities, rivers
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.outcome import Reason
from alexmagnum.judge.sheet import FOR_CITY, MOVE, STUCK
from alexmagnum.judge.trilean import YES
from alexmagnum.position import Unit


class Strengths:
    """The strengths of one decided movement phase, by unit number."""

    def __init__(self, movement: Movement) -> None:
        self.movement = movement
        self.units = movement.sheet.units.units
        self.board = movement.sheet.board

    def total(self, u: UnitNo) -> int:
        """Return base strength and all supports given."""
        return self.movement.strength(u)[0]

    def hold(self, u: UnitNo) -> int:
        """Return the hold strength of a unit that stays."""
        moving = self.movement.action[u] in (MOVE, STUCK)
        return self.movement.base_strength[u] if moving else self.total(u)

    def defence(self, u: UnitNo, target: UnitNo) -> int:
        """Return the defend strength or hold strength of the target of ``u``."""
        meets = self.movement.head_to_head(u, target) == YES
        return self.total(target) if meets else self.hold(target)

    def attack(self, u: UnitNo, target: UnitNo) -> int:
        """Return the attack strength against a unit that stays, if there is one."""
        if target < 0:
            return self.total(u)
        return self.movement.strength(u, self.movement.power[target])[0]

    # -- rivals ----------------------------------------------------------------------------------

    def find_rivals(self, u: UnitNo, leg: LegNo) -> list[UnitNo]:
        """Return the units that keep others out of where a leg of ``u`` leads."""
        movement = self.movement
        if leg == u and movement.goal[u] == FOR_CITY:
            return self.find_preventing(u, cities.list_rivals(movement, u))
        return self.find_preventing(u, movement.contenders[movement.leg_place[leg]])

    def find_preventing(self, u: UnitNo, legs: Iterable[LegNo]) -> list[UnitNo]:
        """Return the units whose legs keep ``u`` out."""
        movement = self.movement
        return [movement.mover[leg] for leg in legs if movement.prevents(u, leg) == YES]

    def find_strongest(self, numbers: Iterable[UnitNo]) -> UnitNo:
        """Return the strongest unit, if there is one; of equals the first in the map's order."""
        return max(numbers, key=lambda u: (self.total(u), -u), default=NO_UNIT)

    def find_strongest_attack(self, attackers: Iterable[UnitNo]) -> UnitNo:
        """Return the strongest attacker that arrived and lost no head-to-head battle.

        An express that stops behind a unit of the same way attacks nobody (R22).
        """
        movement = self.movement
        return self.find_strongest(
            u
            for u in attackers
            if movement.passage[u] == YES
            and movement.loses_head_to_head(u) != YES
            and rivers.is_kept_behind(movement, u) != YES
        )

    # -- the units that a reason names, or rests on ----------------------------------------------

    def units_of(self, *numbers: UnitNo) -> tuple[Unit, ...]:
        """Return the units with these numbers."""
        return tuple(map(self.units.__getitem__, numbers))

    def given_supports(self, u: UnitNo) -> tuple[Unit, ...]:
        """Return the units whose support counted for ``u``."""
        movement = self.movement
        return self.units_of(*(v for v in movement.supporters[u] if movement.given[v]))

    def cut_supports(self, u: UnitNo) -> tuple[Unit, ...]:
        """Return the units whose support of ``u`` was cut."""
        movement = self.movement
        return self.units_of(*(v for v in movement.supporters[u] if not movement.given[v]))

    # -- reasons that name the unit which kept another out ---------------------------------------

    def explain_failure(
        self, u: UnitNo, other: UnitNo, code: str, attack: int, against: int
    ) -> Reason:
        """Return the reason that ``u`` failed against ``other``, with both figures."""
        causes = self.cut_supports(u) + self.units_of(other) + self.given_supports(other)
        return Reason(code, self.units_of(other), attack, against, causes)

    def explain_bounce(self, u: UnitNo, other: UnitNo, target: UnitNo = NO_UNIT) -> Reason:
        """Return the reason that ``u`` failed against a rival as strong or stronger.

        Against a ``target`` that stays, supports of its own power do not count.
        """
        own, against = self.attack(u, target), self.total(other)
        code = "bounces" if own == against else "outmatched"
        return self.explain_failure(u, other, code, own, against)

    def explain_crowding(self, u: UnitNo, as_strong: Sequence[UnitNo], room: int) -> Reason:
        """Return the reason that too many were as strong as ``u`` for the room (R10)."""
        by = self.units_of(*as_strong)
        against = max(map(self.total, as_strong))
        return Reason("crowded-out", by, self.total(u), against, by, room=room)
