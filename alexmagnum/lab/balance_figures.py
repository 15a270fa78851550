"""The figures of a balance report as typed values, and those of each power."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, log2
from statistics import median

import numpy as np
import polars
from scipy import stats

from alexmagnum.lab.statistics import (
    EqualityTest,
    Estimate,
    Numbers,
    adjust_for_many,
    chance_of_mean,
    estimate_from_moments,
    estimate_mean,
    estimate_share,
)


@dataclass(frozen=True, slots=True)
class PowerFigures:
    """What one power came to in the games of a series.

    Attributes:
        victories: its share of the victories; of a shared one it has a part.
        alone: games that it won alone.
        shared: games that it won with others.
        p_value: the chance of a share at least as far from par if all powers were equal, adjusted
            for there being several powers; None if nothing can be tested.
        centre_share: its share of the owned centres at the end.
        centre_p: the p-value of that share against an equal one, adjusted likewise.
        centres: its centres at the end.
        nobility: its points at the end; None on a map without nobility.
        eliminated: the share of the games in which it was eliminated.
        eliminated_year: the median year of that; None if it never was.
        contact: the year of the first contact with another power, in the games that had one.
        no_contact: games without one.
        bots: the bots that played it, with the number of games.
    """

    power: str
    victories: Estimate
    alone: int
    shared: int
    p_value: float | None
    centre_share: Estimate
    centre_p: float
    centres: Estimate
    nobility: Estimate | None
    eliminated: Estimate
    eliminated_year: float | None
    contact: Estimate
    no_contact: int
    bots: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class WayCount:
    """A way to end: ``centres``, ``nobility``, ``last year``, ``shared``, ``limit`` (nobody)."""

    way: str
    games: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class LengthFigures:
    """How long the games were.

    ``ended`` has, for every way to end, the number of games by their last year.
    """

    years: Estimate
    phases: Estimate
    median: float
    shortest: int
    longest: int
    ended: Mapping[str, Mapping[int, int]]


@dataclass(frozen=True, slots=True)
class YearMean:
    """The mean of a power's centres at the end of a year, over the games that lasted so long."""

    year: int
    centres: Estimate


