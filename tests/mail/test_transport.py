"""The three ways out, and what each says when it goes wrong."""

from __future__ import annotations

import smtplib
import ssl
import sys
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
import trustme

from alexmagnum.game.letters import DRAFT, SENT, UNCERTAIN
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import Delivery, send
from alexmagnum.mail.transport import SENDMAIL, NotSent, SmtpCarrier
from tests.mail.smtp_server import (
    PASSWORD,
    USER,
    SmtpServer,
    check_login,
    desk_with_address,
    draft_letter,
    parse_mail,
    run_smtp_server,
)

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH")

SECRET = "ALEXMAGNUM_SMTP_PASSWORD"


def _deliver(folder: Path, settings: Mapping[str, str], *powers: str) -> list[Delivery]:
    with desk_with_address(folder / "g", settings) as desk:
        for power in powers or ("Austria",):
            draft_letter(desk, power)
        return list(send(Outbox(desk)))


def _code(delivery: Delivery) -> str:
    return delivery.problem.code if delivery.problem else ""


# -- SMTP ------------------------------------------------------------------------------------------


def test_each_player_gets_one_mail_of_his_own(tmp_path: Path) -> None:
    with run_smtp_server() as post:
        _deliver(tmp_path, {**post.settings}, "Austria", "England", "France")

    assert post.readers == ["anna@example.org", "bruno@example.org", "zoe@example.org"]
    assert all(envelope.mail_from == "game@example.net" for envelope in post.taken)
    for message, reader in zip(post.messages, post.readers, strict=True):
        assert [a.addr_spec for a in message["To"].addresses] == [reader]
        others = set(post.readers) - {reader}
        assert not any(other in message.as_string() for other in others)


def test_a_line_with_a_dot_arrives(tmp_path: Path) -> None:
    with run_smtp_server() as post, desk_with_address(tmp_path / "g", post.settings) as desk:
        draft_letter(desk, text=".\n..two\nend\n")
        list(send(Outbox(desk)))

    assert post.messages[0].get_content().split() == [".", "..two", "end"]


@pytest.mark.parametrize("command", ["RCPT", "DATA"])
def test_what_is_refused_for_now_stays_and_the_others_go(tmp_path: Path, command: str) -> None:
    with run_smtp_server() as post:
        post.answers[command, "anna@example.org"] = "451 come back later"
        first, second = _deliver(tmp_path, {**post.settings}, "Austria", "England")

    assert (first.state, _code(first)) == (DRAFT, "mail-later")
    assert first.problem is not None
    assert first.problem.data["why"] == "451 come back later"
    assert second.state == SENT


@pytest.mark.parametrize("command", ["RCPT", "DATA"])
def test_what_is_refused_for_good_stays_and_says_so(tmp_path: Path, command: str) -> None:
    with run_smtp_server() as post:
        post.answers[command, "anna@example.org"] = "550 no such user"
        first, second = _deliver(tmp_path, {**post.settings}, "Austria", "England")

    assert (first.state, _code(first)) == (DRAFT, "mail-refused")
    assert second.state == SENT


def test_attempts_are_counted_and_the_error_is_kept(tmp_path: Path) -> None:
    with run_smtp_server() as post, desk_with_address(tmp_path / "g", post.settings) as desk:
        post.answers["RCPT", "anna@example.org"] = "451 later"
        box = Outbox(desk)
        number = draft_letter(desk)
        list(send(box))
        list(send(box))
        waiting = box.find(number)
        assert (waiting.attempts, waiting.problem and waiting.problem.code) == (2, "mail-later")
        post.answers.clear()
        list(send(box))

        assert (box.find(number).attempts, box.find(number).problem) == (3, None)


def test_no_answer_to_the_mail_itself_leaves_it_uncertain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alexmagnum.mail.transport.LAST_WORD", 0.3)
    with run_smtp_server() as post:
        post.on_data = lambda envelope: time.sleep(1)
        (delivery,) = _deliver(tmp_path, {**post.settings})

    assert (delivery.state, _code(delivery)) == (UNCERTAIN, "mail-unsure")


@pytest.mark.parametrize("word", ["354 more?", "hello there"])
def test_a_strange_answer_to_the_mail_itself_leaves_it_uncertain(tmp_path: Path, word: str) -> None:
    """It may have been taken: sent again, it would come twice."""
    with run_smtp_server() as post:
        post.answers["DATA", "anna@example.org"] = word
        first, second = _deliver(tmp_path, {**post.settings}, "Austria", "England")

    assert (first.state, _code(first)) == (UNCERTAIN, "mail-unsure")
    assert second.state == SENT


