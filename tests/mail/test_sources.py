"""Mail is found wherever it lies, whole, with the time of its receipt; nothing is changed there."""

import imaplib
import io
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import keyring
import pytest
from keyring.errors import KeyringError

from alexmagnum.errors import GameError
from alexmagnum.game.mail_store import InboxStore
from alexmagnum.game.settings import default_settings
from alexmagnum.mail import transport
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.shared_mailbox import NOTES, SharedMailbox
from alexmagnum.mail.transport import MOST, Account, Found, _message, read_account, read_mailbox
from alexmagnum.workflow.situation import read_situation
from alexmagnum.workflow.tick import run_tick
from tests.case_library import read_yaml
from tests.commands import run_command
from tests.each import check_each, check_results
from tests.game.desks import NOON, Clock
from tests.mail.dovecot import USER, Dovecot
from tests.mail.mail_desk import mail, mail_desk, reply
from tests.mail.scripted_server import DROP, SILENT, run_scripted_server

OWN = b"Received: from a by mx.example.org with ESMTPS id 7;\n\tFri, 20 Nov 2026 13:00:00 +0100\n"
OTHER = b"Received: by a; Thu, 19 Nov 2026 09:00:00 +0000\n"
PLAIN = b"From: anna@example.org\nDate: Mon, 01 Jan 2001 00:00:00 +0000\n\nA MEN - TEB\n"


def nothing(*_: str) -> bool:
    return False


def _read(place: object, stdin: bytes = b"") -> list[Found]:
    return list(transport.read_source(str(place), io.BytesIO(stdin)))


# -- files -----------------------------------------------------------------------------------------


def test_a_saved_mail_and_standard_input_are_taken_byte_for_byte(tmp_path: Path) -> None:
    """Of a huge message no more is taken than shows that it is huge."""
    raw = b"From: a@b\r\n\r\n\xff\x00 end without a line"
    (tmp_path / "one.eml").write_bytes(raw)
    (tmp_path / "huge.eml").write_bytes(PLAIN + b"x" * MOST)
    assert _read(tmp_path / "one.eml") == [Found(raw, None, "one.eml")]
    assert _read("-", PLAIN) == [Found(PLAIN, None, "-")]
    assert len(_read(tmp_path / "huge.eml")[0].raw) == MOST


def test_the_time_of_receipt_is_that_of_the_last_server() -> None:
    """Ignore the times of earlier servers and the sender's own date."""
    cases = [
        (OWN + OTHER + PLAIN, NOON),
        (PLAIN, None),
        (b"Received: nonsense\n" + PLAIN, None),
        (b"Received: by x; the other day\n" + PLAIN, None),
        (b"Received:\n" + PLAIN, None),
    ]
    check_results(transport.received_at, cases)


def test_a_folder_gives_its_eml_files_in_order(tmp_path: Path) -> None:
    for name in ("b.eml", "a.EML", "notes.txt", ".hidden.eml"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "sub.eml").mkdir()
    assert [found.raw for found in _read(tmp_path)] == [b"a.EML", b"b.eml"]


def test_a_maildir_gives_new_and_read_mail_with_its_time_of_delivery(tmp_path: Path) -> None:
    for name in ("new", "cur", "tmp"):
        (tmp_path / name).mkdir()
    assert _read(tmp_path) == []
    for name in ("new", "cur", "tmp"):
        path = tmp_path / name / f"{name}.1_2,S"
        path.write_bytes(PLAIN)
        os.utime(path, (NOON.timestamp(), NOON.timestamp()))
    before = sorted(tmp_path.rglob("*"))
    assert [(each.raw, each.received) for each in _read(tmp_path)] == [(PLAIN, NOON)] * 2
    assert sorted(tmp_path.rglob("*")) == before


def test_an_mbox_gives_every_message_with_its_time_of_delivery(tmp_path: Path) -> None:
    """A line of a text that begins with "From " begins no message, and is no quotation."""
    mbox = (
        b"From anna@example.org Fri Nov 20 12:00:00 2026\n" + PLAIN + b"\n"
        b"From \n>From bruno\nFrom: bruno@example.org\n\nA word\n\nFrom Tyre to Gaza\n>From me\n"
    )
    mbox += b"\nFrom 2026" + b" 1:00" * 100_000 + b"\nB\n" * transport.MOST  # more is not kept
    (tmp_path / "inbox").write_bytes(mbox)

    for found in (_read(tmp_path / "inbox"), _read("-", mbox)):
        assert [each.received for each in found] == [NOON, None]
        assert found[0].raw.startswith(b"From: anna")
        assert b"\nFrom Tyre to Gaza\nFrom me\n\nFrom 2026 1:00" in found[1].raw
        assert len(found[1].raw) == transport.MOST


