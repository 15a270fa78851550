"""``tick`` never stalls without a word: what it prints, how it ends, and what the game master gets.

What else ``tick`` does is in ``test_outbox.py``.
"""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from alexmagnum.game.file import READ
from alexmagnum.game.mail_store import reply_address
from alexmagnum.game.records import GmLetterRow
from alexmagnum.mail.inbox import Inbox
from alexmagnum.workflow import publish
from tests.cli.test_outbox import ALL_IN, SPRING, Table
from tests.commands import run_command
from tests.game.desks import NOON
from tests.mail.machine_replies import bounce
from tests.mail.mail_desk import mail
from tests.mail.smtp_server import SmtpServer, desk_with_address, parse_mail, run_smtp_server
from tests.sizes import one_in
from tests.transcripts import read_transcripts

GM = "gm+games@example.net"
BRUNO = "bruno@example.org"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Make a game whose deadline is past and that processes without missing orders."""
    table = Table(tmp_path / "perdicca")
    settings = {
        "lang": "en",
        "announcements": "no",
        "pictures": "no",
        "missing": "hold",
        "reminders": "no",
        "receipts": "send",
        "reports": "send",
    }
    with desk_with_address(table.folder, settings, now=table.clock) as desk:
        desk.set_deadline(NOON.replace(day=22))
    table.clock.at = NOON.replace(day=22, hour=13)
    return table


@pytest.fixture
def post(table: Table) -> Iterator[SmtpServer]:
    """Start a server that sends the letters, also those to the game master."""
    with run_smtp_server() as post:
        table.set(**post.settings, gm_address=GM)
        yield post


def _letters(post: SmtpServer) -> list[str]:
    """Return the texts of the letters to the game master, each on one line."""
    mails = [each for each in post.taken if each.rcpt_tos == [GM]]
    return [
        " ".join(parse_mail(each.original_content or b"").get_content().split()) for each in mails
    ]


def _saved(folder: Path, *raws: bytes) -> list[str]:
    paths = [folder / f"{number}.eml" for number, _ in enumerate(raws)]
    for path, raw in zip(paths, raws, strict=True):
        path.write_bytes(raw)
    return [str(path) for path in paths]


def _orders(text: str = "A LVP - YOR", sender: str = BRUNO, **fields: str) -> bytes:
    """Return a mail with orders and without a code, and so a doubtful one."""
    return mail(text, sender, "game@example.net", Message_ID=f"<{hash(text)}@x.org>", **fields)


# -- what is printed, the exit status, and the letters to the game master --------------------------


TRANSCRIPTS = read_transcripts(__file__)
WITH_LETTERS = read_transcripts(__file__, "tick_with_letters")


@pytest.mark.parametrize("sentence", TRANSCRIPTS)
def test_of_ticks(
    sentence: str, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "doubtful.eml").write_bytes(_orders())

    def vote(power: str, kind: str) -> None:
        with table.desk() as desk:
            desk.vote(power, kind)

    def exists(name: str) -> None:
        assert (table.folder / name).is_file()

    table.play(TRANSCRIPTS[sentence], vote=vote, exists=exists)


@pytest.mark.parametrize("sentence", WITH_LETTERS)
def test_of_letters_to_the_game_master(sentence: str, table: Table, post: SmtpServer) -> None:
    def letters(count: str, text: str = "") -> None:
        found = _letters(post)
        assert len(found) == int(count)
        assert text in "".join(found[:1])

    def last_letter_lacks(text: str) -> None:
        assert text not in _letters(post)[-1]

    def refuse(address: str) -> None:
        post.answers[("RCPT", address)] = "550 no such user"

    steps = WITH_LETTERS[sentence]
    table.play(steps, letters=letters, last_letter_lacks=last_letter_lacks, refuse=refuse)


def test_no_phase_is_resolved_across_a_jump_of_the_clock_until_the_game_master_has_looked(
    table: Table, post: SmtpServer
) -> None:
    """A phase was opened by a clock that showed 1999: its deadline is past in any later year."""
    table.set(reminders="send", reports="hold 2 hours")
    table.clock.at = NOON.replace(year=1999)
    table.process()
    opened = table.json("status")["phase"]
    table.clock.at = NOON.replace(year=2027)
    for _ in range(2):
        assert "jumped" in table.run("tick", "--process", status=1).stderr
        table.clock.pass_by(minutes=10)
    done = table.run("status")
    assert "jumped" in done.stderr + done.stdout
    assert ["jumped" in letter for letter in _letters(post)] == [True]
    assert len(post.taken) == 1, "no player has a reminder, or what was held for a last look"
    assert table.json("status")["phase"] == opened

    table.run("deadline", "set", "+1d")
    table.clock.pass_by(days=1, hours=1)
    assert f"({opened})" in table.run("tick", "--process").stdout


# -- what holds nothing back -----------------------------------------------------------------------


HARMLESS = {
    "a stranger": _orders("Buy now!\nCheap watches", "eve@example.com"),
    "a stranger with orders": _orders("F LON - ENG", "eve@example.com"),
    "private": _orders("Dinner on Friday?\nBruno"),
    "another game": _orders(Subject="Re: [AM-triumviri] Report (CES-abcdefgh)"),
    "another game by its address": _orders(To="game+triumviri-abcdefgh@example.net"),
    "spam in a player's name": _orders("Cheap watches", X_Spam_Flag="YES"),
    "the game master": _orders(sender=GM),
}


@pytest.mark.parametrize("name", one_in(3, HARMLESS))
def test_mail_that_is_not_for_the_game_neither_holds_it_back_nor_is_answered(
    table: Table, post: SmtpServer, tmp_path: Path, name: str
) -> None:
    done = table.run("tick", "--process", *_saved(tmp_path, HARMLESS[name]))
    assert f"resolved: Spring 1901, movement ({SPRING})" in done.stdout
    assert {"receipt", "note"}.isdisjoint(m["kind"] for m in table.json("outbox", "list", "--all"))


@pytest.mark.proof
def test_a_doubt_that_the_player_has_settled_holds_nothing_back(
    table: Table, tmp_path: Path
) -> None:
    """The player was asked, and answered with the code."""
    table.clock.at = NOON
    table.run("tick", "--process", *_saved(tmp_path, _orders()))
    table.clock.pass_by(hours=1)
    with table.desk() as desk:
        to = reply_address(desk, "England", SPRING)
    (answer,) = _saved(tmp_path, mail("A LVP - WAL", BRUNO, to, Message_ID="<sure@x.org>"))
    table.run("tick", answer)
    table.clock.at = NOON.replace(day=22, hour=13)
    assert "resolved: Spring" in table.run("tick", "--process").stdout


@pytest.mark.proof
def test_a_late_answer_to_an_earlier_phase_holds_the_open_one_back_only_while_orders_are_missing(
    table: Table, tmp_path: Path
) -> None:
    with table.desk() as desk:
        old = reply_address(desk, "England", SPRING)
    table.run("process", SPRING, "--allow-missing")
    autumn = table.json("status")["phase"]
    table.run("tick", *_saved(tmp_path, mail("A LVP - YOR", BRUNO, old, Message_ID="<late@x.org>")))
    table.clock.at = NOON.replace(day=30)
    with table.desk() as desk:
        desk.set_deadline(NOON.replace(day=30, hour=13))
    table.clock.pass_by(hours=2)
    assert "mail 1 from" in table.run("tick", "--process", status=1).stdout
    table.submit("England", ALL_IN["England"])
    assert f"({autumn})" in table.run("tick", "--process").stdout


@pytest.mark.proof
def test_a_mail_for_a_phase_that_was_undone_holds_it_back_when_it_opens_again(
    table: Table, tmp_path: Path
) -> None:
    table.run("process", SPRING, "--allow-missing")
    with table.desk() as desk:
        to, began = reply_address(desk, "England", str(desk.head().name)), desk.stamp()
    table.run("undo")
    noted = '["9", ["mail.x", "game@example.net"], ["imap-failed", {"host": "mail.x", "why": "?"}]]'
    (table.folder / READ).write_text(noted.replace("9", began), encoding="utf-8")
    table.set(imap_server="mail.x")
    assert "mail.x" in table.run("redo", status=1).stderr
    table.run("tick", *_saved(tmp_path, mail("A LVP - YOR", BRUNO, to, Message_ID="<u@x.org>")))
    table.run("redo", "--anyway")
    table.set(imap_server="")
    table.run("deadline", "set", "+1d")
    table.clock.pass_by(days=1, hours=1)
    assert "mail 1 from" in table.run("tick", "--process", status=1).stdout


# -- letters to the game master --------------------------------------------------------------------


def test_the_game_master_is_told_once_a_day_what_is_waited_for(
    table: Table, post: SmtpServer, tmp_path: Path
) -> None:
    table.set(missing="wait")
    for _ in range(6):
        table.run("tick", "--process", *_saved(tmp_path, _orders()), status=1)
        table.clock.pass_by(minutes=10)
    (first,) = _letters(post)
    table.clock.pass_by(hours=24)
    table.run("tick", "--process", status=1)
    assert "orders are missing from Austria (Anna Neri), England (Bruno)" in first
    assert f"mail 1 from {BRUNO} holds the phase back" in first
    assert "alexmagnum inbox reject 1" in first
    assert "alexmagnum process 1901-spring --allow-missing" in first
    assert "YOR" not in first, "no letter tells an order"
    assert len(_letters(post)) == 2


def test_a_mailbox_that_is_down_now_and_then_is_told_once_a_day(
    table: Table, post: SmtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALEXMAGNUM_IMAP_PASSWORD", "x")
    for port in (1, 2, 1, 2):
        table.set(imap_server=f"imap-open://x@127.0.0.1:{port}")
        done = table.run("tick", "--process", status=1)
        assert f"127.0.0.1:{port} cannot be reached" in done.stderr
        table.clock.pass_by(minutes=10)

    (letter,) = _letters(post)
    assert "127.0.0.1:1 cannot be reached" in letter


def test_no_phase_is_resolved_before_the_mailbox_was_read_to_its_end_whoever_reads_it(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tick of files said nothing, nor did one that was stopped (a twelfth attack)."""

    def process() -> str:
        return str(table.run("process", SPRING, "--allow-missing", status=1).stderr)

    table.set(imap_server="imap-open://x@127.0.0.1:1")
    assert "nobody has read it" in process()
    files = _saved(tmp_path, mail("Hello", "eve@example.org"))
    assert "resolves no phase" in table.run("tick", "--process", *files, status=1).stderr
    monkeypatch.setenv("ALEXMAGNUM_IMAP_PASSWORD", "x")
    table.run("inbox", "fetch", status=1)
    assert "cannot be reached" in process()
    table.set(reminders="draft")
    assert "drafted" not in table.run("tick", "--process", status=1).stdout
    monkeypatch.setattr(Inbox, "fetch_from", Mock(side_effect=KeyboardInterrupt))
    table.run("tick", status=1)
    assert "nobody has read it" in process()
    assert "Failed" not in table.run("status").stdout.replace("Failed in the last 'tick'", "", 1)
    table.set(imap_server="")
    table.run("process", SPRING, "--allow-missing")


