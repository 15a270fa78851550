"""Generals and garrisons, asked of the library; the case files have the rest, ruling by ruling."""

from __future__ import annotations

from alexmagnum.board import load_board
from alexmagnum.judge import adjudicate
from alexmagnum.orders import Move, Order, Support
from alexmagnum.position import Phase, Position, Unit

BOARD = load_board("alexmagnum")


def _position(*units: str, season: str = "spring", **more: object) -> Position:
    """Return a position from texts such as ``TOL G ALE`` or ``NEU A CIR``."""
    made = []
    for text in units:
        power, kind, place = text.split()
        province, _, number = place.partition("#")
        made.append(Unit(power, kind, province, number=int(number or 1)))
    return Position(BOARD, Phase(318, season), tuple(made), **more)  # type: ignore[arg-type]


def _results(position: Position, **orders: list[Order]) -> list[str]:
    return [entry.result for entry in adjudicate(position, orders).results]


def test_a_general_beats_a_phalanx_that_holds() -> None:
    """R1: base strength 2 against 1."""
    outcome = adjudicate(
        _position("TOL G MEN", "SEL A TEB"), {"TOL": [Move("G MEN", "TEB")], "SEL": []}
    )

    assert [entry.result for entry in outcome.results] == ["succeeds"]
    assert [str(d.unit) for d in outcome.dislodged] == ["A TEB"]


def test_a_general_holds_with_two_even_after_a_failed_move() -> None:
    """R1: also when it was ordered to move and failed."""
    position = _position(
        "TOL G MEN", "TOL A NOC", "SEL A TEB", "SEL A SIW", "LIS G ALE", "LIS A FOC"
    )
    outcome = adjudicate(
        position,
        {
            "TOL": [Move("G MEN", "NOC")],
            "SEL": [Support("A SIW", "A TEB", "MEN"), Move("A TEB", "MEN")],
        },
    )

    assert not outcome.dislodged


def test_the_support_of_a_general_counts_one() -> None:
    """R1: a phalanx with the general's support is stopped by a supported phalanx."""
    position = _position("TOL A NOC", "TOL G ALE", "SEL A MEN", "SEL A TEB")
    results = _results(
        position,
        TOL=[Move("A NOC", "MEN"), Support("G ALE", "A NOC", "MEN")],
        SEL=[Support("A TEB", "A MEN")],
    )

    assert results == ["fails", "given", "given"]


def test_a_lone_phalanx_fails_against_a_garrison_and_a_supported_one_destroys_it() -> None:
    """R27: the garrison goes at once, without a retreat."""
    position = _position("TOL A MAM", "TOL A SIW", "NEU A CIR")
    alone = adjudicate(position, {"TOL": [Move("A MAM", "CIR")]})
    together = adjudicate(
        position, {"TOL": [Move("A MAM", "CIR"), Support("A SIW", "A MAM", "CIR")]}
    )

    assert [e.result for e in alone.results] == ["fails"]
    assert together.destroyed == (Unit("NEU", "A", "CIR"),)
    assert together.dislodged == ()


def test_a_garrison_takes_no_orders() -> None:
    """R27: it always holds."""
    position = _position("NEU A CIR")

    assert _results(position, NEU=[Move("A CIR", "MAM")]) == ["illegal"]


def test_a_general_without_a_retreat_costs_a_point_at_once() -> None:
    """R2: from 10 points to 9; nobody else loses any."""
    position = _position("SEL G NUB", "TOL G TEB", "TOL A TRO")
    outcome = adjudicate(
        position, {"TOL": [Move("G TEB", "NUB"), Support("A TRO", "G TEB", "NUB")]}
    )

    assert [d.retreats for d in outcome.dislodged] == [()]
    assert outcome.nobility == {**dict.fromkeys(BOARD.powers, 10), "SEL": 9}


def test_what_a_generals_support_counts_is_a_switch() -> None:
    """R1: ``general_support``, 1 by default."""
    board = BOARD.with_rules({"general_support": 2})
    units = tuple(
        Unit(power, kind, province)
        for power, kind, province in (
            ("TOL", "A", "NOC"),
            ("TOL", "G", "ALE"),
            ("SEL", "A", "MEN"),
            ("SEL", "A", "TEB"),
        )
    )
    orders: dict[str, list[Order]] = {
        "TOL": [Move("A NOC", "MEN"), Support("G ALE", "A NOC", "MEN")],
        "SEL": [Support("A TEB", "A MEN")],
    }
    outcome = adjudicate(Position(board, Phase(318, "spring"), units), orders)

    assert [entry.result for entry in outcome.results] == ["succeeds", "given", "given"]
