"""Measuring how safe the orders of a power are against all that other powers might order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import prod
from random import Random
from typing import Any, NamedTuple

from alexmagnum.board.tables import PowerNo
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.explanation import format_explanation, list_steps
from alexmagnum.judge.outcome import WANTED
from alexmagnum.judge.results import MovementOutcome, resolve_movement
from alexmagnum.notation import order_in, write_order
from alexmagnum.orders import Hold, MovementOrder, Order
from alexmagnum.position import Position, Unit
from alexmagnum.whatif import search as search_
from alexmagnum.whatif.partial_results import PartialResolver

# Joint orders that a clever enemy could give against one unit or one centre.
#
# Where a question has too many cases to try all, orders drawn by chance hardly ever include such
# a plan, so plans are made on purpose. For every unit that could attack a target there is a plan
# in which it does so with all available help, while the units left over attack the other targets;
# and one for every unit in the way, in which it stays with all available support. The worst of
# these plans is possible, but need not be the worst of all. The search for one's own plans
# (PlanSearch) makes them for the power that asks, too.


Plan = dict[int, int]
"""The number of the order of each unit, by unit number; orders are added while it is made."""


class Planner:
    """Makes plans against the targets of one question.

    ``given`` has the orders of units that have no choice.  ``targets`` are the provinces that
    matter: those in question, the places of the units in question and of units that help
    them, and the provinces that the units in question enter or are hauled over.
    """

    def __init__(
        self, trials: search_.Trials, question: search_.Question, given: search_.Chosen
    ) -> None:
        self.trials = trials
        self.province = trials.position.tables.province
        self.given: Plan = dict(given)
        self.entries = [[(u, i) for u, i in row if given.get(u, i) == i] for row in trials.entries]
        acts = {u: trials.acts[u][i] for u, i in given.items()}
        places = question.provinces + question.wanted
        there = [u for u in given if self.province[u] in places]
        there += [u for u, act in acts.items() if act.enters and act.enters[-1] in question.wanted]
        subjects = dict.fromkeys([*question.units, *there])
        targets: list[int] = [*places, *(self.province[u] for u in subjects)]
        for u in subjects:
            if u in acts:
                targets += acts[u].enters
                targets += [acts[u].over] if acts[u].over != search_.NOWHERE else []
        targets += [self.province[u] for u, act in acts.items() if act.helps in subjects]
        self.targets = tuple(dict.fromkeys(targets))

    def list_plans(self) -> list[Plan]:
        """Return all plans, each once."""
        plans: dict[frozenset[tuple[int, int]], Plan] = {}
        for plan in self._plans():
            plans.setdefault(frozenset(plan.items()), plan)
        return list(plans.values())

    def _plans(self) -> Iterator[Plan]:
        entries = self.entries
        for target in self.targets:
            others = [province for province in self.targets if province != target]
            for u, i in entries[target]:
                for helps_first in (True, False):  # before others attack elsewhere, or after
                    plan = {**self.given, u: i}
                    if not helps_first:
                        self._divert(plan, others)
                    self._help(plan, u, target, carried=self.trials.acts[u][i].carried)
                    if helps_first:
                        self._divert(plan, others)
                    yield plan
                plan = {**self.given, u: i}
                if self._clear(plan, target):
                    self._divert(plan, others)
                    yield plan
            yield {**dict(reversed(entries[target])), **self.given}
            for u, province in enumerate(self.province):
                if province == target:  # it stays; without orders to choose from it has help, too
                    plan = dict(self.given)
                    if self.trials.orders[u]:
                        plan.setdefault(u, 0)
                    self._help(plan, u, search_.NOWHERE)
                    self._divert(plan, others)
                    yield plan

    def _help(self, plan: Plan, u: int, to: int, *, carried: bool = False) -> None:
        """Let all free units help a unit to go somewhere, or to hold."""
        for convoys in (True, False) if carried else (False,):
            for helper, i in self.trials.help_for.get((u, to, convoys), ()):
                plan.setdefault(helper, i)

    def _clear(self, plan: Plan, target: int) -> bool:
        """Let free units leave a target, for a haul to be caught there (R24); tell if any do."""
        for u, province in enumerate(self.province):
            if province == target and u not in plan:
                for i, act in enumerate(self.trials.acts[u]):
                    if act.enters and act.enters[-1] != target:
                        plan[u] = i
                        return True
        return False

    def _divert(self, plan: Plan, targets: Sequence[int]) -> None:
        """Let one free unit attack each target, with the help of all other free units."""
        for target in targets:
            for u, i in self.entries[target]:
                if u not in plan and not self.trials.acts[u][i].carried:
                    plan[u] = i
                    self._help(plan, u, target)
                    break


# Measuring how safe the orders of a power are against all that other powers might order.
#
# Every unit and every centre is a question of its own, so that only the orders that can influence
# it are varied (:mod:`alexmagnum.whatif.search`). A share counts each joint order set of the
# sensible orders (:mod:`alexmagnum.whatif.search`) once. If a question has too many cases,
# its share is estimated from sets drawn by chance, and the worst answer is sought among plans
# made against it.


KEPT, ENTERED = "kept", "entered"
"""The results of a centre: ``entered`` if a foreign unit stands there after the phase."""

REACHED, MISSED = "reached", "missed"
"""The results of a goal."""

GOOD = frozenset({*WANTED, KEPT, REACHED})
"""The results that the power wants, of orders, centres and goals."""

MOST_CASES = 2_000
"""The most cases in which a question is worked out before sets are drawn by chance."""

SAMPLE = 2_000
"""The number of joint order sets that are drawn for questions with more cases."""

_CHUNK = 250  # the number of sets that one worker draws at a time


class Goal(NamedTuple):
    """Provinces to ``take``, where a unit of the power stands after the phase, and to ``hold``.

    A province is held if no foreign unit stands there.
    """

    take: tuple[str, ...] = ()
    hold: tuple[str, ...] = ()


Subject = Unit | str | Goal
"""The subject of a question: a unit, a centre, or a goal."""


class Answer(NamedTuple):
    """The result of a unit's order, of a centre or of a goal, and whether that is lost.

    A unit is lost if it is dislodged or destroyed, a centre if it is entered.
    """

    result: str
    lost: bool

    @property
    def badness(self) -> tuple[bool, bool]:
        """A key by which answers sort from the best to the worst."""
        return self.lost, self.result not in GOOD


class Count(NamedTuple):
    """``hits`` of ``of`` joint order sets; ``exact``: these are all that matter, not a sample."""

    hits: int
    of: int
    exact: bool


Example = tuple[MovementOrder, ...]
"""Orders of other powers that lead to an answer, while all their other units hold."""


@dataclass(slots=True)
class Verdict:
    """All that is known about the safety of one unit, centre or goal.

    - ``weights``: how many of the ``total`` joint order sets lead to each answer;
    - ``cases``: in how many cases they were worked out;
    - ``choices``: how many joint order sets the units that matter to the question have;
    - ``drawn``: how many of the sets drawn by chance lead to each answer;
    - ``examples``: for each answer the fewest orders known to lead to it; none can be left out.
    """

    subject: Subject
    order: MovementOrder | None
    total: int
    weights: Counter[Answer] = field(default_factory=Counter)
    cases: int = 0
    choices: int = 1
    drawn: Counter[Answer] = field(default_factory=Counter)
    examples: dict[Answer, Example] = field(default_factory=dict)

    @property
    def is_exact(self) -> bool:
        """True if every joint order set was tried."""
        return self.weights.total() == self.total

    @property
    def is_good(self) -> bool | None:
        """True if all answers tried or drawn are wanted, False if none is; None: it depends."""
        found = {answer.result in GOOD for answer in self.answers}
        return found.pop() if len(found) == 1 and (self.is_exact or self.drawn) else None

    @property
    def answers(self) -> tuple[Answer, ...]:
        """All answers found, the best first."""
        found = {*self.weights, *self.drawn, *self.examples}
        return tuple(sorted(found, key=lambda answer: (answer.badness, answer)))

    @property
    def worst(self) -> Answer | None:
        """The worst answer found; None before the first."""
        return self.answers[-1] if self.answers else None

    def count(self, answers: Collection[Answer]) -> Count:
        """Return how many joint order sets lead to one of some answers.

        Where all were tried, orders of units that never matter are not counted; else the count is
        that of the sets drawn by chance.
        """
        if self.is_exact:
            weight = sum(self.weights[answer] for answer in answers)
            count, rest = divmod(weight * self.choices, self.total)
            return Count(weight, self.total, True) if rest else Count(count, self.choices, True)
        return Count(sum(self.drawn[answer] for answer in answers), self.drawn.total(), False)

    @property
    def losses(self) -> tuple[Answer, ...]:
        """The answers found in which the unit or the centre is lost."""
        return tuple(answer for answer in self.answers if answer.lost)

    def share(self, answer: Answer) -> float | None:
        """Return the share of the joint order sets that lead to an answer.

        It is exact, or estimated from the sets drawn; None if neither is known.
        """
        if self.is_exact:
            return self.weights[answer] / self.total
        return self.drawn[answer] / self.drawn.total() if self.drawn else None

    def least(self, answer: Answer) -> float:
        """Return the share of the joint order sets that certainly lead to an answer."""
        return self.weights[answer] / self.total

    def note(self, answer: Answer, example: Example) -> None:
        """Keep an example if it is the first one or the shortest one of its answer."""
        if answer not in self.examples or len(example) < len(self.examples[answer]):
            self.examples[answer] = example

    def add(self, other: Verdict) -> None:
        """Add what another search found about the same unit or centre."""
        self.weights += other.weights
        self.drawn += other.drawn
        self.cases += other.cases
        self.choices = max(self.choices, other.choices)
        for answer, example in other.examples.items():
            self.note(answer, example)


Share = Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], Iterable[Any]]
"""A function that does jobs, each a call of the function given, and yields what they return."""


class Progress(NamedTuple):
    """The progress of a survey: ``done`` of ``all`` questions, ``drawn`` of ``sample`` sets."""

    done: int
    all: int
    drawn: int
    sample: int

    @property
    def part(self) -> float:
        """The part of the work that is done, of which drawing sets is the other half."""
        return (self.done / (self.all or 1) + self.drawn / (self.sample or 1)) / 2


class Survey:
    """All questions about the safety of one power's orders, and what is known of each so far.

    ``asking`` is the power, ``against`` are the powers whose units may do anything sensible.  All
    other units do as ``orders`` say, or hold.  With a ``goal`` it is the only question.
    :meth:`run` works out one question after another; it may be stopped at any time.

    Raises:
        ValueError: the phase is not one of movement, ``asking`` is among ``against``, or one of
            them is no power.
    """

    def __init__(
        self,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        asking: str,
        against: Collection[str],
        goal: Goal | None = None,
    ) -> None:
        if position.phase.kind != "movement" or asking in against:
            raise ValueError(asking)
        if unknown := {asking, *against}.difference(position.board.powers):
            raise ValueError(", ".join(sorted(unknown)))
        self._begun_with = position, orders, asking, tuple(against), goal
        self.position = position
        self.asking = asking
        self.goal = goal
        self.against = tuple(p for p in position.board.powers if p in against)
        self.given: search_.Given = search_.given_orders(position, orders)
        rows = search_.sensible_orders(position, self.given, asking, self.against)
        self.trials = search_.Trials(position, rows)
        self.numbers = dict(zip(self.trials.units, position.tables.numbers, strict=True))
        self.provinces = position.board.tables.index
        self._free = frozenset(u for u, row in enumerate(self.trials.orders) if len(row) > 1)
        self._power = position.board.tables.power[asking]
        units = [unit for unit in self.trials.units if unit.power == asking]
        subjects: list[Subject] = [goal] if goal else [*units, *position.centres_of(asking)]
        self.verdicts = tuple(self._verdict(subject) for subject in subjects)

    def _verdict(self, subject: Subject) -> Verdict:
        order = self.given.get(subject) if isinstance(subject, Unit) else None
        return Verdict(subject, order, self.trials.size)

    def question(self, subject: Subject) -> search_.Question:
        """Return the question about a unit, a centre or a goal, in numbers of the tables."""
        if isinstance(subject, Unit):
            return search_.Question(units=(self.numbers[subject],))
        if isinstance(subject, Goal):
            return ask_goal(self.position, self.asking, subject)
        return search_.Question(provinces=(self.provinces[subject],), power=self._power)

    def __reduce__(self) -> tuple[type[Survey], tuple[Any, ...]]:
        """Tell pickle to make it anew: what was found so far stays behind."""
        return Survey, self._begun_with

    @property
    def varied(self) -> tuple[Unit, ...]:
        """The units with several orders to choose from."""
        return tuple(unit for unit, u in self.numbers.items() if u in self._free)

    # -- the search -----------------------------------------------------------------------------

    def run(
        self,
        *,
        most_cases: int = MOST_CASES,
        sample: int = SAMPLE,
        seed: int = 0,
        share: Share | None = None,
    ) -> Iterator[Progress]:
        """Work out every question, then draw sets for those with more than ``most_cases`` cases.

        ``sample`` joint order sets are drawn.  The same seed draws the same sets, also if ``share``
        does several jobs at a time.
        """
        share = share or (lambda work, jobs: (work(*job) for job in jobs))
        all_ = len(self.verdicts)
        asked = [(verdict.subject, most_cases) for verdict in self.verdicts]
        for done, found in enumerate(share(self.work_out, asked)):
            self.verdicts[done].add(found)
            yield Progress(done + 1, all_, 0, 0)
        if not (left := [verdict for verdict in self.verdicts if not verdict.is_exact]):
            return
        subjects = tuple(verdict.subject for verdict in left)
        chunks = [
            (subjects, f"{seed}-{first}", min(_CHUNK, sample - first))
            for first in range(0, sample, _CHUNK)
        ]
        for number, found_here in enumerate(share(self.sample_answers, chunks), 1):
            for verdict, found in zip(left, found_here, strict=True):
                verdict.add(found)
            yield Progress(all_, all_, min(number * _CHUNK, sample), sample)

    def work_out(self, subject: Subject, most_cases: int) -> Verdict:
        """Work out one question in up to ``most_cases`` cases, then with plans made against it."""
        verdict, question = self._verdict(subject), self.question(subject)
        families: list[search_.Family] = []
        for family in self.trials.families(question):
            families.append(family)
            self._try_family(verdict, family, most_cases)
            if verdict.cases >= most_cases:
                break
        if verdict.is_exact:
            verdict.choices = self._count_choices(question, families)
        else:
            given: Plan = {u: 0 for u, row in enumerate(self.trials.orders) if len(row) == 1}
            for plan in Planner(self.trials, question, given).list_plans():
                answer = self._answer(subject, plan)
                self._keep_example(verdict, answer, self.trials.case(question, plan))
        self._shorten_examples(verdict)
        return verdict

    def _try_family(self, verdict: Verdict, family: search_.Family, most_cases: int) -> None:
        """Add the answers of a family of cases, as far as to the most cases wanted."""
        subject, question = verdict.subject, self.question(verdict.subject)
        for group, weight in zip(family.groups, family.weights, strict=True):
            if verdict.cases >= most_cases:
                return
            answer = self._answer(subject, family.choose(group))
            verdict.weights[answer] += weight
            verdict.cases += 1
            known = verdict.examples.get(answer)
            if known is None or family.count_active(group, self._free) < len(known):
                case = self.trials.case_of(question, family, group, weight)
                self._keep_example(verdict, answer, case)

    def _count_choices(self, question: search_.Question, families: Sequence[search_.Family]) -> int:
        """Return how many joint order sets the units have whose orders matter in some case."""
        active: set[int] = set()
        for family in families:
            if not active.issuperset({*family.active, family.unit}):
                for group in family.groups:
                    active.update(self.trials.case_of(question, family, group, 1).active)
        return prod(len(self.trials.orders[u]) for u in active)

    def sample_answers(
        self, subjects: Sequence[Subject], seed: str, count: int
    ) -> tuple[Verdict, ...]:
        """Answer several questions for joint order sets drawn by chance."""
        verdicts = tuple(self._verdict(subject) for subject in subjects)
        rng = Random(seed)
        for _ in range(count):
            chosen = self.trials.draw(rng)
            results = self.trials.results(chosen)
            results.decide_all()
            for verdict in verdicts:
                answer = self._read_answer(verdict.subject, results)
                verdict.drawn[answer] += 1
                if answer not in verdict.examples:
                    case = self.trials.case(self.question(verdict.subject), chosen)
                    self._keep_example(verdict, answer, case)
        for verdict in verdicts:
            self._shorten_examples(verdict)
        return verdicts

    def _keep_example(self, verdict: Verdict, answer: Answer, case: search_.Case) -> None:
        """Keep the orders that matter as an example, if they are the fewest that lead to it."""
        units = self._free.intersection(case.active)
        known = verdict.examples.get(answer)
        if known is None or len(units) < len(known):
            orders = self.trials.orders
            verdict.note(answer, tuple(orders[u][case.chosen[u]] for u in sorted(units)))

    def _shorten_examples(self, verdict: Verdict) -> None:
        """Leave out of every example the orders that are not needed."""
        trials = self.trials
        fixed: Plan = {u: 0 for u, row in enumerate(trials.orders) if len(row) == 1}
        for answer, example in verdict.examples.items():
            needed = {self.numbers[self.position.names[order.unit]]: order for order in example}
            for u in list(needed):
                others: Plan = {v: trials.orders[v].index(o) for v, o in needed.items() if v != u}
                if self._answer(verdict.subject, {**fixed, **others}) == answer:
                    del needed[u]
            verdict.examples[answer] = tuple(needed.values())

    def _answer(self, subject: Subject, chosen: search_.Chosen) -> Answer:
        """Return one answer for a joint order set, judging only what it rests on."""
        return self._read_answer(subject, self.trials.results(chosen))

    def _read_answer(self, subject: Subject, results: PartialResolver) -> Answer:
        if isinstance(subject, Unit):
            u = self.numbers[subject]
            return Answer(results.result(u), results.is_lost(u))
        if isinstance(subject, Goal):
            missed = is_missed(results, self.question(subject))
            return Answer(MISSED if missed else REACHED, missed)
        lost = results.is_entered(self.provinces[subject], self._power)
        return Answer(ENTERED if lost else KEPT, lost)

    def list_own(self) -> list[MovementOrder]:
        """Return the orders of the power that asks, those of units that hold last."""
        own = [order for unit, order in self.given.items() if unit.power == self.asking]
        return sorted(own, key=lambda order: isinstance(order, Hold))

    def describe_spoiler(self, sentences: Sentences) -> list[str]:
        """Return the fewest orders by which the goal is missed, if it is, and what comes of them.

        These are the results of the own orders that fail, with their causes, each of them once.
        """
        (verdict,) = self.verdicts
        if not verdict.losses:
            return []
        example = verdict.examples[verdict.losses[0]]
        outcome = self.adjudicate_example(example)
        lines = [order_in(write_order(order), sentences.lang) for order in example]
        lines = lines or [sentences.format("take-spoiled-hold")]
        failed = {
            unit: [step.fate.unit for step in list_steps(outcome, unit)]
            for unit in self.given
            if unit.power == self.asking and outcome.fates(unit)[-1].result not in GOOD
        }
        told: set[Unit] = set()
        for unit, causes in sorted(failed.items(), key=lambda item: -len(item[1])):
            if unit not in told:
                told.update(causes)
                lines += [f"  {line}" for line in format_explanation(outcome, unit, sentences)]
        return lines

    def adjudicate_example(self, example: Example) -> MovementOutcome:
        """Adjudicate the phase with the orders of an example; the other units of others hold."""
        orders: dict[str, list[MovementOrder]] = {}
        for unit, order in self.given.items():
            if unit.power not in self.against:
                orders.setdefault(unit.power, []).append(order)
        for order in example:
            orders.setdefault(self.position.names[order.unit].power, []).append(order)
        return resolve_movement(self.position, orders)


def verdicts_as_data(survey: Survey) -> dict[str, list[dict[str, object]]]:
    """Return what a survey found about orders and centres, for programs and pages."""
    name = survey.position.name
    found: dict[str, list[dict[str, object]]] = {"orders": [], "centres": []}
    for v in survey.verdicts:
        if isinstance(v.subject, Unit):
            order = write_order(v.order) if v.order else None
            found["orders"].append({"unit": name(v.subject), "order": order, **verdict_as_data(v)})
        else:
            found["centres"].append({"centre": v.subject, **verdict_as_data(v)})
    return found


def verdict_as_data(verdict: Verdict) -> dict[str, object]:
    """Return what is known about one question; ``docs/whatif.md`` has the schema."""
    return {
        "exact": verdict.is_exact,
        "good": verdict.is_good,
        "cases": verdict.cases,
        "drawn": verdict.drawn.total(),
        "answers": [
            {
                "result": answer.result,
                "lost": answer.lost,
                "share": verdict.share(answer),
                "at_least": verdict.least(answer),
                "example": [write_order(o) for o in verdict.examples.get(answer, ())],
            }
            for answer in verdict.answers
        ],
    }


# Searching one's own plans for one that no sensible answer spoils.
#
# An answer that spoils one plan spoils most others for the same reason. So plans are searched in
# regions: in a region each own unit may still be given some of its orders. A plan of it is tried.
# If an answer spoils it, the region is split into the parts that reach the goal against this answer
# (search.py finds the few orders that matter there), and each part is searched in turn. If no part
# is left, no plan at all is sure. Each place of the goal is a question of its own, because a plan
# is sure if it is sure of each place.


_PATIENCE = 20  # the search ends when it has judged so many times the cases of one question

_ENOUGH = 8  # so many plans that nothing spoils, with too many cases, end the search sooner

_COMPARED = 100  # the number of answers drawn to compare plans, if none is sure


class PlanSearch:
    """A search for the best plan of one power for a goal, against the sensible answers of others.

    - ``sure``: True if ``plan`` reaches the goal in every answer, False if each plan is spoiled by
      some answer, None if that is not known;
    - ``tried``, ``judged``: how many plans were tried, and how many order sets judged.
    """

    def __init__(
        self,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        asking: str,
        against: Collection[str],
        goal: Goal,
    ) -> None:
        self.position, self.orders, self.asking = position, orders, asking
        self.against, self.goal = against, goal
        given = search_.given_orders(position, orders)
        rows = search_.sensible_orders(position, given, asking, against, both=True)
        self.trials = search_.Trials(position, rows)
        first = {u: given.get(unit) for u, unit in enumerate(self.trials.units) if rows[u]}
        # Where nothing depends on it, a unit does as it is told already, or holds.
        self.plan: Plan = {
            u: rows[u].index(order) if order in rows[u] else 0
            for u, order in first.items()
            if self.trials.units[u].power == asking
        }
        self._holding: Plan = {u: 0 for u in first if u not in self.plan}
        self._question = ask_goal(position, asking, goal)
        goals = [Goal(take=(p,)) for p in goal.take] + [Goal(hold=(p,)) for p in goal.hold]
        self._parts = [ask_goal(position, asking, part) for part in goals]
        # Most plans fail even if all others hold.
        self._spoilers = [(part, self._holding) for part in self._parts]
        self._spoiled: list[Plan] = []
        self._unspoiled: list[Plan] = []
        self._survey: Survey | None = None
        self.sure: bool | None = None
        self.tried = self.judged = 0

    def run(
        self,
        *,
        most_cases: int = MOST_CASES,
        sample: int = SAMPLE,
        seed: int = 0,
        share: Share | None = None,
    ) -> Iterator[Progress]:
        """Search for the best plan, then count how it fares: as :meth:`Survey.run` does."""
        yield from self._search(most_cases, _PATIENCE * most_cases)
        if not self.sure:
            self._choose_best(Random(f"{seed}"))
        yield from self.survey.run(most_cases=most_cases, sample=sample, seed=seed, share=share)

    def _search(self, most_cases: int, limit: int) -> Iterator[Progress]:
        """Try plans made on purpose, then those of each region in turn."""
        first = self.plan
        for made in Planner(self.trials, self._question, self._holding).list_plans():
            self._try({u: made.get(u, i) for u, i in first.items()}, most_cases)
            if self.sure:
                return
        levels: list[Iterator[search_.Open]] = [iter([self.trials.everything])]
        while levels and self.judged < limit and len(self._unspoiled) < _ENOUGH:
            yield Progress(self.judged, limit, 0, 0)
            region = next(levels[-1], None)
            if region is None:
                levels.pop()
            elif region:
                if len(levels) > len(self._spoilers):
                    chosen = {u: i if i in region[u] else region[u][0] for u, i in first.items()}
                    self._try(chosen, most_cases)
                    if self.sure:
                        return
                if len(levels) <= len(self._spoilers):
                    levels.append(self._split(region, *self._spoilers[len(levels) - 1]))
        if not levels and not self._unspoiled:
            self.sure = False

    def _try(self, plan: Plan, most_cases: int) -> None:
        """Look for an answer that spoils a plan, and keep it."""
        self.tried += 1
        tried_all = True
        for question in self._parts:
            spoiler, is_exact = self._spoil(question, plan, most_cases)
            if spoiler is not None:
                self._spoilers.append((question, spoiler))
                self._spoiled.append(plan)
                return
            tried_all = tried_all and is_exact
        if tried_all:
            self.plan, self.sure = plan, True
        else:
            self._unspoiled.append(plan)
            self.plan = self._unspoiled[0]  # what is told if the search is stopped

    def _spoil(
        self, question: search_.Question, plan: Plan, most_cases: int
    ) -> tuple[Plan | None, bool]:
        """Return an answer that spoils a plan, if one is found, and whether all were tried."""
        rows = self._fix(plan, self.trials.everything)
        given = {u: row[0] for u, row in enumerate(rows) if len(row) == 1}
        made = Planner(self.trials, question, given).list_plans()
        families = self.trials.families(question, rows)
        cases = (family.choose(group) for family in families for group in family.groups)
        for number, chosen in enumerate(chain(made, cases)):
            if self._misses(question, chosen):
                # Without the orders that are not needed, less depends on what is left.
                answer = {u: chosen.get(u, 0) for u in self._holding}
                for u in [u for u, i in answer.items() if i]:
                    fewer = {**answer, u: 0}
                    if self._misses(question, {**fewer, **plan}):
                        answer = fewer
                return answer, True
            if number >= len(made) + most_cases:
                return None, False
        return None, True

    def _misses(self, question: search_.Question, chosen: search_.Chosen) -> bool:
        self.judged += 1
        return is_missed(self.trials.results(chosen), question)

    def _fix(self, fixed: search_.Chosen, rows: search_.Open) -> list[Sequence[int]]:
        return [(fixed[u],) if u in fixed else row for u, row in enumerate(rows)]

    def _split(
        self, region: search_.Open, question: search_.Question, answer: Plan
    ) -> Iterator[search_.Open]:
        """Yield the parts of a region that reach a place against an answer; () for the others."""
        for family in self.trials.families(question, self._fix(answer, region)):
            for group in family.groups:
                part = list(family.allowed)
                if group.orders:
                    part[family.unit] = group.orders
                yield () if self._misses(question, family.choose(group)) else part

    def _choose_best(self, rng: Random) -> None:
        """Choose the plan that the fewest answers of a sample spoil."""
        answers = [self.trials.draw(rng) for _ in range(_COMPARED)]
        fewest = _COMPARED + 1
        for plan in self._unspoiled or [self.plan, *self._spoiled]:
            chosen = [{**answer, **plan} for answer in answers]
            missed = sum(self._misses(self._question, each) for each in chosen)
            if missed < fewest:
                self.plan, fewest = plan, missed

    @property
    def survey(self) -> Survey:
        """The survey of the best plan, which counts how it fares."""
        if self._survey is None:
            rows = self.trials.orders
            orders = {**self.orders, self.asking: [rows[u][i] for u, i in self.plan.items()]}
            self._survey = Survey(self.position, orders, self.asking, self.against, self.goal)
        return self._survey


def ask_goal(position: Position, power: str, goal: Goal) -> search_.Question:
    """Return the question whether a power reaches a goal."""
    tables = position.board.tables
    take, hold = (tuple([tables.index[place] for place in places]) for places in goal)
    return search_.Question(provinces=hold, power=tables.power[power], wanted=take)


def is_missed(results: PartialResolver, question: search_.Question) -> bool:
    """Tell whether the goal of a question is missed."""
    power = PowerNo(question.power)
    entered = [results.is_entered(place, power) for place in question.provinces]
    return any(entered) or not all(
        results.is_entered(place, power, by_own=True) for place in question.wanted
    )


def plan_as_data(search: PlanSearch, sentences: Sentences) -> dict[str, object]:
    """Return what a search found and how its plan fares; ``docs/whatif.md`` has the schema."""
    survey = search.survey
    return {
        "phase": str(survey.position.phase),
        "power": search.asking,
        "against": list(survey.against),
        "take": list(search.goal.take),
        "hold": list(search.goal.hold),
        "sure": search.sure,
        "plan": [write_order(order) for order in survey.list_own()],
        "tried": search.tried,
        "judged": search.judged,
        **verdict_as_data(survey.verdicts[0]),
        "spoiled": survey.describe_spoiler(sentences),
    }
