"""What a changed switch or map does: a series against its base, game by game with the same seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars
from scipy import stats

from alexmagnum.lab.balance_figures import PowerEffect, RuleEffect
from alexmagnum.lab.equality import estimate_spread
from alexmagnum.lab.intervals import Numbers, adjust_for_many, chance_of_mean, estimate_mean
from alexmagnum.lab.power_figures import list_powers, matrix_of, share_rows


@dataclass(frozen=True, slots=True)
class PairedSeries:
    """The games and seats of a series and of its base, and the ``change`` between them."""

    name: str
    base: str
    change: Mapping[str, str]
    games: polars.DataFrame
    seats: polars.DataFrame
    base_games: polars.DataFrame
    base_seats: polars.DataFrame


def measure_effects(pairs: Sequence[PairedSeries]) -> tuple[RuleEffect, ...]:
    """Return what each change did, with p-values adjusted for all powers and all changes."""
    effects = [effect for pair in pairs if (effect := _measure_effect(pair)) is not None]
    powers = adjust_for_many([power.p_value for effect in effects for power in effect.powers])
    years = adjust_for_many([effect.years_p for effect in effects])
    rest = iter(powers)
    return tuple(
        replace(
            effect,
            powers=tuple(replace(power, p_value=next(rest)) for power in effect.powers),
            years_p=p_value,
        )
        for effect, p_value in zip(effects, years, strict=True)
    )


def _measure_effect(pair: PairedSeries) -> RuleEffect | None:
    """Return one effect with p-values that are not yet adjusted; None if no game has a partner."""
    common = (
        pair.games.select("game", "seed", "years")
        .join(pair.base_games.select("game", "seed", "years"), on=("game", "seed"), suffix="_base")
        .sort("game")
    )
    if common.is_empty():
        return None
    seats = pair.seats.join(common.select("game"), on="game", how="semi")
    base = pair.base_seats.join(common.select("game"), on="game", how="semi")
    powers = [power for power in list_powers(seats) if power in list_powers(base)]
    won, base_won = matrix_of(seats, "share", powers), matrix_of(base, "share", powers)
    change = won - base_won
    held = share_rows(matrix_of(seats, "centres", powers))
    held -= share_rows(matrix_of(base, "centres", powers))
    years = (common["years"] - common["years_base"]).to_numpy()
    return RuleEffect(
        series=pair.name,
        base=pair.base,
        change=pair.change,
        pairs=common.height,
        same=int((np.abs(change).sum(axis=1) < 1e-9).sum()),
        powers=tuple(
            PowerEffect(
                power,
                estimate_mean(change[:, i]),
                estimate_mean(held[:, i]),
                chance_of_mean(change[:, i]),
            )
            for i, power in enumerate(powers)
        ),
        years=estimate_mean(years),
        years_p=chance_of_mean(years),
        p_value=chance_of_means(change),
        spread=estimate_spread(won),
        base_spread=estimate_spread(base_won),
    )


def chance_of_means(differences: Numbers) -> float | None:
    """Return the p-value of Hotelling's test: differences of all columns have mean 0 at once.

    None if there are too few games for it.
    """
    games = len(differences)
    covariance = np.atleast_2d(np.cov(differences, rowvar=False)) if games > 1 else np.zeros((1, 1))
    rank = int(np.linalg.matrix_rank(covariance, tol=1e-9))
    if not rank or games <= rank + 1:
        return None
    means = differences.mean(axis=0)
    distance = games * float(means @ np.linalg.pinv(covariance, rcond=1e-7) @ means)
    ratio = distance * (games - rank) / (rank * (games - 1))
    return float(stats.f.sf(ratio, rank, games - rank))
