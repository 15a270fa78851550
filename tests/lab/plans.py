"""Small plans for the tests of the lab, and games of them played without a cluster."""

import pickle
import shutil
import sys
from pathlib import Path

from alexmagnum.lab.game import Match, Rows, play_match_game
from alexmagnum.lab.plan import Plan, identify, modules_in, parse_plan
from alexmagnum.lab.run import BatchTask, ResultFolder, open_results, play_batch

OWN_BOTS = Path(__file__).with_name("own_bots.py")

SMALL = """
map = "standard"
seats = "dumb"
games = 4
seed = 7
years = 2

[series.standard]

[series.easy]
base = "standard"
rules = { victory_centres = 5 }
"""
"""Eight games on the standard map, each of two years, in two series that are compared."""


def make_plan(text: str, folder: Path) -> Plan:
    """Return the plan of a text; the bots that fail lie in its folder."""
    shutil.copy(OWN_BOTS, folder)
    sys.modules.pop(OWN_BOTS.stem, None)  # of a folder that is gone
    return parse_plan(text, "plan.toml", folder)


def make_match(plan: Plan, name: str = "") -> Match:
    """Return what a series of a plan needs to be played, by default the first."""
    series = next(s for s in plan.series if name in ("", s.name))
    return Match(series, series.load_board(plan.folder), plan.turn_seconds)


def play_one(plan: Plan, number: int = 1, name: str = "") -> dict[str, Rows]:
    """Play a game of a series of a plan and return its rows without the times."""
    with modules_in(plan.modules):
        rows = play_match_game(make_match(plan, name), number)
    del rows["timings"]
    return rows


def play_here(results: ResultFolder, plan: Plan, name: str, numbers: tuple[int, ...]) -> None:
    """Play some games of a series in this process and store them as one batch."""
    code = identify((), str(plan.modules)).code
    match = pickle.dumps(make_match(plan, name))
    results.add(play_batch(BatchTask(name, match, numbers, code, str(plan.modules))))


def play_all_here(plan: Plan, folder: Path) -> None:
    """Play all games of a plan in this process, each series in one batch."""
    with open_results(folder, plan, identify(plan.bots, str(plan.modules))) as results:
        for series in plan.series:
            play_here(results, plan, series.name, tuple(range(1, series.games + 1)))
        results.merge()


def read_tables(folder: Path) -> dict[str, bytes]:
    """Return the files of all tables in a folder but that of the times."""
    files = {path.name: path.read_bytes() for path in folder.glob("*.parquet")}
    del files["timings.parquet"]
    return files
