"""Convoys are reachability: what a fleet is good for, and that size costs nothing much."""

from __future__ import annotations

from itertools import pairwise

from alexmagnum.board import load_board
from alexmagnum.board.geography import Border, Province
from alexmagnum.board.model import Board
from alexmagnum.board.numbers import ProvinceNo
from alexmagnum.judge import adjudicate
from alexmagnum.judge.convoys import can_cross, is_useful
from alexmagnum.orders import Convoy, Move, Order
from alexmagnum.position import Phase, Position, Unit

STANDARD = load_board("standard")


def _numbers(*names: str) -> set[ProvinceNo]:
    return {STANDARD.tables.index[name] for name in names}


def _useful(sea: str, seas: set[ProvinceNo], start: str, end: str) -> bool:
    index = STANDARD.tables.index
    return is_useful(STANDARD.tables, seas, index[sea], index[start], index[end])


def test_fleets_join_two_shores_over_any_number_of_seas() -> None:
    index = STANDARD.tables.index
    chain = _numbers("ENG", "MAO", "WES", "TYS")

    assert can_cross(STANDARD.tables, chain, index["LON"], index["NAP"])
    assert not can_cross(STANDARD.tables, chain - _numbers("WES"), index["LON"], index["NAP"])


def test_a_sea_that_hangs_on_by_one_other_sea_is_no_help() -> None:
    """DATC 6.F.12: the fleet in the Irish Sea is on no way from London to Belgium."""
    seas = _numbers("ENG", "IRI", "NAO", "MAO")

    assert _useful("ENG", seas, "LON", "BEL")
    assert not _useful("IRI", seas, "LON", "BEL")


def test_a_detour_past_a_sea_that_serves_both_shores_is_no_help() -> None:
    """DATC 6.G.19: the Gulf of Lyon alone carries from Marseilles to Spain."""
    seas = _numbers("LYO", "WES")

    assert _useful("LYO", seas, "MAR", "SPA")
    assert not _useful("WES", seas, "MAR", "SPA")


def test_a_longer_way_that_keeps_off_both_shores_counts() -> None:
    """DATC 6.G.6: the English Channel is on the southern way from Liverpool to Edinburgh."""
    assert _useful("ENG", _numbers("IRI", "ENG", "NTH", "NAO", "NWG"), "LVP", "EDI")


def test_the_two_ways_from_a_sea_may_not_share_another() -> None:
    """MAO reaches both London and Wales only through the Channel (NAO and IRI are empty)."""
    assert not _useful("MAO", _numbers("ENG", "MAO"), "LON", "WAL")


def _chain_board(length: int) -> Board:
    """Return two lands, and between them a chain of seas."""
    seas = [f"S{i:02}" for i in range(length)]
    provinces = {
        "AAA": Province("AAA", {"en": "Start"}, coastal=True),
        "ZZZ": Province("ZZZ", {"en": "End"}, coastal=True),
        **{sea: Province(sea, {"en": f"Sea {sea}"}, terrain="sea") for sea in seas},
    }
    way = ["AAA", *seas, "ZZZ"]
    borders = tuple(Border(a, b, "fleet") for a, b in pairwise(way))
    return Board("chain", {"en": "Chain"}, provinces, dict(STANDARD.powers), borders)


def test_a_convoy_through_forty_fleets_arrives() -> None:
    board = _chain_board(40)
    seas = [p.id for p in board.provinces.values() if p.is_sea]
    units = (Unit("Italy", "A", "AAA"), *(Unit("Italy", "F", sea) for sea in seas))
    orders: list[Order] = [
        Move("A AAA", "ZZZ"),
        *(Convoy(f"F {sea}", "A AAA", "ZZZ") for sea in seas),
    ]

    outcome = adjudicate(Position(board, Phase(1901, "spring"), units), {"Italy": orders})

    assert {entry.result for entry in outcome.results} == {"succeeds", "available"}
    assert Unit("Italy", "A", "ZZZ") in outcome.units


def test_a_detour_between_two_seas_that_touch_is_no_help() -> None:
    """Lyon and the Western Mediterranean touch, so the Tyrrhenian Sea is never needed."""
    seas = _numbers("LYO", "TYS", "WES", "MAO")

    assert _useful("WES", seas, "MAR", "GAS")
    assert not _useful("TYS", seas, "MAR", "GAS")


def test_a_column_of_any_length_follows_its_head() -> None:
    """Seven hundred armies in a row, each ordered to where the next one stands."""
    names = [f"P{i:03}" for i in range(701)]
    provinces = {name: Province(name, {"en": f"Place {name}"}) for name in names}
    borders = tuple(Border(a, b, "army") for a, b in pairwise(names))
    board = Board("row", {"en": "Row"}, provinces, dict(STANDARD.powers), borders)
    units = tuple(Unit("Italy", "A", name) for name in names[:-1])
    orders: list[Order] = [Move(f"A {a}", b) for a, b in pairwise(names)]

    outcome = adjudicate(Position(board, Phase(1901, "spring"), units), {"Italy": orders})

    assert {entry.result for entry in outcome.results} == {"succeeds"}
