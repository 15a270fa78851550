"""Measuring how safe the orders of a power are against all that other powers might order."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from math import prod
from multiprocessing.pool import Pool
from random import Random
from typing import Any, NamedTuple, TypeVar

from alexmagnum.judge.outcome import WANTED
from alexmagnum.judge.results import MovementOutcome, resolve_movement
from alexmagnum.orders import MovementOrder, Order
from alexmagnum.position import Position, Unit
from alexmagnum.whatif.partial_results import PartialResolver
from alexmagnum.whatif.search import (
    NOWHERE,
    Case,
    Chosen,
    Family,
    Given,
    Question,
    Trials,
    given_orders,
    sensible_orders,
)

# Joint orders that a clever enemy could give against one unit or one centre.
#
# Where a question has too many cases to try all, orders drawn by chance hardly ever include such
# a plan, so plans are made on purpose. For every unit that could attack a target there is a plan
# in which it does so with all available help, while the units left over attack the other targets;
# and one for every unit in the way, in which it stays with all available support. The worst of
# these plans is possible, but need not be the worst of all.


Plan = dict[int, int]
"""The number of the order of each unit, by unit number; orders are added while it is made."""


class _Planner:
    """Makes plans against the targets of one question.

    ``given`` has the orders of units that have no choice.  ``targets`` are the provinces that
    matter: the centres in question, the places of the units in question and of units that help
    them, and the provinces that the units in question enter or are hauled over.
    """

    def __init__(self, trials: Trials, question: Question) -> None:
        self.trials = trials
        self.province = trials.position.tables.province
        self.given: Plan = {u: 0 for u, row in enumerate(trials.orders) if len(row) == 1}
        there = [u for u in self.given if self.province[u] in question.provinces]
        subjects = dict.fromkeys([*question.units, *there])
        acts = {u: trials.acts[u][0] for u in self.given}
        targets: list[int] = [*question.provinces, *(self.province[u] for u in subjects)]
        for u in subjects:
            if u in acts:
                targets += acts[u].enters
                targets += [acts[u].over] if acts[u].over != NOWHERE else []
        targets += [self.province[u] for u, act in acts.items() if act.helps in subjects]
        self.targets = tuple(dict.fromkeys(targets))

    def list_plans(self) -> list[Plan]:
        """Return all plans, each once."""
        plans: dict[frozenset[tuple[int, int]], Plan] = {}
        for plan in self._plans():
            plans.setdefault(frozenset(plan.items()), plan)
        return list(plans.values())

    def _plans(self) -> Iterator[Plan]:
        entries = self.trials.entries
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
                    self._help(plan, u, NOWHERE)
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
            for u, i in self.trials.entries[target]:
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

GOOD = frozenset({*WANTED, KEPT})
"""The results that the power wants, of orders and centres."""

MOST_CASES = 2_000
"""The most cases in which a question is worked out before sets are drawn by chance."""

SAMPLE = 2_000
"""The number of joint order sets that are drawn for questions with more cases."""

_CHUNK = 250
"""The number of sets that one worker draws at a time."""


Found = TypeVar("Found")


class Answer(NamedTuple):
    """The result of a unit's order or of a centre, and whether the unit or centre is lost.

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
    """All that is known about the safety of one unit or centre.

    - ``weights``: how many of the ``total`` joint order sets lead to each answer;
    - ``cases``: in how many cases they were worked out;
    - ``choices``: how many joint order sets the units that matter to the question have;
    - ``drawn``: how many of the sets drawn by chance lead to each answer;
    - ``examples``: for each answer the fewest orders known to lead to it; none can be left out.
    """

    subject: Unit | str
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
        drawn = sum(self.drawn[answer] for answer in answers)
        return Count(drawn, self.drawn.total(), False)

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


class Progress(NamedTuple):
    """The progress of a survey: ``done`` of ``all`` questions, ``drawn`` of ``sample`` sets."""

    done: int
    all: int
    drawn: int
    sample: int


