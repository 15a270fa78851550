"""The resolver of the movement phase.

Three kinds of decision, each worked out to yes, no or not yet known from lower and upper bounds
of the DATC quantities (attack, hold, defend and prevent strength): does a move succeed, is a
support given, does a moving unit come so far on its way.  What stays unknown when nothing more
follows is a knot of decisions that rest on each other: :mod:`alexmagnum.judge.knots` unties it.

A decision once known is never taken back, so the order in which they are asked for cannot
matter.  Everything here works on numbers: units, legs, places and provinces of the tables.
"""

from __future__ import annotations

from alexmagnum.judge import cities, portage, rivers, seas
from alexmagnum.judge.convoys import joined
from alexmagnum.judge.sheet import (
    AGAINST,
    AHEAD,
    BEHIND,
    CAUGHT,
    FOR_CITY,
    FOR_ROOM,
    FROM_INSIDE,
    MOVE,
    STUCK,
    SUPPORT,
    Sheet,
)
from alexmagnum.judge.trilean import NO, UNKNOWN, YES, both, either, negation

_DEEPEST = 100
"""How many moves are asked for through one another; what lies deeper waits for another round,
so that a column of any length stays within Python's stack."""

Decision = tuple[int, int]
"""(what, which): a unit's MOVED or GIVEN, or the PASSAGE of a leg."""

MOVED, GIVEN, PASSAGE = range(3)

_WHATEVER = 1_000_000
"""Stronger than anything: what a unit ahead on a river keeps others out with (R21)."""


