"""The Dask cluster that plays the games: one on this machine, or one that is there already."""

from __future__ import annotations

import logging
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import dask
from distributed import Client, LocalCluster

from alexmagnum.errors import AlexMagnumError
from alexmagnum.lab.identity import Identity, identify

PATIENCE = 10
"""The seconds to wait for a scheduler, and for its first worker."""

_SETTINGS = {
    "distributed.worker.daemon": True,
    "distributed.scheduler.worker-ttl": "5 minutes",
    "distributed.scheduler.allowed-failures": 0,  # the run itself deals such games again
    "distributed.comm.timeouts.connect": f"{PATIENCE}s",
    "distributed.admin.log-format": "%(message)s",
}


@contextmanager
def open_cluster(workers: int, scheduler: str, scratch: Path) -> Iterator[Client]:
    """Connect to a scheduler, or start as many worker processes on this machine.

    ``workers``: 0 for one to each core; ``scratch``: the folder for the workers' own files.  The
    processes of this machine listen on its loopback address alone, and end with the block.

    Raises:
        AlexMagnumError: ``lab-no-scheduler``, ``lab-no-workers``; ``lab-no-processes``: a process
            of this machine did not start.
    """
    with dask.config.set(_SETTINGS), _quiet():
        if scheduler:
            yield from _connect(scheduler)
        else:
            yield from _start(workers or count_cores(), scratch)


def count_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's log and warnings off the terminal: what matters is said by the command."""
    names = ("distributed", "distributed.client")  # those to which Dask gives a level
    levels = {logger: logger.level for logger in map(logging.getLogger, names)}
    for logger in levels:
        logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="distributed")
            yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


def _start(workers: int, scratch: Path) -> Iterator[Client]:
    try:
        with _keep_ctrl_c_from_new_processes():
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address=None,
                local_directory=str(scratch.resolve()),
                silence_logs=logging.CRITICAL,
                preload=["alexmagnum.lab.worker_setup"],
            )
    except (RuntimeError, TimeoutError) as error:
        why = str(error.__cause__ or error) or type(error).__name__
        raise AlexMagnumError("lab-no-processes", why=why) from None
    with cluster, Client(cluster) as client:
        yield client


@contextmanager
def _keep_ctrl_c_from_new_processes() -> Iterator[None]:
    """Let the threads started in the block, and all their processes, never get Ctrl-C.

    A terminal sends it to every process; this one alone ends the run, in good order.  Threads and
    processes inherit which signals are blocked, so that it holds from the first instant, and for
    a worker that is started again.  Windows has no such thing: there
    :mod:`alexmagnum.lab.worker_setup` ignores Ctrl-C once a worker is up.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # the thread that starts it would get Ctrl-C again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _connect(scheduler: str) -> Iterator[Client]:
    try:
        client = Client(scheduler, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        why = str(error) or type(error).__name__
        raise AlexMagnumError("lab-no-scheduler", address=scheduler, why=why) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise AlexMagnumError("lab-no-workers", address=scheduler) from None
        yield client


# -- do all play the same game? --------------------------------------------------------------------


def check_workers(client: Client, own: Identity, modules: Path) -> None:
    """Refuse workers that would play other games than this process, or none.

    Raises:
        AlexMagnumError: ``lab-other-worker`` (another version or another Python),
            ``lab-worker-without`` (alexmagnum or a user's bot cannot be imported there).
    """
    versions: Any = client.get_versions()
    for address, found in versions["workers"].items():
        python = ".".join(str(found["host"]["python"]).split(".")[:2])
        if python != own.python:
            _refuse_worker(address, f"Python {python}", f"Python {own.python}")
    answers = client.run(identify, list(own.bots), str(modules.resolve()), on_error="return")
    for address, answer in answers.items():
        if not isinstance(answer, Identity):
            why = f"{type(answer).__name__}: {answer}"
            raise AlexMagnumError("lab-worker-without", worker=address, why=why)
        if answer.version != own.version:
            here, there = (f"alexmagnum {i.version}" for i in (own, answer))
            _refuse_worker(address, there, here)
        if answer.code != own.code:
            here, there = (f"alexmagnum {i.version} ({i.code[:8]})" for i in (own, answer))
            _refuse_worker(address, there, here)
        other = [name for name in own.bots if own.bots[name] != answer.bots[name]]
        if other:
            _refuse_worker(address, f"another {other[0]}", other[0])


def _refuse_worker(address: str, there: str, here: str) -> None:
    raise AlexMagnumError("lab-other-worker", worker=address, there=there, here=here)
