"""A board without shapes: cells that touch where there is a border, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from shapely import Polygon
from shapely.validation import explain_validity

from alexmagnum.board import load_board
from alexmagnum.board.geography import ARMY, Border, Province
from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Atlas
from alexmagnum.draw.base_map import make_base_map
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.draw.schematic import schematic_atlas
from tests.board.little import drop, write


@cache
def shipped(name: str) -> Board:
    """Return a map that comes with the package, without its shapes."""
    return replace(load_board(name), geometry="")


def _load_by_name(name: str, tmp_path: Path) -> Board:
    """Return a board by name; "little" is one of them."""
    return load_board(write(tmp_path, drop("geometry"))) if name == "little" else shipped(name)


def _board(ids: str, *borders: str) -> Board:
    """Return an unchecked board of land provinces with army borders, such as ``"AAA BBB"``."""
    provinces = {id_: Province(id_, {"en": id_.title()}) for id_ in ids.split()}
    pairs = (border.split() for border in borders)
    return Board("bare", {"en": "Bare"}, provinces, {}, tuple(Border(a, b, ARMY) for a, b in pairs))


def _cells(atlas: Atlas) -> dict[str, Any]:
    return {ground.id: Polygon(ground.rings[0]) for ground in atlas.grounds.values()}


def _common_length(a: Any, b: Any) -> float:
    """Return the length of the line that two cells share."""
    return float(a.buffer(0.05).intersection(b.buffer(0.05)).area) / 0.1


def _neighbours(board: Board) -> set[tuple[str, str]]:
    return {
        (min(a, b), max(a, b))
        for border in board.borders
        for a, b in [(board.province_of(border.a).id, board.province_of(border.b).id)]
    }


boards = pytest.mark.parametrize("name", ["standard", "alexmagnum", "little"])


@boards
def test_every_province_has_a_whole_cell_on_the_sheet(name: str, tmp_path: Path) -> None:
    board = _load_by_name(name, tmp_path)
    atlas = schematic_atlas(board)

    assert list(atlas.grounds) == list(board.provinces)
    for id_, cell in _cells(atlas).items():
        assert cell.is_valid, (id_, explain_validity(cell))
        assert cell.area > 900, id_
        assert atlas.box.grown(0.1).holds(cell.bounds[:2])
        assert atlas.box.grown(0.1).holds(cell.bounds[2:])


@boards
def test_no_cell_lies_upon_another(name: str, tmp_path: Path) -> None:
    cells = _cells(schematic_atlas(_load_by_name(name, tmp_path)))

    for (a, one), (b, other) in combinations(cells.items(), 2):
        assert one.intersection(other).area < 1, (a, b)


@pytest.mark.parametrize("name", ["standard", "alexmagnum"])
def test_cells_touch_where_there_is_a_border_and_nowhere_else(name: str, tmp_path: Path) -> None:
    """Expect a line for a border that cannot be drawn in the plane."""
    board = _load_by_name(name, tmp_path)
    atlas = schematic_atlas(board)
    cells = _cells(atlas)
    touching = {
        (a, b) for a, b in combinations(sorted(cells), 2) if _common_length(cells[a], cells[b]) > 6
    }
    portages = {("SIS", "SUE")} if board.portages else set()
    seas_of_the_portage = {
        (min("SIS", s), max("SIS", s)) for p in board.portages for s in p.ends[0]
    }

    assert touching <= _neighbours(board) | portages | seas_of_the_portage
    assert len(_neighbours(board) - touching) == len(atlas.links)


def test_the_strait_is_what_is_drawn_as_a_line() -> None:
    board = shipped("alexmagnum")
    atlas = schematic_atlas(board)
    ends = {atlas.grounds[id_].slots[0] for id_ in ("FRI", "TRA")}

    assert [({a, b}, kind) for a, b, kind in atlas.links] == [(ends, "both")]


@pytest.mark.parametrize("name", ["standard", "little"])
def test_units_stand_in_their_cells(name: str, tmp_path: Path) -> None:
    board = _load_by_name(name, tmp_path)
    for ground in schematic_atlas(board).grounds.values():
        cell = Polygon(ground.rings[0])

        assert len(ground.slots) == board.provinces[ground.id].capacity
        for x, y in (*ground.slots, *ground.coasts.values()):
            assert cell.contains(Polygon([(x - 9, y), (x, y - 9), (x + 9, y), (x, y + 9)]))


def test_centres_have_a_place_beside_the_units() -> None:
    board = shipped("standard")
    for ground in schematic_atlas(board).grounds.values():
        assert (ground.city is not None) == bool(board.provinces[ground.id].centre)
        if ground.city:
            (x, y), (u, v) = ground.city, ground.slots[0]

            assert (x - u) ** 2 + (y - v) ** 2 > 24**2
            assert Polygon(ground.rings[0]).contains(Polygon([(x - 8, y), (x, y - 8), (x + 8, y)]))


def test_a_fleet_stands_on_its_coast() -> None:
    """St Petersburg's north coast is nearer to the Barents Sea than its south coast."""
    grounds = schematic_atlas(shipped("standard")).grounds
    coasts, sea = grounds["STP"].coasts, Polygon(grounds["BAR"].rings[0]).centroid

    assert set(coasts) == {"NC", "SC"}
    assert abs(complex(*coasts["NC"]) - complex(sea.x, sea.y)) < abs(
        complex(*coasts["SC"]) - complex(sea.x, sea.y)
    )


