"""The figures of the lab: estimates, series, effects of changes, and people's games."""

import json
from dataclasses import asdict
from operator import eq

import numpy as np
import polars
import pytest
from numpy.typing import NDArray
from scipy import stats

from alexmagnum.board import load_board
from alexmagnum.lab import balance, balance_figures
from tests.lab import simulated_results
from tests.lab.simulated_results import YEARS, draw_shares, draw_winners, join_results, make_results
from tests.sizes import sampled, sized


def test_a_share_of_whole_victories_has_the_interval_of_wilson() -> None:
    found = balance_figures.estimate_share([1.0] * 37 + [0.0] * 163)
    known = stats.binomtest(37, 200).proportion_ci(method="wilson")
    assert found.value == 37 / 200
    assert (found.low, found.high) == pytest.approx((known.low, known.high))


def _width(estimate: balance_figures.Estimate) -> float:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.high - estimate.low


def test_a_share_of_nothing_or_all_has_an_interval_to_one_side() -> None:
    for bound in (0.0, 1.0):
        found = balance_figures.estimate_share([bound] * 50)
        assert bound in (found.low, found.high)
        assert found.low != found.high


def test_shared_victories_are_known_better_than_whole_ones_of_the_same_share() -> None:
    halves = balance_figures.estimate_share([0.5, 0.5, 0.5, 0.0] * 25)
    wholes = balance_figures.estimate_share(
        [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0] * 12 + [1.0, 0.0, 0.0, 0.0]
    )
    assert halves.value == pytest.approx(0.375)
    assert _width(halves) < _width(wholes)


def test_seats_of_one_bot_that_win_together_count_as_one_observation() -> None:
    """Three seats that win all or nothing tell as much as one seat."""
    together = balance_figures.estimate_share([3.0, 0.0] * 50, seats=[3] * 100)
    alone = balance_figures.estimate_share([1.0, 0.0] * 50)
    assert together.value == alone.value
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high))


def test_a_mean_has_the_interval_of_student_and_of_one_game_none() -> None:
    values = [3.0, 5.0, 4.0, 8.0, 6.0]
    known = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    found = balance_figures.estimate_mean(values)
    assert (found.low, found.high) == pytest.approx((known.low, known.high))
    assert balance_figures.estimate_mean([7.0]) == balance_figures.Estimate(7.0, None, None, 1)


def test_a_ratio_counts_games_and_not_orders() -> None:
    """The same ratio in every game is known exactly, however many orders there are."""
    steady = balance_figures.estimate_ratio([5.0, 10.0, 15.0], [10.0, 20.0, 30.0])
    varying = balance_figures.estimate_ratio([10.0, 10.0, 0.0, 20.0], [20.0, 20.0, 20.0, 20.0])
    assert (steady.low, steady.value, steady.high) == (0.5, 0.5, 0.5)
    assert varying.low is not None
    assert varying.low < 0.3


def test_orders_that_always_succeed_have_an_interval_to_one_side() -> None:
    """Three of four games have such orders: that is what is known of them."""
    found = balance_figures.estimate_ratio([2, 1, 4, 0], [2, 1, 4, 0])
    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx(balance_figures.wilson_interval(1, 3)[0])


def test_adjusted_chances_are_those_of_holm() -> None:
    """0.01 · 3, 0.02 · 2 = 0.04, then 0.03 · 1, which may not be lower than the one before."""
    assert balance_figures.adjust_for_many([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])


@sampled
@pytest.mark.parametrize("shared", [0.0, 0.4])
def test_the_interval_of_fair_games_contains_par_about_19_times_in_20(shared: float) -> None:
    samples = sized(400, 4000)
    inside = 0
    for seed in range(samples):
        won = draw_shares(120, [1] * 6, seed, shared)[:, 0]
        inside += not balance_figures.estimate_share(won).excludes(1 / 6)
    assert 0.925 < inside / samples < 0.975


def test_an_interval_shrinks_with_the_root_of_the_games() -> None:
    small, large = (
        balance_figures.estimate_share(np.tile([1.0, 0, 0, 0, 0, 0], n)) for n in (50, 200)
    )
    assert small.high is not None
    assert large.high is not None
    assert (small.high - small.value) / (large.high - large.value) == pytest.approx(2, rel=0.1)


