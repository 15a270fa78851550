"""Work that is killed before one of its steps, each in turn: forked, so on POSIX alone."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from alexmagnum.game import Desk
from tests.child_processes import fork, wait


class KillPoint:
    """Counts the steps of some work, and kills it before one of them; -1 for never."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.passed = 0

    def __call__(self) -> None:
        if self.passed == self.last:
            os.kill(os.getpid(), signal.SIGKILL)
        self.passed += 1

    def watch(self, desk: Desk) -> None:
        """Every statement that writes is a step."""
        words = ("BEGIN", "INSERT", "UPDATE", "COMMIT", "SAVEPOINT", "RELEASE", "DELETE")
        desk.game.file.db.conn.set_trace_callback(
            lambda statement: self() if statement.startswith(words) else None
        )


def is_killed(work: Callable[[], None]) -> bool:
    """Do some work in a child: was it killed?"""
    status = wait(fork(work))
    assert status in (0, -signal.SIGKILL)
    return status != 0
