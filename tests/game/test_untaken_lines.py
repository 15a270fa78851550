"""Sentences that name a unit or a place and are no orders: quoted, with what to write instead."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.game.game import UNTAKEN, Understood
from alexmagnum.game.mail_orders import read_mail
from alexmagnum.game.settings import default_settings
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge.checking import IMPOSSIBLE, check_orders, list_reachable
from alexmagnum.notation import order_in, read_order, write_order
from alexmagnum.notation.names import find_mention
from alexmagnum.notation.words import lexicon
from alexmagnum.orders import Build, Convoy, Hold, Support
from alexmagnum.position import Dislodged, Position, parse_phase
from alexmagnum.report.phase_report import format_remark
from alexmagnum.report.receipt import untaken_lines
from tests.case_library import read_yaml
from tests.each import cells
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


POSITIONS = {
    "picks": PICKS,
    "deployment": DEPLOYMENT,
    "winter": WINTER,
    "movement": MOVEMENT,
    "retreats": RETREATS,
}
MAILS = read_yaml(Path(__file__).with_name("mails.yaml"))


def _read(where: Position, text: str) -> tuple[Understood, ...]:
    return read_mail(where, "TOL", text, default_settings()).lines


def _quoted(where: Position, text: str) -> list[str]:
    """Return the lines of a mail that are quoted because no order was taken from them."""
    return [line.text for line in _read(where, text) if line.verdict == UNTAKEN]


@pytest.mark.parametrize(("where", "text", "quoted", "orders"), MAILS["untaken"])
def test_a_sentence_that_names_something_is_quoted_with_what_to_write(
    where: str, text: str, quoted: str, orders: str
) -> None:
    """What to write is in the reader's language, and is read."""
    lines = _read(POSITIONS[where], text)
    untaken = [(line.text, line.data["orders"]) for line in lines if line.verdict == UNTAKEN]
    assert any(quoted in said and orders == proposed for said, proposed in untaken)
    for lang in LANGUAGES:
        said = " ".join(" ".join(untaken_lines(lines, ALEXMAGNUM, load_sentences(lang))).split())
        for order in filter(None, orders.split("; ")):
            assert order_in(order, lang) in said
            if "Ritirate" not in text:
                again = read_order(order_in(order, lang), POSITIONS[where], "TOL")
                assert again == read_order(order, POSITIONS[where], "TOL")


@pytest.mark.parametrize("text", MAILS["nothing"])
def test_a_letter_that_names_nothing_is_quoted_by_nobody(text: str) -> None:
    for where in POSITIONS.values():
        assert _quoted(where, text) == []


def test_a_sentence_under_the_heading_of_another_season_is_quoted() -> None:
    text = "Ciao!\n\nAutunno 317:\nallora dalle parti di Menfi si vedrà"
    untaken = [line for line in _read(MOVEMENT, text) if line.verdict == UNTAKEN]
    assert [line.code for line in untaken] == ["other-season"]


def test_where_a_unit_is_to_go_is_asked_if_no_place_is_named() -> None:
    text = "Sposta la flotta più a nord"
    (line,) = [line for line in _read(MOVEMENT, text) if line.verdict == UNTAKEN]
    assert (line.code, line.data) == ("untaken-where", {"orders": "", "unit": "F TIR"})


def test_each_bad_line_is_a_finding_of_its_own() -> None:
    """Lines without a full stop are no paragraph; a sentence broken at its end stays one."""
    bad = "A MEN boh TEB\nG ALE - Zorg\nF TIR pippo"
    sentences = "la flotta la sposto\nMenfi la muovo\nVedremo per l'armata di Menfi"
    assert [line.verdict for line in _read(MOVEMENT, bad)] == ["unreadable"] * 3
    assert _quoted(MOVEMENT, sentences) == sentences.split("\n")
    assert len(_quoted(MOVEMENT, "Vorrei che la mia flotta di\nTiro andasse a\nMenfi")) == 1


