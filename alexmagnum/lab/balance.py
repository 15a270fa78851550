"""Measures the balance of a map and what its rules do, from the tables of results."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import resources
from itertools import pairwise, permutations
from math import sqrt
from pathlib import Path
from statistics import median

import numpy as np
import polars
from openskill.models import PlackettLuce
from scipy import stats

from alexmagnum.board.model import Board
from alexmagnum.errors import AlexMagnumError
from alexmagnum.i18n.sentences import load_tables
from alexmagnum.lab import balance_figures as parts
from alexmagnum.lab.plan import Series
from alexmagnum.lab.run import read_run, read_table

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


Pair = tuple[SeriesFacts, Tables, Tables]
"""What is known of a series, its tables, and those of its base."""


def measure_effects(pairs: Iterable[Pair]) -> tuple[parts.RuleEffect, ...]:
    """Return what each change did, with p-values adjusted for all powers and all changes."""
    effects = [effect for pair in pairs if (effect := _measure_effect(*pair)) is not None]
    powers = parts.adjust_for_many([power.p_value for effect in effects for power in effect.powers])
    years = parts.adjust_for_many([effect.years_p for effect in effects])
    rest = iter(powers)
    return tuple(
        replace(
            effect,
            powers=tuple(replace(power, p_value=next(rest)) for power in effect.powers),
            years_p=p_value,
        )
        for effect, p_value in zip(effects, years, strict=True)
    )


def _measure_effect(facts: SeriesFacts, own: Tables, base: Tables) -> parts.RuleEffect | None:
    """Return one effect with p-values that are not yet adjusted; None if no game has a partner."""
    common = (
        own["games"]
        .select("game", "seed", "years")
        .join(base["games"].select("game", "seed", "years"), on=("game", "seed"), suffix="_base")
        .sort("game")
    )
    if common.is_empty():
        return None
    seats, before = (
        tables["seats"].join(common.select("game"), on="game", how="semi") for tables in (own, base)
    )
    powers = [power for power in parts.list_powers(seats) if power in parts.list_powers(before)]
    won, base_won = (
        parts.matrix_of(seats, "share", powers),
        parts.matrix_of(before, "share", powers),
    )
    change = won - base_won
    held = parts.share_rows(parts.matrix_of(seats, "centres", powers))
    held -= parts.share_rows(parts.matrix_of(before, "centres", powers))
    years = (common["years"] - common["years_base"]).to_numpy()
    return parts.RuleEffect(
        series=facts.name,
        base=facts.base,
        change=facts.change,
        pairs=common.height,
        same=int((np.abs(change).sum(axis=1) < 1e-9).sum()),
        powers=tuple(
            parts.PowerEffect(
                power,
                parts.estimate_mean(change[:, i]),
                parts.estimate_mean(held[:, i]),
                parts.chance_of_mean(change[:, i]),
            )
            for i, power in enumerate(powers)
        ),
        years=parts.estimate_mean(years),
        years_p=parts.chance_of_mean(years),
        p_value=chance_of_means(change),
        spread=parts.estimate_spread(won),
        base_spread=parts.estimate_spread(base_won),
    )


def chance_of_means(differences: parts.Numbers) -> float | None:
    """Return Hotelling's p-value for all columns having mean 0 at once; None for too few games."""
    games = len(differences)
    covariance = np.atleast_2d(np.cov(differences, rowvar=False)) if games > 1 else np.zeros((1, 1))
    if not (rank := int(np.linalg.matrix_rank(covariance, tol=1e-9))) or games <= rank + 1:
        return None
    means = differences.mean(axis=0)
    distance = games * float(means @ np.linalg.pinv(covariance, rcond=1e-7) @ means)
    return float(stats.f.sf(distance * (games - rank) / (rank * (games - 1)), rank, games - rank))


# The figures of the games of one series: endings, length, battles, rulings, orders, provinces.


LIMIT, SHARED = "limit", "shared"
"""Ways to end: at the limit of years without a winner; a victory of several powers."""


