"""The centres over the years, as the desk counts them for the chart of a report."""

from __future__ import annotations

from pathlib import Path

from alexmagnum.game.desk import Desk
from alexmagnum.report.context import gather_open_phase, gather_past_phase


def _read_centre_counts(game: Path, phase: str) -> list[tuple[str, int, int]]:
    """Return the centres of Candragrupta and Cassandro after each phase, in a phase's report."""
    with Desk.open(game) as desk:
        tallies = gather_past_phase(desk, phase).centre_counts
    return [(str(t.after or ""), t.centres["CAN"], t.centres["CAS"]) for t in tallies]


def test_the_record_begins_before_the_first_pick(sample_game: Path) -> None:
    assert _read_centre_counts(sample_game, "323-1") == [("", 1, 0), ("323-1", 2, 1)]


def test_it_is_counted_after_each_period_of_picks_and_each_autumn(sample_game: Path) -> None:
    phases = [phase for phase, _, _ in _read_centre_counts(sample_game, "320-winter")]

    assert phases == ["", *(f"323-{p}" for p in range(1, 6))] + [
        f"{year}-autumn" for year in (322, 321, 320)
    ]


def test_a_report_knows_nothing_of_what_came_later(sample_game: Path) -> None:
    assert _read_centre_counts(sample_game, "321-spring")[-1][0] == "322-autumn"


def test_an_autumn_counts_itself_once_its_retreats_are_over(sample_game: Path) -> None:
    assert _read_centre_counts(sample_game, "322-autumn")[-1][0] == "323-5"
    assert _read_centre_counts(sample_game, "322-autumn-retreats")[-1][0] == "322-autumn"
    assert _read_centre_counts(sample_game, "321-autumn")[-1][0] == "321-autumn"


def test_the_centres_are_those_of_the_reports(sample_game: Path) -> None:
    assert _read_centre_counts(sample_game, "321-autumn")[-1][1:] == (10, 4)


def test_the_open_phase_has_the_record_until_now(sample_game: Path) -> None:
    with Desk.open(sample_game) as desk:
        tallies = gather_open_phase(desk).centre_counts

    assert str(tallies[-1].after) == "320-autumn"
