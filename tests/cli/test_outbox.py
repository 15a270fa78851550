"""``outbox`` and ``tick`` as a game master, or cron, types them: what goes, to whom, and what is
said."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from click.testing import CliRunner, Result

from alexmagnum.cli import app
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import hold_lock
from alexmagnum.game.game import Surroundings
from alexmagnum.game.mail_store import reply_address
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.outbox import Outbox
from alexmagnum.workflow.publish import process_phase, submit_orders
from tests.commands import Printed
from tests.game.desks import NOON, Clock, open_desk, salts
from tests.mail.smtp_server import PEOPLE, SmtpServer, desk_with_address, run_smtp_server
from tests.transcripts import Step, play_transcript, read_transcripts

SPRING = "1901-spring"
ALL_IN = {"Austria": "A BUD H\nA VIE H\nF TRI H", "England": "F LON H\nF EDI H\nA LVP H"}


@dataclass
class Table:
    """A game that writes letters, and the command."""

    folder: Path
    clock: Clock = field(default_factory=Clock)

    def run(self, *arguments: str, status: int = 0) -> Result:
        around = Surroundings(self.clock, salts(3))
        call = ["--game", str(self.folder), *arguments]
        done = CliRunner(env={"NO_COLOR": "1"}).invoke(app, call, obj=around)
        assert done.exit_code == status, (arguments, done.output, done.exception)
        return done

    def json(self, *arguments: str, **options: Any) -> Any:
        return json.loads(self.run(*arguments, "--json", **options).stdout)

    def set(self, **settings: str) -> None:
        for name, value in settings.items():
            self.run("settings", name, value)

    def desk(self) -> Desk:
        return open_desk(self.folder, now=self.clock)

    def process(self, phase: str = SPRING) -> Result:
        return self.run("process", phase, "--allow-missing")

    def remind(self) -> None:
        """Draft a letter to each of the three players."""
        self.run("outbox", "remind", "--all")

    def correct(self, orders: str) -> Result:
        """Correct Austria's orders of the first spring."""
        path = self.folder.parent / "corrected.txt"
        path.write_text(orders, encoding="utf-8")
        return self.run("amend", SPRING, "Austria", str(path))

    def submit(self, power: str, orders: str = "") -> None:
        with self.desk() as desk:
            desk.submit(power, orders or ALL_IN[power])

    def play(self, steps: Sequence[Step], **acts: Callable[..., object]) -> None:
        """Run a transcript on the game, with some acts besides submit and clock."""

        def run(*words: str, status: int, stdin: str) -> Printed:
            done = self.run(*words, status=status)
            return Printed(words, status, done.stdout, done.stderr)

        def set_clock(time: datetime) -> None:
            self.clock.at = time

        play_transcript(run, steps, submit=self.submit, clock=set_clock, **acts)

    def states(self, kind: str = "") -> list[str]:
        listed = self.json("outbox", "list", "--all")
        return [letter["state"] for letter in listed if kind in ("", letter["kind"])]

    def text(self, number: int) -> str:
        with self.desk() as desk:
            return read_text(Outbox(desk).message(number))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path / "perdicca")
    settings = {"lang": "en", "announcements": "no", "pictures": "no"}
    with desk_with_address(table.folder, settings, now=table.clock) as desk:
        desk.set_deadline(NOON.replace(day=22))
    return table


@pytest.fixture
def post(table: Table) -> Iterator[SmtpServer]:
    """Start a server by which the table sends."""
    with run_smtp_server() as post:
        table.set(**post.settings)
        yield post


def _lines(done: Result) -> Sequence[str]:
    return done.stdout.splitlines()


# -- from phase to phase ---------------------------------------------------------------------------


TRANSCRIPTS = read_transcripts(__file__)


@pytest.mark.parametrize("sentence", TRANSCRIPTS)
def test_of_letters(sentence: str, table: Table, tmp_path: Path) -> None:
    def process(said: str = "") -> None:
        assert said in table.process().stdout

    def check_states(*wanted: str) -> None:
        *kind, states = wanted
        assert table.states(*kind) == states.split()

    def check_text(number: str, text: str) -> None:
        assert text in table.text(int(number))

    def change(statement: str) -> None:
        with table.desk() as desk:
            desk.file.db.execute(statement)

    def submit_file(power: str, orders: str) -> None:
        (tmp_path / "said.txt").write_text(orders, encoding="utf-8")
        table.run("submit", power, str(tmp_path / "said.txt"))

    def correct(orders: str) -> None:
        assert "Mails drafted: 3 " in table.correct(orders).stdout

    acts: dict[str, Callable[..., None]] = {
        "process": process,
        "remind": table.remind,
        "submit_file": submit_file,
        "correct": correct,
        "states": check_states,
        "text": check_text,
        "change": change,
    }
    table.play(TRANSCRIPTS[sentence], **acts)


def test_a_game_without_an_address_is_as_it_was(table: Table) -> None:
    table.set(mail_address="")
    table.process()
    assert list((table.folder / "drafts").glob("*.eml")) == []
    assert table.run("outbox", "list").stdout == "The outbox is empty.\n"


