"""Questions, conditions, jokes and corrections around orders, as people write them in mails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alexmagnum.notation import read_orders, write_order
from alexmagnum.position import Phase, Position
from tests.each import cells
from tests.notation.tables import EGYPT, position, retreating

PICKS = position("alexmagnum", "", "picks")
OWNERS = dict.fromkeys(("ALE", "MEN", "TEB", "SAR", "TIR", "BAB"), "TOL")
DEPLOYMENT = position("alexmagnum", "", "deployment", owners=OWNERS)
WINTER = replace(position("alexmagnum", "TOL: F EGI", owners=OWNERS), phase=Phase(318, "winter"))
RETREATS = retreating("alexmagnum", "TOL: A MEN", "SEL: A TEB")


def _read(text: str, where: Position) -> list[str]:
    """Return the orders of a text that count, as they are written."""
    return [write_order(order) for order in read_orders(text, where, "TOL").orders.get("TOL", ())]


@pytest.mark.parametrize(
    "text",
    cells("""
Menfi va a Tebe?|Can A MEN move to TEB?|A MEN - TEB? NO.|A MEN - TEB, va bene?
A MEN - TEB se Seleuco non attacca|A MEN - TEB (solo se Seleuco è d'accordo)
A MEN - TEB unless SEL moves there|A MEN - TEB forse|A MEN - TEB o SIW|Scherzo: A MEN - TEB
A MEN - TEB, just kidding!|A MEN - TEB?? no, lascia perdere|A MEN - TEB, non sono sicuro
A MEN - TEB (ma è uno scherzo, non farlo!)
"""),
)
def test_an_order_that_is_doubted_does_not_count_and_is_reported(text: str) -> None:
    reading = read_orders(text, EGYPT, "TOL")

    assert reading.orders == {}
    assert [line.error.code for line in reading.lines if line.error] == ["in-sentence"]


@pytest.mark.parametrize(
    "text",
    [
        "A MEN - TEB se possibile",
        "A MEN - TEB, se non ti dispiace",
        "A MEN - TEB (ma solo se non è un problema)",
        "A MEN - TEB, if that's ok",
        "A MEN - TEB e non a Siwa, chiaro",
        "A MEN - TEB. Che ne dici?",
    ],
)
def test_a_polite_order_is_an_order(text: str) -> None:
    assert _read(text, EGYPT) == ["A MEN - TEB"]


@pytest.mark.parametrize(
    ("where", "text", "orders"),
    [
        (EGYPT, "A MEN - SIW, anzi no A MEN - TEB", ["A MEN - TEB"]),
        (EGYPT, "A MEN - SIW\nscusate, volevo dire A MEN - TEB", ["A MEN - TEB"]),
        (EGYPT, "A MEN - SIW no wait A MEN - TEB", ["A MEN - TEB"]),
        (EGYPT, "A MEN - SIW\nAnzi, meglio: Menfi tiene", ["A MEN H"]),
        (DEPLOYMENT, "G SAR\nA TEB\nAnzi no, A MEN", ["Build G SAR", "Build A MEN"]),
        (WINTER, "Costruisco A MEN, anzi no: F TIR", ["Build F TIR"]),
        (WINTER, "Build A MEN\nno wait, sorry: Build F TIR instead", ["Build F TIR"]),
        (RETREATS, "A MEN - SIW\nanzi no, sciolgo A MEN", ["Disband A MEN"]),
    ],
)
def test_a_correction_replaces_what_stands_before_it(
    where: Position, text: str, orders: list[str]
) -> None:
    assert _read(text, where) == orders


@pytest.mark.parametrize(
    "text",
    [
        "Scelgo Tebe, anzi no, meglio Babilonia",
        "Scelgo Tebe.\nAnzi no, meglio Babilonia!",
        "I pick Thebes. No wait, Babylon!",
        "Babilonia è la mia scelta, altrimenti Tebe",
    ],
)
def test_a_corrected_pick_is_ambiguous(text: str) -> None:
    reading = read_orders(text, PICKS, "TOL")

    assert reading.orders == {}
    assert {line.error.code for line in reading.lines if line.error} == {"several-picks"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("La scelta di Tebe sarebbe un errore.", "in-sentence"),
        ("My choice of Thebes was a mistake", "in-sentence"),
        ("L'ultima volta ho scelto Tebe e me l'hanno soffiata.", "in-sentence"),
        ("Scelgo Roma", "unknown-place"),
        ("Tebe?", "in-sentence"),
        ("Scelgo Tebe se è libera", "in-sentence"),
        ("Pick Thebes unless Seleucus picks it", "in-sentence"),
        ("Scelgo Tebe (just kidding)", "in-sentence"),
        ("Io direi Tebe, ma sono indeciso con Sardi", "in-sentence"),
        ("Prendi Tebe tu, io non la voglio", "in-sentence"),
        ("Take Thebes if you dare, Seleucus!", "in-sentence"),
        ("Let me know if I can pick Thebes", "in-sentence"),
        ("fammi sapere se posso scegliere Tebe", "in-sentence"),
        ("La mia ultima scelta è stata Tebe", "in-sentence"),
    ],
)
def test_a_remark_with_the_verb_of_a_pick_is_reported(text: str, code: str) -> None:
    reading = read_orders(text, PICKS, "TOL")

    assert reading.orders == {}
    assert [line.error.code for line in reading.lines if line.error] == [code]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Scelta per il periodo 1:\nTebe", ["Pick TEB"]),
        ("Tebe :-)\nCiao, Tito", ["Pick TEB"]),
        ("Tebe è la mia scelta, Grazie", ["Pick TEB"]),
        ("Scelgo Tebe, città che adoro", ["Pick TEB"]),
        ("I pick Thebes, if that's ok", ["Pick TEB"]),
        ("Lisimaco prendi Sardi!", []),
        ("prendo un caffè a Tebe", []),
    ],
)
def test_picks_beside_everyday_words_are_read(text: str, orders: list[str]) -> None:
    assert _read(text, PICKS) == orders


@pytest.mark.parametrize(
    ("where", "text", "orders"),
    [
        (EGYPT, "Hi! Memphis to Thebes. Cheers, Sue", ["A MEN - TEB"]),
        (EGYPT, "Ordine: A MEN - TEB. Se poi mi attaccano a Tebe, A MEN H.", ["A MEN - TEB"]),
        (EGYPT, "Gen. Alessandria - Creta via mare. A Menfi tiene", ["G ALE - CRE", "A MEN H"]),
        (
            DEPLOYMENT,
            "Generale a Babilonia, armata a Tebe. Saluti da Sardi!",
            ["Build G BAB", "Build A TEB"],
        ),
        (
            WINTER,
            "Costruisco un'armata a Menfi e una flotta a Tiro.\nBuon Natale a tutti!",
            ["Build A MEN", "Build F TIR"],
        ),
        (WINTER, "Ricostruisco il generale ad Alessandria", ["Build G ALE"]),
        (WINTER, "A Tiro fa freddo", []),
        (RETREATS, "Ritiro A MEN in Siwa, ciao\nAle", ["A MEN - SIW"]),
        (RETREATS, "Can A MEN retreat to Siwa?", []),
    ],
)
def test_each_sentence_of_a_paragraph_is_read(
    where: Position, text: str, orders: list[str]
) -> None:
    assert [order.replace(" via convoy", "") for order in _read(text, where)] == orders