def _check(shares: NDArray[np.float64]) -> balance_figures.EqualityTest:
    found = balance_figures.check_equality(shares)
    assert found is not None
    return found


def test_whole_victories_are_tested_as_by_pearson() -> None:
    shares = draw_shares(300, [3, 2, 2, 2, 2, 1], 1)
    known = stats.chisquare(shares.sum(axis=0))
    found = _check(shares)
    assert not found.shuffled
    assert found.statistic == pytest.approx(known.statistic)
    assert found.p_value == pytest.approx(known.pvalue)


def test_the_first_figures_of_300_random_games_prove_nothing() -> None:
    """22.7 % against a par of 16.7 % is not much in 300 games: chi-square 10.04."""
    found = _check(np.repeat(np.eye(6), [68, 54, 50, 43, 43, 42], axis=0))
    assert found.statistic == pytest.approx(10.04)
    assert found.p_value > 0.05


def test_few_games_are_tested_by_shuffling_and_those_without_a_difference_not_at_all() -> None:
    found = _check(np.eye(6)[[0] * 6])
    assert found.shuffled
    assert found.p_value == pytest.approx(1 / 6**5, abs=0.001)
    for shares in (np.zeros((5, 6)), np.full((5, 6), 1 / 6), np.zeros((0, 6))):
        assert balance_figures.check_equality(shares) is None


@sampled
@pytest.mark.parametrize("shared", [0.0, 0.5])
def test_fair_games_seem_unfair_once_in_twenty_samples(shared: float) -> None:
    samples = sized(400, 4000)
    alarms = 0
    for seed in range(samples):
        alarms += _check(draw_shares(120, [1] * 6, seed, shared)).p_value < 0.05
    assert 0.025 < alarms / samples < 0.08


def test_a_power_that_is_too_strong_is_found_alone() -> None:
    found = _check(draw_shares(900, [2, 1, 1, 1, 1, 1], 5))
    assert found.p_value < 0.001
    assert [p < 0.05 for p in found.powers].index(True) == 0
    assert min(found.powers) == found.powers[0]


def test_the_spread_takes_off_what_chance_adds() -> None:
    fair = [balance_figures.estimate_spread(draw_shares(200, [1] * 6, seed)) for seed in range(40)]
    unfair = [
        balance_figures.estimate_spread(draw_shares(200, [4, 2, 2, 2, 1, 1], seed))
        for seed in range(40)
    ]
    assert np.mean(fair) < 0.02
    assert np.mean(unfair) == pytest.approx(np.std(np.array([4, 2, 2, 2, 1, 1]) / 12), abs=0.01)


def test_a_difference_is_found_in_four_of_five_samples_of_the_size_for_it() -> None:
    chances = [0.3, 0.2, 0.125, 0.125, 0.125, 0.125]
    variance = 0.3 + 0.2 - 0.1**2
    games = balance_figures.games_for_difference(variance, 0.1)
    assert games is not None
    assert balance_figures.games_for_margin(1 / 6 * 5 / 6, 0.01) == 5336  # a point at a sixth
    found = 0
    for seed in range(300):
        shares = draw_shares(games, chances, seed)
        found += stats.ttest_1samp(shares[:, 0] - shares[:, 1], 0).pvalue < 0.05
    assert 0.73 < found / 300 < 0.87
    assert balance_figures.smallest_difference(variance, games) == pytest.approx(0.1, rel=0.01)
    assert balance_figures.games_for_difference(variance, 0.0) is None


def _measure(winners: list[tuple[int, ...]]) -> balance_figures.SeriesFigures:
    return _measure_tables(make_results(winners))


def _measure_tables(tables: dict[str, polars.DataFrame]) -> balance_figures.SeriesFigures:
    (series,) = balance.measure_balance(tables, [balance.SeriesFacts("base", "alexmagnum")]).series
    return series


def test_victories_are_counted_alone_and_shared() -> None:
    series = _measure([(0,), (0,), (1, 2), (3,)])

    by_power = {power.power: power for power in series.powers}
    assert [power.power for power in series.powers] == list(simulated_results.POWERS)
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


