"""The figures of the powers of one series: victories, centres, elimination, contact, openings."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import log2
from statistics import median

import numpy as np
import polars
from scipy import stats

from alexmagnum.lab.balance_figures import (
    Opening,
    OpeningFigures,
    PowerCurves,
    PowerFigures,
    StartFigures,
    Survival,
    YearMean,
)
from alexmagnum.lab.equality import EqualityTest
from alexmagnum.lab.intervals import (
    Estimate,
    Numbers,
    adjust_for_many,
    chance_of_mean,
    estimate_from_moments,
    estimate_mean,
    estimate_share,
)

COMMON = 3
"""How many of a power's openings are listed."""

FEW_GAMES = 5
"""Games that must have lasted to a year, if the series has so many, for it to have a mean."""


def list_powers(seats: polars.DataFrame) -> tuple[str, ...]:
    """Return the powers of a series in the sequence in which its games list them."""
    return tuple(seats["power"].unique(maintain_order=True).to_list())


def matrix_of(seats: polars.DataFrame, column: str, powers: Sequence[str]) -> Numbers:
    """Return a column of the seats as a matrix: a row a game, a column a power."""
    wide = seats.pivot("power", index="game", values=column, maintain_order=True).sort("game")
    return np.asarray(wide.select(powers).fill_null(0).to_numpy(), dtype=float)


def share_rows(counts: Numbers) -> Numbers:
    """Return counts as shares of their game; a game in which nobody has any gives zeros."""
    sums = counts.sum(axis=1, keepdims=True)
    shares: Numbers = np.divide(counts, sums, out=np.zeros_like(counts), where=sums > 0)
    return shares


def measure_powers(
    seats: polars.DataFrame, years: Mapping[int, int], equality: EqualityTest | None
) -> Iterator[PowerFigures]:
    """Yield the figures of every power; ``years`` has the number of each year."""
    powers = list_powers(seats)
    held = share_rows(matrix_of(seats, "centres", powers))
    chances = adjust_for_many([chance_of_mean(column, 1 / len(powers)) for column in held.T])
    for i, power in enumerate(powers):
        own = seats.filter(polars.col("power") == power).sort("game")
        shares = own["share"].to_numpy()
        fallen = _numbers(own["eliminated"], years)
        met = _numbers(own["first_contact"], years)
        yield PowerFigures(
            power=power,
            victories=estimate_share(shares),
            alone=int((shares >= 1).sum()),
            shared=int(((shares > 0) & (shares < 1)).sum()),
            p_value=equality.powers[i] if equality else None,
            centre_share=_bounded(estimate_mean(held[:, i])),
            centre_p=chances[i],
            centres=estimate_mean(own["centres"].to_numpy()),
            nobility=_nobility(own["nobility"].drop_nulls()),
            eliminated=estimate_share([float(year is not None) for year in own["eliminated"]]),
            eliminated_year=float(median(fallen)) if fallen else None,
            contact=estimate_mean(met),
            no_contact=own["first_contact"].null_count(),
            bots=dict(sorted(Counter(own["bot"].to_list()).items())),
        )


def _numbers(column: polars.Series, years: Mapping[int, int]) -> list[int]:
    """Return the numbers of the years in a column, without its empty cells."""
    return [years[year] for year in column.drop_nulls().to_list()]


def _nobility(points: polars.Series) -> Estimate | None:
    return None if points.is_empty() else estimate_mean(points.to_numpy())


def _above_zero(estimate: Estimate) -> Estimate:
    """Return an estimate of a count, whose interval is cut at 0."""
    if estimate.low is None:
        return estimate
    return replace(estimate, low=max(0.0, estimate.low))


def _bounded(estimate: Estimate) -> Estimate:
    """Return an estimate of a share, whose interval is cut at 0 and 1."""
    if estimate.low is None or estimate.high is None:
        return estimate
    low, high = max(0.0, estimate.low), min(1.0, estimate.high)
    return Estimate(estimate.value, low, high, estimate.games)


# -- over the years -----------------------------------------------------------------------------


