"""Picks and deployment: what the case files cannot say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.judge import adjudicate
from alexmagnum.judge.checking import check_orders
from alexmagnum.judge.outcome import Outcome
from alexmagnum.orders import Build, Hold, Order, Pick, Waive
from alexmagnum.position import Phase, Position, Unit

BOARD = load_board("alexmagnum")
STANDARD = load_board("standard")

Orders = Mapping[str, Sequence[Order]]


def _picks(orders: Orders, **position: object) -> Outcome:
    phase = Phase(323, "picks", period=1)
    return adjudicate(Position(BOARD, phase, (), **position), orders)  # type: ignore[arg-type]


def _deploy(
    orders: Orders, owners: Mapping[str, str], board: Board = BOARD, units: tuple[Unit, ...] = ()
) -> Outcome:
    position = Position(board, Phase(323, "deployment", period=6), units, owners)
    return adjudicate(position, orders)


def _codes(outcome: Outcome) -> list[tuple[str, str]]:
    return [
        (entry.result, reason.code)
        for entry, reason in zip(outcome.results, outcome.reasons, strict=True)
    ]


PICKS = st.dictionaries(
    st.sampled_from([*BOARD.powers]),
    st.lists(
        st.sampled_from(["ALE", "BAB", "TAX", "LAH", "CIR", "FOC", "EGE"]).map(Pick), max_size=2
    ),
)


@given(PICKS, st.randoms(use_true_random=False))
def test_the_order_of_listing_does_not_matter(orders: Orders, shuffler: Random) -> None:
    """Nor does who is listed first; the awards are those named just once by a valid pick."""
    listed = list(orders.items())
    shuffler.shuffle(listed)
    owners = {"LAH": "CAN"}
    one, other = _picks(orders, owners=owners), _picks(dict(listed), owners=owners)
    assert one.picks is not None
    assert one.picks == other.picks

    awarded, void = one.picks.awards, set(one.picks.void)
    assert len(set(awarded.values())) == len(awarded)
    assert not set(awarded) & void
    assert not set(awarded.values()) & set(one.picks.contested)
    for power in set(BOARD.powers) - void - set(awarded):
        last = orders[power][-1]
        assert isinstance(last, Pick)
        assert last.centre in one.picks.contested


def test_every_pick_says_why() -> None:
    """R30: each fault has a reason of its own."""
    outcome = _picks(
        {
            "TOL": [Pick("ALE"), Pick("BAB")],
            "SEL": [Pick("BAB")],
            "LIS": [Pick("TRA")],
            "AUT": [Pick("MEN")],
            "CAS": [Pick("CIR"), Hold("A MEN")],
            "CAN": [Pick("ATE")],
            "NEU": [Pick("TEB")],
        },
        owners={"LAH": "CAN", "MEN": "TOL"},
    )

    assert _codes(outcome) == [
        ("illegal", "replaced"),
        ("fails", "pick-contested"),
        ("fails", "pick-contested"),
        ("succeeds", "pick-awarded"),
        ("illegal", "pick-owned"),
        ("illegal", "pick-not-pickable"),
        ("illegal", "wrong-phase"),
        ("illegal", "pick-outside"),
        ("illegal", "garrison-holds"),
    ]
    assert outcome.reasons[1].powers == ("SEL",)
    assert outcome.picks is not None
    assert outcome.picks.void == ("AUT", "CAS", "CAN")


def test_a_power_in_revolt_picks_and_places_nothing() -> None:
    """R3: it orders nothing, and so contests nothing."""
    picked = _picks({"TOL": [Pick("ALE")], "SEL": [Pick("ALE")]}, nobility={"SEL": 0})
    position = Position(
        BOARD, Phase(323, "deployment", period=6), (), {"ALE": "SEL"}, nobility={"SEL": 0}
    )
    placed = adjudicate(position, {"SEL": [Build("A ALE"), Waive()]})

    assert picked.picks is not None
    assert picked.picks.awards == {"TOL": "ALE"}
    assert _codes(placed) == [("illegal", "in-revolt"), ("illegal", "in-revolt")]
    assert placed.units == ()


def test_a_check_of_picks_does_not_tell_what_others_picked() -> None:
    """R30: each power's pick is checked by itself."""
    position = Position(BOARD, Phase(323, "picks", period=1), ())
    checks = check_orders(position, {"TOL": [Pick("ALE")], "SEL": [Pick("ALE")]})

    assert [check.verdict for check in checks] == ["good", "good"]


def test_what_is_too_much_is_refused_in_order_of_listing() -> None:
    """R31: no more than the centres keep, counting what stands on the board already."""
    owners = {"MEN": "TOL", "TEB": "TOL"}
    outcome = _deploy(
        {"TOL": [Build("A TEB"), Build("A MEN")]}, owners, units=(Unit("TOL", "F", "EGI"),)
    )

    assert _codes(outcome) == [("succeeds", "deploys-general"), ("illegal", "deploy-too-many")]


def test_no_unit_is_placed_beside_another() -> None:
    """R31: one to a centre, with two places in a city as well (R26)."""
    board = BOARD.with_rules({"major_city_capacity": 2})
    outcome = _deploy({"TOL": [Build("A ALE")]}, {"ALE": "TOL"}, board, (Unit("TOL", "F", "ALE"),))

    assert _codes(outcome) == [("illegal", "build-occupied")]


def test_a_power_that_has_its_general_gets_no_second() -> None:
    outcome = _deploy(
        {"TOL": [Build("A ALE")]}, {"ALE": "TOL", "MEN": "TOL"}, units=(Unit("TOL", "G", "MEN"),)
    )

    assert _codes(outcome) == [("succeeds", "deploys")]


def test_without_nobility_there_are_no_generals() -> None:
    """R31: the first army stays an army on a board that has none."""
    board = BOARD.with_rules({"nobility": 0})
    outcome = _deploy(
        {"TOL": [Build("G ALE"), Build("A MEN")]}, {"ALE": "TOL", "MEN": "TOL"}, board
    )

    assert _codes(outcome) == [("illegal", "no-generals"), ("succeeds", "deploys")]
    assert outcome.units == (Unit("TOL", "A", "MEN"),)


@pytest.mark.parametrize(
    ("order", "result", "code"),
    [
        ("F STP/SC", "succeeds", "deploys"),
        ("F STP", "fails", "coast-needed"),
        ("F STP/EC", "illegal", "build-coast"),
        ("A STP/SC", "succeeds", "deploys"),
        ("F MOS", "illegal", "build-fleet-inland"),
        ("X STP", "illegal", "build-what"),
        ("A VIE", "illegal", "build-not-owned"),
    ],
)
def test_the_coast_rule_is_that_of_winter(order: str, result: str, code: str) -> None:
    """R31: on any map, and in both phases alike."""
    owners = {"STP": "Russia", "MOS": "Russia"}
    orders = {"Russia": [Build(order)]}
    placed = _deploy(orders, owners, STANDARD)
    built = adjudicate(Position(STANDARD, Phase(1901, "winter"), (), owners), orders)

    assert _codes(placed) == [(result, code)]
    assert built.results[0].result == result
    assert built.units == placed.units
