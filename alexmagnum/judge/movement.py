"""The movement phase while it is resolved: moves, supports, convoys, seas, rivers and cities.

Open this file for how anything is decided in a movement phase.  :class:`Resolver` has the standard
rules, from what is judged down to the strengths that decide; the functions below it have the
special ground: seas, rivers, the portage and cities of two places.  Each ruling stands in one
function; :mod:`alexmagnum.judge.reasons` asks the same functions for the cause of a result.

Everything here works on the numbers of the tables: units, legs, places and provinces.  Every
answer is yes, no or unknown, and every strength is a pair (lowest, highest) that is still possible.
"""

from __future__ import annotations

from typing import Final, NewType

from alexmagnum.board.tables import (
    NO_POWER,
    NO_PROVINCE,
    NO_UNIT,
    LegNo,
    PlaceNo,
    PowerNo,
    ProvinceNo,
    UnitNo,
)
from alexmagnum.judge.decisions import (
    NO,
    UNKNOWN,
    YES,
    Answer,
    Decisions,
    both,
    choose,
    count,
    either,
    exceeds,
    negation,
)
from alexmagnum.judge.legality import can_cross
from alexmagnum.judge.sheet import (
    AHEAD,
    BEHIND,
    CAUGHT,
    FOR_CITY,
    FOR_ROOM,
    FROM_INSIDE,
    MOVE,
    ONCOMING,
    OPPOSITE,
    STUCK,
    Action,
)
from alexmagnum.units import UnitTables

Cut = NewType("Cut", int)
"""What an attack on a unit has to do to cut the support that the unit gives."""

NO_CUT: Final = Cut(0)
BY_ARRIVING: Final = Cut(1)
BY_DISLODGING: Final = Cut(2)


def find_cut(units: UnitTables, attacker: int, supporter: int, *, is_target: bool) -> Cut:
    """Return how an attack on a supporter cuts its support.

    Any foreign attack that arrives cuts it; an attack by the unit against which it is directed
    cuts it only by dislodging the supporter (R13).
    """
    if units.power[attacker] == units.power[supporter]:
        return NO_CUT
    return BY_DISLODGING if is_target else BY_ARRIVING


def spares(units: UnitTables, u: int, target: int) -> bool:
    """Tell whether a unit never dislodges a target, which is of its own power."""
    return units.power[target] == units.power[u]


def holds_with_supports(action: Action) -> bool:
    """Tell whether supports to hold count for a unit that stays: it was not ordered to move."""
    return action not in (MOVE, STUCK, CAUGHT)


# -- the rules -------------------------------------------------------------------------------------


