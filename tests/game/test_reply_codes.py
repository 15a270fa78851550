"""Codes: kept once made, found wherever a reply brings them, nobody else's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from alexmagnum.game.inbox_store import (
    Code,
    find_code,
    find_codes,
    find_or_make_code,
    reply_address,
    subject_prefix,
    subject_tag,
)
from tests.game.desks import new_desk


def test_a_code_stays_what_it_was_and_differs_from_all_others(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        codes = {
            (power, phase): find_or_make_code(desk, power, phase)
            for power in desk.board.powers
            for phase in ("1901-spring", "1901-autumn")
        }
        assert len(set(codes.values())) == len(codes)
        for (power, phase), code in codes.items():
            assert find_or_make_code(desk, power, phase) == code
            assert find_code(desk, code.upper()) == Code(power, phase)


def test_a_code_that_was_drawn_twice_is_drawn_again(tmp_path: Path) -> None:
    drawn = iter([b"\0" * 5, b"\0" * 5, b"\1" * 5])
    with new_desk(tmp_path) as desk:
        desk.entropy = lambda size: next(drawn)
        first, second = (
            find_or_make_code(desk, power, "1901-spring") for power in ("France", "England")
        )
    assert first == "00000000"
    assert second != first


def test_codes_are_told_from_words(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        assert find_codes(desk, ["Re: [AM-game] a b12345678c ordinato (France-abcdefgh)"]) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Re: [AM-g] Report (France-{code})",
        "R: I: [AM-g] Rapporto (France-{code}) (bozza)",
        "[AM-g] (france-{upper})",
        "game+g-{code}@example.org",
        "<game+g-{upper}@example.org>",
        "{code}",
    ],
)
def test_a_code_is_found_where_a_reply_brings_it(tmp_path: Path, text: str) -> None:
    with new_desk(tmp_path) as desk:
        code = find_or_make_code(desk, "France", "1901-spring")
        texts = ["Ordini", text.format(code=code, upper=code.upper())]
        assert find_codes(desk, texts) == (Code("France", "1901-spring"),)


def test_subject_and_address_carry_it(tmp_path: Path) -> None:
    with new_desk(tmp_path, name="Perdicca, l'ètere!") as desk:
        assert subject_prefix(desk) == "[AM-perdicca-l-etere]"
        assert reply_address(desk, "France", "1901-spring") == ""
        desk.set("mail_address", "gm@example.org")
        address = reply_address(desk, "France", "1901-spring")
        found = re.fullmatch(r"gm\+perdicca-l-etere-([0-9a-z]{8})@example\.org", address)
        assert found
        assert subject_tag(desk, "France", "1901-spring") == f"(France-{found[1]})"
        assert find_codes(desk, [address]) == (Code("France", "1901-spring"),)


def test_a_game_whose_name_has_no_letters_has_a_prefix_too(tmp_path: Path) -> None:
    with new_desk(tmp_path, name="¡!") as desk:
        assert subject_prefix(desk) == "[AM-game]"
