"""Reading a mailbox on a server: how to get in, and what its answers say."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import keyring
import pytest
from keyring.errors import KeyringError

from alexmagnum.errors import GameError
from alexmagnum.game.settings import default_settings
from alexmagnum.mail.transport import (
    Account,
    _list_unknown,
    _message,
    describe_error,
    find_password,
    read_account,
    read_mailbox,
)

SETTINGS = default_settings() | {
    "imap_server": "imap.example.org",
    "mail_address": "game@example.org",
}


class Server:
    """What a server answers, and what it was asked."""

    def __init__(self, *answers: list[Any]) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, ...]] = []

    def uid(self, *words: str) -> tuple[str, list[Any]]:
        self.asked.append(words)
        return "OK", self.answers.pop(0)


def test_the_password_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALEXMAGNUM_IMAP_PASSWORD", "secret")
    account = read_account(SETTINGS)

    assert (account.user, account.port, account.password) == ("game@example.org", 993, "secret")
    assert "secret" not in repr(account)


def test_else_from_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALEXMAGNUM_SMTP_PASSWORD", raising=False)
    monkeypatch.setattr(keyring, "get_password", lambda service, name: f"{service} {name}")

    assert find_password("smtp", "gm", "smtp.example.org") == "alexmagnum gm@smtp.example.org"


def test_a_computer_without_a_keyring_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(service: str, name: str) -> str:
        raise KeyringError

    monkeypatch.delenv("ALEXMAGNUM_IMAP_PASSWORD", raising=False)
    monkeypatch.setattr(keyring, "get_password", none)
    with pytest.raises(GameError, match="password-missing") as caught:
        read_account(SETTINGS)
    assert caught.value.data["variable"] == "ALEXMAGNUM_IMAP_PASSWORD"


def test_a_game_without_a_server_says_so() -> None:
    with pytest.raises(GameError, match="imap-unset"):
        read_account(default_settings())


@pytest.mark.parametrize("security", ["tls", "starttls", "none"])
def test_a_server_that_is_not_there_is_named(security: str) -> None:
    account = Account("127.0.0.1", 9, security, "gm", "INBOX", "secret")
    with pytest.raises(GameError, match="imap-unreachable") as caught:
        list(read_mailbox(account, datetime(2026, 11, 20, tzinfo=UTC).date(), bool))
    assert "secret" not in str(caught.value)


def test_known_messages_are_not_fetched_again() -> None:
    """Whether a server names the number before the field or behind it; one without an id is
    fetched."""
    server = Server(
        [
            (b"1 (UID 5 BODY[HEADER.FIELDS (MESSAGE-ID)] {30}", b"Message-ID: <a@b>\r\n\r\n"),
            b")",
            (b"2 (BODY[HEADER.FIELDS (MESSAGE-ID)] {30}", b"Message-ID:\r\n <c@d>\r\n\r\n"),
            b" UID 7)",
            (b"3 (UID 8 BODY[HEADER.FIELDS (MESSAGE-ID)] {2}", b"\r\n"),
            b")",
        ]
    )
    known = {"<a@b>"}.__contains__

    assert list(_list_unknown(server, ["5", "7", "8"], known)) == ["7", "8"]  # type: ignore[arg-type]
    assert "PEEK" in server.asked[0][-1]


def test_a_message_is_read_without_marking_it_with_its_time_of_arrival() -> None:
    head = b'1 (UID 5 INTERNALDATE "20-Nov-2026 13:00:00 +0100" BODY[]<0> {5}'
    server = Server([(head, b"hello"), b")"])
    found = _message(server, "5", "imap:x")  # type: ignore[arg-type]

    assert found == (b"hello", datetime(2026, 11, 20, 12, tzinfo=UTC), "imap:x")
    assert "PEEK" in server.asked[0][-1]


def test_a_message_that_has_gone_is_none() -> None:
    assert _message(Server([None]), "5", "imap:x") is None  # type: ignore[arg-type]


def test_what_a_server_says_is_one_line() -> None:
    error = SimpleNamespace(command_result=("NO", [b"bad\r\n\x1b[2Jthing"]))

    assert describe_error(error) == "bad [2Jthing"  # type: ignore[arg-type]


@pytest.mark.parametrize("host", ["imap.example.org", "192.0.2.7"])
def test_a_password_never_goes_over_an_open_line(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("ALEXMAGNUM_IMAP_PASSWORD", "secret")
    with pytest.raises(GameError, match="imap-open-line"):
        read_account({**SETTINGS, "imap_server": f"imap-open://{host}"})


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_but_on_this_computer_nobody_listens(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("ALEXMAGNUM_IMAP_PASSWORD", "secret")
    account = read_account({**SETTINGS, "imap_server": f"imap-open://{host}"})

    assert account.host == host
