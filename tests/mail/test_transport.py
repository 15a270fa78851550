"""The three ways out, and what each says when it goes wrong."""

from __future__ import annotations

import smtplib
import ssl
import sys
import time
from collections.abc import Iterator, Mapping
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


Fate = tuple[str, str]
"""The state of a letter that was to be sent, and the code of its problem."""

LATER, REFUSED, UNSURE = (DRAFT, "mail-later"), (DRAFT, "mail-refused"), (UNCERTAIN, "mail-unsure")
GONE, NO_LOGIN, NO_SERVER = (SENT, ""), (DRAFT, "mail-no-login"), (DRAFT, "mail-no-server")


def _deliver(folder: Path, settings: Mapping[str, str], *powers: str) -> list[Delivery]:
    with desk_with_address(folder / "g", settings) as desk:
        for power in powers or ("Austria",):
            draft_letter(desk, power)
        return list(send(Outbox(desk)))


def _fates(delivered: list[Delivery]) -> list[Fate]:
    return [(each.state, each.problem.code if each.problem else "") for each in delivered]


@pytest.fixture
def post() -> Iterator[SmtpServer]:
    with run_smtp_server() as server:
        yield server


@pytest.fixture
def guarded() -> Iterator[SmtpServer]:
    """A server that takes mail from who has a password."""
    with run_smtp_server(
        authenticator=check_login, auth_required=True, auth_require_tls=False
    ) as server:
        yield server


# -- SMTP ------------------------------------------------------------------------------------------


def test_each_player_gets_one_mail_of_his_own(tmp_path: Path, post: SmtpServer) -> None:
    _deliver(tmp_path, post.settings, "Austria", "England", "France")

    assert post.readers == ["anna@example.org", "bruno@example.org", "zoe@example.org"]
    assert all(envelope.mail_from == "game@example.net" for envelope in post.taken)
    for message, reader in zip(post.messages, post.readers, strict=True):
        assert [a.addr_spec for a in message["To"].addresses] == [reader]
        others = set(post.readers) - {reader}
        assert not any(other in message.as_string() for other in others)


def test_a_line_with_a_dot_arrives(tmp_path: Path, post: SmtpServer) -> None:
    with desk_with_address(tmp_path / "g", post.settings) as desk:
        draft_letter(desk, text=".\n..two\nend\n")
        list(send(Outbox(desk)))

    assert post.messages[0].get_content().split() == [".", "..two", "end"]


@pytest.mark.parametrize(
    ("command", "answer", "fates"),
    [
        ("RCPT", "451 come back later", [LATER, GONE]),
        ("DATA", "451 come back later", [LATER, GONE]),
        ("RCPT", "550 no such user", [REFUSED, GONE]),
        ("DATA", "550 no such user", [REFUSED, GONE]),
        # The mail may have been taken: sent again, it would come twice.
        ("DATA", "354 more?", [UNSURE, GONE]),
        ("DATA", "hello there", [UNSURE, GONE]),
        # A server that wants a password first keeps every mail: the next tick tries again.
        ("RCPT", "530 5.7.0 Authentication required", [NO_LOGIN]),
    ],
)
def test_what_a_server_does_not_take_stays_and_the_others_go(
    tmp_path: Path, post: SmtpServer, command: str, answer: str, fates: list[Fate]
) -> None:
    post.answers[command, "anna@example.org"] = answer
    delivered = _deliver(tmp_path, post.settings, "Austria", "England")

    assert _fates(delivered) == fates
    assert delivered[0].problem is not None
    assert fates[0] != LATER or delivered[0].problem.data["why"] == answer


def test_attempts_are_counted_and_the_error_is_kept(tmp_path: Path, post: SmtpServer) -> None:
    with desk_with_address(tmp_path / "g", post.settings) as desk:
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
    tmp_path: Path, post: SmtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alexmagnum.mail.transport.LAST_WORD", 0.1)
    post.on_data = lambda envelope: time.sleep(0.5)

    assert _fates(_deliver(tmp_path, post.settings)) == [UNSURE]