def trace_powers(
    seats: polars.DataFrame, years: polars.DataFrame, games: polars.DataFrame
) -> Iterator[PowerCurves]:
    """Yield the centres and the survival of every power by year."""
    numbers = number_years(years)
    means = years.group_by("power", "number").agg(
        mean=polars.col("centres").mean(),
        deviation=polars.col("centres").std(),
        games=polars.len(),
    )
    enough = max(min(FEW_GAMES, games.height), games.height / 10)
    lasted = dict(zip(games["game"].to_list(), games["years"].to_list(), strict=True))
    for power in list_powers(seats):
        own = means.filter((polars.col("power") == power) & (polars.col("games") >= enough))
        ends = seats.filter(polars.col("power") == power)
        yield PowerCurves(
            power,
            tuple(
                YearMean(
                    row["number"],
                    _above_zero(estimate_from_moments(row["mean"], row["deviation"], row["games"])),
                )
                for row in own.sort("number").to_dicts()
            ),
            _survival(ends, numbers, lasted),
        )


def number_years(years: polars.DataFrame) -> dict[int, int]:
    """Return the number of every year of a table of years."""
    listed = years.select("year", "number").unique()
    return dict(zip(listed["year"].to_list(), listed["number"].to_list(), strict=True))


def _survival(
    ends: polars.DataFrame, numbers: Mapping[int, int], lasted: Mapping[int, int]
) -> tuple[Survival, ...]:
    """Return the estimate of Kaplan and Meier; the end of a game hides what would have followed."""
    fallen, hidden = [], []
    for game, year in zip(ends["game"].to_list(), ends["eliminated"].to_list(), strict=True):
        if year is None:
            hidden.append(lasted[game])
        else:
            fallen.append(numbers[year])
    if not fallen:
        return ()
    found = stats.ecdf(stats.CensoredData(uncensored=fallen, right=hidden)).sf
    with warnings.catch_warnings():  # where all or none are left, there is no band
        warnings.simplefilter("ignore", RuntimeWarning)
        interval = found.confidence_interval(method="log-log")
    steps = zip(
        found.quantiles,
        found.probabilities,
        interval.low.probabilities,
        interval.high.probabilities,
        strict=True,
    )
    return tuple(
        Survival(int(year), float(alive), *_whole_band(float(alive), float(low), float(high)))
        for year, alive, low, high in steps
    )


def _whole_band(alive: float, low: float, high: float) -> tuple[float, float]:
    """Return a band without the gaps that it has where nobody or everybody is left."""
    return (low if low == low else alive), (high if high == high else alive)  # noqa: PLR0124


# -- starts -------------------------------------------------------------------------------------


def measure_starts(seats: polars.DataFrame) -> tuple[StartFigures, ...]:
    """Return what came of every centre with which a power began, the best first."""
    held = seats.with_columns(
        held=polars.col("centres") / polars.col("centres").sum().over("game").clip(1)
    )
    centres = held.explode("start").drop_nulls("start")
    found = []
    for centre in sorted(centres["start"].unique().to_list()):
        own = centres.filter(polars.col("start") == centre)
        found.append(
            StartFigures(
                centre,
                own.height,
                estimate_share(own["share"].to_numpy()),
                _bounded(estimate_mean(own["held"].to_numpy())),
                tuple(own["power"].unique(maintain_order=True).to_list()),
            )
        )
    return tuple(sorted(found, key=lambda s: (-s.victories.value, -s.centre_share.value)))


# -- openings -----------------------------------------------------------------------------------


def measure_openings(seats: polars.DataFrame) -> Iterator[OpeningFigures]:
    """Yield how varied the first movements of every power were, and its commonest."""
    for power in list_powers(seats):
        own = seats.filter((polars.col("power") == power) & (polars.col("opening") != ""))
        counts = Counter(own["opening"].to_list())
        total = counts.total()
        yield OpeningFigures(
            power,
            bits=entropy_bits(list(counts.values())),
            most_bits=log2(total) if total else 0.0,
            different=len(counts),
            commonest=tuple(
                Opening(orders, games, games / total)
                for orders, games in sorted(counts.items(), key=lambda c: (-c[1], c[0]))[:COMMON]
            ),
        )


def entropy_bits(counts: Sequence[int]) -> float:
    """Return the entropy of some counts in bits.

    >>> entropy_bits([5, 5]), entropy_bits([8])
    (1.0, 0.0)
    """
    return float(stats.entropy(counts, base=2)) if counts else 0.0
