"""The commands for people who make variants: ``cases``, ``play`` and ``lab``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfile
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from alexmagnum import play as bot_game
from alexmagnum.board.map_check import load_sound_board
from alexmagnum.board.map_file import find_map, known_maps
from alexmagnum.board.model import Board
from alexmagnum.bots import load_bot
from alexmagnum.builds import pause_collection
from alexmagnum.cases import files as case_files
from alexmagnum.cli import Command, Group
from alexmagnum.cli.base import PATH, Call, ProgressBar, pick, show_bar, style
from alexmagnum.cli.game_options import read_bots
from alexmagnum.errors import AlexMagnumError, BadFile
from alexmagnum.files import make_environment, parse_yaml, write_whole
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import read_orders
from alexmagnum.notation.names import power_name
from alexmagnum.report.results import compose_turn_report, describe_outcome, render_turn_report
from alexmagnum.report.words import phase_name

if TYPE_CHECKING:
    from alexmagnum.lab.balance_figures import BalanceFigures
    from alexmagnum.lab.run import Summary

# ``cases``: run case files, to test a variant or the judge.


@click.command(cls=Command)
@click.argument("files", nargs=-1, required=True, type=PATH)
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
    call: Call, files: tuple[Path, ...], word: str | None, coverage: bool, junit: Path | None
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
        shown = chosen if call.as_json else show_bar(chosen, len(chosen), 500)
        runs = [case_files.run_case(case) for case in shown]
    counts = case_files.clause_coverage(chosen) if coverage else {}
    unknown = case_files.unknown_clauses(chosen) if coverage else ()
    if junit is not None:
        refusals = {path: call.sentences.error(error) for path, error in faults.items()}
        write_whole(junit, _write_junit(runs, refusals))
    data = _runs_json(runs, faults, call.sentences)
    lines = [*_failure_lines(runs, call.sentences), *_summary_lines(runs, call.sentences)]
    if coverage:
        data["coverage"] = dict(counts)
        data["unknown_clauses"] = [
            {"file": u.case.source, "id": u.case.id, "clause": u.clause, "near": u.near}
            for u in unknown
        ]
        if chosen:
            lines += _coverage_lines(chosen, counts, unknown, call.sentences)
    call.answer(data, lines)
    for error in () if call.as_json else faults.values():
        call.warn(call.sentences.error(error), "red")
    if word and read and not chosen:
        call.warn(call.format("no-case-matches", word=word), "red")
    if (status := _find_exit_status(runs, faults, counts)) or unknown:
        sys.exit(status or 1)


def _write_junit(runs: Sequence[case_files.CaseRun], faults: Mapping[str, str]) -> str:
    """Return results as JUnit: a suite for each file, also for the ``faults`` of unusable ones."""

    def clean(text: str) -> str:
        """Return a text without the characters that XML does not allow."""
        return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)

    template = make_environment("alexmagnum.cli", clean=clean).get_template("junit.xml.j2")
    files = dict.fromkeys(run.case.source for run in runs)
    suites = {path: [run for run in runs if run.case.source == path] for path in files}
    return template.render(suites=suites, faults=faults) + "\n"


def _find_exit_status(
    runs: Sequence[case_files.CaseRun],
    faults: Mapping[str, AlexMagnumError],
    counts: Mapping[str, int],
) -> int:
    """Return 0 if all is well, 2 if there were only broken files, and 1 otherwise."""
    if faults:
        return 1 if runs else 2
    return 0 if runs and all(run.passed for run in runs) and all(counts.values()) else 1


def _read_cases(files: Sequence[Path]) -> tuple[list[case_files.Case], dict[str, AlexMagnumError]]:
    """Return the cases of all files that can be used, and the error of each of the others."""
    faults: dict[str, AlexMagnumError] = {}
    found: list[case_files.Case] = []
    for path in files:
        if str(path) == "-":
            try:
                with click.open_file("-", encoding="utf-8") as stream:
                    found += case_files.parse_cases("-", parse_yaml(stream.read(), "-"))
            except AlexMagnumError as error:
                faults["-"] = error
        else:
            found += case_files.read_case_files([path], faults.__setitem__)
    return found, faults


def _failure_lines(runs: Sequence[case_files.CaseRun], sentences: Sentences) -> Iterator[str]:
    for run in runs:
        if not run.passed:
            yield style(f"{run.case.id}  {run.case.title}", "red")
            for difference in run.differences:
                yield f"  {difference.what}"
                yield f"    {sentences.format('expected'):<9} {difference.expected}"
                yield f"    {sentences.format('got'):<9} {difference.got}"


def _summary_lines(runs: Sequence[case_files.CaseRun], sentences: Sentences) -> Iterator[str]:
    for path in dict.fromkeys(run.case.source for run in runs):
        of_file = [run.passed for run in runs if run.case.source == path]
        figures = {"passed": sum(of_file), "total": len(of_file)}
        text = sentences.format("case-file-summary", path=path, **figures)
        yield style(text, None if all(of_file) else "red")
    passed = sum(run.passed for run in runs)
    yield style(sentences.format("cases-summary", passed=passed, total=len(runs)), bold=True)


def _coverage_lines(
    chosen: Sequence[case_files.Case],
    counts: Mapping[str, int],
    unknown: Sequence[case_files.UnknownClause],
    sentences: Sentences,
) -> Iterator[str]:
    yield "\n" + "  ".join(f"{clause}: {count}" for clause, count in counts.items() if count)
    if bare := [clause for clause, count in counts.items() if not count]:
        yield style(sentences.format("clause-none", clauses=", ".join(bare)), "red")
    else:
        has_rulings = any(case.turn.board.rulings for case in chosen)
        yield sentences.format("clause-all" if has_rulings else "clause-unlisted")
    for fault in unknown:
        text = sentences.format("clause-unknown", case=fault.case.id, clause=fault.clause)
        if fault.near:
            text += " " + sentences.format("did-you-mean", near=fault.near)
        yield style(text, "red")


def _runs_json(
    runs: Sequence[case_files.CaseRun], faults: Mapping[str, AlexMagnumError], sentences: Sentences
) -> dict[str, object]:
    return {
        "passed": sum(run.passed for run in runs),
        "total": len(runs),
        "cases": [
            {
                "file": run.case.source,
                **pick(run.case, "id", "title"),
                "passed": run.passed,
                "differences": [pick(each, "what", "expected", "got") for each in run.differences],
            }
            for run in runs
        ],
        "faults": [
            {"file": path, "code": error.code, "why": sentences.error(error)}
            for path, error in faults.items()
        ],
    }


# ``play``: random players or bots play a whole game, to test the rules or a map.


@click.command(cls=Command)
@click.option(
    "--seed",
    type=click.IntRange(0),
    required=True,
    help="A whole number; the same seed gives the same game.",
)
@click.option(
    "--map", "map_id", metavar="ID", default="alexmagnum", help="The map: an id or a path."
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="[POWER=]BOT",
    help="A bot that plays a power, or alone: all others (default: the random player).",
)
@click.option(
    "--years", type=click.IntRange(1), help="How many years to play (default: to the end)."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="A new folder for the turn file and report of every phase.",
)
def play(
    call: Call, seed: int, map_id: str, bots: tuple[str, ...], years: int | None, out: Path | None
) -> None:
    """Play a full game at random or by bots, and check every phase of it.

    All powers give random orders, good enough that every rule occurs; with --bot bots play
    ('alexmagnum bot --help' names them).  The same seed always gives the same game.  After
    each phase the invariants of the rules are checked; the command exits
    with 1 if one is broken.  Maps without a last year are played for 20 years.

    With --out, each phase is written as a turn file that 'alexmagnum adjudicate' resolves to the
    report beside it.

    \b
    Example:
      alexmagnum play --seed 7 --years 3
      alexmagnum play --seed 7 --bot dumb --bot TOL=search
    """
    board = load_sound_board(map_id)
    named = read_bots(bots, board)
    give_orders = bot_game.let_bots_play({power: load_bot(bot) for power, bot in named.items()})
    folder = _GameFolder(out, map_id, call.sentences) if out else None
    game: list[bot_game.PlayedPhase] = []
    code = "play-title-bots" if named else "play-title"
    call.say([style(call.format(code, map=board.name(call.sentences.lang), seed=seed), bold=True)])
    phases = _with_progress(
        bot_game.play_game(board, seed, years=years or 0, give_orders=give_orders)
    )
    for played in _record_and_check(phases, seed, folder):
        game.append(played)
        text = call.format(f"play-{played.position.phase.kind}", **bot_game.count_phase(played))
        call.say([f"  {phase_name(played.position.phase, board, call.sentences):<42} {text}"])
    data = {**_game_json(board, seed, game), **({"bots": named} if named else {})}
    years_played = _year_lines(board, bot_game.count_years(game), call.sentences)
    call.answer(data, (*years_played, "", *_ending_lines(game[-1], call.sentences)))


def _with_progress(game: Iterator[bot_game.PlayedPhase]) -> Iterator[bot_game.PlayedPhase]:
    if sys.stdout.isatty() or not sys.stderr.isatty():
        yield from game
        return
    for played in game:
        click.echo(f"\r{played.position.phase!s:<24}", err=True, nl=False)
        yield played
    click.echo(f"\r{'':<24}\r", err=True, nl=False)


def _record_and_check(
    game: Iterator[bot_game.PlayedPhase], seed: int, folder: _GameFolder | None
) -> Iterator[bot_game.PlayedPhase]:
    """Yield the phases of a game, each checked and written to the folder, a broken one as well."""
    watch = bot_game.InvariantChecker(seed)
    try:
        for played in game:
            watch.check(played)
            if folder:
                watch.refuse(played, folder.write(played))
            yield played
    except bot_game.BrokenInvariantError as error:
        if folder:
            (folder.path / "fault.yaml").write_text(error.turn, encoding="utf-8", newline="\n")
        raise


class _GameFolder:
    """The folder that receives the turn file and report of every phase."""

    def __init__(self, path: Path, map_id: str, sentences: Sentences) -> None:
        self.path = path
        self.sentences = sentences
        self.count = 0
        self.map_name = ""
        if path.exists() and any(path.iterdir()):
            raise BadFile(str(path), "play-folder-used")
        path.mkdir(parents=True, exist_ok=True)
        if map_id.lower() not in known_maps():  # its file is copied too
            self.map_name = find_map(map_id).name
            copyfile(find_map(map_id), path / self.map_name)

    def write(self, played: bot_game.PlayedPhase) -> tuple[str, ...]:
        """Write a phase's turn file and report; return how the file read back differs from it."""
        self.count += 1
        path = self.path / f"{self.count:03d}-{played.position.phase}.yaml"
        bot_game.write_turn(path, played, self.map_name)
        read = bot_game.replay_turn(path)
        lines = [
            line
            for power, written in read.written.items()
            for line in read_orders("\n".join(written), read.position, power).lines
        ]
        report = render_turn_report(compose_turn_report(read.outcome, lines, self.sentences))
        path.with_suffix(".txt").write_text(report, encoding="utf-8", newline="\n")
        return tuple(bot_game.find_differences(read, played))


