"""The three ways out, what each says when it goes wrong, and what becomes of the letters."""

import random
import select
import ssl
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trustme

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import hold_lock
from alexmagnum.game.mail_store import DRAFT, DROPPED, SENDING, SENT, UNCERTAIN, find_automatic
from alexmagnum.mail import transport
from alexmagnum.mail.composition import Attachment, Letter
from alexmagnum.mail.drafts import update_drafts
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import Delivery, send
from alexmagnum.workflow.publish import send_automatic
from alexmagnum.workflow.situation import read_situation
from tests.each import check_each
from tests.game.desks import Clock
from tests.mail import smtp_server
from tests.mail.scripted_server import DROP, ENDLESS, SILENT, run_scripted_server
from tests.mail.smtp_server import USER, SmtpServer, desk_with_address, draft_letter, parse_mail
from tests.sizes import sampled, sized

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
    with smtp_server.run_smtp_server() as server:
        yield server


@pytest.fixture
def guarded() -> Iterator[SmtpServer]:
    """A server that takes mail from who has a password."""
    with smtp_server.run_smtp_server(
        authenticator=smtp_server.check_login, auth_required=True, auth_require_tls=False
    ) as server:
        yield server


# -- SMTP ------------------------------------------------------------------------------------------


def test_each_player_gets_one_mail_of_their_own(tmp_path: Path, post: SmtpServer) -> None:
    """A line with a dot arrives; a mail whose last line is not closed ends all the same."""
    carrier = transport.SmtpCarrier({**post.settings, "mail_address": USER})
    carrier.carry("x", b"Subject: x\r\n\r\nopen", USER, "anna@example.org", lambda: None)
    carrier.close()
    assert post.taken.pop().original_content == b"Subject: x\r\n\r\nopen\r\n"
    with desk_with_address(tmp_path / "g", post.settings) as desk:
        for power in ("Austria", "England", "France"):
            draft_letter(desk, power, text=".\n..two\nend\n")
        list(send(Outbox(desk)))

    assert post.readers == ["anna@example.org", "bruno@example.org", "zoe@example.org"]
    assert all(envelope.mail_from == "game@example.net" for envelope in post.taken)
    for message, reader in zip(post.messages, post.readers, strict=True):
        assert message.get_content().split() == [".", "..two", "end"]
        assert [a.addr_spec for a in message["To"].addresses] == [reader]
        assert not any(other in message.as_string() for other in set(post.readers) - {reader})


