"""Results of single units, judged without the rest of the board, and the log of what was read.

Open this file for how searches ask for one unit of an order set and judge only what its result
rests on, and for how they know that a change of orders cannot matter: it changes nothing that was
read.  The rules are those of :mod:`alexmagnum.judge.movement`; where they leave an answer unknown,
the whole phase is decided.
"""

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
from alexmagnum.judge.decisions import UNKNOWN, YES, Answer
from alexmagnum.judge.knots import decide_everything
from alexmagnum.judge.movement import Resolver
from alexmagnum.judge.results import find_destination, name_result
from alexmagnum.judge.sheet import CAUGHT, CONVOY, MOVE, SUPPORT, Row
from alexmagnum.position import Position
from alexmagnum.units import UnitTables

EVERYTHING: Final = -1
"""The mask of all keys: a judgement that decided the whole phase may have read anything."""


class ReadKeys:
    """The numbers of everything that can be read of a sheet, for one position.

    - the *row* of a unit has its own number: whether and where it moves, and by which way;
    - the *help* for a unit: the supports that match what it does;
    - the *attack* on a place: the units that go for it or try to enter it;
    - the *entry* into a sea: the units that go for any of its open places (R9).
    """

    __slots__ = ("attacks", "entries", "help", "places_of", "size")

    def __init__(self, board: BoardTables, units: UnitTables) -> None:
        n = len(units.numbers)
        self.help: int = n
        self.attacks: int = 2 * n
        self.entries: int = 2 * n + board.places
        self.size: int = self.entries + board.n
        self.places_of = board.places_of

    def all_entries(self, province: int) -> list[int]:
        """Return the keys of all units that go for a province."""
        return [self.entries + province, *[self.attacks + p for p in self.places_of[province]]]


def to_mask(keys: Iterable[int]) -> int:
    """Return keys as the bits of one number, which compares fast."""
    mask = 0
    for key in keys:
        mask |= 1 << key
    return mask


_MOVES: Final = 0
_SUPPORTS: Final = 1
_ARRIVES: Final = 2
_OVERCOME: Final = 3
_LEAVES: Final = 4
_HALTS: Final = 5


