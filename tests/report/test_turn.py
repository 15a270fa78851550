"""The text of a phase's report, and what in it is marked."""

from __future__ import annotations

import pytest

from alexmagnum.board import load_board
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.notation import read_order
from alexmagnum.position import Position, Unit, parse_phase
from alexmagnum.report.results import (
    TITLE,
    TurnReport,
    compose_turn_report,
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


def test_what_a_mark_makes_of_a_line_stands_in_the_text() -> None:
    text = render_turn_report(_report(), lambda line, what: f"<{what}>{line}")

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

    assert said in render_turn_report(compose_turn_report(outcome, [], load_sentences("it")))
    assert f"  {order} " in render_turn_report(
        compose_turn_report(outcome, [], load_sentences("en"))
    )
    (line,) = (
        line
        for line in format_order_lines(outcome, "SEL", load_sentences("it"))
        if line.order == order
    )
    assert line.text == said.strip()


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
