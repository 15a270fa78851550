"""Running a plan: games in batches on a Dask cluster, and their rows in a folder of results."""

import json
import logging
import math
import os
import pickle
import shutil
import signal
import stat
import sys
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from io import BytesIO
from multiprocessing import resource_tracker
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import dask
import polars
from distributed import Client, Future, LocalCluster, as_completed
from distributed.scheduler import KilledWorker
from distributed.security import Security
from filelock import FileLock, Timeout
from polars.exceptions import PanicException, PolarsError

from alexmagnum.board.map_file import find_map, known_maps, load_board, locate_map
from alexmagnum.board.model import near
from alexmagnum.builds import keep_working_folder_out
from alexmagnum.errors import AlexMagnumError, BadFile
from alexmagnum.files import read_json, read_stream, write_whole
from alexmagnum.lab import plan as plans
from alexmagnum.lab.game import TABLES, GameRecord, Match, Rows, make_frame, play_match_game
from alexmagnum.lab.parquet import DAMAGED, check_table
from alexmagnum.play import PlayedPhase

PATIENCE = 10
"""The seconds to wait for a scheduler, and for its first worker."""

CREDENTIALS = {"tls_ca_file": "ca.pem", "tls_client_cert": "cert.pem", "tls_client_key": "key.pem"}
"""The files for a scheduler with TLS: who signs, the certificate of this machine, and its key."""

_SETTINGS = {
    "distributed.worker.daemon": True,
    "distributed.scheduler.worker-ttl": "5 minutes",
    "distributed.scheduler.http.routes": [],  # pages, some of which say what is being played
    "distributed.worker.http.routes": [],
    "distributed.scheduler.allowed-failures": 0,  # the run itself deals such games again
    "distributed.comm.timeouts.connect": f"{PATIENCE}s",
    "distributed.admin.log-format": "%(message)s",
}


@contextmanager
def open_cluster(workers: int, scheduler: str, tls: Path | None = None) -> Iterator[Client]:
    """Connect to a scheduler, or start as many worker processes on this machine.

    ``workers``: 0 for one to each core; ``tls``: the folder of the credentials for the scheduler
    (:data:`CREDENTIALS`).  The processes of this machine listen on its loopback address alone, to
    those with the credentials that they are started with, and end with the block.
    """
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        # Dask's processes look there first for modules: nobody else may write in it.
        dask.config.set({**_SETTINGS, "temporary-directory": folder}),
        keep_working_folder_out(),
        _quiet(),
    ):
        if scheduler:
            yield from _connect(scheduler, tls)
        else:
            yield from _start(workers or count_cores())


def count_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _quiet() -> Iterator[None]:
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


def _start(workers: int) -> Iterator[Client]:
    try:
        with _keep_ctrl_c_from_new_processes():
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                security=True,  # anybody on this machine can reach the ports, and would run code
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
                preload=["alexmagnum.lab.run"],
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
    :mod:`alexmagnum.lab.run` ignores Ctrl-C once a worker is up.
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


def _connect(scheduler: str, tls: Path | None) -> Iterator[Client]:
    try:
        files = {kind: str(tls / name) for kind, name in CREDENTIALS.items()} if tls else {}
        security = Security(require_encryption=bool(tls), **files)
        client = Client(scheduler, timeout=PATIENCE, security=security)
    except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as error:
        why = str(error) or type(error).__name__
        raise AlexMagnumError("lab-no-scheduler", address=scheduler, why=why) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise AlexMagnumError("lab-no-workers", address=scheduler) from None
        yield client


# -- do all play the same game? --------------------------------------------------------------------


def check_workers(client: Client, own: plans.Identity, modules: Path) -> None:
    """Refuse workers that would play other games than this process, or none.

    Raises:
        AlexMagnumError: ``lab-other-worker`` (another version or another Python),
            ``lab-worker-without`` (alexmagnum or a user's bot cannot be imported there).
    """
    versions: Any = client.get_versions()
    for address, found in versions["workers"].items():
        if (python := ".".join(str(found["host"]["python"]).split(".")[:2])) != own.python:
            _refuse_worker(address, f"Python {python}", f"Python {own.python}")
    answers = client.run(plans.identify, list(own.bots), str(modules.resolve()), on_error="return")
    for address, answer in answers.items():
        if not isinstance(answer, plans.Identity):
            why = f"{type(answer).__name__}: {answer}"
            raise AlexMagnumError("lab-worker-without", worker=address, why=why)
        if answer.version != own.version:
            _refuse_worker(address, f"alexmagnum {answer.version}", f"alexmagnum {own.version}")
        if answer.code != own.code:
            here, there = (f"alexmagnum {i.version} ({i.code[:8]})" for i in (own, answer))
            _refuse_worker(address, there, here)
        if other := [name for name in own.bots if own.bots[name] != answer.bots[name]]:
            _refuse_worker(address, f"another {other[0]}", other[0])