def _year_lines(
    board: Board, years: Sequence[bot_game.YearFigures], sentences: Sentences
) -> Iterator[str]:
    """Yield the table of centres by year, with nobility if the map has it."""
    names = [power_name(board, power, sentences) for power in board.powers]
    code = "play-years-nobility" if board.rules.nobility else "play-years"
    yield "\n" + style(sentences.format(code), bold=True)
    widths = [max(len(name), 6) for name in names]
    row = "  ".join(f"{name:>{width}}" for name, width in zip(names, widths, strict=True))
    yield f"{'':>6}  {row}".rstrip()
    for year in years:
        cells = []
        for power, width in zip(board.powers, widths, strict=True):
            points = f"/{year.nobility[power]:<2}" if power in year.nobility else ""
            cells.append(f"{f'{year.centres[power]}{points}':>{width}}")
        yield f"{year.year:>6}  " + "  ".join(cells)


def _ending_lines(last: bot_game.PlayedPhase, sentences: Sentences) -> list[str]:
    if last.ending is None:
        phase = phase_name(last.position.phase, last.position.board, sentences)
        return [sentences.format("play-left", phase=phase)]
    blocks = describe_outcome(last.outcome, sentences)
    title = sentences.format("title-end")
    return [line for block in blocks if block.title == title for line in block.lines]


