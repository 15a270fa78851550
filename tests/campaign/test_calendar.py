"""What comes after a phase, and who owns what then."""

from __future__ import annotations

import pytest

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.campaign import next_position, owners_after
from alexmagnum.judge import adjudicate
from alexmagnum.orders import Move, Order, Support
from alexmagnum.position import Phase, Position, Unit, parse_phase

STANDARD = load_board("standard")
ALEXMAGNUM = load_board("alexmagnum")


@pytest.mark.parametrize(
    ("board", "phase", "following"),
    [
        (STANDARD, "1901-spring", "1901-autumn"),
        (STANDARD, "1901-autumn", "1901-winter"),
        (STANDARD, "1901-winter", "1902-spring"),
        (ALEXMAGNUM, "322-winter", "321-spring"),
    ],
)
def test_the_calendar_goes_on(board: Board, phase: str, following: str) -> None:
    """Years before Christ count down."""
    position = Position(board, parse_phase(phase), ())

    assert str(next_position(adjudicate(position, {})).phase) == following


def _dislodging(season: str, *, way_out: bool) -> Position:
    units = [Unit("Italy", "A", "VEN"), Unit("Italy", "A", "TYR"), Unit("Austria", "A", "TRI")]
    if not way_out:
        units += [Unit("Turkey", "A", p) for p in ("ALB", "SER", "BUD", "VIE")]
    return Position(STANDARD, Phase(1901, season), tuple(units), {"TRI": "Austria"})


ATTACK: dict[str, list[Order]] = {"Italy": [Move("A VEN", "TRI"), Support("A TYR", "A VEN", "TRI")]}


def test_retreats_come_only_where_one_is_open() -> None:
    waiting = next_position(adjudicate(_dislodging("spring", way_out=True), ATTACK))
    none = next_position(adjudicate(_dislodging("spring", way_out=False), ATTACK))

    assert str(waiting.phase) == "1901-spring-retreats"
    assert [str(d.unit) for d in waiting.dislodged] == ["A TRI"]
    assert str(none.phase) == "1901-autumn"


def test_ownership_changes_after_an_autumns_retreats() -> None:
    """R29: not in spring, and not while a retreat is still open."""
    spring = adjudicate(_dislodging("spring", way_out=False), ATTACK)
    autumn = adjudicate(_dislodging("autumn", way_out=False), ATTACK)
    pending = adjudicate(_dislodging("autumn", way_out=True), ATTACK)
    after = adjudicate(next_position(pending), {})

    assert owners_after(spring)["TRI"] == "Austria"
    assert owners_after(autumn)["TRI"] == "Italy"
    assert owners_after(pending)["TRI"] == "Austria"
    assert owners_after(after)["TRI"] == "Italy"


def test_garrisons_own_nothing() -> None:
    """R29: independent units own nothing new."""
    position = Position(ALEXMAGNUM, Phase(318, "autumn"), (Unit("NEU", "A", "CIR"),))

    assert owners_after(adjudicate(position, {})) == {}