class Resolver(Decisions):
    """The rules by which the decisions of one movement phase are made."""

    __slots__ = ()

    # -- the judgements --------------------------------------------------------------------------

    def judge_move(self, u: UnitNo) -> Answer:
        """Compare attack strength with hold or defend strength and with every prevent strength."""
        if self.railway and u in self.expresses:
            return judge_express_end(self, u)
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
            known = both(known, negation(is_kept_behind(self, u)))
        return known if known == NO else both(known, arrives)

    def judge_attack(self, u: UnitNo) -> Answer:
        """Judge whether a unit would dislodge its target if the target stayed."""
        target = self.occupant[self.to_place[u]]
        if self.goal[u] == FROM_INSIDE:
            return overpowers_from_inside(self, u, target)
        if self.goal[u] == FOR_CITY:
            return both(overpowers_in_city(self, u, target), self.arrives(u))
        low, high = self.prevention(u, self.contenders[self.to_place[u]])
        known = self.wins_battle(u, target, low, high)
        if self.expresses and u in self.expresses:
            known = both(known, negation(is_kept_behind(self, u)))
        return both(known, self.arrives(u))

    def _judge_special_move(self, u: UnitNo) -> Answer:
        goal = self.goal[u]
        if goal == FOR_ROOM:
            return judge_sea_entry(self, u)
        if goal == FROM_INSIDE:
            return judge_attack_from_inside(self, u)
        return judge_city_entry(self, u)

    def judge_city_attack(self, u: UnitNo) -> Answer:
        target = find_target(self, u)
        arrives = self.arrives(u)
        if target < 0 or arrives == NO:
            return NO
        beats = overpowers_in_city(self, u, target)
        return both(arrives, choose(_target_leaves(self, u), NO, beats))

    def judge_support(self, u: UnitNo) -> Answer:
        known = YES
        for attacker in self.attackers[self.place[u]]:
            cut = self.cuts(attacker, u)
            if cut == YES:
                return NO
            if cut == UNKNOWN:
                known = UNKNOWN
        return known

    def cuts(self, attacker: UnitNo, u: UnitNo) -> Answer:
        """Tell whether an attack on its place cuts a support."""
        cut = self.find_cut(attacker, u)
        if cut == NO_CUT:
            return NO
        if cut == BY_DISLODGING:
            return self.dislodges(attacker)
        arrives = self.passage[attacker]
        return self.arrives(attacker) if arrives == UNKNOWN else arrives

    def find_cut(self, attacker: UnitNo, u: UnitNo) -> Cut:
        """Return how an attack on its place cuts a support."""
        is_target = self.place[attacker] == self.support_target[u]
        return find_cut(self.units, attacker, u, is_target=is_target)

    def judge_passage(self, leg: LegNo) -> Answer:
        u = self.mover[leg]
        if u in self.expresses:
            return judge_express(self, leg)
        if u in self.hauls:
            return judge_haul(self, u)
        return self._judge_convoy(u)

    def judge_halt(self, leg: LegNo) -> Answer:
        return judge_halt(self, leg)

    def _judge_convoy(self, u: UnitNo) -> Answer:
        """Judge whether fleets that are not dislodged join the two shores of a convoy (R16)."""
        start, end = self.province[u], self.to[u]
        carriers = self.carriers[u]
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
        if not can_cross(self.board, possible, start, end):
            return NO
        if len(safe) == len(possible) or can_cross(self.board, safe, start, end):
            return YES
        return UNKNOWN

    # -- what becomes of a unit ------------------------------------------------------------------

    def leaves(self, u: UnitNo) -> Answer:
        """Tell whether a unit moves out, ends elsewhere on a river (R22) or is caught (R24)."""
        if self.action[u] == MOVE and self.goal[u] != FROM_INSIDE:
            if self.first_leg[u] == u:
                return self.moves(u)
            known = NO
            for leg in self.list_way(u):
                known = either(known, self.may_halt(leg))
                if known == YES or not self.railway:
                    return known
            return either(known, self.moves(u))
        return self.arrives(u) if self.action[u] == CAUGHT else NO

    def is_gone(self, u: UnitNo) -> Answer:
        """Tell whether a unit leaves, or would be dislodged if it stayed.

        An attack that can never dislodge it is no part of this question, whatever it rests on
        itself (R22a).  Nobody is dislodged by a fleet that is hauled ashore (R23).
        """
        known = self.leaves(u)
        for attacker in self.attackers[self.place[u]]:
            if known == YES:
                break
            if attacker not in self.hauls or self.board.is_sea[self.province[u]]:
                known = either(known, self.judge_attack(attacker))
        return known

    def is_overcome(self, u: UnitNo) -> Answer:
        """Tell whether any attack overcomes a unit, which is then dislodged unless it leaves."""
        known = NO
        for attacker in self.attackers[self.place[u]]:
            success = self.dislodges(attacker)
            if success == YES:
                return YES
            if success == UNKNOWN:
                known = UNKNOWN
        return known

    def head_to_head(self, u: UnitNo, target: UnitNo) -> Answer:
        """Tell whether two units go for each other's place in one step, neither by convoy.

        See R11 for seas and R21a for rivers.
        """
        if (
            self.action[target] == MOVE
            and self._go_for_each_other(u, target)
            and not self.by_convoy[u]
            and not self.by_convoy[target]
        ):
            return self.arrives(self.first_leg[target])
        return NO

    def _go_for_each_other(self, u: UnitNo, target: UnitNo) -> bool:
        """Tell whether the first step of a target leads to where the last step of ``u`` starts.  An
        express meets whoever comes over a step of its river, from any place of a city; on the
        railway it passes units of its own power (R21a)."""
        to, start = self.first_to[target], self.last_from[u]
        if to < 0 or not self.expresses:
            return to == start
        if u not in self.expresses and target not in self.expresses:
            return to == start
        if self.railway and self.power[u] == self.power[target]:
            return False
        province_at = self.board.province_at
        return province_at[to] == province_at[start]

    def loses_head_to_head(self, leg: LegNo) -> Answer:
        """Tell whether a unit loses a head-to-head battle over a leg and so prevents nobody."""
        u = self.mover[leg]
        known = NO
        if leg == self.first_leg[u] and not self.by_convoy[u]:
            for attacker in self.attackers[self.place[u]]:
                if self._go_for_each_other(attacker, u) and not self.by_convoy[attacker]:
                    known = either(known, self.dislodges(attacker))
        return known

    # -- strengths -------------------------------------------------------------------------------
    def strength(self, u: UnitNo, without: PowerNo = NO_POWER) -> tuple[int, int]:
        """Return base strength and supports, leaving out the supports of the power ``without``."""
        low = high = self.base_strength[u]
        for supporter in self.supporters[u]:
            if self.power[supporter] == without:
                continue
            given = self.given[supporter]
            if given == UNKNOWN:
                given = self.supports(supporter)
            if given != NO:
                high += self.support_strength[supporter]
                if given == YES:
                    low += self.support_strength[supporter]
        return low, high

    def prevention(self, u: UnitNo, contenders: list[LegNo]) -> tuple[int, int]:
        """Return the greatest strength with which any contender keeps ``u`` out of a place."""
        low = high = 0
        for leg in contenders:
            rival = self.mover[leg]
            if rival == u:
                continue
            prevents = self.passage[leg]
            if prevents != YES or self.expresses or self.attackers[self.place[rival]]:
                prevents = self.prevents(u, leg)
            if prevents != NO:
                least, most = self.strength(rival)
                high = max(high, most)
                if prevents == YES and least > low:
                    low = least
        return low, high

    def prevents(self, u: UnitNo, leg: LegNo) -> Answer:
        """Tell whether another unit tries this leg, so that its strength can keep ``u`` out.

        Units on the same way along a river do not hinder each other (R21).  Opposite expresses
        hinder each other whether or not they get so far (R21a).
        """
        rival = self.mover[leg]
        counts = self.passage[leg]
        if rival == u or go_same_way(self, u, rival) or passes_by(self, u, leg):
            return NO
        if self.relation.get((u, rival)) == OPPOSITE:
            counts = NO if self.broken[rival] else YES
        elif counts == UNKNOWN:
            counts = self.arrives(leg)
        if self.railway and counts != NO:
            counts = both(counts, is_contested(self, leg))
        if counts == NO:
            return NO
        beaten = self.loses_head_to_head(leg)
        return counts if beaten == NO else negation(beaten)

    def attack_strength(self, u: UnitNo, target: UnitNo) -> tuple[int, int]:
        """Return the strength of ``u`` against a target that stays (or none).

        Supports of the target's own power do not count.
        """
        return self.strength(u, self.power[target]) if target >= 0 else self.strength(u)

    def defence(self, u: UnitNo, *, defends: bool = False) -> tuple[int, int]:
        """Return the hold strength of a unit that stays.

        One that was ordered to move holds with its base alone, unless it ``defends``: it moves
        against its attacker, so that supports of its move defend it.
        """
        if defends or holds_with_supports(self.action[u]):
            return self.strength(u)
        base = self.base_strength[u]
        return base, base

    def overpowers(
        self, u: UnitNo, target: UnitNo, low: int, high: int, *, defends: bool = False
    ) -> Answer:
        """Tell whether ``u`` gets past a target that stays (or none) and past that prevention.

        ``defends``: the target moves against ``u``.
        """
        if target >= 0:
            if spares(self.units, u, target):
                return NO
            least, most = self.defence(target, defends=defends)
            low = max(low, least)
            high = max(high, most)
        least, most = self.attack_strength(u, target)
        return exceeds(least, most, low, high)

    def wins_place(self, u: UnitNo, target: UnitNo, low: int, high: int) -> Answer:
        """Tell whether ``u`` wins a place against its occupant and that prevention.

        While it is unknown whether the occupant stays, goes or fights, all cases are weighed.
        """
        action = self.action[target]
        meets = self.head_to_head(u, target) if action == MOVE else NO
        if meets != NO:
            return self.wins_battle(u, target, low, high)
        leaves = self.leaves(target) if action in (MOVE, CAUGHT) else NO
        if leaves == NO:
            return self.overpowers(u, target, low, high)
        free = self.overpowers(u, NO_UNIT, low, high)
        held = free if leaves == YES else self.overpowers(u, target, low, high)
        return choose(leaves, free, held)

    def wins_battle(self, u: UnitNo, target: UnitNo, low: int, high: int) -> Answer:
        """Tell whether ``u`` dislodges a target that stays, or meets it head-to-head and wins."""
        meets = self.head_to_head(u, target)
        defended = NO if meets == NO else self.overpowers(u, target, low, high, defends=True)
        # A fleet that is not hauled after all is a unit that failed to move (R23).
        held = defended if meets == YES else self.overpowers(u, target, low, high)
        return choose(meets, defended, held)


