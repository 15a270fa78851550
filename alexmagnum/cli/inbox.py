"""The commands ``inbox``, ``tick``, ``submit`` and ``orders``."""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path

import click

from alexmagnum.cli import Command, GameCommand, GameGroup, game_options
from alexmagnum.cli.base import PATH, Call, pick, print_error, print_json, style
from alexmagnum.cli.game_options import GameCall, format_refusal, open_folder, read_text_of
from alexmagnum.cli.outbox import format_delivery, format_letter_label, print_letters
from alexmagnum.cli.status import tray_lines
from alexmagnum.errors import GameError
from alexmagnum.files import bound_orders
from alexmagnum.game import mail_store as mails
from alexmagnum.game.game import Receipt
from alexmagnum.game.people import HELD, LEFT_OUT, drop_press, read_press
from alexmagnum.i18n.sentences import replace_unprintable
from alexmagnum.mail.inbox import Inbox, format_why
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.parsing.commands import find_votes_in_subject
from alexmagnum.mail.parsing.mime import to_one_line
from alexmagnum.mail.parsing.passages import Words, looks_like_order
from alexmagnum.mail.sending import Delivery
from alexmagnum.mail.tray import answer_passage, close_passages
from alexmagnum.report.phase_report import format_press_heading
from alexmagnum.report.receipt import ReceiptText, find_kept_ahead
from alexmagnum.workflow import tick as ticking
from alexmagnum.workflow.changes import fetch_mail
from alexmagnum.workflow.publish import submit_orders
from alexmagnum.workflow.situation import describe_passage, describe_phase, list_tray, list_waits

# The command ``inbox``: fetch mail, look at it, accept or reject it.


_LONGEST_QUOTE = 200  # characters of each thing that a player said

_STATES = (mails.TAKEN, mails.WAITING, mails.REJECTED, mails.ASIDE, mails.NEW)


@click.group(cls=GameGroup)
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
def fetch(call: GameCall, sources: tuple[str, ...], whole: bool) -> None:
    """Fetch mail and take the messages that are certain; the others wait for you.

    SOURCE is an .eml file, an mbox, a Maildir, a folder of .eml files, or '-' for standard input;
    without one the game's mailbox is read (setting imap_server).  Nothing
    is marked, moved or deleted in it.  Fetching the same mail again has no effect.

    \b
    Example:
      alexmagnum inbox fetch anna.eml
    """
    shown = sys.stderr.isatty()

    def count(number: int) -> None:
        if shown and number % 10 == 0:
            click.echo(f"\r{number}", err=True, nl=False)

    fetched = fetch_mail(call.desk, sources, sys.stdin.buffer, whole=whole, on_message=count)
    if shown:
        click.echo("\r", err=True, nl=False)
    new = _hide_orders(call, fetched.new)
    messages = list(map(_message_json, new))
    call.answer({"found": fetched.seen, "messages": messages}, _message_lines(call, new))
    if not call.as_json:
        _print_fetch_summary(call, fetched)
    # At the end, because the mail of the other sources is in.
    if statuses := [print_error(fault, call.sentences.lang) for fault in fetched.faults]:
        sys.exit(max(statuses))


def _print_fetch_summary(call: GameCall, fetched: Inbox) -> None:
    """Print how many messages came in each state, what came back, and the commands to use next."""
    new = fetched.new
    counts = Counter(message.state for message in new)
    parts = [f"{call.format(f'inbox-state-{s}')}: {counts[s]}" for s in _STATES if counts[s]]
    states = ", ".join(parts) or "–"
    click.echo(call.format("inbox-sum", seen=fetched.seen, new=len(new), states=states))
    for message in new:
        if any(why.code in (mails.BOUNCED, mails.BOUNCED_PERHAPS) for why in message.why):
            addresses = to_one_line(message.why[0].data.get("addresses", ""))
            call.warn(call.format("inbox-bounced", addresses=addresses), "red")
    if counts[mails.WAITING]:
        click.echo(call.format("inbox-next-list"))
    if counts[mails.TAKEN]:
        answered = bool(call.desk.settings["mail_address"])
        click.echo(call.format("inbox-next-send" if answered else "inbox-no-answers"))


