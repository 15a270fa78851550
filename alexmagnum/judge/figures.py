"""The figures of a decided movement phase, for the reasons: strengths, rivals, and who stands
behind what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alexmagnum.judge import cities
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.outcome import Reason
from alexmagnum.judge.sheet import FOR_CITY, MOVE, STUCK
from alexmagnum.judge.trilean import YES
from alexmagnum.position import Unit


class Figures:
    """Figures by unit number, as the resolver worked them out."""

    def __init__(self, movement: Movement) -> None:
        self.movement = movement
        self.units = movement.sheet.units.units
        self.board = movement.sheet.board

    def total(self, u: int) -> int:
        """Base strength and all supports given."""
        return self.movement.strength(u, -1)[0]

    def hold(self, u: int) -> int:
        """What a unit that stays defends itself with."""
        moving = self.movement.kind[u] in (MOVE, STUCK)
        return self.movement.base[u] if moving else self.total(u)

    def defence(self, u: int, target: int) -> int:
        """What the unit at the destination sets against the move of ``u``."""
        meets = self.movement.head_to_head(u, target) == YES
        return self.total(target) if meets else self.hold(target)

    def attack(self, u: int, target: int) -> int:
        """Attack strength against a unit that stays (-1: the place is free)."""
        if target < 0:
            return self.total(u)
        return self.movement.strength(u, self.movement.power[target])[0]

    def rivals(self, u: int, leg: int) -> list[int]:
        """The units that keep others out of where a leg of ``u`` leads."""
        movement = self.movement
        if leg == u and movement.goal[u] == FOR_CITY:
            return self.preventing(u, cities.rivals(movement, u))
        return self.preventing(u, movement.contest[movement.leg_place[leg]])

    def preventing(self, u: int, legs: Iterable[int]) -> list[int]:
        """The units whose legs have an effect against ``u``."""
        movement = self.movement
        return [movement.mover[leg] for leg in legs if movement.prevents(u, leg) == YES]

    def strongest(self, units: Iterable[int]) -> int:
        """The strongest of some units, the first in the map's order; -1 for none."""
        return max(units, key=lambda m: (self.total(m), -m), default=-1)

    def strongest_attack(self, movers: Iterable[int]) -> int:
        """The strongest of the attacks that come off; one that lost head-to-head does not."""
        movement = self.movement
        return self.strongest(
            m
            for m in movers
            if movement.passage[m] == YES and movement.loses_head_to_head(m) != YES
        )

    # -- causes: units whose own orders a reason rests on ------------------------------------------

    def named(self, *numbers: int) -> tuple[Unit, ...]:
        """Units by their numbers."""
        return tuple(self.units[u] for u in numbers)

    def backing(self, u: int) -> tuple[Unit, ...]:
        """The supports that counted for ``u``."""
        movement = self.movement
        return self.named(*(b for b in movement.backers[u] if movement.given[b]))

    def lost_backing(self, u: int) -> tuple[Unit, ...]:
        """The supports of ``u`` that were cut."""
        movement = self.movement
        return self.named(*(b for b in movement.backers[u] if not movement.given[b]))

    # -- reasons that name the unit which kept another out -----------------------------------------

    def kept_out_by(self, u: int, other: int, code: str, attack: int, against: int) -> Reason:
        """``u`` failed against ``other``, with both figures and what they rest on."""
        causes = self.lost_backing(u) + self.named(other) + self.backing(other)
        return Reason(code, self.named(other), attack, against, causes)

    def bounced_with(self, u: int, other: int) -> Reason:
        """``u`` failed against a rival as strong or stronger."""
        own, against = self.total(u), self.total(other)
        code = "bounces" if own == against else "outmatched"
        return self.kept_out_by(u, other, code, own, against)

    def crowded_out(self, u: int, as_strong: Sequence[int], room: int) -> Reason:
        """``u`` found room for fewer than were as strong (R10)."""
        by = self.named(*as_strong)
        against = max(map(self.total, as_strong))
        return Reason("crowded-out", by, self.total(u), against, by, room=room)