# Seas with several places: plain entry into open places, and attacks from inside (R8 to R17).


def judge_sea_entry(movement: Resolver, u: UnitNo) -> Answer:
    """Judge a plain entry: there has to be room for it (R9, R10)."""
    arrives = movement.arrives(u)
    if arrives == NO:
        return NO
    rivals, room = other_entrants(movement, u), count_open_sea_places(movement, u)
    return both(arrives, fits_in(movement, u, rivals, room))


def fits_in(
    movement: Resolver, u: UnitNo, rivals: list[tuple[UnitNo, Answer]], room: tuple[int, int]
) -> Answer:
    """Tell whether fewer rivals are as strong as ``u`` than places are open (R10, R26).

    ``rivals``: pairs (unit, whether it counts); ``room``: how many places, at least and at most.
    """
    few, many = count(as_strong for _, as_strong in list_as_strong(movement, u, rivals))
    least, most = room
    if few >= most:
        return NO
    return YES if many < least else UNKNOWN


def list_as_strong(
    movement: Resolver, u: UnitNo, rivals: list[tuple[UnitNo, Answer]], more: int = 0
) -> list[tuple[UnitNo, Answer]]:
    """Return the rivals that may be as strong as ``u``, or stronger by ``more``, and whether so."""
    low, high = movement.strength(u)
    as_strong: list[tuple[UnitNo, Answer]] = []
    for rival, counts in rivals:
        if counts != NO:
            least, most = movement.strength(rival)
            if most >= low + more:
                certain = counts == YES and least >= high + more
                as_strong.append((rival, YES if certain else UNKNOWN))
    return as_strong