# -- showing ---------------------------------------------------------------------------------------


@inbox.command("list")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Also messages that were taken, rejected or set aside.",
)
@click.option("--press", is_flag=True, help="The press held for the report of the open phase.")
@click.option(
    "--tray", is_flag=True, help="What players said to you; with --all what is done, too."
)
def list_messages(call: GameCall, everything: bool, press: bool, tray: bool) -> None:
    """List the messages that wait for your decision, with the reasons.

    --tray shows all that is neither order, command nor press to others in the mails of players.

    \b
    Example:
      alexmagnum inbox list
      alexmagnum inbox list --press
    """
    if press:
        _list_press(call)
        return
    store = Inbox(call.desk).store
    if tray:
        passages = store.find_passages(closed=everything)
        lines = list(tray_lines(call, passages)) or [call.format("inbox-tray-empty")]
        call.answer(list(map(asdict, passages)), lines)
        return
    listed = _hide_orders(call, store.find_all(*(() if everything else (mails.WAITING, mails.NEW))))
    lines = list(_message_lines(call, listed)) or [call.format("inbox-empty")]
    if any(message.state == mails.WAITING for message in listed):
        lines.append(call.format("inbox-next-decide"))
    lines += list_tray(store.find_passages(), call.sentences)
    call.answer(list(map(_message_json, listed)), lines)


def _message_lines(call: GameCall, messages: Iterable[mails.Message]) -> Iterator[str]:
    """Yield each message as one line, and below it the reasons for its state."""
    box = Inbox(call.desk)
    for message in messages:
        state = call.format(f"inbox-state-{message.state}")
        power = call.name_power(message.power) if message.power else "–"
        sender, subject = to_one_line(message.sender) or "?", to_one_line(message.subject)
        when = call.stamp(message.received)
        line = f"{message.id:>4}  {state:<12} {when}  {power}  {sender}  {subject}".rstrip()
        yield style(line, "yellow" if message.state in (mails.WAITING, mails.NEW) else None)
        late = box.find_late_doubt(message) if message.state == mails.WAITING else None
        more = () if late is None or late in message.why else (late,)
        for why in (*message.why, *more):
            yield f"      {format_why(why, call.desk, call.sentences)}"
        yield from (f"      {said}" for said in _list_said(call, message))


def _hide_orders(call: GameCall, messages: Iterable[mails.Message]) -> list[mails.Message]:
    """Return messages with a mark for each subject that may have an order."""
    return [replace(one, subject=LEFT_OUT) if _may_be_order(call, one) else one for one in messages]


def _may_be_order(call: GameCall, message: mails.Message) -> bool:
    subject, powers = to_one_line(message.subject), call.desk.base.powers
    words = Words.of((), call.desk.position, [message.power] if message.power else powers)
    pieces = map(str.strip, re.split("[:;,()]", subject))
    is_order = words.is_hidden(subject) or any(map(looks_like_order, pieces))
    read = (not line.prose for line in words.read(subject))
    return is_order or bool(find_votes_in_subject(subject, call.desk.base)) or any(read)


def _list_said(call: GameCall, message: mails.Message) -> Iterator[str]:
    """Yield what a message says to the game master, if that still waits, a line for each part."""
    passage = mails.InboxStore(call.desk.file).find_passage(message.id)
    if passage is not None and not passage.done:
        _, *said = describe_passage(passage, call.desk, call.sentences, _LONGEST_QUOTE)
        yield from (f"{call.format('tray-for-you')} {replace_unprintable(text)}" for text in said)


def _message_json(message: mails.Message) -> dict[str, object]:
    return {**asdict(message), "why": [{"code": each.code, **each.data} for each in message.why]}