def test_what_is_no_source_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.eml").touch()
    (tmp_path / "folder").mkdir()

    def refused(place: object) -> str:
        with pytest.raises(GameError) as caught:
            _read(place)
        return caught.value.code

    cases = [
        (tmp_path / "nowhere", "source-missing"),
        (tmp_path / "empty.eml", "source-empty"),
        (tmp_path / "folder", "source-empty"),
        ("-", "source-empty"),
    ]
    check_results(refused, cases)


# -- a mailbox on a server: how to get in, and what its answers say --------------------------------

SETTINGS = default_settings() | {
    "imap_server": "imap.example.org",
    "mail_address": "game@example.org",
}
SECRET = "ALEXMAGNUM_IMAP_PASSWORD"


class Server:
    """What a server answers, and what it was asked."""

    def __init__(self, *answers: list[Any]) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, ...]] = []
        self.untagged_responses: dict[str, list[bytes]] = {}

    def uid(self, *words: str) -> tuple[str, list[Any]]:
        self.asked.append(words)
        return "OK", self.answers.pop(0)

    def response(self, code: str) -> tuple[str, list[None]]:
        return code, [None]  # nothing is left


def test_the_password_comes_from_the_environment_or_the_keyring(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(SECRET, "secret")
    account = read_account(SETTINGS)
    monkeypatch.delenv("ALEXMAGNUM_SMTP_PASSWORD", raising=False)
    monkeypatch.setattr(keyring, "get_password", lambda service, name: f"{service} {name}")
    assert (account.user, account.port, account.password) == ("game@example.org", 993, "secret")
    assert "secret" not in repr(account)
    assert (
        transport.find_password("smtp", "gm", "smtp.example.org")
        == "alexmagnum gm@smtp.example.org"
    )


def test_a_password_of_the_environment_can_be_bound_to_its_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(SECRET, "secret")
    monkeypatch.setenv("ALEXMAGNUM_IMAP_ACCOUNT", "game@example.org@imap.example.org")
    monkeypatch.setattr(keyring, "get_password", lambda service, name: None)
    assert read_account(SETTINGS).password == "secret"
    for other in ("imap.example.com", "imaps://gm@imap.example.org"):
        with pytest.raises(GameError, match="password-missing"):
            read_account({**SETTINGS, "imap_server": other})


def test_without_a_keyring_or_a_server_it_is_said_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(SECRET, raising=False)
    monkeypatch.setattr(keyring, "get_password", Mock(side_effect=KeyringError))
    with pytest.raises(GameError, match="password-missing") as caught:
        read_account(SETTINGS)
    assert caught.value.data["variable"] == SECRET
    with pytest.raises(GameError, match="imap-unset"):
        read_account(default_settings())


@pytest.mark.parametrize("security", ["tls", "starttls", "none"])
def test_a_server_that_is_not_there_is_named(security: str) -> None:
    account = Account("127.0.0.1", 9, security, "gm", "INBOX", "secret")
    with pytest.raises(GameError, match="imap-unreachable") as caught:
        list(read_mailbox(account, NOON.date(), nothing))
    assert "secret" not in str(caught.value)


def test_known_messages_are_not_fetched_again() -> None:
    """Whether a server names the number before the field or behind it; one without an id is
    fetched."""
    server = Server(
        [
            (b"1 (UID 5 BODY[HEADER.FIELDS (MESSAGE-ID)]<0> {30}", b"Message-ID: <a@b>\r\n\r\n"),
            b")",
            (b"2 (BODY[HEADER.FIELDS (MESSAGE-ID)] {30}", b"Message-ID:\r\n <c@d>\r\n\r\n"),
            b" UID 7)",
            (b"3 (UID 8 BODY[HEADER.FIELDS (MESSAGE-ID)] {2}", b"\r\n"),
            b")",
        ]
    )

    def known(name: str, _: str) -> bool:
        return name == "<a@b>"

    account = Account("here", 993, "tls", "gm", "INBOX", "secret")
    reading = transport._Reading(account, NOON.date(), known, str)

    reading._list(server, ["5", "7", "8"])  # type: ignore[arg-type]  # a server of few words
    assert list(reading._unknown) == ["7", "8"]
    assert "PEEK" in server.asked[0][-1]


@pytest.mark.parametrize(
    ("date", "at"), [("20-Nov-2026 13:00:00 +0100", NOON), ("01-Jan-0001 00:00:00 +0000", None)]
)
def test_a_message_is_read_without_marking_it_with_its_time_of_arrival(
    date: str, at: datetime | None
) -> None:
    """A time that cannot be is left aside."""
    server = Server([(f'1 (UID 5 INTERNALDATE "{date}" BODY[]<0> {{5}}'.encode(), b"hello"), b")"])
    assert _message(server, "5", "imap:x") == (b"hello", at, "imap:x")  # type: ignore[arg-type]
    assert "PEEK" in server.asked[0][-1]


def test_a_message_is_read_whole_or_it_was_removed_or_an_error_says_so() -> None:
    """A size may be an estimate, but no mail ends within its head."""

    def told(start: int, text: bytes, size: int) -> list[Any]:
        head = f"1 (UID 5 RFC822.SIZE {size} BODY[]<{start}> {{{len(text)}}}"
        return [(head.encode(), text), b")"]

    def read(answers: list[list[Any]]) -> object:
        try:
            found = _message(Server(*answers), "5", "imap:x")  # type: ignore[arg-type]
        except imaplib.IMAP4.error:
            return "error"
        return found and found.raw

    hello, head, end = told(0, b"hello", 5), told(0, b"A: b", 99), [b'1 (UID 5 BODY[]<4> "")']
    cases: list[tuple[list[list[Any]], object]] = [
        ([[b'1 (BODY[]<0> "say \\"UID 6\\" \\\\" UID 5)']], b'say "UID 6" \\'),
        ([[b"2 (UID 7 FLAGS ())", *hello]], b"hello"),
        ([told(0, b"hel", 5), told(3, b"lo", 5)], b"hello"),
        ([told(0, b"\n\nhi", 99), end], b"\n\nhi"),
        ([head, end], "error"),
        ([head, head], "error"),
        ([told(0, b"\n\nhi", 99), [None]], "error"),
        ([[None], [b"5"]], "error"),
        ([[None], [b"6 7"]], None),
        ([[b"1 (UID 5 BODY[]<0> NIL)"], [b""]], None),
        ([[(b"1 (UID 5", b""), *[(b" Z {0}", b"")] * 2_000, b")"]], "error"),  # costs its square
    ]
    check_results(read, cases)


def test_what_a_server_says_is_one_line() -> None:
    error = SimpleNamespace(command_result=("NO", [b"bad\r\n\x1b[2Jthing"]))
    assert transport.describe_error(error) == "bad [2Jthing"  # type: ignore[arg-type]


def test_a_password_goes_over_no_open_line_but_on_this_computer_where_nobody_listens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(SECRET, "secret")
    for host in ("imap.example.org", "192.0.2.7"):
        with pytest.raises(GameError, match="imap-open-line"):
            read_account({**SETTINGS, "imap_server": f"imap-open://{host}"})
    for host in ("localhost", "127.0.0.1", "[::1]"):
        assert read_account({**SETTINGS, "imap_server": f"imap-open://{host}"}).host == host


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

    def read_folder(since: date = DAY, known: Any = nothing) -> list[Found]:
        return list(read_mailbox(read_account(_settings(imap_server, folder)), since, known))

    return read_folder


def _settings(server: Dovecot, folder: str = "INBOX") -> Mapping[str, str]:
    return {**default_settings(), **server.settings_of(folder)}


def test_messages_come_byte_for_byte_with_their_time_and_nothing_is_marked(
    imap_server: Dovecot, read: Mailbox, folder: str
) -> None:
    """Also bytes that are no text; of a message that is too large the beginning comes."""
    imap_server.deliver(folder=folder)
    assert read() == []
    raw = mail("A PAR - BÜR\n", Message_ID="<1@example.org>")
    no_text = b"Subject: \xff\xfe\r\n\r\n" + bytes(range(1, 256)) * 3
    no_text = no_text.replace(b"\n", b"").replace(b"\r", b"\r\n")
    huge = mail("x" * 70 + "\n") + b"y" * MOST
    imap_server.deliver(raw, no_text, huge, at=PAST_NOON, folder=folder)
    found = read()
    assert [each.raw for each in found] == [raw, no_text, huge[:MOST]]
    assert {each.received for each in found} == {PAST_NOON}
    assert all(each.origin.startswith(f"imap:{USER}@127.0.0.1/{folder} ") for each in found)
    assert [flags for flags in imap_server.flags(folder) if "Seen" in flags] == []


def test_known_messages_and_those_of_earlier_days_are_left(
    imap_server: Dovecot, read: Mailbox, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are more than one request asks of; one without a name is fetched."""
    monkeypatch.setattr(transport, "_BATCH", 2)
    old = mail("old", Message_ID="<old@example.org>", Date="Mon, 1 May 2023 10:00:00 +0000")
    imap_server.deliver(old, at=datetime(2023, 5, 1, tzinfo=UTC), folder=folder)
    raws = [mail(f"{i}", Message_ID=f"<{i}@example.org>") for i in range(5)]
    nameless = mail("A PAR H")
    imap_server.deliver(*raws, nameless, at=PAST_NOON, folder=folder)
    new = read(date(2024, 3, 31), lambda name, _: name == "<3@example.org>")
    assert [each.raw for each in new] == [*raws[:3], raws[4], nameless]


@pytest.mark.parametrize("shared", [False, True])
def test_the_first_mail_comes_and_one_behind_another_whatever_its_day(
    imap_server: Dovecot, imap_password: None, folder: str, tmp_path: Path, shared: bool
) -> None:
    """A server whose clock was reset gives mails a day long past; somebody empties the mailbox."""
    with mail_desk(tmp_path / "g", settings=dict(imap_server.settings_of(folder))) as desk:
        both = SharedMailbox(tmp_path, {"g": desk})
        for number, year in enumerate((2020, 2026, 2020)):
            raw = reply(desk, "France", f"{number}")
            imap_server.deliver(raw, at=desk.now().replace(year=year), folder=folder)
            for _ in range(2):
                if shared:
                    both.fetch(read_account(desk.settings))
                else:
                    list(Inbox(desk).fetch_from((), io.BytesIO()))
                imap_server.clear(folder)
        assert InboxStore(desk.file).find_last_number() == 3


def test_mails_without_a_name_and_copies_of_others_are_fetched_once(
    tmp_path: Path, imap_password: None
) -> None:
    """Else a stranger could send so many that no tick comes to the end of the mailbox."""
    named = mail("A PAR H", Message_ID="<1@example.org>")
    long = mail("hi", Message_ID=f"<{'x' * 990}@x>")
    mails = [mail("hello", Date=""), mail("hello", Date=""), named, named, long, mail("bye")]
    with (
        run_scripted_server({}, mails) as server,
        mail_desk(tmp_path / "g", settings=dict(server.settings)) as desk,
        mail_desk(tmp_path / "h") as other,  # with another mailbox
    ):
        alone, shared = Inbox(desk), SharedMailbox(tmp_path, {"g": desk})
        account = read_account(desk.settings)
        for fetch in (lambda: [*alone.fetch_from((), io.BytesIO())], lambda: shared.fetch(account)):
            fetch()
            SharedMailbox(tmp_path, {"h": other}).fetch(replace(account, folder="Other"))
            asked = len(server.fetched)
            fetch()
            assert server.fetched[asked:] == []
            assert set(server.fetched) == {1, 2, 3, 4, 5, 6}
        # The one with that Message-ID went, and another came under it.
        server.mails = [mails[0]] * 6 + [named + b"A MAR H"]
        [*alone.fetch_from((), io.BytesIO())]
        shared.fetch(account)
        assert server.fetched[asked:] == [7, 7]
        second = InboxStore(desk.file).find_all("waiting")[-1]
        assert "waits-same-id" in [why.code for why in second.why]
        # The mailbox was put back from a copy, and its numbers go to other mails.
        server.mails, asked = [mail("hi", Message_ID="<9@x>"), named], len(server.fetched)
        [*alone.fetch_from((), io.BytesIO())]
        shared.fetch(account)
        assert server.fetched[asked:] == [1, 1]
        server.mails = []
        assert [*alone.fetch_from((), io.BytesIO())] == []
        shared.fetch(account)
        # The last place that was read never rises over a mail that the server does not show.
        server.mails, server.hidden = mails, {("FETCH", 1): "NO x"}
        with pytest.raises(GameError, match="imap-withheld"):
            shared.fetch(account)
        keys = (tmp_path / NOTES).read_text()
        assert keys.count(transport.BEHIND) == keys.count(f"{account.origin} ") > 0


def test_a_folder_may_have_any_name_and_one_that_is_not_there_is_refused_with_those_that_are(
    imap_server: Dovecot, imap_password: None
) -> None:
    """Servers keep what is not ASCII in a spelling of their own."""
    imap_server.deliver(mail("A PAR H"), folder="Perdicca &AOg- qui.Caff&AOg-")
    account = read_account(_settings(imap_server, "Perdicca è qui.Caffè"))
    assert len(list(read_mailbox(account, DAY, nothing))) == 1
    with pytest.raises(GameError, match="imap-folder") as caught:
        list(read_mailbox(read_account(_settings(imap_server, "Nowhere")), DAY, nothing))
    assert caught.value.data["folder"] == "Nowhere"
    assert "INBOX" in caught.value.data["folders"]


@pytest.mark.parametrize("secret", ["wrong", "sèsame"])
def test_a_wrong_password_is_refused_and_told_to_nobody(
    imap_server: Dovecot, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    monkeypatch.setenv(SECRET, secret)
    with pytest.raises(GameError, match="imap-login") as caught:
        list(read_mailbox(read_account(_settings(imap_server)), DAY, nothing))
    assert caught.value.data["user"] == USER
    assert secret not in str(caught.value.data)


@pytest.mark.parametrize("scheme", ["imaps", "imap"])
def test_a_server_that_cannot_keep_secrets_is_told_none(
    imap_server: Dovecot, imap_password: None, scheme: str
) -> None:
    """A line that was to be secret is never used in the open instead."""
    settings = {**_settings(imap_server), **imap_server.settings_of(scheme=scheme)}
    with pytest.raises(GameError, match="imap-unreachable"):
        list(read_mailbox(read_account(settings), DAY, nothing))


# -- a server that fails ---------------------------------------------------------------------------

STEPS = ("greeting", "CAPABILITY", "LOGIN", "EXAMINE", "SEARCH", "FETCH")
REFUSALS = ("NO x", "BAD x")
REFUSED = [(step, fault) for step in STEPS[2:] for fault in REFUSALS]
FAULTS = (DROP, f"* BYE x {DROP}", SILENT, "* OK x drip", "* OK x flood")
BROKEN = [(step, fault) for step in STEPS for fault in FAULTS]
AGAIN = [("HEADS", fault, 0) for fault in (*REFUSALS, *FAULTS)]
DATA = read_yaml(Path(__file__).with_name("sources.yaml"))
WITHHELD = DATA["withheld"]
MAILS = [b"Message-ID: <a@b>\r\n\r\nA PAR H", b"Message-ID: <c@d>\r\n\r\nA VEN H"]


def test_a_mailbox_is_read_to_its_end_or_an_error_says_that_it_was_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the server says after the last mail does not matter."""
    monkeypatch.setenv(SECRET, "secret")
    monkeypatch.setattr("alexmagnum.mail.transport._ANSWER", 1 << 16)
    monkeypatch.setattr("alexmagnum.mail.transport._MOST_LISTED", 2)
    monkeypatch.setattr("alexmagnum.mail.transport.TIMEOUT", 2.0)  # for servers that are well

    def read(step: str, fault: str, tries: int = 1) -> None:
        with run_scripted_server({step: fault}, MAILS) as server:
            account = read_account({**SETTINGS, **server.settings})
            with monkeypatch.context() as hurried:
                hurried.setattr("alexmagnum.mail.transport.TIMEOUT", 0.1)
                while tries and step in server.faults:  # on a busy machine it is late for a step
                    with pytest.raises(GameError, match="imap-"):
                        list(read_mailbox(account, DAY, nothing))
            assert [each.raw for each in list(read_mailbox(account, DAY, nothing))] == MAILS

    ended = [("LOGOUT", "BAD x", 0), ("LOGOUT", DROP, 0)]
    check_each([*REFUSED, *BROKEN, *WITHHELD, *AGAIN, *ended], read)


def test_a_mail_that_the_server_does_not_show_is_named_and_keeps_no_other_one_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither the last place nor the last day rises over it, so that it is asked for again."""
    monkeypatch.setenv(SECRET, "secret")
    mails = [MAILS[0], b"Message-ID: <lost@b>\r\n\r\n", b"\r\nA VEN H", MAILS[1]]

    def read(step: str, answer: str, title: str) -> None:
        with run_scripted_server({}, mails) as server:
            server.hidden = {("FETCH", 2): "NO x", (step, 2): answer}
            account = read_account({**SETTINGS, **server.settings})
            reading = read_mailbox(account, DAY, lambda name, place: False)
            found = [next(reading) for _ in range(3)]
            with pytest.raises(GameError) as caught:
                next(reading)
        assert [each.raw for each in found] == [mails[0], *mails[2:]]
        assert [each.origin.startswith(transport.IMAP) for each in found] == [True, False, False]
        assert caught.value.code == "imap-withheld"
        assert caught.value.data["mails"].startswith(f"{title} (")

    bye = f"* BYE x {DROP}"
    shown = [("FETCH", answer, "<lost@b>") for answer in ("NO x", bye, DROP, "OK done")]
    check_each([*shown, ("HEADS", "NO x", "UID 2"), ("HEADS", bye, "UID 2")], read)


def test_a_connection_that_lasts_too_long_is_asked_nothing_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(SECRET, "secret")
    monkeypatch.setattr("alexmagnum.mail.transport._CONVERSATION", -1)
    with run_scripted_server({}, MAILS) as server, pytest.raises(GameError, match="too long"):
        list(read_mailbox(read_account({**SETTINGS, **server.settings}), DAY, nothing))


def test_no_phase_is_resolved_before_the_mailbox_was_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next tick reads the rest; the status and a letter to the game master say so meanwhile."""
    monkeypatch.setenv(SECRET, "secret")
    clock, settings = Clock(), {"gm_address": "gm@example.org", "pictures": "no"}
    with mail_desk(tmp_path, settings=settings, now=clock) as desk:
        mails = [reply(desk, "France", "A PAR - BUR"), reply(desk, "Italy", "A VEN H")]
        clock.pass_by(days=9)
        with run_scripted_server({}, mails) as server:
            server.hidden = {("FETCH", 1): "NO not now"}
            for name, value in {**server.settings, "missing": "hold"}.items():
                desk.set(name, value)
            assert run_tick(desk, (), io.BytesIO(), processes=True).told
            assert [error.data["mails"] for error in read_situation(desk).failures] == [
                "UID 1 (not now)"
            ]
            assert "not now" in run_command("status", cwd=tmp_path).out
            assert "--anyway" in run_command("process", "1901-spring", cwd=tmp_path, status=1).err
            saved = tmp_path / "saved.eml"  # it was read in place of the mailbox (a tenth attack)
            saved.write_bytes(reply(desk, "France", "STATUS", Message_ID="<saved@x>"))
            run_tick(desk, [str(saved)], io.BytesIO(), processes=True)
            assert str(desk.phase) == "1901-spring"
            for power in ("France", "Italy", "Turkey"):
                desk.vote(power, "draw")
            assert "draw" in run_command("process", "1901-spring", cwd=tmp_path, status=1).err
            desk.withdraw_vote("France", "draw")
            run_tick(desk, (), io.BytesIO(), processes=True)
            assert (str(desk.phase), server.fetched.count(2)) == ("1901-spring", 1)
            assert desk.pending(reason="test")["Italy"] == ("A VEN H",)

            server.hidden = {}
            done = run_tick(desk, (), io.BytesIO(), processes=True)
        assert (done.failures, read_situation(desk).failures) == ([], ())
        assert desk.processed("1901-spring").orders["France"] == ("A PAR - BUR",)
