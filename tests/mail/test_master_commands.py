"""The game master's commands by mail: asked for, confirmed once, answered, and forged in vain."""

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from io import BytesIO
from itertools import count
from pathlib import Path
from unittest.mock import Mock

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Standby, digest
from alexmagnum.game.mail_store import COMMANDS, InboxStore, Message
from alexmagnum.game.people import add_standby
from alexmagnum.i18n.dates import parse_iso
from alexmagnum.mail.drafts import draft_written_letters
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.letters import Readers
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.transport import Carrier, DeliveryUnknown, NotSent, Seal
from alexmagnum.workflow import master
from alexmagnum.workflow.publish import send_letters
from alexmagnum.workflow.situation import note_failures
from alexmagnum.workflow.tick import run_tick
from tests.commands import run_command
from tests.game.desks import Clock
from tests.mail.mail_desk import ANNA, GAME, answers, fetch, mail, mail_desk, reply
from tests.mail.smtp_server import list_letters_to_master

GM = "master@example.net"
NUMBERS = count()


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    settings = {"gm_address": GM, "pictures": "no", "lang": "en", "gm_letters": "all"}
    with mail_desk(tmp_path / "game", settings=settings, now=clock) as desk:
        yield desk


def _text(desk: Desk) -> str:
    """Return the words of the last answer to the game master, on one line."""
    return " ".join(_answers(desk)[-1].get_content().split())


def _answers(desk: Desk) -> list[EmailMessage]:
    return [one for one in list_letters_to_master(desk) if "Your commands" in str(one["Subject"])]


def _begin(desk: Desk) -> EmailMessage:
    """Let a stranger's mail wait, so that the game master has a letter to answer."""
    fetch(desk, mail("A PAR - BUR", "stranger@example.org", Message_ID=f"<{next(NUMBERS)}@x>"))
    run_tick(desk, (), BytesIO())
    return list_letters_to_master(desk)[-1]


def _answer(
    desk: Desk, letter: EmailMessage, text: str, sender: str = GM, **fields: str
) -> Message:
    """Answer a letter as the game master, let the tick do it, and return the mail."""
    known = {"Message_ID": f"<{next(NUMBERS)}@gm>", "Subject": f"Re: {letter['Subject']}"}
    (row,) = fetch(desk, mail(text, sender, str(letter["Reply-To"]), **{**known, **fields}))
    run_tick(desk, (), BytesIO())
    return InboxStore(desk.file).find(row.id)


def _say(desk: Desk, text: str) -> EmailMessage:
    """Answer the last letter, and return the game's answer."""
    _answer(desk, (_answers(desk) or list_letters_to_master(desk))[-1], text)
    return _answers(desk)[-1]


def test_status_and_help_are_answered_with_the_situation_and_no_order(desk: Desk) -> None:
    fetch(desk, reply(desk, "Italy", "A VEN - TYR", Message_ID="<it@x>"))
    _answer(desk, _begin(desk), "Hi!\nstatus, please\n\nMaster\n\n> PROCESS 1901-spring\n")
    assert "complete: 0 of 7" in _text(desk)
    assert "France (Anna Neri)" in _text(desk)
    assert "TYR" not in _text(desk)
    assert "would be resolved" not in _text(desk)
    assert "REPLY 12" in _text(desk)
    assert "PROCESS 1901-spring" in " ".join(_say(desk, "AIUTO").get_content().split())
    desk.set("gm_address", GAME)  # a game master may lend the game their own
    letter = list_letters_to_master(desk)[-1]
    assert _answer(desk, letter, "status", GAME).why[0].code == f"{COMMANDS}-done"
    assert _answer(desk, letter, "help", GAME, X_Alexmagnum="x").why[0].code == "aside-own"