@inbox.command(reason=True, opened=True)
@click.argument("number", type=int)
@click.option("--raw", is_flag=True, help="Print the message byte for byte (journaled).")
def show(call: GameCall, number: int, raw: bool) -> None:
    """Show a message: its sender, why it waits, what is odd about it; with --open its text.

    It may contain orders, so its text is hidden until you open it.  With --raw a terminal gets all
    that would steer it spelled out; a file or another program gets every byte.

    \b
    Example:
      alexmagnum inbox show 1 --open --reason "is it really Anna?"
    """
    box = Inbox(call.desk)
    message = box.store.find(number)
    if call.opened or raw:
        call.desk.record("message-open", power=message.power, reason=call.reason, message=number)
    if raw:
        data = box.store.raw(number)
        text = data.decode(errors="backslashreplace").replace("\r\n", "\n")
        click.echo(replace_unprintable(text) if sys.stdout.isatty() else data, nl=False)
        return
    read = box.read(message)
    message = message if call.opened else _hide_orders(call, [message])[0]
    notes = [{"code": note.code, **note.data} for note in read.notes]
    texts = {"text": read.text, "removed": read.removed} if call.opened else {}
    lines = list(_message_lines(call, [message]))
    lines += [f"      {call.format(f'note-{note.code}', **note.data)}" for note in read.notes]
    lines.append(
        f"\n{replace_unprintable(read.text)}" if call.opened else call.format("inbox-closed")
    )
    if call.opened and read.removed.strip():
        lines.append(f"\n{call.format('inbox-removed')}\n\n{replace_unprintable(read.removed)}")
    call.answer({**_message_json(message), "name": read.name, "notes": notes, **texts}, lines)


# -- deciding --------------------------------------------------------------------------------------


@inbox.command(reason=True)
@click.argument("numbers", metavar="NUMBER...", type=int, nargs=-1, required=True)
@click.option("--power", help="The power it is from (default: the one its sender or code names).")
@click.option("--anyway", is_flag=True, help="Also what came before the phase or later orders.")
def accept(call: GameCall, numbers: tuple[int, ...], power: str | None, anyway: bool) -> None:
    """Take messages that wait, as if their senders had been certain.

    Their orders count for the open phase; the answers go to the registered addresses.  A message
    that came before the phase was opened, or before orders that were accepted, needs --anyway.

    \b
    Example:
      alexmagnum inbox accept 1 --power TOL --reason "Anna called: it is her new address"
    """
    asked = call.parse_power(power) if power else ""
    box, different = Inbox(call.desk), tuple(dict.fromkeys(numbers))
    for number in different:
        row = box.find_acceptable(number, asked)  # none is taken if one of them cannot be
        if not anyway and (doubt := box.find_late_doubt(row, asked)):
            why = format_why(doubt, call.desk, call.sentences)
            raise GameError("accept-late", number=str(number), why=why)
    accepted = _hide_orders(call, [box.accept(number, asked, call.reason) for number in different])
    data = list(map(_message_json, accepted))
    call.answer(data if len(data) > 1 else data[0], _message_lines(call, accepted))


@inbox.command(reason=True)
@click.argument("numbers", metavar="NUMBER...", type=int, nargs=-1, required=True)
@click.option("--press", is_flag=True, help="Keep pieces of press, by number, out of the report.")
def reject(call: GameCall, numbers: tuple[int, ...], press: bool) -> None:
    """Reject messages that wait.  The senders get no answer; the game file keeps the messages.

    \b
    Example:
      alexmagnum inbox reject 1
    """
    if press:
        for number in numbers:
            drop_press(call.desk, number, call.reason)
        _list_press(call)
        return
    rejected = _hide_orders(call, Inbox(call.desk).reject(numbers, call.reason))
    call.answer(list(map(_message_json, rejected)), _message_lines(call, rejected))


@inbox.command(reason=True)
@click.argument("number", type=int)
@click.argument("file", type=PATH, required=False)
@click.option("--text", default="", metavar="TEXT", help="Your answer, in place of FILE.")
def reply(call: GameCall, number: int, file: Path | None, text: str) -> None:
    """Answer what a player said to you in message NUMBER, and put it away.

    The text comes from --text, from FILE, or from standard input.  The player gets a letter from
    the game; it goes with 'outbox send' or the next 'tick', whatever the settings say.

    \b
    Example:
      alexmagnum inbox reply 1 --text "Two more days are fine."
    """
    written = text or read_text_of(file, call.sentences.lang)
    print_letters(call, answer_passage(Outbox(call.desk), number, written, call.reason))


