"""What reports say below the orders, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from alexmagnum.board import load_board
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.notation import read_order
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.report.results import describe_outcome

BOARD = load_board("alexmagnum")


def _said(
    position: Position, orders: Mapping[str, list[str]] | None = None, lang: str = "en"
) -> dict[str, tuple[str, ...]]:
    """The lines below each title."""
    orders = orders or {}
    read = {p: [read_order(line, position, p) for line in lines] for p, lines in orders.items()}
    outcome = adjudicate(position, read)
    return {block.title: block.lines for block in describe_outcome(outcome, load_sentences(lang))}


def _autumn(year: int, owners: dict[str, str], **nobility: int) -> Position:
    return Position(BOARD, Phase(year, "autumn"), (), owners, nobility=nobility)


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
    position = _autumn(301, {"MEN": "TOL", "BAB": "SEL"}, **nobility)

    assert _said(position)["END OF THE GAME"] == (said,)


def test_who_won_by_centres() -> None:
    """R33"""
    board = BOARD.with_rules({"victory_centres": 2})
    position = Position(board, Phase(310, "autumn"), (), {"MEN": "TOL", "ALE": "TOL"})

    assert _said(position)["END OF THE GAME"] == ("Ptolemy wins by centres: 2",)


def test_a_game_that_goes_on_has_no_end() -> None:
    assert "END OF THE GAME" not in _said(_autumn(302, {"MEN": "TOL"}))


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
