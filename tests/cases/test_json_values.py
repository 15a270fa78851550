"""Positions, orders and outcomes survive as JSON, and the schemas say what is written."""

from __future__ import annotations

import copy
import json
from importlib import resources
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from alexmagnum import (
    BadJson,
    BadPosition,
    Move,
    Outcome,
    Position,
    adjudicate,
    all_legal_orders,
    first_position,
    from_json,
    load_board,
    load_sentences,
    to_json,
)
from alexmagnum.play import play_game
from tests.scenarios import Scenario, scenarios, thoroughly


def _validator(name: str) -> Draft202012Validator:
    path = resources.files("alexmagnum").joinpath("schemas", f"{name}.json")
    return Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))


VALIDATORS = {name: _validator(name) for name in ("position", "order", "outcome")}


def _played() -> list[Outcome]:
    """Return the outcomes of a game on each map, with every kind of phase."""
    boards = [load_board("standard"), load_board("alexmagnum").with_rules({"sea_capacity": 2})]
    return [played.outcome for board in boards for played in play_game(board, 3, years=2)]


PLAYED = _played()


@pytest.mark.parametrize(
    "outcome", PLAYED, ids=lambda o: f"{o.position.board.id}-{o.position.phase}"
)
def test_positions_orders_and_outcomes_of_games_survive(outcome: Outcome) -> None:
    values: list[tuple[str, Any]] = [("position", outcome.position), ("outcome", outcome)]
    values += [("order", entry.order) for entry in outcome.results]
    for name, value in values:
        data = to_json(value)
        assert not list(VALIDATORS[name].iter_errors(data))
        assert from_json(data) == from_json(json.dumps(data)) == value


def test_equal_positions_are_written_alike() -> None:
    """However units, owners, homes and points are listed; units of an outcome are read so too."""
    for outcome in PLAYED:
        position = outcome.position
        backwards = Position(
            position.board,
            position.phase,
            position.units[::-1],
            dict(reversed(list(position.owners.items()))),
            {power: homes[::-1] for power, homes in reversed(list(position.homes.items()))},
            dict(reversed(list(position.nobility.items()))),
            position.dislodged[::-1],
        )
        assert backwards == position
        assert json.dumps(to_json(backwards)) == json.dumps(to_json(position))

        data = to_json(outcome)
        data["units"].reverse()
        read = from_json(data)
        assert isinstance(read, type(outcome))
        assert sorted(read.units) == sorted(outcome.units)


@given(scenarios())
@thoroughly
def test_drawn_outcomes_survive(scenario: Scenario) -> None:
    position, orders = scenario.position, scenario.orders
    if position.problems():
        return
    outcome = adjudicate(position, orders)

    assert from_json(json.dumps(to_json(outcome))) == outcome


@pytest.mark.parametrize("name", ["standard", "alexmagnum"])
def test_every_legal_order_survives(name: str) -> None:
    for orders in all_legal_orders(first_position(load_board(name))).values():
        for order in orders:
            assert from_json(to_json(order)) == order


POSITION = first_position(load_board("standard"))
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
    data = _changed(to_json(POSITION), path, value)
    with pytest.raises(BadJson) as caught:
        from_json(data)

    assert (caught.value.code, caught.value.where) == (code, where)
    for lang in ("en", "it"):
        assert load_sentences(lang).error(caught.value)
    if name != "map":
        assert list(VALIDATORS["position"].iter_errors(data))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "3", "{}"])
def test_what_is_no_such_json_is_refused(text: str) -> None:
    with pytest.raises(BadJson):
        from_json(text)


def test_impossible_positions_and_false_outcomes_are_refused() -> None:
    outcome = adjudicate(POSITION, {"Austria": [Move("A VIE", "TYR")]})

    with pytest.raises(BadPosition):
        from_json(_changed(to_json(POSITION), ["units", 0, "province"], "XYZ"))
    with pytest.raises(BadJson, match="json-other-outcome"):
        from_json(_changed(to_json(outcome), ["results", 0, "result"], "fails"))
    with pytest.raises(BadJson, match="json-other-map"):
        from_json(to_json(POSITION), load_board("alexmagnum"))


def test_a_map_of_your_own_needs_its_board() -> None:
    board = load_board("standard").with_rules({"victory_centres": 20})
    position = first_position(board)
    again = from_json(to_json(position), load_board("standard"))

    assert isinstance(again, Position)
    assert again == position
    assert VIENNA in again.units
