"""Maps are found by id or path; whatever is in the file, it is loaded or refused."""

import ast
import json
import os
import re
import string
import subprocess
import sys
import tomllib
from dataclasses import fields
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import alexmagnum
from alexmagnum.board import Board, Rules, known_maps, load_board, map_file
from alexmagnum.board.describe import describe, rules_table
from alexmagnum.board.map_check import check_map, load_sound_board, read_shapes
from alexmagnum.errors import BadFile, BadMap, Fault
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.play import play_game
from tests.board.broken import CHECK_ERRORS, SHAPE, SOUND, WARNINGS
from tests.board.little import LITTLE, SHAPES, Edit, drop, put, write
from tests.commands import run_command
from tests.sizes import drawn


def test_the_package_brings_two_maps_whose_ids_are_written_in_any_case() -> None:
    assert known_maps() == ("alexmagnum", "standard")
    assert load_board("Standard").id == "standard"


def test_a_map_of_ones_own_is_loaded_from_a_path(tmp_path: Path) -> None:
    path = write(tmp_path)
    assert load_board(path).id == load_board(str(path)).id == "little"
    assert load_board(path).geometry == str(tmp_path / "little.geojson")


def test_an_unknown_id_brings_the_known_ones() -> None:
    with pytest.raises(BadFile) as caught:
        load_board("alexmagnus")
    assert caught.value.code == "unknown-map"
    assert caught.value.data["near"] == "alexmagnum"
    assert caught.value.data["known"] == "alexmagnum, standard"


