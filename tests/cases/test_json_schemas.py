"""The published JSON Schemas say the same about a file as the readers do."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from alexmagnum.board.map_file import maps_folder, read_map
from alexmagnum.cases.files import read_cases, turn_of
from alexmagnum.cases.schema import read_file
from alexmagnum.errors import AlexMagnumError
from tests.board.broken import SHAPE
from tests.board.little import LITTLE, Edit
from tools.json_schemas import SCHEMAS, schema_text

ROOT = Path(__file__).parents[2]
PUBLISHED = resources.files("alexmagnum").joinpath("schemas")
CASE_FILES = sorted(
    [*ROOT.glob("tests/cases/*.yaml"), *ROOT.glob("tests/datc/*.yaml")], key=lambda path: path.name
)
TURN_FILES = [ROOT / "orders" / "turn.yaml"]

BEYOND_SHAPE = {"duplicate-id", "reserved-id", "not-unit"}
"""Faults of maps that no schema can name."""

CASE: dict[str, Any] = {
    "id": "T.1",
    "map": "alexmagnum",
    "year": 318,
    "units": {"TOL": ["A MAM"], "NEU": ["A CIR"]},
    "orders": {"TOL": ["A MAM - CIR"]},
    "expect": {"results": {"TOL": [{"order": "A MAM - CIR", "result": "fails"}]}, "destroyed": []},
}

BROKEN_CASES: dict[str, tuple[str, Any]] = {
    "an unknown key": ("unit", {"TOL": ["A MAM"]}),
    "an unknown phase": ("phase", "spring"),
    "a year in letters": ("year", "318 BC"),
    "a year below 0": ("year", -1),
    "a word for yes": ("last_turn", "yes"),
    "units in one text": ("units", {"TOL": "A MAM"}),
    "units without powers": ("units", ["A MAM"]),
    "a unit of no kind": ("units", {"TOL": ["X MAM"]}),
    "a number in a list": ("orders", {"TOL": [3]}),
    "points in letters": ("nobility", {"TOL": "three"}),
    "an unknown switch": ("rules", {"sea_capasity": 2}),
    "a switch too high": ("rules", {"sea_capacity": 10}),
    "a mere text": ("expect", "fails"),
    "an unknown expectation": ("expect", {"result": {}}),
    "an unknown result": ("expect", {"results": [{"order": "A MAM H", "result": "holds"}]}),
    "a result without its order": ("expect", {"results": {"TOL": [{"result": "fails"}]}}),
    "a loss without its power": ("expect", {"destroyed": [{"unit": "A CIR"}]}),
    "awards in lists": ("expect", {"awards": {"TOL": ["ALE"]}}),
}


def fault_id(value: object) -> str:
    """Return the words of a broken map for the name of its test."""
    return value if isinstance(value, str) else ""


def validator(name: str) -> Draft202012Validator:
    """Return the validator of a published schema."""
    schema = json.loads(PUBLISHED.joinpath(name).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def faults(name: str, data: object) -> list[str]:
    """Return what a published schema finds wrong with some data."""
    return [error.json_path for error in validator(name).iter_errors(data)]


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_published_schema_is_the_one_that_the_tables_make(name: str) -> None:
    """Run ``python -m tools.json_schemas`` after a change of the keys."""
    assert PUBLISHED.joinpath(name).read_text(encoding="utf-8") == schema_text(SCHEMAS[name]())


@pytest.mark.parametrize("path", sorted(maps_folder().glob("*.json")), ids=lambda path: path.stem)
def test_every_map_of_the_package_is_valid(path: Path) -> None:
    assert faults("map.json", json.loads(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: path.stem)
def test_every_case_file_is_valid(path: Path) -> None:
    assert faults("cases.json", read_file(path)) == []


@pytest.mark.parametrize("path", TURN_FILES, ids=lambda path: path.stem)
def test_every_turn_file_is_valid(path: Path) -> None:
    assert faults("turn.json", read_file(path)) == []


@pytest.mark.parametrize(("edits", "code", "where"), SHAPE, ids=fault_id)
def test_a_map_of_a_wrong_shape_is_refused_by_both(
    edits: tuple[Edit, ...], code: str, where: str
) -> None:
    broken = copy.deepcopy(LITTLE)
    for edit in edits:
        edit(broken, {})

    assert faults("map.json", LITTLE) == []
    assert bool(faults("map.json", broken)) == (code not in BEYOND_SHAPE)
    if code not in BEYOND_SHAPE:
        assert any(fault.severity == "error" for fault in read_map(broken).faults)


def test_a_key_that_means_nothing_is_a_warning_here_and_an_error_there() -> None:
    """An editor marks the key; the game can be played all the same."""
    odd = {**LITTLE, "colour": "red"}

    assert faults("map.json", odd) == ["$"]
    assert [fault.severity for fault in read_map(odd).faults] == ["warning"]


def test_a_map_may_name_its_schema() -> None:
    named = {"$schema": "map.json", **LITTLE}

    assert (faults("map.json", named), read_map(named).faults) == ([], [])


@pytest.mark.parametrize("broken", BROKEN_CASES)
def test_a_case_of_a_wrong_shape_is_refused_by_both(broken: str, tmp_path: Path) -> None:
    key, value = BROKEN_CASES[broken]
    case = {**CASE, key: value}
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"cases": [case]}), encoding="utf-8")

    assert faults("cases.json", {"cases": [CASE]}) == []
    assert faults("cases.json", {"cases": [case]})
    with pytest.raises(AlexMagnumError):
        read_cases(path)


@pytest.mark.parametrize("data", [{}, {"cases": []}, {"cases": {}}, {"cases": ["x"]}, [], "text"])
def test_a_file_without_cases_is_refused_by_both(data: object, tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(data), encoding="utf-8")

    assert faults("cases.json", data)
    with pytest.raises(AlexMagnumError):
        read_cases(path)


def broken_turns() -> Iterator[object]:
    """Yield turns of a wrong shape: all broken cases that say nothing of an outcome."""
    turn = {key: value for key, value in CASE.items() if key != "expect"}
    yield from ({**turn, key: value} for key, value in BROKEN_CASES.values() if key != "expect")
    yield from ([], "text", 3)


@pytest.mark.parametrize("turn", [*broken_turns()], ids=str)
def test_a_turn_of_a_wrong_shape_is_refused_by_both(turn: object) -> None:
    assert faults("turn.json", turn)
    with pytest.raises(AlexMagnumError):
        turn_of(turn, "turn.json")
