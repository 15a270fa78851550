"""The figures of a balance report as typed values, their statistics, and those of each power."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, inf, isnan, log2, sqrt
from statistics import median
from typing import Any

import numpy as np
import polars
from numpy.typing import NDArray
from scipy import stats

LEVEL = 0.95
"""The level of every interval."""

Z = float(stats.norm.ppf(1 - (1 - LEVEL) / 2))
"""How many standard errors an interval reaches to each side in a large sample: 1.96."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval of :data:`LEVEL`.

    ``low`` and ``high`` are None if the sample says nothing about how far off the value may be: a
    mean of one game.
    """

    value: float
    low: float | None
    high: float | None
    games: int

    def cut(self, most: float = inf) -> Estimate:
        """Return the estimate with its interval cut at 0 and at ``most``."""
        if self.low is None or self.high is None:
            return self
        return replace(self, low=max(0.0, self.low), high=min(most, self.high))

    def excludes(self, value: float) -> bool:
        """Tell whether a value lies outside the interval; without an interval none does."""
        return self.low is not None and self.high is not None and not self.low <= value <= self.high


def estimate_share(won: Sequence[float] | Numbers, seats: Sequence[int] | None = None) -> Estimate:
    """Return the share of what can be won that was won, by Wilson's interval.

    Each game gives one number from 0 to its ``seats`` (1, unless said).  Several seats of a bot, or
    a half of a shared victory, make the games differ less or more than whole victories would; so
    the interval is that of as many whole victories as have the same variance (design effect).
    """
    parts = np.asarray(won, dtype=float)
    places = np.ones(len(parts)) if seats is None else np.asarray(seats, dtype=float)
    games, total = len(parts), float(places.sum())
    if not games or not total:
        return Estimate(0.0, None, None, games)
    share = float(parts.sum()) / total
    low, high = wilson_interval(share, total / _design_effect(parts, places, share))
    return Estimate(share, low, high, games)


def _design_effect(parts: Numbers, places: Numbers, share: float) -> float:
    """Return the variance of a share, in that of as many whole victories one by one; shares that
    never vary say nothing about it, and count as victories."""
    plain = share * (1 - share) * float(places.sum())
    clustered = float(np.square(parts - share * places).sum())
    return clustered / plain if plain > 0 and clustered > 1e-12 else 1.0


def wilson_interval(share: float, size: float) -> tuple[float, float]:
    """Return Wilson's interval of a share in a sample, whose size need not be a whole number.

    >>> low, high = wilson_interval(0.5, 10)
    >>> round(low, 4), round(high, 4)
    (0.2366, 0.7634)
    """
    wide = Z * Z / size
    middle = (share + wide / 2) / (1 + wide)
    half = Z * sqrt(share * (1 - share) / size + wide / (4 * size)) / (1 + wide)
    low = 0.0 if share <= 0 else max(0.0, middle - half)
    return low, 1.0 if share >= 1 else min(1.0, middle + half)


def estimate_mean(values: Sequence[float] | Numbers) -> Estimate:
    """Return a mean with Student's interval, which is not below 0 where no value is; a single value
    has none."""
    if not (games := len(sample := np.asarray(values, dtype=float))):
        return Estimate(0.0, None, None, 0)
    deviation = float(sample.std(ddof=1)) if games > 1 else None
    found = estimate_from_moments(float(sample.mean()), deviation, games)
    return found.cut() if float(sample.min()) >= 0 else found


def estimate_from_moments(mean: float, deviation: float | None, games: int) -> Estimate:
    """Return a mean with Student's interval, from the standard deviation of a sample."""
    if games < 2 or deviation is None:
        return Estimate(mean, None, None, games)
    half = float(stats.t.ppf(1 - (1 - LEVEL) / 2, games - 1)) * deviation / sqrt(games)
    return Estimate(mean, mean - half, mean + half, games)


def estimate_ratio(parts: Sequence[float] | Numbers, wholes: Sequence[float] | Numbers) -> Estimate:
    """Return the ratio of two sums over games, such as successful orders to orders given.

    The interval is that of a ratio of means: games vary, the orders of one game do not count alone.
    Where all orders were successful, or none, games do not vary: it is then Wilson's, by games.
    """
    above, below = np.asarray(parts, dtype=float), np.asarray(wholes, dtype=float)
    games, total = len(above), float(below.sum())
    if not total:
        return Estimate(0.0, None, None, games)
    ratio = float(above.sum()) / total
    if games < 2:
        return Estimate(ratio, None, None, games)
    if ratio in (0, 1):
        return Estimate(ratio, *wilson_interval(ratio, int((below > 0).sum())), games)
    error = sqrt(float(np.square(above - ratio * below).sum()) * games / (games - 1)) / total
    half = float(stats.t.ppf(1 - (1 - LEVEL) / 2, games - 1)) * error
    return Estimate(ratio, max(0.0, ratio - half), min(1.0, ratio + half), games)


def estimate_from_draws(value: float, draws: Any, games: int) -> Estimate:
    """Return a figure with the interval of its bootstrap: the middle 95 % of ``draws``."""
    low, high = np.quantile(np.asarray(draws), [(1 - LEVEL) / 2, 1 - (1 - LEVEL) / 2])
    return Estimate(value, float(low), float(high), games)