def test_every_table_of_the_games_has_its_figures() -> None:
    """The first power wins twenty games; in ten of them the last one falls in the second year."""
    series = _measure([(0,)] * 20)
    last, first = series.powers[-1], series.powers[0]

    assert sum(power.centre_share.value for power in series.powers) == pytest.approx(1)
    three = _measure([(0,)] * 3)
    assert three.powers[0].centre_share.value == pytest.approx(12 / (12 + 5 * 4), abs=0.02)
    assert (last.eliminated.value, last.eliminated_year) == (0.5, 2)
    assert (first.eliminated.value, first.eliminated_year) == (0.0, None)
    assert (first.contact.value, first.no_contact) == (1.0, 0)

    known = stats.ecdf(stats.CensoredData.right_censored([2, 3] * 10, [False, True] * 10)).sf
    steps = [(step.year, step.alive) for step in series.curves[-1].survival]
    assert steps == list(zip(known.quantiles, known.probabilities, strict=True))  # Kaplan and Meier
    assert series.curves[0].survival == ()
    assert [mean.year for mean in series.curves[0].centres] == list(range(1, YEARS + 1))
    assert series.curves[0].centres[-1].centres.value == 12
    assert series.curves[0].centres[0].centres.games == 20

    assert series.openings[0].bits == 1.0  # two openings that are as common
    assert [one.games for one in series.openings[0].commonest] == [10, 10]
    assert balance_figures.entropy_bits([1] * 8) == 3.0
    used = [(p.province, p.entries, p.used) for p in series.provinces]
    assert used == [("MEN", 2.0, 1.0), ("SCI", 0.0, 0.0)]
    assert (series.battles.battles.value, series.battles.sea_share.value) == (20, 0.25)
    rulings = [(r.ruling, r.times.value, r.games.value) for r in series.rulings]
    assert rulings == [("R9", 0.0, 0.0), ("R13", 0.5, 0.5)]
    (orders,) = series.orders
    assert (orders.given.value, orders.successful.value) == (60, 0.6)


def test_provinces_of_the_map_that_no_table_has_were_never_used() -> None:
    facts = balance.SeriesFacts("base", "alexmagnum", provinces=("MEN", "SCI", "ALE"))
    (series,) = balance.measure_balance(make_results([(0,)]), [facts]).series
    assert [p.province for p in series.provinces if not p.entries] == ["SCI", "ALE"]


def test_the_seats_of_a_bot_in_one_game_are_one_observation() -> None:
    """Powers with bots of their own are noticed."""
    bots = [["search" if i == game % 6 else "dumb" for i in range(6)] for game in range(60)]
    series = _measure_tables(make_results([(game % 6,) for game in range(60)], bots=bots))
    search, dumb = series.bots
    assert (search.bot, search.seats, search.victories.value) == ("search", 60, 1.0)
    assert (dumb.bot, dumb.seats, dumb.victories.value) == ("dumb", 300, 0.0)
    assert not series.fixed_bots
    fixed = [["search", *["dumb"] * 5]] * 12
    assert _measure_tables(make_results([(0,)] * 12, bots=fixed)).fixed_bots


def test_starts_are_measured_by_centre() -> None:
    found = {start.centre: start for start in _measure([(0,), (0,), (1,), (2,)]).starts}
    assert found["ATE"].victories.value == 0.5
    assert (found["ATE"].seats, found["TIR"].victories.value) == (4, 0.0)


def test_forfeits_name_the_bot_and_its_first_fault() -> None:
    tables = make_results([(0,)] * 3)
    is_second = polars.col("game").eq(2) & polars.col("power").eq("TOL")
    tables["seats"] = tables["seats"].with_columns(
        forfeits=polars.when(is_second).then(4).otherwise(0).cast(polars.Int32),
        fault=polars.when(is_second).then(polars.lit("ValueError: no")).otherwise(polars.lit("")),
    )
    (bot,) = _measure_tables(tables).bots
    assert (bot.forfeits, bot.fault_games, bot.fault) == (4, 1, "ValueError: no")


