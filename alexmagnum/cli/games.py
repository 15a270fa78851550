"""Commands for a game as a whole: new, games, export, import, verify, settings, restore."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import click

from alexmagnum.board.model import near
from alexmagnum.cli import Command
from alexmagnum.cli.base import (
    PATH,
    ProgressBar,
    choose_language,
    print_answer,
    prose_language,
    show_who_thinks,
    style,
    table_lines,
)
from alexmagnum.cli.game_options import (
    copy_stamp,
    damage_refusals,
    format_offer,
    format_refusal,
    game_folder,
    local_stamp,
    open_folder,
    open_phase_lines,
    opened_desk,
    phase_words,
    print_deadline_notice,
    read_assignments,
    read_bots,
    read_player,
    refusals,
    surroundings,
)
from alexmagnum.cli.outbox import print_drafted_letters
from alexmagnum.cli.reports import bring_site_up_to_date
from alexmagnum.errors import GameError
from alexmagnum.files import show_progress_to
from alexmagnum.game.copies import Copy, Restored, find_language, list_copies, release_mail
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FILE, note_checksum
from alexmagnum.game.game import Finding, NewGame, Player
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.game.settings import RULES, SETTINGS
from alexmagnum.game.status import mark_folder
from alexmagnum.game.submissions import DIFFERENT_BOT
from alexmagnum.game.verify import SENTENCE, find_faults, find_inconsistencies
from alexmagnum.i18n.dates import format_distance, parse_iso
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.notation.names import power_name
from alexmagnum.workflow.changes import (
    change_setting,
    create_game,
    find_start,
    read_first_deadline,
    replay_game,
)
from alexmagnum.workflow.games import GameLine, list_games
from alexmagnum.workflow.publish import restore as restore_
from alexmagnum.workflow.publish import rewrite_reports
from alexmagnum.workflow.situation import Situation

# ``new``, ``export``, ``import`` and ``verify``: the game as a whole.


HARMLESS = (SENTENCE, DIFFERENT_BOT)
"""The findings of ``verify`` that are no failure: another version of the program differs so."""


@click.command(cls=Command)
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
@click.option(
    "--replay",
    type=(PATH, str, click.IntRange(1)),
    metavar="RESULTS SERIES GAME",
    help="Play a game of the lab again, with every phase; no other option goes with it.",
)
def new(
    folder: Path,
    map_id: str | None,
    name: str,
    start: Path | None,
    players: tuple[str, ...],
    bots: tuple[str, ...],
    settings: tuple[str, ...],
    deadline: str | None,
    replay: tuple[Path, str, int] | None,
    as_json: bool,
    lang: str | None,
) -> None:
    """Make a folder with a new game in it.

    The game begins as its map says, or where a turn file stands (its year has to be in it).
    --lang is the language of the game: of its reports, and of what the desk says.  The game keeps
    a copy of the map, so that a map changed later does not change the game.

    --replay plays a game of 'lab run' again from its seed: RESULTS is the folder of the run, SERIES
    and GAME the series and the number of the game.  It is compared with its rows in the tables, and
    every bot's orders come as those of a player, so that all commands show everything.

    \b
    Example:
      alexmagnum new cyprus --lang it --player "TOL=Anna <anna@example.org>" --player "SEL=Bruno"
      alexmagnum new alone --player "TOL=Anna <anna@example.org>" --bot dumb --bot CAN=search
    """
    sentences = prose_language(lang)
    if replay is not None:
        if any((map_id, name, start, players, bots, settings, deadline)):
            raise click.UsageError("--replay needs no other option: the results have it all.")
        with _replay(*replay, folder, sentences) as desk:
            series, number = replay[1:]
            text = sentences.format("lab-replayed", series=series, game=number, path=folder)
            print_answer(as_json, _new_json(desk), [style(text, bold=True)])
        return
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
            show_who_thinks(sentences, begin.board),
            create_game(
                folder, game, first, now=around.now, entropy=around.entropy, actor=around.actor
            ) as desk,
        ):
            print_answer(as_json, _new_json(desk), _new_lines(desk, sentences))


def _replay(results: Path, series: str, number: int, folder: Path, sentences: Sentences) -> Desk:
    # Imported late: the lab needs libraries that games do not.
    from alexmagnum.cli.variants import require_libraries

    require_libraries()
    bar = ProgressBar("lab-progress-replay", sentences)
    with show_progress_to(bar.show):
        desk = replay_game(results, series, number, folder, sentences.lang)
    bar.end()
    return desk


def _new_lines(desk: Desk, sentences: Sentences) -> Iterator[str]:
    board = desk.board
    about = {"map": board.name(sentences.lang), "path": desk.folder}
    yield style(sentences.format("desk-new", name=desk.name, **about), bold=True)
    unplayed = _powers_without_player(desk)
    if unplayed:
        names = ", ".join(power_name(board, power, sentences) for power in unplayed)
        yield style(sentences.format("desk-players-missing", powers=names), "yellow")
    yield from open_phase_lines(desk, sentences)


def _powers_without_player(desk: Desk) -> list[str]:
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


@click.command(cls=Command)
@click.argument("file", type=PATH)
def export(desk: Desk, sentences: Sentences, file: Path, as_json: bool) -> None:
    """Write the whole game into one file, for safe keeping or for another machine.

    Everything is in it, orders that wait too: it is for the game master alone.

    \b
    Example:
      alexmagnum export cyprus.json
    """
    desk.export(file)
    print_answer(as_json, {"file": str(file)}, [sentences.format("desk-exported", path=file)])


@click.command("import", cls=Command)
@click.argument("file", type=PATH)
@click.argument("folder", metavar="[DIR]", required=False, type=PATH)
@click.option("--no-reports", is_flag=True, help="Do not write the reports of its phases.")
def import_(
    file: Path,
    folder: Path | None,
    no_reports: bool,
    game_path: Path | None,
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
    into = folder or game_path or Path(file.name).with_suffix("")
    with (
        refusals(prose_language(lang).lang),
        Desk.import_game(file, into, around.now, around.entropy, around.actor) as desk,
    ):
        reports = () if no_reports else tuple(rewrite_reports(desk))
        mark_folder(desk)
        sentences = load_sentences(lang or desk.lang)
        lines = [sentences.format("desk-imported", name=desk.name, path=desk.folder)]
        if reports:
            count = len(list_processed_phases(desk))
            lines.append(sentences.format("desk-reports-all", count=count))
        lines += open_phase_lines(desk, sentences)
        data = {**_new_json(desk), "reports": [str(folder) for folder in reports]}
        print_answer(as_json, data, lines)


@click.command(cls=Command)
@click.option("--bots", "by_bots", is_flag=True, help="Ask the bots again, and compare too.")
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
    lines = []
    for finding in findings:
        name = phase_words(finding.phase, desk.board, sentences) if finding.phase else desk.name
        text = sentences.format(finding.code, **finding.data)
        color = "yellow" if finding.code in HARMLESS else "red"
        lines.append(style(sentences.format("desk-finding", phase=name, what=text), color))
    code = "desk-verify-bad" if differs else "desk-verify-good"
    lines.append(style(sentences.format(code, phases=done, count=len(findings)), bold=True))
    print_answer(as_json, {"phases": done, "findings": _findings_json(findings)}, lines)
    if differs:
        sys.exit(1)


def _findings_json(findings: Iterable[Finding]) -> list[dict[str, object]]:
    return [{**finding._asdict(), "data": dict(finding.data)} for finding in findings]


# The command ``settings``: list and change the house rules and rule switches of a game.


@click.command(cls=Command)
@click.argument("name", required=False)
@click.argument("value", required=False)
def settings(
    desk: Desk,
    sentences: Sentences,
    name: str | None,
    value: str | None,
    as_json: bool,
    reason: str,
) -> None:
    """List the house rules, show one, or set one.

    A rule switch is named rules.SWITCH.  A new value counts from the open phase on; use
    'amend --set' to correct a switch of a past phase.  docs/settings.md explains each setting.

    \b
    Example:
      alexmagnum settings second_mail merge --reason "as agreed at the table"
    """
    if name is not None and value is not None:
        letters = change_setting(desk, name, value, reason)
        if not as_json:
            print_drafted_letters(desk, letters, sentences)
        bring_site_up_to_date(desk, sentences, as_json=as_json)
    now = desk.settings
    if name is not None and name not in now:  # what the map gives a switch
        switches = {RULES + switch: str(v) for switch, v in asdict(desk.board.rules).items()}
        if name not in switches:
            raise GameError("unknown-setting", name=name, near=near(name, (*SETTINGS, *switches)))
        now = switches
    listed = {name: now[name]} if name is not None else dict(now)
    meanings = {key: sentences.templates.get(f"setting-{key}", "") for key in SETTINGS}
    lines = [
        f"{f'{key} = {setting}':<32}  {meanings.get(key, '')}".rstrip()
        for key, setting in listed.items()
    ]
    print_answer(as_json, listed, lines)


# ``restore``: the copies of the game file.


@click.command(cls=Command)
@click.argument("number", metavar="[N]", type=int, required=False)
@click.option("--checked", is_flag=True, help="Let letters go by themselves again after a restore.")
def restore(
    number: int | None,
    checked: bool,
    game_path: Path | None,
    lang: str | None,
    as_json: bool,
    reason: str,
) -> None:
    """List the copies of the game file, or put copy N in its place.

    A copy is made before every processing, amendment, undo and redo; the last ones stay, and one of
    each game year (setting backups).  The file that is replaced is kept aside, and what it still
    tells is used: mails that came since are taken over, and letters that have gone are not sent
    again.  Where it can tell nothing, letters wait until you have looked, and --checked lets them
    go by themselves again.

    \b
    Example:
      alexmagnum restore
      alexmagnum restore 1 --reason "the disk is failing"
    """
    place = game_folder(game_path)
    if checked:
        with opened_desk(game_path, lang) as (desk, sentences):
            released = release_mail(desk, reason)
            code = "desk-mail-released" if released else "desk-mail-not-held"
            print_answer(as_json, {"released": released}, [sentences.format(code)])
        return
    sentences = load_sentences(choose_language(lang or find_language(place) or None))
    with damage_refusals(place, sentences.lang):
        if number is None:
            _print_copies(list_copies(place), sentences, as_json)
            return
        around = surroundings()
        done = restore_(place, number, around.now, around.entropy, around.actor, reason)
    print_answer(as_json, _restored_json(done), _restored_lines(done, sentences))


def _print_copies(copies: tuple[Copy, ...], sentences: Sentences, as_json: bool) -> None:
    sound = [copy.read() is not None for copy in copies]
    rows = [
        (
            str(copy.number),
            copy_stamp(copy),
            sentences.format("desk-copy-of", action=copy.action, phase=copy.phase),
            f"{copy.size / 1e6:.1f} MB",
            "" if is_sound else style(sentences.format("desk-copy-damaged"), "red"),
        )
        for copy, is_sound in zip(copies, sound, strict=True)
    ]
    lines = [sentences.format("desk-copies", file=FILE)] if copies else []
    lines += [f"  {line.rstrip()}" for line in table_lines(rows)]
    data = [
        {**_about(copy), "size": copy.size, "sound": is_sound}
        for copy, is_sound in zip(copies, sound, strict=True)
    ]
    print_answer(as_json, data, lines or [sentences.format("desk-copies-none")])


def _about(copy: Copy) -> dict[str, object]:
    return {
        "number": copy.number,
        "file": copy.path.name,
        "at": copy.at,
        "action": copy.action,
        "phase": copy.phase,
    }


def _restored_json(done: Restored) -> dict[str, object]:
    return {
        "copy": _about(done.copy),
        "aside": str(done.aside),
        "messages": done.messages,
        "sent": done.sent,
        "uncertain": done.uncertain,
        "went_since": [
            {"occasion": one.occasion, "power": one.power, "phase": one.phase, "sent": one.sent}
            for one in done.salvage.letters
        ],
        "held": done.held,
        "acts_since": [dict(act) for act in done.salvage.acts],
    }


def _restored_lines(done: Restored, sentences: Sentences) -> Iterator[str]:
    copy, salvage = done.copy, done.salvage
    about = {"number": copy.number, "at": copy_stamp(copy), "action": copy.action}
    yield style(sentences.format("desk-restored", phase=copy.phase, **about), bold=True)
    yield sentences.format("desk-restored-aside", path=done.aside)
    counts = {"messages": done.messages, "sent": done.sent, "uncertain": done.uncertain}
    for what, count in counts.items():
        if count:
            yield sentences.format(f"desk-restored-{what}", count=count)
    if salvage.letters:
        yield sentences.format("desk-restored-gone", count=len(salvage.letters))
        for one in salvage.letters:
            yield f"  {one.occasion} {one.power} {one.phase} {one.sent}"
    if salvage.acts:
        yield sentences.format("desk-restored-acts")
        for act in salvage.acts[:10]:
            yield "  " + " ".join(filter(None, act.values()))
        if len(salvage.acts) > 10:
            yield "  " + sentences.format("desk-restored-more", count=len(salvage.acts) - 10)
    if done.held:
        yield style(sentences.format("desk-restored-held"), "yellow")


# ``check --integrity``: whether the file of a game is whole.


CHANGED = "verify-changed"
"""The code of a file that was changed since the last command, and is sound otherwise perhaps."""


@click.command(cls=Command)
@click.option("--integrity", is_flag=True, expose_value=False, help="Check the file of a game.")
@click.option("--accept", is_flag=True, help="Take a file that was changed by hand as it is.")
def integrity(game_path: Path | None, lang: str | None, accept: bool, as_json: bool) -> None:
    """Check the file of a game: its pages, references, checksum, seals, letters and states.

    SQLite's own checks are run, then it is checked whether the file is as the last command left it,
    and whether its rows contradict each other.  Nothing is changed; exit status 1 if anything is
    wrong, and the newest good copy is named.  'verify' also resolves every phase again.

    If you have changed the file by hand, and it is sound otherwise, --accept takes it as it is.

    \b
    Example:
      alexmagnum check --integrity
    """
    place = game_folder(game_path)
    sentences = load_sentences(choose_language(lang or find_language(place) or None))
    findings = _find_all_faults(place, sentences.lang)
    if accept and all(finding.code == CHANGED for finding in findings):
        note_checksum(place)
        findings = ()
    lines = [
        style(
            (f"{finding.phase}: " if finding.phase else "")
            + sentences.format(finding.code, **finding.data),
            "red",
        )
        for finding in findings
    ]
    code = "desk-integrity-bad" if findings else "desk-integrity-good"
    lines.append(style(sentences.format(code, count=len(findings)), bold=True))
    if findings:
        lines.append(format_offer(place, sentences.lang))
    print_answer(as_json, {"findings": _findings_json(findings)}, lines)
    if findings:
        sys.exit(1)


def _find_all_faults(place: Path, lang: str | None) -> tuple[Finding, ...]:
    """Return what is wrong with the file of a game, and with what is in it if it can be opened."""
    findings = tuple(find_faults(place))
    if any(finding.code != CHANGED for finding in findings):
        return findings
    with damage_refusals(place, lang), open_folder(place) as desk, desk.reading():
        return findings + tuple(find_inconsistencies(desk))


# The command ``games``: the games of a folder, one line each.


@click.command(cls=Command)
@click.argument("folder", type=PATH, default=Path())
def games(folder: Path, as_json: bool, sentences: Sentences) -> None:
    """List the games in the subfolders of FOLDER (default: this folder), one line each.

    Each line has the phase, the deadline, whose orders are missing, how many mails wait, and how
    many could not be sent or came back.  A game that cannot be opened has a line with the reason,
    and the exit status is then 1.

    \b
    Example:
      alexmagnum games
    """
    rows: list[list[str]] = []
    data: list[dict[str, object]] = []
    with refusals(sentences.lang):
        for line in list_games(folder, open_folder):
            rows.append(_game_row(line, sentences))
            data.append(_game_json(line))
    colors = [
        "red" if "error" in each else "yellow" if each["past"] or each["holding"] else None
        for each in data
    ]
    table = zip(table_lines(rows), colors, strict=True)
    print_answer(as_json, data, [style(text.rstrip(), color) for text, color in table])
    if "red" in colors:
        raise SystemExit(1)


def _game_row(line: GameLine, sentences: Sentences) -> list[str]:
    """Return the columns of a game: folder, phase, deadline, missing, waiting."""
    if line.desk is None or line.situation is None:
        said = format_refusal(line.folder, line.error, sentences.lang) if line.error else ""
        return [line.folder.name, said, "", "", ""]
    now_ = line.situation
    if now_.is_over:
        over = sentences.format("games-over")
        return [line.folder.name, over, "", "", _waiting(now_, sentences)]
    return [
        line.folder.name,
        phase_words(now_.phase, line.desk.board, sentences),
        _deadline(line.desk, now_, sentences),
        _missing(line.desk, now_, sentences),
        _waiting(now_, sentences),
    ]


def _deadline(desk: Desk, now_: Situation, sentences: Sentences) -> str:
    if desk.paused:
        return sentences.format("games-paused")
    if not now_.deadline:
        return sentences.format("no-deadline")
    distance = format_distance(parse_iso(now_.deadline), desk.now(), sentences)
    return f"{local_stamp(desk, now_.deadline)} ({distance})"


def _missing(desk: Desk, now_: Situation, sentences: Sentences) -> str:
    if not now_.missing:
        return sentences.format("games-all-in")
    powers = ", ".join(power_name(desk.board, power, sentences) for power in now_.missing)
    return sentences.format("games-missing", powers=powers)


def _waiting(now_: Situation, sentences: Sentences) -> str:
    """Return how many mails wait, and how many letters are stuck or came back."""
    found = []
    count = len(now_.mails) + len(now_.other_mails)
    if count:
        found.append(sentences.format("games-waiting", count=count, holding=len(now_.mails)))
    if now_.stuck:
        found.append(sentences.format("games-unsent", count=len(now_.stuck)))
    if now_.returned:
        found.append(sentences.format("games-returned", count=len(now_.returned)))
    return "; ".join(found)


def _game_json(line: GameLine) -> dict[str, object]:
    about: dict[str, object] = {"folder": str(line.folder)}
    if line.error is not None or line.desk is None or line.situation is None:
        code = getattr(line.error, "code", type(line.error).__name__)
        return {**about, "error": code}
    now_ = line.situation
    return {
        **about,
        "game": line.desk.info.name,
        "phase": now_.phase,
        "deadline": now_.deadline,
        "past": now_.is_past,
        "paused": line.desk.paused,
        "over": now_.is_over,
        "missing": list(now_.missing),
        "asking": list(now_.asking),
        "waiting": len(now_.mails) + len(now_.other_mails),
        "holding": len(now_.mails),
        "drafts": len(now_.drafts),
        "unsent": len(now_.stuck),
        "returned": len(now_.returned),
    }
