"""The decisions of a movement phase: which are known, and how the others are asked for in rounds.

Open this file for how a movement phase is worked out; the rules that judge each decision are in
:mod:`alexmagnum.judge.movement`.  An answer once known is never taken back, so the order of asking
cannot matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NewType

from alexmagnum.board.tables import LegNo, UnitNo
from alexmagnum.judge.sheet import FOR_CITY, MOVE, Row, Sheet
from alexmagnum.orders import Order
from alexmagnum.position import Position

# -- answers that are yes, no or unknown, and how they combine ------------------------------------

Answer = NewType("Answer", int)
"""``NO``, ``YES`` or ``UNKNOWN``; ``NO`` alone is false."""

NO: Final = Answer(0)
YES: Final = Answer(1)
UNKNOWN: Final = Answer(2)


def both(a: Answer, b: Answer) -> Answer:
    """Return NO if either is, else UNKNOWN if either is, else YES."""
    if NO in (a, b):
        return NO
    return UNKNOWN if UNKNOWN in (a, b) else YES


def either(a: Answer, b: Answer) -> Answer:
    """Return YES if either is, else UNKNOWN if either is, else NO."""
    if YES in (a, b):
        return YES
    return UNKNOWN if UNKNOWN in (a, b) else NO


def negation(a: Answer) -> Answer:
    """Return YES for NO and NO for YES."""
    if a == UNKNOWN:
        return UNKNOWN
    return NO if a == YES else YES


def choose(condition: Answer, if_yes: Answer, if_no: Answer) -> Answer:
    """Return the answer for the condition; if that is unknown, the answer that both cases share."""
    if condition == YES or if_yes == if_no:
        return if_yes
    return if_no if condition == NO else UNKNOWN


def count(answers: Iterable[Answer]) -> tuple[int, int]:
    """Return how many answers are YES at least, and how many at most."""
    listed = list(answers)
    return listed.count(YES), len(listed) - listed.count(NO)


def exceeds(least: int, most: int, low: int, high: int) -> Answer:
    """Tell whether an attack strength overcomes what resists it, which a tie does not."""
    if least > high:
        return YES
    return UNKNOWN if most > low else NO


# -- the questions ---------------------------------------------------------------------------------

_DEEPEST: Final = 50
"""Recursion limit: moves and passages that rest on more others than this wait for the next round,
so that a column of any length stays within the stack, which has little room in a page.  One that
rests on another takes up to twelve calls."""

Question = NewType("Question", int)
"""The subject of a decision."""

MOVED: Final = Question(0)  # does the move of a unit succeed?
GIVEN: Final = Question(1)  # is the support of a unit uncut?
PASSAGE: Final = Question(2)  # does a unit come so far that it tries a leg?
BEATS: Final = Question(3)  # does the move of a unit into a city dislodge its target (R26)?
HALT: Final = Question(4)  # does an express pass the territory of a leg, and may it end there?

Decision = tuple[Question, LegNo]
"""A question with the number of its unit, or of its leg for PASSAGE and HALT."""


class Decisions(Sheet):
    """The decisions of one movement phase that are known; what judges the others is left open.

    ``moved``: by unit, does its move succeed; ``given``: by unit, is its support uncut;
    ``passage``: by leg, does the unit come so far that it tries this leg (its convoy holds, the
    Sinai is free, the express passed the territory before); ``beats``: by unit, does its move
    into a city dislodge its target (R26); ``halt``: by leg, does an express pass the territory, so
    that it may end there if it gets no farther (R19; with ``express: attack`` the same as the
    passage of the next leg).  What stays unknown when nothing more follows rests on itself:
    :mod:`alexmagnum.judge.knots` unties it.

    ``broken``: 1 for a unit whose passage was broken as a paradox (R22a), and for the fleets
    whose own fate was in that paradox.

    Each decision is judged once a round; if it is asked for again in that round it rests on
    itself, and the answer is unknown.  ``round``: the number of the round; ``unit_round``,
    ``city_round``, ``leg_round``, ``halt_round``: the round in which each was last judged;
    ``depth``: how many moves and passages are being judged; ``unanswered``: the decisions that were
    asked for but not known, once a knot wants to know them; ``put_off``: those that the next round
    asks first, since they rest on too many others; ``doubtful``: the legs that were not known at
    the start.
    """

    __slots__ = (
        "base_strength",
        "beats",
        "broken",
        "city_round",
        "depth",
        "doubtful",
        "given",
        "halt",
        "halt_round",
        "leg_round",
        "moved",
        "occupant",
        "passage",
        "place",
        "power",
        "province",
        "put_off",
        "round",
        "support_strength",
        "unanswered",
        "unit_round",
    )

    def __init__(
        self,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        rows: list[Row] | None = None,
    ) -> None:
        super().__init__(position, orders, rows)
        units = self.units
        # Tables of the units are repeated here: the inner loops read them often.
        self.place = units.place
        self.province = units.province
        self.power = units.power
        self.base_strength = units.base_strength
        self.support_strength = units.support_strength
        self.occupant = units.occupant
        self.broken: list[int] = [0] * len(self.action)
        self.round: int = 0
        self.depth: int = 0
        self.start()

    def start(self) -> None:
        """Forget all decisions except broken passages, so that the rest is judged anew (R22a)."""
        n = len(self.action)
        action, by_convoy = self.action, self.by_convoy
        moved: list[Answer] = [NO] * n
        passage: list[Answer] = [YES] * n
        doubtful: list[LegNo] = []
        for u in self.moving:
            if action[u] == MOVE:
                moved[u] = UNKNOWN
            if by_convoy[u]:
                passage[u] = UNKNOWN
                doubtful.append(u)
        self.moved: list[Answer] = moved
        self.given: list[Answer] = [UNKNOWN] * n
        self.passage: list[Answer] = passage
        self.doubtful: list[LegNo] = doubtful
        self.halt: list[Answer] = moved
        if self.expresses or self.hauls:
            self._open_passages()
        self.beats: list[Answer] = [NO] * n
        self.unit_round: list[int] = [0] * n
        self.city_round: list[int] = self.unit_round
        if self.board.crowded and FOR_CITY in self.goal:
            self.city_round = [0] * n
            for u in self.moving:
                attacks_nobody = self.railway and u in self.expresses  # R19a
                if self.goal[u] == FOR_CITY and action[u] == MOVE and not attacks_nobody:
                    self.beats[u] = UNKNOWN
        self.leg_round: list[int] = [0] * len(self.mover)
        self.halt_round: list[int] = self.leg_round
        if self.railway:
            self.halt_round = [0] * len(self.mover)
        self.unanswered: set[Decision] | None = None
        self.put_off: dict[Decision, None] = {}
        if self.round:
            for leg, u in enumerate(self.mover):
                if self.broken[u]:
                    self.passage[leg] = NO
                    self.halt[leg] = NO

    def _open_passages(self) -> None:
        """Mark the legs in doubt: hauls, and all of an express but its first (R19, R23)."""
        self.passage += [UNKNOWN] * (len(self.mover) - len(self.action))
        for u in self.hauls:
            self.passage[u] = UNKNOWN
        for u in self.expresses:
            self.passage[u] = UNKNOWN
            self.passage[self.first_leg[u]] = YES
        self.doubtful = [leg for leg in self.legs if self.passage[leg] == UNKNOWN]
        self.halt = [NO] * len(self.mover)
        if self.railway:
            for leg in self.legs[len(self.action) :]:
                self.halt[leg] = UNKNOWN

    # -- rounds ----------------------------------------------------------------------------------

    def settle(self) -> bool:
        """Work out everything that follows; return whether anything stays unknown."""
        moved, given, passage = self.moved, self.given, self.passage
        beats = self.beats
        moves, supports, legs = self.moving, self.supporting, self.doubtful
        attacks = [u for u in moves if beats[u] == UNKNOWN] if self.board.crowded else []
        halts = list(self.legs[len(moved) :]) if self.railway else []
        before = -1
        while True:
            self.round += 1
            if self.put_off:
                self.ask_put_off()
            moves = [u for u in moves if moved[u] == UNKNOWN and self.moves(u) == UNKNOWN]
            supports = [u for u in supports if given[u] == UNKNOWN and self.supports(u) == UNKNOWN]
            legs = [leg for leg in legs if passage[leg] == UNKNOWN and self.arrives(leg) == UNKNOWN]
            attacks = [u for u in attacks if self.dislodges(u) == UNKNOWN]
            halts = [leg for leg in halts if self.may_halt(leg) == UNKNOWN]
            left = len(moves) + len(supports) + len(legs) + len(attacks) + len(halts)
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
            elif question == HALT:
                self.may_halt(number)
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
        return self.judge_halt(number) if question == HALT else self.judge_passage(number)

    # -- the decisions, each judged once a round -------------------------------------------------

    def moves(self, u: UnitNo) -> Answer:
        """Tell whether the move of a unit succeeds."""
        known = self.moved[u]
        if known == UNKNOWN:
            depth = self.depth
            if self.unit_round[u] == self.round or depth >= _DEEPEST:
                self._leave_open(MOVED, u)
                return UNKNOWN
            self.unit_round[u] = self.round
            self.depth = depth + 1
            known = self.moved[u] = self.judge_move(u)
            self.depth = depth
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
            depth = self.depth
            if self.leg_round[leg] == self.round or depth >= _DEEPEST:
                self._leave_open(PASSAGE, leg)
                return UNKNOWN
            self.leg_round[leg] = self.round
            self.depth = depth + 1
            known = self.passage[leg] = self.judge_passage(leg)
            self.depth = depth
        return known

    def may_halt(self, leg: LegNo) -> Answer:
        """Tell whether an express passes the territory of a leg, and may end there (R19)."""
        if not self.railway:
            return self.arrives(self.next_leg(leg))
        known = self.halt[leg]
        if known == UNKNOWN:
            depth = self.depth
            if self.halt_round[leg] == self.round or depth >= _DEEPEST:
                self._leave_open(HALT, leg)
                return UNKNOWN
            self.halt_round[leg] = self.round
            self.depth = depth + 1
            known = self.halt[leg] = self.judge_halt(leg)
            self.depth = depth
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
        if self.depth >= _DEEPEST and question in (MOVED, PASSAGE, HALT):
            self.put_off[question, number] = None

    # -- the judgements, by the rules of :mod:`alexmagnum.judge.movement` ------------------------

    def judge_move(self, u: UnitNo) -> Answer:
        """Judge whether the move of a unit succeeds."""
        raise NotImplementedError

    def judge_support(self, u: UnitNo) -> Answer:
        """Judge whether no attack cuts a support."""
        raise NotImplementedError

    def judge_passage(self, leg: LegNo) -> Answer:
        """Judge whether a unit gets over fleets, over the Sinai, or past the territory before."""
        raise NotImplementedError

    def judge_halt(self, leg: LegNo) -> Answer:
        """Judge whether an express passes a territory where nobody else is in the end (R19)."""
        raise NotImplementedError

    def judge_city_attack(self, u: UnitNo) -> Answer:
        """Judge whether a move into a city dislodges its target, wherever it then is (R26)."""
        raise NotImplementedError