def test_series_are_compared_with_their_base_and_empty_ones_left_out() -> None:
    base = draw_winners(50, [1] * 6, 1)
    tables = join_results(make_results(base), make_results([(0,)] * 50, "changed"))
    facts = [
        balance.SeriesFacts("base", "alexmagnum", planned=80),
        balance.SeriesFacts("changed", "alexmagnum", "base", change={"nobility": "0"}),
        balance.SeriesFacts("not yet played", "alexmagnum", "base"),
    ]
    found = balance.measure_balance(tables, facts)
    assert [series.name for series in found.series] == ["base", "changed"]
    assert [(effect.series, effect.pairs) for effect in found.effects] == [("changed", 50)]
    assert (found.series[0].games, found.series[0].planned) == (50, 80)


@pytest.mark.parametrize("winners", [[], [()], [(0,)], [(0, 1, 2, 3, 4, 5)] * 4])
def test_thin_samples_are_measured_without_error(winners: list[tuple[int, ...]]) -> None:
    found = balance.measure_balance(
        make_results(winners), [balance.SeriesFacts("base", "alexmagnum")]
    )

    json.dumps(asdict(found), allow_nan=False)
    assert isinstance(found, balance_figures.BalanceFigures)
    assert len(found.series) == bool(winners)


def test_the_band_of_a_mean_of_centres_never_goes_below_none() -> None:
    """In the last year of two games the last power has no centre once, and 12 once."""
    lows = [mean.centres.low for curve in _measure([(5,), (0,)]).curves for mean in curve.centres]
    assert min(low for low in lows if low is not None) == 0


def _pair(
    base: list[tuple[int, ...]], changed: list[tuple[int, ...]], name: str = "changed"
) -> balance.Pair:
    facts = balance.SeriesFacts(name, "alexmagnum", "base", change={"nobility": "0"})
    return facts, make_results(changed, name), make_results(base)


def test_a_planted_effect_is_found_with_its_sign_on_its_power() -> None:
    """In a fifth of the games the change gives the victory of whoever won to the first power."""
    base = draw_winners(600, [1] * 6, 1)
    changed = [(0,) if i % 5 == 0 else won for i, won in enumerate(base)]

    (effect,) = balance.measure_effects([_pair(base, changed)])

    first, *others = effect.powers
    assert first.power == "SEL"
    assert first.p_value < 0.001
    assert first.victories.value == pytest.approx(1 / 6, abs=0.03)
    assert not first.victories.excludes(1 / 6)
    assert all(power.victories.value < 0 for power in others)
    assert effect.p_value is not None
    assert effect.p_value < 0.001
    assert effect.spread > effect.base_spread
    assert (effect.pairs, effect.same) == (600, sum(map(eq, base, changed)))


def test_pairs_are_worth_more_than_two_samples() -> None:
    base = draw_winners(300, [1] * 6, 2)
    changed = [(0,) if i % 10 == 0 else won for i, won in enumerate(base)]

    (effect,) = balance.measure_effects([_pair(base, changed)])
    first = effect.powers[0].victories
    apart = stats.ttest_ind(
        [won == (0,) for won in changed], [won == (0,) for won in base]
    ).confidence_interval(0.95)

    assert first.low is not None
    assert first.high is not None
    assert first.high - first.low < 0.6 * (apart.high - apart.low)


def test_a_change_that_does_nothing_has_no_effect() -> None:
    base = draw_winners(100, [1] * 6, 3)

    (effect,) = balance.measure_effects([_pair(base, base)])

    assert {power.p_value for power in effect.powers} == {1.0}
    assert effect.p_value is None
    assert (effect.same, effect.years.value, effect.years_p) == (100, 0, 1.0)


def test_a_difference_that_is_the_same_in_every_game_is_shown() -> None:
    """A last year moved by three makes every game that reaches it three years shorter."""
    facts, own, base = _pair(draw_winners(20, [1] * 6, 7), draw_winners(20, [1] * 6, 8))
    shorter = base["games"].with_columns(years=polars.col("years") - 3)

    (effect,) = balance.measure_effects([(facts, {**own, "games": shorter}, base)])

    assert effect.years.value == -3
    assert effect.years_p == pytest.approx(2 * 0.5**20)


def test_chances_are_adjusted_for_all_changes_of_a_report() -> None:
    base = draw_winners(200, [1] * 6, 4)
    changed = [(0,) if i % 25 == 0 else won for i, won in enumerate(base)]
    others = [_pair(base, base, f"other {i}") for i in range(9)]

    among_ten = balance.measure_effects([_pair(base, changed), *others])[0].powers[0].p_value

    assert balance.measure_effects([_pair(base, changed)])[0].powers[0].p_value < 0.05 < among_ten


