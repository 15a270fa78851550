"""Effects of changes, paired by seed: right in sign and size, and none from nothing."""

from __future__ import annotations

from operator import eq

import numpy as np
import polars
import pytest
from scipy import stats

from alexmagnum.lab.balance import Pair, SeriesFacts, chance_of_means, measure_effects
from tests.lab.simulated_results import draw_winners, make_results


def _pair(
    base: list[tuple[int, ...]], changed: list[tuple[int, ...]], name: str = "changed"
) -> Pair:
    facts = SeriesFacts(name, "alexmagnum", "base", change={"nobility": "0"})
    return facts, make_results(changed, name), make_results(base)


def test_a_planted_effect_is_found_with_its_sign_on_its_power() -> None:
    """In a fifth of the games the change gives the victory of whoever won to the first power."""
    base = draw_winners(600, [1] * 6, 1)
    changed = [(0,) if i % 5 == 0 else won for i, won in enumerate(base)]

    (effect,) = measure_effects([_pair(base, changed)])

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

    (effect,) = measure_effects([_pair(base, changed)])
    first = effect.powers[0].victories
    apart = stats.ttest_ind(
        [won == (0,) for won in changed], [won == (0,) for won in base]
    ).confidence_interval(0.95)

    assert first.low is not None
    assert first.high is not None
    assert first.high - first.low < 0.6 * (apart.high - apart.low)


def test_a_change_that_does_nothing_has_no_effect() -> None:
    base = draw_winners(100, [1] * 6, 3)

    (effect,) = measure_effects([_pair(base, base)])

    assert {power.p_value for power in effect.powers} == {1.0}
    assert effect.p_value is None
    assert (effect.same, effect.years.value, effect.years_p) == (100, 0, 1.0)


def test_a_difference_that_is_the_same_in_every_game_is_shown() -> None:
    """A last year moved by three makes every game that reaches it three years shorter."""
    facts, own, base = _pair(draw_winners(20, [1] * 6, 7), draw_winners(20, [1] * 6, 8))
    shorter = base["games"].with_columns(years=polars.col("years") - 3)

    (effect,) = measure_effects([(facts, {**own, "games": shorter}, base)])

    assert effect.years.value == -3
    assert effect.years_p == pytest.approx(2 * 0.5**20)


def test_chances_are_adjusted_for_all_changes_of_a_report() -> None:
    base = draw_winners(200, [1] * 6, 4)
    changed = [(0,) if i % 25 == 0 else won for i, won in enumerate(base)]
    alone = measure_effects([_pair(base, changed)])[0].powers[0].p_value
    others = [_pair(base, base, f"other {i}") for i in range(9)]

    among_ten = measure_effects([_pair(base, changed), *others])[0].powers[0].p_value

    assert alone < 0.05 < among_ten


def test_only_games_with_the_same_seed_are_paired() -> None:
    facts, own, base = _pair(draw_winners(10, [1] * 6, 5), draw_winners(6, [1] * 6, 6))
    (effect,) = measure_effects([(facts, own, base)])
    assert effect.pairs == 6

    moved = own["games"].with_columns(seed=polars.col("seed") + 1_000_000)
    assert measure_effects([(facts, {**own, "games": moved}, base)]) == ()


def test_several_means_are_tested_at_once_as_by_hotelling() -> None:
    """With one column the test is Student's."""
    rng = np.random.default_rng(1)
    values = rng.normal(0.3, 1, (40, 1))

    assert chance_of_means(values) == pytest.approx(stats.ttest_1samp(values[:, 0], 0).pvalue)
    assert chance_of_means(values[:2]) is None
