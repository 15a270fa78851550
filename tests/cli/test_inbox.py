"""``inbox`` as a game master types it: real files, real mails, what is printed and what is not."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from click.testing import CliRunner, Result

from alexmagnum.cli import app
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.transport import Found
from alexmagnum.workflow.publish import mend_folder, publish
from tests.commands import Printed
from tests.game.desks import dump, resolve
from tests.mail.mail_desk import at, mail, mail_desk, reply
from tests.transcripts import play_transcript, read_transcripts

ORDERS = "A PAR - BUR\nA MAR XXX\nF BRE - MAO\n"
FULL = Mock(side_effect=GameError("cannot-write", path="game.db", why="disk is full"))


@dataclass
class Table:
    """A game, mails beside it, and the command."""

    folder: Path
    desk: Desk

    def save(self, name: str, raw: bytes) -> str:
        path = self.folder.parent / name
        path.write_bytes(raw)
        return str(path)

    @property
    def sure(self) -> str:
        """A mail that is certain to be from France."""
        return self.save("sure.eml", reply(self.desk, "France", ORDERS))

    def run(self, *arguments: str, status: int = 0, stdin: bytes = b"") -> Result:
        call = ["--game", str(self.folder), "inbox", *arguments]
        # As on a terminal, but with no colours of our own: what steers it would pass.
        done = CliRunner(env={"NO_COLOR": "1"}).invoke(app, call, input=stdin, color=True)
        assert done.exit_code == status, (done.output, done.exception)
        return done

    def json(self, *arguments: str, **options: Any) -> Any:
        return json.loads(self.run(*arguments, "--json", **options).stdout)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with mail_desk(tmp_path / "game") as desk:
        yield Table(tmp_path / "game", desk)


TRANSCRIPTS = read_transcripts(__file__)


@pytest.mark.parametrize("sentence", TRANSCRIPTS)
def test_of_the_inbox(
    sentence: str, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    desk = table.desk
    quoting = "A PAR - BUR\n\n> A PAR - PIC\n"
    for name, raw in {
        "sure.eml": reply(desk, "France", ORDERS),
        "strange.eml": reply(desk, "France", ORDERS, sender="eve@example.net"),
        "quoting.eml": reply(desk, "France", quoting, sender="eve@example.net"),
        "press.eml": reply(desk, "France", "STAMPA A TUTTI\nCiao\x1b[2J a tutti\nFINE STAMPA"),
        "unknown.eml": mail("A CON H", "carla@example.net"),
        "returned.eml": mail("Sorry.", "MAILER-DAEMON@mx.example.org", Subject="Undelivered Mail"),
        **{f"eve-{i}.eml": mail("x", "eve@example.net", Message_ID=f"<{i}@x>") for i in (0, 1)},
    }.items():
        table.save(name, raw)

    def run(*words: str, status: int, stdin: str) -> Printed:
        done = table.run(*words, status=status, stdin=stdin.encode())
        return Printed(words, status, done.stdout, done.stderr)

    def has_receipt(power: str) -> None:
        assert desk.receipt(power) is not None

    def first_order(power: str, order: str) -> None:
        assert desk.pending(reason="t")[power][0] == order

    def journal_lacks(action: str) -> None:
        assert action not in [entry.action for entry in desk.history()]

    def journal_ends_with(*wanted: str) -> None:
        last = desk.history()[-1]
        assert (last.action, last.power, last.reason) == wanted

    acts: dict[str, Callable[..., object]] = {
        "has_receipt": has_receipt,
        "first_order": first_order,
        "journal_lacks": journal_lacks,
        "journal_ends_with": journal_ends_with,
        "set": desk.set,
        "fill_disk": lambda: monkeypatch.setattr("alexmagnum.mail.inbox.update_drafts", FULL),
    }
    play_transcript(run, TRANSCRIPTS[sentence], **acts)


def test_to_fetch_twice_changes_nothing(table: Table) -> None:
    table.run("fetch", table.sure)
    before = dump(table.folder)
    assert table.json("fetch", table.sure) == {"found": 1, "messages": []}
    assert dump(table.folder) == before


def test_standard_input_a_folder_and_an_mbox_are_sources(table: Table) -> None:
    table.run("fetch", "-", stdin=reply(table.desk, "France", ORDERS))
    folder = table.folder.parent / "mails"
    folder.mkdir()
    (folder / "one.eml").write_bytes(reply(table.desk, "Italy", "A ROM H"))
    box = b"From x Fri Nov 20 12:00:00 2026\n" + reply(table.desk, "Italy", "STATUS")
    table.run("fetch", str(folder), table.save("box", box.replace(b"\r\n", b"\n")))
    assert [(m["state"], m["power"]) for m in table.json("list", "--all")] == [
        ("taken", "Italy"),
        ("taken", "France"),
        ("taken", "Italy"),
    ]


def test_a_mailbox_wants_a_password(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALEXMAGNUM_IMAP_PASSWORD", raising=False)
    monkeypatch.setattr("alexmagnum.mail.transport._read_keyring", lambda name: "")
    table.desk.set("imap_server", "127.0.0.1:9")
    assert "ALEXMAGNUM_IMAP_PASSWORD" in table.run("fetch", status=2).stderr

    monkeypatch.setenv("ALEXMAGNUM_IMAP_PASSWORD", "secret")
    assert "127.0.0.1:9" in table.run("fetch", status=1).stderr


def test_what_an_interrupted_fetch_left_is_handled_by_the_next(table: Table) -> None:
    raw = reply(table.desk, "France", ORDERS)
    Inbox(table.desk).keep(Found(raw, None, "x"))
    assert "new" in table.run("list", "--lang", "en").stdout
    messages = table.json("fetch", table.save("x.eml", raw))["messages"]
    assert [message["state"] for message in messages] == ["taken"]


# -- list and show ---------------------------------------------------------------------------------


def test_a_mail_that_was_overtaken_is_told_by_the_clocks_of_the_game(table: Table) -> None:
    box = Inbox(table.desk)
    list(box.fetch([Found(reply(table.desk, "France", ORDERS, Message_ID="<2@x>"), at(11), "x")]))
    list(box.fetch([Found(reply(table.desk, "France", ORDERS, Message_ID="<1@x>"), at(10), "x")]))
    overtaken = "later orders have already been accepted (of 2026-11-20 12:00)"
    assert overtaken in table.run("list", "--lang", "en").stdout
    assert overtaken in table.run("accept", "2", "--lang", "en", status=1).stderr
    table.run("accept", "2", "--anyway")


def test_a_mail_of_an_earlier_phase_is_accepted_only_on_purpose(table: Table) -> None:
    """Its orders took the place of newer ones, without a word (a fourth attack)."""
    early = reply(table.desk, "France", ORDERS, sender="eve@example.net")
    list(Inbox(table.desk).fetch([Found(early, at(10), "x")]))
    resolve(table.desk)
    assert "was opened" in table.run("list", "--lang", "en").stdout
    table.run("accept", "1", status=1)
    table.desk.replace_player(Player("France", "Yan", "yan@example.org"))
    assert "it came before the present player" in table.run("list", "--lang", "en").stdout


def test_only_a_phase_that_a_killed_command_opened_gets_receipts(table: Table) -> None:
    """The first one too; an answer told the player of the orders already."""
    table.run("fetch", table.sure)
    publish(table.desk)
    for act, *given, receipts in (("set_deadline", None, 1), ("undo", 2)):
        getattr(table.desk, str(act))(*given)
        mend_folder(table.desk)
        letters = Outbox(table.desk).list_letters()
        assert [letter.kind for letter in letters].count("receipt") == receipts
        resolve(table.desk)
        publish(table.desk)


def test_the_raw_mail_is_printed_as_it_is(table: Table) -> None:
    raw = reply(table.desk, "France", "A PAR - BUR\n\n> A PAR - PIC\n", sender="eve@example.net")
    table.run("fetch", table.save("q.eml", raw))
    assert table.run("show", "1", "--raw").stdout_bytes == raw


def test_nothing_in_a_mail_steers_the_terminal(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True, raising=False)
    raw = reply(table.desk, "France", "A PAR\x1b[2J - BUR\x07\n\n> \x1b]0;x\x07 old\n")
    raw = raw.replace(b"Subject: ", b"Subject: \x1b[2J\x1b]0;owned\x07", 1)
    raw = raw.replace(b"From: ", b'From: "\x1b[31m" ', 1)
    path = table.save("evil\x1b[2J.eml", raw)
    calls = (("fetch", path), ("list", "--all"), ("show", "1", "--open"), ("show", "1", "--raw"))
    shown = [table.run(*call).output for call in calls]
    assert "PAR\\x1b[2J - BUR\\x07\n\n>" in shown[-1]
    assert not [text for text in shown if "\x1b" in text or "\x07" in text]


def test_status_has_the_mail_that_waits_and_the_votes(table: Table) -> None:
    raws = [
        reply(table.desk, "France", ORDERS, sender="eve@example.net"),
        reply(table.desk, "France", "PATTA\nATTENDI"),
        reply(table.desk, "Italy", "DRAW\nCONCEDE TO Turkey\nREADY"),
    ]
    table.run("fetch", *(table.save(f"{i}", raw) for i, raw in enumerate(raws)))
    done = CliRunner().invoke(app, ["status", "--game", str(table.folder), "--lang", "en"])
    assert "Mail waiting for you: 1" in done.stdout
    assert "Votes: concede to Turkey: 1; draw: 2" in done.stdout
    assert "asks to wait" in done.stdout
    data = CliRunner().invoke(app, ["status", "--game", str(table.folder), "--json"])
    assert json.loads(data.stdout)["tally"] == {"concede Turkey": 1, "draw": 2}
    assert json.loads(data.stdout)["waiting"] == 1
