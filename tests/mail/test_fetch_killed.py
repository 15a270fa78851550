"""Killed anywhere while it fetches: no message counts twice, none is lost."""

from __future__ import annotations

import shutil
import sys
from itertools import count
from pathlib import Path

import pytest

from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.transport import Found
from tests.game.desks import open_desk
from tests.mail.dovecot import Dovecot
from tests.mail.kill_points import KillPoint, is_killed
from tests.mail.killed_fetchers import PRESS, kill_fetchers, state_of
from tests.mail.mail_desk import at, mail_desk, reply
from tests.sizes import sampled, sized


@sampled
def test_fetchers_killed_at_random_and_a_real_mailbox(tmp_path: Path, imap_server: Dovecot) -> None:
    toll = kill_fetchers(tmp_path, sized(1, 60), imap_server, seed=7)

    assert toll.killed > 0
    assert toll.otherwise == []


@sampled
def test_fetchers_killed_at_random_and_a_maildir(tmp_path: Path) -> None:
    toll = kill_fetchers(tmp_path, sized(1, 60), None, seed=7)

    assert toll.killed > 0
    assert toll.otherwise == []


@sampled
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")
def test_killed_at_any_step_of_fetching_every_message_counts_once(tmp_path: Path) -> None:
    """Before each statement that writes."""
    ready = tmp_path / "ready"
    with mail_desk(ready, settings={"press": "relay"}) as desk:
        texts = {"France": "A PAR - BUR\nDRAW\nWAIT\n", "Italy": f"A VEN H\n{PRESS}"}
        raws = [reply(desk, power, text) for power, text in texts.items()]
    found = [Found(raw, at(10 + number), "x") for number, raw in enumerate(raws)]

    def fetch(folder: Path, last: int = -1) -> None:
        steps = KillPoint(last)
        with open_desk(folder) as desk:
            steps.watch(desk)
            list(Inbox(desk).fetch(found))

    whole = shutil.copytree(ready, tmp_path / "whole")
    fetch(whole)
    wanted = state_of(whole)
    for last in count(step=sized(9, 1)):
        folder = shutil.copytree(ready, tmp_path / str(last))
        if not is_killed(lambda at=last, where=folder: fetch(where, at)):  # type: ignore[misc]
            break
        fetch(folder)
        assert state_of(folder) == wanted, last

    assert last > 40
