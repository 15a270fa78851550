"""The state of a movement phase while it is resolved, and the basic questions about it.

Open this file for strengths (attack, hold, defend and prevent strength) and for what the rules
ask about units: does a unit arrive, leave, dislodge, does it keep another out, do two meet head
to head.  The files of the special rules (seas, cities, rivers, portage) build on these questions;
:mod:`alexmagnum.judge.resolver` decides with the help of all of them.

Every answer is yes, no or unknown, and every strength is a pair (lowest, highest) that is still
possible.  An answer once known is never taken back, so the order of asking cannot matter.
Everything here works on the numbers of the tables: units, legs, places and provinces.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final, NewType

from alexmagnum.board.numbers import NO_POWER, NO_UNIT, LegNo, PowerNo, UnitNo
from alexmagnum.judge.sheet import (
    AHEAD,
    BEHIND,
    CAUGHT,
    FOR_CITY,
    FROM_INSIDE,
    MOVE,
    OPPOSITE,
    STUCK,
    Sheet,
)
from alexmagnum.judge.trilean import NO, UNKNOWN, YES, Answer, choose, either, negation

_DEEPEST: Final = 50
"""Recursion limit: moves and passages that rest on more others than this wait for the next round,
so that a column of any length stays within the stack, which has little room in a page.  One that
rests on another takes up to twelve calls."""

Question = NewType("Question", int)
"""The subject of a decision."""

MOVED: Final = Question(0)
"""Does the move of a unit succeed?"""
GIVEN: Final = Question(1)
"""Is the support of a unit uncut?"""
PASSAGE: Final = Question(2)
"""Does a unit come so far that it tries a leg?"""
BEATS: Final = Question(3)
"""Does the move of a unit into a city dislodge its target (R26)?"""

Decision = tuple[Question, LegNo]
"""A question with the number of its unit, or of its leg for PASSAGE."""


class Movement(ABC):
    """The decisions of one movement phase that are known, and questions about them.

    ``moved``: by unit, does its move succeed; ``given``: by unit, is its support uncut;
    ``passage``: by leg, does the unit come so far that it tries this leg (its convoy holds, the
    Sinai is free, the express passed the territory before); ``beats``: by unit, does its move
    into a city dislodge its target (R26).

    ``broken``: 1 for a unit whose passage was broken as a paradox (R22a), and for the fleets
    whose own fate was in that paradox.

    Each decision is judged once a round; if it is asked for again in that round it rests on
    itself, and the answer is unknown.  ``round``: the number of the round; ``unit_round``,
    ``city_round``, ``leg_round``: the round in which each was last judged; ``depth``: how many
    moves and passages are being judged; ``unanswered``: the decisions that were asked for but not
    known, once a knot wants to know them; ``put_off``: those that the next round asks first, since
    they rest on too many others; ``doubtful``: the legs that were not known at the start.

    The tables of the sheet and of the units are repeated here, because the inner loops read
    them often.

    This class asks and remembers; :class:`alexmagnum.judge.resolver.Resolver` judges, and is the
    class to make.  Judging is abstract here because a judgement needs the special rules, which
    themselves build on the questions below: with both in one class the files would import each
    other in a circle.
    """

    __slots__ = (
        "action",
        "attackers",
        "base_strength",
        "beats",
        "broken",
        "by_convoy",
        "city_round",
        "contenders",
        "depth",
        "doubtful",
        "expresses",
        "first_leg",
        "first_to",
        "given",
        "goal",
        "hauls",
        "last_from",
        "leg_place",
        "leg_round",
        "moved",
        "mover",
        "occupant",
        "passage",
        "place",
        "power",
        "province",
        "put_off",
        "relation",
        "round",
        "sheet",
        "support_strength",
        "support_target",
        "supporters",
        "to_place",
        "unanswered",
        "unit_round",
    )

    def __init__(self, sheet: Sheet) -> None:
        units = sheet.units
        self.sheet = sheet
        self.action = sheet.action
        self.goal = sheet.goal
        self.to_place = sheet.to_place
        self.by_convoy = sheet.by_convoy
        self.attackers = sheet.attackers
        self.contenders = sheet.contenders
        self.supporters = sheet.supporters
        self.support_target = sheet.support_target
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
        self.base_strength = units.base_strength
        self.support_strength = units.support_strength
        self.occupant = units.occupant
        self.broken: list[int] = [0] * len(sheet.action)
        self.round: int = 0
        self.depth: int = 0
        self.start()

    def start(self) -> None:
        """Forget all decisions except broken passages, so that the rest is judged anew (R22a)."""
        sheet = self.sheet
        n = len(sheet.action)
        action, by_convoy = sheet.action, sheet.by_convoy
        moved: list[Answer] = [NO] * n
        passage: list[Answer] = [YES] * n
        doubtful: list[LegNo] = []
        for u in sheet.moving:
            if action[u] == MOVE:
                moved[u] = UNKNOWN
            if by_convoy[u]:
                passage[u] = UNKNOWN
                doubtful.append(u)
        self.moved: list[Answer] = moved
        self.given: list[Answer] = [UNKNOWN] * n
        self.passage: list[Answer] = passage
        self.doubtful: list[LegNo] = doubtful
        if sheet.expresses or sheet.hauls:
            self._open_passages()
        self.beats: list[Answer] = [NO] * n
        self.unit_round: list[int] = [0] * n
        self.city_round: list[int] = self.unit_round
        if sheet.board.crowded and FOR_CITY in sheet.goal:
            self._open_city_attacks()
        self.leg_round: list[int] = [0] * len(self.mover)
        self.unanswered: set[Decision] | None = None
        self.put_off: dict[Decision, None] = {}
        if self.round:
            self._keep_broken_passages()

    def _open_passages(self) -> None:
        """Mark the legs in doubt: hauls, and all of an express but its first (R19, R23)."""
        sheet = self.sheet
        self.passage += [UNKNOWN] * (len(sheet.mover) - len(sheet.action))
        for u in sheet.hauls:
            self.passage[u] = UNKNOWN if sheet.action[u] == MOVE else NO
        for u in sheet.expresses:
            self.passage[u] = UNKNOWN
            self.passage[sheet.first_leg[u]] = YES
        self.doubtful = [leg for leg in sheet.legs if self.passage[leg] == UNKNOWN]

    def _open_city_attacks(self) -> None:
        """Mark the moves into cities: whether each dislodges its target is a decision (R26)."""
        sheet = self.sheet
        for u in sheet.moving:
            if sheet.goal[u] == FOR_CITY and sheet.action[u] == MOVE:
                self.beats[u] = UNKNOWN
        self.city_round = [0] * len(sheet.action)

    def _keep_broken_passages(self) -> None:
        for leg, u in enumerate(self.mover):
            if self.broken[u]:
                self.passage[leg] = NO

    # -- the decisions ---------------------------------------------------------------------------

    def moves(self, u: UnitNo) -> Answer:
        """Tell whether the move of a unit succeeds."""
        known = self.moved[u]
        if known == UNKNOWN:
            if self.unit_round[u] == self.round or self.depth >= _DEEPEST:
                self._leave_open(MOVED, u)
                return UNKNOWN
            self.unit_round[u] = self.round
            self.depth += 1
            known = self.moved[u] = self.judge_move(u)
            self.depth -= 1
        return known

    def supports(self, u: UnitNo) -> Answer:
        """Tell whether the support of a unit is given, rather than cut."""
        known = self.given[u]
        if known == UNKNOWN:
            if self.unit_round[u] == self.round:
                self._leave_open(GIVEN, u)
                return UNKNOWN
            self.unit_round[u] = self.round
            known = self.given[u] = self.judge_support(u)
        return known

    def arrives(self, leg: LegNo) -> Answer:
        """Tell whether a moving unit comes so far that it tries this leg."""
        known = self.passage[leg]
        if known == UNKNOWN:
            if self.leg_round[leg] == self.round or self.depth >= _DEEPEST:
                self._leave_open(PASSAGE, leg)
                return UNKNOWN
            self.leg_round[leg] = self.round
            self.depth += 1
            known = self.passage[leg] = self.judge_passage(leg)
            self.depth -= 1
        return known

    def dislodges(self, u: UnitNo) -> Answer:
        """Tell whether a unit dislodges its target, provided that the target does not leave."""
        if self.goal[u] != FOR_CITY:
            return self.moves(u)
        known = self.beats[u]
        if known == UNKNOWN:
            if self.city_round[u] == self.round:
                self._leave_open(BEATS, u)
                return UNKNOWN
            self.city_round[u] = self.round
            known = self.beats[u] = self.judge_city_attack(u)
        return known

    def _leave_open(self, question: Question, number: LegNo) -> None:
        """Note a decision that was asked for but not known, or rests on too many others."""
        if self.unanswered is not None:
            self.unanswered.add((question, number))
        if self.depth >= _DEEPEST and question in (MOVED, PASSAGE):
            self.put_off[question, number] = None

    # The judgements, made by the resolver (see the class).

    @abstractmethod
    def judge_attack(self, u: UnitNo) -> Answer:
        """Work out whether a unit would dislodge its target if the target stayed."""

    @abstractmethod
    def judge_move(self, u: UnitNo) -> Answer:
        """Work out whether a move succeeds from what is known now."""

    @abstractmethod
    def judge_support(self, u: UnitNo) -> Answer:
        """Work out whether a support is given from what is known now."""

    @abstractmethod
    def judge_passage(self, leg: LegNo) -> Answer:
        """Work out whether a unit gets to a leg, from the decisions known so far."""

    @abstractmethod
    def judge_city_attack(self, u: UnitNo) -> Answer:
        """Work out whether a move into a city dislodges its target from what is known now."""

    # -- what becomes of a unit ------------------------------------------------------------------

    def leaves(self, u: UnitNo) -> Answer:
        """Tell whether a unit moves out, advances on a river (R22) or is caught (R24)."""
        if self.action[u] == MOVE and self.goal[u] != FROM_INSIDE:
            first = self.first_leg[u]
            return self.moves(u) if first == u else self.arrives(self.sheet.next_leg(first))
        return YES if self.action[u] == CAUGHT else NO

    def is_gone(self, u: UnitNo) -> Answer:
        """Tell whether a unit leaves, or would be dislodged if it stayed.

        An attack that can never dislodge it is no part of this question, whatever it rests on
        itself (R22a).  Nobody is dislodged by a fleet that is hauled ashore (R23).
        """
        known = self.leaves(u)
        for attacker in self.attackers[self.place[u]]:
            if known == YES:
                break
            if attacker not in self.hauls or self.sheet.board.is_sea[self.province[u]]:
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
        """Tell whether the first step of a target leads to where the last step of ``u`` starts.

        An express meets whoever comes over a step of its river, from any place of a city (R21a).
        """
        to, start = self.first_to[target], self.last_from[u]
        if to == start or to < 0 or not self.expresses:
            return to == start
        if u not in self.expresses and target not in self.expresses:
            return False
        province_at = self.sheet.board.province_at
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
            if prevents != YES or self.relation or self.attackers[self.place[rival]]:
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

    def overpowers(
        self, u: UnitNo, target: UnitNo, low: int, high: int, *, defends: bool = False
    ) -> Answer:
        """Tell whether ``u`` gets past a target that stays (or none) and past that prevention.

        ``defends``: the target moves against ``u``, so that supports of its move defend it.
        """
        if target >= 0:
            if self.power[target] == self.power[u]:
                return NO
            if defends or self.action[target] not in (MOVE, STUCK):
                least, most = self.strength(target)
            else:  # it was ordered to move, so it holds with its base alone
                least = most = self.base_strength[target]
            low = max(low, least)
            high = max(high, most)
            least, most = self.strength(u, self.power[target])
        else:
            least, most = self.strength(u)
        if least > high:
            return YES
        return UNKNOWN if most > low else NO

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
