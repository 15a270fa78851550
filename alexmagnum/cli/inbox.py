"""The commands ``inbox``, ``tick``, ``submit`` and ``orders``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import click

from alexmagnum.cli import Command, Group
from alexmagnum.cli.base import (
    PATH,
    choose_language,
    print_answer,
    print_error,
    print_json,
    style,
)
from alexmagnum.cli.game_options import (
    format_refusal,
    game_folder,
    local_stamp,
    opened_desk,
    phase_words,
    read_text_of,
    refusals,
    surroundings,
)
from alexmagnum.cli.outbox import format_delivery, format_letter_label
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Receipt, parse_power
from alexmagnum.game.inbox_store import ASIDE, BOUNCED, NEW, REJECTED, TAKEN, WAITING, Message
from alexmagnum.game.letters import SENT, Mailing
from alexmagnum.game.people import HELD, drop_press, read_press
from alexmagnum.i18n.sentences import Sentences, load_sentences, replace_unprintable
from alexmagnum.mail.answers import find_kept_ahead, foot_lines, receipt_head, receipt_lines
from alexmagnum.mail.inbox import Inbox, format_why
from alexmagnum.mail.parsing.mime import to_one_line
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
    shown = sys.stderr.isatty()

    def count(number: int) -> None:
        if shown and number % 10 == 0:
            click.echo(f"\r{number}", err=True, nl=False)

    fetched = fetch_mail(desk, sources, sys.stdin.buffer, whole=whole, on_message=count)
    if shown:
        click.echo("\r", err=True, nl=False)
    messages = list(map(_message_json, fetched.messages))
    lines = _message_lines(fetched.messages, desk, sentences)
    print_answer(as_json, {"found": fetched.seen, "messages": messages}, lines)
    if not as_json:
        _print_fetch_summary(fetched, desk, sentences)
    # At the end, because the mail of the other sources is in.
    statuses = [print_error(fault, sentences.lang) for fault in fetched.faults]
    if statuses:
        sys.exit(max(statuses))


def _print_fetch_summary(fetched: FetchedMail, desk: Desk, sentences: Sentences) -> None:
    """Print how many messages came in each state, what came back, and the commands to use next."""
    new = fetched.messages
    counts = Counter(message.state for message in new)
    parts = [f"{sentences.format(f'inbox-state-{s}')}: {counts[s]}" for s in _STATES if counts[s]]
    states = ", ".join(parts) or "–"
    click.echo(sentences.format("inbox-sum", seen=fetched.seen, new=len(new), states=states))
    for message in new:
        if any(why.code == BOUNCED for why in message.why):
            addresses = to_one_line(message.why[0].data.get("addresses", ""))
            text = sentences.format("inbox-bounced", addresses=addresses)
            click.echo(style(text, "red"), err=True)
    if counts[WAITING]:
        click.echo(sentences.format("inbox-next-list"))
    if counts[TAKEN]:
        answered = bool(desk.settings["mail_address"])
        click.echo(sentences.format("inbox-next-send" if answered else "inbox-no-answers"))


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
    listed = Inbox(desk).store.find_all(*(() if everything else (WAITING, NEW)))
    lines = list(_message_lines(listed, desk, sentences)) or [sentences.format("inbox-empty")]
    if any(message.state == WAITING for message in listed):
        lines.append(sentences.format("inbox-next-decide"))
    print_answer(as_json, list(map(_message_json, listed)), lines)


def _message_lines(messages: Iterable[Message], desk: Desk, sentences: Sentences) -> Iterator[str]:
    """Yield each message as one line, and below it the reasons for its state."""
    for message in messages:
        state = sentences.format(f"inbox-state-{message.state}")
        power = power_name(desk.board, message.power, sentences) if message.power else "–"
        sender, subject = to_one_line(message.sender) or "?", to_one_line(message.subject)
        when = local_stamp(desk, message.received)
        line = f"{message.id:>4}  {state:<12} {when}  {power}  {sender}  {subject}".rstrip()
        yield style(line, "yellow" if message.state in (WAITING, NEW) else None)
        for why in message.why:
            yield f"      {format_why(why, desk, sentences)}"


def _message_json(message: Message) -> dict[str, object]:
    return {**asdict(message), "why": [{"code": each.code, **each.data} for each in message.why]}


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
    message = box.store.find(number)
    if opened or raw:
        desk.record("message-open", power=message.power, reason=reason, message=number)
    if raw:
        sys.stdout.buffer.write(box.store.raw(number))
        return
    read = box.read(message)
    notes = [{"code": note.code, **note.data} for note in read.notes]
    texts = {"text": read.text, "removed": read.removed} if opened else {}
    lines = list(_message_lines([message], desk, sentences))
    lines += [f"      {sentences.format(f'note-{note.code}', **note.data)}" for note in read.notes]
    lines.append(
        f"\n{replace_unprintable(read.text)}" if opened else sentences.format("inbox-closed")
    )
    if opened and read.removed.strip():
        removed = replace_unprintable(read.removed)
        lines.append(f"\n{sentences.format('inbox-removed')}\n\n{removed}")
    print_answer(
        as_json, {**_message_json(message), "name": read.name, "notes": notes, **texts}, lines
    )


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
    asked = parse_power(desk.board, power) if power else ""
    message = Inbox(desk).accept(number, asked, reason)
    print_answer(as_json, _message_json(message), _message_lines([message], desk, sentences))


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
    lines = _message_lines(rejected, desk, sentences)
    print_answer(as_json, list(map(_message_json, rejected)), lines)


def _list_press(desk: Desk, sentences: Sentences, as_json: bool) -> None:
    held = read_press(desk, str(desk.head().name), (HELD,))
    lines = []
    for piece in held:
        head = format_press_heading(piece.sender, piece.readers, desk.board, sentences)
        anonymous = piece.manner == "anonymous"
        unsigned = f" ({sentences.format('inbox-unsigned')})" if anonymous else ""
        lines.append(style(f"{piece.id:>4}  {head}{unsigned}", bold=True))
        lines += [f"      {line}" for line in replace_unprintable(piece.text).split("\n")]
    data = [asdict(piece) for piece in held]
    print_answer(as_json, data, lines or [sentences.format("inbox-no-press")])


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
            print_json(_list_entries(done))
        _print_tick(done, desk, sentences, quiet=quiet, as_json=as_json)
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
            print_json([entry for game in done.games for entry in _list_game_entries(game)])
        for game in done.games:
            name = game.folder.name
            if game.desk is None or game.tick is None:
                said = format_refusal(game.folder, game.error, lang) if game.error else ""
                click.echo(style(f"{name}: {said}", "red"), err=True)
            else:
                sentences = load_sentences(lang or game.desk.lang)
                before = f"{name}: "
                _print_tick(
                    game.tick, game.desk, sentences, quiet=quiet, as_json=as_json, before=before
                )
        told = any(game.tick is not None and game.tick.told for game in done.games)
        sentences = load_sentences(choose_language(lang))
        for failure in done.failures if not (quiet and told) else ():
            click.echo(style(sentences.error(failure), "red"), err=True)
    if done.has_failed:
        raise SystemExit(1)


def _list_game_entries(game: GameTick) -> list[dict[str, object]]:
    """Return what a game's tick did, for machines, with the name of its folder."""
    failed = {"what": "failed", "code": game.error.code if game.error else ""}
    entries = [failed] if game.tick is None else _list_entries(game.tick)
    return [{"game": game.folder.name, **entry} for entry in entries]


