"""Reasons say what decided: the right rival, the right figures, and who dislodged whom."""

from __future__ import annotations

import pytest
from hypothesis import given

from alexmagnum.board import load_board
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.checking import check_orders
from alexmagnum.judge.explanation import explain, format_reason
from alexmagnum.judge.outcome import Outcome
from alexmagnum.notation import read_canonical
from alexmagnum.orders import Build, Disband, Move, Retreat
from alexmagnum.position import Dislodged, Phase, Position, Unit
from tests.scenarios import Scenario, scenarios, thoroughly

STANDARD = load_board("standard")
ALEXMAGNUM = load_board("alexmagnum")


def _outcome(**orders: list[str]) -> Outcome:
    """Return a movement phase in which every unit has an order."""
    units = []
    for power, lines in orders.items():
        for line in lines:
            kind, location = line.split()[:2]
            province, _, coast = location.partition("/")
            units.append(Unit(power, kind, province, coast))
    position = Position(STANDARD, Phase(1901, "spring"), tuple(units))
    return adjudicate(position, read_canonical(orders, position))


def _codes(outcome: Outcome) -> dict[str, tuple[str, list[str]]]:
    return {
        str(entry.unit): (reason.code, [str(unit) for unit in reason.units])
        for entry, reason in zip(outcome.results, outcome.reasons, strict=True)
    }


def test_a_rival_beaten_head_to_head_is_not_what_was_outmatched() -> None:
    """Its prevent strength is 0, however many supports it had."""
    outcome = _outcome(
        France=["A MUN - BER", "A SIL S A MUN - BER", "A PRU S A MUN - BER"],
        Austria=["A TYR - MUN"],
        Germany=["A BER - MUN", "A RUH S A BER - MUN"],
    )

    assert _codes(outcome)["A TYR"] == ("follows", ["A MUN"])


def test_a_unit_is_not_held_against_its_own_side() -> None:
    outcome = _outcome(Austria=["A VIE H", "A BUD - VIE"])

    assert _codes(outcome)["A VIE"] == ("own-attack", ["A BUD"])
    assert _codes(outcome)["A BUD"] == ("own-unit", ["A VIE"])


def test_the_dislodgement_of_a_unit_follows_the_fate_of_its_order() -> None:
    outcome = _outcome(
        Austria=["A VIE - BOH"],
        Germany=["A MUN - BOH"],
        Italy=["A TYR - VIE", "A TRI S A TYR - VIE"],
    )
    (unit,) = [u for u in outcome.position.units if u.province == "VIE"]
    fates = outcome.fates(unit)

    assert [(f.result, f.reason.code) for f in fates] == [
        ("fails", "bounces"),
        ("dislodged", "dislodged"),
    ]
    assert (fates[1].reason.strength, fates[1].reason.against) == (1, 2)
    assert [str(step.fate.unit) for step in explain(outcome, unit)][-2:] == ["A TYR", "A TRI"]


def test_a_paradox_names_the_attack_that_closes_the_circle() -> None:
    """DATC 6.F.14"""
    outcome = _outcome(
        England=["F LON S F WAL - ENG", "F WAL - ENG"],
        France=["A BRE - LON", "F ENG C A BRE - LON"],
    )
    (army,) = [u for u in outcome.position.units if u.province == "BRE"]

    assert _codes(outcome)["A BRE"] == ("paradox", ["F ENG"])
    assert {str(step.fate.unit) for step in explain(outcome, army)} == {"A BRE", "F WAL", "F LON"}


def test_a_support_that_an_attack_did_not_cut_says_why() -> None:
    """An attack does not cut a support directed against where it comes from."""
    outcome = _outcome(
        Italy=["A VEN - TRI", "A TYR S A VEN - TRI"], Austria=["A TRI - TYR", "A VIE H"]
    )

    assert _codes(outcome)["A TYR"] == ("uncut-directed", ["A TRI"])


def test_supports_lost_are_among_the_causes() -> None:
    outcome = _outcome(
        Italy=["A VEN - TRI", "A TYR S A VEN - TRI"], Austria=["A TRI H"], Germany=["A MUN - TYR"]
    )
    (unit,) = [u for u in outcome.position.units if u.province == "VEN"]

    assert _codes(outcome)["A VEN"] == ("held-off", ["A TRI"])
    assert [str(step.fate.unit) for step in explain(outcome, unit)] == [
        "A VEN",
        "A TYR",
        "A MUN",
        "A TRI",
    ]


STOPS = {
    "bounces",
    "outmatched",
    "held-off",
    "loses-head-to-head",
    "own-unit",
    "crowded-out",
    "city-full",
    "city-held",
    "dislodges-stays",
    "way-occupied",
    "way-contested",
    "way-outmatched",
    "way-contested-opposite",
    "way-outmatched-opposite",
    "way-ahead",
    "way-oncoming",
    "way-own-dislodged",
    "express-no-attack",
}
AGREES = {
    "succeeds": {
        "dislodges",
        "outmatches",
        "follows",
        "unopposed",
        "enters",
        "enters-past",
        "enters-city",
        "dislodges-beside",
        "rides",
        "rides-past",
        "hauled",
    },
    "fails": {
        *STOPS,
        "paradox",
        "paradox-way",
        "convoy-dislodged",
        "other-coast",
        "held-off-beside",
        "no-room",
        "no-room-exchange",
        "target-left",
        "not-hauled",
        "not-hauled-attacked",
    },
    "stopped": STOPS,
    "destroyed": {"caught"},
    "stands": {"unattacked", "own-attack", "holds", "beleaguered"},
    "given": {"given", "uncut-directed", "uncut-no-convoy", "uncut-no-way"},
    "cut": {"cut", "cut-dislodged"},
    "available": {"carries"},
    "disrupted": {"dislodged", "paradox-fleet"},
    "dislodged": {"dislodged"},
}
WINS = {"dislodges", "outmatches", "dislodges-beside"}
LOSES = {
    "bounces",
    "outmatched",
    "held-off",
    "loses-head-to-head",
    "crowded-out",
    "held-off-beside",
    "way-contested",
    "way-outmatched",
    "way-contested-opposite",
    "way-outmatched-opposite",
}


