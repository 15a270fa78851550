"""The reasons for the results of a movement phase, from the strengths that decided them.

:mod:`alexmagnum.judge.reasons_special` has the reasons that belong to the special rules.
"""

from __future__ import annotations

from alexmagnum.board.numbers import NO_UNIT, UnitNo
from alexmagnum.judge import reasons_special as special
from alexmagnum.judge.movement import Movement
from alexmagnum.judge.outcome import Reason
from alexmagnum.judge.sheet import CAUGHT, CONVOY, FOR_CITY, FOR_ROOM, FROM_INSIDE, MOVE, SUPPORT
from alexmagnum.judge.strengths import Strengths
from alexmagnum.judge.trilean import YES
from alexmagnum.position import Unit


class Explainer:
    """The reasons of one decided movement phase, by unit number.

    ``dislodger``: by unit, the unit that dislodged it, or none.
    """

    def __init__(self, movement: Movement, dislodger: list[UnitNo]) -> None:
        self.movement = movement
        self.sheet = movement.sheet
        self.dislodger = dislodger
        self.strengths = Strengths(movement)

    def reason_as_listed(self, u: UnitNo, fault: str) -> Reason:
        """Return the reason for the result of an order in the list.

        ``fault``: what the listing itself got, "" if nothing.
        """
        return Reason(fault) if fault else self.reason_of(u)

    def reason_of(self, u: UnitNo) -> Reason:
        """Return the reason for the result of a unit's order; without an order the unit holds."""
        fault = self.sheet.fault[u]
        if fault:
            partner = self.sheet.partner[u]
            return Reason(fault, self.strengths.units_of(partner) if partner >= 0 else ())
        action = self.movement.action[u]
        if action == MOVE:
            return self._reason_of_move(u)
        if action == CAUGHT:
            return special.explain_caught(self.strengths, u)
        if action == SUPPORT:
            return self._reason_of_support(u)
        if action == CONVOY:
            return self._reason_of_convoy(u)
        return self._reason_of_hold(u)

    def dislodgement_of(self, u: UnitNo) -> Reason | None:
        """Return who dislodged a unit and with what strength; None if nobody did."""
        dislodger = self.dislodger[u]
        return self._explain_dislodgement(dislodger, u) if dislodger >= 0 else None

    def _explain_dislodgement(self, dislodger: UnitNo, u: UnitNo) -> Reason:
        strengths = self.strengths
        by = strengths.units_of(dislodger)
        return Reason(
            "dislodged",
            by,
            strengths.defence(dislodger, u),
            strengths.attack(dislodger, u),
            causes=by + strengths.given_supports(dislodger) + strengths.cut_supports(u),
        )

    # -- holding ---------------------------------------------------------------------------------

    def _reason_of_hold(self, u: UnitNo) -> Reason:
        dislodger = self.dislodger[u]
        if dislodger >= 0:
            return self._explain_dislodgement(dislodger, u)
        strengths, movement = self.strengths, self.movement
        attackers = movement.attackers[movement.place[u]]
        foreign = [m for m in attackers if movement.power[m] != movement.power[u]]
        strongest = strengths.find_strongest_attack(foreign)
        if strongest < 0:
            own = strengths.find_strongest_attack(attackers)
            return (
                Reason("own-attack", strengths.units_of(own)) if own >= 0 else Reason("unattacked")
            )
        by = strengths.units_of(strongest)
        hold = strengths.hold(u)
        attack = strengths.attack(strongest, u)
        if attack > hold:  # then it was other attackers that kept it out
            return Reason("beleaguered", by, hold, attack, by)
        return Reason("holds", by, hold, attack, strengths.given_supports(u) + by)

    # -- moving ----------------------------------------------------------------------------------

    def _reason_of_move(self, u: UnitNo) -> Reason:
        movement = self.movement
        goal = movement.goal[u]
        reason: Reason | None = None
        if movement.passage[u] != YES:
            reason = self._explain_no_passage(u)
        elif goal == FROM_INSIDE:
            reason = special.explain_attack_from_inside(self.strengths, u)
        elif goal == FOR_ROOM:
            reason = special.explain_entry(self.strengths, u)
        elif goal == FOR_CITY:
            reason = special.explain_city(self.strengths, u)
        if reason is None:
            reason = self._explain_success(u) if movement.moved[u] else self._explain_failure(u)
        return special.add_way(self.strengths, u, reason)

    def _explain_no_passage(self, u: UnitNo) -> Reason:
        """Return why a move ended before its destination."""
        movement, strengths = self.movement, self.strengths
        if u in movement.expresses:
            return special.explain_stretch(strengths, u)
        if u in movement.hauls:
            return special.explain_haul(strengths, u)
        fleets = self.sheet.carriers[u]
        if movement.broken[u]:
            return Reason("paradox", strengths.units_of(*fleets), causes=self._knot_of(u))
        lost = strengths.units_of(*(fleet for fleet in fleets if self.dislodger[fleet] >= 0))
        return Reason("convoy-dislodged", lost, causes=lost)

    def _explain_success(self, u: UnitNo) -> Reason:
        """Return why an attack on a place succeeded."""
        strengths, movement = self.strengths, self.movement
        target = movement.occupant[movement.to_place[u]]
        if target >= 0 and movement.leaves(target) != YES:
            attack, against = strengths.attack(u, target), strengths.defence(u, target)
            supports = strengths.given_supports(u)
            return Reason("dislodges", strengths.units_of(target), attack, against, supports)
        rival = strengths.find_strongest(strengths.find_rivals(u, u))
        if rival >= 0:
            own, against = strengths.total(u), strengths.total(rival)
            supports = strengths.given_supports(u)
            return Reason("outmatches", strengths.units_of(rival), own, against, supports)
        if target < 0:
            return Reason("unopposed")
        followed = strengths.units_of(target)
        return Reason("follows", followed, causes=followed)

    def _explain_failure(self, u: UnitNo) -> Reason:
        """Return the strongest of what kept it out: the unit there, or a rival for the place."""
        strengths, movement = self.strengths, self.movement
        target = movement.occupant[movement.to_place[u]]
        in_front = special.explain_ahead(strengths, u, u)
        if in_front is not None:
            return in_front
        rival = strengths.find_strongest(strengths.find_rivals(u, u))
        if target < 0:
            return self._explain_bounce(u, rival)
        meets = movement.head_to_head(u, target) == YES
        code = "loses-head-to-head" if meets else "held-off"
        if movement.leaves(target) == YES:
            if not meets:
                return self._explain_bounce(u, rival)
            own, against = strengths.total(u), strengths.total(target)
            return strengths.explain_failure(u, target, code, own, against)
        if movement.power[target] == movement.power[u]:
            own_unit = strengths.units_of(target)
            return Reason("own-unit", own_unit, causes=own_unit)
        attack, defence = strengths.attack(u, target), strengths.defence(u, target)
        prevent = strengths.total(rival) if rival >= 0 else 0
        if defence >= prevent or attack <= defence:
            return strengths.explain_failure(u, target, code, attack, defence)
        return self._explain_bounce(u, rival, target)

    def _explain_bounce(self, u: UnitNo, rival: UnitNo, target: UnitNo = NO_UNIT) -> Reason:
        """Return that a rival kept a unit out; ``target`` is the unit there, if it stays."""
        if u in self.movement.expresses:
            return special.explain_contested(self.strengths, u, rival, target)
        return self.strengths.explain_bounce(u, rival, target)

    # -- supporting and convoying ----------------------------------------------------------------

    def _reason_of_support(self, u: UnitNo) -> Reason:
        strengths = self.strengths
        if not self.movement.given[u]:
            cutter = self._find_cutter(u)
            code = "cut-dislodged" if self.dislodger[u] == cutter else "cut"
            by = strengths.units_of(cutter)
            return Reason(code, by, causes=by)
        uncut = self._explain_uncut(u)
        return uncut or Reason("given", strengths.units_of(self.sheet.partner[u]))

    def _explain_uncut(self, u: UnitNo) -> Reason | None:
        """Return why an attack on the supporter did not cut its support, if there was one."""
        movement = self.movement
        for attacker in movement.attackers[movement.place[u]]:
            if movement.power[attacker] != movement.power[u]:
                code = "uncut-no-convoy" if movement.by_convoy[attacker] else "uncut-no-way"
                if movement.passage[attacker] == YES:
                    code = "uncut-directed"
                by = self.strengths.units_of(attacker)
                return Reason(code, by, causes=by)
        return None

    def _find_cutter(self, u: UnitNo) -> UnitNo:
        """Return a unit whose attack cut a support."""
        movement = self.movement
        if self.dislodger[u] >= 0:
            return self.dislodger[u]
        return next(
            attacker
            for attacker in movement.attackers[movement.place[u]]
            if movement.power[attacker] != movement.power[u]
            and movement.place[attacker] != movement.support_target[u]
            and movement.passage[attacker] == YES
        )

    def _reason_of_convoy(self, u: UnitNo) -> Reason:
        if self.dislodger[u] >= 0:
            return self._explain_dislodgement(self.dislodger[u], u)
        partner = self.sheet.partner[u]
        army = self.strengths.units_of(partner)
        if self.movement.broken[u]:
            return Reason("paradox-fleet", army, causes=self._knot_of(partner))
        return Reason("carries", army)

    def _knot_of(self, army: UnitNo) -> tuple[Unit, ...]:
        """Return the attacks on the fleets of a broken convoy, and the supports behind them."""
        movement = self.movement
        attackers = [
            attacker
            for fleet in self.sheet.carriers[army]
            for attacker in movement.attackers[movement.place[fleet]]
        ]
        supporters = [v for attacker in attackers for v in movement.supporters[attacker]]
        return self.strengths.units_of(*attackers, *supporters)
