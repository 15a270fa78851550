"""The figures of whole series: planted differences are found, thin samples speak with caution."""

from __future__ import annotations

import json
from dataclasses import asdict

import polars
import pytest
from scipy import stats

from alexmagnum.lab.balance import SeriesFacts, measure_balance
from alexmagnum.lab.balance_figures import BalanceFigures, SeriesFigures, entropy_bits
from tests.lab.simulated_results import POWERS, YEARS, draw_winners, join_results, make_results


def _measure(winners: list[tuple[int, ...]]) -> SeriesFigures:
    (series,) = measure_balance(make_results(winners), [SeriesFacts("base", "alexmagnum")]).series
    return series


def test_victories_are_counted_alone_and_shared() -> None:
    series = _measure([(0,), (0,), (1, 2), (3,)])

    by_power = {power.power: power for power in series.powers}
    assert [power.power for power in series.powers] == list(POWERS)
    assert by_power["SEL"].victories.value == 0.5
    assert by_power["TOL"].victories.value == 0.125
    assert (by_power["SEL"].alone, by_power["TOL"].alone, by_power["TOL"].shared) == (2, 0, 1)
    assert series.par == pytest.approx(1 / 6)
    assert [(way.way, way.games) for way in series.ways] == [("centres", 3), ("shared", 1)]


def test_games_without_a_winner_lower_par() -> None:
    series = _measure([(0,), ()])

    assert series.par == pytest.approx(1 / 12)
    assert (series.decided, series.few_decided) == (1, True)
    assert [(way.way, way.games) for way in series.ways] == [("centres", 1), ("limit", 1)]


def test_centres_are_shares_of_those_that_are_owned() -> None:
    series = _measure([(0,)] * 3)

    assert series.powers[0].centre_share.value == pytest.approx(12 / (12 + 5 * 4), abs=0.02)
    assert sum(power.centre_share.value for power in series.powers) == pytest.approx(1)


def test_elimination_and_contact_are_in_years_of_the_game() -> None:
    series = _measure([(0,)] * 20)
    last, first = series.powers[-1], series.powers[0]

    assert (last.eliminated.value, last.eliminated_year) == (0.5, 2)
    assert (first.eliminated.value, first.eliminated_year) == (0.0, None)
    assert (first.contact.value, first.no_contact) == (1.0, 0)


def test_survival_is_that_of_kaplan_and_meier() -> None:
    """Ten of twenty fall in year 2, the others live to the end in year 3."""
    series = _measure([(0,)] * 20)
    known = stats.ecdf(stats.CensoredData.right_censored([2, 3] * 10, [False, True] * 10)).sf

    steps = series.curves[-1].survival
    assert [(s.year, s.alive) for s in steps] == list(
        zip(known.quantiles, known.probabilities, strict=True)
    )
    assert series.curves[0].survival == ()


def test_every_year_has_a_mean_of_the_games_that_lasted_so_long() -> None:
    series = _measure([(0,)] * 20)

    assert [mean.year for mean in series.curves[0].centres] == list(range(1, YEARS + 1))
    assert series.curves[0].centres[-1].centres.value == 12
    assert series.curves[0].centres[0].centres.games == 20


def test_two_openings_that_are_as_common_have_one_bit() -> None:
    series = _measure([(0,)] * 20)

    assert series.openings[0].bits == 1.0
    assert [one.games for one in series.openings[0].commonest] == [10, 10]
    assert entropy_bits([1] * 8) == 3.0


def test_provinces_battles_rulings_and_orders_are_means_of_a_game() -> None:
    series = _measure([(0,)] * 20)

    assert [(p.province, p.entries, p.used) for p in series.provinces] == [
        ("MEN", 2.0, 1.0),
        ("SCI", 0.0, 0.0),
    ]
    assert (series.battles.battles.value, series.battles.sea_share.value) == (20, 0.25)
    assert [(r.ruling, r.times.value, r.games.value) for r in series.rulings] == [
        ("R9", 0.0, 0.0),
        ("R13", 0.5, 0.5),
    ]
    (orders,) = series.orders
    assert (orders.given.value, orders.successful.value) == (60, 0.6)


