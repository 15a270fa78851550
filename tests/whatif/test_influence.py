"""Pruning by influence changes no answer: it is compared with every joint order set there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import prod
from random import Random

from hypothesis import given

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.judge.outcome import Outcome
from alexmagnum.orders import MovementOrder
from alexmagnum.whatif.candidates import movement_orders
from alexmagnum.whatif.search import Question, Trials
from tests.scenarios import CHANCE, Scenario, exhaustively, mostly_small, scenarios
from tests.sizes import sized

SOME = 10
"""Where few order sets are tried, so many questions are asked."""

MOST = sized(100, 250)
"""How many joint order sets a test tries."""

Answer = tuple[object, ...]


def answer(trials: Trials, outcome: Outcome, question: Question) -> Answer:
    """Return the answer of an outcome to a question: results and losses of units, occupiers."""
    units = [trials.units[u] for u in question.units]
    lost = {d.unit for d in outcome.dislodged} | set(outcome.destroyed)
    fates = [(outcome.fates(unit)[0].result, unit in lost) for unit in units]
    ids = [trials.influence.tables.ids[p] for p in question.provinces]
    powers = trials.position.tables.power
    own = {unit.power for u, unit in enumerate(trials.units) if powers[u] == question.power}
    there = [any(u.province == at and u.power not in own for u in outcome.units) for at in ids]
    return (*fates, *there)


def widen_orders(scenario: Scenario, rng: Random, most: int) -> Trials:
    """Return the orders of a scenario, with further legal orders: ``most`` sets of them at most."""
    position = scenario.position
    orders: dict[str, MovementOrder] = {}
    for listed in scenario.orders.values():
        orders.update({order.unit: order for order in listed})
    legal = movement_orders(position)
    rows: list[list[MovementOrder]] = []
    for unit in position.tables.units:
        given_ = orders.get(position.name(unit))
        rows.append([given_] if given_ else list(legal[unit][:1]))
    for u in rng.sample(range(len(rows)), len(rows)):
        more = [o for o in legal[position.tables.units[u]] if o not in rows[u]]
        rng.shuffle(more)
        room = most // max(1, prod(len(row) or 1 for row in rows)) - 1
        rows[u] += more[: max(0, min(room, rng.randint(1, 4)))]
    return Trials(position, rows)


def every_set(trials: Trials) -> Iterator[dict[int, int]]:
    for choice in product(*(row or [-1] for row in trials.everything)):
        yield {u: i for u, i in enumerate(choice) if i >= 0}


def questions(trials: Trials) -> Iterator[Question]:
    """Return a question for every unit of a power and for every occupied province."""
    for u, unit in enumerate(trials.units):
        if unit.power != INDEPENDENT:
            yield Question(units=(u,))
    tables = trials.position.tables
    for province in sorted(set(tables.province)):
        for power in sorted(set(tables.power)):
            yield Question(provinces=(province,), power=power)


@exhaustively
@given(scenarios(chance=CHANCE), CHANCE)
def test_the_cases_have_the_answers_of_all_joint_order_sets(
    scenario: Scenario, rng: Random
) -> None:
    most = mostly_small(MOST, rng)
    trials = widen_orders(scenario, rng, most)
    outcomes = [trials.outcome(chosen) for chosen in every_set(trials)]
    asked = list(questions(trials))
    if most < MOST:
        asked = rng.sample(asked, min(len(asked), SOME))

    for question in asked:
        plain = Counter(answer(trials, outcome, question) for outcome in outcomes)
        pruned: Counter[Answer] = Counter()
        for case in trials.cases(question):
            pruned[answer(trials, trials.outcome(case.chosen), question)] += case.weight
        assert pruned == plain
