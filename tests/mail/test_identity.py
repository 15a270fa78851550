"""Whose a mail is, and every doubt that makes it wait; nothing is told to who is not sure."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from alexmagnum.game import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.inbox_store import Message, find_or_make_code, subject_tag
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.mail.inbox import Inbox
from tests.game.desks import Clock
from tests.mail.mail_desk import ANNA, BRUNO, GAME, answers, at, fetch, mail, mail_desk, reply

ORDERS = "A PAR - BUR\n"


def _codes(message: Message) -> list[str]:
    for why in message.why:
        for lang in LANGUAGES:
            assert load_sentences(lang).format(why.code, **why.data)
    return [why.code for why in message.why]


def _one(desk: Desk, raw: bytes) -> Message:
    (message,) = fetch(desk, raw)
    return message


def _counts(desk: Desk) -> bool:
    return desk.receipt("France") is not None


def test_a_plain_reply_is_taken(desk: Desk) -> None:
    message = _one(desk, reply(desk, "France", ORDERS))
    assert (message.state, message.power, message.phase) == ("taken", "France", "1901-spring")
    assert _counts(desk)


@pytest.mark.parametrize(
    "fields",
    [
        # One of address and subject is enough: some providers drop the tag of an address, some
        # people write a subject of their own.
        {"Subject": "Ordini"},
        {"to": GAME},
        # One's own address in one's name looks like no forgery.
        {"sender": f'"Anna Neri ({ANNA})" <{ANNA}>'},
        {"sender": f'"{ANNA.upper()}" <{ANNA}>'},
        {"sender": f'"Anna @ casa" <{ANNA}>'},
        {"sender": "Anna <ANNA@Example.ORG>"},
        {"Reply-To": ANNA},
        {"Reply-To": f"Anna <{ANNA.replace('@', '+x@')}>"},
        {"Authentication-Results": "mx; spf=pass; dkim=pass; dmarc=pass"},
        {"Authentication-Results": "mx; spf=fail; dkim=pass"},
        {"Authentication-Results": "mx; spf=softfail; dkim=none"},
        {"Cc": BRUNO},
    ],
)
def test_what_is_usual_is_no_doubt(desk: Desk, fields: dict[str, str]) -> None:
    assert _one(desk, reply(desk, "France", ORDERS, **fields)).state == "taken"


def test_an_answer_to_a_mail_of_the_game_needs_no_code(desk: Desk) -> None:
    """The names of our mails cannot be guessed."""
    _one(desk, reply(desk, "France", "STATO\n"))
    sent = Inbox(desk).outbox.list_letters()[0]
    raw = mail(ORDERS, In_Reply_To=sent.message_id, Message_ID="<x@example.org>")
    assert _one(desk, raw).state == "taken"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"sender": "eve@example.net"}, "waits-other-address"),
        ({"sender": BRUNO}, "waits-code-of-other"),
        ({"sender": f"{ANNA}, eve@example.net"}, "waits-several-senders"),
        ({"sender": "Anna Neri anna@example.org"}, "waits-no-sender"),
        ({"sender": f'"{ANNA}" <eve@example.net>'}, "waits-other-address"),
        ({"sender": f'"eve@example.net" <{ANNA}>'}, "waits-address-in-name"),
        ({"sender": "eve@example.net", "Reply-To": "eve@example.com"}, "waits-other-address"),
        ({"Authentication-Results": "mx; spf=pass; dmarc=fail"}, "waits-forged"),
        ({"Authentication-Results": "mx; spf=fail; dkim=none"}, "waits-forged"),
        ({"List-Id": "<list.example.org>"}, "waits-list"),
        # Some gateways mark what people wrote.
        ({"Precedence": "bulk"}, "waits-automatic"),
        ({"to": GAME, "Subject": "Ordini"}, "waits-no-code"),
    ],
)
def test_on_doubt_it_waits(desk: Desk, fields: dict[str, str], code: str) -> None:
    message = _one(desk, reply(desk, "France", ORDERS, **fields))
    assert (message.state, _counts(desk)) == ("waiting", False)
    assert code in _codes(message)
    assert code != "waits-no-code" or message.power == "France"
    if code in ("waits-list", "waits-automatic"):  # lists and machines bring about no mail at all
        assert answers(desk) == []


def test_a_second_from_field_is_seen(desk: Desk) -> None:
    raw = b"From: eve@example.net\r\n" + reply(desk, "France", ORDERS)
    assert "waits-several-senders" in _codes(_one(desk, raw))


def test_a_table_may_need_no_code_then_who_plays_two_powers_is_told_apart_by_it(
    tmp_path: Path,
) -> None:
    with mail_desk(tmp_path, settings={"code_needed": "no"}) as desk:
        assert _one(desk, mail(ORDERS)).state == "taken"
        desk.set_player("Turkey", address=ANNA)
        assert _one(desk, reply(desk, "Turkey", "A CON H", sender=ANNA)).power == "Turkey"
        assert _codes(_one(desk, mail(ORDERS, Message_ID="<2@x>"))) == ["waits-several-powers"]


def test_a_mail_from_nowhere_waits_without_a_power(desk: Desk) -> None:
    message = _one(desk, mail(ORDERS, sender="eve@example.net"))
    assert (message.state, message.power) == ("waiting", "")
    assert _codes(message) == ["waits-unknown-address"]
    assert answers(desk) == []


def test_a_code_of_a_past_phase_waits_and_says_so(desk: Desk) -> None:
    raw = reply(desk, "France", ORDERS)
    past = subject_tag(desk, "France", "1901-spring")
    desk.process("1901-spring", allow_missing=True)
    message = _one(desk, raw)
    assert message.state == "waiting"
    assert [why.data for why in message.why] == [{"asked": "1901-spring", "current": "1901-autumn"}]
    # A long thread keeps its old subject; the address is that of the last mail.
    both = reply(desk, "France", ORDERS, Subject=f"Re: {past}", Message_ID="<both@example.org>")
    assert _one(desk, both).state == "taken"
    desk.undo()
    desk.now = Clock(at(13))
    again = _one(desk, reply(desk, "France", ORDERS, Message_ID="<again@example.org>"))
    assert again.state == "taken"


def test_a_former_player_is_a_stranger(desk: Desk) -> None:
    raw = reply(desk, "France", ORDERS)
    desk.replace_player(Player("France", "Dino", "dino@example.org"))
    assert _codes(_one(desk, raw)) == ["waits-other-address"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"Auto-Submitted": "auto-replied"}, "aside-auto-reply"),
        ({"sender": GAME}, "aside-own"),
        ({"sender": "news@example.net", "List-Id": "<n.example.net>"}, "aside-list"),
        # An absence note without any field is known by its subject.
        ({"Subject": "Fuori ufficio Re: x"}, "aside-auto-reply"),
        ({"Subject": "Assenza dall'ufficio"}, "aside-auto-reply"),
        ({"Subject": "In ferie"}, "aside-auto-reply"),
    ],
)
def test_what_no_person_wrote_is_left_aside(desk: Desk, fields: dict[str, str], code: str) -> None:
    message = _one(desk, reply(desk, "France", "Torno lunedì.\n", **fields))
    assert (message.state, _codes(message)) == ("aside", [code])
    assert answers(desk) == []


def test_what_calls_itself_a_machines_answer_does_not_count_even_with_orders(desk: Desk) -> None:
    raw = reply(desk, "France", ORDERS, Auto_Submitted="auto-replied")
    assert _one(desk, raw).state == "aside"
    assert not _counts(desk)
    assert answers(desk) == []


def _notification(address: str, action: str, status: str) -> bytes:
    """Return a server's notice about a mail that it could not deliver."""
    return (
        "From: MAILER-DAEMON@mx.example.org\r\nTo: game@example.org\r\n"
        "Subject: Undelivered Mail Returned to Sender\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example.org\r\n\r\n"
        f"Final-Recipient: rfc822; {address}\r\nAction: {action}\r\nStatus: {status}\r\n"
        "--b--\r\n"
    ).encode()


