"""The figures of the games of one series: endings, length, battles, rulings, orders, provinces."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from statistics import median

import polars

from alexmagnum.lab.balance_figures import (
    BattleFigures,
    BotFigures,
    LengthFigures,
    OrderFigures,
    ProvinceFigures,
    RuleFigures,
    WayCount,
)
from alexmagnum.lab.intervals import estimate_mean, estimate_ratio, estimate_share

LIMIT, SHARED = "limit", "shared"
"""Ways to end: at the limit of years without a winner; a victory of several powers."""


def list_ways(games: polars.DataFrame) -> list[str]:
    """Return how each game ended, in the sequence of the table."""
    return [
        SHARED if len(winners) > 1 else victory or LIMIT
        for victory, winners in zip(
            games["victory"].to_list(), games["winners"].to_list(), strict=True
        )
    ]


def count_ways(games: polars.DataFrame) -> tuple[WayCount, ...]:
    """Return the ways in which the games ended, the commonest first."""
    ways = list_ways(games)
    return tuple(
        WayCount(way, count, estimate_share([float(one == way) for one in ways]))
        for way, count in sorted(Counter(ways).items(), key=lambda c: (-c[1], c[0]))
    )


def measure_length(games: polars.DataFrame) -> LengthFigures:
    """Return how long the games were."""
    years = games["years"]
    ended: dict[str, Counter[int]] = defaultdict(Counter)
    for way, year in zip(list_ways(games), years.to_list(), strict=True):
        ended[way][year] += 1
    return LengthFigures(
        years=estimate_mean(years.to_numpy()),
        phases=estimate_mean(games["phases"].to_numpy()),
        median=float(median(years.to_list())),
        shortest=min(years.to_list()),
        longest=max(years.to_list()),
        ended={way: dict(sorted(counts.items())) for way, counts in sorted(ended.items())},
    )


def measure_battles(games: polars.DataFrame) -> BattleFigures:
    """Return the battles of a game, and those at sea among them."""
    battles, at_sea = games["battles"].to_numpy(), games["sea_battles"].to_numpy()
    return BattleFigures(
        estimate_mean(battles), estimate_mean(at_sea), estimate_ratio(at_sea, battles)
    )


def measure_rulings(rules: polars.DataFrame, games: polars.DataFrame) -> Iterator[RuleFigures]:
    """Yield how often each ruling decided something; games that do not list it had none."""
    wide = games.select("game")
    for ruling in sorted(rules["ruling"].unique().to_list(), key=_ruling_order):
        own = rules.filter(polars.col("ruling") == ruling).select("game", "times")
        times = wide.join(own, on="game", how="left")["times"].fill_null(0).to_numpy()
        yield RuleFigures(ruling, estimate_mean(times), estimate_share((times > 0).astype(float)))


def _ruling_order(ruling: str) -> tuple[int, str]:
    """Return the place of a ruling: ``R9`` before ``R11`` before ``R11a``."""
    digits = "".join(letter for letter in ruling if letter.isdigit())
    return int(digits or 0), ruling


def measure_orders(orders: polars.DataFrame, games: polars.DataFrame) -> Iterator[OrderFigures]:
    """Yield the orders of every kind: given in a game, and the share that was successful."""
    sums = orders.group_by("kind", "game").agg(
        polars.col("given").sum(), polars.col("successful").sum()
    )
    kinds = sums.group_by("kind").agg(polars.col("given").sum()).sort("given", descending=True)
    for kind in kinds["kind"].to_list():
        own = games.select("game").join(
            sums.filter(polars.col("kind") == kind), on="game", how="left"
        )
        given = own["given"].fill_null(0).to_numpy()
        successful = own["successful"].fill_null(0).to_numpy()
        yield OrderFigures(kind, estimate_mean(given), estimate_ratio(successful, given))


def measure_provinces(
    provinces: polars.DataFrame, listed: list[str], games: int
) -> tuple[ProvinceFigures, ...]:
    """Return the use of every province that is ``listed``, also of those that never were used."""
    sums = {
        row["province"]: row
        for row in provinces.group_by("province")
        .agg(
            polars.col("entries").sum(),
            polars.col("battles").sum(),
            used=(polars.col("entries") > 0).sum(),
        )
        .to_dicts()
    }
    nothing: Mapping[str, int] = {"entries": 0, "battles": 0, "used": 0}
    return tuple(
        ProvinceFigures(
            province, row["entries"] / games, row["battles"] / games, row["used"] / games
        )
        for province in listed
        for row in (sums.get(province, nothing),)
    )


def measure_bots(seats: polars.DataFrame) -> Iterator[BotFigures]:
    """Yield the bots of a series by their share of the victories, the strongest first.

    Several seats of a bot in one game are one observation.
    """
    totals = seats.with_columns(
        held=polars.col("centres") / polars.col("centres").sum().over("game").clip(1)
    )
    found = []
    for bot in sorted(seats["bot"].unique().to_list()):
        own = totals.filter(polars.col("bot") == bot)
        games = own.group_by("game", maintain_order=True).agg(
            polars.col("share").sum(), polars.col("held").sum(), seats=polars.len()
        )
        places = games["seats"].to_list()
        faults = own.filter(polars.col("forfeits") > 0)
        texts = [text for text in faults.sort("game")["fault"].to_list() if text]
        found.append(
            BotFigures(
                bot,
                seats=own.height,
                victories=estimate_share(games["share"].to_numpy(), places),
                centre_share=estimate_ratio(games["held"].to_numpy(), games["seats"].to_numpy()),
                forfeits=int(own["forfeits"].sum()),
                fault_games=faults["game"].n_unique(),
                fault=texts[0] if texts else "",
            )
        )
    yield from sorted(found, key=lambda figures: -figures.victories.value)
