"""Outcomes are asked about units and orders, never about the judge's own numbers."""

from __future__ import annotations

from typing import Any

import pytest

from alexmagnum import (
    Convoy,
    Hold,
    Move,
    Phase,
    Pick,
    Position,
    Unit,
    adjudicate,
    load_board,
    read_order,
)

VIENNA, VENICE = Unit("Austria", "A", "VIE"), Unit("Italy", "A", "VEN")
POSITION = Position(load_board("standard"), Phase(1901, "spring"), (VIENNA, VENICE))


def test_a_unit_has_the_result_of_its_order() -> None:
    outcome = adjudicate(POSITION, {"Austria": [Move("A VIE", "TYR")]})
    assert outcome.result_of(VIENNA) == "succeeds"
    assert outcome.result_of(VENICE) == "stands"


def test_an_order_has_its_result_as_listed() -> None:
    replaced, counted = Hold("A VIE"), Move("A VIE", "TYR")
    outcome = adjudicate(POSITION, {"Austria": [replaced, counted], "Italy": [Hold("A VIE")]})
    assert outcome.result_of(counted) == "succeeds"
    assert outcome.result_of(replaced, "Austria") == "illegal"
    assert outcome.result_of(replaced, "Italy") == "illegal"


def test_what_the_outcome_does_not_have_is_refused() -> None:
    outcome = adjudicate(POSITION, {})
    number: Any = 0

    for subject in (Unit("Italy", "A", "ROM"), Convoy("F NTH", "A YOR", "NWY")):
        with pytest.raises(ValueError, match=r".+"):
            outcome.result_of(subject)
    with pytest.raises((ValueError, TypeError), match=r".+"):
        outcome.result_of(number)


@pytest.mark.parametrize("season", ["winter", "picks"])
def test_other_phases_answer_too(season: str) -> None:
    board = load_board("alexmagnum")
    unit = Unit("TOL", "A", "ALE")
    where = Position(board, Phase(323, season, period=season == "picks"), (unit,), {"ALE": "TOL"})
    order = read_order("Pick MEN" if season == "picks" else "Waive", where, "TOL")
    outcome = adjudicate(where, {"TOL": [order]})
    assert outcome.result_of(order) == outcome.results[0].result
    assert outcome.result_of(unit) == "stands"
    with pytest.raises(ValueError, match="ROM"):
        outcome.result_of(Unit("TOL", "A", "ROM"))
    with pytest.raises(ValueError, match="XYZ"):
        outcome.result_of(Pick("XYZ"))
