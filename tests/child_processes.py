"""Run work in a child process, forked from this one; POSIX only."""

import os
import sys
import traceback
from collections.abc import Callable


def fork(work: Callable[[], object]) -> int:
    """Run work in a child process, which prints a traceback and exits with 1 if it fails."""
    if child := os.fork():
        return child
    try:
        work()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


def wait(child: int) -> int:
    """Wait for a child and return its exit code; below 0 it is the signal that killed it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