def other_entrants(movement: Resolver, u: UnitNo) -> list[tuple[UnitNo, Answer]]:
    """Return the other plain entrants of the sea that ``u`` enters, and whether each arrives."""
    entrants = movement.entrants[movement.to[u]]
    return [(other, movement.arrives(other)) for other in entrants if other != u]


def count_open_sea_places(movement: Resolver, u: UnitNo) -> tuple[int, int]:
    """Return how many places, at least and at most, are open to a plain entrant (R9, R15)."""
    return count(
        is_open(movement, place)
        for place in movement.board.places_of[movement.to[u]]
        if not would_exchange(movement, u, movement.occupant[place])
    )


def would_exchange(movement: Resolver, u: UnitNo, other: UnitNo) -> bool:
    """Tell whether ``u`` cannot use the place of a unit ordered to where it comes from (R15)."""
    return (
        other >= 0
        and movement.action[other] in (MOVE, CAUGHT)
        and movement.to[other] == movement.province[u]
    )


def is_open(movement: Resolver, place: PlaceNo) -> Answer:
    """Tell whether plain entrants may use a place (R9).

    It has to be empty, left by its fleet or won from inside its sea, and no move from outside may
    name it; a haul that fails names nothing.
    """
    occupant = movement.occupant[place]
    vacated = YES if occupant < 0 else movement.leaves(occupant)
    named = NO
    for u in movement.attackers[place]:
        if movement.goal[u] != FROM_INSIDE:
            named = either(named, movement.arrives(u) if u in movement.hauls else YES)
        elif vacated != YES:
            vacated = either(vacated, overpowers_from_inside(movement, u, occupant))
    return both(vacated, negation(named))


