"""Finding provinces: every spelling of a name, and never one province for another."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.errors import Ambiguous, Unreadable
from alexmagnum.notation import find_province
from alexmagnum.notation.names import Spellings, distance, slips
from alexmagnum.orders import Hold, Move, Support
from tests.each import check_each
from tests.notation.tables import EGYPT, ITALY, board, codes, position, read

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


@pytest.mark.parametrize("map_id", MAPS)
def test_every_name_is_its_province(map_id: str) -> None:
    check_each([case for case in NAMES if case[0] == map_id], _check_province)


def _check_unit(map_id: str, name: str, province: str) -> None:
    """Read a name with the letter of a unit, with a word for it, and without."""
    there = board(map_id).provinces[province]
    kind = "F" if there.is_sea else "A"
    power = "Italy" if map_id == "standard" else "SEL"
    where = position(map_id, f"{power}: {kind} {province}")
    word = "flotta" if kind == "F" else "armata"

    for unit in (f"{kind} {name}", f"{word} {name}", f"{kind}. {name}", name):
        assert read(f"{unit} H", where) == Hold(f"{kind} {province}"), unit
        assert read(f"{unit} ferma", where) == Hold(f"{kind} {province}"), unit


@pytest.mark.parametrize("map_id", MAPS)
def test_every_name_is_the_place_of_its_unit(map_id: str) -> None:
    check_each([case for case in NAMES if case[0] == map_id], _check_unit)


@pytest.mark.parametrize(
    ("text", "province"),
    [
        ("nel Mare Egiziano", "EGI"),
        ("dell'Eufrate", "EUF"),
        ("dell’Eufrate", "EUF"),
        ("alle Foci dell'Eufrate", "EUF"),
        ("Coele-Syria", "DAM"),
        ("Coele Syria", "DAM"),
        ("Coele‑Syria", "DAM"),
        ("Sinai settentrionale", "SIS"),
        ("nel Sinai meridionale", "SIM"),
        ("ad Alessandria d'Egitto", "ALE"),
        ("Alessandria d’Aria", "ARI"),
        ("Tracia", "TRA"),
        ("Alessandria del Caucaso", "PRP"),
        ("Aless", "ALE"),
        ("Persep", "PER"),
        ("Mare Egiz.", "EGI"),
        ("M. Egeo", "EGE"),
        ("Babi.", "BAB"),
        ("Allessandria", "ALE"),
        ("Mefni", "MEN"),
        ("Mare Egizzano", "EGI"),
        ("Sinai settentrionalle", "SIS"),
        ("Trapezzunte", "TRP"),
        ("Foci Nilo", "FOC"),
        ("Menfi'", "MEN"),
        ("ME\u0301NFI", "MEN"),
    ],
)
def test_articles_accents_dashes_prefixes_and_slips(text: str, province: str) -> None:
    assert find_province(text, board("alexmagnum")) == province


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


@pytest.mark.parametrize("text", ["Pug", "Mo", "Zzzz", "qwertyuiop", "X"])
def test_what_is_near_nothing_is_unreadable(text: str) -> None:
    """Below four letters nothing is a prefix and nothing is a slip."""
    with pytest.raises(Unreadable) as refusal:
        find_province(text, board("standard"))

    assert refusal.value.fragment == text


def test_a_short_beginning_is_suggested() -> None:
    with pytest.raises(Unreadable) as refusal:
        find_province("Pug", board("standard"))

    assert refusal.value.suggestions[0] == "APU (Apulia)"


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A TRA - BIS", Move("A TRA", "BIS")),
        ("TRA - BIS", Move("A TRA", "BIS")),
        ("TRA va a Bisanzio", Move("A TRA", "BIS")),
        ("A BIS - TRA", Move("A BIS", "TRA")),
        ("A BIS S A TRA", Support("A BIS", "A TRA")),
        ("A BIS S TRA", Support("A BIS", "A TRA")),
        ("A PER - ECB", Move("A PER", "ECB")),
        ("A ECB - PER", Move("A ECB", "PER")),
        ("A ECB per PER", Move("A ECB", "PER")),
        ("A ECB PER PER", Move("A ECB", "PER")),
        ("A PER PER ECB", Move("A PER", "ECB")),
        ("PER per ECB", Move("A PER", "ECB")),
        ("PER H", Hold("A PER")),
        ("A ARM - PER", Move("A ARM", "PER")),
        ("ARM - COL", Move("A ARM", "COL")),
        ("ARM H", Hold("A ARM")),
        ("ARM a COL", Move("A ARM", "COL")),
        ("ARM S A PER", Support("A ARM", "A PER")),
        ("ARM ARM - COL", Move("A ARM", "COL")),
        ("arm. ARM - COL", Move("A ARM", "COL")),
        ("ARM PER - ECB", Move("A PER", "ECB")),
        ("ARM TRA - BIS", Move("A TRA", "BIS")),
        ("Armenia ferma", Hold("A ARM")),
        ("armata Armenia ferma", Hold("A ARM")),
        ("A BIS S ARM - COL", Support("A BIS", "A ARM", "COL")),
        ("a MEN a TEB", Move("A MEN", "TEB")),
        ("A A MEN - TEB", Move("A MEN", "TEB")),
    ],
)
def test_words_that_are_provinces_too(text: str, order: object) -> None:
    """``TRA`` carries and is Thrace, ``PER`` is "towards" and Persepolis, ``ARM`` an army and
    Armenia: the place in the order decides."""
    assert read(text, EGYPT) == order


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A CON - BUL", Move("A CON", "BUL")),
        ("CON - BUL", Move("A CON", "BUL")),
        ("A BUL - CON", Move("A BUL", "CON")),
        ("A BUL a CON con trasporto", Move("A BUL", "CON", via_convoy=True)),
        ("A BUL S A CON", Support("A BUL", "A CON")),
        ("A BUL S CON - ANK", Support("A BUL", "A CON", "ANK")),
        ("CON H", Hold("A CON")),
        ("A ARM - SYR", Move("A ARM", "SYR")),
        ("ARM - SYR", Move("A ARM", "SYR")),
        ("A Roma a Venezia", Move("A ROM", "VEN")),
        ("a Roma a Venezia", Move("A ROM", "VEN")),
        ("A ROM A VEN", Move("A ROM", "VEN")),
        ("F MAR S F MAO - SPA/SC", Support("F MAR", "F MAO", "SPA/SC")),
        ("F STP S A BUR", Support("F STP/SC", "A BUR")),
        ("F TYS T A NAF - TUN", None),
    ],
)
def test_the_same_on_the_standard_map(text: str, order: object) -> None:
    """``CON`` is "with" and Constantinople; ``S`` supports and is a south coast; ``T`` is
    a convoy, not Turkey."""
    if order is None:
        assert read(text, ITALY) == read("F TYS C A NAF - TUN", ITALY)
    else:
        assert read(text, ITALY) == order


def test_a_guess_is_said() -> None:
    guessed = ["misspelt", "wrong-letter", "misspelt", "whose-unit"]
    assert codes("A Allessandria - Tebbe", EGYPT) == guessed
    assert codes("G Alessandria - Teb.", EGYPT) == ["whose-unit"]


VALID = {
    map_id: {name.casefold(): province for m, name, province in NAMES if m == map_id}
    for map_id in MAPS
}


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


@given(st.text("abcde", max_size=9), st.text("abcde", max_size=9), st.integers(0, 4))
def test_distance_is_a_distance(a: str, b: str, most: int) -> None:
    """Symmetric, nothing only for the same, and cut off above the most that is asked."""
    off = distance(a, b, most)

    assert off == distance(b, a, most)
    assert (off == 0) == (a == b)
    assert off <= most + 1
    assert off == min(distance(a, b, 20), most + 1)


@given(st.lists(st.text("abcdefgh", min_size=3, max_size=14), max_size=20), st.text("abcdefgh"))
def test_the_fast_search_finds_what_the_slow_one_finds(texts: list[str], text: str) -> None:
    most = slips(len(text))
    near = {(distance(text, other, most), other) for other in texts} if most else set()

    assert set(Spellings(texts).near(text)) == {(off, o) for off, o in near if off <= most}


def test_orders_that_are_spelt_right_are_read_without_rapidfuzz() -> None:
    """Check that only a misspelt name imports rapidfuzz, which takes longer than reading a turn."""
    program = (
        "import sys; from alexmagnum import Phase, Position, Unit, load_board, read_order;"
        "board = load_board('standard');"
        "position = Position(board, Phase(1901, 'spring'), (Unit('Austria', 'A', 'VIE'),));"
        "read_order('Army Vienna moves to Tyrolia', position);"
        "print('rapidfuzz' in sys.modules)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=True, capture_output=True, text=True)

    assert done.stdout == "False\n"