def _print_tick(
    done: Tick, desk: Desk, sentences: Sentences, *, quiet: bool, as_json: bool, before: str = ""
) -> None:
    """Print what a tick did, what the game waits for, and what failed: each line with some text
    before it.  With ``quiet`` only what it did is printed, if a letter says the rest."""
    lines = [] if as_json else [_format_event(event, desk, sentences) for event in done.events]
    for line in "\n".join(lines).splitlines():
        click.echo(f"{before}{line}")
    if quiet and done.told:
        return
    if done.waits and not as_json:
        phase = describe_phase(done.situation, desk, sentences)
        click.echo(style(f"{before}{phase}", "yellow"))
        for line in list_waits(done.situation, desk, sentences):
            click.echo(f"{before}  {line}")
    for failure in done.failures:
        click.echo(style(f"{before}{sentences.error(failure)}", "red"), err=True)


def _list_entries(done: Tick) -> list[dict[str, object]]:
    """Return what a tick did, for machines, and what the game waits for if there is anything."""
    now_ = done.situation
    entries = [_event_json(event) for event in done.events]
    if not done.waits and not done.failures:
        return entries
    return [
        *entries,
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
        },
    ]


def _event_json(event: Event) -> dict[str, object]:
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


def _format_event(event: Event, desk: Desk, sentences: Sentences) -> str:
    """Return an event of a tick in a line; a message has the reasons for its state below it."""
    match event:
        case Message():
            line = sentences.format(
                "tick-fetched",
                number=event.id,
                sender=to_one_line(event.sender) or "?",
                state=sentences.format(f"inbox-state-{event.state}"),
            )
            whys = (f"  {format_why(why, desk, sentences)}" for why in event.why)
            return "\n".join([line, *whys])
        case PhaseProcessed(phase):
            name = phase_words(phase, desk.board, sentences)
            return sentences.format("tick-processed", phase=name)
        case Mailing():
            return sentences.format("tick-drafted", letter=format_letter_label(event, sentences))
        case Delivery():
            return format_delivery(event, desk, sentences)


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
    asked = parse_power(desk.board, power)
    text = read_text_of(file, sentences.lang)
    source = file.name if file else "-"
    submitted = submit_orders(desk, asked, text, source=source, reason=reason)
    receipt = submitted.receipt
    if opened:
        desk.pending(asked, reason=reason)
    list_lines = receipt_lines if opened else _list_figures
    draft = sentences.format("desk-draft", path=submitted.draft)
    lines = (*list_lines(desk, receipt, sentences), draft)
    print_answer(as_json, _receipt_json(receipt, opened), lines)