def test_a_phase_is_resolved_only_when_it_is_confirmed(desk: Desk) -> None:
    _begin(desk)
    asked = _say(desk, "PROCESS 1901-spring")
    fetch(desk, mail("CONFIRM", GM, str(asked["Reply-To"]), Message_ID="<unread@gm>"))
    # Orders may lie in the mailbox: it was confirmed without them (a ninth attack).
    unread = GameError("password-missing", user="gm", host="imap.x", variable="SECRET")
    desk.set("imap_server", "imap.x")
    run_tick(desk, (), BytesIO(), fetched=(), began=desk.stamp(), unread=[unread])
    assert "no longer as you were told" in _text(desk)
    assert "imap.x" in _text(desk)
    assert "--anyway" in run_command("process", "1901-spring", cwd=desk.folder, status=1).err
    asked = _say(desk, "PROCESS 1901-spring BECAUSE all agreed")
    assert "would be resolved" in _text(desk)
    assert "France (Anna Neri)" in _text(desk)
    assert str(desk.phase) == "1901-spring"

    row = _answer(desk, asked, "Ok")
    assert str(desk.phase) == "1901-autumn"
    assert "“PROCESS 1901-spring BECAUSE all agreed”: done" in _text(desk)
    entry = next(one for one in desk.history() if one.action == "process")
    assert (entry.actor, entry.reason) == (f"gm, mail {row.id}", "all agreed")


def test_a_phase_is_confirmed_whatever_the_words_of_a_server_that_withholds_a_mail(
    desk: Desk,
) -> None:
    """With the time in them, they never were as told (a twelfth attack)."""
    letter = _begin(desk)
    desk.set("imap_server", "imap.x")
    note_failures(desk, [GameError("mail-no-server", where="former", why="of an earlier tick")])
    for text in ("PROCESS 1901-spring", "CONFIRM"):
        fetch(desk, mail(text, GM, str(letter["Reply-To"]), Message_ID=f"<{text[0]}@gm>"))
        unread = GameError("imap-failed", host="imap.x", why=f"at {text}")
        run_tick(desk, (), BytesIO(), fetched=(), began=desk.stamp(), unread=[unread])
        letter = _answers(desk)[-1]
        assert "earlier tick" not in _text(desk)
    assert str(desk.phase) == "1901-autumn"


@pytest.mark.proof
def test_nothing_is_confirmed_twice_or_late_or_when_things_have_changed(desk: Desk) -> None:
    desk.set_deadline(desk.now().replace(hour=20))
    before = desk.deadline
    _begin(desk)
    first = _say(desk, "EXTEND 1 day BECAUSE Bruno is ill")
    fetch(desk, reply(desk, "Italy", "A VEN - TYR", Message_ID="<a@x>"))
    _answer(desk, first, "CONFIRM")
    moved = desk.deadline
    assert moved > before
    _answer(desk, first, "CONFIRM")
    assert "nothing that this code confirms" in _text(desk)
    assert desk.deadline == moved

    second = _say(desk, "PROCESS 1901-spring")
    desk.vote("France", "wait")
    _answer(desk, second, "CONFIRM")
    assert "no longer as you were told" in _text(desk)
    assert str(desk.phase) == "1901-spring"

    third = _say(desk, "PROCESS 1901-spring")
    desk.process("1901-spring", allow_missing=True)
    _answer(desk, third, "CONFIRM")
    assert "1901-spring is not the open phase" in _text(desk)
    assert str(desk.phase) == "1901-autumn"


def test_who_has_not_the_code_or_not_the_address_does_nothing(desk: Desk) -> None:
    letter = _begin(desk)
    asked = _say(desk, "PROCESS 1901-spring")
    told = len(list_letters_to_master(desk))
    forged = {"Authentication_Results": "mx.example.org; spf=fail; dmarc=fail"}
    assert _answer(desk, asked, "CONFIRM", "evil@example.com").state == "waiting"
    assert _answer(desk, asked, "A PAR - BUR", ANNA).why[0].code == "waits-code-of-master"
    assert _answer(desk, asked, "CONFIRM", **forged).state == "waiting"
    (row,) = fetch(desk, mail("PROCESS 1901-spring", GM, Message_ID="<no-code@x>"))
    assert (row.state, row.why[0].code) == ("aside", "aside-gm")
    assert _answer(desk, letter, "CONFIRM").why[0].code == "aside-commands-done"
    assert "nothing that this code confirms" in _text(desk)
    assert str(desk.phase) == "1901-spring"
    assert told < len(list_letters_to_master(desk))


@pytest.mark.proof
def test_reminders_are_not_sent_twice_by_a_mail_that_comes_twice(desk: Desk, clock: Clock) -> None:
    _begin(desk)
    asked = _say(desk, "SOLLECITA")
    assert "France (Anna Neri)" in _text(desk)
    for _ in range(2):
        _answer(desk, asked, "Va bene, grazie")
        clock.pass_by(days=1)
    assert "nothing that this code confirms" in _text(desk)
    reminders = [one for one in Outbox(desk).list_letters() if one.kind == "reminder"]
    assert [one.state for one in reminders] == ["sent", "sent"]


