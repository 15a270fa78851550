"""A unit read by itself, without an order."""

from __future__ import annotations

import pytest

from alexmagnum.errors import Ambiguous, Impossible, NotationError, Unreadable
from alexmagnum.notation import read_unit
from tests.notation.tables import position, retreating

SHORE = position("alexmagnum", "TOL: A MEN, G ALE, F EGE#1; SEL: F EGE#2, F EGE#3")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A MEN", "A MEN"),
        ("men", "A MEN"),
        ("l'armata di Menfi", "A MEN"),
        ("ale", "G ALE"),
        ("gen. Alessandria", "G ALE"),
        ("F EGE#2", "F EGE#2"),
        ("egeo 3", "F EGE#3"),
        ("F EGE(TOL)", "F EGE#1"),
    ],
)
def test_a_unit_is_read_as_in_an_order(text: str, name: str) -> None:
    unit, notices = read_unit(text, SHORE)

    assert SHORE.name(unit) == name
    assert notices == ()


def test_of_several_units_the_one_of_the_power_is_meant() -> None:
    assert read_unit("F EGE", SHORE, "TOL")[0].number == 1


@pytest.mark.parametrize(("text", "code"), [("Memfi", "misspelt"), ("F MEN", "wrong-letter")])
def test_what_had_to_be_assumed_is_in_a_notice(text: str, code: str) -> None:
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


def test_a_dislodged_unit_comes_before_the_one_in_its_place() -> None:
    where = retreating("alexmagnum", "TOL: A MEN", "SEL: A MEN")

    assert read_unit("MEN", where)[0].power == "TOL"
