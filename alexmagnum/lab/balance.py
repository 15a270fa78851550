"""Measures the balance of a map and what its rules do, from the tables of results.

:func:`measure_balance` is what ``lab report`` shows; its values are in
:mod:`alexmagnum.lab.balance_figures`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import polars

from alexmagnum.lab.balance_figures import (
    BalanceFigures,
    BotRating,
    Calibration,
    SampleFigures,
    SeriesFigures,
)
from alexmagnum.lab.calibration import calibrate
from alexmagnum.lab.equality import FEW, check_equality, estimate_spread
from alexmagnum.lab.game_figures import (
    count_ways,
    measure_battles,
    measure_bots,
    measure_length,
    measure_orders,
    measure_provinces,
    measure_rulings,
)
from alexmagnum.lab.intervals import Numbers, wilson_interval
from alexmagnum.lab.power_figures import (
    list_powers,
    matrix_of,
    measure_openings,
    measure_powers,
    measure_starts,
    number_years,
    share_rows,
    trace_powers,
)
from alexmagnum.lab.ratings import rate_bots
from alexmagnum.lab.rule_effects import PairedSeries, measure_effects
from alexmagnum.lab.sample_sizes import (
    games_for_difference,
    games_for_margin,
    smallest_difference,
)

Tables = Mapping[str, polars.DataFrame]


@dataclass(frozen=True, slots=True)
class SeriesFacts:
    """What is known of a series besides its results.

    Attributes:
        base: the series that it is compared with; "" if there is none.
        change: what differs from the base: switches and their values, or ``map``.
        planned: the games of its plan; None if that is not known.
        provinces: the provinces of its map; empty if the map is not at hand.
    """

    name: str
    map: str
    base: str = ""
    rules: Mapping[str, str] = field(default_factory=dict)
    change: Mapping[str, str] = field(default_factory=dict)
    planned: int | None = None
    provinces: tuple[str, ...] = ()


def measure_balance(tables: Tables, series: Sequence[SeriesFacts]) -> BalanceFigures:
    """Return all figures of the series that have at least one game."""
    played = {
        facts.name: (facts, own)
        for facts in series
        if not (own := _tables_of(tables, facts.name))["games"].is_empty()
    }
    return BalanceFigures(
        tuple(_measure_series(facts, own) for facts, own in played.values()),
        tuple(facts.name for facts in series if facts.name not in played),
        measure_effects(tuple(_pair_series(played))),
        tuple(_rate(played)),
        tuple(_calibrate(played)),
    )


def figures_as_data(value: Any) -> Any:
    """Return figures for JSON: dataclasses as objects, everything else as it is."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


_Played = Mapping[str, tuple[SeriesFacts, Tables]]


def _tables_of(tables: Tables, series: str) -> Tables:
    """Return the rows of one series, in the sequence of the games."""
    return {
        name: table.filter(polars.col("series") == series).sort("game", maintain_order=True)
        for name, table in tables.items()
    }


def _measure_series(facts: SeriesFacts, tables: Tables) -> SeriesFigures:
    games, seats = tables["games"], tables["seats"]
    powers = list_powers(seats)
    shares = matrix_of(seats, "share", powers)
    equality = check_equality(shares)
    provinces = list(facts.provinces or tables["provinces"]["province"].unique().sort().to_list())
    return SeriesFigures(
        name=facts.name,
        map=facts.map,
        base=facts.base,
        rules=facts.rules,
        games=games.height,
        planned=facts.planned,
        par=float(shares.sum()) / shares.size,
        decided=int((shares.sum(axis=1) > 0).sum()),
        few_decided=is_few(shares),
        fixed_bots=_has_fixed_bots(seats),
        powers=tuple(measure_powers(seats, number_years(tables["years"]), equality)),
        equality=equality,
        spread=estimate_spread(shares),
        sample=measure_sample(powers, shares),
        ways=count_ways(games),
        length=measure_length(games),
        curves=tuple(trace_powers(seats, tables["years"], games)),
        openings=tuple(measure_openings(seats)),
        starts=measure_starts(seats),
        provinces=measure_provinces(tables["provinces"], provinces, games.height),
        battles=measure_battles(games),
        rulings=tuple(measure_rulings(tables["rules"], games)),
        orders=tuple(measure_orders(tables["orders"], games)),
        bots=tuple(measure_bots(seats)),
    )


def is_few(shares: Numbers) -> bool:
    """Tell whether too few games had a winner to compare the powers by their victories."""
    return bool(shares.sum() < FEW * shares.shape[1])


def _has_fixed_bots(seats: polars.DataFrame) -> bool:
    """Tell whether the powers were played by different bots, not each by all of them in turn."""
    counts = seats.group_by("power", "bot").len()
    by_bot = counts.group_by("bot").agg(
        powers=polars.len(), least=polars.col("len").min(), most=polars.col("len").max()
    )
    powers = seats["power"].n_unique()
    return any(
        row["powers"] < powers or row["most"] - row["least"] > 1 for row in by_bot.to_dicts()
    )


def measure_sample(powers: Sequence[str], shares: Numbers) -> SampleFigures:
    """Return what a sample of this size allows to say, and what more games would."""
    games = len(shares)
    par = float(shares.sum()) / shares.size
    low, high = wilson_interval(par, games)
    variance = par * (1 - par)
    means = shares.mean(axis=0)
    order = [int(i) for i in np.argsort(-means, kind="stable")]
    gaps = [
        (float(means[a] - means[b]), a, b) for a, b in pairwise(order) if means[a] - means[b] > 1e-9
    ]
    gap, a, b = min(gaps, default=(0.0, -1, -1))
    return SampleFigures(
        margin=(high - low) / 2,
        point_games=games_for_margin(variance, 0.01),
        detectable=smallest_difference(variance, games),
        nearest=(powers[a], powers[b]) if gap else (),
        nearest_difference=gap,
        nearest_games=games_for_difference(float((shares[:, a] - shares[:, b]).var()), gap),
    )


def _pair_series(played: _Played) -> Iterator[PairedSeries]:
    """Yield every series whose base has results."""
    for facts, tables in played.values():
        if facts.base in played:
            _, base = played[facts.base]
            yield PairedSeries(
                facts.name,
                facts.base,
                facts.change,
                tables["games"],
                tables["seats"],
                base["games"],
                base["seats"],
            )


def _rate(played: _Played) -> Iterator[BotRating]:
    """Yield the ratings of the bots by map, over all series in which several kinds met."""
    for map_id in dict.fromkeys(facts.map for facts, _ in played.values()):
        yield from rate_bots(
            map_id,
            polars.concat(
                tables["seats"] for facts, tables in played.values() if facts.map == map_id
            ),
        )


def _calibrate(played: _Played) -> Iterator[Calibration]:
    """Yield the comparisons with people, of series in which no power had bots of its own."""
    for facts, tables in played.values():
        seats = tables["seats"]
        if not _has_fixed_bots(seats):
            powers = list_powers(seats)
            won = matrix_of(seats, "share", powers)
            held = share_rows(matrix_of(seats, "centres", powers))
            measures = {"centres": held} if is_few(won) else {"victories": won, "centres": held}
            for measure, shares in measures.items():
                yield from calibrate(facts.name, measure, facts.map, powers, shares)
