"""The text of a phase's report: its orders, what is marked in it, what it says below them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from alexmagnum.board import load_board
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.notation import read_order
from alexmagnum.position import Phase, Position, Unit, parse_phase
from alexmagnum.report.results import (
    TITLE,
    TurnReport,
    compose_turn_report,
    describe_outcome,
    format_order_lines,
    render_turn_report,
)
from alexmagnum.report.words import phase_name

BOARD = load_board("alexmagnum")


def _report() -> TurnReport:
    """A garrison falls, one move fails, and a unit without an order is dislodged."""
    units = (
        Unit("TOL", "G", "MAM"),
        Unit("NEU", "A", "CIR"),
        Unit("SEL", "A", "ISR"),
        Unit("CAS", "G", "EFE"),
        Unit("LIS", "A", "SAR"),
        Unit("SEL", "A", "DAM"),
    )
    position = Position(BOARD, parse_phase("318-spring"), units)
    orders = {"TOL": ["G MAM - CIR"], "SEL": ["A DAM - ISR"], "CAS": ["G EFE - SAR"]}
    read = {p: [read_order(line, position, p) for line in lines] for p, lines in orders.items()}
    return compose_turn_report(adjudicate(position, read), [], load_sentences("en"))


def test_orders_are_marked_with_their_results_and_titles_as_titles() -> None:
    marked: list[tuple[str, str]] = []

    def mark(line: str, what: str) -> str:
        marked.append((line, what))
        return line

    report = _report()
    text = render_turn_report(report, mark)
    results = {line.split("  ")[1]: what for line, what in marked if what != TITLE}

    assert text == render_turn_report(report)
    assert [line for line, _ in marked if line not in text.splitlines()] == []
    assert {line for line, what in marked if what == TITLE} == {
        line for line in text.splitlines() if line and not line.startswith(" ")
    }
    assert results == {
        "A ISR (no order)": "stands",
        "A DAM - ISR": "fails",
        "G MAM - CIR": "succeeds",
        "A SAR (no order)": "dislodged",
        "G EFE - SAR": "succeeds",
        "A CIR": "dislodged",
    }

    text = render_turn_report(report, lambda line, what: f"<{what}>{line}")
    assert "<fails>  A DAM - ISR  " in text
    assert "\n\n<title>SELEUCUS\n" in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_deployment_alone_is_a_season_of_one_phase(lang: str) -> None:
    texts = ("323-1", "323-6", "322-spring", "322-spring-retreats", "322-winter")
    names = [phase_name(parse_phase(text), BOARD, load_sentences(lang)) for text in texts]

    assert [", " in name for name in names] == [True, False, True, True, True]


@pytest.mark.parametrize(
    ("phase", "order", "said"),
    [
        ("323-1", "Pick BAB", "  Sceglie BAB "),
        ("322-winter", "Build A BAB", "  Costruisce A BAB "),
        ("322-winter", "Waive", "  Rinuncia "),
        ("322-winter", "Remove A ISR", "  Rimuove A ISR "),
        ("322-spring", "A ISR - BAB via convoy", "  A ISR - BAB con trasporto "),
    ],
)
def test_an_order_is_said_in_the_readers_language(phase: str, order: str, said: str) -> None:
    where = Position(BOARD, parse_phase(phase), (Unit("SEL", "A", "ISR"),), {"ISR": "SEL"})
    outcome = adjudicate(where, {"SEL": [read_order(order, where, "SEL")]})
    english, italian = load_sentences("en"), load_sentences("it")

    assert said in render_turn_report(compose_turn_report(outcome, [], italian))
    assert f"  {order} " in render_turn_report(compose_turn_report(outcome, [], english))
    lines = {line.order: line.text for line in format_order_lines(outcome, "SEL", italian)}
    assert lines[order] == said.strip()


def test_what_kept_a_fleet_out_is_a_clause_for_one_unit_and_for_several() -> None:
    """Whatever the number of units, nothing in it has to agree with them."""
    sentence = load_sentences("it").format
    figures = {"strength": 1, "against": 1, "room": 0}

    for units in ("F CAR", "F CAR, F EFE"):
        assert sentence("crowded-out", units=units, **figures).startswith(
            f"resta fuori davanti a {units}, di forza pari o maggiore ("
        )
        assert sentence("no-room-exchange", units=units) == (
            f"resta fuori: {units} con l'ordine di andare da dove questa viene, "
            "e nessun altro posto aperto (R15)"
        )


def _said(
    position: Position, orders: Mapping[str, list[str]] | None = None, lang: str = "en"
) -> dict[str, tuple[str, ...]]:
    """The lines below each title."""
    orders = orders or {}
    read = {p: [read_order(line, position, p) for line in lines] for p, lines in orders.items()}
    outcome = adjudicate(position, read)
    return {block.title: block.lines for block in describe_outcome(outcome, load_sentences(lang))}


def _end(position: Position) -> tuple[str, ...]:
    return _said(position).get("END OF THE GAME", ())


@pytest.mark.parametrize(
    ("nobility", "said"),
    [
        ({"TOL": 9}, "the last year is over: Seleucus wins (nobility: 10; centres: 1)"),
        ({}, "the last year is over: Seleucus, Ptolemy share the win (nobility: 10; centres: 1)"),
        ({"TOL": 0, "SEL": 0}, "the last year is over, and nobody has won"),
    ],
)
def test_who_won_at_the_end(nobility: dict[str, int], said: str) -> None:
    """R34"""
    owners = {"MEN": "TOL", "BAB": "SEL"}

    assert _end(Position(BOARD, Phase(301, "autumn"), (), owners, nobility=nobility)) == (said,)


def test_who_won_by_centres_is_told_and_a_game_that_goes_on_has_no_end() -> None:
    """R33"""
    owners = {"MEN": "TOL", "ALE": "TOL"}
    board = BOARD.with_rules({"victory_centres": 2})

    assert _end(Position(board, Phase(310, "autumn"), (), owners)) == (
        "Ptolemy wins by centres: 2",
    )
    assert _end(Position(BOARD, Phase(302, "autumn"), (), owners)) == ()


def test_how_units_were_destroyed() -> None:
    """R27 a garrison, R24 a hauled fleet, R3 a unit in revolt: each in words of its own."""
    units = (
        Unit("TOL", "G", "MAM"),
        Unit("NEU", "A", "CIR"),
        Unit("SEL", "A", "ISR"),
        Unit("TOL", "F", "EGI"),
        Unit("LIS", "A", "SAR"),
        Unit("CAS", "G", "EFE"),
    )
    position = Position(BOARD, Phase(318, "spring"), units, nobility={"LIS": 0})
    orders = {"TOL": ["G MAM - CIR", "F EGI - SUE"], "SEL": ["A ISR - SIS"], "CAS": ["G EFE - SAR"]}
    english = _said(position, orders)["LOST"]
    italian = _said(position, orders, "it")["UNITÀ PERSE"]

    assert sorted(english) == [
        "A CIR (Independents): garrison destroyed",
        "A SAR (Lysimachus): in revolt and without a retreat, destroyed",
        "F EGI (Ptolemy): caught while it was hauled, destroyed",
    ]
    assert len(italian) == 3


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nobility_is_told_where_it_changed(lang: str) -> None:
    """R2, R3"""
    units = (Unit("SEL", "G", "NUB"), Unit("TOL", "G", "TEB"), Unit("TOL", "A", "TRO"))
    title = load_sentences(lang).format("title-nobility")
    orders = {"TOL": ["G TEB - NUB", "A TRO S G TEB - NUB"]}
    lost = [
        _said(Position(BOARD, Phase(318, "spring"), units, nobility=points), orders, lang)[title]
        for points in ({}, {"SEL": 1})
    ]

    assert lost[0] == (f"{BOARD.powers['SEL'].name(lang)}: 9 (-1)",)
    assert lost[1][0].startswith(f"{BOARD.powers['SEL'].name(lang)}: 0 (-1), ")


def test_the_eliminated_are_told_once() -> None:
    """R35"""
    units = (Unit("SEL", "A", "NUB"), Unit("TOL", "G", "TEB"), Unit("TOL", "A", "TRO"))
    position = Position(BOARD, Phase(318, "spring"), units)
    said = _said(position, {"TOL": ["G TEB - NUB", "A TRO S G TEB - NUB"]})

    assert said["ELIMINATED"] == ("Seleucus",)