class Movement:
    """The decisions of a movement phase.

    ``moved``: by unit, does its move succeed; ``given``: by unit, is its support uncut;
    ``passage``: by leg, does the unit come so far that it tries this leg (its convoy holds, the
    Sinai is free, the express passed what lies before); ``broken``: 1 for a unit whose passage
    was broken as a paradox (R22a), and for the fleets whose own fate was in that paradox;
    ``asked``: decisions that were asked for while they could not be known.
    """

    __slots__ = (
        "against",
        "asked",
        "backers",
        "backing",
        "base",
        "broken",
        "by_convoy",
        "contest",
        "crossed",
        "depth",
        "first_leg",
        "first_to",
        "given",
        "goal",
        "hauls",
        "kind",
        "last_from",
        "leg_place",
        "moved",
        "mover",
        "movers",
        "occupant",
        "passage",
        "place",
        "power",
        "province",
        "relation",
        "rides",
        "round",
        "seen",
        "sheet",
        "to_place",
    )

    def __init__(self, sheet: Sheet) -> None:
        units = sheet.units
        self.sheet = sheet
        self.kind = sheet.kind
        self.goal = sheet.goal
        self.to_place = sheet.to_place
        self.by_convoy = sheet.by_convoy
        self.movers = sheet.movers
        self.contest = sheet.contest
        self.backers = sheet.backers
        self.against = sheet.against
        self.mover = sheet.mover
        self.leg_place = sheet.leg_place
        self.first_leg = sheet.first_leg
        self.first_to = sheet.first_to
        self.last_from = sheet.last_from
        self.rides = sheet.rides
        self.hauls = sheet.hauls
        self.relation = sheet.relation
        self.place = units.place
        self.province = units.province
        self.power = units.power
        self.base = units.base
        self.backing = units.backing
        self.occupant = units.occupant
        self.broken: list[int] = [0] * len(sheet.kind)
        self.round: int = 0
        self.depth: int = 0
        self.start()

    def start(self) -> None:
        """Forget all decisions but what is broken: the rest is worked out anew (R22a)."""
        sheet = self.sheet
        n = len(sheet.kind)
        self.moved: list[int] = [UNKNOWN if does == MOVE else NO for does in sheet.kind]
        self.given: list[int] = [UNKNOWN] * n
        self.passage: list[int] = [UNKNOWN if by else YES for by in sheet.by_convoy]
        if sheet.rides or sheet.hauls:
            self._open_ways()
        self.seen: list[int] = [0] * n
        self.crossed: list[int] = [0] * len(self.mover)
        self.asked: set[Decision] = set()
        if self.round:
            for leg, u in enumerate(self.mover):
                if self.broken[u]:
                    self.passage[leg] = NO

    def _open_ways(self) -> None:
        """Every leg of an express but its first is in doubt, and every haul (R19, R23)."""
        sheet = self.sheet
        self.passage += [UNKNOWN] * (len(sheet.mover) - len(sheet.kind))
        for u in sheet.hauls:
            self.passage[u] = UNKNOWN if sheet.kind[u] == MOVE else NO
        for u in sheet.rides:
            self.passage[u] = UNKNOWN
            self.passage[sheet.first_leg[u]] = YES

    def settle(self) -> bool:
        """Work out all that follows; does anything stay unknown?"""
        kind = self.kind
        asked = [u for u, does in enumerate(kind) if does in (MOVE, SUPPORT)]
        ways = [leg for leg, known in enumerate(self.passage) if known == UNKNOWN]
        while asked or ways:
            self.round += 1
            left = []
            for u in asked:
                known = self.move(u) if kind[u] == MOVE else self.support(u)
                if known == UNKNOWN:
                    left.append(u)
            open_ways = [leg for leg in ways if self.arrives(leg) == UNKNOWN]
            if len(left) == len(asked) and len(open_ways) == len(ways):
                return True
            asked, ways = left, open_ways
        return False

    # -- the three decisions -----------------------------------------------------------------
    # Each is asked once a round: whoever comes back to it through a cycle gets "unknown".

    def move(self, u: int) -> int:
        """Does the move of ``u`` succeed?"""
        known = self.moved[u]
        if known == UNKNOWN:
            if self.seen[u] == self.round or self.depth >= _DEEPEST:
                self.asked.add((MOVED, u))
                return UNKNOWN
            self.seen[u] = self.round
            self.depth += 1
            known = self.moved[u] = self.judge_move(u)
            self.depth -= 1
        return known

    def support(self, u: int) -> int:
        """Is the support of ``u`` given (rather than cut)?"""
        known = self.given[u]
        if known == UNKNOWN:
            if self.seen[u] == self.round:
                self.asked.add((GIVEN, u))
                return UNKNOWN
            self.seen[u] = self.round
            known = self.given[u] = self.judge_support(u)
        return known

    def arrives(self, leg: int) -> int:
        """Does a moving unit come so far that it tries this leg (its last: the unit's number)?"""
        known = self.passage[leg]
        if known == UNKNOWN:
            if self.crossed[leg] == self.round:
                self.asked.add((PASSAGE, leg))
                return UNKNOWN
            self.crossed[leg] = self.round
            known = self.passage[leg] = self.judge_passage(leg)
        return known

    def judge_passage(self, leg: int) -> int:
        """Over fleets, over the Sinai, or past the last territory before this leg."""
        if self.mover[leg] in self.rides:
            return rivers.judge_stretch(self, leg)
        if leg in self.hauls:
            return portage.judge_haul(self, leg)
        return self._judge_convoy(leg)

    def _judge_convoy(self, u: int) -> int:
        """A convoy holds if fleets that are not dislodged join the two shores (R16)."""
        sheet = self.sheet
        start, end = self.province[u], sheet.to[u]
        safe: set[int] = set()
        perhaps: set[int] = set()
        for fleet in sheet.carriers[u]:
            lost = self.overcome(fleet)
            if lost == NO:
                safe.add(self.province[fleet])
            if lost != YES:
                perhaps.add(self.province[fleet])
        if not joined(sheet.board, perhaps, start, end):
            return NO
        if len(safe) == len(perhaps) or joined(sheet.board, safe, start, end):
            return YES
        return UNKNOWN

    def leaves(self, u: int) -> int:
        """Does a unit leave its place: move out, advance on a river (R22) or get caught (R24)?"""
        if self.kind[u] == MOVE and self.goal[u] != FROM_INSIDE:
            first = self.first_leg[u]
            return self.move(u) if first == u else self.arrives(self.sheet.next_leg(first))
        return YES if self.kind[u] == CAUGHT else NO

    def overcome(self, u: int) -> int:
        """Does anybody's attack overcome a unit, so that it is dislodged unless it leaves?"""
        known = NO
        for attacker in self.movers[self.place[u]]:
            success = self.overcomes(attacker)
            if success == YES:
                return YES
            if success == UNKNOWN:
                known = UNKNOWN
        return known

    def overcomes(self, u: int) -> int:
        """Does ``u`` dislodge what it attacks?  Only in a city that is not the same as moving."""
        return cities.judge_attack(self, u) if self.goal[u] == FOR_CITY else self.move(u)

    def judge_support(self, u: int) -> int:
        """Cut by any foreign attack that arrives, but by the unit it is directed against only
        if that dislodges the supporter (R13)."""
        known = YES
        power, against = self.power[u], self.against[u]
        for attacker in self.movers[self.place[u]]:
            if self.power[attacker] == power:
                continue
            if self.place[attacker] == against:
                cut = self.overcomes(attacker)
            else:
                cut = self.passage[attacker]
                if cut == UNKNOWN:
                    cut = self.arrives(attacker)
            if cut == YES:
                return NO
            if cut == UNKNOWN:
                known = UNKNOWN
        return known

    def judge_move(self, u: int) -> int:
        """Attack strength against hold or defend strength, and against every rival's prevent
        strength; where it is unknown whether the defender leaves, both cases are weighed."""
        goal = self.goal[u]
        if goal:
            return self._judge_special_move(u, goal)
        place = self.to_place[u]
        target = self.occupant[place]
        rivals = self.contest[place]
        arrives = self.passage[u]
        if arrives == UNKNOWN:
            arrives = self.arrives(u)
        if arrives == NO:
            return NO
        if target < 0 and len(rivals) == 1:
            return arrives
        low, high = self.prevention(u, rivals)
        if target < 0:
            known = self.compare(u, -1, low, high, defends=False)
        else:
            known = self.compare_with(u, target, low, high)
        return known if known == NO else both(known, arrives)

    def _judge_special_move(self, u: int, goal: int) -> int:
        """A move that goes for something else than one place."""
        if goal == FOR_ROOM:
            return seas.judge_entry(self, u)
        if goal == FROM_INSIDE:
            return seas.judge_attack_from_inside(self, u)
        return cities.judge_entry(self, u)

    # -- strengths, as (lowest, highest) that is still possible -------------------------------

    def compare_with(self, u: int, target: int, low: int, high: int) -> int:
        """Does ``u`` get in against the unit that stands there, whatever that does, and rivals?"""
        kind = self.kind[target]
        meets = self.meets(u, target) if kind == MOVE else NO
        if meets != NO:
            known = self.compare(u, target, low, high, defends=True)
            # A fleet that is not hauled after all is a unit that failed to move (R23).
            if meets == UNKNOWN and known != self.compare(u, target, low, high, defends=False):
                known = UNKNOWN
            return known
        leaves = self.leaves(target) if kind in (MOVE, CAUGHT) else NO
        if leaves == YES:
            known = self.compare(u, -1, low, high, defends=False)
        else:
            known = self.compare(u, target, low, high, defends=False)
            if leaves == UNKNOWN and known != self.compare(u, -1, low, high, defends=False):
                known = UNKNOWN
        return known

    def compare(self, u: int, target: int, low: int, high: int, *, defends: bool) -> int:
        """Does ``u`` get in past a unit that stays (-1: none) and rivals of that prevention?"""
        if target >= 0:
            if self.power[target] == self.power[u]:
                return NO
            if defends or self.kind[target] not in (MOVE, STUCK):
                least, most = self.strength(target, -1)
            else:  # it was ordered to move, so it holds with its base alone
                least = most = self.base[target]
            low = max(low, least)
            high = max(high, most)
            least, most = self.strength(u, self.power[target])
        else:
            least, most = self.strength(u, -1)
        if least > high:
            return YES
        return UNKNOWN if most > low else NO

    def strength(self, u: int, without: int) -> tuple[int, int]:
        """Base strength and supports, those of the power ``without`` left out."""
        low = high = self.base[u]
        for backer in self.backers[u]:
            if self.power[backer] == without:
                continue
            given = self.given[backer]
            if given == UNKNOWN:
                given = self.support(backer)
            if given != NO:
                high += self.backing[backer]
                if given == YES:
                    low += self.backing[backer]
        return low, high

    def prevention(self, u: int, rivals: list[int]) -> tuple[int, int]:
        """The greatest strength with which any rival keeps others out of the place."""
        low = high = 0
        for leg in rivals:
            rival = self.mover[leg]
            if rival == u:
                continue
            if self.relation and self.relation.get((u, rival)) == AHEAD:
                ends = rivers.ends(self, leg)
                high = max(high, 0 if ends == NO else _WHATEVER)
                low = max(low, _WHATEVER if ends == YES else 0)
                continue
            hinders = self.passage[leg]
            if hinders != YES or self.relation or self.movers[self.place[rival]]:
                hinders = self.hinders(u, leg)
            if hinders != NO:
                least, most = self.strength(rival, -1)
                high = max(high, most)
                if hinders == YES and least > low:
                    low = least
        return low, high

    def hinders(self, u: int, leg: int) -> int:
        """Does another unit try this leg, so that its strength keeps ``u`` out of where it leads?

        Those on the same way along a river do not hinder each other (R21); opposite expresses
        do so whether or not they get so far (R21a).
        """
        rival = self.mover[leg]
        counts = self.passage[leg]
        relation = self.relation.get((u, rival)) if self.relation else None
        if rival == u or relation in (AHEAD, BEHIND):
            return NO
        if relation == AGAINST:
            counts = NO if self.broken[rival] else YES
        elif counts == UNKNOWN:
            counts = self.arrives(leg)
        if counts == NO:
            return NO
        beaten = self.beaten(leg)
        return counts if beaten == NO else negation(beaten)

    def beaten(self, leg: int) -> int:
        """Did a unit lose a head-to-head battle over this leg, so that it keeps nobody out?"""
        u = self.mover[leg]
        known = NO
        if leg == self.first_leg[u] and not self.by_convoy[u]:
            for attacker in self.movers[self.place[u]]:
                if (
                    self.last_from[attacker] == self.leg_place[leg]
                    and not self.by_convoy[attacker]
                    and known != YES
                ):
                    known = either(known, self.overcomes(attacker))
        return known

    def meets(self, u: int, target: int) -> int:
        """Do the two go for each other's place over one step, neither by convoy (R11, R21a)?"""
        if (
            self.kind[target] == MOVE
            and self.first_to[target] == self.last_from[u]
            and not self.by_convoy[u]
            and not self.by_convoy[target]
        ):
            return self.arrives(self.first_leg[target])
        return NO
