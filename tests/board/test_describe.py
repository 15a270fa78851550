"""What ``map show`` knows about a province."""

from __future__ import annotations

from dataclasses import fields

import pytest

from alexmagnum.board import Board, Rules, load_board
from alexmagnum.board.describe import describe, rules_table


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board("alexmagnum")


def test_a_province_with_two_coasts_lists_neighbours_by_coast() -> None:
    stp = describe(load_board("standard"), "STP")
    assert stp.fleets == {"STP/NC": ("BAR", "NWY"), "STP/SC": ("BOT", "FIN", "LVN")}
    assert (stp.armies, stp.home_of) == (("FIN", "LVN", "MOS", "NWY"), "Russia")
    assert stp.seas == ("BAR", "BOT")


def test_a_river_province_shows_its_place_on_the_course(board: Board) -> None:
    (nilo,) = describe(board, "MEN").rivers
    assert (nilo.river, nilo.place, nilo.length) == ("nilo", 3, 5)
    assert (nilo.downstream, nilo.upstream) == ("NOC", "TEB")


def test_a_common_mouth_lies_on_both_rivers(board: Board) -> None:
    rivers = describe(board, "EUF").rivers
    assert [(r.river, r.place, r.downstream, r.upstream) for r in rivers] == [
        ("eufrate", 1, "", "BAB"),
        ("tigri", 1, "", "OPI"),
    ]


@pytest.mark.parametrize(
    ("province", "role", "reaches"),
    [
        ("SIS", "over", ("SUE",)),
        ("SUE", "end", ("SIS", "EGI", "FEN")),
        ("EGI", "end", ("SUE",)),
        ("ISR", "raider", ()),
    ],
)
def test_r23_the_part_in_the_portage(
    board: Board, province: str, role: str, reaches: tuple[str, ...]
) -> None:
    (portage,) = describe(board, province).portages
    assert (portage.role, portage.reaches) == (role, reaches)


def test_both_sides_of_the_dardanelles_show_the_strait(board: Board) -> None:
    (one,), (two,) = describe(board, "TRA").straits, describe(board, "FRI").straits
    assert (one.to, two.to, one.over, one.kind) == ("FRI", "TRA", "EGE", "both")


def test_a_sea_shows_its_shores_and_the_seas_that_carry_on_a_convoy(board: Board) -> None:
    sea = describe(board, "SUE")
    assert (sea.armies, sea.seas, sea.shores) == ((), ("ROS",), ("SIM", "TRO"))


def test_the_table_of_rules_has_every_switch_with_its_ruling_and_default(board: Board) -> None:
    table = {line.switch: line for line in rules_table(board)}
    assert list(table) == [f.name for f in fields(Rules)]
    assert (table["sea_capacity"].value, table["sea_capacity"].standard) == (3, 1)
    assert table["sea_capacity"].ruling == "R8"


def test_an_unknown_province_is_a_key_error(board: Board) -> None:
    with pytest.raises(KeyError):
        describe(board, "ZZZ")