@pytest.mark.parametrize(
    ("name", "upper", "lower", "left", "right"),
    [("standard", "NWG", "ION", "MAO", "SEV"), ("alexmagnum", "MES", "ROS", "CIR", "TAX")],
)
def test_the_names_tell_which_way_is_up(
    name: str, upper: str, lower: str, left: str, right: str
) -> None:
    board = load_board(name)
    at = {id_: ground.slots[0] for id_, ground in schematic_atlas(board).grounds.items()}

    assert at[upper][1] < at[lower][1]
    assert at[left][0] < at[right][0]


@pytest.mark.parametrize(
    ("ids", "borders"),
    [
        ("AAA", []),
        ("AAA BBB", ["AAA BBB"]),
        ("AAA BBB CCC", ["AAA BBB", "BBB CCC"]),
        ("AAA BBB CCC DDD EEE", ["AAA BBB", "DDD EEE"]),
        ("AAA BBB CCC DDD EEE FFF", ["AAA BBB", "AAA CCC", "AAA DDD", "AAA EEE", "AAA FFF"]),
    ],
    ids=["one", "two", "three in a row", "in pieces", "a star"],
)
def test_boards_of_every_form_are_drawn(ids: str, borders: list[str]) -> None:
    board = _board(ids, *borders)
    cells = _cells(schematic_atlas(board))

    assert list(cells) == ids.split()
    assert all(cell.is_valid and cell.area > 900 for cell in cells.values())
    for border in borders:
        a, b = border.split()
        assert _common_length(cells[a], cells[b]) > 6


def test_what_has_no_border_is_kept_apart_by_a_ridge() -> None:
    atlas = schematic_atlas(_board("AAA BBB CCC DDD", "AAA BBB", "BBB CCC", "CCC DDD", "AAA DDD"))
    cells = _cells(atlas)
    (ridge,) = (Polygon(feature.lines[0]) for feature in atlas.of("impassable"))

    assert (
        min(_common_length(cells["AAA"], cells["CCC"]), _common_length(cells["BBB"], cells["DDD"]))
        < 1
    )
    assert ridge.area > 900


def test_five_that_all_touch_need_a_line() -> None:
    """Expect one border as a line: no five countries of a plane map all touch each other."""
    pairs = [f"{a} {b}" for a, b in combinations(("AAA", "BBB", "CCC", "DDD", "EEE"), 2)]

    assert len(schematic_atlas(_board("AAA BBB CCC DDD EEE", *pairs)).links) == 1


def test_the_same_board_is_always_drawn_alike() -> None:
    """Also in another process, whose sets have another order."""
    code = (
        "import zlib\nfrom alexmagnum.board import load_board\n"
        "from alexmagnum.draw.schematic import schematic_atlas\n"
        "print(zlib.crc32(repr(schematic_atlas(load_board('standard'))).encode()))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            timeout=60,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }

    assert len(printed) == 1


def test_a_map_with_shapes_is_drawn_from_them() -> None:
    for name in ("alexmagnum", "standard"):
        board = load_board(name)

        assert load_atlas(board) != schematic_atlas(board)
        assert load_atlas(shipped(name)) == schematic_atlas(board)


def test_a_rule_that_gives_more_places_gives_more_slots() -> None:
    """Check that boards of one map share a base map only if their places are the same (R8)."""
    board = shipped("standard")
    crowded = board.with_rules({"sea_capacity": 3})

    for asked, slots in ((board, 1), (crowded, 3)):
        assert len(make_base_map(asked, "en").atlas.grounds["ION"].slots) == slots
