"""The commands ``inbox``, ``tick``, ``submit`` and ``orders``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path

import click

from alexmagnum.cli.base import choose_language, print_error, print_json, style
from alexmagnum.cli.game_options import (
    PATH,
    format_refusal,
    game_folder,
    local_stamp,
    opened_desk,
    phase_words,
    read_power,
    read_text_of,
    refusals,
    surroundings,
)
from alexmagnum.cli.outbox import format_delivery, format_letter_label
from alexmagnum.cli.shared import Command, Group
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Press, Receipt
from alexmagnum.game.inbox_store import ASIDE, BOUNCED, NEW, REJECTED, TAKEN, WAITING, Message
from alexmagnum.game.letters import SENT, Mailing
from alexmagnum.game.people import HELD, drop_press, read_press
from alexmagnum.i18n.sentences import Sentences, load_sentences, replace_unprintable
from alexmagnum.mail.inbox import Inbox, format_why
from alexmagnum.mail.parsing.mime import to_one_line
from alexmagnum.mail.receipts import find_kept_ahead, foot_lines, receipt_head, receipt_lines
from alexmagnum.mail.sending import Delivery
from alexmagnum.notation.names import power_name
from alexmagnum.report.phase_report import format_press_heading
from alexmagnum.workflow.changes import FetchedMail, fetch_mail
from alexmagnum.workflow.games import GameTick, is_folder_of_games, run_all_ticks
from alexmagnum.workflow.materials import submit_orders
from alexmagnum.workflow.situation import describe_phase, list_waits
from alexmagnum.workflow.tick import Event, PhaseProcessed, Tick, run_tick

# The command ``inbox``: fetch mail, look at it, accept or reject it.


_STATES = (TAKEN, WAITING, REJECTED, ASIDE, NEW)
_COLORS = {WAITING: "yellow", NEW: "yellow"}


@click.group(cls=Group)
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
def fetch(
    desk: Desk, sentences: Sentences, sources: tuple[str, ...], whole: bool, as_json: bool
) -> None:
    """Fetch mail and take the messages that are certain; the others wait for you.

    SOURCE is an .eml file, an mbox, a Maildir, a folder of .eml files, or '-' for standard input;
    without one the game's mailbox is read (setting imap_server).  Nothing
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
@click.option("--press", is_flag=True, help="The press held for the report of the open phase.")
def list_messages(
    desk: Desk, sentences: Sentences, everything: bool, press: bool, as_json: bool
) -> None:
    """List the messages that wait for your decision, with the reasons.

    \b
    Example:
      alexmagnum inbox list
      alexmagnum inbox list --press
    """
    if press:
        _list_press(desk, sentences, as_json)
        return
    listed = Inbox(desk).list_messages(*(() if everything else (WAITING, NEW)))
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
        click.echo(f"      {format_why(why, desk, sentences)}")


def _message_json(message: Message) -> dict[str, object]:
    """Return a message as JSON data."""
    why = [{"code": each.code, **each.data} for each in message.why]
    return {**asdict(message), "why": why}


@inbox.command()
@click.argument("number", type=int)
@click.option("--raw", is_flag=True, help="Print the message byte for byte (journaled).")
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
    box = Inbox(desk)
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
    message = Inbox(desk).accept(number, asked, reason)
    if as_json:
        print_json(_message_json(message))
    else:
        _print_message(message, desk, sentences)


@inbox.command()
@click.argument("numbers", metavar="NUMBER...", type=int, nargs=-1, required=True)
@click.option("--press", is_flag=True, help="Keep pieces of press, by number, out of the report.")
def reject(
    desk: Desk,
    sentences: Sentences,
    numbers: tuple[int, ...],
    press: bool,
    as_json: bool,
    reason: str,
) -> None:
    """Reject messages that wait.  The senders get no answer; the game file keeps the messages.

    \b
    Example:
      alexmagnum inbox reject 1
    """
    if press:
        for number in numbers:
            drop_press(desk, number, reason)
        _list_press(desk, sentences, as_json)
        return
    rejected = Inbox(desk).reject(numbers, reason)
    if as_json:
        print_json([_message_json(message) for message in rejected])
        return
    for message in rejected:
        _print_message(message, desk, sentences)


def _list_press(desk: Desk, sentences: Sentences, as_json: bool) -> None:
    held = read_press(desk, str(desk.head().name), (HELD,))
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


# ``tick``: everything that can be done without the game master, for cron.


