"""The mails about the end of a game, and about reports that an amendment makes void."""

import json
import subprocess
import sys
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from alexmagnum.game.desk import Desk
from alexmagnum.game.mail_store import DRAFT, Mailing, Occasion, reply_address, subject_tag
from alexmagnum.game.undo import ABANDON, DRAW
from alexmagnum.i18n.dates import parse_iso
from alexmagnum.mail.outbox import Outbox
from alexmagnum.report.final_report import CHECK_PROGRAM
from alexmagnum.workflow.changes import change_setting
from alexmagnum.workflow.publish import process_phase, publish, update_letters
from tests.commands import run_command
from tests.game.desks import open_desk, submit_all
from tests.mail.mail_desk import fetch, mail_desk, reply

NO_PICTURES = {"pictures": "no"}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with mail_desk(tmp_path / "game", settings=NO_PICTURES) as desk:
        submit_all(desk, {"France": "A PAR - BUR", "Italy": "A VEN H"})
        process_phase(desk, "1901-spring", allow_missing=True)
        _send_all(desk)
        yield desk


def _send_all(desk: Desk) -> None:
    """Mark all drafts as sent, as the game master does who sends them by hand."""
    box = Outbox(desk)
    for mailing in box.list_letters((DRAFT,)):
        box.mark_sent(mailing.id)


def _drafts(desk: Desk, occasion: str) -> list[Mailing]:
    listed = Outbox(desk).list_letters((DRAFT,))
    return [mailing for mailing in listed if mailing.key.occasion == occasion]


def _text(desk: Desk, mailing: Mailing) -> str:
    return " ".join(Outbox(desk).text(mailing).split())


def _letter(desk: Desk, power: str) -> EmailMessage:
    number = next(m.id for m in _drafts(desk, Occasion.ENDING) if m.power == power)
    return Outbox(desk).message(number)


def test_every_player_gets_the_final_report_in_their_language(desk: Desk) -> None:
    desk.end(DRAW, reason="we are tired")
    publish(desk)
    drafts = _drafts(desk, Occasion.ENDING)
    assert [mailing.power for mailing in drafts] == ["France", "Italy"]
    french, italian = (_text(desk, mailing) for mailing in drafts)
    assert "La partita finisce in patta fra Francia, Italia e Turchia." in french
    assert "The game ends in a draw among France, Italy and Turkey." in italian
    assert "we are tired" in french
    assert "we are tired" in italian
    names = [part.get_filename() for part in _letter(desk, "Italy").iter_attachments()]
    assert names == ["final-report.en.html", "final-report.en.json"]


