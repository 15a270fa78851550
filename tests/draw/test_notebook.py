"""Notebooks show positions and outcomes as pictures, and explanations print as sentences."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from alexmagnum import Position, Unit, adjudicate, explain, first_position, load_board, read_order

POSITION = first_position(load_board("standard"))
ORDERS = {"Austria": ["A VIE - TYR"], "Italy": ["A VEN - TYR", "A ROM S A VEN - TYR"]}
OUTCOME = adjudicate(
    POSITION,
    {power: [read_order(line, POSITION, power) for line in ls] for power, ls in ORDERS.items()},
)


@pytest.mark.parametrize("value", [POSITION, OUTCOME], ids=["position", "outcome"])
def test_a_notebook_shows_a_picture(value: Position) -> None:
    svg = value._repr_svg_()

    assert svg is not None
    assert svg.startswith("<svg")


def test_two_pictures_in_a_notebook_have_no_id_in_common() -> None:
    shown = [POSITION._repr_svg_() or "", OUTCOME._repr_svg_() or ""]  # type: ignore[attr-defined]
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in shown]

    assert ids[0]
    assert not ids[0] & ids[1]


def test_an_impossible_position_has_no_picture() -> None:
    assert replace(POSITION, units=(Unit("Italy", "A", "XYZ"),))._repr_svg_() is None


def test_drawing_is_loaded_with_the_first_picture() -> None:
    code = (
        "import sys, alexmagnum\n"
        "position = alexmagnum.first_position(alexmagnum.load_board('standard'))\n"
        "print('alexmagnum.draw' in sys.modules)\n"
        "print(position._repr_svg_()[:4], 'alexmagnum.draw' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout.split() == ["False", "<svg", "True"]


def test_an_explanation_prints_as_sentences() -> None:
    explanation = explain(OUTCOME, POSITION.names["A VEN"])

    assert str(explanation).startswith("A VEN - TYR: ")
    assert len(str(explanation).splitlines()) == len(explanation)
    assert explanation.to_text("it") != str(explanation)
    assert "no order" in str(explain(OUTCOME, POSITION.names["A PAR"]))
    for other in (copy.copy(explanation), pickle.loads(pickle.dumps(explanation))):
        assert other == explanation
        assert str(other) == str(explanation)
