"""Maps are found by id or path; whatever is in the file, it is loaded or refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alexmagnum.board import known_maps, load_board
from alexmagnum.board.map_check import check_map, read_shapes
from alexmagnum.board.map_file import draft_faults, maps_folder, read_map, read_map_file
from alexmagnum.errors import BadFile, BadMap
from tests.board.little import LITTLE, SHAPES, write
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
    for name in ("x" * 300, "x" * 300 + "/y.json", "a/\0", "\0"):
        with pytest.raises(BadFile):
            load_board(name)
    with pytest.raises(BadFile) as caught:
        load_board(tmp_path / "gone.json")
    assert caught.value.code == "no-file"
    with pytest.raises(BadFile) as caught:
        load_board(tmp_path)
    assert caught.value.code == "is-folder"


def test_rules_can_be_changed() -> None:
    board = load_board("alexmagnum", {"victory_centres": 20})
    assert (board.rules.victory_centres, board.rules.nobility) == (20, 10)


def test_the_places_follow_the_rules_whatever_capacity_the_file_gives(tmp_path: Path) -> None:
    """R8, R26: the shipped map writes its capacities down, and a copy changes the switches."""
    data = json.loads((maps_folder() / "alexmagnum.json").read_text("utf-8"))
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


@drawn(40, 1000)
@given(JSON)
def test_any_json_gives_faults_and_no_traceback(value: object) -> None:
    draft = read_map(value)
    assert [*draft.faults, *draft_faults(draft)]


@drawn(40, 1000)
@given(st.sampled_from(_paths_of(LITTLE)), JSON)
@example(("rules",), {'"': None})  # found by this test: a name that is shown differently
def test_any_value_anywhere_gives_faults_and_no_traceback(
    path: tuple[Any, ...], value: Any
) -> None:
    draft = read_map(_replaced(LITTLE, path, value))
    for fault in [*draft.faults, *draft_faults(draft)]:
        assert str(fault).isprintable()
        assert all(isinstance(text, str) for text in fault.data.values())


@drawn(40, 1000)
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
    board, faults = read_map_file(write(tmp_path))
    assert (board.id, faults) == ("little", ())
