"""The three refusals, notices, and telling orders from prose."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alexmagnum.errors import Ambiguous, Impossible, NotationError, Unreadable
from alexmagnum.notation import NotationSettings, read_order, read_orders
from alexmagnum.orders import Build, Hold, Move, Pick, Support
from alexmagnum.position import Phase, Position
from tests.each import cells
from tests.notation.tables import (
    EGYPT,
    ITALY,
    check_read,
    codes,
    line,
    position,
    read,
    retreating,
    units,
)

EXACT = NotationSettings(fuzzy="refuse")

REFUSALS = [
    ("A MEN gioca TEB", Unreadable, "unknown-verb", "gioca", ("A MEN H",)),
    ("A MEN", Unreadable, "no-verb", "A MEN", ("A MEN H",)),
    ("A MEN TEB", Unreadable, "no-verb", "A MEN TEB", ("A MEN - TEB", "A MEN H")),
    ("F EGI?!", Unreadable, "no-verb", "F EGI?!", ("F EGI H",)),
    ("A ZRG H", Unreadable, "unknown-place", "ZRG", None),
    ("A MEN -", Unreadable, "place-missing", "A MEN -", ()),
    ("A MEN - (", Unreadable, "place-missing", "A MEN -", ()),
    ("A MEN - Zorg", Unreadable, "unknown-place", "Zorg", None),
    ("A Zorg - TEB", Unreadable, "unknown-place", "Zorg", None),
    ("F EGI C A MEN", Unreadable, "convoy-where", "F EGI C A MEN", ()),
    ("A MEN H - TEB", Unreadable, "unexpected", "- TEB", ()),
    ("A MEN S A TEB NOC", Unreadable, "unexpected", "NOC", ()),
    ("A MEN - TEB - NUB", Unreadable, "unexpected", "- NUB", ()),
    ("A MEN H A TEB H", Unreadable, "unexpected", "A TEB H", ()),
    ("A MEN - Sinai", Ambiguous, "several-places", "Sinai", None),
    ("F EGI S F EGE", Ambiguous, "several-units", "F EGE", ("F EGE#2", "F EGE#1", "F EGE#3")),
    ("A NUB - TEB", Impossible, "no-unit-there", "A NUB", ("A TEB", "G ALE", "A MEN")),
    ("A PER - ECB", Impossible, "not-your-unit", "A PER", ("G ALE", "A MEN", "A TEB")),
    ("F EGI S F EGE(SEL)", Impossible, "no-unit-there", "F EGE(SEL)", None),
    ("A MEN sbanda", Impossible, "not-now", "sbanda", ()),
]


@pytest.mark.parametrize(("text", "kind", "code", "fragment", "suggestions"), REFUSALS)
def test_a_refusal_names_the_smallest_fragment(
    text: str,
    kind: type[NotationError],
    code: str,
    fragment: str,
    suggestions: tuple[str, ...] | None,
) -> None:
    """Expect at most three suggestions."""
    with pytest.raises(kind) as refusal:
        read(text, EGYPT, "TOL")

    assert (refusal.value.code, refusal.value.fragment) == (code, fragment)
    assert len(refusal.value.suggestions) <= 3
    if suggestions is not None:
        assert refusal.value.suggestions == suggestions


@pytest.mark.parametrize(
    ("phase", "text"), [("retreats", "A MEN H"), ("winter", "A MEN - TEB"), ("winter", "A MEN H")]
)
def test_an_order_of_another_phase_is_refused(phase: str, text: str) -> None:
    """Refuse a hold in a retreat phase, and a move in winter."""
    where = (
        retreating("alexmagnum", "TOL: A MEN", "SEL: A TEB")
        if phase == "retreats"
        else replace(EGYPT, phase=Phase(318, "winter"))
    )
    with pytest.raises(Impossible) as refusal:
        read(text, where, "TOL")

    assert refusal.value.code == "not-now"


PICKS = position("alexmagnum", "", "picks")
DEPLOYMENT = position("alexmagnum", "", "deployment")
OTHERS = {
    "movement": EGYPT,
    "retreats": retreating("alexmagnum", "TOL: A MEN", "SEL: A TEB"),
    "winter": replace(EGYPT, phase=Phase(318, "winter")),
    "deployment": DEPLOYMENT,
}


BOARD_ORDERS = """
A ALE H|A ALE D|A ALE R MEN|A ALE S A MEN|A ALE - MEN|A ALE S|ALE H|ALE - MEN
Menfi va a Tebe|A Mefni tiene|A ALE S A Mefni
"""
NOT_NOW = [
    *((where, "Pick ALE|scelgo Menfi|I choose Memphis!|prendo Mefni") for where in OTHERS.values()),
    *((where, "Scelgo ALE, grazie") for where in OTHERS.values()),
    (EGYPT, "Costruisce Menfi|Rimuove Menfi|Build A MEN|Waive"),
    (PICKS, "F ALE|G ALE|falange a Menfi|Build A ALE"),
    (PICKS, BOARD_ORDERS),
    (DEPLOYMENT, BOARD_ORDERS),
]


@pytest.mark.parametrize(("where", "table"), NOT_NOW)
def test_the_orders_of_another_phase_are_refused(where: Position, table: str) -> None:
    """A pick everywhere else, winter orders in spring; a unit's order is no pick or deployment."""
    for text in cells(table):
        error = line(text, where, "TOL").error
        assert isinstance(error, Impossible), text
        assert error.code == "not-now"


