"""Long orders that a mail program broke in two are read as one; nothing else is put together."""

from __future__ import annotations

import pytest

from alexmagnum.notation import read_orders
from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from tests.notation.tables import EGYPT

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
