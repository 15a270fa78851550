"""The command ``lab``: thousands of games by bots, and the report on them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from alexmagnum.cli.base import ProgressBar, print_json, style
from alexmagnum.cli.shared import Group
from alexmagnum.errors import AlexMagnumError
from alexmagnum.files import write_whole
from alexmagnum.i18n.sentences import Sentences

if TYPE_CHECKING:
    from alexmagnum.lab.balance_figures import BalanceFigures
    from alexmagnum.lab.run import Summary


# ``lab``: thousands of games by bots on this machine or a cluster, and what they show.


PATH = click.Path(path_type=Path)

LIBRARIES = ("dask", "distributed", "matplotlib", "openskill", "polars", "scipy")
"""The libraries of the extra without which no command of the lab works."""

_MINUTE = 60.0


@click.group(cls=Group)
def lab() -> None:
    """Play thousands of games by bots: is this map fair, and what does each rule do?

    \b
    Example:
      alexmagnum lab run plans/small.toml -o results
      alexmagnum lab report results -o report.html
      alexmagnum new game --replay results default 1
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
    from alexmagnum.lab.plan import read_plan
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
    from alexmagnum.lab.run import read_table

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


# ``lab report``: the report on a folder of results, as a page, as Markdown or for machines.


ENDINGS = (".html", ".htm", ".md")
"""The endings that the file of a report may have."""


@lab.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    help="The file: a page if it ends in .html, tables and verdict if it ends in .md.",
)
@click.option(
    "--series",
    "names",
    multiple=True,
    metavar="NAME",
    help="Only this series, with the one it is compared with; may be given several times.",
)
def report(
    folder: Path, out: Path | None, names: tuple[str, ...], as_json: bool, sentences: Sentences
) -> None:
    """Report on the results of a run: is the map fair, and what does each rule do?

    FOLDER is the folder that 'lab run' wrote.  If the run is not finished, the report is on the
    games played so far.  The page has plots, a map and a verdict in words, and needs no network.

    \b
    Example:
      alexmagnum lab report results -o report.html
      alexmagnum lab report results -o report.md --lang it
      alexmagnum lab report results --series default --json
    """
    if out is None and not as_json:
        raise click.UsageError("say where to with -o FILE.html or FILE.md, or ask for --json")
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise click.UsageError(f"--out names a file that ends in .html or .md, not {out.name}")

    require_libraries()
    from alexmagnum.lab.balance import figures_as_data, read_balance

    figures, boards = read_balance(folder, names)
    if out is not None:
        from alexmagnum.report.balance import compose_balance_report, render_balance_report

        composed = compose_balance_report(figures, boards, sentences)
        write_whole(out, render_balance_report(composed, out.suffix.lower()))
    if as_json:
        print_json(figures_as_data(figures))
        return
    for line in _list_missing(figures, sentences):
        click.echo(line)
    click.echo(sentences.format("desk-written", path=out))


def _list_missing(figures: BalanceFigures, sentences: Sentences) -> Iterator[str]:
    """Yield a sentence for each series of the plan with games that are not played yet."""
    for series in figures.series:
        if series.planned is not None and series.games < series.planned:
            yield sentences.format(
                "lab-report-half", series=series.name, games=series.games, planned=series.planned
            )
    for name in figures.unplayed:
        yield sentences.format("lab-report-unplayed", series=name)
