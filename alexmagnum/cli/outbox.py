"""The command ``outbox``: show, send and drop letters; draft reminders and announcements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import click

from alexmagnum.cli import Group
from alexmagnum.cli.base import print_answer, print_json, style
from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.letters import DRAFT, SENDING, SENT, UNCERTAIN, Mailing
from alexmagnum.i18n.dates import parse_iso, to_local
from alexmagnum.i18n.sentences import Sentences, replace_unprintable
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.letters import DraftedLetters
from alexmagnum.mail.outbox import DRAFTS, Outbox
from alexmagnum.mail.parsing.mime import to_one_line
from alexmagnum.mail.sending import Delivery
from alexmagnum.mail.transport import FOLDER
from alexmagnum.notation.names import power_name
from alexmagnum.workflow.materials import (
    open_outbox,
    preview_sending,
    update_letters,
)
from alexmagnum.workflow.materials import send_letters as send_letters_

# Lines about letters for the terminal: one letter, new drafts, the result of sending.


def format_letter_label(mailing: Mailing, sentences: Sentences) -> str:
    """Return a letter as one line: ``12 report TOL anna@example.org``."""
    reader = mailing.power or sentences.format("outbox-standby")
    return f"{mailing.id} {_name_kind(mailing, sentences)} {reader} {mailing.address}"


def _name_kind(mailing: Mailing, sentences: Sentences) -> str:
    code = f"outbox-kind-{mailing.kind}"
    return sentences.format(code) if code in sentences.templates else mailing.kind


def print_letters_json(desk: Desk, letters: DraftedLetters) -> None:
    """Print new drafts as JSON data, and the powers that have no address."""
    outbox = Outbox(desk)
    drafted = outbox.find_several(letters.drafted)
    print_json(
        {
            "drafted": [
                {
                    "id": one.id,
                    "kind": one.kind,
                    "power": one.power,
                    "standby": one.key.standby,
                    "address": one.address,
                    "file": f"{DRAFTS}/{one.file}",
                }
                for one in drafted
            ],
            "unaddressed": letters.unaddressed,
        }
    )


def print_drafted_letters(desk: Desk, letters: DraftedLetters, sentences: Sentences) -> None:
    """Print which letters were drafted or renewed, and for which powers an address is missing."""
    outbox = Outbox(desk)
    for code, numbers in (
        ("outbox-drafted", letters.drafted),
        ("outbox-renewed", letters.renewed),
        ("outbox-naming", letters.withdrawn),
    ):
        if numbers:
            readers = dict.fromkeys(
                power_name(desk.board, one.power, sentences) if one.power else one.address
                for one in outbox.find_several(numbers)
            )
            click.echo(sentences.format(code, count=len(numbers), powers=", ".join(readers)))
    if letters.unaddressed and (letters.drafted or letters.renewed):
        powers = dict.fromkeys(letters.unaddressed)
        names = (power_name(desk.board, power, sentences) for power in powers)
        text = sentences.format("outbox-unaddressed", powers=", ".join(names))
        click.echo(style(text, "yellow"))


def print_reconciled_letters(letters: DraftedLetters, sentences: Sentences) -> None:
    """Print how many drafts an undo withdrew and how many a redo brought back."""
    for code, count in (("outbox-withdrawn", letters.dropped), ("outbox-back", letters.back)):
        if count:
            click.echo(sentences.format(code, count=count))


def format_delivery(delivery: Delivery, desk: Desk, sentences: Sentences) -> str:
    """Return a line that says whether a letter was sent, and if not, why."""
    letter = format_letter_label(delivery.mailing, sentences)
    if delivery.state == SENT:
        if desk.settings["transport"] == "files":
            return sentences.format(
                "outbox-left", letter=letter, path=f"{FOLDER}/{delivery.mailing.file}"
            )
        return sentences.format("outbox-sent", letter=letter)
    assert delivery.problem is not None, "a letter that was not sent has a reason"
    why = sentences.error(delivery.problem)
    code = "outbox-unsure" if delivery.state == UNCERTAIN else "outbox-kept"
    return style(sentences.format(code, letter=letter, why=why), "red")


# The command ``outbox``: show, send and drop letters; draft reminders and announcements.


WITHOUT_SECRETS = ("deadline", "phase", "letter", "invitation")
"""The kinds of letters that can contain no pending orders."""


@click.group(cls=Group)
def outbox() -> None:
    """Show letters, send each of them once, or drop them.

    Every letter is first a draft: a file in the folder drafts that you can read and change.
    Sending takes the file as it is at that moment.

    \b
    Example:
      alexmagnum outbox send --dry-run
    """


# -- showing ---------------------------------------------------------------------------------------


@outbox.command("list")
@click.option("--all", "everything", is_flag=True, help="Also letters that were sent or dropped.")
def list_letters(desk: Desk, sentences: Sentences, everything: bool, as_json: bool) -> None:
    """List the drafts, and the letters that may or may not have been sent.

    Each has its number, kind, power, phase, subject, size and age.

    \b
    Example:
      alexmagnum outbox list --all
    """
    box = open_outbox(desk)
    listed = box.list_letters(() if everything else (DRAFT, SENDING, UNCERTAIN))
    data = [
        {**letter_json(one), "subject": box.subject(one), "age": _find_age(desk, one)}
        for one in listed
    ]
    lines = list(_table_lines(desk, box, listed, sentences)) if listed else []
    kept = box.list_withdrawn_files()
    advice = (
        [style(sentences.format("outbox-kept-aside", count=len(kept)), "yellow")] if kept else []
    )
    advice += _advice_lines(listed, sentences)
    print_answer(as_json, data, [*(lines or [sentences.format("outbox-empty")]), *advice])


def _table_lines(
    desk: Desk, box: Outbox, listed: Sequence[Mailing], sentences: Sentences
) -> Iterator[str]:
    names = ("state", "kind", "power", "phase", "subject", "size", "age")
    rows = [["", *(sentences.format(f"outbox-column-{name}") for name in names)]]
    rows += [_letter_cells(desk, box, mailing, sentences) for mailing in listed]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    uncertain = [False, *(mailing.state == UNCERTAIN for mailing in listed)]
    problems = [None, *(mailing.problem for mailing in listed)]
    for cells, is_uncertain, problem in zip(rows, uncertain, problems, strict=True):
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        why = f"  {sentences.error(problem)}" if problem is not None else ""
        yield style("  ".join(padded).rstrip() + why, "red" if is_uncertain else None)


def _letter_cells(desk: Desk, box: Outbox, mailing: Mailing, sentences: Sentences) -> list[str]:
    return [
        str(mailing.id),
        sentences.format(f"outbox-state-{mailing.state}"),
        _name_kind(mailing, sentences),
        mailing.power or mailing.address,
        mailing.phase,
        to_one_line(box.subject(mailing)),
        f"{-(-mailing.size // 1024)} kB",
        _format_age(_find_age(desk, mailing), sentences),
    ]


def _find_age(desk: Desk, mailing: Mailing) -> int:
    return max(int((desk.now() - parse_iso(mailing.created)).total_seconds()), 0)


def _format_age(seconds: int, sentences: Sentences) -> str:
    minutes = seconds // 60
    if minutes < 120:
        return sentences.format("outbox-age-minutes", count=minutes)
    if minutes < 2 * 24 * 60:
        return sentences.format("outbox-age-hours", count=minutes // 60)
    return sentences.format("outbox-age-days", count=minutes // (24 * 60))


def _letter_line(mailing: Mailing, sentences: Sentences) -> str:
    state = sentences.format(f"outbox-state-{mailing.state}")
    text = f"{state:<10} {format_letter_label(mailing, sentences)}"
    why = f": {sentences.error(mailing.problem)}" if mailing.problem is not None else ""
    return style(text + why, "red" if mailing.state == UNCERTAIN else None)


def _advice_lines(listed: Sequence[Mailing], sentences: Sentences) -> Iterator[str]:
    uncertain = sum(mailing.state == UNCERTAIN for mailing in listed)
    if uncertain:
        yield style(sentences.format("outbox-uncertain", count=uncertain), "red", bold=True)
    drafts = sum(mailing.state == DRAFT for mailing in listed)
    if drafts:
        yield sentences.format("outbox-drafts", count=drafts)


def letter_json(mailing: Mailing) -> dict[str, object]:
    """Return a letter as JSON data."""
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
        "size": mailing.size,
        "problem": _problem_json(mailing.problem),
        "file": file,
    }


def _problem_json(problem: AlexMagnumError | None) -> dict[str, object] | None:
    return None if problem is None else {"code": problem.code, **problem.data}


@outbox.command()
@click.argument("number", type=int)
def show(
    desk: Desk, sentences: Sentences, number: int, opened: bool, as_json: bool, reason: str
) -> None:
    """Show a letter: its recipient, subject and attachments; with --open its text.

    A receipt or a reminder contains pending orders, so its text is hidden without --open.

    \b
    Example:
      alexmagnum outbox show 1 --open
    """
    box = open_outbox(desk)
    mailing = box.find(number)
    message = box.message(number)
    readable = opened or mailing.kind in WITHOUT_SECRETS
    if readable and mailing.kind not in WITHOUT_SECRETS:
        desk.record("mail-open", power=mailing.power, reason=reason, letter=number)
    text = read_text(message) if readable else ""
    to, subject = str(message["To"]), str(message["Subject"])
    files = [part.get_filename() or "" for part in message.iter_attachments()]
    body = replace_unprintable(text.rstrip()) if readable else sentences.format("outbox-closed")
    lines = (
        _letter_line(mailing, sentences),
        f"{sentences.format('outbox-to')}: {to_one_line(to)}",
        f"{sentences.format('outbox-subject')}: {to_one_line(subject)}",
        f"{sentences.format('outbox-files')}: {to_one_line(', '.join(files)) or '–'}",
        "\n" + body,
    )
    shown = {"to": to, "subject": subject, "files": files, "text": text}
    print_answer(as_json, {**letter_json(mailing), **shown}, lines)


# -- sending ---------------------------------------------------------------------------------------


@outbox.command("send")
@click.argument("numbers", type=int, nargs=-1, metavar="[NUMBER]...")
@click.option("--dry-run", is_flag=True, help="List what would be sent, and send nothing.")
@click.option(
    "--again",
    type=int,
    multiple=True,
    metavar="NUMBER",
    help="Send a letter again that was sent, or may have been.",
)
@click.option("--by-hand", is_flag=True, help="You sent those named yourself: mark them as sent.")
def send_letters(
    desk: Desk,
    sentences: Sentences,
    numbers: tuple[int, ...],
    dry_run: bool,
    again: tuple[int, ...],
    by_hand: bool,
    as_json: bool,
    reason: str,
) -> None:
    """Send all drafts, or those named, once each, with their files as they are now.

    Each player gets a mail of their own.  A letter that the server refuses stays a draft, with the
    reason.  A letter interrupted during sending is not sent again unless you ask for it with
    --again: 'outbox list' shows it; --by-hand marks one as sent that you know was.

    \b
    Example:
      alexmagnum outbox send --dry-run
      alexmagnum outbox send
    """
    if by_hand and (dry_run or again or not numbers):
        raise click.UsageError("--by-hand marks the letters that are named, and sends none.")
    box = open_outbox(desk)
    if by_hand:
        marked = [box.mark_sent(number, reason) for number in numbers]
        _print_letters(sentences, marked, "outbox-marked", as_json)
        return
    if dry_run:
        done = list(preview_sending(box, numbers, again))
    else:
        done = []
        for delivery in send_letters_(box, numbers, again, reason):
            done.append(delivery)
            if not as_json:
                click.echo(format_delivery(delivery, desk, sentences))
    _print_deliveries(done, sentences, as_json, dry_run)


def _print_deliveries(
    done: Sequence[Delivery], sentences: Sentences, as_json: bool, dry_run: bool
) -> None:
    lines = [_dry_run_line(delivery, sentences) for delivery in done] if dry_run else []
    nothing = [] if done else [sentences.format("outbox-nothing")]
    print_answer(as_json, list(map(_delivery_json, done)), [*lines, *nothing])
    if any(delivery.state != SENT for delivery in done):
        raise SystemExit(1)


def _dry_run_line(delivery: Delivery, sentences: Sentences) -> str:
    letter = format_letter_label(delivery.mailing, sentences)
    if delivery.problem is None:
        return sentences.format("outbox-would", letter=letter)
    why = sentences.error(delivery.problem)
    return style(sentences.format("outbox-would-not", letter=letter, why=why), "yellow")


def _delivery_json(delivery: Delivery) -> dict[str, object]:
    letter = letter_json(delivery.mailing)
    named = {key: letter[key] for key in ("id", "kind", "power", "address")}
    return {**named, "state": delivery.state, "problem": _problem_json(delivery.problem)}


# -- by hand ---------------------------------------------------------------------------------------


@outbox.command()
@click.argument("numbers", type=int, nargs=-1, required=True, metavar="NUMBER...")
def drop(
    desk: Desk, sentences: Sentences, numbers: tuple[int, ...], as_json: bool, reason: str
) -> None:
    """Drop letters that were not sent; they are kept, but never sent.

    \b
    Example:
      alexmagnum outbox drop 1 --reason "I told Anna on the phone"
    """
    box = open_outbox(desk)
    dropped = [box.drop(number, reason) for number in numbers]
    _print_letters(sentences, dropped, "outbox-dropped", as_json)


def _print_letters(sentences: Sentences, done: Sequence[Mailing], code: str, as_json: bool) -> None:
    labels = (format_letter_label(mailing, sentences) for mailing in done)
    lines = (sentences.format(code, letter=label) for label in labels)
    print_answer(as_json, list(map(letter_json, done)), lines)


# -- drafting letters ------------------------------------------------------------------------------


@outbox.command()
@click.option("--all", "everybody", is_flag=True, help="Tell every player what is due by when.")
def remind(desk: Desk, sentences: Sentences, everybody: bool, as_json: bool) -> None:
    """Draft a reminder to every player whose orders are missing; it names the units.

    No player is reminded twice on one day.  --all drafts a letter to every player about the open
    phase, with the position and the deadline: reports contain this, so use it for the first phase
    and for players who join.

    \b
    Example:
      alexmagnum outbox remind
      alexmagnum outbox remind --all
    """
    if desk.phase is None:
        raise GameError("game-is-over")
    if everybody:
        _print_new_letters(desk, sentences, update_letters(desk, opening=True), as_json)
        return
    open_outbox(desk)
    today = to_local(desk.now(), desk.settings["timezone"]).date().isoformat()
    made = update_letters(desk, day=today)
    if not as_json and not made.drafted:
        missing = any(power.is_lacking for power in desk.status().powers)
        click.echo(
            sentences.format("outbox-reminded-already" if missing else "outbox-nobody-missing")
        )
    _print_new_letters(desk, sentences, made, as_json)


def _print_new_letters(
    desk: Desk, sentences: Sentences, letters: DraftedLetters, as_json: bool
) -> None:
    if as_json:
        said = asdict(letters)
        print_json({name: said[name] for name in said if name not in ("dropped", "back")})
    else:
        print_drafted_letters(desk, letters, sentences)