@pytest.mark.parametrize(
    ("content", "code", "where"),
    [
        (b'{"id": "x",\n "name" }', "not-json", "2:9"),
        (b"\xff\xfe", "not-utf8", ""),
        (b"[" * 100_000, "not-json", "1:1"),
        (b"1" * 100_000, "not-json", "1:1"),
        (b"[" * 101 + b"]" * 101, "file-beyond-bounds", ""),
        (b'{"%s": 1}' % (b"x" * 201), "file-beyond-bounds", ""),
        (b" " * (32 << 20) + b"1", "file-too-large", ""),
    ],
    ids=["syntax", "encoding", "depth", "digits", "levels", "name", "size"],
)
def test_a_file_that_is_not_json(content: bytes, code: str, where: str, tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    path.write_bytes(content)
    with pytest.raises(BadFile) as caught:
        load_board(path)
    assert (caught.value.code, caught.value.where) == (code, where)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for name in ("x" * 300, "è" * 190, "x" * 300 + "/y.json", "a/\0", "\0"):
        with pytest.raises(BadFile):
            load_board(name)
    with pytest.raises(BadFile) as caught:
        load_board(tmp_path / "gone.json")
    assert caught.value.code == "no-file"
    with pytest.raises(BadFile) as caught:
        load_board(tmp_path)
    assert caught.value.code == "is-folder"


def test_a_document_names_maps_below_its_folder_or_the_working_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe would keep the program for ever, another computer learn who asks."""
    cases, maps = tmp_path / "work" / "cases", tmp_path / "work" / "maps"
    for each in (cases, maps):
        each.mkdir(parents=True)
    inside, outside = write(maps), write(tmp_path)
    (cases / "link.json").symlink_to(outside)
    (cases / "circle.json").symlink_to("circle.json")
    os.mkfifo(cases / "pipe.json")
    names = [
        "link.json",
        "circle.json",
        "pipe.json",
        "../../little.json",
        str(outside),
        str(inside),
    ]
    for name in [*names, "../maps/little.json", "//host/share/m.json", "a\0", "x" * 999]:
        with pytest.raises(BadFile, match="map-elsewhere"):
            map_file.locate_map(name, cases)
    monkeypatch.chdir(tmp_path / "work")
    assert Path(map_file.locate_map("../maps/little.json", cases)).resolve() == inside
    assert map_file.locate_map("Standard", cases) == "Standard"
    with pytest.raises(BadFile, match="map-elsewhere"):
        map_file.locate_map("link.json", cases)


def test_rules_can_be_changed() -> None:
    board = load_board("alexmagnum", {"victory_centres": 20})
    assert (board.rules.victory_centres, board.rules.nobility) == (20, 10)


def test_the_places_follow_the_rules_whatever_capacity_the_file_gives(tmp_path: Path) -> None:
    """R8, R26: the shipped map writes its capacities down, and a copy changes the switches."""
    data = json.loads((map_file.maps_folder() / "alexmagnum.json").read_text("utf-8"))
    data["rules"] |= {"sea_capacity": 2, "major_city_capacity": 2}
    del data["geometry"]
    path = tmp_path / "copy.json"
    path.write_text(json.dumps(data), "utf-8")
    provinces = load_board(path).provinces
    assert (provinces["EGE"].capacity, provinces["ALE"].capacity) == (2, 2)
    found = [fault for fault in check_map(path) if fault.code == "capacity-mismatch"]
    assert {fault.severity for fault in found} == {"warning"}
    assert {"given": "3", "right": "2"} in [fault.data for fault in found]


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(BadMap) as caught:
        load_board("standard", {"victory_centers": 20})
    (fault,) = caught.value.faults
    assert (fault.code, fault.data["near"]) == ("unknown-rule", "victory_centres")


def test_loading_imports_no_graphs_and_no_geometry() -> None:
    code = (
        "import sys; from alexmagnum.board import load_board; load_board('alexmagnum');"
        "sys.exit(any(m in sys.modules for m in ('networkx', 'shapely', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


_WORDS = st.sampled_from(["MOU", "NSE", "PEN/NC", "run", "both", "F PEN/NC", "id", "name"])
_KEYS = st.text(max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _KEYS | _WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=8,
)


def _paths_of(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value inside a JSON value."""
    listed = dict(enumerate(value)) if isinstance(value, list) else value
    items = listed.items() if isinstance(listed, dict) else ()
    inner = [path for key, item in items for path in _paths_of(item, (*at, key))]
    return [at, *inner] if at else inner


def _replaced(whole: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a JSON value with what is at a place replaced."""
    copy = json.loads(json.dumps(whole))
    holder = copy
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return copy


@drawn(18, 500)
@given(JSON)
def test_any_json_gives_faults_and_no_traceback(value: object) -> None:
    draft = map_file.read_map(value)
    assert [*draft.faults, *map_file.draft_faults(draft)]


@drawn(18, 500)
@given(st.sampled_from(_paths_of(LITTLE)), JSON)
@example(("rules",), {'"': None})  # found by this test: a name that is shown differently
def test_any_value_anywhere_gives_faults_no_traceback(path: tuple[Any, ...], value: Any) -> None:
    draft = map_file.read_map(_replaced(LITTLE, path, value))
    for fault in [*draft.faults, *map_file.draft_faults(draft)]:
        assert str(fault).isprintable()
        assert all(isinstance(text, str) for text in fault.data.values())


@drawn(18, 500)
@given(st.sampled_from(_paths_of(SHAPES)), JSON)
def test_any_value_anywhere_in_the_shapes(path: tuple[Any, ...], value: Any) -> None:
    """Every feature is a shape, a fault, or passed over."""
    raw = _replaced(SHAPES, path, value)
    shapes, faults = read_shapes(raw)
    features = raw.get("features") if isinstance(raw, dict) else None
    if isinstance(features, list):
        assert len(shapes) + len(faults) <= len(features)
    else:
        assert [fault.code for fault in faults] == ["not-geojson"]


def test_checking_gives_the_board_and_its_warnings(tmp_path: Path) -> None:
    board, faults = map_file.read_map_file(write(tmp_path))
    assert (board.id, faults) == ("little", ())


# What ``map show`` knows about a province.


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
    found = [(r.river, r.place, r.downstream, r.upstream) for r in describe(board, "EUF").rivers]
    assert found == [("eufrate", 1, "", "BAB"), ("tigri", 1, "", "OPI")]


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


# Every fault of a map is found, with its code and its place, and can be said.


ROOM = Path(alexmagnum.__file__).parent / "board"
EVERY = SHAPE + SOUND + CHECK_ERRORS + WARNINGS


def _id(value: object) -> str:
    return value if isinstance(value, str) else ""


def _has(faults: tuple[Fault, ...], code: str, where: str, severity: str) -> bool:
    return any((f.code, f.where, f.severity) == (code, where, severity) for f in faults)


def test_the_little_map_has_no_blemish(tmp_path: Path) -> None:
    path = write(tmp_path)
    assert check_map(path) == ()
    assert load_board(path).id == "little"


@pytest.mark.parametrize(("edits", "code", "where"), EVERY, ids=_id)
def test_every_fault_is_found_with_its_place_and_can_be_said(
    edits: tuple[Edit, ...], code: str, where: str, tmp_path: Path
) -> None:
    """Loading refuses what cannot be played; the check finds everything, and warns of the rest.

    A map that the check calls sound can be played on; any other is refused with the same words.
    """
    path, case = write(tmp_path, *edits), (edits, code, where)
    if case in SHAPE + SOUND:
        with pytest.raises(BadMap) as caught:
            load_board(path)
        assert _has(caught.value.faults, code, where, "error"), str(caught.value)
    else:
        assert load_board(path).provinces
    faults = check_map(path)
    severity = "warning" if case in WARNINGS else "error"
    assert _has(faults, code, where, severity), [*map(str, faults)]
    for fault in faults:
        for lang in ("en", "it"):
            assert load_sentences(lang).format(fault.code, **fault.data)
    if errors := tuple(fault for fault in faults if fault.severity == "error"):
        with pytest.raises(BadMap) as refused:
            load_sound_board(path)
        assert refused.value.faults == errors
    else:
        assert any(played.outcome.units for played in play_game(load_sound_board(path), 1, years=1))


@pytest.mark.parametrize("edits", [CHECK_ERRORS[0][0], SOUND[-1][0]])
def test_new_and_play_refuse_what_the_check_does(edits: tuple[Edit, ...], tmp_path: Path) -> None:
    path = write(tmp_path, *edits)
    errors = [fault for fault in check_map(path) if fault.severity == "error"]
    for command in (("new", "game"), ("play", "--seed", "1")):
        asked = (*command, "--map", str(path), "--lang", "en")
        said = run_command(*asked, cwd=tmp_path, status=2).err
        assert all(load_sentences("en").format(f.code, **f.data) in said for f in errors)
    assert not (tmp_path / "game").exists()


def test_all_faults_are_found_at_once(tmp_path: Path) -> None:
    edits = (
        put("borders.2", ["HIL", "INK", "army"]),
        put("rules.major_city_upkeep", "x"),
        drop("id"),
    )
    with pytest.raises(BadMap) as caught:
        load_board(write(tmp_path, *edits))
    wheres = {fault.where for fault in caught.value.faults}
    assert wheres == {"borders[2]", "rules.major_city_upkeep", "map"}


def test_a_misspelt_key_or_province_brings_what_was_meant(tmp_path: Path) -> None:
    edits = (put("provinces.HIL.aliasses", []), put("borders.2", ["HIL", "INK", "army"]))
    near = {fault.code: fault.data["near"] for fault in check_map(write(tmp_path, *edits))}
    assert near == {"unknown-key": "aliases", "no-such-province": "INL"}
    said = load_sentences("en").format("unknown-river", river="rum", near="run")
    assert said == "there is no river rum. Did you mean run?"


def _texts(node: ast.expr) -> set[str]:
    """Return the codes that an argument can be."""
    if isinstance(node, ast.Constant):
        return {str(node.value)}
    if isinstance(node, ast.IfExp):
        return _texts(node.body) | _texts(node.orelse)
    if isinstance(node, ast.JoinedStr):  # f"not-{key.type}"
        keys = (
            map_file.MAP,
            map_file.POWER,
            map_file.PROVINCE,
            map_file.RIVER,
            map_file.PORTAGE,
            map_file.STRAIT,
            map_file.COAST,
        )
        return {f"not-{key.type}" for table in keys for key in table.values()}
    return set()


def _codes(path: Path, *errors: str) -> set[str]:
    """Return the codes of the faults or errors that a module makes."""
    codes = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "code":
            codes |= _texts(node.value)
        if isinstance(node, ast.Call) and len(node.args) > 1:
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in errors:
                codes |= _texts(node.args[1])
    return codes


FAULTS = set().union(*(_codes(p, "Fault", "fault") for p in ROOM.glob("*.py")))
POSITION = _codes(ROOM.parent / "position.py", "Fault")
FILES = _codes(ROOM / "map_file.py", "BadFile") | _codes(ROOM.parent / "files.py", "BadFile")


def test_every_fault_of_the_room_has_a_broken_map() -> None:
    assert {code for _, code, _ in EVERY} == FAULTS


def _catalogue(lang: str) -> dict[str, str]:
    file = resources.files("alexmagnum.i18n").joinpath("catalogues", f"faults.{lang}.toml")
    return tomllib.loads(file.read_text("utf-8"))


def _holes(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_each_code_has_a_sentence_in_both_languages_and_none_is_left_over() -> None:
    known = FAULTS | POSITION | FILES | {"bad-map", "bad-position", "did-you-mean"}
    assert _catalogue("en").keys() == _catalogue("it").keys() == known


def test_both_sentences_of_a_code_take_the_same_data() -> None:
    english, italian = _catalogue("en"), _catalogue("it")
    assert {c for c in english if _holes(english[c]) != _holes(italian[c])} == set()


def test_the_manual_lists_every_finding() -> None:
    manual = (ROOM.parents[1] / "docs" / "maps.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in manual.splitlines() if line.startswith("| `")]
    assert {code for row in rows for code in re.findall(r"`([a-z0-9-]+)`", row)} >= FAULTS
