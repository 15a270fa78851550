"""Kill processes that send mail at random instants, and compare what a real server received.

As a command, ``python -m tests.mail.killed_senders --kills 100``, it kills as many fetchers too.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from subprocess import Popen

from alexmagnum.game import Desk
from alexmagnum.game.letters import DRAFT, SENT, UNCERTAIN
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import mark_interrupted, send
from tests.mail.dovecot import dovecot, find_dovecot
from tests.mail.killable_processes import kill, list_attempts, start, took
from tests.mail.killed_fetchers import FetchToll, kill_fetchers
from tests.mail.smtp_server import SmtpServer, desk_with_address, draft_letter, run_smtp_server

LETTERS = 6
SLOW = 0.004
"""Seconds that the server takes over each mail: there has to be time to be killed in."""


@dataclass
class Toll:
    """What was found: runs that were killed before their end, the states of letters after it, and
    letters that are not as they should be."""

    killed: int = 0
    states: Counter[str] = field(default_factory=Counter)
    twice: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def kill_senders(folder: Path, kills: int, seed: int = 1) -> Toll:
    """Kill so many senders, each at a random instant of its work; then finish it, and count.

    A letter may have gone though it is called uncertain; it must not have gone twice, nor be
    called sent without having gone, nor be neither sent nor uncertain in the end.
    """
    rng, toll = Random(seed), Toll()
    with run_smtp_server() as post:
        post.on_data = lambda envelope: time.sleep(SLOW)
        _game(folder / "timed", post)
        needed = took(_sender(folder / "timed"))
        for number in list_attempts(kills, lambda: toll.killed > 0):
            at_work = _one(folder / str(number), post, rng.uniform(0, 1.1 * needed), toll)
            needed *= 1 if at_work else 0.9
            toll.killed += at_work
    return toll


def _one(folder: Path, post: SmtpServer, after: float, toll: Toll) -> bool:
    """Kill a sender, finish its work and count; tell whether it was still at work."""
    _game(folder, post)
    before = len(post.taken)
    at_work = kill(_sender(folder), after)
    time.sleep(2 * SLOW)  # what is on its way to the server arrives
    with Desk.open(folder) as desk:
        _finish(Outbox(desk), post, before, toll)
    return at_work


def _finish(box: Outbox, post: SmtpServer, before: int, toll: Toll) -> None:
    """Send the rest, and compare what the game says with what the server received."""
    list(send(box))
    mark_interrupted(box)
    got = Counter(str(message["Message-ID"]) for message in post.messages[before:])
    for mailing in box.list_letters():
        toll.states[mailing.state] += 1
        count = got[mailing.message_id]
        if count > 1:
            toll.twice.append(str(mailing.key))
        if mailing.state not in (SENT, UNCERTAIN) or (mailing.state == SENT and not count):
            toll.lost.append(str(mailing.key))
    assert not box.list_letters((DRAFT,))


def _game(folder: Path, post: SmtpServer) -> None:
    with desk_with_address(folder, post.settings) as desk:
        for number in range(LETTERS):
            draft_letter(desk, ("Austria", "England", "France")[number % 3], key=f"letter {number}")


def _sender(folder: Path) -> Popen[str]:
    imports = (
        "from alexmagnum.mail.outbox import Outbox\nfrom alexmagnum.mail.sending import send\n"
    )
    return start(imports, "list(send(Outbox(desk)))\n", folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        toll = kill_senders(Path(folder), asked.kills, asked.seed)
    print(f"{asked.kills} senders, {toll.killed} killed at work; letters: {dict(toll.states)}")
    print(f"sent twice: {len(toll.twice)}; lost: {len(toll.lost)}")
    fetched = _kill_fetchers(asked.kills, asked.seed)
    print(f"{asked.kills} fetchers, {fetched.killed} killed at work: {dict(fetched.where)}")
    print(f"otherwise than undisturbed: {', '.join(fetched.otherwise) or 0}")
    sys.exit(bool(toll.twice or toll.lost or fetched.otherwise))


def _kill_fetchers(kills: int, seed: int) -> FetchToll:
    """Kill fetchers from a real mailbox and a Maildir; without Dovecot from a Maildir alone."""
    program = find_dovecot()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = stack.enter_context(dovecot(program)) if program else None
        if server is None:
            print("no Dovecot found: mail is fetched from a Maildir alone")
        return kill_fetchers(Path(folder), kills, server, seed)


if __name__ == "__main__":
    main()
