"""The inbox: whose a mail is, every doubt that makes it wait, and every message once.

Nothing is told to anybody who is not surely the player.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP
from itertools import cycle
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import mail_store
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player, Standby
from alexmagnum.game.mail_store import InboxStore, Message, reply_address, subject_tag
from alexmagnum.game.people import add_standby
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.mail.answers import Answer
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.parsing.html import read_page
from alexmagnum.mail.parsing.mime import load_vocabulary
from alexmagnum.mail.transport import Found
from alexmagnum.workflow.master import tell_what_was_said
from alexmagnum.workflow.situation import describe_passage, read_situation
from tests.case_library import read_yaml
from tests.commands import run_command
from tests.each import check_each, check_results
from tests.game.desks import Clock, dump, open_desk
from tests.mail.mail_desk import ANNA, BRUNO, GAME, answers, at, fetch, mail, mail_desk, reply
from tests.sizes import one_in

ORDERS = "A PAR - BUR\n"
TAKEN_ORDERS = ("A PAR - BUR",)

MAILS = read_yaml(Path(__file__).with_name("inbox.yaml"))


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


def _orders(desk: Desk, power: str = "France") -> tuple[str, ...]:
    return desk.pending(reason="t").get(power, ())


def _refused(act: Any) -> str:
    with pytest.raises(GameError) as caught:
        act()
    assert all(load_sentences(lang).error(caught.value) for lang in LANGUAGES)
    return caught.value.code


def _raw(desk: Desk, text: str = ORDERS, name: str = "<1@example.org>") -> bytes:
    return reply(desk, "France", text, Message_ID=name)


# -- whose a mail is -------------------------------------------------------------------------------


_BROKEN = (
    "I go to Tyrolia; do not tell Austria.",
    "1) Trieste is his,\n2) Venice is mine,\n3a) F Nap H\n4.A Ven H",
    "e poi? Trieste is his\n- e poi hold.",
    "_Trieste_ is his; Venice is mine, look at http://example.org/Trieste\nand then on to Venice",
)


@pytest.mark.parametrize("said", _BROKEN)
def test_a_sentence_in_parts_is_stored_as_it_stands_in_its_mail(desk: Desk, said: str) -> None:
    """An export of such a game could not be imported (a seventeenth attack)."""
    assert _one(desk, reply(desk, "Italy", f"A ROM H\n\n{said}")).state == "taken"
    assert desk.verify() == ()


def test_a_plain_reply_is_taken_and_what_is_usual_is_no_doubt(tmp_path: Path) -> None:
    for number, fields in enumerate(MAILS["usual"]):
        with mail_desk(tmp_path / str(number)) as desk:
            message = _one(desk, reply(desk, "France", ORDERS, **fields))
            found = (message.state, message.power, message.phase)
            assert found == ("taken", "France", "1901-spring"), fields
            assert _counts(desk), fields


@pytest.mark.parametrize("address", [ANNA, GAME, "postmaster@example.org"])
def test_nothing_that_a_player_writes_is_left_aside_in_silence(desk: Desk, address: str) -> None:
    """Whatever a mail looks like: it waits, or is answered, or its words are in the tray."""
    desk.set_player("France", address=address)
    order, others = ORDERS.strip(), cycle(MAILS["said"])
    silenced = MAILS["silenced"]
    ways = [(fields, text) for fields in silenced for text in (order, f"> {order}", next(others))]
    for number, (fields, text) in enumerate(ways):
        made = {"sender": address, "Message_ID": f"<{number}@example.org>", **fields}
        hops = b"Received: by mx\r\n" * int(made.pop("hops", 0))
        message = _one(desk, hops + reply(desk, "France", f"{text} {number}", **made))
        heard = message.state != "aside" or InboxStore(desk.file).find_passage(message.id)
        assert heard, (fields, text)
        holds = message.phase == "1901-spring" and message.state == "waiting"
        assert holds or message.state == "taken" or text != order, fields
        assert "X-Alexmagnum" not in fields or not answers(desk), "our own mark is never answered"


def test_letters_of_the_game_and_what_says_nothing_are_left_aside(desk: Desk) -> None:
    """Each letter to a player who has the game's own address comes back into its mailbox."""
    desk.set_player("France", address=GAME)
    _one(desk, reply(desk, "Italy", "HELP\nA VEN - TYR", Message_ID="<i@x>"))
    _one(desk, reply(desk, "France", "A MAR - SPA", Message_ID="<a@x>", sender=GAME))
    Inbox(desk).accept(2)
    outbox = Inbox(desk).outbox
    letters = [outbox.message(one.id).as_bytes() for one in outbox.list_letters()]
    empty = reply(desk, "France", "", Message_ID="<e@x>", Auto_Submitted="auto-replied")
    for raw in (*letters, empty):
        message = _one(desk, raw)
        assert (message.state, InboxStore(desk.file).find_passage(message.id)) == ("aside", None)


