"""The two maps of the package are what their sources and the rules say."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import pytest

from alexmagnum.board import Board, load_board, split_location
from alexmagnum.board.geography import FLEET
from alexmagnum.board.map_check import check_map

ROOT = Path(__file__).parents[2]
SOURCE = json.loads((ROOT / "tests/data/datc-standard-map.json").read_text("utf-8"))
PROVINCES = SOURCE["provinces"]


@pytest.fixture(scope="module")
def standard() -> Board:
    return load_board("standard")


@pytest.fixture(scope="module")
def successors() -> Board:
    return load_board("alexmagnum")


def test_shipped_maps_have_no_errors() -> None:
    """Of alexmagnum the check remarks that names of antiquity are near each other."""
    assert check_map("standard") == ()
    found = {(fault.code, fault.severity) for fault in check_map("alexmagnum")}
    assert found <= {("near-name", "warning"), ("name-is-power", "warning")}


def test_the_standard_map_in_figures(standard: Board) -> None:
    units = [unit for power in standard.powers.values() for unit in power.units]
    assert (len(standard.provinces), len(standard.centres), len(units)) == (75, 34, 22)
    assert (standard.rules.first_year, standard.rules.victory_centres) == (1901, 18)
    assert {p.capacity for p in standard.provinces.values()} == {1}


def test_standard_units_move_as_in_the_source(standard: Board) -> None:
    tables = standard.tables
    for province, source in PROVINCES.items():
        walks = {tables.ids[i] for i in tables.army_to[tables.index[province]]}
        assert walks == set(source["army"])
        if source["type"] != "sea":
            assert set(standard.army_graph[province]) == walks
        fleet = source["fleet"]
        for coast, neighbours in (fleet if isinstance(fleet, dict) else {"": fleet}).items():
            location = f"{province}/{coast}" if coast else province
            sails = {tables.location_names[i] for i in tables.fleet_to[tables.location[location]]}
            assert sails == set(neighbours)
            if neighbours:
                assert set(standard.fleet_graph[location]) == sails


def test_standard_centres_and_homes_are_those_of_the_source(standard: Board) -> None:
    assert set(standard.centres) == {p for p, e in PROVINCES.items() if e["supply_center"]}
    for power in SOURCE["powers"]:
        assert list(standard.powers[power["name"]].homes) == power["home_centers"]
        assert list(standard.powers[power["name"]].units) == power["units"]


def test_standard_provinces_keep_all_names_of_the_source(standard: Board) -> None:
    for province in standard.provinces.values():
        source = PROVINCES[province.id]
        assert province.name("en") == source["name"]
        assert set(source["aliases"]) <= set(province.aliases)
        assert province.names.keys() == {"en", "it"}


def test_the_standard_map_is_what_the_script_writes() -> None:
    spec: dict[str, object] = {"__name__": "tools.build_standard_map"}
    exec((ROOT / "tools/build_standard_map.py").read_text("utf-8"), spec)
    written = spec["text"](spec["convert"](SOURCE))  # type: ignore[operator]
    assert written == (ROOT / "maps/standard.json").read_text("utf-8")


def test_alexmagnum_in_figures(successors: Board) -> None:
    terrains = [p.terrain for p in successors.provinces.values()]
    assert [terrains.count(t) for t in ("land", "island", "sea")] == [92, 3, 20]
    centres = [p.centre for p in successors.provinces.values()]
    assert [centres.count(c) for c in ("fixed", "start", "independent")] == [1, 36, 7]
    assert len(successors.borders) == 273
    assert len(successors.impassable) == 24
    assert sum(p.major for p in successors.provinces.values()) == 5


def test_r8_every_sea_of_alexmagnum_has_three_places(successors: Board) -> None:
    assert {p.id for p in successors.provinces.values() if p.capacity == 3} == {
        p.id for p in successors.provinces.values() if p.is_sea
    }


def test_r5_no_army_walks_on_or_off_an_island(successors: Board) -> None:
    for province in successors.provinces.values():
        if province.terrain == "island":
            assert not set(successors.army_graph[province.id])
            assert set(successors.fleet_graph[province.id])


def test_r6_bisanzio_joins_the_egeo_to_the_black_sea_and_nothing_else_does(
    successors: Board,
) -> None:
    fleets = successors.fleet_graph.copy()
    assert {"EGE", "MNO"} <= set(fleets["BIS"])
    fleets.remove_node("BIS")
    assert not nx.has_path(fleets, "EGE", "MNO")


def test_r6_armies_walk_between_tracia_and_frisia(successors: Board) -> None:
    assert successors.army_graph.has_edge("TRA", "FRI")


def test_r23_suez_and_mar_rosso_are_cut_off_for_fleets(successors: Board) -> None:
    reached = nx.node_connected_component(successors.fleet_graph, "SUE")
    seas = {province for province in reached if successors.provinces[province].is_sea}
    assert seas == {"SUE", "ROS"}


def test_r23_the_portage_runs_between_the_seas_of_sinai(successors: Board) -> None:
    (portage,) = successors.portages
    beside = {s for s in successors.fleet_graph["SIS"] if successors.provinces[s].is_sea}
    assert (portage.over, set(portage.ends[0]), portage.ends[1]) == ("SIS", beside, ("SUE",))
    assert set(portage.raiders) == set(successors.army_graph["SIS"])
    assert set(portage.raiders) == {"FOC", "NOC", "ISR", "SIM"}


def test_r18_from_inland_on_a_river_a_fleet_reaches_its_neighbours_on_the_course_only(
    successors: Board,
) -> None:
    for river in successors.rivers:
        for i, province in enumerate(river.course[1:], 1):
            beside = {river.course[i - 1], *river.course[i + 1 : i + 2]}
            assert set(successors.fleet_graph[province]) == beside


def test_eufrate_and_tigri_share_their_mouth(successors: Board) -> None:
    assert [r.mouth for r in successors.rivers] == ["FOC", "EUF", "EUF", "FOI"]


def test_egeo_and_mare_egiziano_both_touch_creta_but_not_each_other(successors: Board) -> None:
    assert {"EGE", "EGI"} <= set(successors.fleet_graph["CRE"])
    assert "EGI" not in successors.fleet_graph["EGE"]


@pytest.mark.parametrize("map_id", ["standard", "alexmagnum"])
def test_graphs_and_tables_agree(map_id: str) -> None:
    board = load_board(map_id)
    tables = board.tables
    walks = {
        frozenset((tables.ids[a], tables.ids[b])) for a, to in enumerate(tables.army_to) for b in to
    }
    sails = {
        frozenset((tables.location_names[a], tables.location_names[b]))
        for a, to in enumerate(tables.fleet_to)
        for b in to
    }
    assert walks == {frozenset(edge) for edge in board.army_graph.edges}
    assert sails == {frozenset(edge) for edge in board.fleet_graph.edges}
    assert len(sails) == sum(border.kind != "army" for border in board.borders)
    assert len(walks) == sum(border.kind != FLEET for border in board.borders)


def test_places_of_a_board_follow_its_rules(successors: Board) -> None:
    crowded = successors.with_rules({"sea_capacity": 2, "major_city_capacity": 2})
    capacity = {p.id: p.capacity for p in crowded.provinces.values()}
    assert (capacity["EGE"], capacity["ATE"], capacity["SPA"]) == (2, 2, 1)
    assert successors.provinces["EGE"].capacity == 3
    assert crowded.borders is successors.borders
    assert successors.with_rules({"sea_capacity": 3}) is successors
    assert split_location("EGE#2") == ("EGE", "", 2)
