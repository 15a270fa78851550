"""The resolver of the movement phase.

Each decision is worked out to yes, no or not yet known from lower and upper bounds of the DATC
quantities (attack, hold, defend and prevent strength): does a move succeed, is a support given,
does a moving unit come so far on its way, and (of moves into a city alone, where that is not
the same as moving) does an attack beat its target.  What stays unknown when nothing more follows
is a knot of decisions that rest on each other: :mod:`alexmagnum.judge.knots` unties it.

A decision once known is never taken back, so the order in which they are asked for cannot
matter.  Everything here works on numbers: units, legs, places and provinces of the tables.
"""

from __future__ import annotations

from collections.abc import Callable

from alexmagnum.judge import cities, portage, rivers, seas
from alexmagnum.judge.convoys import joined
from alexmagnum.judge.sheet import (
    AHEAD,
    BEHIND,
    CAUGHT,
    FOR_CITY,
    FOR_ROOM,
    FROM_INSIDE,
    MOVE,
    OPPOSITE,
    STUCK,
    SUPPORT,
    Sheet,
)
from alexmagnum.judge.trilean import NO, UNKNOWN, YES, both, either, negation, weigh

_DEEPEST = 100
"""How many moves are asked for through one another; what lies deeper waits for another round,
so that a column of any length stays within Python's stack."""

Decision = tuple[int, int]
"""(what, which): a unit's MOVED, GIVEN or BEATS, or the PASSAGE of a leg."""

MOVED, GIVEN, PASSAGE, BEATS = range(4)


