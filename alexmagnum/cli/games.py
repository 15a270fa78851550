"""Commands for a game as a whole: new, games, export, import, verify, settings, restore."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import click

from alexmagnum.board.model import near
from alexmagnum.cli import Command, GameCommand, game_options
from alexmagnum.cli.base import PATH, Call, ProgressBar, pick, show_who_thinks, style, table_lines
from alexmagnum.cli.phases import print_consequences
from alexmagnum.errors import GameError
from alexmagnum.files import MOST_OF_GAME, show_progress_to
from alexmagnum.game.copies import Copy, Restored, find_language, list_copies, release_mail
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FILE, GameFile, note_checksum
from alexmagnum.game.game import Finding, NewGame, Player
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.game.settings import RULES, SETTINGS
from alexmagnum.game.status import mark_folder
from alexmagnum.game.submissions import DIFFERENT_BOT, say_act_is_stored
from alexmagnum.game.verify import SENTENCE, find_faults, find_inconsistencies
from alexmagnum.i18n.dates import format_distance, parse_deadline, parse_iso
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.outbox import Outbox
from alexmagnum.workflow import changes
from alexmagnum.workflow.publish import restore as restore_
from alexmagnum.workflow.publish import rewrite_reports
from alexmagnum.workflow.setup import read_defaults
from alexmagnum.workflow.situation import Situation
from alexmagnum.workflow.tick import GameLine, forget_game, list_games

# ``new``, ``export``, ``import`` and ``verify``: the game as a whole.


HARMLESS = (SENTENCE, DIFFERENT_BOT)
"""The findings of ``verify`` that are no failure: another version of the program differs so."""


@click.command(cls=Command)
@click.argument("folder", metavar="DIR", type=PATH)
@click.option("--map", "map_id", metavar="ID", help="Map: an id or a path (default: alexmagnum).")
@click.option("--name", default="", help="What the game is called (default: as its folder).")
@click.option("--like", type=PATH, metavar="GAME", help="Begin with the settings of another game.")
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
@click.option("--welcome", default="", metavar="TEXT", help="Your words in every first letter.")
@click.option(
    "--replay",
    type=(PATH, str, click.IntRange(1)),
    metavar="RESULTS SERIES GAME",
    help="Play a game of the lab again, with every phase; only --own-bots goes with it.",
)
@click.option(
    "--own-bots", type=PATH, metavar="FOLDER", help="With --replay: where your own bots lie."
)
def new(
    call: Call,
    folder: Path,
    map_id: str | None,
    name: str,
    like: Path | None,
    start: Path | None,
    players: tuple[str, ...],
    bots: tuple[str, ...],
    settings: tuple[str, ...],
    deadline: str | None,
    welcome: str,
    replay: tuple[Path, str, int] | None,
    own_bots: Path | None,
) -> None:
    """Make a folder with a new game in it.

    The game begins as its map says, or where a turn file stands (its year has to be in it).
    --lang is the language of the game: of its reports, and of what the desk says.  The game keeps
    a copy of the map, so that a map changed later does not change the game.

    A game in a folder that 'setup' has made ready begins with the mail settings of that folder.
    With --like it has the map, the house rules and the mail settings of another game; its name,
    its players and what --set says are its own.

    --welcome is said to all players in their first letter, before what they need to know: who you
    are, how to reach you.  TEXT '-' is read from standard input.

    --replay plays a game of 'lab run' again from its seed: RESULTS is the folder of the run, SERIES
    and GAME the series and the number of the game.  It is compared with its rows in the tables, and
    every bot's orders come as those of a player, so that all commands show everything.  Bots of
    your own are programs: --own-bots names the folder of those that may run.

    \b
    Example:
      alexmagnum new cyprus --lang it --player "TOL=Anna <anna@example.org>" --player "SEL=Bruno"
      alexmagnum new second --like cyprus --player "TOL=Carla <carla@example.org>"
      alexmagnum new alone --player "TOL=Anna <anna@example.org>" --bot dumb --bot CAN=search
    """
    if replay is not None:
        if any((map_id, name, like, start, players, bots, settings, deadline, welcome)):
            raise click.UsageError("--replay needs no other option: the results have it all.")
        with _replay(replay, folder, call.sentences, own_bots) as desk:
            text = call.format("lab-replayed", series=replay[1], game=replay[2], path=folder)
            call.answer(_new_json(desk), [style(text, bold=True)])
        return
    with game_options.refusals(call.sentences.lang):
        kept = read_defaults(folder.resolve().parent)
        if like is not None:
            model, kept = _read_model(like)
            map_id = map_id or (None if start else model)
        source, board, position = changes.find_start(map_id, start)
        rules = {**kept, **game_options.read_assignments(settings)}
        rules["lang"] = call.lang or kept.get("lang") or call.sentences.lang
        people = [game_options.read_player(text, board) for text in players]
        by_bots = game_options.read_bots(bots, board, {person.power for person in people})
        game = NewGame(
            source,
            name=name,
            players=[*people, *(Player(power, "", bot=bot) for power, bot in by_bots.items())],
            start=position,
            settings=rules,
            welcome=(
                game_options.read_raw_text(None, call.sentences.lang) if welcome == "-" else welcome
            ).strip(),
        )
        around = game_options.surroundings()
        zone = str(rules.get("timezone", SETTINGS["timezone"].default))
        first = parse_deadline(deadline, zone, around.now()) if deadline else None
        if first is not None:
            game_options.print_deadline_notice(call, first)
        with (
            show_who_thinks(call.sentences, board),
            changes.create_game(folder, game, first, around) as desk,
        ):
            call.answer(_new_json(desk), _new_lines(game_options.call_on(call, desk)))


NOT_SHARED = ("mail_name", "site_dir", "site_address")
"""The settings that are different in each game."""


def _read_model(folder: Path) -> tuple[str, dict[str, str]]:
    """Return the map of a game, by id or path, and the settings that another one can share."""
    with game_options.open_folder(folder) as desk:
        source, kept = desk.info.map_source, desk.settings
    is_path = "/" in source or Path(source).suffix
    shared = {name: value for name, value in kept.items() if name not in NOT_SHARED}
    return str(folder / source) if is_path else source, shared


def _replay(
    game: tuple[Path, str, int], folder: Path, sentences: Sentences, own_bots: Path | None
) -> Desk:
    # Imported late: the lab needs libraries that games do not.
    from alexmagnum.cli.variants import require_libraries

    require_libraries()
    bar = ProgressBar("lab-progress-replay", sentences)
    with show_progress_to(bar.show):
        desk = changes.replay_game(*game, folder, sentences.lang, own_bots)
    bar.end()
    return desk


def _new_lines(call: game_options.GameCall) -> Iterator[str]:
    desk = call.desk
    about = {"map": desk.board.name(call.sentences.lang), "path": desk.folder}
    yield style(call.format("desk-new", name=desk.name, **about), bold=True)
    if unplayed := _powers_without_player(desk):
        names = call.name_powers(unplayed)
        yield style(call.format("desk-players-missing", powers=names), "yellow")
    yield from game_options.open_phase_lines(call)


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


@click.command(cls=GameCommand)
@click.argument("file", type=PATH)
def export(call: game_options.GameCall, file: Path) -> None:
    """Write the whole game into one file, for safe keeping or for another machine.

    Everything is in it, orders that wait too: it is for the game master alone.  The exit status is
    1 if 'import' would refuse it because it is too large.

    \b
    Example:
      alexmagnum export cyprus.json
    """
    Outbox(call.desk).store_edits()
    call.desk.export(file)
    lines = [call.format("desk-exported", path=file)]
    if is_too_large := file.stat().st_size > MOST_OF_GAME:
        lines.append(style(call.format("desk-exported-large", size=MOST_OF_GAME >> 20), "red"))
    call.answer({"file": str(file)}, lines, failed=is_too_large)


@click.command("import", cls=Command, game=True)
@click.argument("file", type=PATH)
@click.argument("folder", metavar="[DIR]", required=False, type=PATH)
@click.option("--no-reports", is_flag=True, help="Do not write the reports of its phases.")
@click.option("--keep-settings", is_flag=True, help="Keep its mail servers, addresses and paths.")
def import_(
    call: Call, file: Path, folder: Path | None, no_reports: bool, keep_settings: bool
) -> None:
    """Make a game from a file that 'export' wrote, with all its reports.

    DIR is the new folder (default: --game, else one named as the file).  The reports of a long game
    take minutes; with --no-reports 'alexmagnum report --all' writes them later.

    Whoever wrote the file chose where the game sends mail and writes files.  So all settings of
    mail servers, addresses, paths and automatic sending are reset and listed, and the codes are
    new; --keep-settings is for a file of your own.

    \b
    Example:
      alexmagnum import cyprus.json cyprus-again
    """
    into = folder or call.game_path or Path(file.name).with_suffix("")
    with (
        game_options.refusals(call.sentences.lang),
        Desk.import_game(file, into, game_options.surroundings(), keep=keep_settings) as desk,
    ):
        with say_act_is_stored(desk):
            reports = () if no_reports else tuple(rewrite_reports(desk))
            Outbox(desk).write_stored(anew=False)
            mark_folder(desk)
        imported = game_options.call_on(call, desk)
        for warning in desk.warnings:
            imported.warn(f"{imported.format('warning')}: {imported.sentences.error(warning)}")
        lines = [imported.format("desk-imported", name=desk.name, path=desk.folder)]
        if reports:
            count = len(list_processed_phases(desk))
            lines.append(imported.format("desk-reports-all", count=count))
        lines += game_options.open_phase_lines(imported)
        reset = [each.data["name"] for each in desk.warnings if each.code == "import-reset"]
        call.answer({**_new_json(desk), "reports": list(map(str, reports)), "reset": reset}, lines)


@click.command(cls=GameCommand)
@click.option("--bots", "by_bots", is_flag=True, help="Ask the bots again, and compare too.")
def verify(call: game_options.GameCall, by_bots: bool) -> None:
    """Replay the whole game from the sealed orders and compare; exit with 1 if it differs.

    Every position and result must equal the stored one to the byte, and seals, mails and orders
    must match each other.  A result that is only worded otherwise, as another version of the
    program did, is shown and is no failure.  docs/game-file.md lists what is compared.  With --bots
    every bot is asked once more; that one of another version orders otherwise is no failure.

    \b
    Example:
      alexmagnum verify
    """
    findings = (*call.desk.verify(), *(call.desk.verify_bots() if by_bots else ()))
    differs = any(finding.code not in HARMLESS for finding in findings)
    done = sum(record.state == "processed" for record in call.desk.phases())
    lines = []
    for finding in findings:
        name = call.name_phase(finding.phase) if finding.phase else call.desk.name
        text = call.format(finding.code, **finding.data)
        color = "yellow" if finding.code in HARMLESS else "red"
        lines.append(style(call.format("desk-finding", phase=name, what=text), color))
    code = "desk-verify-bad" if differs else "desk-verify-good"
    lines.append(style(call.format(code, phases=done, count=len(findings)), bold=True))
    call.answer({"phases": done, "findings": _findings_json(findings)}, lines, failed=differs)


def _findings_json(findings: Iterable[Finding]) -> list[dict[str, object]]:
    return [{**finding._asdict(), "data": dict(finding.data)} for finding in findings]


# The command ``settings``: list and change the house rules and rule switches of a game.


@click.command(cls=GameCommand, reason=True)
@click.argument("name", required=False)
@click.argument("values", metavar="[VALUE]", nargs=-1)
def settings(call: game_options.GameCall, name: str | None, values: tuple[str, ...]) -> None:
    """List the house rules, show one, or set one.

    A rule switch is named rules.SWITCH.  A new value counts from the open phase on; use
    'amend --set' to correct a switch of a past phase.  docs/settings.md explains each setting.

    \b
    Example:
      alexmagnum settings second_mail merge --reason "as agreed at the table"
    """
    if name is not None and values:
        print_consequences(
            call, changes.change_setting(call.desk, name, " ".join(values), call.reason)
        )
    now = call.desk.settings
    if name is not None and name not in now:  # what the map gives a switch
        switches = {RULES + switch: str(v) for switch, v in asdict(call.desk.board.rules).items()}
        if name not in switches:
            raise GameError("unknown-setting", name=name, near=near(name, (*SETTINGS, *switches)))
        now = switches
    listed = {name: now[name]} if name is not None else dict(now)
    meanings = {key: call.sentences.templates.get(f"setting-{key}", "") for key in SETTINGS}
    lines = [
        f"{f'{key} = {setting}':<32}  {meanings.get(key, '')}".rstrip()
        for key, setting in listed.items()
    ]
    call.answer(listed, lines)


# ``restore``: the copies of the game file.


@click.command(cls=Command, reason=True, game=True)
@click.argument("number", metavar="[N]", type=int, required=False)
@click.option("--last", is_flag=True, help="Build the file again as the last command left it.")
@click.option("--checked", is_flag=True, help="Let letters go by themselves again after a restore.")
def restore(call: Call, number: int | None, last: bool, checked: bool) -> None:
    """List the copies of the game file, or put copy N in its place.

    A copy is made before every processing, amendment, undo and redo, and on each day with mail; the
    last ones stay, and one of each game year (setting backups).  The file that is replaced is kept
    aside.  If it is lost or damaged, everything after the copy is read again from the folder
    changes: the game is then as the last command left it, and nobody notices.  --last does so
    without a copy, whatever is wrong with the file.

    If the file is sound, you want to go back: mails that came since are taken over, and letters
    that have gone are not sent again.  Where nobody knows what has gone, letters wait until you
    have looked, and --checked lets them go by themselves again.

    \b
    Example:
      alexmagnum restore
      alexmagnum restore 1 --reason "the disk is failing"
    """
    if number is not None and last:
        raise click.UsageError("--last needs no number: it is no copy.")
    place = game_options.game_folder(call.game_path)
    if checked:
        with game_options.open_game(call) as opened:
            released = release_mail(opened.desk, call.reason)
            code = "desk-mail-released" if released else "desk-mail-not-held"
            opened.answer({"released": released}, [opened.format(code)])
        return
    call = _in_language_of(place, call)
    with game_options.damage_refusals(place, call.sentences.lang):
        if number is None and not last:
            _print_copies(call, list_copies(place))
            return
        done = restore_(place, number, game_options.surroundings(), call.reason)
    call.answer(_restored_json(done), _restored_lines(done, call.sentences))


def _in_language_of(place: Path, call: Call) -> Call:
    """Return a call in the language of a game that may be damaged, if no other is asked for."""
    return replace(call, lang=call.lang or find_language(place) or None)


def _print_copies(call: Call, copies: tuple[Copy, ...]) -> None:
    sound = [copy.read() is not None for copy in copies]
    rows = [
        (
            str(copy.number),
            game_options.copy_stamp(copy),
            call.format("desk-copy-of", action=copy.action, phase=copy.phase),
            f"{copy.size / 1e6:.1f} MB",
            "" if is_sound else style(call.format("desk-copy-damaged"), "red"),
        )
        for copy, is_sound in zip(copies, sound, strict=True)
    ]
    lines = [call.format("desk-copies", file=FILE)] if copies else []
    lines += [f"  {line.rstrip()}" for line in table_lines(rows)]
    data = [
        {**_about(copy), "size": copy.size, "sound": is_sound}
        for copy, is_sound in zip(copies, sound, strict=True)
    ]
    call.answer(data, lines or [call.format("desk-copies-none")])


def _about(copy: Copy) -> dict[str, object]:
    return {"number": copy.number, "file": copy.path.name, **pick(copy, "at", "action", "phase")}


def _restored_json(done: Restored) -> dict[str, object]:
    gone = [pick(one, "occasion", "power", "phase", "sent") for one in done.salvage.letters]
    return {
        "copy": _about(done.copy) if done.copy else None,
        **pick(done, "aside", "messages", "sent", "uncertain"),
        "went_since": gone,
        "held": done.held,
        "acts_since": [dict(act) for act in done.salvage.acts],
    }


def _restored_lines(done: Restored, sentences: Sentences) -> Iterator[str]:
    copy, salvage = done.copy, done.salvage
    if copy is None:
        yield style(sentences.format("desk-rebuilt"), bold=True)
    else:
        about = {"number": copy.number, "at": game_options.copy_stamp(copy), "action": copy.action}
        yield style(sentences.format("desk-restored", phase=copy.phase, **about), bold=True)
    if (done.aside / FILE).is_file():
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


@click.command(cls=Command, game=True)
@click.option("--integrity", is_flag=True, expose_value=False, help="Check the file of a game.")
@click.option("--accept", is_flag=True, help="Take a file that was changed by hand as it is.")
def integrity(call: Call, accept: bool) -> None:
    """Check the file of a game: its pages, references, checksum, seals, letters and states.

    SQLite's own checks are run, then it is checked whether the file is as the last command left it,
    and whether its rows contradict each other.  Nothing is changed; exit status 1 if anything is
    wrong, and the newest good copy is named.  'verify' also resolves every phase again.

    If you have changed the file by hand, and it is sound otherwise, --accept takes it as it is.

    \b
    Example:
      alexmagnum check --integrity
    """
    place = game_options.game_folder(call.game_path)
    call = _in_language_of(place, call)
    findings = _find_all_faults(place, call.sentences.lang)
    if accept and all(finding.code == CHANGED for finding in findings):
        note_checksum(place)
        with closing(GameFile.open(place)) as file:
            file.begin_log()
        findings = ()
    lines = [
        style(
            (f"{finding.phase}: " if finding.phase else "")
            + call.format(finding.code, **finding.data),
            "red",
        )
        for finding in findings
    ]
    code = "desk-integrity-bad" if findings else "desk-integrity-good"
    lines.append(style(call.format(code, count=len(findings)), bold=True))
    if findings:
        lines.append(game_options.format_offer(place, call.sentences.lang))
    call.answer({"findings": _findings_json(findings)}, lines, failed=bool(findings))


def _find_all_faults(place: Path, lang: str | None) -> tuple[Finding, ...]:
    """Return what is wrong with the file of a game, and with what is in it if it can be opened."""
    findings = tuple(find_faults(place))
    if any(finding.code != CHANGED for finding in findings):
        return findings
    with (
        game_options.damage_refusals(place, lang),
        game_options.open_folder(place) as desk,
        desk.reading(),
    ):
        return findings + tuple(find_inconsistencies(desk))


# The command ``games``: the games of a folder, one line each.


@click.command(cls=Command)
@click.argument("folder", type=PATH, default=Path())
@click.option("--forget", metavar="NAME", help="Miss a game no longer that you removed or moved.")
def games(call: Call, folder: Path, forget: str | None) -> None:
    """List the games in the subfolders of FOLDER (default: this folder), one line each.

    Each line has the phase, the deadline, whose orders are missing, how many mails wait, how
    many say something to you, and how many could not be sent or came back.  A game that cannot be
    opened, or is gone since the last 'tick', has a line with the reason, and the exit status is
    then 1.

    \b
    Example:
      alexmagnum games
    """
    call = replace(call, lang=call.sentences.lang)  # one language for games in several
    rows: list[list[str]] = []
    data: list[dict[str, object]] = []
    with game_options.refusals(call.lang):
        if forget is not None:
            forget_game(folder, forget)
            call.answer({"forgotten": forget}, [call.format("games-forgotten", name=forget)])
            return
        for line in list_games(folder, game_options.open_folder):
            rows.append([line.folder.name, *_game_cells(call, line)])
            data.append(_game_json(line))
    colors = [
        "red" if "error" in each else "yellow" if each["past"] or each["holding"] else None
        for each in data
    ]
    table = zip(table_lines(rows), colors, strict=True)
    lines = [style(text.rstrip(), color) for text, color in table]
    call.answer(data, lines, failed="red" in colors)


def _game_cells(call: Call, line: GameLine) -> list[str]:
    """Return the columns of a game: phase, deadline, missing, waiting."""
    if line.desk is None or line.situation is None:
        return [
            game_options.format_refusal(line.folder, line.error, call.lang) if line.error else "",
            "",
            "",
            "",
        ]
    now_, of_game = line.situation, game_options.call_on(call, line.desk)
    waiting = _waiting(now_, call)
    if now_.status.over:
        return [call.format("games-over"), "", "", waiting]
    missing = call.format("games-all-in")
    if now_.status.missing:
        missing = call.format("games-missing", powers=of_game.name_powers(now_.status.missing))
    return [of_game.name_phase(now_.status.phase), _deadline(of_game, now_), missing, waiting]


def _deadline(call: game_options.GameCall, now_: Situation) -> str:
    if call.desk.paused:
        return call.format("games-paused")
    if not now_.status.deadline:
        return call.format("no-deadline")
    distance = format_distance(parse_iso(now_.status.deadline), call.desk.now(), call.sentences)
    return f"{call.stamp(now_.status.deadline)} ({distance})"


def _waiting(now_: Situation, call: Call) -> str:
    """Return how many mails wait, how many say something to the game master, and how many letters
    are stuck or came back."""
    found = []
    if count := len(now_.mails) + len(now_.other_mails):
        found.append(call.format("games-waiting", count=count, holding=len(now_.mails)))
    if now_.tray:
        found.append(call.format("games-tray", count=len(now_.tray)))
    if now_.stuck:
        found.append(call.format("games-unsent", count=len(now_.stuck)))
    if now_.returned:
        found.append(call.format("games-returned", count=len(now_.returned)))
    return "; ".join(found)


def _game_json(line: GameLine) -> dict[str, object]:
    about: dict[str, object] = {"folder": str(line.folder)}
    if line.error is not None or line.desk is None or line.situation is None:
        return {**about, "error": getattr(line.error, "code", type(line.error).__name__)}
    now_ = line.situation
    return {
        **about,
        "game": line.desk.info.name,
        **pick(now_.status, "phase", "deadline"),
        "past": now_.is_past,
        "paused": line.desk.paused,
        "over": now_.status.over,
        **pick(now_.status, "missing", "asking"),
        "waiting": len(now_.mails) + len(now_.other_mails),
        "holding": len(now_.mails),
        "drafts": len(now_.drafts),
        "unsent": len(now_.stuck),
        "returned": len(now_.returned),
        "tray": len(now_.tray),
        "urgent": sum(passage.urgent for passage in now_.tray),
    }
