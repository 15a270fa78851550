"""A board without shapes: cells that touch where there is a border, and nowhere else."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from shapely import LineString, MultiPolygon, Polygon, STRtree
from shapely import Point as ShapelyPoint
from shapely.validation import explain_validity

from alexmagnum.board import load_board
from alexmagnum.board.geography import ARMY, Border, Province
from alexmagnum.board.map_file import read_map_text
from alexmagnum.board.model import Board
from alexmagnum.draw import base_map, layout
from alexmagnum.draw.atlas import Atlas
from alexmagnum.draw.base_map import list_map_signs, make_base_map
from alexmagnum.draw.layout import schematic_atlas
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.files import show_progress_to
from alexmagnum.i18n.sentences import load_sentences
from tests.board.little import drop, write
from tests.commands import run_command
from tests.sizes import one_in
from tools.random_map import random_map


@cache
def shipped(name: str) -> Board:
    """Return a map that comes with the package, without its shapes."""
    return replace(load_board(name), geometry="")


def _load_by_name(name: str, tmp_path: Path) -> Board:
    return load_board(write(tmp_path, drop("geometry"))) if name == "little" else shipped(name)


def _board(ids: str, *borders: str) -> Board:
    """Return an unchecked board of land provinces with army borders, such as ``"AAA BBB"``."""
    provinces = {id_: Province(id_, {"en": id_.title()}) for id_ in ids.split()}
    pairs = (border.split() for border in borders)
    return Board("bare", {"en": "Bare"}, provinces, {}, tuple(Border(a, b, ARMY) for a, b in pairs))


def _cells(atlas: Atlas) -> dict[str, Any]:
    return {ground.id: Polygon(ground.rings[0]) for ground in atlas.grounds.values()}


def _common_length(a: Any, b: Any) -> float:
    return float(a.buffer(0.05).intersection(b.buffer(0.05)).area) / 0.1


def _reaches(cell: Any, point: tuple[float, float]) -> bool:
    return bool(cell.buffer(0.5).intersects(ShapelyPoint(point)))


def _neighbours(board: Board) -> set[tuple[str, str]]:
    return {
        (min(a, b), max(a, b))
        for border in board.borders
        for a, b in [(board.province_of(border.a).id, board.province_of(border.b).id)]
    }


boards = pytest.mark.parametrize("name", ["standard", "alexmagnum", "little"])


@boards
def test_every_province_has_a_whole_cell_of_its_own_on_the_sheet(name: str, tmp_path: Path) -> None:
    board = _load_by_name(name, tmp_path)
    atlas = schematic_atlas(board)
    cells = _cells(atlas)

    assert list(atlas.grounds) == list(board.provinces)
    for id_, cell in cells.items():
        assert cell.is_valid, (id_, explain_validity(cell))
        assert cell.area > 900, id_
        assert atlas.box.grown(0.1).holds(cell.bounds[:2])
        assert atlas.box.grown(0.1).holds(cell.bounds[2:])
    for (a, one), (b, other) in combinations(cells.items(), 2):
        assert one.intersection(other).area < 1, (a, b)


@pytest.mark.parametrize("name", one_in(2, ["standard", "alexmagnum"]))
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
    assert len(_neighbours(board) - touching) == len(atlas.links) + len(list(atlas.of("crossing")))


def test_a_strait_is_drawn_as_one_and_never_as_a_border_of_provinces_apart() -> None:
    atlas = schematic_atlas(shipped("alexmagnum"))
    cells = _cells(atlas)
    (strait,) = atlas.of("crossing")
    (first, *_, last) = strait.lines[0]

    assert not atlas.links
    for id_ in ("FRI", "TRA", "EGE"):
        assert _reaches(cells[id_], first) or _reaches(cells[id_], last)


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
    away = {coast: ShapelyPoint(at).distance(sea) for coast, at in coasts.items()}

    assert set(away) == {"NC", "SC"}
    assert away["NC"] < away["SC"]


@pytest.mark.proof
@pytest.mark.parametrize(
    ("name", "upper", "lower", "left", "right"),
    [("standard", "NWG", "ION", "MAO", "SEV"), ("alexmagnum", "MES", "ROS", "CIR", "TAX")],
)
def test_the_names_tell_which_way_is_up(
    name: str, upper: str, lower: str, left: str, right: str
) -> None:
    at = {id_: ground.slots[0] for id_, ground in schematic_atlas(load_board(name)).grounds.items()}

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
    cells = _cells(schematic_atlas(_board(ids, *borders)))

    assert list(cells) == ids.split()
    assert all(cell.is_valid and cell.area > 900 for cell in cells.values())
    for border in borders:
        a, b = border.split()
        assert _common_length(cells[a], cells[b]) > 6


def test_what_has_no_border_is_kept_apart_by_a_ridge_and_five_that_all_touch_need_a_line() -> None:
    """No five countries of a plane map all touch each other."""
    atlas = schematic_atlas(_board("AAA BBB CCC DDD", "AAA BBB", "BBB CCC", "CCC DDD", "AAA DDD"))
    cells = _cells(atlas)
    across = [_common_length(cells[a], cells[b]) for a, b in (("AAA", "CCC"), ("BBB", "DDD"))]
    (ridge,) = (Polygon(feature.lines[0]) for feature in atlas.of("impassable"))
    assert min(across) < 1
    assert ridge.area > 900

    pairs = [f"{a} {b}" for a, b in combinations(("AAA", "BBB", "CCC", "DDD", "EEE"), 2)]
    assert len(schematic_atlas(_board("AAA BBB CCC DDD EEE", *pairs)).links) == 1


# -- random maps -----------------------------------------------------------------------------------

SIZES = [
    (24, 1, 1, 1),
    (60, 2, 2, 5),
    pytest.param((80, 4, 2, 8), marks=pytest.mark.proof),
    pytest.param((215, 5, 3, 12), marks=pytest.mark.proof),
    pytest.param((300, 6, 1, 0), marks=pytest.mark.proof),
]
"""Provinces, seed, pieces and tunnels of random maps."""


@cache
def _random_board(size: tuple[int, int, int, int]) -> Board:
    provinces, seed, pieces, tunnels = size
    made = random_map(provinces, seed, pieces=pieces, tunnels=tunnels)
    return read_map_text(json.dumps(made), "random").board


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_random_map_has_its_provinces_with_their_units_its_borders_and_its_rivers(
    size: tuple[int, int, int, int],
) -> None:
    """A border is a place where cells touch, or a line between them or over the strait; a river
    runs through its provinces to the sea."""
    board = _random_board(size)
    atlas = schematic_atlas(board)
    cells = _cells(atlas)

    assert list(cells) == list(board.provinces)
    assert all(cell.is_valid for cell in cells.values())
    tree = STRtree(list(cells.values()))
    for one in cells.values():
        near = [list(cells.values())[i] for i in tree.query(one)]
        assert sum(one.intersection(other).area > 1 for other in near) == 1  # itself
    for ground in atlas.grounds.values():
        assert all(cells[ground.id].contains(ShapelyPoint(slot)) for slot in ground.slots)

    apart = {(a, b) for a, b in _neighbours(board) if _common_length(cells[a], cells[b]) < 2}
    lines = [(first, last) for first, last, _ in atlas.links]
    lines += [(line[0], line[-1]) for feature in atlas.of("crossing") for line in feature.lines]
    for a, b in apart:
        over = [s.over for s in board.straits if {*s.between} == {a, b}]
        assert any(
            all(_reaches(cells[x], first) or _reaches(cells[x], last) for x in (a, b, *over))
            for first, last in lines
        ), (a, b)
    assert len(atlas.links) <= len(apart)

    drawn = {feature.name: feature.lines[0] for feature in atlas.of("river")}
    seas = [p.id for p in board.provinces.values() if p.is_sea]
    assert set(drawn) == {river.id for river in board.rivers}
    for river in board.rivers:
        course = LineString(drawn[river.id])
        assert all(course.intersects(cells[id_]) for id_ in river.course)
        assert any(_reaches(cells[sea], drawn[river.id][-1]) for sea in seas)


def test_separate_coasts_have_separate_shores_beside_their_seas() -> None:
    """The southern shore of St Petersburg is the Gulf of Bothnia's, the northern the Barents's;
    both coasts of Spain reach the Mid-Atlantic, whose shore is divided between them."""
    board = shipped("standard")
    atlas = schematic_atlas(board)
    cells = _cells(atlas)
    shores = {(f.look, f.name): f.lines for f in atlas.of("shore")}
    north, south = ({p for line in shores["SPA", coast] for p in line} for coast in ("NC", "SC"))

    assert set(shores) == {(p.id, c) for p in board.provinces.values() for c in p.coasts}
    for coast, sea in (("SC", "BOT"), ("NC", "BAR")):
        for line in shores["STP", coast]:
            assert all(_reaches(cells[sea], point) for point in line)
    assert len(north & south) == 1


def test_the_pieces_of_a_map_lie_apart_and_lines_between_them_are_in_the_legend() -> None:
    board = _random_board((60, 2, 2, 5))
    atlas = schematic_atlas(board)
    cells = _cells(atlas)
    graph: nx.Graph[str] = nx.Graph(_neighbours(board))
    graph.add_nodes_from(cells)
    pieces = nx.connected_components(graph)
    hulls = [MultiPolygon([cells[id_] for id_ in piece]).convex_hull for piece in pieces]

    assert len(hulls) > 1
    assert all(one.disjoint(other) for one, other in combinations(hulls, 2))
    assert atlas.links
    for lang, word in (("en", "border of provinces apart"), ("it", "confine a distanza")):
        assert word in {s.meaning for s in list_map_signs(board, atlas, load_sentences(lang))}


@pytest.mark.parametrize("pieces", one_in(2, [1, 3]))
def test_the_same_board_is_always_drawn_alike(pieces: int, tmp_path: Path) -> None:
    """Also in another process, whose sets have another order."""
    path = tmp_path / "map.json"
    path.write_text(json.dumps(random_map(24, 1, pieces=pieces)), "utf-8")
    code = (
        "import sys, zlib\nfrom alexmagnum.board import load_board\n"
        "from alexmagnum.draw.layout import schematic_atlas\n"
        "print(zlib.crc32(repr(schematic_atlas(load_board(sys.argv[1]))).encode()))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code, str(path)],
            capture_output=True,
            check=True,
            timeout=60,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }

    assert len(printed) == 1


@pytest.mark.proof
def test_a_map_with_shapes_is_drawn_from_them() -> None:
    for name in ("alexmagnum", "standard"):
        board = load_board(name)

        assert load_atlas(board) != schematic_atlas(board)
        assert load_atlas(shipped(name)) == schematic_atlas(board)


def test_progress_goes_up_to_the_whole() -> None:
    parts: list[float] = []
    with show_progress_to(parts.append):
        schematic_atlas.__wrapped__(_random_board((60, 2, 2, 5)))

    assert parts == sorted(parts)
    assert parts[-1] == pytest.approx(1.0)


@pytest.mark.proof
def test_only_commands_that_draw_lay_a_map_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, game = tmp_path / "map.json", tmp_path / "game"
    path.write_text(json.dumps(random_map(30, 7)), "utf-8")
    run_command("new", str(game), "--map", str(path), "--player", "AST=Ann <ann@example.org>")
    for drawn in (schematic_atlas, base_map._without_names, base_map._with_names):
        drawn.cache_clear()
    made: list[object] = []
    lay_out = layout.lay_out

    def counted(*given: Any) -> Any:
        made.append(given)
        return lay_out(*given)

    monkeypatch.setattr(layout, "lay_out", counted)
    for quiet in (["status"], ["history"], ["report"], ["preview"]):
        run_command(*quiet, cwd=game)
        assert made == [], quiet
    run_command("report", "--format", "html", cwd=game)
    assert made


@pytest.mark.proof
def test_a_rule_that_gives_more_places_gives_more_slots() -> None:
    """Check that boards of one map share a base map only if their places are the same (R8)."""
    board = shipped("standard")

    for asked, slots in ((board, 1), (board.with_rules({"sea_capacity": 3}), 3)):
        assert len(make_base_map(asked, "en").atlas.grounds["ION"].slots) == slots
