"""The speed of ``whatif --flip`` and ``whatif --against`` on positions of full games.

The positions come from games by random players, the first of each with at least 45 units before a
movement phase; all units have the orders that those players gave.  The sample turn is harder: 63
units crowded around the Aegean.  Its times are those of the processor.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

from alexmagnum.board import load_board
from alexmagnum.cli.whatif import share_work
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.notation import write_order
from alexmagnum.orders import MovementOrder, Order
from alexmagnum.play import play_game
from alexmagnum.position import Position, Unit
from alexmagnum.report.phase_report import format_turn_file
from alexmagnum.whatif.flips import Flips
from alexmagnum.whatif.safety import Survey
from tools.pictures import sample_turn

SEEDS = (1, 4, 6)
UNITS = 45
YEARS = 12
SETS = 20_000


class Played(NamedTuple):
    """A position with an order for every unit, by power."""

    position: Position
    orders: dict[str, list[MovementOrder]]


def positions() -> Iterator[Played]:
    """Yield one position of each game."""
    board = load_board("alexmagnum")
    for seed in SEEDS:
        for phase in play_game(board, seed, years=YEARS):
            position = phase.position
            if position.phase.kind == "movement" and len(position.units) >= UNITS:
                yield Played(position, _movement_orders(phase.orders))
                break


def _movement_orders(orders: Mapping[str, Sequence[Order]]) -> dict[str, list[MovementOrder]]:
    return {
        power: [order for order in listed if isinstance(order, MovementOrder)]
        for power, listed in orders.items()
    }


def measure(*, quick: bool) -> list[dict[str, Any]]:
    """Return the figures, one to a row: ``seconds``, or ``per_second`` joint order sets."""
    chosen = list(islice(positions(), 1 if quick else None))
    flips = [
        (_time_flips(played, unit), played, unit) for played in chosen for unit in _units(played)
    ]
    seconds = [took for took, _, _ in flips]
    slowest = max(flips, key=lambda flip: flip[0])
    sets = SETS // 10 if quick else SETS
    return [
        _seconds(f"--flip, median of {len(flips)} orders", statistics.median(seconds)),
        _seconds("--flip, the slowest of them", max(seconds)),
        _seconds("the same as a command", _time_command(*slowest[1:])),
        _rate("--against all, one core", _rate_of_sets(chosen, 1, sets)),
        _rate("--against all, --jobs 2", _rate_of_sets(chosen, 2, sets)),
        _seconds(
            "--against all, the slowest answer, one core", max(map(_time_slowest_survey, chosen))
        ),
        *_measure_sample_turn(),
    ]


def _measure_sample_turn() -> Iterator[dict[str, Any]]:
    """Yield the processor seconds of a hard ``--flip``, and of ``--against all`` for each power."""
    position, orders = sample_turn()
    sample = Played(position, _movement_orders(orders))
    start = process_time()
    _time_flips(sample, Unit("TOL", "F", "PAN"))
    yield _seconds("sample turn, --flip of F PAN", process_time() - start)
    for power in sample.position.board.powers:
        start = process_time()
        _time_survey(Survey(*sample, power, _others(sample, power)))
        yield _seconds(f"sample turn, --against all for {power}", process_time() - start)


def _seconds(what: str, seconds: float) -> dict[str, Any]:
    return {"what": what, "seconds": round(seconds, 3)}


def _rate(what: str, rate: float) -> dict[str, Any]:
    return {"what": what, "per_second": round(rate)}


def _units(played: Played) -> list[Unit]:
    return [unit for unit in played.position.units if unit.power in played.orders]


def _others(played: Played, power: str) -> list[str]:
    return [other for other in played.position.board.powers if other != power]


def _time_flips(played: Played, unit: Unit) -> float:
    """Return the seconds to find every change of one or two units of others that flips an order."""
    start = perf_counter()
    for _ in Flips(*played, unit).search(_others(played, unit.power)):
        pass
    return perf_counter() - start


def _rate_of_sets(chosen: list[Played], jobs: int, sets: int) -> float:
    """Return how many joint order sets are sampled and adjudicated in a second.

    Each set answers all questions of a power that have more than one case.
    """
    rates = []
    for played in chosen:
        survey = _surveys(played)[0]
        start = perf_counter()
        with share_work(jobs) as share:
            for progress in survey.run(most_cases=1, sample=sets, share=share):
                if not progress.drawn:
                    start = perf_counter()
            rates.append(sets / (perf_counter() - start))
    return statistics.median(rates)


def _time_slowest_survey(played: Played) -> float:
    """Return the seconds for all questions of the power that takes longest."""
    return max(_time_survey(survey) for survey in _surveys(played))


def _time_survey(survey: Survey) -> float:
    start = perf_counter()
    for _ in survey.run():
        pass
    return perf_counter() - start


def _surveys(played: Played) -> list[Survey]:
    return [Survey(*played, power, _others(played, power)) for power in played.orders]


def _time_command(played: Played, unit: Unit) -> float:
    """Return the seconds of the command, from the mailed position to the printed answer."""
    position, orders = played
    with tempfile.TemporaryDirectory() as folder:
        turn, given = Path(folder, "turn.yaml"), Path(folder, "orders.txt")
        turn.write_text(format_turn_file(position, load_sentences("en")), "utf-8")
        lines = [f"{power}\n" + "\n".join(map(write_order, orders[power])) for power in orders]
        given.write_text("\n".join(lines), "utf-8")
        command = str(Path(sys.executable).with_name("alexmagnum"))
        arguments = [command, "whatif", str(turn), str(given), "--flip", position.name(unit)]
        start = perf_counter()
        subprocess.run(arguments, check=True, capture_output=True)
        return perf_counter() - start
