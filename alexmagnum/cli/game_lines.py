"""Lines about a game for the terminal: its phase, its deadline, what is missing, how it ended."""

from __future__ import annotations

from collections.abc import Iterator

import click

from alexmagnum.board.model import Board
from alexmagnum.cli.output import style
from alexmagnum.game.desk import Desk
from alexmagnum.game.values import Status
from alexmagnum.i18n.date_parser import Deadline
from alexmagnum.i18n.date_text import format_instant
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.i18n.zones import parse_iso, to_local
from alexmagnum.position import parse_phase
from alexmagnum.report.bot_faults import describe_bot_faults
from alexmagnum.report.ending_text import format_end
from alexmagnum.report.names import name_bot, phase_name, power_name
from alexmagnum.report.required_orders_text import describe_required_orders


def phase_words(phase: str, board: Board, sentences: Sentences) -> str:
    """Return a phase in words, with its name: ``Spring 322 BC, movement (322-spring)``."""
    return f"{phase_name(parse_phase(phase, board.rules.picks), board, sentences)} ({phase})"


def deadline_words(desk: Desk, sentences: Sentences) -> str:
    """Return the deadline of the open phase in local time and UTC, and how far away it is."""
    if desk.paused:
        return sentences.format("clock-stopped")
    if not desk.deadline:
        return sentences.format("no-deadline")
    return format_instant(desk.deadline, desk.settings["timezone"], sentences, desk.game.now())


def local_stamp(desk: Desk, at: str) -> str:
    """Return an instant in the game's local time, short enough for lists."""
    return to_local(parse_iso(at), desk.settings["timezone"]).strftime("%Y-%m-%d %H:%M")


def print_deadline_notice(deadline: Deadline, sentences: Sentences) -> None:
    """Print which of two readings of a deadline was chosen, if there were two."""
    if deadline.notice:
        text = sentences.format(deadline.notice, **deadline.data)
        click.echo(style(text, "yellow"), err=True)


def print_required_orders(desk: Desk, sentences: Sentences) -> None:
    """Print what each power has to send, and for which a bot does."""
    position = desk.position
    bots = {p.power: name_bot(p.bot, sentences) for p in desk.players if p.bot}
    for power, text in describe_required_orders(position, sentences):
        line = f"{power_name(position.board, power, sentences)}: {text}"
        if power in bots:
            line = sentences.format("due-from-bot", due=line, bot=bots[power])
        click.echo(f"  {line}")


def describe_bots(desk: Desk, sentences: Sentences, power: str) -> Iterator[str]:
    """Yield how many orders the bot of a power has given, and what went wrong with them."""
    found = [one for one in desk.status().powers if one.power == power]
    for one in found:
        code = "desk-bot-ordered" if one.bot_has_ordered else "desk-bot-not-asked"
        yield sentences.format(code, given=one.given, wanted=one.wanted, bot=one.bot)
    yield from describe_bot_faults(found, desk.board, sentences)


def print_open_phase(desk: Desk, sentences: Sentences) -> None:
    """Print which phase is open, its deadline, and what each power has to send for it."""
    if desk.phase is None:
        print_end(desk, sentences)
        return
    name = phase_words(str(desk.phase), desk.board, sentences)
    click.echo(sentences.format("desk-open-phase", phase=name))
    click.echo(sentences.format("desk-deadline", deadline=deadline_words(desk, sentences)))
    print_required_orders(desk, sentences)


def print_end(desk: Desk, sentences: Sentences) -> None:
    """Print that the game is over, how it ended, and who has won it."""
    now_ = desk.status()
    names = [power_name(desk.board, power, sentences) for power in now_.winners]
    click.echo(sentences.format("desk-over"))
    if now_.end is not None:
        click.echo(format_end(now_.end, desk.position, sentences))
        if now_.end.reason:
            click.echo(sentences.format("desk-end-reason", reason=now_.end.reason))
    winners = ", ".join(names) or sentences.format("nobody")
    click.echo(sentences.format("desk-winners", powers=winners))


def process_command(status: Status) -> str:
    """Return the command that resolves the open phase as things stand."""
    missing = " --allow-missing" if "block-orders-missing" in status.blocks else ""
    anyway = " --anyway" if status.agreed else ""
    return f"alexmagnum process {status.phase}{missing}{anyway}"


def format_agreement(desk: Desk, status: Status, sentences: Sentences) -> str:
    """Return the end of the game that all voters want, and the commands that obey them or not."""
    kind, *powers = status.agreed.split()
    return sentences.format(
        f"desk-agreed-{kind}",
        count=len(status.voters),
        powers=", ".join(power_name(desk.board, power, sentences) for power in powers),
        ids=",".join(powers),
        command=process_command(status),
    )