def test_the_words_of_a_letter_are_no_pick() -> None:
    """Without a verb the name has to be all there is, and one that can be meant."""
    for text in cells("""
Caro arbitro,|inviato da iPhone|(tessaglia la prendo dopo)|ALE in primis
Alessandria resta libera?|Tolomeo, periodo 1
"""):
        read = read_orders(f"Pick BAB\n{text}", PICKS, "TOL")
        assert read.orders == {"TOL": (Pick("BAB"),)}
        assert read.lines[1].prose
    assert read_orders("Pick BAB\nA ALE H", PICKS, "TOL").orders == {"TOL": (Pick("BAB"),)}


def test_a_centre_alone_stays_a_pick_and_a_unit_alone_a_deployment() -> None:
    picks = "ALE|Alessandria per favore|ALE (se possibile)|A ALE|a Alessandria|1. Alessandria!"
    check_read({"Pick ALE": f"Pick ALE|{picks}|Scelgo Alesandria"}, PICKS, "TOL")
    builds = "A ALE|A ALE per favore|A ALE (grazie)|Build A ALE"
    check_read({"Build A ALE": builds}, DEPLOYMENT, "TOL")


def test_a_build_on_a_coast_needs_its_letter() -> None:
    where = replace(EGYPT, phase=Phase(318, "winter"))
    with pytest.raises(Ambiguous) as refusal:
        read("Costruisce Tiro", where, "TOL")

    assert refusal.value.suggestions == ("Build A TIR", "Build F TIR")
    assert read("Costruisce Damasco", where, "TOL") == Build("A DAM")


def test_a_setting_refuses_misspelt_names() -> None:
    """Read with a notice, or refused with the same name suggested."""
    assert read_order("A Mefni - TEB", EGYPT) == Move("A MEN", "TEB")
    with pytest.raises(Unreadable) as refusal:
        read_order("A Mefni - TEB", EGYPT, settings=EXACT)

    assert refusal.value.code == "unknown-place"
    assert refusal.value.fragment == "Mefni"
    assert refusal.value.suggestions == ("MEN (Menfi)",)
    assert read_order("A Menf - TEB", EGYPT, settings=EXACT) == Move("A MEN", "TEB")


NOTICES = [
    ("F MEN - TEB", Move("A MEN", "TEB"), ["wrong-letter"]),
    ("A ALE H", Hold("G ALE"), ["wrong-letter"]),
    ("A MEN S A ALE", Support("A MEN", "G ALE"), ["wrong-letter"]),
    ("A Mefni H", Hold("A MEN"), ["misspelt"]),
    ("A Mefni appoggia l'armata di Teb.", Support("A MEN", "A TEB"), ["misspelt"]),
    ("F EGI - ION#3", Move("F EGI", "ION"), ["no-such-number"]),
    ("F EGI - EGE(SEL)", Move("F EGI", "EGE"), ["no-such-number"]),
    ("F EGI S F ION#3", Support("F EGI", "F ION"), ["no-such-number"]),
    ("F EGI S F CRE - ION#2", Support("F EGI", "F CRE", "ION"), ["no-such-number"]),
    ("A MEN S la falange di Seleuco a Damasco", Support("A MEN", "A DAM"), ["wrong-owner"]),
    ("A MEN S A rossa DAM", Support("A MEN", "A DAM"), ["wrong-owner"]),
    ("A MEN H (che noia)", Hold("A MEN"), ["ignored"]),
    ("A MEN H ma con prudenza", Hold("A MEN"), ["ignored"]),
    ("A MEN H (se possibile)", Hold("A MEN"), []),
    ("F EGI - ION", Move("F EGI", "ION"), []),
]


