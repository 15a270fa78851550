"""Sentences that name a unit or a place and are no orders: quoted, with what to write instead."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.game.game import UNTAKEN, Understood
from alexmagnum.game.mail_orders import read_mail
from alexmagnum.game.settings import default_settings
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.mail.receipts import untaken_lines
from alexmagnum.notation import order_in, read_order, write_order
from alexmagnum.notation.words import lexicon
from alexmagnum.position import Dislodged, Position, parse_phase
from alexmagnum.report.phase_report import format_remark
from tests.notation.tables import board, position, units
from tests.sizes import drawn

ALEXMAGNUM = board("alexmagnum")
PICKS = Position(ALEXMAGNUM, parse_phase("323-1", picks=True), (), owners={"LAH": "CAN"})
DEPLOYMENT = Position(
    ALEXMAGNUM,
    parse_phase("323-6", picks=True),
    (),
    owners={"ATE": "TOL", "SPA": "TOL", "ALE": "TOL"},
)
WINTER = replace(
    position("alexmagnum", "TOL: A MEN; CAS: A TRA", season="winter"),
    owners={"ATE": "TOL", "MEN": "TOL", "ALE": "TOL"},
    homes={"TOL": ("ATE", "ALE", "MEN")},
)
MOVEMENT = position("alexmagnum", "TOL: A MEN, G ALE, F TIR; CAS: A TEB, F EGE#1")
LOST, BY = units("TOL: A MEN")[0], units("CAS: A MEN")[0]
RETREATS = Position(
    ALEXMAGNUM,
    parse_phase("318-spring-retreats", picks=True),
    (BY,),
    dislodged=(Dislodged(LOST, BY, ("ALE", "TEB")),),
)


class Case(NamedTuple):
    where: Position
    text: str
    quoted: str
    orders: str


CASES = (
    Case(PICKS, "Ciao! Pensavo a Babilonia. Bruno", "Pensavo a Babilonia.", "Pick BAB"),
    Case(PICKS, "Hi, this time I would rather have Babylon", "Babylon", "Pick BAB"),
    Case(PICKS, "Babbilonia la sceglierei io. Ci vediamo! Lara", "Babbilonia", "Pick BAB"),
    Case(
        PICKS,
        "Mi piacciono sia Babilonia sia Tebe, che ne dici?",
        "Babilonia sia Tebe, che ne dici?",
        "Pick BAB; Pick TEB",
    ),
    Case(
        DEPLOYMENT,
        "I'd like to build a fleet in Athens and an army in Alexandria. Thanks, Anna",
        "an army in Alexandria.",
        "Build F ATE; Build A ALE",
    ),
    Case(
        DEPLOYMENT,
        "Caro arbitro, mi piacerebbe mettere una flotta ad\nAtene e un'armata ad Alessandria. Anna",
        "ad Atene e un'armata",
        "Build F ATE; Build A ALE",
    ),
    Case(WINTER, "Mi servirebbe una flotta ad Atene, direi", "Atene", "Build F ATE"),
    Case(WINTER, "Se proprio devo, toglierei l'armata di Menfi.", "toglierei", "Remove A MEN"),
    Case(
        MOVEMENT,
        "Caro arbitro, vorrei che la mia armata di Menfi andasse a Tebe. La flotta di Tiro la "
        "userei per appoggiare Menfi, se ti va. Grazie e ciao, Anna",
        "per appoggiare Menfi",
        "F TIR S A MEN",
    ),
    Case(MOVEMENT, "I think we should take Thebes this time", "Thebes", "A MEN - TEB"),
    Case(MOVEMENT, "A MEN - TEB\nCosì da Menfi prendo Tebe.", "Così da Menfi", "A MEN - TEB"),
    Case(
        MOVEMENT,
        "Ritirate:\nse mi cacciano da Tiro vado a Cipro con la flotta",
        "se mi cacciano da Tiro",
        "F TIR - CIP",
    ),
    Case(
        RETREATS, "Direi che l'armata di Menfi possiamo pure scioglierla", "Menfi", "Disband A MEN"
    ),
    Case(RETREATS, "Ciao, Menfi potrebbe andare a Tebe. Anna", "Menfi", "A MEN - TEB"),
    Case(RETREATS, "Inverno:\nse resta, scioglierei l'armata di Menfi", "Menfi", "Remove A MEN"),
    Case(DEPLOYMENT, "Direi che G ATE va bene. F ALE no", "G ATE", "Build G ATE"),
)


def _read(where: Position, text: str) -> tuple[Understood, ...]:
    return read_mail(where, "TOL", text, default_settings()).lines


def _quoted(where: Position, text: str) -> list[str]:
    """Return the lines of a mail that are quoted because no order was taken from them."""
    return [line.text for line in _read(where, text) if line.verdict == UNTAKEN]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.text[:40])
def test_a_sentence_that_names_something_is_quoted_with_what_to_write(case: Case) -> None:
    """What to write is in the reader's language, and is read."""
    lines = _read(case.where, case.text)
    untaken = [(line.text, line.data["orders"]) for line in lines if line.verdict == UNTAKEN]
    assert any(case.quoted in text and case.orders == orders for text, orders in untaken)
    for lang in LANGUAGES:
        listed = untaken_lines(lines, ALEXMAGNUM, load_sentences(lang))
        said = " ".join(" ".join(listed).split())
        for text in case.orders.split("; "):
            assert order_in(text, lang) in said
            if "Ritirate" not in case.text:
                again = read_order(order_in(text, lang), case.where, "TOL")
                assert again == read_order(text, case.where, "TOL")


