"""What-if agrees with the judge in every case file, and its pruning changes no answer there."""

from __future__ import annotations

import pytest

from alexmagnum.cases.files import Case
from alexmagnum.cases.runner import resolve_turn
from alexmagnum.judge.results import MovementOutcome, result_by_number
from alexmagnum.whatif.flips import CURRENT, Flips
from alexmagnum.whatif.search import Question
from tests.case_library import cases_in

MOVEMENT = [
    case
    for case in (*cases_in("cases"), *cases_in("datc"))
    if case.turn.position is not None and case.turn.position.phase.kind == "movement"
]


CASES = [
    pytest.param(case, id=case.id, marks=pytest.mark.proof if number % 3 else ())
    for number, case in enumerate(MOVEMENT)
]
"""All of them; `make test` tries one in three."""


def test_there_are_many() -> None:
    assert len(MOVEMENT) > 200


@pytest.mark.parametrize("case", CASES)
def test_every_order_has_the_result_that_the_judge_gives_it(case: Case) -> None:
    resolution = resolve_turn(case.turn)
    outcome = resolution.outcome
    assert isinstance(outcome, MovementOutcome)
    for unit in outcome.position.tables.units:
        flips = Flips(outcome.position, resolution.orders, unit)
        told = [(fate.result, fate.reason) for fate in outcome.fates(unit)]
        assert flips.result == told[0][0]
        assert [(fate.result, fate.reason) for fate in flips.outcome.fates(unit)] == told


@pytest.mark.parametrize("case", CASES)
def test_the_orders_that_can_matter_come_to_the_same_alone(case: Case) -> None:
    resolution = resolve_turn(case.turn)
    outcome = resolution.outcome
    assert isinstance(outcome, MovementOutcome)
    tables = outcome.position.tables
    for u, unit in zip(tables.numbers, tables.units, strict=True):
        trials = Flips(outcome.position, resolution.orders, unit).trials
        given = {v: CURRENT for v, row in enumerate(trials.orders) if row}
        near = trials.case(Question(units=(u,)), given)
        assert result_by_number(trials.outcome(near.chosen), u) == result_by_number(outcome, u)