@pytest.mark.parametrize(("text", "order", "notices"), NOTICES)
def test_what_had_to_be_assumed_is_said(text: str, order: object, notices: list[str]) -> None:
    """Notice a wrong letter where the place is in no doubt, and a number no unit bears (R8)."""
    assert codes(text, EGYPT, "TOL") == notices
    assert read(text, EGYPT, "TOL") == order


@pytest.mark.parametrize(
    ("text", "order", "notices"),
    [
        ("F EGI - SUE via Sinia", Move("F EGI", "SUE"), ["misspelt"]),
        ("F FOC - TEB via Nlo", Move("F FOC", "TEB"), ["misspelt"]),
        ("F FOC - TEB (via il Nlo)", Move("F FOC", "TEB"), ["misspelt"]),
        ("A MEN S F FOC - TEB via Nlo", Support("A MEN", "F FOC", "TEB"), ["misspelt"]),
        ("F FOC - TEB via Indo", Move("F FOC", "TEB"), ["other-way"]),
        ("F EGI - CRE via Sinai", Move("F EGI", "CRE"), ["other-way"]),
        ("F EGI - FEN via Sinai", Move("F EGI", "FEN"), ["other-way"]),
        ("F EGI - SUE via Nilus", Move("F EGI", "SUE"), ["other-way"]),
        ("F EGI - SUE via traino del Sinai", Move("F EGI", "SUE"), []),
        ("F EGI - SIS via Sinai", Move("F EGI", "SIS"), []),
        ("A MEN - TEB via Nilo", Move("A MEN", "TEB"), []),
        ("A MEN - TEB via Nlo", Move("A MEN", "TEB"), ["misspelt"]),
        ("F FOC - TEB via Zorg", Move("F FOC", "TEB"), ["ignored"]),
        ("F FOC - TEB via MEN", Move("F FOC", "TEB"), ["ignored"]),
        ("F FOC - TEB via", Move("F FOC", "TEB"), ["ignored"]),
        ("F FOC - TEB via convoy", Move("F FOC", "TEB", via_convoy=True), []),
        ("G ALE - CRE via", Move("G ALE", "CRE", via_convoy=True), []),
    ],
)
def test_a_fleet_never_goes_by_convoy_for_a_misspelt_river(
    text: str, order: object, notices: list[str]
) -> None:
    """Read the name of a river or portage as the nearest one; a wrong name changes nothing."""
    assert read(text, EGYPT, "TOL") == order
    assert codes(text, EGYPT, "TOL") == notices


def test_a_setting_refuses_misspelt_rivers() -> None:
    with pytest.raises(Unreadable) as refusal:
        read_order("F FOC - TEB via Nlo", EGYPT, settings=EXACT)

    assert (refusal.value.fragment, refusal.value.suggestions) == ("Nlo", ("Nilo",))


def test_only_ones_own_fleets_are_readings_of_an_order() -> None:
    where = position("alexmagnum", "TOL: F EGE#1, F EGE#2; CAS: F EGE#3")
    with pytest.raises(Ambiguous) as refusal:
        read("F EGE - ION", where, "TOL")

    assert refusal.value.suggestions == ("F EGE#1", "F EGE#2")
    assert read("F EGE - ION", where, "CAS") == Move("F EGE#3", "ION")


def test_a_fleet_that_is_alone_keeps_its_number() -> None:
    """R8: and is meant without it too."""
    where = position("alexmagnum", "TOL: F EGE#2, F ION")

    assert set(where.names) == {"F EGE#2", "F ION"}
    assert read("F EGE H", where) == read("F EGE#2 H", where) == Hold("F EGE#2")
    assert read("F ION#1 S F EGE", where) == Support("F ION", "F EGE#2")
    assert read("F ION - EGE#2", where) == Move("F ION", "EGE#2")
    assert read_orders("F EGE H\nF EGE#2 - CRE", where, "TOL").orders == {
        "TOL": (Move("F EGE#2", "CRE"),)
    }


@pytest.mark.parametrize(
    ("text", "order", "notices"),
    [
        ("F ION - EGE#1", Move("F ION", "EGE"), ["one-place"]),
        ("F ION - EGE 3", Move("F ION", "EGE"), ["one-place"]),
        ("F EGI S F ION - EGE#1", Support("F EGI", "F ION", "EGE"), ["one-place"]),
        ("F ION#2 H", Hold("F ION"), ["one-place"]),
        ("F ION#1 H", Hold("F ION"), []),
        ("A MEN - TEB#1", Move("A MEN", "TEB"), ["one-place"]),
    ],
)
def test_a_number_where_there_is_one_place_is_left_out_with_a_notice(
    text: str, order: object, notices: list[str]
) -> None:
    board = EGYPT.board.with_rules({"sea_capacity": 1})
    where = replace(EGYPT, board=board, units=units("TOL: F EGI, F ION, A MEN; CAS: F EGE"))

    assert read(text, where, "TOL") == order
    assert codes(text, where, "TOL") == notices


