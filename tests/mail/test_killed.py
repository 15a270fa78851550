"""Killed anywhere: no letter goes twice, no message counts twice, and none is lost.

Doubt is said aloud.  Children are forked and killed with SIGKILL before each statement that writes,
and around the instant at which a letter leaves; others are killed at random instants, at work with
a real server.
"""

import io
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.game.desk import Desk
from alexmagnum.game.mail_store import DRAFT, SENT, TAKEN, UNCERTAIN
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.outbox import DRAFTS, Outbox
from alexmagnum.mail.sending import mark_interrupted, send
from alexmagnum.mail.transport import Carrier, Found, Seal
from tests.game.desks import open_desk
from tests.mail.dovecot import Dovecot
from tests.mail.killed import KillPoint, Toll, Worker, kill_at_random, kill_before_each_step, start
from tests.mail.mail_desk import ANNA, BRUNO, at, mail, mail_desk, reply
from tests.mail.smtp_server import PEOPLE, desk_with_address, draft_letter, run_smtp_server
from tests.sizes import sampled, sized

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")

POWERS = tuple(player.power for player in PEOPLE)


# -- sending ---------------------------------------------------------------------------------------


class PaperPost(Carrier):
    """A carrier that writes down what it was given, and dies when it is told to."""

    def __init__(self, log: Path, die: Callable[[], None]) -> None:
        self.log = log
        self.die = die

    def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
        self.die()
        seal()
        self.die()
        with self.log.open("a", encoding="utf-8") as stream:
            stream.write(f"{name}\n")
        self.die()

    def close(self) -> None:
        self.die()


def _draft(folder: Path, steps: KillPoint) -> None:
    with open_desk(folder) as desk:
        steps.watch(desk)
        for power in POWERS:
            draft_letter(desk, power)


def _send(folder: Path, steps: KillPoint) -> None:
    with open_desk(folder) as desk:
        steps.watch(desk)
        list(send(Outbox(desk), carrier=PaperPost(folder / "log", steps)))


@sampled
def test_killed_at_any_step_of_sending_no_letter_goes_twice_and_none_is_lost(
    tmp_path: Path,
) -> None:
    ready = tmp_path / "ready"
    desk_with_address(ready).close()
    _draft(ready, KillPoint())
    seen: Counter[str] = Counter()
    for folder in kill_before_each_step(_send, ready, sized(11, 2), steps=20):
        _send(folder, KillPoint())
        gone = Counter((folder / "log").read_text(encoding="utf-8").split())
        with open_desk(folder) as desk:
            seen.update(f"{m.state} {gone[m.file]}" for m in Outbox(desk).list_letters())
    assert set(seen) == {f"{SENT} 1", f"{UNCERTAIN} 0", f"{UNCERTAIN} 1"}


@sampled
def test_killed_at_any_step_of_drafting_every_letter_is_there_once(tmp_path: Path) -> None:
    desk_with_address(tmp_path / "ready").close()
    for folder in kill_before_each_step(_draft, tmp_path / "ready", sized(14, 2), steps=15):
        with open_desk(folder) as desk:
            box = Outbox(desk)
            before = box.list_letters((DRAFT,))
            assert all(box.read(mailing) == box.mail(mailing.id) for mailing in before)
            _draft(folder, KillPoint())
            box.tidy()
            files = sorted(path.name for path in (folder / DRAFTS).iterdir())
            assert files == [mailing.file for mailing in box.list_letters((DRAFT,))]
            assert [mailing.power for mailing in box.list_letters()] == list(POWERS)


SLOW = 0.004  # seconds that the server takes over each mail: there has to be time to be killed in


@pytest.mark.proof
def test_senders_killed_at_random_and_a_real_server(tmp_path: Path) -> None:
    """A letter may have gone though it is called uncertain; it must not have gone twice, nor be
    called sent without having gone, nor be neither sent nor uncertain in the end."""
    with run_smtp_server() as post:
        post.on_data = lambda envelope: time.sleep(SLOW)

        def begin(name: str) -> Worker:
            with desk_with_address(tmp_path / name, post.settings) as desk:
                for number in range(6):
                    draft_letter(desk, POWERS[number % 3], key=f"letter {number}")
            post.taken.clear()
            imports = (
                "from alexmagnum.mail.outbox import Outbox\n"
                "from alexmagnum.mail.sending import send\n"
            )
            return start(imports, "list(send(Outbox(desk)))\n", tmp_path / name)

        toll = Toll()
        for name in kill_at_random(begin, 20, 7, toll):
            time.sleep(2 * SLOW)  # what is on its way to the server arrives
            with Desk.open(tmp_path / name) as desk:
                box = Outbox(desk)
                list(send(box))
                mark_interrupted(box)
                assert not box.list_letters((DRAFT,))
                got = Counter(str(message["Message-ID"]) for message in post.messages)
                fates = {(m.state, got[m.message_id]) for m in box.list_letters()}
                assert fates <= {(SENT, 1), (UNCERTAIN, 0), (UNCERTAIN, 1)}, name

    assert toll.killed > 0


# -- fetching --------------------------------------------------------------------------------------

FOLDER = "Killed"
PRESS = "PRESS TO FRANCE\nBurgundy is yours.\nENDPRESS\n"
_SEAL = re.compile(r"\b[0-9A-F]{4}(?:-[0-9A-F]{4}){3}\b")  # of orders: there is chance in it


