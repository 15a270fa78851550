"""Knots: decisions that rest on each other, and the two rules that untie them.

What the resolver leaves unknown is a set of decisions, each a yes-or-no function of others.
A *knot* is a strongly connected part of them that rests on nothing else unknown.  Every way to
answer all its questions without contradiction is a *consistent result*.

- Exactly one consistent result: that is the result; there was no paradox.
- Several that agree about every passage: circular movement (DATC 6.C); the units move.  So they
  do where no support is in question and one result lets everybody in the knot go all the way.
- Otherwise a paradox.  All passages in the knot are broken, by convoy, over the Sinai or on a
  river alike: Szykman's rule (DATC 4.A.2), and the rest is resolved anew (R22a).
"""

from __future__ import annotations

from itertools import product

from alexmagnum.judge import cities
from alexmagnum.judge.movement import BEATS, GIVEN, MOVED, PASSAGE, Decision, Movement
from alexmagnum.judge.sheet import MOVE
from alexmagnum.judge.trilean import NO, UNKNOWN, YES

_EXACT = 10
"""Up to so many inputs, whether a decision truly rests on one is tried out in full."""


def untie(movement: Movement) -> None:
    """Decide everything that :meth:`Movement.settle` left unknown."""
    while movement.settle():
        knots = _Knots(movement)
        paradoxes = [knot for knot in knots.free() if not knots.decide(knot)]
        if paradoxes:
            for knot in paradoxes:
                knots.break_passages(knot)
            movement.start()


class _Knots:
    """The decisions still unknown and what each of them rests on."""

    def __init__(self, movement: Movement) -> None:
        self.movement = movement
        self.values = (movement.moved, movement.given, movement.passage, movement.beats)
        # Nothing is worked out anew while a knot is tried: every decision asked for answers
        # with the value it has been given.
        movement.seen = [movement.round] * len(movement.kind)
        movement.fought = list(movement.seen)
        movement.crossed = [movement.round] * len(movement.mover)
        self.unknown = self._unknown()
        self.rests = {decision: self._inputs(decision) for decision in self.unknown}

    def _unknown(self) -> list[Decision]:
        movement = self.movement
        unknown = [(MOVED, u) for u, known in enumerate(movement.moved) if known == UNKNOWN]
        for backers in movement.backers:
            unknown += [(GIVEN, b) for b in backers if movement.given[b] == UNKNOWN]
        for leg, known in enumerate(movement.passage):
            if known == UNKNOWN and movement.kind[movement.mover[leg]] == MOVE:
                unknown.append((PASSAGE, leg))
        unknown += [(BEATS, u) for u, known in enumerate(movement.beats) if known == UNKNOWN]
        return sorted(unknown)

    def answer(self, decision: Decision) -> int:
        """The decision as it follows from the values that the others have now."""
        what, unit = decision
        if what == MOVED:
            return self.movement.judge_move(unit)
        if what == GIVEN:
            return self.movement.judge_support(unit)
        if what == BEATS:
            return cities.judge_attack(self.movement, unit)
        return self.movement.judge_passage(unit)

    def put(self, decision: Decision, value: int) -> None:
        self.values[decision[0]][decision[1]] = value

    def value(self, decision: Decision) -> int:
        return self.values[decision[0]][decision[1]]

    def _inputs(self, decision: Decision) -> list[Decision]:
        """The unknown decisions that can make a difference to this one."""
        inputs = sorted(self._ask(decision)[1])
        while len(inputs) <= _EXACT:
            answers, asked = self._try_all(decision, inputs)
            if not asked:
                return _decisive(inputs, answers)
            # Some are only asked for once others are known.
            inputs = sorted({*inputs, *asked})
        return inputs

    def _try_all(
        self, decision: Decision, inputs: list[Decision]
    ) -> tuple[dict[tuple[int, ...], int], set[Decision]]:
        """The answer for all values of the inputs, and what else was asked for on the way."""
        answers = {}
        asked: set[Decision] = set()
        for values in product((NO, YES), repeat=len(inputs)):
            for other, value in zip(inputs, values, strict=True):
                self.put(other, value)
            answers[values], more = self._ask(decision)
            asked |= more
        for other in inputs:
            self.put(other, UNKNOWN)
        return answers, asked

    def _ask(self, decision: Decision) -> tuple[int, set[Decision]]:
        """The answer, and the unknown decisions that were asked for on the way."""
        self.movement.asked = set()
        return self._answer_apart(decision), self.movement.asked

    def _answer_apart(self, decision: Decision) -> int:
        """The answer without regard to the value that the decision itself was given."""
        kept = self.value(decision)
        answer = self.answer(decision)
        self.put(decision, kept)
        return answer

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

    def decide(self, knot: list[Decision]) -> bool:
        """Give every decision of the knot its value; False if that is a paradox."""
        results = self._consistent(knot)
        passages = [decision for decision in knot if decision[0] == PASSAGE]
        ways = {tuple(result[p] for p in passages) for result in results}
        if len(ways) == 1:
            chosen = max(results, key=lambda result: sum(result[d] for d in knot if d[0] == MOVED))
        else:
            chosen = _all_go(knot, results)
        for decision, value in chosen.items():
            self.put(decision, value)
        assert chosen or passages, "without a passage there always is a consistent result"
        return bool(chosen)

    def break_passages(self, knot: list[Decision]) -> None:
        """Szykman's rule (R22a): who hangs on a passage of the knot stays, and the fleets that
        were to carry it and are in the paradox themselves convoy nobody."""
        movement = self.movement
        for what, leg in knot:
            if what == PASSAGE:
                u = movement.mover[leg]
                movement.broken[u] = 1
                for fleet in movement.sheet.carriers[u]:
                    if movement.is_overcome(fleet) == UNKNOWN:
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


def _decisive(inputs: list[Decision], answers: dict[tuple[int, ...], int]) -> list[Decision]:
    """The inputs whose change changes some answer."""
    return [
        other
        for i, other in enumerate(inputs)
        if any(
            answer != answers[(*values[:i], YES - values[i], *values[i + 1 :])]
            for values, answer in answers.items()
        )
    ]


def _all_go(knot: list[Decision], results: list[dict[Decision, int]]) -> dict[Decision, int]:
    """Circular movement with expresses or hauls in it: the result in which everybody in the knot
    goes all the way; empty if there is none, or if a support is in question."""
    if all(what != GIVEN for what, _ in knot):
        for result in results:
            if all(result.values()):
                return result
    return {}
