"""The recorded counts hold: whatever changes them was meant to, and is recorded anew."""

from __future__ import annotations

import pytest

from alexmagnum.position import Position
from tests.perft import count_figures, load_positions, load_recorded

POSITIONS = load_positions()


@pytest.mark.parametrize(("name", "position"), POSITIONS.items(), ids=POSITIONS)
def test_the_counts_are_those_recorded(name: str, position: Position) -> None:
    assert count_figures(position) == load_recorded()[name]


def test_nothing_is_recorded_of_a_position_that_is_gone() -> None:
    assert load_recorded().keys() == POSITIONS.keys()


def test_every_kind_of_phase_is_counted() -> None:
    kinds = {position.phase.kind for position in POSITIONS.values()}

    assert kinds == {"movement", "retreats", "winter", "picks", "deployment"}
