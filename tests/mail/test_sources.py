"""Mail is found wherever it lies, whole, with the time of its receipt; nothing is changed there."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import keyring
import pytest
from keyring.errors import KeyringError

from alexmagnum.errors import GameError
from alexmagnum.game.settings import default_settings
from alexmagnum.mail import transport
from alexmagnum.mail.transport import (
    MOST,
    Account,
    Found,
    _list_unknown,
    _message,
    describe_error,
    find_password,
    read_account,
    read_mailbox,
    read_source,
    received_at,
)
from tests.mail.dovecot import USER, Dovecot
from tests.mail.mail_desk import mail

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)

OWN = b"Received: from a by mx.example.org with ESMTPS id 7;\n\tFri, 20 Nov 2026 13:00:00 +0100\n"
OTHER = b"Received: by a; Thu, 19 Nov 2026 09:00:00 +0000\n"
PLAIN = b"From: anna@example.org\nDate: Mon, 01 Jan 2001 00:00:00 +0000\n\nA MEN - TEB\n"


def _read(place: object, stdin: bytes = b"") -> list[Found]:
    return list(read_source(str(place), io.BytesIO(stdin)))


def _refused(place: object, stdin: bytes = b"") -> str:
    with pytest.raises(GameError) as caught:
        _read(place, stdin)
    return caught.value.code


def test_a_saved_mail_is_taken_byte_for_byte(tmp_path: Path) -> None:
    raw = b"From: a@b\r\n\r\n\xff\x00 end without a line"
    (tmp_path / "one.eml").write_bytes(raw)

    assert _read(tmp_path / "one.eml") == [Found(raw, None, "one.eml")]


def test_the_time_of_receipt_is_that_of_the_last_server() -> None:
    """Ignore the times of earlier servers and the sender's own date."""
    assert received_at(OWN + OTHER + PLAIN) == NOON
    assert received_at(PLAIN) is None


@pytest.mark.parametrize(
    "field", [b"Received: nonsense\n", b"Received: by x; the other day\n", b"Received:\n"]
)
def test_an_unreadable_time_of_receipt_is_none(field: bytes) -> None:
    assert received_at(field + PLAIN) is None


def test_a_folder_gives_its_eml_files_in_order(tmp_path: Path) -> None:
    for name in ("b.eml", "a.EML", "notes.txt", ".hidden.eml"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "sub.eml").mkdir()

    assert [found.raw for found in _read(tmp_path)] == [b"a.EML", b"b.eml"]


def test_a_maildir_gives_new_and_read_mail_with_its_time_of_delivery(tmp_path: Path) -> None:
    for name in ("new", "cur", "tmp"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.1:2,S".replace(":", "_")).write_bytes(PLAIN)
        os.utime(tmp_path / name / f"{name}.1_2,S", (NOON.timestamp(), NOON.timestamp()))
    before = sorted(tmp_path.rglob("*"))
    found = _read(tmp_path)

    assert [(each.raw, each.received) for each in found] == [(PLAIN, NOON)] * 2
    assert sorted(tmp_path.rglob("*")) == before


def test_an_empty_maildir_has_no_mail(tmp_path: Path) -> None:
    for name in ("new", "cur", "tmp"):
        (tmp_path / name).mkdir()

    assert _read(tmp_path) == []


MBOX = (
    b"From anna@example.org Fri Nov 20 12:00:00 2026\n" + PLAIN + b"\n"
    b"From bruno@example.org Fri Nov 20 12:00:00 2026\n"
    b"From: bruno@example.org\n\nA word\nFrom Tyre to Gaza\nB\n"
)


@pytest.mark.parametrize("by_stdin", [False, True])
def test_an_mbox_gives_every_message_with_its_time_of_delivery(
    tmp_path: Path, by_stdin: bool
) -> None:
    """A line that begins with "From " inside a paragraph begins no message."""
    (tmp_path / "inbox").write_bytes(MBOX)
    found = _read("-", MBOX) if by_stdin else _read(tmp_path / "inbox")

    assert [each.received for each in found] == [NOON, NOON]
    assert found[0].raw.startswith(b"From: anna")
    assert found[1].raw.endswith(b"From Tyre to Gaza\nB\n")


def test_standard_input_is_one_message() -> None:
    assert _read("-", PLAIN) == [Found(PLAIN, None, "-")]


def test_of_a_huge_message_no_more_is_taken_than_shows_that_it_is(tmp_path: Path) -> None:
    (tmp_path / "huge.eml").write_bytes(PLAIN + b"x" * MOST)

    assert len(_read(tmp_path / "huge.eml")[0].raw) == MOST


def test_what_is_no_source_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.eml").touch()
    (tmp_path / "folder").mkdir()

    assert _refused(tmp_path / "nowhere") == "source-missing"
    assert _refused(tmp_path / "empty.eml") == "source-empty"
    assert _refused(tmp_path / "folder") == "source-empty"
    assert _refused("-") == "source-empty"


# -- a mailbox on a server: how to get in, and what its answers say --------------------------------

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


# -- a mailbox on a real server, as the game reads it ----------------------------------------------

DAY = date(2020, 1, 1)
PAST_NOON = datetime(2024, 3, 31, 12, tzinfo=UTC)
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
    imap_server.deliver(raw, at=PAST_NOON, folder=folder)

    assert read() == [Found(raw, PAST_NOON, f"imap:{USER}@127.0.0.1/{folder}")]


def test_known_messages_and_those_of_earlier_days_are_left(
    imap_server: Dovecot, read: Mailbox, folder: str
) -> None:
    old = mail("old", Message_ID="<old@example.org>")
    imap_server.deliver(old, at=datetime(2023, 5, 1, tzinfo=UTC), folder=folder)
    raws = [mail(f"{i}", Message_ID=f"<{i}@example.org>") for i in range(3)]
    imap_server.deliver(*raws, at=PAST_NOON, folder=folder)
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