@pytest.mark.parametrize("sign", ["none", "letter", "past", "other address"])
def test_words_reach_the_game_master_whatever_signs_a_mail_has(desk: Desk, sign: str) -> None:
    """No one heard of words in answers to earlier letters (a twelfth attack)."""
    past = reply(desk, "France", "I resign, sorry.", Message_ID="<p@x>")
    desk.process("1901-spring", allow_missing=True)
    _one(desk, reply(desk, "France", "STATO\n", "1901-autumn", Message_ID="<s@x>"))
    sent = Inbox(desk).outbox.list_letters()[-1].message_id
    fields = {"In_Reply_To": sent} if sign == "letter" else {}
    raw = past if sign == "past" else mail("I resign, sorry.", **fields)
    if sign == "other address":
        raw = reply(desk, "France", "I resign, sorry.", sender="anna@office.example")
    message = _one(desk, raw)
    passage = InboxStore(desk.file).find_passage(message.id)
    assert passage
    assert "non è certo chi" in describe_passage(passage, desk, load_sentences("it"))[0]
    assert message.state == ("aside" if sign == "none" else "waiting")
    orders = _one(desk, mail(f"{ORDERS}\nI am late.", Message_ID="<o@x>", **fields))
    assert orders.state == "waiting"
    assert InboxStore(desk.file).find_passage(orders.id)


def test_a_player_who_says_the_same_again_with_the_code_is_sure(desk: Desk) -> None:
    """Words once uncertain were never told as sure (a fourteenth attack)."""
    _one(desk, reply(desk, "France", "I resign, sorry.", sender="anna@office.example"))
    sure = _one(desk, reply(desk, "France", "I resign, sorry.", Message_ID="<s@x>"))
    store = InboxStore(desk.file)
    assert store.find_passage(sure.id)
    # They are those of the power for which the mail is accepted, and go with one rejected.
    Inbox(desk).accept(1, "Italy")
    (first,) = (one for one in store.find_passages() if one.message == 1)
    assert (first.power, first.letter) == ("Italy", None)
    other = reply(desk, "France", "Two more days?", sender="anna@x.org", Message_ID="<o@x>")
    Inbox(desk).reject([_one(desk, other).id])
    assert [one.message for one in store.find_passages()] == [1, sure.id]
    # The game master may have answered what a letter told from their own mail program.
    desk.set("gm_address", "gm@example.net")
    tell_what_was_said(desk)
    again = _one(desk, reply(desk, "France", "I resign, sorry.", Message_ID="<g@x>"))
    assert store.find_passage(again.id)


