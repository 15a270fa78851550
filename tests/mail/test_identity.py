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


def test_a_plain_reply_is_taken(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        message = _one(desk, reply(desk, "France", ORDERS))
        assert (message.state, message.power, message.phase) == ("taken", "France", "1901-spring")
        assert _counts(desk)


@pytest.mark.parametrize("kept", ["to", "Subject"])
def test_one_of_address_and_subject_is_enough(tmp_path: Path, kept: str) -> None:
    """Some providers drop the tag of an address, some people write a subject of their own."""
    with mail_desk(tmp_path) as desk:
        other = {"to": {"Subject": "Ordini"}, "Subject": {"to": GAME}}[kept]
        assert _one(desk, reply(desk, "France", ORDERS, **other)).state == "taken"


def test_an_answer_to_a_mail_of_the_game_needs_no_code(tmp_path: Path) -> None:
    """The names of our mails cannot be guessed."""
    with mail_desk(tmp_path) as desk:
        _one(desk, reply(desk, "France", "STATO\n"))
        sent = Inbox(desk).outbox.list_letters()[0]
        raw = mail(ORDERS, In_Reply_To=sent.message_id, Message_ID="<x@example.org>")
        assert _one(desk, raw).state == "taken"


@pytest.mark.parametrize("name", [f"Anna Neri ({ANNA})", ANNA.upper(), "Anna @ casa"])
def test_ones_own_address_in_ones_name_looks_like_no_forgery(tmp_path: Path, name: str) -> None:
    with mail_desk(tmp_path) as desk:
        raw = reply(desk, "France", ORDERS, sender=f'"{name}" <{ANNA}>')
        assert _one(desk, raw).state == "taken"


def test_the_case_of_an_address_does_not_matter(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        raw = reply(desk, "France", ORDERS, sender="Anna <ANNA@Example.ORG>")
        assert _one(desk, raw).state == "taken"


def test_a_registered_address_without_a_code_waits(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        message = _one(desk, mail(ORDERS))
        assert (message.state, message.power) == ("waiting", "France")
        assert _codes(message) == ["waits-no-code"]
        assert not _counts(desk)


def test_unless_the_table_needs_none(tmp_path: Path) -> None:
    with mail_desk(tmp_path, settings={"code_needed": "no"}) as desk:
        assert _one(desk, mail(ORDERS)).state == "taken"


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
    ],
)
def test_on_doubt_it_waits(tmp_path: Path, fields: dict[str, str], code: str) -> None:
    with mail_desk(tmp_path) as desk:
        message = _one(desk, reply(desk, "France", ORDERS, **fields))
        assert message.state == "waiting"
        assert code in _codes(message)
        assert not _counts(desk)


@pytest.mark.parametrize(
    "fields",
    [
        {"Reply-To": ANNA},
        {"Reply-To": f"Anna <{ANNA.replace('@', '+x@')}>"},
        {"Authentication-Results": "mx; spf=pass; dkim=pass; dmarc=pass"},
        {"Authentication-Results": "mx; spf=fail; dkim=pass"},
        {"Authentication-Results": "mx; spf=softfail; dkim=none"},
        {"Cc": BRUNO},
    ],
)
def test_what_is_usual_is_no_doubt(tmp_path: Path, fields: dict[str, str]) -> None:
    with mail_desk(tmp_path) as desk:
        assert _one(desk, reply(desk, "France", ORDERS, **fields)).state == "taken"


def test_a_second_from_field_is_seen(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        raw = b"From: eve@example.net\r\n" + reply(desk, "France", ORDERS)
        assert "waits-several-senders" in _codes(_one(desk, raw))


def test_a_mail_from_nowhere_waits_without_a_power(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        message = _one(desk, mail(ORDERS, sender="eve@example.net"))
        assert (message.state, message.power) == ("waiting", "")
        assert _codes(message) == ["waits-unknown-address"]
        assert answers(desk) == []


def test_a_code_of_a_past_phase_waits_and_says_so(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        raw = reply(desk, "France", ORDERS)
        desk.process("1901-spring", allow_missing=True)
        message = _one(desk, raw)
        assert message.state == "waiting"
        assert [why.data for why in message.why] == [
            {"asked": "1901-spring", "current": "1901-autumn"}
        ]
        desk.undo()
        desk.now = Clock(at(13))
        again = _one(desk, reply(desk, "France", ORDERS, Message_ID="<again@example.org>"))
        assert again.state == "taken"


def test_the_present_code_counts_beside_a_past_one(tmp_path: Path) -> None:
    """A long thread keeps its old subject; the address is that of the last mail."""
    with mail_desk(tmp_path) as desk:
        past = subject_tag(desk, "France", "1901-spring")
        desk.process("1901-spring", allow_missing=True)
        raw = reply(desk, "France", ORDERS, Subject=f"Re: {past}")
        assert _one(desk, raw).state == "taken"


def test_who_plays_two_powers_is_told_apart_by_the_code(tmp_path: Path) -> None:
    with mail_desk(tmp_path, settings={"code_needed": "no"}) as desk:
        desk.set_player("Turkey", address=ANNA)
        assert _one(desk, reply(desk, "Turkey", "A CON H", sender=ANNA)).power == "Turkey"
        assert _codes(_one(desk, mail(ORDERS))) == ["waits-several-powers"]


def test_a_former_player_is_a_stranger(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        raw = reply(desk, "France", ORDERS)
        desk.replace_player(Player("France", "Dino", "dino@example.org"))
        assert _codes(_one(desk, raw)) == ["waits-other-address"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"Auto-Submitted": "auto-replied"}, "aside-auto-reply"),
        ({"sender": GAME}, "aside-own"),
        ({"sender": "news@example.net", "List-Id": "<n.example.net>"}, "aside-list"),
    ],
)
def test_what_no_person_wrote_is_left_aside(
    tmp_path: Path, fields: dict[str, str], code: str
) -> None:
    with mail_desk(tmp_path) as desk:
        message = _one(desk, reply(desk, "France", "Torno lunedì.\n", **fields))
        assert (message.state, _codes(message)) == ("aside", [code])
        assert answers(desk) == []


def test_what_calls_itself_a_machines_answer_does_not_count_even_with_orders(
    tmp_path: Path,
) -> None:
    with mail_desk(tmp_path) as desk:
        raw = reply(desk, "France", ORDERS, Auto_Submitted="auto-replied")
        assert _one(desk, raw).state == "aside"
        assert not _counts(desk)


@pytest.mark.parametrize("subject", ["Fuori ufficio Re: x", "Assenza dall'ufficio", "In ferie"])
def test_an_absence_note_without_any_field_is_known_by_its_subject(
    tmp_path: Path, subject: str
) -> None:
    with mail_desk(tmp_path) as desk:
        assert _one(desk, reply(desk, "France", "Torno lunedì.", Subject=subject)).state == "aside"


def test_what_only_looks_like_a_machines_answer_waits_if_it_has_orders(tmp_path: Path) -> None:
    """Some gateways mark what people wrote."""
    with mail_desk(tmp_path) as desk:
        message = _one(desk, reply(desk, "France", ORDERS, Precedence="bulk"))
        assert (message.state, _codes(message)) == ("waiting", ["waits-automatic"])
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


def test_a_bounce_is_put_down_to_the_player_it_did_not_reach(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        message = _one(desk, _notification(BRUNO, "failed", "5.1.1"))
        assert (message.state, message.power) == ("aside", "Italy")
        assert _codes(message) == ["aside-bounce"]
        assert BRUNO in message.why[0].data["addresses"]


def test_a_mail_that_is_only_late_has_not_come_back(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
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


def test_who_is_registered_hears_once_a_phase_that_a_mail_waits(tmp_path: Path) -> None:
    """It goes to the registered address, tells nothing of the mail, and carries the code."""
    with mail_desk(tmp_path) as desk:
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


@pytest.mark.parametrize(
    "fields", [{"List-Id": "<list.example.org>"}, {"Auto-Submitted": "auto-replied"}]
)
def test_lists_and_machines_bring_about_no_mail_at_all(
    tmp_path: Path, fields: dict[str, str]
) -> None:
    with mail_desk(tmp_path) as desk:
        _one(desk, reply(desk, "France", ORDERS, **fields))
        assert answers(desk) == []


def test_the_time_of_receipt_counts_not_the_senders_date(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        late = reply(desk, "France", "A PAR - PIC", Date="Mon, 01 Jan 2001 00:00:00 +0000")
        early = reply(desk, "France", "A PAR - BUR", Date="Fri, 01 Jan 2027 00:00:00 +0000")
        fetch(desk, late, at=at(11))
        (message,) = fetch(desk, early, at=at(10))
        assert desk.pending(reason="t")["France"] == ("A PAR - PIC",)
        assert (message.state, _codes(message)) == ("waiting", ["waits-overtaken"])
        assert message.received == "2026-11-20T10:00:00Z"


def test_orders_are_not_withdrawn_by_a_mail_that_is_older(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        fetch(desk, reply(desk, "France", ORDERS), at=at(11))
        (message,) = fetch(desk, reply(desk, "France", "ANNULLA"), at=at(10))
        assert (message.state, _codes(message)) == ("waiting", ["waits-overtaken"])
        assert desk.pending(reason="t")["France"] == ("A PAR - BUR",)


def test_a_server_whose_clock_is_ahead_does_not_put_a_mail_into_the_future(tmp_path: Path) -> None:
    clock = Clock()
    with mail_desk(tmp_path, now=clock) as desk:
        (message,) = fetch(desk, reply(desk, "France", ORDERS), at=clock.at + timedelta(days=2))
        assert message.received == "2026-11-20T12:00:00Z"
