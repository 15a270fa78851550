"""The movement phase while it is resolved: moves, supports, convoys, seas, rivers and cities.

Open this file for how anything is decided in a movement phase.  :class:`Resolver` has the standard
rules, from what is judged down to the strengths that decide; the functions below it have the
special ground: seas, rivers, the portage and cities of two places.  Each ruling stands in one
function; :mod:`alexmagnum.judge.reasons` asks the same functions for the cause of a result.

Everything here works on the numbers of the tables: units, legs, places and provinces.  Every
answer is yes, no or unknown, and every strength is a pair (lowest, highest) that is still possible.
An answer once known is never taken back, so the order of asking cannot matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    Row,
    Sheet,
)
from alexmagnum.orders import Order
from alexmagnum.position import Position
from alexmagnum.units import UnitTables

# -- yes, no or unknown ---------------------------------------------------------------------------

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


Cut = NewType("Cut", int)
"""What an attack on a unit has to do to cut the support that the unit gives."""

NO_CUT: Final = Cut(0)
BY_ARRIVING: Final = Cut(1)
BY_DISLODGING: Final = Cut(2)


def find_cut(*, is_own: bool, is_target: bool) -> Cut:
    """Return how an attack on a unit cuts its support.

    Any foreign attack that arrives cuts it; an attack by the unit against which it is directed
    cuts it only by dislodging the supporter (R13).
    """
    if is_own:
        return NO_CUT
    return BY_DISLODGING if is_target else BY_ARRIVING


def spares(units: UnitTables, u: int, target: int) -> bool:
    """Tell whether a unit never dislodges a target, which is of its own power."""
    return units.power[target] == units.power[u]


def holds_with_supports(action: Action) -> bool:
    """Tell whether supports to hold count for a unit that stays: it was not ordered to move."""
    return action not in (MOVE, STUCK)


def exceeds(least: int, most: int, low: int, high: int) -> Answer:
    """Tell whether an attack strength overcomes what resists it, which a tie does not."""
    if least > high:
        return YES
    return UNKNOWN if most > low else NO


# -- the decisions ---------------------------------------------------------------------------------

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

Decision = tuple[Question, LegNo]
"""A question with the number of its unit, or of its leg for PASSAGE."""


class Resolver(Sheet):
    """The decisions of one movement phase that are known, and the rules that decide the others.

    ``moved``: by unit, does its move succeed; ``given``: by unit, is its support uncut;
    ``passage``: by leg, does the unit come so far that it tries this leg (its convoy holds, the
    Sinai is free, the express passed the territory before); ``beats``: by unit, does its move
    into a city dislodge its target (R26).  What stays unknown when nothing more follows rests on
    itself: :mod:`alexmagnum.judge.knots` unties it.

    ``broken``: 1 for a unit whose passage was broken as a paradox (R22a), and for the fleets
    whose own fate was in that paradox.

    Each decision is judged once a round; if it is asked for again in that round it rests on
    itself, and the answer is unknown.  ``round``: the number of the round; ``unit_round``,
    ``city_round``, ``leg_round``: the round in which each was last judged; ``depth``: how many
    moves and passages are being judged; ``unanswered``: the decisions that were asked for but not
    known, once a knot wants to know them; ``put_off``: those that the next round asks first, since
    they rest on too many others; ``doubtful``: the legs that were not known at the start.
    """

    __slots__ = (
        "base_strength",
        "beats",
        "broken",
        "city_round",
        "depth",
        "doubtful",
        "given",
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
        if self.expresses or self.hauls:
            self._open_passages()
        self.beats: list[Answer] = [NO] * n
        self.unit_round: list[int] = [0] * n
        self.city_round: list[int] = self.unit_round
        if self.board.crowded and FOR_CITY in self.goal:
            self.city_round = [0] * n
            for u in self.moving:
                if self.goal[u] == FOR_CITY and action[u] == MOVE:
                    self.beats[u] = UNKNOWN
        self.leg_round: list[int] = [0] * len(self.mover)
        self.unanswered: set[Decision] | None = None
        self.put_off: dict[Decision, None] = {}
        if self.round:
            for leg, u in enumerate(self.mover):
                if self.broken[u]:
                    self.passage[leg] = NO

    def _open_passages(self) -> None:
        """Mark the legs in doubt: hauls, and all of an express but its first (R19, R23)."""
        self.passage += [UNKNOWN] * (len(self.mover) - len(self.action))
        for u in self.hauls:
            self.passage[u] = UNKNOWN if self.action[u] == MOVE else NO
        for u in self.expresses:
            self.passage[u] = UNKNOWN
            self.passage[self.first_leg[u]] = YES
        self.doubtful = [leg for leg in self.legs if self.passage[leg] == UNKNOWN]

    # -- rounds ----------------------------------------------------------------------------------

    def settle(self) -> bool:
        """Work out everything that follows; return whether anything stays unknown."""
        moved, given, passage = self.moved, self.given, self.passage
        beats = self.beats
        moves, supports, legs = self.moving, self.supporting, self.doubtful
        attacks = [u for u in moves if beats[u] == UNKNOWN] if self.board.crowded else []
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

    # -- the decisions, each judged once a round -------------------------------------------------

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

    # -- the judgements --------------------------------------------------------------------------

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
            known = both(known, negation(is_kept_behind(self, u)))
        return known if known == NO else both(known, arrives)

    def judge_attack(self, u: UnitNo) -> Answer:
        """Judge whether a unit would dislodge its target if the target stayed."""
        target = self.occupant[self.to_place[u]]
        if self.goal[u] == FROM_INSIDE:
            return overpowers_from_inside(self, u, target)
        if self.goal[u] == FOR_CITY:
            return both(overpowers_in_city(self, u, target), self.arrives(u))
        contenders = self.contenders[self.to_place[u]]
        low, high = self.prevention(u, contenders)
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
        """Judge whether a move into a city dislodges its target, wherever it then is (R26)."""
        target = find_target(self, u)
        arrives = self.arrives(u)
        if target < 0 or arrives == NO:
            return NO
        beats = overpowers_in_city(self, u, target)
        return both(arrives, choose(_target_leaves(self, u), NO, beats))

    def judge_support(self, u: UnitNo) -> Answer:
        """Judge whether no attack cuts a support."""
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
        is_target = self.place[attacker] == self.support_target[u]
        cut = find_cut(is_own=self.power[attacker] == self.power[u], is_target=is_target)
        if cut == NO_CUT:
            return NO
        if cut == BY_DISLODGING:
            return self.dislodges(attacker)
        arrives = self.passage[attacker]
        return self.arrives(attacker) if arrives == UNKNOWN else arrives

    def judge_passage(self, leg: LegNo) -> Answer:
        """Judge whether a unit gets over fleets, over the Sinai, or past the territory before."""
        u = self.mover[leg]
        if u in self.expresses:
            return judge_express(self, leg)
        if u in self.hauls:
            return judge_haul(self, u)
        return self._judge_convoy(u)

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
        """Tell whether a unit moves out, advances on a river (R22) or is caught (R24)."""
        if self.action[u] == MOVE and self.goal[u] != FROM_INSIDE:
            first = self.first_leg[u]
            return self.moves(u) if first == u else self.arrives(self.next_leg(first))
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
        """Tell whether the first step of a target leads to where the last step of ``u`` starts.

        An express meets whoever comes over a step of its river, from any place of a city (R21a).
        """
        to, start = self.first_to[target], self.last_from[u]
        if to == start or to < 0 or not self.expresses:
            return to == start
        if u not in self.expresses and target not in self.expresses:
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
        if rival == u or go_same_way(self, u, rival):
            return NO
        if relation == OPPOSITE:
            counts = NO if self.broken[rival] else YES
        elif counts == UNKNOWN:
            counts = self.arrives(leg)
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
    mutual = movement.head_to_head(u, target) == YES
    return movement.overpowers(u, target, 0, 0, defends=mutual)


# The river express: how far a fleet comes up or down a river (R18 to R22).


def judge_express(movement: Resolver, leg: LegNo) -> Answer:
    """Judge whether an express passes the territory before this leg (R19).

    It passes if nobody remains there and it is stronger than everybody else who tries to enter.
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
    contenders = movement.contenders[movement.leg_place[before]]
    low, high = movement.prevention(u, contenders)
    known = both(known, movement.overpowers(u, NO_UNIT, low, high))
    return known if known == NO else both(known, negation(_is_barred(movement, u, contenders)))