def test_a_bounce_is_put_down_to_the_player_it_did_not_reach(desk: Desk) -> None:
    message = _one(desk, _notification(BRUNO, "failed", "5.1.1"))
    assert (message.state, message.power) == ("aside", "Italy")
    assert _codes(message) == ["aside-bounce"]
    assert BRUNO in message.why[0].data["addresses"]


def test_a_mail_that_is_only_late_has_not_come_back(desk: Desk) -> None:
    message = _one(desk, _notification(BRUNO, "delayed", "4.4.1"))
    assert _codes(message) == ["aside-delayed"]
    assert message.why[0].data == {"addresses": BRUNO}


def test_two_programs_that_answer_each_other_are_stopped(tmp_path: Path) -> None:
    clock = Clock()
    with mail_desk(tmp_path, now=clock, settings={"mails_an_hour": 3}) as desk:
        states = []
        for number in range(5):
            clock.pass_by(minutes=1)
            raw = reply(desk, "France", "Sono in ferie.", Message_ID=f"<{number}@example.org>")
            states.append(_one(desk, raw).state)
        assert states == ["taken"] * 3 + ["waiting"] * 2
        assert len(answers(desk)) == 3
        clock.pass_by(hours=1)
        assert _one(desk, reply(desk, "France", ORDERS)).state == "taken"


