"""``tick``: everything that can be done without the game master, for cron."""

from __future__ import annotations

import sys

import click

from alexmagnum.cli.game_lines import phase_words
from alexmagnum.cli.game_options import desk_command, json_option
from alexmagnum.cli.letter_lines import format_delivery, format_letter_label
from alexmagnum.cli.output import print_json, style
from alexmagnum.game.desk import Desk
from alexmagnum.game.inbox_store import Message
from alexmagnum.game.outbox_store import SENT, Mailing
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.parsing.decoding import to_one_line
from alexmagnum.mail.sending import Delivery
from alexmagnum.mail.why_text import format_why
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
@json_option
@desk_command
def tick(
    desk: Desk,
    sentences: Sentences,
    sources: tuple[str, ...],
    processes: bool,
    quiet: bool,
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

    \b
    Example:
      alexmagnum tick --process --quiet
    """
    done = run_tick(desk, sources, sys.stdin.buffer, processes=processes)
    if as_json:
        print_json([*map(event_json, done.events), *wait_json(done)])
    else:
        for event in done.events:
            click.echo(event_line(event, desk, sentences))
    print_waits(done, desk, sentences, quiet=quiet and done.told, as_json=as_json)
    if done.has_failed:
        raise SystemExit(1)


def print_waits(
    done: Tick, desk: Desk, sentences: Sentences, *, quiet: bool, as_json: bool
) -> None:
    """Print what the game waits for, and what failed."""
    if quiet:
        return
    if done.waits and not as_json:
        click.echo(style(describe_phase(done.situation, desk, sentences), "yellow"))
        for line in list_waits(done.situation, desk, sentences):
            click.echo(f"  {line}")
    for failure in done.failures:
        click.echo(style(sentences.error(failure), "red"), err=True)


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
            "letters": [mailing.id for mailing in now_.stuck],
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
