"""Batches of games: what a worker gets to play, and what it gives back."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from time import perf_counter

from alexmagnum.lab.bot_loading import modules_in
from alexmagnum.lab.game import Match, play_match_game
from alexmagnum.lab.identity import digest_code
from alexmagnum.lab.tables import TABLES, Rows, make_frame


@dataclass(frozen=True, slots=True)
class BatchTask:
    """Games of one series to be played: their numbers, and the series as :func:`pack_match` does.

    ``code``: the digest of the code that the run began with; ``modules``: where bots may lie.
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


def pack_match(match: Match) -> bytes:
    """Return a match as bytes, which travel to workers and are unpacked once in each."""
    return pickle.dumps(match)


@lru_cache(maxsize=64)
def _unpack_match(packed: bytes) -> Match:
    match: Match = pickle.loads(packed)
    return match


def play_batch(task: BatchTask) -> BatchResult:
    """Play the games of a task."""
    begun = perf_counter()
    if digest_code() != task.code:
        return BatchResult(task.series, (), digest_code(), 0.0)
    match = _unpack_match(task.match)
    rows: dict[str, Rows] = {table: [] for table in TABLES}
    played: list[int] = []
    failed: dict[int, str] = {}
    with modules_in(Path(task.modules)):
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
    tables = {table: write_rows(table, listed) for table, listed in rows.items()} if played else {}
    seconds = perf_counter() - begun
    return BatchResult(task.series, tuple(played), task.code, seconds, tables, failed)


def write_rows(table: str, rows: Sequence[dict[str, object]]) -> bytes:
    """Return rows of a table as the bytes of a Parquet file."""
    stream = BytesIO()
    make_frame(table, list(rows)).write_parquet(stream)
    return stream.getvalue()