def test_a_reply_has_the_words_below_it_without_signature_and_quotation(desk: Desk) -> None:
    (said,) = fetch(desk, reply(desk, "Italy", "May I have more time?", Message_ID="<q@x>"))
    letter = _begin(desk)
    said_below = "Two days, Bruno.\nOK\n\nStatus is fine.\nSTATUS\n-- \n> STOP"
    _answer(desk, letter, f"1) REPLY 99 x\n2) Reply {said.id}\n{said_below}")

    (sent,) = [text for kind, text in answers(desk) if kind == "letter"]
    assert "Two days, Bruno.\nOK\n\nStatus is fine.\n" in sent
    assert "STATUS" not in sent
    assert "Master\n" not in sent.replace("game master", "")
    _answer(desk, letter, f"REPLY {said.id} Two days.")
    assert "has been answered" in _text(desk)


@pytest.mark.proof
def test_mails_are_accepted_and_players_replaced(desk: Desk) -> None:
    add_standby(desk, Standby(0, "Gaia", "gaia@example.org"))
    _begin(desk)
    waiting = fetch(desk, mail("A PAR - BUR", "anna@work.example", Message_ID="<w@x>"))[0].id
    _say(desk, f"ACCETTA {waiting} France\nREPLACE Italy Carla <carla@example.org> BECAUSE he left")
    assert f"mail {waiting} from anna@work.example would be taken, for France" in _text(desk)
    assert "Carla <carla@example.org> would play in place of Italy (Bruno Bianchi)" in _text(desk)
    _say(desk, "Confermo")
    assert InboxStore(desk.file).find(waiting).state == "taken"
    assert desk.receipt("France") is not None
    assert {p.power: p.name for p in desk.players}["Italy"] == "Carla"

    _say(desk, "SOSTITUISCI Turkey RISERVA 1")
    _say(desk, "OK")
    assert {p.power: p.name for p in desk.players}["Turkey"] == "Gaia"
    _say(desk, "ACCEPT many\nFOO BAR")
    assert "no message many" in _text(desk) or "many" in _text(desk)
    assert "Not understood, and not done: «FOO BAR»" in _text(desk)


def test_a_game_master_who_plays_commands_only_with_the_code_of_a_letter_to_them(
    desk: Desk,
) -> None:
    desk.set_player("Italy", address=GM)
    (row,) = fetch(desk, reply(desk, "Italy", "A VEN - TYR\nSTATUS", sender=GM, Message_ID="<p@x>"))
    assert row.state == "taken"
    mine = _answer(desk, _begin(desk), "A VEN - PIE\nPROCESS 1901-spring")
    assert mine.why[0].code == "aside-commands-done"
    assert "«A VEN - PIE»" in _text(desk)
    receipt = desk.receipt("Italy")
    assert receipt is not None
    assert receipt.orders == ("A VEN - TYR",)


def test_an_anonymous_game_refuses_a_reason_with_a_name(desk: Desk) -> None:
    desk.set("names", "hidden")
    desk.set_deadline(desk.now().replace(hour=20))
    _begin(desk)
    _say(desk, "EXTEND 1 day BECAUSE Bruno Bianchi is ill")
    assert "the text would tell the players who plays" in _text(desk)
    _say(desk, "CONFIRM")
    assert not any("Bruno Bianchi is ill" in text for _, text in answers(desk))


