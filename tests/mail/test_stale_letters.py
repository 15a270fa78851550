"""No letter leaves the house that no longer holds: it is withdrawn, or written anew."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.mail_store import DRAFT, DROPPED, SENT, Mailing
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.outbox import DRAFTS, WITHDRAWN, Outbox
from alexmagnum.workflow.publish import open_outbox, process_phase, send_letters, update_letters
from tests.game.desks import NOON, Clock
from tests.mail.mail_desk import fetch, mail_desk, reply


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    with mail_desk(tmp_path / "game", now=clock) as opened:
        opened.set("pictures", "no")
        yield opened


def _letters(desk: Desk, kind: str, state: str = DRAFT) -> list[Mailing]:
    return [one for one in open_outbox(desk).list_letters((state,)) if one.kind == kind]


def _send_all(desk: Desk) -> list[str]:
    """Send everything, and return the kinds of the letters that went."""
    return [done.mailing.kind for done in send_letters(open_outbox(desk)) if done.state == SENT]


def _why(desk: Desk, kind: str) -> list[str]:
    return [one.problem.code for one in _letters(desk, kind, DROPPED) if one.problem is not None]


def _journal(desk: Desk, action: str) -> list[dict[str, object]]:
    return [dict(entry.detail) for entry in desk.history() if entry.action == action]


@pytest.mark.parametrize("text", ["A PAR - BUR", "STATO", "MAPPA", "AIUTO", "STORIA"])
def test_an_answer_is_withdrawn_while_its_phase_is_closed(desk: Desk, text: str) -> None:
    fetch(desk, reply(desk, "France", text))
    (answer,) = _letters(desk, "receipt")
    desk.process("1901-spring", allow_missing=True)
    assert _letters(desk, "receipt") == []
    assert _why(desk, "receipt") == ["letter-overtaken"]
    (noted,) = _journal(desk, "mail-withdraw")
    assert noted == {"letters": [answer.id], "why": "letter-overtaken"}
    desk.undo()
    assert [one.id for one in _letters(desk, "receipt")] == [answer.id]


_SAYING_MORE = ("STORIA", "A PAR - BUR\nA MAR - XYZ", "A PAR - BUR\nSTAMPA A ITALIA\nCiao")


@pytest.mark.parametrize(("text", "left"), [("A PAR - BUR", 1), *((x, 2) for x in _SAYING_MORE)])
def test_an_answer_that_tells_orders_is_withdrawn_when_a_later_mail_changes_them(
    desk: Desk, text: str, left: int
) -> None:
    fetch(desk, reply(desk, "France", text))
    fetch(desk, reply(desk, "France", "A PAR - PIC"))
    assert len(_letters(desk, "receipt")) == left
    assert _why(desk, "receipt") == ["letter-orders-changed"] * (2 - left)
    told = " ".join(Outbox(desk).text(one) for one in _letters(desk, "receipt"))
    assert ("non sono più in vigore" in told) == text.startswith("A PAR - BUR\n")


@pytest.mark.parametrize("text", [_SAYING_MORE[1], "CONCEDO", "STAMPA A NESSUNO\nCiao"])
def test_what_only_an_answer_says_is_told_although_its_phase_is_over(desk: Desk, text: str) -> None:
    """Players believed that a vote or press had been noted (a sixteenth attack)."""
    fetch(desk, reply(desk, "France", text))
    (answer,) = _letters(desk, "receipt")
    box, before = Outbox(desk), " ".join(f"{Outbox(desk).text(answer)} Ciao!".split())
    (box.folder / DRAFTS / answer.file).write_bytes(box.mail(answer.id) + b"Ciao!\n")
    desk.process("1901-spring", allow_missing=True)
    said = "La fase di questa risposta è finita: ciò che dice di ordini e scadenza non vale più."
    for change in (desk.undo, desk.redo):
        told = " ".join(open_outbox(desk).text(answer).split())
        assert told.removeprefix(f"{said} " if change == desk.undo else "") == before
        change()
    assert "receipt" in _send_all(desk)


def test_who_voted_is_told_that_the_vote_has_fallen(desk: Desk) -> None:
    """A correction took it away in silence (a seventeenth attack)."""
    desk.process("1901-spring", allow_missing=True)
    fetch(desk, reply(desk, "France", "PATTA"), reply(desk, "France", "STATO", Message_ID="<2@x>"))
    desk.amend("1901-spring", "France", "A PAR - BUR", reason="misread")
    assert [one.code for one in desk.warnings] == ["votes-fell"]
    told = [" ".join(open_outbox(desk).text(one).split()) for one in _letters(desk, "report")]
    assert sum("I tuoi voti in questa fase sono caduti" in text for text in told) == 1


def test_a_reminder_is_written_anew_with_the_orders_and_the_deadline_in_force(desk: Desk) -> None:
    update_letters(desk, day="2026-11-20")
    fetch(desk, reply(desk, "France", "A PAR - BUR"))
    desk.set_deadline(NOON.replace(day=29))
    box = open_outbox(desk)
    texts = {one.power: " ".join(box.text(one).split()) for one in _letters(desk, "reminder")}
    assert "F BRE, A MAR" in texts["France"]
    assert "I tuoi ordini in vigore: A PAR - BUR." in texts["France"]
    assert "si aggiunge" in texts["France"]
    assert all("29 novem" in text.casefold() for text in texts.values())
    fetch(desk, reply(desk, "France", "F BRE H\nA MAR H"))
    assert "France" not in [one.power for one in _letters(desk, "reminder")]


ORDERS_OF_ITALY = "A ROM H\nA VEN H\nF NAP H"


def _texts_to_italy(desk: Desk, kind: str) -> str:
    box = Outbox(desk)
    found = [one for one in _letters(desk, kind) if one.power == "Italy"]
    return " ".join(" ".join(box.text(one).split()) for one in found)


def test_nobody_whose_orders_are_in_is_asked_for_orders_again(desk: Desk, clock: Clock) -> None:
    """Whatever is written to them about the open phase: a deadline, an end that was undone."""
    update_letters(desk, opening=True)
    _send_all(desk)
    desk.submit("Italy", ORDERS_OF_ITALY)
    asked = {}
    clock.pass_by(hours=1)
    desk.set_deadline(NOON.replace(day=29))
    update_letters(desk)
    asked["set"] = _texts_to_italy(desk, "deadline")
    desk.extend(NOON.replace(day=30))
    update_letters(desk)
    asked["extended"] = _texts_to_italy(desk, "deadline")
    _send_all(desk)
    clock.pass_by(hours=1)
    desk.end("abandon")
    update_letters(desk)
    _send_all(desk)
    desk.undo()
    update_letters(desk)
    asked["undo of the end"] = _texts_to_italy(desk, "ending")

    for what, text in asked.items():
        assert "nothing is missing" in text, what
        assert "Please send" not in text, what
        assert "with your orders" not in text, what


def test_a_letter_that_waits_asks_for_what_is_missing_when_it_is_sent(desk: Desk) -> None:
    update_letters(desk, opening=True)
    assert "Please send:" in _texts_to_italy(desk, "phase")
    desk.submit("Italy", "A ROM H")
    assert "you still have to send: F NAP, A VEN." in _texts_to_italy(desk, "phase")
    desk.submit("Italy", "F NAP H\nA VEN H")
    assert "nothing is missing" in _texts_to_italy(desk, "phase")


def test_a_report_says_what_is_due_when_it_is_sent(desk: Desk) -> None:
    """The report of spring was not sent before autumn was processed as well."""
    desk.process("1901-spring", allow_missing=True)
    update_letters(desk)
    desk.process("1901-autumn", allow_missing=True)
    reports = [one for one in _letters(desk, "report") if "1901-spring" in _reported(desk, one)]
    assert reports
    assert {one.phase for one in reports} == {str(desk.phase)}
    assert all(one.grounds["phase"] == str(desk.phase) for one in reports)
    box = Outbox(desk)
    assert all("Autunno 1901" not in box.text(one).partition("====")[0] for one in reports)
    assert {entry["why"] for entry in _journal(desk, "mail-rewrite")} == {"letter-overtaken"}


def test_a_report_that_goes_by_itself_later_says_what_is_due_then(desk: Desk) -> None:
    desk.process("1901-spring", allow_missing=True)
    update_letters(desk)
    desk.set("reports", "send")
    process_phase(desk, "1901-autumn", allow_missing=True)
    box = Outbox(desk)
    sent = [one for one in box.list_letters((SENT,)) if "1901-spring" in _reported(desk, one)]
    assert len(sent) == 2
    for one in sent:
        said = box.text(one).partition("====")[0]
        assert "Autunno 1901" not in said
        assert "Autumn 1901" not in said


def _reported(desk: Desk, letter: Mailing) -> list[str]:
    names = desk.phases_of_outcomes()
    return [names[outcome] for outcome in letter.key.outcomes]


def test_a_deadline_that_changed_again_or_came_before_the_first_letter_is_not_told(
    desk: Desk, clock: Clock
) -> None:
    desk.set_deadline(NOON.replace(day=25))
    update_letters(desk)
    assert _letters(desk, "deadline") == []
    desk.set("announcements", "draft")
    desk.process("1901-spring", allow_missing=True)
    update_letters(desk)
    assert "report" in _send_all(desk)
    clock.pass_by(hours=1)
    desk.set_deadline(NOON.replace(day=25))
    update_letters(desk)
    assert _letters(desk, "deadline")
    desk.set_deadline(NOON.replace(day=26))
    box = open_outbox(desk)
    texts = [" ".join(box.text(one).split()) for one in _letters(desk, "deadline")]
    assert len(texts) == 2
    assert all("26 novem" in text.casefold() for text in texts)
    assert set(_why(desk, "deadline")) == {"letter-deadline-changed"}


def test_a_deadline_set_when_the_clock_is_right_again_is_told(desk: Desk, clock: Clock) -> None:
    """A report sent by a clock that was ahead counted as later than the change."""
    desk.set("announcements", "draft")
    clock.pass_by(days=20)
    process_phase(desk, "1901-spring", allow_missing=True)
    assert "report" in _send_all(desk)
    clock.pass_by(days=-20)
    desk.set_deadline(NOON.replace(day=25))
    update_letters(desk)
    assert _letters(desk, "deadline")
    fetch(desk, reply(desk, "France", "A PAR - BUR"))
    update_letters(desk)
    assert _letters(desk, "receipt")


@pytest.mark.parametrize("kind", ["receipt", "report"])
def test_what_the_game_master_wrote_into_a_stale_draft_is_kept(desk: Desk, kind: str) -> None:
    if kind == "report":
        desk.process("1901-spring", allow_missing=True)
        update_letters(desk)
    else:
        fetch(desk, reply(desk, "France", "A PAR - BUR"))
    box = Outbox(desk)
    letter = next(one for one in box.list_letters((DRAFT,)) if one.kind == kind)
    path = box.path(letter)
    changed = path.read_bytes().replace(b"\n\n", b"\n\nA word of mine.\n", 1)
    path.write_bytes(changed)
    desk.process(str(desk.phase), allow_missing=True)
    open_outbox(desk)

    assert (box.folder / DRAFTS / WITHDRAWN / letter.file).read_bytes() == changed
    action = "mail-rewrite" if kind == "report" else "mail-withdraw"
    noted = [entry for entry in _journal(desk, action) if "kept" in entry]
    assert [entry["kept"] for entry in noted] == [[f"{DRAFTS}/{WITHDRAWN}/{letter.file}"]]


def test_a_letter_that_the_game_master_puts_back_goes_out(desk: Desk) -> None:
    fetch(desk, reply(desk, "France", "A PAR - BUR"))
    fetch(desk, reply(desk, "France", "A PAR - PIC"))
    (first,) = _letters(desk, "receipt", DROPPED)
    open_outbox(desk).put_back(first.id)
    assert first.id in [done.mailing.id for done in send_letters(open_outbox(desk), [first.id])]


def _wait_in_name_of_france(desk: Desk, *senders: str) -> list[int]:
    """Fetch a mail with the code of France from each sender; return the numbers of the mails."""
    for number, sender in enumerate(senders):
        name = f"<{number}.{sender}>"
        fetch(desk, reply(desk, "France", "A PAR - BUR", sender=sender, Message_ID=name))
    return [one.id for one in Inbox(desk).store.find_all("waiting")]


def test_each_address_that_writes_in_a_player_s_name_is_told_up_to_three_a_phase(
    desk: Desk,
) -> None:
    _wait_in_name_of_france(desk, "eve@x.example", "anna@work.example", "eve@x.example")
    box = Outbox(desk)
    told = [" ".join(box.text(note).split()) for note in _letters(desk, "note")]
    assert ["eve@x.example" in text for text in told] == [True, False]
    assert ["anna@work.example" in text for text in told] == [False, True]
    _wait_in_name_of_france(desk, *(f"eve{n}@x.example" for n in range(5)))
    assert len(_letters(desk, "note")) == 3


@pytest.mark.parametrize("decision", ["accept", "reject"])
def test_a_note_goes_no_more_when_all_mails_that_waited_are_decided(
    desk: Desk, decision: str
) -> None:
    """It is for the mail that still waits, after the first was decided."""
    first, second = _wait_in_name_of_france(desk, "eve@x.example", "eve@x.example")
    inbox = Inbox(desk)
    inbox.accept(first) if decision == "accept" else inbox.reject([first])
    assert [note.grounds["waiting"] for note in _letters(desk, "note")] == [str(second)]
    inbox.reject([second])
    assert "note" not in _send_all(desk)
    assert set(_why(desk, "note")) == {"letter-mail-decided"}


@pytest.mark.parametrize("text", ["A PAR - BUR", "STATO", "ORDINI\nSTATO", "A PAR - BUR\nSTATO"])
@pytest.mark.parametrize("edited", [False, True])
def test_an_answer_names_the_deadline_in_force(desk: Desk, text: str, edited: bool) -> None:
    desk.set_deadline(NOON.replace(day=24))
    fetch(desk, reply(desk, "France", text))
    box = Outbox(desk)
    (answer,) = _letters(desk, "receipt")
    path = box.path(answer)
    if edited:
        path.write_bytes(path.read_bytes().replace(b"\n\n", b"\n\nA word of mine.\n", 1))
    before = path.read_text()
    desk.set_deadline(NOON.replace(day=29))
    open_outbox(desk)
    after = " ".join(path.read_text().split())

    assert "24 novembre" in before
    assert "24 novembre" not in after
    assert before.count("24 novembre") == after.count("29 novembre")
    assert ("A word of mine." in after) == edited
    assert len(_letters(desk, "receipt")) == 1
    assert [done for done in _send_all(desk) if done == "receipt"] == ["receipt"]


def test_an_answer_follows_a_clock_that_is_stopped_and_started(desk: Desk) -> None:
    fetch(desk, reply(desk, "France", "A PAR - BUR\nSTATO"))
    (answer,) = _letters(desk, "receipt")
    box = open_outbox(desk)
    first = box.path(answer).read_text()
    desk.set_deadline(NOON.replace(day=24))
    open_outbox(desk)
    running = box.path(answer).read_text()
    desk.pause()
    open_outbox(desk)

    assert "24 novembre" not in first + box.path(answer).read_text()
    assert running.count("24 novembre") == 2
    assert [entry["why"] for entry in _journal(desk, "mail-rewrite")] == [
        "letter-deadline-changed",
        "letter-deadline-changed",
    ]


def _save_as_mail_program(data: bytes) -> bytes:
    """Return a draft without fields that mail programs do not know, in other lines."""
    return re.sub(rb"X-Draft.*\n", b"", data).replace(b". ", b".\n")


@pytest.mark.parametrize("save", [bytes, _save_as_mail_program])
@pytest.mark.parametrize("kind", ["report", "receipt"])
def test_what_an_editor_saves_over_a_newer_version_of_a_draft_is_kept_and_not_sent(
    desk: Desk, kind: str, save: Callable[[bytes], bytes]
) -> None:
    if kind == "report":
        process_phase(desk, "1901-spring", allow_missing=True)
    desk.set_deadline(NOON.replace(day=24))
    fetch(desk, reply(desk, "France", "STATO"))
    box = open_outbox(desk)
    draft = next(one for one in _letters(desk, kind) if one.power == "France")
    opened = box.path(draft).read_bytes()
    for day in (27, 29):
        desk.set_deadline(NOON.replace(day=day))
        open_outbox(desk)
    newer = box.path(draft).read_bytes()
    saved = _add_words(save(opened))
    box.path(draft).write_bytes(saved)
    open_outbox(desk)

    assert box.path(draft).read_bytes() == newer != opened
    entry = _journal(desk, "mail-rewrite")[-1]
    assert entry["why"] == "letter-of-other-version"
    (kept,) = (desk.folder / DRAFTS / WITHDRAWN).glob("*.eml")
    assert entry["kept"] == [kept.relative_to(desk.folder).as_posix()]
    assert kept.read_bytes() == saved
    assert [warning.code for warning in desk.warnings] == ["drafts-kept-aside"]

    changed = _add_words(save(newer))
    box.path(draft).write_bytes(changed)
    open_outbox(desk)
    assert box.path(draft).read_bytes() == changed


def _add_words(draft: bytes) -> bytes:
    return draft.replace(b"\n\n", b"\n\nA word of mine.\n", 1)


@pytest.fixture
def report(desk: Desk) -> Mailing:
    """Draft the reports of a phase, and return that to France."""
    process_phase(desk, "1901-spring", allow_missing=True)
    return next(one for one in _letters(desk, "report") if one.power == "France")


def test_what_another_command_has_sent_meanwhile_is_no_draft_again(
    desk: Desk, report: Mailing
) -> None:
    _send_all(desk)
    open_outbox(desk).bring_back([report])
    open_outbox(desk).reword(report, str.upper, {}, "", why="letter-taken-back")
    open_outbox(desk).readdress(report, Player("France", "Anna", "anna@new.example"))
    assert open_outbox(desk).find(report.id).state == SENT


def test_words_in_a_draft_that_shows_other_people_since_are_kept(
    desk: Desk, report: Mailing
) -> None:
    path = Outbox(desk).path(report)
    opened = path.read_bytes()
    fetch(desk, reply(desk, "France", "A PAR - BUR\nA MAR H\nF BRE H"))
    open_outbox(desk)
    assert path.read_bytes() != opened
    path.write_bytes(_add_words(opened))
    open_outbox(desk)
    assert path.read_bytes() == _add_words(opened)


def test_a_draft_that_loses_words_as_it_is_sent_waits_for_the_game_master(
    desk: Desk, report: Mailing
) -> None:
    path = Outbox(desk).path(report)
    opened = path.read_bytes()
    desk.set_deadline(NOON.replace(day=29))
    open_outbox(desk)
    path.write_bytes(_add_words(opened))
    sent = [[done.mailing.id for done in send_letters(Outbox(desk))] for _ in range(2)]
    assert [report.id in ids for ids in sent] == [False, True]


@pytest.mark.parametrize("kind", ["phase", "welcome"])
def test_a_letter_with_the_house_rules_has_those_in_force(desk: Desk, kind: str) -> None:
    if kind == "welcome":
        process_phase(desk, "1901-spring", allow_missing=True)
        _send_all(desk)
        desk.replace_player(Player("France", "Zoe", "zoe@example.org"))
    update_letters(desk, opening=True)
    before = {open_outbox(desk).text(one) for one in _letters(desk, kind)}
    desk.set("second_mail", "replace")
    after = {open_outbox(desk).text(one) for one in _letters(desk, kind)}
    assert len(before | after) == 2 * len(before) > 0
