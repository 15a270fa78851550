"""Why an order of the movement phase came out as it did, from the resolver's own figures."""

from __future__ import annotations

from alexmagnum.judge import cities
from alexmagnum.judge import reasons_special as special
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.outcome import Reason
from alexmagnum.judge.sheet import (
    CAUGHT,
    CONVOY,
    FOR_CITY,
    FOR_ROOM,
    FROM_INSIDE,
    MOVE,
    STUCK,
    SUPPORT,
)
from alexmagnum.judge.trilean import YES
from alexmagnum.orders import Order
from alexmagnum.position import Unit


class Why:
    """The reasons of a decided movement phase, by unit number.

    ``attacker``: by unit number, the unit that dislodged it, or -1.
    """

    def __init__(self, movement: Movement, attacker: list[int]) -> None:
        self.movement = movement
        self.sheet = movement.sheet
        self.attacker = attacker
        self.units = movement.sheet.units.units

    def listed(self, order: Order, u: int, fault: str) -> Reason:
        """Why an order as listed came out as it did; ``fault`` is what the listing itself got."""
        if fault:
            return Reason(fault)
        if self.sheet.orders[u] is not order:
            return Reason("replaced")
        return self.of(u)

    def of(self, u: int) -> Reason:
        """Why the order of unit ``u`` (holding, if it has none) came out as it did."""
        if self.sheet.void[u]:
            return self._void(u)
        does = self.movement.kind[u]
        if does == MOVE:
            return self._move(u)
        if does == CAUGHT:
            return special.caught(self, u)
        if does == SUPPORT:
            return self._support(u)
        if does == CONVOY:
            return self._convoy(u)
        return self._hold(u)

    def _void(self, u: int) -> Reason:
        aim = self.sheet.aim[u]
        units = (self.units[aim],) if aim >= 0 else ()
        return Reason(self.sheet.void[u], units)

    # -- holding -------------------------------------------------------------------------------

    def _hold(self, u: int) -> Reason:
        attacker = self.attacker[u]
        if attacker >= 0:
            return self._dislodged(u, attacker)
        movers = self.movement.movers[self.movement.place[u]]
        foreign = [m for m in movers if self.movement.power[m] != self.movement.power[u]]
        strongest = self._strongest_attack(foreign)
        if strongest < 0:
            own = self._strongest_attack(movers)
            return Reason("own-attack", self.only(own)) if own >= 0 else Reason("unattacked")
        hold = self._strength(u)
        attack = self.attack(strongest, u)
        if attack > hold:  # then it was other attackers that kept it out
            return Reason(
                "beleaguered", (self.units[strongest],), hold, attack, self.only(strongest)
            )
        causes = self.backing(u) + self.only(strongest)
        return Reason("holds", (self.units[strongest],), hold, attack, causes)

    def _strongest_attack(self, movers: list[int]) -> int:
        """The strongest of the attacks that come off; one that lost head-to-head does not."""
        movement = self.movement
        arriving = [m for m in movers if movement.passage[m] == YES and not movement.beaten(m)]
        return self.strongest(arriving)

    def _dislodged(self, u: int, attacker: int) -> Reason:
        causes = self.only(attacker) + self.backing(attacker) + self._lost_backing(u)
        return Reason(
            "dislodged",
            (self.units[attacker],),
            self.defence(attacker, u),
            self.attack(attacker, u),
            causes,
        )

    # -- moving ------------------------------------------------------------------------------

    def _move(self, u: int) -> Reason:
        movement = self.movement
        if movement.passage[u] != YES:
            return self._no_passage(u)
        goal = movement.goal[u]
        if goal == FROM_INSIDE:
            return special.attack_from_inside(self, u)
        if goal == FOR_ROOM:
            reason = special.entry(self, u)
        elif goal == FOR_CITY:
            reason = special.city(self, u)
        else:
            reason = self.got_in(u) if movement.moved[u] else self.kept_out(u)
        return special.by_its_way(self, u, reason)

    def _no_passage(self, u: int) -> Reason:
        movement = self.movement
        if u in movement.rides:
            return special.stretch(self, u)
        if u in movement.hauls:
            return special.haul(self, u)
        fleets = self.sheet.carriers[u]
        lost = tuple(self.units[f] for f in fleets if self.attacker[f] >= 0)
        if movement.broken[u]:
            return Reason("paradox", tuple(self.units[f] for f in fleets), causes=self._knot(u))
        return Reason("convoy-dislodged", lost, causes=lost)

    def got_in(self, u: int) -> Reason:
        """Why an attack on a place succeeded."""
        place = self.movement.to_place[u]
        target = self.movement.occupant[place]
        stays = target >= 0 and self.movement.leaves(target) != YES
        attack = self.attack(u, target if stays else -1)
        if stays:
            against = self.defence(u, target)
            return Reason("dislodges", (self.units[target],), attack, against, self.backing(u))
        rival = self.strongest(self.rivals(u, u))
        if rival >= 0:
            against = self.total(rival)
            return Reason("outmatches", (self.units[rival],), attack, against, self.backing(u))
        if target >= 0:
            return Reason("follows", (self.units[target],), causes=self.only(target))
        return Reason("unopposed")

    def kept_out(self, u: int) -> Reason:
        """The strongest of what keeps it out: the unit there, or a rival for the place."""
        movement = self.movement
        target = movement.occupant[movement.to_place[u]]
        stays = target >= 0 and movement.leaves(target) != YES
        ahead = special.ahead(self, u, u)
        if ahead is not None:
            return ahead
        rival = self.strongest(self.rivals(u, u))
        attack = self.attack(u, target if stays else -1)
        prevent = self.total(rival) if rival >= 0 else 0
        if stays:
            if movement.power[target] == movement.power[u]:
                return special.at_stop(
                    self, u, Reason("own-unit", (self.units[target],), causes=self.only(target))
                )
            defence = self.defence(u, target)
            if defence >= prevent or attack <= defence:
                code = "loses-head-to-head" if movement.meets(u, target) == YES else "held-off"
                return self.stopped(code, u, target, attack, defence)
        elif target >= 0 and movement.meets(u, target) == YES:
            return self.stopped("loses-head-to-head", u, target, attack, self.total(target))
        return self.stopped("bounces", u, rival, attack, prevent)

    def stopped(self, code: str, u: int, other: int, attack: int, against: int) -> Reason:
        """A reason that names the unit which kept ``u`` out, with both figures."""
        if code == "bounces" and against > attack:
            code = "outmatched"
        causes = self._lost_backing(u) + self.only(other) + self.backing(other)
        return special.at_stop(self, u, Reason(code, (self.units[other],), attack, against, causes))

    # -- supporting and convoying ---------------------------------------------------------------

    def _support(self, u: int) -> Reason:
        movement = self.movement
        if not movement.given[u]:
            attacker = self._cutter(u)
            code = "cut-dislodged" if self.attacker[u] == attacker else "cut"
            return Reason(code, (self.units[attacker],), causes=self.only(attacker))
        return self._uncut(u) or Reason("given", (self.units[self.sheet.aim[u]],))

    def _uncut(self, u: int) -> Reason | None:
        """Why an attack on the supporter did not cut its support, if there was one."""
        movement = self.movement
        for attacker in movement.movers[movement.place[u]]:
            if movement.power[attacker] != movement.power[u]:
                code = "uncut-no-convoy" if movement.by_convoy[attacker] else "uncut-no-way"
                if movement.passage[attacker] == YES:
                    code = "uncut-directed"
                return Reason(code, self.only(attacker), causes=self.only(attacker))
        return None

    def _cutter(self, u: int) -> int:
        movement = self.movement
        if self.attacker[u] >= 0:
            return self.attacker[u]
        return next(
            attacker
            for attacker in movement.movers[movement.place[u]]
            if movement.power[attacker] != movement.power[u]
            and movement.place[attacker] != movement.against[u]
            and movement.passage[attacker] == YES
        )

    def _convoy(self, u: int) -> Reason:
        army = self.sheet.aim[u]
        if self.attacker[u] >= 0:
            return self._dislodged(u, self.attacker[u])
        if self.movement.broken[u]:
            return Reason("paradox-fleet", (self.units[army],), causes=self._knot(army))
        return Reason("carries", (self.units[army],))

    # -- figures --------------------------------------------------------------------------------

    def _strength(self, u: int) -> int:
        """What a unit that stays defends itself with."""
        if self.movement.kind[u] in (MOVE, STUCK):
            return self.movement.base[u]
        return self.total(u)

    def defence(self, u: int, target: int) -> int:
        """What the unit at the destination sets against the move of ``u``."""
        if self.movement.meets(u, target) == YES:
            return self.total(target)
        return self._strength(target)

    def total(self, u: int) -> int:
        """Base strength and all supports given."""
        return self.movement.strength(u, -1)[0]

    def attack(self, u: int, target: int) -> int:
        """Attack strength against a unit that stays (-1: the place is free)."""
        if target < 0:
            return self.total(u)
        return self.movement.strength(u, self.movement.power[target])[0]

    def rivals(self, u: int, leg: int) -> list[int]:
        """The units that keep others out of where a leg of ``u`` leads."""
        movement = self.movement
        if leg == u and movement.goal[u] == FOR_CITY:
            legs = cities.rivals(movement, u, same_target=True)
        else:
            legs = movement.contest[movement.leg_place[leg]]
        return [movement.mover[other] for other in legs if movement.hinders(u, other)]

    def strongest(self, units: list[int]) -> int:
        """The strongest of some units, the first in the map's order; -1 for none."""
        return max(units, key=lambda m: (self.total(m), -m), default=-1)

    def dislodgement(self, u: int) -> Reason | None:
        """Who dislodged a unit, and with what; None if nobody did."""
        attacker = self.attacker[u]
        return self._dislodged(u, attacker) if attacker >= 0 else None

    # -- causes: units whose own orders the reason rests on ------------------------------------

    def only(self, u: int) -> tuple[Unit, ...]:
        return (self.units[u],)

    def _knot(self, army: int) -> tuple[Unit, ...]:
        """The attacks on the fleets of a broken convoy, and the supports behind them."""
        movement = self.movement
        attackers = [
            attacker
            for fleet in self.sheet.carriers[army]
            for attacker in movement.movers[movement.place[fleet]]
        ]
        backers = [backer for attacker in attackers for backer in movement.backers[attacker]]
        return tuple(self.units[u] for u in (*attackers, *backers))

    def backing(self, u: int) -> tuple[Unit, ...]:
        return tuple(self.units[b] for b in self.movement.backers[u] if self.movement.given[b])

    def _lost_backing(self, u: int) -> tuple[Unit, ...]:
        return tuple(self.units[b] for b in self.movement.backers[u] if not self.movement.given[b])