@thoroughly
@given(scenarios())
def test_reasons_agree_with_results_and_figures(scenario: Scenario) -> None:
    """And each can be said: its units and places are there."""
    outcome = adjudicate(scenario.position, scenario.orders)
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        assert format_reason(reason, scenario.position, load_sentences("it"))
        if entry.result in AGREES:
            assert reason.code in AGREES[entry.result]
        assert bool(reason.stop) <= (reason.code in STOPS)
        assert reason.room == 0 or reason.code not in ("no-room", "city-full")
        if reason.code in WINS:
            assert reason.strength > reason.against
        if reason.code in LOSES:
            assert reason.strength <= reason.against
    lost = {d.unit for d in outcome.dislodged} | set(outcome.destroyed)
    for unit in scenario.position.units:
        steps = explain(outcome, unit)
        assert steps[0].fate.unit == unit
        told = {fate.reason.code for fate in outcome.fates(unit)}
        assert (unit in lost) == bool(told & {"dislodged", "caught"})


def test_outcomes_are_values() -> None:
    one = _outcome(Austria=["A VIE H", "A BUD - VIE"])
    position = one.position

    assert one == adjudicate(
        position, read_canonical({"Austria": ["A VIE H", "A BUD - VIE"]}, position)
    )
    with pytest.raises(TypeError):
        one.adjust["Austria"] = 1  # type: ignore[index]
    with pytest.raises(ValueError, match="no such unit in this position: A TRI"):
        one.fates(Unit("Austria", "A", "TRI"))


def test_orders_that_cannot_be_are_results_and_no_errors() -> None:
    units = (Unit("Austria", "A", "VIE"),)
    winter = Position(STANDARD, Phase(1901, "winter"), (), {"VIE": "Austria"})
    retreats = Position(
        STANDARD,
        Phase(1901, "spring", retreats=True),
        (),
        dislodged=(Dislodged(units[0], Unit("Italy", "A", "TRI"), ("BOH",)),),
    )
    for position, order in (
        *((winter, Build(text)) for text in ("VIE", "A VIE#x", "Z VIE", "a VIE")),
        *((retreats, order) for order in (Disband("A VIE#x"), Retreat("A VIE", "BOH#x"))),
        (retreats, Move("A VIE", "BOH")),
        (Position(STANDARD, Phase(1901, "spring"), units), Move("A VIE", "A TYR")),
    ):
        outcome = adjudicate(position, {"Austria": [order]})

        assert [entry.result for entry in outcome.results] == ["illegal"]


@pytest.mark.parametrize("name", ["F CRE", "A CRE", "CRE", "G CRE", "F CRE#1"])
def test_no_spelling_of_a_unit_gets_past_its_rules(name: str) -> None:
    """A plain entry is one, whatever letter or number stands before the unit's name (R12)."""
    fleets = tuple(Unit("SEL", "F", "EGE", number=n) for n in (1, 2, 3))
    position = Position(ALEXMAGNUM, Phase(318, "spring"), (Unit("TOL", "F", "CRE"), *fleets))
    outcome = adjudicate(position, {"TOL": [Move(name, "EGE")]})

    assert [(e.result, r.code) for e, r in zip(outcome.results, outcome.reasons, strict=True)] == [
        ("fails", "no-room")
    ]


def test_the_check_blames_a_mismatch_only_where_both_orders_are_ones_own() -> None:
    units = tuple(
        Unit(p, "A", x) for p, x in (("Italy", "VEN"), ("Italy", "TYR"), ("Austria", "BOH"))
    )
    position = Position(STANDARD, Phase(1901, "spring"), units)
    lines = {"Italy": ["A VEN H", "A TYR S A VEN - TRI"]}
    own = check_orders(position, read_canonical(lines, position))
    foreign = check_orders(position, read_canonical({"Italy": ["A TYR S A BOH - VIE"]}, position))

    assert [check.verdict for check in own] == ["good", "doubtful"]
    assert [check.verdict for check in foreign] == ["good"]


def test_a_bounce_has_the_strength_that_counts_against_the_unit_there() -> None:
    """Supports of the power attacked do not count, so it is two against two, not three."""
    outcome = _outcome(
        Austria=["A VIE - GAL", "A TRI S A TYR - VIE", "A BUD - VIE", "A GAL S A BUD - VIE"],
        Germany=["A TYR - VIE", "A BOH S A TYR - VIE"],
    )
    tyrolia = next(unit for unit in outcome.position.units if unit.province == "TYR")
    (fate,) = outcome.fates(tyrolia)

    assert (fate.reason.code, fate.reason.strength, fate.reason.against) == ("bounces", 2, 2)
