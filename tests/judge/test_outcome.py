"""Outcomes are asked about units and orders, never about the judge's own numbers."""

from typing import Any

import pytest

import alexmagnum

VIENNA, VENICE = alexmagnum.Unit("Austria", "A", "VIE"), alexmagnum.Unit("Italy", "A", "VEN")
POSITION = alexmagnum.Position(
    alexmagnum.load_board("standard"), alexmagnum.Phase(1901, "spring"), (VIENNA, VENICE)
)


def test_a_unit_has_the_result_of_its_order() -> None:
    outcome = alexmagnum.adjudicate(POSITION, {"Austria": [alexmagnum.Move("A VIE", "TYR")]})
    assert outcome.result_of(VIENNA) == "succeeds"
    assert outcome.result_of(VENICE) == "stands"


def test_an_order_has_its_result_as_listed() -> None:
    replaced, counted = alexmagnum.Hold("A VIE"), alexmagnum.Move("A VIE", "TYR")
    outcome = alexmagnum.adjudicate(
        POSITION, {"Austria": [replaced, counted], "Italy": [alexmagnum.Hold("A VIE")]}
    )
    assert outcome.result_of(counted) == "succeeds"
    assert outcome.result_of(replaced, "Austria") == "illegal"
    assert outcome.result_of(replaced, "Italy") == "illegal"


def test_what_the_outcome_does_not_have_is_refused() -> None:
    outcome = alexmagnum.adjudicate(POSITION, {})
    number: Any = 0

    for subject in (
        alexmagnum.Unit("Italy", "A", "ROM"),
        alexmagnum.Convoy("F NTH", "A YOR", "NWY"),
    ):
        with pytest.raises(ValueError, match=r".+"):
            outcome.result_of(subject)
    with pytest.raises((ValueError, TypeError), match=r".+"):
        outcome.result_of(number)


@pytest.mark.parametrize("season", ["winter", "picks"])
def test_other_phases_answer_too(season: str) -> None:
    board = alexmagnum.load_board("alexmagnum")
    unit = alexmagnum.Unit("TOL", "A", "ALE")
    where = alexmagnum.Position(
        board, alexmagnum.Phase(323, season, period=season == "picks"), (unit,), {"ALE": "TOL"}
    )
    order = alexmagnum.read_order("Pick MEN" if season == "picks" else "Waive", where, "TOL")
    outcome = alexmagnum.adjudicate(where, {"TOL": [order]})
    assert outcome.result_of(order) == outcome.results[0].result
    assert outcome.result_of(unit) == "stands"
    with pytest.raises(ValueError, match="ROM"):
        outcome.result_of(alexmagnum.Unit("TOL", "A", "ROM"))
    with pytest.raises(ValueError, match="XYZ"):
        outcome.result_of(alexmagnum.Pick("XYZ"))
