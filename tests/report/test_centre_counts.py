"""The table of centres over the years: wording of the counts."""

from __future__ import annotations

from alexmagnum.board import load_board
from alexmagnum.campaign import first_position
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.position import Phase
from alexmagnum.report.context import CentreCount, count_centres, plot_centre_counts

BOARD = load_board("alexmagnum")
START = first_position(BOARD)


def _tally(after: Phase | None) -> CentreCount:
    return count_centres(after, BOARD, {"ALE": "TOL", "MEN": "TOL", "LAH": "CAN"})


def test_every_power_is_counted() -> None:
    assert _tally(None).centres == {"SEL": 0, "TOL": 2, "LIS": 0, "AUT": 0, "CAS": 0, "CAN": 1}


def test_one_moment_is_no_history() -> None:
    assert plot_centre_counts((), START, load_sentences("en")) is None
    assert plot_centre_counts((_tally(None),), START, load_sentences("en")) is None


def test_the_moments_of_a_cyprus_year_and_the_next() -> None:
    phases = [None, Phase(323, "picks", period=1), Phase(323, "picks", period=5)]
    drawn = plot_centre_counts(
        [_tally(p) for p in (*phases, Phase(322, "autumn"))], START, load_sentences("en")
    )

    assert drawn is not None
    assert [(m.time, m.label, m.year) for m in drawn.moments] == [
        (0.0, "at the beginning", ""),
        (0.2, "Cyprus year 323 BC, period 1 of picks", ""),
        (1.0, "Cyprus year 323 BC, period 5 of picks", "323"),
        (2.0, "322 BC", "322"),
    ]


def test_a_game_taken_over_begins_a_year_before_its_first_count() -> None:
    drawn = plot_centre_counts(
        [_tally(None), _tally(Phase(318, "autumn"))], START, load_sentences("it")
    )

    assert drawn is not None
    assert [(m.time, m.label) for m in drawn.moments] == [(0.0, "all'inizio"), (1.0, "318 a.C.")]
    assert [(c.power, c.counts) for c in drawn.curves][1] == ("TOL", (2, 2))
