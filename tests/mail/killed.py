"""Kill work on a game: before each of its steps, or at random instants; POSIX only."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

from alexmagnum.game.desk import Desk
from tests.child_processes import fork, wait

# -- before a step ---------------------------------------------------------------------------------


class KillPoint:
    """Counts the steps of some work and kills its process before step ``last``; -1 for never."""

    def __init__(self, last: int = -1) -> None:
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


Work = Callable[[Path, KillPoint], None]


def kill_before_each_step(work: Work, ready: Path, every: int, steps: int) -> Iterator[Path]:
    """Work in more than so many steps on copies of a game, each killed before another step."""
    for last in count(step=every):
        folder = shutil.copytree(ready, ready.parent / f"killed-{last}")
        if not is_killed(lambda at=last, where=folder: work(where, KillPoint(at))):  # type: ignore[misc]
            assert last > steps
            return
        yield folder


# -- at a random instant ---------------------------------------------------------------------------

_BEFORE = """\
import sys
from pathlib import Path
from alexmagnum.game.desk import Desk
desk = Desk.open(Path(sys.argv[1]))
"""
_BETWEEN = """\
print('ready', flush=True)
sys.stdin.readline()
"""
_AFTER = """\
print('done', flush=True)
"""

Worker = subprocess.Popen[str]


def start(imports: str, work: str, folder: Path, *arguments: str) -> Worker:
    """Start a process that opens the game in a folder (``desk``) and waits for its work."""
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


@dataclass
class Toll:
    """How many workers were killed before their end, and what is not as it should be."""

    killed: int = 0
    faults: list[str] = field(default_factory=list)


MORE = 20
"""How many workers more are killed if none of those asked for was still at work.

On a busy machine the work may have been timed in a slow moment, and be done before the kill.
"""


def kill_at_random(
    begin: Callable[[str], Worker], kills: int, seed: int, toll: Toll
) -> Iterator[str]:
    """Kill so many workers, each at a random instant of its work; ``begin`` starts one by its name.
    Yield the name of each, first that of one that was not disturbed."""
    rng, undisturbed = Random(seed), begin("undisturbed")
    begun = time.perf_counter()
    _go(undisturbed)
    assert undisturbed.stdout is not None
    assert undisturbed.stdout.readline() == "done\n"
    needed = time.perf_counter() - begun
    assert undisturbed.wait(60) == 0
    yield "undisturbed"
    for number in range(kills + MORE):
        if number >= kills and toll.killed:
            return
        worker = begin(str(number))
        _go(worker)
        time.sleep(rng.uniform(0, 1.1 * needed))
        worker.kill()
        at_work = worker.wait(60) != 0
        needed *= 1 if at_work else 0.9
        toll.killed += at_work
        yield str(number)


def _go(worker: Worker) -> None:
    assert worker.stdin is not None
    worker.stdin.write("go\n")
    worker.stdin.flush()