@inbox.command(reason=True)
@click.argument("numbers", metavar="NUMBER...", type=int, nargs=-1, required=True)
def done(call: GameCall, numbers: tuple[int, ...]) -> None:
    """Put away what players said to you in some messages.  Nobody hears of it.

    \b
    Example:
      alexmagnum inbox done 1
    """
    closed = close_passages(call.desk, numbers, call.reason)
    named = ", ".join(map(str, numbers))
    call.answer(list(map(asdict, closed)), [call.format("inbox-done", numbers=named)])


def _list_press(call: GameCall) -> None:
    held = read_press(call.desk, str(call.desk.head().name) or None, (HELD,))  # at the end: all
    lines = []
    for piece in held:
        head = format_press_heading(piece.sender, piece.readers, call.desk.board, call.sentences)
        unsigned = f" ({call.format('inbox-unsigned')})" if piece.manner == "anonymous" else ""
        lines.append(style(f"{piece.id:>4}  {head}{unsigned}", bold=True))
        lines += [f"      {line}" for line in replace_unprintable(piece.text).split("\n")]
    call.answer([asdict(piece) for piece in held], lines or [call.format("inbox-no-press")])


# ``tick``: everything that can be done without the game master, for cron.


@click.command(cls=Command, game=True)
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
    call: Call, sources: tuple[str, ...], processes: bool, quiet: bool, all_in: Path | None
) -> None:
    """Do what can be done without you: fetch, answer, remind, announce; for cron.

    Mail is fetched as 'inbox fetch' does, from each SOURCE or from the game's mailbox, if it has
    one.  What goes out is drafted, and sent if the settings receipts, reminders, announcements and
    reports say so.  A phase is resolved only with --process, once its deadline is past, and only if
    the mailbox was read, nothing is missing, no doubtful mail of a player about the phase waits for
    you, and no player asks to wait.  A line is printed for each thing done, and nothing if there
    was nothing to do.

    What holds the phase back after its deadline is printed, and the exit status is then 1, as it is
    if something failed.  With gm_address set, a mail tells you, once a day for each change.

    With --all, games that read the same mailbox have it fetched once, and each mail goes to its
    game; one that could belong to several waits, and its sender is asked.

    \b
    Example:
      alexmagnum tick --process --quiet
      alexmagnum tick --all games --process
    """
    if all_in is None and ticking.is_folder_of_games(game_options.game_folder(call.game_path)):
        all_in = game_options.game_folder(call.game_path)
    if all_in is not None:
        tick_all(call, all_in, sources, processes=processes, quiet=quiet)
        return
    place = game_options.game_folder(call.game_path)
    with game_options.open_game(
        call, tell_of_loss=lambda error: ticking.tell_of_loss(place, error, open_folder)
    ) as opened:
        done = ticking.run_tick(opened.desk, sources, sys.stdin.buffer, processes=processes)
        if call.as_json:
            print_json(_list_entries(done))
        _print_tick(opened, done, quiet=quiet)
    if done.has_failed:
        raise SystemExit(1)


def tick_all(
    call: Call, folder: Path, sources: tuple[str, ...], *, processes: bool, quiet: bool
) -> None:
    """Run the tick of every game in a folder, and print what each did below its name."""
    with game_options.refusals(call.lang), ExitStack() as stack:
        games, failures = ticking.run_all_ticks(
            folder, open_folder, sources, sys.stdin.buffer, stack, processes=processes
        )
        if call.as_json:
            print_json([entry for game in games for entry in _list_game_entries(game)])
        for game in games:
            name = game.folder.name
            if game.desk is None or game.tick is None:
                said = format_refusal(game.folder, game.error, call.lang) if game.error else ""
                call.warn(f"{name}: {said}", "red")
            else:
                opened = game_options.call_on(call, game.desk)
                _print_tick(opened, game.tick, quiet=quiet, before=f"{name}: ")
                game_options.tell_warnings(opened, before=f"{name}: ")
        told = any(game.tick is not None and game.tick.told for game in games)
        for failure in failures if not (quiet and told) else ():
            call.warn(call.sentences.error(failure), "red")
    if failures or any(game.tick is None or game.tick.has_failed for game in games):
        raise SystemExit(1)


