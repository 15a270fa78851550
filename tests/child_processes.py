"""Work in a child of this process: forked, so on POSIX alone."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable


def fork(work: Callable[[], object]) -> int:
    """Run some work in a child: its id.  What goes wrong there is printed, and its exit is 1."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


def wait(child: int) -> int:
    """The exit code of a child; less than 0: the signal that killed it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
