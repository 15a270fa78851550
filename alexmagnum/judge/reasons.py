"""The reasons for the results of a movement phase.

Open this file for which cause a reason names, which figures it compares and which units it rests
on.  No rule is stated here: whether an attack cuts a support, a unit lets an express past or a
place is open is asked of :mod:`alexmagnum.judge.movement`, of the functions that decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from alexmagnum.board.tables import NO_UNIT, LegNo, ProvinceNo, UnitNo
from alexmagnum.judge import movement as moves
from alexmagnum.judge import sheet
from alexmagnum.judge.decisions import NO, YES, Answer
from alexmagnum.judge.outcome import Reason
from alexmagnum.position import Unit

_UNHINDERED = ("unopposed", "enters", "enters-city")  # the reasons of a move that met nobody

_DESTRUCTIONS: Final = {
    "dislodged": "destroyed",
    "dislodges": "destroys",
    "dislodges-beside": "destroys-beside",
    "dislodges-stays": "destroys-stays",
}
"""The code of a reason if its unit is destroyed and not dislodged (R3, R27), by the usual code."""


class Explainer:
    """The reasons of one decided movement phase, by unit number.

    ``dislodgers``: by dislodged unit, the units that dislodged it.
    """

    def __init__(
        self, movement: moves.Resolver, dislodgers: dict[UnitNo, tuple[UnitNo, ...]]
    ) -> None:
        self.movement = movement
        self.dislodgers = dislodgers
        self.ids = movement.board.ids
        self.all_units = movement.units.units

    def reason_of(self, u: UnitNo) -> Reason:
        """Return the reason for the result of a unit's order; without an order the unit holds."""
        fault = self.movement.fault[u]
        if fault:
            partner = self.movement.partner[u]
            return Reason(fault, self._units(partner) if partner >= 0 else ())
        action = self.movement.action[u]
        if action == sheet.MOVE:
            return self._reason_of_move(u)
        if action == sheet.CAUGHT:
            raider = self._units(self.movement.raider[u])
            if not moves.is_caught(self.movement, u):
                return self._explain_no_passage(u)
            return Reason("caught", raider, causes=raider, place=self.ids[self.movement.hauls[u]])
        if action == sheet.SUPPORT:
            return self._reason_of_support(u)
        if action == sheet.CONVOY:
            return self._reason_of_convoy(u)
        return self._reason_of_hold(u)

    def dislodgement_of(self, u: UnitNo) -> Reason | None:
        """Return who dislodged a unit and with what strength; None if nobody did."""
        if u not in self.dislodgers:
            return None
        dislodger = self.dislodgers[u][0]
        by = self._units(dislodger)
        causes = by + self._given_supports(dislodger) + self._cut_supports(u)
        defence, attack = self._defence(dislodger, u), self._attack(dislodger, u)
        return Reason(self._name_loss("dislodged", u), by, defence, attack, causes)

    def _name_loss(self, code: str, loser: UnitNo) -> str:
        """Return the code of the same reason for a unit that has to retreat or is destroyed."""
        return code if self.movement.units.takes_orders(loser) else _DESTRUCTIONS[code]

    # -- figures, and the units that a reason names or rests on ----------------------------------

    def _units(self, *numbers: UnitNo) -> tuple[Unit, ...]:
        return tuple(map(self.all_units.__getitem__, numbers))

    def _total(self, u: UnitNo) -> int:
        """Return base strength and all supports given."""
        return self.movement.strength(u)[0]

    def _attack(self, u: UnitNo, target: UnitNo) -> int:
        return self.movement.attack_strength(u, target)[0]

    def _defence(self, u: UnitNo, target: UnitNo) -> int:
        """Return the defend strength or hold strength of the target of ``u``."""
        meets = self.movement.head_to_head(u, target) == YES
        return self.movement.defence(target, defends=meets)[0]

    def _given_supports(self, u: UnitNo) -> tuple[Unit, ...]:
        movement = self.movement
        return self._units(*(v for v in movement.supporters[u] if movement.given[v]))

    def _cut_supports(self, u: UnitNo) -> tuple[Unit, ...]:
        movement = self.movement
        return self._units(*(v for v in movement.supporters[u] if not movement.given[v]))

    def _find_strongest(self, numbers: Iterable[UnitNo]) -> UnitNo:
        """Return the strongest unit, if there is one; of equals the first in the map's order."""
        return max(numbers, key=lambda u: (self._total(u), -u), default=NO_UNIT)

    def _find_rival(self, u: UnitNo, legs: Iterable[LegNo]) -> UnitNo:
        """Return the strongest unit that keeps ``u`` out by one of these legs, if there is one."""
        movement = self.movement
        return self._find_strongest(
            movement.mover[leg] for leg in legs if movement.prevents(u, leg) == YES
        )

    def _find_rival_at_destination(self, u: UnitNo) -> UnitNo:
        movement = self.movement
        if movement.goal[u] == sheet.FOR_CITY:
            return self._find_rival(u, moves.list_city_rivals(movement, u))
        return self._find_rival(u, movement.contenders[movement.leg_place[u]])

    # -- holding ---------------------------------------------------------------------------------

    def _reason_of_hold(self, u: UnitNo) -> Reason:
        if (dislodged := self.dislodgement_of(u)) is not None:
            return dislodged
        movement = self.movement
        attackers = movement.attackers[movement.place[u]]
        if not attackers:
            return Reason("unattacked")
        foreign = (v for v in attackers if not moves.spares(movement.units, v, u))
        if (strongest := self._find_strongest_attack(foreign)) < 0:
            own = self._find_strongest_attack(attackers)
            return Reason("own-attack", self._units(own)) if own >= 0 else Reason("unattacked")
        by = self._units(strongest)
        hold, attack = movement.defence(u)[0], self._attack(strongest, u)
        if movement.overpowers(strongest, u, 0, 0) == YES:  # other attackers kept it out
            return Reason("beleaguered", by, hold, attack, by)
        return Reason("holds", by, hold, attack, self._given_supports(u) + by)

    def _find_strongest_attack(self, attackers: Iterable[UnitNo]) -> UnitNo:
        """Return the strongest attacker that arrived and lost no head-to-head battle; an express
        that stops behind a unit of the same way attacks nobody (R22)."""
        movement = self.movement
        return self._find_strongest(
            u
            for u in attackers
            if movement.passage[u] == YES
            and movement.loses_head_to_head(u) != YES
            and moves.is_kept_behind(movement, u) != YES
        )

    # -- supporting and convoying ----------------------------------------------------------------

    def _reason_of_support(self, u: UnitNo) -> Reason:
        movement = self.movement
        attackers = movement.attackers[movement.place[u]]
        if not movement.given[u]:
            cutters = [attacker for attacker in attackers if movement.cuts(attacker, u) == YES]
            if u in self.dislodgers and self.dislodgers[u][0] in cutters:
                by = self._units(self.dislodgers[u][0])
                return Reason("cut-dislodged", by, causes=by)
            by = self._units(cutters[0])
            return Reason("cut", by, causes=by)
        for attacker in attackers:
            cut = movement.find_cut(attacker, u)
            if cut != moves.NO_CUT and movement.passage[attacker] != YES:
                code = "uncut-no-convoy" if movement.by_convoy[attacker] else "uncut-no-way"
            elif cut == moves.BY_DISLODGING:
                code = "uncut-directed"
            else:
                continue
            by = self._units(attacker)
            return Reason(code, by, causes=by)
        return Reason("given", self._units(self.movement.partner[u]))

    def _reason_of_convoy(self, u: UnitNo) -> Reason:
        if (dislodged := self.dislodgement_of(u)) is not None:
            return dislodged
        partner = self.movement.partner[u]
        army = self._units(partner)
        if self.movement.broken[u]:
            return Reason("paradox-fleet", army, causes=self._list_knot(partner))
        return Reason("carries", army)

    def _list_knot(self, army: UnitNo) -> tuple[Unit, ...]:
        """Return the attacks on the fleets of a broken convoy, and the supports behind them."""
        movement = self.movement
        attackers = [
            attacker
            for fleet in self.movement.carriers[army]
            for attacker in movement.attackers[movement.place[fleet]]
        ]
        supporters = [v for attacker in attackers for v in movement.supporters[attacker]]
        return self._units(*attackers, *supporters)

    # -- moving ----------------------------------------------------------------------------------

    def _reason_of_move(self, u: UnitNo) -> Reason:
        movement = self.movement
        goal = movement.goal[u]
        reason: Reason | None = None
        if movement.passage[u] != YES:
            reason = self._explain_no_passage(u)
        elif movement.railway and u in movement.expresses and not movement.moved[u]:
            reason = self._explain_express_end(u)
        elif goal == sheet.FROM_INSIDE:
            reason = self._explain_attack_from_inside(u)
        elif goal == sheet.FOR_ROOM:
            reason = self._explain_entry(u)
        elif goal == sheet.FOR_CITY:
            reason = self._explain_city(u)
        if reason is None:
            reason = self._explain_success(u) if movement.moved[u] else self._explain_failure(u)
        return self._add_way(u, reason)

    def _explain_no_passage(self, u: UnitNo) -> Reason:
        """Return why a move ended before its destination."""
        movement = self.movement
        fleets = self.movement.carriers[u]
        if movement.by_convoy[u] and movement.broken[u]:
            return Reason("paradox", self._units(*fleets), causes=self._list_knot(u))
        if movement.by_convoy[u]:
            lost = self._units(*(v for v in fleets if movement.is_overcome(v) == YES))
            return Reason("convoy-dislodged", lost, causes=lost)
        if movement.broken[u]:
            return Reason("paradox-way")
        if u in movement.expresses:
            return self._explain_stretch(u)
        over = movement.hauls[u]
        standing = self.movement.units.units_in[over]
        by = self._units(*(v for v in standing if moves.clears_haul(movement, u, v) != YES))
        if u in movement.raider:
            raider = self._units(movement.raider[u])
            return Reason("not-hauled-attacked", by + raider, causes=by, place=self.ids[over])
        return Reason("not-hauled", by, causes=by, place=self.ids[over])

    def _add_way(self, u: UnitNo, reason: Reason) -> Reason:
        """Add to the reason of an express where it was stopped (R19); if an express or a haul met
        nobody, its way is the whole reason (R18, R23)."""
        movement = self.movement
        if movement.moved[u] and reason.code in _UNHINDERED:
            if u in movement.expresses:
                passed = self._list_passed(u)
                return Reason("rides-past", passed, causes=passed) if passed else Reason("rides")
            if u in movement.hauls:
                return Reason("hauled", place=self.ids[movement.hauls[u]])
        if u in movement.expresses and not movement.moved[u] and not movement.broken[u]:
            stop = moves.find_stop(movement, u)
            return reason._replace(stop=self.ids[stop]) if stop >= 0 else reason
        return reason

    def _list_passed(self, u: UnitNo) -> tuple[Unit, ...]:
        """Return the units on the way of an express that stay (R19)."""
        movement = self.movement
        way = [movement.leads_to(leg) for leg in movement.list_way(u)]
        standing = (v for province in way for v in movement.units.units_in[province])
        return self._units(*(v for v in standing if movement.leaves(v) != YES))

    def _explain_success(self, u: UnitNo) -> Reason:
        """Return why an attack on a place succeeded."""
        movement = self.movement
        target = movement.occupant[movement.to_place[u]]
        if target >= 0 and movement.leaves(target) != YES:
            attack, against = self._attack(u, target), self._defence(u, target)
            supports = self._given_supports(u)
            code = self._name_loss("dislodges", target)
            return Reason(code, self._units(target), attack, against, supports)
        rival = self._find_rival_at_destination(u)
        if rival >= 0:
            own, against = self._total(u), self._total(rival)
            supports = self._given_supports(u)
            return Reason("outmatches", self._units(rival), own, against, supports)
        if target < 0:
            return Reason("unopposed")
        followed = self._units(target)
        return Reason("follows", followed, causes=followed)

    def _explain_failure(self, u: UnitNo) -> Reason:
        """Return the strongest of what kept it out: the unit there, or a rival for the place."""
        movement = self.movement
        target = movement.occupant[movement.to_place[u]]
        contenders = movement.contenders[movement.leg_place[u]]
        if (in_front := self._explain_ahead(u, contenders, self.movement.to[u])) is not None:
            return in_front
        rival = self._find_rival_at_destination(u)
        meets = target >= 0 and movement.head_to_head(u, target) == YES
        code = "loses-head-to-head" if meets else "held-off"
        if target < 0 or movement.leaves(target) == YES:
            if not meets:
                return self._explain_contest(u, rival)
            return self._explain_defeat(u, target, code, self._total(u), self._total(target))
        if moves.spares(movement.units, u, target):
            own_unit = self._units(target)
            return Reason("own-unit", own_unit, causes=own_unit)
        if movement.overpowers(u, target, 0, 0, defends=meets) == YES:
            return self._explain_contest(u, rival, target)
        attack, defence = self._attack(u, target), self._defence(u, target)
        return self._explain_defeat(u, target, code, attack, defence)

    def _explain_defeat(
        self, u: UnitNo, other: UnitNo, code: str, attack: int, against: int
    ) -> Reason:
        """Return the reason that ``u`` failed against ``other``, with both figures."""
        causes = self._cut_supports(u) + self._units(other) + self._given_supports(other)
        return Reason(code, self._units(other), attack, against, causes)

    def _explain_bounce(self, u: UnitNo, rival: UnitNo, target: UnitNo = NO_UNIT) -> Reason:
        """Return that a rival, as strong or stronger, kept a unit out; a ``target`` stays there."""
        own, against = self._attack(u, target), self._total(rival)
        code = "bounces" if own == against else "outmatched"
        return self._explain_defeat(u, rival, code, own, against)

    def _explain_crowding(
        self, u: UnitNo, rivals: list[tuple[UnitNo, Answer]], room: int
    ) -> Reason | None:
        """Return the reason that too many were as strong as ``u`` for the room, if so (R10)."""
        as_strong = [v for v, _ in moves.list_as_strong(self.movement, u, rivals)]
        if not room or not as_strong:
            return None
        by = self._units(*as_strong)
        against = max(map(self._total, as_strong))
        return Reason("crowded-out", by, self._total(u), against, by, room=room)

    def _explain_no_room(self, u: UnitNo, code: str) -> Reason:
        """Return that no place was open: units stay, or go to where ``u`` comes from (R15)."""
        standing = self.movement.units.units_in[self.movement.to[u]]
        by = self._units(*(v for v in standing if moves.would_exchange(self.movement, u, v)))
        if by:
            return Reason("no-room-exchange", by, causes=by, room=0)
        by = self._units(*standing)
        return Reason(code, by, causes=by if code == "city-full" else (), room=0)

    # -- seas (R8 to R17) ------------------------------------------------------------------------

    def _explain_entry(self, u: UnitNo) -> Reason:
        """Return why a plain entry succeeded, or found no room (R9, R10, R12, R15)."""
        movement = self.movement
        room = moves.count_open_sea_places(movement, u)[0]
        rivals = moves.other_entrants(movement, u)
        if not movement.moved[u]:
            return self._explain_crowding(u, rivals, room) or self._explain_no_room(u, "no-room")
        rival = self._find_strongest(other for other, arrives in rivals if arrives == YES)
        if rival < 0:
            return Reason("enters", room=room)
        own, against = self._total(u), self._total(rival)
        supports = self._given_supports(u)
        return Reason("enters-past", self._units(rival), own, against, supports, room=room)

    def _explain_attack_from_inside(self, u: UnitNo) -> Reason:
        """Return why a fleet did or did not dislodge another fleet of its sea (R11a)."""
        movement = self.movement
        target = movement.occupant[movement.to_place[u]]
        by = self._units(target)
        if movement.leaves(target) == YES:
            return Reason("target-left", by, causes=by)
        if moves.spares(movement.units, u, target):
            return Reason("own-unit", by, causes=by)
        attack, against = self._attack(u, target), self._defence(u, target)
        if movement.moved[u]:
            code = self._name_loss("dislodges-beside", target)
            return Reason(code, by, attack, against, self._given_supports(u))
        return self._explain_defeat(u, target, "held-off-beside", attack, against)

    # -- rivers (R18 to R22a) --------------------------------------------------------------------

    def _explain_stretch(self, u: UnitNo) -> Reason:
        """Return why an express ended before its destination (R19 to R22a)."""
        movement = self.movement
        passed = moves.count_passed(movement, u)
        leg = self.movement.legs[movement.first_leg[u] + passed]
        province = movement.expresses[u].path[passed]
        contenders = movement.contenders[movement.leg_place[leg]]
        reason = self._explain_obstacle(u, province) or self._explain_ahead(u, contenders, province)
        if reason is None:
            reason = self._explain_contest(u, self._find_rival(u, contenders))
        return reason._replace(place=self.ids[province])

    def _explain_obstacle(self, u: UnitNo, province: ProvinceNo) -> Reason | None:
        """Return the unit that stood in a territory and barred it to an express, if any."""
        movement = self.movement
        for other in movement.units.units_in[province]:
            if moves.lets_past(movement, u, other) != YES:
                oncoming = movement.relation.get((u, other)) in (sheet.ONCOMING, sheet.OPPOSITE)
                code = "way-oncoming" if oncoming else "way-occupied"
                if movement.railway and movement.power[other] == movement.power[u]:
                    code = "way-own-dislodged"
                by = self._units(other)
                return Reason(code, by, causes=by)
        return None

    def _explain_express_end(self, u: UnitNo) -> Reason | None:
        """Return why an express that came so far did not enter its destination (R19, R19a)."""
        movement, to = self.movement, self.movement.to[u]
        for other in movement.units.units_in[to]:
            if moves.remains(movement, u, other) != NO:
                code = "way-oncoming" if movement.leaves(other) == YES else "express-no-attack"
                by = self._units(other)
                return Reason(code, by, causes=by, place=self.ids[to])
        if movement.goal[u] == sheet.FOR_CITY:
            return self._explain_city(u)
        contenders = movement.contenders[movement.leg_place[u]]
        in_front = self._explain_ahead(u, contenders, to)
        return in_front or self._explain_contest(u, self._find_rival(u, contenders))

    def _explain_ahead(
        self, u: UnitNo, contenders: Sequence[LegNo], province: ProvinceNo
    ) -> Reason | None:
        """Return the unit ahead of an express that ends in a province, if there is one (R21)."""
        movement = self.movement
        for leg in contenders:
            if moves.bars_from_ahead(movement, u, leg) == YES:
                by = self._units(movement.mover[leg])
                return Reason("way-ahead", by, causes=by, place=self.ids[province])
        return None

    def _explain_contest(self, u: UnitNo, rival: UnitNo, target: UnitNo = NO_UNIT) -> Reason:
        """Return that a rival kept a unit out, an express before the territory of both."""
        if u not in self.movement.expresses:
            return self._explain_bounce(u, rival, target)
        own, against = self._attack(u, target), self._total(rival)
        if self.movement.relation.get((u, rival)) == sheet.OPPOSITE:
            code = "way-outmatched-opposite" if against > own else "way-contested-opposite"
        else:
            code = "way-outmatched" if against > own else "way-contested"
        place = self.ids[self.movement.to[u]]
        return self._explain_defeat(u, rival, code, own, against)._replace(place=place)

    # -- major cities with two places (R26) ------------------------------------------------------

    def _explain_city(self, u: UnitNo) -> Reason | None:
        """Return why a move into a city of two places got in or not; None if it is an attack."""
        movement = self.movement
        target = moves.find_target(movement, u)
        if movement.dislodges(u) == YES:
            if movement.moved[u]:
                return None
            other = self._units(target, moves.find_neighbour(movement, u))
            return Reason(self._name_loss("dislodges-stays", target), other, causes=other[1:])
        room = moves.count_open_city_places(movement, u)[0]
        if movement.moved[u]:
            return Reason("enters-city", room=room)
        contenders, city = moves.list_contenders(movement, u), self.movement.to[u]
        if (in_front := self._explain_ahead(u, contenders, city)) is not None:
            return in_front
        if target >= 0 and movement.leaves(target) != YES:
            return None
        if target >= 0 and moves.is_neighbour_gone(movement, u) != YES:
            held = self._units(moves.find_neighbour(movement, u))
            return Reason("city-held", held, causes=held)
        rival = self._find_rival(u, moves.list_foreign_rivals(movement, u))
        against = self._total(rival) if rival >= 0 else 0
        if movement.overpowers(u, NO_UNIT, against, against) == NO:
            return self._explain_bounce(u, rival)
        crowded = self._explain_crowding(u, moves.list_companions(movement, u), room)
        return crowded or self._explain_no_room(u, "city-full")