def test_commands_that_read_mail_at_once_take_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The marks of one overwrote what the other had decided (a thirteenth attack)."""

    def parse_slowly(box: Inbox, *about: Any) -> Any:
        time.sleep(0.5)
        return parse(box, *about)

    def read(number: int) -> None:
        with open_desk(tmp_path / "g") as desk:
            together.wait()
            time.sleep(0.1 * number)
            list(Inbox(desk).fetch(()))

    with mail_desk(tmp_path / "g") as desk:
        Inbox(desk).keep(Found(reply(desk, "France", ORDERS), None, "x.eml"))
    together, parse = Barrier(3), Inbox._parse_mail
    monkeypatch.setattr(Inbox, "_parse_mail", parse_slowly)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(read, range(3)))
    with open_desk(tmp_path / "g") as desk:
        (message,) = InboxStore(desk.file).find_all()
    assert (message.state, message.why) == ("taken", ())


def test_the_name_of_a_letter_is_no_code(desk: Desk) -> None:
    """A mail to another player that was begun as an answer gives it away (a ninth attack)."""
    _one(desk, reply(desk, "France", "STATO\n"))
    sent = Inbox(desk).outbox.list_letters()[0]
    waiting = _one(desk, mail(ORDERS, In_Reply_To=sent.message_id, Message_ID="<x@example.org>"))
    assert (waiting.power, _codes(waiting)) == ("France", ["waits-no-code"])
    ordered = ("process", "1901-spring", "--allow-missing")
    assert "--anyway" in run_command(*ordered, cwd=desk.folder, status=1).err
    desk.process("1901-spring", allow_missing=True)
    _one(desk, reply(desk, "France", "STATO\n", "1901-autumn", Message_ID="<s@x>"))
    both = f"{sent.message_id} {Inbox(desk).outbox.list_letters()[-1].message_id}"
    assert _codes(_one(desk, mail(ORDERS, References=both, Message_ID="<z@x>"))) == [
        "waits-no-code"
    ]
    desk.end("abandon", (), "")
    after = _one(desk, mail("Well played!", In_Reply_To=sent.message_id, Message_ID="<y@x>"))
    assert _codes(after) == ["waits-no-code"]
    assert "inbox list" in run_command("status", cwd=desk.folder).out


@pytest.mark.parametrize(("fields", "code"), MAILS["doubts"])
def test_on_doubt_a_mail_waits(desk: Desk, fields: dict[str, str], code: str) -> None:
    message = _one(desk, reply(desk, "France", **{"text": ORDERS, **fields}))
    assert (message.state, _counts(desk)) == ("waiting", False)
    assert code in _codes(message)
    assert code != "waits-no-code" or message.power == "France"
    if code in ("waits-list", "waits-automatic"):  # lists and machines bring about no mail at all
        assert answers(desk) == []


def test_a_second_from_field_and_the_address_of_a_former_player_are_doubts(desk: Desk) -> None:
    raw = reply(desk, "France", ORDERS)
    # With a code it is sure who wrote a mail that is read by half (a twelfth attack).
    long = reply(desk, "France", ORDERS, Message_ID="<9@x>").split(b"\r\n\r\n")
    assert _codes(_one(desk, (b"\r\nA: b" * 1100 + b"\r\n\r\n").join(long))) == ["waits-half-read"]
    assert "in una mail breve" in " ".join(answers(desk)[-1][1].split())
    fields = [b"From: eve@x.net", b"From : eve@x.net", b"A : b\r\nFrom: eve@x"]
    fields.append(b"A" * 9000 + b": b\r\nFrom: eve@x")
    for number, field in enumerate(fields):
        two = field + b"\r\n" + reply(desk, "France", ORDERS, Message_ID=f"<2{number}@x>")
        assert "waits-several-senders" in _codes(_one(desk, two)), field
    wide = mail(ORDERS, f"anna@example.org,{' ' * 9000}eve@x.net", Message_ID="<7@x>")
    for cut in (b"A: b\r\n" * 1100 + mail(ORDERS, Message_ID="<8@x>"), wide):
        assert "waits-half-read" in _codes(_one(desk, cut))
    unseen = reply(desk, "France", ORDERS, Message_ID="<4@x>").replace(b"From:", b"A: b\rFrom:")
    assert "waits-no-sender" in _codes(_one(desk, unseen))  # for servers it has none
    desk.set_player("France", address="mass@example.org")
    eve = reply(desk, "France", ORDERS, sender="maß@example.org", Message_ID="<3@x>")
    assert _codes(_one(desk, eve)) == ["waits-other-address"]
    # Who played before knows the code (a fourth attack).
    forged = reply(desk, "France", ORDERS, sender="dino@example.org", Message_ID="<5@x>")
    desk.replace_player(Player("France", "Dino", "dino@example.org"))
    assert _codes(_one(desk, raw)) == ["waits-unknown-address"]
    assert _codes(_one(desk, forged)) == ["waits-no-code"]
    # After the end any code tells who it is, but none of a player before.
    forged = reply(desk, "Italy", ORDERS, sender="yan@example.org", Message_ID="<6@x>")
    desk.process("1901-spring", allow_missing=True)
    desk.replace_player(Player("Italy", "Yan", "yan@example.org"))
    desk.end("draw")
    assert _codes(_one(desk, forged)) == ["waits-no-code"]


def test_a_table_may_need_no_code_then_who_plays_two_powers_is_told_apart_by_it(
    tmp_path: Path,
) -> None:
    with mail_desk(tmp_path, settings={"code_needed": "no"}, now=(clock := Clock())) as desk:
        (old,) = fetch(desk, mail(f"{ORDERS}PRESS TO ITALY\nHi\nI resign.\n"), at=at(11))
        assert (_codes(old), old.state, answers(desk)) == (["aside-before-game"], "aside", [])
        assert InboxStore(desk.file).find_passages() == ()
        assert fetch(desk, _raw(desk, name="<c@x>"), at=at(11))[0].state == "taken"
        assert _one(desk, mail(ORDERS)).state == "taken"
        desk.set_player("Turkey", address=ANNA)
        assert _one(desk, reply(desk, "Turkey", "A CON H", sender=ANNA)).power == "Turkey"
        for number, (text, power) in enumerate(((ORDERS, "France"), ("A CON H", "Turkey"))):
            unsure = _one(desk, mail(text, Message_ID=f"<{number}@x>"))
            assert _codes(unsure) == ["waits-several-powers"]
            assert (unsure.power, unsure.phase) == (power, "1901-spring")
        thread = Inbox(desk).outbox.list_letters()[0].message_id
        assert _one(desk, mail("F ANK H", In_Reply_To=thread, Message_ID="<a@x>")).state == "taken"
        clock.pass_by(hours=1)
        desk.set_player("Austria", name="Dora", address="dora@example.org")
        (early,) = fetch(desk, mail("A VIE H", "dora@example.org", Message_ID="<d@x>"), at=at(12))
        assert (_codes(early), early.phase) == (["waits-former"], "1901-spring")
        desk.process("1901-spring", allow_missing=True)  # a mail from before it waits
        (old,) = fetch(desk, mail("A VEN H", BRUNO, Message_ID="<b@x>"), at=at(12))
        assert (_codes(old), old.phase) == (["waits-before-phase"], "")


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


# -- what no person wrote --------------------------------------------------------------------------


def test_what_no_person_wrote_is_left_aside(desk: Desk) -> None:
    add_standby(desk, Standby(0, "Anna", ANNA))  # whoever plays is no candidate
    for number, (fields, code) in enumerate(MAILS["machines"]):
        name = f"<{number}@example.org>"
        message = _one(desk, reply(desk, "France", "Torno lunedì.\n", Message_ID=name, **fields))
        assert (message.state, _codes(message)) == ("aside", [code]), fields
    assert answers(desk) == []


def _notification(address: str, action: str, status: str) -> bytes:
    """Return a server's notice about a mail that it could not deliver."""
    return (
        "From: MAILER-DAEMON@mx.example.org\r\nTo: game@example.org\r\n"
        "Subject: Undelivered Mail Returned to Sender\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        f"--b\r\nContent-Type: text/plain\r\n\r\nSorry: {action}.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example.org\r\n\r\n"
        f"Final-Recipient: rfc822; {address}\r\nAction: {action}\r\nStatus: {status}\r\n"
        "--b--\r\n"
    ).encode()