def _list_figures(desk: Desk, receipt: Receipt, sentences: Sentences) -> Iterator[str]:
    """Yield the receipt without its orders."""
    yield style(receipt_head(desk.position, receipt, sentences), bold=True)
    counts = Counter(line.verdict for line in receipt.lines if not line.ahead)
    for verdict in VERDICTS:
        if counts[verdict]:
            said = sentences.format(f"desk-lines-{verdict}", count=counts[verdict])
            yield style(f"  {said}", None if verdict == "good" else "yellow")
    ahead = len(find_kept_ahead(receipt))
    if ahead:
        yield f"  {sentences.format('desk-lines-ahead', count=ahead)}"
    for line in _warning_lines(desk, receipt, sentences):
        yield style(f"  {line}", "yellow")
    yield from foot_lines(desk, receipt, sentences)


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
    asked = parse_power(desk.board, power) if power else None
    found = desk.ahead(asked, reason=reason) if ahead else desk.pending(asked, reason=reason)
    lines = []
    for name, listed in found.items():
        title = power_name(desk.board, name, sentences)
        kinds = listed if isinstance(listed, dict) else {"": listed}
        for kind, texts in kinds.items():
            of_kind = f", {sentences.format(f'ahead-{kind}')}" if kind else ""
            lines.append(style(f"{title}{of_kind}", bold=True))
            lines += [f"  {text}" for text in texts or [sentences.format("no-order")]]
    print_answer(as_json, found, lines)
