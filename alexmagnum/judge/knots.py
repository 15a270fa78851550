"""Knots: decisions that rest on each other, and the two rules that untie them.

What the resolver leaves unknown is a set of decisions, each a yes-or-no function of others.
A *knot* is a strongly connected part of them that rests on nothing else unknown.  Every way to
answer all its questions without contradiction is a *consistent result*.

- Exactly one consistent result: that is the result; there was no paradox.
- Several that agree about every passage: circular movement (DATC 6.C); the units move.
- None, or several that differ about a passage: a paradox.  All passages in the knot are broken,
  Szykman's rule (DATC 4.A.2), and the rest is resolved anew (R22a).
"""

from __future__ import annotations

from itertools import product

from alexmagnum.judge.movement import NO, UNKNOWN, YES, Movement
from alexmagnum.judge.sheet import MOVE

Decision = tuple[int, int]
"""(what, unit): what is one of MOVED, GIVEN, PASSAGE."""

MOVED, GIVEN, PASSAGE = range(3)

_EXACT = 10
"""Up to so many inputs, whether a decision truly rests on one is tried out in full."""


def untie(movement: Movement) -> None:
    """Decide everything that :meth:`Movement.settle` left unknown."""
    while movement.settle():
        knots = _Knots(movement)
        for knot in knots.free():
            knots.decide(knot)


