"""Nothing that anybody can type breaks the reader or keeps it busy."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.errors import Ambiguous, Impossible, Unreadable
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.notation import read_order, read_orders
from alexmagnum.notation.names import map_names
from alexmagnum.notation.order_detection import find_heading_power
from alexmagnum.notation.words import lexicon, tokens
from alexmagnum.position import Phase, Position
from tests.notation.tables import EGYPT, ITALY, position, retreating
from tests.sizes import drawn, one_in, sampled, sized

PLACES = [
    EGYPT,
    ITALY,
    retreating("alexmagnum", "TOL: A MEN, F EGE#2; CAS: F EGE#1", "SEL: A TEB"),
    replace(EGYPT, phase=Phase(318, "winter")),
    position("alexmagnum", "", "picks"),
    position("alexmagnum", "", "deployment"),
]
WORDS = """A F G MEN TEB EGE ION a in di la l' - -> > , ; : . ( ) # / + 2 9999 S C H T D R B W
via convoy Nilo Sinai costa sud nord (cs) TOL Tolomeo Cassandro: Build Remove Pick Disband
Waive Rit appoggia trasporta tiene generale armata flotta Mare Egeo Egiziano Aless Zorg Mefni
ARM TRA PER CON e grazie"""
SCRAPS = [*WORDS.split(), *"\ufffd\u200b\x96🙂ßİﬁ²½٣'’\t\x0b\x1c\u2028\n"]

texts = st.text(max_size=80) | st.lists(st.sampled_from(SCRAPS), max_size=14).map(" ".join)


@drawn(54, 3000)
@given(texts, st.sampled_from(PLACES), st.sampled_from(["", "TOL", "Italy"]))
def test_no_text_raises(text: str, where: Position, name: str) -> None:
    """Check that a line is exactly one of an order, an error with a sentence, or prose."""
    for line in read_orders(text, where, name if name in where.board.powers else None).lines:
        assert [line.order is not None, line.error is not None, line.prose].count(True) == 1
        if line.error is not None:
            assert load_sentences("it").error(line.error)
            assert len(line.error.suggestions) <= 3
        for notice in line.notices:
            assert load_sentences("en").format(notice.code, **notice.data)


@drawn(27, 1000)
@given(texts, st.sampled_from(PLACES))
def test_one_order_is_read_or_refused(text: str, where: Position) -> None:
    """Check that ``read_order`` raises nothing but the three refusals."""
    with suppress(Unreadable, Ambiguous, Impossible):
        assert read_order(text, where) is not None


@drawn(18, 600)
@given(texts.filter(lambda text: ":" not in text))
def test_a_line_changes_nothing_in_the_next(text: str) -> None:
    """Check that a bad line never blocks the others; a heading may."""
    if find_heading_power(tokens(text), lexicon(), map_names(EGYPT.board, lexicon())):
        return
    reading = read_orders(f"{text}\nA TEB H", EGYPT, "TOL")

    assert str(reading.orders["TOL"][-1]) == "Hold(unit='A TEB')"


LINES = sized(60, 2_000)
LONG = {
    "a long word": "A" * 20_000,
    "many letters": "A " * 10_000,
    "dashes": "-" * 20_000,
    "equals": "=" * 20_000,
    "brackets": "(" * 20_000,
    "commas": "A MEN H," * 2_500,
    "commas alone": "," * 20_000,
    "bad orders by commas": "A MXN - TYB," * 1_700,
    "orders": "A MEN - TEB;" * 1_700,
    "articles": "di " * 7_000,
    "colons": "a:" * 10_000,
    "numbers": "1." * 10_000,
    "quotes": "> " * 10_000,
    "slips": "Mefni Teeb Egizzano " * 1_000,
    "orders on lines": "A MEN - TEB\n" * LINES,
    "slips on lines": "".join(f"A Mefni{i % 7} - Tebbe\n" for i in range(LINES)),
    "bad lines": "".join(f"A Zorg{'xyzuvw'[i % 6] * (i % 9)} - Kram\n" for i in range(LINES)),
    "lines of prose": "Ti scrivo a Menfi - come sai - per dirti che non ho deciso.\n" * LINES,
    "letters": "A presto rivederci in Egitto, a te e a tutti i tuoi\n" * LINES,
}


@sampled
@pytest.mark.parametrize("name", one_in(4, LONG))
def test_long_texts_are_read_to_their_end(name: str) -> None:
    """20,000 characters, or hundreds of lines: what is not linear would never end here."""
    reading = read_orders(LONG[name], EGYPT, "TOL")

    assert reading.lines[-1].number == max(1, len(LONG[name].splitlines()))


def test_a_line_of_any_length_is_read_to_its_end() -> None:
    """Many orders on one line are many orders, however long it gets."""
    text = ", ".join(["A MEN H"] * 300 + ["A TEB - NUB"])

    assert str(read_orders(text, EGYPT, "TOL").orders["TOL"][-1]) == str(
        read_order("A TEB - NUB", EGYPT)
    )
