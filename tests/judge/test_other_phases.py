"""Picks, deployment, retreats and winter: what the case files cannot say."""

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
from alexmagnum.judge.other_phases import find_free_place, list_building_places
from alexmagnum.judge.outcome import Outcome
from alexmagnum.orders import Build, Disband, Hold, Order, Pick, Remove, Retreat, Waive
from alexmagnum.position import Dislodged, Phase, Position, Unit

BOARD = load_board("alexmagnum")
TWO_PLACES = BOARD.with_rules({"major_city_capacity": 2})
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


def test_a_power_in_revolt_contests_no_pick_and_orders_nothing() -> None:
    """R3"""
    picked = _picks({"TOL": [Pick("ALE")], "SEL": [Pick("ALE")]}, nobility={"SEL": 0})
    fallen = Dislodged(Unit("SEL", "G", "TEB"), Unit("TOL", "A", "MEN"), ("NUB",))
    refused: dict[Phase, list[Order]] = {
        Phase(323, "deployment", period=6): [Build("A ALE"), Waive()],
        Phase(318, "spring", retreats=True): [Retreat("G TEB", "NUB")],
    }

    assert picked.picks is not None
    assert picked.picks.awards == {"TOL": "ALE"}
    for phase, orders in refused.items():
        dislodged = (fallen,) if phase.retreats else ()
        revolt = Position(
            BOARD, phase, (), {"ALE": "SEL"}, nobility={"SEL": 0}, dislodged=dislodged
        )
        outcome = adjudicate(revolt, {"SEL": orders})
        assert _codes(outcome) == [("illegal", "in-revolt")] * len(orders)
        assert outcome.units == ()
        assert list_building_places(revolt, "SEL") == ()


def test_a_check_of_picks_does_not_tell_what_others_picked() -> None:
    """R30: each power's pick is checked by itself."""
    position = Position(BOARD, Phase(323, "picks", period=1), ())
    checks = check_orders(position, {"TOL": [Pick("ALE")], "SEL": [Pick("ALE")]})

    assert [check.verdict for check in checks] == ["good", "good"]


@pytest.mark.parametrize(
    ("rules", "centres", "units", "orders", "codes"),
    [
        pytest.param(
            {},
            "MEN TEB",
            [Unit("TOL", "F", "EGI")],
            ["A TEB", "A MEN"],
            [("succeeds", "deploys-general"), ("illegal", "deploy-too-many")],
            id="R31: no more than the centres keep, counting what stands on the board already",
        ),
        pytest.param(
            {"major_city_capacity": 2},
            "ALE",
            [Unit("TOL", "F", "ALE")],
            ["A ALE"],
            [("illegal", "build-occupied")],
            id="R31: one to a centre, with two places in a city as well (R26)",
        ),
        pytest.param(
            {},
            "ALE MEN",
            [Unit("TOL", "G", "MEN")],
            ["A ALE"],
            [("succeeds", "deploys")],
            id="a power that has its general gets no second",
        ),
        pytest.param(
            {"nobility": 0},
            "ALE MEN",
            [],
            ["G ALE", "A MEN"],
            [("illegal", "no-generals"), ("succeeds", "deploys")],
            id="R31: the first army stays an army on a board that has no generals",
        ),
    ],
)
def test_a_deployment_is_checked_in_order_of_listing(
    rules: dict[str, int],
    centres: str,
    units: list[Unit],
    orders: list[str],
    codes: list[tuple[str, str]],
) -> None:
    owners = dict.fromkeys(centres.split(), "TOL")
    board = BOARD.with_rules(rules)
    outcome = _deploy({"TOL": list(map(Build, orders))}, owners, board, tuple(units))

    assert _codes(outcome) == codes
    if "nobility" in rules:
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


def test_two_dislodged_from_one_city_are_told_apart() -> None:
    """By number, or by the letter of the unit where that will do."""
    army, fleet = Unit("TOL", "A", "BAB"), Unit("TOL", "F", "BAB", number=2)
    by = Unit("LIS", "A", "OPI")
    position = Position(
        TWO_PLACES,
        Phase(318, "spring", retreats=True),
        (),
        dislodged=(Dislodged(army, by, ("DUR",)), Dislodged(fleet, by, ("DUR",))),
    )
    for order, left in (
        (Disband("A BAB"), ["F DUR"]),
        (Disband("F BAB"), ["A DUR"]),
        (Disband("A BAB#2"), ["A DUR"]),
    ):
        orders: list[Order] = [Retreat("A BAB#1", "DUR"), Retreat("F BAB#2", "DUR"), order]

        assert [str(u) for u in adjudicate(position, {"TOL": orders}).units] == left


def test_a_removal_names_its_unit_by_letter_or_number() -> None:
    army, fleet = Unit("TOL", "A", "ALE"), Unit("TOL", "F", "ALE", number=2)
    position = Position(TWO_PLACES, Phase(318, "winter"), (army, fleet), {"MEN": "TOL"})
    for name, left in (("A ALE", fleet), ("F ALE", army), ("A ALE#2", army)):
        assert adjudicate(position, {"TOL": [Remove(name)]}).units == (left,)


def test_two_of_a_kind_need_their_number() -> None:
    units = (Unit("TOL", "A", "ALE"), Unit("TOL", "A", "ALE", number=2))
    position = Position(TWO_PLACES, Phase(318, "winter"), units, {"MEN": "TOL"})
    outcome = adjudicate(position, {"TOL": [Remove("A ALE")]})

    assert [entry.result for entry in outcome.results] == ["illegal"]


def test_a_city_has_room_for_units_of_its_own_power() -> None:
    """R26, R28: beside one's own units only."""
    units = (Unit("TOL", "A", "ALE", number=2), Unit("SEL", "A", "BAB"))
    owners = {"ALE": "TOL", "BAB": "TOL", "ATE": "TOL", "MEN": "TOL"}
    position = Position(TWO_PLACES, Phase(318, "winter"), units, owners)
    built = (Unit("TOL", "A", "ALE"),)

    assert set(list_building_places(position, "TOL")) == {"ALE", "ATE"}
    assert find_free_place(position, "ALE", "TOL") == 1
    assert find_free_place(position, "ALE", "TOL", built) == 0
    assert find_free_place(position, "BAB", "TOL") == 0
    assert list_building_places(position, "NEU") == ()
