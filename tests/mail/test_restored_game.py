"""After a copy of the game file was restored, no letter goes out twice and no mail is lost."""

import errno
import io
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import copies
from alexmagnum.game.change_log import FOLDER as CHANGES
from alexmagnum.game.copies import FOLDER, Restored, is_mail_held, list_copies, release_mail
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FILE, SUM
from alexmagnum.game.game import Surroundings
from alexmagnum.game.mail_store import DRAFT, SENT, UNCERTAIN, WAITING, InboxStore
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import Delivery
from alexmagnum.workflow import publish
from alexmagnum.workflow.publish import open_outbox, process_phase, restore, send_letters
from alexmagnum.workflow.tick import Tick, run_tick
from tests.game.desks import NOON, Clock, dump, open_desk, refusal, salts
from tests.mail.mail_desk import fetch, mail, mail_desk, reply
from tests.mail.smtp_server import draft_letter, list_letters_to_master

SENDS = {"receipts": "send", "reports": "send", "announcements": "send", "pictures": "no"}

ORDERS = "A PAR - BUR\nA MAR H\nF BRE H"


def tick(desk: Desk) -> Tick:
    return run_tick(desk, (), io.BytesIO())


def sent_by(done: Tick) -> list[str]:
    return [event.mailing.kind for event in done.events if isinstance(event, Delivery)]


Played = tuple[Path, bytes, Clock]
"""The folder of a game, the last mail that came in, and the time."""


def _play(home: Path) -> None:
    """Play a game: orders come in, a phase is processed, and letters go out."""
    clock = Clock()
    with mail_desk(home / "g", settings=SENDS, now=clock) as desk:
        fetch(desk, reply(desk, "France", ORDERS, Message_ID="<spring@example.org>"))
        tick(desk)
        clock.pass_by(hours=1)
        process_phase(desk, "1901-spring", allow_missing=True)
        clock.pass_by(hours=1)
        autumn = reply(desk, "France", "A BUR - MUN", Message_ID="<autumn@example.org>")
        fetch(desk, autumn)
        tick(desk)
        assert {letter.state for letter in Outbox(desk).list_letters()} == {SENT}
    (home / "autumn.eml").write_bytes(autumn)


@pytest.fixture
def played(copied: Callable[[str, Callable[[Path], object]], Path]) -> Played:
    home = copied("restored-game", _play)
    return home / "g", (home / "autumn.eml").read_bytes(), Clock(NOON + timedelta(hours=3))


def put_back(folder: Path, clock: Clock, number: int = 0) -> Restored:
    """Restore a copy, by default the newest."""
    number = number or list_copies(folder)[0].number
    return restore(folder, number, Surroundings(clock, salts(3)), "the disk")


def lose(folder: Path) -> None:
    """Damage the file of a game and lose its change logs."""
    (folder / FILE).write_bytes(b"\0" * 5000)
    shutil.rmtree(folder / CHANGES)


def test_letters_that_the_replaced_file_knows_are_not_sent_again(played: Played) -> None:
    folder, _, clock = played
    done = put_back(folder, clock)

    assert not done.held
    assert {(one.occasion, one.power) for one in done.salvage.letters} == {
        ("report", "France"),
        ("report", "Italy"),
        ("answer", "France"),
    }
    with open_desk(folder, now=clock) as desk:
        assert str(desk.phase) == "1901-spring"
        assert not publish.mend_folder(desk)  # no receipt again
        clock.pass_by(hours=1)
        fetch(desk)
        _, again = process_phase(desk, "1901-spring", allow_missing=True)
        states = {one.state for one in again.deliveries if one.mailing.kind == "report"}
        assert states <= {UNCERTAIN}
        assert sent_by(tick(desk)) == []
        reports = [m for m in open_outbox(desk).list_letters() if m.kind == "report"]
        assert {m.state for m in reports} == {UNCERTAIN}
        assert {m.problem.code for m in reports if m.problem} == {"letter-went-before"}


def test_a_phase_that_a_killed_command_opened_gets_receipts_after_a_restore(played: Played) -> None:
    folder, _, clock = played
    with open_desk(folder, now=clock) as desk:
        fetch(desk, reply(desk, "France", "A MAR - SPA\nWinter 1901:\nBuild A PAR"))
        desk.process("1901-autumn", allow_missing=True)
    (folder / FILE).write_bytes(b"\0" * 5000)
    restore(folder, None, Surroundings(clock, salts(3)), "the disk")
    with open_desk(folder, now=clock) as desk:
        publish.mend_folder(desk)
        assert [m.occasion for m in Outbox(desk).list_letters()].count("receipt") == 1