def test_a_bounce_names_the_player_and_a_mail_that_is_only_late_has_not_come_back(
    desk: Desk,
) -> None:
    bounced = _one(desk, _notification(BRUNO, "failed", "5.1.1"))
    assert (bounced.state, bounced.power) == ("aside", "Italy")
    assert _codes(bounced) == ["aside-bounce-unsure"]  # anybody can write that
    assert [letter.is_sure for letter in read_situation(desk).returned] == [False]
    assert BRUNO in bounced.why[0].data["addresses"]
    for power, code in (("France", "aside-bounce-unsure"), ("Italy", "aside-bounce")):
        to = reply_address(desk, power, "1901-spring").encode()  # whoever has a code can write it
        raw = _notification(BRUNO, f"failed {power}", "5.1.1").replace(b"game@example.org", to)
        assert _codes(_one(desk, raw)) == [code]
    delayed = _one(desk, _notification(BRUNO, "delayed", "4.4.1"))
    assert _codes(delayed) == ["aside-delayed"]
    assert delayed.why[0].data == {"addresses": BRUNO}


def test_two_programs_that_answer_each_other_are_stopped(tmp_path: Path) -> None:
    clock = Clock()
    with mail_desk(tmp_path, now=clock, settings={"mails_an_hour": 3, "press": "relay"}) as desk:
        states = []
        for number in range(5):
            clock.pass_by(minutes=1)
            raw = reply(desk, "France", "Sono in ferie.", Message_ID=f"<{number}@example.org>")
            states.append(_one(desk, raw).state)
        assert states == ["taken"] * 3 + ["waiting"] * 2
        assert len(answers(desk)) == 3
        clock.pass_by(hours=1)
        assert _one(desk, reply(desk, "France", ORDERS)).state == "taken"
        press = "PRESS TO ALL\nhello\nENDPRESS\n" * 3  # each piece counts
        states = [
            _one(desk, reply(desk, "France", press, Message_ID=f"<{key}@x>")).state for key in "ab"
        ]
        assert states == ["taken", "waiting"]


# -- nothing is told to who is not sure ------------------------------------------------------------


def test_who_is_registered_hears_once_a_phase_that_a_mail_waits(desk: Desk) -> None:
    """It goes to the registered address, tells nothing of the mail, and carries the code."""
    for number in range(3):
        more = {"sender": "eve@example.net", "Message_ID": f"<{number}@x>"}
        _one(desk, reply(desk, "France", "A PAR - ZZZ", **more))
    outbox = Inbox(desk).outbox
    (sent,) = outbox.list_letters()
    ((kind, text),) = answers(desk)
    code = mail_store.find_or_make_code(desk, "France", "1901-spring")
    assert (kind, sent.address) == ("note", ANNA)
    assert "eve@example.net" in text
    assert "ZZZ" not in text
    assert code in str(outbox.message(sent.id)["Reply-To"])


def test_no_note_goes_where_the_table_wants_none(tmp_path: Path) -> None:
    with mail_desk(tmp_path, settings={"waiting_note": "no"}) as desk:
        _one(desk, mail(ORDERS))
        assert answers(desk) == []


# -- when a mail came ------------------------------------------------------------------------------


