"""The inbox: every message once, whatever is repeated, interrupted or decided by hand."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.mail.answers import Answering
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.transport import Found
from tests.game.desks import Clock, dump, open_desk
from tests.mail.mail_desk import BRUNO, PLAYERS, answers, at, fetch, mail, mail_desk, reply
from tests.sizes import sampled, sized

ORDERS = "A PAR - BUR\n"


def _refused(act: Any) -> str:
    with pytest.raises(GameError) as caught:
        act()
    assert all(load_sentences(lang).error(caught.value) for lang in LANGUAGES)
    return caught.value.code


def _raw(desk: Desk, text: str = ORDERS, name: str = "<1@example.org>") -> bytes:
    return reply(desk, "France", text, Message_ID=name)


# -- once ------------------------------------------------------------------------------------------


def test_a_message_is_kept_byte_for_byte(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        raw = _raw(desk, "A PAR - BÜR – ciao")
        (message,) = fetch(desk, raw)
        assert Inbox(desk).raw(message.id) == raw
        assert dump(tmp_path)["messages"][0][2] == raw


@pytest.mark.parametrize("name", ["<1@example.org>", ""])
def test_to_fetch_twice_changes_nothing(tmp_path: Path, name: str) -> None:
    """Known by its Message-ID; a message without one, by what is in it."""
    with mail_desk(tmp_path) as desk:
        other = name.replace("1", "2")
        raws = [_raw(desk, name=name), mail("ciao", sender="eve@example.net", Message_ID=other)]
        assert len(fetch(desk, *raws)) == 2
        before = dump(tmp_path)
        assert fetch(desk, *raws) == []
        assert fetch(desk, *reversed(raws)) == []
        assert dump(tmp_path) == before


def test_the_same_mail_from_two_folders_counts_once(tmp_path: Path) -> None:
    """The second copy came by another way: its fields on top differ."""
    with mail_desk(tmp_path) as desk:
        raw = _raw(desk)
        fetch(desk, raw)
        copy = b"Received: by other; Fri, 20 Nov 2026 11:00:00 +0000\r\n" + raw
        assert fetch(desk, copy) == []
        assert len(answers(desk)) == 1


def test_messages_are_handled_in_the_order_of_their_receipt(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        late, early = _raw(desk, "A PAR - PIC", "<2@x>"), _raw(desk, "A PAR - BUR", "<1@x>")
        inbox = Inbox(desk)
        list(inbox.fetch([Found(late, at(11), "a"), Found(early, at(10), "b")]))
        assert [message.state for message in inbox.list_messages()] == ["taken", "taken"]
        assert desk.pending(reason="t")["France"] == ("A PAR - PIC",)


# -- interrupted -----------------------------------------------------------------------------------


def test_what_was_kept_and_not_handled_is_handled_by_the_next_fetch(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        inbox = Inbox(desk)
        number = inbox.keep(Found(_raw(desk), None, "a"))
        assert inbox.keep(Found(_raw(desk), None, "a")) is None
    with open_desk(tmp_path) as desk:
        (message,) = fetch(desk)
        assert (message.id, message.state) == (number, "taken")
        assert desk.receipt("France") is not None
        assert len(answers(desk)) == 1


def test_what_fails_while_it_is_handled_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orders, absence, votes, press and the answer are one transaction."""
    text = f"{ORDERS}ASSENZA 24/12-6/1\nPATTA\nSTAMPA A TUTTI\nciao\nFINE STAMPA\n"
    answer = Answering.answer

    def broken(self: Answering, *arguments: Any) -> Any:
        answer(self, *arguments)
        raise GameError("cannot-write", path="x", why="full")

    with mail_desk(tmp_path) as desk:
        inbox = Inbox(desk)
        inbox.keep(Found(_raw(desk, text), None, "a"))
        before = dump(tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(Answering, "answer", broken)
            assert _refused(lambda: fetch(desk)) == "cannot-write"
        assert dump(tmp_path) == before
        assert [message.state for message in fetch(desk)] == ["taken"]


def test_a_message_over_which_the_program_stumbles_keeps_no_other_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = Answering.answer

    def broken(self: Answering, head: Any, message: Any, *rest: Any) -> Any:
        if "BUR" in message.text:
            raise ZeroDivisionError("a bug")
        return answer(self, head, message, *rest)

    monkeypatch.setattr(Answering, "answer", broken)
    with mail_desk(tmp_path) as desk:
        bad, good = fetch(desk, _raw(desk), reply(desk, "Italy", "A ROM H"))
        assert (bad.state, bad.why[0].code) == ("waiting", "waits-stumbled")
        assert "a bug" in bad.why[0].data["why"]
        assert good.state == "taken"
        assert desk.receipt("France") is None


KILLED = """
import os, sys
from pathlib import Path
from alexmagnum.mail import inbox
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.transport import Found
from tests.game.desks import open_desk

folder, raw, when = Path(sys.argv[1]), Path(sys.argv[2]).read_bytes(), sys.argv[3]
kill = lambda *arguments: os._exit(9)
if when == "before":
    Inbox.handle = kill
elif when == "within":
    Inbox._set = kill
with open_desk(folder) as desk:
    list(Inbox(desk).fetch([Found(raw, None, "x")]))
    if when == "after":
        kill()
"""


@sampled
@pytest.mark.parametrize("when", ["before", "within", "after"])
def test_killed_at_any_point_it_takes_every_mail_once(tmp_path: Path, when: str) -> None:
    """Before the second transaction, within it, and after it."""
    folder, script = tmp_path / "g", tmp_path / "killed.py"
    with mail_desk(folder) as desk:
        raw = _raw(desk)
        (tmp_path / "raw").write_bytes(raw)
    script.write_text(textwrap.dedent(KILLED), "utf-8")
    command = [sys.executable, str(script), str(folder), str(tmp_path / "raw"), when]
    root = Path(__file__).parents[2]
    for _ in range(sized(1, 2)):
        done = subprocess.run(command, env={"PYTHONPATH": str(root)}, check=False, timeout=300)
        assert done.returncode == 9
    with open_desk(folder) as desk:
        fetch(desk, raw)
        assert [message.state for message in Inbox(desk).list_messages()] == ["taken"]
        receipt = desk.receipt("France")
        assert receipt is not None
        assert receipt.number == 1
        assert len(answers(desk)) == 1
        assert desk.verify() == ()


# -- late ------------------------------------------------------------------------------------------


def test_a_mail_after_the_deadline_counts_until_the_phase_is_resolved(tmp_path: Path) -> None:
    clock = Clock()
    with mail_desk(tmp_path, now=clock) as desk:
        clock.pass_by(days=9)
        (message,) = fetch(desk, _raw(desk))
        assert message.state == "taken"
        said = " ".join(answers(desk)[0][1].split())
        assert "dopo la scadenza" in said
        assert "Puoi cambiare idea fino a" not in said


def test_when_the_game_is_over_no_orders_are_taken(tmp_path: Path) -> None:
    with mail_desk(tmp_path, settings={"rules.last_year": 1901}) as desk:
        while desk.phase is not None:
            desk.process(str(desk.phase), allow_missing=True)
        raw = _raw(desk, f"{ORDERS}STATO\nMAPPA\nPATTA\nANNULLA\nSTORIA\nORDINI\n")
        (message,) = fetch(desk, raw)
        assert message.state == "taken", message.why
        assert "La partita è finita" in answers(desk)[0][1]
        assert desk.verify() == ()


# -- by hand ---------------------------------------------------------------------------------------


def test_a_message_that_waits_is_taken_when_the_game_master_says_so(tmp_path: Path) -> None:
    """It is answered, at the registered address."""
    with mail_desk(tmp_path) as desk:
        (waiting,) = fetch(desk, reply(desk, "France", ORDERS, sender="eve@example.net"))
        message = Inbox(desk).accept(waiting.id, reason="she called me")
        assert (message.state, message.power, message.phase) == ("taken", "France", "1901-spring")
        assert desk.pending(reason="t")["France"] == ("A PAR - BUR",)
        sent = Inbox(desk).outbox.list_letters()
        assert [(each.kind, each.address) for each in sent] == [
            ("note", "anna@example.org"),
            ("receipt", "anna@example.org"),
        ]
        entry = next(entry for entry in desk.history() if entry.action == "mail-accept")
        assert (entry.power, entry.reason) == ("France", "she called me")


def test_it_can_be_taken_for_another_power(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        (waiting,) = fetch(desk, mail("A CON H", sender="carla@example.net"))
        assert _refused(lambda: Inbox(desk).accept(waiting.id)) == "accept-whose"
        assert Inbox(desk).accept(waiting.id, "turkey").power == "Turkey"
        assert desk.pending(reason="t")["Turkey"] == ("A CON H",)


def test_who_has_no_address_is_not_answered(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        raw = reply(desk, "Turkey", "A CON H", sender="carla@example.net")
        (waiting,) = fetch(desk, raw)
        Inbox(desk).accept(waiting.id)
        assert answers(desk) == []


def test_a_game_without_an_address_takes_mail_and_answers_none(tmp_path: Path) -> None:
    with mail_desk(tmp_path, settings={"mail_address": "", "code_needed": "no"}) as desk:
        assert fetch(desk, mail(ORDERS))[0].state == "taken"
        assert fetch(desk, mail("ciao", sender=BRUNO, Cc="x@y.example"))[0].state == "taken"
        assert answers(desk) == []


def test_what_was_taken_is_not_decided_on_again(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        (message,) = fetch(desk, _raw(desk))
        inbox = Inbox(desk)
        assert _refused(lambda: inbox.accept(message.id)) == "message-taken"
        assert _refused(lambda: inbox.reject([message.id])) == "message-taken"
        assert _refused(lambda: inbox.accept(99)) == "no-message"


def test_a_rejected_message_stays_and_has_no_effect(tmp_path: Path) -> None:
    """It is not fetched again, and may still be accepted."""
    with mail_desk(tmp_path) as desk:
        raws = [mail(ORDERS, Message_ID=f"<{i}@x>") for i in range(2)]
        numbers = [message.id for message in fetch(desk, *raws)]
        rejected = Inbox(desk).reject(numbers)
        assert [message.state for message in rejected] == ["rejected"] * 2
        assert desk.receipt("France") is None
        assert fetch(desk, *raws) == []
        assert Inbox(desk).accept(numbers[0]).state == "taken"


def test_one_that_cannot_be_rejected_keeps_all_from_it(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        waiting, taken = fetch(desk, mail(ORDERS), _raw(desk))
        assert _refused(lambda: Inbox(desk).reject([waiting.id, taken.id])) == "message-taken"
        assert Inbox(desk).find(waiting.id).state == "waiting"


# -- quotation -------------------------------------------------------------------------------------


def test_what_was_sent_to_the_player_is_quotation_however_it_is_marked(tmp_path: Path) -> None:
    """The receipt of the spring stands below the new order, without a mark."""
    with mail_desk(tmp_path) as desk:
        desk.set("second_mail", "replace")
        fetch(desk, _raw(desk, "A PAR - BUR\nF BRE - MAO\nA MAR S A PAR - BUR"))
        quoted = answers(desk)[0][1]
        raw = _raw(desk, f"A PAR - PIC\n\n{quoted}", "<2@x>")
        fetch(desk, raw)
        assert desk.pending(reason="t")["France"] == ("A PAR - PIC",)


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


def test_the_players_of_these_tests_are_two_with_an_address() -> None:
    assert [bool(player.address) for player in PLAYERS] == [True, True, False]
