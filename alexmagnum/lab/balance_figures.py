"""The figures of a balance report as typed values: what ``lab report --json`` prints.

Open this file to learn what a figure means.  Shares are from 0 to 1; years are counted from 1, the
first year of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from alexmagnum.lab.equality import EqualityTest
from alexmagnum.lab.intervals import Estimate


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
    decided: int
    note: Mapping[str, str]
    wins: Mapping[str, int]
    ranks: Mapping[str, float]


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