def test_the_time_of_receipt_counts_not_the_senders_date(desk: Desk) -> None:
    """A mail that is older changes and withdraws no orders."""
    late = reply(desk, "France", "A PAR - PIC", Date="Mon, 01 Jan 2001 00:00:00 +0000")
    early = reply(desk, "France", "A PAR - BUR", Date="Fri, 01 Jan 2027 00:00:00 +0000")
    fetch(desk, late, at=at(11))
    for raw in (early, reply(desk, "France", "ANNULLA", Message_ID="<clear@example.org>")):
        (message,) = fetch(desk, raw, at=at(10))
        assert (message.state, _codes(message)) == ("waiting", ["waits-overtaken"])
        assert message.received == "2026-11-20T10:00:00Z"
    assert _orders(desk) == ("A PAR - PIC",)


def test_messages_are_handled_in_the_order_of_their_receipt_and_none_in_the_future(
    desk: Desk,
) -> None:
    late, early = _raw(desk, "A PAR - PIC", "<2@x>"), _raw(desk, "A PAR - BUR", "<1@x>")
    inbox = Inbox(desk)
    list(inbox.fetch([Found(late, at(11), "a"), Found(early, at(10), "b")]))
    assert [message.state for message in inbox.store.find_all()] == ["taken", "taken"]
    assert _orders(desk) == ("A PAR - PIC",)
    # The clock of a server may be ahead.
    (message,) = fetch(desk, _raw(desk, "A PAR H", "<3@x>"), at=at(12) + timedelta(days=2))
    assert message.received == "2026-11-20T12:00:00Z"


def test_a_mail_after_the_deadline_counts_until_the_phase_is_resolved(tmp_path: Path) -> None:
    clock = Clock()
    with mail_desk(tmp_path, now=clock) as desk:
        clock.pass_by(days=9)
        assert _one(desk, _raw(desk)).state == "taken"
        said = " ".join(answers(desk)[0][1].split())
        assert "dopo la scadenza" in said
        assert "Puoi cambiare idea fino a" not in said


def test_when_the_game_is_over_no_orders_are_taken(tmp_path: Path) -> None:
    with mail_desk(tmp_path, settings={"rules.last_year": 1901}) as desk:
        while desk.phase is not None:
            desk.process(str(desk.phase), allow_missing=True)
        message = _one(desk, _raw(desk, f"{ORDERS}STATO\nMAPPA\nPATTA\nANNULLA\nSTORIA\nORDINI\n"))
        assert message.state == "taken", message.why
        assert "La partita è finita" in answers(desk)[0][1]
        assert desk.verify() == ()


# -- every message once ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["<1@example.org>", ""])
def test_a_message_is_kept_byte_for_byte_and_fetched_once(tmp_path: Path, name: str) -> None:
    """Known by its Message-ID; a message without one, by what is in it."""
    with mail_desk(tmp_path) as desk:
        raw = _raw(desk, "A PAR - BÜR – ciao", name)
        stranger = mail("ciao", sender="eve@example.net", Message_ID=name.replace("1", "2"))
        message, _ = fetch(desk, raw, stranger)
        before = dump(tmp_path)
        assert Inbox(desk).store.raw(message.id) == raw == before["messages"][0][2]
        assert fetch(desk, raw, stranger) == fetch(desk, stranger, raw) == []
        assert dump(tmp_path) == before


def test_the_same_mail_from_two_folders_counts_once(desk: Desk) -> None:
    """The second copy came by another way: its fields on top differ."""
    raw = _raw(desk)
    fetch(desk, raw)
    assert fetch(desk, b"Received: by other; Fri, 20 Nov 2026 11:00:00 +0000\r\n" + raw) == []
    assert len(answers(desk)) == 1


