"""Picks in the sentences of letters (R30): what is one, what is none, and what is ambiguous."""

from __future__ import annotations

import pytest

from alexmagnum.notation import NotationSettings, read_orders
from alexmagnum.orders import Pick
from tests.each import cells
from tests.notation.tables import errors, position

PICKS = position("alexmagnum", "", "picks")
BABYLON = {"TOL": (Pick("BAB"),)}

SENTENCES = """
Scelgo Babilonia|scelgo di prendere Babilonia|Vorrei Babilonia
Vorrei prendere la città di Babilonia, per favore|voglio Babilonia
La mia scelta per questo periodo è Babilonia|Scelta = Babilonia|La mia scelta cade su Babilonia.
Opto per Babilonia|Stavolta prendo Babilonia|Se non ti dispiace scelgo Babilonia
Ciao! Scelgo Babilonia. Bruno|Caro arbitro, scelgo Babilonia. Grazie, Lidia
Tolomeo sceglie Babilonia|Babilonia è la mia scelta|Per favore Babilonia|Babilonia, grazie
Babilonia (BAB)|BAB - Babilonia|Scelgo la bella Babilonia|scelgo per ora Babilonia|I pick Babylon
My pick for this period is Babylon.|I would like to take Babylon, thank you|I'll go with Babylon
Please pick Babylon for me|My choice: Babylon|Give me Babylon|Babylon it is
Scelgo Babilonia invece di Tebe|Scelgo Babilonia e non Tebe
Scelgo Babilonia perché Tebe mi pare lontana
"""


def test_a_verb_with_a_centre_is_a_pick_in_any_sentence() -> None:
    for text in cells(SENTENCES):
        assert read_orders(text, PICKS, "TOL").orders == BABYLON, text


@pytest.mark.parametrize(
    "text",
    cells("""
Forse scelgo Babilonia|Non scelgo Babilonia|Posso scegliere Babilonia?
Se Tebe è libera scelgo Babilonia|Bruno sceglie Babilonia|Maybe I pick Babylon
Scelgo di non prendere Babilonia
"""),
)
def test_a_doubt_a_question_and_the_pick_of_another_are_none_and_that_is_said(text: str) -> None:
    assert errors(text, PICKS) == ["in-sentence"]


def test_a_lone_word_that_is_near_a_name_is_no_pick() -> None:
    for text in cells("""
Simone|Susanna|Tito|Lara|Mara|Monica|Gaia|Silvia|niente|Babilnia|Babil|Allessandria
prendo tempo|Vorrei sapere se TEB è libera
"""):
        assert read_orders(text, PICKS, "TOL").orders == {}, text
        assert read_orders(f"Scelgo Babilonia\n\n{text}", PICKS, "TOL").orders == BABYLON, text


def test_a_lone_misspelt_centre_is_answered_with_the_pick_to_write() -> None:
    (line,) = read_orders("Babilnia", PICKS, "TOL").lines

    assert line.error is not None
    assert (line.error.code, line.error.suggestions) == ("needs-verb", ("Pick BAB",))


def test_a_misspelt_centre_behind_a_verb_is_read_with_a_notice() -> None:
    (line,) = read_orders("voglio Babilnia", PICKS, "TOL").lines

    assert line.order == Pick("BAB")
    assert [notice.code for notice in line.notices] == ["misspelt"]
    exact = NotationSettings(fuzzy="refuse")
    assert read_orders("voglio Babilnia", PICKS, "TOL", settings=exact).orders == {}


@pytest.mark.parametrize(
    "text",
    [
        "Scelgo Babilonia o Tebe",
        "Scelgo Babilonia, altrimenti Tebe",
        "Babilonia, Tebe",
        "Scelgo Babilonia (se occupata, Tebe)",
        "Scelgo Babilonia. Tebe.",
        "BAB or TEB",
        "Scelgo Babilonia\nScelgo Tebe",
        "1. Babilonia\n2. Tebe",
        "Babilonia\n\nTebe",
        "Prima scelta: Babilonia\nSeconda scelta: Tebe",
    ],
)
def test_several_different_picks_are_named_and_none_is_taken(text: str) -> None:
    assert set(errors(text, PICKS)) == {"several-picks"}
    said = [line.error for line in read_orders(text, PICKS, "TOL").lines if line.error]
    assert all(error.suggestions == ("Pick BAB", "Pick TEB") for error in said)


@pytest.mark.parametrize("void", ["Scelgo Siwa", "SPA", "Scelgo Menfi"])
def test_a_void_pick_does_not_stand_against_one_that_is_not(void: str) -> None:
    """Siwa is no centre, Sparta an independent one, and Menfi is somebody's."""
    where = position("alexmagnum", "", "picks", owners={"MEN": "SEL"})

    for text in (f"Scelgo Babilonia\n{void}", f"{void}\nScelgo Babilonia"):
        assert read_orders(text, where, "TOL").orders == BABYLON
