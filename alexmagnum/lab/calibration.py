"""Calibration: does the lab rank the powers of a map as the games of people did?

The figures of people stand in ``human_rates.toml``, each with its source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import resources
from itertools import permutations

import numpy as np
from scipy import stats

from alexmagnum.lab.balance_figures import Calibration, HumanRates
from alexmagnum.lab.intervals import Estimate, Numbers, estimate_from_draws
from alexmagnum.toml_tables import load_tables

POOLED = "pooled"
"""The id of all sources that state victories, taken together."""

DRAWS = 2000
"""The resamplings of a bootstrap."""


def load_human_rates(map_id: str) -> tuple[HumanRates, ...]:
    """Return what is known of people's games on a map; several sources also taken together."""
    (table,) = load_tables([resources.files("alexmagnum.lab").joinpath("human_rates.toml")])
    sources = [_read_source(key, entry) for key, entry in table.items() if entry["map"] == map_id]
    counted = [source for source in sources if source.wins]
    return (*([_pool(counted)] if len(counted) > 1 else []), *sources)


def _read_source(key: str, entry: Mapping[str, object]) -> HumanRates:
    values = {"decided": 0, "note": {}, "wins": {}, "ranks": {}} | dict(entry)
    del values["map"]
    return HumanRates(source=key, **values)  # type: ignore[arg-type]  # as the file has it


def _pool(sources: Sequence[HumanRates]) -> HumanRates:
    wins = {power: sum(source.wins[power] for source in sources) for power in sources[0].wins}
    return HumanRates(
        POOLED,
        title={},
        where="",
        games=sum(source.games for source in sources),
        decided=sum(source.decided for source in sources),
        note={},
        wins=wins,
        ranks={},
    )


def calibrate(
    series: str, measure: str, map_id: str, powers: Sequence[str], shares: Numbers
) -> Iterator[Calibration]:
    """Yield how well the ranking by shares agrees with every source, with bootstrap intervals.

    ``shares`` has a row for each game and a column for each power; ``measure`` says of what.

    Games are drawn anew with replacement, and so are the victories of people, where they are known.
    """
    for source in load_human_rates(map_id):
        people = _standings(source, powers)
        if people is None or len(shares) < 2 or not np.ptp(shares.mean(axis=0)):
            continue
        rng = np.random.default_rng(1)
        games = len(shares)
        mine = rng.multinomial(games, np.full(games, 1 / games), DRAWS) @ shares / games
        theirs = _draw_people(rng, source, people)
        found = shares.mean(axis=0)
        yield Calibration(
            series,
            measure,
            source,
            spearman=_compare(_spearman, found, people, mine, theirs, games),
            kendall=_compare(_kendall, found, people, mine, theirs, games),
            chance=_chance_of_agreement(found, people),
        )


def _standings(source: HumanRates, powers: Sequence[str]) -> Numbers | None:
    """Return a number for each power, the higher the better; None if the source lacks a power."""
    ranked: Mapping[str, float] = source.wins or {p: -rank for p, rank in source.ranks.items()}
    if any(power not in ranked for power in powers):
        return None
    return np.array([ranked[power] for power in powers], dtype=float)


def _draw_people(rng: np.random.Generator, source: HumanRates, people: Numbers) -> Numbers:
    """Return the standings of people in as many resamplings; an order alone stays as it is."""
    if not source.wins:
        return np.broadcast_to(people, (DRAWS, len(people)))
    total = int(people.sum())
    return rng.multinomial(total, people / total, DRAWS).astype(float)


def _compare(
    correlate: Callable[[Numbers, Numbers], Numbers],
    found: Numbers,
    people: Numbers,
    mine: Numbers,
    theirs: Numbers,
    games: int,
) -> Estimate:
    """Return a correlation with the interval of its resamplings."""
    value = float(correlate(found[None], people[None])[0])
    return estimate_from_draws(value, correlate(mine, theirs), games)


def _spearman(ones: Numbers, others: Numbers) -> Numbers:
    """Return the rank correlation of Spearman for every row; 0 if one side ranks nothing."""
    a, b = (stats.rankdata(rows, axis=1) for rows in (ones, others))
    return _cosines(a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True))


def _kendall(ones: Numbers, others: Numbers) -> Numbers:
    """Return the rank correlation of Kendall (tau-b) for every row; 0 if one side ranks nothing."""
    i, j = np.triu_indices(ones.shape[1], 1)
    a, b = (np.sign(rows[:, i] - rows[:, j]) for rows in (ones, others))
    return _cosines(a, b)


def _cosines(a: Numbers, b: Numbers) -> Numbers:
    """Return the cosine between the rows of two matrices; 0 for rows of zeros."""
    sizes = np.sqrt(np.square(a).sum(axis=1) * np.square(b).sum(axis=1))
    products: Numbers = (a * b).sum(axis=1)
    cosines: Numbers = np.divide(products, sizes, out=np.zeros_like(products), where=sizes > 0)
    return cosines


def _chance_of_agreement(one: Numbers, other: Numbers) -> float:
    """Return the share of all orders of the powers that agree at least as well (Spearman)."""
    ranks = stats.rankdata(one)
    orders = np.array(list(permutations(stats.rankdata(other))))
    products = orders @ ranks
    return float(np.mean(products >= stats.rankdata(other) @ ranks - 1e-9))
