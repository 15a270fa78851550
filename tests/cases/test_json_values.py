"""Positions, orders and outcomes survive as JSON, and the schemas say what is written."""

import copy
import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

import alexmagnum
from alexmagnum.board.map_file import maps_folder, read_map
from alexmagnum.cases.files import read_case_files, turn_of
from alexmagnum.cases.schema import read_file
from alexmagnum.errors import AlexMagnumError
from alexmagnum.play import play_game
from tests.board.broken import SHAPE
from tests.board.little import LITTLE
from tests.case_library import read_yaml
from tests.scenarios import Scenario, scenarios, thoroughly
from tools.json_schemas import SCHEMAS, schema_text


def _validator(name: str) -> Draft202012Validator:
    path = resources.files("alexmagnum").joinpath("schemas", f"{name}.json")
    return Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))


VALIDATORS = {name: _validator(name) for name in ("position", "order", "outcome")}


def _played() -> list[alexmagnum.Outcome]:
    """Return the outcomes of a game on each map, with every kind of phase."""
    boards = [
        alexmagnum.load_board("standard"),
        alexmagnum.load_board("alexmagnum").with_rules({"sea_capacity": 2}),
    ]
    return [played.outcome for board in boards for played in play_game(board, 3, years=2)]


PLAYED = _played()


@pytest.mark.parametrize(
    "outcome", PLAYED, ids=lambda o: f"{o.position.board.id}-{o.position.phase}"
)
def test_positions_orders_and_outcomes_of_games_survive(outcome: alexmagnum.Outcome) -> None:
    values: list[tuple[str, Any]] = [("position", outcome.position), ("outcome", outcome)]
    values += [("order", entry.order) for entry in outcome.results]
    for name, value in values:
        data = alexmagnum.to_json(value)
        assert not list(VALIDATORS[name].iter_errors(data))
        assert alexmagnum.from_json(data) == alexmagnum.from_json(json.dumps(data)) == value


def test_equal_positions_are_written_alike() -> None:
    """However units, owners, homes and points are listed; units of an outcome are read so too."""
    for outcome in PLAYED:
        position = outcome.position
        backwards = alexmagnum.Position(
            position.board,
            position.phase,
            position.units[::-1],
            dict(reversed(list(position.owners.items()))),
            {power: homes[::-1] for power, homes in reversed(list(position.homes.items()))},
            dict(reversed(list(position.nobility.items()))),
            position.dislodged[::-1],
        )
        assert backwards == position
        assert json.dumps(alexmagnum.to_json(backwards)) == json.dumps(alexmagnum.to_json(position))

        data = alexmagnum.to_json(outcome)
        data["units"].reverse()
        read = alexmagnum.from_json(data)
        assert isinstance(read, type(outcome))
        assert sorted(read.units) == sorted(outcome.units)


@given(scenarios())
@thoroughly
def test_drawn_outcomes_survive(scenario: Scenario) -> None:
    position, orders = scenario.position, scenario.orders
    if position.problems():
        return
    outcome = alexmagnum.adjudicate(position, orders)
    assert alexmagnum.from_json(json.dumps(alexmagnum.to_json(outcome))) == outcome


@pytest.mark.parametrize("name", ["standard", "alexmagnum"])
def test_every_legal_order_survives(name: str) -> None:
    for orders in alexmagnum.all_legal_orders(
        alexmagnum.first_position(alexmagnum.load_board(name))
    ).values():
        for order in orders:
            assert alexmagnum.from_json(alexmagnum.to_json(order)) == order


POSITION = alexmagnum.first_position(alexmagnum.load_board("standard"))
VIENNA = next(unit for unit in POSITION.units if unit.province == "VIE")

