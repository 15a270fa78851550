"""The resolver of the movement phase.

Three kinds of decision, each worked out to yes, no or not yet known from lower and upper bounds
of the DATC quantities (attack, hold, defend and prevent strength): does a move succeed, is a
support given, is the passage of a convoyed army intact.  What stays unknown when nothing more
follows is a knot of decisions that rest on each other: :mod:`alexmagnum.judge.knots` unties it.

A decision once known is never taken back, so the order in which they are asked for cannot
matter.  Everything here works on numbers: units, places and provinces of the tables.
"""

from __future__ import annotations

from alexmagnum.judge.convoys import joined
from alexmagnum.judge.sheet import MOVE, STUCK, SUPPORT, Sheet

NO, YES, UNKNOWN = 0, 1, 2

_DEEPEST = 100
"""How many moves are asked for through one another; what lies deeper waits for another round,
so that a column of any length stays within Python's stack."""


class Movement:
    """The decisions of a movement phase, by unit number.

    ``moved``: does its move succeed; ``given``: is its support uncut; ``passage``: does its
    convoy (if it needs one) hold; ``broken``: 1 for an army whose convoy Szykman's rule broke,
    and for the fleets whose own fate was in that paradox.
    """

    __slots__ = (
        "against",
        "backers",
        "backing",
        "base",
        "broken",
        "by_convoy",
        "crossed",
        "depth",
        "given",
        "kind",
        "moved",
        "movers",
        "occupant",
        "passage",
        "place",
        "power",
        "province",
        "round",
        "seen",
        "sheet",
        "to_place",
    )

    def __init__(self, sheet: Sheet) -> None:
        units = sheet.units
        self.sheet = sheet
        self.kind = sheet.kind
        self.to_place = sheet.to_place
        self.by_convoy = sheet.by_convoy
        self.movers = sheet.movers
        self.backers = sheet.backers
        self.against = sheet.against
        self.place = units.place
        self.province = units.province
        self.power = units.power
        self.base = units.base
        self.backing = units.backing
        self.occupant = units.occupant
        n = len(sheet.kind)
        self.moved: list[int] = [UNKNOWN if does == MOVE else NO for does in sheet.kind]
        self.given: list[int] = [UNKNOWN] * n
        self.passage: list[int] = [UNKNOWN if by else YES for by in sheet.by_convoy]
        self.broken: list[int] = [0] * n
        self.seen: list[int] = [0] * n
        self.crossed: list[int] = [0] * n
        self.round: int = 0
        self.depth: int = 0

    def settle(self) -> list[int]:
        """Work out all that follows; return the units whose moves or supports stay unknown."""
        moved, given, kind = self.moved, self.given, self.kind
        asked = [u for u, does in enumerate(kind) if does in (MOVE, SUPPORT)]
        while asked:
            self.round += 1
            left = []
            for u in asked:
                known = self.move(u) if kind[u] == MOVE else self.support(u)
                if known == UNKNOWN:
                    left.append(u)
            if len(left) == len(asked):
                break
            asked = left
        return [u for u in asked if (moved if kind[u] == MOVE else given)[u] == UNKNOWN]

    # -- the three decisions -----------------------------------------------------------------
    # Each is asked once a round: whoever comes back to it through a cycle gets "unknown".

    def move(self, u: int) -> int:
        """Does the move of ``u`` succeed?"""
        known = self.moved[u]
        if known == UNKNOWN and self.seen[u] != self.round and self.depth < _DEEPEST:
            self.seen[u] = self.round
            self.depth += 1
            known = self.moved[u] = self.judge_move(u)
            self.depth -= 1
        return known

    def support(self, u: int) -> int:
        """Is the support of ``u`` given (rather than cut)?"""
        known = self.given[u]
        if known == UNKNOWN and self.seen[u] != self.round:
            self.seen[u] = self.round
            known = self.given[u] = self.judge_support(u)
        return known

    def arrives(self, u: int) -> int:
        """Does the way of a moving unit hold, so that it reaches its destination?"""
        known = self.passage[u]
        if known == UNKNOWN and self.crossed[u] != self.round:
            self.crossed[u] = self.round
            known = self.passage[u] = self.judge_passage(u)
        return known

    def judge_passage(self, u: int) -> int:
        """A convoy holds if fleets that are not dislodged join the two shores."""
        sheet = self.sheet
        start, end = self.province[u], sheet.to[u]
        safe: set[int] = set()
        perhaps: set[int] = set()
        for fleet in sheet.carriers[u]:
            lost = self.dislodged(fleet)
            if lost == NO:
                safe.add(self.province[fleet])
            if lost != YES:
                perhaps.add(self.province[fleet])
        if not joined(sheet.board, perhaps, start, end):
            return NO
        if len(safe) == len(perhaps) or joined(sheet.board, safe, start, end):
            return YES
        return UNKNOWN

    def dislodged(self, u: int) -> int:
        """Is a unit that does not move dislodged?"""
        known = NO
        for attacker in self.movers[self.place[u]]:
            success = self.move(attacker)
            if success == YES:
                return YES
            if success == UNKNOWN:
                known = UNKNOWN
        return known

    def judge_support(self, u: int) -> int:
        """Cut by any foreign attack that arrives, but by the unit it is directed against only
        if that dislodges the supporter."""
        movers = self.movers[self.place[u]]
        known = YES
        power, against = self.power[u], self.against[u]
        for attacker in movers:
            if self.power[attacker] == power:
                continue
            if self.province[attacker] == against:
                cut = self.move(attacker)
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
        place = self.to_place[u]
        target = self.occupant[place]
        rivals = self.movers[place]
        arrives = self.passage[u]
        if arrives == UNKNOWN:
            arrives = self.arrives(u)
        if arrives == NO:
            return NO
        if target < 0 and len(rivals) == 1:
            return arrives
        low, high = self.prevention(u, rivals)
        leaves = NO
        if target >= 0:
            if self.head_to_head(u, target):
                known = self.compare(u, target, low, high, defends=True)
                return known if known == NO else min_known(known, arrives)
            if self.kind[target] == MOVE:
                leaves = self.move(target)
        else:
            leaves = YES
        if leaves == YES:
            known = self.compare(u, -1, low, high, defends=False)
        else:
            known = self.compare(u, target, low, high, defends=False)
            if leaves == UNKNOWN and known != self.compare(u, -1, low, high, defends=False):
                known = UNKNOWN
        return known if known == NO else min_known(known, arrives)

    # -- strengths, as (lowest, highest) that is still possible -------------------------------

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
        for rival in rivals:
            if rival == u:
                continue
            arrives = self.passage[rival]
            if arrives == UNKNOWN:
                arrives = self.arrives(rival)
            if arrives == NO:
                continue
            beaten = self.beaten(rival)
            if beaten == YES:
                continue
            least, most = self.strength(rival, -1)
            high = max(high, most)
            if arrives == YES and beaten == NO and least > low:
                low = least
        return low, high

    def beaten(self, u: int) -> int:
        """Did ``u`` lose a head-to-head battle, so that it keeps nobody out?"""
        target = self.occupant[self.to_place[u]]
        if target < 0 or not self.head_to_head(u, target):
            return NO
        return self.move(target)

    def head_to_head(self, u: int, target: int) -> bool:
        """Do the two move against each other, neither of them by convoy?"""
        return (
            self.kind[target] == MOVE
            and self.to_place[target] == self.place[u]
            and not self.by_convoy[u]
            and not self.by_convoy[target]
        )


def min_known(a: int, b: int) -> int:
    """The lesser of two decisions: NO if either is, UNKNOWN if either is, else YES."""
    if NO in (a, b):
        return NO
    return UNKNOWN if UNKNOWN in (a, b) else YES
