"""The folder of results: the plan, the games that were played, and the tables.

While a run works it adds a *part* for every batch of games: one file with all rows of these games,
written whole or not at all.  In the end the parts go into the tables.  Whatever kills a run, the
games whose parts are on the disk are done, and no game is ever counted twice.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import polars
from filelock import FileLock, Timeout

from alexmagnum.board.load import find_map, known_maps, load_board
from alexmagnum.errors import AlexMagnumError
from alexmagnum.files import write_whole
from alexmagnum.lab.batches import BatchResult
from alexmagnum.lab.identity import Identity
from alexmagnum.lab.plan import Plan, Series, locate_map, to_json
from alexmagnum.lab.tables import TABLES

RUN_FILE = "run.json"
"""The record of a run: its plan, and what it is played with."""
PARTS = "parts"
SCRATCH = ".scratch"
"""The folder for workers' own files while a run works."""
LOCK = ".lock"
"""Keeps a second run out of the folder."""

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Run:
    """What a folder of results was played from: a plan whose maps lie in the folder.

    ``boards``: by series, the digest of its map and rules.
    """

    plan: Plan
    boards: Mapping[str, str]
    identity: Identity


def read_run(folder: Path) -> Run:
    """Return what the results of a folder were played from.

    Raises:
        AlexMagnumError: ``lab-no-results``; ``lab-newer-results``.
    """
    try:
        data = json.loads((folder / RUN_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise AlexMagnumError("lab-no-results", path=str(folder)) from None
    if data["format"] != _FORMAT:
        raise AlexMagnumError("lab-newer-results", path=str(folder))
    series = tuple(Series(**entry["series"]) for entry in data["series"])
    plan = Plan(series, data["turn_seconds"], folder, Path(data["modules"]))
    boards = {entry["series"]["name"]: entry["board"] for entry in data["series"]}
    return Run(plan, boards, Identity(**data["identity"]))


def read_table(folder: Path, table: str) -> polars.DataFrame:
    """Return a table of a folder of results, with the games of a run that is not over.

    Raises:
        AlexMagnumError: ``lab-no-results``.
    """
    run = read_run(folder)
    return _join_parts(folder, table, run.plan, _list_parts(folder))


class ResultFolder:
    """A folder of results that a run writes to; :func:`open_results` makes one."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.plan = plan
        self._parts = max((int(part.stem) for part in _list_parts(path)), default=0)

    @property
    def scratch(self) -> Path:
        return self.path / SCRATCH

    def done(self) -> dict[str, set[int]]:
        """Return by series the numbers of the games that are played."""
        games = read_table(self.path, "games").select("series", "game")
        done: dict[str, set[int]] = {series.name: set() for series in self.plan.series}
        for series, number in games.iter_rows():
            done[series].add(number)
        return done

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
                stream = BytesIO()
                _join_parts(self.path, table, self.plan, parts).write_parquet(stream)
                write_whole(_table_path(self.path, table), stream.getvalue())
        shutil.rmtree(self.path / PARTS, ignore_errors=True)


def _table_path(folder: Path, table: str) -> Path:
    return folder / f"{table}.parquet"


def _list_parts(folder: Path) -> list[Path]:
    return sorted((folder / PARTS).glob("[0-9]*.zip"))


def _join_parts(folder: Path, table: str, plan: Plan, parts: Iterable[Path]) -> polars.DataFrame:
    """Return a table with the games of some parts; those that it had already are replaced."""
    path = _table_path(folder, table)
    schema = dict(TABLES[table])
    frames = [polars.DataFrame(schema=schema)]
    for part in parts:
        with zipfile.ZipFile(part) as archive:
            frames.append(polars.read_parquet(archive.read(f"{table}.parquet")))
    new = polars.concat(frames)
    if path.is_file():
        old = polars.read_parquet(path)
        keys = new.select("series", "game").unique()
        new = polars.concat([old.join(keys, on=["series", "game"], how="anti"), new])
    place = {series.name: i for i, series in enumerate(plan.series)}
    rank = polars.col("series").replace_strict(place, default=len(place), return_dtype=polars.Int32)
    return new.sort(rank, "game", maintain_order=True).rechunk()


# -- opening a folder ------------------------------------------------------------------------------


@contextmanager
def open_results(
    path: Path, plan: Plan, identity: Identity, *, anew: bool = False
) -> Iterator[ResultFolder]:
    """Open a folder for the results of a plan, a new one or that of a run to go on with.

    A plan may have more games than before, and more series.  ``anew`` deletes what was played.

    Raises:
        AlexMagnumError: ``no-folder``: it cannot be made; ``lab-folder-used``: it holds something
            else; ``lab-folder-busy``: another run writes to it; ``lab-other-plan``,
            ``lab-series-gone``, ``lab-other-code``: it holds the games of another plan, or of
            other rules and bots.
    """
    is_new = not (path / RUN_FILE).is_file()
    if is_new and path.exists() and (not path.is_dir() or _list_names(path) - {LOCK}):
        raise AlexMagnumError("lab-folder-used", path=str(path))
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AlexMagnumError("no-folder", path=str(path), why=error.strerror or "") from None
    lock = FileLock(path / LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise AlexMagnumError("lab-folder-busy", path=str(path)) from None
    try:
        if anew:
            _delete_results(path)
        elif not is_new:
            _refuse_other(read_run(path), plan, identity, path)
        run = _write_run(path, plan, identity)
        shutil.rmtree(path / SCRATCH, ignore_errors=True)
        yield ResultFolder(path, run.plan)
    finally:
        shutil.rmtree(path / SCRATCH, ignore_errors=True)
        lock.release()


def _list_names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def _delete_results(path: Path) -> None:
    """Delete what a run wrote into a folder, and nothing else."""
    for name in (PARTS, SCRATCH, "maps"):
        shutil.rmtree(path / name, ignore_errors=True)
    for file in (RUN_FILE, *(f"{table}.parquet" for table in TABLES)):
        (path / file).unlink(missing_ok=True)


def _refuse_other(run: Run, plan: Plan, identity: Identity, path: Path) -> None:
    """Refuse to go on with another plan, or with other code, than the results come from."""
    boards = {series.name: series.load_board(plan.folder).digest for series in plan.series}
    planned = {series.name: series for series in plan.series}
    for old in run.plan.series:
        new = planned.get(old.name)
        if new is None:
            raise AlexMagnumError("lab-series-gone", path=str(path), series=old.name)
        changed = _find_changes(old, new, run.boards[old.name] == boards.get(old.name))
        if changed:
            data = {"path": str(path), "series": old.name, "what": ", ".join(changed)}
            raise AlexMagnumError("lab-other-plan", **data)
    bots = {name for series in run.plan.series for name in series.seats}
    other = [name for name in sorted(bots) if run.identity.bots[name] != identity.bots[name]]
    if run.identity.code != identity.code or other:
        what = ", ".join(other) or f"alexmagnum {run.identity.version}"
        raise AlexMagnumError("lab-other-code", path=str(path), what=what)


def _find_changes(old: Series, new: Series, same_board: bool) -> list[str]:
    """Return the keys by which a series of the plan differs from the one that was played."""
    before, now = old.decisive, new.decisive
    del before["map"], now["map"]  # the boards are compared instead
    changed = [key for key in before if before[key] != now[key]]
    if not same_board and "rules" not in changed:
        changed.append("map")
    return [*changed, *(["games"] if new.games < old.games else [])]


def _write_run(path: Path, plan: Plan, identity: Identity) -> Run:
    """Write the record of a run, with copies of the maps that do not come with the package."""
    kept = Plan(
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
        "modules": str(kept.modules.resolve()),
        "series": [
            {"series": to_json(series), "board": boards[series.name]} for series in kept.series
        ],
    }
    write_whole(path / RUN_FILE, json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    return Run(kept, boards, identity)


def _keep_map(series: Series, folder: Path, path: Path) -> Series:
    """Return a series whose map lies in the folder of results, where it is copied."""
    if series.map.lower() in known_maps():
        return series
    source = find_map(locate_map(series.map, folder))
    board = load_board(source)
    kept = Path("maps") / board.digest[:12]
    (path / kept).mkdir(parents=True, exist_ok=True)
    for file in (source, *([Path(board.geometry)] if board.geometry else [])):
        shutil.copyfile(file, path / kept / file.name)
    return replace(series, map=(kept / source.name).as_posix())