BROKEN: dict[str, tuple[list[str | int], Any, str, str]] = {
    "type": (["type"], "positoin", "json-unknown-type", "type"),
    "map": (["map"], "standart", "json-map", "map"),
    "year": (["year"], "1901", "json-bad-type", "year"),
    "flag": (["retreats"], 0, "json-bad-type", "retreats"),
    "season": (["season"], "summer", "json-bad-word", "season"),
    "switch": (["rules"], {"sea_capacity": 99}, "json-switch", "rules.sea_capacity"),
    "kind": (["units", 0, "kind"], "X", "json-bad-word", "units[0].kind"),
    "number": (["units", 1, "number"], True, "json-bad-type", "units[1].number"),
    "list": (["units"], {}, "json-bad-type", "units"),
    "unknown": (["nobilty"], {}, "json-unknown-key", ""),
}


def _changed(data: dict[str, Any], path: list[str | int], value: Any) -> dict[str, Any]:
    changed: Any = copy.deepcopy(data)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_named_with_its_key(name: str) -> None:
    path, value, code, where = BROKEN[name]
    data = _changed(alexmagnum.to_json(POSITION), path, value)
    with pytest.raises(alexmagnum.BadJson) as caught:
        alexmagnum.from_json(data)
    assert (caught.value.code, caught.value.where) == (code, where)
    for lang in ("en", "it"):
        assert alexmagnum.load_sentences(lang).error(caught.value)
    if name != "map":
        assert list(VALIDATORS["position"].iter_errors(data))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "3", "{}"])
def test_what_is_no_such_json_is_refused(text: str) -> None:
    with pytest.raises(alexmagnum.BadJson):
        alexmagnum.from_json(text)


def test_impossible_positions_and_false_outcomes_are_refused() -> None:
    outcome = alexmagnum.adjudicate(POSITION, {"Austria": [alexmagnum.Move("A VIE", "TYR")]})

    with pytest.raises(alexmagnum.BadPosition):
        alexmagnum.from_json(
            _changed(alexmagnum.to_json(POSITION), ["units", 0, "province"], "XYZ")
        )
    with pytest.raises(alexmagnum.BadJson, match="json-other-outcome"):
        alexmagnum.from_json(
            _changed(alexmagnum.to_json(outcome), ["results", 0, "result"], "fails")
        )
    with pytest.raises(alexmagnum.BadJson, match="json-other-map"):
        alexmagnum.from_json(alexmagnum.to_json(POSITION), alexmagnum.load_board("alexmagnum"))


def test_a_map_of_your_own_needs_its_board() -> None:
    board = alexmagnum.load_board("standard").with_rules({"victory_centres": 20})
    position = alexmagnum.first_position(board)
    again = alexmagnum.from_json(alexmagnum.to_json(position), alexmagnum.load_board("standard"))
    assert isinstance(again, alexmagnum.Position)
    assert again == position
    assert VIENNA in again.units


# The published JSON Schemas say the same about a file as the readers do.


ROOT = Path(__file__).parents[2]
PUBLISHED = resources.files("alexmagnum").joinpath("schemas")
VALID = [
    *(("map.json", path) for path in sorted(maps_folder().glob("*.json"))),
    *(("cases.json", path) for path in sorted(ROOT.glob("tests/cases/*.yaml"))),
    *(("cases.json", path) for path in sorted(ROOT.glob("tests/datc/*.yaml"))),
    ("turn.json", ROOT / "orders" / "turn.yaml"),
]

BEYOND_SHAPE = {"duplicate-id", "reserved-id", "not-unit"}  # faults of maps that no schema can name

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
            list(read_case_files([path]))


def test_a_turn_of_a_wrong_shape_is_refused_by_both() -> None:
    """Broken cases that say nothing of an outcome are broken turns."""
    turn = {key: value for key, value in FAULTS["sound"].items() if key != "expect"}
    changes = [row["change"] for row in FAULTS["changes"] if row.get("shape")]
    broken = [{**turn, **change} for change in changes if "expect" not in change]
    for data in (*broken, [], "text", 3):
        assert faults("turn.json", data), data
        with pytest.raises(AlexMagnumError):
            turn_of(data, "turn.json")
