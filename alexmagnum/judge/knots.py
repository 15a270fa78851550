"""Knots: decisions that rest on each other, and the two rules that untie them.

What the resolver leaves unknown is a set of decisions.  Each is a yes-or-no function of others.
A *knot* is a strongly connected part of them that rests on nothing else unknown.  A *consistent
result* answers all its questions without contradiction.

- Exactly one consistent result: that is the result; there was no paradox.
- Several results that agree about every passage and stop: circular movement (DATC 6.C); the units
  move.  The same applies when they differ, provided that no support is in question and that in one
  result everybody in the knot goes all the way.
- Otherwise a paradox.  All passages in the knot are broken, by convoy, over the Sinai or on a
  river alike: Szykman's rule (DATC 4.A.2), and the rest is resolved anew (R22a).  A knot without
  a passage is a paradox only because of expresses that it meets on their way, which count where
  one of their own has left (R19): the passages of these are broken.
"""

from __future__ import annotations

from itertools import product

from alexmagnum.board.tables import UnitNo
from alexmagnum.judge.decisions import (
    BEATS,
    GIVEN,
    HALT,
    MOVED,
    NO,
    PASSAGE,
    UNKNOWN,
    YES,
    Answer,
    Decision,
    negation,
)
from alexmagnum.judge.movement import Resolver
from alexmagnum.judge.sheet import STUCK

_EXACT = 10  # inputs up to which a decision is tried out to see on which it truly rests


def decide_everything(resolver: Resolver) -> Resolver:
    """Settle all decisions of a movement phase, untying what stays unknown; return the resolver."""
    while resolver.settle():
        knots = _Knots(resolver)
        if paradoxes := [knot for knot in knots.list_free() if not knots.untie(knot)]:
            for knot in paradoxes:
                knots.break_passages(knot)
            resolver.start()
    return resolver


