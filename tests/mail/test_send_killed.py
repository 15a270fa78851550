"""Killed anywhere: no letter goes twice, none is forgotten, and doubt is said aloud.

The children are forked and killed with SIGKILL before each statement that writes, and around the
instant at which a letter leaves.
"""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from alexmagnum.game.letters import DRAFT, SENT, UNCERTAIN
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import send
from alexmagnum.mail.transport import Carrier, Seal
from tests.game.desks import open_desk
from tests.mail.kill_points import KillPoint, is_killed
from tests.mail.killed_senders import kill_senders
from tests.mail.smtp_server import PEOPLE, desk_with_address, draft_letter
from tests.sizes import sampled, sized

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")

POWERS = tuple(player.power for player in PEOPLE)


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


def _send(folder: Path, last: int) -> None:
    steps = KillPoint(last)
    with open_desk(folder) as desk:
        steps.watch(desk)
        list(send(Outbox(desk), carrier=PaperPost(folder / "log", steps)))


@sampled
def test_killed_at_any_step_of_sending_no_letter_goes_twice_and_none_is_lost(
    tmp_path: Path,
) -> None:
    ready = tmp_path / "ready"
    with desk_with_address(ready) as desk:
        for power in POWERS:
            draft_letter(desk, power)
    seen: Counter[str] = Counter()
    for last in count(step=sized(5, 1)):
        folder = shutil.copytree(ready, tmp_path / str(last))
        if not is_killed(lambda at=last, where=folder: _send(where, at)):  # type: ignore[misc]
            break
        with open_desk(folder) as desk:
            box = Outbox(desk)
            list(send(box, carrier=PaperPost(folder / "log", lambda: None)))
            gone = Counter((folder / "log").read_text(encoding="utf-8").split())
            for mailing in box.list_letters():
                seen[f"{mailing.state} {gone[mailing.file]}"] += 1

    assert last > 20
    assert set(seen) == {f"{SENT} 1", f"{UNCERTAIN} 0", f"{UNCERTAIN} 1"}


def _draft(folder: Path, last: int) -> None:
    steps = KillPoint(last)
    with open_desk(folder) as desk:
        steps.watch(desk)
        for power in POWERS:
            draft_letter(desk, power)


@sampled
def test_killed_at_any_step_of_drafting_every_letter_is_there_once(tmp_path: Path) -> None:
    desk_with_address(tmp_path / "ready").close()
    for last in count(step=sized(6, 1)):
        folder = shutil.copytree(tmp_path / "ready", tmp_path / str(last))
        if not is_killed(lambda at=last, where=folder: _draft(where, at)):  # type: ignore[misc]
            break
        with open_desk(folder) as desk:
            box = Outbox(desk)
            before = box.list_letters((DRAFT,))
            assert all(box.read(mailing) == box.mail(mailing.id) for mailing in before)
            _draft(folder, -1)
            box.tidy()
            files = sorted(path.name for path in (folder / "drafts").iterdir())
            assert files == [mailing.file for mailing in box.list_letters((DRAFT,))]
            assert [mailing.power for mailing in box.list_letters()] == list(POWERS)

    assert last > 15


@sampled
def test_senders_killed_at_random_and_a_real_server(tmp_path: Path) -> None:
    toll = kill_senders(tmp_path, sized(2, 100), seed=7)

    assert toll.killed > 0
    assert (toll.twice, toll.lost) == ([], [])