def test_what_was_kept_and_not_handled_is_handled_by_the_next_fetch(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        inbox = Inbox(desk)
        number = inbox.keep(Found(_raw(desk), None, "a"))
        assert inbox.keep(Found(_raw(desk), None, "a")) is None
        assert [held.id for held in read_situation(desk).mails] == [number], "until then it holds"
        for act in (lambda: desk.process("1901-spring", allow_missing=True), desk.preview):
            assert _refused(act) == "mails-unhandled"
    with open_desk(tmp_path) as desk:
        (message,) = fetch(desk)
        assert (message.id, message.state) == (number, "taken")
        assert _counts(desk)
        assert len(answers(desk)) == 1


def test_what_fails_while_it_is_handled_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orders, absence, votes, press and the answer are one transaction."""
    text = f"{ORDERS}ASSENZA 24/12-6/1\nPATTA\nSTAMPA A TUTTI\nciao\nFINE STAMPA\n"
    answer = Answer.write

    def broken(self: Answer) -> Any:
        answer(self)
        raise GameError("cannot-write", path="x", why="full")

    with mail_desk(tmp_path) as desk:
        Inbox(desk).keep(Found(_raw(desk, text), None, "a"))
        before = dump(tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(Answer, "write", broken)
            assert _refused(lambda: fetch(desk)) == "cannot-write"
        assert dump(tmp_path) == before
        assert [message.state for message in fetch(desk)] == ["taken"]


def test_a_message_over_which_the_program_stumbles_keeps_no_other_out(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = Answer.write

    def broken(self: Answer) -> Any:
        if "BUR" in self.message.text:
            raise ZeroDivisionError("a bug")
        return answer(self)

    monkeypatch.setattr(Answer, "write", broken)
    bad, good = fetch(desk, _raw(desk), reply(desk, "Italy", "A ROM H"))
    assert (bad.state, bad.why[0].code) == ("waiting", "waits-stumbled")
    assert "a bug" in bad.why[0].data["why"]
    assert good.state == "taken"
    assert not _counts(desk)


def test_a_mailbox_is_read_from_the_beginning_of_the_game_then_from_its_last_mail(
    tmp_path: Path,
) -> None:
    """A fortnight before it; not from the last fetch, which may have broken off."""
    clock = Clock()
    with mail_desk(tmp_path, now=clock) as desk:
        inbox = Inbox(desk)
        assert str(inbox.since()) == "2026-11-19"
        clock.pass_by(days=80)
        came = clock.at - timedelta(days=40)
        list(inbox.fetch([Found(mail("x"), came, "imap:gm@example.org/INBOX")]))
        assert str(inbox.since()) == "2026-12-16"
        # A clock that was wrong, or the author of an export, names no day that is still to come.
        clock.pass_by(days=-75)
        assert str(inbox.since()) == "2026-11-19"
        clock.pass_by(days=-30)
        assert str(inbox.since()) == "2026-10-12"


# -- by hand ---------------------------------------------------------------------------------------


def test_a_message_that_waits_is_taken_when_the_game_master_says_so(desk: Desk) -> None:
    """It is answered, at the registered address."""
    waiting = _one(desk, reply(desk, "France", ORDERS, sender="eve@example.net"))
    message = Inbox(desk).accept(waiting.id, reason="she called me")
    assert (message.state, message.power, message.phase) == ("taken", "France", "1901-spring")
    assert _orders(desk) == TAKEN_ORDERS
    sent = Inbox(desk).outbox.list_letters()
    assert [(each.kind, each.address) for each in sent] == [("note", ANNA), ("receipt", ANNA)]
    entry = next(entry for entry in desk.history() if entry.action == "mail-accept")
    assert (entry.power, entry.reason) == ("France", "she called me")


def test_a_mail_can_be_taken_for_another_power_and_who_has_no_address_is_not_answered(
    desk: Desk,
) -> None:
    with_code = reply(desk, "Turkey", "A CON H\nA SMY H", sender="carla@example.net")
    first, second = fetch(desk, mail("A CON H", sender="carla@example.net"), with_code)
    inbox = Inbox(desk)
    assert _refused(lambda: inbox.accept(first.id)) == "accept-whose"
    assert inbox.accept(first.id, "turkey").power == "Turkey"
    assert _orders(desk, "Turkey") == ("A CON H",)
    assert inbox.accept(second.id).state == "taken"
    assert answers(desk) == []


def test_a_game_without_an_address_takes_mail_and_answers_none(tmp_path: Path) -> None:
    with mail_desk(tmp_path, settings={"mail_address": "", "code_needed": "no"}) as desk:
        assert _one(desk, mail(ORDERS)).state == "taken"
        assert _one(desk, mail("ciao", sender=BRUNO, Cc="x@y.example")).state == "taken"
        assert answers(desk) == []


def test_what_was_taken_is_not_decided_on_again_and_keeps_all_from_a_rejection(desk: Desk) -> None:
    waiting, taken = fetch(desk, mail(ORDERS), _raw(desk))
    inbox = Inbox(desk)
    assert _refused(lambda: inbox.accept(taken.id)) == "message-taken"
    assert _refused(lambda: inbox.reject([waiting.id, taken.id])) == "message-taken"
    assert _refused(lambda: inbox.accept(99)) == "no-message"
    assert inbox.store.find(waiting.id).state == "waiting"


def test_a_rejected_message_stays_and_has_no_effect(desk: Desk) -> None:
    """It is not fetched again, and may still be accepted."""
    raws = [mail(ORDERS, Message_ID=f"<{i}@x>") for i in range(2)]
    numbers = [message.id for message in fetch(desk, *raws)]
    assert [message.state for message in Inbox(desk).reject(numbers)] == ["rejected"] * 2
    assert not _counts(desk)
    assert fetch(desk, *raws) == []
    assert Inbox(desk).accept(numbers[0]).state == "taken"


# -- mails in which there is nothing to read -------------------------------------------------------

INLINE = MAILS["inline"]
PGP = "-----BEGIN PGP MESSAGE-----\n\nhQEMA0Z2\n=abcd\n-----END PGP MESSAGE-----\n"

Make = Callable[[Desk], bytes]


def _parse(raw: bytes) -> EmailMessage:
    message = BytesParser(EmailMessage, policy=SMTP).parsebytes(raw)
    assert isinstance(message, EmailMessage)
    return message


def _says(text: str) -> Make:
    return lambda desk: reply(desk, "France", text)


def _forwarded(desk: Desk) -> bytes:
    message = _parse(reply(desk, "France", ""))
    message.add_attachment(_parse(mail("A MAR - SPA", "eve@x.example")))
    return message.as_bytes()


def _with_file(kind: str, name: str, text: str = "") -> Make:
    def make(desk: Desk) -> bytes:
        message = _parse(reply(desk, "France", text))
        maintype, _, subtype = kind.partition("/")
        picture = b"\x89PNG\r\n\x1a\n"
        message.add_attachment(picture, maintype=maintype, subtype=subtype, filename=name)
        return message.as_bytes()

    return make


def _with_type(content_type: str, body: bytes) -> Make:
    def make(desk: Desk) -> bytes:
        lines = reply(desk, "France", "").split(b"\r\n")
        head = [line for line in lines if line and not line.startswith(b"Content-")]
        return b"\r\n".join((*head, f"Content-Type: {content_type}".encode(), b"", body))

    return make


SHOWN_PICTURE = (
    b'--x\r\nContent-Type: text/html\r\n\r\n<p><img src="cid:a"></p>\r\n--x\r\nContent-Type: '
    b"image/png\r\nContent-ID: <a>\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw==\r\n"
    b"--x--\r\n"
)
SECRET_PART = b"--x\r\nContent-Type: application/octet-stream\r\n\r\nabc\r\n--x--\r\n"
NOTHING: tuple[tuple[str, Make, str], ...] = (
    ("nothing", _says(""), "waits-empty"),
    ("blank lines", _says(" \n\u200b\n\xa0\n"), "waits-empty"),
    ("an empty page", _with_type("text/html", b"<html><br></html>"), "waits-empty"),
    ("only a signature", _says("\n-- \nAnna\n"), "waits-quotation"),
    ("a forwarded mail", _forwarded, "waits-forwarded"),
    ("a forwarded mail, in line", _says(INLINE), "waits-forwarded"),
    ("a document", _with_file("application/pdf", "o.pdf"), "waits-only-files"),
    ("a photograph", _with_file("image/png", "o.png"), "waits-only-picture"),
    (
        "a picture in the text",
        _with_type('multipart/related; boundary="x"', SHOWN_PICTURE),
        "waits-only-picture",
    ),
    ("PGP", _says(PGP), "waits-encrypted"),
    ("PGP/MIME", _with_type('multipart/encrypted; boundary="x"', SECRET_PART), "waits-encrypted"),
    ("S/MIME", _with_type("application/pkcs7-mime", b"abc"), "waits-encrypted"),
    (
        "another charset",
        _with_type("text/plain; charset=utf-8", b"\x81\x8d\x8f\x90\x9d " * 20),
        "waits-undecodable",
    ),
)


@pytest.mark.parametrize(("name", "make", "code"), NOTHING, ids=[name for name, *_ in NOTHING])
def test_a_mail_with_nothing_to_read_waits_and_is_not_answered(
    desk: Desk, name: str, make: Make, code: str
) -> None:
    """The player is told once that the mail waits and why; orders sent before stay in force."""
    desk.submit("France", ORDERS)
    message = _one(desk, make(desk))
    assert (message.state, [why.code for why in message.why]) == ("waiting", [code])
    ((kind, text),) = answers(desk)
    assert (kind, "niente da leggere" in " ".join(text.split())) == ("note", True)
    Inbox(desk).accept(message.id)
    assert [kind for kind, _ in answers(desk)] == ["note"]
    assert _orders(desk) == TAKEN_ORDERS


def test_orders_beside_what_cannot_be_read_are_taken(desk: Desk) -> None:
    makes = (
        _with_file("application/pdf", "o.pdf", ORDERS),
        _says(f"A MAR - SPA\n\n{INLINE}"),
        _says(f"F BRE - MAO\n\n{PGP}"),
    )
    assert [each.state for each in fetch(desk, *(make(desk) for make in makes))] == ["taken"] * 3


def test_an_answer_of_a_calendar_is_left_aside(desk: Desk) -> None:
    """The entry of a deadline can be accepted: that is no mail for anybody."""
    message = _one(desk, _with_type("text/calendar; method=REPLY", b"BEGIN:VCALENDAR")(desk))
    assert (message.state, answers(desk)) == ("aside", [])


def test_a_mail_that_asks_for_answers_elsewhere_is_answered_at_the_registered_address(
    tmp_path: Path,
) -> None:
    for code_needed in ("yes", "no"):
        with mail_desk(tmp_path / code_needed, settings={"code_needed": code_needed}) as desk:
            message = _one(desk, reply(desk, "France", ORDERS, Reply_To="work@example.net"))
            assert message.state == "taken"
            assert [letter.address for letter in Inbox(desk).outbox.list_letters()] == [ANNA]


def test_what_steers_a_terminal_is_taken_out_and_the_line_is_read(desk: Desk) -> None:
    desk.set("second_mail", "replace")
    for number, line in enumerate(MAILS["escaped"]):
        fetch(desk, _raw(desk, "A PAR H", f"<{number}@before.example>"))
        fetch(desk, _raw(desk, line, f"<{number}@example.org>"))
        assert _orders(desk) == TAKEN_ORDERS, line
    assert "\x1b" not in "".join(text for _, text in answers(desk))


# -- orders in tables ------------------------------------------------------------------------------

BOTH = ("A PAR - BUR", "F BRE H")
TABLES = MAILS["tables"]

FORMS: dict[str, list[str]] = MAILS["forms"]


def _page(table: str, form: str = "plain") -> str:
    whole, row, cell = FORMS[form]
    rows = ("".join(map(cell.format, cells.split("|"))) for cells in table.split(";"))
    return whole.format("".join(map(row.format, rows)))


def _take_table(folder: Path, page: str, plain: str | None = None) -> tuple[tuple[str, ...], str]:
    """Return the orders that a mail amounts to, and the answer to it."""
    with mail_desk(folder) as desk:
        made = _parse(reply(desk, "France", plain or ""))
        if plain is None:
            made.clear_content()
            made.set_content(page, subtype="html")
        else:
            made.add_alternative(page, subtype="html")
        assert _one(desk, made.as_bytes()).state == "taken"
        return _orders(desk), answers(desk)[0][1]


@pytest.mark.parametrize("form", one_in(5, FORMS))
def test_a_table_is_read_row_by_row_however_a_program_writes_it(tmp_path: Path, form: str) -> None:
    def check(name: str) -> None:
        orders, answer = _take_table(tmp_path / name, _page(TABLES[name], form))
        assert orders == BOTH
        for title in ("Non capito", "Impossibile", "Frasi che non"):
            assert title not in answer

    check_each([(name,) for name in TABLES], check)


def test_a_plain_text_that_breaks_the_rows_gives_way_to_the_page(tmp_path: Path) -> None:
    """Mail programs write each cell on a line of its own, or a tabulator between two."""
    table = TABLES["no titles"]
    for number, between in enumerate(("\n", "\n\n", "\t")):
        plain = table.replace("|", between).replace(";", "\n")
        assert _take_table(tmp_path / str(number), _page(table, "Word"), plain)[0] == BOTH


def test_a_table_typed_with_bars_is_read(desk: Desk) -> None:
    text = "| Unità | Ordine |\n|-------|:------|\n| A PAR | BUR |\n| F BRE | H |\n"
    fetch(desk, reply(desk, "France", text))
    assert _orders(desk) == BOTH


def test_a_row_that_is_no_order_is_in_the_answer(tmp_path: Path) -> None:
    orders, answer = _take_table(tmp_path, _page("Unità|Ordine;A PAR|BUR;F BRE|Mosca"))
    assert orders[0] == "A PAR - BUR"
    assert "F BRE" in answer.split("Impossibile", 1)[1]
    orders, answer = _take_table(tmp_path / "2", _page("Unità|Ieri|Oggi;A PAR|PIC|BUR;F BRE|H"))
    assert (orders, "«A PAR | PIC | BUR»" in answer) == (("F BRE H",), True)


def test_only_rows_of_short_cells_get_bars() -> None:
    words, inner = load_vocabulary(), _page("a|b")
    cases = [
        (_page("Mario Rossi|06 1234"), ["Mario Rossi | 06 1234"]),
        (_page("Da:|Anna"), ["Da: Anna"]),
        (_page("a<br>b|c"), ["a", "b", "c"]),
        (_page("a|"), ["a"]),
        (_page(f"x{inner}|y"), ["x", "a | b", "y"]),
        (_page(f"{'a ' * 40}|b"), [f"{'a ' * 40}b"]),
        ("<tr><td>a</td><td>b</td></tr>", ["a b"]),
    ]
    check_results(lambda page: [line.text for line in read_page(page, words).lines], cases)


@pytest.mark.parametrize(("server", "codes"), [("dmarc.x.example", ["waits-forged"]), ("y", [])])
def test_a_mail_server_may_name_each_of_its_checks(
    desk: Desk, server: str, codes: list[str]
) -> None:
    """And none of them for the good: anybody may write such a field."""
    fields = ("bimi.x.example; bimi=skipped", f"{server}; dmarc=fail header.from=example.org")
    heads = "".join(f"Authentication-Results: {field}\r\n" for field in fields)
    (row,) = fetch(desk, heads.encode() + reply(desk, "France", "A PAR - BUR"))
    assert _codes(row) == codes
