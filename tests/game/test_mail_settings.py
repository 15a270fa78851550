"""The settings of mail: what they may be, and that they stand in no report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.game.inbox_store import (
    Code,
    find_code,
    find_codes,
    find_or_make_code,
    reply_address,
    subject_prefix,
    subject_tag,
)
from alexmagnum.game.settings import MailServer, read_imap_server, read_smtp_server
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.report.context import gather_open_phase, gather_past_phase
from tests.game.desks import new_desk


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mail_address", "game@example.org"),
        ("mail_address", ""),
        ("imap_server", "127.0.0.1"),
        ("imap_server", "imap.example.org"),
        ("imap_server", "imap-open://127.0.0.1:10143"),
        ("imap_server", "imaps://game@example.org@imap.example.org/Giochi/Alex Magnum"),
        ("smtp_server", "smtps://smtp.example.org"),
        ("mail_name", "Perdicca, l'arbitro"),
        ("sandbox", "https://example.org/game/sandbox.html"),
    ],
)
def test_a_setting_of_mail_can_be_so(desk: Desk, name: str, value: str) -> None:
    desk.set(name, value)
    assert desk.settings[name] == value


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("mail_address", "game+am1@example.org", "address-unreadable"),
        ("mail_address", "game", "address-unreadable"),
        ("mail_address", "a@b@c", "address-unreadable"),
        ("mail_address", "Game <game@example.org>", "address-unreadable"),
        ("imap_server", "imap example", "host-unreadable"),
        ("imap_server", "smtp://smtp.example.org", "host-unreadable"),
        ("imap_server", "pop://pop.example.org", "host-unreadable"),
        ("smtp_server", "smtp.example.org/INBOX", "host-unreadable"),
        ("mail_name", "a\nBcc: b@example.org", "line-unreadable"),
        ("imap_server", "imap.example.org/" + "x" * 201, "line-unreadable"),
        ("imap_server", "imap.example.org:0", "host-unreadable"),
        ("imap_server", "imap.example.org:70000", "host-unreadable"),
        ("press", "yes", "bad-setting"),
        ("sandbox", "maybe", "bad-setting"),
        ("sandbox", "javascript://x", "web-address-unreadable"),
    ],
)
def test_a_setting_of_mail_cannot_be_so(desk: Desk, name: str, value: str, code: str) -> None:
    with pytest.raises(GameError) as caught:
        desk.set(name, value)
    assert caught.value.code == code
    assert all(load_sentences(lang).error(caught.value) for lang in LANGUAGES)


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("imap.example.org", MailServer("imap.example.org", 993, "tls")),
        (
            "imap://x@y.org@[::1]:10143/A/B c",
            MailServer("[::1]", 10143, "starttls", "x@y.org", "A/B c"),
        ),
        ("imap-open://localhost", MailServer("localhost", 143, "none")),
        ("smtp.example.org", MailServer("smtp.example.org", 587, "starttls")),
        ("smtp.example.org:25", MailServer("smtp.example.org", 25, "starttls")),
        ("smtps://gm@smtp.example.org", MailServer("smtp.example.org", 465, "tls", "gm")),
    ],
)
def test_a_server_is_one_line(text: str, server: MailServer) -> None:
    read = read_smtp_server if text.startswith("smtp") else read_imap_server

    assert read(text) == server


def test_the_settings_of_the_game_masters_mail_reach_no_report(desk: Desk) -> None:
    desk.set("imap_server", "secret")
    desk.process("1901-spring", allow_missing=True)
    contexts = gather_open_phase(desk), gather_past_phase(desk, "1901-spring")

    for context in contexts:
        assert "secret" not in context.house_rules.values()
        assert not [name for name in context.house_rules if name.startswith("imap_")]
        assert "press" not in context.house_rules


def test_what_is_agreed_on_mail_is_told_where_there_is_mail(tmp_path: Path) -> None:
    with new_desk(tmp_path, settings={"mail_address": "game@example.org"}) as desk:
        rules = gather_open_phase(desk).house_rules

    assert (rules["press"], rules["code_needed"]) == ("held", "yes")
    assert "mail_address" not in rules


# -- reply codes -----------------------------------------------------------------------------------


def test_a_code_stays_what_it_was_and_differs_from_all_others(desk: Desk) -> None:
    codes = {
        (power, phase): find_or_make_code(desk, power, phase)
        for power in desk.board.powers
        for phase in ("1901-spring", "1901-autumn")
    }
    assert len(set(codes.values())) == len(codes)
    for (power, phase), code in codes.items():
        assert find_or_make_code(desk, power, phase) == code
        assert find_code(desk, code.upper()) == Code(power, phase)


def test_a_code_that_was_drawn_twice_is_drawn_again(desk: Desk) -> None:
    drawn = iter([b"\0" * 5, b"\0" * 5, b"\1" * 5])
    desk.entropy = lambda size: next(drawn)
    first, second = (
        find_or_make_code(desk, power, "1901-spring") for power in ("France", "England")
    )
    assert first == "00000000"
    assert second != first


def test_codes_are_told_from_words(desk: Desk) -> None:
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
def test_a_code_is_found_where_a_reply_brings_it(desk: Desk, text: str) -> None:
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