def _game_json(board: Board, seed: int, game: Sequence[bot_game.PlayedPhase]) -> dict[str, object]:
    end = game[-1].ending
    return {
        "map": board.id,
        "seed": seed,
        "phases": [bot_game.count_phase(played) for played in game],
        "years": [asdict(year) for year in bot_game.count_years(game)],
        "game_over": end is not None,
        "winners": list(end.winners) if end else [],
        "by_centres": bool(end and end.by_centres),
    }


# ``lab``: thousands of games by bots on this machine or a cluster, and what they show.


LIBRARIES = ("cryptography", "dask", "distributed", "matplotlib", "openskill", "polars", "scipy")
"""The libraries of the extra without which no command of the lab works."""


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
    if lacking := [name for name in LIBRARIES if find_spec(name) is None]:
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
    help="Play on a Dask cluster instead: the address of its scheduler, as tls://10.0.0.1:8786.",
)
@click.option(
    "--tls", type=PATH, metavar="FOLDER", help="With --scheduler: ca.pem, cert.pem and key.pem."
)
@click.option("--anew", is_flag=True, help="Delete the results in the folder and begin again.")
def run(
    call: Call,
    plan: Path,
    folder: Path,
    workers: int | None,
    scheduler: str | None,
    tls: Path | None,
    anew: bool,
) -> None:
    """Play the games of a plan, and write their results as Parquet tables.

    PLAN is a TOML file that names maps, switches of the rules, bots by seat, numbers of games and
    seeds (docs/lab.md).  A plan that names bots of its own is a program: run only your own.  The
    same plan gives the same tables on any number of processes.  If a run is interrupted, the same
    command goes on where it was.  With more games in the plan, it plays the new ones.

    \b
    Example:
      alexmagnum lab run plans/small.toml -o results
      alexmagnum lab run plans/small.toml -o results --scheduler tls://10.0.0.1:8786 --tls lab-tls
    """
    if workers and scheduler:
        raise click.UsageError("--workers is for this machine: leave it out with --scheduler.")
    require_libraries()
    from alexmagnum.lab.plan import read_plan
    from alexmagnum.lab.run import run_plan

    read = read_plan(plan)
    progress = _Progress(call.sentences)
    try:
        summary = run_plan(
            read,
            folder,
            anew=anew,
            workers=workers or 0,
            scheduler=scheduler or "",
            tls=tls,
            show=progress.show,
        )
    except KeyboardInterrupt:
        progress.bar.end()
        click.echo(call.format("lab-interrupted", path=folder), err=True)
        sys.exit(130)
    finally:
        progress.bar.end()
    faults = _list_faults(folder)
    lines = _run_lines(summary, faults, folder, call.sentences)
    call.answer(_summary_json(summary, faults), lines, failed=bool(summary.failed))