@pytest.mark.proof
def test_every_player_gets_his_report_with_map_sheet_and_deadline(
    table: Table, post: SmtpServer
) -> None:
    table.set(pictures="yes", mail_address="wrong@example.org")
    table.process()
    table.set(mail_address="right@example.org")  # with letters that wait (a seventeenth attack)
    table.run("outbox", "send")

    assert post.readers == [player.address for player in PEOPLE]
    for message, player in zip(post.messages, PEOPLE, strict=True):
        parts = {str(part.get_filename()): part for part in message.iter_attachments()}
        sheet = f"orders-1901-autumn-{player.power}.html"
        files = ["map-1901-spring.png", sheet, "deadline-1901-autumn.ics"]
        assert list(parts) == [*files, "appendix-1901-spring.txt"]
        assert "[ANK, CON, SMY]" in parts["appendix-1901-spring.txt"].get_content()
        with table.desk() as desk:
            address = reply_address(desk, player.power, "1901-autumn")
        assert address in parts[sheet].get_content()
        assert message["Reply-To"].addresses[0].addr_spec == address
        pictures = [p for p in message.walk() if p.get_content_type() == "image/png"]
        assert all(p.get_content().startswith(b"\x89PNG") for p in pictures)
        page = message.get_body(("html",))
        assert page is not None
        name = str(pictures[0]["Content-ID"]).strip("<>")
        assert f'src="cid:{name}"' in page.get_content()


@pytest.mark.proof
@pytest.mark.parametrize(("gone", "drafted"), [("both", 3), ("the first alone", 6)])
def test_what_a_correction_leaves_as_it_was_is_not_told_again(
    table: Table, gone: str, drafted: int
) -> None:
    """Unless it had not been told at all: those drafts are of the version before."""
    table.process()
    table.run("outbox", "send")
    table.process("1901-autumn")
    if gone == "both":
        table.run("outbox", "send")
    assert f"Mails drafted: {drafted} " in table.correct("A BUD H\nA VIE H\nF TRI H\n").stdout
    table.run("outbox", "send")
    assert _tick(table) == []


def test_reports_may_go_at_once(table: Table, post: SmtpServer) -> None:
    table.set(reports="send")
    assert "sent: 1 report Austria anna@example.org" in table.process().stdout
    assert len(post.taken) == 3


