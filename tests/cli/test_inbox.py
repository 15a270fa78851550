"""``inbox`` as a game master types it: real files, real mails, what is printed and what is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from alexmagnum.cli import app
from alexmagnum.game import Desk
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.transport import Found
from tests.game.desks import dump
from tests.mail.mail_desk import at, mail, mail_desk, reply

ORDERS = "A PAR - BUR\nA MAR XXX\nF BRE - MAO\n"


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


def _save_strange_mail(table: Table) -> str:
    return table.save("strange.eml", reply(table.desk, "France", ORDERS, sender="eve@example.net"))


# -- fetch -----------------------------------------------------------------------------------------


def test_fetch_takes_what_is_sure_and_says_what_waits_but_no_order(table: Table) -> None:
    """Keep the game master blind: pending mails are not printed without a request."""
    text = table.run("fetch", table.sure, _save_strange_mail(table), "--lang", "en").stdout

    assert "Mails seen: 2; new: 2 (accepted: 1, waiting: 1)" in text
    assert "eve@example.net is not a registered address" in text
    assert "alexmagnum inbox list" in text
    assert "alexmagnum outbox send" in text
    assert table.desk.receipt("France") is not None
    printed = [text, *(table.run(*call).output for call in (("list", "--all"), ("show", "2")))]
    printed += [json.dumps(table.json("list", "--all")), json.dumps(table.json("show", "2"))]
    assert not [text for text in printed if "BUR" in text or "MAO" in text]


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


def test_a_bad_source_is_told_and_stops_no_other(table: Table) -> None:
    done = table.run("fetch", "nowhere.eml", table.sure, "--lang", "en", status=2)

    assert done.stderr == "there is no file or folder nowhere.eml\n"
    assert table.desk.receipt("France") is not None
    assert "imap_server" in table.run("fetch", status=2).stderr, "without a source"


def test_a_mailbox_wants_a_password(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALEXMAGNUM_IMAP_PASSWORD", raising=False)
    monkeypatch.setattr("alexmagnum.mail.transport._read_keyring", lambda name: "")
    table.desk.set("imap_server", "127.0.0.1:9")
    assert "ALEXMAGNUM_IMAP_PASSWORD" in table.run("fetch", status=2).stderr

    monkeypatch.setenv("ALEXMAGNUM_IMAP_PASSWORD", "secret")
    assert "127.0.0.1:9" in table.run("fetch", status=1).stderr


def test_a_mail_that_came_back_is_told_loudly(table: Table) -> None:
    raw = mail("Sorry.", "MAILER-DAEMON@mx.example.org", Subject="Undelivered Mail")
    done = table.run("fetch", table.save("b.eml", raw), "--lang", "en")

    assert "comes back: is the address right?" in done.stderr


def test_a_game_without_an_address_is_told_that_it_answers_nobody(table: Table) -> None:
    table.desk.set("mail_address", "")
    assert "mail_address" in table.run("fetch", table.sure).stdout


def test_what_an_interrupted_fetch_left_is_handled_by_the_next(table: Table) -> None:
    raw = reply(table.desk, "France", ORDERS)
    Inbox(table.desk).keep(Found(raw, None, "x"))

    assert "new" in table.run("list", "--lang", "en").stdout
    messages = table.json("fetch", table.save("x.eml", raw))["messages"]
    assert [message["state"] for message in messages] == ["taken"]


# -- list and show ---------------------------------------------------------------------------------


def test_list_has_what_waits_and_show_opens_it_only_when_told(table: Table) -> None:
    assert "Nessuna mail è in attesa." in table.run("list").stdout
    table.run("fetch", _save_strange_mail(table))
    (message,) = table.json("list")

    assert (message["state"], message["power"]) == ("waiting", "France")
    assert message["why"] == [{"code": "waits-other-address", "address": "eve@example.net"}]
    listed = table.run("list").stdout
    assert "eve@example.net" in listed
    assert listed.rstrip().endswith("'inbox accept N' o 'inbox reject N'.")
    assert "--open" in table.run("show", "1").stdout
    assert "message-open" not in [entry.action for entry in table.desk.history()]
    opened = table.run("show", "1", "--open", "--reason", "is it Anna?").stdout
    assert "A PAR - BUR" in opened
    last = table.desk.history()[-1]
    assert (last.action, last.power, last.reason) == ("message-open", "France", "is it Anna?")


def test_a_mail_that_was_overtaken_is_told_by_the_clocks_of_the_game(table: Table) -> None:
    box = Inbox(table.desk)
    later = Found(reply(table.desk, "France", ORDERS, Message_ID="<2@x>"), at(11), "x")
    earlier = Found(reply(table.desk, "France", ORDERS, Message_ID="<1@x>"), at(10), "x")
    list(box.fetch([later]))
    list(box.fetch([earlier]))

    assert "later orders have already been accepted (of 2026-11-20 12:00)" in (
        table.run("list", "--lang", "en").stdout
    )


def test_what_was_taken_for_quotation_is_shown_apart_and_the_raw_mail_as_it_is(
    table: Table,
) -> None:
    raw = reply(table.desk, "France", "A PAR - BUR\n\n> A PAR - PIC\n", sender="eve@example.net")
    table.run("fetch", table.save("q.eml", raw))
    text = table.run("show", "1", "--open", "--lang", "en").stdout

    own, _, removed = text.partition("Read as quotation or signature:")
    assert "A PAR - BUR" in own
    assert "A PAR - PIC" in removed
    assert table.run("show", "1", "--raw").stdout_bytes == raw


def test_nothing_in_a_mail_steers_the_terminal(table: Table) -> None:
    raw = reply(table.desk, "France", "A PAR\x1b[2J - BUR\x07\n\n> \x1b]0;x\x07 old\n")
    raw = raw.replace(b"Subject: ", b"Subject: \x1b[2J\x1b]0;owned\x07", 1)
    raw = raw.replace(b"From: ", b'From: "\x1b[31m" ', 1)
    path = table.save("evil\x1b[2J.eml", raw)
    calls = (("fetch", path), ("list", "--all"), ("show", "1", "--open"))
    shown = [table.run(*call).output for call in calls]

    assert not [text for text in shown if "\x1b" in text or "\x07" in text]


# -- accept and reject -----------------------------------------------------------------------------


def test_accept_takes_a_mail_that_waits(table: Table) -> None:
    table.run("fetch", _save_strange_mail(table))
    message = table.json("accept", "1", "--reason", "she called")

    assert (message["state"], message["power"]) == ("taken", "France")
    assert table.desk.pending(reason="t")["France"][0] == "A PAR - BUR"
    assert "already" in table.run("accept", "1", "--lang", "en", status=1).stderr


def test_accept_wants_to_know_whose_it_is(table: Table) -> None:
    table.run("fetch", table.save("x.eml", mail("A CON H", "carla@example.net")))

    assert "--power" in table.run("accept", "1", status=2).stderr
    assert table.json("accept", "1", "--power", "turchia")["power"] == "Turkey"


def test_reject_turns_several_away(table: Table) -> None:
    raws = [mail("x", "eve@example.net", Message_ID=f"<{i}@x>") for i in range(2)]
    table.run("fetch", *(table.save(f"{i}.eml", raw) for i, raw in enumerate(raws)))

    assert [message["state"] for message in table.json("reject", "1", "2")] == ["rejected"] * 2
    assert table.json("list") == []
    assert table.run("reject", "99", status=2).stderr


# -- press, votes, status --------------------------------------------------------------------------


def test_held_press_is_listed_and_dropped(table: Table) -> None:
    text = "STAMPA A TUTTI\nCiao\x1b[2J a tutti\nFINE STAMPA"
    table.run("fetch", table.save("p.eml", reply(table.desk, "France", text)))
    shown = table.run("list", "--press", "--lang", "en").stdout

    assert "France to everybody:" in shown
    assert "a tutti" in shown
    assert table.json("reject", "1", "--press") == []
    assert "No press" in table.run("list", "--press", "--lang", "en").stdout
    assert table.run("reject", "1", "--press", status=2).stderr


def test_status_has_the_mail_that_waits_and_the_votes(table: Table) -> None:
    raws = [
        reply(table.desk, "France", "PATTA\nATTENDI"),
        reply(table.desk, "Italy", "DRAW\nCONCEDE TO Turkey\nREADY"),
    ]
    table.run(
        "fetch", _save_strange_mail(table), *(table.save(f"{i}", raw) for i, raw in enumerate(raws))
    )
    done = CliRunner().invoke(app, ["status", "--game", str(table.folder), "--lang", "en"])

    assert "Mail waiting for you: 1" in done.stdout
    assert "Votes: concede to Turkey: 1; draw: 2" in done.stdout
    assert "asks to wait" in done.stdout
    data = CliRunner().invoke(app, ["status", "--game", str(table.folder), "--json"])
    assert json.loads(data.stdout)["tally"] == {"concede Turkey": 1, "draw": 2}
    assert json.loads(data.stdout)["waiting"] == 1
