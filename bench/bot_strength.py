"""How strong bots are, from the results of a run: victories with intervals, ratings, time.

alexmagnum lab run plans/bot_strength.toml -o results
python -m bench.bot_strength results
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import polars

from alexmagnum.lab.balance import rate_bots
from alexmagnum.lab.balance_figures import Estimate, Z, estimate_share


def list_lines(folder: Path) -> Iterator[str]:
    """Yield a line for each bot of each series, then the ratings."""
    tables = {
        name: polars.read_parquet(folder / f"{name}.parquet")
        for name in ("games", "seats", "timings")
    }
    games, seats = tables["games"], tables["seats"].sort("series", "game", maintain_order=True)
    for (name,), rows in seats.group_by("series", maintain_order=True):
        series = games.filter(polars.col("series") == name)
        decided = int((series["victory"] != "").sum())
        time = tables["timings"].filter(polars.col("series") == name)
        turn = _mean(time["bot_seconds"]) / _mean(series["phases"])
        yield (
            f"{name}: {len(series)} games, {decided} decided, {_mean(series['years']):.1f} years; "
            f"{_mean(time['seconds']):.2f} s a game, bots {1000 * turn:.0f} ms a phase"
        )
        for bot in dict.fromkeys(rows["bot"]):
            yield f"  {bot}: {_format_shares(rows.filter(polars.col('bot') == bot), series)}"
    rounds = seats.filter(polars.col("series").str.starts_with("round"))
    for rating in rate_bots("alexmagnum", rounds):
        half = Z * rating.deviation
        low, high = rating.mean - half, rating.mean + half
        yield f"rating of {rating.bot}: {rating.mean:.1f} ({low:.1f} to {high:.1f})"


def _mean(column: polars.Series) -> float:
    return float(column.sum()) / len(column)


def _format_shares(rows: polars.DataFrame, games: polars.DataFrame) -> str:
    """Return the share of victories, in all games and in those that were decided."""
    by_game = (
        rows.group_by("game")
        .agg(polars.col("share").sum(), polars.len().alias("seats"))
        .join(games.select("game", "victory"), on="game")
        .sort("game")
    )
    decided = by_game.filter(polars.col("victory") != "")
    every, won = (
        estimate_share(part["share"].to_list(), part["seats"].to_list())
        for part in (by_game, decided)
    )
    return f"{_format(every)} of a seat's victories, {_format(won)} of those in decided games"


def _format(share: Estimate) -> str:
    if share.low is None or share.high is None:
        return f"{share.value:.1%}"
    return f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})"


if __name__ == "__main__":
    print(*list_lines(Path(sys.argv[1])), sep="\n")
