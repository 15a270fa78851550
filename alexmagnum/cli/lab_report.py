"""``lab report``: the report on a folder of results, as a page, as Markdown or for machines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from alexmagnum.cli.output import lang_option, print_json
from alexmagnum.files import write_whole
from alexmagnum.i18n.sentences import Sentences

if TYPE_CHECKING:
    from alexmagnum.lab.balance_figures import BalanceFigures

ENDINGS = (".html", ".htm", ".md")
"""The endings that the file of a report may have."""


@click.command()
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
@click.option("--json", "as_json", is_flag=True, help="For machines: the figures (docs/lab.md).")
@lang_option
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
    from alexmagnum.cli.lab import require_libraries

    require_libraries()
    from alexmagnum.lab.balance import figures_as_data
    from alexmagnum.lab.balance_reader import read_balance

    balance = read_balance(folder, names)
    if out is not None:
        from alexmagnum.report.balance.formats import render_balance_report
        from alexmagnum.report.balance.sections import compose_balance_report

        composed = compose_balance_report(balance.figures, balance.boards, sentences)
        write_whole(out, render_balance_report(composed, out.suffix.lower()))
    if as_json:
        print_json(figures_as_data(balance.figures))
        return
    for line in _list_missing(balance.figures, sentences):
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