def test_a_line_that_breaks_before_the_final_dot_leaves_a_draft(
    tmp_path: Path, post: SmtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No server takes a mail that has no end."""
    real = smtplib.SMTP.send

    def send_some(server: smtplib.SMTP, data: bytes | str) -> None:
        if len(data) > 200:
            server.close()
        real(server, data)

    monkeypatch.setattr(smtplib.SMTP, "send", send_some)

    assert _fates(_deliver(tmp_path, post.settings)) == [LATER]
    assert post.taken == []


def test_a_mail_whose_last_line_is_not_closed_ends_all_the_same(post: SmtpServer) -> None:
    carrier = SmtpCarrier({**post.settings, "mail_address": USER})
    carrier.carry("x", b"Subject: x\r\n\r\nopen", USER, "anna@example.org", lambda: None)
    carrier.close()

    assert post.taken[0].original_content == b"Subject: x\r\n\r\nopen\r\n"


def test_without_a_server_nothing_is_tried_twice(tmp_path: Path) -> None:
    with run_smtp_server() as post:
        settings = dict(post.settings)

    assert _fates(_deliver(tmp_path, settings, "Austria", "England")) == [NO_SERVER]


@pytest.mark.parametrize(
    ("password", "fate"),
    [(PASSWORD, GONE), ("wrong", NO_LOGIN), ("", (DRAFT, "password-missing"))],
)
def test_a_password_opens_the_door_and_no_other_does(
    tmp_path: Path,
    guarded: SmtpServer,
    monkeypatch: pytest.MonkeyPatch,
    password: str,
    fate: Fate,
) -> None:
    monkeypatch.setenv(SECRET, password)
    monkeypatch.setattr("alexmagnum.mail.transport._read_keyring", lambda _: "")
    delivered = _deliver(tmp_path, guarded.settings_of(USER))

    assert _fates(delivered) == [fate]
    assert "wrong" not in str(delivered[0].problem)
    if delivered[0].problem and not password:  # it says where to put it
        assert delivered[0].problem.data["variable"] == SECRET


def test_a_password_never_goes_over_an_open_line(
    guarded: SmtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But on this computer itself, where nobody listens."""
    monkeypatch.setenv(SECRET, PASSWORD)
    monkeypatch.setattr("alexmagnum.mail.transport.is_local_host", lambda host: False)
    settings = {**guarded.settings_of(USER), "mail_address": USER}
    with pytest.raises(NotSent, match="mail-open-line"):
        SmtpCarrier(settings).carry("x", b"x", "a@b.org", "c@d.org", lambda: None)


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


def _secret(post: SmtpServer, scheme: str = "smtp") -> dict[str, str]:
    return {**post.settings_of(scheme=scheme, host="localhost")}


def test_secret_lines_are_used(
    tmp_path: Path,
    authority: trustme.CA,
    server_side: ssl.SSLContext,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with run_smtp_server(tls_context=server_side, require_starttls=True) as post:
        assert _fates(_deliver(tmp_path / "1", _secret(post))) == [GONE]
    with run_smtp_server(ssl_context=server_side) as post:
        assert _fates(_deliver(tmp_path / "2", _secret(post, "smtps"))) == [GONE]


def test_a_server_that_cannot_show_who_it_is_gets_nothing(
    tmp_path: Path, server_side: ssl.SSLContext
) -> None:
    with run_smtp_server(tls_context=server_side, require_starttls=True) as post:
        assert _fates(_deliver(tmp_path, _secret(post))) == [NO_SERVER]
    assert post.taken == []


def test_a_server_without_starttls_gets_nothing(tmp_path: Path, post: SmtpServer) -> None:
    """Somebody on the line may have struck it out."""
    assert _fates(_deliver(tmp_path, _secret(post))) == [NO_SERVER]
    assert post.taken == []


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

    assert _fates(_deliver(tmp_path, {})) == [LATER]


# -- sendmail --------------------------------------------------------------------------------------

posix = pytest.mark.skipif(sys.platform == "win32", reason="a shell script")


def _program(
    folder: Path, monkeypatch: pytest.MonkeyPatch, body: str, shell: str = "/bin/sh"
) -> None:
    program = folder / "sendmail"
    program.write_text(f"#!{shell}\n{body}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv(SENDMAIL, str(program))


@posix
def test_sendmail_gets_the_mail_and_who_it_is_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _program(tmp_path, monkeypatch, f'echo "$@" > {tmp_path}/args; cat > {tmp_path}/mail')

    assert _fates(_deliver(tmp_path, {"transport": "sendmail"})) == [GONE]
    arguments = (tmp_path / "args").read_text(encoding="utf-8").strip()
    assert arguments == "-i -f game@example.net -- anna@example.org"
    data = (tmp_path / "mail").read_bytes()
    assert b"\r" not in data
    assert parse_mail(data).get_content() == "Hello\n"


@posix
@pytest.mark.parametrize(
    ("end", "fate"),
    [
        ("exit 75", LATER),
        ("exit 67", REFUSED),
        ("kill -9 $$", UNSURE),  # it may have queued the mail before
    ],
)
def test_what_sendmail_says_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, fate: Fate
) -> None:
    _program(tmp_path, monkeypatch, f"cat > /dev/null; echo 'user \033[2J?' >&2; {end}")
    (delivery,) = _deliver(tmp_path, {"transport": "sendmail"})

    assert _fates([delivery]) == [fate]
    assert delivery.problem is not None
    assert fate == UNSURE or delivery.problem.data["why"] == "sendmail: user [2J?"


@posix
def test_a_sendmail_that_cannot_be_run_leaves_drafts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _program(tmp_path, monkeypatch, "", "/no/such/shell")
    delivered = _deliver(tmp_path, {"transport": "sendmail"}, "Austria", "England")

    assert _fates(delivered) == [(DRAFT, "mail-no-way")]


def test_a_computer_without_sendmail_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SENDMAIL, "no-such-program")
    with pytest.raises(NotSent, match="mail-no-way"):
        _deliver(tmp_path, {"transport": "sendmail"})