# -- nothing is told to who is not sure ------------------------------------------------------------


def test_who_is_registered_hears_once_a_phase_that_a_mail_waits(desk: Desk) -> None:
    """It goes to the registered address, tells nothing of the mail, and carries the code."""
    for number in range(3):
        raw = reply(
            desk, "France", "A PAR - ZZZ", sender="eve@example.net", Message_ID=f"<{number}@x>"
        )
        _one(desk, raw)
    (sent,) = Inbox(desk).outbox.list_letters()
    ((kind, text),) = answers(desk)
    assert (kind, sent.address) == ("note", ANNA)
    assert "eve@example.net" in text
    assert "ZZZ" not in text
    assert find_or_make_code(desk, "France", "1901-spring") in str(
        Inbox(desk).outbox.message(sent.id)["Reply-To"]
    )


def test_or_not_if_the_table_wants_none(tmp_path: Path) -> None:
    with mail_desk(tmp_path, settings={"waiting_note": "no"}) as desk:
        _one(desk, mail(ORDERS))
        assert answers(desk) == []


def test_the_time_of_receipt_counts_not_the_senders_date(desk: Desk) -> None:
    late = reply(desk, "France", "A PAR - PIC", Date="Mon, 01 Jan 2001 00:00:00 +0000")
    early = reply(desk, "France", "A PAR - BUR", Date="Fri, 01 Jan 2027 00:00:00 +0000")
    fetch(desk, late, at=at(11))
    (message,) = fetch(desk, early, at=at(10))
    assert desk.pending(reason="t")["France"] == ("A PAR - PIC",)
    assert (message.state, _codes(message)) == ("waiting", ["waits-overtaken"])
    assert message.received == "2026-11-20T10:00:00Z"


def test_orders_are_not_withdrawn_by_a_mail_that_is_older(desk: Desk) -> None:
    fetch(desk, reply(desk, "France", ORDERS), at=at(11))
    (message,) = fetch(desk, reply(desk, "France", "ANNULLA"), at=at(10))
    assert (message.state, _codes(message)) == ("waiting", ["waits-overtaken"])
    assert desk.pending(reason="t")["France"] == ("A PAR - BUR",)


def test_a_server_whose_clock_is_ahead_does_not_put_a_mail_into_the_future(tmp_path: Path) -> None:
    clock = Clock()
    with mail_desk(tmp_path, now=clock) as desk:
        (message,) = fetch(desk, reply(desk, "France", ORDERS), at=clock.at + timedelta(days=2))
        assert message.received == "2026-11-20T12:00:00Z"