def test_before_its_deadline_a_phase_is_resolved_with_a_mailbox_that_was_read_within_the_hour(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALEXMAGNUM_IMAP_PASSWORD", "x")
    table.set(imap_server="imap-open://x@127.0.0.1:1")
    table.run("deadline", "set", "+9d")
    table.run("inbox", "fetch", status=1)
    table.clock.pass_by(hours=2)
    assert "nobody has read it" in table.run("process", SPRING, "--allow-missing", status=1).stderr


def test_a_phase_that_waits_for_the_game_master_alone_is_told(
    table: Table, post: SmtpServer
) -> None:
    """The game file keeps the letter."""
    table.run("tick")
    with table.desk() as desk:
        (letter,) = desk.file.select(GmLetterRow)
        (kept,) = desk.file.rows("SELECT mail FROM gm_letters")
    assert "resolves it only with --process" in _letters(post)[0]
    assert "everything is in" not in _letters(post)[0]  # orders are missing, and hold nothing back
    assert letter.state == "sent"
    assert post.taken[-1].original_content == kept["mail"]


@pytest.mark.proof
def test_a_letter_that_came_back_is_told_until_the_address_is_another(
    table: Table, post: SmtpServer, tmp_path: Path
) -> None:
    table.set(announcements="send", missing="wait")
    table.run("deadline", "set", "+2d")
    table.run("tick", "--process")
    lost = next(each for each in post.messages if "bruno" in str(each["To"]))
    done = table.run("tick", *_saved(tmp_path, bounce(lost, NOON)), "--process")
    table.clock.pass_by(hours=1)  # a letter about it to the same address may come back as well
    table.run("tick", *_saved(tmp_path, bounce(lost, NOON).replace(b"full", b"still full")))
    told = _letters(post)
    table.submit("England", ALL_IN["England"])
    table.clock.pass_by(days=3)
    table.run("tick", "--process", status=1)
    assert "a mail to bruno@example.org came back" in done.stdout
    assert len(told) == 1
    assert "(mail 1): check the address of England (Bruno)" in told[0]
    assert "came back" in _letters(post)[1]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyError("TOL")])