def _list_game_entries(game: ticking.GameLine) -> list[dict[str, object]]:
    """Return what a game's tick did, for machines, with the name of its folder."""
    failed = {"what": "failed", "code": game.error.code if game.error else ""}
    entries = [failed] if game.tick is None else _list_entries(game.tick)
    return [{"game": game.folder.name, **entry} for entry in entries]


def _print_tick(call: GameCall, done: ticking.Tick, *, quiet: bool, before: str = "") -> None:
    """Print what a tick did, what the game waits for and what failed, each line after some text;
    with ``quiet`` only what it did, if a letter says the rest."""
    before = f"{call.stamp(call.desk.stamp())}  {before}"
    lines = (_format_event(call, event) for event in done.events)
    call.say(f"{before}{line}" for text in lines for line in text.splitlines())
    if quiet and done.told:
        return
    if done.waits:
        phase = describe_phase(done.situation, call.desk, call.sentences)
        waits = list_waits(done.situation, call.desk, call.sentences)
        call.say([style(f"{before}{phase}", "yellow"), *(f"{before}  {line}" for line in waits)])
    for failure in done.failures:
        call.warn(f"{before}{call.sentences.error(failure)}", "red")


def _list_entries(done: ticking.Tick) -> list[dict[str, object]]:
    """Return what a tick did, for machines, and what the game waits for if there is anything."""
    now_ = done.situation
    entries = [_event_json(event) for event in done.events]
    if not done.waits and not done.failures:
        return entries
    waits = {
        "what": "waits",
        **pick(now_.status, "phase", "deadline"),
        "past": now_.is_past,
        "held": now_.is_held,
        "missing": now_.status.missing,
        "blocks": now_.blocks,
        "asking": now_.status.asking,
        "mails": [
            {**pick(mail, "id", "power", "sender"), "why": [why.code for why in mail.why]}
            for mail in now_.mails
        ],
        "returned": [letter.message.id for letter in now_.returned],
        "letters": [mailing.id for mailing in now_.stuck],
        "bots": [
            {"power": p.power, "bot": p.bot, "fault": p.bot_fault, "error": p.bot_error}
            for p in now_.status.bots
        ],
        "tray": [passage.message for passage in now_.tray],
        "failed": [failure.code for failure in done.failures],
    }
    return [*entries, waits]


def _event_json(event: ticking.Event) -> dict[str, object]:
    match event:
        case mails.Message():
            return {"what": "fetched", **pick(event, "id", "state", "power")}
        case ticking.PhaseProcessed(phase):
            return {"what": "processed", "phase": phase}
        case mails.Mailing():
            return {"what": "drafted", **pick(event, "id", "kind", "power")}
        case Delivery(mailing, state):
            return {
                "what": "sent" if state == mails.SENT else "kept",
                **pick(mailing, "id", "kind", "power"),
                "failed": state != mails.SENT,
            }


def _format_event(call: GameCall, event: ticking.Event) -> str:
    """Return an event of a tick in a line; a message has the reasons for its state below it."""
    match event:
        case mails.Message():
            line = call.format(
                "tick-fetched",
                number=event.id,
                sender=to_one_line(event.sender) or "?",
                state=call.format(f"inbox-state-{event.state}"),
            )
            whys = (f"  {format_why(why, call.desk, call.sentences)}" for why in event.why)
            return "\n".join([line, *whys, *(f"  {text}" for text in _list_said(call, event))])
        case ticking.PhaseProcessed(phase):
            return call.format("tick-processed", phase=call.name_phase(phase))
        case mails.Mailing():
            return call.format("tick-drafted", letter=format_letter_label(event, call.sentences))
        case Delivery():
            return format_delivery(call, event)


# The commands ``submit`` and ``orders``: enter orders, and show pending orders.
#
# The game master does not see orders: they are shown only with ``--open``, and the journal
# records that they were opened.


