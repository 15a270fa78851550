"""``tick``: everything that can be done without the game master, for cron."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click

from alexmagnum.cli.damage import format_refusal
from alexmagnum.cli.game_lines import phase_words
from alexmagnum.cli.game_options import (
    PATH,
    game_folder,
    game_lang_option,
    game_option,
    json_option,
    opened_desk,
    refusals,
    surroundings,
)
from alexmagnum.cli.letter_lines import format_delivery, format_letter_label
from alexmagnum.cli.output import choose_language, print_json, style
from alexmagnum.game.desk import Desk
from alexmagnum.game.inbox_store import Message
from alexmagnum.game.outbox_store import SENT, Mailing
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.parsing.decoding import to_one_line
from alexmagnum.mail.sending import Delivery
from alexmagnum.mail.why_text import format_why
from alexmagnum.workflow.games import GameTick, is_folder_of_games, run_all_ticks
from alexmagnum.workflow.situation_text import describe_phase, list_waits
from alexmagnum.workflow.tick import Event, PhaseProcessed, Tick, run_tick


@click.command()
@click.argument("sources", metavar="[SOURCE]...", nargs=-1)
@click.option(
    "--process", "processes", is_flag=True, help="Resolve the phase once its deadline is past."
)
@click.option(
    "--quiet", is_flag=True, help="Do not print what a letter of today to you (gm_address) says."
)
@click.option(
    "--all",
    "all_in",
    type=PATH,
    is_flag=False,
    flag_value=Path(),
    metavar="[FOLDER]",
    help="All games in the subfolders of FOLDER; default where this folder is one of games.",
)
@json_option
@game_option
@game_lang_option
def tick(
    folder: Path | None,
    lang: str | None,
    sources: tuple[str, ...],
    processes: bool,
    quiet: bool,
    all_in: Path | None,
    as_json: bool,
) -> None:
    """Do what can be done without you: fetch, answer, remind, announce; for cron.

    Mail is fetched as 'inbox fetch' does, from each SOURCE or from the game's mailbox, if it has
    one.  What goes out is drafted, and sent if the settings receipts, reminders, announcements and
    reports say so.  A phase is resolved only with --process, once its deadline is past, and only if
    nothing is missing, no doubtful mail of a player about the phase waits for you, and no player
    asks to wait.  A line is printed for each thing done, and nothing if there was nothing to do.

    What holds the phase back after its deadline is printed, and the exit status is then 1, as it is
    if something failed.  With gm_address set, a mail tells you, once a day for each change.

    With --all, games that read the same mailbox have it fetched once, and each mail goes to its
    game; one that could belong to several waits, and its sender is asked.

    \b
    Example:
      alexmagnum tick --process --quiet
      alexmagnum tick --all games --process
    """
    if all_in is None and folder is None and is_folder_of_games(game_folder(folder)):
        all_in = game_folder(folder)
    if all_in is not None:
        tick_all(all_in, lang, sources, processes=processes, quiet=quiet, as_json=as_json)
        return
    with opened_desk(folder, lang) as (desk, sentences):
        done = run_tick(desk, sources, sys.stdin.buffer, processes=processes)
        if as_json:
            print_json([*map(event_json, done.events), *wait_json(done)])
        else:
            for event in done.events:
                click.echo(event_line(event, desk, sentences))
        print_waits(done, desk, sentences, quiet=quiet and done.told, as_json=as_json)
    if done.has_failed:
        raise SystemExit(1)


def tick_all(
    folder: Path,
    lang: str | None,
    sources: tuple[str, ...],
    *,
    processes: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Run the tick of every game in a folder, and print what each did below its name."""
    around = surroundings()

    def open_desk(path: Path) -> Desk:
        return Desk.open(path, around.now, around.entropy, around.actor)

    with refusals(lang), ExitStack() as stack:
        done = run_all_ticks(
            folder, open_desk, sources, sys.stdin.buffer, stack, processes=processes
        )
        if as_json:
            print_json([entry for game in done.games for entry in _game_entries(game)])
        told = any(game.tick is not None and game.tick.told for game in done.games)
        for game in done.games:
            _print_game(game, lang, quiet=quiet, as_json=as_json)
        sentences = load_sentences(choose_language(lang))
        for failure in done.failures if not (quiet and told) else ():
            click.echo(style(sentences.error(failure), "red"), err=True)
    if done.has_failed:
        raise SystemExit(1)