def list_ways(games: polars.DataFrame) -> list[str]:
    """Return how each game ended, in the sequence of the table."""
    return [
        SHARED if len(winners) > 1 else victory or LIMIT
        for victory, winners in zip(
            games["victory"].to_list(), games["winners"].to_list(), strict=True
        )
    ]


def count_ways(games: polars.DataFrame) -> tuple[parts.WayCount, ...]:
    """Return the ways in which the games ended, the commonest first."""
    ways = list_ways(games)
    return tuple(
        parts.WayCount(way, count, parts.estimate_share([float(one == way) for one in ways]))
        for way, count in sorted(Counter(ways).items(), key=lambda c: (-c[1], c[0]))
    )


def measure_length(games: polars.DataFrame) -> parts.LengthFigures:
    """Return how long the games were."""
    years = games["years"]
    ended: dict[str, Counter[int]] = defaultdict(Counter)
    for way, year in zip(list_ways(games), years.to_list(), strict=True):
        ended[way][year] += 1
    return parts.LengthFigures(
        years=parts.estimate_mean(years.to_numpy()),
        phases=parts.estimate_mean(games["phases"].to_numpy()),
        median=float(median(years.to_list())),
        shortest=min(years.to_list()),
        longest=max(years.to_list()),
        ended={way: dict(sorted(counts.items())) for way, counts in sorted(ended.items())},
    )


def measure_rulings(
    rules: polars.DataFrame, games: polars.DataFrame
) -> Iterator[parts.RuleFigures]:
    """Yield how often each ruling decided something; games that do not list it had none."""
    wide = games.select("game")
    names = rules["ruling"].unique().to_list()
    # R9 stands before R11, and that before R11a.
    names.sort(key=lambda name: (int("".join(filter(str.isdigit, name)) or 0), name))
    for ruling in names:
        own = rules.filter(polars.col("ruling") == ruling).select("game", "times")
        times = wide.join(own, on="game", how="left")["times"].fill_null(0).to_numpy()
        yield parts.RuleFigures(
            ruling, parts.estimate_mean(times), parts.estimate_share((times > 0).astype(float))
        )


def measure_orders(
    orders: polars.DataFrame, games: polars.DataFrame
) -> Iterator[parts.OrderFigures]:
    """Yield the orders of every kind: given in a game, and the share that was successful."""
    sums = orders.group_by("kind", "game").agg(
        polars.col("given").sum(), polars.col("successful").sum()
    )
    kinds = (
        sums.group_by("kind")
        .agg(polars.col("given").sum())
        .sort(["given", "kind"], descending=[True, False])
    )
    for kind in kinds["kind"].to_list():
        own = games.select("game").join(
            sums.filter(polars.col("kind") == kind), on="game", how="left"
        )
        given = own["given"].fill_null(0).to_numpy()
        successful = own["successful"].fill_null(0).to_numpy()
        yield parts.OrderFigures(
            kind, parts.estimate_mean(given), parts.estimate_ratio(successful, given)
        )


def measure_provinces(
    provinces: polars.DataFrame, listed: list[str], games: int
) -> tuple[parts.ProvinceFigures, ...]:
    """Return the use of every province that is ``listed``, also of those that never were used."""
    entries, battles = polars.col("entries"), polars.col("battles")
    sums = provinces.group_by("province").agg(
        entries.sum(), battles.sum(), (entries > 0).sum().alias("used")
    )
    found = {province: figures for province, *figures in sums.iter_rows()}
    return tuple(
        parts.ProvinceFigures(
            province, *(figure / games for figure in found.get(province, (0, 0, 0)))
        )
        for province in listed
    )


