"""The resolver: how each decision of a movement phase is judged, and in which rounds.

Four kinds of decisions are judged: does a move succeed, is a support given, does a unit come so
far that it tries a leg, and does a move into a city dislodge its target.  This file has the
standard rules and hands special moves to the files of their rules.  Decisions that stay unknown
when nothing more follows rest on each other: :mod:`alexmagnum.judge.knots` unties them.
"""

from __future__ import annotations

from alexmagnum.board.numbers import NO_UNIT, LegNo, ProvinceNo, UnitNo
from alexmagnum.judge import cities, portage, rivers, seas
from alexmagnum.judge.convoys import can_cross
from alexmagnum.judge.movement import BEATS, GIVEN, MOVED, Decision, Movement
from alexmagnum.judge.sheet import FOR_CITY, FOR_ROOM, FROM_INSIDE, MOVE
from alexmagnum.judge.trilean import NO, UNKNOWN, YES, Answer, both, negation


class Resolver(Movement):
    """A movement phase together with the rules that decide it."""

    __slots__ = ()

    def settle(self) -> bool:
        """Work out everything that follows; return whether anything stays unknown."""
        sheet, moved, given, passage = self.sheet, self.moved, self.given, self.passage
        beats = self.beats
        moves, supports, legs = sheet.moving, sheet.supporting, self.doubtful
        attacks = [u for u in moves if beats[u] == UNKNOWN] if sheet.board.crowded else []
        before = -1
        while True:
            self.round += 1
            if self.put_off:
                self.ask_put_off()
            moves = [u for u in moves if moved[u] == UNKNOWN and self.moves(u) == UNKNOWN]
            supports = [u for u in supports if given[u] == UNKNOWN and self.supports(u) == UNKNOWN]
            legs = [leg for leg in legs if passage[leg] == UNKNOWN and self.arrives(leg) == UNKNOWN]
            attacks = [u for u in attacks if self.dislodges(u) == UNKNOWN]
            left = len(moves) + len(supports) + len(legs) + len(attacks)
            if left in (0, before):
                return left > 0
            before = left

    def ask_put_off(self) -> None:
        """Ask what the last round put off, beginning with what rests on the fewest others."""
        put_off = list(self.put_off)
        self.put_off = {}
        for question, number in reversed(put_off):
            if question == MOVED:
                self.moves(UnitNo(number))
            else:
                self.arrives(number)

    def judge(self, decision: Decision) -> Answer:
        """Work out a decision from what is known now."""
        question, number = decision
        if question == MOVED:
            return self.judge_move(UnitNo(number))
        if question == GIVEN:
            return self.judge_support(UnitNo(number))
        if question == BEATS:
            return self.judge_city_attack(UnitNo(number))
        return self.judge_passage(number)

    # -- moves -----------------------------------------------------------------------------------

    def judge_move(self, u: UnitNo) -> Answer:
        """Compare attack strength with hold or defend strength and with every prevent strength."""
        if self.goal[u]:
            return self._judge_special_move(u)
        place = self.to_place[u]
        target = self.occupant[place]
        contenders = self.contenders[place]
        arrives = self.passage[u]
        if arrives == UNKNOWN:
            arrives = self.arrives(u)
        if arrives == NO:
            return NO
        if target < 0 and len(contenders) == 1:
            return arrives
        low, high = self.prevention(u, contenders)
        if target < 0:
            known = self.overpowers(u, NO_UNIT, low, high)
        else:
            known = self.wins_place(u, target, low, high)
        if self.expresses and u in self.expresses:
            known = both(known, negation(rivers.is_kept_behind(self, u)))
        return known if known == NO else both(known, arrives)

    def judge_attack(self, u: UnitNo) -> Answer:
        """Judge whether a unit would dislodge its target if the target stayed."""
        target = self.occupant[self.to_place[u]]
        if self.goal[u] == FROM_INSIDE:
            return seas.overpowers_from_inside(self, u, target)
        if self.goal[u] == FOR_CITY:
            return both(cities.overpowers_target(self, u, target), self.arrives(u))
        contenders = self.contenders[self.to_place[u]]
        known = self.wins_battle(u, target, *self.prevention(u, contenders))
        if self.expresses and u in self.expresses:
            known = both(known, negation(rivers.is_kept_behind(self, u)))
        return both(known, self.arrives(u))

    def _judge_special_move(self, u: UnitNo) -> Answer:
        """Judge a move that goes for something else than one place."""
        goal = self.goal[u]
        if goal == FOR_ROOM:
            return seas.judge_entry(self, u)
        if goal == FROM_INSIDE:
            return seas.judge_attack_from_inside(self, u)
        return cities.judge_entry(self, u)

    def judge_city_attack(self, u: UnitNo) -> Answer:
        """Judge whether a move into a city dislodges its target (R26)."""
        return cities.judge_attack(self, u)

    # -- supports --------------------------------------------------------------------------------

    def judge_support(self, u: UnitNo) -> Answer:
        """Judge whether a support is uncut.

        Any foreign attack that arrives cuts it; an attack by the unit against which it is
        directed cuts it only by dislodging the supporter (R13).
        """
        known = YES
        power, target = self.power[u], self.support_target[u]
        for attacker in self.attackers[self.place[u]]:
            if self.power[attacker] == power:
                continue
            if self.place[attacker] == target:
                cut = self.dislodges(attacker)
            else:
                cut = self.passage[attacker]
                if cut == UNKNOWN:
                    cut = self.arrives(attacker)
            if cut == YES:
                return NO
            if cut == UNKNOWN:
                known = UNKNOWN
        return known

    # -- passages --------------------------------------------------------------------------------

    def judge_passage(self, leg: LegNo) -> Answer:
        """Judge whether a unit gets over fleets, over the Sinai, or past the territory before."""
        u = self.mover[leg]
        if u in self.expresses:
            return rivers.judge_express(self, leg)
        if u in self.hauls:
            return portage.judge_haul(self, u)
        return self._judge_convoy(u)

    def _judge_convoy(self, u: UnitNo) -> Answer:
        """Judge whether fleets that are not dislodged join the two shores of a convoy (R16)."""
        sheet = self.sheet
        start, end = self.province[u], sheet.to[u]
        carriers = sheet.carriers[u]
        safe: set[ProvinceNo] = set()
        possible: set[ProvinceNo] = set()
        for fleet in carriers:
            lost = self.is_overcome(fleet)
            if lost == NO:
                safe.add(self.province[fleet])
            if lost != YES:
                possible.add(self.province[fleet])
        if len(safe) == len(carriers) and self.action[u] == MOVE:
            return YES  # with all its fleets it is not stuck
        if not can_cross(sheet.board, possible, start, end):
            return NO
        if len(safe) == len(possible) or can_cross(sheet.board, safe, start, end):
            return YES
        return UNKNOWN