class _Knots:
    """The decisions still unknown and what each of them rests on."""

    def __init__(self, movement: Movement) -> None:
        self.movement = movement
        self.values = (movement.moved, movement.given, movement.passage)
        # Nothing is worked out anew while a knot is tried: every decision asked for answers
        # with the value it has been given.
        movement.seen = [movement.round] * len(movement.kind)
        movement.crossed = list(movement.seen)
        self.unknown = self._unknown()
        self.rests = {decision: self._inputs(decision) for decision in self.unknown}

    def _unknown(self) -> list[Decision]:
        movement = self.movement
        unknown = [(MOVED, u) for u, known in enumerate(movement.moved) if known == UNKNOWN]
        for u, backers in enumerate(movement.backers):
            unknown += [(GIVEN, b) for b in backers if movement.given[b] == UNKNOWN]
            if movement.passage[u] == UNKNOWN and movement.kind[u] == MOVE:
                unknown.append((PASSAGE, u))
        return sorted(unknown)

    def answer(self, decision: Decision) -> int:
        """The decision as it follows from the values that the others have now."""
        what, unit = decision
        if what == MOVED:
            return self.movement.judge_move(unit)
        if what == GIVEN:
            return self.movement.judge_support(unit)
        return self.movement.judge_passage(unit)

    def put(self, decision: Decision, value: int) -> None:
        self.values[decision[0]][decision[1]] = value

    def value(self, decision: Decision) -> int:
        return self.values[decision[0]][decision[1]]

    def _inputs(self, decision: Decision) -> list[Decision]:
        """The unknown decisions that can make a difference to this one."""
        read = self._read(decision)
        inputs = [d for d in self.unknown if d in read]
        if len(inputs) > _EXACT:
            return inputs
        answers = {}
        for values in product((NO, YES), repeat=len(inputs)):
            for other, value in zip(inputs, values, strict=True):
                self.put(other, value)
            answers[values] = self._answer_apart(decision)
        for other in inputs:
            self.put(other, UNKNOWN)
        return [
            other
            for i, other in enumerate(inputs)
            if any(
                answer != answers[(*values[:i], YES - values[i], *values[i + 1 :])]
                for values, answer in answers.items()
            )
        ]

    def _answer_apart(self, decision: Decision) -> int:
        """The answer without regard to the value that the decision itself was given."""
        kept = self.value(decision)
        answer = self.answer(decision)
        self.put(decision, kept)
        return answer

    def _read(self, decision: Decision) -> set[Decision]:
        """All decisions that could be asked for in working this one out."""
        what, unit = decision
        movement = self.movement
        if what == PASSAGE:
            carriers = movement.sheet.carriers[unit]
            return {(MOVED, a) for f in carriers for a in movement.movers[movement.place[f]]}
        if what == GIVEN:
            attackers = movement.movers[movement.place[unit]]
            return {(w, a) for a in attackers for w in (MOVED, PASSAGE)}
        place = movement.to_place[unit]
        contestants = {unit, *movement.movers[place]}
        target = movement.occupant[place]
        if target >= 0:
            contestants.add(target)
        backers = {(GIVEN, b) for u in contestants for b in movement.backers[u]}
        ways = {(PASSAGE, u) for u in contestants}
        moves = {(MOVED, target)} if target >= 0 else set()
        return backers | ways | moves

    def free(self) -> list[list[Decision]]:
        """The knots that rest on no unknown decision outside of them, in a fixed order."""
        reach = {decision: self._reach(decision) for decision in self.unknown}
        knots: list[list[Decision]] = []
        for decision in self.unknown:
            behind = reach[decision]
            if all(decision in reach[other] for other in behind) and not any(
                decision in knot for knot in knots
            ):
                knots.append(sorted(behind | {decision}))
        return knots

    def _reach(self, decision: Decision) -> set[Decision]:
        """Everything unknown that a decision rests on, directly or through others."""
        reached: set[Decision] = set()
        todo = [decision]
        while todo:
            for other in self.rests[todo.pop()]:
                if other not in reached:
                    reached.add(other)
                    todo.append(other)
        return reached

    def decide(self, knot: list[Decision]) -> None:
        """Give every decision of the knot its value, or break the passages in it."""
        results = self._consistent(knot)
        passages = [decision for decision in knot if decision[0] == PASSAGE]
        ways = {tuple(result[p] for p in passages) for result in results}
        if len(results) == 1 or (results and len(ways) == 1):
            best = max(results, key=lambda result: sum(result[d] for d in knot if d[0] == MOVED))
            for decision, value in best.items():
                self.put(decision, value)
            return
        assert passages, "without a convoy there always is a consistent result"
        for _, unit in passages:
            self._break(unit)

    def _break(self, army: int) -> None:
        """Szykman's rule: the army stays, and the fleets in the paradox convoy nobody."""
        movement = self.movement
        movement.passage[army] = NO
        movement.broken[army] = 1
        for fleet in movement.sheet.carriers[army]:
            if movement.dislodged(fleet) == UNKNOWN:
                movement.broken[fleet] = 1

    def _consistent(self, knot: list[Decision]) -> list[dict[Decision, int]]:
        """All ways to answer the knot in which every answer follows from the others."""
        results: list[dict[Decision, int]] = []
        # The knot rests on no other unknown decision, so any value will do for those.
        outside = [decision for decision in self.unknown if decision not in knot]
        for decision in outside:
            self.put(decision, NO)
        self._try(knot, results)
        for decision in outside:
            self.put(decision, UNKNOWN)
        return results

    def _try(self, knot: list[Decision], results: list[dict[Decision, int]]) -> None:
        added: list[Decision] = []
        if self._follow(knot, added):
            open_decision = next((d for d in knot if self.value(d) == UNKNOWN), None)
            if open_decision is None:
                results.append({decision: self.value(decision) for decision in knot})
            else:
                for value in (NO, YES):
                    self.put(open_decision, value)
                    self._try(knot, results)
                self.put(open_decision, UNKNOWN)
        for decision in added:
            self.put(decision, UNKNOWN)

    def _follow(self, knot: list[Decision], added: list[Decision]) -> bool:
        """Fill in what follows from the values given so far; False on a contradiction."""
        again = True
        while again:
            again = False
            for decision in knot:
                value, answer = self.value(decision), self._answer_apart(decision)
                if answer == UNKNOWN:
                    continue
                if value == UNKNOWN:
                    self.put(decision, answer)
                    added.append(decision)
                    again = True
                elif value != answer:
                    return False
        return True
