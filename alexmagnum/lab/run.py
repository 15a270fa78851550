"""Running a plan: games in batches on a Dask cluster, and their rows into the folder of results."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from distributed import Client, Future, as_completed
from distributed.scheduler import KilledWorker

from alexmagnum.errors import AlexMagnumError
from alexmagnum.lab.batches import BatchResult, BatchTask, pack_match, play_batch
from alexmagnum.lab.cluster import check_workers, open_cluster
from alexmagnum.lab.game import Match
from alexmagnum.lab.identity import Identity, identify
from alexmagnum.lab.plan import Plan
from alexmagnum.lab.results import ResultFolder, open_results

BATCH_SECONDS = 5.0
"""How long a batch should take: what a killed worker costs, and how fine the progress is."""

_AHEAD = 2
"""The batches that each worker has: the one it plays, and one that waits."""

ShowGames = Callable[[int, int], None]
"""Hears how many games are played, out of how many that were to be played in this run."""


@dataclass(slots=True)
class Summary:
    """What a run did: the games that were done before, those it played, and those that failed.

    ``failed``: by series and number, why a game could not be played to its end.
    """

    before: int
    played: int = 0
    failed: dict[tuple[str, int], str] = field(default_factory=dict)


def run_plan(
    plan: Plan,
    folder: Path,
    *,
    anew: bool = False,
    workers: int = 0,
    scheduler: str = "",
    show: ShowGames = lambda done, total: None,
) -> Summary:
    """Play the games of a plan that its folder of results does not have yet.

    ``workers``: the processes on this machine, 0 for one to each core; ``scheduler``: the address
    of a Dask scheduler to use instead.  An interrupted run goes on where it was if it is started
    again.

    Raises:
        AlexMagnumError: as :func:`~alexmagnum.lab.results.open_results`,
            :func:`~alexmagnum.lab.cluster.open_cluster` and
            :func:`~alexmagnum.lab.cluster.check_workers`; ``lab-connection-lost``.
    """
    own = identify(plan.bots, str(plan.modules.resolve()))
    with open_results(folder, plan, own, anew=anew) as results:
        results.merge()
        missing = _list_missing(plan, results)
        count = sum(map(len, missing.values()))
        summary = Summary(before=plan.games - count)
        if count:
            show(0, count)
            try:
                with open_cluster(workers, scheduler, results.scratch) as client:
                    check_workers(client, own, plan.modules)
                    _Dealer(results, own, client, missing, summary).play(show)
            finally:
                results.merge()
    return summary


def _list_missing(plan: Plan, results: ResultFolder) -> dict[str, list[int]]:
    """Return by series the numbers of the games that are not played yet."""
    done = results.done()
    return {
        series.name: [n for n in range(1, series.games + 1) if n not in done[series.name]]
        for series in plan.series
    }


class _Dealer:
    """Deals the games of a run to the workers of a cluster, and collects their results."""

    def __init__(
        self,
        results: ResultFolder,
        own: Identity,
        client: Client,
        missing: dict[str, list[int]],
        summary: Summary,
    ) -> None:
        self._results = results
        self._own = own
        self._client = client
        self._missing = missing
        self._summary = summary
        self._seconds: dict[str, float] = {}
        self._matches: dict[str, bytes] = {}
        self._again: list[BatchTask] = []
        self._suspects: list[BatchTask] = []
        self._tried_alone: set[BatchTask] = set()

    def play(self, show: ShowGames) -> None:
        """Play all games that are missing.

        Raises:
            AlexMagnumError: ``lab-connection-lost``, ``lab-other-worker``.
        """
        total = sum(map(len, self._missing.values()))
        running = as_completed(raise_errors=False)
        tasks: dict[str, BatchTask] = {}
        self._submit(running, tasks)
        for future in running:
            if future.status == "lost":  # with its worker; Dask plays it again
                running.add(future)
                continue
            self._collect(tasks.pop(str(future.key)), future)
            future.release()
            self._submit(running, tasks)
            show(self._summary.played + len(self._summary.failed), total)

    def _submit(self, running: Any, tasks: dict[str, BatchTask]) -> None:
        """Give every worker its batches."""
        threads = max(sum(self._client.nthreads().values()), 1)
        while len(tasks) < threads * _AHEAD:
            task = self._next_task(threads) or self._next_suspect(tasks)
            if task is None:
                return
            future = self._client.submit(play_batch, task, pure=False)
            tasks[str(future.key)] = task
            running.add(future)

    def _next_task(self, threads: int) -> BatchTask | None:
        """Return the next games to be played; None if there are none left."""
        if self._again:
            return self._again.pop()
        name = next((name for name, numbers in self._missing.items() if numbers), None)
        if name is None:
            return None
        numbers = self._missing[name]
        size = self._choose_size(name, threads)
        self._missing[name] = numbers[size:]
        return self._make_task(name, tuple(numbers[:size]))

    def _next_suspect(self, tasks: Mapping[str, BatchTask]) -> BatchTask | None:
        """Return a game that may have ended its workers, once nothing else is being played."""
        if tasks or not self._suspects:
            return None
        task = self._suspects.pop()
        self._tried_alone.add(task)
        return task

    def _choose_size(self, name: str, threads: int) -> int:
        """Return how many games to deal: a few seconds' worth, and less towards the end."""
        seconds = self._seconds.get(name)
        if seconds is None:
            return 1
        left = sum(map(len, self._missing.values()))
        share = math.ceil(left / (threads * _AHEAD))
        return max(1, min(int(BATCH_SECONDS / max(seconds, 1e-4)), share))

    def _make_task(self, name: str, numbers: tuple[int, ...]) -> BatchTask:
        plan = self._results.plan
        if name not in self._matches:
            series = next(series for series in plan.series if series.name == name)
            match = Match(series, series.load_board(plan.folder), plan.turn_seconds)
            self._matches[name] = pack_match(match)
        modules = str(plan.modules.resolve())
        return BatchTask(name, self._matches[name], numbers, self._own.code, modules)

    # -- collecting ------------------------------------------------------------------------------

    def _collect(self, task: BatchTask, future: Future[BatchResult]) -> None:
        """Store what a batch gave; deal its games again if its workers were lost."""
        try:
            batch = future.result()
        except KilledWorker:
            self._deal_again(task)
        except CancelledError:
            raise AlexMagnumError("lab-connection-lost", path=str(self._results.path)) from None
        # Broad on purpose: whatever a worker raises costs its games, never the run.
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            self._summary.failed |= {(task.series, number): why for number in task.numbers}
        else:
            self._store(task, batch)

    def _store(self, task: BatchTask, batch: BatchResult) -> None:
        if batch.code != task.code:
            here, there = task.code[:8], batch.code[:8]
            raise AlexMagnumError("lab-other-worker", worker="", there=there, here=here)
        if batch.tables:
            self._results.add(batch)
        played = len(task.numbers)
        self._seconds[task.series] = batch.seconds / max(played, 1)
        self._summary.played += len(batch.numbers)
        self._summary.failed |= {(batch.series, n): why for n, why in batch.failed.items()}

    def _deal_again(self, task: BatchTask) -> None:
        """Deal the games of a batch one by one, then each alone, and give up those that fail.

        A batch that waited at a worker is blamed for its end as well as the batch that it played.
        """
        if len(task.numbers) > 1:
            self._again += [self._make_task(task.series, (n,)) for n in task.numbers]
        elif task not in self._tried_alone:
            self._suspects.append(task)
        else:
            self._summary.failed[task.series, task.numbers[0]] = "it ended its worker every time"
