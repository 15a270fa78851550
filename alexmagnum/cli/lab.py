"""``lab``: thousands of games by bots on this machine or a cluster, and what they show."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from alexmagnum.cli.output import lang_option, print_json, style
from alexmagnum.cli.progress import ProgressBar
from alexmagnum.errors import AlexMagnumError
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.slow_work import show_progress_to

if TYPE_CHECKING:
    from alexmagnum.lab.run import Summary

PATH = click.Path(path_type=Path)

LIBRARIES = ("dask", "distributed", "matplotlib", "openskill", "polars", "scipy")
"""The libraries of the extra without which no command of the lab works."""

_LATER: Mapping[str, str] = {"report": "alexmagnum.cli.lab_report"}
"""The commands with a module of their own, imported when they are called."""

_MINUTE = 60.0


class _LabCommands(click.Group):
    """The commands of ``lab``; those of other modules are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *_LATER])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _LATER:
            command = getattr(importlib.import_module(_LATER[cmd_name]), cmd_name)
            assert isinstance(command, click.Command)
            return command
        return super().get_command(ctx, cmd_name)


@click.group(cls=_LabCommands)
def lab() -> None:
    """Play thousands of games by bots: is this map fair, and what does each rule do?

    \b
    Example:
      alexmagnum lab run plans/small.toml -o results
      alexmagnum lab report results -o report.html
      alexmagnum lab replay results default 1 -o game
    """


def require_libraries() -> None:
    """Refuse to work without the libraries of the extra.

    Raises:
        AlexMagnumError: ``lab-unavailable``.
    """
    lacking = [name for name in LIBRARIES if find_spec(name) is None]
    if lacking:
        raise AlexMagnumError("lab-unavailable", libraries=", ".join(lacking))


@lab.command()
@click.argument("plan", type=PATH)
@click.option("-o", "--out", "folder", type=PATH, required=True, help="The folder of the results.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    help="How many processes play on this machine (default: one for each core).",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Play on a Dask cluster instead: the address of its scheduler, as tcp://10.0.0.1:8786.",
)
@click.option("--anew", is_flag=True, help="Delete the results in the folder and begin again.")
@click.option("--json", "as_json", is_flag=True, help="For machines: see docs/lab.md.")
@lang_option
def run(
    plan: Path,
    folder: Path,
    workers: int | None,
    scheduler: str | None,
    anew: bool,
    as_json: bool,
    sentences: Sentences,
) -> None:
    """Play the games of a plan, and write their results as Parquet tables.

    PLAN is a TOML file that names maps, switches of the rules, bots by seat, numbers of games and
    seeds (docs/lab.md).  The same plan gives the same tables on any number of processes.  If a run
    is interrupted, the same command goes on where it was.  With more games in the plan, it plays
    the new ones.

    \b
    Example:
      alexmagnum lab run plans/small.toml -o results
      alexmagnum lab run plans/small.toml -o results --scheduler tcp://10.0.0.1:8786
    """
    if workers and scheduler:
        raise click.UsageError("--workers is for this machine: leave it out with --scheduler.")
    require_libraries()
    from alexmagnum.lab.plan_reader import read_plan
    from alexmagnum.lab.run import run_plan

    read = read_plan(plan)
    progress = _Progress(sentences)
    try:
        summary = run_plan(
            read,
            folder,
            anew=anew,
            workers=workers or 0,
            scheduler=scheduler or "",
            show=progress.show,
        )
    except KeyboardInterrupt:
        progress.end()
        click.echo(sentences.format("lab-interrupted", path=folder), err=True)
        sys.exit(130)
    finally:
        progress.end()
    faults = _list_faults(folder)
    if as_json:
        print_json(_summary_json(summary, faults))
    else:
        _print_summary(summary, faults, folder, sentences)
    if summary.failed:
        sys.exit(1)


class _Progress:
    """Shows the progress of a run: a bar on a terminal, else a line every minute."""

    def __init__(self, sentences: Sentences) -> None:
        self._sentences = sentences
        self._bar = ProgressBar("lab-progress", sentences)
        self._begun = self._last_shown = monotonic()

    def show(self, done: int, total: int) -> None:
        """Show that ``done`` games of ``total`` are played."""
        if sys.stderr.isatty():
            self._bar.show(done / total)
            return
        now = monotonic()
        if done and now - self._last_shown >= _MINUTE:
            self._last_shown = now
            left = (now - self._begun) / done * (total - done)
            hours, minutes = divmod(round(left / _MINUTE), 60)
            text = self._sentences.format(
                "lab-progress-line", done=done, total=total, left=f"{hours}:{minutes:02}"
            )
            click.echo(text, err=True)

    def end(self) -> None:
        self._bar.end()


Fault = tuple[str, str, int, str]
"""A series, a bot, the orders that it forfeited there, and the text of the first fault."""


def _list_faults(folder: Path) -> list[Fault]:
    """Return the bots that forfeited orders, with the first fault of each in each series."""
    from alexmagnum.lab.results import read_table

    faults: dict[tuple[str, str], tuple[int, str]] = {}
    seats = read_table(folder, "seats").select("series", "bot", "forfeits", "fault")
    for series, bot, forfeits, fault in seats.iter_rows():
        if forfeits:
            before, first = faults.get((series, bot), (0, fault))
            faults[series, bot] = before + forfeits, first
    return [(*key, *value) for key, value in faults.items()]


def _print_summary(
    summary: Summary, faults: list[Fault], folder: Path, sentences: Sentences
) -> None:
    done = summary.before + summary.played
    click.echo(
        style(sentences.format("lab-done", path=folder, done=done, new=summary.played), bold=True)
    )
    for series, bot, forfeits, fault in faults:
        text = sentences.format(
            "lab-forfeits", series=series, bot=bot, forfeits=forfeits, fault=fault
        )
        click.echo(style(text, "yellow"))
    for (series, number), why in sorted(summary.failed.items()):
        text = sentences.format("lab-game-failed", series=series, game=number, why=why)
        click.echo(style(text, "red"))


def _summary_json(summary: Summary, faults: list[Fault]) -> dict[str, object]:
    return {
        "games": summary.before + summary.played,
        "played_now": summary.played,
        "forfeits": [
            {"series": series, "bot": bot, "orders": forfeits, "fault": fault}
            for series, bot, forfeits, fault in faults
        ],
        "failed": [
            {"series": series, "game": number, "why": why}
            for (series, number), why in sorted(summary.failed.items())
        ],
    }


@lab.command()
@click.argument("results", type=PATH)
@click.argument("series")
@click.argument("game", type=click.IntRange(1))
@click.option("-o", "--out", "folder", type=PATH, required=True, help="The new game's folder.")
@lang_option
def replay(results: Path, series: str, game: int, folder: Path, sentences: Sentences) -> None:
    """Play a game of the lab again, into a folder that all commands for games open.

    RESULTS is the folder of a run, SERIES and GAME the series and the number of the game.  The game
    is played from its seed and compared with its rows in the tables.  Every bot's orders come
    as those of a player, so that 'publish', 'history', 'report' and 'map draw' show everything.

    \b
    Example:
      alexmagnum lab replay results default 1 -o game
      alexmagnum publish game site --gm
    """
    require_libraries()
    from alexmagnum.workflow.lab_replay import replay_game

    bar = ProgressBar("lab-progress-replay", sentences)
    with show_progress_to(bar.show), replay_game(results, series, game, folder, sentences.lang):
        pass
    bar.end()
    text = sentences.format("lab-replayed", series=series, game=game, path=folder)
    click.echo(style(text, bold=True))