def test_the_seals_in_the_letter_can_be_checked_by_anybody(desk: Desk, tmp_path: Path) -> None:
    desk.end(ABANDON)
    publish(desk)
    data = next(
        part.get_content()
        for part in _letter(desk, "Italy").iter_attachments()
        if (part.get_filename() or "").endswith(".json")
    )
    report = json.loads(data)
    assert report["sections"]["check"]["content"] == CHECK_PROGRAM
    (tmp_path / "check.py").write_text(CHECK_PROGRAM, encoding="utf-8")
    report["sections"]["seals"]["content"][1]["orders"] = ["A ROM H"]

    def check(text: str | bytes) -> list[str]:
        path = tmp_path / "report.json"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        command = [sys.executable, "check.py", path.name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return [line.split()[-1] for line in done.stdout.splitlines()]

    assert check(data) == ["ok", "ok"]
    assert check(json.dumps(report)) == ["ok", "WRONG"]


def test_the_orders_that_waited_stay_closed(desk: Desk) -> None:
    """The phase was never resolved, and undo may open it again."""
    desk.submit("Italy", "F NAP - TYS")
    desk.end(ABANDON)
    publish(desk)
    letters = [Outbox(desk).message(m.id).as_string() for m in _drafts(desk, Occasion.ENDING)]
    reports = [p.read_text(encoding="utf-8") for p in (desk.folder / "reports" / "final").iterdir()]
    assert letters
    assert not [text for text in (*letters, *reports) if "TYS" in text]


@pytest.mark.proof
def test_an_end_is_told_once_and_those_who_heard_of_it_are_told_that_the_game_goes_on(
    desk: Desk,
) -> None:
    """An end that is undone before it was sent is told to nobody."""
    desk.end(DRAW)
    publish(desk)
    desk.undo()
    publish(desk)
    assert (_drafts(desk, Occasion.ENDING), _drafts(desk, Occasion.REOPENING)) == ([], [])
    desk.redo()
    publish(desk)
    assert len(_drafts(desk, Occasion.ENDING)) == 2
    _send_all(desk)
    process_phase(desk, "1901-spring")
    assert _drafts(desk, Occasion.ENDING) == []
    desk.undo("Turkey was not asked")
    publish(desk)
    told = _drafts(desk, Occasion.REOPENING)
    assert [mailing.power for mailing in told] == ["France", "Italy"]
    text = _text(desk, told[1])
    assert "no longer counts" in text
    assert "Turkey was not asked" in text
    assert "Autumn 1901" in text
    _send_all(desk)
    desk.redo()
    publish(desk)
    assert len(_drafts(desk, Occasion.ENDING)) == 2
    _send_all(desk)
    desk.undo()
    publish(desk)
    assert len(_drafts(desk, Occasion.REOPENING)) == 2


def test_a_report_that_has_not_gone_says_that_the_game_is_over(tmp_path: Path) -> None:
    """And after an undo it asks for orders again."""
    with mail_desk(tmp_path, settings=NO_PICTURES) as desk:
        process_phase(desk, "1901-spring", allow_missing=True)
        number = _drafts(desk, "report")[1].id
        assert "Open phase: Autumn 1901" in _text(desk, Outbox(desk).find(number))
        desk.end(DRAW)
        publish(desk)
        now = _text(desk, Outbox(desk).find(number))
        assert "Open phase" not in now
        assert "The game is over" in now
        desk.undo()
        publish(desk)
        assert "Open phase: Autumn 1901" in _text(desk, Outbox(desk).find(number))


def test_a_mail_after_the_end_is_answered_and_takes_no_orders(desk: Desk) -> None:
    mail = reply(desk, "Italy", "A VEN - TYR\n\nDRAW\n")
    desk.end(DRAW)
    publish(desk)
    fetch(desk, mail)
    answer = _drafts(desk, "answer")
    assert len(answer) == 1
    text = _text(desk, answer[0])
    assert "The game is over" in text
    assert "alexmagnum undo" not in text
    to, subject = reply_address(desk, "Italy", ""), f"Re: {subject_tag(desk, 'Italy', '')}"
    desk.undo()  # the letter with this code is of no phase
    (late,) = fetch(desk, reply(desk, "Italy", "A VEN H", to=to, Subject=subject))
    assert [why.code for why in late.why] == ["waits-no-code"]
    assert desk.verify() == ()


@pytest.mark.proof
def test_a_game_that_the_rules_end_sends_the_final_report_too(tmp_path: Path) -> None:
    with mail_desk(tmp_path, settings={**NO_PICTURES, "rules.last_year": "1901"}) as desk:
        while desk.phase is not None:
            process_phase(desk, str(desk.phase), allow_missing=True)
        assert len(_drafts(desk, Occasion.ENDING)) == 2
        _send_all(desk)
        desk.undo()
        publish(desk)
        # One mail says both: the report does not count any more, and the game goes on.
        assert _drafts(desk, Occasion.REOPENING) == []
        taken = _drafts(desk, "retraction")
        assert "The end of the game that you were told of no longer counts" in _text(desk, taken[1])


# -- reports that an amendment makes void ----------------------------------------------------------


@pytest.mark.proof
def test_players_are_told_which_reports_an_amendment_made_void(desk: Desk) -> None:
    submit_all(desk, {"France": "A BUR - BEL", "Italy": "A VEN H"})
    process_phase(desk, "1901-autumn", allow_missing=True)
    process_phase(desk, "1901-winter", allow_missing=True)
    _send_all(desk)
    amended = desk.amend("1901-spring", "France", "A PAR H")
    publish(desk, (amended.phase, *amended.replayed))
    assert amended.stopped_at == "1901-autumn"
    void = _drafts(desk, "retraction")
    assert [mailing.power for mailing in void] == ["France", "Italy"]
    text = _text(desk, void[1])
    assert "Reports that no longer count: Autumn 1901, movement; Winter 1901" in text
    assert "A BUR - BEL" not in text
    own = " ".join(_text(desk, void[0]).split())
    assert "Questi tuoi ordini non vanno più bene: A BUR - BEL (" in own


def test_after_an_amendment_players_get_the_seal_that_their_orders_have_now(desk: Desk) -> None:
    """The report showed another seal than their receipt (a fourteenth attack)."""
    fetch(desk, reply(desk, "Italy", "A VEN - TYR\nA ROM H\nF NAP H"))
    _send_all(desk)
    desk.close()
    orders = desk.folder / "orders.txt"
    orders.write_text("A WAR - GAL", encoding="utf-8")
    run_command("amend", "1901-spring", "Russia", str(orders), cwd=desk.folder)
    with open_desk(desk.folder) as opened:
        (letter,), receipt = _drafts(opened, "receipt"), opened.receipt("Italy")
        assert receipt is not None
        assert receipt.digest in _text(opened, letter)


def test_an_undo_loses_no_orders(desk: Desk) -> None:
    submit_all(desk, {"France": "A BUR - BEL", "Italy": "A VEN H"})
    process_phase(desk, "1901-autumn", allow_missing=True)
    _send_all(desk)
    desk.undo()
    publish(desk)
    texts = [_text(desk, mailing) for mailing in _drafts(desk, "retraction")]
    assert not [text for text in texts if "non contano" in text or "do not count" in text]


@pytest.mark.proof
def test_a_phase_that_is_no_longer_there_is_not_said_to_be_open(desk: Desk) -> None:
    """The correction leads to retreats, so the report of the winter is void."""
    submit_all(desk, {"France": "A BUR - MUN", "Italy": "A VEN - TYR"})
    process_phase(desk, "1901-autumn", allow_missing=True)
    process_phase(desk, "1901-winter", allow_missing=True)
    submit_all(desk, {"France": "A BUR - MUN", "Italy": "A TYR H"})
    process_phase(desk, "1902-spring", allow_missing=True)
    process_phase(desk, "1902-autumn", allow_missing=True)
    _send_all(desk)
    amended = desk.amend("1902-spring", "Italy", "A TYR S A BUR - MUN")
    publish(desk, (amended.phase, *amended.replayed))
    assert amended.stopped_at == "1902-spring-retreats"
    text = _text(desk, _drafts(desk, "retraction")[1])
    assert "These reports no longer count: Autumn 1902, movement" in text
    assert "Spring 1902, retreats is open now" in text


def test_letters_about_the_end_show_what_the_game_master_has_changed_since(desk: Desk) -> None:
    desk.set("names", "hidden")
    desk.end(DRAW)
    publish(desk)
    assert "Bruno" in str(_letter(desk, "France"))
    change_setting(desk, "names_at_end", "hidden")
    update_letters(desk)
    assert "Bruno" not in str(_letter(desk, "France"))

    _send_all(desk)
    desk.undo()
    desk.set_deadline(parse_iso("2027-03-01T12:00:00Z"))
    update_letters(desk)
    desk.set_deadline(parse_iso("2027-04-02T12:00:00Z"))
    update_letters(desk)
    text = _text(desk, _drafts(desk, Occasion.REOPENING)[-1])
    assert ("2 April 2027" in text, "1 March 2027" in text) == (True, False)
