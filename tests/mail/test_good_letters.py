"""Letters in cases easily forgotten: edited, held, corrected, late, and after a takeover."""

from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player, Seal
from alexmagnum.game.settings import check_setting
from alexmagnum.game.undo import find_misfits
from alexmagnum.i18n.dates import parse_iso
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.drafts import update_drafts
from alexmagnum.mail.outbox import Outbox
from alexmagnum.report.materials import Materials
from alexmagnum.workflow.publish import process_phase, publish, update_letters
from alexmagnum.workflow.situation import list_waits, read_situation
from alexmagnum.workflow.tick import run_tick
from tests.commands import run_command
from tests.game.desks import Clock
from tests.mail.mail_desk import fetch, mail_desk, reply
from tests.units import place_units


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    settings = {"pictures": "no", "lang": "en", "missing": "hold"}
    with mail_desk(tmp_path / "game", settings=settings, now=clock) as desk:
        yield desk


def _states(desk: Desk, kind: str) -> list[str]:
    return [one.state for one in Outbox(desk).list_letters() if one.kind == kind]


def _last(desk: Desk, kind: str, power: str = "Italy") -> str:
    """Return the words of the last letter of a kind to a power, on one line."""
    box = Outbox(desk)
    letters = [one for one in box.list_letters() if (one.kind, one.power) == (kind, power)]
    return " ".join(box.text(letters[-1]).split())


def test_a_draft_changed_by_hand_is_markdown_above_the_report(desk: Desk) -> None:
    process_phase(desk, "1901-spring", sends=False)
    (path, *_) = sorted((desk.folder / "drafts").glob("*report-Italy.eml"))
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("Hello Bruno Bianchi,", "# News\n\n*Bravo*, Bruno <x>:\n\n- one\n- two", 1)
    )
    letter = Outbox(desk).message(int(path.name[:4]))
    page = letter.get_body(("html",))
    assert page is not None
    html = page.get_content()

    assert "<h1>News</h1>" in html
    assert "<em>Bravo</em>, Bruno &lt;x&gt;" in html
    assert "<li>two</li>" in html
    assert "# News\n\n*Bravo*" in read_text(letter)
    assert html.index("<li>two") < html.index("<pre") < html.index("PLAYERS")


def test_reports_wait_for_a_last_look_and_then_go(desk: Desk, clock: Clock) -> None:
    with pytest.raises(GameError, match="bad-setting"):
        check_setting("reports", "holding 2 hours")
    with pytest.raises(GameError, match="span-unreadable"):
        check_setting("reports", "hold soon")
    desk.set("reports", "hold 2 hours")
    process_phase(desk, "1901-spring")
    said = list_waits(read_situation(desk), desk, load_sentences("en"))
    assert any("go by themselves from" in line and ": 2 (" in line for line in said)
    assert read_situation(desk).needs_game_master

    box = Outbox(desk)
    box.drop(next(one.id for one in box.list_letters() if one.power == "France"))
    clock.pass_by(minutes=119)
    run_tick(desk, (), BytesIO())
    assert sorted(_states(desk, "report")) == ["draft", "dropped"]
    clock.pass_by(minutes=1)
    run_tick(desk, (), BytesIO())
    assert sorted(_states(desk, "report")) == ["dropped", "sent"]


def test_a_receipt_goes_also_when_its_phase_closes_at_once(desk: Desk, clock: Clock) -> None:
    desk.set("receipts", "send")
    fetch(desk, reply(desk, "Italy", "A VEN - TYR", Message_ID="<late@x>"))
    clock.at = parse_iso(desk.deadline) + timedelta(minutes=1)
    assert not run_tick(desk, (), BytesIO(), processes=True).failures
    assert str(desk.phase) == "1901-autumn"
    assert _states(desk, "receipt") == ["sent"]


@pytest.mark.proof
def test_corrections_say_why_and_undone_phases_too(desk: Desk) -> None:
    desk.set("reports", "send")
    process_phase(desk, "1901-spring")
    desk.amend("1901-spring", "Italy", "A VEN - TYR", reason="I misread the mail of Italy")
    publish(desk, ("1901-spring",))
    assert "reason: I misread the mail of Italy" in _last(desk, "report")
    desk.undo("I was wrong")
    desk.undo("all of it was wrong")
    update_letters(desk)
    assert "reason: all of it was wrong" in _last(desk, "phase")


