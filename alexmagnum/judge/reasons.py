"""Why an order of the movement phase came out as it did, from the resolver's own figures."""

from __future__ import annotations

from alexmagnum.judge import reasons_special as special
from alexmagnum.judge.figures import Figures
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.outcome import Reason
from alexmagnum.judge.sheet import CAUGHT, CONVOY, FOR_CITY, FOR_ROOM, FROM_INSIDE, MOVE, SUPPORT
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
        self.figures = Figures(movement)

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
            return special.caught(self.figures, u)
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
        strongest = self.figures.strongest_attack(foreign)
        if strongest < 0:
            own = self.figures.strongest_attack(movers)
            return (
                Reason("own-attack", self.figures.named(own)) if own >= 0 else Reason("unattacked")
            )
        hold = self.figures.hold(u)
        attack = self.figures.attack(strongest, u)
        if attack > hold:  # then it was other attackers that kept it out
            return Reason(
                "beleaguered", (self.units[strongest],), hold, attack, self.figures.named(strongest)
            )
        causes = self.figures.backing(u) + self.figures.named(strongest)
        return Reason("holds", (self.units[strongest],), hold, attack, causes)

    def _dislodged(self, u: int, attacker: int) -> Reason:
        causes = (
            self.figures.named(attacker)
            + self.figures.backing(attacker)
            + self.figures.lost_backing(u)
        )
        return Reason(
            "dislodged",
            (self.units[attacker],),
            self.figures.defence(attacker, u),
            self.figures.attack(attacker, u),
            causes,
        )

    # -- moving ------------------------------------------------------------------------------

    def _move(self, u: int) -> Reason:
        movement = self.movement
        reason: Reason | None = None
        if movement.passage[u] != YES:
            reason = self._no_passage(u)
        elif movement.goal[u] == FROM_INSIDE:
            reason = special.attack_from_inside(self.figures, u)
        elif movement.goal[u] == FOR_ROOM:
            reason = special.entry(self.figures, u)
        elif movement.goal[u] == FOR_CITY:
            reason = special.city(self.figures, u)
        if reason is None:
            reason = self._got_in(u) if movement.moved[u] else self._kept_out(u)
        return special.by_its_way(self.figures, u, reason)

    def _no_passage(self, u: int) -> Reason:
        movement = self.movement
        if u in movement.expresses:
            return special.stretch(self.figures, u)
        if u in movement.hauls:
            return special.haul(self.figures, u)
        fleets = self.sheet.carriers[u]
        lost = tuple(self.units[f] for f in fleets if self.attacker[f] >= 0)
        if movement.broken[u]:
            return Reason("paradox", tuple(self.units[f] for f in fleets), causes=self._knot(u))
        return Reason("convoy-dislodged", lost, causes=lost)

    def _got_in(self, u: int) -> Reason:
        """Why an attack on a place succeeded."""
        figures, movement = self.figures, self.movement
        target = movement.occupant[movement.to_place[u]]
        if target >= 0 and movement.leaves(target) != YES:
            attack, against = figures.attack(u, target), figures.defence(u, target)
            beaten = figures.named(target)
            return Reason("dislodges", beaten, attack, against, figures.backing(u))
        rival = figures.strongest(figures.rivals(u, u))
        if rival >= 0:
            own, against = figures.total(u), figures.total(rival)
            return Reason("outmatches", figures.named(rival), own, against, figures.backing(u))
        if target < 0:
            return Reason("unopposed")
        return Reason("follows", figures.named(target), causes=figures.named(target))

    def _kept_out(self, u: int) -> Reason:
        """The strongest of what keeps it out: the unit there, or a rival for the place."""
        figures, movement = self.figures, self.movement
        target = movement.occupant[movement.to_place[u]]
        in_front = special.ahead(figures, u, u)
        if in_front is not None:
            return in_front
        rival = figures.strongest(figures.rivals(u, u))
        if target < 0:
            return self._bounced(u, rival)
        meets = movement.head_to_head(u, target) == YES
        code = "loses-head-to-head" if meets else "held-off"
        if movement.leaves(target) == YES:
            if not meets:
                return self._bounced(u, rival)
            return figures.kept_out_by(u, target, code, figures.total(u), figures.total(target))
        if movement.power[target] == movement.power[u]:
            return Reason("own-unit", figures.named(target), causes=figures.named(target))
        attack, defence = figures.attack(u, target), figures.defence(u, target)
        prevent = figures.total(rival) if rival >= 0 else 0
        if defence >= prevent or attack <= defence:
            return figures.kept_out_by(u, target, code, attack, defence)
        return self._bounced(u, rival)

    def _bounced(self, u: int, rival: int) -> Reason:
        if u in self.movement.expresses:
            return special.contested(self.figures, u, rival)
        return self.figures.bounced_with(u, rival)

    # -- supporting and convoying ---------------------------------------------------------------

    def _support(self, u: int) -> Reason:
        movement = self.movement
        if not movement.given[u]:
            attacker = self._cutter(u)
            code = "cut-dislodged" if self.attacker[u] == attacker else "cut"
            return Reason(code, (self.units[attacker],), causes=self.figures.named(attacker))
        return self._uncut(u) or Reason("given", (self.units[self.sheet.aim[u]],))

    def _uncut(self, u: int) -> Reason | None:
        """Why an attack on the supporter did not cut its support, if there was one."""
        movement = self.movement
        for attacker in movement.movers[movement.place[u]]:
            if movement.power[attacker] != movement.power[u]:
                code = "uncut-no-convoy" if movement.by_convoy[attacker] else "uncut-no-way"
                if movement.passage[attacker] == YES:
                    code = "uncut-directed"
                return Reason(
                    code, self.figures.named(attacker), causes=self.figures.named(attacker)
                )
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

    # -- chains ---------------------------------------------------------------------------------

    def dislodgement(self, u: int) -> Reason | None:
        """Who dislodged a unit, and with what; None if nobody did."""
        attacker = self.attacker[u]
        return self._dislodged(u, attacker) if attacker >= 0 else None

    def _knot(self, army: int) -> tuple[Unit, ...]:
        """The attacks on the fleets of a broken convoy, and the supports behind them."""
        movement = self.movement
        attackers = [
            attacker
            for fleet in self.sheet.carriers[army]
            for attacker in movement.movers[movement.place[fleet]]
        ]
        backers = [backer for attacker in attackers for backer in movement.backers[attacker]]
        return self.figures.named(*attackers, *backers)
