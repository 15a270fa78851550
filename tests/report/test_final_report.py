"""The final report, which adds up and tells no secret, and its chart of the centres."""

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board import load_board
from alexmagnum.campaign import first_position
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.undo import ABANDON, DRAW, SOLO
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.position import Phase
from alexmagnum.report import context, document
from alexmagnum.report.final_report import BRIEF, compose_final_report
from alexmagnum.report.formats import FORMATS, render_report
from tests.game.desks import new_desk, play
from tests.sizes import one_in, sized


def _sections(desk: Desk, lang: str = "en") -> Mapping[str, Any]:
    """Return the sections of the final report for programs."""
    report = compose_final_report(context.gather_story(desk), load_sentences(lang))
    data: dict[str, Any] = json.loads(render_report(report, "json"))["sections"]
    return {key: section["content"] for key, section in data.items()}


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Return a game of some years that ended in a draw."""
    with new_desk(tmp_path_factory.mktemp("ended"), "alexmagnum") as desk:
        play(desk, 16, seed=5)
        desk.end(DRAW, ("TOL", "SEL"), "enough")
        yield desk


@pytest.mark.parametrize("board", one_in(2, ["standard", "alexmagnum"]))
def test_units_add_up(tmp_path: Path, board: str) -> None:
    """What a power has is what it had, and built, less what it removed and lost."""
    for seed in range(sized(1, 12)):
        with new_desk(tmp_path / f"{board}{seed}", board) as desk:
            first = desk.position
            play(desk, 14, seed=seed)
            desk.end(ABANDON)
            story = context.gather_story(desk)
        changes = [context.find_unit_changes(outcome) for outcome in story.outcomes]
        now = (*story.position.units, *(d.unit for d in story.position.dislodged))
        for power in story.position.board.powers:
            had = sum(unit.power == power for unit in first.units)
            built, removed, lost = (
                sum(unit.power == power for change in changes for unit in getattr(change, what))
                for what in ("built", "removed", "lost")
            )
            has = sum(unit.power == power for unit in now)
            assert had + built - removed - lost == has, (seed, power)


@pytest.mark.proof
def test_the_last_year_of_the_tables_is_the_position_at_the_end(ended: Desk) -> None:
    """The last owner of a centre is the one at the end; who won or shared is in the standings."""
    sections, position = _sections(ended), ended.position
    last = sections["centre-years"][-1]
    owned = list(position.owners.values())
    for row in sections["standings"]:
        assert row["centres"] == owned.count(row["power"]) == last[row["power"]]
    assert sections["nobility-years"][-1]["TOL"] == position.points_of("TOL")
    states = {row["power"]: row["state"] for row in sections["standings"]}
    assert {power for power, state in states.items() if state == "shares"} == {"TOL", "SEL"}

    holders = {row["centre"]: row["owners"] for row in sections["holders"]}
    assert {centre: held[-1]["power"] for centre, held in holders.items()} == position.owners
    for spans in holders.values():
        assert spans[-1]["until"] is None
        years = [(span["from"], span["until"]) for span in spans[:-1]]
        assert all(start >= end for start, end in years)  # BC
        assert [end for _, end in years] == [span["from"] for span in spans[1:]]


def test_every_phase_that_was_resolved_has_its_orders(ended: Desk) -> None:
    sections = _sections(ended)
    resolved = {record.name for record in ended.phases() if record.state == "processed"}
    for name in resolved:
        orders = {line["order"] for group in sections[f"orders-{name}"] for line in group["orders"]}
        counted = ended.processed(name).orders
        assert {order for listed in counted.values() for order in listed} <= orders
    assert {seal["phase"] for seal in sections["seals"]} == resolved


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_format_has_the_end_and_all_sections(ended: Desk, lang: str) -> None:
    report = compose_final_report(context.gather_story(ended), load_sentences(lang))
    assert {section.key for section in report.sections} >= {*BRIEF, "seals", "check"}
    assert "unit-history" in {section.key for section in report.sections}
    for form in FORMATS:
        text = render_report(report, form)
        for section in report.sections:
            title = section.title.upper() if form == "text" else section.title
            assert title in text.replace("&#39;", "'").replace("\\", ""), (form, section.key)


def test_picks_that_the_house_rule_keeps_secret_stay_secret(tmp_path: Path) -> None:
    with new_desk(tmp_path, "alexmagnum", settings={"rules.publish_picks": "own"}) as desk:
        desk.submit("TOL", "Pick ALE")
        desk.submit("SEL", "Pick BAB")
        desk.submit("LIS", "Pick BAB")
        desk.process("323-1", allow_missing=True)
        desk.end(SOLO, ("TOL",))
        report = compose_final_report(context.gather_story(desk), load_sentences("en"))
    text = render_report(report, "text")
    assert "ALE" in text
    assert "BAB" not in text


def test_a_game_has_a_final_report_once_it_ended_though_it_never_began(tmp_path: Path) -> None:
    with new_desk(tmp_path, "alexmagnum") as desk:
        with pytest.raises(GameError, match="game-goes-on"):
            context.gather_story(desk)
        desk.end(ABANDON, reason="nobody came")
        sections = _sections(desk, "it")
    assert "non vince nessuno" in sections["end"][0]
    assert "seals" not in sections


BOARD = load_board("alexmagnum")
START = first_position(BOARD)


def _tally(after: Phase | None) -> context.CentreCount:
    return context.count_centres(after, BOARD, {"ALE": "TOL", "MEN": "TOL", "LAH": "CAN"})


def _plot(*after: Phase | None, lang: str = "en") -> document.Curves | None:
    return context.plot_centre_counts(
        [_tally(phase) for phase in after], START, load_sentences(lang)
    )


def test_every_power_is_counted_and_one_moment_is_no_history() -> None:
    assert _tally(None).centres == {"SEL": 0, "TOL": 2, "LIS": 0, "AUT": 0, "CAS": 0, "CAN": 1}
    assert _plot() is None
    assert _plot(None) is None


def test_the_moments_of_a_cyprus_year_and_the_next() -> None:
    picks = [Phase(323, "picks", period=period) for period in (1, 5)]
    drawn = _plot(None, *picks, Phase(322, "autumn"))
    assert drawn is not None
    assert [(m.time, m.label, m.year) for m in drawn.moments] == [
        (0.0, "at the beginning", ""),
        (0.2, "Cyprus year 323 BC, period 1 of picks", ""),
        (1.0, "Cyprus year 323 BC, period 5 of picks", "323"),
        (2.0, "322 BC", "322"),
    ]


def test_a_game_taken_over_begins_a_year_before_its_first_count() -> None:
    drawn = _plot(None, Phase(318, "autumn"), lang="it")
    assert drawn is not None
    assert [(m.time, m.label) for m in drawn.moments] == [(0.0, "all'inizio"), (1.0, "318 a.C.")]
    assert [(c.power, c.counts) for c in drawn.curves][1] == ("TOL", (2, 2))


def curves(*counts: tuple[int, ...], goal: int = 18) -> document.Curves:
    """Curves over as many years as there are counts, the first moment the beginning."""
    years = range(len(counts[0]))
    colors = ("#E3B505", "#2E2A2B", "#FFFFFF", "#2B6CB0")
    return document.Curves(
        tuple(document.Moment(float(y), f"year {y}", str(322 - y) if y else "") for y in years),
        tuple(
            document.Curve(f"P{i}", f"Power {i}", colors[i % 4], c) for i, c in enumerate(counts)
        ),
        goal,
    )


def test_a_line_runs_from_one_side_to_the_other_and_up_with_its_count() -> None:
    (line,) = document.draw_chart(curves((0, 4, 8))).lines
    points = [tuple(map(float, point.split(","))) for point in line.points.split()]
    assert [x for x, _ in points] == [
        document.LEFT,
        (document.LEFT + document.RIGHT) / 2,
        document.RIGHT,
    ]
    assert points[0][1] == document.BOTTOM
    assert document.TOP < points[2][1] < points[1][1] < document.BOTTOM
    assert line.count == 8
    assert line.end == pytest.approx(points[-1], abs=0.1)


def test_lines_that_run_together_do_not_cover_each_other_and_have_dashes_of_their_own() -> None:
    lines = document.draw_chart(curves(*((5, 5),) * 7)).lines
    assert len({line.end for line in lines}) == 7
    assert len({line.dash for line in lines}) == 7


def test_victory_is_drawn_once_somebody_is_near() -> None:
    assert document.draw_chart(curves((3, 11))).goal is None
    near = document.draw_chart(curves((3, 12)))
    assert near.goal is not None
    assert document.TOP < near.goal < near.lines[0].end[1]


@pytest.mark.parametrize(("years", "labels"), [(3, 3), (9, 5), (22, 5), (60, 6)])
def test_the_years_written_are_few_and_the_last_is_among_them(years: int, labels: int) -> None:
    ticks = document.draw_chart(curves(tuple(range(years + 1)))).years
    assert len(ticks) == labels
    assert ticks[-1].at == document.RIGHT
    assert ticks[-1].text == str(322 - years)


@given(st.integers(1, 200))
def test_the_counts_written_are_round_and_few(highest: int) -> None:
    ticks = [int(tick.text) for tick in document.draw_chart(curves((0, highest), goal=999)).counts]
    assert 2 <= len(ticks) <= 7
    assert ticks[0] == 0
    assert len({b - a for a, b in pairwise(ticks)}) == 1


@given(st.lists(st.floats(document.TOP, document.BOTTOM), min_size=1, max_size=12))
def test_names_keep_apart_and_in_order(heights: list[float]) -> None:
    placed = sorted(zip(heights, document.spread_names(heights), strict=True))

    for (low, one), (high, other) in pairwise(placed):
        assert other - one >= document.NAME_GAP - 1e-6 or (
            low == high and one - other >= document.NAME_GAP - 1e-6
        )
    assert all(document.TOP - 1e-6 <= at <= document.BOTTOM + 1e-6 for _, at in placed)

    assert document.spread_names([40.0, 200.0, 100.0]) == [40.0, 200.0, 100.0]  # they stay apart


@pytest.mark.parametrize("ground", [document.PAPER, document.NIGHT])
@given(color=st.integers(0, 0xFFFFFF).map("#{:06X}".format))
def test_every_colour_becomes_legible(ground: str, color: str) -> None:
    assert document.contrast(document.make_legible(color, ground), ground) >= document.CONTRAST
    assert (
        document.make_legible("#2B6CB0", document.PAPER).lower() == "#2b6cb0"
    )  # is legible, and stays
