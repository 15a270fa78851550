"""Reasons fit what happened; ``rulings/reasons.yaml`` has what they say case by case."""

from __future__ import annotations

import pytest
from hypothesis import given

from alexmagnum.board import load_board
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.explanation import explain, format_reason
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.notation import read_canonical
from alexmagnum.orders import Build, Disband, Move, Retreat
from alexmagnum.position import Position
from tests.judge.reason_facts import list_faults
from tests.scenarios import Scenario, scenarios, thoroughly
from tests.units import place_units, read_unit

STANDARD = load_board("standard")


@thoroughly
@given(scenarios())
def test_reasons_agree_with_results_and_figures(scenario: Scenario) -> None:
    """And each can be said: its units and places are there."""
    outcome = adjudicate(scenario.position, scenario.orders)
    assert isinstance(outcome, MovementOutcome)
    assert list(list_faults(outcome)) == []
    for reason in outcome.reasons:
        assert format_reason(reason, scenario.position, load_sentences("it"))
    lost = {d.unit for d in outcome.dislodged} | set(outcome.destroyed)
    for unit in scenario.position.units:
        assert explain(outcome, unit)[0].fate.unit == unit
        told = {fate.reason.code for fate in outcome.fates(unit)}
        assert (unit in lost) == bool(told & {"dislodged", "caught"})


def test_outcomes_are_values() -> None:
    position = place_units("Austria A VIE", "Austria A BUD", board=STANDARD)
    orders = read_canonical({"Austria": ["A VIE H", "A BUD - VIE"]}, position)
    one = adjudicate(position, orders)

    assert one == adjudicate(position, orders)
    with pytest.raises(TypeError):
        one.adjust["Austria"] = 1  # type: ignore[index]
    with pytest.raises(ValueError, match="no such unit in this position: A TRI"):
        one.fates(read_unit("Austria A TRI"))


def test_orders_that_cannot_be_are_results_and_no_errors() -> None:
    winter = Position.from_text("standard 1901-winter Austria::VIE")
    retreats = Position.from_text("standard 1901-spring-retreats Austria:AVIE!Italy.ATRI>BOH")
    spring = Position.from_text("standard 1901-spring Austria:AVIE")
    for position, order in (
        *((winter, Build(text)) for text in ("VIE", "A VIE#x", "Z VIE", "a VIE")),
        *((retreats, order) for order in (Disband("A VIE#x"), Retreat("A VIE", "BOH#x"))),
        (retreats, Move("A VIE", "BOH")),
        (spring, Move("A VIE", "A TYR")),
    ):
        outcome = adjudicate(position, {"Austria": [order]})

        assert [entry.result for entry in outcome.results] == ["illegal"]


@pytest.mark.parametrize("name", ["F CRE", "A CRE", "CRE", "G CRE", "F CRE#1"])
def test_no_spelling_of_a_unit_gets_past_its_rules(name: str) -> None:
    """A plain entry is one, whatever letter or number stands before the unit's name (R12)."""
    position = place_units("TOL F CRE", "SEL F EGE#1", "SEL F EGE#2", "SEL F EGE#3")
    outcome = adjudicate(position, {"TOL": [Move(name, "EGE")]})

    assert [(e.result, r.code) for e, r in zip(outcome.results, outcome.reasons, strict=True)] == [
        ("fails", "no-room")
    ]
