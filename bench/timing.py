"""Timing of engines over the same positions, and of commands, in turns."""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Protocol

from bench.peers import Engine
from bench.positions import Sample


@dataclass(frozen=True, slots=True)
class Rates:
    """Adjudications per second of each engine, a figure for every round.

    Figures with the same index come from the same round; ratios compare them.
    """

    rounds: Mapping[str, Sequence[float]]

    def median(self, name: str) -> float:
        return statistics.median(self.rounds[name])

    def ratio(self, name: str, to: str) -> float:
        """Return how many times as fast one engine is as another: the median over the rounds."""
        pairs = zip(self.rounds[name], self.rounds[to], strict=True)
        return statistics.median(a / b for a, b in pairs)


class Racer(Protocol):
    """What takes part in a race: an engine of this process, or one of another process."""

    @property
    def name(self) -> str:
        """Its row in the table."""

    def time_round(self, samples: Sequence[Sample]) -> float:
        """Return the processor seconds for one run over all samples."""


@dataclass(frozen=True, slots=True)
class LocalRacer:
    """An engine of this process."""

    engine: Engine

    @property
    def name(self) -> str:
        return self.engine.name

    def time_round(self, samples: Sequence[Sample]) -> float:
        return time_round(self.engine, samples)


def race(engines: Sequence[Racer], samples: Sequence[Sample], rounds: int) -> Rates:
    """Let the engines take turns over the samples, A B C, A B C, ...

    The first turn is a warm-up and not counted.
    """
    figures: dict[str, list[float]] = {engine.name: [] for engine in engines}
    for turn in range(rounds + 1):
        for engine in engines:
            rate = len(samples) / engine.time_round(samples)
            if turn:
                figures[engine.name].append(rate)
    return Rates(figures)


def time_round(engine: Engine, samples: Sequence[Sample]) -> float:
    """Return the processor seconds for one run over all samples.

    The prepared jobs are hidden from the garbage collector, which then runs as usual: every engine
    pays only for the garbage that it makes itself.
    """
    jobs, run = [engine.prepare(sample) for sample in samples], engine.run
    gc.collect()
    gc.freeze()
    try:
        start = process_time()
        for job in jobs:
            run(job)
        return process_time() - start
    finally:
        gc.unfreeze()


def start_up(commands: Mapping[str, Sequence[str]], rounds: int) -> dict[str, float]:
    """Return the median seconds of each command, run in turns.

    The first turn is a warm-up and not counted; a command that fails in it is reported and left
    out.
    """
    working = {name: command for name, command in commands.items() if _works(command)}
    seconds: dict[str, list[float]] = {name: [] for name in working}
    for _ in range(rounds):
        for name, command in working.items():
            start = perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            seconds[name].append(perf_counter() - start)
    return {name: statistics.median(figures) for name, figures in seconds.items()}


def _works(command: Sequence[str]) -> bool:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        why = done.stderr.strip().rpartition("\n")[2]
        print(f"{' '.join(command)} failed and is left out: {why}", file=sys.stderr)
    return not done.returncode
