"""``outbox``: look at letters, send or drop them, draft reminders and announcements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from email.message import EmailMessage
from typing import Any

import click

from alexmagnum.cli.game_options import desk_command, json_option, reason_option
from alexmagnum.cli.letter_lines import format_delivery, format_letter_label, print_drafted_letters
from alexmagnum.cli.output import print_json, style
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.outbox_store import DRAFT, SENDING, SENT, UNCERTAIN, Mailing
from alexmagnum.i18n.sentences import Sentences, replace_unprintable
from alexmagnum.mail.letters.composition import read_text
from alexmagnum.mail.letters.phase_section import DraftedLetters
from alexmagnum.mail.parsing.decoding import to_one_line
from alexmagnum.mail.sending import Delivery
from alexmagnum.workflow.letters import draft_opening_letters
from alexmagnum.workflow.materials import Materials
from alexmagnum.workflow.outbox import draft_todays_reminders, open_outbox, preview_sending
from alexmagnum.workflow.outbox import send_letters as send_letters_

WITHOUT_SECRETS = ("deadline", "reminder", "phase")
"""The kinds of letters in which there can be no order that waits."""


@click.group()
def outbox() -> None:
    """Look at letters, send them once, or drop them.

    Everything that goes out is first a draft: a file in the folder drafts that you may read and
    change.  What is sent is the file as it then stands.

    \b
    Example:
      alexmagnum outbox send --dry-run
    """


# -- looking ---------------------------------------------------------------------------------------


@outbox.command("list")
@click.option("--all", "everything", is_flag=True, help="Those sent and dropped, too.")
@json_option
@desk_command
def list_letters(desk: Desk, sentences: Sentences, everything: bool, as_json: bool) -> None:
    """List the letters that wait, or nobody knows whether they went.

    \b
    Example:
      alexmagnum outbox list --all
    """
    box = open_outbox(desk)
    listed = box.list_letters(() if everything else (DRAFT, SENDING, UNCERTAIN))
    if as_json:
        print_json([letter_json(mailing) for mailing in listed])
        return
    for mailing in listed:
        click.echo(_line(mailing, sentences))
    if not listed:
        click.echo(sentences.format("outbox-empty"))
    for line in _advice(listed, sentences):
        click.echo(line)


def _line(mailing: Mailing, sentences: Sentences) -> str:
    state = sentences.format(f"outbox-state-{mailing.state}")
    text = f"{state:<10} {format_letter_label(mailing, sentences)}"
    why = f": {sentences.error(mailing.problem)}" if mailing.problem is not None else ""
    return style(text + why, "red" if mailing.state == UNCERTAIN else None)


def _advice(listed: Sequence[Mailing], sentences: Sentences) -> Iterator[str]:
    """Yield what the game master can do next with the listed letters."""
    uncertain = sum(mailing.state == UNCERTAIN for mailing in listed)
    if uncertain:
        yield style(sentences.format("outbox-uncertain", count=uncertain), "red", bold=True)
    drafts = sum(mailing.state == DRAFT for mailing in listed)
    if drafts:
        yield sentences.format("outbox-drafts", count=drafts)


def letter_json(mailing: Mailing) -> dict[str, object]:
    """Return a letter for machines."""
    problem = mailing.problem
    why = {"code": problem.code, **problem.data} if problem is not None else None
    file = f"drafts/{mailing.file}" if mailing.state == DRAFT else ""
    return {
        "id": mailing.id,
        "kind": mailing.kind,
        "power": mailing.power,
        "phase": mailing.phase,
        "address": mailing.address,
        "message_id": mailing.message_id,
        "state": mailing.state,
        "created": mailing.created,
        "sent": mailing.sent,
        "attempts": mailing.attempts,
        "answers": mailing.answers,
        "problem": why,
        "file": file,
    }


@outbox.command()
@click.argument("number", type=int)
@click.option("--open", "opened_", is_flag=True, help="With its text (journaled).")
@json_option
@reason_option
@desk_command
def show(
    desk: Desk, sentences: Sentences, number: int, opened_: bool, as_json: bool, reason: str
) -> None:
    """Show a letter: its address, subject and files; with --open its text.

    A receipt has orders in it that wait: that is why its text is closed.

    \b
    Example:
      alexmagnum outbox show 1 --open
    """
    box = open_outbox(desk)
    mailing = box.find(number)
    message = box.message(number)
    told = opened_ or mailing.kind in WITHOUT_SECRETS
    if told and mailing.kind not in WITHOUT_SECRETS:
        desk.record("mail-open", power=mailing.power, reason=reason, letter=number)
    text = read_text(message) if told else ""
    if as_json:
        print_json({**letter_json(mailing), **_read_header(message), "text": text})
        return
    click.echo(_line(mailing, sentences))
    shown = _read_header(message)
    click.echo(f"{sentences.format('outbox-to')}: {to_one_line(shown['to'])}")
    click.echo(f"{sentences.format('outbox-subject')}: {to_one_line(shown['subject'])}")
    click.echo(
        f"{sentences.format('outbox-files')}: {to_one_line(', '.join(shown['files'])) or '–'}"
    )
    click.echo(
        "\n" + (replace_unprintable(text.rstrip()) if told else sentences.format("outbox-closed"))
    )


def _read_header(message: EmailMessage) -> dict[str, Any]:
    files = [part.get_filename() or "" for part in message.iter_attachments()]
    return {"to": str(message["To"]), "subject": str(message["Subject"]), "files": files}


# -- sending ---------------------------------------------------------------------------------------


@outbox.command("send")
@click.argument("numbers", type=int, nargs=-1, metavar="[NUMBER]...")
@click.option("--dry-run", is_flag=True, help="Say what would be sent; nothing is.")
@click.option(
    "--again",
    type=int,
    multiple=True,
    metavar="NUMBER",
    help="Send a letter once more that has gone, or may have.",
)
@json_option
@reason_option
@desk_command
def send_letters(
    desk: Desk,
    sentences: Sentences,
    numbers: tuple[int, ...],
    dry_run: bool,
    again: tuple[int, ...],
    as_json: bool,
    reason: str,
) -> None:
    """Send the drafts, all or those named, each once, as its file now stands.

    One mail goes to each player.  A letter that is not taken stays here, with the reason.  One
    that was interrupted while it was sent is never sent again by itself: 'outbox list' shows it.

    \b
    Example:
      alexmagnum outbox send --dry-run
      alexmagnum outbox send
    """
    box = open_outbox(desk)
    if dry_run:
        done = list(preview_sending(box, numbers, again))
    else:
        done = []
        for delivery in send_letters_(box, numbers, again, reason):
            done.append(delivery)
            if not as_json:
                click.echo(format_delivery(delivery, desk, sentences))
    _tell_sent(done, desk, sentences, as_json, dry_run)


def _tell_sent(
    done: Sequence[Delivery], desk: Desk, sentences: Sentences, as_json: bool, dry_run: bool
) -> None:
    """Print the results of sending; a letter that was not sent makes the command fail."""
    if as_json:
        print_json([_delivery_json(delivery) for delivery in done])
    elif dry_run:
        for delivery in done:
            click.echo(_would_line(delivery, sentences))
    if not done and not as_json:
        click.echo(sentences.format("outbox-nothing"))
    if any(delivery.state != SENT for delivery in done):
        raise SystemExit(1)


def _would_line(delivery: Delivery, sentences: Sentences) -> str:
    letter = format_letter_label(delivery.mailing, sentences)
    if delivery.problem is None:
        return sentences.format("outbox-would", letter=letter)
    why = sentences.error(delivery.problem)
    return style(sentences.format("outbox-would-not", letter=letter, why=why), "yellow")


def _delivery_json(delivery: Delivery) -> dict[str, object]:
    problem = delivery.problem
    why = {"code": problem.code, **problem.data} if problem is not None else None
    mailing = delivery.mailing
    named = {"id": mailing.id, "kind": mailing.kind, "power": mailing.power}
    return {**named, "address": mailing.address, "state": delivery.state, "problem": why}


# -- by hand ---------------------------------------------------------------------------------------


@outbox.command()
@click.argument("numbers", type=int, nargs=-1, required=True, metavar="NUMBER...")
@json_option
@reason_option
@desk_command
def drop(
    desk: Desk, sentences: Sentences, numbers: tuple[int, ...], as_json: bool, reason: str
) -> None:
    """Drop letters that have not gone; they are kept, but never sent.

    \b
    Example:
      alexmagnum outbox drop 1 --reason "I told Anna on the phone"
    """
    box = open_outbox(desk)
    _tell(
        desk, sentences, [box.drop(number, reason) for number in numbers], "outbox-dropped", as_json
    )


@outbox.command("mark-sent")
@click.argument("numbers", type=int, nargs=-1, required=True, metavar="NUMBER...")
@json_option
@reason_option
@desk_command
def mark_sent(
    desk: Desk, sentences: Sentences, numbers: tuple[int, ...], as_json: bool, reason: str
) -> None:
    """Take letters for sent: you know that they went, or have sent them yourself.

    \b
    Example:
      alexmagnum outbox mark-sent 1
    """
    box = open_outbox(desk)
    done = [box.mark_sent(number, reason) for number in numbers]
    _tell(desk, sentences, done, "outbox-marked", as_json)


def _tell(
    desk: Desk, sentences: Sentences, done: Sequence[Mailing], code: str, as_json: bool
) -> None:
    if as_json:
        print_json([letter_json(mailing) for mailing in done])
        return
    for mailing in done:
        click.echo(sentences.format(code, letter=format_letter_label(mailing, sentences)))


# -- making letters --------------------------------------------------------------------------------


@outbox.command()
@json_option
@desk_command
def remind(desk: Desk, sentences: Sentences, as_json: bool) -> None:
    """Draft a reminder to every player whose orders are missing; it names the units.

    Nobody is reminded twice on one day.

    \b
    Example:
      alexmagnum outbox remind
    """
    made = draft_todays_reminders(desk, open_outbox(desk))
    if not as_json and not made.drafted:
        missing = any(power.given < power.wanted for power in desk.status().powers)
        click.echo(
            sentences.format("outbox-reminded-already" if missing else "outbox-nobody-missing")
        )
    _tell_made(desk, sentences, made, as_json)


@outbox.command()
@json_option
@desk_command
def announce(desk: Desk, sentences: Sentences, as_json: bool) -> None:
    """Draft a letter to everybody about the phase that is open: the position, the deadline.

    Reports do that by themselves; this is for the first phase, and for whoever joins.

    \b
    Example:
      alexmagnum outbox announce
    """
    if desk.phase is None:
        raise GameError("game-is-over")
    _tell_made(desk, sentences, draft_opening_letters(Materials(desk)), as_json)


def _tell_made(desk: Desk, sentences: Sentences, made: DraftedLetters, as_json: bool) -> None:
    if as_json:
        print_json(asdict(made))
    else:
        print_drafted_letters(desk, made, sentences)
