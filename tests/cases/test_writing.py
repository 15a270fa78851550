"""What is written as a turn file reads back to the same position."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import yaml

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.campaign import first_position
from alexmagnum.cases.files import read_turn
from alexmagnum.cases.schema import canonical, position_data, read_position, turn_text
from alexmagnum.errors import BadFile, BadPosition
from alexmagnum.judge import adjudicate
from alexmagnum.orders import Build, Hold
from alexmagnum.play import play_game
from alexmagnum.position import Dislodged, Phase, Position, Unit
from tests.sizes import sampled, sized

TURN = Path(__file__).parents[2] / "orders" / "turn.yaml"

BOARDS = {
    "alexmagnum": load_board("alexmagnum"),
    "standard": load_board("standard"),
    "crowded": load_board("alexmagnum", {"major_city_capacity": 2, "sea_capacity": 4}),
}


@sampled
@pytest.mark.parametrize("name", BOARDS)
def test_every_position_of_a_game_reads_back_from_its_turn_file(tmp_path: Path, name: str) -> None:
    board = BOARDS[name]
    for played in play_game(board, seed=3, years=sized(2, 12)):
        position = played.outcome.position
        data = position_data(position)
        back = read_position(data, board)
        assert back == position
        assert position_data(back) == data
        assert canonical(back) == back

        path = tmp_path / "turn.yaml"
        path.write_text(turn_text(position, played.orders), "utf-8")
        turn = read_turn(path)
        assert turn.position == position
        assert adjudicate(back, played.orders).results == played.outcome.results


def test_how_units_are_listed_does_not_matter() -> None:
    position = read_turn(TURN).position
    assert position is not None
    shuffled = list(position.units)
    Random(1).shuffle(shuffled)

    assert turn_text(replace(position, units=tuple(shuffled))) == turn_text(position)


def test_a_fleet_keeps_its_number() -> None:
    """R8: also where it is alone in its sea."""
    board = BOARDS["alexmagnum"]
    units = (Unit("TOL", "F", "EGE", number=2), Unit("SEL", "F", "CRE"), Unit("SEL", "F", "ION"))
    position = Position(board, Phase(318, "spring"), units)

    assert position_data(position)["units"] == {"SEL": ["F CRE", "F ION"], "TOL": ["F EGE#2"]}
    assert set(canonical(position).units) == set(units)


def test_a_dislodged_unit_keeps_who_dislodged_it() -> None:
    board = BOARDS["alexmagnum"]
    dislodged = Dislodged(
        Unit("TOL", "F", "EGE", number=2), Unit("CAS", "F", "EGE", number=3), ("CRE", "ION")
    )
    position = Position(board, Phase(318, "autumn", retreats=True), (), dislodged=(dislodged,))

    assert canonical(position).dislodged == (dislodged,)


def test_switches_are_listed_where_they_are_not_the_maps_own() -> None:
    plain = turn_text(first_position(BOARDS["alexmagnum"]))
    crowded = yaml.safe_load(turn_text(first_position(BOARDS["crowded"])))

    assert "rules:" not in plain
    assert crowded["rules"] == {"sea_capacity": 4, "major_city_capacity": 2}


def test_a_map_of_ones_own_is_named_by_its_path() -> None:
    """Its switches are then listed where they are not those of the standard game."""
    text = yaml.safe_load(turn_text(first_position(BOARDS["alexmagnum"]), map_name="my/map.json"))

    assert text["map"] == "my/map.json"
    assert text["rules"]["nobility"] == 10


def test_orders_are_written_canonical() -> None:
    position = first_position(BOARDS["standard"])
    text = turn_text(position, {"France": [Hold("A PAR"), Build("F BRE")], "Italy": ["A ROM H"]})

    assert yaml.safe_load(text)["orders"] == {
        "France": ["A PAR H", "Build F BRE"],
        "Italy": ["A ROM H"],
    }


def test_data_that_cannot_be_is_refused() -> None:
    board: Board = BOARDS["standard"]
    with pytest.raises(BadFile):
        read_position({"phase": "summer"}, board)
    with pytest.raises(BadPosition):
        read_position({"units": {"France": ["A PAR", "A PAR"]}}, board)