def measure_bots(seats: polars.DataFrame) -> Iterator[parts.BotFigures]:
    """Yield the bots of a series by their share of the victories, the strongest first; several
    seats of a bot in one game are one observation."""
    totals = parts.add_held(seats)
    found = []
    for bot in sorted(seats["bot"].unique().to_list()):
        own = totals.filter(polars.col("bot") == bot)
        games = own.group_by("game", maintain_order=True).agg(
            polars.col("share").sum(), polars.col("held").sum(), seats=polars.len()
        )
        faults = own.filter(polars.col("forfeits") > 0)
        texts = [text for text in faults.sort("game")["fault"].to_list() if text]
        found.append(
            parts.BotFigures(
                bot,
                seats=own.height,
                victories=parts.estimate_share(games["share"].to_numpy(), games["seats"].to_list()),
                centre_share=parts.estimate_ratio(
                    games["held"].to_numpy(), games["seats"].to_numpy()
                ),
                forfeits=int(own["forfeits"].sum()),
                fault_games=faults["game"].n_unique(),
                fault=texts[0] if texts else "",
            )
        )
    yield from sorted(found, key=lambda figures: -figures.victories.value)


# Ratings of bots by OpenSkill, from games in which several kinds of bots met.


def rate_bots(map_id: str, seats: polars.DataFrame) -> Iterator[parts.BotRating]:
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
        yield parts.BotRating(bot, map_id, mean, deviation, games[bot])


def _ranks(rows: polars.DataFrame) -> list[float]:
    """Return the ranks of the seats of a game, 0 for the best; equals share one."""
    lived = [year is None for year in rows["eliminated"].to_list()]
    scores = list(zip(rows["share"].to_list(), rows["centres"].to_list(), lived, strict=True))
    order = sorted(set(scores), reverse=True)
    return [float(order.index(score)) for score in scores]


# Calibration: does the lab rank the powers of a map as the games of people did?


POOLED = "pooled"
"""The id of all sources that state victories, taken together."""

DRAWS = 2000
"""The resamplings of a bootstrap."""


def load_human_rates(map_id: str) -> tuple[parts.HumanRates, ...]:
    """Return what is known of people's games on a map; several sources also taken together."""
    (table,) = load_tables([resources.files("alexmagnum.lab").joinpath("human_rates.toml")])
    found = {key: dict(entry) for key, entry in table.items()}
    sources = [
        parts.HumanRates(source=key, **entry)
        for key, entry in found.items()
        if entry.pop("map") == map_id
    ]
    if len(counted := [source for source in sources if source.wins]) < 2:
        return tuple(sources)
    games, decided = (sum(getattr(s, part) for s in counted) for part in ("games", "decided"))
    wins = {power: sum(source.wins[power] for source in counted) for power in counted[0].wins}
    return parts.HumanRates(
        POOLED, title={}, where="", games=games, decided=decided, wins=wins
    ), *sources


def calibrate(
    series: str, measure: str, map_id: str, powers: Sequence[str], shares: parts.Numbers
) -> Iterator[parts.Calibration]:
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
        theirs = np.broadcast_to(people, (DRAWS, len(people)))  # an order alone stays as it is
        if source.wins:
            total = int(people.sum())
            theirs = rng.multinomial(total, people / total, DRAWS).astype(float)
        found = shares.mean(axis=0)
        spearman, kendall = (
            parts.estimate_from_draws(
                float(correlate(found[None], people[None])[0]), correlate(mine, theirs), games
            )
            for correlate in (_spearman, _kendall)
        )
        chance = _chance_of_agreement(found, people)
        yield parts.Calibration(series, measure, source, spearman, kendall, chance)


def _standings(source: parts.HumanRates, powers: Sequence[str]) -> parts.Numbers | None:
    """Return a number for each power, the higher the better; None if the source lacks a power."""
    ranked: Mapping[str, float] = source.wins or {p: -rank for p, rank in source.ranks.items()}
    if any(power not in ranked for power in powers):
        return None
    return np.array([ranked[power] for power in powers], dtype=float)


def _spearman(ones: parts.Numbers, others: parts.Numbers) -> parts.Numbers:
    a, b = (stats.rankdata(rows, axis=1) for rows in (ones, others))
    return _cosines(a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True))