@pytest.mark.parametrize(
    ("command", "answer", "fates"),
    [
        ("DATA", "451 come back later", [LATER, GONE]),
        ("RCPT", "550 no such user", [REFUSED, GONE]),
        # The mail may have been taken: sent again, it would come twice.
        ("DATA", "354 more?", [UNSURE, GONE]),
        # It may take no mail for others, and that of its own (a fourth attack).
        ("RCPT", "530 5.7.0 Authentication required", [LATER, GONE]),
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


CONNECTED = ("greeting", "EHLO", "MAIL", "RCPT", "DATA", "transfer", ".")
NOT_CONNECTED = dict.fromkeys(CONNECTED[:2], NO_SERVER)
GONE_AWAY = f"421 {DROP}"

FAULTS = [
    *((step, DROP, NOT_CONNECTED.get(step, LATER)) for step in CONNECTED[:6]),
    (".", DROP, UNSURE),
    *((step, SILENT, NOT_CONNECTED.get(step, LATER)) for step in CONNECTED[:5]),
    ("transfer", SILENT, UNSURE),
    (".", SILENT, UNSURE),
    *((step, "250-x flood", NOT_CONNECTED.get(step, LATER)) for step in CONNECTED[:5]),
    *((".", f"250-x {kind}", UNSURE) for kind in ENDLESS),
    ("MAIL", "250-x drip", LATER),
    *((step, f"250 {'x' * 9000}", LATER) for step in ("MAIL", "RCPT", "DATA")),
    *((step, GONE_AWAY, NOT_CONNECTED.get(step, LATER)) for step in CONNECTED),
    *((step, "451 later", LATER) for step in ("MAIL", "RCPT", "DATA", "transfer", ".")),
    *((step, "554 never", REFUSED) for step in ("MAIL", "RCPT", "DATA", "transfer", ".")),
    ("greeting", "554 never", NO_SERVER),
    # A server that wants a password first keeps every mail: the next tick tries again.
    ("MAIL", "530 5.7.0 Authentication required", NO_LOGIN),
    ("QUIT", DROP, GONE),
    ("DATA", "250 OK", LATER),
    (".", "garbage", UNSURE),
    # Two answers to one command: those that follow are out of step.
    *((step, "250 OK\r\n250 OK", LATER) for step in ("MAIL", "RCPT")),
    *(("DATA", f"354 go on\r\n{word}", LATER) for word in ("250 OK", "354 go on", "451 later")),
    ("greeting", "220 here\r\n220 here", NO_SERVER),
    (".", "250 taken\r\n554 never", UNSURE),
    (".", "554 never\r\n250 taken", UNSURE),
]


@sampled
def test_a_letter_that_a_server_does_not_take_can_be_sent_again_with_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is uncertain only where the server may have had its end."""
    monkeypatch.setattr("alexmagnum.mail.transport.TIMEOUT", 1.0)
    monkeypatch.setattr("alexmagnum.mail.transport.LAST_WORD", 0.1)
    monkeypatch.setattr("alexmagnum.mail.transport._ANSWER", 1 << 16)
    files = (Attachment("map.png", "image/png", random.Random(1).randbytes(20_000)),)
    letter = Letter("Word", "Hello\n", attachments=files)

    def check(step: str, fault: str, fate: Fate) -> None:
        with run_scripted_server({step: fault}) as server:
            number = box.draft(smtp_server.note_key(desk, f"{step} {fault}"), letter)
            carrier = partial(transport.SmtpCarrier, {**desk.settings, **server.settings})
            (found,) = _fates(list(send(box, carrier=carrier())))
            # On a busy machine it hangs up behind the final dot.
            assert found == fate or ((step, fault), found) == (("transfer", DROP), UNSURE)
            fate, again = found, [] if found in (GONE, UNSURE) else [GONE]
            assert _fates(list(send(box, carrier=carrier()))) == again
            assert len(server.taken) == (fate != UNSURE)
            if fate == UNSURE:
                box.put_back(number)
                assert _fates(list(send(box, carrier=carrier()))) == [GONE]
            parts = parse_mail(server.taken[0]).walk()
            assert any(part.get_content_type() == "image/png" for part in parts)

    with desk_with_address(tmp_path / "g") as desk:
        box = Outbox(desk)
        check_each(FAULTS[:: sized(6, 1)], check)


def test_a_server_that_is_slow_or_never_answers_a_letter_gets_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seven letters held a tick for forty minutes, and the other games (a ninth attack)."""
    monkeypatch.setattr("alexmagnum.mail.transport.LAST_WORD", 0.1)
    with run_scripted_server({".": SILENT}) as server:
        assert _fates(_deliver(tmp_path / "dot", server.settings, "Austria", "France")) == [
            UNSURE,
            NO_SERVER,
        ]
    with run_scripted_server({}) as server:
        carrier = transport.SmtpCarrier({**server.settings, "mail_address": USER})
        carrier.check()
    assert 0 < sum(carrier.seconds.values()) < 60  # only what it took counts
    # Nor does another carrier of the command, as a tick has some (a twelfth attack).
    with (
        run_scripted_server({".": SILENT}) as server,
        desk_with_address(tmp_path / "ends", server.settings) as desk,
    ):
        for power, fate in (("Austria", UNSURE), ("France", NO_SERVER)):
            draft_letter(desk, power)
            assert _fates(list(send(Outbox(desk)))) == [fate]
    monkeypatch.setattr("alexmagnum.mail.transport._CONVERSATION", 0.0)
    with run_scripted_server({}) as server:
        assert _fates(_deliver(tmp_path / "slow", server.settings, "Austria", "France")) == [
            NO_SERVER
        ]


def test_what_a_server_says_before_it_hangs_up_is_its_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A mail too large for it was tried again for ever (a run of the suite)."""

    def send_a_part(line: transport._Line, data: bytes) -> None:
        send_all(line, data[:1000])
        if data[1000:]:
            select.select([line], [], [])
            raise ConnectionResetError

    send_all = transport._Line.sendall
    monkeypatch.setattr(transport._Line, "sendall", send_a_part)
    with run_scripted_server({"transfer": "554 too large"}) as server:
        carrier = transport.SmtpCarrier({**server.settings, "mail_address": USER})
        with pytest.raises(transport.NotSent, match="mail-refused"):
            carrier.carry("x", b"line\r\n" * 1000, USER, "anna@example.org", lambda: None)


def test_without_a_server_nothing_is_tried_twice_and_without_a_host_nothing_at_all(
    tmp_path: Path,
) -> None:
    with smtp_server.run_smtp_server() as post:
        settings = dict(post.settings)
    assert _fates(_deliver(tmp_path / "1", settings, "Austria", "England")) == [NO_SERVER]
    with pytest.raises(transport.NotSent, match="mail-no-host"):
        _deliver(tmp_path / "2", {"transport": "smtp"})


@pytest.mark.parametrize(
    ("password", "fate"),
    [(smtp_server.PASSWORD, GONE), ("wrong", NO_LOGIN), ("", (DRAFT, "password-missing"))],
)
def test_a_password_opens_the_door_and_no_other_does(
    tmp_path: Path, guarded: SmtpServer, monkeypatch: pytest.MonkeyPatch, password: str, fate: Fate
) -> None:
    monkeypatch.setenv(SECRET, password)
    monkeypatch.setattr("alexmagnum.mail.transport._read_keyring", lambda _: "")
    delivered = _deliver(tmp_path, guarded.settings_of(USER))
    assert _fates(delivered) == [fate]
    assert "wrong" not in str(delivered[0].problem)
    if delivered[0].problem and not password:  # it says where to put it
        assert delivered[0].problem.data["variable"] == SECRET


@pytest.mark.parametrize("excluded", [(), ("PLAIN",)])
def test_a_password_may_have_any_letters(
    monkeypatch: pytest.MonkeyPatch, excluded: tuple[str, ...]
) -> None:
    """The server was said to be out of reach (a twelfth attack)."""
    monkeypatch.setenv(SECRET, "però £")
    monkeypatch.setattr(smtp_server, "PASSWORD", "però £")
    options: dict[str, Any] = {"auth_exclude_mechanism": excluded, "auth_require_tls": False}
    with smtp_server.run_smtp_server(authenticator=smtp_server.check_login, **options) as server:
        transport.SmtpCarrier({**server.settings_of(USER), "mail_address": USER}).check()


def test_a_password_never_goes_over_an_open_line(
    guarded: SmtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But on this computer itself, where nobody listens."""
    monkeypatch.setenv(SECRET, smtp_server.PASSWORD)
    monkeypatch.setattr("alexmagnum.mail.transport.is_local_host", lambda host: False)
    settings = {**guarded.settings_of(USER), "mail_address": USER}
    with pytest.raises(transport.NotSent, match="mail-open-line"):
        transport.SmtpCarrier(settings).carry("x", b"x", "a@b.org", "c@d.org", lambda: None)


def test_secret_lines_are_used_and_a_server_that_cannot_show_who_it_is_gets_nothing(
    tmp_path: Path, post: SmtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does a server without STARTTLS: somebody on the line may have struck it out."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)

    def deliver(name: str, server: SmtpServer, scheme: str = "smtp") -> list[Fate]:
        settings = server.settings_of(scheme=scheme, host="localhost")
        return _fates(_deliver(tmp_path / name, settings))

    assert deliver("in the open", post) == [NO_SERVER]
    with smtp_server.run_smtp_server(tls_context=context, require_starttls=True) as starttls:
        assert deliver("unknown", starttls) == [NO_SERVER]
        assert post.taken == starttls.taken == []
        authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        assert deliver("known", starttls) == [GONE]
    with smtp_server.run_smtp_server(ssl_context=context) as secret:
        assert deliver("secret", secret, "smtps") == [GONE]


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


def test_files_go_when_letters_of_the_next_phase_are_left(tmp_path: Path) -> None:
    clock, settings = Clock(), {"missing": "hold", "receipts": "draft"}
    with desk_with_address(tmp_path / "g", settings, now=clock) as desk:
        box = Outbox(desk)
        first = box.find(draft_letter(desk, key="one"))
        list(send(box))
        clock.pass_by(days=1)
        desk.process("1901-spring")
        clock.pass_by(hours=1)
        second = box.find(draft_letter(desk, key="two"))
        list(send(box))
        assert [path.name for path in (box.folder / "outbox").iterdir()] == [second.file]
        box.put_back(first.id)
        list(send(box))
        assert (box.folder / "outbox" / first.file).exists()


# -- sendmail --------------------------------------------------------------------------------------

posix = pytest.mark.skipif(sys.platform == "win32", reason="a shell script")


def _program(
    folder: Path, monkeypatch: pytest.MonkeyPatch, body: str, shell: str = "/bin/sh"
) -> None:
    program = folder / "sendmail"
    program.write_text(f"#!{shell}\n{body}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv(transport.SENDMAIL, str(program))


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
def test_a_sendmail_that_cannot_be_run_leaves_drafts_and_a_computer_without_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _program(tmp_path, monkeypatch, "", "/no/such/shell")
    delivered = _deliver(tmp_path / "1", {"transport": "sendmail"}, "Austria", "England")
    assert _fates(delivered) == [(DRAFT, "mail-no-way")]
    monkeypatch.setenv(transport.SENDMAIL, "no-such-program")
    with pytest.raises(transport.NotSent, match="mail-no-way"):
        _deliver(tmp_path / "2", {"transport": "sendmail"})


@posix
def test_a_sendmail_that_hangs_is_given_one_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each letter held the tick for two minutes (a thirteenth attack)."""
    monkeypatch.setattr("alexmagnum.mail.transport._SECONDS", 0.2)
    _program(tmp_path, monkeypatch, "exec sleep 9")
    with desk_with_address(tmp_path / "g", {"transport": "sendmail"}) as desk:
        for power, fate in (("Austria", UNSURE), ("France", (DRAFT, "mail-no-way"))):
            draft_letter(desk, power)
            assert _fates(list(send(Outbox(desk)))) == [fate]


# -- what becomes of letters that are sent, and of those about which nobody knows ------------------


class Interrupted(BaseException):
    """Somebody pulled the plug."""


class Postman(transport.Carrier):
    """A carrier that keeps what it carries, and stumbles as it is told: ``before`` or ``after``
    it is too late."""

    def __init__(
        self, before: BaseException | None = None, after: BaseException | None = None
    ) -> None:
        self.before = before
        self.after = after
        self.carried: list[str] = []
        self.closed = False

    def carry(self, name: str, data: bytes, sender: str, to: str, seal: transport.Seal) -> None:
        if self.before:
            raise self.before
        seal()
        if self.after:
            raise self.after
        self.carried.append(to)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with desk_with_address(tmp_path / "g") as desk:
        yield desk


def test_a_letter_is_sent_once_and_its_draft_is_gone(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk)
    other = draft_letter(desk, "England")
    postman = Postman()
    list(send(box, [other], postman))
    assert postman.carried == ["bruno@example.org"]  # only the letter that was named
    first, second = list(send(box, carrier=postman)), list(send(box, carrier=postman))
    assert ([d.state for d in first], second) == ([SENT], [])
    assert postman.carried[1:] == ["anna@example.org"]
    assert box.find(number).sent == "2026-11-20T12:00:00Z"
    assert list((box.folder / "drafts").glob("*.eml")) == []


def test_a_letter_written_anew_while_the_server_is_asked_goes_the_next_time(
    desk: Desk, box: Outbox
) -> None:
    class Slow(Postman):
        def carry(self, *arguments: Any) -> None:
            desk.set_player("Austria", address="new@example.org")
            update_drafts(Outbox(desk))
            super().carry(*arguments)

    draft_letter(desk)
    slow = Slow()
    assert _fates(list(send(box, carrier=slow))) == [(DRAFT, "letter-renewed")]
    list(send(box, carrier=slow))
    assert slow.carried == ["new@example.org"]


def test_interrupted_before_it_was_too_late_a_letter_is_a_draft(desk: Desk, box: Outbox) -> None:
    draft_letter(desk)
    postman = Postman(before=Interrupted())
    with pytest.raises(Interrupted):
        list(send(box, carrier=postman))
    assert postman.closed
    assert [d.state for d in send(box, carrier=Postman())] == [SENT]


def test_interrupted_when_it_was_too_late_a_letter_is_uncertain(desk: Desk, box: Outbox) -> None:
    """It is not sent again automatically; a tick that sends nothing names it (a ninth attack)."""
    number = draft_letter(desk)
    with pytest.raises(Interrupted):
        list(send(box, carrier=Postman(after=Interrupted())))
    assert [mailing.state for mailing in read_situation(desk).stuck] == [SENDING]
    assert send_automatic(desk) == ((), None)
    assert [mailing.state for mailing in read_situation(desk).stuck] == [UNCERTAIN]
    postman = Postman()
    assert list(send(box, carrier=postman)) == []
    assert postman.carried == []
    uncertain = box.find(number)
    assert (uncertain.state, uncertain.problem and uncertain.problem.code) == (
        UNCERTAIN,
        "mail-interrupted",
    )


def test_of_an_uncertain_letter_the_game_master_decides(desk: Desk, box: Outbox) -> None:
    for key in ("one", "two", "three"):
        draft_letter(desk, key=key)
    list(send(box, carrier=Postman(after=transport.DeliveryUnknown("mail-unsure", why="x"))))
    box.mark_sent(1)
    box.drop(2)
    box.put_back(3)
    postman = Postman()
    list(send(box, carrier=postman))
    assert [mailing.state for mailing in box.list_letters()] == [SENT, DROPPED, SENT]
    assert len(postman.carried) == 1


def test_two_do_not_send_at_once(desk: Desk, box: Outbox) -> None:
    draft_letter(desk)
    with hold_lock(box.folder, "send"), pytest.raises(GameError) as refused:
        list(send(box, carrier=Postman()))
    assert refused.value.code == "mail-busy"
    assert "send, pid " in refused.value.data["holder"]


def test_a_letter_dropped_meanwhile_does_not_go(desk: Desk, box: Outbox) -> None:
    """Drop a letter by another command while this one sends."""
    draft_letter(desk, "Austria")
    second = draft_letter(desk, "England")
    postman = Postman()
    sending = send(box, carrier=postman)
    next(sending)
    box.drop(second)
    list(sending)
    assert postman.carried == ["anna@example.org"]
    assert box.find(second).state == DROPPED


def test_what_goes_by_itself_is_set_and_was_not_refused_for_good(desk: Desk, box: Outbox) -> None:
    """Nor does a server hear of it every ten minutes; 'outbox send' tries."""
    number = draft_letter(desk)
    assert find_automatic(box, box.game.settings) == ()
    desk.set("receipts", "send")
    assert find_automatic(box, box.game.settings) == (number,)
    (delivery,) = send(box, carrier=Postman(after=transport.NotSent("mail-later", why="451")))
    assert (delivery.state, box.find(number).state, box.find(number).attempts) == (DRAFT, DRAFT, 1)
    assert find_automatic(box, box.game.settings) == (number,)
    list(send(box, carrier=Postman(before=transport.NotSent("mail-refused", why="550"))))
    assert find_automatic(box, box.game.settings) == ()
    assert [d.state for d in send(box, carrier=Postman())] == [SENT]
