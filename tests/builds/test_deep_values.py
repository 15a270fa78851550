"""Values that lie deep in containers are freed like all others, in both builds."""

from __future__ import annotations

from alexmagnum.board import load_board
from alexmagnum.orders import Move
from alexmagnum.position import Phase, Position, Unit

DEPTH = 300


def _lie_deep(depth: int) -> object:
    """Return lists within lists, each with values that nothing else holds."""
    board, deep = load_board("standard"), list[object]()
    for number in range(depth):
        unit = Unit(f"power {number}", "A", "VIE")
        position = Position(board, Phase(number, "spring"), (unit,))
        assert position.tables.units == (unit,)
        deep = [deep, unit, position, Move(f"A VIE {number}", "TYR")]
    return deep


def test_values_that_lie_deep_in_containers_are_freed_without_harm() -> None:
    for _ in range(50):
        deep = _lie_deep(DEPTH)
        del deep
    made = [Unit(f"power {number}", "A", "VIE") for number in range(10_000)]

    assert [unit.power for unit in made] == [f"power {number}" for number in range(10_000)]