def test_a_step_that_breaks_down_is_told_and_the_others_are_taken(
    table: Table, post: SmtpServer, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(publish, "process_phase", Mock(side_effect=error))

    assert type(error).__name__ in table.run("tick", "--process", status=1).stderr
    assert type(error).__name__ in _letters(post)[0]


@pytest.mark.proof
def test_status_games_tick_and_its_letter_show_the_same_letters(
    table: Table, post: SmtpServer, tmp_path: Path
) -> None:
    table.set(announcements="send", missing="wait")
    table.run("deadline", "set", "+2d")
    post.answers[("RCPT", "anna@example.org")] = "550 no such user"
    table.run("tick", "--process", status=1)
    lost = next(each for each in post.messages if "bruno" in str(each["To"]))
    shown = {
        "tick": table.run("tick", *_saved(tmp_path, bounce(lost, NOON)), "--process").stdout,
        "letter": _letters(post)[-1],
        "status": table.run("status").stdout,
    }
    games = run_command("games", str(tmp_path), "--lang", "en", cwd=tmp_path).out

    for place, text in shown.items():
        told = " ".join(text.split())
        assert "to Austria could not be sent" in told, place
        assert "a mail to bruno@example.org came back (mail 1)" in told, place
    assert "could not be sent: 1; came back: 1" in games


def test_a_letter_that_cannot_be_sent_is_tried_again(table: Table) -> None:
    table.set(missing="wait", gm_address=GM)
    with run_smtp_server() as post:
        table.set(**post.settings)
    done = table.run("tick", "--process", "--quiet", status=1)
    assert "cannot be reached" in done.stderr
    assert "orders are missing" in done.stdout
    with run_smtp_server() as post:
        table.set(**post.settings)
        table.run("tick", "--process", status=1)
        table.run("tick", "--process", status=1)
    assert len(_letters(post)) == 1