@dataclass(frozen=True, slots=True)
class Survival:
    """The chance that a power is still in the game at the end of a year (Kaplan and Meier)."""

    year: int
    alive: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PowerCurves:
    """A power over the years."""

    power: str
    centres: tuple[YearMean, ...]
    survival: tuple[Survival, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """The orders of a power's first movement, and the share of the games in which it gave them."""

    orders: str
    games: int
    share: float


@dataclass(frozen=True, slots=True)
class OpeningFigures:
    """How varied a power's first movements were.

    Attributes:
        bits: their entropy; 0 if they never vary.
        most_bits: the entropy if every game had its own: a sample shows no more than that.
        different: how many different ones there were.
    """

    power: str
    bits: float
    most_bits: float
    different: int
    commonest: tuple[Opening, ...]


@dataclass(frozen=True, slots=True)
class StartFigures:
    """What came of beginning with a centre: the share of the victories of whoever had it.

    ``powers`` are those that began with it.
    """

    centre: str
    seats: int
    victories: Estimate
    centre_share: Estimate
    powers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProvinceFigures:
    """The use of a province: entries and battles a game, the share of games with an entry."""

    province: str
    entries: float
    battles: float
    used: float


@dataclass(frozen=True, slots=True)
class BattleFigures:
    """Battles in a game, those at sea among them, and their share."""

    battles: Estimate
    at_sea: Estimate
    sea_share: Estimate


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """How often a ruling decided something: times a game, and in what share of the games."""

    ruling: str
    times: Estimate
    games: Estimate


@dataclass(frozen=True, slots=True)
class OrderFigures:
    """The orders of a kind: how many in a game, and the share that was successful."""

    kind: str
    given: Estimate
    successful: Estimate


@dataclass(frozen=True, slots=True)
class BotFigures:
    """A bot in a series: seats, its share of the victories for each seat, and forfeited orders.

    ``fault`` is the text of the first fault, "" if there was none.
    """

    bot: str
    seats: int
    victories: Estimate
    centre_share: Estimate
    forfeits: int
    fault_games: int
    fault: str


@dataclass(frozen=True, slots=True)
class SampleFigures:
    """What the size of a sample allows to say.

    Attributes:
        margin: half the interval of a share at par in this sample.
        point_games: the games that make it one point.
        detectable: the distance from par that this sample shows with a chance of 80 %.
        nearest: the two powers whose shares are nearest to each other, if any differ.
        nearest_difference: the difference between them.
        nearest_games: the games that would tell them apart with a chance of 80 %.
    """

    margin: float
    point_games: int
    detectable: float
    nearest: tuple[str, ...]
    nearest_difference: float
    nearest_games: int | None


@dataclass(frozen=True, slots=True)
class SeriesFigures:
    """All figures of one series.

    Attributes:
        planned: the games of its plan; None if the plan is not there.
        par: the share of the victories that each power would have if all were equal.
        decided: games that had a winner.
        few_decided: whether these are too few to compare the powers by victories.
        fixed_bots: whether some power was played by other bots than the others were.
        spread: the standard deviation of the powers' chances, without what chance adds.
        curves: the powers over the years.
    """

    name: str
    map: str
    base: str
    rules: Mapping[str, str]
    games: int
    planned: int | None
    par: float
    decided: int
    few_decided: bool
    fixed_bots: bool
    powers: tuple[PowerFigures, ...]
    equality: EqualityTest | None
    spread: float
    sample: SampleFigures
    ways: tuple[WayCount, ...]
    length: LengthFigures
    curves: tuple[PowerCurves, ...]
    openings: tuple[OpeningFigures, ...]
    starts: tuple[StartFigures, ...]
    provinces: tuple[ProvinceFigures, ...]
    battles: BattleFigures
    rulings: tuple[RuleFigures, ...]
    orders: tuple[OrderFigures, ...]
    bots: tuple[BotFigures, ...]


@dataclass(frozen=True, slots=True)
class PowerEffect:
    """What a change did to one power: differences to the base, paired by seed.

    ``p_value`` is adjusted for all powers and all changes of the report.
    """

    power: str
    victories: Estimate
    centre_share: Estimate
    p_value: float


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """What one changed switch or map did.

    Attributes:
        change: the switches and their values, or the map.
        pairs: games of both series with the same seed.
        same: pairs that ended with the same shares.
        years: the difference of the length; ``years_p`` its p-value, adjusted for all changes.
        p_value: the chance of such differences if the change did nothing to any power's victories.
        spread: the standard deviation of the powers' chances with the change, and in the base.
    """

    series: str
    base: str
    change: Mapping[str, str]
    pairs: int
    same: int
    powers: tuple[PowerEffect, ...]
    years: Estimate
    years_p: float
    p_value: float | None
    spread: float
    base_spread: float


@dataclass(frozen=True, slots=True)
class BotRating:
    """The rating of a bot by OpenSkill: its mean and standard deviation, over all mixed series."""

    bot: str
    map: str
    mean: float
    deviation: float
    games: int


@dataclass(frozen=True, slots=True)
class HumanRates:
    """What people did on a map: victories by power, or only the order of the powers.

    ``title`` and ``note`` are by language; they are empty for several sources taken together.
    ``wins`` has the victories of each power, if they are known; ``ranks`` their ranks, from 1.
    """

    source: str
    title: Mapping[str, str]
    where: str
    games: int
    decided: int = 0
    note: Mapping[str, str] = field(default_factory=dict)
    wins: Mapping[str, int] = field(default_factory=dict)
    ranks: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Calibration:
    """How well the ranking of a series agrees with that of people.

    ``measure`` says by what the lab ranks the powers: ``victories`` or ``centres`` (their share of
    the centres at the end).  ``chance`` is the share of all rankings that would agree at least as
    well.
    """

    series: str
    measure: str
    source: HumanRates
    spearman: Estimate
    kendall: Estimate
    chance: float


@dataclass(frozen=True, slots=True)
class BalanceFigures:
    """All figures of a report; ``unplayed`` names the series without a finished game."""

    series: tuple[SeriesFigures, ...]
    unplayed: tuple[str, ...]
    effects: tuple[RuleEffect, ...]
    ratings: tuple[BotRating, ...]
    calibrations: tuple[Calibration, ...]


# The figures of the powers of one series: victories, centres, elimination, contact, openings.


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


def add_held(seats: polars.DataFrame) -> polars.DataFrame:
    """Return the seats with a column ``held``: their share of the centres of their game."""
    centres = polars.col("centres")
    return seats.with_columns(held=centres / centres.sum().over("game").clip(1))


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
        fallen, met = (
            [years[year] for year in own[column].drop_nulls()]
            for column in ("eliminated", "first_contact")
        )
        points = own["nobility"].drop_nulls()
        yield PowerFigures(
            power=power,
            victories=estimate_share(shares),
            alone=int((shares >= 1).sum()),
            shared=int(((shares > 0) & (shares < 1)).sum()),
            p_value=equality.powers[i] if equality else None,
            centre_share=estimate_mean(held[:, i]).cut(1.0),
            centre_p=chances[i],
            centres=estimate_mean(own["centres"].to_numpy()),
            nobility=None if points.is_empty() else estimate_mean(points.to_numpy()),
            eliminated=estimate_share([float(year is not None) for year in own["eliminated"]]),
            eliminated_year=float(median(fallen)) if fallen else None,
            contact=estimate_mean(met),
            no_contact=own["first_contact"].null_count(),
            bots=dict(sorted(Counter(own["bot"].to_list()).items())),
        )


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
                    estimate_from_moments(row["mean"], row["deviation"], row["games"]).cut(),
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
        # The band has gaps where nobody or everybody is left.
        Survival(int(year), alive, *(alive if isnan(end) else float(end) for end in band))
        for year, alive, *band in ((year, float(alive), *band) for year, alive, *band in steps)
    )


# -- starts -------------------------------------------------------------------------------------


def measure_starts(seats: polars.DataFrame) -> tuple[StartFigures, ...]:
    """Return what came of every centre with which a power began, the best first."""
    centres = add_held(seats).explode("start").drop_nulls("start")
    found = []
    for centre in sorted(centres["start"].unique().to_list()):
        own = centres.filter(polars.col("start") == centre)
        found.append(
            StartFigures(
                centre,
                own.height,
                estimate_share(own["share"].to_numpy()),
                estimate_mean(own["held"].to_numpy()).cut(1.0),
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
