"""``new``, ``export``, ``import``, ``verify`` and ``settings``: the game as a whole."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.board.switches import near
from alexmagnum.cases.case_files import read_turn
from alexmagnum.cases.resolution import resolve_turn
from alexmagnum.cases.schema_reader import read_file
from alexmagnum.cli.game_options import (
    PATH,
    assignments,
    desk_command,
    game_lang_option,
    game_option,
    json_option,
    phase_words,
    player_of,
    print_notice,
    print_open_phase,
    prose_language,
    reason_option,
    refusals,
    surroundings,
)
from alexmagnum.cli.output import print_json, style
from alexmagnum.errors import BadFile, GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.settings import RULES, SETTINGS
from alexmagnum.i18n.date_parser import Deadline, parse_deadline
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.position import Position
from alexmagnum.report.names import power_name
from alexmagnum.workflow.sheets import write_sheets


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
    """
    sentences = prose_language(lang)
    around = surroundings()
    with refusals(sentences.lang):
        position = _start(start, map_id) if start else None
        source = map_id or _map_of(start) or "alexmagnum"
        board = position.board if position else load_board(source)
        chosen = {**assignments(settings), "lang": sentences.lang}
        given = [player_of(text, board) for text in players]
        first = _deadline(deadline, chosen) if deadline else None
        with Desk.create(
            folder,
            source,
            name=name or folder.resolve().name,
            lang=sentences.lang,
            players=given,
            start=position,
            settings=chosen,
            now=around.now,
            entropy=around.entropy,
            actor=around.actor,
        ) as desk:
            if first:
                print_notice(first, sentences)
                desk.set_deadline(first.at)
            write_sheets(desk)
            if as_json:
                print_json(_new_json(desk))
            else:
                _print_new(desk, sentences)


def _start(path: Path, map_id: str | None) -> Position:
    """The position of a turn file, of which a game can go on."""
    turn = read_turn(path, map_id)
    position = turn.position if turn.position is not None else resolve_turn(turn).position
    if not position.phase.year:
        raise BadFile(str(path), "year-missing", "year")
    return position


def _map_of(path: Path | None) -> str:
    """The map that a turn file names, where it stands if it is a file beside it."""
    if path is None:
        return ""
    data = read_file(path)
    named = str(data.get("map") or "standard") if isinstance(data, dict) else ""
    beside = path.parent / named
    return str(beside) if beside.is_file() else named


def _deadline(text: str, settings: dict[str, object]) -> Deadline:
    zone = str(settings.get("timezone", SETTINGS["timezone"].default))
    return parse_deadline(text, zone, surroundings().now())


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
    bare = _bare(desk)
    if bare:
        names = ", ".join(power_name(board, power, sentences) for power in bare)
        click.echo(style(sentences.format("desk-players-missing", powers=names), "yellow"))
    print_open_phase(desk, sentences)


def _bare(desk: Desk) -> list[str]:
    """The powers that nobody plays."""
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
        "without_player": _bare(desk),
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
@game_option
@json_option
@game_lang_option
def import_(
    file: Path, folder_: Path | None, folder: Path | None, as_json: bool, lang: str | None
) -> None:
    """Make a game out of a file that 'export' wrote.

    DIR is the new folder (default: --game, else one named as the file).

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
        if as_json:
            print_json(_new_json(desk))
            return
        sentences = load_sentences(lang or desk.lang)
        click.echo(sentences.format("desk-imported", name=desk.name, path=desk.folder))
        print_open_phase(desk, sentences)


@click.command()
@json_option
@desk_command
def verify(desk: Desk, sentences: Sentences, as_json: bool) -> None:
    """Play the whole game again from the sealed orders, and compare; exit with 1 if it differs.

    Every position and result has to come out as it is kept, to the byte; seals have to fit the
    mails, and mails the orders.  docs/game-file.md lists what is compared, and what cannot be.

    \b
    Example:
      alexmagnum verify
    """
    findings = desk.verify()
    done = sum(record.state == "processed" for record in desk.phases())
    if as_json:
        listed = [{**f._asdict(), "data": dict(f.data)} for f in findings]
        print_json({"phases": done, "findings": listed})
    else:
        for finding in findings:
            name = phase_words(finding.phase, desk.board, sentences) if finding.phase else desk.name
            said = sentences.format(finding.code, **finding.data)
            click.echo(style(sentences.format("desk-finding", phase=name, what=said), "red"))
        code = "desk-verify-bad" if findings else "desk-verify-good"
        click.echo(style(sentences.format(code, phases=done, count=len(findings)), bold=True))
    if findings:
        sys.exit(1)


# -- settings ----------------------------------------------------------------------------------


@click.command()
@click.argument("name", required=False)
@click.argument("value", required=False)
@json_option
@reason_option
@desk_command
def settings(
    desk: Desk,
    sentences: Sentences,
    name: str | None,
    value: str | None,
    as_json: bool,
    reason: str,
) -> None:
    """List the house rules, show one, or set one.

    Switches of the rules are set as rules.SWITCH; what is set counts from the open phase on
    (a wrong switch of a past phase is mended by 'amend --set').  docs/settings.md explains each.

    \b
    Example:
      alexmagnum settings second_mail merge --reason "as agreed at the table"
    """
    if name is not None and value is not None:
        desk.set(name, value, reason)
    now = desk.settings
    if name is not None and name not in now:
        now = {**now, name: str(_usual(name, desk.board))}
    listed = {name: now[name]} if name is not None else now
    if as_json:
        print_json(dict(listed))
        return
    for key, setting in listed.items():
        meaning = sentences.templates.get(f"setting-{key}", "") if key in SETTINGS else ""
        click.echo(f"{f'{key} = {setting}':<32}  {meaning}".rstrip())


def _usual(name: str, board: Board) -> object:
    """What a switch is on the map, where no setting changes it.

    Raises:
        GameError: ``unknown-setting``.
    """
    switches = {RULES + switch: value for switch, value in asdict(board.rules).items()}
    if name not in switches:
        raise GameError("unknown-setting", name=name, near=near(name, (*SETTINGS, *switches)))
    return switches[name]
