"""Powers by whatever people call them."""

from __future__ import annotations

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game.game import parse_power
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.mail.parsing.commands import read_requests
from alexmagnum.mail.parsing.mime import load_vocabulary, read_recipients
from alexmagnum.notation import read_orders
from alexmagnum.notation.names import find_power, power_names
from tests.notation.tables import board, position

ALEXMAGNUM = {
    "AUT": "AUT aut Autigone Antigonus antigono Antigone ANT ant Antig ATG",
    "TOL": "TOL Tolomeo Ptolemy PTO PTL Tolom ptol Ptolemaios blu",
    "SEL": "SEL Selèuco seleuco Seleucus Seleu SLC giallo",
    "LIS": "LIS Lisimaco Lysimachus LYS lys Lysim",
    "CAS": "CAS Cassandro Cassander Cass KAS Kassandros CSS",
    "CAN": "CAN Candragrupta Chandragupta CHA Chandra Candra",
}
STANDARD = {
    "Austria": "Austria AUS AUT austria A austriaco",
    "England": "England Inghilterra ENG Ing inghil E",
    "France": "France Francia FRA Fran F",
    "Germany": "Germany Germania GER germ tedesco G",
    "Italy": "Italy Italia ITA Ital I",
    "Russia": "Russia RUS russ R",
    "Turkey": "Turkey Turchia TUR Turk T TRK",
}


def test_a_power_is_found_by_all_that_it_is_called() -> None:
    for map_id, table in (("alexmagnum", ALEXMAGNUM), ("standard", STANDARD)):
        for power, names in table.items():
            for name in names.split():
                assert power_names(board(map_id)).find(name, fuzzy=False) == (power,), name
                assert find_power(board(map_id), name) == power


def test_articles_before_the_name_are_passed_over() -> None:
    for name in ("Il Tolomeo", "di Tolomeo", "l'Antigono", "dell’Antigono", "the Antigonus"):
        assert parse_power(board("alexmagnum"), name) == ("TOL" if "Tol" in name else "AUT")


def test_a_misspelt_name_is_the_nearest_power_but_not_in_files() -> None:
    for power, names in {
        "TOL": "Tolemeo Ptolomy",
        "AUT": "Antigonous",
        "SEL": "Selueco",
        "CAS": "Cassandra",
        "LIS": "Lysimacus",
        "CAN": "Chandragutpa",
    }.items():
        for name in names.split():
            assert parse_power(board("alexmagnum"), name) == power
            assert find_power(board("alexmagnum"), name) == ""


@pytest.mark.parametrize(("name", "powers"), [("CA", "CAN, CAS"), ("il Ca", "CAN, CAS")])
def test_a_name_that_fits_several_is_refused_with_all_of_them(name: str, powers: str) -> None:
    with pytest.raises(GameError) as caught:
        parse_power(board("alexmagnum"), name)
    assert caught.value.code == "several-powers"
    assert all(powers in load_sentences(lang).error(caught.value) for lang in LANGUAGES)


@pytest.mark.parametrize("name", ["", "x", "Roma", "xyz", "verd", "tutti", "arbitro"])
def test_anything_else_names_no_power(name: str) -> None:
    with pytest.raises(GameError, match="no-such-power"):
        parse_power(board("alexmagnum"), name)


@pytest.mark.parametrize("heading", ["ANT:", "Ordini per Antigono", "Antigonus", "Anti:"])
def test_a_heading_of_orders_may_be_shortened(heading: str) -> None:
    where = position("alexmagnum", "AUT: A MEN; TOL: A TEB")
    assert list(read_orders(f"{heading}\nA MEN H", where).orders) == ["AUT"]


@pytest.mark.parametrize("name", ["TOL", "PTO", "Ptolemy", "Tolomeo", "Tolom", "Tolemeo", "PTL"])
def test_press_and_votes_name_powers_in_any_way(name: str) -> None:
    (piece,) = read_requests(
        f"STAMPA A {name.upper()}, ANT\nciao\nFINE STAMPA", board("alexmagnum")
    ).press
    assert (piece.readers, piece.unknown) == (("TOL", "AUT"), ())
    (vote,) = read_requests(f"PATTA {name.upper()}", board("alexmagnum")).commands
    assert (vote.kind, vote.argument) == ("draw", "TOL")


@pytest.mark.parametrize("word", ["to", "ca", "an", "viale", "tutto", "cesare"])
def test_what_is_no_clear_name_is_no_reader(word: str) -> None:
    found = read_recipients([word], board("alexmagnum"), load_vocabulary())
    assert found.powers == ()


@pytest.mark.parametrize("word", ["ENG", "POR"])
def test_a_province_is_no_abbreviation_of_a_power_in_an_order(word: str) -> None:
    where = position("standard", "England: F NTH")
    read = read_orders(f"F NTH - {word}", where, "England")
    assert not any(line.power == word for line in read.lines)
    assert [len(orders) for orders in read.orders.values()] in ([1], [])