def _kendall(ones: parts.Numbers, others: parts.Numbers) -> parts.Numbers:
    i, j = np.triu_indices(ones.shape[1], 1)
    a, b = (np.sign(rows[:, i] - rows[:, j]) for rows in (ones, others))
    return _cosines(a, b)


def _cosines(a: parts.Numbers, b: parts.Numbers) -> parts.Numbers:
    sizes = np.sqrt(np.square(a).sum(axis=1) * np.square(b).sum(axis=1))
    products: parts.Numbers = (a * b).sum(axis=1)
    cosines: parts.Numbers = np.divide(
        products, sizes, out=np.zeros_like(products), where=sizes > 0
    )
    return cosines


def _chance_of_agreement(one: parts.Numbers, other: parts.Numbers) -> float:
    """Return the share of all orders of the powers that agree at least as well (Spearman)."""
    ranks = stats.rankdata(one)
    products = np.array(list(permutations(stats.rankdata(other)))) @ ranks
    return float(np.mean(products >= stats.rankdata(other) @ ranks - 1e-9))


# Measures the balance of a map and what its rules do, from the tables of results.


def measure_balance(tables: Tables, series: Sequence[SeriesFacts]) -> parts.BalanceFigures:
    """Return all figures of the series that have at least one game."""
    played: dict[str, tuple[SeriesFacts, Tables]] = {}
    for facts in series:
        own: Tables = {
            name: table.filter(polars.col("series") == facts.name).sort("game", maintain_order=True)
            for name, table in tables.items()
        }
        if not own["games"].is_empty():
            played[facts.name] = facts, own
    of_map: dict[str, list[polars.DataFrame]] = {}
    for facts, one in played.values():
        of_map.setdefault(facts.map, []).append(one["seats"])
    rated = (rate_bots(map_id, polars.concat(seats)) for map_id, seats in of_map.items())
    return parts.BalanceFigures(
        tuple(_measure_series(facts, own) for facts, own in played.values()),
        tuple(facts.name for facts in series if facts.name not in played),
        measure_effects(
            (facts, own, played[facts.base][1])
            for facts, own in played.values()
            if facts.base in played
        ),
        tuple(rating for ratings in rated for rating in ratings),
        tuple(found for facts, own in played.values() for found in _calibrate(facts, own["seats"])),
    )


def _measure_series(facts: SeriesFacts, tables: Tables) -> parts.SeriesFigures:
    games, seats = tables["games"], tables["seats"]
    battles, at_sea = games["battles"].to_numpy(), games["sea_battles"].to_numpy()
    powers = parts.list_powers(seats)
    shares = parts.matrix_of(seats, "share", powers)
    equality = parts.check_equality(shares)
    provinces = list(facts.provinces or tables["provinces"]["province"].unique().sort().to_list())
    return parts.SeriesFigures(
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
        powers=tuple(parts.measure_powers(seats, parts.number_years(tables["years"]), equality)),
        equality=equality,
        spread=parts.estimate_spread(shares),
        sample=measure_sample(powers, shares),
        ways=count_ways(games),
        length=measure_length(games),
        curves=tuple(parts.trace_powers(seats, tables["years"], games)),
        openings=tuple(parts.measure_openings(seats)),
        starts=parts.measure_starts(seats),
        provinces=measure_provinces(tables["provinces"], provinces, games.height),
        battles=parts.BattleFigures(
            parts.estimate_mean(battles),
            parts.estimate_mean(at_sea),
            parts.estimate_ratio(at_sea, battles),
        ),
        rulings=tuple(measure_rulings(tables["rules"], games)),
        orders=tuple(measure_orders(tables["orders"], games)),
        bots=tuple(measure_bots(seats)),
    )


def is_few(shares: parts.Numbers) -> bool:
    """Tell whether too few games had a winner to compare the powers by their victories."""
    return bool(shares.sum() < parts.FEW * shares.shape[1])


def _has_fixed_bots(seats: polars.DataFrame) -> bool:
    counts = seats.group_by("power", "bot").len()
    by_bot = counts.group_by("bot").agg(
        powers=polars.len(), least=polars.col("len").min(), most=polars.col("len").max()
    )
    powers = seats["power"].n_unique()
    return any(
        row["powers"] < powers or row["most"] - row["least"] > 1 for row in by_bot.to_dicts()
    )