def _game_entries(game: GameTick) -> Iterator[dict[str, object]]:
    """Yield what a game's tick did, for machines, with the name of its folder."""
    name = {"game": game.folder.name}
    if game.tick is None:
        yield {**name, "what": "failed", "code": game.error.code if game.error else ""}
        return
    for entry in (*map(event_json, game.tick.events), *wait_json(game.tick)):
        yield {**name, **entry}


def _print_game(game: GameTick, lang: str | None, *, quiet: bool, as_json: bool) -> None:
    """Print what a game's tick did, each line with the name of the game's folder."""
    if game.desk is None or game.tick is None:
        said = format_refusal(game.folder, game.error, lang) if game.error else ""
        click.echo(style(f"{game.folder.name}: {said}", "red"), err=True)
        return
    sentences = load_sentences(lang or game.desk.lang)
    lines = [event_line(event, game.desk, sentences) for event in game.tick.events]
    for line in () if as_json else "\n".join(lines).splitlines():
        click.echo(f"{game.folder.name}: {line}")
    print_waits(
        game.tick,
        game.desk,
        sentences,
        quiet=quiet and game.tick.told,
        as_json=as_json,
        before=f"{game.folder.name}: ",
    )


def print_waits(
    done: Tick,
    desk: Desk,
    sentences: Sentences,
    *,
    quiet: bool,
    as_json: bool,
    before: str = "",
) -> None:
    """Print what the game waits for, and what failed, each line with some text before it."""
    if quiet:
        return
    if done.waits and not as_json:
        phase = describe_phase(done.situation, desk, sentences)
        click.echo(style(f"{before}{phase}", "yellow"))
        for line in list_waits(done.situation, desk, sentences):
            click.echo(f"{before}  {line}")
    for failure in done.failures:
        click.echo(style(f"{before}{sentences.error(failure)}", "red"), err=True)


def wait_json(done: Tick) -> list[dict[str, object]]:
    """Return what the game waits for, for machines: an entry if there is something to say."""
    if not done.waits and not done.failures:
        return []
    now_ = done.situation
    return [
        {
            "what": "waits",
            "phase": now_.phase,
            "deadline": now_.deadline,
            "past": now_.is_past,
            "held": now_.is_held,
            "missing": list(now_.missing),
            "blocks": list(now_.blocks),
            "asking": list(now_.asking),
            "mails": [
                {"id": m.id, "power": m.power, "sender": m.sender, "why": [w.code for w in m.why]}
                for m in now_.mails
            ],
            "returned": [letter.message.id for letter in now_.returned],
            "letters": [mailing.id for mailing in now_.stuck],
            "bots": [
                {"power": p.power, "bot": p.bot, "fault": p.bot_fault, "error": p.bot_error}
                for p in now_.bots
            ],
            "failed": [failure.code for failure in done.failures],
        }
    ]


def event_json(event: Event) -> dict[str, object]:
    """Return an event of a tick for machines."""
    match event:
        case Message(id=number, state=state, power=power):
            return {"what": "fetched", "id": number, "state": state, "power": power}
        case PhaseProcessed(phase):
            return {"what": "processed", "phase": phase}
        case Mailing(id=number, kind=kind, power=power):
            return {"what": "drafted", "id": number, "kind": kind, "power": power}
        case Delivery(mailing, state):
            what = "sent" if state == SENT else "kept"
            about = {"id": mailing.id, "kind": mailing.kind, "power": mailing.power}
            return {"what": what, **about, "failed": state != SENT}


def event_line(event: Event, desk: Desk, sentences: Sentences) -> str:
    """Return an event of a tick in a line; a message has the reasons for its state below it."""
    match event:
        case Message():
            return "\n".join(_message_lines(event, desk, sentences))
        case PhaseProcessed(phase):
            name = phase_words(phase, desk.board, sentences)
            return sentences.format("tick-processed", phase=name)
        case Mailing():
            return sentences.format("tick-drafted", letter=format_letter_label(event, sentences))
        case Delivery():
            return format_delivery(event, desk, sentences)


def _message_lines(message: Message, desk: Desk, sentences: Sentences) -> list[str]:
    line = sentences.format(
        "tick-fetched",
        number=message.id,
        sender=to_one_line(message.sender) or "?",
        state=sentences.format(f"inbox-state-{message.state}"),
    )
    return [line, *(f"  {format_why(why, desk.game, sentences)}" for why in message.why)]
