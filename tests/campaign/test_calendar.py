"""How a game begins, what comes after a phase, and who owns what then."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from alexmagnum import campaign
from alexmagnum.board import load_board
from alexmagnum.board.model import SWITCHES, Board
from alexmagnum.cases.files import read_turn
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.other_phases import count_adjustments, list_building_places
from alexmagnum.orders import Build, Move, Order, Pick, Retreat, Support
from alexmagnum.position import Phase, Position, Unit, parse_phase
from alexmagnum.report.results import compose_turn_report, render_turn_report
from tests.units import judge_lines, place_units

STANDARD = load_board("standard")
ALEXMAGNUM = load_board("alexmagnum")

Orders = Mapping[str, Sequence[Order]]


def _following(position: Position, orders: Orders | None = None) -> Position:
    """Return the position after a phase that is not the last."""
    after = campaign.next_position(adjudicate(position, orders or {}))
    assert after is not None
    return after


def test_the_calendar_goes_on_until_the_last_autumn() -> None:
    """Years before Christ count down; R34: there is no winter 301."""
    for board, phase, following in (
        (STANDARD, "1901-spring", "1901-autumn"),
        (STANDARD, "1901-autumn", "1901-winter"),
        (STANDARD, "1901-winter", "1902-spring"),
        (ALEXMAGNUM, "323-1", "323-2"),
        (ALEXMAGNUM, "323-5", "323-6"),
        (ALEXMAGNUM, "323-6", "322-spring"),
        (ALEXMAGNUM, "322-winter", "321-spring"),
        (ALEXMAGNUM, "301-spring", "301-autumn"),
    ):
        assert str(_following(Position(board, parse_phase(phase), ())).phase) == following

    last = Position(ALEXMAGNUM, parse_phase("301-autumn"), ())
    assert campaign.next_position(adjudicate(last, {})) is None


def test_a_game_bc_without_a_last_year_goes_on_counting_down() -> None:
    """The switch ``last_year: 0`` takes the end away, not the era."""
    board = ALEXMAGNUM.with_rules({"last_year": 0})
    assert str(_following(Position(board, parse_phase("301-autumn"), ())).phase) == "301-winter"
    assert str(_following(Position(board, parse_phase("301-winter"), ())).phase) == "300-spring"


def test_the_standard_game_has_no_last_year() -> None:
    position = Position(STANDARD, parse_phase("2001-autumn"), (), {"PAR": "France"})
    assert campaign.ending(adjudicate(position, {})) is None


def test_a_whole_calendar_from_the_first_pick_to_the_last_autumn() -> None:
    """Five periods of picks, a deployment, and 22 years of three phases but the last winter."""
    position: Position | None = campaign.first_position(ALEXMAGNUM)
    phases = []
    while position is not None:
        phases.append(str(position.phase))
        position = campaign.next_position(adjudicate(position, {}))
    assert phases[:8] == [*(f"323-{n}" for n in range(1, 7)), "322-spring", "322-autumn"]
    assert phases[-3:] == ["302-winter", "301-spring", "301-autumn"]
    assert len(phases) == 6 + 22 * 3 - 1


def test_a_game_begins_with_what_the_map_gives() -> None:
    """R27: every independent centre is garrisoned; Candragrupta owns Lahore."""
    first = campaign.first_position(ALEXMAGNUM)
    assert str(first.phase) == "323-1"
    assert first.owners == {"LAH": "CAN"}
    assert len(first.units) == 7
    assert {unit.power for unit in first.units} == {"NEU"}
    assert first.problems() == ()

    first = campaign.first_position(STANDARD)
    assert str(first.phase) == "1901-spring"
    assert len(first.units) == 22
    assert Unit("Russia", "F", "STP", "SC") in first.units
    assert first.problems() == ()


def test_a_centre_picked_is_owned_and_a_building_centre_from_then_on() -> None:
    """R30, R28: also after others have owned it."""
    picked = _following(
        campaign.first_position(ALEXMAGNUM), {"TOL": [Pick("MEN")], "SEL": [Pick("TEB")]}
    )

    assert picked.owners == {"LAH": "CAN", "MEN": "TOL", "TEB": "SEL"}
    assert picked.homes == {"TOL": ("MEN",), "SEL": ("TEB",)}

    second = _following(picked, {"TOL": [Pick("ALE")]})

    assert second.homes["TOL"] == ("MEN", "ALE")
    assert list_building_places(second, "TOL") == ("ALE", "MEN")


def test_the_cyprus_year_leads_into_the_first_spring() -> None:
    """R31: what was placed stands there, with the full nobility."""
    position = campaign.first_position(ALEXMAGNUM)
    for _ in range(5):
        position = _following(position, {"TOL": [Pick("MEN")]})
    spring = _following(position, {"TOL": [Build("A MEN")], "CAN": [Build("G LAH")]})
    assert str(spring.phase) == "322-spring"
    assert set(spring.units) - set(campaign.first_position(ALEXMAGNUM).units) == {
        Unit("TOL", "G", "MEN"),
        Unit("CAN", "G", "LAH"),
    }
    assert spring.nobility == dict.fromkeys(ALEXMAGNUM.powers, 10)


def _dislodging(season: str, *, way_out: bool) -> Position:
    units = ["Italy A VEN", "Italy A TYR", "Austria A TRI"]
    if not way_out:
        units += [f"Turkey A {p}" for p in ("ALB", "SER", "BUD", "VIE")]
    phase, owners = f"1901-{season}", {"TRI": "Austria"}
    return place_units(*units, board=STANDARD, phase=phase, owners=owners)


ATTACK: dict[str, list[Order]] = {"Italy": [Move("A VEN", "TRI"), Support("A TYR", "A VEN", "TRI")]}


def test_retreats_come_only_where_one_is_open() -> None:
    waiting = _following(_dislodging("spring", way_out=True), ATTACK)
    assert str(waiting.phase) == "1901-spring-retreats"
    assert [str(d.unit) for d in waiting.dislodged] == ["A TRI"]
    assert str(_following(_dislodging("spring", way_out=False), ATTACK).phase) == "1901-autumn"


def test_ownership_changes_after_an_autumns_retreats() -> None:
    """R29: not in spring, and not while a retreat is still open."""
    spring = adjudicate(_dislodging("spring", way_out=False), ATTACK)
    autumn = adjudicate(_dislodging("autumn", way_out=False), ATTACK)
    pending = adjudicate(_dislodging("autumn", way_out=True), ATTACK)
    after = adjudicate(campaign.retreat_position(pending), {})
    assert campaign.owners_after(spring)["TRI"] == "Austria"
    assert campaign.owners_after(autumn)["TRI"] == "Italy"
    assert campaign.owners_after(pending)["TRI"] == "Austria"
    assert campaign.owners_after(after)["TRI"] == "Italy"


def test_garrisons_own_nothing() -> None:
    """R29: independent units own nothing new."""
    position = Position(ALEXMAGNUM, Phase(318, "autumn"), (Unit("NEU", "A", "CIR"),))
    assert campaign.owners_after(adjudicate(position, {})) == {}


def test_a_victory_ends_the_game_once_the_retreats_are_over() -> None:
    """R33: at once after the moves if no retreat is open."""
    board = STANDARD.with_rules({"victory_centres": 1})
    pending = adjudicate(replace(_dislodging("autumn", way_out=True), board=board), ATTACK)
    disbanded = adjudicate(campaign.retreat_position(pending), {})
    spring = adjudicate(replace(_dislodging("spring", way_out=False), board=board), ATTACK)
    saved = adjudicate(campaign.retreat_position(pending), {"Austria": [Retreat("A TRI", "VIE")]})
    assert campaign.ending(pending) is None
    assert campaign.ending(disbanded) == campaign.Ending(("Italy",), by_centres=True)
    assert campaign.next_position(disbanded) is None
    assert campaign.ending(spring) is None
    assert campaign.ending(saved) is None  # a centre each
    assert str(campaign.next_position(saved).phase) == "1901-winter"  # type: ignore[union-attr]


def test_the_eliminated_are_told_when_it_happens() -> None:
    """R35: nobody is asked in the Cyprus year; those who never got anything are out after it."""
    picks = adjudicate(campaign.first_position(ALEXMAGNUM), {"TOL": [Pick("MEN")]})
    deployment = Position(ALEXMAGNUM, parse_phase("323-6"), (), {"MEN": "TOL", "LAH": "CAN"})
    placed = adjudicate(deployment, {"TOL": [Build("A MEN")]})
    later = adjudicate(_following(deployment, {"TOL": [Build("A MEN")]}), {})
    assert campaign.eliminated(picks) == ()
    assert campaign.newly_eliminated(placed) == ("SEL", "LIS", "AUT", "CAS")
    assert campaign.eliminated(later) == ("SEL", "LIS", "AUT", "CAS")
    assert campaign.newly_eliminated(later) == ()


# Every switch of the rules changes something, wherever it is set.


MAP = Path(__file__).parents[2] / "maps" / "alexmagnum.json"


def _first_phase(board: Board) -> object:
    return str(campaign.first_position(board).phase)


def _ends_in_302(board: Board) -> object:
    return campaign.ending(adjudicate(Position(board, Phase(302, "autumn"), ()), {})) is not None


def _after_the_first_period(board: Board) -> object:
    following = campaign.next_position(
        adjudicate(Position(board, Phase(323, "picks", period=1), ()), {})
    )
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
    return campaign.ending(adjudicate(autumn, {})) is not None


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
