"""Results of single units, judged without the rest of the board, and the log of what was read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from alexmagnum.board.tables import (
    NO_POWER,
    NO_PROVINCE,
    BoardTables,
    LegNo,
    PowerNo,
    ProvinceNo,
    UnitNo,
)
from alexmagnum.judge.knots import decide_everything
from alexmagnum.judge.movement import UNKNOWN, YES, Answer, Resolver, find_stop
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
from alexmagnum.judge.results import result_of_fault
from alexmagnum.judge.sheet import CAUGHT, CONVOY, FROM_INSIDE, MOVE, SUPPORT, Sheet
from alexmagnum.units import UnitTables

# The log of what a judgement read: which parts of an order sheet a result rests on.
#
# Open this file for how searches know that a change of orders cannot matter: it changes nothing
# that was read. The log costs only those who ask for it: :class:`LoggedResolver` judges as
# :class:`alexmagnum.judge.movement.Resolver` does, and notes on the way
#
# - the *row* of a unit: whether and where it moves, and by which way; - the *help* for a unit:
# the supports that match what it does; - the *attack* on a place: the units that go for it or try
# to enter it; - the *entry* into a sea: the units that go for any of its open places (R9).


class ReadKeys:
    """The numbers of everything that can be read of a sheet, for one position."""

    __slots__ = ("attacks", "entries", "help", "places_of", "size")

    def __init__(self, board: BoardTables, units: UnitTables) -> None:
        n = len(units.numbers)
        self.help: int = n
        self.attacks: int = 2 * n
        self.entries: int = 2 * n + board.places
        self.size: int = self.entries + board.n
        self.places_of = board.places_of

    def row(self, u: int) -> int:
        """Return the key of what a unit does."""
        return u

    def help_for(self, u: int) -> int:
        """Return the key of the supports that a unit has."""
        return self.help + u

    def attack_on(self, place: int) -> int:
        """Return the key of the units that go for a place."""
        return self.attacks + place

    def entry_into(self, province: int) -> int:
        """Return the key of the units that go for any open place of a sea."""
        return self.entries + province

    def all_entries(self, province: int) -> list[int]:
        """Return the keys of all units that go for a province."""
        return [self.entries + province, *[self.attacks + p for p in self.places_of[province]]]


class LoggedResolver(Resolver):
    """A resolver that notes in ``read`` the keys of all that its judgements read."""

    __slots__ = ("_attacks", "_help", "keys", "read")

    def __init__(self, sheet: Sheet, keys: ReadKeys) -> None:
        super().__init__(sheet)
        self.keys = keys
        self.read: set[int] = set()
        self._help: int = keys.help
        self._attacks: int = keys.attacks

    # -- the decisions ---------------------------------------------------------------------------

    def moves(self, u: UnitNo) -> Answer:
        """Tell whether the move of a unit succeeds."""
        self.read.add(u)
        return super().moves(u)

    def arrives(self, leg: LegNo) -> Answer:
        """Tell whether a moving unit comes so far that it tries this leg."""
        self.read.add(self.mover[leg])
        return super().arrives(leg)

    def dislodges(self, u: UnitNo) -> Answer:
        """Tell whether a unit dislodges its target, provided that the target does not leave."""
        self.read.add(u)
        return super().dislodges(u)

    def judge_move(self, u: UnitNo) -> Answer:
        """Work out whether a move succeeds from what is known now."""
        self._read_destination(u)
        return super().judge_move(u)

    def judge_attack(self, u: UnitNo) -> Answer:
        """Work out whether a unit would dislodge its target if the target stayed."""
        self._read_destination(u)
        return super().judge_attack(u)

    def judge_city_attack(self, u: UnitNo) -> Answer:
        """Work out whether a move into a city dislodges its target from what is known now."""
        self._read_destination(u)
        return super().judge_city_attack(u)

    def judge_support(self, u: UnitNo) -> Answer:
        """Work out whether a support is given from what is known now."""
        self.read.add(u)
        self.read.add(self.sheet.partner[u])
        self._read_attacks_on(u)
        return super().judge_support(u)

    def judge_passage(self, leg: LegNo) -> Answer:
        """Work out whether a unit gets to a leg, from the decisions known so far."""
        u = self.mover[leg]
        self.read.add(u)
        if u in self.expresses:
            for province in self.expresses[u].path:
                self._read_province(province)
        elif u in self.hauls:
            self.read.update(self.sheet.units.units_in[self.hauls[u]])
        return super().judge_passage(leg)

    def _read_destination(self, u: UnitNo) -> None:
        """Note what a move reads of where it goes."""
        self.read.add(u)
        if self.goal[u]:
            self._read_province(self.sheet.to[u])
        else:
            self.read.add(self._attacks + self.to_place[u])

    def _read_province(self, province: ProvinceNo) -> None:
        """Note the units that stand in a province and all that go for it."""
        self.read.update(self.keys.all_entries(province))
        self.read.update(self.sheet.units.units_in[province])
        for place in self.keys.places_of[province]:
            self.read.update(self.attackers[place])

    def _read_attacks_on(self, u: UnitNo) -> None:
        """Note the attacks on a unit, and the units that make them."""
        place = self.place[u]
        self.read.add(self._attacks + place)
        self.read.update(self.attackers[place])

    # -- what becomes of a unit ------------------------------------------------------------------

    def leaves(self, u: UnitNo) -> Answer:
        """Tell whether a unit moves out, advances on a river (R22) or is caught (R24)."""
        self.read.add(u)
        return super().leaves(u)

    def is_gone(self, u: UnitNo) -> Answer:
        """Tell whether a unit leaves, or would be dislodged if it stayed."""
        self._read_attacks_on(u)
        return super().is_gone(u)

    def is_overcome(self, u: UnitNo) -> Answer:
        """Tell whether any attack overcomes a unit, which is then dislodged unless it leaves."""
        self._read_attacks_on(u)
        return super().is_overcome(u)

    def head_to_head(self, u: UnitNo, target: UnitNo) -> Answer:
        """Tell whether two units go for each other's place in one step, neither by convoy."""
        self.read.add(u)
        self.read.add(target)
        return super().head_to_head(u, target)

    def loses_head_to_head(self, leg: LegNo) -> Answer:
        """Tell whether a unit loses a head-to-head battle over a leg and so prevents nobody."""
        u = self.mover[leg]
        self.read.add(u)
        self._read_attacks_on(u)
        return super().loses_head_to_head(leg)

    # -- strengths -------------------------------------------------------------------------------

    def strength(self, u: UnitNo, without: PowerNo = NO_POWER) -> tuple[int, int]:
        """Return base strength and supports, leaving out the supports of the power ``without``."""
        self.read.add(self._help + u)
        self.read.update(self.supporters[u])
        return super().strength(u, without)

    def prevention(self, u: UnitNo, contenders: list[LegNo]) -> tuple[int, int]:
        """Return the greatest strength with which any contender keeps ``u`` out of a place."""
        for leg in contenders:
            rival = self.mover[leg]
            if rival != u:
                self.read.add(rival)
                self.read.add(self._attacks + self.place[rival])
        return super().prevention(u, contenders)

    def prevents(self, u: UnitNo, leg: LegNo) -> Answer:
        """Tell whether another unit tries this leg, so that its strength can keep ``u`` out."""
        self.read.add(u)
        self.read.add(self.mover[leg])
        return super().prevents(u, leg)

    def overpowers(
        self, u: UnitNo, target: UnitNo, low: int, high: int, *, defends: bool = False
    ) -> Answer:
        """Tell whether ``u`` gets past a target that stays (or none) and past that prevention."""
        if target >= 0:
            self.read.add(target)
        return super().overpowers(u, target, low, high, defends=defends)

    def wins_place(self, u: UnitNo, target: UnitNo, low: int, high: int) -> Answer:
        """Tell whether ``u`` wins a place against its occupant and that prevention."""
        self.read.add(target)
        return super().wins_place(u, target, low, high)


def to_mask(keys: Iterable[int]) -> int:
    """Return keys as the bits of one number, which compares fast."""
    mask = 0
    for key in keys:
        mask |= 1 << key
    return mask


# Results of single units, worked out without judging the rest of the board.
#
# Open this file for how searches ask for one unit of an order set and judge only what its result
# rests on. The judgements are those of :mod:`alexmagnum.judge.movement`; where they leave an
# answer unknown, the whole phase is decided.


_MOVES: Final = 0
_SUPPORTS: Final = 1
_ARRIVES: Final = 2
_OVERCOME: Final = 3
_LEAVES: Final = 4


class PartialResults:
    """The results of an order set, each judged when it is asked for.

    ``read``: the log of a :class:`LoggedResolver`, if it is one;
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
        return find_stop(resolver, u)

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