class Survey:
    """All questions about the safety of one power's orders, and what is known of each so far.

    ``asking`` is the power, ``against`` are the powers whose units may do anything sensible.  All
    other units do as ``orders`` say, or hold.  :meth:`run` works out one question after another;
    it may be stopped at any time.

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
    ) -> None:
        if position.phase.kind != "movement" or asking in against:
            raise ValueError(asking)
        if unknown := {asking, *against}.difference(position.board.powers):
            raise ValueError(", ".join(sorted(unknown)))
        self._begun_with = position, orders, asking, tuple(against)
        self.position = position
        self.asking = asking
        self.against = tuple(p for p in position.board.powers if p in against)
        self.given: Given = given_orders(position, orders)
        rows = sensible_orders(position, self.given, asking, self.against)
        self.trials = Trials(position, rows)
        self.numbers = dict(zip(self.trials.units, position.tables.numbers, strict=True))
        self.provinces = position.board.tables.index
        self._free = frozenset(u for u, row in enumerate(self.trials.orders) if len(row) > 1)
        self._power = position.board.tables.power[asking]
        units = [unit for unit in self.trials.units if unit.power == asking]
        subjects: list[Unit | str] = [*units, *position.centres_of(asking)]
        self.verdicts = tuple(self._verdict(subject) for subject in subjects)

    def _verdict(self, subject: Unit | str) -> Verdict:
        order = self.given.get(subject) if isinstance(subject, Unit) else None
        return Verdict(subject, order, self.trials.size)

    def question(self, subject: Unit | str) -> Question:
        """Return the question about a unit or a centre, in numbers of the tables."""
        if isinstance(subject, Unit):
            return Question(units=(self.numbers[subject],))
        return Question(provinces=(self.provinces[subject],), power=self._power)

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
        workers: Pool | None = None,
    ) -> Iterator[Progress]:
        """Work out every question, then draw sets for those with more than ``most_cases`` cases.

        ``sample`` joint order sets are drawn.  The same seed draws the same sets, however many
        workers there are.
        """
        jobs = len(self.verdicts)
        for done, _ in enumerate(self._work_out(most_cases, workers), 1):
            yield Progress(done, jobs, 0, 0)
        if not (left := [verdict for verdict in self.verdicts if not verdict.is_exact]):
            return
        asked = tuple(verdict.subject for verdict in left)
        chunks = [
            (asked, f"{seed}-{first}", min(_CHUNK, sample - first))
            for first in range(0, sample, _CHUNK)
        ]
        for number, found_here in enumerate(_do_jobs(workers, self.sample_answers, chunks), 1):
            for verdict, found in zip(left, found_here, strict=True):
                verdict.add(found)
            yield Progress(jobs, jobs, min(number * _CHUNK, sample), sample)

    def _work_out(self, most_cases: int, workers: Pool | None) -> Iterator[None]:
        """Work out one question after another; what is found so far is kept if the caller stops."""
        if workers is None:
            for verdict in self.verdicts:
                self._explore(verdict, most_cases)
                yield
            return
        jobs = [(verdict.subject, most_cases) for verdict in self.verdicts]
        for verdict, found in zip(
            self.verdicts, _do_jobs(workers, self.work_out, jobs), strict=True
        ):
            verdict.add(found)
            yield

    def work_out(self, subject: Unit | str, most_cases: int) -> Verdict:
        """Work out one question in up to ``most_cases`` cases, then with plans made against it."""
        verdict = self._verdict(subject)
        self._explore(verdict, most_cases)
        return verdict

    def _explore(self, verdict: Verdict, most_cases: int) -> None:
        question = self.question(verdict.subject)
        families: list[Family] = []
        for family in self.trials.families(question):
            families.append(family)
            self._try_family(verdict, family, most_cases)
            if verdict.cases >= most_cases:
                break
        if verdict.is_exact:
            verdict.choices = self._count_choices(question, families)
        else:
            for plan in _Planner(self.trials, question).list_plans():
                answer = self._answer(verdict.subject, plan)
                self._keep_example(verdict, answer, self.trials.case(question, plan))
        self._shorten_examples(verdict)

    def _try_family(self, verdict: Verdict, family: Family, most_cases: int) -> None:
        """Add the answers of a family of cases, as far as to the most cases wanted."""
        subject, question = verdict.subject, self.question(verdict.subject)
        for group, weight in zip(family.groups, family.weights, strict=True):
            if verdict.cases >= most_cases:
                return
            own = {family.unit: group.orders[0]} if group.orders else {}
            answer = self._answer(subject, {**family.chosen, **own})
            verdict.weights[answer] += weight
            verdict.cases += 1
            known = verdict.examples.get(answer)
            if known is None or family.count_active(group, self._free) < len(known):
                case = self.trials.case_of(question, family, group, weight)
                self._keep_example(verdict, answer, case)

    def _count_choices(self, question: Question, families: Sequence[Family]) -> int:
        """Return how many joint order sets the units have whose orders matter in some case."""
        active: set[int] = set()
        for family in families:
            if not active.issuperset({*family.active, family.unit}):
                for group in family.groups:
                    active.update(self.trials.case_of(question, family, group, 1).active)
        return prod(len(self.trials.orders[u]) for u in active)

    def sample_answers(
        self, subjects: Sequence[Unit | str], seed: str, count: int
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

    def _keep_example(self, verdict: Verdict, answer: Answer, case: Case) -> None:
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

    def _answer(self, subject: Unit | str, chosen: Chosen) -> Answer:
        """Return one answer for a joint order set, judging only what it rests on."""
        return self._read_answer(subject, self.trials.results(chosen))

    def _read_answer(self, subject: Unit | str, results: PartialResolver) -> Answer:
        if isinstance(subject, Unit):
            u = self.numbers[subject]
            return Answer(results.result(u), results.is_lost(u))
        lost = results.is_entered(self.provinces[subject], self._power)
        return Answer(ENTERED if lost else KEPT, lost)

    def adjudicate_example(self, example: Example) -> MovementOutcome:
        """Adjudicate the phase with the orders of an example; the other units of others hold."""
        orders: dict[str, list[MovementOrder]] = {}
        for unit, order in self.given.items():
            if unit.power not in self.against:
                orders.setdefault(unit.power, []).append(order)
        for order in example:
            power = self.position.names[order.unit].power
            orders.setdefault(power, []).append(order)
        return resolve_movement(self.position, orders)


def _do_jobs(
    workers: Pool | None, work: Callable[..., Found], jobs: Sequence[tuple[Any, ...]]
) -> Iterator[Found]:
    """Yield the results of all jobs in their sequence, done here or by several workers."""
    if workers is None:
        return (work(*job) for job in jobs)
    return workers.imap(partial(_do_job, pickle.dumps(work)), jobs)


def _do_job(work: bytes, job: tuple[Any, ...]) -> Any:
    """Run a job in a worker; its function comes with every job and is unpickled once."""
    return _unpickle(work)(*job)


@lru_cache(maxsize=1)
def _unpickle(work: bytes) -> Callable[..., Any]:
    found: Callable[..., Any] = pickle.loads(work)
    return found