def _refuse_worker(address: str, there: str, here: str) -> None:
    raise AlexMagnumError("lab-other-worker", worker=address, there=there, here=here)


# Batches of games: what a worker gets to play, and what it gives back.


@dataclass(frozen=True, slots=True)
class BatchTask:
    """Games of one series to be played: their numbers, and the series as a pickled match.

    A match travels to workers as bytes, and is unpacked once in each.  ``code``: the digest of the
    code that the run began with; ``modules``: where bots may lie.
    """

    series: str
    match: bytes
    numbers: tuple[int, ...]
    code: str
    modules: str


@dataclass(frozen=True, slots=True)
class BatchResult:
    """Games that were played: ``tables`` has their rows as Parquet.

    ``failed``: the numbers of games that broke off because of an error of the program, with its
    text.  ``code`` differs from the task's if nothing was played because the worker has other code.
    ``seconds``: how long it took.
    """

    series: str
    numbers: tuple[int, ...]
    code: str
    seconds: float
    tables: dict[str, bytes] = field(default_factory=dict)
    failed: dict[int, str] = field(default_factory=dict)


@lru_cache(maxsize=64)
def _unpack_match(packed: bytes) -> Match:
    match: Match = pickle.loads(packed)
    return match


def play_batch(task: BatchTask) -> BatchResult:
    """Play the games of a task."""
    begun = perf_counter()
    if plans.digest_code() != task.code:
        return BatchResult(task.series, (), plans.digest_code(), 0.0)
    match = _unpack_match(task.match)
    rows: dict[str, Rows] = {table: [] for table in TABLES}
    played: list[int] = []
    failed: dict[int, str] = {}
    with plans.modules_in(Path(task.modules)):
        for number in task.numbers:
            try:
                game = play_match_game(match, number)
            # Broad on purpose: an error of the program costs one game, never the run.
            except Exception as error:
                failed[number] = f"{type(error).__name__}: {error}"
                continue
            played.append(number)
            for table, listed in game.items():
                rows[table] += listed
    made = TABLES if played else ()
    tables = {table: _write_frame(make_frame(table, rows[table])) for table in made}
    seconds = perf_counter() - begun
    return BatchResult(task.series, tuple(played), task.code, seconds, tables, failed)


def _write_frame(frame: polars.DataFrame) -> bytes:
    stream = BytesIO()
    frame.write_parquet(stream)
    return stream.getvalue()


# What each worker process of this machine does first; Dask calls :func:`dask_setup`.


