"""Every switch of the rules changes something, wherever it is set."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from alexmagnum.board import load_board
from alexmagnum.board.model import SWITCHES, Board
from alexmagnum.campaign import ending, first_position, next_position
from alexmagnum.cases.files import read_turn
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.other_phases import count_adjustments
from alexmagnum.orders import Build, Pick
from alexmagnum.position import Phase, Position
from alexmagnum.report.results import compose_turn_report, render_turn_report
from tests.units import judge_lines, place_units

MAP = Path(__file__).parents[2] / "maps" / "alexmagnum.json"


def _first_phase(board: Board) -> object:
    return str(first_position(board).phase)


def _ends_in_302(board: Board) -> object:
    autumn = Position(board, Phase(302, "autumn"), ())
    return ending(adjudicate(autumn, {})) is not None


def _after_the_first_period(board: Board) -> object:
    following = next_position(adjudicate(Position(board, Phase(323, "picks", period=1), ()), {}))
    return following and following.phase.kind


def _published(board: Board) -> object:
    position = Position(board, Phase(323, "picks", period=1), ())
    outcome = adjudicate(
        position, {"TOL": [Pick("ALE")], "SEL": [Pick("BAB")], "LIS": [Pick("BAB")]}
    )
    return "Babylon" in render_turn_report(compose_turn_report(outcome, (), load_sentences("en")))


def _fleets_in_one_sea(board: Board) -> object:
    return bool(place_units("TOL F EGE#1", "SEL F EGE#2", board=board).problems())


def _general_attacks(board: Board) -> object:
    return judge_lines("TOL G MEN - TEB; SEL A TEB", board).results[0].result


def _general_supports(board: Board) -> object:
    lines = "TOL A NOC - MEN; TOL G ALE S A NOC - MEN; SEL A MEN; SEL A TEB S A MEN"
    return judge_lines(lines, board).results[0].result


def _points(board: Board) -> object:
    return adjudicate(Position(board, Phase(318, "winter"), ()), {}).nobility.get("TOL")


def _kept_by_a_city(board: Board) -> object:
    return count_adjustments(Position(board, Phase(318, "winter"), (), {"ALE": "TOL"}))["TOL"]


def _built_in_a_city(board: Board) -> object:
    winter = Position(board, Phase(318, "winter"), (), {"ALE": "TOL"})
    return len(adjudicate(winter, {"TOL": [Build("A ALE"), Build("F ALE")]}).units)


def _passes_its_own(board: Board) -> object:
    return judge_lines("TOL F FOC - TEB; TOL A NOC", board).results[0].result


def _wins_with_two(board: Board) -> object:
    autumn = Position(board, Phase(318, "autumn"), (), {"ALE": "TOL", "MEN": "TOL"})
    return ending(adjudicate(autumn, {})) is not None


OBSERVED: dict[str, tuple[object, Callable[[Board], object], object, object]] = {
    "first_year": (330, _first_phase, "323-1", "330-1"),
    "last_year": (302, _ends_in_302, False, True),
    "picks": (1, _after_the_first_period, "picks", "deployment"),
    "publish_picks": ("own", _published, True, False),
    "sea_capacity": (1, _fleets_in_one_sea, False, True),
    "general_strength": (1, _general_attacks, "succeeds", "fails"),
    "general_support": (2, _general_supports, "fails", "succeeds"),
    "nobility": (7, _points, 10, 7),
    "major_city_upkeep": (1, _kept_by_a_city, 2, 1),
    "major_city_capacity": (2, _built_in_a_city, 1, 2),
    "express": ("attack", _passes_its_own, "succeeds", "fails"),
    "victory_centres": (2, _wins_with_two, False, True),
}
"""By switch: another value, what to look at, and what is seen before and after."""


def _from_a_game(switch: str, value: object, folder: Path) -> Board:
    return load_board("alexmagnum").with_rules({switch: value})


def _from_a_map(switch: str, value: object, folder: Path) -> Board:
    data = json.loads(MAP.read_text(encoding="utf-8"))
    data["rules"][switch] = value
    data.pop("geometry")
    assert any("capacity" in province for province in data["provinces"])  # the switch wins
    path = folder / "map.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return load_board(str(path))


def _from_a_case(switch: str, value: object, folder: Path) -> Board:
    path = folder / "turn.json"
    path.write_text(json.dumps({"map": "alexmagnum", "rules": {switch: value}}), encoding="utf-8")
    position = read_turn(path).position
    assert position is not None
    return position.board


def test_every_switch_is_looked_at() -> None:
    assert list(OBSERVED) == list(SWITCHES)


@pytest.mark.parametrize("source", [_from_a_game, _from_a_map, _from_a_case])
@pytest.mark.parametrize("switch", OBSERVED)
def test_a_switch_changes_what_happens(
    switch: str, source: Callable[[str, object, Path], Board], tmp_path: Path
) -> None:
    value, look, before, after = OBSERVED[switch]

    assert look(load_board("alexmagnum")) == before
    assert look(source(switch, value, tmp_path)) == after
