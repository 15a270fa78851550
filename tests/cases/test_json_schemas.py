"""The published JSON Schemas say the same about a file as the readers do."""

from __future__ import annotations

import copy
import json
from functools import cache
from importlib import resources
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from alexmagnum.board.map_file import maps_folder, read_map
from alexmagnum.cases.files import read_cases, turn_of
from alexmagnum.cases.schema import read_file
from alexmagnum.errors import AlexMagnumError
from tests.board.broken import SHAPE
from tests.board.little import LITTLE
from tests.case_library import read_yaml
from tools.json_schemas import SCHEMAS, schema_text

ROOT = Path(__file__).parents[2]
PUBLISHED = resources.files("alexmagnum").joinpath("schemas")
VALID = [
    *(("map.json", path) for path in sorted(maps_folder().glob("*.json"))),
    *(("cases.json", path) for path in sorted(ROOT.glob("tests/cases/*.yaml"))),
    *(("cases.json", path) for path in sorted(ROOT.glob("tests/datc/*.yaml"))),
    ("turn.json", ROOT / "orders" / "turn.yaml"),
]

BEYOND_SHAPE = {"duplicate-id", "reserved-id", "not-unit"}
"""Faults of maps that no schema can name."""

FAULTS = read_yaml(ROOT / "tests" / "data" / "case_faults.yaml")
"""A sound case, and changes of it that are refused by the reader, by the schema too, or by both."""


@cache
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


@pytest.mark.parametrize(("name", "path"), VALID, ids=lambda value: Path(value).stem)
def test_every_file_of_the_project_is_valid(name: str, path: Path) -> None:
    assert faults(name, read_file(path)) == []


def test_a_map_of_a_wrong_shape_is_refused_by_both() -> None:
    assert faults("map.json", LITTLE) == []
    for edits, code, where in SHAPE:
        broken = copy.deepcopy(LITTLE)
        for edit in edits:
            edit(broken, {})
        assert bool(faults("map.json", broken)) == (code not in BEYOND_SHAPE), where
        if code not in BEYOND_SHAPE:
            assert any(fault.severity == "error" for fault in read_map(broken).faults), where


def test_a_key_that_means_nothing_is_a_warning_here_and_an_error_there() -> None:
    """An editor marks the key; the game can be played all the same."""
    odd = {**LITTLE, "colour": "red"}

    assert faults("map.json", odd) == ["$"]
    assert [fault.severity for fault in read_map(odd).faults] == ["warning"]


def test_a_map_may_name_its_schema() -> None:
    named = {"$schema": "map.json", **LITTLE}

    assert (faults("map.json", named), read_map(named).faults) == ([], [])


def test_a_file_of_cases_of_a_wrong_shape_is_refused_by_both(tmp_path: Path) -> None:
    """Beyond the shape, the reader alone refuses."""
    assert faults("cases.json", {"cases": [FAULTS["sound"]]}) == []
    for row in FAULTS["changes"]:
        data = {"cases": [{**FAULTS["sound"], **row["change"]}]}
        assert bool(faults("cases.json", data)) == row.get("shape", False), row
    path = tmp_path / "cases.json"
    files: tuple[object, ...] = ({}, {"cases": []}, {"cases": {}}, {"cases": ["x"]}, [], "text")
    for odd in files:
        path.write_text(json.dumps(odd), encoding="utf-8")
        assert faults("cases.json", odd), odd
        with pytest.raises(AlexMagnumError):
            read_cases(path)


def test_a_turn_of_a_wrong_shape_is_refused_by_both() -> None:
    """Broken cases that say nothing of an outcome are broken turns."""
    turn = {key: value for key, value in FAULTS["sound"].items() if key != "expect"}
    changes = [row["change"] for row in FAULTS["changes"] if row.get("shape")]
    broken = [{**turn, **change} for change in changes if "expect" not in change]
    for data in (*broken, [], "text", 3):
        assert faults("turn.json", data), data
        with pytest.raises(AlexMagnumError):
            turn_of(data, "turn.json")
