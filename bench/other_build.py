"""Our engines in the other build of the judge, which needs a process of its own.

A process runs either the compiled files or the sources (:mod:`alexmagnum.builds`).  The benchmark
starts ``python -m bench.other_build COUNT`` with the environment of the other build.  That process
answers each line on its standard input, the name of an engine, with the processor seconds of a
round; after ``results ENGINE`` it answers with the units after each position.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import alexmagnum
from alexmagnum.builds import COMPILED, INTERPRETED, PURE
from bench.engines import ENGINES
from bench.positions import PhaseResult, Sample, load
from bench.timing import time_round


class OtherProcess:
    """A running process with the engines of the other build."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.build = self._read()

    def ask(self, line: str) -> Any:
        """Send a line and return the answer."""
        assert self.process.stdin is not None, "opened as a pipe"
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self._read()

    def _read(self) -> Any:
        assert self.process.stdout is not None, "opened as a pipe"
        return json.loads(self.process.stdout.readline())


class OtherBuildRacer:
    """One engine of the other build."""

    def __init__(self, process: OtherProcess, engine: str) -> None:
        self.process = process
        self.engine = engine
        self.name = f"{engine} [{process.build}]"

    def time_round(self, samples: Sequence[Sample]) -> float:
        """Return the processor seconds for one run; the other process has the samples."""
        return float(self.process.ask(self.engine))

    def list_units(self) -> list[Mapping[str, str]]:
        """Return the units after each position."""
        units: list[Mapping[str, str]] = self.process.ask(f"results {self.engine}")
        return units


@contextmanager
def start_other_build(count: int) -> Iterator[list[OtherBuildRacer]]:
    """Start the other build on the first positions; yield its engines, none if it is not there."""
    environment = {key: value for key, value in os.environ.items() if key != PURE}
    if alexmagnum.__build__ == COMPILED:
        environment[PURE] = "1"
    with subprocess.Popen(
        [sys.executable, "-m", "bench.other_build", str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        other = OtherProcess(process)
        is_other = other.build != name_build()
        yield [OtherBuildRacer(other, engine.name) for engine in ENGINES] if is_other else []
        assert process.stdin is not None, "opened as a pipe"
        process.stdin.close()


def name_build() -> str:
    """Return the build of this process in one word."""
    return COMPILED if alexmagnum.__build__ == COMPILED else INTERPRETED


def main(count: int) -> None:
    """Answer lines until there are no more."""
    samples = load(count)
    engines = {kind.name: kind() for kind in ENGINES}
    print(json.dumps(name_build()), flush=True)
    for line in sys.stdin:
        wanted = line.strip()
        engine = engines[wanted.removeprefix("results ")]
        if wanted in engines:
            answer: Any = time_round(engine, samples)
        else:
            answer = [dict(_resolve(engine, sample).units) for sample in samples]
        print(json.dumps(answer), flush=True)


def _resolve(engine: Any, sample: Sample) -> PhaseResult:
    result: PhaseResult = engine.phase_result(engine.run(engine.prepare(sample)))
    return result


if __name__ == "__main__":
    main(int(sys.argv[1]))