def chance_of_mean(values: Numbers, expected: float = 0.0) -> float:
    """Return the p-value of Student's test for an expected mean.

    Values that never vary have no standard error: it is then the p-value of the sign test.
    """
    if not len(values) or np.allclose(values, expected, rtol=0, atol=1e-9):
        return 1.0
    if np.ptp(values) < 1e-9:
        return float(stats.binomtest(len(values), len(values)).pvalue)
    return float(stats.ttest_1samp(values, expected).pvalue)


def adjust_for_many(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for being several, by Holm's method.

    The chance that any of those below 0.05 is a false alarm is then below 0.05.

    >>> adjust_for_many([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, p_values[i] * (len(p_values) - rank)))
        adjusted[i] = highest
    return adjusted


# Tests whether all powers win equally often, and each power's own part in the answer.


FEW = 5.0
"""Expected victories of a power below which the chi-square distribution is too rough."""

SHUFFLES = 20_000
"""Shuffled samples that then take its place."""


@dataclass(frozen=True, slots=True)
class EqualityTest:
    """The test against equal shares of the victories.

    Attributes:
        statistic: the sum of squared distances from par, in units of their variance under equality.
        freedom: its degrees of freedom.
        p_value: the chance of a sample at least as uneven if all powers were equal.
        shuffled: whether that chance was counted in shuffled samples.
        powers: the same chance for each power alone, adjusted for there being several.
    """

    statistic: float
    freedom: int
    p_value: float
    shuffled: bool
    powers: tuple[float, ...]


def check_equality(shares: Numbers) -> EqualityTest | None:
    """Test shares of victories, a row a game and a column a power; None if nothing can be tested.

    If all powers were equal, the shares of each game might as well have gone to them in any other
    order.  With whole victories alone this is Pearson's chi-square test; shared ones need no other.
    """
    if (powers := shares.shape[1] if shares.size else 0) < 2:
        return None
    if (variance := float(shares.var(axis=1).sum())) <= 1e-12:
        return None
    sums = shares.sum(axis=0)
    off = sums - sums.mean()
    statistic = float(np.square(off).sum()) * (powers - 1) / (powers * variance)
    few = float(sums.mean()) < FEW
    p_value = (
        _shuffled_chance(shares, float(np.square(off).sum()))
        if few
        else float(stats.chi2.sf(statistic, powers - 1))
    )
    alone = [float(2 * stats.norm.sf(abs(float(d)) / sqrt(variance))) for d in off]
    return EqualityTest(statistic, powers - 1, p_value, few, tuple(adjust_for_many(alone)))


def _shuffled_chance(shares: Numbers, observed: float) -> float:
    rng = np.random.default_rng(1)
    powers = shares.shape[1]
    sums = np.zeros((SHUFFLES, powers))
    for game in shares:
        sums += rng.permuted(np.broadcast_to(game, (SHUFFLES, powers)), axis=1)
    uneven = np.square(sums - sums.mean(axis=1, keepdims=True)).sum(axis=1)
    return float((1 + np.count_nonzero(uneven >= observed - 1e-9)) / (1 + SHUFFLES))


def estimate_spread(shares: Numbers) -> float:
    """Return how far the powers' chances are from equal: their standard deviation, as a share.

    Chance alone makes shares differ in any sample; that much is taken off.
    """
    if (games := len(shares)) < 2:
        return 0.0
    chance = float(shares.var(axis=0, ddof=1).mean()) / games
    return sqrt(max(0.0, float(shares.mean(axis=0).var()) - chance))


# Sizes of samples: how many games an answer takes, and what a sample of some size can show.


POWER = 0.8
"""The chance with which a difference of the stated size is to be found."""

_REACH = Z + float(stats.norm.ppf(POWER))  # the standard errors of a difference that is found: 2.80


def games_for_margin(variance: float, margin: float) -> int:
    """Return the games after which an interval reaches ``margin`` to each side.

    >>> games_for_margin(1 / 6 * 5 / 6, 0.01)
    5336
    """
    return ceil(Z * Z * variance / (margin * margin))


def games_for_difference(variance: float, difference: float) -> int | None:
    """Return the games that show a difference with a chance of 80 %, None if there is none;
    ``variance`` is that of the difference in one game."""
    if abs(difference) < 1e-9:
        return None
    return ceil(_REACH * _REACH * variance / (difference * difference))


def smallest_difference(variance: float, games: int) -> float:
    """Return the difference that a sample shows with a chance of 80 %."""
    return _REACH * sqrt(variance / games) if games else 1.0


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
    """The lengths of games; ``ended`` counts the games by kind of end and by last year."""

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
    """The share in victories of whoever began with a centre; ``powers`` are those that did."""

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
        mean=polars.col("centres").mean(), deviation=polars.col("centres").std(), games=polars.len()
    )
    enough = max(min(FEW_GAMES, games.height), games.height / 10)
    lasted = dict(zip(games["game"].to_list(), games["years"].to_list(), strict=True))
    for power in list_powers(seats):
        own = means.filter((polars.col("power") == power) & (polars.col("games") >= enough))
        yield PowerCurves(
            power,
            tuple(
                YearMean(
                    row["number"],
                    estimate_from_moments(row["mean"], row["deviation"], row["games"]).cut(),
                )
                for row in own.sort("number").to_dicts()
            ),
            _survival(seats.filter(polars.col("power") == power), numbers, lasted),
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