def judge_attack_from_inside(movement: Resolver, u: UnitNo) -> Answer:
    """Judge whether a fleet dislodges another fleet of its sea (R11a); it contests with nobody."""
    target = movement.occupant[movement.to_place[u]]
    return choose(movement.leaves(target), NO, overpowers_from_inside(movement, u, target))


def overpowers_from_inside(movement: Resolver, u: UnitNo, target: UnitNo) -> Answer:
    """Tell whether an attack from inside dislodges its target if that stays."""
    # Two that attack each other are head-to-head; nobody inside is hauled, so that is certain.
    return movement.overpowers(u, target, 0, 0, defends=movement.head_to_head(u, target) == YES)


# The river express: how far a fleet comes up or down a river (R18 to R22).


def judge_express(movement: Resolver, leg: LegNo) -> Answer:
    """Judge whether an express passes the territory before this leg (R19).

    It passes if nobody there bars it and it is stronger than everybody else who tries to enter.
    A unit ahead of it that ends there keeps it out whatever the strengths (R21).
    """
    u = movement.mover[leg]
    course = movement.expresses[u].path
    first = movement.first_leg[u]
    before = movement.legs[leg - 1 if leg != u else first + len(course) - 2]
    known = movement.arrives(before)
    for other in movement.units.units_in[course[before - first]]:
        known = both(known, lets_past(movement, u, other))
    if known == NO:
        return NO
    contested = is_contested(movement, before)
    if contested != NO:
        contested = both(contested, negation(follows_its_own(movement, before)))
    if contested == NO:
        return known
    return both(known, choose(contested, outdoes_contenders(movement, u, before), YES))


def outdoes_contenders(movement: Resolver, u: UnitNo, leg: LegNo) -> Answer:
    """Tell whether an express outmatches all rivals for a territory, with nobody ahead of it."""
    contenders = movement.contenders[movement.leg_place[leg]]
    low, high = movement.prevention(u, contenders)
    known = movement.overpowers(u, NO_UNIT, low, high)
    return known if known == NO else both(known, negation(_is_barred(movement, u, contenders)))


def judge_express_end(movement: Resolver, u: UnitNo) -> Answer:
    """Judge whether an express enters its destination, where it attacks nobody (R19, R19a)."""
    known = movement.arrives(u)
    for other in movement.units.units_in[movement.to[u]]:
        if known != NO:
            known = both(known, negation(remains(movement, u, other)))
    if known == NO:
        return NO
    if movement.goal[u] == FOR_CITY:
        return both(known, _finds_room(movement, u))
    return both(known, outdoes_contenders(movement, u, u))


def remains(movement: Resolver, u: UnitNo, other: UnitNo) -> Answer:
    """Tell whether a unit remains where an express passes or ends.

    A unit that comes towards it remains in any case, wherever that ends; not one of its own power
    on the railway (R21a).
    """
    oncoming = movement.relation.get((u, other)) in (ONCOMING, OPPOSITE)
    if oncoming and not (movement.railway and movement.power[other] == movement.power[u]):
        return YES
    return negation(movement.leaves(other))


