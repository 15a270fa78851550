"""Kill work in a child process before one of its steps; POSIX only."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from alexmagnum.game import Desk
from tests.child_processes import fork, wait


class KillPoint:
    """Counts the steps of some work and kills its process before step ``last``; -1 for never."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.passed = 0

    def __call__(self) -> None:
        if self.passed == self.last:
            os.kill(os.getpid(), signal.SIGKILL)
        self.passed += 1

    def watch(self, desk: Desk) -> None:
        """Count every SQL statement that writes as a step."""
        words = ("BEGIN", "INSERT", "UPDATE", "COMMIT", "SAVEPOINT", "RELEASE", "DELETE")
        desk.file.db.conn.set_trace_callback(
            lambda statement: self() if statement.upper().startswith(words) else None
        )


def is_killed(work: Callable[[], None]) -> bool:
    """Do some work in a child process; tell whether it was killed."""
    status = wait(fork(work))
    assert status in (0, -signal.SIGKILL)
    return status != 0
