"""A mailbox on a real server, as the game reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from itertools import count

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game.settings import default_settings
from alexmagnum.mail import transport
from alexmagnum.mail.transport import MOST, Found, read_account, read_mailbox
from tests.mail.dovecot import USER, Dovecot
from tests.mail.mail_desk import mail

DAY = date(2020, 1, 1)
NOON = datetime(2024, 3, 31, 12, tzinfo=UTC)
"""Past: a server takes no mail for one that is still to come."""

Mailbox = Callable[..., list[Found]]

_numbers = count(1)


@pytest.fixture
def folder() -> str:
    """Return the name of a folder that no other test uses."""
    return f"Folder {next(_numbers)}"


@pytest.fixture
def read(imap_server: Dovecot, imap_password: None, folder: str) -> Mailbox:
    """Return a function that reads the folder."""

    def read_folder(
        since: date = DAY, known: Callable[[str], bool] = lambda name: False
    ) -> list[Found]:
        return list(read_mailbox(read_account(_settings(imap_server, folder)), since, known))

    return read_folder


def _settings(server: Dovecot, folder: str = "INBOX") -> Mapping[str, str]:
    return {**default_settings(), **server.settings_of(folder)}


def test_messages_come_byte_for_byte_with_the_time_at_which_the_server_had_them(
    imap_server: Dovecot, read: Mailbox, folder: str
) -> None:
    raw = mail("A PAR - BÜR\n", Message_ID="<1@example.org>")
    imap_server.deliver(raw, at=NOON, folder=folder)

    assert read() == [Found(raw, NOON, f"imap:{USER}@127.0.0.1/{folder}")]


def test_known_messages_and_those_of_earlier_days_are_left(
    imap_server: Dovecot, read: Mailbox, folder: str
) -> None:
    old = mail("old", Message_ID="<old@example.org>")
    imap_server.deliver(old, at=datetime(2023, 5, 1, tzinfo=UTC), folder=folder)
    raws = [mail(f"{i}", Message_ID=f"<{i}@example.org>") for i in range(3)]
    imap_server.deliver(*raws, at=NOON, folder=folder)
    new = read(date(2024, 3, 31), lambda name: name == "<1@example.org>")

    assert [each.raw for each in new] == [raws[0], raws[2]]


def test_more_messages_than_one_request_asks_of(
    imap_server: Dovecot, read: Mailbox, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "_BATCH", 2)
    raws = [mail(f"{i}", Message_ID=f"<{i}@example.org>") for i in range(5)]
    imap_server.deliver(*raws, folder=folder)

    assert [each.raw for each in read(known=lambda name: name == "<3@example.org>")] == [
        *raws[:3],
        raws[4],
    ]


def test_a_message_without_a_name_is_fetched(
    imap_server: Dovecot, read: Mailbox, folder: str
) -> None:
    imap_server.deliver(mail("A PAR H"), folder=folder)

    assert len(read(known=lambda name: True)) == 1


def test_bytes_that_are_no_text_come_as_they_are(
    imap_server: Dovecot, read: Mailbox, folder: str
) -> None:
    raw = b"Subject: \xff\xfe\r\n\r\n" + bytes(range(1, 256)) * 3
    raw = raw.replace(b"\n", b"").replace(b"\r", b"\r\n")
    imap_server.deliver(raw, folder=folder)

    assert [each.raw for each in read()] == [raw]


def test_of_a_message_that_is_too_large_the_beginning_comes(
    imap_server: Dovecot, read: Mailbox, folder: str
) -> None:
    imap_server.deliver(mail("x" * 70 + "\n") + b"y" * MOST, folder=folder)

    assert [len(each.raw) for each in read()] == [MOST]


def test_nothing_is_marked(imap_server: Dovecot, read: Mailbox, folder: str) -> None:
    imap_server.deliver(mail("A PAR H"), folder=folder)
    read()

    assert [flags for flags in imap_server.flags(folder) if "Seen" in flags] == []


def test_an_empty_mailbox_has_no_messages(imap_server: Dovecot, read: Mailbox, folder: str) -> None:
    imap_server.deliver(folder=folder)

    assert read() == []


def test_a_folder_may_have_any_name(imap_server: Dovecot, imap_password: None) -> None:
    """Servers keep what is not ASCII in a spelling of their own."""
    imap_server.deliver(mail("A PAR H"), folder="Perdicca &AOg- qui.Caff&AOg-")
    account = read_account(_settings(imap_server, "Perdicca è qui.Caffè"))

    assert len(list(read_mailbox(account, DAY, lambda name: False))) == 1


def test_a_folder_that_is_not_there_is_refused_with_those_that_are(
    imap_server: Dovecot, imap_password: None
) -> None:
    account = read_account(_settings(imap_server, "Nowhere"))
    with pytest.raises(GameError, match="imap-folder") as caught:
        list(read_mailbox(account, DAY, bool))

    assert caught.value.data["folder"] == "Nowhere"
    assert "INBOX" in caught.value.data["folders"]


@pytest.mark.parametrize("secret", ["wrong", "sèsame"])
def test_a_wrong_password_is_refused_and_told_to_nobody(
    imap_server: Dovecot, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    monkeypatch.setenv("ALEXMAGNUM_IMAP_PASSWORD", secret)
    with pytest.raises(GameError, match="imap-login") as caught:
        list(read_mailbox(read_account(_settings(imap_server)), DAY, bool))

    assert caught.value.data["user"] == USER
    assert secret not in str(caught.value.data)


@pytest.mark.parametrize("scheme", ["imaps", "imap"])
def test_a_server_that_cannot_keep_secrets_is_told_none(
    imap_server: Dovecot, imap_password: None, scheme: str
) -> None:
    """A line that was to be secret is never used in the open instead."""
    settings = {**_settings(imap_server), **imap_server.settings_of(scheme=scheme)}
    with pytest.raises(GameError, match="imap-unreachable"):
        list(read_mailbox(read_account(settings), DAY, bool))
