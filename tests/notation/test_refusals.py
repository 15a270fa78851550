"""The three refusals, notices, and telling orders from prose."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.errors import Ambiguous, NotationError, Unreadable
from alexmagnum.notation import NotationSettings, read_order, read_orders, write_order
from alexmagnum.orders import Build, Hold, Move, Support
from alexmagnum.position import Phase, Position
from tests.case_library import read_yaml
from tests.each import cells
from tests.notation.tables import EGYPT, ITALY, check_read, codes, line, position, read, units

EXACT = NotationSettings(fuzzy="refuse")

LINES = read_yaml(Path(__file__).with_name("lines.yaml"))


@pytest.mark.parametrize("row", LINES["refusals"], ids=lambda row: row["text"])
def test_a_refusal_names_the_smallest_fragment(row: Mapping[str, Any]) -> None:
    """Expect at most three suggestions."""
    with pytest.raises(NotationError) as refusal:
        read(row["text"], EGYPT, "TOL")

    error = refusal.value
    assert (f"{error.kind} {error.code}", error.fragment) == (row["error"], row["fragment"])
    assert len(error.suggestions) <= 3
    assert [*error.suggestions] == row.get("suggestions", [*error.suggestions])


def test_a_centre_alone_stays_a_pick_and_a_unit_alone_a_deployment() -> None:
    picks = "ALE|Alessandria per favore|ALE (se possibile)|A ALE|a Alessandria|1. Alessandria!"
    where = position("alexmagnum", "", "picks")
    check_read({"Pick ALE": f"Pick ALE|{picks}|Scelgo Alesandria"}, where, "TOL")
    builds = "A ALE|A ALE per favore|A ALE (grazie)|Build A ALE"
    check_read({"Build A ALE": builds}, position("alexmagnum", "", "deployment"), "TOL")


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


def _check_notices(row: Mapping[str, Any], where: Position) -> None:
    order = read(row["text"], where, "TOL")
    assert order is not None
    assert write_order(order) == row["order"]
    assert codes(row["text"], where, "TOL") == row["notices"]


@pytest.mark.parametrize("row", LINES["notices"], ids=lambda row: row["text"])
def test_what_had_to_be_assumed_is_said(row: Mapping[str, Any]) -> None:
    _check_notices(row, EGYPT)


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


@pytest.mark.parametrize("row", LINES["one place"], ids=lambda row: row["text"])
def test_a_number_where_there_is_one_place_is_left_out_with_a_notice(
    row: Mapping[str, Any],
) -> None:
    board = EGYPT.board.with_rules({"sea_capacity": 1})
    listed = units("TOL: F EGI, F ION, A MEN; CAS: F EGE")
    _check_notices(row, replace(EGYPT, board=board, units=listed))


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
    assert read_orders("TOL: A MEN H\nA TEB H\nCassandro: F CRE H; F ION H", EGYPT).orders == {
        "TOL": (Hold("A MEN"), Hold("A TEB")),
        "CAS": (Hold("F CRE"), Hold("F ION")),
    }


@pytest.mark.parametrize("mark", [";", ",", "\n"])
def test_a_bad_order_never_blocks_the_others(mark: str) -> None:
    bad = ["A MEN - Zorg", "A NUB H", "F EGI S F EGE", "A PER H", "A MEN gioca"]
    reading = read_orders(mark.join(["A TEB H", *bad, "F EGI H"]), EGYPT, "TOL")

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


def test_the_coast_as_written_does_not_make_another_unit() -> None:
    reading = read_orders("F STP/NC - NWY\nF STP - FIN", ITALY, "Russia")

    assert reading.orders == {"Russia": (Move("F STP/SC", "FIN"),)}


def test_an_order_of_nobody_is_refused() -> None:
    """Without a heading a unit tells whose order it is; a pick does not."""
    winter = replace(EGYPT, phase=Phase(318, "winter"), owners={"TIR": "TOL"})

    assert read_orders("F CRE H", EGYPT).orders == {"CAS": (Hold("F CRE"),)}
    assert read_orders("Build F TIR", winter).orders == {"TOL": (Build("F TIR"),)}
    error = line("Build F ATE", winter).error
    assert isinstance(error, Ambiguous)
    assert error.code == "whose-order"


def test_a_line_is_shown_without_its_bullet() -> None:
    assert line("  1) il generale di Alessandria tiene ", EGYPT).text == (
        "il generale di Alessandria tiene"
    )
    assert line("- A MEN H", EGYPT).text == "A MEN H"
    assert line("-A MEN", replace(EGYPT, phase=Phase(318, "winter"))).text == "-A MEN"


def test_comments_are_left_out() -> None:
    assert read("A MEN H // A TEB H", EGYPT) == Hold("A MEN")
    assert read("A MEN H # A TEB H", EGYPT) == Hold("A MEN")
    assert line("# A TEB H", EGYPT).prose
    assert read("F EGE #2 H", EGYPT) == Hold("F EGE#2")