class _Knots:
    """The decisions still unknown and what each of them rests on."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.values = (
            resolver.moved,
            resolver.given,
            resolver.passage,
            resolver.beats,
            resolver.halt,
        )
        # Nothing is judged anew while a knot is tried: every decision asked for answers with the
        # value it has been given.
        resolver.unit_round = [resolver.round] * len(resolver.action)
        resolver.city_round = list(resolver.unit_round)
        resolver.leg_round = [resolver.round] * len(resolver.mover)
        resolver.halt_round = list(resolver.leg_round)
        self.unknown = self._list_unknown()
        # What a decision asks for, and what of that can make a difference to it.
        self.asked: dict[Decision, list[Decision]] = {}
        self.inputs: dict[Decision, list[Decision]] = {}
        for decision in self.unknown:
            self.asked[decision], self.inputs[decision] = self._find_inputs(decision)

    def _list_unknown(self) -> list[Decision]:
        resolver = self.resolver
        units = resolver.moving
        unknown: list[Decision] = [(MOVED, u) for u in units if resolver.moved[u] == UNKNOWN]
        for supporters in resolver.supporters:
            unknown += [(GIVEN, u) for u in supporters if resolver.given[u] == UNKNOWN]
        unknown += [
            (PASSAGE, leg)
            for leg, u in zip(resolver.legs, resolver.mover, strict=True)
            if resolver.passage[leg] == UNKNOWN and resolver.action[u] != STUCK
        ]
        if resolver.railway:
            unknown += [(HALT, leg) for leg in resolver.legs if resolver.halt[leg] == UNKNOWN]
        unknown += [(BEATS, u) for u in units if resolver.beats[u] == UNKNOWN]
        return sorted(unknown)

    def put(self, decision: Decision, value: Answer) -> None:
        """Give a decision a value."""
        self.values[decision[0]][decision[1]] = value

    def value(self, decision: Decision) -> Answer:
        """Return the value that a decision has now."""
        return self.values[decision[0]][decision[1]]

    def _find_inputs(self, decision: Decision) -> tuple[list[Decision], list[Decision]]:
        """Return the unknown decisions that one asks for, and those that can change its answer."""
        inputs = sorted(self._ask(decision)[1])
        while len(inputs) <= _EXACT:
            answers, asked = self._try_all(decision, inputs)
            if not asked:
                return inputs, _find_decisive(inputs, answers)
            # Some are only asked for once others are known.
            inputs = sorted({*inputs, *asked})
        return inputs, inputs

    def _try_all(
        self, decision: Decision, inputs: list[Decision]
    ) -> tuple[dict[tuple[Answer, ...], Answer], set[Decision]]:
        """Return the answer for all values of the inputs, and what else was asked for."""
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

    def _ask(self, decision: Decision) -> tuple[Answer, set[Decision]]:
        """Return the answer, and the unknown decisions that were asked for on the way."""
        asked: set[Decision] = set()
        self.resolver.unanswered = asked
        return self._judge_apart(decision), asked

    def _judge_apart(self, decision: Decision) -> Answer:
        """Return the answer, keeping the value that the decision itself was given."""
        kept = self.value(decision)
        answer = self.resolver.judge(decision)
        self.put(decision, kept)
        return answer

    def list_free(self) -> list[list[Decision]]:
        """Return the knots that rest on no unknown decision outside of them, in a fixed order."""
        knots = _list_parts(self.inputs)
        part_of = {decision: number for number, knot in enumerate(knots) for decision in knot}
        free = [
            sorted(knot)
            for number, knot in enumerate(knots)
            if all(part_of[other] == number for member in knot for other in self.inputs[member])
        ]
        return sorted(free)

    def untie(self, knot: list[Decision]) -> bool:
        """Give every decision of the knot its value; return False if the knot is a paradox."""
        results = self._find_results(knot)
        passages = [decision for decision in knot if decision[0] in (PASSAGE, HALT)]
        if len({tuple(result[p] for p in passages) for result in results}) == 1:
            chosen = max(results, key=lambda result: sum(result[d] for d in knot if d[0] == MOVED))
        else:
            chosen = _everybody_goes(knot, results)
        for decision, value in chosen.items():
            self.put(decision, value)
        return bool(chosen)

    def break_passages(self, knot: list[Decision]) -> None:
        """Apply Szykman's rule (R22a).

        A unit whose passage or stop is in the knot stays.  Fleets that were to carry it, and are
        in the paradox themselves, convoy nobody.
        """
        resolver = self.resolver
        passing = [resolver.mover[leg] for what, leg in knot if what in (PASSAGE, HALT)]
        for u in passing or self._list_expresses_met(knot):
            resolver.broken[u] = 1
            for fleet in resolver.carriers[u]:
                if resolver.is_overcome(fleet) == UNKNOWN:
                    resolver.broken[fleet] = 1

    def _list_expresses_met(self, knot: list[Decision]) -> list[UnitNo]:
        """Return the expresses whose way leads where a unit of the knot goes."""
        resolver = self.resolver
        goals = {resolver.to[number] for what, number in knot if what in (MOVED, BEATS)}
        met = [
            u
            for u in resolver.expresses
            if not resolver.broken[u]
            and any(resolver.leads_to(leg) in goals for leg in (*resolver.list_way(u), u))
        ]
        assert met, "without an express on its way there always is a consistent result"
        return met

    def _find_results(self, knot: list[Decision]) -> list[dict[Decision, Answer]]:
        """Return all ways to answer the knot in which every answer follows from the others."""
        results: list[dict[Decision, Answer]] = []
        # The knot rests on no other unknown decision, so any value will do for those.
        outside = self._list_outside(knot)
        for decision in outside:
            self.put(decision, NO)
        self._try_knot(knot, self._list_askers(knot), knot, results)
        for decision in outside:
            self.put(decision, UNKNOWN)
        return results

    def _list_outside(self, knot: list[Decision]) -> list[Decision]:
        """Return the unknown decisions outside of a knot for which the knot asks."""
        members = set(knot)
        if any(len(self.asked[decision]) > _EXACT for decision in knot):
            return [decision for decision in self.unknown if decision not in members]
        asked = {other for decision in knot for other in self.asked[decision]}
        return [decision for decision in asked if decision not in members]

    def _list_askers(self, knot: list[Decision]) -> dict[Decision, list[Decision]]:
        """Return for each decision of a knot those that have to be judged anew when it is known;
        one with too many inputs to try them all may ask for any."""
        askers: dict[Decision, list[Decision]] = {decision: [decision] for decision in knot}
        for decision in knot:
            asked = self.asked[decision]
            for other in asked if len(asked) <= _EXACT else knot:
                if other in askers and other != decision:
                    askers[other].append(decision)
        return askers

    def _try_knot(
        self,
        knot: list[Decision],
        askers: dict[Decision, list[Decision]],
        doubtful: list[Decision],
        results: list[dict[Decision, Answer]],
    ) -> None:
        """Add all ways to answer what is still unknown in a knot; ``doubtful`` is judged first."""
        added: list[Decision] = []
        if self._fill_in(askers, doubtful, added):
            open_decision = next((d for d in knot if self.value(d) == UNKNOWN), None)
            if open_decision is None:
                results.append({decision: self.value(decision) for decision in knot})
            else:
                for value in (NO, YES):
                    self.put(open_decision, value)
                    self._try_knot(knot, askers, askers[open_decision], results)
                self.put(open_decision, UNKNOWN)
        for decision in added:
            self.put(decision, UNKNOWN)

    def _fill_in(
        self,
        askers: dict[Decision, list[Decision]],
        doubtful: list[Decision],
        added: list[Decision],
    ) -> bool:
        """Fill in what follows from the values given so far; return False on a contradiction."""
        todo = list(doubtful)
        while todo:
            decision = todo.pop()
            value, answer = self.value(decision), self._judge_apart(decision)
            if answer == UNKNOWN:
                continue
            if value == UNKNOWN:
                self.put(decision, answer)
                added.append(decision)
                todo += askers[decision]
            elif value != answer:
                return False
        return True


def _list_parts(inputs: dict[Decision, list[Decision]]) -> list[list[Decision]]:
    """Return the strongly connected parts of decisions that rest on each other (Tarjan)."""
    parts: list[list[Decision]] = []
    visit: dict[Decision, int] = {}
    low: dict[Decision, int] = {}
    waiting: list[Decision] = []
    done: set[Decision] = set()
    for first in inputs:
        way = [] if first in visit else [first]
        turns = [0]
        while way:
            decision, turn = way[-1], turns[-1]
            if not turn:
                visit[decision] = low[decision] = len(visit)
                waiting.append(decision)
            if turn < len(inputs[decision]):
                turns[-1] += 1
                other = inputs[decision][turn]
                if other not in visit:
                    way.append(other)
                    turns.append(0)
                elif other not in done:
                    low[decision] = min(low[decision], visit[other])
                continue
            way.pop()
            turns.pop()
            if way:
                low[way[-1]] = min(low[way[-1]], low[decision])
            if low[decision] == visit[decision]:
                parts.append(_take_part(waiting, decision))
                done.update(parts[-1])
    return parts


def _take_part(waiting: list[Decision], first: Decision) -> list[Decision]:
    """Take the decisions of one part off those that wait for theirs: all since ``first``."""
    part = [waiting.pop()]
    while part[-1] != first:
        part.append(waiting.pop())
    return part


def _find_decisive(
    inputs: list[Decision], answers: dict[tuple[Answer, ...], Answer]
) -> list[Decision]:
    """Return the inputs whose change changes an answer."""
    return [
        other
        for i, other in enumerate(inputs)
        if any(
            answer != answers[(*values[:i], negation(values[i]), *values[i + 1 :])]
            for values, answer in answers.items()
        )
    ]


def _everybody_goes(
    knot: list[Decision], results: list[dict[Decision, Answer]]
) -> dict[Decision, Answer]:
    """Return the result in which everybody in the knot goes all the way (circular movement with
    expresses or hauls in it); empty if there is none, or a support is in question."""
    if all(what != GIVEN for what, _ in knot):
        for result in results:
            if all(result.values()):
                return result
    return {}