class Movement:
    """The decisions of a movement phase.

    ``moved``: by unit, does its move succeed; ``given``: by unit, is its support uncut;
    ``passage``: by leg, does the unit come so far that it tries this leg (its convoy holds, the
    Sinai is free, the express passed what lies before); ``beats``: by unit, does its move into
    a city dislodge its target (R26); ``broken``: 1 for a unit whose passage was broken as a
    paradox (R22a), and for the fleets whose own fate was in that paradox; ``seen``, ``fought``
    and ``crossed``: the round in which each was last asked for; ``asked``: decisions that were
    asked for while they could not be known.
    """

    __slots__ = (
        "against",
        "asked",
        "backers",
        "backing",
        "base",
        "beats",
        "broken",
        "by_convoy",
        "contest",
        "crossed",
        "depth",
        "expresses",
        "first_leg",
        "first_to",
        "fought",
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
        self.expresses = sheet.expresses
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
        if sheet.expresses or sheet.hauls:
            self._open_ways()
        self.beats: list[int] = [NO] * n
        if FOR_CITY in sheet.goal:
            self.beats = [
                UNKNOWN if goal == FOR_CITY and does == MOVE else NO
                for goal, does in zip(sheet.goal, sheet.kind, strict=True)
            ]
        self.seen: list[int] = [0] * n
        self.fought: list[int] = [0] * n
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
        for u in sheet.expresses:
            self.passage[u] = UNKNOWN
            self.passage[sheet.first_leg[u]] = YES

    def settle(self) -> bool:
        """Work out all that follows; does anything stay unknown?"""
        open_: list[tuple[Callable[[int], int], int]] = [
            (self.move if does == MOVE else self.support, u)
            for u, does in enumerate(self.kind)
            if does in (MOVE, SUPPORT)
        ]
        open_ += [(self.arrives, leg) for leg, way in enumerate(self.passage) if way == UNKNOWN]
        open_ += [(self.dislodges, u) for u, beats in enumerate(self.beats) if beats == UNKNOWN]
        while open_:
            self.round += 1
            left = [(ask, which) for ask, which in open_ if ask(which) == UNKNOWN]
            if len(left) == len(open_):
                return True
            open_ = left
        return False

    # -- the decisions -----------------------------------------------------------------------
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

    def dislodges(self, u: int) -> int:
        """Does ``u`` dislodge what it attacks, if that does not leave?"""
        if self.goal[u] != FOR_CITY:
            return self.move(u)
        known = self.beats[u]
        if known == UNKNOWN:
            if self.fought[u] == self.round:
                self.asked.add((BEATS, u))
                return UNKNOWN
            self.fought[u] = self.round
            known = self.beats[u] = cities.judge_attack(self, u)
        return known

    def judge_passage(self, leg: int) -> int:
        """Over fleets, over the Sinai, or past the last territory before this leg."""
        if self.mover[leg] in self.expresses:
            return rivers.judge_express(self, leg)
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
            lost = self.is_overcome(fleet)
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

    def is_overcome(self, u: int) -> int:
        """Does anybody's attack overcome a unit, so that it is dislodged unless it leaves?"""
        known = NO
        for attacker in self.movers[self.place[u]]:
            success = self.dislodges(attacker)
            if success == YES:
                return YES
            if success == UNKNOWN:
                known = UNKNOWN
        return known

    def judge_support(self, u: int) -> int:
        """Cut by any foreign attack that arrives, but by the unit it is directed against only
        if that dislodges the supporter (R13)."""
        known = YES
        power, against = self.power[u], self.against[u]
        for attacker in self.movers[self.place[u]]:
            if self.power[attacker] == power:
                continue
            if self.place[attacker] == against:
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
            known = self.overpowers(u, -1, low, high, defends=False)
        else:
            known = self.wins_place(u, target, low, high)
        if u in self.expresses:
            known = both(known, negation(rivers.blocked_ahead(self, u, rivals)))
        return known if known == NO else both(known, arrives)

    def _judge_special_move(self, u: int, goal: int) -> int:
        """A move that goes for something else than one place."""
        if goal == FOR_ROOM:
            return seas.judge_entry(self, u)
        if goal == FROM_INSIDE:
            return seas.judge_attack_from_inside(self, u)
        return cities.judge_entry(self, u)

    # -- strengths, as (lowest, highest) that is still possible -------------------------------

    def wins_place(self, u: int, target: int, low: int, high: int) -> int:
        """Does ``u`` get in against rivals and the unit that stands there, whatever that does?"""
        kind = self.kind[target]
        meets = self.head_to_head(u, target) if kind == MOVE else NO
        if meets != NO:
            defended = self.overpowers(u, target, low, high, defends=True)
            # A fleet that is not hauled after all is a unit that failed to move (R23).
            held = (
                defended if meets == YES else self.overpowers(u, target, low, high, defends=False)
            )
            return weigh(meets, defended, held)
        leaves = self.leaves(target) if kind in (MOVE, CAUGHT) else NO
        if leaves == NO:
            return self.overpowers(u, target, low, high, defends=False)
        free = self.overpowers(u, -1, low, high, defends=False)
        held = free if leaves == YES else self.overpowers(u, target, low, high, defends=False)
        return weigh(leaves, free, held)

    def overpowers(self, u: int, target: int, low: int, high: int, *, defends: bool) -> int:
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
            prevents = self.passage[leg]
            if prevents != YES or self.relation or self.movers[self.place[rival]]:
                prevents = self.prevents(u, leg)
            if prevents != NO:
                least, most = self.strength(rival, -1)
                high = max(high, most)
                if prevents == YES and least > low:
                    low = least
        return low, high

    def prevents(self, u: int, leg: int) -> int:
        """Does another unit try this leg, so that its strength keeps ``u`` out of where it leads?

        Those on the same way along a river do not hinder each other (R21); opposite expresses
        do so whether or not they get so far (R21a).
        """
        rival = self.mover[leg]
        counts = self.passage[leg]
        relation = self.relation.get((u, rival))
        if rival == u or relation in (AHEAD, BEHIND):
            return NO
        if relation == OPPOSITE:
            counts = NO if self.broken[rival] else YES
        elif counts == UNKNOWN:
            counts = self.arrives(leg)
        if counts == NO:
            return NO
        beaten = self.loses_head_to_head(leg)
        return counts if beaten == NO else negation(beaten)

    def loses_head_to_head(self, leg: int) -> int:
        """Did a unit lose a head-to-head battle over this leg, so that it keeps nobody out?"""
        u = self.mover[leg]
        known = NO
        if leg == self.first_leg[u] and not self.by_convoy[u]:
            for attacker in self.movers[self.place[u]]:
                if self.last_from[attacker] == self.leg_place[leg] and not self.by_convoy[attacker]:
                    known = either(known, self.dislodges(attacker))
        return known

    def head_to_head(self, u: int, target: int) -> int:
        """Do the two go for each other's place over one step, neither by convoy (R11, R21a)?"""
        if (
            self.kind[target] == MOVE
            and self.first_to[target] == self.last_from[u]
            and not self.by_convoy[u]
            and not self.by_convoy[target]
        ):
            return self.arrives(self.first_leg[target])
        return NO