PROSE = """
Caro arbitro,|Dear GM, my orders for the spring of 318:|A presto, Cassandro|A presto - Tolomeo
Ciao, Cassandro|Ciao a tutti!|Con stima, Tolomeo|Per Cassandro|A Tolomeo: ti scrivo da Menfi
Best wishes from Memphis (soon!)|ecco gli ordini di primavera. Scusa il ritardo, ero ad Atene!
Ho pensato di attaccare Tebe - forse - ma non so|F. Rossi|S.|--|Inviato da iPhone
On Mon, 3 Nov 2026 at 10:00 the GM wrote:|https://example.org/a-b|Saluti dalla Siria
scelgo la pace|I choose to wait for Memphis to fall
Vorrei che tu appoggiassi il mio attacco in primavera|Orders|318 a.C.|Autunno 318|???|(:-)|A
"""


def test_a_unit_alone_in_winter_is_a_build_where_the_power_can_build() -> None:
    where = replace(EGYPT, phase=Phase(318, "winter"), owners={"ISR": "TOL"})

    assert read("A ISR", where, "TOL") == Build("A ISR")
    only = line("A BAB", where, "TOL")
    assert only.error is not None, "nobody builds in a centre of another power"
    assert only.order is None


SENTENCES = """
Se mi attacchi, A MEN - TEB!|Se Cassandro viene: A MEN - TEB|Caro Bruno, se vieni, A MEN - TEB
If he comes, A MEN - TEB|Non fare: A MEN - TEB|Non farò mai A MEN - TEB|altrimenti A MEN - TEB
Otherwise: A MEN - TEB|Forse A MEN - TEB, ma non quest'anno|Annullo A MEN - TEB
All my units hold, except A MEN moves to TEB|Tutte ferme tranne A MEN attacca TEB
"""


@pytest.mark.parametrize("text", cells(SENTENCES))
def test_a_condition_a_denial_or_a_thought_is_no_order_and_that_is_said(text: str) -> None:
    """Report such a line: it may have been meant as an order."""
    (said,) = [line for line in read_orders(text, EGYPT, "TOL").lines if not line.prose]

    assert said.error is not None
    assert (said.error.code, said.error.fragment) == ("in-sentence", text)


def test_a_sentence_about_a_unit_that_has_an_order_is_not_remarked_upon() -> None:
    reading = read_orders("Se mi attacchi, A MEN - TEB!\nA MEN H", EGYPT, "TOL")

    assert reading.lines[0].prose
    assert reading.orders == {"TOL": (Hold("A MEN"),)}


def test_others_units_may_be_spoken_of() -> None:
    assert line("Forse A PER - ECB, ma non quest'anno", EGYPT, "TOL").prose


def test_prose_is_passed_over() -> None:
    """Greetings, signatures and remarks are neither orders nor errors, and name no power."""
    for text in cells(PROSE):
        reading = read_orders(f"{text}\nA MEN H", EGYPT, "TOL")
        assert all(one.prose for one in reading.lines if one.number == 1), reading.lines[0].error
        assert reading.orders == {"TOL": (Hold("A MEN"),)}


@pytest.mark.parametrize(
    "text",
    cells("""
Cassandro|CAS:|Cassandro:|Ordini per Cassandro|Ordini di Cassandro:|Orders for Cassander
Cassander - Spring 318|CASSANDRO (CAS)|Cassandro - primavera 318 a.C.|** Cassandro **
I miei ordini di Cassandro|verde
"""),
)
def test_a_heading_names_the_power(text: str) -> None:
    assert read_orders(f"{text}\nF CRE H\n", EGYPT).orders == {"CAS": (Hold("F CRE"),)}
    assert read_orders(f"{text}\nF CRE H\n", EGYPT, "TOL").orders == {"CAS": (Hold("F CRE"),)}


def test_a_heading_may_stand_before_its_first_order() -> None:
    reading = read_orders("TOL: A MEN H\nA TEB H\nCassandro: F CRE H; F ION H", EGYPT)

    assert reading.orders == {
        "TOL": (Hold("A MEN"), Hold("A TEB")),
        "CAS": (Hold("F CRE"), Hold("F ION")),
    }