def test_a_line_that_breaks_before_the_final_dot_leaves_a_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No server takes a mail that has no end."""
    real = smtplib.SMTP.send

    def send_some(server: smtplib.SMTP, data: bytes | str) -> None:
        if len(data) > 200:
            server.close()
        real(server, data)

    monkeypatch.setattr(smtplib.SMTP, "send", send_some)
    with run_smtp_server() as post:
        (delivery,) = _deliver(tmp_path, {**post.settings})

    assert (delivery.state, _code(delivery)) == (DRAFT, "mail-later")
    assert post.taken == []


def test_a_mail_whose_last_line_is_not_closed_ends_all_the_same() -> None:
    with run_smtp_server() as post:
        carrier = SmtpCarrier({**post.settings, "mail_address": USER})
        carrier.carry("x", b"Subject: x\r\n\r\nopen", USER, "anna@example.org", lambda: None)
        carrier.close()

    assert post.taken[0].original_content == b"Subject: x\r\n\r\nopen\r\n"


def test_a_server_that_wants_a_password_first_keeps_every_mail(tmp_path: Path) -> None:
    """None was refused for what is in it: the next tick tries again."""
    with run_smtp_server() as post:
        post.answers["RCPT", "anna@example.org"] = "530 5.7.0 Authentication required"
        delivered = _deliver(tmp_path, {**post.settings}, "Austria", "England")

    assert [(d.state, _code(d)) for d in delivered] == [(DRAFT, "mail-no-login")]


def test_without_a_server_nothing_is_tried_twice(tmp_path: Path) -> None:
    with run_smtp_server() as post:
        settings = dict(post.settings)
    delivered = _deliver(tmp_path, settings, "Austria", "England")

    assert [(d.state, _code(d)) for d in delivered] == [(DRAFT, "mail-no-server")]


def test_a_password_opens_the_door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET, PASSWORD)
    with _guarded() as post:
        (delivery,) = _deliver(tmp_path, post.settings_of(USER))

    assert delivery.state == SENT


def _guarded() -> AbstractContextManager[SmtpServer]:
    return run_smtp_server(authenticator=check_login, auth_required=True, auth_require_tls=False)


def test_a_wrong_password_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET, "wrong")
    with _guarded() as post:
        (delivery,) = _deliver(tmp_path, post.settings_of(USER))

    assert (delivery.state, _code(delivery)) == (DRAFT, "mail-no-login")
    assert "wrong" not in str(delivery.problem)


def test_a_missing_password_is_told_with_where_to_put_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SECRET, raising=False)
    monkeypatch.setattr("alexmagnum.mail.transport.find_password", lambda *_: "")
    with _guarded() as post:
        (delivery,) = _deliver(tmp_path, post.settings_of(USER))

    assert delivery.problem is not None
    assert (_code(delivery), delivery.problem.data["variable"]) == ("password-missing", SECRET)


def test_a_password_never_goes_over_an_open_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """But on this computer itself, where nobody listens."""
    monkeypatch.setenv(SECRET, PASSWORD)
    monkeypatch.setattr("alexmagnum.mail.transport.is_local_host", lambda host: False)
    with _guarded() as post:
        settings = {**post.settings_of(USER), "mail_address": USER}
        with pytest.raises(NotSent) as refused:
            SmtpCarrier(settings).carry("x", b"x", "a@b.org", "c@d.org", lambda: None)

    assert refused.value.code == "mail-open-line"


def test_a_transport_without_a_host_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotSent, match="mail-no-host"):
        _deliver(tmp_path, {"transport": "smtp"})


# -- secret lines ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def server_side(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    return context


def _trust(authority: trustme.CA, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(folder / "ca.pem"))


def _secret(post: SmtpServer, scheme: str) -> dict[str, str]:
    return {**post.settings_of(scheme=scheme, host="localhost")}


def test_starttls_is_used(
    tmp_path: Path,
    authority: trustme.CA,
    server_side: ssl.SSLContext,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _trust(authority, tmp_path, monkeypatch)
    with run_smtp_server(tls_context=server_side, require_starttls=True) as post:
        (delivery,) = _deliver(tmp_path, _secret(post, "smtp"))

    assert delivery.state == SENT


def test_tls_is_used(
    tmp_path: Path,
    authority: trustme.CA,
    server_side: ssl.SSLContext,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _trust(authority, tmp_path, monkeypatch)
    with run_smtp_server(ssl_context=server_side) as post:
        (delivery,) = _deliver(tmp_path, _secret(post, "smtps"))

    assert delivery.state == SENT


def test_a_server_that_cannot_show_who_it_is_gets_nothing(
    tmp_path: Path, server_side: ssl.SSLContext
) -> None:
    with run_smtp_server(tls_context=server_side, require_starttls=True) as post:
        (delivery,) = _deliver(tmp_path, _secret(post, "smtp"))

    assert (delivery.state, _code(delivery)) == (DRAFT, "mail-no-server")
    assert post.taken == []


def test_a_server_without_starttls_gets_nothing(tmp_path: Path) -> None:
    """Somebody on the line may have struck it out."""
    with run_smtp_server() as post:
        (delivery,) = _deliver(tmp_path, _secret(post, "smtp"))

    assert (_code(delivery), post.taken) == ("mail-no-server", [])


# -- files -----------------------------------------------------------------------------------------


def test_files_are_left_for_another_program(tmp_path: Path) -> None:
    _deliver(tmp_path, {}, "Austria", "England")
    left = sorted((tmp_path / "g" / "outbox").iterdir())
    messages = [parse_mail(path.read_bytes()) for path in left]

    assert [p.name for p in left] == ["0001-note-Austria.eml", "0002-note-England.eml"]
    assert all(message["X-Unsent"] == "1" for message in messages)
    assert messages[0]["To"].addresses[0].addr_spec == "anna@example.org"


def test_a_folder_that_cannot_be_written_leaves_the_draft(tmp_path: Path) -> None:
    (tmp_path / "g").mkdir()
    (tmp_path / "g" / "outbox").write_text("in the way", encoding="utf-8")
    (delivery,) = _deliver(tmp_path, {})

    assert (delivery.state, _code(delivery)) == (DRAFT, "mail-later")


# -- sendmail --------------------------------------------------------------------------------------

posix = pytest.mark.skipif(sys.platform == "win32", reason="a shell script")


def _program(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    program = folder / "sendmail"
    program.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv(SENDMAIL, str(program))


@posix
def test_sendmail_gets_the_mail_and_who_it_is_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _program(tmp_path, monkeypatch, f'echo "$@" > {tmp_path}/args; cat > {tmp_path}/mail')
    (delivery,) = _deliver(tmp_path, {"transport": "sendmail"})

    assert delivery.state == SENT
    arguments = (tmp_path / "args").read_text(encoding="utf-8").strip()
    assert arguments == "-i -f game@example.net -- anna@example.org"
    data = (tmp_path / "mail").read_bytes()
    assert b"\r" not in data
    assert parse_mail(data).get_content() == "Hello\n"


@posix
@pytest.mark.parametrize(("status", "code"), [(75, "mail-later"), (67, "mail-refused")])
def test_what_sendmail_says_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, code: str
) -> None:
    _program(tmp_path, monkeypatch, f"cat > /dev/null; echo 'user \033[2J?' >&2; exit {status}")
    (delivery,) = _deliver(tmp_path, {"transport": "sendmail"})

    assert (delivery.state, _code(delivery)) == (DRAFT, code)
    assert delivery.problem is not None
    assert delivery.problem.data["why"] == "sendmail: user [2J?"


@posix
def test_a_sendmail_that_was_killed_leaves_it_uncertain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have queued the mail before."""
    _program(tmp_path, monkeypatch, "cat > /dev/null; kill -9 $$")
    (delivery,) = _deliver(tmp_path, {"transport": "sendmail"})

    assert (delivery.state, _code(delivery)) == (UNCERTAIN, "mail-unsure")


@posix
def test_a_sendmail_that_cannot_be_run_leaves_drafts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "sendmail"
    program.write_text("#!/no/such/shell\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv(SENDMAIL, str(program))
    delivered = _deliver(tmp_path, {"transport": "sendmail"}, "Austria", "England")

    assert [(d.state, _code(d)) for d in delivered] == [(DRAFT, "mail-no-way")]


def test_a_computer_without_sendmail_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SENDMAIL, "no-such-program")
    with pytest.raises(NotSent, match="mail-no-way"):
        _deliver(tmp_path, {"transport": "sendmail"})