def lets_past(movement: Resolver, u: UnitNo, other: UnitNo) -> Answer:
    """Tell whether a unit on the way of an express does not bar it (R19).

    It bars the express if it remains; on the railway one of its own power only if it is dislodged.
    """
    known = negation(remains(movement, u, other))
    if movement.railway and movement.power[other] == movement.power[u]:
        known = either(known, negation(movement.is_overcome(other)))
    return known


def is_contested(movement: Resolver, leg: LegNo) -> Answer:
    """Tell whether the territory of a leg is contested by its express.

    Nothing is contested on the railway where a unit of its own power stands and stays (R19).
    """
    u = movement.mover[leg]
    if leg == u or not movement.railway:
        return YES
    known = YES
    for other in movement.units.units_in[movement.leads_to(leg)]:
        if movement.power[other] == movement.power[u]:
            known = both(known, movement.leaves(other))
    return known


def follows_its_own(movement: Resolver, leg: LegNo) -> Answer:
    """Tell whether a unit of its own power ahead of an express ends where a leg leads.

    On the railway the express passes it, whoever else tries to enter (R21).
    """
    u = movement.mover[leg]
    known = NO
    if not movement.railway:
        return known
    for entering in movement.contenders[movement.leg_place[leg]]:
        ahead = movement.relation.get((u, movement.mover[entering])) == AHEAD
        if ahead and rides_past(movement, u, entering):
            known = either(known, ends_at(movement, entering))
    return known


def rides_past(movement: Resolver, u: UnitNo, leg: LegNo) -> bool:
    """Tell whether an express passes a unit ahead of it that ends where a leg leads (R21).

    On the railway it passes one of its own power, but not at its destination.
    """
    own = movement.power[movement.mover[leg]] == movement.power[u]
    return movement.railway and own and movement.leads_to(leg) != movement.to[u]


def passes_by(movement: Resolver, u: UnitNo, leg: LegNo) -> bool:
    """Tell whether two units of one power meet on the way of an express, and ignore each other.

    Two expresses do not, and what enters the destination of the express is a rival (R19).
    """
    rival = movement.mover[leg]
    if not movement.railway or movement.power[rival] != movement.power[u]:
        return False
    if u in movement.expresses:
        return rival not in movement.expresses and movement.leads_to(leg) != movement.to[u]
    return leg != rival


def go_same_way(movement: Resolver, u: UnitNo, other: UnitNo) -> bool:
    """Tell whether two units move the same way along a river: neither hinders the other (R21)."""
    return movement.relation.get((u, other)) in (AHEAD, BEHIND)


def bars_from_ahead(movement: Resolver, u: UnitNo, leg: LegNo) -> Answer:
    """Tell whether a unit ahead of an express ends where its leg leads: it bars it there (R21)."""
    ahead = movement.relation.get((u, movement.mover[leg])) == AHEAD
    return ends_at(movement, leg) if ahead and not rides_past(movement, u, leg) else NO


def _is_barred(movement: Resolver, u: UnitNo, contenders: list[LegNo]) -> Answer:
    known = NO
    for leg in contenders:
        known = either(known, bars_from_ahead(movement, u, leg))
    return known


def is_kept_behind(movement: Resolver, u: UnitNo) -> Answer:
    """Tell whether a unit ahead of an express ends at its destination, so that it stops before."""
    if u not in movement.expresses:
        return NO
    return _is_barred(movement, u, movement.contenders[movement.board.first_place[movement.to[u]]])


def ends_at(movement: Resolver, leg: LegNo) -> Answer:
    """Tell whether a unit ends where this leg leads."""
    u = movement.mover[leg]
    if leg == u:
        return movement.moves(u)
    known = movement.may_halt(leg)
    for further in movement.list_way(u):
        if further > leg and known != NO:
            known = both(known, negation(movement.may_halt(further)))
    return known if known == NO else both(known, negation(movement.moves(u)))