class _Progress:
    """Shows the progress of a run: a bar on a terminal, else a line every minute."""

    def __init__(self, sentences: Sentences) -> None:
        self._sentences = sentences
        self.bar = ProgressBar("lab-progress", sentences)
        self._begun = self._last_shown = monotonic()

    def show(self, done: int, total: int) -> None:
        """Show that ``done`` games of ``total`` are played."""
        if sys.stderr.isatty():
            self.bar.show(done / total)
            return
        now = monotonic()
        if done and now - self._last_shown >= 60:
            self._last_shown = now
            hours, minutes = divmod(round((now - self._begun) / done * (total - done) / 60), 60)
            about = {"done": done, "total": total, "left": f"{hours}:{minutes:02}"}
            click.echo(self._sentences.format("lab-progress-line", **about), err=True)


def _list_faults(folder: Path) -> list[dict[str, Any]]:
    """Return the bots that forfeited orders, each in each series: how many, and its first fault."""
    from polars import col

    from alexmagnum.lab.run import read_table

    seats = read_table(folder, "seats").filter(col("forfeits") > 0)
    faults = seats.group_by("series", "bot", maintain_order=True).agg(
        orders=col("forfeits").sum(), fault=col("fault").first()
    )
    return faults.to_dicts()


def _run_lines(
    summary: Summary, faults: list[dict[str, Any]], folder: Path, sentences: Sentences
) -> Iterator[str]:
    done = summary.before + summary.played
    text = sentences.format("lab-done", path=folder, done=done, new=summary.played)
    yield style(text, bold=True)
    for fault in faults:
        yield style(sentences.format("lab-forfeits", forfeits=fault["orders"], **fault), "yellow")
    for (series, number), why in sorted(summary.failed.items()):
        text = sentences.format("lab-game-failed", series=series, game=number, why=why)
        yield style(text, "red")


