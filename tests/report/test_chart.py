"""The chart of the centres over the years: what is counted, and where lines and names stand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board import load_board
from alexmagnum.campaign import first_position
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.position import Phase
from alexmagnum.report.context import CentreCount, count_centres, plot_centre_counts
from alexmagnum.report.document import (
    BOTTOM,
    CONTRAST,
    LEFT,
    NAME_GAP,
    NIGHT,
    PAPER,
    RIGHT,
    TOP,
    Curve,
    Curves,
    Moment,
    contrast,
    draw_chart,
    make_legible,
    spread_names,
)

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


def curves(*counts: tuple[int, ...], goal: int = 18) -> Curves:
    """Curves over as many years as there are counts, the first moment the beginning."""
    years = range(len(counts[0]))
    moments = tuple(Moment(float(y), f"year {y}", str(322 - y) if y else "") for y in years)
    colors = ("#E3B505", "#2E2A2B", "#FFFFFF", "#2B6CB0")
    return Curves(
        moments,
        tuple(Curve(f"P{i}", f"Power {i}", colors[i % 4], c) for i, c in enumerate(counts)),
        goal,
    )


def test_a_line_runs_from_one_side_to_the_other_and_up_with_its_count() -> None:
    (line,) = draw_chart(curves((0, 4, 8))).lines
    points = [tuple(map(float, point.split(","))) for point in line.points.split()]

    assert [x for x, _ in points] == [LEFT, (LEFT + RIGHT) / 2, RIGHT]
    assert points[0][1] == BOTTOM
    assert TOP < points[2][1] < points[1][1] < BOTTOM
    assert line.count == 8
    assert line.end == pytest.approx(points[-1], abs=0.1)


def test_lines_that_run_together_do_not_cover_each_other() -> None:
    lines = draw_chart(curves((5, 5), (5, 5), (5, 5))).lines

    assert len({line.end for line in lines}) == 3


def test_every_line_has_dashes_of_its_own() -> None:
    lines = draw_chart(curves(*((5, 5),) * 7)).lines

    assert len({line.dash for line in lines}) == 7


def test_victory_is_drawn_once_somebody_is_near() -> None:
    assert draw_chart(curves((3, 11))).goal is None
    near = draw_chart(curves((3, 12)))
    assert near.goal is not None
    assert TOP < near.goal < near.lines[0].end[1]


@pytest.mark.parametrize(("years", "labels"), [(3, 3), (9, 5), (22, 5), (60, 6)])
def test_the_years_written_are_few_and_the_last_is_among_them(years: int, labels: int) -> None:
    ticks = draw_chart(curves(tuple(range(years + 1)))).years

    assert len(ticks) == labels
    assert ticks[-1].at == RIGHT
    assert ticks[-1].text == str(322 - years)


@given(st.integers(1, 200))
def test_the_counts_written_are_round_and_few(highest: int) -> None:
    ticks = [int(tick.text) for tick in draw_chart(curves((0, highest), goal=999)).counts]

    assert 2 <= len(ticks) <= 7
    assert ticks[0] == 0
    assert len({b - a for a, b in pairwise(ticks)}) == 1


@given(st.lists(st.floats(TOP, BOTTOM), min_size=1, max_size=12))
def test_names_keep_apart_and_in_order(heights: list[float]) -> None:
    placed = sorted(zip(heights, spread_names(heights), strict=True))

    for (low, one), (high, other) in pairwise(placed):
        assert other - one >= NAME_GAP - 1e-6 or (low == high and one - other >= NAME_GAP - 1e-6)
    assert all(TOP - 1e-6 <= at <= BOTTOM + 1e-6 for _, at in placed)


def test_names_that_are_apart_stay_where_they_are() -> None:
    assert spread_names([40.0, 200.0, 100.0]) == [40.0, 200.0, 100.0]


@pytest.mark.parametrize("ground", [PAPER, NIGHT])
@given(color=st.integers(0, 0xFFFFFF).map("#{:06X}".format))
def test_every_colour_becomes_legible(ground: str, color: str) -> None:
    assert contrast(make_legible(color, ground), ground) >= CONTRAST


def test_a_colour_that_is_legible_stays() -> None:
    assert make_legible("#2B6CB0", PAPER).lower() == "#2b6cb0"
