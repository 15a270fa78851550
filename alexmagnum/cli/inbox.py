"""The command ``inbox``: fetch mail, look at it, accept or reject it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict

import click

from alexmagnum.cli.arguments import read_power
from alexmagnum.cli.game_lines import local_stamp
from alexmagnum.cli.game_options import desk_command, json_option, reason_option
from alexmagnum.cli.output import print_error, print_json, style
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.inbox_store import ASIDE, NEW, REJECTED, TAKEN, WAITING, Message
from alexmagnum.game.press import HELD, drop_press, read_press
from alexmagnum.game.values import Press
from alexmagnum.i18n.sentences import Sentences, replace_unprintable
from alexmagnum.mail.identity import BOUNCED
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.parsing.decoding import to_one_line
from alexmagnum.mail.why_text import format_why
from alexmagnum.report.names import power_name
from alexmagnum.report.press_section import format_press_heading
from alexmagnum.workflow.inbox import FetchedMail, fetch_mail

_STATES = (TAKEN, WAITING, REJECTED, ASIDE, NEW)
_COLORS = {WAITING: "yellow", NEW: "yellow"}


@click.group()
def inbox() -> None:
    """Fetch mail, look at doubtful messages, accept or reject them.

    \b
    Example:
      alexmagnum inbox list
    """


# -- fetching --------------------------------------------------------------------------------------


@inbox.command()
@click.argument("sources", metavar="[SOURCE]...", nargs=-1)
@click.option("--whole", is_flag=True, help="Search the whole mailbox, not just the last weeks.")
@json_option
@desk_command
def fetch(
    desk: Desk, sentences: Sentences, sources: tuple[str, ...], whole: bool, as_json: bool
) -> None:
    """Fetch mail and take the messages that are certain; the others wait for you.

    SOURCE is an .eml file, an mbox, a Maildir, a folder of .eml files, or '-' for standard input;
    without one the game's mailbox is read (settings imap_host, imap_user, imap_folder).  Nothing
    is marked, moved or deleted in it.  Fetching the same mail again has no effect.

    \b
    Example:
      alexmagnum inbox fetch anna.eml
    """
    with _message_counter() as count:
        fetched = fetch_mail(desk, sources, sys.stdin.buffer, whole=whole, on_message=count)
    if as_json:
        messages = [_message_json(message) for message in fetched.messages]
        print_json({"found": fetched.seen, "messages": messages})
    else:
        for message in fetched.messages:
            _print_message(message, desk, sentences)
        _print_fetch_summary(fetched, desk, sentences)
    _exit_if_sources_failed(fetched.faults, sentences)


@contextmanager
def _message_counter() -> Iterator[Callable[[int], None]]:
    """Yield a function that shows on a terminal, every ten messages, how many there have been."""
    shown = sys.stderr.isatty()

    def count(number: int) -> None:
        if shown and number % 10 == 0:
            click.echo(f"\r{number}", err=True, nl=False)

    yield count
    if shown:
        click.echo("\r", err=True, nl=False)


def _print_fetch_summary(fetched: FetchedMail, desk: Desk, sentences: Sentences) -> None:
    """Print how many messages came in each state, and the commands to use next."""
    new = fetched.messages
    counts = Counter(message.state for message in new)
    parts = [f"{sentences.format(f'inbox-state-{s}')}: {counts[s]}" for s in _STATES if counts[s]]
    states = ", ".join(parts) or "–"
    click.echo(sentences.format("inbox-sum", seen=fetched.seen, new=len(new), states=states))
    _print_bounces(new, sentences)
    if counts[WAITING]:
        click.echo(sentences.format("inbox-next-list"))
    if counts[TAKEN]:
        answered = bool(desk.settings["mail_address"])
        click.echo(sentences.format("inbox-next-send" if answered else "inbox-no-answers"))


def _print_bounces(messages: Sequence[Message], sentences: Sentences) -> None:
    """Warn about each message which says that a letter could not be delivered."""
    for message in messages:
        if any(why.code == BOUNCED for why in message.why):
            addresses = to_one_line(message.why[0].data.get("addresses", ""))
            text = sentences.format("inbox-bounced", addresses=addresses)
            click.echo(style(text, "red"), err=True)


def _exit_if_sources_failed(faults: Sequence[GameError], sentences: Sentences) -> None:
    """Print the errors of the sources that failed, and end the command if there are any.

    Called last, so that the mail of the other sources is already in.
    """
    statuses = [print_error(fault, sentences.lang) for fault in faults]
    if statuses:
        sys.exit(max(statuses))


# -- showing ---------------------------------------------------------------------------------------


@inbox.command("list")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Also messages that were taken, rejected or set aside.",
)
@json_option
@desk_command
def list_messages(desk: Desk, sentences: Sentences, everything: bool, as_json: bool) -> None:
    """List the messages that wait for your decision, with the reasons.

    \b
    Example:
      alexmagnum inbox list
    """
    listed = Inbox(desk.game).list_messages(*(() if everything else (WAITING, NEW)))
    if as_json:
        print_json([_message_json(message) for message in listed])
        return
    for message in listed:
        _print_message(message, desk, sentences)
    if not listed:
        click.echo(sentences.format("inbox-empty"))
    elif any(message.state == WAITING for message in listed):
        click.echo(sentences.format("inbox-next-decide"))


def _print_message(message: Message, desk: Desk, sentences: Sentences) -> None:
    """Print a message on one line, and below it the reasons for its state."""
    state = sentences.format(f"inbox-state-{message.state}")
    power = power_name(desk.board, message.power, sentences) if message.power else "–"
    sender, subject = to_one_line(message.sender) or "?", to_one_line(message.subject)
    when = local_stamp(desk, message.received)
    line = f"{message.id:>4}  {state:<12} {when}  {power}  {sender}  {subject}".rstrip()
    click.echo(style(line, _COLORS.get(message.state)))
    for why in message.why:
        click.echo(f"      {format_why(why, desk.game, sentences)}")


def _message_json(message: Message) -> dict[str, object]:
    """Return a message as JSON data."""
    why = [{"code": each.code, **each.data} for each in message.why]
    return {**asdict(message), "why": why}


@inbox.command()
@click.argument("number", type=int)
@click.option("--open", "opened", is_flag=True, help="Show its text too (journaled).")
@click.option("--raw", is_flag=True, help="Print the message byte for byte (journaled).")
@json_option
@reason_option
@desk_command
def show(
    desk: Desk,
    sentences: Sentences,
    number: int,
    opened: bool,
    raw: bool,
    as_json: bool,
    reason: str,
) -> None:
    """Show a message: its sender, why it waits, what is odd about it; with --open its text.

    It may contain orders, so its text is hidden until you open it.

    \b
    Example:
      alexmagnum inbox show 1 --open --reason "is it really Anna?"
    """
    box = Inbox(desk.game)
    message = box.find(number)
    if opened or raw:
        desk.record("message-open", power=message.power, reason=reason, message=number)
    if raw:
        sys.stdout.buffer.write(box.raw(number))
        return
    read = box.read(number)
    if as_json:
        notes = [{"code": note.code, **note.data} for note in read.notes]
        texts = {"text": read.text, "removed": read.removed} if opened else {}
        print_json({**_message_json(message), "name": read.name, "notes": notes, **texts})
        return
    _print_message(message, desk, sentences)
    for note in read.notes:
        click.echo(f"      {sentences.format(f'note-{note.code}', **note.data)}")
    if not opened:
        click.echo(sentences.format("inbox-closed"))
        return
    click.echo(f"\n{replace_unprintable(read.text)}")
    if read.removed.strip():
        click.echo(f"\n{sentences.format('inbox-removed')}\n\n{replace_unprintable(read.removed)}")


# -- deciding --------------------------------------------------------------------------------------


@inbox.command()
@click.argument("number", type=int)
@click.option("--power", help="The power it is from (default: the one its sender or code names).")
@json_option
@reason_option
@desk_command
def accept(
    desk: Desk, sentences: Sentences, number: int, power: str | None, as_json: bool, reason: str
) -> None:
    """Take a message that waits, as if its sender had been certain.

    Its orders count for the open phase; the answer goes to the registered address.

    \b
    Example:
      alexmagnum inbox accept 1 --power TOL --reason "Anna called: it is her new address"
    """
    asked = read_power(power, desk.board) if power else ""
    message = Inbox(desk.game).accept(number, asked, reason)
    if as_json:
        print_json(_message_json(message))
    else:
        _print_message(message, desk, sentences)


@inbox.command()
@click.argument("numbers", metavar="NUMBER...", type=int, nargs=-1, required=True)
@json_option
@reason_option
@desk_command
def reject(
    desk: Desk, sentences: Sentences, numbers: tuple[int, ...], as_json: bool, reason: str
) -> None:
    """Reject messages that wait.  The senders get no answer; the game file keeps the messages.

    \b
    Example:
      alexmagnum inbox reject 1
    """
    rejected = Inbox(desk.game).reject(numbers, reason)
    if as_json:
        print_json([_message_json(message) for message in rejected])
        return
    for message in rejected:
        _print_message(message, desk, sentences)


# -- press -----------------------------------------------------------------------------------------


@inbox.command("press")
@click.option(
    "--drop", "number", type=int, metavar="N", help="Keep press item N out of the report."
)
@json_option
@reason_option
@desk_command
def show_press(
    desk: Desk, sentences: Sentences, number: int | None, as_json: bool, reason: str
) -> None:
    """Show the press that is held for the report of the open phase.

    \b
    Example:
      alexmagnum inbox press
    """
    if number is not None:
        drop_press(desk.game, number, reason)
    held = read_press(desk.game, str(desk.game.head().name), (HELD,))
    if as_json:
        print_json([asdict(piece) for piece in held])
        return
    for piece in held:
        _print_press(piece, desk, sentences)
    if not held:
        click.echo(sentences.format("inbox-no-press"))


def _print_press(piece: Press, desk: Desk, sentences: Sentences) -> None:
    head = format_press_heading(piece.sender, piece.readers, desk.board, sentences)
    unsigned = f" ({sentences.format('inbox-unsigned')})" if piece.manner == "anonymous" else ""
    click.echo(style(f"{piece.id:>4}  {head}{unsigned}", bold=True))
    click.echo("\n".join(f"      {line}" for line in replace_unprintable(piece.text).split("\n")))
