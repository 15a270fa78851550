"""The command ``play``: let random players play a whole game, to test the rules or a map."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from shutil import copyfile

import click

from alexmagnum.board.map_check import load_sound_board
from alexmagnum.board.map_file import find_map, known_maps
from alexmagnum.board.model import Board
from alexmagnum.bots import load_bot
from alexmagnum.cases.runner import Resolution
from alexmagnum.cli import Command
from alexmagnum.cli.base import print_json, style
from alexmagnum.cli.game_options import read_bots
from alexmagnum.errors import BadFile
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import Line, read_orders
from alexmagnum.notation.names import power_name
from alexmagnum.play import (
    BrokenInvariantError,
    InvariantChecker,
    PlayedPhase,
    YearFigures,
    count_phase,
    count_years,
    find_differences,
    let_bots_play,
    play_game,
    replay_turn,
    write_turn,
)
from alexmagnum.report.results import compose_turn_report, describe_outcome, render_turn_report
from alexmagnum.report.words import phase_name


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
    seed: int,
    map_id: str,
    bots: tuple[str, ...],
    years: int | None,
    out: Path | None,
    as_json: bool,
    sentences: Sentences,
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
    give_orders = let_bots_play({power: load_bot(bot) for power, bot in named.items()})
    folder = _GameFolder(out, map_id, sentences) if out else None
    game: list[PlayedPhase] = []
    title = "play-title-bots" if named else "play-title"
    if not as_json:
        click.echo(
            style(sentences.format(title, map=board.name(sentences.lang), seed=seed), bold=True)
        )
    for played in _record_and_check(
        _with_progress(play_game(board, seed, years=years or 0, give_orders=give_orders)),
        seed,
        folder,
    ):
        game.append(played)
        if not as_json:
            click.echo(_phase_line(played, sentences))
    if as_json:
        print_json({**_game_json(board, seed, game), **({"bots": named} if named else {})})
    else:
        _print_years(board, count_years(game), sentences)
        click.echo("\n" + "\n".join(_ending_lines(game[-1], sentences)))


def _with_progress(game: Iterator[PlayedPhase]) -> Iterator[PlayedPhase]:
    """Yield the phases of a game; show the current one on the terminal if output goes elsewhere."""
    if sys.stdout.isatty() or not sys.stderr.isatty():
        yield from game
        return
    for played in game:
        click.echo(f"\r{played.position.phase!s:<24}", err=True, nl=False)
        yield played
    click.echo(f"\r{'':<24}\r", err=True, nl=False)


def _record_and_check(
    game: Iterator[PlayedPhase], seed: int, folder: _GameFolder | None
) -> Iterator[PlayedPhase]:
    """Yield the phases of a game after checking each and writing it to the folder.

    Raises:
        BrokenInvariantError: a phase is wrong; its turn file is in the folder.
    """
    watch = InvariantChecker(seed)
    try:
        for played in game:
            watch.check(played)
            if folder:
                watch.refuse(played, folder.write(played))
            yield played
    except BrokenInvariantError as error:
        if folder:
            folder.keep(error)
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
        if (
            map_id.lower() not in known_maps()
        ):  # a map that does not come with the package is copied too
            self.map_name = find_map(map_id).name
            copyfile(find_map(map_id), path / self.map_name)

    def write(self, played: PlayedPhase) -> tuple[str, ...]:
        """Write a phase's turn file and report; return how the file read back differs from it."""
        self.count += 1
        path = self.path / f"{self.count:03d}-{played.position.phase}.yaml"
        write_turn(path, played, self.map_name)
        read = replay_turn(path)
        report = render_turn_report(
            compose_turn_report(read.outcome, _read_lines(read), self.sentences)
        )
        path.with_suffix(".txt").write_text(report, encoding="utf-8", newline="\n")
        return tuple(find_differences(read, played))

    def keep(self, error: BrokenInvariantError) -> None:
        """Write the turn file of a phase that broke an invariant."""
        path = self.path / "fault.yaml"
        path.write_text(error.turn, encoding="utf-8", newline="\n")


def _read_lines(resolution: Resolution) -> list[Line]:
    """Return the order lines of a turn file as the notation reads them."""
    return [
        line
        for power, written in resolution.written.items()
        for line in read_orders("\n".join(written), resolution.position, power).lines
    ]


# -- printing ----------------------------------------------------------------------------------


def _phase_line(played: PlayedPhase, sentences: Sentences) -> str:
    """Return one line with a phase and its figures."""
    position = played.position
    figures = sentences.format(f"play-{position.phase.kind}", **asdict(count_phase(played)))
    return f"  {phase_name(position.phase, position.board, sentences):<42} {figures}"


def _print_years(board: Board, years: Sequence[YearFigures], sentences: Sentences) -> None:
    """Print the table of centres by year, with nobility if the map has it."""
    names = [power_name(board, power, sentences) for power in board.powers]
    code = "play-years-nobility" if board.rules.nobility else "play-years"
    click.echo("\n" + style(sentences.format(code), bold=True))
    widths = [max(len(name), 6) for name in names]
    row = "  ".join(f"{name:>{width}}" for name, width in zip(names, widths, strict=True))
    click.echo(f"{'':>6}  {row}".rstrip())
    for year in years:
        cells = (
            f"{_format_cell(year, power):>{width}}"
            for power, width in zip(board.powers, widths, strict=True)
        )
        click.echo(f"{year.year:>6}  " + "  ".join(cells))


def _format_cell(year: YearFigures, power: str) -> str:
    """Return a power's centres, with its nobility after a slash."""
    points = f"/{year.nobility[power]:<2}" if power in year.nobility else ""
    return f"{year.centres[power]}{points}"


def _ending_lines(last: PlayedPhase, sentences: Sentences) -> list[str]:
    """Return lines that name the winner, or the phase in which the game was left."""
    if last.ending is None:
        board = last.position.board
        return [
            sentences.format("play-left", phase=phase_name(last.position.phase, board, sentences))
        ]
    end = [
        block
        for block in describe_outcome(last.outcome, sentences)
        if block.title == sentences.format("title-end")
    ]
    return [line for block in end for line in block.lines]


def _game_json(board: Board, seed: int, game: Sequence[PlayedPhase]) -> dict[str, object]:
    end = game[-1].ending
    return {
        "map": board.id,
        "seed": seed,
        "phases": [asdict(count_phase(played)) for played in game],
        "years": [asdict(year) for year in count_years(game)],
        "game_over": end is not None,
        "winners": list(end.winners) if end else [],
        "by_centres": bool(end and end.by_centres),
    }