def _mails(desk: Desk) -> Iterator[bytes]:
    """Orders that replace others, votes, press, questions; and what waits or is left aside."""
    texts = (
        ("France", "A PAR - BUR\nF BRE - MAO\nA MAR S A PAR - BUR\n"),
        ("Italy", f"A VEN H\n{PRESS}"),
        ("France", "A PAR - PIC\nDRAW\nWAIT\n"),
        ("Italy", "CLEAR\nF NAP - ION\n"),
        ("Italy", "HISTORY\nORDERS\nNO DRAW\n"),
        ("France", "ABSENCE 24/12-6/1\n"),
        ("Italy", f"A ROM - APU\nA VEN H\n{PRESS}"),
    )
    for number, (power, text) in enumerate(texts):
        raw = reply(desk, power, text, Message_ID=f"<{number}@example.org>")
        yield from [raw] * (number % 3 or 2)
    yield mail("A PAR - GAS\n", ANNA, Message_ID="<forged@example.net>")
    yield reply(desk, "France", "A PAR - GAS\n", sender="eve@example.net", Message_ID="")
    yield mail("I am away.", BRUNO, Auto_Submitted="auto-replied", Message_ID="<away@example.com>")
    yield mail("Sorry.", "MAILER-DAEMON@mx.example.org", Subject="Undelivered Mail", Message_ID="")


def _state_of(folder: Path) -> dict[str, Any]:
    """Return all that must be the same however often a fetch was killed."""
    with Desk.open(folder) as desk:
        inbox = Inbox(desk)
        box = inbox.outbox
        box.tidy()
        listed, letters = inbox.store.find_all(), box.list_letters()
        keys = {message.id: message.key for message in listed} | {None: None}
        receipts = Counter(each.answers for each in letters if each.kind == "receipt")
        texts = {each.id: _SEAL.sub("", read_text(box.message(each.id))) for each in letters}
        files = sorted(path.name for path in (folder / DRAFTS).iterdir())
        rows = desk.file.rows
        return {
            "messages": [(m.key, m.state, m.power, m.phase, m.why) for m in listed],
            "receipts": receipts == {m.id: 1 for m in listed if m.state == TAKEN},
            "letters": [(m.kind, m.power, keys[m.answers or None], texts[m.id]) for m in letters],
            "files": files == sorted(m.file for m in letters),
            "orders": desk.pending(reason="test"),
            "mail": [(row["power"], row["text"]) for row in rows("SELECT * FROM mail ORDER BY id")],
            "votes": rows("SELECT phase, power, vote, powers FROM votes ORDER BY vote"),
            "press": rows("SELECT sender, readers, text, state FROM press ORDER BY id"),
            "players": desk.players,
            "faults": desk.verify(),
        }


def _check_fetchers(home: Path, kills: int, server: Dovecot | None) -> None:
    """Kill fetchers that read a mailbox of the server, or a Maildir; fetch to the end and compare
    with a fetch that nobody disturbed, in copies of one game, so that the same mails fit."""
    settings = {"press": "relay", **(server.settings_of(FOLDER) if server else {})}
    came = datetime.now(UTC) - timedelta(hours=1)
    ready, maildir = home / "ready", home / "Maildir"
    with mail_desk(ready, now=lambda: datetime.now(UTC), settings=settings) as desk:
        raws = list(_mails(desk))
    (maildir / "new").mkdir(parents=True)
    for number, raw in enumerate(raws):
        arrived = came + timedelta(minutes=number)
        if server:
            server.deliver(raw, at=arrived, folder=FOLDER)
        field = f"Received: by here; {arrived:%a, %d %b %Y %H:%M:%S} +0000\r\n".encode()
        (maildir / "new" / f"{number:02}").write_bytes(field + raw)
    place = () if server else (str(maildir),)
    work = (
        "inbox = Inbox(desk)\n"
        "list(inbox.fetch_from(sys.argv[2:], sys.stdin.buffer))\n"
        "assert not inbox.faults, inbox.faults\n"
    )

    def begin(name: str) -> Worker:
        folder = shutil.copytree(ready, home / name)
        return start("from alexmagnum.mail.inbox import Inbox\n", work, folder, *place)

    toll, wanted = Toll(), dict[str, Any]()
    for name in kill_at_random(begin, kills, 7, toll):
        with Desk.open(home / name) as desk:
            inbox = Inbox(desk)
            list(inbox.fetch_from(place, io.BytesIO()))
            assert not inbox.faults, inbox.faults
        found = _state_of(home / name)
        wanted = wanted or found
        toll.faults += [f"{name}: {what}" for what in wanted if found[what] != wanted[what]]

    assert toll.killed > 0
    assert toll.faults == []


@pytest.mark.proof
def test_fetchers_killed_at_random_and_a_real_mailbox(
    tmp_path: Path, imap_server: Dovecot, imap_password: None
) -> None:
    _check_fetchers(tmp_path, 15, imap_server)


@pytest.mark.proof
def test_fetchers_killed_at_random_and_a_maildir(tmp_path: Path) -> None:
    _check_fetchers(tmp_path, 15, None)


@sampled
def test_killed_at_any_step_of_fetching_every_message_counts_once(tmp_path: Path) -> None:
    """Before each statement that writes."""
    ready = tmp_path / "ready"
    with mail_desk(ready, settings={"press": "relay"}) as desk:
        texts = {"France": "A PAR - BUR\nDRAW\nWAIT\n", "Italy": f"A VEN H\n{PRESS}"}
        raws = [reply(desk, power, text) for power, text in texts.items()]
    found = [Found(raw, at(10 + number), "x") for number, raw in enumerate(raws)]

    def fetch(folder: Path, steps: KillPoint) -> None:
        with open_desk(folder) as desk:
            steps.watch(desk)
            list(Inbox(desk).fetch(found))

    whole = shutil.copytree(ready, tmp_path / "whole")
    fetch(whole, KillPoint())
    wanted = _state_of(whole)
    for folder in kill_before_each_step(fetch, ready, sized(25, 3), steps=40):
        fetch(folder, KillPoint())
        assert _state_of(folder) == wanted, folder
