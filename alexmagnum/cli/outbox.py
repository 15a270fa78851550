"""The command ``outbox``: show, send and drop letters; draft reminders and announcements."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import click

from alexmagnum.cli import GameGroup
from alexmagnum.cli.base import Call, pick, style
from alexmagnum.cli.game_options import GameCall
from alexmagnum.errors import AlexMagnumError
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import OUTBOX
from alexmagnum.game.mail_store import DRAFT, SENDING, SENT, UNCERTAIN, Mailing
from alexmagnum.game.orders import require_open_phase
from alexmagnum.i18n.dates import parse_iso
from alexmagnum.i18n.sentences import Sentences, replace_unprintable
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.drafts import DraftedLetters
from alexmagnum.mail.outbox import DRAFTS, WITHDRAWN, Outbox
from alexmagnum.mail.parsing.mime import to_one_line
from alexmagnum.mail.sending import Delivery
from alexmagnum.workflow.publish import open_outbox, preview_sending, update_letters
from alexmagnum.workflow.publish import remind as remind_players
from alexmagnum.workflow.publish import send_letters as send_letters_

# Lines about letters for the terminal: one letter, new drafts, the result of sending.


def format_letter_label(mailing: Mailing, sentences: Sentences) -> str:
    """Return a letter as one line: ``12 report TOL anna@example.org``."""
    reader = mailing.power or sentences.format("outbox-standby")
    return f"{mailing.id} {_name_kind(mailing, sentences)} {reader} {mailing.address}"


def _name_kind(mailing: Mailing, sentences: Sentences) -> str:
    code = f"outbox-kind-{mailing.kind}"
    return sentences.format(code) if code in sentences.templates else mailing.kind


def print_letters(call: GameCall, letters: DraftedLetters) -> None:
    """Print new drafts, and the powers that have no address, for people or machines."""
    drafted = [
        {
            **pick(one, "id", "kind", "power"),
            "standby": one.key.standby,
            "address": one.address,
            "file": f"{DRAFTS}/{one.file}",
        }
        for one in Outbox(call.desk).find_several(letters.drafted)
    ]
    data = {"drafted": drafted, "unaddressed": letters.unaddressed}
    call.answer(data, _drafted_lines(call, letters))


def print_drafted_letters(call: GameCall, letters: DraftedLetters) -> None:
    """Print which letters were drafted or renewed, for people alone."""
    call.say(_drafted_lines(call, letters))


def _drafted_lines(call: GameCall, letters: DraftedLetters) -> Iterator[str]:
    """Yield which letters were drafted or renewed, and which powers have no address."""
    for code, numbers in (
        ("outbox-drafted", letters.drafted),
        ("outbox-renewed", letters.renewed),
        ("outbox-naming", letters.withdrawn),
    ):
        if numbers:
            readers = dict.fromkeys(
                call.name_power(one.power) if one.power else one.address
                for one in Outbox(call.desk).find_several(numbers)
            )
            yield call.format(code, count=len(numbers), powers=", ".join(readers))
    if letters.unaddressed and (letters.drafted or letters.renewed):
        powers = call.name_powers(dict.fromkeys(letters.unaddressed))
        yield style(call.format("outbox-unaddressed", powers=powers), "yellow")


def print_reconciled_letters(call: Call, letters: DraftedLetters) -> None:
    """Print how many drafts an undo withdrew and how many a redo brought back."""
    for code, count in (("outbox-withdrawn", letters.dropped), ("outbox-back", letters.back)):
        if count:
            call.say([call.format(code, count=count)])


def format_delivery(call: GameCall, delivery: Delivery) -> str:
    """Return a line that says whether a letter was sent, and if not, why."""
    letter = format_letter_label(delivery.mailing, call.sentences)
    if delivery.state == SENT:
        if call.desk.settings["transport"] == "files":
            return call.format(
                "outbox-left", letter=letter, path=f"{OUTBOX}/{delivery.mailing.file}"
            )
        return call.format("outbox-sent", letter=letter)
    assert delivery.problem is not None, "a letter that was not sent has a reason"
    why = call.sentences.error(delivery.problem)
    code = "outbox-unsure" if delivery.state == UNCERTAIN else "outbox-kept"
    return style(call.format(code, letter=letter, why=why), "red")


# The command ``outbox``: show, send and drop letters; draft reminders and announcements.


WITHOUT_SECRETS = ("deadline", "phase", "letter", "invitation", "waiting")
"""The kinds of letters that can contain no pending orders."""


@click.group(cls=GameGroup)
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
def list_letters(call: GameCall, everything: bool) -> None:
    """List the drafts, and the letters that may or may not have been sent.

    Each has its number, kind, power, phase, subject, size and age.

    \b
    Example:
      alexmagnum outbox list --all
    """
    box = open_outbox(call.desk)
    listed = box.list_letters(() if everything else (DRAFT, SENDING, UNCERTAIN))
    data = [
        {**letter_json(one), "subject": box.subject(one), "age": _find_age(call.desk, one)}
        for one in listed
    ]
    lines = list(_list_lines(call, box, listed)) if listed else [call.format("outbox-empty")]
    if kept := list((box.folder / DRAFTS / WITHDRAWN).glob("*.eml")):
        lines.append(style(call.format("outbox-kept-aside", count=len(kept)), "yellow"))
    if (states := Counter(mailing.state for mailing in listed))[UNCERTAIN]:
        text = call.format("outbox-uncertain", count=states[UNCERTAIN])
        lines.append(style(text, "red", bold=True))
    if states[DRAFT]:
        lines.append(call.format("outbox-drafts", count=states[DRAFT]))
    call.answer(data, lines)


def _list_lines(call: GameCall, box: Outbox, listed: Sequence[Mailing]) -> Iterator[str]:
    names = ("state", "kind", "power", "phase", "subject", "size", "age")
    rows = [["", *(call.format(f"outbox-column-{name}") for name in names)]]
    rows += [_letter_cells(call, box, mailing) for mailing in listed]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    uncertain = [False, *(mailing.state == UNCERTAIN for mailing in listed)]
    problems = [None, *(mailing.problem for mailing in listed)]
    for cells, is_uncertain, problem in zip(rows, uncertain, problems, strict=True):
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        why = f"  {call.sentences.error(problem)}" if problem is not None else ""
        yield style("  ".join(padded).rstrip() + why, "red" if is_uncertain else None)


def _letter_cells(call: GameCall, box: Outbox, mailing: Mailing) -> list[str]:
    return [
        str(mailing.id),
        call.format(f"outbox-state-{mailing.state}"),
        _name_kind(mailing, call.sentences),
        mailing.power or mailing.address,
        mailing.phase,
        to_one_line(box.subject(mailing)),
        f"{-(-mailing.size // 1024)} kB",
        _format_age(_find_age(call.desk, mailing), call.sentences),
    ]


def _find_age(desk: Desk, mailing: Mailing) -> int:
    return max(int((desk.now() - parse_iso(mailing.created)).total_seconds()), 0)


def _format_age(seconds: int, sentences: Sentences) -> str:
    if (minutes := seconds // 60) < 120:
        return sentences.format("outbox-age-minutes", count=minutes)
    if minutes < 2 * 24 * 60:
        return sentences.format("outbox-age-hours", count=minutes // 60)
    return sentences.format("outbox-age-days", count=minutes // (24 * 60))


def _letter_line(mailing: Mailing, sentences: Sentences) -> str:
    state = sentences.format(f"outbox-state-{mailing.state}")
    text = f"{state:<10} {format_letter_label(mailing, sentences)}"
    why = f": {sentences.error(mailing.problem)}" if mailing.problem is not None else ""
    return style(text + why, "red" if mailing.state == UNCERTAIN else None)


def letter_json(mailing: Mailing) -> dict[str, object]:
    """Return a letter as JSON data."""
    names = ("id", "kind", "power", "phase", "address", "message_id", "state", "created", "sent")
    return {
        **pick(mailing, *names, "attempts", "answers", "size"),
        "problem": _problem_json(mailing.problem),
        "file": f"{DRAFTS}/{mailing.file}" if mailing.state == DRAFT else "",
    }


def _problem_json(problem: AlexMagnumError | None) -> dict[str, object] | None:
    return None if problem is None else {"code": problem.code, **problem.data}


@outbox.command(reason=True, opened=True)
@click.argument("number", type=int)
def show(call: GameCall, number: int) -> None:
    """Show a letter: its recipient, subject and attachments; with --open its text.

    A receipt or a reminder contains pending orders, so its text is hidden without --open.

    \b
    Example:
      alexmagnum outbox show 1 --open
    """
    box = open_outbox(call.desk)
    mailing = box.find(number)
    message = box.message(number)
    readable = call.opened or mailing.kind in WITHOUT_SECRETS
    if readable and mailing.kind not in WITHOUT_SECRETS:
        call.desk.record("mail-open", power=mailing.power, reason=call.reason, letter=number)
    text = read_text(message) if readable else ""
    to, subject = str(message["To"]), str(message["Subject"])
    files = [part.get_filename() or "" for part in message.iter_attachments()]
    lines = (
        _letter_line(mailing, call.sentences),
        f"{call.format('outbox-to')}: {to_one_line(to)}",
        f"{call.format('outbox-subject')}: {to_one_line(subject)}",
        f"{call.format('outbox-files')}: {to_one_line(', '.join(files)) or '–'}",
        "\n" + (replace_unprintable(text.rstrip()) if readable else call.format("outbox-closed")),
    )
    shown = {"to": to, "subject": subject, "files": files, "text": text}
    call.answer({**letter_json(mailing), **shown}, lines)


# -- sending ---------------------------------------------------------------------------------------


@outbox.command("send", reason=True)
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
    call: GameCall, numbers: tuple[int, ...], dry_run: bool, again: tuple[int, ...], by_hand: bool
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
    box = open_outbox(call.desk)
    if by_hand:
        marked = [box.mark_sent(number, call.reason) for number in numbers]
        _print_letters(call, marked, "outbox-marked")
        return
    if dry_run:
        done = list(preview_sending(box, numbers, again))
    else:
        done = []
        for delivery in send_letters_(box, numbers, again, call.reason):
            done.append(delivery)
            call.say([format_delivery(call, delivery)])
    lines = [_dry_run_line(delivery, call.sentences) for delivery in done if dry_run]
    if not done:
        lines.append(call.format("outbox-nothing"))
    failed = any(delivery.state != SENT for delivery in done)
    call.answer(list(map(_delivery_json, done)), lines, failed=failed)


def _dry_run_line(delivery: Delivery, sentences: Sentences) -> str:
    letter = format_letter_label(delivery.mailing, sentences)
    if delivery.problem is None:
        return sentences.format("outbox-would", letter=letter)
    why = sentences.error(delivery.problem)
    return style(sentences.format("outbox-would-not", letter=letter, why=why), "yellow")


def _delivery_json(delivery: Delivery) -> dict[str, object]:
    named = pick(delivery.mailing, "id", "kind", "power", "address")
    return {**named, "state": delivery.state, "problem": _problem_json(delivery.problem)}


# -- by hand ---------------------------------------------------------------------------------------


@outbox.command(reason=True)
@click.argument("numbers", type=int, nargs=-1, required=True, metavar="NUMBER...")
def drop(call: GameCall, numbers: tuple[int, ...]) -> None:
    """Drop letters that were not sent; they are kept, but never sent.

    \b
    Example:
      alexmagnum outbox drop 1 --reason "I told Anna on the phone"
    """
    box = open_outbox(call.desk)
    _print_letters(call, [box.drop(number, call.reason) for number in numbers], "outbox-dropped")


def _print_letters(call: Call, done: Sequence[Mailing], code: str) -> None:
    labels = (format_letter_label(mailing, call.sentences) for mailing in done)
    call.answer(list(map(letter_json, done)), (call.format(code, letter=label) for label in labels))


# -- drafting letters ------------------------------------------------------------------------------


@outbox.command()
@click.option("--all", "everybody", is_flag=True, help="Tell every player what is due by when.")
def remind(call: GameCall, everybody: bool) -> None:
    """Draft a reminder to every player whose orders are missing; it names the units.

    After the deadline it says what happens if they do not come, and the others are told that the
    game waits, as the setting late_notice says.  No player is reminded twice on one day.

    --all drafts a letter to every player about the open phase, with the position and the deadline:
    reports contain this, so use it for the first phase and for players who join.

    \b
    Example:
      alexmagnum outbox remind
      alexmagnum outbox remind --all
    """
    if everybody:
        require_open_phase(call.desk)
        _print_new_letters(call, update_letters(call.desk, opening=True))
        return
    if not (made := remind_players(call.desk)).drafted:
        missing = any(power.is_lacking for power in call.desk.status().powers)
        call.say([call.format("outbox-reminded-already" if missing else "outbox-nobody-missing")])
    _print_new_letters(call, made)


def _print_new_letters(call: GameCall, letters: DraftedLetters) -> None:
    said = asdict(letters)
    data = {name: said[name] for name in said if name not in ("dropped", "back")}
    call.answer(data, _drafted_lines(call, letters))
