"""Reads a folder of results for a balance report, finished or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars

from alexmagnum.board.model import Board
from alexmagnum.errors import AlexMagnumError
from alexmagnum.lab.balance import SeriesFacts, measure_balance
from alexmagnum.lab.balance_figures import BalanceFigures
from alexmagnum.lab.plan import Series
from alexmagnum.lab.results import read_run, read_table

READ = ("games", "seats", "years", "orders", "provinces", "rules")
"""The tables that a report needs."""


@dataclass(frozen=True, slots=True)
class ResultBalance:
    """The figures of a folder of results, with the boards of its series by name.

    A series whose map cannot be loaded any more has no board.
    """

    figures: BalanceFigures
    boards: Mapping[str, Board]


def read_balance(folder: Path, names: Sequence[str] = ()) -> ResultBalance:
    """Measure the series of a folder of results, or those named and their bases.

    Raises:
        AlexMagnumError: ``lab-no-results``, ``lab-no-games``, ``lab-no-such-series``,
            ``lab-newer-results``.
    """
    run = read_run(folder)
    chosen = _choose_series(run.plan.series, names)
    boards = {series.name: board for series in chosen if (board := _load_board(series, folder))}
    tables = _read_tables(folder)
    figures = measure_balance(tables, [_list_facts(series, chosen, boards) for series in chosen])
    if not figures.series:
        raise AlexMagnumError("lab-no-games", path=str(folder))
    return ResultBalance(figures, boards)


def _read_tables(folder: Path) -> dict[str, polars.DataFrame]:
    """Return the tables with the games that the first of them has: a run may go on meanwhile."""
    games = read_table(folder, READ[0])
    keys = games.select("series", "game")
    others = {
        table: read_table(folder, table).join(
            keys, on=["series", "game"], how="semi", maintain_order="left"
        )
        for table in READ[1:]
    }
    return {READ[0]: games, **others}


def _choose_series(series: Sequence[Series], names: Sequence[str]) -> list[Series]:
    """Return the series with these names and their bases; without names, all."""
    by_name = {one.name: one for one in series}
    for name in names:
        if name not in by_name:
            raise AlexMagnumError("lab-no-such-series", series=name, known=", ".join(by_name))
    wanted = {*names, *(by_name[name].base for name in names)}
    return [one for one in series if not names or one.name in wanted]


def _load_board(series: Series, folder: Path) -> Board | None:
    """Return the board of a series, None if its map is not to be had any more."""
    try:
        return series.load_board(folder)
    except AlexMagnumError:
        return None


def _list_facts(
    series: Series, chosen: Sequence[Series], boards: Mapping[str, Board]
) -> SeriesFacts:
    board = boards.get(series.name)
    base = next((one for one in chosen if one.name == series.base), None)
    return SeriesFacts(
        name=series.name,
        map=series.map,
        base=series.base,
        rules={key: str(value) for key, value in series.rules.items()},
        change=_list_changes(series, base) if base is not None else {},
        planned=series.games,
        provinces=tuple(board.provinces) if board is not None else (),
    )


def _list_changes(series: Series, base: Series) -> dict[str, str]:
    """Return what a series has otherwise than its base."""
    changes = {
        key: str(value) for key, value in series.rules.items() if base.rules.get(key) != value
    }
    return changes if series.map == base.map else {"map": Path(series.map).stem, **changes}