def test_a_mail_whose_tick_was_killed_is_answered_and_not_done_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    _begin(desk)
    asked = _say(desk, "PROCESS 1901-spring")

    def die(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("alexmagnum.workflow.master.process_phase", die)
        with pytest.raises(KeyboardInterrupt):
            _answer(desk, asked, "CONFIRM")
    run_tick(desk, (), BytesIO())
    assert "the computer was stopped" in _text(desk)
    assert str(desk.phase) == "1901-spring"


def test_what_waits_to_be_confirmed_holds_the_phase(desk: Desk, clock: Clock) -> None:
    """For half a day: the game master may have changed their mind."""
    desk.set("missing", "hold")
    letter = _begin(desk)
    clock.at = parse_iso(desk.deadline) - timedelta(minutes=1)
    _answer(desk, letter, "EXTEND 1 day BECAUSE Bruno is ill")
    clock.pass_by(minutes=2)
    held = run_tick(desk, (), BytesIO(), processes=True)
    assert (held.situation.blocks[-1], str(desk.phase)) == ("block-unconfirmed", "1901-spring")
    clock.pass_by(hours=13)
    run_tick(desk, (), BytesIO(), processes=True)
    assert str(desk.phase) == "1901-autumn"


def test_a_program_that_answers_by_itself_is_answered_once(desk: Desk) -> None:
    letter, away = _begin(desk), "I am at the sea until Monday. Ask Carla."
    asked = _say(desk, away)
    assert "Not understood" in _text(desk)
    count = len(list_letters_to_master(desk))
    assert _answer(desk, asked, away).why[0].code == "aside-auto-reply"
    assert len(list_letters_to_master(desk)) == count
    _answer(desk, asked, "stats")
    _answer(desk, letter, away)
    assert len(list_letters_to_master(desk)) == count + 2


def test_an_answer_that_may_have_gone_is_not_sent_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Torn(Carrier):
        def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
            seal()
            raise DeliveryUnknown("mail-unsure", why="the line broke")

        def close(self) -> None:
            pass

    letter = _begin(desk)
    with monkeypatch.context() as patch:
        patch.setattr(master, "choose_carrier", lambda *_: Torn())
        row = _answer(desk, letter, "STATUS")
    for _ in range(2):
        run_tick(desk, (), BytesIO())
    assert InboxStore(desk.file).find(row.id).why[0].code == "aside-commands-done"
    assert len(_answers(desk)) == 1


def test_the_code_of_the_game_master_never_goes_to_a_player(desk: Desk) -> None:
    (said,) = fetch(desk, reply(desk, "Italy", "May I have more time?", Message_ID="<q@x>"))
    letter = _begin(desk)
    _answer(desk, letter, f"REPLY {said.id} Yes.\nSubject: {letter['Subject']}")

    (sent,) = [text for kind, text in answers(desk) if kind == "letter"]
    assert "(GM-********)" in sent
    kept = draft_written_letters(Outbox(desk), letter["Subject"], Readers(("Italy",))).drafted
    assert [one.problem.code for one in send_letters(Outbox(desk), kept) if one.problem] == [
        "draft-for-master"
    ]


def test_a_command_in_the_words_of_an_earlier_one_is_no_quotation(desk: Desk) -> None:
    """Nor is one of a tick that follows a killed one its repetition (a sixteenth attack)."""
    words = "EXTEND 1 day BECAUSE Trieste is snowed in and nobody can leave the house"
    desk.call, desk.unfinished = "tick", digest("tick")
    for days in (1, 2):
        before = parse_iso(desk.deadline)
        _answer(desk, _begin(desk) if days == 1 else _answers(desk)[-1], f"REMIND\n{words}")
        _say(desk, "CONFIRM")
        assert parse_iso(desk.deadline) - before == timedelta(days=1)


def test_a_quotation_without_marks_is_no_command(desk: Desk, clock: Clock) -> None:
    letter = _begin(desk)
    clock.pass_by(hours=1)
    asked = _say(desk, "PROCESS 1901-spring\nREMIND")
    clock.pass_by(hours=1)
    _answer(desk, asked, f"STATUS\n\n{asked.get_content()}")
    assert "complete: 0 of 7" in _text(desk)
    assert "would be resolved" not in _text(desk)
    assert str(letter["Reply-To"]) != str(asked["Reply-To"])


def test_an_answer_that_does_not_go_keeps_no_phase_back(
    desk: Desk, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is refused for good counts as given."""
    letter, carry = _begin(desk), Mock(side_effect=NotSent("mail-refused", why="spam"))
    monkeypatch.setattr(master, "choose_carrier", lambda _: Mock(carry=carry))
    assert _answer(desk, letter, "status").why[0].code == f"{COMMANDS}-done"
    carry.side_effect = NotSent("mail-later", why="busy")
    Inbox(desk).reject([1])
    desk.set("missing", "hold")
    _answer(desk, letter, "status")
    clock.pass_by(days=9)
    run_tick(desk, (), BytesIO(), processes=True)
    assert str(desk.phase) == "1901-autumn"