DATA = read_yaml(Path(__file__).with_name("untaken_lines.yaml"))
HELPED = DATA["helped"]


@pytest.mark.parametrize(("text", "orders"), HELPED.items())
def test_units_that_support_an_order_stand_behind_it(text: str, orders: list[str]) -> None:
    read = read_mail(MOVEMENT, "TOL", text, default_settings())
    assert [*map(write_order, read.orders)] == orders


def test_an_order_in_a_sentence_is_proposed_alone() -> None:
    (line,) = _read(MOVEMENT, "Perhaps A MEN - TEB")
    assert (line.code, line.data["suggestions"]) == ("in-sentence", "A MEN - TEB")


def test_a_correction_or_a_condition_beside_an_order_is_quoted_alone_and_once() -> None:
    condition = _quoted(MOVEMENT, "A MEN - TEB. Se poi mi attaccano a Tebe, A MEN H.")
    assert _quoted(RETREATS, "A MEN - SIW\nAnzi no, la sciolgo") == ["Anzi no, la sciolgo"]
    assert condition == ["Se poi mi attaccano a Tebe, A MEN H."]


def test_a_sea_is_proposed_for_no_pick() -> None:
    for line in _read(PICKS, "Vorrei il Mar Caspio"):
        assert "CSP" not in line.data.get("orders", "")


PLACES = [name for p in ALEXMAGNUM.provinces.values() for name in (p.id, *p.names.values())]
WORDS = [*lexicon().stems, *cells("flotta|armata|generale|a|e|,|.|se|-"), "Inverno:\n"]


@drawn(27, 1500)
@given(
    where=st.sampled_from([*POSITIONS.values()]),
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
        if not line.ahead:
            _check_proposals(where, power, line)


ALONE = {"hold": Hold, "support": Support, "convoy": Convoy, "build": Build}


def _check_proposals(where: Position, power: str, line: Understood) -> None:
    """Check that orders are possible, keep the verb, and name only what the sentence names, or the
    only unit of its kind, or the only one that could go there."""
    mention = find_mention(line.text, where.board)
    assert mention is not None
    named = {place.province for place in mention.places}
    own = where.units_of(power)
    if (proposed := line.data.get("orders", "")) and where.phase.kind in ("movement", "retreats"):
        assert named <= set(re.findall(r"\b[A-Z]{3}\b", proposed))
    for text in filter(None, proposed.split("; ")):
        order = read_order(text, where, power)
        assert [check.verdict for check in check_orders(where, {power: [order]})] != [IMPOSSIBLE]
        if (
            len(mention.verbs) == 1
            and not mention.helped
            and where.phase.kind in ("movement", "winter")
        ):
            (verb,) = mention.verbs
            assert isinstance(order, ALONE.get(verb, type(order)))
        told = set(re.findall(r"\b[A-Z]{3}\b", text))
        unit = where.names.get(getattr(order, "unit", ""))
        if told - named:
            assert unit
            assert told - named == {unit.province}
            goals = told & named
            going = [u for u in own if any(p[:3] in goals for p in list_reachable(where, u))]
            assert [u for u in own if u.kind == unit.kind] == [unit] or going == [unit]


@pytest.mark.parametrize(("where", "text", "orders"), MAILS["rows"])
def test_a_row_is_an_order_of_its_phase(where: str, text: str, orders: Sequence[str]) -> None:
    read = read_mail(POSITIONS[where], "TOL", text, default_settings())
    assert list(map(write_order, read.orders)) == orders
    if orders and "\n" in text:
        assert (read.lines[0].verdict, read.lines[0].code) == ("prose", "")


def test_places_to_choose_from_have_their_names_in_the_readers_language() -> None:
    (line,) = _read(MOVEMENT, "A MEN - Mare")
    for lang, name in (("en", "Adriatic Sea"), ("it", "Mare Adriatico")):
        assert f"ADR ({name})" in format_remark(line, ALEXMAGNUM, load_sentences(lang))
