"""Ratings of bots by OpenSkill, from games in which several kinds of bots met."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import sqrt

import polars
from openskill.models import PlackettLuce

from alexmagnum.lab.balance_figures import BotRating


def rate_bots(map_id: str, seats: polars.DataFrame) -> Iterator[BotRating]:
    """Yield the ratings of the bots of one map's games, the best first.

    Every seat is a team of its own, ranked by its share of the victory, then by its centres, then
    by how long it lived.  Where a bot has several seats, its rating after the game is the mean of
    theirs.  The games count in the sequence of their rows.
    """
    mixed = seats.filter(polars.col("bot").n_unique().over("series", "game") > 1)
    model = PlackettLuce()
    ratings: dict[str, tuple[float, float]] = {}
    games: dict[str, int] = defaultdict(int)
    start = model.rating()
    for _, rows in mixed.group_by("series", "game", maintain_order=True):
        bots = rows["bot"].to_list()
        teams = [[model.rating(*ratings.get(bot, (start.mu, start.sigma)))] for bot in bots]
        after: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for bot, (rating,) in zip(bots, model.rate(teams, ranks=_ranks(rows)), strict=True):
            after[bot].append((rating.mu, rating.sigma))
        for bot, seen in after.items():
            ratings[bot] = (
                sum(mean for mean, _ in seen) / len(seen),
                sqrt(sum(deviation**2 for _, deviation in seen) / len(seen)),
            )
            games[bot] += 1
    for bot, (mean, deviation) in sorted(ratings.items(), key=lambda item: -item[1][0]):
        yield BotRating(bot, map_id, mean, deviation, games[bot])


def _ranks(rows: polars.DataFrame) -> list[float]:
    """Return the ranks of the seats of a game, 0 for the best; equals share one."""
    lived = [year is None for year in rows["eliminated"].to_list()]
    scores = list(zip(rows["share"].to_list(), rows["centres"].to_list(), lived, strict=True))
    order = sorted(set(scores), reverse=True)
    return [float(order.index(score)) for score in scores]
