"""Tables of results of games that were never played: shares drawn by chance, all else made up."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars
from numpy.typing import NDArray

from alexmagnum.lab.game import TABLES, make_frame

POWERS = ("SEL", "TOL", "LIS", "AUT", "CAS", "CAN")
YEARS = 3


def draw_shares(
    games: int, chances: Sequence[float], seed: int, shared: float = 0.0
) -> NDArray[np.float64]:
    """Return the shares of games by chance, a row a game; two powers share a part of them.  The
    smallest of waiting times wins, each with the chance of its power."""
    rng = np.random.default_rng(seed)
    waits = rng.exponential(1 / np.asarray(chances, dtype=float), (games, len(chances)))
    order = waits.argsort(axis=1)
    shares = np.zeros(waits.shape)
    both = rng.random(games) < shared
    rows = np.arange(games)
    shares[rows, order[:, 0]] = np.where(both, 0.5, 1.0)
    shares[rows[both], order[both, 1]] = 0.5
    return shares


def draw_winners(games: int, chances: Sequence[float], seed: int) -> list[tuple[int, ...]]:
    """Return the winners of games by number, one to each game."""
    return [(int(i),) for i in draw_shares(games, chances, seed).argmax(axis=1)]


def make_results(
    winners: Sequence[tuple[int, ...]],
    series: str = "base",
    powers: Sequence[str] = POWERS,
    bots: Sequence[Sequence[str]] = (),
) -> dict[str, polars.DataFrame]:
    """Return the tables of a series of games with these winners; nobody wins where there are none.

    The first winner ends with 12 centres, everybody else with 4; the last power is eliminated in
    the second year of every other game that it does not win.  ``bots`` are those of each game.
    """
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table in TABLES}
    for number, won in enumerate(winners, 1):
        key = {"series": series, "game": number}
        seats = bots[number - 1] if bots else ["dumb"] * len(powers)
        rows["games"].append(_game_row(key, number, [powers[i] for i in won]))
        for i, power in enumerate(powers):
            fallen = number % 2 == 0 and i == len(powers) - 1 and i not in won
            centres = 0 if fallen else 12 if won[:1] == (i,) else 4
            seat = {**key, "power": power}
            rows["seats"].append(
                {
                    **seat,
                    "bot": seats[i],
                    "share": 1 / len(won) if i in won else 0.0,
                    "centres": centres,
                    "nobility": 10,
                    "start": ["ATE", "ALE", "BIS", "TIR", "PEL", "LAH"][i : i + 1],
                    "eliminated": 321 if fallen else None,
                    "first_contact": 322,
                    "opening": f"A MEN - TEB {number % 2}",
                    "forfeits": 0,
                    "fault": "",
                }
            )
            for year in range(1, YEARS + 1):
                held = 4 if year < YEARS else centres
                rows["years"].append(
                    {
                        **seat,
                        "year": 323 - year,
                        "number": year,
                        "centres": held,
                        "units": held,
                        "nobility": 10,
                    }
                )
            rows["orders"].append({**seat, "kind": "move", "given": 10, "successful": 6})
        rows["provinces"] += [
            {**key, "province": "MEN", "entries": 2, "battles": 1},
            {**key, "province": "SCI", "entries": 0, "battles": 0},
        ]
        rows["rules"] += [
            {**key, "ruling": "R13", "times": number % 2},
            {**key, "ruling": "R9", "times": 0},
        ]
        rows["timings"].append({**key, "bot_seconds": 1.0, "judge_seconds": 1.0, "seconds": 2.0})
    return {table: make_frame(table, listed) for table, listed in rows.items()}


def _game_row(key: dict[str, Any], number: int, winners: list[str]) -> dict[str, Any]:
    return {
        **key,
        "seed": 1000 + number,
        "map": "alexmagnum",
        "victory": "centres" if len(winners) == 1 else "nobility" if winners else "",
        "winners": winners,
        "phases": 12,
        "years": YEARS,
        "last_phase": "320-autumn",
        "battles": 20,
        "sea_battles": 5,
    }


def join_results(*results: dict[str, polars.DataFrame]) -> dict[str, polars.DataFrame]:
    """Return the tables of several series as one folder has them."""
    return {table: polars.concat(own[table] for own in results) for table in results[0]}