def test_a_receipt_that_went_to_a_full_disk_is_named_and_nothing_is_resolved(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.set(receipts="send", transport="files")
    submit_orders(table.desk(), "Austria", ALL_IN["Austria"])
    full = Mock(side_effect=GameError("cannot-write", path="game.db", why="disk is full"))
    with monkeypatch.context() as patch:
        patch.setattr(Outbox, "set_mail", full)
        with pytest.raises(GameError, match="letter-unnoted"):
            process_phase(table.desk(), SPRING, allow_missing=True)
    assert len(list((table.folder / "outbox").glob("*-receipt-*"))) == 1
    table.run("outbox", "list")
    assert (table.states("receipt"), table.json("status")["phase"]) == (["uncertain"], SPRING)


# -- sending ---------------------------------------------------------------------------------------


def test_a_rehearsal_changes_nothing_and_shows_what_would_not_go(
    table: Table, post: SmtpServer
) -> None:
    table.remind()
    done = table.run("outbox", "send", "--dry-run")
    assert _lines(done)[0] == "would be sent: 1 phase Austria anna@example.org"
    assert post.taken == []
    assert table.states() == ["draft"] * 3

    draft = table.folder / "drafts" / "0001-phase-Austria.eml"
    draft.write_bytes(draft.read_bytes().replace(b"<anna@example.org>", b"<eve@example.org>", 1))
    done = table.run("outbox", "send", "--dry-run", status=1)
    assert "would not be sent: 1" in done.stdout
    assert "registered with anna@example.org" in done.stdout


def test_a_letter_goes_twice_only_if_that_is_asked_for(table: Table, post: SmtpServer) -> None:
    table.remind()
    table.run("outbox", "send")
    assert table.run("outbox", "send").stdout == "There is nothing to send.\n"
    assert len(post.taken) == 3

    table.run("outbox", "send", "--again", "2")
    names = [message["Message-ID"] for message in post.messages]
    assert post.readers[-1] == "bruno@example.org"
    assert names[-1] == names[1]


def test_what_cannot_go_makes_the_command_fail_and_is_named(table: Table, post: SmtpServer) -> None:
    post.answers["RCPT", "bruno@example.org"] = "550 no such user here"
    table.remind()
    done = table.run("outbox", "send", status=1)
    assert "not sent: 2 phase England bruno@example.org: refused (550 no such user" in done.stdout
    assert table.states() == ["sent", "draft", "sent"]


# -- tick ------------------------------------------------------------------------------------------


def _tick(table: Table, *options: str, status: int = 0) -> Sequence[str]:
    return [line.split("  ", 1)[1] for line in _lines(table.run("tick", *options, status=status))]


def test_a_tick_with_nothing_to_do_says_nothing_and_leaves_drafts_alone(table: Table) -> None:
    """Somebody may be writing in them."""
    table.process()
    assert _tick(table) == []
    table.clock.pass_by(minutes=1)
    table.run("deadline", "set", "30/11", "20:00")
    table.clock.pass_by(minutes=1)
    _tick(table)
    drafts = sorted((table.folder / "drafts").glob("*.eml"))
    before = [path.stat().st_mtime_ns for path in drafts]
    _tick(table)
    assert [path.stat().st_mtime_ns for path in drafts] == before


def test_a_tick_reminds_once_a_day_before_the_deadline(table: Table, post: SmtpServer) -> None:
    table.set(reminders="send")
    table.submit("Austria", ALL_IN["Austria"])
    assert _tick(table) == []
    table.clock.at = NOON.replace(day=21)
    first = [line for line in _tick(table) if line.startswith("sent")]
    table.clock.pass_by(hours=3)
    assert first == [
        "sent: 1 reminder England bruno@example.org",
        "sent: 2 reminder France zoe@example.org",
    ]
    assert _tick(table) == []


def test_a_tick_writes_the_reports_and_letters_of_an_interrupted_processing(table: Table) -> None:
    with table.desk() as desk:
        desk.process(SPRING, allow_missing=True)
        reports = desk.folder / "reports" / SPRING
    assert not reports.exists()
    assert [line.split(":")[0] for line in _tick(table)] == ["drafted"] * 3
    assert (reports / "public.en.txt").is_file()
    assert _tick(table) == []


def test_a_tick_does_not_process_if_mail_could_not_be_fetched(table: Table) -> None:
    """Wait, because there may be orders in the mail."""
    table.set(missing="hold", imap_server="imap-open://127.0.0.1:1")
    table.clock.at = NOON.replace(day=22, hour=13)
    done = table.run("tick", "--process", status=1)
    assert "resolved:" not in done.stdout
    assert len(done.stderr.splitlines()) == 1


def test_a_tick_takes_orders_and_answers_them(
    table: Table, post: SmtpServer, tmp_path: Path
) -> None:
    table.set(receipts="send")
    with table.desk() as desk:
        address = reply_address(desk, "England", SPRING)
    mail = tmp_path / "bruno.eml"
    fields = f"From: bruno@example.org\nTo: {address}\nMessage-ID: <1@example.org>\n"
    mail.write_text(f"{fields}\n{ALL_IN['England']}\n", encoding="utf-8")
    lines = _tick(table, str(mail))
    assert lines[0] == "mail 1 of bruno@example.org: accepted"
    assert lines[-1].startswith("sent: 1 ")
    (answer,) = post.messages
    assert answer["In-Reply-To"] == "<1@example.org>"
    assert answer["Auto-Submitted"] == "auto-replied"
    assert _tick(table, str(mail)) == []


def test_a_server_that_is_down_makes_the_tick_fail_and_nothing_is_lost(table: Table) -> None:
    with run_smtp_server() as post:
        table.set(**post.settings)
    table.set(announcements="send")
    assert "cannot be reached" in table.run("tick", status=1).stdout
    with run_smtp_server() as post:
        table.set(**post.settings)
        _tick(table)
    assert len(post.taken) == 3


def test_two_ticks_do_not_meet(table: Table) -> None:
    with hold_lock(table.folder, "tick"):
        done = table.run("tick", status=1)
    assert f"tick, pid {os.getpid()}" in done.stderr


# -- what the game master writes into drafts -------------------------------------------------------


def _edit(table: Table) -> None:
    """Write into the first report that waits, as an editor does."""
    path = min((table.folder / "drafts").glob("*-report-*.eml"))
    path.write_bytes(path.read_bytes().replace(b"Ciao Anna", b"Cara Anna"))


def _texts(table: Table) -> list[str]:
    return [table.text(each["id"]) for each in table.json("outbox", "list")]


def test_what_is_written_into_a_draft_goes_with_an_export(table: Table, tmp_path: Path) -> None:
    """The first version went out (a seventeenth attack)."""
    table.process()
    _edit(table)
    edited = _texts(table)
    table.run("export", str(tmp_path / "all.json"))
    table.run("import", str(tmp_path / "all.json"), str(tmp_path / "again"), "--keep-settings")
    again = Table(tmp_path / "again")
    assert _texts(again) == edited
    assert sum("Cara Anna" in text for text in edited) == 1
    again.run("outbox", "send")  # every file is there


def test_drafts_of_a_replaced_file_are_no_words_of_the_game_master(table: Table) -> None:
    """Players read a deadline that was not in force (a seventeenth attack)."""
    table.process()
    before = _texts(table)
    table.process("1901-autumn")
    assert _texts(table)[: len(before)] != before
    (copy,) = [one for one in table.json("restore") if one["phase"] == "1901-autumn"]
    table.run("restore", str(copy["number"]))
    assert _texts(table) == before
