"""``new``, ``export``, ``import`` and ``verify``: the game as a whole."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from alexmagnum.cli.arguments import read_assignments, read_bots, read_player
from alexmagnum.cli.game_lines import phase_words, print_deadline_notice, print_open_phase
from alexmagnum.cli.game_options import (
    PATH,
    desk_command,
    game_lang_option,
    game_option,
    json_option,
    prose_language,
    refusals,
    surroundings,
)
from alexmagnum.cli.output import print_json, style
from alexmagnum.cli.progress import show_who_thinks
from alexmagnum.game.desk import Desk
from alexmagnum.game.values import NewGame, Player
from alexmagnum.game.verify import DIFFERENT_BOT, SENTENCE
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.report.names import power_name
from alexmagnum.slow_work import keep_results_in
from alexmagnum.workflow.create import create_game, find_start, read_first_deadline
from alexmagnum.workflow.publish import rewrite_reports
from alexmagnum.workflow.reports import processed_phases

HARMLESS = (SENTENCE, DIFFERENT_BOT)
"""The findings of ``verify`` that are no failure: another version of the program differs so."""


@click.command()
@click.argument("folder", metavar="DIR", type=PATH)
@click.option("--map", "map_id", metavar="ID", help="Map: an id or a path (default: alexmagnum).")
@click.option("--name", default="", help="What the game is called (default: as its folder).")
@click.option("--from", "start", type=PATH, help="A turn file: take over a game that is running.")
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="'POWER=NAME <ADDRESS>'",
    help="Who plays a power; once for each.",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="[POWER=]BOT",
    help="A bot that plays a power, or alone: all powers without a player.",
)
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="A house rule or switch."
)
@click.option("--deadline", metavar="WHEN", help="The first deadline (default: by the settings).")
@json_option
@game_lang_option
def new(
    folder: Path,
    map_id: str | None,
    name: str,
    start: Path | None,
    players: tuple[str, ...],
    bots: tuple[str, ...],
    settings: tuple[str, ...],
    deadline: str | None,
    as_json: bool,
    lang: str | None,
) -> None:
    """Make a folder with a new game in it.

    The game begins as its map says, or where a turn file stands (its year has to be in it).
    --lang is the language of the game: of its reports, and of what the desk says.  The game keeps
    a copy of the map, so that a map changed later does not change the game.

    \b
    Example:
      alexmagnum new cyprus --lang it --player "TOL=Anna <anna@example.org>" --player "SEL=Bruno"
      alexmagnum new alone --player "TOL=Anna <anna@example.org>" --bot dumb --bot CAN=search
    """
    sentences = prose_language(lang)
    around = surroundings()
    with refusals(sentences.lang):
        begin = find_start(map_id, start)
        rules = read_assignments(settings)
        people = [read_player(text, begin.board) for text in players]
        by_bots = read_bots(bots, begin.board, {person.power for person in people})
        game = NewGame(
            begin.source,
            name=name,
            players=[*people, *(Player(power, "", bot=bot) for power, bot in by_bots.items())],
            start=begin.position,
            settings={**rules, "lang": sentences.lang},
        )
        first = read_first_deadline(deadline, rules, around.now) if deadline else None
        if first is not None:
            print_deadline_notice(first, sentences)
        with (
            keep_results_in(folder),
            show_who_thinks(sentences, begin.board),
            create_game(
                folder, game, first, now=around.now, entropy=around.entropy, actor=around.actor
            ) as desk,
        ):
            if as_json:
                print_json(_new_json(desk))
            else:
                _print_new(desk, sentences)


def _print_new(desk: Desk, sentences: Sentences) -> None:
    board = desk.board
    click.echo(
        style(
            sentences.format(
                "desk-new", name=desk.name, map=board.name(sentences.lang), path=desk.folder
            ),
            bold=True,
        )
    )
    unplayed = _powers_without_player(desk)
    if unplayed:
        names = ", ".join(power_name(board, power, sentences) for power in unplayed)
        click.echo(style(sentences.format("desk-players-missing", powers=names), "yellow"))
    print_open_phase(desk, sentences)


def _powers_without_player(desk: Desk) -> list[str]:
    """Return the powers that have no player."""
    taken = {player.power for player in desk.players}
    return [power for power in desk.board.powers if power not in taken]


def _new_json(desk: Desk) -> dict[str, object]:
    return {
        "game": desk.name,
        "folder": str(desk.folder),
        "map": desk.board.id,
        "phase": str(desk.phase or ""),
        "deadline": desk.deadline,
        "players": [asdict(player) for player in desk.players],
        "without_player": _powers_without_player(desk),
    }


# -- in and out --------------------------------------------------------------------------------


@click.command()
@click.argument("file", type=PATH)
@json_option
@desk_command
def export(desk: Desk, sentences: Sentences, file: Path, as_json: bool) -> None:
    """Write the whole game into one file, for safe keeping or for another machine.

    Everything is in it, orders that wait too: it is for the game master alone.

    \b
    Example:
      alexmagnum export cyprus.json
    """
    desk.export(file)
    if as_json:
        print_json({"file": str(file)})
    else:
        click.echo(sentences.format("desk-exported", path=file))


@click.command("import")
@click.argument("file", type=PATH)
@click.argument("folder_", metavar="[DIR]", required=False, type=PATH)
@click.option("--no-reports", is_flag=True, help="Do not write the reports of its phases.")
@game_option
@json_option
@game_lang_option
def import_(
    file: Path,
    folder_: Path | None,
    no_reports: bool,
    folder: Path | None,
    as_json: bool,
    lang: str | None,
) -> None:
    """Make a game from a file that 'export' wrote, with all its reports.

    DIR is the new folder (default: --game, else one named as the file).  The reports of a long game
    take minutes; with --no-reports 'alexmagnum report --all' writes them later.

    \b
    Example:
      alexmagnum import cyprus.json cyprus-again
    """
    around = surroundings()
    into = folder_ or folder or Path(file.name).with_suffix("")
    with (
        refusals(prose_language(lang).lang),
        Desk.import_game(file, into, around.now, around.entropy, around.actor) as desk,
    ):
        reports = () if no_reports else tuple(rewrite_reports(desk))
        if as_json:
            print_json({**_new_json(desk), "reports": [str(folder) for folder in reports]})
            return
        sentences = load_sentences(lang or desk.lang)
        click.echo(sentences.format("desk-imported", name=desk.name, path=desk.folder))
        if reports:
            click.echo(sentences.format("desk-reports-all", count=len(processed_phases(desk))))
        print_open_phase(desk, sentences)


@click.command()
@click.option("--bots", "by_bots", is_flag=True, help="Ask the bots again, and compare too.")
@json_option
@desk_command
def verify(desk: Desk, sentences: Sentences, by_bots: bool, as_json: bool) -> None:
    """Replay the whole game from the sealed orders and compare; exit with 1 if it differs.

    Every position and result must equal the stored one to the byte, and seals, mails and orders
    must match each other.  A result that is only worded otherwise, as another version of the
    program did, is shown and is no failure.  docs/game-file.md lists what is compared.  With --bots
    every bot is asked once more; that one of another version orders otherwise is no failure.

    \b
    Example:
      alexmagnum verify
    """
    findings = (*desk.verify(), *(desk.verify_bots() if by_bots else ()))
    differs = any(finding.code not in HARMLESS for finding in findings)
    done = sum(record.state == "processed" for record in desk.phases())
    if as_json:
        listed = [{**f._asdict(), "data": dict(f.data)} for f in findings]
        print_json({"phases": done, "findings": listed})
    else:
        for finding in findings:
            name = phase_words(finding.phase, desk.board, sentences) if finding.phase else desk.name
            text = sentences.format(finding.code, **finding.data)
            color = "yellow" if finding.code in HARMLESS else "red"
            click.echo(style(sentences.format("desk-finding", phase=name, what=text), color))
        code = "desk-verify-bad" if differs else "desk-verify-good"
        click.echo(style(sentences.format(code, phases=done, count=len(findings)), bold=True))
    if differs:
        sys.exit(1)
