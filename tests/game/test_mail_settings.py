"""The settings of mail: what they may be, and that they stand in no report."""

from __future__ import annotations

from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.report.phase_context import gather_open_phase, gather_past_phase
from tests.game.desks import new_desk


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mail_address", "game@example.org"),
        ("mail_address", ""),
        ("imap_host", "127.0.0.1"),
        ("imap_host", "imap.example.org"),
        ("imap_port", "10143"),
        ("imap_folder", "Giochi/Alex Magnum"),
        ("mail_name", "Perdicca, l'arbitro"),
    ],
)
def test_a_setting_of_mail_can_be_so(tmp_path: Path, name: str, value: str) -> None:
    with new_desk(tmp_path) as desk:
        desk.set(name, value)
        assert desk.settings[name] == value


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("mail_address", "game+am1@example.org", "address-unreadable"),
        ("mail_address", "game", "address-unreadable"),
        ("mail_address", "a@b@c", "address-unreadable"),
        ("mail_address", "Game <game@example.org>", "address-unreadable"),
        ("imap_host", "imap example", "host-unreadable"),
        ("smtp_host", "smtp.example.org:25", "host-unreadable"),
        ("mail_name", "a\nBcc: b@example.org", "line-unreadable"),
        ("imap_folder", "x" * 201, "line-unreadable"),
        ("imap_port", "0", "bad-setting"),
        ("imap_port", "70000", "bad-setting"),
        ("press", "yes", "bad-setting"),
    ],
)
def test_a_setting_of_mail_cannot_be_so(tmp_path: Path, name: str, value: str, code: str) -> None:
    with new_desk(tmp_path) as desk:
        with pytest.raises(GameError) as caught:
            desk.set(name, value)
        assert caught.value.code == code
        assert all(load_sentences(lang).error(caught.value) for lang in LANGUAGES)


def test_the_settings_of_the_game_masters_mail_reach_no_report(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        desk.set("imap_user", "secret")
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