def test_provinces_of_the_map_that_no_table_has_were_never_used() -> None:
    facts = SeriesFacts("base", "alexmagnum", provinces=("MEN", "SCI", "ALE"))
    (series,) = measure_balance(make_results([(0,)]), [facts]).series

    assert [p.province for p in series.provinces if not p.entries] == ["SCI", "ALE"]


def test_the_seats_of_a_bot_in_one_game_are_one_observation() -> None:
    games = 60
    bots = [["search" if i == game % 6 else "dumb" for i in range(6)] for game in range(games)]
    tables = make_results([(game % 6,) for game in range(games)], bots=bots)
    (series,) = measure_balance(tables, [SeriesFacts("base", "alexmagnum")]).series

    search, dumb = series.bots
    assert (search.bot, search.seats, search.victories.value) == ("search", 60, 1.0)
    assert (dumb.bot, dumb.seats, dumb.victories.value) == ("dumb", 300, 0.0)
    assert not series.fixed_bots


def test_powers_with_bots_of_their_own_are_noticed() -> None:
    bots = [["search", *["dumb"] * 5]] * 12
    tables = make_results([(0,)] * 12, bots=bots)
    (series,) = measure_balance(tables, [SeriesFacts("base", "alexmagnum")]).series

    assert series.fixed_bots


def test_starts_are_measured_by_centre() -> None:
    series = _measure([(0,), (0,), (1,), (2,)])

    found = {start.centre: start for start in series.starts}
    assert found["ATE"].victories.value == 0.5
    assert (found["ATE"].seats, found["TIR"].victories.value) == (4, 0.0)


def test_forfeits_name_the_bot_and_its_first_fault() -> None:
    tables = make_results([(0,)] * 3)
    is_second = polars.col("game").eq(2) & polars.col("power").eq("TOL")
    tables["seats"] = tables["seats"].with_columns(
        forfeits=polars.when(is_second).then(4).otherwise(0).cast(polars.Int32),
        fault=polars.when(is_second).then(polars.lit("ValueError: no")).otherwise(polars.lit("")),
    )
    (series,) = measure_balance(tables, [SeriesFacts("base", "alexmagnum")]).series

    (bot,) = series.bots
    assert (bot.forfeits, bot.fault_games, bot.fault) == (4, 1, "ValueError: no")


def test_series_are_compared_with_their_base_and_empty_ones_left_out() -> None:
    base = draw_winners(50, [1] * 6, 1)
    tables = join_results(make_results(base), make_results([(0,)] * 50, "changed"))
    facts = [
        SeriesFacts("base", "alexmagnum", planned=80),
        SeriesFacts("changed", "alexmagnum", "base", change={"nobility": "0"}),
        SeriesFacts("not yet played", "alexmagnum", "base"),
    ]
    found = measure_balance(tables, facts)

    assert [series.name for series in found.series] == ["base", "changed"]
    assert [(effect.series, effect.pairs) for effect in found.effects] == [("changed", 50)]
    assert (found.series[0].games, found.series[0].planned) == (50, 80)


@pytest.mark.parametrize("winners", [[], [()], [(0,)], [(0, 1, 2, 3, 4, 5)] * 4])
def test_thin_samples_are_measured_without_error(winners: list[tuple[int, ...]]) -> None:
    found = measure_balance(make_results(winners), [SeriesFacts("base", "alexmagnum")])

    json.dumps(asdict(found), allow_nan=False)
    assert isinstance(found, BalanceFigures)
    assert len(found.series) == bool(winners)


def test_the_band_of_a_mean_of_centres_never_goes_below_none() -> None:
    """In the last year of two games the last power has no centre once, and 12 once."""
    series = _measure([(5,), (0,)])

    lows = [mean.centres.low for curve in series.curves for mean in curve.centres]
    assert min(low for low in lows if low is not None) == 0