def test_mails_that_came_since_the_copy_are_taken_over_and_answered_once(played: Played) -> None:
    folder, autumn, clock = played
    assert put_back(folder, clock).messages == 1
    with open_desk(folder, now=clock) as desk:
        (early,) = fetch(desk)
        process_phase(desk, "1901-spring", allow_missing=True)
        clock.pass_by(hours=1)
        assert fetch(desk, autumn) == []  # the mailbox has it still
        assert (early.state, Inbox(desk).accept(early.id).state) == ("waiting", "taken")
        assert desk.pending("France", reason="test") == {"France": ("A BUR - MUN",)}
        assert sent_by(tick(desk)) == []
        clock.pass_by(hours=1)
        fetch(desk, reply(desk, "Italy", "A ROM H", Message_ID="<new@example.org>"))
        assert sent_by(tick(desk)) == ["receipt"]


def test_where_nobody_knows_what_has_gone_nothing_goes_by_itself(played: Played) -> None:
    folder, autumn, clock = played
    lose(folder)

    assert put_back(folder, clock).held
    with open_desk(folder, now=clock) as desk:
        process_phase(desk, "1901-spring", allow_missing=True)
        fetch(desk, autumn)
        first = tick(desk)
        assert sent_by(first) == []
        assert [failure.code for failure in first.failures] == ["mail-held"]
        box = open_outbox(desk)
        waiting = box.list_letters((DRAFT,))
        assert {letter.kind for letter in waiting} == {"report", "receipt"}
        with pytest.raises(ValueError, match="mail-held"):
            list(send_letters(box))
        assert [one.state for one in send_letters(box, [waiting[0].id])] == [SENT]
        assert release_mail(desk)
        assert not is_mail_held(desk)
        assert len(sent_by(tick(desk))) == len(waiting) - 1


def test_drafts_of_the_copy_are_uncertain_where_nobody_knows(tmp_path: Path) -> None:
    folder, clock = tmp_path / "g", Clock()
    with mail_desk(folder, settings={**SENDS, "reports": "draft"}, now=clock) as desk:
        process_phase(desk, "1901-spring", allow_missing=True)
        report = Outbox(desk).list_letters()[0]
        fetch(desk, reply(desk, "France", ORDERS))
        process_phase(desk, "1901-autumn", allow_missing=True)
        list(send_letters(Outbox(desk), [report.id]))
    known = put_back(folder, clock, 2)
    assert (known.sent, known.uncertain) == (1, 0)
    lose(folder)
    unknown = put_back(folder, clock, 2)
    assert (unknown.sent, unknown.uncertain) == (0, 2)  # the receipt went before the phase closed
    with open_desk(folder, now=clock) as desk:
        assert Outbox(desk).find(report.id).state == UNCERTAIN
        assert Inbox(desk).store.find_all()


def test_a_command_that_opened_the_file_before_a_restore_sends_and_changes_nothing(
    played: Played,
) -> None:
    folder, _, clock = played
    number = (folder / FILE).stat().st_ino
    with open_desk(folder, now=clock) as desk:
        draft_letter(desk, "France")
        put_back(folder, clock)
        before = dump(folder)
        with pytest.raises(GameError, match="game-replaced"):
            list(send_letters(Outbox(desk)))
        assert refusal(desk.pause).code == "game-replaced"
    assert dump(folder) == before
    assert (folder / FILE).stat().st_ino == number  # what others open meanwhile is no other file


