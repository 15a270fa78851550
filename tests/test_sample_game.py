"""The sample game is played as told, holds every special rule, and its reports are as approved."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from alexmagnum.board import load_board
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Processed
from alexmagnum.judge.other_phases import count_adjustments
from alexmagnum.notation import write_order
from tests.case_library import read_yaml
from tests.sample_game import APPROVED, play_sample
from tools.demo import SAMPLE, read_story

STORY = read_story()
RULINGS = load_board("alexmagnum").rulings


class Sight(NamedTuple):
    """An order of the game in which a ruling shows: its result and the code of the reason."""

    phase: str
    power: str
    order: str
    result: str
    code: str


SIGHTS: Mapping[str, list[Sight]] = {
    ruling: [Sight(*row) for row in rows]
    for ruling, rows in read_yaml(Path(__file__).parent / "data" / "sights.yaml").items()
}
"""Where the rulings about orders show."""

SEEN_OTHERWISE = {"R2", "R8", "R22", "R25", "R27", "R29", "R32"}
"""Rulings about what comes after; each has a test of its own below."""

NOT_IN_THREE_YEARS = {"R3", "R4", "R26", "R33", "R34", "R35"}
"""Ten generals of one power are not lost in three years, nor is the game won or a power out; what
has no name (R4) cannot be ordered; two places in a city (R26) are a house rule that is off."""


@pytest.fixture(scope="module")
def phases(sample_game: Path) -> Mapping[str, Processed]:
    """Return every phase as it was resolved."""
    with Desk.open(sample_game) as desk:
        return {turn.phase: desk.processed(turn.phase) for turn in STORY.turns}


# -- what happens in it ----------------------------------------------------------------------------


def test_every_special_rule_is_accounted_for() -> None:
    assert {*SIGHTS, *SEEN_OTHERWISE, *NOT_IN_THREE_YEARS} == set(RULINGS)
    assert not {*SIGHTS, *SEEN_OTHERWISE} & NOT_IN_THREE_YEARS


@pytest.mark.parametrize(
    ("ruling", "sight"), [(ruling, sight) for ruling, seen in SIGHTS.items() for sight in seen]
)
def test_the_ruling_shows(ruling: str, sight: Sight, phases: Mapping[str, Processed]) -> None:
    outcome = phases[sight.phase].outcome
    assert [
        (entry.result, reason.code)
        for entry, reason in zip(outcome.results, outcome.reasons, strict=True)
        if (entry.power, write_order(entry.order)) == (sight.power, sight.order)
    ] == [(sight.result, sight.code)]


def test_a_general_without_retreat_costs_nobility(phases: Mapping[str, Processed]) -> None:
    """R2"""
    outcome = phases["321-autumn"].outcome
    assert [str(d.unit) for d in outcome.dislodged if not d.retreats] == ["G TRA"]
    assert outcome.nobility["CAS"] == 9
    assert phases["321-autumn"].next == "321-winter"


def test_three_fleets_in_the_aegean_bear_numbers(phases: Mapping[str, Processed]) -> None:
    """R8"""
    fleets = {u.number: u.power for u in phases["322-spring"].outcome.units if u.province == "EGE"}
    assert fleets == {1: "CAS", 2: "CAS", 3: "LIS"}


def test_where_an_express_was_stopped_nobody_retreats(phases: Mapping[str, Processed]) -> None:
    """R22: Thapsacus is empty, but closed."""
    outcome = phases["320-autumn"].outcome
    (ways,) = [d.retreats for d in outcome.dislodged if str(d.unit) == "A COM"]
    assert "TAP" not in {unit.province for unit in outcome.units}
    assert set(ways) == {"CAP", "CIL"}


def test_major_cities_keep_two(phases: Mapping[str, Processed]) -> None:
    """R25: five centres, one of them a major city, keep six units."""
    before = phases["322-winter"].outcome.position
    assert len(before.centres_of("SEL")) == 5
    assert len(before.units_of("SEL")) + count_adjustments(before)["SEL"] == 6


def test_three_garrisons_fall_for_good(phases: Mapping[str, Processed]) -> None:
    """R27"""
    fallen = {str(u) for u in phases["322-autumn"].outcome.destroyed if u.power == "NEU"}
    last = phases["320-winter"].outcome.units
    assert fallen == {"A CAP", "A CIR", "A PAT"}
    assert {u.province for u in last if u.power == "NEU"} == {"SPA", "CHE", "COR"}


def test_centres_change_hands_after_the_retreats_of_autumn(phases: Mapping[str, Processed]) -> None:
    """R29: a fleet that had to retreat took Ephesus; Thrace is Cassander's."""
    before, after = (phases[name].outcome.position for name in ("322-autumn", "322-winter"))
    assert before.owners.get("EFE") is None
    assert (after.owners["EFE"], after.owners["TRA"]) == ("LIS", "CAS")


def test_what_nobody_removed_goes_by_civil_disorder(phases: Mapping[str, Processed]) -> None:
    """R32"""
    assert [str(u) for u in phases["321-winter"].outcome.removed] == ["F EGE"]


# -- how it is told --------------------------------------------------------------------------------


def test_the_manifest_names_every_mail_once() -> None:
    named = [mail.path for turn in STORY.turns for mail in turn.mails]
    assert sorted(named) == sorted(SAMPLE.glob("*/*.txt"))


def test_time_goes_forward() -> None:
    times = [
        at
        for turn in STORY.turns
        for at in (*(mail.at for mail in turn.mails if not mail.refused), turn.processed)
    ]
    assert times == sorted(times)


def test_orders_sent_ahead_were_used(phases: Mapping[str, Processed]) -> None:
    """Two sets came ahead and were used; two were replaced by what came later."""
    assert set(phases["320-autumn-retreats"].orders["AUT"]) == {"A COM - CIL"}
    assert set(phases["321-winter"].orders["TOL"]) == {"Build F CIP", "Waive"}
    assert set(phases["322-autumn-retreats"].orders["LIS"]) == {"F EGE#3 - EFE", "A TRA - BIS"}
    assert "Build A BAR" in phases["322-winter"].orders["CAN"]


def test_the_game_by_commands_is_as_approved(tmp_path: Path) -> None:
    """``python -m tests.sample_game --approve`` rewrites the approved reports."""
    found = play_sample(tmp_path / "game")
    approved = {path.name: path.read_text(encoding="utf-8") for path in APPROVED.glob("*.txt")}
    assert set(found) == set(approved)
    for name, text in found.items():
        assert text == approved[name], name
    with Desk.open(tmp_path / "game") as desk:
        assert desk.verify() == ()
