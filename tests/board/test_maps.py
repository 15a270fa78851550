"""The two maps of the package are what their sources and the rules say."""

import json
import re
from functools import cache
from pathlib import Path
from string import Formatter

import networkx as nx
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board import Board, load_board, split_location
from alexmagnum.board.geography import FLEET
from alexmagnum.board.map_check import Ring, Shape, check_map, find_contacts
from alexmagnum.board.model import list_examples
from alexmagnum.i18n.sentences import LANGUAGES, fold, load_sentences
from alexmagnum.notation import read_order
from alexmagnum.orders import Move
from alexmagnum.position import Phase, Position, Unit
from tests.sizes import drawn

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


# The examples in sentences are of the map that is played, whichever it is.


SHARED = frozenset(
    ["albania", "armenia", "can", "per", "mar", "tir", "mes", "ari", "era", "mal", "opi", "che"]
)
"""Names that both maps have, and ids that are words in either language."""

RULES = ("cyprus year", "anno di cipro", "alex magnum", "alexmagnum")
"""Terms of the rules and the product's name: they are no examples."""


@cache
def _names_of_alex_magnum() -> frozenset[str]:
    """Return the names that only Alex Magnum has, of powers and provinces, and its units."""
    board = load_board("alexmagnum")
    names = {fold(id_) for id_ in (*board.provinces, *board.powers)}
    for province in board.provinces.values():
        names |= {fold(name) for name in province.names.values()}
    for power in board.powers.values():
        names |= {fold(name) for name in power.names.values()}
    return frozenset(name for name in names if name not in SHARED)


def find_names_of_alex_magnum(text: str) -> set[str]:
    """Return the names of Alex Magnum's powers and provinces that a text has; ids count in capitals
    only: some are words in lower case."""
    folded = fold(text)
    for term in RULES:
        folded = folded.replace(term, " ")
    capitals = {fold(word) for word in re.findall(r"(?<![\w#])[A-Z]{3}(?!\w)", text)}
    return {*_long_names().findall(folded)} | (capitals & _names_of_alex_magnum())


@cache
def _long_names() -> re.Pattern[str]:
    names = (re.escape(name) for name in _names_of_alex_magnum() if len(name) > 3)
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(names, reverse=True))})(?!\w)")


def test_the_finder_of_names_finds_them() -> None:
    assert find_names_of_alex_magnum("A MEN - TEB") == {"men", "teb"}
    assert find_names_of_alex_magnum("Tolomeo e Ptolemy") == {"tolomeo", "ptolemy"}
    assert not find_names_of_alex_magnum("A MUN - BUR: the men of Germany can march")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_has_an_example_of_one_map(lang: str) -> None:
    """Whatever the map, its sentences name only what they are given."""
    for code, template in load_sentences(lang).templates.items():
        literal = " ".join(text for text, *_ in Formatter().parse(template))
        assert find_names_of_alex_magnum(literal) == set(), code


@pytest.mark.parametrize("name", ["standard", "alexmagnum"])
def test_an_example_is_an_order_that_can_be_given_on_the_map(name: str) -> None:
    """On the standard map a reader sees orders of their own homes."""
    board = load_board(name)
    for reader in ("", *board.powers):
        examples = list_examples(board, reader)
        power = reader or next(iter(board.powers))
        army, to = examples["example_army"], examples["example_to"]
        unit = Unit(power, "A", army.removeprefix("A "))
        position = Position(board, Phase(int(examples["example_year"]), "spring"), (unit,))
        assert read_order(f"{army} - {to}", position) == Move(army, to)
        assert to in board.army_graph[unit.province]
        assert reader not in examples["example_powers"].split(", ")
        assert set(examples["example_powers_typed"].split(",")) <= board.powers.keys()
        assert name == "alexmagnum" or unit.province in board.powers[power].homes


# Which shapes touch.


def _shape(name: str, *points: tuple[float, float]) -> Shape:
    return Shape(name, "province", ((*points, points[0]),))


def _box(name: str, west: float, south: float, east: float, north: float) -> Shape:
    return _shape(name, (west, south), (east, south), (east, north), (west, north))


def _touch(*shapes: Shape) -> dict[tuple[str, str], float]:
    return find_contacts({shape.id: shape for shape in shapes})


def test_shapes_that_share_vertices_touch_along_the_common_outline() -> None:
    assert _touch(_box("A", 0, 0, 1, 1), _box("B", 1, 0, 2, 1)) == {("A", "B"): 1.0}


def test_shapes_that_meet_at_a_corner_do_not_touch() -> None:
    assert _touch(_box("A", 0, 0, 1, 1), _box("B", 1, 1, 2, 2)) == {}


def test_a_straight_border_may_be_divided_differently_on_its_two_sides() -> None:
    found = _touch(_box("A", 0, 0, 3, 1), _box("B", 0.5, 1, 1.5, 2), _box("C", 1.5, 1, 4, 2))
    assert found == pytest.approx({("A", "B"): 1.0, ("A", "C"): 1.5, ("B", "C"): 1.0})


@pytest.mark.parametrize(("gap", "touching"), [(0.0005, True), (-0.0005, True), (0.05, False)])
def test_outlines_drawn_a_little_apart_still_touch(gap: float, touching: bool) -> None:
    assert bool(_touch(_box("A", 0, 0, 1, 1), _box("B", 1 + gap, 0.001, 2, 1.001))) == touching


def test_a_shape_in_a_hole_touches_the_shape_around_it() -> None:
    hole: Ring = ((1, 1), (2, 1), (2, 2), (1, 2), (1, 1))
    sea = Shape("SEA", "province", (*_box("SEA", 0, 0, 3, 3).rings, hole))
    assert _touch(sea, Shape("ISL", "province", (hole,))) == {("ISL", "SEA"): 4.0}
    assert not sea.holds((1.5, 1.5))
    assert sea.holds((0.5, 0.5))


_NUMBER = st.integers(-8, 8).map(float)


@drawn(18, 500)
@given(st.lists(st.tuples(_NUMBER, _NUMBER), min_size=3, max_size=8, unique=True), _NUMBER, _NUMBER)
def test_a_point_lies_inside_as_shapely_says(
    points: list[tuple[float, float]], x: float, y: float
) -> None:
    if (polygon := shapely.Polygon(points).convex_hull).geom_type == "Polygon":
        shape = _shape("A", *[(a, b) for a, b in polygon.exterior.coords[:-1]])
        point = (x + 0.37, y + 0.11)
        if polygon.boundary.distance(shapely.Point(point)) > 1e-9:
            assert shape.holds(point) == polygon.contains(shapely.Point(point))