def _summary_json(summary: Summary, faults: list[dict[str, Any]]) -> dict[str, object]:
    return {
        "games": summary.before + summary.played,
        "played_now": summary.played,
        "forfeits": faults,
        "failed": [
            {"series": series, "game": number, "why": why}
            for (series, number), why in sorted(summary.failed.items())
        ],
    }


# ``lab report``: the report on a folder of results, as a page, as Markdown or for machines.


@lab.command()
@click.argument("folder", type=PATH)
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
def report(call: Call, folder: Path, out: Path | None, names: tuple[str, ...]) -> None:
    """Report on the results of a run: is the map fair, and what does each rule do?

    FOLDER is the folder that 'lab run' wrote.  If the run is not finished, the report is on the
    games played so far.  The page has plots, a map and a verdict in words, and needs no network.

    \b
    Example:
      alexmagnum lab report results -o report.html
      alexmagnum lab report results -o report.md --lang it
      alexmagnum lab report results --series default --json
    """
    if out is None and not call.as_json:
        raise click.UsageError("say where to with -o FILE.html or FILE.md, or ask for --json")
    if out is not None and out.suffix.lower() not in (".html", ".htm", ".md"):
        raise click.UsageError(f"--out names a file that ends in .html or .md, not {out.name}")

    require_libraries()
    from alexmagnum.lab.balance import read_balance
    from alexmagnum.lab.run import refuse_damage

    with refuse_damage(folder):
        figures, boards = read_balance(folder, names)
        if out is not None:
            from alexmagnum.report.balance import compose_balance_report, render_balance_report

            composed = compose_balance_report(figures, boards, call.sentences)
            write_whole(out, render_balance_report(composed, out.suffix.lower()))
    written = call.format("desk-written", path=out)
    call.answer(asdict(figures), (*_list_missing(figures, call.sentences), written))


def _list_missing(figures: BalanceFigures, sentences: Sentences) -> Iterator[str]:
    for series in figures.series:
        if series.planned is not None and series.games < series.planned:
            yield sentences.format(
                "lab-report-half", series=series.name, games=series.games, planned=series.planned
            )
    for name in figures.unplayed:
        yield sentences.format("lab-report-unplayed", series=name)