def test_only_games_with_the_same_seed_are_paired() -> None:
    facts, own, base = _pair(draw_winners(10, [1] * 6, 5), draw_winners(6, [1] * 6, 6))
    (effect,) = balance.measure_effects([(facts, own, base)])
    assert effect.pairs == 6

    moved = own["games"].with_columns(seed=polars.col("seed") + 1_000_000)
    assert balance.measure_effects([(facts, {**own, "games": moved}, base)]) == ()


def test_several_means_are_tested_by_hotelling_and_one_by_student() -> None:
    values = np.random.default_rng(1).normal(0.3, 1, (40, 1))
    assert balance.chance_of_means(values) == pytest.approx(
        stats.ttest_1samp(values[:, 0], 0).pvalue
    )
    assert balance.chance_of_means(values[:2]) is None


PLAYERS = tuple(load_board("standard").powers)


def _shares(chances: list[float], games: int = 1500) -> NDArray[np.float64]:
    return draw_shares(games, chances, 1)


def test_sources_name_where_they_are_from_and_add_up() -> None:
    sources = balance.load_human_rates("standard")
    assert sources[0].source == balance.POOLED
    assert len(sources) > 2
    for source in sources:
        assert set(source.wins or source.ranks) == set(PLAYERS)
        assert sum(source.wins.values()) in (0, source.decided)
        assert source.decided <= source.games
        assert source.source == balance.POOLED or (source.where and source.title)
    assert balance.load_human_rates("alexmagnum") == ()


def test_correlations_are_those_of_scipy_and_a_ranking_of_nothing_is_not_compared() -> None:
    shares = _shares([1, 2, 3, 4, 5, 6, 7])

    for found in balance.calibrate("s", "victories", "standard", PLAYERS, shares):
        wins, ranks = found.source.wins, found.source.ranks
        people = [wins[power] if wins else -ranks[power] for power in PLAYERS]
        means = shares.mean(axis=0)
        assert found.spearman.value == pytest.approx(stats.spearmanr(means, people).statistic)
        assert found.kendall.value == pytest.approx(stats.kendalltau(means, people).statistic)
    assert list(balance.calibrate("s", "victories", "standard", PLAYERS, np.zeros((5, 7)))) == []


def test_a_lab_that_ranks_as_people_do_agrees_with_them() -> None:
    pooled = balance.load_human_rates("standard")[0]
    shares = _shares([float(pooled.wins[power]) for power in PLAYERS])
    found = next(balance.calibrate("s", "victories", "standard", PLAYERS, shares))
    assert found.spearman.value > 0.9
    assert found.chance < 0.01
    assert found.spearman.low is not None
    assert found.spearman.low > 0


def test_the_chance_of_agreement_is_counted_over_all_orders() -> None:
    """The opposite of people's order: every ranking agrees at least as well."""
    ranks = next(s.ranks for s in balance.load_human_rates("standard") if s.ranks)
    shares = np.array([[ranks[p] for p in PLAYERS]] * 3) / 28
    opposite = [
        c for c in balance.calibrate("s", "x", "standard", PLAYERS, shares) if c.source.ranks
    ]
    assert opposite[0].spearman.value == pytest.approx(-1)
    assert opposite[0].chance == 1.0


def test_the_bot_that_wins_is_rated_higher() -> None:
    games = 60
    bots = [["search" if i == game % 6 else "dumb" for i in range(6)] for game in range(games)]
    winners = [(game % 6,) if game % 3 else ((game + 1) % 6,) for game in range(games)]

    best, other = balance.rate_bots("alexmagnum", make_results(winners, bots=bots)["seats"])

    assert (best.bot, other.bot) == ("search", "dumb")
    assert best.mean - best.deviation > other.mean + other.deviation
    assert best.games == other.games == games


def test_games_of_one_bot_against_itself_rate_nobody() -> None:
    seats = make_results(draw_winners(10, [1] * 6, 1))["seats"]
    assert list(balance.rate_bots("alexmagnum", seats)) == []
    assert list(balance.rate_bots("alexmagnum", polars.DataFrame(schema=seats.schema))) == []