def test_who_opens_the_file_while_it_is_restored_changes_nothing(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The replaced file was set aside by then, and its rows were still there."""
    folder, _, clock = played
    monkeypatch.setattr("alexmagnum.game.file._identify", Mock(return_value=None))
    with open_desk(folder, now=clock) as desk:
        put_back(folder, clock)
        assert refusal(desk.pause).code == "game-replaced"


def test_a_restore_waits_for_nobody_and_lets_nobody_write_before_it_is_done(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, _, clock = played
    real, refused = copies._fill, list[str]()
    submit = [sys.executable, "-m", "alexmagnum", "--game", str(folder), "submit", "Italy", "-"]

    def fill(db: sqlite3.Connection, ready: Path) -> bool:
        with open_desk(folder, now=clock, wait=0) as late:
            refused.append(refusal(lambda: late.record("late")).code)
        done = subprocess.run(submit, input=b"A VEN H", capture_output=True, check=False)
        refused.append(str(done.stderr))
        return real(db, ready)

    monkeypatch.setattr(copies, "_fill", fill)
    put_back(folder, clock)
    assert refused[0] == "game-busy"
    assert "un altro comando" in refused[1]


FULL = sqlite3.OperationalError("database or disk is full")
FULL.sqlite_errorcode = sqlite3.SQLITE_FULL


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ("_take_file", OSError(errno.ENOSPC, "No space left on device")),
        ("read_log", OSError(errno.ENOSPC, "No space left on device")),
        ("_compare", FULL),
        ("_read_rows", FULL),
        ("_make_ready", FULL),
    ],
)
def test_a_restore_on_a_full_disk_changes_nothing_and_holds_no_letter(
    played: Played, monkeypatch: pytest.MonkeyPatch, step: str, error: Exception
) -> None:
    folder, _, clock = played
    (folder / SUM).unlink()  # so that rows are compared
    before = dump(folder), sorted(path.name for path in (folder / "backups").iterdir())
    with monkeypatch.context() as patch:
        patch.setattr(copies, step, Mock(side_effect=error))
        assert refusal(lambda: put_back(folder, clock)).code == "cannot-write"

    assert (dump(folder), sorted(path.name for path in (folder / "backups").iterdir())) == before
    assert not put_back(folder, clock).held


def test_the_replaced_file_is_kept_as_it_was_and_the_journal_says_so(played: Played) -> None:
    folder, _, clock = played
    content = bytearray((folder / FILE).read_bytes())
    content[-5000:] = b"\xff" * 5000
    (folder / FILE).write_bytes(bytes(content))
    done = put_back(folder, clock)
    assert (done.aside / FILE).read_bytes() == bytes(content)
    assert done.aside.parent == folder / FOLDER
    with open_desk(folder, now=clock) as desk:
        entry = desk.history()[-1]
        assert (entry.action, entry.reason) == ("restore", "the disk")
        assert desk.verify() == ()
        assert desk.warnings == []


@pytest.mark.parametrize("readable", [True, False])
def test_no_letter_gets_the_number_of_one_that_went_before_the_restore(
    readable: bool, tmp_path: Path
) -> None:
    folder, clock = tmp_path / "g", Clock()
    with mail_desk(folder, settings={**SENDS, "transport": "files"}, now=clock) as desk:
        process_phase(desk, "1901-spring", allow_missing=True)
        tick(desk)
    gone = {path: path.read_bytes() for path in (folder / "outbox").iterdir()}
    if not readable:
        lose(folder)
    put_back(folder, clock)
    with open_desk(folder, now=clock) as desk:
        process_phase(desk, "1901-spring", allow_missing=True)
        box = open_outbox(desk)
        list(send_letters(box, [letter.id for letter in box.list_letters((DRAFT,))]))
    assert {path: path.read_bytes() for path in gone} == gone


def test_a_letter_that_went_again_to_another_address_has_gone_there(tmp_path: Path) -> None:
    folder, clock = tmp_path / "g", Clock()
    with mail_desk(folder, settings={**SENDS, "transport": "files"}, now=clock) as desk:
        tick(desk)
        process_phase(desk, "1901-spring", allow_missing=True)
        box = open_outbox(desk)
        letter = box.list_letters((SENT,))[0]
        with desk.file.writing("test"):
            box.set_grounds(letter.id, letter.grounds, address="anna@new.example")
    put_back(folder, clock)
    with open_desk(folder, now=clock) as desk:
        assert open_outbox(desk).find(letter.id).address == "anna@new.example"


def test_what_one_restore_knew_the_next_one_knows_too(played: Played) -> None:
    """Mail stays held when another copy is restored."""
    folder, _, clock = played
    first, second = put_back(folder, clock), put_back(folder, clock)
    assert first.salvage.letters
    assert set(second.salvage.letters) == set(first.salvage.letters)
    assert not second.held
    lose(folder)
    assert put_back(folder, clock).held
    assert put_back(folder, clock).held
    with open_desk(folder, now=clock) as desk:
        release_mail(desk)
    assert not put_back(folder, clock).held


def test_neither_commands_of_the_game_master_nor_doubts_about_a_mail_begin_anew(
    tmp_path: Path,
) -> None:
    folder, clock, gm = tmp_path / "g", Clock(), "gm@example.net"
    settings = SENDS | {"gm_address": gm, "transport": "files", "gm_letters": "all"}
    settings["press"], press = "relay", "PRESS TO FRANCE\nPeace?\nENDPRESS"
    with mail_desk(folder, settings=settings, now=clock) as desk:
        fetch(desk, reply(desk, "Italy", "Two days more?", Message_ID="<q@x>"))
        fetch(desk, mail("A PAR - BUR", "eve@example.com", Message_ID="<eve@x>"))
        tick(desk)
        clock.pass_by(hours=1)
        process_phase(desk, "1901-spring", allow_missing=True)
        news = next(one for one in list_letters_to_master(desk) if "(GM-" in one["Subject"])
        answer = {"to": str(news["Reply-To"]), "Subject": f"Re: {news['Subject']}"}
        fetch(desk, mail("REPLY 1 Yes.", gm, Message_ID="<gm@x>", **answer))
        for orders in ("A VEN - TRI", "A VEN H"):
            fetch(desk, reply(desk, "Italy", orders, Message_ID="<same@x>"))
        fetch(desk, reply(desk, "Italy", press, Message_ID="<press@x>"))
        assert sorted(sent_by(tick(desk))) == ["letter", "note", "press", "receipt", "receipt"]
    put_back(folder, clock)
    with open_desk(folder, now=clock) as desk:
        fetch(desk)
        assert "letter" not in sent_by(tick(desk))
        assert "waits-same-id" in str(InboxStore(desk.file).find_all(WAITING))
        fetch(desk, reply(desk, "Italy", press.replace("Peace", "War"), Message_ID="<new@x>"))
        assert "press" in sent_by(tick(desk))  # another one