@click.command(cls=Command)
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
def tick(
    game_path: Path | None,
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
    if all_in is None and is_folder_of_games(game_folder(game_path)):
        all_in = game_folder(game_path)
    if all_in is not None:
        tick_all(all_in, lang, sources, processes=processes, quiet=quiet, as_json=as_json)
        return
    with opened_desk(game_path, lang) as (desk, sentences):
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
    return [line, *(f"  {format_why(why, desk, sentences)}" for why in message.why)]


# The commands ``submit`` and ``orders``: enter orders, and show pending orders.
#
# The game master does not see orders: they are shown only with ``--open``, and the journal
# records that they were opened.


VERDICTS = ("good", "doubtful", "impossible", "unreadable", "ambiguous", "replaced", "untaken")
"""The verdicts on a line of a mail, except prose."""


@click.command(cls=Command)
@click.argument("power")
@click.argument("file", required=False, type=PATH)
def submit(
    desk: Desk,
    sentences: Sentences,
    power: str,
    file: Path | None,
    opened: bool,
    as_json: bool,
    reason: str,
) -> None:
    """Enter a power's orders for the open phase, as the player wrote them.

    They add to the orders that are in force, unit by unit, and the later order counts.  Begun with
    "all orders" or "annulla tutto" they replace them (see the setting second_mail).

    FILE is a text file; without it, or with '-', standard input is read.  The command prints
    figures, the units without an order, and the digest that seals the orders.  The receipt with
    every line is written for the player into the folder drafts.  Orders for later phases can
    follow under a heading (Retreats:, Builds:, Ritirate:, Costruzioni:).

    \b
    Example:
      alexmagnum submit TOL tolomeo.txt
    """
    asked = read_power(power, desk.board)
    text = read_text_of(file, sentences.lang)
    source = file.name if file else "-"
    submitted = submit_orders(desk, asked, text, source=source, reason=reason)
    receipt = submitted.receipt
    if opened:
        desk.pending(asked, reason=reason)
    if as_json:
        print_json(_receipt_json(receipt, opened))
        return
    if opened:
        click.echo("\n".join(receipt_lines(desk, receipt, sentences)))
    else:
        _print_figures(desk, receipt, sentences)
    click.echo(sentences.format("desk-draft", path=submitted.draft))


def _print_figures(desk: Desk, receipt: Receipt, sentences: Sentences) -> None:
    """Print the receipt without its orders."""
    click.echo(style(receipt_head(desk.position, receipt, sentences), bold=True))
    counts = Counter(line.verdict for line in receipt.lines if not line.ahead)
    for verdict in VERDICTS:
        if counts[verdict]:
            color = None if verdict == "good" else "yellow"
            click.echo(
                style(
                    f"  {sentences.format(f'desk-lines-{verdict}', count=counts[verdict])}", color
                )
            )
    ahead = len(find_kept_ahead(receipt))
    if ahead:
        click.echo(f"  {sentences.format('desk-lines-ahead', count=ahead)}")
    for line in _warning_lines(desk, receipt, sentences):
        click.echo(style(f"  {line}", "yellow"))
    for line in foot_lines(desk, receipt, sentences):
        click.echo(line)


def _warning_lines(desk: Desk, receipt: Receipt, sentences: Sentences) -> Iterator[str]:
    """Yield warnings that the mail may be for another phase or from another power."""
    second_hand = [line for line in receipt.lines if line.code == "second-hand"]
    if second_hand:
        powers = {str(line.data.get("power", "?")) for line in second_hand}
        named = ", ".join(power_name(desk.board, power, sentences) for power in sorted(powers))
        yield sentences.format("desk-second-hand", count=len(second_hand), powers=named)
    late = sum(line.code == "other-season" for line in receipt.lines)
    if late:
        yield sentences.format("desk-other-season", count=late)
    has_new_orders = any(line.verdict in ("good", "doubtful") for line in receipt.lines)
    if receipt.orders and not has_new_orders:
        yield sentences.format("desk-nothing-new")


def _receipt_json(receipt: Receipt, opened: bool) -> dict[str, object]:
    """Return the receipt as JSON data; its lines and orders only if they are opened."""
    data = asdict(receipt)
    lines = [{**line._asdict(), "data": dict(line.data)} for line in receipt.lines]
    data["lines"] = lines if opened else dict(Counter(line.verdict for line in receipt.lines))
    data["orders"] = list(receipt.orders) if opened else len(receipt.orders)
    data["earlier"] = list(receipt.earlier) if opened else len(receipt.earlier)
    return data


# -- orders ------------------------------------------------------------------------------------


@click.command(cls=Command)
@click.argument("power", required=False)
@click.option("--ahead", is_flag=True, help="Show the advance orders for later phases instead.")
def orders(
    desk: Desk,
    sentences: Sentences,
    power: str | None,
    opened: bool,
    ahead: bool,
    as_json: bool,
    reason: str,
) -> None:
    """Show the pending orders of one power or of all, as they were read.

    Without --open nothing is shown.  The journal records whose orders were opened.

    \b
    Example:
      alexmagnum orders TOL --open --reason "the player asked what I have"
    """
    if not opened:
        raise GameError("orders-closed")
    asked = read_power(power, desk.board) if power else None
    if ahead:
        _print_advance_orders(desk, sentences, asked, as_json, reason)
        return
    pending = desk.pending(asked, reason=reason)
    if as_json:
        print_json({name: list(listed) for name, listed in pending.items()})
        return
    for name, listed in pending.items():
        _print_orders(power_name(desk.board, name, sentences), listed, sentences)


def _print_advance_orders(
    desk: Desk, sentences: Sentences, power: str | None, as_json: bool, reason: str
) -> None:
    kept = desk.ahead(power, reason=reason)
    if as_json:
        print_json({p: {kind: list(o) for kind, o in k.items()} for p, k in kept.items()})
        return
    for name, kinds in kept.items():
        for kind, listed in kinds.items():
            title = power_name(desk.board, name, sentences)
            _print_orders(f"{title}, {sentences.format(f'ahead-{kind}')}", listed, sentences)


def _print_orders(title: str, orders: Iterable[str], sentences: Sentences) -> None:
    click.echo(style(title, bold=True))
    for order in list(orders) or [sentences.format("no-order")]:
        click.echo(f"  {order}")
