"""How many games of bots an hour and core has, and where their time goes.

Games of *random* and *dumb* have one bot in every seat; the slower bots sit in one seat, a
different one in each game, among *dumb*.  On Alex Magnum games last until they are over, at most 22
years; on the standard map at most 20.  ``python -m bench.bots GAMES`` prints the figures of this
build as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from random import Random
from time import process_time
from typing import Any

import alexmagnum
from alexmagnum.board import Board, load_board
from alexmagnum.bots import BOTS, Bot, load_bot
from alexmagnum.builds import COMPILED, PURE
from alexmagnum.campaign import first_position, next_position
from alexmagnum.judge import adjudicate
from bench.other_build import name_build

MAPS = {"alexmagnum": 0, "standard": 20}
"""The maps, with the years after which a game ends there; 0 if the map has a last year."""
FAST = ("random", "dumb")
GAMES = 40
"""Games of the fast bots; of the others there are a tenth."""


def measure(*, quick: bool) -> list[dict[str, Any]]:
    """Return the figures of all bots on all maps, in this build and, if there is one, the other."""
    games = 4 if quick else GAMES
    return measure_build(games, quick=quick) + _measure_other_build(games, quick=quick)


def measure_build(games: int, *, quick: bool) -> list[dict[str, Any]]:
    """Return the figures of this build."""
    return [
        measure_games(name, map_name, games if name in FAST else max(1, games // 10), years)
        for map_name, years in MAPS.items()
        for name in BOTS
        if name in FAST or not quick
    ]


def _measure_other_build(games: int, *, quick: bool) -> list[dict[str, Any]]:
    environment = {key: value for key, value in os.environ.items() if key != PURE}
    if alexmagnum.__build__ == COMPILED:
        environment[PURE] = "1"
    done = subprocess.run(
        [sys.executable, "-m", "bench.bots", str(games), *(["--quick"] if quick else [])],
        env=environment,
        capture_output=True,
        check=True,
        text=True,
    )
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return [row for row in rows if row["build"] != name_build()]


def measure_games(name: str, map_name: str, games: int, years: int) -> dict[str, Any]:
    """Return the figures of some games with a bot, in processor seconds.

    The first game warms up and does not count, unless it is the only one.
    """
    board = load_board(map_name)
    bot, dumb = load_bot(name), load_bot("dumb")
    powers = list(board.powers)
    total, phases, turns = [0.0, 0.0, 0.0], 0, 0
    for seed in range(games + (name in FAST)):
        seat = powers[seed % len(powers)]
        bots = {p: bot if name in FAST or p == seat else dumb for p in powers}
        times, played, moved = time_game(board, bots, seed, years)
        if seed or name not in FAST:
            total = [a + b for a, b in zip(total, times, strict=True)]
            phases, turns = phases + played, turns + moved
    seconds = sum(total) / games
    return {
        "bot": name if name in FAST else f"one {name} among dumb",
        "map": map_name,
        "build": name_build(),
        "games": games,
        "phases": round(phases / games, 1),
        "seconds": round(seconds, 4),
        "games_an_hour": round(3600 / seconds),
        "bots": round(total[0] / sum(total), 3),
        "judge": round(total[1] / sum(total), 3),
        "turn": round(total[0] / turns, 4),
    }


def time_game(
    board: Board, bots: Mapping[str, Bot], seed: int, years: int
) -> tuple[list[float], int, int]:
    """Return the seconds of bots, judge and calendar, the phases, and the movement phases."""
    rng = Random(seed)
    position = first_position(board)
    bot_time, judge_time, calendar = 0.0, 0.0, 0.0
    phases, turns, first = 0, 0, position.phase.year
    while True:
        start = process_time()
        orders = {power: bots[power].orders(position, power, rng) for power in board.powers}
        ordered = process_time()
        outcome = adjudicate(position, orders)
        outcome.units, outcome.dislodged  # noqa: B018 (worked out when they are first read)
        judged = process_time()
        following = next_position(outcome)
        bot_time, judge_time = bot_time + ordered - start, judge_time + judged - ordered
        calendar += process_time() - judged
        phases, turns = phases + 1, turns + (position.phase.kind == "movement")
        if following is None or 0 < years <= abs(following.phase.year - first):
            return [bot_time, judge_time, calendar], phases, turns
        position = following


def table(rows: list[dict[str, Any]]) -> list[str]:
    """Return the lines of the table."""
    head = f"{'games of bots':<24}{'map':<12}{'build':<13}{'seconds':>9}{'an hour':>10}"
    return [
        f"{head}{'bots':>7}{'judge':>7}{'a turn':>9}",
        *(
            "{bot:<24}{map:<12}{build:<13}{seconds:>9.3f}{games_an_hour:>10,}"
            "{bots:>7.0%}{judge:>7.0%}{turn:>9.4f}".format_map(row)
            for row in rows
        ),
        "seconds: of the processor, a game; an hour: games an hour and core; bots, judge: shares",
        "of the time, the rest is the calendar; a turn: seconds of all bots for a movement phase",
    ]


if __name__ == "__main__":
    print(json.dumps(measure_build(int(sys.argv[1]), quick="--quick" in sys.argv)))
