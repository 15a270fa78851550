"""The cost of ``process``: processor time, files entered, adjudications, reads, pictures, bytes.

The phase is a movement phase with 46 units of all six powers, from a random game
(``process_turn.yaml``).  Everything goes through the commands, so that this file measures an older
tree too: ``cd OLD_TREE && python /path/to/bench/process.py``.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

TURN = Path(__file__).with_name("process_turn.yaml")
POWERS = ("TOL", "CAS", "LIS", "AUT", "SEL", "CAN")
PHASE = "317-spring"
YEAR = 6
"""More than the number of phases in a year."""

MAIL = ("mail_address=perdicca@example.net",)

FUNCTIONS = {
    "adjudications": r"/judge/\w+\.py:adjudicate$",
    "map parses": r"/board/\w+\.py:read_map$",
    "pictures drawn": r"/draw/svg\.py:(svg|render_svg)$",
    "pictures as PNG": r"/draw/raster\.py:(png|render_png)$",
}
"""The functions whose calls are counted, by file and name."""


def measure(rounds: int = 5) -> list[dict[str, Any]]:
    """Return the figures: a row for each way of processing, and one for a year of a game."""
    return [
        _row("without pictures and letters", ("pictures=no",), rounds),
        _row("with pictures, six sheets, six letters", MAIL, rounds),
        _year(),
    ]


def _row(what: str, settings: Sequence[str], rounds: int) -> dict[str, Any]:
    seconds = [_seconds(settings) for _ in range(rounds)]
    with tempfile.TemporaryDirectory() as folder:
        game = make_game(Path(folder), settings)
        counted = _run([str(Path(__file__)), "--count", str(game)], python=True)
    figures = json.loads(counted.strip().rpartition("\n")[2])
    return {"what": what, "seconds": round(sorted(seconds)[len(seconds) // 2], 2), **figures}


def _seconds(settings: Sequence[str]) -> float:
    """Return the processor time of the whole command on a new game."""
    with tempfile.TemporaryDirectory() as folder:
        game = make_game(Path(folder), settings)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        _run(["--game", str(game), "process", PHASE, "--allow-missing"])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def make_game(folder: Path, settings: Sequence[str]) -> Path:
    """Make a game before the phase, with every power's orders in it."""
    game = folder / "game"
    players = [f"--player={power}={power.title()} <{power}@example.org>" for power in POWERS]
    rules = [f"--set={setting}" for setting in settings]
    _run(["new", str(game), "--lang", "it", "--from", str(TURN), *players, *rules])
    for power, orders in read_orders().items():
        path = folder / f"{power}.txt"
        path.write_text("\n".join(orders) + "\n", "utf-8")
        _run(["--game", str(game), "submit", power, str(path)])
    return game


def read_orders() -> dict[str, list[str]]:
    """Return the orders of the phase by power."""
    import yaml

    data = yaml.safe_load(TURN.read_text("utf-8"))
    return {power: orders for power, orders in data["orders"].items() if power != "NEU"}


def _year() -> dict[str, Any]:
    """Return the bytes that a year with pictures and letters leaves, every letter sent."""
    with tempfile.TemporaryDirectory() as folder:
        game = make_game(Path(folder), MAIL)
        before = _bytes(game)
        for _ in range(YEAR):
            phase = json.loads(_run(["--game", str(game), "status", "--json"]))["phase"]
            if phase == "316-spring":
                break
            _run(["--game", str(game), "process", phase, "--allow-missing"])
            letters = json.loads(_run(["--game", str(game), "outbox", "list", "--json"]))
            numbers = [str(letter["id"]) for letter in letters]
            if numbers:
                _run(["--game", str(game), "outbox", "send", *numbers, "--by-hand"])
        return {"what": "a year of a game", "bytes": _bytes(game) - before}


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _run(arguments: Sequence[str], *, python: bool = False) -> str:
    """Run a command of the tree in the current folder and return its output.

    Raises:
        RuntimeError: the command failed.
    """
    command = [sys.executable, *([] if python else ["-m", "alexmagnum"]), *arguments]
    path = os.pathsep.join(filter(None, (str(Path.cwd()), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # as people run it: compiled once
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


# -- counting, in a process of its own -------------------------------------------------------------


class _Counter:
    """Counts, while a command runs, the files and functions it enters."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.edges: set[tuple[str, str]] = set()
        self.calls: Counter[str] = Counter()
        self.patterns = {what: re.compile(pattern) for what, pattern in FUNCTIONS.items()}

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if event != "call":
            return
        code = frame.f_code
        if "/alexmagnum/" not in code.co_filename or code.co_name == "<module>":
            return
        self.files.add(code.co_filename)
        caller = frame.f_back
        if caller and "/alexmagnum/" in caller.f_code.co_filename:
            edge = caller.f_code.co_filename, code.co_filename
            if edge[0] != edge[1]:
                self.edges.add(edge)
        where = f"{code.co_filename}:{code.co_name}"
        for what, pattern in self.patterns.items():
            self.calls[what] += bool(pattern.search(where))


def _count(game: str) -> dict[str, int]:
    """Process the phase in this process, and return what was counted."""
    reads = _trace_reads()
    counter = _Counter()
    from alexmagnum.cli import app

    sys.setprofile(counter)
    try:
        arguments = ["--game", game, "process", PHASE, "--allow-missing"]
        app.main(arguments, prog_name="alexmagnum", standalone_mode=False)
    finally:
        sys.setprofile(None)
    files = {"files": len(counter.files), "edges": len(counter.edges)}
    calls = {what: counter.calls[what] for what in FUNCTIONS}
    settings = sum("FROM SETTINGS" in " ".join(read.upper().split()) for read in reads)
    return {**files, **calls, "settings reads": settings, "SQL reads": len(reads)}


def _trace_reads() -> list[str]:
    """Return a list into which every connection made from now on writes its reads."""
    reads: list[str] = []
    connect: Any = sqlite3.connect

    def note(statement: str) -> None:
        if statement.lstrip().upper().startswith(("SELECT", "WITH")):
            reads.append(statement)

    def connect_traced(*arguments: Any, **options: Any) -> Any:
        connection = connect(*arguments, **options)
        connection.set_trace_callback(note)
        return connection

    sqlite3.connect = connect_traced
    return reads


def table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the figures as lines, one below the other."""
    lines = []
    for row in rows:
        lines.append(f"{'process ' if 'seconds' in row else ''}{row['what']}")
        lines += [f"  {name:<20}{value:>12,}" for name, value in row.items() if name != "what"]
    return lines


if __name__ == "__main__":
    if sys.argv[1:2] == ["--count"]:
        print("\n" + json.dumps(_count(sys.argv[2])))
    else:
        print("\n".join(table(measure())))