def test_an_order_that_would_be_another_unit_s_no_longer_fits(desk: Desk) -> None:
    now = place_units("TOL A MEN")
    inputs = {"TOL": Seal("TOL", orders=("F MEN - TEB", "F ALE - MEN"))}
    found = find_misfits(place_units("TOL F MEN", "TOL F ALE"), now, inputs, desk.settings)
    assert (found[0].order, found[0].code) == ("F MEN - TEB", "misfit-other-unit")
    assert [one.order for one in found] == ["F MEN - TEB", "F ALE - MEN"]


@pytest.mark.proof
def test_a_corrected_report_lists_the_waiting_orders_that_no_longer_fit(desk: Desk) -> None:
    """A fleet's order would else become an army's in silence."""
    for phase, orders in (
        ("1901-spring", "F NAP - ION\nA ROM - APU"),
        ("1901-autumn", "F ION C A APU - TUN\nA APU - TUN"),
        ("1901-winter", "Build F NAP"),
    ):
        desk.submit("Italy", orders)
        process_phase(desk, phase, sends=False)
    desk.set("reports", "send")
    run_tick(desk, (), BytesIO())
    desk.submit("Italy", "F NAP - TYS\nA TUN H")
    desk.amend("1901-winter", "Italy", "Build A NAP", reason="I misread it")
    publish(desk, ("1901-winter",))

    letter = _last(desk, "report")
    assert "no longer fit: F NAP - TYS (another unit stands there" in letter
    assert "A TUN H (" not in letter


def test_an_old_code_is_explained_as_an_old_code(desk: Desk) -> None:
    process_phase(desk, "1901-spring", sends=False)
    (row,) = fetch(desk, reply(desk, "Italy", "A TYR - VIE", "1901-spring", Message_ID="<old@x>"))
    note = _last(desk, "note")
    assert row.state == "waiting"
    assert "it answers a mail of Spring 1901, movement, but Autumn 1901, movement is open" in note
    assert "not certain that you wrote it" not in note


def test_a_substitute_reads_whose_orders_count(desk: Desk, clock: Clock) -> None:
    fetch(desk, reply(desk, "Italy", "A VEN - TYR", Message_ID="<it@x>"))
    clock.pass_by(hours=1)
    desk.replace_player(Player("Italy", "Carla", "carla@example.org", lang="en"))
    update_drafts(Outbox(desk, Materials(desk)))
    assert "sent by Bruno Bianchi: A VEN - TYR" in _last(desk, "welcome")
    desk.set("names", "hidden")
    update_drafts(Outbox(desk, Materials(desk)))
    assert "sent by the player before you: A VEN - TYR" in _last(desk, "welcome")
    assert "Bruno" not in _last(desk, "welcome")


def test_words_before_the_end_are_in_the_final_report(desk: Desk) -> None:
    desk.add_text("1901-spring", "before", "So it ended.\n\nThanks to all!")
    desk.end("abandon", (), "no time")
    publish(desk)
    assert "So it ended. Thanks to all!" in _last(desk, "ending")
    # It was held for a report of no phase, at which every command failed (a tenth attack).
    fetch(desk, reply(desk, "Italy", "PRESS TO GM\nThank you!\nENDPRESS", phase="1901-spring"))
    assert run_tick(desk, (), BytesIO()).failures == []
    desk.undo()
    assert run_tick(desk, (), BytesIO()).failures == []
    desk.end("abandon", (), "no time")
    run_command("letter", "write", "-", "--to", "France", cwd=desk.folder, stdin="Bye!")
    assert "Bye!" in _last(desk, "letter", "France")


def test_the_journal_names_the_mail_and_who_acted(desk: Desk) -> None:
    desk.set("receipts", "send")
    fetch(desk, reply(desk, "Italy", "A VEN - TYR", Message_ID="<it@x>"))
    run_tick(desk, (), BytesIO())
    actors = {entry.action: entry.actor for entry in desk.history()}
    assert actors["mail"] == "mail 1"
    assert actors["mail-send"] == "tick"
    desk.close()
    assert "receipt 1" in run_command("history", cwd=desk.folder).out