def measure_sample(powers: Sequence[str], shares: parts.Numbers) -> parts.SampleFigures:
    """Return what a sample of this size allows to say, and what more games would."""
    games = len(shares)
    par = float(shares.sum()) / shares.size
    low, high = parts.wilson_interval(par, games)
    variance = par * (1 - par)
    means = shares.mean(axis=0)
    order = [int(i) for i in np.argsort(-means, kind="stable")]
    gaps = [
        (float(means[a] - means[b]), a, b) for a, b in pairwise(order) if means[a] - means[b] > 1e-9
    ]
    gap, a, b = min(gaps, default=(0.0, -1, -1))
    return parts.SampleFigures(
        margin=(high - low) / 2,
        point_games=parts.games_for_margin(variance, 0.01),
        detectable=parts.smallest_difference(variance, games),
        nearest=(powers[a], powers[b]) if gap else (),
        nearest_difference=gap,
        nearest_games=parts.games_for_difference(float((shares[:, a] - shares[:, b]).var()), gap),
    )


def _calibrate(facts: SeriesFacts, seats: polars.DataFrame) -> Iterator[parts.Calibration]:
    if not _has_fixed_bots(seats):
        powers = parts.list_powers(seats)
        won = parts.matrix_of(seats, "share", powers)
        held = parts.share_rows(parts.matrix_of(seats, "centres", powers))
        measures = {"centres": held} if is_few(won) else {"victories": won, "centres": held}
        for measure, shares in measures.items():
            yield from calibrate(facts.name, measure, facts.map, powers, shares)


# Reads a folder of results for a balance report, finished or not.


def read_balance(
    folder: Path, names: Sequence[str] = ()
) -> tuple[parts.BalanceFigures, Mapping[str, Board]]:
    """Measure the series of a folder of results, or those named and their bases.

    Return their figures and, by series, the boards; a series whose map cannot be loaded any more
    has none.

    Raises:
        AlexMagnumError: ``lab-no-games``, ``lab-no-such-series``.
    """
    chosen = _choose_series(read_run(folder).plan.series, names)
    boards: dict[str, Board] = {}
    for series in chosen:
        with suppress(AlexMagnumError):
            boards[series.name] = series.load_board(folder)
    tables = {"games": read_table(folder, "games")}
    keys = tables["games"].select("series", "game")
    for table in ("seats", "years", "orders", "provinces", "rules"):
        tables[table] = read_table(folder, table).join(
            keys, on=["series", "game"], how="semi", maintain_order="left"
        )
    facts = [_list_facts(one, chosen, boards.get(one.name)) for one in chosen]
    if not (figures := measure_balance(tables, facts)).series:
        raise AlexMagnumError("lab-no-games", path=str(folder))
    return figures, boards


def _choose_series(series: Sequence[Series], names: Sequence[str]) -> list[Series]:
    by_name = {one.name: one for one in series}
    for name in names:
        if name not in by_name:
            raise AlexMagnumError("lab-no-such-series", series=name, known=", ".join(by_name))
    wanted = {*names, *(by_name[name].base for name in names)}
    return [one for one in series if not names or one.name in wanted]


def _list_facts(series: Series, chosen: Sequence[Series], board: Board | None) -> SeriesFacts:
    base = next((one for one in chosen if one.name == series.base), None)
    changes: dict[str, str] = {}
    if base is not None:
        changes = {} if series.map == base.map else {"map": Path(series.map).stem}
        for key, value in series.rules.items():
            if base.rules.get(key) != value:
                changes[key] = str(value)
    return SeriesFacts(
        name=series.name,
        map=series.map,
        base=series.base,
        rules={key: str(value) for key, value in series.rules.items()},
        change=changes,
        planned=series.games,
        provinces=tuple(board.provinces) if board is not None else (),
    )
