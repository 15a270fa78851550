"""What people wait for: commands from the shell to the prompt, in seconds and in processor time.

The game is that of :mod:`bench.process`.  Everything goes through the commands, so that this file
measures an older tree too: ``cd OLD_TREE && python -m bench --only waiting``.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from bench.process import MAIL, PHASE, make_game, read_orders
from bench.startup import TURN as SAMPLE_TURN


def measure(rounds: int) -> list[dict[str, Any]]:
    """Return the median time of each command; the first run of each is a warm-up."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        game = make_game(root, MAIL)
        orders = root / "SEL.txt"
        orders.write_text("\n".join(read_orders()["SEL"]) + "\n", "utf-8")
        sample = [str(SAMPLE_TURN), *map(str, sorted(SAMPLE_TURN.parent.glob("*.txt")))]
        drawing = ["map", "draw", "alexmagnum", *sample, "-o", str(root / "map.svg")]
        processing = ["process", PHASE, "--allow-missing"]
        return [
            _row("status", game, ["status"], rounds),
            _row("submit", game, ["submit", "SEL", str(orders)], rounds),
            _row("map draw, SVG of the sample turn", game, drawing, rounds),
            _row("process, pictures, sheets, letters", game, processing, rounds),
        ]


def table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the rows as lines of a table."""
    head = f"{'what people wait for':<38}{'seconds':>10}{'processor':>11}"
    line = "{what:<38}{seconds:>10.2f}{processor:>11.2f}"
    return [head, *(line.format_map(row) for row in rows)]


def _row(what: str, game: Path, arguments: Sequence[str], rounds: int) -> dict[str, Any]:
    """Return the median seconds and processor seconds of a command on copies of a game."""
    runs = [_time(game, arguments) for _ in range(rounds + 1)]
    seconds, processor = zip(*runs[1:], strict=True)
    return {
        "what": what,
        "seconds": round(median(seconds), 2),
        "processor": round(median(processor), 2),
    }


def _time(game: Path, arguments: Sequence[str]) -> tuple[float, float]:
    """Return the seconds and the processor seconds of a command on a new copy of a game."""
    with tempfile.TemporaryDirectory() as folder:
        copied = shutil.copytree(game, Path(folder) / "game")
        environment = {**os.environ}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # as people run it: compiled once
        command = [sys.executable, "-m", "alexmagnum", "--game", str(copied), *arguments]
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=environment)
        seconds, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