def lets_past(movement: Resolver, u: UnitNo, other: UnitNo) -> Answer:
    """Tell whether a unit on the way of an express leaves (R19).

    Nobody gets past a unit that comes towards it, wherever that unit ends (R21a).
    """
    if movement.relation.get((u, other)) in (ONCOMING, OPPOSITE):
        return NO
    return movement.leaves(other)


def go_same_way(movement: Resolver, u: UnitNo, other: UnitNo) -> bool:
    """Tell whether two units move the same way along a river: neither hinders the other (R21)."""
    return movement.relation.get((u, other)) in (AHEAD, BEHIND)


def bars_from_ahead(movement: Resolver, u: UnitNo, leg: LegNo) -> Answer:
    """Tell whether a unit ahead of an express ends where its leg leads: it bars it there (R21)."""
    if movement.relation.get((u, movement.mover[leg])) != AHEAD:
        return NO
    return _ends_at(movement, leg)


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


def _ends_at(movement: Resolver, leg: LegNo) -> Answer:
    """Tell whether a unit on a river ends where this leg leads."""
    u = movement.mover[leg]
    if leg == u:
        return movement.moves(u)
    after = movement.next_leg(leg)
    further = movement.moves(u) if after == u else movement.arrives(movement.next_leg(after))
    return both(movement.arrives(after), negation(further))


def count_passed(movement: Resolver, u: UnitNo) -> int:
    """Return how many territories before its destination an express passed.

    Ask when everything is decided.
    """
    first = movement.first_leg[u]
    legs = [*range(first + 1, first + len(movement.expresses[u].path) - 1), u]
    return sum(movement.passage[leg] == YES for leg in legs)


def find_stop(movement: Resolver, u: UnitNo) -> ProvinceNo:
    """Return the territory where an express that advanced was stopped; none for other units."""
    if u not in movement.expresses or movement.moved[u]:
        return NO_PROVINCE
    passed = count_passed(movement, u)
    return movement.expresses[u].path[passed - 1] if passed else NO_PROVINCE


# The haul of a fleet over land between two seas (R23); the sheet knows which are caught (R24).


def judge_haul(movement: Resolver, u: UnitNo) -> Answer:
    """Judge whether the land of a haul is free (R23)."""
    known = YES
    for other in movement.units.units_in[movement.hauls[u]]:
        if known != NO:
            known = both(known, clears_haul(movement, u, other))
    return known


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
    target = find_target(movement, u)
    if target < 0:
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
    beats = movement.wins_battle(u, target, low, high)
    return both(beats, negation(is_kept_behind(movement, u)))


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
    """Tell whether none that goes for the same target is as strong.

    This is asked if the unit beside the target is dislodged: its place is for its dislodger.
    """
    other = find_neighbour(movement, u)
    if other < 0:
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
