"""Questions, conditions, jokes and corrections around orders; orders broken over two lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alexmagnum.notation import read_orders
from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from alexmagnum.position import Phase, Position
from tests.each import cells
from tests.notation.tables import EGYPT, errors, position, retreating, written

PICKS = position("alexmagnum", "", "picks")
OWNERS = dict.fromkeys(("ALE", "MEN", "TEB", "SAR", "TIR", "BAB"), "TOL")
DEPLOYMENT = position("alexmagnum", "", "deployment", owners=OWNERS)
WINTER = replace(position("alexmagnum", "TOL: F EGI", owners=OWNERS), phase=Phase(318, "winter"))
RETREATS = retreating("alexmagnum", "TOL: A MEN", "SEL: A TEB")


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
    assert errors(text, EGYPT) == ["in-sentence"]


def test_a_polite_order_is_an_order() -> None:
    for text in cells("""
A MEN - TEB se possibile|A MEN - TEB, se non ti dispiace|A MEN - TEB, if that's ok
A MEN - TEB (ma solo se non è un problema)|A MEN - TEB e non a Siwa, chiaro
A MEN - TEB. Che ne dici?
"""):
        assert written(text, EGYPT) == ["A MEN - TEB"], text


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
    assert written(text, where) == orders


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
    assert set(errors(text, PICKS)) == {"several-picks"}


REMARKS = """
La scelta di Tebe sarebbe un errore.|My choice of Thebes was a mistake|Tebe?
L'ultima volta ho scelto Tebe e me l'hanno soffiata.|Scelgo Tebe se è libera
Pick Thebes unless Seleucus picks it|Scelgo Tebe (just kidding)
Io direi Tebe, ma sono indeciso con Sardi|Prendi Tebe tu, io non la voglio
Take Thebes if you dare, Seleucus!|Let me know if I can pick Thebes
fammi sapere se posso scegliere Tebe|La mia ultima scelta è stata Tebe
"""


def test_a_remark_with_the_verb_of_a_pick_is_reported() -> None:
    for text in cells(REMARKS):
        assert errors(text, PICKS) == ["in-sentence"], text
    assert errors("Scelgo Roma", PICKS) == ["unknown-place"]


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
def test_picks_beside_everyday_words_arewritten(text: str, orders: list[str]) -> None:
    assert written(text, PICKS) == orders


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
def test_each_sentence_of_a_paragraph_iswritten(
    where: Position, text: str, orders: list[str]
) -> None:
    assert [order.replace(" via convoy", "") for order in written(text, where)] == orders


BROKEN: list[tuple[str, Order]] = [
    (
        "La flotta nel Mare Egiziano trasporta il generale di Alessandria a\nCreta",
        Convoy("F EGI", "G ALE", "CRE"),
    ),
    (
        "2. La mia armata di Menfi appoggia il movimento della mia armata di\nTebe in Nubia",
        Support("A MEN", "A TEB", "NUB"),
    ),
    (
        "Fleet Egyptian Sea convoys the general who is in Alexandria today to\nCrete\nF EGI H",
        Hold("F EGI"),
    ),
]


@pytest.mark.parametrize(("text", "order"), BROKEN)
def test_a_broken_order_is_read_as_one(text: str, order: Order) -> None:
    """Even where its end looks like an order of its own: that one was not given."""
    assert read_orders(text, EGYPT, "TOL").orders == {"TOL": (order,)}


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        (
            "A TEB - NUB, ma solo se non ti dispiace troppo, mio caro arbitro\nA MEN - TEB",
            (Move("A TEB", "NUB"), Move("A MEN", "TEB")),
        ),
        (
            "Carissimo arbitro, con molto ritardo ti mando i miei ordini e cioè:\nA TEB - NUB",
            (Move("A TEB", "NUB"),),
        ),
        (
            "A MEN appoggia\nA TEB in Nubia",  # a line so short was broken by its writer
            (Move("A TEB", "NUB"),),
        ),
    ],
)
def test_other_lines_stay_apart(text: str, orders: tuple[Order, ...]) -> None:
    assert read_orders(text, EGYPT, "TOL").orders == {"TOL": orders}


def test_lines_keep_their_numbers() -> None:
    """Join wrapped lines on the first of them, and leave the other one empty."""
    lines = read_orders(f"{BROKEN[0][0]}\nA TEB H", EGYPT, "TOL").lines

    assert [(line.number, line.prose) for line in lines] == [(1, False), (2, True), (3, False)]