def judge_halt(movement: Resolver, leg: LegNo) -> Answer:
    """Judge whether an express passes the territory of a leg, and nobody else is there in the end.

    Those behind it do not hinder it (R21), and it kept foreign ones out (R20).
    """
    u = movement.mover[leg]
    known = movement.arrives(movement.next_leg(leg))
    for other in movement.units.units_in[movement.leads_to(leg)]:
        if known != NO:
            known = both(known, movement.leaves(other))
    for entering in movement.contenders[movement.leg_place[leg]]:
        other = movement.mover[entering]
        own = other != u and movement.power[other] == movement.power[u]
        if own and known != NO and movement.relation.get((u, other)) != BEHIND:
            known = both(known, negation(ends_at(movement, entering)))
    return known


def count_passed(movement: Resolver, u: UnitNo) -> int:
    """Return how many territories before its destination an express passed.

    Ask when everything is decided.
    """
    return sum(movement.passage[leg] == YES for leg in [*movement.list_way(u)[1:], u])


def find_stop(movement: Resolver, u: UnitNo) -> ProvinceNo:
    """Return the territory where an express that advanced ends on its way; none for others."""
    if u in movement.expresses and not movement.moved[u]:
        for leg in reversed(movement.list_way(u)):
            if movement.may_halt(leg) == YES:
                return movement.leads_to(leg)
    return NO_PROVINCE


# The haul of a fleet over land between two seas (R23); the sheet knows which would be caught (R24).


def judge_haul(movement: Resolver, u: UnitNo) -> Answer:
    """Judge whether the land of a haul is free (R23)."""
    known = YES
    for other in movement.units.units_in[movement.hauls[u]]:
        if known != NO:
            known = both(known, clears_haul(movement, u, other))
    return known


def is_caught(movement: Resolver, u: UnitNo) -> bool:
    """Tell whether a fleet is hauled, and an army catches it (R24); ask when that is decided."""
    return movement.action[u] == CAUGHT and movement.passage[u] == YES


def clears_haul(movement: Resolver, u: UnitNo, other: UnitNo) -> Answer:
    """Tell whether a unit on the land of a haul leaves it, or would fall if it stayed."""
    return YES if other == u else movement.is_gone(other)


# Major cities with two places, for units of one power: a house rule, off by default (R26).
#
# ``u`` is a move into a city throughout; its *target* is the foreign unit that it attacks. A city
# never has more than two places (the switch allows 1 or 2), so at most one other unit stands
# beside the target.


def judge_city_entry(movement: Resolver, u: UnitNo) -> Answer:
    """Judge whether a unit gets into a city.

    Units of other powers keep it out as in the standard game.  The rest depends on whether the
    unit that it attacks, if any, stays.
    """
    arrives = movement.arrives(u)
    if arrives == NO:
        return NO
    if find_target(movement, u) < 0:
        return both(arrives, _finds_room(movement, u))
    known = both(arrives, is_neighbour_gone(movement, u))
    if known == NO:
        return NO
    enters = both(_finds_room(movement, u), _is_strongest_attacker(movement, u))
    return both(known, choose(_target_leaves(movement, u), enters, movement.dislodges(u)))


def overpowers_in_city(movement: Resolver, u: UnitNo, target: UnitNo) -> Answer:
    """Tell whether a move into a city that arrives dislodges its target if that stays."""
    if target < 0:
        return NO
    low, high = movement.prevention(u, list_city_rivals(movement, u))
    return both(movement.wins_battle(u, target, low, high), negation(is_kept_behind(movement, u)))


def find_target(movement: Resolver, u: UnitNo) -> UnitNo:
    """Return the foreign unit that a move into a city attacks, if there is one."""
    place = movement.to_place[u]
    return movement.occupant[place] if place >= 0 else NO_UNIT


