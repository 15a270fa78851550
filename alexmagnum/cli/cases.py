"""The command ``cases``: run case files, to test a variant or the judge."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from alexmagnum.builds import pause_collection
from alexmagnum.cases.files import Case, CaseRun, parse_cases, read_case_files
from alexmagnum.cases.runner import (
    UnknownClause,
    clause_coverage,
    junit_report,
    run_case,
    unknown_clauses,
)
from alexmagnum.cli.base import print_json, style
from alexmagnum.cli.shared import Command
from alexmagnum.errors import AlexMagnumError
from alexmagnum.files import write_whole
from alexmagnum.i18n.sentences import Sentences

STANDARD_INPUT = "-"


@click.command(cls=Command)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-k", "word", metavar="WORD", help="Only cases with WORD in their id or title.")
@click.option(
    "--coverage",
    is_flag=True,
    help="List how many cases test each ruling of the maps; fail if a ruling has none, or if a "
    "case names a ruling that does not exist.",
)
@click.option(
    "--junit",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the results as a JUnit file too, for a build server.",
)
def cases(
    files: tuple[Path, ...],
    word: str | None,
    coverage: bool,
    as_json: bool,
    junit: Path | None,
    sentences: Sentences,
) -> None:
    """Run case files and show the differences.

    FILES are case files (YAML or JSON), folders of them, or - for standard input. A file that
    cannot be used is reported, and the others run. The exit status is 1 if a case fails, a file is
    broken or nothing was run.

    \b
    Example:
      alexmagnum cases tests/datc -k 6.F.1
      alexmagnum cases tests/cases --coverage --junit results.xml
      cat case.yaml | alexmagnum cases -
    """
    with pause_collection():
        read, faults = _read_cases(files)
        chosen = [c for c in read if not word or word.casefold() in f"{c.id} {c.title}".casefold()]
        runs = _run_cases(chosen, quiet=as_json)
    counts = clause_coverage(chosen) if coverage else {}
    unknown = unknown_clauses(chosen) if coverage else ()
    if junit is not None:
        refusals = {path: sentences.error(error) for path, error in faults.items()}
        write_whole(junit, junit_report(runs, refusals))
    if as_json:
        data = _runs_json(runs, faults, sentences)
        if coverage:
            data["coverage"] = dict(counts)
            data["unknown_clauses"] = [
                {"file": u.case.source, "id": u.case.id, "clause": u.clause, "near": u.near}
                for u in unknown
            ]
        print_json(data)
    else:
        _print_runs(runs, sentences)
        for error in faults.values():
            click.echo(style(sentences.error(error), "red"), err=True)
        if coverage and chosen:
            has_rulings = any(case.turn.board.rulings for case in chosen)
            _print_coverage(counts, unknown, sentences, has_rulings=has_rulings)
    if word and read and not chosen:
        click.echo(style(sentences.format("no-case-matches", word=word), "red"), err=True)
    if faults and not runs:
        sys.exit(2)
    is_well = runs and all(run.passed for run in runs) and all(counts.values())
    if faults or unknown or not is_well:
        sys.exit(1)


def _read_cases(files: Sequence[Path]) -> tuple[list[Case], dict[str, AlexMagnumError]]:
    """Return the cases of all files that can be used, and the error of each of the others."""
    faults: dict[str, AlexMagnumError] = {}
    found: list[Case] = []
    for path in files:
        if str(path) == STANDARD_INPUT:
            try:
                with click.open_file(STANDARD_INPUT, encoding="utf-8") as stream:
                    found += parse_cases(stream.read(), STANDARD_INPUT)
            except AlexMagnumError as error:
                faults[STANDARD_INPUT] = error
        else:
            found += read_case_files([path], faults.__setitem__)
    return found, faults


def _run_cases(chosen: Sequence[Case], *, quiet: bool) -> list[CaseRun]:
    """Run the cases, with a progress bar on a terminal if there are many."""
    if quiet or len(chosen) < 500 or not sys.stderr.isatty():
        return [run_case(case) for case in chosen]
    with click.progressbar(chosen, file=sys.stderr) as bar:
        return [run_case(case) for case in bar]


def _print_runs(runs: Sequence[CaseRun], sentences: Sentences) -> None:
    for run in runs:
        if run.passed:
            continue
        click.echo(style(f"{run.case.id}  {run.case.title}", "red"))
        for difference in run.differences:
            click.echo(f"  {difference.what}")
            click.echo(f"    {sentences.format('expected'):<9} {difference.expected}")
            click.echo(f"    {sentences.format('got'):<9} {difference.got}")
    for path in dict.fromkeys(run.case.source for run in runs):
        of_file = [run.passed for run in runs if run.case.source == path]
        text = sentences.format(
            "case-file-summary", path=path, passed=sum(of_file), total=len(of_file)
        )
        click.echo(style(text, None if all(of_file) else "red"))
    passed = sum(run.passed for run in runs)
    click.echo(style(sentences.format("cases-summary", passed=passed, total=len(runs)), bold=True))


def _print_coverage(
    counts: Mapping[str, int],
    unknown: Sequence[UnknownClause],
    sentences: Sentences,
    *,
    has_rulings: bool,
) -> None:
    click.echo("\n" + "  ".join(f"{clause}: {count}" for clause, count in counts.items() if count))
    bare = [clause for clause, count in counts.items() if not count]
    if bare:
        click.echo(style(sentences.format("clause-none", clauses=", ".join(bare)), "red"))
    else:
        click.echo(sentences.format("clause-all" if has_rulings else "clause-unlisted"))
    for fault in unknown:
        text = sentences.format("clause-unknown", case=fault.case.id, clause=fault.clause)
        if fault.near:
            text += " " + sentences.format("did-you-mean", near=fault.near)
        click.echo(style(text, "red"))


def _runs_json(
    runs: Sequence[CaseRun], faults: Mapping[str, AlexMagnumError], sentences: Sentences
) -> dict[str, object]:
    return {
        "passed": sum(run.passed for run in runs),
        "total": len(runs),
        "cases": [
            {
                "file": run.case.source,
                "id": run.case.id,
                "title": run.case.title,
                "passed": run.passed,
                "differences": [asdict(difference) for difference in run.differences],
            }
            for run in runs
        ],
        "faults": [
            {"file": path, "code": error.code, "why": sentences.error(error)}
            for path, error in faults.items()
        ],
    }