def dask_setup(worker: Any) -> None:
    """Leave Ctrl-C to the command, where the process did not inherit that (Windows)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# The folder of results: the plan, the games that were played, and the tables.
#
# While a run works it adds a *part* for every batch of games: one file with all rows of these
# games, written whole or not at all. In the end the parts go into the tables. Whatever kills a
# run, the games whose parts are on the disk are done, and no game is ever counted twice.


RUN_FILE = "run.json"
"""The record of a run: its plan, and what it is played with."""
PARTS = "parts"
LOCK = ".lock"
"""Keeps a second run out of the folder."""

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Run:
    """What a folder of results was played from: a plan whose maps lie in the folder.

    ``boards``: by series, the digest of its map and rules.
    """

    plan: plans.Plan
    boards: Mapping[str, str]
    identity: plans.Identity


def read_run(folder: Path) -> Run:
    """Return what the results of a folder were played from.

    Raises:
        AlexMagnumError: ``lab-no-results``; ``lab-newer-results``.
    """
    try:
        data: Any = read_json(folder / RUN_FILE)
        if data["format"] != _FORMAT:
            raise AlexMagnumError("lab-newer-results", path=str(folder))
        series = tuple(plans.Series(**entry["series"]) for entry in data["series"])
        plain = [f for f in fields(plans.Series) if f.type in ("str", "int", "bool")]
        if any(type(getattr(each, f.name)).__name__ != f.type for each in series for f in plain):
            raise TypeError("other values")
        plan = plans.Plan(series, data["turn_seconds"], folder, folder)
        boards = {entry["series"]["name"]: entry["board"] for entry in data["series"]}
        return Run(plan, boards, plans.Identity(**data["identity"]))
    except (BadFile, KeyError, TypeError, AttributeError):
        raise AlexMagnumError("lab-no-results", path=str(folder)) from None


def read_table(folder: Path, table: str) -> polars.DataFrame:
    """Return a table of a folder of results, with the games of a run that is not over."""
    return _join_parts(folder, table, read_run(folder).plan, _list_parts(folder))


def replay_record(
    results: Path, name: str, number: int, own_bots: Path | None
) -> tuple[GameRecord, list[PlayedPhase]]:
    """Play a game of a folder of results again; its rows must be those that the tables have.

    Users' own bots come from the folder ``own_bots`` alone: results are data, and may be anybody's.

    Raises:
        AlexMagnumError: ``lab-no-such-series``, ``lab-no-game``, ``lab-not-played``,
            ``lab-own-bots``: a bot of the series is a program that is not in the folder;
            ``lab-replay-differs``: played again, the game differs from its results.
    """
    run = read_run(results)
    names = [series.name for series in run.plan.series]
    if name not in names:
        data = {"series": name, "known": ", ".join(names), "near": near(name, names)}
        raise AlexMagnumError("lab-no-such-series", **data)
    series = run.plan.series[names.index(name)]
    if not 1 <= number <= series.games:
        data = {"series": name, "game": str(number), "games": str(series.games)}
        raise AlexMagnumError("lab-no-game", **data)
    for bot in filter(plans.is_own, series.seats):
        module = bot.partition(":")[0].partition(".")[0]
        places = () if own_bots is None else (own_bots / f"{module}.py", own_bots / module)
        if not any(place.exists() for place in places):
            raise AlexMagnumError("lab-own-bots", bot=bot)
    with plans.modules_in(own_bots) if own_bots else nullcontext():
        match = Match(series, series.load_board(results), run.plan.turn_seconds)
        record = GameRecord(match, number)
        phases = list(record.play())
    for table, rows in record.rows().items():
        if table == "timings":
            continue
        stored = read_table(results, table)
        stored = stored.filter(stored["series"] == name, stored["game"] == number)
        if table == "games" and stored.is_empty():
            raise AlexMagnumError("lab-not-played", series=name, game=str(number))
        if not stored.equals(make_frame(table, rows)):
            data = {"series": name, "game": str(number), "version": run.identity.version}
            raise AlexMagnumError("lab-replay-differs", table=table, **data)
    return record, phases


class ResultFolder:
    """A folder of results that a run writes to; :func:`open_results` makes one."""

    def __init__(self, path: Path, plan: plans.Plan) -> None:
        self.path = path
        self.plan = plan
        self._parts = max((int(part.stem) for part in _list_parts(path)), default=0)

    def list_missing(self) -> dict[str, list[int]]:
        """Return by series the numbers of the games that are not played yet."""
        done = set(read_table(self.path, "games").select("series", "game").iter_rows())
        return {
            series.name: [n for n in range(1, series.games + 1) if (series.name, n) not in done]
            for series in self.plan.series
        }

    def add(self, batch: BatchResult) -> None:
        """Store the games of a batch."""
        stream = BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for table, content in batch.tables.items():
                archive.writestr(f"{table}.parquet", content)
        self._parts += 1
        write_whole(self.path / PARTS / f"{self._parts:06}.zip", stream.getvalue())

    def merge(self) -> None:
        """Put the games of all parts into the tables, sorted by series and number."""
        parts = _list_parts(self.path)
        if parts or not all(_table_path(self.path, table).is_file() for table in TABLES):
            for table in TABLES:
                frame = _join_parts(self.path, table, self.plan, parts)
                write_whole(_table_path(self.path, table), _write_frame(frame))
        shutil.rmtree(self.path / PARTS, ignore_errors=True)


def _table_path(folder: Path, table: str) -> Path:
    return folder / f"{table}.parquet"


def _list_parts(folder: Path) -> list[Path]:
    return sorted((folder / PARTS).glob("[0-9]*.zip"))


_UNREADABLE = (PanicException, PolarsError, zipfile.BadZipFile, zlib.error)
_DAMAGED = (*_UNREADABLE, *DAMAGED, ArithmeticError, AttributeError)


@contextmanager
def refuse_damage(path: Path) -> Iterator[None]:
    """Raise ``lab-table-damaged`` for whatever results that are damaged, or made up, lead to."""
    try:
        yield
    except AlexMagnumError:
        raise
    except _DAMAGED:
        raise AlexMagnumError("lab-table-damaged", path=str(path)) from None


def _read_frame(data: bytes, path: Path, table: str) -> polars.DataFrame:
    check_table(data, str(path))
    if (frame := polars.read_parquet(data)).schema != TABLES[table]:
        raise TypeError("other columns")
    return frame


def _join_parts(
    folder: Path, table: str, plan: plans.Plan, parts: Iterable[Path]
) -> polars.DataFrame:
    """Return a table with the games of some parts; those that it had already are replaced."""
    path = _table_path(folder, table)
    frames = [polars.DataFrame(schema=dict(TABLES[table]))]
    for part in parts:
        with refuse_damage(part), zipfile.ZipFile(part) as archive:
            data = read_stream(archive.open(f"{table}.parquet"), str(part))
            frames.append(_read_frame(data, part, table))
    new = polars.concat(frames)
    if path.is_file():
        with refuse_damage(path):
            old = _read_frame(path.read_bytes(), path, table)
        keys = new.select("series", "game").unique()
        new = polars.concat([old.join(keys, on=["series", "game"], how="anti"), new])
    place = {series.name: i for i, series in enumerate(plan.series)}
    rank = polars.col("series").replace_strict(place, default=len(place), return_dtype=polars.Int32)
    return new.sort(rank, "game", maintain_order=True).rechunk()


# -- opening a folder ------------------------------------------------------------------------------


@contextmanager
def open_results(
    path: Path, plan: plans.Plan, identity: plans.Identity, *, anew: bool = False
) -> Iterator[ResultFolder]:
    """Open a folder for the results of a plan, a new one or that of a run to go on with.

    A plan may have more games than before, and more series.  ``anew`` deletes what was played.

    Raises:
        AlexMagnumError: ``no-folder``: it cannot be made; ``lab-folder-used``: it holds something
            else; ``lab-folder-open``: another user can write in it; ``lab-folder-busy``: another
            run writes to it; ``lab-other-plan``, ``lab-series-gone``, ``lab-other-code``: it holds
            the games of another plan, or of other rules and bots.
    """
    is_new = not (path / RUN_FILE).is_file()
    holds_other = path.exists() and (
        not path.is_dir() or any(file.name != LOCK for file in path.iterdir())
    )
    # A link in a folder of somebody else would lead what is written to another place.
    if (is_new and holds_other) or any(each.is_symlink() for each in path.rglob("*")):
        raise AlexMagnumError("lab-folder-used", path=str(path))
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AlexMagnumError("no-folder", path=str(path), why=error.strerror or "") from None
    if _can_others_write(path):
        raise AlexMagnumError("lab-folder-open", path=str(path))
    lock = FileLock(path / LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise AlexMagnumError("lab-folder-busy", path=str(path)) from None
    try:
        if anew:
            for name in (PARTS, "maps"):
                shutil.rmtree(path / name, ignore_errors=True)
            for file in (*(f"{table}.parquet" for table in TABLES), RUN_FILE):
                (path / file).unlink(missing_ok=True)
        elif not is_new:
            _refuse_other(read_run(path), plan, identity, path)
        yield ResultFolder(path, _write_run(path, plan, identity).plan)
    finally:
        lock.release()


def _can_others_write(folder: Path) -> bool:
    """Tell whether another user owns a folder, or anybody may put another in its place."""
    if os.name != "posix":
        return False
    modes = [each.stat().st_mode for each in (folder, folder.resolve().parent)]
    is_open = any(mode & stat.S_IWOTH and not mode & stat.S_ISVTX for mode in modes)
    return is_open or folder.stat().st_uid not in (0, os.geteuid())


def _refuse_other(run: Run, plan: plans.Plan, identity: plans.Identity, path: Path) -> None:
    """Refuse to go on with another plan, or with other code, than the results come from."""
    boards = {series.name: series.load_board(plan.folder).digest for series in plan.series}
    planned = {series.name: series for series in plan.series}
    for old in run.plan.series:
        if (new := planned.get(old.name)) is None:
            raise AlexMagnumError("lab-series-gone", path=str(path), series=old.name)
        if changed := _find_changes(old, new, run.boards[old.name] == boards.get(old.name)):
            data = {"path": str(path), "series": old.name, "what": ", ".join(changed)}
            raise AlexMagnumError("lab-other-plan", **data)
    bots = {name for series in run.plan.series for name in series.seats}
    other = [name for name in sorted(bots) if run.identity.bots[name] != identity.bots[name]]
    if run.identity.code != identity.code or other:
        what = ", ".join(other) or f"alexmagnum {run.identity.version}"
        raise AlexMagnumError("lab-other-code", path=str(path), what=what)


def _find_changes(old: plans.Series, new: plans.Series, same_board: bool) -> list[str]:
    """Return the keys by which a series of the plan differs from the one that was played."""
    before, now = old.decisive, new.decisive
    del before["map"], now["map"]  # the boards are compared instead
    changed = [key for key in before if before[key] != now[key]]
    if not same_board and "rules" not in changed:
        changed.append("map")
    return [*changed, *(["games"] if new.games < old.games else [])]


def _write_run(path: Path, plan: plans.Plan, identity: plans.Identity) -> Run:
    kept = plans.Plan(
        tuple(_keep_map(series, plan.folder, path) for series in plan.series),
        plan.turn_seconds,
        path,
        plan.modules,
    )
    boards = {series.name: series.load_board(path).digest for series in kept.series}
    data: dict[str, Any] = {
        "format": _FORMAT,
        "identity": identity._asdict(),
        "turn_seconds": kept.turn_seconds,
        "series": [
            {"series": plans.series_as_data(series), "board": boards[series.name]}
            for series in kept.series
        ],
    }
    write_whole(path / RUN_FILE, json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    return Run(kept, boards, identity)


def _keep_map(series: plans.Series, folder: Path, path: Path) -> plans.Series:
    if series.map.lower() in known_maps():
        return series
    source = find_map(locate_map(series.map, folder))
    board = load_board(source)
    kept = Path("maps") / board.digest[:12]
    (path / kept).mkdir(parents=True, exist_ok=True)
    for file in (source, *([Path(board.geometry)] if board.geometry else [])):
        shutil.copyfile(file, path / kept / file.name)
    return replace(series, map=(kept / source.name).as_posix())


# Running a plan: games in batches on a Dask cluster, and their rows into the folder of results.


BATCH_SECONDS = 5.0
"""How long a batch should take: what a killed worker costs, and how fine the progress is."""

_AHEAD = 2  # the batches that each worker has: the one it plays, and one that waits

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
    plan: plans.Plan,
    folder: Path,
    *,
    anew: bool = False,
    workers: int = 0,
    scheduler: str = "",
    tls: Path | None = None,
    show: ShowGames = lambda done, total: None,
) -> Summary:
    """Play the games of a plan that its folder of results does not have yet.

    ``workers``: the processes on this machine, 0 for one to each core; ``scheduler``: the address
    of a Dask scheduler to use instead, with the credentials of the folder ``tls``.  An interrupted
    run goes on where it was if it is started again.
    """
    own = plans.identify(plan.bots, str(plan.modules.resolve()))
    with open_results(folder, plan, own, anew=anew) as results:
        results.merge()
        missing = results.list_missing()
        count = sum(map(len, missing.values()))
        summary = Summary(before=plan.games - count)
        if count:
            show(0, count)
            try:
                with open_cluster(workers, scheduler, tls) as client:
                    check_workers(client, own, plan.modules)
                    _Dealer(results, own, client, missing, summary).play(show)
            finally:
                results.merge()
    return summary


class _Dealer:
    """Deals the games of a run to the workers of a cluster, and collects their results."""

    def __init__(
        self,
        results: ResultFolder,
        own: plans.Identity,
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
        threads = max(sum(self._client.nthreads().values()), 1)
        while len(tasks) < threads * _AHEAD:
            if (task := self._next_task(threads) or self._next_suspect(tasks)) is None:
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
        if (seconds := self._seconds.get(name)) is None:
            return 1
        share = math.ceil(sum(map(len, self._missing.values())) / (threads * _AHEAD))
        return max(1, min(int(BATCH_SECONDS / max(seconds, 1e-4)), share))

    def _make_task(self, name: str, numbers: tuple[int, ...]) -> BatchTask:
        plan = self._results.plan
        if name not in self._matches:
            series = next(series for series in plan.series if series.name == name)
            match = Match(series, series.load_board(plan.folder), plan.turn_seconds)
            self._matches[name] = pickle.dumps(match)
        modules = str(plan.modules.resolve())
        return BatchTask(name, self._matches[name], numbers, self._own.code, modules)

    # -- collecting ------------------------------------------------------------------------------

    def _collect(self, task: BatchTask, future: Future[BatchResult]) -> None:
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
        self._seconds[task.series] = batch.seconds / max(len(task.numbers), 1)
        self._summary.played += len(batch.numbers)
        self._summary.failed |= {(batch.series, n): why for n, why in batch.failed.items()}

    def _deal_again(self, task: BatchTask) -> None:
        """Deal the games of a batch one by one, then each alone, and give up those that fail; a
        batch that waited at a worker is blamed for its end as well."""
        if len(task.numbers) > 1:
            self._again += [self._make_task(task.series, (n,)) for n in task.numbers]
        elif task not in self._tried_alone:
            self._suspects.append(task)
        else:
            self._summary.failed[task.series, task.numbers[0]] = "it ended its worker every time"