@pytest.mark.parametrize(
    "text",
    [
        "Ciao, come va?\n\nIn generale tutto bene. Ci vediamo a Roma!\n\nTolomeo",
        "Dear all,\nper favore scusate il ritardo: con calma arrivo. A presto!\nSimone\nSusanna",
        "Hi! See you at the dinner on Friday, I can bring the wine.\nCheers,\nTito, Lara and Mara",
        "Il 20 novembre non posso: nessun problema per me se si va avanti.\nGaia\nSilvia",
        "> Scelgo Babilonia e porto l'armata a Menfi",
    ],
)
def test_a_letter_that_names_nothing_is_quoted_by_nobody(text: str) -> None:
    for where in (PICKS, DEPLOYMENT, WINTER, MOVEMENT, RETREATS):
        assert _quoted(where, text) == []


def test_a_sentence_under_the_heading_of_another_season_is_quoted() -> None:
    text = "Ciao!\n\nAutunno 317:\nallora dalle parti di Menfi si vedrà"
    untaken = [line for line in _read(MOVEMENT, text) if line.verdict == UNTAKEN]
    assert [line.code for line in untaken] == ["other-season"]


def test_a_unit_without_a_place_is_answered_with_an_example_of_ones_own() -> None:
    text = "Sposta la flotta più a nord"
    (line,) = [line for line in _read(MOVEMENT, text) if line.verdict == UNTAKEN]
    assert line.code == "untaken-example"
    assert read_order(line.data["orders"], MOVEMENT, "TOL")


def test_an_order_in_a_sentence_is_proposed_alone() -> None:
    (line,) = _read(MOVEMENT, "Perhaps A MEN - TEB")
    assert (line.code, line.data["suggestions"]) == ("in-sentence", "A MEN - TEB")


def test_a_correction_or_a_condition_beside_an_order_is_quoted_alone_and_once() -> None:
    correction = _quoted(RETREATS, "A MEN - SIW\nAnzi no, la sciolgo")
    condition = _quoted(MOVEMENT, "A MEN - TEB. Se poi mi attaccano a Tebe, A MEN H.")

    assert correction == ["Anzi no, la sciolgo"]
    assert condition == ["Se poi mi attaccano a Tebe, A MEN H."]


def test_a_sea_is_proposed_for_no_pick() -> None:
    for line in _read(PICKS, "Vorrei il Mar Caspio"):
        assert "CSP" not in line.data.get("orders", "")


PLACES = [name for p in ALEXMAGNUM.provinces.values() for name in (p.id, *p.names.values())]
WORDS = [
    *lexicon().stems,
    "flotta",
    "armata",
    "generale",
    "a",
    "e",
    ",",
    ".",
    "se",
    "-",
    "Inverno:\n",
]


@drawn(60, 3000)
@given(
    where=st.sampled_from([PICKS, DEPLOYMENT, WINTER, MOVEMENT, RETREATS]),
    power=st.sampled_from(["TOL", "CAS", "SEL"]),
    words=st.lists(st.sampled_from(PLACES) | st.sampled_from(WORDS), max_size=16),
)
def test_whatever_a_sentence_names_it_is_quoted_in_both_languages(
    where: Position, power: str, words: list[str]
) -> None:
    read = read_mail(where, power, " ".join(words), default_settings())
    untaken = [line for line in read.lines if line.verdict == UNTAKEN]
    for lang in LANGUAGES:
        quoted = list(untaken_lines(read.lines, ALEXMAGNUM, load_sentences(lang)))
        assert bool(quoted) == bool(untaken)
    for line in untaken:
        assert line.order == ""


ROWS = (
    (PICKS, "Scelta | Babilonia", ("Pick BAB",)),
    (PICKS, "Periodo 2 | Tebe", ()),
    (DEPLOYMENT, "Centro | Unità\nAtene | flotta\nALE | A", ("Build F ATE", "Build A ALE")),
    (WINTER, "Order | Unit\nBuild | F ATE\nBuild | A ALE", ("Build F ATE", "Build A ALE")),
    (WINTER, "Unit | Order\nF ATE | Build", ("Build F ATE",)),
    (WINTER, "Ordine | Tipo | Dove\nCostruisce | Flotta | Atene", ("Build F ATE",)),
    (RETREATS, "Unità | Ritirata\nA MEN | TEB", ("A MEN - TEB",)),
    (RETREATS, "A MEN | scioglie", ("Disband A MEN",)),
    (MOVEMENT, "Unit | Order | Of | To\nG ALE | Support | A MEN | TEB", ("G ALE S A MEN - TEB",)),
)


@pytest.mark.parametrize(("where", "text", "orders"), ROWS)
def test_a_row_is_an_order_of_its_phase(
    where: Position, text: str, orders: tuple[str, ...]
) -> None:
    read = read_mail(where, "TOL", text, default_settings())
    assert tuple(map(write_order, read.orders)) == orders
    if orders and "\n" in text:
        assert (read.lines[0].verdict, read.lines[0].code) == ("prose", "")


def test_places_to_choose_from_have_their_names_in_the_readers_language() -> None:
    (line,) = _read(MOVEMENT, "A MEN - Mare")
    for lang, name in (("en", "Adriatic Sea"), ("it", "Mare Adriatico")):
        assert f"ADR ({name})" in format_remark(line, ALEXMAGNUM, load_sentences(lang))
