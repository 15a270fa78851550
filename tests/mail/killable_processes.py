"""Start processes that work on a game, and kill them while they work."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

_BEFORE = """\
import sys
from pathlib import Path
from alexmagnum.game import Desk
desk = Desk.open(Path(sys.argv[1]))
"""
_BETWEEN = """\
print('ready', flush=True)
sys.stdin.readline()
"""
_AFTER = """\
print('done', flush=True)
"""


def start(imports: str, work: str, folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start a process that opens the game in a folder (``desk``) and waits for its work.

    :func:`took` or :func:`kill` let it begin.
    """
    worker = subprocess.Popen(
        [sys.executable, "-c", imports + _BEFORE + _BETWEEN + work + _AFTER, folder, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == "ready\n"
    return worker


def took(worker: subprocess.Popen[str]) -> float:
    """Let it work to the end; return how many seconds that took."""
    begun = time.perf_counter()
    _go(worker)
    assert worker.stdout is not None
    assert worker.stdout.readline() == "done\n"
    needed = time.perf_counter() - begun
    assert worker.wait(60) == 0
    return needed


def kill(worker: subprocess.Popen[str], after: float) -> bool:
    """Let it work for some seconds and kill it; tell whether it was still at work."""
    _go(worker)
    time.sleep(after)
    worker.kill()
    return worker.wait(60) != 0


MORE = 20
"""How many processes more are killed if none of those asked for was still at work."""


def list_attempts(kills: int, was_killed: Callable[[], bool]) -> Iterator[int]:
    """Yield the numbers of the processes to kill: some more while none was killed at its work.

    On a busy machine the work may have been timed in a slow moment, and be done before the kill.
    """
    yield from range(kills)
    for number in range(kills, kills + MORE):
        if was_killed():
            return
        yield number


def _go(worker: subprocess.Popen[str]) -> None:
    assert worker.stdin is not None
    worker.stdin.write("go\n")
    worker.stdin.flush()
