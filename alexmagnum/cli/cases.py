"""The command ``cases``: run case files, to test a variant or the judge."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from alexmagnum.cases.case_files import read_case_files
from alexmagnum.cases.coverage import clause_coverage
from alexmagnum.cases.model import Case, CaseRun
from alexmagnum.cases.runner import run_case
from alexmagnum.cli.output import lang_option, print_json, style
from alexmagnum.i18n.sentences import Sentences


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-k", "word", metavar="WORD", help="Only cases with WORD in their id or title.")
@click.option("--coverage", is_flag=True, help="List how many cases test each ruling.")
@click.option("--json", "as_json", is_flag=True, help="For machines.")
@lang_option
def cases(
    files: tuple[Path, ...], word: str | None, coverage: bool, as_json: bool, sentences: Sentences
) -> None:
    """Run case files and show the differences; exit with 1 if a case fails or none was run.

    FILES are case files (YAML or JSON) or folders of them.

    \b
    Example:
      alexmagnum cases tests/datc -k 6.F.1
    """
    chosen = [
        case
        for case in read_case_files(files)
        if not word or word.casefold() in f"{case.id} {case.title}".casefold()
    ]
    runs = _run_cases(chosen, quiet=as_json)
    if as_json:
        print_json(_runs_json(runs, chosen, coverage))
    else:
        _print_failures(runs, sentences)
        _print_summary(runs, sentences)
        if coverage:
            _print_coverage(chosen, sentences)
    if not runs or not all(run.passed for run in runs):
        sys.exit(1)


def _run_cases(chosen: Sequence[Case], *, quiet: bool) -> list[CaseRun]:
    """Run the cases, with a progress bar on a terminal if there are many."""
    if quiet or len(chosen) < 500 or not sys.stderr.isatty():
        return [run_case(case) for case in chosen]
    with click.progressbar(chosen, file=sys.stderr) as bar:
        return [run_case(case) for case in bar]


def _print_failures(runs: Sequence[CaseRun], sentences: Sentences) -> None:
    for run in runs:
        if run.passed:
            continue
        click.echo(style(f"{run.case.id}  {run.case.title}", "red"))
        for difference in run.differences:
            click.echo(f"  {difference.what}")
            click.echo(f"    {sentences.format('expected'):<9} {difference.expected}")
            click.echo(f"    {sentences.format('got'):<9} {difference.got}")


def _print_summary(runs: Sequence[CaseRun], sentences: Sentences) -> None:
    for path in dict.fromkeys(run.case.source for run in runs):
        of_file = [run.passed for run in runs if run.case.source == path]
        text = sentences.format(
            "case-file-summary", path=path, passed=sum(of_file), total=len(of_file)
        )
        click.echo(style(text, None if all(of_file) else "red"))
    passed = sum(run.passed for run in runs)
    click.echo(style(sentences.format("cases-summary", passed=passed, total=len(runs)), bold=True))


def _print_coverage(chosen: Sequence[Case], sentences: Sentences) -> None:
    counts = clause_coverage(chosen)
    click.echo("\n" + "  ".join(f"{clause}: {count}" for clause, count in counts.items() if count))
    bare = [clause for clause, count in counts.items() if not count]
    click.echo(
        sentences.format("clause-none", clauses=", ".join(bare))
        if bare
        else sentences.format("clause-all")
    )


def _runs_json(
    runs: Sequence[CaseRun], chosen: Sequence[Case], coverage: bool
) -> dict[str, object]:
    data: dict[str, object] = {
        "passed": sum(run.passed for run in runs),
        "total": len(runs),
        "cases": [
            {
                "file": run.case.source,
                "id": run.case.id,
                "title": run.case.title,
                "passed": run.passed,
                "differences": [
                    {"what": d.what, "expected": d.expected, "got": d.got} for d in run.differences
                ],
            }
            for run in runs
        ],
    }
    if coverage:
        data["coverage"] = clause_coverage(chosen)
    return data