def test_a_signature_does_not_switch_the_power() -> None:
    text = "A MEN H\nCiao, Cassandro\nCassandro, non ti fidare\nPer Seleuco\nA TEB H"

    assert read_orders(text, EGYPT, "TOL").orders == {"TOL": (Hold("A MEN"), Hold("A TEB"))}


@pytest.mark.parametrize("mark", [";", ",", "\n"])
def test_a_bad_order_never_blocks_the_others(mark: str) -> None:
    bad = ["A MEN - Zorg", "A NUB H", "F EGI S F EGE", "A PER H", "A MEN gioca"]
    text = mark.join(["A TEB H", *bad, "F EGI H"])
    reading = read_orders(text, EGYPT, "TOL")

    assert reading.orders == {"TOL": (Hold("A TEB"), Hold("F EGI"))}
    assert [one.error is not None for one in reading.lines] == [False, *[True] * 5, False]


def test_the_last_of_two_orders_counts_and_that_is_said() -> None:
    reading = read_orders("A MEN H\nA TEB H\nMenfi va a Tebe", EGYPT, "TOL")
    first = reading.lines[0]

    assert reading.orders == {"TOL": (Hold("A TEB"), Move("A MEN", "TEB"))}
    assert first.replaced
    assert [(n.code, n.data["unit"], n.data["later"]) for n in first.notices] == [
        ("superseded", "A MEN", "Menfi va a Tebe")
    ]


def test_a_bad_order_does_not_replace_a_good_one() -> None:
    assert read_orders("A MEN H\nA MEN - Zorg", EGYPT, "TOL").orders == {"TOL": (Hold("A MEN"),)}


def test_the_coast_as_written_does_not_make_another_unit() -> None:
    reading = read_orders("F STP/NC - NWY\nF STP - FIN", ITALY, "Russia")

    assert reading.orders == {"Russia": (Move("F STP/SC", "FIN"),)}


def test_of_several_different_picks_none_counts_and_all_are_named() -> None:
    """R30: one centre a period."""
    reading = read_orders("Scelgo Menfi\nALE", position("alexmagnum", "", "picks"), "TOL")

    assert reading.orders == {}
    assert [line.error.code for line in reading.lines if line.error] == ["several-picks"] * 2
    assert reading.lines[0].error is not None
    assert reading.lines[0].error.suggestions == ("Pick MEN", "Pick ALE")


def test_all_builds_count() -> None:
    """Read every build: the judge decides in winter how many are too many."""
    where = replace(EGYPT, phase=Phase(318, "winter"))
    text = "Build A MEN\nBuild F MEN"

    assert read_orders(text, where, "TOL").orders == {"TOL": (Build("A MEN"), Build("F MEN"))}


@pytest.mark.parametrize("text", ["> A MEN - TEB", ">> A MEN H", " > > A Menfi tiene"])
def test_a_quoted_order_never_counts_silently(text: str) -> None:
    """Refuse an order behind ``>``, which is last turn's mail, instead of dropping it."""
    error = line(text, EGYPT, "TOL").error

    assert isinstance(error, Unreadable)
    assert error.code == "quoted"
    assert line("> Ciao Tolomeo, come va?", EGYPT, "TOL").prose


def test_an_order_of_nobody_is_refused() -> None:
    """Without a heading a unit tells whose order it is; a pick does not."""
    winter = replace(EGYPT, phase=Phase(318, "winter"), owners={"TIR": "TOL"})

    assert read_orders("F CRE H", EGYPT).orders == {"CAS": (Hold("F CRE"),)}
    assert read_orders("Build F TIR", winter).orders == {"TOL": (Build("F TIR"),)}
    error = line("Build F ATE", winter).error
    assert isinstance(error, Ambiguous)
    assert error.code == "whose-order"


def test_a_line_is_shown_without_its_bullet() -> None:
    winter = replace(EGYPT, phase=Phase(318, "winter"))

    assert line("  1) il generale di Alessandria tiene ", EGYPT).text == (
        "il generale di Alessandria tiene"
    )
    assert line("- A MEN H", EGYPT).text == "A MEN H"
    assert line("-A MEN", winter).text == "-A MEN"


def test_comments_are_left_out() -> None:
    assert read("A MEN H // A TEB H", EGYPT) == Hold("A MEN")
    assert read("A MEN H # A TEB H", EGYPT) == Hold("A MEN")
    assert line("# A TEB H", EGYPT).prose
    assert read("F EGE #2 H", EGYPT) == Hold("F EGE#2")