def _target_leaves(movement: Resolver, u: UnitNo) -> Answer:
    """Tell whether the target goes; it stays if it beats ``u`` head-to-head."""
    target = find_target(movement, u)
    return both(negation(movement.head_to_head(u, target)), movement.leaves(target))


def find_neighbour(movement: Resolver, u: UnitNo) -> UnitNo:
    """Return the other foreign unit, which stands beside the target, if there is one."""
    target = find_target(movement, u)
    for other in movement.units.units_in[movement.to[u]]:
        if other != target:
            return other
    return NO_UNIT


def is_neighbour_gone(movement: Resolver, u: UnitNo) -> Answer:
    """Tell whether no unit beside the target is in the way."""
    other = find_neighbour(movement, u)
    return YES if other < 0 else movement.is_gone(other)


def _finds_room(movement: Resolver, u: UnitNo) -> Answer:
    """Tell whether there is room beside units of its own power, and no foreign unit as strong."""
    low, high = movement.prevention(u, list_foreign_rivals(movement, u))
    known = movement.overpowers(u, NO_UNIT, low, high)
    if known == NO:
        return NO
    room = count_open_city_places(movement, u)
    known = both(known, fits_in(movement, u, list_companions(movement, u), room))
    return known if known == NO else both(known, negation(is_kept_behind(movement, u)))


def _is_strongest_attacker(movement: Resolver, u: UnitNo) -> Answer:
    """Tell whether no other attacker of the same target is as strong; this is asked if the unit
    beside the target is dislodged: its place is for its dislodger."""
    if (other := find_neighbour(movement, u)) < 0:
        return YES
    same = [(v, movement.arrives(v)) for v in _list_allied_attackers(movement, u)]
    return choose(movement.leaves(other), YES, fits_in(movement, u, same, (1, 1)))


def list_companions(movement: Resolver, u: UnitNo) -> list[tuple[UnitNo, Answer]]:
    """Return the others of its power that go for the city or pass it, and whether each arrives.

    Units on the same way along a river are no rivals (R21).
    """
    return [
        (other, movement.arrives(leg))
        for leg in list_contenders(movement, u)
        if (other := movement.mover[leg]) != u
        and movement.power[other] == movement.power[u]
        and not go_same_way(movement, u, other)
    ]


def count_open_city_places(movement: Resolver, u: UnitNo) -> tuple[int, int]:
    """Return how many places of the city, at least and at most, are empty, left or lost.

    The place of a unit of its own power that is ordered to where ``u`` comes from is not open
    (R15).
    """
    left: list[Answer] = []
    for place in movement.board.places_of[movement.to[u]]:
        other = movement.occupant[place]
        if other < 0:
            left.append(YES)
        elif movement.power[other] != movement.power[u]:
            left.append(movement.is_gone(other))
        elif not would_exchange(movement, u, other):
            left.append(movement.leaves(other))
    return count(left)


def list_contenders(movement: Resolver, u: UnitNo) -> list[LegNo]:
    """Return the legs that lead into the city, whatever they name."""
    return movement.contenders[movement.board.first_place[movement.to[u]]]


def list_city_rivals(movement: Resolver, u: UnitNo) -> list[LegNo]:
    """Return the legs of foreign rivals, and of its own power's attacks on the same target."""
    return [*list_foreign_rivals(movement, u), *_list_allied_attackers(movement, u)]


def list_foreign_rivals(movement: Resolver, u: UnitNo) -> list[LegNo]:
    """Return the legs of other powers into the city, which keep ``u`` out by strength alone."""
    power = movement.power
    return [leg for leg in list_contenders(movement, u) if power[movement.mover[leg]] != power[u]]


def _list_allied_attackers(movement: Resolver, u: UnitNo) -> list[UnitNo]:
    """Return the other units of its power that attack the same target."""
    return [
        other
        for leg in list_contenders(movement, u)
        if leg == (other := movement.mover[leg]) != u
        and movement.power[other] == movement.power[u]
        and movement.to_place[other] == movement.to_place[u]
    ]