class PartialResolver(Resolver):
    """The orders of a phase, of which only what is asked for is judged.

    ``read``: the keys of all that the judgements read; ``whole``: whether all decisions of the
    phase had to be made; ``certain``: the expresses that no paradox can break.
    """

    __slots__ = ("_attacks", "_help", "certain", "keys", "read", "whole")

    def __init__(self, position: Position, rows: list[Row], keys: ReadKeys) -> None:
        self.keys = keys
        self.read: set[int] = set()
        self.whole: bool = False
        self.certain: set[UnitNo] = set()
        self._help: int = keys.help
        self._attacks: int = keys.attacks
        super().__init__(position, {}, rows)

    # -- results ---------------------------------------------------------------------------------

    def result(self, u: UnitNo) -> str:
        """Return the result of a unit's order; a unit without an order holds."""
        action = self.action[u]
        self.read.add(u)
        if self.partner[u] >= 0:
            self.read.add(self.partner[u])
        dislodgers: dict[UnitNo, tuple[UnitNo, ...]] = {}
        if action == MOVE:
            self._decide_move(u)
        elif action == SUPPORT:
            self._decide(_SUPPORTS, u)
        elif action == CAUGHT:
            self._decide(_ARRIVES, u)
        elif not self.fault[u]:
            if self.is_lost(u):
                dislodgers[u] = ()
            elif action == CONVOY:  # a paradox may break it (R22a)
                self._decide(_ARRIVES, self.partner[u])
        return name_result(self, u, dislodgers)

    def is_lost(self, u: UnitNo) -> bool:
        """Tell whether a unit is dislodged or destroyed."""
        if self.action[u] == CAUGHT and self._decide(_ARRIVES, u) == YES:
            return True
        return self._decide(_OVERCOME, u) == YES and self._decide(_LEAVES, u) != YES

    def is_entered(self, province: ProvinceNo, power: PowerNo, *, by_own: bool = False) -> bool:
        """Tell whether a unit of another power, or ``by_own`` one of its own, stands there then."""
        there = self.units.units_in[province]
        return any(
            (self.power[u] == power) == by_own and self._find_province_after(u) == province
            for u in (*there, *[u for u in self.moving if u not in there])
            if self._may_reach(u, province)
        )

    def _may_reach(self, u: UnitNo, province: ProvinceNo) -> bool:
        on_way = u in self.expresses and province in self.expresses[u].path
        return on_way or province in (self.province[u], self.to[u])

    def _find_province_after(self, u: UnitNo) -> ProvinceNo:
        if self.action[u] == MOVE:
            self._decide_move(u)
            if (location := find_destination(self, u)) >= 0:
                return self.board.province_of[location]
        return NO_PROVINCE if self.is_lost(u) else self.province[u]

    def read_mask(self) -> int:
        """Return the mask of all that the judgements read."""
        return EVERYTHING if self.whole else to_mask(self.read)

    # -- deciding --------------------------------------------------------------------------------

    def decide_all(self) -> None:
        """Make all decisions of the phase."""
        decide_everything(self)
        self.whole = True

    def _decide_move(self, u: UnitNo) -> None:
        """Decide whether a move succeeds, and how far an express comes that fails."""
        if self._decide(_MOVES, u) != YES and u in self.expresses:
            self._decide(_ARRIVES, u)
            for leg in self.list_way(u):
                self._decide(_ARRIVES, leg)
                self._decide(_HALTS, leg)

    def _decide(self, question: int, number: LegNo) -> Answer:
        """Return a decision; if it cannot be made alone, make all decisions of the phase."""
        known = self._judge_in_rounds(question, number)
        if not self.whole:
            if known != UNKNOWN and self._are_expresses_certain():
                return known
            self.decide_all()
        return self._ask(question, number)

    def _judge_in_rounds(self, question: int, number: LegNo) -> Answer:
        """Judge a decision for as long as anything new follows."""
        left = -1
        while True:
            self.round += 1
            if self.put_off:
                self.ask_put_off()
            if (known := self._ask(question, number)) != UNKNOWN:
                return known
            before = left
            tables = (self.moved, self.given, self.passage, self.beats, self.halt)
            left = sum([table.count(UNKNOWN) for table in tables])
            if left == before:
                return UNKNOWN

    def _are_expresses_certain(self) -> bool:
        """Tell whether no express that was read can be broken as part of a paradox.

        A broken express does not even try its first leg, which counts as tried until then (R22a).
        Any other decision that is known stays as it is, whatever paradoxes there are elsewhere.
        """
        again = bool(self.expresses)
        while again:
            again = False
            for u in self.expresses:
                if u in self.read and u not in self.certain:
                    for leg in self.list_way(u):
                        if self._judge_in_rounds(_HALTS, leg) == UNKNOWN:
                            return False
                    if self._judge_in_rounds(_ARRIVES, u) == UNKNOWN:
                        return False
                    self.certain.add(u)
                    again = True
        return True

    def _ask(self, question: int, number: LegNo) -> Answer:
        if question == _ARRIVES:
            return self.arrives(number)
        if question == _HALTS:
            return self.may_halt(number)
        u = UnitNo(number)
        if question == _MOVES:
            return self.moves(u)
        if question == _SUPPORTS:
            return self.supports(u)
        return self.is_overcome(u) if question == _OVERCOME else self.leaves(u)

    # -- the rules, with a note of what each reads -----------------------------------------------

    def _read_destination(self, u: UnitNo) -> None:
        self.read.add(u)
        if self.goal[u]:
            self._read_province(self.to[u])
        else:
            self.read.add(self._attacks + self.to_place[u])

    def _read_province(self, province: ProvinceNo) -> None:
        """Note the units that stand in a province and all that go for it."""
        self.read.update(self.keys.all_entries(province))
        self.read.update(self.units.units_in[province])
        for place in self.keys.places_of[province]:
            self.read.update(self.attackers[place])

    def _read_attacks_on(self, u: UnitNo) -> None:
        place = self.place[u]
        self.read.add(self._attacks + place)
        self.read.update(self.attackers[place])

    def moves(self, u: UnitNo) -> Answer:
        self.read.add(u)
        return super().moves(u)

    def arrives(self, leg: LegNo) -> Answer:
        self.read.add(self.mover[leg])
        return super().arrives(leg)

    def may_halt(self, leg: LegNo) -> Answer:
        self.read.add(self.mover[leg])
        self._read_province(self.leads_to(leg))
        return super().may_halt(leg)

    def dislodges(self, u: UnitNo) -> Answer:
        self.read.add(u)
        return super().dislodges(u)

    def judge_move(self, u: UnitNo) -> Answer:
        self._read_destination(u)
        return super().judge_move(u)

    def judge_attack(self, u: UnitNo) -> Answer:
        self._read_destination(u)
        return super().judge_attack(u)

    def judge_city_attack(self, u: UnitNo) -> Answer:
        self._read_destination(u)
        return super().judge_city_attack(u)

    def judge_support(self, u: UnitNo) -> Answer:
        self.read.add(u)
        self.read.add(self.partner[u])
        self._read_attacks_on(u)
        return super().judge_support(u)

    def judge_passage(self, leg: LegNo) -> Answer:
        u = self.mover[leg]
        self.read.add(u)
        if u in self.expresses:
            for province in self.expresses[u].path:
                self._read_province(province)
        elif u in self.hauls:
            self.read.update(self.units.units_in[self.hauls[u]])
        return super().judge_passage(leg)

    def leaves(self, u: UnitNo) -> Answer:
        self.read.add(u)
        return super().leaves(u)

    def is_gone(self, u: UnitNo) -> Answer:
        self._read_attacks_on(u)
        return super().is_gone(u)

    def is_overcome(self, u: UnitNo) -> Answer:
        self._read_attacks_on(u)
        return super().is_overcome(u)

    def head_to_head(self, u: UnitNo, target: UnitNo) -> Answer:
        self.read.add(u)
        self.read.add(target)
        return super().head_to_head(u, target)

    def loses_head_to_head(self, leg: LegNo) -> Answer:
        u = self.mover[leg]
        self.read.add(u)
        self._read_attacks_on(u)
        return super().loses_head_to_head(leg)

    def strength(self, u: UnitNo, without: PowerNo = NO_POWER) -> tuple[int, int]:
        self.read.add(self._help + u)
        self.read.update(self.supporters[u])
        return super().strength(u, without)

    def prevention(self, u: UnitNo, contenders: list[LegNo]) -> tuple[int, int]:
        for leg in contenders:
            rival = self.mover[leg]
            if rival != u:
                self.read.add(rival)
                self.read.add(self._attacks + self.place[rival])
        return super().prevention(u, contenders)

    def prevents(self, u: UnitNo, leg: LegNo) -> Answer:
        self.read.add(u)
        self.read.add(self.mover[leg])
        return super().prevents(u, leg)

    def overpowers(
        self, u: UnitNo, target: UnitNo, low: int, high: int, *, defends: bool = False
    ) -> Answer:
        if target >= 0:
            self.read.add(target)
        return super().overpowers(u, target, low, high, defends=defends)

    def wins_place(self, u: UnitNo, target: UnitNo, low: int, high: int) -> Answer:
        self.read.add(target)
        return super().wins_place(u, target, low, high)