VERDICTS = ("good", "doubtful", "impossible", "unreadable", "ambiguous", "replaced", "untaken")
"""The verdicts on a line of a mail, except prose."""


@click.command(cls=GameCommand, reason=True, opened=True)
@click.argument("power")
@click.argument("file", required=False, type=PATH)
def submit(call: GameCall, power: str, file: Path | None) -> None:
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
    asked = call.parse_power(power)
    text = bound_orders(read_text_of(file, call.sentences.lang), str(file or "-"))
    source = file.name if file else "-"
    receipt, path = submit_orders(call.desk, asked, text, source=source, reason=call.reason)
    if call.opened:
        call.desk.pending(asked, reason=call.reason)
    if call.opened:
        lines = ReceiptText(call.desk, receipt, call.sentences).lines()
    else:
        lines = _list_figures(call, receipt)
    call.answer(_receipt_json(receipt, call.opened), (*lines, call.format("desk-draft", path=path)))


def _list_figures(call: GameCall, receipt: Receipt) -> Iterator[str]:
    text = ReceiptText(call.desk, receipt, call.sentences)
    yield style(text.head(), bold=True)
    counts = Counter(line.verdict for line in receipt.lines if not line.ahead)
    for verdict in VERDICTS:
        if counts[verdict]:
            said = call.format(f"desk-lines-{verdict}", count=counts[verdict])
            yield style(f"  {said}", None if verdict == "good" else "yellow")
    if ahead := len(find_kept_ahead(receipt)):
        yield f"  {call.format('desk-lines-ahead', count=ahead)}"
    for line in _warning_lines(call, receipt):
        yield style(f"  {line}", "yellow")
    yield from text.foot()


def _warning_lines(call: GameCall, receipt: Receipt) -> Iterator[str]:
    """Yield warnings that the mail may be for another phase or from another power."""
    if second_hand := [line for line in receipt.lines if line.code == "second-hand"]:
        named = call.name_powers(sorted({str(line.data.get("power", "?")) for line in second_hand}))
        yield call.format("desk-second-hand", count=len(second_hand), powers=named)
    if late := sum(line.code == "other-season" for line in receipt.lines):
        yield call.format("desk-other-season", count=late)
    if receipt.orders and not any(line.verdict in ("good", "doubtful") for line in receipt.lines):
        yield call.format("desk-nothing-new")


def _receipt_json(receipt: Receipt, opened: bool) -> dict[str, object]:
    """Return the receipt as JSON data; its lines and orders only if they are opened."""
    data = asdict(receipt)
    lines = [{**line._asdict(), "data": dict(line.data)} for line in receipt.lines]
    data["lines"] = lines if opened else dict(Counter(line.verdict for line in receipt.lines))
    data["orders"] = list(receipt.orders) if opened else len(receipt.orders)
    data["earlier"] = list(receipt.earlier) if opened else len(receipt.earlier)
    return data


# -- orders ------------------------------------------------------------------------------------


@click.command(cls=GameCommand, reason=True, opened=True)
@click.argument("power", required=False)
@click.option("--ahead", is_flag=True, help="Show the advance orders for later phases instead.")
def orders(call: GameCall, power: str | None, ahead: bool) -> None:
    """Show the pending orders of one power or of all, as they were read.

    Without --open nothing is shown.  The journal records whose orders were opened.

    \b
    Example:
      alexmagnum orders TOL --open --reason "the player asked what I have"
    """
    if not call.opened:
        raise GameError("orders-closed")
    find = call.desk.ahead if ahead else call.desk.pending
    found = find(call.parse_power(power) if power else None, reason=call.reason)
    lines = []
    for name, listed in found.items():
        for kind, texts in (listed if isinstance(listed, dict) else {"": listed}).items():
            of_kind = f", {call.format(f'ahead-{kind}')}" if kind else ""
            lines.append(style(f"{call.name_power(name)}{of_kind}", bold=True))
            lines += [f"  {text}" for text in texts or [call.format("no-order")]]
    call.answer(found, lines)
