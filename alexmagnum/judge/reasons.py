"""Why an order of the movement phase came out as it did, from the resolver's own figures."""

from __future__ import annotations

from alexmagnum.judge.movement import Movement
from alexmagnum.judge.outcome import Reason
from alexmagnum.judge.sheet import CONVOY, MOVE, STUCK, SUPPORT
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
        strongest = self._strongest(foreign)
        if strongest < 0:
            own = self._strongest(movers)
            return Reason("own-attack", self._of(own)) if own >= 0 else Reason("unattacked")
        hold = self._strength(u)
        attack = self._attack(strongest, u)
        if attack > hold:  # then it was other attackers that kept it out
            return Reason(
                "beleaguered", (self.units[strongest],), hold, attack, self._of(strongest)
            )
        causes = self._backing(u) + self._of(strongest)
        return Reason("holds", (self.units[strongest],), hold, attack, causes)

    def _dislodged(self, u: int, attacker: int) -> Reason:
        causes = self._of(attacker) + self._backing(attacker) + self._lost_backing(u)
        return Reason(
            "dislodged",
            (self.units[attacker],),
            self._strength(u),
            self._attack(attacker, u),
            causes,
        )

    # -- moving ------------------------------------------------------------------------------

    def _move(self, u: int) -> Reason:
        movement = self.movement
        if not movement.passage[u]:
            return self._no_passage(u)
        return self._got_in(u) if movement.moved[u] else self._kept_out(u)

    def _no_passage(self, u: int) -> Reason:
        fleets = self.sheet.carriers[u]
        lost = tuple(self.units[f] for f in fleets if self.attacker[f] >= 0)
        if self.movement.broken[u]:
            return Reason("paradox", tuple(self.units[f] for f in fleets), causes=self._knot(u))
        return Reason("convoy-dislodged", lost, causes=lost)

    def _got_in(self, u: int) -> Reason:
        place = self.movement.to_place[u]
        target = self.movement.occupant[place]
        stays = target >= 0 and not self.movement.moved[target]
        attack = self._attack(u, target if stays else -1)
        if stays:
            against = self._defence(u, target)
            return Reason("dislodges", (self.units[target],), attack, against, self._backing(u))
        rival = self._strongest([r for r in self.movement.movers[place] if r != u])
        if rival >= 0:
            against = self._total(rival)
            return Reason("outmatches", (self.units[rival],), attack, against, self._backing(u))
        if target >= 0:
            return Reason("follows", (self.units[target],), causes=self._of(target))
        return Reason("unopposed")

    def _kept_out(self, u: int) -> Reason:
        """The strongest of what keeps it out: the unit there, or a rival for the place."""
        movement = self.movement
        place = movement.to_place[u]
        target = movement.occupant[place]
        stays = target >= 0 and not movement.moved[target]
        rival = self._strongest([r for r in movement.movers[place] if r != u])
        attack = self._attack(u, target if stays else -1)
        prevent = self._total(rival) if rival >= 0 else 0
        if stays:
            if movement.power[target] == movement.power[u]:
                return Reason("own-unit", (self.units[target],), causes=self._of(target))
            defence = self._defence(u, target)
            if defence >= prevent or attack <= defence:
                code = "loses-head-to-head" if movement.head_to_head(u, target) else "held-off"
                return self._stopped(code, u, target, attack, defence)
        elif movement.head_to_head(u, target) if target >= 0 else False:
            return self._stopped("loses-head-to-head", u, target, attack, self._total(target))
        code = "bounces" if attack == prevent else "outmatched"
        return self._stopped(code, u, rival, attack, prevent)

    def _stopped(self, code: str, u: int, other: int, attack: int, against: int) -> Reason:
        causes = self._lost_backing(u) + self._of(other) + self._backing(other)
        return Reason(code, (self.units[other],), attack, against, causes)

    # -- supporting and convoying ---------------------------------------------------------------

    def _support(self, u: int) -> Reason:
        movement = self.movement
        if not movement.given[u]:
            attacker = self._cutter(u)
            code = "cut-dislodged" if self.attacker[u] == attacker else "cut"
            return Reason(code, (self.units[attacker],), causes=self._of(attacker))
        return self._uncut(u) or Reason("given", (self.units[self.sheet.aim[u]],))

    def _uncut(self, u: int) -> Reason | None:
        """Why an attack on the supporter did not cut its support, if there was one."""
        movement = self.movement
        for attacker in movement.movers[movement.place[u]]:
            if movement.power[attacker] != movement.power[u]:
                arrives = movement.passage[attacker]
                code = "uncut-directed" if arrives else "uncut-no-convoy"
                return Reason(code, self._of(attacker), causes=self._of(attacker))
        return None

    def _cutter(self, u: int) -> int:
        movement = self.movement
        if self.attacker[u] >= 0:
            return self.attacker[u]
        return next(
            attacker
            for attacker in movement.movers[movement.place[u]]
            if movement.power[attacker] != movement.power[u]
            and movement.province[attacker] != movement.against[u]
            and movement.passage[attacker]
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
        return self._total(u)

    def _defence(self, u: int, target: int) -> int:
        """What the unit at the destination sets against the move of ``u``."""
        if self.movement.head_to_head(u, target):
            return self._total(target)
        return self._strength(target)

    def _total(self, u: int) -> int:
        return self.movement.strength(u, -1)[0]

    def _attack(self, u: int, target: int) -> int:
        """Attack strength against a unit that stays (-1: the place is free)."""
        if target < 0:
            return self._total(u)
        return self.movement.strength(u, self.movement.power[target])[0]

    def _strongest(self, movers: list[int]) -> int:
        """The strongest of the moves that have an effect there, the first in the map's order;
        -1 for none.  One that lost a head-to-head battle has none."""
        movement = self.movement
        arriving = [m for m in movers if movement.passage[m] and not movement.beaten(m)]
        return max(arriving, key=lambda m: (self._total(m), -m), default=-1)

    def dislodgement(self, u: int) -> Reason | None:
        """Who dislodged a unit, and with what; None if nobody did."""
        attacker = self.attacker[u]
        return self._dislodged(u, attacker) if attacker >= 0 else None

    # -- causes: units whose own orders the reason rests on ------------------------------------

    def _of(self, u: int) -> tuple[Unit, ...]:
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

    def _backing(self, u: int) -> tuple[Unit, ...]:
        return tuple(self.units[b] for b in self.movement.backers[u] if self.movement.given[b])

    def _lost_backing(self, u: int) -> tuple[Unit, ...]:
        return tuple(self.units[b] for b in self.movement.backers[u] if not self.movement.given[b])
