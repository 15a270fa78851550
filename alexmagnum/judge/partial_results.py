"""Results of single units, worked out without judging the rest of the board.

Open this file for how searches ask for one unit of an order set and judge only what its result
rests on.  The judgements are those of :mod:`alexmagnum.judge.resolver`; where they leave an answer
unknown, the whole phase is decided.
"""

from __future__ import annotations

from typing import Final

from alexmagnum.board.numbers import NO_PROVINCE, LegNo, PowerNo, ProvinceNo, UnitNo
from alexmagnum.judge import rivers
from alexmagnum.judge.knots import decide_everything
from alexmagnum.judge.outcome import (
    AVAILABLE,
    CUT,
    DESTROYED,
    DISLODGED,
    DISRUPTED,
    FAILS,
    GIVEN,
    STANDS,
    STOPPED,
    SUCCEEDS,
)
from alexmagnum.judge.resolver import Resolver
from alexmagnum.judge.results import result_of_fault
from alexmagnum.judge.sheet import CAUGHT, CONVOY, FROM_INSIDE, MOVE, SUPPORT
from alexmagnum.judge.trilean import UNKNOWN, YES, Answer

_MOVES: Final = 0
_SUPPORTS: Final = 1
_ARRIVES: Final = 2
_OVERCOME: Final = 3
_LEAVES: Final = 4


class PartialResults:
    """The results of an order set, each judged when it is asked for.

    ``read``: the log of a :class:`~alexmagnum.judge.read_log.LoggedResolver`, if it is one;
    ``whole``: whether all decisions of the phase had to be made.
    """

    __slots__ = ("_certain", "read", "resolver", "whole")

    def __init__(self, resolver: Resolver, read: set[int] | None = None) -> None:
        self.resolver = resolver
        self.read = read
        self.whole: bool = False
        self._certain: set[UnitNo] = set()

    def result(self, u: UnitNo) -> str:
        """Return the result of a unit's order; a unit without an order holds."""
        resolver = self.resolver
        fault = resolver.sheet.fault[u]
        if fault:
            return result_of_fault(fault)
        action = resolver.action[u]
        if action == MOVE:
            if self._decide(_MOVES, u) == YES:
                return SUCCEEDS
            return STOPPED if self._find_stop(u) >= 0 else FAILS
        if action == SUPPORT:
            return GIVEN if self._decide(_SUPPORTS, u) == YES else CUT
        if action == CAUGHT:
            return DESTROYED
        dislodged = self.is_lost(u)
        if action == CONVOY:
            return DISRUPTED if dislodged or self._is_convoy_broken(u) else AVAILABLE
        return DISLODGED if dislodged else STANDS

    def is_lost(self, u: UnitNo) -> bool:
        """Tell whether a unit is dislodged or destroyed."""
        if self.resolver.action[u] == CAUGHT:
            return True
        return self._decide(_OVERCOME, u) == YES and self._decide(_LEAVES, u) != YES

    def is_entered(self, province: ProvinceNo, power: PowerNo) -> bool:
        """Tell whether a unit of another power stands in a province after the phase."""
        resolver = self.resolver
        sheet, powers = resolver.sheet, resolver.power
        for u in sheet.units.units_in[province]:
            if powers[u] != power and self._find_province_after(u) == province:
                return True
        for u in sheet.moving:
            if (
                powers[u] != power
                and resolver.province[u] != province
                and self._may_reach(u, province)
                and self._find_province_after(u) == province
            ):
                return True
        return False

    def _may_reach(self, u: UnitNo, province: ProvinceNo) -> bool:
        """Tell whether a province is on the way of a move."""
        if self.resolver.sheet.to[u] == province:
            return True
        expresses = self.resolver.expresses
        return u in expresses and province in expresses[u].path

    def _find_province_after(self, u: UnitNo) -> ProvinceNo:
        """Return where a unit stands after the moves; none if it is lost."""
        resolver = self.resolver
        if resolver.action[u] == MOVE:
            moved = self._decide(_MOVES, u) == YES
            if moved and resolver.goal[u] != FROM_INSIDE:
                return resolver.sheet.to[u]
            stop = self._find_stop(u)
            if stop >= 0:
                return stop
        return NO_PROVINCE if self.is_lost(u) else resolver.province[u]

    def _find_stop(self, u: UnitNo) -> ProvinceNo:
        """Return where an express is stopped whose move is decided; none for other units."""
        resolver = self.resolver
        if u not in resolver.expresses or resolver.moved[u] == YES:
            return NO_PROVINCE
        first = resolver.first_leg[u]
        for leg in resolver.sheet.legs[first : first + len(resolver.expresses[u].path) - 1]:
            self._decide(_ARRIVES, leg)
        self._decide(_ARRIVES, u)
        return rivers.find_stop(resolver, u)

    def _is_convoy_broken(self, fleet: UnitNo) -> bool:
        """Tell whether a fleet that is not dislodged lost its convoy to a paradox (R22a)."""
        self._decide(_ARRIVES, self.resolver.sheet.partner[fleet])
        return bool(self.resolver.broken[fleet])

    # -- decisions -------------------------------------------------------------------------------

    def _decide(self, question: int, number: LegNo) -> Answer:
        """Return a decision; if it cannot be made alone, make all decisions of the phase."""
        known = self._judge(question, number)
        if not self.whole:
            if known != UNKNOWN and self._are_expresses_certain():
                return known
            decide_everything(self.resolver)
            self.whole = True
        return self._ask(question, number)

    def _judge(self, question: int, number: LegNo) -> Answer:
        """Judge a decision in rounds for as long as anything new follows."""
        resolver = self.resolver
        left = -1
        while True:
            resolver.round += 1
            if resolver.put_off:
                resolver.ask_put_off()
            known = self._ask(question, number)
            if known != UNKNOWN:
                return known
            before, left = left, self._count_open()
            if left == before:
                return UNKNOWN

    def _are_expresses_certain(self) -> bool:
        """Tell whether no express that was read can be broken as part of a paradox.

        A broken express does not even try its first leg, which counts as tried until then (R22a).
        Any other decision that is known stays as it is, whatever paradoxes there are elsewhere.
        """
        resolver = self.resolver
        again = bool(resolver.expresses)
        while again:
            again = False
            for u, course in resolver.expresses.items():
                if u in self._certain or (self.read is not None and u not in self.read):
                    continue
                first = resolver.first_leg[u]
                for leg in [*resolver.sheet.legs[first : first + len(course.path) - 1], u]:
                    if self._judge(_ARRIVES, leg) == UNKNOWN:
                        return False
                self._certain.add(u)
                again = True
        return True

    def _ask(self, question: int, number: LegNo) -> Answer:
        resolver = self.resolver
        if question == _ARRIVES:
            return resolver.arrives(number)
        u = UnitNo(number)
        if question == _MOVES:
            return resolver.moves(u)
        if question == _SUPPORTS:
            return resolver.supports(u)
        return resolver.is_overcome(u) if question == _OVERCOME else resolver.leaves(u)

    def _count_open(self) -> int:
        resolver = self.resolver
        return (
            resolver.moved.count(UNKNOWN)
            + resolver.given.count(UNKNOWN)
            + resolver.passage.count(UNKNOWN)
            + resolver.beats.count(UNKNOWN)
        )
