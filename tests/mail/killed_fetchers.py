"""Kill processes that fetch mail at random instants, and compare the game with an undisturbed one.

All games are copies of one, so that the same mails fit all of them.
"""

from __future__ import annotations

import io
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from subprocess import Popen
from typing import Any
from unittest.mock import patch

from alexmagnum.game import Desk
from alexmagnum.game.inbox_store import NEW, TAKEN
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.inbox import Fetching, Inbox
from alexmagnum.mail.outbox import DRAFTS
from tests.mail.dovecot import Dovecot
from tests.mail.killable_processes import kill, list_attempts, start, took
from tests.mail.mail_desk import ANNA, BRUNO, mail, mail_desk, reply
from tests.mail.mailbox_game import SECRETS

FOLDER = "Killed"
PRESS = "PRESS TO FRANCE\nBurgundy is yours.\nENDPRESS\n"
_SEAL = re.compile(r"\b[0-9A-F]{4}(?:-[0-9A-F]{4}){3}\b")
"""The digest of orders: there is chance in it."""


@dataclass
class FetchToll:
    """What was found: runs that were killed before their end; where they were (``keeping`` the
    messages, ``handling`` them, or before or behind that); and what came out otherwise."""

    killed: int = 0
    where: Counter[str] = field(default_factory=Counter)
    otherwise: list[str] = field(default_factory=list)


def kill_fetchers(folder: Path, kills: int, server: Dovecot | None, seed: int = 1) -> FetchToll:
    """Kill so many fetchers, each at a random instant of its work; then fetch again to the end,
    and compare with a fetch that nobody disturbed.

    They read a mailbox of ``server``, and every second one a Maildir; all do if there is no
    server.
    """
    with patch.dict(os.environ, SECRETS):
        return _killed(folder, kills, server, Random(seed))


def _killed(folder: Path, kills: int, server: Dovecot | None, rng: Random) -> FetchToll:
    toll = FetchToll()
    ready, maildir = folder / "ready", folder / "Maildir"
    _prepare(ready, maildir, server)
    places = [(), (str(maildir),)] if server else [(str(maildir),)]
    needed = {}
    for place in places:
        timed = shutil.copytree(ready, folder / f"timed-{len(place)}")
        needed[place] = took(_fetcher(timed, place))
    wanted = state_of(folder / "timed-1")
    for number in list_attempts(kills, lambda: toll.killed > 0):
        place = places[number % len(places)]
        game = shutil.copytree(ready, folder / str(number))
        at_work = kill(_fetcher(game, place), rng.uniform(0, 1.1 * needed[place]))
        needed[place] *= 1 if at_work else 0.9
        toll.killed += at_work
        toll.where[_finish(game, place, len(wanted["messages"]))] += 1
        found = state_of(game)
        toll.otherwise += [f"{number}: {what}" for what in wanted if found[what] != wanted[what]]
    return toll


def _fetcher(folder: Path, place: tuple[str, ...]) -> Popen[str]:
    imports = (
        "from alexmagnum.mail.inbox import Fetching\nfrom alexmagnum.mail.inbox import Inbox\n"
    )
    work = (
        "fetching = Fetching(Inbox(desk), sys.stdin.buffer)\n"
        "list(fetching.fetch(sys.argv[2:]))\n"
        "assert not fetching.faults, fetching.faults\n"
    )
    return start(imports, work, folder, *place)


def _finish(folder: Path, place: tuple[str, ...], messages: int) -> str:
    """Fetch to the end; where the killed one had come to."""
    with Desk.open(folder) as desk:
        inbox = Inbox(desk)
        kept, new = len(inbox.list_messages()), len(inbox.list_messages(NEW))
        fetching = Fetching(inbox, io.BytesIO())
        list(fetching.fetch(place))
        assert not fetching.faults, fetching.faults
    if kept < messages:
        return "keeping" if kept else "before"
    return "handling" if 0 < new < messages else "between" if new else "behind"


# -- the game and its mails ------------------------------------------------------------------------


def _prepare(ready: Path, maildir: Path, server: Dovecot | None) -> None:
    """Make a game, and put its mails in a Maildir and in a folder of the server."""
    settings = {"press": "relay", **(server.settings_of(FOLDER) if server else {})}
    came = datetime.now(UTC) - timedelta(hours=1)
    with mail_desk(ready, now=lambda: datetime.now(UTC), settings=settings) as desk:
        raws = list(_mails(desk))
    (maildir / "new").mkdir(parents=True)
    for number, raw in enumerate(raws):
        at = came + timedelta(minutes=number)
        (maildir / "new" / f"{number:02}").write_bytes(
            f"Received: by here; {at:%a, %d %b %Y %H:%M:%S} +0000\r\n".encode() + raw
        )
        if server:
            server.deliver(raw, at=at, folder=FOLDER)


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


# -- what came of it -------------------------------------------------------------------------------


def state_of(folder: Path) -> dict[str, Any]:
    """Return all that must be the same however often a fetch was killed."""
    with Desk.open(folder) as desk:
        inbox = Inbox(desk)
        inbox.outbox.tidy()
        listed, letters = inbox.list_messages(), inbox.outbox.list_letters()
        keys = {message.id: message.key for message in listed}
        receipts = Counter(each.answers for each in letters if each.kind == "receipt")
        rows = desk.file.rows
        return {
            "messages": [(m.key, m.state, m.power, m.phase, m.why) for m in listed],
            "receipts": receipts == {m.id: 1 for m in listed if m.state == TAKEN},
            "letters": [
                (
                    each.kind,
                    each.power,
                    keys.get(each.answers or 0),
                    _remove_digests(inbox, each.id),
                )
                for each in letters
            ],
            "files": sorted(path.name for path in (folder / DRAFTS).iterdir())
            == sorted(m.file for m in letters),
            "orders": desk.pending(reason="test"),
            "mail": [(row["power"], row["text"]) for row in rows("SELECT * FROM mail ORDER BY id")],
            "votes": rows("SELECT phase, power, vote, powers FROM votes ORDER BY vote"),
            "press": rows("SELECT sender, readers, text, state FROM press ORDER BY id"),
            "players": desk.players,
            "faults": desk.verify(),
        }


def _remove_digests(inbox: Inbox, letter: int) -> str:
    """Return the text of a letter without digests."""
    return _SEAL.sub("", read_text(inbox.outbox.message(letter)))
