"""Finding provinces: every spelling of a name, and never one province for another."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board.map_check import name_faults
from alexmagnum.errors import Ambiguous, GameError, Impossible, NotationError, Unreadable
from alexmagnum.game.game import parse_power
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.mail.parsing.commands import read_requests
from alexmagnum.mail.parsing.mime import load_vocabulary, read_recipients
from alexmagnum.notation import find_province, read_order, read_orders, read_unit, write_order
from alexmagnum.notation.names import Spellings, distance, find_power, power_names, slips
from alexmagnum.orders import Hold, Move, Support
from tests.case_library import read_yaml
from tests.each import cells, check_each
from tests.notation.tables import EGYPT, board, codes, position, read, retreating
from tests.sizes import drawn, sampled, sized

MAPS = ("standard", "alexmagnum")
NAMES = [
    (map_id, name, province.id)
    for map_id in MAPS
    for province in board(map_id).provinces.values()
    for name in (province.id, *province.names.values(), *province.aliases)
]


def _check_province(map_id: str, name: str, province: str) -> None:
    """Read a name by itself, in any case, and as the goal of a move and of a support."""
    start = "MUN" if map_id == "standard" else "MRG"
    where = position(map_id, f"{'Italy' if map_id == 'standard' else 'SEL'}: A {start}")
    assert find_province(name, board(map_id)) == province
    assert find_province(name.upper(), board(map_id)) == province
    assert find_province(name.replace("-", "–").replace("'", "’"), board(map_id)) == province
    for goal in (f"- {name}", f"to {name}", f"verso {name}", f"-> {name} via convoy"):
        move = read(f"A {start} {goal}", where)
        assert isinstance(move, Move)
        assert move.to == province
    support = read(f"A {start} S A {start} - {name}", where)
    assert support == Support(f"A {start}", f"A {start}", province)


@sampled
@pytest.mark.parametrize("map_id", MAPS)
def test_every_name_is_its_province(map_id: str) -> None:
    check_each([c for c in NAMES if c[0] == map_id][:: sized(4, 1)], _check_province)


def _check_unit(map_id: str, name: str, province: str) -> None:
    """Read a name with the letter of a unit, with a word for it, and without."""
    kind = "F" if board(map_id).provinces[province].is_sea else "A"
    power = "Italy" if map_id == "standard" else "SEL"
    where = position(map_id, f"{power}: {kind} {province}")
    word = "flotta" if kind == "F" else "armata"
    for unit in (f"{kind} {name}", f"{word} {name}", f"{kind}. {name}", name):
        assert read(f"{unit} H", where) == Hold(f"{kind} {province}"), unit
        assert read(f"{unit} ferma", where) == Hold(f"{kind} {province}"), unit


@sampled
@pytest.mark.parametrize("map_id", MAPS)
def test_every_name_is_the_place_of_its_unit(map_id: str) -> None:
    check_each([c for c in NAMES if c[0] == map_id][:: sized(6, 1)], _check_unit)


SPELT = read_yaml(Path(__file__).with_name("lines.yaml"))["provinces"]


def test_articles_accents_dashes_prefixes_and_slips() -> None:
    for province, table in SPELT.items():
        for text in cells(table):
            assert find_province(text, board("alexmagnum")) == province, text


@pytest.mark.parametrize(
    ("map_id", "text", "choices"),
    [
        ("alexmagnum", "Sinai", {"SIS", "SIM"}),
        ("alexmagnum", "Mar Nero", {"MNO", "MNC", "MNE"}),
        ("alexmagnum", "Xaria", {"ARI", "CAR"}),
        ("standard", "Mediterraneo", {"EAS", "WES"}),
    ],
)
def test_two_that_fit_are_ambiguous(map_id: str, text: str, choices: set[str]) -> None:
    """Read beginnings that two names share, and misspellings equally near two names."""
    with pytest.raises(Ambiguous) as refusal:
        find_province(text, board(map_id))
    assert refusal.value.fragment == text
    assert {label.split()[0] for label in refusal.value.suggestions} == choices


@pytest.mark.parametrize("text", ["Sco", "Mo", "Zzzz", "qwertyuiop", "X"])
def test_what_is_near_nothing_is_unreadable(text: str) -> None:
    """Below four letters nothing is a slip."""
    with pytest.raises(Unreadable) as refusal:
        find_province(text, board("standard"))
    assert refusal.value.fragment == text


DATA = read_yaml(Path(__file__).with_name("places.yaml"))
ITALIANS = [(p, *each) for p, table in DATA["italians"].items() for each in table.items()]
PLACED = position("standard", "Russia: A WAR, F STP/SC, F SEV, A MOS; Italy: A TYR, F NAP, A VEN")


@pytest.mark.parametrize(("power", "text", "meant"), ITALIANS)
def test_letters_and_beginnings_mean_what_fits_there(power: str, text: str, meant: str) -> None:
    try:
        read_as = write_order(read_order(text, PLACED, power))
    except NotationError as error:
        labels = sorted(label.split()[0] for label in error.suggestions)
        read_as = " ".join([error.kind, *(labels if error.kind == "ambiguous" else ())])
    assert read_as == meant


def test_the_beginning_of_a_name_in_prose_is_no_order() -> None:
    for text in ("Vene per bene", "Mare in tempesta", "Tiro a segno", "Napo gioca"):
        assert not read_orders(text, PLACED, "Italy").orders, text


def test_a_guess_is_said() -> None:
    guessed = ["misspelt", "wrong-letter", "misspelt", "whose-unit"]
    assert codes("A Allessandria - Tebbe", EGYPT) == guessed
    assert codes("G Alessandria - Teb.", EGYPT) == ["whose-unit"]


VALID = {
    map_id: {name.casefold(): province for m, name, province in NAMES if m == map_id}
    for map_id in MAPS
}


@drawn(27, 500)
@given(st.sampled_from(NAMES), st.integers(0, 30), st.sampled_from("abcdefgilmnoprstuvz"))
def test_a_slip_never_leads_from_one_name_to_another(
    entry: tuple[str, str, str], at: int, letter: str
) -> None:
    """Check that a wrong letter gives another province only if that is its exact name."""
    map_id, name, province = entry
    at %= len(name)
    slipped = name[:at] + letter + name[at + 1 :]
    valid = VALID[map_id].get(slipped.casefold())
    try:
        found = find_province(slipped, board(map_id))
    except (Ambiguous, Unreadable):
        assert valid is None
        return
    if valid is not None:
        assert found == valid
    elif len(name) >= 8 and " " not in name and "-" not in name and at > 4:
        assert found == province


@drawn(27, 500)
@given(st.text("abcde", max_size=9), st.text("abcde", max_size=9), st.integers(0, 4))
def test_distance_is_a_distance(a: str, b: str, most: int) -> None:
    """Symmetric, nothing only for the same, and cut off above the most that is asked."""
    off = distance(a, b, most)
    assert off == distance(b, a, most)
    assert (off == 0) == (a == b)
    assert off <= most + 1
    assert off == min(distance(a, b, 20), most + 1)


@drawn(27, 500)
@given(st.lists(st.text("abcdefgh", min_size=3, max_size=14), max_size=20), st.text("abcdefgh"))
def test_the_fast_search_finds_what_the_slow_one_finds(texts: list[str], text: str) -> None:
    most = slips(len(text))
    near = {(distance(text, other, most), other) for other in texts} if most else set()
    assert set(Spellings(texts).near(text)) == {(off, o) for off, o in near if off <= most}


def test_a_map_with_thousands_of_long_names_is_read_in_seconds() -> None:
    """The names begin alike, and so do the words of the text."""
    begun, long = process_time(), "parisia " * 20
    names = {p: tuple(f"{long}{p} {n}" for n in range(200)) for p in EGYPT.board.provinces}
    provinces = {p.id: replace(p, aliases=names[p.id]) for p in EGYPT.board.provinces.values()}
    crowded = replace(EGYPT.board, provinces=provinces)
    assert not list(name_faults(crowded))
    said = f"A {'parisi ' * 60} - {'paris pari ' * 30}\n" * 8
    assert not read_orders(said, replace(EGYPT, board=crowded)).orders
    assert process_time() - begun < 10


def test_orders_that_are_spelt_right_are_read_without_rapidfuzz() -> None:
    """Check that only a misspelt name imports rapidfuzz, which takes longer than reading a turn."""
    program = (
        "import sys; from alexmagnum import Phase, Position, Unit, load_board, read_order;"
        "board = load_board('standard');"
        "position = Position(board, Phase(1901, 'spring'), (Unit('Austria', 'A', 'VIE'),));"
        "read_order('Army Vienna moves to Tyrolia', position);"
        "print('rapidfuzz' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "False\n"


SHORE = position("alexmagnum", "TOL: A MEN, G ALE, F EGE#1; SEL: F EGE#2, F EGE#3")


def test_a_unit_by_itself_is_read_as_in_an_order() -> None:
    for name, table in {
        "A MEN": "A MEN|men|l'armata di Menfi",
        "G ALE": "ale|gen. Alessandria",
        "F EGE#1": "F EGE(TOL)",
        "F EGE#2": "F EGE#2",
        "F EGE#3": "egeo 3",
    }.items():
        for text in cells(table):
            assert read_unit(text, SHORE) == (SHORE.names[name], ()), text


def test_of_several_units_the_one_of_the_power_or_the_dislodged_one_is_meant() -> None:
    assert read_unit("F EGE", SHORE, "TOL")[0].number == 1
    assert read_unit("MEN", retreating("alexmagnum", "TOL: A MEN", "SEL: A MEN"))[0].power == "TOL"


@pytest.mark.parametrize(("text", "code"), [("Memfi", "misspelt"), ("F MEN", "wrong-letter")])
def test_what_had_to_be_assumed_about_a_unit_is_in_a_notice(text: str, code: str) -> None:
    unit, notices = read_unit(text, SHORE)
    assert unit.province == "MEN"
    assert [notice.code for notice in notices] == [code]


@pytest.mark.parametrize(
    ("text", "error", "code"),
    [
        ("", Unreadable, "empty"),
        ("A Zorg", Unreadable, "unknown-place"),
        ("A MEN - TEB", Unreadable, "unexpected"),
        ("F EGE", Ambiguous, "several-units"),
        ("A NUB", Impossible, "no-unit-there"),
    ],
)
def test_what_is_no_unit_is_refused(text: str, error: type[NotationError], code: str) -> None:
    with pytest.raises(error) as refused:
        read_unit(text, SHORE)
    assert refused.value.code == code


# Powers by whatever people call them.


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


@pytest.mark.parametrize("name", ["TOL", "PTO", "Ptolemy", "Tolomeo", "Tolom"])
def test_press_and_votes_name_powers_in_any_way(name: str) -> None:
    (piece,) = read_requests(
        f"STAMPA A {name.upper()}, ANT\nciao\nFINE STAMPA", board("alexmagnum")
    ).press
    assert (piece.readers, piece.unknown) == (("TOL", "AUT"), ())
    (vote,) = read_requests(f"PATTA {name.upper()}", board("alexmagnum")).commands
    assert (vote.kind, vote.argument) == ("draw", "TOL")


@pytest.mark.parametrize("word", ["to", "ca", "an", "viale", "tutto", "cesare", "tolemeo", "ptl"])
def test_what_is_no_clear_name_leaves_a_doubt_or_is_no_reader(word: str) -> None:
    found = read_recipients([word], board("alexmagnum"), load_vocabulary())
    assert found.unknown == (word,) or not found.powers


@pytest.mark.parametrize("word", ["ENG", "POR"])
def test_a_province_is_no_abbreviation_of_a_power_in_an_order(word: str) -> None:
    read = read_orders(f"F NTH - {word}", position("standard", "England: F NTH"), "England")
    assert not any(line.power == word for line in read.lines)
    assert [len(orders) for orders in read.orders.values()] in ([1], [])
