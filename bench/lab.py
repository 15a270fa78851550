"""How a run of the lab scales from one process to two, and what counting costs beside the games.

Measure on quiet cores: the figures are by the clock, from the first stored game to the last.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from alexmagnum.lab.plan import parse_plan
from alexmagnum.lab.run import read_table, run_plan

PLAN = 'seats = "dumb"\nseed = 1\ngames = {games}\n[series.default]\n'
WORKERS = (1, 2)
GAMES = 400


def measure(*, quick: bool) -> list[dict[str, Any]]:
    """Return a row for each number of processes."""
    rows: list[dict[str, Any]] = []
    for workers in WORKERS:
        row = _measure_run(40 if quick else GAMES, workers)
        first = rows[0]["games_per_hour"] if rows else row["games_per_hour"]
        rows.append(row | {"ratio": round(row["games_per_hour"] / first, 2)})
    return rows


def _measure_run(games: int, workers: int) -> dict[str, Any]:
    """Return the figures of one run of *dumb* on Alex Magnum."""
    stored: list[tuple[int, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        plan = parse_plan(PLAN.format(games=games), "bench", path)
        run_plan(
            plan,
            path / "out",
            workers=workers,
            show=lambda done, total: stored.append((done, perf_counter())),
        )
        times = read_table(path / "out", "timings").sum()
    (first, begun), (last, ended) = stored[1], stored[-1]
    bots, judge, whole = (
        times.item(0, name) for name in ("bot_seconds", "judge_seconds", "seconds")
    )
    return {
        "workers": workers,
        "games": games,
        "games_per_hour": round((last - first) / (ended - begun) * 3600),
        "bots_share": round(bots / whole, 3),
        "judge_share": round(judge / whole, 3),
        "counting_share": round(1 - (bots + judge) / whole, 3),
    }


def list_lines(rows: list[dict[str, Any]]) -> list[str]:
    """Return the lines of the table."""
    head = f"{'processes of the lab':<24}{'games an hour':>14}{'ratio':>7}"
    lines = [head + f"{'bots':>8}{'judge':>8}{'counting':>10}"]
    for row in rows:
        lines.append(
            f"{row['workers']:<24}{row['games_per_hour']:>14}{row['ratio']:>7.2f}"
            f"{row['bots_share']:>8.0%}{row['judge_share']:>8.0%}{row['counting_share']:>10.0%}"
        )
    return lines
